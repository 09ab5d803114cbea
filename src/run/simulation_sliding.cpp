// Sliding. Where the equations on either side of a switch drive its crossing function c back to zero, the
// solution stays on the surface c = 0 with a mixture of the two sides:
//
//     sign(c)      takes the value s in [-1, 1] for which c stays zero; it is inserted in the equations
//     a relation   the weight w in [0, 1] of its true side: y = w*y(true) + (1 - w)*y(false), for all
//     derivatives
//                  and algebraic variables (Filippov's solution); what a relay gives is then its mean value
//
// The condition is dc/dt = -k*c, k*c being there against drift only. Where c itself depends on the sign
// (R*i + U*sign(i) = u) it is c = 0. The surface is left when s or w reaches an end.
#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/linear/linear.h"
#include "run/run_messages.h"
#include "run/simulation.h"

namespace cutset {

namespace {

constexpr std::size_t most_mixed =
    3;  // relations whose corners are all taken; else c is taken as affine in w

}  // namespace

bool Simulation::is_sign(std::size_t i) const {
    return partition_.switches[i].node->op == Op::Sign;
}

// The sign s or the weight w of a sliding switch.
double& Simulation::mixture(Interpreter& values, std::size_t i) {
    if (is_sign(i)) return values[layout_.switches[i]];
    return (&values == &output_ ? output_weights_ : weights_)[i];
}

// `section` with the sliding switches at their present mixtures.
bool Simulation::run_mixed(Interpreter& values, const Section& section) {
    std::vector<std::size_t> relations;
    for (std::size_t i : sliding_list_)
        if (!is_sign(i)) relations.push_back(i);
    if (relations.empty()) return values.run(section);
    if (mixed_slots_.empty()) {
        std::vector<bool> is_state(model_.variables.size(), false);
        for (VariableIndex v : partition_.states) is_state[v.value] = true;
        for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value)
            if (model_.variables[v].variability == Variability::Continuous && !is_state[v.value])
                mixed_slots_.push_back(layout_.variable[v.value]);
        mixed_slots_.insert(mixed_slots_.end(), layout_.derivative.begin(), layout_.derivative.end());
    }
    // Corners of the unit cube with their weights; the first is the one nearest to the present mixture.
    const std::size_t n = relations.size();
    std::vector<bool> nearest(n);
    std::vector<double> away(n);  // distance from the nearest corner
    double rest = 1;
    for (std::size_t k = 0; k < n; ++k) {
        const double w = mixture(values, relations[k]);
        nearest[k] = w > 0.5;
        away[k] = nearest[k] ? 1 - w : w;
        rest -= away[k];
    }
    std::vector<double> first, sum;
    const auto corner = [&](const std::vector<bool>& at, double weight) {
        for (std::size_t k = 0; k < n; ++k) values[layout_.switches[relations[k]]] = at[k];
        if (!values.run(section)) return false;
        if (first.empty()) {
            for (Slot slot : mixed_slots_) first.push_back(values[slot]);
            sum = first;
        } else {
            for (std::size_t k = 0; k < mixed_slots_.size(); ++k)
                if (const double y = values[mixed_slots_[k]]; y != first[k])
                    sum[k] += weight * (y - first[k]);
        }
        return true;
    };
    std::vector<bool> before(n);
    for (std::size_t k = 0; k < n; ++k) before[k] = values[layout_.switches[relations[k]]] != 0;
    bool good = corner(nearest, rest);
    if (n <= most_mixed) {
        for (unsigned mask = 1; good && mask < 1u << n; ++mask) {
            std::vector<bool> at = nearest;
            double weight = 1;
            for (std::size_t k = 0; k < n; ++k) {
                const bool other = (mask >> k) & 1;
                if (other) at[k] = !at[k];
                weight *= other ? away[k] : 1 - away[k];
            }
            good = corner(at, weight);
        }
    } else {
        for (std::size_t k = 0; good && k < n; ++k) {
            std::vector<bool> at = nearest;
            at[k] = !at[k];
            good = corner(at, away[k]);
        }
    }
    for (std::size_t k = 0; k < n; ++k) values[layout_.switches[relations[k]]] = before[k];
    if (good)
        for (std::size_t k = 0; k < mixed_slots_.size(); ++k) values[mixed_slots_[k]] = sum[k];
    return good;
}

