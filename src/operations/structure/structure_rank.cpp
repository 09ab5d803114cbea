#include "operations/structure/structure_rank.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "graph/dulmage_mendelsohn.h"
#include "graph/modular_rank.h"
#include "operations/structure/influence_graph.h"
#include "transform/modular_gradient.h"

namespace cutset {

namespace {

namespace modular = graph::modular;
using Kind = InfluenceGraph::Kind;

constexpr std::size_t most_defects = 20;

// At random values of variables and parameters.
ModularGradient gradient_at_random(const FlatModel& model) {
    const auto known = [&model](Expr n) -> std::optional<std::uint64_t> {
        if (n->op != Op::Variable || n->order != 0) return std::nullopt;
        const Variable& v = model.variables[n->variable()];
        if (v.variability != Variability::Constant || !std::isfinite(v.value)) return std::nullopt;
        return modular::of_double(v.value);
    };
    return {known, [](Op op) { return !acts_later(op); }};
}

// The equations of the blocks, each as its residual.
class Rows {
  public:
    Rows(const Partition& partition, const InfluenceGraph& graph) : p_(partition), g_(graph) {
        Pool& pool = *p_.model.pool;
        for (const Block& block : p_.blocks) {
            for (const SolvedEquation& s : block.inner) {
                if (s.value->boolean) continue;
                residuals.push_back(
                    pool.subtract(pool.variable(s.unknown.variable, s.unknown.order), s.value));
                solved.push_back(s.unknown);
            }
            for (std::size_t i = 0; i < block.residuals.size(); ++i) {
                residuals.push_back(block.residuals[i].residual);
                solved.push_back(block.torn[i]);
            }
        }
    }
    // States whose derivatives occur in these equations.
    std::vector<std::uint32_t> states_in(const std::vector<std::uint32_t>& rows) const {
        std::vector<std::uint32_t> position(g_.nodes.size(), InfluenceGraph::none), result;
        for (std::uint32_t i = 0; i < g_.rates.size(); ++i) position[g_.rates[i]] = i;
        for (std::uint32_t r : rows)
            for (Expr leaf : occurrences(residuals[r]).direct)
                if (leaf->op == Op::Variable && leaf->order == 1)
                    if (const std::uint32_t n = g_.derivatives[leaf->index];
                        n != InfluenceGraph::none && position[n] != InfluenceGraph::none)
                        result.push_back(position[n]);
        std::sort(result.begin(), result.end());
        result.erase(std::unique(result.begin(), result.end()), result.end());
        return result;
    }

    std::vector<Expr> residuals;
    std::vector<Unknown> solved;  // by row: what it is solved for, one row for each unknown

  private:
    const Partition& p_;
    const InfluenceGraph& g_;
};

// Numbers the columns: all values that blocks compute, the states, and inputs where they count.
class ColumnsOf {
  public:
    ColumnsOf(const Partition& partition, const InfluenceGraph& graph,
              const std::vector<VariableIndex>& inputs)
        : g_(graph), functions_(input_functions(partition.model, inputs)) {
        column_.assign(graph.nodes.size(), InfluenceGraph::none);
        const auto add = [&](std::uint32_t node) {
            if (column_[node] != InfluenceGraph::none) return;
            column_[node] = std::uint32_t(nodes.size());
            nodes.push_back(node);
        };
        for (std::uint32_t n : graph.states) add(n);
        const auto computed = [&](const Unknown& u) {
            const std::uint32_t n = (u.order ? graph.derivatives : graph.values)[u.variable.value];
            if (graph.nodes[n].kind == Kind::Rate && is_rate(n)) return;
            if (partition.model.variables[u.variable].is_boolean()) return;
            add(n);
        };
        for (const Block& block : partition.blocks) {
            for (const SolvedEquation& s : block.inner) computed(s.unknown);
            for (const Unknown& u : block.torn) computed(u);
        }
        for (std::size_t i = 0; i < inputs.size(); ++i) {
            add(graph.inputs[i]);
            source_.emplace(inputs[i], graph.inputs[i]);
        }
    }
    // The column of a leaf; none for derivatives (zero at equilibrium), parameters and what is discrete.
    std::optional<std::uint32_t> of(Expr leaf) const {
        std::uint32_t n = InfluenceGraph::none;
        if (leaf->op == Op::Apply) {
            const auto input = functions_[leaf->index];
            if (!input || leaf->derivatives > 0) return std::nullopt;
            n = source_.at(*input);
        } else if (leaf->op == Op::Variable) {
            n = (leaf->order ? g_.derivatives : g_.values)[leaf->index];
            if (n == InfluenceGraph::none)
                if (const auto found = source_.find(leaf->variable()); found != source_.end())
                    n = found->second;
        }
        if (n == InfluenceGraph::none || column_[n] == InfluenceGraph::none) return std::nullopt;
        return column_[n];
    }
    std::optional<std::uint32_t> of_node(std::uint32_t n) const {
        if (column_[n] == InfluenceGraph::none) return std::nullopt;
        return column_[n];
    }

