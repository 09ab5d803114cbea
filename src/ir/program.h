// Program: straight sections of simple operations over numbered slots.
//
// One array of doubles holds everything: time, parameters, states, derivatives, other variables, discrete
// variables and their previous values, switches, then numbers and temporaries. A section is a list of
// instructions that jumps forward only; `Solve` hands over to a loop. The interpreter runs a Program as it
// stands and is the reference that other engines are tested against.
#pragma once

#include <algorithm>
#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "ir/partition.h"

namespace cutset {

using Slot = std::uint32_t;

enum class Code : std::uint8_t {
    Copy,       // r[to] = r[a]
    Add,        // r[to] = r[a] + r[b]
    Subtract,   // r[to] = r[a] - r[b]
    Multiply,   // r[to] = r[a] * r[b]
    Divide,     // r[to] = r[a] / r[b]
    Negate,     // r[to] = -r[a]
    Unary,      // r[to] = apply_unary(op, r[a])
    Binary,     // r[to] = apply_binary(op, r[a], r[b])
    Jump,       // go to instruction `to` of the section
    JumpFalse,  // if r[a] == 0 go to `to`
    Call,       // r[to] = calls[a]
    Solve,      // loops[a]
    Switch,     // frozen: r[to] = value of switch a, go to b; else go on: what follows computes r[to] anew
    Delay,      // r[to] = delays[a] at time - r[b]
};

struct Instruction {
    Code code;
    Op op = Op::Number;  // Unary, Binary
    Slot to = 0, a = 0, b = 0;
};

struct Section {
    std::vector<Instruction> instructions;
    std::uint32_t number = 0;  // in its Program, see for_each_section
};

// Output `output` of a table or function, or its partial derivative.
struct CallSite {
    CalleeIndex callee;
    std::uint32_t output = 0;
    std::uint8_t derivatives = 0;
    std::uint16_t by[2] = {0, 0};
    std::vector<Slot> arguments;
};

// An element of a matrix of partial derivatives that is not zero by structure: in a loop
// ∂residual_row/∂torn_column.
struct JacobianEntry {
    std::uint32_t row = 0, column = 0;
    Slot slot = 0;
};

// A torn block: `residual` runs the inner assignments and leaves the residuals in `residual_slots`;
// `jacobian` leaves the partial derivatives in the slots of `jacobian_entries`, given that `residual` ran at
// the same point.
struct Loop {
    bool linear = false;
    bool constant_matrix = false;
    std::vector<Slot> torn;
    std::vector<double> nominal, minimum, maximum;  // of the tearing variables
    Section residual, jacobian;
    Section rest;  // what the derivatives of the states need of the other unknowns, given the torn ones
    std::vector<Slot> residual_slots;
    std::vector<JacobianEntry> jacobian_entries;  // by column, then by row
    const Block* block = nullptr;  // for messages; that of initialization where both have the loop
    // Its residuals depend on switches, which have their own branches.
    bool has_switches() const;
    // Its residuals may belong to the integrator in whole-DAE mode: nothing in them switches, and no sign
    // changes in them, beside which slopes may be infinite (sign(x)*sqrt(abs(x))) and plain iterations go to
    // and fro.
    bool is_smooth() const;
};

// The linearised continuous equations. Columns are the states, then (when the Program was made for whole-DAE
// mode) the tearing variables of smooth loops in order, then m intermediate quantities z; rows are
// the derivatives of the states, then the residuals of the others:
//     dx' = A dx + B dz,   0 = C dx + E dz,     [A B; C E] in `entries`
struct StateJacobian {
    Section section;                     // given that the continuous equations ran at the same point
    std::vector<JacobianEntry> entries;  // by column, then by row
    std::size_t columns = 0;             // states and all others
    // The last columns are quantities that are computed in turn, z_k = ... of columns before: their rows
    // have -1 on the diagonal. Those before are the tearing variables of loops.
    std::size_t computed = 0;
    // `section` is empty: the elements change at events only.
    bool constant() const { return section.instructions.empty(); }
};

// The equations linearised by chosen parameters p too, with chosen outputs y:
//     dx' = A dx + B dp + F dz,   dy = C dx + D dp + G dz,   0 = P dx + Q dp + E dz
// Columns are the states, the parameters, then z; rows the derivatives, the outputs, then the residuals.
// For initialization (without columns of states): dx = B dp + F dz,  0 = Q dp + E dz.
struct LinearizedEquations {
    Section equations;  // what the rows need of the continuous ones; empty for initialization
    Section section;    // given that they ran at the same point
    std::vector<JacobianEntry> entries;  // by column, then by row
    std::vector<VariableIndex> by, of;   // parameters, outputs
    std::size_t states = 0, intermediates = 0;
};

inline bool Loop::has_switches() const {
    return std::any_of(residual.instructions.begin(), residual.instructions.end(),
                       [](const Instruction& i) { return i.code == Code::Switch; });
}

inline bool Loop::is_smooth() const {
    return std::none_of(residual.instructions.begin(), residual.instructions.end(), [](const Instruction& i) {
        return i.code == Code::Switch || (i.code == Code::Unary && i.op == Op::Sign);
    });
}

// A function of the language compiled for the frame machine; run with double or dual numbers.
struct FunctionCode {
    std::uint32_t inputs = 0, outputs = 0, frame = 0;
    struct Step {
        // LoadElement: r[to] = array[r[a]]; StoreElement: array[r[a]] = r[b]
        enum class Kind : std::uint8_t {
            Operation,
            LoadElement,
            StoreElement,
            Jump,
            JumpFalse,
            Call,
            Assert,  // r[a] must not be 0; b: which of `assertions`
            Return
        } kind;
        Instruction instruction;
        std::uint32_t first = 0, length = 0;  // array bounds for LoadElement, StoreElement
        std::uint32_t statement = 0;          // for messages
    };
    std::vector<Step> steps;
    std::vector<Span> statements;
    std::vector<double> constants;        // the last slots of the frame
    std::vector<CallSite> calls;          // arguments are frame slots
    std::vector<std::string> assertions;  // their texts
};

// Where each quantity lives.
struct Layout {
    std::vector<Slot> variable;    // by VariableIndex; parameters and eliminated variables included
    std::vector<Slot> derivative;  // by position in Partition::states; rising by one
    std::vector<Slot> state;       // by position in Partition::states; rising by one
    std::vector<Slot>
        previous;  // by VariableIndex: discrete variables and all that stand under pre() (0 when unused)
    Slot time = 0, starting = 0, ending = 0;
    std::vector<Slot> switches;                  // frozen values
    std::vector<Slot> switches_before;           // their values before the event at hand, for edge()
    std::vector<Slot> clocks;                    // 1 while the clock ticks
    std::vector<Slot> crossings;                 // values of Switch::crossing after `crossings` ran
    std::vector<Slot> instants;                  // by switch; meaningful for time events
    std::vector<Slot> crossing_rates;            // by switch; meaningful where Switch::rate is
    std::vector<Slot> when_conditions;           // by when clause
    std::vector<std::vector<Slot>> when_values;  // by when clause and action (0 for terminate)
    std::vector<std::vector<Slot>> when_guards;  // the same: where it counts (0: everywhere)
    std::vector<Slot> validity;                  // by validity
    std::vector<Slot> delay_arguments, delay_durations;
    std::vector<std::pair<Slot, Slot>> clock_parameters;  // first, period
    // By state selection: ∂constraint/∂candidate, row by row, after `selections` ran.
    std::vector<std::vector<Slot>> selection_jacobians;
    Slot constants = 0;  // of Program::constants[0]; the others follow
    std::size_t slots = 0;
};

struct Program {
    Layout layout;
    std::vector<double> constants;
    std::vector<CallSite> calls;
    std::vector<Loop> loops;
    std::vector<FunctionCode> functions;  // by CalleeIndex (empty for tables)
    Section parameters;                   // constants and parameters
    Section clocks;                       // when clocks tick, after initialization: it may find out
    Section initial;                      // Partition::initial_blocks: all variables at initialization
    Section homotopy;                     // Partition::homotopy_blocks
    Section jump;                         // Partition::jump_blocks
    Section continuous;                   // Partition::blocks: derivatives and algebraic variables
    // The same work, sorted by how often it must be done while integrating:
    Section fixed;             // once, when the initial values are known: what depends on parameters only
    Section stepwise;          // after events: on discrete variables and parameters
    Section derivatives;       // derivatives, and what they need of `continuous`
    Section event_indicators;  // zero-crossing functions of state events, and what they need of `continuous`
    Section past;              // arguments of delays, and what they need of `continuous`
    std::optional<StateJacobian> jacobian;  // when asked for, and derivatives are available by formula
    // When asked for: the continuous equations, and initialization by its parameters.
    std::optional<LinearizedEquations> linearized, linearized_start;
    Section eliminated;                          // variables that exact elimination removed
    Section crossings;                           // zero-crossing functions and instants of time events
    Section selections;                          // what the choice of states is judged by
    Section conditions;                          // when conditions, validities, delay arguments
    std::vector<Section> when_actions;           // by when clause: the values of its actions
    std::shared_ptr<const Partition> partition;  // kept alive; names and messages
};

// Calls visit(slot, is_written) for each slot of an instruction, those read first. `calls` are the program's.
// Instruction and calls may be const.
template <class AnyInstruction, class Calls, class Visit>
void for_each_slot(AnyInstruction& i, Calls& calls, Visit visit) {
    switch (i.code) {
        case Code::Copy:
        case Code::Negate:
        case Code::Unary:
            visit(i.a, false);
            visit(i.to, true);
            break;
        case Code::Add:
        case Code::Subtract:
        case Code::Multiply:
        case Code::Divide:
        case Code::Binary:
            visit(i.a, false);
            visit(i.b, false);
            visit(i.to, true);
            break;
        case Code::JumpFalse:
            visit(i.a, false);
            break;
        case Code::Call:
            for (auto& s : calls[i.a].arguments) visit(s, false);
            visit(i.to, true);
            break;
        case Code::Switch:
            visit(i.to, true);
            break;
        case Code::Delay:
            visit(i.b, false);
            visit(i.to, true);
            break;
        case Code::Jump:
        case Code::Solve:
            break;
    }
}

// The sections as text, slots by the names of what lives in them: `cutset check --dump program`.
std::string print(const Program& program);

// Our own promises about a Program (slots in range, jumps forward, temporaries computed before they are
// used); throws std::logic_error.
void verify(const Program& program);

// Calls visit(section) for every section of a Program, const or not, in the order of their numbers.
template <class AnyProgram, class Visit>
void for_each_section(AnyProgram& p, Visit visit) {
    for (auto* s : {&p.parameters, &p.clocks, &p.initial, &p.homotopy, &p.jump, &p.continuous, &p.fixed,
                    &p.stepwise, &p.derivatives, &p.event_indicators, &p.past, &p.eliminated, &p.crossings,
                    &p.selections, &p.conditions})
        visit(*s);
    if (p.jacobian) visit(p.jacobian->section);
    for (auto* l : {&p.linearized, &p.linearized_start})
        if (*l) {
            visit((*l)->equations);
            visit((*l)->section);
        }
    for (auto& s : p.when_actions) visit(s);
    for (auto& loop : p.loops) {
        visit(loop.residual);
        visit(loop.jacobian);
        visit(loop.rest);
    }
}

}  // namespace cutset
