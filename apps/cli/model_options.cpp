#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "console.h"
#include "diagnostics_json.h"

namespace cutset::cli {

namespace {

bool is_file_name(const std::string& value) {
    auto ends = [&](const char* ending) {
        const std::string e = ending;
        return value.size() > e.size() && value.compare(value.size() - e.size(), e.size(), e) == 0;
    };
    return ends(".csv") || ends(".mat") || ends(".txt");
}

}  // namespace

std::optional<Experiment> open_model(const ModelOptions& options, Workspace& workspace) {
    workspace.library_directories = options.library;
    Experiment experiment;
    for (const std::string& text : options.set)
        if (auto setting = workspace.parse_setting("--set", text)) experiment.parameters.push_back(std::move(*setting));
    for (const std::string& text : options.init)
        if (auto setting = workspace.parse_setting("--init", text)) experiment.initials.push_back(std::move(*setting));
    for (const std::string& text : options.input) {
        const std::size_t equal = text.find('=');
        if (equal != std::string::npos && is_file_name(text.substr(equal + 1))) {
            if (auto file = workspace.read_input("--input " + text, text.substr(0, equal), text.substr(equal + 1)))
                experiment.input_files.push_back(std::move(*file));
        } else if (auto setting = workspace.parse_setting("--input", text)) {
            experiment.inputs.push_back(std::move(*setting));
        }
    }
    workspace.load(options.file);
    if (workspace.diagnostics.has_errors()) return std::nullopt;
    return experiment;
}

int finish(const Workspace& workspace, const ModelOptions& options, std::size_t printed) {
    if (options.json && workspace.diagnostics.has_errors()) {
        nlohmann::json out;
        out["errors"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Error);
        out["warnings"] = diagnostics_json(workspace.diagnostics, workspace.sources, Severity::Warning);
        fmt::print("{}\n", out.dump(2));
    } else {
        print_diagnostics(workspace.diagnostics, workspace.sources, printed, options.quiet);
        if (const std::size_t n = workspace.diagnostics.error_count(); n > 1) fmt::print(stderr, "{} errors\n", n);
    }
    return workspace.diagnostics.has_errors() ? 1 : 0;
}

nlohmann::json diagnostics_json(const Diagnostics& diagnostics, const Sources& sources, Severity severity) {
    nlohmann::json list = nlohmann::json::array();
    for (const Diagnostic& d : diagnostics.all()) {
        if (d.severity != severity) continue;
        nlohmann::json one = {{"code", d.code}, {"message", d.message}};
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
