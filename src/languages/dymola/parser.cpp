#include "languages/dymola/parser.h"

#include <fmt/format.h>

#include <limits>

#include "base/foreign_words.h"
#include "expr/elementary_functions.h"
#include "languages/dymola/documentation.h"
#include "languages/dymola/messages.h"
#include "languages/dymola/parse.h"

namespace cutset::dymola {

namespace {

bool is_operator(Word w) {
    return (w >= Word::At && w <= Word::Loop) || w == Word::And || w == Word::Or || w == Word::Then ||
           w == Word::Else || w == Word::Elseif || w == Word::Do || w == Word::Of || w == Word::End;
}

}  // namespace

std::shared_ptr<tree::File> parse_file(const Sources& sources, SourceId source, Diagnostics& diagnostics) {
    // Of a long text the beginning tells whether it is one: rubbish is refused without reading all of it.
    constexpr std::size_t long_text = 4 << 20, beginning = 256 << 10, few = 50;
    const std::string& text = sources.text(source);
    if (text.size() > long_text) {
        const std::size_t line = text.rfind('\n', beginning),
                          length = line == std::string::npos ? beginning : line;
        Diagnostics trial;
        auto file = Parser(sources, source, trial, length).file();
        if (trial.error_count() >= few) {
            for (const Diagnostic& d : trial.all()) diagnostics.report(d);
            if (trial.all().back().concern != Concern::RestNotRead)
                diagnostics.report(rest_not_read(
                    {source, static_cast<std::uint32_t>(length), static_cast<std::uint32_t>(length)}, length,
                    text.size()));
            return file;
        }
    }
    return Parser(sources, source, diagnostics).file();
}

std::optional<tree::Expression> parse_expression(const Sources& sources, SourceId source,
                                                 Diagnostics& diagnostics) {
    return Parser(sources, source, diagnostics).single_expression();
}

Parser::Parser(const Sources& sources, SourceId source, Diagnostics& diagnostics, std::size_t length)
    : text_(std::string_view(sources.text(source)).substr(0, length)),
      source_(source),
      diagnostics_(diagnostics),
      path_(sources.name(source)) {
    // Places are 32-bit offsets.
    if (text_.size() >= std::numeric_limits<std::uint32_t>::max()) {
        report(file_too_large({source, 0, 0}));
        text_ = {};
    }
    const std::size_t before = diagnostics.error_count();
    all_ = tokenize(text_, source, diagnostics, cut_short_);
    lexical_errors_ = diagnostics.error_count() > before;
    tokens_ = split_statements(all_);
    scopes_ = collect_scopes(tokens_, text_);
}

Parser::Deeper::Deeper(Parser& p) : parser_(p) {
    if (p.depth_ >= nesting_limit) {
        p.report(nesting_too_deep(p.span(p.now()), nesting_limit));
        throw Stop{};
    }
    ++p.depth_;
}

bool Parser::take(Word w) {
    if (!is(w)) return false;
    advance();
    return true;
}

bool Parser::take(Symbol s) {
    if (!is(s)) return false;
    advance();
    return true;
}

void Parser::advance() {
    if (is(TokenKind::End)) return;
    if (!is(TokenKind::Separator)) last_end_ = now().end;
    ++at_;
}

void Parser::report(Diagnostic d) {
    const bool error = d.severity == Severity::Error;
    const Span where = d.where;
    diagnostics_.report(std::move(d));
    if (error && ++errors_ == error_limit) {
        diagnostics_.report(too_many_errors(where, error_limit));
        throw Stop{};
    }
}

void Parser::fail(Diagnostic d) {
    report(std::move(d));
    throw Failure{};
}

void Parser::unexpected(std::string_view wanted) {
    const Token& t = now();
    const std::string_view found = written(t);
    switch (t.kind) {
        case TokenKind::Separator:
        case TokenKind::End:
            fail(statement_ends_early({source_, last_end_, last_end_}, wanted));
        case TokenKind::Bad:
            fail(stray_character(span(t), found));
        case TokenKind::Number:
            if (t.malformed) fail(malformed_number(span(t), found));
            break;
        case TokenKind::Keyword:
            // Where an operand is wanted, an operator word says that one is missing; elsewhere a name was
            // badly chosen.
            if (is_operator(t.word) && (wanted == operand_wanted || wanted == connection_operand_wanted))
                fail(operand_missing(span(t), wanted, found));
            if (wanted.find("name") != std::string_view::npos) fail(keyword_as_name(span(t), found, wanted));
            break;
        case TokenKind::Symbol:
            switch (t.symbol) {
                case Symbol::RightRound:
                case Symbol::RightSquare:
                    if (!t.closed) fail(closes_nothing(span(t), found));
                    break;
                case Symbol::SlashSlash:
                    fail(foreign_comment(span(t)));
                case Symbol::EqualEqual:
                    fail(foreign_operator(span(t), found, "="));
                case Symbol::BangEqual:
                    fail(foreign_operator(span(t), found, "<>"));
                case Symbol::AndAnd:
                    fail(foreign_operator(span(t), found, "and"));
                case Symbol::OrOr:
                    fail(foreign_operator(span(t), found, "or"));
                case Symbol::Bang:
                    fail(foreign_operator(span(t), found, "not"));
                case Symbol::Question:
                    if (wanted == "the end of the statement")
                        fail(foreign_operator(span(t), found, "if <condition> then <value> else <value>"));
                    break;
                default:
                    break;
            }
            break;
        default:
            break;
    }
    fail(expected(span(t), wanted, found, habit_help()));
}

// What stands here is a habit of paper: 1,5 and sin x.
std::string Parser::habit_help() const {
    if (at_ > 0 && is(TokenKind::Name) && tokens_[at_ - 1].kind == TokenKind::Name) {
        const std::string_view function = written(tokens_[at_ - 1]);
        if (function == "der" || find_elementary_function(function))
            return fmt::format("what a function is of stands in brackets: `{}({})`", function,
                               written(now()));
    }
    return decimal_comma_help(text_, now().begin);
}

void Parser::expect(Symbol s, std::string_view wanted) {
    if (!take(s)) unexpected(wanted);
}

void Parser::expect(Word w, std::string_view wanted) {
    if (!take(w)) unexpected(wanted);
}

void Parser::close(Symbol s, const Token& opening) {
    if (take(s)) return;
    const char mark = s == Symbol::RightRound ? ')' : ']';
    if (!opening.closed && !is(TokenKind::Bad))
        fail(unclosed_bracket(span(opening), mark,
                              statement_over() ? Span{source_, last_end_, last_end_} : span(now()),
                              statement_over()));
    unexpected(std::string("`") + mark + "`");
}

std::string Parser::expect_name(std::string_view wanted) {
    if (!is(TokenKind::Name)) unexpected(wanted);
    std::string name(written(now()));
    advance();
    return name;
}

std::string Parser::text_value(const Token& t) const {
    std::string_view raw = written(t);
    raw.remove_prefix(1);
    if (!t.malformed && !raw.empty()) raw.remove_suffix(1);
    std::string out;
    for (std::size_t i = 0; i < raw.size(); ++i) {
        out += raw[i];
        if (raw[i] == '"') ++i;  // a quote is written twice
    }
    return out;
}

std::string Parser::expect_text(std::string_view wanted) {
    if (!is(TokenKind::Text)) unexpected(wanted);
    std::string out = text_value(now());
    advance();
    return out;
}

bool Parser::statement_over() const {
    return is(TokenKind::Separator) || is(TokenKind::End) || is(Word::End) || is(Word::Else) ||
           is(Word::Elseif) || is(Word::Elsewhen);
}

void Parser::finish_statement() {
    if (is(TokenKind::Separator)) return advance();
    if (!statement_over()) unexpected("the end of the statement");
}

// To the end of the statement, or to an `end` on the same line.
void Parser::recover() {
    while (!is(TokenKind::Separator) && !is(TokenKind::End) && !is(Word::End) && !is(Word::Elsewhen))
        advance();
    if (is(TokenKind::Separator)) advance();
}

void Parser::skip_separators() {
    while (is(TokenKind::Separator)) advance();
}

// Lists are separated by commas or blanks. True when another item follows.
bool Parser::list_goes_on(std::string_view wanted) {
    if (take(Symbol::Comma)) return true;
    if (is(TokenKind::Name)) return true;
    if (statement_over()) return false;
    unexpected(is(TokenKind::Keyword) ? wanted : "a comma or the end of the statement");
}

// The position after the bracket that opens at `i`, or the end of the statement if it is never closed.
std::size_t Parser::after_bracket(std::size_t i) const {
    int depth = 0;
    for (; tokens_[i].kind != TokenKind::Separator && tokens_[i].kind != TokenKind::End; ++i) {
        const Symbol s = tokens_[i].symbol;
        if (s == Symbol::LeftRound || s == Symbol::LeftSquare) ++depth;
        if (s == Symbol::RightRound || s == Symbol::RightSquare)
            if (--depth == 0) return i + 1;
    }
    return i;
}

std::shared_ptr<tree::File> Parser::file() {
    auto out = std::make_shared<tree::File>();
    out->source = source_;
    out->path = path_;
    out->documentation = comments_after(all_, text_, 0);
    bool lost = false;  // outside any model: one message for a run of statements
    try {
        for (skip_separators(); !is(TokenKind::End); skip_separators()) {
            const std::size_t start = at_;
            try {
                if (is(Word::Model)) {
                    lost = false;
                    out->classes.push_back(model(nullptr));
                } else if (is(Word::Function)) {
                    lost = false;
                    out->functions.push_back(function());
                } else if (is(Word::Table)) {
                    out->tables.push_back(table());
                    finish_statement();
                } else if (is(Word::Library)) {
                    library(*out);
                } else if (lost) {
                    recover();
                } else if (at_end_word()) {
                    lost = true;
                    report(end_closes_nothing(span(now()), single_statement_));
                    advance();
                    recover();
                } else {
                    lost = true;
                    if (is(TokenKind::Bad)) unexpected("a model");
                    const std::string word = misspelled_word();
                    report(word.empty() ? outside_model(span(now()))
                                        : misspelled_statement(span(now()), written(now()), word));
                    recover();
                }
            } catch (Failure) {
                recover();
            }
            if (at_ == start) advance();
        }
    } catch (Stop) {
    }
    return out;
}

std::optional<tree::Expression> Parser::single_expression() {
    try {
        tree::Expression e = expression();
        skip_separators();
        if (!is(TokenKind::End)) unexpected("the end of the expression");
        if (errors_ == 0 && !lexical_errors_) return e;
    } catch (Failure) {
    } catch (Stop) {
    }
    return std::nullopt;
}

}  // namespace cutset::dymola
