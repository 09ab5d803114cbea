#include "control/scaling.h"

#include <cmath>

namespace cutset {

double power_of_two(double x) {
    return x > 0 && std::isfinite(x) ? std::exp2(std::round(std::log2(x))) : 1;
}

SystemScaling scaling_of(const StateSpace& system) {
    const Eigen::Index n = system.A.rows(), m = system.B.cols(), p = system.C.rows();
    SystemScaling out{Eigen::VectorXd::Ones(n), Eigen::VectorXd::Ones(m), Eigen::VectorXd::Ones(p)};
    Eigen::MatrixXd A = system.A.cwiseAbs(), B = system.B.cwiseAbs(), C = system.C.cwiseAbs();
    const auto scale_state = [&](Eigen::Index i, double f) {
        out.states[i] *= f;
        A.row(i) /= f;
        A.col(i) *= f;
        B.row(i) /= f;
        C.col(i) *= f;
    };
    const auto scale_ends = [&] {
        const double size = n > 0 ? std::max(A.norm() / std::sqrt(static_cast<double>(n)), 1e-300) : 1;
        for (Eigen::Index j = 0; j < m; ++j)
            if (const double norm = B.col(j).norm(); norm > 0) {
                const double f = power_of_two(A.norm() > 0 ? size / norm : 1 / norm);
                B.col(j) *= f;
                out.inputs[j] *= f;
            }
        for (Eigen::Index i = 0; i < p; ++i)
            if (const double norm = C.row(i).norm(); norm > 0) {
                const double f = power_of_two(A.norm() > 0 ? norm / size : norm);
                C.row(i) /= f;
                out.outputs[i] *= f;
            }
    };
    for (int sweep = 0; sweep < 20; ++sweep) {
        scale_ends();
        bool changed = false;
        for (Eigen::Index i = 0; i < n; ++i) {
            const double own = A(i, i);
            A(i, i) = 0;
            const double row = std::hypot(A.row(i).norm(), B.row(i).norm());
            const double column = std::hypot(A.col(i).norm(), C.col(i).norm());
            A(i, i) = own;
            if (row == 0 || column == 0) continue;
            const double f = power_of_two(std::sqrt(row / column));
            if (f == 1) continue;
            scale_state(i, f);
            changed = true;
        }
        if (!changed) break;
    }
    scale_ends();
    return out;
}

StateSpace scaled(const StateSpace& system, const SystemScaling& s) {
    StateSpace out = system;
    const Eigen::VectorXd states = s.states.cwiseInverse(), outputs = s.outputs.cwiseInverse();
    out.A = states.asDiagonal() * system.A * s.states.asDiagonal();
    out.B = states.asDiagonal() * system.B * s.inputs.asDiagonal();
    out.C = outputs.asDiagonal() * system.C * s.states.asDiagonal();
    out.D = outputs.asDiagonal() * system.D * s.inputs.asDiagonal();
    return out;
}

}  // namespace cutset
