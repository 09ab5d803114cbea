// LIST, EDIT, LOG, TURN.
#include <algorithm>
#include <filesystem>

#include "session/command_text.h"
#include "session/edit_file.h"
#include "session/interpreter.h"
#include "session/messages.h"
#include "session/workbench.h"

namespace cutset {

namespace messages = session_messages;

namespace {

const std::vector<std::string> text_endings = {".t", ".mac", ".dym", ".mo", ".om", ".el"};

std::string new_text_path(const std::string& name) {
    return std::filesystem::path(name).has_extension() ? name : name + ".t";
}

}  // namespace

bool command_list(Workbench& bench, const std::string& written) {
    std::string arguments = written;
    const auto device = take_device(bench, arguments, false);
    if (!device) return false;
    std::vector<std::string> names = shell_words(arguments);
    if (names.empty()) names = bench.system.files;
    if (names.empty()) return bench.fail(messages::list_form());
    for (const std::string& name : names) {
        if (const auto macro = bench.macros.find(name)) {
            std::string text = macro->text;
            while (!text.empty() && text.back() == '\n') text.pop_back();
            if (!print_on(bench, *device, text)) return false;
            continue;
        }
        const auto path = find_file(name, text_endings);
        if (!path) return bench.fail(messages::no_file(name, near_file(name, text_endings)));
        std::string problem;
        auto text = read_file(*path, problem);
        if (!text) return bench.fail(messages::cannot_read(*path, problem));
        while (!text->empty() && (text->back() == '\n' || text->back() == '\r')) text->pop_back();
        if (!print_on(bench, *device, *text)) return false;
    }
    return true;
}

bool command_edit(Workbench& bench, const std::string& arguments) {
    std::optional<Diagnostic> problem;
    std::vector<std::string> words;
    const auto options = split_path_options(arguments, {"RECOVER"}, words, problem);
    if (!options) return bench.fail(problem);
    if (words.size() != 1) return bench.fail(messages::one_file("EDIT"));
    EditRequest request;
    request.shown = words[0];
    request.path = find_file(words[0], text_endings).value_or(new_text_path(words[0]));
    std::error_code error;
    if (std::filesystem::is_directory(words[0], error)) return bench.fail(messages::is_directory(words[0]));
    // A macro that was typed gets a file when it is edited.
    const auto macro = bench.macros.find(words[0]);
    if (macro) request.lines = lines_of(macro->text);
    if (options->has("RECOVER")) {
        const auto rescued = rescued_text(bench, request.path);
        if (!rescued) return bench.fail(messages::nothing_to_recover(words[0]));
        request.lines = rescued->lines;
        request.recovers = true;
    }
    if (bench.settings.open_editor && !macro && !options->has("RECOVER") && bench.host.edit(request.path))
        return true;
    switch (edit_file(bench, request)) {
        case EditEnd::Failed:
            return false;
        case EditEnd::Written:
        case EditEnd::Unchanged:
            if (macro) bench.macros.forget(words[0]);
            return true;
        case EditEnd::Left:
            return true;
    }
    return true;
}

bool command_log(Workbench& bench, const std::string& arguments) {
    std::optional<Diagnostic> problem;
    std::vector<std::string> words;
    const auto options = split_path_options(arguments, {"MACRO"}, words, problem);
    if (!options) return bench.fail(problem);
    if (words.size() != 1) return bench.fail(messages::log_form());
    const bool macro = options->has("MACRO");
    const std::filesystem::path given(words[0]);
    const std::string path = given.has_extension() ? words[0] : words[0] + (macro ? ".t" : ".log");
    std::string text, reason;
    const std::string mark = "\" SESSION";
    if (macro) text = "MACRO " + given.stem().string() + "\n";
    text += mark + "\n";
    for (std::size_t k = 0; k < bench.transcript.size(); ++k) {
        const TranscriptLine& line = bench.transcript[k];
        // The LOG itself is no part of it.
        if (k + 1 == bench.transcript.size() && line.kind == TranscriptLine::Kind::Command) break;
        switch (line.kind) {
            case TranscriptLine::Kind::Command: {
                TokenReader tokens(line.text);
                const std::string word = upper_case(tokens.word().value_or(""));
                if (macro && (line.failed || without_comment(line.text).empty() || word == "LOG" ||
                              word == "STOP" || word == "MACRO" || word == "END"))
                    break;
                text += (macro ? "" : ">") + line.text + "\n";
                break;
            }
            case TranscriptLine::Kind::Input:
                if (!macro) text += line.text + "\n";
                break;
            case TranscriptLine::Kind::Output:
                // Comments, so that the transcript can be executed.
                if (!macro)
                    for (const std::string& part : lines_of(line.text)) text += "\" " + part + "\n";
                break;
        }
    }
    if (macro) text += "END\n";
    if (const auto old = read_file(path, reason); old && old->find(mark) == std::string::npos)
        return bench.fail(messages::would_overwrite(path, "the text of a session"));
    if (!write_file(path, text, reason)) return bench.fail(messages::cannot_write(path, reason));
    bench.print("WRITTEN: " + path);
    return true;
}

bool command_turn(Workbench& bench, const std::string& arguments) {
    struct Switch {
        const char* name;
        bool SessionSwitches::*member;
    };
    static constexpr Switch switches[] = {
        {"WARN", &SessionSwitches::warn},         {"COMPU", &SessionSwitches::compu},
        {"PLCOM", &SessionSwitches::plcom},       {"DARK", &SessionSwitches::dark},
        {"MACOM", &SessionSwitches::macom},       {"STRICT", &SessionSwitches::strict},
        {"EXTERNAL", &SessionSwitches::external}, {"PLOTS", &SessionSwitches::plots},
    };
    std::vector<std::string> names;
    for (const Switch& s : switches) names.emplace_back(s.name);
    const std::vector<std::string> words = shell_words(arguments);
    if (words.empty()) {
        std::string out;
        for (const Switch& s : switches)
            out += (out.empty() ? "" : "  ") + std::string(s.name) + " " +
                   (bench.switches.*s.member ? "ON" : "OFF");
        bench.print(out);
        return true;
    }
    if (words.size() != 2) return bench.fail(messages::turn_form());
    const WordChoice choice = choose_word(words[0], names);
    if (!choice.index) return bench.fail(messages::unknown_switch(words[0], names));
    const bool on = equal_ignoring_case(words[1], "ON");
    if (!on && !equal_ignoring_case(words[1], "OFF")) return bench.fail(messages::turn_form());
    // Code of others runs because the person at the prompt wants it to, not because a file says so.
    if (on && switches[*choice.index].member == &SessionSwitches::external && !bench.switches.external &&
        !bench.by_person())
        return bench.fail(messages::only_by_person(
            "TURN EXTERNAL ON", "`cutset shell --allow-external` begins a session with it"));
    bench.switches.*switches[*choice.index].member = on;
    if (switches[*choice.index].member == &SessionSwitches::strict && bench.system.live &&
        bench.system.simnon)
        bench.note(messages::strict_from_next_syst());
    return true;
}

}  // namespace cutset
