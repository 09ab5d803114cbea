// Recursive descent over the tokens of Omola, with the nesting bounded. After an error the rest up to the
// next
// `;`, category or END is skipped.
#include <cstdlib>
#include <optional>

#include "base/foreign_words.h"
#include "languages/omola/messages.h"
#include "languages/omola/parse.h"
#include "languages/omola/tokens.h"
#include "languages/reading/expression_reader.h"

namespace cutset::omola {

namespace {

using object::ExpressionKind;
using object::Operator;

std::string lower(std::string_view text) {
    std::string out;
    for (char c : text) out += c >= 'A' && c <= 'Z' ? static_cast<char>(c - 'A' + 'a') : c;
    return out;
}

class Parser : reading::ExpressionReader<Token> {
  public:
    Parser(const Sources& sources, SourceId source, Diagnostics& diagnostics)
        : ExpressionReader(sources, source, diagnostics,
                           tokenize(sources.text(source), source, diagnostics)) {}

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
    [[noreturn]] void unexpected(std::string_view wanted) override {
        if (now().kind == TokenKind::End)
            report(ends_early(span(now()), wanted));
        else
            report(reading::expected(span(now()), wanted, text(now()),
                                     at(Mark::EqualEqual)
                                         ? "an equation is written with `=`"
                                         : decimal_comma_help(sources_.text(source_), now().begin)));
        throw GiveUp{};
    }
    std::string_view nested() const override { return "classes"; }
    std::string name(std::string_view wanted) { return name(wanted, nullptr); }
    std::string name(std::string_view wanted, Span* where) override {
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
    Expression expression() override {
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
        return disjunction();
    }

    Expression primary() override {
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
            report(reading::number_out_of_range(e.where, written));
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
        Expression e = name_with_indices();
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
};

}  // namespace

File parse_file(const Sources& sources, SourceId source, Diagnostics& diagnostics) {
    return Parser(sources, source, diagnostics).file();
}

}  // namespace cutset::omola
