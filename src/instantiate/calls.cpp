// Calls: functions of the language, functions and tables of the model.
#include <algorithm>
#include <array>
#include <cmath>

#include "expr/elementary_functions.h"
#include "flat/messages.h"
#include "flat/shape_text.h"
#include "instantiate/builtin_functions.h"
#include "instantiate/declare.h"
#include "instantiate/expression_parts.h"
#include "instantiate/functions.h"
#include "instantiate/lookup.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"
#include "instantiate/tables.h"

namespace cutset {

namespace {

constexpr std::array<std::string_view, 16> special_forms = {
    "delay", "noevent",  "pre",  "new", "sample",     "start",  "edge",     "change",
    "sum",   "homotopy", "ceil", "div", "semiLinear", "smooth", "terminal", "size"};
// Those that make no events, and may stand in a function.
constexpr std::array<std::string_view, 7> forms_in_functions = {"noevent",    "sum",    "ceil", "div",
                                                                "semiLinear", "smooth", "size"};

// Functions of vectors and matrices.
enum class MatrixFunction { Transpose, Cross, Determinant, Inverse, Identity };
struct NamedMatrixFunction {
    std::string_view name;
    MatrixFunction what;
    std::size_t arguments;
};
constexpr std::array<NamedMatrixFunction, 5> matrix_functions = {{{"transpose", MatrixFunction::Transpose, 1},
                                                                  {"cross", MatrixFunction::Cross, 2},
                                                                  {"det", MatrixFunction::Determinant, 1},
                                                                  {"inv", MatrixFunction::Inverse, 1},
                                                                  {"identity", MatrixFunction::Identity, 1}}};
const NamedMatrixFunction* find_matrix_function(std::string_view name) {
    const auto found = std::find_if(matrix_functions.begin(), matrix_functions.end(),
                                    [&](const NamedMatrixFunction& f) { return f.name == name; });
    return found == matrix_functions.end() ? nullptr : &*found;
}

Value wrong_count(Context& c, const tree::Expression& e, const Scope& s, const std::string& wanted) {
    c.report(messages::wrong_argument_count(e.where, place(c, s), e.text, wanted, e.arguments.size()));
    return {};
}

Value translate_function(Context& c, const tree::Expression& e, const Scope& s, const ElementaryFunction& f) {
    // min and max also of the elements of a vector
    if (!f.takes(e.arguments.size()) && !(f.takes_many && e.arguments.size() == 1))
        return wrong_count(c, e, s, f.takes_many ? "two or more" : std::to_string(f.arguments));
    std::vector<Value> values;
    for (const tree::Expression& a : e.arguments) values.push_back(numeric(c, a, s));
    for (const Value& v : values)
        if (v.failed()) return {};
    if (values.size() == 1) {
        if (f.takes_many) {
            if (values[0].is_scalar()) return wrong_count(c, e, s, "two or more");
            if (values[0].elements.empty()) return wrong_count(c, e, s, "a vector with elements");
            return Value(c.pool.call(f.op, values[0].elements));
        }
        return each(values[0], [&](Expr x) { return c.pool.call(f.op, x); });
    }
    std::vector<Expr> arguments;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!values[i].is_scalar()) {
            c.report(messages::array_where_scalar(e.arguments[i].where, place(c, s),
                                                  shape_text(values[i].dimensions)));
            return {};
        }
        arguments.push_back(values[i].scalar);
    }
    return Value(c.pool.call(f.op, arguments));
}

// homotopy(actual, simplified), of numbers that vary: a variable of its own.
Expr homotopy(Context& c, Expr actual, Expr simplified, const Scope& s, Span where) {
    const auto varies = [&](Expr leaf) {
        return leaf->op != Op::Variable ||
               c.model.variables[leaf->variable()].variability > Variability::Parameter;
    };
    if (actual == simplified || !(depends_on(actual, varies) || depends_on(simplified, varies)))
        return actual;
    const auto [found, added] = c.homotopy_of.try_emplace({actual->id, simplified->id}, nullptr);
    if (!added) return found->second;
    Variable h;
    h.origin.where = where;
    h.internal = true;
    const VariableIndex v =
        add_variables(c, s.instance, "homotopy " + std::to_string(c.homotopy_of.size()), 0, h);
    const EquationIndex e =
        c.model.equations.add({c.pool.variable(v), actual, {s.instance, where}, EquationKind::Written});
    c.model.homotopies.push_back({e, simplified});
    return found->second = c.pool.variable(v);
}

