// Expressions of EL, between operators (languages/reading/expression_reader.h).
#include <charconv>
#include <cstdlib>

#include "languages/el/messages.h"
#include "languages/el/parser.h"
#include "languages/reading/messages.h"

namespace cutset::el {

using object::ExpressionKind;
using object::Operator;

Expression Parser::expression() {
    const Nesting nesting(*this);
    return disjunction();
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
                report(reading::number_out_of_range(e.where, text(first)));
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
    Expression e = name_with_indices();
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
