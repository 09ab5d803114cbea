#include "picture/class_pictures.h"

#include <algorithm>
#include <filesystem>
#include <utility>

#include "base/fingerprint.h"
#include "languages/simnon/parse.h"
#include "picture/arrange.h"
#include "picture/dymola_class.h"
#include "picture/el_class.h"
#include "picture/icons.h"
#include "picture/modelica_class.h"
#include "picture/omola_class.h"
#include "picture/picture_json.h"
#include "picture/simnon_class.h"
#include "picture/text_of.h"
#include "translate/load_systems.h"

namespace cutset::picture {

namespace {

bool inside(Span part, Span whole) {
    return part.known() && part.source == whole.source && part.begin >= whole.begin && part.end <= whole.end;
}

std::string_view layout_mark(const std::string& file) {
    if (is_simnon_file(file)) return quote_mark;
    if (file.ends_with(".mo")) return slashes_mark;
    return file.ends_with(".om") ? percent_mark : dashes_mark;
}

bool is_modelica(const ObjectText& text) {
    return text.el.empty() && text.omola.empty();
}

}  // namespace

struct ClassPictures::Class {
    std::string key, name;
    std::unique_ptr<ClassReader> reader;
    const Class* parent = nullptr;
    std::string library;  // the name of its file, without ending
    bool named_by_file = false, system = false, connecting = false;
    std::optional<Outside> outside;
    std::optional<Layout> layout;
    Diagnostics layout_said;
    std::optional<ClassPicture> picture;
};

// Classes with inheritance, and what looks them up.
struct ClassPictures::Objects {
    Objects(Sources& sources, ObjectText& of) : text(of) {
        text.library.attach(sources, said);
        if (is_modelica(text)) tree = std::make_unique<objects::InstanceTree>(text.library, said);
    }
    ObjectText& text;
    Diagnostics said;  // `check` tells it; here what cannot be understood is missing
    std::unique_ptr<objects::InstanceTree> tree;
};

ClassPictures::ClassPictures(const Sources& sources, const ClassTree& classes, const Diagnostics& reported)
    : sources_(sources), reported_(reported) {
    bool main_file = true;
    const auto systems_in = [&](SourceId id) { return is_simnon_file(sources.name(id)); };
    std::vector<bool> read(sources.end().value, false);
    for (const auto& file : classes.files) {
        if (file->source.value != 0 && systems_in(file->source)) {
            if (!read[file->source.value]) add_systems(file->source, main_file);
            read[file->source.value] = true;
        } else {
            for (const auto& c : file->classes) add_tree(*c, "", main_file, nullptr);
        }
        main_file = false;
    }
    // Systems of which nothing could be made are read all the same.
    for (SourceId id(1); id.value < sources.end().value; id = SourceId(id.value + 1))
        if (!read[id.value] && systems_in(id)) add_systems(id, main_file || entries_.empty());
}

ClassPictures::ClassPictures(Sources& sources, ObjectText& text, const Diagnostics& reported)
    : sources_(sources), reported_(reported), objects_(std::make_unique<Objects>(sources, text)) {
    const auto el = text.el.empty() ? nullptr : el_texts(text.el, sources);
    for (const cutset::el::File& f : text.el)
        for (const cutset::el::Component& c : f.components)
            add(c.name, el_reader(c, el), nullptr,
                {c.name, c.name, c.description, c.is_port ? ClassKind::Connector : ClassKind::Model,
                 !c.is_port && !c.abstract, &f == &text.el.front(), f.source});
    const auto omola = text.omola.empty() ? nullptr : omola_texts(text.omola, sources);
    for (const cutset::omola::File& f : text.omola)
        for (const cutset::omola::ClassText& c : f.classes)
            if (auto reader = omola_reader(c, omola))
                add(c.name, std::move(reader), nullptr,
                    {c.name, c.name, c.description, ClassKind::Model, true, &f == &text.omola.front(),
                     f.source});
    if (objects_->tree)
        for (const object::Class* c : text.own) add_object_class(*c, true);
}

ClassPictures::~ClassPictures() = default;

ClassPictures::Class* ClassPictures::add(std::string key, std::unique_ptr<ClassReader> reader,
                                         const Class* parent, Entry entry) {
    if (key.empty() || !reader || by_key_.count(key)) return nullptr;
    auto made = std::make_unique<Class>();
    made->key = std::move(key);
    made->name = entry.name;
    made->reader = std::move(reader);
    made->parent = parent;
    made->library = std::filesystem::path(sources_.name(entry.source)).stem().string();
    by_key_[made->key] = made.get();
    entries_.push_back(std::move(entry));
    classes_.push_back(std::move(made));
    return classes_.back().get();
}

void ClassPictures::add_tree(const tree::Class& c, const std::string& prefix, bool main_file,
                             const Class* parent) {
    const std::string key = prefix + c.name;
    if (c.name.empty()) return;
    Class* own = add(key, dymola_reader(c, sources_), parent,
                     {key, c.name, first_sentence(c.documentation), ClassKind::Model, c.in_place && !parent,
                      main_file, c.source, c.documentation});
    if (!own) return;
    own->named_by_file = c.in_place && !parent;
    for (const tree::Item& item : c.items)
        if (const auto* inner = std::get_if<std::shared_ptr<tree::Class>>(&item.what))
            add_tree(**inner, key + ".", main_file, own);
}

void ClassPictures::add_systems(SourceId source, bool main_file) {
    Diagnostics own;  // they were reported when the text was read
    for (simnon::System& s : simnon::parse_systems(sources_, source, own)) {
        const std::string key = s.name;
        const bool connecting = s.kind == SystemKind::Connecting;
        std::string about;
        for (const std::string& line : s.text) about += line + "\n";
        Class* made =
            add(key, simnon_reader(std::move(s), sources_), nullptr,
                {key, key, first_sentence(about), ClassKind::Continuous, true, main_file, source, about});
        if (!made) continue;
        made->system = true;
        made->connecting = connecting;
    }
}

// The classes of a file, and those in them; not those of a package in a directory.
void ClassPictures::add_object_class(const object::Class& c, bool main_file) {
    const std::string key = ClassLibrary::path(c);
    if (c.name.empty() || by_key_.count(key)) return;
    objects::ClassInstance* type = find_modelica_class(*objects_->tree, key);
    if (!type) return;
    const ClassKind kind = modelica_kind(c);
    add(key, modelica_reader(*objects_->tree, *type, sources_), nullptr,
        {key, c.name, c.description, kind, kind == ClassKind::Model && !c.partial, main_file,
         c.where.source});
    const auto* body = std::get_if<object::LongDefinition>(&c.definition);
    if (!body || !main_file) return;
    for (const object::Element& e : body->elements)
        if (const auto* nested = std::get_if<object::NestedClass>(&e))
            add_object_class(*nested->declared, main_file);
}

ClassPictures::Class* ClassPictures::class_of(std::string_view key) {
    if (const auto found = by_key_.find(key); found != by_key_.end()) return found->second;
    if (!objects_ || !objects_->tree) return nullptr;
    const object::Class* c = objects_->text.library.find(key);
    if (!c) return nullptr;
    add_object_class(*c, false);
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : found->second;
}

// Inside-out, then at the top of all files.
ClassPictures::Class* ClassPictures::visible(std::string_view name, const Class& from) {
    if (objects_) return class_of(name);
    for (const Class* c = &from; c; c = c->parent)
        if (Class* found = class_of(c->key + "." + std::string(name))) return found;
    if (Class* found = class_of(name)) return found;
    for (const auto& c : classes_)
        if (c->system && simnon::same_letters(c->key, name)) return c.get();
    for (const auto& c : classes_)  // the name of a file stands for the class of it
        if (c->library == name && c->named_by_file) return c.get();
    return nullptr;
}

std::string ClassPictures::default_key() {
    if (objects_) {
        // An experiment of EL is drawn as its component: motorDC.motor2.exp1.
        const std::string& model = objects_->text.model;
        if (class_of(model)) return model;
        if (class_of(model.substr(0, model.find('.')))) return model.substr(0, model.find('.'));
    }
    std::string last;
    for (const Entry& e : entries_) {
        if (!e.main_file) continue;
        const Class* c = class_of(e.key);
        if (c->parent) continue;
        if (c->connecting) return e.key;
        last = e.key;
    }
    for (auto e = entries_.rbegin(); e != entries_.rend(); ++e)
        if (e->main_file && e->runnable && !class_of(e->key)->system) return e->key;
    return last;
}

std::optional<std::string> ClassPictures::find(std::string_view name) {
    if (class_of(name)) return std::string(name);
    for (const Entry& e : entries_)
        if (e.name == name) return e.key;
    for (const Entry& e : entries_)
        if (simnon::same_letters(e.name, name)) return e.key;
    if (objects_ && class_of(name.substr(0, name.find('.'))))
        return std::string(name.substr(0, name.find('.')));
    return std::nullopt;
}

const std::vector<LayoutLine>& ClassPictures::layout_lines(SourceId source) {
    const auto [found, added] = layout_lines_.try_emplace(source.value);
    if (added)
        found->second = find_layout_lines(sources_.text(source), source, layout_mark(sources_.name(source)));
    return found->second;
}

void ClassPictures::make_outside(Class& c) {
    if (c.outside) return;
    const Span whole = c.reader->whole();
    const std::vector<Span> inner = c.reader->inner_classes();
    std::vector<LayoutLine> lines;
    for (const LayoutLine& l : layout_lines(whole.source)) {
        if (!inside(l.where, whole)) continue;
        if (std::any_of(inner.begin(), inner.end(), [&](Span s) { return inside(l.where, s); })) continue;
        lines.push_back(l);
    }
    c.layout = read_layout(lines, c.layout_said);
    c.outside = c.reader->outside();
    c.outside->key = c.key;
    place_ports(c.outside->ports, *c.layout, c.layout_said);
    std::vector<std::string> first, last;
    c.reader->directions(*c.outside, first, last);
    choose_sides(c.outside->ports, first, last);
    if (c.outside->icon.primitives.empty()) c.outside->icon = icon_of(c.name, c.library, c.layout->icon);
}

const Outside* ClassPictures::outside(std::string_view key) {
    Class* c = class_of(key);
    if (!c) return nullptr;
    make_outside(*c);
    return &*c->outside;
}

const ClassPicture* ClassPictures::picture(std::string_view key) {
    Class* c = class_of(key);
    if (!c) return nullptr;
    if (!c->picture) make_picture(*c);
    return &*c->picture;
}

std::map<std::uint32_t, std::string> ClassPictures::formulas(std::string_view key) {
    const Class* c = class_of(key);
    return c ? c->reader->formulas() : std::map<std::uint32_t, std::string>{};
}

void ClassPictures::make_picture(Class& c) {
    make_outside(c);
    const FindClass find = [&](std::string_view name) -> const Outside* {
        Class* found = visible(name, c);
        if (!found) return nullptr;
        make_outside(*found);
        return &*found->outside;
    };
    Layout layout = *c.layout;
    ClassPicture p = c.reader->picture(*c.outside, find, layout);
    p.key = c.key;
    p.transfer = layout.transfer;
    if (p.icon.primitives.empty()) p.icon = c.outside->icon;
    std::vector<const Outside*> outsides;
    for (Block& b : p.blocks) {
        Class* of_block = b.key.empty() ? nullptr : class_of(b.key);
        if (of_block) make_outside(*of_block);
        outsides.push_back(of_block ? &*of_block->outside : nullptr);
        if (of_block && b.icon.primitives.empty()) b.icon = of_block->outside->icon;
    }
    Diagnostics said = c.layout_said;
    arrange(p, layout, outsides, said);
    const Span whole = c.reader->whole();
    for (const Diagnostic& d : reported_.all())
        if (inside(d.where, whole)) p.diagnostics.push_back(d);
    for (const Diagnostic& d : said.all()) p.diagnostics.push_back(d);
    p.hash = fingerprint(json_text(picture_json(p, sources_))).high;
    c.picture = std::move(p);
}

std::unique_ptr<ClassPictures> class_pictures(ModelText& text, const Diagnostics& reported) {
    if (text.objects()) return std::make_unique<ClassPictures>(text.sources(), *text.objects(), reported);
    return std::make_unique<ClassPictures>(text.sources(), text.classes(), reported);
}

}  // namespace cutset::picture
