#include "session/edit_file.h"

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <fstream>

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

namespace {

// Where the text of a file is kept while it is edited: by the name and the place of the file.
std::string rescue_path(const Workbench& bench, const std::string& path) {
    if (bench.settings.recovery.empty()) return {};
    std::error_code error;
    const std::string full = std::filesystem::absolute(path, error).lexically_normal().string();
    std::string name;
    for (const char c : full) name += c == '/' ? "%" : c == '%' ? "%%" : std::string(1, c);
    if (name.size() > 200) name.erase(0, name.size() - 200);  // the end tells files apart best
    return bench.settings.recovery + "/" + name;
}

class Rescue {
  public:
    // `own`: the text that is kept there already is the one being edited.
    Rescue(Workbench& bench, const std::string& path, bool own)
        : bench_(bench), path_(rescue_path(bench, path)), own_(own) {
        if (path_.empty()) return;
        std::error_code error;
        const std::filesystem::path folder = bench.settings.recovery;
        std::filesystem::create_directories(folder, error);
        std::filesystem::permissions(folder, std::filesystem::perms::owner_all, error);
    }
    void keep(const std::vector<std::string>& lines) {
        std::string problem;
        if (path_.empty() || lines == kept_) return;
        if (!own_) make_way();
        own_ = true;
        kept_ = lines;
        written_ = write_file(path_, text_of(lines), problem);
    }
    // What an earlier session left there is not ours to remove.
    void forget() {
        std::error_code error;
        if (!path_.empty() && own_) std::filesystem::remove(path_, error);
        written_ = false;
    }
    // Empty when there is none.
    std::string file() const { return written_ ? path_ : std::string(); }

  private:
    // A text that was never taken up again stays, under another name.
    void make_way() {
        std::error_code error;
        if (!std::filesystem::exists(path_, error)) return;
        for (int k = 1; k < 1000; ++k) {
            const std::string other = path_ + "~" + std::to_string(k);
            if (std::filesystem::exists(other, error)) continue;
            std::filesystem::rename(path_, other, error);
            if (!error) bench_.note(messages::rescued_text_moved(other));
            return;
        }
    }

    Workbench& bench_;
    std::string path_;
    bool own_ = false;
    std::vector<std::string> kept_;
    bool written_ = false;
};

}  // namespace

bool rescue_text(Workbench& bench, const std::string& path, const std::vector<std::string>& lines) {
    Rescue rescue(bench, path, false);
    rescue.keep(lines);
    return !rescue.file().empty();
}

std::optional<RescuedText> rescued_text(const Workbench& bench, const std::string& path) {
    const std::string kept = rescue_path(bench, path);
    std::string problem;
    const auto text = kept.empty() ? std::nullopt : read_file(kept, problem);
    if (!text) return std::nullopt;
    return RescuedText{kept, lines_of(*text)};
}

bool append_file(const std::string& path, const std::string& text, std::string& problem) {
    errno = 0;
    std::ofstream file(path, std::ios::app);
    file << text;
    file.flush();
    if (file) return true;
    problem = errno != 0 ? std::strerror(errno) : "it cannot be opened";
    return false;
}

namespace {

// The editor as a dialogue on one file.
class FileDialogue {
  public:
    FileDialogue(Workbench& bench, const EditRequest& request)
        : bench_(bench),
          request_(request),
          original_(read_file(request.path, problem_)),
          rescue_(bench, request.path, request.recovers),
          begin_(request.lines ? *request.lines
                 : original_   ? lines_of(*original_)
                               : std::vector<std::string>()),
          editor_(
              begin_, [&bench](const std::string& text) { bench.print(text); }, request.check,
              request.remarks) {}

    EditEnd run() {
        if (const auto rescued = rescued_text(bench_, request_.path); rescued && !request_.recovers)
            bench_.note(messages::text_was_rescued(request_.shown, rescued->path));
        if (original_ || request_.lines) {
            editor_.start_editing(request_.line.value_or(0));
        } else {
            bench_.print("FILE NOT FOUND: " + request_.shown);
            editor_.start_input();
        }
        // What is pasted from the prompt on is a dialogue; what is pasted into INPUT is text.
        bool dialogue = bench_.host.pasting();
        while (true) {
            auto line = bench_.read_line(editor_.input_mode() ? "" : ">", false);
            if (!line) line = after_end();
            if (!line) return EditEnd::Failed;
            if (bench_.interrupted()) {
                bench_.host.interrupt().store(false);
                if (!changed()) return EditEnd::Left;
                bench_.print(editor_.input_mode()
                                 ? "AN EMPTY LINE ENDS INPUT; THEN E WRITES THE FILE, LEAVE DOES NOT"
                                 : "E WRITES THE FILE, LEAVE DOES NOT");
                continue;
            }
            const bool pasting = bench_.host.pasting();
            dialogue = dialogue && pasting;
            if (pasting && !dialogue && editor_.input_mode()) {
                if (!paste(*line)) return EditEnd::Failed;
                continue;
            }
            editor_.check_input(!pasting);
            if (editor_.input_mode() && !changed() && equal_ignoring_case(trimmed(*line), "LEAVE"))
                return EditEnd::Left;
            if (leaves_by_command(*line)) return EditEnd::Failed;
            if (const auto end = take(*line)) return *end;
        }
    }

