// Ranges of parameters as given on the command line.
#include <cmath>
#include <cstdlib>

#include "ir/find_variables.h"
#include "operations/estimation/optimize.h"
#include "operations/estimation/optimize_messages.h"

namespace cutset {

namespace {

std::optional<double> number(const std::string& text) {
    char* end = nullptr;
    const double v = std::strtod(text.c_str(), &end);
    if (text.empty() || *end != 0 || std::isnan(v)) return std::nullopt;
    return v;
}

}  // namespace

std::optional<ParameterRange> parse_range(const std::string& option, const std::string& text,
                                          Diagnostics& diagnostics) {
    ParameterRange range;
    const std::size_t equal = text.find('=');
    range.path = text.substr(0, equal);
    std::erase(range.path, ' ');
    bool good = !range.path.empty();
    if (equal != std::string::npos) {
        std::vector<std::string> parts(1);
        for (char c : text.substr(equal + 1)) {
            if (c == ':')
                parts.emplace_back();
            else if (c != ' ')
                parts.back() += c;
        }
        const auto read = [&](const std::string& part, std::optional<double>& to) {
            if (part.empty()) return;
            to = number(part);
            good = good && to.has_value();
        };
        if (parts.size() == 1) {
            read(parts[0], range.guess);
            good = good && range.guess && std::isfinite(*range.guess);
        } else if (parts.size() <= 3) {
            read(parts[0], range.lower);
            read(parts[1], range.upper);
            if (parts.size() == 3) read(parts[2], range.guess);
        } else {
            good = false;
        }
    }
    if (!good) {
        diagnostics.report(optimize_messages::bad_range(option, text));
        return std::nullopt;
    }
    if (range.lower && range.upper && *range.lower > *range.upper) {
        diagnostics.report(optimize_messages::empty_range(option, range.path, *range.lower, *range.upper));
        return std::nullopt;
    }
    return range;
}

bool complete_ranges(const std::vector<ParameterRange>& given, const std::string& option,
                     const std::vector<OpenParameter>& parameters, std::vector<ParameterRange>& complete,
                     Diagnostics& diagnostics) {
    complete.clear();
    for (const OpenParameter& p : parameters) {
        ParameterRange range;
        for (const ParameterRange& r : given) {
            const std::string path = plain_path(r.path);
            if (p.path == path || p.variable == path || p.path.starts_with(path + "[")) range = r;
        }
        range.path = p.path;
        if (!range.lower && p.minimum) range.lower = p.minimum;
        if (!range.upper && p.maximum) range.upper = p.maximum;
        const double lower = range.lower.value_or(-unlimited), upper = range.upper.value_or(unlimited);
        if (lower > upper) {
            diagnostics.report(optimize_messages::empty_range(option, p.path, lower, upper));
            return false;
        }
        double guess = range.guess.value_or(p.value);
        if (!range.guess && !(guess >= lower && guess <= upper)) {
            // What the model says lies outside: somewhere inside instead.
            if (std::isfinite(lower) && std::isfinite(upper))
                guess = lower > 0 ? std::sqrt(lower * upper) : (lower + upper) / 2;
            else
                guess = std::isfinite(lower) ? lower + std::max(1.0, std::abs(lower))
                                             : upper - std::max(1.0, std::abs(upper));
        }
        range.guess = std::min(std::max(guess, lower), upper);
        complete.push_back(range);
    }
    return true;
}

}  // namespace cutset
