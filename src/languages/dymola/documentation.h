// Comments as documentation: the block of comments next to a model becomes its text.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "languages/dymola/tokens.h"

namespace cutset::dymola {

// The comments on the lines directly above the token that begins at `offset`, without the comment marks.
std::string comments_before(const std::vector<Token>& all, std::string_view text, std::uint32_t offset);

// The comments that follow directly after `offset`, on the same line and the lines below.
std::string comments_after(const std::vector<Token>& all, std::string_view text, std::uint32_t offset);

}  // namespace cutset::dymola
