// Responses in time, exact at the points of a uniform grid (matrix exponential), and what a step response
// tells.
#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "control/transfer_function.h"

namespace cutset {

struct TimeResponse {
    std::vector<double> time;
    Eigen::MatrixXd outputs;  // a row for each time
    Eigen::MatrixXd slopes;   // dy/dt; empty when sampled
};

struct ResponseGrid {
    double step = 0;
    Eigen::Index points = 0;  // times 0, step, ..., (points - 1) step
    double duration() const { return step * static_cast<double>(points - 1); }
};
// Long enough for the slowest mode to settle and fine enough for those that matter; `duration` and `points`
// as asked for. A sampled system has the grid of its samples.
std::optional<ResponseGrid> response_grid(const StateSpace& system, std::optional<double> duration,
                                          std::optional<Eigen::Index> points, Diagnostics& diagnostics);
// The same by the poles of transfer functions; long enough for chains of equal lags, which take the sum of
// their time constants.
std::optional<ResponseGrid> response_grid(const std::vector<TransferFunction>& functions,
                                          std::optional<double> duration, std::optional<Eigen::Index> points,
                                          Diagnostics& diagnostics);

// The response to a unit step (impulse) of one input, from rest. The impulse of a sampled system has height
// 1; a direct term D of a continuous system would give an infinite impulse at t = 0, which is left out.
// `delay` (s, continuous systems): everything happens so much later.
std::optional<TimeResponse> step_response(const StateSpace& system, Eigen::Index input,
                                          const ResponseGrid& grid, double delay = 0);
// The same with more points after the beginning, down to the time scale of the fastest mode: for
// `step_information`.
std::optional<TimeResponse> detailed_step_response(const StateSpace& system, Eigen::Index input,
                                                   const ResponseGrid& grid);
std::optional<TimeResponse> impulse_response(const StateSpace& system, Eigen::Index input,
                                             const ResponseGrid& grid, double delay = 0);
// Without inputs, from the state x0.
std::optional<TimeResponse> initial_response(const StateSpace& system, const Eigen::VectorXd& x0,
                                             const ResponseGrid& grid);

// What becomes of a step response in the end.
enum class StepEnd { Settles, Oscillates, Grows };
// Of one input and output: only poles that both see count.
StepEnd step_end(const StateSpace& system, Eigen::Index input, Eigen::Index output);
StepEnd step_end(const TransferFunction& g);

struct StepInformation {
    StepEnd end = StepEnd::Settles;
    double final_value = 0;                 // G(0); not a number when the response does not settle
    std::optional<double> rise_time;        // from 10 % to 90 % of the final value
    std::optional<double> settling_time;    // from when on within 2 % of the final value
    std::optional<double> overshoot;        // %
    std::optional<double> undershoot;       // %: to the other side
    std::optional<double> peak, peak_time;  // the largest |y| and when
};
// Of one output. Only `final_value` and the peak when the response does not settle.
StepInformation step_information(const TimeResponse& response, Eigen::Index output, double final_value,
                                 StepEnd end);

}  // namespace cutset
