#include "control/symbol_polynomial.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <map>
#include <unordered_map>

#include "base/diagnostic.h"

namespace cutset {

namespace {

using Monomial = SymbolPolynomial::Monomial;
using Term = SymbolPolynomial::Term;

void trim_monomial(Monomial& m) {
    while (!m.empty() && m.back() == 0) m.pop_back();
}

// Monomials as whole numbers in the same order, whose sum is the product: each symbol has a field of bits,
// wide enough for its highest power. Products and quotients of many terms live on this.
class Packing {
  public:
    using Key = unsigned __int128;

    // Nothing when the powers do not fit.
    static std::optional<Packing> for_degrees(const std::vector<unsigned>& highest) {
        Packing p;
        p.shift_.resize(highest.size());
        unsigned used = 0;
        for (std::size_t i = highest.size(); i-- > 0;) {
            p.shift_[i] = used;
            used += static_cast<unsigned>(std::bit_width(highest[i]));
            if (used > 128) return std::nullopt;
        }
        p.used_ = used;
        return p;
    }
    Key key(const Monomial& m) const {
        Key out = 0;
        for (std::size_t i = 0; i < m.size(); ++i)
            if (m[i]) out |= static_cast<Key>(m[i]) << shift_[i];
        return out;
    }
    Monomial monomial(Key key) const {
        Monomial m(shift_.size());
        for (std::size_t i = 0; i < m.size(); ++i) {
            const unsigned end = i ? shift_[i - 1] : used_;
            if (end == shift_[i]) continue;
            m[i] = static_cast<unsigned>((key >> shift_[i]) & ((Key(1) << (end - shift_[i])) - 1));
        }
        trim_monomial(m);
        return m;
    }

