// JSON values, by nlohmann's library: what commands say with --json, and files. Keys are in alphabetical
// order, numbers that are not finite become null.
#pragma once

#include <nlohmann/json.hpp>
#include <string>

namespace cutset {

using Json = nlohmann::json;

// On one line, or on many with that many spaces for each level. Bytes that are no UTF-8 become the
// replacement character: names and texts of a model may hold anything.
inline std::string json_text(const Json& value, int indent = -1) {
    return value.dump(indent, ' ', false, Json::error_handler_t::replace);
}

}  // namespace cutset
