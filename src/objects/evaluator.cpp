#include "objects/evaluator.h"

#include <algorithm>
#include <cmath>

#include "flat/function_value.h"
#include "flat/shape_text.h"
#include "ir/object_text.h"
#include "objects/arrays.h"
#include "objects/builtin_functions.h"
#include "objects/functions.h"
#include "objects/iterators.h"
#include "objects/value_messages.h"
#include "objects/value_operators.h"

namespace cutset::objects {

using object::Expression;
using object::ExpressionKind;

namespace {

constexpr std::uint32_t depth_limit = 400;
constexpr std::size_t element_limit = 4'000'000;

// Counts how deep calls and expressions are nested.
class Deeper {
  public:
    Deeper(Frame& frame, Span where) : frame_(frame) {
        if (++frame_.depth > depth_limit) {
            --frame_.depth;
            throw Refused{messages::too_deep(where)};
        }
    }
    ~Deeper() { --frame_.depth; }
    Deeper(const Deeper&) = delete;

  private:
    Frame& frame_;
};

bool exceeds(double n) {
    return n > static_cast<double>(element_limit);
}

}  // namespace

const Local* Frame::find_local(const std::string& name) const {
    for (auto i = locals.rbegin(); i != locals.rend(); ++i)
        if (i->name == name) return &*i;
    return nullptr;
}
const Value* Frame::find(const std::string& name) const {
    const Local* local = find_local(name);
    return local ? &local->value : nullptr;
}

Evaluator::Evaluator(FlatModel& model, const Sources& sources, Diagnostics& diagnostics)
    : model_(model),
      sources_(sources),
      diagnostics_(diagnostics),
      functions_(std::make_unique<FunctionTable>()) {}
Evaluator::~Evaluator() = default;

Value Evaluator::evaluate(const Expression& e, Frame& frame) {
    const Deeper deeper(frame, e.where);
    switch (e.kind) {
        case ExpressionKind::Real:
            return Value(Basic::Real, pool().number(e.number));
        case ExpressionKind::Integer:
            return Value(Basic::Integer, pool().number(e.number));
        case ExpressionKind::String:
            return Value(Basic::String, e.text);
        case ExpressionKind::Boolean:
            return Value(Basic::Boolean, pool().truth(e.number != 0));
        case ExpressionKind::Name:
            return evaluate_name(e.name, frame);
        case ExpressionKind::Operation: {
            const Value a = evaluate(e.arguments[0], frame);
            if (e.arguments.size() == 1) return operate(*this, e.op, a, frame, e.where);
            // The right side of `and` and `or` may have no meaning where the left one decides.
            if ((e.op == object::Operator::And || e.op == object::Operator::Or) && a.is_scalar() &&
                a.type.basic == Basic::Boolean && a.expr()->op == Op::Truth &&
                (a.expr()->index != 0) == (e.op == object::Operator::Or))
                return a;
            return operate(*this, e.op, a, evaluate(e.arguments[1], frame), frame, e.where);
        }
        case ExpressionKind::If:
            return evaluate_if(e, frame);
        case ExpressionKind::Call: {
            std::vector<Value> results = evaluate_call(e, frame);
            if (results.empty()) throw Refused{messages::no_result(e.where, name_text(e.name))};
            return std::move(results[0]);
        }
        case ExpressionKind::Function:
            return evaluate_function(e, frame);
        case ExpressionKind::Array:
        case ExpressionKind::Matrix:
            return evaluate_array(e, frame);
        case ExpressionKind::Comprehension:
            return evaluate_comprehension(e, frame);
        case ExpressionKind::Range:
            return evaluate_range(e, frame);
        case ExpressionKind::Tuple:
            if (e.arguments.size() == 1) return evaluate(e.arguments[0], frame);
            throw Refused{messages::not_supported(e.where, "a list in round brackets as a value",
                                                  "an array has braces: {a, b}")};
        case ExpressionKind::Omitted:
            throw Refused{messages::not_supported(e.where, "`:` outside of indices", "")};
        case ExpressionKind::End:
            if (!frame.end) throw Refused{messages::end_outside(e.where)};
            return Value(Basic::Integer, pool().number(*frame.end));
        case ExpressionKind::Index: {
            const Value whole = evaluate(e.arguments[0], frame);
            return select(pool(), whole,
                          indices({e.arguments.begin() + 1, e.arguments.end()}, whole.dimensions, frame));
        }
        case ExpressionKind::Member: {
            const Value record = evaluate(e.arguments[0], frame);
            if (record.type.basic != Basic::Record)
                throw Refused{messages::no_record(e.where, "this", type_text(record.type))};
            if (!record.type.record->find(e.text))
                throw Refused{messages::no_such_field(e.where, e.text, type_text(record.type), "")};
            return field(record, e.text);
        }
        case ExpressionKind::Derivative:
            return derivative_value(*this, evaluate(e.arguments[0], frame), static_cast<int>(e.number), frame,
                                    e.where);
        default:
            throw Refused{messages::not_supported(e.where, "this", "")};
    }
}

Value Evaluator::evaluate_name(const object::Name& name, Frame& frame) {
    const object::NamePart& first = name.parts[0];
    const Local* local = name.global ? nullptr : frame.find_local(first.name);
    if (local && local->message && !frame.message)
        throw Refused{messages::text_varies(first.where), Refusal::TextVaries};
    if (!local) {
        if (!name.global && name.parts.size() == 1 && first.name == "time" && first.indices.empty())
            return Value(Basic::Real, pool().time());
        Value value = frame.scope.value(name, *this, frame);
        return frame.current ? (*frame.current)(value) : value;
    }
    Value value = local->value;
    std::string so_far;
    for (std::size_t k = 0; k < name.parts.size(); ++k) {
        const object::NamePart& part = name.parts[k];
        if (k > 0) {
            if (value.type.basic != Basic::Record)
                throw Refused{messages::no_record(part.where, so_far, type_text(value.type))};
            if (!value.type.record->find(part.name)) {
                std::vector<std::string> names;
                for (const Member& m : value.type.record->members) names.push_back(m.name);
                throw Refused{messages::no_such_field(part.where, part.name, type_text(value.type),
                                                      nearest_name(part.name, names))};
            }
            value = field(value, part.name);
            so_far += ".";
        }
        so_far += part.name;
        if (part.indices.empty()) continue;
        if (part.indices.size() > value.dimensions.size())
            throw Refused{messages::too_many_indices(part.where, so_far, shape_text(value.dimensions),
                                                     part.indices.size())};
        value = select(pool(), value, indices(part.indices, value.dimensions, frame));
    }
    return value;
}

std::vector<IndexChoice> Evaluator::indices(const std::vector<Expression>& indices,
                                            const Dimensions& dimensions, Frame& frame) {
    std::vector<IndexChoice> result;
    // An empty array may have lost its other dimensions.
    if (indices.size() > dimensions.size() && count(dimensions) > 0)
        throw Refused{messages::too_many_indices(indices.back().where, indices.size(), dimensions.size())};
    for (std::size_t k = 0; k < indices.size() && k < dimensions.size(); ++k) {
        const Expression& e = indices[k];
        const std::uint32_t size = dimensions[k];
        IndexChoice choice;
        if (e.kind == ExpressionKind::Omitted) {
            choice.keeps = true;
            for (std::uint32_t i = 1; i <= size; ++i) choice.positions.push_back(i);
            result.push_back(std::move(choice));
            continue;
        }
        const auto outer = std::exchange(frame.end, size);
        Value v;
        try {
            v = evaluate(e, frame);
        } catch (...) {
            frame.end = outer;
            throw;
        }
        frame.end = outer;
        const Basic type = v.type.basic;
        if ((type != Basic::Integer && type != Basic::Boolean && type != Basic::Enumeration) ||
            v.dimensions.size() > 1) {
            // A whole number that went through a real operation (div, 2^k) is an index to many a library.
            const bool whole = type == Basic::Real && v.dimensions.size() <= 1 && is_known(v);
            if (!whole) throw Refused{messages::index_type(e.where, type_text(v.type))};
        }
        choice.keeps = !v.is_scalar();
        for (std::size_t i = 0; i < v.size(); ++i) {
            Expr x = v.expr(i);
            if (type == Basic::Boolean)  // false is the first
                x = pool().add(number_of(x), pool().number(1));
            if (x->is_number()) {
                if (x->number < 1 || x->number > size || x->number != std::floor(x->number))
                    throw Refused{messages::index_outside(e.where, x->number, size, "this dimension")};
                choice.positions.push_back(static_cast<std::uint32_t>(x->number));
            } else if (v.is_scalar() && size > 0) {
                choice.varying = x;
            } else {
                throw Refused{messages::varying_slice(e.where)};
            }
        }
        // Where only known indices will do: sizes and structure ask for constants.
        if (choice.varying && frame.reading == Reading::Constant)
            throw Refused{messages::not_known(e.where, "an index", "this one"), Refusal::NotKnown};
        result.push_back(std::move(choice));
    }
    return result;
}

std::optional<bool> Evaluator::decided(const Expression& condition, Expr value, Frame& frame) {
    if (value->op == Op::Truth) return value->index != 0;
    if (frame.reading == Reading::Constant) return std::nullopt;
    const auto open = [&](Expr leaf) {
        if (leaf->op != Op::Variable || leaf->order > 0) return true;
        if (leaf->variable() >= model_.variables.end_index()) return false;  // not yet declared
        const Variable& v = model_.variables[leaf->variable()];
        return v.variability > cutset::Variability::Parameter || v.type == ValueType::Real ||
               v.free_parameter;
    };
    if (depends_on(value, open)) return std::nullopt;
    if (const auto known = value_of_parameters(value, true)) return *known != 0;
    try {
        return truth(condition, frame);
    } catch (const Refused&) {
        return std::nullopt;  // a parameter without a value, or one that is found by initialization
    }
}

std::optional<double> Evaluator::value_of_parameters(Expr e, bool shape) {
    std::vector<VariableIndex> used;
    int depth = 0;
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op != Op::Variable || leaf->order != 0) return std::nullopt;
        if (leaf->variable() >= model_.variables.end_index()) return std::nullopt;
        const Variable& v = model_.variables[leaf->variable()];
        if (v.variability > cutset::Variability::Parameter || v.free_parameter || !v.binding || depth > 50)
            return std::nullopt;
        used.push_back(leaf->variable());
        ++depth;
        const auto value = cutset::evaluate(v.binding, environment);
        --depth;
        return value;
    };
    environment.apply = [&](Expr apply, std::span<const double> arguments) {
        return function_value(model_, apply->callee(), apply->order, arguments);
    };
    const auto value = cutset::evaluate(e, environment);
    if (value && shape)
        for (VariableIndex v : used) model_.variables[v].structural = true;
    return value;
}

