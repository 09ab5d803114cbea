#include "translate/library_files.h"

#include <sys/stat.h>

#include <algorithm>
#include <filesystem>

#include "instantiate/builtin_functions.h"

namespace cutset {

namespace {

std::string stem_of(const tree::File& file) {
    return std::filesystem::path(file.path).stem().string();
}

}  // namespace

std::optional<FileIdentity> file_identity(const std::string& path) {
    struct stat status {};
    if (stat(path.c_str(), &status) != 0) return std::nullopt;
    return FileIdentity{status.st_dev, status.st_ino};
}

LibraryFiles::Library* LibraryFiles::find(const FileIdentity& identity) {
    for (Library& library : all_)
        if (!library.read && library.identity == identity) return &library;
    return nullptr;
}

void LibraryFiles::take(const Declaration& d) {
    std::visit(
        [this](const auto* what) {
            if (taken_.insert(what).second) names_.add(*what);
        },
        d);
}

void LibraryFiles::refer_to_all(const tree::File& file) {
    for (const auto& c : file.classes) take(c.get());
    for (const auto& f : file.functions) take(f.get());
    for (const tree::Table& t : file.tables) take(&t);
}

void LibraryFiles::add(const tree::File& file) {
    const auto note = [this](const std::string& name, const Declaration& d) {
        declarations_.emplace(name, d);
        if (names_.contains(name)) take(d);
    };
    const std::string stem = stem_of(file);
    for (const auto& c : file.classes) {
        note(c->name, c.get());
        if (c->name != stem) note(stem, c.get());  // a file stands for its model
    }
    for (const auto& f : file.functions) note(f->name, f.get());
    for (const tree::Table& t : file.tables) note(t.name, &t);
}

void LibraryFiles::follow() {
    for (; followed_ < names_.all().size(); ++followed_) {
        const auto [begin, end] = declarations_.equal_range(names_.all()[followed_]);
        for (auto d = begin; d != end; ++d) take(d->second);
    }
}

LibraryFiles::Library* LibraryFiles::next(bool all) {
    follow();
    for (Library& library : all_) {
        if (library.read) continue;
        const auto wanted = [&](const std::string& name) { return names_.contains(name); };
        if (all || wanted(stem_of(*library.file)) ||
            std::any_of(library.declared.begin(), library.declared.end(), wanted))
            return &library;
    }
    return nullptr;
}

bool LibraryFiles::any_missing() {
    follow();
    return std::any_of(names_.all().begin(), names_.all().end(), [this](const std::string& name) {
        return !declarations_.contains(name) && !names_.declares(name) && !is_builtin_function(name);
    });
}

}  // namespace cutset
