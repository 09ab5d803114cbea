// Expressions. From the weakest operator to the strongest: if, range, or, and, not, relations, + and -, * and
// /, ^. A chain of operators becomes a tree that leans to the left.
#include <charconv>
#include <cmath>
#include <string>
#include <utility>

#include "languages/modelica/messages.h"
#include "languages/modelica/parse.h"
#include "languages/modelica/parser.h"

namespace cutset::modelica {

namespace {

constexpr std::string_view operand_wanted = "a name, a number or a bracket";

std::optional<object::Operator> relation_operator(Symbol s) {
    switch (s) {
        case Symbol::Less:
            return object::Operator::Less;
        case Symbol::LessEqual:
            return object::Operator::LessEqual;
        case Symbol::Greater:
            return object::Operator::Greater;
        case Symbol::GreaterEqual:
            return object::Operator::GreaterEqual;
        case Symbol::EqualEqual:
            return object::Operator::Equal;
        case Symbol::NotEqual:
            return object::Operator::NotEqual;
        default:
            return std::nullopt;
    }
}

std::optional<object::Operator> sum_operator(Symbol s) {
    switch (s) {
        case Symbol::Plus:
            return object::Operator::Add;
        case Symbol::Minus:
            return object::Operator::Subtract;
        case Symbol::DotPlus:
            return object::Operator::ElementAdd;
        case Symbol::DotMinus:
            return object::Operator::ElementSubtract;
        default:
            return std::nullopt;
    }
}

std::optional<object::Operator> product_operator(Symbol s) {
    switch (s) {
        case Symbol::Star:
            return object::Operator::Multiply;
        case Symbol::Slash:
            return object::Operator::Divide;
        case Symbol::DotStar:
            return object::Operator::ElementMultiply;
        case Symbol::DotSlash:
            return object::Operator::ElementDivide;
        default:
            return std::nullopt;
    }
}

bool is_sign(Symbol s) {
    return sum_operator(s).has_value();
}

}  // namespace

object::Expression Parser::make(object::ExpressionKind kind, std::uint32_t begin) const {
    object::Expression e;
    e.kind = kind;
    e.where = span_from(begin);
    return e;
}

object::Expression Parser::operation(object::Operator op, object::Expression left, object::Expression right) {
    object::Expression e = make(object::ExpressionKind::Operation, left.where.begin);
    e.op = op;
    e.arguments.reserve(2);
    e.arguments.push_back(std::move(left));
    e.arguments.push_back(std::move(right));
    return e;
}

object::Expression Parser::sign(object::Operator op, const Token& first, object::Expression operand) {
    object::Expression e = make(object::ExpressionKind::Operation, first.begin);
    e.op = op;
    e.arguments.push_back(std::move(operand));
    return e;
}

// The tree of a chain is as deep as the chain is long.
void Parser::count_operand(int& operands) {
    if (++operands > operand_limit) {
        report(too_many_operands(span(now())));
        throw Stop{};
    }
}

object::Expression Parser::expression() {
    const Deeper deeper(*this);
    return is(Word::If) ? if_expression() : range();
}

object::Expression Parser::if_expression() {
    const std::uint32_t begin = now().begin;
    object::Expression e = make(object::ExpressionKind::If, begin);
    advance();
    do {
        e.arguments.push_back(expression());
        expect(Word::Then, "`then`");
        e.arguments.push_back(expression());
    } while (take(Word::Elseif));
    expect(Word::Else, "`else` (an if-expression always has one)");
    e.arguments.push_back(expression());
    e.where = span_from(begin);
    return e;
}

object::Expression Parser::range() {
    object::Expression first = disjunction();
    if (!is(Symbol::Colon)) return first;
    object::Expression e = make(object::ExpressionKind::Range, first.where.begin);
    e.arguments.push_back(std::move(first));
    while (e.arguments.size() < 3 && take(Symbol::Colon)) e.arguments.push_back(disjunction());
    e.where = span_from(e.where.begin);
    return e;
}

object::Expression Parser::disjunction() {
    object::Expression left = conjunction();
    for (int operands = 1; take(Word::Or);) {
        count_operand(operands);
        left = operation(object::Operator::Or, std::move(left), conjunction());
    }
    return left;
}

object::Expression Parser::conjunction() {
    object::Expression left = negation();
    for (int operands = 1; take(Word::And);) {
        count_operand(operands);
        left = operation(object::Operator::And, std::move(left), negation());
    }
    return left;
}

object::Expression Parser::negation() {
    const Token& first = now();
    if (!take(Word::Not)) return relation();
    return sign(object::Operator::Not, first, relation());
}

object::Expression Parser::relation() {
    object::Expression left = sum();
    const auto op = relation_operator(now().symbol);
    if (!op) return left;
    advance();
    left = operation(*op, std::move(left), sum());
    if (relation_operator(now().symbol)) fail(chained_relation(span(now())));
    return left;
}

object::Expression Parser::sum() {
    const Token& first = now();
    object::Expression left;
    if (const auto op = sum_operator(first.symbol)) {
        advance();
        const bool plus = *op == object::Operator::Add || *op == object::Operator::ElementAdd;
        left = sign(plus ? object::Operator::Plus : object::Operator::Minus, first, product());
    } else {
        left = product();
    }
    int operands = 1;
    while (const auto op = sum_operator(now().symbol)) {
        advance();
        count_operand(operands);
        left = operation(*op, std::move(left), product());
    }
    return left;
}

object::Expression Parser::product() {
    object::Expression left = power();
    int operands = 1;
    while (const auto op = product_operator(now().symbol)) {
        advance();
        count_operand(operands);
        left = operation(*op, std::move(left), power());
    }
    return left;
}

object::Expression Parser::power() {
    object::Expression base = primary();
    if (!is(Symbol::Power) && !is(Symbol::DotPower)) return base;
    const object::Operator op = is(Symbol::Power) ? object::Operator::Power : object::Operator::ElementPower;
    advance();
    base = operation(op, std::move(base), primary());
    if (is(Symbol::Power) || is(Symbol::DotPower)) unexpected("a bracket around one of two powers");
    return base;
}

object::Expression Parser::primary() {
    const Token& first = now();
    switch (first.kind) {
        case TokenKind::Integer:
        case TokenKind::Real:
            return number();
        case TokenKind::Text: {
            advance();
            object::Expression e = make(object::ExpressionKind::String, first.begin);
            e.text = text_value(written(first));
            return e;
        }
        case TokenKind::Name:
            return reference_or_call();
        case TokenKind::Symbol:
            if (is(Symbol::LeftRound)) return round_brackets();
            if (is(Symbol::LeftCurly)) return curly_brackets();
            if (is(Symbol::LeftSquare)) return square_brackets();
            if (is(Symbol::Dot)) return reference_or_call();
            if (is_sign(first.symbol)) fail(two_signs(span(first)));
            unexpected(operand_wanted);
        case TokenKind::Keyword:
            break;
        default:
            unexpected(operand_wanted);
    }
    switch (first.word) {
        case Word::False:
        case Word::True: {
            advance();
            object::Expression e = make(object::ExpressionKind::Boolean, first.begin);
            e.number = first.word == Word::True ? 1 : 0;
            return e;
        }
        case Word::End: {
            advance();
            return make(object::ExpressionKind::End, first.begin);
        }
        case Word::Der:
        case Word::Initial:
        case Word::Pure: {
            advance();
            object::Name name;
            name.where = span(first);
            name.parts.push_back({std::string(written(first)), {}, name.where});
            if (!is(Symbol::LeftRound)) unexpected("`(`");
            return call_of(std::move(name), first);
        }
        default:
            fail(keyword_as_name(span(first), written(first), operand_wanted));
    }
}

object::Expression Parser::number() {
    const Token& t = now();
    advance();
    object::Expression e =
        make(t.kind == TokenKind::Integer ? object::ExpressionKind::Integer : object::ExpressionKind::Real,
             t.begin);
    const std::string_view digits = written(t);
    const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), e.number);
    if (error == std::errc::result_out_of_range) {
        // Too small is 0; from_chars does not tell the two apart.
        const double value = std::strtod(std::string(digits).c_str(), nullptr);
        if (std::isinf(value)) report(number_out_of_range(e.where, digits));
        e.number = std::isinf(value) ? 0 : value;
    }
    return e;
}

