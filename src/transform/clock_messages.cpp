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

Diagnostic do_not_fit(const FlatModel&, Span where, Span other) {
    Diagnostic d = make_error(
        where, "clocks-do-not-fit", "by this the same variables would tick with two different clocks",
        "give one of the clocks only and the ratio to it, or hold the value and sample it anew");
    d.related = {{other, "the other clock"}};
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

Diagnostic derivative(const FlatModel& model, VariableIndex v, const Origin& origin) {
    return make_error(
        origin.where, "clocked-derivative",
        fmt::format("the derivative of {} stands in an equation that is computed at ticks only",
                    model.path(v)),
        "write the difference equation, with previous(), or keep the equation outside of the clock");
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
