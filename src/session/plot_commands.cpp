// PLOT, AXES, SHOW, HCOPY, CLEAR.
#include <algorithm>
#include <filesystem>

#include "results/cursor.h"
#include "session/command_text.h"
#include "session/edit_file.h"
#include "session/messages.h"
#include "session/result_file.h"
#include "session/stored_results.h"
#include "session/workbench.h"

namespace cutset {

namespace messages = session_messages;

namespace {

// `variable … (variable)`, by the names of `names`.
bool read_variables(Workbench& bench, const NameIndex& names, const std::string& arguments,
                    std::vector<NamedQuantity>& variables, std::optional<NamedQuantity>& horizontal) {
    TokenReader tokens(arguments);
    const auto one = [&]() -> std::optional<NamedQuantity> {
        if (tokens.peek().kind != CommandToken::Kind::Word) {
            bench.fail(messages::variable_expected(tokens.peek().text));
            return std::nullopt;
        }
        std::optional<Diagnostic> problem;
        const auto written = names.read(tokens);
        const auto found = names.find(*written, {}, problem);
        if (!found) bench.fail(problem);
        return found;
    };
    while (!tokens.at_end()) {
        if (tokens.take(',')) continue;
        if (tokens.take('(')) {
            if (variables.empty()) return bench.fail(messages::variable_expected("("));
            const auto variable = one();
            if (!variable) return false;
            horizontal = variable;
            if (!tokens.take(')')) return bench.fail(messages::missing_parenthesis());
            if (!tokens.at_end()) return bench.fail(messages::horizontal_is_last(tokens.peek().text));
            return true;
        }
        const auto variable = one();
        if (!variable) return false;
        variables.push_back(*variable);
    }
    return true;
}

std::string heading(const std::string& command, const std::vector<NamedQuantity>& variables,
                    const std::optional<NamedQuantity>& horizontal) {
    std::string out = command;
    for (const NamedQuantity& variable : variables) out += " " + variable.shown;
    if (horizontal) out += " (" + horizontal->shown + ")";
    return out;
}

}  // namespace

std::string plot_heading(const Workbench& bench) {
    if (!bench.switches.plcom || bench.plotted.empty()) return {};
    return heading("PLOT", bench.plotted, bench.horizontal);
}

bool command_plot(Workbench& bench, const std::string& arguments) {
    std::vector<NamedQuantity> variables;
    std::optional<NamedQuantity> horizontal;
    if (!arguments.empty()) {
        if (!bench.has_system()) return false;
        if (!read_variables(bench, bench.system.names, arguments, variables, horizontal)) return false;
    }
    // Without axes of one's own other variables begin a new picture.
    const auto paths = [](const std::vector<NamedQuantity>& list) {
        std::vector<std::string> out;
        for (const NamedQuantity& q : list) out.push_back(q.path);
        return out;
    };
    if (!bench.picture.axes_given() && paths(variables) != paths(bench.plotted)) bench.picture.clear();
    bench.plotted = std::move(variables);
    bench.horizontal = std::move(horizontal);
    bench.picture.title(plot_heading(bench));
    return true;
}

void plot_if_possible(Workbench& bench, const std::string& arguments) {
    TokenReader tokens(arguments);
    std::vector<NamedQuantity> variables;
    std::optional<NamedQuantity> horizontal;
    const NameIndex& names = bench.system.names;
    while (!tokens.at_end()) {
        std::optional<Diagnostic> problem;
        const bool over = tokens.take('(');
        const auto written = names.read(tokens);
        const auto found = written ? names.find(*written, {}, problem) : std::nullopt;
        if (!found || (over && (!tokens.take(')') || !tokens.at_end()))) return;
        if (over)
            horizontal = found;
        else
            variables.push_back(*found);
    }
    bench.plotted = std::move(variables);
    bench.horizontal = std::move(horizontal);
    bench.picture.title(plot_heading(bench));
}

namespace {

// The next limit of an axis: `AXES H-50 50` too.
std::optional<double> read_limit(Workbench& bench, TokenReader& tokens, const Diagnostic& form) {
    const bool minus = tokens.take('-');
    if (const auto number = tokens.number()) return minus ? -*number : *number;
    const CommandToken& found = tokens.peek();
    bench.fail(found.kind == CommandToken::Kind::Number ? messages::number_too_large(found.text) : form);
    return std::nullopt;
}

// `low high`; nothing with the reason told.
std::optional<PlotRange> read_limits(Workbench& bench, TokenReader& tokens, const std::string& axis,
                                     const Diagnostic& form) {
    const auto low = read_limit(bench, tokens, form);
    if (!low) return std::nullopt;
    const auto high = read_limit(bench, tokens, form);
    if (!high) return std::nullopt;
    if (*low < *high) return PlotRange{*low, *high};
    bench.fail(messages::axes_limits(axis, *low, *high));
    return std::nullopt;
}

}  // namespace

bool command_axes(Workbench& bench, const std::string& arguments) {
    TokenReader tokens(arguments);
    AxisWish horizontal, vertical;
    while (!tokens.at_end()) {
        const auto word = tokens.word();
        const std::string axis = upper_case(word.value_or(""));
        if (axis == "AUTO") {
            bench.picture.automatic_axes();
            if (tokens.at_end()) return true;
            continue;
        }
        if (axis != "H" && axis != "V") return bench.fail(messages::axes_form());
        AxisWish& wish = axis == "H" ? horizontal : vertical;
        if (tokens.peek().kind == CommandToken::Kind::Word) {
            const std::string kind = upper_case(tokens.peek().text);
            if (kind == "LOG" || kind == "LIN") {
                wish.logarithmic = kind == "LOG";
                tokens.any();
            }
        }
        if (wish.logarithmic && (tokens.at_end() || tokens.peek().kind == CommandToken::Kind::Word)) continue;
        const auto range = read_limits(bench, tokens, axis, messages::axes_form());
        if (!range) return false;
        const bool logarithmic = wish.logarithmic.value_or(axis == "H" ? bench.picture.plot().logarithmic_x
                                                                       : bench.picture.plot().logarithmic_y);
        if (logarithmic && !(range->low > 0))
            return bench.fail(messages::logarithm_of_nothing(axis, range->low));
        wish.range = logarithmic ? *range : standard_scale(range->low, range->high);
    }
    bench.picture.axes(horizontal, vertical);
    bench.picture.title(plot_heading(bench));
    // Half of them would be drawn with limits that were not given.
    if (bench.picture.plot().x_range && bench.picture.plot().y_range) bench.show_picture(false);
    return true;
}

bool command_zoom(Workbench& bench, const std::string& arguments) {
    if (bench.picture.empty()) return bench.fail(messages::no_picture());
    TokenReader tokens(arguments);
    std::optional<PlotRange> horizontal, vertical;
    while (!tokens.at_end()) {
        const std::string axis = upper_case(tokens.word().value_or(""));
        if (axis != "H" && axis != "V") return bench.fail(messages::zoom_form());
        const auto range = read_limits(bench, tokens, axis, messages::zoom_form());
        if (!range) return false;
        (axis == "H" ? horizontal : vertical) = range;
    }
    bench.picture.zoom(horizontal, vertical);
    bench.show_picture(false);
    return true;
}

// Values of the curves at a place of the horizontal axis; moved by keys where there are any.
bool command_cursor(Workbench& bench, const std::string& arguments) {
    if (bench.picture.empty()) return bench.fail(messages::no_picture());
    const Plot& plot = bench.picture.plot();
    if (arguments.empty()) {
        if (bench.by_person() && bench.switches.plots && bench.host.explore(plot)) return true;
        return bench.fail(messages::cursor_form());
    }
    const auto place = bench.expression(arguments);
    if (!place) return false;
    for (const std::string& line : cursor_lines(plot, *place)) bench.print(line);
    return true;
}

bool command_clear(Workbench& bench, const std::string& arguments) {
    if (!arguments.empty()) return bench.fail(messages::no_arguments("CLEAR"));
    bench.picture.clear();
    bench.picture.title(plot_heading(bench));
    return true;
}

bool command_show(Workbench& bench, const std::string& arguments) {
    if (shows_several(arguments)) return show_several(bench, arguments);
    std::optional<Diagnostic> problem;
    const auto options = split_options(arguments, {"MARK", "LIST"}, true, problem);
    if (!options) return bench.fail(problem);
    const auto stored = read_stored(bench, options->file.value_or(bench.run.file), options->file.has_value());
    if (!stored) return false;
    const Trajectory* const trajectory = &stored->trajectory;
    const NameIndex& names = stored->names;
    if (options->has("LIST")) {
        std::string out;
        for (const Column& column : trajectory->columns())
            out += (out.empty() ? "" : " ") + names.shown(column.name);
        bench.print(out);
    }
    std::vector<NamedQuantity> variables;
    std::optional<NamedQuantity> horizontal;
    if (!read_variables(bench, names, options->arguments, variables, horizontal)) return false;
    if (variables.empty()) return options->has("LIST") ? true : bench.fail(messages::show_form());

    const auto column_of = [&](const NamedQuantity& variable) { return *trajectory->find(variable.path); };
    const ColumnIndex x = horizontal ? column_of(*horizontal) : ColumnIndex(0);
    std::vector<CurveWish> wishes;
    for (const NamedQuantity& variable : variables) {
        const Column& column = trajectory->columns()[column_of(variable)];
        wishes.push_back({variable.path, variable.shown, column.unit,
                          column.kind == ColumnKind::Discrete && x == ColumnIndex(0)});
    }
    if (!bench.picture.axes_given()) bench.picture.clear();
    if (bench.switches.plcom) bench.picture.title(heading("SHOW", variables, horizontal));
    const Column& x_column = trajectory->columns()[x];
    bench.picture.begin(wishes, horizontal ? horizontal->shown : x_column.name, x_column.unit,
                        Picture::Run{stored->name, {}, false});
    for (std::size_t row = 0; row < trajectory->rows(); ++row) {
        if (bench.switches.dark && row > 0 && trajectory->time(row) == trajectory->time(row - 1))
            bench.picture.gap();
        for (std::size_t k = 0; k < variables.size(); ++k)
            bench.picture.point(k, trajectory->value(x, row),
                                trajectory->value(column_of(variables[k]), row));
    }
    if (options->has("MARK")) bench.picture.mark();
    bench.show_picture(false);
    return true;
}

bool command_hcopy(Workbench& bench, const std::string& arguments) {
    const std::vector<std::string> words = shell_words(arguments);
    if (words.size() != 1) return bench.fail(messages::one_file("HCOPY"));
    if (bench.picture.empty()) return bench.fail(messages::no_picture());
    std::string path = words[0];
    const std::string ending = lower_case(std::filesystem::path(path).extension().string());
    if (ending.empty()) path += ".svg";
    if (!ending.empty() && ending != ".svg" && ending != ".png" && ending != ".pdf")
        return bench.fail(messages::picture_ending(path));
    if (const Problem problem = write_picture(bench.picture.plot(), path))
        return bench.fail(messages::file_problem(*problem));
    bench.print("WRITTEN: " + path);
    return true;
}

}  // namespace cutset
