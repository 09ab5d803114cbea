#include "control/minors.h"

#include <algorithm>
#include <bit>
#include <cstdint>
#include <map>
#include <optional>

#include "base/diagnostic.h"

namespace cutset {

namespace {

// Rows and columns as bits.
using Place = std::pair<std::uint64_t, std::uint64_t>;
using Minors = std::map<Place, SymbolPolynomial>;

Minors first_minors(const SymbolMatrix& m) {
    Minors out;
    for (std::uint32_t i = 0; i < m.rows(); ++i)
        for (std::uint32_t k = 0; k < m.columns(); ++k)
            if (!m(i, k).is_zero()) out[{std::uint64_t(1) << i, std::uint64_t(1) << k}] = m(i, k);
    return out;
}

// Of the next order, expanded by their last row; zeros are left out.
Minors next_minors(const SymbolMatrix& m, const Minors& minors) {
    Minors out;
    for (const auto& [place, minor] : minors)
        for (std::uint32_t i = 0; i < m.rows(); ++i) {
            if (place.first >> i) continue;  // only rows below
            for (std::uint32_t k = 0; k < m.columns(); ++k) {
                if ((place.second >> k & 1u) || m(i, k).is_zero()) continue;
                // The sign is that of the columns to the right of the new one.
                const bool negative = std::popcount(place.second >> k) % 2;
                SymbolPolynomial& sum =
                    out[{place.first | std::uint64_t(1) << i, place.second | std::uint64_t(1) << k}];
                sum = negative ? sum - minor * m(i, k) : sum + minor * m(i, k);
            }
        }
    std::erase_if(out, [](const auto& entry) { return entry.second.is_zero(); });
    return out;
}

// ---- values for which the form is another

// Not taken further: the condition would be no use to a reader.
bool is_long(const SymbolPolynomial& a, const SymbolPolynomial& b, unsigned variable) {
    constexpr std::size_t most_terms = 100, most_degrees = 6;
    return a.terms().size() + b.terms().size() > most_terms ||
           a.degree(variable) + b.degree(variable) > most_degrees;
}

// The shortest of several polynomials, as none need vanish where one does not.
class Shortest {
  public:
    void offer(SymbolPolynomial p) {
        if (!best_ || p.terms().size() < best_->terms().size()) best_ = std::move(p);
    }
    bool certain() const { return best_ && best_->is_number(); }
    void add_to(ExceptionalValues& out) const {
        if (best_)
            out.add(*best_);
        else
            out.complete = false;
    }

  private:
    std::optional<SymbolPolynomial> best_;
};

// Where all of these have a common root, that in general have none.
void add_common_roots(std::vector<SymbolPolynomial> all, unsigned variable, ExceptionalValues& out) {
    std::stable_sort(all.begin(), all.end(), [&](const SymbolPolynomial& a, const SymbolPolynomial& b) {
        return std::pair(a.degree(variable), a.terms().size()) <
               std::pair(b.degree(variable), b.terms().size());
    });
    Shortest least;
    for (const SymbolPolynomial& p : all)
        if (p.degree(variable) == 0) least.offer(p);
    constexpr std::size_t most = 4;
    for (std::size_t i = 0; i < std::min(all.size(), most) && !least.certain(); ++i)
        for (std::size_t k = i + 1; k < std::min(all.size(), most) && !least.certain(); ++k)
            if (all[i].degree(variable) > 0 && !is_long(all[i], all[k], variable))
                if (SymbolPolynomial r = resultant(all[i], all[k], variable); !r.is_zero())
                    least.offer(std::move(r));
    least.add_to(out);
}

// A minor in lowest terms.
struct RingFraction {
    SymbolPolynomial numerator, denominator;
};

class FormFromMinors {
  public:
    explicit FormFromMinors(const std::vector<std::vector<ExactFraction>>& g) {
        for (const auto& row : g)
            for (const ExactFraction& f : row)
                variable_ = std::max({variable_, symbol_count(f.numerator), symbol_count(f.denominator)});
        read(g);
    }

