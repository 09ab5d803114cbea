#include "control/local_branches.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace cutset {

namespace {

// Of p(root + x), lowest power first.
std::vector<Complex> shifted_polynomial(const std::vector<double>& p, Complex root) {
    std::vector<Complex> c(p.begin(), p.end()), out;  // highest power first, divided by x again and again
    while (!c.empty()) {
        for (std::size_t i = 1; i < c.size(); ++i) c[i] += c[i - 1] * root;
        out.push_back(c.back());
        c.pop_back();
    }
    return out;
}

// Coefficients of x^i y^j of P(root + x, gain + y); those that are nothing but rounding are zero.
std::vector<std::vector<Complex>> expanded(const std::vector<std::vector<double>>& by_gain, double gain,
                                           Complex root, unsigned multiplicity) {
    constexpr double rounding = 1e-8;
    const std::size_t powers = by_gain.size();
    std::vector<std::vector<Complex>> c(multiplicity + 1, std::vector<Complex>(powers));
    std::vector<std::vector<double>> size(multiplicity + 1, std::vector<double>(powers));
    for (std::size_t q = 0; q < powers; ++q) {
        const std::vector<Complex> part = shifted_polynomial(by_gain[q], root);
        std::vector<double> absolute;
        for (double v : by_gain[q]) absolute.push_back(std::fabs(v));
        const std::vector<Complex> bound = shifted_polynomial(absolute, std::abs(root));
        double binomial = 1;  // of q over j
        for (std::size_t j = 0; j <= q; ++j) {
            const double factor = binomial * std::pow(gain, static_cast<double>(q - j));
            for (std::size_t i = 0; i <= multiplicity && i < part.size(); ++i) {
                c[i][j] += factor * part[i];
                size[i][j] += std::fabs(factor) * std::abs(bound[i]);
            }
            binomial = binomial * static_cast<double>(q - j) / static_cast<double>(j + 1);
        }
    }
    for (std::size_t i = 0; i <= multiplicity; ++i)
        for (std::size_t j = 0; j < powers; ++j)
            if ((j == 0 && i < multiplicity) || std::abs(c[i][j]) <= rounding * size[i][j]) c[i][j] = 0;
    return c;
}

// All roots of a polynomial with first and last coefficient, lowest power first (Weierstrass).
std::vector<Complex> all_roots(std::vector<Complex> c) {
    const std::size_t n = c.size() - 1;
    for (Complex& v : c) v /= Complex(c.back());
    const double radius = std::pow(std::abs(c[0]), 1.0 / static_cast<double>(n));
    std::vector<Complex> z;
    for (std::size_t k = 0; k < n; ++k)
        z.push_back(
            std::polar(radius, 0.4 + 6.283185307179586 * static_cast<double>(k) / static_cast<double>(n)));
    for (int pass = 0; pass < 200; ++pass)
        for (std::size_t i = 0; i < n; ++i) {
            Complex value = 1, apart = 1;
            for (std::size_t k = n; k-- > 0;) value = value * z[i] + c[k];
            for (std::size_t k = 0; k < n; ++k)
                if (k != i) apart *= z[i] - z[k];
            if (apart != 0.0) z[i] -= value / apart;
        }
    for (Complex& v : z) {
        if (std::fabs(v.imag()) < 1e-9 * std::abs(v)) v = v.real();
        if (std::fabs(v.real()) < 1e-9 * std::abs(v)) v = Complex(0, v.imag());
    }
    return z;
}

}  // namespace

std::vector<LocalBranches> local_branches(const std::vector<std::vector<double>>& by_gain, double gain,
                                          Complex root, unsigned multiplicity) {
    const auto c = expanded(by_gain, gain, root, multiplicity);
    // The lowest power of y for each power of x.
    std::vector<std::pair<unsigned, unsigned>> points;
    for (unsigned i = 0; i <= multiplicity; ++i)
        for (unsigned j = 0; j < by_gain.size(); ++j)
            if (c[i][j] != 0.0) {
                points.emplace_back(i, j);
                break;
            }
    std::vector<LocalBranches> out;
    for (std::size_t from = 0; from + 1 < points.size() && points[from].second > 0;) {
        // The steepest edge down; of equal ones the longest.
        std::size_t to = from + 1;
        const auto fall = [&](std::size_t k) {
            return (double(points[from].second) - double(points[k].second)) /
                   double(points[k].first - points[from].first);
        };
        for (std::size_t k = from + 1; k < points.size(); ++k)
            if (fall(k) >= fall(to)) to = k;
        const unsigned run = points[to].first - points[from].first,
                       drop = points[from].second - points[to].second;
        std::vector<Complex> edge(run + 1);
        for (unsigned i = 0; i <= run; ++i) {
            // Powers of y on the line; others are below it in size.
            if (i * drop % run != 0) continue;
            edge[i] = c[points[from].first + i][points[from].second - i * drop / run];
        }
        const unsigned common = std::gcd(run, drop);
        out.push_back({drop / common, run / common, all_roots(edge)});
        from = to;
    }
    return out;
}

}  // namespace cutset
