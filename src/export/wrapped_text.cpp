#include "export/wrapped_text.h"

#include <algorithm>
#include <string_view>

namespace cutset {

std::string wrapped(const std::string& line, std::size_t width, const std::string& end,
                    const std::string& indent, char quote) {
    // The line is looked at piece by piece: it may have millions of characters.
    const std::size_t piece = 4'000 + 4 * width;
    std::size_t taken = std::min(line.size(), piece);
    std::string out, rest = line.substr(0, taken);
    const auto take = [&](std::size_t count) {
        rest.append(line, taken, count);
        taken += std::min(count, line.size() - taken);
    };
    while (rest.size() + (line.size() - taken) > width) {
        if (rest.size() < piece / 2) take(piece);
        // The last blank within the width, else the first after it; never inside a text in quotes.
        std::size_t at = std::string::npos;
        bool inside = false;
        const std::size_t begin = rest.find_first_not_of(' ');
        for (std::size_t i = begin; i < rest.size() && (i <= width || at == std::string::npos); ++i) {
            if (rest[i] == quote && (i == 0 || rest[i - 1] != '\\')) inside = !inside;
            if (rest[i] == ' ' && !inside) at = i;
        }
        if (!end.empty() && (at == std::string::npos || at > width)) {
            // No blank: after an operator.
            inside = false;
            std::size_t after = std::string::npos;
            for (std::size_t i = begin; i + 1 < rest.size() && i < width; ++i) {
                if (rest[i] == quote) inside = !inside;
                if (!inside && std::string_view("*/(,").find(rest[i]) != std::string_view::npos &&
                    std::string_view("*/=").find(rest[i + 1]) == std::string_view::npos)
                    after = i + 1;
            }
            if (after != std::string::npos) {
                out += rest.substr(0, after) + end + "\n";
                rest = indent + rest.substr(after);
                continue;
            }
        }
        if (at == std::string::npos || at + 1 >= rest.size()) {
            if (taken == line.size()) break;
            take(line.size());
            continue;
        }
        out += rest.substr(0, at) + end + "\n";
        rest = indent + rest.substr(at + 1);
    }
    return out + rest + line.substr(taken) + "\n";
}

}  // namespace cutset
