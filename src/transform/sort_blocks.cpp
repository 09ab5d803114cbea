#include "transform/sort_blocks.h"

#include <algorithm>
#include <optional>

#include "expr/elementary_functions.h"
#include "graph/strong_components.h"
#include "graph/tearing.h"
#include "transform/messages.h"
#include "transform/solve.h"

namespace cutset::passes {
namespace {

// Linear loops up to this size are solved by formula.
constexpr std::size_t largest_formula = 3;

class BlockSorter {
  public:
    BlockSorter(Analysis& a, const System& system, bool initial, std::vector<LoopReport>& loops,
                Diagnostics& diagnostics)
        : a_(a), system_(system), initial_(initial), loops_(loops), diagnostics_(diagnostics) {}

    std::vector<Block> run() {
        find_chosen();
        local_.assign(system_.columns.size(), no_column);
        const graph::Components components = graph::strong_components(system_.incidence, system_.matching);
        blocks_.reserve(components.size());
        for (std::size_t i = 0; i < components.size(); ++i) {
            const auto rows = components[i];
            if (rows.size() == 1)
                single(rows[0]);
            else
                loop(rows);
        }
        return std::move(blocks_);
    }

  private:
    const Row& row(std::uint32_t r) const { return system_.rows[r]; }
    static Unknown unknown(Expr leaf) { return {leaf->variable(), leaf->order}; }
    SolvedEquation solved(std::uint32_t r, Expr leaf, Expr value) const {
        return {unknown(leaf), value, row(r).equation, row(r).from_initial};
    }
    ResidualEquation residual(std::uint32_t r) const {
        return {row(r).residual, row(r).equation, row(r).from_initial};
    }

    void find_chosen() {
        if (a_.torn.empty()) return;
        for (std::uint32_t c = 0; c < system_.columns.size(); ++c)
            if (wish(system_.columns[c])) chosen_.push_back(c);
    }
    TornWish* wish(Expr leaf) {
        for (TornWish& w : a_.torn)
            if (w.unknown == unknown(leaf)) return &w;
        return nullptr;
    }

    // Whether one of the values that conditions choose for a coefficient is zero: then the equation may say
    // nothing about its unknown, or cannot hold, which a loop finds out.
    bool may_be_chosen_zero(Expr coefficient) {
        const auto vanishes = [&](Expr e, bool chosen, const auto& self) -> bool {
            switch (e->op) {
                case Op::If:
                    for (std::size_t k = 0; k < e->args().size(); ++k)
                        if ((k % 2 == 1 || k + 1 == e->args().size()) && self(e->args()[k], true, self))
                            return true;
                    return false;
                case Op::Multiply:
                    return std::any_of(e->args().begin(), e->args().end(),
                                       [&](Expr factor) { return self(factor, chosen, self); });
                default:
                    return chosen && a_.variation_of(e) <= Variation::Parametric &&
                           divisor_quality(a_, e) == graph::Solvability::Never;
            }
        };
        return vanishes(coefficient, false, vanishes);
    }

    void single(std::uint32_t r) {
        const Expr leaf = system_.columns[system_.matching.variable_of_equation[r]];
        Block block;
        if (row(r).residual)
            if (const auto linear = as_linear(a_.pool(), row(r).residual, leaf);
                linear && !a_.leaves.occurs(leaf, linear->rest) && may_be_chosen_zero(linear->coefficient)) {
                block.kind = BlockKind::Linear;
                block.torn.push_back(unknown(leaf));
                block.why.push_back(TornReason::Single);
                if (TornWish* w = wish(leaf)) w->used = true;
                block.residuals.push_back(residual(r));
                block.loop_size = 1;
                loops_.push_back({1, 1, true, initial_, {leaf->variable()}});
                blocks_.push_back(std::move(block));
                return;
            }
        if (const auto value = solved_for(a_, row(r), leaf)) {
            block.inner.push_back(solved(r, leaf, *value));
            blocks_.push_back(std::move(block));
            return;
        }
        CUTSET_ASSERT(row(r).residual);
        if (const auto linear = as_linear(a_.pool(), row(r).residual, leaf)) {
            if (divisor_quality(a_, linear->coefficient) == graph::Solvability::Never &&
                !a_.leaves.occurs(leaf, linear->rest)) {
                diagnostics_.report(coefficient_is_zero(a_, row(r), leaf, linear->coefficient));
                return;
            }
        }
        if (!wish(leaf))
            if (const auto value = solved_by_inverse(a_, row(r), leaf)) {
                block.inner.push_back(solved(r, leaf, *value));
                blocks_.push_back(std::move(block));
                return;
            }
        block.kind = BlockKind::Nonlinear;
        block.torn.push_back(unknown(leaf));
        block.why.push_back(TornReason::Single);
        if (TornWish* w = wish(leaf)) w->used = true;
        block.residuals.push_back(residual(r));
        block.loop_size = 1;
        loops_.push_back({1, 1, false, initial_, {leaf->variable()}});
        blocks_.push_back(std::move(block));
    }

