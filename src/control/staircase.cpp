#include "control/staircase.h"

#include <algorithm>

#include "control/decompositions.h"
#include "control/modes.h"
#include "control/row_compression.h"
#include "control/scaling.h"

namespace cutset {

namespace {

constexpr Eigen::Index largest_for_distances = 150;

// Largest number by which ranks are judged.
double size_of(const Eigen::MatrixXd& A, const Eigen::MatrixXd& B) {
    const double a = A.size() ? A.norm() : 0, b = B.size() ? B.norm() : 0;
    return std::max(a, b);
}

// Eigenvalues of the part that is not reached, each with the states of the mode of the whole system next to
// it.
std::vector<FixedMode> fixed_modes(const StateSpace& system, const Staircase& form) {
    std::vector<FixedMode> out;
    const Eigen::Index n = system.order(), left = n - form.reached;
    if (left == 0) return out;
    const Eigen::MatrixXd rest = form.A.bottomRightCorner(left, left);
    const auto values = poles(rest, system.sample_time);
    const auto whole = modes(system.A, system.sample_time);
    if (!values || !whole) return out;
    std::vector<bool> used(whole->size());
    for (const auto& value : *values) {
        FixedMode mode{value, {}};
        std::size_t nearest = whole->size();
        for (std::size_t i = 0; i < whole->size(); ++i)
            if (!used[i] && (nearest == whole->size() || std::abs((*whole)[i].eigenvalue - value) <
                                                             std::abs((*whole)[nearest].eigenvalue - value)))
                nearest = i;
        if (nearest < whole->size()) {
            used[nearest] = true;
            for (const Participant& p : participants((*whole)[nearest])) mode.states.push_back(p.state);
        }
        out.push_back(std::move(mode));
    }
    return out;
}

std::vector<ControllabilityReport::Distance> hautus_distances(const StateSpace& scaled_system) {
    std::vector<ControllabilityReport::Distance> out;
    const Eigen::Index n = scaled_system.order(), m = scaled_system.B.cols();
    if (n == 0 || n > largest_for_distances) return out;
    const auto values = poles(scaled_system.A, scaled_system.sample_time);
    if (!values) return out;
    for (const auto& value : *values) {
        if (value.imag() < 0) {  // as its conjugate before it
            out.push_back({value, out.empty() ? 0 : out.back().distance});
            continue;
        }
        Eigen::MatrixXcd pencil(n, n + m);
        pencil << scaled_system.A.cast<std::complex<double>>() - value * Eigen::MatrixXcd::Identity(n, n),
            scaled_system.B.cast<std::complex<double>>();
        const Eigen::VectorXd s = singular_values(pencil);
        out.push_back({value, s[0] > 0 ? s[n - 1] / s[0] : 0});
    }
    return out;
}

}  // namespace

StateSpace dual(const StateSpace& system) {
    StateSpace out;
    out.A = system.A.transpose();
    out.B = system.C.transpose();
    out.C = system.B.transpose();
    out.D = system.D.transpose();
    out.states = system.states;
    out.inputs = system.outputs;
    out.outputs = system.inputs;
    out.sample_time = system.sample_time;
    return out;
}

Staircase controllability_staircase(const StateSpace& system, double tolerance) {
    const Eigen::Index n = system.order();
    const SystemScaling scaling = scaling_of(system);
    const StateSpace s = scaled(system, scaling);
    Staircase out;
    out.A = s.A;
    out.B = s.B;
    out.scale = scaling.states;
    out.Q = Eigen::MatrixXd::Identity(n, n);
    const double size = size_of(s.A, s.B);
    out.smallest_kept = 1;
    Eigen::Index done = 0, previous = 0;
    while (done < n) {
        // What the states reached last (or the inputs) put into the states not reached yet.
        const Eigen::MatrixXd block =
            out.stairs.empty() ? Eigen::MatrixXd(out.B)
                               : Eigen::MatrixXd(out.A.block(done, previous, n - done, done - previous));
        if (block.size() == 0) break;
        const RowCompression compression(block);
        const Eigen::VectorXd& values = compression.singular_values();
        const Eigen::Index rank = compression.rank(tolerance * size);
        if (rank > 0) out.smallest_kept = std::min(out.smallest_kept, values[rank - 1] / size);
        if (rank < values.size()) out.largest_dropped = std::max(out.largest_dropped, values[rank] / size);
        if (rank == 0) break;
        compression.apply_left(out.A.bottomRows(n - done));
        compression.apply_right(out.A.rightCols(n - done));
        compression.apply_left(out.B.bottomRows(n - done));
        compression.apply_right(out.Q.rightCols(n - done));
        out.stairs.push_back(rank);
        previous = done;
        done += rank;
    }
    out.reached = done;
    out.A.bottomLeftCorner(n - done, done).setZero();
    out.B.bottomRows(n - done).setZero();
    if (out.stairs.empty()) out.smallest_kept = 0;
    return out;
}

std::vector<Eigen::Index> controllability_indices(const StateSpace& system, CrateSearch search,
                                                  double tolerance) {
    const StateSpace s = scaled(system, scaling_of(system));
    const Eigen::Index n = s.order(), m = s.B.cols();
    const double size = size_of(s.A, s.B);
    std::vector<Eigen::Index> length(m);
    Eigen::MatrixXd basis(n, n);
    Eigen::Index count = 0;
    // The part of v that is new becomes a further basis vector: A^k b_j differs from it only by earlier
    // vectors of the crate, so that A times it serves for the next power.
    const auto extend = [&](Eigen::VectorXd v) -> bool {
        for (int pass = 0; pass < 2 && count > 0; ++pass)
            v -= basis.leftCols(count) * (basis.leftCols(count).transpose() * v);
        const double norm = v.norm();
        if (count == n || !(norm > tolerance * size)) return false;
        basis.col(count++) = v / norm;
        return true;
    };
    std::vector<Eigen::Index> last(m, -1);
    const auto next = [&](Eigen::Index j) {
        if (!extend(last[j] < 0 ? Eigen::VectorXd(s.B.col(j)) : Eigen::VectorXd(s.A * basis.col(last[j]))))
            return false;
        last[j] = count - 1;
        ++length[j];
        return true;
    };
    if (search == CrateSearch::Columns) {
        for (Eigen::Index j = 0; j < m; ++j)
            while (next(j)) {
            }
        return length;
    }
    std::vector<bool> ended(m);
    for (bool any = true; any;) {
        any = false;
        for (Eigen::Index j = 0; j < m; ++j) {
            if (ended[j]) continue;
            if (next(j))
                any = true;
            else
                ended[j] = true;
        }
    }
    return length;
}

std::vector<FixedMode> uncontrollable_modes(const StateSpace& system, double tolerance) {
    return fixed_modes(system, controllability_staircase(system, tolerance));
}

ControllabilityReport examine_controllability(const StateSpace& system, double tolerance) {
    const Staircase form = controllability_staircase(system, tolerance);
    ControllabilityReport out;
    out.order = system.order();
    out.rank = form.reached;
    out.smallest_kept = form.smallest_kept;
    out.largest_dropped = form.largest_dropped;
    out.indices = controllability_indices(system, CrateSearch::Rows, tolerance);
    out.fixed = fixed_modes(system, form);
    out.distances = hautus_distances(scaled(system, scaling_of(system)));
    return out;
}

ControllabilityReport examine_observability(const StateSpace& system, double tolerance) {
    return examine_controllability(dual(system), tolerance);
}

}  // namespace cutset
