#include "graph/tearing.h"

#include <queue>
#include <utility>

#include "base/diagnostic.h"
#include "graph/matching.h"

namespace cutset::graph {

namespace {

// First in, first out.
class Queue {
  public:
    bool empty() const { return head_ == items_.size(); }
    void push(std::uint32_t item) { items_.push_back(item); }
    std::uint32_t pop() { return items_[head_++]; }

  private:
    std::vector<std::uint32_t> items_;
    std::size_t head_ = 0;
};

class Tearer {
  public:
    Tearer(const Bipartite& graph, std::span<const Solvability> solvability, const TearingOptions& options)
        : graph_(graph),
          least_(options.use_avoid ? Solvability::Avoid : Solvability::Good),
          solvability_(solvability),
          equation_(graph.equations),
          variable_(graph.variables),
          chosen_(graph.variables, 0) {
        CUTSET_ASSERT(solvability.size() == graph.edges());
        index_columns();
        for (std::uint32_t v : options.chosen) chosen_[v] = 1;
    }

    Tearing run() {
        for (std::uint32_t e = 0; e < graph_.equations; ++e) look_at_equation(e);
        for (std::uint32_t v = 0; v < graph_.variables; ++v) look_at_variable(v);
        for (std::uint32_t v = 0; v < graph_.variables; ++v)
            if (chosen_[v]) tear_variable(v);
        do make_safe_moves();
        while (tear_best());
        assign_in_order();
        drop_torn_variables();
        return result();
    }

  private:
    enum class State : std::uint8_t { Open, Assigned, Left };  // Left: a residual, or a tearing variable
    struct Equation {
        State state = State::Open;
        std::uint32_t unknowns = 0;  // open variables
        std::uint32_t solvable = 0;  // open variables it can be solved for
        std::uint32_t assigned = unmatched;
    };
    struct Variable {
        State state = State::Open;
        std::uint32_t occurrences = 0;  // open equations
        std::uint32_t solvable = 0;     // open equations that can be solved for it
        std::uint32_t completes = 0;    // open equations with two unknowns that could then compute the other
        std::uint32_t assigned = unmatched;
    };
    struct ColumnEntry {
        std::uint32_t equation;
        bool good;
    };

    bool good(std::uint32_t edge) const { return solvability_[edge] >= least_; }
    std::span<const ColumnEntry> column(std::uint32_t v) const {
        return std::span(column_entries_).subspan(column_start_[v], column_start_[v + 1] - column_start_[v]);
    }

    void index_columns() {
        column_start_.assign(graph_.variables + 1, 0);
        for (std::uint32_t v : graph_.adjacent) ++column_start_[v + 1];
        for (std::size_t v = 0; v < graph_.variables; ++v) column_start_[v + 1] += column_start_[v];
        column_entries_.resize(graph_.edges());
        std::vector<std::uint32_t> next(column_start_.begin(), column_start_.end() - 1);
        for (std::uint32_t e = 0; e < graph_.equations; ++e)
            for (std::uint32_t i = graph_.start[e]; i < graph_.start[e + 1]; ++i) {
                const std::uint32_t v = graph_.adjacent[i];
                column_entries_[next[v]++] = {e, good(i)};
                ++equation_[e].unknowns;
                ++variable_[v].occurrences;
                equation_[e].solvable += good(i);
                variable_[v].solvable += good(i);
            }
    }

    // Notes what can be done with an open equation (variable) after its counts have changed.
    void look_at_equation(std::uint32_t e) {
        const Equation& equation = equation_[e];
        if (equation.solvable == 0)
            residual_.push(e);
        else if (equation.unknowns == 1)
            forward_.push(e);
        else if (equation.unknowns == 2)
            count_completions(e, +1);
    }
    void look_at_variable(std::uint32_t v) {
        const Variable& variable = variable_[v];
        if (variable.solvable == 0)
            unsolvable_.push(v);
        else if (variable.occurrences == 1)
            backward_.push(v);
        candidates_.push({score(v), ~v});
    }