    // ---- loops

    struct Loop {
        std::vector<std::uint32_t> rows;
        std::vector<std::uint32_t> columns;
        graph::Bipartite incidence;                   // of the loop's own rows and columns
        std::vector<Expr> coefficients;               // by edge; null where not linear
        std::vector<Expr> slopes;                     // by edge: as far as the row is linear in this one
        std::vector<bool> exponents;                  // by edge: the unknown stands in an exponential
        std::vector<Expr> rests;                      // by row, when the whole loop is linear
        std::vector<graph::Solvability> solvability;  // by edge
        bool linear = true;
        bool constant = true;  // all coefficients parametric
    };

    Loop describe(std::span<const std::uint32_t> rows) {
        Loop loop;
        loop.rows.assign(rows.begin(), rows.end());
        for (std::uint32_t r : rows) loop.columns.push_back(system_.matching.variable_of_equation[r]);
        std::sort(loop.columns.begin(), loop.columns.end());
        for (std::uint32_t c = 0; c < loop.columns.size(); ++c) local_[loop.columns[c]] = c;
        graph::BipartiteBuilder builder(loop.columns.size());
        std::vector<std::uint32_t> own;
        std::vector<Expr> leaves;
        for (std::uint32_t r : rows) {
            own.clear();
            leaves.clear();
            for (std::uint32_t c : system_.incidence.row(r)) {
                if (local_[c] == no_column) continue;
                own.push_back(local_[c]);
                leaves.push_back(system_.columns[c]);
            }
            builder.add_equation(own);
            classify(loop, r, leaves);
        }
        loop.incidence = std::move(builder).finish();
        for (std::uint32_t c : loop.columns) local_[c] = no_column;
        return loop;
    }

    static bool is_exponent(Expr leaf, Expr e) {
        bool found = false;
        for_each_node(e, [&](Expr n) {
            if (const ElementaryFunction* f = elementary_function(n->op); f && f->grows_exponentially)
                found = found || contains(n, leaf);
        });
        return found;
    }

    // Coefficients and solvability of one row of a loop for the loop's unknowns in it.
    void classify(Loop& loop, std::uint32_t r, const std::vector<Expr>& leaves) {
        Pool& pool = a_.pool();
        if (!row(r).residual) {
            // Between Booleans: only v := e.
            loop.linear = loop.constant = false;
            loop.rests.push_back(nullptr);
            for (Expr leaf : leaves) {
                loop.coefficients.push_back(nullptr);
                loop.slopes.push_back(nullptr);
                loop.exponents.push_back(false);
                loop.solvability.push_back(solved_for(a_, row(r), leaf) ? graph::Solvability::Good
                                                                        : graph::Solvability::Never);
            }
            return;
        }
        if (const auto form = as_linear_form(pool, row(r).residual, leaves)) {
            loop.rests.push_back(form->rest);
            for (Expr c : form->coefficients) {
                loop.coefficients.push_back(c);
                loop.slopes.push_back(c);
                loop.exponents.push_back(false);
                loop.solvability.push_back(divisor_quality(a_, c));
                loop.constant = loop.constant && a_.variation_of(c) <= Variation::Parametric;
            }
            return;
        }
        loop.linear = loop.constant = false;
        loop.rests.push_back(nullptr);
        for (Expr leaf : leaves) {
            const auto linear = as_linear(pool, row(r).residual, leaf);
            loop.coefficients.push_back(nullptr);
            loop.slopes.push_back(linear ? linear->coefficient : nullptr);
            loop.exponents.push_back(!linear && is_exponent(leaf, row(r).residual));
            loop.solvability.push_back(linear ? divisor_quality(a_, linear->coefficient)
                                              : graph::Solvability::Never);
        }
    }

