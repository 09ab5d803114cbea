// Commands of the program inside a session: they get the active system's file and what was changed.
#include <algorithm>
#include <filesystem>
#include <set>

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

// `Y[MOTOR]` and names in another letter case, as the command line knows them.
std::string plain_name(const Workbench& bench, const std::string& written) {
    if (!bench.system.live) return written;
    TokenReader tokens(written);
    std::optional<Diagnostic> problem;
    const auto name = bench.system.names.read(tokens);
    const auto found = name && tokens.at_end() ? bench.system.names.find(*name, {}, problem) : std::nullopt;
    return found ? found->path : written;
}
std::string plain_list(const Workbench& bench, const std::string& written) {
    std::string out;
    std::size_t begin = 0;
    while (begin <= written.size()) {
        const std::size_t end = std::min(written.size(), written.find(',', begin));
        out += (begin == 0 ? "" : ",") + plain_name(bench, written.substr(begin, end - begin));
        begin = end + 1;
    }
    return out;
}

bool are_variables(const Workbench& bench, const std::string& written) {
    std::size_t begin = 0;
    while (begin <= written.size()) {
        const std::size_t end = std::min(written.size(), written.find(',', begin));
        TokenReader tokens(std::string_view(written).substr(begin, end - begin));
        std::optional<Diagnostic> problem;
        const auto name = bench.system.names.read(tokens);
        if (!name || !tokens.at_end() || !bench.system.names.find(*name, {}, problem)) return false;
        begin = end + 1;
    }
    return true;
}

// References to variables of systems anywhere in an option: `G[CPID]=1:5`.
std::string plain_references(const Workbench& bench, const std::string& written) {
    std::string out;
    std::size_t done = 0;
    const std::vector<CommandToken> tokens = command_tokens(written);
    for (std::size_t k = 0; k + 3 < tokens.size(); ++k) {
        if (tokens[k].kind != CommandToken::Kind::Word || !tokens[k + 1].is('[') ||
            tokens[k + 2].kind != CommandToken::Kind::Word || !tokens[k + 3].is(']'))
            continue;
        const SystemSummary* const system = bench.system.names.system(tokens[k + 2].text);
        if (!system) continue;
        out += written.substr(done, tokens[k].begin - done);
        out += plain_name(bench, tokens[k].text + "[" + tokens[k + 2].text + "]");
        done = tokens[k + 3].end;
    }
    return out + written.substr(done);
}

// What the session is more lenient in than the command line.
void complete_words(const Workbench& bench, std::vector<std::string>& words) {
    for (std::size_t k = 0; k < words.size(); ++k) {
        if (k > 0 && (words[k - 1] == "--inputs" || words[k - 1] == "--outputs")) {
            words[k] = plain_list(bench, words[k]);
            continue;
        }
        const bool names = k + 1 < words.size() && are_variables(bench, words[k + 1]);
        if (words[k] == "--input" && names) words[k] = "--inputs";
        if (words[k] == "--output" && names) words[k] = "--outputs";
        words[k] = plain_references(bench, words[k]);
    }
}

// What --vary gives values to; an initial value with its (0).
std::set<std::string> varied(const std::vector<std::string>& words) {
    std::set<std::string> names;
    bool follows = false;
    for (std::string_view word : words) {
        constexpr std::string_view option = "--vary";
        if (word.starts_with("-")) {
            follows = word.starts_with(option);
            if (!word.starts_with("--vary=")) continue;
            word.remove_prefix(option.size() + 1);
        }
        if (!follows) continue;
        std::string name(word.substr(0, word.find('=')));
        std::erase(name, ' ');
        names.insert(std::move(name));
    }
    return names;
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
    complete_words(bench, given);
    if (!bench.switches.external && !bench.by_person() &&
        std::any_of(given.begin(), given.end(),
                    [](const std::string& word) { return word.starts_with("--allow-"); }))
        return bench.fail(messages::only_by_person(
            "--allow-external", "`cutset shell --allow-external` begins a session with it"));
    const bool own_file = !given.empty() && is_file(given[0]);
    const bool asks_help = std::any_of(given.begin(), given.end(),
                                       [](const std::string& w) { return w == "--help" || w == "-h"; });
    if (!own_file && !asks_help) {
        if (!bench.has_system()) return false;
        const ActiveSystem& system = bench.system;
        words.push_back(system.files.back());
        if (!system.simnon && !system.model.empty()) words.push_back(system.model);
        // What is varied has no value of the session.
        const std::set<std::string> by_command = varied(given);
        for (const auto& [path, value] : system.parameters) {
            if (by_command.contains(path)) continue;
            words.emplace_back("--set");
            words.push_back(path + "=" + shortest_number(value));
        }
        for (const auto& [path, value] : system.initials) {
            if (by_command.contains(path + "(0)")) continue;
            words.emplace_back("--init");
            words.push_back(path + "=" + shortest_number(value));
        }
        // Inputs that the command line names itself are left to it.
        for (const auto& [path, text] : system.inputs) {
            const std::string argument = path + "=" + text;
            words.emplace_back("--input");
            words.push_back(argument);
        }
        if (bench.switches.external) words.emplace_back("--allow-external");
        for (const std::string& directory : bench.settings.library_directories) {
            words.emplace_back("--library");
            words.push_back(directory);
        }
    }
    words.insert(words.end(), given.begin(), given.end());
    const int status = bench.host.operation(words);
    if (status == 0) return true;
    bench.failure = Concern::None;
    return false;
}

}  // namespace cutset
