#include "languages/modelica/parser.h"

#include <algorithm>
#include <utility>

#include "base/foreign_words.h"
#include "languages/modelica/messages.h"
#include "languages/modelica/parse.h"

namespace cutset::modelica {

Parser::Parser(std::string_view text, Span part, Diagnostics& diagnostics)
    : text_(text), source_(part.source), diagnostics_(diagnostics) {
    Tokens tokens = tokenize(text, part.begin, part.end, part.source, diagnostics);
    tokens_ = std::move(tokens.all);
    cut_short_ = tokens.cut_short;
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
    last_end_ = now().end;
    if (at_ + 1 < tokens_.size()) ++at_;
}

void Parser::report(Diagnostic d) {
    // What a text without end has swallowed is not missed too, nor is what follows from an error before.
    const bool consequence = (cut_short_ && is(TokenKind::End)) || is(TokenKind::Bad) ||
                             (recovering_ && !now().line_start && !is(TokenKind::End));
    if (consequence) return;
    if (++errors_ > error_limit) {
        diagnostics_.report(errors_not_shown(d.where));
        throw Stop{};
    }
    diagnostics_.report(std::move(d));
}

void Parser::fail(Diagnostic d) {
    report(std::move(d));
    throw Failure{};
}

void Parser::unexpected(std::string_view wanted) {
    const std::string near = is(TokenKind::Name) ? nearest_keyword(written(now())) : "";
    const bool at_end = is(TokenKind::End);
    Diagnostic d = unexpected_token(at_end ? after_last() : span(now()), written(now()), wanted, near);
    if (is(Symbol::Star) && at_ > 0 && tokens_[at_ - 1].symbol == Symbol::Star)
        d.help = "a power is written x^y";
    if (d.help.empty()) d.help = decimal_comma_help(text_, now().begin);
    fail(std::move(d));
}

void Parser::expect(Symbol s, std::string_view wanted) {
    if (!take(s)) unexpected(wanted);
}

void Parser::expect(Word w, std::string_view wanted) {
    if (!take(w)) unexpected(wanted);
}

void Parser::close(Symbol s, const Token& opening) {
    if (take(s)) return;
    const std::string_view bracket = s == Symbol::RightRound ? ")" : s == Symbol::RightSquare ? "]" : "}";
    const bool at_end = is(TokenKind::End);
    fail(missing_bracket(at_end ? after_last() : span(now()), bracket, written(now()), span(opening)));
}

std::string Parser::expect_name(std::string_view wanted) {
    if (is(TokenKind::Keyword)) fail(keyword_as_name(span(now()), written(now()), wanted));
    if (!is(TokenKind::Name)) unexpected(wanted);
    std::string name(written(now()));
    advance();
    return name;
}

// A `;` that is missing at the end of a line is reported and taken as if it were there.
void Parser::finish() {
    const bool end_missing = std::exchange(end_missing_, false);
    if (take(Symbol::Semicolon) || end_missing) return;
    const bool new_line = now().line_start && !is(TokenKind::Symbol) && !is(TokenKind::Bad);
    if (!new_line && !is(Word::End)) unexpected("`;`");
    const Token& last = tokens_[at_ ? at_ - 1 : 0];
    report(missing_semicolon(after_last(), written(last)));
}

bool Parser::begins_section() const {
    return is(Word::Equation) || is(Word::Algorithm) || is(Word::Public) || is(Word::Protected) ||
           is(Word::External) ||
           (is(Word::Initial) && (ahead().word == Word::Equation || ahead().word == Word::Algorithm));
}

bool Parser::begins_class(std::size_t n) const {
    switch (ahead(n).word) {
        case Word::Encapsulated:
        case Word::Partial:
        case Word::Class:
        case Word::Model:
        case Word::Record:
        case Word::Block:
        case Word::Expandable:
        case Word::Connector:
        case Word::Type:
        case Word::Package:
        case Word::Pure:
        case Word::Impure:
        case Word::Function:
        case Word::Operator:
            return true;
        default:
            return false;
    }
}

// Behind the next `;`, or where surely something else begins.
void Parser::recover() {
    recovering_ = true;
    for (; !is(TokenKind::End); advance()) {
        if (take(Symbol::Semicolon)) break;
        if (is(Word::End) || (now().line_start && (begins_section() || begins_class()))) break;
    }
    if (now().line_start) recovering_ = false;
}

// A class whose first word is misspelled is left out as a whole.
void Parser::fail_class(const Token& word) {
    report(misspelled_keyword(span(word), written(word), nearest_keyword(written(word))));
    const auto begin = static_cast<std::size_t>(&word - tokens_.data());
    const std::string_view name = written(tokens_[std::min(begin + 1, tokens_.size() - 1)]);
    for (std::size_t i = begin; i + 1 < tokens_.size(); ++i) {
        if (tokens_[i].word != Word::End || written(tokens_[i + 1]) != name) continue;
        at_ = i + 1;
        advance();
        break;
    }
    throw Failure{};
}

Parser::Deeper::Deeper(Parser& p) : parser_(p) {
    if (p.depth_ >= nesting_limit) {
        p.report(nested_too_deeply(p.span(p.now())));
        throw Stop{};
    }
    ++p.depth_;
}

std::shared_ptr<object::File> Parser::file() {
    auto file = std::make_shared<object::File>();
    file->source = source_;
    try {
        stored_definition(*file);
    } catch (Stop) {
    }
    return file;
}

object::Modification Parser::annotation() {
    try {
        expect(Word::Annotation, "`annotation`");
        object::Modification m = class_modification();
        if (!is(TokenKind::End)) unexpected("the end of the annotation");
        return m;
    } catch (Failure) {
    } catch (Stop) {
    }
    return {};
}

std::optional<object::Expression> Parser::single_expression() {
    try {
        object::Expression e = expression();
        if (!is(TokenKind::End)) unexpected("the end of the expression");
        if (errors_ == 0) return e;
    } catch (Failure) {
    } catch (Stop) {
    }
    return std::nullopt;
}

namespace {
Span whole_text(const Sources& sources, SourceId source) {
    return {source, 0, static_cast<std::uint32_t>(sources.text(source).size())};
}
}  // namespace

std::shared_ptr<object::File> parse_file(const Sources& sources, SourceId source, Diagnostics& diagnostics) {
    return Parser(sources.text(source), whole_text(sources, source), diagnostics).file();
}

object::Modification parse_annotation(const Sources& sources, Span span, Diagnostics& diagnostics) {
    if (!span.known()) return {};
    return Parser(sources.text(span.source), span, diagnostics).annotation();
}

std::optional<object::Expression> parse_expression(const Sources& sources, SourceId source,
                                                   Diagnostics& diagnostics) {
    const std::size_t before = diagnostics.error_count();
    auto e = Parser(sources.text(source), whole_text(sources, source), diagnostics).single_expression();
    return diagnostics.error_count() == before ? std::move(e) : std::nullopt;
}

}  // namespace cutset::modelica
