#include "transform/discretize_clocked.h"

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <string>
#include <utility>

#include "transform/analysis.h"
#include "transform/clock_messages.h"
#include "transform/lower_order.h"
#include "transform/order_parameters.h"
#include "transform/reduce_index.h"

namespace cutset {

namespace {

bool depends_on_any(const Equation& e, const std::vector<bool>& variables) {
    const auto is = [&](Expr leaf) { return leaf->op == Op::Variable && variables[leaf->index]; };
    return depends_on(e.left, is) || depends_on(e.right, is);
}

// Constraints between states are differentiated as those of a continuous model are: the partition by itself,
// in which what operators give is known.
class ClockedIndexReduction {
  public:
    ClockedIndexReduction(FlatModel& model, ClockedEquations& partition, std::vector<Equation>& initial,
                          Diagnostics& diagnostics)
        : model_(model),
          partition_(partition),
          initial_(initial),
          diagnostics_(diagnostics),
          given_(model.variables.size()) {}

    void run() {
        const std::size_t before = diagnostics_.error_count();
        passes::Analysis a(part(), TransformOptions());
        for (const auto pass : {passes::order_parameters, passes::lower_order, passes::reduce_index}) {
            pass(a, diagnostics_);
            if (diagnostics_.error_count() > before) return;
        }
        for (EquationIndex e : a.partition.differentiated)
            if (depends_on_any(a.written[e.value], given_))
                diagnostics_.report(clock_messages::derivative_of_sampled(model_, a.written[e.value]));
        if (!a.partition.selections.empty())
            diagnostics_.report(
                clock_messages::states_change(model_, a.partition.selections[0].candidates[0]));
        if (diagnostics_.error_count() == before) take(a);
    }

  private:
    FlatModel part() {
        FlatModel sub;
        sub.pool = model_.pool;
        sub.name = model_.name;
        sub.instances = model_.instances;
        sub.variables = model_.variables;
        sub.callees = model_.callees;
        sub.enumerations = model_.enumerations;
        for (std::size_t k = 0; k < partition_.equations.size(); ++k) {
            const Equation& e = partition_.equations[k];
            if (partition_.of_operator[k])
                given_[e.left->index] = true;
            else
                sub.equations.add(e);
        }
        for (VariableIndex v : partition_.unknowns)
            if (!given_[v.value]) {
                sub.variables[v].variability = Variability::Continuous;
                sub.variables[v].binding = nullptr;
            }
        for (const Equation& e : initial_) {
            sub.initial_equations.add(e);
            if (e.left->op == Op::Variable && e.left->order == 0)  // wished for as a state
                sub.variables[e.left->variable()].start = Start{e.right, e.origin};
        }
        return sub;
    }

    void take(passes::Analysis& a) {
        FlatModel& sub = a.model();
        ClockedEquations made;
        made.unknowns = std::move(partition_.unknowns);
        for (std::size_t k = 0; k < partition_.equations.size(); ++k)
            if (partition_.of_operator[k]) made.add(std::move(partition_.equations[k]), true);
        for (EquationIndex e(0); e < sub.equations.end_index(); ++e.value)
            if (a.live[e.value]) made.add(sub.equations[e], false);
        for (const Eliminated& e : a.partition.eliminated)
            made.add({model_.pool->variable(e.variable), e.value, sub.variables[e.variable].origin,
                      EquationKind::Written},
                     false);
        for (VariableIndex v = model_.variables.end_index(); v < sub.variables.end_index(); ++v.value) {
            Variable& x = sub.variables[v];
            x.variability = Variability::Discrete;
            x.binding = x.start ? x.start->value : model_.pool->number(0);
            x.start.reset();
            made.unknowns.push_back(model_.variables.add(std::move(x)));
        }
        partition_ = std::move(made);
        initial_.assign(sub.initial_equations.begin(), sub.initial_equations.end());
    }

    FlatModel& model_;
    ClockedEquations& partition_;
    std::vector<Equation>& initial_;
    Diagnostics& diagnostics_;
    std::vector<bool> given_;  // by variable: an operator gives it
};

class Discretization {
  public:
    Discretization(FlatModel& model, Expr interval, Expr first_tick, ClockedEquations& partition)
        : model_(model),
          pool_(*model.pool),
          interval_(interval),
          first_tick_(first_tick),
          partition_(partition),
          original_(partition.unknowns) {}

