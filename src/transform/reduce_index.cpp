#include "transform/reduce_index.h"

#include <algorithm>
#include <cmath>
#include <set>
#include <stdexcept>
#include <unordered_set>

#include "expr/elementary_functions.h"
#include "graph/pantelides.h"
#include "transform/choose_states.h"
#include "transform/combine_dependent.h"
#include "transform/continuous_steps.h"
#include "transform/derivative_chains.h"
#include "transform/messages.h"
#include "transform/remove_repeated.h"
#include "transform/rewrite.h"
#include "transform/structural_index.h"
#include "transform/table_pieces.h"

namespace cutset::passes {
namespace {

constexpr std::size_t most_rounds = 60;  // of differentiation
constexpr std::size_t most_combinations = 500;
// Derivatives of high order are long: more nodes than this, and so many times those of the model, are too
// many.
constexpr std::size_t most_nodes = 300'000, most_times_longer = 30;

class IndexReduction {
  public:
    IndexReduction(Analysis& a, Diagnostics& diagnostics)
        : a_(a),
          model_(a.model()),
          diagnostics_(diagnostics),
          chains_(a),
          room_(most_nodes + most_times_longer * a.pool().size()) {}

    void run() {
        if (!is_needed()) return;
        find_invariants();
        chains_.link(a_);
        collect();
        if (!differentiate()) return;
        set_index();
        apply(choose_states(a_, rows_, chains_));
    }

  private:
    // ---- is there anything to do

    bool is_needed() {
        System system;
        Columns columns(model_.variables.size()), whatever_order(model_.variables.size());
        std::vector<bool> used(model_.variables.size()), differentiated(model_.variables.size());
        for (EquationIndex i(0); i < model_.equations.end_index(); ++i.value) {
            if (!a_.live[i.value]) continue;
            Row row = make_row(a_, model_.equations[i], i, false);
            for (Expr leaf : row.residual ? a_.leaves({row.residual}) : a_.leaves({row.left, row.right})) {
                if (!a_.is_unknown(leaf->variable())) continue;
                used[leaf->index] = true;
                if (leaf->order > 0) differentiated[leaf->index] = true;
            }
            system.rows.push_back(row);
        }
        for (std::uint32_t v = 0; v < used.size(); ++v)
            if (used[v])
                add_column(system, columns, a_.pool().variable(VariableIndex(v), differentiated[v] ? 1 : 0));
        system.incidence = incidence(a_, system, columns);
        system.matching = graph::maximum_matching(system.incidence);
        if (system.matching.is_perfect()) {
            if (!find_combinations(a_, system).empty()) return true;
            a_.matched = std::move(system);
            return false;
        }
        for (std::uint32_t c = 0; c < system.columns.size(); ++c)
            for (std::uint32_t order : {0u, 1u})
                whatever_order.set(a_.pool().variable(system.columns[c]->variable(), order), c);
        system.incidence = incidence(a_, system, whatever_order);
        system.matching = graph::maximum_matching(system.incidence);
        if (system.matching.is_perfect()) return true;
        return remove_repeated(a_, system, diagnostics_) && is_needed();
    }

    // ---- what does not vary

    // v = e where e is made of parameters and of other variables that do not vary.
    struct Definition {
        VariableIndex variable;
        std::size_t varying = 0;  // variables in e that are not known to be invariant
    };

