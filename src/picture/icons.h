// Icons of classes: drawn in the text, by the name of the class in the libraries, or by what the name tells.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "picture/class_picture.h"

namespace cutset::picture {

// `library`: the name of the file of the class. `drawn`: by the text; it comes first.
Icon icon_of(std::string_view name, std::string_view library, const std::vector<Primitive>& drawn);

}  // namespace cutset::picture
