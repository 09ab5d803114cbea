#include "operations/collocation/boundary_value.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "operations/collocation/boundary_system.h"
#include "operations/collocation/collocation_messages.h"
#include "operations/collocation/optimal_control.h"
#include "operations/collocation/point_results.h"
#include "run/simulate.h"

namespace cutset {

namespace messages = collocation_messages;

namespace {

// Numbers that fill (0, 1) evenly: the digits of `i` to a prime base, mirrored.
double mirrored(std::size_t i, std::size_t base) {
    double result = 0, digit = 1.0 / double(base);
    for (; i > 0; i /= base, digit /= double(base)) result += digit * double(i % base);
    return result;
}

class BoundarySolver {
  public:
    BoundarySolver(std::shared_ptr<const Program> program, const BoundaryQuestion& question,
                   const BoundaryOptions& options, Diagnostics& diagnostics)
        : question_(question),
          options_(options),
          diagnostics_(diagnostics),
          program_(std::move(program)),
          functions_(program_),
          scheme_(gauss_collocation(options.stages)),
          n_(functions_.states()) {}

    std::optional<BoundaryOutcome> run();

  private:
    struct Found {
        std::unique_ptr<BoundarySystem> system;
        std::vector<double> v;
        double error = 0;
    };
    struct Guess {
        std::vector<double> initial, parameters;  // parameters: all open ones
        Trajectory rows;
    };

    bool set_conditions();
    bool set_guess();
    Trajectory simulate_from(const std::vector<double>& initial, const std::vector<double>& parameters);
    void set_scales(const Guess& guess);
    std::unique_ptr<BoundarySystem> make_system(std::vector<double> mesh, const std::vector<double>& held);
    std::vector<double> unknowns(const BoundarySystem& system, const Guess& guess);
    std::optional<Found> find(const Guess& guess, bool homotopy);
    bool change_conditions(BoundarySystem& system, std::vector<double>& v);
    bool refine(Found& found);
    void look_for_others(std::vector<Found>& list);
    bool same(const Found& a, const Found& b) const;
    bool continue_parameter(Found& found, BoundaryOutcome& outcome);
    BoundarySolution describe(Found& found);
    void report_nothing();
    bool interrupted() const { return options_.interrupt && *options_.interrupt; }

    VariableIndex variable(std::size_t state) const { return functions_.state_variable(state); }
    std::string name(std::size_t state) const { return functions_.model().path(variable(state)); }
    std::string parameter_name(std::size_t p) const {
        return functions_.model().path(program_->linearized->by[p]);
    }
    double newton_tolerance() const { return std::min(1e-9, 1e-3 * options_.tolerance); }

