// Partition: text and LaTeX of the sorted equations, verification.
#include "ir/partition.h"

#include <fmt/format.h>

#include <algorithm>
#include <stdexcept>
#include <type_traits>

#include "expr/node_map.h"
#include "ir/discrete_equations.h"
#include "ir/require.h"
#include "ir/stage_text.h"

namespace cutset {

namespace {

Expr leaf_of(const Partition& p, Unknown u) {
    return p.model.pool->variable(u.variable, u.order);
}

std::string selection_text(const Partition& p, const StateSelection& s) {
    std::string text = (s.states.size() == 1 ? std::string("one") : std::to_string(s.states.size())) + " of ";
    for (std::size_t i = 0; i < s.candidates.size(); ++i)
        text += (i ? ", " : "") + p.model.path(s.candidates[i]);
    return text;
}

class PartitionPrinter {
  public:
    explicit PartitionPrinter(const Partition& p)
        : p_(p), model_(p.model), names_(model_.printer()), out_("model " + p.model.name) {}

    std::string print(bool with_events) {
        out_.section("parameters");
        for (VariableIndex v : p_.parameters) {
            const Variable& variable = model_.variables[v];
            std::string text = model_.path(v) + " := ";
            text += variable.binding ? to_text(variable.binding, v, names_)
                                     : value_text(model_, v, variable.value);
            if (!variable.unit.empty()) text += " [" + variable.unit + "]";
            out_.line(text);
        }
        out_.section("states");
        for (VariableIndex v : p_.states)
            if (!model_.variables[v].internal) out_.line(start_text(v));
        for (const StateSelection& s : p_.selections)
            out_.line(selection_text(p_, s) + ", chosen during the run");
        out_.section("discrete variables");
        for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value) {
            const Variable& variable = model_.variables[v];
            if (variable.variability != Variability::Discrete || variable.internal) continue;
            out_.line(model_.path(v) +
                      (variable.binding ? "(0) = " + to_text(variable.binding, v, names_) : std::string()));
        }
        out_.section("initialization, in order of computation");
        write_blocks(out_, model_, p_.initial_blocks);
        out_.section("discrete equations, in order of computation at events");
        for (const DiscreteAssignment& d : p_.discrete)
            out_.line(model_.path(d.variable) + " := " + to_text(d.value, d.variable, names_));
        out_.section("order of computation");
        write_blocks(out_, model_, p_.blocks);
        if (!p_.jump_blocks.empty()) {
            out_.section("after a jump, in order of computation");
            write_blocks(out_, model_, p_.jump_blocks);
        }
        out_.section("when clauses");
        for (const WhenClause& w : model_.whens) write_when(out_, model_, w, ":=");
        out_.section("eliminated");
        for (const Eliminated& e : p_.eliminated)
            out_.line(model_.path(e.variable) + " := " + to_text(e.value, names_));
        if (with_events) write_events(out_, p_);
        return out_.take();
    }

  private:
    const Partition& p_;
    const FlatModel& model_;
    Printer names_;
    SectionedText out_;

    std::string start_text(VariableIndex v) const {
        const Variable& variable = model_.variables[v];
        if (!variable.start || variable.start->only_guess) return model_.path(v);
        return fmt::format("{}(0) = {}", model_.path(v), to_text(variable.start->value, names_));
    }
};

std::string escape_latex(const std::string& text) {
    std::string out;
    for (char c : text) {
        if (c == '_' || c == '#' || c == '%' || c == '&' || c == '$') out += '\\';
        out += c;
    }
    return out;
}

}  // namespace

std::vector<VariableIndex> shown_states(const Partition& partition) {
    std::vector<VariableIndex> states;
    for (VariableIndex v : partition.states)
        if (!partition.model.variables[v].internal) states.push_back(v);
    for (const StateSelection& s : partition.selections)
        states.insert(states.end(), s.candidates.begin(), s.candidates.end());
    return states;
}

std::string states_text(const Partition& partition) {
    std::string text;
    const auto add = [&](const std::string& part) { text += (text.empty() ? "" : "; ") + part; };
    constexpr std::size_t most = 100;
    std::string plain;
    std::size_t count = 0;
    for (VariableIndex v : partition.states)
        if (!partition.model.variables[v].internal && ++count <= most)
            plain += (plain.empty() ? "" : ", ") + partition.model.path(v);
    if (count > most) plain += fmt::format(" and {} more", count - most);
    if (!plain.empty()) add(plain);
    for (std::size_t i = 0; i < std::min(partition.selections.size(), most); ++i)
        add(selection_text(partition, partition.selections[i]));
    if (partition.selections.size() > most)
        add(fmt::format("and {} more choices", partition.selections.size() - most));
    return text;
}

