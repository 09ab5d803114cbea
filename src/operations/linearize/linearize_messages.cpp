#include "operations/linearize/linearize_messages.h"

#include <fmt/format.h>

namespace cutset::linearize_messages {

Diagnostic input_differentiated(const FlatModel& model, VariableIndex input, EquationIndex equation) {
    Diagnostic d;
    const Equation& e = model.equations[equation];
    d.code = "input-differentiated";
    d.where = e.origin.where;
    d.submodel = model.path(e.origin.instance);
    d.message =
        fmt::format("the derivative of the input {} acts on the model, so A, B, C and D do not describe it",
                    model.path(input));
    d.details.push_back("differentiated: " + model.text(e));
    d.help = fmt::format("--descriptor gives the form E x' = A x + B u, or let {} pass a small lag first",
                         model.path(input));
    return d;
}

Diagnostic has_delay(const FlatModel& model, const Equation& equation, Expr delay) {
    Diagnostic d;
    d.code = "linear-delay";
    d.where = equation.origin.where;
    d.submodel = model.path(equation.origin.instance);
    d.message = fmt::format("{} is a delay, which no matrices A, B, C and D describe",
                            to_text(delay, model.printer()));
    d.help =
        "replace it by a few lags in a row, or write the transfer function with exp(-T*s) and give it to the "
        "command by --tf";
    return d;
}

Diagnostic sampled_are_held(const FlatModel& model, const std::vector<VariableIndex>& sampled) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "sampled-held";
    std::string names;
    for (VariableIndex v : sampled) names += (names.empty() ? "" : ", ") + model.path(v);
    d.message =
        fmt::format("{} sampled: this is the continuous part alone, with {} held",
                    names + (sampled.size() == 1 ? " is" : " are"), sampled.size() == 1 ? "it" : "them");
    d.help = "simulate to see the loop with its samples";
    return d;
}

Diagnostic at_corner(const FlatModel& model, const Switch& condition) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "at-corner";
    d.where = condition.origin.where;
    d.submodel = model.path(condition.origin.instance);
    d.message = fmt::format("{} switches exactly at this operating point: the slope of one side is taken",
                            to_text(condition.node, model.printer()));
    d.help = "the other side may differ; linearise at a point a little to either side";
    return d;
}

Diagnostic infinite_slope(const FlatModel& model, const InfiniteSlope& slope) {
    Diagnostic d;
    const Equation& e = model.equations[slope.equation];
    const std::string name = model.path(slope.variable);
    d.code = "not-differentiable";
    d.where = e.origin.where;
    d.submodel = model.path(e.origin.instance);
    d.message = fmt::format(
        "the model has no linearisation at this point: the derivative of {} by {} is infinite at {} = {:.3g}",
        model.text(e), name, name, slope.value);
    d.help = fmt::format(
        "choose a point with another {}, by --at or other inputs and start values; or let the law be smooth "
        "there, such "
        "as sqrt({} + small)",
        name, name);
    return d;
}

Diagnostic no_value(const FlatModel& model, EquationIndex equation, VariableIndex variable) {
    Diagnostic d;
    const Equation& e = model.equations[equation];
    d.code = "not-differentiable";
    d.where = e.origin.where;
    d.submodel = model.path(e.origin.instance);
    d.message = fmt::format("the derivative of {} by {} has no value at the operating point", model.text(e),
                            model.path(variable));
    d.help = "choose another operating point, or leave out --descriptor";
    return d;
}

Diagnostic not_square(const FlatModel& model, std::size_t equations, std::size_t variables) {
    Diagnostic d;
    d.code = "not-square";
    d.message = fmt::format("{} has {} equations for {} variables", model.name, equations, variables);
    d.help = "`cutset check` says which are too many or missing";
    return d;
}

Diagnostic no_steady_state(const std::string& reason) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "no-steady-state";
    d.message = "no steady state was found, so the model is linearised at its start";
    if (!reason.empty()) d.details.push_back(reason);
    d.help = "--at start, --at time=T or --at FILE chooses the point";
    return d;
}

Diagnostic bad_point(const std::string& text, const std::string& problem) {
    Diagnostic d;
    d.code = "bad-point";
    d.message = fmt::format("--at {}: {}", text, problem);
    d.help =
        "--at steady, --at start, --at time=5, --at point.json (from `cutset steady -o`), --at run.csv (its "
        "last "
        "row) or --at run.csv@5 (its values at time 5)";
    return d;
}

Diagnostic point_lacks(const std::string& file, const std::vector<std::string>& states) {
    Diagnostic d;
    d.code = "bad-point";
    std::string names;
    for (std::size_t i = 0; i < states.size() && i < 8; ++i) names += (i ? ", " : "") + states[i];
    if (states.size() > 8) names += fmt::format(" and {} more", states.size() - 8);
    d.message = fmt::format("{} has no value of the state{} {}", file, states.size() == 1 ? "" : "s", names);
    d.help = "an operating point needs the value of every state";
    return d;
}

Diagnostic input_taken_zero(const std::vector<std::string>& inputs) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "input-zero";
    std::string names;
    for (std::size_t i = 0; i < inputs.size() && i < 8; ++i) names += (i ? ", " : "") + inputs[i];
    d.message = fmt::format("no value was given for the input{} {}: 0 is taken",
                            inputs.size() == 1 ? "" : "s", names);
    d.help = fmt::format("--input {}=VALUE sets the operating point", inputs[0]);
    return d;
}

Diagnostic no_states(const std::string& model) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "no-states";
    d.message = fmt::format("{} has no states: only D is left", model);
    return d;
}

Diagnostic not_steady(const std::string& state, double rate) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "not-steady";
    d.message = fmt::format(
        "the model moves at this point (der({}) = {:.4g}): the linear system describes deviations "
        "from that motion",
        state, rate);
    return d;
}

Diagnostic too_large_for_symbols(std::size_t states, std::size_t most) {
    Diagnostic d;
    d.code = "too-large";
    d.message = fmt::format("--symbolic is for models with at most {} states; this one has {}", most, states);
    d.help = "leave out --symbolic for the numbers";
    return d;
}

Diagnostic symbolic_loop(std::size_t unknowns, std::size_t most) {
    Diagnostic d;
    d.code = "too-large";
    d.message = fmt::format(
        "a loop of {} iterated unknowns is too large to be solved by formula (at most {})", unknowns, most);
    d.help = "leave out --symbolic for the numbers; `cutset check --loops` shows the loop";
    return d;
}

}  // namespace cutset::linearize_messages
