#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "results/messages.h"
#include "results/npz.h"
#include "results/reader.h"
#include "results/zip.h"

namespace cutset {

namespace {

constexpr std::string_view array_ending = ".npy";

struct NamedArray {
    Column column;
    npz::Array array;
};

// An archive as a trajectory: the arrays of one dimension that are as long as the time are columns, single
// numbers parameters; all else is left out.
class ArchiveReader {
  public:
    ArchiveReader(const std::string& file, std::string_view bytes, Diagnostics& diagnostics)
        : file_(file), bytes_(bytes), diagnostics_(diagnostics) {}

    std::optional<Trajectory> read(const std::string& time) {
        std::string problem;
        const auto archive = zip::Archive::open(bytes_, problem);
        if (!archive) return failed(problem);
        for (const zip::Archive::Entry& entry : archive->entries()) {
            if (!entry.name.ends_with(array_ending)) continue;
            const std::string name = entry.name.substr(0, entry.name.size() - array_ending.size());
            std::string unpacked;
            const auto content = archive->read(entry, name == npz::rows_name, unpacked, problem);
            if (!content) return failed(problem);
            auto array = npz::read_array(*content, problem);
            if (!array) continue;  // of something else than numbers
            if (name == npz::columns_name) {
                describe(*array);
            } else if (name == npz::rows_name) {
                rows_ = std::move(*array);
            } else {
                arrays_.push_back({Column{name}, std::move(*array)});
            }
        }
        return rows_ ? from_rows() : from_columns(time);
    }

  private:
    std::nullopt_t failed(const std::string& reason) {
        diagnostics_.report(results_messages::not_an_archive(file_, reason));
        return std::nullopt;
    }

    // The table of name, kind, unit, description.
    void describe(const npz::Array& table) {
        if (table.shape.size() != 2 || table.shape[1] != 4 || table.texts.size() != 4 * table.shape[0])
            return;
        for (std::size_t i = 0; i + 3 < table.texts.size(); i += 4) {
            Column column{table.texts[i], table.texts[i + 2], table.texts[i + 3]};
            const std::string& kind = table.texts[i + 1];
            column.kind = kind == "time"        ? ColumnKind::Time
                          : kind == "discrete"  ? ColumnKind::Discrete
                          : kind == "parameter" ? ColumnKind::Parameter
                          : kind == "alias"     ? ColumnKind::Alias
                                                : ColumnKind::Continuous;
            described_.push_back(std::move(column));
        }
    }

    // Of a run that did not come to its end.
    std::optional<Trajectory> from_rows() {
        Columns columns;
        for (const Column& c : described_)
            if (c.stored() && (c.kind == ColumnKind::Time) == columns.empty()) columns.push_back(c);
        const std::size_t width = columns.size();
        for (const NamedArray& a : arrays_)
            if (is_single(a)) columns.push_back(parameter_column(a.column.name, a.array.values[0]));
        if (width == 0 || rows_->shape.size() != 2 || rows_->shape[1] != width)
            return failed("its rows do not fit its columns");
        Trajectory out(std::move(columns));
        for (std::size_t row = 0; row < rows_->shape[0]; ++row)
            if (!append(out, std::span(rows_->values).subspan(row * width, width))) return std::nullopt;
        return out;
    }

    static bool is_single(const NamedArray& a) { return a.array.shape.empty() && a.array.values.size() == 1; }

    const NamedArray* find_time(const std::string& given) const {
        const NamedArray* found = nullptr;
        for (const char* name : {"t", "time"})
            for (const NamedArray& a : arrays_)
                if (a.column.name == name && a.array.shape.size() == 1) found = &a;
        for (const NamedArray& a : arrays_)
            if (!given.empty() && a.column.name == given && a.array.shape.size() == 1) found = &a;
        return found;
    }

    std::optional<Trajectory> from_columns(const std::string& given) {
        const NamedArray* time = find_time(given);
        if (!time) return failed("it has no array named time");
        std::unordered_map<std::string_view, const Column*> described;
        for (const Column& c : described_) described.emplace(c.name, &c);
        // In the order of the table, where there is one.
        const auto place = [&](const NamedArray& a) {
            const auto known = described.find(a.column.name);
            return known == described.end() ? described_.size()
                                            : static_cast<std::size_t>(known->second - described_.data());
        };
        const std::string time_name = time->column.name;
        std::stable_sort(arrays_.begin(), arrays_.end(),
                         [&](const NamedArray& a, const NamedArray& b) { return place(a) < place(b); });
        time = find_time(time_name);
        Columns columns;
        columns.push_back(time_column(described.contains(time->column.name)
                                          ? described.at(time->column.name)->unit
                                          : std::string("s")));
        columns.front().name = time->column.name;
        std::vector<const NamedArray*> stored = {time};
        std::unordered_map<std::string_view, bool> seen = {{time->column.name, true}};
        for (const NamedArray& a : arrays_) {
            if (&a == time || !seen.emplace(a.column.name, true).second) continue;
            const bool single = is_single(a);
            if (!single && (a.array.shape.size() != 1 || a.array.shape[0] != time->array.shape[0])) continue;
            Column column = a.column;
            if (const auto known = described.find(column.name); known != described.end()) {
                column.unit = known->second->unit;
                column.description = known->second->description;
                if (known->second->kind == ColumnKind::Discrete) column.kind = ColumnKind::Discrete;
            }
            if (single) {
                column.kind = ColumnKind::Parameter;
                column.value = a.array.values[0];
            } else {
                stored.push_back(&a);
            }
            columns.push_back(std::move(column));
        }
        Trajectory out(std::move(columns));
        std::vector<double> row(stored.size());
        for (std::size_t i = 0; i < time->array.values.size(); ++i) {
            for (std::size_t k = 0; k < stored.size(); ++k) row[k] = stored[k]->array.values[i];
            if (!append(out, row)) return std::nullopt;
        }
        return out;
    }

    bool append(Trajectory& out, std::span<const double> row) {
        if (!std::isfinite(row[0]) || (!out.empty() && row[0] < out.time(out.rows() - 1))) {
            failed("its time does not rise");
            return false;
        }
        out.append(row);
        return true;
    }

    const std::string& file_;
    std::string_view bytes_;
    Diagnostics& diagnostics_;
    std::vector<NamedArray> arrays_;
    std::vector<Column> described_;
    std::optional<npz::Array> rows_;
};

}  // namespace

std::optional<Trajectory> read_npz(const std::string& file, std::string_view bytes, Diagnostics& diagnostics,
                                   const std::string& time) {
    return ArchiveReader(file, bytes, diagnostics).read(time);
}

}  // namespace cutset