std::string print(const Partition& partition) {
    return PartitionPrinter(partition).print(false);
}

std::string print_with_events(const Partition& partition) {
    return PartitionPrinter(partition).print(true);
}

std::string print_latex(const Partition& p) {
    const Printer names = p.model.printer();
    const auto latex = [&](Expr e) { return to_latex(e, names); };
    const auto of = [&](Unknown u) { return latex(leaf_of(p, u)); };
    std::string out = fmt::format(
        "\\documentclass{{article}}\n\\usepackage{{amsmath}}\n\\allowdisplaybreaks\n\\begin{{document}}\n"
        "\\section*{{{}}}\n",
        escape_latex(p.model.name));

    std::vector<std::string> rows;
    const auto flush = [&](const char* heading) {
        if (rows.empty()) return;
        out += fmt::format("\\subsection*{{{}}}\n\\begin{{align*}}\n", heading);
        for (std::size_t i = 0; i < rows.size(); ++i)
            out += "  " + rows[i] + (i + 1 < rows.size() ? " \\\\\n" : "\n");
        out += "\\end{align*}\n";
        rows.clear();
    };
    for (VariableIndex v : p.parameters) {
        const Variable& variable = p.model.variables[v];
        rows.push_back(of({v, 0}) + " &:= " +
                       latex(variable.binding ? variable.binding : p.model.pool->number(variable.value)));
    }
    flush("Parameters");
    for (const DiscreteAssignment& d : p.discrete)
        rows.push_back(of({d.variable, 0}) + " &:= " + latex(d.value));
    flush("Discrete equations");
    const auto blocks = [&](const std::vector<Block>& list, const char* heading) {
        for (const Block& b : list) {
            for (const SolvedEquation& s : b.inner) rows.push_back(of(s.unknown) + " &:= " + latex(s.value));
            for (const ResidualEquation& r : b.residuals) rows.push_back("0 &= " + latex(r.residual));
            if (b.torn.empty()) continue;
            std::string torn;
            for (Unknown u : b.torn) torn += (torn.empty() ? "" : ",\\ ") + of(u);
            rows.push_back(fmt::format("&\\text{{the last {} solved together for }} {}",
                                       counted(b.size(), "line"), torn));
        }
        flush(heading);
    };
    blocks(p.initial_blocks, "Start");
    blocks(p.blocks, "Order of computation");
    for (const Eliminated& e : p.eliminated) rows.push_back(of({e.variable, 0}) + " &:= " + latex(e.value));
    flush("Eliminated");
    return out + "\\end{document}\n";
}

namespace {

class PartitionVerifier {
  public:
    explicit PartitionVerifier(const Partition& p) : p_(p), model_(p.model), n_(p.model.variables.size()) {}

    void run() {
        verify(model_);
        classify_variables();
        check_blocks(p_.blocks, false);
        check_blocks(p_.initial_blocks, true);
        check_blocks(p_.jump_blocks, true);
        check_discrete();
        check_parameters();
        for (const Switch& s : p_.switches)
            require(s.node && s.crossing, "a switch has its relation and its crossing function");
        for (const Clock& c : p_.clocks)
            require(c.node && c.first && c.period, "a clock has a first instant and a period");
        for (const DelayLine& d : p_.delays)
            require(d.node && d.argument && d.duration, "a delay has argument and duration");
    }

  private:
    std::string name(Unknown u) const { return model_.path(u.variable) + std::string(u.order, '\''); }

    void classify_variables() {
        is_state_.assign(n_, false);
        is_eliminated_.assign(n_, false);
        at_jumps_.assign(n_, false);
        for (VariableIndex v : p_.states) {
            require(v.value < n_ && !is_state_[v.value], "a state is listed once");
            is_state_[v.value] = true;
        }
        for (const Eliminated& e : p_.eliminated) {
            require(e.variable.value < n_ && !is_state_[e.variable.value] && e.value,
                    "an eliminated variable is no state");
            is_eliminated_[e.variable.value] = true;
        }
        const auto found = [&](Unknown u) {
            if (u.variable.value < n_ && u.order == 0 && model_.variables[u.variable].internal)
                at_jumps_[u.variable.value] = true;
        };
        for (const std::vector<Block>* blocks : {&p_.initial_blocks, &p_.jump_blocks})
            for (const Block& b : *blocks) {
                for (Unknown u : b.torn) found(u);
                for (const SolvedEquation& s : b.inner) found(s.unknown);
            }
    }

    // What a sequence of blocks has computed so far.
    struct Known {
        bool initial;
        std::vector<bool> computed[2];  // by order of the derivative and variable
    };

