#include "operations/estimation/criterion.h"

#include <algorithm>
#include <cctype>

#include "expr/elementary_functions.h"
#include "operations/estimation/optimize_messages.h"

namespace cutset {

namespace {

using tree::Expression;
using tree::ExpressionKind;

constexpr const char* at_time = "at_time";
constexpr const char* at_end = "at_end";

bool along_time(const Expression& e) {
    return e.kind == ExpressionKind::Call && (e.text == "max" || e.text == "min") && e.arguments.size() == 1;
}

bool is_mark(const Expression& e) {
    return e.kind == ExpressionKind::Call &&
           (e.text == "integral" || e.text == at_time || e.text == at_end || along_time(e));
}

bool has_mark(const Expression& e) {
    return is_mark(e) || std::any_of(e.arguments.begin(), e.arguments.end(), has_mark);
}

// abs, max or min in a sum: an optimum often lies where their branches meet, so that the branches must be
// seen.
bool shows_kink(const Expression& e) {
    switch (e.kind) {
        case ExpressionKind::Call:
            return e.text == "abs" || ((e.text == "max" || e.text == "min") && e.arguments.size() > 1);
        case ExpressionKind::Sum:
        case ExpressionKind::Negate:
            return std::any_of(e.arguments.begin(), e.arguments.end(), shows_kink);
        case ExpressionKind::Product:
            return std::count_if(e.arguments.begin(), e.arguments.end(), shows_kink) == 1 &&
                   std::all_of(e.arguments.begin(), e.arguments.end(), [](const Expression& a) {
                       return a.kind == ExpressionKind::Number || shows_kink(a);
                   });
        default:
            return false;
    }
}

std::optional<double> number_of(const Expression& e) {
    if (e.kind == ExpressionKind::Number) return e.number;
    if (e.kind == ExpressionKind::Negate)
        if (const auto v = number_of(e.arguments[0])) return -*v;
    if (e.kind == ExpressionKind::Sum && e.arguments.size() == 1)
        if (const auto v = number_of(e.arguments[0])) return e.text == "-" ? -*v : *v;
    return std::nullopt;
}

Expression difference(const Expression& left, const Expression& right) {
    Expression e;
    e.kind = ExpressionKind::Sum;
    e.where = left.where;
    e.text = "+-";
    e.arguments = {left, right};
    return e;
}

// "x@5" → "at_time(x, 5)", "(a + b)@end" → "at_end((a + b))". The mark belongs to the name, call or bracket
// before it.
std::string spell_out_marks(std::string text) {
    for (std::size_t at = text.find('@'); at != std::string::npos; at = text.find('@', at)) {
        std::size_t begin = at;
        const auto skip_name = [&] {
            while (begin > 0 && (std::isalnum(static_cast<unsigned char>(text[begin - 1])) ||
                                 std::string_view("_.:]'").find(text[begin - 1]) != std::string_view::npos)) {
                if (text[begin - 1] == ']') {
                    const std::size_t open = text.rfind('[', begin - 1);
                    if (open == std::string::npos) return;
                    begin = open;
                } else {
                    --begin;
                }
            }
        };
        while (begin > 0 && text[begin - 1] == ' ') --begin;
        if (begin > 0 && text[begin - 1] == ')') {
            int depth = 0;
            do {
                --begin;
                depth += text[begin] == ')' ? 1 : text[begin] == '(' ? -1 : 0;
            } while (begin > 0 && depth > 0);
        }
        skip_name();
        std::size_t end = at + 1;
        while (end < text.size() && text[end] == ' ') ++end;
        const std::size_t first = end;
        while (end < text.size() &&
               (std::isalnum(static_cast<unsigned char>(text[end])) || text[end] == '.' ||
                ((text[end] == '+' || text[end] == '-') && (text[end - 1] == 'e' || text[end - 1] == 'E') &&
                 text.compare(first, 3, "end") != 0)))
            ++end;
        const std::string what = text.substr(begin, at - begin), when = text.substr(first, end - first);
        std::string call = when == "end" ? std::string(at_end) + "(" + what + ")"
                                         : std::string(at_time) + "(" + what + ", " + when + ")";
        text = text.substr(0, begin) + call + text.substr(end);
        at = begin + call.size();
    }
    return text;
}

}  // namespace

std::optional<Expression> Criteria::parse(const std::string& option, const std::string& text) {
    if (text.empty()) {
        workspace_.diagnostics.report(optimize_messages::empty_expression(option));
        return std::nullopt;
    }
    return workspace_.text.parse_expression(option, spell_out_marks(text), workspace_.diagnostics);
}

std::string Criteria::text_of(const Expression& e) const {
    std::string text(workspace_.text.sources().text(e.where));
    return text.empty() ? "expression" : text;
}

std::string Criteria::quantity(const Expression& of, bool integral, const std::string& text) {
    const std::string name = "#" + std::string(integral ? "integral of " : "") + text;
    for (const Experiment::Quantity& q : experiment_.quantities)
        if (q.name == name) return name;
    using Kind = Experiment::Quantity::Kind;
    experiment_.quantities.push_back({name, of, integral ? Kind::Integral : Kind::Value});
    return name;
}

Expr Criteria::measure(Measure::Kind kind, double time, const Expression& of, bool integral,
                       const std::string& text) {
    const std::string name = quantity(of, integral, text_of(of));
    for (std::size_t k = 0; k < measures_.size(); ++k)
        if (measures_[k].kind == kind && measures_[k].time == time && measures_[k].quantity == name)
            return pool_->variable(VariableIndex(k));
    measures_.push_back({kind, time, name, text});
    return pool_->variable(VariableIndex(measures_.size() - 1));
}

Expr Criteria::build(const Expression& e, const std::string& option) {
    const auto refuse = [&](Diagnostic d) -> Expr {
        workspace_.diagnostics.report(std::move(d));
        return nullptr;
    };
    if (is_mark(e)) {
        if (e.arguments.empty() || has_mark(e.arguments[0]))
            return refuse(optimize_messages::marks_nested(e.where, option));
        const Expression& of = e.arguments[0];
        const std::string inner = text_of(of);
        if (e.text == "integral") {
            if (still_) return refuse(optimize_messages::no_run(e.where, option));
            return measure(Measure::Kind::End, 0, of, true, "integral(" + inner + ")");
        }
        if (still_ || e.text == at_end) return measure(Measure::Kind::End, 0, of, false, inner);
        if (e.text == at_time) {
            const auto t = e.arguments.size() == 2 ? number_of(e.arguments[1]) : std::nullopt;
            if (!t) return refuse(optimize_messages::bad_mark(e.where, option));
            return measure(Measure::Kind::At, *t, of, false, inner + "@" + number_text(*t));
        }
        return measure(e.text == "max" ? Measure::Kind::Maximum : Measure::Kind::Minimum, 0, of, false,
                       e.text + "(" + inner + ")");
    }
    if (const auto v = number_of(e)) return pool_->number(*v);
    if (!has_mark(e) && !shows_kink(e)) return measure(Measure::Kind::End, 0, e, false, text_of(e));
    std::vector<Expr> parts;
    for (const Expression& argument : e.arguments) {
        parts.push_back(build(argument, option));
        if (!parts.back()) return nullptr;
    }
    switch (e.kind) {
        case ExpressionKind::Sum:
            for (std::size_t k = 0; k < parts.size(); ++k)
                if (e.text[k] == '-') parts[k] = pool_->negate(parts[k]);
            return pool_->add(parts);
        case ExpressionKind::Product: {
            Expr product = parts[0];
            for (std::size_t k = 1; k < parts.size(); ++k)
                product =
                    e.text[k] == '/' ? pool_->divide(product, parts[k]) : pool_->multiply(product, parts[k]);
            return product;
        }
        case ExpressionKind::Power:
            return pool_->power(parts[0], parts[1]);
        case ExpressionKind::Negate:
            return pool_->negate(parts[0]);
        case ExpressionKind::Call:
            if (const ElementaryFunction* f = find_elementary_function(e.text);
                f && f->takes(parts.size()) && !f->jumps)
                return pool_->call(f->op, parts);
            break;
        default:
            break;
    }
    return refuse(optimize_messages::marks_inside(e.where, option));
}

std::optional<Criterion> Criteria::value(const std::string& option, const std::string& text) {
    const auto e = parse(option, text);
    if (!e) return std::nullopt;
    if (e->kind == ExpressionKind::Relation) {
        workspace_.diagnostics.report(optimize_messages::not_a_number(e->where, option));
        return std::nullopt;
    }
    Criterion c;
    c.text = text;
    c.value = build(*e, option);
    if (!c.value) return std::nullopt;
    return c;
}

std::optional<Limit> Criteria::limit(const std::string& option, const std::string& text, bool end_only) {
    Limit limit;
    limit.text = text;
    std::string rest = text;
    bool always = false;
    const std::size_t colon = rest.find(':');
    if (colon != std::string::npos && rest.compare(colon, 2, "::") != 0) {
        std::string word = rest.substr(0, colon);
        std::erase(word, ' ');
        if (word == "always" || word == "end") {
            always = word == "always";
            end_only = end_only || word == "end";
            rest = rest.substr(colon + 1);
        }
    }
    const auto e = parse(option, rest);
    if (!e) return std::nullopt;
    if (e->kind != ExpressionKind::Relation || e->text == "<>") {
        workspace_.diagnostics.report(optimize_messages::no_limit(e->where, option, text));
        return std::nullopt;
    }
    const bool marked = has_mark(*e);
    Expression left = e->arguments[0];
    const Expression& right = e->arguments[1];
    std::string relation = e->text;
    double bound = 0;
    if (const auto r = number_of(right)) {
        bound = *r;
    } else if (const auto l = number_of(left)) {
        bound = *l;
        left = right;
        relation = relation == "<"    ? ">"
                   : relation == "<=" ? ">="
                   : relation == ">"  ? "<"
                   : relation == ">=" ? "<="
                                      : relation;
    } else {
        left = difference(left, right);
        left.where = e->where;
    }
    if (relation == "<" || relation == "<=" || relation == "=") limit.upper = bound;
    if (relation == ">" || relation == ">=" || relation == "=") limit.lower = bound;
    limit.left = text_of(left);
    if (always && marked) {
        workspace_.diagnostics.report(optimize_messages::marks_nested(e->where, option));
        return std::nullopt;
    }
    if (!marked && !end_only && !still_) {
        if (relation == "=") {
            workspace_.diagnostics.report(optimize_messages::equation_along_run(e->where, option, text));
            return std::nullopt;
        }
        limit.along = quantity(left, false, limit.left);
        return limit;
    }
    limit.value.text = text;
    limit.value.value = build(left, option);
    if (!limit.value.value) return std::nullopt;
    return limit;
}

std::optional<std::string> Criteria::only_maximum(const Criterion& c) const {
    if (c.value->op != Op::Variable) return std::nullopt;
    const Measure& m = measures_[c.value->index];
    if (m.kind != Measure::Kind::Maximum) return std::nullopt;
    return m.quantity;
}

}  // namespace cutset
