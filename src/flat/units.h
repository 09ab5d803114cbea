// Units as written after a declaration: `kPa`, `kg/s`, `W/(m2.K)`, `degC`. A unit is a scale to SI with an
// exponent for each base quantity:  value in SI = factor*value + offset.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutset {

struct Unit {
    // m, kg, s, A, K, mol, cd, rad
    std::array<int, 8> exponents{};
    double factor = 1;
    double offset = 0;
    bool counts_cycles = false;  // Hz: not to be mixed up with rad/s
};

// Nothing when the text is not a unit that is known here.
std::optional<Unit> parse_unit(std::string_view text);

// Why parse_unit gives nothing: the symbol that is not known ("" when the text is badly formed), and the
// known one that is nearest to it.
struct UnknownSymbol {
    std::string symbol, near;
};
UnknownSymbol unknown_symbol(std::string_view text);

// All symbols without prefixes.
std::vector<std::string_view> unit_symbols();

// Same quantity: a value in one unit can be given in the other. 1/s and rad/s agree, Hz and rad/s do not.
bool same_quantity(const Unit& a, const Unit& b);

// value in `to` = factor*(value in `from`) + offset
struct Conversion {
    double factor = 1;
    double offset = 0;
    bool needed() const { return factor != 1 || offset != 0; }
};
Conversion conversion(const Unit& from, const Unit& to);

}  // namespace cutset
