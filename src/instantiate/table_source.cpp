#include "instantiate/table_source.h"

#include <sqlite3.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <filesystem>
#include <functional>
#include <memory>

#include "base/csv.h"
#include "base/mat_matrices.h"
#include "instantiate/functions.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"

namespace cutset {

std::size_t columns_of(const tree::Table& t) {
    return std::max<std::size_t>(1, t.results.size());
}
std::string row_place(const TableRow& r) {
    return r.line ? "line " + std::to_string(r.line) : "";
}

namespace {

// Numbers in a row: the arguments, then the values.
std::size_t width_of(const tree::Table& t) {
    return t.arguments.size() + columns_of(t);
}

bool all_literal(const tree::Table& t) {
    const auto literal = [](const tree::Expression& e) {
        const tree::Expression* x = &e;
        while (x->kind == tree::ExpressionKind::Negate ||
               (x->kind == tree::ExpressionKind::Sum && x->arguments.size() == 1))
            x = x->arguments.data();
        return x->kind == tree::ExpressionKind::Number;
    };
    for (const auto& row : t.rows)
        for (const tree::Expression& e : row)
            if (!literal(e)) return false;
    return true;
}

// The instance that declares the table, seen from where it is used.
std::optional<InstanceIndex> home(Context& c, ClassInfo* in, InstanceIndex from) {
    for (InstanceIndex i = from;; i = c.model.instances[i].parent) {
        if (c.instances[i].info == in) return i;
        if (i.value == 0) return std::nullopt;
    }
}

std::optional<std::vector<TableRow>> inline_rows(Context& c, const tree::Table& t, ClassInfo* in,
                                                 const tree::File* file,
                                                 std::optional<InstanceIndex> instance) {
    FunctionScope constants;
    constants.in = in;
    constants.file = file;
    constants.constants_only = true;
    std::vector<TableRow> rows;
    for (const auto& tuple : t.rows) {
        TableRow row;
        row.where = tuple.empty() ? t.where : tuple[0].where;
        for (const tree::Expression& e : tuple) {
            std::optional<double> v;
            if (instance) {
                v = structural_value(c, e, Scope{.instance = *instance}, "the table " + t.name);
            } else {
                const Expr x =
                    translate_number(c, e, Scope{.instance = InstanceIndex(0), .function = &constants});
                if (x && x->is_number()) v = x->number;
                if (x && !x->is_number()) c.report(messages::table_not_constant(e.where, t.name));
            }
            if (!v) return std::nullopt;
            row.numbers.push_back(*v);
        }
        if (row.numbers.size() != width_of(t)) {
            c.report(messages::table_row_width(row.where, t.name, width_of(t), row.numbers.size(), "", 0));
            return std::nullopt;
        }
        rows.push_back(std::move(row));
    }
    return rows;
}

// Which columns hold the arguments and the value: by the names in the heading, else the first ones.
std::optional<std::vector<std::size_t>> choose_columns(const tree::Table& t,
                                                       const std::vector<std::string>& heading,
                                                       std::size_t width) {
    const std::size_t wanted = width_of(t);
    std::vector<std::size_t> columns;
    std::vector<std::string> names = t.arguments;
    if (t.results.empty()) names.push_back(t.name);
    names.insert(names.end(), t.results.begin(), t.results.end());
    for (const std::string& name : names) {
        const auto found = std::find(heading.begin(), heading.end(), name);
        if (found == heading.end()) break;
        columns.push_back(static_cast<std::size_t>(found - heading.begin()));
    }
    if (columns.size() == wanted) return columns;
    if (width != wanted) return std::nullopt;
    columns.clear();
    for (std::size_t k = 0; k < wanted; ++k) columns.push_back(k);
    return columns;
}

std::optional<std::vector<TableRow>> csv_rows(Context& c, const tree::Table& t, const std::string& path) {
    c.model.reads_files = true;
    std::string problem;
    const auto text = read_file(path, problem, InputKind::FileOnly);
    if (!text) {
        c.report(messages::table_unreadable(t.file_where, t.name, path, problem));
        return std::nullopt;
    }
    CsvReader reader(*text);
    const auto number = [&](const CsvField& field) -> std::optional<double> {
        const auto v = reader.number(field);
        return v && std::isfinite(*v) ? v : std::nullopt;
    };
    std::vector<TableRow> rows;
    std::vector<std::string> heading;
    std::optional<std::vector<std::size_t>> columns;
    CsvReader::Next next;
    while ((next = reader.next()) == CsvReader::Next::Row) {
        std::vector<CsvField> cells = reader.fields();
        while (!cells.empty() && cells.back().text.empty()) cells.pop_back();
        if (cells.empty()) continue;
        if (rows.empty() && heading.empty() && !std::all_of(cells.begin(), cells.end(), number)) {
            for (const CsvField& cell : cells) heading.push_back(cell.unquoted());
            continue;
        }
        if (!columns) columns = choose_columns(t, heading, cells.size());
        if (!columns || cells.size() <= *std::max_element(columns->begin(), columns->end())) {
            c.report(messages::table_row_width(t.file_where, t.name, width_of(t), cells.size(), path,
                                               reader.line()));
            return std::nullopt;
        }
        TableRow row;
        row.line = reader.line();
        row.where = t.file_where;
        for (std::size_t k : *columns) {
            const auto v = number(cells[k]);
            if (!v) {
                c.report(messages::table_not_a_number(t.file_where, t.name, path, reader.line(),
                                                      cells[k].unquoted()));
                return std::nullopt;
            }
            row.numbers.push_back(*v);
        }
        rows.push_back(std::move(row));
    }
    if (next != CsvReader::Next::End) {
        c.report(messages::table_unreadable(t.file_where, t.name, path, reader.problem_text(next)));
        return std::nullopt;
    }
    return rows;
}

// The first columns of a matrix as rows. One of two arguments begins with its grid: the second arguments
// stand in its first row, the first ones in its first column.
std::optional<std::vector<TableRow>> matrix_rows(Context& c, const tree::Table& t, const std::string& path,
                                                 std::size_t height, std::size_t width,
                                                 const std::function<double(std::size_t, std::size_t)>& at) {
    std::vector<TableRow> rows;
    const auto add = [&](std::vector<double> numbers, std::size_t line) {
        rows.push_back({std::move(numbers), line, t.file_where});
    };
    const std::size_t wanted = width_of(t);
    if (t.arguments.size() == 2 && t.results.empty()) {
        for (std::size_t i = 1; i < height; ++i)
            for (std::size_t j = 1; j < width; ++j) add({at(i, 0), at(0, j), at(i, j)}, i + 1);
    } else if (width < wanted) {
        c.report(messages::table_row_width(t.file_where, t.name, wanted, width, path, 0));
        return std::nullopt;
    } else {
        for (std::size_t i = 0; i < height; ++i) {
            std::vector<double> numbers;
            for (std::size_t k = 0; k < wanted; ++k) numbers.push_back(at(i, k));
            add(std::move(numbers), i + 1);
        }
    }
    for (const TableRow& r : rows)
        for (double v : r.numbers)
            if (!std::isfinite(v)) {
                c.report(messages::table_not_a_number(t.file_where, t.name, path, r.line, std::to_string(v)));
                return std::nullopt;
            }
    return rows;
}

std::optional<std::string> file_text(Context& c, const tree::Table& t, const std::string& path) {
    c.model.reads_files = true;
    std::string problem;
    auto text = read_file(path, problem, InputKind::FileOnly);
    if (!text) c.report(messages::table_unreadable(t.file_where, t.name, path, problem));
    return text;
}

std::optional<std::vector<TableRow>> mat_rows(Context& c, const tree::Table& t, const std::string& path,
                                              const std::string& name) {
    const auto bytes = file_text(c, t, path);
    if (!bytes) return std::nullopt;
    std::string problem;
    const auto matrices = read_mat_matrices(*bytes, problem);
    if (!matrices) {
        c.report(messages::table_unreadable(t.file_where, t.name, path, problem));
        return std::nullopt;
    }
    std::vector<std::string> names;
    for (const NamedMatrix& m : *matrices) {
        if (m.text) continue;
        if (m.name == name)
            return matrix_rows(c, t, path, m.rows, m.columns,
                               [&](std::size_t i, std::size_t k) { return m.at(i, k); });
        names.push_back(m.name);
    }
    c.report(messages::table_not_in_file(t.file_where, t.name, path, name, nearest_name(name, names)));
    return std::nullopt;
}

// A text as Modelica's tables have it: `double name(rows, columns)` and the numbers, `#` before comments.
std::optional<std::vector<TableRow>> text_rows(Context& c, const tree::Table& t, const std::string& path,
                                               const std::string& name) {
    const auto text = file_text(c, t, path);
    if (!text) return std::nullopt;
    struct Word {
        std::string_view text;
        std::size_t line;
    };
    std::vector<Word> words;
    std::size_t line = 1;
    constexpr std::string_view separators = " \t\r\n,;()";
    for (std::size_t at = 0; at < text->size();) {
        const char ch = (*text)[at];
        if (ch == '#') {
            at = std::min(text->find('\n', at), text->size());
        } else if (separators.find(ch) != std::string_view::npos) {
            line += ch == '\n';
            ++at;
        } else {
            const std::size_t end = std::min(text->find_first_of(" \t\r\n,;()#", at), text->size());
            words.push_back({std::string_view(*text).substr(at, end - at), line});
            at = end;
        }
    }
    const auto number = [](const Word& w) -> std::optional<double> {
        double v = 0;
        const char* const first = w.text.data() + (w.text.starts_with('+') ? 1 : 0);
        const auto result = std::from_chars(first, w.text.data() + w.text.size(), v);
        return result.ec == std::errc() && result.ptr == w.text.data() + w.text.size() ? std::optional(v)
                                                                                       : std::nullopt;
    };
    std::vector<std::string> names;
    for (std::size_t k = 0; k + 3 < words.size(); ++k) {
        if (words[k].text != "double" && words[k].text != "float") continue;
        const auto height = number(words[k + 2]), width = number(words[k + 3]);
        if (!height || !width || *height < 1 || *width < 1 || *height * *width > 1e9) continue;
        names.emplace_back(words[k + 1].text);
        if (words[k + 1].text != name) continue;
        const auto rows = static_cast<std::size_t>(*height), columns = static_cast<std::size_t>(*width);
        std::vector<double> numbers;
        for (std::size_t i = k + 4; i < words.size() && numbers.size() < rows * columns; ++i) {
            const auto v = number(words[i]);
            if (!v) {
                c.report(messages::table_not_a_number(t.file_where, t.name, path, words[i].line,
                                                      std::string(words[i].text)));
                return std::nullopt;
            }
            numbers.push_back(*v);
        }
        if (numbers.size() < rows * columns) {
            c.report(messages::table_unreadable(t.file_where, t.name, path,
                                                "it ends after " + std::to_string(numbers.size()) + " of " +
                                                    std::to_string(rows * columns) + " numbers"));
            return std::nullopt;
        }
        return matrix_rows(c, t, path, rows, columns,
                           [&](std::size_t i, std::size_t j) { return numbers[i * columns + j]; });
    }
    c.report(messages::table_not_in_file(t.file_where, t.name, path, name, nearest_name(name, names)));
    return std::nullopt;
}

struct CloseDatabase {
    void operator()(sqlite3* db) const { sqlite3_close(db); }
};
struct FinishStatement {
    void operator()(sqlite3_stmt* s) const { sqlite3_finalize(s); }
};

std::optional<std::vector<TableRow>> database_rows(Context& c, const tree::Table& t, const std::string& path,
                                                   const std::string& table) {
    c.model.reads_files = true;
    std::error_code ec;
    const auto kind = std::filesystem::status(path, ec).type();
    if (kind != std::filesystem::file_type::regular) {
        const bool there = std::filesystem::exists(path, ec);
        c.report(messages::table_unreadable(t.file_where, t.name, path,
                                            there ? "it is not a regular file" : "there is no such file"));
        return std::nullopt;
    }
    sqlite3* opened = nullptr;
    const int status = sqlite3_open_v2(path.c_str(), &opened, SQLITE_OPEN_READONLY, nullptr);
    const std::unique_ptr<sqlite3, CloseDatabase> db(opened);
    const auto problem = [&] {
        c.report(messages::table_unreadable(t.file_where, t.name, path, sqlite3_errmsg(db.get())));
        return std::nullopt;
    };
    if (status != SQLITE_OK) return problem();
    std::string quoted;
    for (char ch : table) quoted += ch == '"' ? std::string("\"\"") : std::string(1, ch);
    sqlite3_stmt* prepared = nullptr;
    if (sqlite3_prepare_v2(db.get(), ("SELECT * FROM \"" + quoted + "\"").c_str(), -1, &prepared, nullptr) !=
        SQLITE_OK)
        return problem();
    const std::unique_ptr<sqlite3_stmt, FinishStatement> statement(prepared);
    const int width = sqlite3_column_count(statement.get());
    std::vector<std::string> heading;
    for (int k = 0; k < width; ++k) heading.emplace_back(sqlite3_column_name(statement.get(), k));
    const auto columns = choose_columns(t, heading, static_cast<std::size_t>(width));
    if (!columns) {
        c.report(messages::table_row_width(t.file_where, t.name, width_of(t), static_cast<std::size_t>(width),
                                           path + ":" + table, 0));
        return std::nullopt;
    }
    std::vector<TableRow> rows;
    int step = 0;
    while ((step = sqlite3_step(statement.get())) == SQLITE_ROW) {
        TableRow row;
        row.line = rows.size() + 1;
        row.where = t.file_where;
        for (std::size_t k : *columns) {
            const int type = sqlite3_column_type(statement.get(), static_cast<int>(k));
            if (type != SQLITE_INTEGER && type != SQLITE_FLOAT) {
                const auto* cell = sqlite3_column_text(statement.get(), static_cast<int>(k));
                c.report(
                    messages::table_not_a_number(t.file_where, t.name, path, row.line,
                                                 cell ? reinterpret_cast<const char*>(cell) : "nothing"));
                return std::nullopt;
            }
            row.numbers.push_back(sqlite3_column_double(statement.get(), static_cast<int>(k)));
        }
        rows.push_back(std::move(row));
    }
    if (step != SQLITE_DONE) return problem();
    // Rows of a database have no order of their own.
    std::stable_sort(rows.begin(), rows.end(),
                     [](const TableRow& a, const TableRow& b) { return a.numbers[0] < b.numbers[0]; });
    return rows;
}

// The name of the file: written, or the value of a text parameter. Empty when the data stand in the model.
std::optional<std::string> file_name(Context& c, const tree::Table& t,
                                     std::optional<InstanceIndex> instance) {
    if (!t.file_from) return t.file;
    std::optional<std::string> text;
    if (instance)
        if (const auto v = find_variable(c, *t.file_from, Scope{.instance = *instance})) {
            text = text_value(c, VariableIndex(v->first));
            if (text) c.model.variables[VariableIndex(v->first)].structural = true;
        }
    if (!text) c.report(messages::table_file_not_text(t.file_where, t.name));
    return text;
}

}  // namespace

std::optional<InstanceIndex> table_instance(Context& c, const tree::Table& t, ClassInfo* in, const Scope& s) {
    const bool depends = t.file_from || (t.file.empty() && !all_literal(t));
    return depends && in ? home(c, in, s.instance) : std::nullopt;
}

std::optional<TableSource> table_source(Context& c, const tree::Table& t, ClassInfo* in,
                                        const tree::File* file, const Scope& s) {
    TableSource source;
    source.instance = table_instance(c, t, in, s);
    const auto name = file_name(c, t, source.instance);
    if (!name) return std::nullopt;
    std::optional<std::vector<TableRow>> rows;
    if (name->empty()) {
        rows = inline_rows(c, t, in, file, source.instance);
    } else {
        const auto resolve = [&](const std::string& path) {
            std::filesystem::path p(path);
            if (p.is_relative()) p = std::filesystem::path(c.sources.name(t.where.source)).parent_path() / p;
            return p.string();
        };
        const std::size_t colon = name->rfind(':');
        if (colon != std::string::npos && colon > 1) {
            source.path = resolve(name->substr(0, colon));
            const std::string inside = name->substr(colon + 1);
            const std::string ending = std::filesystem::path(source.path).extension().string();
            rows = ending == ".mat"   ? mat_rows(c, t, source.path, inside)
                   : ending == ".txt" ? text_rows(c, t, source.path, inside)
                                      : database_rows(c, t, source.path, inside);
        } else {
            source.path = resolve(*name);
            rows = csv_rows(c, t, source.path);
        }
    }
    if (!rows) return std::nullopt;
    source.rows = std::move(*rows);
    if (source.rows.size() < 2) {
        c.report(messages::table_too_short(source.path.empty() ? t.where : t.file_where, t.name,
                                           source.rows.size(), source.path));
        return std::nullopt;
    }
    return source;
}

}  // namespace cutset