    bool is_known(const Known& known, Unknown u) const {
        const std::size_t v = u.variable.value;
        const bool fixed = model_.variables[u.variable].variability != Variability::Continuous;
        if (u.order == 0 && (fixed || is_eliminated_[v])) return true;
        if (u.order == 0 && !known.initial && is_state_[v]) return true;
        return u.order <= 1 && known.computed[u.order][v];
    }

    void compute(Known& known, Unknown u) const {
        require(u.variable.value < n_ && u.order <= 1,
                "a block computes a variable or the derivative of a state");
        const bool state = is_state_[u.variable.value];
        require(u.order == 0 || state, name(u) + " is computed but is the derivative of no state");
        require(known.initial || u.order == 1 || !state, "the state " + name(u) + " is computed");
        require(!known.computed[u.order][u.variable.value], name(u) + " is computed twice");
        known.computed[u.order][u.variable.value] = true;
    }

    void check_uses(const Known& known, Expr e, const std::string& of) const {
        require(e != nullptr, of + " has no expression");
        // What is delayed is known from the past.
        for (Expr leaf : nodes_in_order(e, [](Expr node) { return node->op != Op::Delay; })) {
            if (leaf->op != Op::Variable) continue;
            const Unknown u{leaf->variable(), leaf->order};
            require(u.variable.value < n_ && is_known(known, u),
                    of + " uses " + name(u) + " before it is known");
        }
    }

    bool is_equation(EquationIndex e, bool from_initial) const {
        return e < (from_initial ? model_.initial_equations : model_.equations).end_index();
    }

    void check_block(const Block& b, Known& known) const {
        require(b.torn.size() == b.residuals.size(), "a torn block has a residual for each tearing variable");
        require(b.kind != BlockKind::Explicit || b.torn.empty(), "an explicit block iterates nothing");
        require(b.kind == BlockKind::Explicit || !b.torn.empty(), "a system iterates something");
        for (Unknown u : b.torn) compute(known, u);
        for (const SolvedEquation& s : b.inner) {
            check_uses(known, s.value, "the equation for " + name(s.unknown));
            compute(known, s.unknown);
            require(is_equation(s.equation, s.from_initial),
                    name(s.unknown) + " is computed from no equation");
        }
        for (const ResidualEquation& r : b.residuals) {
            check_uses(known, r.residual, "a residual");
            require(is_equation(r.equation, r.from_initial), "a residual comes from no equation");
        }
    }

    // Each block uses only what is known by then, and every unknown is computed once.
    void check_blocks(const std::vector<Block>& blocks, bool initial) const {
        Known known{initial, {std::vector<bool>(n_, false), std::vector<bool>(n_, false)}};
        for (const Block& b : blocks) check_block(b, known);
        if (initial) return;
        for (VariableIndex v : p_.states)
            require(known.computed[1][v.value], "the derivative of " + model_.path(v) + " is not computed");
        for (VariableIndex v{0}; v.value < n_; ++v.value)
            require(at_jumps_[v.value] || is_known(known, {v, 0}), model_.path(v) + " is not computed");
    }

    // Each discrete variable that equations determine, from those before it.
    void check_discrete() const {
        const DiscreteDependencies dependencies(model_);
        std::vector<bool> assigned(n_, false);
        for (const DiscreteAssignment& d : p_.discrete) {
            const std::size_t v = d.variable.value;
            require(v < n_ && model_.variables[d.variable].by_equation && !assigned[v],
                    "a discrete equation determines its variable, once");
            for (VariableIndex used : dependencies(d.value))
                require(assigned[used.value], "the discrete equation for " + model_.path(d.variable) +
                                                  " uses " + model_.path(used) + " before it is known");
            assigned[v] = true;
        }
        for (VariableIndex v{0}; v.value < n_; ++v.value)
            require(!model_.variables[v].by_equation || assigned[v.value],
                    "no discrete equation determines " + model_.path(v));
    }

    // Each parameter from those before it.
    void check_parameters() const {
        std::vector<bool> done(n_, false);
        for (VariableIndex v : p_.parameters) {
            require(v.value < n_, "a parameter is a variable");
            if (const Expr binding = model_.variables[v].binding)
                for_each_leaf(binding, [&](Expr leaf) {
                    if (leaf->op == Op::Variable)
                        require(done[leaf->index], "the parameter " + model_.path(v) + " uses " +
                                                       model_.path(leaf->variable()) + " before it is known");
                });
            done[v.value] = true;
        }
    }

    const Partition& p_;
    const FlatModel& model_;
    const std::size_t n_;
    std::vector<bool> is_state_, is_eliminated_;
    std::vector<bool> at_jumps_;  // impulses of jumps, computed there and nowhere else
};

}  // namespace

void verify(const Partition& p) {
    PartitionVerifier(p).run();
}

}  // namespace cutset
