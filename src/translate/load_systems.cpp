#include "translate/load_systems.h"

#include <algorithm>
#include <filesystem>
#include <map>
#include <set>
#include <utility>

#include "languages/simnon/lower.h"
#include "languages/simnon/messages.h"
#include "languages/simnon/order.h"
#include "languages/simnon/parse.h"
#include "translate/external_system.h"
#include "translate/messages.h"
#include "translate/model_text.h"
#include "translate/near_file.h"

namespace cutset {

namespace fs = std::filesystem;

namespace {

std::string directory_of(const std::string& path) {
    const std::string directory = fs::path(path).parent_path().string();
    return directory.empty() ? "." : directory;
}

// Files of a directory with that ending, sorted.
std::vector<fs::path> files_with(const std::string& directory, const std::string& ending) {
    std::error_code ec;
    std::vector<fs::path> files;
    for (const auto& entry : fs::directory_iterator(directory, ec))
        if (simnon::same_letters(entry.path().extension().string(), ending))
            files.push_back(entry.path().lexically_normal());
    std::sort(files.begin(), files.end());
    return files;
}

}  // namespace

bool is_simnon_file(const std::string& path) {
    return simnon::same_letters(fs::path(path).extension().string(), ".t");
}

std::string system_file(const std::string& directory, const std::string& name) {
    for (const char* ending : {".t", ".so", ".dym"}) {
        std::string near;
        for (const fs::path& file : files_with(directory, ending)) {
            if (file.stem().string() == name) return file.string();
            if (near.empty() && simnon::same_letters(file.stem().string(), name)) near = file.string();
        }
        if (!near.empty()) return near;
    }
    return "";
}

struct ModelText::ReadSystems {
    std::vector<simnon::System> systems;  // the connecting one is taken out
    std::optional<simnon::System> connecting;
    std::map<std::string, std::shared_ptr<tree::File>> files;  // by path
    std::shared_ptr<tree::File> main;                          // of the model to be run
    bool unreadable = false;  // a system is missing for a reason that was reported