    void loop(std::span<const std::uint32_t> rows) {
        const Loop loop = describe(rows);
        LoopReport report{rows.size(), 0, loop.linear, initial_, {}};
        for (std::uint32_t c : loop.columns) report.variables.push_back(system_.columns[c]->variable());
        graph::TearingOptions options;
        for (std::uint32_t c : chosen_) {
            const auto at = std::lower_bound(loop.columns.begin(), loop.columns.end(), c);
            if (at == loop.columns.end() || *at != c) continue;
            options.chosen.push_back(std::uint32_t(at - loop.columns.begin()));
            wish(system_.columns[c])->used = true;
        }
        if (loop.linear && loop.constant && rows.size() <= largest_formula && options.chosen.empty() &&
            by_formula(loop)) {
            loops_.push_back(std::move(report));
            return;
        }
        Block block;
        block.kind = loop.linear ? BlockKind::Linear : BlockKind::Nonlinear;
        block.constant_matrix = loop.linear && loop.constant;
        block.loop_size = rows.size();
        graph::Tearing tearing = graph::tear(loop.incidence, loop.solvability, options);
        const std::vector<std::uint32_t> first_torn = tearing.torn_variables;
        cut_long_chains(loop, tearing);
        for (const graph::InnerAssignment& assignment : tearing.assignments) {
            const std::uint32_t r = loop.rows[assignment.equation];
            const Expr leaf = system_.columns[loop.columns[assignment.variable]];
            const auto value = solved_for(a_, row(r), leaf);
            CUTSET_ASSERT(value);
            block.inner.push_back(solved(r, leaf, *value));
        }
        const std::vector<graph::Solvability> best = best_solvability(loop);
        for (std::uint32_t v : tearing.torn_variables) {
            block.torn.push_back(unknown(system_.columns[loop.columns[v]]));
            TornReason reason = TornReason::FewestIterated;
            if (std::find(options.chosen.begin(), options.chosen.end(), v) != options.chosen.end())
                reason = TornReason::Chosen;
            else if (!std::binary_search(first_torn.begin(), first_torn.end(), v))
                reason = TornReason::LongChain;
            else if (best[v] == graph::Solvability::Never)
                reason = TornReason::NotSolvable;
            else if (best[v] == graph::Solvability::Avoid)
                reason = TornReason::MayDivideByZero;
            block.why.push_back(reason);
        }
        for (std::uint32_t r : tearing.residual_equations) {
            CUTSET_ASSERT(row(loop.rows[r]).residual);
            block.residuals.push_back(residual(loop.rows[r]));
        }
        CUTSET_ASSERT(block.torn.size() == block.residuals.size());
        report.torn = block.torn.size();
        loops_.push_back(std::move(report));
        blocks_.push_back(std::move(block));
    }

    // By unknown: how well the equation best suited for it can be solved for it.
    static std::vector<graph::Solvability> best_solvability(const Loop& loop) {
        std::vector<graph::Solvability> best(loop.columns.size(), graph::Solvability::Never);
        for (std::size_t edge = 0; edge < loop.incidence.adjacent.size(); ++edge) {
            graph::Solvability& s = best[loop.incidence.adjacent[edge]];
            s = std::max(s, loop.solvability[edge]);
        }
        return best;
    }

    // Tears a variable, and leaves its equation as a residual, where a chain of assignments gets too long.
    void cut_long_chains(const Loop& loop, graph::Tearing& tearing) {
        ChainDecision chains;
        chains.start = loop.incidence.start;
        chains.adjacent = loop.incidence.adjacent;
        chains.unknowns = static_cast<std::uint32_t>(loop.incidence.variables);
        for (Expr slope : loop.slopes) chains.slopes.push_back(a_.if_parametric(slope));
        chains.exponents.assign(loop.exponents.begin(), loop.exponents.end());
        for (std::size_t r = 0; r < loop.rows.size(); ++r) {
            const Expr rest = loop.rests[r];
            chains.is_linear.push_back(rest != nullptr);
            chains.only_scales.push_back(rest && rest->is_number(0) && loop.incidence.row(r).size() == 2);
            chains.has_residual.push_back(row(loop.rows[r]).residual != nullptr);
        }
        const std::vector<graph::InnerAssignment> assignments = std::move(tearing.assignments);
        for (const graph::InnerAssignment& x : assignments)
            chains.assignments.emplace_back(x.equation, x.variable);
        const std::vector<std::uint32_t> cuts = a_.values.decide(std::move(chains));
        tearing.assignments.clear();
        auto cut = cuts.begin();
        for (std::uint32_t i = 0; i < assignments.size(); ++i) {
            const graph::InnerAssignment& assignment = assignments[i];
            if (cut == cuts.end() || *cut != i) {
                tearing.assignments.push_back(assignment);
                continue;
            }
            ++cut;
            tearing.torn_variables.push_back(assignment.variable);
            tearing.residual_equations.push_back(assignment.equation);
        }
        std::sort(tearing.torn_variables.begin(), tearing.torn_variables.end());
        std::sort(tearing.residual_equations.begin(), tearing.residual_equations.end());
    }

