#include "translate/model_request.h"

#include <algorithm>

#include "base/split_names.h"
#include "base/stopwatch.h"
#include "translate/experiment_text.h"

namespace cutset {

namespace {

bool is_table_name(const std::string& value) {
    auto ends = [&](const char* ending) {
        const std::string e = ending;
        return value.size() > e.size() && value.compare(value.size() - e.size(), e.size(), e) == 0;
    };
    return ends(".csv") || ends(".mat") || ends(".txt");
}

std::vector<std::string> split_all(const std::vector<std::string>& given) {
    std::vector<std::string> out;
    for (const std::string& text : given)
        for (std::string& part : split_list(text)) out.push_back(std::move(part));
    return out;
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
    for (std::string& part : split_all(given)) result.push_back(std::move(part));
    return result;
}

}  // namespace

TransformOptions transform_options(const ModelRequest& request, const ModelText& text) {
    TransformOptions result;
    result.tear = listed("--tear", request.tear, text);
    std::optional<InitialMode> initial = request.initial;
    const std::vector<std::string> words = experiment_line(text);
    for (std::size_t i = 0; i + 1 < words.size() && !initial; i += 2)
        if (words[i] == "--initial") initial = initial_mode(words[i + 1]);
    if (initial) result.initial = *initial;
    return result;
}

std::optional<Experiment> open_model(const ModelRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    ModelText& text = workspace.text;
    {
        const Stopwatch watch(&workspace.times.parse);
        text.load(request.file,
                  {.libraries = request.library,
                   .allow_external = request.allow_external,
                   .realizations = split_all(request.realization),
                   .model = request.model,
                   .unsaved = request.unsaved},
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

}  // namespace cutset