// (e), or (a, , b) where several results are taken.
object::Expression Parser::round_brackets() {
    const Token& opening = now();
    advance();
    object::Expression tuple = make(object::ExpressionKind::Tuple, opening.begin);
    bool comma = false;
    while (!is(Symbol::RightRound)) {
        if (is(Symbol::Comma))
            tuple.arguments.push_back(make(object::ExpressionKind::Omitted, now().begin));
        else
            tuple.arguments.push_back(expression());
        if (!is(Symbol::Comma)) break;
        comma = true;
        advance();
        if (is(Symbol::RightRound))
            tuple.arguments.push_back(make(object::ExpressionKind::Omitted, now().begin));
    }
    close(Symbol::RightRound, opening);
    tuple.where = span_from(opening.begin);
    if (comma || tuple.arguments.empty()) return tuple;
    object::Expression inner = std::move(tuple.arguments[0]);
    inner.where = tuple.where;
    return suffixes(std::move(inner));
}

// (e)[i] and (e).member
object::Expression Parser::suffixes(object::Expression e) {
    for (int count = 1; is(Symbol::LeftSquare) || is(Symbol::Dot);) {
        count_operand(count);
        const bool indexed = is(Symbol::LeftSquare);
        object::Expression outer =
            make(indexed ? object::ExpressionKind::Index : object::ExpressionKind::Member, e.where.begin);
        outer.arguments.push_back(std::move(e));
        if (indexed) {
            for (object::Expression& i : indices()) outer.arguments.push_back(std::move(i));
        } else {
            advance();
            outer.text = expect_name("the name of a member");
        }
        outer.where = span_from(outer.where.begin);
        e = std::move(outer);
    }
    return e;
}

