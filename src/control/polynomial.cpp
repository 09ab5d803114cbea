#include "control/polynomial.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "numerics/linear/eigenvalues.h"

namespace cutset {

std::vector<double> trimmed(std::vector<double> p) {
    std::size_t first = 0;
    while (first + 1 < p.size() && p[first] == 0) ++first;
    p.erase(p.begin(), p.begin() + static_cast<std::ptrdiff_t>(first));
    if (p.empty()) p.push_back(0);
    return p;
}

Complex value_at(const std::vector<double>& p, Complex s) {
    Complex sum = 0;
    for (double c : p) sum = sum * s + c;
    return sum;
}

std::vector<double> derivative(const std::vector<double>& p) {
    std::vector<double> out;
    for (std::size_t i = 0; i + 1 < p.size(); ++i)
        out.push_back(p[i] * static_cast<double>(p.size() - 1 - i));
    if (out.empty()) out.push_back(0);
    return out;
}

std::vector<double> multiply(const std::vector<double>& a, const std::vector<double>& b) {
    std::vector<double> out(a.size() + b.size() - 1);
    for (std::size_t i = 0; i < a.size(); ++i)
        for (std::size_t k = 0; k < b.size(); ++k) out[i + k] += a[i] * b[k];
    return out;
}

std::vector<double> add(const std::vector<double>& a, const std::vector<double>& b, double factor_of_b) {
    std::vector<double> out(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < a.size(); ++i) out[out.size() - a.size() + i] += a[i];
    for (std::size_t i = 0; i < b.size(); ++i) out[out.size() - b.size() + i] += factor_of_b * b[i];
    return out;
}

void sort_roots(std::vector<Complex>& roots) {
    std::sort(roots.begin(), roots.end(), [](const Complex& a, const Complex& b) {
        if (a.real() != b.real()) return a.real() < b.real();
        if (std::fabs(a.imag()) != std::fabs(b.imag())) return std::fabs(a.imag()) < std::fabs(b.imag());
        return a.imag() > b.imag();
    });
}

void pair_conjugates(std::vector<Complex>& roots) {
    std::vector<bool> done(roots.size());
    for (std::size_t i = 0; i < roots.size(); ++i) {
        if (done[i]) continue;
        done[i] = true;
        if (roots[i].imag() == 0) continue;
        std::size_t best = i;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t k = i + 1; k < roots.size(); ++k) {
            if (done[k] || roots[k].imag() * roots[i].imag() >= 0) continue;
            const double distance = std::abs(roots[k] - std::conj(roots[i]));
            if (distance < least) least = distance, best = k;
        }
        const double own = 2 * std::fabs(roots[i].imag());
        if (best == i || (own < least && own < 1e-8 * std::abs(roots[i]))) {
            roots[i] = roots[i].real();
            continue;
        }
        const Complex middle = (roots[i] + std::conj(roots[best])) / 2.0;
        roots[i] = middle;
        roots[best] = std::conj(middle);
        done[best] = true;
    }
}

std::vector<Complex> polynomial_roots(std::vector<double> p) {
    p = trimmed(std::move(p));
    for (double c : p)
        if (!std::isfinite(c)) return {};
    std::vector<Complex> roots;
    while (p.size() > 1 && p.back() == 0) {
        p.pop_back();
        roots.emplace_back(0);
    }
    const std::size_t n = p.size() - 1;
    if (n == 0) return roots;
    if (n == 1) {
        roots.emplace_back(-p[1] / p[0]);
        return roots;
    }
    if (n == 2) {
        const double half = -p[1] / (2 * p[0]), rest = p[2] / p[0];
        const double inside = std::fma(half, half, -rest);
        if (inside < 0) {
            roots.emplace_back(half, std::sqrt(-inside));
            roots.emplace_back(half, -std::sqrt(-inside));
        } else {
            const double big = half + std::copysign(std::sqrt(inside), half);
            roots.emplace_back(big);
            roots.emplace_back(big == 0 ? 0.0 : rest / big);
        }
        return roots;
    }
    // s = scale·t makes the first and the last coefficient of equal size.
    const double scale = std::pow(std::fabs(p[n] / p[0]), 1.0 / static_cast<double>(n));
    std::vector<double> q(n + 1);
    double power = 1;
    for (std::size_t i = 0; i <= n; ++i, power *= scale) q[i] = p[i] / p[0] / power;
    std::vector<double> companion(n * n);  // by columns
    for (std::size_t i = 0; i < n; ++i) {
        companion[i * n] = -q[i + 1];
        if (i + 1 < n) companion[i * n + i + 1] = 1;
    }
    std::vector<Complex> scaled = eigenvalues(n, companion);
    // Newton's steps are taken while they make the value smaller.
    const std::vector<double> slope = derivative(q);
    for (Complex& t : scaled) {
        double size = std::abs(value_at(q, t));
        for (int k = 0; k < 4 && size > 0; ++k) {
            const Complex d = value_at(slope, t);
            if (d == 0.0) break;
            const Complex next = t - value_at(q, t) / d;
            const double next_size = std::abs(value_at(q, next));
            if (!(next_size < size)) break;
            t = next;
            size = next_size;
        }
    }
    pair_conjugates(scaled);
    for (const Complex& t : scaled) roots.push_back(t * scale);
    return roots;
}

