#include "transform/boundary_rows.h"

#include <algorithm>

#include "transform/eliminate_exactly.h"
#include "transform/lower_events.h"
#include "transform/lower_order.h"
#include "transform/messages.h"
#include "transform/order_parameters.h"
#include "transform/remove_zero_terms.h"
#include "transform/rewrite.h"

namespace cutset {
namespace {

using passes::Row;
namespace modular = graph::modular;

constexpr std::size_t most_shown_sets = 5;  // of too many equations

// Initial values that disagree are the matter of the analysis that comes after the choice.
TransformOptions structure_only() {
    TransformOptions options;
    options.initial = InitialMode::Jump;
    return options;
}

}  // namespace

BoundaryRows::BoundaryRows(const FlatModel& model)
    : given_(model), a_(model, structure_only()), exact_(a_, false) {}

bool BoundaryRows::simplify(Diagnostics& diagnostics) {
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
        for (const Diagnostic& d : own.all()) diagnostics.report(d);
        return false;
    }
    value_of_.assign(a_.model().variables.size(), nullptr);
    for (const Eliminated& e : a_.partition.eliminated) value_of_[e.variable.value] = &e;
    number_columns();
    return true;
}

void BoundaryRows::number_columns() {
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

std::span<const Expr> BoundaryRows::leaves(const Row& row) {
    return row.residual ? a_.leaves({row.residual}) : a_.leaves({row.left, row.right});
}

// The columns that leaves stand for, eliminated variables replaced by what they are made of.
std::vector<std::uint32_t> BoundaryRows::columns_of(std::initializer_list<Expr> expressions) {
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

bool BoundaryRows::is_column(Expr leaf) const {
    if (states_known_ && leaf->order == 0 && a_.differentiated[leaf->index]) return false;
    return column_of_[leaf->index] != passes::no_column;
}

bool BoundaryRows::is_differentiated(VariableIndex v) {
    const Eliminated* const e = value_of(v);
    if (!e) return a_.differentiated[v.value];
    const auto parts = a_.leaves({e->value});
    return std::any_of(parts.begin(), parts.end(),
                       [&](Expr leaf) { return bool(a_.differentiated[leaf->index]); });
}

// The partial derivatives of an expression by the columns, modulo a prime. A derivative of order k counts
// s^k with a random s, so that rows are independent when their combinations with derivatives of each
// other are, too.
void BoundaryRows::add_slopes(Expr e, std::uint64_t factor, std::map<std::uint32_t, std::uint64_t>& row) {
    for (const auto& [leaf, slope] : exact_.gradient()(e)) {
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

graph::ModularRow BoundaryRows::slopes(std::initializer_list<Expr> sides) {
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

bool BoundaryRows::match_equations(bool states_known, Diagnostics& diagnostics) {
    states_known_ = states_known;
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
    if (matching.size < rows_.size()) {
        report_surplus(incidence, matching, diagnostics);
        return false;
    }
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

void BoundaryRows::report_surplus(const graph::Bipartite& incidence, const graph::Matching& matching,
                                  Diagnostics& diagnostics) {
    for (const graph::SingularSet& set : graph::overdetermined_sets(incidence, matching, most_shown_sets)) {
        std::vector<EquationIndex> equations;
        std::vector<VariableIndex> variables;
        for (std::uint32_t r : set.equations) equations.push_back(rows_[r].equation);
        for (std::uint32_t c : set.variables) variables.push_back(columns_[c]);
        diagnostics.report(passes::too_many_equations(a_, equations, variables));
    }
}

bool BoundaryRows::add(std::initializer_list<Expr> sides, Origin origin) {
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

bool BoundaryRows::add_equation(EquationIndex e) {
    return add({written(e).left, written(e).right}, {e, std::nullopt});
}

// What the structure refuses is explained by it: these sets are smaller in the words of the modeller.
graph::SingularSet BoundaryRows::circuit(const std::vector<std::uint32_t>& columns,
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

std::optional<std::vector<std::uint32_t>> BoundaryRows::combination(VariableIndex v) {
    return basis_->combination(slopes({a_.pool().variable(v)}));
}

}  // namespace cutset