Value Evaluator::evaluate_if(const Expression& e, Frame& frame) {
    // From the last branch that can be reached to the first.
    struct Branch {
        Expr condition;
        Value value;
        Span where;
        std::size_t argument = 0;  // of the condition
    };
    std::vector<Branch> branches;
    const std::size_t n = e.arguments.size();
    for (std::size_t k = 0; k < n; k += 2) {
        if (k + 1 == n) {
            branches.push_back({nullptr, evaluate(e.arguments[k], frame), e.arguments[k].where});
            break;
        }
        const Value condition = evaluate(e.arguments[k], frame);
        if (condition.type.basic != Basic::Boolean || !condition.is_scalar())
            throw Refused{messages::condition_type(e.arguments[k].where, type_text(condition.type))};
        const auto holds = decided(e.arguments[k], condition.expr(), frame);
        if (holds && !*holds) continue;
        if (!holds && frame.reading == Reading::Constant && !frame.in_function)
            throw Refused{messages::not_known(e.arguments[k].where, "this condition", "it"),
                          Refusal::NotKnown};
        branches.push_back({holds ? nullptr : condition.expr(), evaluate(e.arguments[k + 1], frame),
                            e.arguments[k + 1].where, k});
        if (holds) break;
    }
    Value result = std::move(branches.back().value);
    for (std::size_t k = branches.size() - 1; k-- > 0;) {
        const Branch& b = branches[k];
        if (b.value.dimensions != result.dimensions && frame.reading == Reading::Symbolic) {
            // Of unequal size: parameters decide, whatever their type.
            auto holds = value_of_parameters(b.condition, true);
            if (!holds) try {
                    holds = truth(e.arguments[b.argument], frame);
                } catch (const Refused&) {
                    throw Refused{messages::branch_sizes(b.where, shape_text(b.value.dimensions),
                                                         shape_text(result.dimensions))};
                }
            if (*holds != 0) result = b.value;
            continue;
        }
        if (frame.message && b.value.type.basic == Basic::String) {
            if (b.value.text() != result.text())
                result = Value(Basic::String, b.value.text() + " / " + result.text());
            continue;
        }
        result = choose(*this, b.condition, b.value, result, b.where);
    }
    return result;
}

