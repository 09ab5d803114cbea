// Interpreter::explain_non_finite: which operation of which equation first had no finite result, and with
// what operands.
//
// The fast path knows nothing of this. The section is run once more; then its equations are looked at in the
// order of computation, and the first whose result is not finite is evaluated again node by node.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <type_traits>
#include <unordered_map>
#include <variant>

#include "expr/elementary_functions.h"
#include "generate/interpreter.h"

namespace cutset {

class Explainer {
  public:
    explicit Explainer(Interpreter& run) : run_(run), program_(run.program()), p_(*program_.partition) {
        names_ = p_.model.printer();
    }

    std::optional<Interpreter::NonFinite> explain(const Section& section) {
        const Layout& layout = program_.layout;
        if (&section == &program_.parameters) {
            for (VariableIndex v : p_.parameters) {
                const Variable& variable = p_.model.variables[v];
                if (variable.binding)
                    check(variable.binding, layout.variable[v.value], variable.origin, Unknown{v});
                if (found_) break;
            }
        } else if (&section == &program_.clocks) {
            for (std::size_t i = 0; i < p_.clocks.size() && !found_; ++i) {
                check(p_.clocks[i].first, layout.clock_parameters[i].first, {}, "sample");
                check(p_.clocks[i].period, layout.clock_parameters[i].second, {}, "sample");
            }
        } else if (&section == &program_.initial) {
            blocks(p_.initial_blocks, section);
        } else if (&section == &program_.jump) {
            blocks(p_.jump_blocks, section);
        } else if (&section == &program_.continuous) {
            blocks(p_.blocks, section);
        } else if (&section == &program_.eliminated) {
            for (const Eliminated& e : p_.eliminated) {
                check(e.value, layout.variable[e.variable.value], e.origin, Unknown{e.variable});
                if (found_) break;
            }
        } else if (&section == &program_.crossings) {
            for (std::size_t i = 0; i < p_.switches.size() && !found_; ++i)
                check(p_.switches[i].crossing, layout.crossings[i], p_.switches[i].origin, "");
        } else if (&section == &program_.conditions) {
            for (std::size_t i = 0; i < p_.delays.size() && !found_; ++i) {
                check(p_.delays[i].argument, layout.delay_arguments[i], {}, "delay");
                check(p_.delays[i].duration, layout.delay_durations[i], {}, "delay");
            }
        } else {
            for (std::size_t w = 0; w < program_.when_actions.size(); ++w)
                if (&section == &program_.when_actions[w]) when_actions(w);
        }
        return std::move(found_);
    }

  private:
    // The first node whose arguments are finite and whose value is not.
    struct Culprit {
        Expr node = nullptr;
        bool without_events = false;
    };

    double slot(Slot s) const { return run_[s]; }

    const Origin& origin(EquationIndex e, bool from_initial) const {
        return (from_initial ? p_.model.initial_equations[e] : p_.model.equations[e]).origin;
    }
    Slot slot_of(Unknown u) const {
        if (u.order == 0) return program_.layout.variable[u.variable.value];
        const auto state = std::find(p_.states.begin(), p_.states.end(), u.variable);
        return program_.layout.derivative[static_cast<std::size_t>(state - p_.states.begin())];
    }

    void blocks(const std::vector<Block>& list, const Section& section) {
        // The loops of the section, in the order of their blocks.
        std::vector<std::size_t> loops;
        for (const Instruction& i : section.instructions)
            if (i.code == Code::Solve) loops.push_back(i.a);
        std::size_t next = 0;
        // Looking up the slot of a derivative is slow: only for what is not finite.
        std::vector<Slot> derivative(p_.model.variables.size(), 0);
        for (std::size_t i = 0; i < p_.states.size(); ++i)
            derivative[p_.states[i].value] = program_.layout.derivative[i];
        for (const Block& b : list) {
            for (const SolvedEquation& s : b.inner) {
                const Slot at = s.unknown.order ? derivative[s.unknown.variable.value]
                                                : program_.layout.variable[s.unknown.variable.value];
                check(s.value, at, origin(s.equation, s.from_initial), s.unknown);
                if (found_) return;
            }
            if (b.torn.empty()) continue;
            const std::size_t loop = loops.at(next++);
            for (std::size_t i = 0; i < b.residuals.size(); ++i) {
                const ResidualEquation& r = b.residuals[i];
                check(r.residual, program_.loops[loop].residual_slots[i], origin(r.equation, r.from_initial),
                      "");
                if (found_) return;
            }
            if (run_.failed_loop_ == loop) return;  // what comes after it was not computed
        }
    }

