// What is wrong with a request itself: an option with a value that does not fit, or one that is missing.
#pragma once

#include <string>
#include <utility>

#include "base/message_parts.h"

namespace cutset {

inline Diagnostic bad_option(std::string message, std::string help = {}) {
    return with_concern(make_error("bad-option", std::move(message), std::move(help)), Concern::Request);
}

}  // namespace cutset
