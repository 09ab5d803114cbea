// The rank of a sparse matrix over the integers modulo the prime p = 2^61 - 1, exactly.
//
// With random numbers for what is not known, the rank modulo p is the generic rank of the matrix, that for
// almost all values, with a probability of error of about size/p. Numbers that are known enter as they are.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace cutset::graph {

// Arithmetic modulo p.
namespace modular {
inline constexpr std::uint64_t prime = (std::uint64_t(1) << 61) - 1;

std::uint64_t add(std::uint64_t a, std::uint64_t b);
std::uint64_t negate(std::uint64_t a);
std::uint64_t multiply(std::uint64_t a, std::uint64_t b);
std::uint64_t power(std::uint64_t a, std::uint64_t exponent);
std::uint64_t inverse(std::uint64_t a);  // of a number that is not 0
// The number m·2^e of a finite double.
std::uint64_t of_double(double value);
// Uniform and the same for the same key; never 0.
std::uint64_t random(std::uint64_t key);
}  // namespace modular

// Columns and elements of a row; columns in any order, each at most once.
using ModularRow = std::vector<std::pair<std::uint32_t, std::uint64_t>>;

struct ModularRank {
    std::size_t rank = 0;
    // For each row that depends on others: the rows of one combination that vanishes, ascending.
    std::vector<std::vector<std::uint32_t>> dependencies;
    bool complete = true;  // false: given up because it took more than `effort` operations
};

// Gaussian elimination; pivots by few elements in their row and column.
ModularRank modular_rank(const std::vector<ModularRow>& rows, std::size_t columns,
                         std::size_t effort = 200'000'000);

}  // namespace cutset::graph
