// Transfer functions to state space, with words about what stands in the way.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "control/matrix_fraction.h"
#include "control/transfer_function.h"

namespace cutset {

// Says what stands in the way of a state space form: symbols, delays, elements that are not proper.
bool check_realizable(const ExactTransferMatrix& g, Diagnostics& diagnostics);
// Smallest state space form. Nothing, with messages, when there are symbols, delays or an element that is not
// proper.
std::optional<StateSpace> realize(const ExactTransferMatrix& g, Diagnostics& diagnostics);

// Zeros, poles and gain of each element, by row and column, without delays. Nothing, with messages, when
// there is no state space form, or a gain is beyond the range of numbers.
std::optional<std::vector<std::vector<TransferFunction>>> realizable_elements(const ExactTransferMatrix& g,
                                                                              Diagnostics& diagnostics);

// Each delay by a fraction with numerator and denominator of degree `order` (Padé): right to s^(2·order) at
// low frequencies.
ExactTransferMatrix with_pade(const ExactTransferMatrix& g, unsigned order);

// Says which factors stand above and below the line; they are not seen from outside.
void report_cancelled(const ExactTransferMatrix& g, Diagnostics& diagnostics);

// "G", or "the element from u2 to y1" when there are several.
std::string element_name(const ExactTransferMatrix& g, std::size_t row, std::size_t column);

}  // namespace cutset
