#include "shell/shell_plots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "output/console.h"
#include "output/curves.h"
#include "results/raster.h"
#include "shell/shell_terminal.h"

namespace cutset::cli {

namespace {

// A run that is done by then shows its picture once.
constexpr double first_picture = 0.15, between_pictures = 0.05;  // seconds

constexpr char hide_cursor[] = "\033[?25l";
constexpr char begin_update[] = "\033[?2026h", end_update[] = "\033[?2026l";

double seconds(std::chrono::steady_clock::duration d) {
    return std::chrono::duration<double>(d).count();
}

}  // namespace

PlotStyle PlotScreen::style() const {
    const char* given = std::getenv("CUTSET_PLOT");
    const std::string wish = given ? given : "";
    if (wish == "sixel") return PlotStyle::Sixel;
    if (wish == "unicode") return PlotStyle::Unicode;
    if (wish == "ascii") return PlotStyle::Ascii;
    if (terminal_ && terminal_->has_sixel()) return PlotStyle::Sixel;
    return plot_style().unicode ? PlotStyle::Unicode : PlotStyle::Ascii;
}

void PlotScreen::begin_command() {
    began_ = Clock::now();
    drawn_ = {};
    last_cost_ = 0;
    leave();
}

void PlotScreen::leave() {
    rows_ = 0;
    finished_.clear();
}

void PlotScreen::show(const Plot& plot, bool growing) {
    const auto now = Clock::now();
    if (growing) {
        if (!terminal_ || seconds(now - began_) < first_picture) return;
        if (drawn_ != Clock::time_point{} &&
            seconds(now - drawn_) < std::max(between_pictures, 5 * last_cost_))
            return;
    }
    if (terminal_ && terminal_size().columns != columns_) leave();  // the old one is broken anyway
    bool goes_on = finished_.size() <= plot.curves.size();
    for (std::size_t i = 0; goes_on && i < finished_.size(); ++i)
        goes_on = finished_[i] == std::pair(plot.curves[i].label, plot.curves[i].x.size());
    if (!goes_on) leave();
    columns_ = terminal_size().columns;
    if (style() == PlotStyle::Sixel)
        draw_pixels(plot);
    else
        draw_text(plot);
    if (!growing) {
        finished_.clear();
        for (const Curve& c : plot.curves) finished_.emplace_back(c.label, c.x.size());
    }
    drawn_ = Clock::now();
    last_cost_ = seconds(drawn_ - now);
}

void PlotScreen::draw_text(const Plot& plot) {
    TerminalStyle wanted = plot_style();
    wanted.unicode = style() == PlotStyle::Unicode;
    const std::string picture = to_terminal(plot, wanted);
    if (!terminal_) {
        fmt::print("{}", picture);
        std::fflush(stdout);
        return;
    }
    std::string out = std::string(begin_update) + hide_cursor;
    if (rows_ > 0) out += fmt::format("\033[{}A\r", rows_);
    std::size_t lines = 0;
    for (std::size_t from = 0; from < picture.size();) {
        const std::size_t to = std::min(picture.find('\n', from), picture.size());
        out += picture.substr(from, to - from) + "\033[K\r\n";
        from = to + 1;
        ++lines;
    }
    if (lines < rows_) out += "\033[J";
    out += std::string(show_cursor) + end_update;
    terminal_->write(out);
    rows_ = lines;
}

void PlotScreen::draw_pixels(const Plot& plot) {
    const Size screen = terminal_size();
    const Terminal::CellSize cell =
        terminal_ ? terminal_->cell().value_or(Terminal::CellSize{10, 20}) : Terminal::CellSize{10, 20};
    // As a picture of 720 by 480 unless the window is smaller; larger where characters are larger.
    const double scale = std::max(1.0, std::round(cell.height / 18.0));
    Plot sized = plot;
    sized.width = std::min(sized.width, static_cast<double>(screen.columns) * cell.width / scale - 8);
    sized.width = std::max(sized.width, 240.0);
    RasterImage image = to_pixels(sized, scale);
    const int most = static_cast<int>(screen.rows > 4 ? screen.rows - 3 : 4) * cell.height;
    if (image.height > most) {
        sized.height = std::max(120.0, most / scale);
        image = to_pixels(sized, scale);
    }
    const auto rows = static_cast<std::size_t>((image.height + cell.height - 1) / cell.height);
    const std::string picture = to_sixel(image);
    if (!terminal_) {
        fmt::print("{}\n", picture);
        std::fflush(stdout);
        return;
    }
    // Room first, so that nothing scrolls while it is drawn; then from the saved place.
    std::string out = std::string(begin_update) + hide_cursor;
    if (rows_ > 0)
        out += fmt::format("\033[{}A\r", rows_);
    else
        out += std::string(rows, '\n') + fmt::format("\033[{}A\r", rows);
    out += "\0337" + picture + "\0338";
    out += fmt::format("\033[{}B\r", rows) + show_cursor + end_update;
    terminal_->write(out);
    rows_ = rows;
}

}  // namespace cutset::cli