    void when_actions(std::size_t number) {
        const WhenClause& w = p_.model.whens[number];
        for (std::size_t i = 0; i < w.actions.size() && !found_; ++i)
            std::visit(
                [&](const auto& a) {
                    if constexpr (!std::is_same_v<std::decay_t<decltype(a)>, WhenTerminate>)
                        check(a.value, program_.layout.when_values[number][i], a.origin, Unknown{a.target});
                },
                w.actions[i]);
    }

    std::string name(Unknown u) const { return p_.model.path(u.variable) + std::string(u.order, '\''); }

    // What an equation computes: an unknown, or in words, none for a residual.
    using Target = std::variant<Unknown, std::string_view>;

    // Asked of every equation at initialization: names and tables are made only for what is found.
    void check(Expr e, Slot at, const Origin& where, const Target& target) {
        if (std::isfinite(slot(at))) return;
        for (std::size_t i = 0; i < p_.switches.size(); ++i) switches_.emplace(p_.switches[i].node, i);
        for (std::size_t i = 0; i < p_.clocks.size(); ++i) clocks_.emplace(p_.clocks[i].node, i);
        for (std::size_t i = 0; i < p_.delays.size(); ++i) delays_.emplace(p_.delays[i].node, i);
        value(e);
        Interpreter::NonFinite what;
        what.origin = where;
        const Unknown* const unknown = std::get_if<Unknown>(&target);
        if (unknown) what.variable = unknown->variable;
        what.description = describe(e, unknown ? name(*unknown) : std::string(std::get<1>(target)));
        found_ = std::move(what);
    }

    // ---- evaluation, node by node

    double value(Expr e) {
        const auto key = std::pair(e, without_events_);
        if (const auto known = known_.find(key); known != known_.end()) return known->second;
        const double v = compute(e);
        if (!std::isfinite(v) && !culprit_.node) culprit_ = {e, without_events_};
        known_.emplace(key, v);
        return v;
    }

    double compute(Expr e) {
        const Layout& layout = program_.layout;
        switch (e->op) {
            case Op::Number:
                return e->number;
            case Op::Truth:
                return e->index;
            case Op::Variable:
                return slot(slot_of({e->variable(), e->order}));
            case Op::Previous:
                return slot(layout.previous[e->index]);
            case Op::Time:
                return slot(layout.time);
            case Op::Starting:
                return slot(layout.starting);
            case Op::Ending:
                return slot(layout.ending);
            case Op::Sample:
                return slot(layout.clocks[clocks_.at(e)]);
            case Op::Edge:
            case Op::Change:
                return 0;  // conditions are finite
            case Op::Delay: {
                const double duration = value(e->arg(1));
                return run_.hooks_.delays
                           ? run_.hooks_.delays->value(delays_.at(e), slot(layout.time) - duration)
                           : 0;
            }
            case Op::NoEvent: {
                const bool before = without_events_;
                without_events_ = true;
                const double v = value(e->arg(0));
                without_events_ = before;
                return v;
            }
            case Op::Add: {
                double sum = 0;
                for (Expr a : e->args()) sum += value(a);
                return sum;
            }
            case Op::Multiply: {
                double above = 1, below = 1;
                for (Expr a : e->args()) {
                    if (is_reciprocal(a))
                        below *= apply_binary(Op::Power, value(a->arg(0)), -a->arg(1)->number);
                    else
                        above *= value(a);
                }
                return above / below;
            }
            case Op::And:
            case Op::Or: {
                const bool decisive = e->op == Op::Or;
                for (Expr a : e->args())
                    if ((value(a) != 0) == decisive) return decisive;
                return !decisive;
            }
            case Op::If:
                for (std::size_t i = 0; i + 1 < e->argument_count; i += 2)
                    if (value(e->arg(i)) != 0) return value(e->arg(i + 1));
                return value(e->args().back());
            case Op::Apply: {
                std::vector<double> arguments;
                for (Expr a : e->args()) arguments.push_back(value(a));
                CallSite site;
                site.callee = e->callee();
                site.output = e->order;
                site.derivatives = e->derivatives;
                site.by[0] = e->by[0];
                site.by[1] = e->by[1];
                return run_.call(site, arguments).value_or(std::nan(""));
            }
            default: {
                if (!without_events_)
                    if (const auto frozen = switches_.find(e); frozen != switches_.end())
                        return slot(layout.switches[frozen->second]);
                const double x = value(e->arg(0));
                if (e->argument_count == 1) return apply_unary(e->op, x);
                return apply_binary(e->op, x, value(e->arg(1)));
            }
        }
    }

