// A point of a model: the values of all variables at the solution of its initialization, and the
// linearised motion around it.
#pragma once

#include <complex>
#include <optional>
#include <utility>
#include <vector>

#include "control/modes.h"
#include "run/simulate.h"

namespace cutset {

class LoopSearch;

struct InitialPoint {
    double time = 0;
    std::vector<double> values;         // by variable of Partition::model
    std::vector<VariableIndex> states;  // those that were chosen where there is a choice
    std::vector<double> derivatives;    // of the states
    Eigen::MatrixXd matrix;             // ∂x'/∂x; empty when there are too many states, or a failure
    bool steep = false;                 // an element is infinite, or so large that it may be
};

// The initialization of the Program, without a motion; nothing when it fails, which is reported. With
// `search`, the solutions of nonlinear loops are chosen by it (solution_search.h). Programs with a Jacobian
// give an exact matrix.
std::optional<InitialPoint> operating_point(const Program& program, const SimulateOptions& options,
                                            LoopSearch* search, Diagnostics& diagnostics);

inline constexpr std::size_t most_states_judged = 1500;  // the matrix is dense

enum class Stability {
    Stable,
    Unstable,
    Undamped,     // no eigenvalue on the right, a pair or several on the imaginary axis
    Indifferent,  // none on the right, one at zero: a free integrator
    Edge,         // the eigenvalue that decides is zero as far as it can be told: higher terms decide
    Held,         // where the equations jump: friction that sticks, a relay that slides
    NoStates,
    NotJudged,
};
const char* word(Stability stability);

struct StabilityReport {
    Stability stability = Stability::NotJudged;
    std::vector<Mode> modes;           // nearest to instability first
    std::optional<std::size_t> worst;  // the mode that decides, unless stable
};
bool is_zero(const std::vector<Mode>& modes, std::size_t i);  // up to rounding
StabilityReport judge(const InitialPoint& point, bool with_participation = true);

}  // namespace cutset