    std::vector<std::uint32_t> nodes;  // by column

  private:
    bool is_rate(std::uint32_t n) const {
        return g_.values[g_.nodes[n].unknown.variable.value] != InfluenceGraph::none &&
               g_.nodes[g_.values[g_.nodes[n].unknown.variable.value]].kind == Kind::State;
    }
    const InfluenceGraph& g_;
    std::vector<std::optional<VariableIndex>> functions_;
    std::unordered_map<VariableIndex, std::uint32_t> source_;
    std::vector<std::uint32_t> column_;
};

std::string node_name(const Partition& partition, const InfluenceGraph& graph, std::uint32_t n) {
    for (std::size_t i = 0; i < graph.states.size(); ++i)
        if (graph.states[i] == n) return graph.state_names[i];
    const Unknown& u = graph.nodes[n].unknown;
    const std::string path = partition.model.path(u.variable);
    return u.order ? derivative_name(path) : path;
}

std::vector<std::string> names(const Partition& partition, const InfluenceGraph& graph,
                               const ColumnsOf& columns, const std::vector<std::uint32_t>& list) {
    std::vector<std::string> result;
    for (std::uint32_t c : list) {
        // An input and the variable that takes its value have one name.
        std::string name = node_name(partition, graph, columns.nodes[c]);
        if (std::find(result.begin(), result.end(), name) == result.end()) result.push_back(std::move(name));
    }
    return result;
}

std::vector<graph::ModularRow> transposed(const std::vector<graph::ModularRow>& rows, std::size_t columns) {
    std::vector<graph::ModularRow> result(columns);
    for (std::uint32_t r = 0; r < rows.size(); ++r)
        for (const auto& [c, value] : rows[r]) result[c].emplace_back(r, value);
    return result;
}

}  // namespace

StructuralRank controllable_rank(const Partition& partition, const InfluenceGraph& g,
                                 const std::vector<VariableIndex>& inputs) {
    StructuralRank result;
    result.asked = true;
    const Rows rows(partition, g);
    const ColumnsOf columns(partition, g, inputs);
    ModularGradient gradient = gradient_at_random(partition.model);
    std::vector<graph::ModularRow> matrix;
    graph::BipartiteBuilder builder(columns.nodes.size());
    for (Expr residual : rows.residuals) {
        graph::ModularRow row;
        std::vector<std::uint32_t> list;
        for (const auto& [leaf, slope] : gradient(residual))
            if (const auto c = columns.of(leaf)) {
                row.emplace_back(*c, slope);
                list.push_back(*c);
            }
        std::sort(list.begin(), list.end());
        matrix.push_back(std::move(row));
        builder.add_equation(list);
    }
    const graph::Bipartite incidence = std::move(builder).finish();
    const graph::Matching matching = graph::maximum_matching(incidence);
    const std::size_t n = g.states.size(), missing = incidence.equations - matching.size;
    result.rank = n - std::min(n, missing);
    for (const graph::SingularSet& set : graph::overdetermined_sets(incidence, matching, most_defects)) {
        StructuralDefect defect{StructuralDefect::Kind::Dilation, rows.states_in(set.equations),
                                names(partition, g, columns, set.variables)};
        if (set.variables.empty()) defect.kind = StructuralDefect::Kind::Constant;
        result.defects.push_back(std::move(defect));
    }
    const graph::ModularRank exact = graph::modular_rank(matrix, columns.nodes.size());
    result.exact = exact.complete;
    if (!exact.complete || exact.dependencies.size() <= missing) return result;
    result.rank = n - std::min(n, exact.dependencies.size());
    // More is dependent than the pattern tells: these combinations explain it all.
    result.defects.clear();
    for (const auto& dependent : exact.dependencies) {
        if (result.defects.size() == most_defects) break;
        StructuralDefect defect{StructuralDefect::Kind::Combination, rows.states_in(dependent), {}};
        if (defect.states.size() == 1) defect.kind = StructuralDefect::Kind::Constant;
        result.defects.push_back(std::move(defect));
    }
    return result;
}

StructuralRank observable_rank(const Partition& partition, const InfluenceGraph& g,
                               const std::vector<std::uint32_t>& outputs) {
    StructuralRank result;
    result.asked = true;
    const Rows rows(partition, g);
    const ColumnsOf columns(partition, g, {});
    ModularGradient gradient = gradient_at_random(partition.model);
    std::vector<graph::ModularRow> matrix;
    const auto add = [&](Expr e) {
        graph::ModularRow row;
        for (const auto& [leaf, slope] : gradient(e))
            if (const auto c = columns.of(leaf)) row.emplace_back(*c, slope);
        matrix.push_back(std::move(row));
    };
    for (Expr residual : rows.residuals) add(residual);
    // Each output that can be seen: its column, or what an eliminated variable stands for.
    std::unordered_map<VariableIndex, Expr> eliminated;
    for (const Eliminated& e : partition.eliminated) eliminated[e.variable] = e.value;
    std::vector<std::uint32_t> seen;
    for (std::uint32_t y : outputs) {
        const Unknown& u = g.nodes[y].unknown;
        if (const auto c = columns.of_node(y)) {
            matrix.push_back({{*c, 1}});
            seen.push_back(y);
        } else if (const auto found = eliminated.find(u.variable);
                   u.order == 0 && found != eliminated.end()) {
            add(found->second);
            seen.push_back(y);
        }
        // A derivative that is an output adds nothing: its equation is a row already.
    }
    graph::BipartiteBuilder builder(columns.nodes.size());
    for (graph::ModularRow& row : matrix) {
        std::vector<std::uint32_t> list;
        for (const auto& [c, value] : row) list.push_back(c);
        std::sort(list.begin(), list.end());
        builder.add_equation(list);
    }
    const graph::Bipartite incidence = std::move(builder).finish();
    const graph::Matching matching = graph::maximum_matching(incidence);
    const std::size_t n = g.states.size(), missing = incidence.variables - matching.size;
    result.rank = n - std::min(n, missing);
    std::vector<std::uint32_t> state_of(g.nodes.size(), InfluenceGraph::none);
    for (std::uint32_t i = 0; i < n; ++i) state_of[g.states[i]] = i;
    const auto split = [&](const std::vector<std::uint32_t>& list, StructuralDefect& defect) {
        for (std::uint32_t c : list) {
            const std::uint32_t node = columns.nodes[c];
            if (state_of[node] != InfluenceGraph::none)
                defect.states.push_back(state_of[node]);
            else
                defect.through.push_back(node_name(partition, g, node));
        }
    };
    for (const graph::SingularSet& set : graph::underdetermined_sets(incidence, matching, most_defects)) {
        StructuralDefect defect{StructuralDefect::Kind::Contraction, {}, {}};
        split(set.variables, defect);
        // What these variables act on, one fewer than they are.
        std::vector<std::string> inside = std::move(defect.through);
        defect.through.clear();
        for (std::uint32_t r : set.equations) {
            std::string name;
            if (r < rows.solved.size()) {
                const Unknown& u = rows.solved[r];
                const std::string path = partition.model.path(u.variable);
                name = u.order ? derivative_name(path) : path;
            } else {
                name = node_name(partition, g, seen[r - rows.solved.size()]);
            }
            for (const auto* list : {&inside, &defect.through})
                if (std::find(list->begin(), list->end(), name) != list->end()) name.clear();
            if (!name.empty()) defect.through.push_back(std::move(name));
        }
        if (set.variables.size() == 1) defect.kind = StructuralDefect::Kind::Hidden;
        result.defects.push_back(std::move(defect));
    }
    const graph::ModularRank exact =
        graph::modular_rank(transposed(matrix, columns.nodes.size()), matrix.size());
    result.exact = exact.complete;
    if (!exact.complete || exact.dependencies.size() <= missing) return result;
    result.rank = n - std::min(n, exact.dependencies.size());
    result.defects.clear();
    for (const auto& dependent : exact.dependencies) {
        if (result.defects.size() == most_defects) break;
        StructuralDefect defect{StructuralDefect::Kind::HiddenCombination, {}, {}};
        split(dependent, defect);
        defect.through.clear();
        if (defect.states.size() == 1) defect.kind = StructuralDefect::Kind::Hidden;
        result.defects.push_back(std::move(defect));
    }
    return result;
}

}  // namespace cutset
