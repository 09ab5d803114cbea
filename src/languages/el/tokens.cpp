#include "languages/el/tokens.h"

#include <algorithm>
#include <utility>

#include "languages/el/messages.h"
#include "languages/el/syntax.h"

namespace cutset::el {

namespace {

constexpr std::pair<std::string_view, Word> words[] = {
    {"ABSTRACT", Word::Abstract},
    {"AFTER", Word::After},
    {"ALG", Word::Alg},
    {"AND", Word::And},
    {"ASSERT", Word::Assert},
    {"AT", Word::At},
    {"BODY", Word::Body},
    {"BOOLEAN", Word::Boolean},
    {"BOUND", Word::Bound},
    {"BOUNDS", Word::Bounds},
    {"BREAK", Word::Break},
    {"CARDINALITY", Word::Cardinality},
    {"CLOSE", Word::Close},
    {"COMPONENT", Word::Component},
    {"CONNECT", Word::Connect},
    {"CONST", Word::Const},
    {"CONTINUE", Word::Continue},
    {"CONTINUOUS", Word::Continuous},
    {"DATA", Word::Data},
    {"DECLS", Word::Decls},
    {"DISCR", Word::Discr},
    {"DISCRETE", Word::Discrete},
    {"ELSE", Word::Else},
    {"ELSEIF", Word::ElseIf},
    {"END", Word::End},
    {"ENUM", Word::Enum},
    {"EQUAL", Word::Equal},
    {"EXCEPT", Word::Except},
    {"EXPAND", Word::Expand},
    {"EXPAND_BLOCK", Word::ExpandBlock},
    {"EXPERIMENT", Word::Experiment},
    {"EXPL", Word::Expl},
    {"FALSE", Word::False},
    {"FILEPATH", Word::Filepath},
    {"FOR", Word::For},
    {"FUNCTION", Word::Function},
    {"HIDDEN", Word::Hidden},
    {"IF", Word::If},
    {"IMPL", Word::Impl},
    {"IN", Word::In},
    {"INIT", Word::Init},
    {"INSERT", Word::Insert},
    {"INTEGER", Word::Integer},
    {"INVERSE", Word::Inverse},
    {"IS_A", Word::IsA},
    {"LIBRARY", Word::Library},
    {"NOT", Word::Not},
    {"OBJECTS", Word::Objects},
    {"ON", Word::On},
    {"OR", Word::Or},
    {"OTHERS", Word::Others},
    {"OUT", Word::Out},
    {"PARTITION", Word::Partition},
    {"PATH", Word::Path},
    {"PORT", Word::Port},
    {"PORTS", Word::Ports},
    {"PRIORITY", Word::Priority},
    {"PRIVATE", Word::Private},
    {"RANGE", Word::Range},
    {"REAL", Word::Real},
    {"RETURN", Word::Return},
    {"SEQUENTIAL", Word::Sequential},
    {"SET_OF", Word::SetOf},
    {"SINGLE", Word::Single},
    {"STATES", Word::States},
    {"STOP", Word::Stop},
    {"STRING", Word::String},
    {"SUM", Word::Sum},
    {"TABLE_1D", Word::Table1D},
    {"TABLE_2D", Word::Table2D},
    {"THEN", Word::Then},
    {"TO", Word::To},
    {"TOL", Word::Tol},
    {"TOPOLOGY", Word::Topology},
    {"TRUE", Word::True},
    {"UNITS", Word::Units},
    {"UNKNOWN", Word::Unknown},
    {"USE", Word::Use},
    {"VERSION", Word::Version},
    {"WHEN", Word::When},
    {"WHILE", Word::While},
    {"ZONE", Word::Zone},
};

// Words that mean something in one place only, and are names elsewhere.
bool may_be_name(Word w) {
    return w == Word::On || w == Word::Partition || w == Word::States || w == Word::Unknown ||
           w == Word::Version || w == Word::Tol;
}

bool is_digit(char c) {
    return c >= '0' && c <= '9';
}
bool is_letter(char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}

constexpr std::pair<std::string_view, Mark> symbols[] = {
    {"**", Mark::Power},      {":=", Mark::Causal},    {"+=", Mark::PlusAssign}, {"-=", Mark::MinusAssign},
    {"==", Mark::EqualEqual}, {"!=", Mark::NotEqual},  {"<=", Mark::LessEqual},  {">=", Mark::GreaterEqual},
    {"(", Mark::LeftRound},   {")", Mark::RightRound}, {"[", Mark::LeftSquare},  {"]", Mark::RightSquare},
    {"{", Mark::LeftBrace},   {"}", Mark::RightBrace}, {",", Mark::Comma},       {";", Mark::Semicolon},
    {".", Mark::Dot},         {":", Mark::Colon},      {"=", Mark::Assign},      {"+", Mark::Plus},
    {"-", Mark::Minus},       {"*", Mark::Star},       {"/", Mark::Slash},       {"'", Mark::Prime},
    {"<", Mark::Less},        {">", Mark::Greater},
};

class Tokenizer {
  public:
    Tokenizer(std::string_view text, SourceId source, Diagnostics& diagnostics)
        : text_(text), source_(source), diagnostics_(diagnostics) {}

