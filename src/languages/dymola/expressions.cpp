// Expressions. Precedence, weakest first: or, and, not, relations, + -, * /, sign, ** ^ (right to left), then
// ' and [ ]. Chains of one precedence are one node, so that long sums do not nest. Each level returns the
// very variable that it took from the level below, so that what stands alone is never moved.
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

// An expression of that kind, from there to here, whose first argument is this one.
Expression Parser::around(Expression first, ExpressionKind kind, std::uint32_t begin) const {
    Expression e = make(kind, begin);
    e.arguments.reserve(2);
    e.arguments.push_back(std::move(first));
    return e;
}

Expression Parser::expression() {
    Expression e = conjunction();
    if (!is(Word::Or) && !is(Symbol::OrOr)) return e;
    const std::uint32_t begin = e.where.begin;
    std::vector<Expression> parts;
    parts.push_back(std::move(e));
    for (;;) {
        if (is(Symbol::OrOr))
            report(foreign_operator(span(now()), "||", "or"));
        else if (!is(Word::Or))
            break;
        advance();
        parts.push_back(conjunction());
    }
    e = make(ExpressionKind::Or, begin);
    e.arguments = std::move(parts);
    return e;
}

Expression Parser::conjunction() {
    Expression e = negation();
    if (!is(Word::And) && !is(Symbol::AndAnd)) return e;
    const std::uint32_t begin = e.where.begin;
    std::vector<Expression> parts;
    parts.push_back(std::move(e));
    for (;;) {
        if (is(Symbol::AndAnd))
            report(foreign_operator(span(now()), "&&", "and"));
        else if (!is(Word::And))
            break;
        advance();
        parts.push_back(negation());
    }
    e = make(ExpressionKind::And, begin);
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
    Expression e = relation();
    if (negated) e = around(std::move(e), ExpressionKind::Not, begin);
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
    Expression e = sum();
    const char* op = operator_here();
    if (!op) return e;
    if (is(Symbol::EqualEqual)) report(foreign_operator(span(now()), "==", "="));
    if (is(Symbol::BangEqual)) report(foreign_operator(span(now()), written(now()), "<>"));
    advance();
    const std::uint32_t begin = e.where.begin;
    Expression right = sum();
    if (operator_here()) fail(comparison_chain(span(now())));
    e = around(std::move(e), ExpressionKind::Relation, begin);
    e.text = op;
    e.arguments.push_back(std::move(right));
    return e;
}

Expression Parser::sum() {
    Expression e = product();
    const auto goes_on = [&] {
        if (!is(Symbol::Plus) && !is(Symbol::Minus)) return false;
        // In a list ` -3` is the next value, while `- 3`, ` - 3` and `-3` directly after something subtract.
        return !(mode_.sign_ends && now().blank_before && !ahead(1).blank_before);
    };
    if (!goes_on()) return e;
    const std::uint32_t begin = e.where.begin;
    std::string operators;
    std::vector<Expression> terms;
    terms.reserve(2);
    if (e.kind == ExpressionKind::Negate) {
        operators += '-';
        terms.push_back(std::move(e.arguments[0]));
    } else {
        operators += '+';
        terms.push_back(std::move(e));
    }
    while (goes_on()) {
        operators += is(Symbol::Plus) ? '+' : '-';
        advance();
        terms.push_back(product());
    }
    e = make(ExpressionKind::Sum, begin);
    e.text = std::move(operators);
    e.arguments = std::move(terms);
    return e;
}

Expression Parser::product() {
    Expression e = signed_factor();
    const auto goes_on = [&] { return is(Symbol::Star) || (is(Symbol::Slash) && !mode_.slash_ends); };
    if (!goes_on()) return e;
    const std::uint32_t begin = e.where.begin;
    std::string operators = "*";
    std::vector<Expression> factors;
    factors.reserve(2);
    factors.push_back(std::move(e));
    while (goes_on()) {
        operators += is(Symbol::Star) ? '*' : '/';
        advance();
        factors.push_back(signed_factor());
    }
    e = make(ExpressionKind::Product, begin);
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
    Expression e = power();
    if (negative) e = around(std::move(e), ExpressionKind::Negate, begin);
    return e;
}

