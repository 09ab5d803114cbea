// Rest positions (rest.h).
#include <algorithm>
#include <cmath>

#include "numerics/linear/eigenvalues.h"
#include "run/equilibrium.h"
#include "run/simulation.h"

namespace cutset {

namespace {

constexpr std::size_t most_rest_states = 600;  // the matrix is dense
constexpr std::size_t most_rest_steps = 600, fewest_rest_steps = 60;
constexpr std::size_t most_work = 30'000;  // steps times states, between those limits
constexpr int most_disturbances = 4;
constexpr double longest_change = 0.2;    // of a state in one step, in units of its size
constexpr double smallest_change = 1e-9;  // at rest
constexpr double growth_of_step = 2;
constexpr double disturbance = 0.02;     // of a state that stands on a point it can fall from
constexpr double near_by = 0.3;          // of the size of a variable: a point is the one meant by a start
constexpr double visible_growth = 1e-4;  // of an eigenvalue in units of the largest: more than its rounding

}  // namespace

bool Simulation::rates_at(std::span<const double> x, std::span<double> f) {
    set_states(main_, x);
    if (!main_.run(program_.continuous)) {
        main_.clear_error();
        return false;
    }
    for (std::size_t i = 0; i < f.size(); ++i) {
        f[i] = main_[layout_.derivative[i]];
        if (!std::isfinite(f[i])) return false;
    }
    return true;
}

// ∂f/∂x by differences, by columns.
bool Simulation::matrix_at(std::span<const double> x, std::span<const double> f,
                           std::span<const double> scale, std::vector<double>& j) {
    const std::size_t n = x.size();
    std::vector<double> moved(x.begin(), x.end()), f1(n), f2(n);
    j.resize(n * n);
    for (std::size_t c = 0; c < n; ++c) {
        const double h = 1e-6 * scale[c];
        moved[c] = x[c] + h;
        const bool ahead = rates_at(moved, f1);
        moved[c] = x[c] - h;
        const bool behind = rates_at(moved, f2);
        moved[c] = x[c];
        if (!ahead && !behind) return false;
        for (std::size_t r = 0; r < n; ++r)
            j[c * n + r] = ahead && behind ? (f1[r] - f2[r]) / (2 * h)
                           : ahead         ? (f1[r] - f[r]) / h
                                           : (f[r] - f2[r]) / h;
    }
    return true;
}

namespace {

std::vector<double> sizes(const FlatModel& model, const std::vector<VariableIndex>& states,
                          std::span<const double> x) {
    std::vector<double> scale(x.size());
    for (std::size_t i = 0; i < x.size(); ++i)
        scale[i] = std::max(std::abs(model.variables[states[i]].nominal.value_or(1)), std::abs(x[i]));
    return scale;
}

// Of the scaled matrix: units do not matter to eigenvalues, but to their rounding.
double growth_of(std::size_t n, std::vector<double> j, std::span<const double> scale) {
    for (std::size_t c = 0; c < n; ++c)
        for (std::size_t r = 0; r < n; ++r) j[c * n + r] *= scale[c] / scale[r];
    double largest = 0, growth = 0;
    for (const auto& value : eigenvalues(n, j)) {
        largest = std::max(largest, std::abs(value));
        growth = std::max(growth, value.real());
    }
    return growth > visible_growth * largest ? growth : 0;
}

}  // namespace

std::optional<Equilibrium> Simulation::start_only() {
    if (!initialise() || !main_.run(program_.eliminated)) return std::nullopt;
    Equilibrium rest;
    for (Slot slot : layout_.variable) rest.values.push_back(main_[slot]);
    const std::size_t n = layout_.state.size();
    if (n == 0 || n > most_rest_states) return rest;
    std::vector<double> x = states(), f(n), j;
    const std::vector<double> scale = sizes(model_, partition_.states, x);
    loops_.set_robust(true);
    main_.set_live_switches(true);
    if (rates_at(x, f) && matrix_at(x, f, scale, j)) rest.growth = growth_of(n, std::move(j), scale);
    return rest;
}

std::optional<Equilibrium> Simulation::rest() {
    const std::size_t n = layout_.state.size();
    if (n == 0 || n > most_rest_states || !initialise()) return std::nullopt;
    loops_.set_robust(true);
    main_.set_live_switches(true);
    std::vector<double> x = states(), f(n), j, next(n), f_next(n), matrix(n * n), dx(n);
    if (!rates_at(x, f)) return std::nullopt;
    std::vector<double> scale = sizes(model_, partition_.states, x);
    const auto largest = [&](const std::vector<double>& v) {
        double most = 0;
        for (std::size_t i = 0; i < n; ++i) most = std::max(most, std::abs(v[i]) / scale[i]);
        return most;
    };
    int disturbances = 0;
    // At the start, x may be exactly where it could fall to either side.
    const auto disturb = [&] {
        for (std::size_t i = 0; i < n; ++i) {
            const double fraction =
                std::fmod(0.6180339887498949 * double(i + 1 + n * std::size_t(disturbances)), 1.0);
            x[i] += disturbance * (fraction - 0.4) * scale[i];
        }
        ++disturbances;
        return rates_at(x, f);
    };
    double longest = never;  // beyond which a growing disturbance would be damped
    double h = 0;
    const std::size_t steps = std::clamp(most_work / n, fewest_rest_steps, most_rest_steps);
    for (std::size_t step = 0; step < steps; ++step) {
        if (options_.interrupt && *options_.interrupt) return std::nullopt;
        scale = sizes(model_, partition_.states, x);
        if (!matrix_at(x, f, scale, j)) return std::nullopt;
        if (h == 0) {
            double fastest = largest(f);
            for (std::size_t c = 0; c < n; ++c)
                for (std::size_t r = 0; r < n; ++r)
                    fastest = std::max(fastest, std::abs(j[c * n + r]) * scale[c] / scale[r]);
            if (fastest == 0) return std::nullopt;
            h = 0.5 / fastest;
        }
        bool moved = false;
        for (int attempt = 0; attempt < 40 && !moved; ++attempt) {
            for (std::size_t c = 0; c < n; ++c)
                for (std::size_t r = 0; r < n; ++r) matrix[c * n + r] = (r == c ? 1 / h : 0) - j[c * n + r];
            dx = f;
            DenseLu lu;
            if (lu.factor(n, matrix)) {
                lu.solve(dx);
                if (largest(dx) <= 2 * longest_change) {
                    for (std::size_t i = 0; i < n; ++i) next[i] = x[i] + dx[i];
                    moved = rates_at(next, f_next);
                }
            }
            if (!moved) h /= 4;
        }
        if (!moved) return std::nullopt;
        x = next;
        f = f_next;
        const double change = largest(dx);
        if (change <= smallest_change && (h > 1e12 || largest(f) * h <= 1e3 * smallest_change)) {
            if (!matrix_at(x, f, scale, j)) return std::nullopt;
            const double growth = growth_of(n, j, scale);
            if (growth == 0 || disturbances == most_disturbances) {
                if (!rates_at(x, f) || !main_.run(program_.eliminated)) return std::nullopt;
                Equilibrium rest;
                rest.growth = growth;
                for (Slot slot : layout_.variable) rest.values.push_back(main_[slot]);
                return rest;
            }
            if (!disturb()) return std::nullopt;
            longest = h = 0.3 / growth;
            continue;
        }
        h = std::min(h * std::clamp(longest_change / std::max(change, 1e-300), 0.5, growth_of_step), longest);
        if (change > 0.5 * longest_change) longest = never;
        if (selector_.renew(main_)) {
            x = states();
            if (!rates_at(x, f)) return std::nullopt;
        }
    }
    return std::nullopt;
}

bool is_near_initial_values(const Partition& partition, const std::vector<double>& values) {
    bool any = false;
    std::vector<VariableIndex> list = shown_states(partition);
    list.insert(list.end(), partition.dependent.begin(), partition.dependent.end());
    Environment parameters;
    parameters.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op != Op::Variable) return std::nullopt;
        const Variable& p = partition.model.variables[leaf->variable()];
        if (p.variability > Variability::Parameter) return std::nullopt;
        return p.value;
    };
    for (VariableIndex v : list) {
        const Variable& variable = partition.model.variables[v];
        const auto given = variable.start ? evaluate(variable.start->value, parameters) : std::nullopt;
        if (!given) continue;
        any = true;
        const double value = values[v.value], start = *given;
        const double size =
            std::max({std::abs(value), std::abs(start), std::abs(variable.nominal.value_or(1))});
        if (!(std::abs(value - start) <= near_by * size)) return false;
    }
    return any;
}

