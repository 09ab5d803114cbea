// Functions: `function f(u1, u2) returns y … end`, written in the language or external.
#include <algorithm>
#include <cstdlib>

#include "languages/dymola/documentation.h"
#include "languages/dymola/messages.h"
#include "languages/dymola/parser.h"

namespace cutset::dymola {

using namespace tree;

namespace {

bool mentions(const Expression& e, const std::string& name) {
    if (e.kind == ExpressionKind::Reference && e.reference.parts[0].name == name) return true;
    for (const ReferencePart& part : e.reference.parts)
        for (const Expression& index : part.indices)
            if (mentions(index, name)) return true;
    return std::any_of(e.arguments.begin(), e.arguments.end(),
                       [&](const Expression& a) { return mentions(a, name); });
}

bool ends_statement(const Token& t) {
    return t.kind == TokenKind::Separator || t.kind == TokenKind::End;
}

}  // namespace

std::shared_ptr<Function> Parser::function() {
    const Deeper deeper(*this);
    const Token opening = now();
    auto f = std::make_shared<Function>();
    f->documentation = comments_before(all_, text_, opening.begin);
    advance();
    f->where = span(now());
    const auto list = [&](std::vector<VariableDeclaration>& out, VariableKind kind) {
        while (is(TokenKind::Name)) {
            DeclaredType type;
            declared_type(type);
            out.push_back(variable(kind));
            out.back().type = type.type;
            take(Symbol::Comma);
        }
    };
    try {
        f->name = expect_name("the name of a function");
        if (is(Symbol::LeftRound)) {
            const Token bracket = now();
            advance();
            list(f->inputs, VariableKind::Input);
            if (is(TokenKind::Keyword)) unexpected("the name of an argument");
            close(Symbol::RightRound, bracket);
        }
        skip_separators();
        if (!take(Word::Returns)) fail(function_without_result(f->where, f->name));
        if (is(Symbol::LeftRound)) {
            const Token bracket = now();
            advance();
            list(f->outputs, VariableKind::Output);
            close(Symbol::RightRound, bracket);
        } else {
            list(f->outputs, VariableKind::Output);
        }
        if (f->outputs.empty()) unexpected("the name of the result");
        const std::string after = comments_after(all_, text_, last_end_);
        if (!after.empty()) f->documentation += (f->documentation.empty() ? "" : "\n") + after;
        if (!is(Word::External)) finish_statement();
    } catch (Failure) {
        recover();
    }
    function_until_end(f.get(), f->body, f->name, opening);
    if (f->external && !f->body.empty()) report(external_with_body(f->external->where));
    if (is(TokenKind::Separator)) advance();
    return f;
}

// Statements up to `end`, which is taken. Declarations go to `declarations`; inside blocks there are none.
void Parser::function_until_end(Function* declarations, std::vector<tree::Statement>& body,
                                std::string_view name, const Token& opening) {
    for (;;) {
        skip_separators();
        if (at_end_word()) return take_end(name, opening);
        if (is(TokenKind::End)) {
            if (!cut_short_)
                report(missing_end(span(opening), declarations ? "function" : "begin", name, span(now()),
                                   suspect_));
            cut_short_ = true;
            return;
        }
        one_function_statement(declarations, body);
    }
}

void Parser::one_function_statement(Function* declarations, std::vector<tree::Statement>& body) {
    const std::size_t start = at_;
    try {
        const bool constant = is(Word::Constant);
        if (declarations && (is(Word::Local) || constant)) {
            advance();
            DeclaredType type;
            do {
                if (!is(Symbol::LeftRound)) declared_type(type);
                declarations->locals.push_back(
                    variable(constant ? VariableKind::Constant : VariableKind::Local));
                declarations->locals.back().type = type.type;
            } while (list_goes_on("the name of a variable"));
            finish_statement();
        } else if (declarations && is(Word::External)) {
            external_code(*declarations);
        } else if (declarations && (is_name("derivative") || is_name("inverse")) &&
                   ahead(1).kind == TokenKind::Name) {
            rule(*declarations);
        } else if (declarations && is_name("impure") && ends_statement(ahead(1))) {
            advance();
            declarations->impure = true;
            finish_statement();
        } else if (declarations && is_name("inline") && ends_statement(ahead(1))) {
            advance();
            declarations->inlined = true;
            finish_statement();
        } else if (procedure_ahead()) {
            assign_results(body);
        } else {
            body.push_back(function_statement());
        }
    } catch (Failure) {
        mode_ = {};
        recover();
    }
    if (at_ == start) advance();
}

// external "lib.so" name "c_symbol" derivative "c_df"
void Parser::external_code(Function& f) {
    ExternalCode out;
    const std::uint32_t begin = now().begin;
    advance();
    out.symbol = f.name;
    out.library = expect_text("the file of the shared library between quotes");
    for (;;) {
        if (is_name("name")) {
            advance();
            out.symbol = expect_text("the name of the C function between quotes");
        } else if (is_name("derivative")) {
            advance();
            out.derivative = expect_text("the name of the derivative function between quotes");
        } else {
            break;
        }
    }
    out.where = span_from(begin);
    f.external = std::move(out);
    finish_statement();
}

// … order 2 without a, b constant c
void Parser::derivative_words(Function::Rule& rule) {
    if (is_name("order")) {
        advance();
        const double order = std::atof(std::string(written(now())).c_str());
        if (!is(TokenKind::Number) || !(order >= 2 && order <= 9)) unexpected("2, 3 … 9");
        rule.order = static_cast<std::uint32_t>(order);
        advance();
    }
    while (is_name("without") || is(Word::Constant)) {
        std::vector<std::string>& list = is_name("without") ? rule.without : rule.constant;
        advance();
        do {
            list.push_back(expect_name("the name of an argument"));
        } while (take(Symbol::Comma) || (is(TokenKind::Name) && !is_name("without")));
    }
}

// derivative df; inverse x = g
void Parser::rule(Function& f) {
    const bool derivative = is_name("derivative");
    advance();
    Function::Rule out;
    if (!derivative) {
        out.argument = expect_name("the name of an argument");
        expect(Symbol::Equal, "`=`");
    }
    out.where = span(now());
    out.function = expect_name("the name of a function");
    if (derivative) derivative_words(out);
    (derivative ? f.derivatives : f.inverses).push_back(std::move(out));
    finish_statement();
}

void Parser::function_block(std::vector<tree::Statement>& body, const Token& opening) {
    skip_separators();
    const Deeper deeper(*this);
    if (is(Word::Begin)) {
        const Token begin = now();
        advance();
        return function_until_end(nullptr, body, "", begin);
    }
    if (now().line_start) single_statement_ = span(opening);
    if (is(TokenKind::End) || is(Word::End)) unexpected("a statement");
    one_function_statement(nullptr, body);
}

// y1 y2 := f(x)
void Parser::assign_results(std::vector<tree::Statement>& body) {
    const ProcedureCall call = procedure(true);
    for (std::size_t k = 0; k < call.outputs.size(); ++k) {
        const std::string& name = call.outputs[k].parts[0].name;
        for (const Expression& e : call.arguments)
            if (k + 1 < call.outputs.size() && mentions(e, name))
                fail(result_is_argument(call.outputs[k].where, name));
        body.push_back({Assignment{call.outputs[k], result_of(call, k)}, call.where});
    }
    finish_statement();
}

tree::Statement Parser::function_statement() {
    tree::Statement out;
    const Token opening = now();
    if (is(Word::If)) {
        Conditional c;
        branches(c.branches, [&](Branch& b, const Token& part) { function_block(b.body, part); });
        out.what = std::move(c);
    } else if (is(Word::For)) {
        ForStatement f;
        const Deeper deeper(*this);
        advance();
        loop_header(f.variable, f.from, f.to, f.step, opening);
        function_block(f.body, opening);
        out.what = std::move(f);
    } else if (is_name("while") && ahead(1).symbol != Symbol::Assign && ahead(1).symbol != Symbol::Equal) {
        WhileStatement w;
        const Deeper deeper(*this);
        advance();
        header([&] {
            w.condition = condition();
            if (!take(Word::Do)) fail(missing_do(span(now()), "while", span(opening)));
        });
        function_block(w.body, opening);
        out.what = std::move(w);
    } else if ((is_name("return") || is_name("break")) && ahead(1).symbol != Symbol::Assign &&
               ahead(1).symbol != Symbol::Equal && ahead(1).symbol != Symbol::LeftSquare) {
        out.what = LeaveStatement{is_name("break")};
        advance();
        out.where = span_from(opening.begin);
        finish_statement();
        return out;
    } else if (assertion_ahead()) {
        Valid parts = assertion_parts(true);
        out.what = AssertStatement{std::move(parts.condition), std::move(parts.text)};
        out.where = parts.where;
        finish_statement();
        return out;
    } else if (is(TokenKind::Keyword)) {
        if (is(Word::Else) || is(Word::Elseif))
            fail(else_without_if(span(now()), written(now()), single_statement_));
        fail(not_in_function(span(now()), written(now())));
    } else {
        Assignment a;
        a.target = reference();
        if (!take(Symbol::Assign)) equals_sign();
        a.value = expression();
        out.what = std::move(a);
        out.where = span_from(opening.begin);
        finish_statement();
        return out;
    }
    out.where = span_from(opening.begin);
    if (is(TokenKind::Separator)) advance();
    return out;
}

}  // namespace cutset::dymola
