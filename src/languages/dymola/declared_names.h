// Which names a Dymola text declares, seen without parsing it, so that library files without any reference to
// them need not be parsed.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace cutset::dymola {

struct DeclaredNames {
    // Of models, functions and tables, those inside of others included: a few more than the parser finds at
    // the level of the file, never fewer.
    std::vector<std::string> names;
    bool libraries = false;  // the text names library files
};

DeclaredNames declared_names(std::string_view text);

}  // namespace cutset::dymola
