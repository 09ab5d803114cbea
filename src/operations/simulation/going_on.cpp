#include "operations/simulation/going_on.h"

#include <fmt/format.h>

#include <algorithm>

#include "base/bad_option.h"
#include "ir/find_variables.h"
#include "live/live_messages.h"
#include "run/named_point.h"

namespace cutset {

namespace {

std::string setting_name(const std::string& setting) {
    return plain_path(setting.substr(0, setting.find('=')));
}

// Those of the file whose names the request does not give, then those of the request.
void merge(const std::vector<std::string>& from_file, std::vector<std::string>& given) {
    std::vector<std::string> all;
    for (const std::string& text : from_file)
        if (std::none_of(given.begin(), given.end(),
                         [&](const std::string& other) { return setting_name(other) == setting_name(text); }))
            all.push_back(text);
    all.insert(all.end(), given.begin(), given.end());
    given = std::move(all);
}

// A run that was interrupted is finished with its own settings, as far as the request gives no others.
void take_settings(const RunSettings& run, RunRequest& request) {
    const auto take = [](auto& option, const auto& value) {
        if (!option) option = value;
    };
    request.start = run.start;
    request.stop = run.stop;
    const bool outputs_given = request.points || request.step || request.every_step;
    if (!outputs_given) {
        if (run.step)
            request.step = run.step;
        else
            request.points = static_cast<double>(run.points);
        request.every_step = run.every_step;
    }
    take(request.tolerance, run.tolerance);
    take(request.absolute, run.absolute);
    take(request.local_tolerance, run.local_tolerance);
    take(request.max_step, run.max_step);
    if (!request.solver.empty()) return;
    request.solver = name_of(run.solver);
    take(request.step_size, run.step_size);
    if (run.solver == Solver::Dopri || run.solver == Solver::Auto)
        take(request.step_control, run.step_control);
}

}  // namespace

std::optional<Beginning> read_beginning(const std::string& path, RunRequest& request,
                                        Diagnostics& diagnostics) {
    std::string problem;
    std::optional<CheckpointFile> file = read_checkpoint(path, problem);
    if (!file) {
        diagnostics.report(live_messages::not_a_checkpoint(path, problem));
        return std::nullopt;
    }
    if (request.model.empty()) request.model = file->model;
    if (request.model != file->model)
        diagnostics.report(live_messages::other_model(path, file->model, request.model));
    if (!request.init.empty())
        diagnostics.report(bad_option("--init does not go together with --from: the run does not start anew",
                                      "the states are those of the checkpoint; parameters can be set"));
    if (request.initial)
        diagnostics.report(
            bad_option("--initial does not go together with --from: the run does not start anew"));
    if (request.start && *request.start != file->point.time)
        diagnostics.report(bad_option(
            fmt::format("--start {}: the checkpoint stands at time {}", *request.start, file->point.time),
            "leave --start out"));
    if (diagnostics.has_errors()) return std::nullopt;
    Beginning beginning;
    beginning.inputs_differ = !request.input.empty() || !request.known.empty() || !request.unknown.empty();
    const CheckpointOptions& options = file->options;
    std::vector<std::string> set = options.set;
    for (const auto& [name, value] : file->changes.parameters)
        set.push_back(fmt::format("{}={}", name, value));
    std::vector<std::string> input = options.input;
    for (const auto& [name, given] : file->changes.inputs) {
        std::erase_if(input, [&, &n = name](const std::string& text) { return setting_name(text) == n; });
        input.push_back(name + "=" + given.text);
    }
    merge(set, request.set);
    merge(input, request.input);
    request.init = options.init;
    request.initial = options.initial;
    if (request.known.empty()) request.known = options.known;
    if (request.unknown.empty()) request.unknown = options.unknown;
    if (file->memory && (!request.stop || *request.stop == file->memory->settings.stop))
        take_settings(file->memory->settings, request);
    else
        request.start = file->point.time;
    beginning.file = std::move(*file);
    return beginning;
}

std::optional<RunPoint> place_beginning(const std::string& path, const Beginning& beginning,
                                        const Program& program, const SimulateOptions& options,
                                        Diagnostics& diagnostics) {
    const std::string& model = program.partition->model.name;
    if (beginning.file.model != model) {
        diagnostics.report(live_messages::other_model(path, beginning.file.model, model));
        return std::nullopt;
    }
    SimulateOptions quiet = options;
    quiet.progress = nullptr;
    quiet.tried_step = nullptr;
    Diagnostics own;
    std::optional<PlacedPoint> placed = place_point(beginning.file.point, *program.partition,
                                                    [&] { return start_point(program, quiet, own); });
    if (!placed) {
        for (const Diagnostic& d : own.all()) diagnostics.report(d);
        return std::nullopt;
    }
    report_misfits(path, *placed, diagnostics);
    if (beginning.inputs_differ) placed->point.changed = true;
    placed->point.memory = beginning.file.memory;
    return std::move(placed->point);
}

Problem write_end(const std::string& path, const RunPoint& end, const Program& program,
                  const ModelRequest& request) {
    CheckpointFile file;
    file.model = program.partition->model.name;
    file.options = {request.set,   request.init,    request.input,
                    request.known, request.unknown, request.initial};
    file.point = name_point(end, *program.partition);
    file.memory = end.memory;
    return write_checkpoint(path, file);
}

}  // namespace cutset