    // What equations make of parameters only, step by step: its derivative is zero, and takes part in
    // nothing.
    void find_invariants() {
        invariant_.assign(model_.variables.size(), false);
        std::vector<Definition> definitions;
        std::vector<std::vector<std::uint32_t>> used_in(model_.variables.size());  // definitions by variable
        std::vector<std::uint32_t> open;
        const auto by_itself = [](Expr leaf) { return varies_by_itself(leaf); };
        const auto take = [&](const Equation& e) {
            for (const auto& [v, value] : {std::pair(e.left, e.right), std::pair(e.right, e.left)}) {
                if (!may_be_invariant(v) || contains(value, v) || depends_on(value, by_itself)) continue;
                const auto d = std::uint32_t(definitions.size());
                definitions.push_back({v->variable()});
                for (Expr leaf : a_.leaves({value}, true)) {
                    const Variable& x = model_.variables[leaf->variable()];
                    if (x.variability <= Variability::Parameter || x.free_parameter) continue;
                    ++definitions[d].varying;
                    used_in[leaf->index].push_back(d);
                }
                if (definitions[d].varying == 0) open.push_back(d);
            }
        };
        for (EquationIndex i(0); i < model_.equations.end_index(); ++i.value)
            if (a_.live[i.value]) take(model_.equations[i]);
        for (const Equation& e : model_.discrete_equations) take(e);
        while (!open.empty()) {
            const VariableIndex v = definitions[open.back()].variable;
            open.pop_back();
            if (invariant_[v.value]) continue;
            invariant_[v.value] = true;
            for (std::uint32_t d : used_in[v.value])
                if (--definitions[d].varying == 0) open.push_back(d);
        }
    }
    bool may_be_invariant(Expr v) const {
        if (v->op != Op::Variable || v->order > 0) return false;
        return model_.variables[v->variable()].by_equation ||
               (a_.is_unknown(v->variable()) && !a_.differentiated[v->index]);
    }
    static bool varies_by_itself(Expr leaf) {
        switch (leaf->op) {
            case Op::Number:
            case Op::Truth:
                return false;
            case Op::Variable:
                return leaf->order > 0;
            default:
                return true;
        }
    }
    // The derivative of the variable may be asked for.
    bool takes_part(Expr leaf) const { return a_.is_unknown(leaf->variable()) && !invariant_[leaf->index]; }

    // ---- rows in terms of chains

    void collect() {
        for (EquationIndex i(0); i < model_.equations.end_index(); ++i.value) {
            if (!a_.live[i.value] || chains_.is_link(i)) continue;
            const Equation& e = model_.equations[i];
            DerivedRow row{chains_.to_chains(a_, e.left), chains_.to_chains(a_, e.right), i};
            // x + y = y says nothing about y.
            if (const Expr residual = as_row(row).residual) {
                const std::size_t given = a_.leaves({row.left, row.right}).size();
                if (a_.leaves({residual}).size() < given) set(row, residual);
            }
            rows_.push_back(row);
        }
        written_rows_ = rows_.size();
    }
    void set(DerivedRow& row, Expr residual) {
        row.left = residual;
        row.right = a_.pool().number(0);
    }

    // ---- what to differentiate

    bool is_active(std::uint32_t r) const { return rows_[r].derivative == no_row; }
    // The unknowns of a row, each with its highest derivative there; sorted.
    std::vector<graph::Occurrence> occurrences(const DerivedRow& row) {
        std::vector<graph::Occurrence> found;
        for (Expr leaf : a_.leaves({row.left, row.right}))
            if (takes_part(leaf)) found.push_back({leaf->index, leaf->order});
        std::sort(found.begin(), found.end());
        std::size_t kept = 0;
        for (std::size_t i = 0; i < found.size(); ++i)
            if (i + 1 == found.size() || found[i + 1].variable != found[i].variable) found[kept++] = found[i];
        found.resize(kept);
        return found;
    }
    // The rows without derivative, numbered as in `active`.
    struct Structure : graph::DerivativeStructure {
        std::vector<std::uint32_t> active;
    };
    Structure structure() {
        Structure s;
        s.highest.assign(model_.variables.size(), 0);
        s.counts.assign(model_.variables.size(), false);
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value)
            if (const std::uint32_t order = chains_.length(v)) {
                s.highest[v.value] = order;
                s.counts[v.value] = true;
            }
        for (std::uint32_t r = 0; r < rows_.size(); ++r) {
            std::vector<graph::Occurrence> found = occurrences(rows_[r]);
            for (const graph::Occurrence& o : found) {
                s.highest[o.variable] = std::max(s.highest[o.variable], o.order);
                s.counts[o.variable] = true;
            }
            if (!is_active(r) || (found.empty() && has_unknowns(rows_[r].left, rows_[r].right))) continue;
            s.active.push_back(r);
            s.equations.push_back(std::move(found));
        }
        chains_.set_highest(s.highest);
        return s;
    }

