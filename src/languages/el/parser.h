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
#include "languages/reading/expression_reader.h"

namespace cutset::el {

class Parser final : private reading::ExpressionReader<Token> {
  public:
    Parser(const Sources& sources, SourceId source, Diagnostics& diagnostics);
    File file();

  private:
    // ---- tokens (parser.cpp)
    bool at_end_of_statement() const;
    void end_statement();
    void skip_statement_ends();
    void skip_rest();
    bool begins_declaration() const;
    std::string name(std::string_view wanted, Span* where) override;
    std::string name(std::string_view wanted) { return name(wanted, nullptr); }
    std::string quoted();
    [[noreturn]] void unexpected(std::string_view wanted) override;
    std::string habit_help() const;
    std::string_view nested() const override { return "blocks"; }

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
    void no_equation(const Expression& e);
    std::vector<Expression> reference_list();
    std::vector<object::Iterator> iterators(bool bracket_open);
    template <class F>
    void guarded(F&& f);

    // ---- expressions (parse_expressions.cpp)
    Expression expression() override;
    Expression primary() override;
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
};

}  // namespace cutset::el
