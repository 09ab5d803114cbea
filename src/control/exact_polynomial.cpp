#include "control/exact_polynomial.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"
#include "control/polynomial.h"

namespace cutset {

ExactPolynomial::ExactPolynomial(std::vector<Coefficient> coefficients)
    : coefficients_(std::move(coefficients)) {
    trim();
}

void ExactPolynomial::trim() {
    while (!coefficients_.empty() && coefficients_.back().is_zero()) coefficients_.pop_back();
}

ExactPolynomial ExactPolynomial::power_of_variable(std::size_t power) {
    std::vector<Coefficient> c(power + 1);
    c[power] = 1;
    return ExactPolynomial(std::move(c));
}

bool ExactPolynomial::is_numeric() const {
    return std::all_of(coefficients_.begin(), coefficients_.end(),
                       [](const Coefficient& c) { return c.is_number(); });
}

ExactPolynomial ExactPolynomial::operator+(const ExactPolynomial& other) const {
    std::vector<Coefficient> c(std::max(coefficients_.size(), other.coefficients_.size()));
    for (std::size_t i = 0; i < coefficients_.size(); ++i) c[i] = coefficients_[i];
    for (std::size_t i = 0; i < other.coefficients_.size(); ++i) c[i] += other.coefficients_[i];
    return ExactPolynomial(std::move(c));
}

ExactPolynomial ExactPolynomial::operator-() const {
    std::vector<Coefficient> c = coefficients_;
    for (Coefficient& x : c) x = -x;
    return ExactPolynomial(std::move(c));
}

ExactPolynomial ExactPolynomial::operator-(const ExactPolynomial& other) const {
    return *this + -other;
}

ExactPolynomial ExactPolynomial::operator*(const ExactPolynomial& other) const {
    if (is_zero() || other.is_zero()) return {};
    std::vector<Coefficient> c(coefficients_.size() + other.coefficients_.size() - 1);
    for (std::size_t i = 0; i < coefficients_.size(); ++i) {
        if (coefficients_[i].is_zero()) continue;
        for (std::size_t k = 0; k < other.coefficients_.size(); ++k)
            if (!other.coefficients_[k].is_zero()) c[i + k] += coefficients_[i] * other.coefficients_[k];
    }
    return ExactPolynomial(std::move(c));
}

ExactPolynomial ExactPolynomial::scaled(const Coefficient& factor) const {
    std::vector<Coefficient> c = coefficients_;
    for (Coefficient& x : c) x *= factor;
    return ExactPolynomial(std::move(c));
}

ExactPolynomial ExactPolynomial::derivative() const {
    std::vector<Coefficient> c;
    for (std::size_t i = 1; i < coefficients_.size(); ++i)
        c.push_back(coefficients_[i] * Coefficient(static_cast<long>(i)));
    return ExactPolynomial(std::move(c));
}

ExactPolynomial ExactPolynomial::monic() const {
    return leading().is_one() ? *this : scaled(Coefficient(1) / leading());
}

ExactPolynomial ExactPolynomial::to_power(unsigned exponent) const {
    ExactPolynomial out(1), base = *this;
    for (; exponent; exponent >>= 1) {
        if (exponent & 1) out = out * base;
        if (exponent > 1) base = base * base;
    }
    return out;
}

Coefficient ExactPolynomial::at(const Coefficient& point) const {
    Coefficient sum;
    for (auto c = coefficients_.rbegin(); c != coefficients_.rend(); ++c) sum = sum * point + *c;
    return sum;
}

std::vector<double> ExactPolynomial::numbers(const std::vector<double>& symbols) const {
    std::vector<double> out;
    for (auto c = coefficients_.rbegin(); c != coefficients_.rend(); ++c) out.push_back(c->value(symbols));
    if (out.empty()) out.push_back(0);
    return out;
}

std::pair<ExactPolynomial, ExactPolynomial> divide(const ExactPolynomial& a, const ExactPolynomial& b) {
    CUTSET_ASSERT(!b.is_zero());
    if (a.degree() < b.degree()) return {ExactPolynomial(), a};
    std::vector<Coefficient> rest = a.coefficients();
    const auto n = static_cast<std::size_t>(b.degree());
    std::vector<Coefficient> quotient(rest.size() - n);
    const bool one = b.leading().is_one();
    for (std::size_t k = quotient.size(); k-- > 0;) {
        const Coefficient factor = one ? rest[k + n] : rest[k + n] / b.leading();
        quotient[k] = factor;
        if (factor.is_zero()) continue;
        for (std::size_t i = 0; i < n; ++i) rest[k + i] -= factor * b.coefficients()[i];
    }
    rest.resize(n);
    return {ExactPolynomial(std::move(quotient)), ExactPolynomial(std::move(rest))};
}

unsigned symbol_count(const ExactPolynomial& p) {
    unsigned count = 0;
    for (const Coefficient& c : p.coefficients())
        if (!c.is_number())
            count = std::max({count, c.numerator().symbol_count(), c.denominator().symbol_count()});
    return count;
}

ClearedPolynomial cleared(const ExactPolynomial& p, unsigned variable) {
    ClearedPolynomial out{{}, SymbolPolynomial(1)};
    Integer whole = 1;
    for (const Coefficient& c : p.coefficients())
        if (c.is_number())
            whole = lcm(whole, c.number().get_den());
        else
            out.denominator = least_common_multiple(out.denominator, c.denominator());
    out.denominator = out.denominator * Rational(whole);
    std::vector<SymbolPolynomial> parts;
    for (const Coefficient& c : p.coefficients())
        parts.push_back(c.numerator() * *out.denominator.divided_by(c.denominator()));
    out.numerator = SymbolPolynomial::of_powers(parts, variable);
    return out;
}

ExactPolynomial polynomial_in(unsigned variable, const SymbolPolynomial& p) {
    std::vector<Coefficient> coefficients;
    for (const SymbolPolynomial& part : p.by_powers(variable))
        coefficients.push_back(Coefficient::fraction(part, SymbolPolynomial(1)));
    return ExactPolynomial(std::move(coefficients));
}

ExactPolynomial greatest_common_divisor(const ExactPolynomial& a, const ExactPolynomial& b) {
    if (a.is_zero()) return b.is_zero() ? b : b.monic();
    if (b.is_zero()) return a.monic();
    if (a.is_constant() || b.is_constant()) return ExactPolynomial(1);
    const unsigned variable = std::max(symbol_count(a), symbol_count(b));
    return polynomial_in(variable, greatest_common_divisor_in(variable, cleared(a, variable).numerator,
                                                              cleared(b, variable).numerator))
        .monic();
}

ExactPolynomial least_common_multiple(const ExactPolynomial& a, const ExactPolynomial& b) {
    return divide(a * b, greatest_common_divisor(a, b)).first.monic();
}

std::vector<PowerFactor> square_free_factors(const ExactPolynomial& p) {
    std::vector<PowerFactor> out;
    if (p.is_constant()) return out;
    ExactPolynomial f = p.monic();
    const ExactPolynomial slope = f.derivative();
    ExactPolynomial a = greatest_common_divisor(f, slope);
    ExactPolynomial b = divide(f, a).first, c = divide(slope, a).first;
    ExactPolynomial d = c - b.derivative();
    for (unsigned multiplicity = 1; !b.is_constant(); ++multiplicity) {
        const ExactPolynomial g = greatest_common_divisor(b, d);
        if (!g.is_constant()) out.push_back({g, multiplicity});
        b = divide(b, g).first;
        c = divide(d, g).first;
        d = c - b.derivative();
    }
    return out;
}

namespace {

// With symbols: the factors that show.
std::vector<PowerFactor> symbolic_factors(const ExactPolynomial& p) {
    std::vector<PowerFactor> out;
    const unsigned variable = symbol_count(p);
    const SymbolPolynomial whole = cleared(p, variable).numerator;
    for (const SymbolPolynomial& factor : distinct_factors(whole)) {
        if (factor.degree(variable) == 0) continue;
        unsigned multiplicity = 0;
        SymbolPolynomial rest = whole;
        for (auto q = rest.divided_by(factor); q; q = rest.divided_by(factor), ++multiplicity) rest = *q;
        out.push_back({polynomial_in(variable, factor).monic(), multiplicity});
    }
    std::stable_sort(out.begin(), out.end(), [](const PowerFactor& a, const PowerFactor& b) {
        return std::pair(a.factor.degree(), a.multiplicity) < std::pair(b.factor.degree(), b.multiplicity);
    });
    return out;
}

}  // namespace

std::vector<PowerFactor> simple_factors(const ExactPolynomial& p) {
    if (!p.is_numeric()) return symbolic_factors(p);
    std::vector<PowerFactor> out;
    for (PowerFactor part : square_free_factors(p)) {
        std::vector<Rational> linear;
        // Rational roots are guessed from the numeric ones and verified.
        if (part.factor[0].is_zero()) linear.emplace_back(0);
        if (part.factor.degree() > 1)
            for (const std::complex<double>& root : roots(part.factor)) {
                if (std::fabs(root.imag()) > 1e-9 * (1 + std::fabs(root.real())) || root.real() == 0)
                    continue;
                for (long q = 1; q <= 120; ++q) {
                    const double scaled = root.real() * static_cast<double>(q);
                    if (std::fabs(scaled) > 1e9 || std::fabs(scaled - std::round(scaled)) > 1e-6) continue;
                    Rational guess(static_cast<long>(std::lround(scaled)), q);
                    guess.canonicalize();
                    if (part.factor.at(Coefficient(guess)).is_zero()) {
                        if (std::find(linear.begin(), linear.end(), guess) == linear.end())
                            linear.push_back(guess);
                        break;
                    }
                }
            }
        std::sort(linear.begin(), linear.end(), [](const Rational& a, const Rational& b) { return a > b; });
        for (const Rational& root : linear) {
            const ExactPolynomial factor({Coefficient(Rational(-root)), Coefficient(1)});
            part.factor = divide(part.factor, factor).first;
            out.push_back({factor, part.multiplicity});
        }
        if (!part.factor.is_constant()) out.push_back(part);
    }
    std::stable_sort(out.begin(), out.end(), [](const PowerFactor& a, const PowerFactor& b) {
        return a.factor.degree() < b.factor.degree();
    });
    return out;
}

namespace {

// Complex numbers of many digits.
struct LongComplex {
    mpf_class re, im;
    LongComplex(const mpf_class& r, const mpf_class& i) : re(r), im(i) {}
    LongComplex operator+(const LongComplex& o) const { return {re + o.re, im + o.im}; }
    LongComplex operator-(const LongComplex& o) const { return {re - o.re, im - o.im}; }
    LongComplex operator*(const LongComplex& o) const {
        return {re * o.re - im * o.im, re * o.im + im * o.re};
    }
    mpf_class norm() const { return re * re + im * im; }
    LongComplex operator/(const LongComplex& o) const {
        const mpf_class n = o.norm();
        return {(re * o.re + im * o.im) / n, (im * o.re - re * o.im) / n};
    }
};

// To the nearest; mpf_get_d cuts off.
double rounded(const mpf_class& v) {
    const double down = v.get_d(), up = std::nextafter(down, down < 0 ? -INFINITY : INFINITY);
    return abs(v - down) * 2 < abs(mpf_class(up) - down) ? down : up;
}

// Simple roots to the last digit: Aberth's iteration from the roots in double precision, on exact
// coefficients. Left as they are when it does not converge.
void polish(std::vector<std::complex<double>>& values, const ExactPolynomial& p) {
    if (p.degree() > 1 && p[0].is_zero() && values.size() == static_cast<std::size_t>(p.degree())) {
        // The root 0 is known.
        std::iter_swap(
            std::min_element(values.begin(), values.end(),
                             [](const auto& a, const auto& b) { return std::abs(a) < std::abs(b); }),
            values.end() - 1);
        values.pop_back();
        polish(values, divide(p, ExactPolynomial::variable()).first);
        values.emplace_back(0);
        return;
    }
    constexpr std::size_t most = 80;
    const std::size_t n = values.size();
    if (n == 0 || n > most || n != static_cast<std::size_t>(p.degree())) return;
    const mp_bitcnt_t bits = 256 + 16 * n;
    const auto number = [&](double v) { return mpf_class(v, bits); };
    std::vector<mpf_class> c;  // lowest power first
    for (const Coefficient& coefficient : p.coefficients()) c.emplace_back(coefficient.number(), bits);
    std::vector<LongComplex> z;
    for (const auto& v : values) {
        if (!std::isfinite(v.real()) || !std::isfinite(v.imag())) return;
        z.emplace_back(number(v.real()), number(v.imag()));
    }
    const mpf_class small("1e-50", bits);  // of the square
    bool converged = false;
    for (int pass = 0; pass < 200 && !converged; ++pass) {
        converged = true;
        for (std::size_t i = 0; i < n; ++i) {
            LongComplex value(c[n], number(0)), slope(number(0), number(0));
            for (std::size_t k = n; k-- > 0;) {
                slope = slope * z[i] + value;
                value = value * z[i];
                value.re += c[k];
            }
            if (value.norm() == 0) continue;
            LongComplex pull(number(0), number(0));
            for (std::size_t k = 0; k < n; ++k) {
                const LongComplex apart = z[i] - z[k];
                if (k != i && apart.norm() != 0) pull = pull + LongComplex(number(1), number(0)) / apart;
            }
            // step = p / (p' - p Σ 1/(z - z_k))
            const LongComplex divisor = slope - value * pull;
            if (divisor.norm() == 0) return;
            const LongComplex step = value / divisor;
            z[i] = z[i] - step;
            if (step.norm() > small * z[i].norm()) converged = false;
        }
    }
    if (!converged) return;
    // A root so near to the real axis is real: else its conjugate would be as near.
    const mpf_class flat("1e-40", bits);
    for (std::size_t i = 0; i < n; ++i) {
        const bool real = z[i].im * z[i].im <= flat * z[i].norm();
        const bool imaginary = z[i].re * z[i].re <= flat * z[i].norm();
        values[i] = {imaginary ? 0.0 : rounded(z[i].re), real ? 0.0 : rounded(z[i].im)};
    }
}

}  // namespace

std::vector<std::complex<double>> roots(const ExactPolynomial& p) {
    std::vector<std::complex<double>> out;
    for (const PowerFactor& part : square_free_factors(p)) {
        std::vector<std::complex<double>> simple = polynomial_roots(part.factor.numbers());
        polish(simple, part.factor);
        pair_conjugates(simple);
        for (const auto& root : simple)
            for (unsigned k = 0; k < part.multiplicity; ++k) out.push_back(root);
    }
    sort_roots(out);
    return out;
}

ExactFraction operator+(const ExactFraction& a, const ExactFraction& b) {
    const ExactPolynomial common = greatest_common_divisor(a.denominator, b.denominator);
    const ExactPolynomial x = divide(b.denominator, common).first, y = divide(a.denominator, common).first;
    return {a.numerator * x + b.numerator * y, a.denominator * x};
}

ExactFraction operator*(const ExactFraction& a, const ExactFraction& b) {
    return {a.numerator * b.numerator, a.denominator * b.denominator};
}

ExactFraction reduced(const ExactFraction& f) {
    if (f.numerator.is_zero()) return {};
    const ExactPolynomial common = greatest_common_divisor(f.numerator, f.denominator);
    ExactPolynomial n = divide(f.numerator, common).first, d = divide(f.denominator, common).first;
    const Coefficient scale = Coefficient(1) / d.leading();
    return {n.scaled(scale), d.scaled(scale)};
}

// ---- print

namespace {

struct Style {
    bool latex = false;
    std::string variable;
    const SymbolNames* names = nullptr;

