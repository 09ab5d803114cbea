#include "graph/integer_elimination.h"

#include <algorithm>
#include <functional>
#include <limits>
#include <memory>
#include <numeric>
#include <optional>
#include <queue>
#include <tuple>
#include <unordered_map>
#include <utility>

#include "base/diagnostic.h"

namespace cutset::graph {

namespace {

constexpr std::uint32_t none = std::numeric_limits<std::uint32_t>::max();

bool is_unit(std::int64_t c) {
    return c == 1 || c == -1;
}

// total += factor · coefficient; false on overflow. The lowest integer counts as overflow: it has no
// negative.
bool add_product(std::int64_t& total, std::int64_t factor, std::int64_t coefficient) {
    std::int64_t product;
    return !__builtin_mul_overflow(factor, coefficient, &product) &&
           !__builtin_add_overflow(total, product, &total) &&
           total != std::numeric_limits<std::int64_t>::min();
}

}  // namespace

// Terms in no particular order. Found by a scan while the row is short, by an index when it is long.
class EliminationRow {
  public:
    using Terms = SmallVector<IntegerTerm, 3>;

    const Terms& terms() const { return terms_; }
    std::size_t size() const { return terms_.size(); }

    std::size_t find(std::uint32_t column) const {
        if (index_) {
            const auto at = index_->find(column);
            return at == index_->end() ? none : at->second;
        }
        for (std::size_t i = 0; i < terms_.size(); ++i)
            if (terms_[i].column == column) return i;
        return none;
    }
    std::int64_t& coefficient(std::size_t position) { return terms_[position].coefficient; }
    void append(std::uint32_t column, std::int64_t coefficient) {
        terms_.push_back({column, coefficient});
        if (index_) {
            index_->emplace(column, static_cast<std::uint32_t>(terms_.size() - 1));
        } else if (terms_.size() > scan_limit) {
            index_ = std::make_unique<std::unordered_map<std::uint32_t, std::uint32_t>>();
            for (std::size_t i = 0; i < terms_.size(); ++i)
                index_->emplace(terms_[i].column, static_cast<std::uint32_t>(i));
        }
    }
    void erase(std::size_t position) {
        if (index_) {
            index_->erase(terms_[position].column);
            if (position + 1 < terms_.size())
                (*index_)[terms_.back().column] = static_cast<std::uint32_t>(position);
        }
        terms_[position] = terms_.back();
        terms_.pop_back();
    }
    void drop_index() { index_.reset(); }

  private:
    static constexpr std::size_t scan_limit = 24;
    Terms terms_;
    std::unique_ptr<std::unordered_map<std::uint32_t, std::uint32_t>> index_;
};

class Eliminator {
  public:
    Eliminator(const IntegerSystem& system, const EliminationOptions& options)
        : system_(system),
          options_(options),
          rows_(system.rows.size()),
          unknown_terms_(system.rows.size(), 0),
          alive_(system.rows.size(), 1),
          deferred_(system.rows.size(), 0),
          occurrences_(system.unknowns),
          count_(system.unknowns, 0),
          done_(system.unknowns, 0) {
        CUTSET_ASSERT(system.preference.empty() || system.preference.size() == system.unknowns);
        result_.outcome.assign(system.rows.size(), RowOutcome::Ordinary);
        result_.last_step_.assign(system.rows.size(), none);
        result_.pivot_time_.assign(system.rows.size(), none);
    }

    Elimination run() {
        load();
        reduce();
        express();
        return std::move(result_);
    }

  private:
    struct PivotRecord {
        std::uint32_t row;
        std::uint32_t variable;
    };

    // ---- forward: echelon form ----

    bool is_unknown(std::uint32_t column) const { return column < system_.unknowns; }
    std::uint8_t preference(std::uint32_t v) const {
        return system_.preference.empty() ? 0 : system_.preference[v];
    }

