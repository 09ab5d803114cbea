// cutset equations: the sorted, solved equations; --flat: as collected; --where x: how is x computed.
#include <fmt/format.h>

#include <memory>

#include "base/json.h"
#include "commands.h"
#include "model/model_options.h"
#include "operations/structure/structure_json.h"
#include "output/console.h"
#include "output/json_output.h"
#include "translate/open_inputs.h"
#include "translate/translator.h"

namespace cutset::cli {

namespace {

struct EquationsOptions : ModelOptions {
    bool flat = false;
    bool latex = false;
    std::string where;
};

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

int equations(const EquationsOptions& options) {
    Workspace workspace;
    auto experiment = open_model(options, workspace);
    const Translator translator(workspace);
    const Places places{workspace.text.sources()};
    auto flat = experiment ? flatten_open(translator, options.model, *experiment, workspace.diagnostics)
                           : std::nullopt;
    if (flat && options.flat) {
        fmt::print("{}", options.json ? json_text(equations_json(*flat, places), 2) + "\n"
                                      : for_output(print(*flat)));
    } else if (flat) {
        if (const auto partition = sort_equations(
                std::move(*flat), transform_options(options, workspace.text), workspace.diagnostics)) {
            if (options.where.empty() && options.json) {
                print_json(equations_json(*partition, places));
            } else if (options.where.empty()) {
                fmt::print("{}", for_output(options.latex ? print_latex(*partition) : print(*partition)));
            } else if (const auto found = where_computed(*partition, options.where)) {
                if (options.json) {
                    Json out = where_json(found->answer, partition->model, places, found->name);
                    if (found->why) out["state"] = state_json(*found->why, partition->model, places);
                    print_json(out);
                } else {
                    if (found->why) fmt::print("{}\n", sentence(*found->why, partition->model));
                    print_text(found->answer, partition->model, workspace.text.sources(), found->name);
                }
            } else {
                workspace.diagnostics.report(unknown_variable(options.where, *partition));
            }
        }
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_equations(CommandLine& line) {
    auto o = std::make_shared<EquationsOptions>();
    Command& c =
        line.add("equations", groups::model, "show the sorted, solved equations in the order of computation",
                 [o] { return equations(*o); });
    add_model_options(c, *o);
    c.flag("--flat", o->flat, "the equations as collected, before sorting");
    c.flag("--latex", o->latex, "typeset");
    c.option("--where", o->where,
             "how is this variable computed: the chain of equations from states, inputs and parameters, with "
             "submodel and source line; and why it is a state, or none");
    c.footer(
        "Examples:\n"
        "  cutset equations network.dym\n"
        "  cutset equations network.dym --flat\n"
        "  cutset equations network.dym --where R1.I\n"
        "  cutset equations network.dym --latex > network.tex");
}

}  // namespace cutset::cli
