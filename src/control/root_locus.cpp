#include "control/root_locus.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "control/factored_roots.h"
#include "control/transfer_function.h"

namespace cutset {

namespace {

using std::numbers::pi;

using Roots = std::vector<Complex>;

// The continuation of each root: the nearest pairs first, where a prediction says they should be.
Roots matched(const Roots& expected, const Roots& found) {
    Roots out(expected.size());
    // Where each has a nearest one of its own these are the pairs.
    std::vector<bool> taken(found.size());
    bool own = expected.size() == found.size();
    for (std::size_t i = 0; i < expected.size() && own; ++i) {
        std::size_t best = 0;
        double least = std::numeric_limits<double>::infinity();
        for (std::size_t k = 0; k < found.size(); ++k)
            if (const double distance = std::norm(expected[i] - found[k]); distance < least)
                least = distance, best = k;
        own = !taken[best];
        taken[best] = true;
        out[i] = found[best];
    }
    if (own) return out;
    struct Pair {
        double distance;
        std::size_t from, to;
    };
    std::vector<Pair> pairs;
    for (std::size_t i = 0; i < expected.size(); ++i)
        for (std::size_t k = 0; k < found.size(); ++k)
            pairs.push_back({std::abs(expected[i] - found[k]), i, k});
    std::stable_sort(pairs.begin(), pairs.end(),
                     [](const Pair& a, const Pair& b) { return a.distance < b.distance; });
    std::vector<bool> from_done(expected.size()), to_done(found.size());
    for (const Pair& p : pairs) {
        if (from_done[p.from] || to_done[p.to]) continue;
        from_done[p.from] = to_done[p.to] = true;
        out[p.from] = found[p.to];
    }
    return out;
}

double separation(const Roots& roots, std::size_t i) {
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t k = 0; k < roots.size(); ++k)
        if (k != i) least = std::min(least, std::norm(roots[k] - roots[i]));
    return std::sqrt(least);
}

double size_of(const Roots& roots) {
    double size = 0;
    for (const Complex& r : roots)
        if (std::isfinite(std::abs(r))) size = std::max(size, std::abs(r));
    return size;
}

// Follows all roots from one parameter value to another. `place` maps 0…1 to the parameter.
class Tracker {
  public:
    Tracker(const std::function<Roots(double)>& roots_at, const std::function<double(double)>& place,
            double scale)
        : roots_at_(roots_at), place_(place), scale_(scale) {}

    std::vector<double> gains;
    std::vector<Roots> rows;
    bool complete = true;

    void run(const Roots& first, const Roots& last, std::size_t steps) {
        gains = {place_(0)};
        rows = {first};
        Roots before = first;
        for (std::size_t i = 1; i <= steps; ++i) {
            const double from = static_cast<double>(i - 1) / static_cast<double>(steps),
                         to = static_cast<double>(i) / static_cast<double>(steps);
            const Roots target = i == steps && !last.empty() ? last : roots_at_(place_(to));
            if (target.size() != before.size()) {
                complete = false;
                return;
            }
            before = go(from, before, to, target);
        }
    }

  private:
    struct Piece {
        double from, to;
        Roots target;
        int depth;
    };

    Roots go(double from, Roots start, double to, const Roots& target) {
        // Pieces still to do, the nearest on top.
        std::vector<Piece> todo = {{from, to, target, 0}};
        while (!todo.empty()) {
            Piece piece = std::move(todo.back());
            todo.pop_back();
            const Roots end = matched(start, piece.target);
            if (piece.depth >= 14 || good(start, end)) {
                gains.push_back(place_(piece.to));
                rows.push_back(end);
                start = end;
                continue;
            }
            const double middle = (piece.from + piece.to) / 2;
            const Roots there = roots_at_(place_(middle));
            if (there.size() != start.size()) {
                complete = false;
                return start;
            }
            todo.push_back({middle, piece.to, piece.target, piece.depth + 1});
            todo.push_back({piece.from, middle, there, piece.depth + 1});
        }
        return start;
    }

    // Each root moved little beside its distance to the others, and beside the picture.
    bool good(const Roots& a, const Roots& b) const {
        for (std::size_t i = 0; i < a.size(); ++i) {
            const double moved = std::abs(b[i] - a[i]);
            if (moved <= 1e-9 * scale_) continue;
            if (moved > 0.03 * std::max(scale_, std::abs(a[i]))) return false;
            if (moved > 0.35 * std::max(separation(a, i), separation(b, i))) return false;
        }
        return true;
    }

