#include "run/equations_of_motion.h"

#include <cmath>

namespace cutset {

bool EquationsOfMotion::derivatives_at(std::span<const double> x, std::span<double> f) {
    now_.set_states(x);
    if (!now_.values.run(now_.program.continuous)) {
        now_.values.clear_error();
        return false;
    }
    for (std::size_t i = 0; i < f.size(); ++i) {
        f[i] = now_.values[now_.layout.derivative[i]];
        if (!std::isfinite(f[i])) return false;
    }
    return true;
}

bool EquationsOfMotion::matrix_at(std::span<const double> x, std::span<const double> f,
                                  std::span<const double> scale, std::vector<double>& j) {
    const std::size_t n = x.size();
    std::vector<double> moved(x.begin(), x.end()), f1(n), f2(n);
    j.resize(n * n);
    for (std::size_t c = 0; c < n; ++c) {
        const double h = 1e-6 * scale[c];
        moved[c] = x[c] + h;
        const bool ahead = derivatives_at(moved, f1);
        moved[c] = x[c] - h;
        const bool behind = derivatives_at(moved, f2);
        moved[c] = x[c];
        if (!ahead && !behind) return false;
        for (std::size_t r = 0; r < n; ++r)
            j[c * n + r] = ahead && behind ? (f1[r] - f2[r]) / (2 * h)
                           : ahead         ? (f1[r] - f[r]) / h
                                           : (f[r] - f2[r]) / h;
    }
    return true;
}

}  // namespace cutset
