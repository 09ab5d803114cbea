// cutset optimize: the best parameters and inputs.
#include "runs/optimize.h"

#include <memory>
#include <utility>

#include "commands.h"

namespace cutset::cli {

namespace {

int optimize(const OptimizeCommand& command) {
    Workspace workspace;
    auto experiment = open_model(command, workspace);
    if (!experiment) return finish(workspace, command);
    if (!is_complete(command, workspace.diagnostics)) return finish_refused(workspace, command);
    const bool inputs = seeks_inputs(command, workspace, *experiment);
    if (workspace.diagnostics.has_errors()) return finish(workspace, command);
    return inputs ? optimize_inputs(command, workspace, std::move(*experiment))
                  : optimize_parameters(command, workspace, std::move(*experiment));
}

}  // namespace

void add_optimize(CommandLine& line) {
    auto o = std::make_shared<OptimizeCommand>();
    Command& c = line.add("optimize", groups::design,
                          "the parameters, or the inputs over time, for which an objective is least",
                          [o] { return optimize(*o); });
    add_model_options(c, *o);
    add_run_options(c, *o);
    c.option(
        "--minimize", o->minimize,
        "objective: an expression over variables at the end of the run; also integral(e), max(e), min(e) "
        "along the run, x@2.5");
    c.option("--maximize", o->maximize, "the same, to be made large");
    c.list("--over", o->over,
           "what may be changed: p=lower:upper, p=lower:upper:guess, p; x(0) for initial values; "
           "an input is then found as a function of time: u=-1:1");
    c.option("--subject", o->subject,
             "a condition along the whole run, \"T < 400\", at its end, \"x@end = 1\", or on a number, "
             "\"integral(u) < 5\" (may be repeated)");
    c.option("--end", o->end, "a condition at the end: \"v = 0\"; as --subject \"v@end = 0\"");
    c.option("--horizon", o->horizon,
             "length of the run, as --stop with --start 0; with inputs also a free one, T=0.1:2");
    c.flag("--steady", o->steady, "the model in equilibrium: derivatives are zero, there is no run");
    c.option("--starts", o->starts, "from so many first values, spread over the bounds; the best counts (1)");
    Words<std::optional<OptimizerMethod>> methods;
    for (const MethodDescription& d : optimizer_list()) methods.emplace_back(d.name, d.method);
    c.choice("--method", o->method, std::move(methods),
             "ipopt and slsqp use derivatives; bobyqa, cobyla, simplex do not; direct, crs and isres look "
             "everywhere in the bounds (ipopt, or one without derivatives where there are none)");
    c.choice("--derivatives", o->derivatives,
             {{"forward", ParametricRuns::Derivatives::Forward},
              {"adjoint", ParametricRuns::Derivatives::Adjoint}},
             "forward or backward in time (by the number of parameters)");
    c.option("--precision", o->precision, "of the optimum, relative (1e-6)");
    c.option("--max-iterations", o->max_iterations, "of the optimizer (500)");
    c.list("--bounds", o->bounds, "with inputs: of states, instead of their declared ranges, x=lower:upper");
    c.option("--guess", o->guess, "with inputs: a result to begin with (.csv, .mat)");
    c.option("--intervals", o->intervals, "with inputs: of the first mesh (40)");
    c.option("--degree", o->degree, "with inputs: of the polynomials in an interval, 1 to 8 (3)");
    c.option("--rounds", o->rounds, "with inputs: how often the mesh may be refined (3)");
    c.choice("--hessian", o->exact_hessian, {{"exact", true}, {"approximate", false}},
             "with inputs: second derivatives exact, or by quasi-Newton updates");
    c.option("-o,--output", o->output,
             "the best run as .csv or .mat, or a picture before and after as .svg, .pdf or .png");
    c.list("--plot", o->plot, "curves to show: v1,v2");
    c.footer(
        "Examples:\n"
        "  cutset optimize servo.dym --minimize \"integral((y - 1)**2)\" --over k=0.1:10,Ti=0.5:20 --stop "
        "20\n"
        "  cutset optimize reactor.dym --maximize cB@end --over T=300:400 --subject \"cA@end < 0.1\"\n"
        "  cutset optimize beam.dym --minimize mass --over b=0.01:0.2,h=0.01:0.4 --subject \"stress < 1e8\"\n"
        "  cutset optimize goddard.dym --maximize h --over u=0:3.5 --horizon T=0.05:0.5 --end \"m = 0.6\"\n"
        "The runs are made with --tolerance 1e-8 unless another is given.\n"
        "Exit status: 0 when an optimum was found, 1 otherwise, 2 wrong options.");
}

}  // namespace cutset::cli
