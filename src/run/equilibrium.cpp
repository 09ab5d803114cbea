#include "run/equilibrium.h"

#include <algorithm>
#include <atomic>
#include <cmath>

#include "numerics/linear/eigenvalues.h"
#include "numerics/linear/linear.h"
#include "run/equations_of_motion.h"
#include "run/run.h"
#include "run/run_observer.h"

namespace cutset {

namespace {

constexpr std::size_t most_states = 600;  // the matrix is dense
constexpr std::size_t most_steps = 600, least_steps = 60;
constexpr std::size_t most_work = 30'000;  // steps times states, between those limits
constexpr int most_disturbances = 4;
constexpr double longest_change = 0.2;    // of a state in one step, in units of its size
constexpr double smallest_change = 1e-9;  // at the equilibrium
constexpr double growth_of_step = 2;
constexpr double disturbance = 0.02;  // of a state that stands on a point it can fall from
constexpr double near_by = 0.3;  // of the size of a variable: a point is the one meant by an initial value
constexpr double at_rest_there = 1e-9;  // the same, of one that is given or 0: the initial state is the point
constexpr double visible_growth = 1e-4;  // of an eigenvalue in units of the largest: more than its rounding

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

class EquilibriumSearch {
  public:
    explicit EquilibriumSearch(RunParts& parts) : parts_(parts), now_(parts.now), motion_(parts.now) {}

    // The point of the initialization, and how fast disturbances grow there.
    std::optional<Equilibrium> initial();
    std::optional<Equilibrium> find();

  private:
    RunParts& parts_;
    Instant& now_;
    EquationsOfMotion motion_;
};

}  // namespace

std::optional<Equilibrium> EquilibriumSearch::initial() {
    if (!parts_.initialization.run() || !now_.values.run(now_.program.eliminated)) return std::nullopt;
    Equilibrium found;
    for (Slot slot : now_.layout.variable) found.values.push_back(now_.values[slot]);
    const std::size_t n = now_.layout.state.size();
    if (n == 0 || n > most_states) return found;
    std::vector<double> x = now_.states(), f(n), j;
    const std::vector<double> scale = sizes(now_.model, now_.partition.states, x);
    now_.loops.set_robust(true);
    now_.values.set_live_switches(true);
    if (motion_.derivatives_at(x, f) && motion_.matrix_at(x, f, scale, j))
        found.growth = growth_of(n, std::move(j), scale);
    return found;
}

std::optional<Equilibrium> EquilibriumSearch::find() {
    const std::size_t n = now_.layout.state.size();
    if (n == 0 || n > most_states || !parts_.initialization.run()) return std::nullopt;
    now_.loops.set_robust(true);
    now_.values.set_live_switches(true);
    std::vector<double> x = now_.states(), f(n), j, next(n), f_next(n), matrix(n * n), dx(n);
    if (!motion_.derivatives_at(x, f)) return std::nullopt;
    std::vector<double> scale = sizes(now_.model, now_.partition.states, x);
    const auto largest = [&](const std::vector<double>& v) {
        double most = 0;
        for (std::size_t i = 0; i < n; ++i) most = std::max(most, std::abs(v[i]) / scale[i]);
        return most;
    };
    int disturbances = 0;
    // At initialization, x may be exactly where it could fall to either side.
    const auto disturb = [&] {
        for (std::size_t i = 0; i < n; ++i) {
            const double fraction =
                std::fmod(0.6180339887498949 * double(i + 1 + n * std::size_t(disturbances)), 1.0);
            x[i] += disturbance * (fraction - 0.4) * scale[i];
        }
        ++disturbances;
        return motion_.derivatives_at(x, f);
    };
    double longest = never;  // beyond which a growing disturbance would be damped
    double h = 0;
    const std::size_t steps = std::clamp(most_work / n, least_steps, most_steps);
    for (std::size_t step = 0; step < steps; ++step) {
        if (now_.options.interrupt && *now_.options.interrupt) return std::nullopt;
        scale = sizes(now_.model, now_.partition.states, x);
        if (!motion_.matrix_at(x, f, scale, j)) return std::nullopt;
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
                    moved = motion_.derivatives_at(next, f_next);
                }
            }
            if (!moved) h /= 4;
        }
        if (!moved) return std::nullopt;
        x = next;
        f = f_next;
        const double change = largest(dx);
        if (change <= smallest_change && (h > 1e12 || largest(f) * h <= 1e3 * smallest_change)) {
            if (!motion_.matrix_at(x, f, scale, j)) return std::nullopt;
            const double growth = growth_of(n, j, scale);
            if (growth == 0 || disturbances == most_disturbances) {
                if (!motion_.derivatives_at(x, f) || !now_.values.run(now_.program.eliminated))
                    return std::nullopt;
                Equilibrium found;
                found.growth = growth;
                for (Slot slot : now_.layout.variable) found.values.push_back(now_.values[slot]);
                return found;
            }
            if (!disturb()) return std::nullopt;
            longest = h = 0.3 / growth;
            continue;
        }
        h = std::min(h * std::clamp(longest_change / std::max(change, 1e-300), 0.5, growth_of_step), longest);
        if (change > 0.5 * longest_change) longest = never;
        if (now_.selector.renew(now_.values)) {
            x = now_.states();
            if (!motion_.derivatives_at(x, f)) return std::nullopt;
        }
    }
    return std::nullopt;
}

