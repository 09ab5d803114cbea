#include "ir/discrete_equations.h"

#include <algorithm>

namespace cutset {

namespace {

bool has_own_value(Op op) {
    switch (op) {
        case Op::Less:
        case Op::LessEqual:
        case Op::Equal:
        case Op::NotEqual:
        case Op::Truncate:
        case Op::Floor:
        case Op::Sign:
            return true;
        default:
            return false;
    }
}

// Looks through expressions for what varies between events. Depth is bounded, as everywhere with expressions.
class Look {
  public:
    // `discrete`: by variable, what is taken to change at events only.
    Look(const FlatModel& model, const std::vector<bool>& discrete) : model_(model), discrete_(discrete) {}

    // Whether something that varies between events stands in e outside relations; `found` gets
    // the variables of `discrete` there.
    bool varies_outside(Expr e, std::vector<VariableIndex>& found) {
        switch (e->op) {
            case Op::Variable:
                if (e->order == 0 && discrete_[e->index]) {
                    if (std::find(found.begin(), found.end(), e->variable()) == found.end())
                        found.push_back(e->variable());
                    return false;
                }
                return varies(e);
            case Op::Time:
            case Op::Delay:
                return true;
            case Op::NoEvent:
                if (varies(e->arg(0))) return true;
                break;
            default:
                if (has_own_value(e->op) && varies(e)) return false;
                break;
        }
        bool result = false;
        for (Expr argument : e->args()) result |= varies_outside(argument, found);
        return result;
    }

  private:
    bool varies(Expr e) {
        switch (e->op) {
            case Op::Variable:
                return e->order > 0 || (!discrete_[e->index] && model_.variables[e->variable()].variability ==
                                                                    Variability::Continuous);
            case Op::Time:
            case Op::Delay:
                return true;
            default:
                break;
        }
        if (e->argument_count == 0) return false;
        if (e->id >= known_.size()) known_.resize(std::max<std::size_t>(e->id + 1, model_.pool->size()));
        if (known_[e->id] == 0)
            known_[e->id] =
                std::any_of(e->args().begin(), e->args().end(), [&](Expr x) { return varies(x); }) ? 2 : 1;
        return known_[e->id] == 2;
    }

    const FlatModel& model_;
    const std::vector<bool>& discrete_;
    std::vector<std::uint8_t> known_;  // by node id: 0 = not yet, 1 = no, 2 = yes
};

// Truth values without a declared type that are true or false and never in between: their value before an
// event is asked for, or a when clause or the equation of another such variable reads them.
class TruthValues {
  public:
    TruthValues(const FlatModel& model, std::vector<bool>& discrete) : model_(model), discrete_(discrete) {}

    void find() {
        list_definitions();
        for (const Equation& e : model_.equations) {
            look_back(e.left);
            look_back(e.right);
        }
        for (const WhenClause& when : model_.whens) {
            read(when.condition);
            for (const WhenAction& action : when.actions) {
                if (const Expr guard = guard_of(action)) read(guard);
                if (const auto* assign = std::get_if<WhenAssign>(&action)) read(assign->value);
                if (const auto* reinit = std::get_if<WhenReinit>(&action)) read(reinit->value);
            }
        }
        for (std::size_t v = 0; v < discrete_.size(); ++v)
            if (discrete_[v]) open_.emplace_back(v);
        while (!open_.empty()) {
            const VariableIndex v = open_.back();
            open_.pop_back();
            for (const Equation* e : definitions_[v.value]) {
                read(e->left);
                read(e->right);
            }
        }
    }

  private:
    void list_definitions() {
        definitions_.resize(model_.variables.size());
        for (const Equation& e : model_.equations)
            for (Expr side : {e.left, e.right})
                if (side->op == Op::Variable && side->order == 0) definitions_[side->index].push_back(&e);
    }
    void take(VariableIndex i) {
        const Variable& v = model_.variables[i];
        if (discrete_[i.value] || v.type != ValueType::Boolean || v.variability != Variability::Continuous ||
            v.internal || v.free_parameter)
            return;
        discrete_[i.value] = true;
        open_.push_back(i);
    }
    void read(Expr e) {
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op == Op::Variable && leaf->order == 0) take(leaf->variable());
        });
    }
    void look_back(Expr root) {
        for_each_node(root, [&](Expr e) {
            if (e->op == Op::Previous) take(e->variable());
            if (e->op == Op::Edge || e->op == Op::Change) read(e);
        });
    }

    const FlatModel& model_;
    std::vector<bool>& discrete_;                            // by variable
    std::vector<std::vector<const Equation*>> definitions_;  // by variable: where it stands alone
    std::vector<VariableIndex> open_;                        // whose definitions are to be read
};