    // Row and column of the largest pivot for this run's parameters; nothing when all vanish.
    std::optional<std::pair<std::uint32_t, std::uint32_t>> largest_pivot(
        const std::vector<std::vector<Expr>>& matrix, const std::vector<std::uint8_t>& row_done,
        const std::vector<std::uint8_t>& column_done) {
        PivotDecision pivot{matrix, row_done, column_done, std::nullopt};
        for (auto& row : pivot.matrix)
            for (Expr& e : row) e = a_.if_parametric(e);
        return a_.values.decide(std::move(pivot));
    }

    // Gaussian elimination with the largest pivot by value, the entries kept as formulas; then each unknown
    // from those after it. False when a pivot vanishes for this run's parameters.
    bool by_formula(const Loop& loop) {
        Pool& pool = a_.pool();
        const std::size_t n = loop.rows.size();
        std::vector<std::vector<Expr>> matrix(n, std::vector<Expr>(n, pool.number(0)));
        std::vector<Expr> right(n);
        std::size_t edge = 0;
        for (std::size_t i = 0; i < n; ++i) {
            right[i] = pool.negate(loop.rests[i]);
            for (std::uint32_t c : loop.incidence.row(i)) matrix[i][c] = loop.coefficients[edge++];
        }
        std::vector<std::size_t> row_at(n), column_at(n);
        std::vector<std::uint8_t> row_done(n), column_done(n);
        for (std::size_t k = 0; k < n; ++k) {
            const auto pivot = largest_pivot(matrix, row_done, column_done);
            if (!pivot) return false;
            const auto [p, q] = *pivot;
            row_at[k] = p;
            column_at[k] = q;
            row_done[p] = column_done[q] = true;
            for (std::size_t i = 0; i < n; ++i) {
                if (row_done[i] || matrix[i][q]->is_number(0)) continue;
                const Expr factor = pool.divide(matrix[i][q], matrix[p][q]);
                for (std::size_t j = 0; j < n; ++j)
                    if (!column_done[j])
                        matrix[i][j] = pool.subtract(matrix[i][j], pool.multiply(factor, matrix[p][j]));
                right[i] = pool.subtract(right[i], pool.multiply(factor, right[p]));
            }
        }
        Block block;
        block.symbolic = true;
        block.loop_size = n;
        for (std::size_t k = n; k-- > 0;) {
            const std::size_t p = row_at[k], q = column_at[k];
            std::vector<Expr> terms{right[p]};
            for (std::size_t later = k + 1; later < n; ++later) {
                const std::size_t j = column_at[later];
                terms.push_back(pool.negate(pool.multiply(matrix[p][j], system_.columns[loop.columns[j]])));
            }
            const Expr leaf = system_.columns[loop.columns[q]];
            block.inner.push_back(solved(loop.rows[p], leaf, quotient(pool, pool.add(terms), matrix[p][q])));
        }
        blocks_.push_back(std::move(block));
        return true;
    }

    Analysis& a_;
    const System& system_;
    bool initial_;
    std::vector<LoopReport>& loops_;
    Diagnostics& diagnostics_;
    std::vector<Block> blocks_;
    std::vector<std::uint32_t> local_;   // by column: its number in the loop at hand
    std::vector<std::uint32_t> chosen_;  // columns that the user wants torn
};

}  // namespace

std::vector<Block> sort_blocks(Analysis& a, const System& system, bool initial,
                               std::vector<LoopReport>& loops, Diagnostics& diagnostics) {
    return BlockSorter(a, system, initial, loops, diagnostics).run();
}

void sort_continuous(Analysis& a, Diagnostics& diagnostics) {
    a.partition.blocks = sort_blocks(a, a.continuous, false, a.partition.loops, diagnostics);
}

}  // namespace cutset::passes
