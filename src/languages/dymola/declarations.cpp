// Variables, submodels, cuts, nodes, paths and tables.
#include <algorithm>
#include <optional>

#include "languages/dymola/messages.h"
#include "languages/dymola/parser.h"

namespace cutset::dymola {

using namespace tree;

// ---- variables

namespace {

// As keywords are: in lower or in upper case.
std::optional<ValueType> type_word(std::string_view word) {
    if (word == "boolean" || word == "BOOLEAN") return ValueType::Boolean;
    if (word == "integer" || word == "INTEGER") return ValueType::Integer;
    if (word == "real" || word == "REAL") return ValueType::Real;
    return std::nullopt;
}

}  // namespace

// boolean b, integer n, (off, on) mode: a type is followed by a name.
bool Parser::type_ahead() const {
    if (is(TokenKind::Name)) return type_word(written(now())) && ahead(1).kind == TokenKind::Name;
    if (!is(Symbol::LeftRound)) return false;
    const std::size_t after = after_bracket(at_);
    if (after < at_ + 3 || tokens_[after].kind != TokenKind::Name) return false;
    for (std::size_t i = at_ + 1; i + 1 < after; ++i) {
        const bool name = (i - at_) % 2 == 1;
        if (name ? tokens_[i].kind != TokenKind::Name : tokens_[i].symbol != Symbol::Comma) return false;
    }
    return true;
}

void Parser::declared_type(DeclaredType& type) {
    if (!type_ahead()) return;
    type = {};
    if (!is(Symbol::LeftRound)) {
        type.type = type_word(written(now()));
        advance();
        return;
    }
    type.type = ValueType::Enumeration;
    const Token opening = now();
    advance();
    do {
        const Span where = span(now());
        std::string name = expect_name("the name of a value");
        if (std::find(type.literals.begin(), type.literals.end(), name) != type.literals.end())
            report(literal_twice(where, name));
        else
            type.literals.push_back(std::move(name));
    } while (take(Symbol::Comma));
    close(Symbol::RightRound, opening);
}

void Parser::variables(Items& items, VariableKind kind) {
    advance();
    variable_list(items, kind);
}

void Parser::variable_list(Items& items, VariableKind kind) {
    DeclaredType type;
    do {
        declared_type(type);
        VariableDeclaration v = variable(kind);
        v.type = type.type;
        v.literals = type.literals;
        items.push_back({std::move(v)});
    } while (type_ahead() || list_goes_on("the name of a variable"));
    finish_statement();
}

// name[dimensions] = value [unit] "description" nominal … min … max … quantity "…"
VariableDeclaration Parser::variable(VariableKind kind) {
    VariableDeclaration v;
    v.kind = kind;
    v.where = span(now());
    v.name = expect_name("the name of a variable");
    if (is(Symbol::LeftSquare) && !now().blank_before) v.dimensions = indices();
    attributes(v);
    if (take(Symbol::Equal) || is(Symbol::Assign)) {
        if (is(Symbol::Assign)) {
            report(assignment_in_equation(span(now())));
            advance();
        }
        Mode mode;
        mode.equal_is_relation = false;
        mode.square_ends = true;
        const WithMode in_list(*this, mode);
        v.value = expression();
        attributes(v);
    }
    if (kind == VariableKind::Constant && !v.value) report(constant_needs_value(v.where, v.name));
    return v;
}

// An attribute is a word followed by its value; a word alone is the next variable of the list.
bool Parser::attribute_follows(std::string_view name) const {
    if (!is_name(name)) return false;
    const Token& next = ahead(1);
    if (name == "quantity") return next.kind == TokenKind::Text;
    const bool sign = next.symbol == Symbol::Minus || next.symbol == Symbol::Plus;
    return next.kind == TokenKind::Number || next.symbol == Symbol::LeftRound ||
           (sign && ahead(2).kind == TokenKind::Number);
}

Expression Parser::attribute_value() {
    advance();
    Mode mode;
    mode.square_ends = mode.round_ends = true;
    const WithMode in_list(*this, mode);
    return signed_factor();
}

void Parser::attributes(VariableDeclaration& v) {
    const auto once = [&](const Box<Expression>& e, std::string_view what) {
        if (e) report(attribute_twice(span(now()), what));
    };
    for (;;) {
        if (is(Symbol::LeftSquare)) {
            if (!v.unit.empty()) report(attribute_twice(span(now()), "unit"));
            v.unit = unit();
        } else if (is(TokenKind::Text)) {
            if (!v.description.empty()) report(attribute_twice(span(now()), "description"));
            v.description = expect_text("a text");
        } else if (attribute_follows("nominal")) {
            once(v.nominal, "nominal value");
            v.nominal = attribute_value();
        } else if (attribute_follows("min")) {
            once(v.minimum, "minimum");
            v.minimum = attribute_value();
        } else if (attribute_follows("max")) {
            once(v.maximum, "maximum");
            v.maximum = attribute_value();
        } else if (attribute_follows("quantity")) {
            advance();
            v.quantity = expect_text("the quantity");
        } else {
            return;
        }
    }
}

// [Ohm]: any characters up to the closing bracket.
std::string Parser::unit() {
    const Token opening = now();
    if (!opening.closed) {
        while (!statement_over()) advance();
        fail(unclosed_bracket(span(opening), ']', {source_, last_end_, last_end_}));
    }
    const std::size_t after = after_bracket(at_);
    std::string_view raw = text_.substr(opening.end, tokens_[after - 1].begin - opening.end);
    while (at_ < after) advance();
    while (!raw.empty() && (raw.front() == ' ' || raw.front() == '\t')) raw.remove_prefix(1);
    while (!raw.empty() && (raw.back() == ' ' || raw.back() == '\t')) raw.remove_suffix(1);
    return std::string(raw);
}

void Parser::defaults(Items& items) {
    advance();
    do {
        DefaultValue d;
        const std::uint32_t begin = now().begin;
        d.variable = reference();
        if (!take(Symbol::Equal)) fail(default_needs_value(d.variable.where));
        Mode mode;
        mode.equal_is_relation = false;
        const WithMode in_list(*this, mode);
        d.value = expression();
        d.where = span_from(begin);
        items.push_back({std::move(d)});
    } while (list_goes_on("the name of a variable"));
    finish_statement();
}

// ---- submodels

// submodel (T) a(R=5) b (U) c: the type stands before its submodels; without it the name is the type.
void Parser::submodels(Items& items) {
    advance();
    std::string type;
    Span type_where;
    for (;;) {
        if (is(Symbol::LeftRound)) {
            const Token opening = now();
            advance();
            type_where = span(now());
            type = expect_name("the name of a model type");
            close(Symbol::RightRound, opening);
            take(Symbol::Comma);
            if (statement_over()) fail(submodel_needs_name(type_where, type));
        }
        items.push_back({submodel(type, type_where)});
        if (take(Symbol::Comma) || is(TokenKind::Name) || is(Symbol::LeftRound)) continue;
        if (statement_over()) break;
        unexpected(is(TokenKind::Keyword) ? "the name of a submodel" : "a comma or the end of the statement");
    }
    finish_statement();
}

Component Parser::submodel(const std::string& type, Span type_where) {
    Component c;
    c.where = span(now());
    c.name = expect_name("the name of a submodel");
    c.type = type.empty() ? c.name : type;
    c.type_where = type.empty() ? c.where : type_where;
    if (is(Symbol::LeftSquare)) c.dimensions = indices();
    if (is(Symbol::LeftRound)) {
        // After a blank, `(T) b` is the type of what follows; anything else in brackets is the list of
        // parameters.
        const bool type_group = now().blank_before && ahead(1).kind == TokenKind::Name &&
                                ahead(2).symbol == Symbol::RightRound && ahead(3).kind == TokenKind::Name;
        if (!type_group) c.arguments = arguments();
    }
    if (is(TokenKind::Text)) c.description = expect_text("a description");
    return c;
}

// (7.5, C=2): values in the order of declaration, then values by name.
std::vector<Argument> Parser::arguments() {
    const Token opening = now();
    advance();
    const Deeper deeper(*this);
    std::vector<Argument> out;
    bool by_name = false;
    while (!is(Symbol::RightRound)) {
        Argument a;
        const std::uint32_t begin = now().begin;
        Mode mode;
        mode.equal_is_relation = false;
        mode.square_ends = mode.round_ends = true;
        if (is(TokenKind::Keyword) && ahead(1).symbol == Symbol::Equal) unexpected("the name of a parameter");
        if (is(TokenKind::Name) && ahead(1).symbol == Symbol::Equal) {
            a.name = expect_name("the name of a parameter");
            advance();
            by_name = true;
        } else {
            if (by_name) report(positional_after_named(span(now())));
            mode.sign_ends = true;
        }
        const WithMode in_list(*this, mode);
        a.value = expression();
        a.where = span_from(begin);
        out.push_back(std::move(a));
        if (take(Symbol::Comma)) continue;
        if (is(Symbol::RightRound)) break;
        const bool next_value = starts_operand() || is(Symbol::Minus) || is(Symbol::Plus);
        if (!next_value || !now().blank_before) close(Symbol::RightRound, opening);
    }
    close(Symbol::RightRound, opening);
    return out;
}

// ---- cuts and nodes

void Parser::main_declaration(Items& items) {
    advance();
    if (is(Word::Cut)) return ports(items, true, false);
    if (is(Word::Path)) return paths(items, true);
    if (is(Word::Node)) fail(main_node(span(now())));
    unexpected("`cut` or `path`");
}

void Parser::ports(Items& items, bool main, bool node) {
    advance();
    for (;;) {
        items.push_back({port(main, node)});
        if (take(Symbol::Comma) || is(TokenKind::Name)) continue;
        if (statement_over()) break;
        unexpected(is(TokenKind::Keyword) ? "the name of a cut" : "a comma or the end of the statement");
    }
    finish_statement();
}

Port Parser::port(bool main, bool node) {
    Port p;
    p.main = main;
    p.node = node;
    p.where = span(now());
    if (is(TokenKind::Name))
        p.name = expect_name("the name of a cut");
    else if (!main && (is(Symbol::LeftRound) || is(Symbol::LeftSquare)))
        fail(cut_needs_name(span(now()), node ? "node" : "cut"));
    else if (!is(Symbol::LeftRound) && !is(Symbol::LeftSquare))
        unexpected(node ? "the name of a node" : "the name of a cut");
    if (is(Symbol::LeftSquare)) {
        // hole[n](x / F) and hole[3] have sizes; C[A, B] lists cuts of this model or of its submodels.
        const std::size_t after = after_bracket(at_);
        bool cuts = !p.name.empty() && tokens_[after].symbol != Symbol::LeftRound;
        for (std::size_t i = at_ + 1; cuts && i + 1 < after; ++i) {
            const Token& t = tokens_[i];
            const bool after_colon =
                tokens_[i - 1].symbol == Symbol::Colon || tokens_[i - 1].symbol == Symbol::ColonColon;
            if (t.kind == TokenKind::Name)
                cuts = after_colon || tokens_[i + 1].symbol == Symbol::Colon ||
                       tokens_[i + 1].symbol == Symbol::ColonColon || (kind_of(written(t)) & Scope::Cut);
            else if (t.symbol == Symbol::LeftSquare)
                i = after_bracket(i) - 1;
            else
                cuts = t.symbol == Symbol::Comma || t.symbol == Symbol::Colon ||
                       t.symbol == Symbol::ColonColon || t.symbol == Symbol::LeftRound ||
                       t.symbol == Symbol::RightRound;
        }
        if (cuts || p.name.empty()) {
            const Token opening = now();
            advance();
            p.body = port_elements(Symbol::RightSquare, opening, true);
            return p;
        }
        p.dimensions = indices();
    }
    if (is(Symbol::LeftRound)) {
        const Token opening = now();
        advance();
        p.body = port_elements(Symbol::RightRound, opening, false);
    }
    return p;
}

// Va, Ta / I, -Q up to the closing bracket, which is taken.
std::vector<PortElement> Parser::port_elements(Symbol closing, const Token& opening, bool hierarchical) {
    const Deeper deeper(*this);
    std::vector<PortElement> out;
    Role role = Role::Across;
    for (;;) {
        if (take(Symbol::Comma)) continue;
        if (is(Symbol::Slash)) {
            if (role == Role::Through) report(two_slashes(span(now())));
            role = Role::Through;
            advance();
            continue;
        }
        if (is(closing) || statement_over()) break;
        if (is(Symbol::RightRound) || is(Symbol::RightSquare)) break;
        out.push_back(port_element(role, hierarchical));
    }
    close(closing, opening);
    return out;
}

PortElement Parser::port_element(Role role, bool hierarchical) {
    PortElement e;
    e.role = role;
    const std::uint32_t begin = now().begin;
    if (take(Symbol::Dot)) {
        e.what = PortDot{};
    } else if (take(Symbol::DotDot)) {
        fail(dot_outside_cut(span_from(begin)));
    } else if (is(Symbol::LeftRound)) {
        const Token opening = now();
        advance();
        PortGroup group;
        group.elements = port_elements(Symbol::RightRound, opening, hierarchical);
        e.what = std::move(group);
    } else {
        PortVariable v;
        while (is(Symbol::Minus) || is(Symbol::Plus)) {
            if (is(Symbol::Minus)) v.negative = !v.negative;
            advance();
        }
        Mode mode;
        mode.square_ends = true;
        const WithMode in_list(*this, mode);
        if (!is(TokenKind::Name)) unexpected("the name of a variable or cut");
        v.variable = reference();
        const bool names_cut = v.variable.parts.back().before == Separator::Cut;
        if ((names_cut || hierarchical) && !v.negative) {
            e.what = PortReference{std::move(v.variable)};
        } else {
            if (is(Symbol::LeftSquare)) v.unit = unit();
            e.what = std::move(v);
        }
    }
    e.where = span_from(begin);
    return e;
}

// ---- paths

// path P (A - B) Q <(x / y) - C>
void Parser::paths(Items& items, bool main) {
    advance();
    for (;;) {
        Path p;
        p.main = main;
        p.where = span(now());
        if (is(TokenKind::Name))
            p.name = expect_name("the name of a path");
        else if (!main && is(Symbol::LeftRound))
            fail(cut_needs_name(span(now()), "path"));
        else if (!is(Symbol::LeftRound) && !is(Symbol::Less))
            unexpected("the name of a path");
        const Token opening = now();
        const bool angle = is(Symbol::Less);
        if (!angle && !is(Symbol::LeftRound)) fail(path_needs_ends(p.where));
        advance();
        p.from = path_end();
        if (!take(Symbol::Minus)) {
            if (is(Word::To)) fail(foreign_operator(span(now()), "to", "-"));
            fail(path_needs_ends(span(now())));
        }
        p.to = path_end();
        if (angle)
            expect(Symbol::Greater, "`>`");
        else
            close(Symbol::RightRound, opening);
        items.push_back({std::move(p)});
        if (take(Symbol::Comma) || is(TokenKind::Name)) continue;
        if (statement_over()) break;
        unexpected(is(TokenKind::Keyword) ? "the name of a path" : "a comma or the end of the statement");
    }
    finish_statement();
}

PathEnd Parser::path_end() {
    PathEnd end;
    const std::uint32_t begin = now().begin;
    if (is(Symbol::LeftRound) || is(Symbol::LeftSquare)) {
        const Token opening = now();
        const bool square = is(Symbol::LeftSquare);
        advance();
        end.what = port_elements(square ? Symbol::RightSquare : Symbol::RightRound, opening, square);
    } else {
        if (!is(TokenKind::Name)) unexpected("the name of a cut");
        end.what = reference();
    }
    end.where = span_from(begin);
    return end;
}

// ---- tables

// table rho(h) smooth extrapolate "file.csv"; table f(x, y) = (0, 0, 1), (1, 0, 2) error
Table Parser::table() {
    advance();
    Table t;
    t.where = span(now());
    t.name = expect_name("the name of a table");
    if (!is(Symbol::LeftRound)) fail(table_arguments(span(now())));
    const Token opening = now();
    advance();
    while (is(TokenKind::Name)) {
        t.arguments.push_back(expect_name("the name of an argument"));
        take(Symbol::Comma);
    }
    close(Symbol::RightRound, opening);
    // Words that may also name columns count as words.
    const auto is_option = [&] {
        return std::any_of(std::begin(all_interpolations), std::end(all_interpolations),
                           [&](Interpolation i) { return is_name(word(i)); }) ||
               std::any_of(std::begin(all_outsides), std::end(all_outsides),
                           [&](Outside o) { return is_name(word(o)); });
    };
    if (t.arguments.empty() || t.arguments.size() > 3) report(table_arguments(span_from(opening.begin)));
    if (take(Word::Returns))
        while (is(TokenKind::Name) && !is_option()) {
            t.results.push_back(expect_name("the name of a column"));
            take(Symbol::Comma);
        }
    const auto options = [&] {
        for (;;) {
            bool known = is(Word::Constant);  // a word of declarations, too
            if (known) t.interpolation = Interpolation::Constant;
            for (const Interpolation i : all_interpolations)
                if (is_name(word(i))) {
                    t.interpolation = i;
                    known = true;
                }
            for (const Outside o : all_outsides)
                if (is_name(word(o))) {
                    t.outside = o;
                    known = true;
                }
            if (!known && !is(Symbol::Comma)) return;
            advance();
        }
    };
    options();
    if (is(TokenKind::Text)) {
        t.file_where = span(now());
        t.file = expect_text("the name of a file");
    } else if (is(TokenKind::Name)) {
        t.file_where = span(now());
        t.file_from = reference();
    } else if (take(Symbol::Equal)) {
        options();
        while (is(Symbol::LeftRound)) {
            const Token row_opening = now();
            advance();
            const Deeper deeper(*this);
            Mode mode;
            mode.square_ends = mode.round_ends = mode.sign_ends = true;
            const WithMode in_list(*this, mode);
            std::vector<Expression> row;
            row.push_back(expression());
            for (;;) {
                const bool next_value = starts_operand() || is(Symbol::Minus) || is(Symbol::Plus);
                if (!take(Symbol::Comma) && !(next_value && now().blank_before)) break;
                row.push_back(expression());
            }
            close(Symbol::RightRound, row_opening);
            const std::size_t wanted = t.arguments.size() + std::max<std::size_t>(1, t.results.size());
            if (row.size() != wanted)
                report(table_row_length(span_from(row_opening.begin), wanted, row.size()));
            t.rows.push_back(std::move(row));
            take(Symbol::Comma);
        }
        if (t.rows.empty()) fail(table_without_data(t.where, t.name));
    } else if (statement_over()) {
        fail(table_without_data(t.where, t.name));
    } else {
        unexpected("the name of a file between quotes or `=` and rows of numbers");
    }
    options();
    return t;
}

}  // namespace cutset::dymola