std::vector<RootGroup> group_roots(std::vector<Complex> roots, double tolerance) {
    std::vector<RootGroup> out;
    std::vector<bool> done(roots.size());
    for (std::size_t i = 0; i < roots.size(); ++i) {
        if (done[i]) continue;
        Complex sum = roots[i];
        unsigned count = 1;
        done[i] = true;
        for (std::size_t k = i + 1; k < roots.size(); ++k)
            if (!done[k] &&
                std::abs(roots[k] - roots[i]) <= tolerance * std::max(1e-300, std::abs(roots[i]))) {
                done[k] = true;
                sum += roots[k];
                ++count;
            }
        out.push_back({sum / static_cast<double>(count), count});
    }
    return out;
}

std::vector<RootGroup> root_groups(const std::vector<double>& coefficients) {
    std::vector<Complex> roots = polynomial_roots(coefficients);
    sort_roots(roots);
    std::vector<double> p = trimmed(coefficients);
    double size = 0;
    for (double c : p) size = std::max(size, std::fabs(c));
    std::vector<RootGroup> out;
    std::vector<bool> done(roots.size());
    for (std::size_t i = 0; i < roots.size(); ++i) {
        if (done[i]) continue;
        // The m nearest roots are one when the polynomial, its derivatives included, is as small in their
        // middle as rounding makes it: the spread is then about (eps)^(1/m).
        std::vector<std::size_t> near;
        for (std::size_t k = 0; k < roots.size(); ++k)
            if (!done[k]) near.push_back(k);
        std::sort(near.begin(), near.end(), [&](std::size_t a, std::size_t b) {
            return std::abs(roots[a] - roots[i]) < std::abs(roots[b] - roots[i]);
        });
        std::size_t best = 1;
        Complex best_middle = roots[i];
        Complex sum = 0;
        for (std::size_t m = 1; m <= near.size(); ++m) {
            sum += roots[near[m - 1]];
            if (m == 1) continue;
            const Complex middle = sum / static_cast<double>(m);
            double spread = 0;
            for (std::size_t k = 0; k < m; ++k) spread = std::max(spread, std::abs(roots[near[k]] - middle));
            const double allowed =
                4 * std::max(1.0, std::abs(middle)) * std::pow(1e-15, 1.0 / static_cast<double>(m));
            if (spread > allowed) continue;
            bool small = true;
            std::vector<double> d = p;
            for (std::size_t k = 0; k < m && small; ++k) {
                double bound = 0, power = 1;
                for (std::size_t j = d.size(); j-- > 0; power *= std::abs(middle))
                    bound += std::fabs(d[j]) * power;
                const double slack = std::pow(1e-13, static_cast<double>(m - k) / static_cast<double>(m));
                small = std::abs(value_at(d, middle)) <= slack * bound;
                d = derivative(d);
            }
            if (small) best = m, best_middle = middle;
        }
        for (std::size_t k = 0; k < best; ++k) done[near[k]] = true;
        // An m-fold root is a simple one of the derivative of order m - 1.
        if (best > 1) {
            std::vector<double> d = p;
            for (std::size_t k = 1; k < best; ++k) d = derivative(d);
            const std::vector<double> slope = derivative(d);
            for (int k = 0; k < 6; ++k) {
                const Complex below = value_at(slope, best_middle);
                if (below == 0.0) break;
                best_middle -= value_at(d, best_middle) / below;
            }
        }
        if (best > 1 && std::fabs(best_middle.imag()) < 1e-9 * std::abs(best_middle))
            best_middle = best_middle.real();
        out.push_back({best_middle, static_cast<unsigned>(best)});
    }
    return out;
}

std::vector<double> polynomial_from_roots(const std::vector<Complex>& roots) {
    // Smallest first keeps the products balanced.
    std::vector<Complex> sorted = roots;
    std::sort(sorted.begin(), sorted.end(),
              [](const Complex& a, const Complex& b) { return std::norm(a) < std::norm(b); });
    std::vector<double> out = {1};
    std::vector<Complex> open;
    for (const Complex& r : sorted) {
        if (r.imag() == 0) {
            out = multiply(out, {1, -r.real()});
            continue;
        }
        const auto partner = std::find_if(open.begin(), open.end(), [&](const Complex& o) {
            return std::abs(o - std::conj(r)) <= 1e-6 * std::abs(r);
        });
        if (partner == open.end()) {
            open.push_back(r);
        } else {
            open.erase(partner);
            out = multiply(out, {1, -2 * r.real(), std::norm(r)});
        }
    }
    for (const Complex& r : open) out = multiply(out, {1, -r.real()});
    return out;
}

}  // namespace cutset
