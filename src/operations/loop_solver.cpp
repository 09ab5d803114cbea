#include "operations/loop_solver.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>

namespace cutset {

namespace {

SparsePattern pattern_of(const Loop& loop) {
    SparsePattern pattern;
    pattern.rows = pattern.columns = loop.torn.size();
    pattern.starts.assign(pattern.columns + 1, 0);
    for (const JacobianEntry& e : loop.jacobian_entries) {
        ++pattern.starts[e.column + 1];
        pattern.row.push_back(e.row);
    }
    for (std::size_t j = 0; j < pattern.columns; ++j) pattern.starts[j + 1] += pattern.starts[j];
    return pattern;
}

void read_jacobian(const Loop& loop, const Interpreter& values, std::span<double> elements) {
    for (std::size_t k = 0; k < elements.size(); ++k) elements[k] = values[loop.jacobian_entries[k].slot];
}

}  // namespace

NumericLoopSolver::NumericLoopSolver(const Program& program, const FlatModel& model)
    : model_(model), time_(program.layout.time), work_(program.loops.size()) {
    for (std::size_t i = 0; i < work_.size(); ++i) {
        const std::size_t n = program.loops[i].torn.size();
        work_[i].elements.resize(program.loops[i].jacobian_entries.size());
        work_[i].sizes.resize(n);
        work_[i].terms.resize(n);
        work_[i].unknowns.resize(n);
        work_[i].residuals.resize(n);
    }
}

void NumericLoopSolver::forget_matrices() {
    for (Work& work : work_) work.factored = false;
}

void NumericLoopSolver::accepted(double time) {
    for (Work& work : work_) {
        if (!work.solver || work.solved_at != time) continue;
        if (work.points > 0 && time <= work.newer_time) work.points = 0;
        work.older.swap(work.newer);
        work.older_time = work.newer_time;
        work.newer = work.solution;
        work.newer_time = time;
        work.points = std::min(work.points + 1, 2);
    }
}

void NumericLoopSolver::forget_past() {
    for (Work& work : work_) work.points = 0;
}

// z ≈ z₁ + (z₁ - z₀)·(t - t₁)/(t₁ - t₀), not too far beyond the two points.
bool NumericLoopSolver::predict(Work& work, double time) const {
    if (robust_ || work.points < 2 || time == work.solved_at) return false;
    const double ahead = time - work.newer_time, apart = work.newer_time - work.older_time;
    if (!(ahead > 0) || ahead > 3 * apart) return false;
    for (std::size_t i = 0; i < work.unknowns.size(); ++i)
        work.unknowns[i] = work.newer[i] + (work.newer[i] - work.older[i]) * (ahead / apart);
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
        if (loop.has_switches()) continue;
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
    return loop.linear ? solve_linear(loop, work, values) : solve_nonlinear(loop, work, values);
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

// A·z + r(0) = 0 from the residuals at zero; then one correction from the residuals at z.
bool NumericLoopSolver::solve_linear(const Loop& loop, Work& work, Interpreter& values) {
    const std::size_t n = loop.torn.size();
    ++statistics_.linear;
    for (Slot slot : loop.torn) values[slot] = 0;
    if (!values.run(loop.residual)) return false;
    if (!(loop.constant_matrix && work.factored)) {
        if (!values.run(loop.jacobian)) return false;
        read_jacobian(loop, values, work.elements);
        if (work.lu.size() != n) work.lu.set_pattern(pattern_of(loop));
        work.factored = work.lu.factor(work.elements);
        ++statistics_.factorisations;
        if (!work.factored) {
            if (!work.lu.finite()) return failed(loop, "a coefficient is not finite");
            const auto column = work.lu.singular_column();
            return failed(loop, column ? "its equations do not determine " + unknown_name(loop, *column)
                                       : "its equations are dependent");
        }
    }
    for (std::size_t i = 0; i < n; ++i) {
        work.residuals[i] = -values[loop.residual_slots[i]];
        if (!std::isfinite(work.residuals[i])) return failed(loop, "a residual is not finite");
        work.terms[i] = std::abs(work.residuals[i]);
    }
    work.lu.solve(work.residuals);
    for (std::size_t i = 0; i < n; ++i) values[loop.torn[i]] = work.unknowns[i] = work.residuals[i];
    if (!values.run(loop.residual)) return false;
    // Each residual is compared with the terms it is the sum of: to rounding it is zero.
    for (std::size_t i = 0; i < n; ++i) work.sizes[i] = work.terms[i];
    for (std::size_t k = 0; k < work.elements.size(); ++k) {
        const JacobianEntry& e = loop.jacobian_entries[k];
        work.sizes[e.row] += std::abs(work.elements[k] * work.unknowns[e.column]);
    }
    bool exact = true;
    for (std::size_t i = 0; i < n; ++i) {
        work.residuals[i] = -values[loop.residual_slots[i]];
        exact &= std::abs(work.residuals[i]) <= 2 * std::numeric_limits<double>::epsilon() * work.sizes[i];
        if (!std::isfinite(work.residuals[i])) return failed(loop, "a residual is not finite");
    }
    if (exact) return true;
    work.lu.solve(work.residuals);
    for (std::size_t i = 0; i < n; ++i) values[loop.torn[i]] = work.unknowns[i] + work.residuals[i];
    return values.run(loop.residual);
}

namespace {

// Whether each residual is no more than the rounding of its own evaluation: of the terms that it is the sum
// of, and of what they are computed from. Near a multiple root (i*|i| = u at u = 0), or where a small
// resistance makes large currents of small differences of voltages, no step can make it smaller.
bool only_rounding(const Loop& loop, const Interpreter& values) {
    // By slot: a bound of the error, as a multiple of the unit of rounding; looked up only.
    std::unordered_map<Slot, double> errors;
    const auto error = [&](Slot slot) {
        const auto found = errors.find(slot);
        return found == errors.end() ? std::abs(values[slot]) : found->second;
    };
    const std::vector<Instruction>& code = loop.residual.instructions;
    for (std::size_t at = 0; at < code.size();) {
        const Instruction& i = code[at++];
        const auto size = [&](Slot slot) { return std::abs(values[slot]); };
        switch (i.code) {
            case Code::Jump:
                at = std::max<std::size_t>(at, i.to);
                break;
            case Code::JumpFalse:
                if (values[i.a] == 0) at = std::max<std::size_t>(at, i.to);
                break;
            case Code::Switch:
                errors[i.to] = 0;
                at = std::max<std::size_t>(at, i.b);
                break;
            case Code::Copy:
            case Code::Negate:
                errors[i.to] = error(i.a);
                break;
            case Code::Add:
            case Code::Subtract:
                errors[i.to] = error(i.a) + error(i.b) + size(i.to);
                break;
            case Code::Multiply:
                errors[i.to] = error(i.a) * size(i.b) + size(i.a) * error(i.b) + size(i.to);
                break;
            case Code::Divide:
                errors[i.to] = (error(i.a) + size(i.to) * error(i.b)) / size(i.b) + size(i.to);
                break;
            default:
                errors[i.to] = size(i.to);
                break;
        }
    }
    return std::all_of(loop.residual_slots.begin(), loop.residual_slots.end(), [&](Slot slot) {
        return std::abs(values[slot]) <= 4 * std::numeric_limits<double>::epsilon() * error(slot);
    });
}

}  // namespace

bool NumericLoopSolver::solve_nonlinear(const Loop& loop, Work& work, Interpreter& values) {
    const std::size_t n = loop.torn.size();
    if (!work.solver) {
        NonlinearProblem problem;
        problem.n = n;
        problem.pattern = pattern_of(loop);
        problem.nominal = loop.nominal;
        problem.lower = loop.minimum;
        problem.upper = loop.maximum;
        problem.residual = [this, &loop](std::span<const double> x, std::span<double> f) {
            for (std::size_t i = 0; i < x.size(); ++i) (*values_)[loop.torn[i]] = x[i];
            if (!values_->run(loop.residual)) return false;
            for (std::size_t i = 0; i < f.size(); ++i) f[i] = (*values_)[loop.residual_slots[i]];
            return true;
        };
        problem.jacobian = [this, &loop](std::span<const double> x, std::span<double> j) {
            for (std::size_t i = 0; i < x.size(); ++i) (*values_)[loop.torn[i]] = x[i];
            if (!values_->run(loop.residual) || !values_->run(loop.jacobian)) return false;
            read_jacobian(loop, *values_, j);
            return true;
        };
        work.solver = std::make_unique<NonlinearSolver>(std::move(problem));
    }
    for (std::size_t i = 0; i < n; ++i) {
        const double guess = values[loop.torn[i]];
        work.unknowns[i] = std::isfinite(guess) ? guess : 0;
    }
    const std::vector<double> guess = work.unknowns;
    ++statistics_.nonlinear;
    const bool predicted = predict(work, values[time_]);
    const NonlinearResult* attempt =
        robust_ ? &work.solver->solve(work.unknowns) : &work.solver->newton(work.unknowns);
    statistics_.iterations += std::size_t(attempt->iterations);
    if (predicted && !attempt->converged()) {
        work.unknowns = guess;
        attempt = &work.solver->newton(work.unknowns);
        statistics_.iterations += std::size_t(attempt->iterations);
    }
    // The last solution may be at or near a singular point (i*|i| = u at u = 0) that Newton cannot leave:
    // look a little to each side.
    for (double side : {1e-3, -1e-3}) {
        if (attempt->converged() || attempt->status == NonlinearStatus::NotFinite) break;
        for (std::size_t i = 0; i < n; ++i) work.unknowns[i] = guess[i] + side * loop.nominal[i];
        attempt = &work.solver->newton(work.unknowns);
        statistics_.iterations += std::size_t(attempt->iterations);
    }
    const NonlinearResult& result = *attempt;
    for (std::size_t i = 0; i < n; ++i) values[loop.torn[i]] = work.unknowns[i];
    if (values.error()) return false;
    const bool ran = values.run(loop.residual);
    // Interpreted, because machine code leaves no temporaries to look at.
    if (!result.converged() && !(ran && values.interpret(loop.residual) && only_rounding(loop, values))) {
        std::string reason(explain(result.status));
        if (result.status == NonlinearStatus::Singular && result.singular_column)
            reason += "; its equations do not determine " + unknown_name(loop, *result.singular_column);
        for (std::size_t i = 0; i < n && !robust_; ++i)
            values[loop.torn[i]] = guess[i];  // a good guess next time
        return failed(loop, std::move(reason));
    }
    work.solved_at = values[time_];
    work.solution = work.unknowns;
    return ran;
}

}  // namespace cutset
