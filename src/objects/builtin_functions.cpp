#include "objects/builtin_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <string_view>

#include "expr/elementary_functions.h"
#include "flat/shape_text.h"
#include "objects/arrays.h"
#include "objects/clock_operators.h"
#include "objects/functions.h"
#include "objects/value_messages.h"
#include "objects/value_operators.h"

namespace cutset::objects {

namespace {

using object::Expression;
using object::ExpressionKind;
using Arguments = std::vector<Value>;

struct Call {
    Evaluator& e;
    Frame& frame;
    Span where;
    std::string name;
    const Arguments& x;

    Pool& pool() const { return e.pool(); }
    [[noreturn]] void refuse(const char* wanted) const {
        throw Refused{messages::argument_of(where, name, wanted)};
    }
    void numeric(std::size_t k) const {
        if (!is_numeric(x[k].type)) refuse("numbers");
    }
    Expr scalar(std::size_t k) const {
        numeric(k);
        if (!x[k].is_scalar()) refuse("a scalar");
        return x[k].expr();
    }
    std::uint32_t size(std::size_t k) const {
        const Expr n = scalar(k);
        if (!n->is_number())
            throw Refused{messages::not_known(where, "a size", "an argument of " + name), Refusal::NotKnown};
        if (n->number < 0 || n->number != std::floor(n->number) || n->number > 4e6) refuse("a size");
        return static_cast<std::uint32_t>(n->number);
    }
    void dimensions(std::size_t k, std::size_t n, const char* wanted) const {
        if (x[k].dimensions.size() != n) refuse(wanted);
    }
};

bool whole(const Value& v) {
    return v.type.basic == Basic::Integer;
}

// ---- numbers

Value elementary(const Call& c, Op op) {
    c.numeric(0);
    const Basic type = (op == Op::Abs && whole(c.x[0])) || op == Op::Sign || op == Op::Truncate
                           ? Basic::Integer
                           : Basic::Real;
    return each(c.x[0], type, [&](Expr a) { return c.pool().call(op, a); });
}

// Element by element, scalars spread.
Value elementary_of_two(const Call& c, Basic type, const std::function<Expr(Expr, Expr)>& f) {
    c.numeric(0);
    c.numeric(1);
    const Value &a = c.x[0], &b = c.x[1];
    if (!a.is_scalar() && !b.is_scalar() && a.dimensions != b.dimensions)
        throw Refused{
            messages::operand_sizes(c.where, c.name, shape_text(a.dimensions), shape_text(b.dimensions))};
    Value r(type_of(type), a.is_scalar() ? b.dimensions : a.dimensions, {});
    const std::size_t n = a.is_scalar() ? b.size() : a.size();
    for (std::size_t k = 0; k < n; ++k)
        r.elements.emplace_back(f(a.expr(a.is_scalar() ? 0 : k), b.expr(b.is_scalar() ? 0 : k)));
    return r;
}

Basic whole_of_two(const Call& c) {
    return whole(c.x[0]) && whole(c.x[1]) ? Basic::Integer : Basic::Real;
}

Value extreme(const Call& c) {
    if (c.x.size() == 1) {
        if (c.x[0].is_scalar()) c.refuse("an array or two scalars");
        return reduced(c.e, c.name, c.x[0], c.x[0].dimensions.size(), c.frame, c.where);
    }
    const Value &a = c.x[0], &b = c.x[1];
    if (!a.has_exprs() || !b.has_exprs()) c.refuse("numbers");
    const Type type = common_type(a.type, b.type, [&] {
        return messages::operand_type(c.where, c.name, type_text(a.type), type_text(b.type));
    });
    if (!a.is_scalar() || !b.is_scalar()) c.refuse("an array or two scalars");
    const Expr both[2] = {c.e.number_of(a.expr()), c.e.number_of(b.expr())};
    const Expr m = c.pool().call(c.name == "min" ? Op::Min : Op::Max, both);
    return Value(type, type.basic == Basic::Boolean ? c.e.truth_of(m) : m);
}

Value semi_linear(const Call& c) {
    std::size_t longest = 0;
    for (std::size_t k = 0; k < 3; ++k) {
        c.numeric(k);
        if (!c.x[k].is_scalar()) longest = k;
    }
    Value r(type_of(Basic::Real), c.x[longest].dimensions, {});
    for (std::size_t k = 0; k < 3; ++k)
        if (!c.x[k].is_scalar() && c.x[k].dimensions != r.dimensions) c.refuse("arrays of one size");
    Pool& pool = c.pool();
    for (std::size_t i = 0; i < c.x[longest].size(); ++i) {
        const auto at = [&](std::size_t k) { return c.x[k].expr(c.x[k].is_scalar() ? 0 : i); };
        const Expr both[2] = {at(0), pool.number(0)};
        r.elements.emplace_back(pool.add(pool.multiply(at(1), pool.call(Op::Max, both)),
                                         pool.multiply(at(2), pool.call(Op::Min, both))));
    }
    return r;
}

// ---- arrays

Value number_array(const Call& c, Dimensions d, const std::function<double(std::size_t)>& f) {
    Value r(type_of(Basic::Integer), std::move(d), {});
    for (std::size_t k = 0, n = count(r.dimensions); k < n; ++k)
        r.elements.emplace_back(c.pool().number(f(k)));
    return r;
}

Value fill(const Call& c, const Value& with, std::size_t first) {
    Dimensions d;
    double total = 1;
    for (std::size_t k = first; k < c.x.size(); ++k) {
        d.push_back(c.size(k));
        total *= d.back();
        if (total > 4e6) throw Refused{messages::too_large(c.where, total, 4'000'000)};
    }
    return filled(with, d);
}

Value identity(const Call& c) {
    const std::uint32_t n = c.size(0);
    return number_array(c, {n, n}, [&](std::size_t k) { return k % (n + 1) == 0 ? 1 : 0; });
}

Value diagonal(const Call& c) {
    c.dimensions(0, 1, "a vector");
    c.numeric(0);
    const std::uint32_t n = c.x[0].dimensions[0];
    Value r(c.x[0].type, {n, n}, {});
    for (std::size_t k = 0; k < std::size_t(n) * n; ++k)
        r.elements.emplace_back(k % (n + 1) == 0 ? c.x[0].expr(k / (n + 1)) : c.pool().number(0));
    return r;
}

Value linspace(const Call& c) {
    const std::uint32_t n = c.size(2);
    if (n < 2) c.refuse("at least two points");
    Value r(type_of(Basic::Real), {n}, {});
    const Expr a = c.scalar(0),
               step = c.pool().divide(c.pool().subtract(c.scalar(1), a), c.pool().number(n - 1));
    for (std::uint32_t k = 0; k < n; ++k)
        r.elements.emplace_back(c.pool().add(a, c.pool().multiply(c.pool().number(k), step)));
    return r;
}

Value symmetric(const Call& c) {
    c.dimensions(0, 2, "a square matrix");
    const std::size_t n = c.x[0].dimensions[0];
    if (c.x[0].dimensions[1] != n) c.refuse("a square matrix");
    Value r = c.x[0];
    for (std::size_t i = 0; i < n; ++i)
        for (std::size_t j = 0; j < i; ++j) r.elements[i * n + j] = r.elements[j * n + i];
    return r;
}

Value cross(const Call& c) {
    for (std::size_t k : {0, 1}) {
        c.numeric(k);
        if (c.x[k].dimensions != Dimensions{3}) c.refuse("two vectors of 3");
    }
    Value r(type_of(whole_of_two(c)), {3}, {});
    for (std::size_t k = 0; k < 3; ++k) {
        const std::size_t i = (k + 1) % 3, j = (k + 2) % 3;
        r.elements.emplace_back(c.pool().subtract(c.pool().multiply(c.x[0].expr(i), c.x[1].expr(j)),
                                                  c.pool().multiply(c.x[0].expr(j), c.x[1].expr(i))));
    }
    return r;
}

Value skew(const Call& c) {
    c.numeric(0);
    if (c.x[0].dimensions != Dimensions{3}) c.refuse("a vector of 3");
    const auto x = [&](std::size_t k) { return c.x[0].expr(k); };
    const auto minus = [&](std::size_t k) { return c.pool().negate(x(k)); };
    const Expr zero = c.pool().number(0);
    return Value(c.x[0].type, {3, 3}, {zero, minus(2), x(1), x(2), zero, minus(0), minus(1), x(0), zero});
}

Value outer_product(const Call& c) {
    c.dimensions(0, 1, "two vectors");
    c.dimensions(1, 1, "two vectors");
    Value a = promoted(c.x[0], 2), b = c.x[1];
    b.dimensions.insert(b.dimensions.begin(), 1);
    return operate(c.e, object::Operator::Multiply, a, b, c.frame, c.where);
}

Value scalar_of(const Call& c) {
    if (c.x[0].size() != 1) c.refuse("an array of one element");
    return element(c.x[0], 0);
}

Value vector_of(const Call& c) {
    Value r = c.x[0];
    std::size_t wide = 0;
    for (std::uint32_t d : r.dimensions) wide += d != 1;
    if (wide > 1) c.refuse("an array with at most one dimension that is not 1");
    r.dimensions = {static_cast<std::uint32_t>(r.size())};
    return r;
}

Value matrix_of(const Call& c) {
    Value r = promoted(c.x[0], 2);
    for (std::size_t k = 2; k < r.dimensions.size(); ++k)
        if (r.dimensions[k] != 1) c.refuse("an array of at most two dimensions");
    r.dimensions.resize(2);
    return r;
}

Value reduction(const Call& c) {
    return reduced(c.e, c.name, c.x[0], c.x[0].dimensions.size(), c.frame, c.where);
}

Value cat(const Call& c) {
    if (c.x.size() < 2) c.refuse("a dimension and arrays");
    return concatenated(c.e, c.size(0), Arguments(c.x.begin() + 1, c.x.end()), c.where);
}

// ---- events

Value pre(const Call& c) {
    Pool& pool = c.pool();
    Substitution before(pool);
    return mapped(c.x[0], [&](Expr e) {
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op == Op::Variable && leaf->order == 0 &&
                c.e.model().variables[leaf->variable()].variability > cutset::Variability::Parameter)
                before.replace(leaf, pool.previous(leaf->variable()));
        });
        return before(e);
    });
}

