// cutset kalman.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "linear/matrix_text.h"
#include "operations/linear/regulator_study.h"

namespace cutset::cli {

namespace {

struct KalmanOptions : KalmanRequest, OutputOptions {
    std::string output;
};

Json kalman_json(const KalmanStudy& study) {
    const KalmanFilter& k = study.filter;
    Json out = {{"L", matrix_json(k.L)},
                {"P", matrix_json(k.P)},
                {"poles", complex_json(k.poles)},
                {"eigenvalues", complex_json(k.poles)},
                {"residual", k.residual},
                {"states", study.system.states},
                {"inputs", study.system.inputs},
                {"outputs", study.system.outputs},
                {"estimator", system_json(k.estimator)}};
    if (k.M.size() > 0) out["M"] = matrix_json(k.M);
    return out;
}

void print_kalman(const KalmanStudy& study) {
    const StateSpace& system = study.system;
    const KalmanFilter& k = study.filter;
    fmt::print("{}\n{}",
               system.is_sampled() ? "x^(k+1) = A x^ + B u + L (y - C x^ - D u)"
                                   : "x^' = A x^ + B u + L (y - C x^ - D u)",
               matrix_text("L", k.L, system.states, system.outputs));
    if (k.M.size() > 0)
        fmt::print("correction at the sample: x^ + M (y - C x^ - D u)\n{}",
                   matrix_text("M", k.M, system.states, system.outputs));
    if (system.order() <= 20)
        fmt::print("covariance of the error\n{}", matrix_text("P", k.P, system.states, system.states));
    print_poles("poles of the filter", k.poles, system.sample_time);
    fmt::print("residual of the Riccati equation {:.1e}\n", k.residual);
}

int kalman(const KalmanOptions& options) {
    const bool quiet = options.quiet || options.json;
    return run_study(options, kalman_study,
                     {.write =
                          [&](const KalmanStudy& study, Diagnostics& diagnostics) {
                              return write_system(study.filter.estimator, options.output, quiet, diagnostics);
                          },
                      .json = kalman_json,
                      .print =
                          [&](const KalmanStudy& study) {
                              if (!quiet) print_kalman(study);
                          }});
}

}  // namespace

void add_kalman(CommandLine& line) {
    auto o = std::make_shared<KalmanOptions>();
    Command& c = line.add("kalman", groups::linear, "Kalman filter: states from noisy outputs",
                          [o] { return kalman(*o); });
    add_linear_options(c, *o);
    c.option("--Q", o->noise.process,
             "covariance of the noise on states (or inputs, when these are named): \"x1=0.1\", a number, a "
             "matrix or file; "
             "default 1");
    c.option("--R", o->noise.measurement, "covariance of the noise of outputs, in the same way; default 1");
    c.option("-o,--output", o->output,
             "write the estimator (from inputs and outputs to states) to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n"
        "  cutset kalman cart.json --Q \"speed=0.1\" --R \"position=0.01\"\n"
        "  cutset kalman motor.dym --inputs u --outputs w --Q u=0.5 --json");
}

}  // namespace cutset::cli
