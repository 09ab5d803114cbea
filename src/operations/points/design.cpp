#include "operations/points/design.h"

#include <algorithm>
#include <map>
#include <set>

#include "graph/row_matching.h"
#include "operations/points/static_messages.h"

namespace cutset {

namespace {

constexpr std::size_t most_explained = 5;
constexpr std::size_t most_candidates = 12, most_trials = 60;

class Examination {
  public:
    Examination(const FlatModel& model, const StaticQuestion& question)
        : model_(model), question_(question), sought_(question.sought), zero_(*model.pool) {}

    DesignStructure run() {
        match();
        DesignStructure structure;
        for (const auto& [condition, columns] : refused_) {
            if (structure.conflicts.size() == most_explained) break;
            structure.conflicts.push_back(explain(condition, columns));
        }
        explain_open(structure);
        return structure;
    }

    std::size_t conflicts_with(VariableIndex candidate) {
        sought_.push_back(candidate);
        match();
        return refused_.size();
    }

  private:
    struct Origin {
        std::optional<EquationIndex> equation;
        std::optional<std::size_t> condition;
    };

    // ---- columns

    void number() {
        columns_.clear();
        column_of_.clear();
        leads_to_.assign(model_.variables.size(), {});
        for (VariableIndex v : sought_) {
            const Variable& variable = model_.variables[v];
            if (variable.variability <= Variability::Parameter || is_given(v))
                column(model_.pool->variable(v));
        }
        // Parameters that are computed from what is sought.
        for (bool changed = true; changed;) {
            changed = false;
            for (VariableIndex p(0); p < model_.variables.end_index(); ++p.value) {
                const Variable& variable = model_.variables[p];
                if (variable.variability > Variability::Parameter || !variable.binding || is_sought(p))
                    continue;
                for_each_leaf(variable.binding, [&](Expr leaf) {
                    if (leaf->op != Op::Variable) return;
                    std::set<std::uint32_t> roots = leads_to_[leaf->index];
                    if (is_sought(leaf->variable())) roots.insert(leaf->index);
                    for (std::uint32_t root : roots) changed |= leads_to_[p.value].insert(root).second;
                });
            }
        }
    }
    bool is_sought(VariableIndex v) const {
        return std::find(sought_.begin(), sought_.end(), v) != sought_.end();
    }
    bool is_given(VariableIndex v) const {
        return std::any_of(model_.equations.begin(), model_.equations.end(),
                           [&](const Equation& e) { return input_given(e) == v; });
    }
    std::uint32_t column(Expr leaf) {
        const auto [at, added] = column_of_.emplace(std::pair(leaf->index, leaf->order), columns_.size());
        if (added) columns_.push_back(leaf);
        return at->second;
    }
    std::vector<std::uint32_t> columns_of(std::initializer_list<Expr> expressions) {
        std::set<std::uint32_t> found;
        for (Expr e : expressions)
            for_each_leaf(at_rest(e), [&](Expr leaf) {
                if (leaf->op != Op::Variable) return;
                const Variable& v = model_.variables[leaf->variable()];
                if (v.variability <= Variability::Parameter) {
                    if (is_sought(leaf->variable())) found.insert(column(leaf));
                    for (std::uint32_t root : leads_to_[leaf->index])
                        found.insert(column(model_.pool->variable(VariableIndex(root))));
                } else if (v.variability == Variability::Continuous) {
                    found.insert(column(leaf));
                } else if (v.free_parameter) {
                    found.insert(column(leaf));
                }
            });
        return {found.begin(), found.end()};
    }