Value change(const Call& c) {
    Value r(type_of(Basic::Boolean), c.x[0].dimensions, {});
    for (std::size_t k = 0; k < c.x[0].size(); ++k) {
        const Expr x = c.x[0].has_exprs() ? c.e.number_of(c.x[0].expr(k)) : nullptr;
        if (!x) c.refuse("a variable");
        const bool varies = x->op == Op::Variable &&
                            c.e.model().variables[x->variable()].variability > cutset::Variability::Parameter;
        if (!varies && !x->is_number() && x->op != Op::Variable)
            throw Refused{messages::only_of_variable(c.where, "change")};
        r.elements.emplace_back(varies ? c.pool().call(Op::Change, x) : c.pool().truth(false));
    }
    return r;
}

Value edge(const Call& c) {
    if (c.x[0].type.basic != Basic::Boolean) c.refuse("a Boolean");
    return each(c.x[0], Basic::Boolean, [&](Expr b) {
        return b->op == Op::Truth ? c.pool().truth(false) : c.pool().call(Op::Edge, b);
    });
}

Value sample(const Call& c) {
    const Expr both[2] = {c.scalar(0), c.scalar(1)};
    return Value(Basic::Boolean, c.pool().call(Op::Sample, both));
}

Value of_run(const Call& c, Op op) {
    return Value(Basic::Boolean, c.pool().call(op, std::span<const Expr>()));
}

