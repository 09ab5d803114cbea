// Elementary functions by their names in Modelica, which Omola and EL have too.
#pragma once

#include <string_view>

#include "expr/elementary_functions.h"

namespace cutset {

// nullptr: none.
constexpr const ElementaryFunction* find_modelica_function(std::string_view name) {
    for (const ElementaryFunction& f : elementary_functions)
        if (f.modelica && name == f.modelica) return &f;
    return nullptr;
}

}  // namespace cutset
