#include "results/axis.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>

namespace cutset {

namespace {

// At least `range` / `wanted`, of the form {1, 2, 5} * 10^k.
double nice_step(double range, int wanted) {
    const double raw = range / wanted;
    const double power = std::pow(10.0, std::floor(std::log10(raw)));
    for (double factor : {1.0, 2.0, 5.0})
        if (factor * power >= raw * (1 - 1e-9)) return factor * power;
    return 10 * power;
}

int decimals_for(double step) {
    return std::max(0, static_cast<int>(-std::floor(std::log10(step) + 1e-9)));
}

std::string fixed(double value, int decimals) {
    std::string text = fmt::format("{:.{}f}", std::fabs(value), decimals);
    const bool zero = text.find_first_not_of("0.") == std::string::npos;
    return value < 0 && !zero ? "−" + text : text;
}

}  // namespace

std::string superscript(int number) {
    static const char* const digits[] = {"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    std::string out;
    for (char c : std::to_string(number)) out += c == '-' ? "⁻" : digits[c - '0'];
    return out;
}

std::string Axis::note() const {
    std::string out;
    if (exponent) out = "×10" + superscript(exponent);
    if (!offset.empty()) out += (out.empty() ? "" : " ") + offset;
    return out;
}

Axis make_axis(double low, double high, int wanted_ticks, double margin) {
    Axis axis;
    if (!(low <= high)) low = 0, high = 0;
    constexpr double limit = std::numeric_limits<double>::max() / 8;
    low = std::clamp(low, -limit, limit);
    high = std::clamp(high, -limit, limit);
    double size = std::max(std::fabs(low), std::fabs(high));
    if (size < 1e-300) low = high = size = 0;
    // Constant up to rounding: as much room as the value is large.
    if (high - low <= 1e-12 * size) {
        const double half = size > 0 ? 0.1 * size : 1.0;
        const double middle = low + (high - low) / 2;
        low = middle - half;
        high = middle + half;
        margin = 0;
    }
    const double range = high - low;
    axis.low = low - margin * range;
    axis.high = high + margin * range;
    size = std::max(std::fabs(axis.low), std::fabs(axis.high));

    // At least three ticks, even when a few more than wanted are needed for that.
    double step = 1;
    for (int wanted = std::max(wanted_ticks, 2); wanted < 16 && axis.ticks.size() < 3; ++wanted) {
        step = nice_step(axis.high - axis.low, wanted);
        const double slack = 1e-6 * step;
        const double first = std::ceil((axis.low - slack) / step);
        axis.ticks.clear();
        for (int k = 0; k < 100; ++k) {
            const double tick = (first + k) * step;
            if (tick > axis.high + slack) break;
            axis.ticks.push_back(std::fabs(tick) < slack ? 0.0 : tick);
        }
    }
    // Labels that would differ only after many equal digits count from an offset.
    double offset = 0;
    if (size > 1e5 * (axis.high - axis.low) && !axis.ticks.empty()) {
        offset = axis.ticks[axis.ticks.size() / 2];
        // Rounded as far as the ticks stay small beside it.
        const double coarse = std::pow(10.0, std::ceil(std::log10(axis.high - axis.low)) + 1);
        offset = std::round(offset / coarse) * coarse;
        if (offset != 0) axis.offset = fmt::format("{}{:.15g}", offset < 0 ? "−" : "+", std::fabs(offset));
        size = 0;
        for (double t : axis.ticks) size = std::max(size, std::fabs(t - offset));
    }
    // Powers of ten by steps of three, as units have them.
    const double magnitude = size > 0 ? std::floor(std::log10(size)) : 0;
    if (magnitude >= 5 || magnitude <= -3) axis.exponent = static_cast<int>(std::floor(magnitude / 3)) * 3;
    // 10^-300 and below have no inverse: divide in two steps.
    const auto scaled = [&](double v) {
        const int half = axis.exponent / 2;
        return v / std::pow(10.0, half) / std::pow(10.0, axis.exponent - half);
    };
    const int decimals = std::min(decimals_for(scaled(step)), 15);
    for (double tick : axis.ticks) axis.labels.push_back(fixed(scaled(tick - offset), decimals));
    return axis;
}

Axis make_log_axis(double low, double high, int wanted_ticks) {
    Axis axis;
    axis.logarithmic = true;
    if (!(low > 0) || !(high >= low) || !std::isfinite(high)) low = 0.1, high = 10;
    if (high / low < 1 + 1e-9) {
        low /= 1.5;
        high *= 1.5;
    }
    axis.low = low;
    axis.high = high;
    const double slack = 1e-9;
    const int first = static_cast<int>(std::floor(std::log10(low) - slack)),
              last = static_cast<int>(std::ceil(std::log10(high) + slack));
    const double decades = std::log10(high / low);
    const int step = std::max(1, static_cast<int>(std::ceil(decades / std::max(wanted_ticks, 2))));
    std::vector<int> digits = {1};
    if (decades < 1.2)
        digits = {1, 2, 3, 4, 5, 6, 8};
    else if (decades * 3 <= wanted_ticks + 1)
        digits = {1, 2, 5};
    const auto inside = [&](double v) { return v >= low * (1 - slack) && v <= high * (1 + slack); };
    for (int power = first; power <= last; ++power)
        for (int digit = 1; digit < 10; ++digit) {
            // Through text, so that the tick is the number that its label says.
            const double value = std::strtod(fmt::format("{}e{}", digit, power).c_str(), nullptr);
            if (!inside(value)) continue;
            const bool tick =
                std::find(digits.begin(), digits.end(), digit) != digits.end() && power % step == 0;
            if (tick)
                axis.ticks.push_back(value);
            else if (step == 1 || digit == 1)
                axis.minor.push_back(value);
        }
    const bool plain = axis.ticks.empty() ||
                       (axis.ticks.front() >= 0.999e-3 && axis.ticks.back() <= 1.001e4) || digits.size() > 1;
    for (double v : axis.ticks)
        axis.labels.push_back(plain ? fmt::format("{:.10g}", v)
                                    : "10" + superscript(static_cast<int>(std::lround(std::log10(v)))));
    return axis;
}

Axis make_degree_axis(double low, double high, int wanted_ticks, double margin) {
    if (!(low <= high)) low = high = 0;
    if (high - low < 1e-9 * std::max(1.0, std::fabs(low))) {
        low -= 45;
        high += 45;
        margin = 0;
    }
    const double range = high - low;
    if (range < 20 || range > 1e6) return make_axis(low, high, wanted_ticks, margin);
    Axis axis;
    axis.low = low - margin * range;
    axis.high = high + margin * range;
    double step = 5;
    for (double s : {5.0, 10.0, 15.0, 30.0, 45.0, 90.0, 180.0, 360.0}) {
        step = s;
        if ((axis.high - axis.low) / s <= wanted_ticks) break;
    }
    while ((axis.high - axis.low) / step > wanted_ticks) step *= 2;
    for (double k = std::ceil(axis.low / step - 1e-9); k * step <= axis.high + 1e-9 * step; ++k) {
        axis.ticks.push_back(k * step);
        axis.labels.push_back(fixed(k * step, 0));
    }
    return axis;
}

}  // namespace cutset
