#include "translate/object_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <iterator>
#include <optional>
#include <utility>

#include "languages/modelica/parse.h"
#include "translate/foreign_classes.h"
#include "translate/lowered_files.h"
#include "translate/messages.h"
#include "translate/near_file.h"

namespace cutset {

namespace fs = std::filesystem;
using object::Class;
using object::ClassKind;
using object::Expression;
using object::ExpressionKind;

namespace {

constexpr int deepest_package = 200;

bool is_identifier(std::string_view name) {
    if (name.empty() || (name[0] >= '0' && name[0] <= '9')) return false;
    return std::all_of(name.begin(), name.end(), [](char c) {
        return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '_';
    });
}

// A.B.C, and no ending of a file.
bool is_class_name(std::string_view words) {
    const std::size_t last = words.rfind('.');
    if (last == std::string_view::npos) return false;
    for (const std::string_view ending : {".dym", ".t", ".so", ".csv", ".mat", ".txt", ".json"})
        if (words.ends_with(ending)) return false;
    for (std::size_t begin = 0; begin <= words.size();) {
        const std::size_t end = std::min(words.find('.', begin), words.size());
        if (!is_identifier(words.substr(begin, end - begin))) return false;
        begin = end + 1;
    }
    return true;
}

const object::LongDefinition* body_of(const Class& c) {
    return std::get_if<object::LongDefinition>(&c.definition);
}

bool has_experiment(const Class& c, const Sources& sources) {
    return c.annotation.known() && sources.text(c.annotation).find("experiment") != std::string_view::npos;
}

bool is_model(const Class& c) {
    return !c.partial &&
           (c.kind == ClassKind::Model || c.kind == ClassKind::Block || c.kind == ClassKind::Class);
}

// The last model of a file; of a package the last that says how it is run, else its last model.
const Class* default_class(ClassLibrary& library, const std::vector<const Class*>& own,
                           const Sources& sources) {
    if (own.empty()) return nullptr;
    const Class* last = own.back();
    if (last->kind != ClassKind::Package) return last;
    const Class* model = nullptr;
    const Class* run = nullptr;
    for (const Class* c : all_classes(library, *last)) {
        if (!is_model(*c)) continue;
        model = c;
        if (has_experiment(*c, sources)) run = c;
    }
    return run ? run : model ? model : last;
}

// A file of a library in a directory is the class of that name in the library: what it may see is there.
const Class* in_its_library(ObjectText& text, const fs::path& file, const object::File& parsed) {
    const std::size_t depth = parsed.within ? parsed.within->parts.size() : 0;
    std::error_code ec;
    fs::path folder = fs::absolute(file, ec).parent_path();
    const bool package = file.filename() == "package.mo";
    if (package) folder = folder.parent_path();
    for (std::size_t i = 0; i < depth; ++i) {
        if (!fs::is_regular_file(folder / "package.mo", ec)) return nullptr;
        folder = folder.parent_path();
    }
    if (depth == 0 && !package) return nullptr;
    text.library.put_directory_first(folder.string());
    std::string name;
    for (std::size_t i = 0; i < depth; ++i) name += parsed.within->parts[i].name + ".";
    return parsed.classes.empty() ? nullptr : text.library.find(name + parsed.classes.back()->name);
}

// The class whose name differs little from the first part of `words` that is not there; "" for none.
std::string near_class(ClassLibrary& library, const std::string& words) {
    const std::size_t dot = words.rfind('.');
    if (dot == std::string::npos) return "";
    const std::string package = words.substr(0, dot);
    const Class* c = library.find(package);
    if (!c) return near_class(library, package);
    std::vector<std::string> members = library.stored_members(*c);
    if (const auto* body = std::get_if<object::LongDefinition>(&c->definition))
        for (const object::Element& e : body->elements)
            if (const auto* nested = std::get_if<object::NestedClass>(&e))
                members.push_back(nested->declared->name);
    const std::string near = nearest_name(words.substr(dot + 1), members);
    return near.empty() ? "" : package + "." + near;
}

void load_class_file(ObjectText& text, const std::string& path, const ObjectRequest& request,
                     Sources& sources, Diagnostics& diagnostics) {
    std::string problem;
    auto content = request.read(path, problem, InputKind::Any);
    if (!content) {
        diagnostics.report(translate_messages::cannot_read({}, path, problem, near_model_file(path)));
        return;
    }
    const SourceId source = sources.add(path, std::move(*content));
    text.library.add_source(source);
    const std::shared_ptr<object::File> file = modelica::parse_file(sources, source, diagnostics);
    if (diagnostics.has_errors() && !request.tolerant) return;
    if (const Class* c = in_its_library(text, path, *file)) {
        text.own.push_back(c);
        return;
    }
    text.library.add(file);
    for (const auto& c : file->classes) text.own.push_back(c.get());
}

std::optional<double> literal(const Expression& e) {
    if (e.kind == ExpressionKind::Real || e.kind == ExpressionKind::Integer) return e.number;
    if (e.kind != ExpressionKind::Operation || e.arguments.empty() || e.arguments.size() > 2)
        return std::nullopt;
    const auto a = literal(e.arguments[0]);
    if (!a) return std::nullopt;
    if (e.arguments.size() == 1) {
        if (e.op == object::Operator::Minus) return -*a;
        return e.op == object::Operator::Plus ? a : std::nullopt;
    }
    const auto b = literal(e.arguments[1]);
    if (!b) return std::nullopt;
    switch (e.op) {
        case object::Operator::Add:
            return *a + *b;
        case object::Operator::Subtract:
            return *a - *b;
        case object::Operator::Multiply:
            return *a * *b;
        case object::Operator::Divide:
            return *a / *b;
        default:
            return std::nullopt;
    }
}

const char* option_of(std::string_view name) {
    if (name == "StartTime") return "--start";
    if (name == "StopTime") return "--stop";
    if (name == "Tolerance") return "--tolerance";
    if (name == "Interval") return "--step";
    return nullptr;
}

}  // namespace

bool is_object_model(const std::string& words) {
    if (words.ends_with(".mo") || is_lowered_file(words)) return true;
    std::error_code ec;
    if (fs::is_directory(words, ec)) return true;
    return is_class_name(words) && !fs::exists(words, ec);
}

std::unique_ptr<ObjectText> load_object_text(const ObjectRequest& request, Sources& sources,
                                             Diagnostics& diagnostics) {
    const std::string &words = request.words, &model = request.model;
    auto text = std::make_unique<ObjectText>();
    text->library.attach(sources, diagnostics);
    for (const std::string& directory : request.directories) text->library.add_directory(directory);
    text->library.read_foreign_by(
        {std::begin(foreign_endings), std::end(foreign_endings)},
        [directories = request.directories](const std::string& path, Sources& to, Diagnostics& sink) {
            return read_foreign(path, directories, to, sink);
        });
    std::error_code ec;
    std::string proposed;  // the last experiment, or the last component
    if (is_lowered_file(words)) {
        proposed = load_lowered_file(*text, request, sources, diagnostics);
    } else if (fs::is_directory(words, ec)) {
        const fs::path package = fs::path(words) / "package.mo";
        if (fs::exists(package, ec)) {
            load_class_file(*text, package.string(), request, sources, diagnostics);
        } else {
            text->library.put_directory_first(words);
            for (const std::string& name : class_names(words))
                if (const Class* c = text->library.top(name)) text->own.push_back(c);
            if (text->own.empty()) diagnostics.report(translate_messages::no_classes(words));
        }
    } else if (words.ends_with(".mo")) {
        load_class_file(*text, words, request, sources, diagnostics);
        // Classes beside it, as a working directory.
        const fs::path folder = fs::path(words).parent_path();
        text->library.add_directory(folder.empty() ? "." : folder.string());
    } else if (const Class* c = text->library.find(words)) {
        text->own.push_back(c);
    } else {
        diagnostics.report(translate_messages::no_such_class(words, text->library.top_names(),
                                                             near_class(text->library, words)));
    }
    if (!model.empty() || !proposed.empty()) {
        choose_class(*text, model.empty() ? proposed : model, sources, diagnostics);
    } else if (const Class* c = default_class(text->library, text->own, sources)) {
        text->model = ClassLibrary::path(*c);
        text->experiment = experiment_words(*c, sources, diagnostics);
    }
    return text;
}

namespace {
const Class* class_named(ObjectText& text, const std::string& name) {
    if (const Class* c = text.library.find(name)) return c;
    for (const Class* c : text.own)
        if (const Class* inner = text.library.find(ClassLibrary::path(*c) + "." + name)) return inner;
    return nullptr;
}
}  // namespace

std::string class_path(ObjectText& text, const std::string& name) {
    const Class* c = class_named(text, name);
    return c ? ClassLibrary::path(*c) : name;
}

void choose_class(ObjectText& text, const std::string& name, Sources& sources, Diagnostics& diagnostics) {
    text.library.attach(sources, diagnostics);
    const Class* c = class_named(text, name);
    text.model = c ? ClassLibrary::path(*c) : name;
    text.experiment = !c ? std::vector<std::string>{}
                      : c->language == object::Language::El
                          ? el_experiment_words(text, text.model, diagnostics)
                          : experiment_words(*c, sources, diagnostics);
}

std::vector<std::string> experiment_words(const Class& c, const Sources& sources, Diagnostics& diagnostics) {
    std::vector<std::string> words;
    if (c.language != object::Language::Modelica || !has_experiment(c, sources)) return words;
    for (const object::Argument& a :
         modelica::parse_annotation(sources, c.annotation, diagnostics).arguments) {
        if (a.name.parts.size() != 1 || a.name.parts[0].name != "experiment" || !a.value) continue;
        for (const object::Argument& field : a.value->arguments) {
            if (field.name.parts.size() != 1 || !field.value || !field.value->value) continue;
            const char* option = option_of(field.name.parts[0].name);
            if (!option) continue;
            if (const auto value = literal(*field.value->value)) {
                // An interval of 0 leaves the choice to the tool.
                if (*value != 0 || std::string_view(option) == "--start")
                    words.insert(words.end(), {option, fmt::format("{}", *value)});
            } else {
                diagnostics.report(translate_messages::experiment_not_a_number(field.where));
            }
        }
    }
    return words;
}

namespace {

void collect_classes(ClassLibrary& library, const Class& c, int depth, std::vector<const Class*>& out) {
    out.push_back(&c);
    if (depth == deepest_package) return;
    if (const object::LongDefinition* body = body_of(c))
        for (const object::Element& e : body->elements)
            if (const auto* nested = std::get_if<object::NestedClass>(&e))
                collect_classes(library, *nested->declared, depth + 1, out);
    for (const std::string& name : library.stored_members(c))
        if (const Class* stored = library.stored_member(c, name))
            collect_classes(library, *stored, depth + 1, out);
}

}  // namespace

std::vector<const Class*> all_classes(ClassLibrary& library, const Class& c) {
    std::vector<const Class*> out;
    collect_classes(library, c, 0, out);
    return out;
}

}  // namespace cutset
