// SYST: the system to be experimented with, from files; with the line editor where a file is missing or
// wrong.
#include <algorithm>
#include <filesystem>
#include <map>

#include "languages/simnon/parse.h"
#include "session/command_text.h"
#include "session/edit_file.h"
#include "session/experiment_line.h"
#include "session/messages.h"
#include "session/workbench.h"
#include "translate/experiment_text.h"
#include "translate/translator.h"

namespace cutset {

namespace messages = session_messages;

namespace {

bool is_simnon(const std::string& path) {
    return equal_ignoring_case(std::filesystem::path(path).extension().string(), ".t");
}

// A system in machine code.
bool is_library(const std::string& path) {
    return equal_ignoring_case(std::filesystem::path(path).extension().string(), ".so");
}

// Line by line, as the text is typed.
std::optional<std::size_t> check_lines(Workbench& bench, const std::string& path,
                                       const std::vector<std::string>& lines, std::size_t count, bool whole) {
    Sources sources;
    const SourceId source =
        sources.add(path, text_of({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count)}));
    Diagnostics found;
    simnon::parse_systems(sources, source, found);
    bool ended = whole;
    for (std::size_t k = 0; k < count; ++k)
        ended = ended || equal_ignoring_case(without_comment(lines[k]), "END");
    for (const Diagnostic& d : found.all()) {
        if (d.severity != Severity::Error || (!ended && d.concern == Concern::UnfinishedText)) continue;
        Diagnostics first;
        first.report(d);
        bench.report(first, sources);
        return d.where.known() ? sources.locate(d.where).line : count;
    }
    return std::nullopt;
}

struct Remark {
    std::string file;
    std::size_t line = 0;
    std::string statement, text;
};
// Warnings about inputs and messages of the order of computation, as far as the switches want them.
std::vector<Remark> remarks_of(const Workbench& bench, const Workspace& workspace) {
    std::vector<Remark> out;
    for (const ComputationRemark& remark : workspace.text.computation_order()) {
        if (!(remark.warning ? bench.switches.warn : bench.switches.compu)) continue;
        const Location at = workspace.text.sources().locate(remark.statement);
        out.push_back({at.file, at.line,
                       std::string(trimmed(workspace.text.sources().line(remark.statement.source, at.line))),
                       remark.text});
    }
    return out;
}

// Remarks stand below the lines concerned.
void tell_remarks(Workbench& bench, const Workspace& workspace) {
    std::string file;
    std::size_t line = 0;
    for (const Remark& remark : remarks_of(bench, workspace)) {
        if (remark.line != line || remark.file != file) bench.print(remark.statement);
        line = remark.line;
        file = remark.file;
        bench.print("  " + remark.text);
    }
}

bool load(Workbench& bench, Workspace& workspace, const std::vector<std::string>& files) {
    const ModelText::Options options{bench.settings.library_directories, bench.switches.strict,
                                     bench.switches.external};
    const bool systems = std::any_of(files.begin(), files.end(), [](const std::string& file) {
        return is_simnon(file) || is_library(file);
    });
    return systems ? workspace.text.load_systems(files, options, workspace.diagnostics)
                   : workspace.text.load(files.back(), options, workspace.diagnostics);
}

// Remarks on a file by line, from the systems as the files have them.
LineEditor::Remarks remarks_on(Workbench& bench, const std::vector<std::string>& files,
                               const std::string& path, bool& shown) {
    auto lines = std::make_shared<std::optional<std::map<std::size_t, std::vector<std::string>>>>();
    return [&bench, files, path, lines, &shown](std::size_t line) {
        if (!*lines) {
            lines->emplace();
            Workspace workspace;
            load(bench, workspace, files);
            for (const Remark& remark : remarks_of(bench, workspace))
                if (remark.file == path) (**lines)[remark.line].push_back(remark.text);
        }
        shown = true;
        const auto at = (*lines)->find(line);
        return at == (*lines)->end() ? std::vector<std::string>() : at->second;
    };
}

// The first error in one of the files: the file and its line.
std::optional<std::pair<std::size_t, std::size_t>> first_error(const Workspace& workspace,
                                                               const std::vector<std::string>& files) {
    for (const Diagnostic& d : workspace.diagnostics.all()) {
        if (d.severity != Severity::Error || !d.where.known()) continue;
        for (std::size_t k = 0; k < files.size(); ++k)
            if (is_simnon(files[k]) && workspace.text.sources().name(d.where.source) == files[k])
                return std::pair(k, workspace.text.sources().locate(d.where).line);
    }
    return std::nullopt;
}

// Inputs of the model that are not given: in a session they are 0 until INPUT gives them.
std::vector<std::string> open_inputs(Workbench& bench, const std::vector<std::string>& files,
                                     const std::string& model, Experiment experiment,
                                     const Diagnostics& diagnostics) {
    const auto concerned = [](const Diagnostic& d) {
        return d.concern == Concern::OpenInputs && d.submodel.empty();
    };
    const auto at = std::find_if(diagnostics.all().begin(), diagnostics.all().end(), concerned);
    if (at == diagnostics.all().end()) return {};
    std::string text = at->message;
    for (const std::string& detail : at->details) text += " " + detail;
    const std::vector<CommandToken> words = command_tokens(text);
    Workspace workspace;
    if (!load(bench, workspace, files)) return {};
    experiment.open = true;
    if (!model.empty()) workspace.text.refer_to(model, workspace.diagnostics);
    const auto flat = Translator(workspace).collect(model, experiment, workspace.diagnostics);
    std::vector<std::string> out;
    if (!flat) return out;
    for (const Variable& variable : flat->variables)
        if (variable.declared == VariableKind::Input && variable.origin.instance.value == 0 &&
            std::any_of(words.begin(), words.end(), [&](const auto& w) { return w.text == variable.name; }))
            out.push_back(variable.name);
    return out;
}

std::unique_ptr<LiveModel> make_live(Workbench& bench, ActiveSystem& system, FileExperiment& experiment) {
    LiveModel::Settings settings;
    settings.model = system.model;
    settings.experiment = experiment.experiment;
    settings.transform = experiment.transform;
    settings.run.start = experiment.start.value_or(0);
    settings.run.allow_external = bench.switches.external;
    auto live = LiveModel::make(*system.workspace, settings);
    if (live) return live;
    const std::vector<std::string> inputs =
        open_inputs(bench, system.files, system.model, experiment.experiment, system.workspace->diagnostics);
    if (inputs.empty()) return nullptr;
    auto workspace = std::make_unique<Workspace>();
    if (!load(bench, *workspace, system.files)) return nullptr;
    experiment = read_experiment_line(*workspace);
    settings.experiment = experiment.experiment;
    for (const std::string& input : inputs)
        if (auto setting = parse_setting(workspace->text, "--input", input + "=0", workspace->diagnostics))
            settings.experiment.inputs.push_back(std::move(*setting));
    live = LiveModel::make(*workspace, settings);
    if (!live) return nullptr;
    system.workspace = std::move(workspace);
    for (const std::string& input : inputs) system.inputs.emplace_back(input, "0");
    bench.note(messages::inputs_are_zero(inputs));
    return live;
}

std::set<std::string> computed_starts(const ActiveSystem& system) {
    std::set<std::string> out;
    const Workspace& workspace = *system.workspace;
    const std::vector<SystemSummary> summaries = system.live->systems();
    for (const SourceId source : workspace.text.looked().files) {
        if (!is_simnon(workspace.text.sources().name(source))) continue;
        Diagnostics ignored;
        for (const simnon::System& parsed : simnon::parse_systems(workspace.text.sources(), source, ignored))
            for (const SystemSummary& summary : summaries) {
                if (summary.name != parsed.name) continue;
                for (const simnon::SystemVariable& variable : parsed.variables)
                    if (variable.role == SystemRole::State && variable.initial)
                        out.insert(path_in(summary, variable.name));
            }
    }
    // External systems that declare no INIT variables.
    for (const auto& file : workspace.text.classes().files) {
        if (!is_library(file->path)) continue;
        for (const SystemSummary& summary : summaries) {
            const bool here = std::any_of(file->classes.begin(), file->classes.end(),
                                          [&](const auto& c) { return c->name == summary.name; });
            const bool declares = std::any_of(summary.variables.begin(), summary.variables.end(),
                                              [](const auto& v) { return v.role == SystemRole::Initial; });
            if (!here || declares) continue;
            for (const SystemSummary::Variable& variable : summary.variables)
                if (variable.role == SystemRole::State) out.insert(path_in(summary, variable.name));
        }
    }
    return out;
}

void activate(Workbench& bench, ActiveSystem system, const FileExperiment& experiment) {
    // Runs of the same model are compared, those of others have pictures of their own.
    const bool same = bench.system.live && bench.system.files == system.files &&
                      bench.system.model == system.model && bench.picture.axes_given();
    if (same)
        bench.picture.next_future();
    else
        bench.picture.clear();
    const std::vector<NamedQuantity> plotted = std::move(bench.plotted);
    const std::optional<NamedQuantity> horizontal = std::move(bench.horizontal);
    bench.forget_system();
    bench.system = std::move(system);
    if (bench.system.simnon) bench.system.computed_starts = computed_starts(bench.system);
    bench.system.names =
        NameIndex(bench.system.live->quantities(), bench.system.live->systems(), bench.system.simnon);
    // The plot is kept as far as its variables are there.
    const auto again = [&](const NamedQuantity& old) -> std::optional<NamedQuantity> {
        std::optional<Diagnostic> problem;
        auto found = bench.system.names.find({old.path, {}}, {}, problem);
        if (found) found->shown = old.shown;
        return found;
    };
    bool complete = true;
    for (const NamedQuantity& variable : plotted) {
        const auto found = again(variable);
        complete = complete && found;
        if (found) bench.plotted.push_back(*found);
    }
    if (horizontal && !(bench.horizontal = again(*horizontal))) complete = false;
    if (!complete) {
        bench.plotted.clear();
        bench.horizontal.reset();
    }
    // What the file proposes.
    if (experiment.start || experiment.stop) {
        bench.run.start = experiment.start.value_or(0);
        bench.run.stop = experiment.stop.value_or(bench.run.start + 10);
        bench.run.increment = 0;
    }
    if (bench.plotted.empty() && !experiment.plot.empty()) {
        std::string names;
        for (const std::string& name : experiment.plot) names += name + " ";
        plot_if_possible(bench, names);
    }
}

}  // namespace

