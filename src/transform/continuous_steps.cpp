#include "transform/continuous_steps.h"

#include <algorithm>

namespace cutset::passes {
namespace {

constexpr std::uint32_t slot_of_count =
    (1u << 22) + 77;  // stands for a whole number: how often it has switched

// Where `argument` has this value: a leaf that it is linear in is replaced by what it is there.
std::optional<Substitution> where_equal(Analysis& a, Expr argument, Expr value) {
    Pool& pool = a.pool();
    std::vector<Expr> leaves;
    for_each_leaf(argument, [&](Expr leaf) {
        const bool varies =
            leaf->op == Op::Time || (leaf->op == Op::Variable && a.is_unknown(leaf->variable()));
        if (varies) leaves.push_back(leaf);
    });
    for (Expr leaf : leaves) {
        const auto form = as_linear(pool, argument, leaf);
        if (!form || a.variation_of(form->coefficient) > Variation::Parametric) continue;
        const auto slope = a.values.ask(form->coefficient, ParameterValues::Asked::Zero);
        if (!slope || *slope == 0) continue;
        Substitution there(pool);
        there.replace(leaf, pool.divide(pool.subtract(value, form->rest), form->coefficient));
        return there;
    }
    return std::nullopt;
}

class Steps {
  public:
    Steps(Analysis& a, ExactArithmetic& exact, Expr whole, Expr node)
        : a_(a), pool_(a.pool()), exact_(exact), whole_(whole), node_(node) {}

    StepKind kind() {
        const Expr k = pool_.local(slot_of_count), one = pool_.number(1);
        switch (node_->op) {
            case Op::Sign:
                return between(node_->arg(0), pool_.number(0), pool_.number(-1), one);
            case Op::Truncate:
                return either_way(node_->arg(0), k, k, pool_.subtract(k, one), pool_.add(k, one));
            case Op::Modulo: {
                const Expr period = node_->arg(1);
                return either_way(node_->arg(0), pool_.multiply(k, period), pool_.number(0), period,
                                  pool_.negate(period));
            }
            case Op::If:
                return choice();
            default:
                return StepKind::NotKnown;
        }
    }

  private:
    // `after` where the argument has the value, `rising` before that when it rises from 0, `falling` when it
    // falls.
    StepKind either_way(Expr argument, Expr value, Expr after, Expr rising, Expr falling) {
        const StepKind up = between(argument, value, after, rising);
        if (argument->op == Op::Time || up != StepKind::Continuous) return up;
        return between(argument, value, after, falling);
    }
    // The node has one of these values on either side of where the argument has that value.
    StepKind between(Expr argument, Expr value, Expr first, Expr second) {
        auto there = where_equal(a_, argument, value);
        if (!there) return StepKind::NotKnown;
        const auto with = [&](Expr replacement) {
            Substitution put(pool_);
            put.replace(node_, replacement);
            return (*there)(put(whole_));
        };
        const Expr jump = pool_.subtract(with(first), with(second));
        if (jump->is_number()) return jump->is_number(0) ? StepKind::Continuous : StepKind::Jumps;
        if (a_.variation_of(jump) <= Variation::Parametric && !contains(jump, pool_.local(slot_of_count))) {
            const Coefficient value_of_jump = exact_.of(jump);
            if (value_of_jump.value)
                return *value_of_jump.value == 0 ? StepKind::Continuous : StepKind::Jumps;
            return StepKind::NotKnown;
        }
        return exact_.is_zero({jump, std::nullopt}) ? StepKind::Continuous : StepKind::NotKnown;
    }
    StepKind choice() {
        StepKind all = StepKind::Continuous;
        for (std::size_t i = 0; i + 1 < node_->argument_count; i += 2) {
            const Expr condition = node_->arg(i);
            if (condition->op != Op::Less && condition->op != Op::LessEqual) return StepKind::NotKnown;
            const Expr otherwise = i + 3 < node_->argument_count ? node_->arg(i + 3) : node_->arg(i + 2);
            const StepKind kind = between(pool_.subtract(condition->arg(0), condition->arg(1)),
                                          pool_.number(0), node_->arg(i + 1), otherwise);
            if (kind == StepKind::Jumps) return kind;
            if (kind == StepKind::NotKnown) all = kind;
        }
        return all;
    }

    Analysis& a_;
    Pool& pool_;
    ExactArithmetic& exact_;
    Expr whole_, node_;
};

}  // namespace

StepKind step_of(Analysis& a, ExactArithmetic& exact, Expr whole, Expr node) {
    return Steps(a, exact, whole, node).kind();
}

}  // namespace cutset::passes
