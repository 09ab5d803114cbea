#include "transform/choose_known.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/modular_basis.h"
#include "graph/row_matching.h"
#include "transform/analysis.h"
#include "transform/boundary_messages.h"
#include "transform/eliminate_exactly.h"
#include "transform/exact_coefficient.h"
#include "transform/lower_events.h"
#include "transform/lower_order.h"
#include "transform/messages.h"
#include "transform/order_parameters.h"
#include "transform/remove_zero_terms.h"
#include "transform/rewrite.h"

namespace cutset {
namespace {

using passes::Analysis;
using passes::Row;
namespace modular = graph::modular;

constexpr std::size_t most_explained = 5;       // conflicts and missing sets with their equations
constexpr std::size_t most_questioned = 200;    // knowns and loose ends whose alternatives are listed
constexpr std::size_t most_alternatives = 100;  // of one known
constexpr std::size_t most_written = 8;  // equations of an explanation as written; longer ones as eliminated

bool is_loose_end(EquationKind kind) {
    return kind == EquationKind::Unconnected || kind == EquationKind::Default;
}

// How gladly a variable is taken as a known; lower first.
enum Preference : std::uint8_t {
    input_of_model,
    in_open_cut,
    terminal_of_model,
    loose_terminal,
    other_terminal,
    local_variable,
    differentiated = 16,  // added for a variable under a derivative: it would have to be smooth
    truth_value = 32,
};

// A loose end that an equation outside its submodel speaks of: of its variable itself, or of an across
// variable of its cut.
struct LooseEnd {
    EquationIndex equation;
    bool spoken_of = false;  // of the variable itself
};

class Boundary {
  public:
    Boundary(const FlatModel& model, Diagnostics& diagnostics)
        : given_(model), a_(model, structure_only()), diagnostics_(diagnostics), exact_(a_, false) {}

    std::optional<BoundaryReport> run() {
        if (!simplify()) return std::nullopt;
        number_columns();
        if (!match_equations()) return std::nullopt;
        rank_variables();
        report_.unknowns = columns_.size() + eliminated_count_;
        report_.needed = columns_.size() - matching_->rows();
        report_.equations = report_.unknowns - report_.needed;
        add_chosen();
        add_loose_ends();
        explain_conflicts();
        explain_missing();
        propose();
        list_alternatives();
        return std::move(report_);
    }

    // Of these loose ends, those that are to go; nothing when the model has errors of its own.
    std::optional<std::vector<EquationIndex>> without_room(const std::vector<LooseEnd>& in_question) {
        if (!simplify()) return std::nullopt;
        number_columns();
        // Where no constraint ties states together they are known, and only their derivatives are not.
        states_known_ = true;
        if (!match_equations()) {
            states_known_ = false;
            if (!match_equations()) return std::nullopt;
        }
        std::vector<bool> asked(given_.equations.size());
        for (const LooseEnd& end : in_question) asked[end.equation.value] = true;
        for (const auto* list : {&inputs_, &loose_})
            for (EquationIndex e : *list)
                if (!asked[e.value]) add_equation(e);
        std::vector<bool> refused(asked.size()), in_doubt(asked.size());
        for (const LooseEnd& end : in_question) {
            if (add_equation(end.equation)) continue;
            refused[end.equation.value] = true;
            for (std::uint32_t r : refusal_.equations)
                if (asked[origin_[r].equation.value])
                    in_doubt[end.equation.value] = in_doubt[origin_[r].equation.value] = true;
        }
        std::vector<EquationIndex> removed;
        for (const LooseEnd& end : in_question)
            if (in_doubt[end.equation.value] ? end.spoken_of : refused[end.equation.value])
                removed.push_back(end.equation);
        return removed;
    }

  private:
    // Starts that disagree are the matter of the analysis that comes after the choice.
    static TransformOptions structure_only() {
        TransformOptions options;
        options.initial = InitialMode::Jump;
        return options;
    }

    // ---- the equations, exactly eliminated, without loose ends and inputs

    bool simplify() {
        for (EquationIndex e(0); e < given_.equations.end_index(); ++e.value) {
            const EquationKind kind = given_.equations[e].kind;
            if (is_loose_end(kind)) loose_.push_back(e);
            if (kind == EquationKind::Input) inputs_.push_back(e);
            if (is_loose_end(kind) || kind == EquationKind::Input) a_.live[e.value] = false;
        }
        Diagnostics own;
        for (auto* pass : {passes::order_parameters, passes::remove_zero_terms, passes::lower_order,
                           passes::lower_events, passes::eliminate_exactly}) {
            pass(a_, own);
            if (!own.has_errors()) continue;
            for (const Diagnostic& d : own.all()) diagnostics_.report(d);
            return false;
        }
        value_of_.assign(a_.model().variables.size(), nullptr);
        for (const Eliminated& e : a_.partition.eliminated) value_of_[e.variable.value] = &e;
        return true;
    }

