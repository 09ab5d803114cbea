#include "translate/workspace.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "base/stopwatch.h"
#include "generate/generate.h"
#include "ir/find_variables.h"
#include "results/reader.h"
#include "run/equilibrium.h"
#include "transform/choose_known.h"
#include "transform/leave_open.h"
#include "translate/messages.h"

namespace cutset {

std::optional<FlatModel> Workspace::collect(const std::string& model, const Experiment& experiment) {
    if (diagnostics.has_errors()) return std::nullopt;
    if (!model.empty()) refer_to(model);
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
    std::optional<FlatModel> flat = flatten(model, experiment);
    return flat ? program(std::move(*flat), options, jacobian) : std::nullopt;
}

std::optional<Program> Workspace::program(FlatModel flat, const TransformOptions& options,
                                          JacobianKind jacobian) {
    std::optional<Partition> sorted = [&] {
        const Stopwatch watch(&times.sort);
        return transform(std::move(flat), options, diagnostics);
    }();
    return sorted ? std::optional(program(std::move(*sorted), jacobian)) : std::nullopt;
}

Program Workspace::program(Partition sorted, JacobianKind jacobian) {
    const Stopwatch watch(&times.generate);
    return generate(std::make_shared<const Partition>(std::move(sorted)), jacobian);
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
    std::vector<bool> is_open(flat->variables.size());
    for (VariableIndex v : request.by) is_open[v.value] = true;
    std::optional<VariableIndex> differentiated;
    const auto is_rate = [&](Expr leaf) {
        if (leaf->op != Op::Variable || leaf->order == 0 || !is_open[leaf->index]) return false;
        differentiated = leaf->variable();
        return true;
    };
    for (const Equation& e : flat->equations)
        if (depends_on(e.left, is_rate) || depends_on(e.right, is_rate)) {
            diagnostics.report(driver_messages::open_input_differentiated(*flat, *differentiated, e));
            return nullptr;
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

std::optional<Program> Workspace::program_to_run(const std::string& model, const Experiment& experiment,
                                                 const TransformOptions& options,
                                                 const SimulateOptions& run) {
    const JacobianKind jacobian = jacobian_for(run.solver);
    std::optional<Program> first = program(model, experiment, options, jacobian);
    if (!first || options.initial != InitialMode::Steady) return first;
    const std::optional<Equilibrium> found = initialize_run(*first, run);
    if (found && (found->growth == 0 || is_near_initial_values(*first->partition, found->values)))
        return first;
    // What is tried in between is nobody's concern unless it succeeds.
    Diagnostics before = std::exchange(diagnostics, {});
    TransformOptions moving = options;
    moving.initial = InitialMode::Given;
    std::optional<Program> second;
    const std::optional<Program> motion = program(model, experiment, moving, jacobian);
    const std::optional<Equilibrium> rest = motion ? find_equilibrium(*motion, run) : std::nullopt;
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
            const std::optional<Equilibrium> start = initialize_run(*second, run);
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
    auto value = parse_expression(option, text.substr(equal + 1), diagnostics);
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
    input.table.outside = Outside::Hold;
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
