// Models and what stands in them: equations, events. (Structure: structure_statements.cpp.)
#include <algorithm>
#include <cctype>

#include "expr/elementary_functions.h"
#include "languages/dymola/documentation.h"
#include "languages/dymola/messages.h"
#include "languages/dymola/parser.h"

namespace cutset::dymola {

using namespace tree;

namespace {

// How far the line that holds `offset` is indented.
std::size_t indentation(std::string_view text, std::uint32_t offset) {
    const std::size_t line = offset == 0 ? 0 : text.rfind('\n', offset - 1) + 1;
    const std::size_t first = text.find_first_not_of(" \t", line);
    return (first == std::string_view::npos ? text.size() : first) - line;
}

constexpr std::string_view foreign_ends[] = {"endif",    "endfor",   "endwhen",     "endmodel", "enddo",
                                             "endcase",  "endwhile", "endfunction", "end_if",   "end_for",
                                             "end_when", "fi",       "od"};

// Beside the elementary functions.
constexpr std::string_view special_functions[] = {"delay",  "new",       "pre",   "edge",
                                                  "change", "sample",    "start", "noevent",
                                                  "reinit", "terminate", "der",   "homotopy"};

}  // namespace

bool Parser::callable(std::string_view name) const {
    for (const Scope* s : scope_)
        if (s->of(name) & Scope::Callable) return true;
    if (scopes_.file.of(name) & Scope::Callable) return true;
    return find_elementary_function(name) ||
           std::find(std::begin(special_functions), std::end(special_functions), name) !=
               std::end(special_functions);
}

// ---- models

std::shared_ptr<Class> Parser::model(const Class* parent) {
    const Deeper deeper(*this);
    const Token opening = now();
    const std::size_t position = at_;
    auto out = std::make_shared<Class>();
    out->parent = parent;
    out->source = source_;
    out->documentation = comments_before(all_, text_, opening.begin);
    scope_.push_back(&scopes_.models[position]);
    struct Leave {
        Parser& p;
        ~Leave() { p.scope_.pop_back(); }
    } leave{*this};
    advance();
    out->in_place = !take(Word::Type);
    out->where = span(now());
    try {
        out->name = expect_name(out->in_place ? "the name of a model" : "the name of a model type");
        const std::string after = comments_after(all_, text_, last_end_);
        if (!after.empty()) out->documentation += (out->documentation.empty() ? "" : "\n") + after;
        finish_statement();
    } catch (Failure) {
        recover();
    }
    open_.push_back(out.get());
    struct Close {
        Parser& p;
        ~Close() { p.open_.pop_back(); }
    } close_class{*this};
    out->items.reserve(scope_.back()->items);
    body_until_end(out->items, "model", out->name, opening);
    check_clock_names(*out);
    out->whole = span_from(opening.begin);
    return out;
}

// An `end`, or what people from other languages write for it (which is reported).
bool Parser::at_end_word() {
    if (is(Word::End)) return true;
    if (!is(TokenKind::Name)) return false;
    const std::string_view name = written(now());
    if (std::find(std::begin(foreign_ends), std::end(foreign_ends), name) == std::end(foreign_ends))
        return false;
    const TokenKind next = ahead(1).kind;
    if (next != TokenKind::Separator && next != TokenKind::End) return false;
    report(foreign_end(span(now()), name));
    return true;
}

// Takes `end`, with the name of the model if it stands there.
void Parser::take_end(std::string_view name, const Token& opening) {
    const Token end = now();
    advance();
    if (is(TokenKind::Name) && !name.empty()) {
        if (written(now()) != name)
            report(end_names_another(span(now()), written(now()), name, span(opening)));
        advance();
    } else if (is(Word::If) || is(Word::For) || is(Word::When) || is(Word::Model) || is(Word::Function) ||
               is(Word::Case)) {
        const TokenKind next = ahead(1).kind;
        if (next == TokenKind::Separator || next == TokenKind::End || next == TokenKind::Name) {
            report(word_after_end(span(now()), written(now())));
            advance();
            if (is(TokenKind::Name)) advance();
        }
    }
    if (!suspect_.known() && end.line_start &&
        indentation(text_, opening.begin) > indentation(text_, end.begin))
        suspect_ = span(end);
}

void Parser::body_until_end(Items& items, std::string_view construct, std::string_view name,
                            const Token& opening) {
    for (;;) {
        skip_separators();
        if (at_end_word()) {
            take_end(construct == "model" ? name : std::string_view(), opening);
            if (is(TokenKind::Separator)) advance();
            return;
        }
        if (is(TokenKind::End)) {
            // After a comment without end, a missing `end` is no news.
            if (!cut_short_) report(missing_end(span(opening), construct, name, span(now()), suspect_));
            cut_short_ = true;  // one message is enough
            return;
        }
        if (is(Word::Model) && now().line_start && !suspect_.known() &&
            indentation(text_, now().begin) <= indentation(text_, opening.begin))
            suspect_ = span(now());
        statement(items);
    }
}

void Parser::statement(Items& items) {
    const std::size_t start = at_;
    const int depth = depth_;
    try {
        statement_inner(items);
    } catch (Failure) {
        CUTSET_ASSERT(depth_ == depth);
        mode_ = {};
        recover();
    }
    if (at_ == start) advance();
}

void Parser::statement_inner(Items& items) {
    switch (now().word) {
        case Word::Model: {
            std::shared_ptr<Class> c = model(open_.empty() ? nullptr : open_.back());
            if (c->in_place) {
                Component in_place;
                in_place.type = in_place.name = c->name;
                in_place.type_where = in_place.where = c->where;
                items.push_back({std::move(c)});
                items.push_back({std::move(in_place)});
            } else {
                items.push_back({std::move(c)});
            }
            return;
        }
        case Word::Submodel:
            return submodels(items);
        case Word::Parameter:
            return variables(items, VariableKind::Parameter);
        case Word::Structure:
            advance();
            if (!is(Word::Parameter)) fail(structure_without_parameter(span(now())));
            return variables(items, VariableKind::StructureParameter);
        case Word::Constant:
            return variables(items, VariableKind::Constant);
        case Word::Local:
            return variables(items, VariableKind::Local);
        case Word::Discrete:
            return variables(items, VariableKind::Discrete);
        case Word::Terminal:
            return variables(items, VariableKind::Terminal);
        case Word::Input:
            return variables(items, VariableKind::Input);
        case Word::Output:
            return variables(items, VariableKind::Output);
        case Word::Internal:
            return variables(items, VariableKind::Internal);
        case Word::External:
            return variables(items, VariableKind::External);
        case Word::Default:
            return defaults(items);
        case Word::Main:
            return main_declaration(items);
        case Word::Cut:
            return ports(items, false, false);
        case Word::Node:
            return ports(items, false, true);
        case Word::Path:
            return paths(items, false);
        case Word::Connect:
            return connection(items);
        case Word::For:
            return structure_for(items);
        case Word::If:
            if (if_is_expression()) return equation_statement(items);
            return structure_if(items);
        case Word::Case:
            return structure_case(items);
        case Word::When:
            return when(items);
        case Word::Valid:
            return valid(items);
        case Word::Initial:
            return initial(items);
        case Word::Table:
            items.push_back({table()});
            return finish_statement();
        case Word::Function:
            items.push_back({function()});
            return;
        case Word::Library:
            fail(library_not_at_top(span(now())));
        case Word::Begin:
            fail(begin_alone(span(now())));
        case Word::Else:
        case Word::Elseif:
            fail(else_without_if(span(now()), written(now()), single_statement_));
        case Word::Not:
        case Word::None:
        case Word::Reversed:
            if (type_ahead()) return variable_list(items, VariableKind::Local);
            if (preferred_states_ahead()) return preferred_states(items);
            if (guess_ahead()) return guess(items);
            if (clock_ahead()) return clocks();
            if (assertion_ahead()) return assertion(items);
            if (is_connection()) return connection(items);
            if (const std::string word = misspelled_word(); !word.empty())
                fail(misspelled_statement(span(now()), written(now()), word));
            return equation_statement(items);
        default:
            unexpected("a declaration, a name or an equation");
    }
}

// Two names side by side begin no equation, but a declaration whose word is misspelled; so does a word in
// another case before a bracket. "" when that is not so.
std::string Parser::misspelled_word() const {
    if (!is(TokenKind::Name)) return "";
    const Token& next = ahead(1);
    const bool bracket = next.symbol == Symbol::LeftRound && next.blank_before;
    if (next.kind != TokenKind::Name && next.kind != TokenKind::Keyword && !bracket) return "";
    if (next.kind != TokenKind::Keyword && !bracket && procedure_ahead()) return "";
    const std::string word = nearest_statement_word(written(now()));
    std::string lower(written(now()));
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    return next.kind == TokenKind::Name || lower == word ? word : "";
}

// ---- events (when clauses: when_statements.cpp)

void Parser::valid(Items& items) {
    Valid out;
    const std::uint32_t begin = now().begin;
    advance();
    out.condition = condition();
    out.where = span_from(begin);
    items.push_back({std::move(out)});
    finish_statement();
}

// assert(condition, "text"), assert(condition, "text", warning)
bool Parser::assertion_ahead() const {
    return is_name("assert") && ahead(1).symbol == Symbol::LeftRound;
}

Valid Parser::assertion_parts(bool in_function) {
    Valid out;
    const std::uint32_t begin = now().begin;
    advance();
    const Token bracket = now();
    advance();
    {
        const Deeper deeper(*this);
        const WithMode mode(*this, Mode{});
        out.condition = condition();
    }
    expect(Symbol::Comma, "a comma and what to say where the condition does not hold");
    out.text = expect_text("a text between quotes: what to say where the condition does not hold");
    out.level = AssertionLevel::Error;
    if (take(Symbol::Comma)) {
        if (is_name("warning"))
            out.level = AssertionLevel::Warning;
        else if (!is_name("error"))
            unexpected("`error` or `warning`");
        if (in_function && out.level == AssertionLevel::Warning) fail(warning_in_function(span(now())));
        advance();
    }
    close(Symbol::RightRound, bracket);
    out.where = span_from(begin);
    return out;
}

void Parser::assertion(Items& items) {
    items.push_back({assertion_parts(false)});
    finish_statement();
}

// ---- equations

// `=`; what is written for it by mistake is reported and understood.
void Parser::equals_sign() {
    if (is(Symbol::Assign))
        report(assignment_in_equation(span(now())));
    else if (is(Symbol::EqualEqual))
        report(foreign_operator(span(now()), "==", "="));
    else if (!is(Symbol::Equal)) {
        if (statement_over()) fail(missing_equals({source_, last_end_, last_end_}));
        unexpected("`=`");
    }
    advance();
}

Equation Parser::equation() {
    Equation out;
    const std::uint32_t begin = now().begin;
    const bool signed_start = is(Symbol::Plus) || is(Symbol::Minus);
    {
        Mode left;
        left.equal_is_relation = false;
        const WithMode mode(*this, left);
        out.left = expression();
    }
    if (statement_over()) {
        if (out.left.kind == ExpressionKind::Call &&
            (out.left.text == "reinit" || out.left.text == "terminate"))
            fail(when_only(out.left.where, out.left.text));
        fail(signed_start ? sign_starts_line(span_from(begin)) : missing_equals(span_from(begin)));
    }
    equals_sign();
    out.right = expression();
    out.where = span_from(begin);
    if (out.left.kind == ExpressionKind::Call && out.left.text == "new")
        report(when_only(out.left.where, "new"));
    return out;
}

// `state x, y`, `state never x`: two names in a row that are not the results of a procedure. `state` is a
// name everywhere else, and so are the words after it where they are variables of the model.
bool Parser::preferred_states_ahead() const {
    return is_name("state") && ahead(1).kind == TokenKind::Name && !procedure_ahead();
}

void Parser::preferred_states(Items& items) {
    PreferredStates out;
    const std::uint32_t begin = now().begin;
    advance();
    for (StateSelect select :
         {StateSelect::Never, StateSelect::Avoid, StateSelect::Prefer, StateSelect::Always}) {
        if (!is_name(word(select)) || ahead(1).kind != TokenKind::Name) continue;
        if (!scope_.empty() && scope_.back()->of(word(select)) & Scope::Variable) continue;
        out.select = select;
        advance();
        break;
    }
    do {
        if (!is(TokenKind::Name)) unexpected("the name of a variable");
        out.variables.push_back(reference());
    } while (take(Symbol::Comma) || is(TokenKind::Name));
    out.where = span_from(begin);
    items.push_back({std::move(out)});
    finish_statement();
}

// `guess x = e`: two names before a `=` that are not the results of a procedure: `guess` is no variable of
// the model.
bool Parser::guess_ahead() const {
    if (!is_name("guess") || ahead(1).kind != TokenKind::Name) return false;
    return scope_.empty() || !(scope_.back()->of("guess") & Scope::Variable);
}

void Parser::guess(Items& items) {
    advance();
    do {
        InitialValue out;
        const std::uint32_t begin = now().begin;
        out.guess = true;
        out.variable = reference();
        equals_sign();
        Mode list;
        list.equal_is_relation = false;
        const WithMode mode(*this, list);
        out.value = expression();
        out.where = span_from(begin);
        items.push_back({std::move(out)});
    } while (take(Symbol::Comma));
    finish_statement();
}

void Parser::equation_statement(Items& items) {
    if (procedure_ahead())
        items.push_back({procedure()});
    else if (initial_value_ahead())
        initial_value(items);
    else
        items.push_back({equation()});
    finish_statement();
}

void Parser::initial(Items& items) {
    advance();
    if (is(TokenKind::Separator) || is(TokenKind::End)) unexpected("an equation");
    if (initial_value_ahead()) {
        // initial x(0) = e says the same as initial x = e.
        const std::size_t before = items.size();
        initial_value(items);
        if (items.size() > before)
            if (auto* v = std::get_if<InitialValue>(&items.back().what)) {
                InitialEquation out;
                out.equation.where = v->where;
                out.equation.left.kind = ExpressionKind::Reference;
                out.equation.left.where = v->variable.where;
                out.equation.left.reference = std::move(v->variable);
                out.equation.right = std::move(v->value);
                items.back().what = std::move(out);
            }
    } else {
        items.push_back({InitialEquation{equation()}});
    }
    finish_statement();
}

// y1 y2 = …: two or more names, apart by blanks or commas, before `=`; also (y1, y2) = …
bool Parser::procedure_ahead() const {
    std::size_t i = at_, count = 0;
    const bool brackets = is(Symbol::LeftRound);
    if (brackets) ++i;
    while (tokens_[i].kind == TokenKind::Name) {
        ++count;
        ++i;
        for (;;) {
            if (tokens_[i].symbol == Symbol::LeftSquare)
                i = after_bracket(i);
            else if ((tokens_[i].symbol == Symbol::Dot || tokens_[i].symbol == Symbol::ColonColon) &&
                     tokens_[i + 1].kind == TokenKind::Name)
                i += 2;
            else
                break;
        }
        if (tokens_[i].symbol == Symbol::Comma) ++i;
    }
    if (brackets) {
        if (tokens_[i].symbol != Symbol::RightRound) return false;
        ++i;
    }
    return count >= 2 && (tokens_[i].symbol == Symbol::Equal || tokens_[i].symbol == Symbol::Assign);
}

ProcedureCall Parser::procedure(bool in_function) {
    ProcedureCall out;
    const std::uint32_t begin = now().begin;
    const bool brackets = take(Symbol::LeftRound);
    while (is(TokenKind::Name)) {
        out.outputs.push_back(reference());
        take(Symbol::Comma);
    }
    if (brackets) expect(Symbol::RightRound, "`)`");
    if (!in_function || !take(Symbol::Assign)) equals_sign();
    const Token right = now();
    Expression call = expression();
    if (call.kind != ExpressionKind::Call) {
        const std::string_view first = out.outputs[0].parts[0].name;
        const std::string word = brackets ? "" : nearest_statement_word(first);
        if (!word.empty()) fail(misspelled_statement(out.outputs[0].where, first, word));
        if (first == "der" && out.outputs.size() == 2)
            fail(der_without_brackets(out.outputs[0].where, out.outputs[1].parts[0].name));
        fail(procedure_needs_call(span_from(right.begin)));
    }
    out.procedure = std::move(call.text);
    out.arguments = std::move(call.arguments);
    out.where = span_from(begin);
    return out;
}

Expression Parser::result_of(const ProcedureCall& call, std::size_t k) {
    Expression e;
    e.kind = ExpressionKind::Call;
    e.text = call.procedure;
    e.arguments = call.arguments;
    e.where = call.where;
    e.number = double(k + 1);
    return e;
}

// x(0) = e and x'(0) = e, where x is not a function or table.
bool Parser::initial_value_ahead() const {
    if (!is(TokenKind::Name) || callable(written(now()))) return false;
    std::size_t i = at_ + 1;
    for (;;) {
        if (tokens_[i].symbol == Symbol::LeftSquare)
            i = after_bracket(i);
        else if ((tokens_[i].symbol == Symbol::Dot || tokens_[i].symbol == Symbol::ColonColon) &&
                 tokens_[i + 1].kind == TokenKind::Name)
            i += 2;
        else
            break;
    }
    while (tokens_[i].symbol == Symbol::Prime) ++i;
    if (tokens_[i].symbol != Symbol::LeftRound || tokens_[i + 1].kind != TokenKind::Number) return false;
    const std::string_view zero = written(tokens_[i + 1]);
    return zero.find_first_not_of("0.") == std::string_view::npos &&
           tokens_[i + 2].symbol == Symbol::RightRound &&
           (tokens_[i + 3].symbol == Symbol::Equal || tokens_[i + 3].symbol == Symbol::Assign);
}

void Parser::initial_value(Items& items) {
    InitialValue out;
    const std::uint32_t begin = now().begin;
    out.variable = reference();
    int order = 0;
    while (take(Symbol::Prime)) ++order;
    const std::uint32_t end = last_end_;
    advance();
    advance();
    advance();  // (0)
    equals_sign();
    out.value = expression();
    out.where = span_from(begin);
    if (order == 0) {
        items.push_back({std::move(out)});
        return;
    }
    InitialEquation e;
    e.equation.where = out.where;
    e.equation.left.kind = ExpressionKind::Derivative;
    e.equation.left.where = {source_, begin, end};
    e.equation.left.number = order;
    Expression x;
    x.kind = ExpressionKind::Reference;
    x.where = out.variable.where;
    x.reference = std::move(out.variable);
    e.equation.left.arguments.push_back(std::move(x));
    e.equation.right = std::move(out.value);
    items.push_back({std::move(e)});
}

// library "a.dym", "b.dym"
void Parser::library(File& file) {
    advance();
    do {
        const Token t = now();
        file.libraries.push_back({expect_text("the name of a file between quotes"), span(t)});
    } while (take(Symbol::Comma) || is(TokenKind::Text));
    finish_statement();
}

}  // namespace cutset::dymola
