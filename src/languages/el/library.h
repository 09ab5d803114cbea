// All that EL files declare, by name.
#pragma once

#include <map>
#include <set>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "languages/el/syntax.h"

namespace cutset::el {

struct Library {
    std::map<std::string, const Component*> components;  // and ports
    std::map<std::string, const Function*> functions;
    std::map<std::string, const Enumeration*> enumerations;
    std::map<std::string, const Declaration*> constants;
    std::set<std::string> names;  // of libraries: MATH.PI is PI

    const Component* component(const std::string& name) const;
    std::vector<std::string> component_names(bool ports) const;
};

// The files must outlive it. Reports names that are declared twice.
Library make_library(const std::vector<File>& files, Diagnostics& diagnostics);

// "LIB.Type" without the names of libraries.
std::string without_library(const Library& library, const std::string& name);

}  // namespace cutset::el
