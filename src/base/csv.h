// Tables of text: the one reader of CSV files, for results and measurements, tables of models, cases of
// sweeps.
//
// Fields are separated by comma, semicolon, tab or blanks: the first row decides for the file, or a line
// `sep=;` before it, which Excel writes. A field may be quoted, with "" for a quote in it; it does not run
// over the end of its line. Lines end with LF or CR LF, or all with CR. Lines that are empty or begin with #
// are passed over. Where the first row ends with a separator, other rows may.
//
// The reader knows rows and fields; what they mean, and what to say about it, is up to its callers. Nothing
// is copied: the text must outlive the reader.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutset {

struct CsvField {
    std::string_view text;  // without quotes and blanks around; doubled quotes are still doubled
    std::size_t begin = 0;  // in the line, in bytes
    bool doubled = false;   // has doubled quotes

    std::string unquoted() const;
};

class CsvReader {
  public:
    enum class Next {
        Row,
        End,
        QuoteNotClosed,  // at `problem_column` of the line
        TextAfterQuote,  // at `problem_column` of the line
    };

    explicit CsvReader(std::string_view text);

    Next next();
    // Of the row that was read last.
    const std::vector<CsvField>& fields() const { return fields_; }
    std::size_t line() const { return line_number_; }  // from 1
    std::size_t column(const CsvField& field) const {
        return column_at(field.begin);
    }                                            // from 1, in characters
    bool is_cut_off() const { return !ended_; }  // the text ends before the line does
    std::size_t problem_column() const { return column_at(problem_); }
    // What is wrong with the line: "line 3 has text after a closing quote".
    std::string problem_text(Next problem) const;

    // A missing value (an empty field, NA) is NaN, true and false are 1 and 0. Where the separator is not the
    // comma, 1,5 means 1.5. What is too large is infinite, what is too small 0. Nothing: no number.
    std::optional<double> number(const CsvField& field) const;

  private:
    bool next_line();
    Next split();
    Next quoted_field(CsvField& field, std::size_t& at);
    void skip_blanks(std::size_t& at) const;
    std::size_t column_at(std::size_t byte) const;

    std::string_view text_, line_;
    std::size_t at_ = 0, line_number_ = 0, problem_ = 0;
    std::size_t width_ = 0;  // of the first row
    bool ended_ = true;      // the current line has its line end
    bool trailing_ = false;  // the first row ends with a separator
    char separator_ = 0;     // 0: not yet known
    char line_end_ = '\n';
    std::vector<CsvField> fields_;
};

}  // namespace cutset
