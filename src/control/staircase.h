// Controllability and observability by orthogonal transformations, decided on the scaled system.
//
// Staircase form: Q^T A Q = [Ac A12; 0 Au], Q^T B = [Bc; 0] with (Ac, Bc) controllable; what is in Au no
// input moves. It is built row of stairs by row of stairs from singular values: powers of A are never formed.
// Observability is controllability of the dual (A^T, C^T).
#pragma once

#include <complex>
#include <vector>

#include "control/state_space.h"

namespace cutset {

// Singular values below `rank_tolerance` times the largest number of the scaled system count as zero.
inline constexpr double rank_tolerance = 1e-10;

struct Staircase {
    Eigen::MatrixXd A, B;   // transformed and scaled
    Eigen::MatrixXd Q;      // orthogonal: transformed state = Q^T S^-1 x
    Eigen::VectorXd scale;  // S: x = S x_scaled
    std::vector<Eigen::Index>
        stairs;  // ranks: how many states are reached by the inputs directly, through one integration, ...
    Eigen::Index reached = 0;  // order of Ac, the sum of the stairs
    double smallest_kept = 0;  // relative singular values: the decision is clear when these are far apart
    double largest_dropped = 0;
};
Staircase controllability_staircase(const StateSpace& system, double tolerance = rank_tolerance);

// One eigenvalue that cannot be moved (or seen).
struct FixedMode {
    std::complex<double> eigenvalue;
    std::vector<Eigen::Index> states;  // those that take part in it, largest share first
};

// The eigenvalues that no input moves, largest (real part or magnitude) first.
std::vector<FixedMode> uncontrollable_modes(const StateSpace& system, double tolerance = rank_tolerance);

struct ControllabilityReport {
    Eigen::Index order = 0, rank = 0;
    std::vector<Eigen::Index> indices;  // of each input (output): lengths of the chains b, A b, A^2 b ...
    std::vector<FixedMode> fixed;       // uncontrollable (unobservable) modes
    double smallest_kept = 0, largest_dropped = 0;
    // Popov-Belevitch-Hautus: the smallest singular value of [A - l I, B] relative to the largest, for each
    // mode. Near zero: the mode is nearly uncontrollable. Empty for large systems.
    struct Distance {
        std::complex<double> eigenvalue;
        double distance;
    };
    std::vector<Distance> distances;
    bool complete() const { return rank == order; }
};
ControllabilityReport examine_controllability(const StateSpace& system, double tolerance = rank_tolerance);
ControllabilityReport examine_observability(const StateSpace& system, double tolerance = rank_tolerance);

// Lengths of the chains b_j, A b_j, ... for each input, by search along rows (b1, b2, A b1, A b2 ...) or
// columns (b1, A b1 ..., then b2 ...) of Kailath's crate; their sum is the rank.
enum class CrateSearch { Rows, Columns };
std::vector<Eigen::Index> controllability_indices(const StateSpace& system,
                                                  CrateSearch search = CrateSearch::Rows,
                                                  double tolerance = rank_tolerance);

// The system with the roles of inputs and outputs exchanged.
StateSpace dual(const StateSpace& system);

}  // namespace cutset
