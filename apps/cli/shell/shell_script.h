// The lines of a script or a pipe. A script whose first command stands behind a `>` is a transcript: what
// stands there without a prompt was printed, and is not read again.
#pragma once

#include <deque>
#include <istream>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

namespace cutset::cli {

class ScriptLines {
  public:
    explicit ScriptLines(std::istream& input) : input_(input) {}

    // The next command; blanks and `>` at its beginning are left out.
    std::optional<std::string> command();
    // A line that a command asks for with that prompt; without one it is taken as it stands.
    std::optional<std::string> further(std::string_view prompt);
    // What the program says meanwhile, to be found in a transcript.
    void printed(std::string_view text);

    std::size_t line_number() const { return number_; }

  private:
    std::optional<std::string> line();

    std::istream& input_;
    std::size_t number_ = 0;
    std::optional<bool> transcript_;
    std::deque<std::string> printed_;
};

// Without blanks and `>` at the beginning; the flag says whether there was one.
std::pair<std::string, bool> without_prompt(std::string_view line);

}  // namespace cutset::cli