    // For an open equation with two unknowns a, b: tearing a lets it compute b when it is solvable for b.
    void count_completions(std::uint32_t e, int change) {
        std::uint32_t first = unmatched;
        bool first_good = false;
        for (std::uint32_t i = graph_.start[e]; i < graph_.start[e + 1]; ++i) {
            const std::uint32_t v = graph_.adjacent[i];
            if (variable_[v].state != State::Open) continue;
            if (first == unmatched) {
                first = v;
                first_good = good(i);
                continue;
            }
            if (good(i)) add_completion(first, change);
            if (first_good) add_completion(v, change);
            return;
        }
    }
    void add_completion(std::uint32_t v, int change) {
        variable_[v].completes += static_cast<std::uint32_t>(change);
        candidates_.push({score(v), ~v});
    }

    std::uint32_t score(std::uint32_t v) const {
        const Variable& variable = variable_[v];
        return 4 * variable.completes + 2 * (variable.occurrences - variable.solvable) + variable.occurrences;
    }

    // The variable is known from now on.
    void settle_variable(std::uint32_t v, State state) {
        for (const ColumnEntry& entry : column(v)) {
            const Equation& equation = equation_[entry.equation];
            if (equation.state == State::Open && equation.unknowns == 2 && equation.solvable > 0)
                count_completions(entry.equation, -1);
        }
        variable_[v].state = state;
        for (const ColumnEntry& entry : column(v)) {
            Equation& equation = equation_[entry.equation];
            if (equation.state != State::Open) continue;
            --equation.unknowns;
            equation.solvable -= entry.good;
            look_at_equation(entry.equation);
        }
    }
    // The equation has found its use; its unknowns must come from elsewhere.
    void close_equation(std::uint32_t e, State state) {
        if (equation_[e].unknowns == 2 && equation_[e].solvable > 0) count_completions(e, -1);
        equation_[e].state = state;
        for (std::uint32_t i = graph_.start[e]; i < graph_.start[e + 1]; ++i) {
            const std::uint32_t v = graph_.adjacent[i];
            Variable& variable = variable_[v];
            if (variable.state != State::Open) continue;
            --variable.occurrences;
            variable.solvable -= good(i);
            look_at_variable(v);
        }
    }
    void pair(std::uint32_t e, std::uint32_t v) {
        equation_[e].assigned = v;
        variable_[v].assigned = e;
    }
    void tear_variable(std::uint32_t v) {
        if (variable_[v].state != State::Open) return;
        torn_.push_back(v);
        settle_variable(v, State::Left);
    }

    void make_safe_moves() {
        for (;;) {
            if (!residual_.empty()) {
                const std::uint32_t e = residual_.pop();
                if (equation_[e].state == State::Open) close_equation(e, State::Left);
            } else if (!forward_.empty()) {
                const std::uint32_t e = forward_.pop();
                if (equation_[e].state != State::Open || equation_[e].solvable == 0) continue;
                for (std::uint32_t v : graph_.row(e))
                    if (variable_[v].state == State::Open) {
                        pair(e, v);
                        first_.push_back({e, v});
                        equation_[e].state = State::Assigned;
                        settle_variable(v, State::Assigned);
                        break;
                    }
            } else if (!backward_.empty()) {
                const std::uint32_t v = backward_.pop();
                if (variable_[v].state != State::Open || variable_[v].solvable == 0) continue;
                for (const ColumnEntry& entry : column(v))
                    if (equation_[entry.equation].state == State::Open) {
                        pair(entry.equation, v);
                        last_.push_back({entry.equation, v});
                        close_equation(entry.equation, State::Assigned);
                        variable_[v].state = State::Assigned;
                        break;
                    }
            } else if (!unsolvable_.empty()) {
                tear_variable(unsolvable_.pop());
            } else {
                return;
            }
        }
    }

    // Tears the open variable of highest score, the lowest number among equals. False when no variable is
    // open.
    bool tear_best() {
        while (!candidates_.empty()) {
            const auto [its_score, complement] = candidates_.top();
            candidates_.pop();
            const std::uint32_t v = ~complement;
            if (variable_[v].state != State::Open || its_score != score(v)) continue;
            tear_variable(v);
            return true;
        }
        return false;
    }

    void assign_in_order() {
        assignments_ = std::move(first_);
        assignments_.insert(assignments_.end(), last_.rbegin(), last_.rend());
    }

