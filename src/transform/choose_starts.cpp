#include "transform/choose_starts.h"

#include <algorithm>
#include <cmath>
#include <queue>
#include <stdexcept>

namespace cutset::passes {
namespace {

constexpr std::size_t most_operations = 20'000'000;
constexpr double negligible = 1e-10;  // of the largest coefficient of a row: a difference that is rounding
constexpr double faint = 1e-9;        // of the largest coefficient: not negligible, but too small
constexpr double too_small = 1e-6;    // of the largest coefficient: not to be divided by
constexpr double consistent = 1e-6;   // of the largest coefficient: a residual that is none
constexpr std::uint32_t none = 0xFFFFFFFFu;

class StartChoice {
  public:
    StartChoice(Analysis& a, const System& system, const std::vector<std::uint8_t>& ranks)
        : a_(a), model_(a.model()), system_(system), ranks_(ranks) {}

    std::optional<std::vector<bool>> run() {
        holds_.assign(system_.rows.size(), false);
        for (std::size_t r = 0; r < holds_.size(); ++r)
            holds_[r] = system_.matching.variable_of_equation[r] != graph::unmatched;
        find_overdetermined();
        if (reached_.empty()) return std::nullopt;
        find_unit_rows();
        guess();
        const std::size_t columns = system_.columns.size();
        pivot_of_.assign(columns, none);
        dense_.assign(columns, 0);
        touched_.assign(columns, false);
        for (StartRank rank :
             {StartRank::Continuous, StartRank::Initial, StartRank::Instead, StartRank::Guess})
            for (std::uint32_t r : reached_) {
                if (StartRank(ranks_[r]) != rank) continue;
                if (!eliminate(r, rank)) return std::nullopt;
            }
        for (std::uint32_t r : reached_) {
            if (!is_unit(r)) continue;
            const std::uint32_t c = column_of_[r];
            holds_[r] = pivot_of_[c] == none && unit_of_[c] == r;
        }
        return holds_;
    }

  private:
    bool is_unit(std::uint32_t r) const {
        const StartRank rank = StartRank(ranks_[r]);
        return (rank >= StartRank::UserStart && rank <= StartRank::Default) || rank == StartRank::Zero;
    }

    // The rows that share unknowns with a condition that is left out.
    void find_overdetermined() {
        std::vector<bool> seen(system_.rows.size());
        for (std::uint32_t r = 0; r < system_.rows.size(); ++r)
            if (!holds_[r]) {
                seen[r] = true;
                reached_.push_back(r);
            }
        for (std::size_t k = 0; k < reached_.size(); ++k)
            for (std::uint32_t c : system_.incidence.row(reached_[k])) {
                const std::uint32_t other = system_.matching.equation_of_variable[c];
                if (other == graph::unmatched || seen[other]) continue;
                seen[other] = true;
                reached_.push_back(other);
            }
        std::sort(reached_.begin(), reached_.end());
    }

    void find_unit_rows() {
        unit_of_.assign(system_.columns.size(), none);
        column_of_.assign(system_.rows.size(), none);
        for (std::uint32_t r : reached_) {
            if (!is_unit(r)) continue;
            for (std::uint32_t c : system_.incidence.row(r))
                if (system_.columns[c] == system_.rows[r].left) column_of_[r] = c;
            CUTSET_ASSERT(column_of_[r] != none);
            std::uint32_t& unit = unit_of_[column_of_[r]];
            if (unit == none || ranks_[r] < ranks_[unit]) unit = r;
        }
    }

    // ---- values at the initial time, as far as they are known

    void guess() {
        values_.assign(model_.variables.size(), 0);
        derivatives_.assign(model_.variables.size(), 0);
        known_.assign(model_.variables.size(), false);
        from_parameters_.assign(model_.variables.size(), false);
        starts_.assign(model_.variables.size(), {});
        rate_known_.assign(model_.variables.size(), false);
        for (VariableIndex v(0); v < model_.variables.end_index(); ++v.value) {
            const Variable& variable = model_.variables[v];
            if (variable.variability <= Variability::Parameter) {
                known_[v.value] = true;
                from_parameters_[v.value] = true;
            } else {
                const Expr e = variable.variability == Variability::Discrete ? variable.binding
                               : variable.start                              ? variable.start->value
                                                                             : nullptr;
                // Of what nothing is known any value will do that is not special, as 0 is.
                values_[v.value] = variable.nominal.value_or(1 + 0.01 * double(v.value % 31));
                if (!e) continue;
                starts_[v.value] = a_.values.later(e);
                known_[v.value] = starts_[v.value].has_value();
            }
        }
        for (std::uint32_t r : reached_)
            if (StartRank(ranks_[r]) == StartRank::Zero &&
                !model_.variables[system_.rows[r].left->variable()].start) {
                known_[system_.rows[r].left->index] = true;
                invented_.emplace_back(system_.rows[r].left->index, values_[system_.rows[r].left->index]);
                values_[system_.rows[r].left->index] = 0;
                starts_[system_.rows[r].left->index] = {};
            }
        propagate();
    }

