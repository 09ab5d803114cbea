#include "operations/linear/linearization_study.h"

#include <algorithm>
#include <cmath>

#include "operations/linearize/linearize_messages.h"

namespace cutset {

namespace {

constexpr std::size_t most_modes = 2000;  // states for which eigenvalues are computed
constexpr double moving = 1e-6;           // of the size of a state per second: worth a note

void note_motion(const Linearization& l, Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < l.derivatives.size(); ++i)
        if (std::abs(l.derivatives[i]) > moving * std::max(1.0, std::abs(l.x[i]))) {
            diagnostics.report(linearize_messages::not_steady(l.states[i], l.derivatives[i]));
            return;
        }
}

}  // namespace

double LinearizationStudy::residual() const {
    double largest = 0;
    for (double rate : model.linear.derivatives) largest = std::max(largest, std::abs(rate));
    return largest;
}

std::optional<LinearizationStudy> linearization_study(LinearQuestion question, Workspace& workspace) {
    auto model = linear_model(workspace, std::move(question));
    if (!model) return std::nullopt;
    LinearizationStudy study{std::move(*model), {}};
    const Linearization& l = study.model.linear;
    if (!l.E) {
        if (l.states.size() <= most_modes) study.modes = modes(Eigen::MatrixXd(l.A));
        note_motion(l, workspace.diagnostics);
    }
    return study;
}

}  // namespace cutset
