#include "translate/model_request.h"

#include <algorithm>

#include "base/split_names.h"

namespace cutset {

namespace {

bool is_table_name(const std::string& value) {
    auto ends = [&](const char* ending) {
        const std::string e = ending;
        return value.size() > e.size() && value.compare(value.size() - e.size(), e.size(), e) == 0;
    };
    return ends(".csv") || ends(".mat") || ends(".txt");
}

// Those of the file's experiment line, unless the command line has the option too.
std::vector<std::string> listed(const std::string& option, const std::vector<std::string>& given,
                                const Workspace& workspace) {
    std::vector<std::string> result;
    if (given.empty()) {
        const std::vector<std::string> words = workspace.experiment_line();
        for (std::size_t i = 0; i + 1 < words.size(); i += 2)
            if (words[i] == option)
                for (std::string& part : split_list(words[i + 1])) result.push_back(std::move(part));
    }
    for (const std::string& text : given)
        for (std::string& part : split_list(text)) result.push_back(std::move(part));
    return result;
}

}  // namespace

TransformOptions transform_options(const ModelRequest& options, const Workspace& workspace) {
    TransformOptions result;
    result.tear = listed("--tear", options.tear, workspace);
    std::string initial = options.initial;
    const std::vector<std::string> words = workspace.experiment_line();
    for (std::size_t i = 0; i + 1 < words.size() && initial.empty(); i += 2)
        if (words[i] == "--initial") initial = words[i + 1];
    if (initial == "steady") result.initial = InitialMode::Steady;
    if (initial == "jump") result.initial = InitialMode::Jump;
    return result;
}

std::optional<Experiment> open_model(const ModelRequest& options, Workspace& workspace) {
    workspace.library_directories = options.library;
    workspace.system_options.allow_external = options.allow_external;
    workspace.load(options.file);
    if (!options.model.empty()) workspace.refer_to(options.model);
    Experiment experiment;
    auto set = [&](const std::string& text) {
        if (auto setting = workspace.parse_setting("--set", text))
            experiment.parameters.push_back(std::move(*setting));
    };
    auto init = [&](const std::string& text) {
        if (auto setting = workspace.parse_setting("--init", text))
            experiment.initials.push_back(std::move(*setting));
    };
    auto input = [&](const std::string& text) {
        const std::size_t equal = text.find('=');
        if (equal != std::string::npos && is_table_name(text.substr(equal + 1))) {
            if (auto file =
                    workspace.read_input("--input " + text, text.substr(0, equal), text.substr(equal + 1)))
                experiment.input_files.push_back(std::move(*file));
        } else if (auto setting = workspace.parse_setting("--input", text)) {
            experiment.inputs.push_back(std::move(*setting));
        }
    };
    // Settings of the file's experiment line come first; those of the command line overrule them.
    const std::vector<std::string> words = workspace.experiment_line();
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        const std::string name = words[i + 1].substr(0, words[i + 1].find('='));
        auto given = [&](const std::vector<std::string>& texts) {
            return std::any_of(texts.begin(), texts.end(),
                               [&](const std::string& t) { return t.substr(0, t.find('=')) == name; });
        };
        if (words[i] == "--set" && !given(options.set)) set(words[i + 1]);
        if (words[i] == "--init" && !given(options.init)) init(words[i + 1]);
        std::vector<std::string> chosen = listed("--known", options.known, workspace);
        std::erase_if(chosen, [](const std::string& t) { return t.find('=') == std::string::npos; });
        for (std::string& t : listed("--unknown", options.unknown, workspace)) chosen.push_back(std::move(t));
        if (words[i] == "--input" && !given(options.input) && !given(chosen)) input(words[i + 1]);
    }
    for (const std::string& text : options.set) set(text);
    for (const std::string& text : options.init) init(text);
    for (const std::string& text : options.input) input(text);
    for (const std::string& text : listed("--known", options.known, workspace)) {
        const std::size_t equal = text.find('=');
        Experiment::Known known;
        known.path = text.substr(0, equal);
        while (!known.path.empty() && known.path.back() == ' ') known.path.pop_back();
        if (equal != std::string::npos && is_table_name(text.substr(equal + 1))) {
            if (auto file = workspace.read_input("--known " + text, known.path, text.substr(equal + 1)))
                known.table = std::move(file->table);
        } else if (equal != std::string::npos) {
            if (auto setting = workspace.parse_setting("--known", text))
                known.value = std::move(setting->value);
        }
        experiment.knowns.push_back(std::move(known));
    }
    experiment.unknowns = listed("--unknown", options.unknown, workspace);
    if (workspace.diagnostics.has_errors()) return std::nullopt;
    return experiment;
}

}  // namespace cutset
