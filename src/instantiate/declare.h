// Variables of one instance: parameters with the source of their value, arrays element by element.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "instantiate/context.h"

namespace cutset {

// Arguments of the submodel statement, by variable slot.
using ArgumentsBySlot = std::vector<const tree::Argument*>;
ArgumentsBySlot match_arguments(Context& c, InstanceIndex i, const ClassInfo& info);

// The declarations among `items`, parameters first; nested groups are not entered.
void declare_variables(Context& c, InstanceIndex i, const std::vector<tree::Item>& items, std::uint32_t loops,
                       const ArgumentsBySlot& arguments);

// Terminals that a cut lists and that are not declared.
void declare_cut_variables(Context& c, InstanceIndex i, const std::vector<tree::PortElement>& body,
                           const std::vector<std::uint32_t>& dimensions);

// New variables of submodel i, one for each element of the shape; returns the first.
VariableIndex add_variables(Context& c, InstanceIndex i, std::string_view name, std::uint32_t shape,
                            const Variable& like);

}  // namespace cutset
