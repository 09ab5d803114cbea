// The recursive descent from tokens to the class tree. A statement that cannot be understood is reported and
// skipped; reading goes on with the next one. Depth of recursion is bounded by nesting_limit.
#pragma once

#include <cstdint>
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "ir/class_tree.h"
#include "languages/dymola/clocks.h"
#include "languages/dymola/messages.h"
#include "languages/dymola/scopes.h"
#include "languages/dymola/tokens.h"

namespace cutset::dymola {

// What messages say is wanted where an operand should stand.
inline constexpr std::string_view operand_wanted = "a name, a number or a bracket";
inline constexpr std::string_view connection_operand_wanted = "the name of a submodel, cut, node or path";

class Parser {
  public:
    // `length`: only the beginning of the text.
    Parser(const Sources& sources, SourceId source, Diagnostics& diagnostics,
           std::size_t length = std::string_view::npos);
    std::shared_ptr<tree::File> file();
    std::optional<tree::Expression> single_expression();

  private:
    struct Failure {};  // this statement cannot be understood
    struct Stop {};     // nor can the rest of the text

    using Items = std::vector<tree::Item>;

    // What ends an expression depends on where it stands.
    struct Mode {
        bool equal_is_relation = true;  // false left of the `=` of an equation
        bool square_ends = false;       // in a list: `[` after a blank does not belong to the name before it
        bool round_ends = false;        // likewise `(`
        bool sign_ends = false;         // in a list: ` -3` is the next value
        bool colon_ends = false;        // among indices: `:` parts the ends of a range
        bool slash_ends = false;        // in a temporary cut: `/` parts across from through
    };
    class WithMode;
    class Deeper;

    // ---- parser.cpp: tokens, errors, recovery
    const Token& now() const { return tokens_[at_]; }
    const Token& ahead(std::size_t n) const { return tokens_[std::min(at_ + n, tokens_.size() - 1)]; }
    bool is(Word w) const { return now().word == w; }
    bool is(Symbol s) const { return now().symbol == s; }
    bool is(TokenKind k) const { return now().kind == k; }
    bool take(Word w);
    bool take(Symbol s);
    void advance();
    std::string_view written(const Token& t) const { return text_.substr(t.begin, t.end - t.begin); }
    bool is_name(std::string_view name) const { return is(TokenKind::Name) && written(now()) == name; }
    Span span(const Token& t) const { return {source_, t.begin, t.end}; }
    Span span_from(std::uint32_t begin) const { return {source_, begin, last_end_}; }
    void report(Diagnostic d);
    [[noreturn]] void fail(Diagnostic d);
    [[noreturn]] void unexpected(std::string_view wanted);
    std::string habit_help() const;
    void expect(Symbol s, std::string_view wanted);
    void expect(Word w, std::string_view wanted);
    void close(Symbol s, const Token& opening);
    std::string expect_name(std::string_view wanted);
    std::string expect_text(std::string_view wanted);
    std::string text_value(const Token& t) const;
    bool statement_over() const;
    void finish_statement();
    void recover();
    void skip_separators();
    bool list_goes_on(std::string_view wanted);
    std::size_t after_bracket(std::size_t i) const;

    // ---- expressions.cpp
    tree::Expression expression();
    tree::Expression conjunction();
    tree::Expression negation();
    tree::Expression relation();
    tree::Expression sum();
    tree::Expression product();
    tree::Expression signed_factor();
    tree::Expression power();
    tree::Expression postfix();
    tree::Expression primary();
    tree::Expression number();
    tree::Expression bracketed();
    tree::Expression array();
    tree::Expression if_expression();
    tree::Expression name_expression();
    tree::Expression derivative(int order);
    tree::Expression condition();
    std::vector<tree::Expression> call_arguments();
    std::vector<tree::Expression> indices();
    tree::Expression index();
    tree::Reference reference();
    bool starts_operand() const;
    tree::Expression make(tree::ExpressionKind kind, std::uint32_t begin) const;
    tree::Expression around(tree::Expression first, tree::ExpressionKind kind, std::uint32_t begin) const;

