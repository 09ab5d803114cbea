// Products of matrices of Eigen as functions that are compiled once. Eigen's own products are templates over
// the expressions on both sides, and most of the time of compiling linear algebra went into them. A product
// is a matrix or a column here, not an expression.
#pragma once

#include <Eigen/Core>
#include <complex>
#include <concepts>
#include <type_traits>

namespace cutset {

Eigen::MatrixXd product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                        const Eigen::Ref<const Eigen::MatrixXd>& b);
Eigen::MatrixXcd product(const Eigen::Ref<const Eigen::MatrixXcd>& a,
                         const Eigen::Ref<const Eigen::MatrixXcd>& b);
Eigen::VectorXd column_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                               const Eigen::Ref<const Eigen::VectorXd>& b);
Eigen::VectorXcd column_product(const Eigen::Ref<const Eigen::MatrixXcd>& a,
                                const Eigen::Ref<const Eigen::VectorXcd>& b);

template <class T>
concept DynamicMatrix = std::derived_from<T, Eigen::MatrixBase<T>> &&
                        (std::same_as<typename T::Scalar, double> ||
                         std::same_as<typename T::Scalar, std::complex<double>>)&&T::RowsAtCompileTime
                        == Eigen::Dynamic;
template <class T>
concept WideMatrix = DynamicMatrix<T> && T::ColsAtCompileTime == Eigen::Dynamic;
template <class T>
concept ColumnMatrix = DynamicMatrix<T> && T::ColsAtCompileTime == 1;

template <WideMatrix A, WideMatrix B>
requires std::same_as<typename A::Scalar, typename B::Scalar>
auto operator*(const A& a, const B& b) {
    return product(a, b);
}
template <WideMatrix A, ColumnMatrix B>
requires std::same_as<typename A::Scalar, typename B::Scalar>
auto operator*(const A& a, const B& b) {
    return column_product(a, b);
}

}  // namespace cutset
