// The line editor: one line at a time is current, and commands change it or go down the file. In INPUT mode
// lines are added after the current one; an empty line changes the mode. The text is in memory: files are
// read and written by those who use the editor.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace cutset {

class LineEditor {
  public:
    using Print = std::function<void(const std::string&)>;
    // Looks at the first `count` lines and reports what is wrong with them; the number of the line concerned,
    // from 1, or nothing when all is well. `whole`: these are all.
    using Check = std::function<std::optional<std::size_t>(const std::vector<std::string>&, std::size_t count,
                                                           bool whole)>;
    // What is to be printed below that line (from 1) as the editor goes down the file.
    using Remarks = std::function<std::vector<std::string>(std::size_t line)>;

    LineEditor(std::vector<std::string> lines, Print print, Check check = {}, Remarks remarks = {});

    // Both print the name of the mode.
    void start_editing(std::size_t current = 0);
    void start_input();

    enum class State { Open, Exit, Leave };
    State line(std::string_view text);
    // Lines of text after the current one, whatever they look like; looked at when all are there.
    void paste(std::vector<std::string> lines);
    // Whether lines in INPUT are looked at one by one.
    void check_input(bool on) { checks_input_ = on; }

    bool input_mode() const { return input_; }
    bool changed() const { return changed_; }
    const std::vector<std::string>& lines() const { return lines_; }
    // The text when the last TOP was executed or the editor began: what LEAVE keeps.
    const std::vector<std::string>& kept() const { return kept_; }
    std::size_t current() const { return current_; }
    // The file that E named; empty: the one that is edited.
    const std::string& other_file() const { return other_file_; }

    // Whether the line is a command of the editor.
    static bool is_command(std::string_view line);

  private:
    State command(std::string_view text);
    void input(std::string text);
    void go_down(std::size_t count);
    void search(std::string_view what, bool at_beginning);
    bool has_current();
    void change(std::string_view argument);
    void print_current();
    bool passed(std::size_t upto, bool whole);

    std::vector<std::string> lines_, kept_;
    Print print_;
    Check check_;
    Remarks remarks_;
    std::size_t current_ = 0;  // from 1; 0 is above the first line, size + 1 below the last
    bool input_ = false;
    bool display_ = false;
    bool changed_ = false;
    bool checks_input_ = true;
    std::string other_file_;
};

}  // namespace cutset
