#include "transform/leave_open.h"

#include <algorithm>
#include <unordered_map>

#include "ir/find_variables.h"
#include "transform/boundary_messages.h"
#include "transform/parametric_value.h"

namespace cutset {

namespace {

enum class Kind { Parameter, Input, Start, DerivativeStart };

struct Wanted {
    Kind kind;
    std::string path;  // of the variable
};

Wanted parse(const std::string& text) {
    std::string path = plain_path(text);
    if (!path.ends_with("(0)")) return {Kind::Parameter, path};
    path.resize(path.size() - 3);
    if (auto of = differentiated_path(path)) return {Kind::DerivativeStart, std::move(*of)};
    return {Kind::Start, path};
}

std::optional<double> value_at(const FlatModel& model, Expr e, double time) {
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Time) return time;
        if (leaf->op != Op::Variable || leaf->order != 0) return std::nullopt;
        const Variable& v = model.variables[leaf->variable()];
        if (v.variability > Variability::Parameter) return std::nullopt;
        return v.value;
    };
    environment.apply = [&](Expr call, std::span<const double> arguments) {
        return table_call_value(model, call, arguments);
    };
    return evaluate(e, environment);
}

class Opener {
  public:
    Opener(FlatModel& model, double time, Diagnostics& diagnostics)
        : model_(model), time_(time), diagnostics_(diagnostics), dropped_(model.equations.size(), false) {
        for (EquationIndex e(0); e < model.equations.end_index(); ++e.value) {
            if (const auto input = input_given(model.equations[e])) input_equation_.emplace(input->value, e);
        }
    }

    std::vector<VariableIndex> run(std::span<const std::string> paths) {
        std::vector<VariableIndex> result;
        const std::size_t errors_before = diagnostics_.error_count();
        std::vector<Wanted> list;
        std::vector<std::string> plain;
        for (const std::string& path : paths) {
            list.push_back(parse(path));
            plain.push_back(list.back().path);
        }
        const auto variables = find_variables(model_, plain);
        for (std::size_t i = 0; i < paths.size(); ++i) {
            const std::string& path = paths[i];
            const Wanted& wanted = list[i];
            const std::vector<VariableIndex>& found = variables[i];
            if (found.empty())
                diagnostics_.report(
                    boundary_messages::open_unknown_name(path, nearest_path(model_, wanted.path)));
            for (VariableIndex v : found) {
                const auto parameter = wanted.kind == Kind::Parameter         ? open(v)
                                       : wanted.kind == Kind::DerivativeStart ? open_derivative_start(v)
                                                                              : open_start(v);
                if (!parameter) break;
                if (std::find(result.begin(), result.end(), *parameter) == result.end())
                    result.push_back(*parameter);
            }
        }
        if (diagnostics_.error_count() > errors_before) return {};
        remove_equations(model_, dropped_);
        mark_dependents(result);
        return result;
    }

  private:
    std::optional<VariableIndex> open(VariableIndex v) {
        Variable& variable = model_.variables[v];
        if (variable.variability == Variability::Parameter && !variable.free_parameter) {
            if (variable.structural ||
                std::find(model_.compared.begin(), model_.compared.end(), v) != model_.compared.end()) {
                diagnostics_.report(boundary_messages::open_shapes_model(model_, v));
                return std::nullopt;
            }
            return v;
        }
        const auto equation = input_equation_.find(v.value);
        if (equation == input_equation_.end() && !variable.top_input) {
            diagnostics_.report(boundary_messages::open_not_free(model_, v));
            return std::nullopt;
        }
        double value = 0;
        if (equation != input_equation_.end()) {
            value = value_at(model_, model_.equations[equation->second].right, time_).value_or(0);
            dropped_[equation->second.value] = true;
        } else if (variable.start) {
            value = value_at(model_, variable.start->value, time_).value_or(0);
        }
        variable.variability = Variability::Parameter;
        variable.start.reset();
        set(v, value);
        return v;
    }

    void set(VariableIndex v, double value) {
        model_.variables[v].binding = model_.pool->number(value);
        model_.variables[v].value = value;
    }

    VariableIndex add_parameter(VariableIndex of, const std::string& name, double value) {
        Variable p;
        p.name = name;
        p.origin = model_.variables[of].origin;
        p.variability = Variability::Parameter;
        p.declared = VariableKind::Parameter;
        p.internal = true;
        const VariableIndex parameter = model_.variables.add(std::move(p));
        set(parameter, value);
        return parameter;
    }

    std::optional<VariableIndex> open_start(VariableIndex v) {
        if (model_.variables[v].variability != Variability::Continuous) {
            diagnostics_.report(boundary_messages::open_not_started(model_, v));
            return std::nullopt;
        }
        const auto& start = model_.variables[v].start;
        const double value = start ? value_at(model_, start->value, time_).value_or(0) : 0;
        const VariableIndex parameter = add_parameter(v, model_.variables[v].name + "(0)", value);
        model_.variables[v].start = Start{model_.pool->variable(parameter), model_.variables[v].origin, true};
        return parameter;
    }

    std::optional<VariableIndex> open_derivative_start(VariableIndex v) {
        double value = 0;
        std::erase_if(model_.derivative_starts, [&](const DerivativeStart& s) {
            if (s.variable != v || s.order != 1) return false;
            value = value_at(model_, s.start.value, time_).value_or(0);
            return true;
        });
        const VariableIndex parameter =
            add_parameter(v, derivative_name(model_.variables[v].name) + "(0)", value);
        model_.derivative_starts.push_back(
            {v, 1, Start{model_.pool->variable(parameter), model_.variables[v].origin, true}});
        return parameter;
    }

    // What is computed from an open parameter has no fixed value either.
    void mark_dependents(const std::vector<VariableIndex>& opened) {
        if (opened.empty()) return;
        for (VariableIndex v : opened) model_.variables[v].adjustable = true;
        for (bool changed = true; changed;) {  // as often as bindings refer to later ones
            changed = false;
            for (Variable& p : model_.variables) {
                if (p.variability != Variability::Parameter || p.adjustable || !p.binding) continue;
                p.adjustable = depends_on(p.binding, [&](Expr leaf) {
                    return leaf->op == Op::Variable && model_.variables[leaf->variable()].adjustable;
                });
                changed = changed || p.adjustable;
            }
        }
    }

    FlatModel& model_;
    double time_;
    Diagnostics& diagnostics_;
    std::vector<bool> dropped_;  // by equation
    std::unordered_map<std::uint32_t, EquationIndex> input_equation_;
};

}  // namespace

std::vector<VariableIndex> inputs_of(const FlatModel& model) {
    std::vector<bool> is_input(model.variables.size(), false);
    for (const Equation& e : model.equations)
        if (e.kind == EquationKind::Input && e.left->op == Op::Variable && e.left->order == 0)
            is_input[e.left->index] = true;
    std::vector<VariableIndex> inputs;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        if (is_input[v.value] || (variable.top_input && variable.variability == Variability::Continuous))
            inputs.push_back(v);
    }
    return inputs;
}

std::vector<VariableIndex> leave_open(FlatModel& model, std::span<const std::string> paths, double time,
                                      Diagnostics& diagnostics) {
    return Opener(model, time, diagnostics).run(paths);
}

}  // namespace cutset
