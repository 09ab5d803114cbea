// Omola files together as classes of the object tree: inheritance, realizations and terminals resolved, and
// connections written as equations. Of files that are libraries what the others use is written.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "languages/omola/objects.h"
#include "languages/omola/syntax.h"

namespace cutset::omola {

struct Classes {
    object::File file;
    std::vector<const object::Class*> models;  // of the own files, in the order of the text
};
struct Request {
    std::size_t own = 1;  // files that are written completely
    std::vector<std::string>
        realizations;  // path=NAME, or NAME of a model's own: what is chosen in the own models
    ForeignClasses foreign;
};
Classes lower(const std::vector<File>& files, const Request& request, Diagnostics& diagnostics);

}  // namespace cutset::omola
