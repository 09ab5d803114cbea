#include "results/file_writer.h"

#include "base/diagnostic.h"

namespace cutset {

namespace {

constexpr std::size_t largest_block = 1 << 15;  // values
constexpr auto longest_wait = std::chrono::milliseconds(500);

}  // namespace

Problem FileWriter::begin(const Columns& columns) {
    CUTSET_ASSERT(!begun_);
    begun_ = true;
    columns_ = columns;
    width_ = check_columns(columns);
    problem_ = file_.open(path_);
    if (!problem_) problem_ = write_header();
    last_block_ = Clock::now();
    return problem_;
}

Problem FileWriter::append(std::span<const double> row) {
    CUTSET_ASSERT(begun_ && row.size() == width_);
    if (problem_) return problem_;
    rows_.insert(rows_.end(), row.begin(), row.end());
    const bool full = rows_.size() >= largest_block;
    if (!full && Clock::now() - last_block_ < longest_wait) return std::nullopt;
    pass_on(full);
    return problem_;
}

Problem FileWriter::flush() {
    pass_on(false);
    return problem_;
}

// The rows so far become the block, when the one before is in the file.
void FileWriter::pass_on(bool beside) {
    std::string_view bytes;
    if (beside && beside_.busy()) bytes = rendered(rows_, text_);
    beside_.wait();
    if (!problem_) problem_ = block_problem_;
    if (problem_ || !file_.is_open() || rows_.empty()) return;
    block_.swap(rows_);
    std::swap(block_text_, text_);
    rows_.clear();
    last_block_ = Clock::now();
    const auto work = [this, bytes] { write(bytes.empty() ? rendered(block_, block_text_) : bytes); };
    if (beside) {
        beside_.begin(work);
    } else {
        work();
        problem_ = block_problem_;
    }
}

void FileWriter::write(std::string_view bytes) {
    std::size_t written = 0;
    block_problem_ = file_.append(bytes, written);
    const std::size_t whole = block_problem_ ? whole_part(bytes.substr(0, written)) : written;
    if (block_problem_) file_.truncate(file_.size() - (written - whole));
    if (whole == 0) return;
    any_written_ = true;
    const Problem marking = mark_rows(bytes.substr(0, whole));
    if (!block_problem_) block_problem_ = marking;
}

Problem FileWriter::finish() {
    flush();
    if (!file_.is_open()) return problem_;
    const Problem closing = close(any_written_);
    if (!problem_) problem_ = closing;
    return problem_;
}

}  // namespace cutset
