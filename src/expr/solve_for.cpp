#include "expr/solve_for.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include "expr/elementary_functions.h"
#include "expr/simplify.h"

namespace cutset {

Expr differs_from_zero(Pool& pool, Expr e) {
    if (e->op == Op::Multiply && e->arg(0)->is_number() && !e->arg(0)->is_number(0)) {
        const std::vector<Expr> rest(e->args().begin() + 1, e->args().end());
        e = pool.multiply(rest);
    }
    return pool.not_equal(e, pool.number(0));
}

std::vector<Expr> divisors_of(Expr e) {
    std::vector<Expr> list;
    for_each_node(e, [&](Expr n) {
        if (n->op == Op::Power && n->arg(1)->is_number() && n->arg(1)->number < 0 &&
            std::find(list.begin(), list.end(), n->arg(0)) == list.end())
            list.push_back(n->arg(0));
    });
    return list;
}

namespace {

constexpr int deepest = 60;  // functions around the leaf

using Found = std::optional<std::vector<Solution>>;  // nothing: no formula; empty: no real solution

class Solver {
  public:
    Solver(Pool& pool, Expr leaf, const Assumptions& known) : pool_(pool), leaf_(leaf), known_(known) {}

    // f = 0
    Found zero(Expr f, int depth) {
        if (!contains(f, leaf_) || depth > deepest) return std::nullopt;
        if (const auto linear = as_linear(pool_, f, leaf_)) {
            if (linear->coefficient->is_number(0)) return std::nullopt;
            Solution s;
            s.value = pool_.negate(pool_.divide(linear->rest, linear->coefficient));
            if (!need(s, differs_from_zero(pool_, linear->coefficient))) return std::vector<Solution>();
            return std::vector{s};
        }
        if (f->op == Op::Add) {
            // Terms with the leaf on the left: one of them can be inverted.
            std::vector<Expr> with, without;
            for (Expr t : f->args()) (contains(t, leaf_) ? with : without).push_back(t);
            if (with.size() == 1 && !is_product_of_leaves(with[0]))
                return equal(with[0], pool_.negate(pool_.add(without)), depth + 1);
            if (const Found found = quadratic(f)) return found;
            if (const Found found = by_subexpression(f, depth)) return found;
            if (const Found found = by_powers(f, depth)) return found;
            // A fraction is zero where its numerator is and its denominator is not.
            const Fraction fraction = as_fraction(pool_, f);
            if (!contains(fraction.denominator, leaf_)) return std::nullopt;
            if (fraction.numerator == f) return std::nullopt;
            const Expr numerator = expand(pool_, fraction.numerator);
            if (!contains(numerator, leaf_))
                return numerator->is_number(0) ? Found() : Found(std::vector<Solution>());
            Found list = zero(numerator, depth + 1);
            if (!list) return list;
            std::erase_if(*list, [&](Solution& s) {
                Substitution put(pool_);
                put.replace(leaf_, s.value);
                return !need(s, differs_from_zero(pool_, put(fraction.denominator)));
            });
            return list;
        }
        if (f->op == Op::Multiply) {
            // A product is zero where a factor is and all others have values.
            std::vector<Solution> all;
            bool any = false, missing = false;
            for (Expr factor : f->args()) {
                if (!contains(factor, leaf_)) continue;
                const Found found = zero(factor, depth + 1);
                if (found) append(all, *found);
                any = any || found;
                missing = missing || !found;
            }
            if (!any || (missing && all.empty())) return std::nullopt;
            if (missing)
                for (Solution& s : all)
                    note(s, "and where another factor is zero, for which no formula was found");
            return all;
        }
        return equal(f, pool_.number(0), depth + 1);
    }