    GenericDiagonal result() {
        ExactFraction before{ExactPolynomial(1), ExactPolynomial(1)};
        for (Minors minors = first_minors(numerators_); !minors.empty();
             minors = next_minors(numerators_, minors)) {
            const RingFraction product = common_divisor(minors);
            const ExactFraction now{polynomial_in(variable_, product.numerator),
                                    polynomial_in(variable_, product.denominator)};
            ExactFraction next =
                reduced({now.numerator * before.denominator, now.denominator * before.numerator});
            next.numerator = next.numerator.monic();
            add_cancellations(next);
            out_.elements.push_back(std::move(next));
            before = now;
        }
        poles_apart();
        return std::move(out_);
    }

  private:
    // Rows over their least common denominators.
    void read(const std::vector<std::vector<ExactFraction>>& g) {
        const std::size_t columns = g.empty() ? 0 : g.front().size();
        PolynomialMatrix rows(g.size(), columns);
        for (std::size_t i = 0; i < g.size(); ++i) {
            ExactPolynomial common(1);
            for (const ExactFraction& f : g[i]) common = least_common_multiple(common, f.denominator);
            for (std::size_t k = 0; k < columns; ++k) {
                rows(i, k) = g[i][k].numerator * divide(common, g[i][k].denominator).first;
                out_.exceptions.add_denominators(g[i][k].numerator);
                out_.exceptions.add_denominators(g[i][k].denominator);
            }
            row_denominators_.push_back(cleared(common, variable_).numerator);
            separate_poles(row_denominators_.back());
        }
        numerators_ = cleared_rows(rows, variable_).numerators;
    }

    // Makes all these denominators products of powers of the poles.
    void separate_poles(const SymbolPolynomial& denominator) {
        for (SymbolPolynomial& factor : distinct_factors(denominator))
            if (factor.degree(variable_) && std::find(poles_.begin(), poles_.end(), factor) == poles_.end())
                poles_.push_back(std::move(factor));
        poles_ = coprime_base(poles_);
    }

    // Different factors of the denominators must not have roots in common.
    void poles_apart() {
        for (std::size_t i = 0; i < poles_.size(); ++i)
            for (std::size_t k = i + 1; k < poles_.size(); ++k)
                add_common_roots({poles_[i], poles_[k]}, variable_, out_.exceptions);
    }

    RingFraction reduced_minor(const Place& place, const SymbolPolynomial& minor) const {
        RingFraction f{minor, SymbolPolynomial(1)};
        for (std::size_t i = 0; i < row_denominators_.size(); ++i)
            if (place.first >> i & 1u) f.denominator = f.denominator * row_denominators_[i];
        const SymbolPolynomial common = greatest_common_divisor_in(variable_, f.numerator, f.denominator);
        return {*f.numerator.divided_by(common), *f.denominator.divided_by(common)};
    }

    unsigned multiplicity(SymbolPolynomial p, const SymbolPolynomial& factor) const {
        unsigned count = 0;
        for (auto q = p.divided_by(factor); q; q = p.divided_by(factor), ++count) p = *q;
        return count;
    }

    RingFraction common_divisor(const Minors& minors) {
        std::vector<RingFraction> fractions;
        RingFraction out{{}, SymbolPolynomial(1)};
        for (const auto& [place, minor] : minors) {
            fractions.push_back(reduced_minor(place, minor));
            out.numerator = greatest_common_divisor_in(variable_, out.numerator, fractions.back().numerator);
        }
        for (const RingFraction& f : fractions) separate_poles(f.denominator);
        for (const SymbolPolynomial& pole : poles_) add_pole(pole, fractions, out);
        std::vector<SymbolPolynomial> cofactors;
        for (const RingFraction& f : fractions) cofactors.push_back(*f.numerator.divided_by(out.numerator));
        add_common_roots(std::move(cofactors), variable_, out_.exceptions);
        return out;
    }

