// What was written in Omola as text again: reading it gives the same classes. Comments and layout are not
// kept.
#pragma once

#include <string>

#include "languages/omola/syntax.h"

namespace cutset::omola {

std::string file_text(const File& file);

}  // namespace cutset::omola
