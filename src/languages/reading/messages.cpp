#include "languages/reading/messages.h"

#include <fmt/format.h>

#include "base/foreign_words.h"
#include "base/message_parts.h"

namespace cutset::reading {

Diagnostic unterminated_text(Span opening) {
    return make_error(opening, "unterminated-text", "the text that starts here is not closed on its line",
                      "close it with `\"`");
}

Diagnostic malformed_number(Span where, std::string_view text) {
    const std::string help = stuck_letters_help(text);
    return make_error(where, "malformed-number", fmt::format("`{}` is not a number", text),
                      help.empty() ? "numbers are written like 5, .08, 2.5E-4" : help);
}

Diagnostic number_out_of_range(Span where, std::string_view text) {
    return make_error(where, "number-out-of-range", fmt::format("`{}` is too large for a number", text),
                      "numbers reach up to about 1.8e308");
}

Diagnostic nested_too_deep(Span where, std::string_view what, int limit) {
    return make_error(where, "nested-too-deep",
                      fmt::format("brackets and {} are nested more than {} deep", what, limit),
                      "divide the expression by variables");
}

Diagnostic expected(Span where, std::string_view wanted, std::string_view found, std::string help) {
    return make_error(where, "unexpected",
                      fmt::format("{} is wanted here, but `{}` stands here", wanted, found), std::move(help));
}

}  // namespace cutset::reading
