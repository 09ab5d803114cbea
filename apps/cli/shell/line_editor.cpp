#include "shell/line_editor.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <csignal>
#include <utility>

#include "output/console.h"
#include "results/canvas.h"

namespace cutset::cli {

namespace {

std::string utf8(const std::u32string& text) {
    std::string out;
    for (char32_t c : text) out += encode_utf8(c);
    return out;
}

bool in_word(char32_t c) {
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c > 127;
}

// Columns of a character: combining ones take none, those of East Asia and pictures two.
std::size_t columns_of(char32_t c) {
    struct Range {
        char32_t first, last;
    };
    static constexpr Range none[] = {{0x300, 0x36F}, {0x200B, 0x200F}, {0x20D0, 0x20FF}, {0xFE00, 0xFE0F}};
    static constexpr Range two[] = {{0x1100, 0x115F}, {0x2E80, 0xA4CF},   {0xAC00, 0xD7A3},
                                    {0xF900, 0xFAFF}, {0xFE30, 0xFE6F},   {0xFF00, 0xFF60},
                                    {0xFFE0, 0xFFE6}, {0x1F300, 0x1FAFF}, {0x20000, 0x3FFFD}};
    for (const Range& r : none)
        if (c >= r.first && c <= r.last) return 0;
    for (const Range& r : two)
        if (c >= r.first && c <= r.last) return 2;
    return 1;
}

// Where a text that begins at `column` ends on a screen so wide.
struct ScreenPlace {
    std::size_t row = 0, column = 0;
};
ScreenPlace after(ScreenPlace at, const std::u32string& text, std::size_t count, std::size_t width) {
    for (std::size_t i = 0; i < count; ++i) {
        const std::size_t n = columns_of(text[i]);
        if (at.column + n > width) at = {at.row + 1, 0};
        at.column += n;
    }
    return at;
}

std::string common_beginning(const std::vector<std::string>& candidates) {
    std::string common = candidates.empty() ? "" : candidates[0];
    for (const std::string& c : candidates) {
        std::size_t n = 0;
        while (n < common.size() && n < c.size() && common[n] == c[n]) ++n;
        common.resize(n);
    }
    while (!common.empty() && (static_cast<unsigned char>(common.back()) & 0xC0) == 0x80) common.pop_back();
    if (!common.empty() && static_cast<unsigned char>(common.back()) >= 0xC0) common.pop_back();
    return common;
}

}  // namespace

std::size_t screen_width(const std::string& text) {
    std::size_t width = 0;
    bool escape = false;
    for (char32_t c : decode_utf8(text)) {
        if (c == 0x1B) escape = true;
        if (!escape) width += columns_of(c);
        if (escape && c != 0x1B && c != '[' && c >= 0x40 && c <= 0x7E) escape = false;
    }
    return width;
}

LineEditor::Result LineEditor::read(const std::string& prompt, const std::string& painted_prompt,
                                    bool with_history) {
    prompt_ = prompt;
    painted_prompt_ = painted_prompt;
    with_history_ = with_history;
    text_.clear();
    typed_.clear();
    undo_.clear();
    cursor_ = cursor_row_ = 0;
    place_ = history_.lines().size();
    typing_ = tabbed_ = false;
    terminal_.set_mode(Terminal::Mode::Editing);
    draw();
    std::optional<Key> waiting = std::exchange(ahead_, std::nullopt);
    for (;;) {
        const Key key = waiting ? *std::exchange(waiting, std::nullopt) : terminal_.read_key();
        if (key.kind == KeyKind::Control && key.character == 'r') {
            waiting = search_backwards();
            draw();
            continue;
        }
        tabbed_ = std::exchange(tab_, false);
        kill_goes_on_ = std::exchange(killing_, false);
        if (const auto result = handle(key)) {
            if (result->end == End::Line && with_history_) history_.add(result->text);
            // Whether more of a paste follows is seen from its next key, which comes at once.
            if (pasting_ && result->end == End::Line) ahead_ = terminal_.read_key();
            if (ahead_ && ahead_->kind == KeyKind::PasteEnd) {
                pasting_ = false;
                ahead_.reset();
            }
            terminal_.set_mode(Terminal::Mode::Running);
            return *result;
        }
    }
}

std::optional<LineEditor::Result> LineEditor::handle(const Key& key) {
    if (key.kind != KeyKind::Character) typing_ = false;
    switch (key.kind) {
        case KeyKind::Character:
            insert(key.character);
            break;
        case KeyKind::Control:
            return control(key.character);
        case KeyKind::Alt:
            alt(key.character);
            break;
        case KeyKind::Enter:
            finish();
            return Result{End::Line, utf8(text_)};
        case KeyKind::Tab:
            if (pasting_)
                insert(' ');
            else
                tab();
            break;
        case KeyKind::Backspace:
            if (cursor_ > 0) erase(cursor_ - 1, cursor_, false);
            break;
        case KeyKind::Delete:
            if (cursor_ < text_.size()) erase(cursor_, cursor_ + 1, false);
            break;
        case KeyKind::Left:
            if (cursor_ > 0) --cursor_;
            break;
        case KeyKind::Right:
            if (cursor_ < text_.size()) ++cursor_;
            break;
        case KeyKind::WordLeft:
            cursor_ = word_left();
            break;
        case KeyKind::WordRight:
            cursor_ = word_right();
            break;
        case KeyKind::Up:
            go_through_history(-1);
            break;
        case KeyKind::Down:
            go_through_history(1);
            break;
        case KeyKind::Home:
            cursor_ = 0;
            break;
        case KeyKind::End:
            cursor_ = text_.size();
            break;
        case KeyKind::PasteBegin:
            pasting_ = true;
            return std::nullopt;
        case KeyKind::PasteEnd:
            pasting_ = false;
            break;
        case KeyKind::EndOfInput:
            finish();
            return Result{End::EndOfInput, {}};
        case KeyKind::Resize: {
            // The rows of the line as the new width breaks them.
            const std::size_t width = std::max<std::size_t>(terminal_size().columns, 2);
            cursor_row_ = after({0, screen_width(prompt_)}, text_, cursor_, width).row;
            break;
        }
        case KeyKind::BackTab:
        case KeyKind::Other:
            return std::nullopt;
    }
    draw();
    return std::nullopt;
}

std::optional<LineEditor::Result> LineEditor::control(char32_t letter) {
    switch (letter) {
        case 'a':
            cursor_ = 0;
            break;
        case 'e':
            cursor_ = text_.size();
            break;
        case 'b':
            return handle({KeyKind::Left});
        case 'f':
            return handle({KeyKind::Right});
        case 'p':
            return handle({KeyKind::Up});
        case 'n':
            return handle({KeyKind::Down});
        case 'c':
            finish("^C");
            return Result{End::Interrupted, utf8(text_)};
        case 'd':
            if (!text_.empty()) return handle({KeyKind::Delete});
            finish();
            return Result{End::EndOfInput, {}};
        case 'h':
            return handle({KeyKind::Backspace});
        case 'k':
            erase(cursor_, text_.size(), true);
            break;
        case 'u':
            erase(0, cursor_, true);
            break;
        case 'w': {
            std::size_t from = cursor_;
            while (from > 0 && text_[from - 1] == ' ') --from;
            while (from > 0 && text_[from - 1] != ' ') --from;
            erase(from, cursor_, true);
            break;
        }
        case 'y':
            if (killed_.empty()) break;
            remember();
            text_.insert(cursor_, killed_);
            cursor_ += killed_.size();
            break;
        case 't':
            if (cursor_ == 0 || text_.size() < 2) break;
            remember();
            if (cursor_ == text_.size()) --cursor_;
            std::swap(text_[cursor_ - 1], text_[cursor_]);
            ++cursor_;
            break;
        case 'l':
            // Scrolled out, not erased: what stood there stays in the scrollback of the terminal.
            terminal_.write(std::string(terminal_size().rows, '\n') + "\033[H");
            cursor_row_ = 0;
            break;
        case 'z':
            finish();
            terminal_.set_mode(Terminal::Mode::Original);
            ::raise(SIGTSTP);
            terminal_.set_mode(Terminal::Mode::Editing);
            cursor_row_ = 0;
            break;
        case '_':
            undo();
            break;
        default:
            return std::nullopt;
    }
    draw();
    return std::nullopt;
}

void LineEditor::alt(char32_t letter) {
    switch (letter) {
        case 'b':
            cursor_ = word_left();
            break;
        case 'f':
            cursor_ = word_right();
            break;
        case 'd':
            erase(cursor_, word_right(), true);
            break;
        case 0x7F:
            erase(word_left(), cursor_, true);
            break;
        case 'u':
        case 'l': {
            const std::size_t end = word_right();
            remember();
            for (std::size_t i = cursor_; i < end; ++i)
                if (text_[i] < 128)
                    text_[i] =
                        static_cast<char32_t>(letter == 'u' ? std::toupper(static_cast<int>(text_[i]))
                                                            : std::tolower(static_cast<int>(text_[i])));
            cursor_ = end;
            break;
        }
        default:
            break;
    }
}

void LineEditor::insert(char32_t c) {
    if (!typing_) remember();
    typing_ = true;
    text_.insert(cursor_++, 1, c);
}

void LineEditor::erase(std::size_t from, std::size_t to, bool keep) {
    if (from >= to) return;
    remember();
    if (keep) {
        const std::u32string part = text_.substr(from, to - from);
        if (!kill_goes_on_) killed_.clear();
        killed_ = from < cursor_ ? part + killed_ : killed_ + part;
        killing_ = true;
    }
    text_.erase(from, to - from);
    cursor_ = from;
}

std::size_t LineEditor::word_left() const {
    std::size_t i = cursor_;
    while (i > 0 && !in_word(text_[i - 1])) --i;
    while (i > 0 && in_word(text_[i - 1])) --i;
    return i;
}
std::size_t LineEditor::word_right() const {
    std::size_t i = cursor_;
    while (i < text_.size() && !in_word(text_[i])) ++i;
    while (i < text_.size() && in_word(text_[i])) ++i;
    return i;
}

void LineEditor::remember() {
    undo_.push_back({text_, cursor_});
    if (undo_.size() > 500) undo_.erase(undo_.begin());
}
void LineEditor::undo() {
    if (undo_.empty()) return;
    text_ = undo_.back().text;
    cursor_ = undo_.back().cursor;
    undo_.pop_back();
}

// Through all lines, or through those that begin with what was typed.
void LineEditor::go_through_history(int direction) {
    if (!with_history_) return;
    const std::vector<std::string>& lines = history_.lines();
    if (place_ == lines.size()) typed_ = text_;
    const std::string beginning = utf8(typed_);
    std::size_t place = place_;
    while (direction < 0 ? place > 0 : place < lines.size()) {
        place = direction < 0 ? place - 1 : place + 1;
        const std::u32string found = place == lines.size() ? typed_ : decode_utf8(lines[place]);
        if (place < lines.size() && (!lines[place].starts_with(beginning) || found == text_)) continue;
        place_ = place;
        text_ = found;
        cursor_ = text_.size();
        return;
    }
}

std::optional<Key> LineEditor::search_backwards() {
    const std::vector<std::string>& lines = history_.lines();
    const Snapshot before{text_, cursor_};
    std::string wanted;
    std::size_t place = lines.size();
    bool found = true;
    const auto look = [&](std::size_t from) {
        for (std::size_t i = std::min(from, lines.size()); i-- > 0;)
            if (const std::size_t at = lines[i].find(wanted); at != std::string::npos) {
                place = place_ = i;
                text_ = decode_utf8(lines[i]);
                cursor_ = decode_utf8(lines[i].substr(0, at)).size();
                found = true;
                return;
            }
        found = false;
    };
    for (;;) {
        const std::string prompt = fmt::format("({}search backwards) {}: ", found ? "" : "no more, ", wanted);
        draw_line(prompt, prompt, text_, cursor_, false);
        const Key key = terminal_.read_key();
        if (key.kind == KeyKind::Character) {
            wanted += encode_utf8(key.character);
            look(std::min(place, lines.size() - 1) + 1);
        } else if (key.kind == KeyKind::Backspace) {
            while (!wanted.empty() && (static_cast<unsigned char>(wanted.back()) & 0xC0) == 0x80)
                wanted.pop_back();
            if (!wanted.empty()) wanted.pop_back();
            look(lines.size());
        } else if (key.kind == KeyKind::Control && key.character == 'r') {
            look(place);
        } else if ((key.kind == KeyKind::Control && (key.character == 'g' || key.character == 'c')) ||
                   (key.kind == KeyKind::Alt && key.character == 0)) {
            text_ = before.text;
            cursor_ = before.cursor;
            place_ = lines.size();
            return std::nullopt;
        } else if (key.kind != KeyKind::Resize && key.kind != KeyKind::Other) {
            return key;
        }
    }
}

void LineEditor::tab() {
    tab_ = true;
    if (!complete) return;
    const std::string before = utf8(text_.substr(0, cursor_));
    LineCompletion found = complete(utf8(text_), before.size());
    std::sort(found.candidates.begin(), found.candidates.end());
    found.candidates.erase(std::unique(found.candidates.begin(), found.candidates.end()),
                           found.candidates.end());
    if (found.candidates.empty() || found.begin > before.size()) {
        terminal_.write("\a");
        return;
    }
    std::string replacement =
        found.candidates.size() == 1 ? found.candidates[0] : common_beginning(found.candidates);
    const std::string present = before.substr(found.begin);
    // A word that is complete ends; folders and what is open go on.
    if (found.candidates.size() == 1 && cursor_ == text_.size() && !replacement.empty() &&
        std::string_view("/([:=-").find(replacement.back()) == std::string_view::npos)
        replacement += ' ';
    if (replacement.size() >= present.size() && replacement != present) {
        remember();
        const std::size_t begin = decode_utf8(before.substr(0, found.begin)).size();
        const std::u32string word = decode_utf8(replacement);
        text_.replace(begin, cursor_ - begin, word);
        cursor_ = begin + word.size();
    } else if (found.candidates.size() > 1) {
        if (tabbed_)
            list_candidates(found.candidates);
        else
            terminal_.write("\a");
    }
}

void LineEditor::list_candidates(const std::vector<std::string>& candidates) {
    const Size screen = terminal_size();
    std::size_t widest = 1;
    for (const std::string& c : candidates) widest = std::max(widest, screen_width(c));
    const std::size_t columns = std::max<std::size_t>(1, screen.columns / (widest + 2));
    const std::size_t most = columns * std::max<std::size_t>(screen.rows > 6 ? screen.rows - 4 : 2, 2);
    const std::size_t shown = std::min(candidates.size(), most);
    const std::size_t rows = (shown + columns - 1) / columns;
    const std::size_t saved = cursor_;
    cursor_ = text_.size();
    draw();
    std::string out = "\r\n";
    for (std::size_t r = 0; r < rows; ++r) {
        for (std::size_t c = 0; c * rows + r < shown; ++c) {
            const std::string& word = candidates[c * rows + r];
            out += word;
            if ((c + 1) * rows + r < shown) out += std::string(widest + 2 - screen_width(word), ' ');
        }
        out += "\r\n";
    }
    if (shown < candidates.size()) out += fmt::format("… and {} more\r\n", candidates.size() - shown);
    terminal_.write(out);
    cursor_ = saved;
    cursor_row_ = 0;
}

void LineEditor::draw() {
    draw_line(prompt_, painted_prompt_, text_, cursor_, true);
}

void LineEditor::draw_line(const std::string& prompt, const std::string& painted_prompt,
                           const std::u32string& text, std::size_t cursor, bool colours) {
    const std::size_t width = std::max<std::size_t>(terminal_size().columns, 2);
    const ScreenPlace begin = after({}, decode_utf8(prompt), decode_utf8(prompt).size(), width);
    const ScreenPlace end = after(begin, text, text.size(), width);
    ScreenPlace at = after(begin, text, cursor, width);
    std::string out = "\r";
    if (cursor_row_ > 0) out += fmt::format("\033[{}A", cursor_row_);
    out += painted_prompt;
    // Control characters would move the cursor.
    std::u32string shown = text;
    for (char32_t& c : shown)
        if (c < 0x20 || c == 0x7F) c = U'?';
    out += colours && paint ? paint(utf8(shown)) : utf8(shown);
    std::size_t row = end.row;
    if (end.column == width) {  // the terminal has not gone to the next row yet
        out += "\r\n";
        ++row;
    }
    // What is left of a longer line goes; from the corner of the screen tmux would take it for a new screen,
    // and put the old one into its scrollback at each key.
    out += row == 0 && end.column == 0 ? "\033[K" : "\033[J";
    if (at.column == width) at = {at.row + 1, 0};
    if (row > at.row) out += fmt::format("\033[{}A", row - at.row);
    out += '\r';
    if (at.column > 0) out += fmt::format("\033[{}C", at.column);
    cursor_row_ = at.row;
    terminal_.write(out);
}

void LineEditor::finish(const std::string& mark) {
    cursor_ = text_.size();
    draw();
    terminal_.write(mark + "\r\n");
    cursor_row_ = 0;
}

}  // namespace cutset::cli
