// Expressions: immutable, hash-consed, canonical by construction.
//
// Equal expressions of one Pool are the same node, so equality is pointer equality and a shared subexpression
// is computed once. Every node is built by a function of Pool, which applies these rules and no others:
//
//   sums      a + (b + c) = a + b + c;  2*x + 3*x = 5*x;  x + 0 = x;  number*(a + b) = number*a + number*b;
//             terms in their order (below), the number last
//   products  a*(b*c) = a*b*c;  x*x = x^2;  x/x = 1;  0*x = 0;  1*x = x;  the number first, then in order
//   powers    x^1 = x;  x^0 = 1;  (x^m)^n = x^(m*n) and (x*y)^n = x^n*y^n for integer n;  a/b is a*b^-1
//   choice    if true then a else b = a;  if c then a else a = a;  else if = elseif
//   Booleans  flattened `and`, `or` (in the order of the text); not not a = a; x < x = false; folded
//   numbers   folded when the result is finite; 1/0 stays as written, so that the run can name it
//
// Terms and factors are ordered by their youngest leaf, which is close to the order of the text, then by
// structure. So the form of an expression depends on the expression and on the order in which leaves were
// first mentioned, and on nothing else that was ever built: one edited equation leaves the others as they
// are.
//
// Nothing here knows what a variable is beyond its index; printing asks for names by a callback. Real and
// Boolean expressions are marked by `boolean`. Depth is bounded by the parser's limit on nesting, so
// functions here may recurse; width is not bounded, so sums and products are built from lists.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <unordered_map>
#include <vector>

#include "base/function_ref.h"
#include "base/index.h"

namespace cutset {

using VariableIndex = Index<struct VariableTag>;
using CalleeIndex = Index<struct CalleeTag>;  // a table or function of the model

enum class Op : std::uint8_t {
    // leaves
    Number,    // number
    Truth,     // index = 0 or 1
    Variable,  // index, order = number of time derivatives
    Previous,  // pre(index): the value just before the event
    Time,
    Local,    // slot `index` of a function's frame
    Element,  // function array: index = first slot, order = length, argument = position from 1
    // arithmetic
    Add,
    Multiply,
    Power,
    // functions of one argument
    Sqrt,
    Exp,
    Ln,
    Log10,
    Sin,
    Cos,
    Tan,
    Asin,
    Acos,
    Atan,
    Sinh,
    Cosh,
    Tanh,
    Abs,
    Sign,
    Truncate,  // int(x): toward zero
    Floor,     // the largest whole number that is not above x
    // functions of two or more
    Atan2,
    Remainder,  // x - int(x/y)*y
    Modulo,     // x - floor(x/y)*y
    Min,
    Max,
    // conditions
    Less,
    LessEqual,
    Equal,
    NotEqual,
    And,
    Or,
    Not,
    If,  // c1, v1, c2, v2, …, otherwise
    // special
    NoEvent,   // its argument makes no events
    Sample,    // sample(t0, dt): true at t0 + k*dt
    Starting,  // start(): true at initialization only
    Ending,    // terminal(): true at the end of the run only
    Edge,      // edge(b)
    Change,    // change(x), x a Variable leaf
    Delay,     // delay(x, T)
    Apply,     // output `order` of callee `index`; `slots` = arguments it is differentiated by, at most two
};

struct Node;
using Expr = const Node*;

struct Node {
    Op op = Op::Number;
    bool boolean = false;
    std::uint8_t derivatives = 0;  // Apply: how many of `by` are used
    std::uint16_t by[2] = {0, 0};  // Apply: argument numbers of the partial derivative
    std::uint32_t index = 0;
    std::uint32_t order = 0;
    std::uint32_t id = 0;  // age: the order of creation in the pool
    std::uint32_t argument_count = 0;
    union {
        double number = 0;            // Number
        std::uint64_t youngest_leaf;  // all others: the age of the youngest leaf in it, or its own
    };
    const Expr* arguments = nullptr;