// {a, b} or {e for i in r}
object::Expression Parser::curly_brackets() {
    const Token& opening = now();
    advance();
    object::Expression e = make(object::ExpressionKind::Array, opening.begin);
    if (!is(Symbol::RightCurly)) {
        do e.arguments.push_back(argument_value());
        while (take(Symbol::Comma));
        if (e.arguments.size() == 1 && take(Word::For)) {
            e.kind = object::ExpressionKind::Comprehension;
            e.iterators = iterators();
        }
    }
    close(Symbol::RightCurly, opening);
    e.where = span_from(opening.begin);
    return e;
}

// [a, b; c, d]
object::Expression Parser::square_brackets() {
    const Token& opening = now();
    advance();
    object::Expression e = make(object::ExpressionKind::Matrix, opening.begin);
    do {
        object::Expression row = make(object::ExpressionKind::Array, now().begin);
        do row.arguments.push_back(expression());
        while (take(Symbol::Comma));
        row.where = span_from(row.where.begin);
        e.arguments.push_back(std::move(row));
    } while (take(Symbol::Semicolon));
    close(Symbol::RightSquare, opening);
    e.where = span_from(opening.begin);
    return e;
}

object::Expression Parser::reference_or_call() {
    const Token& first = now();
    object::Name name = reference();
    if (is(Symbol::LeftRound)) return call_of(std::move(name), first);
    object::Expression e = make(object::ExpressionKind::Name, first.begin);
    e.name = std::move(name);
    return e;
}

