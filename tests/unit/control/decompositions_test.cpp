#include "control/decompositions.h"

#include <gtest/gtest.h>

#include "systems.h"

namespace cutset {
namespace {

TEST(Decompositions, ProductsAreThoseOfElements) {
    const Eigen::MatrixXd A = random_matrix(7, 5, 1), B = random_matrix(5, 6, 2), C = random_matrix(7, 6, 3);
    const Eigen::MatrixXd sum = A * B + C, transposed = A.transpose() * C,
                          part = A.topRows(3) * B.leftCols(2);
    const Eigen::VectorXd column = A * B.col(4);
    for (Eigen::Index i = 0; i < 7; ++i) {
        EXPECT_NEAR(column[i], A.row(i).dot(B.col(4)), 1e-13);
        for (Eigen::Index j = 0; j < 6; ++j) EXPECT_NEAR(sum(i, j), A.row(i).dot(B.col(j)) + C(i, j), 1e-13);
    }
    for (Eigen::Index i = 0; i < 5; ++i)
        for (Eigen::Index j = 0; j < 6; ++j) EXPECT_NEAR(transposed(i, j), A.col(i).dot(C.col(j)), 1e-13);
    for (Eigen::Index i = 0; i < 3; ++i)
        for (Eigen::Index j = 0; j < 2; ++j) EXPECT_NEAR(part(i, j), A.row(i).dot(B.col(j)), 1e-13);
}

TEST(Decompositions, RestIsOrthonormalAndOrthogonal) {
    const Eigen::MatrixXd M = random_matrix(8, 5, 4), N = orthogonal_rest(M);
    ASSERT_EQ(N.cols(), 3);
    EXPECT_LT((N.transpose() * N - Eigen::MatrixXd::Identity(3, 3)).norm(), 1e-13);
    EXPECT_LT((M.transpose() * N).norm(), 1e-13);
    Eigen::MatrixXcd Z(6, 2);
    Z.real() = random_matrix(6, 2, 5);
    Z.imag() = random_matrix(6, 2, 6);
    const Eigen::MatrixXcd W = orthogonal_rest(Z);
    ASSERT_EQ(W.cols(), 4);
    EXPECT_LT((W.adjoint() * W - Eigen::MatrixXcd::Identity(4, 4)).norm(), 1e-13);
    EXPECT_LT((Z.adjoint() * W).norm(), 1e-13);
    EXPECT_EQ(orthogonal_rest(Eigen::MatrixXd(3, 0)), Eigen::MatrixXd::Identity(3, 3));
}

TEST(Decompositions, Determinant) {
    Eigen::MatrixXd M(3, 3);
    M << 2, -1, 0, 1, 3, 5, 4, 0, -2;  // det = 2(-6) + (-2 - 20) = -34
    EXPECT_NEAR(log_determinant(M), std::log(34.0), 1e-13);
}

TEST(Decompositions, LeastSquares) {
    // The line through (0, 1), (1, 2), (2, 4): 5/6 + 3/2 x.
    Eigen::MatrixXd M(3, 2);
    M << 1, 0, 1, 1, 1, 2;
    Eigen::VectorXd b(3);
    b << 1, 2, 4;
    const Eigen::VectorXd x = least_squares_solution(M, b);
    EXPECT_NEAR(x[0], 5.0 / 6, 1e-14);
    EXPECT_NEAR(x[1], 1.5, 1e-14);
    // Dependent columns: the shortest of the solutions. x + y = 2 gives 1, 1.
    const Eigen::VectorXd shortest =
        least_squares_solution(Eigen::MatrixXd::Ones(1, 2), Eigen::VectorXd::Constant(1, 2));
    EXPECT_NEAR(shortest[0], 1, 1e-14);
    EXPECT_NEAR(shortest[1], 1, 1e-14);
}

TEST(Decompositions, RightSingularVectors) {
    const Eigen::MatrixXd M = random_matrix(9, 4, 7);
    const SingularValues all = singular_values(M), right = right_singular_vectors(M);
    EXPECT_LT((all.values - right.values).norm(), 1e-13);
    for (Eigen::Index k = 0; k < 4; ++k) EXPECT_NEAR((M * right.V.col(k)).norm(), right.values[k], 1e-13);
    EXPECT_LT((right.V.transpose() * right.V - Eigen::MatrixXd::Identity(4, 4)).norm(), 1e-13);
}

TEST(Decompositions, CompletePivoting) {
    const Eigen::MatrixXd A = random_matrix(6, 6, 8), X = random_matrix(6, 2, 9);
    const auto lu = CompletePivoting::factor(A, 1e-12);
    ASSERT_TRUE(lu);
    EXPECT_LT((lu->solve(A * X) - X).norm(), 1e-12);
    Eigen::MatrixXd dependent = A;
    dependent.col(3) = A.col(0) + 2 * A.col(5);
    EXPECT_FALSE(CompletePivoting::factor(dependent, 1e-12));
}

}  // namespace
}  // namespace cutset
