// What is wrong with a request itself: an option with a value that does not fit, or one that is missing.
#pragma once

#include <string>
#include <utility>

#include "base/diagnostic.h"

namespace cutset {

inline Diagnostic bad_option(std::string message, std::string help = {}) {
    Diagnostic d;
    d.code = "bad-option";
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

}  // namespace cutset
