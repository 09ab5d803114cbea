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
#include "translate/foreign_classes.h"
#include "translate/messages.h"

namespace cutset {

namespace fs = std::filesystem;

namespace {

struct Wanted {
    std::string name;
    Span where;
    bool is_file = false;  // a path, looked for beside the file that names it first
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

// A file of another language, whose classes can be components.
void read_guest(ObjectText& text, const std::string& path, const ObjectRequest& request, Sources& sources,
                Diagnostics& diagnostics) {
    std::string problem;
    auto content = request.read(path, problem, InputKind::FileOnly);
    if (content) text.library.add_source(sources.add(path, std::move(*content)));
    auto file = read_foreign(path, request.directories, sources, diagnostics);
    if (!file) return;
    text.library.add(file);
    for (const auto& c : file->classes) text.guests.push_back(c.get());
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
    const auto files_of = [&](const Wanted& w) {
        std::error_code ec;
        std::vector<std::string> out;
        if (w.is_file) {
            const fs::path beside = fs::path(sources.name(w.where.source)).parent_path();
            if (fs::is_regular_file(beside / w.name, ec)) return std::vector{(beside / w.name).string()};
        }
        for (const std::string& place : places) {
            const fs::path directory = place.empty() ? "." : place;
            if (w.is_file && fs::is_regular_file(directory / w.name, ec))
                out = {(directory / w.name).string()};
            else if (!w.is_file)
                out = files_of_library(directory, w.name, ending);
            if (!out.empty()) break;
        }
        return out;
    };
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
        const std::vector<std::string> files = files_of(next);
        const std::string foreign =
            files.empty() && !next.is_file && ending == ".om" ? find_foreign(next.name, places) : "";
        if (!foreign.empty()) {
            read_guest(text, foreign, request, sources, diagnostics);
            continue;
        }
        if (files.empty())
            diagnostics.report(next.is_file
                                   ? translate_messages::no_such_file(next.where, next.name)
                                   : translate_messages::no_such_library(next.where, next.name, ending));
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
    text.lowered = std::make_shared<const object::File>(std::move(classes.file));
    text.library.add(text.lowered);
}

}  // namespace

namespace {

bool declares_nothing(const ObjectText& text) {
    const bool omola = std::all_of(text.omola.begin(), text.omola.end(),
                                   [](const omola::File& f) { return f.classes.empty(); });
    const bool el = std::all_of(text.el.begin(), text.el.end(), [](const el::File& f) {
        return f.components.empty() && f.partitions.empty() && f.experiments.empty();
    });
    return omola && el;
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
        omola::ForeignClasses foreign;
        foreign.packages = text.guests;
        foreign.find = [&](const std::string& name) { return text.library.find(name); };
        omola::Classes classes = omola::lower(text.omola, {1, request.realizations, foreign}, diagnostics);
        if (diagnostics.has_errors()) return {};
        for (const object::Class* c : classes.models) names.push_back(ClassLibrary::path(*c));
        add_classes(text, std::move(classes));
    } else {
        read_with_libraries(text, request, ".el", sources, diagnostics,
                            [&](SourceId source, Diagnostics& sink) {
                                text.el.push_back(el::parse_file(sources, source, sink));
                                std::vector<Wanted> uses;
                                for (const el::LibraryUse& u : text.el.back().uses)
                                    uses.push_back({u.name, u.where, u.file});
                                return uses;
                            });
        if (diagnostics.has_errors()) return {};
        el::Classes classes = el::lower(text.el, 1, diagnostics);
        if (diagnostics.has_errors()) return {};
        for (const object::Class* c : classes.models) names.push_back(ClassLibrary::path(*c));
        for (const object::Class* c : classes.experiments) names.push_back(ClassLibrary::path(*c));
        add_classes(text, std::move(classes));
    }
    if (names.empty())
        diagnostics.report(declares_nothing(text) ? translate_messages::no_classes_in_file(path)
                                                  : translate_messages::no_model_in_file(path));
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

namespace {

// --tear for the variables that the component declares ALG, and for those of the partition.
std::vector<std::string> tearing_words(const ObjectText& text, const std::string& model) {
    const std::string component = model.substr(0, model.find('.'));
    std::string names;
    const auto add = [&](const std::string& name) { names += (names.empty() ? "" : ",") + name; };
    for (const el::File& f : text.el) {
        for (const el::Component& c : f.components)
            for (const el::Declaration& d : c.variables)
                if (c.name == component && d.algebraic) add(d.name);
        for (const el::Partition& p : f.partitions)
            if (p.component == component && (model + ".").starts_with(component + "." + p.name + "."))
                for (const el::Parent& v : p.tearing) add(v.name);
    }
    return names.empty() ? std::vector<std::string>{} : std::vector<std::string>{"--tear", names};
}

}  // namespace

std::vector<std::string> el_experiment_words(const ObjectText& text, const std::string& model,
                                             Diagnostics& diagnostics) {
    std::vector<std::string> words;
    const el::Experiment* x = el_experiment(text, model);
    if (x && !is_one_run(*x, words)) {
        diagnostics.report(translate_messages::body_is_a_program(x->where, model));
        words.clear();
    }
    for (std::string& word : tearing_words(text, model)) words.push_back(std::move(word));
    return words;
}

}  // namespace cutset
