#include "model/check_library.h"

#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/internal_error.h"
#include "base/json.h"
#include "output/console.h"
#include "output/json_output.h"
#include "translate/foreign_classes.h"
#include "translate/open_inputs.h"
#include "translate/translator.h"

namespace cutset::cli {

namespace {

using object::Class;
using object::ClassKind;

struct CheckedClass {
    std::string name;
    std::optional<std::size_t> equations;  // of a model that was translated
    std::optional<Diagnostic> error;       // the first
};

bool is_translated(const Class& c) {
    return !c.partial && (c.kind == ClassKind::Model || c.kind == ClassKind::Block);
}

std::optional<Diagnostic> first_error(const Diagnostics& diagnostics) {
    for (const Diagnostic& d : diagnostics.all())
        if (d.severity == Severity::Error) return d;
    return std::nullopt;
}

// As a model of its own: what it does not say about its connectors is left open.
CheckedClass check_model(const Workspace& workspace, const std::string& name) {
    CheckedClass checked{name, {}, {}};
    StageTimes times;
    const Translator translator(workspace.text, times);
    Diagnostics own;
    try {
        if (auto flat = flatten_open(translator, checked.name, {}, own))
            if (const auto sorted = sort_equations(std::move(*flat), {}, own))
                checked.equations = sorted->flat_equations;
    } catch (...) {  // of one class; the others are checked
        own.report(failure_diagnostic(current_failure()));
    }
    checked.error = first_error(own);
    return checked;
}

CheckedClass check_class(const Workspace& workspace, const Class& c) {
    if (!is_translated(c)) return {ClassLibrary::path(c), {}, {}};
    return check_model(workspace, ClassLibrary::path(c));
}

// Whether there are classes of Modelica in the directory.
bool holds_classes(const std::string& directory) {
    std::error_code ec;
    return std::filesystem::exists(std::filesystem::path(directory) / "package.mo", ec) ||
           !class_names(directory).empty();
}

std::string place_text(const Diagnostic& d, const Sources& sources) {
    if (!d.where.known()) return "";
    const Location at = sources.locate(d.where);
    return fmt::format("{}:{}:{}: ", at.file, at.line, at.column);
}

Json as_json(const CheckedClass& c, const Sources& sources) {
    Json out = {{"class", c.name}, {"status", c.error ? "error" : c.equations ? "translated" : "read"}};
    if (c.equations) out["equations"] = *c.equations;
    if (c.error) out["error"] = place_text(*c.error, sources) + c.error->message;
    return out;
}

void print_line(const CheckedClass& c, const Sources& sources) {
    if (c.error)
        fmt::print("{:<60} error: {}{}\n", c.name, place_text(*c.error, sources), c.error->message);
    else if (c.equations)
        fmt::print("{:<60} {} equations\n", c.name, *c.equations);
    else
        fmt::print("{:<60} read\n", c.name);
}

}  // namespace

namespace {

// What was found so far, and how it is said.
struct Findings {
    const OutputOptions& output;
    Json list = Json::array();
    std::size_t translated = 0, read = 0, wrong = 0;

    void add(const CheckedClass& checked, const Sources& sources) {
        ++(checked.error ? wrong : checked.equations ? translated : read);
        if (output.json)
            list.push_back(as_json(checked, sources));
        else if (!output.quiet || checked.error)
            print_line(checked, sources);
    }
};

// The classes that the file itself has, in the languages without packages: by their names.
std::vector<CheckedClass> classes_of_file(Workspace& workspace, const std::string& path) {
    std::vector<CheckedClass> out;
    if (ObjectText* objects = workspace.text.objects()) {
        objects->library.attach(workspace.text.sources(), workspace.diagnostics);
        for (const Class* own : objects->own)
            for (const Class* c : all_classes(objects->library, *own))
                out.push_back(check_class(workspace, *c));
        return out;
    }
    const auto& files = workspace.text.classes().files;
    if (path.ends_with(".t")) out.push_back(check_model(workspace, ""));
    for (std::size_t i = 0; !path.ends_with(".t") && i < files.front()->classes.size(); ++i)
        out.push_back(check_model(workspace, files.front()->classes[i]->name));
    return out;
}

void check_foreign(const std::string& directory, const std::string& path, const ModelRequest& request,
                   Findings& findings) {
    Workspace workspace;
    const std::string shown = std::filesystem::relative(path, directory).string();
    workspace.text.load(path, {.libraries = request.library}, workspace.diagnostics);
    if (const auto error = first_error(workspace.diagnostics))
        return findings.add({shown, {}, error}, workspace.text.sources());
    for (CheckedClass& checked : classes_of_file(workspace, path)) {
        checked.name = checked.name.empty() ? shown : shown + ": " + checked.name;
        findings.add(checked, workspace.text.sources());
    }
}

// The files of languages without packages below the directory, by path.
std::vector<std::string> foreign_files(const std::string& directory) {
    std::vector<std::string> out;
    std::error_code ec;
    for (std::filesystem::recursive_directory_iterator entry(directory, ec), end; !ec && entry != end;
         entry.increment(ec))
        for (const char* ending : foreign_endings)
            if (entry->path().extension() == ending) out.push_back(entry->path().string());
    std::sort(out.begin(), out.end());
    return out;
}

}  // namespace

int check_library(const ModelRequest& request, const OutputOptions& output) {
    Workspace workspace;
    Findings findings{output};
    std::error_code ec;
    const bool directory = std::filesystem::is_directory(request.file, ec);
    const std::vector<std::string> others =
        directory ? foreign_files(request.file) : std::vector<std::string>{};
    if (others.empty() || holds_classes(request.file)) {
        workspace.text.load(request.file, {.libraries = request.library}, workspace.diagnostics);
        if (workspace.diagnostics.has_errors()) return finish(workspace, output);
        ObjectText& objects = *workspace.text.objects();
        for (const Class* own : objects.own) {
            objects.library.attach(workspace.text.sources(), workspace.diagnostics);
            for (const Class* c : all_classes(objects.library, *own))
                findings.add(check_class(workspace, *c), workspace.text.sources());
        }
    }
    for (const std::string& path : others) check_foreign(request.file, path, request, findings);
    // Files with errors, of which nothing or not all could be used.
    for (const Diagnostic& d : workspace.diagnostics.all())
        findings.wrong += d.concern == Concern::RestNotRead;
    if (output.json)
        print_json({{"classes", std::move(findings.list)},
                    {"translated", findings.translated},
                    {"read", findings.read},
                    {"errors", findings.wrong}});
    else
        fmt::print("{} models translated, {} other classes read, {} with errors\n", findings.translated,
                   findings.read, findings.wrong);
    const int status = finish(workspace, output);
    return findings.wrong > 0 ? 1 : status;
}

}  // namespace cutset::cli
