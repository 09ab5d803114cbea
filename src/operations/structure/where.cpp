#include "operations/structure/where.h"

#include <algorithm>
#include <map>
#include <set>
#include <unordered_map>

namespace cutset {

namespace {

Expr leaf_of(Pool& pool, Unknown u) {
    return pool.variable(u.variable, u.order);
}

}  // namespace

std::vector<std::string> variable_names(const Partition& partition) {
    std::vector<std::string> names;
    for (VariableIndex v{0}; v < partition.model.variables.end_index(); ++v.value)
        names.push_back(partition.model.path(v));
    for (VariableIndex v : partition.states) names.push_back("der(" + partition.model.path(v) + ")");
    return names;
}

namespace {

// All that the value of one unknown is computed from.
class Where {
  public:
    explicit Where(const Partition& partition)
        : partition_(partition),
          model_(partition.model),
          printer_(model_.printer()),
          states_(partition.states.begin(), partition.states.end()) {
        for (std::size_t b = 0; b < partition.blocks.size(); ++b) {
            for (const SolvedEquation& s : partition.blocks[b].inner) block_of_[s.unknown] = b;
            for (const Unknown& u : partition.blocks[b].torn) block_of_[u] = b;
        }
        for (std::size_t i = 0; i < partition.eliminated.size(); ++i)
            eliminated_by_[partition.eliminated[i].variable] = i;
        for (std::size_t i = 0; i < partition.discrete.size(); ++i)
            discrete_by_[partition.discrete[i].variable] = i;
    }

    // A variable, or the derivative of a state.
    std::optional<Unknown> find(const std::string& name) const {
        for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
            if (model_.path(v) == name) return Unknown{v, 0};
        if (name.size() <= 5 || !name.starts_with("der(") || name.back() != ')') return std::nullopt;
        const std::string inner = name.substr(4, name.size() - 5);
        for (VariableIndex v : partition_.states)
            if (model_.path(v) == inner) return Unknown{v, 1};
        return std::nullopt;
    }

    WhereAnswer answer(Unknown target) {
        open_ = {target};
        met_ = {target};
        while (!open_.empty()) {
            const Unknown u = open_.back();
            open_.pop_back();
            trace(u);
        }
        if (block_of_.contains(target) && model_.variables[target.variable].top_input)
            inputs_.insert(target.variable);
        for (std::size_t i : discrete_) add_step(partition_.discrete[i]);
        for (std::size_t b : blocks_) add_steps(partition_.blocks[b]);
        for (std::size_t i : eliminated_) add_step(partition_.eliminated[i]);
        answer_.states.assign(seen_states_.begin(), seen_states_.end());
        answer_.inputs.assign(inputs_.begin(), inputs_.end());
        answer_.parameters.assign(parameters_.begin(), parameters_.end());
        answer_.discretes.assign(discretes_.begin(), discretes_.end());
        return std::move(answer_);
    }

  private:
    void need(Expr e) {
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op == Op::Time) answer_.uses_time = true;
            if (leaf->op == Op::Previous) discretes_.insert(leaf->variable());
            if (leaf->op != Op::Variable) return;
            const Unknown u{leaf->variable(), leaf->order};
            if (met_.insert(u).second) open_.push_back(u);
        });
    }

    // One step back: what computes it, or where it comes from.
    void trace(Unknown u) {
        const Variability variability = model_.variables[u.variable].variability;
        if (const auto b = block_of_.find(u); b != block_of_.end()) {
            if (!blocks_.insert(b->second).second) return;
            for (const SolvedEquation& s : partition_.blocks[b->second].inner) need(s.value);
            for (const ResidualEquation& r : partition_.blocks[b->second].residuals) need(r.residual);
        } else if (const auto e = eliminated_by_.find(u.variable);
                   u.order == 0 && e != eliminated_by_.end()) {
            eliminated_.insert(e->second);
            need(partition_.eliminated[e->second].value);
        } else if (const auto d = discrete_by_.find(u.variable); u.order == 0 && d != discrete_by_.end()) {
            discrete_.insert(d->second);
            need(partition_.discrete[d->second].value);
        } else if (variability == Variability::Parameter || variability == Variability::Constant) {
            parameters_.insert(u.variable);
        } else if (variability == Variability::Discrete) {
            discretes_.insert(u.variable);
        } else if (states_.contains(u.variable)) {
            seen_states_.insert(u.variable);
        }
    }

    void add_step(std::string text, const Origin& origin, std::size_t system = 0) {
        answer_.steps.push_back({std::move(text), model_.path(origin.instance), origin.where, system});
    }
    void add_step(const DiscreteAssignment& d) {
        add_step(model_.path(d.variable) + " := " + to_text(d.value, d.variable, printer_), d.origin);
    }
    void add_step(const Eliminated& e) {
        add_step(model_.path(e.variable) + " := " + to_text(e.value, printer_), e.origin);
    }
    void add_steps(const Block& block) {
        const std::size_t system = block.torn.empty() ? 0 : ++systems_;
        for (const SolvedEquation& s : block.inner) {
            const Equation& e = model_.equations[s.equation];
            add_step(
                to_text(leaf_of(*model_.pool, s.unknown), printer_) + " := " + to_text(s.value, printer_),
                e.origin, system);
            if (e.kind == EquationKind::Input) inputs_.insert(s.unknown.variable);
        }
        for (const ResidualEquation& r : block.residuals)
            add_step("0 = " + to_text(r.residual, printer_), model_.equations[r.equation].origin, system);
    }

    const Partition& partition_;
    const FlatModel& model_;
    const Printer printer_;
    const std::set<VariableIndex> states_;
    // What computes each unknown: positions in the lists of the partition.
    std::map<Unknown, std::size_t> block_of_;
    std::unordered_map<VariableIndex, std::size_t> eliminated_by_, discrete_by_;

    std::vector<Unknown> open_;
    std::set<Unknown> met_;
    std::set<std::size_t> blocks_, eliminated_, discrete_;
    std::set<VariableIndex> seen_states_, inputs_, parameters_, discretes_;
    std::size_t systems_ = 0;
    WhereAnswer answer_;
};

}  // namespace

std::optional<WhereAnswer> where(const Partition& partition, const std::string& name) {
    Where search(partition);
    const auto target = search.find(name);
    return target ? std::optional(search.answer(*target)) : std::nullopt;
}

std::optional<NamedWhereAnswer> where_computed(const Partition& partition, const std::string& name) {
    auto answer = where(partition, name);
    if (!answer) return std::nullopt;
    NamedWhereAnswer named{name, false, std::move(*answer), std::nullopt};
    const FlatModel& model = partition.model;
    for (VariableIndex v{0}; v < model.variables.end_index() && !named.why; ++v.value)
        if (model.variables[v].variability == Variability::Continuous && model.path(v) == name)
            named.why = why_state(partition, v);
    if (named.answer.steps.empty())
        if (auto derivative = where(partition, "der(" + name + ")")) {
            named.name = "der(" + name + ")";
            named.integrated = true;
            named.answer = std::move(*derivative);
        }
    return named;
}

}  // namespace cutset
