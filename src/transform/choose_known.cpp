#include "transform/choose_known.h"

#include <algorithm>
#include <map>
#include <set>

#include "transform/boundary_messages.h"
#include "transform/boundary_rows.h"
#include "transform/loose_ends.h"
#include "transform/messages.h"
#include "transform/rewrite.h"

namespace cutset {
namespace {

constexpr std::size_t most_explained = 5;       // conflicts and missing sets with their equations
constexpr std::size_t most_questioned = 200;    // knowns and loose ends whose alternatives are listed
constexpr std::size_t most_alternatives = 100;  // of one known
constexpr std::size_t most_written = 8;  // equations of an explanation as written; longer ones as eliminated

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

class Boundary {
  public:
    explicit Boundary(const FlatModel& model) : given_(model), rows_(model) {}

    std::optional<BoundaryReport> run(Diagnostics& diagnostics) {
        if (!rows_.simplify(diagnostics) || !rows_.match_equations(false, diagnostics)) return std::nullopt;
        rank_variables();
        report_.unknowns = rows_.columns().size() + rows_.eliminated();
        report_.needed = rows_.columns().size() - rows_.matching().rows();
        report_.equations = report_.unknowns - report_.needed;
        add_chosen();
        add_loose_ends();
        explain_conflicts();
        explain_missing();
        propose();
        list_alternatives();
        return std::move(report_);
    }

  private:
    // ---- preferences

