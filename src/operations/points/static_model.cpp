#include "operations/points/static_model.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include "ir/discrete_equations.h"
#include "operations/points/static_messages.h"
#include "transform/parametric_value.h"
#include "transform/rewrite.h"

namespace cutset {

namespace {

constexpr int deepest_delays = 20;  // of delays in delays

// Applies `map` to every node of the model's expressions that it has an answer for.
class Rewriting {
  public:
    explicit Rewriting(FlatModel& model) : model_(model) {}

    template <class Map>
    void apply(Map map) {
        Substitution substitution(*model_.pool);
        bool any = false;
        passes::for_each_expression(model_, [&](Expr& e) {
            for_each_node(e, [&](Expr node) {
                if (const Expr to = map(node)) {
                    substitution.replace(node, to);
                    any = true;
                }
            });
        });
        if (any) passes::for_each_expression(model_, [&](Expr& e) { e = substitution(e); });
    }

  private:
    FlatModel& model_;
};

class Posing {
  public:
    Posing(FlatModel model, const StaticQuestion& question, Diagnostics& diagnostics)
        : question_(question), diagnostics_(diagnostics) {
        posed_.model = std::move(model);
        join_discrete(posed_.model);
    }

    std::optional<StaticModel> run() {
        const std::size_t errors_before = diagnostics_.error_count();
        hold_time();
        if (question_.stationary) rest_samples();
        take_initial_equations();
        if (question_.stationary) rest();
        for (const StaticQuestion::Bound& b : question_.bounds) bound(b);
        for (VariableIndex v : question_.sought) seek(v);
        follow_bindings();
        for (const auto& [v, value] : question_.guesses) guess(v, value);
        for (const StaticQuestion::Condition& condition : question_.conditions) add(condition);
        posed_.options.keep_source = false;
        if (diagnostics_.error_count() > errors_before) return std::nullopt;
        return std::move(posed_);
    }

  private:
    FlatModel& model() { return posed_.model; }
    Pool& pool() { return *posed_.model.pool; }

    void hold_time() {
        const Expr now = pool().number(question_.time);
        Rewriting(model()).apply([&](Expr e) -> Expr { return e->op == Op::Time ? now : nullptr; });
        for (Variable& v : model().variables)  // initial values of discrete variables
            if (v.variability == Variability::Discrete && v.binding) {
                Substitution substitution(pool());
                substitution.replace(pool().time(), now);
                v.binding = substitution(v.binding);
            }
    }

    // What a delay gives is what goes in, what was before is what is, nothing begins and nothing changes.
    void rest() {
        for (int depth = 0; depth < deepest_delays; ++depth) {
            bool any = false;
            Rewriting(model()).apply([&](Expr e) -> Expr {
                if (e->op == Op::Delay) {
                    any = posed_.delayed = true;
                    return e->arg(0);
                }
                if (e->op == Op::Previous) return pool().variable(e->variable());
                if (e->op == Op::Starting || e->op == Op::Ending || e->op == Op::Change ||
                    e->op == Op::Edge || e->op == Op::Sample)
                    return pool().truth(false);
                return nullptr;
            });
            if (!any) break;
        }
    }

    // A sampled variable becomes one to be found: d = what the next sample makes of it.
    void rest_samples() {
        std::vector<WhenClause> whens = std::move(model().whens);
        model().whens.clear();
        std::set<VariableIndex> set_before;
        for (WhenClause& when : whens) {
            if (!is_sampled(when)) {
                posed_.whens.push_back(std::move(when));
                continue;
            }
            for (const WhenAction& action : when.actions) {
                const auto* assign = std::get_if<WhenAssign>(&action);
                if (!assign || !set_before.insert(assign->target).second) continue;
                Variable& d = model().variables[assign->target];
                if (d.variability != Variability::Discrete) continue;
                const Expr target = pool().variable(assign->target);
                Expr value = assign->implicit ? pool().add(target, assign->value) : assign->value;
                if (assign->guard)
                    value = pool().choose(assign->guard, value, pool().previous(assign->target));
                if (value == target || value == pool().previous(assign->target)) continue;
                d.free_parameter = true;
                posed_.sampled.push_back(assign->target);
                sampled_equations_.push_back({target, value, assign->origin, EquationKind::Written});
            }
        }
    }