Expression Parser::power() {
    Expression e = postfix();
    if (!is(Symbol::Power)) return e;
    advance();
    const Deeper deeper(*this);
    const std::uint32_t begin = e.where.begin;
    Expression exponent = signed_factor();
    e = around(std::move(e), ExpressionKind::Power, begin);
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
            e = around(std::move(e), ExpressionKind::Derivative, begin);
            e.number = order;
        } else if (is(Symbol::LeftSquare) && !now().blank_before && !indexed &&
                   e.kind != ExpressionKind::Number) {
            indexed = true;  // x[1][2] is not of the language
            std::vector<Expression> list = indices();
            e = around(std::move(e), ExpressionKind::Index, begin);
            for (Expression& i : list) e.arguments.push_back(std::move(i));
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
            // `terminal` is a word of declarations, too.
            if (is(Word::Terminal) && ahead(1).symbol == Symbol::LeftRound &&
                ahead(2).symbol == Symbol::RightRound) {
                const Token t = now();
                advance();
                advance();
                advance();
                Expression e = make(ExpressionKind::Call, t.begin);
                e.text = "terminal";
                return e;
            }
            break;
        case TokenKind::Symbol:
            if (is(Symbol::LeftRound)) return bracketed();
            if (is(Symbol::LeftSquare)) return array();
            if (is(Symbol::Dot)) fail(dot_outside_cut(span(now())));
            if (is(Symbol::Question)) {  // R = ?: a parameter that the initial conditions determine
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
    Expression e = expression();
    if (is(Symbol::RightRound)) {
        advance();
        e.where = span_from(opening.begin);
        return e;
    }
    if (!is(Symbol::Comma) && !(starts_operand() && now().blank_before)) close(Symbol::RightRound, opening);
    // (a, b, c) is a vector.
    std::vector<Expression> elements;
    elements.push_back(std::move(e));
    while (take(Symbol::Comma) || (starts_operand() && now().blank_before)) elements.push_back(expression());
    close(Symbol::RightRound, opening);
    e = make(ExpressionKind::Array, opening.begin);
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
    Mode ends;
    ends.colon_ends = true;
    const WithMode mode(*this, ends);
    std::vector<Expression> out;
    out.push_back(index());
    while (take(Symbol::Comma) || (starts_operand() && now().blank_before)) out.push_back(index());
    close(Symbol::RightSquare, opening);
    return out;
}

// i, i:k or : alone
Expression Parser::index() {
    const std::uint32_t begin = now().begin;
    if (take(Symbol::Colon)) return make(ExpressionKind::Range, begin);
    Expression e = expression();
    if (!take(Symbol::Colon)) return e;
    Expression last = expression();
    e = around(std::move(e), ExpressionKind::Range, begin);
    e.arguments.push_back(std::move(last));
    return e;
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
        else if (is(Symbol::Colon) && tight && name_next && !mode_.colon_ends)
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
    if (clock_operator_ahead() || (next.symbol != Symbol::LeftRound && find_clock(name))) {
        const Clock clock = ticks();
        return clock.condition(span_from(first.begin));
    }
    const bool called = next.symbol == Symbol::LeftRound && (!next.blank_before || !mode_.round_ends);
    if (called)
        if (const int order = derivative_order(name)) return derivative(order);
    Expression e = make(ExpressionKind::Reference, first.begin);
    if (called) {
        advance();
        e.kind = ExpressionKind::Call;
        e.text = name;
        e.arguments = call_arguments();
        e.where = span_from(first.begin);
    } else if (name == "true" || name == "false") {
        advance();
        e.kind = ExpressionKind::Truth;
        e.number = name == "true";
        e.where = span_from(first.begin);
    } else {
        e.reference = reference();
        e.where = e.reference.where;
        if (is(Symbol::LeftRound) && !now().blank_before) fail(call_of_member(span(now())));
    }
    return e;
}

}  // namespace cutset::dymola
