// Cuts as terms that joins unify: built from their declarations at first use.
//
// A model's own cut has two faces: joined outside its through variables count as declared, joined inside with
// the opposite sign. An open cut has no variables of its own, and one face.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "instantiate/expressions.h"

namespace cutset {

// The part for a cut's outer or inner face; nothing when the declaration has errors.
std::optional<std::uint32_t> port_face(Context& c, std::uint32_t port, bool inside);

// New parts for temporary cuts.
std::uint32_t add_group(Context& c, const std::vector<std::uint32_t>& children);
std::uint32_t add_dot(Context& c, tree::Role role);
std::uint32_t add_value(Context& c, tree::Role role, Expr value, Origin origin);
std::uint32_t add_leaf(Context& c, tree::Role role, VariableIndex v, bool negative);

// All outer faces, so that unconnected cuts are known too.
void build_ports(Context& c);

// "Tank1:outlet", "(temporary cut)"
std::string port_name(const Context& c, std::uint32_t port);
// "Tank1:outlet (P, T / q)"
std::string part_text(const Context& c, std::uint32_t part);

}  // namespace cutset