    // A residual r computes the tearing variable t after all when it is solvable for t and none of its other
    // variables depends on t.
    void drop_torn_variables() {
        std::int64_t budget = 5 * static_cast<std::int64_t>(graph_.edges()) + 100000;
        std::vector<std::uint32_t> mark(graph_.variables, 0);
        std::uint32_t round = 0;
        std::vector<std::uint32_t> dependent;
        bool dropped = false;
        for (std::size_t k = torn_.size(); k-- > 0 && budget > 0;) {
            const std::uint32_t t = torn_[k];
            if (chosen_[t]) continue;
            bool possible = false;
            for (const ColumnEntry& entry : column(t))
                possible |= entry.good && equation_[entry.equation].assigned == unmatched;
            if (!possible) continue;
            ++round;
            dependent.assign(1, t);
            mark[t] = round;
            for (std::size_t i = 0; i < dependent.size() && budget > 0; ++i)
                for (const ColumnEntry& entry : column(dependent[i])) {
                    --budget;
                    const std::uint32_t v = equation_[entry.equation].assigned;
                    if (v == unmatched || mark[v] == round) continue;
                    mark[v] = round;
                    dependent.push_back(v);
                }
            if (budget <= 0) break;
            for (const ColumnEntry& entry : column(t)) {
                if (!entry.good || equation_[entry.equation].assigned != unmatched) continue;
                bool free = true;
                for (std::uint32_t v : graph_.row(entry.equation)) free &= v == t || mark[v] != round;
                if (!free) continue;
                pair(entry.equation, t);
                assignments_.push_back({entry.equation, t});
                torn_.erase(torn_.begin() + static_cast<std::ptrdiff_t>(k));
                dropped = true;
                break;
            }
        }
        if (dropped) sort_assignments();
    }

    // Topological order; among the ready ones first come, first served.
    void sort_assignments() {
        std::vector<std::uint32_t> waiting(graph_.equations, 0);
        std::vector<InnerAssignment> sorted;
        sorted.reserve(assignments_.size());
        for (const InnerAssignment& a : assignments_)
            for (std::uint32_t v : graph_.row(a.equation))
                waiting[a.equation] += v != a.variable && variable_[v].assigned != unmatched;
        for (const InnerAssignment& a : assignments_)
            if (waiting[a.equation] == 0) sorted.push_back(a);
        for (std::size_t i = 0; i < sorted.size(); ++i) {
            const InnerAssignment done = sorted[i];
            for (const ColumnEntry& entry : column(done.variable)) {
                const std::uint32_t v = equation_[entry.equation].assigned;
                if (v == unmatched || entry.equation == done.equation) continue;
                if (--waiting[entry.equation] == 0) sorted.push_back({entry.equation, v});
            }
        }
        CUTSET_ASSERT(sorted.size() == assignments_.size());
        assignments_ = std::move(sorted);
    }

    Tearing result() {
        Tearing tearing;
        for (std::uint32_t v = 0; v < graph_.variables; ++v)
            if (variable_[v].assigned == unmatched) tearing.torn_variables.push_back(v);
        for (std::uint32_t e = 0; e < graph_.equations; ++e)
            if (equation_[e].assigned == unmatched) tearing.residual_equations.push_back(e);
        tearing.assignments = std::move(assignments_);
        return tearing;
    }

    const Bipartite& graph_;
    const Solvability least_;
    std::span<const Solvability> solvability_;
    std::vector<std::uint32_t> column_start_;
    std::vector<ColumnEntry> column_entries_;
    std::vector<Equation> equation_;
    std::vector<Variable> variable_;
    std::vector<char> chosen_;
    Queue residual_, forward_, backward_, unsolvable_;
    std::priority_queue<std::pair<std::uint32_t, std::uint32_t>>
        candidates_;  // score, complement of the number
    std::vector<std::uint32_t> torn_;
    std::vector<InnerAssignment> first_, last_, assignments_;
};

}  // namespace

Tearing tear(const Bipartite& component, std::span<const Solvability> solvability,
             const TearingOptions& options) {
    return Tearer(component, solvability, options).run();
}

}  // namespace cutset::graph
