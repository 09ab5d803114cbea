// Variables of a FlatModel by their path.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "ir/flat_model.h"

namespace cutset {

// "a::b [2].x" → "a.b[2].x"
std::string plain_path(const std::string& path);

// "x" of "der(x)"; nothing for any other text.
std::optional<std::string> differentiated_path(std::string_view text);

// The variable of that plain path, or all elements of the array of that path.
std::vector<VariableIndex> find_variables(const FlatModel& model, const std::string& path);

// The same for many paths, in one go.
std::vector<std::vector<VariableIndex>> find_variables(const FlatModel& model,
                                                       const std::vector<std::string>& paths);

// Of all variables, in their order.
std::vector<std::string> variable_paths(const FlatModel& model);

// The path of a variable that is meant by one that does not exist; empty when nothing comes near.
std::string nearest_path(const FlatModel& model, const std::string& path);

}  // namespace cutset
