#include "languages/el/tokens.h"

#include <algorithm>
#include <functional>
#include <map>
#include <string>
#include <utility>

#include "base/letters.h"
#include "languages/el/messages.h"
#include "languages/el/syntax.h"
#include "languages/reading/scanner.h"

namespace cutset::el {

using reading::is_digit;
using reading::is_letter;

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
    {"TABLE_3D", Word::Table3D},
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

constexpr std::pair<std::string_view, Mark> symbols[] = {
    {"**", Mark::Power},      {":=", Mark::Causal},    {"+=", Mark::PlusAssign}, {"-=", Mark::MinusAssign},
    {"==", Mark::EqualEqual}, {"!=", Mark::NotEqual},  {"<=", Mark::LessEqual},  {">=", Mark::GreaterEqual},
    {"(", Mark::LeftRound},   {")", Mark::RightRound}, {"[", Mark::LeftSquare},  {"]", Mark::RightSquare},
    {"{", Mark::LeftBrace},   {"}", Mark::RightBrace}, {",", Mark::Comma},       {";", Mark::Semicolon},
    {".", Mark::Dot},         {":", Mark::Colon},      {"=", Mark::Assign},      {"+", Mark::Plus},
    {"-", Mark::Minus},       {"*", Mark::Star},       {"/", Mark::Slash},       {"'", Mark::Prime},
    {"<", Mark::Less},        {">", Mark::Greater},
};

// Most tokens that macros may stand for together.
constexpr std::size_t macro_limit = 1000000;

class Tokenizer : reading::Scanner<Token> {
  public:
    Tokenizer(std::string_view text, SourceId source, Diagnostics& diagnostics)
        : Scanner(text, source, diagnostics, error_limit / 2) {}

    std::vector<Token> run() {
        while (at_ < text_.size()) next();
        end_statement(at_, at_);
        add(TokenKind::End, 0);
        return std::move(tokens_);
    }

  private:
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

    // #include "file"; #define NAME what it stands for, to the end of the line; #LIBRARY_INFO … END
    // #LIBRARY_INFO is information for readers.
    void directive() {
        if (stands_here("#include")) return void(add(TokenKind::Keyword, 8).word = Word::Include);
        if (stands_here("#define")) return define();
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

    // The tokens of the rest of the line. Macros in them are those of before, so that none contains itself.
    void define() {
        const std::size_t begin = at_, end = line_end();
        at_ += std::string_view("#define").size();
        while (at_ < end && (peek() == ' ' || peek() == '\t')) ++at_;
        std::size_t n = 0;
        while (is_letter(peek(n)) || (n > 0 && is_digit(peek(n)))) ++n;
        const std::string macro(text_.substr(at_, n));
        const bool plain = n > 0 && peek(n) != '(';
        if (!plain) report(not_a_macro(span(begin, at_ + n)));
        at_ += n;
        const std::string_view whole = std::exchange(text_, text_.substr(0, end));
        std::vector<Token> outside = std::exchange(tokens_, {});
        while (at_ < text_.size()) next();
        text_ = whole;
        std::vector<Token> meaning = std::exchange(tokens_, std::move(outside));
        if (plain) macros_[macro] = std::move(meaning);
        depth_ = 0;
    }

    // False where the name is no macro.
    bool put_macro(std::string_view written, std::size_t size) {
        const auto at = macros_.find(written);
        if (at == macros_.end()) return false;
        from_macros_ += at->second.size();
        if (from_macros_ > macro_limit) {
            if (from_macros_ - at->second.size() <= macro_limit)
                report(macros_too_large(span(at_, at_ + size)));
        } else {
            tokens_.insert(tokens_.end(), at->second.begin(), at->second.end());
        }
        at_ += size;
        return true;
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
            report(reading::unterminated_text(span(at_, at_ + 1)));
            n = std::min(n, line_end() - at_);
            add(TokenKind::Text, n);
            return;
        }
        add(TokenKind::Text, n + 1);
    }

    void number() {
        bool real = false;
        const auto [size, stuck] = number_length(real);
        add(real ? TokenKind::Number : TokenKind::Integer, size);
        at_ += stuck;
    }

    void name() {
        const std::size_t n = name_length();
        const std::string_view written = text_.substr(at_, n);
        if (put_macro(written, n)) return;
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
        const std::size_t n = stray_length();
        report(stray_character(span(at_, at_ + n), text_.substr(at_, n)));
        at_ += n;
    }

    int depth_ = 0;
    std::map<std::string, std::vector<Token>, std::less<>> macros_;
    std::size_t from_macros_ = 0;
};

}  // namespace

std::vector<Token> tokenize(std::string_view text, SourceId source, Diagnostics& diagnostics) {
    return Tokenizer(text, source, diagnostics).run();
}

std::string word_in_lower_case(std::string_view name) {
    const std::string upper = upper_case(name);
    if (upper == name) return "";
    for (const auto& [text, w] : words)
        if (upper == text) return upper;
    return "";
}

std::string_view spelling(Word word) {
    for (const auto& [text, w] : words)
        if (w == word) return text;
    return {};
}

}  // namespace cutset::el