  private:
    std::vector<unsigned> shift_;
    unsigned used_ = 0;
};

struct KeyHash {
    std::size_t operator()(Packing::Key key) const {
        std::uint64_t h =
            static_cast<std::uint64_t>(key) ^ (static_cast<std::uint64_t>(key >> 64) * 0x9E3779B97F4A7C15ull);
        h = (h ^ (h >> 32)) * 0xBF58476D1CE4E5B9ull;
        return static_cast<std::size_t>(h ^ (h >> 29));
    }
};

std::vector<unsigned> symbol_degrees(const SymbolPolynomial& p, std::size_t symbols) {
    std::vector<unsigned> out(symbols);
    for (const auto& [m, c] : p.terms())
        for (std::size_t i = 0; i < m.size(); ++i) out[i] = std::max(out[i], m[i]);
    return out;
}

// Terms with integer coefficients; the polynomial is their sum / denominator.
struct PackedTerms {
    std::vector<std::pair<Packing::Key, Integer>> terms;  // ascending
    Integer denominator = 1;
};

PackedTerms packed(const SymbolPolynomial& p, const Packing& packing) {
    PackedTerms out;
    for (const auto& [m, c] : p.terms())
        if (c.get_den() != 1) out.denominator = lcm(out.denominator, c.get_den());
    out.terms.reserve(p.terms().size());
    for (const auto& [m, c] : p.terms())
        out.terms.emplace_back(packing.key(m), c.get_num() * (out.denominator / c.get_den()));
    return out;
}

std::vector<Term> product_terms(const PackedTerms& a, const PackedTerms& b, const Packing& packing) {
    std::unordered_map<Packing::Key, Integer, KeyHash> sums;
    sums.reserve(2 * (a.terms.size() + b.terms.size()));
    for (const auto& [m, c] : a.terms)
        for (const auto& [n, d] : b.terms) mpz_addmul(sums[m + n].get_mpz_t(), c.get_mpz_t(), d.get_mpz_t());
    std::vector<std::pair<Packing::Key, const Integer*>> order;
    order.reserve(sums.size());
    for (const auto& [key, sum] : sums)
        if (sum != 0) order.emplace_back(key, &sum);
    std::sort(order.begin(), order.end());
    const Integer denominator = a.denominator * b.denominator;
    std::vector<Term> out;
    out.reserve(order.size());
    for (const auto& [key, sum] : order) {
        out.emplace_back(packing.monomial(key), Rational(*sum, denominator));
        out.back().second.canonicalize();
    }
    return out;
}

Monomial monomial_product(const Monomial& a, const Monomial& b) {
    Monomial out(std::max(a.size(), b.size()));
    for (std::size_t i = 0; i < a.size(); ++i) out[i] += a[i];
    for (std::size_t i = 0; i < b.size(); ++i) out[i] += b[i];
    return out;
}

bool monomial_divides(const Monomial& a, const Monomial& b) {
    if (a.size() > b.size()) return false;
    for (std::size_t i = 0; i < a.size(); ++i)
        if (a[i] > b[i]) return false;
    return true;
}

Monomial monomial_quotient(Monomial a, const Monomial& b) {
    for (std::size_t i = 0; i < b.size(); ++i) a[i] -= b[i];
    trim_monomial(a);
    return a;
}

// Dividend / divisor, ascending, when it goes without remainder. The divisor has integer coefficients without
// a common factor, so that those of the quotient are integers too (Gauss).
template <class Key, class Quotient, class Product>
std::optional<std::vector<std::pair<Key, Integer>>> quotient_terms(
    const std::vector<std::pair<Key, Integer>>& dividend, const std::vector<std::pair<Key, Integer>>& divisor,
    const Quotient& term_quotient, const Product& term_product) {
    std::map<Key, Integer> rest(dividend.begin(), dividend.end());
    std::vector<std::pair<Key, Integer>> out;
    const Integer& factor = divisor.back().second;
    while (!rest.empty()) {
        const auto last = std::prev(rest.end());
        const std::optional<Key> m = term_quotient(last->first);
        if (!m || !mpz_divisible_p(last->second.get_mpz_t(), factor.get_mpz_t())) return std::nullopt;
        const Integer c = last->second / factor;
        for (const auto& [n, d] : divisor) {
            const auto place = rest.try_emplace(term_product(*m, n)).first;
            mpz_submul(place->second.get_mpz_t(), c.get_mpz_t(), d.get_mpz_t());
            if (place->second == 0) rest.erase(place);
        }
        out.emplace_back(*m, c);
    }
    std::reverse(out.begin(), out.end());
    return out;
}

}  // namespace

SymbolPolynomial::SymbolPolynomial(const Rational& number) {
    if (number != 0) terms_.emplace_back(Monomial{}, number);
}

SymbolPolynomial SymbolPolynomial::symbol(unsigned index) {
    SymbolPolynomial p;
    Monomial m(index + 1);
    m[index] = 1;
    p.terms_.emplace_back(std::move(m), 1);
    return p;
}

SymbolPolynomial SymbolPolynomial::of_terms(std::vector<Term> terms) {
    std::sort(terms.begin(), terms.end(), [](const Term& a, const Term& b) { return a.first < b.first; });
    SymbolPolynomial out;
    for (Term& term : terms) {
        if (!out.terms_.empty() && out.terms_.back().first == term.first)
            out.terms_.back().second += term.second;
        else
            out.terms_.push_back(std::move(term));
        if (out.terms_.back().second == 0) out.terms_.pop_back();
    }
    return out;
}

SymbolPolynomial SymbolPolynomial::of_powers(const std::vector<SymbolPolynomial>& parts, unsigned symbol) {
    std::vector<Term> terms;
    for (unsigned power = 0; power < parts.size(); ++power)
        for (const auto& [m, c] : parts[power].terms_) {
            Monomial with = m;
            if (power) {
                if (with.size() <= symbol) with.resize(symbol + 1);
                with[symbol] += power;
            }
            terms.emplace_back(std::move(with), c);
        }
    return of_terms(std::move(terms));
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
    // Terms with one power of the symbol stay in their order without it.
    std::vector<SymbolPolynomial> parts(degree(symbol) + 1);
    for (const auto& [m, c] : terms_) {
        Monomial rest = m;
        const unsigned power = symbol < m.size() ? m[symbol] : 0;
        if (symbol < rest.size()) rest[symbol] = 0;
        trim_monomial(rest);
        parts[power].terms_.emplace_back(std::move(rest), c);
    }
    return parts;
}

SymbolPolynomial SymbolPolynomial::derivative(unsigned symbol) const {
    SymbolPolynomial out;
    for (const auto& [m, c] : terms_) {
        if (symbol >= m.size() || m[symbol] == 0) continue;
        Monomial lower = m;
        --lower[symbol];
        trim_monomial(lower);
        out.terms_.emplace_back(std::move(lower), c * m[symbol]);
    }
    return out;
}

SymbolPolynomial SymbolPolynomial::at(unsigned symbol, const Rational& value) const {
    const std::vector<SymbolPolynomial> parts = by_powers(symbol);
    SymbolPolynomial sum;
    for (std::size_t k = parts.size(); k-- > 0;) sum = sum * value + parts[k];
    return sum;
}

SymbolPolynomial SymbolPolynomial::operator+(const SymbolPolynomial& other) const {
    SymbolPolynomial out;
    out.terms_.reserve(terms_.size() + other.terms_.size());
    auto a = terms_.begin(), b = other.terms_.begin();
    while (a != terms_.end() && b != other.terms_.end()) {
        if (a->first < b->first) {
            out.terms_.push_back(*a++);
        } else if (b->first < a->first) {
            out.terms_.push_back(*b++);
        } else {
            Rational sum = a->second + b->second;
            if (sum != 0) out.terms_.emplace_back(a->first, std::move(sum));
            ++a;
            ++b;
        }
    }
    out.terms_.insert(out.terms_.end(), a, terms_.end());
    out.terms_.insert(out.terms_.end(), b, other.terms_.end());
    return out;
}

SymbolPolynomial SymbolPolynomial::operator-(const SymbolPolynomial& other) const {
    return *this + -other;
}

SymbolPolynomial SymbolPolynomial::operator*(const SymbolPolynomial& other) const {
    if (is_zero() || other.is_zero()) return {};
    if (is_number()) return other * number();
    if (other.is_number()) return *this * other.number();
    constexpr std::size_t few = 16;  // products, for which packing does not pay
    if (terms_.size() * other.terms_.size() > few) {
        const std::size_t symbols = std::max(symbol_count(), other.symbol_count());
        std::vector<unsigned> highest = symbol_degrees(*this, symbols);
        const std::vector<unsigned> more = symbol_degrees(other, symbols);
        for (std::size_t i = 0; i < symbols; ++i) highest[i] += more[i];
        if (const auto packing = Packing::for_degrees(highest)) {
            SymbolPolynomial out;
            out.terms_ = product_terms(packed(*this, *packing), packed(other, *packing), *packing);
            return out;
        }
    }
    std::vector<Term> terms;
    terms.reserve(terms_.size() * other.terms_.size());
    for (const auto& [m, c] : terms_)
        for (const auto& [n, d] : other.terms_) terms.emplace_back(monomial_product(m, n), c * d);
    return of_terms(std::move(terms));
}

SymbolPolynomial SymbolPolynomial::operator*(const Rational& factor) const {
    if (factor == 0) return {};
    SymbolPolynomial out = *this;
    if (factor == 1) return out;
    for (auto& [m, c] : out.terms_) c *= factor;
    return out;
}

std::optional<SymbolPolynomial> SymbolPolynomial::divided_by(const SymbolPolynomial& divisor) const {
    CUTSET_ASSERT(!divisor.is_zero());
    if (is_zero()) return SymbolPolynomial();
    if (divisor.is_number()) return *this * Rational(1 / divisor.number());
    // The first and the last term of a product are the products of the first and the last ones.
    if (!monomial_divides(divisor.terms_.back().first, terms_.back().first) ||
        !monomial_divides(divisor.terms_.front().first, terms_.front().first))
        return std::nullopt;
    const std::size_t symbols = symbol_count();
    const std::vector<unsigned> of_this = symbol_degrees(*this, symbols),
                                of_divisor = symbol_degrees(divisor, symbols);
    for (std::size_t i = 0; i < symbols; ++i)
        if (of_divisor[i] > of_this[i]) return std::nullopt;
    // The quotient of two terms, when a quotient of these degrees may have it.
    const Monomial& lead = divisor.terms_.back().first;
    const auto term_quotient = [&](const Monomial& m) -> std::optional<Monomial> {
        if (!monomial_divides(lead, m)) return std::nullopt;
        Monomial q = monomial_quotient(m, lead);
        for (std::size_t i = 0; i < q.size(); ++i)
            if (q[i] + of_divisor[i] > of_this[i]) return std::nullopt;
        return q;
    };
    const Rational scale = primitive_factor(divisor);
    const SymbolPolynomial by = divisor * scale;
    SymbolPolynomial out;
    if (const auto packing = Packing::for_degrees(of_this)) {
        const PackedTerms dividend = packed(*this, *packing);
        const auto terms = quotient_terms(
            dividend.terms, packed(by, *packing).terms,
            [&](Packing::Key key) -> std::optional<Packing::Key> {
                const auto q = term_quotient(packing->monomial(key));
                if (!q) return std::nullopt;
                return packing->key(*q);
            },
            [](Packing::Key a, Packing::Key b) { return a + b; });
        if (!terms) return std::nullopt;
        for (const auto& [key, c] : *terms) {
            out.terms_.emplace_back(packing->monomial(key), Rational(c, dividend.denominator));
            out.terms_.back().second.canonicalize();
        }
    } else {
        const Rational whole = abs(primitive_factor(*this));
        const auto integers = [](const SymbolPolynomial& p) {
            std::vector<std::pair<Monomial, Integer>> terms;
            for (const auto& [m, c] : p.terms_) terms.emplace_back(m, c.get_num());
            return terms;
        };
        const auto terms =
            quotient_terms(integers(*this * whole), integers(by), term_quotient, monomial_product);
        if (!terms) return std::nullopt;
        for (const auto& [m, c] : *terms) out.terms_.emplace_back(m, Rational(c) / whole);
    }
    return out * scale;
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

SymbolPolynomial primitive(const SymbolPolynomial& p) {
    return p.is_zero() ? p : p * primitive_factor(p);
}

}  // namespace cutset
