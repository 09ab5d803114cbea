// Long lines of generated text, broken.
#pragma once

#include <string>

namespace cutset {

// Text broken into lines of at most `width`, at blanks, but not between quotes; continued lines begin with
// `indent`.
std::string wrapped(const std::string& line, std::size_t width, const std::string& end,
                    const std::string& indent, char quote = '"');

}  // namespace cutset
