#include "model/model_options.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>

#include "base/json.h"
#include "output/console.h"
#include "output/diagnostics_json.h"

namespace cutset::cli {

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

void add_model_options(Command& command, ModelOptions& o, bool file_required, const std::string& file_help) {
    command.positional("FILE", o.file, file_help, file_required);
    command.positional("MODEL", o.model,
                       "the model or model type to use; default: the last model of the file", false);
    command.option("--set", o.set, "value of a parameter: path.p=VALUE; structure parameters too");
    command.option("--init", o.init, "initial value: path.x=VALUE");
    command.choice("--initial", o.initial, {"given", "steady", "jump"},
                   "the start: given (initial values of the states), steady (derivatives are zero), jump "
                   "(connected states jump to values that agree, what is conserved is kept)");
    command.option("--input", o.input, "a top-level input: \"u=EXPRESSION of time\" or u=file.csv");
    command.option("--known", o.known,
                   "give these variables from outside: v1,v2 or \"v1=sin(time),v2=3,v3=file.csv\"");
    command.option("--unknown", o.unknown, "compute these inputs or parameters instead: u,R");
    command.option("--tear", o.tear, "iterate on these variables where they stand in a loop: v1,v2");
    command.option("--library", o.library, "directory with .dym libraries; CUTSET_PATH lists more");
    command.option("--limit-memory", o.limits.memory,
                   "most memory to be used, for example 2G (80 % of what the machine has left)");
    command.option("--limit-time", o.limits.time, "most seconds to be used, all in all (no limit)");
    command.flag("--allow-external", o.allow_external,
                 "functions and systems of the model may run code in shared libraries");
    command.flag("--json", o.json, "one JSON object on standard output");
    command.flag("--quiet", o.quiet, "errors only");
    command.prepare([&o, watch = std::shared_ptr<LimitWatch>()]() mutable -> std::optional<int> {
        std::string problem;
        watch = LimitWatch::start(o.limits, o.json, o.quiet, problem);
        if (watch) return std::nullopt;
        Workspace none;
        none.diagnostics.report(bad_option(problem));
        finish(none, o);
        return 2;
    });
}

Diagnostic bad_option(std::string message, std::string help) {
    Diagnostic d;
    d.code = "bad-option";
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

TransformOptions transform_options(const ModelOptions& options, const Workspace& workspace) {
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

std::optional<Experiment> open_model(const ModelOptions& options, Workspace& workspace) {
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
    set_stage("translating the model");
    if (workspace.diagnostics.has_errors()) return std::nullopt;
    return experiment;
}

int finish(const Workspace& workspace, const ModelOptions& options, std::size_t printed) {
    if (options.json && workspace.diagnostics.has_errors()) {
        Json out;
        out["errors"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Error);
        out["warnings"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Warning);
        out["status"] = "error";
        fmt::print("{}\n", out.dump(2));
    } else {
        print_diagnostics(workspace.diagnostics, workspace.sources, printed, options.quiet);
        if (const std::size_t n = workspace.diagnostics.error_count(); n > 1)
            fmt::print(stderr, "{} errors\n", n);
    }
    return workspace.diagnostics.has_errors() ? 1 : 0;
}

int finish_refused(const Workspace& workspace, const ModelOptions& options) {
    const auto& all = workspace.diagnostics.all();
    const bool options_only = std::all_of(all.begin(), all.end(), [](const Diagnostic& d) {
        return d.severity != Severity::Error || d.code == "bad-option";
    });
    finish(workspace, options);
    return options_only ? 2 : 1;
}

Json diagnostics_json(const Diagnostics& diagnostics, const Sources& sources, Severity severity) {
    Json list = Json::array();
    for (const Diagnostic& d : diagnostics.all()) {
        if (d.severity != severity) continue;
        Json one = {{"code", d.code}, {"message", d.message}};
        if (d.where.known()) {
            const Location at = sources.locate(d.where);
            one["file"] = at.file;
            one["line"] = at.line;
            one["column"] = at.column;
        }
        if (!d.submodel.empty()) one["submodel"] = d.submodel;
        if (!d.details.empty()) one["details"] = d.details;
        if (!d.help.empty()) one["help"] = d.help;
        list.push_back(std::move(one));
    }
    return list;
}

}  // namespace cutset::cli
