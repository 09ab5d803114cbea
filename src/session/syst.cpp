// SYST: the system to be experimented with, from files; with the line editor where a file is missing or
// wrong.
#include <algorithm>
#include <filesystem>
#include <map>

#if __has_include("languages/simnon/parse.h")
#include "languages/simnon/parse.h"
#endif
#include "session/command_text.h"
#include "session/edit_file.h"
#include "session/messages.h"
#include "session/workbench.h"

namespace cutset {

namespace messages = session_messages;

namespace {

bool is_simnon(const std::string& path) {
    return equal_ignoring_case(std::filesystem::path(path).extension().string(), ".t");
}

// Errors that more lines may still take away.
bool may_be_completed(const Diagnostic& d) {
    static const std::vector<std::string> codes = {"missing-end",         "unassigned", "states-do-not-match",
                                                   "missing-sample-time", "no-system",  "needs-connecting"};
    return std::find(codes.begin(), codes.end(), d.code) != codes.end();
}

// Line by line, as the text is typed.
std::optional<std::size_t> check_lines(Workbench& bench, const std::string& path,
                                       const std::vector<std::string>& lines, std::size_t count, bool whole) {
    Sources sources;
    const SourceId source =
        sources.add(path, text_of({lines.begin(), lines.begin() + static_cast<std::ptrdiff_t>(count)}));
    Diagnostics found;
#if __has_include("languages/simnon/parse.h")
    simnon::parse_systems(sources, source, found);
#else
    (void)source;
#endif
    bool ended = whole;
    for (std::size_t k = 0; k < count; ++k)
        ended = ended || equal_ignoring_case(without_comment(lines[k]), "END");
    for (const Diagnostic& d : found.all()) {
        if (d.severity != Severity::Error || (!ended && may_be_completed(d))) continue;
        Diagnostics first;
        first.report(d);
        bench.report(first, sources);
        return d.where.known() ? sources.locate(d.where).line : count;
    }
    return std::nullopt;
}

enum class Remark { None, Warning, Computation };
Remark remark_of(const Diagnostic& d) {
    if (d.severity == Severity::Error) return Remark::None;
    if (d.code == "undefined-input" || d.message.find("IS UNDEFINED IN") != std::string::npos)
        return Remark::Warning;
    if (d.code == "output-order" || d.message.find("PRECEDED BY EXECUTION") != std::string::npos)
        return Remark::Computation;
    return Remark::None;
}
bool wanted(const Workbench& bench, Remark remark) {
    return remark == Remark::Warning ? bench.switches.warn : bench.switches.compu;
}
std::string remark_text(const Diagnostic& d) {
    const bool warning = remark_of(d) == Remark::Warning && !d.message.starts_with("WARNING");
    return (warning ? "WARNING: " : "") + d.message;
}

// Warnings about inputs and messages of the order of computation stand below the lines concerned; everything
// else is reported as it is.
void tell(Workbench& bench, const Workspace& workspace, bool remarks) {
    Diagnostics others;
    std::string last_line;
    for (const Diagnostic& d : workspace.diagnostics.all()) {
        const Remark remark = remark_of(d);
        if (remark == Remark::None) {
            others.report(d);
            continue;
        }
        if (!remarks || !wanted(bench, remark)) continue;
        if (d.where.known()) {
            const Location at = workspace.sources.locate(d.where);
            const std::string line(trimmed(workspace.sources.line(d.where.source, at.line)));
            if (line != last_line) bench.print(line);
            last_line = line;
        }
        bench.print("  " + remark_text(d));
    }
    if (!others.all().empty()) bench.report(others, workspace.sources);
}

bool load(Workbench& bench, Workspace& workspace, const std::vector<std::string>& files) {
    workspace.library_directories = bench.settings.library_directories;
    workspace.add_library_directories();
    return is_simnon(files.back()) ? workspace.load_systems(files) : workspace.load(files.back());
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
            for (const Diagnostic& d : workspace.diagnostics.all()) {
                const Remark remark = remark_of(d);
                if (remark == Remark::None || !d.where.known() || !wanted(bench, remark)) continue;
                if (workspace.sources.name(d.where.source) != path) continue;
                (**lines)[workspace.sources.locate(d.where).line].push_back(remark_text(d));
            }
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
            if (workspace.sources.name(d.where.source) == files[k])
                return std::pair(k, workspace.sources.locate(d.where).line);
    }
    return std::nullopt;
}

void activate(Workbench& bench, ActiveSystem system) {
    const std::vector<NamedQuantity> plotted = std::move(bench.plotted);
    const std::optional<NamedQuantity> horizontal = std::move(bench.horizontal);
    bench.forget_system();
    bench.system = std::move(system);
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
}

}  // namespace

