#include "control/coefficient.h"

#include <fmt/format.h>

#include "base/diagnostic.h"

namespace cutset {

Coefficient Coefficient::symbol(unsigned index) {
    return fraction(SymbolPolynomial::symbol(index), SymbolPolynomial(Rational(1)));
}

Coefficient Coefficient::fraction(const SymbolPolynomial& numerator, const SymbolPolynomial& denominator) {
    CUTSET_ASSERT(!denominator.is_zero());
    if (numerator.is_zero()) return {};
    if (numerator.is_number() && denominator.is_number())
        return Coefficient(Rational(numerator.number() / denominator.number()));
    SymbolPolynomial n = numerator, d = denominator;
    if (!d.is_number()) {
        const SymbolPolynomial common = greatest_common_divisor(n, d);
        if (!common.is_number()) n = *n.divided_by(common), d = *d.divided_by(common);
    }
    return lowest_terms(std::move(n), std::move(d));
}

Coefficient Coefficient::lowest_terms(SymbolPolynomial n, SymbolPolynomial d) {
    const Rational scale = primitive_factor(d);
    n = n * scale;
    d = d * scale;
    if (n.is_number() && d.is_number()) return Coefficient(Rational(n.number() / d.number()));
    Coefficient out;
    out.parts_ = std::make_shared<const Parts>(Parts{std::move(n), std::move(d)});
    return out;
}

SymbolPolynomial Coefficient::numerator() const {
    return parts_ ? parts_->numerator : SymbolPolynomial(number_);
}

SymbolPolynomial Coefficient::denominator() const {
    return parts_ ? parts_->denominator : SymbolPolynomial(Rational(1));
}

Coefficient Coefficient::operator+(const Coefficient& other) const {
    if (!parts_ && !other.parts_) return Coefficient(Rational(number_ + other.number_));
    const SymbolPolynomial a = numerator(), b = denominator(), c = other.numerator(), d = other.denominator();
    if (b == d) return fraction(a + c, b);
    // Only the common part of the denominators can cancel.
    const SymbolPolynomial common = greatest_common_divisor(b, d);
    if (common.is_number()) {
        const SymbolPolynomial sum = a * d + c * b;
        return sum.is_zero() ? Coefficient() : lowest_terms(sum, b * d);
    }
    const SymbolPolynomial x = *d.divided_by(common), y = *b.divided_by(common);
    const SymbolPolynomial sum = a * x + c * y;
    if (sum.is_zero()) return {};
    const SymbolPolynomial cancels = greatest_common_divisor(sum, common);
    return lowest_terms(*sum.divided_by(cancels), y * x * *common.divided_by(cancels));
}

Coefficient Coefficient::operator-() const {
    if (!parts_) return Coefficient(Rational(-number_));
    Coefficient out;
    out.parts_ = std::make_shared<const Parts>(Parts{parts_->numerator * Rational(-1), parts_->denominator});
    return out;
}

Coefficient Coefficient::operator-(const Coefficient& other) const {
    if (!parts_ && !other.parts_) return Coefficient(Rational(number_ - other.number_));
    return *this + -other;
}

Coefficient Coefficient::operator*(const Coefficient& other) const {
    if (!parts_ && !other.parts_) return Coefficient(Rational(number_ * other.number_));
    return product_of(numerator(), denominator(), other.numerator(), other.denominator());
}

Coefficient Coefficient::operator/(const Coefficient& other) const {
    CUTSET_ASSERT(!other.is_zero());
    if (!parts_ && !other.parts_) return Coefficient(Rational(number_ / other.number_));
    return product_of(numerator(), denominator(), other.denominator(), other.numerator());
}

Coefficient Coefficient::product_of(SymbolPolynomial a, SymbolPolynomial b, SymbolPolynomial c,
                                    SymbolPolynomial d) {
    if (a.is_zero() || c.is_zero()) return {};
    // Each numerator can have factors of the other denominator only.
    const auto cancel = [](SymbolPolynomial& above, SymbolPolynomial& below) {
        const SymbolPolynomial common = greatest_common_divisor(above, below);
        if (common.is_number()) return;
        above = *above.divided_by(common);
        below = *below.divided_by(common);
    };
    cancel(a, d);
    cancel(c, b);
    return lowest_terms(a * c, b * d);
}

bool Coefficient::operator==(const Coefficient& other) const {
    if (!parts_ || !other.parts_) return !parts_ && !other.parts_ && number_ == other.number_;
    return parts_->numerator == other.parts_->numerator && parts_->denominator == other.parts_->denominator;
}

double Coefficient::value(const std::vector<double>& symbols) const {
    if (!parts_) return nearest(number_);
    return parts_->numerator.value(symbols) / parts_->denominator.value(symbols);
}

// ---- print

std::string symbol_latex(const std::string& name) {
    static const char* const greek[] = {"alpha", "beta",  "gamma",  "delta", "epsilon", "zeta", "eta",
                                        "theta", "kappa", "lambda", "mu",    "nu",      "xi",   "pi",
                                        "rho",   "sigma", "tau",    "phi",   "chi",     "psi",  "omega"};
    std::string base = name, index;
    if (const std::size_t bar = name.find('_'); bar != std::string::npos && bar > 0) {
        base = name.substr(0, bar);
        index = name.substr(bar + 1);
    } else {
        std::size_t end = name.size();
        while (end > 1 && name[end - 1] >= '0' && name[end - 1] <= '9') --end;
        base = name.substr(0, end);
        index = name.substr(end);
    }
    for (const char* letter : greek)
        if (base == letter) {
            base = "\\" + base;
            break;
        }
    if (base.size() > 1 && base[0] != '\\') base = "\\mathrm{" + base + "}";
    if (index.empty()) return base;
    std::string escaped;
    for (char c : index) escaped += c == '_' ? std::string("\\_") : std::string(1, c);
    return base + "_{" +
           (escaped.size() > 1 && !(escaped[0] >= '0' && escaped[0] <= '9') ? "\\mathrm{" + escaped + "}"
                                                                            : escaped) +
           "}";
}

namespace {

template <class Factor, class Number>
std::string sum_text(const SymbolPolynomial& p, const Factor& factor, const Number& number,
                     const char* times) {
    if (p.is_zero()) return "0";
    std::string out;
    for (auto at = p.terms().rbegin(); at != p.terms().rend(); ++at) {
        const auto& [monomial, c] = *at;
        const Rational size = abs(c);
        if (out.empty())
            out += c < 0 ? "-" : "";
        else
            out += c < 0 ? " - " : " + ";
        std::string product;
        for (std::size_t i = 0; i < monomial.size(); ++i)
            if (monomial[i]) product += (product.empty() ? "" : times) + factor(i, monomial[i]);
        if (product.empty())
            out += number(size);
        else if (size == 1)
            out += product;
        else
            out += number(size) + times + product;
    }
    return out;
}

}  // namespace

std::string to_text(const SymbolPolynomial& p, const SymbolNames& names) {
    return sum_text(
        p,
        [&](std::size_t i, unsigned power) {
            return power == 1 ? names.at(i) : fmt::format("{}^{}", names.at(i), power);
        },
        [](const Rational& r) { return to_text(r); }, "*");
}

std::string to_latex(const SymbolPolynomial& p, const SymbolNames& names) {
    return sum_text(
        p,
        [&](std::size_t i, unsigned power) {
            const std::string name = symbol_latex(names.at(i));
            return power == 1 ? name : fmt::format("{}^{{{}}}", name, power);
        },
        [](const Rational& r) { return to_latex(r); }, " ");
}

std::string to_text(const Coefficient& c, const SymbolNames& names) {
    if (c.is_number()) return to_text(c.number());
    const std::string n = to_text(c.numerator(), names);
    const SymbolPolynomial denominator = c.denominator();
    if (denominator.is_number() && denominator.number() == 1) return n;
    const std::string d = to_text(denominator, names);
    const bool bare = denominator.terms().size() == 1 && d.find('*') == std::string::npos;
    return (c.numerator().terms().size() > 1 ? "(" + n + ")" : n) + "/" + (bare ? d : "(" + d + ")");
}

std::string to_latex(const Coefficient& c, const SymbolNames& names) {
    if (c.is_number()) return to_latex(c.number());
    const std::string n = to_latex(c.numerator(), names);
    const SymbolPolynomial denominator = c.denominator();
    if (denominator.is_number() && denominator.number() == 1) return n;
    return "\\frac{" + n + "}{" + to_latex(denominator, names) + "}";
}

}  // namespace cutset