    // A row in which one unknown is not known yet gives it, if it is linear in it.
    void propagate() {
        const std::size_t columns = system_.columns.size();
        std::vector<std::vector<std::uint32_t>> rows_of(columns);
        std::vector<std::uint32_t> open(system_.rows.size(), 0), todo;
        for (std::uint32_t r : reached_) {
            if (StartRank(ranks_[r]) > StartRank::Initial || !system_.rows[r].residual) continue;
            for (std::uint32_t c : system_.incidence.row(r)) {
                if (is_known(system_.columns[c])) continue;
                rows_of[c].push_back(r);
                ++open[r];
            }
            if (open[r] == 1) todo.push_back(r);
        }
        for (std::size_t k = 0; k < todo.size(); ++k) {
            const std::uint32_t r = todo[k];
            const Expr residual = system_.rows[r].residual;
            for (std::uint32_t c : system_.incidence.row(r)) {
                const Expr x = system_.columns[c];
                if (is_known(x)) continue;
                double& value = (x->order ? derivatives_ : values_)[x->index];
                const double before = value;
                const auto at = [&](double v) {
                    value = v;
                    return evaluate(residual, environment()).value_or(NAN);
                };
                const double r0 = at(0), r1 = at(1), r2 = at(2), slope = r1 - r0, found = -r0 / slope;
                value = before;
                const bool linear =
                    std::abs(r2 - r1 - slope) <= 1e-9 * (std::abs(r2) + std::abs(r1) + std::abs(r0));
                if (!linear || slope == 0 || !std::isfinite(found)) continue;
                value = found;
                (x->order ? rate_known_ : known_)[x->index] = true;
                for (std::uint32_t other : rows_of[c])
                    if (--open[other] == 1) todo.push_back(other);
            }
        }
    }
    double value_at_start(Expr leaf) {
        if (from_parameters_[leaf->index]) return a_.values.present(leaf);
        const ParameterValues::Later& start = starts_[leaf->index];
        return start.has_value() ? start.look(a_.values) : values_[leaf->index];
    }
    bool is_known(Expr leaf) const { return (leaf->order ? rate_known_ : known_)[leaf->index]; }
    Environment environment() {
        Environment env;
        env.leaf = [this](Expr leaf) -> std::optional<double> {
            if (leaf->op == Op::Variable && leaf->order) return derivatives_[leaf->index];
            if (leaf->op == Op::Variable || leaf->op == Op::Previous) return value_at_start(leaf);
            if (leaf->op == Op::Delay || leaf->op == Op::Local) return std::nullopt;
            return 0;
        };
        env.apply = [this](Expr call, std::span<const double> arguments) -> std::optional<double> {
            return a_.call_value(call, arguments);
        };
        return env;
    }

    // ---- elimination

    double scale(std::uint32_t c) const {
        const auto& nominal = model_.variables[system_.columns[c]->variable()].nominal;
        return nominal && *nominal != 0 ? std::abs(*nominal) : 1;
    }

    bool eliminate(std::uint32_t r, StartRank rank) {
        const Row& row = system_.rows[r];
        if (!row.residual) return false;
        Pool& pool = a_.pool();
        list_.clear();
        double largest = 0;
        bool numbers = true;
        std::vector<std::uint32_t> zero_here;
        for (std::uint32_t c : system_.incidence.row(r)) {
            std::optional<double> value;
            try {
                value = evaluate(differentiate(pool, row.residual, system_.columns[c]), environment());
            } catch (const std::domain_error&) {
            }
            if (!value || !std::isfinite(*value)) {
                value = too_small;  // it is there, and nothing more can be said
                numbers = false;
            }
            if (*value == 0) zero_here.push_back(c);
            put(c, *value * scale(c));
            largest = std::max(largest, std::abs(dense_[c]));
        }
        // A coefficient that is zero only because an initial value is invented to be 0 (v in v²/2): faintly
        // there.
        const auto exchange = [&] {
            for (auto& [v, value] : invented_) std::swap(values_[v], value);
        };
        if (!zero_here.empty() && !invented_.empty()) {
            exchange();
            for (std::uint32_t c : zero_here)
                if (const auto value =
                        evaluate(differentiate(pool, row.residual, system_.columns[c]), environment());
                    value && *value != 0)
                    put(c, faint * (largest == 0 ? 1 : largest));
            exchange();
        }
        if (largest == 0) largest = 1;
        // What the row is off by, when the unknowns that were solved for have moved to where they belong.
        residual_ = evaluate(row.residual, environment()).value_or(NAN);
        while (!orders_.empty()) {
            const std::uint32_t order = orders_.top();
            orders_.pop();
            const Pivot& pivot = pivots_[order];
            const double factor = dense_[pivot.column] / pivot.value;
            dense_[pivot.column] = 0;
            if (factor == 0) continue;
            for (const auto& [c, value] : pivot.rest) put(c, -factor * value);
            residual_ -= factor * pivot.residual;
            operations_ += pivot.rest.size();
        }
        choose_pivot(r, rank, largest, numbers);
        for (std::uint32_t c : list_) {
            dense_[c] = 0;
            touched_[c] = false;
        }
        return operations_ < most_operations;
    }

