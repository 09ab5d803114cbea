#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <unordered_set>

#include "results/messages.h"
#include "results/reader.h"

namespace cutset {

namespace {

namespace messages = results_messages;

constexpr double missing = std::numeric_limits<double>::quiet_NaN();

std::string_view trim(std::string_view s) {
    while (!s.empty() && (s.front() == ' ' || s.front() == '\t')) s.remove_prefix(1);
    while (!s.empty() && (s.back() == ' ' || s.back() == '\t')) s.remove_suffix(1);
    return s;
}

bool same_letters(std::string_view a, std::string_view lower) {
    return a.size() == lower.size() && std::equal(a.begin(), a.end(), lower.begin(), [](char x, char y) {
               return (x >= 'A' && x <= 'Z' ? x - 'A' + 'a' : x) == y;
           });
}

std::optional<double> number(std::string_view field, bool decimal_comma) {
    field = trim(field);
    if (field.empty() || same_letters(field, "na")) return missing;
    if (same_letters(field, "true")) return 1;
    if (same_letters(field, "false")) return 0;
    if (field.front() == '+' && field.size() > 1 && field[1] != '-' && field[1] != '+')
        field.remove_prefix(1);
    char changed[64];
    if (decimal_comma && field.size() <= sizeof changed) {
        const std::size_t comma = field.find(',');
        if (comma != std::string_view::npos) {
            std::copy(field.begin(), field.end(), changed);
            changed[comma] = '.';
            field = std::string_view(changed, field.size());
        }
    }
    double value = 0;
    const char* const end = field.data() + field.size();
    const auto [stop, error] = std::from_chars(field.data(), end, value);
    if (stop != end || error == std::errc::invalid_argument) return std::nullopt;
    if (error == std::errc::result_out_of_range) {
        // from_chars leaves the value alone: below the smallest number it is 0, above the largest infinite.
        const std::string_view digits = field.substr(field.front() == '-' ? 1 : 0);
        const std::size_t e = digits.find_first_of("eE");
        const bool tiny = e != std::string_view::npos ? digits.substr(e + 1).starts_with('-')
                                                      : digits.starts_with("0") || digits.starts_with('.');
        value = tiny ? 0.0 : std::numeric_limits<double>::infinity();
        if (field.front() == '-') value = -value;
    }
    return value;
}

struct Field {
    std::string_view text;  // without quotes; doubled quotes are still doubled
    std::size_t begin = 0;  // in the line, in bytes
    bool doubled = false;   // has doubled quotes
};

// One line of fields. A name may be quoted; a quoted field does not run over the end of the line.
class Splitter {
  public:
    Splitter(const std::string& file, char separator, Diagnostics& diagnostics)
        : file_(file), separator_(separator), diagnostics_(diagnostics) {}

    bool split(std::string_view line, std::size_t line_number, std::vector<Field>& out) const {
        out.clear();
        std::size_t at = 0;
        const bool blanks = separator_ == ' ';
        while (true) {
            while (at < line.size() && (line[at] == ' ' || (line[at] == '\t' && separator_ != '\t'))) ++at;
            if (blanks && at == line.size()) break;
            Field field;
            field.begin = at;
            if (at < line.size() && line[at] == '"') {
                std::size_t end = at + 1;
                while (end < line.size()) {
                    if (line[end] != '"') {
                        ++end;
                    } else if (end + 1 < line.size() && line[end + 1] == '"') {
                        field.doubled = true;
                        end += 2;
                    } else {
                        break;
                    }
                }
                if (end >= line.size()) {
                    diagnostics_.report(messages::quote_not_closed(place(line, line_number, at)));
                    return false;
                }
                field.text = line.substr(at + 1, end - at - 1);
                at = end + 1;
                const std::size_t after = at;
                while (at < line.size() && (line[at] == ' ' || (line[at] == '\t' && separator_ != '\t')))
                    ++at;
                if (at < line.size() && line[at] != separator_ && !(blanks && at > after)) {
                    diagnostics_.report(messages::text_after_quote(place(line, line_number, at)));
                    return false;
                }
            } else {
                std::size_t end = at;
                while (end < line.size() && line[end] != separator_ && !(blanks && line[end] == '\t')) ++end;
                field.text = trim(line.substr(at, end - at));
                at = end;
            }
            out.push_back(field);
            if (at >= line.size()) break;
            if (!blanks) ++at;
        }
        return true;
    }

    messages::FilePlace place(std::string_view line, std::size_t line_number, std::size_t byte) const {
        std::size_t column = 1;
        for (std::size_t i = 0; i < byte && i < line.size(); ++i)
            if ((static_cast<unsigned char>(line[i]) & 0xC0) != 0x80) ++column;
        return {file_, line_number, column};
    }

