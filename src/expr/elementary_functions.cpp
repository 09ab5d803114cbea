#include "expr/elementary_functions.h"

namespace cutset {

std::string names_of_functions(std::string_view separator) {
    std::string list;
    for (const ElementaryFunction& f : elementary_functions) {
        if (!list.empty()) list += separator;
        list += f.name;
    }
    return list;
}

std::string names_of_functions(const char* FunctionTraits::*language, std::string_view separator) {
    std::string list;
    for (const ElementaryFunction& f : elementary_functions) {
        if (!(f.*language)) continue;
        if (!list.empty()) list += separator;
        list += f.*language;
    }
    return list;
}

}  // namespace cutset