bool is_near_initial_values(const Partition& partition, const std::vector<double>& values) {
    bool any = false, near = true, exact = true;
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
        const double value = values[v.value], start = given.value_or(0);
        const double size =
            std::max({std::abs(value), std::abs(start), std::abs(variable.nominal.value_or(1))});
        exact = exact && std::abs(value - start) <= at_rest_there * size;
        if (!given) continue;
        any = true;
        near = near && std::abs(value - start) <= near_by * size;
    }
    return (any && near) || (exact && !list.empty());
}

std::vector<VariableIndex> starts_that_hold(const Partition& partition, const FlatModel& given) {
    std::vector<VariableIndex> open;
    const FlatModel& model = partition.model;
    const auto look = [&](EquationIndex e, bool from_initial) {
        if (!from_initial || e.value < given.initial_equations.size()) return;
        const Expr left = model.initial_equations[e].left;
        // Not what index reduction added.
        if (left->op == Op::Variable && left->order == 0 && left->index < given.variables.size() &&
            !model.variables[left->variable()].internal)
            open.push_back(left->variable());
    };
    for (const Block& block : partition.initial_blocks) {
        for (const SolvedEquation& s : block.inner) look(s.equation, s.from_initial);
        for (const ResidualEquation& r : block.residuals) look(r.equation, r.from_initial);
    }
    std::sort(open.begin(), open.end());
    return open;
}

namespace {

// Ends a run that switches or steps without end.
class Patience : public RunObserver {
  public:
    explicit Patience(const std::atomic<bool>* interrupt) : interrupt_(interrupt) {}
    const std::atomic<bool>* ends() const { return &ends_; }

    void start(const Interpreter&) override {}
    void continues(const Interpreter&) override {}
    void step(Integrator&, double, double) override { count(1); }
    void event_comes(const Interpreter&) override {}
    void event_begins(const EventCause&) override { count(steps_per_event); }
    void whens(const Interpreter&, std::span<const std::size_t>, std::span<const Assignment>,
               std::span<const Assignment>, bool) override {}
    void event_ends(const Interpreter&, bool) override {}
    void cannot_follow(const std::string&) override {}

  private:
    static constexpr long most = 200'000, steps_per_event = 20;
    void count(long steps) {
        steps_ += steps;
        if (steps_ > most || (interrupt_ && *interrupt_)) ends_ = true;
    }
    const std::atomic<bool>* interrupt_;
    std::atomic<bool> ends_ = false;
    long steps_ = 0;
};

}  // namespace

std::optional<EndOfRun> end_of_run(const Program& program, const SimulateOptions& given) {
    NoRows rows;
    Diagnostics quiet;
    Patience patience(given.interrupt);
    SimulateOptions options = given;
    options.interrupt = patience.ends();
    options.observer = &patience;
    Run run(program, options, rows, quiet);
    Instant& now = run.parts().now;
    if (!run.begin() || !run.integrate() || run.trial().wants_mode() || !run.parts().equations.evaluate())
        return std::nullopt;
    if (now.time() < options.stop && !same_instant(now.time(), options.stop)) return std::nullopt;
    EndOfRun end;
    end.held = run.parts().sliding.list();
    for (std::size_t i = 0; i < now.layout.state.size(); ++i) {
        end.states.push_back(now.selector.stands_for(now.partition.states[i]));
        end.derivatives.push_back(now.values[now.layout.derivative[i]]);
    }
    if (!now.values.run(now.program.eliminated)) return std::nullopt;
    for (Slot slot : now.layout.variable) end.values.push_back(now.values[slot]);
    return end;
}

std::optional<Equilibrium> initialize_run(const Program& program, const SimulateOptions& options,
                                          Diagnostics& diagnostics) {
    NoRows rows;
    RunParts parts(program, options, rows, diagnostics);
    return EquilibriumSearch(parts).initial();
}

std::optional<Equilibrium> initialize_run(const Program& program, const SimulateOptions& options) {
    Diagnostics quiet;
    return initialize_run(program, options, quiet);
}

std::optional<Equilibrium> find_equilibrium(const Program& program, const SimulateOptions& options) {
    NoRows rows;
    Diagnostics quiet;
    RunParts parts(program, options, rows, quiet);
    return EquilibriumSearch(parts).find();
}

}  // namespace cutset
