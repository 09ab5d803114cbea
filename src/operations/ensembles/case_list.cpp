#include "operations/ensembles/case_list.h"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <cstdlib>

#include "translate/messages.h"

namespace cutset {

namespace {

std::string trimmed(std::string_view text) {
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.front()))) text.remove_prefix(1);
    while (!text.empty() && std::isspace(static_cast<unsigned char>(text.back()))) text.remove_suffix(1);
    return std::string(text);
}

// What is too small to be told from 0 is 0; what is too large is infinite.
std::optional<double> any_number(std::string_view text) {
    const std::string t = trimmed(text);
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
        if (const auto v = any_number(part); v && std::isinf(*v)) return trimmed(part);
    return {};
}

// The fields of the next row of a CSV file (RFC 4180), moving `at` behind it.
std::vector<std::string> next_row(std::string_view text, std::size_t& at) {
    std::vector<std::string> fields(1);
    bool quoted = false;
    for (; at < text.size(); ++at) {
        const char c = text[at];
        if (quoted) {
            if (c != '"')
                fields.back() += c;
            else if (at + 1 < text.size() && text[at + 1] == '"')
                fields.back() += text[++at];
            else
                quoted = false;
        } else if (c == '"') {
            quoted = true;
        } else if (c == ',' || c == ';' || c == '\t') {
            fields.emplace_back();
        } else if (c == '\n') {
            ++at;
            break;
        } else if (c != '\r') {
            fields.back() += c;
        }
    }
    return fields;
}

}  // namespace

bool add_variations(const std::vector<std::string>& texts, CaseList& list, Diagnostics& diagnostics) {
    std::vector<std::vector<double>> values;
    double count = 1;
    for (const std::string& text : texts) {
        const std::size_t equal = text.find('=');
        const std::string name = trimmed(std::string_view(text).substr(0, equal));
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
    std::size_t at = text->starts_with("\xEF\xBB\xBF") ? 3 : 0;
    for (const std::string& field : next_row(*text, at)) {
        const std::string name = trimmed(field);
        if (name.empty() || number(name)) {
            diagnostics.report(translate_messages::bad_cases(
                path, "its first line must name the parameters, for example a,b,x(0); it has " +
                          (name.empty() ? std::string("an empty name") : name)));
            return false;
        }
        if (!add_name("--cases " + path, name, list, diagnostics)) return false;
    }
    for (std::size_t line = 2; at < text->size(); ++line) {
        const std::vector<std::string> fields = next_row(*text, at);
        if (fields.size() == 1 && trimmed(fields[0]).empty()) continue;
        if (fields.size() != list.names.size()) {
            diagnostics.report(translate_messages::bad_cases(
                path, "line " + std::to_string(line) + " has " + std::to_string(fields.size()) +
                          " values, the first line " + std::to_string(list.names.size()) + " names"));
            return false;
        }
        std::vector<double>& one = list.cases.emplace_back();
        for (const std::string& field : fields) {
            const auto value = any_number(field);
            if (!value || std::isinf(*value)) {
                diagnostics.report(
                    translate_messages::bad_case_value(path, line, trimmed(field), value.has_value()));
                return false;
            }
            one.push_back(*value);
        }
    }
    if (list.cases.empty()) {
        diagnostics.report(translate_messages::bad_cases(path, "it has no rows of values"));
        return false;
    }
    return true;
}

}  // namespace cutset
