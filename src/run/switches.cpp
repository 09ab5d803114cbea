#include "run/switches.h"

#include <algorithm>
#include <cmath>

namespace cutset {

double crossing_size(const Instant& now, std::size_t i) {
    double size = 0;
    for_each_node(now.partition.switches[i].crossing, [&](Expr e) {
        if (e->op == Op::Variable) size = std::max(size, nominal_of(now.model.variables[e->variable()]));
    });
    return size > 0 ? size : 1;
}

Switches::Switches(Instant& now, const SwitchStructure& structure, Sliding& sliding)
    : now_(now), structure_(structure), sliding_(sliding), memory_(now.state.switches) {
    reset();
}

void Switches::reset() {
    const std::size_t n = now_.partition.switches.size();
    memory_.reset(n);
    now_.state.sliding.reset(n);
    now_.state.counts.reset(n);
    slope_.assign(n, 0);
    slopes_known_ = false;
}

double Switches::value(std::size_t i) const {
    const Switch& s = now_.partition.switches[i];
    const double c = now_.crossing(i) + memory_.offset[i];
    if (const Op op = s.node->op; s.instant && (op == Op::Equal || op == Op::NotEqual) && is_forced(i))
        return memory_.forced[i].value;
    if (s.instant) {
        const double instant = now_.values[now_.layout.instants[i]];
        if (std::isfinite(instant) && slope_[i] != 0) {
            const bool after = now_.time() >= instant || same_instant(now_.time(), instant);
            const double side = after ? slope_[i] : -slope_[i];
            if (s.node->op == Op::Sign) return side > 0 ? 1 : -1;
            return s.node->op == Op::NotEqual || (s.node->op != Op::Equal && side < 0);
        }
    }
    if (is_forced(i)) return memory_.forced[i].value;
    if (is_held_equal(s.node->op, now_.condition(i)) &&
        std::abs(now_.crossing(i)) <= std::abs(memory_.offset[i]))
        return now_.condition(i);
    switch (s.node->op) {
        case Op::Less:
            return c < 0;
        case Op::LessEqual:
            return c <= 0;
        case Op::Equal:
            return now_.crossing(i) == 0;
        case Op::NotEqual:
            return now_.crossing(i) != 0;
        case Op::Sign:
            return (c > 0) - (c < 0);
        case Op::Floor:
            return std::floor(c);
        default:
            return std::trunc(c);
    }
}

bool Switches::is_forced(std::size_t i) const {
    if (!memory_.forced.contains(i)) return false;
    const double c = now_.crossing(i), located = memory_.forced[i].crossing;
    return std::abs(c - located) <= 1e-10 * memory_.largest[i] || c == located;
}

void Switches::force(std::size_t i, double value) {
    const double c = now_.crossing(i);
    memory_.forced.set(i, {value, c});
    now_.condition(i) = value;
    memory_.offset[i] = 0;
    // A loop that has a solution on each side (sign(i)*i**2 = u) is to be solved on the side that counts now.
    const Switch& s = now_.partition.switches[i];
    if (std::find(structure_.branch.begin(), structure_.branch.end(), i) == structure_.branch.end()) return;
    const VariableIndex v = s.crossing->variable();
    const double size = 1e-3 * std::abs(now_.model.variables[v].nominal.value_or(1));
    const bool above = s.node->op == Op::Sign ? value > 0 : value == 0;
    now_.values[now_.layout.variable[v.value]] = above ? size : -size;
}

double Switches::boundary(std::size_t i) const {
    return is_whole(structure_.ops[i]) ? std::round(now_.crossing(i)) : 0;
}

std::vector<std::size_t> Switches::staying_at_zero(std::vector<std::size_t> list) {
    constexpr int steps = 4;
    constexpr double rounding = 1e-9;
    std::erase_if(list, [&](std::size_t i) {
        const double c = now_.crossing(i), whole = boundary(i);
        if (!is_whole(structure_.ops[i])) return c != 0 && !structure_.bends[i];
        if (structure_.ops[i] == Op::Truncate && whole == 0) return true;  // int(x) does not step there
        return std::abs(c - whole) > rounding * std::max(std::abs(whole), 1.0);
    });
    if (list.empty()) return list;
    Interpreter& ahead = probe();
    for (int step = 0; step < steps && !list.empty(); ++step) {
        move_along(ahead, look_ahead_time(now_, ahead, shortest_look_ahead));
        if (!ahead.run(now_.program.continuous) || !ahead.run(now_.program.crossings)) return {};
        std::erase_if(list, [&](std::size_t i) {
            const double c = ahead[now_.layout.crossings[i]];
            if (is_whole(structure_.ops[i])) return c != boundary(i);
            return !(std::abs(c) <= rounding_of_terms * size_of_terms(i, ahead));
        });
    }
    return list;
}

bool Switches::near_zero(std::size_t i) const {
    if (sliding_.holds(i) || memory_.muted[i] || now_.partition.switches[i].kink) return false;
    const Op op = now_.partition.switches[i].node->op;
    if (op != Op::Less && op != Op::LessEqual && op != Op::Sign) return false;
    return is_forced(i) || std::abs(now_.crossing(i)) <= 1e-9 * memory_.largest[i] + 1e-13;
}

// With the values of the run.
Interpreter& Switches::probe() {
    if (!probe_)
        probe_ = std::make_unique<Interpreter>(now_.values);
    else
        probe_->take_values(now_.values);
    return *probe_;
}

void Switches::measure_time_events() {
    if (structure_.time.empty()) return;
    bool known = slopes_known_;
    for (std::size_t k = 0; k < structure_.discrete_inputs.size() && known; ++k)
        known = measured_for_[k] == now_.values[structure_.discrete_inputs[k]];
    if (known) return;
    measured_for_.clear();
    slopes_known_ = false;
    Interpreter& ahead = probe();
    ahead[now_.layout.time] = now_.time() + 1;
    if (!ahead.run(now_.program.crossings)) return;
    for (std::size_t i : structure_.time) slope_[i] = ahead[now_.layout.crossings[i]] - now_.crossing(i);
    for (Slot slot : structure_.discrete_inputs) measured_for_.push_back(now_.values[slot]);
    slopes_known_ = true;
}

void Switches::begin_sliding(std::size_t i, double mixture, bool algebraic) {
    sliding_.begin(i, mixture, algebraic);
    memory_.offset[i] = 0;
}

void Switches::end_sliding(std::size_t i) {
    const double at = sliding_.mixture(i);
    sliding_.end(i);
    now_.condition(i) = structure_.is_sign(i) ? (at > 0 ? 1 : -1) : at > 0.5;
    memory_.left[i] = true;
    memory_.offset[i] = sliding_.is_algebraic(i) ? 0 : -now_.crossing(i);
    memory_.forced.set(i, {now_.condition(i), now_.crossing(i)});
}

bool Switches::leave_moved() {
    bool left = false;
    for (const std::size_t i : std::vector<std::size_t>(sliding_.list())) {
        const double c = now_.crossing(i);
        if (sliding_.is_algebraic(i) || std::abs(c) <= 1e-6 * memory_.largest[i]) continue;
        sliding_.end(i);
        memory_.offset[i] = 0;
        now_.condition(i) = value(i);
        left = true;
    }
    return left;
}

double Switches::size_of_terms(std::size_t i, const Interpreter& values) const {
    double size = 0;
    for_each_leaf(now_.partition.switches[i].crossing, [&](Expr leaf) {
        if (leaf->op == Op::Variable && leaf->order == 0)
            size = std::max(size, std::abs(values[now_.layout.variable[leaf->index]]));
        else if (leaf->op == Op::Time)
            size = std::max(size, std::abs(values[now_.layout.time]));
        else if (leaf->is_number())
            size = std::max(size, std::abs(leaf->number));
    });
    return size;
}

void Switches::hold_equal(std::size_t i) {
    constexpr double of_terms = 1e-12;  // rounding of what is integrated adds up
    const double band = of_terms * size_of_terms(i, now_.values);
    const Op op = structure_.ops[i];
    memory_.offset[i] = op == Op::LessEqual ? -band : band;
}

void Switches::leave_equal(std::size_t i, double crossing) {
    if (memory_.offset[i] == 0) return;
    memory_.offset[i] = std::copysign(memory_.offset[i], crossing);
}

void Switches::settle_on_sides() {
    for (std::size_t i : structure_.uncertain)
        if (near_zero(i)) settle_on_side(i);
    for (std::size_t i : memory_.rounded) {
        const double least = rounding_of_crossings * std::max(crossing_size(now_, i), memory_.largest[i]);
        if (!sliding_.holds(i) && std::abs(now_.crossing(i)) <= 2 * least) settle_on_side(i, least);
    }
}

void Switches::settle_on_side(std::size_t i) {
    settle_on_side(i, std::max(std::abs(now_.crossing(i)), 1e-13 * memory_.largest[i] + 1e-13));
}

void Switches::settle_on_side(std::size_t i, double least) {
    const double c = now_.crossing(i), value = now_.condition(i);
    if (structure_.is_sign(i) && value == 0) return;
    const double side = structure_.is_sign(i) ? value : value != 0 ? -1 : 1;
    if (c * side < least) memory_.offset[i] = side * least - c;
}

}  // namespace cutset
