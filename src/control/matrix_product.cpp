#include "control/matrix_product.h"

namespace cutset {

Eigen::MatrixXd product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                        const Eigen::Ref<const Eigen::MatrixXd>& b) {
    return a.operator*(b);
}

Eigen::MatrixXcd product(const Eigen::Ref<const Eigen::MatrixXcd>& a,
                         const Eigen::Ref<const Eigen::MatrixXcd>& b) {
    return a.operator*(b);
}

Eigen::VectorXd column_product(const Eigen::Ref<const Eigen::MatrixXd>& a,
                               const Eigen::Ref<const Eigen::VectorXd>& b) {
    return a.operator*(b);
}

Eigen::VectorXcd column_product(const Eigen::Ref<const Eigen::MatrixXcd>& a,
                                const Eigen::Ref<const Eigen::VectorXcd>& b) {
    return a.operator*(b);
}

}  // namespace cutset
