#include "points/branch_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <fstream>

#include "base/json.h"
#include "linear/linear_output.h"
#include "model/parameter_text.h"
#include "operations/points/branch_results.h"
#include "output/console.h"
#include "output/json_output.h"
#include "results/messages.h"
#include "results/plot.h"
#include "results/writer.h"

namespace cutset::cli {

namespace {

const char* end_text(CurveEnd end) {
    switch (end) {
        case CurveEnd::Reached:
            return "to the end of the range";
        case CurveEnd::Returned:
            return "back to the beginning of the range";
        case CurveEnd::Bound:
            return "to a bound";
        case CurveEnd::Closed:
            return "round to where it began";
        case CurveEnd::TooLong:
            return "until there were too many points";
        case CurveEnd::Stopped:
            return "until it was interrupted";
        case CurveEnd::Lost:
            break;
    }
    return "until it was lost";
}

}  // namespace

Json branch_json(const Branch& branch, const Workspace& workspace) {
    Json out;
    out["status"] = branch.points.empty() ? "failed" : branch.end == CurveEnd::Lost ? "lost" : "solved";
    if (!branch.points.empty()) {
        const FlatModel& model = branch.program->partition->model;
        out["model"] = model.name;
        out["parameter"] = model.path(branch.parameter);
        out["end"] = end_text(branch.end);
        Json& states = out["states"] = Json::array();
        for (VariableIndex v : shown_states(*branch.program->partition)) states.push_back(model.path(v));
        Json& points = out["points"] = Json::array();
        Json& events = out["events"] = Json::array();
        for (const BranchPoint& p : branch.points) {
            Json one = {{"parameter", p.parameter}, {"stability", word(p.stability)}};
            Json& values = one["values"] = Json::object();
            for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
                if (!model.variables[v].internal && model.variables[v].variability > Variability::Parameter)
                    values[model.path(v)] = number_json(p.values[v.value]);
            Json& eigenvalues = one["eigenvalues"] = Json::array();
            for (const auto& s : p.eigenvalues) eigenvalues.push_back({s.real(), s.imag()});
            if (p.event != BranchEvent::None) {
                one["event"] = word(p.event);
                events.push_back(one);
            }
            points.push_back(std::move(one));
        }
    }
    put_diagnostics(out, workspace.diagnostics, workspace.text.sources(), Notes::Added);
    return out;
}

void print_branch(const Branch& branch, const std::vector<std::string>& names) {
    const FlatModel& model = branch.program->partition->model;
    const std::string parameter = model.path(branch.parameter);
    const std::vector<VariableIndex> shown = shown_variables(branch, names);
    fmt::print("{}: {} points from {} = {} {}", model.name, branch.points.size(), parameter,
               short_number(branch.points.front().parameter), end_text(branch.end));
    fmt::print("{}, {} = {}\n", branch.bound ? " of " + model.path(*branch.bound) : "", parameter,
               short_number(branch.points.back().parameter));
    std::vector<std::size_t> widths;
    fmt::print("  {:>12}", parameter);
    for (VariableIndex v : shown) {
        widths.push_back(std::max<std::size_t>(12, model.path(v).size()));
        fmt::print("  {:>{}}", model.path(v), widths.back());
    }
    fmt::print("\n");
    const auto line = [&](const BranchPoint& p, const std::string& note) {
        fmt::print("  {:>12}", short_number(p.parameter));
        for (std::size_t i = 0; i < shown.size(); ++i)
            fmt::print("  {:>{}}", short_number(p.values[shown[i].value]), widths[i]);
        fmt::print("  {}\n", note);
    };
    const auto stability = [](const BranchPoint& p) {
        return p.stability == Stability::NoStates ? std::string() : std::string(word(p.stability));
    };
    const std::size_t every = std::max<std::size_t>(1, branch.points.size() / 12);
    for (std::size_t i = 0; i < branch.points.size(); ++i) {
        const BranchPoint& p = branch.points[i];
        if (p.event == BranchEvent::Fold)
            line(p, "fold: turns back here");
        else if (p.event == BranchEvent::Hopf) {
            std::complex<double> nearest = p.eigenvalues[0];
            for (const auto& s : p.eigenvalues)
                if (std::abs(s.real()) < std::abs(nearest.real())) nearest = s;
            line(p, fmt::format("Hopf: an oscillation of {} rad/s begins",
                                short_number(std::abs(nearest.imag()))));
        } else if (p.event == BranchEvent::Crossing)
            line(p, "an eigenvalue passes zero: another branch crosses");
        else if (i % every == 0 || i + 1 == branch.points.size())
            line(p, stability(p));
    }
}

bool write_branch(const Branch& branch, const std::string& path, const std::vector<std::string>& names,
                  Workspace& workspace) {
    Problem problem;
    if (path.ends_with(".json")) {
        std::ofstream file(path);
        file << json_text(branch_json(branch, workspace), 2) << '\n';
        file.close();
        if (!file) problem = "cannot write " + path;
    } else if (is_picture(path)) {
        Plot plot = branch_plot(branch, names);
        plot.title = branch.program->partition->model.name;
        problem = write_picture(plot, path);
    } else {
        problem = write_result(branch_table(branch), path);
    }
    if (!problem) return true;
    workspace.diagnostics.report(results_messages::cannot_write(*problem));
    return false;
}

void draw_branch(const Branch& branch, const std::vector<std::string>& names) {
    TerminalStyle style;
    const Size size = terminal_size();
    style.width = int(std::min<std::size_t>(size.columns, 100));
    style.colour = colour_on(stdout);
    fmt::print("{}", to_terminal(branch_plot(branch, names), style));
}

}  // namespace cutset::cli
