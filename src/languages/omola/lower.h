// Omola files together as classes of the object tree: inheritance, realizations and terminals resolved, and
// connections written as equations. The first `own` files are written completely, of the others, which are
// libraries, what these use.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "languages/omola/syntax.h"

namespace cutset::omola {

struct Classes {
    object::File file;
    std::vector<const object::Class*> models;  // of the own files, in the order of the text
};
Classes lower(const std::vector<File>& files, std::size_t own, Diagnostics& diagnostics);

}  // namespace cutset::omola
