// The terminal: colours, messages, a progress bar.
#pragma once

#include <cstdio>
#include <string>

#include "base/diagnostic.h"

namespace cutset::cli {

bool colour_on(std::FILE* stream);
// Columns and rows of the terminal; 80 by 24 when it is none.
struct Size {
    std::size_t columns = 80, rows = 24;
};
Size terminal_size();

// A text that models or files hold, for standard output: what would move the cursor or change the title of a
// terminal is left out there; a file or a pipe gets it as it is.
std::string for_output(std::string text);

// "1 state", "2 states"
std::string counted(std::size_t n, const char* what);

// Six digits; no -0.
std::string short_number(double value);

// Prints diagnostics from number `from` on to standard error; returns how many there are now. `quiet` prints
// errors only.
std::size_t print_diagnostics(const Diagnostics& diagnostics, const Sources& sources, std::size_t from = 0,
                              bool quiet = false);

// A bar on standard error, shown only on a terminal and only after a second.
class ProgressBar {
  public:
    ProgressBar(double from, double to, bool enabled);
    ~ProgressBar();
    void show(double at);

  private:
    double from_, to_;
    bool enabled_, shown_ = false;
    double started_, last_ = 0;
};

}  // namespace cutset::cli