    std::span<const Expr> args() const { return {arguments, argument_count}; }
    Expr arg(std::size_t i) const { return arguments[i]; }
    bool is_number() const { return op == Op::Number; }
    bool is_number(double v) const { return op == Op::Number && number == v; }
    VariableIndex variable() const { return VariableIndex(index); }
    CalleeIndex callee() const { return CalleeIndex(index); }
};

// How the outputs of a function change with the time, as the modeller says: another function at the same
// arguments, followed by the time derivatives of those that are passed.
struct DerivativeRule {
    static constexpr std::int32_t passed = -1;
    static constexpr std::int32_t ignored = -2;   // it follows from the others: `function` minds that
    static constexpr std::int32_t constant = -3;  // the rule holds only where it does not vary

    CalleeIndex function;
    // By argument: one of these, or the number of the argument that its time derivative has to be.
    std::vector<std::int32_t> arguments;
    bool linear = false;  // in all time derivatives, with none ignored: the sum over them, one by one
};

class Pool {
  public:
    Pool();
    ~Pool();
    Pool(const Pool&) = delete;
    Pool& operator=(const Pool&) = delete;

    Expr number(double v);
    Expr truth(bool v);
    Expr variable(VariableIndex v, std::uint32_t order = 0);
    Expr previous(VariableIndex v);
    Expr time();
    Expr local(std::uint32_t slot);
    Expr element(std::uint32_t first_slot, std::uint32_t length, Expr position);

    Expr add(std::span<const Expr> terms);
    Expr add(Expr a, Expr b);
    Expr subtract(Expr a, Expr b);
    Expr negate(Expr a);
    Expr multiply(std::span<const Expr> factors);
    Expr multiply(Expr a, Expr b);
    Expr divide(Expr a, Expr b);
    Expr power(Expr base, Expr exponent);

    Expr less(Expr a, Expr b);  // a > b is less(b, a)
    Expr less_equal(Expr a, Expr b);
    Expr equal(Expr a, Expr b);
    Expr not_equal(Expr a, Expr b);
    Expr all_of(std::span<const Expr> conditions);
    Expr any_of(std::span<const Expr> conditions);
    Expr negation(Expr condition);
    Expr choose(Expr condition, Expr then, Expr otherwise);
    // c1, v1, c2, v2, …, otherwise
    Expr choose(std::span<const Expr> parts);

    // Sqrt … Max, NoEvent, Sample, Starting, Ending, Edge, Change, Delay with their arguments. Min and Max of
    // n arguments nest.
    Expr call(Op function, std::span<const Expr> arguments);
    Expr call(Op function, Expr a) { return call(function, std::span<const Expr>(&a, 1)); }
    Expr apply(CalleeIndex callee, std::uint32_t output, std::span<const Expr> arguments,
               std::span<const std::uint16_t> differentiated_by = {});

    // The partial derivative of `callee` by argument k is from now on `rule` at the same arguments, followed
    // by the k-th unit vector: a function of x and dx that the modeller gives. It has the same outputs.
    void set_derivative(CalleeIndex callee, CalleeIndex rule);
    // Rules for the time derivative alone, of which the first that fits holds.
    void set_derivative(CalleeIndex callee, std::vector<DerivativeRule> rules);
    const std::vector<DerivativeRule>& time_derivatives(CalleeIndex callee) const;

    // A node like `model` with other arguments, through the same rules.
    Expr rebuild(Expr model, std::span<const Expr> arguments);

    // A node exactly like this one, which another pool made by the same rules and which was not restored
    // before (a leaf may have been); its arguments are of this pool.
    Expr restore(const Node& like);
    Expr restore(Op leaf, std::uint32_t index, std::uint32_t order);
    // The expression of another pool in which leaves have the same order of age.
    Expr copy(Expr from_other_pool);

    std::size_t size() const;
    std::vector<Expr> nodes() const;  // all, oldest first

