// Expressions as LaTeX.
#include <fmt/format.h>

#include <cctype>
#include <cmath>

#include "expr/elementary_functions.h"
#include "expr/expr.h"
#include "expr/print_infix.h"
#include "expr/print_parts.h"

namespace cutset {

namespace {

using enum Strength;

const char* greek(const std::string& name) {
    static constexpr const char* names[] = {
        "alpha", "beta",  "gamma", "delta", "epsilon", "zeta",  "eta", "theta", "kappa", "lambda",
        "mu",    "nu",    "xi",    "pi",    "rho",     "sigma", "tau", "phi",   "chi",   "psi",
        "omega", "Gamma", "Delta", "Theta", "Lambda",  "Sigma", "Phi", "Psi",   "Omega"};
    for (const char* n : names)
        if (name == n) return n;
    return nullptr;
}

// One letter (or Greek name) upright as mathematics, more letters as a word.
std::string symbol(const std::string& name) {
    if (greek(name)) return "\\" + name;
    if (name.size() <= 1) return name;
    std::string word;
    for (char c : name) {
        if (c == '_') word += "\\";
        word += c;
    }
    return "\\mathrm{" + word + "}";
}

// R1.Va → V_{a,\mathrm{R1}}; s[3].phi → \phi_{\mathrm{s},3} …: the last part is the letter, the rest goes
// below it.
std::string name_latex(const std::string& path) {
    const std::size_t dot = path.rfind('.');
    const std::string owner = dot == std::string::npos ? "" : path.substr(0, dot);
    std::string last = dot == std::string::npos ? path : path.substr(dot + 1);
    std::string indices;
    if (const std::size_t bracket = last.find('['); bracket != std::string::npos) {
        indices = last.substr(bracket + 1, last.find(']') - bracket - 1);
        last.resize(bracket);
    }
    std::string letter = last, below;
    if (!greek(last)) {
        // Va → V_a, R12 → R_{12}, u_in → u_{in}, vR → v_R; words of other shapes, th or qin, stay words.
        const auto small = [&](std::size_t i) {
            return std::islower(static_cast<unsigned char>(last[i])) != 0;
        };
        const std::size_t underscore = last.find('_');
        if (underscore != std::string::npos && underscore > 0) {
            letter = last.substr(0, underscore);
            below = last.substr(underscore + 1);
        } else if (last.size() > 1 && last.size() <= 3 && std::isalpha(static_cast<unsigned char>(last[0])) &&
                   !(small(0) && small(1))) {
            letter = last.substr(0, 1);
            below = last.substr(1);
        }
    }
    std::string out = symbol(letter);
    std::string subscript;
    const auto append = [&](const std::string& s) {
        if (!s.empty()) subscript += (subscript.empty() ? "" : ",") + s;
    };
    append(symbol(below));
    append(indices);
    if (!owner.empty())
        append("\\mathrm{" + [&] {
            std::string word;
            for (char c : owner) word += c == '_' ? std::string("\\_") : std::string(1, c);
            return word;
        }() + "}");
    if (!subscript.empty()) out += "_{" + subscript + "}";
    return out;
}

std::string number_latex(double v) {
    const std::string text = number_text(v);
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text;
    const std::string mantissa = text.substr(0, e);
    const std::string power = fmt::format("10^{{{}}}", text.substr(e + 1));
    if (mantissa == "1") return power;
    return mantissa + " \\cdot " + power;
}

class LatexPrinter {
  public:
    explicit LatexPrinter(const Printer& names) : names_(names) {}

    std::string text(Expr e, Strength needed = Choice) {
        Strength strength = Primary;
        std::string out = write(e, strength);
        return strength < needed ? bracket(out) : out;
    }

  private:
    const Printer& names_;

    static std::string bracket(const std::string& s) { return "\\left(" + s + "\\right)"; }
    std::string variable(VariableIndex v) const {
        return name_latex(names_.variable ? names_.variable(v) : fmt::format("v{}", v.value));
    }
    std::string local(std::uint32_t slot) const {
        return name_latex(names_.local ? names_.local(slot) : fmt::format("l{}", slot));
    }
    std::string list(std::span<const Expr> arguments) {
        std::string out;
        for (Expr a : arguments) out += (out.empty() ? "" : ", ") + text(a);
        return bracket(out);
    }

    static std::string function_name(Op op) {
        if (const ElementaryFunction* f = elementary_function(op)) return f->latex;
        switch (op) {
            case Op::NoEvent:
                return "\\operatorname{noevent}";
            case Op::Sample:
                return "\\operatorname{sample}";
            case Op::Starting:
                return "\\operatorname{start}";
            case Op::Ending:
                return "\\operatorname{terminal}";
            case Op::Edge:
                return "\\operatorname{edge}";
            case Op::Change:
                return "\\operatorname{change}";
            case Op::Delay:
                return "\\operatorname{delay}";
            default:
                return "?";
        }
    }

