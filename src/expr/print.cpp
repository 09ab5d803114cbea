// Expressions as text in the language of the modeller.
#include <fmt/format.h>

#include <charconv>
#include <cmath>

#include "expr/elementary_functions.h"
#include "expr/expr.h"
#include "expr/print_infix.h"

namespace cutset {

std::string number_text(double v) {
    if (std::isnan(v)) return "nan";
    if (std::isinf(v)) return v > 0 ? "inf" : "-inf";
    char buffer[64];
    const double size = std::abs(v);
    if (v == 0 || (size >= 1e-4 && size < 1e7)) {
        const auto end = std::to_chars(buffer, buffer + sizeof buffer, v, std::chars_format::fixed).ptr;
        return std::string(buffer, end);
    }
    const auto end = std::to_chars(buffer, buffer + sizeof buffer, v, std::chars_format::scientific).ptr;
    // 1e+06 → 1e6
    std::string text(buffer, end);
    std::size_t at = text.find('e') + 1;
    if (text[at] == '+')
        text.erase(at, 1);
    else
        ++at;
    while (text[at] == '0' && at + 1 < text.size()) text.erase(at, 1);
    return text;
}

namespace {

using enum Strength;

std::string_view function_name(Op op) {
    if (const ElementaryFunction* f = elementary_function(op)) return f->name;
    switch (op) {
        case Op::NoEvent:
            return "noevent";
        case Op::Sample:
            return "sample";
        case Op::Starting:
            return "start";
        case Op::Ending:
            return "terminal";
        case Op::Edge:
            return "edge";
        case Op::Change:
            return "change";
        case Op::Delay:
            return "delay";
        default:
            return "?";
    }
}

class TextPrinter : public InfixWriter<TextPrinter> {
  public:
    static constexpr bool names_terms = false;

    explicit TextPrinter(const Printer& names) : names_(names) {}

    void print(Expr e, Strength needed) {
        const std::size_t begin = out.size();
        bracket(begin, value(e), needed);
    }

    Strength raised(Expr base, double exponent) {
        print(base, Primary);
        out += '^' + number_text(exponent);
        return Raised;
    }

    static std::string number(double x) { return number_text(x); }

    // Appends the text; returns how strongly it binds.
    Strength value(Expr e) {
        switch (e->op) {
            case Op::Number:
                out += number_text(e->number);
                return std::signbit(e->number) ? Minus : Primary;
            case Op::Truth:
                out += e->index ? "true" : "false";
                return Primary;
            case Op::Variable:
                out += variable(e->variable());
                out.append(e->order, '\'');
                return Primary;
            case Op::Previous:
                out += "pre(" + variable(e->variable()) + ")";
                return Primary;
            case Op::Time:
                out += "time";
                return Primary;
            case Op::Local:
                out += local(e->index);
                return Primary;
            case Op::Element: {
                std::string name = local(e->index);
                if (name.ends_with("[1]")) name.resize(name.size() - 3);
                out += name + "[";
                print(e->arg(0), Choice);
                out += "]";
                return Primary;
            }
            case Op::Add:
                return sum(e);
            case Op::Multiply:
                return product(product_parts(e), nullptr);
            case Op::Power:
                if (e->arg(1)->is_number() && e->arg(1)->number < 0)
                    return product(product_parts(e), nullptr);
                print(e->arg(0), Primary);
                out += '^';
                print(e->arg(1), Primary);
                return Raised;
            case Op::Less:
                if (is_truth_of_variable(e)) return value(e->arg(1));
                [[fallthrough]];
            case Op::LessEqual: {
                const bool turned = reads_as_greater(e);
                print(e->arg(turned), Sum);
                out += e->op == Op::Less ? (turned ? " > " : " < ") : (turned ? " >= " : " <= ");
                print(e->arg(!turned), Sum);
                return Relation;
            }
            case Op::Equal:
            case Op::NotEqual:
                side(e->arg(0), e->arg(1));
                out += e->op == Op::Equal ? " = " : " <> ";
                side(e->arg(1), e->arg(0));
                return Relation;
            case Op::And:
            case Op::Or: {
                const Strength strength = e->op == Op::And ? Both : Either;
                for (std::size_t i = 0; i < e->argument_count; ++i) {
                    if (i) out += e->op == Op::And ? " and " : " or ";
                    print(e->arg(i), e->op == Op::And ? Negation : Both);
                }
                return strength;
            }
            case Op::Not:
                out += "not ";
                print(e->arg(0), Relation);
                return Negation;
            case Op::If:
                for (std::size_t i = 0; i + 1 < e->argument_count; i += 2) {
                    out += i ? " elseif " : "if ";
                    print(e->arg(i), Either);
                    out += " then ";
                    print(e->arg(i + 1), Either);
                }
                out += " else ";
                print(e->args().back(), Either);
                return Choice;
            case Op::Min:
            case Op::Max: {
                // min(min(a, b), c) = min(a, b, c)
                std::vector<Expr> arguments{e->arg(1)};
                Expr first = e->arg(0);
                for (; first->op == e->op; first = first->arg(0)) arguments.push_back(first->arg(1));
                arguments.push_back(first);
                out += function_name(e->op);
                list(std::vector<Expr>(arguments.rbegin(), arguments.rend()));
                return Primary;
            }
            case Op::Apply:
                out += callee(e->callee());
                if (e->order) out += fmt::format("[{}]", e->order + 1);
                // The derivative of a function of one argument as f', else by the numbers of the arguments:
                // f'[1,2].
                if (e->argument_count == 1) {
                    out.append(e->derivatives, '\'');
                } else if (e->derivatives) {
                    out += "'[";
                    for (int i = 0; i < e->derivatives; ++i)
                        out += fmt::format("{}{}", i ? "," : "", e->by[i] + 1);
                    out += "]";
                }
                list(e->args());
                return Primary;
            default:
                out += function_name(e->op);
                list(e->args());
                return Primary;
        }
    }

