#include "session/experiment_line.h"

#include "session/command_text.h"
#include "translate/experiment_text.h"
#include "translate/run_request.h"

namespace cutset {

namespace {

// At commas outside of parentheses and brackets.
std::vector<std::string> split(const std::string& text) {
    std::vector<std::string> out(1);
    int depth = 0;
    for (const char c : text) {
        depth += c == '(' || c == '[' ? 1 : c == ')' || c == ']' ? -1 : 0;
        if (c == ',' && depth == 0)
            out.emplace_back();
        else
            out.back() += c;
    }
    return out;
}

bool is_table(const std::string& text) {
    const std::string lower = lower_case(trimmed(text));
    return lower.ends_with(".csv") || lower.ends_with(".txt") || lower.ends_with(".mat");
}

}  // namespace

FileExperiment read_experiment_line(Workspace& workspace) {
    FileExperiment out;
    // What is wrong with it is reported; the rest of it counts.
    RunRequest request;
    Diagnostics wrong;
    apply_experiment_line(workspace.text, request, wrong);
    for (Diagnostic d : wrong.all()) {
        d.severity = Severity::Warning;
        workspace.diagnostics.report(std::move(d));
    }
    const std::vector<std::string> words = experiment_line(workspace.text);
    for (std::size_t i = 0; i + 1 < words.size(); i += 2) {
        const std::string &option = words[i], &value = words[i + 1];
        if (option == "--set") {
            if (auto setting = parse_setting(workspace.text, option, value, workspace.diagnostics))
                out.experiment.parameters.push_back(std::move(*setting));
        } else if (option == "--init") {
            if (auto setting = parse_setting(workspace.text, option, value, workspace.diagnostics))
                out.experiment.initials.push_back(std::move(*setting));
        } else if (option == "--input") {
            const std::size_t equal = value.find('=');
            if (equal != std::string::npos && is_table(value.substr(equal + 1))) {
                if (auto file = read_input("--input " + value, value.substr(0, equal),
                                           value.substr(equal + 1), workspace.diagnostics))
                    out.experiment.input_files.push_back(std::move(*file));
            } else if (auto setting = parse_setting(workspace.text, option, value, workspace.diagnostics)) {
                out.experiment.inputs.push_back(std::move(*setting));
            }
        } else if (option == "--known" || option == "--unknown" || option == "--tear") {
            for (const std::string& text : split(value)) {
                const std::size_t equal = text.find('=');
                const std::string path(trimmed(std::string_view(text).substr(0, equal)));
                if (option == "--tear") {
                    out.transform.tear.push_back(path);
                } else if (option == "--unknown") {
                    out.experiment.unknowns.push_back(path);
                } else {
                    Experiment::Known known;
                    known.path = path;
                    if (equal != std::string::npos)
                        if (auto setting = parse_setting(workspace.text, option, text, workspace.diagnostics))
                            known.value = std::move(setting->value);
                    out.experiment.knowns.push_back(std::move(known));
                }
            }
        } else if (option == "--initial") {
            out.transform.initial = initial_mode(value).value_or(out.transform.initial);
        } else if (option == "--start") {
            out.start = number_of(value);
        } else if (option == "--stop") {
            out.stop = number_of(value);
        } else if (option == "--plot" && out.plot.empty()) {
            out.plot = split(value);
        }
    }
    return out;
}

}  // namespace cutset
