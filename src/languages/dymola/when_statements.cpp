// when … then … elsewhen … then … end, and what stands in it.
#include "languages/dymola/messages.h"
#include "languages/dymola/parser.h"

namespace cutset::dymola {

using namespace tree;

namespace {

bool mentions_new(const Expression& e) {
    if (e.kind == ExpressionKind::Call && e.text == "new") return true;
    for (const Expression& a : e.arguments)
        if (mentions_new(a)) return true;
    return false;
}

}  // namespace

void Parser::when(Items& items) {
    When out;
    const Deeper deeper(*this);
    const Token opening = now();
    out.condition = when_header("when");
    when_until(out.statements, opening);
    bool empty = out.statements.empty();
    while (is(Word::Elsewhen)) {
        ElseWhen branch;
        const Token part = now();
        branch.condition = when_header("elsewhen");
        when_until(branch.statements, opening);
        branch.where = span_from(part.begin);
        empty = empty && branch.statements.empty();
        out.otherwise.push_back(std::move(branch));
    }
    if (at_end_word()) take_end("", opening);
    out.where = span_from(opening.begin);
    if (empty && errors_ == 0) report(empty_when(span(opening)));
    items.push_back({std::move(out)});
    if (is(TokenKind::Separator)) advance();
}

// The condition, and `then`.
Expression Parser::when_header(std::string_view word) {
    const Token opening = now();
    advance();
    Expression out;
    header([&] {
        out = condition();
        if (!take(Word::Then)) fail(missing_then(span(now()), word, span(opening)));
    });
    skip_separators();
    take(Word::Begin);
    return out;
}

// Statements up to `end` or `elsewhen`, which are left.
void Parser::when_until(std::vector<WhenStatement>& statements, const Token& opening) {
    for (;;) {
        skip_separators();
        if (is(Word::Elsewhen) || at_end_word()) return;
        if (is(TokenKind::End)) {
            if (!cut_short_) report(missing_end(span(opening), "when", "", span(now()), suspect_));
            cut_short_ = true;
            return;
        }
        one_when_statement(statements);
    }
}

void Parser::one_when_statement(std::vector<WhenStatement>& statements) {
    const std::size_t start = at_;
    try {
        if (is(Word::If) && !if_is_expression()) {
            statements.push_back({when_if()});
        } else if (is(Word::For)) {
            statements.push_back({when_for()});
        } else if (procedure_ahead()) {
            const ProcedureCall call = procedure();
            for (std::size_t k = 0; k < call.outputs.size(); ++k)
                statements.push_back({WhenAssignment{call.outputs[k], result_of(call, k), call.where}});
            finish_statement();
        } else {
            statements.push_back(when_statement());
            finish_statement();
        }
    } catch (Failure) {
        mode_ = {};
        recover();
    }
    if (at_ == start) advance();
}

// begin … end, or one statement on the same or the next line.
void Parser::when_block(std::vector<WhenStatement>& statements, const Token& opening) {
    skip_separators();
    const Deeper deeper(*this);
    if (is(Word::Begin)) {
        const Token begin = now();
        advance();
        when_until(statements, begin);
        if (at_end_word()) take_end("", begin);
        return;
    }
    if (now().line_start) single_statement_ = span(opening);
    if (is(TokenKind::End) || is(Word::End) || is(Word::Elsewhen)) unexpected("a statement");
    one_when_statement(statements);
}

WhenIf Parser::when_if() {
    WhenIf out;
    const Token opening = now();
    branches(out.branches, [&](WhenBranch& b, const Token& part) { when_block(b.statements, part); });
    out.where = span_from(opening.begin);
    return out;
}

WhenFor Parser::when_for() {
    WhenFor out;
    const Deeper deeper(*this);
    const Token opening = now();
    advance();
    loop_header(out.variable, out.from, out.to, out.step, opening);
    when_block(out.statements, opening);
    out.where = span_from(opening.begin);
    return out;
}

WhenStatement Parser::when_statement() {
    if (is(Word::Case) || is(Word::When)) {
        report(structure_in_when(span(now()), written(now())));
        // Its body, if it is a block, goes with it, so that its `end` does not close the `when`.
        Items ignored;
        if (is(Word::When))
            when(ignored);
        else
            recover();
        throw Failure{};
    }
    if (is(Word::Else) || is(Word::Elseif))
        fail(else_without_if(span(now()), written(now()), single_statement_));
    const bool called = ahead(1).symbol == Symbol::LeftRound;
    if (called && is_name("reinit")) return {when_reinit()};
    if (called && is_name("terminate")) return {when_terminate()};
    if (const auto assignment = when_assignment()) return {*assignment};
    if (is(TokenKind::Keyword) && !is(Word::If)) fail(when_body(span(now())));
    return {when_equation()};
}

WhenReinit Parser::when_reinit() {
    WhenReinit out;
    const std::uint32_t begin = now().begin;
    advance();
    const Token opening = now();
    advance();
    out.target = reference();
    if (!take(Symbol::Comma) && !starts_operand() && !is(Symbol::Minus)) unexpected("the new value");
    {
        const WithMode mode(*this, Mode{});
        out.value = expression();
    }
    close(Symbol::RightRound, opening);
    out.where = span_from(begin);
    return out;
}

WhenTerminate Parser::when_terminate() {
    WhenTerminate out;
    const std::uint32_t begin = now().begin;
    advance();
    const Token opening = now();
    advance();
    if (is(TokenKind::Text)) out.message = expect_text("a message");
    close(Symbol::RightRound, opening);
    out.where = span_from(begin);
    return out;
}

// new(d) = … and d = …; nothing, and nothing taken, where the left side is more than that.
std::optional<WhenAssignment> Parser::when_assignment() {
    if (!is(TokenKind::Name)) return std::nullopt;
    const auto equals = [](const Token& t) {
        return t.symbol == Symbol::Equal || t.symbol == Symbol::Assign || t.symbol == Symbol::EqualEqual;
    };
    WhenAssignment out;
    const std::size_t start = at_;
    const std::uint32_t begin = now().begin;
    if (ahead(1).symbol == Symbol::LeftRound) {
        const Token& after = tokens_[after_bracket(at_ + 1)];
        const bool over = after.kind == TokenKind::Separator || after.kind == TokenKind::End;
        if (!is_name("new") || !(equals(after) || over)) return std::nullopt;
        advance();
        const Token opening = now();
        advance();
        out.target = reference();
        close(Symbol::RightRound, opening);
    } else {
        out.target = reference();
        if (!equals(now()) && !statement_over()) {
            at_ = start;
            return std::nullopt;
        }
    }
    equals_sign();
    out.value = expression();
    out.where = span_from(begin);
    return out;
}

WhenEquation Parser::when_equation() {
    WhenEquation out;
    const std::uint32_t begin = now().begin;
    if (!starts_operand() && !is(Symbol::Minus) && !is(Symbol::Plus) && !is(Word::If))
        unexpected("`new(…) = …`, `reinit(…)` or `terminate(…)`");
    {
        Mode left;
        left.equal_is_relation = false;
        const WithMode mode(*this, left);
        out.left = expression();
    }
    if (statement_over() && !mentions_new(out.left)) fail(when_body(span_from(begin)));
    equals_sign();
    out.right = expression();
    out.where = span_from(begin);
    if (!mentions_new(out.left) && !mentions_new(out.right)) fail(when_body(out.where));
    return out;
}

}  // namespace cutset::dymola
