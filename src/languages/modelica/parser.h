// The recursive descent from tokens to the object tree. An element, equation or statement that cannot be
// understood is reported and skipped up to its `;`. Depth of recursion is bounded by nesting_limit.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "ir/object_tree.h"
#include "languages/modelica/tokens.h"

namespace cutset::modelica {

class Parser {
  public:
    Parser(std::string_view text, Span part, Diagnostics& diagnostics);
    std::shared_ptr<object::File> file();
    object::Modification annotation();
    std::optional<object::Expression> single_expression();

  private:
    struct Failure {};  // this element, equation or statement cannot be understood
    struct Stop {};     // nor can the rest of the text
    class Deeper;

    // ---- parser.cpp: tokens, errors, recovery
    const Token& now() const { return tokens_[at_]; }
    const Token& ahead(std::size_t n = 1) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
    bool is(Word w) const { return now().word == w; }
    bool is(Symbol s) const { return now().symbol == s; }
    bool is(TokenKind k) const { return now().kind == k; }
    bool take(Word w);
    bool take(Symbol s);
    void advance();
    std::string_view written(const Token& t) const { return text_.substr(t.begin, t.end - t.begin); }
    Span span(const Token& t) const { return {source_, t.begin, t.end}; }
    Span span_from(std::uint32_t begin) const { return {source_, begin, std::max(begin, last_end_)}; }
    Span after_last() const { return {source_, last_end_ ? last_end_ - 1 : 0, last_end_}; }
    void report(Diagnostic d);
    [[noreturn]] void fail(Diagnostic d);
    [[noreturn]] void unexpected(std::string_view wanted);
    void expect(Symbol s, std::string_view wanted);
    void expect(Word w, std::string_view wanted);
    void close(Symbol s, const Token& opening);
    std::string expect_name(std::string_view wanted);
    void finish();
    [[noreturn]] void fail_class(const Token& word);
    void recover();
    bool begins_section() const;
    bool begins_class(std::size_t n = 0) const;
    template <class Read>
    void item(Read read);

    // ---- expressions.cpp
    object::Expression expression();
    object::Expression if_expression();
    object::Expression range();
    object::Expression disjunction();
    object::Expression conjunction();
    object::Expression negation();
    object::Expression relation();
    object::Expression sum();
    object::Expression product();
    object::Expression power();
    object::Expression primary();
    object::Expression number();
    object::Expression round_brackets();
    object::Expression suffixes(object::Expression e);
    object::Expression curly_brackets();
    object::Expression square_brackets();
    object::Expression reference_or_call();
    object::Expression call_of(object::Name name, const Token& first);
    object::Expression argument_value();
    object::Expression partial_application();
    object::Expression index();
    void call_arguments(object::Expression& call);
    std::vector<object::Expression> indices();
    std::vector<object::Iterator> iterators();
    object::Name name(std::string_view wanted);
    object::Name reference();
    object::Expression make(object::ExpressionKind kind, std::uint32_t begin) const;
    object::Expression operation(object::Operator op, object::Expression left, object::Expression right);
    object::Expression sign(object::Operator op, const Token& first, object::Expression operand);
    void count_operand(int& operands);

    // ---- modifications.cpp
    std::optional<object::Modification> optional_modification();
    void assigned_value(object::Modification& m);
    object::Modification class_modification(bool inheritance = false);
    object::Argument argument(bool inheritance);
    void break_inherited(object::Argument& a);
    void redeclared(object::Argument& a, const object::ElementPrefixes& prefixes);
    std::optional<object::Constraint> constraint();
    std::string description();
    Span annotation_span();

    // ---- classes.cpp
    void stored_definition(object::File& file);
    std::shared_ptr<object::Class> class_definition();
    void class_prefixes(object::Class& c);
    void class_specifier(object::Class& c, const Token& first);
    void short_specifier(object::Class& c);
    void enumeration(object::Class& c);
    void derivative_of(object::Class& c);
    void long_specifier(object::Class& c, const Token& first, bool extends_inherited);
    void composition(object::Class& c, object::LongDefinition& body);
    void composition_part(object::Class& c, object::LongDefinition& body, bool& is_protected);
    bool class_over();
    void end_class(const object::Class& c, const Token& first);
    void class_annotation(object::Class& c);
    void external(object::LongDefinition& body);
    void element(object::LongDefinition& body, bool is_protected);
    object::ElementPrefixes element_prefixes();
    object::TypePrefixes type_prefixes();
    void import(object::LongDefinition& body);
    void extends(object::LongDefinition& body, bool is_protected);
    void nested_class(object::LongDefinition& body, const object::ElementPrefixes& prefixes);
    void components(object::LongDefinition& body, const object::ElementPrefixes& prefixes,
                    const Token& first);
    void declaration(object::Component& c);
    [[noreturn]] void not_a_component(const object::Name& type);

    // ---- equations.cpp
    bool list_over() const;
    void equation_list(std::vector<object::Equation>& equations);
    object::EquationSection equation_section();
    object::Equation equation();
    object::Equation simple_equation();
    object::ForEquation for_equation();
    object::IfEquation if_equation();
    object::WhenEquation when_equation();
    object::ConnectEquation connect_equation();
    object::AlgorithmSection algorithm_section();
    void statement_list(std::vector<object::Statement>& statements);
    object::Statement statement();
    object::Statement assignment_or_call();
    object::ForStatement for_statement();
    object::IfStatement if_statement();
    object::WhenStatement when_statement();
    object::WhileStatement while_statement();
    void end_block(Word w, const Token& opening);
    template <class Branch, class List>
    std::vector<Branch> branches(Word first, Word next, bool otherwise, Word body, List list);

    std::string_view text_;
    SourceId source_;
    Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
    bool cut_short_ = false;  // a text or comment swallowed the rest
    std::size_t at_ = 0;
    std::uint32_t last_end_ = 0;
    int depth_ = 0;
    int errors_ = 0;
    bool end_missing_ = false;                // of a class, reported; so is its `;`
    bool recovering_ = false;                 // what follows may be the rest of what was given up
    std::vector<const object::Class*> open_;  // enclosing classes, innermost last
};

// One level deeper; stops at the limit.
class Parser::Deeper {
  public:
    explicit Deeper(Parser& p);
    ~Deeper() { --parser_.depth_; }
    Deeper(const Deeper&) = delete;

  private:
    Parser& parser_;
};

// Reads one item of a list. When it cannot be understood, it is skipped.
template <class Read>
void Parser::item(Read read) {
    const std::size_t before = at_;
    try {
        read();
        recovering_ = false;
    } catch (Failure) {
        if (at_ == before && !is(TokenKind::End)) advance();
        recover();
    }
}

}  // namespace cutset::modelica
