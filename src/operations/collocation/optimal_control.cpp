#include "operations/collocation/optimal_control.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "operations/collocation/collocation_messages.h"
#include "operations/collocation/point_results.h"
#include "run/simulate.h"

namespace cutset {

namespace messages = collocation_messages;

bool check_smooth(const Partition& partition, const char* command, Diagnostics& diagnostics) {
    const FlatModel& model = partition.model;
    const std::size_t before = diagnostics.error_count();
    for (const WhenClause& when : model.whens) diagnostics.report(messages::has_when(model, when, command));
    if (model.whens.empty() && !partition.clocks.empty())
        diagnostics.report(messages::has_clock(model, command));
    if (!partition.delays.empty()) diagnostics.report(messages::has_delay(model, command));
    if (diagnostics.error_count() > before) return false;
    std::vector<const Switch*> switches;
    for (const Switch& s : partition.switches)
        if (!s.instant) switches.push_back(&s);
    if (!switches.empty()) diagnostics.report(messages::has_conditions(model, switches));
    if (!partition.selections.empty()) diagnostics.report(messages::chooses_states(command));
    return true;
}

namespace {

class MemorySink : public RowSink {
  public:
    std::optional<std::string> begin(const Columns& columns) override {
        result = Trajectory(columns);
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> values) override {
        result.append(values);
        return std::nullopt;
    }
    Trajectory result;
};

class ControlSolver {
  public:
    ControlSolver(std::shared_ptr<const Program> program, const ControlQuestion& question,
                  const ControlOptions& options, Diagnostics& diagnostics)
        : question_(question),
          options_(options),
          diagnostics_(diagnostics),
          program_(std::move(program)),
          functions_(program_, options.machine_code),
          second_(*program_),
          scheme_(radau_collocation(options.stages)),
          n_(functions_.states()) {}

    std::optional<ControlOutcome> run();

  private:
    bool set_up();
    bool set_bounds();
    bool set_start();
    bool make_guess();
    void set_scales();
    ControlSolution first_guess(const std::vector<double>& mesh) const;
    ControlSolution move_to(const ControlSolution& from, std::vector<double> mesh) const;
    void state_at(const ControlSolution& s, std::size_t interval, double tau, std::span<double> x,
                  std::span<double> rate) const;
    void open_at(const ControlSolution& s, std::size_t interval, double tau, std::span<double> open) const;
    double objective_size(const ControlSolution& s);
    std::vector<double> errors(const ControlSolution& s);
    void describe(const ControlTranscription& t, const OptimizerResult& found, ControlOutcome& outcome) const;
    void report(const ControlTranscription& t, const NonlinearProgram& nlp, const OptimizerResult& found);
    Trajectory results(const ControlSolution& s);
    void check_ranges(const Trajectory& result);

    std::string name(VariableIndex v) const { return functions_.model().path(v); }
    std::string state_name(std::size_t s) const { return name(functions_.state_variable(s)); }
    std::string open_name(std::size_t p) const { return name(program_->linearized->by[p]); }

