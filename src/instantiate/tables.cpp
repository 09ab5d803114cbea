#include "instantiate/tables.h"

#include <algorithm>
#include <map>

#include "instantiate/functions.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"
#include "instantiate/table_source.h"

namespace cutset {

namespace {

// (x, values) rising in x. Where an argument stands twice the values jump: there begins another piece.
bool fill_pieces(Context& c, const tree::Table& t, const std::vector<TableRow>& rows, const std::string& path,
                 std::vector<std::vector<TableRow>>& pieces) {
    pieces.emplace_back();
    for (std::size_t k = 0; k < rows.size(); ++k) {
        const double x = rows[k].numbers[0];
        if (k && x == rows[k - 1].numbers[0] && t.interpolation == Interpolation::Linear &&
            pieces.back().size() > 1) {
            pieces.emplace_back();
        } else if (k && x <= rows[k - 1].numbers[0]) {
            c.report(messages::table_not_rising(rows[k].where, t.name, t.arguments[0], rows[k - 1].numbers[0],
                                                x, path, row_place(rows[k])));
            return false;
        }
        pieces.back().push_back(rows[k]);
    }
    if (pieces.back().size() > 1) return true;
    c.report(messages::table_jump_at_end(rows.back().where, t.name, path, row_place(rows.back())));
    return false;
}

// (x, y, value) in any order, one for each x and y of the grid.
bool fill_grid(Context& c, const tree::Table& t, std::vector<TableRow> rows, const std::string& path,
               std::size_t column, TableData& d) {
    for (const TableRow& r : rows) {
        d.x.push_back(r.numbers[0]);
        d.y.push_back(r.numbers[1]);
    }
    for (auto* axis : {&d.x, &d.y}) {
        std::sort(axis->begin(), axis->end());
        axis->erase(std::unique(axis->begin(), axis->end()), axis->end());
    }
    std::stable_sort(rows.begin(), rows.end(), [](const TableRow& a, const TableRow& b) {
        return std::pair(a.numbers[0], a.numbers[1]) < std::pair(b.numbers[0], b.numbers[1]);
    });
    for (std::size_t k = 1; k < rows.size(); ++k)
        if (rows[k].numbers[0] == rows[k - 1].numbers[0] && rows[k].numbers[1] == rows[k - 1].numbers[1]) {
            c.report(messages::table_point_twice(rows[k].where, t.name, rows[k].numbers[0],
                                                 rows[k].numbers[1], path, row_place(rows[k])));
            return false;
        }
    if (rows.size() != d.x.size() * d.y.size()) {
        // The first point of the grid that is missing.
        std::size_t k = 0;
        for (double x : d.x)
            for (double y : d.y) {
                if (k < rows.size() && rows[k].numbers[0] == x && rows[k].numbers[1] == y) {
                    ++k;
                    continue;
                }
                c.report(
                    messages::table_point_missing(path.empty() ? t.where : t.file_where, t.name, x, y, path));
                return false;
            }
    }
    for (const TableRow& r : rows) d.values.push_back(r.numbers[2 + column]);
    return true;
}

TableData empty_table(const tree::Table& t, std::optional<InstanceIndex> instance) {
    TableData d;
    d.name = t.name;
    d.origin = {instance.value_or(InstanceIndex(0)), t.where};
    d.interpolation = t.interpolation;
    d.outside = t.outside;
    return d;
}

// Column `column` of a table of two arguments.
std::optional<TableData> grid_table(Context& c, const tree::Table& t, const TableSource& source,
                                    std::size_t column = 0) {
    TableData d = empty_table(t, source.instance);
    if (!fill_grid(c, t, source.rows, source.path, column, d)) return std::nullopt;
    if (d.x.size() < 2 || d.y.size() < 2) {
        c.report(messages::table_too_short(source.path.empty() ? t.where : t.file_where, t.name,
                                           std::min(d.x.size(), d.y.size()), source.path));
        return std::nullopt;
    }
    return d;
}

TableData line_table(const tree::Table& t, const TableSource& source, const std::vector<TableRow>& rows,
                     std::size_t column) {
    TableData d = empty_table(t, source.instance);
    for (const TableRow& r : rows) {
        d.x.push_back(r.numbers[0]);
        d.values.push_back(r.numbers[1 + column]);
    }
    return d;
}

// Constant from each point to the next. A few segments are choices, which switch exactly where time does;
// many are found by a table that rises by one from point to point.
bool constant_segments(Context& c, const tree::Table& t, const TableSource& source, BuiltTable& made) {
    constexpr std::size_t most_choices = 100;
    std::vector<std::vector<TableRow>> pieces;
    if (!fill_pieces(c, t, source.rows, source.path, pieces)) return false;
    const std::vector<TableRow>& rows = pieces[0];
    for (std::size_t k = 0; k < columns_of(t); ++k) {
        TableColumn column;
        if (rows.size() > most_choices) {
            TableData d = empty_table(t, source.instance);
            d.interpolation = Interpolation::Linear;
            d.outside = Outside::Hold;
            d.name.clear();
            for (std::size_t i = 0; i < rows.size(); ++i) {
                d.x.push_back(static_cast<double>(i));
                d.values.push_back(rows[i].numbers[1 + k]);
            }
            column.pieces.push_back(c.model.callees.add(std::move(d)));
        } else {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                if (i) column.jumps.push_back(rows[i].numbers[0]);
                column.levels.push_back(rows[i].numbers[1 + k]);
            }
        }
        made.columns.push_back(std::move(column));
    }
    if (rows.size() > most_choices) {
        TableData d = empty_table(t, source.instance);
        d.interpolation = Interpolation::Linear;
        d.outside = Outside::Extrapolate;
        d.name.clear();
        for (std::size_t i = 0; i < rows.size(); ++i) {
            d.x.push_back(rows[i].numbers[0]);
            d.values.push_back(static_cast<double>(i));
        }
        made.position = c.model.callees.add(std::move(d));
    }
    return true;
}

// Values that jump. Pieces go on beyond their ends, where they do not count; at the ends of the whole they
// are lengthened by level pieces unless it is extrapolated.
void jumping_columns(Context& c, const tree::Table& t, const TableSource& source,
                     const std::vector<std::vector<TableRow>>& pieces, BuiltTable& made) {
    const bool level = t.outside == Outside::Hold || t.outside == Outside::Error;
    const double length = source.rows.back().numbers[0] - source.rows.front().numbers[0];
    for (std::size_t k = 0; k < columns_of(t); ++k) {
        TableColumn column;
        for (std::size_t p = 0; p < pieces.size(); ++p) {
            TableData d = line_table(t, source, pieces[p], k);
            d.outside = Outside::Extrapolate;
            d.name.clear();
            if (level && p == 0) {
                d.x.insert(d.x.begin(), d.x.front() - length);
                d.values.insert(d.values.begin(), d.values.front());
            }
            if (level && p + 1 == pieces.size()) {
                d.x.push_back(d.x.back() + length);
                d.values.push_back(d.values.back());
            }
            if (p) column.jumps.push_back(pieces[p].front().numbers[0]);
            column.pieces.push_back(c.model.callees.add(std::move(d)));
        }
        made.columns.push_back(std::move(column));
    }
}

std::optional<BuiltTable> build_table(Context& c, const tree::Table& t, const TableSource& source) {
    BuiltTable made;
    if (t.arguments.size() == 2) {
        if (t.interpolation == Interpolation::Constant || t.outside == Outside::Periodic) {
            const bool periodic = t.outside == Outside::Periodic;
            c.report(messages::table_one_argument(
                t.where, t.name, std::string(periodic ? word(t.outside) : word(t.interpolation))));
            return std::nullopt;
        }
        for (std::size_t k = 0; k < columns_of(t); ++k) {
            auto data = grid_table(c, t, source, k);
            if (!data) return std::nullopt;
            made.columns.push_back({{c.model.callees.add(std::move(*data))}, {}, {}});
        }
        return made;
    }
    const double first = source.rows.front().numbers[0], last = source.rows.back().numbers[0];
    std::vector<std::vector<TableRow>> pieces;
    if (t.interpolation == Interpolation::Constant) {
        if (!constant_segments(c, t, source, made)) return std::nullopt;
    } else if (!fill_pieces(c, t, source.rows, source.path, pieces)) {
        return std::nullopt;
    } else if (pieces.size() > 1) {
        jumping_columns(c, t, source, pieces, made);
    } else {
        for (std::size_t k = 0; k < columns_of(t); ++k) {
            TableData d = line_table(t, source, source.rows, k);
            if (t.outside == Outside::Periodic) d.outside = Outside::Extrapolate;
            made.columns.push_back({{c.model.callees.add(std::move(d))}, {}, {}});
        }
    }
    const bool whole = t.interpolation != Interpolation::Constant && pieces.size() == 1;
    if (t.outside == Outside::Periodic) {
        made.period = {first, last - first};
    } else if (!whole && t.outside != Outside::Extrapolate) {
        TableData watch = empty_table(t, source.instance);
        watch.interpolation = Interpolation::Linear;
        watch.x = {first, last};
        watch.values = {0, 0};
        made.watch = c.model.callees.add(std::move(watch));
    }
    return made;
}

// 1 at levels[k], 0 at the others. Held outside the range, the ends are lengthened by level pieces; one
// weight, the first, watches the range.
TableData slice_weight(const tree::Table& t, std::optional<InstanceIndex> instance,
                       const std::vector<double>& levels, std::size_t k) {
    TableData d = empty_table(t, instance);
    const bool watches = k == 0 && t.outside != Outside::Extrapolate;
    const bool longer = t.outside != Outside::Extrapolate && !watches;
    if (!watches) d.outside = Outside::Extrapolate;
    const double length = levels.back() - levels.front();
    const auto add = [&](double z, bool one) {
        d.x.push_back(z);
        d.values.push_back(one ? 1 : 0);
    };
    if (longer) add(levels.front() - length, k == 0);
    for (std::size_t i = 0; i < levels.size(); ++i) add(levels[i], i == k);
    if (longer) add(levels.back() + length, k + 1 == levels.size());
    return d;
}

}  // namespace