Value Evaluator::evaluate_array(const Expression& e, Frame& frame) {
    std::vector<Value> parts;
    for (const Expression& a : e.arguments) {
        if (e.kind == ExpressionKind::Array) {
            parts.push_back(evaluate(a, frame));
            continue;
        }
        // [a, b; c, d]: rows side by side, then one below the other.
        std::vector<Value> row;
        for (const Expression& x : a.arguments) row.push_back(evaluate(x, frame));
        std::size_t dimensions = 2;
        for (const Value& v : row) dimensions = std::max(dimensions, v.dimensions.size());
        for (Value& v : row) v = promoted(v, dimensions);
        parts.push_back(concatenated(*this, 2, row, a.where));
    }
    if (e.kind == ExpressionKind::Matrix) {
        std::size_t dimensions = 2;
        for (const Value& v : parts) dimensions = std::max(dimensions, v.dimensions.size());
        for (Value& v : parts) v = promoted(v, dimensions);
        return concatenated(*this, 1, parts, e.where);
    }
    return array_of(*this, parts, e.where);
}

Value Evaluator::evaluate_range(const Expression& e, Frame& frame) {
    std::vector<Value> ends;
    for (const Expression& a : e.arguments) {
        ends.push_back(evaluate(a, frame));
        if (!ends.back().is_scalar() || !ends.back().has_exprs())
            throw Refused{messages::range_type(a.where, type_text(ends.back().type))};
    }
    const bool stepped = ends.size() == 3;
    Type type = common_type(ends.front().type, ends.back().type,
                            [&] { return messages::range_type(e.where, type_text(ends.back().type)); });
    if (stepped && type.basic == Basic::Integer) type = ends[1].type;
    for (std::size_t k = 0; k < ends.size(); ++k) {
        const Value& v = ends[k];
        if (is_known(v)) continue;
        // Sizes are known: where parameters give them, they shape the model.
        ends[k] = known(e.arguments[k], frame, "a bound of a range");
    }
    const auto number = [&](const Value& v) { return number_of(v.expr())->number; };
    const double from = number(ends.front()), to = number(ends.back()), step = stepped ? number(ends[1]) : 1;
    if (step == 0) throw Refused{messages::range_step(e.where)};
    const double n = std::max(0.0, std::floor((to - from) / step * (1 + 1e-14) + 1e-14) + 1);
    if (exceeds(n)) throw Refused{messages::too_large(e.where, n, element_limit)};
    Value r;
    r.type = type;
    r.dimensions = {static_cast<std::uint32_t>(n)};
    for (double k = 0; k < n; ++k)
        r.elements.emplace_back(type.basic == Basic::Boolean ? pool().truth(from + k * step != 0)
                                                             : pool().number(from + k * step));
    return r;
}