    // Those of the model say where a motion begins. A stationary point is not such a place, so they are
    // guesses, unless they serve to find parameters.
    void take_initial_equations() {
        if (!question_.stationary) {
            posed_.options.initial = InitialMode::Given;
            return;
        }
        posed_.options.initial = InitialMode::Steady;
        std::size_t free = 0;
        for (const Variable& v : model().variables) free += v.free_parameter;
        free -= posed_.sampled.size();
        IndexedVector<EquationIndex, Equation> kept;
        for (const Equation& e : model().initial_equations) {
            if (free > 0)
                kept.add(e);
            else if (e.left->op == Op::Variable && e.left->order == 0 &&
                     model().variables[e.left->variable()].variability == Variability::Continuous &&
                     !model().variables[e.left->variable()].start && is_parametric(e.right))
                model().variables[e.left->variable()].start = Start{e.right, e.origin};
        }
        model().initial_equations = std::move(kept);
        for (Equation& e : sampled_equations_) model().initial_equations.add(std::move(e));
    }
    bool is_parametric(Expr e) {
        return !depends_on(e, [&](Expr leaf) {
            return leaf->op != Op::Variable ||
                   model().variables[leaf->variable()].variability > Variability::Parameter;
        });
    }

    void add(const StaticQuestion::Condition& condition) {
        if (question_.stationary && condition.order == 1) {
            const VariableIndex rate = move(condition.variable);
            if (condition.value) add({rate, 0, condition.value});
        } else if (question_.stationary && question_.sought.empty()) {
            Variable& v = model().variables[condition.variable];
            v.start = Start{condition.value, v.origin};
        } else {
            Variable& v = model().variables[condition.variable];
            model().initial_equations.add({pool().variable(condition.variable, condition.order),
                                           condition.value, v.origin, EquationKind::Input});
            if (condition.order == 0 && question_.stationary) v.start = Start{condition.value, v.origin};
        }
    }
    // x moves on, its derivative is a variable of its own, and x is looked at where it begins: x = x0.
    VariableIndex move(VariableIndex x) {
        Variable rate;
        rate.name = derivative_name(model().variables[x].name);
        rate.origin = model().variables[x].origin;
        if (!model().variables[x].unit.empty()) rate.unit = model().variables[x].unit + "/s";
        const VariableIndex speed = model().variables.add(std::move(rate));
        Rewriting(model()).apply([&](Expr e) -> Expr {
            if (e->op != Op::Variable || e->variable() != x || e->order == 0) return nullptr;
            return e->order == 1 ? pool().variable(speed) : pool().variable(speed, e->order - 1);
        });
        const Variable& v = model().variables[x];
        model().equations.add(
            {pool().variable(x), v.start ? v.start->value : pool().number(0), v.origin, EquationKind::Input});
        return speed;
    }

    void bound(const StaticQuestion::Bound& b) {
        Variable& v = model().variables[b.variable];
        if (std::isfinite(b.low)) v.minimum = b.low;
        if (std::isfinite(b.high)) v.maximum = b.high;
    }

    // ---- what is sought

    void seek(VariableIndex v) {
        posed_.found.push_back(v);
        Variable& variable = model().variables[v];
        if (variable.free_parameter) return;
        const bool compared =
            std::find(model().compared.begin(), model().compared.end(), v) != model().compared.end();
        if (variable.variability == Variability::Parameter) {
            if (variable.structural || compared || variable.declared == VariableKind::StructureParameter) {
                diagnostics_.report(static_messages::sought_shapes_model(model(), v));
                return;
            }
            const double value = variable.value;
            variable.variability = Variability::Discrete;
            variable.free_parameter = true;
            variable.binding = pool().number(value);
            if (!variable.nominal && value != 0 && std::isfinite(value)) variable.nominal = std::abs(value);
            follows_.insert(v);
            return;
        }
        if (variable.variability == Variability::Continuous && is_given(v)) {
            seek_input(v);
            return;
        }
        const bool differentiated = is_differentiated(v);
        if (variable.variability != Variability::Continuous || question_.stationary || !differentiated) {
            diagnostics_.report(static_messages::cannot_be_sought(model(), v, question_.stationary));
            return;
        }
        seek_start(v);
    }

