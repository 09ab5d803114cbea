#include "numerics/integrators/hermite.h"

#include <array>

#include "base/diagnostic.h"

namespace cutset {

namespace {

// Each node counts twice.
double node(std::size_t term) {
    const std::size_t number = term / 2;
    return static_cast<double>(number);
}

}  // namespace

// Newton's divided differences with every node twice, in the unit of the spacing:
//     x = d_0 + d_1 s + d_2 s^2 + d_3 s^2 (s-1) + d_4 s^2 (s-1)^2 + ...
void HermiteInterpolant::set(double spacing, std::span<const Node> nodes) {
    CUTSET_ASSERT(nodes.size() <= 3);
    spacing_ = spacing;
    n_ = nodes.front().x.size();
    terms_ = 2 * nodes.size();
    differences_.resize(n_ * terms_);
    for (std::size_t i = 0; i < n_; ++i) {
        double* d = &differences_[i * terms_];
        for (std::size_t k = 0; k < terms_; ++k) d[k] = nodes[k / 2].x[i];
        for (std::size_t order = 1; order < terms_; ++order)
            for (std::size_t k = terms_ - 1; k >= order; --k) {
                const double width = node(k) - node(k - order);
                d[k] = width == 0 ? spacing * nodes[k / 2].dx[i] : (d[k] - d[k - 1]) / width;
            }
    }
}

void HermiteInterpolant::evaluate(double t, std::span<double> x, std::span<double> dx) const {
    const double s = t / spacing_;
    for (std::size_t i = 0; i < n_; ++i) {
        const double* d = &differences_[i * terms_];
        double value = d[terms_ - 1], slope = 0;
        for (std::size_t k = terms_ - 1; k-- > 0;) {
            const double from_node = s - node(k);
            slope = slope * from_node + value;
            value = value * from_node + d[k];
        }
        x[i] = value;
        if (!dx.empty()) dx[i] = slope / spacing_;
    }
}

}  // namespace cutset
