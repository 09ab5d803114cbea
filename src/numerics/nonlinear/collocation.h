// Collocation: the solution of x' = f(t, x) on an interval as a polynomial that satisfies the equations at
// chosen points.
//
//     x(t0 + τ h) = Σ_l x_l L_l(τ),   Σ_l D_kl x_l = h f(t_k, x_k),   k = 1 … K
//
// over the nodes τ_0 = 0 and the collocation points τ_1 … τ_K. With Gauss points the ends of the intervals
// are accurate to order 2K and directions of time are alike; with Radau points (order 2K - 1) the last one is
// the end of the interval itself.
#pragma once

#include <cstddef>
#include <span>
#include <vector>

namespace cutset {

struct CollocationScheme {
    std::size_t stages = 0;
    std::vector<double> nodes;            // K + 1: 0 and the collocation points
    std::vector<double> differentiation;  // D, K by K + 1, by rows
    std::vector<double> end;              // L_l(1), K + 1 of them
    std::vector<double> weights;          // of the integral over [0, 1] by the collocation points

    double d(std::size_t k, std::size_t l) const { return differentiation[k * (stages + 1) + l]; }
    std::span<const double> points() const { return std::span(nodes).subspan(1); }
};

CollocationScheme gauss_collocation(std::size_t stages);
CollocationScheme radau_collocation(std::size_t stages);

// Values, or derivatives, of the Lagrange polynomials of the nodes at τ, one per node.
void lagrange_values(std::span<const double> nodes, double at, std::span<double> values);
void lagrange_derivatives(std::span<const double> nodes, double at, std::span<double> derivatives);

// Where each interval should be divided: `parts` by interval, at least 1. The error of an interval falls with
// its length to the power `order`; no interval is divided into more than `most` parts.
std::vector<std::size_t> interval_parts(std::span<const double> errors, double tolerance, double order,
                                        std::size_t most);
std::vector<double> divide_mesh(std::span<const double> mesh, std::span<const std::size_t> parts);

}  // namespace cutset
