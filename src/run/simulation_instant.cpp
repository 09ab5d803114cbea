#include <algorithm>
#include <bit>
#include <vector>

#include "base/finite.h"
#include "run/run_messages.h"
#include "run/simulation.h"

namespace cutset {

bool Simulation::run_section(const Section& section) {
    loops_.set_robust(true);
    if (main_.run(section)) return true;
    if (main_.error())
        diagnostics_.report(run_messages::run_error(*main_.error(), time()));
    else if (loops_.failure())
        diagnostics_.report(run_messages::loop_failed(model_, *loops_.failure()->loop, main_,
                                                      loops_.failure()->reason, time()));
    return false;
}

bool Simulation::report_not_finite(const Section& section, double at) {
    if (const auto what = main_.explain_non_finite(section))
        return fail(run_messages::not_finite(model_, *what, at));
    return true;
}

// A loop may have a solution on either side of a crossing (sign(i)*i**2 = u): the one that agrees with the
// frozen switch counts, if there is one.
bool Simulation::keep_branches() {
    if (whole_) return true;
    for (std::size_t i : branch_switches_) {
        if (sliding_[i]) continue;
        const Switch& s = partition_.switches[i];
        const Slot slot = layout_.variable[s.crossing->index];
        const double found = main_[slot], value = main_[layout_.switches[i]];
        const bool agrees =
            s.node->op == Op::Sign ? found * value >= 0 : (found < 0) == (value != 0) || found == 0;
        if (agrees) continue;
        main_[slot] = -found;
        if (solve_sliding(main_, program_.continuous) && main_[slot] * found <= 0) continue;
        main_[slot] = found;
        main_.clear_error();
        if (!solve_sliding(main_, program_.continuous)) return false;
    }
    return true;
}

// Beyond a crossing that is not located yet the frozen switches may leave a loop without solution
// (sign(i)*i**2 = u for u < 0), or an expression without value (if h > 0 then sqrt(h) else 0); then the
// equations of the far side count, so that the crossing can be found.
bool Simulation::run_continuous() {
    equations_known_ = at_rates_ = false;
    const auto finite = [&] { return all_finite(rates_found()); };
    const bool ran = solve_sliding(main_, program_.continuous) && keep_branches();
    if (state_switches_.empty() || main_.error() || (ran && finite())) return ran;
    main_.set_live_switches(true);
    const bool solved = main_.run(program_.continuous);
    main_.set_live_switches(false);
    if (ran && !(solved && finite())) return main_.run(program_.continuous);
    return solved;
}

// What has been computed stands for the inputs as they are now: computing it again would change nothing.
void Simulation::note_equations() {
    if (!repeatable_ || !sliding_list_.empty() || !all_finite(rates_found())) return;
    inputs_then_.resize(inputs_.size());
    for (std::size_t k = 0; k < inputs_.size(); ++k) inputs_then_[k] = main_[inputs_[k]];
    inputs_time_ = time();
    equations_known_ = true;
}

bool Simulation::equations_known() const {
    if (!equations_known_ || inputs_time_ != time() || !sliding_list_.empty()) return false;
    for (std::size_t k = 0; k < inputs_.size(); ++k)
        if (inputs_then_[k] != main_[inputs_[k]]) return false;
    return true;
}

bool Simulation::evaluate() {
    loops_.set_robust(true);
    return (run_continuous() || run_section(program_.continuous)) && derivatives_finite();
}

bool Simulation::derivatives_finite() {
    if (all_finite(rates_found())) return true;
    for (std::size_t i = 0; i < layout_.derivative.size(); ++i) {
        if (std::isfinite(main_[layout_.derivative[i]])) continue;
        if (!report_not_finite(program_.continuous, time())) return false;
        return fail(run_messages::value_not_finite(model_, partition_.states[i], time()));
    }
    return true;
}

void Simulation::set_states(Interpreter& values, std::span<const double> x) {
    const std::size_t n = layout_.state.size();
    if (n > 0) std::copy_n(x.begin(), n, &values[layout_.state[0]]);
    for (std::size_t i = n; i < x.size(); ++i) values[residuals_.unknowns()[i - n]] = x[i];
}

void Simulation::read_states(std::vector<double>& x) const {
    const std::size_t n = layout_.state.size();
    x.resize(n + residuals_.unknowns().size());
    for (std::size_t i = 0; i < n; ++i) x[i] = main_[layout_.state[i]];
    for (std::size_t i = n; i < x.size(); ++i) x[i] = main_[residuals_.unknowns()[i - n]];
}

std::vector<double> Simulation::states() const {
    std::vector<double> x;
    read_states(x);
    return x;
}

// Whether main_ has these states.
bool Simulation::states_are(std::span<const double> x) const {
    const std::size_t n = layout_.state.size();
    if (n > 0 && !std::equal(x.begin(), x.begin() + n, &main_.values()[layout_.state[0]])) return false;
    for (std::size_t i = n; i < x.size(); ++i)
        if (main_[residuals_.unknowns()[i - n]] != x[i]) return false;
    return true;
}

// The value of switch i for the crossing values now in main_.
double Simulation::switch_value(std::size_t i) const {
    const Switch& s = partition_.switches[i];
    const double c = main_[layout_.crossings[i]] + offset_[i];
    if (const Op op = s.node->op; s.instant && (op == Op::Equal || op == Op::NotEqual) && is_forced(i))
        return forced_[i].value;
    if (s.instant) {
        const double instant = main_[layout_.instants[i]];
        if (std::isfinite(instant) && slope_[i] != 0) {
            const bool after = time() >= instant || same_instant(time(), instant);
            const double side = after ? slope_[i] : -slope_[i];
            if (s.node->op == Op::Sign) return side > 0 ? 1 : -1;
            return s.node->op == Op::NotEqual || (s.node->op != Op::Equal && side < 0);
        }
    }
    if (is_forced(i)) return forced_[i].value;
    switch (s.node->op) {
        case Op::Less:
            return c < 0;
        case Op::LessEqual:
            return c <= 0;
        case Op::Equal:
            return c == 0;
        case Op::NotEqual:
            return c != 0;
        case Op::Sign:
            return (c > 0) - (c < 0);
        default:
            return std::trunc(c);
    }
}

// Whether the crossing of switch i was located at this instant and has not moved since.
bool Simulation::is_forced(std::size_t i) const {
    if (!forced_.contains(i)) return false;
    const double c = main_[layout_.crossings[i]], located = forced_[i].crossing;
    return std::abs(c - located) <= 1e-10 * largest_crossing_[i] || c == located;
}

void Simulation::force(std::size_t i, double value) {
    const double c = main_[layout_.crossings[i]];
    forced_.set(i, {value, c});
    main_[layout_.switches[i]] = value;
    offset_[i] = 0;
    // A loop that has a solution on each side (sign(i)*i**2 = u) is to be solved on the side that counts now.
    const Switch& s = partition_.switches[i];
    if (std::find(branch_switches_.begin(), branch_switches_.end(), i) == branch_switches_.end()) return;
    const VariableIndex v = s.crossing->variable();
    const double size = 1e-3 * std::abs(model_.variables[v].nominal.value_or(1));
    const bool above = s.node->op == Op::Sign ? value > 0 : value == 0;
    main_[layout_.variable[v.value]] = above ? size : -size;
}

// `section`, without a message when it fails.
bool Simulation::run_quietly(const Section& section) {
    loops_.set_robust(true);
    main_.clear_error();
    return &section == &program_.continuous ? run_continuous() : solve_sliding(main_, section);
}

// Runs `section` and lists the switches whose values do not agree with it.
bool Simulation::list_disagreeing(const Section& section, std::vector<std::size_t>& changing, bool first) {
    changing.clear();
    const bool continuous = &section == &program_.continuous;
    if (!continuous || !equations_known()) {
        if (!run_quietly(section) || !main_.run(program_.crossings)) return false;
        if (continuous && leave_moved_surfaces() && (!run_quietly(section) || !main_.run(program_.crossings)))
            return false;
        if (continuous) note_equations();
    }
    if (first) measure_time_switches();
    const std::size_t n = switch_ops_.size();
    if (n == 0) return true;
    const double *present = &main_[layout_.switches[0]], *crossing = &main_[layout_.crossings[0]];
    // Most often none.
    if (all_simple_ && sliding_list_.empty()) {
        bool any = false;
        const double* offset = offset_.data();
        for (std::size_t i = 0; i < n; ++i) any |= (crossing[i] + offset[i] < 0) != (present[i] != 0);
        for (std::size_t i : forced_.list()) any |= switch_value(i) != present[i];
        if (!any) return true;
    }
    for (std::size_t i = 0; i < n; ++i) {
        // Most are relations far from where they switch.
        if (simple_[i] && !forced_.contains(i)) {
            if ((crossing[i] + offset_[i] < 0) != present[i] && !sliding_[i]) changing.push_back(i);
            continue;
        }
        if (sliding_[i]) continue;
        const double value = switch_value(i);
        if (value != present[i] && !std::isnan(value)) changing.push_back(i);
    }
    return true;
}

// Runs `section` until the switches have the values that it leads to. First all that disagree change
// together; when that goes round in circles a sign may balance in between, then only the first that disagrees
// changes (which ends for circuits of diodes and resistors: Murty's rule), and at last all combinations of a
// few are tried, those nearest to the present one first.
Simulation::Settling Simulation::settle_quietly(const Section& section, std::vector<std::size_t>& involved) {
    constexpr int together = 16, singly = 200;
    constexpr std::size_t most_searched = 10;
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
    std::vector<double>& before = switches_at_entry_;
    before.resize(layout_.switches.size());
    if (!before.empty()) std::copy_n(&main_[layout_.switches[0]], before.size(), before.begin());
    bool failed = false;
    for (int iteration = 0; iteration < together + singly && !failed;) {
        failed = !list_disagreeing(section, changing, iteration == 0);
        if (failed || main_.error()) break;
        if (changing.empty()) return Settling::Done;
        // A chain of relays settles one after the other: only what changes again goes round in circles.
        const bool chain = iteration > together / 2 && involve();
        if (iteration == together && !chain) {
            bool balanced = false;
            for (std::size_t i : involved)
                if (is_sign(i) && !partition_.switches[i].instant && !sliding_[i]) {
                    begin_sliding(i, 0, true);
                    balanced = true;
                }
            if (balanced) {
                ++iteration;
                continue;
            }
        }
        for (std::size_t i : changing) {
            const double value = switch_value(i);
            main_[layout_.switches[i]] = value;
            if (iteration >= together) break;
        }
        if (!chain) ++iteration;
    }
    if (!main_.error()) {
        if (failed) {
            involve();
            std::vector<std::size_t> all = state_switches_;
            std::erase_if(all, [&](std::size_t i) { return partition_.switches[i].kink; });
            if (all.size() <= most_searched) involved = all;
        }
        if (!involved.empty() && involved.size() <= most_searched && search_switches(section, involved))
            return Settling::Done;
    }
    for (std::size_t i = 0; i < before.size(); ++i) main_[layout_.switches[i]] = before[i];
    return failed || main_.error() ? Settling::Failed : Settling::Cycle;
}

bool Simulation::settle_switches(const Section& section) {
    std::vector<std::size_t> involved;
    const bool continuous = &section == &program_.continuous;
    Settling settling = settle_quietly(section, involved);
    if (continuous && settling != Settling::Done && !main_.error() && search_lasting())
        settling = Settling::Done;
    if (continuous && modes_ && settling != Settling::Done) return false;  // another mode may help
    switch (settling) {
        case Settling::Done:
            return !continuous || (settle_for_good() && derivatives_finite());
        case Settling::Failed:  // once more, with a message
            if (main_.error()) return run_section(section);
            return (continuous ? evaluate() : run_section(section)) && run_section(program_.crossings);
        case Settling::Cycle:
            break;
    }
    return report_cycle(involved);
}

bool Simulation::report_cycle(const std::vector<std::size_t>& involved) {
    std::vector<const Switch*> cycle;
    for (std::size_t i : involved) cycle.push_back(&partition_.switches[i]);
    return fail(run_messages::switches_do_not_settle(model_, cycle, time()));
}

// Tries all combinations of true and false, -1 and 1, of the switches `involved`.
bool Simulation::search_switches(const Section& section, const std::vector<std::size_t>& involved) {
    const std::size_t n = involved.size();
    std::vector<double> present;
    for (std::size_t i : involved) {
        if (sliding_[i] || partition_.switches[i].node->op == Op::Truncate) return false;
        present.push_back(main_[layout_.switches[i]]);
    }
    equations_known_ = false;
    const std::vector<double> values(main_.values().begin(), main_.values().end());
    std::vector<std::size_t> changing;
    for (std::size_t flips = 1; flips <= n; ++flips)
        for (unsigned mask = 1; mask < 1u << n; ++mask) {
            if (static_cast<std::size_t>(std::popcount(mask)) != flips) continue;
            for (std::size_t slot = 0; slot < values.size(); ++slot)
                main_[static_cast<Slot>(slot)] = values[slot];
            for (std::size_t k = 0; k < n; ++k) {
                double value = present[k];
                if ((mask >> k) & 1) value = is_sign(involved[k]) ? (value > 0 ? -1 : 1) : value == 0;
                main_[layout_.switches[involved[k]]] = value;
            }
            if (list_disagreeing(section, changing) && changing.empty()) return true;
        }
    return false;
}

// Whether the crossing of switch i is at zero as far as can be told: its side is decided by where it moves.
bool Simulation::near_surface(std::size_t i) const {
    if (sliding_[i] || muted_[i] || partition_.switches[i].kink) return false;
    const Op op = partition_.switches[i].node->op;
    if (op != Op::Less && op != Op::LessEqual && op != Op::Sign) return false;
    return is_forced(i) || std::abs(main_[layout_.crossings[i]]) <= 1e-9 * largest_crossing_[i] + 1e-13;
}

// Whether the switches, as they are now, go on to agree with the equations beyond this instant: a few short
// Euler steps tell. At the instant itself ideal diodes in parallel may all conduct, or all block.
bool Simulation::lasts() {
    const double span = options_.stop - options_.start;
    // Where something is much faster than the first distance the second one tells, if it tells clearly.
    return lasts(1e-7 * span, false) || lasts(1e-10 * span, true);
}

bool Simulation::lasts(double distance, bool clearly) {
    constexpr int steps = 4;
    std::vector<std::size_t> near;
    for (std::size_t i : loop_switches_)
        if (near_surface(i)) near.push_back(i);
    Interpreter ahead = main_;
    const std::vector<double> weights = weights_;
    bool good = true;
    for (int step = 0; step < steps && good; ++step) {
        ahead[layout_.time] += distance;
        for (std::size_t k = 0; k < layout_.state.size(); ++k)
            ahead[layout_.state[k]] += distance * ahead[layout_.derivative[k]];
        good = solve_sliding(ahead, program_.continuous) && finite(ahead);
    }
    weights_ = weights;
    if (!good || !ahead.run(program_.crossings)) return false;
    for (std::size_t i : near) {
        const double c = ahead[layout_.crossings[i]], value = main_[layout_.switches[i]];
        if (clearly &&
            std::abs(c) <= 10 * std::abs(main_[layout_.crossings[i]]) + 1e-14 * largest_crossing_[i])
            return false;
        if (c == 0) continue;
        if (is_sign(i) ? c * value < 0 : (c < 0) != (value != 0)) return false;
    }
    return std::all_of(switched_loops_.begin(), switched_loops_.end(),
                       [&](std::size_t loop) { return loops_.regular(program_.loops[loop], ahead); });
}

bool Simulation::finite(const Interpreter& values) const {
    return std::all_of(layout_.derivative.begin(), layout_.derivative.end(),
                       [&](Slot slot) { return std::isfinite(values[slot]); }) &&
           std::all_of(unknown_slots_.begin(), unknown_slots_.end(),
                       [&](Slot slot) { return std::isfinite(values[slot]); });
}

// After the switches agree with the equations at this instant: where some of a loop are at their surfaces, or
// the loop does not determine its unknowns, they may have to take other values, that last. Where none do
// another mode may help; else they stay.
bool Simulation::settle_for_good() {
    if (std::none_of(loop_switches_.begin(), loop_switches_.end(),
                     [&](std::size_t i) { return near_surface(i); }) &&
        std::all_of(switched_loops_.begin(), switched_loops_.end(),
                    [&](std::size_t loop) { return loops_.regular(program_.loops[loop], main_); }))
        return true;
    if (lasts()) return true;
    const Interpreter settled = main_;
    if (search_lasting()) return true;
    if (modes_) return false;
    main_ = settled;
    equations_known_ = false;
    return true;
}

// Looks for values of the switches that agree with the equations and go on to do so, with few changes first,
// and those of switches at their surfaces before others. A combination in which the equations do not
// determine their unknowns is passed over.
bool Simulation::search_lasting() {
    constexpr std::size_t most_tried = 5000;
    if (loop_switches_.empty()) return false;
    std::vector<std::size_t> order;
    for (const bool near : {true, false})
        for (std::size_t i : loop_switches_)
            if (!sliding_[i] && near_surface(i) == near) order.push_back(i);
    const std::size_t n = order.size();
    equations_known_ = false;
    const std::vector<double> values(main_.values().begin(), main_.values().end());
    const auto agrees = [&] {
        loops_.set_robust(true);
        main_.clear_error();
        if (!solve_sliding(main_, program_.continuous) || !finite(main_) || !main_.run(program_.crossings))
            return false;
        for (std::size_t i : state_switches_) {
            if (sliding_[i] || near_surface(i) || muted_[i] || partition_.switches[i].kink) continue;
            const double value = switch_value(i);
            if (value != main_[layout_.switches[i]] && !std::isnan(value)) return false;
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
                main_[static_cast<Slot>(slot)] = values[slot];
            for (std::size_t k : flipped) {
                double& value = main_[layout_.switches[order[k]]];
                value = is_sign(order[k]) ? (value > 0 ? -1 : 1) : value == 0;
            }
            if (agrees()) {
                for (std::size_t i : loop_switches_) {
                    if (!near_surface(i)) continue;
                    const double c = main_[layout_.crossings[i]], value = main_[layout_.switches[i]];
                    forced_.set(i, {value, c});
                    const bool opposite = is_sign(i) ? c * value < 0 : (c < 0) != (value != 0);
                    offset_[i] = opposite ? -c : 0;
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

// A switch of a loop, or one that depends on the solution of a loop, whose crossing is zero but for rounding
// has the value that lasts; it is to leave from that side, by more than the loop's solutions differ from one
// evaluation to the next, lest it fires back at once.
void Simulation::settle_on_sides() {
    for (std::size_t i : uncertain_switches_) {
        if (!near_surface(i)) continue;
        const double c = main_[layout_.crossings[i]], value = main_[layout_.switches[i]];
        if (is_sign(i) && value == 0) continue;
        const double side = is_sign(i) ? value : value != 0 ? -1 : 1;
        const double least = std::max(std::abs(c), 1e-13 * largest_crossing_[i] + 1e-13);
        if (c * side < least) offset_[i] = side * least - c;
    }
}

// A second place to compute, with the values of main_.
Interpreter& Simulation::probe() {
    if (!probe_)
        probe_ = std::make_unique<Interpreter>(main_);
    else
        probe_->take_values(main_);
    return *probe_;
}

// A time switch's crossing is linear in time, with coefficients that only events change; its slope tells the
// value on either side of its instant.
void Simulation::measure_time_switches() {
    if (time_switches_.empty()) return;
    bool known = slopes_known_;
    for (std::size_t k = 0; k < discrete_inputs_.size() && known; ++k)
        known = measured_for_[k] == main_[discrete_inputs_[k]];
    if (known) return;
    measured_for_.clear();
    slopes_known_ = false;
    Interpreter& ahead = probe();
    ahead[layout_.time] = time() + 1;
    if (!ahead.run(program_.crossings)) return;
    for (std::size_t i : time_switches_)
        slope_[i] = ahead[layout_.crossings[i]] - main_[layout_.crossings[i]];
    for (Slot slot : discrete_inputs_) measured_for_.push_back(main_[slot]);
    slopes_known_ = true;
}

// A relation whose two sides are exactly equal takes the side that they
// move to: a few short Euler steps tell which.
bool Simulation::look_ahead() {
    std::vector<std::size_t> open;
    for (std::size_t i : state_switches_) {
        const double c = main_[layout_.crossings[i]];
        const Op op = switch_ops_[i];
        if (c != 0 && op != Op::Truncate) continue;
        if ((op == Op::Less || op == Op::LessEqual) && !sliding_[i] &&
            std::find(decided_.begin(), decided_.end(), i) == decided_.end())
            open.push_back(i);
        else if (op == Op::Truncate && c != 0 && c == std::trunc(c) && c == main_[layout_.switches[i]])
            open.push_back(i);  // int(x) at a whole number that it may be about to leave downward
    }
    if (open.empty()) return true;
    Interpreter probe = main_;
    const double h = 1e-8 * (options_.stop - options_.start);
    bool changed = false;
    std::vector<std::size_t> turned;
    for (int step = 0; step < 4 && !open.empty(); ++step) {
        probe[layout_.time] += h;
        for (std::size_t k = 0; k < layout_.state.size(); ++k)
            probe[layout_.state[k]] += h * probe[layout_.derivative[k]];
        if (!probe.run(program_.continuous) || !probe.run(program_.crossings)) break;
        std::erase_if(open, [&](std::size_t i) {
            const double c = probe[layout_.crossings[i]];
            if (partition_.switches[i].node->op == Op::Truncate) {
                const double whole = main_[layout_.crossings[i]];
                if (c == whole || std::isnan(c)) return false;
                if (std::abs(c) > std::abs(whole)) return true;
                main_[layout_.switches[i]] = whole > 0 ? whole - 1 : whole + 1;
                forced_.set(i, {main_[layout_.switches[i]], whole});
                changed = true;
                return true;
            }
            if (c == 0 || std::isnan(c)) return false;
            if ((main_[layout_.switches[i]] != 0) != (c < 0)) turned.push_back(i);
            changed |= main_[layout_.switches[i]] != (c < 0);
            main_[layout_.switches[i]] = c < 0;
            return true;
        });
    }
    if (!changed) return true;
    for (std::size_t i : turned) forced_.set(i, {main_[layout_.switches[i]], main_[layout_.crossings[i]]});
    if (!evaluate() || !run_section(program_.crossings)) return false;
    // On that side the equations must not drive it back: then it would switch without end.
    std::vector<const Switch*> driven_back;
    Interpreter after = main_;
    after[layout_.time] += h;
    for (std::size_t k = 0; k < layout_.state.size(); ++k)
        after[layout_.state[k]] += h * after[layout_.derivative[k]];
    if (after.run(program_.continuous) && after.run(program_.crossings))
        for (std::size_t i : turned)
            if (const double c = after[layout_.crossings[i]];
                c != 0 && !std::isnan(c) && (c < 0) != (main_[layout_.switches[i]] != 0))
                driven_back.push_back(&partition_.switches[i]);
    return driven_back.empty() || fail(run_messages::switches_do_not_settle(model_, driven_back, time()));
}

}  // namespace cutset
