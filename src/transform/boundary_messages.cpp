#include "transform/boundary_messages.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/message_parts.h"

namespace cutset::boundary_messages {
namespace {

constexpr std::size_t most_equations = 8;
constexpr std::size_t most_places = 4;  // shown with their lines of text

std::string names(const FlatModel& model, const std::vector<VariableIndex>& variables,
                  std::size_t most = 12) {
    std::string out;
    for (std::size_t i = 0; i < variables.size() && i < most; ++i)
        out += (i ? ", " : "") + model.path(variables[i]);
    if (variables.size() > most) out += fmt::format(" and {} more", variables.size() - most);
    return out;
}

void show(const FlatModel& model, Diagnostic& d, const std::vector<ShownEquation>& equations) {
    for (std::size_t i = 0; i < equations.size() && i < most_equations; ++i) {
        const ShownEquation& e = equations[i];
        const std::string submodel = e.submodel.empty() ? model.name : e.submodel;
        d.details.push_back(fmt::format("  in {}: {}", submodel, e.text));
        if (!e.where.known()) continue;
        if (!d.where.known()) {
            d.where = e.where;
            d.submodel = e.submodel;
            continue;
        }
        const auto same = [&](Span s) {
            return s.source == e.where.source && s.begin == e.where.begin && s.end == e.where.end;
        };
        if (same(d.where) || d.related.size() >= most_places ||
            std::any_of(d.related.begin(), d.related.end(), [&](const auto& r) { return same(r.where); }))
            continue;
        d.related.push_back({e.where, "in " + submodel});
    }
    if (equations.size() > most_equations)
        d.details.push_back(fmt::format("  and {} more equations", equations.size() - most_equations));
}

void show_missing(const FlatModel& model, const BoundaryReport& report, Diagnostic& d) {
    for (const BoundaryReport::Missing& m : report.missing) {
        if (m.equations.empty())
            d.details.push_back(
                fmt::format("underdetermined: no equation for {}", names(model, m.variables)));
        else
            d.details.push_back(fmt::format("underdetermined: {} equation{} for {} unknowns: {}",
                                            m.equations.size(), m.equations.size() == 1 ? "" : "s",
                                            m.variables.size(), names(model, m.variables)));
        show(model, d, m.equations);
    }
    if (report.missing_count > report.missing.size())
        d.details.push_back(
            fmt::format("and {} more undetermined parts", report.missing_count - report.missing.size()));
}

std::vector<VariableIndex> proposed(const BoundaryReport& report) {
    std::vector<VariableIndex> found;
    for (const BoundaryReport::Entry& e : report.knowns)
        if (!e.chosen) found.push_back(e.variable);
    return found;
}

std::string as_option(const FlatModel& model, const BoundaryReport& report) {
    std::string out = "--known ";
    for (std::size_t i = 0; i < report.knowns.size(); ++i) {
        if (i == 12) return out + ",…";
        out += (i ? "," : "") + model.path(report.knowns[i].variable);
    }
    return out;
}

}  // namespace

Diagnostic conflict(const FlatModel& model, const BoundaryReport& report, std::size_t which) {
    const BoundaryReport::Conflict& c = report.conflicts[which];
    Diagnostic d;
    d.code = "known-conflict";
    const std::string dropped = model.path(c.dropped);
    if (c.knowns.size() == 1)
        d.message = fmt::format("{} cannot be a known: the equations determine it already", dropped);
    else
        d.message = fmt::format("{} cannot be knowns together", names(model, c.knowns));
    std::vector<VariableIndex> inner = c.variables;
    std::erase_if(inner, [&](VariableIndex v) {
        return v.value >= model.variables.size() ||
               std::find(c.knowns.begin(), c.knowns.end(), v) != c.knowns.end();
    });
    d.details.push_back(fmt::format("overdetermined: {}{}{}", names(model, c.knowns),
                                    inner.empty() ? "" : " with ", names(model, inner)));
    show(model, d, c.equations);
    if (which == 0) show_missing(model, report, d);

    const std::vector<VariableIndex> instead = proposed(report);
    const std::string others =
        c.knowns.size() > 1 ? fmt::format("drop {} (or another of these)", dropped) : "drop " + dropped;
    if (instead.empty()) {
        d.help = others + (report.conflicts.size() == 1 && !report.knowns.empty()
                               ? fmt::format(": {} is enough", as_option(model, report))
                               : "; the others are enough");
        d.help += "; or have a parameter or a given input computed with --unknown";
    } else {
        d.help = fmt::format("{} and give {} instead: {}", others, names(model, instead, 6),
                             as_option(model, report));
    }
    return d;
}

Diagnostic missing(const FlatModel& model, const BoundaryReport& report) {
    Diagnostic d;
    d.code = "knowns-missing";
    d.message =
        report.missing_count == 1
            ? "the choice of knowns is not complete: one more is needed"
            : fmt::format("the choice of knowns is not complete: {} more are needed", report.missing_count);
    show_missing(model, report, d);
    if (!d.where.known() && !report.missing.empty() && !report.missing[0].variables.empty()) {
        const Origin& origin = model.variables[report.missing[0].variables[0]].origin;
        d.where = origin.where;
        d.submodel = model.path(origin.instance);
    }
    d.help = fmt::format("add {}: {}; `cutset partition` lists the alternatives",
                         names(model, proposed(report), 6), as_option(model, report));
    return d;
}

Diagnostic lifted(const FlatModel& model, const BoundaryReport::Lifted& lifted) {
    Diagnostic d;
    d.code = "loose-end-lifted";
    d.severity = lifted.expected ? Severity::Note : Severity::Warning;
    d.where = lifted.shown.where;
    d.submodel = lifted.shown.submodel;
    d.message = lifted.expected ? fmt::format("{} gives way to the known of the same cut", lifted.shown.text)
                                : fmt::format("{} no longer holds: with these knowns there is no room for it",
                                              lifted.shown.text);
    (void)model;
    return d;
}

Diagnostic structural_unknown(const FlatModel& model, VariableIndex v) {
    Diagnostic d;
    d.code = "bad-unknown";
    d.message =
        fmt::format("{} shapes the model, so it cannot be an unknown or depend on one", model.path(v));
    d.where = model.variables[v].origin.where;
    return d;
}

Diagnostic open_unknown_name(const std::string& path, const std::string& near) {
    Diagnostic d;
    d.code = "unknown-name";
    d.message = fmt::format("the model has no parameter, input or variable {}", path);
    d.help = did_you_mean(near, "`cutset equations --flat` lists the parameters and variables");
    return d;
}

Diagnostic open_shapes_model(const FlatModel& model, VariableIndex v) {
    Diagnostic d;
    d.code = "shapes-model";
    d.message = fmt::format("{} shapes the equations of the model, so nothing can be differentiated by it",
                            model.path(v));
    d.where = model.variables[v].origin.where;
    d.submodel = model.path(model.variables[v].origin.instance);
    d.help = "choose a parameter that only stands in equations; `cutset sweep` tries several values of any";
    return d;
}

Diagnostic open_not_free(const FlatModel& model, VariableIndex v) {
    Diagnostic d;
    d.code = "not-free";
    const Variable& variable = model.variables[v];
    d.message = variable.variability == Variability::Constant
                    ? fmt::format("{} is a constant", model.path(v))
                    : fmt::format("{} is computed by the model, it is neither a parameter nor an input",
                                  model.path(v));
    d.where = variable.origin.where;
    d.submodel = model.path(variable.origin.instance);
    d.help = fmt::format("take a parameter, an input, or an initial value as {}(0)", model.path(v));
    return d;
}

Diagnostic open_not_started(const FlatModel& model, VariableIndex v) {
    Diagnostic d;
    d.code = "not-free";
    d.message = fmt::format("{} has no initial value that could be chosen", model.path(v));
    d.where = model.variables[v].origin.where;
    d.submodel = model.path(model.variables[v].origin.instance);
    d.help = "initial values belong to variables that change with time";
    return d;
}

}  // namespace cutset::boundary_messages