    void load() {
        std::size_t given = 0;
        for (std::uint32_t r = 0; r < rows_.size(); ++r) {
            const IntegerRow& row = system_.rows[r];
            given += row.unknowns.size() + row.knowns.size();
            bool fits = true;
            for (const IntegerTerm& t : row.unknowns) {
                CUTSET_ASSERT(t.column < system_.unknowns);
                fits = fits && add(r, t.column, 1, t.coefficient);
            }
            for (const IntegerTerm& t : row.knowns) {
                CUTSET_ASSERT(t.column < system_.knowns);
                fits =
                    fits && add(r, static_cast<std::uint32_t>(system_.unknowns + t.column), 1, t.coefficient);
            }
            if (!fits) {
                give_up(r);
                continue;
            }
            divide_by_common_factor(r);
            changed(r);
        }
        budget_ = static_cast<std::int64_t>(options_.max_work ? options_.max_work : 100 * given + 1000000);
        given_terms_ = given;
        for (std::uint32_t v = 0; v < system_.unknowns; ++v)
            if (count_[v] == 1) single_.push_back(v);
    }

    // Adds factor · coefficient to an entry and keeps the counts. False on overflow.
    bool add(std::uint32_t r, std::uint32_t column, std::int64_t factor, std::int64_t coefficient) {
        EliminationRow& row = rows_[r];
        std::size_t position = row.find(column);
        if (position == none) {
            std::int64_t value = 0;
            if (!add_product(value, factor, coefficient)) return false;
            if (value == 0) return true;
            row.append(column, value);
            if (is_unknown(column)) {
                ++unknown_terms_[r];
                ++count_[column];
                occurrences_[column].push_back(r);
            }
            return true;
        }
        if (!add_product(row.coefficient(position), factor, coefficient)) return false;
        if (row.coefficient(position) != 0) return true;
        row.erase(position);
        if (is_unknown(column)) {
            --unknown_terms_[r];
            leave_column(column);
        }
        return true;
    }
    void leave_column(std::uint32_t column) {
        if (--count_[column] == 1) single_.push_back(column);
    }

    // Returns the factor.
    std::int64_t divide_by_common_factor(std::uint32_t r) {
        std::int64_t g = 0;
        for (const IntegerTerm& t : rows_[r].terms()) {
            g = std::gcd(g, t.coefficient);
            if (g == 1) return 1;
        }
        if (g > 1)
            for (std::size_t i = 0; i < rows_[r].size(); ++i) rows_[r].coefficient(i) /= g;
        return std::max<std::int64_t>(g, 1);
    }

    // Short rows that settle a variable at once come before all others, deferred rows after all others.
    std::uint32_t rank(std::uint32_t r) const {
        const std::size_t size = rows_[r].size();
        if (deferred_[r]) return static_cast<std::uint32_t>(size + (std::size_t{1} << 30));
        if (size <= 2 || (unknown_terms_[r] == 1 && size <= 8)) return static_cast<std::uint32_t>(size);
        return static_cast<std::uint32_t>(size + 100);
    }
    static bool is_short(std::uint32_t rank) { return rank < 100; }

    // Looks at a row after a change: finished, or back in the queue.
    void changed(std::uint32_t r) {
        deferred_[r] = 0;
        if (unknown_terms_[r] > 0) {
            queue_.push({rank(r), r});
            return;
        }
        alive_[r] = 0;
        if (rows_[r].size() == 0) {
            result_.outcome[r] = RowOutcome::Dependent;
            return;
        }
        result_.outcome[r] = RowOutcome::Contradiction;
        ContradictoryRow contradiction{r, {}};
        for (const IntegerTerm& t : rows_[r].terms())
            contradiction.knowns.push_back(
                {static_cast<std::uint32_t>(t.column - system_.unknowns), t.coefficient});
        std::sort(contradiction.knowns.begin(), contradiction.knowns.end(),
                  [](const IntegerTerm& a, const IntegerTerm& b) { return a.column < b.column; });
        result_.contradictions.push_back(std::move(contradiction));
    }

    void take_out(std::uint32_t r) {
        alive_[r] = 0;
        for (const IntegerTerm& t : rows_[r].terms())
            if (is_unknown(t.column)) leave_column(t.column);
    }
    void give_up(std::uint32_t r) {
        take_out(r);
        ++result_.undecided;
    }

