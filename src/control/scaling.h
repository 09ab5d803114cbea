// Scaling of a system before decisions about ranks: the answer must not depend on the units that a modeller
// chose.
#pragma once

#include "control/state_space.h"

namespace cutset {

// The nearest; 1 where x is not positive or not finite.
double power_of_two(double x);

// x = S x_scaled, u = U u_scaled, y = Y y_scaled, all diagonal.
struct SystemScaling {
    Eigen::VectorXd states, inputs, outputs;
};

// Powers of two such that rows of [A B] and columns of [A; C] have about equal norms and the columns of B and
// rows of C are about as large as A.
SystemScaling scaling_of(const StateSpace& system);

// S^-1 A S, S^-1 B U, Y^-1 C S, Y^-1 D U.
StateSpace scaled(const StateSpace& system, const SystemScaling& scaling);

}  // namespace cutset
