// Poles and zeros with symbols, as poles and zeros print them.
#pragma once

#include "base/json.h"
#include "operations/linear/pole_study.h"

namespace cutset::cli {

// What is said when every s is a zero.
inline constexpr const char* zero_function = "the transfer function is zero: every s is a zero";

Json symbolic_roots_json(const SymbolicRoots& roots);
// `what`: poles or zeros.
void print_symbolic_roots(const SymbolicRoots& roots, const char* what);

}  // namespace cutset::cli