    std::string coefficient(const Coefficient& c) const {
        return latex ? to_latex(c, *names) : to_text(c, *names);
    }
    std::string times() const { return latex ? " " : "*"; }
    std::string open() const { return latex ? "\\left(" : "("; }
    std::string close() const { return latex ? "\\right)" : ")"; }
    std::string power(const std::string& base, unsigned exponent) const {
        if (exponent == 1) return base;
        return latex ? fmt::format("{}^{{{}}}", base, exponent) : fmt::format("{}^{}", base, exponent);
    }
};

// A sum of several terms stands in brackets before a product.
bool is_sum(const Coefficient& c, bool latex) {
    if (c.is_number()) return false;
    if (latex && !c.denominator().is_number()) return false;
    return c.numerator().terms().size() > 1 && c.denominator().is_number();
}

std::string polynomial_text(const ExactPolynomial& p, const Style& style) {
    if (p.is_zero()) return "0";
    std::string out;
    for (int power = p.degree(); power >= 0; --power) {
        Coefficient c = p[power];
        if (c.is_zero()) continue;
        // A sum without a bracket goes on with the sign of its first term.
        const bool open_sum = is_sum(c, style.latex) && power == 0;
        const bool negative =
            c.is_number() ? c.number() < 0
                          : (open_sum || c.numerator().terms().size() == 1) && c.numerator().leading() < 0;
        if (negative && !open_sum) c = -c;
        if (out.empty())
            out += negative ? "-" : "";
        else
            out += negative ? " - " : " + ";
        const std::string variable = power ? style.power(style.variable, static_cast<unsigned>(power)) : "";
        std::string factor = style.coefficient(c);
        if (negative && open_sum) factor.erase(0, 1);
        const bool fraction = factor.find('/') != std::string::npos && !style.latex;
        if (power && c.is_one()) {
            out += variable;
            continue;
        }
        if (is_sum(c, style.latex) ? power > 0 : (fraction && power && c.is_number()))
            factor = style.open() + factor + style.close();
        out += power ? factor + style.times() + variable : factor;
    }
    return out;
}

std::size_t term_count(const ExactPolynomial& p) {
    std::size_t n = 0;
    for (const Coefficient& c : p.coefficients()) n += !c.is_zero();
    if (n == 1 && p.is_constant() && is_sum(p.leading(), false)) n = 2;
    return n;
}

std::string factors_text(const ExactPolynomial& p, const Style& style) {
    if (p.is_constant()) return polynomial_text(p, style);
    const std::vector<PowerFactor> factors = simple_factors(p);
    if (factors.size() == 1 && factors[0].multiplicity == 1) return polynomial_text(p, style);
    std::string out;
    if (!p.leading().is_one()) {
        if (p.leading() == Coefficient(-1)) {
            out = "-";
        } else {
            out = style.coefficient(p.leading());
            if (is_sum(p.leading(), style.latex)) out = style.open() + out + style.close();
            out += style.times();
        }
    }
    for (std::size_t i = 0; i < factors.size(); ++i) {
        std::string factor = polynomial_text(factors[i].factor, style);
        if (term_count(factors[i].factor) > 1) factor = style.open() + factor + style.close();
        out += (i ? style.times() : "") + style.power(factor, factors[i].multiplicity);
    }
    return out;
}

}  // namespace

std::string to_text(const ExactPolynomial& p, const std::string& variable, const SymbolNames& names) {
    return polynomial_text(p, {false, variable, &names});
}

std::string to_latex(const ExactPolynomial& p, const std::string& variable, const SymbolNames& names) {
    return polynomial_text(p, {true, variable, &names});
}

std::string factored_text(const ExactPolynomial& p, const std::string& variable, const SymbolNames& names) {
    return factors_text(p, {false, variable, &names});
}

std::string factored_latex(const ExactPolynomial& p, const std::string& variable, const SymbolNames& names) {
    return factors_text(p, {true, variable, &names});
}

}  // namespace cutset