    void number_columns() {
        FlatModel& model = a_.model();
        std::vector<bool> used(model.variables.size());
        for (EquationIndex e(0); e < model.equations.end_index(); ++e.value) {
            if (!a_.live[e.value]) continue;
            Row row = passes::make_row(a_, model.equations[e], e, false);
            for (Expr leaf : leaves(row)) {
                used[leaf->index] = true;
                if (leaf->order > 0) a_.differentiated[leaf->index] = true;
            }
            rows_.push_back(row);
        }
        const auto look = [&](Expr e) {
            for (Expr leaf : a_.leaves({e}, true)) used[leaf->index] = true;
        };
        passes::for_each_expression(
            model, [&](EquationIndex e) { return bool(a_.live[e.value]); }, [&](Expr e) { look(e); });
        for (const Eliminated& e : a_.partition.eliminated) look(e.value);
        for (const auto* list : {&loose_, &inputs_, &a_.partition.dependent_removed})
            for (EquationIndex e : *list) {
                look(a_.written[e.value].left);
                look(a_.written[e.value].right);
            }
        for (const Known& known : given_.knowns) used[known.variable.value] = true;
        for (VariableIndex v : given_.freed) used[v.value] = true;
        column_of_.assign(model.variables.size(), passes::no_column);
        for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
            const Variable& variable = model.variables[v];
            if (variable.variability != Variability::Continuous) continue;
            if (a_.gone[v.value]) {
                ++eliminated_count_;
                continue;
            }
            // A variable that occurs nowhere is dropped later, with a warning; an input must be given all the
            // same.
            if (!used[v.value] && !variable.top_input) continue;
            column_of_[v.value] = std::uint32_t(columns_.size());
            columns_.push_back(v);
        }
    }

    std::span<const Expr> leaves(const Row& row) {
        return row.residual ? a_.leaves({row.residual}) : a_.leaves({row.left, row.right});
    }

    // The columns that leaves stand for, eliminated variables replaced by what they are made of.
    std::vector<std::uint32_t> columns_of(std::initializer_list<Expr> expressions) {
        std::vector<std::uint32_t> columns;
        const auto found = a_.leaves(expressions);
        const std::vector<Expr> copy(found.begin(), found.end());
        for (Expr leaf : copy) {
            if (const Eliminated* e = value_of_[leaf->index]) {
                for (Expr inner : a_.leaves({e->value}))
                    if (is_column(inner)) columns.push_back(column_of_[inner->index]);
            } else if (is_column(leaf)) {
                columns.push_back(column_of_[leaf->index]);
            }
        }
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        return columns;
    }
    bool is_column(Expr leaf) const {
        if (states_known_ && leaf->order == 0 && a_.differentiated[leaf->index]) return false;
        return column_of_[leaf->index] != passes::no_column;
    }
    std::vector<std::uint32_t> columns_of(VariableIndex v) { return columns_of({a_.pool().variable(v)}); }

    // The partial derivatives of an expression by the columns, modulo a prime. A derivative of order k counts
    // s^k with a random s, so that rows are independent when their combinations with derivatives of each
    // other are, too.
    void add_slopes(Expr e, std::uint64_t factor, std::map<std::uint32_t, std::uint64_t>& row) {
        for (const auto& [leaf, slope] : exact_.gradient(e)) {
            if (leaf->op != Op::Variable) continue;
            const std::uint64_t all = modular::multiply(
                factor, modular::multiply(slope, modular::power(modular::random(1), leaf->order)));
            if (const Eliminated* value = value_of_[leaf->index]) {
                add_slopes(value->value, all, row);
            } else if (is_column(leaf)) {
                std::uint64_t& sum = row[column_of_[leaf->index]];
                sum = modular::add(sum, all);
            }
        }
    }
    graph::ModularRow slopes(std::initializer_list<Expr> sides) {
        std::map<std::uint32_t, std::uint64_t> row;
        std::uint64_t factor = 1;
        for (Expr side : sides) {
            if (!side->boolean) add_slopes(side, factor, row);
            factor = modular::negate(1);
        }
        graph::ModularRow result;
        for (const auto& [c, value] : row)
            if (value != 0) result.emplace_back(c, value);
        // Between Booleans, and what only jumps: nothing but the structure is known.
        if (result.empty())
            for (std::uint32_t c : columns_of(sides)) result.emplace_back(c, modular::random(1000 + c));
        return result;
    }