    const std::function<Roots(double)>& roots_at_;
    const std::function<double(double)>& place_;
    double scale_;
};

// How far outside the stability boundary.
double outside(Complex root, std::optional<double> sample_time) {
    return sample_time ? std::abs(root) - 1 : root.real();
}

void append(std::vector<LocusBranch>& branches, const Tracker& piece, const std::vector<std::size_t>& order) {
    for (std::size_t row = 0; row < piece.rows.size(); ++row)
        for (std::size_t i = 0; i < piece.rows[row].size(); ++i) {
            LocusBranch& branch = branches[order[i]];
            if (row == 0 && !branch.gain.empty()) continue;  // the end of the stretch before
            branch.gain.push_back(piece.gains[row]);
            branch.root.push_back(piece.rows[row][i]);
        }
}

// Of gains that differ by orders of magnitude the geometric mean.
double middle_gain(double a, double b) {
    const double small = std::min(std::fabs(a), std::fabs(b)), large = std::max(std::fabs(a), std::fabs(b));
    if (a * b < 0 || large < 16 * small) return a / 2 + b / 2;
    return std::copysign(std::sqrt(std::max(small, 1e-8 * large)) * std::sqrt(large), a + b);
}

// Gains at which a branch crosses the boundary, by bisection with the root nearest to the branch.
// `root_near` gives that root alone, where it can. `exact`: small gains are no rounding of 0.
void find_crossings(const std::vector<LocusBranch>& branches, const std::function<Roots(double)>& roots_at,
                    const std::function<std::optional<Complex>(double, Complex, double)>& root_near,
                    bool exact, std::optional<double> sample_time, std::vector<RootLocus::Crossing>& out) {
    for (const LocusBranch& branch : branches) {
        double size = 0;
        for (const Complex& r : branch.root) size = std::max(size, std::abs(r));
        const double slack = 1e-9 * std::max(size, sample_time ? 1.0 : 0.0);
        std::optional<std::size_t> last;  // the last point clearly on one side
        for (std::size_t i = 0; i < branch.root.size(); ++i) {
            const double now = outside(branch.root[i], sample_time);
            if (std::fabs(now) <= slack) continue;
            if (last) {
                const double before = outside(branch.root[*last], sample_time);
                if (before * now < 0) {
                    double a = branch.gain[*last], b = branch.gain[i];
                    Complex ra = branch.root[*last], rb = branch.root[i];
                    for (int step = 0;
                         step < 100 && std::fabs(b - a) > 1e-14 * std::max(std::fabs(a), std::fabs(b));
                         ++step) {
                        const double middle = middle_gain(a, b);
                        const Complex guess = (ra + rb) / 2.0;
                        std::optional<Complex> found = root_near(middle, guess, std::abs(ra - rb));
                        if (!found) {
                            const Roots all = roots_at(middle);
                            if (all.empty()) break;
                            found = *std::min_element(all.begin(), all.end(),
                                                      [&](const Complex& x, const Complex& y) {
                                                          return std::abs(x - guess) < std::abs(y - guess);
                                                      });
                        }
                        const Complex r = *found;
                        if (outside(r, sample_time) * before > 0) {
                            a = middle;
                            ra = r;
                        } else {
                            b = middle;
                            rb = r;
                        }
                    }
                    Complex root = (ra + rb) / 2.0;
                    if (!sample_time) root = {0, root.imag()};
                    if (std::fabs(root.imag()) < 1e-9 * std::max(size, 1e-300)) root = {root.real(), 0};
                    if (root.imag() >= 0) {
                        double gain = a / 2 + b / 2;
                        if (!exact && std::fabs(gain) < 1e-12 * std::max(std::fabs(branch.gain.front()),
                                                                         std::fabs(branch.gain.back())))
                            gain = 0;
                        const bool outwards = now > 0;
                        const bool known =
                            std::any_of(out.begin(), out.end(), [&](const RootLocus::Crossing& c) {
                                return std::fabs(c.gain - gain) <= 1e-9 * std::fabs(gain) &&
                                       std::abs(c.root - root) <= 1e-6 * std::max(size, 1e-300) &&
                                       c.outwards == outwards;
                            });
                        if (!known)
                            out.push_back({gain, root, std::fabs(as_s(root, sample_time).imag()), outwards});
                    }
                }
            }
            last = i;
        }
    }
    std::sort(out.begin(), out.end(), [](const auto& a, const auto& b) { return a.gain < b.gain; });
}

double degrees(double angle) {
    double d = angle * 180 / pi;
    d = std::fmod(d, 360.0);
    if (d <= -180 + 1e-9) d += 360;
    if (d > 180 + 1e-9) d -= 360;
    return std::fabs(d) < 1e-9 ? 0.0 : d;
}

// Real k for which p(s, k), k the symbol 0 of its coefficients, has a multiple root: zeros of the resultant
// of p and dp/ds, which is the determinant of Sylvester's matrix. Nothing when that would be too large.
std::optional<std::vector<double>> critical_gains(const ExactPolynomial& p) {
    const int n = p.degree();
    if (n < 2 || n > 10) return std::nullopt;
    const auto in_k = [](const Coefficient& c) {
        std::vector<Coefficient> lowest_first;
        for (const SymbolPolynomial& part : c.numerator().by_powers(0))
            lowest_first.emplace_back(part.number());
        return ExactPolynomial(std::move(lowest_first));
    };
    const ExactPolynomial slope = p.derivative();
    const auto size = static_cast<std::size_t>(2 * n - 1);
    PolynomialMatrix sylvester(size, size);
    for (int row = 0; row < n - 1; ++row)
        for (int k = 0; k <= n; ++k)
            sylvester(static_cast<std::size_t>(row), static_cast<std::size_t>(row + k)) = in_k(p[n - k]);
    for (int row = 0; row < n; ++row)
        for (int k = 0; k < n; ++k)
            sylvester(static_cast<std::size_t>(n - 1 + row), static_cast<std::size_t>(row + k)) =
                in_k(slope[n - 1 - k]);
    const ExactPolynomial discriminant = determinant(sylvester);
    std::vector<double> out;
    for (const PowerFactor& factor : square_free_factors(discriminant))
        for (const Complex& k : roots(factor.factor))
            if (std::fabs(k.imag()) <= 1e-12 * std::max(std::abs(k), 1e-300)) out.push_back(k.real());
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

std::vector<double> LocusPolynomial::at(double gain) const {
    std::vector<double> sum = {0};
    double power = 1;
    for (const auto& p : by_gain) {
        sum = add(sum, p, power);
        power *= gain;
    }
    return sum;
}

LocusPolynomial locus_polynomial(const std::vector<Complex>& zeros, const std::vector<Complex>& poles,
                                 double gain, std::optional<double> sample_time) {
    LocusPolynomial p;
    std::vector<double> n = polynomial_from_roots(zeros);
    for (double& c : n) c *= gain;
    p.by_gain = {polynomial_from_roots(poles), std::move(n)};
    p.sample_time = sample_time;
    p.poles = poles;
    p.zeros = zeros;
    p.leading_gain = gain;
    return p;
}

LocusPolynomial locus_polynomial(const MatrixFraction& right, std::optional<double> sample_time) {
    // k is the symbol 0 of the coefficients.
    PolynomialMatrix sum = right.D;
    const Coefficient gain = Coefficient::symbol(0);
    for (std::size_t i = 0; i < sum.rows(); ++i)
        for (std::size_t k = 0; k < sum.columns(); ++k) sum(i, k) = sum(i, k) + right.N(i, k).scaled(gain);
    const ExactPolynomial whole = determinant(sum);
    LocusPolynomial p;
    p.sample_time = sample_time;
    for (int power = 0; power <= whole.degree(); ++power) {
        // Elimination may have left a common factor in k below the line; the determinant itself has none.
        const std::vector<SymbolPolynomial> parts = whole[power].numerator().by_powers(0);
        for (std::size_t j = 0; j < parts.size(); ++j) {
            if (parts[j].is_zero()) continue;
            if (p.by_gain.size() <= j)
                p.by_gain.resize(j + 1, std::vector<double>(static_cast<std::size_t>(whole.degree()) + 1));
            p.by_gain[j][static_cast<std::size_t>(whole.degree() - power)] =
                Coefficient(parts[j].number()).value();
        }
    }
    p.poles = roots(determinant(right.D));
    p.critical_gains = critical_gains(whole);
    return p;
}

TrackedRoots track_roots(const std::function<Roots(double)>& roots_at, double low, double high,
                         std::size_t points, std::optional<double> sample_time) {
    TrackedRoots out;
    const Roots first = roots_at(low);
    const std::function<double(double)> place = [&](double t) { return low + (high - low) * t; };
    Tracker tracker(roots_at, place, std::max(size_of(first), 1e-300));
    tracker.run(first, {}, std::max<std::size_t>(points, 2));
    out.complete = tracker.complete;
    out.branches.resize(first.size());
    std::vector<std::size_t> order(first.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    append(out.branches, tracker, order);
    find_crossings(
        out.branches, roots_at,
        [](double, Complex, double) -> std::optional<Complex> { return std::nullopt; }, false, sample_time,
        out.crossings);
    return out;
}

namespace {

// The roots for each gain, by their factors where coefficients would not do.
class RootsByGain {
  public:
    explicit RootsByGain(const LocusPolynomial& p) : p_(p) {
        // Coefficients do for low orders.
        if (is_single(p) && std::max(p.poles.size(), p.zeros.size()) > 10)
            factored_.emplace(p.poles, p.zeros, p.leading_gain);
    }
    // P0 + k·P1 with P1 of a lower or equal degree: one input and output.
    static bool is_single(const LocusPolynomial& p) {
        return p.by_gain.size() == 2 && p.zeros.size() + 1 == trimmed(p.by_gain[1]).size();
    }

    Roots operator()(double k) {
        if (factored_) {
            auto r = factored_->all(k, last_.empty() ? polynomial_roots(p_.at(k)) : last_);
            if (!r && !last_.empty()) r = factored_->all(k, polynomial_roots(p_.at(k)));
            if (r) {
                if (k != 0) last_ = *r;
                return *r;
            }
        }
        return polynomial_roots(p_.at(k));
    }
    std::optional<Complex> near(double k, Complex guess, double distance) {
        return factored_ ? factored_->near(k, guess, distance) : std::nullopt;
    }
    std::optional<FactoredRoots>& factored() { return factored_; }

  private:
    const LocusPolynomial& p_;
    std::optional<FactoredRoots> factored_;
    Roots last_;  // where the next ones are searched from
};

class LocusConstruction {
  public:
    LocusConstruction(const LocusPolynomial& p, std::optional<double> low, std::optional<double> high)
        : p_(p),
          low_(low),
          high_(high),
          single_(RootsByGain::is_single(p)),
          roots_(p),
          factored_(roots_.factored()),
          roots_at_([this](double k) { return roots_(k); }) {}

    RootLocus run() {
        find_passages();
        find_meetings();
        choose_range();
        gather_meetings();
        follow(choose_knots());
        find_crossings(
            out_.branches, roots_at_,
            [this](double k, Complex guess, double distance) { return roots_.near(k, guess, distance); },
            factored_.has_value(), p_.sample_time, out_.crossings);
        find_stable_gains();
        if (single_) find_angles();
        return std::move(out_);
    }

  private:
    // Gains at which roots are at infinity.
    void find_passages() {
        for (const auto& part : p_.by_gain)
            if (const auto t = trimmed(part); t.size() > 1 || t[0] != 0)
                degree_ = std::max(degree_, t.size() - 1);
        std::vector<double> leading;  // of k, highest power first
        for (auto part = p_.by_gain.rbegin(); part != p_.by_gain.rend(); ++part)
            leading.push_back(part->size() > degree_ ? (*part)[part->size() - 1 - degree_] : 0);
        leading = trimmed(leading);
        for (const Complex& k : polynomial_roots(leading))
            if (std::fabs(k.imag()) <= 1e-7 * std::abs(k)) passages_.push_back(k.real() + 0.0);
        std::sort(passages_.begin(), passages_.end());
        passages_.erase(
            std::unique(passages_.begin(), passages_.end(),
                        [](double a, double b) { return std::fabs(a - b) <= 1e-7 * std::fabs(b); }),
            passages_.end());
    }

    // Gains at which roots meet.
    void find_meetings() {
        if (p_.by_gain.size() < 2 || degree_ < 2) return;
        if (factored_) {
            for (const RootGroup& pole : group_roots(p_.poles, 1e-9))
                for (unsigned m = 1; m < pole.multiplicity; ++m) meetings_.push_back({0, pole.root, 2, {}});
            for (const Complex& s : factored_->meetings()) {
                const Complex k = factored_->gain_at(s);
                if (std::fabs(k.imag()) > 1e-6 * std::abs(k) || !std::isfinite(k.real())) continue;
                meetings_.push_back({k.real(), s, 2, {}});
            }
        } else if (single_) {
            // d/ds (D/N) = 0
            const std::vector<double>&D = p_.by_gain[0], &N = p_.by_gain[1];
            const std::vector<double> slope = add(multiply(derivative(D), N), multiply(D, derivative(N)), -1);
            for (const Complex& s : polynomial_roots(slope)) {
                const Complex n = value_at(N, s);
                if (std::abs(n) == 0) continue;
                const Complex k = -value_at(D, s) / n;
                if (std::fabs(k.imag()) > 1e-6 * std::abs(k) || !std::isfinite(k.real())) continue;
                meetings_.push_back({k.real(), s, 2, {}});
            }
        } else {
            for (double k : p_.critical_gains.value_or(std::vector<double>())) {
                if ((low_ && k < *low_ - 1e-9) || (high_ && k > *high_ + 1e-9)) continue;
                for (const RootGroup& group : root_groups(p_.at(k)))
                    for (unsigned m = 1; m < group.multiplicity; ++m)
                        meetings_.push_back({k, group.root, 2, {}});
            }
        }
    }

    void choose_range() {
        scale_ = std::max(size_of(p_.poles), size_of(p_.zeros));
        if (scale_ == 0) scale_ = 1;
        out_.low = low_.value_or(0);
        if (high_)
            out_.high = *high_;
        else
            choose_high();
    }

    // So far that all that happens is seen.
    void choose_high() {
        const std::size_t zeros =
            trimmed(p_.by_gain.size() > 1 ? p_.by_gain[1] : std::vector<double>{0}).size() - 1;
        const std::size_t poles = trimmed(p_.by_gain[0]).size() - 1;
        const double excess = static_cast<double>(poles) - static_cast<double>(zeros);
        const double leading = std::fabs(single_ ? p_.leading_gain : 1);
        const double reach = scale_ * (excess > 0 ? 3 : 30);
        out_.high = excess > 0 ? std::pow(reach, excess) / std::max(leading, 1e-300)
                               : 100 / std::max(leading, 1e-300);
        for (const auto& m : meetings_)
            if (m.gain > 0 && m.gain < 1e6 * out_.high) out_.high = std::max(out_.high, 3 * m.gain);
        for (double k : passages_)
            if (k > 0 && k < 1e6 * out_.high) out_.high = std::max(out_.high, 3 * k);
        // Where the boundary is crossed beyond: far enough to see it.
        for (int k = 0; k < 20; ++k) {
            const Roots now = roots_at_(out_.high), beyond = roots_at_(4 * out_.high);
            const auto count = [&](const Roots& r) {
                return std::count_if(r.begin(), r.end(),
                                     [&](const Complex& s) { return outside(s, p_.sample_time) > 0; });
            };
            if (count(now) == count(beyond) || size_of(beyond) > 20 * scale_) break;
            out_.high *= 4;
        }
        if (!(out_.high > out_.low)) out_.high = out_.low + 1;
    }

    // Those in the range; points found several times are roots of higher multiplicity.
    void gather_meetings() {
        std::erase_if(meetings_, [&](const RootLocus::Meeting& m) {
            const double slack = 1e-9 * (out_.high - out_.low);
            return m.gain < out_.low - slack || m.gain > out_.high + slack;
        });
        for (const RootLocus::Meeting& m : meetings_) {
            const auto same =
                std::find_if(out_.meetings.begin(), out_.meetings.end(), [&](const RootLocus::Meeting& o) {
                    return std::abs(o.root - m.root) <= 1e-4 * scale_ &&
                           std::fabs(o.gain - m.gain) <= 1e-4 * std::max(std::fabs(m.gain), 1e-9 * out_.high);
                });
            if (same == out_.meetings.end()) {
                out_.meetings.push_back(m);
            } else {
                same->root = (same->root * static_cast<double>(same->multiplicity - 1) + m.root) /
                             static_cast<double>(same->multiplicity);
                ++same->multiplicity;
            }
        }
        for (RootLocus::Meeting& m : out_.meetings) {
            if (std::fabs(m.root.imag()) < 1e-7 * scale_) m.root = m.root.real();
            if (std::fabs(m.gain) < 1e-12 * out_.high) m.gain = 0;
        }
        std::sort(out_.meetings.begin(), out_.meetings.end(),
                  [](const auto& a, const auto& b) { return a.gain < b.gain; });

        if (!factored_)
            for (RootLocus::Meeting& m : out_.meetings)
                m.leave = local_branches(p_.by_gain, m.gain, m.root, m.multiplicity);
    }

    // Stretches between meetings, on which the branches are smooth.
    std::vector<double> choose_knots() {
        for (double k : passages_)
            if (k >= out_.low && k <= out_.high) out_.passages.push_back(k);
        // So near to a passage branches end and begin.
        const auto gap = [&](double k) { return 1e-4 * (k != 0 ? std::fabs(k) : out_.high - out_.low); };
        std::vector<double> knots = {out_.low};
        for (const RootLocus::Meeting& m : out_.meetings)
            if (m.gain > knots.back() * (1 + 1e-12) + 1e-12 * (out_.high - out_.low) && m.gain < out_.high)
                knots.push_back(m.gain);
        // A long stretch is cut by decades, so that its beginning is seen.
        const double last_knot = knots.back();
        for (double k = std::max(last_knot, 1e-4 * out_.high) * 10; k < out_.high; k *= 10)
            if (k > last_knot) knots.push_back(k);
        knots.push_back(out_.high);
        for (double k : out_.passages) {
            std::erase_if(knots, [&](double at) { return std::fabs(at - k) <= gap(k); });
            if (k - gap(k) >= out_.low) knots.push_back(k - gap(k));
            if (k + gap(k) <= out_.high) knots.push_back(k + gap(k));
        }
        std::sort(knots.begin(), knots.end());
        return knots;
    }

    Roots at_knot(double gain) {
        Roots r = roots_at_(gain);
        for (const RootLocus::Meeting& m : out_.meetings) {
            if (std::fabs(m.gain - gain) > 1e-9 * std::max(std::fabs(gain), 1e-6 * out_.high)) continue;
            // The roots nearest to the meeting point are the meeting point.
            std::vector<std::size_t> near(r.size());
            for (std::size_t i = 0; i < near.size(); ++i) near[i] = i;
            std::sort(near.begin(), near.end(), [&](std::size_t a, std::size_t b) {
                return std::abs(r[a] - m.root) < std::abs(r[b] - m.root);
            });
            for (unsigned k = 0; k < m.multiplicity && k < near.size(); ++k) r[near[k]] = m.root;
        }
        return r;
    }

    void follow(const std::vector<double>& knots) {
        Roots start = at_knot(knots[0]);
        if (knots[0] == 0 && single_) {
            start = p_.poles;  // exactly, with their multiplicity
        }
        out_.branches.resize(start.size());
        std::vector<std::size_t> place_of(start.size());
        for (std::size_t i = 0; i < place_of.size(); ++i) place_of[i] = i;
        for (std::size_t i = 0; i + 1 < knots.size(); ++i) {
            const double from = knots[i], to = knots[i + 1];
            if (std::any_of(out_.passages.begin(), out_.passages.end(),
                            [&](double k) { return from < k && k < to; })) {
                // Roots that come back from infinity begin branches of their own.
                const Roots next = matched(start, roots_at_(to));
                for (std::size_t b = 0; b < start.size(); ++b) {
                    if (std::abs(next[b] - start[b]) <= 0.1 * std::max(scale_, std::abs(start[b]))) continue;
                    place_of[b] = out_.branches.size();
                    out_.branches.emplace_back();
                }
                start = next;
                continue;
            }
            // From a root of multiplicity m its branches leave like the m-th root of the gain.
            unsigned multiplicity = 4;
            for (const RootLocus::Meeting& m : out_.meetings)
                if (m.gain == from) multiplicity = std::max(multiplicity, m.multiplicity);
            const std::function<double(double)> place = [&](double t) {
                // Slow at both ends: 1 - cos, twice, so that fourfold roots are approached evenly too.
                const double once = (1 - std::cos(pi * t)) / 2, twice = (1 - std::cos(pi * once)) / 2;
                return t >= 1 ? to
                              : from + (to - from) *
                                           (multiplicity > 4 ? std::pow(twice, multiplicity / 4.0) : twice);
            };
            const Roots end = at_knot(to);
            if (end.size() != start.size()) break;  // a root went to infinity
            Tracker tracker(roots_at_, place, scale_);
            tracker.run(start, end, 24);
            append(out_.branches, tracker, place_of);
            if (!tracker.complete) break;
            start = tracker.rows.back();
        }
    }

    void find_stable_gains() {
        std::vector<double> ends = {out_.low};
        for (const auto& c : out_.crossings) ends.push_back(c.gain);
        ends.insert(ends.end(), out_.passages.begin(), out_.passages.end());
        ends.push_back(out_.high);
        std::sort(ends.begin(), ends.end());
        for (std::size_t i = 0; i + 1 < ends.size(); ++i) {
            if (ends[i + 1] - ends[i] <= 1e-9 * std::fabs(ends[i])) continue;
            const Roots r = roots_at_(ends[i] / 2 + ends[i + 1] / 2);
            const bool good = !r.empty() && std::all_of(r.begin(), r.end(), [&](const Complex& s) {
                return is_stable(s, p_.sample_time);
            });
            if (!good && degree_ > 0) continue;
            const bool joined =
                !out_.stable.empty() && out_.stable.back().high == ends[i] &&
                std::find(out_.passages.begin(), out_.passages.end(), ends[i]) == out_.passages.end();
            if (joined)
                out_.stable.back().high = ends[i + 1];
            else
                out_.stable.push_back({ends[i], ends[i + 1]});
        }
    }

    void find_angles() {
        const bool negative = p_.leading_gain < 0;
        if (p_.poles.size() > p_.zeros.size()) {
            RootLocus::Asymptotes a;
            Complex sum = 0;
            for (const Complex& s : p_.poles) sum += s;
            for (const Complex& s : p_.zeros) sum -= s;
            const auto excess = static_cast<double>(p_.poles.size() - p_.zeros.size());
            a.center = sum.real() / excess;
            for (double q = 0; q < excess; ++q)
                a.angles.push_back(degrees(((negative ? 0 : pi) + 2 * pi * q) / excess));
            out_.asymptotes = std::move(a);
        }
        add_angles(p_.poles, p_.zeros, out_.departures);
        add_angles(p_.zeros, p_.poles, out_.arrivals);
    }

    void add_angles(const Roots& own, const Roots& other, std::vector<RootLocus::Angle>& to) {
        const bool negative = p_.leading_gain < 0;
        for (std::size_t i = 0; i < own.size(); ++i) {
            if (own[i].imag() < 0) continue;
            bool first = true;
            double multiplicity = 0;
            double sum = negative ? 0 : pi;
            for (std::size_t k = 0; k < own.size(); ++k) {
                if (std::abs(own[k] - own[i]) <= 1e-9 * scale_) {
                    ++multiplicity;
                    first = first && k >= i;
                } else {
                    sum -= std::arg(own[i] - own[k]);
                }
            }
            if (!first) continue;
            for (const Complex& s : other) sum += std::arg(own[i] - s);
            for (double q = 0; q < multiplicity; ++q)
                to.push_back({own[i], degrees((sum + 2 * pi * q) / multiplicity)});
        }
    }

    const LocusPolynomial& p_;
    std::optional<double> low_, high_;
    bool single_;
    RootsByGain roots_;
    std::optional<FactoredRoots>& factored_;
    const std::function<Roots(double)> roots_at_;
    RootLocus out_;
    std::size_t degree_ = 0;
    double scale_ = 1;
    std::vector<double> passages_;
    std::vector<RootLocus::Meeting> meetings_;
};

}  // namespace

RootLocus root_locus(const LocusPolynomial& p, std::optional<double> low, std::optional<double> high) {
    return LocusConstruction(p, low, high).run();
}

}  // namespace cutset
