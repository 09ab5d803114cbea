#include "run/sides_at_zero.h"

#include <algorithm>
#include <cmath>

#include "run/run_messages.h"

namespace cutset {

namespace {

constexpr int steps_ahead = 4;

// The other value of a relation, or of a sign that is not zero.
double value_beyond(Op op, double value) {
    return op == Op::Sign ? -value : value == 0;
}

}  // namespace

bool SidesAtZero::decide() {
    decided_.clear();
    for (int pass = 0; pass < 10; ++pass) {
        bool changed = false;
        for (const std::size_t i : std::vector<std::size_t>(sliding_.list())) {
            if (sliding_.margin(i) >= -1e-9) continue;
            switches_.end_sliding(i);
            changed = true;
            if (!evaluate()) return false;
        }
        const SwitchMemory& memory = now_.state.switches;
        for (std::size_t i : structure_.state) {
            if (now_.crossing(i) != 0 && (!memory.forced.contains(i) || !switches_.is_forced(i))) continue;
            const Op op = structure_.ops[i];
            if (op != Op::Sign && op != Op::Less && op != Op::LessEqual) continue;
            if (now_.partition.switches[i].kink || sliding_.holds(i) || memory.muted[i] || memory.left[i] ||
                is_settled(i))
                continue;
            const double c = now_.crossing(i);
            bool probed = false;
            const auto sides = look_at_sides(i, probed);
            if (sides) changed |= decide(i, c, *sides);
            if ((changed || probed) && !evaluate()) return false;
        }
        if (!changed) break;
    }
    std::vector<char>& left = now_.state.switches.left;
    std::fill(left.begin(), left.end(), false);
    return true;
}

bool SidesAtZero::evaluate() {
    return equations_.evaluate() && now_.run_section(now_.program.crossings);
}

// What the equations say with the condition at either value; nothing where they cannot be solved. `probed`:
// they have to be evaluated again.
std::optional<SidesAtZero::Sides> SidesAtZero::look_at_sides(std::size_t i, bool& probed) {
    const Switch& s = now_.partition.switches[i];
    const double c = now_.crossing(i), before = now_.condition(i);
    Sides sides;
    sides.value[0] = s.node->op == Op::Sign ? -1 : 1;
    sides.value[1] = s.node->op == Op::Sign ? 1 : 0;
    std::vector<double> derivatives;
    bool moved = false, solved = true;
    // A loop that conditions change need not have a solution on both sides of the instant.
    const bool in_loop = std::binary_search(structure_.in_loops.begin(), structure_.in_loops.end(), i);
    const Sliding::Limit limit = in_loop ? Sliding::Limit::Both : Sliding::Limit::Right;
    if (structure_.acts[i]) {
        for (int side = 0; side < 2 && solved; ++side) {
            now_.condition(i) = sides.value[side];
            now_.values.clear_error();
            solved = equations_.run() && now_.values.run(now_.program.crossings);
            sides.crossing[side] = now_.crossing(i);
            solved = solved && sliding_.crossing_derivatives(now_.values, {i}, derivatives, moved, limit);
            if (solved) sides.derivative[side] = derivatives[0];
        }
        now_.condition(i) = before;
        probed = true;
    } else {  // equations that do not know this condition: both sides are alike
        if (sliding_.has_rate(i, limit)) {
            derivatives = {now_.values[now_.layout.crossing_rates[i]]};
        } else {
            solved = sliding_.crossing_derivatives(now_.values, {i}, derivatives, moved, limit);
            probed |= moved;
        }
        if (solved) sides.derivative[0] = sides.derivative[1] = derivatives[0];
        sides.crossing[0] = sides.crossing[1] = c;
    }
    if (!solved || !std::isfinite(sides.derivative[0]) || !std::isfinite(sides.derivative[1]))
        return std::nullopt;
    return sides;
}

// True when the equations change by it.
bool SidesAtZero::decide(std::size_t i, double c, const Sides& sides) {
    const Switch& s = now_.partition.switches[i];
    const Op op = s.node->op;
    const double span = now_.length(), before = now_.condition(i);
    const double shortest = 1e-11 * std::max(span, std::abs(now_.time()));
    const auto at_zero = [&](double derivative) { return std::abs(c) <= shortest * std::abs(derivative); };
    const double below = sides.derivative[0], above = sides.derivative[1];
    SwitchMemory& memory = now_.state.switches;
    const double between = sides.crossing[0] - sides.crossing[1];
    const double size = std::max(memory.largest[i], 1e-3 * span * std::max(std::abs(below), std::abs(above)));
    if (std::abs(between) > 1e-9 * size) {  // the function depends on the condition itself
        if (op != Op::Sign || !structure_.may_slide[i] || !(sides.crossing[0] > 0 && sides.crossing[1] < 0))
            return false;
        switches_.begin_sliding(i, (sides.crossing[0] + sides.crossing[1]) / between, true);
        return true;
    }
    if (below > 0 && above < 0 && below - above > 1e-9 * size / span) {
        if (!structure_.may_slide[i]) return false;
        const double share = below / (below - above);  // of the side above
        if (s.crossing->op == Op::Variable) now_.values[now_.layout.variable[s.crossing->index]] = 0;
        switches_.begin_sliding(i, op == Op::Sign ? 2 * share - 1 : 1 - share, false);
        return true;
    }
    if (c != 0 && !(at_zero(below) && at_zero(above))) return false;
    const double apart = shortest_look_ahead * span * std::max(std::abs(below), std::abs(above));
    if (is_held_equal(op, before) && apart < std::abs(memory.offset[i])) return false;
    double value = before;
    if (above > 0 && !(below < 0))
        value = sides.value[1];
    else if (below < 0 && !(above > 0))
        value = sides.value[0];
    else if (op == Op::Sign && c == 0)
        value = above > 0 ? 1 : below < 0 ? -1 : 0;
    now_.condition(i) = value;
    if (op == Op::Sign && value == 0) switches_.hold_equal(i);
    if (!structure_.acts[i] && below != 0) decided_.push_back(i);
    if (value == before) return false;
    memory.forced.set(i, {value, c});
    // It leaves from that side.
    const double side = value == sides.value[1] ? 1 : -1;
    if (c != 0) memory.offset[i] = side * 1e-13 * memory.largest[i] - c;
    return structure_.acts[i];
}

bool SidesAtZero::hold_together() {
    constexpr std::size_t fewest = 3;  // intervals of each, one shorter than the other
    std::vector<std::size_t> list;
    now_.equations_known = false;
    for (std::size_t i : structure_.state) {
        const Switch& s = now_.partition.switches[i];
        if (!structure_.may_slide[i] || now_.state.switches.muted[i] || sliding_.holds(i)) continue;
        if (s.crossing->op != Op::Variable || s.crossing->order != 0) continue;
        if (std::max(now_.state.counts.firings[2 * i].shorter, now_.state.counts.firings[2 * i + 1].shorter) <
            fewest)
            continue;
        if (std::abs(now_.crossing(i)) > now_.options.tolerance * now_.state.switches.largest[i]) continue;
        list.push_back(i);
    }
    if (list.size() < 2) return false;
    const Interpreter before = now_.values;
    const std::vector<double> weights = now_.state.sliding.weights;
    std::vector<double> derivatives, derivatives_before;
    bool moved = false;
    bool good = sliding_.crossing_derivatives(now_.values, list, derivatives_before, moved);
    now_.values = before;
    for (std::size_t i : list) {
        now_.values[now_.layout.variable[now_.partition.switches[i].crossing->index]] = 0;
        switches_.begin_sliding(i, structure_.is_sign(i) ? 0 : 0.5, false);
    }
    good = good && sliding_.solve(now_.values, now_.program.continuous) &&
           sliding_.crossing_derivatives(now_.values, list, derivatives, moved);
    double largest = 0;
    for (double d : derivatives_before) largest = std::max(largest, std::abs(d));
    for (std::size_t k = 0; k < list.size() && good; ++k)
        good = std::abs(derivatives[k]) <= 1e-6 * largest && sliding_.margin(list[k]) > 0;
    if (good) {
        for (std::size_t i : list) now_.state.switches.forced.erase(i);
        return sliding_.run(now_.values, now_.program.continuous);
    }
    now_.values = before;
    now_.state.sliding.weights = weights;
    for (std::size_t i : list) sliding_.end(i);
    return false;
}

// Where a few short Euler steps take the conditions of `list`.
SidesAtZero::Beyond SidesAtZero::look_beyond(std::vector<std::size_t> list, double h, double rounding) const {
    Beyond beyond;
    Interpreter after = now_.values;
    for (int step = 0; step < steps_ahead && !list.empty(); ++step) {
        move_along(after, h);
        if (!after.run(now_.program.continuous) || !after.run(now_.program.crossings)) return beyond;
        std::erase_if(list, [&](std::size_t i) {
            const double c = after[now_.layout.crossings[i]];
            if (c == 0 || std::isnan(c) || std::abs(c) <= rounding * switches_.size_of_terms(i, after))
                return false;
            if (value_off_zero(structure_.ops[i], c) != now_.condition(i)) beyond.back.push_back(i);
            return true;
        });
    }
    for (std::size_t i : list)
        if (now_.crossing(i) == 0 && now_.condition(i) != value_at_zero(structure_.ops[i]))
            beyond.held.push_back(i);
    return beyond;
}

bool SidesAtZero::look_ahead() {
    std::vector<std::size_t> open;
    for (std::size_t i : structure_.state) {
        const double c = now_.crossing(i);
        const Op op = structure_.ops[i];
        if (c != 0 && !is_whole(op)) continue;
        if (is_relation(op) && !sliding_.holds(i) && !is_settled(i) &&
            std::find(decided_.begin(), decided_.end(), i) == decided_.end())
            open.push_back(i);
        else if (op == Op::Truncate && c != 0 && c == std::trunc(c) && c == now_.condition(i))
            open.push_back(i);  // int(x) at a whole number that it may be about to leave downward
        else if (op == Op::Floor && c == std::floor(c) && c == now_.condition(i))
            open.push_back(i);
    }
    if (open.empty()) return true;
    std::vector<std::size_t> looked_at = open;
    looked_at.insert(looked_at.end(), decided_.begin(), decided_.end());
    Interpreter probe = now_.values;
    const double h = shortest_look_ahead * now_.length();
    std::size_t changed = 0;  // conditions
    bool looked = true;
    std::vector<std::size_t> turned;
    for (int step = 0; step < steps_ahead && !open.empty(); ++step) {
        move_along(probe, h);
        looked = probe.run(now_.program.continuous) && probe.run(now_.program.crossings);
        if (!looked) break;
        std::erase_if(open, [&](std::size_t i) {
            const double c = probe[now_.layout.crossings[i]];
            if (const Op op = structure_.ops[i]; is_whole(op)) {
                const double whole = now_.crossing(i);
                if (c == whole || std::isnan(c)) return false;
                const WholePiece piece = piece_of(op, now_.condition(i));
                if (piece.low <= c && c <= piece.high) return true;
                now_.condition(i) = c < whole ? whole - 1 : whole + 1;
                now_.state.switches.forced.set(i, {now_.condition(i), whole});
                ++changed;
                return true;
            }
            if (std::abs(c) <= rounding_of_terms * switches_.size_of_terms(i, probe) || std::isnan(c))
                return false;
            const double value = value_off_zero(structure_.ops[i], c);
            if (now_.condition(i) != value) turned.push_back(i);
            changed += now_.condition(i) != value;
            now_.condition(i) = value;
            switches_.leave_equal(i, c);
            return true;
        });
    }
    // Those that stay equal have the value that the relation has between equals.
    for (const std::size_t i : open) {
        const Op op = structure_.ops[i];
        if (!looked) break;
        if (is_whole(op)) continue;
        switches_.hold_equal(i);
        if (now_.condition(i) == value_at_zero(op)) continue;
        now_.condition(i) = value_at_zero(op);
        now_.state.switches.forced.set(i, {now_.condition(i), 0});
        ++changed;
    }
    if (changed == 0) return true;
    for (std::size_t i : turned) now_.state.switches.forced.set(i, {now_.condition(i), now_.crossing(i)});
    if (!evaluate()) return false;
    // On that side the equations must not drive it back: then it would change without end.
    Beyond beyond = look_beyond(turned, h, 0);
    const auto is_in = [](const std::vector<std::size_t>& list, std::size_t i) {
        return std::find(list.begin(), list.end(), i) != list.end();
    };
    if (changed == 1 && !beyond.back.empty()) {
        const std::size_t i = beyond.back[0];
        // Two sides that are equal but for rounding part to one and to the other: it is no matter of theirs.
        now_.condition(i) = value_beyond(structure_.ops[i], now_.condition(i));
        if (!evaluate()) return false;
        if (look_beyond({i}, h, 0).back.empty()) return true;
        const std::vector<const Switch*> cycle{&now_.partition.switches[i]};
        return now_.fail(run_messages::switches_do_not_settle(now_.model, cycle, now_.time()));
    }
    // What else has changed here does that, or makes their sides equal: they are looked at again, as are
    // those that have kept their values.
    if (changed == 1) beyond = {};
    std::erase_if(looked_at, [&](std::size_t i) { return is_whole(structure_.ops[i]) || is_in(turned, i); });
    Beyond kept = look_beyond(std::move(looked_at), h, rounding_of_terms);
    for (const auto* list : {&kept.back, &kept.held, &beyond.held})
        beyond.back.insert(beyond.back.end(), list->begin(), list->end());
    if (beyond.back.empty()) return true;
    for (std::size_t i : beyond.back) {
        now_.state.switches.forced.erase(i);
        now_.state.switches.offset[i] = 0;
        now_.condition(i) = switches_.value(i);
    }
    return evaluate();
}

}  // namespace cutset
