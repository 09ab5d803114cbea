// A line typed on a terminal: moving, killing and yanking as in Emacs, history, search backwards, completion.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "shell/shell_history.h"
#include "shell/shell_terminal.h"

namespace cutset::cli {

struct LineCompletion {
    std::size_t begin = 0;  // candidates replace the line from here to the cursor; bytes
    std::vector<std::string> candidates;
};

class LineEditor {
  public:
    LineEditor(Terminal& terminal, History& history) : terminal_(terminal), history_(history) {}

    // The line and the cursor in it, in bytes.
    std::function<LineCompletion(const std::string& line, std::size_t cursor)> complete;
    // The line with colours, which change nothing but the colours.
    std::function<std::string(const std::string& line)> paint;

    enum class End { Line, EndOfInput, Interrupted };
    struct Result {
        End end = End::Line;
        std::string text;
    };
    // `with_history`: arrows go through it, and the line is added to it. `paint_prompt` is shown in place of
    // `prompt` and looks as long.
    Result read(const std::string& prompt, const std::string& painted_prompt, bool with_history);

    // The line that was read last stands in a paste that goes on.
    bool pasting() const { return pasting_; }

  private:
    struct Snapshot {
        std::u32string text;
        std::size_t cursor;
    };

    // One key; something when the line is done.
    std::optional<Result> handle(const Key& key);
    std::optional<Result> control(char32_t letter);
    void alt(char32_t letter);

    void insert(char32_t c);
    void erase(std::size_t from, std::size_t to, bool keep);
    std::size_t word_left() const;
    std::size_t word_right() const;
    void remember();
    void undo();

    void go_through_history(int direction);
    // Incremental search; the key that ended it is handled as usual.
    std::optional<Key> search_backwards();

    void tab();
    void list_candidates(const std::vector<std::string>& candidates);

    void draw();
    void draw_line(const std::string& prompt, const std::string& painted_prompt, const std::u32string& text,
                   std::size_t cursor, bool colours);
    // Leaves the line as it stands and goes below it.
    void finish(const std::string& mark = {});

    Terminal& terminal_;
    History& history_;

    std::string prompt_, painted_prompt_;
    bool with_history_ = true;
    std::u32string text_;
    std::size_t cursor_ = 0;
    std::u32string killed_;
    bool kill_goes_on_ = false, killing_ = false;
    std::vector<Snapshot> undo_;
    bool typing_ = false;  // a run of characters is one step of undo

    std::size_t place_ = 0;              // in the history; its size: the line that is being typed
    std::u32string typed_;               // that line
    bool tabbed_ = false, tab_ = false;  // the key before was a Tab; this one is
    bool pasting_ = false;
    std::optional<Key> ahead_;    // a key of the next line
    std::size_t cursor_row_ = 0;  // on the screen, from the row of the prompt
};

// Columns that a text takes on the screen, colours left out.
std::size_t screen_width(const std::string& text);

}  // namespace cutset::cli