    // x(0) = a parameter to be found.
    void seek_start(VariableIndex v) {
        Variable start;
        start.name = model().variables[v].name + "(0)";
        start.origin = model().variables[v].origin;
        start.variability = Variability::Discrete;
        start.free_parameter = true;
        start.internal = true;
        const auto& given = model().variables[v].start;
        start.binding = given && is_parametric(given->value) ? given->value : pool().number(0);
        start.unit = model().variables[v].unit;
        start.nominal = model().variables[v].nominal;
        start.minimum = model().variables[v].minimum;
        start.maximum = model().variables[v].maximum;
        const Origin origin = start.origin;
        const VariableIndex parameter = model().variables.add(std::move(start));
        model().variables[v].start = Start{pool().variable(parameter), origin};
        posed_.found.back() = parameter;
    }

    bool is_given(VariableIndex v) {
        return std::any_of(model().equations.begin(), model().equations.end(),
                           [&](const Equation& e) { return input_given(e) == v; });
    }
    bool is_differentiated(VariableIndex v) {
        bool found = false;
        for (const Equation& e : model().equations)
            for (Expr side : {e.left, e.right})
                for_each_leaf(side, [&](Expr leaf) {
                    found |= leaf->op == Op::Variable && leaf->order > 0 && leaf->variable() == v;
                });
        return found;
    }

    // An input to be found is constant: its equation goes, and derivatives of it are zero.
    void seek_input(VariableIndex v) {
        std::vector<bool> given(model().equations.size());
        Expr value = nullptr;
        for (EquationIndex e(0); e < model().equations.end_index(); ++e.value) {
            const Equation& equation = model().equations[e];
            given[e.value] = input_given(equation) == v;
            if (given[e.value]) value = equation.right;
        }
        remove_equations(model(), given);
        Variable& variable = model().variables[v];
        variable.variability = Variability::Discrete;
        variable.free_parameter = true;
        variable.top_input = false;
        variable.declared = VariableKind::Parameter;
        const Expr start = variable.start ? variable.start->value : value;
        variable.start.reset();
        variable.binding = start && is_parametric(start) ? start : pool().number(0);
        follows_.insert(v);
        Rewriting(model()).apply([&](Expr e) -> Expr {
            return e->op == Op::Variable && e->variable() == v && e->order > 0 ? pool().number(0) : nullptr;
        });
    }

    // Parameters computed from what is sought are found with it.
    void follow_bindings() {
        for (bool changed = !follows_.empty(); changed;) {  // as often as bindings refer to one another
            changed = false;
            for (VariableIndex p(0); p < model().variables.end_index(); ++p.value) {
                Variable& variable = model().variables[p];
                if (variable.variability != Variability::Parameter || !variable.binding) continue;
                if (!depends_on(variable.binding, [&](Expr leaf) {
                        return leaf->op == Op::Variable && follows_.count(leaf->variable()) > 0;
                    }))
                    continue;
                if (variable.structural) {
                    diagnostics_.report(static_messages::sought_shapes_model(model(), p));
                    return;
                }
                follows_.insert(p);
                changed = true;
                model().initial_equations.add(
                    {pool().variable(p), variable.binding, variable.origin, EquationKind::Written});
                variable.variability = Variability::Discrete;
                variable.free_parameter = true;
                variable.binding = pool().number(variable.value);
            }
        }
    }

    void guess(VariableIndex v, double value) {
        Variable& variable = model().variables[v];
        if (variable.variability == Variability::Discrete && variable.free_parameter) {
            variable.binding = pool().number(value);
            if (!variable.nominal && value != 0) variable.nominal = std::abs(value);
        } else if (variable.variability == Variability::Continuous && variable.start &&
                   variable.start->value->op == Op::Variable &&
                   model().variables[variable.start->value->variable()].internal) {
            model().variables[variable.start->value->variable()].binding = pool().number(value);
        } else if (variable.variability == Variability::Continuous) {
            variable.start = Start{pool().number(value), variable.origin};
        } else {
            diagnostics_.report(static_messages::guess_without_effect(model(), v));
        }
    }

