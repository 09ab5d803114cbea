// Which variables tick together, and when.
//
//     clock partitions   variables that share an equation tick together; sample, hold and ratios lie between
//     rates              interval and first tick of each partition, exact multiples of one base clock: of its
//                        period, or of the count of its ticks where they are events
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/disjoint_sets.h"
#include "ir/flat_model.h"

namespace cutset {

struct Fraction {
    std::int64_t numerator = 0, denominator = 1;
    bool operator==(const Fraction&) const = default;
    double value() const { return double(numerator) / double(denominator); }
    bool in_range() const;
};

// Ticks at base*(begin + k*interval).
struct ClockRate {
    Fraction interval{1, 1}, begin;
    bool operator==(const ClockRate&) const = default;
};

struct ClockPartition {
    std::vector<EquationIndex> equations, initial_equations;
    std::vector<VariableIndex> unknowns;
    const ClockOperator* base = nullptr;  // the clock with a period or a condition of its own
    ClockRate rate;
    const ClockOperator* solved = nullptr;  // gives its solver

    ClockSolver solver() const { return solved ? solved->solver : ClockSolver::None; }
};

class ClockPartitions {
  public:
    // Nothing may be added to the operators of the model while this is in use.
    ClockPartitions(const FlatModel& model, Diagnostics& diagnostics);

    // The clocked partitions in the order of their first variables; none where something was reported.
    std::vector<ClockPartition> find();

    const ClockOperator* operator_of(EquationIndex e) const { return operator_of_[e.value]; }
    VariableIndex result(const ClockOperator& op) const;

  private:
    struct Part {
        ClockPartition found;
        std::vector<std::pair<const ClockOperator*, bool>> ratios;  // to neighbours; whether from the result
    };

    bool is_unknown(VariableIndex v) const { return unknown_[v.value]; }
    std::uint32_t join_leaves(Expr e, std::uint32_t with);
    std::uint32_t member(const Equation& e);
    std::uint32_t argument(const ClockOperator& op);
    Part* part(std::uint32_t v);

    void list_unknowns();
    void list_operators();
    void join_variables();
    void find_clocked();
    void distribute();
    void set_clocked(std::uint32_t v);
    void find_rates();
    void spread(const ClockOperator& definition);
    bool reach(std::uint32_t to, const ClockOperator& definition, const ClockRate& rate, Span where);
    bool agree(const Part& p, const ClockOperator& definition, const ClockRate& rate) const;
    void check(const Part& p, VariableIndex member);
    void check_inferred(const ClockOperator& op);
    std::optional<double> period(const Part& p) const;
    Span where(const ClockOperator& op) const { return model_.equations[op.equation].origin.where; }

    const FlatModel& model_;
    Diagnostics& diagnostics_;
    std::vector<bool> unknown_;                      // by variable
    DisjointSets sets_;                              // of variables
    std::vector<const ClockOperator*> operator_of_;  // by equation
    std::map<std::uint32_t, Part> parts_;            // by root: the clocked ones
    std::vector<const ClockOperator*> definitions_;
};

}  // namespace cutset