    // ---- declarations.cpp
    // What a list of variables is declared as, before the names: boolean, integer, (off, on, broken).
    struct DeclaredType {
        std::optional<ValueType> type;
        std::vector<std::string> literals;
    };
    bool type_ahead() const;
    void declared_type(DeclaredType& type);
    void variables(Items& items, VariableKind kind);
    void variable_list(Items& items, VariableKind kind);
    tree::VariableDeclaration variable(VariableKind kind);
    void attributes(tree::VariableDeclaration& v);
    std::string unit();
    tree::Expression attribute_value();
    bool attribute_follows(std::string_view name) const;
    void defaults(Items& items);
    void submodels(Items& items);
    tree::Component submodel(const std::string& type, Span type_where);
    std::vector<tree::Argument> arguments();
    void main_declaration(Items& items);
    void ports(Items& items, bool main, bool node);
    tree::Port port(bool main, bool node);
    std::vector<tree::PortElement> port_elements(Symbol closing, const Token& opening, bool hierarchical);
    tree::PortElement port_element(tree::Role role, bool hierarchical);
    void paths(Items& items, bool main);
    tree::PathEnd path_end();
    tree::Table table();

    // ---- connections.cpp
    std::uint8_t kind_of(std::string_view name) const;
    bool is_connection() const;
    void connection(Items& items);
    tree::ConnectionExpression connection_expression();
    tree::ConnectionExpression connection_secondary();
    tree::ConnectionExpression connection_primary();
    tree::ConnectionExpression connection_brackets();
    tree::ConnectionExpression connection_element();
    std::optional<tree::ConnectionOperator> connection_operator() const;
    bool element_is_value() const;
    bool surely_cut(const tree::ConnectionExpression& e) const;

    // ---- statements.cpp
    std::shared_ptr<tree::Class> model(const tree::Class* parent);
    void body_until_end(Items& items, std::string_view construct, std::string_view name,
                        const Token& opening);
    void statement(Items& items);
    void statement_inner(Items& items);
    void block_or_statement(Items& items, const Token& opening);
    template <class Branch, class Block>
    void branches(std::vector<Branch>& out, Block block);
    void take_end(std::string_view name, const Token& opening);
    bool at_end_word();
    void structure_if(Items& items);
    bool if_is_expression() const;
    void structure_for(Items& items);
    void structure_case(Items& items);
    bool at_case_label() const;
    void loop_header(std::string& variable, tree::Expression& from, tree::Expression& to,
                     std::optional<tree::Expression>& step, const Token& opening);
    template <class Header>
    void header(Header parse);
    void valid(Items& items);
    void assertion(Items& items);
    bool assertion_ahead() const;
    tree::Valid assertion_parts(bool in_function);
    void initial(Items& items);
    bool preferred_states_ahead() const;
    void preferred_states(Items& items);
    bool guess_ahead() const;
    void guess(Items& items);
    void equation_statement(Items& items);
    tree::Equation equation();
    std::string misspelled_word() const;
    bool procedure_ahead() const;
    tree::ProcedureCall procedure(bool in_function = false);
    // The k-th result of it, from 0 on.
    static tree::Expression result_of(const tree::ProcedureCall& call, std::size_t k);
    bool initial_value_ahead() const;
    void initial_value(Items& items);
    void equals_sign();
    bool callable(std::string_view name) const;
    void library(tree::File& file);

    // ---- when_statements.cpp
    void when(Items& items);
    tree::Expression when_header(std::string_view word);
    void when_until(std::vector<tree::WhenStatement>& statements, const Token& opening);
    void one_when_statement(std::vector<tree::WhenStatement>& statements);
    void when_block(std::vector<tree::WhenStatement>& statements, const Token& opening);
    tree::WhenIf when_if();
    tree::WhenFor when_for();
    tree::WhenStatement when_statement();
    tree::WhenReinit when_reinit();
    tree::WhenTerminate when_terminate();
    std::optional<tree::WhenAssignment> when_assignment();
    tree::WhenEquation when_equation();

