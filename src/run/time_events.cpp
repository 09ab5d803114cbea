#include "run/time_events.h"

#include <algorithm>
#include <cmath>

#include "run/run_messages.h"

namespace cutset {

bool TimeEvents::is_due(const ClockState& clock, double at) {
    return clock.next() <= at || same_instant(clock.next(), at);
}

bool TimeEvents::start_clocks() {
    clocks_.clear();
    if (!now_.run_section(now_.program.clocks) || !now_.report_not_finite(now_.program.clocks, now_.time()))
        return false;
    for (std::size_t i = 0; i < now_.partition.clocks.size(); ++i) {
        ClockState clock{now_.values[now_.layout.clock_parameters[i].first],
                         now_.values[now_.layout.clock_parameters[i].second], 0};
        if (!(clock.period > 0) || !std::isfinite(clock.first))
            return now_.fail(run_messages::bad_clock(now_.model, now_.partition.clocks[i].node, clock.first,
                                                     clock.period));
        clock.ticks = std::max(0.0, std::ceil((now_.options.start - clock.first) / clock.period - 1e-9));
        clocks_.push_back(clock);
    }
    return true;
}

bool TimeEvents::wait_for_start() const {
    const auto is_found = [&](Expr leaf) {
        return leaf->op == Op::Variable &&
               now_.model.variables[leaf->variable()].variability == Variability::Discrete;
    };
    return std::any_of(now_.partition.clocks.begin(), now_.partition.clocks.end(), [&](const Clock& clock) {
        return depends_on(clock.first, is_found) || depends_on(clock.period, is_found);
    });
}

double TimeEvents::next() const {
    double next = never;
    for (std::size_t i : structure_.time) {
        const double instant = now_.values[now_.layout.instants[i]];
        if (std::isfinite(instant) && instant > now_.time() && !same_instant(instant, now_.time()))
            next = std::min(next, instant);
    }
    for (const ClockState& clock : clocks_) next = std::min(next, clock.next());
    for (std::size_t i = 0; i < now_.partition.delays.size(); ++i)  // others: Integration::find_delayed_jump
        if (!delays_.varies[i])
            next =
                std::min(next, now_.state.delays.next_jump(i) + now_.values[now_.layout.delay_durations[i]]);
    return next;
}

void TimeEvents::mark_ticks_at_start() {
    for (std::size_t i = 0; i < clocks_.size(); ++i)
        if (same_instant(clocks_[i].next(), now_.options.start) || clocks_[i].next() == now_.options.start)
            now_.values[now_.layout.clocks[i]] = 1;
}

void TimeEvents::continue_clocks(const std::vector<ClockState>& before) {
    for (std::size_t i = 0; i < clocks_.size(); ++i) {
        ClockState& clock = clocks_[i];
        if (clock.first == before[i].first && clock.period == before[i].period) {
            clock.ticks = before[i].ticks;
            continue;
        }
        clock.ticks = std::max(0.0, std::floor((now_.time() - clock.first) / clock.period) - 1);
        while (clock.next() < now_.time() || same_instant(clock.next(), now_.time())) ++clock.ticks;
    }
}

void TimeEvents::tick() {
    for (std::size_t i = 0; i < clocks_.size(); ++i) {
        const bool due = is_due(clocks_[i], now_.time());
        now_.values[now_.layout.clocks[i]] = due;
        if (due) ++clocks_[i].ticks;
    }
}

void TimeEvents::clear_ticks() {
    for (std::size_t i = 0; i < clocks_.size(); ++i) now_.values[now_.layout.clocks[i]] = 0;
}

// In tables over time, inputs from files among them.
void TimeEvents::find_breakpoints() {
    breakpoints_.clear();
    jumps_.clear();
    if (std::none_of(now_.model.callees.begin(), now_.model.callees.end(),
                     [](const auto& callee) { return std::holds_alternative<TableData>(callee); }))
        return;
    const auto look = [&](Expr root) {
        for_each_node(root, [&](Expr e) {
            if (e->op != Op::Apply) return;
            const auto* table = std::get_if<TableData>(&now_.model.callees[e->callee()]);
            if (!table) return;
            for (std::size_t k = 0; k < e->argument_count; ++k) {
                if (e->arg(k)->op != Op::Time) continue;
                const std::vector<double>& x = k == 0 ? table->x : table->y;
                for (std::size_t i = 0; i < x.size(); ++i) {
                    if (i > 0 && same_instant(x[i], x[i - 1])) {
                        jumps_.push_back(x[i - 1]);
                        continue;
                    }
                    breakpoints_.push_back(x[i]);
                }
            }
        });
    };
    for (const Block& block : now_.partition.blocks) {
        for (const SolvedEquation& s : block.inner) look(s.value);
        for (const ResidualEquation& r : block.residuals) look(r.residual);
    }
    for (const Eliminated& e : now_.partition.eliminated) look(e.value);
    std::sort(breakpoints_.begin(), breakpoints_.end());
    breakpoints_.erase(std::unique(breakpoints_.begin(), breakpoints_.end()), breakpoints_.end());
    std::sort(jumps_.begin(), jumps_.end());
}

double TimeEvents::next_breakpoint() const {
    for (auto at = std::upper_bound(breakpoints_.begin(), breakpoints_.end(), now_.time());
         at != breakpoints_.end(); ++at)
        if (!same_instant(*at, now_.time())) return *at;
    return never;
}

bool TimeEvents::is_jump(double at) const {
    return std::binary_search(jumps_.begin(), jumps_.end(), at);
}

bool TimeEvents::record_start() {
    bool changed = false;
    for (std::size_t i = 0; i < now_.partition.delays.size(); ++i) {
        const double value = now_.values[now_.layout.delay_arguments[i]];
        if (!std::isfinite(value)) continue;
        DelayBuffer::Line& line = now_.state.delays.lines()[i];
        changed = changed || line.points.empty() || line.points[0].value != value;
        line = {};
        now_.state.delays.record(i, now_.options.start, value);
    }
    return changed;
}

bool TimeEvents::record_delays(double at, double from) {
    constexpr double margin = 4;  // for a delay that varies
    for (std::size_t i = 0; i < now_.partition.delays.size(); ++i) {
        const double duration = now_.values[now_.layout.delay_durations[i]];
        if (duration < 0)
            return now_.fail(
                run_messages::negative_delay(now_.model, now_.partition.delays[i], duration, at));
        DelayBuffer::Line& line = now_.state.delays.lines()[i];
        line.longest = std::max(line.longest, duration);
        now_.state.delays.record(i, at, now_.values[now_.layout.delay_arguments[i]],
                                 from - (delays_.varies[i] ? margin : 1) * line.longest);
        if (line.lost) return now_.fail(run_messages::past_lost(now_.model, now_.partition.delays[i], at));
        if (duration == 0) pass_jumps(i);  // others come out at an event, after the rows before it
    }
    return true;
}

void TimeEvents::pass_jumps(std::size_t i) {
    const auto comes_out = [&] {
        return now_.state.delays.next_jump(i) + now_.values[now_.layout.delay_durations[i]];
    };
    while (comes_out() <= now_.time() || same_instant(comes_out(), now_.time())) {
        now_.state.delays.pass(i);
        delayed_jump_acts_ = delayed_jump_acts_ || delays_.feeds[i];
    }
}

void TimeEvents::pass_delayed_jumps() {
    for (std::size_t i = 0; i < now_.partition.delays.size(); ++i) pass_jumps(i);
}

}  // namespace cutset
