// The crossing functions of state events as an integration step sees them, in lists without gaps: their
// values at the point last looked at, and what the switches, which are frozen meanwhile, ask of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "ir/program.h"

namespace cutset {

struct CrossingWatch {
    // By state switch.
    std::vector<Slot> slots;
    std::vector<double> offsets;       // that count as part of the function
    std::vector<double> senses;        // the sign that the switch asks for, 0 when it asks for none
    std::vector<double> now;           // values last read, without offsets
    std::vector<double> largest;       // sizes read so far
    std::vector<std::size_t> special;  // switches of which more than a sign must be known
    bool shifted = false;              // some offset is not zero

    void clear() {
        for (auto* list : {&offsets, &senses, &now, &largest}) list->clear();
        slots.clear();
        special.clear();
        shifted = false;
    }
    void add(Slot slot, double value, double offset, double sense) {
        slots.push_back(slot);
        offsets.push_back(offset);
        senses.push_back(sense);
        now.push_back(value);
        largest.push_back(0);
    }

    void read(std::span<const double> values) {
        if (!slots.empty() && slots.back() - slots.front() + 1 == slots.size())
            std::copy_n(values.begin() + slots.front(), slots.size(), now.begin());
        else
            for (std::size_t k = 0; k < slots.size(); ++k) now[k] = values[slots[k]];
    }
    void note_sizes() {
        for (std::size_t k = 0; k < now.size(); ++k) largest[k] = std::max(largest[k], std::abs(now[k]));
    }
    // Whether a function has the sign that its switch excludes.
    bool opposed() const {
        return any_negative([&](std::size_t k) { return (now[k] + offsets[k]) * senses[k]; });
    }
    // Whether a parabola through three values, at the ends of the step and in its middle, has its extreme
    // inside, for any of the functions. c0 + b*s + a*s^2 for s from 0 to 1, with a = 2(c0 + c1 - 2m): that is
    // at s = 1/2 - (c1 - c0)/(2a).
    bool bends(const std::vector<double>& begin, const std::vector<double>& middle,
               const std::vector<double>& end) const {
        return any_negative([&](std::size_t k) {
            return std::abs(end[k] - begin[k]) - 2 * std::abs(begin[k] + end[k] - 2 * middle[k]);
        });
    }

  private:
    // Without branches, in chains that need not wait for each other.
    template <class Value>
    bool any_negative(Value value) const {
        double least[4] = {};
        std::size_t k = 0;
        for (; k + 4 <= now.size(); k += 4)
            for (std::size_t j = 0; j < 4; ++j) {
                const double v = value(k + j);
                least[j] = v < least[j] ? v : least[j];
            }
        for (; k < now.size(); ++k) least[0] = std::min(least[0], value(k));
        return std::min(std::min(least[0], least[1]), std::min(least[2], least[3])) < 0;
    }
};

}  // namespace cutset
