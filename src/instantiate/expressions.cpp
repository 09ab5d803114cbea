#include "instantiate/expressions.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <stdexcept>

#include "instantiate/builtin_functions.h"
#include "instantiate/declare.h"
#include "instantiate/functions.h"
#include "instantiate/lookup.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"
#include "instantiate/tables.h"

namespace cutset {

namespace {

using K = tree::ExpressionKind;

constexpr std::size_t factor_limit = 2'000;  // of one product
constexpr std::size_t any = -1;

struct Builtin {
    std::string_view name;
    Op op;
    std::size_t fewest, most;
};

constexpr std::array builtins = {
    Builtin{"sqrt", Op::Sqrt, 1, 1},  Builtin{"exp", Op::Exp, 1, 1},      Builtin{"ln", Op::Ln, 1, 1},
    Builtin{"log", Op::Ln, 1, 1},     Builtin{"log10", Op::Log10, 1, 1},  Builtin{"sin", Op::Sin, 1, 1},
    Builtin{"cos", Op::Cos, 1, 1},    Builtin{"tan", Op::Tan, 1, 1},      Builtin{"asin", Op::Asin, 1, 1},
    Builtin{"acos", Op::Acos, 1, 1},  Builtin{"atan", Op::Atan, 1, 1},    Builtin{"sinh", Op::Sinh, 1, 1},
    Builtin{"cosh", Op::Cosh, 1, 1},  Builtin{"tanh", Op::Tanh, 1, 1},    Builtin{"abs", Op::Abs, 1, 1},
    Builtin{"sign", Op::Sign, 1, 1},  Builtin{"int", Op::Truncate, 1, 1}, Builtin{"atan2", Op::Atan2, 2, 2},
    Builtin{"mod", Op::Modulo, 2, 2}, Builtin{"min", Op::Min, 1, any},    Builtin{"max", Op::Max, 1, any},
};
constexpr std::array<std::string_view, 10> special_forms = {"delay", "noevent", "pre",    "new", "sample",
                                                            "start", "edge",    "change", "sum", "homotopy"};

std::string place(const Context& c, const Scope& s) {
    return c.submodel(s.instance);
}

Value not_a_number(Context& c, Span where, const Scope& s) {
    c.report(messages::condition_as_number(where, place(c, s)));
    return {};
}

Value numeric(Context& c, const tree::Expression& e, const Scope& s) {
    Value v = translate(c, e, s);
    if (v.is_condition()) return not_a_number(c, e.where, s);
    return v;
}

Value translate_sum(Context& c, const tree::Expression& e, const Scope& s) {
    std::vector<Expr> terms;
    terms.reserve(e.arguments.size());
    std::optional<Value> array;  // set from the first argument on when they are arrays
    bool failed = false;
    for (std::size_t i = 0; i < e.arguments.size(); ++i) {
        const Value v = numeric(c, e.arguments[i], s);
        const bool minus = i < e.operators.size() && e.operators[i] == '-';
        if (v.failed()) {
            failed = true;
            continue;
        }
        if (failed) continue;
        if (i == 0 && !v.is_scalar()) {
            array = minus ? each(v, [&](Expr x) { return c.pool.negate(x); }) : v;
            continue;
        }
        if (array ? array->dimensions != v.dimensions : !v.is_scalar()) {
            c.report(
                messages::sizes_differ(e.arguments[i].where, place(c, s), "sum",
                                       shape_text(array ? array->dimensions : std::vector<std::uint32_t>{}),
                                       shape_text(v.dimensions)));
            failed = true;
            continue;
        }
        if (array) {
            for (std::size_t k = 0; k < array->elements.size(); ++k)
                array->elements[k] = minus ? c.pool.subtract(array->elements[k], v.elements[k])
                                           : c.pool.add(array->elements[k], v.elements[k]);
        } else {
            terms.push_back(minus ? c.pool.negate(v.scalar) : v.scalar);
        }
    }
    if (failed) return {};
    return array ? *array : Value(c.pool.add(terms));
}

Value translate_product(Context& c, const tree::Expression& e, const Scope& s) {
    // Its derivative has as many terms, each with as many factors.
    if (e.arguments.size() > factor_limit) {
        c.report(messages::too_many_factors(e.where, place(c, s), e.arguments.size(), factor_limit));
        return {};
    }
    Value product;
    bool failed = false;
    for (std::size_t i = 0; i < e.arguments.size(); ++i) {
        Value v = numeric(c, e.arguments[i], s);
        if (v.failed()) failed = true;
        if (failed) continue;
        const bool divides = i < e.operators.size() && e.operators[i] == '/';
        if (i == 0 && !divides) {
            product = std::move(v);
            continue;
        }
        if (i == 0) product = Value(c.pool.number(1));
        if (divides) {
            if (!v.is_scalar()) {
                c.report(
                    messages::division_by_array(e.arguments[i].where, place(c, s), shape_text(v.dimensions)));
                failed = true;
                continue;
            }
            product = each(product, [&](Expr x) { return c.pool.divide(x, v.scalar); });
        } else if (product.is_scalar() && v.is_scalar()) {
            product.scalar = c.pool.multiply(product.scalar, v.scalar);
        } else if (auto r = array_product(c.pool, product, v)) {
            product = std::move(*r);
        } else {
            c.report(messages::sizes_differ(e.arguments[i].where, place(c, s), "product",
                                            shape_text(product.dimensions), shape_text(v.dimensions)));
            failed = true;
        }
    }
    return failed ? Value() : product;
}

Value translate_relation(Context& c, const tree::Expression& e, const Scope& s) {
    const Value a = translate(c, e.arguments[0], s);
    const Value b = translate(c, e.arguments[1], s);
    if (a.failed() || b.failed()) return {};
    for (std::size_t i = 0; i < 2; ++i)
        if (!(i ? b : a).is_scalar()) {
            c.report(messages::array_where_scalar(e.arguments[i].where, place(c, s),
                                                  shape_text((i ? b : a).dimensions)));
            return {};
        }
    if (a.is_condition() && b.is_condition() && (e.text == "=" || e.text == "<>")) {
        const Expr x = number_of(c.pool, a.scalar), y = number_of(c.pool, b.scalar);
        return Value(e.text == "=" ? c.pool.equal(x, y) : c.pool.not_equal(x, y));
    }
    if (a.is_condition()) return not_a_number(c, e.arguments[0].where, s);
    if (b.is_condition()) return not_a_number(c, e.arguments[1].where, s);
    if (e.text == "<") return Value(c.pool.less(a.scalar, b.scalar));
    if (e.text == "<=") return Value(c.pool.less_equal(a.scalar, b.scalar));
    if (e.text == ">") return Value(c.pool.less(b.scalar, a.scalar));
    if (e.text == ">=") return Value(c.pool.less_equal(b.scalar, a.scalar));
    if (e.text == "=") return Value(c.pool.equal(a.scalar, b.scalar));
    return Value(c.pool.not_equal(a.scalar, b.scalar));
}

Value translate_choice(Context& c, const tree::Expression& e, const Scope& s) {
    const std::size_t n = e.arguments.size();
    if (n % 2 == 0) {
        c.report(messages::else_missing(e.where, place(c, s)));
        return {};
    }
    std::vector<Expr> conditions;
    std::vector<Value> values;
    bool failed = false;
    for (std::size_t i = 0; i < n; ++i) {
        if (i % 2 == 0 && i + 1 < n) {
            const Expr condition = translate_condition(c, e.arguments[i], s);
            failed |= !condition;
            conditions.push_back(condition);
        } else {
            values.push_back(translate(c, e.arguments[i], s));
            failed |= values.back().failed();
        }
    }
    if (failed) return {};
    for (std::size_t i = 1; i < values.size(); ++i) {
        const Span where = e.arguments[i + 1 < values.size() ? 2 * i + 1 : n - 1].where;
        if (values[i].dimensions != values[0].dimensions) {
            c.report(messages::sizes_differ(where, place(c, s), "choice", shape_text(values[0].dimensions),
                                            shape_text(values[i].dimensions)));
            return {};
        }
        if (values[i].is_condition() != values[0].is_condition()) {
            c.report(messages::branches_differ(where, place(c, s)));
            return {};
        }
    }
    Value result;
    result.dimensions = values[0].dimensions;
    std::vector<Expr> parts(n);
    for (std::size_t k = 0; k < values[0].size(); ++k) {
        for (std::size_t i = 0; i < conditions.size(); ++i) {
            parts[2 * i] = conditions[i];
            parts[2 * i + 1] = values[i][k];
        }
        parts[n - 1] = values.back()[k];
        const Expr chosen = c.pool.choose(parts);
        if (result.is_scalar())
            result.scalar = chosen;
        else
            result.elements.push_back(chosen);
    }
    return result;
}

Value translate_array(Context& c, const tree::Expression& e, const Scope& s) {
    Value result;
    for (std::size_t i = 0; i < e.arguments.size(); ++i) {
        const Value v = translate(c, e.arguments[i], s);
        if (v.failed()) return {};
        if (i == 0) {
            result.dimensions.push_back(static_cast<std::uint32_t>(e.arguments.size()));
            result.dimensions.insert(result.dimensions.end(), v.dimensions.begin(), v.dimensions.end());
        } else if (!std::equal(v.dimensions.begin(), v.dimensions.end(), result.dimensions.begin() + 1,
                               result.dimensions.end())) {
            c.report(
                messages::sizes_differ(e.arguments[i].where, place(c, s), "array",
                                       shape_text({result.dimensions.begin() + 1, result.dimensions.end()}),
                                       shape_text(v.dimensions)));
            return {};
        }
        for (std::size_t k = 0; k < v.size(); ++k) result.elements.push_back(v[k]);
    }
    if (result.dimensions.empty()) result.dimensions.push_back(0);
    return result;
}

// What is written under a derivative stays continuous at events. Where a discrete variable or a switch makes
// it jump by itself, der(k*V), it gets a variable of its own that is differentiated, so that V jumps instead.
Quantity* continuous_quantity(Context& c, Expr x, const Scope& s, Span where) {
    bool varies = false, discrete = false, switches = false;
    for_each_node(x, [&](Expr n) {
        if (n->op == Op::Variable) {
            const Variability v = c.model.variables[n->variable()].variability;
            varies |= v == Variability::Continuous;
            discrete |= v == Variability::Discrete && !c.model.variables[n->variable()].free_parameter;
        }
        switches |= n->boolean || n->op == Op::Sign || n->op == Op::Truncate || n->op == Op::Modulo;
    });
    if (!varies || !(discrete || switches)) return nullptr;
    const auto [found, added] = c.quantity_of.try_emplace(x->id, c.quantities.size());
    if (added) {
        Printer names = c.model.printer();
        const std::string prefix = c.submodel(s.instance) + '.';
        names.variable = [&c, prefix](VariableIndex v) {
            const std::string path = c.model.path(v);
            return path.starts_with(prefix) ? path.substr(prefix.size()) : path;
        };
        Variable q;
        q.origin.where = where;
        const VariableIndex v = add_variables(c, s.instance, "(" + to_text(x, names) + ")", 0, q);
        c.quantities.push_back({v, x, false, discrete});
        c.model.equations.add({c.pool.variable(v), x, {s.instance, where}, EquationKind::Written});
    }
    return &c.quantities[found->second];
}

Value translate_derivative(Context& c, const tree::Expression& e, const Scope& s) {
    if (s.function) {
        c.report(messages::not_in_function(e.where, "a derivative"));
        return {};
    }
    const auto order = static_cast<std::uint32_t>(e.number);
    Value v = numeric(c, e.arguments[0], s);
    if (v.failed()) return {};
    for (std::size_t k = 0; k < v.size(); ++k)
        if (v[k]->op == Op::Variable &&
            c.model.variables[v[k]->variable()].variability == Variability::Discrete) {
            c.report(messages::derivative_of_discrete(e.where, place(c, s), c.model.path(v[k]->variable())));
            return {};
        }
    std::vector<Value> starts;
    for (std::size_t i = 1; i < e.arguments.size(); ++i) {
        Scope inner = s;
        inner.counts = false;
        starts.push_back(numeric(c, e.arguments[i], inner));
        if (starts.back().failed()) return {};
        if (!starts.back().is_scalar() && starts.back().dimensions != v.dimensions) {
            c.report(messages::sizes_differ(e.arguments[i].where, place(c, s), "initial value",
                                            shape_text(v.dimensions), shape_text(starts.back().dimensions)));
            return {};
        }
    }
    if (starts.size() > order) {
        c.report(messages::too_many_starts(e.arguments[order + 1].where, place(c, s), order));
        starts.resize(order);
    }
    const auto varies = [&](VariableIndex i) {
        return c.model.variables[i].variability == Variability::Continuous;
    };
    const auto one = [&](Expr x, std::size_t element) -> Expr {
        for (std::size_t k = 0; s.starts && k < starts.size(); ++k) {
            const Expr start = starts[k][starts[k].is_scalar() ? 0 : element];
            if (x->op == Op::Variable && varies(x->variable())) {
                give_start(c, x->variable(), x->order + static_cast<std::uint32_t>(k), start, s, e.where);
            } else {
                // Of an expression: a condition at the start.
                Expr at = x;
                for (std::size_t d = 0; d < k; ++d) at = time_derivative(c.pool, at, varies);
                c.model.initial_equations.add({at, start, {s.instance, e.where}, EquationKind::Written});
            }
        }
        if (x->op == Op::Variable)
            return varies(x->variable()) ? c.pool.variable(x->variable(), x->order + order)
                                         : c.pool.number(0);
        if (Quantity* q = continuous_quantity(c, x, s, e.where)) {
            q->started |= s.starts && !starts.empty();
            return c.pool.variable(q->variable, order);
        }
        for (std::uint32_t k = 0; k < order; ++k) x = time_derivative(c.pool, x, varies);
        return x;
    };
    try {
        if (v.is_scalar()) return Value(one(v.scalar, 0));
        for (std::size_t k = 0; k < v.elements.size(); ++k) v.elements[k] = one(v.elements[k], k);
        return v;
    } catch (const std::domain_error&) {
        c.report(messages::no_derivative(e.where, place(c, s)));
        return {};
    }
}

Value wrong_count(Context& c, const tree::Expression& e, const Scope& s, const std::string& wanted) {
    c.report(messages::wrong_argument_count(e.where, place(c, s), e.text, wanted, e.arguments.size()));
    return {};
}

Value translate_builtin(Context& c, const tree::Expression& e, const Scope& s, const Builtin& b) {
    if (e.arguments.size() < b.fewest || e.arguments.size() > b.most)
        return wrong_count(c, e, s, b.fewest == b.most ? std::to_string(b.fewest) : "two or more");
    std::vector<Value> values;
    for (const tree::Expression& a : e.arguments) values.push_back(numeric(c, a, s));
    for (const Value& v : values)
        if (v.failed()) return {};
    if (values.size() == 1) {
        if (b.op == Op::Min || b.op == Op::Max) {
            if (values[0].is_scalar()) return wrong_count(c, e, s, "two or more");
            if (values[0].elements.empty()) return wrong_count(c, e, s, "a vector with elements");
            return Value(c.pool.call(b.op, values[0].elements));
        }
        return each(values[0], [&](Expr x) { return c.pool.call(b.op, x); });
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
    return Value(c.pool.call(b.op, arguments));
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
        c.report(messages::sizes_differ(e.arguments[1].where, place(c, s), "choice",
                                        shape_text(actual.dimensions), shape_text(simplified.dimensions)));
        return {};
    }
    if (actual.is_scalar()) return Value(homotopy(c, actual.scalar, simplified.scalar, s, e.where));
    Value v = actual;
    for (std::size_t k = 0; k < v.elements.size(); ++k)
        v.elements[k] = homotopy(c, actual.elements[k], simplified.elements[k], s, e.where);
    return v;
}

Value translate_special(Context& c, const tree::Expression& e, const Scope& s) {
    const std::size_t n = e.arguments.size();
    if (s.function && e.text != "noevent" && e.text != "sum") {
        c.report(messages::not_in_function(e.where, "`" + e.text + "`"));
        return {};
    }
    if (e.text == "start") {
        if (n != 0) return wrong_count(c, e, s, "no");
        return Value(c.pool.call(Op::Starting, std::span<const Expr>()));
    }
    if (e.text == "sum") {
        if (n != 1) return wrong_count(c, e, s, "1");
        const Value v = numeric(c, e.arguments[0], s);
        if (v.failed() || v.is_scalar()) return v;
        return Value(c.pool.add(v.elements));
    }
    if (e.text == "delay" || e.text == "sample") {
        if (n != 2) return wrong_count(c, e, s, "2");
        const Value first = numeric(c, e.arguments[0], s);
        const Expr second = translate_number(c, e.arguments[1], s);
        if (first.failed() || !second) return {};
        if (e.text == "sample" && !first.is_scalar()) {
            c.report(messages::array_where_scalar(e.arguments[0].where, place(c, s),
                                                  shape_text(first.dimensions)));
            return {};
        }
        return each(first, [&](Expr x) {
            const Expr both[2] = {x, second};
            return c.pool.call(e.text == "delay" ? Op::Delay : Op::Sample, both);
        });
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
    const Expr x = v.is_scalar() ? (v.scalar->boolean ? number_of(c.pool, v.scalar) : v.scalar) : nullptr;
    if (!x || x->op != Op::Variable) {
        c.report(messages::change_of_expression(e.arguments[0].where, place(c, s)));
        return {};
    }
    return Value(c.pool.call(Op::Change, x));
}

Value translate_callee(Context& c, const tree::Expression& e, const Scope& s, const FoundCallee& found,
                       const tree::File* file) {
    std::vector<Value> arguments;
    std::vector<Span> places;
    bool failed = false;
    for (const tree::Expression& a : e.arguments) {
        arguments.push_back(numeric(c, a, s));
        places.push_back(a.where);
        failed |= arguments.back().failed();
    }
    const tree::File* home = found.in ? found.in->file : file;
    if (found.table) {
        const tree::Table& t = *found.table;
        if (arguments.size() != t.arguments.size())
            return wrong_count(c, e, s, std::to_string(t.arguments.size()));
        const auto callee = table_callee(c, t, found.in, home, s);
        if (!callee || failed) return {};
        // A vector looks up each element; with two arguments both are scalars.
        if (arguments.size() == 1)
            return each(arguments[0],
                        [&](Expr x) { return c.pool.apply(*callee, 0, std::span<const Expr>(&x, 1)); });
        for (std::size_t i = 0; i < 2; ++i)
            if (!arguments[i].is_scalar()) {
                c.report(messages::array_where_scalar(places[i], place(c, s),
                                                      shape_text(arguments[i].dimensions)));
                return {};
            }
        const Expr both[2] = {arguments[0].scalar, arguments[1].scalar};
        return Value(c.pool.apply(*callee, 0, both));
    }
    const tree::Function& f = *found.function;
    const auto callee = function_callee(c, f, found.in, home);
    if (!callee || failed) return {};
    // The number of the result, where the tree gives it (external systems).
    const auto wanted = static_cast<std::size_t>(e.number);
    if (wanted > f.outputs.size() || (wanted == 0 && f.outputs.size() != 1)) {
        c.report(messages::several_results(e.where, place(c, s), f.name, f.outputs.size()));
        return {};
    }
    const auto results = call_function(c, *callee, f, arguments, e.where, places, place(c, s));
    return results ? (*results)[wanted == 0 ? 0 : wanted - 1] : Value();
}

Value translate_call(Context& c, const tree::Expression& e, const Scope& s) {
    if (e.text == "?") {
        c.report(messages::question_mark(e.where, place(c, s)));
        return {};
    }
    ClassInfo* from = s.function ? s.function->in : c.instances[s.instance].info;
    const tree::File* file = s.function ? s.function->file : from->file;
    if (const FoundCallee found = find_callee(c, from, file, e.text); found.table || found.function)
        return translate_callee(c, e, s, found, file);
    for (const Builtin& b : builtins)
        if (b.name == e.text) return translate_builtin(c, e, s, b);
    for (std::string_view name : special_forms)
        if (name == e.text) return translate_special(c, e, s);
    std::vector<std::string> candidates = visible_callees(c, from, file);
    for (const Builtin& b : builtins) candidates.emplace_back(b.name);
    for (std::string_view name : special_forms) candidates.emplace_back(name);
    const ClassNames* n = from ? from->find(e.text) : nullptr;
    c.report(messages::unknown_function(e.where, place(c, s), e.text, nearest_name(e.text, candidates),
                                        n && n->variable != none));
    return {};
}

// Values of elements from 1, or nothing after reporting.
std::optional<std::vector<std::uint32_t>> element_numbers(Context& c, const tree::Expression* first,
                                                          std::size_t count,
                                                          const std::vector<std::uint32_t>& dimensions,
                                                          const std::string& name, Span where,
                                                          const Scope& s) {
    if (count > dimensions.size()) {
        c.report(messages::too_many_indices(where, place(c, s), name, shape_text(dimensions), count));
        return std::nullopt;
    }
    std::vector<std::uint32_t> numbers;
    for (std::size_t k = 0; k < count; ++k) {
        const auto i = structural_integer(c, first[k], s, "an index of " + name);
        if (!i) return std::nullopt;
        if (*i < 1 || *i > static_cast<long>(dimensions[k])) {
            c.report(messages::index_out_of_range(first[k].where, place(c, s), name, *i, dimensions[k]));
            return std::nullopt;
        }
        numbers.push_back(static_cast<std::uint32_t>(*i));
    }
    return numbers;
}

Value translate_indexed(Context& c, const tree::Expression& e, const Scope& s) {
    const Value v = translate(c, e.arguments[0], s);
    if (v.failed()) return {};
    const auto numbers = element_numbers(c, e.arguments.data() + 1, e.arguments.size() - 1, v.dimensions,
                                         "the expression", e.where, s);
    return numbers ? array_part(v, *numbers) : Value();
}

void report_unknown(Context& c, const tree::ReferencePart& part, InstanceIndex i, const Scope& s,
                    bool inside_path) {
    const ClassInfo& info = *c.instances[i].info;
    const std::string where = inside_path ? c.submodel(i) : "";
    if (const ClassNames* n = info.find(part.name)) {
        if (n->component != none || n->port != none || n->path != none) {
            const char* what = n->component != none ? "submodel" : n->port != none ? "cut" : "path";
            c.report(messages::not_a_variable(part.where, place(c, s), part.name, what));
            return;
        }
    }
    std::vector<std::string> candidates(info.variables.begin(), info.variables.end());
    if (!inside_path)
        for (std::uint32_t l = s.loops; l; l = c.loop_variables[l].next)
            candidates.emplace_back(c.loop_variables[l].name);
    if (!inside_path) candidates.emplace_back("time");
    std::string enclosing;
    if (!inside_path)
        for (InstanceIndex p = i; p.value != 0 && enclosing.empty();) {
            p = c.model.instances[p].parent;
            const ClassNames* n = c.instances[p].info->find(part.name);
            if (n && n->variable != none) enclosing = c.instances[p].info->tree->name;
        }
    c.report(messages::unknown_name(part.where, place(c, s), part.name, where, info.tree->name,
                                    nearest_name(part.name, candidates), enclosing));
}

Value translate_reference(Context& c, const tree::Expression& e, const Scope& s) {
    const tree::Reference& r = e.reference;
    if (s.function) return translate_function_reference(c, r, s);
    if (r.parts.size() == 1) {
        const tree::ReferencePart& part = r.parts[0];
        if (const auto q = c.named_quantities.find(part.name); q != c.named_quantities.end())
            return Value(c.pool.variable(q->second));
        if (s.loops)
            if (const auto v = loop_value(c, s.loops, part.name)) return Value(c.pool.number(*v));
        if (part.name == "time") {
            const ClassNames* n = c.instances[s.instance].info->find("time");
            if (!n || n->variable == none) return Value(c.pool.time());
        }
    }
    const auto found = find_variable(c, r, s);
    if (!found) return {};
    const auto leaf = [&](std::uint32_t index) -> Expr {
        const VariableIndex v(index);
        const Variable& variable = c.model.variables[v];
        const bool fixed = variable.variability <= Variability::Parameter;
        Expr x;
        if (s.target && *s.target == v && !s.previous) {
            if (s.target_seen) *s.target_seen = true;
            x = c.pool.previous(v);
        } else {
            x = s.previous && !fixed ? c.pool.previous(v) : c.pool.variable(v);
        }
        return variable.boolean ? truth_of(c.pool, x) : x;
    };
    if (found->dimensions.empty()) return Value(leaf(found->first));
    Value v;
    v.dimensions = found->dimensions;
    v.elements.reserve(found->count);
    for (std::size_t k = 0; k < found->count; ++k)
        v.elements.push_back(leaf(found->first + static_cast<std::uint32_t>(k)));
    return v;
}

}  // namespace

bool is_builtin_function(std::string_view name) {
    return name == "?" ||
           std::any_of(builtins.begin(), builtins.end(), [&](const Builtin& b) { return b.name == name; }) ||
           std::find(special_forms.begin(), special_forms.end(), name) != special_forms.end();
}

Expr truth_of(Pool& pool, Expr number) {
    return pool.less(pool.number(0.5), number);
}

Expr number_of(Pool& pool, Expr condition) {
    if (!condition->boolean) return condition;
    if (condition->op == Op::Less && condition->arg(0)->is_number(0.5) &&
        (condition->arg(1)->op == Op::Variable || condition->arg(1)->op == Op::Previous))
        return condition->arg(1);
    return pool.choose(condition, pool.number(1), pool.number(0));
}

std::optional<double> loop_value(const Context& c, std::uint32_t loops, std::string_view name) {
    for (; loops; loops = c.loop_variables[loops].next)
        if (c.loop_variables[loops].name == name) return c.loop_variables[loops].value;
    return std::nullopt;
}

Value translate(Context& c, const tree::Expression& e, const Scope& s) {
    switch (e.kind) {
        case K::Number:
            if (!std::isfinite(e.number)) {
                c.report(messages::number_too_large(e.where, place(c, s)));
                return {};
            }
            return Value(c.pool.number(e.number));
        case K::Text:
            c.report(messages::text_as_number(e.where, place(c, s)));
            return {};
        case K::Truth:
            return Value(c.pool.truth(e.number != 0));
        case K::Reference:
            return translate_reference(c, e, s);
        case K::Sum:
            return translate_sum(c, e, s);
        case K::Product:
            return translate_product(c, e, s);
        case K::Power: {
            const Expr base = translate_number(c, e.arguments[0], s);
            const Expr exponent = translate_number(c, e.arguments[1], s);
            return base && exponent ? Value(c.pool.power(base, exponent)) : Value();
        }
        case K::Negate:
            return each(numeric(c, e.arguments[0], s), [&](Expr x) { return c.pool.negate(x); });
        case K::Relation:
            return translate_relation(c, e, s);
        case K::And:
        case K::Or: {
            std::vector<Expr> parts;
            for (const tree::Expression& a : e.arguments)
                if (const Expr condition = translate_condition(c, a, s)) parts.push_back(condition);
            if (parts.size() != e.arguments.size()) return {};
            return Value(e.kind == K::And ? c.pool.all_of(parts) : c.pool.any_of(parts));
        }
        case K::Not: {
            const Expr condition = translate_condition(c, e.arguments[0], s);
            return condition ? Value(c.pool.negation(condition)) : Value();
        }
        case K::If:
            return translate_choice(c, e, s);
        case K::Call:
            return translate_call(c, e, s);
        case K::Derivative:
            return translate_derivative(c, e, s);
        case K::Array:
            return translate_array(c, e, s);
        case K::Index:
            return translate_indexed(c, e, s);
    }
    return {};
}

Expr translate_number(Context& c, const tree::Expression& e, const Scope& s) {
    const Value v = numeric(c, e, s);
    if (v.failed()) return nullptr;
    if (!v.is_scalar()) {
        c.report(messages::array_where_scalar(e.where, place(c, s), shape_text(v.dimensions)));
        return nullptr;
    }
    return v.scalar;
}

Expr translate_condition(Context& c, const tree::Expression& e, const Scope& s) {
    const Value v = translate(c, e, s);
    if (v.failed()) return nullptr;
    if (!v.is_scalar()) {
        c.report(messages::array_where_scalar(e.where, place(c, s), shape_text(v.dimensions)));
        return nullptr;
    }
    if (!v.is_condition()) {
        c.report(messages::number_as_condition(e.where, place(c, s)));
        return nullptr;
    }
    return v.scalar;
}

std::optional<std::size_t> find_element(Context& c, const std::vector<tree::Expression>& indices,
                                        const std::vector<std::uint32_t>& dimensions, const std::string& name,
                                        Span where, const Scope& s) {
    if (indices.size() < dimensions.size()) {
        c.report(messages::index_missing(where, place(c, s), name, shape_text(dimensions)));
        return std::nullopt;
    }
    const auto numbers = element_numbers(c, indices.data(), indices.size(), dimensions, name, where, s);
    if (!numbers) return std::nullopt;
    std::size_t position = 0;
    for (std::size_t k = 0; k < numbers->size(); ++k) position = position * dimensions[k] + (*numbers)[k] - 1;
    return position;
}

std::optional<InstanceIndex> find_submodel(Context& c, const tree::Reference& r, std::size_t parts,
                                           const Scope& s) {
    InstanceIndex i = s.instance;
    for (std::size_t k = 0; k < parts; ++k) {
        const tree::ReferencePart& part = r.parts[k];
        const ClassInfo& info = *c.instances[i].info;
        const ClassNames* n = info.find(part.name);
        if (!n || n->component == none) {
            std::vector<std::string> candidates(info.components.begin(), info.components.end());
            c.report(messages::unknown_submodel(part.where, place(c, s), part.name, info.tree->name,
                                                nearest_name(part.name, candidates),
                                                n && n->variable != none));
            return std::nullopt;
        }
        const ComponentSlot& slot = c.component(i, n->component);
        if (slot.presence == Presence::Broken) return std::nullopt;
        if (slot.presence == Presence::Absent) {
            c.report(messages::not_in_this_structure(part.where, place(c, s), "submodel", part.name));
            return std::nullopt;
        }
        std::size_t element = 0;
        if (slot.shape || !part.indices.empty()) {
            // Copied: finding the element may evaluate parameters, which may make new shapes.
            const std::vector<std::uint32_t> dimensions = c.shapes[slot.shape];
            const std::uint32_t first = slot.first;
            const auto found = find_element(c, part.indices, dimensions, part.name, part.where, s);
            if (!found) return std::nullopt;
            element = *found;
            i = InstanceIndex(first + element);
        } else {
            i = InstanceIndex(slot.first);
        }
        if (!c.instances[i].info) {
            if (!c.instances_made)
                c.report(messages::submodel_not_made_yet(part.where, place(c, s), part.name));
            return std::nullopt;
        }
    }
    return i;
}

std::optional<VariableReference> find_variable(Context& c, const tree::Reference& r, const Scope& s) {
    const std::size_t n = r.parts.size();
    VariableReference result;
    result.instance = s.instance;
    if (n > 1) {
        const auto i = find_submodel(c, r, n - 1, s);
        if (!i) return std::nullopt;
        result.instance = *i;
    }
    const tree::ReferencePart& part = r.parts[n - 1];
    if (part.before == tree::Separator::Cut || part.before == tree::Separator::Path) {
        c.report(messages::not_a_variable(part.where, place(c, s), part.name,
                                          part.before == tree::Separator::Cut ? "cut" : "path"));
        return std::nullopt;
    }
    const ClassNames* names = c.instances[result.instance].info->find(part.name);
    if (!names || names->variable == none) {
        report_unknown(c, part, result.instance, s, n > 1);
        return std::nullopt;
    }
    result.slot = names->variable;
    const VariableSlot slot = c.variable(result.instance, result.slot);
    if (slot.presence == Presence::Broken) return std::nullopt;
    if (slot.presence == Presence::Absent) {
        c.report(messages::not_in_this_structure(part.where, place(c, s), "variable", part.name));
        return std::nullopt;
    }
    result.first = slot.first.value;
    if (slot.shape) {
        result.dimensions = c.shapes[slot.shape];
        result.count = c.count(slot.shape);
    }
    if (!part.indices.empty()) {
        const auto numbers = element_numbers(c, part.indices.data(), part.indices.size(), result.dimensions,
                                             part.name, part.where, s);
        if (!numbers) return std::nullopt;
        std::size_t first = 0;
        std::vector<std::uint32_t> rest;
        result.count = 1;
        for (std::size_t k = 0; k < result.dimensions.size(); ++k) {
            first *= result.dimensions[k];
            if (k < numbers->size()) {
                first += (*numbers)[k] - 1;
            } else {
                rest.push_back(result.dimensions[k]);
                result.count *= result.dimensions[k];
            }
        }
        result.first += static_cast<std::uint32_t>(first);
        result.dimensions = std::move(rest);
    }
    if (n > 1 && s.counts)
        for (std::size_t k = 0; k < result.count; ++k) c.marks[result.first + k] |= mark_referenced;
    return result;
}

void give_start(Context& c, VariableIndex v, std::uint32_t order, Expr value, const Scope& s, Span where) {
    const auto depth = [&](InstanceIndex i) { return c.instances[i].depth; };
    std::optional<Start>* place_of = &c.model.variables[v].start;
    DerivativeStart* derivative = nullptr;
    if (order > 0) {
        const auto [known, added] =
            c.derivative_start_of.try_emplace({v.value, order}, c.model.derivative_starts.size());
        derivative = added ? nullptr : &c.model.derivative_starts[known->second];
        if (!derivative) {
            c.model.derivative_starts.push_back({v, order, {value, {s.instance, where}, false}});
            return;
        }
    }
    const Start given{value, {s.instance, where}, false};
    if (!derivative && !*place_of) {
        *place_of = given;
        return;
    }
    Start& known = derivative ? derivative->start : **place_of;
    // What an enclosing model says replaces what the submodel says of itself.
    if (depth(s.instance) < depth(known.origin.instance)) {
        known = given;
    } else if (depth(s.instance) == depth(known.origin.instance) && known.value != value &&
               !known.from_user) {
        c.report(messages::start_given_twice(where, place(c, s), c.model.path(v), known.origin.where));
    }
}

void settle_quantities(Context& c) {
    if (c.quantities.empty()) return;
    std::vector<std::uint32_t> order(c.model.variables.size(), 0);  // highest derivative, by variable
    for (const Equation& e : c.model.equations)
        for (Expr side : {e.left, e.right})
            for_each_node(side, [&](Expr n) {
                if (n->op == Op::Variable) order[n->index] = std::max(order[n->index], n->order);
            });
    const auto varies = [&](VariableIndex i) {
        return c.model.variables[i].variability == Variability::Continuous;
    };
    Substitution expanded(c.pool);
    for (const Quantity& q : c.quantities) {
        bool all_states = true;
        Substitution at_start(c.pool);
        for_each_node(q.value, [&](Expr n) {
            if (n->op != Op::Variable || !varies(n->variable())) return;
            all_states &= order[n->index] > 0;
            if (const auto& start = c.model.variables[n->variable()].start; start && n->order == 0)
                at_start.replace(n, start->value);
        });
        if (all_states && !q.discrete) {
            // Its variables are continuous on their own account: the rule of each branch.
            Expr rate = q.value;
            for (std::uint32_t k = 1; k <= order[q.variable.value]; ++k) {
                rate = time_derivative(c.pool, rate, varies);
                expanded.replace(c.pool.variable(q.variable, k), rate);
            }
        } else if (!q.started && !at_start.empty()) {
            // V(0) is the start of what stands in place of V.
            Variable& quantity = c.model.variables[q.variable];
            for_each_node(q.value, [&](Expr n) {
                if (n->op != Op::Variable || varies(n->variable())) return;
                const Variable& v = c.model.variables[n->variable()];
                if (v.variability == Variability::Discrete && v.binding && !v.free_parameter)
                    at_start.replace(n, v.binding);
            });
            const Expr start = at_start(q.value);
            bool known = true;
            for_each_node(start, [&](Expr n) {
                if (n->op == Op::Variable)
                    known &= c.model.variables[n->variable()].variability <= Variability::Parameter;
            });
            if (known && !quantity.start)
                quantity.start = Start{start, quantity.origin};
            else
                c.model.initial_equations.add(
                    {c.pool.variable(q.variable), start, quantity.origin, EquationKind::Written});
        }
    }
    if (expanded.empty()) return;
    for (Equation& e : c.model.equations) {
        e.left = expanded(e.left);
        e.right = expanded(e.right);
    }
    for (Equation& e : c.model.initial_equations) {
        e.left = expanded(e.left);
        e.right = expanded(e.right);
    }
    for (WhenClause& w : c.model.whens) w.condition = expanded(w.condition);
}

}  // namespace cutset
