#include "operations/linear/response_study.h"

#include <algorithm>
#include <cmath>

#include "control/chain_realization.h"
#include "control/connections.h"
#include "control/state_space_messages.h"
#include "control/transfer_realization.h"
#include "operations/linear/linear_messages.h"
#include "operations/linear/weights.h"

namespace cutset {

namespace {

// In state space, where responses are computed; of transfer functions with their elements, which know their
// final values and poles exactly, and delays apart, which only shift a response in time.
struct RespondingSystem {
    StateSpace system;
    std::vector<std::vector<TransferFunction>> elements;  // by output, by input; empty of a state space
    std::vector<std::vector<double>> delays;              // s, by output, by input; empty: none

    double delay(Eigen::Index y, Eigen::Index u) const { return delays.empty() ? 0 : delays[y][u]; }
    double longest_delay() const {
        double longest = 0;
        for (const auto& row : delays)
            for (double d : row) longest = std::max(longest, d);
        return longest;
    }
};

std::optional<RespondingSystem> open_responding(const ResponseRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const bool initial = request.kind == ResponseKind::Initial;
    auto source = open_linear(request, workspace, initial ? Signals::NotNeeded : Signals::Needed);
    if (!source) return std::nullopt;
    RespondingSystem out;
    auto* g = std::get_if<ExactTransferMatrix>(&*source);
    if (!g) {
        out.system = std::get<StateSpace>(std::move(*source));
        return out;
    }
    if (g->has_delays() && !initial && !g->sample_time)
        for (auto& row : g->delays) {
            out.delays.emplace_back();
            for (Rational& delay : row) {
                out.delays.back().push_back(Coefficient(delay).value());
                delay = 0;
            }
        }
    report_cancelled(*g, diagnostics);
    if (initial) {
        auto realized = realize(*g, diagnostics);
        if (!realized) return std::nullopt;
        out.system = std::move(*realized);
        return out;
    }
    auto found = realizable_elements(*g, diagnostics);
    if (!found) return std::nullopt;
    out.elements = std::move(*found);
    out.system = chain_realization(out.elements);
    out.system.inputs = g->inputs;
    out.system.outputs = g->outputs;
    return out;
}

std::optional<Eigen::VectorXd> initial_states(const ResponseRequest& request, const StateSpace& system,
                                              Diagnostics& diagnostics) {
    if (request.kind != ResponseKind::Initial) return Eigen::VectorXd::Zero(system.order());
    if (request.start.empty()) {
        diagnostics.report(
            linear_messages::no_initial_states(system.states.empty() ? "x" : system.states[0]));
        return std::nullopt;
    }
    const auto weight = read_weight(request.start, "from", system.states, "states", {}, "", diagnostics);
    if (!weight) return std::nullopt;
    if (weight->matrix.rows() != system.order()) {
        diagnostics.report(linear_messages::wrong_number_of_states(weight->matrix.rows(), system.order()));
        return std::nullopt;
    }
    return weight->matrix.diagonal();
}

std::optional<ResponseGrid> time_grid(const ResponseRequest& request, const RespondingSystem& s,
                                      Diagnostics& diagnostics) {
    std::optional<Eigen::Index> points;
    if (request.points) points = *request.points;
    std::vector<TransferFunction> functions;
    for (const auto& row : s.elements) functions.insert(functions.end(), row.begin(), row.end());
    auto grid = s.elements.empty() ? response_grid(s.system, request.duration, points, diagnostics)
                                   : response_grid(functions, request.duration, points, diagnostics);
    const double longest = s.longest_delay();
    if (grid && longest > 0 && !request.duration) {
        // As long as without the delay, after it.
        const double length = grid->duration() + longest;
        grid->step = std::max(std::min(grid->step, longest / 20), length / 20000);
        grid->points = static_cast<Eigen::Index>(std::ceil(length / grid->step)) + 1;
    }
    return grid;
}

// What a step response tells of one channel; `gains` of a state space.
StepInformation information_of(const RespondingSystem& s, const TimeResponse& detailed,
                               const Eigen::MatrixXd& gains, Eigen::Index y, Eigen::Index u) {
    const bool by_matrices = s.elements.empty();
    // G(0), sampled G(1).
    const double final_value =
        by_matrices ? gains(y, u) : s.elements[y][u].at(s.system.is_sampled() ? 1.0 : 0.0).real();
    const StepEnd end = by_matrices ? step_end(s.system, u, y) : step_end(s.elements[y][u]);
    StepInformation information = step_information(detailed, y, final_value, end);
    if (information.peak_time) *information.peak_time += s.delay(y, u);
    if (information.settling_time) *information.settling_time += s.delay(y, u);
    return information;
}

}  // namespace

std::optional<ResponseStudy> response_study(const ResponseRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto responding = open_responding(request, workspace);
    if (!responding || !check_system(responding->system, diagnostics)) return std::nullopt;
    const StateSpace& system = responding->system;
    if (request.points && *request.points < 2) {
        diagnostics.report(linear_messages::too_few_points());
        return std::nullopt;
    }
    const auto x0 = initial_states(request, system, diagnostics);
    const auto grid = x0 ? time_grid(request, *responding, diagnostics) : std::nullopt;
    if (!grid) return std::nullopt;

    const ResponseKind kind = request.kind;
    ResponseStudy study{kind, system.inputs, system.outputs, system.sample_time, {}, {}};
    const Eigen::MatrixXd gains =
        kind == ResponseKind::Step && responding->elements.empty() ? dc_gain(system) : Eigen::MatrixXd();
    const Eigen::Index runs = kind == ResponseKind::Initial ? 1 : system.B.cols();
    for (Eigen::Index u = 0; u < runs; ++u) {
        const auto response = kind == ResponseKind::Step      ? step_response(system, u, *grid)
                              : kind == ResponseKind::Impulse ? impulse_response(system, u, *grid)
                                                              : initial_response(system, *x0, *grid);
        if (!response || !response->outputs.allFinite()) {
            diagnostics.report(linear_messages::response_overflow());
            return std::nullopt;
        }
        const auto detailed =
            kind == ResponseKind::Step ? detailed_step_response(system, u, *grid) : response;
        if (!detailed) return std::nullopt;
        study.time = response->time;
        for (Eigen::Index y = 0; y < system.C.rows(); ++y) {
            const double delay = kind == ResponseKind::Initial ? 0 : responding->delay(y, u);
            const auto shifted = delay == 0                   ? response
                                 : kind == ResponseKind::Step ? step_response(system, u, *grid, delay)
                                                              : impulse_response(system, u, *grid, delay);
            if (!shifted) return std::nullopt;
            Response one;
            one.output = system.outputs[y];
            if (kind != ResponseKind::Initial) one.input = system.inputs[u];
            const bool many = kind != ResponseKind::Initial && system.B.cols() > 1;
            one.name = many ? channel_name(one.output, one.input) : one.output;
            one.values.assign(shifted->outputs.col(y).data(), shifted->outputs.col(y).data() + grid->points);
            if (kind == ResponseKind::Step)
                one.information = information_of(*responding, *detailed, gains, y, u);
            if (kind == ResponseKind::Impulse && !system.is_sampled() && system.D(y, u) != 0)
                diagnostics.report(linear_messages::impulse_at_start(one.output, system.D(y, u), one.input));
            study.responses.push_back(std::move(one));
        }
    }
    return study;
}

Plot response_plot(const ResponseStudy& study) {
    Plot plot;
    plot.x_label = "time";
    plot.x_unit = "s";
    for (const Response& r : study.responses) {
        Curve curve;
        curve.label = r.name;
        curve.x = study.time;
        curve.y = r.values;
        curve.held = study.sample_time.has_value();
        plot.curves.push_back(std::move(curve));
    }
    return plot;
}

}  // namespace cutset
