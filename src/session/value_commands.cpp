// PAR, INIT, INPUT, STATE, UNDO, and values at the prompt: `U`, `EPS=3`, `U(3.2)`, `2+2`.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "session/arithmetic.h"
#include "session/command_text.h"
#include "session/messages.h"
#include "session/values.h"
#include "session/workbench.h"

namespace cutset {

namespace messages = session_messages;

namespace {

using Kind = LiveModel::Kind;

bool is_parameter(const NamedQuantity& variable) {
    return variable.kind == Kind::Parameter || variable.kind == Kind::StructureParameter;
}

// `variable : value`, where `=` will do too.
struct Assignment {
    NamedQuantity variable;
    std::string right;
};

// The places in `arguments` at which `name :` or `name =` begins: several assignments stand behind each
// other.
std::vector<std::size_t> assignment_begins(const Workbench& bench, const std::string& arguments) {
    std::vector<std::size_t> begins;
    TokenReader tokens(arguments);
    while (!tokens.at_end()) {
        const std::size_t place = tokens.place(), begin = tokens.peek().begin;
        if (tokens.peek().kind == CommandToken::Kind::Word && bench.system.names.read(tokens) &&
            (tokens.next_is(':') || tokens.next_is('=')))
            begins.push_back(begin);
        else
            tokens.go_to(place + 1);
    }
    return begins;
}

std::optional<Assignment> read_assignment(Workbench& bench, const std::string& command,
                                          const std::string& arguments, const std::vector<Kind>& wanted,
                                          bool separator = true) {
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

std::optional<std::vector<Assignment>> read_assignments(Workbench& bench, const std::string& command,
                                                        const std::string& arguments,
                                                        const std::vector<Kind>& wanted) {
    std::vector<std::size_t> begins = assignment_begins(bench, arguments);
    if (begins.empty() || begins.front() != 0) begins.insert(begins.begin(), 0);
    std::vector<Assignment> out;
    for (std::size_t k = 0; k < begins.size(); ++k) {
        const std::size_t end = k + 1 < begins.size() ? begins[k + 1] : arguments.size();
        std::string_view part = trimmed(std::string_view(arguments).substr(begins[k], end - begins[k]));
        if (part.ends_with(',')) part.remove_suffix(1);
        auto one = read_assignment(bench, command, std::string(part), wanted);
        if (!one) return std::nullopt;
        out.push_back(std::move(*one));
    }
    return out;
}

template <class Value>
void remember(std::vector<std::pair<std::string, Value>>& list, const std::string& path,
              const std::optional<Value>& value) {
    const auto at =
        std::find_if(list.begin(), list.end(), [&](const auto& entry) { return entry.first == path; });
    if (!value) {
        if (at != list.end()) list.erase(at);
    } else if (at != list.end()) {
        at->second = *value;
    } else {
        list.emplace_back(path, *value);
    }
}
template <class Value>
std::optional<Value> remembered(const std::vector<std::pair<std::string, Value>>& list,
                                const std::string& path) {
    for (const auto& [known, value] : list)
        if (known == path) return value;
    return std::nullopt;
}

// Of the same variable the last one counts.
void tell_change(Workbench& bench, const std::string& command, const NamedQuantity& variable,
                 const std::string& value) {
    const std::string beginning = command + " " + variable.shown + ":";
    for (std::vector<std::string>* list : {&bench.system.changed, &bench.system.changed_in_run}) {
        std::erase_if(*list, [&](const std::string& text) { return text.starts_with(beginning); });
        if (!value.empty()) list->push_back(beginning + value);
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

// A computed variable may be given an initial value where that acts: it is a state under another name, or is
// iterated on, so that its initial value is a guess.
bool start_acts(const Partition& partition, const std::string& path) {
    const FlatModel& model = partition.model;
    std::optional<VariableIndex> found;
    for (VariableIndex v{0}; v < model.variables.end_index() && !found; ++v.value)
        if (model.path(v) == path) found = v;
    if (!found) return false;
    const std::vector<VariableIndex> states = shown_states(partition);
    for (std::size_t steps = 0; steps <= partition.eliminated.size(); ++steps) {
        if (std::find(states.begin(), states.end(), *found) != states.end()) return true;
        const auto at = std::find_if(partition.eliminated.begin(), partition.eliminated.end(),
                                     [&](const Eliminated& e) { return e.variable == *found; });
        if (at == partition.eliminated.end() || !at->alias) break;
        Expr value = at->value;
        if (value->op == Op::Multiply && value->argument_count == 2 && value->arg(0)->is_number(-1))
            value = value->arg(1);
        if (value->op != Op::Variable || value->order != 0) break;
        found = value->variable();
    }
    for (const auto* blocks : {&partition.blocks, &partition.initial_blocks})
        for (const Block& block : *blocks)
            for (const Unknown& unknown : block.torn)
                if (block.kind == BlockKind::Nonlinear && unknown.variable == *found && unknown.order == 0)
                    return true;
    return false;
}

// The INIT variable that an external system has for one of its states: the same one in the order of their
// declarations. Nothing where the system has none.
std::optional<std::string> init_variable_of(const Workbench& bench, const std::string& path) {
    for (const SystemSummary& system : bench.system.live->systems()) {
        std::vector<std::string> states, inits;
        for (const SystemSummary::Variable& variable : system.variables) {
            if (variable.role == SystemRole::State) states.push_back(path_in(system, variable.name));
            if (variable.role == SystemRole::Initial) inits.push_back(path_in(system, variable.name));
        }
        const auto at = std::find(states.begin(), states.end(), path);
        if (at == states.end()) continue;
        const auto place = static_cast<std::size_t>(at - states.begin());
        if (place < inits.size() && inits[place] != path) return inits[place];
    }
    return std::nullopt;
}

bool is_init_variable(const Workbench& bench, const std::string& path) {
    for (const SystemSummary& system : bench.system.live->systems())
        for (const SystemSummary::Variable& variable : system.variables)
            if (variable.role == SystemRole::Initial && path_in(system, variable.name) == path) return true;
    return false;
}

// The role that a Simnon system gives it; nothing for variables of other languages.
std::optional<SystemRole> role_of(const Workbench& bench, const std::string& path) {
    if (!bench.system.simnon) return std::nullopt;
    for (const SystemSummary& system : bench.system.live->systems())
        for (const SystemSummary::Variable& variable : system.variables)
            if (path_in(system, variable.name) == path) return variable.role;
    return std::nullopt;
}

bool may_start(const Workbench& bench, const NamedQuantity& variable) {
    if (const auto role = role_of(bench, variable.path))
        return role == SystemRole::State || role == SystemRole::SampleTime ||
               (role == SystemRole::Output && variable.kind == Kind::Discrete);
    return variable.kind != Kind::Other || start_acts(bench.system.live->partition(), variable.path);
}

// ---- changes, with what they were before

bool change_parameter(Workbench& bench, const std::string& command, const NamedQuantity& variable,
                      double value) {
    ActiveSystem& system = bench.system;
    Diagnostics diagnostics;
    ValueChange change;
    change.kind = ValueChange::Kind::Parameter;
    change.variable = variable;
    change.command = command;
    change.group = bench.lines;
    Diagnostics ignored;
    change.before = system.live->value(variable.path, ignored);
    change.remembered = remembered(system.parameters, variable.path);
    const bool done = system.live->set_parameter(variable.path, value, diagnostics);
    if (done) {
        if (!change.remembered && change.before) system.of_text.emplace(variable.path, *change.before);
        remember(system.parameters, variable.path, std::optional(value));
        tell_change(bench, command, variable, shortest_number(value));
        bench.changes.push_back(std::move(change));
    }
    return finish(bench, done, diagnostics);
}

bool change_initial(Workbench& bench, const NamedQuantity& variable, double value) {
    ActiveSystem& system = bench.system;
    Diagnostics diagnostics;
    ValueChange change;
    change.kind = ValueChange::Kind::Initial;
    change.variable = variable;
    change.command = "INIT";
    change.group = bench.lines;
    change.before = system.live->initial(variable.path);
    change.remembered = remembered(system.initials, variable.path);
    const bool done = system.live->set_initial(variable.path, value, diagnostics);
    if (done) {
        if (!change.remembered && change.before) system.of_text.emplace(variable.path, *change.before);
        remember(system.initials, variable.path, std::optional(value));
        tell_change(bench, "INIT", variable, shortest_number(value));
        bench.changes.push_back(std::move(change));
    }
    return finish(bench, done, diagnostics);
}

bool change_input(Workbench& bench, const NamedQuantity& variable, const std::string& expression) {
    ActiveSystem& system = bench.system;
    Diagnostics diagnostics;
    ValueChange change;
    change.kind = ValueChange::Kind::Input;
    change.variable = variable;
    change.command = "INPUT";
    change.group = bench.lines;
    change.input = remembered(system.inputs, variable.path);
    const bool done = system.live->set_input(variable.path, expression, diagnostics);
    if (done) {
        remember(system.inputs, variable.path, std::optional(expression));
        tell_change(bench, "INPUT", variable, expression);
        bench.changes.push_back(std::move(change));
    }
    return finish(bench, done, diagnostics);
}

}  // namespace

bool set_parameter(Workbench& bench, const NamedQuantity& variable, double value) {
    if (!is_parameter(variable))
        return bench.fail(messages::not_a_parameter(variable.shown, kind_name(variable.kind),
                                                    variable.kind == Kind::State   ? "INIT"
                                                    : variable.kind == Kind::Input ? "INPUT"
                                                                                   : ""));
    return change_parameter(bench, is_init_variable(bench, variable.path) ? "INIT" : "PAR", variable, value);
}

bool set_initial(Workbench& bench, const NamedQuantity& variable, double value) {
    if (is_parameter(variable) && is_init_variable(bench, variable.path))
        return change_parameter(bench, "INIT", variable, value);
    if (is_parameter(variable) || variable.kind == Kind::Input)
        return bench.fail(messages::not_a_state(variable.shown, kind_name(variable.kind),
                                                variable.kind == Kind::Input ? "INPUT" : "PAR"));
    if (bench.system.computed_starts.contains(variable.path))
        return bench.fail(messages::start_is_computed(variable.shown));
    if (const auto init = init_variable_of(bench, variable.path)) {
        const NamedQuantity of_state{*init, bench.system.names.shown(*init), Kind::Parameter};
        return change_parameter(bench, "INIT", of_state, value);
    }
    if (!may_start(bench, variable))
        return bench.fail(
            messages::no_start(variable.shown, bench.system.names.spellings({Kind::State}, true)));
    return change_initial(bench, variable, value);
}

namespace {

// As it was before that change.
bool revert(Workbench& bench, const ValueChange& change) {
    ActiveSystem& system = bench.system;
    Diagnostics diagnostics;
    bool done = false;
    std::string told;
    switch (change.kind) {
        case ValueChange::Kind::Parameter:
            if (!change.before) return bench.fail(messages::cannot_undo(change.variable.shown));
            done = system.live->set_parameter(change.variable.path, *change.before, diagnostics);
            if (done) remember(system.parameters, change.variable.path, change.remembered);
            told = shortest_number(*change.before);
            break;
        case ValueChange::Kind::Initial:
            if (!change.before) return bench.fail(messages::cannot_undo(change.variable.shown));
            done = system.live->set_initial(change.variable.path, *change.before, diagnostics);
            if (done) remember(system.initials, change.variable.path, change.remembered);
            told = shortest_number(*change.before);
            break;
        case ValueChange::Kind::Input:
            if (!change.input) return bench.fail(messages::cannot_undo(change.variable.shown));
            done = system.live->set_input(change.variable.path, *change.input, diagnostics);
            if (done) remember(system.inputs, change.variable.path, change.input);
            told = *change.input;
            break;
    }
    if (done) {
        const bool as_in_text = change.kind != ValueChange::Kind::Input && !change.remembered;
        tell_change(bench, change.command, change.variable, as_in_text ? "" : told);
    }
    return finish(bench, done, diagnostics);
}

std::string change_text(const ValueChange& change, const std::string& value) {
    return change.command + " " + change.variable.shown + ":" + value;
}

}  // namespace

bool set_all(Workbench& bench, const std::vector<NewValue>& values) {
    const std::size_t before = bench.changes.size();
    for (const NewValue& next : values) {
        if (next.set(bench, next.variable, next.value)) continue;
        while (bench.changes.size() > before) {
            revert(bench, bench.changes.back());
            bench.changes.pop_back();
        }
        return false;
    }
    return true;
}

namespace {

bool assign_all(Workbench& bench, const std::vector<Assignment>& assignments,
                bool (*set)(Workbench&, const NamedQuantity&, double)) {
    std::vector<NewValue> values;
    for (const Assignment& assignment : assignments) {
        const auto value = bench.expression(assignment.right);
        if (!value) return false;
        values.push_back({assignment.variable, *value, set});
    }
    return set_all(bench, values);
}

}  // namespace

bool command_par(Workbench& bench, const std::string& arguments) {
    if (!bench.has_system()) return false;
    const auto assignments =
        read_assignments(bench, "PAR", arguments, {Kind::Parameter, Kind::StructureParameter});
    if (!assignments) return false;
    return assign_all(bench, *assignments, set_parameter);
}

bool command_init(Workbench& bench, const std::string& arguments) {
    if (!bench.has_system()) return false;
    const auto assignments = read_assignments(bench, "INIT", arguments, {Kind::State, Kind::Discrete});
    if (!assignments) return false;
    return assign_all(bench, *assignments, set_initial);
}

bool command_input(Workbench& bench, const std::string& arguments) {
    if (!bench.has_system()) return false;
    const auto assignment = read_assignment(bench, "INPUT", arguments, {Kind::Input}, false);
    if (!assignment) return false;
    const NamedQuantity& variable = assignment->variable;
    if (variable.kind != Kind::Input)
        return bench.fail(messages::not_an_input(variable.shown, kind_name(variable.kind)));
    return change_input(bench, variable, in_small_letters(assignment->right));
}

bool command_state(Workbench& bench, const std::string& arguments) {
    if (!bench.has_system()) return false;
    const auto assignment = read_assignment(bench, "STATE", arguments, {Kind::State, Kind::Discrete}, false);
    if (!assignment) return false;
    if (!bench.system.live->started()) return bench.fail(messages::no_run_stands("STATE"));
    const auto value = bench.expression(assignment->right);
    if (!value) return false;
    Diagnostics diagnostics;
    const bool done = bench.system.live->set_state(assignment->variable.path, *value, diagnostics);
    return finish(bench, done, diagnostics);
}

bool command_undo(Workbench& bench, const std::string& arguments) {
    if (!bench.has_system()) return false;
    if (!arguments.empty()) return bench.fail(messages::no_arguments("UNDO"));
    if (bench.changes.empty()) return bench.fail(messages::nothing_to_undo());
    const std::size_t group = bench.changes.back().group;
    while (!bench.changes.empty() && bench.changes.back().group == group) {
        const ValueChange change = std::move(bench.changes.back());
        bench.changes.pop_back();
        if (!revert(bench, change)) return false;
        const std::string value =
            change.kind == ValueChange::Kind::Input ? *change.input : shortest_number(*change.before);
        bench.print("BACK: " + change_text(change, value));
    }
    return true;
}

// ---- at the prompt

namespace {

// Enough digits to tell values apart, none that are noise.
std::string prompt_number(double value) {
    return fmt::format("{:.7g}", value == 0 ? 0.0 : value);
}

bool assign_at_prompt(Workbench& bench, const Assignment& assignment) {
    const NamedQuantity& variable = assignment.variable;
    if (variable.kind == Kind::Input)
        return change_input(bench, variable, in_small_letters(assignment.right));
    return assign_all(bench, {assignment}, is_parameter(variable) ? set_parameter : set_initial);
}

}  // namespace

bool is_value_line(const Workbench& bench, std::string_view text) {
    TokenReader tokens(text);
    const CommandToken& first = tokens.peek();
    // Arithmetic: `2+2`, `(1+U)/3`, `-U`, `SIN(1)`.
    const bool sign = first.is('-') || first.is('+');
    if (first.kind == CommandToken::Kind::Number || first.is('(') ||
        (sign && tokens.peek(1).kind != CommandToken::Kind::Delimiter))
        return true;
    if (first.kind != CommandToken::Kind::Word) return false;
    if (tokens.peek(1).is('(') && is_function_name(first.text)) return true;
    if (!bench.system.live) return false;
    const auto written = bench.system.names.read(tokens);
    std::optional<Diagnostic> problem;
    if (!written || !bench.system.names.find(*written, {}, problem)) return false;
    const CommandToken& next = tokens.peek();
    if (tokens.at_end() || next.is(':') || next.is('=') || next.is('*') || next.is('/') || next.is('^') ||
        next.is('+') || next.is('-'))
        return true;
    // `U(3.2)`, at a time of the last run.
    return next.is('(') && tokens.adjacent();
}

bool run_value_line(Workbench& bench, const std::string& text) {
    TokenReader tokens(text);
    if (bench.system.live && tokens.peek().kind == CommandToken::Kind::Word) {
        const auto written = bench.system.names.read(tokens);
        if (written && (tokens.next_is(':') || tokens.next_is('='))) {
            const auto assignment = read_assignment(
                bench, "PAR", text, {Kind::Parameter, Kind::StructureParameter, Kind::State, Kind::Input});
            return assignment && assign_at_prompt(bench, *assignment);
        }
        std::optional<Diagnostic> problem;
        const auto variable =
            written && tokens.at_end() ? bench.system.names.find(*written, {}, problem) : std::nullopt;
        if (variable) {
            const auto value = bench.value(*variable);
            if (!value) return false;
            const std::string unit = bench.unit_of(variable->path);
            bench.print(variable->shown + " = " + prompt_number(*value) + (unit.empty() ? "" : " " + unit));
            return true;
        }
    }
    const auto value = bench.expression(text);
    if (!value) return false;
    bench.print(prompt_number(*value));
    return true;
}

std::vector<std::string> changes_of(const Workbench& bench) {
    const ActiveSystem& system = bench.system;
    std::vector<std::string> lines;
    const auto add = [&](const std::string& command, const std::string& path, const std::string& value) {
        std::string line = command + " " + system.names.shown(path) + ":" + value;
        if (const auto text = system.of_text.find(path); text != system.of_text.end())
            line = fmt::format("{:<30} \" {} IN THE TEXT", line, shortest_number(text->second));
        lines.push_back(std::move(line));
    };
    const auto differs = [&](const std::string& path, double value) {
        const auto text = system.of_text.find(path);
        return text == system.of_text.end() || text->second != value;
    };
    for (const auto& [path, value] : system.parameters)
        if (differs(path, value))
            add(is_init_variable(bench, path) ? "INIT" : "PAR", path, shortest_number(value));
    for (const auto& [path, value] : system.initials)
        if (differs(path, value)) add("INIT", path, shortest_number(value));
    for (const auto& [path, text] : system.inputs) add("INPUT", path, text);
    return lines;
}

bool display_changes(Workbench& bench) {
    std::string out;
    for (const std::string& line : changes_of(bench)) out += (out.empty() ? "" : "\n") + line;
    bench.print(out.empty() ? "NOTHING DIFFERS FROM THE TEXT" : out);
    return true;
}

}  // namespace cutset