    // Each derivative becomes a variable of its own.
    void name_derivatives(std::vector<Equation>& initial) {
        for (const Equation& e : partition_.equations) {
            find_derivatives(e.left);
            find_derivatives(e.right);
        }
        Substitution named(pool_);
        for (const State& s : states_) named.replace(pool_.variable(s.x, 1), pool_.variable(s.derivative));
        if (states_.empty()) return;
        for (auto* list : {&partition_.equations, &initial})
            for (Equation& e : *list) {
                e.left = named(e.left);
                e.right = named(e.right);
            }
    }

    void start_states(std::vector<Equation> initial, Diagnostics& diagnostics) {
        std::vector<Equation> open;
        for (Equation& e : initial)
            if (!give_start(e)) open.push_back(std::move(e));
        std::size_t next = 0;
        for (Equation& e : open) {
            while (next < states_.size() && states_[next].initial) ++next;
            if (next == states_.size()) {
                diagnostics.report(clock_messages::too_many_initial(model_, e));
                return;
            }
            states_[next].initial = e;
        }
    }

    void integrate(ClockSolver solver) {
        if (solver == ClockSolver::ExplicitMidPoint2 || solver == ClockSolver::ExplicitRungeKutta4)
            find_inputs();
        const std::vector<Expr> steps = increments(solver);
        for (std::size_t k = 0; k < states_.size(); ++k) {
            const State& s = states_[k];
            const Expr x = pool_.variable(s.x), next = pool_.add(pool_.previous(s.x), steps[k]);
            Equation e{x, next, model_.variables[s.x].origin, EquationKind::Written};
            if (!s.initial)
                e.right = pool_.choose(first_tick_, pool_.previous(s.x), next);
            else if (s.initial->left == x && !contains(s.initial->right, x))
                e.right = pool_.choose(first_tick_, s.initial->right, next);
            else {
                e.left = pool_.number(0);
                e.right = pool_.choose(first_tick_, pool_.subtract(s.initial->left, s.initial->right),
                                       pool_.subtract(x, next));
            }
            partition_.add(std::move(e), false);
        }
    }

  private:
    struct State {
        VariableIndex x, derivative;
        std::optional<Equation> initial;  // holds at the first tick; none: its start value
    };

    void find_derivatives(Expr side) {
        for_each_leaf(side, [&](Expr leaf) {
            if (leaf->op != Op::Variable || leaf->order == 0) return;
            CUTSET_ASSERT(leaf->order == 1);
            if (!state_of_.try_emplace(leaf->variable(), states_.size()).second) return;
            const VariableIndex x = leaf->variable();
            const VariableIndex derivative = add_variable(x, derivative_name(model_.variables[x].name));
            states_.push_back({x, derivative, {}});
            partition_.unknowns.push_back(derivative);
        });
    }
    VariableIndex add_variable(VariableIndex like, std::string name) {
        Variable v;
        v.origin = model_.variables[like].origin;
        v.type = model_.variables[like].type;
        v.typed = model_.variables[like].typed;
        v.enumeration = model_.variables[like].enumeration;
        v.name = std::move(name);
        v.internal = true;
        v.variability = Variability::Discrete;
        v.binding = pool_.number(v.type == ValueType::Enumeration ? 1 : 0);
        return model_.variables.add(std::move(v));
    }

    // x = e of a state.
    bool give_start(Equation& e) {
        for (auto [side, other] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
            if (side->op != Op::Variable || side->order != 0) continue;
            const auto found = state_of_.find(side->variable());
            if (found == state_of_.end() || states_[found->second].initial) continue;
            states_[found->second].initial = Equation{side, other, e.origin, e.kind};
            return true;
        }
        return false;
    }

    std::vector<Expr> increments(ClockSolver solver) {
        std::vector<Expr> before, now;
        for (const State& s : states_) {
            before.push_back(pool_.previous(s.derivative));
            now.push_back(pool_.variable(s.derivative));
        }
        switch (solver) {
            case ClockSolver::None:
                CUTSET_ASSERT(false);
                return {};
            case ClockSolver::ExplicitEuler:
                return scaled(interval_, before);
            case ClockSolver::ImplicitEuler:
                return scaled(interval_, now);
            case ClockSolver::ImplicitTrapezoid:
                return scaled(half(interval_), sum(before, now));
            case ClockSolver::ExplicitMidPoint2:
                return scaled(interval_, stage(scaled(half(interval_), before), 0.5));
            case ClockSolver::ExplicitRungeKutta4: {
                const std::vector<Expr> k2 = stage(scaled(half(interval_), before), 0.5);
                const std::vector<Expr> k3 = stage(scaled(half(interval_), k2), 0.5);
                const std::vector<Expr> k4 = stage(scaled(interval_, k3), 1);
                const std::vector<Expr> ends = sum(before, k4), middle = scaled(pool_.number(2), sum(k2, k3));
                return scaled(pool_.divide(interval_, pool_.number(6)), sum(ends, middle));
            }
        }
        return {};
    }
    Expr half(Expr e) { return pool_.divide(e, pool_.number(2)); }
    std::vector<Expr> scaled(Expr by, std::vector<Expr> all) {
        for (Expr& e : all) e = pool_.multiply(by, e);
        return all;
    }
    std::vector<Expr> sum(std::vector<Expr> a, const std::vector<Expr>& b) {
        for (std::size_t k = 0; k < a.size(); ++k) a[k] = pool_.add(a[k], b[k]);
        return a;
    }