    bool match_equations() {
        graph::BipartiteBuilder builder(columns_.size());
        std::vector<std::uint32_t> own;
        for (const Row& row : rows_) {
            own.clear();
            for (Expr leaf : leaves(row))
                if (is_column(leaf)) own.push_back(column_of_[leaf->index]);
            std::sort(own.begin(), own.end());
            own.erase(std::unique(own.begin(), own.end()), own.end());
            builder.add_equation(own);
        }
        const graph::Bipartite incidence = std::move(builder).finish();
        const graph::Matching matching = graph::maximum_matching(incidence);
        if (matching.size == rows_.size()) {
            matching_.emplace(incidence, matching);
            basis_.emplace(columns_.size());
            for (const Row& row : rows_) {
                const graph::ModularRow own_slopes =
                    row.residual ? slopes({row.residual}) : slopes({row.left, row.right});
                if (!basis_->combination(own_slopes)) basis_->add(own_slopes, std::uint32_t(origin_.size()));
                origin_.push_back({row.equation, std::nullopt});
            }
            return true;
        }
        for (const graph::SingularSet& set :
             graph::overdetermined_sets(incidence, matching, most_explained)) {
            std::vector<EquationIndex> equations;
            std::vector<VariableIndex> variables;
            for (std::uint32_t r : set.equations) equations.push_back(rows_[r].equation);
            for (std::uint32_t c : set.variables) variables.push_back(columns_[c]);
            diagnostics_.report(passes::too_many_equations(a_, equations, variables));
        }
        return false;
    }

    // ---- preferences

    void rank_variables() {
        const std::size_t n = given_.variables.size();
        std::vector<bool> outside(n), joined(n);
        for (const Equation& e : given_.equations) {
            if (is_loose_end(e.kind) || e.kind == EquationKind::Input) continue;
            for (Expr leaf : a_.leaves({e.left, e.right})) {
                if (e.kind != EquationKind::Written) joined[leaf->index] = true;
                if (e.origin.instance != given_.variables[leaf->variable()].origin.instance)
                    outside[leaf->index] = true;
            }
        }
        port_of_.assign(n, nullptr);
        for (const OpenPort& port : given_.open_ports)
            for (const auto* list : {&port.across, &port.through})
                for (VariableIndex v : *list)
                    if (!port_of_[v.value]) port_of_[v.value] = &port;
        preference_.assign(n, local_variable);
        for (VariableIndex v(0); v < given_.variables.end_index(); ++v.value) {
            const Variable& variable = given_.variables[v];
            if (variable.variability != Variability::Continuous) continue;
            using Kind = VariableKind;
            const bool top = variable.origin.instance.value == 0;
            const bool visible = variable.declared == Kind::Terminal || variable.declared == Kind::Input;
            std::uint8_t p = local_variable;
            if (top && variable.declared == Kind::Input)
                p = input_of_model;
            else if (port_of_[v.value])
                p = in_open_cut;
            else if (top && visible)
                p = terminal_of_model;
            else if (visible && !outside[v.value] && !joined[v.value])
                p = loose_terminal;
            else if (visible)
                p = other_terminal;
            if (is_differentiated(v)) p = std::uint8_t(p + differentiated);
            if (variable.boolean) p = std::uint8_t(p + truth_value);
            preference_[v.value] = p;
            candidates_.push_back(v);
        }
        std::stable_sort(candidates_.begin(), candidates_.end(), [&](VariableIndex x, VariableIndex y) {
            return preference_[x.value] < preference_[y.value];
        });
    }
    bool is_differentiated(VariableIndex v) {
        if (const Eliminated* e = value_of_[v.value]) {
            const auto parts = a_.leaves({e->value});
            return std::any_of(parts.begin(), parts.end(),
                               [&](Expr leaf) { return bool(a_.differentiated[leaf->index]); });
        }
        return a_.differentiated[v.value];
    }
    std::string reason(VariableIndex v) const {
        const Variable& variable = given_.variables[v];
        const std::string submodel = given_.path(variable.origin.instance);
        const std::string of = submodel.empty() ? "the model" : submodel;
        switch (preference_[v.value] % differentiated) {
            case input_of_model:
                return "input of the model";
            case in_open_cut:
                return "in " + port_of_[v.value]->name + ", to which nothing is joined";
            case terminal_of_model:
                return "terminal of the model";
            case loose_terminal:
                return "terminal of " + of + " that nothing outside refers to";
            case other_terminal:
                return "terminal of " + of;
        }
        return "variable of " + of;
    }

    // ---- rows in order of preference: chosen, loose ends, proposed