Value delay(const Call& c) {
    c.numeric(0);
    const Expr duration = c.scalar(1), longest = c.x.size() > 2 ? c.scalar(2) : duration;
    if (varies_in_run(c.e, longest))
        throw Refused{messages::not_parameter(
            c.where, c.x.size() > 2 ? "delayMax of `delay`" : "delayTime of `delay`, without delayMax,")};
    if (duration->is_number() && longest->is_number() && duration->number > longest->number)
        c.refuse("a delayTime that is not greater than delayMax");
    return each(c.x[0], Basic::Real, [&](Expr x) {
        const Expr both[2] = {x, duration};
        return duration->is_number(0) ? x : c.pool().call(Op::Delay, both);
    });
}

Value no_event(const Call& c) {
    return mapped(c.x[0], [&](Expr x) {
        return x->is_number() || x->op == Op::Truth ? x : c.pool().call(Op::NoEvent, x);
    });
}

Value smooth(const Call& c) {
    const Expr order = c.scalar(0);
    if (!order->is_number()) c.refuse("a known order");
    if (order->number != std::floor(order->number) || order->number < 0) c.refuse("a whole number as order");
    if (order->number < 1) return c.x[1];
    return mapped(c.x[1], [&](Expr x) { return x->is_number() ? x : c.pool().call(Op::NoEvent, x); });
}