    // ---- clocks.cpp
    bool clock_ahead() const;
    void clocks();
    const Clock* find_clock(std::string_view name) const;
    bool clock_operator_ahead() const;
    Clock ticks();
    Clock clock_operation();
    std::uint64_t tick_count(std::string_view name, std::uint64_t least);
    void check_clock_names(const tree::Class& of);

    // ---- functions.cpp
    std::shared_ptr<tree::Function> function();
    void function_part(tree::Function& f);
    tree::Statement function_statement();
    void assign_results(std::vector<tree::Statement>& body);
    void function_block(std::vector<tree::Statement>& body, const Token& opening);
    void function_until_end(tree::Function* declarations, std::vector<tree::Statement>& body,
                            std::string_view name, const Token& opening);
    void one_function_statement(tree::Function* declarations, std::vector<tree::Statement>& body);
    void external_code(tree::Function& f);
    void rule(tree::Function& f);
    void derivative_words(tree::Function::Rule& rule);

    std::string_view text_;
    SourceId source_;
    Diagnostics& diagnostics_;
    std::string path_;
    std::vector<Token> all_;     // with layout
    std::vector<Token> tokens_;  // statements
    Scopes scopes_;
    std::vector<const Scope*> scope_;       // enclosing models, innermost last
    std::vector<const tree::Class*> open_;  // likewise
    std::map<std::pair<const tree::Class*, std::string>, Clock> clocks_;
    std::size_t at_ = 0;
    std::uint32_t last_end_ = 0;
    Mode mode_;
    int depth_ = 0;
    int chain_ = 0;   // connection operators in the statement
    int errors_ = 0;  // of this text
    bool lexical_errors_ = false;
    bool cut_short_ = false;  // a comment swallowed the rest
    Span single_statement_;   // the last `if`, `for` … whose single statement stood on the next line
    Span suspect_;            // the first `end` whose indentation belongs to another construct
};

// Sets the mode for a part of the text.
class Parser::WithMode {
  public:
    WithMode(Parser& p, Mode m) : parser_(p), saved_(p.mode_) { p.mode_ = m; }
    ~WithMode() { parser_.mode_ = saved_; }
    WithMode(const WithMode&) = delete;

  private:
    Parser& parser_;
    Mode saved_;
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

// `if c then … elseif d then … else …` from its first word on; `block` reads what stands in a branch.
template <class Branch, class Block>
void Parser::branches(std::vector<Branch>& out, Block block) {
    const Deeper deeper(*this);
    Token part = now();
    advance();
    for (;;) {
        Branch branch;
        tree::Expression c;
        header([&] {
            c = condition();
            if (!take(Word::Then)) fail(missing_then(span(now()), "if", span(part)));
        });
        branch.condition = std::move(c);
        block(branch, part);
        out.push_back(std::move(branch));
        if (is(TokenKind::Separator) && (ahead(1).word == Word::Else || ahead(1).word == Word::Elseif))
            advance();
        part = now();
        if (take(Word::Elseif)) continue;
        if (!take(Word::Else)) return;
        if (is(Word::If) && !if_is_expression()) {  // else if: the same as elseif
            advance();
            continue;
        }
        Branch otherwise;
        block(otherwise, part);
        out.push_back(std::move(otherwise));
        return;
    }
}

// Parses the head of a structured statement. When it cannot be understood, its body still belongs to it.
template <class Header>
void Parser::header(Header parse) {
    try {
        parse();
    } catch (Failure) {
        mode_ = {};
        while (!is(TokenKind::Separator) && !is(TokenKind::End) && !is(Word::Then) && !is(Word::Do) &&
               !is(Word::Begin) && !is(Word::Of))
            advance();
        if (is(Word::Then) || is(Word::Do) || is(Word::Of)) advance();
    }
}

}  // namespace cutset::dymola