// Whether a value depends on variables of the model.
bool Evaluator::varies(const Value& v) const {
    return v.has_exprs() && std::any_of(v.elements.begin(), v.elements.end(), [&](const Scalar& s) {
               return depends_on(std::get<Expr>(s), [&](Expr leaf) {
                   return leaf->op != Op::Variable ||
                          model_.variables[leaf->variable()].variability > cutset::Variability::Parameter;
               });
           });
}

std::optional<std::vector<Value>> Evaluator::iteration(const Expression& range, Frame& frame) {
    std::vector<Value> values;
    if (range.kind == ExpressionKind::Name && !frame.find(range.name.parts[0].name)) {
        const Meaning meaning = frame.scope.callable(range.name);
        if (const auto* e = std::get_if<std::shared_ptr<const EnumerationType>>(&meaning)) {
            for (std::size_t k = 1; k <= (*e)->literals.size(); ++k)
                values.emplace_back(Type{Basic::Enumeration, *e, nullptr},
                                    pool().number(static_cast<double>(k)));
            return values;
        }
        if (const auto* b = std::get_if<Basic>(&meaning); b && *b == Basic::Boolean)
            return std::vector<Value>{Value(Basic::Boolean, pool().truth(false)),
                                      Value(Basic::Boolean, pool().truth(true))};
    }
    if (range.kind == ExpressionKind::Range && frame.in_function) {
        // Bounds that vary: a loop of the function.
        for (const Expression& a : range.arguments)
            if (!is_known(evaluate(a, frame))) return std::nullopt;
    }
    if (range.kind == ExpressionKind::Range && frame.current) {
        // In an algorithm of the model: parameters shape it, variables do not.
        for (const Expression& a : range.arguments)
            if (varies(evaluate(a, frame))) return std::nullopt;
    }
    const Value v = evaluate(range, frame);
    if (v.dimensions.size() != 1)
        throw Refused{
            messages::range_type(range.where, v.is_scalar() ? type_text(v.type) : shape_text(v.dimensions))};
    for (std::uint32_t k = 1; k <= v.dimensions[0]; ++k)
        values.push_back(select(pool(), v, {IndexChoice{{k}, nullptr, false}}));
    return values;
}

