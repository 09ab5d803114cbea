#include "languages/simnon/expression_parser.h"

#include <algorithm>
#include <array>

#include "expr/elementary_functions.h"
#include "languages/simnon/messages.h"
#include "languages/simnon/walk.h"

namespace cutset::simnon {

namespace {

using Kind = tree::ExpressionKind;

const ElementaryFunction* find_function(std::string_view name) {
    for (const ElementaryFunction& f : elementary_functions)
        if (f.simnon && same_letters(f.simnon, name)) return &f;
    return nullptr;
}

bool boolean(const tree::Expression& e) {
    switch (e.kind) {
        case Kind::Relation:
        case Kind::And:
        case Kind::Or:
        case Kind::Not:
            return true;
        case Kind::If:
            return boolean(e.arguments[1]);
        default:
            return false;
    }
}

tree::Expression with(Kind kind, Span where, std::vector<tree::Expression> arguments, std::string text = "") {
    tree::Expression e;
    e.kind = kind;
    e.where = where;
    e.text = std::move(text);
    e.arguments = std::move(arguments);
    return e;
}

// Appends an operand to a list such as a sum.
template <class E>
std::vector<tree::Expression> list(E&& first) {
    std::vector<tree::Expression> v;
    v.push_back(std::forward<E>(first));
    return v;
}

}  // namespace

bool reserved_word(std::string_view name) {
    static constexpr std::array<std::string_view, 20> words = {
        "CONTINUOUS", "DISCRETE", "CONNECTING", "SYSTEM",  "TIME", "STATE", "DER",  "NEW",  "TSAMP", "INPUT",
        "OUTPUT",     "INITIAL",  "DYNAMICS",   "CONNECT", "END",  "IF",    "THEN", "ELSE", "AND",   "OR"};
    return same_letters(name, "NOT") ||
           std::any_of(words.begin(), words.end(), [&](std::string_view w) { return same_letters(w, name); });
}

bool function_name(std::string_view name) {
    return find_function(name) != nullptr;
}

tree::Expression as_number(tree::Expression e) {
    if (!boolean(e)) return e;
    const Span where = e.where;
    if (e.kind == Kind::If) {  // all its values are conditions
        for (std::size_t i = 1; i < e.arguments.size(); i += 2) e.arguments[i] = as_number(e.arguments[i]);
        e.arguments.back() = as_number(e.arguments.back());
        return e;
    }
    std::vector<tree::Expression> parts = list(std::move(e));
    parts.push_back(number(1, where));
    parts.push_back(number(0, where));
    return with(Kind::If, where, std::move(parts));
}

tree::Expression as_condition(tree::Expression e) {
    if (boolean(e)) return e;
    const Span where = e.where;
    std::vector<tree::Expression> parts = list(std::move(e));
    parts.push_back(number(0.5, where));
    return with(Kind::Relation, where, std::move(parts), ">=");
}

ExpressionParser::Result ExpressionParser::parse() {
    Result e = expression();
    if (!e) return e;
    if (now().kind != TokenKind::End) {
        if (is(")")) return fail(missing_left_parenthesis(now().where, "", true));
        if (word("THEN") || word("ELSE")) return fail(missing_operand(now().where, upper(now().text)));
        return fail(missing_operator(now().where, now().text));
    }
    return as_number(std::move(*e));
}

// ELSE IF is a list, however long; depth grows with brackets and conditions inside conditions only.
ExpressionParser::Result ExpressionParser::expression() {
    if (!word("IF")) return disjunction();
    if (++depth_ > nesting_limit) return fail(too_deep(now().where));
    const Span begin = now().where;
    std::vector<tree::Expression> parts;
    bool all_boolean = true;
    Result otherwise;
    while (word("IF")) {
        ++at_;
        Result condition = expression();
        if (!condition) return condition;
        if (!word("THEN")) {
            if (is(")")) return fail(missing_left_parenthesis(now().where, "", true));
            if (now().kind == TokenKind::End || word("ELSE")) return fail(missing_then(now().where));
            return fail(missing_operator(now().where, now().text));
        }
        ++at_;
        Result value = expression();
        if (!value) return value;
        if (!word("ELSE")) {
            if (is(")") && depth_ == 1) return fail(missing_left_parenthesis(now().where, "", true));
            if (now().kind == TokenKind::End || is(")") || word("THEN"))
                return fail(missing_else(now().where));
            return fail(missing_operator(now().where, now().text));
        }
        ++at_;
        all_boolean = all_boolean && boolean(*value);
        parts.push_back(as_condition(std::move(*condition)));
        parts.push_back(std::move(*value));
    }
    otherwise = disjunction();
    if (!otherwise) return otherwise;
    all_boolean = all_boolean && boolean(*otherwise);
    parts.push_back(std::move(*otherwise));
    if (!all_boolean) {
        for (std::size_t i = 1; i < parts.size(); i += 2) parts[i] = as_number(std::move(parts[i]));
        parts.back() = as_number(std::move(parts.back()));
    }
    --depth_;
    const Span where = join(begin, parts.back().where);
    return with(Kind::If, where, std::move(parts));
}

ExpressionParser::Result ExpressionParser::disjunction() {
    Result first = conjunction();
    if (!first || !word("OR")) return first;
    std::vector<tree::Expression> parts = list(as_condition(std::move(*first)));
    while (word("OR")) {
        ++at_;
        Result next = conjunction();
        if (!next) return next;
        parts.push_back(as_condition(std::move(*next)));
    }
    const Span where = join(parts.front().where, parts.back().where);
    return with(Kind::Or, where, std::move(parts));
}

ExpressionParser::Result ExpressionParser::conjunction() {
    Result first = negation();
    if (!first || !word("AND")) return first;
    std::vector<tree::Expression> parts = list(as_condition(std::move(*first)));
    while (word("AND")) {
        ++at_;
        Result next = negation();
        if (!next) return next;
        parts.push_back(as_condition(std::move(*next)));
    }
    const Span where = join(parts.front().where, parts.back().where);
    return with(Kind::And, where, std::move(parts));
}

ExpressionParser::Result ExpressionParser::negation() {
    if (!word("NOT")) return relation();
    const Span begin = now().where;
    bool negative = false;
    while (word("NOT")) {
        ++at_;
        negative = !negative;
    }
    Result e = relation();
    if (!e) return e;
    tree::Expression condition = as_condition(std::move(*e));
    if (!negative) return condition;
    const Span where = join(begin, condition.where);
    return with(Kind::Not, where, list(std::move(condition)));
}

ExpressionParser::Result ExpressionParser::relation() {
    Result left = sum();
    if (!left || !(is("<") || is(">"))) return left;
    const std::string sign(now().text);
    ++at_;
    Result right = sum();
    if (!right) return right;
    if (is("<") || is(">")) return fail(relation_chain(now().where));
    const Span where = join(left->where, right->where);
    std::vector<tree::Expression> parts = list(as_number(std::move(*left)));
    parts.push_back(as_number(std::move(*right)));
    return with(Kind::Relation, where, std::move(parts), sign);
}

ExpressionParser::Result ExpressionParser::sum() {
    const Span begin = now().where;
    char sign = '+';
    const bool leading = is("+") || is("-");
    if (leading) sign = tokens_[at_++].text[0];
    Result first = term();
    if (!first) return first;
    if (sign == '+' && !is("+") && !is("-")) return first;
    if (sign == '-' && !is("+") && !is("-")) {
        tree::Expression operand = as_number(std::move(*first));
        const Span where = join(begin, operand.where);
        return with(Kind::Negate, where, list(std::move(operand)));
    }
    std::vector<tree::Expression> parts = list(as_number(std::move(*first)));
    std::string operators(1, sign);
    while (is("+") || is("-")) {
        operators += now().text[0];
        ++at_;
        Result next = term();
        if (!next) return next;
        parts.push_back(as_number(std::move(*next)));
    }
    const Span where = join(begin, parts.back().where);
    tree::Expression e = with(Kind::Sum, where, std::move(parts));
    e.text = std::move(operators);
    return e;
}

ExpressionParser::Result ExpressionParser::term() {
    Result first = power();
    if (!first || !(is("*") || is("/"))) return first;
    std::vector<tree::Expression> parts = list(as_number(std::move(*first)));
    std::string operators = "*";
    while (is("*") || is("/")) {
        operators += now().text[0];
        ++at_;
        Result next = power();
        if (!next) return next;
        parts.push_back(as_number(std::move(*next)));
    }
    const Span where = join(parts.front().where, parts.back().where);
    tree::Expression e = with(Kind::Product, where, std::move(parts));
    e.text = std::move(operators);
    return e;
}

ExpressionParser::Result ExpressionParser::power() {
    Result base = primary();
    int levels = 0;
    while (base && is("^")) {
        if (depth_ + ++levels > nesting_limit) return fail(too_deep(now().where));
        ++at_;
        Result exponent = primary();
        if (!exponent) return exponent;
        const Span where = join(base->where, exponent->where);
        std::vector<tree::Expression> parts = list(as_number(std::move(*base)));
        parts.push_back(as_number(std::move(*exponent)));
        base = with(Kind::Power, where, std::move(parts));
    }
    return base;
}

ExpressionParser::Result ExpressionParser::primary() {
    const Token& token = now();
    if (token.kind == TokenKind::Number) {
        ++at_;
        return number(token.number, token.where);
    }
    if (is("-") || is("+")) {  // 2*-3, 10^-2
        if (++depth_ > nesting_limit) return fail(too_deep(token.where));
        const bool negative = is("-");
        ++at_;
        Result e = primary();
        --depth_;
        if (!e || !negative) return e;
        tree::Expression operand = as_number(std::move(*e));
        const Span where = join(token.where, operand.where);
        return with(Kind::Negate, where, list(std::move(operand)));
    }
    if (is("(")) {
        if (++depth_ > nesting_limit) return fail(too_deep(token.where));
        ++at_;
        Result e = expression();
        if (!e) return e;
        if (!is(")")) {
            if (now().kind == TokenKind::End || word("THEN") || word("ELSE") || is("]") || is(","))
                return fail(missing_right_parenthesis(now().where, token.where));
            return fail(missing_operator(now().where, now().text));
        }
        --depth_;
        e->where = join(token.where, now().where);
        ++at_;
        return e;
    }
    if (token.kind == TokenKind::Name) {
        if (same_letters(token.text, "IF")) return fail(if_needs_brackets(token.where));
        if (same_letters(token.text,
                         "NOT")) {  // NOT in an operand: (NOT a) + b is rare, a + NOT b is not meant
            return fail(missing_operand(token.where, "NOT"));
        }
        if (reserved_word(token.text)) return fail(missing_operand(token.where, upper(token.text)));
        ++at_;
        if (function_name(token.text)) return call(token);
        return reference(token);
    }
    return fail(missing_operand(token.where, token.text));
}

ExpressionParser::Result ExpressionParser::call(const Token& name) {
    const ElementaryFunction& function = *find_function(name.text);
    if (!is("(")) return fail(missing_left_parenthesis(now().where, function.simnon, false));
    const Span opening = now().where;
    if (++depth_ > nesting_limit) return fail(too_deep(opening));
    ++at_;
    std::vector<tree::Expression> arguments;
    for (;;) {
        Result e = expression();
        if (!e) return e;
        arguments.push_back(as_number(std::move(*e)));
        if (!is(",")) break;
        ++at_;
    }
    if (!is(")")) {
        if (now().kind == TokenKind::Name || now().kind == TokenKind::Number)
            if (!word("THEN") && !word("ELSE")) return fail(missing_operator(now().where, now().text));
        return fail(missing_right_parenthesis(now().where, opening));
    }
    const Span where = join(name.where, now().where);
    if (arguments.size() != function.arguments)
        return fail(wrong_argument_count(where, function.simnon, function.arguments, arguments.size()));
    ++at_;
    --depth_;
    return with(Kind::Call, where, std::move(arguments), std::string(function.name));
}

// v, v[SYSTEM], or v(SYSTEM) as some listings have it.
ExpressionParser::Result ExpressionParser::reference(const Token& name) {
    if (!is("[") && !is("(")) return lookup_(name, nullptr);
    const bool square = is("[");
    const Token& other = tokens_[at_ + 1];
    if (other.kind == TokenKind::Name && !reserved_word(other.text) && (square || outside_)) {
        const Token& closing = tokens_[at_ + 2];
        if (closing.kind == TokenKind::Symbol && closing.text == (square ? "]" : ")")) {
            at_ += 3;
            return lookup_(name, &other);
        }
    }
    if (square) return fail(missing_bracket(other.where));
    std::vector<std::string> names;
    for (const ElementaryFunction& f : elementary_functions)
        if (f.simnon) names.emplace_back(f.simnon);
    return fail(unknown_function(name.where, name.text, nearest_name(upper(name.text), names)));
}

}  // namespace cutset::simnon