    // The highest power of a pole in the denominators, which a minor has unless its numerator vanishes there.
    void add_pole(const SymbolPolynomial& pole, const std::vector<RingFraction>& fractions,
                  RingFraction& out) {
        unsigned highest = 0;
        Shortest least;
        for (const RingFraction& f : fractions) {
            const unsigned power = multiplicity(f.denominator, pole);
            if (power < highest || power == 0) continue;
            if (power > highest) least = {};
            highest = power;
            if (!least.certain() && !is_long(f.numerator, pole, variable_))
                least.offer(f.numerator.degree(variable_) ? resultant(f.numerator, pole, variable_)
                                                          : f.numerator);
        }
        for (unsigned k = 0; k < highest; ++k) out.denominator = out.denominator * pole;
        if (highest) least.add_to(out_.exceptions);
    }

    // Zeros on poles.
    void add_cancellations(const ExactFraction& f) {
        out_.exceptions.add_denominators(f.numerator);
        out_.exceptions.add_denominators(f.denominator);
        if (f.numerator.degree() > 0 && f.denominator.degree() > 0)
            for (const SymbolPolynomial& factor :
                 distinct_factors(cleared(f.denominator, variable_).numerator))
                add_common_roots({cleared(f.numerator, variable_).numerator, factor}, variable_,
                                 out_.exceptions);
    }

