// Lines typed at the prompt, kept between starts: a text file with one line each, the newest last. Every line
// is appended when it is typed, so that nothing is lost however the program ends, and several sessions may
// write into one file.
#pragma once

#include <optional>
#include <string>
#include <vector>

namespace cutset::cli {

// $XDG_STATE_HOME/cutset, else ~/.local/state/cutset; empty when there is none.
std::string state_folder();
// In it: texts that were typed and not written yet.
std::string recovery_folder();

class History {
  public:
    // Where it is kept: CUTSET_HISTORY ("off": nowhere), else $XDG_STATE_HOME/cutset/history, else
    // ~/.local/state/cutset/history.
    static std::optional<std::string> default_path();

    // Reads the file; a long one is shortened. Without a path nothing is kept.
    explicit History(std::optional<std::string> path);

    // Not lines that begin with a space, nor the same one twice in a row.
    void add(const std::string& line);
    const std::vector<std::string>& lines() const { return lines_; }

  private:
    std::optional<std::string> path_;
    std::vector<std::string> lines_;
};

}  // namespace cutset::cli
