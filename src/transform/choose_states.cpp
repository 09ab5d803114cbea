#include "transform/choose_states.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "base/disjoint_sets.h"
#include "graph/strong_components.h"
#include "transform/solve.h"

namespace cutset::passes {
namespace {

// A choice with more entries of its selection matrix than this is split into choices of single rows.
constexpr std::size_t largest_choice = 1024;
constexpr std::size_t largest_dense = 4'000'000;

// How much a variable should be a state: it is differentiated in the model, has an initial value, reinit sets
// it, or the modeller says so (`state x`), or the contrary (`state avoid x`).
constexpr double weight_of_derivative = 8, weight_of_start = 2, weight_of_reinit = 1e3, weight_of_wish = 1e6;
constexpr double smallest_weight = 0.5;  // in a choice that is left to the run

struct Entry {
    std::uint32_t column;
    Expr value;
};

// The constraints of one level and what they tie together; columns are derivatives of candidates for states.
struct Level {
    std::vector<std::uint32_t> rows;
    std::vector<Derivative> columns;
    std::vector<std::vector<Entry>> entries;  // by row
};

class StateChooser {
  public:
    StateChooser(Analysis& a, const std::vector<DerivedRow>& rows, DerivativeChains& chains)
        : a_(a), rows_(rows), chains_(chains), column_of_(a.model().variables.size(), no_column) {
        for (const WhenClause& when : a.model().whens)
            for (const WhenAction& action : when.actions)
                if (const auto* reinit = std::get_if<WhenReinit>(&action))
                    reinit_targets_.push_back(reinit->target);
        std::sort(reinit_targets_.begin(), reinit_targets_.end());
    }

    ChosenStates run() {
        std::vector<std::uint32_t> rows;
        std::vector<Derivative> columns;
        for (std::uint32_t r = 0; r < rows_.size(); ++r)
            if (rows_[r].derivative == no_row && rows_[r].integral != no_row) rows.push_back(r);
        for (VariableIndex v(0); v < a_.model().variables.end_index(); ++v.value)
            if (a_.is_unknown(v) && chains_.is_base(v) && chains_.highest(v) > 0)
                columns.push_back({v, chains_.highest(v)});
        while (!rows.empty()) {
            dependent_.clear();
            decide(describe(rows, columns));
            std::vector<std::uint32_t> lower;
            for (std::uint32_t r : rows)
                if (rows_[rows_[r].integral].integral != no_row) lower.push_back(rows_[r].integral);
            rows = std::move(lower);
            columns.clear();
            std::sort(dependent_.begin(), dependent_.end(),
                      [](const Derivative& x, const Derivative& y) { return x.base < y.base; });
            for (const Derivative& d : dependent_)
                if (d.order > 1) columns.push_back({d.base, d.order - 1});
        }
        return std::move(chosen_);
    }

  private:
    // Entries are taken from the equation that was differentiated: ∂g'/∂x' = ∂g/∂x.
    Level describe(const std::vector<std::uint32_t>& rows, const std::vector<Derivative>& columns) {
        Level level{rows, columns, {}};
        for (std::uint32_t c = 0; c < columns.size(); ++c) column_of_[columns[c].base.value] = c;
        for (std::uint32_t r : rows) {
            std::uint32_t root = r;
            while (rows_[root].integral != no_row) root = rows_[root].integral;
            const Expr residual = a_.pool().subtract(rows_[root].left, rows_[root].right);
            std::vector<Expr> candidates;
            for (Expr leaf : a_.leaves({residual})) {
                const std::uint32_t c = column_of_[leaf->index];
                if (c != no_column && columns[c].order == leaf->order + rows_[r].times_differentiated)
                    candidates.push_back(leaf);
            }
            auto& entries = level.entries.emplace_back();
            for (Expr leaf : candidates) {
                const Expr value = differentiate(a_.pool(), residual, leaf);
                if (!value->is_number(0)) entries.push_back({column_of_[leaf->index], value});
            }
        }
        for (const Derivative& d : columns) column_of_[d.base.value] = no_column;
        return level;
    }

