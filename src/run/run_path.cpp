#include "run/run_path.h"

#include <algorithm>
#include <cmath>

namespace cutset {

void RunPath::add(Integrator& integrator, double from, double to) {
    if (!(to > from)) return;
    ends_.push_back({from, to});
    const std::size_t first = data_.size();
    data_.resize(first + 6 * n_);
    const double times[] = {from, from + (to - from) / 2, to};
    for (std::size_t k = 0; k < 3; ++k) {
        const std::span<double> at(data_.data() + first + 2 * k * n_, 2 * n_);
        integrator.interpolate(times[k], at.first(n_), at.last(n_));
    }
}

void RunPath::states(double t, std::span<double> x) const {
    if (ends_.empty() || n_ == 0) return;
    if (last_ >= ends_.size() || t < ends_[last_].from || t > ends_[last_].to) {
        const auto found = std::lower_bound(ends_.begin(), ends_.end(), t,
                                            [](const Step& s, double time) { return s.to < time; });
        last_ = found == ends_.end() ? ends_.size() - 1 : static_cast<std::size_t>(found - ends_.begin());
    }
    const Step& step = ends_[last_];
    const double h = step.to - step.from;
    const double s = std::clamp((t - step.from) / h, 0.0, 1.0);
    // Hermite's basis on 0, 1/2, 1: weights of values and of slopes times h.
    const double r = s - 1, q = 2 * s - 1, s2 = s * s, r2 = r * r, q2 = q * q;
    const double v0 = q2 * r2 * (1 + 6 * s), v1 = 16 * s2 * r2, v2 = q2 * s2 * (1 - 6 * r);
    const double d0 = q2 * r2 * s * h, d1 = 8 * s2 * r2 * q * h, d2 = q2 * s2 * r * h;
    const double* const at = data_.data() + last_ * 6 * n_;
    for (std::size_t i = 0; i < n_; ++i)
        x[i] = v0 * at[i] + d0 * at[n_ + i] + v1 * at[2 * n_ + i] + d1 * at[3 * n_ + i] +
               v2 * at[4 * n_ + i] + d2 * at[5 * n_ + i];
}

void RunPath::largest(std::span<double> sizes) const {
    for (std::size_t k = 0; k < ends_.size(); ++k)
        for (std::size_t i = 0; i < n_; ++i)
            sizes[i] =
                std::max({sizes[i], std::abs(data_[k * 6 * n_ + i]), std::abs(data_[(k * 6 + 4) * n_ + i])});
}

}  // namespace cutset
