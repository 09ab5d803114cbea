#include "results/writer.h"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cstring>
#include <limits>

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
    // What stands in a field of a row: a number of it, or a text that never changes.
    struct Cell {
        std::size_t slot = 0;
        bool negated = false;
        std::string constant = {};
    };

    Problem write_header() override {
        std::string line;
        std::vector<std::size_t> slots;
        std::size_t slot = 0, longest = 0;
        for (const Column& c : columns_) slots.push_back(c.stored() ? slot++ : 0);
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const Column& c = columns_[ColumnIndex(k)];
            Cell cell;
            if (!constants_in_rows_ && is_written_once(columns_, c)) continue;
            if (is_constant(columns_, c)) {
                append_number(cell.constant, constant_value(columns_, c));
            } else {
                const bool alias = c.kind == ColumnKind::Alias;
                cell.slot = slots[alias ? c.alias_of.value : k];
                cell.negated = alias && c.negated;
            }
            longest += std::max(longest_number, cell.constant.size()) + 1;
            cells_.push_back(std::move(cell));
            if (!line.empty()) line += ',';
            if (c.name.empty())
                line += "\"\"";
            else
                append_field(line, c.name);
        }
        line += '\n';
        row_ = std::make_unique<char[]>(longest + 1);
        std::size_t written = 0;
        return file_.append(line, written);
    }

    void add_row(std::span<const double> row) override {
        char* to = row_.get();
        for (const Cell& cell : cells_) {
            if (!cell.constant.empty()) {
                to = std::copy(cell.constant.begin(), cell.constant.end(), to);
            } else {
                const double v = row[cell.slot];
                to = write_number(to, cell.negated ? 0.0 - v : v);
            }
            *to++ = ',';
        }
        to[-1] = '\n';  // there is always the time
        buffer_.append(row_.get(), to);
    }

    std::size_t whole_part(std::size_t written) const override {
        const std::size_t at = std::string_view(buffer_).substr(0, written).rfind('\n');
        return at == std::string_view::npos ? 0 : at + 1;
    }

    Problem close(bool any_row) override {
        const bool beside = any_row && file_.can_overwrite();
        if (Problem p = file_.close(any_row)) return p;
        if (!beside) return std::nullopt;
        return write_parameters(path_, constants_in_rows_ ? Columns() : columns_);
    }

    bool constants_in_rows_;
    std::vector<Cell> cells_;
    std::unique_ptr<char[]> row_;
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

    void add_row(std::span<const double> row) override {
        if (!first_time_) first_time_ = row[0];
        put_doubles(buffer_, row);
    }

    std::size_t whole_part(std::size_t written) const override {
        return written - written % (width_ * sizeof(double));
    }

    // Data first, then their number: whoever reads in between sees fewer rows, never wrong ones.
    Problem mark_rows(std::string_view written) override {
        const std::uint64_t count = (file_.size() - data_at_) / (width_ * sizeof(double));
        if (count > std::numeric_limits<std::int32_t>::max())
            return fmt::format("{}: more rows than a MAT-file can count; write a .csv file instead", path_);
        const auto bytes = [](const auto& v) {
            return std::string_view(reinterpret_cast<const char*>(&v), sizeof v);
        };
        const std::uint32_t rows = static_cast<std::uint32_t>(count);
        if (Problem p = file_.overwrite(row_count_at_, bytes(rows))) return p;
        if (Problem p = file_.overwrite(first_time_at_, bytes(*first_time_))) return p;
        return file_.overwrite(last_time_at_,
                               written.substr(written.size() - width_ * sizeof(double), sizeof(double)));
    }

    std::uint64_t first_time_at_ = 0, last_time_at_ = 0, row_count_at_ = 0, data_at_ = 0;
    std::optional<double> first_time_;
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