    // What is known of the candidate that a column is the derivative of.
    struct Candidate {
        bool differentiated = false, has_start = false, reinitialized = false;
        StateSelect select = StateSelect::Default;
        double weight = 1;
    };
    Candidate candidate(const Derivative& of_derivative) {
        Candidate c;
        c.differentiated = chains_.is_differentiated({of_derivative.base, of_derivative.order - 1});
        if (const auto v = chains_.variable({of_derivative.base, of_derivative.order - 1})) {
            const Variable& variable = a_.model().variables[*v];
            c.has_start = variable.start && !variable.start->only_guess;
            c.reinitialized = std::binary_search(reinit_targets_.begin(), reinit_targets_.end(), *v);
            c.select = variable.state_select;
        }
        if (c.differentiated) c.weight *= weight_of_derivative;
        if (c.has_start) c.weight *= weight_of_start;
        if (c.reinitialized) c.weight *= weight_of_reinit;
        if (c.select < StateSelect::Default) c.weight /= weight_of_wish;
        if (c.select > StateSelect::Default) c.weight *= weight_of_wish;
        return c;
    }
    double nominal(const Derivative& of_derivative) {
        const auto v = chains_.variable({of_derivative.base, of_derivative.order - 1});
        return v ? std::abs(a_.model().variables[*v].nominal.value_or(1)) : 1;
    }
    // Known not to be zero. What is only known to be positive, exp(u), may still be as good as zero.
    bool is_good(Expr entry) {
        return a_.variation_of(entry) <= Variation::Parametric &&
               divisor_quality(a_, entry) == graph::Solvability::Good;
    }
    // `row`: the constraint that the column is solved from, if one can be named.
    void take(const Level& level, std::uint32_t column, std::uint32_t row = no_row) {
        const Derivative& d = level.columns[column];
        chains_.set_dependent({d.base, d.order - 1});
        dependent_.push_back(d);
        if (StateGroup::Candidate* c = reported(column)) {
            c->outcome = StateGroup::Outcome::Dependent;
            if (row != no_row) c->by = rows_[level.rows[row]].equation;
        }
    }
    StateGroup::Candidate* reported(std::uint32_t column) {
        const auto [group, number] = place_[column];
        return group == no_row ? nullptr : &chosen_.groups[group].candidates[number];
    }
    // The connected parts of the level, for reports: all are states until they are taken.
    void describe_groups(const Level& level) {
        const std::vector<bool> no_rows(level.rows.size()), no_columns(level.columns.size());
        place_.assign(level.columns.size(), {no_row, 0});
        for (const auto& rows : parts(level, no_rows, no_columns)) {
            TiedStates group;
            for (std::uint32_t r : rows) group.constraints.push_back(rows_[level.rows[r]].equation);
            for (std::uint32_t c : columns_of(level, rows, no_columns)) {
                place_[c] = {std::uint32_t(chosen_.groups.size()), std::uint32_t(group.which.size())};
                group.which.push_back({level.columns[c].base, level.columns[c].order - 1});
                const Candidate& known = candidates_[c];
                group.candidates.push_back({VariableIndex(0), StateGroup::Outcome::State, std::nullopt,
                                            known.differentiated, known.has_start, known.reinitialized});
            }
            chosen_.groups.push_back(std::move(group));
        }
    }

    void decide(Level level) {
        candidates_.clear();
        for (const Derivative& d : level.columns) candidates_.push_back(candidate(d));
        describe_groups(level);
        std::vector<bool> row_done(level.rows.size()), column_done(level.columns.size());
        set_aside(level, column_done);
        eliminate_never(level, row_done, column_done);
        take_single(level, row_done, column_done);
        peel(level, row_done, column_done, [&](std::uint32_t r, const std::vector<Entry>& own) {
            double least = std::numeric_limits<double>::infinity();
            for (const Entry& e : level.entries[r])
                if (!column_done[e.column]) least = std::min(least, weight(e.column));
            const auto best = std::find_if(own.begin(), own.end(), [&](const Entry& e) {
                return weight(e.column) <= least && !candidates_[e.column].reinitialized && is_good(e.value);
            });
            if (best == own.end()) return false;
            take(level, best->column, r);
            row_done[r] = column_done[best->column] = true;
            return true;
        });
        take_single(level, row_done, column_done);
        for (const auto& part : parts(level, row_done, column_done)) decide_part(level, part, column_done);
    }

    double weight(std::uint32_t column) const { return candidates_[column].weight; }

