// What the verifiers of the types of this folder throw. Private to src/ir.
#pragma once

#include <stdexcept>
#include <string>

namespace cutset {

inline void require(bool condition, const std::string& what) {
    if (!condition) throw std::logic_error(what);
}

}  // namespace cutset
