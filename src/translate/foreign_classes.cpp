#include "translate/foreign_classes.h"

#include <filesystem>
#include <utility>

#include "languages/modelica/parse.h"
#include "languages/modelica/write.h"
#include "languages/modelica_text/modelica_package.h"
#include "translate/lowered_files.h"
#include "translate/messages.h"
#include "translate/model_text.h"
#include "translate/used_classes.h"

namespace cutset {

namespace fs = std::filesystem;

namespace {

// The first error of a file that could not be used.
void report_first(const std::string& path, const Diagnostics& own, Diagnostics& diagnostics) {
    for (const Diagnostic& d : own.all())
        if (d.severity == Severity::Error)
            return diagnostics.report(translate_messages::library_left_out(path, d));
}

std::shared_ptr<const object::File> read_lowered(const std::string& path,
                                                 const std::vector<std::string>& directories,
                                                 Sources& sources, Diagnostics& diagnostics) {
    ObjectText text;
    text.library.attach(sources, diagnostics);
    Diagnostics own;
    ObjectRequest request;
    request.words = path;
    request.directories = directories;
    load_lowered_file(text, request, sources, own);
    report_first(path, own, diagnostics);
    if (own.has_errors() || !text.lowered) return nullptr;
    return std::make_shared<const object::File>(modelica::parts_package(*text.lowered, foreign_name(path)));
}

std::shared_ptr<const object::File> parsed(const std::string& path, SourceId source, Sources& sources,
                                           Diagnostics& diagnostics, void (*change)(object::Class&)) {
    Diagnostics own;
    const std::shared_ptr<object::File> file = modelica::parse_file(sources, source, own);
    report_first(path, own, diagnostics);
    if (own.has_errors()) return nullptr;
    if (change)
        for (const auto& c : file->classes) change(*c);
    return file;
}

std::shared_ptr<const object::File> read_modelica(const std::string& path, Sources& sources,
                                                  Diagnostics& diagnostics) {
    std::string problem;
    auto text = read_file(path, problem, InputKind::FileOnly);
    if (!text) {
        diagnostics.report(translate_messages::cannot_read({}, path, problem));
        return nullptr;
    }
    return parsed(path, sources.add(path, std::move(*text)), sources, diagnostics, nullptr);
}

void mark(object::Class& c) {
    c.language = object::Language::Dymola;
    if (auto* body = std::get_if<object::LongDefinition>(&c.definition))
        for (object::Element& e : body->elements)
            if (auto* nested = std::get_if<object::NestedClass>(&e)) mark(*nested->declared);
}

// By way of Modelica text.
std::shared_ptr<const object::File> read_classes(const std::string& path,
                                                 const std::vector<std::string>& directories,
                                                 Sources& sources, Diagnostics& diagnostics) {
    ModelText text;
    ModelText::Options options;
    options.libraries = directories;
    Diagnostics own;
    text.load(path, options, own);
    report_first(path, own, diagnostics);
    if (own.has_errors()) return nullptr;
    modelica::Options written;
    written.package = foreign_name(path);
    const SourceId source =
        sources.add(path + " as Modelica", modelica::write_modelica(used_classes(text.classes()), written));
    return parsed(path, source, sources, diagnostics, mark);
}

}  // namespace

std::string foreign_name(const std::string& path) {
    return fs::path(path).stem().string();
}

std::shared_ptr<const object::File> read_foreign(const std::string& path,
                                                 const std::vector<std::string>& directories,
                                                 Sources& sources, Diagnostics& diagnostics) {
    if (path.ends_with(".mo")) return read_modelica(path, sources, diagnostics);
    return is_lowered_file(path) ? read_lowered(path, directories, sources, diagnostics)
                                 : read_classes(path, directories, sources, diagnostics);
}

std::string find_foreign(const std::string& name, const std::vector<std::string>& directories) {
    std::error_code ec;
    const auto there = [&](const std::string& directory, const char* ending) {
        const fs::path file = fs::path(directory.empty() ? "." : directory) / (name + ending);
        return fs::is_regular_file(file, ec) ? file.string() : std::string();
    };
    for (const std::string& directory : directories) {
        if (std::string file = there(directory, ".mo"); !file.empty()) return file;
        for (const char* ending : foreign_endings)
            if (std::string file = there(directory, ending); !file.empty()) return file;
    }
    return "";
}

}  // namespace cutset