    void reduce() {
        while (budget_ > 0) {
            while (!queue_.empty() && is_stale(queue_.top())) queue_.pop();
            if (!queue_.empty() && is_short(queue_.top().first)) {
                pivot_on_row(queue_.top().second);
            } else if (!single_.empty()) {
                const std::uint32_t v = single_.back();
                single_.pop_back();
                if (!done_[v] && count_[v] == 1) set_aside(v);
            } else if (!queue_.empty()) {
                pivot_on_row(queue_.top().second);
            } else {
                return;
            }
        }
        for (std::uint32_t r = 0; r < rows_.size(); ++r)
            if (alive_[r]) give_up(r);
    }
    bool is_stale(std::pair<std::uint32_t, std::uint32_t> entry) const {
        return !alive_[entry.second] || rank(entry.second) != entry.first;
    }

    // The column is in one row only. A protected variable waits: another one of the row may be eliminated
    // instead.
    void set_aside(std::uint32_t v) {
        if (preference(v) == never_eliminate) return;
        std::uint32_t row = none;
        for (std::uint32_t r : occurrences_[v])
            if (alive_[r] && rows_[r].find(v) != none) {
                row = r;
                break;
            }
        CUTSET_ASSERT(row != none);
        if (!is_unit(rows_[row].terms()[rows_[row].find(v)].coefficient)) return;
        std::uint32_t best = v;
        for (const IntegerTerm& t : rows_[row].terms()) {
            if (!is_unknown(t.column) || count_[t.column] != 1 || !is_unit(t.coefficient)) continue;
            if (std::pair(preference(t.column), t.column) < std::pair(preference(best), best))
                best = t.column;
        }
        pivot(row, best);
    }

    void pivot_on_row(std::uint32_t r) {
        const bool alias = is_alias(r);
        const auto cost = [&](const IntegerTerm& t) {
            const std::uint64_t p = preference(t.column);
            // Among aliases the survivor is chosen later, so the shorter column goes; else protected ones are
            // spared.
            const std::uint64_t weight = alias                  ? 1
                                         : p == never_eliminate ? 16
                                                                : 1 + std::min<std::uint64_t>(p, 7);
            return std::tuple(!is_unit(t.coefficient), count_[t.column] * weight, p, t.column);
        };
        const IntegerTerm* best = nullptr;
        for (const IntegerTerm& t : rows_[r].terms())
            if (is_unknown(t.column) && (best == nullptr || cost(t) < cost(*best))) best = &t;
        // A pivot that cannot be eliminated would hide aliases among the rest: it waits.
        const bool useful =
            is_unit(best->coefficient) && (alias || preference(best->column) != never_eliminate);
        if (!useful && !deferred_[r]) {
            deferred_[r] = 1;
            queue_.push({rank(r), r});
            return;
        }
        pivot(r, best->column);
    }

    bool is_alias(std::uint32_t r) const {
        const auto& terms = rows_[r].terms();
        return terms.size() == 2 && is_unknown(terms[0].column) && is_unknown(terms[1].column) &&
               is_unit(terms[0].coefficient) && is_unit(terms[1].coefficient);
    }

    void pivot(std::uint32_t p, std::uint32_t v) {
        const std::int64_t a = rows_[p].terms()[rows_[p].find(v)].coefficient;
        result_.pivot_time_[p] = static_cast<std::uint32_t>(pivots_.size());
        pivots_.push_back({p, v});
        done_[v] = 1;
        take_out(p);
        rows_[p].drop_index();
        // A row listed twice has lost its entry the second time.
        for (std::uint32_t r : std::exchange(occurrences_[v], {})) {
            if (!alive_[r]) continue;
            const std::size_t position = rows_[r].find(v);
            if (position == none) continue;
            subtract(r, p, a, rows_[r].coefficient(position));
        }
    }

