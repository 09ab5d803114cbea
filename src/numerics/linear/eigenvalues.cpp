#include "numerics/linear/eigenvalues.h"

#include <algorithm>
#include <cmath>

#include "numerics/linear/lapack.h"

namespace cutset {

std::vector<std::complex<double>> eigenvalues(std::size_t n, std::span<const double> a) {
    if (n == 0 || !std::all_of(a.begin(), a.end(), [](double v) { return std::isfinite(v); })) return {};
    std::vector<double> matrix(a.begin(), a.end()), real(n), imaginary(n);
    int size = static_cast<int>(n), one = 1, query = -1, info = 0;
    double work_size = 0;
    dgeev_("N", "N", &size, matrix.data(), &size, real.data(), imaginary.data(), nullptr, &one, nullptr, &one,
           &work_size, &query, &info, 1, 1);
    std::vector<double> work(std::max<std::size_t>(3 * n, static_cast<std::size_t>(work_size)));
    int length = static_cast<int>(work.size());
    dgeev_("N", "N", &size, matrix.data(), &size, real.data(), imaginary.data(), nullptr, &one, nullptr, &one,
           work.data(), &length, &info, 1, 1);
    if (info != 0) return {};
    std::vector<std::complex<double>> values(n);
    for (std::size_t i = 0; i < n; ++i) values[i] = {real[i], imaginary[i]};
    return values;
}

}  // namespace cutset