    // What operators give.
    void find_inputs() {
        const std::size_t n = partition_.equations.size();
        copied_.clear();
        for (std::size_t e = 0; e < n; ++e)
            if (partition_.of_operator[e])
                inputs_.push_back(partition_.equations[e].left->variable());
            else
                copied_.push_back(e);
        std::sort(inputs_.begin(), inputs_.end());
    }
    bool is_input(VariableIndex v) const { return std::binary_search(inputs_.begin(), inputs_.end(), v); }

    // The derivatives at a stage: the equations once more, with the states moved and the inputs between their
    // last values and those of now.
    std::vector<Expr> stage(const std::vector<Expr>& steps, double part) {
        Substitution there(pool_);
        const Expr so_far = pool_.multiply(pool_.number(1 - part), interval_);
        there.replace(pool_.time(), pool_.subtract(pool_.time(), so_far));
        ++stages_;
        std::vector<Expr> derivatives;
        for (std::size_t k = 0; k < states_.size(); ++k) {
            there.replace(pool_.variable(states_[k].x), pool_.add(pool_.previous(states_[k].x), steps[k]));
            derivatives.push_back(copy(states_[k].derivative, there));
        }
        for (VariableIndex v : original_) {
            const Expr leaf = pool_.variable(v);
            if (state_of_.contains(v)) continue;
            if (!is_input(v))
                copy(v, there);
            else if (part < 1 && model_.variables[v].type == ValueType::Real)
                there.replace(leaf, half(pool_.add(pool_.previous(v), leaf)));
        }
        for (std::size_t e : copied_) {
            Equation made = partition_.equations[e];
            made.left = there(made.left);
            made.right = there(made.right);
            partition_.add(std::move(made), false);
        }
        return derivatives;
    }
    Expr copy(VariableIndex v, Substitution& there) {
        const VariableIndex made =
            add_variable(v, model_.variables[v].name + " at stage " + std::to_string(stages_ + 1));
        partition_.unknowns.push_back(made);
        there.replace(pool_.variable(v), pool_.variable(made));
        return pool_.variable(made);
    }

    FlatModel& model_;
    Pool& pool_;
    Expr interval_, first_tick_;
    ClockedEquations& partition_;
    std::vector<VariableIndex> original_;  // unknowns, derivatives left out
    std::vector<State> states_;
    std::map<VariableIndex, std::size_t> state_of_;
    std::vector<VariableIndex> inputs_;
    std::vector<std::size_t> copied_;
    int stages_ = 0;
};

}  // namespace

void discretize(FlatModel& model, ClockSolver solver, Expr interval, Expr first_tick,
                std::vector<Equation> initial, ClockedEquations& partition, Diagnostics& diagnostics) {
    const std::size_t before = diagnostics.error_count();
    ClockedIndexReduction(model, partition, initial, diagnostics).run();
    if (diagnostics.error_count() > before) return;
    Discretization d(model, interval, first_tick, partition);
    d.name_derivatives(initial);
    d.start_states(std::move(initial), diagnostics);
    d.integrate(solver);
}

void take_starts(FlatModel& model, const std::vector<Equation>& initial, Diagnostics& diagnostics) {
    const auto known = [&](Expr side) {
        return !depends_on(side, [&](Expr leaf) {
            return leaf->op != Op::Variable ||
                   model.variables[leaf->variable()].variability > Variability::Parameter;
        });
    };
    for (const Equation& e : initial) {
        const auto give = [&](Expr side, Expr other) {
            const bool alone = (side->op == Op::Variable || side->op == Op::Previous) && side->order == 0;
            if (!alone || !known(other)) return false;
            model.variables[side->variable()].binding = other;
            return true;
        };
        if (!give(e.left, e.right) && !give(e.right, e.left))
            diagnostics.report(clock_messages::initial_of_clocked(model, e));
    }
}

}  // namespace cutset
