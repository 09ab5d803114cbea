// Derivatives that stand in the results of the whole model and that a mode does not compute, because the
// variable is no state there: der(v2) where a closed switch makes v2 = v1. By the chain rule from what the
// mode computes v2 from; where that goes through a loop, by a difference along the solution.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "run/instant.h"

namespace cutset {

class ModeRates {
  public:
    explicit ModeRates(Instant& now);

    // The column's name, der(v) or der2(v) …; nothing when the mode does not have v.
    struct Rate {
        VariableIndex variable;
        std::uint32_t order = 1;
        Expr formula = nullptr;  // in states, their derivatives and the time; none: to be had by differences
    };
    std::optional<Rate> find(const std::string& name);
    // Where all of these values have been computed; nothing where it cannot be told.
    std::optional<double> value(const Rate& rate, const Interpreter& values) const;

  private:
    Expr expand(Expr e, bool derivatives_too);
    // The derivative of that order by differences.
    std::optional<double> difference(VariableIndex variable, std::uint32_t order,
                                     const Interpreter& values) const;

    Instant& now_;
    std::vector<bool> is_state_;
    std::vector<Expr> given_by_, rate_given_by_;  // by variable: assignments of it and of its derivative
    struct Derivative {
        VariableIndex variable;
        std::uint32_t order;
    };
    std::unordered_map<std::string, Derivative> names_;  // looked up only
};

}  // namespace cutset