    // e = r with r free of the leaf.
    Found equal(Expr e, Expr r, int depth) {
        if (depth > deepest) return std::nullopt;
        if (e == leaf_) return std::vector{Solution{r, {}, ""}};
        const Expr zero_number = pool_.number(0), one = pool_.number(1);
        Found list = std::vector<Solution>();
        const auto inner = [&](Expr argument, Expr value, const std::vector<Expr>& conditions,
                               const char* remark = "") {
            Solution trial;  // a value that cannot be may be no value at all
            for (Expr c : conditions)
                if (!need(trial, c)) return;
            const Found found = list ? equal_or_zero(argument, value, depth + 1) : std::nullopt;
            if (!found) list.reset();
            for (Solution s : found.value_or(std::vector<Solution>())) {
                for (Expr c : conditions) need(s, c);
                if (*remark) note(s, remark);
                append(*list, {std::move(s)});
            }
        };
        switch (e->op) {
            case Op::Add:
                return zero(pool_.subtract(e, r), depth + 1);
            case Op::Multiply: {
                std::vector<Expr> with, without;
                for (Expr f : e->args()) (contains(f, leaf_) ? with : without).push_back(f);
                if (!without.empty()) {
                    const Expr divisor = pool_.multiply(without);
                    inner(pool_.multiply(with), pool_.divide(r, divisor),
                          {differs_from_zero(pool_, divisor)});
                    return list;
                }
                if (r->is_number(0)) return zero(e, depth + 1);
                return zero(pool_.subtract(e, r), depth + 1);
            }
            case Op::Power: {
                const Expr base = e->arg(0), exponent = e->arg(1);
                if (contains(exponent, leaf_)) {
                    if (contains(base, leaf_)) return std::nullopt;
                    inner(exponent, pool_.divide(pool_.call(Op::Ln, r), pool_.call(Op::Ln, base)),
                          {pool_.less(zero_number, r), pool_.less(zero_number, base),
                           pool_.not_equal(base, one)});
                    return list;
                }
                if (!exponent->is_number()) {
                    // Whole exponents have more: even ones a second root, odd ones roots of what is negative.
                    const Expr inverse = pool_.divide(one, exponent);
                    const Expr odd =
                        pool_.call(Op::Modulo, std::vector{pool_.call(Op::Abs, exponent), pool_.number(2)});
                    inner(base, pool_.power(r, inverse),
                          {pool_.less(zero_number, r), pool_.not_equal(exponent, zero_number)});
                    inner(base, pool_.negate(pool_.power(r, inverse)),
                          {pool_.less(zero_number, r), pool_.not_equal(exponent, zero_number),
                           pool_.equal(odd, zero_number)});
                    inner(base, pool_.negate(pool_.power(pool_.negate(r), inverse)),
                          {pool_.less(r, zero_number), pool_.equal(odd, one)});
                    inner(base, zero_number,
                          {pool_.equal(r, zero_number), pool_.less(zero_number, exponent)});
                    return list;
                }
                return roots(base, exponent->number, r, depth);
            }
            case Op::NoEvent:
                inner(e->arg(0), r, {});
                return list;
            case Op::If:
                return choice(e, r, depth);
            default: {
                const ElementaryFunction* f = elementary_function(e->op);
                if (!f || !f->inverse) return std::nullopt;
                for (const InverseBranch& branch : f->inverse({&pool_, r}))
                    inner(e->arg(0), branch.value.e, branch.conditions, branch.note);
                return list;
            }
        }
    }

  private:
    Found equal_or_zero(Expr e, Expr r, int depth) {
        if (e == leaf_) return std::vector{Solution{r, {}, ""}};
        return zero(pool_.subtract(e, r), depth);
    }

    // x*(x + 3): no factor can be brought to the other side.
    bool is_product_of_leaves(Expr e) const {
        return e->op == Op::Multiply && std::count_if(e->args().begin(), e->args().end(),
                                                      [&](Expr f) { return contains(f, leaf_); }) > 1;
    }

    static void note(Solution& s, const char* text) {
        if (s.note.find(text) == std::string::npos)
            s.note += (s.note.empty() ? "" : "; ") + std::string(text);
    }

    // Adds a condition unless it is known to hold; false when it is known not to.
    bool need(Solution& s, Expr condition) {
        const auto truth = known_.decides(condition);
        if (truth) return *truth;
        if (std::find(s.conditions.begin(), s.conditions.end(), condition) == s.conditions.end())
            s.conditions.push_back(condition);
        return true;
    }

    static void append(std::vector<Solution>& to, std::vector<Solution> from) {
        for (Solution& s : from)
            if (std::none_of(to.begin(), to.end(), [&](const Solution& t) { return t.value == s.value; }))
                to.push_back(std::move(s));
    }