void adopt_system(Workbench& bench, ActiveSystem system) {
    system.simnon = !system.files.empty() && is_simnon(system.files.back());
    const FileExperiment experiment = read_experiment_line(*system.workspace);
    activate(bench, std::move(system), experiment);
}

namespace {

std::string active_name(const Workbench& bench) {
    if (!bench.system.live) return {};
    return bench.system.model.empty() ? bench.system.live->partition().model.name : bench.system.model;
}

// A SYST that failed leaves the system before as it was.
bool stays(Workbench& bench) {
    if (bench.system.live) bench.note(messages::stays_active(active_name(bench)));
    return false;
}

// SYST files [model] [-EDIT]: what is missing or wrong is written in the editor, until there is a system.
class SystemCommand {
  public:
    SystemCommand(Workbench& bench, bool edit) : bench_(bench), edit_(edit) {}

    bool run(const std::vector<std::string>& words) {
        if (!find_files(words)) return false;
        for (std::size_t k = 0; k < files_.size(); ++k)
            if (const auto stopped = edit_before(k)) return *stopped;
        while (true) {
            if (const auto done = load_system()) return *done;
        }
    }

  private:
    bool find_files(const std::vector<std::string>& words) {
        const auto first = find_file(words[0], model_endings);
        const auto last = find_file(words.back(), {".t"});
        simnon_ = !first || is_simnon(*first) || is_library(*first) || words.size() > 2 ||
                  (last && is_simnon(*last));
        if (!simnon_) {
            files_.push_back(*first);
            shown_.push_back(words[0]);
            if (words.size() == 2) model_ = words[1];
            return true;
        }
        for (const std::string& word : words) {
            std::error_code error;
            if (std::filesystem::is_directory(word, error)) return bench_.fail(messages::is_directory(word));
            const auto found = find_file(word, {".t", ".so", ".dym"});
            // Code that was not compiled: the system that refers to it says so.
            if (!found && words.size() > 1 && &word != &words.back() && find_file(word, {".c"})) continue;
            shown_.push_back(word);
            files_.push_back(
                found.value_or(std::filesystem::path(word).has_extension() ? word : word + ".t"));
        }
        return true;
    }

