// STORE, ALGOR, ERROR, CHECKPOINT, RESTORE, BRANCH.
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>

#include "numerics/integrators/integrator.h"
#include "session/command_text.h"
#include "session/messages.h"
#include "session/values.h"
#include "session/workbench.h"

namespace cutset {

namespace messages = session_messages;

namespace {

struct Algorithm {
    const char* name;  // of the manual
    Solver solver;     // of ours
    const char* remark;
};
constexpr Algorithm algorithms[] = {
    {"HAMPC", Solver::Hamming, "Hamming's predictor corrector method of variable step"},
    {"RK", Solver::Dopri,
     "explicit Runge-Kutta of variable step; here the pair of Dormand and Prince, dopri"},
    {"RKFIX", Solver::Rk4, "the classical Runge-Kutta method with the fixed step that SIMU gives"},
};

std::string checkpoint_name(const std::string& arguments, std::optional<std::string>& file,
                            std::optional<Diagnostic>& problem) {
    const auto options = split_options(arguments, {}, true, problem);
    if (!options) return {};
    file = options->file;
    const std::vector<std::string> words = shell_words(options->arguments);
    if (words.size() > 1) {
        problem = messages::one_name("CHECKPOINT");
        return {};
    }
    return words.empty() ? "CHECKPOINT" : words[0];
}

std::string checkpoint_path(const std::string& file) {
    return std::filesystem::path(file).has_extension() ? file : file + ".checkpoint";
}

bool restore(Workbench& bench, const std::shared_ptr<const Checkpoint>& point) {
    Diagnostics diagnostics;
    const bool done = bench.system.live->restore(point, diagnostics);
    if (!diagnostics.all().empty()) bench.report(diagnostics, bench.system.workspace->text.sources());
    if (!done) return false;
    // Values are those of the point now.
    for (auto& [path, value] : bench.system.parameters) {
        Diagnostics ignored;
        value = bench.system.live->value(path, ignored).value_or(value);
    }
    // … and a file that goes on has the rows up to it.
    if (std::optional<Trajectory>& rows = bench.system.stored_rows) {
        Trajectory kept(rows->columns());
        std::vector<double> values(rows->columns().size());
        for (std::size_t row = 0; row < rows->rows() && rows->time(row) <= bench.system.live->time(); ++row) {
            for (std::size_t k = 0; k < values.size(); ++k) values[k] = rows->value(ColumnIndex(k), row);
            kept.append(values);
        }
        rows = std::move(kept);
    }
    bench.picture.next_future();
    return true;
}

}  // namespace

bool command_store(Workbench& bench, const std::string& arguments) {
    std::optional<Diagnostic> problem;
    const auto options = split_options(arguments, {"ADD"}, false, problem);
    if (!options) return bench.fail(problem);
    if (options->arguments.empty()) {
        if (options->has("ADD")) return bench.fail(messages::store_form());
        bench.stored.clear();
        bench.store_on = false;
        return true;
    }
    if (!bench.has_system()) return false;
    TokenReader tokens(options->arguments);
    std::vector<NamedQuantity> chosen = options->has("ADD") ? bench.stored : std::vector<NamedQuantity>();
    while (!tokens.at_end()) {
        if (tokens.take(',')) continue;
        const auto variable = bench.variable(tokens, {});
        if (!variable) return false;
        if (std::none_of(chosen.begin(), chosen.end(),
                         [&](const auto& v) { return v.path == variable->path; }))
            chosen.push_back(*variable);
    }
    bench.stored = std::move(chosen);
    bench.store_on = true;
    return true;
}

bool command_algor(Workbench& bench, const std::string& arguments) {
    const std::vector<std::string> words = shell_words(arguments);
    if (words.size() > 1) return bench.fail(messages::one_name("ALGOR"));
    if (words.empty()) {
        std::string text = "ALGOR " + (bench.run.algorithm_name.empty() ? "AUTO" : bench.run.algorithm_name);
        text += fmt::format(" (SOLVER {}), ERROR {}", name_of(bench.run.algorithm),
                            shortest_number(bench.run.error_bound));
        bench.print(text);
        return true;
    }
    std::vector<std::string> names;
    for (const Algorithm& algorithm : algorithms) names.emplace_back(algorithm.name);
    for (const Algorithm& algorithm : algorithms)
        if (equal_ignoring_case(algorithm.name, words[0])) {
            bench.run.algorithm = algorithm.solver;
            bench.run.algorithm_name = algorithm.name;
            if (equal_ignoring_case(algorithm.name, "RK"))
                bench.note(messages::algorithm_is(algorithm.name, algorithm.remark));
            return true;
        }
    for (const SolverDescription& description : solver_list()) {
        names.push_back(upper_case(description.name));
        if (equal_ignoring_case(description.name, words[0])) {
            bench.run.algorithm = description.solver;
            bench.run.algorithm_name = upper_case(description.name);
            return true;
        }
    }
    return bench.fail(messages::unknown_algorithm(words[0], names));
}

bool command_error(Workbench& bench, const std::string& arguments) {
    if (arguments.empty()) {
        bench.print("ERROR " + shortest_number(bench.run.error_bound));
        return true;
    }
    const auto bound = number_of(arguments);
    if (!bound) return bench.fail(messages::error_form(arguments));
    if (!(*bound > 0) || *bound > 1 || *bound < 1e-14) return bench.fail(messages::error_range(*bound));
    bench.run.error_bound = *bound;
    return true;
}

bool command_checkpoint(Workbench& bench, const std::string& arguments) {
    if (!bench.has_system()) return false;
    std::optional<Diagnostic> problem;
    std::optional<std::string> file;
    const std::string name = checkpoint_name(arguments, file, problem);
    if (problem) return bench.fail(problem);
    auto point = bench.system.live->checkpoint();
    if (!point) return bench.fail(messages::no_run_stands("CHECKPOINT"));
    if (file) {
        const std::string path = checkpoint_path(*file);
        if (const Problem trouble = bench.system.live->save(*point, path))
            return bench.fail(messages::file_problem(*trouble));
    }
    bench.system.checkpoints[upper_case(name)] = std::move(point);
    return true;
}

bool command_restore(Workbench& bench, const std::string& arguments) {
    if (!bench.has_system()) return false;
    std::optional<Diagnostic> problem;
    std::optional<std::string> file;
    const std::string name = checkpoint_name(arguments, file, problem);
    if (problem) return bench.fail(problem);
    if (file) {
        Diagnostics diagnostics;
        auto point = bench.system.live->load(checkpoint_path(*file), diagnostics);
        if (!diagnostics.all().empty()) bench.report(diagnostics, bench.system.workspace->text.sources());
        if (!point) return false;
        bench.system.checkpoints[upper_case(name)] = point;
        return restore(bench, point);
    }
    const auto at = bench.system.checkpoints.find(upper_case(name));
    if (at == bench.system.checkpoints.end()) {
        std::vector<std::string> names;
        for (const auto& [known, point] : bench.system.checkpoints) names.push_back(known);
        return bench.fail(messages::unknown_checkpoint(name, names));
    }
    return restore(bench, at->second);
}

// BRANCH variable:value … [length]: two futures from where the run stands, one as it is and one with the
// changes, over each other. BRANCH alone, or with a name: the point to which the next BRANCH returns.
bool command_branch(Workbench& bench, const std::string& arguments) {
    if (!bench.has_system()) return false;
    LiveModel& live = *bench.system.live;
    if (!live.started()) return bench.fail(messages::no_run_stands("BRANCH"));
    if (arguments.find(':') == std::string::npos && arguments.find('=') == std::string::npos) {
        const std::vector<std::string> words = shell_words(arguments);
        if (words.size() > 1) return bench.fail(messages::branch_form());
        const std::string name = upper_case(words.empty() ? "BRANCH" : words[0]);
        const auto at = bench.system.checkpoints.find(name);
        if (at == bench.system.checkpoints.end()) {
            bench.system.checkpoints[name] = live.checkpoint();
            bench.print("BRANCH " + name + " AT TIME " + shortest_number(live.time()));
            return true;
        }
        if (!restore(bench, at->second)) return false;
        bench.print("BACK AT TIME " + shortest_number(live.time()));
        return true;
    }

    struct Change {
        NamedQuantity variable;
        double value;
    };
    std::vector<Change> changes;
    double length = bench.run.stop - bench.run.start;
    TokenReader tokens(arguments);
    while (!tokens.at_end()) {
        if (tokens.take(',')) continue;
        if (const auto number = tokens.number()) {
            if (!tokens.at_end() || !(*number > 0)) return bench.fail(messages::branch_form());
            length = *number;
            break;
        }
        const auto variable =
            bench.variable(tokens, {LiveModel::Kind::Parameter, LiveModel::Kind::StructureParameter});
        if (!variable) return false;
        if (!tokens.take(':') && !tokens.take('=')) return bench.fail(messages::branch_form());
        const auto value = tokens.number();
        if (!value) return bench.fail(messages::branch_form());
        changes.push_back({*variable, *value});
    }
    const auto point = live.checkpoint();
    if (!point) return bench.fail(messages::no_run_stands("BRANCH"));
    SimuRequest request;
    request.go_on = true;
    request.start = live.time();
    request.stop = request.start + length;
    if (!run_system(bench, request)) return false;
    const auto values = [&] {
        std::vector<double> out;
        for (const NamedQuantity& variable : bench.plotted) out.push_back(bench.value(variable).value_or(0));
        return out;
    };
    const std::vector<double> first = values();
    if (bench.interrupted()) return true;
    if (!restore(bench, point)) return false;
    for (const Change& change : changes)
        if (!set_parameter(bench, change.variable, change.value)) return false;
    if (!run_system(bench, request)) return false;
    const std::vector<double> second = values();
    for (std::size_t k = 0; k < bench.plotted.size(); ++k)
        bench.print(fmt::format("{}: {:.6g} AS IT WAS, {:.6g} WITH THE CHANGE, AT TIME {}",
                                bench.plotted[k].shown, first[k], second[k], shortest_number(live.time())));
    return true;
}

}  // namespace cutset
