// cutset plot: a result on the terminal or as a picture.
#include "results/plot.h"

#include <fmt/format.h>

#include "commands.h"
#include "console.h"
#include "curves.h"
#include "results/reader.h"

namespace cutset::cli {

namespace {

void list_columns(const Trajectory& result) {
    for (const Column& column : result.columns()) {
        if (column.kind == ColumnKind::Time) continue;
        fmt::print("{}{}{}{}\n", column.name, column.unit.empty() ? "" : " [" + column.unit + "]",
                   column.kind == ColumnKind::Parameter ? fmt::format(" = {:.6g}", column.value) : "",
                   column.description.empty() ? "" : "  " + column.description);
    }
}

}  // namespace

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
                Diagnostic d;
                d.code = "cannot-write";
                d.message = *problem;
                diagnostics.report(std::move(d));
            } else {
                fmt::print("{}\n", options.output);
            }
        }
    }
    print_diagnostics(diagnostics, sources);
    return diagnostics.has_errors() ? 1 : 0;
}

}  // namespace cutset::cli
