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
constexpr double first_progress = 0.5, between_progress = 0.1;

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
    rows_ = below_ = 0;
    finished_.reset();
}

void PlotScreen::show_progress(double time, double start, double stop) {
    const auto now = Clock::now();
    if (!terminal_ || seconds(now - began_) < first_progress || seconds(now - drawn_) < between_progress)
        return;
    const double part = stop > start ? (time - start) / (stop - start) : 0;
    terminal_->write(fmt::format("\r\033[Ktime {:.6g} of {:.6g}, {:.0f} %", time, stop, 100 * part));
    progress_ = true;
    drawn_ = now;
}

void PlotScreen::end_progress() {
    if (progress_) terminal_->write("\r\033[K");
    progress_ = false;
}

void PlotScreen::show_with(const Plot& plot, const std::vector<std::string>& lines, const std::string& hint) {
    if (style() == PlotStyle::Sixel)
        draw_pixels(plot);
    else
        draw_text(plot);
    const std::size_t width = std::max<std::size_t>(terminal_size().columns, 20) - 1;
    std::string out;
    for (const std::string& line : lines) out += line.substr(0, width) + "\033[K\r\n";
    terminal_->write(out + "\033[90m" + hint.substr(0, width) + "\033[0m\033[K\r\n");
    below_ = lines.size() + 1;
    columns_ = terminal_size().columns;
}

void PlotScreen::take_back() {
    if (!terminal_ || rows_ == 0) return;
    if (below_ > 0) terminal_->write(fmt::format("\033[{}A\r", below_));
    below_ = 0;
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
    if (finished_ && *finished_ != plot.number) leave();
    columns_ = terminal_size().columns;
    if (style() == PlotStyle::Sixel)
        draw_pixels(plot);
    else
        draw_text(plot);
    if (!growing) finished_ = plot.number;
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
