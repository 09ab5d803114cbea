// Trajectory: the numbers that a run computes, one column per variable and one row per output time.
//
//   t_0 <= t_1 <= ... <= t_m,   x_k(t_i)
//
// Two rows with equal time mean an event: the first holds the values before it, the last those after it.
// A parameter is stored once, an alias as (column, sign).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/index.h"
#include "results/row_file.h"

namespace cutset {

using ColumnIndex = Index<struct ResultColumnTag>;

enum class ColumnKind { Time, Continuous, Discrete, Parameter, Alias };

struct Column {
    std::string name;
    std::string unit = {};
    std::string description = {};
    ColumnKind kind = ColumnKind::Continuous;
    double value = 0;           // of a Parameter
    ColumnIndex alias_of = {};  // of an Alias: the column it equals, itself no alias
    bool negated = false;       // of an Alias: it equals minus that column
    bool of_variable = false;   // of a Parameter: a variable of the model that never changes

    // Whether each row has a number for this column.
    bool stored() const { return kind != ColumnKind::Parameter && kind != ColumnKind::Alias; }
};

using Columns = IndexedVector<ColumnIndex, Column>;

Column time_column(std::string unit = "s");
Column parameter_column(std::string name, double value, std::string unit = {}, std::string description = {});
Column alias_column(std::string name, ColumnIndex of, bool negated, std::string unit = {},
                    std::string description = {});

// The number of numbers in a row. Asserts that column 0 is the only Time and that each alias has a target.
std::size_t check_columns(const Columns& columns);

enum class Side { Before, After };

class Trajectory {
  public:
    Trajectory() = default;
    // With a file rows go there when they have become many.
    explicit Trajectory(Columns columns, std::shared_ptr<RowFile> file = nullptr);

    // The values of the stored columns in their order, time first.
    void append(std::span<const double> row);
    void drop_last();  // the last row

    const Columns& columns() const { return columns_; }
    std::size_t rows() const { return rows_; }
    const std::shared_ptr<RowFile>& file() const { return file_; }
    // That its rows take, without those in the file.
    std::size_t bytes_in_memory() const;
    bool empty() const { return rows_ == 0; }

    // Of equal names the first counts.
    std::optional<ColumnIndex> find(std::string_view name) const;
    // What the user may have meant by an unknown name; "" when no name is near.
    std::string suggest(std::string_view name) const;

    double time(std::size_t row) const { return stored_value(0, row); }
    double value(ColumnIndex column, std::size_t row) const;
    std::optional<double> value(std::string_view name, std::size_t row) const;
    // All rows of one column.
    std::vector<double> values(ColumnIndex column) const;

    // Linear between rows, held for discrete columns and outside the time range; at an event the limit from
    // `side`.
    double interpolate(ColumnIndex column, double t, Side side = Side::After) const;
    std::optional<double> interpolate(std::string_view name, double t, Side side = Side::After) const;

    // The first row with time >= t, or > t; rows() when there is none.
    std::size_t first_row_at(double t) const;
    std::size_t first_row_after(double t) const;

  private:
    struct NameHash {
        using is_transparent = void;
        std::size_t operator()(std::string_view s) const { return std::hash<std::string_view>{}(s); }
    };
    double stored_value(std::size_t slot, std::size_t row) const {
        return blocks_[row / block_rows_][slot * block_rows_ + row % block_rows_];
    }

    Columns columns_;
    std::vector<std::size_t> slots_;  // by column: its place in a row
    std::size_t width_ = 0;
    std::size_t rows_ = 0;
    std::size_t block_rows_ = 1;
    using Block = std::vector<double, RowAllocator<double>>;
    std::vector<Block> blocks_;  // each column of a block is contiguous
    std::shared_ptr<RowFile> file_;
    std::unordered_map<std::string, ColumnIndex, NameHash, std::equal_to<>> by_name_;
};

}  // namespace cutset
