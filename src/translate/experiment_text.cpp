#include "translate/experiment_text.h"

#include <algorithm>
#include <cctype>
#include <cmath>
#include <utility>

#include "base/stopwatch.h"
#include "results/reader.h"
#include "translate/messages.h"

namespace cutset {

namespace {

bool is_table_name(const std::string& value) {
    auto ends = [&](const char* ending) {
        const std::string e = ending;
        return value.size() > e.size() && value.compare(value.size() - e.size(), e.size(), e) == 0;
    };
    return ends(".csv") || ends(".mat") || ends(".txt");
}

// "v1=atan2(a, b),v2" → {"v1=atan2(a, b)", "v2"}
std::vector<std::string> split_list(const std::string& text) {
    std::vector<std::string> parts(1);
    int brackets = 0;
    for (char c : text) {
        if (c == '(' || c == '[') ++brackets;
        if (c == ')' || c == ']') --brackets;
        if (c == ',' && brackets <= 0)
            parts.emplace_back();
        else if (!parts.back().empty() || !std::isspace(static_cast<unsigned char>(c)))
            parts.back() += c;
    }
    for (std::string& part : parts)
        while (!part.empty() && std::isspace(static_cast<unsigned char>(part.back()))) part.pop_back();
    std::erase(parts, "");
    return parts;
}

// Those of the file's experiment line, unless the command line has the option too.
std::vector<std::string> listed(const std::string& option, const std::vector<std::string>& given,
                                const ModelText& text) {
    std::vector<std::string> result;
    if (given.empty()) {
        const std::vector<std::string> words = experiment_line(text);
        for (std::size_t i = 0; i + 1 < words.size(); i += 2)
            if (words[i] == option)
                for (std::string& part : split_list(words[i + 1])) result.push_back(std::move(part));
    }
    for (const std::string& text : given)
        for (std::string& part : split_list(text)) result.push_back(std::move(part));
    return result;
}

}  // namespace

std::optional<Experiment> read_experiment(const ModelRequest& request, Workspace& workspace,
                                          Diagnostics& diagnostics) {
    ModelText& text = workspace.text;
    {
        const Stopwatch watch(&workspace.times.parse);
        text.load(request.file, {.libraries = request.library, .allow_external = request.allow_external},
                  diagnostics);
    }
    if (!request.model.empty()) text.refer_to(request.model, diagnostics);
    Experiment experiment;
    auto set = [&](const std::string& text) {
        if (auto setting = parse_setting(workspace.text, "--set", text, diagnostics))
            experiment.parameters.push_back(std::move(*setting));
    };
    auto init = [&](const std::string& text) {
        if (auto setting = parse_setting(workspace.text, "--init", text, diagnostics))
            experiment.initials.push_back(std::move(*setting));
    };
    auto input = [&](const std::string& text) {
        const std::size_t equal = text.find('=');
        if (equal != std::string::npos && is_table_name(text.substr(equal + 1))) {
            if (auto file =
                    read_input("--input " + text, text.substr(0, equal), text.substr(equal + 1), diagnostics))
                experiment.input_files.push_back(std::move(*file));
        } else if (auto setting = parse_setting(workspace.text, "--input", text, diagnostics)) {
            experiment.inputs.push_back(std::move(*setting));
        }
    };
    // Settings of the file's experiment line come first; those of the command line overrule them.
    const std::vector<std::string> words = experiment_line(workspace.text);
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        const std::string name = words[i + 1].substr(0, words[i + 1].find('='));
        auto given = [&](const std::vector<std::string>& texts) {
            return std::any_of(texts.begin(), texts.end(),
                               [&](const std::string& t) { return t.substr(0, t.find('=')) == name; });
        };
        if (words[i] == "--set" && !given(request.set)) set(words[i + 1]);
        if (words[i] == "--init" && !given(request.init)) init(words[i + 1]);
        std::vector<std::string> chosen = listed("--known", request.known, workspace.text);
        std::erase_if(chosen, [](const std::string& t) { return t.find('=') == std::string::npos; });
        for (std::string& t : listed("--unknown", request.unknown, workspace.text))
            chosen.push_back(std::move(t));
        if (words[i] == "--input" && !given(request.input) && !given(chosen)) input(words[i + 1]);
    }
    for (const std::string& text : request.set) set(text);
    for (const std::string& text : request.init) init(text);
    for (const std::string& text : request.input) input(text);
    for (const std::string& text : listed("--known", request.known, workspace.text)) {
        const std::size_t equal = text.find('=');
        Experiment::Known known;
        known.path = text.substr(0, equal);
        while (!known.path.empty() && known.path.back() == ' ') known.path.pop_back();
        if (equal != std::string::npos && is_table_name(text.substr(equal + 1))) {
            if (auto file = read_input("--known " + text, known.path, text.substr(equal + 1), diagnostics))
                known.table = std::move(file->table);
        } else if (equal != std::string::npos) {
            if (auto setting = parse_setting(workspace.text, "--known", text, diagnostics))
                known.value = std::move(setting->value);
        }
        experiment.knowns.push_back(std::move(known));
    }
    experiment.unknowns = listed("--unknown", request.unknown, workspace.text);
    if (diagnostics.has_errors()) return std::nullopt;
    return experiment;
}

TransformOptions transform_options(const ModelRequest& request, const ModelText& text) {
    TransformOptions result;
    result.tear = listed("--tear", request.tear, text);
    std::string initial = request.initial;
    const std::vector<std::string> words = experiment_line(text);
    for (std::size_t i = 0; i + 1 < words.size() && initial.empty(); i += 2)
        if (words[i] == "--initial") initial = words[i + 1];
    if (initial == "steady") result.initial = InitialMode::Steady;
    if (initial == "jump") result.initial = InitialMode::Jump;
    return result;
}

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
    input.table.outside = tree::Outside::Hold;
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

std::vector<std::string> experiment_line(const ModelText& text) {
    std::vector<std::string> words;
    if (text.looked().files.empty()) return words;
    const std::string& text = text.sources().text(text.looked().files.front());
    // Only the head of the file, before the first line that is neither comment nor blank, is looked at.
    bool braces = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line(text.data() + begin, end - begin);
        begin = end + 1;
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) continue;
        const bool comment =
            braces || line[first] == '{' || line.substr(first, 2) == "--" || line[first] == '"';
        if (!comment) break;
        for (char c : line) braces = c == '{' ? true : c == '}' ? false : braces;
        const std::size_t at = line.find("experiment:");
        if (at == std::string_view::npos) continue;
        std::string word;
        bool quoted = false, any = false;
        for (char c : line.substr(at + 11)) {
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
        break;
    }
    return words;
}

}  // namespace cutset
