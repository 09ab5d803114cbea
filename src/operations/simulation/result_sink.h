// Where the rows of a simulation go: to the result file, and those of the curves to memory.
#pragma once

#include <ctime>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <utility>
#include <vector>

#include "native/engine.h"
#include "results/select_columns.h"
#include "results/writer.h"
#include "run/simulate.h"

namespace cutset {

// Processor time of the run itself: from the row of the start to that of the end, without machine code made
// meanwhile; then that of closing the file. Of other threads, that which writes the file counts too.
class RunClock {
  public:
    explicit RunClock(double stop) : stop_(stop) {}
    void set_engine(const NativeEngine* engine) { engine_ = engine; }

    void saw_row(double time) {
        if (!began_) began_ = now();
        if (time == stop_) ended_ = now();
    }
    void begin_closing() {
        // A run that ended before its time.
        if (began_ && !ended_) ended_ = now();
        closing_began_ = now();
    }
    void end_closing(double beside) { closing_ = now() - closing_began_ + beside; }
    double seconds() const { return began_ && ended_ ? *ended_ - *began_ + closing_ : 0; }

  private:
    double now() const {
        timespec t{};
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
        return static_cast<double>(t.tv_sec) + 1e-9 * static_cast<double>(t.tv_nsec) -
               (engine_ ? engine_->waited_processor() : 0);
    }

    double stop_;
    const NativeEngine* engine_ = nullptr;
    std::optional<double> began_, ended_;
    double closing_began_ = 0, closing_ = 0;
};

// Streams all columns to the file and keeps those to be plotted.
class ResultSink : public RowSink {
  public:
    ResultSink(std::unique_ptr<ResultWriter> writer, std::vector<std::string> wanted, double stop)
        : clock(stop), writer_(std::move(writer)), wanted_(std::move(wanted)) {}

    std::optional<std::string> begin(const Columns& columns) override {
        if (auto problem = writer_->begin(columns)) return problem;
        selection_ = select_columns(columns, wanted_);
        kept = Trajectory(selection_.columns);
        kept_row_.resize(selection_.stored.size());
        return std::nullopt;
    }
    std::optional<std::string> row(std::span<const double> values) override {
        if (!wanted_.empty()) {
            for (std::size_t i = 0; i < kept_row_.size(); ++i) kept_row_[i] = values[selection_.stored[i]];
            kept.append(kept_row_);
        }
        auto problem = writer_->append(values);
        clock.saw_row(values[0]);
        return problem;
    }
    std::optional<std::string> finish() {
        clock.begin_closing();
        auto problem = writer_->finish();
        clock.end_closing(writer_->processor_seconds_beside());
        return problem;
    }
    const std::vector<std::string>& unknown() const { return selection_.unknown; }

    Trajectory kept;
    RunClock clock;

  private:
    std::unique_ptr<ResultWriter> writer_;
    std::vector<std::string> wanted_;
    ColumnSelection selection_;
    std::vector<double> kept_row_;
};

// The steps that the integrator tried, to a file like a result.
class StepsFile {
  public:
    Problem open(const std::string& path) {
        Problem problem;
        writer_ = make_writer(path, problem);
        if (!writer_) return problem;
        Columns columns;
        columns.push_back(time_column());
        columns.push_back({.name = "step", .unit = "s", .description = "its length"});
        columns.push_back({.name = "error", .description = "in units of the tolerance"});
        columns.push_back({.name = "accepted", .description = "1, or 0 for a step that was tried again"});
        return writer_->begin(columns);
    }
    void write(const TriedStep& s) {
        const double row[] = {s.time, s.size, s.error, s.accepted ? 1.0 : 0.0};
        if (!problem_) problem_ = writer_->append(row);
    }
    Problem finish() {
        Problem last = writer_ ? writer_->finish() : std::nullopt;
        return problem_ ? problem_ : last;
    }

  private:
    std::unique_ptr<ResultWriter> writer_;
    Problem problem_;
};

}  // namespace cutset