    // `state always x`: states, unless a row needs them all.
    void set_aside(const Level& level, std::vector<bool>& column_done) {
        std::vector<std::uint8_t> classes;
        for (const Candidate& c : candidates_) classes.push_back(c.select == StateSelect::Always);
        if (std::none_of(classes.begin(), classes.end(), [](std::uint8_t c) { return c > 0; })) return;
        graph::BipartiteBuilder builder(level.columns.size());
        std::vector<std::uint32_t> own;
        for (const auto& entries : level.entries) {
            own.clear();
            for (const Entry& e : entries) own.push_back(e.column);
            builder.add_equation(own);
        }
        const auto matching = graph::maximum_matching_by_preference(std::move(builder).finish(), classes);
        for (std::uint32_t c = 0; c < classes.size(); ++c)
            if (classes[c] > 0 && matching.equation_of_variable[c] == graph::unmatched) column_done[c] = true;
    }

    // `state never x`: x is solved from one row and eliminated from the others, so that no choice has it.
    void eliminate_never(Level& level, std::vector<bool>& row_done, std::vector<bool>& column_done) {
        Pool& pool = a_.pool();
        const auto in_row = [&](std::uint32_t r, std::uint32_t column) {
            return std::find_if(level.entries[r].begin(), level.entries[r].end(),
                                [&](const Entry& e) { return e.column == column; });
        };
        for (std::uint32_t c = 0; c < level.columns.size(); ++c) {
            if (candidates_[c].select != StateSelect::Never) continue;
            std::uint32_t pivot = no_row;
            bool good = false;
            std::vector<std::uint32_t> with;
            for (std::uint32_t r = 0; r < level.rows.size(); ++r) {
                const auto entry = in_row(r, c);
                if (row_done[r] || entry == level.entries[r].end()) continue;
                with.push_back(r);
                const bool better = is_good(entry->value);
                if (pivot != no_row && (good || !better)) continue;
                pivot = r;
                good = better;
            }
            if (pivot == no_row) continue;
            const Expr divisor = in_row(pivot, c)->value;
            for (std::uint32_t r : with) {
                if (r == pivot) continue;
                const auto entry = in_row(r, c);
                const Expr factor = pool.divide(entry->value, divisor);
                level.entries[r].erase(entry);
                for (const Entry& e : level.entries[pivot]) {
                    if (e.column == c) continue;
                    const Expr change = pool.multiply(factor, e.value);
                    const auto at = in_row(r, e.column);
                    if (at == level.entries[r].end()) {
                        level.entries[r].push_back({e.column, pool.negate(change)});
                        continue;
                    }
                    at->value = pool.subtract(at->value, change);
                    if (at->value->is_number(0)) level.entries[r].erase(at);
                }
            }
            row_done[pivot] = column_done[c] = true;
            take(level, c, pivot);
        }
    }

    // A row with one column left leaves no choice.
    void take_single(const Level& level, std::vector<bool>& row_done, std::vector<bool>& column_done) {
        std::vector<std::uint32_t> open(level.rows.size()), todo;
        std::vector<std::vector<std::uint32_t>> rows_of(level.columns.size());
        for (std::uint32_t r = 0; r < level.rows.size(); ++r) {
            if (row_done[r]) continue;
            for (const Entry& e : level.entries[r]) {
                if (column_done[e.column]) continue;
                ++open[r];
                rows_of[e.column].push_back(r);
            }
            if (open[r] == 1) todo.push_back(r);
        }
        while (!todo.empty()) {
            const std::uint32_t r = todo.back();
            todo.pop_back();
            if (row_done[r] || open[r] != 1) continue;
            for (const Entry& e : level.entries[r]) {
                if (column_done[e.column]) continue;
                row_done[r] = column_done[e.column] = true;
                take(level, e.column, r);
                for (std::uint32_t other : rows_of[e.column])
                    if (--open[other] == 1) todo.push_back(other);
                break;
            }
        }
    }

