#include "transform/inline_functions.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <unordered_map>
#include <utility>

namespace cutset::passes {
namespace {

constexpr std::size_t most_statements = 10000;  // of one call, loops unrolled
constexpr int deepest = 100;                    // of an expression, for what is built around it later

bool is_inlined(const Callee& callee) {
    const auto* function = std::get_if<FunctionData>(&callee);
    return function && function->inlined && !function->external;
}

// Whether something in e switches.
bool may_switch(Expr e) {
    bool found = false;
    for_each_node(e, [&](Expr n) {
        switch (n->op) {
            case Op::Less:
            case Op::LessEqual:
            case Op::Equal:
            case Op::NotEqual:
            case Op::Truncate:
            case Op::Floor:
            case Op::Remainder:
            case Op::Modulo:
            case Op::Sign:
            case Op::Abs:
            case Op::Min:
            case Op::Max:
                found = true;
                break;
            default:
                break;
        }
    });
    return found;
}

int depth_of(Expr e) {
    int below = 0;
    std::unordered_map<Expr, int> of;  // looked up only
    for_each_node(e, [&](Expr n) {
        int deep = 0;
        for (Expr x : n->args()) deep = std::max(deep, of[x]);
        of[n] = deep + 1;
        below = std::max(below, deep + 1);
    });
    return below;
}

class Inliner {
  public:
    explicit Inliner(Analysis& a) : a_(a), model_(a.model()), pool_(a.pool()) {}

    void run() {
        bool any = false;
        for (EquationIndex i(0); i.value < a_.written.size(); ++i.value) {
            if (!a_.live[i.value]) continue;
            origin_ = model_.equations[i].origin;
            const Expr left = rewrite(model_.equations[i].left), right = rewrite(model_.equations[i].right);
            Equation& e = model_.equations[i];
            if (left == e.left && right == e.right) continue;
            e.left = left;
            e.right = right;
            any = true;
        }
        if (any) a_.matched = {};
    }

  private:
    struct Stop {};  // this call stays a call

    struct Definition {
        Variable variable;
        Expr value;
    };
    using Frame = std::vector<Expr>;  // by slot; null: no value yet

    // ---- equations

    Expr rewrite(Expr e) {
        if (e->argument_count == 0 || a_.variation_of(e) != Variation::Varying) return e;
        if (const auto known = rewritten_.find(e); known != rewritten_.end()) return known->second;
        Expr result = e;
        switch (e->op) {
            case Op::NoEvent:
            case Op::Delay:
            case Op::And:
            case Op::Or:
                break;
            case Op::If: {
                std::vector<Expr> parts(e->args().begin(), e->args().end());
                parts[0] = rewrite(parts[0]);
                result = pool_.rebuild(e, parts);
                break;
            }
            default: {
                std::vector<Expr> x;
                for (Expr argument : e->args()) x.push_back(rewrite(argument));
                const bool call =
                    e->op == Op::Apply && e->derivatives == 0 && is_inlined(model_.callees[e->callee()]);
                const Expr inlined = call ? output(e->callee(), e->order, x) : nullptr;
                result = inlined ? inlined : pool_.rebuild(e, x);
                break;
            }
        }
        rewritten_.emplace(e, result);
        return result;
    }

    // An output of the call; null when it stays a call.
    Expr output(CalleeIndex callee, std::uint32_t number, const std::vector<Expr>& x) {
        std::vector<std::uint32_t> key{callee.value};
        for (Expr argument : x) key.push_back(argument->id);
        const auto [found, added] = outputs_.try_emplace(std::move(key));
        std::vector<Expr>& outputs = found->second;  // of a map: it stays where it is
        if (added) {
            pending_.clear();
            statements_ = 0;
            try {
                outputs = call(callee, x);
                add_definitions();
            } catch (Stop) {
                outputs.clear();
            }
        }
        return number < outputs.size() ? outputs[number] : nullptr;
    }

    void add_definitions() {
        for (Definition& d : pending_) {
            const VariableIndex v = a_.add_variable(std::move(d.variable));
            a_.add_equation({pool_.variable(v), d.value, origin_, EquationKind::Written});
        }
    }

    // ---- a call, symbolically

    std::vector<Expr> call(CalleeIndex callee, const std::vector<Expr>& x) {
        if (std::find(calling_.begin(), calling_.end(), callee) != calling_.end()) throw Stop{};
        calling_.push_back(callee);
        struct Leave {
            std::vector<CalleeIndex>& calling;
            const FunctionData*& function;
            const FunctionData* outer;
            ~Leave() {
                calling.pop_back();
                function = outer;
            }
        } leave{calling_, function_, function_};
        const auto& f = std::get<FunctionData>(model_.callees[callee]);
        function_ = &f;
        if (x.size() != f.inputs) throw Stop{};
        Frame frame(f.slots, nullptr);
        std::copy(x.begin(), x.end(), frame.begin());
        for (const auto& [slot, value] : f.constants) frame[slot] = pool_.number(value);
        run(f.body, frame);
        const std::vector<Expr> outputs(frame.begin() + f.inputs, frame.begin() + f.inputs + f.outputs);
        if (std::find(outputs.begin(), outputs.end(), nullptr) != outputs.end()) throw Stop{};
        return outputs;
    }

    void run(const std::vector<FunctionStatement>& body, Frame& frame) {
        for (const FunctionStatement& statement : body) {
            if (++statements_ > most_statements) throw Stop{};
            if (const auto* assign = std::get_if<FunctionAssign>(&statement.what))
                run(*assign, frame);
            else if (const auto* choice = std::get_if<FunctionIf>(&statement.what))
                run(*choice, frame);
            else if (const auto* loop = std::get_if<FunctionFor>(&statement.what))
                run(*loop, frame);
            else
                throw Stop{};
        }
    }

