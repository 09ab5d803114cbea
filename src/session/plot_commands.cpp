// PLOT, AXES, SHOW, HCOPY, CLEAR.
#include <algorithm>
#include <filesystem>
#include <set>

#include "results/reader.h"
#include "session/command_text.h"
#include "session/edit_file.h"
#include "session/messages.h"
#include "session/result_file.h"
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

bool command_axes(Workbench& bench, const std::string& arguments) {
    TokenReader tokens(arguments);
    std::optional<PlotRange> horizontal, vertical;
    while (!tokens.at_end()) {
        const auto word = tokens.word();
        const std::string axis = upper_case(word.value_or(""));
        if (axis == "AUTO") {
            bench.picture.automatic_axes();
            if (tokens.at_end()) return true;
            continue;
        }
        if (axis != "H" && axis != "V") return bench.fail(messages::axes_form());
        const auto low = tokens.number(), high = tokens.number();
        if (!low || !high) return bench.fail(messages::axes_form());
        if (!(*low < *high)) return bench.fail(messages::axes_limits(axis, *low, *high));
        (axis == "H" ? horizontal : vertical) = standard_scale(*low, *high);
    }
    bench.picture.axes(horizontal, vertical);
    bench.picture.title(plot_heading(bench));
    return true;
}

bool command_clear(Workbench& bench, const std::string& arguments) {
    if (!arguments.empty()) return bench.fail(messages::no_arguments("CLEAR"));
    bench.picture.clear();
    bench.picture.title(plot_heading(bench));
    return true;
}

bool command_show(Workbench& bench, const std::string& arguments) {
    std::optional<Diagnostic> problem;
    const auto options = split_options(arguments, {"MARK", "LIST"}, true, problem);
    if (!options) return bench.fail(problem);
    const std::string name = options->file.value_or(bench.run.file);
    const auto path = find_file(name, {".csv"});
    if (!path || std::filesystem::is_directory(*path))
        return bench.fail(messages::no_result(result_path(name), !options->file));
    Diagnostics diagnostics;
    const auto trajectory = read_result(*path, diagnostics);
    if (!diagnostics.all().empty()) bench.report(diagnostics, bench.sources);
    if (!trajectory) return false;

    std::vector<LiveModel::Quantity> quantities;
    std::vector<SystemSummary> systems;
    std::set<std::string> prefixes;
    for (const Column& column : trajectory->columns()) {
        quantities.push_back({column.name, column.unit});
        for (std::size_t dot = column.name.find('.'); dot != std::string::npos;
             dot = column.name.find('.', dot + 1))
            prefixes.insert(column.name.substr(0, dot));
    }
    for (const std::string& prefix : prefixes) {
        SystemSummary system;
        system.name = system.path = prefix;
        systems.push_back(std::move(system));
    }
    const bool brackets = bench.system.simnon || !bench.system.live;
    const NameIndex names(quantities, systems, brackets);
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
    bench.picture.begin(wishes, horizontal ? horizontal->shown : x_column.name, x_column.unit, name, false);
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
    if (path != words[0]) bench.print("WRITTEN: " + path);
    return true;
}

}  // namespace cutset
