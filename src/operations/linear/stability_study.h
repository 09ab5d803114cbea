// Stability conditions of a characteristic polynomial without its roots: the tables of Routh and Jury, with
// numbers or symbols.
#pragma once

#include <optional>
#include <string>

#include "control/stability_tables.h"
#include "operations/linear/linear_source.h"

namespace cutset {

struct StabilityRequest : LinearRequest {
    bool sampled = false;    // Jury's table of a polynomial in z; else Routh's of one in s
    std::string polynomial;  // as text, instead of that of a system
    bool feedback = false;   // of the loop with negative feedback of 1
};
struct StabilityStudy {
    bool sampled = false;
    ExactPolynomial polynomial;
    std::string variable;
    SymbolNames symbols;
    StabilityTable table;
    // Of the output for white noise at the input of a transfer function, where it can be stable.
    std::optional<Coefficient> variance;

    bool numeric() const { return table.unstable.has_value(); }
    // The symbols, and the small number of the table after them.
    SymbolNames names() const;
};
// Nothing when errors were reported.
std::optional<StabilityStudy> stability_study(const StabilityRequest& request, Workspace& workspace);

}  // namespace cutset
