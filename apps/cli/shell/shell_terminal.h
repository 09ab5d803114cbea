// The terminal under a shell: its modes, its signals, keys as they are typed. The terminal is given back as
// it was found, whatever ends the program.
#pragma once

#include <atomic>
#include <deque>
#include <optional>
#include <string>
#include <string_view>

namespace cutset::cli {

inline constexpr char show_cursor[] = "\033[?25h";

// Set by Ctrl-C while a command runs; the shell clears it before each command.
std::atomic<bool>& shell_interrupt();

// Ctrl-C asks the command at hand to stop; a third one, when nothing happens, ends the program.
class InterruptGuard {
  public:
    InterruptGuard();
    ~InterruptGuard();
    InterruptGuard(const InterruptGuard&) = delete;
    InterruptGuard& operator=(const InterruptGuard&) = delete;
    // Before each command.
    static void begin_command();
};

enum class KeyKind {
    Character,  // `character`
    Control,    // `character` is the letter, 'a' to 'z' or one of "@[\\]^_"
    Alt,        // `character` with Alt or after Escape
    Enter,
    Tab,
    BackTab,
    Backspace,
    Delete,
    Left,
    Right,
    WordLeft,
    WordRight,
    Up,
    Down,
    Home,
    End,
    PasteBegin,
    PasteEnd,
    Resize,
    EndOfInput,
    Other
};

struct Key {
    KeyKind kind = KeyKind::Other;
    char32_t character = 0;
};

class Terminal {
  public:
    // Standard input and output are one that understands cursor movements.
    static bool usable();

    Terminal();
    ~Terminal();
    Terminal(const Terminal&) = delete;
    Terminal& operator=(const Terminal&) = delete;

    // Editing: every key comes here. Running: nothing is echoed, Ctrl-C is a signal; what is typed ahead
    // waits.
    enum class Mode { Original, Editing, Running };
    void set_mode(Mode mode);

    Key read_key();
    void write(std::string_view text);

    // What the terminal said of itself so far; it was asked when this was made.
    bool has_sixel() const { return sixel_; }
    // Of a character, in pixels; nothing when it is not known.
    struct CellSize {
        int width, height;
    };
    std::optional<CellSize> cell() const;

  private:
    // The next byte; nothing after `milliseconds` (negative: waits for ever), at the end and for signals.
    std::optional<unsigned char> byte(int milliseconds);
    Key escape_sequence();
    void report(const std::string& parameters, char end);

    std::deque<unsigned char> pending_;
    bool ended_ = false;
    bool resized_ = false;
    bool asked_ = false, sixel_ = false;
    std::optional<CellSize> cell_;
};

}  // namespace cutset::cli
