#include "session/thin_out.h"

#include <algorithm>
#include <cmath>

namespace cutset {

namespace {

// Of a group in a column: the lowest, the highest and the first that is no number.
void mark_extremes(const std::vector<double>& column, std::size_t begin, std::size_t end,
                   std::vector<bool>& stays) {
    std::size_t low = end, high = end, gap = end;
    for (std::size_t k = begin; k < end; ++k) {
        const double v = column[k];
        if (std::isnan(v)) {
            if (gap == end) gap = k;
            continue;
        }
        if (low == end || v < column[low]) low = k;
        if (high == end || v > column[high]) high = k;
    }
    for (const std::size_t k : {low, high, gap})
        if (k < end) stays[k] = true;
}

// Reduces the groups that lie behind each other from `begin` on; their ends afterwards.
std::vector<std::size_t> reduce(const RecordColumns& columns, std::size_t begin,
                                const std::vector<std::size_t>& ends) {
    std::vector<std::size_t> after;
    if (ends.empty()) return after;
    std::vector<bool> stays(ends.back(), false);
    std::size_t from = begin, kept = begin;
    for (const std::size_t to : ends) {
        if (to > from) stays[from] = stays[to - 1] = true;
        for (const std::vector<double>* column : columns) mark_extremes(*column, from, to, stays);
        kept += static_cast<std::size_t>(std::count(stays.begin() + static_cast<std::ptrdiff_t>(from),
                                                    stays.begin() + static_cast<std::ptrdiff_t>(to), true));
        after.push_back(kept);
        from = to;
    }
    for (std::vector<double>* column : columns) {
        std::size_t next = begin;
        for (std::size_t k = begin; k < ends.back(); ++k)
            if (stays[k]) (*column)[next++] = (*column)[k];
        column->erase(column->begin() + static_cast<std::ptrdiff_t>(next),
                      column->begin() + static_cast<std::ptrdiff_t>(ends.back()));
    }
    return after;
}

}  // namespace

void Thinning::thin_out(const RecordColumns& columns) {
    if (length_ == 0) length_ = 4 * (3 * columns.size() + 2);
    const std::size_t rows = columns[0]->size();
    settle(columns, rows - std::min(recent_, rows - settled_));
    while (settled_ - begin_ > most_ / 2 && ends_.size() > 1) double_groups(columns);
}

// Takes rows up to this one into groups.
void Thinning::settle(const RecordColumns& columns, std::size_t upto) {
    std::vector<std::size_t> ends;
    for (std::size_t at = settled_; at < upto;) {
        const std::size_t taken = std::min(upto - at, length_ - open_);
        at += taken;
        open_ = (open_ + taken) % length_;
        if (open_ == 0 || at == upto) ends.push_back(at);
    }
    ends = reduce(columns, ends_.empty() ? begin_ : ends_.back(), ends);
    if (ends.empty()) return;
    settled_ = ends.back();
    if (open_ > 0) ends.pop_back();
    ends_.insert(ends_.end(), ends.begin(), ends.end());
}

void Thinning::double_groups(const RecordColumns& columns) {
    std::vector<std::size_t> ends;
    for (std::size_t k = 1; k < ends_.size(); k += 2) ends.push_back(ends_[k]);
    // One that is left over opens again.
    if (ends_.size() % 2 == 1) open_ += length_;
    length_ *= 2;
    if (open_ > 0) ends.push_back(settled_);
    ends_ = reduce(columns, begin_, ends);
    settled_ = ends_.back();
    if (open_ > 0) ends_.pop_back();
}

}  // namespace cutset
