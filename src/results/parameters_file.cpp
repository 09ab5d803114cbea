#include "results/parameters_file.h"

#include <unistd.h>

#include <algorithm>
#include <filesystem>
#include <unordered_set>

#include "base/csv.h"
#include "base/source.h"
#include "results/writer.h"

namespace cutset {

namespace {

constexpr std::string_view ending = ".csv", heading = "parameter,value,unit,description\n";

// Whether the file is a table of parameters, so that no other file is ever removed.
bool is_parameters_file(const std::string& path) {
    std::string problem;
    const auto text = read_file(path, problem, InputKind::FileOnly);
    return text && text->starts_with(heading);
}

}  // namespace

std::string parameters_path(const std::string& result) {
    if (result.size() <= ending.size()) return "";
    std::string last = result.substr(result.size() - ending.size());
    for (char& c : last)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    if (last != ending) return "";
    return result.substr(0, result.size() - ending.size()) + ".parameters.csv";
}

bool is_constant(const Columns& columns, const Column& column) {
    const Column& target = column.kind == ColumnKind::Alias ? columns[column.alias_of] : column;
    return target.kind == ColumnKind::Parameter;
}

bool is_written_once(const Columns& columns, const Column& column) {
    return column.kind == ColumnKind::Parameter
               ? !column.of_variable
               : is_constant(columns, column) && !columns[column.alias_of].of_variable;
}

double constant_value(const Columns& columns, const Column& column) {
    if (column.kind != ColumnKind::Alias) return column.value;
    const double value = columns[column.alias_of].value;
    return column.negated ? 0.0 - value : value;
}

void append_field(std::string& line, std::string_view text) {
    if (text.find_first_of(",;\"\t\r\n #") == std::string_view::npos) {
        line += text;
        return;
    }
    line += '"';
    for (char c : text) {
        if (c == '"') line += '"';
        line += c == '\n' || c == '\r' ? ' ' : c;  // a field does not run over the end of its line
    }
    line += '"';
}

Problem write_parameters(const std::string& result, const Columns& columns) {
    const std::string path = parameters_path(result);
    if (path.empty()) return std::nullopt;
    std::string text;
    for (const Column& c : columns) {
        if (!is_written_once(columns, c)) continue;
        append_field(text, c.name);
        append_number(text += ',', constant_value(columns, c));
        append_field(text += ',', c.unit);
        append_field(text += ',', c.description);
        text += '\n';
    }
    // What the numbers of discrete columns stand for: 1 = off, 2 = on.
    for (const Column& c : columns) {
        const Column& target = c.kind == ColumnKind::Alias ? columns[c.alias_of] : c;
        if (target.kind != ColumnKind::Discrete || c.description.empty()) continue;
        append_field(text, c.name);
        text += ",,";
        append_field(text += ',', c.description);
        text += '\n';
    }
    if (text.empty()) {
        if (is_parameters_file(path)) ::unlink(path.c_str());
        return std::nullopt;
    }
    std::string problem;
    if (write_file(path, std::string(heading) + text, problem)) return std::nullopt;
    return path + ": cannot be written: " + problem;
}

Columns read_parameters(std::string_view text) {
    Columns columns;
    if (!text.starts_with(heading)) return columns;
    CsvReader reader(text);
    if (reader.next() != CsvReader::Next::Row) return columns;
    while (reader.next() == CsvReader::Next::Row) {
        const auto& fields = reader.fields();
        if (reader.is_cut_off() || fields.size() < 2) continue;
        const auto value = reader.number(fields[1]);
        if (!value) continue;
        Column column = parameter_column(fields[0].unquoted(), *value);
        if (fields.size() > 2) column.unit = fields[2].unquoted();
        if (fields.size() > 3) column.description = fields[3].unquoted();
        columns.push_back(std::move(column));
    }
    return columns;
}

Columns parameters_beside(const std::string& result) {
    std::string problem;
    const std::string path = parameters_path(result);
    if (path.empty()) return {};
    const auto text = read_file(path, problem, InputKind::FileOnly);
    return text ? read_parameters(*text) : Columns();
}

}  // namespace cutset
