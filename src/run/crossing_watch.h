// The crossing functions of state events as an integration step sees them, in lists without gaps: their
// values at the point last looked at, and what the switches, which are frozen meanwhile, ask of them.
#pragma once

#include <algorithm>
#include <cmath>
#include <span>
#include <vector>

#include "base/memory.h"
#include "ir/program.h"

namespace cutset {

struct CrossingWatch {
    // By state switch.
    std::vector<Slot> slots;
    std::vector<double> offsets;           // that count as part of the function
    std::vector<double> senses;            // the sign that the switch asks for, 0 when it asks for none
    std::vector<double> now;               // values last read, without offsets
    std::vector<double> largest;           // sizes read so far
    std::vector<double> left_at;           // when it was first seen far away
    std::vector<std::size_t> special;      // switches of which more than a sign must be known
    std::vector<std::size_t> offset_list;  // those with offsets that are not zero

    // For that many switches, to be written into the lists.
    void resize(std::size_t n) {
        for (auto* list : {&offsets, &senses, &now}) list->resize(n);
        largest.assign(n, 0.0);
        left_at.resize(n);
        slots.resize(n);
        special.clear();
        offset_list.clear();
    }

    void remember(MemoryStream& memory) {
        memory.list("crossing slots", slots);
        for (auto* list : {&offsets, &senses, &now, &largest, &left_at}) {
            memory.list("crossings", *list);
            if (list->size() != slots.size()) memory.fail();
        }
        memory.list("special", special);
        memory.list("with offsets", offset_list);
        for (const auto* list : {&special, &offset_list})
            for (std::size_t k : *list)
                if (k >= slots.size()) memory.fail();
    }

    void read(std::span<const double> values) {
        const std::size_t n = slots.size();
        if (n > 0 && slots.back() - slots.front() + 1 == n)
            std::copy_n(values.begin() + slots.front(), n, now.begin());
        else
            for (std::size_t k = 0; k < n; ++k) now[k] = values[slots[k]];
    }
    // With their offsets, at time t. From where a function has been seen far from zero on, its offset
    // no longer counts: else a ball that flies for one step comes back to a floor below the one it left.
    void write(double t, std::span<double> g) {
        const double *values = now.data(), *shifts = offsets.data();
        double* to = g.data();
#pragma GCC ivdep
        for (std::size_t k = 0; k < g.size(); ++k) to[k] = values[k] + shifts[k];
        for (std::size_t k : offset_list) {
            if (now[k] * senses[k] > 1e3 * std::abs(offsets[k])) left_at[k] = std::min(left_at[k], t);
            if (t >= left_at[k]) g[k] = now[k];
        }
    }
    void note_sizes() {
        for (std::size_t k = 0; k < now.size(); ++k) largest[k] = std::max(largest[k], std::abs(now[k]));
    }
    // Whether a function has the sign that its switch excludes.
    bool opposed() const {
        Pair least{};
        for_each_pair([&](std::size_t, const auto& at) {
            least = least_of((at(now) + at(offsets)) * at(senses), least);
        });
        return negative(least);
    }
    // The same in the middle of a step, for the values read last, and at its end; and whether a parabola
    // through three values, at the ends of the step and in its middle, has its extreme inside, for any of the
    // functions. c0 + b*s + a*s^2 for s from 0 to 1, with a = 2(c0 + c1 - 2m): that is at
    // s = 1/2 - (c1 - c0)/(2a). Sizes are noted.
    struct Seen {
        bool opposed_in_middle, opposed_at_end, bends;
    };
    Seen see(const std::vector<double>& begin, const std::vector<double>& end) {
        Pair in_middle{}, at_end{}, extreme{};
        for_each_pair([&](std::size_t k, const auto& at) {
            const Pair c0 = at(begin), m = at(now), c1 = at(end), shift = at(offsets), sense = at(senses);
            const Pair size = largest_of(largest_of(size_of(m), size_of(c1)), at(largest));
            largest[k] = size[0];
            if (k + 1 < now.size()) largest[k + 1] = size[1];
            in_middle = least_of((m + shift) * sense, in_middle);
            at_end = least_of((c1 + shift) * sense, at_end);
            extreme = least_of(size_of(c1 - c0) - 2 * size_of(c0 + c1 - 2 * m), extreme);
        });
        return {negative(in_middle), negative(at_end), negative(extreme)};
    }
    // The last of these for three lists.
    bool bends(const std::vector<double>& begin, const std::vector<double>& middle,
               const std::vector<double>& end) const {
        Pair least{};
        for_each_pair([&](std::size_t, const auto& at) {
            const Pair c0 = at(begin), m = at(middle), c1 = at(end);
            least = least_of(size_of(c1 - c0) - 2 * size_of(c0 + c1 - 2 * m), least);
        });
        return negative(least);
    }

  private:
    // Two at a time, without branches. What is not a number counts as nothing.
    using Pair [[gnu::vector_size(2 * sizeof(double))]] = double;
    static Pair least_of(Pair v, Pair w) {
        return v < w ? v : w;
    }
    static Pair largest_of(Pair v, Pair w) {
        return v > w ? v : w;
    }
    static Pair size_of(Pair v) {
        return largest_of(v, -v);
    }
    static bool negative(Pair v) {
        return v[0] < 0 || v[1] < 0;
    }
    // visit(k, at), at(list) being elements k and k + 1; of the last one of an odd number, that one twice.
    template <class Visit>
    void for_each_pair(Visit visit) const {
        const std::size_t n = now.size();
        std::size_t k = 0;
        for (; k + 2 <= n; k += 2)
            visit(k, [k](const std::vector<double>& list) { return Pair{list[k], list[k + 1]}; });
        if (k < n) visit(k, [k](const std::vector<double>& list) { return Pair{list[k], list[k]}; });
    }
};

}  // namespace cutset