  private:
    struct Implementation;
    std::unique_ptr<Implementation> self_;
};

// ---- questions

// Calls `visit` once for each distinct Variable, Previous, Time or Local leaf, oldest first (left to right).
void for_each_leaf(Expr e, FunctionRef<void(Expr)> visit);
// Calls `visit` once for each distinct node, arguments before the node.
void for_each_node(Expr e, FunctionRef<void(Expr)> visit);
bool contains(Expr e, Expr leaf);
// True when some leaf satisfies `varies`. Asked about Variable, Previous, Time, Local, Element, Sample,
// Starting, Ending, Edge, Change and Delay nodes (and about what stands inside the last ones).
bool depends_on(Expr e, FunctionRef<bool(Expr leaf)> varies);

// ---- calculus

// ∂e/∂leaf, leaf a Variable (of some order), Local or Time node. Everything else is constant. Relations and
// other switching functions are differentiated branch by branch. delay(x, T) is a value of the past: constant
// here. Throws std::domain_error for a third derivative of a table or function.
Expr differentiate(Pool& pool, Expr e, Expr leaf);
// de/dt: a varying variable of order k becomes order k+1, Time becomes 1.
Expr time_derivative(Pool& pool, Expr e, FunctionRef<bool(VariableIndex)> varies);

// e = coefficient*leaf + rest with both free of the leaf, or nothing when e is not linear in it. delay(leaf,
// T) is a value of the past: it counts as free of the leaf.
struct Linear {
    Expr coefficient;
    Expr rest;
};
std::optional<Linear> as_linear(Pool& pool, Expr e, Expr leaf);
// e = Σ coefficients[i]*leaves[i] + rest, all free of all leaves; nothing when e is not linear in them
// together.
struct LinearForm {
    std::vector<Expr> coefficients;
    Expr rest;
};
std::optional<LinearForm> as_linear_form(Pool& pool, Expr e, std::span<const Expr> leaves);

// Replaces nodes (usually leaves) and simplifies on the way up. One map serves many expressions.
class Substitution {
  public:
    // `variables`: where many of so many variables are replaced. They are then found by their index.
    explicit Substitution(Pool& pool, std::size_t variables = 0);
    Substitution(Substitution&&) noexcept;
    ~Substitution();
    void replace(Expr from, Expr to);
    bool empty() const;
    Expr operator()(Expr e);

  private:
    struct Maps;
    Pool& pool_;
    std::unique_ptr<Maps> maps_;
};

// ---- numbers

// Values of leaves and calls, for evaluating outside a Program (parameters, constants, tests).
struct Environment {
    // Variable, Previous, Time, Local, Sample, Starting, Ending, Delay: the value, or nothing when it has
    // none.
    std::function<std::optional<double>(Expr leaf)> leaf;
    // Apply with evaluated arguments.
    std::function<std::optional<double>(Expr apply, std::span<const double> arguments)> apply;
};
// Booleans are 0 and 1. Nothing when some needed leaf has no value.
std::optional<double> evaluate(Expr e, const Environment& environment);

// ∂^k of the elementary operations on numbers, shared by `evaluate`, constant folding and the interpreter.
double apply_unary(Op op, double x);
double apply_binary(Op op, double x,
                    double y);  // Power, Atan2, Remainder, Modulo, Min, Max, Less, LessEqual, Equal, NotEqual

// ---- print

struct Printer {
    std::function<std::string(VariableIndex)> variable;  // names of variables
    std::function<std::string(CalleeIndex)> callee;      // names of tables and functions
    std::function<std::string(std::uint32_t)> local;     // names of function slots
    // How a variable that is no number has this value: true, the name of a value of an enumeration; "" where
    // it is a number.
    std::function<std::string(VariableIndex, double)> value;
};
// As the modeller would write it: `(u - v)/R`, `2*x`, `if h > 0 then a else b`, `x'`, `der(x + y)` does not
// occur.
std::string to_text(Expr e, const Printer& names);
// The same of a value of this variable: `x > 1` instead of `if x > 1 then 1 else 0`, `on` instead of 2.
std::string to_text(Expr e, VariableIndex of, const Printer& names);
std::string to_latex(Expr e, const Printer& names);
// The shortest decimal that reads back as the same number.
std::string number_text(double v);

}  // namespace cutset
