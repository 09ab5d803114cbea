// SAVE and GET: values of parameters and initial values as a text,
//     [SYSTEM]
//     NAME:NUMBER
#include <algorithm>

#include "session/command_text.h"
#include "session/edit_file.h"
#include "session/messages.h"
#include "session/values.h"
#include "session/workbench.h"

namespace cutset {

namespace messages = session_messages;

namespace {

using Kind = LiveModel::Kind;

bool looks_saved(std::string_view text) {
    for (const std::string& line : lines_of(text)) {
        const std::string_view content = without_comment(line);
        if (!content.empty()) return content[0] == '[';
    }
    return true;
}

std::string with_ending(const std::string& name) {
    const std::size_t slash = name.rfind('/');
    const std::size_t dot = name.rfind('.');
    const bool has = dot != std::string::npos && (slash == std::string::npos || dot > slash);
    return has ? name : name + ".t";
}

constexpr std::string_view session_mark = "\" THE SESSION, BY SAVE -ALL\n";

std::string axis_text(const char* name, const AxisWish& axis) {
    std::string text;
    if (axis.logarithmic) text += *axis.logarithmic ? " LOG" : " LIN";
    if (axis.range) text += " " + shortest_number(axis.range->low) + " " + shortest_number(axis.range->high);
    return text.empty() ? "" : std::string(" ") + name + text;
}

// Commands that bring the session back: the system, what differs from its text, what is drawn and stored, and
// the last run, which nothing else gives its interval.
std::string session_text(const Workbench& bench) {
    std::string text = "SYST";
    for (const std::string& file : bench.system.files) text += " " + file;
    if (!bench.system.simnon) text += " " + bench.system.model;
    for (const std::string& line : changes_of(bench)) text += "\n" + line;
    const auto named = [&](const std::string& command, const std::vector<NamedQuantity>& variables) {
        if (variables.empty()) return;
        text += "\n" + command;
        for (const NamedQuantity& variable : variables) text += " " + variable.shown;
    };
    named("PLOT", bench.plotted);
    if (!bench.plotted.empty() && bench.horizontal) text += " (" + bench.horizontal->shown + ")";
    named("STORE", bench.stored);
    if (bench.picture.axes_given()) {
        const std::string axes =
            axis_text("H", bench.picture.horizontal()) + axis_text("V", bench.picture.vertical());
        if (!axes.empty()) text += "\nAXES" + axes;
    }
    if (!bench.run.algorithm_name.empty()) text += "\nALGOR " + bench.run.algorithm_name;
    if (bench.run.error_bound != SimuSettings().error_bound)
        text += "\nERROR " + shortest_number(bench.run.error_bound);
    if (bench.system.runs > 0) {
        text += "\nSIMU " + shortest_number(bench.run.start) + " " + shortest_number(bench.run.stop);
        if (bench.run.increment > 0) text += " " + shortest_number(bench.run.increment);
    }
    return text + "\n";
}

bool save_session(Workbench& bench, const std::vector<std::string>& words) {
    if (words.size() != 1) return bench.fail(messages::save_form());
    const std::string path = words[0] + ".mac";
    std::string reason;
    if (const auto old = read_file(path, reason); old && old->find(session_mark) == std::string::npos)
        return bench.fail(messages::would_overwrite(path, "a session that SAVE -ALL wrote"));
    const std::string name = upper_case(words[0].substr(words[0].rfind('/') + 1));
    const std::string text =
        "MACRO " + name + "\n" + std::string(session_mark) + session_text(bench) + "END\n";
    if (!write_file(path, text, reason)) return bench.fail(messages::cannot_write(path, reason));
    bench.print("WRITTEN: " + path);
    return true;
}

}  // namespace

bool command_save(Workbench& bench, const std::string& arguments) {
    if (!bench.has_system()) return false;
    std::optional<Diagnostic> problem;
    std::vector<std::string> words;
    const auto options = split_path_options(arguments, {"PAR", "INIT", "ALL"}, words, problem);
    if (!options) return bench.fail(problem);
    if (words.empty() || words.size() > 2) return bench.fail(messages::save_form());
    if (options->has("ALL")) return save_session(bench, words);
    LiveModel& live = *bench.system.live;
    const std::vector<SystemSummary> systems = live.systems();
    const SystemSummary* only = nullptr;
    if (words.size() == 2) {
        only = bench.system.names.system(words[1]);
        std::vector<std::string> names;
        for (const SystemSummary& system : systems) names.push_back(system.name);
        if (!only) return bench.fail(messages::unknown_system(words[1], names));
    }
    const std::string path = find_file(words[0], {".t"}).value_or(with_ending(words[0]));
    std::string reason;
    if (const auto old = read_file(path, reason); old && !looks_saved(*old))
        return bench.fail(messages::would_overwrite(path, "saved values"));

    const bool parameters = options->options.empty() || options->has("PAR");
    const bool initials = options->options.empty() || options->has("INIT");
    std::string text;
    for (const SystemSummary& system : systems) {
        if (only && system.name != only->name) continue;
        std::string group;
        for (const SystemSummary::Variable& variable : system.variables) {
            const std::string name = path_in(system, variable.name);
            std::optional<double> value;
            Diagnostics ignored;
            if (live.kind(name) == Kind::Input) continue;
            if (variable.role == SystemRole::Parameter && parameters)
                value = live.value(name, ignored);
            else if (variable.role == SystemRole::Initial && initials && live.kind(name) == Kind::Parameter)
                value = live.value(name, ignored);  // of an external system
            else if (variable.role == SystemRole::State && initials &&
                     !bench.system.computed_starts.contains(name))
                value = live.initial(name);
            if (value) group += variable.name + ":" + shortest_number(*value) + "\n";
        }
        if (!group.empty()) text += "[" + system.name + "]\n" + group;
    }
    if (!write_file(path, text, reason)) return bench.fail(messages::cannot_write(path, reason));
    return true;
}

bool command_get(Workbench& bench, const std::string& arguments) {
    if (!bench.has_system()) return false;
    const std::vector<std::string> words = shell_words(arguments);
    if (words.size() != 1) return bench.fail(messages::one_file("GET"));
    const auto path = find_file(words[0], {".t"});
    if (!path) return bench.fail(messages::no_file(words[0], near_file(words[0], {".t"})));
    std::string reason;
    const auto text = read_file(*path, reason);
    if (!text) return bench.fail(messages::cannot_read(*path, reason));

    // Everything is read before anything is changed.
    std::vector<NewValue> changes;
    const SystemSummary* system = nullptr;
    const std::vector<std::string> lines = lines_of(*text);
    for (std::size_t k = 0; k < lines.size(); ++k) {
        const std::string line(without_comment(lines[k]));
        if (line.empty()) continue;
        const auto bad = [&](const std::string& why) {
            return bench.fail(messages::bad_saved_line(*path, k + 1, line, why));
        };
        if (line[0] == '[') {
            if (line.back() != ']') return bad("] is missing");
            const std::string name(trimmed(std::string_view(line).substr(1, line.size() - 2)));
            system = bench.system.names.system(name);
            if (!system) return bad("the active model has no system " + name);
            continue;
        }
        const std::size_t colon = line.rfind(':');
        const auto value = colon == std::string::npos ? std::nullopt : number_of(line.substr(colon + 1));
        if (!value) return bad("a line is [system] or name:number");
        WrittenName name{std::string(trimmed(std::string_view(line).substr(0, colon))), {}};
        if (system) name.system = system->name;
        std::optional<Diagnostic> problem;
        const auto variable = bench.system.names.find(
            name, {Kind::Parameter, Kind::StructureParameter, Kind::State, Kind::Discrete}, problem);
        if (!variable) return bad(problem->message);
        if (variable->kind == Kind::Input) return bad(variable->shown + " is an input");
        const bool parameter =
            variable->kind == Kind::Parameter || variable->kind == Kind::StructureParameter;
        changes.push_back({*variable, *value, parameter ? set_parameter : set_initial});
    }
    return set_all(bench, changes);
}

}  // namespace cutset
