// Bounds of what is read of a text of Omola or EL; they bound every recursion downstream.
#pragma once

namespace cutset::reading {

// Deepest nesting of brackets, blocks and classes, longest chain of operators, most errors reported per file.
inline constexpr int nesting_limit = 200;
inline constexpr int chain_limit = 1000;
inline constexpr int error_limit = 100;

}  // namespace cutset::reading
