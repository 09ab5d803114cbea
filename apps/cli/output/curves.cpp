#include "output/curves.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdlib>
#include <string_view>

#include "base/message_parts.h"
#include "ir/find_variables.h"
#include "output/console.h"
#include "results/plot.h"

namespace cutset::cli {

std::vector<std::string> variable_paths(const Partition& partition) {
    return cutset::variable_paths(partition.model);
}

std::string suggestion(const std::string& name, const std::vector<std::string>& candidates) {
    const std::string near = nearest_name(name, candidates);
    return did_you_mean(near);
}

TerminalStyle plot_style() {
    const Size size = terminal_size();
    TerminalStyle style;
    style.width = static_cast<int>(std::min<std::size_t>(size.columns, 110));
    style.height = static_cast<int>(std::clamp<std::size_t>(size.rows - 2, 12, 22));
    style.colour = colour_on(stdout);
    const char* locale = std::getenv("LC_ALL");
    if (!locale || !*locale) locale = std::getenv("LC_CTYPE");
    if (!locale || !*locale) locale = std::getenv("LANG");
    const std::string_view encoding = locale ? locale : "UTF-8";
    style.unicode =
        encoding.find("UTF-8") != std::string_view::npos || encoding.find("utf8") != std::string_view::npos;
    return style;
}

void print_plot(const Plot& plot) {
    fmt::print("{}", to_terminal(plot, plot_style()));
    std::fflush(stdout);
}

void print_curves(const Trajectory& result, const std::vector<std::string>& curves,
                  const std::string& title) {
    Diagnostics ignored;  // unknown names were reported already
    std::vector<std::string> known;
    for (const std::string& curve : curves) {
        Diagnostics trial;
        if (make_plot(result, {curve}, trial)) known.push_back(curve);
    }
    if (known.empty()) return;
    auto plot = make_plot(result, known, ignored);
    if (!plot) return;
    plot->title = title;
    print_plot(*plot);
}

}  // namespace cutset::cli
