#include "driver/translation_cache.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <memory>
#include <nlohmann/json.hpp>

#include "base/cache_folder.h"
#include "base/stopwatch.h"
#include "ir/archive.h"

namespace cutset {

namespace fs = std::filesystem;

namespace {

constexpr std::uintmax_t most_bytes = 1'000'000'000;  // of all entries
constexpr std::size_t largest_entry = 400'000'000;
constexpr double shortest_kept = 0.04;  // seconds: below it, nobody would see that the entry is read

// This build of the program.
std::string build_identity() {
    return file_version("/proc/self/exe");
}

std::string listing(const std::string& directory) {
    std::string problem, text;
    for (const std::string& file : library_files(directory, problem)) text += file + "\n";
    return fingerprint(text + problem).text();
}

}  // namespace

std::optional<TranslationCache> TranslationCache::open() {
    std::string folder = cache_folder();
    if (folder.empty() || build_identity().empty()) return std::nullopt;
    return TranslationCache(std::move(folder), shortest_kept);
}

std::string TranslationCache::path(const std::string& question) const {
    std::error_code ec;
    const std::string key = build_identity() + "\n" + fs::current_path(ec).string() + "\n" + question;
    return directory_ + "/" + fingerprint(key).text() + ".program";
}

std::optional<Program> TranslationCache::find(const std::string& question, Workspace& workspace) const {
    const Stopwatch watch(&workspace.times.parse);
    const std::string file = path(question);
    std::error_code ec;
    // The first line says what it was made from; after an edit the rest is not even read.
    std::ifstream in(file, std::ios::binary);
    std::string line, problem;
    if (!std::getline(in, line)) return std::nullopt;
    const nlohmann::json head = nlohmann::json::parse(line, nullptr, false);
    if (!head.is_object() || head.value("question", "") != question) return std::nullopt;
    Sources sources;
    std::vector<SourceId> files;
    try {
        for (const auto& directory : head.at("directories"))
            if (listing(directory.at(0).get<std::string>()) != directory.at(1).get<std::string>())
                return std::nullopt;
        for (const auto& place : head.at("absent"))
            if (fs::exists(place.get<std::string>(), ec)) return std::nullopt;
        for (const auto& source : head.at("sources")) {
            std::string name = source.at(0).get<std::string>(), text = source.at(2).get<std::string>();
            if (source.at(1).get<bool>()) {  // a file, of which the fingerprint is kept
                std::optional<std::string> now = read_file(name, problem);
                if (!now || fingerprint(*now).text() != text) return std::nullopt;
                files.push_back(sources.add(std::move(name), std::move(*now)));
            } else {
                sources.add(std::move(name), std::move(text));
            }
        }
    } catch (const nlohmann::json::exception&) {
        return std::nullopt;
    }
    const std::uintmax_t size = fs::file_size(file, ec);
    if (ec || size <= line.size()) return std::nullopt;
    const std::size_t rest = size - line.size() - 1;
    const auto bytes = std::make_unique_for_overwrite<char[]>(rest);
    if (!in.read(bytes.get(), std::streamsize(rest))) return std::nullopt;
    std::optional<ArchivedProgram> found = unarchive({bytes.get(), rest});
    if (!found) return std::nullopt;
    workspace.sources = std::move(sources);
    workspace.looked.files = std::move(files);
    for (Diagnostic& d : found->messages) workspace.diagnostics.report(std::move(d));
    fs::last_write_time(file, fs::file_time_type::clock::now(), ec);
    return std::move(found->program);
}

bool TranslationCache::takes(const Workspace& workspace, const Program& program) const {
    const Workspace::Times& t = workspace.times;
    return t.parse + t.instantiate + t.sort + t.generate >= shortest_ &&
           !program.partition->model.reads_files;
}

void TranslationCache::store(const std::string& question, const Workspace& workspace,
                             const Diagnostics& messages, const Program& program) const {
    if (!takes(workspace, program)) return;
    nlohmann::json head;
    head["question"] = question;
    head["directories"] = nlohmann::json::array();
    for (const std::string& directory : workspace.looked.directories)
        head["directories"].push_back({directory, listing(directory)});
    head["absent"] = workspace.looked.absent;
    head["sources"] = nlohmann::json::array();
    const auto& files = workspace.looked.files;
    for (SourceId id(1); id < workspace.sources.end(); ++id.value) {
        const bool is_file = std::find(files.begin(), files.end(), id) != files.end();
        const std::string& text = workspace.sources.text(id);
        head["sources"].push_back(
            {workspace.sources.name(id), is_file, is_file ? fingerprint(text).text() : text});
    }
    std::error_code ec;
    fs::create_directories(directory_, ec);
    const std::string file = path(question);
    std::string problem;
    // A text that is not UTF-8 cannot be told exactly: then nothing is kept.
    std::string text;
    try {
        text = head.dump();
    } catch (const nlohmann::json::exception&) {
        return;
    }
    const auto bytes = archive(program, messages.all(), largest_entry, std::move(text) + "\n");
    if (bytes && write_file(file, *bytes, problem))
        remove_oldest(directory_, {".program", ".code"}, most_bytes, file);
}

}  // namespace cutset
