// The Dymola language: text → lossless tokens → syntax → tree::File. Reports all text errors it finds, with
// recovery, and always returns a file (with what could be understood).
#pragma once

#include <memory>
#include <optional>

#include "base/diagnostic.h"
#include "ir/class_tree.h"

namespace cutset::dymola {

// Deepest nesting of brackets, conditions and models; beyond it the text is refused. Bounds every recursion
// downstream.
inline constexpr int nesting_limit = 200;

// Most operands of one connection expression (its tree is as deep as it is long), and most errors reported
// per file.
inline constexpr int connection_chain_limit = 1000;
inline constexpr int error_limit = 100;

std::shared_ptr<tree::File> parse_file(const Sources& sources, SourceId source, Diagnostics& diagnostics);

// One expression, as given on the command line (--input "u=sin(time)", --set).
std::optional<tree::Expression> parse_expression(const Sources& sources, SourceId source,
                                                 Diagnostics& diagnostics);

}  // namespace cutset::dymola
