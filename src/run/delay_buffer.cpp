#include "run/delay_buffer.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <optional>

namespace cutset {

void DelayBuffer::record(std::size_t number, double time, double value, double oldest) {
    Line& line = lines_[number];
    std::vector<Point>& points = line.points;
    // A point of a step that was tried again at an earlier time replaces what lies after it.
    while (!points.empty() && points.back().time > time) points.pop_back();
    while (!line.jumps.empty() && line.jumps.back() > time) line.jumps.pop_back();
    const std::size_t n = points.size();
    if (n > 0 && points.back().time == time) {
        if (points.back().value == value) return;
        if (n > 1 && points[n - 2].time == time) {  // keep one value before and one after a jump
            points.back().value = value;
            return;
        }
        // What rounding moves at an event is no jump.
        const double before = points.back().value;
        if (std::abs(value - before) > 1e-9 * std::max(std::abs(value), std::abs(before)))
            line.jumps.push_back(time);
    }
    // Old points make room before memory is asked for, but for those that interpolation at `oldest` needs.
    // Many at once, so that each move of the others is paid by as many points recorded.
    if (n == points.capacity()) {
        const auto needed = std::lower_bound(points.begin(), points.end(), oldest,
                                             [](const Point& p, double t) { return p.time < t; });
        const std::size_t older = static_cast<std::size_t>(needed - points.begin());
        if (older > n / 4 + 6) {
            points.erase(points.begin(), needed - 6);
            line.dropped = true;
            line.near -= std::min(line.near, older - 6);
        }
    }
    points.push_back({time, value});
}

double DelayBuffer::value(std::size_t number, double time) {
    Line& line = lines_[number];
    const std::vector<Point>& points = line.points;
    if (points.empty()) return 0;
    if (time >= now_ && now_ >= points.back().time) {  // a delay by 0
        asked_ = true;
        return line.present;
    }
    if (!line.jumps.empty() && time >= line.jumps.front()) {
        const auto jump = std::lower_bound(points.begin(), points.end(), line.jumps.front(),
                                           [](const Point& p, double t) { return p.time < t; });
        return jump == points.end() ? points.back().value : jump->value;
    }
    time = std::max(time, line.passed);  // t - T at the event itself, but for rounding
    if (time > points.back().time) return in_present_step(line, time);
    // The last point that is not after it. Times asked for grow by little, most often.
    std::size_t lo = line.near;
    const auto found = [&] {
        return lo + 1 < points.size() && points[lo].time <= time && time < points[lo + 1].time;
    };
    for (int step = 0; step < 3 && !found(); ++step) ++lo;
    if (!found()) {
        const auto after = std::upper_bound(points.begin(), points.end(), time,
                                            [](double t, const Point& p) { return t < p.time; });
        if (after == points.begin()) {
            line.lost = line.lost || line.dropped;
            return points.front().value;
        }
        if (after == points.end()) return points.back().value;
        lo = static_cast<std::size_t>(after - points.begin()) - 1;
    }
    line.near = lo;
    const std::size_t hi = lo + 1;
    const double left = points[lo].time, right = points[hi].time;
    if (time == left) return points[lo].value;
    // The six nearest points of the same smooth stretch. Points much closer together than this interval
    // (events make such) are passed over: their difference is rounding.
    const double apart = 1e-3 * (right - left);
    std::size_t chosen[6] = {lo, hi}, count = 2, from = lo, to = hi;
    const auto next = [&](std::size_t at, bool leftward) -> std::optional<std::size_t> {
        for (std::size_t i = at; leftward ? i > 0 : i + 1 < points.size();) {
            const std::size_t before = i;
            leftward ? --i : ++i;
            if (points[i].time == points[before].time) return std::nullopt;  // a jump
            if (std::abs(points[i].time - points[at].time) >= apart) return i;
        }
        return std::nullopt;
    };
    for (std::size_t on_left = 0, on_right = 0; count < 6; ++count) {
        const auto a = next(from, true), b = next(to, false);
        if (!a && !b) break;
        const bool leftward = a && (!b || on_left <= on_right);
        chosen[count] = leftward ? from = *a : to = *b;
        ++(leftward ? on_left : on_right);
    }
    // What was constant stays so, to the last digit: relations may compare it.
    if (std::all_of(chosen, chosen + count,
                    [&](std::size_t i) { return points[i].value == points[lo].value; }))
        return points[lo].value;
    // Lagrange, with the interval as the unit of time: Σ vᵢ Πⱼ(t - tⱼ) / Πⱼ(tᵢ - tⱼ), one division each.
    double at[6];
    const double unit = 1 / (right - left);
    for (std::size_t i = 0; i < count; ++i) at[i] = (points[chosen[i]].time - time) * unit;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        double above = points[chosen[i]].value, below = 1;
        for (std::size_t j = 0; j < count; ++j)
            if (j != i) {
                above *= at[j];
                below *= at[j] - at[i];
            }
        sum += above / below;
    }
    return sum;
}

void DelayBuffer::remember(MemoryStream& memory) {
    for (Line& line : lines_) {
        std::vector<double> times, values;
        for (const Point& p : line.points) {
            times.push_back(p.time);
            values.push_back(p.value);
        }
        memory.list("delay times", times);
        memory.list("delay values", values);
        memory("present", line.present);
        memory("longest", line.longest);
        memory("dropped", line.dropped);
        memory("lost", line.lost);
        memory("near", line.near);
        memory.list("jumps", line.jumps);
        memory("passed", line.passed);
        if (times.size() != values.size() || (line.near > 0 && line.near >= times.size()))
            return memory.fail();
        if (!memory.restores()) continue;
        line.points.resize(times.size());
        for (std::size_t i = 0; i < times.size(); ++i) line.points[i] = {times[i], values[i]};
    }
    memory("delays at", now_);
    memory("delays asked", asked_);
}

void DelayBuffer::begin(double time) {
    now_ = time;
    asked_ = false;
}

// Points much closer together than the step is long would make the polynomial swing: they are passed over.
double DelayBuffer::in_present_step(const Line& line, double time) {
    constexpr std::size_t most = 6;
    const std::vector<Point>& points = line.points;
    asked_ = true;
    if (!(now_ > points.back().time)) return points.back().value;
    const double length = now_ - points.back().time;
    std::array<Point, most> chosen{{{now_, line.present}, points.back()}};
    std::size_t count = 2;
    for (std::size_t i = points.size() - 1; i > 0 && count < most; --i) {
        if (points[i - 1].time == points[i].time) break;  // a jump
        if (chosen[count - 1].time - points[i - 1].time >= length / 4) chosen[count++] = points[i - 1];
    }
    if (std::all_of(chosen.begin(), chosen.begin() + count,
                    [&](const Point& p) { return p.value == line.present; }))
        return line.present;
    double sum = 0;
    for (std::size_t i = 0; i < count; ++i) {
        double term = chosen[i].value;
        for (std::size_t j = 0; j < count; ++j)
            if (j != i) term *= (time - chosen[j].time) / (chosen[i].time - chosen[j].time);
        sum += term;
    }
    return sum;
}

double DelayBuffer::next_jump(std::size_t number) const {
    const Line& line = lines_[number];
    return line.jumps.empty() ? std::numeric_limits<double>::infinity() : line.jumps.front();
}

void DelayBuffer::pass(std::size_t number) {
    Line& line = lines_[number];
    line.passed = line.jumps.front();
    line.jumps.pop_front();
}

}  // namespace cutset
