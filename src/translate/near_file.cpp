#include "translate/near_file.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <string_view>
#include <system_error>

#include "base/diagnostic.h"

namespace cutset {

namespace {

constexpr std::array<std::string_view, 5> model_endings = {".dym", ".t", ".mo", ".om", ".el"};
constexpr std::size_t most_entries = 2'000;  // of a folder that are looked at

std::vector<std::string> model_files(const std::filesystem::path& folder) {
    std::vector<std::string> out;
    std::error_code ec;
    std::size_t entries = 0;
    for (auto at = std::filesystem::directory_iterator(folder, ec);
         !ec && at != std::filesystem::directory_iterator() && ++entries <= most_entries; at.increment(ec)) {
        const std::string ending = at->path().extension().string();
        if (std::find(model_endings.begin(), model_endings.end(), ending) != model_endings.end())
            out.push_back(at->path().filename().string());
    }
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

std::string near_model_file(const std::string& path, const std::vector<std::string>& directories) {
    const std::filesystem::path wanted(path), parent = wanted.parent_path();
    std::error_code ec;
    if (wanted.filename().empty() || std::filesystem::exists(wanted, ec)) return "";
    const auto near = [&](const std::filesystem::path& folder) {
        const std::vector<std::string> files = model_files(folder);
        for (const std::string& file : files) {
            const std::filesystem::path stem = std::filesystem::path(file).stem();
            if (stem == wanted.filename() || stem == wanted.stem()) return file;
        }
        return nearest_name(wanted.filename().string(), files);
    };
    if (const std::string beside = near(parent.empty() ? "." : parent); !beside.empty())
        return (parent / beside).string();
    for (const std::string& directory : directories)
        if (const std::string there = near(directory); !there.empty()) return there;
    return "";
}

}  // namespace cutset