  private:
    bool changed() const { return editor_.changed() || request_.recovers; }

    // All lines of a paste at once: a mistake in one of them does not make commands of the others.
    bool paste(const std::string& first) {
        std::vector<std::string> lines{first};
        while (bench_.host.pasting()) {
            const auto line = bench_.read_line("", false);
            if (!line) break;
            lines.push_back(*line);
        }
        editor_.paste(std::move(lines));
        rescue_.keep(editor_.lines());
        return true;
    }

    // Ctrl-D: once more where something would be lost.
    std::optional<std::string> after_end() {
        if (bench_.host.interactive() && changed()) {
            bench_.print("E WRITES THE FILE, LEAVE DOES NOT; CTRL-D ONCE MORE ENDS WITHOUT EITHER");
            if (auto line = bench_.read_line(editor_.input_mode() ? "" : ">", false)) return line;
        }
        bench_.fail(messages::input_ended_in_editor(request_.shown, rescue_.file()));
        return std::nullopt;
    }

    // A command of the session, while nothing was changed: it was not meant for the editor.
    bool leaves_by_command(const std::string& line) {
        if (!request_.commands_leave || editor_.changed()) return false;
        const std::string_view command = without_comment(without_prompt(line));
        TokenReader tokens(command);
        const std::string word = tokens.word().value_or("");
        const bool of_editor =
            editor_.input_mode() ? command.empty() : LineEditor::is_command(without_prompt(line));
        const auto is_word = [&](const std::string& name) { return equal_ignoring_case(name, word); };
        const auto& commands = command_table();
        const std::vector<std::string> operations = bench_.host.operations();
        const bool known = is_word("HELP") || std::any_of(operations.begin(), operations.end(), is_word) ||
                           std::any_of(commands.begin(), commands.end(),
                                       [&](const CommandEntry& entry) { return is_word(entry.name); });
        if (of_editor || !known) return false;
        if (!is_word("HELP")) bench_.pending.push_back(line);  // help is the host's
        if (original_)
            bench_.note(messages::command_leaves_editor(upper_case(word), request_.shown));
        else
            bench_.fail(messages::no_file(request_.shown, near_file(request_.shown, model_endings)));
        return true;
    }

    // Something when the editor is left.
    std::optional<EditEnd> take(const std::string& line) {
        // In INPUT mode `>` belongs to the text.
        const LineEditor::State state =
            editor_.line(editor_.input_mode() ? line : std::string(without_prompt(line)));
        if (editor_.changed()) rescue_.keep(editor_.lines());
        switch (state) {
            case LineEditor::State::Open:
                return std::nullopt;
            case LineEditor::State::Exit: {
                const std::string other = editor_.other_file();
                const EditEnd end = write(editor_.lines(), other.empty() ? request_.path : other);
                if (end == EditEnd::Failed) {
                    rescue_.keep(editor_.lines());
                    bench_.note(messages::editor_stays_open(rescue_.file()));
                    editor_.start_editing(editor_.current());
                    return std::nullopt;
                }
                rescue_.forget();
                if (other.empty()) return end;
                bench_.print("WRITTEN: " + other);
                return EditEnd::Left;
            }
            case LineEditor::State::Leave:
                // As the last TOP left it.
                if (editor_.kept() != begin_ && write(editor_.kept(), request_.path) == EditEnd::Failed) {
                    bench_.note(messages::editor_stays_open(rescue_.file()));
                    return std::nullopt;
                }
                if (editor_.changed()) rescue_.forget();  // else a rescued text waits on
                return EditEnd::Left;
        }
        return std::nullopt;
    }

    EditEnd write(const std::vector<std::string>& text, const std::string& path) {
        const bool own = path == request_.path;
        if (own && original_ && text_of(text) == *original_) return EditEnd::Unchanged;
        if (!keep_foreign(bench_, path, own ? original_ : std::nullopt)) return EditEnd::Failed;
        if (write_file(path, text_of(text), problem_)) return EditEnd::Written;
        bench_.fail(messages::cannot_write(path, problem_));
        return EditEnd::Failed;
    }

    Workbench& bench_;
    const EditRequest& request_;
    std::string problem_;
    std::optional<std::string> original_;
    Rescue rescue_;
    std::vector<std::string> begin_;
    LineEditor editor_;
};

}  // namespace

EditEnd edit_file(Workbench& bench, const EditRequest& request) {
    struct Editing {
        bool& flag;
        explicit Editing(bool& f) : flag(f) { flag = true; }
        ~Editing() { flag = false; }
    } const editing(bench.editing);
    return FileDialogue(bench, request).run();
}

}  // namespace cutset
