#include "session/completion.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "numerics/integrators/integrator.h"
#include "session/command_text.h"
#include "session/edit_file.h"
#include "session/interpreter.h"

namespace cutset {

namespace {

using Kind = LiveModel::Kind;
using Candidates = std::vector<std::string>;

Candidates file_names(const std::string& written, const std::vector<std::string>& endings, bool all) {
    namespace fs = std::filesystem;
    Candidates out;
    std::error_code error;
    const std::size_t slash = written.rfind('/');
    const std::string directory = slash == std::string::npos ? "" : written.substr(0, slash + 1);
    for (fs::directory_iterator entry(directory.empty() ? "." : directory, error), end;
         !error && entry != end; entry.increment(error)) {
        const std::string name = entry->path().filename().string();
        if (name[0] == '.') continue;
        if (entry->is_directory(error)) {
            out.push_back(directory + name + "/");
            continue;
        }
        const std::string ending = lower_case(entry->path().extension().string());
        if (all || std::find(endings.begin(), endings.end(), ending) != endings.end())
            out.push_back(directory + name);
    }
    return out;
}

// Names of files without the ending that the command adds itself.
Candidates text_files(const std::string& written, const std::vector<std::string>& endings) {
    Candidates out = file_names(written, endings, false);
    for (std::string& name : out)
        if (lower_case(name).ends_with(".t")) name.resize(name.size() - 2);
    return out;
}

void add_options(Candidates& out, const std::vector<std::string>& options) {
    for (const std::string& option : options) out.push_back("-" + option);
}

Candidates for_argument(const Workbench& bench, const std::string& command, std::string_view before,
                        const std::string& written) {
    Candidates out;
    const NameIndex& names = bench.system.names;
    const auto variables = [&](const std::vector<Kind>& kinds) {
        const Candidates found = names.spellings(kinds);
        out.insert(out.end(), found.begin(), found.end());
    };
    const bool value =
        before.find(':') != std::string_view::npos || before.find('=') != std::string_view::npos;
    const bool in_parenthesis = !before.empty() && before.back() == '(';
    if (command == "SYST") {
        out = text_files(written, model_endings);
        add_options(out, {"EDIT"});
    } else if (command == "EDIT" || command == "LIST") {
        out = text_files(written, {".t", ".mac", ".dym", ".mo", ".om", ".el"});
        for (const auto& macro : bench.macros.defined) out.push_back(macro->name);
        if (in_parenthesis) out = {"DIS", "TP", "LP"};
    } else if (command == "GET" || command == "SAVE") {
        out = text_files(written, {".t"});
        if (command == "SAVE") {
            add_options(out, {"PAR", "INIT"});
            if (bench.system.live)
                for (const SystemSummary& system : bench.system.live->systems()) out.push_back(system.name);
        }
    } else if (command == "HCOPY" || command == "LOG") {
        out = file_names(written, {".svg", ".png", ".pdf", ".log"}, false);
        if (command == "LOG") add_options(out, {"MACRO"});
    } else if (command == "PAR" || command == "BRANCH") {
        variables(value && command == "PAR" ? std::vector<Kind>{}
                                            : std::vector<Kind>{Kind::Parameter, Kind::StructureParameter});
    } else if (command == "INIT" || command == "STATE") {
        variables(value ? std::vector<Kind>{} : std::vector<Kind>{Kind::State, Kind::Discrete});
    } else if (command == "INPUT") {
        variables({Kind::Input});
    } else if (command == "PLOT" || command == "STORE" || command == "SHOW" || command == "DISP" ||
               command == "WHY" || command == "WRITE") {
        variables({});
        if (command == "STORE") add_options(out, {"ADD"});
        if (command == "SHOW") add_options(out, {"MARK", "LIST"});
        if (command == "DISP") add_options(out, {"CHANGED"});
        if (command == "DISP" && in_parenthesis) out = {"DIS", "TP", "LP"};
    } else if (command == "SIMU") {
        add_options(out, {"CONT", "MARK"});
    } else if (command == "AXES") {
        out = {"H", "V", "LOG", "LIN", "AUTO"};
    } else if (command == "ZOOM") {
        out = {"H", "V"};
    } else if (command == "TURN") {
        out = trimmed(before).empty()
                  ? Candidates{"WARN", "COMPU", "PLCOM", "DARK", "MACOM", "STRICT", "EXTERNAL", "PLOTS"}
                  : Candidates{"ON", "OFF"};
    } else if (command == "ALGOR") {
        out = {"HAMPC", "RK", "RKFIX"};
        for (const SolverDescription& d : solver_list()) out.push_back(upper_case(d.name));
    } else if (command == "RESTORE" || command == "CHECKPOINT") {
        for (const auto& [name, point] : bench.system.checkpoints) out.push_back(name);
    } else if (command == "IF") {
        out = {"EQ", "NE", "LT", "GT", "LE", "GE", "GOTO"};
    } else if (command == "FOR") {
        out = {"TO", "STEP"};
    }
    // `/file` of SIMU and SHOW.
    if ((command == "SIMU" || command == "SHOW") && before.find('/') != std::string_view::npos) {
        out = file_names(written, {".csv"}, false);
        for (std::string& name : out)
            if (lower_case(name).ends_with(".csv")) name.resize(name.size() - 4);
    }
    return out;
}

}  // namespace

Session::Completion complete_line(const Workbench& bench, std::string_view line, std::size_t cursor) {
    cursor = std::min(cursor, line.size());
    const std::string_view text = line.substr(0, cursor);
    Session::Completion out{cursor, {}};
    std::string_view command_text = text;
    while (!command_text.empty() &&
           (command_text[0] == ' ' || command_text[0] == '\t' || command_text[0] == '>'))
        command_text.remove_prefix(1);
    const std::size_t offset =
        command_text.empty() ? cursor : static_cast<std::size_t>(command_text.data() - line.data());
    const std::size_t word_end = std::min(command_text.size(), command_text.find_first_of(" \t-(/:'"));
    std::set<std::string> candidates;
    std::string written;
    // `const` is kept: what a word means is looked up without reporting anything.
    Workbench& lookup = const_cast<Workbench&>(bench);
    if (word_end == command_text.size()) {
        written = command_text;
        out.begin = offset;
        for (const std::string& name : Session::commands()) candidates.insert(name);
        for (const std::string& name : bench.host.operations()) candidates.insert(name);
        for (const auto& macro : bench.macros.defined) candidates.insert(macro->name);
        for (const std::string& name : bench.system.names.spellings({}, true)) candidates.insert(name);
        candidates.insert("HELP");
        for (const std::string& path : file_names(written, {".t", ".mac"}, false)) {
            std::string problem;
            if (path.ends_with('/')) continue;
            const auto content = read_file(path, problem);
            if (content && is_macro_text(*content))
                candidates.insert(std::filesystem::path(path).stem().string());
        }
    } else {
        const CommandMeaning meaning = meaning_of(lookup, command_text.substr(0, word_end), false);
        const bool paths = meaning.command && meaning.command->paths;
        const bool operation = meaning.kind == CommandMeaning::Kind::Operation;
        // The word at the cursor: for files up to a blank, else up to a delimiter that is not in brackets.
        std::size_t begin = text.size();
        const auto inside = [&](char c) {
            if (c == ' ' || c == '\t') return false;
            if (paths || operation) return c != '(' && c != ',' && c != '=';
            return c != '(' && c != ')' && c != ':' && c != ',' && c != '=' && c != '/' && c != '+' &&
                   c != '*' && c != '^';
        };
        while (begin > offset + word_end && inside(text[begin - 1])) --begin;
        const std::string_view before = text.substr(offset + word_end, begin - offset - word_end);
        written = text.substr(begin);
        out.begin = begin;
        Candidates found;
        if (operation) {
            if (written.starts_with("-")) {
                for (const std::string& option : bench.host.operation_options(meaning.name))
                    found.push_back(option);
            } else {
                found = bench.system.names.spellings({});
                for (std::string& name : found)
                    if (const std::size_t at = name.find('['); at != std::string::npos && bench.system.simnon)
                        name.clear();
                const Candidates more = file_names(written, {}, true);
                found.insert(found.end(), more.begin(), more.end());
            }
        } else {
            found = for_argument(bench, meaning.name, before, written);
            if (meaning.kind == CommandMeaning::Kind::Macro) found = bench.system.names.spellings({});
            for (const auto& [name, value] : bench.globals) found.push_back(name);
        }
        for (std::string& name : found)
            if (!name.empty()) candidates.insert(std::move(name));
    }
    // As it is written first; else in any letter case.
    for (const std::string& name : candidates)
        if (std::string_view(name).starts_with(written)) out.candidates.push_back(name);
    if (out.candidates.empty())
        for (const std::string& name : candidates)
            if (begins_ignoring_case(name, written)) out.candidates.push_back(name);
    return out;
}

}  // namespace cutset
