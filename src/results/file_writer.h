// What the writers of result files share: the rows that are not written yet, the first problem, and the end.
// Numbers become text or bytes and go to the file block by block, on another thread beside the run; where
// that is behind, the caller makes text of a block, too. A small result is one block, which the caller writes
// at the end.
#pragma once

#include <chrono>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/work_beside.h"
#include "results/writer.h"

namespace cutset {

class FileWriter : public ResultWriter {
  public:
    explicit FileWriter(std::string path) : path_(std::move(path)) {}

    Problem begin(const Columns& columns) final;
    Problem append(std::span<const double> row) final;
    Problem flush() final;
    Problem finish() final;
    double processor_seconds_beside() const final { return beside_.processor_seconds(); }

  protected:
    // What the text of a block is put into.
    struct Text {
        std::unique_ptr<char[]> memory;
        std::size_t room = 0;
        std::vector<char*> fields;  // of a row: where each begins
    };

    // All of these one at a time, but not on one thread; `rendered` also on two at once.
    virtual Problem write_header() = 0;
    // Whole rows as they stand in the file, in `rows` or in `text`.
    virtual std::string_view rendered(std::span<const double> rows, Text& text) const = 0;
    // How much of what was rendered and arrived in the file are whole rows.
    virtual std::size_t whole_part(std::string_view written) const {
        return written.size() - written.size() % (width_ * sizeof(double));
    }
    // Makes the rows count that are now in the file, the last of them at the end of `written`.
    virtual Problem mark_rows(std::string_view) { return std::nullopt; }
    // All rows are in the file: gives it its final name, or removes it when there is none.
    virtual Problem close(bool any_row) { return file_.close(any_row); }

    std::string path_;
    OutputFile file_;
    Columns columns_;
    std::size_t width_ = 0;

  private:
    using Clock = std::chrono::steady_clock;
    void pass_on(bool beside);
    void write(std::string_view bytes);

    bool begun_ = false;
    bool any_written_ = false;
    std::vector<double> rows_;   // appended
    Text text_;                  // of them, where the caller makes it
    std::vector<double> block_;  // on their way to the file
    Text block_text_;
    Problem problem_, block_problem_;  // the first; that of the block
    Clock::time_point last_block_;
    WorkBeside beside_;
};

}  // namespace cutset