    bool differentiate() {
        for (std::size_t i = 0; i < most_combinations; ++i) {
            if (!differentiate_enough()) return false;
            switch (combine()) {
                case Combined::Nothing:
                    return true;
                case Combined::Some:
                    break;
                case Combined::Superfluous:
                    return false;
            }
        }
        diagnostics_.report(too_many_differentiations(a_, combined_.back(), most_combinations));
        return false;
    }
    // The decision (graph/pantelides.h) is applied round by round. Where a derivative does not contain what
    // was foreseen, as that of sign(x) does not, it is taken anew.
    bool differentiate_enough() {
        for (std::size_t rounds = 0; rounds < most_rounds;) {
            const Structure now = structure();
            const graph::Differentiations plan = graph::pantelides(now, most_rounds - rounds);
            if (plan.rounds.empty()) {
                if (!plan.complete) break;
                return true;
            }
            std::vector<std::uint32_t> last = now.active;  // by equation: its last derivative
            for (const std::vector<std::uint32_t>& round : plan.rounds) {
                ++rounds;
                std::vector<std::uint32_t> todo;
                for (std::uint32_t e : round) todo.push_back(last[e]);
                std::sort(todo.begin(), todo.end());
                bool as_foreseen = true;
                for (std::uint32_t r : todo) {
                    if (!differentiate(r)) return false;
                    as_foreseen = as_foreseen && is_foreseen(r);
                }
                if (!as_foreseen) break;
                for (std::uint32_t e : round) last[e] = rows_[last[e]].derivative;
            }
        }
        diagnostics_.report(too_many_differentiations(a_, rows_.back().equation, most_rounds));
        return false;
    }
    bool is_foreseen(std::uint32_t r) {
        std::vector<graph::Occurrence> expected = occurrences(rows_[r]);
        for (graph::Occurrence& o : expected) ++o.order;
        return expected == occurrences(rows_[rows_[r].derivative]);
    }

    bool differentiate(std::uint32_t r) {
        if (has_second_derivatives(rows_[r].left) || has_second_derivatives(rows_[r].right)) {
            rows_[r].left = without_second_derivatives(rows_[r].left);
            rows_[r].right = without_second_derivatives(rows_[r].right);
        }
        const DerivedRow row = rows_[r];
        Pool& pool = a_.pool();
        const auto varies = [&](VariableIndex v) {
            return model_.variables[v].variability == Variability::Continuous && !invariant_[v.value];
        };
        if (row.left->boolean) {
            diagnostics_.report(boolean_constraint(a_, row.equation));
            return false;
        }
        for (Expr side : {row.left, row.right})
            if (const Expr step = step_in(side)) {
                if (may_jump(row, step)) continue;
                if (goes_by_pieces(row, step)) {
                    if (by_pieces_.insert(row.equation.value).second)
                        diagnostics_.report(
                            step_by_pieces(a_, row.equation, step, row.times_differentiated + 1));
                    continue;
                }
                diagnostics_.report(step_in_constraint(a_, row.equation, step, row.times_differentiated + 1,
                                                       asking_for(row)));
                return false;
            }
        try {
            const auto derivative = [&](Expr side) {
                return with_slopes_by_piece(a_, time_derivative(pool, side, varies),
                                            model_.equations[row.equation].origin);
            };
            rows_.push_back(
                {derivative(row.left), derivative(row.right), row.equation, r, row.times_differentiated + 1});
        } catch (const std::domain_error&) {
            diagnostics_.report(no_third_derivative(a_, row.equation));
            return false;
        }
        rows_[r].derivative = std::uint32_t(rows_.size() - 1);
        if (a_.pool().size() <= room_) return true;
        diagnostics_.report(too_many_differentiations(a_, row.equation, row.times_differentiated + 1));
        return false;
    }

    // Functions have two derivatives, their formulas any number.
    static bool has_second_derivatives(Expr e) {
        bool found = false;
        for_each_node(e, [&](Expr n) { found = found || (n->op == Op::Apply && n->derivatives == 2); });
        return found;
    }
    Expr without_second_derivatives(Expr e) {
        Substitution formulas(a_.pool());
        for_each_node(e, [&](Expr n) {
            if (n->op != Op::Apply || n->derivatives < 2) return;
            if (const Expr formula = written_out(a_, n)) formulas.replace(n, formula);
        });
        return formulas.empty() ? e : formulas(e);
    }

    // Where variables are declared with types, as in Modelica, signals are differentiated piece by piece and
    // the impulses where they step are left out, with a warning, also those of derivatives, as of a ramp. Not
    // so what is set to a variable that only events change.
    bool goes_by_pieces(const DerivedRow& row, Expr step) {
        if (row.times_differentiated == 0 && (step == row.left || step == row.right)) return false;
        const auto leaves = a_.leaves({row.left, row.right});
        return !leaves.empty() && std::all_of(leaves.begin(), leaves.end(), [&](Expr leaf) {
            const Variable& v = model_.variables[leaf->variable()];
            return v.typed || v.internal || v.variability <= Variability::Parameter;
        });
    }

