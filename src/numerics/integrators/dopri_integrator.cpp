#include "numerics/integrators/dopri_integrator.h"

#include <algorithm>
#include <cmath>

#include "numerics/integrators/integrator_makers.h"

namespace cutset {

namespace {

// Dormand and Prince (1980). The last row is the solution of fifth order.
constexpr double c[7] = {0, 1.0 / 5, 3.0 / 10, 4.0 / 5, 8.0 / 9, 1, 1};
constexpr double a[7][6] = {
    {},
    {1.0 / 5},
    {3.0 / 40, 9.0 / 40},
    {44.0 / 45, -56.0 / 15, 32.0 / 9},
    {19372.0 / 6561, -25360.0 / 2187, 64448.0 / 6561, -212.0 / 729},
    {9017.0 / 3168, -355.0 / 33, 46732.0 / 5247, 49.0 / 176, -5103.0 / 18656},
    {35.0 / 384, 0, 500.0 / 1113, 125.0 / 192, -2187.0 / 6784, 11.0 / 84},
};
// Difference of the solutions of fifth and fourth order.
constexpr double e[7] = {71.0 / 57600,      0,          -71.0 / 16695, 71.0 / 1920,
                         -17253.0 / 339200, 22.0 / 525, -1.0 / 40};
// Dense output (Hairer, Nørsett, Wanner I, II.6).
constexpr double d[7] = {-12715105075.0 / 11282082432,  0,
                         87487479700.0 / 32700410799,   -10690763975.0 / 1880347072,
                         701980252875.0 / 199316789632, -1453857185.0 / 822651844,
                         69997945.0 / 29380423};
// to[i] := from[i] + h sum_j weights[j] k_j[i] over the first `count` slopes, or without `from`.
template <int count>
void combine(const double* weights, const std::array<std::vector<double>, 7>& k, double h, const double* from,
             std::vector<double>& to) {
    std::array<const double*, 7> slopes{};
    for (int j = 0; j < count; ++j) slopes[j] = k[j].data();
    double* result = to.data();
    const std::size_t n = to.size();
    const auto sum = [&](std::size_t i) {
        double value = 0;
        for (int j = 0; j < count; ++j) value += weights[j] * slopes[j][i];
        return h * value;
    };
    if (from) {
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) result[i] = from[i] + sum(i);
    } else {
#pragma GCC ivdep
        for (std::size_t i = 0; i < n; ++i) result[i] = sum(i);
    }
}

// The real interval of stability ends at -3.31.
constexpr double near_the_border = 3.25;
constexpr double clear_growth = 0.5;  // cosine of the angle between a difference of states and that of slopes

}  // namespace

DopriIntegrator::DopriIntegrator(IvpProblem problem)
    : SteppingIntegrator(std::move(problem)),
      controller_(functions_.problem().step_control, 5),
      stage_(size()),
      last_stage_(size()),
      error_(size()) {
    for (auto& k : k_) k.resize(size());
    for (auto& r : dense_) r.resize(size());
    statistics_.last_order = 5;
}

void DopriIntegrator::remember_past(MemoryStream& memory) {
    controller_.remember(memory);
    for (auto& r : dense_) memory("dense", r);
    memory("dense step", dense_step_);
    memory("stiff steps", stiff_steps_);
    memory("calm steps", calm_steps_);
}

void DopriIntegrator::begin() {
    controller_.start();
    k_[0] = f_;
    stiff_steps_ = calm_steps_ = 0;
}

SteppingIntegrator::Attempt DopriIntegrator::attempt(double h) {
    k_[0] = f_;
    const double* y = y_.data();
    const auto done = [&](int s, const std::vector<double>& x) {
        return evaluate(t_ + c[s] * h, x, k_[s]) == 0;
    };
    combine<1>(a[1], k_, h, y, stage_);
    if (!done(1, stage_)) return {Attempt::Outcome::Impossible};
    combine<2>(a[2], k_, h, y, stage_);
    if (!done(2, stage_)) return {Attempt::Outcome::Impossible};
    combine<3>(a[3], k_, h, y, stage_);
    if (!done(3, stage_)) return {Attempt::Outcome::Impossible};
    combine<4>(a[4], k_, h, y, stage_);
    if (!done(4, stage_)) return {Attempt::Outcome::Impossible};
    combine<5>(a[5], k_, h, y, last_stage_);
    if (!done(5, last_stage_)) return {Attempt::Outcome::Impossible};
    combine<6>(a[6], k_, h, y, next_);
    if (!done(6, next_)) return {Attempt::Outcome::Impossible};
    next_f_ = k_[6];
    combine<7>(e, k_, h, nullptr, error_);
    return {Attempt::Outcome::Done, error_norm(error_)};
}

void DopriIntegrator::accept(double h) {
    // |h lambda| from the last two stages, both at the end of the step; in units of the tolerance. What grows
    // is not stiff, however fast it does.
    double slopes = 0, distance = 0, product = 0;
    for (std::size_t i = 0; i < size(); ++i) {
        const double scale = tolerance(i, std::max(std::abs(y_[i]), std::abs(next_[i])));
        if (scale == 0) continue;
        const double df = (k_[6][i] - k_[5][i]) / scale, dy = (next_[i] - last_stage_[i]) / scale;
        slopes += df * df;
        distance += dy * dy;
        product += df * dy;
    }
    const bool grows = product > clear_growth * std::sqrt(slopes * distance);
    if (distance > 0 && !grows && h * std::sqrt(slopes / distance) > near_the_border) {
        calm_steps_ = 0;
        ++stiff_steps_;
    } else if (++calm_steps_ >= calm_limit) {
        stiff_steps_ = 0;
    }
    for (std::size_t i = 0; i < size(); ++i) {
        const double difference = next_[i] - y_[i];
        const double bend = h * k_[0][i] - difference;
        dense_[0][i] = y_[i];
        dense_[1][i] = difference;
        dense_[2][i] = bend;
        dense_[3][i] = difference - h * k_[6][i] - bend;
    }
    combine<7>(d, k_, h, nullptr, dense_[4]);
    dense_step_ = h;
}

// x = r1 + theta (r2 + (1-theta) (r3 + theta (r4 + (1-theta) r5)))
void DopriIntegrator::dense(double theta, std::span<double> x, std::span<double> dx) const {
    const double rest = 1 - theta;
    for (std::size_t i = 0; i < x.size(); ++i)
        x[i] = dense_[0][i] +
               theta * (dense_[1][i] + rest * (dense_[2][i] + theta * (dense_[3][i] + rest * dense_[4][i])));
    for (std::size_t i = 0; i < dx.size(); ++i)
        dx[i] = (dense_[1][i] + (1 - 2 * theta) * dense_[2][i] + theta * (2 - 3 * theta) * dense_[3][i] +
                 2 * theta * rest * (1 - 2 * theta) * dense_[4][i]) /
                dense_step_;
}

double DopriIntegrator::after_obstacle(double h, double retry) {
    controller_.obstacle();
    return h * retry;
}

std::unique_ptr<Integrator> make_dopri_integrator(IvpProblem problem) {
    return std::make_unique<DopriIntegrator>(std::move(problem));
}

}  // namespace cutset
