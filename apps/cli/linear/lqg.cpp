// cutset lqg.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "operations/linear/regulator_study.h"

namespace cutset::cli {

namespace {

struct LqgOptions : LqgRequest, OutputOptions {
    std::string output, closed_loop;
};

Json lqg_json(const LqgStudy& study) {
    Json out = system_json(study.lqg.regulator);
    out["K"] = matrix_json(study.feedback.K);
    out["L"] = matrix_json(study.filter.L);
    out["poles"] = complex_json(study.lqg.poles);
    out["eigenvalues"] = out["poles"];
    out["regulator_poles"] = complex_json(study.feedback.poles);
    out["filter_poles"] = complex_json(study.filter.poles);
    out["residual"] = study.residual();
    out["closed_loop"] = system_json(study.lqg.closed_loop);
    return out;
}

void print_lqg(const LqgStudy& study, bool written) {
    const StateSpace& system = study.system;
    fmt::print("regulator from {} to {}, to be connected as it is (u = regulator(y))\n",
               system.outputs.size() == 1 ? system.outputs[0] : "the outputs",
               system.inputs.size() == 1 ? system.inputs[0] : "the inputs");
    if (!written) print_system(study.lqg.regulator);
    print_poles("poles of the closed loop, of the feedback", study.feedback.poles, system.sample_time);
    print_poles("and of the filter", study.filter.poles, system.sample_time);
    fmt::print("residual of the Riccati equations {:.1e}\n", study.residual());
}

int lqg(const LqgOptions& options) {
    const bool quiet = options.quiet || options.json;
    return run_study(options, lqg_study,
                     {.write =
                          [&](const LqgStudy& study, Diagnostics& diagnostics) {
                              return write_system(study.lqg.regulator, options.output, quiet, diagnostics) &&
                                     write_system(study.lqg.closed_loop, options.closed_loop, quiet,
                                                  diagnostics);
                          },
                      .json = lqg_json,
                      .print =
                          [&](const LqgStudy& study) {
                              if (!quiet) print_lqg(study, !options.output.empty());
                          }});
}

}  // namespace

void add_lqg(CommandLine& line) {
    auto o = std::make_shared<LqgOptions>();
    Command& c = line.add("lqg", groups::linear, "regulator from outputs to inputs: LQR with a Kalman filter",
                          [o] { return lqg(*o); });
    add_linear_options(c, *o);
    c.option("--Q", o->cost.Q,
             std::string("cost of states, or of outputs when these are named: ") + weights_help);
    c.option("--R", o->cost.R, "cost of inputs; default 1");
    c.option("--N", o->cost.N, "cost of products, 2 x^T N u; default 0");
    c.option("--W", o->noise.process,
             "covariance of the noise on states (or inputs, when these are named); default 1");
    c.option("--V", o->noise.measurement, "covariance of the noise of outputs; default 1");
    c.option("-o,--output", o->output,
             "write the regulator to FILE.json, FILE.mat, or as a component of models to FILE.dym");
    c.option("--closed-loop", o->closed_loop,
             "write system and regulator, connected, to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n"
        "  cutset lqg cart.json --Q \"x=10\" --R 0.1 --W \"speed=1\" --V 0.01 -o regulator.json\n"
        "  cutset lqg cart.json --closed-loop closed.json && cutset step closed.json");
}

}  // namespace cutset::cli