    struct RowOrigin {
        EquationIndex equation;
        std::optional<VariableIndex> known;
    };
    // A row that depends on others is refused, by structure or by rank; refusal_ has those others.
    bool add(std::initializer_list<Expr> sides, RowOrigin origin) {
        const std::vector<std::uint32_t> columns = columns_of(sides);
        const graph::ModularRow row = slopes(sides);
        if (const auto others = basis_->combination(row)) {
            refusal_ = circuit(columns, *others);
            return false;
        }
        if (!matching_->add(columns)) {
            refusal_ = matching_->circuit(columns);
            return false;
        }
        basis_->add(row, std::uint32_t(origin_.size()));
        origin_.push_back(origin);
        return true;
    }
    bool add_equation(EquationIndex e) {
        return add({a_.written[e.value].left, a_.written[e.value].right}, {e, std::nullopt});
    }
    // What the structure refuses is explained by it: these sets are smaller in the words of the modeller.
    graph::SingularSet circuit(const std::vector<std::uint32_t>& columns,
                               const std::vector<std::uint32_t>& others) const {
        const graph::SingularSet structural = matching_->circuit(columns);
        if (std::none_of(structural.variables.begin(), structural.variables.end(), [&](std::uint32_t c) {
                return matching_->matching().equation_of_variable[c] == graph::unmatched;
            }))
            return structural;
        graph::SingularSet set;
        set.equations = others;
        set.variables = columns;
        for (std::uint32_t r : others)
            set.variables.insert(set.variables.end(), matching_->row(r).begin(), matching_->row(r).end());
        std::sort(set.variables.begin(), set.variables.end());
        set.variables.erase(std::unique(set.variables.begin(), set.variables.end()), set.variables.end());
        return set;
    }

    void add_chosen() {
        const auto choose = [&](VariableIndex v, std::initializer_list<Expr> sides, EquationIndex e) {
            known_.insert(v);
            if (add(sides, {e, v}))
                report_.knowns.push_back({v, true, is_differentiated(v), reason(v), {}});
            else
                refused_.push_back({v, refusal_});
        };
        for (EquationIndex e : inputs_) {
            const Equation& equation = a_.written[e.value];
            if (equation.left->op != Op::Variable) continue;
            choose(equation.left->variable(), {equation.left, equation.right}, e);
        }
        for (const Known& known : given_.knowns) {
            const Expr v = a_.pool().variable(known.variable);
            if (known.value)
                choose(known.variable, {v, known.value}, EquationIndex(0));
            else
                choose(known.variable, {v}, EquationIndex(0));
        }
    }

    void add_loose_ends() {
        // Where a known stands in the same cut, the loose end gives way first.
        std::vector<bool> touched(given_.variables.size());
        for (const OpenPort& port : given_.open_ports) {
            bool known = false;
            for (const auto* list : {&port.across, &port.through})
                for (VariableIndex v : *list) known |= known_.count(v) > 0;
            if (!known) continue;
            for (const auto* list : {&port.across, &port.through})
                for (VariableIndex v : *list) touched[v.value] = true;
        }
        const auto is_touched = [&](EquationIndex e) {
            const Expr left = a_.written[e.value].left;
            return left->op == Op::Variable && touched[left->index];
        };
        // A default that was written counts more than the rule for open cuts.
        std::stable_sort(loose_.begin(), loose_.end(), [&](EquationIndex x, EquationIndex y) {
            const auto rank = [&](EquationIndex e) {
                return std::pair(is_touched(e), a_.written[e.value].kind != EquationKind::Default);
            };
            return rank(x) < rank(y);
        });
        for (EquationIndex e : loose_) {
            if (add_equation(e)) {
                report_.loose.push_back({e, shown(e), {}});
                loose_row_.push_back(std::uint32_t(matching_->rows() - 1));
            } else if (!is_touched(e) && follows_from_model()) {
                continue;  // superfluous with or without the choice
            } else {
                report_.lifted.push_back({e, shown(e), is_touched(e)});
            }
        }
    }
    // Whether no known takes part in what made the last row superfluous.
    bool follows_from_model() const {
        return std::none_of(refusal_.equations.begin(), refusal_.equations.end(),
                            [&](std::uint32_t r) { return origin_[r].known.has_value(); });
    }

    void propose() {
        // What the user wants computed is no proposal, unless nothing else is left.
        std::stable_partition(candidates_.begin(), candidates_.end(), [&](VariableIndex v) {
            return std::find(given_.freed.begin(), given_.freed.end(), v) == given_.freed.end();
        });
        for (VariableIndex v : candidates_) {
            if (matching_->is_complete()) return;
            if (known_.count(v) || column_of_or_value_missing(v)) continue;
            if (!add({a_.pool().variable(v)}, {EquationIndex(0), v})) continue;
            known_.insert(v);
            report_.knowns.push_back({v, false, is_differentiated(v), reason(v), {}});
        }
    }
    bool column_of_or_value_missing(VariableIndex v) const {
        return column_of_[v.value] == passes::no_column && !value_of_[v.value];
    }

    // ---- explanations

    ShownEquation shown(EquationIndex e) const {
        const Equation& equation = a_.written[e.value];
        Span where = equation.origin.where;
        if (!where.known()) where = given_.instances[equation.origin.instance].where;
        return {a_.partition.model.text(equation) + passes::kind_text(equation.kind),
                given_.path(equation.origin.instance), where};
    }
    // The equations by which an eliminated variable is what it is.
    void show_elimination(VariableIndex v, std::vector<ShownEquation>& out) const {
        const Eliminated* e = value_of_[v.value];
        if (!e) return;
        const Equation equation{a_.partition.model.pool->variable(v), e->value, e->origin};
        Span where = e->origin.where;
        if (!where.known()) where = given_.instances[e->origin.instance].where;
        out.push_back({a_.partition.model.text(equation), given_.path(e->origin.instance), where});
    }
    void sort_shown(std::vector<ShownEquation>& equations) const {
        std::vector<ShownEquation> unique;
        for (ShownEquation& e : equations)
            if (std::none_of(unique.begin(), unique.end(),
                             [&](const ShownEquation& o) { return o.text == e.text; }))
                unique.push_back(std::move(e));
        equations = std::move(unique);
    }

