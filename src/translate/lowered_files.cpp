#include "translate/lowered_files.h"

#include <fmt/format.h>

#include <algorithm>
#include <deque>
#include <filesystem>
#include <set>

#include "base/message_parts.h"
#include "languages/el/lower.h"
#include "languages/el/parse.h"
#include "languages/omola/lower.h"
#include "languages/omola/parse.h"
#include "translate/messages.h"

namespace cutset {

namespace fs = std::filesystem;

namespace {

struct Wanted {
    std::string name;
    Span where;
};

// LIB.el, or all files of a directory LIB.
std::vector<std::string> files_of_library(const fs::path& directory, const std::string& name,
                                          const std::string& ending) {
    std::vector<std::string> out;
    std::error_code ec;
    if (const fs::path file = directory / (name + ending); fs::is_regular_file(file, ec))
        return {file.string()};
    if (!fs::is_directory(directory / name, ec)) return out;
    for (const auto& entry : fs::directory_iterator(directory / name, ec))
        if (entry.path().extension() == ending) out.push_back(entry.path().string());
    std::sort(out.begin(), out.end());
    return out;
}

// Reads a file and the libraries that it uses, and those that they use. `parse` gives what a file uses.
template <class Parse>
void read_with_libraries(ObjectText& text, const ObjectRequest& request, const std::string& ending,
                         Sources& sources, Diagnostics& diagnostics, const Parse& parse) {
    const std::string& path = request.words;
    std::vector<std::string> places = {fs::path(path).parent_path().string()};
    places.insert(places.end(), request.directories.begin(), request.directories.end());
    std::deque<Wanted> wanted;
    std::set<std::string> known = {"MATH"};
    const auto read = [&](const std::string& file, Span from, Diagnostics& sink) {
        std::string problem;
        auto content = request.read(file, problem, from.known() ? InputKind::FileOnly : InputKind::Any);
        if (!content) {
            sink.report(translate_messages::cannot_read(from, file, problem));
            return;
        }
        const SourceId source = sources.add(file, std::move(*content));
        text.library.add_source(source);
        for (Wanted& w : parse(source, sink))
            if (known.insert(w.name).second) wanted.push_back(std::move(w));
    };
    read(path, {}, diagnostics);
    while (!wanted.empty()) {
        const Wanted next = wanted.front();
        wanted.pop_front();
        std::vector<std::string> files;
        for (const std::string& place : places)
            if (files.empty()) files = files_of_library(place.empty() ? "." : place, next.name, ending);
        if (files.empty())
            diagnostics.report(translate_messages::no_such_library(next.where, next.name, ending));
        for (const std::string& file : files) {
            Diagnostics own;  // what is broken in a library must not stop a model that does not use it
            read(file, next.where, own);
            for (const Diagnostic& d : own.all())
                if (d.severity == Severity::Error) {
                    diagnostics.report(translate_messages::library_left_out(file, d));
                    break;
                }
        }
    }
}

template <class Classes>
void add_classes(ObjectText& text, Classes&& classes) {
    for (const object::Class* c : classes.models) text.own.push_back(c);
    text.library.add(std::make_shared<const object::File>(std::move(classes.file)));
}

}  // namespace

bool is_lowered_file(const std::string& path) {
    return path.ends_with(".om") || path.ends_with(".el");
}

std::string load_lowered_file(ObjectText& text, const ObjectRequest& request, Sources& sources,
                              Diagnostics& diagnostics) {
    const std::string& path = request.words;
    std::vector<std::string> names;
    if (path.ends_with(".om")) {
        read_with_libraries(text, request, ".om", sources, diagnostics,
                            [&](SourceId source, Diagnostics& sink) {
                                text.omola.push_back(omola::parse_file(sources, source, sink));
                                const omola::File& file = text.omola.back();
                                std::vector<Wanted> uses;
                                for (std::size_t i = 0; i < file.uses.size(); ++i)
                                    uses.push_back({file.uses[i], file.uses_where[i]});
                                return uses;
                            });
        if (diagnostics.has_errors()) return {};
        omola::Classes classes = omola::lower(text.omola, 1, diagnostics);
        if (diagnostics.has_errors()) return {};
        for (const object::Class* c : classes.models) names.push_back(ClassLibrary::path(*c));
        add_classes(text, std::move(classes));
    } else {
        read_with_libraries(text, request, ".el", sources, diagnostics,
                            [&](SourceId source, Diagnostics& sink) {
                                text.el.push_back(el::parse_file(sources, source, sink));
                                std::vector<Wanted> uses;
                                for (const el::LibraryUse& u : text.el.back().uses)
                                    uses.push_back({u.name, u.where});
                                return uses;
                            });
        if (diagnostics.has_errors()) return {};
        el::Classes classes = el::lower(text.el, 1, diagnostics);
        if (diagnostics.has_errors()) return {};
        for (const object::Class* c : classes.models) names.push_back(ClassLibrary::path(*c));
        for (const object::Class* c : classes.experiments) names.push_back(ClassLibrary::path(*c));
        add_classes(text, std::move(classes));
    }
    if (names.empty()) diagnostics.report(translate_messages::no_model_in_file(path));
    return names.empty() ? std::string() : names.back();
}

const el::Experiment* el_experiment(const ObjectText& text, const std::string& name) {
    const std::string& wanted = name.empty() ? text.model : name;
    const el::Experiment* without_model = nullptr;
    for (const el::File& f : text.el)
        for (const el::Experiment& x : f.experiments) {
            const std::string partition = x.partition.empty() ? "default" : x.partition;
            if (x.component + "." + partition + "." + x.name == wanted) return &x;
            if (x.component.empty() && x.name == name) without_model = &x;
        }
    return without_model;
}

Diagnostic no_experiment(const std::string& file, const std::string& name) {
    return make_error("no-experiment",
                      name.empty() ? fmt::format("{} has no experiment", file)
                                   : fmt::format("{} has no experiment {}", file, name),
                      "an experiment is named component.partition.experiment");
}

namespace {

// One run, after constants were given to the times: what `simulate` does with options, too.
bool is_one_run(const el::Experiment& x, std::vector<std::string>& words) {
    std::size_t runs = 0;
    for (const el::Statement& s : x.body) {
        if (s.kind == el::StatementKind::Call) {
            const std::string& f = s.left->name.parts.back().name;
            if (f == "INTEG")
                ++runs;
            else if (f != "REPORT_TABLE" && f != "REPORT_LIST")
                return false;
            continue;
        }
        if (s.kind != el::StatementKind::Equation || s.left->kind != object::ExpressionKind::Name || runs)
            return false;
        const std::string& name = s.left->name.parts[0].name;
        if (name == "DEBUG_LEVEL" || name == "REPORT_MODE") continue;
        const char* option = name == "TIME"    ? "--start"
                             : name == "TSTOP" ? "--stop"
                             : name == "CINT"  ? "--step"
                                               : nullptr;
        const bool number =
            s.right->kind == object::ExpressionKind::Real || s.right->kind == object::ExpressionKind::Integer;
        if (!option || !number) return false;
        words.insert(words.end(), {option, fmt::format("{}", s.right->number)});
    }
    return runs <= 1;
}

}  // namespace

std::vector<std::string> el_experiment_words(const ObjectText& text, const std::string& model,
                                             Diagnostics& diagnostics) {
    std::vector<std::string> words;
    const el::Experiment* x = el_experiment(text, model);
    if (!x || is_one_run(*x, words)) return words;
    diagnostics.report(translate_messages::body_is_a_program(x->where, model));
    return {};
}

}  // namespace cutset
