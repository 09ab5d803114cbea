// Classes, their elements and what a file holds.
#include <algorithm>
#include <utility>

#include "languages/modelica/messages.h"
#include "languages/modelica/parser.h"

namespace cutset::modelica {

// ---- the file

void Parser::stored_definition(object::File& file) {
    if (is(Word::Within)) {
        item([&] {
            advance();
            object::Name within;
            within.where = span(now());
            if (!is(Symbol::Semicolon)) within = name("the name of a package");
            file.within = std::move(within);
            finish();
        });
    }
    while (!is(TokenKind::End)) {
        item([&] {
            if (is(Word::Within)) fail(within_late(span(now())));
            if (is(Word::End)) {
                advance();
                fail(end_without_beginning(span(now()), written(now())));
            }
            take(Word::Final);
            if (!begins_class()) {
                if (is(TokenKind::Name) && !nearest_keyword(written(now())).empty()) fail_class(now());
                unexpected("a class");
            }
            auto c = class_definition();
            finish();
            file.classes.push_back(std::move(c));
        });
    }
    if (file.classes.empty() && errors_ == 0) report(missing_class(span(now())));
}

// ---- classes

std::shared_ptr<object::Class> Parser::class_definition() {
    const Deeper deeper(*this);
    const Token& first = now();
    auto c = std::make_shared<object::Class>();
    if (!open_.empty()) c->parent = open_.back();
    class_prefixes(*c);
    class_specifier(*c, first);
    c->whole = span_from(first.begin);
    return c;
}

void Parser::class_prefixes(object::Class& c) {
    c.encapsulated = take(Word::Encapsulated);
    c.partial = take(Word::Partial);
    c.impure = is(Word::Impure);
    c.pure = is(Word::Pure);
    if (c.impure || c.pure) advance();
    const Token& t = now();
    advance();
    switch (t.word) {
        case Word::Class:
            c.kind = object::ClassKind::Class;
            break;
        case Word::Model:
            c.kind = object::ClassKind::Model;
            break;
        case Word::Block:
            c.kind = object::ClassKind::Block;
            break;
        case Word::Record:
            c.kind = object::ClassKind::Record;
            break;
        case Word::Connector:
            c.kind = object::ClassKind::Connector;
            break;
        case Word::Type:
            c.kind = object::ClassKind::Type;
            break;
        case Word::Package:
            c.kind = object::ClassKind::Package;
            break;
        case Word::Function:
            c.kind = object::ClassKind::Function;
            break;
        case Word::Expandable:
            c.kind = object::ClassKind::ExpandableConnector;
            expect(Word::Connector, "`connector`");
            break;
        case Word::Operator:
            c.kind = object::ClassKind::Operator;
            if (take(Word::Record)) c.kind = object::ClassKind::OperatorRecord;
            if (take(Word::Function)) c.kind = object::ClassKind::OperatorFunction;
            break;
        default:
            fail(unexpected_token(span(t), written(t), "model, block, function or another kind of class",
                                  t.kind == TokenKind::Name ? nearest_keyword(written(t)) : ""));
    }
    const bool function =
        c.kind == object::ClassKind::Function || c.kind == object::ClassKind::OperatorFunction;
    if ((c.pure || c.impure) && !function)
        report(unexpected_token(span(t), written(t), "`function` (after `pure` or `impure`)", ""));
}

void Parser::class_specifier(object::Class& c, const Token& first) {
    const bool extends_inherited = take(Word::Extends);
    c.where = span(now());
    c.name = expect_name("the name of the class");
    if (!extends_inherited && is(Symbol::Equal))
        short_specifier(c);
    else
        long_specifier(c, first, extends_inherited);
}

// = B[n](m), = enumeration(a, b), = der(f, x)
void Parser::short_specifier(object::Class& c) {
    expect(Symbol::Equal, "`=`");
    if (is(Word::Enumeration)) {
        enumeration(c);
    } else if (is(Word::Der)) {
        derivative_of(c);
    } else {
        object::ShortDefinition d;
        d.prefixes = type_prefixes();
        d.base = name("the name of a class");
        if (is(Symbol::LeftSquare)) d.dimensions = indices();
        if (is(Symbol::LeftRound)) d.modification = class_modification();
        c.definition = std::move(d);
    }
    c.description = description();
    if (is(Word::Annotation)) c.annotation = annotation_span();
}

void Parser::enumeration(object::Class& c) {
    advance();
    const Token& opening = now();
    expect(Symbol::LeftRound, "`(`");
    object::EnumerationDefinition d;
    d.open = take(Symbol::Colon);
    if (!d.open && !is(Symbol::RightRound)) {
        do {
            object::EnumerationLiteral l;
            l.where = span(now());
            l.name = expect_name("the name of a value");
            l.description = description();
            if (is(Word::Annotation)) annotation_span();
            d.literals.push_back(std::move(l));
        } while (take(Symbol::Comma));
    }
    close(Symbol::RightRound, opening);
    c.definition = std::move(d);
}

void Parser::derivative_of(object::Class& c) {
    advance();
    const Token& opening = now();
    expect(Symbol::LeftRound, "`(`");
    object::DerivativeDefinition d;
    d.function = name("the name of a function");
    expect(Symbol::Comma, "`,` and the name of an input");
    do d.inputs.push_back(expect_name("the name of an input"));
    while (take(Symbol::Comma));
    close(Symbol::RightRound, opening);
    c.definition = std::move(d);
}

void Parser::long_specifier(object::Class& c, const Token& first, bool extends_inherited) {
    object::LongDefinition body;
    body.extends_inherited = extends_inherited;
    if (extends_inherited && is(Symbol::LeftRound)) body.modification = class_modification();
    c.description = description();
    open_.push_back(&c);
    const auto put_back = [&] {
        open_.pop_back();
        c.definition = std::move(body);
    };
    try {
        composition(c, body);
        end_class(c, first);
    } catch (...) {
        put_back();
        throw;
    }
    put_back();
}

bool Parser::class_over() {
    if (is(TokenKind::End)) return true;
    if (!is(Word::End)) return false;
    const Word what = ahead().word;
    return what != Word::If && what != Word::For && what != Word::When && what != Word::While;
}

void Parser::composition(object::Class& c, object::LongDefinition& body) {
    bool is_protected = false;
    while (!class_over()) item([&] { composition_part(c, body, is_protected); });
}

void Parser::composition_part(object::Class& c, object::LongDefinition& body, bool& is_protected) {
    if (take(Word::Public)) {
        is_protected = false;
    } else if (take(Word::Protected)) {
        is_protected = true;
    } else if (is(Word::Equation) || (is(Word::Initial) && ahead().word == Word::Equation)) {
        body.elements.emplace_back(equation_section());
    } else if (is(Word::Algorithm) || (is(Word::Initial) && ahead().word == Word::Algorithm)) {
        body.elements.emplace_back(algorithm_section());
    } else if (is(Word::External)) {
        external(body);
    } else if (is(Word::Annotation)) {
        class_annotation(c);
    } else if (is(Word::End)) {  // end if and the like
        const std::string what = "end " + std::string(written(ahead()));
        const Span where = span(now());
        advance();
        fail(end_without_beginning(where, written(now())));
    } else {
        if (body.external) report(elements_after_external(span(now())));
        element(body, is_protected);
    }
}

void Parser::class_annotation(object::Class& c) {
    const Span where = annotation_span();
    if (c.annotation.known()) report(annotation_twice(where, c.annotation));
    c.annotation = where;
    finish();
}

// At `end`, or the end of the text.
void Parser::end_class(const object::Class& c, const Token& first) {
    const Span opening{source_, first.begin, c.where.end};
    const std::string_view kind = written(first);
    if (is(TokenKind::End)) {
        end_missing_ = true;
        return report(missing_end(after_last(), kind, c.name, opening));
    }
    const Token& found = ahead();
    if (found.kind != TokenKind::Name) {
        advance();
        report(unexpected_token(span(found), written(found), c.name, ""));
        throw Failure{};
    }
    if (written(found) != c.name) {
        const auto enclosing = std::find_if(open_.begin(), open_.end(), [&](const object::Class* o) {
            return o != &c && o->name == written(found);
        });
        end_missing_ = enclosing != open_.end();
        if (end_missing_) return report(missing_end(span(now()), kind, c.name, opening));
        report(end_of_another(span(found), written(found), c.name, opening));
    }
    advance();
    advance();
}

// external "C" y = f(a, b) annotation(…);
void Parser::external(object::LongDefinition& body) {
    const Token& first = now();
    advance();
    object::External e;
    if (is(TokenKind::Text)) {
        e.language = text_value(written(now()));
        advance();
    }
    if (!is(Symbol::Semicolon) && !is(Word::Annotation)) {
        object::Expression call = primary();
        if (take(Symbol::Equal)) {
            e.result = std::move(call);
            call = primary();
        }
        if (call.kind != object::ExpressionKind::Call || call.name.parts.size() != 1)
            unexpected("the call of an external function");
        e.function = call.name.parts[0].name;
        e.arguments = std::move(call.arguments);
    }
    if (is(Word::Annotation)) e.annotation = annotation_span();
    e.where = span_from(first.begin);
    finish();
    body.external = std::move(e);
}

// ---- elements

void Parser::element(object::LongDefinition& body, bool is_protected) {
    if (is(Word::Import)) return import(body);
    if (is(Word::Extends)) return extends(body, is_protected);
    if (is(Word::If) || is(Word::For) || is(Word::When) || is(Word::Connect) || is(Word::Der) ||
        is(Symbol::LeftRound))
        fail(equation_outside_section(span(now())));
    const Token& first = now();
    object::ElementPrefixes prefixes = element_prefixes();
    prefixes.is_protected = is_protected;
    if (begins_class())
        nested_class(body, prefixes);
    else
        components(body, prefixes, first);
}

// redeclare final inner outer replaceable
object::ElementPrefixes Parser::element_prefixes() {
    object::ElementPrefixes p;
    const std::pair<Word, bool object::ElementPrefixes::*> order[] = {
        {Word::Redeclare, &object::ElementPrefixes::redeclare},
        {Word::Final, &object::ElementPrefixes::is_final},
        {Word::Inner, &object::ElementPrefixes::inner},
        {Word::Outer, &object::ElementPrefixes::outer},
        {Word::Replaceable, &object::ElementPrefixes::replaceable}};
    std::size_t reached = 0;
    Word last = Word::None;
    for (;;) {
        const auto* found = std::find_if(std::begin(order), std::end(order),
                                         [&](const auto& o) { return o.first == now().word; });
        if (found == std::end(order)) return p;
        const auto rank = static_cast<std::size_t>(found - std::begin(order)) + 1;
        if (rank <= reached) report(prefix_order(span(now()), spelling(found->first), spelling(last)));
        reached = std::max(reached, rank);
        last = found->first;
        p.*(found->second) = true;
        advance();
    }
}

// flow or stream; discrete, parameter or constant; input or output
object::TypePrefixes Parser::type_prefixes() {
    object::TypePrefixes p;
    int reached = 0;
    for (std::string_view last;; advance()) {
        int rank = 0;
        switch (now().word) {
            case Word::Flow:
                rank = 1, p.flow = object::Flow::Flow;
                break;
            case Word::Stream:
                rank = 1, p.flow = object::Flow::Stream;
                break;
            case Word::Discrete:
                rank = 2, p.variability = object::Variability::Discrete;
                break;
            case Word::Parameter:
                rank = 2, p.variability = object::Variability::Parameter;
                break;
            case Word::Constant:
                rank = 2, p.variability = object::Variability::Constant;
                break;
            case Word::Input:
                rank = 3, p.causality = object::Causality::Input;
                break;
            case Word::Output:
                rank = 3, p.causality = object::Causality::Output;
                break;
            default:
                return p;
        }
        if (rank == reached) report(prefix_twice(span(now()), written(now())));
        if (rank < reached) report(prefix_order(span(now()), written(now()), last));
        reached = std::max(reached, rank);
        last = written(now());
    }
}

// import A.B; import C = A.B; import A.*; import A.{B, C};
void Parser::import(object::LongDefinition& body) {
    const Token& first = now();
    advance();
    object::Import i;
    if (is(TokenKind::Name) && ahead().symbol == Symbol::Equal) {
        i.as = expect_name("a name");
        advance();
    }
    const std::uint32_t begin = now().begin;
    i.package.global = take(Symbol::Dot);
    for (;;) {
        const Span where = span(now());
        i.package.parts.push_back({expect_name("the name of a package"), {}, where});
        if (is(Symbol::DotStar)) {
            advance();
            i.all = true;
            break;
        }
        if (!take(Symbol::Dot)) break;
        if (is(Symbol::LeftCurly)) {
            const Token& opening = now();
            advance();
            do i.names.push_back(expect_name("the name of a class"));
            while (take(Symbol::Comma));
            close(Symbol::RightCurly, opening);
            break;
        }
    }
    i.package.where = span_from(begin);
    description();
    if (is(Word::Annotation)) annotation_span();
    i.where = span_from(first.begin);
    finish();
    body.elements.emplace_back(std::move(i));
}

void Parser::extends(object::LongDefinition& body, bool is_protected) {
    const Token& first = now();
    advance();
    object::Extends e;
    e.is_protected = is_protected;
    e.base = name("the name of a class");
    if (is(Symbol::LeftRound)) e.modification = class_modification(true);
    if (is(Word::Annotation)) e.annotation = annotation_span();
    e.where = span_from(first.begin);
    finish();
    body.elements.emplace_back(std::move(e));
}

void Parser::nested_class(object::LongDefinition& body, const object::ElementPrefixes& prefixes) {
    auto c = class_definition();
    if (auto limit = constraint()) {
        c->constraint = std::move(*limit);
        if (is(TokenKind::Text) && c->description.empty()) c->description = description();
        if (is(Word::Annotation)) {
            const Span where = annotation_span();
            if (!c->annotation.known()) c->annotation = where;
        }
    }
    finish();
    body.elements.emplace_back(object::NestedClass{prefixes, std::move(c)});
}

// T[n] x(a = 1) = e if c "…" annotation(…), y;
void Parser::components(object::LongDefinition& body, const object::ElementPrefixes& prefixes,
                        const Token& first) {
    object::Component common;
    common.element = prefixes;
    common.prefixes = type_prefixes();
    const Token& type = now();
    common.type = name("a declaration");
    if (is(Symbol::LeftSquare)) common.type_dimensions = indices();
    if (!is(TokenKind::Name)) not_a_component(common.type);
    std::vector<object::Component> list;
    do {
        list.push_back(common);
        declaration(list.back());
    } while (take(Symbol::Comma));
    if (auto limit = constraint()) {
        for (object::Component& c : list) c.constraint = *limit;
        const std::string text = description();
        const Span where = is(Word::Annotation) ? annotation_span() : Span{};
        for (object::Component& c : list) {
            if (c.description.empty()) c.description = text;
            if (!c.annotation.known()) c.annotation = where;
        }
    }
    const Span statement = span_from(first.begin);
    const bool one_word = common.type.parts.size() == 1 && !common.type.global;
    if (!is(Symbol::Semicolon) && one_word) {
        const std::string near = nearest_keyword(common.type.parts[0].name);
        if (!near.empty()) fail_class(type);
    }
    finish();
    for (object::Component& c : list) {
        c.statement = statement;
        body.elements.emplace_back(std::move(c));
    }
}

// x[n](a = 1) = e if c "…" annotation(…)
void Parser::declaration(object::Component& c) {
    c.where = span(now());
    c.name = expect_name("the name of what is declared");
    if (is(Symbol::LeftSquare)) c.dimensions = indices();
    if (auto m = optional_modification()) c.modification = std::move(*m);
    if (take(Word::If)) c.condition = expression();
    c.description = description();
    if (is(Word::Annotation)) c.annotation = annotation_span();
}

// A name that no name of a component follows.
void Parser::not_a_component(const object::Name& type) {
    const std::string near = type.parts.size() == 1 ? nearest_keyword(type.parts[0].name) : "";
    if (!near.empty()) fail(misspelled_keyword(type.where, type.parts[0].name, near));
    if (is(Symbol::Equal) || is(Symbol::LeftRound) || is(Symbol::Assign))
        fail(equation_outside_section(type.where));
    expect_name("the name of what is declared");
    throw Failure{};
}

}  // namespace cutset::modelica
