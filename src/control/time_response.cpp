#include "control/time_response.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numbers>

#include "control/connections.h"
#include "control/modes.h"
#include "control/realization.h"
#include "control/sampling.h"
#include "control/state_space_messages.h"

namespace cutset {

namespace {

double rounded_up(double x) {
    const double power = std::pow(10.0, std::floor(std::log10(x)));
    for (double f : {1.0, 1.2, 1.5, 2.0, 2.5, 3.0, 4.0, 5.0, 6.0, 8.0, 10.0})
        if (x <= f * power * (1 + 1e-12)) return f * power;
    return 10 * power;
}

// A horizon in which the modes show: seven time constants of the slowest, a few periods of what does not
// decay, growth to a hundredfold of what grows.
double horizon(const std::vector<Mode>& found, bool sampled) {
    double longest = 0;
    for (const Mode& mode : found) {
        if (mode.frequency == 0 || (sampled && std::abs(mode.eigenvalue) < 1e-10)) continue;
        const double decay = mode.damping ? *mode.damping * mode.frequency : 0;
        if (decay > 1e-9 * mode.frequency)
            longest = std::max(longest, std::min(7 / decay, 100 * 2 * std::numbers::pi / mode.frequency));
        else if (decay < -1e-9 * mode.frequency)
            longest = std::max(longest, std::min(4.6 / -decay, 10 * 2 * std::numbers::pi / mode.frequency));
        else
            longest = std::max(longest, 10 * 2 * std::numbers::pi / mode.frequency);
    }
    return longest;
}

// Points with u constant and initial state x0.
TimeResponse propagate(const StateSpace& system, const Eigen::MatrixXd& Phi, const Eigen::VectorXd& gamma,
                       const Eigen::VectorXd& x0, const Eigen::VectorXd& direct, const ResponseGrid& grid,
                       const Eigen::VectorXd* held_input) {
    TimeResponse out;
    const Eigen::Index p = system.C.rows();
    out.time.resize(grid.points);
    out.outputs.resize(grid.points, p);
    if (!system.is_sampled()) out.slopes.resize(grid.points, p);
    Eigen::VectorXd x = x0, next(x0.size());
    for (Eigen::Index k = 0; k < grid.points; ++k) {
        out.time[k] = static_cast<double>(k) * grid.step;
        out.outputs.row(k) = (system.C * x + direct).transpose();
        if (!system.is_sampled()) {
            Eigen::VectorXd rate = system.A * x;
            if (held_input) rate += *held_input;
            out.slopes.row(k) = (system.C * rate).transpose();
        }
        next.noalias() = Phi * x;
        x = next + gamma;
    }
    return out;
}

// Where the cubic through (y0, s0), (y1, s1) over a step h passes `level`; t in [0, h].
double crossing(double h, double y0, double s0, double y1, double s1, double level) {
    const auto value = [&](double t) {
        const double a = t / h, b = 1 - a;
        return b * b * (1 + 2 * a) * y0 + a * a * (3 - 2 * a) * y1 + h * a * b * (b * s0 - a * s1) - level;
    };
    double low = 0, high = h;
    const bool rising = value(0) < 0;
    for (int i = 0; i < 60; ++i) {
        const double middle = 0.5 * (low + high);
        ((value(middle) < 0) == rising ? low : high) = middle;
    }
    return 0.5 * (low + high);
}

}  // namespace

namespace {

bool check_duration(std::optional<double> duration, Diagnostics& diagnostics) {
    if (!duration || (*duration > 0 && std::isfinite(*duration))) return true;
    diagnostics.report(state_space_messages::responses_too_long(*duration));
    return false;
}

ResponseGrid grid_of_modes(const std::vector<Mode>& found, std::optional<double> sample_time,
                           std::optional<double> duration, std::optional<Eigen::Index> points,
                           double least_length = 0) {
    double length = duration ? *duration : std::max(least_length, horizon(found, sample_time.has_value()));
    ResponseGrid grid;
    if (sample_time) {
        if (length == 0) length = 20 * *sample_time;
        grid.step = *sample_time;
        const double count = std::ceil(length / grid.step - 1e-9) + 1;
        grid.points = static_cast<Eigen::Index>(std::min(count, 1e6));
        if (!duration) grid.points = std::clamp<Eigen::Index>(grid.points, 11, 5001);
        return grid;
    }
    if (length == 0) length = 10;  // integrators only
    if (!duration) length = rounded_up(length);
    // Forty points for each period of what has not died out after a hundredth of the time.
    double fastest = 0;
    for (const Mode& mode : found) {
        const double decay = mode.damping ? *mode.damping * mode.frequency : 0;
        if (decay * length < 700) fastest = std::max(fastest, mode.frequency);
    }
    const double wanted = std::max(400.0, 40 * fastest * length / (2 * std::numbers::pi));
    grid.points = points ? std::max<Eigen::Index>(*points, 2)
                         : static_cast<Eigen::Index>(std::ceil(std::min(wanted, 10000.0))) + 1;
    grid.step = length / static_cast<double>(grid.points - 1);
    return grid;
}

// Chains of equal parts take longer than each of them. The response of lags to an impulse has its middle at
// Σ T and the variance Σ T² (sampled, 1/(z - p): Σ 1/(1 - p) and Σ p/(1 - p)²); m equal resonances delay
// their frequency by m time constants.
double chain_length(const TransferFunction& g) {
    double middle = 0, variance = 0, resonances = 0;
    for (const RootGroup& pole : group_roots(g.poles, 1e-6)) {
        const Complex s = as_s(pole.root, g.sample_time);
        const double m = pole.multiplicity;
        if (!is_stable(pole.root, g.sample_time) || s.real() > -1e-9 * std::abs(s)) continue;
        if (std::fabs(s.imag()) > std::fabs(s.real())) {
            if (pole.multiplicity > 1)
                resonances = std::max(resonances, (m + 3.5 * std::sqrt(m)) / std::fabs(s.real()));
        } else if (g.sample_time) {
            middle += m * *g.sample_time * (1.0 / (1.0 - pole.root)).real();
            variance += m * *g.sample_time * *g.sample_time *
                        std::abs(pole.root / (1.0 - pole.root) / (1.0 - pole.root));
        } else {
            middle += m * (-1.0 / s).real();
            variance += m * std::abs(1.0 / (s * s));
        }
    }
    return std::max(middle + 3.5 * std::sqrt(variance), resonances);
}

}  // namespace

std::optional<ResponseGrid> response_grid(const StateSpace& system, std::optional<double> duration,
                                          std::optional<Eigen::Index> points, Diagnostics& diagnostics) {
    if (!check_duration(duration, diagnostics)) return {};
    const auto found = modes(system.A, system.sample_time, false);
    if (!found) {
        diagnostics.report(state_space_messages::no_convergence("the eigenvalues"));
        return {};
    }
    return grid_of_modes(*found, system.sample_time, duration, points);
}

std::optional<ResponseGrid> response_grid(const std::vector<TransferFunction>& functions,
                                          std::optional<double> duration, std::optional<Eigen::Index> points,
                                          Diagnostics& diagnostics) {
    if (!check_duration(duration, diagnostics)) return {};
    std::vector<Mode> found;
    std::optional<double> sample_time;
    double longest = 0;
    for (const TransferFunction& g : functions) {
        sample_time = g.sample_time;
        for (const Complex& pole : g.poles) found.push_back(mode_of(pole, sample_time));
        // Of a single lag it is less than its horizon.
        longest = std::max(longest, chain_length(g));
    }
    return grid_of_modes(found, sample_time, duration, points, longest);
}

namespace {

// A response from the time `delay` on: zero before, then `from(offset, grid)`, which begins `offset` after
// the delay.
std::optional<TimeResponse> delayed(
    const StateSpace& system, const ResponseGrid& grid, double delay,
    const std::function<std::optional<TimeResponse>(double, const ResponseGrid&)>& from) {
    const double steps = std::ceil(delay / grid.step * (1 - 1e-14));
    TimeResponse out;
    for (Eigen::Index k = 0; k < grid.points; ++k) out.time.push_back(static_cast<double>(k) * grid.step);
    out.outputs = out.slopes = Eigen::MatrixXd::Zero(grid.points, system.C.rows());
    if (steps >= static_cast<double>(grid.points)) return out;
    const auto first = static_cast<Eigen::Index>(steps);
    const auto part = from(std::max(0.0, steps * grid.step - delay), {grid.step, grid.points - first});
    if (!part) return {};
    out.outputs.bottomRows(grid.points - first) = part->outputs;
    out.slopes.bottomRows(grid.points - first) = part->slopes;
    return out;
}

}  // namespace

std::optional<TimeResponse> step_response(const StateSpace& system, Eigen::Index input,
                                          const ResponseGrid& grid, double delay) {
    const Eigen::VectorXd b = system.B.col(input), zero = Eigen::VectorXd::Zero(system.order());
    if (delay > 0)
        return delayed(system, grid, delay,
                       [&](double offset, const ResponseGrid& rest) -> std::optional<TimeResponse> {
                           const auto begin = zero_order_hold(system.A, b, offset),
                                      step = zero_order_hold(system.A, b, rest.step);
                           if (!begin || !step) return {};
                           return propagate(system, step->Phi, step->Gamma.col(0), begin->Gamma.col(0),
                                            system.D.col(input), rest, &b);
                       });
    if (system.is_sampled()) return propagate(system, system.A, b, zero, system.D.col(input), grid, nullptr);
    const auto step = zero_order_hold(system.A, b, grid.step);
    if (!step) return {};
    return propagate(system, step->Phi, step->Gamma.col(0), zero, system.D.col(input), grid, &b);
}

std::optional<TimeResponse> detailed_step_response(const StateSpace& system, Eigen::Index input,
                                                   const ResponseGrid& grid) {
    auto out = step_response(system, input, grid);
    if (!out || system.is_sampled() || grid.points < 2) return out;
    const auto found = modes(system.A, {}, false);
    if (!found) return out;
    double fastest = 0;
    for (const Mode& mode : *found) fastest = std::max(fastest, mode.frequency);
    // The first step again in 400, and the first of those, until they are short for the fastest mode.
    constexpr Eigen::Index parts = 400;
    for (double h = grid.step; fastest * h > 0.1 && h > 1e-12 * grid.step;) {
        h /= static_cast<double>(parts);
        const auto part = step_response(system, input, {h, parts + 1});
        if (!part) break;
        const Eigen::Index later = out->outputs.rows() - 1;
        TimeResponse both;
        both.time.assign(part->time.begin(), part->time.end() - 1);
        both.time.insert(both.time.end(), out->time.begin() + 1, out->time.end());
        both.outputs.resize(parts + later, out->outputs.cols());
        both.outputs << part->outputs.topRows(parts), out->outputs.bottomRows(later);
        both.slopes.resize(parts + later, out->slopes.cols());
        both.slopes << part->slopes.topRows(parts), out->slopes.bottomRows(later);
        out = std::move(both);
    }
    return out;
}

std::optional<TimeResponse> impulse_response(const StateSpace& system, Eigen::Index input,
                                             const ResponseGrid& grid, double delay) {
    const Eigen::VectorXd b = system.B.col(input), zero = Eigen::VectorXd::Zero(system.order());
    if (delay > 0)
        return delayed(
            system, grid, delay, [&](double offset, const ResponseGrid& rest) -> std::optional<TimeResponse> {
                const auto begin = zero_order_hold(system.A, Eigen::MatrixXd(system.order(), 0), offset);
                if (!begin) return {};
                return initial_response(system, begin->Phi * b, rest);
            });
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(system.C.rows());
    if (system.is_sampled()) {
        // y(0) = D, then C A^(k-1) B
        TimeResponse out = propagate(system, system.A, zero, b, none, grid, nullptr);
        for (Eigen::Index k = grid.points - 1; k > 0; --k) out.outputs.row(k) = out.outputs.row(k - 1).eval();
        out.outputs.row(0) = system.D.col(input).transpose();
        return out;
    }
    return initial_response(system, b, grid);
}

std::optional<TimeResponse> initial_response(const StateSpace& system, const Eigen::VectorXd& x0,
                                             const ResponseGrid& grid) {
    const Eigen::VectorXd none = Eigen::VectorXd::Zero(system.C.rows()),
                          zero = Eigen::VectorXd::Zero(system.order());
    if (system.is_sampled()) return propagate(system, system.A, zero, x0, none, grid, nullptr);
    const auto step = zero_order_hold(system.A, Eigen::MatrixXd(system.order(), 0), grid.step);
    if (!step) return {};
    return propagate(system, step->Phi, zero, x0, none, grid, nullptr);
}

StepEnd step_end(const StateSpace& system, Eigen::Index input, Eigen::Index output) {
    const bool sampled = system.is_sampled();
    const auto unstable = [&](const std::vector<Mode>& list) {
        return std::any_of(list.begin(), list.end(), [&](const Mode& m) { return !m.stable(sampled); });
    };
    const auto all = modes(system.A, system.sample_time);
    if (all && !unstable(*all)) return StepEnd::Settles;
    const auto seen =
        modes(minimal_realization(part_of(system, {input}, {output})).system.A, system.sample_time);
    if (!seen) return StepEnd::Grows;
    if (!unstable(*seen)) return StepEnd::Settles;
    // Simple poles on the border other than that of the step itself only oscillate.
    std::vector<std::complex<double>> border;
    for (const Mode& mode : *seen) {
        if (mode.stable(sampled)) continue;
        const std::complex<double> pole = mode.settled(sampled);
        if (!mode.on_border(sampled) || std::abs(pole - (sampled ? 1.0 : 0.0)) <= mode.rounding)
            return StepEnd::Grows;
        for (const auto& other : border)
            if (std::abs(other - pole) <= 1e-7 * std::abs(pole)) return StepEnd::Grows;
        border.push_back(pole);
    }
    return StepEnd::Oscillates;
}

StepEnd step_end(const TransferFunction& g) {
    const auto border = boundary_roots(g.poles, g.sample_time);
    std::size_t upper = 0, on_border = 0;
    for (const Complex& pole : g.poles)
        if (pole.imag() >= 0 && !is_stable(pole, g.sample_time)) ++upper;
    for (const auto& [frequency, multiplicity] : border) {
        if (multiplicity > 1 || frequency == 0) return StepEnd::Grows;
        ++on_border;
    }
    if (upper > on_border) return StepEnd::Grows;
    return border.empty() ? StepEnd::Settles : StepEnd::Oscillates;
}

StepInformation step_information(const TimeResponse& response, Eigen::Index output, double final_value,
                                 StepEnd end) {
    StepInformation out;
    out.end = end;
    out.final_value = end == StepEnd::Settles ? final_value : NAN;
    const Eigen::VectorXd y = response.outputs.col(output);
    const Eigen::Index points = y.size();
    const bool continuous = response.slopes.size() > 0;
    if (points < 2) return out;
    const auto width = [&](Eigen::Index k) { return response.time[k + 1] - response.time[k]; };
    const auto slope = [&](Eigen::Index k) { return continuous ? response.slopes(k, output) : 0; };

    // Peaks between the points: where the slope changes sign, by the cubic.
    const auto extreme = [&](double direction) {
        double best = -INFINITY, when = 0;
        for (Eigen::Index k = 0; k < points; ++k) {
            if (direction * y[k] > best) best = direction * y[k], when = response.time[k];
            if (!continuous || k + 1 == points) continue;
            const double h = width(k), s0 = direction * slope(k), s1 = direction * slope(k + 1);
            if (!(s0 > 0 && s1 < 0)) continue;
            // derivative of the cubic is a parabola in a = t/h
            const double dy = direction * (y[k + 1] - y[k]);
            const double c2 = 3 * (h * (s0 + s1) - 2 * dy), c1 = 2 * (3 * dy - h * (2 * s0 + s1)),
                         c0 = h * s0;
            const double root = std::sqrt(std::max(0.0, c1 * c1 - 4 * c2 * c0));
            const double a = 2 * c0 / (-c1 + root);
            if (!(a >= 0 && a <= 1)) continue;
            const double value = direction * y[k] + a * (c0 + a * (c1 / 2 + a * c2 / 3));
            if (value > best) best = value, when = response.time[k] + a * h;
        }
        return std::pair(direction * best, when);
    };
    const auto highest = extreme(1), lowest = extreme(-1);
    const auto peak = std::abs(highest.first) >= std::abs(lowest.first) ? highest : lowest;
    out.peak = peak.first;
    out.peak_time = peak.second;
    if (end != StepEnd::Settles || !std::isfinite(final_value)) return out;
    const double size = y.cwiseAbs().maxCoeff();
    if (std::abs(final_value) <= 1e-10 * size || final_value == 0) {  // a step leads back to zero
        if (size == 0) out.rise_time = out.settling_time = out.overshoot = out.undershoot = 0;
        return out;
    }
    const double direction = final_value > 0 ? 1 : -1, target = std::abs(final_value);
    const double beyond = direction > 0 ? highest.first : -lowest.first;
    const double below = direction > 0 ? -lowest.first : highest.first;
    const double rounding = 1e-9 * target;
    out.overshoot = beyond > target + rounding ? 100 * (beyond - target) / target : 0;
    out.undershoot = below > rounding ? 100 * below / target : 0;

    const auto first_passage = [&](double level) -> std::optional<double> {
        for (Eigen::Index k = 0; k < points; ++k) {
            if (direction * y[k] < level) continue;
            if (k == 0 || !continuous) return response.time[k];
            return response.time[k - 1] + crossing(width(k - 1), direction * y[k - 1],
                                                   direction * slope(k - 1), direction * y[k],
                                                   direction * slope(k), level);
        }
        return {};
    };
    const auto ten = first_passage(0.1 * target), ninety = first_passage(0.9 * target);
    if (ten && ninety) out.rise_time = *ninety - *ten;
    const double band = 0.02 * target;
    for (Eigen::Index k = points - 1;; --k) {
        const double e = y[k] - final_value;
        if (std::abs(e) > band) {
            if (k + 1 == points) break;  // not settled within the time shown
            const double level = e > 0 ? final_value + band : final_value - band;
            out.settling_time = continuous ? response.time[k] + crossing(width(k), y[k], slope(k), y[k + 1],
                                                                         slope(k + 1), level)
                                           : response.time[k + 1];
            break;
        }
        if (k == 0) {
            out.settling_time = 0;
            break;
        }
    }
    return out;
}

}  // namespace cutset
