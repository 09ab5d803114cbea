// Arithmetic in commands: LET, IF, FOR and the right-hand side of PAR and INIT. + - * / ^ and the functions
// of the simulation language.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "session/command_text.h"

namespace cutset {

// The value of the name that begins at the reader's next token, which it reads; or the problem.
using NameReader = std::function<std::optional<double>(TokenReader&, std::optional<Diagnostic>&)>;

// The value of the whole text; or nothing with the problem.
std::optional<double> evaluate_arithmetic(std::string_view text, const NameReader& name,
                                          std::optional<Diagnostic>& problem);

// One of the functions of the simulation language.
bool is_function_name(std::string_view name);

// Functions and the time in the letters of the kernel: "SIN(TIME)" as "sin(time)".
std::string in_small_letters(std::string_view text);

}  // namespace cutset
