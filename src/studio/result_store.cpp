#include "studio/result_store.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace cutset::studio {

namespace {

// The first row in [from, end) with time > t, looked for near `from`.
std::size_t next_row_after(const Trajectory& rows, std::size_t from, std::size_t end, double t) {
    std::size_t step = 1, low = from;
    while (low + step < end && rows.time(low + step) <= t) {
        low += step;
        step *= 2;
    }
    std::size_t high = std::min(low + step, end);
    while (low < high) {
        const std::size_t middle = low + (high - low) / 2;
        if (rows.time(middle) <= t)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

}  // namespace

void Pyramid::join(std::optional<Extremes>& to, const std::optional<Extremes>& other) {
    if (!other) return;
    if (!to) {
        to = other;
        return;
    }
    if (other->low < to->low) {
        to->low = other->low;
        to->least = other->least;
    }
    if (other->high > to->high) {
        to->high = other->high;
        to->greatest = other->greatest;
    }
}

std::optional<Pyramid::Extremes> Pyramid::of_row(const Trajectory& rows, std::size_t row) const {
    const double value = rows.value(column_, row);
    if (std::isnan(value)) return std::nullopt;
    return Extremes{std::uint32_t(row), std::uint32_t(row), value, value};
}

void Pyramid::grow(const Trajectory& rows) {
    std::size_t below = rows.rows();
    for (std::size_t level = 0; below >= factor; ++level) {
        if (levels_.size() == level) levels_.emplace_back();
        std::vector<std::optional<Extremes>>& here = levels_[level];
        while (here.size() < below / factor) {
            std::optional<Extremes> found;
            for (std::size_t i = here.size() * factor; i < (here.size() + 1) * factor; ++i)
                join(found, level > 0 ? levels_[level - 1][i] : of_row(rows, i));
            here.push_back(found);
        }
        below = here.size();
    }
}

void Pyramid::cut(std::size_t rows) {
    for (auto& level : levels_) {
        rows /= factor;
        if (level.size() > rows) level.resize(rows);
    }
}

std::optional<Pyramid::Extremes> Pyramid::extremes(const Trajectory& rows, std::size_t begin,
                                                   std::size_t end) {
    grow(rows);
    std::optional<Extremes> found;
    while (begin < end) {
        // The largest block that begins here and ends in time.
        std::size_t level = 0, size = 1;
        while (level < levels_.size() && begin % (size * factor) == 0 && begin + size * factor <= end &&
               begin / (size * factor) < levels_[level].size()) {
            size *= factor;
            ++level;
        }
        join(found, level > 0 ? levels_[level - 1][begin / size] : of_row(rows, begin));
        begin += size;
    }
    return found;
}

void ResultStore::append(std::span<const double> row) {
    const std::lock_guard lock(mutex_);
    rows_.append(row);
}

void ResultStore::drop_last() {
    const std::lock_guard lock(mutex_);
    rows_.drop_last();
    for (auto& [column, pyramid] : pyramids_) pyramid.cut(rows_.rows());
}

bool ResultStore::go_on(const Columns& columns) {
    const std::lock_guard lock(mutex_);
    const Columns& ours = rows_.columns();
    if (columns.size() != ours.size()) return false;
    for (ColumnIndex i{0}; i < ours.end_index(); ++i.value) {
        const Column &a = ours[i], &b = columns[i];
        if (a.name != b.name || a.kind != b.kind || a.alias_of != b.alias_of || a.negated != b.negated)
            return false;
    }
    for (ColumnIndex i{0}; i < ours.end_index(); ++i.value) {
        if (ours[i].kind != ColumnKind::Parameter) continue;
        const auto set = settings_.find(i);
        const double before = set == settings_.end() ? ours[i].value : set->second.back().value;
        if (columns[i].value != before) settings_[i].push_back({rows_.rows(), columns[i].value});
    }
    return true;
}

ColumnIndex ResultStore::parameter_of(ColumnIndex column) const {
    const Column& c = rows_.columns()[column];
    return c.kind == ColumnKind::Alias ? c.alias_of : column;
}

double ResultStore::value(ColumnIndex column, std::size_t row) const {
    const auto set = settings_.find(parameter_of(column));
    if (set == settings_.end() || row < set->second.front().row) return rows_.value(column, row);
    const auto after = std::upper_bound(set->second.begin(), set->second.end(), row,
                                        [](std::size_t r, const Setting& s) { return r < s.row; });
    const double v = std::prev(after)->value;
    return rows_.columns()[column].negated ? 0.0 - v : v;
}

bool ResultStore::is_held(ColumnIndex column) const {
    const ColumnKind kind = rows_.columns()[parameter_of(column)].kind;
    return kind == ColumnKind::Parameter || kind == ColumnKind::Discrete;
}

CurvePoints ResultStore::parameter_curve(ColumnIndex column) const {
    CurvePoints out;
    const auto add = [&](std::size_t row) {
        out.time.push_back(rows_.time(row));
        out.value.push_back(value(column, row));
    };
    add(0);
    if (const auto set = settings_.find(parameter_of(column)); set != settings_.end())
        for (const Setting& s : set->second)
            if (s.row < rows_.rows()) add(s.row);
    add(rows_.rows() - 1);
    return out;
}

std::size_t ResultStore::rows() const {
    const std::lock_guard lock(mutex_);
    return rows_.rows();
}

std::size_t ResultStore::bytes_in_memory() const {
    const std::lock_guard lock(mutex_);
    return rows_.bytes_in_memory();
}

std::optional<double> ResultStore::first_time() const {
    const std::lock_guard lock(mutex_);
    return rows_.empty() ? std::nullopt : std::optional(rows_.time(0));
}

std::optional<double> ResultStore::last_time() const {
    const std::lock_guard lock(mutex_);
    return rows_.empty() ? std::nullopt : std::optional(rows_.time(rows_.rows() - 1));
}

CurvePoints ResultStore::curve(ColumnIndex column, double t0, double t1, std::size_t pixels) {
    const std::lock_guard lock(mutex_);
    CurvePoints out;
    if (rows_.empty() || !(t0 <= t1)) return out;
    const auto add = [&](std::size_t row) {
        out.time.push_back(rows_.time(row));
        out.value.push_back(rows_.value(column, row));
    };
    if (rows_.columns()[parameter_of(column)].kind == ColumnKind::Parameter) return parameter_curve(column);
    std::size_t begin = rows_.first_row_at(t0), end = rows_.first_row_after(t1);
    if (begin > 0) --begin;
    if (end < rows_.rows()) ++end;
    pixels = std::max<std::size_t>(pixels, 1);
    if (end - begin <= 4 * pixels) {
        for (std::size_t row = begin; row < end; ++row) add(row);
        return out;
    }
    out.exact = false;
    Pyramid& pyramid = pyramids_.try_emplace(column, column).first->second;
    const double from = std::max(t0, rows_.time(begin)), to = std::min(t1, rows_.time(end - 1));
    std::size_t row = begin;
    for (std::size_t k = 0; k < pixels && row < end; ++k) {
        const double border = from + (to - from) * double(k + 1) / double(pixels);
        const std::size_t next = k + 1 == pixels ? end : next_row_after(rows_, row, end, border);
        if (next == row) continue;
        const auto found = pyramid.extremes(rows_, row, next);
        std::size_t last = row;
        add(row);
        if (found) {
            const auto [first, second] = std::minmax(found->least, found->greatest);
            for (const std::size_t at : {std::size_t(first), std::size_t(second)})
                if (at > last) add(last = at);
        }
        if (next - 1 > last) add(next - 1);
        row = next;
    }
    return out;
}

std::vector<double> ResultStore::at(std::span<const ColumnIndex> columns, double time, Side side) const {
    const std::lock_guard lock(mutex_);
    std::vector<double> out(columns.size(), NAN);
    if (rows_.empty()) return out;
    const std::size_t at = rows_.first_row_at(time), after = rows_.first_row_after(time);
    const std::size_t row = after > at ? (side == Side::Before ? at : after - 1) : at > 0 ? at - 1 : 0;
    for (std::size_t i = 0; i < columns.size(); ++i)
        out[i] = rows_.columns()[parameter_of(columns[i])].kind == ColumnKind::Parameter
                     ? value(columns[i], row)
                     : rows_.interpolate(columns[i], time, side);
    return out;
}

Trajectory ResultStore::copy() const {
    const std::lock_guard lock(mutex_);
    if (settings_.empty()) return rows_;
    Columns columns = rows_.columns();
    for (const auto& [column, settings] : settings_) columns[column].kind = ColumnKind::Discrete;
    Trajectory out(columns, rows_.file());
    std::vector<double> row;
    for (std::size_t k = 0; k < rows_.rows(); ++k) {
        row.clear();
        for (ColumnIndex i{0}; i < columns.end_index(); ++i.value)
            if (columns[i].stored()) row.push_back(value(i, k));
        out.append(row);
    }
    return out;
}

RunComparison compare_runs(const Trajectory& a, const Trajectory& b, double t0, double t1, std::size_t most) {
    RunComparison out;
    if (a.empty() || b.empty()) return out;
    out.t0 = std::max({t0, a.time(0), b.time(0)});
    out.t1 = std::min({t1, a.time(a.rows() - 1), b.time(b.rows() - 1)});
    if (!(out.t0 <= out.t1)) return out;
    for (std::size_t i = 1; i < a.columns().size(); ++i) {
        const ColumnIndex column(i);
        const Column& c = a.columns()[column];
        const auto other = b.find(c.name);
        if (!other || c.kind == ColumnKind::Alias || (c.kind == ColumnKind::Parameter && !c.of_variable))
            continue;
        RunDifference d{c.name, c.unit};
        double largest = 0;
        const auto look = [&](double t, double va, double vb) {
            for (const double v : {va, vb})
                if (std::isfinite(v)) largest = std::max(largest, std::abs(v));
            const double difference = std::abs(va - vb);
            if (difference > d.difference) {
                d.difference = difference;
                d.at = t;
                d.a = va;
                d.b = vb;
            }
        };
        const auto look_at_rows = [&](const Trajectory& rows) {
            if (c.kind == ColumnKind::Parameter && b.columns()[*other].kind == ColumnKind::Parameter)
                return look(out.t0, a.value(column, 0), b.value(*other, 0));
            for (std::size_t row = rows.first_row_at(out.t0); row < rows.first_row_after(out.t1); ++row) {
                const double t = rows.time(row);
                const bool before = row + 1 < rows.rows() && rows.time(row + 1) == t;
                const Side side = before ? Side::Before : Side::After;
                look(t, a.interpolate(column, t, side), b.interpolate(*other, t, side));
            }
        };
        look_at_rows(a);
        look_at_rows(b);
        if (d.difference == 0) {
            ++out.equal;
            continue;
        }
        d.relative = d.difference / largest;
        out.differences.push_back(std::move(d));
    }
    std::stable_sort(out.differences.begin(), out.differences.end(),
                     [](const RunDifference& x, const RunDifference& y) { return x.relative > y.relative; });
    if (out.differences.size() > most) out.differences.resize(most);
    return out;
}

}  // namespace cutset::studio
