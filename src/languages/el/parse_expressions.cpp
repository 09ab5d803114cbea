// Expressions of EL: ** binds stronger than a sign, then * /, + -, relations, NOT, AND, OR.
#include <charconv>
#include <cstdlib>

#include "languages/el/messages.h"
#include "languages/el/parser.h"

namespace cutset::el {

using object::ExpressionKind;
using object::Operator;

Expression Parser::binary(Operator op, Expression a, Expression b) const {
    Expression e;
    e.kind = ExpressionKind::Operation;
    e.op = op;
    e.where = join(a.where, b.where);
    e.arguments.push_back(std::move(a));
    e.arguments.push_back(std::move(b));
    return e;
}

Expression Parser::unary(Operator op, const Token& sign, Expression a) const {
    Expression e;
    e.kind = ExpressionKind::Operation;
    e.op = op;
    e.where = join(span(sign), a.where);
    e.arguments.push_back(std::move(a));
    return e;
}

Expression Parser::expression() {
    const Nesting nesting(*this);
    return disjunction();
}

Expression Parser::disjunction() {
    Expression e = conjunction();
    int length = 0;
    while (accept(Word::Or)) {
        if (++length > chain_limit) unexpected("a shorter expression");
        e = binary(Operator::Or, std::move(e), conjunction());
    }
    return e;
}

Expression Parser::conjunction() {
    Expression e = negation();
    int length = 0;
    while (accept(Word::And)) {
        if (++length > chain_limit) unexpected("a shorter expression");
        e = binary(Operator::And, std::move(e), negation());
    }
    return e;
}

Expression Parser::negation() {
    if (!at(Word::Not)) return relation();
    const Nesting nesting(*this);
    const Token& sign = tokens_[at_++];
    return unary(Operator::Not, sign, negation());
}

Expression Parser::relation() {
    Expression e = sum();
    Operator op;
    switch (now().mark) {
        case Mark::Less:
            op = Operator::Less;
            break;
        case Mark::LessEqual:
            op = Operator::LessEqual;
            break;
        case Mark::Greater:
            op = Operator::Greater;
            break;
        case Mark::GreaterEqual:
            op = Operator::GreaterEqual;
            break;
        case Mark::EqualEqual:
            op = Operator::Equal;
            break;
        case Mark::NotEqual:
            op = Operator::NotEqual;
            break;
        default:
            return e;
    }
    ++at_;
    return binary(op, std::move(e), sum());
}

Expression Parser::sum() {
    Expression e = product();
    int length = 0;
    while (at(Mark::Plus) || at(Mark::Minus)) {
        const Operator op = at(Mark::Plus) ? Operator::Add : Operator::Subtract;
        ++at_;
        if (++length > chain_limit) unexpected("a shorter expression");
        e = binary(op, std::move(e), product());
    }
    return e;
}

Expression Parser::product() {
    Expression e = signed_term();
    int length = 0;
    while (at(Mark::Star) || at(Mark::Slash)) {
        const Operator op = at(Mark::Star) ? Operator::Multiply : Operator::Divide;
        ++at_;
        if (++length > chain_limit) unexpected("a shorter expression");
        e = binary(op, std::move(e), signed_term());
    }
    return e;
}

Expression Parser::signed_term() {
    if (!at(Mark::Plus) && !at(Mark::Minus)) return power();
    const Nesting nesting(*this);
    const Token& sign = tokens_[at_++];
    return unary(sign.mark == Mark::Plus ? Operator::Plus : Operator::Minus, sign, signed_term());
}

Expression Parser::power() {
    Expression base = primary();
    if (!accept(Mark::Power)) return base;
    const Nesting nesting(*this);
    return binary(Operator::Power, std::move(base), signed_term());
}

Expression Parser::condition() {
    const Token& first = now();
    expect(Mark::LeftRound, "`(` before the condition");
    Expression e = expression();
    expect(Mark::RightRound, "`)` after the condition");
    e.where = from(first);
    return e;
}

// The branches of ZONE and IF may stand on lines of their own.
void Parser::skip_line_before(Word a, Word b) {
    std::size_t n = 0;
    while (ahead(n).kind == TokenKind::EndOfStatement) ++n;
    if (n && (ahead(n).word == a || ahead(n).word == b)) at_ += n;
}

// ZONE (c) e1 ZONE (c2) e2 OTHERS e3: the switching is located.
Expression Parser::zone() {
    const Token& first = now();
    Expression e;
    e.kind = ExpressionKind::If;
    int length = 0;
    while (accept(Word::Zone)) {
        if (++length > nesting_limit) unexpected("fewer zones");
        e.arguments.push_back(condition());
        if (accept(Word::Tol)) expression();
        skip_statement_ends();
        e.arguments.push_back(expression());
        skip_line_before(Word::Zone, Word::Others);
    }
    expect(Word::Others);
    skip_statement_ends();
    e.arguments.push_back(expression());
    e.where = from(first);
    return e;
}

// IF (c) e1 ELSEIF (c2) e2 ELSE e3: not located.
Expression Parser::choice() {
    const Token& first = now();
    Expression e;
    e.kind = ExpressionKind::If;
    expect(Word::If);
    int length = 0;
    do {
        if (++length > nesting_limit) unexpected("fewer branches");
        e.arguments.push_back(condition());
        accept(Word::Then);
        skip_statement_ends();
        e.arguments.push_back(expression());
        skip_line_before(Word::ElseIf, Word::Else);
    } while (accept(Word::ElseIf));
    expect(Word::Else);
    skip_statement_ends();
    e.arguments.push_back(expression());
    e.where = from(first);
    Expression quiet;
    quiet.kind = ExpressionKind::Call;
    quiet.name.parts.push_back({"noEvent", {}, e.where});
    quiet.where = quiet.name.where = e.where;
    quiet.arguments.push_back(std::move(e));
    return quiet;
}

// 1,n   a set or an enumeration
Expression Parser::range_of_values() {
    Expression e = expression();
    if (!at(Mark::Comma)) return e;
    ++at_;
    Expression range;
    range.kind = ExpressionKind::Range;
    range.arguments.push_back(std::move(e));
    range.arguments.push_back(expression());
    range.where = join(range.arguments[0].where, range.arguments[1].where);
    return range;
}

object::Iterator Parser::iterator() {
    object::Iterator i;
    i.name = name("the name of an index", &i.where);
    expect(Word::In);
    i.range = range_of_values();
    if (accept(Word::Except)) i.except = range_of_values();
    return i;
}

// SUM(i IN 1,3; expression)
Expression Parser::comprehension(std::string function) {
    const Token& first = tokens_[at_++];
    Expression e;
    e.kind = ExpressionKind::Comprehension;
    e.name.parts.push_back({std::move(function), {}, span(first)});
    expect(Mark::LeftRound, "`(`");
    do e.iterators.push_back(iterator());
    while (accept(Mark::Comma));
    expect(Mark::Semicolon, "`;` after the range");
    e.arguments.push_back(expression());
    expect(Mark::RightRound, "`)`");
    e.where = from(first);
    return e;
}

// {1, 2, {3, 4}}
Expression Parser::braces() {
    const Token& first = tokens_[at_++];
    Expression e;
    e.kind = ExpressionKind::Array;
    if (!at(Mark::RightBrace)) do
            e.arguments.push_back(expression());
        while (accept(Mark::Comma));
    expect(Mark::RightBrace, "`}`");
    e.where = from(first);
    return e;
}

Expression Parser::primary() {
    const Token& first = now();
    Expression e;
    e.where = span(first);
    switch (first.kind) {
        case TokenKind::Integer:
        case TokenKind::Number:
            e.kind = first.kind == TokenKind::Integer ? ExpressionKind::Integer : ExpressionKind::Real;
            e.number = std::strtod(std::string(text(first)).c_str(), nullptr);
            if (!(e.number <= 1.7976931348623157e308)) {
                report(number_out_of_range(e.where, text(first)));
                throw GiveUp{};
            }
            if (e.kind == ExpressionKind::Integer && e.number > 2147483647) e.kind = ExpressionKind::Real;
            ++at_;
            return e;
        case TokenKind::Text:
            e.kind = ExpressionKind::String;
            e.text = quoted();
            return e;
        case TokenKind::Name:
            return reference();
        default:
            break;
    }
    switch (first.word) {
        case Word::True:
        case Word::False:
            e.kind = ExpressionKind::Boolean;
            e.number = first.word == Word::True;
            ++at_;
            return e;
        case Word::Zone:
            return zone();
        case Word::If:
            return choice();
        case Word::Sum:
            return comprehension("sum");
        default:
            break;
    }
    if (first.mark == Mark::LeftBrace) return braces();
    if (first.mark == Mark::LeftRound) {
        ++at_;
        e = expression();
        expect(Mark::RightRound, "`)`");
        e.where = from(first);
        return e;
    }
    unexpected("an expression");
}

void Parser::call_arguments(Expression& call) {
    expect(Mark::LeftRound, "`(`");
    if (!at(Mark::RightRound)) do {
            accept(Word::Out);
            if (now().kind == TokenKind::Name && ahead().mark == Mark::Assign) {
                object::NamedArgument a;
                a.name = name("the name of an argument", &a.where);
                ++at_;
                a.value = expression();
                call.named.push_back(std::move(a));
            } else {
                call.arguments.push_back(expression());
            }
        } while (accept(Mark::Comma));
    expect(Mark::RightRound, "`)`");
}

// a.b[i].c, f(x), x', x''
Expression Parser::reference() {
    const Token& first = now();
    Expression e;
    e.kind = ExpressionKind::Name;
    do {
        object::NamePart part;
        part.name = name("a name", &part.where);
        if (accept(Mark::LeftSquare)) {
            do part.indices.push_back(expression());
            while (accept(Mark::Comma));
            expect(Mark::RightSquare, "`]`");
        }
        e.name.parts.push_back(std::move(part));
        if (e.name.parts.size() > static_cast<std::size_t>(nesting_limit)) unexpected("a shorter name");
    } while (accept(Mark::Dot));
    e.where = e.name.where = from(first);
    if (at(Mark::LeftRound)) {
        e.kind = ExpressionKind::Call;
        const std::string& called = e.name.parts.back().name;
        if (called == "PRODUCT" && e.name.parts.size() == 1 && ahead(2).word == Word::In) {
            --at_;
            return comprehension("product");
        }
        call_arguments(e);
        e.where = from(first);
        return e;
    }
    int order = 0;
    while (accept(Mark::Prime)) ++order;
    if (!order) return e;
    Expression derivative;
    derivative.kind = ExpressionKind::Derivative;
    derivative.number = order;
    derivative.where = from(first);
    derivative.arguments.push_back(std::move(e));
    return derivative;
}

}  // namespace cutset::el
