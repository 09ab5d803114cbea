// e = Σ coefficient*leaf + rest, found from the structure of e: sums, products, powers and choices are taken
// apart, every other function of a leaf is not linear.
#include <algorithm>

#include "base/small_vector.h"
#include "expr/expr.h"
#include "expr/node_map.h"

namespace cutset {

namespace {

struct Form {
    bool linear = true;
    std::vector<std::pair<std::uint32_t, Expr>> coefficients;  // by leaf number, rising; none is zero
    Expr rest = nullptr;
};

class Linearizer {
  public:
    Linearizer(Pool& pool, std::span<const Expr> leaves) : pool_(pool), zero_(pool.number(0)) {
        oldest_ = leaves.empty() ? 0 : leaves[0]->id;
        for (std::uint32_t i = 0; i < leaves.size(); ++i) {
            leaves_.insert(leaves[i], i);
            oldest_ = std::min(oldest_, leaves[i]->id);
        }
    }

    Form operator()(Expr e) {
        // A node older than every leaf cannot contain one.
        const auto enter = [&](Expr n) {
            return n->id > oldest_ && n->op != Op::Delay && !leaves_.contains(n);
        };
        for (Expr n : nodes_in_order(e, enter)) {
            forms_.insert(n, form(n, enter(n)));
            if (n == e) break;
        }
        return *forms_.find(e);
    }

  private:
    const Form& f(Expr e) { return *forms_.find(e); }
    static bool is_free(const Form& f) { return f.linear && f.coefficients.empty(); }

    Form form(Expr e, bool inside) {
        if (const std::uint32_t* leaf = leaves_.find(e)) return {true, {{*leaf, pool_.number(1)}}, zero_};
        if (e->argument_count == 0 || !inside) return {true, {}, e};
        bool all_free = true, all_linear = true, unchanged = true;
        for (Expr a : e->args()) {
            all_free = all_free && is_free(f(a));
            all_linear = all_linear && f(a).linear;
            unchanged = unchanged && f(a).rest == a;
        }
        if (all_free) {
            if (unchanged) return {true, {}, e};
            std::vector<Expr> arguments;
            for (Expr a : e->args()) arguments.push_back(f(a).rest);
            return {true, {}, pool_.rebuild(e, arguments)};
        }
        if (!all_linear) return {false, {}, nullptr};

        switch (e->op) {
            case Op::Add:
                return sum(e);
            case Op::Multiply: {
                const Form* varying = nullptr;
                std::vector<Expr> others;
                for (Expr a : e->args()) {
                    if (is_free(f(a))) {
                        others.push_back(f(a).rest);
                    } else {
                        if (varying) return {false, {}, nullptr};
                        varying = &f(a);
                    }
                }
                others.push_back(nullptr);
                const auto times_others = [&](Expr x) {
                    others.back() = x;
                    return pool_.multiply(others);
                };
                Form product{true, {}, times_others(varying->rest)};
                for (const auto& [leaf, c] : varying->coefficients) put(product, leaf, times_others(c));
                return product;
            }
            case Op::If:
                return choice(e);
            case Op::NoEvent: {
                const Form& inner = f(e->arg(0));
                Form result{true, {}, pool_.call(Op::NoEvent, inner.rest)};
                for (const auto& [leaf, c] : inner.coefficients)
                    put(result, leaf, pool_.call(Op::NoEvent, c));
                return result;
            }
            default:
                return {false, {}, nullptr};
        }
    }

    void put(Form& form, std::uint32_t leaf, Expr coefficient) {
        if (coefficient != zero_) form.coefficients.emplace_back(leaf, coefficient);
    }

    Form sum(Expr e) {
        std::vector<std::pair<std::uint32_t, Expr>> all;
        std::vector<Expr> rests;
        for (Expr a : e->args()) {
            all.insert(all.end(), f(a).coefficients.begin(), f(a).coefficients.end());
            rests.push_back(f(a).rest);
        }
        std::stable_sort(all.begin(), all.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        Form result{true, {}, pool_.add(rests)};
        std::vector<Expr> terms;
        for (std::size_t i = 0; i < all.size();) {
            const std::uint32_t leaf = all[i].first;
            terms.clear();
            for (; i < all.size() && all[i].first == leaf; ++i) terms.push_back(all[i].second);
            put(result, leaf, pool_.add(terms));
        }
        return result;
    }

    // Linear when the conditions are free of the leaves: then the coefficient is a choice of coefficients.
    Form choice(Expr e) {
        std::vector<Expr> parts(e->args().begin(), e->args().end());
        std::vector<std::uint32_t> leaves;
        const auto is_condition = [&](std::size_t i) { return i % 2 == 0 && i + 1 < parts.size(); };
        for (std::size_t i = 0; i < parts.size(); ++i) {
            if (is_condition(i) && !is_free(f(e->arg(i)))) return {false, {}, nullptr};
            for (const auto& [leaf, c] : f(e->arg(i)).coefficients) leaves.push_back(leaf);
            parts[i] = f(e->arg(i)).rest;
        }
        Form result{true, {}, pool_.choose(parts)};
        std::sort(leaves.begin(), leaves.end());
        leaves.erase(std::unique(leaves.begin(), leaves.end()), leaves.end());
        for (std::uint32_t leaf : leaves) {
            for (std::size_t i = 0; i < parts.size(); ++i) {
                if (is_condition(i)) continue;
                parts[i] = zero_;
                for (const auto& [l, c] : f(e->arg(i)).coefficients)
                    if (l == leaf) parts[i] = c;
            }
            put(result, leaf, pool_.choose(parts));
        }
        return result;
    }

    Pool& pool_;
    Expr zero_;
    std::uint32_t oldest_ = 0;
    NodeMap<std::uint32_t> leaves_;
    NodeMap<Form> forms_;
};

// A sum of leaves, of products of a leaf with numbers and other variables, and of terms without leaves: most
// equations are. The same results as those of Linearizer, made in the same order, but without its tables.
class PlainSum {
  public:
    PlainSum(Pool& pool, std::span<const Expr> leaves) : pool_(pool), leaves_(leaves) {
        for (Expr leaf : leaves) oldest_ = std::min(oldest_, leaf->id);
    }

