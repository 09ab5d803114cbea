#include "run/zero_crossings.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/finite.h"
#include "run/step_limit.h"

namespace cutset {

namespace {
constexpr std::size_t most_places = 10;  // looked at in one step
}  // namespace

ZeroCrossings::ZeroCrossings(Instant& now, const SwitchStructure& structure, Sliding& sliding,
                             Switches& switches, RightHandSide& rhs)
    : now_(now),
      structure_(structure),
      sliding_(sliding),
      switches_(switches),
      rhs_(rhs),
      need_equations_(crossings_need_equations(now.partition)) {}

void ZeroCrossings::watch() {
    watch_.resize(structure_.state.size());
    now_.at_crossings = false;
    if (structure_.state.empty()) return;
    const double* values = &now_.values[now_.layout.switches[0]];
    Slot* const slots = watch_.slots.data();
    double *const offsets = watch_.offsets.data(), *const senses = watch_.senses.data();
    for (std::size_t k = 0; k < structure_.state.size(); ++k) {
        const std::size_t i = structure_.state[k];
        const double value = values[i], offset = now_.state.switches.offset[i];
        slots[k] = now_.layout.crossings[i];
        offsets[k] = offset;
        if (offset != 0) {
            watch_.offset_list.push_back(k);
            watch_.left_at[k] = never;
        }
        if (structure_.simple[i] && !now_.state.switches.muted[i] && !sliding_.holds(i)) {
            senses[k] = value != 0 ? -1 : 1;
            continue;
        }
        const Op op = structure_.ops[i];
        double sense = 0;
        if (op == Op::Less || op == Op::LessEqual)
            sense = value != 0 ? -1 : 1;
        else if (op == Op::Sign)
            sense = value;
        const bool plain =
            !now_.state.switches.muted[i] && !sliding_.holds(i) && !is_whole(op) && !is_held_equal(op, value);
        if (!plain) watch_.special.push_back(k);
        senses[k] = plain ? sense : 0;
    }
    watch_.read(now_.values.values());
}

// The functions at a point of the step, in the values and in watch_.
bool ZeroCrossings::evaluate(double t, std::span<const double> x) {
    now_.at_crossings = false;
    if (rhs_.plain() && rhs_.try_section(now_.program.event_indicators, t, x)) {
        watch_.read(now_.values.values());
        if (all_finite(watch_.now)) return true;
    }
    if (need_equations_ || !sliding_.empty()) {
        if (!rhs_.try_continuous(t, x)) return false;
    } else {
        now_.values[now_.layout.time] = t;
        now_.set_states(x);
        now_.values.clear_error();
    }
    if (!now_.values.run(now_.program.crossings)) return false;
    watch_.read(now_.values.values());
    return true;
}

int ZeroCrossings::functions(double t, std::span<const double> x, std::span<double> g) {
    if (!evaluate(t, x)) {
        rhs_.note_bad(t, x);
        return 1;
    }
    now_.at_crossings = true;
    watch_.write(t, g);
    for (std::size_t k : watch_.special) {
        const std::size_t i = structure_.state[k];
        if (now_.state.switches.muted[i]) {
            g[k] = 1;
        } else if (sliding_.holds(i)) {
            g[k] = sliding_.margin(i);
        } else if (is_whole(structure_.ops[i])) {
            const WholePiece piece = piece_of(structure_.ops[i], now_.condition(i));
            g[k] = (g[k] - piece.low) * (piece.high - g[k]);
        }
    }
    return 0;
}

// A condition whose zero crossing was passed without being located: it was zero at a restart, or crossed
// twice in one step. Those with a root in `located` are known.
std::optional<std::size_t> ZeroCrossings::disagreeing(std::span<const int> located) {
    if (watch_.opposed())
        for (std::size_t k = 0; k < watch_.now.size(); ++k)
            if ((watch_.now[k] + watch_.offsets[k]) * watch_.senses[k] < 0 &&
                (located.empty() || located[k] == 0))
                return structure_.state[k];
    for (std::size_t k : watch_.special) {
        const std::size_t i = structure_.state[k];
        if (now_.state.switches.muted[i] || (!located.empty() && located[k] != 0)) continue;
        if (sliding_.holds(i)) {
            if (sliding_.margin(i) < -1e-9) return i;
            continue;
        }
        const double c = watch_.now[k], value = now_.condition(i);
        const Op op = structure_.ops[i];
        if (!is_whole(op) && std::abs(c) > std::abs(watch_.offsets[k]))
            return i;  // what was equal has parted
        // Outside of the numbers that are cut to the same, by more than rounding.
        if (is_whole(op)) {
            const WholePiece piece = piece_of(op, value);
            const double least = 1e-9 + 1e-15 * std::abs(c);
            if (c > piece.high + least || c < piece.low - least) return i;
        }
    }
    return std::nullopt;
}

// The earliest time in (from, to] at which the conditions no longer agree with the values, on the
// integrator's interpolant; the states there go to `x`. At `to` they do not agree.
double ZeroCrossings::locate_disagreement(Integrator& integrator, double from, double to,
                                          std::vector<double>& x) {
    std::vector<double> trial(x.size());
    double good = from, bad = to;
    for (int i = 0; i < 60 && !same_instant(good, bad); ++i) {
        // Most often it is where the step begins: a relation that has acted turns back.
        const double soon = good + 1e-13 * std::max(std::abs(good), std::abs(bad));
        const double middle = i == 0 && soon > good && soon < bad ? soon : good + (bad - good) / 2;
        integrator.interpolate(middle, trial);
        if (!evaluate(middle, trial)) break;
        if (disagreeing({})) {
            bad = middle;
            x = trial;
        } else {
            good = middle;
        }
    }
    return bad;
}

// The usual case of what follows: three values of each function show that there is nothing to be found.
bool ZeroCrossings::nothing_is_missed(Integrator& integrator, const StepResult& step, double reached,
                                      const std::vector<double>& x) {
    std::vector<double>&begin = begin_, &middle = middle_, &last = end_;
    if (!now_.at_crossings || !watch_.special.empty() || begin.size() != watch_.now.size() ||
        now_.time() != reached || !now_.states_are(x))
        return false;
    last.resize(watch_.now.size());
    std::swap(last, watch_.now);
    inside_.resize(x.size());
    integrator.interpolate(step.from + (reached - step.from) * 0.5, inside_);
    if (!evaluate(step.from + (reached - step.from) * 0.5, inside_)) return false;
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

// Rounding at a zero that was left does not count the next time that it is reached.
void ZeroCrossings::forget_offsets() {
    std::erase_if(watch_.offset_list, [&](std::size_t k) {
        if (std::abs(begin_[k]) <= 1e3 * std::abs(watch_.offsets[k])) return false;
        now_.state.switches.offset[structure_.state[k]] = watch_.offsets[k] = 0;
        return true;
    });
}

bool ZeroCrossings::find_missed(Integrator& integrator, const StepResult& step, double& reached,
                                std::vector<double>& x) {
    if (nothing_is_missed(integrator, step, reached, x)) return false;
    std::vector<double>&begin = begin_, &middle = middle_, &last = end_;
    const double from = step.from, end = reached;
    // The integrator has most often looked at the end just now.
    bool known = now_.at_crossings && now_.time() == end && now_.states_are(x);
    std::optional<std::size_t> end_differs;
    const auto look_at_end = [&] {
        watch_.note_sizes();
        end_differs = disagreeing(step.roots);
        std::swap(last, watch_.now);
        watch_.now.resize(last.size());
    };
    if (known) look_at_end();

    bool middle_known = false;
    inside_.resize(x.size());
    const auto differs = [&](double t, double before) {
        integrator.interpolate(t, inside_);
        if (!evaluate(t, inside_)) return false;
        middle_known = true;
        watch_.note_sizes();
        const auto i = disagreeing({});
        if (!i) return false;
        now_.state.counts.last_fired = *i;
        x = inside_;
        reached = locate_disagreement(integrator, before, t, x);
        return true;
    };
    const double half = from + (end - from) * 0.5;
    if (differs(half, from)) return true;
    std::swap(middle, watch_.now);
    watch_.now.resize(middle.size());
    if (!known && evaluate(end, x)) {
        known = true;
        look_at_end();
    }
    if (end_differs) {
        now_.state.counts.last_fired = *end_differs;
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

// Parts of the step near which a function may touch zero, in order.
void ZeroCrossings::find_places() {
    for (std::size_t k = 0; k < watch_.now.size(); ++k) {
        const std::size_t i = structure_.state[k];
        if (now_.state.switches.muted[i] || sliding_.holds(i)) continue;
        // c0 + b*s + a*s^2 for s from 0 to 1
        const double c0 = begin_[k], c1 = end_[k], in_middle = middle_[k];
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

void ZeroCrossings::note_sizes() {
    for (std::size_t k = 0; k < watch_.largest.size(); ++k) {
        const std::size_t i = structure_.state[k];
        const double size = watch_.largest[k];
        now_.state.switches.largest[i] = std::max(now_.state.switches.largest[i], size);
        now_.state.counts.peaks[2 * i] = std::max(now_.state.counts.peaks[2 * i], size);
        now_.state.counts.peaks[2 * i + 1] = std::max(now_.state.counts.peaks[2 * i + 1], size);
    }
    std::fill(watch_.largest.begin(), watch_.largest.end(), 0.0);
}

void ZeroCrossings::force(std::span<const int> roots) {
    std::vector<std::size_t> located;
    for (std::size_t k = 0; k < structure_.state.size(); ++k)
        if (roots[k] != 0) located.push_back(structure_.state[k]);
    const std::vector<std::size_t> equal = switches_.staying_at_zero(std::move(located));
    for (std::size_t k = 0; k < structure_.state.size(); ++k) {
        if (roots[k] == 0) continue;
        const std::size_t i = structure_.state[k];
        const double c = now_.crossing(i);
        const double n = now_.condition(i);
        now_.state.counts.last_fired = i;
        fired_.push_back(i);
        if (sliding_.holds(i)) {
            switches_.end_sliding(i);
            continue;
        }
        if (std::binary_search(equal.begin(), equal.end(), i)) {
            const Op op = structure_.ops[i];
            switches_.force(i, is_whole(op) ? switches_.boundary(i) : value_at_zero(op));
            continue;
        }
        double value = 0;
        switch (structure_.ops[i]) {
            case Op::Sign:
                value = roots[k];
                break;
            case Op::Less:
            case Op::LessEqual:
                value = roots[k] < 0;
                break;
            case Op::Equal:  // what was equal has parted
            case Op::NotEqual:
                value = (structure_.ops[i] == Op::Equal) != is_held_equal(structure_.ops[i], n);
                break;
            default: {  // Truncate, Floor: the piece above or below
                const WholePiece piece = piece_of(structure_.ops[i], n);
                value = c > (piece.low + piece.high) / 2 ? n + 1 : n - 1;
                break;
            }
        }
        switches_.force(i, value);
    }
}

void ZeroCrossings::force_missed() {
    for (std::size_t i : structure_.state) {
        if (sliding_.holds(i) || now_.state.switches.muted[i]) continue;
        const Op op = now_.partition.switches[i].node->op;
        const double c = now_.crossing(i), value = now_.condition(i);
        if (std::abs(c) <= std::abs(now_.state.switches.offset[i])) continue;
        if (op == Op::Sign && c != 0 && c * value <= 0)
            switches_.force(i, c > 0 ? 1 : -1);
        else if ((op == Op::Less || op == Op::LessEqual) && c != 0 && (c < 0) != (value != 0))
            switches_.force(i, c < 0);
        else if ((op == Op::Equal && value != 0 && c != 0) || (op == Op::NotEqual && value == 0 && c != 0))
            switches_.force(i, value_off_zero(op, c));
        else
            continue;
        fired_.push_back(i);
    }
}

}  // namespace cutset