Value translate_homotopy(Context& c, const tree::Expression& e, const Scope& s) {
    const Value actual = numeric(c, e.arguments[0], s), simplified = numeric(c, e.arguments[1], s);
    if (actual.failed() || simplified.failed()) return {};
    if (actual.dimensions != simplified.dimensions) {
        c.report(flat_messages::sizes_differ(e.arguments[1].where, place(c, s), "choice",
                                             shape_text(actual.dimensions),
                                             shape_text(simplified.dimensions)));
        return {};
    }
    if (actual.is_scalar()) return Value(homotopy(c, actual.scalar, simplified.scalar, s, e.where));
    Value v = actual;
    for (std::size_t k = 0; k < v.elements.size(); ++k)
        v.elements[k] = homotopy(c, actual.elements[k], simplified.elements[k], s, e.where);
    return v;
}

// The time at which the run starts: a discrete variable that an initial equation gives.
Expr start_time(Context& c, const Scope& s, Span where) {
    if (!c.start_time) {
        Variable start;
        start.origin.where = where;
        start.internal = true;
        start.variability = Variability::Discrete;
        c.start_time = add_variables(c, s.instance, "start time", 0, start);
        c.model.initial_equations.add(
            {c.pool.variable(*c.start_time), c.pool.time(), {s.instance, where}, EquationKind::Written});
    }
    return c.pool.variable(*c.start_time);
}

// delay(x, T) and delay(x, T, history). The history, a function of the time, goes into the flat model as it
// is at the time asked for, with the start of the run beside it (transform/lower_events.h).
Value translate_delay(Context& c, const tree::Expression& e, const Scope& s) {
    const std::size_t n = e.arguments.size();
    if (n != 2 && n != 3) return wrong_count(c, e, s, "2 or 3");
    const Value x = numeric(c, e.arguments[0], s);
    const Expr duration = translate_number(c, e.arguments[1], s);
    if (x.failed() || !duration) return {};
    if (n == 2)
        return each(x, [&](Expr one) {
            const Expr both[2] = {one, duration};
            return c.pool.call(Op::Delay, both);
        });
    const Value history = numeric(c, e.arguments[2], s);
    if (history.failed()) return {};
    if (!history.is_scalar() && history.dimensions != x.dimensions) {
        c.report(flat_messages::sizes_differ(e.arguments[2].where, place(c, s), "history",
                                             shape_text(x.dimensions), shape_text(history.dimensions)));
        return {};
    }
    const auto varies = [&](Expr leaf) {
        return leaf->op != Op::Time &&
               !(leaf->op == Op::Variable &&
                 c.model.variables[leaf->variable()].variability <= Variability::Parameter);
    };
    Substitution shifted(c.pool);
    shifted.replace(c.pool.time(), c.pool.subtract(c.pool.time(), duration));
    Value out = x;
    for (std::size_t k = 0; k < x.size(); ++k) {
        const Expr past = history[history.is_scalar() ? 0 : k];
        if (depends_on(past, varies)) {
            c.report(messages::delay_history(e.arguments[2].where, place(c, s)));
            return {};
        }
        const Expr all[4] = {x[k], duration, shifted(past), start_time(c, s, e.where)};
        (x.is_scalar() ? out.scalar : out.elements[k]) = c.pool.call(Op::Delay, all);
    }
    return out;
}

// Functions that are formulas of others: ceil(x) = -floor(-x), div(x, y) = int(x/y), and semiLinear(x, a, b),
// which is a*x where x is positive and b*x where it is negative, and bends where x passes zero.
Value translate_formula(Context& c, const tree::Expression& e, const Scope& s) {
    Pool& pool = c.pool;
    const std::size_t wanted = e.text == "ceil" ? 1 : e.text == "div" ? 2 : 3;
    if (e.arguments.size() != wanted) return wrong_count(c, e, s, std::to_string(wanted));
    if (e.text == "ceil")
        return each(numeric(c, e.arguments[0], s),
                    [&](Expr x) { return pool.negate(pool.call(Op::Floor, pool.negate(x))); });
    std::vector<Expr> x;
    for (const tree::Expression& a : e.arguments) {
        x.push_back(translate_number(c, a, s));
        if (!x.back()) return {};
    }
    if (e.text == "div") return Value(pool.call(Op::Truncate, pool.divide(x[0], x[1])));
    const Expr both[2] = {x[0], pool.number(0)};
    return Value(pool.add(pool.multiply(x[1], pool.call(Op::Max, both)),
                          pool.multiply(x[2], pool.call(Op::Min, both))));
}

