#include "studio/model_texts.h"

#include <cstdlib>
#include <filesystem>
#include <utility>

#include "translate/model_text.h"
#include "translate/remembered_libraries.h"

namespace cutset::studio {

namespace {

std::string normal(const std::string& path) {
    return std::filesystem::path(path).lexically_normal().string();
}

}  // namespace

std::vector<std::string> library_directories() {
    std::vector<std::string> out;
    const char* const list = std::getenv("CUTSET_PATH");
    std::string_view rest = list ? list : "";
    while (!rest.empty()) {
        const std::size_t end = std::min(rest.find(':'), rest.size());
        if (end > 0) out.emplace_back(rest.substr(0, end));
        rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (std::string standard = standard_library_directory(); !standard.empty())
        out.push_back(std::move(standard));
    for (const std::string& directory : class_directories({})) {
        std::error_code error;
        const std::filesystem::path real = std::filesystem::canonical(directory, error);
        if (!error) out.push_back(real.string());
    }
    return out;
}

void ModelTexts::set(const std::string& file, std::optional<std::string> text, std::uint64_t version) {
    const std::lock_guard lock(mutex_);
    if (text)
        texts_[file] = {std::move(*text), version};
    else
        texts_.erase(file);
    ++generation_;
}

std::uint64_t ModelTexts::generation() const {
    const std::lock_guard lock(mutex_);
    return generation_;
}

Json ModelTexts::versions() const {
    const std::lock_guard lock(mutex_);
    Json out = Json::object();
    for (const auto& [file, text] : texts_) out[file] = text.version;
    return out;
}

bool ModelTexts::are_all_saved() const {
    const std::lock_guard lock(mutex_);
    return texts_.empty();
}

ModelRequest ModelTexts::request() const {
    ModelRequest request;
    request.file = place_.file;
    request.model = place_.model;
    request.allow_external = place_.allow_external;
    request.unsaved = [this](const std::string& path) -> std::optional<std::string> {
        const std::lock_guard lock(mutex_);
        const auto at = texts_.find(file_name(path));
        if (at == texts_.end()) return std::nullopt;
        return at->second.text;
    };
    return request;
}

Places ModelTexts::places(const Sources& sources) const {
    return {sources, true, [this](const std::string& path) { return file_name(path); }};
}

std::string ModelTexts::file_name(const std::string& path) const {
    const std::string plain = normal(path);
    const auto below = [&](const std::string& folder) {
        return plain.starts_with(folder + "/") ? plain.substr(folder.size() + 1) : std::string();
    };
    if (!plain.starts_with('/')) return plain;
    if (std::string name = below(place_.directory); !name.empty()) return name;
    for (const std::string& library : place_.libraries)
        if (const std::string name = below(normal(library)); !name.empty()) return "library:" + name;
    return plain;
}

}  // namespace cutset::studio
