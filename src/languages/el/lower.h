// EL files together as classes of the object tree: components by name, partitions inside their component,
// experiments inside their partition: motorDC.motor2.exp1. The first `own` files are written completely, of
// the others, which are libraries, what these use.
#pragma once

#include <vector>

#include "base/diagnostic.h"
#include "languages/el/syntax.h"

namespace cutset::el {

struct Classes {
    object::File file;
    std::vector<const object::Class*> models;       // components of the own files
    std::vector<const object::Class*> experiments;  // in the order of the text
};
Classes lower(const std::vector<File>& files, std::size_t own, Diagnostics& diagnostics);

}  // namespace cutset::el