// A variable of its own, by the equation v = actual, so that initialization can go from the simplified one to
// the actual one.
Value homotopy(const Call& c) {
    const Value &actual = c.x[0], &simplified = c.x[1];
    if (actual.dimensions != simplified.dimensions)
        throw Refused{messages::branch_sizes(c.where, shape_text(actual.dimensions),
                                             shape_text(simplified.dimensions))};
    if (c.frame.in_function || c.frame.reading == Reading::Constant || !is_numeric(actual.type) ||
        !is_numeric(simplified.type))
        return actual;
    FlatModel& model = c.e.model();
    const auto varies = [&](Expr leaf) {
        return leaf->op != Op::Variable ||
               model.variables[leaf->variable()].variability > cutset::Variability::Parameter;
    };
    Value r(type_of(Basic::Real), actual.dimensions, {});
    for (std::size_t k = 0; k < actual.size(); ++k) {
        const Expr a = actual.expr(k), s = simplified.expr(k);
        if (a == s || !(depends_on(a, varies) || depends_on(s, varies))) {
            r.elements.emplace_back(a);
            continue;
        }
        const auto [known, added] = c.e.functions().homotopies.try_emplace({a->id, s->id}, nullptr);
        if (added) {
            Variable v;
            v.origin = {c.frame.scope.instance(), c.where};
            v.internal = true;
            v.name = "homotopy " + std::to_string(c.e.functions().homotopies.size());
            const Expr leaf = c.pool().variable(model.variables.add(std::move(v)));
            const EquationIndex q =
                model.equations.add({leaf, a, {c.frame.scope.instance(), c.where}, EquationKind::Written});
            model.homotopies.push_back({q, s});
            known->second = leaf;
        }
        r.elements.emplace_back(known->second);
    }
    return r;
}

// ---- types and texts

Value to_integer(const Call& c) {
    if (c.x[0].type.basic == Basic::Enumeration || whole(c.x[0]))
        return Value(type_of(Basic::Integer), c.x[0].dimensions, c.x[0].elements);
    c.refuse("a value of an enumeration");
}

std::string value_string(const Call& c, std::size_t k, int digits) {
    const Value& v = c.x[0];
    if (v.type.basic == Basic::String) return v.text(k);
    if (!v.has_exprs()) c.refuse("a number, a Boolean or a value of an enumeration");
    const Expr e = v.expr(k);
    if (!e->is_number() && e->op != Op::Truth) {
        if (!c.frame.message) throw Refused{messages::text_varies(c.where), Refusal::TextVaries};
        return to_text(e, c.e.model().printer());
    }
    switch (v.type.basic) {
        case Basic::Boolean:
            return e->index ? "true" : "false";
        case Basic::Integer:
            return fmt::format("{:.0f}", e->number);
        case Basic::Enumeration: {
            const auto n = static_cast<std::size_t>(e->number);
            const auto& literals = v.type.enumeration->literals;
            return n >= 1 && n <= literals.size() ? literals[n - 1] : "";
        }
        default:
            return digits_text(e->number, digits);
    }
}

