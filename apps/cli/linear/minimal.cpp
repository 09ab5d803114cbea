// cutset minimal.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "operations/linear/realization_study.h"

namespace cutset::cli {

namespace {

struct MinimalOptions : MinimalRequest, OutputOptions {
    std::string output;
};

Json minimal_json(const MinimalStudy& study) {
    const MinimalRealization& small = study.realization;
    Json out = {{"order", small.system.order()},
                {"removed", study.removed()},
                {"uncontrollable", small.uncontrollable},
                {"unobservable", small.unobservable}};
    out.update(system_json(small.system));
    return out;
}

void print_removed(const MinimalStudy& study) {
    if (study.removed() == 0)
        fmt::print("minimal as it is: {} states\n", study.order);
    else
        fmt::print(
            "{} of {} states are left; {} not reached by the inputs, {} more not shown by the outputs\n",
            study.realization.system.order(), study.order, study.realization.uncontrollable,
            study.realization.unobservable);
}

int minimal(const MinimalOptions& options) {
    const bool speaks = !options.json && !options.quiet;
    return run_study(options, minimal_study,
                     {.write =
                          [&](const MinimalStudy& study, Diagnostics& diagnostics) {
                              if (speaks) print_removed(study);
                              return write_system(study.realization.system, options.output, !speaks,
                                                  diagnostics);
                          },
                      .json = minimal_json,
                      .print =
                          [&](const MinimalStudy& study) {
                              if (speaks && options.output.empty()) print_system(study.realization.system);
                          }});
}

}  // namespace

void add_minimal(CommandLine& line) {
    auto o = std::make_shared<MinimalOptions>();
    Command& c =
        line.add("minimal", groups::linear, "remove what the inputs do not reach or the outputs do not show",
                 [o] { return minimal(*o); });
    add_linear_options(c, *o);
    c.option("--tolerance", o->tolerance, "relative singular values below this count as zero; default 1e-10");
    c.option("-o,--output", o->output, "write the linear system to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n  cutset minimal plant.json\n  cutset minimal plant.dym --inputs u --outputs y -o "
        "small.json");
}

}  // namespace cutset::cli
