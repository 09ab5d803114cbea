#include "control/stability_tables.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/diagnostic.h"
#include "control/polynomial.h"
#include "control/symbol_matrix.h"

namespace cutset {

namespace {

// Sign of a coefficient whose only symbol is a small positive number.
int sign_near_zero(const Coefficient& c) {
    const auto sign = [](const SymbolPolynomial& p) {
        // The lowest power decides; the terms are ordered by it.
        return p.is_zero() ? 0 : sgn(p.terms().begin()->second);
    };
    return sign(c.numerator()) * sign(c.denominator());
}

// Takes conditions as polynomials, each freed of factors that earlier ones state to be positive.
class ConditionList {
  public:
    explicit ConditionList(StabilityTable& report) : report_(report) {}

    // c > 0
    void add(const SymbolPolynomial& p) { add(Coefficient::fraction(p, SymbolPolynomial(1))); }
    void add(const Coefficient& c) {
        if (c.is_number()) {
            if (c.number() <= 0) report_.never = true;
            return;
        }
        SymbolPolynomial rest = stripped(c.numerator()) * stripped(c.denominator());
        rest = stripped(rest);
        if (rest.is_number()) {
            if (rest.number() <= 0) report_.never = true;
            return;
        }
        // Positive factors aside: integers without common factor.
        const Rational scale = abs(primitive_factor(rest));
        rest = rest * scale;
        if (is_implied(rest)) return;
        for (const StabilityCondition& known : report_.conditions)
            if (known.positive == rest * Rational(-1)) report_.never = true;
        report_.conditions.push_back({rest});
    }

