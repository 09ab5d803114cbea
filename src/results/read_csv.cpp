#include <algorithm>
#include <cmath>
#include <unordered_set>

#include "base/csv.h"
#include "base/letters.h"
#include "results/messages.h"
#include "results/reader.h"

namespace cutset {

namespace {

namespace messages = results_messages;

// `v [V]` is the variable v in volt; `v[1]` is an element.
Column column_of(std::string name) {
    Column column;
    const std::size_t bracket = name.rfind(" [");
    if (bracket != std::string::npos && bracket > 0 && name.back() == ']') {
        column.unit = name.substr(bracket + 2, name.size() - bracket - 3);
        name = std::string(trimmed(std::string_view(name).substr(0, bracket)));
    }
    column.name = std::move(name);
    return column;
}

// The column with the name that was given, else `time`, else `t`, else the first.
std::size_t find_time(const std::vector<Column>& headers, const std::string& given) {
    std::size_t time_at = 0;
    for (const char* name : {"t", "time"})
        for (std::size_t k = headers.size(); k-- > 0;)
            if (equal_ignoring_case(headers[k].name, name)) time_at = k;
    for (std::size_t k = headers.size(); k-- > 0 && !given.empty();)
        if (headers[k].name == given) time_at = k;
    return time_at;
}

// A CSV file as a trajectory.
class TrajectoryReader {
  public:
    TrajectoryReader(const std::string& file, std::string_view text, Diagnostics& diagnostics)
        : file_(file), reader_(text), diagnostics_(diagnostics) {}

    std::optional<Trajectory> read(const std::string& time, const Columns& constants) {
        if (!next_row()) {
            if (!failed_) diagnostics_.report(messages::no_header(file_));
            return std::nullopt;
        }
        const bool has_names = std::any_of(reader_.fields().begin(), reader_.fields().end(),
                                           [&](const CsvField& f) { return !reader_.number(f); });
        Trajectory trajectory(header(has_names, time, constants));
        for (bool more = !has_names || next_row(); more; more = next_row()) {
            if (reader_.is_cut_off()) {  // the last number may have had more digits
                diagnostics_.report(messages::last_line_incomplete(line()));
                break;
            }
            if (!append_row(trajectory)) return std::nullopt;
        }
        if (failed_) return std::nullopt;
        return trajectory;
    }

  private:
    // False at the end of the file, and where a line is wrong.
    bool next_row() {
        using Next = CsvReader::Next;
        const Next next = reader_.next();
        const messages::FilePlace at{file_, reader_.line(), reader_.problem_column()};
        if (next == Next::QuoteNotClosed) diagnostics_.report(messages::quote_not_closed(at));
        if (next == Next::TextAfterQuote) diagnostics_.report(messages::text_after_quote(at));
        failed_ = next != Next::Row && next != Next::End;
        return next == Next::Row;
    }

    messages::FilePlace line() const { return {file_, reader_.line(), 0}; }
    messages::FilePlace place(const CsvField& field) const {
        return {file_, reader_.line(), reader_.column(field)};
    }

    Columns header(bool has_names, const std::string& time, const Columns& constants) {
        const std::vector<CsvField>& fields = reader_.fields();
        width_ = fields.size();
        std::vector<Column> headers;
        if (!has_names) diagnostics_.report(messages::names_made_up(line()));
        for (std::size_t k = 0; k < width_; ++k)
            headers.push_back(column_of(has_names ? fields[k].unquoted()
                                        : k       ? "column" + std::to_string(k + 1)
                                                  : "time"));
        const std::size_t time_at = find_time(headers, time);
        order_ = {time_at};
        Columns columns;
        columns.add(time_column(headers[time_at].unit));
        columns.front().name = headers[time_at].name;
        std::unordered_set<std::string> seen = {headers[time_at].name};
        std::size_t repeated = 0;
        for (std::size_t k = 0; k < width_; ++k) {
            if (k == time_at) continue;
            if (!seen.insert(headers[k].name).second) {
                if (repeated++ < 20)
                    diagnostics_.report(messages::name_twice(place(fields[k]), headers[k].name));
                continue;
            }
            order_.push_back(k);
            columns.add(headers[k]);
        }
        row_.resize(order_.size());
        for (const Column& c : constants)
            if (seen.insert(c.name).second) columns.add(c);
        return columns;
    }

    bool append_row(Trajectory& trajectory) {
        const std::vector<CsvField>& fields = reader_.fields();
        if (fields.size() != width_) {
            diagnostics_.report(messages::wrong_field_count(
                fields.size() > width_ ? place(fields[width_]) : line(), fields.size(), width_));
            return false;
        }
        for (std::size_t k = 0; k < order_.size(); ++k) {
            const CsvField& f = fields[order_[k]];
            const auto value = reader_.number(f);
            if (!value) {
                diagnostics_.report(
                    messages::not_a_number(place(f), f.text, trajectory.columns()[ColumnIndex(k)].name));
                return false;
            }
            row_[k] = *value;
        }
        const CsvField& time = fields[order_[0]];
        if (!std::isfinite(row_[0])) {
            diagnostics_.report(messages::time_missing(place(time)));
            return false;
        }
        if (!trajectory.empty() && row_[0] < trajectory.time(trajectory.rows() - 1)) {
            diagnostics_.report(
                messages::time_backwards(place(time), trajectory.time(trajectory.rows() - 1), row_[0]));
            return false;
        }
        trajectory.append(row_);
        return true;
    }

    const std::string& file_;
    CsvReader reader_;
    Diagnostics& diagnostics_;
    std::size_t width_ = 0;
    std::vector<std::size_t> order_;  // the column of the file for each of the trajectory; first the time
    std::vector<double> row_;
    bool failed_ = false;
};

}  // namespace

std::optional<Trajectory> read_csv(const std::string& file, std::string_view text, Diagnostics& diagnostics,
                                   const std::string& time, const Columns& constants) {
    return TrajectoryReader(file, text, diagnostics).read(time, constants);
}

}  // namespace cutset