    EditRequest edit_request(std::size_t file) {
        EditRequest request;
        request.path = files_[file];
        request.shown = shown_[file];
        request.commands_leave = true;
        request.check = [this, path = files_[file]](const std::vector<std::string>& lines, std::size_t count,
                                                    bool whole) {
            return check_lines(bench_, path, lines, count, whole);
        };
        return request;
    }

    // A file that is missing, or is to be changed. Nothing when it is there now; else how the command ends.
    std::optional<bool> edit_before(std::size_t file) {
        const std::string& path = files_[file];
        std::error_code error;
        const bool exists = std::filesystem::exists(path, error);
        if (exists && (!edit_ || is_library(path))) return std::nullopt;
        if (!is_simnon(path) && !exists) {
            bench_.fail(messages::no_file(shown_[file], near_file(shown_[file], model_endings)));
            return stays(bench_);
        }
        EditRequest request = edit_request(file);
        request.commands_leave = !exists;
        if (is_simnon(path))
            request.remarks = remarks_on(bench_, files_, path, remarks_shown_);
        else
            request.check = {};
        const EditEnd end = edit_file(bench_, request);
        if (end == EditEnd::Left) return bench_.fail(messages::syst_was_left(active_name(bench_)));
        if (end == EditEnd::Failed) return stays(bench_);
        return std::nullopt;
    }

