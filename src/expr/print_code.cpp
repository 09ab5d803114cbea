#include "expr/print_code.h"

#include <fmt/format.h>

#include <cmath>

#include "base/diagnostic.h"
#include "expr/elementary_functions.h"
#include "expr/print_infix.h"

namespace cutset {

namespace {

using enum Strength;

std::string c_number(double v) {
    if (std::isnan(v)) return "NAN";
    if (std::isinf(v)) return v > 0 ? "INFINITY" : "-INFINITY";
    std::string text = number_text(v);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text;
}

std::string fortran_number(double v) {
    if (std::isnan(v) || std::isinf(v))
        return std::isnan(v) ? "(huge(1.0_dp) - huge(1.0_dp))" : v > 0 ? "huge(1.0_dp)" : "(-huge(1.0_dp))";
    std::string text = number_text(v);
    if (text.find_first_of(".e") == std::string::npos) text += ".0";
    return text + "_dp";
}

std::string simnon_number(double v) {
    return number_text(v);
}

template <const char* FunctionTraits::*language>
const char* name_in(Op op) {
    const ElementaryFunction* f = elementary_function(op);
    return f ? f->*language : nullptr;
}

bool is_small_whole(double v) {
    return v == std::floor(v) && std::abs(v) <= 64;
}

}  // namespace

const CodeSpelling& c_spelling() {
    static const CodeSpelling spelling = [] {
        CodeSpelling s;
        s.number = c_number;
        s.function = name_in<&FunctionTraits::c>;
        return s;
    }();
    return spelling;
}

const CodeSpelling& fortran_spelling() {
    static const CodeSpelling spelling = [] {
        CodeSpelling s;
        s.choice = CodeSpelling::Choice::Merge;
        s.raise = CodeSpelling::Raise::Stars;
        s.both = " .and. ";
        s.either = " .or. ";
        s.negation = ".not. ";
        s.equal = "";
        s.equal_call = "same_";
        s.truth = ".true.";
        s.falsehood = ".false.";
        s.number_of_condition[0] = "number_of_(";
        s.condition_of_number[0] = "is_true_(";
        s.condition_of_number[1] = ")";
        s.number = fortran_number;
        s.function = name_in<&FunctionTraits::fortran>;
        return s;
    }();
    return spelling;
}

const CodeSpelling& simnon_spelling() {
    static const CodeSpelling spelling = [] {
        CodeSpelling s;
        s.choice = CodeSpelling::Choice::Keywords;
        s.raise = CodeSpelling::Raise::Caret;
        s.both = " AND ";
        s.either = " OR ";
        s.negation = "NOT ";
        s.equal = "";
        s.not_equal = "";
        s.truth = "1>0";
        s.falsehood = "1<0";
        s.number_of_condition[0] = "(IF ";
        s.number_of_condition[1] = " THEN 1 ELSE 0)";
        s.condition_of_number[1] = ">0.5)";
        s.number = simnon_number;
        s.function = name_in<&FunctionTraits::simnon>;
        return s;
    }();
    return spelling;
}

class CodePrinter::Writer : public InfixWriter<Writer> {
  public:
    // A term with a name of its own is written by it, if its sign is not taken out.
    static constexpr bool names_terms = true;

    explicit Writer(CodePrinter& printer) : printer_(printer), s_(printer.spelling_) {}

    void print(Expr e, Strength needed) {
        const std::size_t begin = out.size();
        bracket(begin, value(e), needed);
    }

    void condition(Expr e, Strength needed) {
        if (e->boolean) {
            const std::size_t begin = out.size();
            bracket(begin, write(e), needed);
            return;
        }
        out += s_.condition_of_number[0];
        print(e, s_.choice == CodeSpelling::Choice::Merge ? Choice : Sum);
        out += s_.condition_of_number[1];
    }

    // As a number; returns how strongly it binds.
    Strength value(Expr e) {
        if (!e->boolean) return write(e);
        out += s_.number_of_condition[0];
        condition(e, Choice);
        out += s_.number_of_condition[1];
        return s_.choice == CodeSpelling::Choice::Ternary ? Minus : Primary;
    }

    Strength write(Expr e) {
        if (auto own = printer_.own_(printer_, e, printer_.without_events_)) {
            out += *own;
            return Primary;
        }
        return usual(e);
    }

