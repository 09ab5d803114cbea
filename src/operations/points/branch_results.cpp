#include "operations/points/branch_results.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutset {

std::vector<VariableIndex> shown_variables(const Branch& branch, const std::vector<std::string>& names) {
    const FlatModel& model = branch.program->partition->model;
    std::vector<VariableIndex> list;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
        if (std::find(names.begin(), names.end(), model.path(v)) != names.end()) list.push_back(v);
    if (!names.empty()) return list;
    list = shown_states(*branch.program->partition);
    if (list.empty())
        for (const Block& block : branch.program->partition->initial_blocks)
            for (const Unknown& u : block.torn)
                if (u.order == 0 && !model.variables[u.variable].internal) list.push_back(u.variable);
    constexpr std::size_t most = 8;
    if (list.size() > most) list.resize(most);
    return list;
}

Plot branch_plot(const Branch& branch, const std::vector<std::string>& names) {
    const FlatModel& model = branch.program->partition->model;
    const double gap = std::numeric_limits<double>::quiet_NaN();
    Plot plot;
    plot.x_label = model.path(branch.parameter);
    plot.x_unit = model.variables[branch.parameter].unit;
    for (VariableIndex v : shown_variables(branch, names)) {
        const Variable& variable = model.variables[v];
        const auto add = [&](const char* label, auto wanted) {
            Curve curve{model.path(v) + label, variable.unit, {}, {}, false};
            bool any = false;
            for (std::size_t i = 0; i < branch.points.size(); ++i) {
                const BranchPoint& p = branch.points[i];
                // A part ends at the point where it changes, so that no gap is seen there.
                const bool own =
                    wanted(p) || (p.event != BranchEvent::None &&
                                  ((i > 0 && wanted(branch.points[i - 1])) ||
                                   (i + 1 < branch.points.size() && wanted(branch.points[i + 1]))));
                const bool after = i > 0 && wanted(branch.points[i - 1]);
                any = any || own;
                curve.x.push_back(p.parameter);
                curve.y.push_back(own || after ? p.values[v.value] : gap);
            }
            if (any) plot.curves.push_back(std::move(curve));
        };
        const auto unstable = [](const BranchPoint& p) { return p.stability == Stability::Unstable; };
        const bool judged = std::any_of(branch.points.begin(), branch.points.end(), [](const BranchPoint& p) {
            return p.stability != Stability::NoStates && p.stability != Stability::NotJudged;
        });
        add(judged ? " stable" : "", [&](const BranchPoint& p) { return !unstable(p); });
        add(" unstable", unstable);
    }
    return plot;
}

Trajectory branch_table(const Branch& branch) {
    const FlatModel& model = branch.program->partition->model;
    Columns columns;
    columns.add(time_column(""));
    std::vector<VariableIndex> shown;
    const auto add = [&](VariableIndex v) {
        Column c;
        c.name = model.path(v);
        c.unit = model.variables[v].unit;
        c.description = model.variables[v].description;
        columns.add(c);
        shown.push_back(v);
    };
    add(branch.parameter);
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
        if (!model.variables[v].internal && model.variables[v].variability > Variability::Parameter) add(v);
    for (const char* name : {"stable", "growth", "frequency"}) {
        Column c;
        c.name = name;
        columns.add(c);
    }
    Trajectory t(columns);
    std::vector<double> row;
    for (std::size_t i = 0; i < branch.points.size(); ++i) {
        const BranchPoint& p = branch.points[i];
        row.assign(1, double(i));
        for (VariableIndex v : shown) row.push_back(v == branch.parameter ? p.parameter : p.values[v.value]);
        row.push_back(p.stability != Stability::Unstable);
        row.push_back(p.eigenvalues.empty() ? 0 : p.eigenvalues[0].real());
        row.push_back(p.eigenvalues.empty() ? 0 : std::abs(p.eigenvalues[0].imag()));
        t.append(row);
    }
    return t;
}

}  // namespace cutset
