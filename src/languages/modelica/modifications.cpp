// Modifications: (a = 1, final b(c = 2), redeclare model M = N) = e, and what stands beside declarations:
// constrainedby, descriptions, annotations.
#include <utility>

#include "languages/modelica/messages.h"
#include "languages/modelica/parser.h"

namespace cutset::modelica {

std::optional<object::Modification> Parser::optional_modification() {
    if (!is(Symbol::LeftRound) && !is(Symbol::Equal) && !is(Symbol::Assign)) return std::nullopt;
    const std::uint32_t begin = now().begin;
    object::Modification m;
    if (is(Symbol::LeftRound)) m = class_modification();
    assigned_value(m);
    m.where = span_from(begin);
    return m;
}

void Parser::assigned_value(object::Modification& m) {
    if (!is(Symbol::Equal) && !is(Symbol::Assign)) return;
    m.assigned = is(Symbol::Assign);
    advance();
    m.no_value = take(Word::Break);
    if (!m.no_value) m.value = argument_value();
}

object::Modification Parser::class_modification(bool inheritance) {
    const Token& opening = now();
    expect(Symbol::LeftRound, "`(`");
    const Deeper deeper(*this);
    object::Modification m;
    if (!is(Symbol::RightRound)) {
        do m.arguments.push_back(argument(inheritance));
        while (take(Symbol::Comma));
    }
    close(Symbol::RightRound, opening);
    m.where = span_from(opening.begin);
    return m;
}

object::Argument Parser::argument(bool inheritance) {
    const std::uint32_t begin = now().begin;
    object::Argument a;
    if (inheritance && is(Word::Break)) {
        break_inherited(a);
        a.where = span_from(begin);
        return a;
    }
    object::ElementPrefixes prefixes;
    a.redeclare = prefixes.redeclare = take(Word::Redeclare);
    a.each = take(Word::Each);
    a.final = prefixes.is_final = take(Word::Final);
    a.replaceable = prefixes.replaceable = take(Word::Replaceable);
    if (a.redeclare || a.replaceable) {
        redeclared(a, prefixes);
    } else {
        a.name = name("the name of what is modified");
        if (auto m = optional_modification()) a.value = std::move(*m);
        a.description = description();
    }
    a.where = span_from(begin);
    return a;
}

// break x, break connect(a, b)
void Parser::break_inherited(object::Argument& a) {
    advance();
    a.remove = true;
    if (!is(Word::Connect)) {
        a.name = name("the name of what is left out");
        return;
    }
    object::ConnectEquation c = connect_equation();
    a.broken_connection.push_back(std::move(c.left));
    a.broken_connection.push_back(std::move(c.right));
}

// redeclare model M = N(m) constrainedby C, redeclare parameter T x(m) "…"
void Parser::redeclared(object::Argument& a, const object::ElementPrefixes& prefixes) {
    const Token& first = now();
    object::Redeclaration r;
    Span where;
    std::string declared;
    if (begins_class()) {
        auto c = std::make_shared<object::Class>();
        if (!open_.empty()) c->parent = open_.back();
        class_prefixes(*c);
        c->where = span(now());
        c->name = expect_name("the name of the redeclared class");
        if (!is(Symbol::Equal)) unexpected("`=` (a class inside a modification has a short definition)");
        short_specifier(*c);
        c->whole = span_from(first.begin);
        if (auto limit = constraint()) c->constraint = std::move(*limit);
        if (is(Word::Annotation)) c->annotation = annotation_span();
        declared = c->name;
        where = c->where;
        r.declared = std::move(c);
    } else {
        auto c = std::make_shared<object::Component>();
        c->element = prefixes;
        c->prefixes = type_prefixes();
        c->type = name("the type of the redeclared component");
        if (is(Symbol::LeftSquare)) c->type_dimensions = indices();
        declaration(*c);
        if (auto limit = constraint()) c->constraint = std::move(*limit);
        if (is(TokenKind::Text) && c->description.empty()) c->description = description();
        if (is(Word::Annotation)) c->annotation = annotation_span();
        c->statement = span_from(first.begin);
        declared = c->name;
        where = c->where;
        r.component = std::move(c);
    }
    a.name.parts.push_back({declared, {}, where});
    a.name.where = where;
    a.redeclaration = std::move(r);
}

std::optional<object::Constraint> Parser::constraint() {
    if (!take(Word::Constrainedby)) return std::nullopt;
    object::Constraint c;
    c.type = name("the name of a class");
    if (is(Symbol::LeftRound)) c.modification = class_modification();
    return c;
}

// "a" + "b"
std::string Parser::description() {
    std::string out;
    if (!is(TokenKind::Text)) return out;
    do {
        if (!is(TokenKind::Text)) unexpected("a text");
        out += text_value(written(now()));
        advance();
    } while (take(Symbol::Plus));
    return out;
}

// annotation(…), not read: brackets are counted.
Span Parser::annotation_span() {
    const std::uint32_t begin = now().begin;
    advance();
    const Token& opening = now();
    if (!is(Symbol::LeftRound)) unexpected("`(`");
    int depth = 0;
    do {
        // Words that stand in no annotation: a bracket is missing.
        if (is(TokenKind::End) || is(Word::Equation) || is(Word::Algorithm) || is(Word::Public) ||
            is(Word::Protected) || is(Word::End))
            close(Symbol::RightRound, opening);
        if (is(Symbol::LeftRound) || is(Symbol::LeftCurly) || is(Symbol::LeftSquare)) ++depth;
        if (is(Symbol::RightRound) || is(Symbol::RightCurly) || is(Symbol::RightSquare)) --depth;
        advance();
    } while (depth > 0);
    return span_from(begin);
}

}  // namespace cutset::modelica
