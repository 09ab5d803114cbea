// What the integrator asks for: derivatives, crossings, the Jacobian, tolerances.
#include <algorithm>
#include <numbers>
#include <vector>

#include "base/finite.h"
#include "run/run_messages.h"
#include "run/simulation.h"
#include "run/step_limit.h"

namespace cutset {

// The continuous equations at a point that the integrator tries.
bool Simulation::try_continuous(double t, std::span<const double> x) {
    at_crossings_ = false;
    loops_.set_robust(false);
    main_[layout_.time] = t;
    set_states(main_, x);
    main_.clear_error();
    return run_continuous();
}

// Nothing but the equations as they stand decides about the derivatives: no sliding, no choice of branches.
bool Simulation::plain() const {
    return !whole_ && sliding_list_.empty() && branch_switches_.empty();
}

std::span<const double> Simulation::rates_found() const {
    return main_.values().subspan(layout_.derivative.empty() ? 0 : layout_.derivative[0],
                                  layout_.derivative.size());
}

// The part of the continuous equations that the integrator needs; false when it fails or gives a value that
// is not finite, which only the whole can judge.
bool Simulation::try_rates(const Section& section, double t, std::span<const double> x) {
    at_rates_ = equations_known_ = false;
    loops_.set_robust(false);
    main_[layout_.time] = t;
    set_states(main_, x);
    main_.clear_error();
    if (!main_.run(section)) return false;
    return &section != &program_.rates || all_finite(rates_found());
}

// The elements of the Jacobian at a point; one that is not finite counts as zero: the iteration then finds
// its way with the others, or the step becomes shorter.
int Simulation::jacobian(double t, std::span<const double> x, std::span<double> values) {
    at_crossings_ = false;
    whole_ = !residuals_.empty();
    if (whole_) main_.set_hooks({&residuals_, &delays_, options_.allow_external});
    // Most often they have just been asked for.
    const bool known = at_rates_ && time() == t && states_are(x);
    const bool ran =
        known || (plain() ? try_rates(program_.rates, t, x) || try_continuous(t, x) : try_continuous(t, x));
    at_rates_ = false;
    if (whole_) main_.set_hooks({&loops_, &delays_, options_.allow_external});
    whole_ = false;
    if (!ran || !main_.run(program_.jacobian->section)) return 1;
    const auto& entries = program_.jacobian->entries;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double value = main_[entries[i].slot];
        values[i] = std::isfinite(value) ? value : 0;
    }
    return 0;
}

std::optional<IvpJacobian> Simulation::ivp_jacobian() {
    if (!program_.jacobian) return std::nullopt;
    const RateJacobian& from = *program_.jacobian;
    IvpJacobian j;
    j.intermediates = from.columns - layout_.state.size() - residuals_.unknowns().size();
    j.computed = from.computed;
    j.pattern.rows = j.pattern.columns = from.columns;
    j.pattern.starts.assign(from.columns + 1, 0);
    for (const JacobianEntry& e : from.entries) {
        ++j.pattern.starts[e.column + 1];
        j.pattern.row.push_back(e.row);
    }
    for (std::size_t i = 0; i < from.columns; ++i) j.pattern.starts[i + 1] += j.pattern.starts[i];
    j.constant = from.constant();
    j.evaluate = [this](double t, std::span<const double> x, std::span<const double>,
                        std::span<double> values) { return jacobian(t, x, values); };
    // Mixtures of sliding switches depend on the states in a way that no formula has.
    j.valid = [this] { return sliding_list_.empty(); };
    return j;
}

int Simulation::derivatives(double t, std::span<const double> x, std::span<double> dx) {
    at_crossings_ = false;
    // Mixtures of sliding switches need the loops solved: then z - z(t, x) takes the place of their
    // residuals.
    whole_ = !residuals_.empty() && sliding_list_.empty();
    if (whole_) main_.set_hooks({&residuals_, &delays_, options_.allow_external});
    loops_.set_brief(true);
    bool rates = false;  // they are in dx, and finite
    if (plain()) {
        at_rates_ = equations_known_ = false;
        loops_.set_robust(false);
        main_[layout_.time] = t;
        set_states(main_, x);
        main_.clear_error();
        rates = main_.run(program_.rates) && copy_finite(rates_found(), dx.data());
    }
    loops_.set_brief(false);
    const bool ran = rates || try_continuous(t, x);
    const bool whole = whole_;
    if (whole_) main_.set_hooks({&loops_, &delays_, options_.allow_external});
    whole_ = false;
    if (!ran) {
        if (main_.error() && main_.error()->code != "table-range") {
            stop_now_ = true;
            return -1;
        }
        bad_time_ = t;
        bad_states_.assign(x.begin(), x.end());
        return 1;
    }
    const std::size_t n = layout_.derivative.size();
    bool finite = rates || copy_finite(rates_found(), dx.data());
    for (std::size_t i = n; i < dx.size(); ++i)
        dx[i] = whole ? residuals_.values()[i - n] : x[i] - main_[residuals_.unknowns()[i - n]];
    at_rates_ = rates && program_.loops.empty();
    finite = finite && all_finite(dx.subspan(n));
    if (!finite) {
        bad_time_ = t;
        bad_states_.assign(x.begin(), x.end());
    }
    return finite ? 0 : 1;
}

