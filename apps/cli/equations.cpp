// cutset equations: the sorted, solved equations; --flat: as collected; --where x: how is x computed.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "console.h"
#include "operations/where.h"

namespace cutset::cli {

namespace {

Diagnostic unknown_variable(const std::string& name, const Partition& partition) {
    Diagnostic d;
    d.code = "unknown-name";
    d.message = fmt::format("--where: the model has no variable {}", name);
    if (const std::string near = nearest_name(name, variable_names(partition)); !near.empty())
        d.help = fmt::format("did you mean {}?", near);
    return d;
}

std::string names(const FlatModel& model, const std::vector<VariableIndex>& variables) {
    std::string out;
    for (VariableIndex v : variables) out += (out.empty() ? "" : ", ") + model.path(v);
    return out;
}

void print_text(const WhereAnswer& answer, const FlatModel& model, const Sources& sources,
                const std::string& name) {
    fmt::print("{} is computed from\n", name);
    if (!answer.states.empty()) fmt::print("  states      {}\n", names(model, answer.states));
    if (!answer.inputs.empty()) fmt::print("  inputs      {}\n", names(model, answer.inputs));
    if (!answer.discretes.empty()) fmt::print("  discrete    {}\n", names(model, answer.discretes));
    if (!answer.parameters.empty()) fmt::print("  parameters  {}\n", names(model, answer.parameters));
    if (answer.uses_time) fmt::print("  time\n");
    if (answer.steps.empty()) {
        fmt::print("itself: it is a state, parameter or discrete variable\n");
        return;
    }
    fmt::print("by\n");
    std::size_t widest = 0;
    for (const WhereStep& s : answer.steps)
        widest = std::max(widest, std::min<std::size_t>(s.text.size(), 60));
    std::size_t system = 0;
    for (const WhereStep& s : answer.steps) {
        if (s.system != system && s.system != 0) fmt::print("  together:\n");
        system = s.system;
        std::string place;
        if (s.where.known()) {
            const Location at = sources.locate(s.where);
            place = fmt::format("{}:{}", at.file, at.line);
        }
        fmt::print("  {}{:<{}}   {}{}{}\n", s.system ? "  " : "", s.text, widest, s.submodel,
                   s.submodel.empty() ? "" : "  ", place);
    }
}

nlohmann::json as_json(const WhereAnswer& answer, const FlatModel& model, const Sources& sources,
                       const std::string& name) {
    auto list = [&](const std::vector<VariableIndex>& variables) {
        nlohmann::json out = nlohmann::json::array();
        for (VariableIndex v : variables) out.push_back(model.path(v));
        return out;
    };
    nlohmann::json out = {{"variable", name},
                          {"states", list(answer.states)},
                          {"inputs", list(answer.inputs)},
                          {"discretes", list(answer.discretes)},
                          {"parameters", list(answer.parameters)},
                          {"time", answer.uses_time},
                          {"steps", nlohmann::json::array()}};
    for (const WhereStep& s : answer.steps) {
        nlohmann::json step = {{"equation", s.text}, {"submodel", s.submodel}, {"system", s.system}};
        if (s.where.known()) {
            const Location at = sources.locate(s.where);
            step["file"] = at.file;
            step["line"] = at.line;
        }
        out["steps"].push_back(std::move(step));
    }
    return out;
}

}  // namespace

int equations(const EquationsOptions& options) {
    Workspace workspace;
    const auto experiment = open_model(options, workspace);
    if (experiment && options.flat) {
        if (const auto flat = workspace.flatten(options.model, *experiment)) fmt::print("{}", print(*flat));
    } else if (experiment) {
        if (const auto partition = workspace.partition(options.model, *experiment)) {
            if (options.where.empty()) {
                fmt::print("{}", options.latex ? print_latex(*partition) : print(*partition));
            } else if (const auto answer = where(*partition, options.where)) {
                if (options.json)
                    fmt::print("{}\n",
                               as_json(*answer, partition->model, workspace.sources, options.where).dump(2));
                else
                    print_text(*answer, partition->model, workspace.sources, options.where);
            } else {
                workspace.diagnostics.report(unknown_variable(options.where, *partition));
            }
        }
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace cutset::cli
