// Partition: the same equations, sorted into blocks in the order of computation.
//
// For given time t, states x, discrete variables d and parameters p the blocks compute, one after the other,
// the derivatives x' and all other variables:
//
//     explicit    v := e(what is known by now)
//     linear      A(known)·z = b(known)      torn: z is split into inner assignments and few iterated ones
//     nonlinear   0 = r(z, known)            the same, solved by Newton's method
//
// In a torn block, `inner` computes the inner unknowns from the torn ones, in order; `residuals` must then be
// zero. Every decision carries its reason, because `check` and `equations` show them: what is shown is what
// runs.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "ir/decisions.h"
#include "ir/flat_model.h"

namespace cutset {

// What a block computes: a variable (order 0) or the derivative of a state (order 1).
struct Unknown {
    VariableIndex variable;
    std::uint32_t order = 0;
    auto operator<=>(const Unknown&) const = default;
};

struct SolvedEquation {
    Unknown unknown;
    Expr value = nullptr;
    EquationIndex
        equation;  // where it comes from, in `equations` or `initial_equations` (see Block::initial)
    bool from_initial = false;
};

struct ResidualEquation {
    Expr residual;  // left - right
    EquationIndex equation;
    bool from_initial = false;
};

enum class BlockKind { Explicit, Linear, Nonlinear };

// Why an unknown of a loop is iterated.
enum class TornReason {
    Single,           // a nonlinear equation of its own
    Chosen,           // by the user
    NotSolvable,      // no equation of the loop can be solved for it by formula
    MayDivideByZero,  // the equations that could be solved for it would divide by what may be 0
    LongChain,        // a chain of assignments would amplify errors
    FewestIterated,   // once it is known most other equations can be computed one after the other
};

struct Block {
    BlockKind kind = BlockKind::Explicit;
    std::vector<SolvedEquation> inner;  // Explicit: the one assignment; else the inner assignments in order
    std::vector<Unknown> torn;          // the tearing variables
    std::vector<TornReason> why;        // by tearing variable
    std::vector<ResidualEquation> residuals;  // as many as torn
    bool constant_matrix = false;             // Linear: A depends on parameters only
    bool symbolic =
        false;  // a small linear loop solved by formula: then kind is Explicit, one assignment per unknown
    std::size_t loop_size = 0;  // unknowns of the loop this came from; 0 when it was none
    std::size_t size() const { return inner.size() + torn.size(); }
};

// A variable that exact elimination expressed by others: v = value, computed on demand.
struct Eliminated {
    VariableIndex variable;
    Expr value = nullptr;  // ±w, a number, a sum of ± variables and parameters
    bool alias = false;    // value is ±w or a parameter expression
    Origin origin;         // of the equation it was taken from
    bool unused = false;   // no equation has it: value is its initial value, or 0
};

// A quantity that switches: its value is frozen during continuous integration and changes at events only.
struct Switch {
    Expr node = nullptr;  // Less, LessEqual, Equal, NotEqual, Truncate, Floor or Sign
    Expr crossing =
        nullptr;  // changes sign where the relation switches; the argument of Truncate, Floor and Sign
    // A time event: the instant at which it switches, in parameters and discrete variables.
    Expr instant = nullptr;
    // d(crossing)/dt in terms of states and their derivatives, if it can be had.
    Expr rate = nullptr;
    Origin origin;      // of an equation it occurs in
    bool kink = false;  // of abs, min, max, sign(e)*e: continuous there, so its value is never frozen
};

// int(x) and floor(x): they step from one whole number to the next.
constexpr bool is_whole(Op op) {
    return op == Op::Truncate || op == Op::Floor;
}
// Between which arguments they have the value n.
struct WholePiece {
    double low, high;
};
constexpr WholePiece piece_of(Op op, double n) {
    if (op == Op::Floor) return {n, n + 1};
    return {n > 0 ? n : n - 1, n < 0 ? n : n + 1};
}

// sample(t0, dt) as it stands in conditions.
struct Clock {
    Expr node = nullptr;
    Expr first, period;  // parameter expressions
};

// delay(x, T)
struct DelayLine {
    Expr node = nullptr;
    Expr argument, duration;
    Origin origin;  // of an equation it occurs in
};

// A group of variables tied by constraints, some of which are states: which ones is chosen at run time,
// because no choice is good everywhere (x and y of a pendulum). The states s are selected by numbers 0 and 1:
//     s_i = Σ_j selector_ij·candidate_j,    s_i' = Σ_j selector_ij·candidate_j'
// and the constraints give the other candidates. A choice is good where ∂constraints/∂(other candidates) is
// well conditioned.
struct StateSelection {
    std::vector<VariableIndex> candidates;
    std::vector<VariableIndex> states;                  // s, internal variables
    std::vector<std::vector<VariableIndex>> selectors;  // by state, then by candidate; discrete
    std::vector<EquationIndex> constraints;
    std::vector<std::vector<Expr>> jacobian;  // by constraint, then by candidate; null: zero
    std::vector<double> weights;              // by candidate: how much it should be a state
    std::vector<EquationIndex> equations;     // of s and s'; they do not belong to the initialization problem
};

// Variables that constraints tie together, so that only some of them are states: which, and what decided it.
// For reports.
struct StateGroup {
    enum class Outcome : std::uint8_t { State, Dependent, ChosenLater };
    struct Candidate {
        VariableIndex variable;
        Outcome outcome = Outcome::State;
        std::optional<EquationIndex> by;  // Dependent: the constraint that gives it
        bool differentiated = false;      // its derivative stands in the equations as written
        bool has_start = false;
        bool reinitialized = false;  // a `reinit` sets it
    };
    std::vector<Candidate> candidates;
    std::vector<EquationIndex> constraints;
};

// An initial condition that others made superfluous: checked when the initial values have been computed.
struct StartCheck {
    enum class Kind : std::uint8_t {
        Start,   // variable = value: the initial value of a differentiated variable
        Guess,   // --init of a variable that its equation determines
        Steady,  // variable' = 0; `value` is the derivative
        Jump,    // the value before a jump
    };
    Kind kind = Kind::Start;
    VariableIndex variable;
    Expr value = nullptr;
    Origin origin;
    bool from_user = false;
    std::optional<EquationIndex> instead;  // the equation that determines it
};

struct LoopReport {
    std::size_t size = 0, torn = 0;
    bool linear = false;
    bool initial = false;  // of the initial system
    std::vector<VariableIndex> variables;
};

// m := e at events, where a discrete equation determines m.
struct DiscreteAssignment {
    VariableIndex variable;
    Expr value = nullptr;
    Origin origin;
};

struct Partition {
    // The model the blocks refer to: order lowered to one, terms of zero parameters and eliminated variables
    // gone from `equations`. Variables and equations keep their indices, new ones (der(x) as a variable,
    // initial values as initial equations) are appended; equations that elimination used up or that were
    // superfluous stay in the list as they were, for messages.
    FlatModel model;
    // As it came, where conditions of if-expressions change during a run; else nothing. For modes that need
    // an index reduction of their own.
    std::shared_ptr<const FlatModel> source;
    std::vector<VariableIndex> parameters;  // constants and parameters in order of computation
    std::vector<VariableIndex> states;
    // In order of computation, before the blocks: conditions, pre(m), d, p -> m. They hold at events and stay
    // as they are in between.
    std::vector<DiscreteAssignment> discrete;
    std::vector<Block> blocks;          // continuous: t, x, d, m, p -> x', y
    std::vector<Block> initial_blocks;  // t0, p -> x, x', y, d at initialization
    bool starts_first = false;          // these are x(0) for each of `states`, then `blocks`
    // The same with each homotopy between its simplified and its actual form; empty when there is none.
    std::vector<Block> homotopy_blocks;
    // By FlatModel::homotopies: how much of the actual form counts, from 0 to 1. Only homotopy_blocks use it.
    std::vector<VariableIndex> actual_parts;
    // Discrete variables in what is differentiated, der(k*V), where that is tied to other states: when one of
    // them changes, the states jump so that what is conserved is kept. pre(x), d -> x, y after the jump.
    std::vector<VariableIndex> jump_causes;
    std::vector<Block> jump_blocks;
    std::vector<Eliminated> eliminated;  // in order of computation
    std::vector<Switch> switches;
    std::vector<Clock> clocks;
    std::vector<DelayLine> delays;
    std::vector<StateSelection> selections;

