#include "operations/ensembles/case_list.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "base/csv.h"
#include "base/letters.h"
#include "translate/messages.h"

namespace cutset {

namespace {

// What is too small to be told from 0 is 0; what is too large is infinite.
std::optional<double> any_number(std::string_view text) {
    const std::string t(trimmed(text));
    double value = 0;
    const char* begin = t.data() + (t.starts_with('+') ? 1 : 0);
    const auto [end, error] = std::from_chars(begin, t.data() + t.size(), value);
    if (end != t.data() + t.size() || std::isnan(value)) return std::nullopt;
    if (error == std::errc::result_out_of_range) return std::strtod(begin, nullptr);
    if (error != std::errc() || !std::isfinite(value)) return std::nullopt;
    return value;
}

std::optional<double> number(std::string_view text) {
    const auto value = any_number(text);
    return value && std::isfinite(*value) ? value : std::nullopt;
}

std::vector<std::string_view> split(std::string_view text, char separator) {
    std::vector<std::string_view> parts;
    while (true) {
        const std::size_t at = text.find(separator);
        parts.push_back(text.substr(0, at));
        if (at == std::string_view::npos) return parts;
        text.remove_prefix(at + 1);
    }
}

VariedQuantity quantity(const std::string& name) {
    std::string path;
    for (char c : name)
        if (!std::isspace(static_cast<unsigned char>(c))) path += c;
    if (path.size() > 3 && path.ends_with("(0)")) return {path.substr(0, path.size() - 3), true};
    return {path, false};
}

bool add_name(const std::string& option, const std::string& name, CaseList& list, Diagnostics& diagnostics) {
    const VariedQuantity q = quantity(name);
    for (const VariedQuantity& other : list.quantities)
        if (other.path == q.path && other.initial == q.initial) {
            diagnostics.report(translate_messages::varied_twice(option, name));
            return false;
        }
    list.names.push_back(name);
    list.quantities.push_back(q);
    return true;
}

// The values after the equals sign; empty when they cannot be read.
std::vector<double> values_of(std::string_view text) {
    const bool logarithmic = text.starts_with("log:");
    if (logarithmic) text.remove_prefix(4);
    std::vector<double> values;
    const auto parts = split(text, ':');
    if (parts.size() == 1 && !logarithmic) {
        for (std::string_view part : split(text, ',')) {
            const auto v = number(part);
            if (!v) return {};
            values.push_back(*v);
        }
        return values;
    }
    if (parts.size() != 3) return {};
    const auto from = number(parts[0]), to = number(parts[1]), count = number(parts[2]);
    if (!from || !to || !count || *count < 1 || *count > double(most_cases) || *count != std::floor(*count))
        return {};
    if (logarithmic && !(*from * *to > 0)) return {};
    const auto n = static_cast<std::size_t>(*count);
    for (std::size_t i = 0; i < n; ++i) {
        const double part = n > 1 ? double(i) / double(n - 1) : 0;
        if (i + 1 == n && n > 1)
            values.push_back(*to);
        else if (logarithmic)
            values.push_back(i == 0 ? *from : *from * std::pow(*to / *from, part));
        else
            values.push_back(*from + (*to - *from) * part);
    }
    return values;
}

// The first number in a list of values that is too large for one; empty when there is none.
std::string too_large(std::string_view text) {
    for (std::string_view part : split(text, text.find(':') == std::string_view::npos ? ',' : ':'))
        if (const auto v = any_number(part); v && std::isinf(*v)) return std::string(trimmed(part));
    return {};
}

const std::string first_line = "its first line must name the parameters, for example a,b,x(0); it has ";

// The rows of a file with cases.
class CaseReader {
  public:
    CaseReader(const std::string& path, const std::string& text, CaseList& list, Diagnostics& diagnostics)
        : path_(path), reader_(text), list_(list), diagnostics_(diagnostics) {}

