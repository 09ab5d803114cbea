#include "operations/ensembles/parametric_runs.h"

#include <algorithm>
#include <cmath>

#include "ir/find_variables.h"
#include "native/code_store.h"
#include "native/messages.h"
#include "operations/sensitivity/adjoint_sensitivity.h"
#include "run/equilibrium.h"
#include "run/run_parts.h"
#include "run/trajectory_sink.h"
#include "transform/leave_open.h"
#include "translate/translator.h"

namespace cutset {

namespace {

constexpr std::size_t rows_of_plain_runs = 2001;
constexpr int most_continuations = 40;  // steps from one equilibrium to another
constexpr const char* equations_change = "the equations change during the run";

std::string first_error(const Diagnostics& diagnostics) {
    for (const Diagnostic& d : diagnostics.all())
        if (d.severity == Severity::Error) return d.message;
    return "the run did not come to its end";
}

double size_of(const OpenParameter& p, double value) {
    if (value != 0) return std::abs(value);
    if (p.nominal && *p.nominal != 0) return std::abs(*p.nominal);
    if (p.minimum && p.maximum && *p.maximum > *p.minimum) return *p.maximum - *p.minimum;
    return 1;
}

}  // namespace

std::unique_ptr<ParametricRuns> ParametricRuns::make(Workspace& workspace,
                                                     const ParametricSettings& settings) {
    std::optional<FlatModel> flat =
        Translator(workspace).flatten(settings.model, settings.experiment, workspace.diagnostics);
    if (!flat) return nullptr;
    auto result = std::make_unique<ParametricRuns>();
    result->settings_ = settings;
    result->workspace_ = &workspace;
    const std::vector<VariableIndex> inputs = inputs_of(*flat);
    std::vector<std::string> paths;
    for (std::string path : settings.open) {
        path = plain_path(path);
        // A variable of the motion stands for its initial value.
        const std::vector<VariableIndex> found = find_variables(*flat, path);
        if (!found.empty() && flat->variables[found[0]].variability == Variability::Continuous &&
            std::find(inputs.begin(), inputs.end(), found[0]) == inputs.end()) {
            bool moves = false;
            for (const Equation& e : flat->equations)
                for (Expr side : {e.left, e.right})
                    for_each_leaf(side, [&](Expr leaf) {
                        moves = moves ||
                                (leaf->op == Op::Variable && leaf->order > 0 && leaf->variable() == found[0]);
                    });
            if (moves) path += "(0)";
        }
        paths.push_back(path);
    }
    const std::size_t errors = workspace.diagnostics.error_count();
    result->open_ = leave_open(*flat, paths, settings.run.start, workspace.diagnostics);
    if (workspace.diagnostics.error_count() > errors) return nullptr;
    for (VariableIndex v : result->open_) {
        const Variable& variable = flat->variables[v];
        OpenParameter p;
        p.path = flat->path(v);
        p.value = variable.value;
        p.unit = variable.unit;
        p.minimum = variable.minimum;
        p.maximum = variable.maximum;
        p.nominal = variable.nominal;
        if (std::find(inputs.begin(), inputs.end(), v) != inputs.end()) {
            p.kind = OpenParameter::Kind::Input;
        } else if (variable.internal && p.path.ends_with("(0)")) {
            p.kind = OpenParameter::Kind::Initial;
            p.variable = p.path.substr(0, p.path.size() - 3);
        }
        result->parameters_.push_back(std::move(p));
    }
    const bool rests = settings.start_only && settings.transform.initial == InitialMode::Steady;
    if (!result->translate(*flat, workspace.diagnostics)) return nullptr;
    if (rests) {
        result->at_rest_ = std::move(*flat);
        result->come_to_rest(result->present_values(), true);
    }
    return result;
}

// The Program of the model, with the initial values that it has.
bool ParametricRuns::translate(const FlatModel& model, Diagnostics& diagnostics) {
    const auto translation =
        cutset::translate(model, {settings_.transform, JacobianKind::States, open_, {}}, diagnostics);
    if (!translation) return false;
    program_ = translation->program;
    std::string problem;
    machine_code_ = NativeEngine::make(*program_, settings_.engine, problem, CodeStore::open());
    if (!problem.empty()) diagnostics.report(native_messages::no_machine_code(problem));
    return true;
}

// The equilibrium that the motion from the initial values leads to becomes the initial state. False: none
// found.
bool ParametricRuns::come_to_rest(std::span<const double> values, bool prefer_stable) {
    const SimulateOptions options = options_for(values);
    const std::optional<Equilibrium> found = initialize_run(*program_, options);
    if (found && (!prefer_stable || found->growth == 0 ||
                  is_near_initial_values(*program_->partition, found->values))) {
        rest_for_.assign(values.begin(), values.end());
        return true;
    }
    Diagnostics quiet;
    TransformOptions moving = settings_.transform;
    moving.initial = InitialMode::Given;
    const auto motion = cutset::translate(*at_rest_, {moving, JacobianKind::None, open_, {}}, quiet);
    if (!motion) return found.has_value();
    SimulateOptions interpreted = options;
    interpreted.machine_code.reset();
    const std::optional<Equilibrium> rest = find_equilibrium(*motion->program, interpreted);
    if (!rest || (found && rest->growth > 0)) return found.has_value();
    return start_from(rest->values, values) || found.has_value();
}

// Another initial state, if there is an equilibrium for these values near it.
bool ParametricRuns::start_from(std::span<const double> variables, std::span<const double> values) {
    FlatModel before = *at_rest_;
    const auto program_before = program_;
    const auto code_before = machine_code_;
    for (VariableIndex v(0); v < at_rest_->variables.end_index(); ++v.value) {
        Variable& variable = at_rest_->variables[v];
        if (variable.variability != Variability::Continuous || variable.is_boolean()) continue;
        const Origin origin = variable.start ? variable.start->origin : variable.origin;
        variable.start = Start{at_rest_->pool->number(variables[v.value]), origin};
    }
    Diagnostics quiet;
    if (translate(*at_rest_, quiet) && initialize_run(*program_, options_for(values))) {
        rest_for_.assign(values.begin(), values.end());
        return true;
    }
    at_rest_ = std::move(before);
    program_ = program_before;
    machine_code_ = code_before;
    return false;
}

// From the values of the last equilibrium to these, in steps as long as they succeed.
bool ParametricRuns::follow_rest(std::span<const double> values) {
    if (come_to_rest(values, false)) return true;
    if (rest_for_.empty()) return false;
    const std::vector<double> from = rest_for_;
    double reached = 0, step = 0.5;
    for (int tries = 0; tries < most_continuations && reached < 1; ++tries) {
        const double next = std::min(1.0, reached + step);
        std::vector<double> between(values.size());
        for (std::size_t i = 0; i < values.size(); ++i) between[i] = from[i] + next * (values[i] - from[i]);
        const std::optional<Equilibrium> rest = initialize_run(*program_, options_for(between));
        if (rest && start_from(rest->values, between)) {
            reached = next;
            step *= 2;
        } else if ((step /= 4) < 1e-3) {
            return false;
        }
    }
    return reached >= 1;
}

std::vector<double> ParametricRuns::present_values() const {
    std::vector<double> values;
    for (const OpenParameter& p : parameters_) values.push_back(p.value);
    return values;
}

std::vector<VariableIndex> ParametricRuns::find(const std::string& path) const {
    if (path.starts_with('#'))  // a quantity of the experiment
        for (VariableIndex v(0); v < model().variables.end_index(); ++v.value)
            if (model().variables[v].name == path) return {v};
    return find_variables(model(), plain_path(path));
}

std::string ParametricRuns::nearest(const std::string& path) const {
    return nearest_path(model(), plain_path(path));
}

SimulateOptions ParametricRuns::options_for(std::span<const double> values) const {
    SimulateOptions options = settings_.run;
    options.machine_code = machine_code_;
    options.given.clear();
    for (std::size_t i = 0; i < open_.size(); ++i) options.given.emplace_back(open_[i], values[i]);
    if (settings_.start_only) options.stop = options.start;
    options.points = 2;
    options.step.reset();
    options.every_step = false;
    options.states_only = true;
    options.internal_columns = true;
    return options;
}

void ParametricRuns::ignore_interrupt() {
    settings_.run.interrupt = nullptr;
    if (ensemble_) ensemble_->ignore_interrupt();
}

RunSummary ParametricRuns::simulate(std::span<const double> values, RowSink& sink, Diagnostics& diagnostics) {
    if (ensemble_) return ensemble_->run(values, sink, diagnostics).summary;
    SimulateOptions options = options_for(values);
    options.points = settings_.run.points;
    options.step = settings_.run.step;
    options.states_only = settings_.run.states_only;
    return cutset::simulate(*program_, options, sink, diagnostics);
}

ParametricRuns::Outcome ParametricRuns::run(std::span<const double> values,
                                            const std::vector<VariableIndex>& outputs,
                                            const std::vector<double>& times, Derivatives derivatives) {
    if (plain_) {
        return derivatives == Derivatives::None ? run_plainly(values, outputs, times)
                                                : differences(values, outputs, times);
    }
    if (!inexact_.empty() && derivatives != Derivatives::None) return differences(values, outputs, times);
    if (derivatives == Derivatives::Adjoint && !no_adjoint_.empty()) derivatives = Derivatives::Forward;
    const Layout& layout = program_->layout;
    SensitivitySettings settings;
    settings.tolerance = settings_.run.tolerance;
    settings.allow_external = settings_.run.allow_external;
    settings.machine_code = machine_code_;
    settings.interrupt = settings_.run.interrupt;
    std::vector<SensitivityParameter> by;
    for (std::size_t i = 0; i < open_.size() && derivatives != Derivatives::None; ++i)
        by.push_back({{layout.variable[open_[i].value]}, size_of(parameters_[i], values[i])});
    std::vector<Slot> slots;
    for (VariableIndex v : outputs) slots.push_back(layout.variable[v.value]);

    SimulateOptions options = options_for(values);
    NoRows sink;
    Outcome outcome;
    last_ = {};
    ++runs_;
    double reached = 0;
    const auto simulated = [&](RunObserver& observer) {
        options.observer = &observer;
        const RunSummary summary = cutset::simulate(*program_, options, sink, last_);
        outcome.good = summary.outcome == RunOutcome::Finished || summary.outcome == RunOutcome::Terminated;
        reached = summary.time;
        if (summary.needs_mode) {
            outcome.problem = equations_change;
            return false;
        }
        if (summary.outcome == RunOutcome::Interrupted) outcome.problem = "interrupted";
        if (summary.outcome == RunOutcome::Failed) outcome.problem = first_error(last_);
        return outcome.good;
    };
    // Equilibria are followed from one set of values to the next.
    const auto no_rest_near = [&] {
        return at_rest_ && !ensemble_ && !outcome.good && outcome.problem != "interrupted" && !following_;
    };
    const auto again = [&] {
        following_ = true;
        const bool found = follow_rest(values);
        Outcome second = found ? run(values, outputs, times, derivatives) : outcome;
        following_ = false;
        return second;
    };
    if (derivatives == Derivatives::Adjoint) {
        AdjointSensitivities adjoint(*program_, settings, by);
        if (!simulated(adjoint)) {
            if (no_rest_near()) return again();
            return outcome.problem == equations_change && use_ensemble()
                       ? run(values, outputs, times, derivatives)
                       : outcome;
        }
        outcome.end.time = reached;
        outcome.end.values.resize(slots.size());
        outcome.end.derivatives.resize(slots.size() * by.size());
        bool good = true;
        for (std::size_t k = 0; k < slots.size() && good; ++k) {
            good = adjoint.gradient(slots[k],
                                    std::span(outcome.end.derivatives).subspan(k * by.size(), by.size()));
            if (good) outcome.end.values[k] = adjoint.value(slots[k]);
        }
        if (good) return outcome;
        no_adjoint_ = adjoint.problem();
        return run(values, outputs, times, Derivatives::Forward);
    }
    ForwardSensitivities forward(*program_, settings, by, slots, times);
    if (!simulated(forward)) {
        if (no_rest_near()) return again();
        return outcome.problem == equations_change && use_ensemble()
                   ? run(values, outputs, times, derivatives)
                   : outcome;
    }
    if (at_rest_ && !following_) rest_for_.assign(values.begin(), values.end());
    if (forward.finish()) {
        outcome.rows = forward.rows();
        outcome.end = forward.end();
        return outcome;
    }
    if (forward.problem() == "interrupted") {
        outcome.good = false;
        outcome.problem = forward.problem();
        return outcome;
    }
    if (derivatives == Derivatives::None) {
        plain_ = true;
        return run_plainly(values, outputs, times);
    }
    inexact_ = forward.problem();
    jumps_ = forward.jumps();
    return differences(values, outputs, times);
}

// From now on every run has a translation of its own. False when that is not possible.
bool ParametricRuns::use_ensemble() {
    if (ensemble_) return false;
    std::vector<VariedQuantity> varied;
    for (const OpenParameter& p : parameters_) {
        if (p.kind == OpenParameter::Kind::Input) return false;
        const bool initial = p.kind == OpenParameter::Kind::Initial;
        varied.push_back({initial ? p.variable : p.path, initial});
    }
    SimulateOptions options = settings_.run;
    if (settings_.start_only) options.stop = options.start;
    options.points = rows_of_plain_runs;
    options.step.reset();
    options.every_step = false;
    options.internal_columns = true;
    ensemble_ = std::make_unique<Ensemble>(*workspace_, settings_.model, settings_.experiment,
                                           settings_.transform, options, settings_.engine, std::move(varied));
    plain_ = true;
    inexact_ = equations_change;
    return true;
}

// By rows of a result, which every run has.
ParametricRuns::Outcome ParametricRuns::run_plainly(std::span<const double> values,
                                                    const std::vector<VariableIndex>& outputs,
                                                    const std::vector<double>& times) {
    Outcome outcome;
    SimulateOptions options = options_for(values);
    options.states_only = false;
    options.points = times.empty() ? 2 : std::max(rows_of_plain_runs, 4 * times.size());
    TrajectorySink sink;
    last_ = {};
    ++runs_;
    RunSummary summary;
    if (ensemble_) {
        Ensemble::Case one = ensemble_->run(values, sink, last_);
        if (one.summary.needs_mode) one = ensemble_->run(values, sink, last_);
        summary = one.summary;
    } else {
        summary = cutset::simulate(*program_, options, sink, last_);
    }
    outcome.good = summary.outcome == RunOutcome::Finished || summary.outcome == RunOutcome::Terminated;
    if (summary.needs_mode && use_ensemble()) return run_plainly(values, outputs, times);
    if (!outcome.good) {
        outcome.problem = summary.needs_mode ? equations_change : first_error(last_);
        return outcome;
    }
    std::vector<std::optional<ColumnIndex>> columns;
    for (VariableIndex v : outputs) columns.push_back(sink.kept.find(model().path(v)));
    const auto row_at = [&](double t) {
        SensitivityRow row;
        row.time = t;
        for (const auto& column : columns)
            row.values.push_back(column ? sink.kept.interpolate(*column, t, Side::Before)
                                        : std::numeric_limits<double>::quiet_NaN());
        return row;
    };
    const double reached = sink.kept.time(sink.kept.rows() - 1);
    for (double t : times)
        if (t <= reached) outcome.rows.push_back(row_at(t));
    outcome.end = row_at(reached);
    for (std::size_t k = 0; k < columns.size(); ++k)
        if (columns[k]) outcome.end.values[k] = sink.kept.value(*columns[k], sink.kept.rows() - 1);
    return outcome;
}

// Central difference quotients of runs.
ParametricRuns::Outcome ParametricRuns::differences(std::span<const double> values,
                                                    const std::vector<VariableIndex>& outputs,
                                                    const std::vector<double>& times) {
    Outcome outcome = run(values, outputs, times, Derivatives::None);
    if (!outcome.good) return outcome;
    const std::size_t n = open_.size();
    const auto prepare = [&](SensitivityRow& row) { row.derivatives.assign(outputs.size() * n, 0); };
    for (SensitivityRow& row : outcome.rows) prepare(row);
    prepare(outcome.end);
    std::vector<double> moved(values.begin(), values.end());
    for (std::size_t j = 0; j < n; ++j) {
        const double h =
            std::cbrt(std::max(settings_.run.tolerance, 1e-12)) * size_of(parameters_[j], values[j]);
        moved[j] = values[j] + h;
        const Outcome above = run(moved, outputs, times, Derivatives::None);
        moved[j] = values[j] - h;
        const Outcome below = run(moved, outputs, times, Derivatives::None);
        moved[j] = values[j];
        const auto quotient = [&](SensitivityRow& row, const SensitivityRow& a, const SensitivityRow& b) {
            for (std::size_t k = 0; k < outputs.size(); ++k)
                row.derivatives[k * n + j] = (a.values[k] - b.values[k]) / (2 * h);
        };
        // Beside where a run fails: from the middle to the other side.
        if (above.good && below.good) {
            for (std::size_t r = 0; r < outcome.rows.size(); ++r)
                if (r < above.rows.size() && r < below.rows.size())
                    quotient(outcome.rows[r], above.rows[r], below.rows[r]);
            quotient(outcome.end, above.end, below.end);
        } else if (above.good || below.good) {
            const Outcome& other = above.good ? above : below;
            const double sign = above.good ? 2 : -2;
            const auto half = [&](SensitivityRow& row, const SensitivityRow& a) {
                for (std::size_t k = 0; k < outputs.size(); ++k)
                    row.derivatives[k * n + j] = sign * (a.values[k] - row.values[k]) / (2 * h);
            };
            for (std::size_t r = 0; r < std::min(outcome.rows.size(), other.rows.size()); ++r)
                half(outcome.rows[r], other.rows[r]);
            half(outcome.end, other.end);
        } else {
            outcome.good = false;
            outcome.problem = above.problem;
            return outcome;
        }
    }
    return outcome;
}

}  // namespace cutset