Value Evaluator::evaluate_comprehension(const Expression& e, Frame& frame) {
    const std::string reduction = e.name.parts.empty() ? "" : e.name.parts.back().name;
    std::vector<Value> values;
    Dimensions outer;
    const std::size_t locals = frame.locals.size();
    const auto leave = [&] { frame.locals.resize(locals); };
    try {
        // The last iterator is the first dimension: {e for i, j} = {{e for i} for j}.
        const std::function<Value(std::size_t)> nested = [&](std::size_t remaining) -> Value {
            if (remaining == 0) {
                Value v = evaluate(e.arguments[0], frame);
                return v;
            }
            const object::Iterator& iterator = e.iterators[remaining - 1];
            const auto steps = iterator_values(*this, iterator, {e.arguments.data()}, frame);
            std::vector<Value> parts;
            for (const Value& step : steps) {
                frame.locals.push_back({iterator.name, step});
                parts.push_back(nested(remaining - 1));
                frame.locals.pop_back();
            }
            if (parts.empty()) {
                Value none;
                none.type = type_of(Basic::Real);
                none.dimensions.assign(remaining, 0);
                return none;
            }
            return array_of(*this, parts, e.where);
        };
        Value all = nested(e.iterators.size());
        if (reduction.empty() || reduction == "array") return all;
        return reduced(*this, reduction, all, e.iterators.size(), frame, e.where);
    } catch (...) {
        leave();
        throw;
    }
}