// d(crossing i)/dt for each switch in `list`, where the equations have just been computed. Difference
// quotients along the solution are taken where no formula is known; then the values must be computed again,
// and `moved` says so.
bool Simulation::crossing_rates(Interpreter& values, const std::vector<std::size_t>& list,
                                std::vector<double>& rates, bool& moved) {
    equations_known_ = false;
    if (!values.run(program_.crossings)) return false;
    moved = false;
    rates.resize(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) {
        rates[k] = values[layout_.rates[list[k]]];
        moved |= partition_.switches[list[k]].rate == nullptr;
    }
    if (!moved) return true;
    const double h = 1e-6 * (options_.stop - options_.start), t = values[layout_.time];
    const std::size_t n = layout_.state.size();
    std::vector<double> x(n), dx(n);
    for (std::size_t k = 0; k < n; ++k) {
        x[k] = values[layout_.state[k]];
        dx[k] = values[layout_.derivative[k]];
    }
    std::vector<double> ahead(list.size());
    bool good = true;
    for (const int side : {1, -1}) {
        values[layout_.time] = t + side * h;
        for (std::size_t k = 0; k < n; ++k) values[layout_.state[k]] = x[k] + side * h * dx[k];
        good = good && run_mixed(values, program_.continuous) && values.run(program_.crossings);
        for (std::size_t k = 0; k < list.size(); ++k) {
            const double c = values[layout_.crossings[list[k]]];
            if (side > 0)
                ahead[k] = c;
            else if (!partition_.switches[list[k]].rate)
                rates[k] = (ahead[k] - c) / (2 * h);
        }
    }
    values[layout_.time] = t;
    for (std::size_t k = 0; k < n; ++k) values[layout_.state[k]] = x[k];
    return good;
}

