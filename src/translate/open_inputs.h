// Models with inputs that are not given, for questions that need no values: `check`, `equations`,
// `translate`.
#pragma once

#include <optional>
#include <string>

#include "translate/translator.h"

namespace cutset {

// Whether a translation failed only because inputs of the whole model, or values of knowns, are not given.
bool lacks_inputs(const Diagnostics& diagnostics);

// The flat model. Inputs of the whole model that nothing gives, and knowns without a value, are smooth
// functions of time that are not specified: `u = given_u(time)`.
std::optional<FlatModel> flatten_open(const Translator& translator, const std::string& model,
                                      Experiment experiment, Diagnostics& diagnostics);

// Makes such inputs parameters that are 0 unless set, for a program in another language; lists them in a
// note. An error where the equations need the derivative of one: it cannot be a parameter then.
void inputs_as_parameters(FlatModel& model, const TransformOptions& options, Diagnostics& diagnostics);

}  // namespace cutset