    // A value of variable v.
    void typed(Expr e, VariableIndex v, Strength needed) {
        if (!names_.value || names_.value(v, 1).empty()) return print(e, needed);
        const std::size_t begin = out.size();
        if (e->is_number()) {
            const std::string name = names_.value(v, e->number);
            out += name.empty() ? number_text(e->number) : name;
        } else if (e->op != Op::If) {
            print(e, needed);
        } else if (e->argument_count == 3 && e->arg(1)->is_number(1) && e->arg(2)->is_number(0) &&
                   names_.value(v, 1) == "true") {
            print(e->arg(0), needed);
        } else {
            for (std::size_t i = 0; i + 1 < e->argument_count; i += 2) {
                out += i ? " elseif " : "if ";
                print(e->arg(i), Either);
                out += " then ";
                typed(e->arg(i + 1), v, Either);
            }
            out += " else ";
            typed(e->args().back(), v, Either);
            bracket(begin, Choice, needed);
        }
    }

  private:
    const Printer& names_;

    static bool is_variable(Expr e) {
        return (e->op == Op::Variable && e->order == 0) || e->op == Op::Previous;
    }
    // 0.5 < b: how a truth value stands in conditions.
    bool is_truth_of_variable(Expr e) const {
        return e->arg(0)->is_number(0.5) && is_variable(e->arg(1)) && names_.value &&
               names_.value(e->arg(1)->variable(), 1) == "true";
    }
    // Of a comparison with `other`.
    void side(Expr e, Expr other) {
        if (is_variable(other))
            typed(e, other->variable(), Sum);
        else
            print(e, Sum);
    }

    std::string variable(VariableIndex v) const {
        return names_.variable ? names_.variable(v) : fmt::format("v{}", v.value);
    }
    std::string local(std::uint32_t slot) const {
        return names_.local ? names_.local(slot) : fmt::format("local{}", slot);
    }
    std::string callee(CalleeIndex c) const {
        return names_.callee ? names_.callee(c) : fmt::format("f{}", c.value);
    }

    void list(std::span<const Expr> arguments) {
        out += '(';
        for (std::size_t i = 0; i < arguments.size(); ++i) {
            if (i) out += ", ";
            print(arguments[i], Choice);
        }
        out += ')';
    }
};

}  // namespace

std::string to_text(Expr e, const Printer& names) {
    TextPrinter printer(names);
    printer.print(e, Choice);
    return std::move(printer.out);
}

std::string to_text(Expr e, VariableIndex of, const Printer& names) {
    TextPrinter printer(names);
    printer.typed(e, of, Choice);
    return std::move(printer.out);
}

}  // namespace cutset
