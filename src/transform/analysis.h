// What the passes hand on: the partition as far as it is known, and cached facts about its expressions.
//
// A pass is a function of an Analysis (see transform.cpp for the order). Equations and variables keep their
// indices through all passes: an equation that has done its work (exact elimination used it, or it was
// superfluous) is marked as not live and stays in the list as it was written, so that messages and reports
// can show it.
#pragma once

#include <algorithm>
#include <cstdint>
#include <initializer_list>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/partition.h"
#include "transform/parameter_values.h"
#include "transform/parametric_value.h"
#include "transform/system.h"
#include "transform/transform.h"

namespace cutset::passes {

// What an expression depends on at most; ordered.
enum class Variation : std::uint8_t {
    Number,      // nothing
    Parametric,  // constants and parameters
    Discrete,    // changes at events only
    Varying,     // time, continuous variables
};

// Variation of expressions, remembered by node.
class VariationOf {
  public:
    // `continuous`: which variables are, by VariableIndex.
    Variation operator()(const FlatModel& model, const std::vector<bool>& continuous, Expr e);

  private:
    std::vector<std::uint8_t> known_;  // by node id: 0 = not yet, else 1 + Variation
};

// The distinct Variable leaves of expressions. An argument of `delay` is left out unless asked for: its past
// values are known, so it takes no part in an algebraic relation.
class Leaves {
  public:
    // Valid until the next call.
    std::span<const Expr> operator()(std::initializer_list<Expr> expressions, bool into_delays = false);
    bool occurs(Expr leaf, Expr e);
    // The last call left out an argument of `delay`.
    bool left_out() const { return left_out_; }

  private:
    bool left_out_ = false;
    std::vector<std::uint32_t> seen_;  // by node id: the number of the call that saw it last
    std::uint32_t call_ = 0;
    std::vector<Expr> found_, stack_;
};

// Superfluous equations and what they were superfluous to, kept for messages about floating circuits.
struct Dependency {
    EquationIndex removed;
    std::vector<EquationIndex> with;  // `removed` follows from these
};

// A variable that the user wants iterated.
struct TornWish {
    std::string name;  // as given
    Unknown unknown;
    bool used = false;  // a loop has it
};

struct Analysis {
    Analysis(FlatModel model, const TransformOptions& options);
    // Of what is sorted already, for those who look at a part of it again: `gone` and `differentiated` (the
    // states) are as after matching, and `written` has equations without eliminated variables.
    Analysis(Partition sorted, const TransformOptions& options);
    Analysis(const Analysis&) = delete;
    // What the passes have made.
    Partition finish() &&;

    Partition partition;
    TransformOptions options;
    ParameterValues values;  // the only way to the value of a parameter

    std::vector<Equation> written;               // by EquationIndex: as they came, for messages
    std::vector<bool> live;                      // by EquationIndex
    std::vector<bool> continuous_variable;       // by VariableIndex: its variability, close together
    std::vector<bool> gone;                      // by VariableIndex: eliminated, or unused
    std::vector<bool> differentiated;            // by VariableIndex: a derivative of it occurs in an equation
    std::vector<std::uint8_t> derivative_order;  // by VariableIndex: 1 for v = x' …; may be shorter
    std::vector<Dependency> dependencies;
    // For jumps: the equations and, with --initial jump, the initial values before equal variables were
    // united.
    std::vector<Equation> before_elimination;
    std::vector<std::optional<Start>> starts_before;  // by VariableIndex
    std::vector<bool> differentiated_before;          // by VariableIndex; always
    std::vector<TornWish> torn;
    System matched;     // what reduce_index found, when it had nothing to do
    System continuous;  // the live equations against derivatives and other unknowns, after matching

    VariationOf variation;
    Leaves leaves;

    FlatModel& model() { return partition.model; }
    Pool& pool() { return *partition.model.pool; }
    Variation variation_of(Expr e) { return variation(partition.model, continuous_variable, e); }
    bool is_unknown(VariableIndex v) const { return continuous_variable[v.value] && !gone[v.value]; }
    // The expression, or null where its value is no matter of parameters.
    Expr if_parametric(Expr e) { return e && variation_of(e) <= Variation::Parametric ? e : nullptr; }
    // The value of a call of a table.
    std::optional<double> call_value(Expr call, std::span<const double> arguments) {
        return table_call_value(model(), call, arguments);
    }
    // The equation as the modeller knows it.
    std::string text(EquationIndex e) const { return partition.model.text(written[e.value]); }
    std::string text(Expr e) const { return to_text(e, partition.model.printer()); }
    // Marks the parameters of e, and those that they are computed from, as structural.
    void make_structural(Expr e);

    EquationIndex add_equation(Equation e);
    VariableIndex add_variable(Variable v);
};

}  // namespace cutset::passes
