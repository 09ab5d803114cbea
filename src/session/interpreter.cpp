#include "session/interpreter.h"

#include <algorithm>

#include "session/command_text.h"
#include "session/control.h"
#include "session/edit_file.h"
#include "session/messages.h"
#include "session/values.h"

namespace cutset {

namespace messages = session_messages;

const std::vector<CommandEntry>& command_table() {
    static const std::vector<CommandEntry> table = {
        {"SYST", command_syst, true},
        {"PLOT", command_plot, false},
        {"AXES", command_axes, false},
        {"SIMU", command_simu, false},
        {"PAR", command_par, false},
        {"INIT", command_init, false},
        {"STORE", command_store, false},
        {"SHOW", command_show, false},
        {"DISP", command_disp, false},
        {"LIST", command_list, true},
        {"EDIT", command_edit, true},
        {"SAVE", command_save, true},
        {"GET", command_get, true},
        {"ALGOR", command_algor, false},
        {"ERROR", command_error, false},
        {"TURN", command_turn, false},
        {"STOP", nullptr, false},
        {"INPUT", command_input, false},
        {"STATE", command_state, false},
        {"CHECKPOINT", command_checkpoint, false},
        {"RESTORE", command_restore, false},
        {"BRANCH", command_branch, false},
        {"HCOPY", command_hcopy, true},
        {"CLEAR", command_clear, false},
        {"LOG", command_log, true},
        {"UNDO", command_undo, false},
        {"ZOOM", command_zoom, false},
        {"CURSOR", command_cursor, false},
        {"WHY", nullptr, false},
        {"MACRO", nullptr, false},
    };
    return table;
}

const std::vector<std::string>& control_words() {
    static const std::vector<std::string> words = {"LET",    "DEFAULT", "FOR",  "NEXT",  "LABEL",
                                                   "GOTO",   "IF",      "READ", "WRITE", "SUSPEND",
                                                   "RESUME", "FREE",    "END"};
    return words;
}

std::string_view without_prompt(std::string_view line) {
    line = trimmed(line);
    while (!line.empty() && line[0] == '>') line = trimmed(line.substr(1));
    return line;
}

namespace {

// A macro in a file of that name; errors in it are reported when that is wanted.
std::shared_ptr<const Macro> macro_of_file(Workbench& bench, std::string_view word, bool report,
                                           bool& reported) {
    if (word.find('/') != std::string_view::npos) return nullptr;
    for (const char* ending : {".mac", ".t"}) {
        const auto path = find_file(std::string(word) + ending, {});
        if (!path) continue;
        std::string problem;
        const auto text = read_file(*path, problem);
        if (!text || !is_macro_text(*text)) continue;
        if (!report) {
            auto macro = std::make_shared<Macro>();
            macro->name = std::string(word);
            return macro;
        }
        Diagnostics diagnostics;
        const SourceId source = bench.sources.add(*path, *text);
        auto macro = parse_macro(source, bench.sources, diagnostics);
        if (!macro) {
            bench.report(diagnostics, bench.sources);
            reported = true;
            return nullptr;
        }
        auto found = std::make_shared<Macro>(*macro);
        found->file = *path;
        return found;
    }
    return nullptr;
}

}  // namespace

bool is_full_name(const Workbench& bench, std::string_view word) {
    const auto is_word = [&](std::string_view name) { return equal_ignoring_case(name, word); };
    const std::vector<CommandEntry>& table = command_table();
    const std::vector<std::string> operations = bench.host.operations();
    return std::any_of(table.begin(), table.end(), [&](const CommandEntry& e) { return is_word(e.name); }) ||
           std::any_of(control_words().begin(), control_words().end(), is_word) ||
           std::any_of(operations.begin(), operations.end(), is_word) || bench.macros.find(word);
}

CommandMeaning meaning_of(Workbench& bench, std::string_view word, bool report) {
    CommandMeaning meaning;
    const std::vector<CommandEntry>& table = command_table();
    static const std::vector<std::string> command_names = [&] {
        std::vector<std::string> out;
        for (const CommandEntry& entry : table) out.emplace_back(entry.name);
        return out;
    }();
    const auto command = [&](std::size_t k) {
        meaning.kind = CommandMeaning::Kind::Command;
        meaning.name = table[k].name;
        meaning.command = &table[k];
        return meaning;
    };
    for (std::size_t k = 0; k < command_names.size(); ++k)
        if (equal_ignoring_case(command_names[k], word)) return command(k);
    for (const std::string& control : control_words())
        if (equal_ignoring_case(control, word)) {
            meaning.kind = CommandMeaning::Kind::Control;
            meaning.name = control;
            return meaning;
        }
    if (auto macro = bench.macros.find(word)) {
        meaning.kind = CommandMeaning::Kind::Macro;
        meaning.name = macro->name;
        meaning.macro = std::move(macro);
        return meaning;
    }
    const std::vector<std::string> operations = bench.host.operations();
    for (const std::string& operation : operations)
        if (equal_ignoring_case(operation, word)) {
            meaning.kind = CommandMeaning::Kind::Operation;
            meaning.name = operation;
            return meaning;
        }
    if (auto macro = macro_of_file(bench, word, report, meaning.reported)) {
        meaning.kind = CommandMeaning::Kind::Macro;
        meaning.name = macro->name;
        meaning.macro = std::move(macro);
        return meaning;
    }
    if (meaning.reported) return meaning;
    const WordChoice of_commands = choose_word(word, command_names, manual_commands);
    if (of_commands.index) return command(*of_commands.index);
    const WordChoice of_operations = choose_word(word, operations);
    if (of_operations.index && of_commands.candidates.empty()) {
        meaning.kind = CommandMeaning::Kind::Operation;
        meaning.name = operations[*of_operations.index];
        return meaning;
    }
    if (!report) return meaning;
    meaning.reported = true;
    std::vector<std::string> candidates;
    for (const std::size_t k : of_commands.candidates) candidates.push_back(command_names[k]);
    for (const std::size_t k : of_operations.candidates) candidates.push_back(operations[k]);
    if (of_operations.index) candidates.push_back(operations[*of_operations.index]);
    if (candidates.size() > 1) {
        bench.fail(messages::ambiguous_command(std::string(word), candidates));
        return meaning;
    }
    std::vector<std::string> names = command_names;
    for (const std::string& control : control_words()) names.push_back(control);
    names.emplace_back("HELP");
    names.insert(names.end(), operations.begin(), operations.end());
    for (const auto& macro : bench.macros.defined) names.push_back(macro->name);
    // A transposed or forgotten letter of a short command is near too.
    std::string near = nearest_name(upper_case(word), names);
    if (near.empty()) near = nearest_name(std::string(word), names);
    bench.fail(messages::unknown_command(std::string(word), near));
    return meaning;
}

namespace {

enum class Step { Done, Failed, Stop, Suspended };

std::string joined_tokens(std::string_view text) {
    std::string out;
    for (const CommandToken& token : command_tokens(text)) {
        if (!out.empty()) out += ' ';
        out += token.kind == CommandToken::Kind::Text ? "'" + token.text + "'" : token.text;
    }
    return out;
}

// Words between blanks only, for names of files.
std::string replace_whole_words(std::string_view text,
                                const std::vector<const std::map<std::string, std::string>*>& values) {
    std::string out;
    std::size_t i = 0;
    while (i < text.size()) {
        std::size_t end = i;
        const bool blank = text[i] == ' ' || text[i] == '\t';
        while (end < text.size() && (text[end] == ' ' || text[end] == '\t') == blank) ++end;
        std::string word(text.substr(i, end - i));
        for (const auto* map : values)
            if (const auto at = map->find(word); at != map->end()) {
                word = at->second;
                break;
            }
        out += word;
        i = end;
    }
    return out;
}

bool call_macro(Workbench& bench, const std::shared_ptr<const Macro>& macro, std::string_view arguments) {
    constexpr std::size_t deepest = 100;
    if (bench.macros.frames.size() >= deepest) {
        std::vector<std::string> chain;
        for (const MacroFrame& frame : bench.macros.frames)
            if (chain.empty() || chain.back() != frame.macro->name) chain.push_back(frame.macro->name);
        return bench.fail(messages::macros_too_deep(macro->name, deepest, chain));
    }
    std::string separated(arguments);
    std::replace(separated.begin(), separated.end(), ',', ' ');
    const std::vector<std::string> actual = shell_words(separated);
    MacroFrame frame;
    frame.macro = macro;
    frame.echo = true;
    if (actual.size() > macro->formals.size())
        return bench.fail(messages::macro_arguments(macro->name, macro->formals, actual.size()));
    for (std::size_t k = 0; k < macro->formals.size(); ++k) {
        if (k < actual.size())
            frame.variables[macro->formals[k]] = actual[k];
        else if (!macro->has_default(macro->formals[k]))
            return bench.fail(messages::macro_arguments(macro->name, macro->formals, actual.size()));
    }
    if (bench.switches.macom) {
        std::string heading = "<MACRO " + macro->name;
        for (const std::string& formal : macro->formals) heading += " " + formal;
        bench.print(heading);
    }
    bench.macros.frames.push_back(std::move(frame));
    return true;
}

// As a file, so that it is there in the next session too. An older macro of that name gives way, as it does
// in this session; any other file is left alone.
void keep_macro(Workbench& bench, const Macro& macro) {
    const std::string path = macro.name + ".mac";
    std::string problem;
    const auto there = read_file(path, problem);
    if (there && *there == macro.text) return;
    if (there && !is_macro_text(*there)) problem = path + " is another file";
    if ((there && !is_macro_text(*there)) || !write_file(path, macro.text, problem)) {
        bench.note(messages::macro_not_kept(macro.name, problem));
        return;
    }
    bench.print("WRITTEN: " + path);
}

// A macro that came to nothing: its lines wait for the editor. False, for what failed.
bool keep_lines(Workbench& bench, std::string_view arguments, const std::string& text) {
    TokenReader tokens(arguments);
    const std::string path = tokens.word().value_or("MACRO") + ".mac";
    const std::vector<std::string> lines = lines_of(text);
    if (bench.settings.keep_macros && bench.by_person() && lines.size() > 1 &&
        rescue_text(bench, path, lines))
        bench.note(messages::macro_text_kept(path));
    return false;
}

// The definition of a macro at the prompt.
bool define_macro(Workbench& bench, const std::string& first_line, std::string_view arguments) {
    std::string text = first_line + "\n";
    const bool whole = !trimmed(arguments).empty();
    while (true) {
        const auto line = bench.read_line(">", true);
        if (!line || bench.interrupted()) {
            bench.fail(messages::macro_without_end({}, std::string(trimmed(arguments))));
            return keep_lines(bench, arguments, text);
        }
        text += std::string(without_prompt(*line)) + "\n";
        if (equal_ignoring_case(without_comment(without_prompt(*line)), "END")) break;
    }
    if (!whole) {
        bench.fail(messages::macro_without_name({}));
        return keep_lines(bench, arguments, text);
    }
    TokenReader tokens(arguments);
    const std::string name = tokens.word().value_or("macro");
    Diagnostics diagnostics;
    const SourceId source = bench.sources.add("MACRO " + name, text);
    auto macro = parse_macro(source, bench.sources, diagnostics);
    if (!macro) {
        bench.report(diagnostics, bench.sources);
        return keep_lines(bench, arguments, text);
    }
    const auto is_its_name = [&](std::string_view word) { return equal_ignoring_case(word, macro->name); };
    const std::vector<CommandEntry>& commands = command_table();
    if (std::any_of(control_words().begin(), control_words().end(), is_its_name) ||
        std::any_of(commands.begin(), commands.end(),
                    [&](const auto& entry) { return is_its_name(entry.name); })) {
        bench.fail(messages::macro_hides_command(macro->name));
        return keep_lines(bench, arguments, text);
    }
    if (bench.settings.keep_macros && bench.by_person()) keep_macro(bench, *macro);
    bench.macros.define(std::move(macro));
    return true;
}

bool loop_at_prompt(Workbench& bench, const std::string& first_line) {
    // A mistyped one does not swallow what follows.
    const std::vector<CommandToken> words = command_tokens(first_line);
    if (words.size() < 6 || !words[2].is('=') || std::none_of(words.begin(), words.end(), [](const auto& w) {
            return equal_ignoring_case(w.text, "TO");
        }))
        return bench.fail(messages::for_form());
    std::string text = "MACRO FOR\n" + first_line + "\n";
    int depth = 1;
    while (depth > 0) {
        const auto line = bench.read_line(">", true);
        if (!line || bench.interrupted()) return bench.fail(messages::for_without_next({}, ""));
        const std::string_view command = without_comment(without_prompt(*line));
        TokenReader tokens(command);
        const std::string word = upper_case(tokens.word().value_or(""));
        if (word == "FOR") ++depth;
        if (word == "NEXT") --depth;
        text += std::string(command) + "\n";
    }
    text += "END\n";
    Diagnostics diagnostics;
    const SourceId source = bench.sources.add("FOR", text);
    auto macro = parse_macro(source, bench.sources, diagnostics);
    if (!macro) {
        bench.report(diagnostics, bench.sources);
        return false;
    }
    MacroFrame frame;
    frame.macro = std::move(macro);
    bench.macros.frames.push_back(std::move(frame));
    return true;
}

std::vector<const std::map<std::string, std::string>*> values_of(Workbench& bench) {
    std::vector<const std::map<std::string, std::string>*> values;
    if (!bench.macros.frames.empty()) values.push_back(&bench.macros.frames.back().variables);
    values.push_back(&bench.globals);
    return values;
}
std::string with_values(Workbench& bench, std::string_view text) {
    return replace_words(text, values_of(bench));
}

// No command by its full name, but a variable, an assignment to one, or arithmetic.
bool is_value(Workbench& bench, std::string_view text) {
    TokenReader tokens(text);
    if (const auto word = tokens.word(); word && is_full_name(bench, *word)) return false;
    return is_value_line(bench, with_values(bench, text));
}

Step step(Workbench& bench, std::string_view line) {
    const std::string_view text = without_comment(line);
    if (text.empty()) return Step::Done;
    TokenReader tokens(text);
    const auto word = tokens.word();
    if (is_value(bench, text))
        return run_value_line(bench, with_values(bench, text)) ? Step::Done : Step::Failed;
    if (!word) {
        bench.fail(messages::no_command(std::string(tokens.peek().text)));
        return Step::Failed;
    }
    // Operations read their options as a shell does.
    CommandMeaning meaning = meaning_of(bench, *word, true);
    // SIMULATE 0 5, as later versions of Simnon have it; the operation takes no numbers.
    if (meaning.kind == CommandMeaning::Kind::Operation && begins_ignoring_case(*word, "SIMU") &&
        tokens.peek().kind == CommandToken::Kind::Number)
        meaning = meaning_of(bench, "SIMU", true);
    const std::size_t begin = text.find(*word) + word->size();
    std::string_view arguments = text.substr(begin);
    MacroFrame* const frame = bench.macros.frames.empty() ? nullptr : &bench.macros.frames.back();
    const std::vector<const std::map<std::string, std::string>*> values = values_of(bench);

    if (frame && bench.switches.macom && meaning.kind != CommandMeaning::Kind::None) {
        const std::string echoed = meaning.command && meaning.command->paths
                                       ? std::string(trimmed(replace_whole_words(arguments, values)))
                                   : meaning.kind == CommandMeaning::Kind::Control
                                       ? joined_tokens(arguments)
                                       : joined_tokens(replace_words(arguments, values));
        bench.print("<" + *word + (echoed.empty() ? "" : " " + echoed));
    }
    const auto outcome = [](bool good) { return good ? Step::Done : Step::Failed; };
    switch (meaning.kind) {
        case CommandMeaning::Kind::None:
            return Step::Failed;
        case CommandMeaning::Kind::Operation: {
            const std::size_t at = line.find(*word) + word->size();
            return outcome(run_operation(bench, meaning.name, replace_whole_words(line.substr(at), values)));
        }
        case CommandMeaning::Kind::Macro:
            // A file of this folder that was perhaps not meant: a message says what is executed.
            if (!meaning.macro->file.empty() && bench.host.interactive() && !frame)
                bench.note(messages::macro_of_file(meaning.macro->name, meaning.macro->file));
            return outcome(call_macro(bench, meaning.macro, replace_words(arguments, values)));
        case CommandMeaning::Kind::Control: {
            if (meaning.name == "FOR" && !frame) return outcome(loop_at_prompt(bench, std::string(text)));
            if (meaning.name == "SUSPEND") {
                if (!frame) {
                    bench.fail(messages::only_in_macro("SUSPEND"));
                    return Step::Failed;
                }
                return Step::Suspended;
            }
            return outcome(run_control(bench, meaning.name, arguments));
        }
        case CommandMeaning::Kind::Command:
            break;
    }
    if (meaning.name == "STOP") {
        if (trimmed(arguments).empty()) return Step::Stop;
        bench.fail(messages::no_arguments("STOP"));
        return Step::Failed;
    }
    if (meaning.name == "MACRO") {
        if (frame) {
            bench.fail(messages::macro_in_macro({}));
            return Step::Failed;
        }
        return outcome(define_macro(bench, std::string(text), arguments));
    }
    if (meaning.name == "WHY") return outcome(run_operation(bench, "WHY", replace_words(arguments, values)));
    const std::string replaced =
        meaning.command->paths ? replace_whole_words(arguments, values) : replace_words(arguments, values);
    return outcome(meaning.command->function(bench, std::string(trimmed(replaced))));
}

// The place of a failure in a macro, where the message itself has another or none.
void tell_place(Workbench& bench) {
    for (std::size_t k = bench.macros.frames.size(); k-- > 0;) {
        const MacroFrame& frame = bench.macros.frames[k];
        if (frame.next == 0 || frame.next > frame.macro->lines.size()) continue;
        bench.note(messages::stopped_in_macro(frame.macro->lines[frame.next - 1].where, frame.macro->name,
                                              k + 1 == bench.macros.frames.size()));
        if (bench.macros.frames.size() - k > 4) break;
    }
}

Step run_frames(Workbench& bench) {
    std::vector<MacroFrame>& frames = bench.macros.frames;
    while (!frames.empty()) {
        if (bench.interrupted()) {
            bench.note(messages::macro_interrupted(frames.back().macro->name));
            frames.clear();
            return Step::Failed;
        }
        MacroFrame& frame = frames.back();
        if (frame.next >= frame.macro->lines.size()) {
            if (bench.switches.macom && frame.echo) bench.print("<END");
            frames.pop_back();
            continue;
        }
        const std::string line = frame.macro->lines[frame.next++].text;
        const Step result = step(bench, line);
        if (result == Step::Failed) {
            tell_place(bench);
            frames.clear();
            return result;
        }
        if (result == Step::Stop) {
            frames.clear();
            return result;
        }
        if (result == Step::Suspended) {
            bench.print("SUSPENDED: RESUME GOES ON WITH " + frames.back().macro->name);
            bench.macros.suspended.push_back(std::move(frames));
            frames.clear();
            return Step::Done;
        }
    }
    return Step::Done;
}

Step one_line(Workbench& bench, std::string_view line) {
    bench.failure.reset();
    ++bench.lines;
    const std::string text(without_prompt(line));
    const std::size_t place = bench.transcript.size();
    bench.transcript.push_back({TranscriptLine::Kind::Command, text, false});
    if (without_comment(text).empty()) return Step::Done;
    TokenReader tokens(without_comment(text));
    const CommandMeaning meaning = meaning_of(bench, tokens.peek().text, false);
    Step result = step(bench, text);
    if (result == Step::Done) result = run_frames(bench);
    if (result == Step::Failed && place < bench.transcript.size()) bench.transcript[place].failed = true;
    bench.executed.push_back({meaning.name.empty() ? tokens.peek().text : meaning.name, text,
                              result == Step::Failed, bench.failure.value_or(Concern::None)});
    if (bench.executed.size() > 1000) bench.executed.erase(bench.executed.begin());
    return result;
}

}  // namespace

Session::Outcome execute_line(Workbench& bench, std::string_view line) {
    bench.host.interrupt().store(false);
    bool failed = false;
    std::string text(line);
    while (true) {
        const Step result = one_line(bench, text);
        if (result == Step::Stop) return Session::Outcome::Stop;
        failed = failed || result == Step::Failed;
        if (bench.pending.empty()) break;
        text = std::move(bench.pending.back());
        bench.pending.pop_back();
    }
    return failed ? Session::Outcome::Failed : Session::Outcome::Done;
}

}  // namespace cutset