Value string_call(Evaluator& e, const Expression& call, Frame& frame) {
    Arguments positional;
    for (const Expression& a : call.arguments) positional.push_back(e.evaluate(a, frame));
    if (positional.empty()) throw Refused{messages::argument_count(call.where, "String", "a value", 0)};
    const Call c{e, frame, call.where, "String", positional};
    int digits = 6, length = 0;
    bool left = true;
    std::optional<std::string> format;
    const auto number = [&](const Value& v) {
        if (!v.is_scalar() || !is_numeric(v.type) || !v.expr()->is_number()) c.refuse("known formats");
        return std::clamp(static_cast<int>(v.expr()->number), 0, 1000);
    };
    const auto truth = [&](const Value& v) {
        if (v.type.basic != Basic::Boolean || v.expr()->op != Op::Truth) c.refuse("known formats");
        return v.expr()->index != 0;
    };
    // By position: String(i, minimumLength, leftJustified), String(r, significantDigits, …), String(r, "%g").
    std::size_t next = 1;
    if (next < positional.size() && positional[next].type.basic == Basic::String)
        format = positional[next++].text();
    if (next < positional.size() && positional[0].type.basic == Basic::Real)
        digits = number(positional[next++]);
    if (next < positional.size()) length = number(positional[next++]);
    if (next < positional.size()) left = truth(positional[next++]);
    for (const object::NamedArgument& a : call.named) {
        const Value v = e.evaluate(*a.value, frame);
        if (a.name == "significantDigits")
            digits = number(v);
        else if (a.name == "minimumLength")
            length = number(v);
        else if (a.name == "leftJustified")
            left = truth(v);
        else if (a.name == "format" && v.type.basic == Basic::String)
            format = v.text();
        else
            throw Refused{messages::no_such_argument(a.where, "String", a.name, "")};
    }
    // A C format for one number: its digits after the point are what matters.
    if (format)
        if (const auto point = format->find('.'); point != std::string::npos)
            digits = std::clamp(std::atoi(format->c_str() + point + 1), 0, 1000);
    Value r(type_of(Basic::String), positional[0].dimensions, {});
    for (std::size_t k = 0; k < positional[0].size(); ++k) {
        std::string text = value_string(c, k, digits);
        const auto missing = static_cast<std::size_t>(length) > text.size()
                                 ? static_cast<std::size_t>(length) - text.size()
                                 : 0;
        text = left ? text + std::string(missing, ' ') : std::string(missing, ' ') + text;
        r.elements.emplace_back(std::move(text));
    }
    return r;
}

// ---- the table

using Function = Value (*)(const Call&);
struct BuiltinFunction {
    std::size_t least, most;
    Function function;
};

template <Op op>
Value simple(const Call& c) {
    return elementary(c, op);
}

using BuiltinTable = std::map<std::string, BuiltinFunction, std::less<>>;

// Elementary functions of one argument; those of two look at the types of both.
void add_elementary_functions(BuiltinTable& table) {
#define CUTSET_ROW(F)                                                 \
    if (OfOneArgument<functions::F> && functions::F::traits.modelica) \
        table.try_emplace(functions::F::traits.modelica, BuiltinFunction{1, 1, simple<Op::F>});
    CUTSET_ELEMENTARY_FUNCTIONS(CUTSET_ROW)
#undef CUTSET_ROW
}

