#include "control/descriptor.h"

#include "control/decompositions.h"

namespace cutset {

namespace {

constexpr double rank_limit = 1e-12;

// [A11 A12; A21 A22] with the first `order` unknowns differentiated; the rest are eliminated. Nothing when
// A22 is singular.
std::optional<StateSpace> eliminate(const StateSpace& s, Eigen::Index order) {
    const Eigen::Index rest = s.A.rows() - order;
    if (rest == 0) return s;
    const auto lu = CompletePivoting::factor(s.A.bottomRightCorner(rest, rest), rank_limit);
    if (!lu) return std::nullopt;
    const Eigen::MatrixXd from_states = lu->solve(s.A.bottomLeftCorner(rest, order));
    const Eigen::MatrixXd from_inputs = lu->solve(s.B.bottomRows(rest));
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
        std::vector<Eigen::Index> order;
        StateSpace s = system;
        s.states.clear();
        for (bool differentiated : {true, false})
            for (Eigen::Index i = 0; i < n; ++i)
                if ((E(i, i) != 0) == differentiated) {
                    order.push_back(i);
                    s.states.push_back(system.states[static_cast<std::size_t>(i)]);
                }
        Eigen::Index count = 0;
        for (Eigen::Index i = 0; i < n; ++i) {
            const Eigen::Index from = order[static_cast<std::size_t>(i)];
            const double e = E(from, from) == 0 ? 1 : E(from, from);
            for (Eigen::Index j = 0; j < n; ++j)
                s.A(i, j) = system.A(from, order[static_cast<std::size_t>(j)]) / e;
            s.B.row(i) = system.B.row(from) / e;
            s.C.col(i) = system.C.col(from);
            if (E(from, from) != 0) ++count;
        }
        return eliminate(s, count);
    }
    if (const auto lu = CompletePivoting::factor(E, rank_limit)) {
        StateSpace s = system;
        s.A = lu->solve(system.A);
        s.B = lu->solve(system.B);
        return s;
    }
    const SingularValues svd = singular_values(E);
    const Eigen::VectorXd& sizes = svd.values;
    Eigen::Index rank = 0;
    while (rank < n && sizes[rank] > rank_limit * sizes[0]) ++rank;
    StateSpace s = system;
    s.A = svd.U.transpose() * system.A * svd.V;
    s.B = svd.U.transpose() * system.B;
    s.C = system.C * svd.V;
    for (Eigen::Index i = 0; i < rank; ++i) {
        s.A.row(i) /= sizes[i];
        s.B.row(i) /= sizes[i];
    }
    s.states.clear();
    for (Eigen::Index i = 0; i < n; ++i) s.states.push_back("x" + std::to_string(i + 1));
    return eliminate(s, rank);
}

}  // namespace cutset