    // Without the derivatives that are zero, and what is multiplied by them.
    Expr at_rest(Expr e) {
        if (!question_.stationary) return e;
        bool any = false;
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op != Op::Variable || leaf->order == 0 || (leaf->order == 1 && moves(leaf->variable())))
                return;
            zero_.replace(leaf, model_.pool->number(0));
            any = true;
        });
        return any ? zero_(e) : e;
    }
    bool moves(VariableIndex v) const {
        return std::any_of(
            question_.conditions.begin(), question_.conditions.end(),
            [&](const StaticQuestion::Condition& c) { return c.variable == v && c.order == 1; });
    }

    // ---- rows in order: equations, conditions, initial values

    void match() {
        number();
        origin_.clear();
        refused_.clear();
        std::vector<std::pair<std::vector<std::uint32_t>, Origin>> rows;
        std::set<std::pair<std::uint32_t, std::uint32_t>> differentiated;
        for (EquationIndex e(0); e < model_.equations.end_index(); ++e.value) {
            const Equation& equation = model_.equations[e];
            for (Expr side : {equation.left, equation.right})
                for_each_leaf(side, [&](Expr leaf) {
                    if (leaf->op == Op::Variable && leaf->order > 0)
                        for (std::uint32_t k = 0; k < leaf->order; ++k)
                            differentiated.insert({leaf->index, k});
                });
            if (const auto input = input_given(equation); input && is_sought(*input)) continue;
            rows.push_back({columns_of({equation.left, equation.right}), {e, std::nullopt}});
        }
        if (!question_.stationary)
            for (const Equation& e : model_.initial_equations)
                rows.push_back({columns_of({e.left, e.right}), {}});
        std::vector<std::vector<std::uint32_t>> conditions;
        for (const StaticQuestion::Condition& c : question_.conditions) {
            const Expr v = model_.pool->variable(c.variable, c.order);
            conditions.push_back(c.value ? columns_of({v, c.value}) : std::vector<std::uint32_t>());
        }
        std::vector<std::vector<std::uint32_t>> starts;
        for (const auto& [v, order] : differentiated) {
            const bool open = !question_.stationary && order == 0 && is_sought(VariableIndex(v));
            if (open || (question_.stationary && order > 0)) continue;
            // An initial value may be what is sought, or be computed from it: x(0) = x0.
            const std::optional<Start>& start = model_.variables[VariableIndex(v)].start;
            const Expr state = model_.pool->variable(VariableIndex(v), order);
            starts.push_back(order == 0 && start && !question_.stationary ? columns_of({state, start->value})
                                                                          : columns_of({state}));
        }
        matching_.emplace(columns_.size());
        // Equations that others make superfluous are no concern of the choice.
        for (auto& [columns, origin] : rows)
            if (matching_->add(columns)) origin_.push_back(origin);
        for (std::size_t i = 0; i < conditions.size(); ++i) {
            if (!question_.conditions[i].value) continue;  // it only may move
            if (matching_->add(conditions[i]))
                origin_.push_back({std::nullopt, i});
            else
                refused_.emplace_back(i, conditions[i]);
        }
        // In equilibrium an initial value only chooses among what is left; it does not determine what is
        // sought.
        before_starts_.clear();
        if (question_.stationary)
            before_starts_ =
                graph::underdetermined_sets(matching_->incidence(), matching_->matching(), most_explained);
        for (const auto& columns : starts)
            if (matching_->add(columns)) origin_.push_back({});
    }

    DesignConflict explain(std::size_t condition, const std::vector<std::uint32_t>& columns) {
        DesignConflict conflict;
        conflict.condition = condition;
        std::vector<VariableIndex> candidates;
        const auto consider = [&](Expr e) { collect(at_rest(e), candidates); };
        for (std::uint32_t r : matching_->circuit(columns).equations) {
            if (origin_[r].condition) conflict.with.push_back(*origin_[r].condition);
            if (!origin_[r].equation) continue;
            conflict.equations.push_back(*origin_[r].equation);
            consider(model_.equations[*origin_[r].equation].left);
            consider(model_.equations[*origin_[r].equation].right);
        }
        const std::size_t before = refused_.size();
        std::size_t tried = 0;
        for (VariableIndex v : candidates) {
            if (conflict.could_be_sought.size() == most_candidates || ++tried > most_trials) break;
            Examination other(model_, question_);
            if (other.conflicts_with(v) < before) conflict.could_be_sought.push_back(v);
        }
        return conflict;
    }

    // Parameters and inputs in an expression, and those that they are computed from, that could be sought.
    void collect(Expr e, std::vector<VariableIndex>& candidates) {
        std::vector<Expr> pending = {e};
        std::set<std::uint32_t> seen;
        while (!pending.empty()) {
            const Expr next = pending.back();
            pending.pop_back();
            for_each_leaf(next, [&](Expr leaf) {
                if (leaf->op != Op::Variable || !seen.insert(leaf->index).second) return;
                const VariableIndex v = leaf->variable();
                const Variable& variable = model_.variables[v];
                const bool parameter = variable.variability == Variability::Parameter;
                if (parameter && variable.binding) {
                    bool computed = false;
                    for_each_leaf(variable.binding, [&](Expr) { computed = true; });
                    if (computed) {
                        pending.push_back(variable.binding);
                        return;
                    }
                }
                const bool shapes =
                    variable.structural || variable.declared == VariableKind::StructureParameter ||
                    std::find(model_.compared.begin(), model_.compared.end(), v) != model_.compared.end();
                const bool input = variable.variability == Variability::Continuous && is_given(v);
                if ((!parameter && !input) || shapes || is_sought(v)) return;
                if (std::find(candidates.begin(), candidates.end(), v) == candidates.end())
                    candidates.push_back(v);
            });
        }
    }

    void explain_open(DesignStructure& structure) {
        const auto sets =
            question_.stationary
                ? before_starts_
                : graph::underdetermined_sets(matching_->incidence(), matching_->matching(), most_explained);
        for (const graph::SingularSet& set : sets) {
            DesignOpen open;
            bool concerns_us = false;
            for (std::uint32_t c : set.variables) {
                const VariableIndex v = columns_[c]->variable();
                if (is_sought(v)) {
                    open.sought.push_back(v);
                    concerns_us = true;
                } else if (columns_[c]->order == 0) {
                    open.variables.push_back(v);
                }
            }
            for (std::uint32_t r : set.equations)
                if (origin_[r].equation) open.equations.push_back(*origin_[r].equation);
            if (concerns_us) structure.open.push_back(std::move(open));
        }
    }

    const FlatModel& model_;
    const StaticQuestion& question_;
    std::vector<VariableIndex> sought_;
    Substitution zero_;
    std::vector<Expr> columns_;
    std::map<std::pair<std::uint32_t, std::uint32_t>, std::uint32_t> column_of_;
    std::vector<std::set<std::uint32_t>> leads_to_;  // by parameter: what is sought that it depends on
    std::optional<graph::RowMatching> matching_;
    std::vector<Origin> origin_;  // by row of matching_
    std::vector<graph::SingularSet> before_starts_;
    std::vector<std::pair<std::size_t, std::vector<std::uint32_t>>> refused_;
};

