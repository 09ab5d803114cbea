#include "session/run_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <vector>

namespace cutset {

namespace {

struct Extremum {
    double time, value;
    bool maximum;
};

// Turning points between which the curve moves by at least `least`, the last unfinished swing left out.
std::vector<Extremum> turning_points(std::span<const double> time, std::span<const double> values,
                                     double least) {
    std::vector<Extremum> found;
    std::size_t low = 0, high = 0;
    int direction = 0;  // of the swing: 1 up, -1 down, 0 not known yet
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (!std::isfinite(values[i])) continue;
        if (values[i] > values[high]) high = i;
        if (values[i] < values[low]) low = i;
        if (direction >= 0 && values[high] - values[i] >= least) {
            if (direction > 0) found.push_back({time[high], values[high], true});
            direction = -1;
            low = high = i;
        } else if (direction <= 0 && values[i] - values[low] >= least) {
            if (direction < 0) found.push_back({time[low], values[low], false});
            direction = 1;
            low = high = i;
        }
    }
    return found;
}

double value_at(std::span<const double> time, std::span<const double> values, double t) {
    const auto next = std::lower_bound(time.begin(), time.end(), t) - time.begin();
    const auto i = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 0, std::ssize(time) - 1));
    if (i == 0 || time[i] == time[i - 1]) return values[i];
    const double part = (t - time[i - 1]) / (time[i] - time[i - 1]);
    return values[i - 1] + std::clamp(part, 0.0, 1.0) * (values[i] - values[i - 1]);
}

std::string rounded_text(double v) {
    return fmt::format("{:.4g}", v == 0 ? 0.0 : v);
}

}  // namespace

CurveShape shape_of(std::span<const double> time, std::span<const double> values) {
    CurveShape shape;
    bool any = false;
    for (std::size_t i = 0; i < values.size(); ++i) {
        const double v = values[i];
        if (!std::isfinite(v)) {
            ++shape.gaps;
            continue;
        }
        if (!any) {
            shape.first = shape.lowest = shape.highest = v;
            shape.lowest_at = shape.highest_at = time[i];
            any = true;
        }
        if (v < shape.lowest) shape.lowest = v, shape.lowest_at = time[i];
        if (v > shape.highest) shape.highest = v, shape.highest_at = time[i];
        shape.last = v;
    }
    if (!any) return shape;
    const double range = shape.highest - shape.lowest, begin = time.front(), length = time.back() - begin;
    const double size = std::max(std::fabs(shape.lowest), std::fabs(shape.highest));
    if (!(range > 1e-9 * size) || !(length > 0)) return shape;

    // Swings of less than a hundredth of the range are no oscillation; of those that are, the last decide.
    const std::vector<Extremum> turns = turning_points(time, values, 0.01 * range);
    if (turns.size() >= 4) {
        const Extremum &a = turns[turns.size() - 4], &b = turns[turns.size() - 3],
                       &c = turns[turns.size() - 2], &d = turns[turns.size() - 1];
        const double period = ((c.time - a.time) + (d.time - b.time)) / 2;
        // The curve is still at it when the run ends.
        const bool goes_on = time.back() - d.time < 1.2 * period;
        if (goes_on && period > 0) {
            shape.kind = CurveKind::Oscillation;
            shape.period = period;
            shape.low = std::min(c.value, d.value);
            shape.high = std::max(c.value, d.value);
            const auto swing = [&](std::size_t i) { return std::fabs(turns[i + 1].value - turns[i].value); };
            const double earlier = swing(turns.size() - 4), later = swing(turns.size() - 2);
            shape.per_period = earlier > 0 ? later / earlier : 1;
            return shape;
        }
    }

    // Settled: since when it stays near the last value.
    double rest_from = begin;
    for (std::size_t i = values.size(); i-- > 0;)
        if (std::isfinite(values[i]) && std::fabs(values[i] - shape.last) > 0.01 * range) {
            rest_from = time[i];
            break;
        }
    shape.rest_from = rest_from;
    const double at = [&](double part) { return value_at(time, values, begin + part * length); }(0.9);
    if (begin + length - rest_from > 0.1 * length && std::fabs(shape.last - at) < 0.01 * range) {
        shape.kind = CurveKind::Rest;
        return shape;
    }
    if (!turns.empty() && turns.back().time > begin + 0.5 * length) {
        shape.kind = CurveKind::Turns;
        shape.slope = shape.last - turns.back().value;
        return shape;
    }
    // Changes over the last two quarters of the run.
    const double half = value_at(time, values, begin + 0.5 * length);
    const double three = value_at(time, values, begin + 0.75 * length);
    const double earlier = three - half, later = shape.last - three;
    shape.slope = later / (0.25 * length);
    const double ratio = earlier != 0 ? later / earlier : 0;
    if (ratio > 1.3) {
        shape.kind = CurveKind::Growth;
        shape.doubling = 0.25 * length * std::log(2.0) / std::log(ratio);
    } else if (ratio > 0.8) {
        shape.kind = CurveKind::Steady;
    } else {
        shape.kind = CurveKind::Approach;
    }
    return shape;
}

std::string shape_text(const CurveShape& s) {
    const std::string gaps =
        s.gaps ? fmt::format("; {} value{} no number", s.gaps, s.gaps == 1 ? " is" : "s are") : "";
    switch (s.kind) {
        case CurveKind::Constant:
            return fmt::format("stays at {}", rounded_text(s.last)) + gaps;
        case CurveKind::Rest:
            return fmt::format("comes to rest at {} (within 1 % of its range from {} on)",
                               rounded_text(s.last), rounded_text(s.rest_from)) +
                   gaps;
        case CurveKind::Approach:
            return fmt::format("changes ever more slowly, is {} at the end", rounded_text(s.last)) + gaps;
        case CurveKind::Steady:
            return fmt::format("{} steadily by {} a unit of time, is {} at the end",
                               s.slope > 0 ? "rises" : "falls", rounded_text(std::fabs(s.slope)),
                               rounded_text(s.last)) +
                   gaps;
        case CurveKind::Growth:
            return fmt::format("{} ever faster: its rate doubles in about {}; is {} at the end",
                               s.slope > 0 ? "rises" : "falls", rounded_text(s.doubling),
                               rounded_text(s.last)) +
                   gaps;
        case CurveKind::Turns:
            return fmt::format("goes up and down, {} at the end, where it is {}",
                               s.slope > 0 ? "rises" : "falls", rounded_text(s.last)) +
                   gaps;
        case CurveKind::Oscillation:
            break;
    }
    const std::string swing =
        s.sustained() ? "without dying out"
        : s.dies_out()
            ? fmt::format("dying out: each period has {:.0f} % of the amplitude before", 100 * s.per_period)
            : fmt::format("building up: each period has {} times the amplitude before",
                          rounded_text(s.per_period));
    return fmt::format("oscillates, {}; at the end between {} and {} with the period {}", swing,
                       rounded_text(s.low), rounded_text(s.high), rounded_text(s.period)) +
           gaps;
}

std::string extremes_text(const CurveShape& s) {
    if (s.kind == CurveKind::Constant) return {};
    return fmt::format("lowest {} at {}, highest {} at {}", rounded_text(s.lowest), rounded_text(s.lowest_at),
                       rounded_text(s.highest), rounded_text(s.highest_at));
}

}  // namespace cutset