// `section` with the sliding switches at the mixtures that keep their crossings at zero, by Newton's method
// from differences of one (exact when the conditions are affine in the mixtures).
bool Simulation::solve_sliding(Interpreter& values, const Section& section) {
    if (sliding_list_.empty()) return values.run(section);
    const std::size_t n = sliding_list_.size();
    const double pull = 100 / (options_.stop - options_.start);
    bool moved = false, rated = false;
    for (std::size_t i : sliding_list_) rated |= !algebraic_[i];
    const auto conditions = [&](std::vector<double>& r) {
        if (!run_mixed(values, section)) return false;
        if (!rated) {
            r.assign(n, 0);
            if (!values.run(program_.crossings)) return false;
        }
        std::vector<double> c(n);
        if (rated) {
            // The crossings themselves before the rates move away.
            if (!values.run(program_.crossings)) return false;
            for (std::size_t k = 0; k < n; ++k) c[k] = values[layout_.crossings[sliding_list_[k]]];
            if (!crossing_rates(values, sliding_list_, r, moved)) return false;
        } else {
            for (std::size_t k = 0; k < n; ++k) c[k] = values[layout_.crossings[sliding_list_[k]]];
        }
        for (std::size_t k = 0; k < n; ++k) r[k] = algebraic_[sliding_list_[k]] ? c[k] : r[k] + pull * c[k];
        return true;
    };
    std::vector<double> r(n), shifted(n), jacobian(n * n), change(n), start(n);
    for (std::size_t k = 0; k < n; ++k) {
        double& m = mixture(values, sliding_list_[k]);
        if (!std::isfinite(m)) m = 0;
        start[k] = m;
    }
    if (!conditions(r)) return false;
    constexpr int most = 12;
    double difference = 1;
    DenseLu lu;
    for (int iteration = 0; iteration < most; ++iteration) {
        // What is not affine needs the derivative where it stands.
        if (iteration == 0 || iteration > 1) {
            if (iteration > 1) difference = 1e-5;
            for (std::size_t j = 0; j < n; ++j) {
                double& m = mixture(values, sliding_list_[j]);
                const double before = m, step = m > 0.25 ? -difference : difference;
                m += step;
                if (!conditions(shifted)) return false;
                mixture(values, sliding_list_[j]) = before;
                for (std::size_t i = 0; i < n; ++i) jacobian[j * n + i] = (shifted[i] - r[i]) / step;
            }
            if (!lu.factor(n, jacobian)) {
                // Two switches on one surface: the smallest mixtures that hold it, J'(JJ' + e)^-1 r.
                std::vector<double> square(n * n, 0.0);
                double largest = 0;
                for (std::size_t a = 0; a < n; ++a)
                    for (std::size_t b = 0; b < n; ++b)
                        for (std::size_t j = 0; j < n; ++j)
                            square[a * n + b] += jacobian[j * n + a] * jacobian[j * n + b];
                for (std::size_t a = 0; a < n; ++a) largest = std::max(largest, square[a * n + a]);
                if (!(largest > 0) || !std::isfinite(largest)) return run_mixed(values, section);
                for (std::size_t a = 0; a < n; ++a) square[a * n + a] += 1e-12 * largest;
                DenseLu squared;
                if (!squared.factor(n, square)) return run_mixed(values, section);
                std::vector<double> y = r;
                squared.solve(y);
                for (std::size_t j = 0; j < n; ++j) {
                    change[j] = 0;
                    for (std::size_t i = 0; i < n; ++i) change[j] += jacobian[j * n + i] * y[i];
                }
                for (std::size_t k = 0; k < n; ++k) mixture(values, sliding_list_[k]) -= change[k];
                break;
            }
        }
        change = r;
        lu.solve(change);
        double size = 0;
        for (std::size_t k = 0; k < n; ++k) {
            mixture(values, sliding_list_[k]) -= change[k];
            size = std::max(size, std::abs(change[k]));
        }
        if (!std::isfinite(size)) {
            for (std::size_t k = 0; k < n; ++k) mixture(values, sliding_list_[k]) = start[k];
            break;
        }
        if (size < 1e-11) break;
        if (iteration + 1 == most) break;
        if (!conditions(r)) return false;
    }
    if (!run_mixed(values, section)) return false;
    // What is held at zero does not move at all.
    for (std::size_t i : sliding_list_)
        if (const Expr rate = partition_.switches[i].rate;
            rate && !algebraic_[i] && rate->op == Op::Variable && rate->order == 1)
            for (std::size_t k = 0; k < partition_.states.size(); ++k)
                if (partition_.states[k].value == rate->index) values[layout_.derivative[k]] = 0;
    return true;
}

void Simulation::begin_sliding(std::size_t i, double at, bool algebraic) {
    sliding_[i] = true;
    algebraic_[i] = algebraic;
    sliding_list_.insert(std::lower_bound(sliding_list_.begin(), sliding_list_.end(), i), i);
    mixture(main_, i) = at;
    offset_[i] = 0;
}

// The switch takes the value of the end that its mixture is nearest to.
void Simulation::end_sliding(std::size_t i) {
    const double at = mixture(main_, i);
    sliding_[i] = false;
    std::erase(sliding_list_, i);
    main_[layout_.switches[i]] = is_sign(i) ? (at > 0 ? 1 : -1) : at > 0.5;
    left_[i] = true;
    offset_[i] = algebraic_[i] ? 0 : -main_[layout_.crossings[i]];
    forced_.set(i, {main_[layout_.switches[i]], main_[layout_.crossings[i]]});
}

