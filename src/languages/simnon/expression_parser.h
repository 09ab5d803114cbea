// Expressions of the Simnon language, over the tokens of one line. Precedence as in ALGOL 60: powers from the
// left, a sign before a whole term, NOT before a relation.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "ir/class_tree.h"
#include "languages/simnon/parse.h"
#include "languages/simnon/system.h"
#include "languages/simnon/tokens.h"

namespace cutset::simnon {

bool reserved_word(std::string_view name);
bool function_name(std::string_view name);

class ExpressionParser {
  public:
    // What a name stands for: a variable of the system (`other` is empty) or of another one. Nothing after
    // reporting.
    using Lookup = std::function<std::optional<tree::Expression>(const Token& name, const Token* other)>;

    // `outside`: there may be variables of other systems.
    ExpressionParser(const std::vector<Token>& tokens, std::size_t first, bool outside,
                     Diagnostics& diagnostics, Lookup lookup)
        : tokens_(tokens),
          at_(first),
          outside_(outside),
          diagnostics_(diagnostics),
          lookup_(std::move(lookup)) {}

    // The rest of the line as one number-valued expression. Nothing after an error was reported.
    std::optional<tree::Expression> parse();

  private:
    using Result = std::optional<tree::Expression>;
    Result expression();  // with IF
    Result disjunction();
    Result conjunction();
    Result negation();
    Result relation();
    Result sum();
    Result term();
    Result power();
    Result primary();
    Result call(const Token& name);
    Result reference(const Token& name);

    const Token& now() const { return tokens_[at_]; }
    bool is(std::string_view symbol) const { return now().kind == TokenKind::Symbol && now().text == symbol; }
    bool word(std::string_view keyword) const {
        return now().kind == TokenKind::Name && same_letters(now().text, keyword);
    }
    Result fail(Diagnostic d) {
        diagnostics_.report(std::move(d));
        return std::nullopt;
    }

    const std::vector<Token>& tokens_;
    std::size_t at_;
    bool outside_;
    Diagnostics& diagnostics_;
    Lookup lookup_;
    int depth_ = 0;
};

// A Boolean value as the number 1 or 0; a number as the condition that it is at least 0.5.
tree::Expression as_number(tree::Expression e);
tree::Expression as_condition(tree::Expression e);

}  // namespace cutset::simnon
