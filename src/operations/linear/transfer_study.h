// Transfer functions of a system, and the exact algebra of transfer matrices: Smith forms, matrix fractions,
// realisations.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "control/matrix_fraction.h"
#include "control/polynomial_matrix.h"
#include "control/transfer_function.h"
#include "operations/linear/linear_source.h"

namespace cutset {

// All functions here: nothing when errors were reported.

// From one input to one output.
struct TransferElement {
    std::optional<ExactFraction> exact;          // in lowest terms, of exact transfer functions
    Rational delay = 0;                          // s
    std::optional<TransferFunction> numeric;     // without symbols
    std::vector<double> numerator, denominator;  // without symbols: highest power first
};
struct TransferStudy {
    std::vector<std::string> inputs, outputs;
    std::string variable;  // s, or z of a sampled system
    std::optional<double> sample_time;
    SymbolNames symbols;
    std::vector<std::vector<TransferElement>> elements;  // by output, by input
    std::optional<ExactTransferMatrix> exact;            // as given

    bool single() const { return inputs.size() == 1 && outputs.size() == 1; }
};
std::optional<TransferStudy> transfer_study(const LinearRequest& request, Workspace& workspace);
// To be written to a file; of a state space with simple rational coefficients.
ExactTransferMatrix transfer_matrix_of(const TransferStudy& study);

// The exact transfer matrix; a state space is taken with its numbers as they stand.
std::optional<ExactTransferMatrix> open_exact(const LinearRequest& request, Workspace& workspace);

enum class HermiteBy { Rows, Columns };
struct SmithRequest : LinearRequest {
    std::optional<HermiteBy> hermite;  // the Hermite form instead
    bool transformations = false;      // the unimodular matrices too; without symbols they are always there
};
struct HermiteStudy {
    HermiteBy by = HermiteBy::Rows;
    HermiteForm form;
};
// Of polynomial matrices the Smith form, of others the Smith-McMillan form.
struct SmithStudy {
    ExactTransferMatrix matrix;
    std::variant<SmithForm, SmithMcMillanForm, HermiteStudy> form;
};
std::optional<SmithStudy> smith_study(const SmithRequest& request, Workspace& workspace);

// What is done with a fraction: both steps, or one of them.
enum class FractionSteps { CoprimeAndReduced, Coprime, Reduced };
struct FractionRequest : LinearRequest {
    FractionText text;  // a fraction instead of a system
    bool left = false;  // D^-1 N; else N D^-1
    bool raw = false;   // as the common denominators give it
    FractionSteps steps = FractionSteps::CoprimeAndReduced;
};
struct FractionStudy {
    ExactTransferMatrix matrix;
    bool left = false;
    bool given = false;
    MatrixFraction first;  // as it is given, or from the least common denominators
    struct Reduced {
        CoprimeFraction coprime;
        ReducedFraction reduced;
        std::vector<int> degrees;     // of the columns (rows) of D
        ExactPolynomial determinant;  // of D: its roots are the poles
    };
    std::optional<Reduced> reduced;  // none of a raw one
    ExceptionalValues exceptions;
};
std::optional<FractionStudy> fraction_study(const FractionRequest& request, Workspace& workspace);

enum class ExactForm { Controller, Observer, Controllability, Observability };
struct RealizeRequest : LinearRequest {
    FractionText text;  // a fraction instead of a system: right for controller forms, left for observer forms
    ExactForm form = ExactForm::Controller;
    int crate = 2;
};
struct RealizeStudy {
    ExactTransferMatrix matrix;
    ExactStateSpace system;
    ExceptionalValues exceptions;
};
std::optional<RealizeStudy> realize_study(const RealizeRequest& request, Workspace& workspace);

// A realisation without symbols as a system of numbers with the names of its signals.
StateSpace numeric_system(const RealizeStudy& study);

}  // namespace cutset
