#include "control/coefficient.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>

#include "base/diagnostic.h"
#include "graph/modular_rank.h"

namespace cutset {

namespace {

using Monomial = SymbolPolynomial::Monomial;

Monomial product(const Monomial& a, const Monomial& b) {
    Monomial out(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < a.size(); ++i) out[i] += a[i];
    for (std::size_t i = 0; i < b.size(); ++i) out[i] += b[i];
    return out;
}

std::optional<Monomial> quotient(Monomial a, const Monomial& b) {
    if (b.size() > a.size()) return std::nullopt;
    for (std::size_t i = 0; i < b.size(); ++i) {
        if (a[i] < b[i]) return std::nullopt;
        a[i] -= b[i];
    }
    while (!a.empty() && a.back() == 0) a.pop_back();
    return a;
}

SymbolPolynomial primitive(const SymbolPolynomial& p) {
    return p.is_zero() ? p : p * primitive_factor(p);
}

// p as a polynomial in `symbol` with its coefficients' common divisor taken out.
SymbolPolynomial content(const SymbolPolynomial& p, unsigned symbol) {
    SymbolPolynomial out;
    for (const SymbolPolynomial& part : p.by_powers(symbol)) {
        if (part.is_zero()) continue;
        out = out.is_zero() ? primitive(part) : greatest_common_divisor(out, part);
        if (out.is_number()) return SymbolPolynomial(Rational(1));
    }
    return out;
}

// lc(b)^k * a mod b, as polynomials in `symbol`.
SymbolPolynomial pseudo_remainder(SymbolPolynomial a, const SymbolPolynomial& b, unsigned symbol) {
    const std::vector<SymbolPolynomial> divisor = b.by_powers(symbol);
    const std::size_t n = divisor.size() - 1;
    const SymbolPolynomial x = SymbolPolynomial::symbol(symbol);
    while (!a.is_zero() && a.degree(symbol) >= n) {
        const std::vector<SymbolPolynomial> parts = a.by_powers(symbol);
        SymbolPolynomial shift = parts.back();
        for (std::size_t k = parts.size() - 1; k > n; --k) shift = shift * x;
        a = a * divisor.back() - b * shift;
    }
    return a;
}

// ---- modulo a prime, at random values of all symbols but one

using Residues = std::vector<std::uint64_t>;  // a polynomial by powers, lowest first; the last is not 0

void drop_zeros(Residues& p) {
    while (!p.empty() && p.back() == 0) p.pop_back();
}

Residues residues(const SymbolPolynomial& p, unsigned symbol, std::uint64_t point) {
    using namespace graph::modular;
    const auto residue = [](const Integer& n) { return mpz_fdiv_ui(n.get_mpz_t(), prime); };
    Residues out(p.degree(symbol) + 1, 0);
    for (const auto& [monomial, factor] : p.terms()) {
        std::uint64_t value = multiply(residue(factor.get_num()), inverse(residue(factor.get_den())));
        for (unsigned s = 0; s < monomial.size(); ++s)
            if (s != symbol) value = multiply(value, power(random(1000 * point + s), monomial[s]));
        std::uint64_t& sum = out[symbol < monomial.size() ? monomial[symbol] : 0];
        sum = add(sum, value);
    }
    drop_zeros(out);
    return out;
}

// The degree of the greatest common divisor in `symbol`, or more: at a point it can only be higher.
unsigned degree_of_divisor(const SymbolPolynomial& a, const SymbolPolynomial& b, unsigned symbol) {
    using namespace graph::modular;
    unsigned least = std::min(a.degree(symbol), b.degree(symbol));
    for (std::uint64_t point = 1; point <= 2 && least > 0; ++point) {
        Residues p = residues(a, symbol, point), q = residues(b, symbol, point);
        // Where a leading coefficient vanishes the point says nothing.
        if (p.size() != a.degree(symbol) + 1 || q.size() != b.degree(symbol) + 1) continue;
        while (!q.empty()) {
            while (p.size() >= q.size()) {
                const std::uint64_t factor = negate(multiply(p.back(), inverse(q.back())));
                for (std::size_t i = 0; i < q.size(); ++i) {
                    std::uint64_t& c = p[p.size() - q.size() + i];
                    c = add(c, multiply(factor, q[i]));
                }
                p.back() = 0;
                drop_zeros(p);
            }
            std::swap(p, q);
        }
        least = std::min(least, unsigned(p.size()) - 1);
    }
    return least;
}

}  // namespace

// ---- polynomials in symbols

SymbolPolynomial::SymbolPolynomial(const Rational& number) {
    if (number != 0) terms_[{}] = number;
}

SymbolPolynomial SymbolPolynomial::symbol(unsigned index) {
    SymbolPolynomial p;
    Monomial m(index + 1);
    m[index] = 1;
    p.terms_[m] = 1;
    return p;
}

void SymbolPolynomial::add_term(const Monomial& monomial, const Rational& factor) {
    const auto [at, fresh] = terms_.try_emplace(monomial, factor);
    if (!fresh) at->second += factor;
    if (at->second == 0) terms_.erase(at);
}

unsigned SymbolPolynomial::symbol_count() const {
    std::size_t n = 0;
    for (const auto& [m, c] : terms_) n = std::max(n, m.size());
    return static_cast<unsigned>(n);
}

unsigned SymbolPolynomial::degree(unsigned symbol) const {
    unsigned d = 0;
    for (const auto& [m, c] : terms_)
        if (symbol < m.size()) d = std::max(d, m[symbol]);
    return d;
}

std::vector<SymbolPolynomial> SymbolPolynomial::by_powers(unsigned symbol) const {
    std::vector<SymbolPolynomial> parts(degree(symbol) + 1);
    for (const auto& [m, c] : terms_) {
        Monomial rest = m;
        const unsigned power = symbol < m.size() ? m[symbol] : 0;
        if (symbol < rest.size()) rest[symbol] = 0;
        while (!rest.empty() && rest.back() == 0) rest.pop_back();
        parts[power].add_term(rest, c);
    }
    return parts;
}

SymbolPolynomial SymbolPolynomial::operator+(const SymbolPolynomial& other) const {
    SymbolPolynomial out = *this;
    for (const auto& [m, c] : other.terms_) out.add_term(m, c);
    return out;
}

SymbolPolynomial SymbolPolynomial::operator-(const SymbolPolynomial& other) const {
    SymbolPolynomial out = *this;
    for (const auto& [m, c] : other.terms_) out.add_term(m, -c);
    return out;
}

SymbolPolynomial SymbolPolynomial::operator*(const SymbolPolynomial& other) const {
    SymbolPolynomial out;
    for (const auto& [m, c] : terms_)
        for (const auto& [n, d] : other.terms_) out.add_term(product(m, n), c * d);
    return out;
}

SymbolPolynomial SymbolPolynomial::operator*(const Rational& factor) const {
    SymbolPolynomial out;
    if (factor == 0) return out;
    out = *this;
    for (auto& [m, c] : out.terms_) c *= factor;
    return out;
}

std::optional<SymbolPolynomial> SymbolPolynomial::divided_by(const SymbolPolynomial& divisor) const {
    SymbolPolynomial rest = *this, out;
    const auto& [lead, factor] = *divisor.terms_.rbegin();
    while (!rest.is_zero()) {
        const auto m = quotient(rest.terms_.rbegin()->first, lead);
        if (!m) return std::nullopt;
        const Rational c = rest.terms_.rbegin()->second / factor;
        out.add_term(*m, c);
        for (const auto& [n, d] : divisor.terms_) rest.add_term(product(*m, n), -c * d);
    }
    return out;
}

double SymbolPolynomial::value(const std::vector<double>& symbols) const {
    double sum = 0;
    for (const auto& [m, c] : terms_) {
        double term = nearest(c);
        for (std::size_t i = 0; i < m.size(); ++i)
            if (m[i]) term *= std::pow(symbols.at(i), m[i]);
        sum += term;
    }
    return sum;
}

Rational primitive_factor(const SymbolPolynomial& p) {
    Integer numerators = 0, denominators = 1;
    for (const auto& [m, c] : p.terms()) {
        numerators = gcd(numerators, c.get_num());
        denominators = lcm(denominators, c.get_den());
    }
    Rational factor(denominators, numerators == 0 ? Integer(1) : numerators);
    factor.canonicalize();
    return !p.is_zero() && p.leading() < 0 ? Rational(-factor) : factor;
}

SymbolPolynomial greatest_common_divisor(const SymbolPolynomial& a, const SymbolPolynomial& b) {
    if (a.is_zero()) return primitive(b);
    if (b.is_zero()) return primitive(a);
    if (a.is_number() || b.is_number()) return SymbolPolynomial(Rational(1));
    if (a == b) return primitive(a);
    // A symbol that the divisor does not have: only what its powers are multiplied by counts.
    std::optional<unsigned> main;
    const unsigned symbols = std::max(a.symbol_count(), b.symbol_count());
    for (unsigned s = 0; s < symbols; ++s) {
        const unsigned of_a = a.degree(s), of_b = b.degree(s);
        if (of_a == 0 && of_b == 0) continue;
        if (of_a > 0 && of_b > 0 && degree_of_divisor(a, b, s) > 0) {
            if (!main || std::min(of_a, of_b) < std::min(a.degree(*main), b.degree(*main))) main = s;
            continue;
        }
        // Parts of one after the other: the first ones usually have nothing in common.
        SymbolPolynomial common;
        for (const SymbolPolynomial* p : {&a, &b})
            for (const SymbolPolynomial& part : p->by_powers(s)) {
                if (part.is_zero()) continue;
                common = greatest_common_divisor(common, part);
                if (common.is_number()) return SymbolPolynomial(Rational(1));
            }
        return common;
    }
    const unsigned symbol = *main;
    const SymbolPolynomial content_a = content(a, symbol), content_b = content(b, symbol);
    SymbolPolynomial p = primitive(*a.divided_by(content_a)), q = primitive(*b.divided_by(content_b));
    if (p.degree(symbol) < q.degree(symbol)) std::swap(p, q);
    while (!q.is_zero()) {
        if (q.degree(symbol) == 0) {
            p = SymbolPolynomial(Rational(1));
            break;
        }
        if (p.divided_by(q)) {
            p = std::move(q);
            break;
        }
        SymbolPolynomial r = pseudo_remainder(p, q, symbol);
        p = std::move(q);
        q = r.is_zero() ? r : primitive(*r.divided_by(content(r, symbol)));
    }
    return primitive(p * greatest_common_divisor(content_a, content_b));
}

// ---- coefficients

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
    return fraction(a * d + c * b, b * d);
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
    return fraction(numerator() * other.numerator(), denominator() * other.denominator());
}

Coefficient Coefficient::operator/(const Coefficient& other) const {
    CUTSET_ASSERT(!other.is_zero());
    if (!parts_ && !other.parts_) return Coefficient(Rational(number_ / other.number_));
    return fraction(numerator() * other.denominator(), denominator() * other.numerator());
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