    // Goes through the rows that have columns which no other open row has, again until nothing changes.
    // `solve(row, its own entries)` is true when the row is done with.
    template <class Solve>
    void peel(const Level& level, std::vector<bool>& row_done, const std::vector<bool>& column_done,
              Solve solve) {
        std::vector<std::uint32_t> uses(level.columns.size(), 0);
        std::vector<std::vector<std::uint32_t>> rows_of(level.columns.size());
        std::vector<std::uint32_t> todo;
        for (std::uint32_t r = std::uint32_t(level.rows.size()); r-- > 0;) {
            if (row_done[r]) continue;
            todo.push_back(r);
            for (const Entry& e : level.entries[r]) {
                ++uses[e.column];
                rows_of[e.column].push_back(r);
            }
        }
        while (!todo.empty()) {
            const std::uint32_t r = todo.back();
            todo.pop_back();
            if (row_done[r]) continue;
            std::vector<Entry> own;
            for (const Entry& e : level.entries[r])
                if (uses[e.column] == 1 && !column_done[e.column]) own.push_back(e);
            if (own.empty() || !solve(r, own)) continue;
            row_done[r] = true;
            for (const Entry& e : level.entries[r]) {
                if (--uses[e.column] != 1) continue;
                for (std::uint32_t other : rows_of[e.column])
                    if (!row_done[other]) todo.push_back(other);
            }
        }
    }

    // Rows that share columns, in connected parts.
    std::vector<std::vector<std::uint32_t>> parts(const Level& level, const std::vector<bool>& row_done,
                                                  const std::vector<bool>& column_done) {
        DisjointSets connected(level.rows.size());
        std::vector<std::uint32_t> first(level.columns.size(), no_row);
        for (std::uint32_t r = 0; r < level.rows.size(); ++r) {
            if (row_done[r]) continue;
            for (const Entry& e : level.entries[r]) {
                if (column_done[e.column]) continue;
                if (first[e.column] == no_row)
                    first[e.column] = r;
                else
                    connected.join(first[e.column], r);
            }
        }
        std::vector<std::vector<std::uint32_t>> result;
        std::vector<std::uint32_t> number(level.rows.size(), no_row);
        for (std::uint32_t r = 0; r < level.rows.size(); ++r) {
            if (row_done[r]) continue;
            std::uint32_t& n = number[connected.root(r)];
            if (n == no_row) {
                n = std::uint32_t(result.size());
                result.emplace_back();
            }
            result[n].push_back(r);
        }
        return result;
    }

    std::vector<std::uint32_t> columns_of(const Level& level, const std::vector<std::uint32_t>& rows,
                                          const std::vector<bool>& column_done) {
        std::vector<std::uint32_t> columns;
        for (std::uint32_t r : rows)
            for (const Entry& e : level.entries[r])
                if (!column_done[e.column]) columns.push_back(e.column);
        std::sort(columns.begin(), columns.end());
        columns.erase(std::unique(columns.begin(), columns.end()), columns.end());
        return columns;
    }

    void decide_part(const Level& level, const std::vector<std::uint32_t>& rows,
                     std::vector<bool>& column_done) {
        const auto columns = columns_of(level, rows, column_done);
        if (columns.size() <= rows.size()) {
            for (std::uint32_t c : columns) take(level, c);
        } else if (!by_numbers(level, rows, columns) &&
                   !one_after_the_other(level, rows, columns, Solving::Good) &&
                   !one_after_the_other(level, rows, columns, Solving::ByWish)) {
            leave_open(level, rows, columns, column_done);
        }
    }

    bool by_numbers(const Level& level, const std::vector<std::uint32_t>& rows,
                    const std::vector<std::uint32_t>& columns) {
        if (rows.size() * columns.size() > largest_dense) return false;
        for (std::uint32_t r : rows)
            for (const Entry& e : level.entries[r])
                if (a_.variation_of(e.value) > Variation::Parametric) return false;
        std::vector<double> scales;
        for (std::uint32_t c : columns) scales.push_back(nominal(level.columns[c]) / weight(c));
        std::vector<std::vector<double>> matrix;
        for (std::uint32_t r : rows) {
            auto& row = matrix.emplace_back(columns.size(), 0.0);
            for (const Entry& e : level.entries[r]) {
                const auto at = std::lower_bound(columns.begin(), columns.end(), e.column);
                if (at == columns.end() || *at != e.column) continue;
                const auto value = a_.values.ask(e.value);
                if (!value || !std::isfinite(*value)) return false;
                row[std::size_t(at - columns.begin())] = *value;
            }
        }
        const auto chosen = choose_pivots(matrix, scales);
        if (chosen.size() < rows.size()) return false;
        // One that `reinit` sets must be able to be a state at that instant.
        for (const auto& [row, c] : chosen)
            if (candidates_[columns[c]].reinitialized) return false;
        for (std::uint32_t r : rows)
            for (const Entry& e : level.entries[r]) a_.make_structural(e.value);
        for (const auto& [row, c] : chosen) take(level, columns[c], rows[row]);
        return true;
    }