// 1 in the middle, 0 at the ends, below beyond them.
double Simulation::sliding_margin(std::size_t i) {
    const double m = mixture(main_, i);
    return is_sign(i) ? 1 - m * m : 4 * m * (1 - m);
}

// At an event: switches that slide and are beyond their ends, or were moved off their surface, end it; those
// at their surface that would be driven back from either side begin it; others at their surface take the side
// that they move to. One that has just crossed it goes back when what the event did drives it back (a ball
// that bounces is below the floor at no time): it would fire again at once.
bool Simulation::try_sliding() {
    bool probed = false;
    decided_.clear();
    const double span = options_.stop - options_.start;
    const double shortest = 1e-11 * std::max(span, std::abs(time()));
    const auto at_surface = [&](double c, double rate) { return std::abs(c) <= shortest * std::abs(rate); };
    for (int pass = 0; pass < 10; ++pass) {
        bool changed = false;
        for (const std::size_t i : std::vector<std::size_t>(sliding_list_)) {
            if (sliding_margin(i) >= -1e-9) continue;
            end_sliding(i);
            changed = true;
            if (!evaluate() || !run_section(program_.crossings)) return false;
        }
        for (std::size_t i : state_switches_) {
            const double c = main_[layout_.crossings[i]];
            if (c != 0 && (!forced_.contains(i) || !is_forced(i))) continue;
            const Switch& s = partition_.switches[i];
            const Op op = s.node->op;
            if ((op != Op::Sign && op != Op::Less && op != Op::LessEqual) || s.kink || sliding_[i] ||
                muted_[i] || left_[i])
                continue;
            const bool acts = acts_[i];
            // Below and above the surface.
            const double side_value[2] = {op == Op::Sign ? -1.0 : 1.0, op == Op::Sign ? 1.0 : 0.0};
            double rate[2], crossing[2];
            const double before = main_[layout_.switches[i]];
            bool solved = true;
            for (int side = 0; side < 2 && solved && acts; ++side) {
                main_[layout_.switches[i]] = side_value[side];
                main_.clear_error();
                solved = run_continuous() && main_.run(program_.crossings);
                crossing[side] = main_[layout_.crossings[i]];
                std::vector<double> rates;
                bool moved = false;
                solved = solved && crossing_rates(main_, {i}, rates, moved);
                if (solved) rate[side] = rates[0];
            }
            if (acts) {
                main_[layout_.switches[i]] = before;
                probed = true;
            } else if (s.rate) {  // of equations that do not know this switch: both sides are alike
                rate[0] = rate[1] = main_[layout_.rates[i]];
                crossing[0] = crossing[1] = c;
            } else {
                std::vector<double> rates;
                bool moved = false;
                solved = crossing_rates(main_, {i}, rates, moved);
                probed |= moved;
                if (solved) rate[0] = rate[1] = rates[0];
                crossing[0] = crossing[1] = c;
            }
            if (!solved || !std::isfinite(rate[0]) || !std::isfinite(rate[1])) continue;
            const double between = crossing[0] - crossing[1];
            const double size =
                std::max(largest_crossing_[i], 1e-3 * span * std::max(std::abs(rate[0]), std::abs(rate[1])));
            const bool direct = std::abs(between) > 1e-9 * size;
            if (direct) {  // the crossing depends on the switch itself
                if (op == Op::Sign && crossing[0] > 0 && crossing[1] < 0) {
                    begin_sliding(i, (crossing[0] + crossing[1]) / between, true);
                    changed = true;
                }
            } else if (rate[0] > 0 && rate[1] < 0 && rate[0] - rate[1] > 1e-9 * size / span) {
                const double share = rate[0] / (rate[0] - rate[1]);  // of the side above
                if (s.crossing->op == Op::Variable) main_[layout_.variable[s.crossing->index]] = 0;
                begin_sliding(i, op == Op::Sign ? 2 * share - 1 : 1 - share, false);
                changed = true;
            } else if (c == 0 || (at_surface(c, rate[0]) && at_surface(c, rate[1]))) {
                double value = before;
                if (rate[1] > 0 && !(rate[0] < 0))
                    value = side_value[1];
                else if (rate[0] < 0 && !(rate[1] > 0))
                    value = side_value[0];
                else if (op == Op::Sign && c == 0)
                    value = rate[1] > 0 ? 1 : rate[0] < 0 ? -1 : 0;
                main_[layout_.switches[i]] = value;
                if (!acts && (rate[0] != 0)) decided_.push_back(i);
                if (value != before) {
                    forced_.set(i, {value, c});
                    changed |= acts;
                    // It leaves from that side.
                    const double side = value == side_value[1] ? 1 : -1;
                    if (c != 0) offset_[i] = side * 1e-13 * largest_crossing_[i] - c;
                }
            }
            if (changed && (!evaluate() || !run_section(program_.crossings))) return false;
        }
        if (!changed) break;
    }
    std::fill(left_.begin(), left_.end(), false);
    return !probed || (evaluate() && run_section(program_.crossings));
}

