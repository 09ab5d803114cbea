// cutset library: the directories of class libraries that are remembered.
#include "objects/library.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "base/bad_option.h"
#include "base/json.h"
#include "commands.h"
#include "output/console.h"
#include "output/json_output.h"
#include "translate/messages.h"
#include "translate/remembered_libraries.h"
#include "translate/workspace.h"

namespace cutset::cli {

namespace {

namespace fs = std::filesystem;

struct LibraryCommand {
    std::string action, directory;
    bool json = false;
};

int refused(Diagnostic d) {
    Diagnostics diagnostics;
    diagnostics.report(std::move(d));
    print_diagnostics(diagnostics, Sources());
    return 2;
}

void list_libraries(bool json) {
    Json out = Json::array();
    for (const std::string& directory : class_directories({})) {
        const std::vector<std::string> names = class_names(directory);
        if (json) {
            out.push_back({{"directory", directory}, {"libraries", names}});
            continue;
        }
        std::string line;
        for (const std::string& name : names) line += (line.empty() ? "" : ", ") + name;
        fmt::print("{}: {}\n", directory, line.empty() ? "no classes" : line);
    }
    if (json) print_json({{"directories", std::move(out)}});
}

enum class Action { Add, List, Models, Remove };

std::optional<Action> action_of(std::string_view word) {
    constexpr std::pair<std::string_view, Action> words[] = {
        {"add", Action::Add}, {"list", Action::List}, {"models", Action::Models}, {"remove", Action::Remove}};
    for (const auto& [name, action] : words)
        if (word == name) return action;
    return std::nullopt;
}

int change_libraries(const LibraryCommand& command, bool adds) {
    std::error_code ec;
    const std::string directory = fs::weakly_canonical(command.directory, ec).string();
    std::vector<std::string> all = remembered_libraries();
    const auto found = std::find(all.begin(), all.end(), directory);
    if (adds) {
        if (!fs::is_directory(directory, ec) || class_names(directory).empty())
            return refused(translate_messages::no_classes(command.directory));
        if (found == all.end()) all.push_back(directory);
    } else {
        if (found == all.end())
            return refused(bad_option(fmt::format("library remove: {} is not remembered", directory),
                                      "cutset library list says what is"));
        all.erase(found);
    }
    std::string problem;
    if (!remember_libraries(all, problem))
        return refused(bad_option(fmt::format("{}: {}", remembered_libraries_file(), problem)));
    return 0;
}

// The models of a library that say how long they are to be run.
int list_models(const LibraryCommand& command) {
    Workspace workspace;
    workspace.text.load(command.directory, {}, workspace.diagnostics);
    Json out = Json::array();
    if (!workspace.diagnostics.has_errors()) {
        ObjectText& objects = *workspace.text.objects();
        for (const object::Class* own : objects.own)
            for (const object::Class* c : all_classes(objects.library, *own)) {
                Diagnostics ignored;
                const auto words = experiment_words(*c, workspace.text.sources(), ignored);
                if (c->partial || std::find(words.begin(), words.end(), "--stop") == words.end()) continue;
                if (command.json)
                    out.push_back({{"class", ClassLibrary::path(*c)},
                                   {"file", workspace.text.sources().name(c->where.source)},
                                   {"experiment", words}});
                else
                    fmt::print("{}\n", ClassLibrary::path(*c));
            }
    }
    if (command.json) print_json({{"models", std::move(out)}});
    print_diagnostics(workspace.diagnostics, workspace.text.sources());
    return workspace.diagnostics.has_errors() ? 1 : 0;
}

int library(const LibraryCommand& command) {
    const auto action = action_of(command.action);
    if (!action)
        return refused(bad_option(fmt::format("library {}: there is no such action", command.action),
                                  "add, list, models and remove are"));
    const bool of_all = *action == Action::List;
    if (of_all != command.directory.empty())
        return refused(bad_option(of_all ? "library list takes no directory"
                                         : fmt::format("library {}: which directory?", command.action)));
    switch (*action) {
        case Action::Add:
        case Action::Remove:
            return change_libraries(command, *action == Action::Add);
        case Action::Models:
            return list_models(command);
        case Action::List:
            break;
    }
    list_libraries(command.json);
    return 0;
}

}  // namespace

void add_library(CommandLine& line) {
    auto o = std::make_shared<LibraryCommand>();
    Command& c =
        line.add("library", groups::model, "remember directories of Modelica libraries; list their models",
                 [o] { return library(*o); });
    c.positional("ACTION", o->action, "add, list, models or remove", true)
        .proposes({"add", "list", "models", "remove"});
    c.positional("DIRECTORY", o->directory, "the directory that holds the library's directory or file",
                 false);
    c.flag("--json", o->json, "one JSON object on standard output");
    c.footer(
        "Classes are looked for in the directories of --library, then of MODELICAPATH (separated by "
        "colons),\n"
        "then in those that are remembered.\n"
        "Examples:\n"
        "  cutset library add ~/ModelicaStandardLibrary\n"
        "  cutset library list\n"
        "  cutset library models ~/ModelicaStandardLibrary/Modelica    what can be run as it is\n"
        "  cutset simulate Modelica.Electrical.Analog.Examples.CauerLowPassAnalog");
}

}  // namespace cutset::cli