    unsigned variable_ = 0;
    SymbolMatrix numerators_;
    std::vector<SymbolPolynomial> row_denominators_, poles_;
    GenericDiagonal out_;
};

}  // namespace

unsigned symbol_count(const PolynomialMatrix& p) {
    unsigned count = 0;
    for (std::size_t i = 0; i < p.rows(); ++i)
        for (std::size_t k = 0; k < p.columns(); ++k) count = std::max(count, symbol_count(p(i, k)));
    return count;
}

ClearedRows cleared_rows(const PolynomialMatrix& p, unsigned variable) {
    ClearedRows out{SymbolMatrix(p.rows(), p.columns()), {}};
    for (std::size_t i = 0; i < p.rows(); ++i) {
        SymbolPolynomial common(1);
        std::vector<ClearedPolynomial> row;
        for (std::size_t k = 0; k < p.columns(); ++k) {
            row.push_back(cleared(p(i, k), variable));
            common = least_common_multiple(common, row.back().denominator);
        }
        for (std::size_t k = 0; k < p.columns(); ++k)
            out.numerators(i, k) = row[k].numerator * *common.divided_by(row[k].denominator);
        out.denominators.push_back(std::move(common));
    }
    return out;
}

GenericDiagonal diagonal_from_minors(const std::vector<std::vector<ExactFraction>>& g) {
    std::vector<std::vector<ExactFraction>> lowest = g;
    for (auto& row : lowest)
        for (ExactFraction& f : row) f = reduced(f);
    return FormFromMinors(lowest).result();
}

ExceptionalValues common_roots_of_minors(const PolynomialMatrix& p) {
    const unsigned variable = symbol_count(p);
    const SymbolMatrix m = cleared_rows(p, variable).numerators;
    Minors minors = first_minors(m);
    for (std::size_t k = 1; k < std::min(m.rows(), m.columns()); ++k) minors = next_minors(m, minors);
    std::vector<SymbolPolynomial> all;
    SymbolPolynomial common;
    for (auto& [place, minor] : minors) {
        common = greatest_common_divisor_in(variable, common, minor);
        all.push_back(std::move(minor));
    }
    ExceptionalValues out;
    if (common.degree(variable) > 0) return out;
    add_common_roots(std::move(all), variable, out);
    return out;
}

namespace {

// d_1, …, d_m: the gcd of the minors of order k of the first k columns, monic in s.
std::vector<ExactPolynomial> leading_divisors(const PolynomialMatrix& p) {
    const unsigned variable = symbol_count(p);
    const SymbolMatrix m = cleared_rows(p, variable).numerators;
    std::map<std::uint64_t, SymbolPolynomial> minors = {{0, SymbolPolynomial(1)}};  // by rows
    std::vector<ExactPolynomial> out;
    for (std::size_t column = 0; column < m.columns(); ++column) {
        std::map<std::uint64_t, SymbolPolynomial> next;
        for (const auto& [rows, minor] : minors)
            for (std::size_t i = 0; i < m.rows(); ++i) {
                if ((rows >> i & 1u) || m(i, column).is_zero()) continue;
                SymbolPolynomial& sum = next[rows | std::uint64_t(1) << i];
                const SymbolPolynomial term = minor * m(i, column);
                sum = std::popcount(rows >> i) % 2 ? sum - term : sum + term;
            }
        minors = std::move(next);
        SymbolPolynomial common;
        for (const auto& [rows, minor] : minors) {
            if (minor.is_zero()) continue;
            common = greatest_common_divisor_in(variable, common, minor);
            if (common.is_number()) break;
        }
        out.push_back(polynomial_in(variable, common).monic());
    }
    return out;
}

// Σ_i x(row, i) h_i = p(row, k) modulo `divisor` for all rows, h_i of lower degree than it.
std::vector<ExactPolynomial> column_above(const PolynomialMatrix& x, const PolynomialMatrix& p, std::size_t k,
                                          const ExactPolynomial& divisor) {
    const auto d = static_cast<std::size_t>(divisor.degree());
    ExactMatrix equations(p.rows() * d, k * d + 1);
    const auto put = [&](std::size_t row, std::size_t column, const ExactPolynomial& value) {
        const ExactPolynomial rest = divide(value, divisor).second;
        for (std::size_t j = 0; j < d; ++j) equations(row * d + j, column) = rest[static_cast<int>(j)];
    };
    for (std::size_t row = 0; row < p.rows(); ++row) {
        for (std::size_t i = 0; i < k; ++i)
            for (std::size_t j = 0; j < d; ++j)
                put(row, i * d + j, x(row, i) * ExactPolynomial::power_of_variable(j));
        put(row, k * d, p(row, k));
    }
    const EchelonForm solved = echelon_form(std::move(equations));
    CUTSET_ASSERT(solved.pivots.size() == k * d);
    std::vector<ExactPolynomial> out;
    for (std::size_t i = 0; i < k; ++i) {
        std::vector<Coefficient> c;
        for (std::size_t j = 0; j < d; ++j) c.push_back(solved.matrix(i * d + j, k * d));
        out.emplace_back(std::move(c));
    }
    return out;
}

}  // namespace

PolynomialMatrix right_divisor(const PolynomialMatrix& p) {
    const std::size_t m = p.columns();
    const std::vector<ExactPolynomial> divisors = leading_divisors(p);
    PolynomialMatrix h(m, m), x(p.rows(), m);  // p = x h
    for (std::size_t k = 0; k < m; ++k) {
        h(k, k) = k ? divide(divisors[k], divisors[k - 1]).first : divisors[0];
        if (k > 0 && h(k, k).degree() > 0) {
            std::vector<ExactPolynomial> above = column_above(x, p, k, h(k, k));
            for (std::size_t i = 0; i < k; ++i) h(i, k) = std::move(above[i]);
        }
        for (std::size_t row = 0; row < p.rows(); ++row) {
            ExactPolynomial rest = p(row, k);
            for (std::size_t i = 0; i < k; ++i)
                if (!h(i, k).is_zero()) rest = rest - x(row, i) * h(i, k);
            auto [quotient, remainder] = divide(rest, h(k, k));
            CUTSET_ASSERT(remainder.is_zero());
            x(row, k) = std::move(quotient);
        }
    }
    return h;
}

}  // namespace cutset