    // base^n = r
    Found roots(Expr base, double n, Expr r, int depth) {
        if (n > 0) return roots_of(base, n, r, depth);
        const Expr condition = pool_.not_equal(r, pool_.number(0));
        Solution trial;
        if (!need(trial, condition)) return std::vector<Solution>();
        Found list = roots_of(base, -n, pool_.divide(pool_.number(1), r), depth);
        if (list) std::erase_if(*list, [&](Solution& s) { return !need(s, condition); });
        return list;
    }

    Found roots_of(Expr base, double n, Expr r, int depth) {
        const Expr zero_number = pool_.number(0), exponent = pool_.number(1 / n);
        Found list = std::vector<Solution>();
        const auto take = [&](Expr value, const std::vector<Expr>& conditions) {
            Solution trial;
            for (Expr c : conditions)
                if (!need(trial, c)) return;
            const Found found = list ? equal_or_zero(base, value, depth + 1) : std::nullopt;
            if (!found) list.reset();
            for (Solution s : found.value_or(std::vector<Solution>())) {
                for (Expr c : conditions) need(s, c);
                append(*list, {std::move(s)});
            }
        };
        const bool whole = n == std::floor(n);
        if (n == 1) {
            take(r, {});
        } else if (whole && std::fmod(n, 2) == 0) {
            const Expr root = n == 2 ? pool_.call(Op::Sqrt, r) : pool_.power(r, exponent);
            take(root, {pool_.less_equal(zero_number, r)});
            take(pool_.negate(root), {pool_.less_equal(zero_number, r)});
        } else if (whole) {  // the root of a negative number is negative
            const Range range = known_.range(r);
            if (range.not_negative())
                take(pool_.power(r, exponent), {});
            else
                take(pool_.multiply(pool_.call(Op::Sign, r), pool_.power(pool_.call(Op::Abs, r), exponent)),
                     {});
        } else {
            take(pool_.power(r, exponent), {pool_.less_equal(zero_number, r)});
        }
        return list;
    }

    // a*x^2 + b*x + c = 0
    Found quadratic(Expr f) {
        const auto p = polynomial_in(pool_, f, leaf_);
        if (!p || p->size() != 3) return std::nullopt;
        const Expr a = (*p)[2], b = (*p)[1], c = (*p)[0];
        const Expr discriminant = pool_.subtract(pool_.power(b, pool_.number(2)),
                                                 pool_.multiply(pool_.number(4), pool_.multiply(a, c)));
        const Expr simple = simplify(pool_, discriminant, known_);
        const Expr root = simplify(pool_, pool_.call(Op::Sqrt, simple), known_);
        std::vector<Solution> list;
        for (int sign : {1, -1}) {
            Solution s;
            s.value = pool_.divide(pool_.add(pool_.negate(b), pool_.multiply(pool_.number(sign), root)),
                                   pool_.multiply(pool_.number(2), a));
            if (need(s, differs_from_zero(pool_, a)) && need(s, pool_.less_equal(pool_.number(0), simple)))
                append(list, {std::move(s)});
        }
        return list;
    }

    // x^m*(a*u^2 + b*u + c) = 0 with u = x^k.
    Found by_powers(Expr f, int depth) {
        const auto p = polynomial_in(pool_, f, leaf_);
        if (!p) return std::nullopt;
        std::size_t lowest = 0, step = 0;
        while (lowest < p->size() && (*p)[lowest]->is_number(0)) ++lowest;
        for (std::size_t i = lowest + 1; i < p->size(); ++i)
            if (!(*p)[i]->is_number(0)) step = std::gcd(step, i - lowest);
        if (step == 0 || (lowest == 0 && step == 1)) return std::nullopt;
        const Expr u = pool_.local((1u << 22) + static_cast<std::uint32_t>(depth));
        std::vector<Expr> terms;
        double power = 0;
        for (std::size_t i = lowest; i < p->size(); i += step)
            terms.push_back(pool_.multiply((*p)[i], pool_.power(u, pool_.number(power++))));
        const Found values = Solver(pool_, u, known_).zero(pool_.add(terms), depth + 1);
        if (!values) return std::nullopt;
        std::vector<Solution> all;
        for (const Solution& v : *values) {
            const Found roots =
                equal(pool_.power(leaf_, pool_.number(static_cast<double>(step))), v.value, depth + 1);
            if (!roots) return std::nullopt;
            for (Solution s : *roots) {
                bool possible = true;
                for (Expr c : v.conditions) possible = need(s, c) && possible;
                if (possible) append(all, {std::move(s)});
            }
        }
        if (lowest > 0) append(all, {Solution{pool_.number(0), {}, ""}});
        return all;
    }

