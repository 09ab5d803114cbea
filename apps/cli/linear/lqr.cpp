// cutset lqr.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "linear/matrix_text.h"
#include "operations/linear/regulator_study.h"

namespace cutset::cli {

namespace {

struct LqrOptions : LqrRequest, OutputOptions {
    std::string output;
};

Json lqr_json(const LqrStudy& study) {
    const Regulator& r = study.regulator;
    return {{"K", matrix_json(r.K)},          {"S", matrix_json(r.X)},
            {"poles", complex_json(r.poles)}, {"eigenvalues", complex_json(r.poles)},
            {"residual", r.residual},         {"Q", matrix_json(study.cost.Q)},
            {"R", matrix_json(study.cost.R)}, {"states", study.system.states},
            {"inputs", study.system.inputs},  {"closed_loop", system_json(r.closed_loop)}};
}

void print_lqr(const LqrStudy& study) {
    const StateSpace& system = study.system;
    const Regulator& r = study.regulator;
    fmt::print("u = -K x\n{}", matrix_text("K", r.K, system.inputs, system.states));
    if (system.order() <= 20)
        fmt::print("cost of x: x^T S x\n{}", matrix_text("S", r.X, system.states, system.states));
    print_poles("poles of the closed loop", r.poles, system.sample_time);
    fmt::print("residual of the Riccati equation {:.1e}\n", r.residual);
}

int lqr(const LqrOptions& options) {
    const bool quiet = options.quiet || options.json;
    return run_study(options, lqr_study,
                     {.write =
                          [&](const LqrStudy& study, Diagnostics& diagnostics) {
                              return write_system(study.regulator.closed_loop, options.output, quiet,
                                                  diagnostics);
                          },
                      .json = lqr_json,
                      .print =
                          [&](const LqrStudy& study) {
                              if (!quiet) print_lqr(study);
                          }});
}

}  // namespace

void add_lqr(CommandLine& line) {
    auto o = std::make_shared<LqrOptions>();
    Command& c = line.add("lqr", groups::linear, "state feedback that minimises a quadratic cost",
                          [o] { return lqr(*o); });
    add_linear_options(c, *o);
    c.option("--Q", o->cost.Q,
             std::string("cost of states, or of outputs when these are named: ") + weights_help);
    c.option("--R", o->cost.R, "cost of inputs, in the same way; default 1");
    c.option("--N", o->cost.N, "cost of products, 2 x^T N u: \"[0; 1]\" or a file; default 0");
    c.option("-o,--output", o->output,
             "write the closed loop, with the inputs added to the feedback, to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n"
        "  cutset lqr cart.json --Q \"x=10,angle=100\" --R 0.1\n"
        "  cutset lqr motor.dym --inputs u --outputs w --Q w=4 -o closed.json && cutset step closed.json\n"
        "The cost is the integral (sum, when sampled) of x^T Q x + 2 x^T N u + u^T R u; the feedback is u = "
        "-K x.");
}

}  // namespace cutset::cli
