// A sorted model as a list of procedures that no particular programming language is in yet: assignments of
// expressions to places, and loops to be solved. The emitters write it down as C or Fortran.
//
// All procedures together are the Program of a model (ir/program.h), made from expressions instead of
// instructions, so that a reader recognises the equations. A subexpression that stands in several places is a
// temporary; eliminated variables are computed where they are needed; Jacobians come by the chain rule
//     de/dz = Σ ∂e/∂u · du/dz,  assignment after assignment.
#pragma once

#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "generate/section_builder.h"
#include "ir/partition.h"

namespace cutset {

// Where a value lives: a quantity of the model (by its slot), or an element of an array of the program.
struct Place {
    enum class Kind : std::uint8_t {
        Quantity,  // slot
        Residual,
        Jacobian,
        Crossing,
        Instant,
        Condition,  // of a when clause
        Valid,      // of a region of validity
        Value,      // of an action of a when clause
        DelayArgument,
        DelayDuration,
        ClockFirst,
        ClockPeriod,
        Selection,  // ∂constraint/∂candidate
        Frequency,
        Temporary,
    };
    Kind kind = Kind::Quantity;
    std::uint32_t index = 0;
};

struct CodeLine {
    enum class Kind : std::uint8_t { Assign, Parameter, Solve };
    Kind kind = Kind::Assign;
    Place place;
    Expr value = nullptr;
    std::uint32_t number = 0;  // Parameter: its number; Solve: the loop
};

struct Procedure {
    std::vector<CodeLine> lines;
    std::uint32_t temporaries = 0;
    std::unordered_map<Expr, std::uint32_t> names;  // nodes that are temporaries
    bool empty() const { return lines.empty(); }
};

struct ListedLoop {
    const Block* block = nullptr;
    bool linear = false;
    bool piecewise = false;  // linear while conditions are frozen
    std::vector<Slot> torn;
    std::vector<double> nominal, minimum, maximum;
    Procedure residual, jacobian;  // row by row, n*n elements; those that are absent are zero
};

// ∂x'/∂x with the tearing variables z of loops as further columns: [A B; C E], row by row.
struct ListedJacobian {
    std::size_t states = 0, columns = 0;
    Procedure elements;
};

struct ListedAction {
    enum class Kind : std::uint8_t { Assign, Reinit, Terminate };
    Kind kind = Kind::Assign;
    std::uint32_t when = 0;
    Slot target = 0, before = 0;  // before: pre(target), of an assignment
    std::uint32_t value = 0;      // Place::Value
    std::uint32_t guard = 0;      // the same, plus one: it counts where that is not 0; 0: everywhere
    std::string message;
};

struct Listing {
    const Partition* partition = nullptr;
    // Slots: 0 time, then the states, their derivatives, all variables by index, pre() of some.
    std::uint32_t slots = 0;
    std::vector<Slot> variable;                 // by VariableIndex
    std::vector<Slot> previous;                 // by VariableIndex; 0: not used
    std::vector<VariableIndex> before;          // those, what discrete equations determine first
    std::vector<std::uint32_t> state_position;  // by VariableIndex, plus one
    std::unordered_map<Expr, std::uint32_t> switches, clocks, delays;

    std::vector<VariableIndex> parameters;  // in order of computation, as numbered in `Parameter` lines
    Procedure compute_parameters, compute_clocks, guesses, initial, homotopy, jump;
    Procedure derivatives, auxiliaries;  // together the continuous equations
    Procedure eliminated, crossings, conditions, selections;
    std::vector<Procedure> when_values;  // by when clause
    std::vector<ListedAction> actions;
    std::vector<ListedLoop> loops;
    std::optional<ListedJacobian> jacobian;
    // By when clause: 1: a clock stands in its condition, 2: `start()` does, 3: both, 0: none.
    std::vector<std::size_t> acts_at_start;
    std::vector<std::size_t> branches_before;  // by when clause: those that go first, just before it
    std::uint32_t values = 0;                  // of all actions and their guards
    // By switch: the tearing variable of a loop that it is about, whose sign it has; 0: none.
    std::vector<Slot> branches;

    Slot slot_of(Unknown u) const;
};

// `frequencies`: of what swings with the time, in parameters; computed with the parameters. `solved`: by
// variable, the initialization as it was solved: guesses for what is iterated there; may be empty.
Listing make_listing(const Partition& partition, const std::vector<Expr>& frequencies,
                     const std::vector<double>& solved);

}  // namespace cutset
