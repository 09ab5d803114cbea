#include "operations/points/equilibrium_judgement.h"

#include <algorithm>
#include <cmath>
#include <complex>
#include <limits>
#include <set>

#include "control/decompositions.h"
#include "translate/translator.h"

namespace cutset {

namespace {

constexpr double rest_holds = 1e-6;   // an equation, in units of its terms
constexpr double on_surface = 1e-10;  // what a switch compares
constexpr double as_told = 3e-5;      // a multiple root is known so well, relative
constexpr std::size_t most_states_edged = 60;

}  // namespace

static_messages::Runaway runaway(const FlatModel& model, VariableIndex v, double rate) {
    static_messages::Runaway r{v, rate, true, true};
    const auto for_leaves = [](const Equation& e, auto visit) {
        for (Expr side : {e.left, e.right})
            for_each_leaf(side, [&](Expr leaf) {
                if (leaf->op == Op::Variable) visit(leaf);
            });
    };
    std::set<VariableIndex> moving, reached;
    for (const Equation& e : model.equations)
        for_leaves(e, [&](Expr leaf) {
            if (leaf->order > 0) moving.insert(leaf->variable());
            if (leaf->order > 1 && leaf->variable() == v) r.depends_on_no_state = false;
            if (leaf->order == 0 && leaf->variable() == v) r.acts_on_nothing = false;
        });
    // From its derivative to what stands in the same equations.
    std::vector<bool> taken(model.equations.size());
    std::vector<VariableIndex> pending;
    const auto take = [&](EquationIndex e) {
        if (taken[e.value]) return;
        taken[e.value] = true;
        for_leaves(model.equations[e], [&](Expr leaf) {
            const VariableIndex w = leaf->variable();
            if (model.variables[w].variability != Variability::Continuous) return;
            if (leaf->order == 0 && moving.count(w)) r.depends_on_no_state = false;
            if (leaf->order > 0 && w != v) r.depends_on_no_state = false;
            if (!moving.count(w) && reached.insert(w).second) pending.push_back(w);
        });
    };
    for (EquationIndex e(0); e < model.equations.end_index(); ++e.value) {
        bool has = false;
        for_leaves(model.equations[e], [&](Expr leaf) { has |= leaf->order > 0 && leaf->variable() == v; });
        if (has) take(e);
    }
    while (!pending.empty()) {
        const VariableIndex w = pending.back();
        pending.pop_back();
        for (EquationIndex e(0); e < model.equations.end_index(); ++e.value) {
            bool has = false;
            for_leaves(model.equations[e], [&](Expr leaf) { has |= leaf->variable() == w; });
            if (has) take(e);
        }
    }
    return r;
}

bool is_switch(Op op) {
    return op == Op::Sign || op == Op::Less || op == Op::LessEqual;
}

bool stands_between_sides(const FlatModel& model, const std::vector<double>& values, double time) {
    std::set<Expr> nodes;
    for (const Equation& e : model.equations)
        for (Expr side : {e.left, e.right})
            for_each_node(side, [&](Expr n) {
                if (is_switch(n->op)) nodes.insert(n);
            });
    if (nodes.empty()) return false;
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op == Op::Time) return time;
        if (leaf->op != Op::Variable) return std::nullopt;
        return leaf->order == 0 ? values[leaf->index] : 0;
    };
    Pool& pool = *model.pool;
    std::vector<std::pair<VariableIndex, double>> derivatives;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) derivatives.emplace_back(v, 0.0);
    for (Expr n : nodes) {
        const Expr c = n->op == Op::Sign ? n->arg(0) : pool.subtract(n->arg(0), n->arg(1));
        const auto distance = evaluate(c, environment);
        if (!distance || std::abs(*distance) > on_surface) continue;
        for (const bool above : {false, true}) {
            Substitution put(pool);
            put.replace(n, n->op == Op::Sign ? pool.number(above ? 1 : -1) : pool.truth(above));
            FlatModel side = model;
            for (EquationIndex e(0); e < side.equations.end_index(); ++e.value) {
                side.equations[e].left = put(side.equations[e].left);
                side.equations[e].right = put(side.equations[e].right);
            }
            if (misfit(side, values, derivatives, time).residual > rest_holds) return true;
        }
    }
    return false;
}

bool is_on_edge(const StaticModel& posed, const Partition& partition, const InitialPoint& at,
                const StabilityReport& report, const SimulateOptions& run) {
    const std::size_t n = at.states.size();
    const bool certain = report.stability == Stability::Stable || report.stability == Stability::Unstable;
    if (!certain || n == 0 || n > most_states_edged || !posed.sampled.empty() ||
        !partition.dependent.empty() || report.modes.empty())
        return false;
    const std::complex<double> s = report.modes[report.worst.value_or(0)].eigenvalue;
    const auto eigen = eigen_decomposition(at.matrix, true);
    if (!eigen) return false;
    const auto nearest =
        std::min_element(eigen->values.begin(), eigen->values.end(),
                         [&](const auto& a, const auto& b) { return std::abs(a - s) < std::abs(b - s); });
    const Eigen::VectorXd direction = eigen->right.col(nearest - eigen->values.begin()).real();
    std::vector<double> size(n);
    double longest = 0;
    for (std::size_t i = 0; i < n; ++i) {
        const Variable& v = partition.model.variables[at.states[i]];
        size[i] = std::max(std::abs(v.nominal.value_or(1)), std::abs(at.values[at.states[i].value]));
        longest = std::max(longest, std::abs(direction[Eigen::Index(i)]) / size[i]);
    }
    if (!(longest > 0)) return false;
    TransformOptions given = posed.options;
    given.initial = InitialMode::Given;
    for (const double side : {1.0, -1.0}) {
        FlatModel beside = posed.model;
        for (VariableIndex v(0); v < beside.variables.end_index(); ++v.value) {
            Variable& variable = beside.variables[v];
            if (variable.variability != Variability::Continuous || variable.is_boolean()) continue;
            double value = at.values[v.value];
            for (std::size_t i = 0; i < n; ++i)
                if (at.states[i] == v) value += side * as_told * direction[Eigen::Index(i)] / longest;
            variable.start = Start{beside.pool->number(value), variable.origin};
        }
        Diagnostics quiet;
        const auto moved = translate(std::move(beside), {given, JacobianKind::States, {}, {}}, quiet);
        if (!moved || moved->partition()->states != partition.states) return false;
        const std::optional<InitialPoint> there = operating_point(*moved->program, run, nullptr, quiet);
        if (!there || there->matrix.rows() != Eigen::Index(n)) return false;
        double nearest_by = std::numeric_limits<double>::infinity(), change = 0;
        for (const Mode& mode : judge(*there, false).modes)
            if (const double by = std::abs(mode.eigenvalue - s); by < nearest_by) {
                nearest_by = by;
                change = std::abs(mode.eigenvalue.real() - s.real());
            }
        if (change >= 0.5 * std::abs(s.real())) return true;
    }
    return false;
}

}  // namespace cutset
