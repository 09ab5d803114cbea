// cutset minimal, cutset canonical, cutset sample.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "control/canonical.h"
#include "control/realization.h"
#include "control/sampling.h"
#include "control/state_space_messages.h"
#include "linear/linear_output.h"
#include "linear/linear_source.h"
#include "linear/state_space_output.h"

namespace cutset::cli {

namespace {

struct MinimalOptions : LinearOptions {
    double tolerance = rank_tolerance;
    std::optional<int> order;
    std::string output;
};

struct CanonicalOptions : LinearOptions {
    std::string form, search = "rows", output;
    std::optional<int> order;
};

struct SampleOptions : LinearOptions {
    std::optional<double> period, prewarp;
    std::string method = "zoh", output;
    bool back = false;
};

// Prints and writes a system that is the answer, with what else there is to say.
int answer(const StateSpace& system, Json out, const std::string& output, const ModelOptions& options,
           Workspace& workspace) {
    if (!write_system(system, output, options.quiet || options.json, workspace.diagnostics))
        return finish(workspace, options);
    if (options.json) {
        out.update(system_json(system));
        return finish_json(std::move(out), workspace);
    }
    if (!options.quiet && output.empty()) print_system(system);
    std::fflush(stdout);
    return finish(workspace, options);
}

int minimal(const MinimalOptions& options) {
    Workspace workspace;
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_state_space(options, workspace);
    if (!system || !check_system(*system, diagnostics)) return finish(workspace, options);
    if (!(options.tolerance > 0 && options.tolerance < 1)) {
        diagnostics.report(bad_option("--tolerance must be between 0 and 1"));
        return finish(workspace, options);
    }
    const MinimalRealization small = minimal_realization(*system, options.tolerance);
    Json out = {{"order", small.system.order()},
                {"removed", system->order() - small.system.order()},
                {"uncontrollable", small.uncontrollable},
                {"unobservable", small.unobservable}};
    if (!options.json && !options.quiet) {
        const Eigen::Index removed = system->order() - small.system.order();
        if (removed == 0)
            fmt::print("minimal as it is: {} states\n", system->order());
        else
            fmt::print(
                "{} of {} states are left; {} not reached by the inputs, {} more not shown by the outputs\n",
                small.system.order(), system->order(), small.uncontrollable, small.unobservable);
    }
    return answer(small.system, std::move(out), options.output, options, workspace);
}

int canonical(const CanonicalOptions& options) {
    Workspace workspace;
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_state_space(options, workspace);
    if (!system || !check_system(*system, diagnostics)) return finish(workspace, options);
    if (options.form == "balanced") {
        std::optional<Eigen::Index> order;
        if (options.order) order = *options.order;
        if (order && (*order < 1 || *order > system->order())) {
            diagnostics.report(bad_option(fmt::format("--order must be between 1 and {}", system->order())));
            return finish(workspace, options);
        }
        const auto balanced = balanced_realization(*system, order, diagnostics);
        if (!balanced) return finish(workspace, options);
        Json out = {
            {"form", "balanced"},
            {"order", balanced->order},
            {"hankel_singular_values",
             std::vector<double>(balanced->hankel.data(), balanced->hankel.data() + balanced->hankel.size())},
            {"error_bound", balanced->error_bound}};
        if (!options.json && !options.quiet) {
            fmt::print("Hankel singular values");
            for (Eigen::Index i = 0; i < balanced->hankel.size() && i < 40; ++i)
                fmt::print("  {}", short_number(balanced->hankel[i]));
            fmt::print("\n");
            if (balanced->order < system->order())
                fmt::print("{} of {} states are kept; the gain differs by at most {} at any frequency\n",
                           balanced->order, system->order(), short_number(balanced->error_bound));
        }
        return answer(balanced->system, std::move(out), options.output, options, workspace);
    }
    if (options.order) {
        diagnostics.report(bad_option("--order goes with --form balanced only"));
        return finish(workspace, options);
    }
    const CanonicalForm form = options.form == "observer"          ? CanonicalForm::Observer
                               : options.form == "controllability" ? CanonicalForm::Controllability
                               : options.form == "observability"   ? CanonicalForm::Observability
                               : options.form == "modal"           ? CanonicalForm::Modal
                                                                   : CanonicalForm::Controller;
    const auto result = canonical_form(
        *system, form, diagnostics, options.search == "columns" ? CrateSearch::Columns : CrateSearch::Rows);
    if (!result) return finish(workspace, options);
    Json out = {{"form", options.form},
                {"T", matrix_json(result->T)},
                {"indices", result->indices},
                {"condition", number_json(result->condition)},
                {"residual", result->residual}};
    if (!options.json && !options.quiet) {
        std::string sizes;
        for (Eigen::Index k : result->indices) sizes += fmt::format("{}{}", sizes.empty() ? "" : ", ", k);
        fmt::print("{} form, blocks of {}; condition of the transformation {:.2g}\n", options.form,
                   sizes.empty() ? "0" : sizes, result->condition);
    }
    return answer(result->system, std::move(out), options.output, options, workspace);
}

int sample_command(const SampleOptions& options) {
    Workspace workspace;
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_state_space(options, workspace, false);
    if (!system || !check_system(*system, diagnostics)) return finish(workspace, options);
    const SamplingMethod method =
        options.method == "tustin" ? SamplingMethod::Tustin : SamplingMethod::ZeroOrderHold;
    if (options.prewarp && method != SamplingMethod::Tustin) {
        diagnostics.report(bad_option("--prewarp goes with --method tustin only"));
        return finish(workspace, options);
    }
    if (!options.back && !options.period) {
        diagnostics.report(
            bad_option("--period is missing: the sampling period in s", "for example --period 0.1"));
        return finish(workspace, options);
    }
    const auto result = options.back ? continuous_from_sampled(*system, method, diagnostics, options.prewarp)
                                     : sample(*system, *options.period, method, diagnostics, options.prewarp);
    if (!result) return finish(workspace, options);
    return answer(*result, {{"method", options.method}}, options.output, options, workspace);
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

void add_canonical(CommandLine& line) {
    auto o = std::make_shared<CanonicalOptions>();
    Command& c =
        line.add("canonical", groups::linear, "controller, observer, modal, balanced and other forms",
                 [o] { return canonical(*o); });
    add_linear_options(c, *o);
    c.choice("--form", o->form,
             {"controller", "observer", "controllability", "observability", "modal", "balanced"},
             "which form")
        .required();
    c.choice("--search", o->search, {"rows", "columns"},
             "controllability and observability form: how independent vectors are searched; default rows");
    c.option("--order", o->order, "balanced: keep so many states (truncation)");
    c.option("-o,--output", o->output, "write the linear system to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n"
        "  cutset canonical plant.json --form controller\n"
        "  cutset canonical plant.json --form modal --json\n"
        "  cutset canonical big.json --form balanced --order 6 -o small.json");
}

void add_sample(CommandLine& line) {
    auto o = std::make_shared<SampleOptions>();
    Command& c = line.add("sample", groups::linear, "sampled system from a continuous one, and back",
                          [o] { return sample_command(*o); });
    add_linear_options(c, *o);
    c.option("--period", o->period, "sampling period [s]");
    c.choice("--method", o->method, {"zoh", "tustin"},
             "zoh: inputs held between samples, exact (default); tustin");
    c.option("--prewarp", o->prewarp, "tustin: the frequency [rad/s] at which the response is kept");
    c.flag("--back", o->back, "from a sampled system to a continuous one");
    c.option("-o,--output", o->output, "write the linear system to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n"
        "  cutset sample motor.dym --inputs u --outputs w --period 0.01 -o motor_d.json\n"
        "  cutset sample filter.json --period 0.1 --method tustin --prewarp 3\n"
        "  cutset sample motor_d.json --back");
}

}  // namespace cutset::cli
