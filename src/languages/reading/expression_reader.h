// What the parsers of Omola and EL share: a place among tokens, bounds of nesting and of errors, and
// operators by recursive descent: OR, AND, NOT, relations, + -, * /, signs, powers, in rising strength. A
// power binds more strongly than a sign before it, and a sign may follow it: -2^-2 = -(2^(-2)).
#pragma once

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "base/source.h"
#include "ir/object_tree.h"
#include "languages/reading/limits.h"
#include "languages/reading/messages.h"

namespace cutset::reading {

// Token has kind, word, mark, begin and end.
template <class Token>
class ExpressionReader {
  protected:
    using Expression = object::Expression;
    using Operator = object::Operator;
    using Word = decltype(Token::word);
    using Mark = decltype(Token::mark);

    ExpressionReader(const Sources& sources, SourceId source, Diagnostics& diagnostics,
                     std::vector<Token> tokens)
        : sources_(sources), source_(source), diagnostics_(diagnostics), tokens_(std::move(tokens)) {}
    ~ExpressionReader() = default;

    // Reports that something else is wanted here, and gives up.
    [[noreturn]] virtual void unexpected(std::string_view wanted) = 0;
    virtual Expression expression() = 0;
    virtual Expression primary() = 0;  // what stands between operators
    virtual std::string name(std::string_view wanted, Span* where) = 0;
    // "blocks", "classes": what may be nested beside brackets
    virtual std::string_view nested() const = 0;

    // Thrown after a report, caught where the text can be understood again.
    struct GiveUp {};
    struct Nesting {
        explicit Nesting(ExpressionReader& p) : parser(p) {
            if (++p.depth_ <= nesting_limit) return;
            p.report(nested_too_deep(p.span(p.now()), p.nested(), nesting_limit));
            --p.depth_;
            throw GiveUp{};
        }
        ~Nesting() { --parser.depth_; }
        ExpressionReader& parser;
    };

    const Token& now() const { return tokens_[at_]; }
    const Token& ahead(std::size_t n = 1) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
    bool at(Word w) const { return now().word == w; }
    bool at(Mark m) const { return now().mark == m; }
    bool accept(Word w) { return at(w) && ++at_; }
    bool accept(Mark m) { return at(m) && ++at_; }
    void expect(Word w) {
        if (!accept(w)) unexpected(spelling(w));
    }
    void expect(Mark m, std::string_view wanted) {
        if (!accept(m)) unexpected(wanted);
    }
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

    // ---- operators

    static Expression binary(Operator op, Expression a, Expression b) {
        Expression e = made(op, join(a.where, b.where));
        e.arguments.push_back(std::move(a));
        e.arguments.push_back(std::move(b));
        return e;
    }

    Expression disjunction() {
        return chain(Word::Or, Operator::Or, [&] { return conjunction(); });
    }
    Expression conjunction() {
        return chain(Word::And, Operator::And, [&] { return negation(); });
    }
    Expression negation() {
        if (!at(Word::Not)) return relation();
        const Nesting nesting(*this);
        const Token& sign = tokens_[at_++];
        return unary(Operator::Not, sign, negation());
    }
    Expression relation() {
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
        return terms(Mark::Plus, Operator::Add, Mark::Minus, Operator::Subtract, [&] { return product(); });
    }
    Expression product() {
        return terms(Mark::Star, Operator::Multiply, Mark::Slash, Operator::Divide,
                     [&] { return signed_term(); });
    }
    Expression signed_term() {
        if (!at(Mark::Plus) && !at(Mark::Minus)) return power();
        const Nesting nesting(*this);
        const Token& sign = tokens_[at_++];
        return unary(sign.mark == Mark::Plus ? Operator::Plus : Operator::Minus, sign, signed_term());
    }
    Expression power() {
        Expression base = primary();
        if (!accept(Mark::Power)) return base;
        const Nesting nesting(*this);
        return binary(Operator::Power, std::move(base), signed_term());
    }

    // a.b[i].c
    Expression name_with_indices() {
        const Token& first = now();
        Expression e;
        e.kind = object::ExpressionKind::Name;
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
        return e;
    }

    const Sources& sources_;
    SourceId source_;
    Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
    int errors_ = 0;

  private:
    static Expression made(Operator op, Span where) {
        Expression e;
        e.kind = object::ExpressionKind::Operation;
        e.op = op;
        e.where = where;
        return e;
    }
    Expression unary(Operator op, const Token& sign, Expression a) const {
        Expression e = made(op, join(span(sign), a.where));
        e.arguments.push_back(std::move(a));
        return e;
    }

    template <class Operand>
    Expression chain(Word word, Operator op, Operand operand) {
        Expression e = operand();
        for (int length = 0; accept(word);) {
            if (++length > chain_limit) unexpected("a shorter expression");
            e = binary(op, std::move(e), operand());
        }
        return e;
    }
    template <class Operand>
    Expression terms(Mark a, Operator of_a, Mark b, Operator of_b, Operand operand) {
        Expression e = operand();
        for (int length = 0; at(a) || at(b);) {
            const Operator op = at(a) ? of_a : of_b;
            ++at_;
            if (++length > chain_limit) unexpected("a shorter expression");
            e = binary(op, std::move(e), operand());
        }
        return e;
    }
};

}  // namespace cutset::reading