    const ControlQuestion& question_;
    const ControlOptions& options_;
    Diagnostics& diagnostics_;
    std::shared_ptr<const Program> program_;
    ModelFunctions functions_;
    SecondDerivatives second_;
    CollocationScheme scheme_;
    std::size_t n_;
    ControlProblem problem_;
    Trajectory guess_;
};

double size_or_one(double size) {
    return size > 0 && std::isfinite(size) ? size : 1;
}

bool ControlSolver::set_bounds() {
    const FlatModel& model = functions_.model();
    problem_.inputs = question_.inputs;
    const std::size_t errors_before = diagnostics_.error_count();
    for (std::size_t p = 0; p < question_.open.size(); ++p) {
        const ControlQuestion::Open& said = question_.open[p];
        const Variable& variable = model.variables[program_->linearized->by[p]];
        const Interval range{said.lower ? *said.lower : variable.minimum.value_or(-unlimited),
                             said.upper ? *said.upper : variable.maximum.value_or(unlimited)};
        if (!(range.lower <= range.upper))
            diagnostics_.report(messages::bounds_contradict(open_name(p), range.lower, range.upper));
        double guess = 0;
        const double present = functions_.present_parameters()[p];
        if (said.guess)
            guess = *said.guess;
        else if (std::isfinite(range.lower) && std::isfinite(range.upper) && p < problem_.inputs)
            guess = (range.lower + range.upper) / 2;
        else
            guess = std::clamp(present, range.lower, std::max(range.lower, range.upper));
        problem_.open.push_back(range);
        problem_.guess.push_back(guess);
        double size = std::abs(guess);
        if (std::isfinite(range.lower) && std::isfinite(range.upper))
            size = std::max(size, (range.upper - range.lower) / 2);
        problem_.open_scale.push_back(size_or_one(variable.nominal.value_or(size)));
    }
    for (std::size_t s = 0; s < n_; ++s) {
        const VariableIndex v = functions_.state_variable(s);
        const Variable& variable = model.variables[v];
        Interval range{variable.minimum.value_or(-unlimited), variable.maximum.value_or(unlimited)};
        for (const ControlQuestion::Bound& b : question_.bounds)
            if (b.variable == v) range = b.range;
        if (!(range.lower <= range.upper))
            diagnostics_.report(messages::bounds_contradict(state_name(s), range.lower, range.upper));
        problem_.states.push_back(range);
    }
    problem_.start = question_.start;
    problem_.duration = question_.duration;
    if (!(problem_.duration.lower > 0) || !(problem_.duration.upper >= problem_.duration.lower) ||
        !std::isfinite(problem_.duration.lower))
        diagnostics_.report(messages::bad_duration(question_.duration.lower, question_.duration.upper));
    problem_.duration_guess = question_.duration_guess.value_or(
        std::isfinite(problem_.duration.upper) ? (problem_.duration.lower + problem_.duration.upper) / 2
                                               : 2 * problem_.duration.lower);
    if (problem_.duration.fixed()) problem_.duration_guess = problem_.duration.lower;
    problem_.objective = question_.objective;
    problem_.sign = question_.maximize ? -1 : 1;
    problem_.conditions = question_.conditions;
    return diagnostics_.error_count() == errors_before;
}

bool ControlSolver::set_start() {
    if (!functions_.set_parameters(problem_.guess) ||
        !functions_.start(problem_.start, diagnostics_, options_.allow_external)) {
        if (!diagnostics_.has_errors())
            if (const auto why = functions_.failure()) diagnostics_.report(messages::not_evaluated(*why));
        return false;
    }
    problem_.initial.assign(functions_.state().begin(), functions_.state().end());
    if (program_->linearized_start) {
        std::vector<double> matrix;
        if (functions_.linearize_start(matrix))
            problem_.start_depends = std::any_of(matrix.begin() + std::ptrdiff_t(n_ * problem_.inputs),
                                                 matrix.end(), [](double x) { return x != 0; });
    }
    if (problem_.start_depends) return true;
    const std::size_t errors_before = diagnostics_.error_count();
    for (std::size_t s = 0; s < n_; ++s) {
        const double x = problem_.initial[s], slack = 1e-9 * (1 + std::abs(x));
        if (x < problem_.states[s].lower - slack || x > problem_.states[s].upper + slack)
            diagnostics_.report(messages::start_outside(state_name(s), x, problem_.states[s].lower,
                                                        problem_.states[s].upper));
    }
    return diagnostics_.error_count() == errors_before;
}

bool ControlSolver::make_guess() {
    if (options_.guess) {
        guess_ = *options_.guess;
        for (std::size_t s = 0; s < n_; ++s)
            if (!functions_.model().variables[functions_.state_variable(s)].internal &&
                !guess_.find(state_name(s)))
                diagnostics_.report(messages::guess_without(state_name(s)));
        return true;
    }
    SimulateOptions run;
    run.start = problem_.start;
    run.stop = problem_.start + problem_.duration_guess;
    run.points = 501;
    run.tolerance = 1e-4;
    run.allow_external = options_.allow_external;
    run.interrupt = options_.optimizer.interrupt;
    for (std::size_t p = 0; p < problem_.guess.size(); ++p)
        run.given.emplace_back(program_->linearized->by[p], problem_.guess[p]);
    MemorySink sink;
    Diagnostics said;
    const RunSummary summary = simulate(*program_, run, sink, said);
    guess_ = std::move(sink.result);
    if (summary.outcome != RunOutcome::Finished) {
        std::string why;
        for (const Diagnostic& d : said.all())
            if (d.severity == Severity::Error && why.empty()) why = d.message;
        diagnostics_.report(messages::guess_incomplete(summary.time, run.stop, why));
    }
    return true;
}

void ControlSolver::set_scales() {
    for (std::size_t s = 0; s < n_; ++s) {
        const Variable& variable = functions_.model().variables[functions_.state_variable(s)];
        double size = std::abs(problem_.initial[s]);
        if (const auto column = guess_.find(state_name(s)))
            for (std::size_t row = 0; row < guess_.rows(); ++row)
                if (const double x = std::abs(guess_.value(*column, row)); x < 1e100)
                    size = std::max(size, x);
        problem_.scale.push_back(size_or_one(variable.nominal.value_or(size)));
    }
}

ControlSolution ControlSolver::first_guess(const std::vector<double>& mesh) const {
    ControlSolution result;
    result.mesh = mesh;
    result.stages = options_.stages;
    result.duration = problem_.duration_guess;
    result.parameters.assign(problem_.guess.begin() + std::ptrdiff_t(problem_.inputs), problem_.guess.end());
    std::vector<std::optional<ColumnIndex>> states, inputs;
    for (std::size_t s = 0; s < n_; ++s) states.push_back(guess_.find(state_name(s)));
    for (std::size_t p = 0; p < problem_.inputs; ++p)
        inputs.push_back(options_.guess ? guess_.find(open_name(p)) : std::nullopt);
    // A guess of another length is stretched.
    const bool rows = guess_.rows() > 1;
    const double first = rows ? guess_.time(0) : 0, last = rows ? guess_.time(guess_.rows() - 1) : 1;
    const bool stretch = options_.guess.has_value();
    const auto value = [&](const std::optional<ColumnIndex>& column, double fraction, double otherwise) {
        if (!column || !rows) return otherwise;
        const double t =
            stretch ? first + fraction * (last - first) : problem_.start + fraction * problem_.duration_guess;
        const double x = guess_.interpolate(*column, std::clamp(t, first, last));
        return std::isfinite(x) ? x : otherwise;
    };
    result.states = problem_.initial;
    for (std::size_t i = 0; i + 1 < mesh.size(); ++i)
        for (double tau : scheme_.points()) {
            const double fraction = mesh[i] + (mesh[i + 1] - mesh[i]) * tau;
            for (std::size_t s = 0; s < n_; ++s)
                result.states.push_back(value(states[s], fraction, problem_.initial[s]));
            for (std::size_t p = 0; p < problem_.inputs; ++p)
                result.inputs.push_back(value(inputs[p], fraction, problem_.guess[p]));
        }
    return result;
}

// Of the objective at the guess.
double ControlSolver::objective_size(const ControlSolution& s) {
    std::vector<double> x(n_), open(problem_.open.size());
    state_at(s, s.mesh.size() - 2, 1, x, {});
    open_at(s, s.mesh.size() - 2, 1, open);
    if (!functions_.set_parameters(open) || !functions_.evaluate(problem_.start + s.duration, x)) return 1;
    return size_or_one(std::abs(functions_.output(problem_.objective)));
}

// x and dx/dτ in an interval; `rate` may be empty.
void ControlSolver::state_at(const ControlSolution& s, std::size_t interval, double tau, std::span<double> x,
                             std::span<double> rate) const {
    std::vector<double> weight(s.stages + 1), slope(s.stages + 1);
    lagrange_values(scheme_.nodes, tau, weight);
    lagrange_derivatives(scheme_.nodes, tau, slope);
    std::fill(x.begin(), x.end(), 0);
    std::fill(rate.begin(), rate.end(), 0);
    for (std::size_t l = 0; l <= s.stages; ++l) {
        const double* const at = &s.states[(interval * s.stages + l) * n_];
        for (std::size_t i = 0; i < n_; ++i) {
            x[i] += weight[l] * at[i];
            if (!rate.empty()) rate[i] += slope[l] * at[i];
        }
    }
}

void ControlSolver::open_at(const ControlSolution& s, std::size_t interval, double tau,
                            std::span<double> open) const {
    const std::size_t m = problem_.inputs;
    std::vector<double> weight(s.stages);
    lagrange_values(scheme_.points(), tau, weight);
    for (std::size_t p = 0; p < m; ++p) {
        open[p] = 0;
        for (std::size_t k = 0; k < s.stages; ++k)
            open[p] += weight[k] * s.inputs[(interval * s.stages + k) * m + p];
        open[p] = std::clamp(open[p], problem_.open[p].lower, problem_.open[p].upper);
    }
    std::copy(s.parameters.begin(), s.parameters.end(), open.begin() + std::ptrdiff_t(m));
}

ControlSolution ControlSolver::move_to(const ControlSolution& from, std::vector<double> mesh) const {
    ControlSolution result;
    result.stages = from.stages;
    result.parameters = from.parameters;
    result.duration = from.duration;
    result.states.assign(from.states.begin(), from.states.begin() + std::ptrdiff_t(n_));
    std::vector<double> x(n_), open(problem_.open.size());
    std::size_t old = 0;
    for (std::size_t i = 0; i + 1 < mesh.size(); ++i)
        for (double tau : scheme_.points()) {
            const double fraction = mesh[i] + (mesh[i + 1] - mesh[i]) * tau;
            while (old + 2 < from.mesh.size() && (mesh[i] + mesh[i + 1]) / 2 > from.mesh[old + 1]) ++old;
            const double inside = (fraction - from.mesh[old]) / (from.mesh[old + 1] - from.mesh[old]);
            state_at(from, old, inside, x, {});
            open_at(from, old, inside, open);
            result.states.insert(result.states.end(), x.begin(), x.end());
            result.inputs.insert(result.inputs.end(), open.begin(),
                                 open.begin() + std::ptrdiff_t(problem_.inputs));
        }
    result.mesh = std::move(mesh);
    return result;
}

// By interval: ∫ |x' - f| over it, relative to the size of the states.
std::vector<double> ControlSolver::errors(const ControlSolution& s) {
    const CollocationScheme fine = gauss_collocation(s.stages + 2);
    std::vector<double> result, x(n_), rate(n_), open(problem_.open.size());
    std::vector<double> sizes = problem_.scale;
    for (std::size_t i = 0; i < s.states.size(); ++i)
        sizes[i % n_] = std::max(sizes[i % n_], std::abs(s.states[i]));
    for (std::size_t i = 0; i + 1 < s.mesh.size(); ++i) {
        const double h = (s.mesh[i + 1] - s.mesh[i]) * s.duration;
        std::vector<double> missed(n_, 0);
        bool good = true;
        for (std::size_t k = 0; k < fine.stages && good; ++k) {
            const double tau = fine.nodes[k + 1];
            state_at(s, i, tau, x, rate);
            open_at(s, i, tau, open);
            good = functions_.set_parameters(open) &&
                   functions_.evaluate(problem_.start + s.mesh[i] * s.duration + h * tau, x);
            for (std::size_t j = 0; j < n_ && good; ++j)
                missed[j] += fine.weights[k] * std::abs(rate[j] - h * functions_.derivatives()[j]);
        }
        double worst = good ? 0 : unlimited;
        for (std::size_t j = 0; j < n_ && good; ++j) worst = std::max(worst, missed[j] / sizes[j]);
        result.push_back(worst);
    }
    return result;
}

// Which conditions hold how, and what they cost.
void ControlSolver::describe(const ControlTranscription& t, const OptimizerResult& found,
                             ControlOutcome& outcome) const {
    outcome.conditions.resize(problem_.conditions.size());
    const auto multiplier = [&](std::size_t row) {
        // Of the objective as the modeller has it: d(optimum)/d(bound).
        return row < found.multipliers.size() ? -problem_.sign * found.multipliers[row] : 0;
    };
    const auto distance = [&](double value, const Interval& range) {
        return std::min(value - range.lower, range.upper - value);
    };
    const auto near = [](double distance, double value) { return distance <= 1e-6 * (1 + std::abs(value)); };
    const ControlSolution s = t.solution(found.x);
    for (std::size_t c = 0; c < t.end_conditions().size(); ++c) {
        ControlOutcome::Condition& result = outcome.conditions[t.end_conditions()[c]];
        result.value = found.constraints[t.end_row(c)];
        result.time = problem_.start + s.duration;
        result.multiplier = multiplier(t.end_row(c));
        result.active =
            near(distance(result.value, problem_.conditions[t.end_conditions()[c]].range), result.value);
    }
    for (std::size_t c = 0; c < t.path_conditions().size(); ++c) {
        ControlOutcome::Condition& result = outcome.conditions[t.path_conditions()[c]];
        const Interval& range = problem_.conditions[t.path_conditions()[c]].range;
        double nearest = unlimited;
        for (std::size_t i = 0; i < t.intervals(); ++i)
            for (std::size_t k = 1; k <= s.stages; ++k) {
                const double value = found.constraints[t.path_row(i, k, c)];
                result.multiplier += multiplier(t.path_row(i, k, c));
                if (distance(value, range) >= nearest) continue;
                nearest = distance(value, range);
                result.value = value;
                result.time = problem_.start + s.duration * t.time_fraction(i, k);
            }
        result.active = near(nearest, result.value);
    }
    while (!outcome.conditions.empty() && problem_.conditions[outcome.conditions.size() - 1].added)
        outcome.conditions.pop_back();
}

void ControlSolver::report(const ControlTranscription& t, const NonlinearProgram& nlp,
                           const OptimizerResult& found) {
    switch (found.status) {
        case OptimizerStatus::Solved:
        case OptimizerStatus::Acceptable:
            return;
        case OptimizerStatus::Infeasible: {
            struct Violated {
                double by;
                std::string text;
            };
            std::vector<Violated> list;
            const ControlSolution s = t.solution(found.x);
            const auto by = [&](std::size_t row) {
                const double value = found.constraints[row];
                return std::max({nlp.constraint_lower[row] - value, value - nlp.constraint_upper[row], 0.0});
            };
            for (std::size_t c = 0; c < t.end_conditions().size(); ++c)
                if (const double v = by(t.end_row(c)); v > 1e-6)
                    list.push_back({v, fmt::format("{} at the end: missed by {:.4g}",
                                                   problem_.conditions[t.end_conditions()[c]].text, v)});
            for (std::size_t c = 0; c < t.path_conditions().size(); ++c) {
                double worst = 0, time = 0;
                for (std::size_t i = 0; i < t.intervals(); ++i)
                    for (std::size_t k = 1; k <= s.stages; ++k)
                        if (const double v = by(t.path_row(i, k, c)); v > worst) {
                            worst = v;
                            time = problem_.start + s.duration * t.time_fraction(i, k);
                        }
                if (worst > 1e-6)
                    list.push_back(
                        {worst, fmt::format("{}: missed by {:.4g} at time {:.4g}",
                                            problem_.conditions[t.path_conditions()[c]].text, worst, time)});
            }
            std::vector<double> defects(n_, 0), times(n_, 0);
            for (std::size_t row = 0; row < t.defect_rows(); ++row)
                if (const double v = by(row); v > defects[row % n_]) {
                    defects[row % n_] = v;
                    const std::size_t point = row / n_;
                    times[row % n_] =
                        problem_.start + s.duration * t.time_fraction(point / s.stages, point % s.stages + 1);
                }
            for (std::size_t i = 0; i < n_; ++i)
                if (defects[i] > 1e-6 && !functions_.model().variables[functions_.state_variable(i)].internal)
                    list.push_back(
                        {defects[i], fmt::format("the equation of der({}): missed near time {:.4g}",
                                                 state_name(i), times[i])});
            std::stable_sort(list.begin(), list.end(),
                             [](const Violated& a, const Violated& b) { return a.by > b.by; });
            std::vector<std::string> texts;
            for (std::size_t i = 0; i < std::min<std::size_t>(list.size(), 6); ++i)
                texts.push_back(list[i].text);
            diagnostics_.report(messages::infeasible(texts));
            return;
        }
        case OptimizerStatus::Unbounded: {
            std::vector<std::string> without;
            for (std::size_t p = 0; p < problem_.open.size(); ++p)
                if (!std::isfinite(problem_.open[p].lower) || !std::isfinite(problem_.open[p].upper))
                    without.push_back(open_name(p));
            diagnostics_.report(messages::unbounded(without));
            return;
        }
        case OptimizerStatus::Interrupted:
            diagnostics_.report(messages::interrupted(found.message));
            return;
        case OptimizerStatus::Undefined:
            if (const auto why = functions_.failure()) {
                diagnostics_.report(messages::not_evaluated(*why));
                return;
            }
            [[fallthrough]];
        case OptimizerStatus::Limit:
        case OptimizerStatus::Failed:
            diagnostics_.report(messages::not_optimal(found.message, found.status == OptimizerStatus::Limit));
            return;
    }
}

Trajectory ControlSolver::results(const ControlSolution& s) {
    PointResults rows;
    const std::size_t intervals = s.mesh.size() - 1;
    const std::size_t parts = std::max<std::size_t>(4, (options_.points + intervals - 1) / intervals);
    std::vector<double> x(n_), open(problem_.open.size());
    for (std::size_t i = 0; i < intervals; ++i)
        for (std::size_t k = 0; k <= parts; ++k) {
            const double tau = double(k) / double(parts);
            const double at = k == parts ? s.mesh[i + 1] : s.mesh[i] + (s.mesh[i + 1] - s.mesh[i]) * tau;
            state_at(s, i, tau, x, {});
            open_at(s, i, tau, open);
            if (functions_.set_parameters(open) && functions_.evaluate(problem_.start + s.duration * at, x))
                rows.record(functions_);
        }
    return rows.finish();
}

// Declared ranges of variables that are neither states nor sought are not part of the problem.
void ControlSolver::check_ranges(const Trajectory& result) {
    const FlatModel& model = functions_.model();
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        if (variable.internal || variable.variability != Variability::Continuous) continue;
        if (!variable.minimum && !variable.maximum) continue;
        const auto column = result.find(model.path(v));
        if (!column) continue;
        double beyond = 0, value = 0, time = 0;
        bool below = false;
        for (std::size_t row = 0; row < result.rows(); ++row) {
            const double y = result.value(*column, row);
            const double low = variable.minimum ? *variable.minimum - y : 0;
            const double high = variable.maximum ? y - *variable.maximum : 0;
            if (std::max(low, high) <= beyond) continue;
            beyond = std::max(low, high);
            below = low > high;
            value = y;
            time = result.time(row);
        }
        const double bound = below ? variable.minimum.value_or(0) : variable.maximum.value_or(0);
        if (beyond > 1e-4 * (1 + std::abs(bound)))
            diagnostics_.report(messages::leaves_range(model.path(v), value, time, bound, below));
    }
}

bool ControlSolver::set_up() {
    if (n_ == 0) {
        diagnostics_.report(messages::no_states(functions_.model().name));
        return false;
    }
    if (!check_smooth(*program_->partition, "optimal control", diagnostics_)) return false;
    if (!set_bounds() || !set_start() || !make_guess()) return false;
    set_scales();
    return true;
}

std::optional<ControlOutcome> ControlSolver::run() {
    if (!set_up()) return std::nullopt;
    std::vector<double> mesh;
    for (std::size_t i = 0; i <= options_.intervals; ++i)
        mesh.push_back(double(i) / double(options_.intervals));
    ControlOutcome outcome;
    outcome.exact_hessian = options_.exact_hessian && second_.available();
    if (options_.exact_hessian && !second_.available()) diagnostics_.report(messages::approximate_hessian());
    ControlSolution guess = first_guess(mesh);
    const double guess_size = objective_size(guess);
    problem_.smoothing = options_.smoothing * guess_size;
    bool keep_new = false;
    double worst_time = 0;
    for (std::size_t round = 0;; ++round) {
        ControlTranscription transcription(functions_, &second_, problem_, options_.stages, mesh);
        const NonlinearProgram nlp = transcription.program(guess, outcome.exact_hessian);
        OptimizerOptions how = options_.optimizer;
        if (round > 0) how.settings.emplace_back("mu_init", "1e-4");
        // An objective that goes on growing is not followed to the end.
        const double far = 1e8 * (1 + guess_size);
        bool without_limit = false;
        how.progress = [&](const OptimizerProgress& p) {
            without_limit = p.objective < -far && p.iteration > 20;
            return !without_limit && (!options_.optimizer.progress || options_.optimizer.progress(p));
        };
        std::string problem;
        std::optional<OptimizerResult> found = optimize(nlp, how, problem);
        if (found && without_limit) found->status = OptimizerStatus::Unbounded;
        if (!found) {
            diagnostics_.report(messages::no_optimizer(problem));
            return std::nullopt;
        }
        const bool solved =
            found->status == OptimizerStatus::Solved || found->status == OptimizerStatus::Acceptable;
        // A finer mesh that fails does not take back what was found before.
        if (!solved && round > 0) break;
        const double smoothing = transcription.smoothing(found->x);
        ControlSolution solution = transcription.solution(found->x);
        std::vector<double> missed = errors(solution);
        const auto worst = std::max_element(missed.begin(), missed.end());
        const double objective = problem_.sign * (found->objective - smoothing);
        outcome.rounds.push_back({mesh.size() - 1, found->iterations, objective, *worst});
        // Where a jump of an input has moved between the points, the mesh before may have been the better
        // one.
        if (round > 0 && *worst > outcome.error && !keep_new) break;
        keep_new = false;
        outcome.status = found->status;
        outcome.message = found->message;
        outcome.objective = objective;
        outcome.violation = found->violation;
        outcome.stationarity = found->stationarity;
        outcome.solution = std::move(solution);
        outcome.error = *worst;
        worst_time = problem_.start + outcome.solution.duration *
                                          (mesh[std::size_t(worst - missed.begin())] +
                                           mesh[std::size_t(worst - missed.begin()) + 1]) /
                                          2;
        if (found->constraints.size() == nlp.constraint_count()) describe(transcription, *found, outcome);
        if (!solved) {
            report(transcription, nlp, *found);
            break;
        }
        // What keeps the inputs smooth must not count; a guess may have had a much larger objective.
        if (smoothing > 1e-5 * std::abs(objective) && outcome.rounds.size() < options_.rounds + 3) {
            problem_.smoothing *= 0.1 * 1e-5 * std::abs(objective) / smoothing;
            guess = outcome.solution;
            keep_new = true;
            continue;
        }
        problem_.smoothing = std::min(problem_.smoothing, options_.smoothing * std::abs(objective));
        if (outcome.error <= options_.tolerance || round >= options_.rounds) break;
        std::vector<double> finer =
            divide_mesh(mesh, interval_parts(missed, options_.tolerance, double(options_.stages) + 1, 4));
        if (finer.size() > options_.most_intervals + 1) break;
        guess = move_to(outcome.solution, finer);
        mesh = std::move(finer);
    }
    if (outcome.status == OptimizerStatus::Acceptable)
        diagnostics_.report(messages::only_acceptable(outcome.stationarity));
    const bool solved =
        outcome.status == OptimizerStatus::Solved || outcome.status == OptimizerStatus::Acceptable;
    if (solved && outcome.error > options_.tolerance)
        diagnostics_.report(messages::mesh_error(outcome.error, options_.tolerance, worst_time,
                                                 outcome.solution.mesh.size() - 1));
    outcome.trajectory = results(outcome.solution);
    check_ranges(outcome.trajectory);
    return outcome;
}

}  // namespace

std::optional<ControlOutcome> optimal_control(std::shared_ptr<const Program> program,
                                              const ControlQuestion& question, const ControlOptions& options,
                                              Diagnostics& diagnostics) {
    return ControlSolver(std::move(program), question, options, diagnostics).run();
}

}  // namespace cutset
