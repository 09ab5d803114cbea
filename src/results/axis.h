// The numbers at an axis: limits, ticks at 1, 2 or 5 times a power of ten, and what their labels leave out.
#pragma once

#include <cmath>
#include <string>
#include <vector>

namespace cutset {

// value = (label) * 10^exponent + offset
struct Axis {
    double low = 0;
    double high = 1;
    std::vector<double> ticks;
    std::vector<std::string> labels;
    int exponent = 0;
    std::string offset;  // "" for none, else for example "+101325"
    bool logarithmic = false;
    std::vector<double> minor;  // logarithmic: further lines of the grid

    // 0 at `low`, 1 at `high`; safe for limits near the largest number.
    double place(double value) const {
        if (logarithmic) return std::log(value / low) / std::log(high / low);
        return (value / 2 - low / 2) / (high / 2 - low / 2);
    }
    // What stands at the end of the axis: "×10⁻¹² +101325", or nothing.
    std::string note() const;
};

// Covers the finite values between `low` and `high`. `margin` is the part of the range to add at both ends.
Axis make_axis(double low, double high, int wanted_ticks, double margin);

// Powers of ten, and 2 and 5 times them where there are few. Both limits are positive.
Axis make_log_axis(double low, double high, int wanted_ticks);
// Ticks at 15, 30, 45, 90 … degrees.
Axis make_degree_axis(double low, double high, int wanted_ticks, double margin);

// "−12" as "⁻¹²".
std::string superscript(int number);

}  // namespace cutset
