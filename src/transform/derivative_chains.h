// Variables as derivatives of others: with v = x' the derivative v' is x''.
//
// Index reduction speaks of x, x', x'', … whatever they are called in the model. A chain is a variable (its
// base) with its derivatives; some have a variable of the model (v for x'), others get one when they need it.
#pragma once

#include <cstdint>
#include <optional>
#include <utility>
#include <vector>

#include "transform/analysis.h"

namespace cutset::passes {

struct Derivative {
    VariableIndex base;
    std::uint32_t order = 0;
};

class DerivativeChains {
  public:
    explicit DerivativeChains(Analysis& a);

    // Finds the equations v = x'. They are `links`: not part of the system while it is spoken of in chains.
    void link(Analysis& a);
    bool is_link(EquationIndex e) const { return e.value < is_link_.size() && is_link_[e.value]; }
    // The same expression in bases and their derivatives of any order.
    Expr to_chains(Analysis& a, Expr e);

    // The highest derivative that has a variable of its own.
    std::uint32_t length(VariableIndex base) const {
        return base.value < variables_.size() ? std::uint32_t(variables_[base.value].size()) : 0;
    }
    // The highest derivative of each variable that occurs.
    void set_highest(std::vector<std::uint32_t> highest) {
        if (highest_.empty()) natural_ = highest;
        highest_ = std::move(highest);
    }
    // Whether the modeller differentiates it: d' occurs in the equations as they came.
    bool is_differentiated(Derivative d) const { return d.order < natural_[d.base.value]; }
    std::uint32_t highest(VariableIndex base) const { return highest_[base.value]; }
    bool is_base(VariableIndex v) const { return v.value >= place_.size() || place_[v.value].order == 0; }

    // Constraints determine this derivative: it is no state. All others below the highest are states.
    void set_dependent(Derivative d);

    // ---- after all dependent ones are known
    // Gives every derivative that needs one a variable, and adds or drops the links; fills
    // Partition::dependent with those that are not among `chosen_later`.
    void make_variables(Analysis& a, const std::vector<Derivative>& chosen_later);
    std::optional<VariableIndex> variable(Derivative d) const;
    // What stands for it in an equation: its variable, or the derivative of a state.
    Expr leaf(Analysis& a, Derivative d) const;
    // The same expression in variables and first derivatives of states.
    Expr to_variables(Analysis& a, Expr e);

  private:
    bool is_dependent(Derivative d) const;
    void add_variable(Analysis& a, Derivative d);

    std::vector<Derivative> place_;  // by variable: where in its chain
    std::vector<std::vector<VariableIndex>>
        variables_;  // by base: of order 1, 2, …; `none` where there is none
    std::vector<std::vector<EquationIndex>> links_;  // by base: x^(k)' = x^(k+1) at k
    std::vector<bool> is_link_;                      // by equation
    std::vector<std::uint32_t> highest_, natural_;   // by base; natural: before index reduction
    std::vector<std::vector<bool>> dependent_;       // by base and order
    Substitution into_chains_, into_variables_;
};

}  // namespace cutset::passes
