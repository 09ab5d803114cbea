#include "results/file_writer.h"

#include "base/diagnostic.h"

namespace cutset {

namespace {

constexpr std::size_t largest_buffer = 1 << 18;
constexpr auto longest_wait = std::chrono::milliseconds(500);

}  // namespace

Problem FileWriter::begin(const Columns& columns) {
    CUTSET_ASSERT(!begun_);
    begun_ = true;
    columns_ = columns;
    width_ = check_columns(columns);
    problem_ = file_.open(path_);
    if (!problem_) problem_ = write_header();
    last_flush_ = Clock::now();
    return problem_;
}

Problem FileWriter::append(std::span<const double> row) {
    CUTSET_ASSERT(begun_ && row.size() == width_);
    if (problem_) return problem_;
    add_row(row);
    if (buffer_.size() < largest_buffer && Clock::now() - last_flush_ < longest_wait) return std::nullopt;
    return flush();
}

Problem FileWriter::flush() {
    if (problem_ || !file_.is_open() || buffer_.empty()) return problem_;
    std::size_t written = 0;
    problem_ = file_.append(buffer_, written);
    const std::size_t whole = problem_ ? whole_part(written) : written;
    if (problem_) file_.truncate(file_.size() - (written - whole));
    if (whole > 0) {
        any_written_ = true;
        const Problem marking = mark_rows(std::string_view(buffer_).substr(0, whole));
        if (!problem_) problem_ = marking;
    }
    buffer_.clear();
    last_flush_ = Clock::now();
    return problem_;
}

Problem FileWriter::finish() {
    flush();
    if (!file_.is_open()) return problem_;
    const Problem closing = close(any_written_);
    if (!problem_) problem_ = closing;
    return problem_;
}

}  // namespace cutset
