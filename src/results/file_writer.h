// What the writers of result files share: the buffer of whole rows, the first problem, and the end.
#pragma once

#include <chrono>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <utility>

#include "results/writer.h"

namespace cutset {

class FileWriter : public ResultWriter {
  public:
    explicit FileWriter(std::string path) : path_(std::move(path)) {}

    Problem begin(const Columns& columns) final;
    Problem append(std::span<const double> row) final;
    Problem flush() final;
    Problem finish() final;

  protected:
    virtual Problem write_header() = 0;
    virtual void add_row(std::span<const double> row) = 0;
    // The largest number of bytes <= `written` of the buffer that ends with a whole row.
    virtual std::size_t whole_part(std::size_t written) const = 0;
    // Makes the rows count that are now in the file, the last of them at the end of `written`.
    virtual Problem mark_rows(std::string_view) { return std::nullopt; }
    // All rows are in the file: gives it its final name, or removes it when there is none.
    virtual Problem close(bool any_row) { return file_.close(any_row); }

    std::string path_;
    OutputFile file_;
    Columns columns_;
    std::size_t width_ = 0;
    std::string buffer_;

  private:
    using Clock = std::chrono::steady_clock;
    bool begun_ = false;
    bool any_written_ = false;
    Problem problem_;
    Clock::time_point last_flush_;
};

}  // namespace cutset