    // All occurrences of the leaf lie in one subexpression u: solved for u, then for the leaf.
    Found by_subexpression(Expr f, int depth) {
        // exp(2*u) = exp(u)^2
        Substitution powers(pool_);
        for_each_node(f, [&](Expr n) {
            if (n->op != Op::Exp || n->arg(0)->op != Op::Multiply || !n->arg(0)->arg(0)->is_number()) return;
            const double k = n->arg(0)->arg(0)->number;
            if (k != std::floor(k) || k == 1) return;
            const Expr u = pool_.divide(n->arg(0), pool_.number(k));
            powers.replace(n, pool_.power(pool_.call(Op::Exp, u), pool_.number(k)));
        });
        if (!powers.empty()) f = powers(f);
        std::vector<Expr> candidates;
        for_each_node(f, [&](Expr n) {
            if (n != f && n != leaf_ && !n->boolean && contains(n, leaf_)) candidates.push_back(n);
        });
        // Large ones first, but not sums of f itself.
        std::reverse(candidates.begin(), candidates.end());
        for (Expr u : candidates) {
            const Expr name = pool_.local((1u << 22) + static_cast<std::uint32_t>(depth));
            Substitution put(pool_);
            put.replace(u, name);
            const Expr replaced = put(f);
            if (contains(replaced, leaf_) || replaced == name) continue;
            Solver outer(pool_, name, known_);
            const Found values = as_linear(pool_, replaced, name) ? outer.zero(replaced, depth + 1)
                                                                  : outer.quadratic(replaced);
            if (!values) continue;
            Found all = std::vector<Solution>();
            for (const Solution& v : *values) {
                const Found found = all ? equal(u, v.value, depth + 1) : std::nullopt;
                if (!found) all.reset();
                for (Solution s : found.value_or(std::vector<Solution>())) {
                    bool possible = true;
                    for (Expr c : v.conditions) possible = need(s, c) && possible;
                    if (possible) append(*all, {std::move(s)});
                }
            }
            if (all) return all;
        }
        return std::nullopt;
    }

    // Branch by branch, where the conditions are free of the leaf and each branch has one solution.
    Found choice(Expr e, Expr r, int depth) {
        std::vector<Expr> values;
        Solution whole;
        for (std::size_t i = 0; i < e->argument_count; ++i) {
            const bool condition = i % 2 == 0 && i + 1 < e->argument_count;
            if (condition) {
                if (contains(e->arg(i), leaf_)) return std::nullopt;
                values.push_back(e->arg(i));
                continue;
            }
            const Found branch = equal_or_zero(e->arg(i), r, depth + 1);
            if (!branch || branch->size() != 1) return std::nullopt;
            for (Expr c : branch->front().conditions)
                if (!need(whole, c)) return std::nullopt;
            values.push_back(branch->front().value);
        }
        whole.value = pool_.choose(values);
        return std::vector{whole};
    }

