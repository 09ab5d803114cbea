#include "results/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstdint>
#include <cstring>
#include <limits>
#include <optional>

#include "results/choose_columns.h"
#include "results/file_writer.h"
#include "results/parameters_file.h"

namespace cutset {

static_assert(std::endian::native == std::endian::little,
              "the MAT writer stores numbers as they are in memory");

namespace {

class CsvWriter final : public FileWriter {
  public:
    CsvWriter(std::string path, bool constants_in_rows)
        : FileWriter(std::move(path)), constants_in_rows_(constants_in_rows) {}
    ~CsvWriter() override {
        try {
            finish();
        } catch (...) {  // no memory left; the rows are in the file
        }
    }

  private:
    // What stands in a field of a row: a number of it, the text of an earlier field with that number, their
    // opposites, or a text that never changes. Short, since all of them are gone through for each row.
    struct Cell {
        enum Kind : std::uint8_t { Number, Opposite, Like, OppositeOfLike, Constant } kind;
        std::uint32_t which;  // slot, field or constant
    };

    Problem write_header() override {
        std::string line;
        std::vector<std::size_t> slots;
        std::size_t slot = 0;
        for (const Column& c : columns_) slots.push_back(c.stored() ? slot++ : 0);
        std::vector<std::optional<std::uint32_t>> field_of(slot);  // by slot, not negated
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const Column& c = columns_[ColumnIndex(k)];
            if (!constants_in_rows_ && is_written_once(columns_, c)) continue;
            std::size_t length = longest_number;
            if (is_constant(columns_, c)) {
                cells_.push_back({Cell::Constant, number_of(constants_.size())});
                append_number(constants_.emplace_back(), constant_value(columns_, c));
                length = std::max(length, constants_.back().size());
            } else {
                const bool alias = c.kind == ColumnKind::Alias, opposite = alias && c.negated;
                const std::size_t at = slots[alias ? c.alias_of.value : k];
                if (field_of[at]) {
                    cells_.push_back({opposite ? Cell::OppositeOfLike : Cell::Like, *field_of[at]});
                } else {
                    if (!opposite) field_of[at] = number_of(cells_.size());
                    cells_.push_back({opposite ? Cell::Opposite : Cell::Number, number_of(at)});
                }
            }
            longest_ += length + 1;
            if (!line.empty()) line += ',';
            if (c.name.empty())
                line += "\"\"";
            else
                append_field(line, c.name);
        }
        line += '\n';
        std::size_t written = 0;
        return file_.append(line, written);
    }

    std::string_view rendered(std::span<const double> rows, Text& text) const override {
        const std::size_t room = rows.size() / width_ * longest_ + 1;
        if (room > text.room) text.memory = std::make_unique_for_overwrite<char[]>(text.room = room);
        text.fields.resize(cells_.size());
        char* to = text.memory.get();
        for (std::size_t at = 0; at < rows.size(); at += width_)
            to = write_row(to, rows.data() + at, text.fields);
        return {text.memory.get(), to};
    }

    char* write_row(char* to, const double* row, std::vector<char*>& fields) const {
        for (std::size_t i = 0; i < cells_.size(); ++i) {
            const Cell cell = cells_[i];
            fields[i] = to;
            switch (cell.kind) {
                case Cell::Number:
                    to = write_number(to, row[cell.which]);
                    break;
                case Cell::Opposite:
                    to = write_number(to, 0.0 - row[cell.which]);
                    break;
                case Cell::Like:
                case Cell::OppositeOfLike:
                    to = write_like(to, fields[cell.which], fields[cell.which + 1] - 1,
                                    cell.kind == Cell::OppositeOfLike);
                    break;
                case Cell::Constant:
                    to = std::copy(constants_[cell.which].begin(), constants_[cell.which].end(), to);
                    break;
            }
            *to++ = ',';
        }
        to[-1] = '\n';  // there is always the time
        return to;
    }

    // The text of a number again, or that of its opposite: zero has no minus there.
    static char* write_like(char* to, const char* begin, const char* end, bool negated) {
        if (negated && *begin == '-')
            ++begin;
        else if (negated && *begin != 'n' && !(end - begin == 1 && *begin == '0'))
            *to++ = '-';
        char text[longest_copy];  // both may overlap
        std::memcpy(text, begin, longest_copy);
        std::memcpy(to, text, longest_copy);
        return to + (end - begin);
    }