    void put(std::uint32_t c, double value) {
        if (!touched_[c]) {
            touched_[c] = true;
            list_.push_back(c);
            if (pivot_of_[c] != none) orders_.push(pivot_of_[c]);
        }
        dense_[c] += value;
    }

    void choose_pivot(std::uint32_t r, StartRank rank, double largest, bool numbers) {
        const bool hard = rank <= StartRank::Initial;
        const auto best = [&](double least, auto allowed) {
            std::uint32_t found = none;
            double size = least;
            for (std::uint32_t c : list_) {
                if (pivot_of_[c] != none || !allowed(c)) continue;
                if (std::abs(dense_[c]) > size || (found == none && hard && std::abs(dense_[c]) >= size)) {
                    size = std::abs(dense_[c]);
                    found = c;
                }
            }
            return found;
        };
        const auto is_free = [&](std::uint32_t c) { return unit_of_[c] == none; };
        const auto of_rank = [&](StartRank wanted) {
            return [this, wanted](std::uint32_t c) {
                return unit_of_[c] != none && StartRank(ranks_[unit_of_[c]]) == wanted;
            };
        };
        const auto any = [](std::uint32_t) { return true; };
        std::uint32_t c = none;
        if (!hard) {
            c = best(negligible * largest,
                     [&](std::uint32_t k) { return is_free(k) || StartRank(ranks_[unit_of_[k]]) > rank; });
            holds_[r] = c != none;
            if (c == none) return;
        } else {
            c = best(too_small * largest, is_free);
            // Where the values agree, partial derivatives tell what can be solved for; else only the ranks
            // count.
            const bool agrees = numbers && std::abs(residual_) <= consistent * largest;
            for (double least : {agrees ? too_small * largest : 0.0, 0.0})
                for (StartRank wanted : {StartRank::Zero, StartRank::Default, StartRank::TiedRate,
                                         StartRank::Tied, StartRank::Start, StartRank::UserStart})
                    if (c == none) c = best(least, of_rank(wanted));
            if (c == none) c = best(0, any);
            if (c == none) return;
        }
        if (std::abs(dense_[c]) < negligible * largest) dense_[c] = too_small * largest;
        Pivot pivot{c, dense_[c], residual_, {}};
        for (std::uint32_t k : list_)
            if (k != c && pivot_of_[k] == none && std::abs(dense_[k]) > negligible * largest)
                pivot.rest.emplace_back(k, dense_[k]);
        pivot_of_[c] = std::uint32_t(pivots_.size());
        pivots_.push_back(std::move(pivot));
    }

    struct Pivot {
        std::uint32_t column;
        double value, residual;
        std::vector<std::pair<std::uint32_t, double>> rest;
    };

    Analysis& a_;
    const FlatModel& model_;
    const System& system_;
    const std::vector<std::uint8_t>& ranks_;
    std::vector<bool> holds_;
    std::vector<std::uint32_t> reached_;    // rows
    std::vector<std::uint32_t> unit_of_;    // by column: the row x = e that counts most
    std::vector<std::uint32_t> column_of_;  // by row x = e
    std::vector<double> values_,
        derivatives_;  // by variable: of those without initial value, and derivatives
    std::vector<bool> known_, rate_known_;
    std::vector<bool> from_parameters_;                       // by variable
    std::vector<ParameterValues::Later> starts_;              // by variable
    std::vector<std::pair<std::uint32_t, double>> invented_;  // variables that start at 0, with another value
    std::vector<std::uint32_t> pivot_of_;                     // by column
    std::vector<Pivot> pivots_;                               // in the order of elimination
    std::vector<double> dense_;                               // the row at hand, by column
    double residual_ = 0;                                     // of the row at hand
    std::vector<bool> touched_;
    std::vector<std::uint32_t> list_;
    std::priority_queue<std::uint32_t, std::vector<std::uint32_t>, std::greater<>> orders_;
    std::size_t operations_ = 0;
};

}  // namespace

std::optional<std::vector<bool>> choose_starts(Analysis& a, const System& system,
                                               const std::vector<std::uint8_t>& ranks) {
    return StartChoice(a, system, ranks).run();
}

}  // namespace cutset::passes
