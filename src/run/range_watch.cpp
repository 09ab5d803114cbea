#include "run/range_watch.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "run/run_messages.h"

namespace cutset {

namespace {

constexpr std::size_t most_told = 10;    // variables that left their bounds, of one run
constexpr double smallest_slack = 1e-6;  // of their size: what the tolerance of a run cannot tell

}  // namespace

RangeWatch::RangeWatch(Instant& now) : now_(now) {
    reset();
    if (!now.model.whens_together) return;  // of the Dymola language
    const double part = std::max(smallest_slack, 10 * now.options.tolerance);
    for (VariableIndex v{0}; v < now.model.variables.end_index(); ++v.value) {
        const Variable& x = now.model.variables[v];
        if (x.internal || (!x.minimum && !x.maximum)) continue;
        const double low = x.minimum.value_or(-std::numeric_limits<double>::infinity());
        const double high = x.maximum.value_or(std::numeric_limits<double>::infinity());
        double size = std::fabs(x.nominal.value_or(0));
        if (size == 0 && std::isfinite(low) && std::isfinite(high)) size = high - low;
        if (size == 0) size = std::max(1.0, std::fabs(std::isfinite(low) ? low : high));
        bounded_.push_back({v, low, high, x.variability <= Variability::Parameter ? 0 : part * size});
    }
}

void RangeWatch::reset() {
    now_.state.invalid.assign(now_.model.validities.size(), false);
    now_.state.tables_left.assign(now_.model.callees.size(), false);
}

void RangeWatch::check_validity() {
    for (std::size_t i = 0; i < now_.model.validities.size(); ++i) {
        const bool holds = now_.values[now_.layout.validity[i]] != 0;
        if (!holds && !now_.state.invalid[i]) {
            now_.report(run_messages::left_validity(now_.model, now_.model.validities[i], now_.time(),
                                                    now_.options.strict));
            if (now_.options.strict || now_.model.validities[i].level == AssertionLevel::Error)
                now_.stop = true;
        }
        now_.state.invalid[i] = !holds;
    }
}

void RangeWatch::check_bounds(const Interpreter& values) {
    for (Bounded& b : bounded_) {
        if (b.left) continue;
        const double value = values[now_.layout.variable[b.variable.value]];
        if (value >= b.low - b.slack && value <= b.high + b.slack) continue;
        b.left = true;
        // Of equal variables with equal bounds, as those of joined connectors are, one.
        const bool known = std::any_of(bounded_.begin(), bounded_.end(), [&](const Bounded& other) {
            return &other != &b && other.left && other.low == b.low && other.high == b.high &&
                   values[now_.layout.variable[other.variable.value]] == value;
        });
        if (known || ++told_ > most_told) continue;
        now_.report(run_messages::left_bounds(now_.model, b.variable, value, b.low, b.high,
                                              values[now_.layout.time], told_ == most_told,
                                              now_.options.strict));
        if (now_.options.strict) now_.stop = true;
    }
}

void RangeWatch::check_tables(Interpreter& values) {
    for (CalleeIndex c : values.take_tables_left()) {
        if (now_.state.tables_left[c.value]) continue;
        now_.state.tables_left[c.value] = true;
        // One without a name counts the code blocks of another.
        if (const auto* table = std::get_if<TableData>(&now_.model.callees[c]); table && !table->name.empty())
            now_.report(run_messages::table_left(*table, now_.time()));
    }
}

bool RangeWatch::may_have_left_tables() {
    bool found = false;
    for (CalleeIndex c : now_.values.take_tables_left()) found = found || !now_.state.tables_left[c.value];
    return found;
}

bool RangeWatch::needs_steps(const Partition& partition) {
    std::unordered_set<Expr> switches;  // looked up only
    for (const Switch& s : partition.switches) switches.insert(s.node);
    std::vector<Expr> open;
    for (const Validity& v : partition.model.validities) open.push_back(v.condition);
    while (!open.empty()) {
        const Expr e = open.back();
        open.pop_back();
        if (switches.contains(e)) continue;
        if (e->op != Op::And && e->op != Op::Or && e->op != Op::Not) return true;
        for (std::size_t k = 0; k < e->argument_count; ++k) open.push_back(e->arg(k));
    }
    return false;
}

}  // namespace cutset
