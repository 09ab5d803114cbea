// Branches of stationary points: how they move with one parameter or input, through folds (follow_curve.h).
//
// The whole initialization problem is one system here: its tearing variables z of all blocks and the
// parameter p, with
//     0 = Q dp + E dz
// from the Program (LinearizedEquations of initialization). At each point the motion is linearised too: where
// a real eigenvalue passes zero the branch folds or meets another, where a pair passes the imaginary axis an
// oscillation is born (Hopf).
#pragma once

#include <complex>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "numerics/nonlinear/follow_curve.h"
#include "operations/points/steady.h"

namespace cutset {

enum class BranchEvent {
    None,
    Fold,      // p turns back
    Hopf,      // a pair of eigenvalues passes the imaginary axis
    Crossing,  // a real eigenvalue passes zero without a fold: another branch crosses
};
const char* word(BranchEvent event);

struct BranchPoint {
    double parameter = 0;
    std::vector<double> values;                     // by variable of the model
    std::vector<std::complex<double>> eigenvalues;  // nearest to instability first; empty when not judged
    Stability stability = Stability::NotJudged;
    BranchEvent event = BranchEvent::None;
};

struct BranchOptions {
    double from = 0, to = 1;
    double longest = 0.02;  // step, of the range
    std::size_t most_points = 2000;
    SteadyOptions steady;
};

struct Branch {
    std::shared_ptr<const Program> program;
    VariableIndex parameter;
    std::vector<BranchPoint> points;
    CurveEnd end = CurveEnd::Lost;
    std::optional<VariableIndex> bound;  // the variable whose bound ended the branch
};

// From the stationary point at `from`. `parameter` is a path, as for leave_open. Empty without a first point;
// failures are reported.
Branch follow_branch(FlatModel model, const StaticQuestion& question, const std::string& parameter,
                     const BranchOptions& options, Diagnostics& diagnostics);

}  // namespace cutset
