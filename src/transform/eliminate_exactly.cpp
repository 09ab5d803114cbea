#include "transform/eliminate_exactly.h"

#include <algorithm>
#include <cmath>
#include <tuple>

#include "expr/node_map.h"
#include "graph/integer_elimination.h"
#include "ir/exact_sum.h"
#include "transform/messages.h"
#include "transform/rewrite.h"

namespace cutset::passes {
namespace {

// Sums longer than this stay equations: replacing them would only make other equations longer.
constexpr std::size_t longest_value = 4;

// First everything but differentiated variables is eliminated; then differentiated ones that have turned out
// to be equal: x = ±y, and with it x' = ±y'.
enum class Round { Others, Differentiated };

// factor*rest
struct IntegerTimes {
    Expr rest;
    std::int64_t factor = 1;
};
IntegerTimes integer_times(Pool& pool, Expr term) {
    const std::optional<double> n = integer_factor(term);
    if (!n) return {term};
    if (term->is_number()) return {pool.number(1), std::int64_t(*n)};
    return {term->argument_count == 2 ? term->arg(1) : pool.multiply(term->args().subspan(1)),
            std::int64_t(*n)};
}

class ExactElimination {
  public:
    ExactElimination(Analysis& a, Round round, Diagnostics& diagnostics)
        : a_(a),
          round_(round),
          model_(a.model()),
          diagnostics_(diagnostics),
          column_of_(model_.variables.size(), no_column) {}

    void run() {
        collect_rows();
        set_preferences();
        result_ = graph::eliminate(system_, {.max_terms = longest_value, .max_coefficient = 1});
        remove_superfluous();
        a_.partition.eliminated.reserve(a_.partition.eliminated.size() + result_.eliminated.size());
        for (const graph::EliminatedVariable& e : result_.eliminated) eliminate(e);
        carry_over();
        substitute();
        check_what_is_left();
    }

  private:
    static constexpr std::uint32_t no_column = 0xFFFFFFFFu;

    // ---- rows

    std::uint32_t unknown_column(VariableIndex v) {
        std::uint32_t& column = column_of_[v.value];
        if (column == no_column) {
            column = std::uint32_t(variable_of_.size());
            variable_of_.push_back(v);
        }
        return column;
    }
    std::uint32_t known_column(Expr e) {
        if (known_column_.insert(e, std::uint32_t(knowns_.size()))) knowns_.push_back(e);
        return known_column_.at(e);
    }

