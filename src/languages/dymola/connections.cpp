// Connections. All operators have the same precedence and are taken from left to right.
#include "languages/dymola/messages.h"
#include "languages/dymola/parse.h"
#include "languages/dymola/parser.h"

namespace cutset::dymola {

using namespace tree;

// What this model declares under the name.
std::uint8_t Parser::kind_of(std::string_view name) const {
    return scope_.empty() ? 0 : scope_.back()->of(name);
}

// Connection words, `\`, `a:c`, `a..p` and lone dots make a statement a connection. Otherwise the names
// decide: only operators that a connection may have, and operands that are mostly submodels, cuts, nodes and
// paths of this model.
bool Parser::is_connection() const {
    constexpr std::uint8_t connectable = Scope::Submodel | Scope::Cut | Scope::Path;
    std::size_t joined = 0, other = 0;
    bool arithmetic = false;
    for (std::size_t i = at_;; ++i) {
        const Token& t = tokens_[i];
        switch (t.kind) {
            case TokenKind::Separator:
            case TokenKind::End:
                return !arithmetic && joined > 0 && joined >= other;
            case TokenKind::Keyword:
                switch (t.word) {
                    case Word::At:
                    case Word::To:
                    case Word::From:
                    case Word::Par:
                    case Word::Loop:
                    case Word::Reversed:
                        return true;
                    case Word::Else:
                    case Word::Elseif:
                    case Word::End:
                        return !arithmetic && joined > 0 && joined >= other;
                    default:
                        return false;
                }
            case TokenKind::Name: {
                bool variable = false;
                std::size_t next = i + 1;
                for (;;) {
                    if (tokens_[next].symbol == Symbol::LeftSquare) next = after_bracket(next);
                    const Symbol s = tokens_[next].symbol;
                    if ((s == Symbol::Dot || s == Symbol::ColonColon) &&
                        tokens_[next + 1].kind == TokenKind::Name) {
                        variable = s == Symbol::Dot;
                        next += 2;
                        continue;
                    }
                    if (s == Symbol::DotDot) return true;
                    if (s == Symbol::Colon && tokens_[next + 1].kind == TokenKind::Name) return true;
                    if (s == Symbol::LeftRound && !tokens_[next].blank_before) arithmetic = true;  // a call
                    break;
                }
                ++(!variable && (kind_of(written(t)) & connectable) ? joined : other);
                i = next - 1;
                break;
            }
            case TokenKind::Symbol:
                switch (t.symbol) {
                    case Symbol::Backslash:
                        return true;
                    case Symbol::Dot:
                        // A lone dot is a missing variable of a temporary cut.
                        if (i > at_ && (tokens_[i - 1].symbol == Symbol::LeftRound ||
                                        tokens_[i - 1].symbol == Symbol::Comma ||
                                        tokens_[i - 1].symbol == Symbol::Slash))
                            return true;
                        break;
                    case Symbol::Minus:
                    case Symbol::Equal:
                    case Symbol::Less:
                    case Symbol::SlashSlash:
                    case Symbol::Slash:
                    case Symbol::Comma:
                    case Symbol::LeftRound:
                    case Symbol::RightRound:
                    case Symbol::RightSquare:
                    case Symbol::DotDot:
                        break;
                    default:
                        arithmetic = true;
                }
                break;
            case TokenKind::Bad:
                break;
            default:
                arithmetic = true;
        }
    }
}

void Parser::connection(Items& items) {
    Connection c;
    const std::uint32_t begin = now().begin;
    chain_ = 0;
    if (take(Word::Connect)) {
        // connect (name) e: the name is followed by an operand, not by an operator.
        if (is(Symbol::LeftRound) && ahead(1).kind == TokenKind::Name &&
            ahead(2).symbol == Symbol::RightRound) {
            const Token& after = ahead(3);
            if (after.kind == TokenKind::Name || after.symbol == Symbol::LeftRound ||
                after.word == Word::Reversed || after.symbol == Symbol::Backslash) {
                advance();
                c.name = expect_name("the name of a path or cut");
                advance();
            }
        }
    }
    do {
        ConnectionExpression e = connection_expression();
        // A path in place that is a whole statement is meant as a join.
        if (auto* path = std::get_if<ConnectionPath>(&e.what); path && path->of.parts.empty()) {
            ConnectionOperation op;
            op.op = ConnectionOperator::To;
            op.operands = std::move(path->ends);
            e.what = std::move(op);
        }
        if (!std::holds_alternative<ConnectionOperation>(e.what)) report(nothing_connected(e.where));
        c.expressions.push_back(std::move(e));
    } while (take(Symbol::Comma));
    c.where = span_from(begin);
    if (is(Symbol::Slash)) fail(slash_is_not_parallel(span(now())));
    items.push_back({std::move(c)});
    finish_statement();
}

std::optional<ConnectionOperator> Parser::connection_operator() const {
    switch (now().word) {
        case Word::At:
            return ConnectionOperator::At;
        case Word::To:
            return ConnectionOperator::To;
        case Word::From:
            return ConnectionOperator::From;
        case Word::Par:
            return ConnectionOperator::Par;
        case Word::Loop:
            return ConnectionOperator::Loop;
        default:
            break;
    }
    switch (now().symbol) {
        case Symbol::Equal:
            return ConnectionOperator::At;
        case Symbol::Minus:
            return ConnectionOperator::To;
        case Symbol::Less:
            return ConnectionOperator::From;
        case Symbol::SlashSlash:
            return ConnectionOperator::Par;
        default:
            return std::nullopt;
    }
}

ConnectionExpression Parser::connection_expression() {
    const std::uint32_t begin = now().begin;
    ConnectionExpression left = connection_secondary();
    while (const auto op = connection_operator()) {
        if (++chain_ >= connection_chain_limit) fail(chain_too_long(span(now()), connection_chain_limit));
        advance();
        ConnectionOperation operation;
        operation.op = *op;
        operation.operands.reserve(2);
        operation.operands.push_back(std::move(left));
        operation.operands.push_back(connection_secondary());
        ConnectionExpression joined;
        joined.what = std::move(operation);
        joined.where = span_from(begin);
        left = std::move(joined);
    }
    return left;
}

ConnectionExpression Parser::connection_secondary() {
    const std::uint32_t begin = now().begin;
    bool reversed = false;
    while (is(Word::Reversed) || is(Symbol::Backslash)) {
        reversed = !reversed;
        advance();
    }
    ConnectionExpression operand = connection_primary();
    if (!reversed) return operand;
    ConnectionExpression e;
    ConnectionOperation operation;
    operation.op = ConnectionOperator::Reversed;
    operation.operands.push_back(std::move(operand));
    e.what = std::move(operation);
    e.where = span_from(begin);
    return e;
}

ConnectionExpression Parser::connection_primary() {
    if (is(Symbol::LeftRound)) return connection_brackets();
    ConnectionExpression e;
    const std::uint32_t begin = now().begin;
    if (!is(TokenKind::Name)) {
        if (is(TokenKind::Number) || is(TokenKind::Text) || is(Symbol::Dot))
            fail(not_a_connection_operand(span(now()), written(now())));
        unexpected(connection_operand_wanted);
    }
    Reference r = reference();
    if (is(Symbol::DotDot) && ahead(1).symbol == Symbol::LeftRound) {
        // a..(A - B)
        advance();
        const Token opening = now();
        advance();
        const Deeper deeper(*this);
        ConnectionPath path;
        path.of = std::move(r);
        path.ends.push_back(connection_primary());
        if (!take(Symbol::Minus)) fail(path_needs_ends(span(now())));
        path.ends.push_back(connection_primary());
        close(Symbol::RightRound, opening);
        e.what = std::move(path);
    } else {
        if (is(Symbol::LeftRound) && !now().blank_before) fail(call_of_member(span(now())));
        e.what = std::move(r);
    }
    e.where = span_from(begin);
    return e;
}

// Whether the element of a temporary cut at this place is a value: a number or arithmetic.
bool Parser::element_is_value() const {
    if (is(TokenKind::Number) || is(Symbol::Minus) || is(Symbol::Plus) || is(Symbol::LeftSquare)) return true;
    for (std::size_t i = at_;; ++i) {
        const Token& t = tokens_[i];
        switch (t.symbol) {
            case Symbol::LeftSquare:
                i = after_bracket(i) - 1;
                continue;
            case Symbol::LeftRound:
                if (i > at_ && tokens_[i - 1].kind == TokenKind::Name && !t.blank_before)
                    return true;  // a call
                return false;
            case Symbol::Star:
            case Symbol::Plus:
            case Symbol::Power:
            case Symbol::Prime:
                return true;
            case Symbol::Comma:
            case Symbol::Slash:
            case Symbol::RightRound:
                return false;
            default:
                break;
        }
        if (t.kind != TokenKind::Name && t.symbol != Symbol::Dot && t.symbol != Symbol::ColonColon)
            return false;
    }
}

ConnectionExpression Parser::connection_element() {
    ConnectionExpression e;
    const std::uint32_t begin = now().begin;
    if (take(Symbol::Dot)) {
        e.what = ConnectionValue{};
    } else if (element_is_value()) {
        Mode mode;
        mode.square_ends = mode.round_ends = mode.sign_ends = mode.slash_ends = true;
        const WithMode in_list(*this, mode);
        e.what = ConnectionValue{expression()};
    } else {
        return connection_expression();
    }
    e.where = span_from(begin);
    return e;
}

// A cut as far as the text shows: a list, `a:c`, or a cut or node of this model.
bool Parser::surely_cut(const ConnectionExpression& e) const {
    if (std::holds_alternative<ConnectionList>(e.what)) return true;
    const auto* r = std::get_if<Reference>(&e.what);
    if (!r) return false;
    if (r->parts.back().before == Separator::Cut) return true;
    return r->parts.size() == 1 && kind_of(r->parts[0].name) == Scope::Cut;
}

// (expression), (A - B) as a path in place, or a temporary cut (a, b / c).
ConnectionExpression Parser::connection_brackets() {
    const Token opening = now();
    advance();
    const Deeper deeper(*this);
    ConnectionList list;
    Role role = Role::Across;
    bool is_list = false;
    const auto next = [&] {
        return is(TokenKind::Name) || is(TokenKind::Number) || is(Symbol::LeftRound) || is(Symbol::Dot) ||
               is(Word::Reversed) || is(Symbol::Backslash) ||
               ((is(Symbol::Minus) || is(Symbol::Plus)) && now().blank_before && !ahead(1).blank_before);
    };
    for (;;) {
        if (is(Symbol::Slash)) {
            if (role == Role::Through) report(two_slashes(span(now())));
            role = Role::Through;
            is_list = true;
            advance();
            if (is(Symbol::RightRound)) break;
        }
        list.parts.push_back(connection_element());
        list.roles.push_back(role);
        if (take(Symbol::Comma) || next()) {
            is_list = true;
            continue;
        }
        if (!is(Symbol::Slash)) break;
    }
    close(Symbol::RightRound, opening);
    ConnectionExpression e;
    e.where = span_from(opening.begin);
    if (is_list || std::holds_alternative<ConnectionValue>(list.parts[0].what)) {
        e.what = std::move(list);
        return e;
    }
    ConnectionExpression inner = std::move(list.parts[0]);
    if (auto* op = std::get_if<ConnectionOperation>(&inner.what); op && op->op == ConnectionOperator::To &&
                                                                  surely_cut(op->operands[0]) &&
                                                                  surely_cut(op->operands[1])) {
        ConnectionPath path;
        path.ends = std::move(op->operands);
        e.what = std::move(path);
        return e;
    }
    e.what = std::move(inner.what);
    return e;
}

}  // namespace cutset::dymola
