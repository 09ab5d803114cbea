// FlatModel: one system of scalar equations, each with its origin.
//
//     0 = F(t, x', x, y, d, p)      continuous equations, at every time
//     0 = I(t0, x', x, y, d, p)     initial equations, at initialization only
//     d⁺ = W(t, x', x, y, d⁺, d⁻)   when clauses, at the instants their condition becomes true
//     m = D(relations, m, d⁻, d, p) discrete equations, at events, again until pre(m) = m
//
// m are the discrete variables that equations determine (ir/discrete_equations.h); t time, x variables that
// appear differentiated, y other continuous variables, d discrete variables, p parameters. Arrays, loops and
// conditional structure are gone; connections have become equations. The tree of instances is kept beside the
// equations, so that every later stage can speak in submodels.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <variant>
#include <vector>

#include "base/diagnostic.h"
#include "base/index.h"
#include "base/source.h"
#include "expr/expr.h"
#include "ir/declared.h"

namespace cutset {

using EquationIndex = Index<struct EquationTag>;
using InstanceIndex = Index<struct InstanceTag>;

// A submodel. Instance 0 is the model itself; its path is empty.
struct Instance {
    std::string name;  // with element numbers: "s[3]"
    InstanceIndex parent;
    std::string type;  // name of its class
    Span where;        // of the submodel declaration
    // A connector or a record: what it has belongs to the model around it.
    bool part = false;
    // Equations of its own beyond those that its own unknowns leave room for, what its cuts and inputs get
    // from outside counted; negative: lacking. 0 also where terminals leave it open. A hint, for messages.
    std::int32_t surplus = 0;
};

struct Origin {
    InstanceIndex instance;
    Span where;
};

enum class Variability : std::uint8_t { Constant, Parameter, Discrete, Continuous };

struct Start {
    Expr value = nullptr;
    Origin origin;
    bool from_user = false;   // --init
    bool by_default = false;  // from parameters with their default values: v(0) = v0 with the default of v0
    bool only_guess = false;  // guess x = e: where a search begins; a state that nothing determines, too
    // How deep among the submodels the value was given, 0: in the model itself. Of equal variables the start
    // given nearest to the top counts.
    std::uint32_t depth = 0;
};

// What passes over all variables look at stands first.
struct Variable {
    Origin origin;
    Variability variability = Variability::Continuous;
    VariableKind declared = VariableKind::Local;
    ValueType type = ValueType::Real;
    bool typed = false;        // its declaration says the type; else it was inferred
    bool by_equation = false;  // discrete: a discrete equation determines it
    bool structural = false;   // its value has shaped the model: changing it re-analyses the model
    // A parameter whose value is left open (transform/leave_open.h): no decision may depend on it.
    bool adjustable = false;
    StateSelect state_select = StateSelect::Default;
    bool internal = false;        // made by index reduction; not shown in results
    bool free_parameter = false;  // `parameter p = ?`: found by initialization, then constant; Discrete here
    bool start_open = false;      // discrete: the initial equations determine its initial value
    bool top_input = false;       // an input of the whole model
    bool top_output = false;      // an output of the whole model

    // Parameters and constants: `binding` in terms of other parameters, `value` its number for this run.
    // Discrete variables: `binding` is the value before the first event.
    Expr binding = nullptr;
    double value = 0;

    std::optional<Start> start;  // x(0) = e, der(x, x0), --init: hard for a state, a guess for others
    std::optional<double> nominal, minimum, maximum;
    std::string name;  // within its instance: "phi", "x[2]"
    std::string unit, quantity, description;
    std::uint32_t enumeration = 0;  // in FlatModel::enumerations, for variables of that type