    // The equations that contain a derivative of what stands in the row.
    std::vector<EquationIndex> asking_for(const DerivedRow& row) {
        std::vector<VariableIndex> mine;
        for (Expr leaf : a_.leaves({row.left, row.right}))
            if (a_.is_unknown(leaf->variable())) mine.push_back(leaf->variable());
        const auto is_mine = [&](Expr leaf) {
            return leaf->order > 0 && std::find(mine.begin(), mine.end(), leaf->variable()) != mine.end();
        };
        std::vector<EquationIndex> found;
        for (EquationIndex i(0); i < model_.equations.end_index(); ++i.value) {
            if (!a_.live[i.value]) continue;
            const Equation& e = model_.equations[i];
            for (Expr side : {e.left, e.right}) {
                const auto leaves = a_.leaves({chains_.to_chains(a_, side)});
                if (!std::any_of(leaves.begin(), leaves.end(), is_mine)) continue;
                found.push_back(i);
                break;
            }
        }
        return found;
    }

    // q = k*V with k discrete and q differentiated: between events k is constant, and at them q tells how the
    // states jump (jump_conditions.h). Not so a variable that is set to k itself.
    bool may_jump(const DerivedRow& row, Expr step) {
        if (row.times_differentiated > 0 || step->op != Op::Variable) return false;
        for (const auto& [q, value] : {std::pair(row.left, row.right), std::pair(row.right, row.left)}) {
            if (q->op != Op::Variable || q->order > 0 || q->index >= a_.differentiated_before.size() ||
                !a_.differentiated_before[q->index])
                continue;
            bool good = true;
            std::vector<VariableIndex> causes;
            for_each_node(value, [&](Expr n) {
                if (n->op == Op::Variable && n->order == 0 &&
                    model_.variables[n->variable()].variability == Variability::Discrete &&
                    !model_.variables[n->variable()].free_parameter)
                    causes.push_back(n->variable());
                else if (is_function_with_jumps(n->op) || n->op == Op::If)
                    good = false;
            });
            for (VariableIndex k : causes) {
                const auto leaves =
                    a_.leaves({cutset::differentiate(a_.pool(), value, a_.pool().variable(k))});
                good = good && std::any_of(leaves.begin(), leaves.end(),
                                           [&](Expr leaf) { return a_.is_unknown(leaf->variable()); });
            }
            if (!good || causes.empty()) continue;
            for (VariableIndex k : causes)
                if (auto& list = a_.partition.jump_causes;
                    std::find(list.begin(), list.end(), k) == list.end())
                    list.push_back(k);
            return true;
        }
        return false;
    }

