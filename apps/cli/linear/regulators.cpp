// cutset lqr, cutset kalman, cutset lqg, cutset place.
#include <fmt/format.h>

#include <memory>

#include "base/json.h"
#include "commands.h"
#include "control/pole_placement.h"
#include "control/regulator.h"
#include "control/state_space_messages.h"
#include "linear/linear_output.h"
#include "linear/linear_source.h"
#include "linear/matrix_text.h"
#include "linear/state_space_output.h"

namespace cutset::cli {

namespace {

struct RegulatorOptions : LinearOptions {
    std::string Q, R, N;               // of the cost
    std::string process, measurement;  // covariances: --Q and --R of kalman, --W and --V of lqg
    std::vector<std::string> poles;
    std::string output, closed_loop;
};

// A weight that was not given is the unit matrix, and a note says so.
std::optional<NamedWeight> weight(const std::string& text, const char* option,
                                  const std::vector<std::string>& names, const char* what,
                                  const std::vector<std::string>& alternatives, const char* other,
                                  Diagnostics& diagnostics) {
    if (!text.empty()) return read_weight(text, option, names, what, alternatives, other, diagnostics);
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "default-weight";
    d.message = fmt::format("--{} is not given: 1 for each of the {}", option, what);
    diagnostics.report(std::move(d));
    const Eigen::Index n = Eigen::Index(names.size());
    return NamedWeight{Eigen::MatrixXd::Identity(n, n), false};
}

std::optional<QuadraticCost> read_cost(const RegulatorOptions& options, const StateSpace& system,
                                       Diagnostics& diagnostics) {
    const auto Q = weight(options.Q, "Q", system.states, "states", system.outputs, "outputs", diagnostics);
    const auto R = weight(options.R, "R", system.inputs, "inputs", {}, "", diagnostics);
    if (!Q || !R) return {};
    if (!check_weight(
            R->matrix, "R", system.B.cols(), "inputs", !system.is_sampled(),
            "each input, and each combination of inputs, must cost something: give positive weights in --R",
            diagnostics))
        return {};
    QuadraticCost cost{Q->matrix, R->matrix, {}};
    if (Q->of_alternatives) {
        if (!check_weight(Q->matrix, "Q", system.C.rows(), "outputs", false,
                          "a negative weight would reward deviations: the cost has no minimum then",
                          diagnostics))
            return {};
        cost = output_cost(system, Q->matrix, R->matrix);
    }
    if (!options.N.empty()) {
        const auto N = read_matrix(options.N, "N", diagnostics);
        if (!N) return {};
        Eigen::MatrixXd cross = *N;
        if (cross.rows() == system.B.cols() && cross.cols() == system.order() && cross.rows() != cross.cols())
            cross.transposeInPlace();
        if (cross.rows() != system.order() || cross.cols() != system.B.cols()) {
            diagnostics.report(bad_option(
                fmt::format("--N is {} x {}, but must be {} x {}: a row for each state and a column "
                            "for each input",
                            N->rows(), N->cols(), system.order(), system.B.cols())));
            return {};
        }
        cost.N = cost.N.size() > 0 ? Eigen::MatrixXd(cost.N + cross) : cross;
    }
    return cost;
}

std::optional<NoiseModel> read_noise(const RegulatorOptions& options, const char* process,
                                     const char* measurement, const StateSpace& system,
                                     Diagnostics& diagnostics) {
    const auto W =
        weight(options.process, process, system.states, "states", system.inputs, "inputs", diagnostics);
    const auto V = weight(options.measurement, measurement, system.outputs, "outputs", {}, "", diagnostics);
    if (!W || !V) return {};
    if (!W->of_alternatives) return NoiseModel{W->matrix, V->matrix, {}};
    if (!check_weight(W->matrix, fmt::format("{} (process noise)", process), system.B.cols(), "inputs", false,
                      "a covariance has no negative eigenvalues", diagnostics) ||
        !check_weight(V->matrix, fmt::format("{} (measurement noise)", measurement), system.C.rows(),
                      "outputs", !system.is_sampled(), "each measurement has some noise", diagnostics))
        return {};
    return input_noise(system, W->matrix, V->matrix);
}

// The closed loop to the file that is wanted.
bool write_both(const RegulatorOptions& options, const StateSpace& main, const StateSpace* closed,
                Diagnostics& diagnostics) {
    const bool quiet = options.quiet || options.json;
    if (!write_system(main, options.output, quiet, diagnostics)) return false;
    return !closed || write_system(*closed, options.closed_loop, quiet, diagnostics);
}

int lqr(const RegulatorOptions& options) {
    Workspace workspace;
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_state_space(options, workspace, false);
    if (!system || !check_system(*system, diagnostics)) return finish(workspace, options);
    const auto cost = read_cost(options, *system, diagnostics);
    const auto r = cost ? design_lqr(*system, *cost, diagnostics) : std::nullopt;
    if (!r || !write_both(options, r->closed_loop, nullptr, diagnostics)) return finish(workspace, options);
    if (options.json) {
        Json out = {{"K", matrix_json(r->K)},          {"S", matrix_json(r->X)},
                    {"poles", complex_json(r->poles)}, {"eigenvalues", complex_json(r->poles)},
                    {"residual", r->residual},         {"Q", matrix_json(cost->Q)},
                    {"R", matrix_json(cost->R)},       {"states", system->states},
                    {"inputs", system->inputs},        {"closed_loop", system_json(r->closed_loop)}};
        return finish_json(std::move(out), workspace);
    }
    if (!options.quiet) {
        fmt::print("u = -K x\n{}", matrix_text("K", r->K, system->inputs, system->states));
        if (system->order() <= 20)
            fmt::print("cost of x: x^T S x\n{}", matrix_text("S", r->X, system->states, system->states));
        print_poles("poles of the closed loop", r->poles, system->sample_time);
        fmt::print("residual of the Riccati equation {:.1e}\n", r->residual);
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

int kalman(const RegulatorOptions& options) {
    Workspace workspace;
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_state_space(options, workspace, false);
    if (!system || !check_system(*system, diagnostics)) return finish(workspace, options);
    const auto noise = read_noise(options, "Q", "R", *system, diagnostics);
    const auto k = noise ? design_kalman(*system, *noise, diagnostics) : std::nullopt;
    if (!k || !write_both(options, k->estimator, nullptr, diagnostics)) return finish(workspace, options);
    if (options.json) {
        Json out = {{"L", matrix_json(k->L)},
                    {"P", matrix_json(k->P)},
                    {"poles", complex_json(k->poles)},
                    {"eigenvalues", complex_json(k->poles)},
                    {"residual", k->residual},
                    {"states", system->states},
                    {"inputs", system->inputs},
                    {"outputs", system->outputs},
                    {"estimator", system_json(k->estimator)}};
        if (k->M.size() > 0) out["M"] = matrix_json(k->M);
        return finish_json(std::move(out), workspace);
    }
    if (!options.quiet) {
        fmt::print("{}\n{}",
                   system->is_sampled() ? "x^(k+1) = A x^ + B u + L (y - C x^ - D u)"
                                        : "x^' = A x^ + B u + L (y - C x^ - D u)",
                   matrix_text("L", k->L, system->states, system->outputs));
        if (k->M.size() > 0)
            fmt::print("correction at the sample: x^ + M (y - C x^ - D u)\n{}",
                       matrix_text("M", k->M, system->states, system->outputs));
        if (system->order() <= 20)
            fmt::print("covariance of the error\n{}", matrix_text("P", k->P, system->states, system->states));
        print_poles("poles of the filter", k->poles, system->sample_time);
        fmt::print("residual of the Riccati equation {:.1e}\n", k->residual);
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

int lqg(const RegulatorOptions& options) {
    Workspace workspace;
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_state_space(options, workspace);
    if (!system || !check_system(*system, diagnostics)) return finish(workspace, options);
    const auto cost = read_cost(options, *system, diagnostics);
    const auto noise = cost ? read_noise(options, "W", "V", *system, diagnostics) : std::nullopt;
    if (!noise) return finish(workspace, options);
    const auto r = design_lqr(*system, *cost, diagnostics);
    const auto k = r ? design_kalman(*system, *noise, diagnostics) : std::nullopt;
    const auto g = k ? design_lqg(*system, *r, *k, diagnostics) : std::nullopt;
    if (!g || !write_both(options, g->regulator, &g->closed_loop, diagnostics))
        return finish(workspace, options);
    const double residual = std::max(r->residual, k->residual);
    if (options.json) {
        Json out = system_json(g->regulator);
        out["K"] = matrix_json(r->K);
        out["L"] = matrix_json(k->L);
        out["poles"] = complex_json(g->poles);
        out["eigenvalues"] = out["poles"];
        out["regulator_poles"] = complex_json(r->poles);
        out["filter_poles"] = complex_json(k->poles);
        out["residual"] = residual;
        out["closed_loop"] = system_json(g->closed_loop);
        return finish_json(std::move(out), workspace);
    }
    if (!options.quiet) {
        fmt::print("regulator from {} to {}, to be connected as it is (u = regulator(y))\n",
                   system->outputs.size() == 1 ? system->outputs[0] : "the outputs",
                   system->inputs.size() == 1 ? system->inputs[0] : "the inputs");
        if (options.output.empty()) print_system(g->regulator);
        print_poles("poles of the closed loop, of the feedback", r->poles, system->sample_time);
        print_poles("and of the filter", k->poles, system->sample_time);
        fmt::print("residual of the Riccati equations {:.1e}\n", residual);
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

int place(const RegulatorOptions& options) {
    Workspace workspace;
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_state_space(options, workspace, false);
    if (!system || !check_system(*system, diagnostics)) return finish(workspace, options);
    const auto wanted = read_poles(options.poles, diagnostics);
    const auto p = wanted ? place_poles(*system, *wanted, diagnostics) : std::nullopt;
    if (!p || !write_both(options, p->closed_loop, nullptr, diagnostics)) return finish(workspace, options);
    if (options.json) {
        Json out = {{"K", matrix_json(p->K)},
                    {"poles", complex_json(p->poles)},
                    {"eigenvalues", complex_json(p->poles)},
                    {"residual", p->error},
                    {"sensitivity", number_json(p->sensitivity)},
                    {"method", p->method == PlacementMethod::Robust ? "robust" : "schur"},
                    {"states", system->states},
                    {"inputs", system->inputs},
                    {"closed_loop", system_json(p->closed_loop)}};
        return finish_json(std::move(out), workspace);
    }
    if (!options.quiet) {
        fmt::print("u = -K x\n{}", matrix_text("K", p->K, system->inputs, system->states));
        print_poles("poles of the closed loop", p->poles, system->sample_time);
        fmt::print("relative error {:.1e}, condition of the eigenvectors {:.2g}\n", p->error, p->sensitivity);
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

constexpr const char* cost_help =
    "weights by name: \"x1=10,x2=1\" (others 0), one number, \"[1, 0; 0, 2]\", or a file; default 1";

}  // namespace

void add_lqr(CommandLine& line) {
    auto o = std::make_shared<RegulatorOptions>();
    Command& c = line.add("lqr", groups::linear, "state feedback that minimises a quadratic cost",
                          [o] { return lqr(*o); });
    add_linear_options(c, *o);
    c.option("--Q", o->Q, std::string("cost of states, or of outputs when these are named: ") + cost_help);
    c.option("--R", o->R, "cost of inputs, in the same way; default 1");
    c.option("--N", o->N, "cost of products, 2 x^T N u: \"[0; 1]\" or a file; default 0");
    c.option("-o,--output", o->output,
             "write the closed loop, with the inputs added to the feedback, to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n"
        "  cutset lqr cart.json --Q \"x=10,angle=100\" --R 0.1\n"
        "  cutset lqr motor.dym --inputs u --outputs w --Q w=4 -o closed.json && cutset step closed.json\n"
        "The cost is the integral (sum, when sampled) of x^T Q x + 2 x^T N u + u^T R u; the feedback is u = "
        "-K x.");
}

void add_kalman(CommandLine& line) {
    auto o = std::make_shared<RegulatorOptions>();
    Command& c = line.add("kalman", groups::linear, "Kalman filter: states from noisy outputs",
                          [o] { return kalman(*o); });
    add_linear_options(c, *o);
    c.option("--Q", o->process,
             "covariance of the noise on states (or inputs, when these are named): \"x1=0.1\", a number, a "
             "matrix or file; "
             "default 1");
    c.option("--R", o->measurement, "covariance of the noise of outputs, in the same way; default 1");
    c.option("-o,--output", o->output,
             "write the estimator (from inputs and outputs to states) to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n"
        "  cutset kalman cart.json --Q \"speed=0.1\" --R \"position=0.01\"\n"
        "  cutset kalman motor.dym --inputs u --outputs w --Q u=0.5 --json");
}

void add_lqg(CommandLine& line) {
    auto o = std::make_shared<RegulatorOptions>();
    Command& c = line.add("lqg", groups::linear, "regulator from outputs to inputs: LQR with a Kalman filter",
                          [o] { return lqg(*o); });
    add_linear_options(c, *o);
    c.option("--Q", o->Q, std::string("cost of states, or of outputs when these are named: ") + cost_help);
    c.option("--R", o->R, "cost of inputs; default 1");
    c.option("--N", o->N, "cost of products, 2 x^T N u; default 0");
    c.option("--W", o->process,
             "covariance of the noise on states (or inputs, when these are named); default 1");
    c.option("--V", o->measurement, "covariance of the noise of outputs; default 1");
    c.option("-o,--output", o->output, "write the regulator to FILE.json or FILE.mat");
    c.option("--closed-loop", o->closed_loop,
             "write system and regulator, connected, to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n"
        "  cutset lqg cart.json --Q \"x=10\" --R 0.1 --W \"speed=1\" --V 0.01 -o regulator.json\n"
        "  cutset lqg cart.json --closed-loop closed.json && cutset step closed.json");
}

void add_place(CommandLine& line) {
    auto o = std::make_shared<RegulatorOptions>();
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