    bool read() {
        if (!next_row()) return failed_ ? false : bad(first_line + "an empty name");
        if (!names()) return false;
        while (next_row())
            if (!values()) return false;
        if (failed_) return false;
        return list_.cases.empty() ? bad("it has no rows of values") : true;
    }

  private:
    bool bad(const std::string& problem) {
        diagnostics_.report(translate_messages::bad_cases(path_, problem));
        return false;
    }

    // False at the end of the file, and where a line is wrong.
    bool next_row() {
        using Next = CsvReader::Next;
        const Next next = reader_.next();
        failed_ = next != Next::Row && next != Next::End;
        if (failed_) bad(reader_.problem_text(next));
        return next == Next::Row;
    }

    bool names() {
        for (const CsvField& field : reader_.fields()) {
            const std::string name(trimmed(field.unquoted()));
            if (name.empty() || number(name))
                return bad(first_line + (name.empty() ? "an empty name" : name));
            if (!add_name("--cases " + path_, name, list_, diagnostics_)) return false;
        }
        return true;
    }

    bool values() {
        const std::vector<CsvField>& fields = reader_.fields();
        if (fields.size() != list_.names.size())
            return bad("line " + std::to_string(reader_.line()) + " has " + std::to_string(fields.size()) +
                       " values, the first line " + std::to_string(list_.names.size()) + " names");
        std::vector<double>& one = list_.cases.emplace_back();
        for (const CsvField& field : fields) {
            const auto value = reader_.number(field);
            if (!value || !std::isfinite(*value)) {
                diagnostics_.report(translate_messages::bad_case_value(
                    path_, reader_.line(), std::string(trimmed(field.text)), value && std::isinf(*value)));
                return false;
            }
            one.push_back(*value);
        }
        return true;
    }

    const std::string& path_;
    CsvReader reader_;
    CaseList& list_;
    Diagnostics& diagnostics_;
    bool failed_ = false;
};

}  // namespace

bool add_variations(const std::vector<std::string>& texts, CaseList& list, Diagnostics& diagnostics) {
    std::vector<std::vector<double>> values;
    double count = 1;
    for (const std::string& text : texts) {
        const std::size_t equal = text.find('=');
        const std::string name(trimmed(std::string_view(text).substr(0, equal)));
        std::vector<double> these;
        if (equal != std::string::npos && !name.empty())
            these = values_of(trimmed(std::string_view(text).substr(equal + 1)));
        if (these.empty()) {
            const std::string_view given = std::string_view(text).substr(equal + 1);
            const auto asked = number(std::string_view(text).substr(text.rfind(':') + 1));
            if (const std::string large = too_large(given); !large.empty())
                diagnostics.report(translate_messages::variation_too_large(text, large));
            else
                diagnostics.report(text.find(':') != std::string::npos && asked && *asked > double(most_cases)
                                       ? translate_messages::too_many_cases(*asked, most_cases)
                                       : translate_messages::bad_variation(text));
            return false;
        }
        if (!add_name("--vary", name, list, diagnostics)) return false;
        count *= double(these.size());
        values.push_back(std::move(these));
    }
    if (count > double(most_cases)) {
        diagnostics.report(translate_messages::too_many_cases(count, most_cases));
        return false;
    }
    const auto n = static_cast<std::size_t>(count);
    for (std::size_t number = 0; number < n; ++number) {
        std::vector<double>& one = list.cases.emplace_back(values.size());
        std::size_t rest = number;
        for (std::size_t i = values.size(); i-- > 0; rest /= values[i].size())
            one[i] = values[i][rest % values[i].size()];
    }
    return true;
}

bool read_cases(const std::string& path, CaseList& list, Diagnostics& diagnostics) {
    std::string problem;
    const auto text = read_file(path, problem);
    if (!text) {
        diagnostics.report(translate_messages::bad_cases(path, problem));
        return false;
    }
    return CaseReader(path, *text, list, diagnostics).read();
}

}  // namespace cutset