    // Something that jumps: its derivative is an impulse.
    Expr step_in(Expr e) {
        Expr found = nullptr;
        const std::vector<Expr> differentiated = without_ignored(e);
        for_each_node(e, [&](Expr n) {
            if (found || n->boolean) return;
            if (!std::binary_search(differentiated.begin(), differentiated.end(), n)) return;
            // The derivative of a linear table has steps.
            if (n->op == Op::Apply && n->derivatives > 0)
                if (const auto* table = std::get_if<TableData>(&model_.callees[n->callee()]))
                    if (table->interpolation == Interpolation::Linear && table->x.size() > 2) found = n;
            if (n->op == Op::Variable &&
                model_.variables[n->variable()].variability == Variability::Discrete &&
                !model_.variables[n->variable()].free_parameter && !invariant_[n->index]) {
                found = n;
                return;
            }
            if (n->op == Op::Apply && branches_jump(e, n)) found = n;
            if (a_.variation_of(n) > Variation::Parametric && is_step(e, n)) found = n;
        });
        return found;
    }
    // The nodes of e, sorted by address, but for arguments of functions that the modeller's rules do not
    // differentiate.
    std::vector<Expr> without_ignored(Expr e) {
        std::unordered_set<Expr> met{e};
        std::vector<Expr> nodes{e};
        for (std::size_t i = 0; i < nodes.size(); ++i) {
            const Expr n = nodes[i];
            const bool ruled =
                n->op == Op::Apply && n->derivatives == 0 && !a_.pool().time_derivatives(n->callee()).empty();
            for (std::uint32_t k = 0; k < n->argument_count; ++k) {
                if (ruled &&
                    a_.pool().time_derivatives(n->callee())[0].arguments[k] == DerivativeRule::ignored)
                    continue;
                if (met.insert(n->arg(k)).second) nodes.push_back(n->arg(k));
            }
        }
        std::sort(nodes.begin(), nodes.end());
        return nodes;
    }
    // What has formal steps, but is seen to be continuous, is differentiated piece by piece. Of a choice by
    // unknowns that cannot be judged that is assumed; one by time alone must agree at its instant.
    bool is_step(Expr whole, Expr n) {
        if (!is_function_with_jumps(n->op) && n->op != Op::If) return false;
        if (n->op == Op::If && chosen_for_good(n)) return false;
        const StepKind kind = step_of(a_, exact_, whole, n);
        if (kind != StepKind::NotKnown || n->op != Op::If) return kind != StepKind::Continuous;
        for (std::size_t i = 0; i + 1 < n->argument_count; i += 2)
            for (Expr leaf : a_.leaves({n->arg(i)}, true))
                if (a_.is_unknown(leaf->variable())) return false;
        return true;
    }
    // The conditions hold, or do not, from the start to the end of the run.
    bool chosen_for_good(Expr choice) const {
        const auto varies = [&](Expr leaf) {
            if (leaf->op != Op::Variable || leaf->order > 0) return true;
            const Variable& v = model_.variables[leaf->variable()];
            return v.variability > Variability::Parameter && !v.free_parameter && !invariant_[leaf->index];
        };
        for (std::size_t i = 0; i + 1 < choice->argument_count; i += 2)
            if (depends_on(choice->arg(i), varies)) return false;
        return true;
    }
    // A function with branches is differentiated branch by branch. Whether it is continuous is judged as that
    // of a choice in the model; where that cannot be told a warning says so.
    bool branches_jump(Expr whole, Expr call) {
        const auto* function = std::get_if<FunctionData>(&model_.callees[call->callee()]);
        if (!function || function->derivative || !function->time_derivatives.empty() ||
            !has_branches(function->body))
            return false;
        const StepKind kind = step_of_call(a_, exact_, whole, call);
        if (kind == StepKind::NotKnown && warned_.insert(call->index).second)
            diagnostics_.report(branches_differentiated(a_, *function));
        return kind == StepKind::Jumps;
    }
    static bool has_branches(const std::vector<FunctionStatement>& body) {
        return std::any_of(body.begin(), body.end(), [](const FunctionStatement& s) {
            if (const auto* assign = std::get_if<FunctionAssign>(&s.what)) {
                bool found = false;
                for_each_node(assign->value, [&](Expr n) {
                    found = found || n->op == Op::If || is_function_with_jumps(n->op);
                });
                return found;
            }
            if (const auto* loop = std::get_if<FunctionFor>(&s.what)) return has_branches(loop->body);
            return !std::holds_alternative<FunctionAssert>(s.what);
        });
    }

    // ---- dependent equations

    enum class Combined { Nothing, Some, Superfluous };

