#include "run/event_iteration.h"

#include <algorithm>
#include <string>
#include <utility>
#include <vector>

namespace cutset {

namespace {

constexpr int most_undecided = 5;  // rounds

}  // namespace

bool EventIteration::run() {
    times_.tick();
    force_equalities();
    times_.pass_delayed_jumps();
    whens_.keep_values_before();
    return iterate();
}

bool EventIteration::run_after_start() {
    times_.tick();
    return run_on_entry();
}

bool EventIteration::run_on_entry() {
    force_equalities();
    times_.pass_delayed_jumps();
    return iterate();
}

bool EventIteration::iterate() {
    struct Forget {
        bool& known;
        ~Forget() { known = false; }
    } forget{now_.equations_known};
    sides_.set_decided({});
    for (int round = 0;; ++round) {
        if (!whens_.run()) return false;
        if (whens_.leaving()) return true;
        times_.clear_ticks();
        now_.values[now_.layout.starting] = now_.values[now_.layout.ending] = 0;
        if (has_equalities()) {  // what follows from their end happens after what they did
            if (!now_.run_section(now_.program.conditions)) return false;
            whens_.hold_conditions();
            end_equalities();
            continue;
        }
        if (!equations_.known()) {
            if (!equations_.evaluate() || !now_.run_section(now_.program.crossings)) return false;
            equations_.note();
        }
        if (!now_.run_section(now_.program.conditions)) return false;
        whens_.hold_conditions();
        bool agreed = true;
        if (!take_sides(agreed) || !now_.run_section(now_.program.conditions)) return false;
        // A condition that becomes true on the way out of this instant acts here too.
        const auto fresh = whens_.fresh();
        if (!fresh && agreed && !whens_.discrete_differs()) break;
        if (!agreed && round == most_undecided) hold_equal_sides();
        if (round < most_iterations) continue;
        if (!fresh && agreed) return whens_.report_discrete_cycle();
        return fresh ? whens_.report_no_end({*fresh}) : settling_.report_disagreement();
    }
    whens_.hold_conditions();
    if (!now_.layout.switches.empty())
        std::copy_n(&now_.values[now_.layout.switches[0]], now_.layout.switches.size(),
                    &now_.values[now_.layout.switches_before[0]]);
    switches_.settle_on_sides();
    now_.state.switches.forced.clear();
    ranges_.check_validity();
    return true;
}

// `agreed`: no other condition has another value because of that.
bool EventIteration::take_sides(bool& agreed) {
    const std::size_t n = now_.layout.switches.size();
    before_sides_.resize(n);
    for (std::size_t i = 0; i < n; ++i) before_sides_[i] = now_.condition(i);
    if (!sides_.decide() || !sides_.look_ahead()) return false;
    bool changed = false;
    for (std::size_t i = 0; i < n; ++i) changed |= before_sides_[i] != now_.condition(i);
    agreed = !changed || settling_.agrees();
    return true;
}

// Where two sides that are equal but for rounding decide to and fro, a relation has its value between equals,
// and leaves from there.
void EventIteration::hold_equal_sides() {
    std::vector<std::size_t> held;
    for (std::size_t i : settling_.disagreeing()) {
        if (!switches_.near_zero(i)) continue;
        now_.state.switches.forced.erase(i);
        if (is_relation(structure_.ops[i])) now_.condition(i) = value_at_zero(structure_.ops[i]);
        switches_.settle_on_side(i);
        held.push_back(i);
    }
    sides_.set_decided(std::move(held));
}

// time = 2 holds at that instant.
void EventIteration::force_equalities() {
    for (std::size_t i : structure_.time) {
        const Op op = structure_.ops[i];
        if ((op != Op::Equal && op != Op::NotEqual) || now_.values[now_.layout.starting] != 0 ||
            !same_instant(now_.values[now_.layout.instants[i]], now_.time()))
            continue;
        now_.condition(i) = op == Op::Equal;
        now_.state.switches.forced.set(i, {now_.condition(i), now_.crossing(i)});
    }
}

// … and for an instant only, unless what is compared stays equal.
bool EventIteration::ends(std::size_t i) const {
    const Op op = structure_.ops[i];
    return (op == Op::Equal || op == Op::NotEqual) && is_held_equal(op, now_.condition(i)) &&
           (now_.crossing(i) != 0 || now_.partition.switches[i].instant);
}

bool EventIteration::has_equalities() const {
    const auto forced = now_.state.switches.forced.list();
    return std::any_of(forced.begin(), forced.end(), [&](std::size_t i) { return ends(i); });
}

void EventIteration::end_equalities() {
    for (std::size_t i : now_.state.switches.forced.list())
        if (ends(i)) {
            now_.condition(i) = structure_.ops[i] == Op::NotEqual;
            now_.state.switches.forced.set(i, {now_.condition(i), now_.crossing(i)});
        }
}

}  // namespace cutset
