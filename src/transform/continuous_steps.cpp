#include "transform/continuous_steps.h"

#include <algorithm>
#include <cmath>

#include "expr/elementary_functions.h"

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

    // By formulas, else by numbers.
    StepKind kind() {
        const StepKind known = kind_by_formula();
        return known == StepKind::NotKnown ? kind_by_samples() : known;
    }

  private:
    StepKind kind_by_formula() {
        const Expr k = pool_.local(slot_of_count), one = pool_.number(1);
        switch (node_->op) {
            case Op::Sign:
                return between(node_->arg(0), pool_.number(0), pool_.number(-1), one);
            case Op::Truncate:
            case Op::Floor:
                return either_way(node_->arg(0), k, k, pool_.subtract(k, one), pool_.add(k, one));
            case Op::Remainder:
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
            // What the branches behind it give there.
            const auto rest = node_->args().subspan(i + 2);
            const Expr otherwise = rest.size() == 1 ? rest[0] : pool_.choose(rest);
            const StepKind kind = between(pool_.subtract(condition->arg(0), condition->arg(1)),
                                          pool_.number(0), node_->arg(i + 1), otherwise);
            if (kind == StepKind::Jumps) return kind;
            if (kind == StepKind::NotKnown) all = kind;
        }
        return all;
    }

    // Where one quantity alone decides, it switches at single points, whatever the rest of the model says:
    // they are looked for.
    StepKind kind_by_samples() {
        std::vector<Expr> leaves;
        const auto varies = [&](Expr leaf) {
            return leaf->op == Op::Time || (leaf->op == Op::Variable && a_.is_unknown(leaf->variable()));
        };
        for_each_leaf(node_, [&](Expr leaf) {
            if (varies(leaf)) leaves.push_back(leaf);
        });
        if (leaves.size() != 1) return StepKind::NotKnown;
        const Expr moved = leaves.front();
        double place = 0;
        Environment environment;
        environment.leaf = [&](Expr leaf) -> std::optional<double> {
            if (leaf == moved) return place;
            // Any value of other unknowns will do, if it is not a special one.
            if (varies(leaf))
                return 0.7310585786300049 + 0.1 * std::fmod(leaf->index * 0.6180339887498949, 1);
            return a_.values.ask(leaf);
        };
        const auto at = [&](Expr e, double x) {
            place = x;
            return evaluate(e, environment);
        };
        bool continuous = false;
        std::optional<std::pair<double, double>> last;  // place, piece
        for (double x : places_to_look()) {
            const auto piece = piece_at(at, x);
            if (!piece) {
                last.reset();
                continue;
            }
            if (last && last->second != *piece) {
                double low = last->first, high = x;
                for (int k = 0; k < 200; ++k) {
                    const double middle = low + (high - low) / 2;
                    if (middle <= low || middle >= high) break;
                    (piece_at(at, middle) == last->second ? low : high) = middle;
                }
                const auto left = at(whole_, low), right = at(whole_, high);
                const auto begin = at(whole_, last->first), end = at(whole_, x);
                if (left && right && begin && end) {
                    const double size =
                        std::max({std::abs(*left), std::abs(*right), std::abs(*begin), std::abs(*end)});
                    if (std::abs(*right - *left) > 1e-9 * size) return StepKind::Jumps;
                    continuous = true;
                }
            }
            last = {x, *piece};
        }
        return continuous ? StepKind::Continuous : StepKind::NotKnown;
    }
    // Which of its pieces the node is on.
    template <class At>
    std::optional<double> piece_at(At& at, double x) {
        if (node_->op == Op::Remainder || node_->op == Op::Modulo) {
            const auto argument = at(node_->arg(0), x), period = at(node_->arg(1), x);
            if (!argument || !period) return std::nullopt;
            return node_->op == Op::Remainder ? std::trunc(*argument / *period)
                                              : std::floor(*argument / *period);
        }
        if (node_->op != Op::If) return at(node_, x);
        for (std::size_t i = 0; i + 1 < node_->argument_count; i += 2) {
            const auto holds = at(node_->arg(i), x);
            if (!holds) return std::nullopt;
            if (*holds != 0) return static_cast<double>(i);
        }
        return static_cast<double>(node_->argument_count);
    }
    // Of all sizes, and near to each other where models most often are.
    static std::vector<double> places_to_look() {
        std::vector<double> places{0};
        for (int k = -48; k <= 48; ++k)
            for (double sign : {-1.0, 1.0}) places.push_back(sign * std::pow(10, k / 8.0));
        for (int k = -60; k <= 60; ++k) places.push_back(0.3437 * k + 0.0171);
        std::sort(places.begin(), places.end());
        return places;
    }

    Analysis& a_;
    Pool& pool_;
    ExactArithmetic& exact_;
    Expr whole_, node_;
};

