#include "output/console.h"

#include <fmt/format.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <chrono>
#include <cstdlib>

#include "base/utf8.h"

namespace cutset::cli {

namespace {

double now() {
    return std::chrono::duration<double>(std::chrono::steady_clock::now().time_since_epoch()).count();
}

}  // namespace

bool colour_on(std::FILE* stream) {
    const char* no_colour = std::getenv("NO_COLOR");
    return ::isatty(::fileno(stream)) && !(no_colour && *no_colour);
}

Size terminal_size() {
    Size size;
    winsize window{};
    if (::ioctl(STDOUT_FILENO, TIOCGWINSZ, &window) == 0 && window.ws_col > 0)
        size = {window.ws_col, window.ws_row};
    else if (const char* columns = std::getenv("COLUMNS"))
        size.columns = static_cast<std::size_t>(std::clamp(std::atoi(columns), 40, 400));
    return size;
}

std::string for_output(std::string text) {
    if (!::isatty(STDOUT_FILENO)) return text;
    std::string out;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t tab = std::min(text.find('\t', begin), text.size());
        out += printable(std::string_view(text).substr(begin, tab - begin));
        if (tab < text.size()) out += '\t';
        begin = tab + 1;
    }
    return out;
}

std::size_t print_diagnostics(const Diagnostics& diagnostics, const Sources& sources, std::size_t from,
                              bool quiet) {
    const bool colour = colour_on(stderr);
    const auto& all = diagnostics.all();
    for (std::size_t i = from; i < all.size(); ++i)
        if (!quiet || all[i].severity == Severity::Error)
            fmt::print(stderr, "{}", render(all[i], sources, colour));
    return all.size();
}

ProgressBar::ProgressBar(double from, double to, bool enabled)
    : from_(from), to_(to), enabled_(enabled && ::isatty(STDERR_FILENO)), started_(now()) {}

ProgressBar::~ProgressBar() {
    if (shown_) fmt::print(stderr, "\r\033[K");
}

void ProgressBar::show(double at) {
    if (!enabled_) return;
    const double t = now();
    if (t - started_ < 1 || t - last_ < 0.1) return;
    last_ = t;
    shown_ = true;
    const double done = to_ > from_ ? std::clamp((at - from_) / (to_ - from_), 0.0, 1.0) : 1;
    const int width = 40, filled = static_cast<int>(done * width);
    std::string bar;
    for (int i = 0; i < width; ++i) bar += i < filled ? "█" : "░";
    const double rest = done > 0 ? (t - started_) * (1 - done) / done : 0;
    fmt::print(stderr, "\r{} {:3.0f} %  time {:.4g}  about {:.0f} s left \033[K", bar, 100 * done, at, rest);
    std::fflush(stderr);
}

std::string counted(std::size_t n, const char* what) {
    return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s");
}

std::string short_number(double value) {
    return fmt::format("{:.6g}", value == 0 ? 0.0 : value);
}

}  // namespace cutset::cli
