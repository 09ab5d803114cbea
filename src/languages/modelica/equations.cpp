// Equations and statements.
#include <utility>

#include "languages/modelica/messages.h"
#include "languages/modelica/parser.h"

namespace cutset::modelica {

// What ends a list of equations or statements.
bool Parser::list_over() const {
    return is(TokenKind::End) || is(Word::End) || is(Word::Else) || is(Word::Elseif) || is(Word::Elsewhen) ||
           begins_section() || is(Word::Annotation);
}

void Parser::end_block(Word w, const Token& opening) {
    if (is(TokenKind::End)) {
        report(missing_end(after_last(), spelling(w), "", span(opening)));
        throw Failure{};
    }
    if (is(Word::End) && ahead().word == w) {
        advance();
        advance();
        return;
    }
    const Token& found = is(Word::End) ? ahead() : now();
    Diagnostic d = wrong_block_end(span(now()), text_.substr(now().begin, found.end - now().begin),
                                   spelling(w), span(opening));
    if (found.word != Word::If && found.word != Word::For && found.word != Word::When &&
        found.word != Word::While)
        fail(std::move(d));
    report(std::move(d));  // the end of another statement is taken for that of this one
    if (is(Word::End)) advance();
    advance();
}

// first c BODY … next c BODY … else … end first
template <class Branch, class List>
std::vector<Branch> Parser::branches(Word first, Word next, bool otherwise, Word body, List list) {
    const Deeper deeper(*this);
    const Token& opening = now();
    advance();
    std::vector<Branch> out;
    for (bool more = true; more;) {
        Branch b;
        b.condition = expression();
        expect(body, body == Word::Then ? "`then`" : "`loop`");
        list(b.body);
        out.push_back(std::move(b));
        more = next != Word::None && take(next);
    }
    if (otherwise && take(Word::Else)) {
        out.emplace_back();
        list(out.back().body);
    }
    end_block(first, opening);
    return out;
}

// ---- equations

object::EquationSection Parser::equation_section() {
    object::EquationSection s;
    s.initial = take(Word::Initial);
    advance();
    equation_list(s.equations);
    return s;
}

void Parser::equation_list(std::vector<object::Equation>& equations) {
    while (!list_over()) {
        item([&] {
            object::Equation e = equation();
            finish();
            equations.push_back(std::move(e));
        });
    }
}

object::Equation Parser::equation() {
    const std::uint32_t begin = now().begin;
    object::Equation e;
    switch (now().word) {
        case Word::If:
            e.what = if_equation();
            break;
        case Word::For:
            e.what = for_equation();
            break;
        case Word::When:
            e.what = when_equation();
            break;
        case Word::Connect:
            e.what = connect_equation();
            break;
        default:
            e = simple_equation();
    }
    e.description = description();
    e.where = span_from(begin);
    if (is(Word::Annotation)) e.annotation = annotation_span();
    return e;
}

object::Equation Parser::simple_equation() {
    const Token& first = now();
    if (begins_class() || is(Word::Parameter) || is(Word::Constant) || is(Word::Replaceable) ||
        is(Word::Import) || is(Word::Extends) || is(Word::Input) || is(Word::Output))
        fail(declaration_in_equations(span(first)));
    object::Equation e;
    object::Expression left = range();
    if (take(Symbol::Equal)) {
        e.what = object::SimpleEquation{.left = std::move(left), .right = expression()};
        return e;
    }
    if (is(Symbol::Assign)) fail(equation_needs_equal(span(now()), true));
    if (left.kind == object::ExpressionKind::Call || left.kind == object::ExpressionKind::Comprehension) {
        e.what = object::CallEquation{std::move(left)};
        return e;
    }
    if (left.kind == object::ExpressionKind::Name && is(TokenKind::Name)) {
        const std::string near = nearest_keyword(written(first));
        if (!near.empty()) fail(misspelled_keyword(span(first), written(first), near));
        fail(declaration_in_equations(span(first)));
    }
    if (left.kind == object::ExpressionKind::Operation && left.op == object::Operator::Equal)
        fail(double_equal(left.where));
    if (!is(Symbol::Semicolon)) unexpected("`=`");
    fail(equation_needs_equal(left.where, false));
}

object::IfEquation Parser::if_equation() {
    return {branches<object::EquationBranch>(Word::If, Word::Elseif, true, Word::Then,
                                             [&](auto& list) { equation_list(list); })};
}

object::WhenEquation Parser::when_equation() {
    return {branches<object::EquationBranch>(Word::When, Word::Elsewhen, false, Word::Then,
                                             [&](auto& list) { equation_list(list); })};
}

object::ForEquation Parser::for_equation() {
    const Deeper deeper(*this);
    const Token& opening = now();
    advance();
    object::ForEquation f;
    f.iterators = iterators();
    expect(Word::Loop, "`loop`");
    equation_list(f.body);
    end_block(Word::For, opening);
    return f;
}

object::ConnectEquation Parser::connect_equation() {
    advance();
    const Token& opening = now();
    expect(Symbol::LeftRound, "`(`");
    object::ConnectEquation c;
    const auto side = [&] {
        object::Expression e;
        e.kind = object::ExpressionKind::Name;
        e.name = reference();
        e.where = e.name.where;
        return e;
    };
    c.left = side();
    expect(Symbol::Comma, "`,` and the second connector");
    c.right = side();
    close(Symbol::RightRound, opening);
    return c;
}

// ---- statements

object::AlgorithmSection Parser::algorithm_section() {
    object::AlgorithmSection s;
    s.initial = take(Word::Initial);
    advance();
    statement_list(s.statements);
    return s;
}

void Parser::statement_list(std::vector<object::Statement>& statements) {
    while (!list_over()) {
        item([&] {
            object::Statement s = statement();
            finish();
            statements.push_back(std::move(s));
        });
    }
}

object::Statement Parser::statement() {
    const std::uint32_t begin = now().begin;
    object::Statement s;
    switch (now().word) {
        case Word::If:
            s.what = if_statement();
            break;
        case Word::For:
            s.what = for_statement();
            break;
        case Word::While:
            s.what = while_statement();
            break;
        case Word::When:
            s.what = when_statement();
            break;
        case Word::Break:
            advance();
            s.what = object::BreakStatement{};
            break;
        case Word::Return:
            advance();
            s.what = object::ReturnStatement{};
            break;
        default:
            s = assignment_or_call();
    }
    s.description = description();
    s.where = span_from(begin);
    if (is(Word::Annotation)) s.annotation = annotation_span();
    return s;
}

object::Statement Parser::assignment_or_call() {
    object::Expression target = primary();
    object::Statement s;
    if (is(Symbol::Assign)) {
        if (target.kind != object::ExpressionKind::Name && target.kind != object::ExpressionKind::Tuple)
            fail(not_a_target(target.where));
        advance();
        s.what = object::Assignment{.target = std::move(target), .value = expression()};
        return s;
    }
    if (is(Symbol::Equal)) fail(statement_needs_assign(span(now())));
    if (target.kind != object::ExpressionKind::Call) unexpected("`:=`");
    s.what = object::CallStatement{std::move(target)};
    return s;
}

object::IfStatement Parser::if_statement() {
    return {branches<object::StatementBranch>(Word::If, Word::Elseif, true, Word::Then,
                                              [&](auto& list) { statement_list(list); })};
}

object::WhenStatement Parser::when_statement() {
    return {branches<object::StatementBranch>(Word::When, Word::Elsewhen, false, Word::Then,
                                              [&](auto& list) { statement_list(list); })};
}

object::WhileStatement Parser::while_statement() {
    auto parts = branches<object::StatementBranch>(Word::While, Word::None, false, Word::Loop,
                                                   [&](auto& list) { statement_list(list); });
    return {std::move(*parts[0].condition), std::move(parts[0].body)};
}

object::ForStatement Parser::for_statement() {
    const Deeper deeper(*this);
    const Token& opening = now();
    advance();
    object::ForStatement f;
    f.iterators = iterators();
    expect(Word::Loop, "`loop`");
    statement_list(f.body);
    end_block(Word::For, opening);
    return f;
}

}  // namespace cutset::modelica