    // Equations that are dependent in the highest derivatives are combined to one without them, in the place
    // of the one that was differentiated least. With constant factors the combination holds for the equations
    // before they were differentiated, too. All is differentiated anew then.
    Combined combine() {
        const Structure now = structure();
        std::vector<std::pair<std::uint32_t, Expr>> replaced;
        for (const Combination& c : find_combinations(a_, highest_system(now))) {
            const std::uint32_t least = least_differentiated(now, c);
            if (least == no_row) continue;
            const std::uint32_t times = rows_[least].times_differentiated;
            std::vector<std::pair<Expr, Coefficient>> residuals;
            std::vector<EquationIndex> equations;
            for (const auto& [r, factor] : c.of) {
                const DerivedRow& row = rows_[integral(now.active[r], times)];
                residuals.emplace_back(as_row(row).residual, factor);
                equations.push_back(row.equation);
            }
            const Expr residual = combined(a_, residuals);
            if (!has_unknowns(residual)) {
                report_superfluous(rows_[least].equation, residual, equations);
                return Combined::Superfluous;
            }
            replaced.emplace_back(integral(least, times), residual);
        }
        if (replaced.empty()) return Combined::Nothing;
        for (const auto& [r, residual] : replaced) {
            set(rows_[r], residual);
            combined_.push_back(rows_[r].equation);
        }
        rows_.resize(written_rows_);
        for (DerivedRow& row : rows_) row.derivative = no_row;
        return Combined::Some;
    }
    std::uint32_t integral(std::uint32_t r, std::uint32_t times) const {
        for (; times > 0; --times) r = rows_[r].integral;
        return r;
    }
    // The row of a combination that it may take the place of; none when there is none.
    std::uint32_t least_differentiated(const Structure& now, const Combination& c) const {
        std::uint32_t least = no_row;
        for (const auto& [r, factor] : c.of) {
            const std::uint32_t row = now.active[r];
            if (!factor.value) continue;
            if (least == no_row || rows_[row].times_differentiated <= rows_[least].times_differentiated)
                least = row;
        }
        if (least != no_row && rows_[least].times_differentiated > 0 && !c.constant) return no_row;
        for (const auto& [r, factor] : c.of)
            if (least != no_row &&
                rows_[now.active[r]].times_differentiated < rows_[least].times_differentiated)
                return no_row;
        return least;
    }
    bool has_unknowns(Expr e) { return has_unknowns(e, e); }
    bool has_unknowns(Expr left, Expr right) {
        const auto leaves = a_.leaves({left, right});
        return std::any_of(leaves.begin(), leaves.end(),
                           [&](Expr leaf) { return a_.is_unknown(leaf->variable()); });
    }
    // The combination says something about what is known: nothing new, or what cannot be.
    void report_superfluous(EquationIndex e, Expr residual, const std::vector<EquationIndex>& all) {
        a_.live[e.value] = false;
        if (!residual->is_number(0)) {
            diagnostics_.report(contradictory_equations(a_, e, all));
            return;
        }
        a_.partition.dependent_removed.push_back(e);
        Dependency dependency{e, all};
        std::erase(dependency.with, e);
        a_.dependencies.push_back(std::move(dependency));
    }
    // The active rows for the highest derivatives.
    System highest_system(const Structure& now) {
        System system;
        std::vector<std::uint32_t> column(now.counts.size(), no_column);
        for (std::uint32_t v = 0; v < now.counts.size(); ++v) {
            if (!now.counts[v]) continue;
            column[v] = std::uint32_t(system.columns.size());
            system.columns.push_back(a_.pool().variable(VariableIndex(v), now.highest[v]));
        }
        graph::BipartiteBuilder builder(system.columns.size());
        std::vector<std::uint32_t> own;
        for (std::uint32_t r : now.active) {
            own.clear();
            for (Expr leaf : a_.leaves({rows_[r].left, rows_[r].right}))
                if (takes_part(leaf) && leaf->order == now.highest[leaf->index])
                    own.push_back(column[leaf->index]);
            builder.add_equation(own);
            system.rows.push_back(as_row(rows_[r]));
        }
        system.incidence = std::move(builder).finish();
        system.matching = graph::maximum_matching(system.incidence);
        return system;
    }
    Row as_row(const DerivedRow& r) {
        return {r.left, r.right, r.left->boolean ? nullptr : a_.pool().subtract(r.left, r.right), r.equation};
    }

    void set_index() {
        const auto combined = [&](EquationIndex e) -> std::optional<std::vector<graph::Occurrence>> {
            if (std::find(combined_.begin(), combined_.end(), e) == combined_.end()) return std::nullopt;
            for (const DerivedRow& r : rows_)
                if (r.equation == e) return occurrences(r);
            return std::nullopt;
        };
        if (const auto index = structural_index(a_, combined)) {
            a_.partition.index = *index;
            return;
        }
        std::uint32_t most = 0;
        bool algebraic = false;
        for (const DerivedRow& r : rows_) most = std::max(most, r.times_differentiated);
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value)
            algebraic = algebraic || (a_.is_unknown(v) && chains_.is_base(v) && chains_.highest(v) == 0);
        a_.partition.index = most + (algebraic ? 1 : 0);
    }

    // ---- back to a system of order one