    // Rows and columns of the pivots of an elimination that takes the largest scaled entry each time.
    static std::vector<std::pair<std::size_t, std::size_t>> choose_pivots(
        std::vector<std::vector<double>>& matrix, const std::vector<double>& scales) {
        std::vector<std::pair<std::size_t, std::size_t>> chosen;
        const std::size_t m = matrix.size(), n = scales.size();
        std::vector<double> size(m);
        for (std::size_t i = 0; i < m; ++i)
            for (double v : matrix[i]) size[i] = std::max(size[i], std::abs(v));
        std::vector<bool> row_done(m), column_done(n);
        for (std::size_t k = 0; k < m; ++k) {
            double best = 0;
            std::size_t p = 0, q = 0;
            for (std::size_t i = 0; i < m; ++i) {
                if (row_done[i] || size[i] == 0) continue;
                for (std::size_t j = 0; j < n; ++j) {
                    if (column_done[j] || std::abs(matrix[i][j]) < 1e-11 * size[i]) continue;
                    const double value = std::abs(matrix[i][j]) / size[i] * scales[j];
                    if (value > best) {
                        best = value;
                        p = i;
                        q = j;
                    }
                }
            }
            if (best == 0) break;
            row_done[p] = column_done[q] = true;
            chosen.emplace_back(p, q);
            for (std::size_t i = 0; i < m; ++i) {
                if (row_done[i] || matrix[i][q] == 0) continue;
                const double factor = matrix[i][q] / matrix[p][q];
                for (std::size_t j = 0; j < n; ++j) matrix[i][j] -= factor * matrix[p][j];
                matrix[i][q] = 0;
            }
        }
        return chosen;
    }

    // Whether it depends on nothing that varies but variables that are to be states: d from p = d*R*T, where
    // these are p and T.
    bool is_good_for(const std::vector<bool>& wanted, Expr entry) {
        bool good = true;
        for_each_node(entry, [&](Expr n) {
            if (n->op == Op::Time || n->op == Op::Delay) good = false;
            if (n->op == Op::Variable && a_.is_unknown(n->variable()) && !wanted[n->index]) good = false;
        });
        return good;
    }

    enum class Solving {
        Good,    // entries that are never zero
        ByWish,  // entries that depend on what is to be states alone, too
    };
    bool one_after_the_other(const Level& level, const std::vector<std::uint32_t>& rows,
                             const std::vector<std::uint32_t>& columns, Solving how) {
        const bool wish_decides = how == Solving::ByWish;
        std::vector<bool> wanted;  // by base
        if (wish_decides) {
            for (std::uint32_t c = 0; c < level.columns.size(); ++c) {
                if (candidates_[c].select < StateSelect::Prefer) continue;
                wanted.resize(a_.model().variables.size());
                wanted[level.columns[c].base.value] = true;
            }
            if (wanted.empty()) return false;
        }
        const auto local = [&](std::uint32_t column) {
            const auto at = std::lower_bound(columns.begin(), columns.end(), column);
            return at != columns.end() && *at == column ? std::uint32_t(at - columns.begin()) : no_column;
        };
        graph::BipartiteBuilder good(columns.size());
        std::vector<std::uint32_t> own;
        for (std::uint32_t r : rows) {
            own.clear();
            for (const Entry& e : level.entries[r])
                if (local(e.column) != no_column && !candidates_[e.column].reinitialized &&
                    (is_good(e.value) || (wish_decides && is_good_for(wanted, e.value))))
                    own.push_back(local(e.column));
            if (own.empty()) return false;
            good.add_equation(own);
        }
        std::vector<std::uint8_t> classes;
        for (std::uint32_t c : columns)
            classes.push_back(candidates_[c].select > StateSelect::Default   ? 4
                              : candidates_[c].select < StateSelect::Default ? 0
                              : weight(c) < weight_of_derivative             ? 1
                              : weight(c) == weight_of_derivative            ? 2
                                                                             : 3);
        const auto matching = graph::maximum_matching_by_preference(std::move(good).finish(), classes);
        if (matching.size < rows.size()) return false;
        // What is asked for is a state, unless more is asked for than there are states.
        std::size_t asked = 0, taken = 0;
        for (std::uint32_t c = 0; c < columns.size(); ++c) {
            if (candidates_[columns[c]].select < StateSelect::Prefer) continue;
            ++asked;
            taken += matching.equation_of_variable[c] != graph::unmatched;
        }
        if (taken > 0 && asked - taken < columns.size() - rows.size()) return false;
        // Solved in turn: all entries in chosen columns count, and none may form a loop.
        graph::BipartiteBuilder all(columns.size());
        for (std::uint32_t r : rows) {
            own.clear();
            for (const Entry& e : level.entries[r]) {
                const std::uint32_t c = local(e.column);
                if (c != no_column && matching.equation_of_variable[c] != graph::unmatched) own.push_back(c);
            }
            all.add_equation(own);
        }
        const auto components = graph::strong_components(std::move(all).finish(), matching);
        if (components.size() < rows.size()) return false;
        for (std::uint32_t c = 0; c < columns.size(); ++c)
            if (const std::uint32_t r = matching.equation_of_variable[c]; r != graph::unmatched)
                take(level, columns[c], rows[r]);
        return true;
    }

