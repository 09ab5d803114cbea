// Greatest common divisors of polynomials in several symbols.
//
// Images modulo a prime bound the degree of the divisor in each symbol; a symbol that it does not have gets a
// number. What is left is evaluated at large integers one symbol after the other, down to a gcd of integers,
// whose digits to those bases are the coefficients (heuristic gcd of Char, Geddes and Gonnet). A candidate
// counts when it divides both, so that chance decides about time only.
#include <algorithm>
#include <cstdint>

#include "control/symbol_polynomial.h"
#include "graph/modular_rank.h"

namespace cutset {

namespace {

// ---- images modulo a prime, at random values of all symbols but one

using Residues = std::vector<std::uint64_t>;  // a polynomial by powers, lowest first; the last is not 0

void drop_zeros(Residues& p) {
    while (!p.empty() && p.back() == 0) p.pop_back();
}

Residues residues(const SymbolPolynomial& p, unsigned symbol, std::uint64_t point) {
    using namespace graph::modular;
    const auto residue = [](const Integer& n) { return mpz_fdiv_ui(n.get_mpz_t(), prime); };
    Residues out(p.degree(symbol) + 1, 0);
    for (const auto& [monomial, factor] : p.terms()) {
        std::uint64_t value = residue(factor.get_num());
        if (factor.get_den() != 1) value = multiply(value, inverse(residue(factor.get_den())));
        for (unsigned s = 0; s < monomial.size(); ++s)
            if (s != symbol && monomial[s])
                value = multiply(value, power(random(1000 * point + s), monomial[s]));
        std::uint64_t& sum = out[symbol < monomial.size() ? monomial[symbol] : 0];
        sum = add(sum, value);
    }
    drop_zeros(out);
    return out;
}

// a mod b; b is not zero.
void reduce(Residues& a, const Residues& b) {
    using namespace graph::modular;
    const std::uint64_t scale = inverse(b.back());
    while (a.size() >= b.size()) {
        const std::uint64_t factor = negate(multiply(a.back(), scale));
        for (std::size_t i = 0; i < b.size(); ++i) {
            std::uint64_t& c = a[a.size() - b.size() + i];
            c = add(c, multiply(factor, b[i]));
        }
        a.back() = 0;
        drop_zeros(a);
    }
}

// The degree of the greatest common divisor in `symbol`, or more: at a point it can only be higher.
unsigned degree_of_divisor(const SymbolPolynomial& a, const SymbolPolynomial& b, unsigned symbol) {
    const unsigned of_a = a.degree(symbol), of_b = b.degree(symbol);
    unsigned least = std::min(of_a, of_b);
    for (std::uint64_t point = 1; point <= 2 && least > 0; ++point) {
        Residues p = residues(a, symbol, point), q = residues(b, symbol, point);
        // Where a leading coefficient vanishes the point says nothing.
        if (p.size() != of_a + 1 || q.size() != of_b + 1) continue;
        while (!q.empty()) {
            reduce(p, q);
            std::swap(p, q);
        }
        least = std::min(least, unsigned(p.size()) - 1);
    }
    return least;
}

// False: it does not divide. True: perhaps.
bool may_divide(const SymbolPolynomial& divisor, const SymbolPolynomial& p, unsigned symbol) {
    Residues a = residues(p, symbol, 3);
    const Residues b = residues(divisor, symbol, 3);
    if (b.empty()) return true;
    reduce(a, b);
    return a.empty();
}

// ---- integers in the place of symbols

Integer height(const SymbolPolynomial& p) {
    Integer out = 0;
    for (const auto& [m, c] : p.terms()) out = std::max(out, Integer(abs(c.get_num())));
    return out;
}

// p = Σ parts[k] · base^k with coefficients of the parts between -base/2 and base/2.
std::vector<SymbolPolynomial> digits(SymbolPolynomial p, const Integer& base) {
    std::vector<SymbolPolynomial> out;
    const Integer half = base / 2;
    while (!p.is_zero()) {
        SymbolPolynomial digit = p.mapped([&](const Rational& c) {
            Integer rest;
            mpz_fdiv_r(rest.get_mpz_t(), c.get_num_mpz_t(), base.get_mpz_t());
            return Rational(rest > half ? Integer(rest - base) : rest);
        });
        p = (p - digit) * Rational(Integer(1), base);
        out.push_back(std::move(digit));
    }
    return out;
}

// The common divisor with its integer factor, of polynomials with integer coefficients in these symbols. The
// points grow until it is found, which they do in the end.
SymbolPolynomial integer_divisor(const SymbolPolynomial& given_a, const SymbolPolynomial& given_b,
                                 std::vector<unsigned> symbols) {
    const auto whole = [](const SymbolPolynomial& p) {
        Integer factor = 0;
        for (const auto& [m, c] : p.terms()) factor = gcd(factor, c.get_num());
        return factor;
    };
    const Integer factor_a = whole(given_a), factor_b = whole(given_b);
    const Rational factor(Integer(gcd(factor_a, factor_b)));
    while (!symbols.empty() && given_a.degree(symbols.back()) == 0 && given_b.degree(symbols.back()) == 0)
        symbols.pop_back();
    if (symbols.empty()) return SymbolPolynomial(factor);
    const SymbolPolynomial a = given_a * Rational(Integer(1), factor_a),
                           b = given_b * Rational(Integer(1), factor_b);
    const unsigned symbol = symbols.back();
    symbols.pop_back();
    Integer point = 2 * std::min(height(a), height(b)) + 29;
    while (true) {
        const SymbolPolynomial at_a = a.at(symbol, Rational(point)), at_b = b.at(symbol, Rational(point));
        if (!at_a.is_zero() && !at_b.is_zero()) {
            const SymbolPolynomial found = primitive(
                SymbolPolynomial::of_powers(digits(integer_divisor(at_a, at_b, symbols), point), symbol));
            if (may_divide(found, a, symbol) && may_divide(found, b, symbol) && a.divided_by(found) &&
                b.divided_by(found))
                return found * factor;
        }
        point = point * 73794 / 27011;  // of no small fraction, so that unlucky points do not repeat
    }
}

// Of what does not have the other symbols: with numbers for them both keep the divisor, and rarely get more.
SymbolPolynomial divisor_in(const std::vector<unsigned>& symbols, const std::vector<unsigned>& others,
                            const SymbolPolynomial& a, const SymbolPolynomial& b) {
    for (std::uint64_t turn = 0;; ++turn) {
        SymbolPolynomial p = a, q = b;
        // Small numbers first: they keep the coefficients small.
        const std::uint64_t range = 10 + 100 * turn;
        for (unsigned s : others) {
            const Rational value(static_cast<long>(graph::modular::random(100 * turn + s) % range) + 2);
            p = p.at(s, value);
            q = q.at(s, value);
        }
        if (p.is_zero() || q.is_zero()) continue;
        const SymbolPolynomial found = primitive(integer_divisor(primitive(p), primitive(q), symbols));
        if (others.empty() || found.is_number()) return found;
        if (may_divide(found, a, symbols.front()) && may_divide(found, b, symbols.front()) &&
            a.divided_by(found) && b.divided_by(found))
            return found;
    }
}

// Πx^k that divides all terms.
SymbolPolynomial::Monomial common_monomial(const SymbolPolynomial& p) {
    SymbolPolynomial::Monomial out = p.terms().front().first;
    for (const auto& [m, c] : p.terms()) {
        if (m.size() < out.size()) out.resize(m.size());
        for (std::size_t i = 0; i < out.size(); ++i) out[i] = std::min(out[i], m[i]);
    }
    return out;
}

}  // namespace

SymbolPolynomial greatest_common_divisor(const SymbolPolynomial& a, const SymbolPolynomial& b) {
    if (a.is_zero()) return primitive(b);
    if (b.is_zero()) return primitive(a);
    if (a.is_number() || b.is_number()) return SymbolPolynomial(1);
    if (a == b) return primitive(a);
    if (a.terms().size() == 1 || b.terms().size() == 1) {
        SymbolPolynomial::Monomial m = common_monomial(a);
        const SymbolPolynomial::Monomial n = common_monomial(b);
        SymbolPolynomial out(1);
        for (unsigned s = 0; s < std::min(m.size(), n.size()); ++s)
            for (unsigned k = 0; k < std::min(m[s], n[s]); ++k) out = out * SymbolPolynomial::symbol(s);
        return out;
    }
    std::vector<unsigned> in_divisor, others;
    const unsigned count = std::max(a.symbol_count(), b.symbol_count());
    for (unsigned s = 0; s < count; ++s) {
        const unsigned of_a = a.degree(s), of_b = b.degree(s);
        if (of_a == 0 && of_b == 0) continue;
        (of_a && of_b && degree_of_divisor(a, b, s) > 0 ? in_divisor : others).push_back(s);
    }
    if (in_divisor.empty()) return SymbolPolynomial(1);
    return divisor_in(in_divisor, others, a, b);
}

SymbolPolynomial least_common_multiple(const SymbolPolynomial& a, const SymbolPolynomial& b) {
    return primitive(a * *b.divided_by(greatest_common_divisor(a, b)));
}

SymbolPolynomial greatest_common_divisor_in(unsigned symbol, const SymbolPolynomial& a,
                                            const SymbolPolynomial& b) {
    if (!a.is_zero() && !b.is_zero() &&
        (a.degree(symbol) == 0 || b.degree(symbol) == 0 || degree_of_divisor(a, b, symbol) == 0))
        return SymbolPolynomial(1);
    const SymbolPolynomial common = greatest_common_divisor(a, b);
    return common.is_zero() ? common : *common.divided_by(content(common, symbol));
}

SymbolPolynomial content(const SymbolPolynomial& p, unsigned symbol) {
    SymbolPolynomial out;
    for (const SymbolPolynomial& part : p.by_powers(symbol)) {
        if (part.is_zero()) continue;
        out = greatest_common_divisor(out, part);
        if (out.is_number()) return SymbolPolynomial(1);
    }
    return out;
}

// ---- factors

std::vector<SymbolPolynomial> coprime_base(const std::vector<SymbolPolynomial>& given) {
    std::vector<SymbolPolynomial> base, waiting;
    for (const SymbolPolynomial& p : given) waiting.push_back(primitive(p));
    while (!waiting.empty()) {
        SymbolPolynomial p = std::move(waiting.back());
        waiting.pop_back();
        for (std::size_t i = 0; i < base.size() && !p.is_number(); ++i) {
            const SymbolPolynomial common = greatest_common_divisor(p, base[i]);
            if (common.is_number()) continue;
            // Three parts in the place of two.
            waiting.push_back(*p.divided_by(common));
            waiting.push_back(*base[i].divided_by(common));
            base.erase(base.begin() + static_cast<std::ptrdiff_t>(i));
            p = common;
            i = static_cast<std::size_t>(-1);
        }
        if (!p.is_number()) base.push_back(primitive(p));
    }
    return base;
}

namespace {

// A factor that is neither a number nor all of p; 1 when none is seen.
SymbolPolynomial proper_factor(const SymbolPolynomial& p) {
    for (unsigned s = 0; s < p.symbol_count(); ++s) {
        if (p.degree(s) == 0) continue;
        const SymbolPolynomial symbol = SymbolPolynomial::symbol(s);
        if (p == symbol) return SymbolPolynomial(1);
        if (p.divided_by(symbol)) return symbol;
        SymbolPolynomial part = content(p, s);
        if (part.is_number() && p.degree(s) > 1) part = greatest_common_divisor(p, p.derivative(s));
        if (!part.is_number()) return part;
    }
    return SymbolPolynomial(1);
}

// In the order of print, the short ones first.
bool prints_before(const SymbolPolynomial& a, const SymbolPolynomial& b) {
    if (a.terms().size() != b.terms().size()) return a.terms().size() < b.terms().size();
    return std::lexicographical_compare(b.terms().rbegin(), b.terms().rend(), a.terms().rbegin(),
                                        a.terms().rend());
}

}  // namespace

std::vector<SymbolPolynomial> distinct_factors(const SymbolPolynomial& p) {
    std::vector<SymbolPolynomial> found, waiting;
    if (!p.is_number()) waiting.push_back(primitive(p));
    while (!waiting.empty()) {
        const SymbolPolynomial q = std::move(waiting.back());
        waiting.pop_back();
        SymbolPolynomial part = proper_factor(q);
        if (part.is_number()) {
            found.push_back(q);
            continue;
        }
        waiting.push_back(*q.divided_by(part));
        waiting.push_back(std::move(part));
    }
    std::vector<SymbolPolynomial> base = coprime_base(found);
    std::sort(base.begin(), base.end(), prints_before);
    return base;
}

}  // namespace cutset