  private:
    // One of the others, or the sum of two.
    bool is_implied(const SymbolPolynomial& p) const {
        const auto& known = report_.conditions;
        for (std::size_t i = 0; i < known.size(); ++i) {
            if (known[i].positive == p) return true;
            for (std::size_t k = 0; k < i; ++k) {
                const SymbolPolynomial sum = known[i].positive + known[k].positive;
                if (!sum.is_zero() && sum * Rational(abs(primitive_factor(sum))) == p) return true;
            }
        }
        return false;
    }
    SymbolPolynomial stripped(SymbolPolynomial p) const {
        for (const StabilityCondition& known : report_.conditions)
            while (!p.is_number()) {
                const auto quotient = p.divided_by(known.positive);
                if (!quotient) break;
                p = *quotient;
            }
        return p;
    }
    StabilityTable& report_;
};

// Where all conditions on one symbol hold.
void find_intervals(StabilityTable& report) {
    std::optional<unsigned> symbol;
    for (const StabilityCondition& c : report.conditions)
        for (unsigned i = 0; i < c.positive.symbol_count(); ++i)
            if (c.positive.degree(i)) {
                if (symbol && *symbol != i) return;
                symbol = i;
            }
    if (!symbol) return;
    std::vector<double> ends = {-std::numeric_limits<double>::infinity()};
    std::vector<std::vector<double>> polynomials;
    for (const StabilityCondition& c : report.conditions) {
        std::vector<Coefficient> lowest_first;
        for (const SymbolPolynomial& part : c.positive.by_powers(*symbol))
            lowest_first.emplace_back(part.number());
        const ExactPolynomial p(std::move(lowest_first));
        polynomials.push_back(p.numbers());
        for (const Complex& root : roots(p))
            if (std::fabs(root.imag()) <= 1e-12 * std::abs(root)) ends.push_back(root.real());
    }
    ends.push_back(std::numeric_limits<double>::infinity());
    std::sort(ends.begin(), ends.end());
    ends.erase(std::unique(ends.begin(), ends.end()), ends.end());
    std::vector<StabilityTable::Interval> out;
    for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
        const double low = ends[i], high = ends[i + 1];
        const double inside = std::isinf(low)    ? (std::isinf(high) ? 0 : high - 1 - std::fabs(high))
                              : std::isinf(high) ? low + 1 + std::fabs(low)
                                                 : low / 2 + high / 2;
        bool holds = !report.never;
        for (const auto& p : polynomials) holds = holds && value_at(p, inside).real() > 0;
        if (!holds) continue;
        out.push_back({low, high});
    }
    report.intervals = std::move(out);
    report.interval_symbol = *symbol;
}

struct RootCount {
    int unstable = 0, on_boundary = 0;
};

// Routh's table with numbers; special cases by a small number and by the derivative of the symmetric factor.
RootCount routh_rows(const ExactPolynomial& p, unsigned epsilon, StabilityTable& report) {
    const int n = p.degree();
    const auto width = static_cast<std::size_t>(n / 2 + 1);
    auto& table = report.table;
    table.assign(2, std::vector<Coefficient>(width));
    for (int k = 0; k <= n; ++k)
        table[static_cast<std::size_t>(k % 2)][static_cast<std::size_t>(k / 2)] = p[n - k];
    std::optional<std::size_t> symmetric_row;
    for (int row = 1; row <= n; ++row) {
        auto& now = table[static_cast<std::size_t>(row)];
        const int left = (n - row) / 2 + 1;  // elements of this row
        const bool zeros =
            std::all_of(now.begin(), now.begin() + left, [](const Coefficient& c) { return c.is_zero(); });
        if (zeros) {
            // The row above holds an even or odd polynomial; its derivative takes this place.
            const auto& above = table[static_cast<std::size_t>(row - 1)];
            const int degree = n - row + 1;
            std::vector<Coefficient> factor(static_cast<std::size_t>(degree) + 1);
            for (int k = 0; 2 * k <= degree; ++k)
                factor[static_cast<std::size_t>(degree - 2 * k)] = above[static_cast<std::size_t>(k)];
            if (!symmetric_row) {
                symmetric_row = static_cast<std::size_t>(row - 1);
                const ExactPolynomial f(factor);
                report.symmetric_factor = f.monic();
            }
            for (int k = 0; k < left; ++k)
                now[static_cast<std::size_t>(k)] =
                    above[static_cast<std::size_t>(k)] * Coefficient(static_cast<long>(degree - 2 * k));
        } else if (now[0].is_zero()) {
            now[0] = Coefficient::symbol(epsilon);
            report.uses_epsilon = true;
        }
        if (row == n) break;
        const auto& above = table[static_cast<std::size_t>(row - 1)];
        const std::vector<Coefficient> current = now;
        std::vector<Coefficient> next(width);
        const Coefficient ratio = above[0] / current[0];
        for (std::size_t k = 0; k + 1 < width; ++k) next[k] = above[k + 1] - ratio * current[k + 1];
        table.push_back(std::move(next));
    }
    RootCount count;
    if (epsilon == 0) {  // no other symbols: signs are known
        int changes = 0, below = 0, last = sign_near_zero(table[0][0]);
        for (std::size_t row = 1; row < table.size(); ++row) {
            const int sign = sign_near_zero(table[row][0]);
            if (sign != last) {
                ++changes;
                if (symmetric_row && row > *symmetric_row) ++below;
            }
            last = sign;
        }
        count.unstable = changes;
        if (symmetric_row) count.on_boundary = report.symmetric_factor->degree() - 2 * below;
    }
    // Cut each row to its length.
    for (std::size_t row = 0; row < table.size(); ++row)
        table[row].resize(static_cast<std::size_t>((n - static_cast<int>(row)) / 2 + 1));
    return count;
}

}  // namespace

StabilityTable routh(const ExactPolynomial& p, const std::string& variable, unsigned symbol_count) {
    CUTSET_ASSERT(p.degree() >= 1);
    StabilityTable report;
    // Roots at 0 are taken out: they would only fill the table with zeros.
    const bool numeric = p.is_numeric();
    const RootCount count = routh_rows(p, symbol_count, report);
    for (int power = p.degree(); power >= 0; --power)
        report.row_names.push_back(fmt::format("{}^{}", variable, power));
    if (numeric) {
        // Another table counts: with no symbols but epsilon its signs are known.
        StabilityTable scratch;
        const RootCount known = symbol_count == 0 ? count : routh_rows(p, 0, scratch);
        report.unstable = known.unstable;
        report.on_boundary = known.on_boundary;
        report.never = known.unstable > 0 || known.on_boundary > 0;
        return report;
    }
    ConditionList conditions(report);
    if (report.uses_epsilon || report.symmetric_factor) report.never = true;
    // All of one sign: that of the leading coefficient, which is made positive.
    const bool flip = p.leading().is_number() && p.leading().number() < 0;
    for (const auto& row : report.table) conditions.add(flip ? -row[0] : row[0]);
    find_intervals(report);
    return report;
}

