// Commands of the program inside a session: they get the active system's file and what was changed.
#include <algorithm>
#include <filesystem>

#include "session/command_text.h"
#include "session/messages.h"
#include "session/workbench.h"

namespace cutset {

namespace messages = session_messages;

namespace {

bool is_file(const std::string& word) {
    std::error_code error;
    return !word.empty() && word[0] != '-' && std::filesystem::exists(word, error);
}

}  // namespace

bool run_operation(Workbench& bench, const std::string& operation, std::string_view arguments) {
    std::vector<std::string> given = shell_words(arguments);
    std::vector<std::string> words{operation};
    if (operation == "WHY") {
        if (!bench.has_system()) return false;
        TokenReader tokens{std::string_view(arguments)};
        if (tokens.at_end()) return bench.fail(messages::why_form());
        const auto variable = bench.variable(tokens, {});
        if (!variable) return false;
        words = {"equations"};
        given = {"--where", variable->path};
    }
    const bool own_file = !given.empty() && is_file(given[0]);
    const bool asks_help = std::any_of(given.begin(), given.end(),
                                       [](const std::string& w) { return w == "--help" || w == "-h"; });
    if (!own_file && !asks_help) {
        if (!bench.has_system()) return false;
        const ActiveSystem& system = bench.system;
        words.push_back(system.files.back());
        if (!system.simnon && !system.model.empty()) words.push_back(system.model);
        for (const auto& [path, value] : system.parameters) {
            words.emplace_back("--set");
            words.push_back(path + "=" + number_text(value));
        }
        for (const auto& [path, value] : system.initials) {
            words.emplace_back("--init");
            words.push_back(path + "=" + number_text(value));
        }
        // Inputs that the command line names itself are left to it.
        for (const auto& [path, text] : system.inputs) {
            const std::string argument = path + "=" + text;
            words.emplace_back("--input");
            words.push_back(argument);
        }
        for (const std::string& directory : bench.settings.library_directories) {
            words.emplace_back("--library");
            words.push_back(directory);
        }
    }
    words.insert(words.end(), given.begin(), given.end());
    const int status = bench.host.operation(words);
    if (status == 0) return true;
    bench.failure_code = "operation-failed";
    return false;
}

}  // namespace cutset