  private:
    const std::string& file_;
    char separator_;
    Diagnostics& diagnostics_;
};

std::string unquoted(const Field& field) {
    if (!field.doubled) return std::string(field.text);
    std::string out;
    for (std::size_t i = 0; i < field.text.size(); ++i) {
        out += field.text[i];
        if (field.text[i] == '"') ++i;
    }
    return out;
}

// The header decides for the file. Separators in quotes or in the brackets of x[1,2] do not count, unless
// there is nothing else.
char find_separator(std::string_view line) {
    bool quoted = false;
    int depth = 0;
    std::string outside, inside;
    for (char c : line) {
        if (c == '"') quoted = !quoted;
        if (quoted) continue;
        if (c == '[') ++depth;
        if (c == ']' && depth > 0) --depth;
        if (c == ',' || c == ';' || c == '\t') (depth ? inside : outside) += c;
    }
    for (const std::string& found : {outside, inside})
        for (char candidate : {';', ',', '\t'})
            if (found.find(candidate) != std::string::npos) return candidate;
    return ' ';
}

// `v [V]` is the variable v in volt; `v[1]` is an element.
Column column_of(std::string name) {
    Column column;
    const std::size_t bracket = name.rfind(" [");
    if (bracket != std::string::npos && bracket > 0 && name.back() == ']') {
        column.unit = name.substr(bracket + 2, name.size() - bracket - 3);
        name = std::string(trim(std::string_view(name).substr(0, bracket)));
    }
    column.name = std::move(name);
    return column;
}

}  // namespace

std::optional<Trajectory> read_csv(const std::string& file, std::string_view text, Diagnostics& diagnostics,
                                   const std::string& time) {
    if (text.starts_with("\xEF\xBB\xBF")) text.remove_prefix(3);
    std::size_t at = 0, line_number = 0;
    bool ended = true;  // the current line has its line end
    std::string_view line;
    const auto next_line = [&] {
        while (at < text.size()) {
            const std::size_t end = text.find('\n', at);
            ended = end != std::string_view::npos;
            line = text.substr(at, (ended ? end : text.size()) - at);
            at = ended ? end + 1 : text.size();
            ++line_number;
            if (!line.empty() && line.back() == '\r') line.remove_suffix(1);
            const std::string_view body = trim(line);
            if (!body.empty() && body.front() != '#') return true;
        }
        return false;
    };
    if (!next_line()) {
        diagnostics.report(messages::no_header(file));
        return std::nullopt;
    }
    // Excel writes the separator as a first line of its own.
    char separator = 0;
    if (line.size() == 5 && line.starts_with("sep=")) {
        separator = line[4];
        if (!next_line()) {
            diagnostics.report(messages::no_header(file));
            return std::nullopt;
        }
    }
    if (!separator) separator = find_separator(line);
    const bool decimal_comma = separator != ',';
    const Splitter splitter(file, separator, diagnostics);
    std::vector<Field> fields;
    if (!splitter.split(line, line_number, fields)) return std::nullopt;
    // Some tools end each line with a separator.
    const bool trailing = fields.size() > 1 && fields.back().text.empty() && line.back() == separator;
    if (trailing) fields.pop_back();
    const std::size_t count = fields.size();

    bool has_names = false;
    for (const Field& f : fields)
        if (!number(f.text, decimal_comma)) has_names = true;
    std::vector<std::string> names;
    if (has_names) {
        for (const Field& f : fields) names.push_back(unquoted(f));
    } else {
        diagnostics.report(messages::names_made_up({file, line_number, 0}));
        for (std::size_t k = 0; k < count; ++k)
            names.push_back(k ? "column" + std::to_string(k + 1) : "time");
    }
    std::vector<Column> headers;
    for (std::string& name : names) headers.push_back(column_of(std::move(name)));
    std::size_t time_at = 0;
    for (const char* name : {"t", "time"})
        for (std::size_t k = count; k-- > 0;)
            if (same_letters(headers[k].name, name)) time_at = k;
    for (std::size_t k = count; k-- > 0 && !time.empty();)
        if (headers[k].name == time) time_at = k;

    // The order of a row: time, then the others as they stand.
    Columns columns;
    std::vector<std::size_t> order = {time_at};
    columns.add(time_column(headers[time_at].unit));
    columns.front().name = headers[time_at].name;
    std::unordered_set<std::string> seen = {headers[time_at].name};
    std::size_t repeated = 0;
    for (std::size_t k = 0; k < count; ++k) {
        if (k == time_at) continue;
        if (!seen.insert(headers[k].name).second) {
            if (repeated++ < 20)
                diagnostics.report(messages::name_twice(splitter.place(line, line_number, fields[k].begin),
                                                        headers[k].name));
            continue;
        }
        order.push_back(k);
        columns.add(headers[k]);
    }
    Trajectory trajectory(std::move(columns));
    std::vector<double> row(order.size());
    bool again = !has_names;
    while (again || next_line()) {
        again = false;
        const bool last_and_cut = !ended;
        if (!splitter.split(line, line_number, fields)) return std::nullopt;
        if (trailing && fields.size() == count + 1 && fields.back().text.empty()) fields.pop_back();
        if (fields.size() != count) {
            if (last_and_cut && fields.size() < count) {
                diagnostics.report(messages::last_line_incomplete({file, line_number, 0}));
                break;
            }
            const messages::FilePlace where = fields.size() > count
                                                  ? splitter.place(line, line_number, fields[count].begin)
                                                  : messages::FilePlace{file, line_number, 0};
            diagnostics.report(messages::wrong_field_count(where, fields.size(), count));
            return std::nullopt;
        }
        for (std::size_t k = 0; k < order.size(); ++k) {
            const Field& f = fields[order[k]];
            const auto value = number(f.text, decimal_comma);
            if (!value) {
                diagnostics.report(messages::not_a_number(splitter.place(line, line_number, f.begin), f.text,
                                                          trajectory.columns()[ColumnIndex(k)].name));
                return std::nullopt;
            }
            row[k] = *value;
        }
        const auto time_place = [&] { return splitter.place(line, line_number, fields[time_at].begin); };
        if (!std::isfinite(row[0])) {
            diagnostics.report(messages::time_missing(time_place()));
            return std::nullopt;
        }
        if (!trajectory.empty() && row[0] < trajectory.time(trajectory.rows() - 1)) {
            diagnostics.report(
                messages::time_backwards(time_place(), trajectory.time(trajectory.rows() - 1), row[0]));
            return std::nullopt;
        }
        trajectory.append(row);
    }
    return trajectory;
}

}  // namespace cutset
