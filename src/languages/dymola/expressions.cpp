// Expressions. Precedence, weakest first: or, and, not, relations, + -, * /, sign, ** ^ (right to left), then
// ' and [ ]. Chains of one precedence are one node, so that long sums do not nest.
#include <charconv>
#include <cmath>

#include "languages/dymola/messages.h"
#include "languages/dymola/parser.h"

namespace cutset::dymola {

using tree::Expression;
using tree::ExpressionKind;

namespace {

constexpr int highest_derivative = 9;

}  // namespace

Expression Parser::make(ExpressionKind kind, std::uint32_t begin) const {
    Expression e;
    e.kind = kind;
    e.where = span_from(begin);
    return e;
}

Expression Parser::expression() {
    Expression first = conjunction();
    if (!is(Word::Or) && !is(Symbol::OrOr)) return first;
    const std::uint32_t begin = first.where.begin;
    std::vector<Expression> parts;
    parts.push_back(std::move(first));
    for (;;) {
        if (is(Symbol::OrOr))
            report(foreign_operator(span(now()), "||", "or"));
        else if (!is(Word::Or))
            break;
        advance();
        parts.push_back(conjunction());
    }
    Expression e = make(ExpressionKind::Or, begin);
    e.arguments = std::move(parts);
    return e;
}

Expression Parser::conjunction() {
    Expression first = negation();
    if (!is(Word::And) && !is(Symbol::AndAnd)) return first;
    const std::uint32_t begin = first.where.begin;
    std::vector<Expression> parts;
    parts.push_back(std::move(first));
    for (;;) {
        if (is(Symbol::AndAnd))
            report(foreign_operator(span(now()), "&&", "and"));
        else if (!is(Word::And))
            break;
        advance();
        parts.push_back(negation());
    }
    Expression e = make(ExpressionKind::And, begin);
    e.arguments = std::move(parts);
    return e;
}

Expression Parser::negation() {
    const std::uint32_t begin = now().begin;
    bool negated = false;
    for (;;) {
        if (is(Symbol::Bang))
            report(foreign_operator(span(now()), written(now()), "not"));
        else if (!is(Word::Not))
            break;
        advance();
        negated = !negated;
    }
    Expression operand = relation();
    if (!negated) return operand;
    Expression e = make(ExpressionKind::Not, begin);
    e.arguments.push_back(std::move(operand));
    return e;
}

Expression Parser::relation() {
    const auto operator_here = [&]() -> const char* {
        switch (now().symbol) {
            case Symbol::Less:
                return "<";
            case Symbol::LessEqual:
                return "<=";
            case Symbol::Greater:
                return ">";
            case Symbol::GreaterEqual:
                return ">=";
            case Symbol::NotEqual:
                return "<>";
            case Symbol::BangEqual:
                return "<>";
            case Symbol::Equal:
            case Symbol::EqualEqual:
                return mode_.equal_is_relation ? "=" : nullptr;
            default:
                return nullptr;
        }
    };
    Expression left = sum();
    const char* op = operator_here();
    if (!op) return left;
    if (is(Symbol::EqualEqual)) report(foreign_operator(span(now()), "==", "="));
    if (is(Symbol::BangEqual)) report(foreign_operator(span(now()), written(now()), "<>"));
    advance();
    const std::uint32_t begin = left.where.begin;
    Expression right = sum();
    if (operator_here()) fail(comparison_chain(span(now())));
    Expression e = make(ExpressionKind::Relation, begin);
    e.text = op;
    e.arguments.reserve(2);
    e.arguments.push_back(std::move(left));
    e.arguments.push_back(std::move(right));
    return e;
}

Expression Parser::sum() {
    Expression first = product();
    const auto goes_on = [&] {
        if (!is(Symbol::Plus) && !is(Symbol::Minus)) return false;
        // In a list ` -3` is the next value, while `- 3`, ` - 3` and `-3` directly after something subtract.
        return !(mode_.sign_ends && now().blank_before && !ahead(1).blank_before);
    };
    if (!goes_on()) return first;
    const std::uint32_t begin = first.where.begin;
    std::string operators;
    std::vector<Expression> terms;
    if (first.kind == ExpressionKind::Negate) {
        operators += '-';
        Expression operand = std::move(first.arguments[0]);
        terms.push_back(std::move(operand));
    } else {
        operators += '+';
        terms.push_back(std::move(first));
    }
    while (goes_on()) {
        operators += is(Symbol::Plus) ? '+' : '-';
        advance();
        terms.push_back(product());
    }
    Expression e = make(ExpressionKind::Sum, begin);
    e.text = std::move(operators);
    e.arguments = std::move(terms);
    return e;
}

Expression Parser::product() {
    Expression first = signed_factor();
    const auto goes_on = [&] { return is(Symbol::Star) || (is(Symbol::Slash) && !mode_.slash_ends); };
    if (!goes_on()) return first;
    const std::uint32_t begin = first.where.begin;
    std::string operators = "*";
    std::vector<Expression> factors;
    factors.push_back(std::move(first));
    while (goes_on()) {
        operators += is(Symbol::Star) ? '*' : '/';
        advance();
        factors.push_back(signed_factor());
    }
    Expression e = make(ExpressionKind::Product, begin);
    e.text = std::move(operators);
    e.arguments = std::move(factors);
    return e;
}

Expression Parser::signed_factor() {
    const std::uint32_t begin = now().begin;
    bool negative = false;
    while (is(Symbol::Minus) || is(Symbol::Plus)) {
        if (is(Symbol::Minus)) negative = !negative;
        advance();
    }
    Expression operand = power();
    if (!negative) return operand;
    Expression e = make(ExpressionKind::Negate, begin);
    e.arguments.push_back(std::move(operand));
    return e;
}

Expression Parser::power() {
    Expression base = postfix();
    if (!is(Symbol::Power)) return base;
    advance();
    const Deeper deeper(*this);
    const std::uint32_t begin = base.where.begin;
    Expression exponent = signed_factor();
    Expression e = make(ExpressionKind::Power, begin);
    e.arguments.reserve(2);
    e.arguments.push_back(std::move(base));
    e.arguments.push_back(std::move(exponent));
    return e;
}

Expression Parser::postfix() {
    Expression e = primary();
    const std::uint32_t begin = e.where.begin;
    bool indexed = false;
    for (;;) {
        if (is(Symbol::Prime) && !now().blank_before) {
            int order = 0;
            while (is(Symbol::Prime) && !now().blank_before) {
                ++order;
                advance();
            }
            const bool again = e.kind == ExpressionKind::Derivative && e.arguments.size() == 1;
            if ((again ? e.number : 0) + order > highest_derivative)
                fail(derivative_order_too_high(span_from(begin), highest_derivative));
            if (again) {
                e.number += order;
                e.where = span_from(begin);
                continue;
            }
            Expression d = make(ExpressionKind::Derivative, begin);
            d.number = order;
            d.arguments.push_back(std::move(e));
            e = std::move(d);
        } else if (is(Symbol::LeftSquare) && !now().blank_before && !indexed &&
                   e.kind != ExpressionKind::Number) {
            indexed = true;  // x[1][2] is not of the language
            Expression x = make(ExpressionKind::Index, begin);
            std::vector<Expression> list = indices();
            x.where = span_from(begin);
            x.arguments.reserve(list.size() + 1);
            x.arguments.push_back(std::move(e));
            for (Expression& i : list) x.arguments.push_back(std::move(i));
            e = std::move(x);
        } else {
            return e;
        }
    }
}

bool Parser::starts_operand() const {
    return is(TokenKind::Name) || is(TokenKind::Number) || is(TokenKind::Text) || is(Symbol::LeftRound) ||
           is(Symbol::LeftSquare);
}

Expression Parser::primary() {
    switch (now().kind) {
        case TokenKind::Number:
            return number();
        case TokenKind::Name:
            return name_expression();
        case TokenKind::Text: {
            const Token t = now();
            advance();
            Expression e = make(ExpressionKind::Text, t.begin);
            e.text = text_value(t);
            return e;
        }
        case TokenKind::Keyword:
            if (is(Word::If)) {
                // An `if` that nothing can follow was meant as a name.
                const Token& next = ahead(1);
                const bool operand = next.kind != TokenKind::Symbol || next.symbol == Symbol::LeftRound ||
                                     next.symbol == Symbol::LeftSquare || next.symbol == Symbol::Minus ||
                                     next.symbol == Symbol::Plus || next.symbol == Symbol::Bang;
                if (operand && next.kind != TokenKind::Separator && next.kind != TokenKind::End)
                    return if_expression();
            }
            break;
        case TokenKind::Symbol:
            if (is(Symbol::LeftRound)) return bracketed();
            if (is(Symbol::LeftSquare)) return array();
            if (is(Symbol::Dot)) fail(dot_outside_cut(span(now())));
            if (is(Symbol::Question)) {  // R = ?: a parameter that the conditions at the start determine
                const Token t = now();
                advance();
                Expression e = make(ExpressionKind::Call, t.begin);
                e.text = "?";
                return e;
            }
            break;
        default:
            break;
    }
    unexpected(is(TokenKind::Keyword) ? operand_wanted : "a value");
}

Expression Parser::number() {
    const Token t = now();
    advance();
    Expression e = make(ExpressionKind::Number, t.begin);
    const std::string_view digits = written(t);
    if (t.malformed) {
        report(malformed_number(span(t), digits));
        return e;
    }
    const auto result = std::from_chars(digits.data(), digits.data() + digits.size(), e.number);
    if (result.ec == std::errc::result_out_of_range) {
        // Too small is 0, too large is refused.
        const std::size_t exponent = digits.find_first_of("eE");
        const bool small = exponent != std::string_view::npos && digits.substr(exponent + 1, 1) == "-";
        e.number = 0;
        if (!small) report(number_out_of_range(span(t), digits));
    }
    return e;
}

Expression Parser::bracketed() {
    const Token opening = now();
    advance();
    const Deeper deeper(*this);
    const WithMode mode(*this, Mode{});
    Expression first = expression();
    if (is(Symbol::RightRound)) {
        advance();
        first.where = span_from(opening.begin);
        return first;
    }
    if (!is(Symbol::Comma) && !(starts_operand() && now().blank_before)) close(Symbol::RightRound, opening);
    // (a, b, c) is a vector.
    std::vector<Expression> elements;
    elements.push_back(std::move(first));
    while (take(Symbol::Comma) || (starts_operand() && now().blank_before)) elements.push_back(expression());
    close(Symbol::RightRound, opening);
    Expression e = make(ExpressionKind::Array, opening.begin);
    e.arguments = std::move(elements);
    return e;
}

// [1, 2, 3], [[1, 2], [3, 4]] or [1, 2; 3, 4]
Expression Parser::array() {
    const Token opening = now();
    advance();
    const Deeper deeper(*this);
    Mode list;
    list.square_ends = list.round_ends = list.sign_ends = true;
    const WithMode mode(*this, list);
    std::vector<std::vector<Expression>> rows(1);
    const auto signed_next = [&] { return (is(Symbol::Minus) || is(Symbol::Plus)) && now().blank_before; };
    if (!is(Symbol::RightSquare)) {
        rows.back().push_back(expression());
        for (;;) {
            if (take(Symbol::Semicolon))
                rows.emplace_back();
            else if (!take(Symbol::Comma) && !(starts_operand() && now().blank_before) && !signed_next())
                break;
            rows.back().push_back(expression());
        }
    }
    close(Symbol::RightSquare, opening);
    Expression e = make(ExpressionKind::Array, opening.begin);
    if (rows.size() == 1) {
        e.arguments = std::move(rows[0]);
        return e;
    }
    for (std::vector<Expression>& row : rows) {
        Expression r = make(ExpressionKind::Array, opening.begin);
        r.where = join(row.front().where, row.back().where);
        r.arguments = std::move(row);
        e.arguments.push_back(std::move(r));
    }
    return e;
}

// The condition of an `if`, `when`, `valid` …: `=` compares.
Expression Parser::condition() {
    const WithMode mode(*this, Mode{});
    return expression();
}

Expression Parser::if_expression() {
    const Token opening = now();
    const Deeper deeper(*this);
    std::vector<Expression> arguments;
    advance();
    for (;;) {
        arguments.push_back(condition());
        if (!take(Word::Then)) fail(missing_then(span(now()), "if", span(opening)));
        arguments.push_back(expression());
        if (take(Word::Elseif)) continue;
        if (!take(Word::Else)) fail(if_needs_else(span(opening)));
        if (take(Word::If)) continue;  // else if: the same as elseif
        arguments.push_back(expression());
        break;
    }
    Expression e = make(ExpressionKind::If, opening.begin);
    e.arguments = std::move(arguments);
    return e;
}

std::vector<Expression> Parser::indices() {
    const Token opening = now();
    advance();
    const Deeper deeper(*this);
    const WithMode mode(*this, Mode{});
    std::vector<Expression> out;
    out.push_back(expression());
    while (take(Symbol::Comma) || (starts_operand() && now().blank_before)) out.push_back(expression());
    close(Symbol::RightSquare, opening);
    return out;
}

std::vector<Expression> Parser::call_arguments() {
    const Token opening = now();
    advance();
    const Deeper deeper(*this);
    const WithMode mode(*this, Mode{});
    std::vector<Expression> out;
    if (take(Symbol::RightRound)) return out;
    out.push_back(expression());
    while (take(Symbol::Comma) || (starts_operand() && now().blank_before)) out.push_back(expression());
    close(Symbol::RightRound, opening);
    return out;
}

// a::b[2].v, a:c, a..p
tree::Reference Parser::reference() {
    tree::Reference out;
    const std::uint32_t begin = now().begin;
    tree::Separator before = tree::Separator::None;
    for (;;) {
        tree::ReferencePart part;
        part.before = before;
        part.where = span(now());
        part.name = expect_name("a name");
        if (is(Symbol::LeftSquare) && (!now().blank_before || !mode_.square_ends)) part.indices = indices();
        out.parts.push_back(std::move(part));
        const Token& next = ahead(1);
        // `:` and `.` bind only without blanks: `1 : x` is a label and ` . ` a missing cut variable.
        const bool tight = !now().blank_before && !next.blank_before;
        const bool name_next = next.kind == TokenKind::Name || next.kind == TokenKind::Keyword;
        if (is(Symbol::Dot) && tight && (name_next || next.kind == TokenKind::Bad))
            before = tree::Separator::Variable;
        else if (is(Symbol::Colon) && tight && name_next)
            before = tree::Separator::Cut;
        else if (is(Symbol::DotDot) && name_next)
            before = tree::Separator::Path;
        else if (is(Symbol::ColonColon))
            before = tree::Separator::Submodel;
        else
            break;
        advance();
    }
    out.where = span_from(begin);
    return out;
}

Expression Parser::derivative(int order) {
    const std::uint32_t begin = now().begin;
    advance();
    std::vector<Expression> arguments = call_arguments();
    Expression e = make(ExpressionKind::Derivative, begin);
    if (arguments.empty() || arguments.size() > static_cast<std::size_t>(order) + 1)
        fail(derivative_arguments(e.where, order));
    e.number = order;
    e.arguments = std::move(arguments);
    return e;
}

namespace {

// der, der2, der3 …: the order, or 0 for another name.
int derivative_order(std::string_view name) {
    if (name == "der") return 1;
    if (name.substr(0, 3) != "der" || name.size() != 4 || name[3] < '1' || name[3] > '9') return 0;
    return name[3] - '0';
}

}  // namespace

Expression Parser::name_expression() {
    const Token first = now();
    const std::string_view name = written(first);
    const Token& next = ahead(1);
    const bool called = next.symbol == Symbol::LeftRound && (!next.blank_before || !mode_.round_ends);
    if (called) {
        if (const int order = derivative_order(name)) return derivative(order);
        advance();
        std::vector<Expression> arguments = call_arguments();
        Expression e = make(ExpressionKind::Call, first.begin);
        e.text = name;
        e.arguments = std::move(arguments);
        return e;
    }
    if (name == "true" || name == "false") {
        advance();
        Expression e = make(ExpressionKind::Truth, first.begin);
        e.number = name == "true";
        return e;
    }
    Expression e = make(ExpressionKind::Reference, first.begin);
    e.reference = reference();
    e.where = e.reference.where;
    if (is(Symbol::LeftRound) && !now().blank_before) fail(call_of_member(span(now())));
    return e;
}

}  // namespace cutset::dymola
