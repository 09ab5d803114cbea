// Recursive descent over the tokens of EL, with the nesting bounded. After an error the rest of the statement
// is skipped.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "languages/el/syntax.h"
#include "languages/el/tokens.h"

namespace cutset::el {

class Parser {
  public:
    Parser(const Sources& sources, SourceId source, Diagnostics& diagnostics);
    File file();

  private:
    // Thrown after a report, caught where the next statement begins.
    struct GiveUp {};
    struct Nesting {
        explicit Nesting(Parser& p);
        ~Nesting() { --parser.depth_; }
        Parser& parser;
    };

    // ---- tokens (parser.cpp)
    const Token& now() const { return tokens_[at_]; }
    const Token& ahead(std::size_t n = 1) const;
    bool at(Word w) const { return now().word == w; }
    bool at(Mark s) const { return now().mark == s; }
    bool at_end_of_statement() const;
    bool accept(Word w);
    bool accept(Mark s);
    void expect(Word w);
    void expect(Mark s, std::string_view wanted);
    void end_statement();
    void skip_statement_ends();
    void skip_rest();
    bool begins_declaration() const;
    Span span(const Token& t) const { return {source_, t.begin, t.end}; }
    Span from(const Token& first) const;
    std::string_view text(const Token& t) const;
    std::string name(std::string_view wanted, Span* where = nullptr);
    std::string quoted();
    [[noreturn]] void unexpected(std::string_view wanted);
    void report(Diagnostic d);

    // ---- declarations (parse_declarations.cpp)
    void top_level(File& file);
    void component(File& file, bool abstract);
    void port(File& file);
    void block(Component& c);
    void end_of(Word block);
    std::string header_text();
    void header_goes_on();
    Expression dimension(bool may_be_open);
    std::vector<Parent> parents();
    std::vector<Declaration> parameter_list();
    bool declaration_begins() const;
    std::vector<Declaration> declaration(bool in_list = false);
    void declared_type(Declaration& d);
    void declared_rest(Declaration& d);
    void port_use(Component& c);
    Close close();
    Arguments arguments();
    void enumeration(File& file);
    void function(File& file, bool external);
    void partition(File& file);
    void experiment(File& file);
    std::vector<Parent> name_list();
    std::string path_name(std::string_view wanted, Span* where);

    // ---- statements (parse_statements.cpp)
    bool block_ends() const;
    std::vector<Statement> statements();
    Statement statement();
    Statement plain_statement();
    Statement connect();
    Statement submodel_or_statement(std::vector<Statement>& also);
    Statement if_statement();
    Statement when();
    Statement for_statement();
    Statement while_statement();
    Statement expand(bool is_block);
    Statement assertion();
    Statement sequential();
    void assignment_operator(Statement& s);
    std::vector<Expression> reference_list();
    std::vector<object::Iterator> iterators(bool bracket_open);
    template <class F>
    void guarded(F&& f);

    // ---- expressions (parse_expressions.cpp)
    Expression expression();
    Expression disjunction();
    Expression conjunction();
    Expression negation();
    Expression relation();
    Expression sum();
    Expression product();
    Expression signed_term();
    Expression power();
    Expression primary();
    Expression reference();
    Expression zone();
    Expression choice();
    Expression comprehension(std::string function);
    Expression braces();
    Expression condition();
    void call_arguments(Expression& call);
    object::Iterator iterator();
    Expression range_of_values();
    void skip_line_before(Word a, Word b);
    Expression binary(object::Operator op, Expression a, Expression b) const;
    Expression unary(object::Operator op, const Token& sign, Expression a) const;

    const Sources& sources_;
    SourceId source_;
    Diagnostics& diagnostics_;
    std::vector<Token> tokens_;
    std::size_t at_ = 0;
    int depth_ = 0;
    int errors_ = 0;
};

}  // namespace cutset::el
