#include "session/edit_file.h"

#include <algorithm>
#include <filesystem>

#include "session/command_text.h"
#include "session/interpreter.h"
#include "session/messages.h"

namespace cutset {

namespace messages = session_messages;

std::vector<std::string> lines_of(std::string_view text) {
    std::vector<std::string> lines;
    std::size_t begin = 0;
    while (begin < text.size()) {
        const std::size_t end = std::min(text.size(), text.find('\n', begin));
        std::string line(text.substr(begin, end - begin));
        if (!line.empty() && line.back() == '\r') line.pop_back();
        lines.push_back(std::move(line));
        begin = end + 1;
    }
    return lines;
}

std::string text_of(const std::vector<std::string>& lines) {
    std::string text;
    for (const std::string& line : lines) text += line + "\n";
    return text;
}

std::optional<std::string> find_file(const std::string& written, const std::vector<std::string>& endings) {
    namespace fs = std::filesystem;
    std::error_code error;
    std::vector<std::string> names{written};
    for (const std::string& ending : endings) names.push_back(written + ending);
    for (const std::string& name : names)
        if (fs::exists(name, error) && !fs::is_directory(name, error)) return name;
    const fs::path path(written);
    const fs::path directory = path.parent_path();
    std::vector<std::string> found;
    for (fs::directory_iterator entry(directory.empty() ? fs::path(".") : directory, error), end;
         !error && entry != end; entry.increment(error)) {
        if (entry->is_directory(error)) continue;
        const std::string name = entry->path().filename().string();
        for (const std::string& wanted : names)
            if (equal_ignoring_case(name, fs::path(wanted).filename().string()))
                found.push_back((directory / name).string());
    }
    if (found.empty()) return std::nullopt;
    // Of several the one with the first ending, then by name.
    std::sort(found.begin(), found.end());
    for (const std::string& wanted : names)
        for (const std::string& name : found)
            if (equal_ignoring_case(name, (directory / fs::path(wanted).filename()).string())) return name;
    return found.front();
}

std::string near_file(const std::string& written, const std::vector<std::string>& endings) {
    namespace fs = std::filesystem;
    std::error_code error;
    const fs::path directory = fs::path(written).parent_path();
    std::vector<std::string> names;
    for (fs::directory_iterator entry(directory.empty() ? fs::path(".") : directory, error), end;
         !error && entry != end; entry.increment(error)) {
        const std::string ending = lower_case(entry->path().extension().string());
        if (std::find(endings.begin(), endings.end(), ending) == endings.end()) continue;
        const fs::path name =
            fs::path(written).has_extension() ? entry->path().filename() : entry->path().stem();
        names.push_back((directory / name).string());
    }
    std::sort(names.begin(), names.end());
    return nearest_name(written, names);
}

namespace {

// What is there now and is not what the editing began with goes to a file beside it.
bool keep_foreign(Workbench& bench, const std::string& path, const std::optional<std::string>& original) {
    std::string problem;
    const auto now = read_file(path, problem);
    if (!now || now == original) return true;
    std::error_code error;
    for (int k = 1; k < 1000; ++k) {
        const std::string backup = path + ".old" + (k == 1 ? "" : std::to_string(k));
        if (std::filesystem::exists(backup, error)) continue;
        if (!write_file(backup, *now, problem)) return bench.fail(messages::cannot_write(backup, problem));
        bench.note(messages::changed_meanwhile(path, backup));
        return true;
    }
    return bench.fail(messages::cannot_write(path, "there are too many files kept beside it"));
}

}  // namespace

EditEnd edit_file(Workbench& bench, const EditRequest& request) {
    struct Editing {
        bool& flag;
        explicit Editing(bool& f) : flag(f) { flag = true; }
        ~Editing() { flag = false; }
    } const editing(bench.editing);
    std::string problem;
    const std::optional<std::string> original = read_file(request.path, problem);
    std::vector<std::string> lines = request.lines ? *request.lines
                                     : original    ? lines_of(*original)
                                                   : std::vector<std::string>();
    LineEditor editor(
        std::move(lines), [&](const std::string& text) { bench.print(text); }, request.check,
        request.remarks);
    if (original || request.lines) {
        editor.start_editing(request.line.value_or(0));
    } else {
        bench.print("FILE NOT FOUND: " + request.shown);
        editor.start_input();
    }
    const auto write = [&](const std::vector<std::string>& text) {
        if (original && text_of(text) == *original) return EditEnd::Unchanged;
        if (!keep_foreign(bench, request.path, original)) return EditEnd::Failed;
        if (!write_file(request.path, text_of(text), problem)) {
            bench.fail(messages::cannot_write(request.path, problem));
            return EditEnd::Failed;
        }
        return EditEnd::Written;
    };
    while (true) {
        const auto line = bench.read_line(editor.input_mode() ? "" : ">", false);
        if (!line) {
            bench.fail(messages::input_ended_in_editor(request.shown));
            return EditEnd::Failed;
        }
        if (bench.interrupted()) {
            bench.host.interrupt().store(false);
            if (!editor.changed()) return EditEnd::Left;
            bench.print(editor.input_mode()
                            ? "AN EMPTY LINE ENDS INPUT; THEN E WRITES THE FILE, LEAVE DOES NOT"
                            : "E WRITES THE FILE, LEAVE DOES NOT");
            continue;
        }
        // In INPUT mode `>` belongs to the text.
        const std::string text = editor.input_mode() ? *line : std::string(without_prompt(*line));
        if (request.commands_leave && !editor.changed()) {
            const std::string_view command = without_comment(without_prompt(*line));
            TokenReader tokens(command);
            const std::string word = tokens.word().value_or("");
            const bool of_editor = editor.input_mode() ? command.empty() : LineEditor::is_command(text);
            const auto is_word = [&](const std::string& name) { return equal_ignoring_case(name, word); };
            const auto& commands = command_table();
            const std::vector<std::string> operations = bench.host.operations();
            const bool known = is_word("HELP") ||
                               std::any_of(operations.begin(), operations.end(), is_word) ||
                               std::any_of(commands.begin(), commands.end(),
                                           [&](const CommandEntry& entry) { return is_word(entry.name); });
            if (!of_editor && known) {
                if (!is_word("HELP")) bench.pending.push_back(*line);  // help is the host's
                if (original)
                    bench.note(messages::command_leaves_editor(upper_case(word), request.shown));
                else
                    bench.fail(messages::no_file(request.shown, near_file(request.shown, {".t", ".dym"})));
                return EditEnd::Failed;
            }
        }
        switch (editor.line(text)) {
            case LineEditor::State::Open:
                break;
            case LineEditor::State::Exit:
                return write(editor.lines());
            case LineEditor::State::Leave:
                // As the last TOP left it.
                if (editor.kept() != (original ? lines_of(*original) : std::vector<std::string>()))
                    if (write(editor.kept()) == EditEnd::Failed) return EditEnd::Failed;
                return EditEnd::Left;
        }
    }
}

}  // namespace cutset