namespace {

// Rows too long to read are left out.
constexpr std::size_t most_terms_of_table = 300;

bool is_readable(const std::vector<Coefficient>& row) {
    return std::all_of(row.begin(), row.end(), [](const Coefficient& c) {
        return c.is_number() ||
               c.numerator().terms().size() + c.denominator().terms().size() <= most_terms_of_table;
    });
}

void jury_rows(const ExactPolynomial& p, const std::string& variable, StabilityTable& report) {
    const int n = p.degree();
    std::vector<Coefficient> row;
    for (int k = n; k >= 0; --k) row.push_back(p[k]);
    report.table.push_back(row);
    report.row_names.push_back(fmt::format("{}^{}", variable, n));
    for (int degree = n; degree > 0; --degree) {
        if (row[0].is_zero()) break;  // the count goes another way
        const Coefficient factor = row[static_cast<std::size_t>(degree)] / row[0];
        std::vector<Coefficient> next;
        for (int k = 0; k < degree; ++k)
            next.push_back(row[static_cast<std::size_t>(k)] -
                           factor * row[static_cast<std::size_t>(degree - k)]);
        row = std::move(next);
        if (!is_readable(row)) {
            report.rows_left_out = degree;
            break;
        }
        report.table.push_back(row);
        report.row_names.push_back(fmt::format("{}^{}", variable, degree - 1));
    }
}

// z = (1 + s)/(1 - s) maps the disc to the half-plane; roots at z = -1 go to infinity.
RootCount jury_count(const ExactPolynomial& p) {
    const int n = p.degree();
    const ExactPolynomial up({Coefficient(1), Coefficient(1)}), down({Coefficient(1), Coefficient(-1)});
    ExactPolynomial mapped;
    for (int k = 0; k <= n; ++k)
        mapped =
            mapped + (up.to_power(static_cast<unsigned>(k)) * down.to_power(static_cast<unsigned>(n - k)))
                         .scaled(p[k]);
    RootCount count;
    if (mapped.degree() >= 1) {
        StabilityTable scratch;
        count = routh_rows(mapped, 0, scratch);
    }
    count.on_boundary += n - std::max(mapped.degree(), 0);
    return count;
}

// p(1) > 0, (-1)^n p(-1) > 0, and the inner determinants of X + Y and X - Y of order n-1, n-3, … are positive
// (Jury, Inners and Stability of Dynamic Systems): of half the degree of the elements of the table.
void add_jury_conditions(const ExactPolynomial& p, ConditionList& conditions) {
    const unsigned variable = symbol_count(p);
    const ClearedPolynomial parts = cleared(p, variable);
    // Times the square of the denominator, which is positive.
    std::vector<SymbolPolynomial> a = (parts.numerator * parts.denominator).by_powers(variable);
    const std::size_t n = a.size() - 1;
    SymbolPolynomial at_one, at_minus_one;
    for (std::size_t k = 0; k <= n; ++k) {
        at_one = at_one + a[k];
        at_minus_one = (n - k) % 2 ? at_minus_one - a[k] : at_minus_one + a[k];
    }
    conditions.add(a[n]);
    conditions.add(at_one);
    conditions.add(at_minus_one);
    for (std::size_t size = n % 2 ? 2 : 1; size < n; size += 2)
        for (const long sign : {1, -1}) {
            SymbolMatrix inner(size, size);
            const std::size_t cut = (n - 1 - size) / 2;  // rows and columns on each side
            for (std::size_t i = 0; i < size; ++i)
                for (std::size_t k = 0; k < size; ++k) {
                    const std::size_t row = i + cut, column = k + cut;
                    if (column >= row) inner(i, k) = a[n - (column - row)];
                    if (row + column + 2 >= n)
                        inner(i, k) = inner(i, k) + a[row + column + 2 - n] * Rational(sign);
                }
            conditions.add(determinant(std::move(inner)));
        }
}

}  // namespace

