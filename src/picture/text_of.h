// Pieces of a source text, as they are written.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/source.h"

namespace cutset::picture {

// The text of a region with its layout made one blank; "" for an unknown place.
std::string written(const Sources& sources, Span where);
// The text of a region as it is.
std::string_view raw_text(const Sources& sources, Span where);

constexpr std::size_t expression_line = 26;  // characters, of a symbol

// The text in lines of at most about `most` characters, broken at blanks.
std::vector<std::string> wrapped(std::string_view text, std::size_t most);

// The first sentence of a documentation, on one line.
std::string first_sentence(std::string_view text);

}  // namespace cutset::picture
