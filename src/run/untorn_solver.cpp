#include "run/untorn_solver.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <utility>

#include "run/loop_pattern.h"
#include "run/pool_lock.h"
#include "run/rounding_errors.h"

namespace cutset {

namespace {

constexpr double satisfied = 1e-10;  // of the terms of an equation

std::unique_ptr<const UntornLoop> make_untorn(const Program& program, const Block& block) {
    const std::lock_guard lock(pool_lock());
    return generate_untorn(program, block);
}

}  // namespace

UntornSolver::UntornSolver(const Loop& loop, const Interpreter& values)
    : untorn_(make_untorn(values.program(), *loop.block)),
      values_(untorn_->program, values.hooks()),
      solver_(pose()),
      x_(unknowns().size()) {}

NonlinearProblem UntornSolver::pose() {
    NonlinearProblem problem;
    problem.n = loop().torn.size();
    problem.pattern = jacobian_pattern(loop());
    problem.nominal = loop().nominal;
    problem.lower = loop().minimum;
    problem.upper = loop().maximum;
    problem.residual = [this](std::span<const double> x, std::span<double> f) {
        for (std::size_t i = 0; i < x.size(); ++i) values_[loop().torn[i]] = x[i];
        if (!values_.run(loop().residual)) {
            values_.forgive_point();
            return false;
        }
        for (std::size_t i = 0; i < f.size(); ++i) f[i] = values_[loop().residual_slots[i]];
        return true;
    };
    problem.jacobian = [this](std::span<const double> x, std::span<double> j) {
        for (std::size_t i = 0; i < x.size(); ++i) values_[loop().torn[i]] = x[i];
        if (!values_.run(loop().residual) || !values_.run(loop().jacobian)) return false;
        for (std::size_t k = 0; k < j.size(); ++k) j[k] = values_[loop().jacobian_entries[k].slot];
        return true;
    };
    return problem;
}

// All quantities of the program that the block was taken from.
void UntornSolver::take_known(const Interpreter& values) {
    std::copy_n(values.values().begin(), values.program().layout.constants, &values_[0]);
    values_.set_hooks(values.hooks());
    values_.set_live_switches(values.live_switches());
    values_.clear_error();
}

bool UntornSolver::holds(const Interpreter& values) {
    take_known(values);
    for (Slot slot : unknowns()) values_[slot] = values[slot];
    if (!values_.run(loop().residual) || !values_.run(loop().jacobian)) return true;  // it cannot tell
    std::vector<double> terms(unknowns().size());
    for (const JacobianEntry& e : loop().jacobian_entries)
        terms[e.row] += std::abs(values_[e.slot] * values_[unknowns()[e.column]]);
    for (std::size_t i = 0; i < terms.size(); ++i)
        if (std::abs(values_[loop().residual_slots[i]]) > satisfied * terms[i]) return false;
    return true;
}

bool UntornSolver::solve(Interpreter& values, std::span<const double> guess, bool all_methods) {
    take_known(values);
    for (std::size_t i = 0; i < x_.size(); ++i) x_[i] = std::isfinite(guess[i]) ? guess[i] : 0;
    const NonlinearResult& result = all_methods ? solver_.solve(x_) : solver_.newton(x_);
    iterations_ = result.iterations;
    const bool converged = result.converged() && !values_.error();
    for (std::size_t i = 0; i < x_.size(); ++i) values_[unknowns()[i]] = x_[i];
    if (!converged || !values_.run(loop().residual)) return false;
    if (result.doubtful && !residuals_are_rounding(loop(), values_, 1)) return false;
    for (Slot slot : unknowns()) values[slot] = values_[slot];
    for (const SolvedEquation& s : untorn_->block.inner) {
        const Slot slot = values.program().layout.variable[s.unknown.variable.value];
        values[slot] = values_[slot];
    }
    return true;
}

}  // namespace cutset
