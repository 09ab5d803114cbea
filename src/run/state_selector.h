// The choice of states during a run, where none is good for all times (Partition::selections).
//
// With the constraints g(w) = 0 of a group, J = ∂g/∂w split into the columns of states S and of others D:
//     dw_D = -J_D^-1 J_S dw_S
// A choice is good while the elements of J_D^-1 J_S, in units of the nominal values, are small; the columns
// of the largest pivots as D make them so.
#pragma once

#include <span>
#include <vector>

#include "generate/interpreter.h"

namespace cutset {

class StateSelector {
  public:
    explicit StateSelector(const Program& program);

    bool empty() const { return groups_.empty(); }

    // Chooses anew in every group; variables in `pinned` become states if that is possible. The states get
    // their values from the candidates in `values`. False when a section could not run.
    bool choose(Interpreter& values, std::span<const VariableIndex> pinned = {});
    // Chooses anew where the present choice has become bad; true when something changed.
    bool renew(Interpreter& values);
    // Chooses anew in the groups that have one of `targets`, which just got new values; those that could not
    // become states are put into `overruled`.
    bool restart(Interpreter& values, std::span<const VariableIndex> targets,
                 std::vector<VariableIndex>& overruled);

    // The choice that `values` were made with.
    void take(const Interpreter& values);

    // The variable that a state of a group stands for now; other variables stand for themselves.
    VariableIndex stands_for(VariableIndex state) const;
    std::size_t changes() const { return changes_; }

  private:
    struct Group {
        const StateSelection* selection;
        const std::vector<Slot>* jacobian;
        std::vector<std::size_t> chosen;  // by state: the number of its candidate
        std::vector<double> nominal;      // by candidate
    };
    std::vector<double> matrix(const Group& group, const Interpreter& values) const;
    bool is_bad(const Group& group, const Interpreter& values) const;
    void choose(Group& group, Interpreter& values, std::span<const VariableIndex> pinned);
    void set(Group& group, Interpreter& values);

    const Program& program_;
    std::vector<Group> groups_;
    std::size_t changes_ = 0;
};

}  // namespace cutset