// Where the instants of several switches pile up (-a*sign(x) - b*sign(v) for x'' winds round the point x = v
// = 0) all of them may slide at once from there on: if mixtures hold every crossing at zero.
bool Simulation::rest_on_surfaces() {
    constexpr std::size_t fewest = 3;  // intervals of each, one shorter than the other
    std::vector<std::size_t> list;
    equations_known_ = false;
    for (std::size_t i : state_switches_) {
        const Switch& s = partition_.switches[i];
        const Op op = s.node->op;
        if ((op != Op::Sign && op != Op::Less && op != Op::LessEqual) || s.kink || muted_[i] || sliding_[i])
            continue;
        if (s.crossing->op != Op::Variable || s.crossing->order != 0) continue;
        if (std::max(firings_[2 * i].shorter, firings_[2 * i + 1].shorter) < fewest) continue;
        if (std::abs(main_[layout_.crossings[i]]) > options_.tolerance * largest_crossing_[i]) continue;
        list.push_back(i);
    }
    if (list.size() < 2) return false;
    const Interpreter before = main_;
    const std::vector<double> weights = weights_;
    std::vector<double> rates, rates_before;
    bool moved = false;
    bool good = crossing_rates(main_, list, rates_before, moved);
    main_ = before;
    for (std::size_t i : list) {
        main_[layout_.variable[partition_.switches[i].crossing->index]] = 0;
        begin_sliding(i, is_sign(i) ? 0 : 0.5, false);
    }
    good = good && solve_sliding(main_, program_.continuous) && crossing_rates(main_, list, rates, moved);
    double largest = 0;
    for (double rate : rates_before) largest = std::max(largest, std::abs(rate));
    for (std::size_t k = 0; k < list.size() && good; ++k)
        good = std::abs(rates[k]) <= 1e-6 * largest && sliding_margin(list[k]) > 0;
    if (good) {
        for (std::size_t i : list) forced_.erase(i);
        return run_mixed(main_, program_.continuous);
    }
    main_ = before;
    weights_ = weights;
    for (std::size_t i : list) {
        sliding_[i] = false;
        std::erase(sliding_list_, i);
    }
    return false;
}

// After a state was set anew or a discrete variable changed: what slid on a surface may now be off it.
bool Simulation::leave_moved_surfaces() {
    bool left = false;
    for (const std::size_t i : std::vector<std::size_t>(sliding_list_)) {
        const double c = main_[layout_.crossings[i]];
        if (algebraic_[i] || std::abs(c) <= 1e-6 * largest_crossing_[i]) continue;
        sliding_[i] = false;
        std::erase(sliding_list_, i);
        offset_[i] = 0;
        main_[layout_.switches[i]] = switch_value(i);
        left = true;
    }
    return left;
}

}  // namespace cutset