bool command_syst(Workbench& bench, const std::string& arguments) {
    std::optional<Diagnostic> problem;
    std::vector<std::string> words;
    const auto options = split_path_options(arguments, {"EDIT"}, words, problem);
    if (!options) return bench.fail(problem);
    if (words.empty()) return bench.fail(messages::syst_form());
    const bool edit = options->has("EDIT");

    std::vector<std::string> files;
    std::string model;
    const auto first = find_file(words[0], {".t", ".dym"});
    const bool simnon = !first || is_simnon(*first) || words.size() > 2;
    if (simnon) {
        for (const std::string& word : words) {
            if (std::filesystem::is_directory(word)) return bench.fail(messages::is_directory(word));
            const auto found = find_file(word, {".t", ".so"});
            files.push_back(found.value_or(std::filesystem::path(word).has_extension() ? word : word + ".t"));
        }
    } else {
        files.push_back(*first);
        if (words.size() == 2) model = words[1];
    }

    // Files that are missing, or are to be changed.
    bool remarks_shown = false;
    for (std::size_t k = 0; k < files.size(); ++k) {
        std::error_code error;
        const bool exists = std::filesystem::exists(files[k], error);
        if (exists && !edit) continue;
        if (!is_simnon(files[k]) && !exists) return bench.fail(messages::no_file(words[k]));
        EditRequest request;
        request.path = files[k];
        request.shown = words[k];
        request.commands_leave = !exists;
        if (is_simnon(files[k])) {
            request.check = [&bench, path = files[k]](const std::vector<std::string>& lines,
                                                      std::size_t count, bool whole) {
                return check_lines(bench, path, lines, count, whole);
            };
            request.remarks = remarks_on(bench, files, files[k], remarks_shown);
        }
        const EditEnd end = edit_file(bench, request);
        if (end == EditEnd::Left || end == EditEnd::Failed) {
            bench.forget_system();
            return end == EditEnd::Left ? bench.fail(messages::syst_was_left()) : false;
        }
    }

    while (true) {
        ActiveSystem system;
        system.workspace = std::make_unique<Workspace>();
        system.files = files;
        system.simnon = simnon;
        system.model = model;
        if (load(bench, *system.workspace, files)) {
            LiveModel::Settings settings;
            settings.model = model;
            system.live = LiveModel::make(*system.workspace, std::move(settings));
        }
        tell(bench, *system.workspace, !remarks_shown);
        if (system.live) {
            activate(bench, std::move(system));
            return true;
        }
        bench.forget_system();
        const auto place = simnon ? first_error(*system.workspace, files) : std::nullopt;
        if (!place) return false;
        EditRequest request;
        request.path = files[place->first];
        request.shown = words[place->first];
        request.line = place->second;
        request.commands_leave = true;
        request.check = [&bench, path = request.path](const std::vector<std::string>& lines,
                                                      std::size_t count, bool whole) {
            return check_lines(bench, path, lines, count, whole);
        };
        const EditEnd end = edit_file(bench, request);
        if (end != EditEnd::Written) return false;
        remarks_shown = false;
    }
}

}  // namespace cutset
