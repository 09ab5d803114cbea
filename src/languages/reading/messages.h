// What is said about texts of Omola and of EL alike.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace cutset::reading {

Diagnostic unterminated_text(Span opening);
Diagnostic malformed_number(Span where, std::string_view text);
Diagnostic number_out_of_range(Span where, std::string_view text);
// `what`: "blocks", "classes": what may be nested beside brackets
Diagnostic nested_too_deep(Span where, std::string_view what, int limit);
Diagnostic expected(Span where, std::string_view wanted, std::string_view found, std::string help = "");

}  // namespace cutset::reading