    // row r := scale · r − factor · p, without the pivot variable, whose coefficients are a in p and b in r.
    void subtract(std::uint32_t r, std::uint32_t p, std::int64_t a, std::int64_t b) {
        const std::int64_t g = std::gcd(a, b);
        // With a = ±1 the row keeps its scale: b − (a b) a = 0.
        const std::int64_t scale = is_unit(a) ? 1 : a / g;
        const std::int64_t factor = is_unit(a) ? a * b : b / g;
        bool fits = true;
        if (scale != 1) {
            budget_ -= static_cast<std::int64_t>(rows_[r].size());
            for (std::size_t i = 0; i < rows_[r].size(); ++i) {
                std::int64_t scaled = 0;
                fits = fits && add_product(scaled, scale, rows_[r].terms()[i].coefficient);
                rows_[r].coefficient(i) = scaled;
            }
        }
        budget_ -= static_cast<std::int64_t>(rows_[p].size());
        for (const IntegerTerm& t : rows_[p].terms()) fits = fits && add(r, t.column, -factor, t.coefficient);
        if (!fits) {
            give_up(r);
            return;
        }
        // A row that was short or scaled may have got a common factor; for long ones looking for it costs too
        // much.
        const std::int64_t divisor =
            scale != 1 || rows_[r].size() <= 2 * rows_[p].size() ? divide_by_common_factor(r) : 1;
        result_.steps_.push_back({p, result_.last_step_[r], scale, factor, divisor});
        result_.last_step_[r] = static_cast<std::uint32_t>(result_.steps_.size() - 1);
        changed(r);
    }

    // ---- backward: values of the eliminated variables ----

    void express() {
        const std::size_t n = system_.unknowns;
        // Aliases are trees: `parent` was not a pivot before its child. Where a row would join two protected
        // variables the tree is cut and the row stays Ordinary. Values may use Pivot rows only: an Ordinary
        // row is given back as it was, not as it is reduced here, so what it says is not there to be used.
        std::vector<std::uint32_t> parent(n, none), row_of(n, none);
        std::vector<char> has_protected(n, 0);
        for (std::uint32_t v = 0; v < n; ++v) has_protected[v] = preference(v) == never_eliminate;
        for (const auto [row, v] : pivots_) {
            if (!is_alias(row)) {
                row_of[v] = row;
                continue;
            }
            const auto& terms = rows_[row].terms();
            const std::uint32_t w = terms[0].column == v ? terms[1].column : terms[0].column;
            if (has_protected[v] && has_protected[w]) continue;
            has_protected[w] |= has_protected[v];
            row_of[v] = row;
            parent[v] = w;
        }
        // v = sign · root
        root_of_.resize(n);
        sign_.assign(n, 1);
        std::iota(root_of_.begin(), root_of_.end(), 0u);
        for (std::size_t i = pivots_.size(); i-- > 0;) {
            const auto [row, v] = pivots_[i];
            if (parent[v] == none) continue;
            const auto& terms = rows_[row].terms();
            root_of_[v] = root_of_[parent[v]];
            sign_[v] =
                static_cast<std::int8_t>(-terms[0].coefficient * terms[1].coefficient * sign_[parent[v]]);
        }
        // Of each class the variable with the highest preference number remains, the first of them among
        // equals.
        kept_of_.assign(n, none);
        std::vector<std::uint32_t> class_size(n, 0);
        for (std::uint32_t v = 0; v < n; ++v) {
            std::uint32_t& kept = kept_of_[root_of_[v]];
            if (kept == none || preference(v) > preference(kept)) kept = v;
            ++class_size[root_of_[v]];
        }
        // Turn the path from the remaining variable to the root round: each row now gives the variable at its
        // other end, and the row of the root, if any, gives the remaining variable.
        for (std::uint32_t root = 0; root < n; ++root) {
            if (root_of_[root] != root || kept_of_[root] == root) continue;
            const std::uint32_t kept = kept_of_[root];
            std::uint32_t carried = row_of[kept];
            for (std::uint32_t at = parent[kept]; at != none; at = parent[at]) std::swap(carried, row_of[at]);
            row_of[kept] = carried;
        }
        // Pivots other than aliases, the last first: what they refer to was a pivot later or never.
        value_of_.assign(n, none);
        accumulator_.assign(n + system_.knowns, 0);
        std::size_t total = 0;
        const std::size_t bound = 8 * given_terms_ + 1000;
        for (std::size_t i = pivots_.size(); i-- > 0;) {
            const auto [row, root] = pivots_[i];
            if (is_alias(row)) continue;
            const std::uint32_t kept = kept_of_[root];
            if (preference(kept) == never_eliminate) continue;
            std::optional<EliminationRow::Terms> value = value_from(row, root);
            if (!value) continue;
            const std::size_t size = value->size() * class_size[root];
            if (value->size() > 1 && (size > 16 * options_.max_terms || total + size > bound)) continue;
            total += size;
            value_of_[root] = static_cast<std::uint32_t>(values_.size());
            values_.push_back(std::move(*value));
        }
        std::vector<std::uint32_t> variable_of(rows_.size(), none);  // what a row gives
        std::size_t eliminated_count = 0;
        for (std::uint32_t v = 0; v < n; ++v) {
            if (row_of[v] == none || preference(v) == never_eliminate) continue;
            const std::uint32_t root = root_of_[v];
            if (kept_of_[root] == v && value_of_[root] == none) continue;
            CUTSET_ASSERT(variable_of[row_of[v]] == none);
            variable_of[row_of[v]] = v;
            ++eliminated_count;
        }
        result_.eliminated.reserve(eliminated_count);
        for (std::uint32_t r = 0; r < rows_.size(); ++r) {
            const std::uint32_t v = variable_of[r];
            if (v == none) continue;
            const std::uint32_t root = root_of_[v];
            EliminatedVariable eliminated{r, v, {}};
            if (value_of_[root] == none) {
                const std::uint32_t kept = kept_of_[root];
                eliminated.value.unknowns.push_back({kept, std::int64_t{sign_[v]} * sign_[kept]});
            } else {
                for (const IntegerTerm& t : values_[value_of_[root]]) {
                    if (is_unknown(t.column))
                        eliminated.value.unknowns.push_back({t.column, sign_[v] * t.coefficient});
                    else
                        eliminated.value.knowns.push_back(
                            {static_cast<std::uint32_t>(t.column - n), sign_[v] * t.coefficient});
                }
            }
            result_.outcome[r] = RowOutcome::Pivot;
            result_.eliminated.push_back(std::move(eliminated));
        }
    }