// Short enough for what happens meanwhile to be seen.
double Simulation::default_max_step() {
    double step = (options_.stop - options_.start) / fewest_steps(partition_);
    const Environment values = start_environment();
    for (Expr frequency : frequencies(partition_))
        if (const auto omega = cutset::evaluate(frequency, values);
            omega && *omega != 0 && std::isfinite(*omega))
            step =
                std::min(step, 2 * std::numbers::pi / std::abs(*omega) / fewest_steps_of_period(partition_));
    return step;
}

IvpProblem Simulation::problem() {
    IvpProblem p;
    p.measure_times = options_.measure_times;
    if (options_.measure_times && options_.machine_code)
        p.waited = [code = options_.machine_code.get()] { return code->waited(); };
    p.algebraic = residuals_.unknowns().size();
    p.n = layout_.state.size() + p.algebraic;
    p.rhs = [this](double t, std::span<const double> x, std::span<double> dx) {
        return derivatives(t, x, dx);
    };
    p.rhs_is_finite = true;
    p.roots = state_switches_.size();
    p.root_functions = [this](double t, std::span<const double> x, std::span<double> g) {
        return crossings(t, x, g);
    };
    p.jacobian = ivp_jacobian();
    // The integrator bounds the error of one step; over a run errors add up, in oscillations without damping
    // to hundreds of them, those of methods with memory more than others. The user's tolerance is about the
    // result.
    const bool one_step = options_.solver == Solver::Dopri || options_.solver == Solver::Radau;
    double share = one_step ? 0.01 : 0.003;
    // Constraints without damping: errors of a phase grow with the square of the time, and a state counts for
    // several variables.
    if (!selector_.empty()) share *= 0.03;
    const double local = options_.local_tolerance.value_or(
        std::min(options_.tolerance, std::max(share * options_.tolerance, 1e-13)));
    p.relative_tolerance = local;
    smallest_crossing_ = local;
    loops_.set_tolerance(local);
    p.absolute_tolerance.clear();
    scales_.resize(partition_.states.size(), 0);
    for (std::size_t i = 0; i < partition_.states.size(); ++i) {
        const VariableIndex v = partition_.states[i];
        const Variable& variable = model_.variables[selector_.stands_for(v)];
        double scale = 1;
        if (variable.nominal) {
            scale = std::abs(*variable.nominal);
        } else if (variable.minimum && variable.maximum) {
            scale = std::max(std::abs(*variable.minimum), std::abs(*variable.maximum));
        } else if ((variable.start || is_start_given(v)) && main_[layout_.variable[v.value]] != 0) {
            scale = std::abs(main_[layout_.variable[v.value]]);
        }
        if (!(scale > 0) || !std::isfinite(scale)) scale = 1;
        if (scales_[i] > 0) scale = scales_[i];  // a run that goes on: as at its start
        scales_[i] = scale;
        p.absolute_tolerance.push_back(options_.absolute ? *options_.absolute : local * scale);
    }
    // A derivative is as large as its state over the shortest time that matters; and it needs no accuracy of
    // its own, its state has it.
    const double short_time = 1e-4 * (options_.stop - options_.start);
    for (std::size_t i = 0; i < residuals_.nominals().size(); ++i)
        p.absolute_tolerance.push_back(local * residuals_.nominals()[i] *
                                       (residuals_.orders()[i] > 0 ? std::max(1.0, 1 / short_time) : 1.0));
    if (p.absolute_tolerance.empty()) p.absolute_tolerance = {local};
    for (const auto slot : layout_.delay_durations)
        if (main_[slot] > 0) p.max_step = std::min(p.max_step, main_[slot]);
    p.max_step = std::min(p.max_step, options_.max_step ? *options_.max_step : default_max_step());
    if (!(p.max_step > 0)) p.max_step = 1;  // a run of no length
    p.interrupt = options_.interrupt;
    p.step_control = options_.step_control;
    p.fixed_step = options_.step_size;
    p.tried_step = options_.tried_step;
    return p;
}

}  // namespace cutset
