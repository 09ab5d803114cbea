#include "session/line_editor.h"

#include <algorithm>

#include "session/command_text.h"

namespace cutset {

namespace {

enum class Verb {
    Next,
    Print,
    Locate,
    Find,
    Delete,
    Overlay,
    Retype,
    Insert,
    Append,
    Change,
    Bottom,
    Top,
    Exit,
    Display,
    Leave
};
enum class Argument { None, Count, Word, Text };
struct VerbWord {
    const char* least;  // the shortest form
    const char* word;   // any part of it that begins with the shortest form will do
    const char* full;   // … or this
    Verb verb;
    Argument argument;
};
constexpr VerbWord verbs[] = {
    {"N", "NEXT", "NEXT", Verb::Next, Argument::Count},
    {"P", "PRINT", "PRINT", Verb::Print, Argument::Count},
    {"L", "LOC", "LOCATE", Verb::Locate, Argument::Text},
    {"F", "FIND", "FIND", Verb::Find, Argument::Text},
    {"D", "DEL", "DELETE", Verb::Delete, Argument::Count},
    {"O", "OVERL", "OVERLAY", Verb::Overlay, Argument::Count},
    {"R", "RETYP", "RETYPE", Verb::Retype, Argument::Text},
    {"I", "INS", "INSERT", Verb::Insert, Argument::Text},
    {"A", "APPND", "APPEND", Verb::Append, Argument::Text},
    {"C", "CHANG", "CHANGE", Verb::Change, Argument::Text},
    {"B", "BOTT", "BOTTOM", Verb::Bottom, Argument::None},
    {"T", "TOP", "TOP", Verb::Top, Argument::None},
    {"E", "EXIT", "EXIT", Verb::Exit, Argument::Word},
    {"DIS", "DIS", "DIS", Verb::Display, Argument::Word},
    {"LEAVE", "LEAVE", "LEAVE", Verb::Leave, Argument::None},
};

const VerbWord* verb_of(std::string_view word) {
    for (const VerbWord& v : verbs)
        if (begins_ignoring_case(word, v.least) &&
            (begins_ignoring_case(v.word, word) || begins_ignoring_case(v.full, word)))
            return &v;
    return nullptr;
}

std::string_view first_word(std::string_view text) {
    std::size_t end = 0;
    while (end < text.size() && text[end] != ' ' && text[end] != '\t') ++end;
    return text.substr(0, end);
}

std::string_view without_blanks_at_end(std::string_view text) {
    while (!text.empty() && (text.back() == ' ' || text.back() == '\t' || text.back() == '\r'))
        text.remove_suffix(1);
    return text;
}

}  // namespace

LineEditor::LineEditor(std::vector<std::string> lines, Print print, Check check, Remarks remarks)
    : lines_(std::move(lines)),
      kept_(lines_),
      print_(std::move(print)),
      check_(std::move(check)),
      remarks_(std::move(remarks)) {}

void LineEditor::start_editing(std::size_t current) {
    current_ = std::min(current, lines_.size());
    input_ = false;
    print_("EDIT");
}
void LineEditor::start_input() {
    input_ = true;
    print_("INPUT");
}

bool LineEditor::is_command(std::string_view line) {
    line = trimmed(line);
    return line.empty() || line[0] == '"' || verb_of(first_word(line));
}

LineEditor::State LineEditor::line(std::string_view text) {
    text = without_blanks_at_end(text);
    if (input_) {
        if (text.empty())
            start_editing(current_);
        else
            input(std::string(text));
        return State::Open;
    }
    while (!text.empty() && (text[0] == ' ' || text[0] == '\t')) text.remove_prefix(1);
    if (text.empty()) {
        start_input();
        return State::Open;
    }
    if (text[0] == '"') return State::Open;
    return command(text);
}

void LineEditor::input(std::string text) {
    const std::size_t at = std::min(current_, lines_.size());
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at), std::move(text));
    current_ = at + 1;
    changed_ = true;
    if (!checks_input_ || passed(current_, false)) return;
    // The line that revealed the error is the one to correct.
    start_editing(current_);
}

void LineEditor::paste(std::vector<std::string> lines) {
    while (!lines.empty() && without_blanks_at_end(lines.back()).empty()) lines.pop_back();
    if (lines.empty()) return;
    for (std::string& line : lines) line = without_blanks_at_end(line);
    const std::size_t at = std::min(current_, lines_.size());
    lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at), lines.begin(), lines.end());
    current_ = at + lines.size();
    changed_ = true;
    if (!check_) return;
    if (const auto bad = check_(lines_, current_, false))
        start_editing(std::clamp<std::size_t>(*bad, 1, lines_.size()));
}

// False when there is something wrong with the lines so far; it has been reported.
bool LineEditor::passed(std::size_t upto, bool whole) {
    if (!check_) return true;
    const auto bad = check_(lines_, upto, whole);
    if (bad && whole) current_ = std::clamp<std::size_t>(*bad, 1, std::max<std::size_t>(lines_.size(), 1));
    return !bad;
}

bool LineEditor::has_current() {
    if (current_ >= 1 && current_ <= lines_.size()) return true;
    print_(current_ == 0 ? "NO CURRENT LINE: THE EDITOR STANDS ABOVE THE FIRST (N GOES DOWN)"
                         : "NO CURRENT LINE: THE EDITOR STANDS BELOW THE LAST (T GOES TO THE TOP)");
    return false;
}

void LineEditor::print_current() {
    if (current_ >= 1 && current_ <= lines_.size()) print_(lines_[current_ - 1]);
}