// smooth(n, e): e has n continuous derivatives. Where the first is continuous, no event is needed.
Value translate_smooth(Context& c, const tree::Expression& e, const Scope& s) {
    if (e.arguments.size() != 2) return wrong_count(c, e, s, "2");
    const Expr order = translate_number(c, e.arguments[0], s);
    const Value value = translate(c, e.arguments[1], s);
    if (!order || value.failed()) return {};
    if (!order->is_number() || order->number < 0 || order->number != std::floor(order->number)) {
        c.report(messages::smooth_order(e.arguments[0].where, place(c, s)));
        return {};
    }
    if (order->number == 0) return value;
    return each(value, [&](Expr x) { return c.pool.call(Op::NoEvent, x); });
}

// size(x), size(A, 2): how many elements, of a vector or in one direction.
Value translate_size(Context& c, const tree::Expression& e, const Scope& s) {
    const std::size_t n = e.arguments.size();
    if (n != 1 && n != 2) return wrong_count(c, e, s, "1 or 2");
    std::vector<std::uint32_t> dimensions;
    const tree::Expression& of = e.arguments[0];
    const auto* local = s.function && of.kind == tree::ExpressionKind::Reference &&
                                of.reference.parts.size() == 1 && of.reference.parts[0].indices.empty()
                            ? &s.function->variables
                            : nullptr;
    if (const auto found = local ? local->find(of.reference.parts[0].name) : decltype(local->end()){};
        local && found != local->end()) {
        dimensions = found->second.dimensions;
    } else {
        const Value v = translate(c, of, s);
        if (v.failed()) return {};
        dimensions = v.dimensions;
    }
    std::optional<double> which = 1;
    if (n == 2) {
        const Expr k = translate_number(c, e.arguments[1], s);
        if (!k) return {};
        which = k->is_number() ? std::optional(k->number) : std::nullopt;
    }
    if (!which || !(*which >= 1 && *which <= static_cast<double>(dimensions.size())) ||
        *which != std::floor(*which) || (n == 1 && dimensions.size() > 1)) {
        c.report(messages::size_of(e.where, place(c, s), shape_text(dimensions)));
        return {};
    }
    return Value(c.pool.number(dimensions[static_cast<std::size_t>(*which) - 1]));
}

Value translate_special(Context& c, const tree::Expression& e, const Scope& s) {
    const std::size_t n = e.arguments.size();
    if (s.function &&
        std::find(forms_in_functions.begin(), forms_in_functions.end(), e.text) == forms_in_functions.end()) {
        c.report(messages::not_in_function(e.where, "`" + e.text + "`"));
        return {};
    }
    if (e.text == "start") {
        if (n != 0) return wrong_count(c, e, s, "no");
        return Value(c.pool.call(Op::Starting, std::span<const Expr>()));
    }
    if (e.text == "terminal") {
        if (n != 0) return wrong_count(c, e, s, "no");
        return Value(c.pool.call(Op::Ending, std::span<const Expr>()));
    }
    if (e.text == "ceil" || e.text == "div" || e.text == "semiLinear") return translate_formula(c, e, s);
    if (e.text == "smooth") return translate_smooth(c, e, s);
    if (e.text == "size") return translate_size(c, e, s);
    if (e.text == "sum") {
        if (n != 1) return wrong_count(c, e, s, "1");
        const Value v = numeric(c, e.arguments[0], s);
        if (v.failed() || v.is_scalar()) return v;
        return Value(c.pool.add(v.elements));
    }
    if (e.text == "delay") return translate_delay(c, e, s);
    if (e.text == "sample") {
        if (n != 2) return wrong_count(c, e, s, "2");
        const Value first = numeric(c, e.arguments[0], s);
        const Expr second = translate_number(c, e.arguments[1], s);
        if (first.failed() || !second) return {};
        if (!first.is_scalar()) {
            c.report(messages::array_where_scalar(e.arguments[0].where, place(c, s),
                                                  shape_text(first.dimensions)));
            return {};
        }
        const Expr both[2] = {first.scalar, second};
        return Value(c.pool.call(Op::Sample, both));
    }
    if (e.text == "homotopy") return n == 2 ? translate_homotopy(c, e, s) : wrong_count(c, e, s, "2");
    if (n != 1) return wrong_count(c, e, s, "1");
    if (e.text == "noevent")
        return each(translate(c, e.arguments[0], s), [&](Expr x) { return c.pool.call(Op::NoEvent, x); });
    if (e.text == "pre") {
        Scope inner = s;
        inner.previous = true;
        return translate(c, e.arguments[0], inner);
    }
    if (e.text == "new") {
        if (!s.in_when) {
            c.report(messages::new_outside_when(e.where, place(c, s)));
            return {};
        }
        Scope inner = s;
        inner.target.reset();
        return translate(c, e.arguments[0], inner);
    }
    if (e.text == "edge") {
        const Expr condition = translate_condition(c, e.arguments[0], s);
        return condition ? Value(c.pool.call(Op::Edge, condition)) : Value();
    }
    // change(x)
    const Value v = translate(c, e.arguments[0], s);
    if (v.failed()) return {};
    const Expr x = v.is_scalar() ? (v.scalar->boolean ? number_of(c, v.scalar) : v.scalar) : nullptr;
    if (!x || x->op != Op::Variable) {
        c.report(messages::change_of_expression(e.arguments[0].where, place(c, s)));
        return {};
    }
    return Value(c.pool.call(Op::Change, x));
}