    void leave_open(const Level& level, const std::vector<std::uint32_t>& rows,
                    const std::vector<std::uint32_t>& columns, std::vector<bool>& column_done) {
        if ((columns.size() - rows.size()) * columns.size() <= largest_choice) {
            add_choice(level, rows, columns);
            return;
        }
        // A long chain: each row chooses among the columns that are its own when the rows before are done.
        std::vector<bool> row_done(level.rows.size(), true);
        for (std::uint32_t r : rows) row_done[r] = false;
        peel(level, row_done, column_done, [&](std::uint32_t r, const std::vector<Entry>& own) {
            std::vector<std::uint32_t> choice;
            for (const Entry& e : own) choice.push_back(e.column);
            std::sort(choice.begin(), choice.end());
            for (std::uint32_t c : choice) column_done[c] = true;
            if (choice.size() == 1)
                take(level, choice[0], r);
            else
                add_choice(level, {r}, choice);
            return true;
        });
        std::vector<std::uint32_t> rest;
        for (std::uint32_t r : rows)
            if (!row_done[r]) rest.push_back(r);
        if (!rest.empty()) add_choice(level, rest, columns_of(level, rest, column_done));
    }

    void add_choice(const Level& level, const std::vector<std::uint32_t>& rows,
                    const std::vector<std::uint32_t>& columns) {
        StateChoice choice;
        for (std::uint32_t c : columns) {
            const Derivative& d = level.columns[c];
            choice.candidates.push_back({d.base, d.order - 1});
            choice.weights.push_back(std::max(smallest_weight, weight(c)));
            take(level, c);
            if (StateGroup::Candidate* told = reported(c)) told->outcome = StateGroup::Outcome::ChosenLater;
        }
        for (std::uint32_t r : rows) {
            choice.rows.push_back(rows_[level.rows[r]].integral);
            auto& row = choice.jacobian.emplace_back(columns.size(), nullptr);
            for (const Entry& e : level.entries[r]) {
                const auto at = std::lower_bound(columns.begin(), columns.end(), e.column);
                if (at != columns.end() && *at == e.column) row[std::size_t(at - columns.begin())] = e.value;
            }
        }
        chosen_.left_open.push_back(std::move(choice));
    }

    Analysis& a_;
    const std::vector<DerivedRow>& rows_;
    DerivativeChains& chains_;
    std::vector<std::uint32_t> column_of_;  // by variable, for the level at hand
    std::vector<VariableIndex> reinit_targets_;
    std::vector<Candidate> candidates_;                           // by column of the level
    std::vector<std::pair<std::uint32_t, std::uint32_t>> place_;  // by column: in chosen_.groups
    std::vector<Derivative> dependent_;                           // columns taken in this level
    ChosenStates chosen_;
};

}  // namespace

ChosenStates choose_states(Analysis& a, const std::vector<DerivedRow>& rows, DerivativeChains& chains) {
    return StateChooser(a, rows, chains).run();
}

}  // namespace cutset::passes