    void apply(ChosenStates chosen) {
        std::vector<StateChoice>& choices = chosen.left_open;
        std::vector<Derivative> chosen_later;
        for (const StateChoice& choice : choices)
            chosen_later.insert(chosen_later.end(), choice.candidates.begin(), choice.candidates.end());
        chains_.make_variables(a_, chosen_later);
        for (DerivedRow& r : rows_) {
            r.left = chains_.to_variables(a_, r.left);
            r.right = chains_.to_variables(a_, r.right);
        }
        std::set<std::uint32_t> listed;
        for (const DerivedRow& r : rows_) {
            if (r.integral == no_row) {
                model_.equations[r.equation].left = r.left;
                model_.equations[r.equation].right = r.right;
                continue;
            }
            a_.add_equation({r.left, r.right, model_.equations[r.equation].origin, EquationKind::Derivative});
            if (listed.insert(r.equation.value).second) a_.partition.differentiated.push_back(r.equation);
        }
        for (EquationIndex e : combined_)  // messages show what is solved
            a_.written[e.value] = model_.equations[e];
        for_each_expression(
            model_, [](EquationIndex) { return false; },
            [&](Expr& e) { e = chains_.to_variables(a_, chains_.to_chains(a_, e)); });
        for (Eliminated& e : a_.partition.eliminated)
            e.value = chains_.to_variables(a_, chains_.to_chains(a_, e.value));
        for (std::optional<Start>& start : a_.starts_before)
            if (start) start->value = chains_.to_variables(a_, chains_.to_chains(a_, start->value));
        for (StateChoice& choice : choices) add_selection(choice);
        for (TiedStates& group : chosen.groups) {
            for (std::size_t i = 0; i < group.which.size(); ++i)
                group.candidates[i].variable = *chains_.variable(group.which[i]);
            a_.partition.state_groups.push_back({std::move(group.candidates), std::move(group.constraints)});
        }
    }

    void add_selection(StateChoice& choice) {
        Pool& pool = a_.pool();
        StateSelection selection;
        selection.weights = choice.weights;
        std::vector<Expr> rates;
        for (const Derivative& c : choice.candidates) {
            selection.candidates.push_back(*chains_.variable(c));
            rates.push_back(chains_.leaf(a_, {c.base, c.order + 1}));
        }
        for (std::uint32_t r : choice.rows) selection.constraints.push_back(rows_[r].equation);
        selection.jacobian = choice.jacobian;
        for (auto& row : selection.jacobian)
            for (Expr& e : row)
                if (e) e = chains_.to_variables(a_, e);
        const Variable first = model_.variables[selection.candidates[0]];
        const std::size_t number = a_.partition.selections.size() + 1;
        for (std::size_t i = 0; i < choice.candidates.size() - choice.rows.size(); ++i) {
            Variable state;
            state.name = "state" + std::to_string(number) + "[" + std::to_string(i + 1) + "]";
            state.origin = first.origin;
            state.internal = true;
            const VariableIndex s = a_.add_variable(std::move(state));
            selection.states.push_back(s);
            std::vector<Expr> values, slopes;
            auto& selectors = selection.selectors.emplace_back();
            for (std::size_t j = 0; j < rates.size(); ++j) {
                Variable selector;
                selector.name = "select" + std::to_string(number) + "[" + std::to_string(i + 1) + "," +
                                std::to_string(j + 1) + "]";
                selector.origin = first.origin;
                selector.internal = true;
                selector.variability = Variability::Discrete;
                selector.binding = pool.number(i == j ? 1 : 0);
                selectors.push_back(a_.add_variable(std::move(selector)));
                const Expr factor = pool.variable(selectors.back());
                values.push_back(pool.multiply(factor, pool.variable(selection.candidates[j])));
                slopes.push_back(pool.multiply(factor, rates[j]));
            }
            const Origin origin = first.origin;
            selection.equations.push_back(
                a_.add_equation({pool.variable(s), pool.add(values), origin, EquationKind::Derivative}));
            selection.equations.push_back(
                a_.add_equation({pool.variable(s, 1), pool.add(slopes), origin, EquationKind::Derivative}));
        }
        a_.partition.selections.push_back(std::move(selection));
    }

    Analysis& a_;
    FlatModel& model_;
    Diagnostics& diagnostics_;
    DerivativeChains chains_;
    ExactArithmetic exact_{a_, true};
    std::vector<bool> invariant_;        // by variable: it does not vary
    std::set<std::uint32_t> by_pieces_;  // equations that are differentiated so, told once
    std::set<std::uint32_t> warned_;     // callees
    const std::size_t room_;             // for nodes
    std::vector<DerivedRow> rows_;       // those of the model first, then derivatives
    std::size_t written_rows_ = 0;
    std::vector<EquationIndex> combined_;
};

}  // namespace

void reduce_index(Analysis& a, Diagnostics& diagnostics) {
    IndexReduction(a, diagnostics).run();
}

}  // namespace cutset::passes
