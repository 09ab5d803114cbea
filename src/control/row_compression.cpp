#include "control/row_compression.h"

#include <cmath>

#include "control/decompositions.h"

namespace cutset {

RowCompression::RowCompression(const Eigen::MatrixXd& M) : k_(std::min(M.rows(), M.cols())) {
    if (k_ == 0) return;
    // Householder QR, column after column; the singular values of R then tell the rank.
    Eigen::MatrixXd R = M;
    reflectors_ = Eigen::MatrixXd::Zero(M.rows(), k_);
    for (Eigen::Index j = 0; j < k_; ++j) {
        Eigen::VectorXd v = R.col(j).tail(M.rows() - j);
        const double norm = v.norm();
        if (norm == 0) continue;
        v /= norm;
        v[0] += v[0] >= 0 ? 1 : -1;
        v *= std::sqrt(2.0) / v.norm();
        reflectors_.col(j).tail(M.rows() - j) = v;
        auto rest = R.bottomRightCorner(M.rows() - j, M.cols() - j);
        const Eigen::RowVectorXd w = v.transpose() * rest;
        rest -= v * w;
        R.col(j).tail(M.rows() - j - 1).setZero();
    }
    const SingularValues s = cutset::singular_values(Eigen::MatrixXd(R.topRows(k_)));
    values_ = s.values;
    U_ = s.U;
}

Eigen::Index RowCompression::rank(double threshold) const {
    Eigen::Index r = 0;
    while (r < values_.size() && values_[r] > threshold) ++r;
    return r;
}

void RowCompression::apply_left(Eigen::Ref<Eigen::MatrixXd> X) const {
    if (k_ == 0 || X.cols() == 0) return;
    const Eigen::Index n = reflectors_.rows();
    for (Eigen::Index j = 0; j < k_; ++j) {
        const Eigen::VectorXd v = reflectors_.col(j).tail(n - j);
        const Eigen::RowVectorXd w = v.transpose() * X.bottomRows(n - j);
        X.bottomRows(n - j).noalias() -= v * w;
    }
    const Eigen::MatrixXd top = U_.transpose() * X.topRows(k_);
    X.topRows(k_) = top;
}

void RowCompression::apply_right(Eigen::Ref<Eigen::MatrixXd> X) const {
    if (k_ == 0 || X.rows() == 0) return;
    const Eigen::Index n = reflectors_.rows();
    for (Eigen::Index j = 0; j < k_; ++j) {
        const Eigen::VectorXd v = reflectors_.col(j).tail(n - j);
        const Eigen::VectorXd w = X.rightCols(n - j) * v;
        X.rightCols(n - j).noalias() -= w * v.transpose();
    }
    const Eigen::MatrixXd left = X.leftCols(k_) * U_;
    X.leftCols(k_) = left;
}

Eigen::MatrixXd orthogonal_complement(const Eigen::MatrixXd& M) {
    const RowCompression compression(M);
    const Eigen::Index n = M.rows(), k = std::min(n, M.cols());
    Eigen::MatrixXd Q = Eigen::MatrixXd::Identity(n, n);
    compression.apply_right(Q);
    return Q.rightCols(n - k);
}

}  // namespace cutset
