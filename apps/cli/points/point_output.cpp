#include "points/point_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>
#include <set>

#include "base/json.h"
#include "linear/linear_output.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/json_output.h"
#include "results/messages.h"

namespace cutset::cli {

namespace {

constexpr std::size_t most_without_asking = 40;  // variables of a table

// "Tank*.h" matches with * for any characters.
bool matches(const std::string& pattern, const std::string& name) {
    std::size_t p = 0, n = 0, star = std::string::npos, back = 0;
    while (n < name.size()) {
        if (p < pattern.size() && pattern[p] == '*') {
            star = p++;
            back = n;
        } else if (p < pattern.size() && pattern[p] == name[n]) {
            ++p;
            ++n;
        } else if (star != std::string::npos) {
            p = star + 1;
            n = ++back;
        } else {
            return false;
        }
    }
    while (p < pattern.size() && pattern[p] == '*') ++p;
    return p == pattern.size();
}

std::string eigenvalue_text(std::complex<double> s) {
    if (std::abs(s.real()) < 1e-12 * std::abs(s)) s.real(0);
    if (std::abs(s.imag()) < 1e-12 * std::abs(s)) s.imag(0);
    if (s.imag() == 0) return short_number(s.real());
    return fmt::format("{} ± {}i", short_number(s.real()), short_number(std::abs(s.imag())));
}

// "unstable: eigenvalue 0.53, mostly in x, v"
std::string stability_text(const SteadyResult& result, const SteadyPoint& point) {
    const StabilityReport& report = point.stability;
    std::string text = word(report.stability);
    if (report.stability == Stability::NoStates) return "no states: a static model";
    if (report.stability == Stability::NotJudged) return "stability not judged";
    if (report.stability == Stability::Held) return "held on a switching surface, where the equations jump";
    std::size_t shown = report.worst.value_or(0);
    if (report.modes.empty()) return text;
    const Mode& mode = report.modes[shown];
    if (report.stability == Stability::Stable)
        text += ": slowest eigenvalue " + eigenvalue_text(mode.eigenvalue);
    else if (report.stability == Stability::Undamped)
        text += ": oscillates for ever with eigenvalues " + eigenvalue_text(mode.eigenvalue);
    else if (report.stability == Stability::Edge)
        text +=
            fmt::format(": an eigenvalue is zero as far as it can be told ({}), so that it does not decide",
                        eigenvalue_text(mode.eigenvalue));
    else if (report.stability == Stability::Indifferent)
        text += ": an eigenvalue is zero, what it belongs to stays wherever it is put";
    else
        text += ": eigenvalue " + eigenvalue_text(mode.eigenvalue);
    if (report.stability != Stability::Stable && !mode.participation.empty()) {
        std::string names;
        for (const Participant& p : participants(mode, 4))
            names += (names.empty() ? "" : ", ") +
                     result.program->partition->model.path(point.at.states[std::size_t(p.state)]);
        text += ", mostly in " + names;
    }
    return text;
}

bool is_shown(const Variable& v) {
    return !v.internal;
}

}  // namespace

void add_point_options(Command& command, PointOptions& o) {
    add_model_options(command, o, o);
    command.list("--guess", o.guess,
                 "where the search begins: x=3,y=5; else the initial values of the model");
    command.list("--bounds", o.bounds,
                 "look for solutions within: x=0:10,T=273:; min and max of the model count too");
    command.list("--moving", o.moving,
                 "these may move on steadily: their derivatives need not be zero (the angle of a motor)");
    command.option("--solutions", o.solutions, "find up to so many solutions");
    command.flag("--all", o.all, "find all solutions that can be found, up to 100");
    command.option("--at-time", o.at_time,
                   "the time at which inputs and other functions of time are taken (0)");
    command.list("--show", o.show, "also these variables: names, or patterns with *");
    command.flag("--all-variables", o.all_variables, "show all variables");
    command.option("-o,--output", o.output, "write the point: .json");
}

Json point_json(const SteadyResult& result, const SteadyPoint& point) {
    const FlatModel& model = result.program->partition->model;
    Json out;
    Json& values = out["values"] = Json::object();
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
        if (is_shown(model.variables[v])) values[model.path(v)] = number_json(point.at.values[v.value]);
    out["time"] = point.at.time;
    out["residual"] = number_json(point.residual);
    out["stability"] = word(point.stability.stability);
    Json& states = out["states"] = Json::array();
    for (VariableIndex v : point.at.states) states.push_back(model.path(v));
    Json& eigenvalues = out["eigenvalues"] = Json::array();
    Json& shares = out["participation"] = Json::array();
    for (const Mode& mode : point.stability.modes) {
        eigenvalues.push_back({number_json(mode.eigenvalue.real()), number_json(mode.eigenvalue.imag())});
        Json share = Json::object();
        for (const Participant& p : participants(mode))
            share[model.path(point.at.states[std::size_t(p.state)])] = number_json(p.share);
        shares.push_back(std::move(share));
    }
    if (!point.held.empty()) {
        Json& held = out["held"] = Json::array();
        for (Expr e : point.held) held.push_back(to_text(e, model.printer()));
    }
    Json& derivatives = out["derivatives"] = Json::object();
    for (const auto& [v, rate] : point.derivatives) derivatives[model.path(v)] = number_json(rate);
    return out;
}

Json result_json(const SteadyResult& result, const Workspace& workspace, const std::string& name) {
    Json out;
    if (!result.points.empty()) {
        const FlatModel& model = result.program->partition->model;
        out = point_json(result, result.points.front());
        Json& solutions = out["solutions"] = Json::array();
        for (const SteadyPoint& p : result.points) solutions.push_back(point_json(result, p));
        Json& outputs = out["outputs"] = Json::array();
        for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
            if (model.variables[v].top_output) outputs.push_back(model.path(v));
        Json& sought = out["sought"] = Json::object();
        for (VariableIndex v : result.sought)
            sought[model.path(v)] = number_json(result.points.front().at.values[v.value]);
        Json& open = out["free"] = Json::array();
        for (VariableIndex v : result.left_open) open.push_back(model.path(v));
    }
    out["model"] = name;
    out["status"] = result.points.empty() ? "failed" : "solved";
    put_diagnostics(out, workspace.diagnostics, workspace.text.sources(), Notes::Added);
    return out;
}

void print_point(const SteadyResult& result, const SteadyPoint& point, const PointOptions& o,
                 const std::vector<VariableIndex>& first) {
    const Partition& partition = *result.program->partition;
    const FlatModel& model = partition.model;
    std::set<VariableIndex> listed;
    std::vector<std::pair<const char*, std::vector<VariableIndex>>> groups;
    const auto add = [&](const char* title, const std::vector<VariableIndex>& candidates) {
        std::vector<VariableIndex> group;
        for (VariableIndex v : candidates)
            if ((is_shown(model.variables[v]) || &candidates == &first) && listed.insert(v).second)
                group.push_back(v);
        if (!group.empty()) groups.emplace_back(title, std::move(group));
    };
    add("found", first);
    std::vector<VariableIndex> inputs, outputs, others, wanted;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        if (variable.top_input) inputs.push_back(v);
        if (variable.top_output) outputs.push_back(v);
        if (variable.variability > Variability::Parameter) others.push_back(v);
        if (std::any_of(o.show.begin(), o.show.end(),
                        [&](const std::string& p) { return matches(p, model.path(v)); }))
            wanted.push_back(v);
    }
    add("states", shown_states(partition));
    add("inputs", inputs);
    add("outputs", outputs);
    if (!wanted.empty()) add("variables", wanted);
    const bool all =
        o.all_variables || (o.show.empty() && outputs.empty() && others.size() <= most_without_asking);
    if (all) add("variables", others);
    std::size_t widest = 0, numbers = 0;
    for (const auto& [title, group] : groups)
        for (VariableIndex v : group) {
            widest = std::max(widest, model.path(v).size());
            numbers = std::max(numbers, short_number(point.at.values[v.value]).size());
        }
    widest = std::min<std::size_t>(widest, 44);
    for (const auto& [title, group] : groups) {
        fmt::print("  {}\n", title);
        for (VariableIndex v : group) {
            const Variable& variable = model.variables[v];
            fmt::print("    {:<{}}  {:>{}}{}\n", model.path(v), widest,
                       short_number(point.at.values[v.value]), numbers,
                       variable.unit.empty() ? "" : " " + variable.unit);
        }
    }
    if (!all && others.size() > listed.size())
        fmt::print("  {} more with --all-variables or --show NAME\n", others.size() - listed.size());
    if (result.stationary) fmt::print("  {}\n", stability_text(result, point));
    if (point.stability.modes.size() > 1 && point.stability.modes.size() <= 12) {
        std::string list;
        for (const Mode& mode : point.stability.modes)
            if (mode.eigenvalue.imag() >= 0)
                list += (list.empty() ? "" : ",  ") + eigenvalue_text(mode.eigenvalue);
        fmt::print("  eigenvalues {}\n", list);
    }
}

bool write_point(const SteadyResult& result, const SteadyPoint& point, const std::string& path,
                 Workspace& workspace) {
    Json out = point_json(result, point);
    out["model"] = result.program->partition->model.name;
    std::ofstream file(path);
    file << json_text(out, 2) << '\n';
    file.close();
    if (file) return true;
    workspace.diagnostics.report(results_messages::cannot_write("cannot write " + path));
    return false;
}

}  // namespace cutset::cli
