#include "driver/workspace.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/stopwatch.h"
#include "driver/load_systems.h"
#include "driver/messages.h"
#include "generate/generate.h"
#include "ir/find_variables.h"
#include "languages/dymola/parse.h"
#include "operations/rest.h"
#include "results/reader.h"
#include "transform/choose_known.h"
#include "transform/leave_open.h"

namespace cutset {

namespace fs = std::filesystem;

std::string standard_library_directory() {
    std::error_code ec;
    const fs::path program = fs::read_symlink("/proc/self/exe", ec);
    if (ec) return "";
    for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
        for (const char* place : {"libraries", "share/cutset/libraries"})
            if (fs::exists(folder / place / "electrical.dym", ec)) return (folder / place).string();
    return "";
}

bool Workspace::loaded(const std::string& path) const {
    std::error_code ec;
    const std::string canonical = fs::weakly_canonical(path, ec).string();
    return std::find(canonical_paths_.begin(), canonical_paths_.end(), canonical) != canonical_paths_.end();
}

bool Workspace::load_file(const std::string& path, Span from, Diagnostics& sink) {
    if (loaded(path)) return true;
    if (is_simnon_file(path)) {
        const auto systems = read_systems({path}, from, sink);
        lower_systems(*systems, false, sink);
        return !sink.has_errors();
    }
    std::string problem;
    auto text = read_file(path, problem);
    if (!text) {
        sink.report(driver_messages::cannot_read(from, path, problem));
        return false;
    }
    std::error_code ec;
    canonical_paths_.push_back(fs::weakly_canonical(path, ec).string());
    const SourceId id = sources.add(path, std::move(*text));
    looked.files.push_back(id);
    const auto file = dymola::parse_file(sources, id, sink);
    classes.files.push_back(file);
    for (const tree::File::Library& named : file->libraries) {
        fs::path place = named.path;
        if (place.is_relative()) place = fs::path(path).parent_path() / place;
        if (!fs::exists(place, ec)) {  // else in the library directories, by file name
            looked.absent.push_back(place.string());
            for (const std::string& directory : library_directories) {
                const fs::path there = fs::path(directory) / named.path;
                if (fs::exists(there, ec)) {
                    place = there;
                    break;
                }
                looked.absent.push_back(there.string());
            }
        }
        load_file(place.string(), named.where, sink);
    }
    return !sink.has_errors();
}

void Workspace::add_library_directories() {
    if (const char* more = std::getenv("CUTSET_PATH")) {
        std::string list = more;
        for (std::size_t begin = 0; begin <= list.size();) {
            const std::size_t end = std::min(list.find(':', begin), list.size());
            if (end > begin) library_directories.push_back(list.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    if (const std::string standard = standard_library_directory(); !standard.empty())
        library_directories.push_back(standard);
}

std::vector<std::string> library_files(const std::string& directory, std::string& problem) {
    std::error_code ec;
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(directory, ec))
        if (entry.path().extension() == ".dym") files.push_back(entry.path().string());
    if (ec) problem = ec.message();
    std::sort(files.begin(), files.end());
    return files;
}

bool Workspace::load(const std::string& path) {
    if (is_simnon_file(path)) return load_systems({path});
    const Stopwatch watch(&times.parse);
    add_library_directories();
    load_file(path, {}, diagnostics);
    load_libraries();
    find_systems_of_models();
    return !diagnostics.has_errors();
}

void Workspace::load_libraries() {
    for (const std::string& directory : library_directories) {
        looked.directories.push_back(directory);
        std::string problem;
        const std::vector<std::string> files = library_files(directory, problem);
        if (!problem.empty()) {
            diagnostics.report(driver_messages::cannot_read({}, directory, problem));
            continue;
        }
        for (const std::string& file : files) {
            // A library that cannot be read must not stop a model that does not use it.
            Diagnostics own;
            if (load_file(file, {}, own)) continue;
            for (const Diagnostic& d : own.all())
                if (d.severity == Severity::Error) {
                    diagnostics.report(driver_messages::library_left_out(file, d));
                    break;
                }
        }
    }
}

std::optional<FlatModel> Workspace::collect(const std::string& model, const Experiment& experiment) {
    if (diagnostics.has_errors()) return std::nullopt;
    return instantiate(classes, model, experiment, sources, diagnostics);
}

std::optional<FlatModel> Workspace::flatten(const std::string& model, const Experiment& experiment) {
    const Stopwatch watch(&times.instantiate);
    std::optional<FlatModel> flat = collect(model, experiment);
    if (!flat) return std::nullopt;
    choose_known(*flat, diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    return flat;
}

std::shared_ptr<const Partition> Workspace::partition(const std::string& model, const Experiment& experiment,
                                                      const TransformOptions& options) {
    std::optional<FlatModel> flat = flatten(model, experiment);
    if (!flat) return nullptr;
    const Stopwatch watch(&times.sort);
    std::optional<Partition> sorted = transform(std::move(*flat), options, diagnostics);
    if (!sorted) return nullptr;
    return std::make_shared<const Partition>(std::move(*sorted));
}

std::optional<Program> Workspace::program(const std::string& model, const Experiment& experiment,
                                          const TransformOptions& options, JacobianKind jacobian) {
    std::shared_ptr<const Partition> sorted = partition(model, experiment, options);
    if (!sorted) return std::nullopt;
    const Stopwatch watch(&times.generate);
    return generate(std::move(sorted), jacobian);
}

std::shared_ptr<const Program> Workspace::open_program(const std::string& model, Experiment experiment,
                                                       const TransformOptions& options,
                                                       const OpenQuestion& question) {
    if (question.inputs) experiment.open = true;  // an input that is held needs no value
    std::optional<FlatModel> flat = flatten(model, experiment);
    if (!flat) return nullptr;
    const Stopwatch watch(&times.sort);
    std::vector<std::string> paths;
    if (question.inputs)
        for (VariableIndex v : inputs_of(*flat)) paths.push_back(flat->path(v));
    paths.insert(paths.end(), question.open.begin(), question.open.end());
    DerivativeRequest request;
    request.start = question.start;
    request.by = leave_open(*flat, paths, question.time, diagnostics);
    if (question.outputs.empty())
        for (VariableIndex v(0); v < flat->variables.end_index(); ++v.value)
            if (flat->variables[v].top_output) request.of.push_back(v);
    std::vector<std::string> outputs;
    for (const std::string& path : question.outputs) outputs.push_back(plain_path(path));
    const auto variables = find_variables(*flat, outputs);
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        const std::string& path = question.outputs[i];
        const std::vector<VariableIndex>& found = variables[i];
        if (found.empty())
            diagnostics.report(driver_messages::unknown_output(path, nearest_path(*flat, path)));
        request.of.insert(request.of.end(), found.begin(), found.end());
    }
    if (diagnostics.has_errors()) return nullptr;
    std::optional<Partition> sorted = transform(std::move(*flat), options, diagnostics);
    if (!sorted) return nullptr;
    auto program = std::make_shared<Program>(generate(std::make_shared<const Partition>(std::move(*sorted)),
                                                      question.jacobian, request.by, &request));
    if (!program->linearized) {
        diagnostics.report(driver_messages::no_derivative(program->partition->model.name));
        return nullptr;
    }
    return program;
}

namespace {}  // namespace

std::optional<Program> Workspace::program_to_run(const std::string& model, const Experiment& experiment,
                                                 const TransformOptions& options,
                                                 const SimulateOptions& run) {
    const JacobianKind jacobian = jacobian_for(run.solver);
    std::optional<Program> first = program(model, experiment, options, jacobian);
    if (!first || options.initial != InitialMode::Steady) return first;
    const std::optional<Rest> found = start_of_run(*first, run);
    if (found && (found->growth == 0 || is_near_starts(*first->partition, found->values))) return first;
    // What is tried in between is nobody's concern unless it succeeds.
    Diagnostics before = std::exchange(diagnostics, {});
    TransformOptions moving = options;
    moving.initial = InitialMode::Given;
    std::optional<Program> second;
    const std::optional<Program> motion = program(model, experiment, moving, jacobian);
    const std::optional<Rest> rest = motion ? find_rest(*motion, run) : std::nullopt;
    if (rest && (!found || rest->growth == 0)) {
        diagnostics = {};
        if (std::optional<FlatModel> flat = flatten(model, experiment)) {
            for (VariableIndex v(0); v < flat->variables.end_index(); ++v.value) {
                Variable& variable = flat->variables[v];
                if (variable.variability != Variability::Continuous || variable.boolean) continue;
                const Origin origin = variable.start ? variable.start->origin : variable.origin;
                variable.start = Start{flat->pool->number(rest->values[v.value]), origin};
            }
            if (std::optional<Partition> sorted = transform(std::move(*flat), options, diagnostics))
                second = generate(std::make_shared<const Partition>(std::move(*sorted)), jacobian);
        }
        if (second) {
            const std::optional<Rest> start = start_of_run(*second, run);
            if (!start || (found && start->growth > 0)) second.reset();
        }
    }
    if (second) return second;
    diagnostics = std::move(before);
    return first;
}

std::optional<Experiment::Setting> Workspace::parse_setting(const std::string& option,
                                                            const std::string& text) {
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0 || equal + 1 == text.size()) {
        diagnostics.report(driver_messages::bad_setting(option, text, "NAME=VALUE"));
        return std::nullopt;
    }
    const SourceId id = sources.add(option, text.substr(equal + 1));
    auto value = dymola::parse_expression(sources, id, diagnostics);
    if (!value) return std::nullopt;
    std::string path = text.substr(0, equal);
    path.erase(std::remove(path.begin(), path.end(), ' '), path.end());
    return Experiment::Setting{path, std::move(*value)};
}

std::optional<Experiment::InputFile> Workspace::read_input(const std::string& option,
                                                           const std::string& variable,
                                                           const std::string& file) {
    const std::optional<Trajectory> data = read_result(file, diagnostics);
    if (!data) return std::nullopt;
    std::optional<ColumnIndex> column = data->find(variable);
    if (!column && data->columns().size() == 2) column = ColumnIndex(1);
    if (!column) {
        diagnostics.report(
            driver_messages::bad_input_file(option, file, "it has no column named " + variable));
        return std::nullopt;
    }
    Experiment::InputFile input{variable, {}};
    input.table.name = variable;
    input.table.outside = tree::Outside::Hold;
    for (std::size_t row = 0; row < data->rows(); ++row) {
        const double t = data->time(row), v = data->value(*column, row);
        if (!(t == t) || !(v == v)) {
            diagnostics.report(driver_messages::bad_input_file(
                option, file, "row " + std::to_string(row + 1) + " has a value that is not a number"));
            return std::nullopt;
        }
        if (!input.table.x.empty() && t <= input.table.x.back()) {
            if (t == input.table.x.back()) {  // a jump: the value after it counts from there on
                input.table.x.back() = std::nextafter(t, -1e308);
            } else {
                diagnostics.report(driver_messages::bad_input_file(
                    option, file, "its times do not rise in row " + std::to_string(row + 1)));
                return std::nullopt;
            }
        }
        input.table.x.push_back(t);
        input.table.values.push_back(v);
    }
    if (input.table.x.empty()) {
        diagnostics.report(driver_messages::bad_input_file(option, file, "it has no rows"));
        return std::nullopt;
    }
    return input;
}

std::vector<std::string> Workspace::experiment_line() const {
    std::vector<std::string> words;
    if (looked.files.empty()) return words;
    const std::string& text = sources.text(looked.files.front());
    // Only the head of the file, before the first line that is neither comment nor blank, is looked at.
    bool braces = false;
    for (std::size_t begin = 0; begin < text.size();) {
        const std::size_t end = std::min(text.find('\n', begin), text.size());
        std::string_view line(text.data() + begin, end - begin);
        begin = end + 1;
        const std::size_t first = line.find_first_not_of(" \t\r");
        if (first == std::string_view::npos) continue;
        const bool comment =
            braces || line[first] == '{' || line.substr(first, 2) == "--" || line[first] == '"';
        if (!comment) break;
        for (char c : line) braces = c == '{' ? true : c == '}' ? false : braces;
        const std::size_t at = line.find("experiment:");
        if (at == std::string_view::npos) continue;
        std::string word;
        bool quoted = false, any = false;
        for (char c : line.substr(at + 11)) {
            if (c == '}' && !quoted) break;
            if (c == '"') {
                quoted = !quoted;
                any = true;
            } else if ((c == ' ' || c == '\t' || c == '\r') && !quoted) {
                if (any) words.push_back(word);
                word.clear();
                any = false;
            } else {
                word += c;
                any = true;
            }
        }
        if (any) words.push_back(word);
        break;
    }
    return words;
}

}  // namespace cutset
