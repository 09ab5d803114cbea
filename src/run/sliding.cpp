#include "run/sliding.h"

#include <algorithm>
#include <cmath>

#include "numerics/linear/linear.h"

namespace cutset {

namespace {

constexpr std::size_t most_mixed =
    3;  // relations whose corners are all taken; else c is taken as affine in w

}  // namespace

Sliding::Sliding(Instant& now, const SwitchStructure& structure)
    : now_(now), structure_(structure), memory_(now.state.sliding) {}

void Sliding::begin(std::size_t i, double mixture, bool algebraic) {
    memory_.on[i] = true;
    memory_.algebraic[i] = algebraic;
    memory_.list.insert(std::lower_bound(memory_.list.begin(), memory_.list.end(), i), i);
    this->mixture(now_.values, memory_.weights, i) = mixture;
}

void Sliding::end(std::size_t i) {
    memory_.on[i] = false;
    std::erase(memory_.list, i);
}

double Sliding::mixture(std::size_t i) const {
    return structure_.is_sign(i) ? now_.condition(i) : memory_.weights[i];
}

double& Sliding::mixture(Interpreter& values, std::vector<double>& weights, std::size_t i) const {
    return structure_.is_sign(i) ? values[now_.layout.switches[i]] : weights[i];
}

double Sliding::margin(std::size_t i) const {
    const double m = mixture(i);
    return structure_.is_sign(i) ? 1 - m * m : 4 * m * (1 - m);
}

bool Sliding::run_mixed(Interpreter& values, std::vector<double>& weights, const Section& section) {
    std::vector<std::size_t> relations;
    for (std::size_t i : list())
        if (!structure_.is_sign(i)) relations.push_back(i);
    if (relations.empty()) return values.run(section);
    if (mixed_slots_.empty()) {
        std::vector<bool> is_state(now_.model.variables.size(), false);
        for (VariableIndex v : now_.partition.states) is_state[v.value] = true;
        for (VariableIndex v{0}; v < now_.model.variables.end_index(); ++v.value)
            if (now_.model.variables[v].variability == Variability::Continuous && !is_state[v.value])
                mixed_slots_.push_back(now_.layout.variable[v.value]);
        mixed_slots_.insert(mixed_slots_.end(), now_.layout.derivative.begin(), now_.layout.derivative.end());
    }
    // Corners of the unit cube with their weights; the first is the one nearest to the present mixture.
    const std::size_t n = relations.size();
    std::vector<bool> nearest(n);
    std::vector<double> away(n);  // distance from the nearest corner
    double rest = 1;
    for (std::size_t k = 0; k < n; ++k) {
        const double w = mixture(values, weights, relations[k]);
        nearest[k] = w > 0.5;
        away[k] = nearest[k] ? 1 - w : w;
        rest -= away[k];
    }
    std::vector<double> first, sum;
    const auto corner = [&](const std::vector<bool>& at, double weight) {
        for (std::size_t k = 0; k < n; ++k) values[now_.layout.switches[relations[k]]] = at[k];
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
    for (std::size_t k = 0; k < n; ++k) before[k] = values[now_.layout.switches[relations[k]]] != 0;
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
    for (std::size_t k = 0; k < n; ++k) values[now_.layout.switches[relations[k]]] = before[k];
    if (good)
        for (std::size_t k = 0; k < mixed_slots_.size(); ++k) values[mixed_slots_[k]] = sum[k];
    return good;
}

bool Sliding::crossing_derivatives(Interpreter& values, std::vector<double>& weights,
                                   const std::vector<std::size_t>& list, std::vector<double>& derivatives,
                                   bool& moved, Limit limit) {
    now_.equations_known = false;
    if (!values.run(now_.program.crossings)) return false;
    moved = false;
    derivatives.resize(list.size());
    std::vector<double> here(list.size());
    for (std::size_t k = 0; k < list.size(); ++k) {
        derivatives[k] = values[now_.layout.crossing_rates[list[k]]];
        here[k] = values[now_.layout.crossings[list[k]]];
        moved |= !has_rate(list[k], limit);
    }
    if (!moved) return true;
    const double t = values[now_.layout.time];
    const double h = limit == Limit::Right ? look_ahead_time(now_, values, 1e-6) : 1e-6 * now_.length();
    const std::size_t n = now_.layout.state.size();
    std::vector<double> x(n), dx(n);
    for (std::size_t k = 0; k < n; ++k) {
        x[k] = values[now_.layout.state[k]];
        dx[k] = values[now_.layout.derivative[k]];
    }
    std::vector<double> ahead(list.size());
    bool good = true;
    for (const int side : {1, -1}) {
        if (side < 0 && limit == Limit::Right) break;
        values[now_.layout.time] = t + side * h;
        for (std::size_t k = 0; k < n; ++k) values[now_.layout.state[k]] = x[k] + side * h * dx[k];
        good =
            good && run_mixed(values, weights, now_.program.continuous) && values.run(now_.program.crossings);
        for (std::size_t k = 0; k < list.size(); ++k) {
            const double c = values[now_.layout.crossings[list[k]]];
            if (side > 0)
                ahead[k] = c;
            else if (!has_rate(list[k], limit))
                derivatives[k] = (ahead[k] - c) / (2 * h);
        }
    }
    for (std::size_t k = 0; k < list.size() && limit == Limit::Right; ++k)
        if (!has_rate(list[k], limit)) derivatives[k] = (ahead[k] - here[k]) / h;
    values[now_.layout.time] = t;
    for (std::size_t k = 0; k < n; ++k) values[now_.layout.state[k]] = x[k];
    return good;
}

// By Newton's method from differences of one (exact when the conditions are affine in the mixtures).
bool Sliding::solve_mixed(Interpreter& values, std::vector<double>& weights, const Section& section) {
    const std::vector<std::size_t>& list = memory_.list;
    const std::size_t n = list.size();
    const double pull = 100 / now_.length();
    bool moved = false, rated = false;
    for (std::size_t i : list) rated |= !is_algebraic(i);
    const auto conditions = [&](std::vector<double>& r) {
        if (!run_mixed(values, weights, section)) return false;
        if (!rated) {
            r.assign(n, 0);
            if (!values.run(now_.program.crossings)) return false;
        }
        std::vector<double> c(n);
        if (rated) {
            // The functions themselves before the difference quotients move away.
            if (!values.run(now_.program.crossings)) return false;
            for (std::size_t k = 0; k < n; ++k) c[k] = values[now_.layout.crossings[list[k]]];
            if (!crossing_derivatives(values, weights, list, r, moved, Limit::Both)) return false;
        } else {
            for (std::size_t k = 0; k < n; ++k) c[k] = values[now_.layout.crossings[list[k]]];
        }
        for (std::size_t k = 0; k < n; ++k) r[k] = is_algebraic(list[k]) ? c[k] : r[k] + pull * c[k];
        return true;
    };
    std::vector<double> r(n), shifted(n), jacobian(n * n), change(n), start(n);
    for (std::size_t k = 0; k < n; ++k) {
        double& m = mixture(values, weights, list[k]);
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
                double& m = mixture(values, weights, list[j]);
                const double before = m, step = m > 0.25 ? -difference : difference;
                m += step;
                if (!conditions(shifted)) return false;
                mixture(values, weights, list[j]) = before;
                for (std::size_t i = 0; i < n; ++i) jacobian[j * n + i] = (shifted[i] - r[i]) / step;
            }
            if (!lu.factor(n, jacobian)) {
                // Two conditions on one zero-crossing function: the smallest mixtures that hold it, J'(JJ' +
                // e)^-1 r.
                std::vector<double> square(n * n, 0.0);
                double largest = 0;
                for (std::size_t a = 0; a < n; ++a)
                    for (std::size_t b = 0; b < n; ++b)
                        for (std::size_t j = 0; j < n; ++j)
                            square[a * n + b] += jacobian[j * n + a] * jacobian[j * n + b];
                for (std::size_t a = 0; a < n; ++a) largest = std::max(largest, square[a * n + a]);
                if (!(largest > 0) || !std::isfinite(largest)) return run_mixed(values, weights, section);
                for (std::size_t a = 0; a < n; ++a) square[a * n + a] += 1e-12 * largest;
                DenseLu squared;
                if (!squared.factor(n, square)) return run_mixed(values, weights, section);
                std::vector<double> y = r;
                squared.solve(y);
                for (std::size_t j = 0; j < n; ++j) {
                    change[j] = 0;
                    for (std::size_t i = 0; i < n; ++i) change[j] += jacobian[j * n + i] * y[i];
                }
                for (std::size_t k = 0; k < n; ++k) mixture(values, weights, list[k]) -= change[k];
                break;
            }
        }
        change = r;
        lu.solve(change);
        double size = 0;
        for (std::size_t k = 0; k < n; ++k) {
            mixture(values, weights, list[k]) -= change[k];
            size = std::max(size, std::abs(change[k]));
        }
        if (!std::isfinite(size)) {
            for (std::size_t k = 0; k < n; ++k) mixture(values, weights, list[k]) = start[k];
            break;
        }
        if (size < 1e-11) break;
        if (iteration + 1 == most) break;
        if (!conditions(r)) return false;
    }
    if (!run_mixed(values, weights, section)) return false;
    // What is held at zero does not move at all.
    for (std::size_t i : list)
        if (const Expr rate = now_.partition.switches[i].rate;
            rate && !is_algebraic(i) && rate->op == Op::Variable && rate->order == 1)
            for (std::size_t k = 0; k < now_.partition.states.size(); ++k)
                if (now_.partition.states[k].value == rate->index) values[now_.layout.derivative[k]] = 0;
    return true;
}

}  // namespace cutset
