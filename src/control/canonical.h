// Canonical forms, in the sense of Kailath (1980), chapter 6, for one or several inputs and outputs.
//
// Controller form: for each input j a block with as many states as its controllability index k_j, ones below
// the diagonal, coefficients in the first row of each block only. Observer form: its dual. Controllability
// form: the states are the coordinates in b_1, A b_1, ..., b_2, A b_2, ... chosen from the crate by rows or
// by columns; observability form: its dual. Modal form: real blocks [s w; -w s] for complex pairs, triangular
// ones for eigenvalues too close to be separated.
#pragma once

#include <optional>
#include <vector>

#include "base/diagnostic.h"
#include "control/staircase.h"

namespace cutset {

enum class CanonicalForm { Controller, Observer, Controllability, Observability, Modal };

struct CanonicalRealization {
    StateSpace system;                  // states z1, z2 ...
    Eigen::MatrixXd T;                  // x = T z
    std::vector<Eigen::Index> indices;  // sizes of the blocks
    double condition = 1;               // of T, with time in its natural unit
    double residual = 0;                // |A T - T A_new| / (|A| |T|)
};
std::optional<CanonicalRealization> canonical_form(const StateSpace& system, CanonicalForm form,
                                                   Diagnostics& diagnostics,
                                                   CrateSearch search = CrateSearch::Rows);

}  // namespace cutset
