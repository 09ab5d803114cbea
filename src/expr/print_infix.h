// Sums and products as text with operators between, brackets where they are needed; shared by the printers of
// text and code.
#pragma once

#include <string>
#include <vector>

#include "expr/print_parts.h"
#include "expr/strength.h"

namespace cutset {

// Writer has print(e, needed), which brackets; value(e) and raised(base, exponent), which append a text and
// return how strongly it binds; number(x), a text; and `names_terms`: terms may have names of their own,
// which print() knows.
template <class Writer>
class InfixWriter {
  public:
    std::string out;

  protected:
    void bracket(std::size_t begin, Strength strength, Strength needed) {
        if (strength >= needed) return;
        out.insert(begin, 1, '(');
        out += ')';
    }

    Strength sum(Expr e) {
        const SumParts parts = sum_parts(e);
        if (parts.has_common) return product(parts.common, &parts);
        terms(parts);
        return Strength::Sum;
    }

    // a*b/(c*d); with `sum` its bracket is one more factor.
    Strength product(const ProductParts& p, const SumParts* sum) {
        const std::size_t count_above = p.above.size() + (sum ? 1 : 0);
        const std::size_t count_below = p.below.size() + (p.denominator != 1 ? 1 : 0);
        // A single factor keeps its own strength.
        if (!p.negative && p.numerator == 1 && count_below == 0 && p.above.size() == 1 && !sum)
            return p.above[0].exponent == 1 ? self().value(p.above[0].base)
                                            : self().raised(p.above[0].base, p.above[0].exponent);
        if (p.negative) out += '-';
        bool first = true;
        const auto times = [&] {
            if (!first) out += '*';
            first = false;
        };
        if (p.numerator != 1 || count_above == 0) {
            times();
            out += self().number(p.numerator);
        }
        for (const auto& f : p.above) {
            times();
            factor(f);
        }
        if (sum) {
            times();
            out += '(';
            terms(*sum);
            out += ')';
        }
        // A number below stands alone: in x/(0*y) the zero would swallow y.
        std::vector<ProductParts::Factor> below;
        for (const auto& f : p.below) {
            if (!f.base->is_number()) {
                below.push_back(f);
                continue;
            }
            out += '/';
            factor(f);
        }
        const std::size_t bracketed = below.size() + (p.denominator != 1 ? 1 : 0);
        if (bracketed) {
            out += '/';
            if (bracketed > 1) out += '(';
            first = true;
            if (p.denominator != 1) {
                times();
                out += self().number(p.denominator);
            }
            for (const auto& f : below) {
                times();
                factor(f);
            }
            if (bracketed > 1) out += ')';
        }
        const bool plain_number = count_above == 0 && count_below == 0;
        if (p.negative)
            return plain_number || count_above + count_below == 1 ? Strength::Minus : Strength::Product;
        return plain_number ? Strength::Primary : Strength::Product;
    }

  private:
    Writer& self() { return static_cast<Writer&>(*this); }

    void terms(const SumParts& parts) {
        for (std::size_t i = 0; i < parts.terms.size(); ++i) {
            if (i)
                out += parts.negative[i] ? " - " : " + ";
            else if (parts.negative[i])
                out += '-';
            if (Writer::names_terms && !parts.negative[i] && !parts.has_common) {
                self().print(parts.terms[i], Strength::Product);
                continue;
            }
            ProductParts term = product_parts(parts.terms[i]);
            term.negative = false;
            if (parts.has_common) term.numerator = term.denominator = 1;
            const std::size_t begin = out.size();
            bracket(begin, product(term, nullptr), Strength::Product);
        }
    }

    void factor(const ProductParts::Factor& f) {
        if (f.exponent == 1) {
            self().print(f.base, Strength::Raised);
            return;
        }
        const std::size_t begin = out.size();
        bracket(begin, self().raised(f.base, f.exponent), Strength::Raised);
    }
};

}  // namespace cutset
