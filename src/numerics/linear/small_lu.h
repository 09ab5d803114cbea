// LU factors of a full matrix of at most eight rows, in place and without memory of its own to ask for: for
// systems that are solved at every evaluation of a model. Rows are scaled by their largest element, then
// exchanged.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>
#include <type_traits>

#include "base/memory.h"

namespace cutset {

class SmallLu {
  public:
    static constexpr std::size_t most = 8;
    using Vector = std::array<double, most>;

    // Zero before the elements are set.
    void clear(std::size_t n) {
        n_ = n;
        for (std::size_t i = 0; i < n; ++i) upper_[i].fill(0);
    }
    double& at(std::size_t row, std::size_t column) { return upper_[row][column]; }

    // False where a row is zero, an element is not finite, or a pivot, against 1, is no larger than `least`.
    bool factor(double least = 0);
    // The matrix that fill(lu) sets, with the order and scales of the last one as long as they suit it: for
    // matrices that change little from one to the next.
    template <class Fill>
    bool factor_next(std::size_t n, Fill fill, double least = 0) {
        if (n == n_ && suits_ > 0) {
            --suits_;
            clear(n);
            fill(*this);
            if (factor_in_order(least)) return true;
        }
        clear(n);
        fill(*this);
        const bool good = factor(least);
        suits_ = good ? most_in_order : 0;
        return good;
    }
    // Of the matrix factored last.
    int determinant_sign() const;
    void remember(MemoryStream& memory) {
        memory("small size", n_);
        for (Vector& row : upper_) memory("upper", row);
        for (Vector& row : lower_) memory("lower", row);
        memory("row order", order_);
        memory("scales", scale_);
        memory("suits", suits_);
        if (n_ > most || *std::max_element(order_.begin(), order_.end()) >= most) memory.fail();
    }
    // x := A⁻¹ b; not in place.
    void solve(const double* b, double* x) const;
    // The same, of known size.
    template <std::size_t n>
    void solve_rows(const double* b, double* x) const {
        Vector y;  // in registers, with all loops unrolled
#pragma GCC unroll 8
        for (std::size_t i = 0; i < n; ++i) {
            double sum = scale_[order_[i]] * b[order_[i]];
#pragma GCC unroll 8
            for (std::size_t j = 0; j < i; ++j) sum -= lower_[i][j] * y[j];
            y[i] = sum;
        }
#pragma GCC unroll 8
        for (std::size_t r = 1; r <= n; ++r) {
            const std::size_t i = n - r;
            double sum = y[i];
#pragma GCC unroll 8
            for (std::size_t j = i + 1; j < n; ++j) sum -= upper_[i][j] * y[j];
            y[i] = sum * upper_[i][i];
        }
        std::copy_n(y.begin(), n, x);
    }
    // Calls f with the number n as a constant: loops of known length are much faster.
    template <class F>
    static auto with_size(std::size_t n, F f) {
        switch (n) {
            case 0:
                return f(std::integral_constant<std::size_t, 0>());
            case 1:
                return f(std::integral_constant<std::size_t, 1>());
            case 2:
                return f(std::integral_constant<std::size_t, 2>());
            case 3:
                return f(std::integral_constant<std::size_t, 3>());
            case 4:
                return f(std::integral_constant<std::size_t, 4>());
            case 5:
                return f(std::integral_constant<std::size_t, 5>());
            case 6:
                return f(std::integral_constant<std::size_t, 6>());
            case 7:
                return f(std::integral_constant<std::size_t, 7>());
            default:
                return f(std::integral_constant<std::size_t, most>());
        }
    }

  private:
    static constexpr int most_in_order = 100;  // then anew, since scales may have moved away

    bool factor_in_order(double least);
    template <std::size_t n>
    bool factor_rows(double least);
    template <std::size_t n>
    bool factor_rows_in_order(double least);

    std::size_t n_ = 0;
    // U with reciprocals on its diagonal, and L with ones on its own. Apart, so that whole rows are worked
    // on: what then stands left of the diagonal of U means nothing.
    std::array<Vector, most> upper_{}, lower_{};
    std::array<std::size_t, most> order_{};
    Vector scale_{};
    int suits_ = 0;  // so often may order and scales be used again
};

}  // namespace cutset
