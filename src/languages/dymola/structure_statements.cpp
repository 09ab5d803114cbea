// Statements that shape a model: `if`, `for` and `case` around others.
#include "languages/dymola/messages.h"
#include "languages/dymola/parser.h"

namespace cutset::dymola {

using namespace tree;

// begin … end, or one statement on the same or the next line.
void Parser::block_or_statement(Items& items, const Token& opening) {
    skip_separators();
    if (is(Word::Begin)) {
        const Token begin = now();
        advance();
        const Deeper deeper(*this);
        for (;;) {
            skip_separators();
            if (at_end_word()) {
                take_end("", begin);
                break;
            }
            if (is(TokenKind::End)) {
                if (!cut_short_) report(missing_end(span(begin), "begin", "", span(now()), suspect_));
                cut_short_ = true;
                return;
            }
            statement(items);
        }
        return;
    }
    if (now().line_start) single_statement_ = span(opening);
    if (is(TokenKind::End) || is(Word::End)) unexpected("a statement");
    const Deeper deeper(*this);
    statement(items);
}

// `if c then a else b = x` is an equation: there is no `=` and no statement before the `else`.
bool Parser::if_is_expression() const {
    std::size_t i = at_;
    while (tokens_[i].word != Word::Then) {
        if (tokens_[i].kind == TokenKind::Separator || tokens_[i].kind == TokenKind::End) return false;
        ++i;
    }
    int depth = 0;
    for (++i;; ++i) {
        const Token& t = tokens_[i];
        if (t.kind == TokenKind::Separator || t.kind == TokenKind::End) return false;
        switch (t.symbol) {
            case Symbol::LeftRound:
            case Symbol::LeftSquare:
                ++depth;
                break;
            case Symbol::RightRound:
            case Symbol::RightSquare:
                --depth;
                break;
            case Symbol::Equal:
            case Symbol::Assign:
            case Symbol::EqualEqual:
                if (depth == 0) return false;
                break;
            default:
                break;
        }
        if (t.kind != TokenKind::Keyword || depth > 0) continue;
        if (t.word == Word::Else || t.word == Word::Elseif) return true;
        if (t.word != Word::And && t.word != Word::Or && t.word != Word::Not && t.word != Word::If &&
            t.word != Word::Then)
            return false;
    }
}

void Parser::structure_if(Items& items) {
    StructureIf out;
    const Token opening = now();
    branches(out.branches, [&](StructureBranch& b, const Token& part) { block_or_statement(b.items, part); });
    out.where = span_from(opening.begin);
    items.push_back({std::move(out)});
    // A single statement has taken its own separator.
    if (is(TokenKind::Separator)) advance();
}

// for i:=1 to n do
void Parser::loop_header(std::string& variable, Expression& from, Expression& to,
                         std::optional<Expression>& step, const Token& opening) {
    header([&] {
        variable = expect_name("the name of the loop variable");
        if (!take(Symbol::Assign) && !take(Symbol::Equal)) unexpected("`:=`");
        from = sum();
        if (!take(Word::To)) unexpected("`to`");
        to = sum();
        if (is_name("step")) {
            advance();
            step = sum();
        }
        if (!take(Word::Do)) fail(missing_do(span(now()), "for", span(opening)));
    });
}

void Parser::structure_for(Items& items) {
    StructureFor out;
    const Deeper deeper(*this);
    const Token opening = now();
    advance();
    out.from = out.to = Expression{};
    std::optional<Expression> step;
    loop_header(out.variable, *out.from, *out.to, step, opening);
    if (step) out.step = std::move(*step);
    block_or_statement(out.items, opening);
    out.where = span_from(opening.begin);
    items.push_back({std::move(out)});
    if (is(TokenKind::Separator)) advance();
}

// A label: `1:`, `-1:` or `name:` with layout after the colon (without it `a:c` is a cut).
bool Parser::at_case_label() const {
    std::size_t i = at_;
    for (;;) {
        if (tokens_[i].symbol == Symbol::Minus) ++i;
        const Token& t = tokens_[i];
        if (t.kind != TokenKind::Number && t.kind != TokenKind::Name) return false;
        const Token& after = tokens_[i + 1];
        if (after.symbol == Symbol::Colon)
            return t.kind == TokenKind::Number || tokens_[i + 2].blank_before ||
                   tokens_[i + 2].kind != TokenKind::Name;
        if (after.symbol != Symbol::Comma) return false;
        i += 2;
    }
}

// case n of 1: …; 2, 3: …; else … end, lowered onto `if n = 1 … elseif n = 2 or n = 3 … else …`.
void Parser::structure_case(Items& items) {
    const Deeper deeper(*this);
    const Token opening = now();
    StructureIf out;
    advance();
    Expression selector;
    header([&] {
        selector = condition();
        expect(Word::Of, "`of`");
    });
    const auto compare = [&](Expression label) {
        Expression e;
        e.kind = ExpressionKind::Relation;
        e.text = "=";
        e.where = label.where;
        e.arguments.push_back(selector);
        e.arguments.push_back(std::move(label));
        return e;
    };
    for (;;) {
        skip_separators();
        if (at_end_word()) {
            take_end("", opening);
            break;
        }
        if (is(TokenKind::End)) {
            if (!cut_short_) report(missing_end(span(opening), "case", "", span(now()), suspect_));
            cut_short_ = true;
            break;
        }
        StructureBranch branch;
        if (is(Word::Else)) {
            advance();
            take(Symbol::Colon);
        } else if (at_case_label()) {
            const std::uint32_t begin = now().begin;
            std::vector<Expression> labels;
            do labels.push_back(compare(signed_factor()));
            while (take(Symbol::Comma));
            advance();  // the colon
            if (labels.size() == 1) {
                branch.condition = std::move(labels[0]);
            } else {
                Expression any = make(ExpressionKind::Or, begin);
                any.arguments = std::move(labels);
                branch.condition = std::move(any);
            }
        } else {
            report(case_needs_label(span(now())));
            recover();
            continue;
        }
        if (!out.branches.empty() && !out.branches.back().condition) report(else_not_last(span(now())));
        for (;;) {
            skip_separators();
            if (is(Word::Begin)) {
                block_or_statement(branch.items, opening);
                continue;
            }
            if (is(TokenKind::End) || is(Word::Else) || at_case_label() || at_end_word()) break;
            statement(branch.items);
        }
        out.branches.push_back(std::move(branch));
    }
    out.where = span_from(opening.begin);
    items.push_back({std::move(out)});
    if (is(TokenKind::Separator)) advance();
}

}  // namespace cutset::dymola