    void add_term(graph::IntegerRow& row, Expr e, std::int64_t sign) {
        const IntegerTimes term = integer_times(a_.pool(), e);
        const std::int64_t factor = sign * term.factor;
        if (term.rest->op == Op::Variable && a_.continuous_variable[term.rest->index])
            row.unknowns.push_back({unknown_column(term.rest->variable()), factor});
        else
            row.knowns.push_back({known_column(term.rest), factor});
    }
    void add_terms(graph::IntegerRow& row, Expr e, std::int64_t sign) {
        for (Expr term : terms_of_sum(e)) add_term(row, term, sign);
    }
    // v = ±w, when all terms with a column are added up: y + u = -u is none.
    static bool is_alias(const graph::IntegerRow& row) {
        std::vector<graph::IntegerTerm> sums;
        for (const graph::IntegerTerm& t : row.unknowns) {
            const auto same = std::find_if(sums.begin(), sums.end(),
                                           [&](const auto& sum) { return sum.column == t.column; });
            if (same == sums.end())
                sums.push_back(t);
            else
                same->coefficient += t.coefficient;
        }
        return row.knowns.empty() && sums.size() == 2 &&
               std::all_of(sums.begin(), sums.end(),
                           [](const auto& t) { return std::abs(t.coefficient) == 1; });
    }
    bool between_derivatives(const Equation& e) {
        if (a_.leaves({e.left, e.right}).size() != 2) return false;
        const auto leaves = a_.leaves({a_.pool().subtract(e.left, e.right)});
        return leaves.size() == 2 && std::all_of(leaves.begin(), leaves.end(), [&](Expr leaf) {
                   return leaf->order == 0 && a_.differentiated[leaf->index];
               });
    }
    void collect_rows() {
        std::vector<bool> homotopy(model_.equations.size());
        for (const Homotopy& h : model_.homotopies) homotopy[h.equation.value] = true;
        for (EquationIndex i(0); i < model_.equations.end_index(); ++i.value) {
            const Equation& e = model_.equations[i];
            if (!a_.live[i.value] || e.left->boolean || homotopy[i.value]) continue;
            if (round_ == Round::Differentiated && !between_derivatives(e)) continue;
            if (!is_exact(model_, e)) continue;
            graph::IntegerRow row;
            add_terms(row, e.left, 1);
            add_terms(row, e.right, -1);
            if (round_ == Round::Differentiated && !is_alias(row)) continue;
            system_.rows.push_back(std::move(row));
            equation_of_.push_back(i);
        }
        system_.unknowns = variable_of_.size();
        system_.knowns = knowns_.size();
    }
    void set_preferences() {
        std::vector<std::uint8_t> depth(model_.instances.size());
        for (std::size_t i = 1; i < depth.size(); ++i) {
            const InstanceIndex parent = model_.instances[InstanceIndex(i)].parent;
            if (parent.value < i) depth[i] = std::uint8_t(std::min(15, depth[parent.value] + 1));
        }
        std::vector<bool> watched(model_.variables.size());
        previous_used_.assign(model_.variables.size(), false);
        const auto look = [&](Expr root) {
            for_each_node(root, [&](Expr e) {
                if (e->op == Op::Change && e->arg(0)->op == Op::Variable) watched[e->arg(0)->index] = true;
                if (e->op == Op::Previous) previous_used_[e->index] = true;
            });
        };
        for (const WhenClause& when : model_.whens) {
            look(when.condition);
            for (const WhenAction& action : when.actions) {
                if (const Expr guard = guard_of(action)) look(guard);
                if (auto* assign = std::get_if<WhenAssign>(&action)) look(assign->value);
                if (auto* reinit = std::get_if<WhenReinit>(&action)) look(reinit->value);
            }
        }
        for (VariableIndex v : variable_of_) {
            const Variable& variable = model_.variables[v];
            int p = 16 - depth[variable.origin.instance.value];
            if (variable.start) p += 64;
            if (variable.state_select >= StateSelect::Prefer) p += 64;
            if (variable.nominal) p += 32;
            if (variable.top_output || variable.top_input) p += 32;
            if (round_ == Round::Others && a_.differentiated[v.value]) p = graph::never_eliminate;
            if (watched[v.value]) p = graph::never_eliminate;
            system_.preference.push_back(std::uint8_t(p));
        }
    }

    // ---- rows that follow from others

    std::vector<EquationIndex> origin(std::uint32_t row) const {
        std::vector<EquationIndex> equations;
        for (std::uint32_t r : result_.origin(row)) equations.push_back(equation_of_[r]);
        return equations;
    }
    void drop(EquationIndex e, std::vector<EquationIndex> with) {
        a_.live[e.value] = false;
        a_.partition.dependent_removed.push_back(e);
        std::erase(with, e);
        a_.dependencies.push_back({e, std::move(with)});
    }
    void remove_superfluous() {
        for (std::uint32_t r = 0; r < system_.rows.size(); ++r)
            if (result_.outcome[r] == graph::RowOutcome::Dependent) drop(equation_of_[r], origin(r));
        for (const graph::ContradictoryRow& c : result_.contradictions) {
            // The sum of the known terms would have to be zero: for the values of this run it is or it is
            // not.
            double sum = 0, size = 0;
            bool decided = true;
            std::vector<Expr> terms;
            for (const graph::IntegerTerm& t : c.knowns) {
                const auto value = a_.values.ask(knowns_[t.column]);
                decided = decided && value;
                sum += double(t.coefficient) * value.value_or(0);
                size += std::abs(double(t.coefficient) * value.value_or(0));
                terms.push_back(
                    a_.pool().multiply(a_.pool().number(double(t.coefficient)), knowns_[t.column]));
            }
            if (!decided) continue;  // stays an equation without unknowns
            if (std::abs(sum) <= 1e-12 * size) {
                a_.make_structural(a_.pool().add(terms));
                drop(equation_of_[c.row], origin(c.row));
            } else {
                a_.live[equation_of_[c.row].value] = false;
                diagnostics_.report(contradictory_equations(a_, equation_of_[c.row], origin(c.row)));
            }
        }
    }