    bool has(const std::string& name) const {
        return std::any_of(systems.begin(), systems.end(),
                           [&](const simnon::System& s) { return simnon::same_letters(s.name, name); });
    }
};

// The systems of one file; of the others in it than `only` nothing is known when that is not empty.
void ModelText::read_system_file(ReadSystems& read, const std::string& path, Span from,
                                 const std::string& only, LoadSink sink) {
    const auto identity = file_identity(path);
    if (loaded(identity) && only.empty()) return;
    if (fs::path(path).extension() == ".so") return read_external_system(read, path, from, sink);
    std::string problem;
    auto text = read_text(path, problem, from.known() ? InputKind::FileOnly : InputKind::Any);
    if (!text) {
        sink.report(translate_messages::cannot_read(from, path, problem, near_model_file(path)));
        return;
    }
    if (identity) loaded_.push_back(*identity);
    const SourceId id = sources_.add(path, std::move(*text));
    looked_.files.push_back(id);
    auto& file = read.files[path];
    if (!file) {
        file = std::make_shared<tree::File>();
        file->source = id;
        file->path = path;
    }
    for (simnon::System& s : simnon::parse_systems(sources_, id, sink)) {
        if (!only.empty() && !simnon::same_letters(s.name, only)) continue;
        if (s.kind == SystemKind::Connecting) {
            if (read.connecting)
                sink.report(simnon::several_connecting(s.where, read.connecting->where));
            else
                read.connecting = std::move(s);
            continue;
        }
        const auto same =
            std::find_if(read.systems.begin(), read.systems.end(), [&](const simnon::System& other) {
                return simnon::same_letters(other.name, s.name) && other.where.source != s.where.source;
            });
        if (same != read.systems.end())
            sink.report(simnon::system_twice(s.where, s.name, same->where));
        else
            read.systems.push_back(std::move(s));
    }
}

void ModelText::read_external_system(ReadSystems& read, const std::string& path, Span from, LoadSink sink) {
    if (!options_.allow_external) {
        sink.report(translate_messages::external_not_allowed(from, path));
        read.unreadable = true;
        return;
    }
    const SourceId id = sources_.add(path, "");
    auto system = describe_external_system(path, id, from, sink);
    if (!system) {
        read.unreadable = true;
        return;
    }
    auto& file = read.files[path];
    file = std::make_shared<tree::File>();
    file->source = id;
    file->path = path;
    read.systems.push_back(std::move(*system));
}

// A system that another one refers to: beside it, in a file of its name or in any other.
void ModelText::find_system(ReadSystems& read, const std::string& name, Span where,
                            const std::string& directory, LoadSink sink) {
    const std::string file = system_file(directory, name);
    if (fs::path(file).extension() == ".dym") {
        load_file(file, where, sink);
        return;
    }
    const auto holds = [&](const std::string& path) {
        std::string problem;
        auto text = read_text(path, problem, InputKind::FileOnly);
        if (!text || text->size() > 10'000'000) return false;
        Sources scratch;
        Diagnostics unheard;
        const auto systems = simnon::parse_systems(scratch, scratch.add(path, std::move(*text)), unheard);
        return std::any_of(systems.begin(), systems.end(),
                           [&](const simnon::System& s) { return simnon::same_letters(s.name, name); });
    };
    if (is_simnon_file(file) && holds(file)) return read_system_file(read, file, where, name, sink);
    if (fs::path(file).extension() == ".so") return read_external_system(read, file, where, sink);
    for (const fs::path& other : files_with(directory, ".t"))
        if (holds(other.string())) return read_system_file(read, other.string(), where, name, sink);
    looked_.absent.push_back((fs::path(directory) / (name + ".t")).string());
    for (const fs::path& code : files_with(directory, ".c"))
        if (simnon::same_letters(code.stem().string(), name)) {
            sink.report(translate_messages::not_compiled(where, name, code.string()));
            read.unreadable = true;
            return;
        }
}

std::shared_ptr<ModelText::ReadSystems> ModelText::read_systems(const std::vector<std::string>& paths,
                                                                Span from, LoadSink sink) {
    auto read = std::make_shared<ReadSystems>();
    for (const std::string& path : paths) {
        std::error_code ec;
        std::string file = path;
        if (!fs::exists(path, ec) && fs::path(path).extension().empty()) {
            const std::string found = system_file(directory_of(path), fs::path(path).filename().string());
            file = found.empty() ? path + ".t" : found;
        }
        if (fs::path(file).extension() == ".dym") {
            load_file(file, from, sink);
            continue;
        }
        read_system_file(*read, file, from, "", sink);
        if (const auto known = read->files.find(file); known != read->files.end()) {
            const bool connects = read->connecting && read->connecting->where.source == known->second->source;
            if (!read->main || connects) read->main = known->second;
        }
    }
    if (!read->connecting || !read->main) return read;
    // Systems found refer to further ones.
    const std::string directory = directory_of(read->main->path);
    std::set<std::string> asked;
    const auto ask = [&](const std::vector<simnon::System::Reference>& references) {
        bool more = false;
        for (const simnon::System::Reference& r : references)
            if (!read->has(r.name) && asked.insert(simnon::upper(r.name)).second) {
                find_system(*read, r.name, r.where, directory, sink);
                more = true;
            }
        return more;
    };
    ask(read->connecting->systems);
    for (std::size_t i = 0; i < read->systems.size(); ++i) {
        const auto references = read->systems[i].systems;
        ask(references);
    }
    return read;
}

void ModelText::lower_systems(ReadSystems& read, bool main, LoadSink sink) {
    // The file of the model to be run is the first.
    if (read.main) {
        classes_.files.insert(main ? classes_.files.begin() : classes_.files.end(), read.main);
        for (const auto& [path, file] : read.files)
            if (file != read.main) classes_.files.push_back(file);
    }
    const auto missing = [&](const simnon::System& s) {
        return std::any_of(s.systems.begin(), s.systems.end(),
                           [&](const simnon::System::Reference& r) { return !read.has(r.name); });
    };
    if ((read.connecting && missing(*read.connecting)) ||
        std::any_of(read.systems.begin(), read.systems.end(), missing))
        read_all_libraries(sink.command);  // it may be a model, in any mixture of upper and lower case
    const auto find_model = [&](const std::string& name) -> std::string {
        std::string near;
        for (const auto& file : classes_.files)
            for (const auto& c : file->classes) {
                if (c->name == name) return name;
                if (near.empty() && simnon::same_letters(c->name, name)) near = c->name;
            }
        return near;
    };
    const std::size_t errors = sink.file.error_count();
    if (read.unreadable) return;  // what could be said about the others would be about the missing one
    if (read.connecting) simnon::resolve(*read.connecting, read.systems, find_model, sink);
    if (main && sink.file.error_count() == errors)
        simnon::report_loops(read.connecting ? &*read.connecting : nullptr, read.systems, options_.strict,
                             sink);
    if (sink.file.has_errors()) return;
    const auto file_of = [&](SourceId source) -> tree::File& {
        for (const auto& [path, file] : read.files)
            if (file->source == source) return *file;
        return *read.main;
    };
    for (const simnon::System& s : read.systems)
        file_of(s.where.source).classes.push_back(simnon::lower_system(s, read.connecting.has_value(), sink));
    if (read.connecting)
        file_of(read.connecting->where.source)
            .classes.push_back(simnon::lower_connecting(*read.connecting, read.systems));
    if (!main) return;
    if (read.connecting) {
        for (const simnon::System& s : read.systems) systems_.push_back(simnon::summary(s, false));
        systems_.push_back(simnon::summary(*read.connecting, true));
        computation_order_ = simnon::order_of_computation(*read.connecting, read.systems);
    } else if (!read.systems.empty()) {
        systems_.push_back(simnon::summary(read.systems.back(), true));
    }
}

bool ModelText::load_systems(const std::vector<std::string>& paths, const Options& options,
                             Diagnostics& diagnostics) {
    set_options(options);
    const auto read = read_systems(paths, {}, {diagnostics, diagnostics});
    if (paths.size() > 1 && !read->connecting && !diagnostics.has_errors()) {
        std::vector<std::string> names;
        for (const simnon::System& s : read->systems) names.push_back(s.name);
        if (names.size() > 1) diagnostics.report(simnon::no_connecting({}, names));
    }
    // The experiment line is that of the connecting system.
    if (read->main) {
        const auto own = std::find(looked_.files.begin(), looked_.files.end(), read->main->source);
        if (own != looked_.files.end()) std::rotate(looked_.files.begin(), own, own + 1);
    }
    load_libraries(diagnostics);
    for (const auto& file : classes_.files) libraries_.refer_to_all(*file);  // models beside the systems
    read_referred(diagnostics);
    lower_systems(*read, true, {diagnostics, diagnostics});
    return !diagnostics.has_errors();
}

// Submodels of a type that is in no file may be Simnon systems beside the model.
void ModelText::find_systems_of_models(Diagnostics& diagnostics) {
    if (classes_.files.empty() || diagnostics.has_errors()) return;
    std::set<std::string> known;
    for (const auto& file : classes_.files)
        for (const auto& c : file->classes) known.insert(c->name);
    const std::string directory = directory_of(classes_.files.front()->path);
    for (const std::string& name : libraries_.names().undeclared_types()) {
        if (known.count(name)) continue;
        const std::string file = system_file(directory, name);
        if (is_simnon_file(file)) load_file(file, {}, {diagnostics, diagnostics});
    }
}

}  // namespace cutset
