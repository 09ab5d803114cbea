// Crossing functions of state events within a step: what the integrator is told of them, and what it may
// not have seen.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "base/finite.h"
#include "run/simulation.h"

namespace cutset {

namespace {
constexpr std::size_t most_places = 10;  // looked at in one step
}  // namespace

// What the switches ask of their crossings from here on.
void Simulation::watch_crossings() {
    watch_.resize(state_switches_.size());
    at_crossings_ = false;
    if (state_switches_.empty()) return;
    const double* values = &main_[layout_.switches[0]];
    Slot* const slots = watch_.slots.data();
    double *const offsets = watch_.offsets.data(), *const senses = watch_.senses.data();
    for (std::size_t k = 0; k < state_switches_.size(); ++k) {
        const std::size_t i = state_switches_[k];
        const double value = values[i], offset = offset_[i];
        slots[k] = layout_.crossings[i];
        offsets[k] = offset;
        if (offset != 0) {
            watch_.offset_list.push_back(k);
            watch_.left_at[k] = never;
        }
        if (simple_[i] && !muted_[i] && !sliding_[i]) {
            senses[k] = value != 0 ? -1 : 1;
            continue;
        }
        const Op op = switch_ops_[i];
        double sense = 0;
        if (op == Op::Less || op == Op::LessEqual)
            sense = value != 0 ? -1 : 1;
        else if (op == Op::Sign)
            sense = value;
        const bool plain =
            !muted_[i] && !sliding_[i] && op != Op::Truncate && !(op == Op::Sign && value == 0);
        if (!plain) watch_.special.push_back(k);
        senses[k] = plain ? sense : 0;
    }
    watch_.read(main_.values());
}

// The crossing functions at a point of the step, in main_ and in watch_.
bool Simulation::try_crossings(double t, std::span<const double> x) {
    at_crossings_ = false;
    if (plain() && try_rates(program_.surfaces, t, x)) {
        watch_.read(main_.values());
        if (all_finite(watch_.now)) return true;
    }
    if (equations_for_crossings_ || !sliding_list_.empty()) {
        if (!try_continuous(t, x)) return false;
    } else {
        main_[layout_.time] = t;
        set_states(main_, x);
        main_.clear_error();
    }
    if (!main_.run(program_.crossings)) return false;
    watch_.read(main_.values());
    return true;
}

int Simulation::crossings(double t, std::span<const double> x, std::span<double> g) {
    if (!try_crossings(t, x)) {
        bad_time_ = t;
        bad_states_.assign(x.begin(), x.end());
        return 1;
    }
    at_crossings_ = true;
    watch_.write(t, g);
    for (std::size_t k : watch_.special) {
        const std::size_t i = state_switches_[k];
        if (muted_[i]) {
            g[k] = 1;
        } else if (sliding_[i]) {
            g[k] = sliding_margin(i);
        } else if (switch_ops_[i] == Op::Truncate) {
            const double n = main_[layout_.switches[i]];
            const double low = n > 0 ? n : n - 1, high = n < 0 ? n : n + 1;
            g[k] = (g[k] - low) * (high - g[k]);
        }
    }
    return 0;
}

// A switch whose crossing was passed without being located: it was exactly zero at a restart, or crossed
// twice in one step. Those with a root in `located` are known.
std::optional<std::size_t> Simulation::disagreeing_switch(std::span<const int> located) {
    if (watch_.opposed())
        for (std::size_t k = 0; k < watch_.now.size(); ++k)
            if ((watch_.now[k] + watch_.offsets[k]) * watch_.senses[k] < 0 &&
                (located.empty() || located[k] == 0))
                return state_switches_[k];
    for (std::size_t k : watch_.special) {
        const std::size_t i = state_switches_[k];
        if (muted_[i] || (!located.empty() && located[k] != 0)) continue;
        if (sliding_[i]) {
            if (sliding_margin(i) < -1e-9) return i;
            continue;
        }
        const double c = watch_.now[k] + watch_.offsets[k], value = main_[layout_.switches[i]];
        const Op op = switch_ops_[i];
        if (op == Op::Sign && c != 0) return i;
        if (op == Op::Truncate && std::abs(c - std::trunc(c)) > 1e-9 && std::trunc(c) != value) return i;
    }
    return std::nullopt;
}

// The earliest time in (from, to] at which the switches no longer agree with the values, on the integrator's
// interpolant; the states there go to `x`. At `to` they do not agree.
double Simulation::locate_disagreement(Integrator& integrator, double from, double to,
                                       std::vector<double>& x) {
    std::vector<double> trial(x.size());
    double good = from, bad = to;
    for (int i = 0; i < 60 && !same_instant(good, bad); ++i) {
        // Most often it is where the step begins: a relation that has acted turns back.
        const double soon = good + 1e-13 * std::max(std::abs(good), std::abs(bad));
        const double middle = i == 0 && soon > good && soon < bad ? soon : good + (bad - good) / 2;
        integrator.interpolate(middle, trial);
        if (!try_crossings(middle, trial)) break;
        if (disagreeing_switch({})) {
            bad = middle;
            x = trial;
        } else {
            good = middle;
        }
    }
    return bad;
}

// The usual case of what follows: three values of each crossing show that there is nothing to be found.
bool Simulation::nothing_is_missed(Integrator& integrator, const StepResult& step, double reached,
                                   const std::vector<double>& x) {
    std::vector<double>&begin = crossings_begin_, &middle = crossings_middle_, &last = crossings_end_;
    if (!at_crossings_ || !watch_.special.empty() || begin.size() != watch_.now.size() || time() != reached ||
        !states_are(x))
        return false;
    last.resize(watch_.now.size());
    std::swap(last, watch_.now);
    inside_.resize(x.size());
    integrator.interpolate(step.from + (reached - step.from) * 0.5, inside_);
    if (!try_crossings(step.from + (reached - step.from) * 0.5, inside_)) return false;
    const CrossingWatch::Seen seen = watch_.see(begin, last);
    if (seen.opposed_in_middle) return false;
    if (seen.opposed_at_end) {
        if (step.roots.empty()) return false;
        for (std::size_t k = 0; k < last.size(); ++k)
            if ((last[k] + watch_.offsets[k]) * watch_.senses[k] < 0 && step.roots[k] == 0) return false;
    }
    if (seen.bends) {
        middle = watch_.now;
        places_.clear();
        find_places();
        if (!places_.empty()) return false;
    }
    std::swap(begin, last);
    forget_offsets();
    return true;
}

// Rounding at a surface that was left is no concern of the next time that it is reached.
void Simulation::forget_offsets() {
    std::erase_if(watch_.offset_list, [&](std::size_t k) {
        if (std::abs(crossings_begin_[k]) <= 1e3 * std::abs(watch_.offsets[k])) return false;
        offset_[state_switches_[k]] = watch_.offsets[k] = 0;
        return true;
    });
}

// Looks for a crossing that the ends of the step do not show: in its middle and at its end; at quarters and
// at the extreme too when a parabola through the values of a crossing comes near zero. When there is one,
// `reached` and `x` move back to it.
bool Simulation::find_missed_crossing(Integrator& integrator, const StepResult& step, double& reached,
                                      std::vector<double>& x) {
    if (nothing_is_missed(integrator, step, reached, x)) return false;
    std::vector<double>&begin = crossings_begin_, &middle = crossings_middle_, &last = crossings_end_;
    const double from = step.from, end = reached;
    // The integrator has most often looked at the end just now.
    bool known = at_crossings_ && time() == end && states_are(x);
    std::optional<std::size_t> end_differs;
    const auto look_at_end = [&] {
        watch_.note_sizes();
        end_differs = disagreeing_switch(step.roots);
        std::swap(last, watch_.now);
        watch_.now.resize(last.size());
    };
    if (known) look_at_end();

    bool middle_known = false;
    inside_.resize(x.size());
    const auto differs = [&](double t, double before) {
        integrator.interpolate(t, inside_);
        if (!try_crossings(t, inside_)) return false;
        middle_known = true;
        watch_.note_sizes();
        const auto i = disagreeing_switch({});
        if (!i) return false;
        last_fired_ = *i;
        x = inside_;
        reached = locate_disagreement(integrator, before, t, x);
        return true;
    };
    const double half = from + (end - from) * 0.5;
    if (differs(half, from)) return true;
    std::swap(middle, watch_.now);
    watch_.now.resize(middle.size());
    if (!known && try_crossings(end, x)) {
        known = true;
        look_at_end();
    }
    if (end_differs) {
        last_fired_ = *end_differs;
        reached = locate_disagreement(integrator, half, end, x);
        return true;
    }
    // Where else to look: at quarters, and where a parabola has its extreme, if that is near zero.
    places_.clear();
    if (begin.size() != watch_.now.size())
        places_ = {0.25, 0.75};
    else if (known && middle_known && watch_.bends(begin, middle, last))
        find_places();
    double before = from;
    for (double part : places_) {
        if (part > 0.5) before = std::max(before, half);
        const double t = from + (end - from) * part;
        if (differs(t, before)) return true;
        before = t;
    }
    if (!known) {
        begin.clear();
        return false;
    }
    std::swap(begin, last);
    forget_offsets();
    return false;
}

// Parts of the step near which a crossing may touch zero, in order.
void Simulation::find_places() {
    for (std::size_t k = 0; k < watch_.now.size(); ++k) {
        const std::size_t i = state_switches_[k];
        if (muted_[i] || sliding_[i]) continue;
        // c0 + b*s + a*s^2 for s from 0 to 1
        const double c0 = crossings_begin_[k], c1 = crossings_end_[k], in_middle = crossings_middle_[k];
        const double a = 2 * (c0 + c1 - 2 * in_middle), b = c1 - c0 - a;
        const double place = -b / (2 * a);
        if (a == 0 || !(place > 0) || !(place < 1)) continue;
        const double extreme = c0 - b * b / (4 * a);
        if (std::abs(extreme) > 0.125 * std::abs(a) && extreme * in_middle > 0) continue;
        if (places_.empty()) places_ = {0.25, 0.75};
        if (places_.size() < most_places) places_.push_back(place);
    }
    std::sort(places_.begin(), places_.end());
}

// The sizes met since the last event, for those who judge by them.
void Simulation::note_sizes() {
    for (std::size_t k = 0; k < watch_.largest.size(); ++k) {
        const std::size_t i = state_switches_[k];
        const double size = watch_.largest[k];
        largest_crossing_[i] = std::max(largest_crossing_[i], size);
        peaks_[2 * i] = std::max(peaks_[2 * i], size);
        peaks_[2 * i + 1] = std::max(peaks_[2 * i + 1], size);
    }
    std::fill(watch_.largest.begin(), watch_.largest.end(), 0.0);
}

// The switches whose crossing functions have a root get the values they have beyond it.
void Simulation::force_switches(std::span<const int> roots) {
    for (std::size_t k = 0; k < state_switches_.size(); ++k) {
        if (roots[k] == 0) continue;
        const std::size_t i = state_switches_[k];
        const double c = main_[layout_.crossings[i]];
        const double n = main_[layout_.switches[i]];
        last_fired_ = i;
        fired_now_.push_back(i);
        if (sliding_[i]) {
            end_sliding(i);
            continue;
        }
        double value = 0;
        switch (switch_ops_[i]) {
            case Op::Sign:
                value = roots[k];
                break;
            case Op::Less:
            case Op::LessEqual:
                value = roots[k] < 0;
                break;
            case Op::Equal:
                value = 1;
                break;
            case Op::NotEqual:
                value = 0;
                break;
            default:  // Truncate: the interval above or below
                value = c - n > (n > 0 ? 0.5 : n < 0 ? -0.5 : 0) ? n + 1 : n - 1;
                break;
        }
        force(i, value);
    }
}

// The same for those that disagree with their crossings at the time that was located.
void Simulation::force_missed() {
    for (std::size_t i : state_switches_) {
        if (sliding_[i] || muted_[i]) continue;
        const Op op = partition_.switches[i].node->op;
        const double c = main_[layout_.crossings[i]], value = main_[layout_.switches[i]];
        if (op == Op::Sign && c != 0 && c * value <= 0)
            force(i, c > 0 ? 1 : -1);
        else if ((op == Op::Less || op == Op::LessEqual) && c != 0 && (c < 0) != (value != 0))
            force(i, c < 0);
        else
            continue;
        fired_now_.push_back(i);
    }
}

}  // namespace cutset
