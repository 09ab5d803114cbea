// What is said about a model in the same words, whatever language it is in.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::flat_messages {

Diagnostic sizes_differ(Span where, const std::string& submodel, const std::string& what,
                        const std::string& first, const std::string& second);

Diagnostic equation_units(Span where, const std::string& submodel, const std::string& a,
                          const std::string& unit_a, const std::string& b, const std::string& unit_b,
                          bool same_quantity);

// ---- inputs, knowns and unknowns of the experiment
Diagnostic not_an_input(const std::string& path, const std::string& kind, Span declared, bool parameter);
Diagnostic input_given_inside(const std::string& path, Span declared);
Diagnostic input_given_twice(const std::string& path);
// `in_the_text`: how a value is given there, "" where it cannot be.
Diagnostic inputs_not_given(Span where, const std::vector<std::string>& inputs,
                            const std::string& in_the_text);
Diagnostic known_not_variable(const std::string& path, const std::string& kind, Span declared,
                              bool parameter);
Diagnostic known_twice(const std::string& option, const std::string& path);
Diagnostic known_and_unknown(const std::string& path);
Diagnostic knowns_without_value(const std::vector<std::string>& knowns);
Diagnostic unknown_shapes_model(const std::string& path, Span declared);
Diagnostic unknown_not_free(const std::string& path, const std::string& kind, Span declared);
Diagnostic unknown_already(const std::string& path, Span declared);

}  // namespace cutset::flat_messages