    void run(const FunctionAssign& assign, Frame& frame) {
        const Expr value = with(frame, assign.value);
        const std::uint32_t slot =
            assign.target->op == Op::Element ? element(assign.target, frame) : assign.target->index;
        frame[slot] = define(slot, value);
    }

    void run(const FunctionFor& loop, Frame& frame) {
        const Expr from = with(frame, loop.from), to = with(frame, loop.to),
                   step = loop.step ? with(frame, loop.step) : pool_.number(1);
        if (!from->is_number() || !to->is_number() || !step->is_number() || step->number == 0) throw Stop{};
        const double times = std::floor((to->number - from->number) / step->number + 1e-9);
        if (!(times < double(most_statements))) throw Stop{};
        for (double k = 0; k <= times; ++k) {
            frame[loop.slot] = pool_.number(from->number + k * step->number);
            run(loop.body, frame);
        }
    }

    // The branches side by side: what they compute becomes a choice, in which only one is evaluated.
    void run(const FunctionIf& choice, Frame& frame) {
        std::vector<Expr> conditions;
        std::vector<Frame> ends;
        ++branches_;
        bool certain = false;  // one of the branches so far is taken
        for (const auto& [condition, body] : choice.branches) {
            const Expr holds = condition ? with(frame, condition) : pool_.truth(true);
            if (certain || (holds->op == Op::Truth && holds->index == 0)) continue;
            certain = holds->op == Op::Truth;
            conditions.push_back(holds);
            ends.push_back(frame);
            run(body, ends.back());
        }
        --branches_;
        if (!certain) ends.push_back(frame);
        for (std::uint32_t slot = 0; slot < frame.size(); ++slot) {
            const auto differs = [&](const Frame& end) { return end[slot] != frame[slot]; };
            if (std::none_of(ends.begin(), ends.end(), differs)) continue;
            // A value that is not there on some way is not asked for on the others.
            const auto lacks = [&](const Frame& end) { return end[slot] == nullptr; };
            if (std::any_of(ends.begin(), ends.end(), lacks)) {
                frame[slot] = nullptr;
                continue;
            }
            std::vector<Expr> parts;
            for (std::size_t k = 0; k + 1 < ends.size(); ++k) {
                parts.push_back(conditions[k]);
                parts.push_back(ends[k][slot]);
            }
            parts.push_back(ends.back()[slot]);
            frame[slot] = define(slot, parts.size() == 1 ? parts[0] : pool_.choose(parts));
        }
    }

    // The slot of an array element whose position is known.
    std::uint32_t element(Expr e, const Frame& frame) {
        const Expr position = with(frame, e->arg(0));
        if (!position->is_number() || position->number != std::floor(position->number) ||
            !(position->number >= 1) || !(position->number <= double(e->order)))
            throw Stop{};
        return e->index + static_cast<std::uint32_t>(position->number) - 1;
    }

    Expr with(const Frame& frame, Expr e) {
        std::unordered_map<Expr, Expr> done;  // looked up only
        return with(frame, e, done);
    }
    Expr with(const Frame& frame, Expr e, std::unordered_map<Expr, Expr>& done) {
        if (e->op == Op::Local || e->op == Op::Element) {
            const Expr value = frame[e->op == Op::Local ? e->index : element(e, frame)];
            if (!value) throw Stop{};
            return value;
        }
        if (e->argument_count == 0) return e;
        if (const auto known = done.find(e); known != done.end()) return known->second;
        std::vector<Expr> x;
        for (Expr argument : e->args()) x.push_back(with(frame, argument, done));
        Expr result = nullptr;
        if (e->op == Op::Apply && e->derivatives == 0 && branches_ == 0 &&
            is_inlined(model_.callees[e->callee()]))
            result = call(e->callee(), x).at(e->order);
        else
            result = pool_.rebuild(e, x);
        done.emplace(e, result);
        return result;
    }

    // A variable for a value that is more than a name; in a branch the value itself.
    Expr define(std::uint32_t slot, Expr value) {
        if (value->argument_count == 0) return value;
        if (depth_of(value) > deepest) throw Stop{};
        if (branches_ > 0 || value->boolean) return value;
        if (pending_.empty() && a_.variation_of(value) != Variation::Varying) return value;
        Definition d;
        d.variable.name = fmt::format("{} {}.{}", function_->name, model_.variables.size() + pending_.size(),
                                      function_->slot_names[slot]);
        d.variable.internal = true;
        d.variable.origin = origin_;
        d.value = may_switch(value) ? pool_.call(Op::NoEvent, value) : value;
        pending_.push_back(std::move(d));
        return pool_.variable(
            VariableIndex(static_cast<std::uint32_t>(model_.variables.size() + pending_.size() - 1)));
    }

    Analysis& a_;
    FlatModel& model_;
    Pool& pool_;
    Origin origin_;                                                    // of the equation at hand
    std::unordered_map<Expr, Expr> rewritten_;                         // looked up only
    std::map<std::vector<std::uint32_t>, std::vector<Expr>> outputs_;  // by callee and arguments; empty: none
    std::vector<Definition> pending_;                                  // of the call at hand
    std::vector<CalleeIndex> calling_;                                 // the innermost last
    const FunctionData* function_ = nullptr;
    std::size_t statements_ = 0;
    int branches_ = 0;  // around the statement at hand
};

}  // namespace

void inline_functions(Analysis& a, Diagnostics&) {
    const auto& callees = a.model().callees;
    if (std::any_of(callees.begin(), callees.end(), is_inlined)) Inliner(a).run();
}

}  // namespace cutset::passes