std::optional<BuiltTable> built_table(Context& c, const tree::Table& t, ClassInfo* in, const tree::File* file,
                                      const Scope& s) {
    if (c.broken_callees.count(&t)) return std::nullopt;
    if (const auto known = c.tables.find(&t); known != c.tables.end()) return known->second;
    if (const auto instance = table_instance(c, t, in, s))
        if (const auto known = c.instance_tables.find({&t, instance->value});
            known != c.instance_tables.end())
            return known->second;
    const auto source = table_source(c, t, in, file, s);
    auto made = source ? build_table(c, t, *source) : std::nullopt;
    if (!made) {
        c.broken_callees.insert(&t);
        return std::nullopt;
    }
    if (source->instance)
        c.instance_tables[{&t, source->instance->value}] = *made;
    else
        c.tables[&t] = *made;
    return made;
}

std::vector<Expr> table_results(Pool& pool, const BuiltTable& table, std::span<const Expr> arguments) {
    std::vector<Expr> at(arguments.begin(), arguments.end());
    if (table.period) {
        const auto [first, length] = *table.period;
        const Expr both[2] = {pool.subtract(at[0], pool.number(first)), pool.number(length)};
        at[0] = pool.add(pool.number(first), pool.call(Op::Modulo, both));
    }
    const Expr x = at[0];
    if (table.position) at[0] = pool.call(Op::Floor, pool.apply(*table.position, 0, at));
    std::vector<Expr> results;
    for (const TableColumn& column : table.columns) {
        std::vector<Expr> parts;
        const std::size_t n = column.jumps.size() + 1;
        for (std::size_t k = 0; k < n; ++k) {
            if (k + 1 < n) parts.push_back(pool.less(x, pool.number(column.jumps[k])));
            parts.push_back(column.levels.empty() ? pool.apply(column.pieces[k], 0, at)
                                                  : pool.number(column.levels[k]));
        }
        Expr result = n == 1 ? parts[0] : pool.choose(parts);
        if (table.watch) result = pool.add(result, pool.apply(*table.watch, 0, arguments));
        results.push_back(result);
    }
    return results;
}