    // ---- values

    Expr value_of(const graph::IntegerRow& value, std::uint32_t order, bool previous) {
        Pool& pool = a_.pool();
        std::vector<Expr> terms;
        const auto times = [&](std::int64_t coefficient, Expr e) {
            return coefficient == 1 ? e : pool.multiply(pool.number(double(coefficient)), e);
        };
        for (const graph::IntegerTerm& t : value.unknowns) {
            const VariableIndex w = variable_of_[t.column];
            terms.push_back(times(t.coefficient, previous ? pool.previous(w) : pool.variable(w, order)));
        }
        if (order == 0)
            for (const graph::IntegerTerm& t : value.knowns)
                terms.push_back(times(t.coefficient, knowns_[t.column]));
        return terms.size() == 1 ? terms[0] : pool.add(terms);
    }

    void eliminate(const graph::EliminatedVariable& e) {
        Pool& pool = a_.pool();
        const VariableIndex v = variable_of_[e.variable];
        const EquationIndex equation = equation_of_[e.row];
        const bool single = e.value.unknowns.size() == 1 && std::abs(e.value.unknowns[0].coefficient) == 1;
        const bool pure = single && e.value.knowns.empty();
        std::optional<VariableIndex> kept;
        if (single) kept = variable_of_[e.value.unknowns[0].column];

        CUTSET_ASSERT(!a_.differentiated[v.value] || (pure && a_.differentiated[kept->value]));
        a_.gone[v.value] = true;
        a_.live[equation.value] = false;
        const bool constant = e.value.unknowns.empty();
        const bool alias = pure || constant;
        const Expr value = value_of(e.value, 0, false);
        a_.partition.eliminated.push_back({v, value, alias, model_.equations[equation].origin});
        a_.partition.aliases_removed += alias;
        substitution_.replace(pool.variable(v), value);
        if (previous_used_[v.value]) substitution_.replace(pool.previous(v), value_of(e.value, 0, true));
        if (a_.differentiated[v.value])
            substitution_.replace(pool.variable(v, 1), value_of(e.value, 1, false));
        if (pure) aliases_.push_back({v, *kept, e.value.unknowns[0].coefficient > 0 ? 1 : -1});
    }

    // ---- initial value, nominal value and bounds of aliases