    // The equations as they were written, superfluous ones left out, with the same knowns and loose ends: the
    // words in which the modeller thinks. Elimination may have found more, or another set; then there is
    // none.
    struct Original {
        graph::RowMatching matching;
        std::vector<RowOrigin> origin;
    };
    std::vector<std::uint32_t> written_columns(std::initializer_list<Expr> sides) {
        std::vector<std::uint32_t> columns;
        for (Expr leaf : a_.leaves(sides))
            if (written_column_[leaf->index] != passes::no_column)
                columns.push_back(written_column_[leaf->index]);
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        return columns;
    }
    std::vector<std::uint32_t> written_columns(const RowOrigin& row) {
        if (!row.known) {
            const Equation& e = given_.equations[row.equation];
            return written_columns({e.left, e.right});
        }
        for (const Known& known : given_.knowns)
            if (known.variable == *row.known && known.value)
                return written_columns({a_.pool().variable(known.variable), known.value});
        return written_columns({a_.pool().variable(*row.known)});
    }
    const Original* original() {
        if (original_) return &*original_;
        if (no_original_) return nullptr;
        no_original_ = true;
        written_column_.assign(a_.model().variables.size(), passes::no_column);
        for (VariableIndex v(0); v < given_.variables.end_index(); ++v.value)
            if (given_.variables[v].variability == Variability::Continuous &&
                (a_.gone[v.value] || column_of_[v.value] != passes::no_column)) {
                written_column_[v.value] = std::uint32_t(written_variables_.size());
                written_variables_.push_back(v);
            }
        std::vector<bool> left_out(given_.equations.size());
        for (EquationIndex e : a_.partition.dependent_removed)
            if (e.value < left_out.size()) left_out[e.value] = true;
        graph::BipartiteBuilder builder(written_variables_.size());
        std::vector<RowOrigin> origin;
        for (EquationIndex e(0); e < given_.equations.end_index(); ++e.value) {
            const EquationKind kind = given_.equations[e].kind;
            if (left_out[e.value] || is_loose_end(kind) || kind == EquationKind::Input) continue;
            builder.add_equation(written_columns(RowOrigin{e, std::nullopt}));
            origin.push_back({e, std::nullopt});
        }
        const graph::Bipartite incidence = std::move(builder).finish();
        const graph::Matching matching = graph::maximum_matching(incidence);
        if (matching.size != incidence.equations) return nullptr;
        Original made{graph::RowMatching(incidence, matching), std::move(origin)};
        for (std::size_t r = rows_.size(); r < origin_.size(); ++r) {
            if (!made.matching.add(written_columns(origin_[r]))) return nullptr;
            made.origin.push_back(origin_[r]);
        }
        original_ = std::move(made);
        return &*original_;
    }

    // Refused rows are tried against the other knowns, before loose ends were added.
    void explain_conflicts() {
        for (const auto& [v, set] : refused_) {
            BoundaryReport::Conflict conflict;
            conflict.dropped = v;
            if (report_.conflicts.size() < most_explained) {
                const auto explain = [&](const graph::SingularSet& set,
                                         const std::vector<RowOrigin>& origin) {
                    conflict.knowns.clear();
                    conflict.equations.clear();
                    for (std::uint32_t r : set.equations) {
                        if (origin[r].known)
                            conflict.knowns.push_back(*origin[r].known);
                        else
                            conflict.equations.push_back(shown(origin[r].equation));
                    }
                    conflict.knowns.push_back(conflict.dropped);
                };
                explain(set, origin_);
                for (std::uint32_t c : set.variables) conflict.variables.push_back(columns_[c]);
                for (VariableIndex k : conflict.knowns) show_elimination(k, conflict.equations);
                sort_shown(conflict.equations);
                if (const Original* as_written = original()) {
                    const std::vector<std::uint32_t> own = written_columns(RowOrigin{EquationIndex(0), v});
                    const graph::SingularSet other = as_written->matching.circuit(own);
                    const bool refused =
                        std::none_of(other.variables.begin(), other.variables.end(), [&](std::uint32_t c) {
                            return as_written->matching.matching().equation_of_variable[c] ==
                                   graph::unmatched;
                        });
                    if (refused &&
                        other.equations.size() <=
                            std::max(most_written, conflict.equations.size() + conflict.knowns.size())) {
                        explain(other, as_written->origin);
                        conflict.variables.clear();
                        for (std::uint32_t c : other.variables)
                            conflict.variables.push_back(written_variables_[c]);
                        sort_shown(conflict.equations);
                    }
                }
            }
            report_.conflicts.push_back(std::move(conflict));
        }
    }