    static bool is_reciprocal(Expr e) {
        return e->op == Op::Power && e->arg(1)->is_number() && e->arg(1)->number < 0;
    }

    // ---- words

    double value_of(Expr e) {
        without_events_ = culprit_.without_events;
        return value(e);
    }
    std::string text(Expr e) const { return to_text(e, names_); }

    // What went wrong in the culprit; `operand` is set to a part worth showing with its value.
    std::string operation(Expr e, Expr& operand) {
        const auto of = [&](Expr x, const char* words) {
            operand = x;
            return std::string(words);
        };
        const auto zero_below = [&](Expr factor) {
            return is_reciprocal(factor) && value_of(factor->arg(0)) == 0;
        };
        switch (e->op) {
            case Op::Multiply:
                for (Expr a : e->args())
                    if (zero_below(a)) return of(a->arg(0), "division by zero");
                for (Expr a : e->args())
                    if (is_reciprocal(a) && value_of(a->arg(0)) < 0) return power_of_negative(a, operand);
                return "a product that is too large";
            case Op::Power:
                if (zero_below(e)) return of(e->arg(0), "division by zero");
                return power_of_negative(e, operand);
            case Op::Remainder:
            case Op::Modulo:
                return of(e->arg(1), "division by zero");
            case Op::Add:
                return "a sum that is too large";
            case Op::Apply:
                return "a function without a finite value";
            case Op::Delay:
                return "a delayed value that is not finite";
            case Op::Variable:
            case Op::Previous:
                return of(e, "a value that is not finite");
            case Op::Number:
                return "a number that is not finite";
            default:
                if (const ElementaryFunction* f = elementary_function(e->op); f && f->not_finite)
                    return of(e->arg(0), f->not_finite(value_of(e->arg(0))));
                return "a result that is not finite";
        }
    }
    std::string power_of_negative(Expr e, Expr& operand) {
        if (value_of(e->arg(0)) < 0) {
            operand = e->arg(0);
            return "a power of a negative number";
        }
        return "a power that is too large";
    }

    std::string describe(Expr e, const std::string& target) {
        const Expr culprit = culprit_.node ? culprit_.node : e;
        Expr operand = nullptr;
        std::string words = culprit_.node ? operation(culprit, operand) : "a result that is not finite";
        std::string equation = target.empty() ? "0 = " + text(e) : target + " := " + text(e);
        constexpr std::size_t longest = 160;
        if (equation.size() > longest)
            equation =
                text(culprit).size() <= longest ? text(culprit) : text(culprit).substr(0, longest) + "…";
        std::string out = words + " in `" + equation + "`";

        // The operand first, then the variables it and the rest are made of.
        std::vector<std::string> values;
        const auto show = [&](Expr x) {
            std::string line = text(x) + " = " + number_text(value_of(x));
            if (std::find(values.begin(), values.end(), line) == values.end())
                values.push_back(std::move(line));
        };
        constexpr std::size_t most = 8;
        if (operand && operand->argument_count > 0 && text(operand).size() <= longest) show(operand);
        for_each_leaf(culprit, [&](Expr leaf) {
            if (values.size() < most) show(leaf);
        });
        for (std::size_t i = 0; i < values.size(); ++i) out += (i ? ", " : ": ") + values[i];
        return out;
    }

    Interpreter& run_;
    const Program& program_;
    const Partition& p_;
    Printer names_;
    std::unordered_map<Expr, std::size_t> switches_, clocks_, delays_;
    struct KeyHash {
        std::size_t operator()(const std::pair<Expr, bool>& k) const {
            return 2 * std::size_t(k.first->id) + k.second;
        }
    };
    std::unordered_map<std::pair<Expr, bool>, double, KeyHash> known_;
    bool without_events_ = false;
    Culprit culprit_;
    std::optional<Interpreter::NonFinite> found_;
};

std::optional<Interpreter::NonFinite> Interpreter::explain_non_finite(const Section& section) {
    const auto error_before = error_;
    failed_loop_.reset();
    interpret(section);  // in the order of the equations: nothing after a loop that fails
    if (&section != &program_->eliminated) interpret(program_->eliminated);  // their slots are read below
    // Most sections are in order: this is also the question whether something is wrong at all.
    std::optional<NonFinite> found = Explainer(*this).explain(section);
    error_ = error_before;
    return found;
}

}  // namespace cutset
