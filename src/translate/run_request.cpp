#include "translate/run_request.h"

#include <fmt/format.h>
#include <fmt/ranges.h>

#include <cmath>
#include <cstdlib>

#include "base/bad_option.h"
#include "base/split_names.h"
#include "translate/experiment_text.h"
#include "translate/messages.h"

namespace cutset {

std::vector<std::string> solver_names() {
    std::vector<std::string> names;
    for (const SolverDescription& d : solver_list()) names.emplace_back(d.name);
    return names;
}

std::optional<SimulateOptions> simulate_options(const RunRequest& command, Diagnostics& diagnostics) {
    SimulateOptions o;
    o.start = command.start.value_or(0);
    o.stop = command.stop.value_or(o.start + 10);
    if (command.points && *command.points >= 2 && *command.points <= 1e8)
        o.points = static_cast<std::size_t>(*command.points);
    o.step = command.step;
    o.every_step = command.every_step;
    o.tolerance = command.tolerance.value_or(1e-6);
    o.absolute = command.absolute;
    o.local_tolerance = command.local_tolerance;
    o.step_size = command.step_size;
    o.max_step = command.max_step;
    if (command.step_control) o.step_control = *command.step_control;
    o.strict = command.strict;
    o.states_only = command.states;
    o.allow_external = command.allow_external;
    const std::size_t before = diagnostics.error_count();
    if (!std::isfinite(o.start) || !std::isfinite(o.stop))
        diagnostics.report(bad_option("--start and --stop must be finite numbers"));
    else if (!(o.stop > o.start))
        diagnostics.report(bad_option(fmt::format("--stop {} must lie after --start {}", o.stop, o.start)));
    if (command.points &&
        !(*command.points >= 2 && *command.points <= 1e8 && *command.points == std::floor(*command.points)))
        diagnostics.report(bad_option("--points must be a whole number from 2 to 1e8"));
    if (o.step && !(*o.step > 0)) diagnostics.report(bad_option("--step must be above 0"));
    if (o.step && *o.step > 0 && (o.stop - o.start) / *o.step > 1e8)
        diagnostics.report(
            bad_option(fmt::format("--step {} would write {:.3g} rows; at most 1e8 are written", *o.step,
                                   (o.stop - o.start) / *o.step)));
    if (!(o.tolerance > 0 && o.tolerance < 1))
        diagnostics.report(bad_option("--tolerance must lie between 0 and 1, for example 1e-6"));
    if (o.absolute && !(*o.absolute > 0)) diagnostics.report(bad_option("--absolute must be above 0"));
    if (o.local_tolerance && !(*o.local_tolerance > 0 && *o.local_tolerance < 1))
        diagnostics.report(bad_option("--local-tolerance must lie between 0 and 1, for example 1e-8"));
    const std::optional<Solver> solver = command.solver.empty() ? o.solver : parse_solver(command.solver);
    if (!solver) {
        diagnostics.report(bad_option(fmt::format("--solver {}: there is no such integrator", command.solver),
                                      fmt::format("choose one of {}", fmt::join(solver_names(), ", "))));
    } else if (o.step_size && !describe(*solver).fixed_step) {
        diagnostics.report(
            bad_option(fmt::format("--step-size: the solver {} chooses its steps itself", name_of(*solver)),
                       "add --solver rk4 or --solver euler; --step is the distance of output "
                       "instants"));
    } else if (command.step_control && *solver != Solver::Dopri && *solver != Solver::Auto) {
        diagnostics.report(bad_option(
            fmt::format("--step-control: the solver {} has no choice of step controls", name_of(*solver)),
            "add --solver dopri"));
    }
    o.solver = solver.value_or(o.solver);
    if (o.max_step && !(*o.max_step > 0)) diagnostics.report(bad_option("--max-step must be above 0"));
    if (o.step_size && !(*o.step_size > 0 && std::isfinite(*o.step_size)))
        diagnostics.report(bad_option("--step-size must be above 0"));
    if (o.step_size && *o.step_size > 0 && (o.stop - o.start) / *o.step_size > 1e10)
        diagnostics.report(
            bad_option(fmt::format("--step-size {} would take {:.3g} steps; at most 1e10 are taken",
                                   *o.step_size, (o.stop - o.start) / *o.step_size)));
    if (diagnostics.error_count() > before) return std::nullopt;
    return o;
}

namespace {

// False with the problem.
bool apply_words(const std::vector<std::string>& words, RunRequest& options, std::string& problem) {
    for (std::size_t i = 0; i < words.size(); i += 2) {
        const std::string& option = words[i];
        if (i + 1 == words.size()) {
            problem = option + " has no value";
            return false;
        }
        const std::string& value = words[i + 1];
        auto number = [&](std::optional<double>& target) {
            char* end = nullptr;
            const double v = std::strtod(value.c_str(), &end);
            if (end == value.c_str() || *end) return false;
            if (!target) target = v;
            return true;
        };
        bool good = true;
        if (option == "--start") {
            good = number(options.start);
        } else if (option == "--stop") {
            good = number(options.stop);
        } else if (option == "--step") {
            if (!options.points) good = number(options.step);
        } else if (option == "--points") {
            std::optional<double> n;
            good = number(n) && *n >= 2;
            if (good && !options.points && !options.step) options.points = *n;
        } else if (option == "--tolerance") {
            good = number(options.tolerance);
        } else if (option == "--absolute") {
            good = number(options.absolute);
        } else if (option == "--solver") {
            if (options.solver.empty()) options.solver = value;
        } else if (option == "--local-tolerance") {
            good = number(options.local_tolerance);
        } else if (option == "--max-step") {
            good = number(options.max_step);
        } else if (option == "--step-size") {
            good = number(options.step_size);
        } else if (option == "--plot") {
            if (options.plot.empty()) options.plot = split_names(value);
        } else if (option == "--set" || option == "--init" || option == "--input" || option == "--known" ||
                   option == "--unknown" || option == "--tear" ||
                   (option == "--initial" && initial_mode(value))) {
            // read by open_model
        } else {
            problem = option +
                      " cannot be given there; only --start --stop --points --step --tolerance --absolute "
                      "--local-tolerance --solver --step-size --max-step --plot --set --init --input --known "
                      "--unknown "
                      "--tear --initial can";
            return false;
        }
        if (!good) {
            problem = option + " " + value + " is not a number that fits";
            return false;
        }
    }
    return true;
}

}  // namespace

bool apply_experiment_line(const ModelText& text, RunRequest& request, Diagnostics& diagnostics) {
    std::string problem;
    if (apply_words(experiment_line(text), request, problem)) return true;
    diagnostics.report(translate_messages::bad_experiment_line(*experiment_span(text), problem));
    return false;
}

}  // namespace cutset
