#include "objects/library.h"

#include <algorithm>
#include <filesystem>
#include <iterator>

#include "base/letters.h"
#include "ir/object_text.h"
#include "languages/modelica/parse.h"
#include "objects/library_messages.h"

namespace cutset {

namespace fs = std::filesystem;
using object::Class;

namespace {

constexpr std::uintmax_t longest_class_file = 500'000'000;  // bytes

// "4.10.0-rc1" after "4.9": by their numbers.
bool older_version(std::string_view a, std::string_view b) {
    while (!a.empty() && !b.empty()) {
        const auto number = [](std::string_view& text) {
            unsigned long value = 0;
            while (!text.empty() && text.front() >= '0' && text.front() <= '9') {
                value = value * 10 + static_cast<unsigned long>(text.front() - '0');
                text.remove_prefix(1);
            }
            if (!text.empty()) text.remove_prefix(1);
            return value;
        };
        const unsigned long x = number(a), y = number(b);
        if (x != y) return x < y;
    }
    return a.size() < b.size();
}

const Class* nested_class(const Class& c, std::string_view name) {
    const auto* body = std::get_if<object::LongDefinition>(&c.definition);
    if (!body) return nullptr;
    for (const object::Element& e : body->elements)
        if (const auto* nested = std::get_if<object::NestedClass>(&e))
            if (nested->declared->name == name) return nested->declared.get();
    return nullptr;
}

bool holds(Span whole, std::uint32_t place) {
    return place >= whole.begin && place < whole.end;
}

// Takes the innermost class around a place out of its package: what is left of it after an error must not be
// used. Returns where it stood; nothing when the place is in no class within this one.
std::optional<Span> leave_out(object::Class& c, std::uint32_t place) {
    auto* body = std::get_if<object::LongDefinition>(&c.definition);
    if (!body) return std::nullopt;
    for (auto e = body->elements.begin(); e != body->elements.end(); ++e) {
        const auto* nested = std::get_if<object::NestedClass>(&*e);
        if (!nested || !holds(nested->declared->whole, place)) continue;
        if (const auto inner = leave_out(*nested->declared, place)) return inner;
        const Span whole = nested->declared->whole;
        body->elements.erase(e);
        return whole;
    }
    return std::nullopt;
}

// Without the classes that have errors; false when the class itself has one.
bool leave_out_broken(object::Class& c, const Diagnostics& problems) {
    std::vector<Span> gone;
    for (const Diagnostic& d : problems.all()) {
        const std::uint32_t place = d.where.begin;
        if (d.severity != Severity::Error) continue;
        if (std::any_of(gone.begin(), gone.end(), [&](Span s) { return holds(s, place); })) continue;
        const auto left_out = leave_out(c, place);
        if (!left_out) return false;
        gone.push_back(*left_out);
    }
    return true;
}

}  // namespace

std::vector<std::string> class_entries(const std::string& directory) {
    std::error_code ec;
    std::vector<std::string> names;
    for (fs::directory_iterator entry(directory, ec), end; !ec && entry != end; entry.increment(ec))
        if (entry->path().extension() == ".mo" || entry->is_directory(ec))
            names.push_back(entry->path().filename().string());
    std::sort(names.begin(), names.end());
    return names;
}

std::vector<std::string> class_names(const std::string& directory) {
    std::vector<std::string> names;
    std::error_code ec;
    for (const std::string& entry : class_entries(directory)) {
        const fs::path path = fs::path(directory) / entry;
        if (entry == "package.mo") continue;
        const bool folder = fs::is_directory(path, ec);
        if (folder && !fs::is_regular_file(path / "package.mo", ec)) continue;
        std::string name = folder ? entry : path.stem().string();
        name.resize(std::min(name.find(' '), name.size()));
        if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(std::move(name));
    }
    return names;
}

void ClassLibrary::attach(Sources& sources, Diagnostics& diagnostics) {
    sources_ = &sources;
    diagnostics_ = &diagnostics;
}

void ClassLibrary::add_directory(const std::string& directory) {
    directories_.emplace_back(directory, std::nullopt);
}

void ClassLibrary::put_directory_first(const std::string& directory) {
    directories_.insert(directories_.begin(), {directory, std::nullopt});
}

void ClassLibrary::read_foreign_by(std::vector<std::string> endings, ForeignReader read) {
    foreign_endings_ = std::move(endings);
    read_foreign_ = std::move(read);
}

// motor.el is a package `motor`.
void ClassLibrary::add_foreign(Folder& folder, const std::string& directory) const {
    std::error_code ec;
    for (const std::string& ending : foreign_endings_) {
        std::vector<std::string> files;
        for (fs::directory_iterator entry(directory, ec), end; !ec && entry != end; entry.increment(ec))
            if (entry->path().extension() == ending) files.push_back(entry->path().string());
        std::sort(files.begin(), files.end());
        for (const std::string& path : files) {
            std::vector<Place>& places = folder.places[fs::path(path).stem().string()];
            if (places.empty()) places.push_back({path, false, true, {}, {}});
        }
    }
}

const Class* ClassLibrary::parse_foreign(Place& place) {
    place.parsed = nullptr;
    std::string problem;
    auto text = read_file(place.path, problem, InputKind::FileOnly);
    if (!text) return nullptr;
    looked_.files.push_back(sources_->add(place.path, std::move(*text)));
    const std::shared_ptr<const object::File> file = read_foreign_(place.path, *sources_, *diagnostics_);
    if (!file || file->classes.empty()) return nullptr;
    files_.push_back(file);
    place.parsed = file->classes.front().get();
    return *place.parsed;
}

void ClassLibrary::add(std::shared_ptr<const object::File> file) {
    const Class* package = nullptr;
    if (file->within && !file->within->parts.empty()) {
        package = find(object_text(*file->within));
        if (!package)
            diagnostics_->report(
                library_messages::package_not_found(file->within->where, object_text(*file->within)));
    }
    for (const auto& c : file->classes) {
        c->parent = package;
        if (package)
            added_[package].push_back(c.get());
        else
            tops_[c->name] = c.get();
        note_uses(*c);
    }
    files_.push_back(std::move(file));
}

// ---- the disk

// What a directory holds, without looking into the files.
ClassLibrary::Folder ClassLibrary::read_folder(const std::string& directory, bool top_level) {
    Folder folder;
    folder.path = directory;
    looked_.directories.push_back(directory);
    std::error_code ec;
    for (const std::string& entry : class_entries(directory)) {
        const fs::path path = fs::path(directory) / entry;
        if (entry == "package.mo") continue;
        const bool is_folder = fs::is_directory(path, ec);
        if (is_folder && !fs::is_regular_file(path / "package.mo", ec)) continue;
        Place place{is_folder ? (path / "package.mo").string() : path.string(), is_folder, false, {}, {}};
        std::string name = is_folder ? entry : path.stem().string();
        if (const std::size_t blank = name.find(' '); top_level && blank != std::string::npos) {
            place.version = name.substr(blank + 1);
            name.resize(blank);
        }
        folder.places[name].push_back(std::move(place));
    }
    if (top_level) add_foreign(folder, directory);
    read_order(folder, (fs::path(directory) / "package.order").string());
    return folder;
}

// Of several versions of a library the one that `uses` names, else one without a version, else the newest.
ClassLibrary::Place& ClassLibrary::chosen(const std::string& name, std::vector<Place>& versions) const {
    const auto wanted = uses_.find(name);
    const auto rank = [&](const Place& p) {
        return wanted != uses_.end() && p.version == wanted->second ? 2 : p.version.empty() ? 1 : 0;
    };
    return *std::max_element(versions.begin(), versions.end(), [&](const Place& a, const Place& b) {
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        return a.version == b.version ? a.folder < b.folder : older_version(a.version, b.version);
    });
}

void ClassLibrary::read_order(Folder& folder, const std::string& path) {
    std::string problem;
    const auto text = read_file(path, problem, InputKind::FileOnly);
    if (!text) return;
    for (std::size_t begin = 0; begin < text->size();) {
        const std::size_t end = std::min(text->find('\n', begin), text->size());
        folder.order.emplace_back(trimmed(std::string_view(*text).substr(begin, end - begin)));
        begin = end + 1;
    }
}

// Reports what is wrong. Nothing of a file is used that holds another class than its name says.
const Class* ClassLibrary::parse(Place& place, const std::string& name, const Class* parent) {
    if (place.parsed) return *place.parsed;
    if (place.foreign) return parse_foreign(place);
    place.parsed = nullptr;
    std::error_code ec;
    std::string problem;
    std::optional<std::string> text;
    if (fs::file_size(place.path, ec) > longest_class_file && !ec)
        problem = "is larger than 500 MB";
    else
        text = read_file(place.path, problem, InputKind::FileOnly);
    if (!text) {
        diagnostics_->report(library_messages::cannot_read_class({}, place.path, problem));
        return nullptr;
    }
    const SourceId source = sources_->add(place.path, std::move(*text));
    looked_.files.push_back(source);
    Diagnostics own;
    const std::shared_ptr<object::File> file = modelica::parse_file(*sources_, source, own);
    for (const Diagnostic& d : own.all())
        if (d.severity == Severity::Error) {
            diagnostics_->report(library_messages::errors_in_library(place.path, d));
            break;
        }
    if (file->classes.size() != 1 || file->classes[0]->name != name) {
        const Span where = file->classes.empty() ? Span{source, 0, 0} : file->classes[0]->where;
        diagnostics_->report(library_messages::other_class_in_file(where, place.path, name));
        return nullptr;
    }
    object::Class& c = *file->classes[0];
    if (!leave_out_broken(c, own)) return nullptr;
    c.parent = parent;
    place.parsed = &c;
    files_.push_back(file);
    if (place.folder) folders_[&c] = read_folder(fs::path(place.path).parent_path().string(), false);
    if (!parent) note_uses(c);
    return &c;
}

// annotation(uses(Modelica(version = "4.0.0")))
void ClassLibrary::note_uses(const Class& c) {
    if (c.language != object::Language::Modelica || !c.annotation.known()) return;
    if (sources_->text(c.annotation).find("uses") == std::string_view::npos) return;
    Diagnostics ignored;  // annotations are no part of the model
    for (const object::Argument& a : modelica::parse_annotation(*sources_, c.annotation, ignored).arguments) {
        if (a.name.parts.size() != 1 || a.name.parts[0].name != "uses" || !a.value) continue;
        for (const object::Argument& library : a.value->arguments) {
            if (library.name.parts.empty() || !library.value) continue;
            for (const object::Argument& field : library.value->arguments)
                if (!field.name.parts.empty() && field.name.parts[0].name == "version" && field.value &&
                    field.value->value)
                    uses_.emplace(library.name.parts[0].name, field.value->value->text);
        }
    }
}

// ---- by name

const Class* ClassLibrary::top(std::string_view name) {
    if (const auto found = tops_.find(std::string(name)); found != tops_.end()) return found->second;
    for (std::size_t i = 0; i < directories_.size(); ++i) {
        if (!directories_[i].second) directories_[i].second = read_folder(directories_[i].first, true);
        auto& places = directories_[i].second->places;
        const auto found = places.find(name);
        if (found == places.end()) continue;
        Place place = chosen(found->first, found->second);  // what is parsed may add to the map
        const Class* c = parse(place, found->first, nullptr);
        if (!c) continue;
        tops_[c->name] = c;
        const auto wanted = uses_.find(c->name);
        if (wanted != uses_.end() && !place.version.empty() && wanted->second != place.version)
            diagnostics_->report(library_messages::other_version({}, name, wanted->second, place.version));
        return c;
    }
    tops_[std::string(name)] = nullptr;
    return nullptr;
}

const Class* ClassLibrary::stored_member(const Class& package, std::string_view name) {
    if (const auto added = added_.find(&package); added != added_.end())
        for (const Class* c : added->second)
            if (c->name == name) return c;
    const auto folder = folders_.find(&package);
    if (folder == folders_.end()) return nullptr;
    const auto found = folder->second.places.find(name);
    if (found == folder->second.places.end()) return nullptr;
    // References into a map stay valid while folders are added.
    return parse(chosen(found->first, found->second), found->first, &package);
}

std::vector<std::string> ClassLibrary::stored_members(const Class& package) {
    std::vector<std::string> names;
    const auto folder = folders_.find(&package);
    if (folder != folders_.end()) {
        const Folder& f = folder->second;
        for (const std::string& name : f.order)
            if (f.places.contains(name)) names.push_back(name);
        for (const auto& [name, place] : f.places)
            if (std::find(f.order.begin(), f.order.end(), name) == f.order.end()) names.push_back(name);
    }
    if (const auto added = added_.find(&package); added != added_.end())
        for (const Class* c : added->second)
            if (std::find(names.begin(), names.end(), c->name) == names.end()) names.push_back(c->name);
    return names;
}

const Class* ClassLibrary::find(std::string_view dotted) {
    const Class* c = nullptr;
    for (bool first = true; first || !dotted.empty(); first = false) {
        const std::size_t end = std::min(dotted.find('.'), dotted.size());
        const std::string_view name = dotted.substr(0, end);
        dotted.remove_prefix(std::min(end + 1, dotted.size()));
        const Class* inner = nullptr;
        if (first) {
            inner = top(name);
        } else {
            inner = nested_class(*c, name);
            if (!inner) inner = stored_member(*c, name);
        }
        if (!inner) return nullptr;
        c = inner;
    }
    return c;
}

std::string ClassLibrary::resource(std::string_view uri) {
    constexpr std::string_view scheme = "modelica://";
    if (uri.size() < scheme.size() || !equal_ignoring_case(uri.substr(0, scheme.size()), scheme)) return {};
    uri.remove_prefix(scheme.size());
    const std::size_t slash = std::min(uri.find('/'), uri.size());
    const Class* package = find(uri.substr(0, slash));
    const auto folder = package ? folders_.find(package) : folders_.end();
    return folder == folders_.end() ? "" : folder->second.path + std::string(uri.substr(slash));
}

std::string ClassLibrary::path(const Class& c) {
    std::string out = c.name;
    for (const Class* outer = c.parent; outer; outer = outer->parent) out = outer->name + "." + out;
    return out;
}

std::vector<std::string> ClassLibrary::top_names() {
    std::vector<std::string> names;
    for (auto& [directory, folder] : directories_) {
        if (!folder) folder = read_folder(directory, true);
        for (const auto& [name, place] : folder->places) names.push_back(name);
    }
    for (const auto& [name, declared] : tops_)
        if (declared) names.push_back(name);  // null: it was looked for in vain
    std::sort(names.begin(), names.end());
    names.erase(std::unique(names.begin(), names.end()), names.end());
    return names;
}

}  // namespace cutset