    struct Alias {
        VariableIndex variable, kept;
        int sign;
    };
    void carry_over() {
        // An initial value from the command line counts most, then that of a differentiated variable, then
        // any.
        std::stable_sort(aliases_.begin(), aliases_.end(), [&](const Alias& x, const Alias& y) {
            const auto order = [&](const Alias& alias) {
                const Variable& v = model_.variables[alias.variable];
                if (!v.start) return 4;
                if (v.start->only_guess) return 3;
                return v.start->from_user ? 0 : a_.differentiated[alias.variable.value] ? 1 : 2;
            };
            return order(x) < order(y);
        });
        std::vector<VariableIndex> source(model_.variables.size());  // whose initial value a variable has
        for (std::size_t i = 0; i < source.size(); ++i) source[i] = VariableIndex(i);
        std::vector<VariableIndex> wisher = source;  // whose wish to be a state a variable has
        for (const Alias& alias : aliases_) {
            const Variable& v = model_.variables[alias.variable];
            Variable& kept = model_.variables[alias.kept];
            unite_wishes(alias, wisher);
            if (v.start) {
                Start start = *v.start;
                if (alias.sign < 0) start.value = a_.pool().negate(start.value);
                const bool replaces =
                    !kept.start || rank(start, alias.variable) < rank(*kept.start, source[alias.kept.value]);
                if (kept.start && !start.only_guess && !kept.start->only_guess &&
                    a_.differentiated[alias.variable.value] && a_.options.initial != InitialMode::Jump &&
                    differ(kept.start->value, start.value) && kept.start->from_user == start.from_user &&
                    kept.start->by_default == start.by_default) {
                    VariableIndex loser = alias.variable, winner = source[alias.kept.value];
                    if (replaces) std::swap(loser, winner);
                    diagnostics_.report(starts_differ(a_, loser, winner, alias.sign < 0));
                }
                if (replaces) {
                    kept.start = start;
                    source[alias.kept.value] = alias.variable;
                }
            }
            if (!kept.nominal) kept.nominal = v.nominal;
            auto minimum = v.minimum, maximum = v.maximum;
            if (alias.sign < 0) {
                std::swap(minimum, maximum);
                if (minimum) minimum = -*minimum;
                if (maximum) maximum = -*maximum;
            }
            if (minimum) kept.minimum = std::max(*minimum, kept.minimum.value_or(*minimum));
            if (maximum) kept.maximum = std::min(*maximum, kept.maximum.value_or(*maximum));
        }
    }
    // Which start of equal variables counts, the least first: that of --init, what is more than a guess, what
    // is said of a differentiated variable, what is more than a default, what was given nearest to the top.
    std::tuple<bool, bool, bool, bool, std::uint32_t> rank(const Start& s, VariableIndex of) const {
        return std::tuple(!s.from_user, s.only_guess, !s.only_guess && !a_.differentiated[of.value],
                          s.by_default, s.depth);
    }
    // A wish for a state counts more than one against it, and any more than none.
    void unite_wishes(const Alias& alias, std::vector<VariableIndex>& wisher) {
        const StateSelect mine = model_.variables[alias.variable].state_select;
        StateSelect& kept = model_.variables[alias.kept].state_select;
        if (mine == StateSelect::Default || mine == kept) return;
        const VariableIndex other = wisher[alias.kept.value];
        if (kept == StateSelect::Never && mine >= StateSelect::Prefer)
            diagnostics_.report(state_wishes_differ(a_, alias.variable, other));
        else if (mine == StateSelect::Never && kept >= StateSelect::Prefer)
            diagnostics_.report(state_wishes_differ(a_, other, alias.variable));
        if (kept != StateSelect::Default && mine < kept) return;
        kept = mine;
        wisher[alias.kept.value] = alias.variable;
    }
    bool differ(Expr x, Expr y) {
        if (x == y) return false;
        if (!a_.if_parametric(x) || !a_.if_parametric(y)) return true;
        return !a_.values.decide(ComparisonDecision{x, y, ComparisonDecision::How::NearlyEqual});
    }

    void substitute() {
        if (substitution_.empty()) return;
        const auto concerned = [&](Expr leaf) { return bool(a_.gone[leaf->index]); };
        rewrite_expressions(
            a_, [&](EquationIndex e) { return bool(a_.live[e.value]); }, concerned, substitution_);
        for (Eliminated& e : a_.partition.eliminated) {
            const auto leaves = a_.leaves({e.value});
            if (std::any_of(leaves.begin(), leaves.end(), concerned)) e.value = substitution_(e.value);
        }
        for (std::optional<Start>& start : a_.starts_before) {
            if (!start) continue;
            const auto leaves = a_.leaves({start->value}, true);
            if (std::any_of(leaves.begin(), leaves.end(), concerned))
                start->value = substitution_(start->value);
        }
        std::vector<std::pair<VariableIndex, int>> kept_of(model_.variables.size(), {VariableIndex(0), 0});
        for (const Alias& alias : aliases_) kept_of[alias.variable.value] = {alias.kept, alias.sign};
        for (WhenClause& when : model_.whens) {
            const auto renew = [&](Expr& e) {
                // pre(v) is not a leaf that `concerned` sees.
                e = substitution_(e);
            };
            renew(when.condition);
            for (WhenAction& action : when.actions) {
                std::visit(
                    [&](auto& a) {
                        if (a.guard) renew(a.guard);
                    },
                    action);
                if (auto* assign = std::get_if<WhenAssign>(&action)) renew(assign->value);
                if (auto* reinit = std::get_if<WhenReinit>(&action)) {
                    renew(reinit->value);
                    const auto [kept, sign] = kept_of[reinit->target.value];
                    if (sign == 0) continue;
                    reinit->target = kept;
                    if (sign < 0) reinit->value = a_.pool().negate(reinit->value);
                }
            }
        }
    }

