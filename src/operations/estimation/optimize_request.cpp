#include "operations/estimation/optimize_request.h"

#include <algorithm>
#include <cstdlib>
#include <utility>

#include "base/bad_option.h"
#include "ir/find_variables.h"
#include "transform/leave_open.h"
#include "translate/translator.h"

namespace cutset {

bool is_complete(const OptimizeRequest& request, Diagnostics& diagnostics) {
    if (request.minimize.empty() == request.maximize.empty()) {
        diagnostics.report(bad_option("optimize needs --minimize or --maximize, one of them",
                                      "for example --minimize \"integral((y - 1)**2)\""));
        return false;
    }
    if (request.over.empty()) {
        diagnostics.report(bad_option("optimize needs to know what may be changed",
                                      "name parameters or inputs with their bounds: --over k=0.1:10,u=-1:1"));
        return false;
    }
    return true;
}

bool seeks_inputs(const OptimizeRequest& request, Workspace& workspace, const Experiment& experiment) {
    if (request.steady) return false;
    Experiment open = experiment;
    open.open = true;
    const auto flat = Translator(workspace).flatten(request.model, open, workspace.diagnostics);
    if (!flat) return false;
    // A model without a motion of its own is optimised as it stands, unless over time.
    bool moves = request.objective().find("integral") != std::string::npos;
    for (const Equation& e : flat->equations)
        for (Expr side : {e.left, e.right})
            for_each_leaf(side,
                          [&](Expr leaf) { moves = moves || (leaf->op == Op::Variable && leaf->order > 0); });
    if (!moves) return false;
    const std::vector<VariableIndex> inputs = inputs_of(*flat);
    for (const std::string& text : request.over)
        for (VariableIndex v : find_variables(*flat, plain_path(text.substr(0, text.find('=')))))
            if (std::find(inputs.begin(), inputs.end(), v) != inputs.end()) return true;
    return false;
}

namespace {

// --horizon of a run over parameters is its length.
bool apply_horizon(OptimizeRequest& request, Diagnostics& diagnostics) {
    if (request.horizon.empty()) return true;
    char* end = nullptr;
    const double length = std::strtod(request.horizon.c_str(), &end);
    if (*end != 0 || !(length > 0)) {
        diagnostics.report(bad_option("--horizon " + request.horizon + " must be a length of time above 0",
                                      "a free end of the run needs inputs among --over"));
        return false;
    }
    request.stop = request.start.value_or(0) + length;
    return true;
}

bool check_numbers(const OptimizeRequest& request, Diagnostics& diagnostics) {
    const std::size_t before = diagnostics.error_count();
    if (request.starts < 1 || request.starts > 100000)
        diagnostics.report(bad_option("--starts must be from 1 to 100000"));
    if (request.max_iterations < 1) diagnostics.report(bad_option("--max-iterations must be above 0"));
    if (!(request.precision > 0 && request.precision < 1))
        diagnostics.report(bad_option("--precision must lie between 0 and 1, for example 1e-6"));
    return diagnostics.error_count() == before;
}

}  // namespace

std::optional<OptimizeSettings> optimize_settings(OptimizeRequest request, Workspace& workspace,
                                                  Experiment experiment) {
    Diagnostics& diagnostics = workspace.diagnostics;
    if (!apply_experiment_line(workspace.text, request, diagnostics)) return std::nullopt;
    if (!apply_horizon(request, diagnostics)) return std::nullopt;
    if (!request.tolerance) request.tolerance = 1e-8;
    const auto run = simulate_options(request, diagnostics);
    if (!run || !check_numbers(request, diagnostics)) return std::nullopt;
    OptimizeSettings settings;
    settings.runs.model = request.model;
    settings.runs.experiment = std::move(experiment);
    settings.runs.transform = transform_options(request, workspace.text);
    settings.runs.run = *run;
    settings.runs.engine = request.engine;
    if (request.steady) {
        settings.runs.transform.initial = InitialMode::Steady;
        settings.runs.start_only = true;
    }
    for (const std::string& text : request.over) {
        const auto range = parse_range("--over", text, diagnostics);
        if (!range) return std::nullopt;
        settings.over.push_back(*range);
    }
    settings.maximize = request.minimize.empty();
    settings.objective = request.objective();
    settings.limits = request.subject;
    settings.end_limits = request.end;
    settings.starts = static_cast<std::size_t>(request.starts);
    settings.max_iterations = static_cast<std::size_t>(request.max_iterations);
    settings.tolerance = request.precision;
    settings.method = request.method;
    settings.derivatives = request.derivatives;
    return settings;
}

}  // namespace cutset
