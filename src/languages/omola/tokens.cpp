#include "languages/omola/tokens.h"

#include <string>
#include <utility>

#include "languages/omola/messages.h"
#include "languages/omola/syntax.h"

namespace cutset::omola {

namespace {

constexpr std::pair<std::string_view, Word> words[] = {
    {"AND", Word::And},       {"AT", Word::At},           {"DO", Word::Do},     {"ELSE", Word::Else},
    {"END", Word::End},       {"FALSE", Word::False},     {"FOR", Word::For},   {"IF", Word::If},
    {"IS", Word::Is},         {"ISA", Word::Isa},         {"NOT", Word::Not},   {"OR", Word::Or},
    {"SELECT", Word::Select}, {"THEN", Word::Then},       {"TO", Word::To},     {"TRUE", Word::True},
    {"TYPE", Word::Type},     {"UNKNOWN", Word::Unknown}, {"USES", Word::Uses}, {"WHEN", Word::When},
    {"WITH", Word::With},
};

constexpr std::pair<std::string_view, Mark> marks[] = {
    {":=", Mark::Assign},     {"<>", Mark::NotEqual}, {"<=", Mark::LessEqual}, {">=", Mark::GreaterEqual},
    {"==", Mark::EqualEqual}, {"(", Mark::LeftRound}, {")", Mark::RightRound}, {"[", Mark::LeftSquare},
    {"]", Mark::RightSquare}, {",", Mark::Comma},     {";", Mark::Semicolon},  {":", Mark::Colon},
    {".", Mark::Dot},         {"=", Mark::Equal},     {"<", Mark::Less},       {">", Mark::Greater},
    {"+", Mark::Plus},        {"-", Mark::Minus},     {"*", Mark::Star},       {"/", Mark::Slash},
    {"^", Mark::Power},       {"'", Mark::Prime},
};

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

Word word_of(std::string_view written) {
    std::string upper;
    for (char c : written) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    for (const auto& [text, word] : words)
        if (text == upper) return word;
    return Word::None;
}

class Tokenizer {
  public:
    Tokenizer(std::string_view text, SourceId source, Diagnostics& diagnostics)
        : text_(text), source_(source), diagnostics_(diagnostics) {}

    std::vector<Token> run() {
        while (at_ < text_.size()) next();
        add(TokenKind::End, 0);
        return std::move(tokens_);
    }

  private:
    char peek(std::size_t i = 0) const { return at_ + i < text_.size() ? text_[at_ + i] : '\0'; }
    Span span(std::size_t size) const {
        return {source_, static_cast<std::uint32_t>(at_), static_cast<std::uint32_t>(at_ + size)};
    }
    Token& add(TokenKind kind, std::size_t size) {
        Token t;
        t.kind = kind;
        t.line_start = std::exchange(line_start_, false);
        t.begin = static_cast<std::uint32_t>(at_);
        at_ += size;
        t.end = static_cast<std::uint32_t>(at_);
        return tokens_.emplace_back(t);
    }
    void report(Diagnostic d) {
        if (++reported_ <= error_limit / 2) diagnostics_.report(std::move(d));
    }

    void next() {
        const char c = peek();
        if (c == '\n') line_start_ = true;
        if (c == '\n' || c == ' ' || c == '\t' || c == '\r' || c == '\f') return void(++at_);
        if (text_.substr(at_, 3) == "\xEF\xBB\xBF") return void(at_ += 3);
        if (c == '%') {
            while (at_ < text_.size() && peek() != '\n') ++at_;
            return;
        }
        if (c == '"') return quoted();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
        if (is_letter(c)) {
            std::size_t n = 1;
            while (is_letter(peek(n)) || is_digit(peek(n))) ++n;
            const Word word = word_of(text_.substr(at_, n));
            add(word == Word::None ? TokenKind::Name : TokenKind::Word, n).word = word;
            return;
        }
        for (const auto& [text, mark] : marks)
            if (text_.substr(at_, text.size()) == text) {
                add(TokenKind::Mark, text.size()).mark = mark;
                return;
            }
        std::size_t n = 1;
        while ((static_cast<unsigned char>(peek(n)) & 0xC0) == 0x80) ++n;
        report(stray_character(span(n), text_.substr(at_, n)));
        at_ += n;
    }

    void quoted() {
        std::size_t n = 1;
        while (at_ + n < text_.size() && peek(n) != '"' && peek(n) != '\n') ++n;
        if (peek(n) != '"') {
            report(unterminated_text(span(1)));
            add(TokenKind::Text, n);
            return;
        }
        add(TokenKind::Text, n + 1);
    }

    void number() {
        std::size_t n = 0;
        while (is_digit(peek(n))) ++n;
        if (peek(n) == '.') {
            ++n;
            while (is_digit(peek(n))) ++n;
        }
        if (peek(n) == 'e' || peek(n) == 'E') {
            std::size_t m = n + 1;
            if (peek(m) == '+' || peek(m) == '-') ++m;
            if (is_digit(peek(m))) {
                while (is_digit(peek(m))) ++m;
                n = m;
            }
        }
        std::size_t bad = n;
        while (is_letter(peek(bad)) || is_digit(peek(bad))) ++bad;
        if (bad > n) report(malformed_number(span(bad), text_.substr(at_, bad)));
        add(TokenKind::Number, n);
        at_ += bad - n;
    }

    std::string_view text_;
    SourceId source_;
    Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    bool line_start_ = true;
    int reported_ = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, SourceId source, Diagnostics& diagnostics) {
    return Tokenizer(text, source, diagnostics).run();
}

std::string_view spelling(Word word) {
    for (const auto& [text, w] : words)
        if (w == word) return text;
    return {};
}

}  // namespace cutset::omola
