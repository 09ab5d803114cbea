#include "languages/modelica/tokens.h"

#include <array>
#include <cctype>

#include "base/utf8.h"
#include "languages/modelica/messages.h"

namespace cutset::modelica {

namespace {

constexpr auto word_spellings = std::to_array<std::string_view>(
    {"",           "algorithm", "and",         "annotation",    "block",     "break",       "class",
     "connect",    "connector", "constant",    "constrainedby", "der",       "discrete",    "each",
     "else",       "elseif",    "elsewhen",    "encapsulated",  "end",       "enumeration", "equation",
     "expandable", "extends",   "external",    "false",         "final",     "flow",        "for",
     "function",   "if",        "import",      "impure",        "in",        "initial",     "inner",
     "input",      "loop",      "model",       "not",           "operator",  "or",          "outer",
     "output",     "package",   "parameter",   "partial",       "protected", "public",      "pure",
     "record",     "redeclare", "replaceable", "return",        "stream",    "then",        "true",
     "type",       "when",      "while",       "within"});
static_assert(word_spellings.size() == static_cast<std::size_t>(Word::Within) + 1);

// Keywords by their first letter: the list above is sorted.
struct FirstLetters {
    std::array<std::uint8_t, 27> begin{};
    constexpr FirstLetters() {
        std::size_t w = 1;
        for (std::size_t letter = 0; letter < 26; ++letter) {
            begin[letter] = static_cast<std::uint8_t>(w);
            while (w < word_spellings.size() && word_spellings[w][0] == static_cast<char>('a' + letter)) ++w;
        }
        begin[26] = static_cast<std::uint8_t>(w);
    }
};
constexpr FirstLetters first_letters;
static_assert(first_letters.begin[26] == word_spellings.size());

Word keyword(std::string_view name) {
    if (name[0] < 'a' || name[0] > 'z') return Word::None;
    const auto letter = static_cast<std::size_t>(name[0] - 'a');
    for (std::size_t w = first_letters.begin[letter]; w < first_letters.begin[letter + 1]; ++w)
        if (word_spellings[w] == name) return static_cast<Word>(w);
    return Word::None;
}

bool letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool digit(char c) {
    return c >= '0' && c <= '9';
}

class Reader {
  public:
    Reader(std::string_view text, std::uint32_t begin, std::uint32_t end, SourceId source,
           Diagnostics& diagnostics)
        : text_(text.substr(0, end)), at_(begin), source_(source), diagnostics_(diagnostics) {
        tokens_.all.reserve((end - begin) / 6 + 8);
    }

    Tokens read() {
        if (at_ == 0 && text_.starts_with("\xEF\xBB\xBF")) at_ = 3;  // byte order mark
        for (skip_layout(); at_ < text_.size(); skip_layout()) next();
        const auto end = static_cast<std::uint32_t>(text_.size());
        tokens_.all.push_back({TokenKind::End, Word::None, Symbol::None, true, end, end});
        return std::move(tokens_);
    }

  private:
    char ahead(std::size_t n = 1) const { return at_ + n < text_.size() ? text_[at_ + n] : '\0'; }
    Span span(std::size_t begin, std::size_t end) const {
        return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }

    void skip_layout() {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '\n') line_start_ = true;
            if (c == ' ' || c == '\n' || c == '\t' || c == '\r' || c == '\f' || c == '\v')
                ++at_;
            else if (c == '/' && ahead() == '/')
                at_ = std::min(text_.find('\n', at_), text_.size());
            else if (c == '/' && ahead() == '*')
                block_comment();
            else
                return;
        }
    }

    void block_comment() {
        const std::size_t close = text_.find("*/", at_ + 2);
        if (close == std::string_view::npos) {
            diagnostics_.report(comment_without_end(span(at_, at_ + 2)));
            tokens_.cut_short = true;
            at_ = text_.size();
            return;
        }
        if (text_.substr(at_, close - at_).find('\n') != std::string_view::npos) line_start_ = true;
        at_ = close + 2;
    }

    void put(TokenKind kind, std::size_t length, Word word = Word::None, Symbol symbol = Symbol::None) {
        tokens_.all.push_back({kind, word, symbol, line_start_, static_cast<std::uint32_t>(at_),
                               static_cast<std::uint32_t>(at_ + length)});
        line_start_ = false;
        at_ += length;
    }

    void next() {
        const char c = text_[at_];
        if (letter(c)) {
            std::size_t n = 1;
            while (letter(ahead(n)) || digit(ahead(n))) ++n;
            const Word word = keyword(text_.substr(at_, n));
            put(word == Word::None ? TokenKind::Name : TokenKind::Keyword, n, word);
        } else if (digit(c) || (c == '.' && digit(ahead()))) {
            number();
        } else if (c == '"') {
            quoted('"', TokenKind::Text);
        } else if (c == '\'') {
            quoted('\'', TokenKind::Name);
        } else {
            symbol(c);
        }
    }