    std::string write(Expr e, Strength& strength) {
        strength = Primary;
        switch (e->op) {
            case Op::Number:
                strength = std::signbit(e->number) ? Sum : Primary;
                return number_latex(e->number);
            case Op::Truth:
                return e->index ? "\\mathrm{true}" : "\\mathrm{false}";
            case Op::Variable: {
                const std::string name = variable(e->variable());
                if (e->order == 0) return name;
                // The dot stands on the letter only, before its subscripts.
                const std::size_t below = name.find("_{");
                const std::string letter = name.substr(0, below);
                const std::string rest = below == std::string::npos ? "" : name.substr(below);
                if (e->order <= 3) {
                    static constexpr const char* dots[] = {"", "\\dot", "\\ddot", "\\dddot"};
                    return fmt::format("{}{{{}}}{}", dots[e->order], letter, rest);
                }
                return fmt::format("{{{}}}^{{({})}}", name, e->order);
            }
            case Op::Previous:
                return "{" + variable(e->variable()) + "}^{-}";
            case Op::Time:
                return "t";
            case Op::Local:
                return local(e->index);
            case Op::Element:
                return local(e->index) + "\\left[" + text(e->arg(0)) + "\\right]";
            case Op::Add: {
                const SumParts parts = sum_parts(e);
                strength = Sum;
                if (!parts.has_common) return terms(parts);
                strength = Product;
                return product(parts.common, &parts, strength);
            }
            case Op::Multiply:
                return product(product_parts(e), nullptr, strength);
            case Op::Power:
                if (e->arg(1)->is_number() && e->arg(1)->number < 0)
                    return product(product_parts(e), nullptr, strength);
                strength = Raised;
                return "{" + text(e->arg(0), Primary) + "}^{" + text(e->arg(1)) + "}";
            case Op::Sqrt:
                return "\\sqrt{" + text(e->arg(0)) + "}";
            case Op::Abs:
                return "\\left|" + text(e->arg(0)) + "\\right|";
            case Op::Less:
            case Op::LessEqual: {
                strength = Relation;
                const bool turned = reads_as_greater(e);
                const char* sign =
                    e->op == Op::Less ? (turned ? " > " : " < ") : (turned ? " \\ge " : " \\le ");
                return text(e->arg(turned), Sum) + sign + text(e->arg(!turned), Sum);
            }
            case Op::Equal:
            case Op::NotEqual:
                strength = Relation;
                return text(e->arg(0), Sum) + (e->op == Op::Equal ? " = " : " \\ne ") + text(e->arg(1), Sum);
            case Op::And:
            case Op::Or: {
                strength = e->op == Op::And ? Both : Either;
                std::string out;
                for (Expr a : e->args())
                    out += (out.empty()        ? ""
                            : e->op == Op::And ? " \\land "
                                               : " \\lor ") +
                           text(a, e->op == Op::And ? Negation : Both);
                return out;
            }
            case Op::Not:
                strength = Negation;
                return "\\lnot " + text(e->arg(0), Sum);
            case Op::If: {
                std::string out = "\\begin{cases} ";
                for (std::size_t i = 0; i + 1 < e->argument_count; i += 2)
                    out += text(e->arg(i + 1)) + " & \\text{if } " + text(e->arg(i)) + " \\\\ ";
                return out + text(e->args().back()) + " & \\text{otherwise} \\end{cases}";
            }
            case Op::Apply: {
                std::string name =
                    symbol(names_.callee ? names_.callee(e->callee()) : fmt::format("f{}", e->index));
                if (e->order) name += fmt::format("_{{{}}}", e->order + 1);
                if (e->derivatives == 0) return name + list(e->args());
                if (e->argument_count == 1) return name + std::string(e->derivatives, '\'') + list(e->args());
                std::string by;
                for (int i = 0; i < e->derivatives; ++i)
                    by += fmt::format("{}{}", i ? "," : "", e->by[i] + 1);
                return fmt::format("\\partial_{{{}}} {}", by, name) + list(e->args());
            }
            default:
                return function_name(e->op) + list(e->args());
        }
    }

    std::string terms(const SumParts& parts) {
        std::string out;
        for (std::size_t i = 0; i < parts.terms.size(); ++i) {
            if (i)
                out += parts.negative[i] ? " - " : " + ";
            else if (parts.negative[i])
                out += "-";
            ProductParts term = product_parts(parts.terms[i]);
            term.negative = false;
            if (parts.has_common) term.numerator = term.denominator = 1;
            Strength strength = Product;
            const std::string text = product(term, nullptr, strength);
            out += strength < Product ? bracket(text) : text;
        }
        return out;
    }

    std::string factor(const ProductParts::Factor& f, bool alone) {
        if (f.exponent == 1) return text(f.base, alone ? Choice : Raised);
        return "{" + text(f.base, Primary) + "}^{" + number_latex(f.exponent) + "}";
    }

    std::string product(const ProductParts& p, const SumParts* sum, Strength& strength) {
        const bool has_below = !p.below.empty() || p.denominator != 1;
        if (!p.negative && p.numerator == 1 && !has_below && p.above.size() == 1 && !sum) {
            if (p.above[0].exponent == 1) return write(p.above[0].base, strength);
            strength = Raised;
            return factor(p.above[0], false);
        }
        const auto joined = [&](double number, const std::vector<ProductParts::Factor>& factors,
                                const SumParts* bracketed) {
            const std::size_t count = factors.size() + (bracketed ? 1 : 0);
            std::string out;
            if (number != 1 || count == 0) out = number_latex(number);
            for (const auto& f : factors) {
                const std::string text = factor(f, has_below && count == 1 && number == 1);
                const bool digit =
                    !text.empty() && (std::isdigit(static_cast<unsigned char>(text[0])) || text[0] == '{');
                out += (out.empty() ? "" : digit ? " \\cdot " : " \\, ") + text;
            }
            if (bracketed) {
                const bool alone = has_below && factors.empty() && number == 1;
                out += (out.empty() ? "" : " ") + (alone ? terms(*bracketed) : bracket(terms(*bracketed)));
            }
            return out;
        };
        strength = p.negative ? Sum : Product;
        std::string out = joined(p.numerator, p.above, sum);
        if (has_below) out = "\\frac{" + out + "}{" + joined(p.denominator, p.below, nullptr) + "}";
        return p.negative ? "-" + out : out;
    }
};

}  // namespace

std::string to_latex(Expr e, const Printer& names) {
    return LatexPrinter(names).text(e);
}

}  // namespace cutset