    void explain_missing() {
        report_.missing_count = matching_->variables() - matching_->rows();
        if (report_.missing_count == 0) return;
        const auto sets =
            graph::underdetermined_sets(matching_->incidence(), matching_->matching(), most_explained);
        std::vector<graph::SingularSet> written;
        const Original* as_written = original();
        if (as_written)
            written = graph::underdetermined_sets(as_written->matching.incidence(),
                                                  as_written->matching.matching(), most_explained);
        const bool use_written =
            written.size() == sets.size() && std::all_of(written.begin(), written.end(), [](const auto& set) {
                return set.equations.size() <= most_written;
            });
        for (const graph::SingularSet& set : use_written ? written : sets) {
            BoundaryReport::Missing missing;
            for (std::uint32_t c : set.variables) {
                const VariableIndex v = use_written ? written_variables_[c] : columns_[c];
                // Only variables of the model, not those made to lower the order of derivatives.
                if (v.value < given_.variables.size()) missing.variables.push_back(v);
            }
            for (std::uint32_t r : set.equations) {
                const RowOrigin origin = use_written ? as_written->origin[r] : origin_[r];
                if (origin.known)
                    show_elimination(*origin.known, missing.equations);
                else
                    missing.equations.push_back(shown(origin.equation));
            }
            sort_shown(missing.equations);
            report_.missing.push_back(std::move(missing));
        }
    }

    void list_alternatives() {
        // One name for variables that are the same up to sign.
        const auto quantity = [&](VariableIndex v) {
            const Eliminated* e = value_of_[v.value];
            if (!e) return v.value;
            const auto parts = a_.leaves({e->value});
            return e->alias && parts.size() == 1 ? parts[0]->index : v.value;
        };
        std::map<std::uint32_t, std::uint32_t> row_of_known;
        for (std::uint32_t r = 0; r < origin_.size(); ++r)
            if (origin_[r].known) row_of_known[origin_[r].known->value] = r;
        std::set<std::uint32_t> taken;
        for (const auto& entry : report_.knowns) taken.insert(quantity(entry.variable));
        // A variable can stand in the place of a row that has a part in the combination that gives it.
        std::map<std::uint32_t, std::optional<std::vector<std::uint32_t>>> given_by;
        const auto has_part = [&](std::uint32_t row, VariableIndex v) {
            const auto [at, fresh] = given_by.try_emplace(v.value);
            if (fresh) at->second = basis_->combination(slopes({a_.pool().variable(v)}));
            return !at->second || std::binary_search(at->second->begin(), at->second->end(), row);
        };
        const auto list = [&](std::uint32_t row, std::uint32_t own) {
            std::vector<VariableIndex> found;
            std::set<std::uint32_t> seen = taken;
            seen.insert(own);
            std::vector<bool> wanted(columns_.size());
            for (std::uint32_t c : matching_->replacements(row)) wanted[c] = true;
            for (VariableIndex v : candidates_) {
                if (found.size() == most_alternatives) break;
                if (column_of_or_value_missing(v)) continue;
                const auto columns = columns_of(v);
                if (std::none_of(columns.begin(), columns.end(), [&](std::uint32_t c) { return wanted[c]; }))
                    continue;
                if (has_part(row, v) && seen.insert(quantity(v)).second) found.push_back(v);
            }
            return found;
        };
        std::size_t questioned = 0;
        for (auto& entry : report_.knowns) {
            if (++questioned > most_questioned) return;
            entry.alternatives = list(row_of_known[entry.variable.value], quantity(entry.variable));
        }
        for (std::size_t i = 0; i < report_.loose.size(); ++i) {
            if (++questioned > most_questioned) return;
            const Expr left = a_.written[report_.loose[i].equation.value].left;
            report_.loose[i].alternatives =
                list(loose_row_[i], left->op == Op::Variable ? quantity(left->variable()) : 0xFFFFFFFFu);
        }
    }

    const FlatModel& given_;
    Analysis a_;
    Diagnostics& diagnostics_;
    passes::ExactArithmetic exact_;
    BoundaryReport report_;

    std::vector<EquationIndex> loose_, inputs_;
    std::vector<const Eliminated*> value_of_;  // by variable
    std::size_t eliminated_count_ = 0;
    std::vector<Row> rows_;
    std::vector<VariableIndex> columns_;
    std::vector<std::uint32_t> column_of_;  // by variable
    bool states_known_ = false;             // columns stand for derivatives of states, not for states
    std::optional<graph::RowMatching> matching_;
    std::optional<graph::ModularBasis> basis_;  // of the same rows, by numbers
    std::vector<RowOrigin> origin_;             // by row of matching_
    std::vector<std::uint32_t> loose_row_;
    std::optional<Original> original_;
    bool no_original_ = false;
    std::vector<std::uint32_t> written_column_;     // by variable
    std::vector<VariableIndex> written_variables_;  // by column of original_

