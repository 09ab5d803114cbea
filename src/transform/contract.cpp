// What passes may change: parts of an Analysis are compared by fingerprints. Expressions of one pool are
// equal when they are the same node, so a node counts by its age.
#include <fmt/format.h>

#include <bit>
#include <stdexcept>

#include "transform/pass.h"

namespace cutset::passes {

namespace {

class PartHash {
  public:
    void add(std::uint64_t x) {
        state_ = (state_ ^ x) * 0x9E3779B97F4A7C15u;
        state_ ^= state_ >> 29;
    }
    void add(bool x) { add(std::uint64_t(x)); }
    void add(double x) { add(std::bit_cast<std::uint64_t>(x)); }
    void add(Expr e) { add(e ? std::uint64_t(e->id) + 1 : 0); }
    void add(const std::string& text) {
        for (char c : text) add(std::uint64_t(static_cast<unsigned char>(c)));
        add(std::uint64_t(text.size()));
    }
    template <class Tag>
    void add(Index<Tag> i) {
        add(std::uint64_t(i.value));
    }
    template <class T>
    void add(const std::optional<T>& x) {
        add(x.has_value());
        if (x) add(*x);
    }
    template <class T>
    void add(const std::vector<T>& list) {
        add(std::uint64_t(list.size()));
        for (const auto& x : list) add(static_cast<const T&>(x));
    }
    void add(const std::vector<bool>& list) {
        add(std::uint64_t(list.size()));
        for (bool x : list) add(x);
    }
    template <class I, class T>
    void add(const IndexedVector<I, T>& list) {
        add(std::uint64_t(list.size()));
        for (const T& x : list) add(x);
    }
    void add(std::uint8_t x) { add(std::uint64_t(x)); }
    void add(std::uint32_t x) { add(std::uint64_t(x)); }

    void add(const Start& s) {
        add(s.value);
        add(s.from_user);
        add(s.by_default);
        add(s.only_guess);
        add(s.depth);
    }
    void add(const Variable& v) {
        add(v.name);
        add(v.origin.instance);
        add(std::uint64_t(v.variability));
        add(std::uint64_t(v.type));
        for (bool flag : {v.by_equation, v.adjustable, v.internal, v.free_parameter, v.start_open,
                          v.top_input, v.top_output})
            add(flag);
        add(std::uint64_t(v.state_select));
        add(v.binding);
        add(v.start);
        add(v.nominal);
        add(v.minimum);
        add(v.maximum);
    }
    void add(const DerivativeStart& s) {
        add(s.variable);
        add(s.order);
        add(s.start);
    }
    void add(const Equation& e) {
        add(e.left);
        add(e.right);
        add(std::uint64_t(e.kind));
    }
    void add(const WhenClause& w) {
        add(w.condition);
        add(w.branch);
        for (const WhenAction& action : w.actions)
            std::visit(
                [&](const auto& a) {
                    add(a.guard);
                    if constexpr (!std::is_same_v<std::decay_t<decltype(a)>, WhenTerminate>) {
                        add(a.target);
                        add(a.value);
                    }
                },
                action);
    }
    void add(const Homotopy& h) {
        add(h.equation);
        add(h.simplified);
    }
    void add(const Eliminated& e) {
        add(e.variable);
        add(e.value);
        add(e.alias);
        add(e.unused);
    }
    void add(const Dependency& d) {
        add(d.removed);
        add(d.with);
    }
    void add(const StateSelection& s) {
        add(s.candidates);
        add(s.states);
        add(s.selectors);
        add(s.constraints);
        add(s.jacobian);
        add(s.weights);
        add(s.equations);
    }
    void add(const StateGroup& g) {
        for (const StateGroup::Candidate& c : g.candidates) {
            add(c.variable);
            add(std::uint64_t(c.outcome));
        }
        add(g.constraints);
    }
    void add(Unknown u) {
        add(u.variable);
        add(u.order);
    }
    void add(const Block& b) {
        add(std::uint64_t(b.kind));
        for (const SolvedEquation& s : b.inner) {
            add(s.unknown);
            add(s.value);
            add(s.equation);
        }
        add(b.torn);
        for (const ResidualEquation& r : b.residuals) {
            add(r.residual);
            add(r.equation);
        }
    }
    void add(const System& s) {
        for (const Row& r : s.rows) {
            add(r.left);
            add(r.right);
            add(r.equation);
        }
        add(s.columns);
        add(s.incidence.start);
        add(s.incidence.adjacent);
        add(s.matching.variable_of_equation);
    }
    void add(const TornWish& w) {
        add(w.unknown);
        add(w.used);
    }
    void add(const LoopReport& l) {
        add(std::uint64_t(l.size));
        add(l.variables);
    }
    void add(const StartCheck& c) {
        add(c.variable);
        add(c.value);
    }
    void add(const DiscreteAssignment& d) {
        add(d.variable);
        add(d.value);
    }
    void add(const Switch& s) {
        add(s.node);
        add(s.crossing);
        add(s.instant);
        add(s.rate);
    }