Value Evaluator::evaluate_function(const Expression& e, Frame& frame) {
    const Meaning meaning = frame.scope.callable(e.name);
    auto made = std::make_shared<FunctionValue>();
    if (const auto* f = std::get_if<std::shared_ptr<const Callable>>(&meaning)) {
        made->function = *f;
    } else {
        const Value* local = frame.find(e.name.parts[0].name);
        if (!local || local->type.basic != Basic::Function)
            throw Refused{messages::not_a_function(e.where, name_text(e.name))};
        *made = *std::get<std::shared_ptr<const FunctionValue>>(local->elements[0]);
    }
    for (const object::NamedArgument& a : e.named)
        made->given.emplace_back(a.name, evaluate(*a.value, frame));
    return Value(Basic::Function, std::shared_ptr<const FunctionValue>(std::move(made)));
}

// Some inputs are given already: those in the call are the others, in their order.
static std::vector<Value> call_given(Evaluator& e, const FunctionValue& f, std::vector<Value> positional,
                                     std::vector<std::pair<std::string, Value>> named, Frame& frame,
                                     Span where) {
    std::size_t next = 0;
    for (const Member& m : f.function->members) {
        if (f.given.empty() || next == positional.size()) break;
        const bool is_given =
            std::any_of(f.given.begin(), f.given.end(), [&](const auto& g) { return g.first == m.name; });
        if (m.causality == object::Causality::Input && !is_given)
            named.emplace_back(m.name, std::move(positional[next++]));
    }
    positional.erase(positional.begin(), positional.begin() + static_cast<std::ptrdiff_t>(next));
    named.insert(named.end(), f.given.begin(), f.given.end());
    return e.call(f.function, std::move(positional), std::move(named), frame, where);
}

std::vector<Value> Evaluator::evaluate_call(const Expression& e, Frame& frame) {
    if (e.kind != ExpressionKind::Call) return {evaluate(e, frame)};
    const Deeper deeper(frame, e.where);
    const auto collect = [&](std::vector<Value>& positional,
                             std::vector<std::pair<std::string, Value>>& named) {
        for (const Expression& a : e.arguments) positional.push_back(argument_value(*this, a, frame));
        for (const object::NamedArgument& a : e.named)
            named.emplace_back(a.name, argument_value(*this, *a.value, frame));
    };
    std::vector<Value> positional;
    std::vector<std::pair<std::string, Value>> named;
    // A function that was given as an argument.
    if (e.name.parts.size() == 1 && !e.name.global)
        if (const Value* local = frame.find(e.name.parts[0].name);
            local && local->type.basic == Basic::Function) {
            const FunctionValue& f = *std::get<std::shared_ptr<const FunctionValue>>(local->elements[0]);
            collect(positional, named);
            return call_given(*this, f, std::move(positional), std::move(named), frame, e.where);
        }
    if (auto special = frame.scope.special_call(e, *this, frame)) return {std::move(*special)};
    const Meaning meaning = frame.scope.callable(e.name);
    if (const auto* f = std::get_if<std::shared_ptr<const Callable>>(&meaning)) {
        collect(positional, named);
        return call(*f, std::move(positional), std::move(named), frame, e.where);
    }
    if (const auto* t = std::get_if<std::shared_ptr<const EnumerationType>>(&meaning)) {
        collect(positional, named);
        if (positional.size() != 1 || positional[0].type.basic != Basic::Integer)
            throw Refused{messages::argument_of(e.where, (*t)->name, "one Integer")};
        return {
            Value(Type{Basic::Enumeration, *t, nullptr}, positional[0].dimensions, positional[0].elements)};
    }
    if (auto results = builtin_call(*this, e, frame)) return std::move(*results);
    const std::string name = name_text(e.name);
    throw Refused{messages::unknown_function(e.where, name, nearest_name(name, builtin_names()))};
}

// ---- what must be known

bool Evaluator::is_known(const Value& v) {
    return std::all_of(v.elements.begin(), v.elements.end(), [](const Scalar& s) {
        if (const Expr* e = std::get_if<Expr>(&s)) return (*e)->is_number() || (*e)->op == Op::Truth;
        if (const auto* r = std::get_if<std::shared_ptr<const Record>>(&s))
            return std::all_of((*r)->fields.begin(), (*r)->fields.end(),
                               [](const Value& f) { return is_known(f); });
        if (const auto* f = std::get_if<std::shared_ptr<const FunctionValue>>(&s))
            return std::all_of((*f)->given.begin(), (*f)->given.end(),
                               [](const auto& given) { return is_known(given.second); });
        return true;
    });
}