    // The root of a class from its pivot row, by remaining variables and knowns; none when too long or not
    // integer.
    std::optional<EliminationRow::Terms> value_from(std::uint32_t row, std::uint32_t root) {
        const auto& terms = rows_[row].terms();
        if (terms.size() > 4 * options_.max_terms + 1) return std::nullopt;
        std::int64_t own = 0;
        for (const IntegerTerm& t : terms)
            if (t.column == root) own = t.coefficient;
        if (!is_unit(own)) return std::nullopt;
        SmallVector<std::uint32_t, 6> touched;
        bool fits = true;
        const auto accumulate = [&](std::uint32_t column, std::int64_t factor, std::int64_t coefficient) {
            if (accumulator_[column] == 0) touched.push_back(column);
            fits = fits && add_product(accumulator_[column], factor, coefficient);
        };
        for (const IntegerTerm& t : terms) {
            if (t.column == root) continue;
            const std::int64_t factor = -own * t.coefficient;
            if (!is_unknown(t.column)) {
                accumulate(t.column, factor, 1);
                continue;
            }
            const std::uint32_t its_root = root_of_[t.column];
            if (value_of_[its_root] == none) {
                const std::uint32_t kept = kept_of_[its_root];
                accumulate(kept, factor, std::int64_t{sign_[t.column]} * sign_[kept]);
            } else {
                for (const IntegerTerm& inner : values_[value_of_[its_root]])
                    accumulate(inner.column, sign_[t.column] * factor, inner.coefficient);
            }
        }
        std::sort(touched.begin(), touched.end());
        EliminationRow::Terms value;
        for (std::uint32_t column : touched) {
            const std::int64_t coefficient = std::exchange(accumulator_[column], 0);
            if (coefficient != 0)
                value.push_back({column, coefficient});  // touched twice: the second time it is 0
        }
        if (!fits || value.size() > options_.max_terms) return std::nullopt;
        const auto too_large = [&](const IntegerTerm& t) {
            return is_unknown(t.column) && std::abs(t.coefficient) > options_.max_coefficient;
        };
        if (options_.max_coefficient > 0 && value.size() > 1 &&
            std::any_of(value.begin(), value.end(), too_large))
            return std::nullopt;
        return value;
    }

