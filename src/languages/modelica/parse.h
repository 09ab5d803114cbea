// The Modelica language (3.6): text → lossless tokens → object::File. Reports all text errors that it finds:
// what cannot be understood is left out up to the next `;`, and the other classes of the file are read.
#pragma once

#include <memory>
#include <optional>

#include "base/diagnostic.h"
#include "ir/object_tree.h"

namespace cutset::modelica {

// Deepest nesting of brackets, classes and statements, most operands of one sum or product, and most errors
// reported for a file. They bound every recursion downstream.
inline constexpr int nesting_limit = 200;
inline constexpr int operand_limit = 2000;
inline constexpr int error_limit = 100;

std::shared_ptr<object::File> parse_file(const Sources& sources, SourceId source, Diagnostics& diagnostics);

// The modification of `annotation(…)`, whose place the tree has as a span. Empty when there is none, or an
// error was reported.
object::Modification parse_annotation(const Sources& sources, Span span, Diagnostics& diagnostics);

// One expression, for example from the command line.
std::optional<object::Expression> parse_expression(const Sources& sources, SourceId source,
                                                   Diagnostics& diagnostics);

}  // namespace cutset::modelica