    Pool& pool_;
    Expr leaf_;
    const Assumptions& known_;
};

}  // namespace

Solutions solve_for(Pool& pool, Expr left, Expr right, Expr leaf, const Assumptions& assumptions) {
    Solutions result;
    // Where a divisor of the equation as it stands is zero, it says nothing.
    std::vector<Expr> divisors;
    for (Expr side : {left, right})
        for (Expr d : divisors_of(side))
            if (contains(d, leaf)) divisors.push_back(d);
    const Expr difference = pool.subtract(left, right);
    const Expr plain = simplify(pool, expand(pool, difference), assumptions);
    if (!contains(plain, leaf)) {
        const Expr holds = pool.equal(plain, pool.number(0));
        const auto truth =
            plain->is_number() ? std::optional(plain->is_number(0)) : assumptions.decides(holds);
        result.solvability = truth && !*truth ? Solvability::None : Solvability::Every;
        if (!truth) result.conditions.push_back(holds);
        for (Expr d : divisors)
            if (!assumptions.range(d).excludes_zero())
                result.conditions.push_back(differs_from_zero(pool, d));
        return result;
    }
    Solver solver(pool, leaf, assumptions);
    Found found;
    if (!contains(right, leaf) && left->op != Op::Add)
        found = solver.equal(left, right, 0);
    else if (!contains(left, leaf) && right->op != Op::Add)
        found = solver.equal(right, left, 0);
    if (!found) found = solver.zero(difference, 0);
    if (!found && plain != difference) found = solver.zero(plain, 0);
    if (!found) return result;
    std::vector<Solution>& list = result.list;
    list = std::move(*found);
    for (Solution& s : list) s.value = simplify(pool, s.value, assumptions);
    std::erase_if(list, [&](Solution& s) {
        for (Expr divisor : divisors) {
            Substitution put(pool);
            put.replace(leaf, s.value);
            const Expr value = simplify(pool, expand(pool, put(divisor)), assumptions);
            if (value->is_number(0)) return true;
            const Expr condition = differs_from_zero(pool, value);
            if (!value->is_number() && !assumptions.range(value).excludes_zero() &&
                std::find(s.conditions.begin(), s.conditions.end(), condition) == s.conditions.end())
                s.conditions.push_back(condition);
        }
        return false;
    });
    // What is assumed of the leaf excludes branches.
    const Range wanted = assumptions.range(leaf);
    std::erase_if(list, [&](const Solution& s) {
        Assumptions here = assumptions;
        for (Expr c : s.conditions) here.add(c);
        const Range found = here.range(s.value);
        return (wanted.positive() && found.not_positive()) || (wanted.negative() && found.not_negative()) ||
               (wanted.not_negative() && found.negative()) || (wanted.not_positive() && found.positive()) ||
               found.low > wanted.high || found.high < wanted.low;
    });
    result.solvability = list.empty() ? Solvability::None : Solvability::Solved;
    return result;
}

namespace {

using Rows = std::vector<std::vector<Expr>>;  // coefficients, then the right-hand side

// Which n of the rows are independent, told by numbers at an arbitrary point: earlier rows first. Empty when
// there are not so many.
std::vector<std::size_t> independent_rows(const Rows& a, std::size_t n) {
    Environment point;
    point.leaf = [](Expr leaf) -> std::optional<double> {
        // Scattered, positive, not the same for any two leaves.
        const double seed = 0.7548776662 * (leaf->index + 1.0) + 0.5698402910 * (leaf->order + 1.0);
        return 0.5 + seed - std::floor(seed);
    };
    point.apply = [](Expr apply, std::span<const double> arguments) -> std::optional<double> {
        double sum = 0.31 * (apply->index + 1);
        for (double x : arguments) sum += 0.17 * x;
        return sum;
    };
    std::vector<std::size_t> chosen;
    std::vector<std::vector<double>> reduced;
    std::vector<std::size_t> pivots;
    for (std::size_t i = 0; i < a.size() && chosen.size() < n; ++i) {
        std::vector<double> row;
        for (std::size_t j = 0; j < n; ++j) row.push_back(evaluate(a[i][j], point).value_or(0));
        double largest = 0;
        for (double x : row) largest = std::max(largest, std::abs(x));
        for (std::size_t k = 0; k < reduced.size(); ++k) {
            const double factor = row[pivots[k]];
            for (std::size_t j = 0; j < n; ++j) row[j] -= factor * reduced[k][j];
        }
        std::size_t pivot = 0;
        for (std::size_t j = 1; j < n; ++j)
            if (std::abs(row[j]) > std::abs(row[pivot])) pivot = j;
        if (!(std::abs(row[pivot]) > 1e-10 * largest)) continue;
        const double scale = 1 / row[pivot];
        for (double& x : row) x *= scale;
        chosen.push_back(i);
        pivots.push_back(pivot);
        reduced.push_back(std::move(row));
    }
    if (chosen.size() < n) chosen.clear();
    return chosen;
}

// Determinants by expansion along the rows; minors of the same columns are computed once.
class Determinants {
  public:
    Determinants(Pool& pool, const Rows& a) : pool_(pool), a_(a) {}