    void rank_variables() {
        const std::size_t n = given_.variables.size();
        std::vector<bool> outside(n), joined(n);
        for (const Equation& e : given_.equations) {
            if (is_loose_end(e.kind) || e.kind == EquationKind::Input) continue;
            for (Expr leaf : rows_.leaves({e.left, e.right})) {
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
            if (rows_.is_differentiated(v)) p = std::uint8_t(p + differentiated);
            if (variable.is_boolean()) p = std::uint8_t(p + truth_value);
            preference_[v.value] = p;
            candidates_.push_back(v);
        }
        std::stable_sort(candidates_.begin(), candidates_.end(), [&](VariableIndex x, VariableIndex y) {
            return preference_[x.value] < preference_[y.value];
        });
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

    void add_chosen() {
        const auto choose = [&](VariableIndex v, std::initializer_list<Expr> sides, EquationIndex e) {
            known_.insert(v);
            if (rows_.add(sides, {e, v}))
                report_.knowns.push_back({v, true, rows_.is_differentiated(v), reason(v), {}});
            else
                refused_.push_back({v, rows_.refusal()});
        };
        for (EquationIndex e : rows_.inputs()) {
            const Equation& equation = rows_.written(e);
            if (equation.left->op != Op::Variable) continue;
            choose(equation.left->variable(), {equation.left, equation.right}, e);
        }
        for (const Known& known : given_.knowns) {
            const Expr v = rows_.pool().variable(known.variable);
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
            const Expr left = rows_.written(e).left;
            return left->op == Op::Variable && touched[left->index];
        };
        // A default that was written counts more than the rule for open cuts.
        std::vector<EquationIndex> loose = rows_.loose_ends();
        std::stable_sort(loose.begin(), loose.end(), [&](EquationIndex x, EquationIndex y) {
            const auto rank = [&](EquationIndex e) {
                return std::pair(is_touched(e), rows_.written(e).kind != EquationKind::Default);
            };
            return rank(x) < rank(y);
        });
        for (EquationIndex e : loose) {
            if (rows_.add_equation(e)) {
                report_.loose.push_back({e, shown(e), {}});
                loose_row_.push_back(std::uint32_t(rows_.matching().rows() - 1));
            } else if (!is_touched(e) && follows_from_model()) {
                continue;  // superfluous with or without the choice
            } else {
                report_.lifted.push_back({e, shown(e), is_touched(e)});
            }
        }
    }
    // Whether no known takes part in what made the last row superfluous.
    bool follows_from_model() const {
        const auto& others = rows_.refusal().equations;
        return std::none_of(others.begin(), others.end(),
                            [&](std::uint32_t r) { return rows_.origins()[r].known.has_value(); });
    }

    void propose() {
        // What the user wants computed is no proposal, unless nothing else is left.
        std::stable_partition(candidates_.begin(), candidates_.end(), [&](VariableIndex v) {
            return std::find(given_.freed.begin(), given_.freed.end(), v) == given_.freed.end();
        });
        for (VariableIndex v : candidates_) {
            if (rows_.matching().is_complete()) return;
            if (known_.count(v) || !is_candidate(v)) continue;
            if (!rows_.add({rows_.pool().variable(v)}, {EquationIndex(0), v})) continue;
            known_.insert(v);
            report_.knowns.push_back({v, false, rows_.is_differentiated(v), reason(v), {}});
        }
    }
    bool is_candidate(VariableIndex v) const { return rows_.is_column(v) || rows_.value_of(v); }

    // ---- explanations

    ShownEquation shown(EquationIndex e) const {
        const Equation& equation = rows_.written(e);
        Span where = equation.origin.where;
        if (!where.known()) where = given_.instances[equation.origin.instance].where;
        return {rows_.model().text(equation) + passes::kind_text(equation.kind),
                given_.path(equation.origin.instance), where};
    }
    // The equations by which an eliminated variable is what it is.
    void show_elimination(VariableIndex v, std::vector<ShownEquation>& out) const {
        const Eliminated* e = rows_.value_of(v);
        if (!e) return;
        const Equation equation{rows_.model().pool->variable(v), e->value, e->origin};
        Span where = e->origin.where;
        if (!where.known()) where = given_.instances[e->origin.instance].where;
        out.push_back({rows_.model().text(equation), given_.path(e->origin.instance), where});
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
        std::vector<BoundaryRows::Origin> origin;
    };
    std::vector<std::uint32_t> written_columns(std::initializer_list<Expr> sides) {
        std::vector<std::uint32_t> columns;
        for (Expr leaf : rows_.leaves(sides))
            if (written_column_[leaf->index] != passes::no_column)
                columns.push_back(written_column_[leaf->index]);
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        return columns;
    }
    std::vector<std::uint32_t> written_columns(const BoundaryRows::Origin& row) {
        if (!row.known) {
            const Equation& e = given_.equations[row.equation];
            return written_columns({e.left, e.right});
        }
        for (const Known& known : given_.knowns)
            if (known.variable == *row.known && known.value)
                return written_columns({rows_.pool().variable(known.variable), known.value});
        return written_columns({rows_.pool().variable(*row.known)});
    }
    const Original* original() {
        if (original_) return &*original_;
        if (no_original_) return nullptr;
        no_original_ = true;
        written_column_.assign(rows_.model().variables.size(), passes::no_column);
        for (VariableIndex v(0); v < given_.variables.end_index(); ++v.value)
            if (given_.variables[v].variability == Variability::Continuous &&
                (rows_.is_eliminated(v) || rows_.is_column(v))) {
                written_column_[v.value] = std::uint32_t(written_variables_.size());
                written_variables_.push_back(v);
            }
        std::vector<bool> left_out(given_.equations.size());
        for (EquationIndex e : rows_.dependent_removed())
            if (e.value < left_out.size()) left_out[e.value] = true;
        graph::BipartiteBuilder builder(written_variables_.size());
        std::vector<BoundaryRows::Origin> origin;
        for (EquationIndex e(0); e < given_.equations.end_index(); ++e.value) {
            const EquationKind kind = given_.equations[e].kind;
            if (left_out[e.value] || is_loose_end(kind) || kind == EquationKind::Input) continue;
            builder.add_equation(written_columns(BoundaryRows::Origin{e, std::nullopt}));
            origin.push_back({e, std::nullopt});
        }
        const graph::Bipartite incidence = std::move(builder).finish();
        const graph::Matching matching = graph::maximum_matching(incidence);
        if (matching.size != incidence.equations) return nullptr;
        Original made{graph::RowMatching(incidence, matching), std::move(origin)};
        for (std::size_t r = rows_.equations(); r < rows_.origins().size(); ++r) {
            if (!made.matching.add(written_columns(rows_.origins()[r]))) return nullptr;
            made.origin.push_back(rows_.origins()[r]);
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
                                         const std::vector<BoundaryRows::Origin>& origin) {
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
                explain(set, rows_.origins());
                for (std::uint32_t c : set.variables) conflict.variables.push_back(rows_.columns()[c]);
                for (VariableIndex k : conflict.knowns) show_elimination(k, conflict.equations);
                sort_shown(conflict.equations);
                if (const Original* as_written = original()) {
                    const std::vector<std::uint32_t> own =
                        written_columns(BoundaryRows::Origin{EquationIndex(0), v});
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
        report_.missing_count = rows_.matching().variables() - rows_.matching().rows();
        if (report_.missing_count == 0) return;
        const auto sets = graph::underdetermined_sets(rows_.matching().incidence(),
                                                      rows_.matching().matching(), most_explained);
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
                const VariableIndex v = use_written ? written_variables_[c] : rows_.columns()[c];
                // Only variables of the model, not those made to lower the order of derivatives.
                if (v.value < given_.variables.size()) missing.variables.push_back(v);
            }
            for (std::uint32_t r : set.equations) {
                const BoundaryRows::Origin origin = use_written ? as_written->origin[r] : rows_.origins()[r];
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
            const Eliminated* e = rows_.value_of(v);
            if (!e) return v.value;
            const auto parts = rows_.leaves({e->value});
            return e->alias && parts.size() == 1 ? parts[0]->index : v.value;
        };
        std::map<std::uint32_t, std::uint32_t> row_of_known;
        for (std::uint32_t r = 0; r < rows_.origins().size(); ++r)
            if (rows_.origins()[r].known) row_of_known[rows_.origins()[r].known->value] = r;
        std::set<std::uint32_t> taken;
        for (const auto& entry : report_.knowns) taken.insert(quantity(entry.variable));
        // A variable can stand in the place of a row that has a part in the combination that gives it.
        std::map<std::uint32_t, std::optional<std::vector<std::uint32_t>>> given_by;
        const auto has_part = [&](std::uint32_t row, VariableIndex v) {
            const auto [at, fresh] = given_by.try_emplace(v.value);
            if (fresh) at->second = rows_.combination(v);
            return !at->second || std::binary_search(at->second->begin(), at->second->end(), row);
        };
        const auto list = [&](std::uint32_t row, std::uint32_t own) {
            std::vector<VariableIndex> found;
            std::set<std::uint32_t> seen = taken;
            seen.insert(own);
            std::vector<bool> wanted(rows_.columns().size());
            for (std::uint32_t c : rows_.matching().replacements(row)) wanted[c] = true;
            for (VariableIndex v : candidates_) {
                if (found.size() == most_alternatives) break;
                if (!is_candidate(v)) continue;
                const auto columns = rows_.columns_of(v);
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
            const Expr left = rows_.written(report_.loose[i].equation).left;
            report_.loose[i].alternatives =
                list(loose_row_[i], left->op == Op::Variable ? quantity(left->variable()) : 0xFFFFFFFFu);
        }
    }

    const FlatModel& given_;
    BoundaryRows rows_;
    BoundaryReport report_;
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
};

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

std::optional<BoundaryReport> examine_boundary(const FlatModel& given, Diagnostics& diagnostics) {
    if (given.freed.empty()) return Boundary(given).run(diagnostics);
    FlatModel model = given;
    const std::size_t errors_before = diagnostics.error_count();
    free_parameters(model, diagnostics);
    if (diagnostics.error_count() > errors_before) return std::nullopt;
    return Boundary(model).run(diagnostics);
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
    const auto report = Boundary(model).run(diagnostics);
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