    const StaticQuestion& question_;
    Diagnostics& diagnostics_;
    StaticModel posed_;
    std::vector<Equation> sampled_equations_;
    std::set<VariableIndex> follows_;  // sought, or computed from what is
};

Environment environment_of(const FlatModel& model, const std::vector<double>& values,
                           const std::map<VariableIndex, double>& derivatives, double time) {
    Environment environment;
    environment.leaf = [&model, &values, &derivatives, time](Expr leaf) -> std::optional<double> {
        switch (leaf->op) {
            case Op::Time:
                return time;
            case Op::Previous:
                return values[leaf->index];
            case Op::Variable:
                if (leaf->order == 0) return values[leaf->index];
                if (leaf->order == 1)
                    if (const auto found = derivatives.find(leaf->variable()); found != derivatives.end())
                        return found->second;
                return std::nullopt;
            case Op::Sample:
            case Op::Starting:
            case Op::Ending:
                return 0;
            default:
                return std::nullopt;
        }
    };
    environment.apply = [&model](Expr call, std::span<const double> arguments) {
        return table_call_value(model, call, arguments);
    };
    return environment;
}

}  // namespace

std::optional<StaticModel> pose(FlatModel model, const StaticQuestion& question, Diagnostics& diagnostics) {
    return Posing(std::move(model), question, diagnostics).run();
}

std::optional<VariableIndex> find_named(const FlatModel& model, const std::string& path,
                                        const std::string& option, Diagnostics& diagnostics) {
    std::string name;
    for (std::size_t i = 0; i < path.size(); ++i) {
        if (path[i] == ' ') continue;
        if (path.compare(i, 2, "::") == 0) {
            name += '.';
            ++i;
        } else {
            name += path[i];
        }
    }
    std::vector<std::string> names;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        if (model.variables[v].internal) continue;
        names.push_back(model.path(v));
        if (names.back() == name) return v;
    }
    diagnostics.report(static_messages::unknown_name(model, option, path, nearest_name(name, names)));
    return std::nullopt;
}

std::vector<std::pair<VariableIndex, double>> pending_changes(const StaticModel& posed,
                                                              const std::vector<double>& values,
                                                              double time) {
    std::vector<std::pair<VariableIndex, double>> changes;
    const std::map<VariableIndex, double> derivatives;
    const Environment environment = environment_of(posed.model, values, derivatives, time);
    Pool& pool = *posed.model.pool;
    for (const WhenClause& when : posed.whens) {
        // edge(c) was true when c became so; nothing is starting or changing now.
        Substitution settled(pool);
        for_each_node(when.condition, [&](Expr e) {
            if (e->op == Op::Edge) settled.replace(e, e->arg(0));
            if (e->op == Op::Change || e->op == Op::Starting || e->op == Op::Ending)
                settled.replace(e, pool.truth(false));
        });
        const auto holds = evaluate(settled(when.condition), environment);
        if (!holds || *holds == 0) continue;
        for (const WhenAction& action : when.actions)
            if (const auto* assign = std::get_if<WhenAssign>(&action)) {
                const auto counts =
                    assign->guard ? evaluate(assign->guard, environment) : std::optional<double>(1);
                if (assign->implicit || !counts || *counts == 0) continue;
                const auto value = evaluate(assign->value, environment);
                if (value && *value != values[assign->target.value])
                    changes.emplace_back(assign->target, *value);
            }
    }
    return changes;
}

Misfit misfit(const FlatModel& model, const std::vector<double>& values,
              const std::vector<std::pair<VariableIndex, double>>& derivatives, double time) {
    const std::map<VariableIndex, double> by_variable(derivatives.begin(), derivatives.end());
    const Environment environment = environment_of(model, values, by_variable, time);
    const auto size = [&](Expr e) {
        double sum = 0;
        const auto add = [&](Expr term) { sum += std::abs(evaluate(term, environment).value_or(0)); };
        if (e->op == Op::Add)
            for (Expr term : e->args()) add(term);
        else
            add(e);
        return sum;
    };
    Misfit worst;
    const auto look = [&](const Equation& e) {
        if (e.left->boolean) return;
        const auto left = evaluate(e.left, environment), right = evaluate(e.right, environment);
        if (!left || !right) return;
        const double terms = size(e.left) + size(e.right);
        double residual = std::abs(*left - *right) / std::max(1.0, terms);
        if (std::isnan(residual)) residual = std::numeric_limits<double>::infinity();
        if (residual <= worst.residual) return;
        worst.residual = residual;
        worst.equation = e;
    };
    for (const Equation& e : model.equations) look(e);
    for (const Equation& e : model.initial_equations) look(e);
    return worst;
}

}  // namespace cutset
