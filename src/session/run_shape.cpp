#include "session/run_shape.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "flat/shape_text.h"

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

// How far the curve goes from each turn to the next.
std::vector<double> swings_between(const std::vector<Extremum>& turns) {
    std::vector<double> out;
    for (std::size_t i = 0; i + 1 < turns.size(); ++i)
        out.push_back(std::fabs(turns[i + 1].value - turns[i].value));
    return out;
}

// The number of swings after which they repeat themselves, within that part of their size; nothing when they
// do not.
std::optional<std::size_t> swings_of_period(const std::vector<double>& swings, double same) {
    const std::size_t n = swings.size();
    for (std::size_t period = 2; period == 2 || 2 * period <= n; period += 2) {
        bool repeats = true;
        for (std::size_t k = 0; k < std::max<std::size_t>(period, 3) && k + period < n && repeats; ++k) {
            const double later = swings[n - 1 - k], earlier = swings[n - 1 - k - period];
            repeats = std::fabs(later - earlier) <= same * std::max(later, earlier);
        }
        if (repeats) return period;
    }
    return std::nullopt;
}

// Whether each is smaller than the one a period before, since an early one that is the largest; or whether
// each is larger. Small exceptions long ago do not count.
bool change_one_way(const std::vector<double>& swings, bool larger) {
    constexpr std::size_t recent = 8;
    constexpr double exception = 0.02;
    const std::size_t n = swings.size();
    const auto goes = [&](std::size_t earlier, std::size_t later, double by) {
        return larger ? swings[later] > (1 + by) * swings[earlier]
                      : swings[later] < (1 - by) * swings[earlier];
    };
    if (n < 5 && !(goes(n - 3, n - 2, 0) && goes(n - 2, n - 1, 0))) return false;
    std::size_t first = 0;
    if (!larger) {
        first = static_cast<std::size_t>(std::max_element(swings.begin(), swings.end()) - swings.begin());
        if (first > std::max<std::size_t>(1, n / 4)) return false;
    }
    for (std::size_t k = first + 2; k < n; ++k)
        if (!goes(k - 2, k, n - k <= recent ? 0 : -exception)) return false;
    return true;
}

void describe_swings(CurveShape& shape, const std::vector<Extremum>& turns) {
    const std::vector<double> swings = swings_between(turns);
    const std::size_t n = swings.size();
    std::size_t of_period = 2;
    constexpr double equal = 0.003, about_equal = 0.03;
    const auto repeat = [&](double same) {
        const auto found = swings_of_period(swings, same);
        of_period = found.value_or(2);
        return found.has_value();
    };
    if (repeat(equal)) {
        shape.swings = Swings::Sustained;
    } else if (change_one_way(swings, false)) {
        shape.swings = Swings::DieOut;
    } else if (change_one_way(swings, true)) {
        shape.swings = Swings::BuildUp;
    } else if (repeat(about_equal)) {
        shape.swings = Swings::Sustained;
    } else {
        shape.swings = Swings::Vary;
        of_period = std::min<std::size_t>(n, 20);
        const auto last = swings.end() - static_cast<std::ptrdiff_t>(of_period);
        shape.least = *std::min_element(last, swings.end());
        shape.most = *std::max_element(last, swings.end());
    }
    shape.per_period = swings[n - 3] > 0 ? swings[n - 1] / swings[n - 3] : 1;
    const auto first = turns.end() - static_cast<std::ptrdiff_t>(of_period);
    const auto by_value = [](const Extremum& a, const Extremum& b) { return a.value < b.value; };
    shape.low = std::min_element(first, turns.end(), by_value)->value;
    shape.high = std::max_element(first, turns.end(), by_value)->value;
    // From two turns to those a period before.
    const std::size_t m = turns.size();
    shape.period = (turns[m - 1].time - turns[m - 1 - of_period].time) / 2;
    shape.period +=
        m >= of_period + 2 ? (turns[m - 2].time - turns[m - 2 - of_period].time) / 2 : shape.period;
}

double value_at(std::span<const double> time, std::span<const double> values, double t) {
    const auto next = std::lower_bound(time.begin(), time.end(), t) - time.begin();
    const auto i = static_cast<std::size_t>(std::clamp<std::ptrdiff_t>(next, 0, std::ssize(time) - 1));
    if (i == 0 || time[i] == time[i - 1]) return values[i];
    const double part = (t - time[i - 1]) / (time[i] - time[i - 1]);
    return values[i - 1] + std::clamp(part, 0.0, 1.0) * (values[i] - values[i - 1]);
}

double range_between(std::span<const double> time, std::span<const double> values, double from, double to) {
    std::optional<double> low, high;
    for (std::size_t i = 0; i < values.size(); ++i) {
        if (time[i] < from || time[i] > to || !std::isfinite(values[i])) continue;
        low = std::min(low.value_or(values[i]), values[i]);
        high = std::max(high.value_or(values[i]), values[i]);
    }
    return low ? *high - *low : 0;
}

// A curve that stays near a value may still move there: in the last quarter of the run by about as much as in
// the one before, and by more than the errors of a run.
bool still_moves(std::span<const double> time, std::span<const double> values, double begin, double length,
                 double size) {
    constexpr double errors = 1e-5;
    const double last = range_between(time, values, begin + 0.75 * length, begin + length);
    const double before = range_between(time, values, begin + 0.5 * length, begin + 0.75 * length);
    return last > errors * size && last > 0.5 * before;
}

// What the part of the curve from that time on does; extremes are those of the whole.
CurveShape with_end(CurveShape whole, std::span<const double> time, std::span<const double> values,
                    double from) {
    const auto first =
        static_cast<std::size_t>(std::lower_bound(time.begin(), time.end(), from) - time.begin());
    CurveShape end = shape_of(time.subspan(first), values.subspan(first));
    end.first = whole.first;
    end.lowest = whole.lowest, end.lowest_at = whole.lowest_at;
    end.highest = whole.highest, end.highest_at = whole.highest_at;
    end.gaps = whole.gaps;
    return end;
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
        const double two = turns.back().time - turns[turns.size() - 3].time;
        // The curve is still at it when the run ends.
        if (two > 0 && time.back() - turns.back().time < 1.2 * two) {
            shape.kind = CurveKind::Oscillation;
            describe_swings(shape, turns);
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
        if (still_moves(time, values, begin, length, size))
            return with_end(shape, time, values, begin + length / 2);
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
    if (s.swings == Swings::Vary)
        return fmt::format(
                   "oscillates, with swings of varying size, of {} to {}; at the end between {} and {}",
                   rounded_text(s.least), rounded_text(s.most), rounded_text(s.low), rounded_text(s.high)) +
               gaps;
    const std::string swing =
        s.swings == Swings::Sustained ? "without dying out"
        : s.swings == Swings::DieOut
            ? fmt::format("dying out: the last period has {:.3g} % of the amplitude before",
                          100 * s.per_period)
            : fmt::format("building up: the last period has {} times the amplitude before",
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