    std::vector<Token> run() {
        while (at_ < text_.size()) next();
        end_statement(at_, at_);
        add(TokenKind::End, 0);
        return std::move(tokens_);
    }

  private:
    char peek(std::size_t i = 0) const { return at_ + i < text_.size() ? text_[at_ + i] : '\0'; }
    bool stands_here(std::string_view what) const { return text_.substr(at_, what.size()) == what; }
    Span span(std::size_t begin, std::size_t end) const {
        return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }
    Token& add(TokenKind kind, std::size_t size) {
        Token t;
        t.kind = kind;
        t.begin = static_cast<std::uint32_t>(at_);
        t.end = static_cast<std::uint32_t>(at_ + size);
        at_ += size;
        return tokens_.emplace_back(t);
    }
    void report(Diagnostic d) {
        if (++reported_ <= error_limit / 2) diagnostics_.report(std::move(d));
    }

    void end_statement(std::size_t begin, std::size_t end) {
        if (tokens_.empty() || tokens_.back().kind == TokenKind::EndOfStatement) return;
        Token t;
        t.kind = TokenKind::EndOfStatement;
        t.begin = static_cast<std::uint32_t>(begin);
        t.end = static_cast<std::uint32_t>(end);
        tokens_.push_back(t);
        depth_ = 0;
    }

    void next() {
        const char c = peek();
        if (c == ' ' || c == '\t' || c == '\r' || c == '\f') return void(++at_);
        if (stands_here("\xEF\xBB\xBF")) return void(at_ += 3);
        if (c == '\n') return new_line();
        if (c == '\\') return continuation();
        if (c == '#') return directive();
        if (stands_here("--") || stands_here("//")) return void(at_ = line_end());
        if (stands_here("/*")) return comment();
        if (c == '&') {
            end_statement(at_, at_ + 1);
            return void(++at_);
        }
        if (c == '"') return quoted();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
        if (is_letter(c)) return name();
        mark();
    }

    std::size_t line_end() const {
        const std::size_t n = text_.find('\n', at_);
        return n == std::string_view::npos ? text_.size() : n;
    }

    // A bracket that is still open where the next line begins with a word that begins a block was forgotten.
    void new_line() {
        if (depth_ == 0 && !asks_for_more()) end_statement(at_, at_ + 1);
        if (depth_ > 0 && block_follows()) end_statement(at_, at_ + 1);
        ++at_;
    }
    bool asks_for_more() const {
        if (tokens_.empty()) return false;
        const Token& t = tokens_.back();
        if (t.word == Word::And || t.word == Word::Or || t.word == Word::Not) return true;
        switch (t.mark) {
            case Mark::Comma:
            case Mark::Assign:
            case Mark::Causal:
            case Mark::Plus:
            case Mark::Minus:
            case Mark::Star:
            case Mark::Slash:
            case Mark::Power:
            case Mark::EqualEqual:
            case Mark::NotEqual:
            case Mark::LessEqual:
            case Mark::GreaterEqual:
                return true;
            default:
                return false;
        }
    }
    bool block_follows() const {
        std::size_t i = at_;
        while (i < text_.size() &&
               (text_[i] == '\n' || text_[i] == ' ' || text_[i] == '\t' || text_[i] == '\r'))
            ++i;
        std::size_t n = i;
        while (n < text_.size() && is_letter(text_[n])) ++n;
        const std::string_view word = text_.substr(i, n - i);
        for (std::string_view begins :
             {"COMPONENT", "PORTS", "DATA", "DECLS", "TOPOLOGY", "INIT", "DISCRETE", "CONTINUOUS", "END",
              "EXPERIMENT", "BOUNDS", "BODY", "PORT", "FUNCTION", "WHEN"})
            if (word == begins) return true;
        return false;
    }

