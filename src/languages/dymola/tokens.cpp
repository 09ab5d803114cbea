#include "languages/dymola/tokens.h"

#include <algorithm>
#include <array>
#include <string>
#include <utility>

#include "languages/dymola/messages.h"
#include "languages/dymola/parse.h"

namespace cutset::dymola {

namespace {

// In the order of the enumeration.
constexpr std::array<std::string_view, 47> words = {
    "",         "model",    "type",    "submodel", "parameter", "constant", "local",     "discrete",
    "terminal", "input",    "output",  "default",  "internal",  "external", "structure", "cut",
    "main",     "node",     "path",    "connect",  "at",        "to",       "from",      "par",
    "loop",     "reversed", "for",     "do",       "begin",     "end",      "if",        "then",
    "elseif",   "else",     "case",    "of",       "when",      "elsewhen", "valid",     "initial",
    "table",    "function", "returns", "library",  "and",       "or",       "not"};
static_assert(static_cast<std::size_t>(Word::Not) + 1 == words.size());

// The words sorted, each with its number, so that a name is looked up by bisection.
struct Entry {
    std::string_view text;
    Word word;
};
constexpr auto sorted_words = [] {
    std::array<Entry, words.size() - 1> out{};
    for (std::size_t i = 1; i < words.size(); ++i) out[i - 1] = {words[i], static_cast<Word>(i)};
    std::sort(out.begin(), out.end(), [](const Entry& a, const Entry& b) { return a.text < b.text; });
    return out;
}();

bool is_letter(unsigned char c) {
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_';
}
bool is_digit(unsigned char c) {
    return c >= '0' && c <= '9';
}
bool is_name_part(unsigned char c) {
    return is_letter(c) || is_digit(c);
}

class Lexer {
  public:
    Lexer(std::string_view text, SourceId source, Diagnostics& diagnostics, bool& cut_short)
        : text_(text), source_(source), diagnostics_(diagnostics), cut_short_(cut_short) {}

    std::vector<Token> run() {
        // Where there are fewer, the rest of the memory is not touched.
        tokens_.reserve(text_.size() * 2 / 3 + 8);
        if (text_.substr(0, 3) == "\xEF\xBB\xBF") add(TokenKind::Blank, 3);  // byte order mark
        while (at_ < text_.size()) next();
        return std::move(tokens_);
    }

  private:
    unsigned char peek(std::size_t ahead = 0) const {
        return at_ + ahead < text_.size() ? static_cast<unsigned char>(text_[at_ + ahead]) : 0;
    }
    Span span(std::size_t begin, std::size_t end) const {
        return {source_, static_cast<std::uint32_t>(begin), static_cast<std::uint32_t>(end)};
    }

    Token& add(TokenKind kind, std::size_t length) {
        Token t;
        t.kind = kind;
        t.begin = static_cast<std::uint32_t>(at_);
        t.end = static_cast<std::uint32_t>(at_ + length);
        t.blank_before = layout_before_;
        t.line_start = line_start_;
        const bool layout = kind >= TokenKind::Comment && kind <= TokenKind::Continuation;
        layout_before_ = layout;
        if (kind == TokenKind::NewLine)
            line_start_ = true;
        else if (!layout)
            line_start_ = false;
        at_ += length;
        tokens_.push_back(t);
        return tokens_.back();
    }

    void symbol(Symbol s, std::size_t length) { add(TokenKind::Symbol, length).symbol = s; }

    void next() {
        const unsigned char c = peek();
        if (c == '\n') return void(add(TokenKind::NewLine, 1));
        if (c == '\r')
            return void(
                add(peek(1) == '\n' ? TokenKind::NewLine : TokenKind::Blank, peek(1) == '\n' ? 2 : 1));
        if (c == ' ' || c == '\t' || c == '\f' || c == '\v') {
            std::size_t n = 1;
            while (peek(n) == ' ' || peek(n) == '\t' || peek(n) == '\f' || peek(n) == '\v') ++n;
            return void(add(TokenKind::Blank, n));
        }
        if (c == 0xC2 && peek(1) == 0xA0) return void(add(TokenKind::Blank, 2));  // non-breaking space
        if (c == '{') return comment();
        if (c == '-' && peek(1) == '-' && (line_start_ || layout_before_)) {
            std::size_t n = text_.find('\n', at_);
            if (n == std::string_view::npos) n = text_.size();
            if (n > at_ && text_[n - 1] == '\r') --n;
            return void(add(TokenKind::Comment, n - at_));
        }
        if (c == '"') return quoted();
        if (is_digit(c) || (c == '.' && is_digit(peek(1)))) return number();
        if (is_letter(c)) return name();
        if (c >= 0x80) return foreign();
        marks(c);
    }