    // Nothing when the file with the first error was written anew; else how the command ends.
    std::optional<bool> load_system() {
        ActiveSystem system;
        system.workspace = std::make_unique<Workspace>();
        system.files = files_;
        system.simnon = simnon_;
        system.model = model_;
        FileExperiment experiment;
        if (load(bench_, *system.workspace, files_)) {
            experiment = read_experiment_line(*system.workspace);
            system.live = make_live(bench_, system, experiment);
        }
        if (!remarks_shown_) tell_remarks(bench_, *system.workspace);
        if (!system.workspace->diagnostics.all().empty())
            bench_.report(system.workspace->diagnostics, system.workspace->text.sources());
        if (system.live) {
            activate(bench_, std::move(system), experiment);
            return true;
        }
        const auto place = simnon_ ? first_error(*system.workspace, files_) : std::nullopt;
        if (!place) return stays(bench_);
        EditRequest request = edit_request(place->first);
        request.line = place->second;
        const EditEnd end = edit_file(bench_, request);
        if (end == EditEnd::Left) return bench_.fail(messages::syst_was_left(active_name(bench_)));
        if (end != EditEnd::Written) return stays(bench_);
        remarks_shown_ = false;
        return std::nullopt;
    }

    Workbench& bench_;
    const bool edit_;
    bool simnon_ = false;
    std::vector<std::string> files_, shown_;  // paths, and as they were written
    std::string model_;
    bool remarks_shown_ = false;
};

}  // namespace

bool command_syst(Workbench& bench, const std::string& arguments) {
    std::optional<Diagnostic> problem;
    std::vector<std::string> words;
    const auto options = split_path_options(arguments, {"EDIT"}, words, problem);
    if (!options) return bench.fail(problem);
    if (words.empty()) return bench.fail(messages::syst_form());
    return SystemCommand(bench, options->has("EDIT")).run(words);
}

}  // namespace cutset
