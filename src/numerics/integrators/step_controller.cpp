#include "numerics/integrators/step_controller.h"

#include <algorithm>
#include <cmath>

namespace cutset {

namespace {

constexpr double integral_gain = 0.06;
constexpr double proportional_gain = 0.13;
constexpr double caution = 0.9;  // the set point is caution^k
constexpr double least_error = 1e-12;
constexpr double largest_growth = 5;
constexpr double largest_cut = 0.2;

}  // namespace

void StepController::start() {
    tried_first_ = 0;
    error_before_ = 0;
    after_rejection_ = hindered_ = settled_ = false;
}

double StepController::standard_factor(double error) const {
    return std::clamp(caution * std::pow(std::max(error, least_error), -1 / k_), largest_cut, largest_growth);
}

double StepController::accepted(double h, double error) {
    const double set_point = std::pow(caution, k_);
    error = std::max(error, least_error);
    settled_ = settled_ || error > 0.1 * set_point;
    double factor = standard_factor(error);
    if (control_ == StepControl::Gustafsson && settled_ && error_before_ > 0) {
        factor =
            std::pow(set_point / error, integral_gain) * std::pow(error_before_ / error, proportional_gain);
        if (after_rejection_ && tried_first_ > h) factor *= h / tried_first_;
        factor = std::clamp(factor, largest_cut, largest_growth);
    } else if (after_rejection_) {
        factor = std::min(factor, 1.0);
    }
    if (hindered_) factor = std::min(factor, 1.0);
    after_rejection_ = hindered_ = false;
    error_before_ = error;
    return tried_first_ = h * factor;
}

double StepController::rejected(double h, double error) {
    if (!after_rejection_) tried_first_ = h;
    after_rejection_ = settled_ = true;
    return h * std::min(standard_factor(error), caution);
}

}  // namespace cutset
