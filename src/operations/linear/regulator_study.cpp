#include "operations/linear/regulator_study.h"

#include <fmt/format.h>

#include "control/state_space_messages.h"
#include "operations/linear/linear_messages.h"
#include "operations/linear/weights.h"

namespace cutset {

namespace {

// A weight that was not given is the unit matrix, and a note says so.
std::optional<NamedWeight> weight(const std::string& text, const char* option,
                                  const std::vector<std::string>& names, const char* what,
                                  const std::vector<std::string>& alternatives, const char* other,
                                  Diagnostics& diagnostics) {
    if (!text.empty()) return read_weight(text, option, names, what, alternatives, other, diagnostics);
    diagnostics.report(linear_messages::default_weight(option, what));
    const Eigen::Index n = Eigen::Index(names.size());
    return NamedWeight{Eigen::MatrixXd::Identity(n, n), false};
}

std::optional<QuadraticCost> read_cost(const CostRequest& options, const StateSpace& system,
                                       Diagnostics& diagnostics) {
    const auto Q = weight(options.Q, "Q", system.states, "states", system.outputs, "outputs", diagnostics);
    const auto R = weight(options.R, "R", system.inputs, "inputs", {}, "", diagnostics);
    if (!Q || !R) return {};
    if (!check_weight(
            R->matrix, "R", system.B.cols(), "inputs", !system.is_sampled(),
            "each input, and each combination of inputs, must cost something: give positive weights in --R",
            diagnostics))
        return {};
    QuadraticCost cost{Q->matrix, R->matrix, {}};
    if (Q->of_alternatives) {
        if (!check_weight(Q->matrix, "Q", system.C.rows(), "outputs", false,
                          "a negative weight would reward deviations: the cost has no minimum then",
                          diagnostics))
            return {};
        cost = output_cost(system, Q->matrix, R->matrix);
    }
    if (!options.N.empty()) {
        const auto N = read_matrix(options.N, "N", diagnostics);
        if (!N) return {};
        Eigen::MatrixXd cross = *N;
        if (cross.rows() == system.B.cols() && cross.cols() == system.order() && cross.rows() != cross.cols())
            cross.transposeInPlace();
        if (cross.rows() != system.order() || cross.cols() != system.B.cols()) {
            diagnostics.report(
                linear_messages::wrong_cross_weight(N->rows(), N->cols(), system.order(), system.B.cols()));
            return {};
        }
        cost.N = cost.N.size() > 0 ? Eigen::MatrixXd(cost.N + cross) : cross;
    }
    return cost;
}

std::optional<NoiseModel> read_noise(const NoiseRequest& options, const char* process,
                                     const char* measurement, const StateSpace& system,
                                     Diagnostics& diagnostics) {
    const auto W =
        weight(options.process, process, system.states, "states", system.inputs, "inputs", diagnostics);
    const auto V = weight(options.measurement, measurement, system.outputs, "outputs", {}, "", diagnostics);
    if (!W || !V) return {};
    if (!W->of_alternatives) return NoiseModel{W->matrix, V->matrix, {}};
    if (!check_weight(W->matrix, fmt::format("{} (process noise)", process), system.B.cols(), "inputs", false,
                      "a covariance has no negative eigenvalues", diagnostics) ||
        !check_weight(V->matrix, fmt::format("{} (measurement noise)", measurement), system.C.rows(),
                      "outputs", !system.is_sampled(), "each measurement has some noise", diagnostics))
        return {};
    return input_noise(system, W->matrix, V->matrix);
}

std::optional<StateSpace> open_plant(const LinearRequest& request, Workspace& workspace, Signals needed) {
    auto system = open_state_space(request, workspace, needed);
    if (!system || !check_system(*system, workspace.diagnostics)) return std::nullopt;
    return system;
}

}  // namespace

std::optional<LqrStudy> lqr_study(const LqrRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_plant(request, workspace, Signals::NotNeeded);
    const auto cost = system ? read_cost(request.cost, *system, diagnostics) : std::nullopt;
    const auto regulator = cost ? design_lqr(*system, *cost, diagnostics) : std::nullopt;
    if (!regulator) return std::nullopt;
    return LqrStudy{*system, *cost, *regulator};
}

std::optional<KalmanStudy> kalman_study(const KalmanRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_plant(request, workspace, Signals::NotNeeded);
    const auto noise = system ? read_noise(request.noise, "Q", "R", *system, diagnostics) : std::nullopt;
    const auto filter = noise ? design_kalman(*system, *noise, diagnostics) : std::nullopt;
    if (!filter) return std::nullopt;
    return KalmanStudy{*system, *filter};
}

std::optional<LqgStudy> lqg_study(const LqgRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_plant(request, workspace, Signals::Needed);
    const auto cost = system ? read_cost(request.cost, *system, diagnostics) : std::nullopt;
    const auto noise = cost ? read_noise(request.noise, "W", "V", *system, diagnostics) : std::nullopt;
    const auto feedback = noise ? design_lqr(*system, *cost, diagnostics) : std::nullopt;
    const auto filter = feedback ? design_kalman(*system, *noise, diagnostics) : std::nullopt;
    const auto lqg = filter ? design_lqg(*system, *feedback, *filter, diagnostics) : std::nullopt;
    if (!lqg) return std::nullopt;
    return LqgStudy{*system, *feedback, *filter, *lqg};
}

std::optional<PlacementStudy> placement_study(const PlacementRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_plant(request, workspace, Signals::NotNeeded);
    const auto wanted = system ? read_poles(request.poles, diagnostics) : std::nullopt;
    const auto placement = wanted ? place_poles(*system, *wanted, diagnostics) : std::nullopt;
    if (!placement) return std::nullopt;
    return PlacementStudy{*system, *placement};
}

}  // namespace cutset