object::Expression Parser::call_of(object::Name name, const Token& first) {
    object::Expression e = make(object::ExpressionKind::Call, first.begin);
    e.name = std::move(name);
    call_arguments(e);
    if (first.word == Word::Der && e.kind == object::ExpressionKind::Call && e.named.empty() &&
        e.arguments.size() == 1) {
        e.kind = object::ExpressionKind::Derivative;
        e.number = 1;
    }
    e.where = span_from(first.begin);
    return e;
}

void Parser::call_arguments(object::Expression& call) {
    const Token& opening = now();
    advance();
    if (take(Symbol::RightRound)) return;
    do {
        if (is(TokenKind::Name) && ahead().symbol == Symbol::Equal) {
            const Token& first = now();
            object::NamedArgument a;
            a.name = expect_name("the name of an argument");
            advance();
            a.value = argument_value();
            a.where = span_from(first.begin);
            call.named.push_back(std::move(a));
        } else {
            if (!call.named.empty()) report(named_before_positional(span(now())));
            call.arguments.push_back(argument_value());
        }
    } while (take(Symbol::Comma));
    if (is(Word::For) && call.arguments.size() == 1 && call.named.empty()) {
        advance();
        call.kind = object::ExpressionKind::Comprehension;
        call.iterators = iterators();
    }
    close(Symbol::RightRound, opening);
}

object::Expression Parser::argument_value() {
    return is(Word::Function) ? partial_application() : expression();
}

// function f(a = 1)
object::Expression Parser::partial_application() {
    const Token& first = now();
    advance();
    const Deeper deeper(*this);
    object::Expression e = make(object::ExpressionKind::Function, first.begin);
    e.name = name("the name of a function");
    if (!is(Symbol::LeftRound)) unexpected("`(`");
    call_arguments(e);
    if (e.kind != object::ExpressionKind::Function || !e.arguments.empty())
        fail(unexpected_token(e.arguments[0].where, text_.substr(e.arguments[0].where.begin, 1),
                              "name = value (after `function` all arguments have names)", ""));
    e.where = span_from(first.begin);
    return e;
}

object::Expression Parser::index() {
    if (is(Symbol::Colon) && (ahead().symbol == Symbol::Comma || ahead().symbol == Symbol::RightSquare)) {
        const Token& t = now();
        advance();
        return make(object::ExpressionKind::Omitted, t.begin);
    }
    return expression();
}

std::vector<object::Expression> Parser::indices() {
    const Token& opening = now();
    advance();
    std::vector<object::Expression> list;
    do list.push_back(index());
    while (take(Symbol::Comma));
    close(Symbol::RightSquare, opening);
    return list;
}

std::vector<object::Iterator> Parser::iterators() {
    std::vector<object::Iterator> list;
    do {
        object::Iterator i;
        i.where = span(now());
        i.name = expect_name("the name of a loop variable");
        if (take(Word::In)) i.range = expression();
        list.push_back(std::move(i));
    } while (take(Symbol::Comma));
    return list;
}

// A.B.c without indices
object::Name Parser::name(std::string_view wanted) {
    object::Name n;
    const std::uint32_t begin = now().begin;
    n.global = take(Symbol::Dot);
    do {
        const Span where = span(now());
        n.parts.push_back({expect_name(wanted), {}, where});
    } while (take(Symbol::Dot));
    n.where = span_from(begin);
    return n;
}

// a[1].b[:, 2]
object::Name Parser::reference() {
    object::Name n;
    const std::uint32_t begin = now().begin;
    n.global = take(Symbol::Dot);
    do {
        object::NamePart part;
        part.where = span(now());
        part.name = expect_name("a name");
        if (is(Symbol::LeftSquare)) part.indices = indices();
        n.parts.push_back(std::move(part));
    } while (take(Symbol::Dot));
    n.where = span_from(begin);
    return n;
}

}  // namespace cutset::modelica