    void comment() {
        const std::size_t close = text_.find('}', at_);
        if (close == std::string_view::npos) {
            diagnostics_.report(unterminated_comment(span(at_, at_ + 1)));
            cut_short_ = true;
            return void(add(TokenKind::Comment, text_.size() - at_));
        }
        const std::size_t inner = text_.find('{', at_ + 1);
        if (inner < close)
            diagnostics_.report(comment_in_comment(span(inner, inner + 1), span(at_, at_ + 1)));
        add(TokenKind::Comment, close + 1 - at_);
    }

    void quoted() {
        std::size_t n = 1;
        while (at_ + n < text_.size() && peek(n) != '\n') {
            if (peek(n) == '"') {
                if (peek(n + 1) != '"') return void(add(TokenKind::Text, n + 1));
                ++n;
            }
            ++n;
        }
        if (n > 1 && peek(n - 1) == '\r') --n;
        // Half of the limit, so that those of the parser find their place beside them.
        const TokenKind before = tokens_.empty() ? TokenKind::Blank : tokens_.back().kind;
        if (++reported_ <= error_limit / 2)
            diagnostics_.report(unterminated_text(span(at_, at_ + 1), before == TokenKind::Name));
        add(TokenKind::Text, n).malformed = true;
    }

    void number() {
        std::size_t n = 0;
        bool malformed = false;
        while (is_digit(peek(n))) ++n;
        if (peek(n) == '.' && peek(n + 1) != '.') {
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
        // What still hangs on to it makes it none of the forms of a number: 1.2.3, 5e, 2x.
        while (is_name_part(peek(n)) || (peek(n) == '.' && is_digit(peek(n + 1)))) {
            malformed = true;
            ++n;
        }
        add(TokenKind::Number, n).malformed = malformed;
    }

    void name() {
        std::size_t n = 1;
        bool foreign_letters = false;
        while (is_name_part(peek(n)) ||
               (peek(n) >= 0x80 && !(peek(n) == 0xC2 && peek(n + 1) == 0xA0) && peek(n) != 0xE2)) {
            foreign_letters = foreign_letters || peek(n) >= 0x80;
            ++n;
        }
        if (foreign_letters) return void(add(TokenKind::Bad, n));
        const Word word = keyword(text_.substr(at_, n));
        add(word == Word::None ? TokenKind::Name : TokenKind::Keyword, n).word = word;
    }

    // A name in letters beyond a–z, or one foreign character.
    void foreign() {
        std::size_t n = 1;
        while ((peek(n) & 0xC0) == 0x80) ++n;
        if (peek() != 0xE2 && peek() != 0xC2)
            while (is_name_part(peek(n)) || peek(n) >= 0x80) ++n;
        add(TokenKind::Bad, n);
    }

    void marks(unsigned char c) {
        const unsigned char d = peek(1);
        switch (c) {
            case '(':
                return symbol(Symbol::LeftRound, 1);
            case ')':
                return symbol(Symbol::RightRound, 1);
            case '[':
                return symbol(Symbol::LeftSquare, 1);
            case ']':
                return symbol(Symbol::RightSquare, 1);
            case ',':
                return symbol(Symbol::Comma, 1);
            case ';':
                return symbol(Symbol::Semicolon, 1);
            case '+':
                return symbol(Symbol::Plus, 1);
            case '^':
                return symbol(Symbol::Power, 1);
            case '\\':
                return symbol(Symbol::Backslash, 1);
            case '\'':
                return symbol(Symbol::Prime, 1);
            case '?':
                return symbol(Symbol::Question, 1);
            case '.':
                return d == '.' ? symbol(Symbol::DotDot, 2) : symbol(Symbol::Dot, 1);
            case ':':
                if (d == ':') return symbol(Symbol::ColonColon, 2);
                return d == '=' ? symbol(Symbol::Assign, 2) : symbol(Symbol::Colon, 1);
            case '*':
                return d == '*' ? symbol(Symbol::Power, 2) : symbol(Symbol::Star, 1);
            case '/':
                return d == '/' ? symbol(Symbol::SlashSlash, 2) : symbol(Symbol::Slash, 1);
            case '=':
                return d == '=' ? symbol(Symbol::EqualEqual, 2) : symbol(Symbol::Equal, 1);
            case '<':
                if (d == '>') return symbol(Symbol::NotEqual, 2);
                return d == '=' ? symbol(Symbol::LessEqual, 2) : symbol(Symbol::Less, 1);
            case '>':
                return d == '=' ? symbol(Symbol::GreaterEqual, 2) : symbol(Symbol::Greater, 1);
            case '!':
            case '~':
                return d == '=' ? symbol(Symbol::BangEqual, 2) : symbol(Symbol::Bang, 1);
            case '&':
                return d == '&' ? symbol(Symbol::AndAnd, 2) : void(add(TokenKind::Bad, 1));
            case '|':
                return d == '|' ? symbol(Symbol::OrOr, 2) : void(add(TokenKind::Bad, 1));
            case '-':
                if (d == '>' && rest_of_line_is_layout(at_ + 2)) return void(add(TokenKind::Continuation, 2));
                return symbol(Symbol::Minus, 1);
            default:
                add(TokenKind::Bad, 1);
        }
    }

    bool rest_of_line_is_layout(std::size_t i) const {
        while (i < text_.size() && (text_[i] == ' ' || text_[i] == '\t' || text_[i] == '\r')) ++i;
        return i >= text_.size() || text_[i] == '\n' || text_[i] == '{' || text_.substr(i, 2) == "--";
    }

    std::string_view text_;
    SourceId source_;
    Diagnostics& diagnostics_;
    bool& cut_short_;
    int reported_ = 0;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    bool layout_before_ = true;
    bool line_start_ = true;
};

bool is_layout(TokenKind k) {
    return k >= TokenKind::Comment && k <= TokenKind::Continuation;
}

// Words that begin a statement and stand nowhere else.
bool begins_statement(const Token& t) {
    switch (t.word) {
        case Word::Model:
        case Word::Submodel:
        case Word::Parameter:
        case Word::Constant:
        case Word::Local:
        case Word::Discrete:
        case Word::Terminal:
        case Word::Input:
        case Word::Output:
        case Word::Default:
        case Word::Internal:
        case Word::External:
        case Word::Structure:
        case Word::Cut:
        case Word::Main:
        case Word::Node:
        case Word::Path:
        case Word::Connect:
        case Word::For:
        case Word::Begin:
        case Word::End:
        case Word::Case:
        case Word::When:
        case Word::Elsewhen:
        case Word::Valid:
        case Word::Initial:
        case Word::Table:
        case Word::Function:
        case Word::Library:
            return true;
        default:
            return false;
    }
}

// After these a statement goes on in the next line.
bool asks_for_more(const Token& t, bool in_path, bool in_list) {
    switch (t.word) {
        case Word::Then:
        case Word::Else:
        case Word::Elseif:
            return true;
        case Word::At:
        case Word::To:
        case Word::From:
        case Word::Par:
        case Word::Loop:
        case Word::Reversed:
        case Word::And:
        case Word::Or:
        case Word::Not:
            return !in_list;  // there it is a name that was badly chosen
        default:
            break;
    }
    switch (t.symbol) {
        case Symbol::Greater:
            return !in_path;  // path P <A - B>
        case Symbol::Comma:
        case Symbol::Colon:
        case Symbol::Assign:
        case Symbol::Plus:
        case Symbol::Minus:
        case Symbol::Star:
        case Symbol::Slash:
        case Symbol::SlashSlash:
        case Symbol::Power:
        case Symbol::Backslash:
        case Symbol::Equal:
        case Symbol::Less:
        case Symbol::LessEqual:
        case Symbol::GreaterEqual:
        case Symbol::NotEqual:
        case Symbol::EqualEqual:
        case Symbol::BangEqual:
        case Symbol::AndAnd:
        case Symbol::OrOr:
            return true;
        default:
            return false;
    }
}

// A line that starts with one of these goes on with the statement before it.
bool carries_on(const Token& t) {
    switch (t.word) {
        case Word::At:
        case Word::To:
        case Word::From:
        case Word::Par:
        case Word::Loop:
        case Word::And:
        case Word::Or:
        case Word::Then:
        case Word::Else:
        case Word::Elseif:
            return true;
        default:
            break;
    }
    switch (t.symbol) {
        case Symbol::Star:
        case Symbol::Slash:
        case Symbol::SlashSlash:
        case Symbol::Power:
        case Symbol::Equal:
        case Symbol::Less:
        case Symbol::LessEqual:
        case Symbol::Greater:
        case Symbol::GreaterEqual:
        case Symbol::NotEqual:
        case Symbol::Comma:
        case Symbol::EqualEqual:
        case Symbol::AndAnd:
        case Symbol::OrOr:
        case Symbol::RightRound:
        case Symbol::RightSquare:
            return true;
        default:
            return false;
    }
}

// Marks in `closed` each bracket that has its partner: one pass, one stack.
std::vector<bool> match_brackets(const std::vector<Token>& all) {
    std::vector<bool> matched(all.size(), false);
    std::vector<std::size_t> open;
    std::size_t open_count[2] = {0, 0};  // round, square
    const auto clear = [&] {
        open.clear();
        open_count[0] = open_count[1] = 0;
    };
    const auto square = [&](std::size_t i) {
        return all[i].symbol == Symbol::LeftSquare || all[i].symbol == Symbol::RightSquare;
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Token& t = all[i];
        if (open.empty() && t.symbol != Symbol::LeftRound && t.symbol != Symbol::LeftSquare) continue;
        if (t.line_start && begins_statement(t)) clear();
        switch (t.symbol) {
            case Symbol::LeftRound:
            case Symbol::LeftSquare:
                open.push_back(i);
                ++open_count[square(i)];
                break;
            case Symbol::RightRound:
            case Symbol::RightSquare:
                if (open_count[square(i)] == 0) break;
                while (square(open.back()) != square(i)) {
                    --open_count[square(open.back())];
                    open.pop_back();
                }
                matched[open.back()] = matched[i] = true;
                --open_count[square(i)];
                open.pop_back();
                break;
            case Symbol::Semicolon:
                if (!square(open.back())) clear();
                break;
            default:
                break;
        }
    }
    return matched;
}

}  // namespace

Word keyword(std::string_view name) {
    if (name.size() < 2 || name.size() > 9) return Word::None;
    std::array<char, 9> lower{};
    const bool upper = name[0] >= 'A' && name[0] <= 'Z';
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (upper ? c < 'A' || c > 'Z' : c < 'a' || c > 'z') return Word::None;
        lower[i] = static_cast<char>(c | 0x20);
    }
    const std::string_view folded(lower.data(), name.size());
    const auto it = std::lower_bound(sorted_words.begin(), sorted_words.end(), folded,
                                     [](const Entry& e, std::string_view n) { return e.text < n; });
    return it != sorted_words.end() && it->text == folded ? it->word : Word::None;
}

std::string nearest_statement_word(std::string_view name) {
    static const std::vector<std::string> beginnings = {
        "model",    "submodel", "parameter", "structure", "constant", "local",   "discrete",
        "terminal", "input",    "output",    "internal",  "external", "default", "main",
        "cut",      "node",     "path",      "connect",   "for",      "if",      "case",
        "when",     "valid",    "initial",   "table",     "function", "library"};
    return nearest_name(name, beginnings);
}

std::string_view spelling(Word word) {
    return words[static_cast<std::size_t>(word)];
}

std::vector<Token> tokenize(std::string_view text, SourceId source, Diagnostics& diagnostics,
                            bool& cut_short) {
    return Lexer(text, source, diagnostics, cut_short).run();
}

std::vector<Token> split_statements(const std::vector<Token>& all) {
    const std::vector<bool> matched = match_brackets(all);
    std::vector<Token> out;
    out.reserve(all.size() + 2);  // a separator stands for a new line or a semicolon
    std::size_t depth = 0;
    bool new_line = false, marked = false, in_path = false, in_list = false;
    const auto separate = [&](std::uint32_t at) {
        if (!out.empty() && out.back().kind != TokenKind::Separator) {
            Token t;
            t.kind = TokenKind::Separator;
            t.begin = t.end = at;
            out.push_back(t);
        }
        in_path = in_list = false;
    };
    for (std::size_t i = 0; i < all.size(); ++i) {
        const Token& t = all[i];
        if (is_layout(t.kind)) {
            new_line = new_line || t.kind == TokenKind::NewLine;
            marked = marked || t.kind == TokenKind::Continuation;
            continue;
        }
        if (new_line && depth == 0 && !out.empty()) {
            const Token& before = out.back();
            const bool goes_on = marked || asks_for_more(before, in_path, in_list) || carries_on(t);
            if (!goes_on || begins_statement(t)) separate(before.end);
        }
        new_line = marked = false;
        if (t.symbol == Symbol::Semicolon && depth == 0) {
            separate(t.begin);
            continue;
        }
        if (matched[i]) {
            if (t.symbol == Symbol::LeftRound || t.symbol == Symbol::LeftSquare)
                ++depth;
            else
                --depth;
        }
        if (t.word == Word::Path) in_path = true;
        if (t.word >= Word::Parameter && t.word <= Word::External) in_list = true;
        out.push_back(t);
        out.back().closed = matched[i];
    }
    const std::uint32_t size = all.empty() ? 0 : all.back().end;
    separate(out.empty() ? size : out.back().end);
    Token end;
    end.kind = TokenKind::End;
    end.begin = end.end = size;
    out.push_back(end);
    return out;
}

}  // namespace cutset::dymola