    std::size_t whole_part(std::string_view written) const override {
        const std::size_t at = written.rfind('\n');
        return at == std::string_view::npos ? 0 : at + 1;
    }

    Problem close(bool any_row) override {
        const bool beside = any_row && file_.can_overwrite();
        if (Problem p = file_.close(any_row)) return p;
        if (!beside) return std::nullopt;
        return write_parameters(path_, constants_in_rows_ ? Columns() : columns_);
    }

    bool constants_in_rows_;
    // A copy of fixed length is faster; the longest number is -1.2345678901234567e-300.
    static constexpr std::size_t longest_copy = 32;
    static_assert(longest_number >= longest_copy + 1);

    static std::uint32_t number_of(std::size_t i) { return static_cast<std::uint32_t>(i); }

    std::vector<Cell> cells_;
    std::vector<std::string> constants_;
    std::size_t longest_ = 0;  // room for a row
};

// A MAT-file level 4 is a sequence of matrices, each stored by columns after a header of five 32-bit integers
// and a name. In a "binTrans" trajectory every matrix but the first is the transpose of the documented one,
// so that a row of the result is contiguous and the file can grow.
class MatWriter final : public FileWriter {
  public:
    using FileWriter::FileWriter;
    ~MatWriter() override {
        try {
            finish();
        } catch (...) {  // no memory left; the rows are in the file
        }
    }

  private:
    // type: 0 double, 20 32-bit integer, 51 text
    static void put_header(std::string& out, std::uint32_t type, std::size_t rows, std::size_t columns,
                           std::string_view name) {
        const std::uint32_t fields[5] = {type, static_cast<std::uint32_t>(rows),
                                         static_cast<std::uint32_t>(columns), 0,
                                         static_cast<std::uint32_t>(name.size() + 1)};
        out.append(reinterpret_cast<const char*>(fields), sizeof fields);
        out.append(name);
        out += '\0';
    }

    static void put_texts(std::string& out, std::string_view name, const std::vector<std::string>& texts) {
        std::size_t longest = 1;
        for (const std::string& t : texts) longest = std::max(longest, t.size());
        put_header(out, 51, longest, texts.size(), name);
        for (const std::string& t : texts) {
            out += t;
            out.append(longest - t.size(), '\0');
        }
    }

    static void put_doubles(std::string& out, std::span<const double> values) {
        out.append(reinterpret_cast<const char*>(values.data()), values.size_bytes());
    }