Value Evaluator::known(const Expression& e, Frame& frame, const char* what) {
    Frame constant = frame;
    constant.reading = Reading::Constant;
    Value v = evaluate(e, constant);
    if (!is_known(v) && v.has_exprs())
        for (Scalar& s : v.elements) {
            Expr& x = std::get<Expr>(s);
            if (const auto number = value_of_parameters(x, true))
                x = v.type.basic == Basic::Boolean ? pool().truth(*number != 0) : pool().number(*number);
        }
    if (!is_known(v)) {
        const std::string_view text = sources_.text(e.where);
        throw Refused{messages::not_known(e.where, what, text.size() < 60 ? text : "this"),
                      Refusal::NotKnown};
    }
    return v;
}

Value Evaluator::constant(const Expression& e, Frame& frame) {
    return known(e, frame, "this value");
}

std::int64_t Evaluator::integer(const Expression& e, Frame& frame) {
    const Value v = known(e, frame, "this number");
    if (!v.is_scalar() || (v.type.basic != Basic::Integer && v.type.basic != Basic::Enumeration &&
                           v.type.basic != Basic::Real && v.type.basic != Basic::Boolean))
        throw Refused{messages::wrong_type(e.where, "this number", "Integer", type_text(v.type))};
    const double x = number_of(v.expr())->number;
    if (x != std::floor(x) || std::abs(x) > 9e15) throw Refused{messages::not_whole(e.where, x)};
    return static_cast<std::int64_t>(x);
}

bool Evaluator::truth(const Expression& e, Frame& frame) {
    const Value v = known(e, frame, "this condition");
    if (!v.is_scalar() || v.type.basic != Basic::Boolean)
        throw Refused{messages::condition_type(e.where, type_text(v.type))};
    return v.expr()->index != 0;
}

std::string Evaluator::text(const Expression& e, Frame& frame) {
    const Value v = known(e, frame, "this text");
    if (!v.is_scalar() || v.type.basic != Basic::String)
        throw Refused{messages::wrong_type(e.where, "this text", "String", type_text(v.type))};
    return v.text();
}

Dimensions Evaluator::dimensions(const std::vector<Scoped>& sizes, Frame& frame, const Dimensions* open) {
    Dimensions result;
    double total = 1;
    for (std::size_t k = 0; k < sizes.size(); ++k) {
        const Expression& e = *sizes[k].expression;
        if (e.kind == ExpressionKind::Omitted) {
            if (!open || k >= open->size()) throw Refused{messages::open_size(e.where)};
            result.push_back((*open)[k]);
            total *= result.back();
            continue;
        }
        // An enumeration or Boolean as a dimension has as many elements as values.
        double n = -1;
        if (e.kind == ExpressionKind::Name) {
            const Scope& scope = sizes[k].scope ? *sizes[k].scope : frame.scope;
            const Meaning meaning =
                frame.find(e.name.parts[0].name) ? Meaning() : const_cast<Scope&>(scope).callable(e.name);
            if (const auto* t = std::get_if<std::shared_ptr<const EnumerationType>>(&meaning))
                n = static_cast<double>((*t)->literals.size());
            if (const auto* b = std::get_if<Basic>(&meaning); b && *b == Basic::Boolean) n = 2;
        }
        if (n < 0) {
            if (sizes[k].scope) {
                Frame inner{*sizes[k].scope};
                if (!sizes[k].outside) inner.locals = frame.locals;
                inner.in_function = frame.in_function;
                inner.depth = frame.depth;
                n = static_cast<double>(integer(e, inner));
            } else {
                n = static_cast<double>(integer(e, frame));
            }
            if (n < 0) throw Refused{messages::negative_size(e.where, n)};
        }
        total *= n;
        if (exceeds(total)) throw Refused{messages::too_large(e.where, total, element_limit)};
        result.push_back(static_cast<std::uint32_t>(n));
    }
    return result;
}

