#include "run/loop_solver.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <unordered_map>
#include <unordered_set>
#include <utility>

#include "numerics/linear/matrix_lu.h"
#include "numerics/nonlinear/newton.h"
#include "run/loop_pattern.h"
#include "run/open_loop.h"
#include "run/piecewise_linear.h"
#include "run/rounding_errors.h"
#include "run/small_loop.h"
#include "run/solution_branch.h"
#include "run/solution_search.h"
#include "run/untorn_solver.h"

namespace cutset {

namespace {

void read_jacobian(const Loop& loop, const Interpreter& values, std::span<double> elements) {
    for (std::size_t k = 0; k < elements.size(); ++k) elements[k] = values[loop.jacobian_entries[k].slot];
}

// A residual of a linear loop that is this part of the terms that it is the sum of: the rounding of a chain
// of assignments.
constexpr double rounding_of_chain = 8 * std::numeric_limits<double>::epsilon();

// A solution whose residuals are below this part of their terms at once, before any correction, tells that
// the next ones will be as good: so many of them are not checked.
constexpr double exact_enough = 1e-14;
constexpr int most_unchecked = 50;

// Where it is looked for amplified rounding: in blocks of so many assignments, with residuals of such a part
// of the tearing variables.
constexpr std::size_t short_chain = 8;
constexpr double large_residual = 1e-10;

// Pivots against the largest element of their row; below, the general method judges.
constexpr double clearly_regular = 1e-6;

// Derivatives shall have errors that no step can notice, also where differences of unknowns drive them.
constexpr double part_of_tolerance = 1e-4, largest_brief_error = 1e-10;

// A solution that differs from that of the last step by this part of its size may lie on another branch.
constexpr double far_away = 0.1;
constexpr double same_solution = 1e-6;
constexpr double end_of_branch = 1e-2;
constexpr double unseen = 1e-6;  // part of the nominal value

// Where a start is looked for when the guess leads to none, in units of the nominal values.
constexpr double elsewhere[] = {1, -1, 10, -10, 100, -100, 1e3, -1e3, 1e4, 1e5, 1e6};

// Loops of so many unknowns are solved as a whole before the methods for hard ones are tried on the torn
// system.
constexpr std::size_t large_loop = 60;

Slot slot_of(const Layout& layout, Unknown u) {
    const Slot slot = layout.variable[u.variable.value];
    return u.order == 0 ? slot : layout.derivative[slot - layout.state[0]];
}

bool same_bits(double a, double b) {
    return std::bit_cast<std::uint64_t>(a) == std::bit_cast<std::uint64_t>(b);
}

// The slots whose values the residuals are computed from, without the torn unknowns; false when more than
// slots decides about them.
bool find_inputs(const Program& program, const Loop& loop, std::vector<Slot>& inputs) {
    enum : std::uint8_t { Unseen, Known };
    std::unordered_map<Slot, std::uint8_t> seen;  // looked up only
    for (Slot slot : loop.torn) seen[slot] = Known;
    const auto read = [&](Slot slot) {
        const Slot first = program.layout.constants;
        if (slot >= first && slot - first < program.constants.size()) return;
        if (std::exchange(seen[slot], Known) == Unseen) inputs.push_back(slot);
    };
    const auto& callees = program.partition->model.callees;
    for (const Instruction& i : loop.residual.instructions) {
        if (i.code == Code::Delay || i.code == Code::Solve) return false;
        if (i.code == Code::Switch) read(program.layout.switches[i.a]);
        if (i.code == Code::Call)
            if (const auto* f = std::get_if<FunctionData>(&callees[program.calls[i.a].callee]);
                f && f->external)
                return false;
        for_each_slot(i, program.calls, [&](Slot slot, bool written) {
            if (written)
                seen[slot] = Known;
            else
                read(slot);
        });
    }
    return true;
}

}  // namespace

struct NumericLoopSolver::Work {
    std::vector<double> unknowns, residuals, guess;
    std::vector<double> elements;      // of the Jacobian, in the order of Loop::jacobian_entries
    std::vector<double> previous;      // the same, the time before
    std::vector<double> terms, sizes;  // of the residuals at zero, and of the sums they are
    MatrixLu lu{{.refine = false}};    // linear ones are corrected with their residuals
    SmallLu small_lu;                  // instead, of a small matrix that is far from singular
    bool factored = false, small_factored = false;
    int unchecked = 0;               // so many solutions of a linear loop may go unchecked
    std::unique_ptr<OpenLoop> open;  // of one that has been found to leave unknowns open
    bool is_open = false;            // when it was solved last
    bool piecewise = false;          // linear while conditions are frozen
    bool singular = false;           // … and its matrix had no inverse when it was solved last
    std::unique_ptr<NonlinearSolver> solver;
    std::optional<SmallLoop> small;  // of a loop that is solved from step to step
    std::vector<double> solution;    // the last one
    static constexpr double not_yet = -std::numeric_limits<double>::infinity();
    double solved_at = not_yet;
    // For prediction: those at accepted steps since the last event, the newest first.
    struct Point {
        double time = 0;
        std::vector<double> solution;
    };
    std::array<Point, 3> past;
    std::size_t points = 0;
    // The unknowns that are not iterated, and their values before the iteration.
    std::vector<Slot> inner;
    std::vector<double> inner_before;
    std::unique_ptr<UntornSolver> untorn;  // once it was needed
    std::vector<double> place;             // the solution from which the run goes on; empty: none yet
    std::vector<double> place_inputs;      // the values of `inputs` that it belongs to; empty: not known
    bool following = false;                // no event has come since
    Point ahead{not_yet, {}};              // the last one before a look back
    // What the residuals depend on, with the values for which `unknowns` are the solution: several
    // sections ask for the same loop at the same point.
    std::vector<Slot> inputs;
    std::vector<double> input_values;
    bool pure = false;       // nothing else decides about the residuals
    bool solved = false;     // for `input_values`
    bool exact = false;      // to rounding
    bool evaluated = false;  // the residuals have been computed for the unknowns in the slots, nothing since
};

NumericLoopSolver::NumericLoopSolver(const Program& program, const FlatModel& model)
    : model_(model), time_(program.layout.time), work_(program.loops.size()) {
    for (std::size_t i = 0; i < work_.size(); ++i) {
        const std::size_t n = program.loops[i].torn.size();
        work_[i].elements.resize(program.loops[i].jacobian_entries.size());
        work_[i].sizes.resize(n);
        work_[i].terms.resize(n);
        work_[i].unknowns.resize(n);
        work_[i].residuals.resize(n);
        // Linear ones are solved nearly as fast as they are compared.
        work_[i].pure = !program.loops[i].linear && find_inputs(program, program.loops[i], work_[i].inputs);
        work_[i].input_values.resize(work_[i].inputs.size());
        work_[i].piecewise =
            !program.loops[i].linear && n > 0 && is_piecewise_linear(program, program.loops[i]);
    }
}

NumericLoopSolver::~NumericLoopSolver() = default;

// The unknowns are those found for the same inputs: solving again would change nothing.
bool NumericLoopSolver::still_solved(const Loop& loop, Work& work, const Interpreter& values) {
    if (!work.solved || !(work.exact || brief_) || values.live_switches()) return false;
    for (std::size_t i = 0; i < loop.torn.size(); ++i)
        if (!same_bits(values[loop.torn[i]], work.solution[i])) return false;
    for (std::size_t k = 0; k < work.inputs.size(); ++k)
        if (!same_bits(values[work.inputs[k]], work.input_values[k])) return false;
    return true;
}

void NumericLoopSolver::remember_solved(const Loop& loop, Work& work, const Interpreter& values) {
    work.solution.resize(loop.torn.size());
    for (std::size_t i = 0; i < loop.torn.size(); ++i) work.solution[i] = values[loop.torn[i]];
    work.solved = work.pure && !values.live_switches();
    if (!work.solved) return;
    for (std::size_t k = 0; k < work.inputs.size(); ++k) work.input_values[k] = values[work.inputs[k]];
}

void NumericLoopSolver::set_tolerance(double tolerance) {
    brief_error_ = std::clamp(part_of_tolerance * tolerance, rounding, largest_brief_error);
}

void NumericLoopSolver::forget_matrices() {
    for (Work& work : work_) {
        work.factored = work.solved = false;
        work.small.reset();
        work.unchecked = 0;
    }
}

void NumericLoopSolver::accepted(double time) {
    for (Work& work : work_) {
        if (!work.solver || work.solution.empty() || work.solved_at > time) continue;
        // If not at the end of the step, then inside it, where crossings are looked for.
        work.place = work.solution;
        work.place_inputs.clear();
        if (work.solved) work.place_inputs = work.input_values;
        work.following = true;
        if (work.solved_at != time) continue;
        if (work.points > 0 && time <= work.past[0].time) work.points = 0;
        std::rotate(work.past.begin(), work.past.end() - 1, work.past.end());
        work.past[0].time = time;
        work.past[0].solution = work.solution;
        work.points = std::min(work.points + 1, work.past.size());
    }
}

void NumericLoopSolver::keep_place(const Interpreter& values) {
    if (open_allowed_) keep_last(values);
    for (std::size_t i = 0; i < work_.size(); ++i) {
        if (!work_[i].solver) continue;
        Work& work = work_[i];
        work.place.clear();
        for (Slot slot : values.program().loops[i].torn) work.place.push_back(values[slot]);
        work.place_inputs.clear();
        for (Slot slot : work.inputs) work.place_inputs.push_back(values[slot]);
        work.following = true;
        if (work.small) work.small->forget_branch();
    }
}

void NumericLoopSolver::keep_last(const Interpreter& values) {
    if (!work_.empty()) last_.assign(values.values().begin(), values.values().end());
}

void NumericLoopSolver::take_last(const NumericLoopSolver& other) {
    open_allowed_ = other.open_allowed_;
    if (open_allowed_) last_ = other.last_;
}

std::vector<std::size_t> NumericLoopSolver::open_loops(const Section& section) const {
    std::vector<std::size_t> list;
    for (const Instruction& i : section.instructions)
        if (i.code == Code::Solve && work_[i.a].is_open) list.push_back(i.a);
    return list;
}

bool NumericLoopSolver::has_singular(const Section& section) const {
    return std::any_of(section.instructions.begin(), section.instructions.end(), [&](const Instruction& i) {
        return i.code == Code::Solve && work_[i.a].singular && !work_[i.a].is_open;
    });
}

std::size_t NumericLoopSolver::open_directions(std::size_t loop) const {
    return work_[loop].open->directions();
}

std::vector<Unknown> NumericLoopSolver::open_unknowns(std::size_t loop) const {
    return work_[loop].open->open_unknowns();
}

void NumericLoopSolver::forget_past() {
    for (Work& work : work_) {
        work.points = 0;
        work.unchecked = 0;
        work.following = false;
        if (work.small) work.small->forget_branch();
    }
}

void NumericLoopSolver::remember(const Program& program, MemoryStream& memory) {
    memory("open", open_allowed_);
    std::vector<double> last = open_allowed_ ? last_ : std::vector<double>();
    memory.list("last", last);
    if (!last.empty() && last.size() != program.layout.slots) memory.fail();
    if (memory.restores()) last_ = last;
    for (std::size_t i = 0; i < work_.size() && memory.good(); ++i)
        remember(program, program.loops[i], work_[i], memory);
}

void NumericLoopSolver::remember(const Program& program, const Loop& loop, Work& work, MemoryStream& memory) {
    const std::size_t n = loop.torn.size();
    const auto of_loop = [&](const std::vector<double>& list) {
        if (!list.empty() && list.size() != n) memory.fail();
    };
    memory("factored", work.factored);
    memory("factored small", work.small_factored);
    memory("unchecked", work.unchecked);
    memory("is open", work.is_open);
    if (work.is_open && !work.open) work.open = std::make_unique<OpenLoop>(program, loop);
    memory.list("solution", work.solution);
    memory("solved at", work.solved_at);
    memory("points", work.points);
    for (Work::Point& point : work.past) {
        memory("past time", point.time);
        memory.list("past", point.solution);
        of_loop(point.solution);
    }
    memory.list("place", work.place);
    memory.list("place inputs", work.place_inputs);
    memory("following", work.following);
    memory("ahead time", work.ahead.time);
    memory.list("ahead", work.ahead.solution);
    memory("input values", work.input_values);
    memory("solved", work.solved);
    memory("exact", work.exact);
    for (const auto* list : {&work.solution, &work.place, &work.ahead.solution}) of_loop(*list);
    if (!work.place_inputs.empty() && work.place_inputs.size() != work.inputs.size()) memory.fail();
    if (work.points > work.past.size()) memory.fail();
    for (std::size_t k = 0; k < work.points && k < work.past.size(); ++k)
        if (work.past[k].solution.size() != n) memory.fail();
    if (work.solved && work.solution.size() != n) memory.fail();
    memory("singular", work.singular);
    if (loop.linear || work.piecewise) {
        memory("coefficients", work.elements);
        work.small_lu.remember(memory);
        bool general = work.lu.size() == n && n > 0;
        memory("general", general);
        if (general) {
            if (memory.restores() && work.lu.size() != n) work.lu.set_pattern(jacobian_pattern(loop));
            work.lu.remember_pivots(memory);
            if (memory.restores() && memory.good() && work.factored && !work.small_factored && n > 1)
                work.factored = work.lu.factor(work.elements);
        }
        if (loop.linear) return;
    }
    bool solver = work.solver != nullptr, small = work.small.has_value();
    memory("has solver", solver);
    memory("has small", small);
    if (solver && !work.solver) work.solver = std::make_unique<NonlinearSolver>(pose(loop, work));
    if (solver) work.solver->remember(memory);
    if (small && !work.small) work.small.emplace(loop);
    if (small) work.small->remember(memory);
    if (memory.restores() && !solver) work.solver.reset();
    if (memory.restores() && !small) work.small.reset();
    work.evaluated = false;
}

bool NumericLoopSolver::go_unchecked(Work& work) const {
    return brief_ && !robust_ && work.unchecked > 0 && work.unchecked-- > 0;
}

// The torn unknowns are set: the others.
bool NumericLoopSolver::finish(const Loop& loop, Interpreter& values) const {
    return values.run(brief_ && !robust_ ? loop.rest : loop.residual);
}

// z(t) ≈ Σ z_i Π_{j≠i} (t - t_j)/(t_i - t_j) over the last two or three points, not too far beyond them.
bool NumericLoopSolver::predict(Work& work, double time) {
    if (robust_ || work.points < 2 || time == work.solved_at) return false;
    const auto& past = work.past;
    const double ahead = time - past[0].time, apart = past[0].time - past[1].time;
    if (!(ahead > 0) || ahead > 3 * apart) return false;
    bool known = weights_.time == time && weights_.points == work.points;
    for (std::size_t p = 0; p < work.points; ++p) known = known && weights_.past[p] == past[p].time;
    if (!known) {
        weights_.time = time;
        weights_.points = work.points;
        for (std::size_t p = 0; p < work.points; ++p) {
            double above = 1, below = 1;
            for (std::size_t q = 0; q < work.points; ++q) {
                if (q == p) continue;
                above *= time - past[q].time;
                below *= past[p].time - past[q].time;
            }
            weights_.past[p] = past[p].time;
            weights_.of[p] = above / below;
        }
    }
    std::fill(work.unknowns.begin(), work.unknowns.end(), 0.0);
    for (std::size_t p = 0; p < work.points; ++p)
        for (std::size_t i = 0; i < work.unknowns.size(); ++i)
            work.unknowns[i] += weights_.of[p] * past[p].solution[i];
    return true;
}

bool NumericLoopSolver::failed(const Loop& loop, std::string reason) {
    failure_ = Failure{&loop, std::move(reason)};
    return false;
}

std::string NumericLoopSolver::unknown_name(const Loop& loop, std::size_t i) const {
    const Unknown& u = loop.block->torn[i];
    return model_.path(u.variable) + (u.order ? "'" : "");
}

LoopResiduals::LoopResiduals(const Program& program, bool wanted, LoopSolver& others)
    : others_(others), first_(program.loops.size()) {
    if (!wanted) return;
    for (const Instruction& i : program.continuous.instructions) {
        if (i.code != Code::Solve) continue;
        const Loop& loop = program.loops[i.a];
        if (!loop.is_smooth()) continue;
        first_[i.a] = unknowns_.size();
        unknowns_.insert(unknowns_.end(), loop.torn.begin(), loop.torn.end());
        nominals_.insert(nominals_.end(), loop.nominal.begin(), loop.nominal.end());
        for (const Unknown& u : loop.block->torn) orders_.push_back(u.order);
    }
    values_.resize(unknowns_.size());
}

bool LoopResiduals::solve(const Loop& loop, std::size_t number, Interpreter& values) {
    if (!first_[number]) return others_.solve(loop, number, values);
    if (!values.run(loop.residual)) return false;
    for (std::size_t i = 0; i < loop.residual_slots.size(); ++i)
        values_[*first_[number] + i] = values[loop.residual_slots[i]];
    return true;
}

bool NumericLoopSolver::solve(const Loop& loop, std::size_t number, Interpreter& values) {
    values_ = &values;
    Work& work = work_[number];
    if (still_solved(loop, work, values)) {
        work.solved_at = values[time_];
        return finish(loop, values);
    }
    work.solved = work.is_open = false;
    if (open_allowed_ && last_.empty()) keep_last(values);
    const bool solved = loop.linear
                            ? solve_linear(loop, work, values)
                            : solve_piecewise(loop, work, values) || solve_nonlinear(loop, work, values);
    if (!solved) return false;
    remember_solved(loop, work, values);
    return true;
}

// Without success the unknowns are as before.
bool NumericLoopSolver::solve_piecewise(const Loop& loop, Work& work, Interpreter& values) {
    if (!work.piecewise || values.live_switches() || values.error()) return false;
    if (search_ && search_->wants(loop)) return false;
    const std::size_t n = loop.torn.size();
    work.guess.resize(n);
    for (std::size_t i = 0; i < n; ++i) work.guess[i] = values[loop.torn[i]];
    bool good = solve_linear(loop, work, values) && !values.error();
    work.singular = !good || work.is_open;
    for (std::size_t i = 0; i < n && good; ++i)
        good = values[loop.torn[i]] >= loop.minimum[i] && values[loop.torn[i]] <= loop.maximum[i];
    if (good) {
        work.exact = true;
        work.solved_at = values[time_];
        return true;
    }
    work.is_open = false;
    for (std::size_t i = 0; i < n; ++i) values[loop.torn[i]] = work.guess[i];
    return false;
}

bool NumericLoopSolver::regular(const Loop& loop, Interpreter& values) {
    if (!values.run(loop.residual) || !values.run(loop.jacobian)) return false;
    const std::size_t n = loop.torn.size();
    std::vector<double> jacobian(n * n, 0.0);
    for (const JacobianEntry& e : loop.jacobian_entries) jacobian[e.column * n + e.row] = values[e.slot];
    DenseLu lu;
    if (lu.factor(n, jacobian)) return true;
    const auto column = lu.singular_column();
    return failed(loop, column ? "its equations do not determine " + unknown_name(loop, *column)
                               : "its equations are dependent");
}

// a·z + r(0) = 0, as the general case but without its vectors.
bool NumericLoopSolver::solve_single(const Loop& loop, Work& work, Interpreter& values) {
    double& z = values[loop.torn[0]];
    const Slot residual = loop.residual_slots[0];
    z = 0;
    if (!values.run_trial(loop)) return false;
    if (!(loop.constant_matrix && work.factored)) {
        if (!values.run(loop.jacobian)) return false;
        work.elements[0] = values[loop.jacobian_entries[0].slot];
        work.factored = std::isfinite(work.elements[0]) && work.elements[0] != 0;
        ++statistics_.factorisations;
        if (!work.factored && !std::isfinite(work.elements[0]))
            return failed(loop, "a coefficient is not finite");
        if (!work.factored) {
            failed(loop, "its equations do not determine " + unknown_name(loop, 0));
            return solve_open(loop, work, values);
        }
    }
    const double a = work.elements[0], r0 = values[residual];
    if (!std::isfinite(r0)) return failed(loop, "a residual is not finite");
    const double first = -r0 / a;
    z = first;
    if (go_unchecked(work)) return finish(loop, values);
    if (!values.run(loop.residual)) return false;
    const double r = values[residual], size = std::abs(r0) + std::abs(a * first);
    if (!std::isfinite(r)) return failed(loop, "a residual is not finite");
    work.unchecked = std::abs(r) <= exact_enough * size ? most_unchecked : 0;
    if (std::abs(r) <= rounding_of_chain * size) return true;
    z = first - r / a;
    return finish(loop, values);
}

bool NumericLoopSolver::factor_linear(const Loop& loop, Work& work) {
    const std::size_t n = loop.torn.size();
    ++statistics_.factorisations;
    work.small_factored = n <= SmallLu::most;
    if (work.small_factored) {
        const auto fill = [&](SmallLu& lu) {
            for (std::size_t k = 0; k < work.elements.size(); ++k)
                lu.at(loop.jacobian_entries[k].row, loop.jacobian_entries[k].column) = work.elements[k];
        };
        work.small_factored = work.small_lu.factor_next(n, fill, clearly_regular);
        if (work.small_factored) return true;
    }
    if (work.lu.size() != n) work.lu.set_pattern(jacobian_pattern(loop));
    if (work.lu.factor(work.elements)) return true;
    if (!work.lu.finite()) return failed(loop, "a coefficient is not finite");
    const auto column = work.lu.singular_column();
    return failed(loop, column ? "its equations do not determine " + unknown_name(loop, *column)
                               : "its equations are dependent");
}

// The matrix is singular, which `failure` says.
bool NumericLoopSolver::solve_open(const Loop& loop, Work& work, Interpreter& values) {
    if (!open_allowed_) return false;
    if (!work.open) work.open = std::make_unique<OpenLoop>(values.program(), loop);
    const bool shifted = shift_ && &work_[shift_->loop] == &work;
    const OpenLoop::Outcome outcome =
        work.open->solve(work.elements, values, last_, brief_ && !robust_,
                         shifted ? std::optional(shift_->direction) : std::nullopt);
    work.unchecked = 0;
    if (outcome == OpenLoop::Outcome::Contradiction)
        return failed(loop, "its equations contradict each other");
    work.is_open = outcome == OpenLoop::Outcome::Solved;
    return work.is_open;
}

// In place of the right-hand side in `residuals`.
void NumericLoopSolver::solve_factored(Work& work) {
    if (!work.small_factored) return work.lu.solve(work.residuals);
    SmallLu::Vector right;
    std::copy(work.residuals.begin(), work.residuals.end(), right.begin());
    work.small_lu.solve(right.data(), work.residuals.data());
}

// A·z + r(0) = 0 from the residuals at zero; then one correction from the residuals at z.
bool NumericLoopSolver::solve_linear(const Loop& loop, Work& work, Interpreter& values) {
    const std::size_t n = loop.torn.size();
    ++statistics_.linear;
    if (n == 1 && loop.jacobian_entries.size() == 1) return solve_single(loop, work, values);
    const bool frozen =
        !loop.linear;  // its conditions have the same values for a while, and so has its matrix
    for (Slot slot : loop.torn) values[slot] = 0;
    if (!values.run_trial(loop)) return false;
    if (!(loop.constant_matrix && work.factored)) {
        if (!values.run(loop.jacobian)) return false;
        if (frozen) work.previous = work.elements;
        read_jacobian(loop, values, work.elements);
        if (!(frozen && work.factored && work.previous == work.elements)) {
            work.factored = factor_linear(loop, work);
            if (!work.factored) return solve_open(loop, work, values);
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        work.residuals[i] = -values[loop.residual_slots[i]];
        if (!std::isfinite(work.residuals[i])) return failed(loop, "a residual is not finite");
        work.terms[i] = std::abs(work.residuals[i]);
    }
    solve_factored(work);
    for (std::size_t i = 0; i < n; ++i) values[loop.torn[i]] = work.unknowns[i] = work.residuals[i];
    if (go_unchecked(work)) return finish(loop, values);
    if (!values.run(loop.residual)) return false;
    // Each residual is compared with the terms it is the sum of: to rounding it is zero.
    for (std::size_t i = 0; i < n; ++i) work.sizes[i] = work.terms[i];
    for (std::size_t k = 0; k < work.elements.size(); ++k) {
        const JacobianEntry& e = loop.jacobian_entries[k];
        work.sizes[e.row] += std::abs(work.elements[k] * work.unknowns[e.column]);
    }
    bool exact = true, enough = true;
    for (std::size_t i = 0; i < n; ++i) {
        work.residuals[i] = -values[loop.residual_slots[i]];
        exact &= std::abs(work.residuals[i]) <= rounding_of_chain * work.sizes[i];
        enough &= std::abs(work.residuals[i]) <= exact_enough * work.sizes[i];
        if (!std::isfinite(work.residuals[i])) return failed(loop, "a residual is not finite");
    }
    work.unchecked = enough ? most_unchecked : 0;
    if (exact) return true;
    solve_factored(work);
    for (std::size_t i = 0; i < n; ++i) values[loop.torn[i]] = work.unknowns[i] + work.residuals[i];
    return finish(loop, values);
}

bool NumericLoopSolver::evaluated_at(const Loop& loop, const Work& work, std::span<const double> x,
                                     const Interpreter& values) {
    if (!work.evaluated) return false;
    for (std::size_t i = 0; i < x.size(); ++i)
        if (!same_bits(values[loop.torn[i]], x[i])) return false;
    return true;
}

// Without success everything is as before.
bool NumericLoopSolver::follow_small(const Loop& loop, Work& work, Interpreter& values) {
    if (values.error()) return false;
    if (!work.small) work.small.emplace(loop);
    std::array<double, SmallLoop::most_unknowns> start;
    std::copy(work.unknowns.begin(), work.unknowns.end(), start.begin());
    const double error = brief_ ? brief_error_ : rounding;
    const bool found = work.small->follow(work.unknowns, error, values);
    statistics_.iterations += static_cast<std::size_t>(work.small->iterations());
    if (found) {
        work.exact = error <= rounding;
        for (std::size_t i = 0; i < work.unknowns.size(); ++i) values[loop.torn[i]] = work.unknowns[i];
        work.solved_at = values[time_];
        return true;
    }
    std::copy_n(start.begin(), work.unknowns.size(), work.unknowns.begin());
    values.clear_error();
    return false;
}

// The values that the other unknowns of the block have before the torn ones are tried.
void NumericLoopSolver::keep_inner(const Loop& loop, Work& work, const Interpreter& values) {
    if (work.inner.empty())
        for (const SolvedEquation& s : loop.block->inner)
            if (!model_.variables[s.unknown.variable].is_boolean())
                work.inner.push_back(slot_of(values.program().layout, s.unknown));
    work.inner_before.resize(work.inner.size());
    for (std::size_t i = 0; i < work.inner.size(); ++i) work.inner_before[i] = values[work.inner[i]];
}

// With all unknowns of the block iterated. Where shorter steps may help, only from the solution from which
// the run goes on, and not far from it: there may be another one.
bool NumericLoopSolver::solve_untorn(const Loop& loop, Work& work, Interpreter& values, bool all_methods) {
    if (loop.block->inner.empty() || (!robust_ && (work.place.empty() || loop.has_switches()))) return false;
    if (!work.untorn) work.untorn = std::make_unique<UntornSolver>(loop, values);
    std::vector<double> guess = robust_ ? work.guess : work.place;
    if (!robust_) {
        for (std::size_t i = 0; i < guess.size(); ++i) values[loop.torn[i]] = guess[i];
        if (!values.run(loop.residual)) return false;
        keep_inner(loop, work, values);
    }
    guess.insert(guess.end(), work.inner_before.begin(), work.inner_before.end());
    const bool solved = work.untorn->solve(values, guess, all_methods);
    statistics_.iterations += std::size_t(work.untorn->iterations());
    if (!solved) return false;
    for (std::size_t i = 0; i < loop.torn.size(); ++i) work.unknowns[i] = values[loop.torn[i]];
    if (!robust_ && is_far(loop, work)) return false;
    work.solved_at = values[time_];
    return true;
}

// By unknown: how large it is, here or where the run came from.
std::vector<double> NumericLoopSolver::sizes(const Loop& loop, const Work& work) {
    std::vector<double> list(loop.torn.size());
    for (std::size_t i = 0; i < list.size(); ++i)
        list[i] = std::max({std::abs(work.place[i]), std::abs(work.unknowns[i]), unseen * loop.nominal[i]});
    return list;
}

bool NumericLoopSolver::is_far(const Loop& loop, const Work& work) {
    const std::vector<double> size = sizes(loop, work);
    for (std::size_t i = 0; i < size.size(); ++i)
        if (std::abs(work.unknowns[i] - work.place[i]) > far_away * size[i]) return true;
    return false;
}

bool NumericLoopSolver::keep_branch(const Loop& loop, Work& work, Interpreter& values) {
    if (!work.following || work.place_inputs.empty() || !work.pure || loop.has_switches()) return true;
    const bool turned = work.small && work.small->turned();
    // What a trial step finds far away is judged at the end of the step.
    if (!turned && (!robust_ || !is_far(loop, work))) return true;
    const std::vector<double> size = sizes(loop, work);
    std::vector<double> z = work.place;
    const BranchEnd end =
        follow_branch({loop, *work.solver, work.inputs, work.place_inputs, size}, values, z);
    work.evaluated = false;
    if (values.error()) return false;
    if (end == BranchEnd::Ended) {
        // What was found may be the very end of the branch, at an edge with infinite slope.
        for (std::size_t i = 0; i < z.size(); ++i)
            if (!(std::abs(z[i] - work.unknowns[i]) <= end_of_branch * size[i])) return false;
        return true;
    }
    if (end == BranchEnd::Unknown) return true;
    // The same solution, but for rounding: as it was found.
    bool same = true;
    for (std::size_t i = 0; i < z.size(); ++i)
        same = same && std::abs(z[i] - work.unknowns[i]) <= same_solution * size[i];
    if (!same) work.unknowns = z;
    return true;
}

NonlinearProblem NumericLoopSolver::pose(const Loop& loop, Work& work) {
    NonlinearProblem problem;
    problem.n = loop.torn.size();
    problem.pattern = jacobian_pattern(loop);
    problem.nominal = loop.nominal;
    problem.lower = loop.minimum;
    problem.upper = loop.maximum;
    problem.residual = [this, &loop, &work](std::span<const double> x, std::span<double> f) {
        for (std::size_t i = 0; i < x.size(); ++i) (*values_)[loop.torn[i]] = x[i];
        work.evaluated = false;
        if (!values_->run(loop.residual)) {
            values_->forgive_point();
            return false;
        }
        work.evaluated = true;
        for (std::size_t i = 0; i < f.size(); ++i) f[i] = (*values_)[loop.residual_slots[i]];
        return true;
    };
    problem.jacobian = [this, &loop, &work](std::span<const double> x, std::span<double> j) {
        if (!evaluated_at(loop, work, x, *values_)) {
            for (std::size_t i = 0; i < x.size(); ++i) (*values_)[loop.torn[i]] = x[i];
            work.evaluated = values_->run(loop.residual);
        }
        if (!work.evaluated || !values_->run(loop.jacobian)) return false;
        read_jacobian(loop, *values_, j);
        return true;
    };
    return problem;
}

bool NumericLoopSolver::solve_nonlinear(const Loop& loop, Work& work, Interpreter& values) {
    const std::size_t n = loop.torn.size();
    if (!work.solver) work.solver = std::make_unique<NonlinearSolver>(pose(loop, work));
    if (search_ && search_->wants(loop)) {
        for (std::size_t i = 0; i < n; ++i) work.unknowns[i] = values[loop.torn[i]];
        if (search_->choose(loop, pose(loop, work), work.unknowns))
            for (std::size_t i = 0; i < n; ++i) values[loop.torn[i]] = work.unknowns[i];
        if (values.error()) return false;
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double guess = values[loop.torn[i]];
        work.unknowns[i] = std::isfinite(guess) ? guess : 0;
    }
    work.guess = work.unknowns;
    if (values[time_] < work.solved_at) work.ahead = {work.solved_at, work.solution};
    work.evaluated = false;
    work.exact = true;
    if (robust_) keep_inner(loop, work, values);
    ++statistics_.nonlinear;
    const auto only_rounding = [&](double noise_of_calls) {
        for (std::size_t i = 0; i < n; ++i) values[loop.torn[i]] = work.unknowns[i];
        work.evaluated = false;
        const bool rounding = residuals_are_rounding(loop, values, noise_of_calls);
        values.forgive_point();
        return rounding;
    };
    const auto settled = [&](const NonlinearResult& r) {
        return r.converged() && (!r.doubtful || only_rounding(noisy_calls));
    };
    const bool predicted = predict(work, values[time_]);
    if (!robust_ && SmallLoop::fits(loop) && follow_small(loop, work, values)) return finish(loop, values);
    const NonlinearResult* attempt = nullptr;
    bool solved = false;
    const auto take = [&](const NonlinearResult& result) {
        attempt = &result;
        statistics_.iterations += std::size_t(result.iterations);
        solved = settled(result);
    };
    const auto newton_from = [&](const std::vector<double>& x) {
        work.unknowns = x;
        take(work.solver->newton(work.unknowns));
    };
    const bool large = loop.block->size() >= large_loop && !loop.block->inner.empty();
    if (robust_ && large) {
        take(work.solver->newton(work.unknowns, NewtonWhere::Regular));
        if (!solved && !values.error() && solve_untorn(loop, work, values, false)) return true;
        if (!solved) work.unknowns = work.guess;
    }
    if (!solved) take(robust_ ? work.solver->solve(work.unknowns) : work.solver->follow(work.unknowns));
    if (predicted && !solved) newton_from(work.guess);
    // What a trial of the integrator found far from here may be another solution, from which no way leads
    // back. (With switches that are frozen no solution means that one is to be located.)
    const bool lost = !solved && !work.place.empty() && !loop.has_switches();
    if (lost && !values.error() && work.ahead.time == values[time_]) newton_from(work.ahead.solution);
    if (lost && !solved && !values.error()) newton_from(work.place);
    if (!solved && !values.error() && !only_rounding(1)) {
        // The last solution may be at or near a singular point (i*|i| = u at u = 0, sqrt(h) = u) that Newton
        // cannot leave: look a little to each side, and where no shorter step can help, less and less:
        // between the edges of two orifices in series there may be little room.
        NonlinearResult told = *attempt;  // that says most about the failure
        std::vector<double> its_end = work.unknowns;
        for (double side : {1e-3, -1e-3, 1e-6, -1e-6, 1e-9, -1e-9}) {
            if (solved || values.error() || (!robust_ && std::abs(side) < 1e-3)) break;
            std::vector<double> beside = work.guess;
            for (std::size_t i = 0; i < n; ++i) beside[i] += side * loop.nominal[i];
            newton_from(beside);
            solved = solved || only_rounding(1);
            const bool says_more = attempt->converged() || attempt->status == NonlinearStatus::Stalled;
            if (!solved && says_more && !told.converged() && told.status != NonlinearStatus::Stalled) {
                told = *attempt;
                its_end = work.unknowns;
            }
        }
        // A guess at which the equations say nothing (y**y = 4 at y = 0), or have no values: anywhere else.
        for (double side : elsewhere) {
            if (solved || values.error() || !robust_ || work.following) break;
            std::vector<double> point = loop.nominal;
            for (double& x : point) x *= side;
            newton_from(point);
        }
        if (!solved && !values.error() && solve_untorn(loop, work, values, robust_)) return true;
        if (!solved) {
            for (std::size_t i = 0; i < n; ++i) values[loop.torn[i]] = its_end[i];
            if (values.error() || !values.run(loop.residual)) return false;  // whose message says more
            std::string reason(explain(told.converged() ? NonlinearStatus::Stalled : told.status));
            if (told.status == NonlinearStatus::Singular && told.singular_column)
                reason += "; its equations do not determine " + unknown_name(loop, *told.singular_column);
            // A good guess next time.
            const std::vector<double>& good = lost ? work.place : work.guess;
            for (std::size_t i = 0; i < n && !robust_; ++i) values[loop.torn[i]] = good[i];
            return failed(loop, std::move(reason));
        }
    }
    const bool nearby = attempt->method == NonlinearMethod::Chord && attempt->converged();
    if (!nearby && !values.error() && !keep_branch(loop, work, values)) {
        for (std::size_t i = 0; i < n; ++i) values[loop.torn[i]] = work.place[i];
        if (values.error() || !values.run(loop.residual)) return false;
        return failed(loop, "the solution that the run came along ends here, others are far from it");
    }
    bool ran = evaluated_at(loop, work, work.unknowns, values);
    for (std::size_t i = 0; i < n; ++i) values[loop.torn[i]] = work.unknowns[i];
    if (values.error()) return false;
    if (!ran) ran = finish(loop, values);
    work.solved_at = values[time_];
    if (ran && robust_ && rounding_is_amplified(loop, work, values)) {
        const std::vector<double> torn = work.unknowns;
        if (!solve_untorn(loop, work, values, false)) {
            work.unknowns = torn;
            return finish(loop, values);
        }
    }
    return ran;
}

// A chain of assignments between the tearing variables may multiply rounding errors until the residuals at
// its end, though nothing more than that, are large against the terms of the equations.
bool NumericLoopSolver::rounding_is_amplified(const Loop& loop, Work& work, const Interpreter& values) {
    if (loop.block->inner.size() < short_chain || values.live_switches()) return false;
    double largest = 0, unknown = 0;
    for (Slot slot : loop.residual_slots) largest = std::max(largest, std::abs(values[slot]));
    for (std::size_t i = 0; i < loop.torn.size(); ++i)
        unknown = std::max({unknown, std::abs(values[loop.torn[i]]), std::abs(loop.nominal[i])});
    if (largest <= large_residual * unknown) return false;
    if (!work.untorn) work.untorn = std::make_unique<UntornSolver>(loop, values);
    return !work.untorn->holds(values);
}

}  // namespace cutset