    Strength usual(Expr e) {
        switch (e->op) {
            case Op::Number:
                out += s_.number(e->number);
                return std::signbit(e->number) ? Minus : Primary;
            case Op::Truth:
                out += e->index ? s_.truth : s_.falsehood;
                return Primary;
            case Op::Add:
                return sum(e);
            case Op::Multiply:
                return product(product_parts(e), nullptr);
            case Op::Power:
                if (e->arg(1)->is_number() && e->arg(1)->number < 0)
                    return product(product_parts(e), nullptr);
                if (e->arg(1)->is_number()) return raised(e->arg(0), e->arg(1)->number);
                if (s_.raise == CodeSpelling::Raise::Call) {
                    out += "power(";
                    print(e->arg(0), Choice);
                    out += ", ";
                    print(e->arg(1), Choice);
                    out += ')';
                    return Primary;
                }
                print(e->arg(0), Primary);
                out += s_.raise == CodeSpelling::Raise::Stars ? "**" : "^";
                print(e->arg(1), Primary);
                return Raised;
            case Op::Less:
            case Op::LessEqual: {
                const bool turned = reads_as_greater(e);
                print(e->arg(turned), Sum);
                const bool simnon = s_.choice == CodeSpelling::Choice::Keywords;
                // Simnon knows < and > only; they differ at one instant.
                out += e->op == Op::Less || simnon ? (turned ? " > " : " < ") : (turned ? " >= " : " <= ");
                print(e->arg(!turned), Sum);
                return Relation;
            }
            case Op::Equal:
            case Op::NotEqual:
                if (*s_.equal == 0) {
                    if (e->op == Op::NotEqual) out += s_.negation;
                    out += std::string(s_.equal_call) + "(";
                    print(e->arg(0), Choice);
                    out += ", ";
                    print(e->arg(1), Choice);
                    out += ')';
                    return e->op == Op::NotEqual ? Negation : Primary;
                }
                print(e->arg(0), Sum);
                out += e->op == Op::Equal ? s_.equal : s_.not_equal;
                print(e->arg(1), Sum);
                return Relation;
            case Op::And:
            case Op::Or:
                for (std::size_t i = 0; i < e->argument_count; ++i) {
                    if (i) out += e->op == Op::And ? s_.both : s_.either;
                    // Mixed ones are bracketed: compilers warn otherwise.
                    condition(e->arg(i), Negation);
                }
                return e->op == Op::And ? Both : Either;
            case Op::Not:
                out += s_.negation;
                condition(e->arg(0), Primary);
                return Negation;
            case Op::If:
                return choice(e);
            case Op::NoEvent: {
                const bool before = printer_.without_events_;
                printer_.without_events_ = true;
                const Strength strength = write(e->arg(0));
                printer_.without_events_ = before;
                return strength;
            }
            default: {
                const char* name = s_.function(e->op);
                CUTSET_ASSERT(name != nullptr);
                out += std::string(name) + "(";
                for (std::size_t i = 0; i < e->argument_count; ++i) {
                    if (i) out += ", ";
                    print(e->arg(i), Choice);
                }
                out += ')';
                return Primary;
            }
        }
    }

    Strength raised(Expr base, double exponent) {
        if (s_.raise != CodeSpelling::Raise::Call) {
            print(base, Primary);
            out += s_.raise == CodeSpelling::Raise::Stars ? "**" : "^";
            const bool whole = is_small_whole(exponent);
            out += whole && s_.raise == CodeSpelling::Raise::Stars
                       ? fmt::format("{}", static_cast<int>(exponent))
                       : s_.number(exponent);
            return Raised;
        }
        if (exponent == 2 || exponent == 3) {
            const std::size_t begin = out.size();
            print(base, Minus);
            const std::string text = out.substr(begin);
            if (text.size() <= 40) {
                for (int i = 1; i < exponent; ++i) out += "*" + text;
                return Product;
            }
            out.resize(begin);
        }
        out += is_small_whole(exponent) ? "power(" : "pow(";
        print(base, Choice);
        out += ", " + s_.number(exponent) + ")";
        return Primary;
    }

    std::string number(double x) const { return s_.number(x); }

  private:
    CodePrinter& printer_;
    const CodeSpelling& s_;

    void branch(Expr of, Expr e, Strength needed) {
        if (of->boolean)
            condition(e, needed);
        else
            print(e, needed);
    }

    Strength choice(Expr e) {
        std::size_t open = 0;
        for (std::size_t i = 0; i + 1 < e->argument_count; i += 2) {
            switch (s_.choice) {
                case CodeSpelling::Choice::Ternary:
                    condition(e->arg(i), Negation);
                    out += " ? ";
                    branch(e, e->arg(i + 1), Either);
                    out += " : ";
                    break;
                case CodeSpelling::Choice::Keywords:
                    out += "IF ";
                    condition(e->arg(i), Either);
                    out += " THEN ";
                    branch(e, e->arg(i + 1), Either);
                    out += " ELSE ";
                    break;
                case CodeSpelling::Choice::Merge: {
                    out += "merge(";
                    branch(e, e->arg(i + 1), Choice);
                    out += ", ";
                    ++open;
                    break;
                }
            }
        }
        branch(e, e->args().back(), Either);
        if (s_.choice != CodeSpelling::Choice::Merge) return Choice;
        // merge(a, merge(b, c, second), first): the conditions close from the inside.
        for (std::size_t k = open; k-- > 0;) {
            out += ", ";
            condition(e->arg(2 * k), Choice);
            out += ')';
        }
        return Primary;
    }
};

std::string CodePrinter::number(Expr e) {
    Writer w(*this);
    w.print(e, Choice);
    return std::move(w.out);
}

std::string CodePrinter::condition(Expr e) {
    Writer w(*this);
    w.condition(e, Choice);
    return std::move(w.out);
}

std::string CodePrinter::plain(Expr e) {
    Writer w(*this);
    w.usual(e);
    return std::move(w.out);
}

Expr not_in_language(Expr e, const CodeSpelling& spelling) {
    Expr found = nullptr;
    for_each_node(e, [&](Expr n) {
        if (found) return;
        switch (n->op) {
            case Op::Number:
            case Op::Truth:
            case Op::Variable:
            case Op::Time:
            case Op::Add:
            case Op::Multiply:
            case Op::Power:
            case Op::Less:
            case Op::LessEqual:
            case Op::And:
            case Op::Or:
            case Op::Not:
            case Op::If:
            case Op::NoEvent:
                return;
            case Op::Equal:
            case Op::NotEqual:
                if (*spelling.equal || *spelling.equal_call) return;
                break;
            default:
                if (spelling.function(n->op)) return;
        }
        found = n;
    });
    return found;
}

}  // namespace cutset
