#include "session/run_record.h"

namespace cutset {

void RunRecord::append(std::span<const double> values) {
    for (std::size_t k = 0; k < values_.size(); ++k) values_[k].push_back(values[k]);
    if (!thinning_.is_due(values_[0].size())) return;
    RecordColumns columns;
    for (std::vector<double>& column : values_) columns.push_back(&column);
    thinning_.thin_out(columns);
}

std::optional<double> RunRecord::complete_from() const {
    const std::size_t row = thinning_.complete_from();
    return row == 0 ? std::nullopt : std::optional(values_[0][row - 1]);
}

std::shared_ptr<const Trajectory> RunRecord::trajectory() const {
    auto rows = std::make_shared<Trajectory>(columns_);
    std::vector<double> row(values_.size());
    for (std::size_t i = 0; i < values_[0].size(); ++i) {
        for (std::size_t k = 0; k < row.size(); ++k) row[k] = values_[k][i];
        rows->append(row);
    }
    return rows;
}

std::optional<double> value_at(const Trajectory& rows, ColumnIndex column, double time) {
    const std::size_t count = rows.rows();
    if (count == 0 || !(time >= rows.time(0) && time <= rows.time(count - 1))) return std::nullopt;
    std::size_t low = 0, high = count;  // the last row that is not after the time
    while (high - low > 1) {
        const std::size_t middle = low + (high - low) / 2;
        (rows.time(middle) <= time ? low : high) = middle;
    }
    const std::size_t at = low;
    const double here = rows.value(column, at);
    if (rows.time(at) == time || at + 1 == count || rows.columns()[column].kind == ColumnKind::Discrete)
        return here;
    // A cubic through four rows around it, as far as no event lies between them.
    std::size_t first = at, last = at + 1;
    if (first > 0 && rows.time(first - 1) < rows.time(first)) --first;
    if (last + 1 < count && rows.time(last + 1) > rows.time(last)) ++last;
    double value = 0;
    for (std::size_t i = first; i <= last; ++i) {
        double weight = rows.value(column, i);
        for (std::size_t j = first; j <= last; ++j)
            if (j != i) weight *= (time - rows.time(j)) / (rows.time(i) - rows.time(j));
        value += weight;
    }
    return value;
}

}  // namespace cutset
