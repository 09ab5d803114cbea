#include "run/event_storm.h"

#include <algorithm>
#include <cmath>

#include "run/run_messages.h"

namespace cutset {

namespace {

constexpr double short_part = 1e-6;         // of the run: many events in it are too many
constexpr std::size_t storm_length = 2000;  // events in a row without progress
// Events of one condition in a run, with so few steps of the integrator for each, are what makes the run
// slow.
constexpr double many_events = 2e5;
constexpr std::size_t most_steps_of_event = 10;
constexpr std::size_t most_tiny = 8;  // times one way and back at the level of rounding

}  // namespace

bool EventStorm::count(double at, std::span<const std::size_t> fired) {
    const double span = now_.length();
    bool kinks_only = !fired.empty();
    for (std::size_t i : fired) {
        if (now_.partition.switches[i].kink) {
            count_kink(i, at);
            continue;
        }
        kinks_only = false;
        if (!count_firing(i, at)) return false;
    }
    if (kinks_only) return true;
    if (counts_.without_progress == 0 || at - counts_.since > short_part * span) {
        counts_.since = at;
        counts_.without_progress = 0;
    }
    if (++counts_.without_progress < storm_length) return true;
    if (const Expr clock = fired.empty() ? due_clock(at) : nullptr)
        return now_.fail(
            run_messages::clock_storm(now_.model, clock, counts_.without_progress, counts_.since, at));
    const Switch* relation = counts_.last_fired < now_.partition.switches.size()
                                 ? &now_.partition.switches[counts_.last_fired]
                                 : nullptr;
    return now_.fail(
        run_messages::event_storm(now_.model, relation, counts_.without_progress, counts_.since, at));
}

Expr EventStorm::due_clock(double at) const {
    for (std::size_t i = 0; i < now_.state.clocks.size(); ++i)
        if (same_instant(now_.state.clocks[i].next(), at)) return now_.partition.clocks[i].node;
    return nullptr;
}

void EventStorm::count_kink(std::size_t i, double at) {
    constexpr std::size_t most = 100;
    const double span = now_.length();
    EventCounts::Kink& k = counts_.kinks[i];
    if (k.recent == 0 || at - k.since > short_part * span) {
        k.since = at;
        k.recent = 0;
    }
    ++k.recent;
    ++k.all;
    if (k.recent > most || (k.all > most && double(k.all) > 1e4 * (at - now_.options.start) / span))
        now_.state.switches.muted[i] = true;
}

// Whether a zero-crossing function that was at most `peak` in a part of the run has moved by no more than the
// rounding of the equations.
bool EventStorm::is_rounding(std::size_t i, double peak, double part) const {
    return peak <= rounding_of_crossings * crossing_size(now_, i) * std::min(1.0, 10 * part);
}

// A clutch that is open and whose sides turn equally fast has a relative speed that is zero but for rounding.
void EventStorm::hold_against_rounding(std::size_t i, double at) {
    std::vector<std::size_t>& held = now_.state.switches.rounded;
    if (sliding_.holds(i) || std::find(held.begin(), held.end(), i) != held.end()) return;
    held.push_back(i);
    now_.report(run_messages::switched_by_rounding(now_.model, now_.partition.switches[i], at));
}

// The instants at which one condition goes one way.
bool EventStorm::count_firing(std::size_t i, double at) {
    constexpr std::size_t in_a_row = 12;  // intervals of which each is shorter than the last
    constexpr std::size_t often = 500;
    const double span = now_.length();
    EventCounts::Firing& f = counts_.firings[2 * i + (now_.condition(i) > 0)];
    const double interval = at - f.last;
    if (f.count > 0 && f.interval > 0 && interval < 0.995 * f.interval) {
        if (f.shorter == 0) {
            f.first = f.last - f.interval;
            f.longest = f.interval;
        }
        ++f.shorter;
    } else if (f.count > 1) {
        f.shorter = 0;
    }
    if (f.count > 0) f.interval = interval;
    f.last = at;
    if (f.count++ % often == 0) {
        const double rate = static_cast<double>(often) / (at - f.window);
        const bool few_steps = steps_ < most_steps_of_event * often;
        steps_ = 0;
        if (f.count > often && rate * span > many_events && few_steps &&
            !is_whole(now_.partition.switches[i].node->op) && !f.reported && !sliding_.holds(i)) {
            counts_.firings[2 * i].reported = counts_.firings[2 * i + 1].reported = true;
            now_.report(
                run_messages::chattering(now_.model, now_.partition.switches[i], often, f.window, at, span));
        }
        f.window = at;
    }
    // What happens between two instants is below what the tolerance can tell.
    double& peak = counts_.peaks[static_cast<std::size_t>(&f - counts_.firings.data())];
    const bool small = peak < smallest_ * now_.state.switches.largest[i];
    if (!is_rounding(i, peak, interval / span))
        f.tiny = 0;
    else if (++f.tiny == most_tiny)
        hold_against_rounding(i, at);
    peak = 0;
    if (f.shorter < in_a_row || !(interval < 1e-3 * span) || !small) return true;
    if (sides_.hold_together()) return true;
    const double ratio = std::pow(interval / f.longest, 1 / static_cast<double>(f.shorter));
    const double rest = interval * ratio / (1 - ratio);
    std::vector<std::pair<std::string, double>> restarted;
    for (const WhenClause& when : now_.model.whens) {
        bool contains = false;
        for_each_node(when.condition, [&](Expr e) { contains |= e == now_.partition.switches[i].node; });
        if (!contains) continue;
        for (const WhenAction& action : when.actions)
            if (const auto* reinit = std::get_if<WhenReinit>(&action))
                restarted.emplace_back(now_.model.path(reinit->target),
                                       now_.values[now_.layout.variable[reinit->target.value]]);
    }
    return now_.fail(run_messages::events_accumulate(now_.model, now_.partition.switches[i], f.shorter + 2,
                                                     f.first, at, ratio, at + rest, restarted));
}

}  // namespace cutset
