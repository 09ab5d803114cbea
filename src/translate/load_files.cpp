// Reading files: the model, the libraries that it names, and of the library directories what is referred to.
#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "instantiate/instantiate.h"
#include "languages/dymola/declared_names.h"
#include "languages/dymola/parse.h"
#include "objects/instantiate_objects.h"
#include "translate/load_systems.h"
#include "translate/messages.h"
#include "translate/model_text.h"
#include "translate/near_file.h"
#include "translate/remembered_libraries.h"

namespace cutset {

namespace fs = std::filesystem;

std::string standard_library_directory() {
    std::error_code ec;
    const fs::path program = fs::read_symlink("/proc/self/exe", ec);
    if (ec) return "";
    for (fs::path folder = program.parent_path(); folder.has_relative_path(); folder = folder.parent_path())
        for (const char* place : {"libraries", "share/cutset/libraries"})
            if (fs::exists(folder / place / "electrical.dym", ec)) return (folder / place).string();
    return "";
}

void ModelText::set_options(const Options& options) {
    options_ = options;
    if (const char* more = std::getenv("CUTSET_PATH")) {
        std::string list = more;
        for (std::size_t begin = 0; begin <= list.size();) {
            const std::size_t end = std::min(list.find(':', begin), list.size());
            if (end > begin) options_.libraries.push_back(list.substr(begin, end - begin));
            begin = end + 1;
        }
    }
    if (const std::string standard = standard_library_directory(); !standard.empty())
        options_.libraries.push_back(standard);
}

std::vector<std::string> library_files(const std::string& directory, std::string& problem) {
    std::error_code ec;
    std::vector<std::string> files;
    for (const auto& entry : fs::directory_iterator(directory, ec))
        if (entry.path().extension() == ".dym") files.push_back(entry.path().string());
    if (ec) problem = ec.message();
    std::sort(files.begin(), files.end());
    return files;
}

std::optional<std::string> ModelText::read_text(const std::string& path, std::string& problem,
                                                InputKind kind) const {
    if (options_.unsaved)
        if (auto text = options_.unsaved(path)) return text;
    return read_file(path, problem, kind);
}

bool ModelText::loaded(const std::optional<FileIdentity>& identity) const {
    return identity && std::find(loaded_.begin(), loaded_.end(), *identity) != loaded_.end();
}

bool ModelText::load(const std::string& path, const Options& options, Diagnostics& diagnostics) {
    if (is_simnon_file(path)) return load_systems({path}, options, diagnostics);
    if (is_object_model(path)) return load_objects(path, options, diagnostics);
    set_options(options);
    load_file(path, {}, {diagnostics, diagnostics});
    load_libraries(diagnostics);
    if (!diagnostics.has_errors() || (options.tolerant && !classes_.files.empty())) {
        libraries_.refer_to_all(*classes_.files.front());
        read_referred(diagnostics);
    }
    find_systems_of_models(diagnostics);
    return !diagnostics.has_errors();
}

bool ModelText::load_file(const std::string& path, Span from, LoadSink sink) {
    const auto identity = file_identity(path);
    if (loaded(identity)) {
        if (LibraryFiles::Library* library = libraries_.find(*identity)) read_library(*library, sink.command);
        return true;
    }
    if (is_simnon_file(path)) {
        const auto systems = read_systems({path}, from, sink);
        lower_systems(*systems, false, sink);
        return !sink.file.has_errors();
    }
    std::string problem;
    auto text = read_text(path, problem, from.known() ? InputKind::FileOnly : InputKind::Any);
    // What a model names may be anything; messages would show lines of it.
    if (text && from.known() && fs::path(path).extension() != ".dym") {
        problem = "a library is a file .dym or .t";
        text.reset();
    }
    if (!text) {
        sink.report(
            translate_messages::cannot_read(from, path, problem, near_model_file(path, options_.libraries)));
        return false;
    }
    if (identity) loaded_.push_back(*identity);
    const auto file = std::make_shared<tree::File>();
    file->path = path;
    file->source = sources_.add(path, std::move(*text));
    looked_.files.push_back(file->source);
    classes_.files.push_back(file);
    parse_source(*file, sink);
    return !sink.file.has_errors();
}

// Fills in the file, whose text is in `sources`, and loads the libraries that it names.
void ModelText::parse_source(tree::File& file, LoadSink sink) {
    file = std::move(*dymola::parse_file(sources_, file.source, sink));
    libraries_.add(file);
    std::error_code ec;
    for (const tree::File::Library& named : file.libraries) {
        fs::path place = named.path;
        if (place.is_relative()) place = fs::path(file.path).parent_path() / place;
        if (!fs::exists(place, ec)) {  // else in the library directories, by file name
            looked_.absent.push_back(place.string());
            for (const std::string& directory : options_.libraries) {
                const fs::path there = fs::path(directory) / named.path;
                if (fs::exists(there, ec)) {
                    place = there;
                    break;
                }
                looked_.absent.push_back(there.string());
            }
        }
        load_file(place.string(), named.where, sink);
    }
}

// Every file of the directories gets its place in the order of search. It is read later, where a name that it
// declares is referred to; at once, where it names further files.
void ModelText::load_libraries(Diagnostics& diagnostics) {
    for (const std::string& directory : options_.libraries) {
        looked_.directories.push_back(directory);
        std::string problem;
        const std::vector<std::string> files = library_files(directory, problem);
        if (!problem.empty()) {
            diagnostics.report(translate_messages::cannot_read({}, directory, problem));
            continue;
        }
        for (const std::string& path : files) {
            const auto identity = file_identity(path);
            if (loaded(identity)) continue;
            auto text = read_text(path, problem, InputKind::FileOnly);
            if (!text || !identity) {
                diagnostics.report(translate_messages::library_left_out(
                    path, translate_messages::cannot_read({}, path, problem)));
                continue;
            }
            loaded_.push_back(*identity);
            dymola::DeclaredNames declared = dymola::declared_names(*text);
            LibraryFiles::Library library{*identity, std::make_shared<tree::File>(),
                                          std::move(declared.names)};
            library.file->path = path;
            library.file->source = sources_.add(path, std::move(*text));
            looked_.files.push_back(library.file->source);
            classes_.files.push_back(library.file);
            if (declared.libraries)
                read_library(library, diagnostics);
            else
                libraries_.put(std::move(library));
        }
    }
}

// A library that cannot be read must not stop a model that does not use it.
void ModelText::read_library(LibraryFiles::Library& library, Diagnostics& diagnostics) {
    library.read = true;
    const std::shared_ptr<tree::File> file = library.file;  // further libraries may be put there
    Diagnostics own;
    parse_source(*file, {own, diagnostics});
    for (const Diagnostic& d : own.all())
        if (d.severity == Severity::Error) {
            diagnostics.report(translate_messages::library_left_out(file->path, d));
            break;
        }
}

// Where a name is missing everything is read: the message about it says which names are like it.
void ModelText::read_referred(Diagnostics& diagnostics) {
    while (LibraryFiles::Library* library = libraries_.next()) read_library(*library, diagnostics);
    if (libraries_.any_missing()) read_all_libraries(diagnostics);
}

void ModelText::read_all_libraries(Diagnostics& diagnostics) {
    while (LibraryFiles::Library* library = libraries_.next(true)) read_library(*library, diagnostics);
}

// EL has its standard libraries in a folder beside that of the others.
static std::vector<std::string> directories_of(const std::string& path,
                                               const std::vector<std::string>& of_command) {
    std::vector<std::string> out = class_directories(of_command);
    const std::string standard = standard_library_directory();
    if (standard.empty()) return out;
    if (path.ends_with(".el")) out.push_back((fs::path(standard) / "el").string());
    return out;
}

bool ModelText::load_objects(const std::string& path, const Options& options, Diagnostics& diagnostics) {
    options_ = options;
    const ReadText read = [this](const std::string& file, std::string& problem, InputKind kind) {
        return read_text(file, problem, kind);
    };
    objects_ = load_object_text({path, options.model, directories_of(path, options.libraries),
                                 options.tolerant, options.realizations, read},
                                sources_, diagnostics);
    experiment_words_ = objects_->experiment;
    note_looked();
    return !diagnostics.has_errors();
}

void ModelText::note_looked() const {
    looked_.files = objects_->library.looked().files;
    looked_.directories = objects_->library.looked().directories;
}

std::optional<FlatModel> ModelText::instantiate(const std::string& model, const Experiment& experiment,
                                                Diagnostics& diagnostics) const {
    if (!objects_) return cutset::instantiate(classes_, model, experiment, sources_, diagnostics);
    const std::lock_guard one_at_a_time(objects_->busy);
    objects_->library.attach(sources_, diagnostics);
    const std::string name = model.empty() ? objects_->model : class_path(*objects_, model);
    auto flat = instantiate_objects(objects_->library, name, experiment, sources_, diagnostics);
    note_looked();
    return flat;
}

void ModelText::refer_to(const std::string& name, Diagnostics& diagnostics) {
    if (objects_) {
        if (name == options_.model) return;
        choose_class(*objects_, name, sources_, diagnostics);
        experiment_words_ = objects_->experiment;
        return;
    }
    libraries_.refer(name);
    read_referred(diagnostics);
}

void ModelText::take(Sources sources, std::vector<SourceId> files,
                     std::vector<std::string> experiment_words) {
    sources_ = std::move(sources);
    experiment_words_ = std::move(experiment_words);
    looked_.files = std::move(files);
}

std::optional<tree::Expression> ModelText::parse_expression(const std::string& title, std::string text,
                                                            Diagnostics& sink) {
    auto value = dymola::parse_expression(sources_, sources_.add(title, std::move(text)), sink);
    if (!value) return value;
    libraries_.refer(*value);
    read_referred(sink);
    return value;
}

}  // namespace cutset
