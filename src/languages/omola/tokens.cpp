#include "languages/omola/tokens.h"

#include <string>
#include <utility>

#include "languages/omola/messages.h"
#include "languages/omola/syntax.h"
#include "languages/reading/scanner.h"

namespace cutset::omola {

using reading::is_digit;
using reading::is_letter;

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

Word word_of(std::string_view written) {
    std::string upper;
    for (char c : written) upper += c >= 'a' && c <= 'z' ? static_cast<char>(c - 'a' + 'A') : c;
    for (const auto& [text, word] : words)
        if (text == upper) return word;
    return Word::None;
}

class Tokenizer : reading::Scanner<Token> {
  public:
    Tokenizer(std::string_view text, SourceId source, Diagnostics& diagnostics)
        : Scanner(text, source, diagnostics, error_limit / 2) {}

    std::vector<Token> run() {
        while (at_ < text_.size()) next();
        add(TokenKind::End, 0);
        return std::move(tokens_);
    }

  private:
    Token& add(TokenKind kind, std::size_t size) {
        Token& t = Scanner::add(kind, size);
        t.line_start = std::exchange(line_start_, false);
        return t;
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
            const std::size_t n = name_length();
            const Word word = word_of(text_.substr(at_, n));
            add(word == Word::None ? TokenKind::Name : TokenKind::Word, n).word = word;
            return;
        }
        for (const auto& [text, mark] : marks)
            if (text_.substr(at_, text.size()) == text) {
                add(TokenKind::Mark, text.size()).mark = mark;
                return;
            }
        const std::size_t n = stray_length();
        report(stray_character(span(at_, at_ + n), text_.substr(at_, n)));
        at_ += n;
    }

    void quoted() {
        std::size_t n = 1;
        while (at_ + n < text_.size() && peek(n) != '"' && peek(n) != '\n') ++n;
        if (peek(n) != '"') {
            report(reading::unterminated_text(span(at_, at_ + 1)));
            add(TokenKind::Text, n);
            return;
        }
        add(TokenKind::Text, n + 1);
    }

    void number() {
        bool real = false;
        const auto [size, stuck] = number_length(real);
        add(TokenKind::Number, size);
        at_ += stuck;
    }

    bool line_start_ = true;
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
