#include "export/emit_messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::emit_messages {

namespace {

Diagnostic refused(Span where, std::string message, std::string help) {
    return make_error(where, "not-translated", std::move(message), std::move(help));
}

}  // namespace

Diagnostic second_derivative(TargetLanguage language, const std::string& callee, Span where) {
    return refused(
        where,
        fmt::format("the equations need a second derivative of {}, which the {} program cannot compute",
                    callee, entry_of(language).title),
        "`cutset simulate` can; or replace it by formulas");
}

Diagnostic impure(TargetLanguage language, const FunctionData& function) {
    return refused(function.origin.where,
                   fmt::format("function {} is impure; the {} program would call it at other times",
                               function.name, entry_of(language).title),
                   "`cutset simulate` can run the model");
}

Diagnostic held(TargetLanguage language, const FlatModel& model, const Switch& s, double time) {
    return refused(s.origin.where,
                   fmt::format("from time {:.9g} on {} is held where it switches (friction that sticks, a "
                               "relay without hysteresis), which the {} program cannot do",
                               time, to_text(s.node, model.printer()), entry_of(language).title),
                   "`cutset simulate` can; a slope instead of the step, such as tanh(v/v0) for sign(v), or "
                   "hysteresis lets the program run");
}

Diagnostic other_mode(TargetLanguage language, double time) {
    return refused(
        {},
        fmt::format("at time {:.9g} the equations of all modes together cannot go on (ideal switches "
                    "that change which variables are states, or no solution); the {} program has "
                    "none of another mode",
                    time, entry_of(language).title),
        "`cutset simulate` makes those of the others; a small resistance and conductance of the "
        "switches and diodes (Ron=1e-3, Goff=1e-6) lets the program run");
}

Diagnostic routine_of_program(TargetLanguage language, const FunctionData& function) {
    return refused(function.origin.where,
                   fmt::format("function {} is a routine of Cutset itself, which the {} program has not",
                               function.name, entry_of(language).title),
                   "`cutset simulate` can run the model");
}

Diagnostic equality_event(TargetLanguage language, const FlatModel& model, const Switch& s) {
    return refused(
        s.origin.where,
        fmt::format("{}: an equality of quantities that vary continuously cannot be located by the {} "
                    "program",
                    to_text(s.node, model.printer()), entry_of(language).title),
        "compare with < or > instead");
}

Diagnostic implicit_new(TargetLanguage language, const FlatModel& model, const WhenAssign& action) {
    return refused(
        action.origin.where,
        fmt::format("the equation for new({}) is not solved by formula; the {} program cannot solve it",
                    model.path(action.target), entry_of(language).title),
        "write `new(…) = …`");
}

Diagnostic restarted_candidate(TargetLanguage language, const FlatModel& model, VariableIndex v, Span where) {
    return refused(
        where,
        fmt::format("reinit({}): constraints tie {} to other variables, and which of them are states "
                    "changes during the run; the {} program cannot restart such a variable",
                    model.path(v), model.path(v), entry_of(language).title),
        "`state` in front of a variable makes it a state wherever that is possible");
}

Diagnostic loop_not_solved(const FlatModel& model, const Block& block) {
    std::string unknowns;
    for (const Unknown& u : block.torn)
        unknowns += (unknowns.empty() ? "" : ", ") + model.path(u.variable) + (u.order ? "'" : "");
    for (const SolvedEquation& s : block.inner)
        unknowns += ", " + model.path(s.unknown.variable) + (s.unknown.order ? "'" : "");
    Span where;
    if (!block.residuals.empty()) {
        const ResidualEquation& r = block.residuals[0];
        where =
            (r.from_initial ? model.initial_equations[r.equation] : model.equations[r.equation]).origin.where;
    }
    Diagnostic d = refused(
        where,
        block.size() == 1
            ? fmt::format("no formula gives {}; Simnon has no equation solver", unknowns)
            : fmt::format("{} must be solved together, and no formula does; Simnon has no equation solver",
                          unknowns),
        "a state in the loop (a small capacitance or mass) breaks it; C and Fortran programs solve it");
    for (const ResidualEquation& r : block.residuals)
        d.details.push_back("0 = " + to_text(r.residual, model.printer()));
    return d;
}

Diagnostic not_in_simnon(const FlatModel& model, const std::string& what, const Origin& origin) {
    Diagnostic d =
        refused(origin.where, fmt::format("Simnon has no {}", what), "translate to C or Fortran instead");
    d.submodel = model.path(origin.instance);
    return d;
}

}  // namespace cutset::emit_messages