    Problem write_header() override {
        if (!file_.can_overwrite())
            return fmt::format("{}: a MAT-file needs a real file, because its header changes as it grows",
                               path_);
        std::string out;
        // Stored by columns and filled with blanks; the only matrix that is not transposed.
        const std::string_view classes[4] = {"Atrajectory", "1.1", "", "binTrans"};
        put_header(out, 51, 4, 11, "Aclass");
        for (std::size_t k = 0; k < 11; ++k)
            for (std::string_view text : classes) out += k < text.size() ? text[k] : ' ';

        std::vector<std::string> names, descriptions;
        for (const Column& c : columns_) {
            names.push_back(c.name);
            // A unit stands in brackets at the end of the description.
            std::string text = c.description;
            if (!c.unit.empty()) text += (text.empty() ? "[" : " [") + c.unit + "]";
            descriptions.push_back(std::move(text));
        }
        put_texts(out, "name", names);
        put_texts(out, "description", descriptions);

        // Row 1 of data_1 is time: its first and last value. Then the parameters.
        std::vector<std::int32_t> place(columns_.size());  // 1, 2, ... in data_1 or data_2
        std::vector<double> parameters = {0.0};
        std::int32_t stored = 0;
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const Column& c = columns_[ColumnIndex(k)];
            if (c.stored()) place[k] = ++stored;
            if (c.kind == ColumnKind::Parameter) {
                parameters.push_back(c.value);
                place[k] = static_cast<std::int32_t>(parameters.size());
            }
        }
        // For each name: which matrix (0 the abscissa), which row of it with the sign of the alias,
        // 0 linear interpolation, -1 undefined or 0 held outside the time range.
        put_header(out, 20, 4, columns_.size(), "dataInfo");
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const Column& c = columns_[ColumnIndex(k)];
            const bool alias = c.kind == ColumnKind::Alias;
            const ColumnKind kind = alias ? columns_[c.alias_of].kind : c.kind;
            const std::int32_t at = place[alias ? c.alias_of.value : k];
            const bool constant = kind == ColumnKind::Parameter;
            const std::int32_t info[4] = {c.kind == ColumnKind::Time ? 0
                                          : constant                 ? 1
                                                                     : 2,
                                          alias && c.negated ? -at : at, 0, constant ? 0 : -1};
            out.append(reinterpret_cast<const char*>(info), sizeof info);
        }
        put_header(out, 0, parameters.size(), 2, "data_1");
        first_time_at_ = out.size();
        put_doubles(out, parameters);
        last_time_at_ = out.size();
        put_doubles(out, parameters);
        row_count_at_ = out.size() + 2 * sizeof(std::uint32_t);
        put_header(out, 0, width_, 0, "data_2");
        data_at_ = out.size();
        std::size_t written = 0;
        return file_.append(out, written);
    }

    std::string_view rendered(std::span<const double> rows, Text&) const override {
        return {reinterpret_cast<const char*>(rows.data()), rows.size_bytes()};
    }

    // Data first, then their number: a reader in between sees fewer rows, never wrong ones.
    Problem mark_rows(std::string_view written) override {
        const std::uint64_t count = (file_.size() - data_at_) / (width_ * sizeof(double));
        if (count > std::numeric_limits<std::int32_t>::max())
            return fmt::format("{}: more rows than a MAT-file can count; write a .csv file instead", path_);
        const auto bytes = [](const auto& v) {
            return std::string_view(reinterpret_cast<const char*>(&v), sizeof v);
        };
        const std::uint32_t rows = static_cast<std::uint32_t>(count);
        if (Problem p = file_.overwrite(row_count_at_, bytes(rows))) return p;
        if (count * width_ * sizeof(double) == written.size())  // the first ones
            if (Problem p = file_.overwrite(first_time_at_, written.substr(0, sizeof(double)))) return p;
        return file_.overwrite(last_time_at_,
                               written.substr(written.size() - width_ * sizeof(double), sizeof(double)));
    }

    std::uint64_t first_time_at_ = 0, last_time_at_ = 0, row_count_at_ = 0, data_at_ = 0;
};

bool ends_with(const std::string& text, std::string_view ending) {
    if (text.size() < ending.size()) return false;
    for (std::size_t i = 0; i < ending.size(); ++i) {
        char c = text[text.size() - ending.size() + i];
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
        if (c != ending[i]) return false;
    }
    return true;
}

}  // namespace

std::unique_ptr<ResultWriter> make_csv_writer(std::string path, bool constants_in_rows) {
    return std::make_unique<CsvWriter>(std::move(path), constants_in_rows);
}

std::unique_ptr<ResultWriter> make_mat_writer(std::string path) {
    return std::make_unique<MatWriter>(std::move(path));
}

std::unique_ptr<ResultWriter> make_writer(const std::string& path, Problem& problem) {
    return make_writer(path, {}, problem);
}

std::unique_ptr<ResultWriter> make_writer(const std::string& path, const ResultChoice& choice,
                                          Problem& problem) {
    std::unique_ptr<ResultWriter> writer;
    if (ends_with(path, ".mat"))
        writer = make_mat_writer(path);
    else if (ends_with(path, ".npz"))
        writer = make_npz_writer(path);
    else if (ends_with(path, ".csv") || path == "/dev/stdout" || path == "/dev/null")
        writer = make_csv_writer(path, choice.constants_in_rows);
    else
        problem = fmt::format("{}: the ending of a result file must be .csv, .mat or .npz", path);
    if (!writer || choice.variables.empty()) return writer;
    return make_choosing_writer(std::move(writer), choice.variables);
}

Problem write_result(const Trajectory& trajectory, const std::string& path) {
    Problem problem;
    const auto writer = make_writer(path, problem);
    if (!writer) return problem;
    if ((problem = writer->begin(trajectory.columns()))) return problem;
    std::vector<double> row;
    for (std::size_t i = 0; i < trajectory.rows(); ++i) {
        row.clear();
        for (std::size_t k = 0; k < trajectory.columns().size(); ++k)
            if (trajectory.columns()[ColumnIndex(k)].stored())
                row.push_back(trajectory.value(ColumnIndex(k), i));
        if (writer->append(row)) break;
    }
    return writer->finish();
}

}  // namespace cutset