// ---- types

Value Evaluator::converted(const Value& value, const Type& type, const Dimensions& dimensions, Span where,
                           const std::string& what) {
    if (value.dimensions != dimensions) {
        // An empty array has lost what its other dimensions are.
        const bool both_empty = count(value.dimensions) == 0 && count(dimensions) == 0 &&
                                value.dimensions.size() <= dimensions.size();
        if (!both_empty)
            throw Refused{
                messages::wrong_size(where, what, shape_text(dimensions), shape_text(value.dimensions))};
        Value none(type, dimensions, {});
        return none;
    }
    if (value.size() == 0) return Value(type, dimensions, {});
    if (type.basic == Basic::Record && value.type.basic == Basic::Record) {
        if (type.record == value.type.record) return value;
        Value r(type, dimensions, {});
        for (std::size_t k = 0; k < value.size(); ++k) {
            auto made = std::make_shared<Record>();
            for (const Member& m : type.record->members) {
                if (!value.type.record->find(m.name))
                    throw Refused{messages::missing_field(where, what, m.name, type_text(value.type))};
                const Value& from = value.record(k).fields[value.type.record->position(m.name)];
                made->fields.push_back(converted(from, m.type, from.dimensions, where, what + "." + m.name));
            }
            r.elements.emplace_back(std::shared_ptr<const Record>(std::move(made)));
        }
        return r;
    }
    if (same_type(value.type, type)) return value;
    if (type.basic == Basic::Real && value.type.basic == Basic::Integer)
        return Value(type, value.dimensions, value.elements);
    // A whole number that came by real operations: 2^3, 6/2.
    if (type.basic == Basic::Integer && value.type.basic == Basic::Real && is_known(value)) {
        const bool whole = std::all_of(value.elements.begin(), value.elements.end(), [](const Scalar& s) {
            const double x = std::get<Expr>(s)->number;
            return x == std::floor(x);
        });
        if (whole) return Value(type, value.dimensions, value.elements);
    }
    throw Refused{messages::wrong_type(where, what, type_text(type), type_text(value.type))};
}

std::uint32_t Evaluator::enumeration(const EnumerationType& type) {
    auto& all = model_.enumerations;
    for (std::uint32_t i = 0; i < all.size(); ++i)
        if (all[i].literals == type.literals) return i;
    all.push_back({type.literals});
    return static_cast<std::uint32_t>(all.size() - 1);
}

Value Evaluator::leaf(const Type& type, const Dimensions& dimensions, VariableIndex first) {
    Value v(type, dimensions, {});
    const std::size_t n = count(dimensions);
    for (std::size_t k = 0; k < n; ++k) {
        const Expr x = pool().variable(VariableIndex(first.value + k));
        v.elements.emplace_back(type.basic == Basic::Boolean ? truth_of(x) : x);
    }
    return v;
}

Expr Evaluator::truth_of(Expr number) const {
    Pool& pool = *model_.pool;
    if (number->is_number()) return pool.truth(number->number > 0.5);
    return pool.less(pool.number(0.5), number);
}

Expr Evaluator::number_of(Expr e) const {
    if (!e->boolean) return e;
    Pool& pool = *model_.pool;
    if (e->op == Op::Truth) return pool.number(e->index ? 1 : 0);
    if (e->op == Op::Less && e->arg(0)->is_number(0.5)) {
        const Expr x = e->arg(1);
        if (x->op == Op::Local || x->op == Op::Element || x->op == Op::Apply) return x;
        if ((x->op == Op::Variable || x->op == Op::Previous) && x->order == 0 &&
            model_.variables[x->variable()].is_boolean())
            return x;
    }
    return pool.choose(e, pool.number(1), pool.number(0));
}

}  // namespace cutset::objects
