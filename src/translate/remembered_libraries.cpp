#include "translate/remembered_libraries.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <string_view>

#include "base/letters.h"
#include "base/source.h"

namespace cutset {

namespace fs = std::filesystem;

namespace {

std::vector<std::string> parts_of(std::string_view text, char between) {
    std::vector<std::string> parts;
    for (std::size_t begin = 0; begin <= text.size();) {
        const std::size_t end = std::min(text.find(between, begin), text.size());
        const std::string_view part = trimmed(text.substr(begin, end - begin));
        if (!part.empty()) parts.emplace_back(part);
        begin = end + 1;
    }
    return parts;
}

}  // namespace

std::string remembered_libraries_file() {
    const char* config = std::getenv("XDG_CONFIG_HOME");
    if (config && *config) return std::string(config) + "/cutset/libraries";
    const char* home = std::getenv("HOME");
    return home && *home ? std::string(home) + "/.config/cutset/libraries" : "";
}

std::vector<std::string> remembered_libraries() {
    std::string problem;
    const auto text = read_file(remembered_libraries_file(), problem, InputKind::FileOnly);
    return text ? parts_of(*text, '\n') : std::vector<std::string>{};
}

bool remember_libraries(const std::vector<std::string>& directories, std::string& problem) {
    const std::string file = remembered_libraries_file();
    if (file.empty()) {
        problem = "neither XDG_CONFIG_HOME nor HOME is set";
        return false;
    }
    std::error_code ec;
    fs::create_directories(fs::path(file).parent_path(), ec);
    std::string text;
    for (const std::string& directory : directories) text += directory + "\n";
    return write_file(file, text, problem);
}

std::vector<std::string> class_directories(const std::vector<std::string>& of_command) {
    std::vector<std::string> all = of_command;
    if (const char* path = std::getenv("MODELICAPATH"))
        for (std::string& part : parts_of(path, ':')) all.push_back(std::move(part));
    for (std::string& directory : remembered_libraries()) all.push_back(std::move(directory));
    return all;
}

}  // namespace cutset
