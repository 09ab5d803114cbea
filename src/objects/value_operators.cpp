#include "objects/value_operators.h"

#include <algorithm>
#include <cmath>

#include "flat/shape_text.h"
#include "objects/value_messages.h"

namespace cutset::objects {

using object::Operator;

bool is_numeric(const Type& t) {
    return t.basic == Basic::Real || t.basic == Basic::Integer;
}

bool same_type(const Type& a, const Type& b) {
    if (a.basic != b.basic) return false;
    switch (a.basic) {
        case Basic::Enumeration:
            return a.enumeration == b.enumeration ||
                   (a.enumeration && b.enumeration && a.enumeration->literals == b.enumeration->literals);
        case Basic::Record: {
            if (a.record == b.record) return true;
            // Records are equal by the names of their fields.
            const auto& x = a.record->members;
            const auto& y = b.record->members;
            return x.size() == y.size() &&
                   std::all_of(x.begin(), x.end(), [&](const Member& m) { return b.record->find(m.name); });
        }
        default:
            return true;
    }
}

Type common_type(const Type& a, const Type& b, const std::function<Diagnostic()>& refusal) {
    if (same_type(a, b)) return a;
    if (is_numeric(a) && is_numeric(b)) return type_of(Basic::Real);
    throw Refused{refusal()};
}

Value element(const Value& a, std::size_t k) {
    return Value(a.type, a.elements[k]);
}

Value each(const Value& a, Basic type, const std::function<Expr(Expr)>& f) {
    Value r;
    r.type = type_of(type);
    r.dimensions = a.dimensions;
    r.elements.reserve(a.size());
    for (std::size_t k = 0; k < a.size(); ++k) r.elements.emplace_back(f(a.expr(k)));
    return r;
}

namespace {

using ScalarOperation = std::function<Value(const Value&, const Value&)>;

const char* operator_name(Operator op) {
    switch (op) {
        case Operator::Add:
        case Operator::ElementAdd:
        case Operator::Plus:
            return "+";
        case Operator::Subtract:
        case Operator::ElementSubtract:
        case Operator::Minus:
            return "-";
        case Operator::Multiply:
        case Operator::ElementMultiply:
            return "*";
        case Operator::Divide:
        case Operator::ElementDivide:
            return "/";
        case Operator::Power:
        case Operator::ElementPower:
            return "^";
        case Operator::Less:
            return "<";
        case Operator::LessEqual:
            return "<=";
        case Operator::Greater:
            return ">";
        case Operator::GreaterEqual:
            return ">=";
        case Operator::Equal:
            return "==";
        case Operator::NotEqual:
            return "<>";
        case Operator::And:
            return "and";
        case Operator::Or:
            return "or";
        case Operator::Not:
            return "not";
    }
    return "";
}

[[noreturn]] void refuse_types(Operator op, const Value& a, const Value& b, Span where) {
    throw Refused{messages::operand_type(where, operator_name(op), type_text(a.type), type_text(b.type))};
}
[[noreturn]] void refuse_sizes(Operator op, const Value& a, const Value& b, Span where) {
    throw Refused{messages::operand_sizes(where, operator_name(op), shape_text(a.dimensions),
                                          shape_text(b.dimensions))};
}

// ---- operators that a record declares

// `v` as the argument of this input: itself, or made a record by a constructor of one argument.
std::optional<Value> as_argument(Evaluator& e, const Value& v, const Member& input, Frame& frame,
                                 Span where) {
    if (same_type(v.type, input.type)) return v;
    if (is_numeric(v.type) && input.type.basic == Basic::Real) return v;
    if (input.type.basic != Basic::Record || v.type.basic == Basic::Record) return std::nullopt;
    for (const auto& make : frame.scope.operators(*input.type.record, "'constructor'")) {
        const Member* first = nullptr;
        std::size_t needed = 0;
        for (const Member& m : make->members)
            if (m.causality == object::Causality::Input) {
                if (!first) first = &m;
                if (!m.binding) ++needed;
            }
        if (!first || needed > 1) continue;
        if (!same_type(v.type, first->type) && !(is_numeric(v.type) && is_numeric(first->type))) continue;
        return e.call(make, {v}, {}, frame, where).at(0);
    }
    return std::nullopt;
}

std::optional<Value> overloaded(Evaluator& e, Operator op, const std::vector<Value>& operands, Frame& frame,
                                Span where) {
    const std::string name = std::string("'") + operator_name(op) + "'";
    for (const bool exact : {true, false})
        for (const Value& v : operands) {
            if (v.type.basic != Basic::Record) continue;
            for (const auto& f : frame.scope.operators(*v.type.record, name)) {
                std::vector<const Member*> inputs;
                for (const Member& m : f->members)
                    if (m.causality == object::Causality::Input) inputs.push_back(&m);
                const bool enough =
                    inputs.size() >= operands.size() &&
                    std::all_of(inputs.begin() + static_cast<std::ptrdiff_t>(operands.size()), inputs.end(),
                                [](const Member* m) { return bool(m->binding); });
                if (!enough) continue;
                std::vector<Value> arguments;
                for (std::size_t k = 0; k < operands.size(); ++k) {
                    if (exact ? same_type(operands[k].type, inputs[k]->type) : true) {
                        auto argument = exact ? std::optional(operands[k])
                                              : as_argument(e, operands[k], *inputs[k], frame, where);
                        if (argument) arguments.push_back(std::move(*argument));
                    }
                }
                // Operators of whole vectors ('*' of two vectors) are not those of their elements.
                if (arguments.size() != operands.size()) continue;
                const bool of_scalars =
                    std::all_of(inputs.begin(), inputs.begin() + static_cast<std::ptrdiff_t>(operands.size()),
                                [](const Member* m) { return m->dimensions.empty(); });
                if (!of_scalars) continue;
                return e.call(f, std::move(arguments), {}, frame, where).at(0);
            }
        }
    return std::nullopt;
}

// ---- scalars

Value arithmetic(Evaluator& e, Operator op, const Value& a, const Value& b, Frame& frame, Span where) {
    Pool& pool = e.pool();
    if (a.type.basic == Basic::Record || b.type.basic == Basic::Record) {
        if (auto v = overloaded(e, op, {a, b}, frame, where)) return *v;
        throw Refused{messages::no_overload(where, operator_name(op), type_text(a.type), type_text(b.type))};
    }
    if (a.type.basic == Basic::String && b.type.basic == Basic::String && op == Operator::Add)
        return Value(Basic::String, a.text() + b.text());
    if (!is_numeric(a.type) || !is_numeric(b.type)) refuse_types(op, a, b, where);
    const bool whole = a.type.basic == Basic::Integer && b.type.basic == Basic::Integer;
    const Basic type = whole ? Basic::Integer : Basic::Real;
    const Expr x = a.expr(), y = b.expr();
    switch (op) {
        case Operator::Add:
        case Operator::ElementAdd:
            return Value(type, pool.add(x, y));
        case Operator::Subtract:
        case Operator::ElementSubtract:
            return Value(type, pool.subtract(x, y));
        case Operator::Multiply:
        case Operator::ElementMultiply:
            return Value(type, pool.multiply(x, y));
        case Operator::Divide:
        case Operator::ElementDivide:
            return Value(Basic::Real, pool.divide(x, y));
        default:
            return Value(Basic::Real, pool.power(x, y));
    }
}

int order(const std::string& a, const std::string& b) {
    return a < b ? -1 : a > b ? 1 : 0;
}

Value relation(Evaluator& e, Operator op, const Value& a, const Value& b, Frame& frame, Span where) {
    Pool& pool = e.pool();
    if (a.type.basic == Basic::Record || b.type.basic == Basic::Record) {
        if (auto v = overloaded(e, op, {a, b}, frame, where)) return *v;
        throw Refused{messages::no_overload(where, operator_name(op), type_text(a.type), type_text(b.type))};
    }
    if (!a.is_scalar() || !b.is_scalar()) refuse_sizes(op, a, b, where);
    const bool fits = (is_numeric(a.type) && is_numeric(b.type)) || same_type(a.type, b.type);
    if (!fits) refuse_types(op, a, b, where);
    const auto made = [&](Expr x) { return Value(Basic::Boolean, x); };
    if (a.type.basic == Basic::String) {
        const int c = order(a.text(), b.text());
        switch (op) {
            case Operator::Less:
                return made(pool.truth(c < 0));
            case Operator::LessEqual:
                return made(pool.truth(c <= 0));
            case Operator::Greater:
                return made(pool.truth(c > 0));
            case Operator::GreaterEqual:
                return made(pool.truth(c >= 0));
            case Operator::Equal:
                return made(pool.truth(c == 0));
            default:
                return made(pool.truth(c != 0));
        }
    }
    if (!a.has_exprs()) refuse_types(op, a, b, where);
    Expr x = a.expr(), y = b.expr();
    if (a.type.basic == Basic::Boolean) {
        if (op == Operator::Equal || op == Operator::NotEqual) {
            const Expr same = equal_scalars(e, a, b, where);
            return made(op == Operator::Equal ? same : pool.negation(same));
        }
        x = e.number_of(x);  // false < true
        y = e.number_of(y);
    }
    switch (op) {
        case Operator::Less:
            return made(pool.less(x, y));
        case Operator::LessEqual:
            return made(pool.less_equal(x, y));
        case Operator::Greater:
            return made(pool.less(y, x));
        case Operator::GreaterEqual:
            return made(pool.less_equal(y, x));
        case Operator::Equal:
            return made(pool.equal(x, y));
        default:
            return made(pool.not_equal(x, y));
    }
}

Value logical(Evaluator& e, Operator op, const Value& a, const Value& b, Span where) {
    if (a.type.basic != Basic::Boolean || b.type.basic != Basic::Boolean) refuse_types(op, a, b, where);
    const Expr both[2] = {a.expr(), b.expr()};
    return Value(Basic::Boolean, op == Operator::And ? e.pool().all_of(both) : e.pool().any_of(both));
}

// ---- arrays

Type type_of_operation(Operator op, const Value& a, const Value& b) {
    if (a.type.basic == Basic::Record) return a.type;
    if (b.type.basic == Basic::Record) return b.type;
    if (op == Operator::And || op == Operator::Or) return type_of(Basic::Boolean);
    const bool real = op == Operator::Divide || op == Operator::ElementDivide || op == Operator::Power ||
                      op == Operator::ElementPower;
    if (real) return type_of(Basic::Real);
    if (is_numeric(a.type) && is_numeric(b.type) && !same_type(a.type, b.type)) return type_of(Basic::Real);
    return a.type;
}

// Scalars spread where one side is an array.
Value by_elements(Operator op, const Value& a, const Value& b, Span where, const ScalarOperation& f) {
    if (a.is_scalar() && b.is_scalar()) return f(a, b);
    if (!a.is_scalar() && !b.is_scalar() && a.dimensions != b.dimensions) refuse_sizes(op, a, b, where);
    Value r;
    r.type = type_of_operation(op, a, b);
    r.dimensions = a.is_scalar() ? b.dimensions : a.dimensions;
    const std::size_t n = a.is_scalar() ? b.size() : a.size();
    for (std::size_t k = 0; k < n; ++k) {
        Value one = f(a.is_scalar() ? a : element(a, k), b.is_scalar() ? b : element(b, k));
        r.type = one.type;
        r.elements.emplace_back(std::move(one.elements[0]));
    }
    return r;
}

Value zero_of(Evaluator& e, const Value& a, const Value& b, Frame& frame, Span where) {
    for (const Value* v : {&a, &b})
        if (v->type.basic == Basic::Record)
            for (const auto& zero : frame.scope.operators(*v->type.record, "'0'"))
                return e.call(zero, {}, {}, frame, where).at(0);
    const bool whole = a.type.basic == Basic::Integer && b.type.basic == Basic::Integer;
    return Value(whole ? Basic::Integer : Basic::Real, e.pool().number(0));
}

// Row by column. A vector is a row on the left and a column on the right.
Value matrix_product(Evaluator& e, const Value& a, const Value& b, Frame& frame, Span where) {
    const std::size_t da = a.dimensions.size(), db = b.dimensions.size();
    if (da > 2 || db > 2 || a.dimensions[da - 1] != b.dimensions[0])
        refuse_sizes(Operator::Multiply, a, b, where);
    const std::size_t rows = da == 2 ? a.dimensions[0] : 1, inner = a.dimensions[da - 1];
    const std::size_t columns = db == 2 ? b.dimensions[1] : 1;
    Value r;
    if (da == 2) r.dimensions.push_back(a.dimensions[0]);
    if (db == 2) r.dimensions.push_back(b.dimensions[1]);
    r.type = type_of_operation(Operator::Multiply, a, b);
    const bool numbers = is_numeric(a.type) && is_numeric(b.type);
    if (!numbers && !(a.type.basic == Basic::Record || b.type.basic == Basic::Record))
        refuse_types(Operator::Multiply, a, b, where);
    for (std::size_t i = 0; i < rows; ++i)
        for (std::size_t j = 0; j < columns; ++j) {
            if (numbers) {
                std::vector<Expr> terms;
                for (std::size_t k = 0; k < inner; ++k)
                    terms.push_back(e.pool().multiply(a.expr(i * inner + k), b.expr(k * columns + j)));
                r.elements.emplace_back(terms.empty() ? e.pool().number(0) : e.pool().add(terms));
                continue;
            }
            std::optional<Value> sum;
            for (std::size_t k = 0; k < inner; ++k) {
                Value term = arithmetic(e, Operator::Multiply, element(a, i * inner + k),
                                        element(b, k * columns + j), frame, where);
                sum = sum ? arithmetic(e, Operator::Add, *sum, term, frame, where) : std::move(term);
            }
            if (!sum) sum = zero_of(e, a, b, frame, where);
            r.type = sum->type;
            r.elements.emplace_back(sum->elements[0]);
        }
    return r;
}

Value power(Evaluator& e, const Value& a, const Value& b, Frame& frame, Span where) {
    if (a.is_scalar()) {
        if (!b.is_scalar()) refuse_sizes(Operator::Power, a, b, where);
        return arithmetic(e, Operator::Power, a, b, frame, where);
    }
    const bool square = a.dimensions.size() == 2 && a.dimensions[0] == a.dimensions[1];
    if (!square) throw Refused{messages::not_square(where, shape_text(a.dimensions))};
    const Expr n = b.is_scalar() && is_numeric(b.type) ? b.expr() : nullptr;
    if (!n || !n->is_number() || n->number != std::floor(n->number) || n->number < 0 || n->number > 1000)
        refuse_sizes(Operator::Power, a, b, where);
    Value r(a.type, a.dimensions, {});
    const std::size_t size = a.dimensions[0];
    for (std::size_t k = 0; k < size * size; ++k)
        r.elements.emplace_back(e.pool().number(k % (size + 1) == 0 ? 1 : 0));
    for (int k = 0; k < static_cast<int>(n->number); ++k) r = matrix_product(e, r, a, frame, where);
    return r;
}

}  // namespace

Expr equal_scalars(Evaluator& e, const Value& a, const Value& b, Span where) {
    Pool& pool = e.pool();
    if (a.type.basic == Basic::String && b.type.basic == Basic::String)
        return pool.truth(a.text() == b.text());
    if (!a.has_exprs() || !b.has_exprs()) refuse_types(Operator::Equal, a, b, where);
    if (a.type.basic != Basic::Boolean) return pool.equal(a.expr(), b.expr());
    const Expr x = a.expr(), y = b.expr();
    if (x == y) return pool.truth(true);
    if (x->op == Op::Truth) return x->index ? y : pool.negation(y);
    if (y->op == Op::Truth) return y->index ? x : pool.negation(x);
    const Expr both[2] = {x, y}, neither[2] = {pool.negation(x), pool.negation(y)};
    const Expr either[2] = {pool.all_of(both), pool.all_of(neither)};
    return pool.any_of(either);
}

Value operate(Evaluator& e, Operator op, const Value& a, const Value& b, Frame& frame, Span where) {
    const auto scalar = [&](const Value& x, const Value& y) { return arithmetic(e, op, x, y, frame, where); };
    switch (op) {
        case Operator::Add:
        case Operator::Subtract:
            // Without a dot both have the same size.
            if (a.dimensions != b.dimensions) refuse_sizes(op, a, b, where);
            return by_elements(op, a, b, where, scalar);
        case Operator::ElementAdd:
        case Operator::ElementSubtract:
        case Operator::ElementMultiply:
        case Operator::ElementDivide:
        case Operator::ElementPower:
            return by_elements(op, a, b, where, scalar);
        case Operator::Multiply:
            if (a.is_scalar() || b.is_scalar()) return by_elements(op, a, b, where, scalar);
            return matrix_product(e, a, b, frame, where);
        case Operator::Divide:
            if (!b.is_scalar()) refuse_sizes(op, a, b, where);
            return by_elements(op, a, b, where, scalar);
        case Operator::Power:
            return power(e, a, b, frame, where);
        case Operator::And:
        case Operator::Or:
            if (a.dimensions != b.dimensions) refuse_sizes(op, a, b, where);
            return by_elements(op, a, b, where,
                               [&](const Value& x, const Value& y) { return logical(e, op, x, y, where); });
        default:
            return relation(e, op, a, b, frame, where);
    }
}

Value operate(Evaluator& e, Operator op, const Value& a, Frame& frame, Span where) {
    const auto refuse = [&]() {
        throw Refused{messages::operand_type(where, operator_name(op), type_text(a.type), "")};
    };
    Value r(a.type, a.dimensions, {});
    for (std::size_t k = 0; k < a.size(); ++k) {
        const Value x = element(a, k);
        if (a.type.basic == Basic::Record) {
            auto v = overloaded(e, op, {x}, frame, where);
            if (!v && op == Operator::Plus) v = x;
            if (!v) throw Refused{messages::no_overload(where, operator_name(op), type_text(a.type), "")};
            r.type = v->type;
            r.elements.emplace_back(v->elements[0]);
        } else if (op == Operator::Not) {
            if (a.type.basic != Basic::Boolean) refuse();
            r.elements.emplace_back(e.pool().negation(x.expr()));
        } else {
            if (!is_numeric(a.type)) refuse();
            r.elements.emplace_back(op == Operator::Minus ? e.pool().negate(x.expr()) : x.expr());
        }
    }
    return r;
}

Value choose(Evaluator& e, Expr condition, const Value& then, const Value& otherwise, Span where) {
    Value r;
    r.type = common_type(then.type, otherwise.type, [&] {
        return messages::branch_types(where, type_text(then.type), type_text(otherwise.type));
    });
    if (then.dimensions != otherwise.dimensions)
        throw Refused{
            messages::branch_sizes(where, shape_text(then.dimensions), shape_text(otherwise.dimensions))};
    r.dimensions = then.dimensions;
    Pool& pool = e.pool();
    for (std::size_t k = 0; k < then.size(); ++k) {
        if (r.type.basic == Basic::Record) {
            auto made = std::make_shared<Record>();
            const Record &x = then.record(k), &y = otherwise.record(k);
            for (std::size_t f = 0; f < x.fields.size(); ++f) {
                const std::size_t g = otherwise.type.record->position(then.type.record->members[f].name);
                made->fields.push_back(choose(e, condition, x.fields[f], y.fields[g], where));
            }
            r.elements.emplace_back(std::shared_ptr<const Record>(std::move(made)));
        } else if (!then.has_exprs()) {
            const bool same_text = then.type.basic == Basic::String && then.text(k) == otherwise.text(k);
            if (!same_text && !(then.elements[k] == otherwise.elements[k]))
                throw Refused{messages::text_varies(where), Refusal::TextVaries};
            r.elements.emplace_back(then.elements[k]);
        } else if (r.type.basic == Basic::Boolean) {
            const Expr x = then.expr(k), y = otherwise.expr(k);
            const Expr yes[2] = {condition, x}, no[2] = {pool.negation(condition), y};
            const Expr either[2] = {pool.all_of(yes), pool.all_of(no)};
            r.elements.emplace_back(x == y ? x : pool.any_of(either));
        } else {
            r.elements.emplace_back(pool.choose(condition, then.expr(k), otherwise.expr(k)));
        }
    }
    return r;
}

}  // namespace cutset::objects
