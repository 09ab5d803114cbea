#include "operations/linearize/symbolic_linearize.h"

#include <algorithm>
#include <map>
#include <set>
#include <stdexcept>

#include "operations/linearize/linearize_messages.h"

namespace cutset {

namespace {

constexpr std::size_t most_symbolic_states = 30;
constexpr std::size_t most_iterated = 6;

class SymbolicLinearizer {
  public:
    SymbolicLinearizer(const Partition& partition, const std::vector<VariableIndex>& inputs,
                       Diagnostics& diagnostics)
        : partition_(partition),
          pool_(*partition.model.pool),
          diagnostics_(diagnostics),
          columns_(partition.states.size() + inputs.size()) {
        std::size_t column = 0;
        for (VariableIndex v : partition.states) set_column({v, 0}, column++);
        for (VariableIndex v : inputs) set_column({v, 0}, column++);
        for (VariableIndex v : partition.parameters) {
            const Variable& p = partition.model.variables[v];
            if (p.adjustable && p.binding && !rows_.contains({v, 0})) rows_[{v, 0}] = row(p.binding);
        }
    }

    bool run() {
        for (const Block& block : partition_.blocks) {
            if (block.torn.empty()) {
                for (const SolvedEquation& s : block.inner) rows_[s.unknown] = row(s.value);
            } else if (!loop(block)) {
                return false;
            }
        }
        for (const Eliminated& e : partition_.eliminated) rows_[{e.variable, 0}] = row(e.value);
        return true;
    }

    std::vector<Expr> of(Unknown u) const {
        const auto found = rows_.find(u);
        return found == rows_.end() ? zeros(columns_) : found->second;
    }

  private:
    std::vector<Expr> zeros(std::size_t n) const { return std::vector<Expr>(n, pool_.number(0)); }

    void set_column(Unknown u, std::size_t column) {
        std::vector<Expr> unit = zeros(columns_);
        unit[column] = pool_.number(1);
        rows_[u] = std::move(unit);
    }

    // de by the columns, through what e is made of; unknowns of `apart` count as constant.
    std::vector<Expr> row(Expr e, const std::vector<Unknown>* apart = nullptr) {
        std::vector<std::vector<Expr>> terms(columns_);
        for (const auto& [u, d] : gradient(e)) {
            if (apart && std::find(apart->begin(), apart->end(), u) != apart->end()) continue;
            const auto found = rows_.find(u);
            if (found == rows_.end()) continue;
            for (std::size_t c = 0; c < columns_; ++c)
                if (!found->second[c]->is_number(0)) terms[c].push_back(pool_.multiply(d, found->second[c]));
        }
        std::vector<Expr> sum;
        for (const auto& list : terms) sum.push_back(list.empty() ? pool_.number(0) : pool_.add(list));
        return sum;
    }

    std::vector<std::pair<Unknown, Expr>> gradient(Expr e) {
        std::set<Expr, ById> leaves;
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op == Op::Variable) leaves.insert(leaf);
        });
        std::vector<std::pair<Unknown, Expr>> result;
        for (Expr leaf : leaves) {
            const Expr d = differentiate(pool_, e, leaf);
            if (!d->is_number(0)) result.emplace_back(Unknown{leaf->variable(), leaf->order}, d);
        }
        return result;
    }

    // Rows of a torn loop: z' = iterated, w' = inner.  w = w(z, known), 0 = r(z, w, known):
    // dr/dz dz = -dr/dknown, by elimination with formulas as pivots.
    bool loop(const Block& block) {
        const std::size_t k = block.torn.size();
        if (k > most_iterated) {
            diagnostics_.report(linearize_messages::symbolic_loop(k, most_iterated));
            return false;
        }
        // By tearing variable, then by columns: the derivatives of inner unknowns.
        std::map<Unknown, std::vector<Expr>> inner;  // by the tearing variables
        for (std::size_t i = 0; i < k; ++i) {
            std::vector<Expr> unit = zeros(k);
            unit[i] = pool_.number(1);
            inner[block.torn[i]] = std::move(unit);
        }
        const auto by_torn = [&](Expr e) {
            std::vector<std::vector<Expr>> terms(k);
            for (const auto& [u, d] : gradient(e)) {
                const auto found = inner.find(u);
                if (found == inner.end()) continue;
                for (std::size_t i = 0; i < k; ++i)
                    if (!found->second[i]->is_number(0))
                        terms[i].push_back(pool_.multiply(d, found->second[i]));
            }
            std::vector<Expr> sum;
            for (const auto& list : terms) sum.push_back(list.empty() ? pool_.number(0) : pool_.add(list));
            return sum;
        };
        for (const SolvedEquation& s : block.inner) {
            inner[s.unknown] = by_torn(s.value);
            rows_[s.unknown] = row(s.value);  // with the tearing variables held
        }
        std::vector<std::vector<Expr>> matrix, right;
        for (const ResidualEquation& r : block.residuals) {
            matrix.push_back(by_torn(r.residual));
            right.push_back(row(r.residual, &block.torn));
            for (Expr& e : right.back()) e = pool_.negate(e);
        }
        if (!eliminate(matrix, right)) {
            Diagnostic d = linearize_messages::symbolic_loop(k, most_iterated);
            d.message = "a loop of the model has no solution by formula";
            diagnostics_.report(std::move(d));
            return false;
        }
        for (std::size_t i = 0; i < k; ++i) rows_[block.torn[i]] = right[i];
        // Now with the tearing variables moving too.
        for (const SolvedEquation& s : block.inner) rows_[s.unknown] = row(s.value);
        return true;
    }

    // right := matrix⁻¹ right
    bool eliminate(std::vector<std::vector<Expr>>& matrix, std::vector<std::vector<Expr>>& right) {
        const std::size_t k = matrix.size();
        for (std::size_t column = 0; column < k; ++column) {
            // Numbers make the best pivots, then what is short.
            std::size_t best = k;
            for (std::size_t r = column; r < k; ++r) {
                if (matrix[r][column]->is_number(0)) continue;
                if (best == k || size(matrix[r][column]) < size(matrix[best][column])) best = r;
            }
            if (best == k) return false;
            std::swap(matrix[best], matrix[column]);
            std::swap(right[best], right[column]);
            const Expr pivot = matrix[column][column];
            for (Expr& e : matrix[column]) e = pool_.divide(e, pivot);
            for (Expr& e : right[column]) e = pool_.divide(e, pivot);
            for (std::size_t r = 0; r < k; ++r) {
                if (r == column || matrix[r][column]->is_number(0)) continue;
                const Expr factor = matrix[r][column];
                for (std::size_t c = 0; c < k; ++c)
                    matrix[r][c] = pool_.subtract(matrix[r][c], pool_.multiply(factor, matrix[column][c]));
                matrix[r][column] = pool_.number(0);
                for (std::size_t c = 0; c < right[r].size(); ++c)
                    right[r][c] = pool_.subtract(right[r][c], pool_.multiply(factor, right[column][c]));
            }
        }
        return true;
    }

    static std::size_t size(Expr e) {
        std::size_t n = 0;
        for_each_node(e, [&](Expr) { ++n; });
        return n;
    }

    struct ById {
        bool operator()(Expr a, Expr b) const { return a->id < b->id; }
    };

    const Partition& partition_;
    Pool& pool_;
    Diagnostics& diagnostics_;
    std::size_t columns_;
    std::map<Unknown, std::vector<Expr>> rows_;
};

