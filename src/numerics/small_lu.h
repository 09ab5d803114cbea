// LU factors of a full matrix of at most eight rows, in place and without memory of its own to ask for: for
// systems that are solved at every evaluation of a model. Rows are scaled by their largest element, then
// exchanged.
#pragma once

#include <algorithm>
#include <array>
#include <cstddef>

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
    // x := A⁻¹ b; not in place.
    void solve(const double* b, double* x) const;

  private:
    template <std::size_t n>
    bool factor_rows(double least);
    template <std::size_t n>
    void solve_rows(const double* b, double* x) const;

    std::size_t n_ = 0;
    // U with reciprocals on its diagonal, and L with ones on its own. Apart, so that whole rows are worked
    // on: what then stands left of the diagonal of U means nothing.
    std::array<Vector, most> upper_{}, lower_{};
    std::array<std::size_t, most> order_{};
    Vector scale_{};
};

}  // namespace cutset