    // Nothing when it is another kind of expression.
    std::optional<Form> operator()(Expr e) {
        if (e->op != Op::Add || e->argument_count > most_terms || leaves_.size() > most_leaves)
            return std::nullopt;
        for (Expr a : e->args())
            if (!add_term(a)) return std::nullopt;
        Form result{true, {}, pool_.add(std::span<const Expr>(rests_.begin(), rests_.size()))};
        for (std::uint32_t leaf = 0; leaf < leaves_.size(); ++leaf) {
            SmallVector<Expr, 8> same;
            for (const Coefficient& c : coefficients_)
                if (c.leaf == leaf) same.push_back(c.value);
            if (same.empty()) continue;
            const Expr sum = pool_.add(std::span<const Expr>(same.begin(), same.size()));
            if (!sum->is_number(0)) result.coefficients.emplace_back(leaf, sum);
        }
        return result;
    }

  private:
    static constexpr std::size_t most_terms = 16, most_leaves = 8;
    struct Coefficient {
        std::uint32_t leaf;
        Expr value;
    };

    std::optional<std::uint32_t> number_of(Expr e) const {
        if (e->id < oldest_) return std::nullopt;
        const auto at = std::find(leaves_.begin(), leaves_.end(), e);
        if (at == leaves_.end()) return std::nullopt;
        return static_cast<std::uint32_t>(at - leaves_.begin());
    }
    // Surely without leaves: not one itself, and nothing that it could be made of is.
    bool is_free(Expr e) const { return e->argument_count == 0 || e->id < oldest_; }

    bool add_term(Expr term) {
        if (const auto leaf = number_of(term)) {
            coefficients_.push_back({*leaf, pool_.number(1)});
            rests_.push_back(pool_.number(0));
            return true;
        }
        if (is_free(term)) {
            rests_.push_back(term);
            return true;
        }
        if (term->op != Op::Multiply) return false;
        std::optional<std::uint32_t> varying;
        SmallVector<Expr, 8> factors;
        bool plain = true;  // all others are numbers and leaves
        for (Expr a : term->args()) {
            if (const auto leaf = number_of(a)) {
                if (varying) return false;
                varying = leaf;
                continue;
            }
            if (!is_free(a)) return false;
            plain = plain && a->argument_count == 0;
            factors.push_back(a);
        }
        if (!varying) {
            rests_.push_back(term);
            return true;
        }
        const auto times_factors = [&](double number) {
            factors.push_back(pool_.number(number));
            const Expr made = pool_.multiply(std::span<const Expr>(factors.begin(), factors.size()));
            factors.pop_back();
            return made;
        };
        rests_.push_back(plain ? pool_.number(0) : times_factors(0));
        const Expr coefficient = times_factors(1);
        if (!coefficient->is_number(0)) coefficients_.push_back({*varying, coefficient});
        return true;
    }

    Pool& pool_;
    std::span<const Expr> leaves_;
    std::uint32_t oldest_ = 0xFFFFFFFFu;
    SmallVector<Coefficient, 8> coefficients_;
    SmallVector<Expr, 16> rests_;
};

Form linear_form(Pool& pool, Expr e, std::span<const Expr> leaves) {
    if (auto form = PlainSum(pool, leaves)(e)) return std::move(*form);
    return Linearizer(pool, leaves)(e);
}

}  // namespace

std::optional<Linear> as_linear(Pool& pool, Expr e, Expr leaf) {
    const Form form = linear_form(pool, e, std::span<const Expr>(&leaf, 1));
    if (!form.linear) return std::nullopt;
    return Linear{form.coefficients.empty() ? pool.number(0) : form.coefficients[0].second, form.rest};
}

std::optional<LinearForm> as_linear_form(Pool& pool, Expr e, std::span<const Expr> leaves) {
    const Form form = linear_form(pool, e, leaves);
    if (!form.linear) return std::nullopt;
    LinearForm result{std::vector<Expr>(leaves.size(), pool.number(0)), form.rest};
    for (const auto& [leaf, c] : form.coefficients) result.coefficients[leaf] = c;
    return result;
}

}  // namespace cutset