    const BoundaryQuestion& question_;
    const BoundaryOptions& options_;
    Diagnostics& diagnostics_;
    std::shared_ptr<const Program> program_;
    ModelFunctions functions_;
    CollocationScheme scheme_;
    std::size_t n_;
    std::vector<BoundarySystem::StateStart> starts_;
    Guess guess_;
    std::vector<double> scale_, parameter_scale_;
    std::size_t iterations_ = 0;
    // How far a homotopy of the conditions came, and what they were there.
    double part_ = 0;
    std::vector<double> part_values_, part_wanted_;
    bool undefined_ = false;
};

// As many conditions as unknowns: those of the question, then initial values that the model gives.
bool BoundarySolver::set_conditions() {
    const FlatModel& model = functions_.model();
    const std::size_t needed = n_ + question_.sought;
    std::vector<std::size_t> written, integrals;
    for (const std::string& wanted : question_.free_starts) {
        bool known = false;
        for (std::size_t s = 0; s < n_; ++s) known = known || name(s) == wanted;
        if (!known) diagnostics_.report(messages::not_a_state(wanted, program_->partition.get()));
    }
    for (std::size_t s = 0; s < n_; ++s) {
        const Variable& v = model.variables[variable(s)];
        if (v.internal) {
            if (v.start) integrals.push_back(s);
        } else if (v.start && std::find(question_.free_starts.begin(), question_.free_starts.end(),
                                        name(s)) == question_.free_starts.end()) {
            written.push_back(s);
        }
    }
    const std::size_t given = question_.conditions.size() + integrals.size();
    std::vector<std::size_t> kept = integrals;
    if (given + written.size() == needed)
        kept.insert(kept.end(), written.begin(), written.end());
    else if (given != needed) {
        std::vector<std::string> unknown_list, condition_list;
        for (std::size_t s = 0; s < n_; ++s)
            if (!model.variables[variable(s)].internal) unknown_list.push_back(name(s));
        for (std::size_t p = 0; p < question_.sought; ++p) unknown_list.push_back(parameter_name(p));
        for (const BoundaryCondition& c : question_.conditions) condition_list.push_back(c.text);
        for (std::size_t s : written) condition_list.push_back(name(s) + "(0) as the model gives it");
        diagnostics_.report(messages::wrong_number(unknown_list, condition_list,
                                                   written.empty() ? "" : name(written.back())));
    }
    if (diagnostics_.has_errors()) return false;
    for (std::size_t s : kept) starts_.push_back({s, 0});
    return true;
}

Trajectory BoundarySolver::simulate_from(const std::vector<double>& initial,
                                         const std::vector<double>& parameters) {
    // Explicit steps of the classical method: a guess needs no more.
    constexpr std::size_t steps = 400;
    PointResults rows;
    std::vector<double> x = initial, k1(n_), k2(n_), k3(n_), k4(n_), at(n_);
    if (!functions_.set_parameters(parameters)) return {};
    const double h = (question_.to - question_.from) / double(steps);
    const auto rate = [&](double t, const std::vector<double>& y, std::vector<double>& k) {
        if (!functions_.evaluate(t, y)) return false;
        k.assign(functions_.derivatives().begin(), functions_.derivatives().end());
        return true;
    };
    for (std::size_t i = 0; i <= steps; ++i) {
        const double t = question_.from + h * double(i);
        if (!rate(t, x, k1) || !rows.record(functions_) || i == steps) break;
        for (std::size_t s = 0; s < n_; ++s) at[s] = x[s] + h / 2 * k1[s];
        if (!rate(t + h / 2, at, k2)) break;
        for (std::size_t s = 0; s < n_; ++s) at[s] = x[s] + h / 2 * k2[s];
        if (!rate(t + h / 2, at, k3)) break;
        for (std::size_t s = 0; s < n_; ++s) at[s] = x[s] + h * k3[s];
        if (!rate(t + h, at, k4)) break;
        bool sane = true;
        for (std::size_t s = 0; s < n_; ++s) {
            x[s] += h / 6 * (k1[s] + 2 * k2[s] + 2 * k3[s] + k4[s]);
            sane = sane && std::abs(x[s]) < 1e12;
        }
        if (!sane) break;
    }
    return rows.finish();
}

bool BoundarySolver::set_guess() {
    const FlatModel& model = functions_.model();
    guess_.parameters = functions_.present_parameters();
    for (std::size_t p = 0; p < question_.guess.size(); ++p)
        if (question_.guess[p]) guess_.parameters[p] = *question_.guess[p];
    functions_.set_parameters(guess_.parameters);
    Diagnostics said;
    if (functions_.start(question_.from, said, options_.allow_external)) {
        guess_.initial.assign(functions_.state().begin(), functions_.state().end());
    } else {
        // Where initialization has no values (a singular point), those that were written.
        for (std::size_t s = 0; s < n_; ++s) {
            const auto& start = model.variables[variable(s)].start;
            guess_.initial.push_back(start && start->value->op == Op::Number ? start->value->number : 0);
        }
    }
    for (auto& s : starts_) s.value = guess_.initial[s.state];
    if (question_.sought > 0 && program_->linearized_start && !starts_.empty()) {
        std::vector<double> matrix;
        if (functions_.linearize_start(matrix))
            for (const auto& s : starts_)
                for (std::size_t p = 0; p < guess_.parameters.size(); ++p)
                    if (matrix[p * n_ + s.state] != 0) {
                        diagnostics_.report(messages::start_depends(name(s.state), parameter_name(p)));
                        return false;
                    }
    }
    if (options_.guess)
        guess_.rows = *options_.guess;
    else
        guess_.rows = simulate_from(guess_.initial, guess_.parameters);
    return true;
}

void BoundarySolver::set_scales(const Guess& guess) {
    scale_.clear();
    parameter_scale_.clear();
    for (std::size_t s = 0; s < n_; ++s) {
        const Variable& v = functions_.model().variables[variable(s)];
        double size = std::abs(guess.initial[s]);
        if (const auto column = guess.rows.find(name(s)))
            for (std::size_t row = 0; row < guess.rows.rows(); ++row)
                if (const double x = std::abs(guess.rows.value(*column, row)); x < 1e3 * (1 + size))
                    size = std::max(size, x);
        size = v.nominal.value_or(size);
        scale_.push_back(size > 0 ? size : 1);
    }
    for (std::size_t p = 0; p < question_.sought; ++p)
        parameter_scale_.push_back(guess.parameters[p] != 0 ? std::abs(guess.parameters[p]) : 1);
}

std::unique_ptr<BoundarySystem> BoundarySolver::make_system(std::vector<double> mesh,
                                                            const std::vector<double>& held) {
    return std::make_unique<BoundarySystem>(functions_, scheme_, std::move(mesh), question_.from,
                                            question_.to, question_.conditions, starts_, question_.sought,
                                            scale_, parameter_scale_, held);
}

std::vector<double> BoundarySolver::unknowns(const BoundarySystem& system, const Guess& guess) {
    std::vector<double> v(system.size());
    std::vector<std::optional<ColumnIndex>> columns;
    std::vector<std::optional<std::size_t>> outputs(n_);
    for (std::size_t s = 0; s < n_; ++s) {
        columns.push_back(guess.rows.find(name(s)));
        for (const auto& g : question_.state_guesses)
            if (g.state == name(s)) outputs[s] = g.output;
    }
    functions_.set_parameters(guess.parameters);
    const auto fill = [&](std::size_t interval, std::size_t node, double t) {
        if (!question_.state_guesses.empty()) functions_.evaluate(t, guess.initial);
        for (std::size_t s = 0; s < n_; ++s) {
            double x = guess.initial[s];
            if (outputs[s])
                x = functions_.output(*outputs[s]);
            else if (columns[s] && guess.rows.rows() > 0)
                x = guess.rows.interpolate(*columns[s], t);
            v[system.index(interval, node, s)] = (std::isfinite(x) ? x : guess.initial[s]) / scale_[s];
        }
    };
    for (std::size_t i = 0; i < system.intervals(); ++i)
        for (std::size_t node = 0; node <= scheme_.stages; ++node)
            fill(i, node, system.time(i, scheme_.nodes[node]));
    fill(system.intervals(), 0, question_.to);
    for (std::size_t p = 0; p < question_.sought; ++p)
        v[v.size() - question_.sought + p] = guess.parameters[p] / parameter_scale_[p];
    return v;
}

std::vector<double> equal_mesh(std::size_t intervals) {
    std::vector<double> mesh;
    for (std::size_t i = 0; i <= intervals; ++i) mesh.push_back(double(i) / double(intervals));
    return mesh;
}

// From conditions that the guess satisfies to those that are wanted: g - c = (1 - part)·(g - c at the guess).
bool BoundarySolver::change_conditions(BoundarySystem& system, std::vector<double>& v) {
    const std::size_t count = question_.conditions.size() + starts_.size();
    std::vector<double> first(count), shift(count);
    if (!system.conditions(v, first)) return false;
    part_wanted_ = first;
    std::vector<double> before = v;
    double part = 0, before_part = 0, step = 0.1;
    const auto attempt = [&](double next) {
        for (std::size_t i = 0; i < count; ++i) shift[i] = (1 - next) * first[i];
        system.set_shift(shift);
        std::vector<double> tried = v;
        if (part > before_part)  // along the straight line through the last two
            for (std::size_t i = 0; i < tried.size(); ++i)
                tried[i] += (next - part) / (part - before_part) * (v[i] - before[i]);
        if (system.solve(tried, newton_tolerance(), iterations_) != BoundarySystem::Newton::Converged) {
            tried = v;
            if (system.solve(tried, newton_tolerance(), iterations_) != BoundarySystem::Newton::Converged)
                return false;
        }
        before = v;
        before_part = part;
        v = std::move(tried);
        part = next;
        return true;
    };
    bool good = attempt(0);
    while (good && part < 1 && step > 1e-4 && !interrupted()) {
        if (attempt(std::min(1.0, part + step)))
            step *= 2;
        else
            step /= 4;
    }
    part_ = good ? part : 0;
    part_values_.assign(count, 0);
    system.conditions(v, part_values_);
    system.set_shift(std::vector<double>(count, 0));
    return good && part >= 1;
}

bool BoundarySolver::refine(Found& found) {
    for (int round = 0; round < 12; ++round) {
        const std::vector<double> errors = found.system->errors(found.v);
        found.error = *std::max_element(errors.begin(), errors.end());
        if (found.error <= options_.tolerance || interrupted()) return true;
        std::vector<double> mesh =
            divide_mesh(found.system->mesh(),
                        interval_parts(errors, 0.5 * options_.tolerance, double(options_.stages) + 1, 4));
        if (mesh.size() > options_.most_intervals + 1) return true;
        std::vector<double> held = found.system->parameters(found.v);
        held.erase(held.begin(), held.begin() + std::ptrdiff_t(question_.sought));
        auto finer = make_system(std::move(mesh), held);
        std::vector<double> v = found.system->interpolate(found.v, *finer);
        if (finer->solve(v, newton_tolerance(), iterations_) != BoundarySystem::Newton::Converged)
            return false;
        found.system = std::move(finer);
        found.v = std::move(v);
    }
    return true;
}

std::optional<BoundarySolver::Found> BoundarySolver::find(const Guess& guess, bool homotopy) {
    const std::vector<double> held(guess.parameters.begin() + std::ptrdiff_t(question_.sought),
                                   guess.parameters.end());
    undefined_ = true;
    for (const std::size_t factor : {1u, 4u}) {
        Found found;
        found.system = make_system(equal_mesh(factor * options_.intervals), held);
        found.v = unknowns(*found.system, guess);
        const auto outcome = found.system->solve(found.v, newton_tolerance(), iterations_);
        if (outcome != BoundarySystem::Newton::Undefined) undefined_ = false;
        if (outcome == BoundarySystem::Newton::Converged && refine(found)) return found;
        if (!homotopy) return std::nullopt;
        if (interrupted()) return std::nullopt;
    }
    Found found;
    found.system = make_system(equal_mesh(2 * options_.intervals), held);
    found.v = unknowns(*found.system, guess);
    if (change_conditions(*found.system, found.v) && refine(found)) return found;
    return std::nullopt;
}

bool BoundarySolver::same(const Found& a, const Found& b) const {
    std::vector<double> x(n_), y(n_);
    const auto at = [&](const Found& f, double fraction, std::vector<double>& to) {
        const auto& mesh = f.system->mesh();
        const auto after = std::upper_bound(mesh.begin(), mesh.end(), fraction);
        const std::size_t i = std::min<std::size_t>(std::size_t(after - mesh.begin()), mesh.size() - 1) - 1;
        f.system->state_at(f.v, i, (fraction - mesh[i]) / (mesh[i + 1] - mesh[i]), to, {});
    };
    for (int k = 0; k <= 16; ++k) {
        at(a, k / 16.0, x);
        at(b, k / 16.0, y);
        for (std::size_t s = 0; s < n_; ++s)
            if (std::abs(x[s] - y[s]) > 1e-3 * std::max({std::abs(x[s]), std::abs(y[s]), 0.01 * scale_[s]}))
                return false;
    }
    const std::vector<double> p = a.system->parameters(a.v), q = b.system->parameters(b.v);
    for (std::size_t i = 0; i < p.size(); ++i)
        if (std::abs(p[i] - q[i]) > 1e-3 * std::max(std::abs(p[i]), std::abs(q[i]))) return false;
    return true;
}

// Other beginnings: the unknown initial values and parameters elsewhere.
void BoundarySolver::look_for_others(std::vector<Found>& list) {
    constexpr std::size_t tries = 60;
    constexpr std::size_t primes[] = {2, 3, 5, 7, 11, 13, 17, 19, 23, 29};
    std::vector<std::size_t> free;
    for (std::size_t s = 0; s < n_; ++s)
        if (std::none_of(starts_.begin(), starts_.end(), [&](const auto& k) { return k.state == s; }))
            free.push_back(s);
    for (std::size_t k = 1; k <= tries && list.size() < question_.solutions && !interrupted(); ++k) {
        Guess guess = guess_;
        std::size_t dimension = 0;
        const auto elsewhere = [&](double value) {
            const double size = std::max(1.0, std::abs(value));
            const double place = 2 * mirrored(k, primes[dimension++ % std::size(primes)]) - 1;
            return value + size * 4 * place * std::abs(place) * (1 + double(k % 3));
        };
        for (std::size_t s : free) guess.initial[s] = elsewhere(guess_.initial[s]);
        for (std::size_t p = 0; p < question_.sought; ++p)
            guess.parameters[p] = elsewhere(guess_.parameters[p]);
        guess.rows = simulate_from(guess.initial, guess.parameters);
        if (guess.rows.rows() < 2) continue;
        auto found = find(guess, false);
        if (!found || !(found->error <= options_.tolerance)) continue;
        if (std::none_of(list.begin(), list.end(), [&](const Found& f) { return same(f, *found); }))
            list.push_back(std::move(*found));
    }
}

bool BoundarySolver::continue_parameter(Found& found, BoundaryOutcome& outcome) {
    const double first = guess_.parameters.back(), last = *question_.continue_to;
    Columns columns;
    Column parameter = time_column("");
    parameter.name = parameter_name(guess_.parameters.size() - 1);
    columns.push_back(parameter);
    for (std::size_t p = 0; p < question_.sought; ++p) columns.push_back({.name = parameter_name(p)});
    std::vector<std::size_t> shown;
    for (std::size_t s = 0; s < n_; ++s)
        if (!functions_.model().variables[variable(s)].internal) shown.push_back(s);
    for (const char* end : {"start", "end"})
        for (std::size_t s : shown) columns.push_back({.name = fmt::format("{}({})", name(s), end)});
    std::vector<std::vector<double>> rows;
    const auto record = [&](double value) {
        std::vector<double> row{value}, x(n_), p = found.system->parameters(found.v);
        for (std::size_t i = 0; i < question_.sought; ++i) row.push_back(p[i]);
        for (const bool at_start : {true, false}) {
            found.system->state_at(found.v, at_start ? 0 : found.system->intervals() - 1, at_start ? 0 : 1, x,
                                   {});
            for (std::size_t s : shown) row.push_back(x[s]);
        }
        rows.push_back(std::move(row));
    };
    std::vector<double> held(guess_.parameters.begin() + std::ptrdiff_t(question_.sought),
                             guess_.parameters.end());
    double at = first, before_at = first, step = (last - first) / 20;
    std::vector<double> before = found.v;
    record(at);
    bool good = true;
    while (at != last && good && !interrupted()) {
        const double next = std::abs(last - at) <= std::abs(step) * 1.0001 ? last : at + step;
        held.back() = next;
        found.system->set_held(held);
        std::vector<double> tried = found.v;
        if (at != before_at && before.size() == tried.size())
            for (std::size_t i = 0; i < tried.size(); ++i)
                tried[i] += (next - at) / (at - before_at) * (found.v[i] - before[i]);
        if (found.system->solve(tried, newton_tolerance(), iterations_) !=
            BoundarySystem::Newton::Converged) {
            step /= 2;
            good = std::abs(step) > 1e-5 * std::abs(last - first);
            continue;
        }
        before = std::exchange(found.v, std::move(tried));
        before_at = std::exchange(at, next);
        guess_.parameters.back() = at;
        if (!refine(found)) good = false;
        record(at);
        if (std::abs(step) < std::abs(last - first) / 20) step *= 1.5;
    }
    if (at != last) {
        held.back() = at;
        found.system->set_held(held);
        outcome.reached = at;
    }
    if (last < first) std::reverse(rows.begin(), rows.end());
    outcome.continued = Trajectory(columns);
    for (const auto& row : rows) outcome.continued.append(row);
    return at == last;
}

BoundarySolution BoundarySolver::describe(Found& found) {
    BoundarySolution s;
    s.error = found.error;
    s.intervals = found.system->intervals();
    s.parameters = found.system->parameters(found.v);
    std::vector<double> r(found.system->size());
    if (found.system->residual(found.v, r))
        for (double x : r) s.residual = std::max(s.residual, std::abs(x));
    s.start.resize(n_);
    s.end.resize(n_);
    found.system->state_at(found.v, 0, 0, s.start, {});
    for (std::size_t i = 0; i < n_; ++i)
        s.end[i] = found.v[found.system->index(found.system->intervals(), 0, i)] * scale_[i];
    PointResults rows;
    functions_.set_parameters(s.parameters);
    const std::size_t intervals = found.system->intervals();
    const std::size_t parts = std::max<std::size_t>(1, (options_.points + intervals - 1) / intervals);
    std::vector<double> x(n_);
    for (std::size_t i = 0; i < intervals; ++i)
        for (std::size_t k = 0; k <= parts; ++k) {
            if (k == parts && i + 1 < intervals) continue;
            const double tau = double(k) / double(parts);
            found.system->state_at(found.v, i, tau, x, {});
            if (functions_.evaluate(found.system->time(i, tau), x)) rows.record(functions_);
        }
    s.trajectory = rows.finish();
    return s;
}

// No solution: which conditions could not be met, and how far they were.
void BoundarySolver::report_nothing() {
    if (undefined_) {
        if (const auto why = functions_.failure()) {
            diagnostics_.report(messages::not_evaluated(*why));
            return;
        }
    }
    std::vector<std::string> reached;
    for (std::size_t i = 0; i < question_.conditions.size() && i < part_values_.size(); ++i) {
        const BoundaryCondition& c = question_.conditions[i];
        if (std::abs(part_values_[i]) <= 1e-6 * (1 + std::abs(c.target))) continue;
        reached.push_back(fmt::format("{}: from {:.6g} at the guess it could be brought to {:.6g}, not to {}",
                                      c.text, c.target + part_wanted_[i], c.target + part_values_[i],
                                      number_text(c.target)));
    }
    diagnostics_.report(messages::no_solution(reached));
}

std::optional<BoundaryOutcome> BoundarySolver::run() {
    if (n_ == 0) {
        diagnostics_.report(messages::no_states(functions_.model().name));
        return std::nullopt;
    }
    if (!check_smooth(*program_->partition, "a boundary value problem", diagnostics_)) return std::nullopt;
    if (!set_conditions() || !set_guess()) return std::nullopt;
    set_scales(guess_);
    BoundaryOutcome outcome;
    for (std::size_t s = 0; s < n_; ++s)
        outcome.states.push_back(functions_.model().variables[variable(s)].internal ? "" : name(s));
    outcome.conditions = question_.conditions;
    std::vector<Found> list;
    if (auto found = find(guess_, true)) list.push_back(std::move(*found));
    // Where the first guess leads nowhere another one may.
    if (question_.solutions > list.size()) look_for_others(list);
    if (interrupted() && list.empty()) {
        outcome.status = BoundaryStatus::Interrupted;
        diagnostics_.report(messages::interrupted("interrupted"));
        return outcome;
    }
    if (list.empty()) {
        report_nothing();
        outcome.iterations = iterations_;
        return outcome;
    }
    outcome.status = BoundaryStatus::Solved;
    if (question_.continue_to && !continue_parameter(list.front(), outcome)) {
        outcome.status = BoundaryStatus::NoSolution;
        diagnostics_.report(messages::continuation_ended(parameter_name(guess_.parameters.size() - 1),
                                                         *outcome.reached, *question_.continue_to));
    }
    for (Found& found : list) {
        outcome.values.emplace_back(question_.conditions.size() + starts_.size());
        found.system->conditions(found.v, outcome.values.back());
        for (std::size_t i = 0; i < question_.conditions.size(); ++i)
            outcome.values.back()[i] += question_.conditions[i].target;
        outcome.values.back().resize(question_.conditions.size());
        outcome.solutions.push_back(describe(found));
        if (found.error > options_.tolerance && outcome.status == BoundaryStatus::Solved) {
            outcome.status = BoundaryStatus::Inaccurate;
            diagnostics_.report(
                messages::boundary_mesh_error(found.error, options_.tolerance, found.system->intervals()));
        }
    }
    outcome.iterations = iterations_;
    return outcome;
}

}  // namespace

std::optional<BoundaryOutcome> solve_boundary_value(std::shared_ptr<const Program> program,
                                                    const BoundaryQuestion& question,
                                                    const BoundaryOptions& options,
                                                    Diagnostics& diagnostics) {
    return BoundarySolver(std::move(program), question, options, diagnostics).run();
}

}  // namespace cutset