BuiltinTable special_functions() {
    return {
        {"integer",
         {1, 1,
          [](const Call& c) {
              c.numeric(0);
              return each(c.x[0], Basic::Integer,
                          [&](Expr x) { return whole(c.x[0]) ? x : c.pool().call(Op::Floor, x); });
          }}},
        {"ceil",
         {1, 1,
          [](const Call& c) {
              c.numeric(0);
              return each(c.x[0], Basic::Real, [&](Expr x) {
                  return c.pool().negate(c.pool().call(Op::Floor, c.pool().negate(x)));
              });
          }}},
        {"atan2",
         {2, 2,
          [](const Call& c) {
              return elementary_of_two(c, Basic::Real, [&](Expr y, Expr x) {
                  const Expr both[2] = {y, x};
                  return c.pool().call(Op::Atan2, both);
              });
          }}},
        {"div",
         {2, 2,
          [](const Call& c) {
              return elementary_of_two(c, whole_of_two(c), [&](Expr x, Expr y) {
                  return c.pool().call(Op::Truncate, c.pool().divide(x, y));
              });
          }}},
        {"mod",
         {2, 2,
          [](const Call& c) {
              return elementary_of_two(c, whole_of_two(c), [&](Expr x, Expr y) {
                  const Expr both[2] = {x, y};
                  return c.pool().call(Op::Modulo, both);
              });
          }}},
        {"rem",
         {2, 2,
          [](const Call& c) {
              return elementary_of_two(c, whole_of_two(c), [&](Expr x, Expr y) {
                  const Expr both[2] = {x, y};
                  return c.pool().call(Op::Remainder, both);
              });
          }}},
        {"min", {1, 2, extreme}},
        {"max", {1, 2, extreme}},
        {"sum", {1, 1, reduction}},
        {"product", {1, 1, reduction}},
        {"semiLinear", {3, 3, semi_linear}},
        {"scalar", {1, 1, scalar_of}},
        {"vector", {1, 1, vector_of}},
        {"matrix", {1, 1, matrix_of}},
        {"identity", {1, 1, identity}},
        {"diagonal", {1, 1, diagonal}},
        {"zeros",
         {1, 32, [](const Call& c) { return fill(c, Value(Basic::Integer, c.pool().number(0)), 0); }}},
        {"ones",
         {1, 32, [](const Call& c) { return fill(c, Value(Basic::Integer, c.pool().number(1)), 0); }}},
        {"fill", {1, 32, [](const Call& c) { return fill(c, c.x[0], 1); }}},
        {"linspace", {3, 3, linspace}},
        {"transpose",
         {1, 1,
          [](const Call& c) {
              if (c.x[0].dimensions.size() < 2) c.refuse("a matrix");
              return transposed(c.x[0]);
          }}},
        {"outerProduct", {2, 2, outer_product}},
        {"symmetric", {1, 1, symmetric}},
        {"cross", {2, 2, cross}},
        {"skew", {1, 1, skew}},
        {"cat", {1, 1000, cat}},
        {"promote", {2, 2, [](const Call& c) { return promoted(c.x[0], c.size(1)); }}},
        {"array", {1, 100000, [](const Call& c) { return array_of(c.e, c.x, c.where); }}},
        {"pre", {1, 1, pre}},
        {"edge", {1, 1, edge}},
        {"change", {1, 1, change}},
        {"sample", {2, 2, sample}},
        {"initial", {0, 0, [](const Call& c) { return of_run(c, Op::Starting); }}},
        {"terminal", {0, 0, [](const Call& c) { return of_run(c, Op::Ending); }}},
        {"delay", {2, 3, delay}},
        {"noEvent", {1, 1, no_event}},
        {"smooth", {2, 2, smooth}},
        {"homotopy", {2, 2, homotopy}},
        {"Integer", {1, 1, to_integer}},
        {"getInstanceName",
         {0, 0,
          [](const Call& c) {
              const std::string path = c.frame.scope.path();
              return Value(Basic::String, c.e.model().name + (path.empty() ? "" : "." + path));
          }}},
    };
}

const BuiltinTable& builtin_table() {
    static const BuiltinTable all = [] {
        BuiltinTable table = special_functions();
        add_elementary_functions(table);
        return table;
    }();
    return all;
}

// What the language has and this program has not.
const std::map<std::string, const char*, std::less<>>& refused_functions() {
    static const std::map<std::string, const char*, std::less<>> all = {
        {"spatialDistribution", "a chain of volumes says the same with ordinary equations"},
        {"transition", "state machines are not supported"},
        {"initialState", "state machines are not supported"},
        {"activeState", "state machines are not supported"},
        {"ticksInState", "state machines are not supported"},
        {"timeInState", "state machines are not supported"},
    };
    return all;
}

// The names of arguments, where they may be given by name.
std::vector<std::string_view> names_of(std::string_view name) {
    if (name == "homotopy") return {"actual", "simplified"};
    if (name == "delay") return {"expr", "delayTime", "delayMax"};
    if (name == "sample") return {"start", "interval"};
    if (name == "smooth") return {"p", "expr"};
    if (name == "semiLinear") return {"x", "positiveSlope", "negativeSlope"};
    return {};
}