Value translate_matrix_function(Context& c, const tree::Expression& e, const Scope& s,
                                const NamedMatrixFunction& f) {
    if (e.arguments.size() != f.arguments) return wrong_count(c, e, s, std::to_string(f.arguments));
    if (f.what == MatrixFunction::Identity) {
        const auto n = structural_integer(c, e.arguments[0], s, "the size of the identity");
        if (!n || *n < 0) return {};
        Value r;
        r.dimensions.assign(2, static_cast<std::uint32_t>(*n));
        for (long k = 0; k < *n * *n; ++k) r.elements.push_back(c.pool.number(k % (*n + 1) == 0 ? 1 : 0));
        return r;
    }
    std::vector<Value> values;
    for (const tree::Expression& a : e.arguments) {
        values.push_back(numeric(c, a, s));
        if (values.back().failed()) return {};
        const std::vector<std::uint32_t>& size = values.back().dimensions;
        const bool square = size.size() == 2 && size[0] == size[1] && size[0] > 0;
        const char* wanted = nullptr;
        if (f.what == MatrixFunction::Cross && !fits(size, {3})) wanted = "vectors of 3";
        if (f.what == MatrixFunction::Transpose && (size.empty() || size.size() > 2))
            wanted = "a vector or a matrix";
        if (f.what == MatrixFunction::Determinant || f.what == MatrixFunction::Inverse)
            wanted = square ? nullptr : "a square matrix";
        if (wanted) {
            c.report(messages::matrix_wanted(a.where, place(c, s), e.text, wanted, shape_text(size)));
            return {};
        }
    }
    const std::uint32_t n = values[0].dimensions[0];
    switch (f.what) {
        case MatrixFunction::Transpose:
            return transposed(values[0]);
        case MatrixFunction::Cross:
            return cross_product(c.pool, values[0], values[1]);
        case MatrixFunction::Determinant:
        case MatrixFunction::Inverse:
            if (n > largest_inverse) {
                c.report(messages::inverse_too_large(e.where, place(c, s), n, largest_inverse));
                return {};
            }
            return f.what == MatrixFunction::Inverse ? inverse(c.pool, values[0])
                                                     : Value(determinant(c.pool, values[0]));
        case MatrixFunction::Identity:
            break;
    }
    return {};
}

Value translate_slices(Context& c, const tree::Table& t, const std::vector<Value>& arguments,
                       const std::vector<Span>& places, ClassInfo* in, const tree::File* file,
                       const Scope& s) {
    const auto slices = table_slices(c, t, in, file, s);
    if (!slices) return {};
    for (std::size_t i = 0; i < arguments.size(); ++i) {
        if (arguments[i].failed()) return {};
        if (arguments[i].is_scalar()) continue;
        c.report(messages::array_where_scalar(places[i], place(c, s), shape_text(arguments[i].dimensions)));
        return {};
    }
    const Expr plane[2] = {arguments[0].scalar, arguments[1].scalar};
    const Expr level = arguments[2].scalar;
    std::vector<Expr> terms;
    for (const TableSlice& k : *slices)
        terms.push_back(c.pool.multiply(c.pool.apply(k.weight, 0, std::span<const Expr>(&level, 1)),
                                        c.pool.apply(k.slice, 0, plane)));
    return Value(c.pool.add(terms));
}