    void continuation() {
        const std::size_t begin = at_++;
        while (peek() == ' ' || peek() == '\t' || peek() == '\r') ++at_;
        if (stands_here("--") || stands_here("//")) at_ = line_end();
        if (at_ < text_.size() && peek() != '\n') report(stray_character(span(begin, begin + 1), "\\"));
        if (at_ < text_.size() && peek() == '\n') ++at_;
    }

    // #include and #define are refused; #LIBRARY_INFO … END #LIBRARY_INFO is information for readers.
    void directive() {
        constexpr std::string_view information = "#LIBRARY_INFO";
        if (stands_here(information)) {
            const std::size_t close = text_.find("#LIBRARY_INFO", at_ + information.size());
            if (close == std::string_view::npos) {
                report(unterminated_comment(span(at_, at_ + information.size())));
                return void(at_ = text_.size());
            }
            return void(at_ = close + information.size());
        }
        std::size_t n = 1;
        while (is_letter(peek(n))) ++n;
        report(unsupported_directive(span(at_, at_ + n), text_.substr(at_, n)));
        at_ = line_end();
    }

    void comment() {
        const std::size_t close = text_.find("*/", at_ + 2);
        if (close == std::string_view::npos) {
            report(unterminated_comment(span(at_, at_ + 2)));
            return void(at_ = text_.size());
        }
        at_ = close + 2;
    }

    void quoted() {
        std::size_t n = 1;
        while (at_ + n < text_.size() && peek(n) != '\n' && peek(n) != '"') n += peek(n) == '\\' ? 2 : 1;
        n = std::min(n, text_.size() - at_);
        if (peek(n) != '"') {
            report(unterminated_text(span(at_, at_ + 1)));
            n = std::min(n, line_end() - at_);
            add(TokenKind::Text, n);
            return;
        }
        add(TokenKind::Text, n + 1);
    }

    void number() {
        std::size_t n = 0;
        bool real = false;
        while (is_digit(peek(n))) ++n;
        if (peek(n) == '.') {
            real = true;
            ++n;
            while (is_digit(peek(n))) ++n;
        }
        if (peek(n) == 'e' || peek(n) == 'E') {
            std::size_t m = n + 1;
            if (peek(m) == '+' || peek(m) == '-') ++m;
            if (is_digit(peek(m))) {
                while (is_digit(peek(m))) ++m;
                n = m;
                real = true;
            }
        }
        std::size_t bad = n;
        while (is_letter(peek(bad)) || is_digit(peek(bad))) ++bad;
        if (bad > n) report(malformed_number(span(at_, at_ + bad), text_.substr(at_, bad)));
        Token& t = add(real ? TokenKind::Number : TokenKind::Integer, n);
        at_ += bad - n;
        (void)t;
    }

    void name() {
        std::size_t n = 1;
        while (is_letter(peek(n)) || is_digit(peek(n))) ++n;
        const std::string_view written = text_.substr(at_, n);
        Word word = Word::None;
        for (const auto& [text, w] : words)
            if (text == written) word = w;
        add(word == Word::None || may_be_name(word) ? TokenKind::Name : TokenKind::Keyword, n).word = word;
    }

    void mark() {
        for (const auto& [text, symbol] : symbols)
            if (stands_here(text)) {
                if (symbol == Mark::LeftRound || symbol == Mark::LeftSquare || symbol == Mark::LeftBrace)
                    ++depth_;
                if (depth_ > 0 &&
                    (symbol == Mark::RightRound || symbol == Mark::RightSquare || symbol == Mark::RightBrace))
                    --depth_;
                add(TokenKind::Mark, text.size()).mark = symbol;
                return;
            }
        std::size_t n = 1;
        while ((static_cast<unsigned char>(peek(n)) & 0xC0) == 0x80) ++n;
        report(stray_character(span(at_, at_ + n), text_.substr(at_, n)));
        at_ += n;
    }

    std::string_view text_;
    SourceId source_;
    Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
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

}  // namespace cutset::el