    // For reports.
    std::size_t flat_equations = 0;  // as counted before anything was removed
    std::size_t flat_unknowns = 0;
    std::size_t aliases_removed = 0;
    std::vector<EquationIndex> dependent_removed;
    std::vector<VariableIndex> structural_parameters;
    // When asked for (translate/valid_values.h):
    Decisions decisions;
    std::vector<VariableIndex> shaping;      // parameters whose values the flat model was made for; sorted
    std::vector<VariableIndex> zero_starts;  // states that begin at 0 because nothing says otherwise
    std::vector<StartCheck> start_checks;
    std::vector<LoopReport> loops;
    std::size_t index = 1;  // differential index; 0 for a pure ODE
    std::vector<EquationIndex> differentiated;
    std::vector<VariableIndex> dependent;  // differentiated variables that constraints determine
    std::vector<StateGroup> state_groups;
};

// States and candidates, without what is internal.
std::vector<VariableIndex> shown_states(const Partition& partition);
// "x, v, one of a, b": as a report names them.
std::string states_text(const Partition& partition);

// The sorted, solved equations as text: `cutset equations`. With events too: `cutset check --dump partition`.
std::string print(const Partition& partition);
std::string print_with_events(const Partition& partition);
std::string print_latex(const Partition& partition);
// Our own promises about a Partition (each block uses what is known by then, everything is computed once);
// throws std::logic_error.
void verify(const Partition& partition);

}  // namespace cutset
