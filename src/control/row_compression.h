// Orthogonal U with U^T M = [R; 0], singular values known, in a form that costs k n to apply for M of k
// columns.
#pragma once

#include <Eigen/Core>
#include <vector>

namespace cutset {

class RowCompression {
  public:
    explicit RowCompression(const Eigen::MatrixXd& M);

    const Eigen::VectorXd& singular_values() const { return values_; }
    Eigen::Index rank(double threshold) const;
    void apply_left(Eigen::Ref<Eigen::MatrixXd> X) const;   // X := U^T X
    void apply_right(Eigen::Ref<Eigen::MatrixXd> X) const;  // X := X U

  private:
    Eigen::Index k_;
    Eigen::MatrixXd reflectors_;  // columns v with H = I - v v^T, |v|^2 = 2
    Eigen::MatrixXd U_;           // of the small triangular factor
    Eigen::VectorXd values_;
};

// Columns that span the orthogonal complement of the columns of M (of full column rank).
Eigen::MatrixXd orthogonal_complement(const Eigen::MatrixXd& M);

}  // namespace cutset
