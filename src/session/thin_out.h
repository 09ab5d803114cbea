// Records of bounded length that keep every extreme. Rows come one after the other; when they are too many,
// the older ones are taken together in groups of equal length, of which the first row stays, the last, those
// that are lowest or highest in some column, and one that is no number, so that a gap remains. Groups become
// longer with the record, so that no part of it is thinner than another, however often that happens.
#pragma once

#include <cstddef>
#include <vector>

namespace cutset {

using RecordColumns = std::vector<std::vector<double>*>;  // of equal length

class Thinning {
  public:
    // Of the rows from `begin` on `most` at most stay, the last `recent` ones all of them.
    Thinning(std::size_t begin, std::size_t most, std::size_t recent)
        : begin_(begin), most_(most), recent_(recent), settled_(begin) {}

    bool is_due(std::size_t rows) const { return rows - begin_ > most_; }
    void thin_out(const RecordColumns& columns);

    std::size_t begin() const { return begin_; }
    // From this row on none was left out.
    std::size_t complete_from() const { return settled_; }

  private:
    void settle(const RecordColumns& columns, std::size_t upto);
    void double_groups(const RecordColumns& columns);

    std::size_t begin_, most_, recent_;
    std::size_t settled_;            // the end of what is in groups
    std::size_t length_ = 0;         // of a group, in rows as they came
    std::size_t open_ = 0;           // as many of them are in the last group, which is not closed
    std::vector<std::size_t> ends_;  // of the closed groups
};

}  // namespace cutset
