#include "languages/el/parser.h"

#include "base/foreign_words.h"
#include "languages/el/messages.h"
#include "languages/el/parse.h"

namespace cutset::el {

Parser::Parser(const Sources& sources, SourceId source, Diagnostics& diagnostics)
    : ExpressionReader(sources, source, diagnostics, tokenize(sources.text(source), source, diagnostics)) {}

bool Parser::at_end_of_statement() const {
    return now().kind == TokenKind::EndOfStatement || now().kind == TokenKind::End;
}

void Parser::end_statement() {
    if (!at_end_of_statement()) unexpected("the end of the statement");
    if (now().kind == TokenKind::EndOfStatement) ++at_;
}

void Parser::skip_statement_ends() {
    while (now().kind == TokenKind::EndOfStatement) ++at_;
}

void Parser::skip_rest() {
    while (!at_end_of_statement()) ++at_;
    skip_statement_ends();
}

std::string Parser::name(std::string_view wanted, Span* where) {
    if (now().kind != TokenKind::Name) {
        if (now().kind == TokenKind::Keyword) {
            report(keyword_as_name(span(now()), text(now()), wanted));
            throw GiveUp{};
        }
        unexpected(wanted);
    }
    if (where) *where = span(now());
    return std::string(text(tokens_[at_++]));
}

std::string Parser::quoted() {
    if (now().kind != TokenKind::Text) unexpected("a text in quotes");
    std::string_view written = text(tokens_[at_++]);
    written.remove_prefix(1);
    if (!written.empty() && written.back() == '"') written.remove_suffix(1);
    std::string out;
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (written[i] != '\\' || i + 1 >= written.size()) {
            out += written[i];
            continue;
        }
        const char c = written[++i];
        out += c == 'n' ? '\n' : c == 't' ? '\t' : c;
    }
    return out;
}

void Parser::unexpected(std::string_view wanted) {
    if (at_end_of_statement())
        report(ends_early(span(now()), wanted));
    else
        report(reading::expected(span(now()), wanted, text(now()), habit_help()));
    throw GiveUp{};
}

// What stands in this statement up to here is a habit of other languages.
std::string Parser::habit_help() const {
    const std::string_view found = text(now());
    if (found == ";") return "a statement ends with its line: take the `;` away";
    std::size_t begin = at_;
    while (begin > 0 && tokens_[begin - 1].kind != TokenKind::EndOfStatement) --begin;
    for (std::size_t i = begin; i <= at_; ++i)
        if (const std::string word = word_in_lower_case(text(tokens_[i])); !word.empty())
            return "words of EL are in upper case: `" + word + "`";
    return decimal_comma_help(sources_.text(source_), now().begin);
}

// Whether what stands at the beginning of this line can stand outside of components only.
bool Parser::begins_declaration() const {
    switch (now().word) {
        case Word::Abstract:
        case Word::Component:
        case Word::Port:
        case Word::Function:
        case Word::Partition:
        case Word::Experiment:
        case Word::Library:
        case Word::Include:
        case Word::Use:
            return true;
        default:
            return false;
    }
}

File Parser::file() {
    File out;
    out.source = source_;
    skip_statement_ends();
    while (now().kind != TokenKind::End) {
        const std::size_t before = at_;
        try {
            top_level(out);
        } catch (GiveUp) {
            do skip_rest();
            while (now().kind != TokenKind::End && !begins_declaration());
        }
        if (at_ == before) ++at_;
        skip_statement_ends();
    }
    return out;
}

File parse_file(const Sources& sources, SourceId source, Diagnostics& diagnostics) {
    return Parser(sources, source, diagnostics).file();
}

}  // namespace cutset::el
