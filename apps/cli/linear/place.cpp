// cutset place.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "linear/matrix_text.h"
#include "operations/linear/regulator_study.h"

namespace cutset::cli {

namespace {

struct PlaceOptions : PlacementRequest, OutputOptions {
    std::string output;
};

Json placement_json(const PlacementStudy& study) {
    const PolePlacement& p = study.placement;
    return {{"K", matrix_json(p.K)},
            {"poles", complex_json(p.poles)},
            {"eigenvalues", complex_json(p.poles)},
            {"residual", p.error},
            {"sensitivity", number_json(p.sensitivity)},
            {"method", p.method == PlacementMethod::Robust ? "robust" : "schur"},
            {"states", study.system.states},
            {"inputs", study.system.inputs},
            {"closed_loop", system_json(p.closed_loop)}};
}

void print_placement(const PlacementStudy& study) {
    const PolePlacement& p = study.placement;
    fmt::print("u = -K x\n{}", matrix_text("K", p.K, study.system.inputs, study.system.states));
    print_poles("poles of the closed loop", p.poles, study.system.sample_time);
    fmt::print("relative error {:.1e}, condition of the eigenvectors {:.2g}\n", p.error, p.sensitivity);
}

int place(const PlaceOptions& options) {
    const bool quiet = options.quiet || options.json;
    return run_study(options, placement_study,
                     {.write =
                          [&](const PlacementStudy& study, Diagnostics& diagnostics) {
                              return write_system(study.placement.closed_loop, options.output, quiet,
                                                  diagnostics);
                          },
                      .json = placement_json,
                      .print =
                          [&](const PlacementStudy& study) {
                              if (!quiet) print_placement(study);
                          }});
}

}  // namespace

void add_place(CommandLine& line) {
    auto o = std::make_shared<PlaceOptions>();
    Command& c = line.add("place", groups::linear, "state feedback that gives the poles wanted",
                          [o] { return place(*o); });
    add_linear_options(c, *o);
    c.option("--poles", o->poles, "the poles, as many as states: \"-1, -2+3i, -2-3i\" or \"-1, -2±3i\"")
        .required();
    c.option("-o,--output", o->output, "write the closed loop to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n"
        "  cutset place cart.json --poles \"-1, -2, -3±2i\"\n"
        "  cutset place motor.dym --inputs u --poles=-10,-12 -o closed.json");
}

}  // namespace cutset::cli
