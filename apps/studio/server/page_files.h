// The files of the page: a fixed table of names, read once from beside the program. Nothing else has an
// address.
#pragma once

#include <map>
#include <optional>
#include <string>

namespace cutset::studio {

struct PageFile {
    std::string type, bytes;
};
using PageFiles = std::map<std::string, PageFile>;  // by target: "/", "/studio.js"

// Nothing when the page is not there.
std::optional<PageFiles> load_page();

}  // namespace cutset::studio
