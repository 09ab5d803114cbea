// Records of bounded length that keep every extreme. Of each group of consecutive points stay the first, the
// last, those that are lowest or highest in some column, and one that is no number, so that a gap remains.
#pragma once

#include <cstddef>
#include <vector>

namespace cutset {

// Points [begin, end) of columns of equal length; at least three of four of them go where there are many.
void thin_out(const std::vector<std::vector<double>*>& columns, std::size_t begin, std::size_t end);

}  // namespace cutset
