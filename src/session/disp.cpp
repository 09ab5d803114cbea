// DISP: present values, of all variables by system or of some in one line.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "languages/simnon/system.h"
#include "session/command_text.h"
#include "session/display.h"
#include "session/edit_file.h"
#include "session/messages.h"
#include "session/values.h"
#include "session/workbench.h"

namespace cutset {

namespace messages = session_messages;

namespace {

// "1e+10" as "1E10".
std::string short_exponent(std::string text) {
    const std::size_t e = text.find('e');
    if (e == std::string::npos) return text;
    std::string exponent = text.substr(e + 1);
    const bool negative = exponent[0] == '-';
    exponent.erase(0, exponent.find_first_not_of("+-0"));
    return text.substr(0, e) + "E" + (negative ? "-" : "") + exponent;
}

const char* kind_name(SystemKind kind) {
    switch (kind) {
        case SystemKind::Continuous:
            return "CONTINUOUS SYSTEM ";
        case SystemKind::Discrete:
            return "DISCRETE SYSTEM ";
        case SystemKind::Connecting:
            return "CONNECTING SYSTEM ";
        case SystemKind::Model:
            break;
    }
    return "MODEL ";
}

constexpr const char* listing_file = "listing.txt";

}  // namespace

std::string six_digits(double value) {
    if (value == 0) return "0.000000";
    if (!std::isfinite(value)) return fmt::format("{}", value);
    return short_exponent(fmt::format("{:#.6g}", value));
}

std::string short_number(double value) {
    if (!std::isfinite(value)) return fmt::format("{}", value);
    // Three digits; where they would all stand before the point, six.
    const double size = std::fabs(value);
    std::string text = fmt::format("{:.{}g}", value, size >= 99.95 && size < 1e6 ? 6 : 3);
    if (text.find('.') == std::string::npos) {
        const std::size_t e = text.find('e');
        text.insert(e == std::string::npos ? text.size() : e, ".");
    }
    return short_exponent(text);
}

std::string display_lines(const std::string& role, const std::vector<DisplayItem>& items) {
    constexpr std::size_t widest = 80;
    std::size_t name_width = 8, value_width = 12;
    for (const DisplayItem& item : items) {
        name_width = std::max(name_width, item.name.size() + 1);
        value_width = std::max(value_width, item.value.size() + 2);
    }
    const std::size_t columns = std::max<std::size_t>(1, (widest - 8) / (name_width + value_width));
    std::string out;
    for (std::size_t k = 0; k < items.size(); ++k) {
        if (k % columns == 0) {
            if (k > 0) out += '\n';
            out += k == 0 ? fmt::format("{:<6}: ", role) : std::string(8, ' ');
        }
        std::string field =
            fmt::format("{:<{}}{:<{}}", items[k].name, name_width, items[k].value, value_width);
        if (k + 1 == items.size() || (k + 1) % columns == 0) field.erase(field.find_last_not_of(' ') + 1);
        out += field;
    }
    return out;
}

std::optional<Device> take_device(Workbench& bench, std::string& arguments, bool expressions) {
    if (arguments.empty() || arguments[0] != '(') return Device::Display;
    TokenReader tokens(arguments);
    tokens.any();
    const std::string word = upper_case(tokens.any().text);
    const bool known = word == "DIS" || word == "TP" || word == "LP";
    if (!known || !tokens.take(')')) {
        if (!known && tokens.next_is(')') && (!expressions || arguments.find(')') + 1 == arguments.size())) {
            bench.fail(messages::unknown_device(word));
            return std::nullopt;
        }
        if (!known) return Device::Display;  // `WRITE (K*2)`
        bench.fail(messages::missing_parenthesis());
        return std::nullopt;
    }
    arguments = tokens.rest();
    return word == "LP" ? Device::LinePrinter : Device::Display;
}

bool print_on(Workbench& bench, Device device, const std::string& text) {
    if (device == Device::Display) {
        bench.print(text);
        return true;
    }
    std::string problem;
    if (!append_file(listing_file, text + "\n", problem))
        return bench.fail(messages::cannot_write(listing_file, problem));
    bench.print(std::string("APPENDED TO ") + listing_file);
    return true;
}

bool command_disp(Workbench& bench, const std::string& written) {
    if (!bench.has_system()) return false;
    std::string arguments = written;
    const auto device = take_device(bench, arguments, false);
    if (!device) return false;
    std::optional<Diagnostic> problem;
    const auto options = split_options(arguments, {"CHANGED"}, false, problem);
    if (!options) return bench.fail(problem);
    if (options->has("CHANGED")) {
        if (!options->arguments.empty()) return bench.fail(messages::no_arguments("DISP -CHANGED"));
        return display_changes(bench);
    }
    LiveModel& live = *bench.system.live;
    TokenReader tokens(arguments);
    if (!tokens.at_end()) {
        std::string out;
        while (!tokens.at_end()) {
            if (tokens.take(',')) continue;
            const auto variable = bench.variable(tokens, {});
            if (!variable) return false;
            const auto value = bench.value(*variable);
            if (!value) return false;
            out += (out.empty() ? "" : " ") + variable->shown + "=" + short_number(*value);
        }
        return print_on(bench, *device, out);
    }

    Diagnostics diagnostics;
    std::string out;
    for (const SystemSummary& system : live.systems()) {
        std::vector<std::pair<SystemRole, std::vector<DisplayItem>>> groups;
        const auto add = [&](SystemRole role, const std::string& name, double value) {
            auto at = std::find_if(groups.begin(), groups.end(), [&](auto& g) { return g.first == role; });
            if (at == groups.end()) at = groups.insert(groups.end(), {role, {}});
            at->second.push_back({name, six_digits(value)});
        };
        const bool declares_initial =
            std::any_of(system.variables.begin(), system.variables.end(),
                        [](const auto& v) { return v.role == SystemRole::Initial; });
        for (const SystemSummary::Variable& variable : system.variables) {
            const std::string path = path_in(system, variable.name);
            if (variable.role == SystemRole::Time) {
                add(SystemRole::Time, variable.name, live.time());
                continue;
            }
            // INIT variables of external systems are parameters.
            const bool start =
                variable.role == SystemRole::Initial && live.kind(path) != LiveModel::Kind::Parameter;
            // Where states are chosen during the run not every one of them has a derivative that is computed.
            Diagnostics of_derivative;
            Diagnostics& problems = variable.role == SystemRole::Derivative ? of_derivative : diagnostics;
            const auto value = start ? live.initial(path) : live.value(path, problems);
            if (diagnostics.has_errors()) {
                bench.report(diagnostics, bench.system.workspace->text.sources());
                return false;
            }
            // An input that was given a number counts as a parameter elsewhere.
            const bool input =
                variable.role == SystemRole::Parameter && live.kind(path) == LiveModel::Kind::Input;
            if (value) add(input ? SystemRole::Input : variable.role, variable.name, *value);
            if (variable.role == SystemRole::State && !declares_initial)
                if (const auto initial = live.initial(path))
                    add(SystemRole::Initial, variable.name, *initial);
        }
        std::stable_sort(groups.begin(), groups.end(),
                         [](const auto& a, const auto& b) { return a.first < b.first; });
        if (groups.empty()) continue;
        if (!out.empty()) out += '\n';
        out += kind_name(system.kind) + system.name;
        for (const auto& [role, items] : groups)
            out += "\n" + display_lines(std::string(simnon::spelling(role)), items);
    }
    if (!diagnostics.all().empty()) bench.report(diagnostics, bench.system.workspace->text.sources());
    if (out.empty()) out = "NO VARIABLES";
    return print_on(bench, *device, out);
}

}  // namespace cutset
