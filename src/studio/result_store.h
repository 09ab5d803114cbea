// The rows of a run while it goes on: written by the thread that runs, read by the one that answers.
//
// A curve is asked for as (column, t0, t1, pixels). Where an interval has more rows than the pixels can show,
// each pixel gets the first, the least, the greatest and the last value of its rows, as points of the run, so
// that the polygon through them covers what all rows would. The extremes come from a pyramid: of 16 rows, of
// 16·16, …, the numbers of the rows with the least and the greatest value. It is made for the columns that
// are asked for, when they are asked for.
#pragma once

#include <cstddef>
#include <cstdint>
#include <map>
#include <mutex>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "results/trajectory.h"

namespace cutset::studio {

// Of one column of a Trajectory, whose rows only grow or are dropped at the end.
class Pyramid {
  public:
    explicit Pyramid(ColumnIndex column) : column_(column) {}
    // Rows [begin, end), with their least and greatest value; NaN counts as neither. Nothing when there is
    // none.
    struct Extremes {
        std::uint32_t least, greatest;  // rows
        double low, high;               // their values
    };
    std::optional<Extremes> extremes(const Trajectory& rows, std::size_t begin, std::size_t end);
    // Rows from there on are no more.
    void cut(std::size_t rows);

  private:
    static constexpr std::size_t factor = 16;
    void grow(const Trajectory& rows);
    // Of one row; nothing where it is no number.
    std::optional<Extremes> of_row(const Trajectory& rows, std::size_t row) const;
    static void join(std::optional<Extremes>& to, const std::optional<Extremes>& other);

    ColumnIndex column_;
    // By level from 0: of factor^(level+1) rows each; only whole ones.
    std::vector<std::vector<std::optional<Extremes>>> levels_;
};

struct CurvePoints {
    std::vector<double> time, value;
    bool exact = true;  // all rows of the interval
};

class ResultStore {
  public:
    // Long runs have most of their rows in a file in that folder; "": all in memory.
    explicit ResultStore(Columns columns, const std::string& folder = "")
        : rows_(std::move(columns), folder.empty() ? nullptr : RowFile::make(folder)) {}

    // ---- the thread that runs
    void append(std::span<const double> row);
    void drop_last();  // the last row
    // Rows from now on have these values of parameters, which were set in between. False when the columns are
    // others than those of the rows so far.
    bool go_on(const Columns& columns);

    // ---- any thread
    std::size_t rows() const;
    std::size_t bytes_in_memory() const;
    std::optional<double> first_time() const, last_time() const;
    const Columns& columns() const { return rows_.columns(); }
    std::optional<ColumnIndex> find(const std::string& path) const { return rows_.find(path); }
    // The rows between the times, and one beside them at either end, so that the curve goes on to the border.
    CurvePoints curve(ColumnIndex column, double t0, double t1, std::size_t pixels);
    std::vector<double> at(std::span<const ColumnIndex> columns, double time, Side side) const;
    // The rows so far, as a value; parameters that were set in between have a value in each row.
    Trajectory copy() const;
    // Parameters are constant, or held from one change to the next.
    bool is_held(ColumnIndex column) const;

  private:
    // A parameter from a row on.
    struct Setting {
        std::size_t row;
        double value;
    };
    ColumnIndex parameter_of(ColumnIndex column) const;  // itself, or what it is an alias of
    double value(ColumnIndex column, std::size_t row) const;
    CurvePoints parameter_curve(ColumnIndex column) const;

    mutable std::mutex mutex_;
    Trajectory rows_;
    std::map<ColumnIndex, std::vector<Setting>> settings_;  // of parameters that were set in between
    std::map<ColumnIndex, Pyramid> pyramids_;               // of columns that are stored
};

// What differs most in two runs, between two times where both have rows: by column of equal name.
struct RunDifference {
    std::string path, unit;
    double difference = 0, relative = 0;  // to the greatest magnitude in either
    double at = 0, a = 0, b = 0;
};
struct RunComparison {
    double t0 = 0, t1 = 0;
    std::vector<RunDifference> differences;  // the greatest first
    std::size_t equal = 0;                   // columns
};
// Of parameters what the equations compute; the others are values that were set.
RunComparison compare_runs(const Trajectory& a, const Trajectory& b, double t0, double t1, std::size_t most);

}  // namespace cutset::studio