    // 12, 1.5, 1., .5, 2e-3
    void number() {
        std::size_t n = 0;
        bool real = false;
        while (digit(ahead(n))) ++n;
        if (ahead(n) == '.') {
            real = true;
            ++n;
            while (digit(ahead(n))) ++n;
        }
        if (ahead(n) == 'e' || ahead(n) == 'E') {
            std::size_t e = n + 1;
            if (ahead(e) == '+' || ahead(e) == '-') ++e;
            if (digit(ahead(e))) {
                real = true;
                n = e;
                while (digit(ahead(n))) ++n;
            }
        }
        put(real ? TokenKind::Real : TokenKind::Integer, n);
    }

    void quoted(char mark, TokenKind kind) {
        std::size_t n = 1;
        while (at_ + n < text_.size() && text_[at_ + n] != mark) {
            if (mark == '\'' && text_[at_ + n] == '\n') break;  // names do not go over lines
            n += text_[at_ + n] == '\\' ? 2 : 1;
        }
        if (at_ + n >= text_.size() || text_[at_ + n] != mark) {
            const bool name = kind == TokenKind::Name;
            const char before = at_ > 0 ? text_[at_ - 1] : ' ';
            const bool after_name = std::isalnum(static_cast<unsigned char>(before)) || before == '_';
            diagnostics_.report(name ? quoted_name_without_end(span(at_, at_ + 1), after_name)
                                     : text_without_end(span(at_, at_ + 1)));
            n = std::min(n, text_.size() - at_);
            if (!name) tokens_.cut_short = true;
            put(TokenKind::Bad, n);
            return;
        }
        put(kind, n + 1);
    }

    void symbol(char c) {
        const auto one = [&](Symbol s) { put(TokenKind::Symbol, 1, Word::None, s); };
        const auto two = [&](Symbol s) { put(TokenKind::Symbol, 2, Word::None, s); };
        const char after = ahead();
        switch (c) {
            case '(':
                return one(Symbol::LeftRound);
            case ')':
                return one(Symbol::RightRound);
            case '[':
                return one(Symbol::LeftSquare);
            case ']':
                return one(Symbol::RightSquare);
            case '{':
                return one(Symbol::LeftCurly);
            case '}':
                return one(Symbol::RightCurly);
            case ',':
                return one(Symbol::Comma);
            case ';':
                return one(Symbol::Semicolon);
            case '+':
                return one(Symbol::Plus);
            case '-':
                return one(Symbol::Minus);
            case '*':
                return one(Symbol::Star);
            case '/':
                return one(Symbol::Slash);
            case '^':
                return one(Symbol::Power);
            case ':':
                return after == '=' ? two(Symbol::Assign) : one(Symbol::Colon);
            case '=':
                return after == '=' ? two(Symbol::EqualEqual) : one(Symbol::Equal);
            case '>':
                return after == '=' ? two(Symbol::GreaterEqual) : one(Symbol::Greater);
            case '<':
                if (after == '=') return two(Symbol::LessEqual);
                return after == '>' ? two(Symbol::NotEqual) : one(Symbol::Less);
            case '.':
                if (after == '+') return two(Symbol::DotPlus);
                if (after == '-') return two(Symbol::DotMinus);
                if (after == '*') return two(Symbol::DotStar);
                if (after == '/') return two(Symbol::DotSlash);
                return after == '^' ? two(Symbol::DotPower) : one(Symbol::Dot);
            default:
                bad();
        }
    }

    void bad() {
        const std::size_t length = std::max<std::size_t>(character_length(text_.substr(at_)), 1);
        diagnostics_.report(bad_character(span(at_, at_ + length), text_.substr(at_, length)));
        put(TokenKind::Bad, length);
    }

    std::string_view text_;
    std::size_t at_;
    SourceId source_;
    Diagnostics& diagnostics_;
    Tokens tokens_;
    bool line_start_ = true;
};

}  // namespace

Tokens tokenize(std::string_view text, std::uint32_t begin, std::uint32_t end, SourceId source,
                Diagnostics& diagnostics) {
    return Reader(text, begin, end, source, diagnostics).read();
}

std::string_view spelling(Word word) {
    return word_spellings[static_cast<std::size_t>(word)];
}

std::string nearest_keyword(std::string_view name) {
    static const std::vector<std::string> words(word_spellings.begin() + 1, word_spellings.end());
    return name.size() < 3 ? "" : nearest_name(name, words);
}

std::string text_value(std::string_view written) {
    if (written.size() < 2) return {};
    written = written.substr(1, written.size() - 2);
    std::string out;
    out.reserve(written.size());
    for (std::size_t i = 0; i < written.size(); ++i) {
        if (written[i] != '\\' || i + 1 == written.size()) {
            out += written[i];
            continue;
        }
        switch (const char c = written[++i]) {
            case 'a':
                out += '\a';
                break;
            case 'b':
                out += '\b';
                break;
            case 'f':
                out += '\f';
                break;
            case 'n':
                out += '\n';
                break;
            case 'r':
                out += '\r';
                break;
            case 't':
                out += '\t';
                break;
            case 'v':
                out += '\v';
                break;
            default:
                out += c;  // ' " ? and the backslash; others stand for themselves
        }
    }
    return out;
}

}  // namespace cutset::modelica