    bool is_boolean() const { return type == ValueType::Boolean; }
};

// The names of its values, in order.
struct Enumeration {
    std::vector<std::string> literals;
};

enum class EquationKind {
    Written,
    Across,       // two cut variables of a connection set are equal
    Through,      // the through variables of a connection set sum to zero
    Unconnected,  // a through variable of a cut that nothing is joined to is zero
    Default,      // default value of a terminal that nothing refers to
    Input,        // a top-level input, given by the experiment
    Fixed,        // initial: the start value of a declaration that fixes it
    Derivative,   // index reduction differentiated a constraint, or says which variable is whose derivative
};

struct Equation {
    Expr left, right;
    Origin origin;
    EquationKind kind = EquationKind::Written;
};

// The input of the whole model, or the terminal with a default, that the equation gives its value.
inline std::optional<VariableIndex> input_given(const Equation& e) {
    const bool gives = e.kind == EquationKind::Input || e.kind == EquationKind::Default;
    if (!gives || e.left->op != Op::Variable || e.left->order != 0) return std::nullopt;
    return e.left->variable();
}

// An action counts where its `guard`, if it has one, holds: it stands in an `if`.
struct WhenAssign {
    VariableIndex target;
    Expr value = nullptr;
    Origin origin;
    Expr guard = nullptr;
    // `value` is the residual of an equation in the new values of discrete variables, of which the target is
    // the one that it was matched with: 0 = value instead of target = value.
    bool implicit = false;
    // Set by transform/sort_whens.h: actions after it use the new value, none before it does.
    bool in_order = false;
};
struct WhenReinit {
    VariableIndex target;
    Expr value = nullptr;
    Origin origin;
    Expr guard = nullptr;
};
struct WhenTerminate {
    std::string message;
    Origin origin;
    Expr guard = nullptr;
};
using WhenAction = std::variant<WhenAssign, WhenReinit, WhenTerminate>;
struct WhenClause {
    Expr condition = nullptr;
    std::vector<WhenAction> actions;
    Origin origin;
    // After `elsewhen`: as many clauses before it in the list go first; it acts where none of them does.
    std::uint32_t branch = 0;
};
inline Expr guard_of(const WhenAction& action) {
    return std::visit([](const auto& a) { return a.guard; }, action);
}
// Whether a clock has a part in it.
inline bool is_sampled(const WhenClause& when) {
    bool found = false;
    for_each_node(when.condition, [&](Expr e) { found = found || e->op == Op::Sample; });
    return found;
}

// The initial value of a derivative, from der2(x, x0, dx0): order 1 is the initial value of x'. Hard where
// that derivative turns out to be a state (x'' occurs too), a guess otherwise. The initial value of x itself
// is Variable::start.
struct DerivativeStart {
    VariableIndex variable;
    std::uint32_t order = 1;
    Start start;
};

// Watched during a run.
struct Validity {
    Expr condition = nullptr;
    Origin origin;
    std::string text = {};  // of the modeller, for assertions
    AssertionLevel level = AssertionLevel::Validity;
};

// ---- what expressions can call: tables and functions

struct TableData {
    std::string name;
    Origin origin;
    std::vector<double> x, y;    // breakpoints, rising; y empty for one argument
    std::vector<double> values;  // values[i*max(1,|y|) + j]
    Interpolation interpolation = Interpolation::Linear;
    Outside outside = Outside::Hold;
};

// A function's frame is a row of slots: inputs, then outputs, then locals; arrays take consecutive slots.
struct FunctionStatement;
struct FunctionAssign {
    Expr target;  // Local or Element node
    Expr value = nullptr;
};
struct FunctionIf {
    std::vector<std::pair<Expr, std::vector<FunctionStatement>>> branches;  // condition nullptr: else
};
struct FunctionFor {
    std::uint32_t slot;
    Expr from, to, step;
    std::vector<FunctionStatement> body;
};
struct FunctionWhile {
    Expr condition = nullptr;
    std::vector<FunctionStatement> body;
};
struct FunctionLeave {
    bool loop = false;  // break: the innermost loop; else return: the function
};
struct FunctionAssert {
    Expr condition = nullptr;
    std::string text;
};
struct FunctionStatement {
    std::variant<FunctionAssign, FunctionIf, FunctionFor, FunctionWhile, FunctionLeave, FunctionAssert> what;
    Span where;
};
struct FunctionData {
    std::string name;
    Origin origin;
    std::uint32_t inputs = 0, outputs = 0,
                  slots = 0;  // slot numbers: [0, inputs), [inputs, inputs+outputs), rest
    std::vector<std::string> slot_names;
    std::vector<std::pair<std::uint32_t, double>> constants;  // slots with a value from the start
    std::vector<FunctionStatement> body;
    std::optional<ExternalCode> external;  // library path resolved
    // g(x, dx), which the modeller gives: the outputs' differentials. The pool knows it too (set_derivative).
    std::optional<CalleeIndex> derivative = {};
    std::vector<DerivativeRule> time_derivatives = {};  // likewise, for derivatives by the time alone
    // Functions that the modeller gives for solving y = f(x) for an argument: h(x with y in its place).
    std::vector<std::pair<std::uint32_t, CalleeIndex>> inverses = {};
    // Its calls are to become equations, see transform/inline_functions.h.
    bool inlined = false;
    // Its results depend on more than its arguments; the last two of these say which call it is and when, see
    // ir/impure_calls.h.
    bool impure = false;
};
using Callee = std::variant<TableData, FunctionData>;

// homotopy(actual, simplified): a variable of its own, by the equation v = actual. Where the initialization
// problem cannot be solved, it is solved with v = λ·actual + (1 - λ)·simplified for λ from 0 to 1.
struct Homotopy {
    EquationIndex equation;
    Expr simplified = nullptr;
};

// How the derivatives of a clocked partition become differences, with h the time since the last tick:
//
//     ExplicitEuler      x = pre(x) + h*pre(x')        ImplicitEuler      x = pre(x) + h*x'
//     ExplicitMidPoint2, ExplicitRungeKutta4           ImplicitTrapezoid  x = pre(x) + h*(x' + pre(x'))/2
enum class ClockSolver : std::uint8_t {
    None,
    ExplicitEuler,
    ExplicitMidPoint2,
    ExplicitRungeKutta4,
    ImplicitEuler,
    ImplicitTrapezoid,
};

// Of sampled systems: the equation v = argument says what `kind` makes of the argument; v is a variable of
// its own, clocked but for Hold. Variables that share an equation without an operator tick together
// (transform/lower_clocks.h); previous(x) is pre(x).
struct ClockOperator {
    enum class Kind : std::uint8_t {
        Periodic,     // v is a clock with that period, of parameters
        Event,        // v is a clock that ticks where the argument becomes true
        Inferred,     // v is a clock, of the partition in which it stands
        Solved,       // v is the argument's clock; `solver` is that of its partition
        Member,       // no operator: the equation, whatever it is, belongs to the ticks of `clock`
        Sample,       // the argument just before the tick, whether it varies continuously or at events
        Hold,         // v is continuous: the value of the last tick
        SubSample,    // every `factor`th tick of the argument
        SuperSample,  // `factor` ticks for one of the argument
        Shift,        // `factor`/`resolution` intervals of the argument later
        Back,         // … earlier
        NoClock,      // the argument, whatever its clock is
        Interval,     // seconds between the ticks of the argument
        FirstTick,    // whether it ticks for the first time
    };
    EquationIndex equation;
    Kind kind = Kind::Sample;
    std::uint32_t factor = 1, resolution = 1;  // SubSample, SuperSample: factor 0 follows from the two clocks
    std::optional<VariableIndex> clock = {};   // v ticks with this one: sample(u, c)
    Expr start_interval = nullptr;             // Event: the interval of the first tick
    ClockSolver solver = ClockSolver::None;
};

// A cut that nothing outside is joined to: where a model meets what surrounds it.
struct OpenPort {
    InstanceIndex instance;
    std::string name;  // of the cut; may be empty
    Span where;
    std::vector<VariableIndex> across, through;
};

// A variable that the experiment gives (--known). `value` is null when only the choice matters.
struct Known {
    VariableIndex variable;
    Expr value = nullptr;
};

struct FlatModel {
    std::shared_ptr<Pool> pool = std::make_shared<Pool>();
    std::string name;
    IndexedVector<InstanceIndex, Instance> instances;
    IndexedVector<VariableIndex, Variable> variables;
    IndexedVector<EquationIndex, Equation> equations;
    IndexedVector<EquationIndex, Equation> initial_equations;
    std::vector<Equation> discrete_equations;
    std::vector<Enumeration> enumerations;
    std::vector<DerivativeStart> derivative_starts;
    std::vector<Homotopy> homotopies;
    std::vector<ClockOperator> clock_operators;
    std::vector<VariableIndex> asked_before;  // previous(x): these are clocked, or it is an error
    std::vector<WhenClause> whens;
    // Clauses, their conditions and the equations are one system at each iteration of an event (Modelica): a
    // clause that another makes true acts with it, not after it, and `initial()` is an iteration of its own.
    bool whens_together = false;
    std::vector<Validity> validities;
    IndexedVector<CalleeIndex, Callee> callees;
    std::size_t connection_sets = 0;
    std::vector<OpenPort> open_ports;
    // The choice of boundary variables, until choose_known has turned it into equations.
    std::vector<Known> knowns;
    std::vector<VariableIndex> freed;  // --unknown: inputs and parameters to be computed
    // Parameters whose values were compared with others while the equations were collected.
    std::vector<VariableIndex> compared;
    bool reads_files = false;  // tables came from files other than sources