// Whether argument k of a function says how large its result is.
bool is_size(std::string_view name, std::size_t k) {
    if (name == "zeros" || name == "ones" || name == "identity") return true;
    if (name == "fill" || name == "promote") return k > 0;
    if (name == "linspace") return k == 2;
    return name == "cat" && k == 0;
}

// size(x), size(x, i), ndims(x): of anything, what varies included.
Value size_call(Evaluator& e, const Expression& call, Frame& frame, const std::string& name) {
    const std::size_t n = call.arguments.size();
    if (n != 1 && !(n == 2 && name == "size"))
        throw Refused{messages::argument_count(call.where, name, "one argument or two", n)};
    Frame inner = frame;
    inner.reading = Reading::Symbolic;
    const Expression& of = call.arguments[0];
    Dimensions d;
    Meaning meaning;
    if (of.kind == ExpressionKind::Name && !frame.find(of.name.parts[0].name))
        meaning = frame.scope.callable(of.name);
    if (const auto* t = std::get_if<std::shared_ptr<const EnumerationType>>(&meaning))
        d = {static_cast<std::uint32_t>((*t)->literals.size())};
    else
        d = e.evaluate(of, inner).dimensions;
    if (name == "ndims") return Value(Basic::Integer, e.pool().number(static_cast<double>(d.size())));
    if (n == 2) {
        const std::int64_t k = e.integer(call.arguments[1], frame);
        if (k < 1 || k > static_cast<std::int64_t>(d.size()))
            throw Refused{messages::index_outside(call.arguments[1].where, static_cast<double>(k),
                                                  static_cast<std::uint32_t>(d.size()), "the dimensions")};
        return Value(Basic::Integer, e.pool().number(d[static_cast<std::size_t>(k) - 1]));
    }
    Value r(type_of(Basic::Integer), {static_cast<std::uint32_t>(d.size())}, {});
    for (std::uint32_t k : d) r.elements.emplace_back(e.pool().number(k));
    return r;
}

}  // namespace

std::string digits_text(double x, int digits) {
    std::string text = fmt::format("{:.{}g}", x, std::max(1, digits));
    return text;
}

Value mapped(const Value& v, const std::function<Expr(Expr)>& f) {
    Value r(v.type, v.dimensions, {});
    for (const Scalar& s : v.elements) {
        if (const Expr* e = std::get_if<Expr>(&s)) {
            r.elements.emplace_back(f(*e));
        } else if (const auto* record = std::get_if<std::shared_ptr<const Record>>(&s)) {
            auto made = std::make_shared<Record>();
            for (const Value& x : (*record)->fields) made->fields.push_back(mapped(x, f));
            r.elements.emplace_back(std::shared_ptr<const Record>(std::move(made)));
        } else {
            r.elements.emplace_back(s);
        }
    }
    return r;
}

bool varies_in_run(Evaluator& e, Expr x) {
    return depends_on(x, [&](Expr leaf) {
        if (leaf->op != Op::Variable) return leaf->op == Op::Time;
        const Variable& v = e.model().variables[leaf->variable()];
        return v.variability > Variability::Parameter && !v.free_parameter;
    });
}

Value derivative_value(Evaluator& e, const Value& x, int order, Frame& frame, Span where) {
    if (frame.in_function) throw Refused{messages::not_in_function(where, "`der`")};
    if (!is_numeric(x.type)) throw Refused{messages::derivative_of(where, "what is no number")};
    if (x.type.basic == Basic::Integer) throw Refused{messages::derivative_of(where, "a whole number")};
    for (const Scalar& s : x.elements) {
        const Expr* a = std::get_if<Expr>(&s);
        if (!a || (*a)->op != Op::Variable) continue;
        const Variable& v = e.model().variables[(*a)->variable()];
        if (v.declared == VariableKind::Discrete || v.type != ValueType::Real)
            throw Refused{messages::derivative_of(where, "a discrete variable")};
    }
    const auto varies = [&](VariableIndex v) {
        return e.model().variables[v].variability == cutset::Variability::Continuous;
    };
    return each(x, Basic::Real, [&](Expr a) {
        for (int k = 0; k < order; ++k) try {
                a = time_derivative(e.pool(), a, varies);
            } catch (const std::domain_error&) {
                throw Refused{messages::derivative_of(where, "a second derivative of a function")};
            }
        return a;
    });
}