    const IntegerSystem& system_;
    const EliminationOptions& options_;
    std::vector<EliminationRow> rows_;  // known column k has the number unknowns + k
    std::vector<std::uint32_t> unknown_terms_;
    std::vector<char> alive_;     // neither pivot nor finished
    std::vector<char> deferred_;  // no pivot of the row can be eliminated
    std::vector<SmallVector<std::uint32_t, 4>>
        occurrences_;                    // alive rows of a column; may list a row that has left it
    std::vector<std::uint32_t> count_;   // alive rows of a column, exactly
    std::vector<char> done_;             // column was a pivot
    std::vector<std::uint32_t> single_;  // columns whose count became 1
    std::priority_queue<std::pair<std::uint32_t, std::uint32_t>,
                        std::vector<std::pair<std::uint32_t, std::uint32_t>>,
                        std::greater<>>
        queue_;  // rank, row; stale entries are skipped
    std::vector<PivotRecord> pivots_;
    std::int64_t budget_ = 0;
    std::size_t given_terms_ = 0;

    std::vector<std::uint32_t> root_of_;
    std::vector<std::int8_t> sign_;
    std::vector<std::uint32_t> kept_of_;   // of a root: the member that stands for the class
    std::vector<std::uint32_t> value_of_;  // of a root: its value in values_
    std::vector<EliminationRow::Terms> values_;
    std::vector<std::int64_t> accumulator_;

    Elimination result_;
};

Elimination eliminate(const IntegerSystem& system, const EliminationOptions& options) {
    return Eliminator(system, options).run();
}

namespace {

// Multipliers of rows modulo the prime 2⁶¹ − 1: no growth, and a multiplier that is not zero is taken for
// zero with a chance of about 1e-18 only.
constexpr std::uint64_t prime = (std::uint64_t{1} << 61) - 1;

std::uint64_t residue(std::int64_t value) {
    const auto signed_prime = static_cast<std::int64_t>(prime);
    const std::int64_t rest = value % signed_prime;
    return static_cast<std::uint64_t>(rest < 0 ? rest + signed_prime : rest);
}
std::uint64_t multiply(std::uint64_t a, std::uint64_t b) {
    return static_cast<std::uint64_t>(static_cast<unsigned __int128>(a) * b % prime);
}
std::uint64_t inverse(std::uint64_t a) {
    std::uint64_t result = 1;
    for (std::uint64_t exponent = prime - 2; exponent; exponent >>= 1) {
        if (exponent & 1) result = multiply(result, a);
        a = multiply(a, a);
    }
    return result;
}

}  // namespace

std::vector<std::uint32_t> Elimination::origin(std::uint32_t row) const {
    CUTSET_ASSERT(outcome[row] == RowOutcome::Dependent || outcome[row] == RowOutcome::Contradiction);
    // Undo the steps of the row, then of the pivot rows it used, the latest pivot first: its steps used
    // earlier ones.
    std::unordered_map<std::uint32_t, std::uint64_t> multiplier;
    std::priority_queue<std::pair<std::uint32_t, std::uint32_t>> open;  // pivot time, row
    std::vector<std::uint32_t> result;
    const auto undo = [&](std::uint32_t r, std::uint64_t current) {
        for (std::uint32_t s = last_step_[r]; s != none; s = steps_[s].previous) {
            const Step& step = steps_[s];
            if (step.divisor != 1) current = multiply(current, inverse(residue(step.divisor)));
            const auto [at, is_new] = multiplier.try_emplace(step.pivot_row, 0);
            at->second = (at->second + prime - multiply(current, residue(step.factor))) % prime;
            if (is_new) open.push({pivot_time_[step.pivot_row], step.pivot_row});
            current = multiply(current, residue(step.scale));
        }
        result.push_back(r);
    };
    undo(row, 1);
    while (!open.empty()) {
        const std::uint32_t pivot_row = open.top().second;
        open.pop();
        const std::uint64_t its = multiplier.at(pivot_row);
        if (its != 0) undo(pivot_row, its);
    }
    std::sort(result.begin(), result.end());
    return result;
}

}  // namespace cutset::graph
