// cutset plot: a result on the terminal or as a picture.
#include "results/plot.h"

#include <fmt/format.h>

#include <memory>

#include "base/utf8.h"
#include "commands.h"
#include "output/console.h"
#include "output/curves.h"
#include "results/messages.h"
#include "results/reader.h"

namespace cutset::cli {

namespace {

struct PlotOptions {
    std::string file;
    std::vector<std::string> names;
    std::string output;
    std::string title;
};

void list_columns(const Trajectory& result) {
    for (const Column& column : result.columns()) {
        if (column.kind == ColumnKind::Time) continue;
        const std::string line =
            fmt::format("{}{}{}{}", column.name, column.unit.empty() ? "" : " [" + column.unit + "]",
                        column.kind == ColumnKind::Parameter ? fmt::format(" = {:.6g}", column.value) : "",
                        column.description.empty() ? "" : "  " + column.description);
        fmt::print("{}\n", printable(line));
    }
}

int plot(const PlotOptions& options) {
    Diagnostics diagnostics;
    Sources sources;
    const auto result = read_result(options.file, diagnostics);
    if (result && options.names.empty()) {
        list_columns(*result);
    } else if (result) {
        std::vector<std::string> names;
        for (const std::string& text : options.names)
            for (const std::string& name : split_names(text)) names.push_back(name);
        if (auto picture = make_plot(*result, names, diagnostics)) {
            picture->title = options.title;
            if (options.output.empty()) {
                print_curves(*result, names, options.title);
            } else if (const auto problem = write_picture(*picture, options.output)) {
                diagnostics.report(results_messages::cannot_write(*problem));
            } else {
                fmt::print("{}\n", printable(options.output));
            }
        }
    }
    print_diagnostics(diagnostics, sources);
    return diagnostics.has_errors() ? 1 : 0;
}

}  // namespace

void add_plot(CommandLine& line) {
    auto o = std::make_shared<PlotOptions>();
    Command& c = line.add("plot", groups::results, "plot a result on the terminal or to a file",
                          [o] { return plot(*o); });
    c.positional("FILE", o->file, "a result, .csv, .mat or .npz", true).files({".csv", ".mat", ".npz"});
    c.positionals("NAMES", o->names, "variables, or \"y(x)\"; none: list what there is");
    c.option("-o,--output", o->output, "picture file: .svg, .png or .pdf");
    c.option("--title", o->title, "title of the plot");
    c.footer(
        "Examples:\n"
        "  cutset plot tanks.csv                    what variables there are\n"
        "  cutset plot tanks.csv Tank1.h Tank2.h    on the terminal\n"
        "  cutset plot tanks.csv \"Tank2.h(Tank1.h)\" -o phase.svg");
}

}  // namespace cutset::cli
