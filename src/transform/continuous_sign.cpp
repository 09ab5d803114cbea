#include "transform/continuous_sign.h"

#include <algorithm>

#include "expr/elementary_functions.h"

namespace cutset::passes {
namespace {

// Whether e is put together from continuous functions, as far as it depends on `leaf` (on anything, when
// there is none). What is divided by must not vanish `at_zero`, where the argument of the sign is zero.
bool is_continuous(Expr e, Expr leaf, Substitution& at_zero) {
    if (leaf && !contains(e, leaf)) return true;
    switch (e->op) {
        case Op::Number:
        case Op::Variable:
        case Op::Time:
        case Op::Add:
        case Op::Multiply:
            break;
        case Op::Power:
            if (!e->arg(1)->is_number()) return false;
            if (e->arg(1)->number < 0 && at_zero(e->arg(0))->is_number(0)) return false;
            break;
        default:
            if (const ElementaryFunction* f = elementary_function(e->op); !f || !f->continuous) return false;
            break;
    }
    return std::all_of(e->args().begin(), e->args().end(),
                       [&](Expr argument) { return is_continuous(argument, leaf, at_zero); });
}

// Whether g is zero where a variable of e has the value for which e is zero.
bool vanishes_by(Pool& pool, Expr g, Expr e, Expr leaf) {
    const auto linear = as_linear(pool, e, leaf);
    if (!linear || !linear->coefficient->is_number() || linear->coefficient->is_number(0)) return false;
    Substitution at_zero(pool);
    at_zero.replace(leaf, pool.divide(pool.negate(linear->rest), linear->coefficient));
    return at_zero(g)->is_number(0) && is_continuous(g, leaf, at_zero);
}

class SignSearch {
  public:
    explicit SignSearch(Pool& pool) : pool_(pool) {}

    void look_at(Expr root) {
        stack_.push_back(root);
        while (!stack_.empty()) {
            const Expr e = stack_.back();
            stack_.pop_back();
            if (e->op == Op::Sign && e == root) jumps_.push_back(e);
            if (e->argument_count == 0 || e->op == Op::NoEvent) continue;
            if (e->id >= seen_.size()) seen_.resize(std::max<std::size_t>(e->id + 1, pool_.size()));
            if (seen_[e->id]) continue;
            seen_[e->id] = true;
            for (Expr argument : e->args()) {
                if (argument->op == Op::Sign)
                    (e->op == Op::Multiply && is_continuous_product(pool_, e, argument) ? continuous_
                                                                                        : jumps_)
                        .push_back(argument);
                stack_.push_back(argument);
            }
        }
    }

    std::vector<Expr> found() {
        const auto older = [](Expr a, Expr b) { return a->id < b->id; };
        for (auto* list : {&continuous_, &jumps_}) {
            std::sort(list->begin(), list->end(), older);
            list->erase(std::unique(list->begin(), list->end()), list->end());
        }
        std::vector<Expr> result;
        std::set_difference(continuous_.begin(), continuous_.end(), jumps_.begin(), jumps_.end(),
                            std::back_inserter(result), older);
        return result;
    }

  private:
    Pool& pool_;
    std::vector<Expr> continuous_, jumps_;
    std::vector<bool> seen_;
    std::vector<Expr> stack_;
};

}  // namespace

bool is_continuous_product(Pool& pool, Expr product, Expr node) {
    std::vector<Expr> others;
    for (Expr factor : product->args())
        if (factor != node) others.push_back(factor);
    if (others.empty() || others.size() + 1 != product->argument_count) return false;
    const Expr g = pool.multiply(others), e = node->arg(0);
    std::vector<Expr> variables;
    for_each_leaf(e, [&](Expr leaf) {
        if (leaf->op == Op::Variable) variables.push_back(leaf);
    });
    constexpr std::size_t most_tried = 8;
    if (variables.size() > most_tried) variables.resize(most_tried);
    for (Expr leaf : variables)
        if (vanishes_by(pool, g, e, leaf)) return true;
    // Where e cannot be solved for a variable it may still stand in g as it is.
    Substitution at_zero(pool);
    at_zero.replace(e, pool.number(0));
    at_zero.replace(pool.negate(e), pool.number(0));
    return at_zero(g)->is_number(0) && is_continuous(g, nullptr, at_zero);
}

std::vector<Expr> continuous_signs(Pool& pool, std::span<const Expr> expressions) {
    SignSearch search(pool);
    for (Expr e : expressions) search.look_at(e);
    return search.found();
}

}  // namespace cutset::passes