void LineEditor::go_down(std::size_t count) {
    for (; count > 0; --count) {
        if (current_ >= lines_.size()) {
            print_("END OF FILE");
            return;
        }
        ++current_;
        if (!display_) continue;
        print_current();
        if (remarks_)
            for (const std::string& remark : remarks_(current_)) print_("  " + remark);
    }
}

void LineEditor::search(std::string_view what, bool at_beginning) {
    for (std::size_t k = current_ + 1; k <= lines_.size(); ++k) {
        const std::size_t at = lines_[k - 1].find(what);
        if (at == std::string::npos || (at_beginning && at != 0)) continue;
        if (display_)
            go_down(k - current_);
        else
            current_ = k, print_current();
        return;
    }
    current_ = lines_.size();
    print_("END OF FILE: \"" + std::string(what) + "\" WAS NOT FOUND BELOW");
}

void LineEditor::change(std::string_view argument) {
    if (argument.empty()) {
        print_("C NEEDS TWO STRINGS: C /OLD/NEW/");
        return;
    }
    const char quote = argument[0];
    const std::size_t middle = argument.find(quote, 1);
    if (middle == std::string_view::npos) {
        print_("C NEEDS TWO STRINGS: C /OLD/NEW/");
        return;
    }
    const std::size_t end = std::min(argument.size(), argument.find(quote, middle + 1));
    const std::string_view old_text = argument.substr(1, middle - 1);
    const std::string_view new_text = argument.substr(middle + 1, end - middle - 1);
    std::string& line = lines_[current_ - 1];
    const std::size_t at = line.find(old_text);
    if (at == std::string::npos) {
        print_("NOT IN THE CURRENT LINE: " + std::string(old_text));
        return;
    }
    line.replace(at, old_text.size(), new_text);
    changed_ = true;
    print_current();
}

namespace {

// A command with what stands after it.
struct EditorCommand {
    Verb verb = Verb::Next;
    std::string argument;
    std::size_t count = 1;
};

// Nothing when it is none, which is printed.
std::optional<EditorCommand> editor_command(std::string_view text,
                                            const std::function<void(const std::string&)>& print) {
    const std::string_view word = first_word(text);
    const VerbWord* const verb = verb_of(word);
    if (!verb) {
        print("NO COMMAND OF THE EDITOR: " + std::string(word));
        print("N P L F D O R I A C B T E DIS LEAVE ARE; AN EMPTY LINE CHANGES TO INPUT");
        return std::nullopt;
    }
    // A text begins after one space.
    EditorCommand c{verb->verb, std::string(text.substr(std::min(text.size(), word.size() + 1)))};
    if (verb->argument == Argument::Text) return c;
    c.argument = without_comment(c.argument);
    if (verb->argument == Argument::None && !c.argument.empty()) {
        print(std::string(verb->full) + " TAKES NOTHING AFTER IT");
        return std::nullopt;
    }
    if (verb->argument == Argument::Count && !c.argument.empty()) {
        const auto number = number_of(c.argument);
        if (!number || *number < 1 || *number != static_cast<double>(static_cast<long>(*number))) {
            print("NOT A POSITIVE INTEGER: " + c.argument);
            return std::nullopt;
        }
        c.count = static_cast<std::size_t>(std::min(*number, 1e9));
    }
    return c;
}

}  // namespace

LineEditor::State LineEditor::command(std::string_view text) {
    auto given = editor_command(text, print_);
    if (!given) return State::Open;
    const std::string& argument = given->argument;
    std::size_t count = given->count;
    const auto remove_lines = [&] {
        const std::size_t last = std::min(lines_.size(), current_ - 1 + count);
        lines_.erase(lines_.begin() + static_cast<std::ptrdiff_t>(current_ - 1),
                     lines_.begin() + static_cast<std::ptrdiff_t>(last));
        changed_ = true;
    };
    switch (given->verb) {
        case Verb::Next:
            go_down(count);
            break;
        case Verb::Print:
            print_current();
            for (; count > 1 && current_ < lines_.size(); --count) {
                ++current_;
                print_current();
            }
            break;
        case Verb::Locate:
            search(argument, false);
            break;
        case Verb::Find:
            search(argument, true);
            break;
        case Verb::Delete:
            if (has_current()) remove_lines();
            break;
        case Verb::Overlay:
            if (!has_current()) break;
            remove_lines();
            --current_;
            start_input();
            break;
        case Verb::Retype:
            if (!has_current()) break;
            lines_[current_ - 1] = argument;
            changed_ = true;
            break;
        case Verb::Insert: {
            const std::size_t at = std::min(current_, lines_.size());
            lines_.insert(lines_.begin() + static_cast<std::ptrdiff_t>(at), argument);
            current_ = at + 1;
            changed_ = true;
            break;
        }
        case Verb::Append:
            if (!has_current()) break;
            lines_[current_ - 1] += argument;
            changed_ = true;
            break;
        case Verb::Change:
            if (has_current()) change(argument);
            break;
        case Verb::Bottom:
            if (current_ < lines_.size()) go_down(lines_.size() - current_);
            current_ = lines_.size();
            break;
        case Verb::Top:
            kept_ = lines_;
            start_editing(0);
            break;
        case Verb::Display:
            display_ = !equal_ignoring_case(argument, "OFF");
            break;
        case Verb::Exit:
            other_file_ = argument;
            if (passed(lines_.size(), true)) return State::Exit;
            start_editing(current_);
            break;
        case Verb::Leave:
            return State::Leave;
    }
    return State::Open;
}

}  // namespace cutset