// The body of a function as expressions in its arguments.
class WrittenOut {
  public:
    WrittenOut(Pool& pool, const FunctionData& function, Expr call) : pool_(pool), frame_(function.slots) {
        for (std::size_t i = 0; i < function.inputs && i < call->argument_count; ++i)
            frame_[i] = call->arg(i);
        for (const auto& [slot, value] : function.constants) frame_[slot] = pool.number(value);
        const std::uint32_t result = function.inputs + call->order;
        if (run(function.body) && result < frame_.size()) result_ = frame_[result];
    }
    // Nothing where there are loops, or no value.
    Expr result() const { return result_; }

  private:
    static constexpr int most_statements = 1000;

    Expr here(Expr e) {
        Substitution put(pool_);
        bool known = true;
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op != Op::Local) return;
            const Expr value = leaf->index < frame_.size() ? frame_[leaf->index] : nullptr;
            known = known && value;
            if (value) put.replace(leaf, value);
        });
        return known ? put(e) : nullptr;
    }
    bool run(const std::vector<FunctionStatement>& body) {
        for (const FunctionStatement& s : body) {
            if (++statements_ > most_statements) return false;
            if (const auto* assign = std::get_if<FunctionAssign>(&s.what)) {
                if (assign->target->op != Op::Local || assign->target->index >= frame_.size()) return false;
                const Expr value = here(assign->value);
                if (!value) return false;
                frame_[assign->target->index] = value;
            } else if (const auto* choice = std::get_if<FunctionIf>(&s.what)) {
                if (!choose(*choice)) return false;
            } else if (!std::holds_alternative<FunctionAssert>(s.what)) {
                return false;
            }
        }
        return true;
    }
    bool choose(const FunctionIf& choice) {
        const std::vector<Expr> before = frame_;
        std::vector<Expr> conditions;
        std::vector<std::vector<Expr>> frames;
        bool complete = false;
        for (const auto& [condition, body] : choice.branches) {
            frame_ = before;
            if (condition) {
                conditions.push_back(here(condition));
                if (!conditions.back()) return false;
            }
            complete = complete || !condition;
            if (!run(body)) return false;
            frames.push_back(frame_);
        }
        if (!complete) frames.push_back(before);
        for (std::size_t slot = 0; slot < frame_.size(); ++slot) {
            const auto is_same = [&](const std::vector<Expr>& frame) {
                return frame[slot] == frames[0][slot];
            };
            const auto is_set = [&](const std::vector<Expr>& frame) { return frame[slot] != nullptr; };
            frame_[slot] = frames[0][slot];
            if (std::all_of(frames.begin(), frames.end(), is_same)) continue;
            frame_[slot] = nullptr;
            if (!std::all_of(frames.begin(), frames.end(), is_set)) continue;
            std::vector<Expr> parts;
            for (std::size_t k = 0; k < frames.size(); ++k) {
                if (k < conditions.size()) parts.push_back(conditions[k]);
                parts.push_back(frames[k][slot]);
            }
            frame_[slot] = pool_.choose(parts);
        }
        return true;
    }

    Pool& pool_;
    std::vector<Expr> frame_;  // by slot; null: no value yet
    Expr result_ = nullptr;
    int statements_ = 0;
};

}  // namespace

StepKind step_of(Analysis& a, ExactArithmetic& exact, Expr whole, Expr node) {
    return Steps(a, exact, whole, node).kind();
}

Expr written_out(Analysis& a, Expr call) {
    const auto* function = std::get_if<FunctionData>(&a.model().callees[call->callee()]);
    if (!function || function->external) return nullptr;
    Pool& pool = a.pool();
    if (call->derivatives == 0) return WrittenOut(pool, *function, call).result();
    std::vector<Expr> slots;
    Substitution arguments(pool);
    for (std::uint32_t k = 0; k < call->argument_count; ++k) {
        slots.push_back(pool.local(k));
        arguments.replace(slots.back(), call->arg(k));
    }
    Expr value = WrittenOut(pool, *function, pool.apply(call->callee(), call->order, slots)).result();
    for (std::uint32_t d = 0; value && d < call->derivatives; ++d)
        value = differentiate(pool, value, slots[call->by[d]]);
    return value ? arguments(value) : nullptr;
}

StepKind step_of_call(Analysis& a, ExactArithmetic& exact, Expr whole, Expr call) {
    const Expr value = call->derivatives > 0 ? nullptr : written_out(a, call);
    if (!value) return StepKind::NotKnown;
    Substitution put(a.pool());
    put.replace(call, value);
    const Expr written = put(whole);
    StepKind all = StepKind::Continuous;
    for_each_node(value, [&](Expr n) {
        if (all == StepKind::Jumps || n->boolean || (!is_function_with_jumps(n->op) && n->op != Op::If))
            return;
        const StepKind kind = step_of(a, exact, written, n);
        if (kind != StepKind::Continuous) all = kind;
    });
    return all;
}

}  // namespace cutset::passes
