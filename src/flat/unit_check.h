// Whether an equation adds and compares what measures the same. Units of expressions follow from those of
// variables; what has no unit, and the time, take the one that fits, and so does a number: `p = 1000*9.81*h`
// says nothing against `p [Pa]`. So only what is certainly wrong is reported, as a warning.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <set>
#include <string>
#include <unordered_map>
#include <utility>

#include "base/diagnostic.h"
#include "flat/units.h"
#include "ir/flat_model.h"

namespace cutset {

class UnitCheck {
  public:
    // Where constants have become numbers, as those of Modelica have, a factor of value 1 may have had a
    // unit: `s*unitCurrent` with a number s. Then the unit "1" says nothing, nor does the argument of exp and
    // ln.
    UnitCheck(const FlatModel& model, Diagnostics& diagnostics, bool constants_are_numbers)
        : model_(model), diagnostics_(diagnostics), constants_are_numbers_(constants_are_numbers) {}

    // Units belong to the text: once for each place of it, however many submodels share it.
    void check(Expr left, Expr right, const Origin& origin);
    // Variables without a unit have that of what they are equal to, a = b or a = -b, from one to the next.
    void infer();

  private:
    friend class UnitsOfEquation;
    struct Inferred {
        std::string unit;
        VariableIndex from;  // the variable that was declared with it
    };

    const Unit* unit(const std::string& text);
    const std::string& text_of(VariableIndex v) const;

    const FlatModel& model_;
    Diagnostics& diagnostics_;
    const bool constants_are_numbers_;
    std::map<std::string, std::optional<Unit>> units_;
    std::set<std::pair<std::uint32_t, std::uint32_t>> checked_;  // places of equations
    std::unordered_map<std::uint32_t, Inferred> inferred_;
};

}  // namespace cutset