    std::string path(InstanceIndex i) const;  // "Transistor.Diode1", "" for the model itself
    std::string path(VariableIndex v) const;  // "Transistor.Diode1.V"
    Printer printer() const;                  // names for to_text, to_latex
    std::string text(const Equation& e) const;
};

// The model that an instance is, or is a part of.
InstanceIndex model_of(const FlatModel& model, InstanceIndex i);

// An unknown that equations determine.
inline bool is_determined(const Variable& v) {
    return v.variability == Variability::Continuous || v.by_equation;
}

// Tells the pool of the derivatives that modellers give for functions.
void set_derivative_rules(FlatModel& model);

// Removes those equations; the others keep their order.
void remove_equations(FlatModel& model, const std::vector<bool>& removed);

// A table's value or partial derivative (dx, dy = 0, 1 or 2). `outside` is set when the argument left the
// range.
double table_value(const TableData& table, double x, double y, int dx, int dy, bool& outside);

// The size by which residuals and steps in this variable are measured: its nominal value, else its larger
// bound, else its initial value, else 1.
double nominal_of(const Variable& v);

// A value as the modeller writes it: true, the name of a value of an enumeration, a number.
std::string value_text(const FlatModel& model, VariableIndex v, double value);

// der(x) for x, der2(x) for der(x) …
std::string derivative_name(const std::string& name);

// The flat equations as text: `cutset equations --flat`.
std::string print(const FlatModel& model);

// Our own promises about a FlatModel (indices in range, parameters bound, types); throws std::logic_error.
void verify(const FlatModel& model);

}  // namespace cutset
