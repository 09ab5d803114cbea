#include "picture/formula.h"

#include <fmt/format.h>

#include <algorithm>
#include <utility>
#include <vector>

#include "expr/strength.h"
#include "results/canvas.h"

namespace cutset::picture {

namespace {

using tree::Expression;
using tree::ExpressionKind;

Strength strength_of(const Expression& e) {
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
        default:
            return Strength::Primary;
    }
}

const char* greek(std::string_view name) {
    constexpr std::pair<std::string_view, const char*> letters[] = {
        {"alpha", "α"}, {"beta", "β"},  {"gamma", "γ"}, {"delta", "δ"},  {"epsilon", "ε"}, {"zeta", "ζ"},
        {"eta", "η"},   {"theta", "θ"}, {"kappa", "κ"}, {"lambda", "λ"}, {"mu", "μ"},      {"nu", "ν"},
        {"xi", "ξ"},    {"rho", "ρ"},   {"sigma", "σ"}, {"tau", "τ"},    {"phi", "φ"},     {"chi", "χ"},
        {"psi", "ψ"},   {"omega", "ω"}, {"pi", "π"},    {"Omega", "Ω"},  {"Phi", "Φ"},     {"Psi", "Ψ"},
        {"Theta", "Θ"}, {"Delta", "Δ"}, {"Lambda", "Λ"}};
    for (const auto& [word, letter] : letters)
        if (name == word) return letter;
    return nullptr;
}

std::string identifier(std::string_view name) {
    if (const char* letter = greek(name)) return std::string("<mi>") + letter + "</mi>";
    return "<mi>" + html_escaped(name) + "</mi>";
}

std::string operation(std::string_view sign) {
    return "<mo>" + html_escaped(sign) + "</mo>";
}

std::string row(const std::string& inside) {
    return "<mrow>" + inside + "</mrow>";
}

std::string bracketed(const std::string& inside) {
    return row("<mo>(</mo>" + inside + "<mo>)</mo>");
}

class FormulaWriter {
  public:
    std::string write(const Expression& e, Strength around = Strength::Choice) {
        const std::string text = bare(e);
        return strength_of(e) < around ? bracketed(text) : text;
    }

  private:
    std::string list(const std::vector<Expression>& arguments) {
        std::string out;
        for (std::size_t i = 0; i < arguments.size(); ++i)
            out += (i ? "<mo>,</mo>" : "") + write(arguments[i]);
        return out;
    }

    // Digits at the end of a name are an index.
    std::string name(const tree::ReferencePart& part) {
        std::string_view letters = part.name;
        while (letters.size() > 1 && letters.back() >= '0' && letters.back() <= '9') letters.remove_suffix(1);
        std::string_view digits = std::string_view(part.name).substr(letters.size());
        if (!letters.empty() && letters.back() == '_' && letters.size() > 1) letters.remove_suffix(1);
        std::string below;
        if (!digits.empty()) below += "<mn>" + std::string(digits) + "</mn>";
        if (!part.indices.empty()) below += (below.empty() ? "" : "<mo>,</mo>") + list(part.indices);
        if (below.empty()) return identifier(part.name);
        return "<msub>" + identifier(letters) + row(below) + "</msub>";
    }

    std::string reference(const tree::Reference& r) {
        std::string out;
        for (std::size_t i = 0; i < r.parts.size(); ++i) out += (i ? "<mo>.</mo>" : "") + name(r.parts[i]);
        return r.parts.size() > 1 ? row(out) : out;
    }

    std::string sum(const Expression& e) {
        std::string out;
        for (std::size_t i = 0; i < e.arguments.size(); ++i) {
            const bool minus = i < e.text.size() && e.text[i] == '-';
            if (minus)
                out += operation("−");
            else if (i)
                out += operation("+");
            out += write(e.arguments[i], i || minus ? Strength::Product : Strength::Sum);
        }
        return row(out);
    }

    // a*b/c*d: a fraction and what follows it.
    std::string product(const Expression& e) {
        std::vector<const Expression*> above, below;
        for (std::size_t i = 0; i < e.arguments.size(); ++i)
            (i < e.text.size() && e.text[i] == '/' ? below : above).push_back(&e.arguments[i]);
        const auto factors = [&](const std::vector<const Expression*>& list, bool alone) {
            std::string out;
            for (std::size_t i = 0; i < list.size(); ++i) {
                const bool number = list[i]->kind == ExpressionKind::Number;
                if (i) out += operation(number ? "·" : "\u2062");
                out += write(*list[i], alone && list.size() == 1 ? Strength::Choice : Strength::Product);
            }
            return row(out);
        };
        if (below.empty()) return factors(above, false);
        return "<mfrac>" + (above.empty() ? "<mn>1</mn>" : factors(above, true)) + factors(below, true) +
               "</mfrac>";
    }

    std::string choice(const Expression& e) {
        std::string rows;
        const std::size_t n = e.arguments.size();
        for (std::size_t i = 0; i + 1 < n; i += 2)
            rows += "<mtr><mtd>" + write(e.arguments[i + 1]) + "</mtd><mtd><mtext>if </mtext>" +
                    write(e.arguments[i]) + "</mtd></mtr>";
        if (n % 2 == 1)
            rows +=
                "<mtr><mtd>" + write(e.arguments[n - 1]) + "</mtd><mtd><mtext>otherwise</mtext></mtd></mtr>";
        return row("<mo>{</mo><mtable columnalign=\"left left\">" + rows + "</mtable>");
    }

