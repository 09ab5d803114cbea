// cutset check: what the model is made of, before anything runs.
#include <fmt/format.h>

#include <filesystem>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "leave.h"
#include "model/check_library.h"
#include "model/loops.h"
#include "model/model_options.h"
#include "model/stages.h"
#include "model/states.h"
#include "operations/structure/structure_json.h"
#include "output/console.h"
#include "output/json_output.h"
#include "translate/open_inputs.h"
#include "translate/translator.h"

namespace cutset::cli {

namespace {

struct CheckOptions : ModelOptions {
    bool loops = false, states = false;
    StageOptions stages;
};

std::vector<std::string> paths(const FlatModel& model, const std::vector<VariableIndex>& variables) {
    std::vector<std::string> out;
    for (VariableIndex v : variables) out.push_back(model.path(v));
    return out;
}

std::string list(const std::vector<std::string>& names, std::size_t most = 12) {
    std::string out;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) out += (i ? ", " : "") + names[i];
    if (names.size() > most) out += fmt::format(" and {} more", names.size() - most);
    return out;
}

std::size_t count_parameters(const FlatModel& model) {
    std::size_t n = 0;
    for (const Variable& v : model.variables) n += v.variability == Variability::Parameter;
    return n;
}

std::vector<std::string> equation_texts(const FlatModel& model, const std::vector<EquationIndex>& equations) {
    std::vector<std::string> out;
    for (EquationIndex e : equations) out.push_back(model.text(model.equations[e]));
    return out;
}

Json as_json(const Partition& p, const Workspace& workspace) {
    const FlatModel& model = p.model;
    Json out;
    out["model"] = model.name;
    out["equations"] = p.flat_equations;
    out["unknowns"] = p.flat_unknowns;
    out["states"] = p.states.size();
    out["state_names"] = paths(model, shown_states(p));
    out["parameters"] = count_parameters(model);
    out["connection_sets"] = model.connection_sets;
    out["aliases_removed"] = p.aliases_removed;
    out["dependent_removed"] = p.dependent_removed.size();
    out["structural_parameters"] = paths(model, p.structural_parameters);
    out["loops"] = Json::array();
    for (const LoopReport& loop : p.loops)
        out["loops"].push_back({{"size", loop.size},
                                {"torn", loop.torn},
                                {"linear", loop.linear},
                                {"initial", loop.initial},
                                {"variables", paths(model, loop.variables)}});
    out["index"] = p.index;
    out["differentiated"] = equation_texts(model, p.differentiated);
    out["zero_starts"] = paths(model, p.zero_starts);
    out["warnings"] = diagnostics_json(workspace.diagnostics, {workspace.text.sources()}, Severity::Warning);
    return out;
}

void print_text(const Partition& p) {
    const FlatModel& model = p.model;
    auto line = [](const std::string& what, const std::string& value) {
        fmt::print("  {:<24} {}\n", what, value);
    };
    fmt::print("{}\n", model.name);
    line("equations", std::to_string(p.flat_equations));
    line("unknowns", std::to_string(p.flat_unknowns));
    line("states", p.states.empty() ? "0" : fmt::format("{}: {}", p.states.size(), states_text(p)));
    line("parameters", std::to_string(count_parameters(model)));
    line("submodels", std::to_string(model.instances.empty() ? 0 : model.instances.size() - 1));
    line("connection sets", std::to_string(model.connection_sets));
    line("aliases removed", std::to_string(p.aliases_removed));
    line("superfluous equations", std::to_string(p.dependent_removed.size()));
    if (!p.structural_parameters.empty())
        line("structural parameters", list(paths(model, p.structural_parameters)));
    std::size_t loops = 0;
    for (const LoopReport& loop : p.loops) loops += !loop.initial;
    line("algebraic loops", std::to_string(loops));
    for (const LoopReport& loop : p.loops)
        fmt::print("    {}{} loop of {}, {} iterated: {}\n", loop.initial ? "at the start: " : "",
                   loop.linear ? "linear" : "nonlinear", loop.size, loop.torn,
                   list(paths(model, loop.variables), 8));
    line("index", std::to_string(p.index));
    line("differentiated", std::to_string(p.differentiated.size()));
    if (!p.zero_starts.empty()) line("start at 0 (none given)", list(paths(model, p.zero_starts)));
}

// What is looked at instead of the report.
bool looks_at_stages(const CheckOptions& options) {
    return !options.stages.dump.empty() || options.stages.profile;
}

int check(const CheckOptions& options) {
    std::error_code ec;
    if (std::filesystem::is_directory(options.file, ec) && options.model.empty())
        return check_library(options, options);
    Workspace workspace;
    StageView stages(options.stages);
    if (!stages.accept(workspace.diagnostics)) return finish_refused(workspace, options);
    auto experiment = open_model(options, workspace);
    stages.tree(workspace.text, options.model);
    TransformOptions transform = transform_options(options, workspace.text);
    stages.watch(transform);
    const Translator translator(workspace);
    std::shared_ptr<const Partition> partition;
    if (auto flat = experiment ? flatten_open(translator, options.model, *experiment, workspace.diagnostics)
                               : std::nullopt)
        if (auto sorted = sort_equations(std::move(*flat), transform, workspace.diagnostics))
            partition = std::make_shared<const Partition>(std::move(*sorted));
    if (partition && stages.wants_program())
        stages.program(*cutset::translate(partition, {.jacobian = JacobianKind::States}).program);
    stages.finish(workspace.diagnostics);
    if (partition && !looks_at_stages(options)) {
        if (options.json) {
            Json out = as_json(*partition, workspace);
            if (options.loops) out["loops"] = loops_json(*partition, {workspace.text.sources()});
            if (options.states) out["state_reasons"] = states_json(*partition, {workspace.text.sources()});
            print_json(out);
        } else if (options.loops || options.states) {
            fmt::print("{}\n", partition->model.name);
            if (options.states) print_states(*partition, workspace.text.sources());
            if (options.loops) print_loops(*partition, workspace.text.sources());
        } else if (!options.quiet) {
            print_text(*partition);
        }
    }
    std::fflush(stdout);
    leave(finish(workspace, options));
}

}  // namespace

void add_check(CommandLine& line) {
    auto o = std::make_shared<CheckOptions>();
    Command& c = line.add("check", groups::model, "count equations and unknowns, find loops and mistakes",
                          [o] { return check(*o); });
    add_model_options(c, *o);
    c.flag("--loops", o->loops,
           "explain each loop: its equations, what is iterated and why, the order of computation");
    c.flag("--states", o->states, "why each state is one, and why each other candidate is none");
    add_stage_options(c, o->stages);
    c.footer(
        "Examples:\n"
        "  cutset check motor.dym                 the last model of the file\n"
        "  cutset check motor.dym drive --json    another model, for a program to read\n"
        "  cutset check motor.dym --set La=0      a structural parameter changed\n"
        "  cutset check network.dym --loops       what has to be solved together, and how\n"
        "  cutset check network.dym --loops --tear R1.I,R2.I   with other iterated variables\n"
        "  cutset check MyLibrary                 every class of a Modelica library\n"
        "  cutset check pendulum.dym --dump reduce_index       the equations after that pass");
}

}  // namespace cutset::cli
