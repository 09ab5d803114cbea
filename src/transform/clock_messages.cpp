#include "transform/clock_messages.h"

#include <fmt/format.h>

#include <utility>

#include "base/message_parts.h"

namespace cutset::clock_messages {

namespace {

Diagnostic of_variable(const FlatModel& model, VariableIndex v, const char* code, const std::string& says,
                       std::string help) {
    return make_error(model.variables[v].origin.where, code, fmt::format("{} {}", model.path(v), says),
                      std::move(help));
}

}  // namespace

Diagnostic do_not_fit(const FlatModel& model, Span where, Span other, VariableIndex member) {
    Diagnostic d =
        make_error(where, "clocks-do-not-fit",
                   fmt::format("by this {} and what ticks with it would tick with two different clocks",
                               model.path(member)),
                   "give one of the clocks only and the ratio to it, or hold the value and sample it anew");
    d.related = {{other, "the other clock"}};
    return d;
}

Diagnostic no_whole_factor(Span where, Span from, Span to, double factor) {
    Diagnostic d = make_error(
        where, "clock-ratio",
        fmt::format("from the clocks on both sides the factor would be {}, which is no whole number", factor),
        "let the interval of one clock be a multiple of the other, or hold the value and sample it anew");
    d.related = {{from, "the clock of the argument"}, {to, "the clock of the result"}};
    return d;
}

Diagnostic ratio_too_large(Span where) {
    return make_error(where, "clock-ratio", "the ratio of this clock to its base clock has numbers above 1e9",
                      "use a clock of its own, with hold and sample between them");
}

Diagnostic no_clock(const FlatModel& model, VariableIndex member) {
    return of_variable(model, member, "no-clock", "is clocked, but no clock says when it ticks",
                       "give it a clock with a period: sample(u, Clock(0.1))");
}

Diagnostic before_start(const FlatModel& model, VariableIndex member) {
    return of_variable(model, member, "clock-before-start", "would tick before its base clock begins",
                       "shift the clock that it is made of first");
}

Diagnostic ratio_of_events(const FlatModel& model, VariableIndex member, Span definition) {
    Diagnostic d =
        of_variable(model, member, "clock-of-events",
                    "ticks at a ratio of a clock whose ticks are events, which have no equal distances",
                    "count events in an equation, or use a clock with a period");
    d.related = {{definition, "the clock"}};
    return d;
}

Diagnostic previous_unclocked(const FlatModel& model, VariableIndex v) {
    return of_variable(
        model, v, "no-clock", "has no clock, but previous() of it is asked for",
        "sample what it is made of: sample(u, Clock(0.1)); of a variable without clock `pre` is "
        "the value before an event");
}

Diagnostic two_solvers(Span where, Span other) {
    Diagnostic d = make_error(where, "two-solvers",
                              "this gives the equations of a clock another solver method than there",
                              "hold and sample between the two parts, or give one method");
    d.related = {{other, "the other method"}};
    return d;
}

Diagnostic derivative(const FlatModel& model, VariableIndex v, const Origin& origin, Span clock) {
    Diagnostic d =
        make_error(origin.where, "clocked-derivative",
                   fmt::format("the derivative of {} stands in an equation that is computed at ticks only",
                               model.path(v)),
                   "give the clock a method, Clock(c, solverMethod = \"ImplicitEuler\"), or keep the "
                   "equation outside of "
                   "the clock: sample() of what comes in, hold() of what goes out");
    d.related = {{clock, "the clock"}};
    return d;
}

Diagnostic derivative_of_sampled(const FlatModel& model, const Equation& constraint) {
    return make_error(constraint.origin.where, "clocked-derivative",
                      fmt::format("`{}` ties states together, so that its derivative is needed, and with it "
                                  "that of a sampled value, which has none",
                                  model.text(constraint)),
                      "let a filter of sufficient order give what is sampled: der(y) = (u - y)/T");
}

Diagnostic states_change(const FlatModel& model, VariableIndex candidate) {
    return of_variable(model, candidate, "clocked-states",
                       "is a state of a clock's equations at times and at others not",
                       "say which: stateSelect = StateSelect.always");
}

Diagnostic initial_of_clocked(const FlatModel& model, const Equation& e) {
    return make_error(e.origin.where, "clocked-initial",
                      fmt::format("the initial equation `{}` is of clocked variables, which have no value "
                                  "before their first tick but their start",
                                  model.text(e)),
                      "give the start value: x(start = …)");
}

Diagnostic too_many_initial(const FlatModel& model, const Equation& e) {
    return make_error(e.origin.where, "clocked-initial",
                      fmt::format("`{}` is one initial equation too many: every state of this clock's "
                                  "equations has one already",
                                  model.text(e)),
                      "take one away, or `fixed = true` of a start value");
}

Diagnostic too_many(const FlatModel& model, const Equation& e) {
    return make_error(
        e.origin.where, "clocked-too-many",
        fmt::format("at a tick all variables of `{}` are determined by other equations", model.text(e)),
        "take one of the equations away");
}

Diagnostic too_few(const FlatModel& model, VariableIndex v) {
    return of_variable(model, v, "clocked-too-few", "is determined by no equation at its ticks",
                       "add an equation for it");
}

}  // namespace cutset::clock_messages
