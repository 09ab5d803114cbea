#include "translate/experiment_text.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "results/reader.h"
#include "translate/messages.h"

namespace cutset {

namespace {

constexpr std::string_view experiment_word = "experiment:";

}  // namespace

std::optional<Experiment::Setting> parse_setting(ModelText& model, const std::string& option,
                                                 const std::string& text, Diagnostics& diagnostics) {
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0 || equal + 1 == text.size()) {
        diagnostics.report(translate_messages::bad_setting(option, text, "NAME=VALUE"));
        return std::nullopt;
    }
    auto value = model.parse_expression(option, text.substr(equal + 1), diagnostics);
    if (!value) return std::nullopt;
    std::string path = text.substr(0, equal);
    path.erase(std::remove(path.begin(), path.end(), ' '), path.end());
    return Experiment::Setting{path, std::move(*value)};
}

std::optional<Experiment::InputFile> read_input(const std::string& option, const std::string& variable,
                                                const std::string& file, Diagnostics& diagnostics) {
    const std::optional<Trajectory> data = read_result(file, diagnostics);
    if (!data) return std::nullopt;
    std::optional<ColumnIndex> column = data->find(variable);
    if (!column && data->columns().size() == 2) column = ColumnIndex(1);
    if (!column) {
        diagnostics.report(
            translate_messages::bad_input_file(option, file, "it has no column named " + variable));
        return std::nullopt;
    }
    Experiment::InputFile input{variable, {}};
    input.table.name = variable;
    input.table.outside = Outside::Hold;
    for (std::size_t row = 0; row < data->rows(); ++row) {
        const double t = data->time(row), v = data->value(*column, row);
        if (!(t == t) || !(v == v)) {
            diagnostics.report(translate_messages::bad_input_file(
                option, file, "row " + std::to_string(row + 1) + " has a value that is not a number"));
            return std::nullopt;
        }
        if (!input.table.x.empty() && t <= input.table.x.back()) {
            if (t == input.table.x.back()) {  // a jump: the value after it counts from there on
                input.table.x.back() = std::nextafter(t, -1e308);
            } else {
                diagnostics.report(translate_messages::bad_input_file(
                    option, file, "its times do not rise in row " + std::to_string(row + 1)));
                return std::nullopt;
            }
        }
        input.table.x.push_back(t);
        input.table.values.push_back(v);
    }
    if (input.table.x.empty()) {
        diagnostics.report(translate_messages::bad_input_file(option, file, "it has no rows"));
        return std::nullopt;
    }
    return input;
}

std::optional<Span> experiment_span(const ModelText& model) {
    if (model.looked().files.empty()) return std::nullopt;
    const SourceId source = model.looked().files.front();
    const std::string& text = model.sources().text(source);
    // Only the head of the file, before the first line that is neither comment nor blank, is looked at.
    bool braces = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t start = begin, end = std::min(text.find('\n', begin), text.size());
        const std::string_view line(text.data() + begin, end - begin);
        begin = end + 1;
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) continue;
        const bool comment =
            braces || line[first] == '{' || line.substr(first, 2) == "--" || line[first] == '"';
        if (!comment) break;
        for (char c : line) braces = c == '{' ? true : c == '}' ? false : braces;
        const std::size_t at = line.find(experiment_word);
        if (at == std::string_view::npos) continue;
        const std::size_t last = line.find_last_not_of(" \t\r}");  // the end of the comment is no part of it
        return Span{source, std::uint32_t(start + at), std::uint32_t(start + last + 1)};
    }
    return std::nullopt;
}

std::vector<std::string> experiment_line(const ModelText& model) {
    if (!model.experiment_words().empty()) return model.experiment_words();
    const std::optional<Span> span = experiment_span(model);
    if (!span) return {};
    const std::string_view line =
        std::string_view(model.sources().text(span->source)).substr(span->begin, span->end - span->begin);
    std::vector<std::string> words;
    std::string word;
    bool quoted = false, any = false;
    for (char c : line.substr(experiment_word.size())) {
        if (c == '}' && !quoted) break;
        if (c == '"') {
            quoted = !quoted;
            any = true;
        } else if ((c == ' ' || c == '\t' || c == '\r') && !quoted) {
            if (any) words.push_back(word);
            word.clear();
            any = false;
        } else {
            word += c;
            any = true;
        }
    }
    if (any) words.push_back(word);
    return words;
}

}  // namespace cutset
