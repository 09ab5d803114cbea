#include "runs/going_on.h"

#include <fmt/format.h>

#include <algorithm>

#include "ir/find_variables.h"
#include "live/live_messages.h"
#include "run/named_point.h"

namespace cutset::cli {

namespace {

std::string name_of(const std::string& setting) {
    return plain_path(setting.substr(0, setting.find('=')));
}

// Those of the file whose names the command line does not give, then those of the command line.
void merge(const std::vector<std::string>& from_file, std::vector<std::string>& given) {
    std::vector<std::string> all;
    for (const std::string& text : from_file)
        if (std::none_of(given.begin(), given.end(),
                         [&](const std::string& other) { return name_of(other) == name_of(text); }))
            all.push_back(text);
    all.insert(all.end(), given.begin(), given.end());
    given = std::move(all);
}

// A run that was interrupted is finished with its own settings, as far as the command line gives no others.
void take_settings(const RunSettings& run, RunOptions& command) {
    const auto take = [](auto& option, const auto& value) {
        if (!option) option = value;
    };
    command.start = run.start;
    command.stop = run.stop;
    const bool outputs_given = command.points || command.step || command.every_step;
    if (!outputs_given) {
        if (run.step)
            command.step = run.step;
        else
            command.points = static_cast<double>(run.points);
        command.every_step = run.every_step;
    }
    take(command.tolerance, run.tolerance);
    take(command.absolute, run.absolute);
    take(command.local_tolerance, run.local_tolerance);
    take(command.max_step, run.max_step);
    if (!command.solver.empty()) return;
    command.solver = cutset::name_of(run.solver);
    take(command.step_size, run.step_size);
    if (run.solver == Solver::Dopri || run.solver == Solver::Auto)
        take(command.step_control, run.step_control);
}

}  // namespace

std::optional<Beginning> read_beginning(const std::string& path, RunRequest& command,
                                        Diagnostics& diagnostics) {
    std::string problem;
    std::optional<CheckpointFile> file = read_checkpoint(path, problem);
    if (!file) {
        diagnostics.report(live_messages::not_a_checkpoint(path, problem));
        return std::nullopt;
    }
    if (command.model.empty()) command.model = file->model;
    if (command.model != file->model)
        diagnostics.report(live_messages::other_model(path, file->model, command.model));
    if (!command.init.empty())
        diagnostics.report(bad_option("--init does not go together with --from: the run does not start anew",
                                      "the states are those of the checkpoint; parameters can be set"));
    if (!command.initial.empty())
        diagnostics.report(
            bad_option("--initial does not go together with --from: the run does not start anew"));
    if (command.start && *command.start != file->point.time)
        diagnostics.report(bad_option(
            fmt::format("--start {}: the checkpoint stands at time {}", *command.start, file->point.time),
            "leave --start out"));
    if (diagnostics.has_errors()) return std::nullopt;
    Beginning beginning;
    beginning.inputs_differ = !command.input.empty() || !command.known.empty() || !command.unknown.empty();
    const CheckpointOptions& options = file->options;
    std::vector<std::string> set = options.set;
    for (const auto& [name, value] : file->changes.parameters)
        set.push_back(fmt::format("{}={}", name, value));
    std::vector<std::string> input = options.input;
    for (const auto& [name, given] : file->changes.inputs) {
        std::erase_if(input, [&, &n = name](const std::string& text) { return name_of(text) == n; });
        input.push_back(name + "=" + given.text);
    }
    merge(set, command.set);
    merge(input, command.input);
    command.init = options.init;
    command.initial = options.initial;
    if (command.known.empty()) command.known = options.known;
    if (command.unknown.empty()) command.unknown = options.unknown;
    if (file->memory && (!command.stop || *command.stop == file->memory->settings.stop))
        take_settings(file->memory->settings, command);
    else
        command.start = file->point.time;
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
                  const ModelRequest& command) {
    CheckpointFile file;
    file.model = program.partition->model.name;
    file.options = {command.set,   command.init,    command.input,
                    command.known, command.unknown, command.initial};
    file.point = name_point(end, *program.partition);
    file.memory = end.memory;
    return write_checkpoint(path, file);
}

}  // namespace cutset::cli