    // Equations that say something about parameters only, now that variables are replaced.
    void check_what_is_left() {
        for (EquationIndex i(0); i < model_.equations.end_index(); ++i.value) {
            const Equation& e = model_.equations[i];
            if (!a_.live[i.value] || e.left->boolean) continue;
            if (a_.variation_of(e.left) > Variation::Parametric ||
                a_.variation_of(e.right) > Variation::Parametric) {
                if (e.left == e.right) drop(i, {});
                continue;
            }
            const auto left = a_.values.ask(e.left), right = a_.values.ask(e.right);
            if (!left || !right) continue;
            if (std::abs(*left - *right) <= 1e-12 * std::max(std::abs(*left), std::abs(*right))) {
                a_.make_structural(e.left);
                a_.make_structural(e.right);
                drop(i, {});
            } else {
                a_.live[i.value] = false;
                diagnostics_.report(contradictory_equations(a_, i, {i}));
            }
        }
    }

    Analysis& a_;
    Round round_;
    FlatModel& model_;
    Diagnostics& diagnostics_;

    graph::IntegerSystem system_;
    graph::Elimination result_;
    std::vector<EquationIndex> equation_of_;  // by row
    std::vector<VariableIndex> variable_of_;  // by unknown column
    std::vector<std::uint32_t> column_of_;    // by variable
    std::vector<Expr> knowns_;                // by known column
    NodeMap<std::uint32_t> known_column_;
    std::vector<bool> previous_used_;  // by variable: pre(v) occurs
    Substitution substitution_{a_.pool(), model_.variables.size()};
    std::vector<Alias> aliases_;
};

// ±leaf
struct SignedLeaf {
    Expr leaf = nullptr;
    int sign = 1;
};
SignedLeaf signed_leaf(Expr e) {
    if (e->op == Op::Variable) return {e, 1};
    if (e->op == Op::Multiply && e->argument_count == 2 && e->arg(0)->is_number(-1) &&
        e->arg(1)->op == Op::Variable)
        return {e->arg(1), -1};
    return {};
}

// Two differentiated variables that are the same derivative, v = x' and w = x', are equal: the second
// equation becomes w = v. So shafts joined by their angles have one speed. Where the speeds are joined too,
// the second equation has nothing to say. True when something changed.
bool unite_rates(Analysis& a) {
    bool changed = false;
    struct Rate : SignedLeaf {
        EquationIndex by;
    };
    std::vector<Rate> rate(a.model().variables.size());  // by x: v with x' = ±v
    for (EquationIndex i(0); i < a.model().equations.end_index(); ++i.value) {
        if (!a.live[i.value]) continue;
        Equation& e = a.model().equations[i];
        SignedLeaf value = signed_leaf(e.left), derivative = signed_leaf(e.right);
        if (!value.leaf || !derivative.leaf) continue;
        if (value.leaf->order > 0) std::swap(value, derivative);
        if (value.leaf->order != 0 || derivative.leaf->order != 1) continue;
        value.sign *= derivative.sign;
        Rate& first = rate[derivative.leaf->index];
        const auto moves = [&](const SignedLeaf& v) { return bool(a.differentiated[v.leaf->index]); };
        if (!first.leaf || (!moves(first) && moves(value))) {
            first = {value, i};
        } else if (first.leaf == value.leaf && first.sign == value.sign) {
            a.live[i.value] = false;
            a.partition.dependent_removed.push_back(i);
            a.dependencies.push_back({i, {first.by}});
        } else if (first.leaf != value.leaf && moves(first) && moves(value)) {
            e.left = value.leaf;
            e.right = first.sign == value.sign ? first.leaf : a.pool().negate(first.leaf);
            changed = true;
        }
    }
    return changed;
}

}  // namespace

bool may_unite_rates(const Equation& e) {
    const Expr left = signed_leaf(e.left).leaf, right = signed_leaf(e.right).leaf;
    return left && right && left->order + right->order > 0;
}

void eliminate_exactly(Analysis& a, Diagnostics& diagnostics) {
    ExactElimination(a, Round::Others, diagnostics).run();
    do {
        ExactElimination(a, Round::Differentiated, diagnostics).run();
    } while (unite_rates(a));
}

}  // namespace cutset::passes