    std::vector<const OpenPort*> port_of_;   // by variable
    std::vector<std::uint8_t> preference_;   // by variable
    std::vector<VariableIndex> candidates_;  // by preference
    std::set<VariableIndex> known_;
    std::vector<std::pair<VariableIndex, graph::SingularSet>> refused_;
    graph::SingularSet refusal_;  // what the last refused row depends on
};

// By variable: whether an equation v = e gives it outright, e of time, parameters and discrete variables.
std::vector<bool> given_outright(const FlatModel& model) {
    std::vector<bool> given(model.variables.size());
    const auto is_unknown = [&](Expr leaf) {
        return leaf->op == Op::Variable &&
               model.variables[leaf->variable()].variability == Variability::Continuous;
    };
    const auto look = [&](Expr side, Expr other) {
        if (!is_unknown(side) || side->order != 0) return;
        bool known = true;
        for_each_leaf(other, [&](Expr leaf) { known = known && !is_unknown(leaf); });
        if (known) given[side->index] = true;
    };
    for (const Equation& e : model.equations) {
        if (e.kind != EquationKind::Written) continue;
        look(e.left, e.right);
        look(e.right, e.left);
    }
    return given;
}

// The loose ends that an enclosing model speaks of, defaults first.
std::vector<LooseEnd> loose_ends_in_question(const FlatModel& model) {
    std::vector<EquationIndex> loose;
    for (EquationIndex e(0); e < model.equations.end_index(); ++e.value)
        if (is_loose_end(model.equations[e].kind) && model.equations[e].left->op == Op::Variable)
            loose.push_back(e);
    if (loose.empty()) return {};

    const auto is_outside = [&](InstanceIndex i, InstanceIndex of) {
        while (of.value != 0) {
            of = model.instances[of].parent;
            if (of == i) return true;
        }
        return false;
    };
    std::vector<bool> spoken_of(model.variables.size());
    const auto look = [&](Expr root, InstanceIndex i) {
        for_each_leaf(root, [&](Expr leaf) {
            if ((leaf->op == Op::Variable || leaf->op == Op::Previous) && !spoken_of[leaf->index] &&
                is_outside(i, model.variables[leaf->variable()].origin.instance))
                spoken_of[leaf->index] = true;
        });
    };
    for (const Equation& e : model.equations) {
        if (e.kind != EquationKind::Written) continue;
        look(e.left, e.origin.instance);
        look(e.right, e.origin.instance);
    }
    for (const WhenClause& when : model.whens) {
        look(when.condition, when.origin.instance);
        for (const WhenAction& action : when.actions)
            if (const auto* assign = std::get_if<WhenAssign>(&action))
                look(assign->value, when.origin.instance);
            else if (const auto* reinit = std::get_if<WhenReinit>(&action))
                look(reinit->value, when.origin.instance);
    }
    std::vector<bool> beside(model.variables.size());  // in an open cut, an across variable is spoken of
    for (const OpenPort& port : model.open_ports)
        if (std::any_of(port.across.begin(), port.across.end(),
                        [&](VariableIndex v) { return bool(spoken_of[v.value]); }))
            for (VariableIndex v : port.through) beside[v.value] = true;

    std::vector<LooseEnd> found;
    for (EquationKind kind : {EquationKind::Default, EquationKind::Unconnected})
        for (EquationIndex e : loose) {
            if (model.equations[e].kind != kind) continue;
            const std::uint32_t v = model.equations[e].left->index;
            if (spoken_of[v] || (kind == EquationKind::Unconnected && beside[v]))
                found.push_back({e, bool(spoken_of[v])});
        }
    return found;
}

// Freed parameters become unknowns, and parameters computed from them become variables with an equation.
void free_parameters(FlatModel& model, Diagnostics& diagnostics) {
    std::vector<bool> varies(model.variables.size());
    for (VariableIndex v : model.freed) {
        Variable& variable = model.variables[v];
        if (variable.declared == VariableKind::Input) variable.declared = VariableKind::Terminal;
        variable.top_input = false;
        if (variable.variability != Variability::Parameter) continue;
        varies[v.value] = true;
        variable.variability = Variability::Continuous;
        if (!variable.start) variable.start = Start{model.pool->number(variable.value), variable.origin};
        variable.binding = nullptr;
        if (variable.structural) diagnostics.report(boundary_messages::structural_unknown(model, v));
        variable.structural = false;
    }
    if (std::none_of(varies.begin(), varies.end(), [](bool b) { return b; })) return;
    for (bool changed = true; changed;) {  // as often as bindings refer to one another
        changed = false;
        for (VariableIndex p(0); p < model.variables.end_index(); ++p.value) {
            Variable& variable = model.variables[p];
            if (variable.variability != Variability::Parameter || !variable.binding) continue;
            if (!depends_on(variable.binding,
                            [&](Expr leaf) { return leaf->op == Op::Variable && varies[leaf->index]; }))
                continue;
            if (variable.structural) diagnostics.report(boundary_messages::structural_unknown(model, p));
            varies[p.value] = changed = true;
            variable.variability = Variability::Continuous;
            model.equations.add(
                {model.pool->variable(p), variable.binding, variable.origin, EquationKind::Written});
            variable.binding = nullptr;
        }
    }
}

}  // namespace

