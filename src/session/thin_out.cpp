#include "session/thin_out.h"

#include <algorithm>
#include <cmath>

namespace cutset {

void thin_out(const std::vector<std::vector<double>*>& columns, std::size_t begin, std::size_t end) {
    if (columns.empty() || end <= begin) return;
    const std::size_t group = 4 * (2 * columns.size() + 3);
    std::vector<bool> stays(end - begin, false);
    for (std::size_t from = begin; from < end; from += group) {
        const std::size_t to = std::min(end, from + group);
        stays[from - begin] = stays[to - 1 - begin] = true;
        for (const std::vector<double>* column : columns) {
            std::size_t low = to, high = to, gap = to;
            for (std::size_t k = from; k < to; ++k) {
                const double v = (*column)[k];
                if (std::isnan(v)) {
                    if (gap == to) gap = k;
                    continue;
                }
                if (low == to || v < (*column)[low]) low = k;
                if (high == to || v > (*column)[high]) high = k;
            }
            for (const std::size_t k : {low, high, gap})
                if (k < to) stays[k - begin] = true;
        }
    }
    for (std::vector<double>* column : columns) {
        std::size_t kept = begin;
        for (std::size_t k = begin; k < end; ++k)
            if (stays[k - begin]) (*column)[kept++] = (*column)[k];
        column->erase(column->begin() + static_cast<std::ptrdiff_t>(kept),
                      column->begin() + static_cast<std::ptrdiff_t>(end));
    }
}

}  // namespace cutset