Value argument_value(Evaluator& e, const Expression& argument, Frame& frame) {
    if (argument.kind != ExpressionKind::Name) return e.evaluate(argument, frame);
    try {
        return e.evaluate(argument, frame);
    } catch (const Refused&) {
        const Meaning meaning = frame.scope.callable(argument.name);
        const auto* f = std::get_if<std::shared_ptr<const Callable>>(&meaning);
        if (!f || (*f)->is_record()) throw;
        return Value(Basic::Function, std::shared_ptr<const FunctionValue>(
                                          std::make_shared<FunctionValue>(FunctionValue{*f, {}})));
    }
}

std::optional<Value> builtin_of_values(Evaluator& e, const std::string& name, const Arguments& arguments,
                                       Frame& frame, Span where) {
    const auto found = builtin_table().find(name);
    if (found == builtin_table().end()) return std::nullopt;
    const BuiltinFunction& b = found->second;
    if (arguments.size() < b.least || arguments.size() > b.most)
        throw Refused{messages::argument_count(
            where, name,
            b.least == b.most ? std::to_string(b.least) + (b.least == 1 ? " argument" : " arguments")
                              : "at least " + std::to_string(b.least),
            arguments.size())};
    return b.function(Call{e, frame, where, name, arguments});
}

std::optional<std::vector<Value>> builtin_call(Evaluator& e, const Expression& call, Frame& frame) {
    if (call.name.parts.size() != 1) return std::nullopt;
    const std::string& name = call.name.parts[0].name;
    if (name == "size" || name == "ndims") return std::vector<Value>{size_call(e, call, frame, name)};
    if (name == "String") return std::vector<Value>{string_call(e, call, frame)};
    // Purity is nothing that a value depends on.
    if (name == "pure" && call.arguments.size() == 1) return e.evaluate_call(call.arguments[0], frame);
    if (auto clocked = clock_call(e, call, frame)) return std::vector<Value>{std::move(*clocked)};
    if (const auto refused = refused_functions().find(name); refused != refused_functions().end())
        throw Refused{messages::not_supported(call.where, "`" + name + "`", refused->second)};
    if (!builtin_table().count(name)) return std::nullopt;
    Arguments arguments;
    // What a variable was before, and when it changes, is asked of the variable itself.
    const auto current = frame.current;
    if (name == "pre" || name == "change" || name == "edge") frame.current = nullptr;
    for (std::size_t k = 0; k < call.arguments.size(); ++k) {
        const Expression& a = call.arguments[k];
        arguments.push_back(e.evaluate(a, frame));
        // Sizes are known: parameters that they depend on shape the model.
        if (is_size(name, k) && !Evaluator::is_known(arguments.back()))
            arguments.back() = e.constant(a, frame);
    }
    frame.current = current;
    const auto names = names_of(name);
    for (const object::NamedArgument& a : call.named) {
        if (arguments.size() >= names.size() || names[arguments.size()] != a.name) {
            // Out of order: only what is next can be given.
            const auto position = std::find(names.begin(), names.end(), a.name);
            if (position == names.end()) throw Refused{messages::no_such_argument(a.where, name, a.name, "")};
        }
        arguments.push_back(e.evaluate(*a.value, frame));
    }
    if (call.named.size() == 2 && call.arguments.empty() && names.size() >= 2 &&
        call.named[0].name == names[1] && call.named[1].name == names[0])
        std::swap(arguments[0], arguments[1]);
    return std::vector<Value>{*builtin_of_values(e, name, arguments, frame, call.where)};
}

std::vector<std::string> builtin_names() {
    std::vector<std::string> names = {"size", "ndims", "String", "der"};
    for (const auto& [name, b] : builtin_table()) names.push_back(name);
    return names;
}

}  // namespace cutset::objects
