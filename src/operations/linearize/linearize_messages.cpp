#include "operations/linearize/linearize_messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::linearize_messages {

Diagnostic input_differentiated(const FlatModel& model, VariableIndex input, EquationIndex equation) {
    const Equation& e = model.equations[equation];
    Diagnostic d = make_error(
        e.origin.where, "input-differentiated",
        fmt::format("the derivative of the input {} acts on the model, so A, B, C and D do not describe it",
                    model.path(input)),
        fmt::format("--descriptor gives the form E x' = A x + B u, or let {} pass a small lag first",
                    model.path(input)));
    d.submodel = model.path(e.origin.instance);
    d.details.push_back("differentiated: " + model.text(e));
    return d;
}

Diagnostic has_delay(const FlatModel& model, const Equation& equation, Expr delay) {
    Diagnostic d = make_error(
        equation.origin.where, "linear-delay",
        fmt::format("{} is a delay, which no matrices A, B, C and D describe",
                    to_text(delay, model.printer())),
        "replace it by a few lags in a row, or write the transfer function with exp(-T*s) and give it to the "
        "command by --tf");
    d.submodel = model.path(equation.origin.instance);
    return d;
}

Diagnostic sampled_are_held(const FlatModel& model, const std::vector<VariableIndex>& sampled) {
    std::string names;
    for (VariableIndex v : sampled) names += (names.empty() ? "" : ", ") + model.path(v);
    return make_note(
        "sampled-held",
        fmt::format("{} sampled: this is the continuous part alone, with {} held",
                    names + (sampled.size() == 1 ? " is" : " are"), sampled.size() == 1 ? "it" : "them"),
        "simulate to see the loop with its samples");
}

Diagnostic at_corner(const FlatModel& model, const Switch& condition) {
    Diagnostic d = make_warning(
        condition.origin.where, "at-corner",
        fmt::format("{} switches exactly at this operating point: the slope of one side is taken",
                    to_text(condition.node, model.printer())),
        "the other side may differ; linearise at a point a little to either side");
    d.submodel = model.path(condition.origin.instance);
    return d;
}

Diagnostic infinite_slope(const FlatModel& model, const InfiniteSlope& slope) {
    const Equation& e = model.equations[slope.equation];
    const std::string name = model.path(slope.variable);
    Diagnostic d = make_error(e.origin.where, "not-differentiable",
                              fmt::format("the model has no linearisation at this point: the derivative of "
                                          "{} by {} is infinite at {} = {:.3g}",
                                          model.text(e), name, name, slope.value),
                              fmt::format("choose a point with another {}, by --at or other inputs and start "
                                          "values; or let the law be smooth "
                                          "there, such "
                                          "as sqrt({} + small)",
                                          name, name));
    d.submodel = model.path(e.origin.instance);
    return d;
}

Diagnostic no_value(const FlatModel& model, EquationIndex equation, VariableIndex variable) {
    const Equation& e = model.equations[equation];
    Diagnostic d = make_error(e.origin.where, "not-differentiable",
                              fmt::format("the derivative of {} by {} has no value at the operating point",
                                          model.text(e), model.path(variable)),
                              "choose another operating point, or leave out --descriptor");
    d.submodel = model.path(e.origin.instance);
    return d;
}

Diagnostic not_square(const FlatModel& model, std::size_t equations, std::size_t variables) {
    return make_error("not-square",
                      fmt::format("{} has {} equations for {} variables", model.name, equations, variables),
                      "`cutset check` says which are too many or missing");
}

Diagnostic no_steady_state(const std::string& reason) {
    Diagnostic d =
        make_note("no-steady-state", "no steady state was found, so the model is linearised at its start",
                  "--at start, --at time=T or --at FILE chooses the point");
    if (!reason.empty()) d.details.push_back(reason);
    return d;
}

Diagnostic bad_point(const std::string& text, const std::string& problem) {
    return make_error(
        "bad-point", fmt::format("--at {}: {}", text, problem),
        "--at steady, --at start, --at time=5, --at point.json (from `cutset steady -o`), --at run.csv (its "
        "last "
        "row) or --at run.csv@5 (its values at time 5)");
}

Diagnostic point_lacks(const std::string& file, const std::vector<std::string>& states) {
    return make_error(
        "bad-point",
        fmt::format("{} has no value of the state{} {}", file, plural(states.size()), name_list(states, 8)),
        "an operating point needs the value of every state");
}

Diagnostic input_taken_zero(const std::vector<std::string>& inputs) {
    std::string names;
    for (std::size_t i = 0; i < inputs.size() && i < 8; ++i) names += (i ? ", " : "") + inputs[i];
    return make_note(
        "input-zero",
        fmt::format("no value was given for the input{} {}: 0 is taken", plural(inputs.size()), names),
        fmt::format("--input {}=VALUE sets the operating point", inputs[0]));
}

Diagnostic no_states(const std::string& model) {
    return make_note("no-states", fmt::format("{} has no states: only D is left", model));
}

Diagnostic not_steady(const std::string& state, double rate) {
    return make_note(
        "not-steady",
        fmt::format(
            "the model moves at this point (der({}) = {:.4g}): the linear system describes deviations "
            "from that motion",
            state, rate));
}

Diagnostic too_large_for_symbols(std::size_t states, std::size_t most) {
    return make_error(
        "too-large",
        fmt::format("--symbolic is for models with at most {} states; this one has {}", most, states),
        "leave out --symbolic for the numbers");
}

Diagnostic symbolic_loop(std::size_t unknowns, std::size_t most) {
    return make_error(
        "too-large",
        fmt::format("a loop of {} tearing variables is too large to be solved by formula (at most {})",
                    unknowns, most),
        "leave out --symbolic for the numbers; `cutset check --loops` shows the loop");
}

}  // namespace cutset::linearize_messages
