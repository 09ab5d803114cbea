// LU factors of a full matrix of at most eight rows, in place and without memory of its own to ask for: for
// systems that are solved at every evaluation of a model. Rows are scaled by their largest element, then
// exchanged.
#pragma once

#include <algorithm>
#include <array>
#include <cmath>
#include <cstddef>
#include <utility>

namespace cutset {

class SmallLu {
  public:
    static constexpr std::size_t most = 8;
    using Vector = std::array<double, most>;

    // Zero before the elements are set.
    void clear(std::size_t n) {
        n_ = n;
        for (std::size_t i = 0; i < n; ++i) std::fill_n(rows_[i].begin(), n, 0.0);
    }
    double& at(std::size_t row, std::size_t column) { return rows_[row][column]; }

    // False where a row is zero, an element is not finite, or a pivot, against 1, is no larger than `least`.
    bool factor(double least = 0) {
        for (std::size_t i = 0; i < n_; ++i) {
            double largest = 0, sum = 0;
            for (std::size_t j = 0; j < n_; ++j) {
                largest = std::max(largest, std::abs(rows_[i][j]));
                sum += rows_[i][j] - rows_[i][j];  // 0, unless an element is not finite
            }
            scale_[i] = 1 / largest;
            if (sum != 0 || !std::isfinite(scale_[i])) return false;
            for (std::size_t j = 0; j < n_; ++j) rows_[i][j] *= scale_[i];
            order_[i] = i;
        }
        for (std::size_t k = 0; k < n_; ++k) {
            std::size_t pivot = k;
            for (std::size_t i = k + 1; i < n_; ++i)
                if (std::abs(rows_[i][k]) > std::abs(rows_[pivot][k])) pivot = i;
            if (!(std::abs(rows_[pivot][k]) > least)) return false;
            if (pivot != k) {
                std::swap(rows_[k], rows_[pivot]);
                std::swap(order_[k], order_[pivot]);
            }
            const double over = 1 / rows_[k][k];
            if (!std::isfinite(over)) return false;
            rows_[k][k] = over;
            for (std::size_t i = k + 1; i < n_; ++i) {
                const double times = rows_[i][k] *= over;
                if (times == 0) continue;
                for (std::size_t j = k + 1; j < n_; ++j) rows_[i][j] -= times * rows_[k][j];
            }
        }
        return true;
    }

    // x := A⁻¹ b; not in place.
    void solve(const double* b, double* x) const {
        for (std::size_t i = 0; i < n_; ++i) {
            double sum = scale_[order_[i]] * b[order_[i]];
            for (std::size_t j = 0; j < i; ++j) sum -= rows_[i][j] * x[j];
            x[i] = sum;
        }
        for (std::size_t i = n_; i-- > 0;) {
            double sum = x[i];
            for (std::size_t j = i + 1; j < n_; ++j) sum -= rows_[i][j] * x[j];
            x[i] = sum * rows_[i][i];
        }
    }

  private:
    std::size_t n_ = 0;
    std::array<Vector, most> rows_{};  // L below the diagonal of ones, U with reciprocals on its diagonal
    std::array<std::size_t, most> order_{};
    Vector scale_{};
};

}  // namespace cutset