// The stationary point for the present values is the best guess for that of others.
StaticQuestion with_present_point(const FlatModel& model, const StaticQuestion& question,
                                  const SteadyOptions& options) {
    if (!question.stationary) return question;
    StaticQuestion present = question;
    present.sought.clear();
    std::erase_if(present.conditions, [](const StaticQuestion::Condition& c) { return c.order == 0; });
    SteadyOptions one = options;
    one.solutions = 1;
    one.stability = false;
    Diagnostics quiet;
    const SteadyResult found = find_steady(model, present, one, "", quiet);
    StaticQuestion result = question;
    if (found.points.empty()) return result;
    std::set<VariableIndex> guessed;
    for (const auto& guess : question.guesses) guessed.insert(guess.first);
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        if (variable.variability != Variability::Continuous || variable.is_boolean() || guessed.count(v))
            continue;
        // Inputs that are sought begin at their own value.
        if (std::find(question.sought.begin(), question.sought.end(), v) != question.sought.end()) continue;
        if (variable.start && variable.start->from_user) continue;
        result.guesses.emplace_back(v, found.points[0].at.values[v.value]);
    }
    return result;
}

}  // namespace

DesignStructure examine_design(const FlatModel& model, const StaticQuestion& question) {
    return Examination(model, question).run();
}

void report_design(const FlatModel& model, const StaticQuestion& question, const DesignStructure& structure,
                   Diagnostics& diagnostics) {
    const auto text = [&](const StaticQuestion::Condition& c) {
        return to_text(model.pool->variable(c.variable, c.order), model.printer()) + " = " +
               to_text(c.value, model.printer());
    };
    for (const DesignConflict& conflict : structure.conflicts) {
        std::vector<std::string> others;
        for (std::size_t i : conflict.with) others.push_back(text(question.conditions[i]));
        std::vector<VariableIndex> idle;
        for (const DesignOpen& open : structure.open)
            idle.insert(idle.end(), open.sought.begin(), open.sought.end());
        diagnostics.report(
            static_messages::one_condition_too_many(model, question.conditions[conflict.condition].variable,
                                                    text(question.conditions[conflict.condition]), others,
                                                    conflict.equations, conflict.could_be_sought, idle));
    }
    if (structure.conflicts.empty())
        for (const DesignOpen& open : structure.open)
            diagnostics.report(
                static_messages::not_determined(model, open.sought, open.variables, open.equations));
}

SteadyResult design(const FlatModel& model, const StaticQuestion& question, const SteadyOptions& options,
                    Diagnostics& diagnostics) {
    // What cannot be sought at all is reported first.
    const std::size_t errors_before = diagnostics.error_count();
    pose(model, question, diagnostics);
    if (diagnostics.error_count() > errors_before) return {};
    const DesignStructure structure = examine_design(model, question);
    if (!structure.sound()) {
        report_design(model, question, structure, diagnostics);
        return {};
    }
    return find_steady(model, with_present_point(model, question, options), options, "solution", diagnostics);
}

}  // namespace cutset