void settle_loose_ends(FlatModel& model) {
    const std::vector<LooseEnd> in_question = loose_ends_in_question(model);
    if (in_question.empty()) return;
    std::vector<bool> removed(model.equations.size());
    Diagnostics ignored;  // errors of the model are found again, with all that belongs to it
    // The common case, a source with its voltage given, needs no matching of the whole model.
    const std::vector<bool> given = given_outright(model);
    if (std::all_of(in_question.begin(), in_question.end(), [&](const LooseEnd& end) {
            return end.spoken_of && given[model.equations[end.equation].left->index];
        })) {
        for (const LooseEnd& end : in_question) removed[end.equation.value] = true;
    } else if (const auto found = Boundary(model, ignored).without_room(in_question)) {
        for (EquationIndex e : *found) removed[e.value] = true;
    } else {
        for (const LooseEnd& end : in_question) removed[end.equation.value] = end.spoken_of;
    }
    for (EquationIndex e(0); e < model.equations.end_index(); ++e.value) {
        const InstanceIndex i = model.equations[e].origin.instance;
        if (!removed[e.value] || i.value == 0) continue;
        std::int32_t& surplus = model.instances[model.instances[i].parent].surplus;
        if (surplus > 0) --surplus;
    }
    remove_equations(model, removed);
}

std::optional<BoundaryReport> examine_boundary(const FlatModel& given, Diagnostics& diagnostics) {
    if (given.freed.empty()) return Boundary(given, diagnostics).run();
    FlatModel model = given;
    const std::size_t errors_before = diagnostics.error_count();
    free_parameters(model, diagnostics);
    if (diagnostics.error_count() > errors_before) return std::nullopt;
    return Boundary(model, diagnostics).run();
}

void report_boundary(const FlatModel& model, const BoundaryReport& report, Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < report.conflicts.size(); ++i)
        if (i < most_explained) diagnostics.report(boundary_messages::conflict(model, report, i));
    if (report.conflicts.empty() && report.missing_count > 0)
        diagnostics.report(boundary_messages::missing(model, report));
}

std::string unspecified_function_name(const FlatModel& model, VariableIndex v) {
    return "given_" + model.path(v);
}
Expr unspecified_function(FlatModel& model, VariableIndex v) {
    TableData table;
    table.name = unspecified_function_name(model, v);
    table.x = {0, 1};
    table.values = {0, 1};
    table.interpolation = Interpolation::Smooth;
    table.outside = Outside::Extrapolate;
    const Expr time = model.pool->time();
    return model.pool->apply(model.callees.add(std::move(table)), 0, std::span<const Expr>(&time, 1));
}

void choose_known(FlatModel& model, Diagnostics& diagnostics) {
    if (model.knowns.empty() && model.freed.empty()) return;
    const std::size_t errors_before = diagnostics.error_count();
    free_parameters(model, diagnostics);
    if (diagnostics.error_count() > errors_before) return;
    const auto report = Boundary(model, diagnostics).run();
    if (!report) return;
    if (!report->sound()) {
        report_boundary(model, *report, diagnostics);
        return;
    }
    // What an enclosing model speaks of has an equation of its own.
    std::vector<bool> in_question(model.equations.size());
    for (const LooseEnd& end : loose_ends_in_question(model)) in_question[end.equation.value] = true;
    for (const BoundaryReport::Lifted& lifted : report->lifted)
        if (!in_question[lifted.equation.value]) diagnostics.report(boundary_messages::lifted(model, lifted));

    std::vector<bool> removed(model.equations.size());
    for (const BoundaryReport::Lifted& lifted : report->lifted) removed[lifted.equation.value] = true;
    remove_equations(model, removed);

    bool reversed = !model.freed.empty();
    for (const Known& known : model.knowns) {
        Variable& v = model.variables[known.variable];
        reversed |= v.declared != VariableKind::Input;
        const Expr value = known.value ? known.value : unspecified_function(model, known.variable);
        model.equations.add({model.pool->variable(known.variable), value, v.origin, EquationKind::Input});
        v.top_input = true;
    }
    // With other knowns than the inputs, what is computed from what may turn round.
    if (reversed)
        for (Variable& v : model.variables)
            if (v.declared == VariableKind::Input || v.declared == VariableKind::Output)
                v.declared = VariableKind::Terminal;
    model.knowns.clear();
    model.freed.clear();
}

}  // namespace cutset