StabilityTable jury(const ExactPolynomial& given, const std::string& variable) {
    CUTSET_ASSERT(given.degree() >= 1);
    StabilityTable report;
    const bool flip = given.leading().is_number() && given.leading().number() < 0;
    const ExactPolynomial p = flip ? -given : given;
    jury_rows(p, variable, report);
    if (p.is_numeric()) {
        const RootCount count = jury_count(p);
        report.unstable = count.unstable;
        report.on_boundary = count.on_boundary;
        report.never = count.unstable > 0 || count.on_boundary > 0;
        return report;
    }
    ConditionList conditions(report);
    add_jury_conditions(p, conditions);
    find_intervals(report);
    return report;
}

std::optional<Coefficient> sampled_variance(const ExactPolynomial& numerator,
                                            const ExactPolynomial& denominator) {
    const int n = denominator.degree();
    if (numerator.degree() > n) return std::nullopt;
    std::vector<Coefficient> a, b;
    for (int k = n; k >= 0; --k) {
        a.push_back(denominator[k]);
        b.push_back(numerator[k]);
    }
    const Coefficient first = a[0];
    Coefficient sum;
    for (int k = n; k >= 0; --k) {
        const auto last = static_cast<std::size_t>(k);
        if (a[0].is_zero()) return std::nullopt;
        sum += b[last] * b[last] / a[0];
        const Coefficient alpha = a[last] / a[0], beta = b[last] / a[0];
        std::vector<Coefficient> next_a, next_b;
        for (std::size_t i = 0; i < last; ++i) {
            next_a.push_back(a[i] - alpha * a[last - i]);
            next_b.push_back(b[i] - beta * a[last - i]);
        }
        a = std::move(next_a);
        b = std::move(next_b);
    }
    return sum / first;
}

std::optional<Coefficient> continuous_variance(const ExactPolynomial& numerator,
                                               const ExactPolynomial& denominator) {
    // B(s)B(-s)/(A(s)A(-s)) = X(s)/A(s) + X(-s)/A(-s) with deg X < n; the integral is the leading coefficient
    // of X over that of A. Equal powers of s give n linear equations for X.
    const int n = denominator.degree();
    if (n < 1 || numerator.degree() >= n) return std::nullopt;
    const auto mirrored = [](const ExactPolynomial& p) {
        std::vector<Coefficient> c = p.coefficients();
        for (std::size_t k = 1; k < c.size(); k += 2) c[k] = -c[k];
        return ExactPolynomial(std::move(c));
    };
    const ExactPolynomial right = numerator * mirrored(numerator), below = mirrored(denominator);
    const auto size = static_cast<std::size_t>(n);
    // Even powers 0, 2, …, 2n-2 of X(s)A(-s) + X(-s)A(s) = 2·even part of X(s)A(-s).
    std::vector<std::vector<Coefficient>> m(size, std::vector<Coefficient>(size + 1));
    for (std::size_t row = 0; row < size; ++row) {
        const int power = static_cast<int>(2 * row);
        for (std::size_t k = 0; k < size; ++k)
            m[row][k] = below[power - static_cast<int>(k)] * Coefficient(2);
        m[row][size] = right[power];
    }
    for (std::size_t k = 0; k < size; ++k) {
        std::size_t pivot = k;
        while (pivot < size && m[pivot][k].is_zero()) ++pivot;
        if (pivot == size) return std::nullopt;
        std::swap(m[k], m[pivot]);
        for (std::size_t i = 0; i < size; ++i) {
            if (i == k || m[i][k].is_zero()) continue;
            const Coefficient factor = m[i][k] / m[k][k];
            for (std::size_t j = k; j <= size; ++j) m[i][j] -= factor * m[k][j];
        }
    }
    return m[size - 1][size] / m[size - 1][size - 1] / denominator.leading();
}

}  // namespace cutset
