// e = Σ coefficient*leaf + rest, found from the structure of e: sums, products, powers and choices are taken
// apart, every other function of a leaf is not linear.
#include <algorithm>

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

}  // namespace

std::optional<Linear> as_linear(Pool& pool, Expr e, Expr leaf) {
    const Form form = Linearizer(pool, std::span<const Expr>(&leaf, 1))(e);
    if (!form.linear) return std::nullopt;
    return Linear{form.coefficients.empty() ? pool.number(0) : form.coefficients[0].second, form.rest};
}

std::optional<LinearForm> as_linear_form(Pool& pool, Expr e, std::span<const Expr> leaves) {
    const Form form = Linearizer(pool, leaves)(e);
    if (!form.linear) return std::nullopt;
    LinearForm result{std::vector<Expr>(leaves.size(), pool.number(0)), form.rest};
    for (const auto& [leaf, c] : form.coefficients) result.coefficients[leaf] = c;
    return result;
}

}  // namespace cutset