std::vector<bool> candidates(const FlatModel& model) {
    std::vector<bool> result(model.variables.size()), set(model.variables.size());
    for (const WhenClause& when : model.whens)
        for (const WhenAction& action : when.actions)
            if (const auto* assign = std::get_if<WhenAssign>(&action)) set[assign->target.value] = true;
    bool inferred = false;
    for (VariableIndex i{0}; i < model.variables.end_index(); ++i.value) {
        const Variable& v = model.variables[i];
        if (set[i.value] || v.free_parameter || (v.internal && !v.typed)) continue;
        if (v.variability == Variability::Discrete) {
            result[i.value] = v.declared == VariableKind::Discrete;
        } else if (v.variability == Variability::Continuous && v.type != ValueType::Real) {
            result[i.value] = v.typed;
            inferred = inferred || !v.typed;
        }
    }
    if (inferred) TruthValues(model, result).find();
    return result;
}

bool is_alone(const Equation& e, VariableIndex v) {
    const auto is = [&](Expr side) {
        return side->op == Op::Variable && side->order == 0 && side->variable() == v;
    };
    return is(e.left) || is(e.right);
}

}  // namespace

void separate_discrete(FlatModel& model) {
    if (!model.clock_operators.empty()) return;  // after lower_clocks: clocked variables are none of these
    std::vector<bool> discrete = candidates(model);
    if (std::find(discrete.begin(), discrete.end(), true) == discrete.end()) return;
    std::vector<bool> taken;
    // What no discrete equation determines is not discrete, and so its equations may not be.
    for (bool changed = true; changed;) {
        changed = false;
        taken.assign(model.equations.size(), false);
        std::vector<bool> determined(model.variables.size());
        Look look(model, discrete);
        for (EquationIndex i{0}; i < model.equations.end_index(); ++i.value) {
            const Equation& e = model.equations[i];
            std::vector<VariableIndex> found;
            if (look.varies_outside(e.left, found) || look.varies_outside(e.right, found)) continue;
            for (VariableIndex v : found)
                if (is_alone(e, v)) taken[i.value] = determined[v.value] = true;
        }
        for (std::size_t v = 0; v < discrete.size(); ++v)
            if (discrete[v] && !determined[v]) {
                discrete[v] = false;
                changed = true;
            }
    }
    if (std::find(taken.begin(), taken.end(), true) == taken.end()) return;
    for (EquationIndex i{0}; i < model.equations.end_index(); ++i.value)
        if (taken[i.value]) model.discrete_equations.push_back(model.equations[i]);
    remove_equations(model, taken);
    for (VariableIndex i{0}; i < model.variables.end_index(); ++i.value) {
        if (!discrete[i.value]) continue;
        model.variables[i].variability = Variability::Discrete;
        model.variables[i].by_equation = true;
    }
}

void join_discrete(FlatModel& model) {
    if (model.discrete_equations.empty()) return;
    Substitution starts(*model.pool);
    for (VariableIndex i{0}; i < model.variables.end_index(); ++i.value) {
        Variable& v = model.variables[i];
        if (!v.by_equation) continue;
        starts.replace(model.pool->previous(i), v.binding);
        v.variability = Variability::Continuous;
        v.by_equation = v.start_open = false;
        v.start = Start{v.binding, v.origin};
        v.start->only_guess = true;
        v.binding = nullptr;
    }
    for (Equation& e : model.discrete_equations) model.equations.add(std::move(e));
    model.discrete_equations.clear();
    for (auto* equations : {&model.equations, &model.initial_equations})
        for (Equation& e : *equations) {
            e.left = starts(e.left);
            e.right = starts(e.right);
        }
    for (WhenClause& when : model.whens) when.condition = starts(when.condition);
}

DiscreteDependencies::DiscreteDependencies(const FlatModel& model)
    : model_(model), discrete_(model.variables.size()) {
    for (VariableIndex i{0}; i < model.variables.end_index(); ++i.value)
        discrete_[i.value] = model.variables[i].by_equation;
}

std::vector<VariableIndex> DiscreteDependencies::operator()(Expr e) const {
    std::vector<VariableIndex> found;
    Look(model_, discrete_).varies_outside(e, found);
    return found;
}

}  // namespace cutset
