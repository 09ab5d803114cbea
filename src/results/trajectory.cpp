#include "results/trajectory.h"

#include <algorithm>

#include "base/diagnostic.h"

namespace cutset {

Column time_column(std::string unit) {
    return {"time", std::move(unit), "Time", ColumnKind::Time};
}

Column parameter_column(std::string name, double value, std::string unit, std::string description) {
    return {std::move(name), std::move(unit), std::move(description), ColumnKind::Parameter, value};
}

Column alias_column(std::string name, ColumnIndex of, bool negated, std::string unit,
                    std::string description) {
    return {std::move(name), std::move(unit), std::move(description), ColumnKind::Alias, 0, of, negated};
}

std::size_t check_columns(const Columns& columns) {
    CUTSET_ASSERT(!columns.empty() && columns.front().kind == ColumnKind::Time);
    std::size_t stored = 0;
    for (const Column& c : columns) {
        CUTSET_ASSERT(&c == &columns.front() || c.kind != ColumnKind::Time);
        if (c.kind == ColumnKind::Alias)
            CUTSET_ASSERT(c.alias_of.value < columns.size() && columns[c.alias_of].kind != ColumnKind::Alias);
        if (c.stored()) ++stored;
    }
    return stored;
}

namespace {

constexpr std::size_t blocks_in_memory = 64;

}  // namespace

Trajectory::Trajectory(Columns columns, std::shared_ptr<RowFile> file)
    : columns_(std::move(columns)), file_(std::move(file)) {
    width_ = check_columns(columns_);
    // Blocks of about one megabyte; a very wide model has one row per block.
    block_rows_ = std::clamp<std::size_t>((std::size_t(1) << 17) / width_, 1, 4096);
    slots_.reserve(columns_.size());
    by_name_.reserve(columns_.size());
    std::size_t slot = 0;
    for (const Column& c : columns_) {
        by_name_.emplace(c.name, ColumnIndex(slots_.size()));
        slots_.push_back(c.stored() ? slot++ : 0);
    }
}

void Trajectory::append(std::span<const double> row) {
    CUTSET_ASSERT(row.size() == width_);
    if (rows_ % block_rows_ == 0) {
        if (file_ && !blocks_.empty()) file_->rest(blocks_.back().data());
        const bool many = blocks_.size() >= blocks_in_memory;
        blocks_.emplace_back(block_rows_ * width_, RowAllocator<double>{many ? file_ : nullptr});
    }
    double* to = blocks_.back().data() + rows_ % block_rows_;
    for (std::size_t slot = 0; slot < width_; ++slot) to[slot * block_rows_] = row[slot];
    ++rows_;
}

void Trajectory::drop_last() {
    CUTSET_ASSERT(rows_ > 0);
    --rows_;
    if (rows_ % block_rows_ == 0) blocks_.pop_back();
}

std::size_t Trajectory::bytes_in_memory() const {
    const std::size_t all = blocks_.size() * block_rows_ * width_ * sizeof(double);
    return file_ ? all - std::min(all, file_->bytes()) : all;
}

std::optional<ColumnIndex> Trajectory::find(std::string_view name) const {
    const auto at = by_name_.find(name);
    if (at == by_name_.end()) return std::nullopt;
    return at->second;
}

std::string Trajectory::suggest(std::string_view name) const {
    std::vector<std::string> names;
    names.reserve(columns_.size());
    for (const Column& c : columns_) names.push_back(c.name);
    return nearest_name(name, names);
}

double Trajectory::value(ColumnIndex column, std::size_t row) const {
    CUTSET_ASSERT(row < rows_);
    const Column& c = columns_[column];
    if (c.kind == ColumnKind::Parameter) return c.value;
    if (c.kind != ColumnKind::Alias) return stored_value(slots_[column.value], row);
    const Column& target = columns_[c.alias_of];
    const double v =
        target.kind == ColumnKind::Parameter ? target.value : stored_value(slots_[c.alias_of.value], row);
    return c.negated ? 0.0 - v : v;  // not -v: minus zero would be shown
}

std::optional<double> Trajectory::value(std::string_view name, std::size_t row) const {
    const auto column = find(name);
    if (!column || row >= rows_) return std::nullopt;
    return value(*column, row);
}

std::vector<double> Trajectory::values(ColumnIndex column) const {
    std::vector<double> all(rows_);
    for (std::size_t row = 0; row < rows_; ++row) all[row] = value(column, row);
    return all;
}

std::size_t Trajectory::first_row_at(double t) const {
    std::size_t low = 0, high = rows_;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (time(middle) < t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

std::size_t Trajectory::first_row_after(double t) const {
    std::size_t low = 0, high = rows_;
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (time(middle) <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

double Trajectory::interpolate(ColumnIndex column, double t, Side side) const {
    CUTSET_ASSERT(rows_ > 0);
    const std::size_t at = first_row_at(t), after = first_row_after(t);
    if (after > at) return value(column, side == Side::Before ? at : after - 1);
    if (at == 0) return value(column, 0);
    const double v0 = value(column, at - 1);
    if (at == rows_) return v0;
    const Column& c = columns_[column];
    const ColumnKind kind = c.kind == ColumnKind::Alias ? columns_[c.alias_of].kind : c.kind;
    if (kind == ColumnKind::Discrete) return v0;
    const double t0 = time(at - 1), t1 = time(at), v1 = value(column, at);
    return v0 + (v1 - v0) * ((t - t0) / (t1 - t0));
}

std::optional<double> Trajectory::interpolate(std::string_view name, double t, Side side) const {
    const auto column = find(name);
    if (!column || rows_ == 0) return std::nullopt;
    return interpolate(*column, t, side);
}

}  // namespace cutset