std::optional<std::vector<TableSlice>> table_slices(Context& c, const tree::Table& t, ClassInfo* in,
                                                    const tree::File* file, const Scope& s) {
    if (c.broken_callees.count(&t)) return std::nullopt;
    const auto fail = [&] {
        c.broken_callees.insert(&t);
        return std::nullopt;
    };
    if (t.interpolation != Interpolation::Linear || t.outside == Outside::Periodic || !t.results.empty()) {
        c.report(messages::table_only_linear(t.where, t.name));
        return fail();
    }
    const auto instance = table_instance(c, t, in, s);
    const auto [known, added] =
        c.table_slices.try_emplace({&t, instance ? instance->value : none}, std::vector<TableSlice>{});
    if (!added) return known->second;
    const auto source = table_source(c, t, in, file, s);
    if (!source) return fail();
    std::map<double, TableSource> by_level;
    for (const TableRow& r : source->rows) {
        TableSource& slice = by_level[r.numbers[2]];
        slice.instance = source->instance;
        slice.path = source->path;
        slice.rows.push_back(r);
        slice.rows.back().numbers.erase(slice.rows.back().numbers.begin() + 2);
    }
    std::vector<double> levels;
    for (const auto& [level, slice] : by_level) levels.push_back(level);
    if (levels.size() < 2) {
        c.report(messages::table_too_short(source->path.empty() ? t.where : t.file_where, t.name,
                                           levels.size(), source->path));
        return fail();
    }
    std::vector<TableSlice> slices;
    for (const auto& [level, rows] : by_level) {
        auto data = grid_table(c, t, rows);
        if (!data) return fail();
        const CalleeIndex weight =
            c.model.callees.add(slice_weight(t, source->instance, levels, slices.size()));
        slices.push_back({weight, c.model.callees.add(std::move(*data))});
    }
    known->second = slices;
    return slices;
}

}  // namespace cutset
