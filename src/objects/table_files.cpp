#include "objects/table_files.h"

#include <algorithm>
#include <charconv>
#include <cstdlib>
#include <string_view>

#include "base/csv.h"
#include "base/mat_matrices.h"
#include "base/source.h"

namespace cutset::objects {

namespace {

constexpr std::size_t most_numbers = 10'000'000;

bool ends_with(const std::string& path, std::string_view ending) {
    if (path.size() < ending.size()) return false;
    return std::equal(ending.begin(), ending.end(), path.end() - static_cast<std::ptrdiff_t>(ending.size()),
                      [](char a, char b) { return a == (b >= 'A' && b <= 'Z' ? b - 'A' + 'a' : b); });
}

// `#` begins a comment, numbers are separated by blanks, commas, semicolons, tabs and line ends.
class NumberReader {
  public:
    explicit NumberReader(std::string_view text) : text_(text) {}
    bool next(double& number) {
        while (at_ < text_.size()) {
            const char c = text_[at_];
            if (c == '#') {
                while (at_ < text_.size() && text_[at_] != '\n') ++at_;
            } else if (std::string_view(" \t\r\n,;").find(c) != std::string_view::npos) {
                ++at_;
            } else {
                break;
            }
        }
        if (at_ < text_.size() && text_[at_] == '+') ++at_;
        const auto [end, error] = std::from_chars(text_.data() + at_, text_.data() + text_.size(), number);
        if (error != std::errc()) return false;
        at_ = static_cast<std::size_t>(end - text_.data());
        return true;
    }

  private:
    std::string_view text_;
    std::size_t at_ = 0;
};

bool read_text(std::string_view text, const std::string& table, TableMatrix& matrix, std::string& problem) {
    // A line "double name(rows, columns)".
    for (std::size_t line = 0; line < text.size();) {
        const std::size_t end = std::min(text.find('\n', line), text.size());
        const std::string one(text.substr(line, end - line));
        line = end + 1;
        std::size_t at = one.find_first_not_of(" \t");
        if (at == std::string::npos) continue;
        if (one.compare(at, 6, "double") != 0 && one.compare(at, 5, "float") != 0) continue;
        at = one.find_first_of(" \t", at);
        at = at == std::string::npos ? at : one.find_first_not_of(" \t", at);
        const std::size_t open = at == std::string::npos ? at : one.find('(', at);
        if (open == std::string::npos) continue;
        std::string name = one.substr(at, open - at);
        name.erase(name.find_last_not_of(" \t") + 1);
        if (name != table) continue;
        char* after = nullptr;
        const long rows = std::strtol(one.c_str() + open + 1, &after, 10);
        while (*after == ' ' || *after == ',') ++after;
        const long columns = std::strtol(after, nullptr, 10);
        if (rows < 0 || columns < 0 ||
            static_cast<double>(rows) * static_cast<double>(columns) > static_cast<double>(most_numbers)) {
            problem = "its size is written wrong";
            return false;
        }
        matrix.rows = static_cast<std::size_t>(rows);
        matrix.columns = static_cast<std::size_t>(columns);
        NumberReader numbers(text.substr(std::min(line, text.size())));
        for (double x; matrix.values.size() < matrix.rows * matrix.columns && numbers.next(x);)
            matrix.values.push_back(x);
        if (matrix.values.size() == matrix.rows * matrix.columns) return true;
        problem = "it has fewer numbers than its size says";
        return false;
    }
    problem = "it has no table `" + table + "`";
    return false;
}

bool read_csv(std::string_view text, std::size_t header_lines, TableMatrix& matrix, std::string& problem) {
    for (; header_lines > 0; --header_lines) {
        const std::size_t end = text.find('\n');
        text = end == std::string_view::npos ? std::string_view() : text.substr(end + 1);
    }
    CsvReader reader(text);
    for (;;) {
        const CsvReader::Next next = reader.next();
        if (next == CsvReader::Next::End) break;
        if (next != CsvReader::Next::Row) {
            problem = reader.problem_text(next);
            return false;
        }
        if (matrix.rows == 0) matrix.columns = reader.fields().size();
        for (std::size_t k = 0; k < matrix.columns; ++k) {
            const auto number = k < reader.fields().size() ? reader.number(reader.fields()[k]) : std::nullopt;
            if (!number || matrix.values.size() > most_numbers) {
                problem = "line " + std::to_string(reader.line()) + " is no row of numbers";
                return false;
            }
            matrix.values.push_back(*number);
        }
        ++matrix.rows;
    }
    return true;
}

bool read_mat(std::string_view bytes, const std::string& table, TableMatrix& matrix, std::string& problem) {
    const auto all = read_mat_matrices(bytes, problem);
    if (!all) return false;
    for (const NamedMatrix& m : *all) {
        if (m.name != table || m.text) continue;
        matrix.rows = m.rows;
        matrix.columns = m.columns;
        for (std::size_t i = 0; i < m.rows; ++i)
            for (std::size_t j = 0; j < m.columns; ++j) matrix.values.push_back(m.at(i, j));
        return true;
    }
    problem = "it has no matrix `" + table + "`";
    return false;
}

}  // namespace

bool read_table_file(const std::string& path, const std::string& table, std::size_t header_lines,
                     TableMatrix& matrix, std::string& problem) {
    const auto text = read_file(path, problem, InputKind::FileOnly);
    if (!text) return false;
    if (ends_with(path, ".csv")) return read_csv(*text, header_lines, matrix, problem);
    if (ends_with(path, ".mat")) return read_mat(*text, table, matrix, problem);
    return read_text(*text, table, matrix, problem);
}

}  // namespace cutset::objects
