#include "numerics/nonlinear/collocation.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace cutset {

namespace {

// Legendre polynomials P_n(x) and P_{n-1}(x).
struct Legendre {
    double value, before;
};
Legendre legendre(std::size_t n, double x) {
    double before = 0, value = 1;
    for (std::size_t k = 1; k <= n; ++k) {
        const double next = ((2 * double(k) - 1) * x * value - (double(k) - 1) * before) / double(k);
        before = value;
        value = next;
    }
    return {value, before};
}

// The K zeros in (-1, 1] of P_K (Gauss), or of P_K - P_{K-1} (Radau, with 1 among them), rising: found
// between sign changes on a fine grid, by bisection.
std::vector<double> zeros(std::size_t stages, bool radau) {
    const auto function = [&](double x) {
        const Legendre p = legendre(stages, x);
        // (P_K - P_{K-1})/(x - 1) has the same zeros but 1.
        return radau ? (p.value - p.before) / (x - 1) : p.value;
    };
    const std::size_t grid = 200 * stages;
    std::vector<double> result;
    double left = -1, f_left = function(left);
    for (std::size_t i = 1; i < grid; ++i) {
        const double right = -std::cos(std::numbers::pi * double(i) / double(grid));
        const double f_right = function(right);
        if ((f_left < 0) != (f_right < 0)) {
            double a = left, b = right;
            for (int step = 0; step < 80; ++step) {
                const double middle = (a + b) / 2;
                ((function(middle) < 0) == (f_left < 0) ? a : b) = middle;
            }
            result.push_back((a + b) / 2);
        }
        left = right;
        f_left = f_right;
    }
    if (radau) result.push_back(1);
    return result;
}

CollocationScheme scheme_of(std::size_t stages, bool radau) {
    CollocationScheme s;
    s.stages = stages;
    s.nodes.push_back(0);
    for (double x : zeros(stages, radau)) s.nodes.push_back((1 + x) / 2);
    std::vector<double> row(stages + 1);
    for (double node : s.points()) {
        lagrange_derivatives(s.nodes, node, row);
        s.differentiation.insert(s.differentiation.end(), row.begin(), row.end());
    }
    s.end.resize(stages + 1);
    lagrange_values(s.nodes, 1, s.end);
    // The Lagrange polynomials of the points, integrated exactly by Gauss's rule.
    s.weights.assign(stages, 0);
    std::vector<double> values(stages);
    for (double x : zeros(stages, false)) {
        const Legendre p = legendre(stages, x);
        const double slope = double(stages) * (x * p.value - p.before) / (x * x - 1);
        lagrange_values(s.points(), (1 + x) / 2, values);
        for (std::size_t k = 0; k < stages; ++k) s.weights[k] += values[k] / ((1 - x * x) * slope * slope);
    }
    return s;
}

}  // namespace

void lagrange_values(std::span<const double> nodes, double at, std::span<double> values) {
    for (std::size_t l = 0; l < nodes.size(); ++l) {
        values[l] = 1;
        for (std::size_t j = 0; j < nodes.size(); ++j)
            if (j != l) values[l] *= (at - nodes[j]) / (nodes[l] - nodes[j]);
    }
}

void lagrange_derivatives(std::span<const double> nodes, double at, std::span<double> derivatives) {
    for (std::size_t l = 0; l < nodes.size(); ++l) {
        derivatives[l] = 0;
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            if (i == l) continue;
            double product = 1 / (nodes[l] - nodes[i]);
            for (std::size_t j = 0; j < nodes.size(); ++j)
                if (j != l && j != i) product *= (at - nodes[j]) / (nodes[l] - nodes[j]);
            derivatives[l] += product;
        }
    }
}

CollocationScheme gauss_collocation(std::size_t stages) {
    return scheme_of(stages, false);
}

CollocationScheme radau_collocation(std::size_t stages) {
    return scheme_of(stages, true);
}

std::vector<std::size_t> interval_parts(std::span<const double> errors, double tolerance, double order,
                                        std::size_t most) {
    std::vector<std::size_t> parts;
    for (double error : errors) {
        double n = 1;
        if (error > tolerance) n = std::max(2.0, std::ceil(std::pow(error / tolerance, 1 / order)));
        if (!(n < double(most))) n = double(most);
        parts.push_back(static_cast<std::size_t>(n));
    }
    return parts;
}

std::vector<double> divide_mesh(std::span<const double> mesh, std::span<const std::size_t> parts) {
    std::vector<double> result;
    for (std::size_t i = 0; i < parts.size(); ++i)
        for (std::size_t k = 0; k < parts[i]; ++k)
            result.push_back(mesh[i] + (mesh[i + 1] - mesh[i]) * double(k) / double(parts[i]));
    result.push_back(mesh.back());
    return result;
}

}  // namespace cutset
