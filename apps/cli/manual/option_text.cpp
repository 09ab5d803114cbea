#include "manual/option_text.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cstddef>

namespace cutset::cli {

std::vector<std::string> names_of(const Option& option) {
    std::vector<std::string> names;
    const std::string& all = option.names();
    for (std::size_t begin = 0; begin < all.size();) {
        const std::size_t end = std::min(all.find(',', begin), all.size());
        names.push_back(all.substr(begin, end - begin));
        begin = end + 1;
    }
    return names;
}

std::string short_help(const Option& option) {
    const std::string& help = option.help();
    std::size_t end = help.size();
    for (const char* stop : {": ", "; ", " (", ", "}) end = std::min(end, help.find(stop));
    return help.substr(0, end);
}

std::string usage(const Command& command) {
    std::string text = "[OPTIONS]";
    for (const Option& o : command.options()) {
        if (!o.is_positional()) continue;
        const std::string name = o.names() + (o.may_be_repeated() ? "…" : "");
        text += o.is_required() ? " " + name : " [" + name + "]";
    }
    return text;
}

std::string value_text(const Option& option) {
    if (!option.words().empty()) return fmt::format("{}", fmt::join(option.words(), "|"));
    return option.endings().empty() ? "VALUE" : "FILE";
}

}  // namespace cutset::cli
