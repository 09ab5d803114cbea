// Divisors that pass through zero in a run. What is divided by them has a pole there, which neither a row of
// results nor a step of the integrator need show: an explicit method steps over it, an implicit one finds a
// solution of its equations behind it. Where the derivatives of the states have a pole the run ends, because
// what lies behind is not the continuation of what went before; where only other variables have one that is
// warned of.
//
// Looked at are divisions, tan (its divisor is a cosine) and the determinants of small linear systems: all of
// them from row to row, those of the derivatives that are linear in states and time from step to step. A
// divisor inside a branch of a choice is left alone, because the choice may be there to avoid its zero, and
// so is one whose zero is cancelled: where the whole right-hand side stays bounded.
#pragma once

#include <cstddef>
#include <limits>
#include <optional>
#include <span>
#include <unordered_set>
#include <utility>
#include <vector>

#include "numerics/linear/small_lu.h"
#include "run/instant.h"

namespace cutset {

class Poles {
  public:
    explicit Poles(Instant& now);

    // A row with these values, to be the one of this number in the results; rows at one instant are those of
    // an event, where divisors may jump. False when the run ends, which is reported.
    bool look(const Interpreter& values, std::size_t row);
    // The end of a step; the same.
    bool look_at_step(double t, std::span<const double> x) { return steps_.empty() || find_in_step(t, x); }
    // An event, or the start: what follows does not go on from what was seen last.
    void forget_step() { step_known_ = false; }

  private:
    // A formula with divisors.
    struct Formula {
        Expr value = nullptr;
        Origin origin;
        bool moves_states = false;
        std::vector<Expr> leaves;
        std::vector<double> last;  // their values in the last row
        bool told = false;
    };
    struct Divisor {
        std::size_t formula = 0;
        Expr expression = nullptr;
        bool cosine = false;                                           // of the expression
        double last = 0;                                               // in the last row
        double second_last = std::numeric_limits<double>::infinity();  // infinite after an event
    };
    // One that is constant + Σ coefficients · (states, time).
    struct InSteps {
        std::size_t divisor = 0;
        double constant = 0;
        std::vector<std::pair<std::size_t, double>> coefficients;  // by state; time behind the last
        double last = 0;
    };
    // A linear loop.
    struct Matrix {
        const Loop* loop = nullptr;
        bool moves_states = false;
        int sign = 0;  // of its determinant in the last row
        bool told = false;
    };

    void collect(Expr root, const Origin& origin, bool moves_states, std::unordered_set<Expr>& seen);
    void find_divisors_of_steps();
    void take_coefficients();
    bool find_in_step(double t, std::span<const double> x);
    double value(const Divisor& d, const Environment& environment) const;
    bool look_at_matrices(const Interpreter& values, bool follows, double time);
    int determinant_sign(const Loop& loop, const Interpreter& values);
    // Between the last values of the leaves of its formula and these.
    enum class Height { Bounded, Unbounded, Unknown };
    static Height judge(std::optional<double> far, std::optional<double> near);
    Height height(const Divisor& d, std::span<const double> before, std::span<const double> after) const;
    // The same of the solution of a linear system whose determinant changes sign, along the straight line
    // between the states of the last row and these.
    Height height(const Loop& loop, int sign_before, const Interpreter& values);
    bool report(const Divisor& d, Height height, double time);

    Instant& now_;
    std::vector<Formula> formulas_;
    std::vector<Divisor> divisors_;
    std::vector<InSteps> steps_;
    std::vector<Matrix> matrices_;
    SmallLu lu_;
    std::size_t last_row_ = 0;
    double last_time_ = 0;
    std::vector<double> row_states_;  // in the last row, where there are matrices
    bool step_known_ = false;
    double step_time_ = 0;
    std::vector<double> step_states_, step_before_;  // at the ends of the last two steps
};

}  // namespace cutset
