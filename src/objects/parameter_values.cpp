#include "objects/parameter_values.h"

#include <cmath>
#include <vector>

#include "flat/function_value.h"
#include "objects/instance_messages.h"
#include "objects/instance_tree.h"

namespace cutset::objects {

namespace {

class ParameterEvaluation {
  public:
    ParameterEvaluation(FlatModel& model, Diagnostics& diagnostics)
        : model_(model), diagnostics_(diagnostics), progress_(model.variables.size(), Progress::New) {
        environment_.leaf = [this](Expr leaf) -> std::optional<double> {
            if (leaf->op != Op::Variable || leaf->order != 0) return std::nullopt;
            if (progress_[leaf->index] != Progress::Done) return std::nullopt;
            return model_.variables[leaf->variable()].value;
        };
        environment_.apply = [this](Expr apply, std::span<const double> arguments) {
            return function_value(model_, apply->callee(), apply->order, arguments);
        };
    }

    void run() {
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value) {
            const Variable& p = model_.variables[v];
            if (p.variability == Variability::Parameter && p.binding) resolve(v);
        }
    }

  private:
    // What a value depends on comes first.
    void resolve(VariableIndex first) {
        std::vector<VariableIndex> open{first};
        while (!open.empty()) {
            const VariableIndex v = open.back();
            Progress& now = progress_[v.value];
            if (now == Progress::Done || now == Progress::Failed) {
                open.pop_back();
                continue;
            }
            if (now == Progress::Active) {
                open.pop_back();
                evaluate_one(v);
                continue;
            }
            now = Progress::Active;
            for_each_leaf(model_.variables[v].binding, [&](Expr leaf) {
                if (leaf->op != Op::Variable || leaf->order != 0) return;
                const Variable& of = model_.variables[leaf->variable()];
                if (of.variability != Variability::Parameter || !of.binding) return;
                if (progress_[leaf->index] == Progress::New) open.push_back(leaf->variable());
                if (progress_[leaf->index] == Progress::Active) report_cycle(v);
            });
        }
    }

    void report_cycle(VariableIndex v) {
        Diagnostic d = messages::value_cycle(model_.variables[v].origin.where, model_.path(v));
        d.submodel = model_.path(model_.variables[v].origin.instance);
        diagnostics_.report(std::move(d));
        progress_[v.value] = Progress::Failed;
    }

    void evaluate_one(VariableIndex v) {
        Variable& p = model_.variables[v];
        bool known = true;
        for_each_leaf(p.binding, [&](Expr leaf) {
            if (leaf->op != Op::Variable) return;
            if (model_.variables[leaf->variable()].free_parameter) p.free_parameter = true;
            if (progress_[leaf->index] == Progress::Failed) known = false;
        });
        progress_[v.value] = Progress::Failed;
        if (p.free_parameter) {
            p.variability = Variability::Discrete;
            model_.initial_equations.add(
                {model_.pool->variable(v), p.binding, p.origin, EquationKind::Written});
            p.binding = nullptr;
            return;
        }
        if (!known) return;
        const auto value = evaluate(p.binding, environment_);
        if (!value || !std::isfinite(*value)) {
            Diagnostic d =
                messages::not_finite(p.origin.where, model_.path(v), to_text(p.binding, model_.printer()));
            d.submodel = model_.path(p.origin.instance);
            diagnostics_.report(std::move(d));
            return;
        }
        p.value = *value;
        progress_[v.value] = Progress::Done;
    }

    FlatModel& model_;
    Diagnostics& diagnostics_;
    std::vector<Progress> progress_;
    Environment environment_;
};

}  // namespace

void evaluate_parameters(FlatModel& model, Diagnostics& diagnostics) {
    ParameterEvaluation(model, diagnostics).run();
}

}  // namespace cutset::objects
