// Recursive descent over the tokens of Omola, with the nesting bounded. After an error the rest up to the
// next
// `;`, category or END is skipped.
#include <cstdlib>
#include <optional>

#include "languages/omola/messages.h"
#include "languages/omola/parse.h"
#include "languages/omola/tokens.h"

namespace cutset::omola {

namespace {

using object::ExpressionKind;
using object::Operator;

std::string lower(std::string_view text) {
    std::string out;
    for (char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

class Parser {
  public:
    Parser(const Sources& sources, SourceId source, Diagnostics& diagnostics)
        : sources_(sources), source_(source), diagnostics_(diagnostics) {
        tokens_ = tokenize(sources.text(source), source, diagnostics);
    }

    File file() {
        File out;
        out.source = source_;
        while (now().kind != TokenKind::End) {
            const std::size_t before = at_;
            try {
                if (at(Word::Uses)) {
                    uses(out);
                } else {
                    out.classes.push_back(class_text());
                    accept(Mark::Semicolon);
                }
            } catch (GiveUp) {
                skip_to_class();
            }
            if (at_ == before) ++at_;
        }
        return out;
    }

  private:
    struct GiveUp {};
    struct Nesting {
        explicit Nesting(Parser& p) : parser(p) {
            if (++p.depth_ <= nesting_limit) return;
            p.report(nested_too_deep(p.span(p.now()), nesting_limit));
            --p.depth_;
            throw GiveUp{};
        }
        ~Nesting() { --parser.depth_; }
        Parser& parser;
    };

    // ---- tokens
    const Token& now() const { return tokens_[at_]; }
    const Token& ahead(std::size_t n = 1) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
    bool at(Word w) const { return now().word == w; }
    bool at(Mark m) const { return now().mark == m; }
    bool accept(Word w) { return at(w) && ++at_; }
    bool accept(Mark m) { return at(m) && ++at_; }
    Span span(const Token& t) const { return {source_, t.begin, t.end}; }
    Span from(const Token& first) const {
        return {source_, first.begin, std::max(first.end, tokens_[at_ ? at_ - 1 : 0].end)};
    }
    std::string_view text(const Token& t) const {
        return std::string_view(sources_.text(source_)).substr(t.begin, t.end - t.begin);
    }
    void report(Diagnostic d) {
        if (d.severity == Severity::Error && ++errors_ > error_limit) return;
        diagnostics_.report(std::move(d));
    }
    [[noreturn]] void unexpected(std::string_view wanted) {
        if (now().kind == TokenKind::End)
            report(ends_early(span(now()), wanted));
        else
            report(expected(span(now()), wanted, text(now())));
        throw GiveUp{};
    }
    void expect(Word w) {
        if (!accept(w)) unexpected(spelling(w));
    }
    void expect(Mark m, std::string_view wanted) {
        if (!accept(m)) unexpected(wanted);
    }
    std::string name(std::string_view wanted, Span* where = nullptr) {
        if (now().kind != TokenKind::Name) unexpected(wanted);
        if (where) *where = span(now());
        return std::string(text(tokens_[at_++]));
    }
    std::string quoted() {
        std::string_view written = text(tokens_[at_++]);
        written.remove_prefix(1);
        if (!written.empty() && written.back() == '"') written.remove_suffix(1);
        return std::string(written);
    }

    bool class_begins(std::size_t n = 0) const {
        if (ahead(n).kind != TokenKind::Name) return false;
        ++n;
        if (ahead(n).mark == Mark::LeftSquare) {
            while (ahead(n).kind != TokenKind::End && ahead(n).mark != Mark::RightSquare) ++n;
            ++n;
        }
        return ahead(n).word == Word::Isa || ahead(n).word == Word::Is;
    }
    void skip_to_class() {
        int open = 0;
        while (now().kind != TokenKind::End) {
            if (now().line_start && open <= 0 && class_begins()) return;
            if (at(Word::With)) ++open;
            if (at(Word::End)) --open;
            ++at_;
        }
    }
    void skip_definition() {
        while (now().kind != TokenKind::End && !at(Mark::Semicolon) && !at(Word::End) && !category_begins())
            ++at_;
        accept(Mark::Semicolon);
    }

    // ---- classes
    void uses(File& out) {
        ++at_;
        do {
            Span where;
            out.uses.push_back(name("the name of a library", &where));
            out.uses_where.push_back(where);
        } while (accept(Mark::Comma));
        expect(Mark::Semicolon, "`;`");
    }

    ClassText class_text() {
        const Nesting nesting(*this);
        ClassText c;
        c.name = name("the name of a class", &c.where);
        if (accept(Mark::LeftSquare)) {
            do c.dimensions.push_back(expression());
            while (accept(Mark::Comma));
            expect(Mark::RightSquare, "`]`");
        }
        if (!accept(Word::Isa)) {
            if (!accept(Word::Is)) unexpected("ISA");
            if (now().kind != TokenKind::Name || lower(text(now())) != "a") unexpected("IS A");
            ++at_;
        }
        c.super = name("the name of its superclass", &c.super_where);
        while (at(Mark::Dot) || (at(Mark::Colon) && ahead().mark == Mark::Colon)) {  // L::C
            at_ += at(Mark::Dot) ? 1 : 2;
            c.super = name("the name of its superclass", &c.super_where);
        }
        if (now().kind == TokenKind::Text) c.description = quoted();
        if (!accept(Word::With)) return c;
        c.body = body(c);
        expect(Word::End);
        return c;
    }

    bool category_begins() const {
        return now().kind == TokenKind::Name && ahead().mark == Mark::Colon && ahead(2).mark != Mark::Colon;
    }

    std::vector<Category> body(const ClassText& c) {
        std::vector<Category> out(1);
        while (!at(Word::End)) {
            if (now().kind == TokenKind::End) {
                report(no_end(c.where, c.name));
                throw GiveUp{};
            }
            if (category_begins()) {
                Category next;
                next.name = lower(name("a category", &next.where));
                ++at_;
                out.push_back(std::move(next));
                continue;
            }
            if (accept(Mark::Semicolon)) continue;
            const std::size_t before = at_;
            try {
                definition(out.back(), out.back().definitions);
            } catch (GiveUp) {
                if (depth_ >= nesting_limit) throw;
                skip_definition();
            }
            if (at_ == before) ++at_;
        }
        return out;
    }

    // Between definitions stands `;`, which may be missing before END, a category and at the end of a line.
    void end_definition() {
        if (accept(Mark::Semicolon)) return;
        if (at(Word::End) || category_begins() || now().line_start || now().kind == TokenKind::End) return;
        unexpected("`;`");
    }

    void definition(const Category& category, std::vector<Definition>& out) {
        const Nesting nesting(*this);
        const Token& first = now();
        Definition d;
        if (class_begins()) {
            d.kind = DefinitionKind::Class;
            d.declared = class_text();
            d.name = d.declared.name;
        } else if (first.kind == TokenKind::Name && ahead().word == Word::Type) {
            typed(d);
        } else if (at(Word::When)) {
            when(d, category);
        } else if (at(Word::For)) {
            loop(d, category);
        } else {
            relation(d, category);
        }
        if (now().kind == TokenKind::Text) d.description = quoted();
        d.where = from(first);
        if (d.kind == DefinitionKind::Class || d.kind == DefinitionKind::For) {
            d.where = d.kind == DefinitionKind::Class ? d.declared.where : d.where;
            accept(Mark::Semicolon);
        } else {
            end_definition();
        }
        out.push_back(std::move(d));
    }

    // a TYPE t[n] := value
    void typed(Definition& d) {
        d.kind = DefinitionKind::Typed;
        d.name = name("a name");
        ++at_;
        if (accept(Mark::LeftRound)) {
            do d.values.push_back(name("a value of the type"));
            while (accept(Mark::Comma));
            expect(Mark::RightRound, "`)`");
        } else {
            d.type = lower(name("a type"));
            if (d.type == "discrete" && now().kind == TokenKind::Name && !now().line_start) {
                d.discrete = true;
                d.type = lower(name("a type"));
            }
            if (accept(Mark::LeftSquare)) {
                do d.dimensions.push_back(expression());
                while (accept(Mark::Comma));
                expect(Mark::RightSquare, "`]`");
            }
        }
        if (accept(Mark::Assign) || accept(Mark::Equal)) d.right = value();
    }

    // UNKNOWN, or an expression
    Expression value() {
        if (!at(Word::Unknown)) return expression();
        Expression e;
        e.kind = ExpressionKind::Omitted;
        e.where = span(tokens_[at_++]);
        return e;
    }

    void relation(Definition& d, const Category& category) {
        d.left = sum();
        if (accept(Word::At)) {
            d.kind = DefinitionKind::Connect;
            d.right = sum();
            return;
        }
        if (accept(Mark::Assign)) {
            d.kind = DefinitionKind::Assign;
            d.right = value();
            return;
        }
        expect(Mark::Equal, "`=`, `:=`, AT, ISA or TYPE");
        const bool equations = category.name == "equations" || category.name == "constraints";
        d.kind = equations || d.left->kind != ExpressionKind::Name ? DefinitionKind::Equation
                                                                   : DefinitionKind::Assign;
        d.right = value();
    }

    // WHEN c SELECT r;      WHEN c DO … END
    void when(Definition& d, const Category& category) {
        ++at_;
        d.left = expression();
        if (accept(Word::Select)) {
            d.kind = DefinitionKind::Select;
            d.name = name("the name of a realization");
            return;
        }
        expect(Word::Do);
        d.kind = DefinitionKind::Do;
        while (!at(Word::End)) {
            if (now().kind == TokenKind::End) unexpected("END");
            if (accept(Mark::Semicolon)) continue;
            definition(category, d.body);
        }
        ++at_;
    }

    // FOR i := 1 TO n: definition      FOR i := 1 TO n DO … END
    void loop(Definition& d, const Category& category) {
        ++at_;
        d.kind = DefinitionKind::For;
        d.name = name("the name of an index");
        if (!accept(Mark::Equal)) expect(Mark::Assign, "`:=`");
        d.left = expression();
        expect(Word::To);
        d.right = expression();
        if (accept(Word::Do)) {
            while (!at(Word::End)) {
                if (now().kind == TokenKind::End) unexpected("END");
                if (accept(Mark::Semicolon)) continue;
                definition(category, d.body);
            }
            ++at_;
            return;
        }
        expect(Mark::Colon, "`:` or DO");
        definition(category, d.body);
    }

    // ---- expressions
    Expression binary(Operator op, Expression a, Expression b) {
        Expression e;
        e.kind = ExpressionKind::Operation;
        e.op = op;
        e.where = join(a.where, b.where);
        e.arguments.push_back(std::move(a));
        e.arguments.push_back(std::move(b));
        return e;
    }
    Expression unary(Operator op, const Token& sign, Expression a) {
        Expression e;
        e.kind = ExpressionKind::Operation;
        e.op = op;
        e.where = join(span(sign), a.where);
        e.arguments.push_back(std::move(a));
        return e;
    }

    Expression expression() {
        const Nesting nesting(*this);
        if (at(Word::If)) {
            const Token& first = tokens_[at_++];
            Expression e;
            e.kind = ExpressionKind::If;
            e.arguments.push_back(expression());
            expect(Word::Then);
            e.arguments.push_back(expression());
            expect(Word::Else);
            e.arguments.push_back(expression());
            e.where = from(first);
            return e;
        }
        Expression e = conjunction();
        int length = 0;
        while (accept(Word::Or)) {
            if (++length > chain_limit) unexpected("a shorter expression");
            e = binary(Operator::Or, std::move(e), conjunction());
        }
        return e;
    }
    Expression conjunction() {
        Expression e = negation();
        int length = 0;
        while (accept(Word::And)) {
            if (++length > chain_limit) unexpected("a shorter expression");
            e = binary(Operator::And, std::move(e), negation());
        }
        return e;
    }
    Expression negation() {
        if (!at(Word::Not)) return comparison();
        const Nesting nesting(*this);
        const Token& sign = tokens_[at_++];
        return unary(Operator::Not, sign, negation());
    }
    Expression comparison() {
        Expression e = sum();
        static constexpr std::pair<Mark, Operator> relations[] = {
            {Mark::Less, Operator::Less},        {Mark::LessEqual, Operator::LessEqual},
            {Mark::Greater, Operator::Greater},  {Mark::GreaterEqual, Operator::GreaterEqual},
            {Mark::EqualEqual, Operator::Equal}, {Mark::NotEqual, Operator::NotEqual}};
        for (const auto& [mark, op] : relations)
            if (accept(mark)) return binary(op, std::move(e), sum());
        return e;
    }
    Expression sum() {
        const Nesting nesting(*this);
        Expression e = product();
        int length = 0;
        while (at(Mark::Plus) || at(Mark::Minus)) {
            const Operator op = at(Mark::Plus) ? Operator::Add : Operator::Subtract;
            ++at_;
            if (++length > chain_limit) unexpected("a shorter expression");
            e = binary(op, std::move(e), product());
        }
        return e;
    }
    Expression product() {
        Expression e = factor();
        int length = 0;
        while (at(Mark::Star) || at(Mark::Slash)) {
            const Operator op = at(Mark::Star) ? Operator::Multiply : Operator::Divide;
            ++at_;
            if (++length > chain_limit) unexpected("a shorter expression");
            e = binary(op, std::move(e), factor());
        }
        return e;
    }
    Expression factor() {
        if (at(Mark::Plus) || at(Mark::Minus)) {
            const Nesting nesting(*this);
            const Token& sign = tokens_[at_++];
            return unary(sign.mark == Mark::Plus ? Operator::Plus : Operator::Minus, sign, factor());
        }
        Expression base = primary();
        if (!accept(Mark::Power)) return base;
        const Nesting nesting(*this);
        return binary(Operator::Power, std::move(base), factor());
    }

    Expression primary() {
        const Token& first = now();
        Expression e;
        e.where = span(first);
        if (first.kind == TokenKind::Number) {
            const std::string written(text(first));
            ++at_;
            e.kind = written.find_first_of(".eE") == std::string::npos && written.size() < 10
                         ? ExpressionKind::Integer
                         : ExpressionKind::Real;
            e.number = std::strtod(written.c_str(), nullptr);
            if (e.number <= 1.7976931348623157e308) return e;
            report(number_out_of_range(e.where, written));
            throw GiveUp{};
        }
        if (first.kind == TokenKind::Text) {
            e.kind = ExpressionKind::String;
            e.text = quoted();
            return e;
        }
        if (at(Word::True) || at(Word::False)) {
            e.kind = ExpressionKind::Boolean;
            e.number = at(Word::True);
            ++at_;
            return e;
        }
        if (accept(Mark::LeftRound)) {
            e = expression();
            expect(Mark::RightRound, "`)`");
            e.where = from(first);
            return e;
        }
        if (accept(Mark::LeftSquare)) {  // [a, b, c]
            e.kind = ExpressionKind::Array;
            do e.arguments.push_back(expression());
            while (accept(Mark::Comma));
            expect(Mark::RightSquare, "`]`");
            e.where = from(first);
            return e;
        }
        if (first.kind == TokenKind::Name) return reference();
        unexpected("an expression");
    }

    // a.b[i].c, f(x), x', dot(x), dot(x, 2)
    Expression reference() {
        const Token& first = now();
        Expression e;
        e.kind = ExpressionKind::Name;
        do {
            object::NamePart part;
            part.name = name("a name", &part.where);
            if (accept(Mark::LeftSquare)) {
                do part.indices.push_back(expression());
                while (accept(Mark::Comma));
                expect(Mark::RightSquare, "`]`");
            }
            e.name.parts.push_back(std::move(part));
            if (e.name.parts.size() > static_cast<std::size_t>(nesting_limit)) unexpected("a shorter name");
        } while (accept(Mark::Dot));
        e.where = e.name.where = from(first);
        if (at(Mark::Prime)) return prime(std::move(e), first);
        if (!accept(Mark::LeftRound)) return e;
        e.kind = ExpressionKind::Call;
        if (!at(Mark::RightRound)) do
                e.arguments.push_back(expression());
            while (accept(Mark::Comma));
        expect(Mark::RightRound, "`)`");
        e.where = from(first);
        if (lower(e.name.parts[0].name) != "dot" || e.name.parts.size() > 1) return e;
        Expression derivative;
        derivative.kind = ExpressionKind::Derivative;
        derivative.where = e.where;
        derivative.number = 1;
        if (e.arguments.size() == 2 && e.arguments[1].kind == ExpressionKind::Integer &&
            e.arguments[1].number >= 1 && e.arguments[1].number <= 10)
            derivative.number = e.arguments[1].number;
        else if (e.arguments.size() != 1)
            report(dot_arguments(e.where));
        if (e.arguments.empty()) throw GiveUp{};
        derivative.arguments.push_back(std::move(e.arguments[0]));
        return derivative;
    }
    Expression prime(Expression e, const Token& first) {
        Expression derivative;
        derivative.kind = ExpressionKind::Derivative;
        derivative.number = 0;
        while (accept(Mark::Prime)) ++derivative.number;
        if (derivative.number > 10) unexpected("a derivative of lower order");
        derivative.where = from(first);
        derivative.arguments.push_back(std::move(e));
        return derivative;
    }

    const Sources& sources_;
    SourceId source_;
    Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
    int errors_ = 0;
};

}  // namespace

File parse_file(const Sources& sources, SourceId source, Diagnostics& diagnostics) {
    return Parser(sources, source, diagnostics).file();
}

}  // namespace cutset::omola
