// Plots in a shell: drawn as text or as pixels, in place while a run goes on.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "results/plot.h"
#include "shell/shell_terminal.h"

namespace cutset::cli {

enum class PlotStyle { Ascii, Unicode, Sixel };

class PlotScreen {
  public:
    // Without a terminal pictures are text, and only finished ones are drawn.
    explicit PlotScreen(Terminal* terminal) : terminal_(terminal) {}

    // What CUTSET_PLOT asks for; else what the terminal can.
    PlotStyle style() const;

    void begin_command();
    void show(const Plot& plot, bool growing);
    // With lines below it; take_back() lets the next one stand in its place.
    void show_with(const Plot& plot, const std::vector<std::string>& lines, const std::string& hint);
    void take_back();
    // A line that changes in its place; the end of it takes it away.
    void show_progress(double time, double start, double stop);
    void end_progress();
    // Something was printed below the picture: the next one is a new one.
    void leave();

  private:
    using Clock = std::chrono::steady_clock;
    void draw_text(const Plot& plot);
    void draw_pixels(const Plot& plot);

    Terminal* terminal_;
    Clock::time_point began_ = Clock::now(), drawn_ = {};
    double last_cost_ = 0;     // seconds that the last picture took
    std::size_t rows_ = 0;     // of the growing picture above the cursor; 0: there is none
    std::size_t columns_ = 0;  // of the screen when it was drawn
    // The last finished picture of this command: the same one with more curves, those of the next run of a
    // macro, takes its place.
    std::optional<std::size_t> finished_;
    std::size_t below_ = 0;  // lines printed below the last picture
    bool progress_ = false;  // a line of it stands there
};

}  // namespace cutset::cli
