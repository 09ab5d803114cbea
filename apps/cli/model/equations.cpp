// cutset equations: the sorted, solved equations; --flat: as collected; --where x: how is x computed.
#include <fmt/format.h>

#include <memory>

#include "base/json.h"
#include "commands.h"
#include "model/model_options.h"
#include "model/states.h"
#include "operations/structure/where.h"
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

Json as_json(const WhereAnswer& answer, const FlatModel& model, const Sources& sources,
             const std::string& name) {
    auto list = [&](const std::vector<VariableIndex>& variables) {
        Json out = Json::array();
        for (VariableIndex v : variables) out.push_back(model.path(v));
        return out;
    };
    Json out = {{"variable", name},
                {"states", list(answer.states)},
                {"inputs", list(answer.inputs)},
                {"discretes", list(answer.discretes)},
                {"parameters", list(answer.parameters)},
                {"time", answer.uses_time},
                {"steps", Json::array()}};
    for (const WhereStep& s : answer.steps) {
        Json step = {{"equation", s.text}, {"submodel", s.submodel}, {"system", s.system}};
        if (s.where.known()) {
            const Location at = sources.locate(s.where);
            step["file"] = at.file;
            step["line"] = at.line;
        }
        out["steps"].push_back(std::move(step));
    }
    return out;
}

// The sorted equations: blocks in the order of computation, each an assignment or a system.
Json as_json(const Partition& partition, const Sources& sources) {
    const FlatModel& model = partition.model;
    const Printer printer = model.printer();
    const auto unknown = [&](const Unknown& u) { return model.path(u.variable) + (u.order ? "'" : ""); };
    const auto place_origin = [&](Json& entry, const Origin& origin) {
        entry["submodel"] = model.path(origin.instance);
        if (!origin.where.known()) return;
        const Location at = sources.locate(origin.where);
        entry["file"] = at.file;
        entry["line"] = at.line;
    };
    const auto place = [&](Json& entry, EquationIndex e, bool from_initial) {
        place_origin(entry, (from_initial ? model.initial_equations[e] : model.equations[e]).origin);
    };
    Json out = {{"model", model.name},
                {"states", Json::array()},
                {"discrete", Json::array()},
                {"blocks", Json::array()},
                {"eliminated", Json::array()}};
    for (VariableIndex v : shown_states(partition)) out["states"].push_back(model.path(v));
    for (const DiscreteAssignment& d : partition.discrete) {
        Json entry = {{"variable", model.path(d.variable)}, {"value", to_text(d.value, d.variable, printer)}};
        place_origin(entry, d.origin);
        out["discrete"].push_back(std::move(entry));
    }
    for (const Block& block : partition.blocks) {
        Json one;
        one["kind"] = block.torn.empty()                ? "explicit"
                      : block.kind == BlockKind::Linear ? "linear"
                                                        : "nonlinear";
        one["assignments"] = Json::array();
        for (const SolvedEquation& s : block.inner) {
            Json entry = {{"variable", unknown(s.unknown)}, {"value", to_text(s.value, printer)}};
            place(entry, s.equation, s.from_initial);
            one["assignments"].push_back(std::move(entry));
        }
        for (const Unknown& u : block.torn) one["iterated"].push_back(unknown(u));
        for (const ResidualEquation& r : block.residuals) {
            Json entry = {{"residual", to_text(r.residual, printer)}};
            place(entry, r.equation, r.from_initial);
            one["residuals"].push_back(std::move(entry));
        }
        out["blocks"].push_back(std::move(one));
    }
    for (const Eliminated& e : partition.eliminated)
        out["eliminated"].push_back(
            {{"variable", model.path(e.variable)}, {"value", to_text(e.value, printer)}});
    return out;
}

Json as_json(const FlatModel& model, const Sources& sources) {
    Json out = {{"model", model.name}, {"equations", Json::array()}};
    const auto add = [&](const Equation& e, bool discrete) {
        Json entry = {{"equation", model.text(e)}, {"submodel", model.path(e.origin.instance)}};
        if (discrete) entry["discrete"] = true;
        if (e.origin.where.known()) {
            const Location at = sources.locate(e.origin.where);
            entry["file"] = at.file;
            entry["line"] = at.line;
        }
        out["equations"].push_back(std::move(entry));
    };
    for (const Equation& e : model.equations) add(e, false);
    for (const Equation& e : model.discrete_equations) add(e, true);
    return out;
}

int equations(const EquationsOptions& options) {
    Workspace workspace;
    auto experiment = open_model(options, workspace);
    const Translator translator(workspace);
    auto flat = experiment ? flatten_open(translator, options.model, *experiment, workspace.diagnostics)
                           : std::nullopt;
    if (flat && options.flat) {
        fmt::print("{}", options.json ? json_text(as_json(*flat, workspace.text.sources()), 2) + "\n"
                                      : for_output(print(*flat)));
    } else if (flat) {
        if (const auto partition = sort_equations(
                std::move(*flat), transform_options(options, workspace.text), workspace.diagnostics)) {
            if (options.where.empty() && options.json) {
                print_json(as_json(*partition, workspace.text.sources()));
            } else if (options.where.empty()) {
                fmt::print("{}", for_output(options.latex ? print_latex(*partition) : print(*partition)));
            } else if (const auto found = where_computed(*partition, options.where)) {
                if (options.json) {
                    Json out =
                        as_json(found->answer, partition->model, workspace.text.sources(), found->name);
                    if (found->why)
                        out["state"] = state_json(*found->why, partition->model, workspace.text.sources());
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