    std::string derivative(const Expression& e) {
        if (e.arguments.empty()) return "";
        const Expression& of = e.arguments[0];
        const int order = static_cast<int>(e.number);
        if (of.kind == ExpressionKind::Reference && (order == 1 || order == 2))
            return "<mover>" + write(of) + (order == 1 ? "<mo>˙</mo>" : "<mo>¨</mo>") + "</mover>";
        const std::string power =
            order > 1 ? fmt::format("<msup><mi mathvariant=\"normal\">d</mi><mn>{}</mn></msup>", order)
                      : "<mi mathvariant=\"normal\">d</mi>";
        const std::string time =
            order > 1 ? fmt::format("<msup><mi>t</mi><mn>{}</mn></msup>", order) : "<mi>t</mi>";
        return row("<mfrac>" + power + row("<mi mathvariant=\"normal\">d</mi>" + time) + "</mfrac>" +
                   bracketed(write(of)));
    }

    std::string call(const Expression& e) {
        if (e.text == "sqrt" && e.arguments.size() == 1)
            return "<msqrt>" + write(e.arguments[0]) + "</msqrt>";
        if (e.text == "abs" && e.arguments.size() == 1)
            return row("<mo>|</mo>" + write(e.arguments[0]) + "<mo>|</mo>");
        return row("<mi mathvariant=\"normal\">" + html_escaped(e.text) + "</mi><mo>\u2061</mo>" +
                   bracketed(list(e.arguments)));
    }

    std::string words(const Expression& e, const char* word, Strength own) {
        std::string out;
        for (std::size_t i = 0; i < e.arguments.size(); ++i)
            out += (i ? fmt::format("<mtext> {} </mtext>", word) : "") + write(e.arguments[i], own);
        return row(out);
    }

    static std::string_view relation(std::string_view written) {
        if (written == "<=") return "≤";
        if (written == ">=") return "≥";
        if (written == "<>") return "≠";
        return written;
    }

    std::string bare(const Expression& e) {
        const std::vector<Expression>& a = e.arguments;
        switch (e.kind) {
            case ExpressionKind::Number:
                return "<mn>" + html_escaped(fmt::format("{}", e.number)) + "</mn>";
            case ExpressionKind::Truth:
                return std::string("<mtext>") + (e.number != 0 ? "true" : "false") + "</mtext>";
            case ExpressionKind::Text:
                return "<mtext>“" + html_escaped(e.text) + "”</mtext>";
            case ExpressionKind::Reference:
                return reference(e.reference);
            case ExpressionKind::Sum:
                return sum(e);
            case ExpressionKind::Product:
                return product(e);
            case ExpressionKind::Power:
                if (a.size() != 2) break;
                return "<msup>" + write(a[0], Strength::Primary) + row(write(a[1])) + "</msup>";
            case ExpressionKind::Negate:
                return a.empty() ? "" : row(operation("−") + write(a[0], Strength::Product));
            case ExpressionKind::Relation:
                if (a.size() != 2) break;
                return row(write(a[0], Strength::Sum) + operation(relation(e.text)) +
                           write(a[1], Strength::Sum));
            case ExpressionKind::And:
                return words(e, "and", Strength::Negation);
            case ExpressionKind::Or:
                return words(e, "or", Strength::Both);
            case ExpressionKind::Not:
                return a.empty() ? "" : row("<mtext>not </mtext>" + write(a[0], Strength::Relation));
            case ExpressionKind::If:
                return choice(e);
            case ExpressionKind::Call:
                return call(e);
            case ExpressionKind::Derivative:
                return derivative(e);
            case ExpressionKind::Array:
                return row("<mo>[</mo>" + list(a) + "<mo>]</mo>");
            case ExpressionKind::Index:
                if (a.empty()) break;
                return "<msub>" + write(a[0], Strength::Primary) + row(list({a.begin() + 1, a.end()})) +
                       "</msub>";
            case ExpressionKind::Range:
                return a.size() == 2 ? row(write(a[0]) + operation(":") + write(a[1])) : operation(":");
        }
        return "<mtext>…</mtext>";
    }
};

}  // namespace

std::string html_escaped(std::string_view text) {
    std::string out;
    for (const char32_t c : decode_utf8(text)) {
        switch (c) {
            case U'<':
                out += "&lt;";
                break;
            case U'>':
                out += "&gt;";
                break;
            case U'&':
                out += "&amp;";
                break;
            case U'"':
                out += "&quot;";
                break;
            case U'\'':
                out += "&#39;";
                break;
            default:
                out += encode_utf8(c);
        }
    }
    return out;
}

std::string math_of(const Expression& e) {
    return FormulaWriter().write(e);
}

std::string math_of_initial(const tree::InitialValue& v) {
    Expression variable;
    variable.kind = ExpressionKind::Reference;
    variable.reference = v.variable;
    const std::string at = v.guess ? "" : "<mo>(</mo><mn>0</mn><mo>)</mo>";
    return math_of(variable) + at + (v.guess ? "<mo>≈</mo>" : "<mo>=</mo>") + math_of(v.value);
}

std::string math_of(const tree::Equation& e) {
    return math_of(e.left) + "<mo>=</mo>" + math_of(e.right);
}

}  // namespace cutset::picture
