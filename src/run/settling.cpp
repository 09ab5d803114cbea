#include "run/settling.h"

#include <algorithm>
#include <bit>

#include "run/run_messages.h"

namespace cutset {

namespace {

// Whether the nonlinear loops with conditions inside, which have been solved for these values, determine
// their unknowns, or leave open what may stay so.
bool loops_settled(Instant& now, const SwitchStructure& structure, Interpreter& values) {
    std::vector<std::size_t> open;
    if (now.loops.open_allowed()) open = now.loops.open_loops(now.program.continuous);
    return std::all_of(structure.loops.begin(), structure.loops.end(), [&](std::size_t loop) {
        return std::find(open.begin(), open.end(), loop) != open.end() ||
               now.loops.regular(now.program.loops[loop], values);
    });
}

}  // namespace

// Runs `section` and lists the conditions whose values do not agree with it.
bool Settling::list_disagreeing(const Section& section, std::vector<std::size_t>& changing, bool first) {
    changing.clear();
    const bool continuous = &section == &now_.program.continuous;
    if (!continuous || !equations_.known()) {
        if (!equations_.run_quietly(section) || !now_.values.run(now_.program.crossings)) return false;
        if (continuous && switches_.leave_moved() &&
            (!equations_.run_quietly(section) || !now_.values.run(now_.program.crossings)))
            return false;
        if (continuous) equations_.note();
    }
    if (first) switches_.measure_time_events();
    const std::size_t n = structure_.ops.size();
    if (n == 0) return true;
    const double *present = &now_.values[now_.layout.switches[0]],
                 *crossing = &now_.values[now_.layout.crossings[0]];
    // Most often none.
    if (structure_.all_simple && sliding_.empty()) {
        bool any = false;
        const double* offset = now_.state.switches.offset.data();
        for (std::size_t i = 0; i < n; ++i) any |= (crossing[i] + offset[i] < 0) != (present[i] != 0);
        for (std::size_t i : now_.state.switches.forced.list()) any |= switches_.value(i) != present[i];
        if (!any) return true;
    }
    for (std::size_t i = 0; i < n; ++i) {
        // Most are relations far from where they switch.
        if (structure_.simple[i] && !now_.state.switches.forced.contains(i)) {
            if ((crossing[i] + now_.state.switches.offset[i] < 0) != present[i] && !sliding_.holds(i))
                changing.push_back(i);
            continue;
        }
        if (sliding_.holds(i)) continue;
        const double value = switches_.value(i);
        if (value != present[i] && !std::isnan(value)) changing.push_back(i);
    }
    return true;
}

// The conditions as they are, then those that they lead to: `iterate`. Where equations are singular but agree
// with each other, what they leave open may stay so if it moves nothing: `iterate_open`. At last all
// combinations of a few are tried, those nearest to the present one first.
Settling::Outcome Settling::settle_quietly(const Section& section, std::vector<std::size_t>& involved) {
    constexpr std::size_t most_searched = 10;
    std::vector<double>& before = at_entry_;
    before.resize(now_.layout.switches.size());
    if (!before.empty()) std::copy_n(&now_.values[now_.layout.switches[0]], before.size(), before.begin());
    if (!equations_.known()) now_.loops.allow_open(false);
    Outcome outcome = iterate(section, involved);
    if (outcome == Outcome::Done && now_.loops.open_allowed() && !open_moves_nothing(section))
        outcome = Outcome::Failed;
    if (outcome == Outcome::Done) {
        if (now_.loops.has_singular(section)) iterate_open(section, involved);  // else as they are
        return outcome;
    }
    const bool failed = outcome == Outcome::Failed;
    if (!now_.values.error()) {
        if (failed && !before.empty())
            failing_.assign(&now_.condition(0), &now_.condition(0) + before.size());
        const std::vector<std::size_t> at_first = involved;
        if (failed && iterate_open(section, involved) == Outcome::Done) return Outcome::Done;
        if (failed && iterate_from_ends(section) == Outcome::Done) return Outcome::Done;
        involved = at_first;
        if (failed) {
            std::vector<std::size_t> all = structure_.state;
            std::erase_if(all, [&](std::size_t i) { return now_.partition.switches[i].kink; });
            if (all.size() <= most_searched) involved = all;
        }
        if (!involved.empty() && involved.size() <= most_searched && search(section, involved))
            return Outcome::Done;
    }
    restore_conditions();
    return failed || now_.values.error() ? Outcome::Failed : Outcome::Cycle;
}

// An event is not undone: what the time decides stays as it is after it.
void Settling::restore_conditions() {
    for (std::size_t i = 0; i < at_entry_.size(); ++i)
        if (!now_.partition.switches[i].instant) now_.condition(i) = at_entry_[i];
}

// From the conditions at entry, with loops that may leave unknowns open.
Settling::Outcome Settling::iterate_open(const Section& section, std::vector<std::size_t>& involved) {
    const auto& failure = now_.loops.failure();
    if (!(failure && failure->loop->linear) && !now_.loops.has_singular(section)) return Outcome::Failed;
    const std::vector<double> values(now_.values.values().begin(), now_.values.values().end());
    restore_conditions();
    now_.equations_known = false;
    now_.loops.allow_open(true);
    if (iterate(section, involved) == Outcome::Done && open_moves_nothing(section)) return Outcome::Done;
    now_.loops.allow_open(false);
    now_.equations_known = false;
    for (std::size_t slot = 0; slot < values.size(); ++slot)
        now_.values[static_cast<Slot>(slot)] = values[slot];
    return Outcome::Failed;
}

// From where those that depend on loops all hold, or none does: ideal diodes all block at one of these ends.
Settling::Outcome Settling::iterate_from_ends(const Section& section) {
    const std::vector<double> values(now_.values.values().begin(), now_.values.values().end());
    std::vector<std::size_t> involved;
    for (const double end : {1.0, 0.0}) {
        restore_conditions();
        for (std::size_t i : structure_.uncertain)
            if (is_relation(structure_.ops[i]) && !sliding_.holds(i) && !now_.partition.switches[i].kink)
                now_.condition(i) = end;
        now_.equations_known = false;
        if (iterate(section, involved) == Outcome::Done) return Outcome::Done;
    }
    now_.equations_known = false;
    for (std::size_t slot = 0; slot < values.size(); ++slot)
        now_.values[static_cast<Slot>(slot)] = values[slot];
    return Outcome::Failed;
}

void Settling::begin_changes() {
    changed_.clear();
    one_by_one_.clear();
    trying_one_ = false;
}

// The equations have no solution after conditions have changed together: these are changed alone, one after
// the other. False when all have been.
bool Settling::change_fewer() {
    if (one_by_one_.empty() && !trying_one_) {
        failed_together_ = changed_;
        if (changed_.size() > 1) one_by_one_ = changed_;
    }
    for (const Change& c : changed_) now_.condition(c.condition) = c.from;
    now_.equations_known = false;
    trying_one_ = !one_by_one_.empty();
    if (!trying_one_) {  // as they failed
        for (const Change& c : failed_together_) now_.condition(c.condition) = c.to;
        return false;
    }
    changed_ = {one_by_one_.back()};
    one_by_one_.pop_back();
    now_.condition(changed_[0].condition) = changed_[0].to;
    return true;
}

// Whether nothing that is integrated depends on what loops leave open. What does belongs to equations of
// another index, and other solutions would lead elsewhere.
bool Settling::open_moves_nothing(const Section& section) {
    constexpr double unmoved = 1e-9, rounding = 1e-12;
    const bool continuous = &section == &now_.program.continuous;
    Interpreter away = now_.values;
    bool nothing = true;
    for (std::size_t loop : now_.loops.open_loops(section))
        for (std::size_t k = 0; k < now_.loops.open_directions(loop) && nothing; ++k) {
            away.take_values(now_.values);
            now_.loops.set_shift(NumericLoopSolver::Shift{loop, k});
            nothing = sliding_.solve(away, section);
            now_.loops.set_shift(std::nullopt);
            for (std::size_t i = 0; i < now_.layout.state.size() && nothing; ++i) {
                const Slot slot = now_.layout.state[i], rate = now_.layout.derivative[i];
                const Variable& state = now_.model.variables[now_.partition.states[i]];
                const double size =
                    std::max(std::abs(now_.values[slot]), std::abs(state.nominal.value_or(1)));
                const double moved = std::abs(away[rate] - now_.values[rate]);
                nothing = moved * now_.length() <= unmoved * size || moved <= rounding * std::abs(away[rate]);
                if (!continuous)
                    nothing = nothing && std::abs(away[slot] - now_.values[slot]) <= rounding * size;
            }
        }
    // The solution itself is what the loops remember.
    if (nothing) nothing = sliding_.solve(now_.values, section) && now_.values.run(now_.program.crossings);
    return nothing;
}

void Settling::report_open(const Section& section) {
    if (!now_.loops.open_allowed()) return;
    for (std::size_t loop : now_.loops.open_loops(section))
        if (told_.insert(loop).second)
            now_.report(run_messages::left_open(now_.model, now_.loops.open_unknowns(loop), now_.time()));
}

// First all that disagree change together; when that goes round in circles a sign may balance in between,
// then only the first that disagrees changes (which ends for circuits of diodes and resistors: Murty's rule).
Settling::Outcome Settling::iterate(const Section& section, std::vector<std::size_t>& involved) {
    constexpr int together = 16, singly = 200;
    std::vector<std::size_t>& changing = changing_;
    involved.clear();
    // Whether all that change are involved for the first time.
    const auto involve = [&] {
        const std::size_t known = involved.size();
        for (std::size_t i : changing)
            if (const auto at = std::lower_bound(involved.begin(), involved.end(), i);
                at == involved.end() || *at != i)
                involved.insert(at, i);
        return involved.size() == known + changing.size();
    };
    bool failed = false;
    begin_changes();
    failed_together_.clear();
    for (int iteration = 0; iteration < together + singly && !failed;) {
        failed = !list_disagreeing(section, changing, iteration == 0);
        if (failed && !now_.values.error() && change_fewer()) {
            failed = false;
            ++iteration;
            continue;
        }
        // What the time decides holds whatever the equations say.
        if (failed && iteration == 0 && !now_.values.error() && set_time_events()) {
            failed = false;
            ++iteration;
            continue;
        }
        if (failed || now_.values.error()) break;
        if (changing.empty()) return Outcome::Done;
        // A chain of relays settles one after the other: only what changes again goes round in circles.
        const bool chain = iteration > together / 2 && involve();
        if (iteration == together && !chain) {
            bool balanced = false;
            for (std::size_t i : involved)
                if (structure_.is_sign(i) && structure_.may_slide[i] && !now_.partition.switches[i].instant &&
                    !sliding_.holds(i)) {
                    switches_.begin_sliding(i, 0, true);
                    balanced = true;
                }
            if (balanced) {
                ++iteration;
                continue;
            }
        }
        begin_changes();
        for (std::size_t i : changing) {
            const double value = switches_.value(i);
            changed_.push_back({i, now_.condition(i), value});
            now_.condition(i) = value;
            if (iteration >= together) break;
        }
        if (!chain) ++iteration;
    }
    if (failed && !now_.values.error()) involve();
    return failed || now_.values.error() ? Outcome::Failed : Outcome::Cycle;
}

// The conditions of time events get their values at this instant; whether one of them changes.
bool Settling::set_time_events() {
    if (structure_.time.empty() || !now_.values.run(now_.program.crossings)) return false;
    switches_.measure_time_events();
    bool changed = false;
    for (std::size_t i : structure_.time) {
        const double value = switches_.value(i);
        if (value == now_.condition(i) || std::isnan(value)) continue;
        now_.condition(i) = value;
        changed = true;
    }
    return changed;
}

bool Settling::settle(const Section& section) {
    std::vector<std::size_t> involved;
    const bool continuous = &section == &now_.program.continuous;
    Outcome outcome = settle_quietly(section, involved);
    if (continuous && outcome != Outcome::Done && !now_.values.error() && search_lasting())
        outcome = Outcome::Done;
    if (continuous && now_.other_modes && outcome != Outcome::Done) return false;  // another mode may help
    switch (outcome) {
        case Outcome::Done:
            if (continuous && !(settle_for_good() && equations_.derivatives_finite())) return false;
            report_open(section);
            return true;
        case Outcome::Failed:  // once more, with a message
            if (now_.values.error()) return now_.run_section(section);
            return report_failure(section);
        case Outcome::Cycle:
            break;
    }
    return report_cycle(involved);
}

// With the conditions at which the equations had no solution. Should they have one now, the conditions that
// disagree with it are reported.
bool Settling::report_failure(const Section& section) {
    for (std::size_t i = 0; i < failing_.size(); ++i) now_.condition(i) = failing_[i];
    now_.equations_known = false;
    const bool solved =
        &section == &now_.program.continuous ? equations_.evaluate() : now_.run_section(section);
    if (!solved || !now_.run_section(now_.program.crossings)) return false;
    if (!list_disagreeing(section, changing_)) return false;
    return changing_.empty() || report_cycle(changing_);
}

bool Settling::report_cycle(const std::vector<std::size_t>& involved) {
    std::vector<const Switch*> cycle;
    for (std::size_t i : involved) cycle.push_back(&now_.partition.switches[i]);
    return now_.fail(run_messages::switches_do_not_settle(now_.model, cycle, now_.time()));
}

// Tries all combinations of true and false, -1 and 1, of the conditions `involved`.
bool Settling::search(const Section& section, const std::vector<std::size_t>& involved) {
    const std::size_t n = involved.size();
    std::vector<double> present;
    for (std::size_t i : involved) {
        if (sliding_.holds(i) || is_whole(now_.partition.switches[i].node->op)) return false;
        present.push_back(now_.condition(i));
    }
    now_.equations_known = false;
    const std::vector<double> values(now_.values.values().begin(), now_.values.values().end());
    std::vector<std::size_t> changing;
    for (std::size_t flips = 1; flips <= n; ++flips)
        for (unsigned mask = 1; mask < 1u << n; ++mask) {
            if (static_cast<std::size_t>(std::popcount(mask)) != flips) continue;
            for (std::size_t slot = 0; slot < values.size(); ++slot)
                now_.values[static_cast<Slot>(slot)] = values[slot];
            for (std::size_t k = 0; k < n; ++k) {
                double value = present[k];
                if ((mask >> k) & 1)
                    value = structure_.is_sign(involved[k]) ? (value > 0 ? -1 : 1) : value == 0;
                now_.condition(involved[k]) = value;
            }
            if (list_disagreeing(section, changing) && changing.empty()) return true;
        }
    return false;
}

// Whether the conditions, as they are now, go on to agree with the equations beyond this instant: a few short
// Euler steps tell. At the instant itself ideal diodes in parallel may all conduct, or all block.
bool Settling::lasts() {
    const double span = now_.length();
    // Where something is much faster than the first distance the second one tells, if it tells clearly.
    return lasts(1e-7 * span, false) || lasts(1e-10 * span, true);
}

bool Settling::lasts(double distance, bool clearly) {
    constexpr int steps = 4;
    std::vector<std::size_t> near;
    for (std::size_t i : structure_.in_loops)
        if (switches_.near_zero(i)) near.push_back(i);
    Interpreter ahead = now_.values;
    const std::vector<double> weights = now_.state.sliding.weights;
    bool good = true;
    for (int step = 0; step < steps && good; ++step) {
        move_along(ahead, distance);
        good = sliding_.solve(ahead, now_.program.continuous) && equations_.finite(ahead);
    }
    now_.state.sliding.weights = weights;
    if (!good || !ahead.run(now_.program.crossings)) return false;
    for (std::size_t i : near) {
        const double c = ahead[now_.layout.crossings[i]], value = now_.condition(i);
        if (clearly &&
            std::abs(c) <= 10 * std::abs(now_.crossing(i)) + 1e-14 * now_.state.switches.largest[i])
            return false;
        if (c == 0) continue;
        if (structure_.is_sign(i) ? c * value < 0 : (c < 0) != (value != 0)) return false;
    }
    return loops_settled(now_, structure_, ahead);
}

// After the conditions agree with the equations at this instant: where some of a loop are at zero, or
// the loop does not determine its unknowns, they may have to take other values, that last. Where none do
// another mode may help; else they stay.
bool Settling::settle_for_good() {
    if (std::none_of(structure_.in_loops.begin(), structure_.in_loops.end(),
                     [&](std::size_t i) { return switches_.near_zero(i); }) &&
        loops_settled(now_, structure_, now_.values))
        return true;
    if (lasts()) return true;
    const Interpreter settled = now_.values;
    const bool open = now_.loops.open_allowed();
    now_.loops.allow_open(false);
    if (search_lasting()) return true;
    now_.loops.allow_open(open);
    if (now_.other_modes) return false;
    now_.values = settled;
    now_.equations_known = false;
    return true;
}

// Looks for values of the conditions that agree with the equations and go on to do so, with few changes
// first, and those of conditions at zero before others. A combination in which the equations do not determine
// their unknowns is passed over.
bool Settling::search_lasting() {
    constexpr std::size_t most_tried = 5000;
    if (structure_.in_loops.empty()) return false;
    std::vector<std::size_t> order;
    for (const bool near : {true, false})
        for (std::size_t i : structure_.in_loops)
            if (!sliding_.holds(i) && switches_.near_zero(i) == near) order.push_back(i);
    const std::size_t n = order.size();
    now_.equations_known = false;
    const std::vector<double> values(now_.values.values().begin(), now_.values.values().end());
    const auto agrees = [&] {
        now_.loops.set_robust(true);
        now_.values.clear_error();
        if (!sliding_.solve(now_.values, now_.program.continuous) || !equations_.finite(now_.values) ||
            !now_.values.run(now_.program.crossings))
            return false;
        for (std::size_t i : structure_.state) {
            if (sliding_.holds(i) || switches_.near_zero(i) || now_.state.switches.muted[i] ||
                now_.partition.switches[i].kink)
                continue;
            const double value = switches_.value(i);
            if (value != now_.condition(i) && !std::isnan(value)) return false;
        }
        return lasts();
    };
    std::size_t tried = 0;
    for (std::size_t flips = 0; flips <= n; ++flips) {
        std::vector<std::size_t> flipped(flips);
        for (std::size_t k = 0; k < flips; ++k) flipped[k] = k;
        while (true) {
            if (++tried > most_tried) return false;
            for (std::size_t slot = 0; slot < values.size(); ++slot)
                now_.values[static_cast<Slot>(slot)] = values[slot];
            for (std::size_t k : flipped) {
                double& value = now_.condition(order[k]);
                value = structure_.is_sign(order[k]) ? (value > 0 ? -1 : 1) : value == 0;
            }
            if (agrees()) {
                for (std::size_t i : structure_.in_loops) {
                    if (!switches_.near_zero(i)) continue;
                    const double c = now_.crossing(i), value = now_.condition(i);
                    now_.state.switches.forced.set(i, {value, c});
                    const bool opposite = structure_.is_sign(i) ? c * value < 0 : (c < 0) != (value != 0);
                    now_.state.switches.offset[i] = opposite ? -c : 0;
                }
                return true;
            }
            // The next choice of `flips` out of n, in lexicographic order.
            std::size_t k = flips;
            while (k > 0 && flipped[k - 1] == n - flips + k - 1) --k;
            if (k == 0) break;
            ++flipped[k - 1];
            for (; k < flips; ++k) flipped[k] = flipped[k - 1] + 1;
        }
    }
    return false;
}

}  // namespace cutset