    // Of all rows and the columns in `columns`, in their order.
    Expr of(const std::vector<std::size_t>& columns, std::size_t row = 0) {
        if (columns.empty()) return pool_.number(1);
        if (const auto known = known_.find(columns); known != known_.end()) return known->second;
        std::vector<Expr> terms;
        for (std::size_t j = 0; j < columns.size(); ++j) {
            if (a_[row][columns[j]]->is_number(0)) continue;
            std::vector<std::size_t> rest = columns;
            rest.erase(rest.begin() + static_cast<std::ptrdiff_t>(j));
            const Expr term = pool_.multiply(a_[row][columns[j]], of(rest, row + 1));
            terms.push_back(j % 2 ? pool_.negate(term) : term);
        }
        const Expr sum = expand(pool_, pool_.add(terms));
        known_.emplace(columns, sum);
        return sum;
    }

  private:
    Pool& pool_;
    const Rows& a_;
    std::map<std::vector<std::size_t>, Expr> known_;
};

constexpr std::size_t largest_by_determinants = 6;

}  // namespace

std::optional<LinearSolution> solve_linear(Pool& pool, const std::vector<std::pair<Expr, Expr>>& equations,
                                           const std::vector<Expr>& unknowns, const Assumptions& known) {
    const std::size_t n = unknowns.size();
    Rows all;
    for (const auto& [left, right] : equations) {
        const auto form = as_linear_form(pool, pool.subtract(left, right), unknowns);
        if (!form) return std::nullopt;
        all.push_back(form->coefficients);
        all.back().push_back(pool.negate(form->rest));
    }
    LinearSolution result;
    result.rows = independent_rows(all, n);
    if (result.rows.empty()) return std::nullopt;
    Rows a;
    for (std::size_t i : result.rows) a.push_back(all[i]);
    const auto tidy = [&](Expr e) { return simplify(pool, e, known); };
    const auto nonzero = [&](Expr e) { return known.range(e).excludes_zero(); };
    result.values.assign(n, nullptr);

    if (n <= largest_by_determinants) {  // Cramer's rule: no fractions on the way
        Determinants determinants(pool, a);
        std::vector<std::size_t> columns(n);
        std::iota(columns.begin(), columns.end(), std::size_t(0));
        result.determinant = determinants.of(columns);
        if (result.determinant->is_number(0)) return std::nullopt;
        for (std::size_t k = 0; k < n; ++k) {
            std::vector<std::size_t> replaced = columns;
            replaced[k] = n;
            result.values[k] = tidy(
                pool.divide(factored(pool, determinants.of(replaced)), factored(pool, result.determinant)));
        }
        if (!nonzero(result.determinant))
            result.conditions.push_back(differs_from_zero(pool, result.determinant));
        return result;
    }

    result.determinant = pool.number(1);
    for (std::size_t k = 0; k < n; ++k) {
        // A pivot known not to be zero, the simplest such; else the simplest that is not zero by structure.
        std::size_t best = n;
        for (std::size_t i = k; i < n; ++i) {
            if (a[i][k]->is_number(0)) continue;
            if (best == n) {
                best = i;
                continue;
            }
            const bool known_here = nonzero(a[i][k]), known_best = nonzero(a[best][k]);
            if (known_here != known_best ? known_here
                                         : operation_count(a[i][k]) < operation_count(a[best][k]))
                best = i;
        }
        if (best == n) return std::nullopt;
        if (best != k) result.determinant = pool.negate(result.determinant);
        std::swap(a[k], a[best]);
        std::swap(result.rows[k], result.rows[best]);
        if (!nonzero(a[k][k])) result.conditions.push_back(differs_from_zero(pool, a[k][k]));
        result.determinant = pool.multiply(result.determinant, a[k][k]);
        for (std::size_t i = k + 1; i < n; ++i) {
            if (a[i][k]->is_number(0)) continue;
            const Expr factor = tidy(pool.divide(a[i][k], a[k][k]));
            for (std::size_t j = k + 1; j <= n; ++j)
                a[i][j] = tidy(pool.subtract(a[i][j], pool.multiply(factor, a[k][j])));
            a[i][k] = pool.number(0);
        }
    }
    for (std::size_t i = n; i-- > 0;) {
        std::vector<Expr> terms{a[i][n]};
        for (std::size_t j = i + 1; j < n; ++j)
            terms.push_back(pool.negate(pool.multiply(a[i][j], result.values[j])));
        result.values[i] = tidy(pool.divide(pool.add(terms), a[i][i]));
    }
    result.determinant = tidy(result.determinant);
    return result;
}

}  // namespace cutset
