// The callbacks of an IvpProblem made safe to call from C: values that are not finite become recoverable
// failures, exceptions wait, interrupts are seen, calls are counted. Private to src/numerics.
#pragma once

#include <chrono>
#include <exception>
#include <optional>
#include <span>
#include <vector>

#include "numerics/integrators/integrator.h"

namespace cutset {

class IvpFunctions {
  public:
    explicit IvpFunctions(IvpProblem problem);

    const IvpProblem& problem() const { return problem_; }

    int rhs(double t, std::span<const double> x, std::span<double> dx) noexcept;
    // The same without regard to interrupts.
    int rhs_at_rest(double t, std::span<const double> x, std::span<double> dx) noexcept;
    int root_functions(double t, std::span<const double> x, std::span<double> g) noexcept;
    // values := the elements of the problem's sparse Jacobian.
    int jacobian(double t, std::span<const double> x, std::span<const double> fx,
                 std::span<double> values) noexcept;
    // J := df/dx by columns, full, by difference quotients with increments suited to the error weights and
    // the step `h`.
    int difference_quotients(double t, std::span<const double> x, std::span<const double> fx,
                             std::span<const double> weights, double h, std::span<double> jacobian) noexcept;

    // What `f` returns; -1 when it throws, which waits for `rethrow`.
    template <class F>
    int guarded(F f) noexcept {
        try {
            return f();
        } catch (...) {
            thrown_ = std::current_exception();
            return -1;
        }
    }

    // Forgets what happened in the last step.
    void begin_step();
    bool interrupt_requested() const;
    // It was requested, and the step at hand goes on for so long since that it cannot be waited for. A step
    // that is not broken off leaves an integrator that can go on to the bit.
    bool must_stop();
    bool interrupted() const { return interrupted_; }
    void rethrow();
    // In the last step `rhs` could not be evaluated somewhere, or asked to stop.
    bool evaluation_failed() const { return evaluation_failed_; }
    bool asked_to_stop() const { return asked_to_stop_; }
    std::optional<std::size_t> derivative_not_finite() const { return derivative_not_finite_; }
    std::optional<std::size_t> root_not_a_number() const { return root_not_a_number_; }

    // The time 0 of a method in that of the problem: 0, or where a phase with very short steps begins.
    double origin = 0;

    long rhs_evaluations = 0;
    long jacobians = 0;
    long factorizations = 0;
    long symbolic_analyses = 0;
    long root_evaluations = 0;
    long solves = 0;  // of those that are measured
    double jacobian_seconds = 0, factor_seconds = 0, solve_seconds = 0;

    // Adds the time of its life to a sum, when the problem asks for times.
    class Timer {
      public:
        Timer(const IvpFunctions& functions, double& sum)
            : functions_(functions), sum_(functions.problem_.measure_times ? &sum : nullptr) {
            if (sum_) begin();
        }
        // What is done very often, `count` times so far, is measured now and then: clocks take time too.
        Timer(const IvpFunctions& functions, double& sum, long& count)
            : functions_(functions), sum_(functions.problem_.measure_times ? &sum : nullptr) {
            if (!sum_) return;
            if (++count > 4 * every) weight_ = count % every == 0 ? every : 0;
            if (weight_ == 0) sum_ = nullptr;
            if (sum_) begin();
        }
        ~Timer() {
            if (!sum_) return;
            const std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - began_;
            *sum_ += weight_ * (seconds.count() - (waited() - waited_before_));
        }
        Timer(const Timer&) = delete;
        Timer& operator=(const Timer&) = delete;

      private:
        static constexpr int every = 16;

        void begin() {
            waited_before_ = waited();
            began_ = std::chrono::steady_clock::now();
        }
        double waited() const { return functions_.problem_.waited ? functions_.problem_.waited() : 0; }

        const IvpFunctions& functions_;
        double* sum_;
        int weight_ = 1;
        double waited_before_ = 0;
        std::chrono::steady_clock::time_point began_;
    };

  private:
    IvpProblem problem_;
    bool interrupted_ = false;
    std::optional<std::chrono::steady_clock::time_point> request_seen_;  // in this step
    bool evaluation_failed_ = false;
    bool asked_to_stop_ = false;
    std::exception_ptr thrown_;
    std::optional<std::size_t> derivative_not_finite_;
    std::optional<std::size_t> root_not_a_number_;
    std::vector<double> shifted_;
};

}  // namespace cutset
