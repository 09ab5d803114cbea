// PAR, INIT, INPUT, STATE.
#include <algorithm>

#include "session/arithmetic.h"
#include "session/command_text.h"
#include "session/messages.h"
#include "session/values.h"
#include "session/workbench.h"

namespace cutset {

namespace messages = session_messages;

namespace {

using Kind = LiveModel::Kind;

struct Assignment {
    NamedQuantity variable;
    std::string right;
};

// `variable : value`, where `=` will do too.
std::optional<Assignment> read_assignment(Workbench& bench, const std::string& command,
                                          const std::string& arguments, const std::vector<Kind>& wanted,
                                          bool separator = true) {
    if (!bench.has_system()) return std::nullopt;
    TokenReader tokens(arguments);
    if (tokens.at_end()) {
        bench.fail(messages::assignment_form(command));
        return std::nullopt;
    }
    const auto variable = bench.variable(tokens, wanted);
    if (!variable) return std::nullopt;
    const bool separated = tokens.take(':') || tokens.take('=');
    if ((separator && !separated) || tokens.at_end()) {
        bench.fail(messages::assignment_form(command));
        return std::nullopt;
    }
    return Assignment{*variable, tokens.rest()};
}

template <class Value>
void remember(std::vector<std::pair<std::string, Value>>& list, const std::string& path, const Value& value) {
    for (auto& [p, v] : list)
        if (p == path) {
            v = value;
            return;
        }
    list.emplace_back(path, value);
}

// Of the same variable the last one counts.
void tell_change(Workbench& bench, const std::string& command, const NamedQuantity& variable,
                 const std::string& value) {
    const std::string beginning = command + " " + variable.shown + ":";
    for (std::vector<std::string>* list : {&bench.system.changed, &bench.system.changed_in_run}) {
        std::erase_if(*list, [&](const std::string& text) { return text.starts_with(beginning); });
        list->push_back(beginning + value);
    }
}

const char* kind_name(Kind kind) {
    switch (kind) {
        case Kind::Parameter:
        case Kind::StructureParameter:
            return "a parameter";
        case Kind::Input:
            return "an input";
        case Kind::State:
            return "a state";
        case Kind::Discrete:
            return "a discrete variable";
        case Kind::Other:
            break;
    }
    return "a computed variable";
}

bool finish(Workbench& bench, bool done, const Diagnostics& diagnostics) {
    if (!diagnostics.all().empty()) bench.report(diagnostics, bench.system.workspace->text.sources());
    return done;
}

}  // namespace

bool set_parameter(Workbench& bench, const NamedQuantity& variable, double value) {
    if (variable.kind != Kind::Parameter && variable.kind != Kind::StructureParameter)
        return bench.fail(messages::not_a_parameter(variable.shown, kind_name(variable.kind),
                                                    variable.kind == Kind::State   ? "INIT"
                                                    : variable.kind == Kind::Input ? "INPUT"
                                                                                   : ""));
    Diagnostics diagnostics;
    const bool done = bench.system.live->set_parameter(variable.path, value, diagnostics);
    if (done) {
        remember(bench.system.parameters, variable.path, value);
        tell_change(bench, "PAR", variable, shortest_number(value));
    }
    return finish(bench, done, diagnostics);
}

bool set_initial(Workbench& bench, const NamedQuantity& variable, double value) {
    if (variable.kind == Kind::Parameter || variable.kind == Kind::StructureParameter ||
        variable.kind == Kind::Input)
        return bench.fail(messages::not_a_state(variable.shown, kind_name(variable.kind),
                                                variable.kind == Kind::Input ? "INPUT" : "PAR"));
    if (bench.system.computed_starts.contains(variable.path))
        return bench.fail(messages::start_is_computed(variable.shown));
    Diagnostics diagnostics;
    const bool done = bench.system.live->set_initial(variable.path, value, diagnostics);
    if (done) {
        remember(bench.system.initials, variable.path, value);
        tell_change(bench, "INIT", variable, shortest_number(value));
    }
    return finish(bench, done, diagnostics);
}

bool command_par(Workbench& bench, const std::string& arguments) {
    const auto assignment =
        read_assignment(bench, "PAR", arguments, {Kind::Parameter, Kind::StructureParameter});
    if (!assignment) return false;
    const auto value = bench.expression(assignment->right);
    return value && set_parameter(bench, assignment->variable, *value);
}

bool command_init(Workbench& bench, const std::string& arguments) {
    const auto assignment = read_assignment(bench, "INIT", arguments, {Kind::State, Kind::Discrete});
    if (!assignment) return false;
    const auto value = bench.expression(assignment->right);
    return value && set_initial(bench, assignment->variable, *value);
}

bool command_input(Workbench& bench, const std::string& arguments) {
    const auto assignment = read_assignment(bench, "INPUT", arguments, {Kind::Input}, false);
    if (!assignment) return false;
    const NamedQuantity& variable = assignment->variable;
    if (variable.kind != Kind::Input)
        return bench.fail(messages::not_an_input(variable.shown, kind_name(variable.kind)));
    Diagnostics diagnostics;
    const std::string expression = in_small_letters(assignment->right);
    const bool done = bench.system.live->set_input(variable.path, expression, diagnostics);
    if (done) {
        remember(bench.system.inputs, variable.path, expression);
        tell_change(bench, "INPUT", variable, expression);
    }
    return finish(bench, done, diagnostics);
}

bool command_state(Workbench& bench, const std::string& arguments) {
    const auto assignment = read_assignment(bench, "STATE", arguments, {Kind::State, Kind::Discrete}, false);
    if (!assignment) return false;
    if (!bench.system.live->started()) return bench.fail(messages::no_run_stands("STATE"));
    const auto value = bench.expression(assignment->right);
    if (!value) return false;
    Diagnostics diagnostics;
    const bool done = bench.system.live->set_state(assignment->variable.path, *value, diagnostics);
    return finish(bench, done, diagnostics);
}

}  // namespace cutset