// Puts the formulas of variables that are computed from states, inputs and parameters in their place, so far
// as they are short. The tearing variables of algebraic loops have no formula and stay.
void resolve_intermediates(const Partition& partition, SymbolicLinearization& result) {
    constexpr std::size_t longest = 60;
    Pool& pool = *partition.model.pool;
    Substitution formulas(pool);
    const std::set<VariableIndex> inputs(result.inputs.begin(), result.inputs.end());
    const auto add = [&](Unknown u, Expr value) {
        if (u.order == 0 && inputs.contains(u.variable)) return;
        const Expr resolved = formulas(value);
        std::size_t nodes = 0;
        for_each_node(resolved, [&](Expr) { ++nodes; });
        if (nodes <= longest) formulas.replace(pool.variable(u.variable, u.order), resolved);
    };
    for (const Block& block : partition.blocks)
        for (const SolvedEquation& s : block.inner) add(s.unknown, s.value);
    for (const Eliminated& e : partition.eliminated) add({e.variable, 0}, e.value);
    for (auto* matrix : {&result.A, &result.B, &result.C, &result.D})
        for (auto& row : *matrix)
            for (Expr& e : row) e = formulas(e);
}

}  // namespace

std::optional<SymbolicLinearization> linearize_symbolically(const Partition& partition,
                                                            const std::vector<VariableIndex>& inputs,
                                                            const std::vector<VariableIndex>& outputs,
                                                            Diagnostics& diagnostics) {
    const std::size_t n = partition.states.size();
    if (n > most_symbolic_states) {
        diagnostics.report(linearize_messages::too_large_for_symbols(n, most_symbolic_states));
        return std::nullopt;
    }
    SymbolicLinearization result{partition.states, inputs, outputs, {}, {}, {}, {}, {}};
    try {
        SymbolicLinearizer rows(partition, inputs, diagnostics);
        if (!rows.run()) return std::nullopt;
        const auto split = [&](const std::vector<Expr>& row, auto& left, auto& right) {
            left.emplace_back(row.begin(), row.begin() + std::ptrdiff_t(n));
            right.emplace_back(row.begin() + std::ptrdiff_t(n), row.end());
        };
        for (VariableIndex v : partition.states) split(rows.of({v, 1}), result.A, result.B);
        for (VariableIndex v : outputs) split(rows.of({v, 0}), result.C, result.D);
    } catch (const std::domain_error&) {
        Diagnostic d = linearize_messages::symbolic_loop(0, 0);
        d.code = "no-derivative";
        d.message = "a table or function of the model has no derivative by formula";
        diagnostics.report(std::move(d));
        return std::nullopt;
    }
    resolve_intermediates(partition, result);
    // How the variables that the formulas still name are computed.
    std::set<std::uint32_t> named;
    const auto look = [&](Expr e) {
        for_each_leaf(e, [&](Expr leaf) {
            if (leaf->op == Op::Variable && leaf->order == 0) named.insert(leaf->index);
        });
    };
    for (const auto* matrix : {&result.A, &result.B, &result.C, &result.D})
        for (const auto& row : *matrix)
            for (Expr e : row) look(e);
    std::vector<std::pair<VariableIndex, Expr>> reversed;
    for (std::size_t b = partition.blocks.size(); b-- > 0;) {
        const auto& inner = partition.blocks[b].inner;
        for (std::size_t i = inner.size(); i-- > 0;) {
            const SolvedEquation& s = inner[i];
            if (s.unknown.order != 0 || !named.contains(s.unknown.variable.value)) continue;
            reversed.emplace_back(s.unknown.variable, s.value);
            look(s.value);
        }
    }
    result.where.assign(reversed.rbegin(), reversed.rend());
    return result;
}

}  // namespace cutset
