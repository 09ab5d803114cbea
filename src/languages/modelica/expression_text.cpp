#include "languages/modelica/expression_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <optional>

#include "expr/elementary_functions.h"
#include "expr/strength.h"

namespace cutset::modelica {

using namespace tree;

namespace {

// Sorted. `time` and the types cannot be declared either.
constexpr std::string_view reserved[] = {
    "Boolean",       "Integer",   "Real",        "String",   "algorithm",  "and",       "annotation",
    "assert",        "block",     "break",       "class",    "connect",    "connector", "constant",
    "constrainedby", "der",       "discrete",    "each",     "else",       "elseif",    "elsewhen",
    "encapsulated",  "end",       "enumeration", "equation", "expandable", "extends",   "external",
    "false",         "final",     "flow",        "for",      "function",   "if",        "import",
    "impure",        "in",        "initial",     "inner",    "input",      "loop",      "model",
    "not",           "operator",  "or",          "outer",    "output",     "package",   "parameter",
    "partial",       "protected", "public",      "pure",     "record",     "redeclare", "replaceable",
    "return",        "stream",    "then",        "true",     "type",       "when",      "while",
    "within"};

// Written expressions with operators, for the formulas of expr/elementary_functions.h.
struct Written {
    Expression e;
};
Written joined(ExpressionKind kind, const char* text, const Written& a, const Written& b) {
    Written out;
    out.e.kind = kind;
    out.e.text = text;
    out.e.arguments = {a.e, b.e};
    return out;
}
Written operator+(const Written& a, const Written& b) {
    return joined(ExpressionKind::Sum, "++", a, b);
}
Written operator-(const Written& a, const Written& b) {
    return joined(ExpressionKind::Sum, "+-", a, b);
}
Written operator*(const Written& a, const Written& b) {
    return joined(ExpressionKind::Product, "**", a, b);
}
Written operator/(const Written& a, const Written& b) {
    return joined(ExpressionKind::Product, "*/", a, b);
}
Written number_like(const Written&, double c) {
    Written out;
    out.e.number = c;
    return out;
}
Written operator-(const Written& a) {
    Written out;
    out.e.kind = ExpressionKind::Negate;
    out.e.arguments = {a.e};
    return out;
}
Written function_of(Op op, const Written& x) {
    Written out;
    out.e.kind = ExpressionKind::Call;
    out.e.text = elementary_function(op)->name;
    out.e.arguments = {x.e};
    return out;
}
Written function_of(Op op, const Written& x, const Written& y) {
    Written out = function_of(op, x);
    out.e.arguments.push_back(y.e);
    return out;
}

// The formula of a function that Modelica does not have.
std::optional<Expression> spelled_out(const Expression& call) {
    const ElementaryFunction* f = find_elementary_function(call.text);
    std::optional<Expression> formula;
    if (f && !f->modelica && f->takes(call.arguments.size()))
        visit_function(f->op, [&]<class F>(F) {
            if constexpr (OfOneArgument<F> && requires { &F::template spelled_out<Written>; })
                formula = F::spelled_out(Written{call.arguments[0]}).e;
        });
    return formula;
}

Strength strength(const Expression& e) {
    switch (e.kind) {
        case ExpressionKind::If:
            return Strength::Choice;
        case ExpressionKind::Or:
            return Strength::Either;
        case ExpressionKind::And:
            return Strength::Both;
        case ExpressionKind::Not:
            return Strength::Negation;
        case ExpressionKind::Relation:
            return Strength::Relation;
        case ExpressionKind::Sum:
        case ExpressionKind::Negate:
            return Strength::Sum;
        case ExpressionKind::Product:
            return Strength::Product;
        case ExpressionKind::Power:
            return Strength::Raised;
        case ExpressionKind::Number:
            return e.number < 0 ? Strength::Sum : Strength::Primary;
        case ExpressionKind::Call:
            if (const auto formula = spelled_out(e)) return strength(*formula);
            return e.text == "int" && e.arguments.size() == 1 ? Strength::Choice : Strength::Primary;
        default:
            return Strength::Primary;
    }
}

std::string within(const Expression& e, Strength least) {
    const std::string text = expression_text(e);
    return strength(e) < least ? "(" + text + ")" : text;
}

std::string list(const std::vector<Expression>& expressions, std::size_t from = 0) {
    std::string out;
    for (std::size_t i = from; i < expressions.size(); ++i)
        out += (i > from ? ", " : "") + expression_text(expressions[i]);
    return out;
}

std::string chain(const Expression& e, const char* between, Strength least) {
    std::string out;
    for (const Expression& a : e.arguments) out += (out.empty() ? "" : between) + within(a, least);
    return out;
}

std::string call(const Expression& e) {
    struct Rename {
        std::string_view ours, theirs;
    };
    static constexpr Rename renamed[] = {{"start", "initial"}, {"noevent", "noEvent"}, {"new", ""}};
    if ((e.text == "min" || e.text == "max") && e.arguments.size() > 2) {
        // Two arguments at a time.
        std::string out = expression_text(e.arguments.back());
        for (std::size_t i = e.arguments.size() - 1; i-- > 0;)
            out = e.text + "(" + expression_text(e.arguments[i]) + ", " + out + ")";
        return out;
    }
    if (e.text == "int" && e.arguments.size() == 1) {
        const std::string x = expression_text(e.arguments[0]);
        return "if " + within(e.arguments[0], Strength::Sum) + " < 0 then ceil(" + x + ") else floor(" + x +
               ")";
    }
    if (const auto formula = spelled_out(e)) return expression_text(*formula);
    if (const ElementaryFunction* f = find_elementary_function(e.text); f && f->modelica)
        return std::string(f->modelica) + "(" + list(e.arguments) + ")";
    for (const Rename& r : renamed)
        if (r.ours == e.text) return std::string(r.theirs) + "(" + list(e.arguments) + ")";
    return identifier(e.text) + "(" + list(e.arguments) + ")";
}

}  // namespace

std::string identifier(std::string_view name) {
    if (std::binary_search(std::begin(reserved), std::end(reserved), name))
        return "'" + std::string(name) + "'";
    return std::string(name);
}

std::string string_literal(std::string_view text) {
    std::string out = "\"";
    for (char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        out += c;
    }
    return out + "\"";
}

std::string index_text(const std::vector<Expression>& indices) {
    return indices.empty() ? "" : "[" + list(indices) + "]";
}

std::string reference_text(const Reference& r) {
    std::string out;
    for (const ReferencePart& p : r.parts)
        out += (p.before == Separator::None ? "" : ".") +
               (r.parts.size() == 1 && p.name == "time" ? "time" : identifier(p.name)) +
               index_text(p.indices);
    return out;
}

std::string expression_text(const Expression& e) {
    switch (e.kind) {
        case ExpressionKind::Number:
            return fmt::format("{}", e.number);
        case ExpressionKind::Text:
            return string_literal(e.text);
        case ExpressionKind::Truth:
            return e.number != 0 ? "true" : "false";
        case ExpressionKind::Reference:
            return reference_text(e.reference);
        case ExpressionKind::Sum: {
            std::string out;
            for (std::size_t i = 0; i < e.arguments.size(); ++i) {
                if (i)
                    out += fmt::format(" {} ", e.text[i]);
                else if (e.text[i] == '-')
                    out += "-";
                out += within(e.arguments[i], Strength::Product);
            }
            return out;
        }
        case ExpressionKind::Product: {
            std::string out;
            for (std::size_t i = 0; i < e.arguments.size(); ++i) {
                if (i) out += e.text[i];
                out += within(e.arguments[i], i && e.text[i] == '/' ? Strength::Raised : Strength::Product);
            }
            return out;
        }
        case ExpressionKind::Power:
            return within(e.arguments[0], Strength::Primary) + "^" +
                   within(e.arguments[1], Strength::Primary);
        case ExpressionKind::Negate:
            return "-" + within(e.arguments[0], Strength::Product);
        case ExpressionKind::Relation:
            return within(e.arguments[0], Strength::Sum) + (e.text == "=" ? " == " : " " + e.text + " ") +
                   within(e.arguments[1], Strength::Sum);
        case ExpressionKind::And:
            return chain(e, " and ", Strength::Negation);
        case ExpressionKind::Or:
            return chain(e, " or ", Strength::Both);
        case ExpressionKind::Not:
            return "not " + within(e.arguments[0], Strength::Relation);
        case ExpressionKind::If: {
            std::string out;
            std::size_t i = 0;
            for (; i + 1 < e.arguments.size(); i += 2)
                out += (i ? " elseif " : "if ") + expression_text(e.arguments[i]) + " then " +
                       expression_text(e.arguments[i + 1]);
            return out + " else " + expression_text(e.arguments[i]);
        }
        case ExpressionKind::Call:
            return call(e);
        case ExpressionKind::Derivative: {
            std::string out = e.arguments.empty() ? "" : expression_text(e.arguments[0]);
            for (int k = 0; k < static_cast<int>(e.number); ++k) out = "der(" + out + ")";
            return out;
        }
        case ExpressionKind::Array:
            return "{" + list(e.arguments) + "}";
        case ExpressionKind::Index:
            return "(" + expression_text(e.arguments[0]) + ")[" + list(e.arguments, 1) + "]";
        case ExpressionKind::Range:
            return e.arguments.empty()
                       ? ":"
                       : expression_text(e.arguments[0]) + ":" + expression_text(e.arguments[1]);
    }
    return "";
}

std::string pad(int indent) {
    return std::string(static_cast<std::size_t>(indent) * 2, ' ');
}

bool mentions(const Expression& e, std::string_view name) {
    if (e.kind == ExpressionKind::Reference) {
        if (e.reference.parts.size() == 1 && e.reference.parts[0].name == name) return true;
        for (const ReferencePart& p : e.reference.parts)
            for (const Expression& i : p.indices)
                if (mentions(i, name)) return true;
    }
    for (const Expression& a : e.arguments)
        if (mentions(a, name)) return true;
    return false;
}

}  // namespace cutset::modelica
