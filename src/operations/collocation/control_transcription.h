// Optimal control as a nonlinear program: direct collocation at Radau points.
//
//     minimise   φ(T, x(T), u(T), p)
//     subject to x' = f(t, x, u, p) on [t0, t0 + T],   x(t0) = s(p)
//                a <= c(t, x, u, p) <= b along the path,   a <= e(T, x(T), u(T), p) <= b at the end
//
// Unknowns are the states at the initial time and at the collocation points, the inputs at the collocation
// points, the parameters p and, if it is free, the duration T. All functions are outputs of the model;
// integrals are states. Derivatives are exact: the Jacobian by ModelFunctions, the Hessian by
// SecondDerivatives.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "numerics/nonlinear/collocation.h"
#include "numerics/optimizer.h"
#include "operations/collocation/second_derivatives.h"
#include "run/model_functions.h"

namespace cutset {

struct Interval {
    double lower = -unlimited, upper = unlimited;
    bool fixed() const { return lower == upper; }
};

// A condition on an output of the model, along the whole path or at the end.
struct ControlCondition {
    std::string text;  // as the modeller wrote it
    std::size_t output = 0;
    Interval range;
    bool at_end = false;
    bool added = false;  // by the method; these come last
};

struct ControlProblem {
    std::size_t inputs = 0;        // of the open parameters of the model the first; the others are constants
    std::vector<Interval> open;    // bounds by open parameter
    std::vector<double> guess;     // by open parameter
    std::vector<Interval> states;  // bounds by state
    std::vector<double> scale;     // sizes by state
    std::vector<double> open_scale;  // sizes by open parameter
    double start = 0;                // t0
    Interval duration;               // T
    double duration_guess = 1;
    std::size_t objective = 0;  // output
    double sign = 1;            // -1: maximise
    std::vector<ControlCondition> conditions;
    std::vector<double> initial;  // x(t0)
    bool start_depends = false;   // x(t0) changes with the parameters
    // Added to the objective: this times the mean square of how inputs vary in and between intervals, in
    // units of their sizes. Where inputs make no difference to first order (singular arcs) it keeps them
    // smooth.
    double smoothing = 0;
};

// Values at the nodes of a mesh, by interval: what a solution consists of.
struct ControlSolution {
    std::vector<double> mesh;  // fractions of the duration, from 0 to 1
    std::size_t stages = 0;
    std::vector<double> states;  // x(t0), then by interval and collocation point
    std::vector<double> inputs;  // by interval and collocation point
    std::vector<double> parameters;
    double duration = 0;
};

class ControlTranscription {
  public:
    ControlTranscription(ModelFunctions& functions, SecondDerivatives* second, const ControlProblem& problem,
                         std::size_t stages, std::vector<double> mesh);

    // Refers to this object. Without `exact` the Hessian is left to quasi-Newton updates.
    NonlinearProgram program(const ControlSolution& guess, bool exact);
    ControlSolution solution(std::span<const double> x) const;

    // The part of the objective that is due to ControlProblem::smoothing.
    double smoothing(std::span<const double> x) const;

    std::size_t intervals() const { return mesh_.size() - 1; }
    const CollocationScheme& scheme() const { return scheme_; }
    // The constraints are: defects by interval, point and state; conditions along the path by interval and
    // point; conditions at the end; the initial conditions.
    std::size_t path_row(std::size_t interval, std::size_t point, std::size_t condition) const;
    std::size_t end_row(std::size_t condition) const { return end_rows_ + condition; }
    const std::vector<std::size_t>& path_conditions() const { return path_; }
    const std::vector<std::size_t>& end_conditions() const { return end_; }
    double time_fraction(std::size_t interval, std::size_t point) const;
    std::size_t defect_rows() const { return intervals() * scheme_.stages * n_; }
    double constraint_scale(std::size_t row) const { return row_scale_[row]; }

  private:
    // Remembers where each visited element goes; the same visits later bring the values.
    class Places {
      public:
        void add(std::size_t row, std::size_t column) { visited_.emplace_back(column, row); }
        SparsePattern finish(std::size_t rows, std::size_t columns);
        std::size_t operator[](std::size_t visit) const { return place_[visit]; }

      private:
        std::vector<std::pair<std::size_t, std::size_t>> visited_;
        std::vector<std::size_t> place_;
    };
    struct Point {
        std::vector<double> rows;      // f, then g
        std::vector<double> elements;  // of the Jacobian
        std::vector<double> by_time;   // f, then g; empty when the duration is fixed
    };

    std::size_t x_index(std::size_t interval, std::size_t node, std::size_t s) const;
    std::size_t open_index(std::size_t interval, std::size_t point, std::size_t p) const;
    bool free_duration() const { return !problem_.duration.fixed(); }
    double duration(std::span<const double> x) const;
    double fraction_length(std::size_t interval) const { return mesh_[interval + 1] - mesh_[interval]; }
    bool go_to(std::span<const double> x, std::size_t interval, std::size_t point);
    bool evaluate(std::span<const double> x, bool derivatives);
    bool evaluate_start(std::span<const double> x, bool derivatives);
    void find_scales();
    template <class Visit>
    void visit_jacobian(std::span<const double> x, Visit visit) const;
    template <class Visit>
    void visit_smoothing(Visit visit) const;
    template <class Visit>
    void visit_row(std::size_t interval, std::size_t point, std::size_t model_row, double factor,
                   Visit visit) const;
    template <class Visit>
    void visit_hessian_places(Visit visit) const;
    bool hessian(std::span<const double> x, double factor, std::span<const double> multipliers,
                 std::span<double> values);

    ModelFunctions& functions_;
    SecondDerivatives* second_;
    const ControlProblem& problem_;
    CollocationScheme scheme_;
    std::vector<double> mesh_;
    std::size_t n_, m_, constants_;  // states, inputs, constant parameters
    std::vector<std::size_t> path_, end_;
    std::size_t path_rows_ = 0, end_rows_ = 0, start_rows_ = 0, constraint_count_ = 0, variable_count_ = 0;
    std::vector<double> scale_, row_scale_;                                     // by variable, by constraint
    std::vector<std::vector<std::pair<std::uint32_t, std::uint32_t>>> by_row_;  // column, element of pattern
    std::vector<Point> points_;
    std::vector<double> start_, start_matrix_;
    std::vector<double> last_;  // where points_ was evaluated
    bool last_derivatives_ = false, last_good_ = false;
    Places jacobian_places_, hessian_places_;
    std::vector<double> state_, open_, weights_, point_hessian_;
};

}  // namespace cutset
