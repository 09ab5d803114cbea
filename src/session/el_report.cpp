#include "session/el_report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <utility>

#include "results/choose_columns.h"
#include "results/file_writer.h"

namespace cutset {

namespace {

class ReportWriter final : public FileWriter {
  public:
    ReportWriter(std::string path, ReportForm form) : FileWriter(std::move(path)), form_(form) {}
    ~ReportWriter() override {
        try {
            finish();
        } catch (...) {  // no memory left; the rows are in the file
        }
    }

  private:
    // A column: a number of the row with its sign, or a value that never changes.
    struct Cell {
        std::string name;
        std::size_t slot = 0;
        double sign = 1, constant = 0;
        bool is_constant = false;
        std::size_t width = 0;
    };

    Problem write_header() override {
        std::vector<std::size_t> slots;
        std::size_t slot = 0;
        for (const Column& c : columns_) slots.push_back(c.stored() ? slot++ : 0);
        std::string line;
        for (std::size_t k = 0; k < columns_.size(); ++k) {
            const Column& c = columns_[ColumnIndex(k)];
            const bool alias = c.kind == ColumnKind::Alias;
            const Column& source = alias ? columns_[c.alias_of] : c;
            Cell cell;
            cell.name = c.kind == ColumnKind::Time ? "TIME" : c.name;
            cell.slot = slots[alias ? c.alias_of.value : k];
            cell.sign = alias && c.negated ? -1 : 1;
            cell.is_constant = !source.stored();
            cell.constant = source.value;
            cell.width = std::max<std::size_t>(cell.name.size(), 15) + 1;
            if (form_ == ReportForm::Table) line += fmt::format("{:>{}}", cell.name, cell.width);
            cells_.push_back(std::move(cell));
        }
        if (form_ == ReportForm::List) return file_.append("", written_);
        return file_.append(line + "\n", written_);
    }

    std::string_view rendered(std::span<const double> rows, Text& text) const override {
        std::string out;
        for (std::size_t at = 0; at < rows.size(); at += width_) {
            for (const Cell& c : cells_) {
                const double value = c.is_constant ? c.constant : c.sign * rows[at + c.slot];
                out += form_ == ReportForm::Table ? fmt::format("{:>{}.9g}", value, c.width)
                                                  : fmt::format("{} = {:.9g}\n", c.name, value);
            }
            out += '\n';
        }
        if (out.size() > text.room)
            text.memory = std::make_unique_for_overwrite<char[]>(text.room = out.size());
        std::memcpy(text.memory.get(), out.data(), out.size());
        return {text.memory.get(), out.size()};
    }

    std::size_t whole_part(std::string_view written) const override {
        const std::string_view end = form_ == ReportForm::Table ? "\n" : "\n\n";
        const std::size_t at = written.rfind(end);
        return at == std::string_view::npos ? 0 : at + end.size();
    }

    ReportForm form_;
    std::vector<Cell> cells_;
    std::size_t written_ = 0;
};

}  // namespace

std::unique_ptr<ResultWriter> make_report_writer(std::string path, ReportForm form,
                                                 std::vector<std::string> variables) {
    std::unique_ptr<ResultWriter> writer = std::make_unique<ReportWriter>(std::move(path), form);
    return variables.empty() ? std::move(writer)
                             : make_choosing_writer(std::move(writer), std::move(variables));
}

}  // namespace cutset
