#include "operations/delay_buffer.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace cutset {

void DelayBuffer::record(std::size_t number, double time, double value) {
    Line& line = lines_[number];
    // A point of a step that was tried again at an earlier time replaces what lies after it.
    while (line.times.size() > line.first && line.times.back() > time) {
        line.times.pop_back();
        line.values.pop_back();
    }
    const std::size_t n = line.times.size();
    if (n > line.first && line.times.back() == time) {
        if (line.values.back() == value) return;
        if (n > line.first + 1 && line.times[n - 2] == time) {  // keep one value before and one after a jump
            line.values.back() = value;
            return;
        }
        // What rounding moves at an event is no jump.
        const double before = line.values.back();
        if (std::abs(value - before) > 1e-9 * std::max(std::abs(value), std::abs(before)))
            line.jumps.push_back(time);
    }
    line.times.push_back(time);
    line.values.push_back(value);
}

double DelayBuffer::value(std::size_t number, double time) {
    const Line& line = lines_[number];
    if (line.times.size() == line.first) return 0;
    const auto begin = line.times.begin() + static_cast<std::ptrdiff_t>(line.first);
    if (!line.jumps.empty() && time >= line.jumps.front()) {
        const auto jump = std::lower_bound(begin, line.times.end(), line.jumps.front());
        return line.values[static_cast<std::size_t>(jump - line.times.begin())];
    }
    time = std::max(time, line.passed);  // t - T at the event itself, but for rounding
    const auto after = std::upper_bound(begin, line.times.end(), time);
    if (after == begin) return line.values[line.first];
    const std::size_t hi = static_cast<std::size_t>(after - line.times.begin());
    if (hi == line.times.size()) return line.values.back();
    const std::size_t lo = hi - 1;
    const double left = line.times[lo], right = line.times[hi];
    if (time == left || right == left) return line.values[lo];
    // The six nearest points of the same smooth stretch. Points much closer together than this interval
    // (events make such) are passed over: their difference is rounding.
    const double apart = 1e-3 * (right - left);
    std::size_t points[6] = {lo, hi}, count = 2, from = lo, to = hi;
    const auto next = [&](std::size_t at, bool leftward) -> std::optional<std::size_t> {
        for (std::size_t i = at; leftward ? i > line.first : i + 1 < line.times.size();) {
            const std::size_t before = i;
            leftward ? --i : ++i;
            if (line.times[i] == line.times[before]) return std::nullopt;  // a jump
            if (std::abs(line.times[i] - line.times[at]) >= apart) return i;
        }
        return std::nullopt;
    };
    for (std::size_t on_left = 0, on_right = 0; count < 6; ++count) {
        const auto a = next(from, true), b = next(to, false);
        if (!a && !b) break;
        const bool leftward = a && (!b || on_left <= on_right);
        points[count] = leftward ? from = *a : to = *b;
        ++(leftward ? on_left : on_right);
    }
    double sum = 0;  // Lagrange
    for (std::size_t i = 0; i < count; ++i) {
        double weight = line.values[points[i]];
        for (std::size_t j = 0; j < count; ++j)
            if (j != i)
                weight *= (time - line.times[points[j]]) / (line.times[points[i]] - line.times[points[j]]);
        sum += weight;
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

void DelayBuffer::forget_before(std::size_t number, double time) {
    Line& line = lines_[number];
    while (line.first + 8 < line.times.size() && line.times[line.first + 6] < time) ++line.first;
    if (line.first > 4096 && line.first > line.times.size() / 2) {
        line.times.erase(line.times.begin(), line.times.begin() + static_cast<std::ptrdiff_t>(line.first));
        line.values.erase(line.values.begin(), line.values.begin() + static_cast<std::ptrdiff_t>(line.first));
        line.first = 0;
    }
}

}  // namespace cutset