Value translate_callee(Context& c, const tree::Expression& e, const Scope& s, const FoundCallee& found,
                       const tree::File* file) {
    const tree::File* home = found.in ? found.in->file : file;
    if (found.table) {
        std::vector<Value> arguments;
        std::vector<Span> places;
        bool failed = false;
        for (const tree::Expression& a : e.arguments) {
            arguments.push_back(numeric(c, a, s));
            places.push_back(a.where);
            failed |= arguments.back().failed();
        }
        const tree::Table& t = *found.table;
        if (arguments.size() != t.arguments.size())
            return wrong_count(c, e, s, std::to_string(t.arguments.size()));
        if (arguments.size() == 3) return translate_slices(c, t, arguments, places, found.in, home, s);
        const auto table = built_table(c, t, found.in, home, s);
        if (!table || failed) return {};
        if (table->columns.size() > 1) {
            c.report(messages::several_results(e.where, place(c, s), t.name, table->columns.size()));
            return {};
        }
        // A vector looks up each element; with two arguments both are scalars.
        if (arguments.size() == 1)
            return each(arguments[0], [&](Expr x) { return table_results(c.pool, *table, {&x, 1})[0]; });
        for (std::size_t i = 0; i < 2; ++i)
            if (!arguments[i].is_scalar()) {
                c.report(messages::array_where_scalar(places[i], place(c, s),
                                                      shape_text(arguments[i].dimensions)));
                return {};
            }
        const Expr both[2] = {arguments[0].scalar, arguments[1].scalar};
        return Value(table_results(c.pool, *table, both)[0]);
    }
    const tree::Function& f = *found.function;
    const auto arguments = call_arguments(c, f, found.in, home, e.arguments, e.where, s);
    if (!arguments) return {};
    const auto callee = function_callee(c, f, found.in, home, arguments->values);
    if (!callee) return {};
    if (f.impure && s.function && !(s.function->function && s.function->function->impure)) {
        c.report(messages::impure_in_function(e.where, f.name,
                                              s.function->function ? s.function->function->name : ""));
        return {};
    }
    // The number of the result, where the tree gives it (external systems).
    const auto wanted = static_cast<std::size_t>(e.number);
    if (wanted > f.outputs.size() || (wanted == 0 && f.outputs.size() != 1)) {
        c.report(messages::several_results(e.where, place(c, s), f.name, f.outputs.size()));
        return {};
    }
    const auto results =
        call_function(c, *callee, f, arguments->values, e.where, arguments->places, place(c, s), s);
    return results ? (*results)[wanted == 0 ? 0 : wanted - 1] : Value();
}

}  // namespace

Value translate_call(Context& c, const tree::Expression& e, const Scope& s) {
    if (e.text == "?") {
        c.report(messages::question_mark(e.where, place(c, s)));
        return {};
    }
    ClassInfo* from = s.function ? s.function->in : c.instances[s.instance].info;
    const tree::File* file = s.function ? s.function->file : from->file;
    if (const FoundCallee found = find_callee(c, from, file, e.text); found.table || found.function)
        return translate_callee(c, e, s, found, file);
    if (const ElementaryFunction* f = find_elementary_function(e.text))
        return translate_function(c, e, s, *f);
    for (std::string_view name : special_forms)
        if (name == e.text) return translate_special(c, e, s);
    if (const NamedMatrixFunction* f = find_matrix_function(e.text))
        return translate_matrix_function(c, e, s, *f);
    std::vector<std::string> candidates = visible_callees(c, from, file);
    for (const ElementaryFunction& f : elementary_functions) {
        candidates.emplace_back(f.name);
        if (!f.second_name.empty()) candidates.emplace_back(f.second_name);
    }
    for (std::string_view name : special_forms) candidates.emplace_back(name);
    for (const NamedMatrixFunction& f : matrix_functions)
        if (f.what != MatrixFunction::Identity) candidates.emplace_back(f.name);  // near to too many names
    candidates.emplace_back("der");  // in lower case only: `DER(x)`
    const ClassNames* n = from ? from->find(e.text) : nullptr;
    c.report(messages::unknown_function(e.where, place(c, s), e.text, nearest_name(e.text, candidates),
                                        n && n->variable != none));
    return {};
}

bool is_builtin_function(std::string_view name) {
    return name == "?" || find_elementary_function(name) || find_matrix_function(name) ||
           std::find(special_forms.begin(), special_forms.end(), name) != special_forms.end();
}

}  // namespace cutset
