// Poles and zeros of a linear system: with numbers as modes and roots, with symbols as formulas.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "control/exact_polynomial.h"
#include "control/modes.h"
#include "control/polynomial.h"
#include "control/symbol_matrix.h"
#include "operations/linear/linear_source.h"

namespace cutset {

// Poles as modes, nearest to instability first. Those of transfer functions are the roots of exact
// coefficients, with multiplicity and without states.
struct PoleStudy {
    std::vector<Mode> modes;
    std::vector<std::string> states;  // of a state space
    std::optional<double> sample_time;
    bool exact = false;

    bool sampled() const { return sample_time.has_value(); }
    bool stable() const;
    std::size_t multiplicity(const Mode& mode) const;
};

// The polynomial whose roots they are, with symbols.
struct SymbolicRoots {
    ExactPolynomial polynomial;  // zero: the transfer function is zero
    struct Factor {
        ExactPolynomial factor;
        unsigned multiplicity = 1;
        std::string roots;  // a formula, up to the second degree; else empty
    };
    std::vector<Factor> factors;
    std::string variable;
    SymbolNames symbols;
    ExceptionalValues exceptions;
};

// Zeros of systems with any number of inputs and outputs.
struct ZeroStudy {
    std::vector<Complex> invariant;     // all
    std::vector<Complex> transmission;  // of the minimal part
    std::vector<Complex> decoupling;    // of modes that the inputs do not reach or the outputs do not show
    Eigen::Index normal_rank = 0;       // of the transfer matrix; 0: it is zero
    bool degenerate = false;
    std::vector<std::string> inputs, outputs;
    std::optional<double> sample_time;
    // One input and one output.
    struct Gain {
        double value = 0;
        int more_poles_than_zeros = 0;
    };
    std::optional<Gain> gain;
};

// Nothing when errors were reported.
std::optional<std::variant<PoleStudy, SymbolicRoots>> pole_study(const LinearRequest& request,
                                                                 Workspace& workspace);
std::optional<std::variant<ZeroStudy, SymbolicRoots>> zero_study(const LinearRequest& request,
                                                                 Workspace& workspace);

}  // namespace cutset
