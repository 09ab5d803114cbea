// Regulators and observers for a linear system with weights and poles given by name: linear-quadratic
// regulator, Kalman filter, both together, pole placement. Each gives the system it was designed for with the
// design.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "control/pole_placement.h"
#include "control/regulator.h"
#include "operations/linear/linear_source.h"

namespace cutset {

// Weights as text (operations/linear/weights.h); empty: the unit matrix, and a note says so.
struct CostRequest {
    std::string Q, R, N;  // of states or outputs, of inputs, of products
};
struct NoiseRequest {
    std::string process, measurement;  // covariances: of states or inputs, of outputs
};

struct LqrRequest : LinearRequest {
    CostRequest cost;
};
struct LqrStudy {
    StateSpace system;
    QuadraticCost cost;
    Regulator regulator;
};
// Nothing when errors were reported; so with all of these.
std::optional<LqrStudy> lqr_study(const LqrRequest& request, Workspace& workspace);

struct KalmanRequest : LinearRequest {
    NoiseRequest noise;
};
struct KalmanStudy {
    StateSpace system;
    KalmanFilter filter;
};
std::optional<KalmanStudy> kalman_study(const KalmanRequest& request, Workspace& workspace);

struct LqgRequest : LinearRequest {
    CostRequest cost;
    NoiseRequest noise;
};
struct LqgStudy {
    StateSpace system;
    Regulator feedback;
    KalmanFilter filter;
    LqgRegulator lqg;
    double residual() const { return std::max(feedback.residual, filter.residual); }
};
std::optional<LqgStudy> lqg_study(const LqgRequest& request, Workspace& workspace);

struct PlacementRequest : LinearRequest {
    std::vector<std::string> poles;  // lists such as "-1, -2+3i, -2-3i"
};
struct PlacementStudy {
    StateSpace system;
    PolePlacement placement;
};
std::optional<PlacementStudy> placement_study(const PlacementRequest& request, Workspace& workspace);

}  // namespace cutset