std::optional<EndOfRun> Simulation::end_of_run() {
    if (!begin() || !integrate() || wants_mode() || !evaluate()) return std::nullopt;
    if (time() < options_.stop && !same_instant(time(), options_.stop)) return std::nullopt;
    EndOfRun end;
    end.held = sliding_list_;
    const std::size_t n = layout_.state.size();
    for (std::size_t i = 0; i < n; ++i) {
        end.states.push_back(selector_.stands_for(partition_.states[i]));
        end.rates.push_back(main_[layout_.derivative[i]]);
    }
    if (!main_.run(program_.eliminated)) return std::nullopt;
    for (Slot slot : layout_.variable) end.values.push_back(main_[slot]);
    return end;
}

std::optional<EndOfRun> end_of_run(const Program& program, const SimulateOptions& options) {
    NoRows rows;
    Diagnostics quiet;
    return Simulation(program, options, rows, quiet).end_of_run();
}

std::optional<Equilibrium> initialize_run(const Program& program, const SimulateOptions& options,
                                          Diagnostics& diagnostics) {
    NoRows rows;
    return Simulation(program, options, rows, diagnostics).start_only();
}

std::optional<Equilibrium> initialize_run(const Program& program, const SimulateOptions& options) {
    Diagnostics quiet;
    return initialize_run(program, options, quiet);
}

std::optional<Equilibrium> find_equilibrium(const Program& program, const SimulateOptions& options) {
    NoRows rows;
    Diagnostics quiet;
    return Simulation(program, options, rows, quiet).rest();
}

}  // namespace cutset
