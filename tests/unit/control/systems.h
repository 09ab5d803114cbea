// Systems that the tests share.
#pragma once

#include <random>

#include "control/exact_matrix.h"
#include "control/state_space.h"

namespace cutset {

inline StateSpace make_system(Eigen::MatrixXd A, Eigen::MatrixXd B, Eigen::MatrixXd C) {
    StateSpace s;
    s.D = Eigen::MatrixXd::Zero(C.rows(), B.cols());
    for (Eigen::Index i = 0; i < A.rows(); ++i) s.states.push_back("x" + std::to_string(i + 1));
    for (Eigen::Index i = 0; i < B.cols(); ++i) s.inputs.push_back("u" + std::to_string(i + 1));
    for (Eigen::Index i = 0; i < C.rows(); ++i) s.outputs.push_back("y" + std::to_string(i + 1));
    s.A = std::move(A);
    s.B = std::move(B);
    s.C = std::move(C);
    return s;
}

inline ExactMatrix matrix(const std::vector<std::vector<long>>& rows) {
    ExactMatrix m(rows.size(), rows[0].size());
    for (std::size_t i = 0; i < rows.size(); ++i)
        for (std::size_t k = 0; k < rows[i].size(); ++k) m(i, k) = rows[i][k];
    return m;
}

inline Eigen::MatrixXd random_matrix(Eigen::Index rows, Eigen::Index columns, unsigned seed) {
    std::mt19937 generator(seed);
    std::normal_distribution<double> normal;
    Eigen::MatrixXd out(rows, columns);
    for (Eigen::Index j = 0; j < columns; ++j)
        for (Eigen::Index i = 0; i < rows; ++i) out(i, j) = normal(generator);
    return out;
}

// Kailath's example 6.4-1: the controller-form realisation of
// [s/((s+1)(s+2))^2, s/(s+2)^2; -s/(s+2)^2, -s/(s+2)^2].
inline StateSpace kailath() {
    Eigen::MatrixXd A(5, 5), B(5, 2), C(2, 5);
    A << -4, -4, 0, -1, -2, 1, 0, 0, 0, 0, 0, 0, -4, -5, -2, 0, 0, 1, 0, 0, 0, 0, 0, 1, 0;
    B << 0, 1, 0, 0, -1, 0, 0, 0, 0, 0;
    C << 1, 0, 0, 0, 0, -1, 0, 1, 0, 0;
    return make_system(A, B, C);
}

// The transfer matrix of `kailath` at s.
inline Eigen::Matrix2cd kailath_transfer(std::complex<double> s) {
    const auto d = (s + 2.0) * (s + 2.0);
    Eigen::Matrix2cd g;
    g << s / ((s + 1.0) * (s + 1.0) * d), s / d, -s / d, -s / d;
    return g;
}

}  // namespace cutset
