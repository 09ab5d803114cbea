#include "control/descriptor.h"

#include <Eigen/LU>
#include <Eigen/SVD>

namespace cutset {

namespace {

constexpr double rank_limit = 1e-12;

// [A11 A12; A21 A22] with the first `order` unknowns differentiated; the rest are eliminated. Nothing when
// A22 is singular.
std::optional<StateSpace> eliminate(const StateSpace& s, Eigen::Index order) {
    const Eigen::Index rest = s.A.rows() - order;
    if (rest == 0) return s;
    Eigen::FullPivLU<Eigen::MatrixXd> lu(s.A.bottomRightCorner(rest, rest));
    lu.setThreshold(rank_limit);  // of the largest pivot
    if (!lu.isInvertible()) return std::nullopt;
    const Eigen::MatrixXd from_states = lu.solve(s.A.bottomLeftCorner(rest, order));
    const Eigen::MatrixXd from_inputs = lu.solve(s.B.bottomRows(rest));
    StateSpace out = s;
    out.A = s.A.topLeftCorner(order, order) - s.A.topRightCorner(order, rest) * from_states;
    out.B = s.B.topRows(order) - s.A.topRightCorner(order, rest) * from_inputs;
    out.C = s.C.leftCols(order) - s.C.rightCols(rest) * from_states;
    out.D = s.D - s.C.rightCols(rest) * from_inputs;
    out.states.resize(static_cast<std::size_t>(order));
    return out;
}

}  // namespace

std::optional<StateSpace> reduce_descriptor(const StateSpace& system, const Eigen::MatrixXd& E) {
    const Eigen::Index n = system.A.rows();
    if (n == 0) return system;
    if (E.isDiagonal(0)) {
        // Differentiated states first, in their order.
        Eigen::PermutationMatrix<Eigen::Dynamic> order(n);
        Eigen::Index next = 0;
        StateSpace s = system;
        s.states.clear();
        for (bool differentiated : {true, false})
            for (Eigen::Index i = 0; i < n; ++i)
                if ((E(i, i) != 0) == differentiated) {
                    order.indices()[next++] = static_cast<int>(i);
                    s.states.push_back(system.states[static_cast<std::size_t>(i)]);
                }
        s.A = order.transpose() * system.A * order;
        s.B = order.transpose() * system.B;
        s.C = system.C * order;
        Eigen::Index count = 0;
        for (Eigen::Index i = 0; i < n; ++i) {
            const double e = E(order.indices()[i], order.indices()[i]);
            if (e == 0) continue;
            s.A.row(i) /= e;
            s.B.row(i) /= e;
            ++count;
        }
        return eliminate(s, count);
    }
    Eigen::FullPivLU<Eigen::MatrixXd> lu(E);
    lu.setThreshold(rank_limit);
    if (lu.isInvertible()) {
        StateSpace s = system;
        s.A = lu.solve(system.A);
        s.B = lu.solve(system.B);
        return s;
    }
    const Eigen::JacobiSVD<Eigen::MatrixXd> svd(E, Eigen::ComputeFullU | Eigen::ComputeFullV);
    const Eigen::VectorXd& sizes = svd.singularValues();
    Eigen::Index rank = 0;
    while (rank < n && sizes[rank] > rank_limit * sizes[0]) ++rank;
    StateSpace s = system;
    s.A = svd.matrixU().transpose() * system.A * svd.matrixV();
    s.B = svd.matrixU().transpose() * system.B;
    s.C = system.C * svd.matrixV();
    for (Eigen::Index i = 0; i < rank; ++i) {
        s.A.row(i) /= sizes[i];
        s.B.row(i) /= sizes[i];
    }
    s.states.clear();
    for (Eigen::Index i = 0; i < n; ++i) s.states.push_back("x" + std::to_string(i + 1));
    return eliminate(s, rank);
}

}  // namespace cutset
