// Numbers as DISP writes them.
#pragma once

#include <string>
#include <vector>

#include "live/live_model.h"

namespace cutset {

std::string six_digits(double value);    // 0.711000, 2.23021, 0.000000
std::string short_number(double value);  // 2.23, 0.711, 1.

// `STATE :  U  2.23021  V  0.711000`, several lines where there are many.
struct DisplayItem {
    std::string name, value;
};
std::string display_lines(const std::string& role, const std::vector<DisplayItem>& items);

}  // namespace cutset