    std::uint64_t result() const { return state_; }

  private:
    std::uint64_t state_ = 0x243F6A8885A308D3u;
};

template <class... Fields>
std::uint64_t hash_of(const Fields&... fields) {
    PartHash hash;
    (hash.add(fields), ...);
    return hash.result();
}

std::uint64_t fingerprint_of(const Analysis& a, Part part) {
    const Partition& p = a.partition;
    const FlatModel& m = p.model;
    switch (part) {
        case Part::Variables:
            return hash_of(m.variables, m.derivative_starts, a.continuous_variable);
        case Part::Equations:
            return hash_of(m.equations, a.written, a.live);
        case Part::InitialEquations:
            return hash_of(m.initial_equations);
        case Part::Conditions: {
            PartHash hash;
            hash.add(m.whens);
            hash.add(m.discrete_equations);
            for (const Validity& v : m.validities) hash.add(v.condition);
            hash.add(m.homotopies);
            return hash.result();
        }
        case Part::ParameterOrder:
            return hash_of(p.parameters);
        case Part::Structural: {
            PartHash hash;
            hash.add(p.structural_parameters);
            for (VariableIndex v(0); v < m.variables.end_index(); ++v.value)
                if (m.variables[v].structural) hash.add(v);
            return hash.result();
        }
        case Part::Differentiated:
            return hash_of(a.differentiated, a.derivative_order);
        case Part::BeforeElimination:
            return hash_of(a.before_elimination, a.starts_before, a.differentiated_before);
        case Part::Eliminated:
            return hash_of(p.eliminated, std::uint64_t(p.aliases_removed), p.dependent_removed, a.gone,
                           a.dependencies);
        case Part::IndexReduction:
            return hash_of(std::uint64_t(p.index), p.differentiated, p.dependent, p.selections, p.jump_causes,
                           p.state_groups);
        case Part::Matching:
            return hash_of(a.matched, a.continuous, p.states);
        case Part::TearingWishes:
            return hash_of(a.torn);
        case Part::Blocks:
            return hash_of(p.blocks, p.loops);
        case Part::InitialBlocks:
            return hash_of(p.initial_blocks, p.homotopy_blocks, p.jump_blocks, p.zero_starts, p.start_checks);
        case Part::Events: {
            PartHash hash;
            hash.add(p.discrete);
            hash.add(p.switches);
            for (const Clock& c : p.clocks) hash.add(c.node);
            for (const DelayLine& d : p.delays) hash.add(d.node);
            return hash.result();
        }
    }
    return 0;
}

}  // namespace

const char* name_of(Part part) {
    switch (part) {
        case Part::Variables:
            return "variables";
        case Part::Equations:
            return "equations";
        case Part::InitialEquations:
            return "initial equations";
        case Part::Conditions:
            return "conditions";
        case Part::ParameterOrder:
            return "order of parameters";
        case Part::Structural:
            return "structural parameters";
        case Part::Differentiated:
            return "differentiated variables";
        case Part::BeforeElimination:
            return "equations before elimination";
        case Part::Eliminated:
            return "eliminated variables";
        case Part::IndexReduction:
            return "index reduction";
        case Part::Matching:
            return "matching";
        case Part::TearingWishes:
            return "tearing wishes";
        case Part::Blocks:
            return "blocks";
        case Part::InitialBlocks:
            return "initial blocks";
        case Part::Events:
            return "events";
    }
    return "";
}

PartPrints fingerprints(const Analysis& a) {
    PartPrints prints;
    for (std::size_t i = 0; i < part_count; ++i) prints[i] = fingerprint_of(a, Part(i));
    return prints;
}

void verify_contract(const Pass& pass, const PartPrints& before, const PartPrints& after) {
    for (std::size_t i = 0; i < part_count; ++i)
        if (before[i] != after[i] && !pass.changes.contains(Part(i)))
            throw std::logic_error(
                fmt::format("pass {} changes {}, which is not in its contract", pass.name, name_of(Part(i))));
}

}  // namespace cutset::passes
