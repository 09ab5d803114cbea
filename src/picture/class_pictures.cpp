#include "picture/class_pictures.h"

#include <algorithm>
#include <cstdlib>
#include <filesystem>
#include <utility>

#include "base/fingerprint.h"
#include "languages/simnon/parse.h"
#include "picture/arrange.h"
#include "picture/dymola_class.h"
#include "picture/formula.h"
#include "picture/icons.h"
#include "picture/picture_json.h"
#include "picture/simnon_class.h"
#include "translate/load_systems.h"

namespace cutset::picture {

namespace {

using Formulas = std::map<std::uint32_t, std::string>;

void add_formulas(const std::vector<tree::Item>& items, Formulas& out) {
    for (const tree::Item& item : items) {
        if (const auto* e = std::get_if<tree::Equation>(&item.what))
            out[e->where.begin] = math_of(*e);
        else if (const auto* i = std::get_if<tree::InitialEquation>(&item.what))
            out[i->equation.where.begin] = math_of(i->equation);
        else if (const auto* v = std::get_if<tree::InitialValue>(&item.what))
            out[v->where.begin] = math_of_initial(*v);
        else if (const auto* choice = std::get_if<tree::StructureIf>(&item.what))
            for (const tree::StructureBranch& b : choice->branches) add_formulas(b.items, out);
        else if (const auto* loop = std::get_if<tree::StructureFor>(&item.what))
            add_formulas(loop->items, out);
    }
}

bool inside(Span part, Span whole) {
    return part.known() && part.source == whole.source && part.begin >= whole.begin && part.end <= whole.end;
}

}  // namespace

struct ClassPictures::Class {
    std::string key;
    const tree::Class* tree = nullptr;  // one of the two
    std::optional<simnon::System> system;
    const Class* parent = nullptr;
    std::string library;  // the name of its file, without ending
    std::optional<Outside> outside;
    std::optional<Layout> layout;
    Diagnostics layout_said;
    std::optional<ClassPicture> picture;

    Span whole() const { return tree ? tree->whole : system->whole; }
    std::string_view name() const { return tree ? tree->name : system->name; }
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
            for (const auto& c : file->classes) add(*c, "", main_file, nullptr);
        }
        main_file = false;
    }
    // Systems of which nothing could be made are read all the same.
    for (SourceId id(1); id.value < sources.end().value; id = SourceId(id.value + 1))
        if (!read[id.value] && systems_in(id)) add_systems(id, main_file || entries_.empty());
}

ClassPictures::~ClassPictures() = default;

void ClassPictures::add(const tree::Class& c, const std::string& prefix, bool main_file,
                        const Class* parent) {
    const std::string key = prefix + c.name;
    if (c.name.empty() || by_key_.count(key)) return;
    auto made = std::make_unique<Class>();
    made->key = key;
    made->tree = &c;
    made->parent = parent;
    made->library = std::filesystem::path(sources_.name(c.source)).stem().string();
    by_key_[key] = made.get();
    entries_.push_back({key, c.name, "", ClassKind::Model, c.in_place && !parent, main_file, c.source});
    const Class* own = made.get();
    classes_.push_back(std::move(made));
    for (const tree::Item& item : c.items)
        if (const auto* inner = std::get_if<std::shared_ptr<tree::Class>>(&item.what))
            add(**inner, key + ".", main_file, own);
}

void ClassPictures::add_systems(SourceId source, bool main_file) {
    Diagnostics own;  // they were reported when the text was read
    for (simnon::System& s : simnon::parse_systems(sources_, source, own)) {
        if (s.name.empty() || by_key_.count(s.name)) continue;
        auto made = std::make_unique<Class>();
        made->key = s.name;
        made->system = std::move(s);
        by_key_[made->key] = made.get();
        entries_.push_back({made->key, made->key, "", ClassKind::Continuous, true, main_file, source});
        classes_.push_back(std::move(made));
    }
}

ClassPictures::Class* ClassPictures::class_of(std::string_view key) const {
    const auto found = by_key_.find(key);
    return found == by_key_.end() ? nullptr : found->second;
}

// Inside-out, then at the top of all files.
ClassPictures::Class* ClassPictures::visible(std::string_view name, const Class& from) const {
    for (const Class* c = &from; c; c = c->parent)
        if (Class* found = class_of(c->key + "." + std::string(name))) return found;
    if (Class* found = class_of(name)) return found;
    for (const auto& c : classes_)
        if (c->system && simnon::same_letters(c->key, name)) return c.get();
    for (const auto& c : classes_)  // the name of a file stands for the class of it
        if (c->library == name && !c->parent && c->tree && c->tree->in_place) return c.get();
    return nullptr;
}

std::string ClassPictures::default_key() const {
    std::string last;
    for (const Entry& e : entries_) {
        if (!e.main_file) continue;
        const Class* c = class_of(e.key);
        if (c->parent) continue;
        if (c->system && c->system->kind == SystemKind::Connecting) return e.key;
        last = e.key;
    }
    for (auto e = entries_.rbegin(); e != entries_.rend(); ++e)
        if (e->main_file && e->runnable && class_of(e->key)->tree) return e->key;
    return last;
}

std::optional<std::string> ClassPictures::find(std::string_view name) const {
    if (class_of(name)) return std::string(name);
    for (const Entry& e : entries_)
        if (e.name == name) return e.key;
    for (const Entry& e : entries_)
        if (simnon::same_letters(e.name, name)) return e.key;
    return std::nullopt;
}

const std::vector<LayoutLine>& ClassPictures::layout_lines(SourceId source) {
    const auto [found, added] = layout_lines_.try_emplace(source.value);
    if (added)
        found->second = find_layout_lines(sources_.text(source), source,
                                          is_simnon_file(sources_.name(source)) ? "\"@" : "--@");
    return found->second;
}

void ClassPictures::make_outside(Class& c) {
    if (c.outside) return;
    std::vector<Span> inner;
    if (c.tree)
        for (const tree::Item& item : c.tree->items)
            if (const auto* k = std::get_if<std::shared_ptr<tree::Class>>(&item.what))
                inner.push_back((*k)->whole);
    std::vector<LayoutLine> lines;
    for (const LayoutLine& l : layout_lines(c.whole().source)) {
        if (!inside(l.where, c.whole())) continue;
        if (std::any_of(inner.begin(), inner.end(), [&](Span s) { return inside(l.where, s); })) continue;
        lines.push_back(l);
    }
    c.layout = read_layout(lines, c.layout_said);
    c.outside = c.tree ? dymola_outside(*c.tree, sources_) : simnon_outside(*c.system);
    c.outside->key = c.key;
    place_ports(c.outside->ports, *c.layout, c.layout_said);
    std::vector<std::string> first, last;
    if (c.tree) dymola_directions(*c.tree, *c.outside, first, last);
    choose_sides(c.outside->ports, first, last);
    c.outside->icon = icon_of(c.name(), c.library, c.layout->icon);
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

std::map<std::uint32_t, std::string> ClassPictures::formulas(std::string_view key) const {
    Formulas out;
    const Class* c = class_of(key);
    if (c && c->tree) add_formulas(c->tree->items, out);
    if (c && c->system)
        for (const simnon::SystemAssignment& a : c->system->assignments) {
            std::string target = "<mi>" + html_escaped(a.target) + "</mi>";
            if (!a.system.empty())
                target = "<msub>" + target + "<mi>" + html_escaped(a.system) + "</mi></msub>";
            out[a.where.begin] = target + "<mo>=</mo>" + math_of(a.value);
        }
    return out;
}

void ClassPictures::make_picture(Class& c) {
    make_outside(c);
    const FindClass find = [&](std::string_view name) -> const Outside* {
        Class* found = visible(name, c);
        if (!found) return nullptr;
        make_outside(*found);
        return &*found->outside;
    };
    ClassPicture p = c.tree ? dymola_picture(*c.tree, *c.outside, sources_, find)
                            : simnon_picture(*c.system, *c.outside, sources_, find);
    p.key = c.key;
    p.icon = c.outside->icon;
    std::vector<const Outside*> outsides;
    for (Block& b : p.blocks) {
        Class* of_block = b.key.empty() ? nullptr : class_of(b.key);
        if (of_block) make_outside(*of_block);
        outsides.push_back(of_block ? &*of_block->outside : nullptr);
        if (of_block) b.icon = of_block->outside->icon;
    }
    Diagnostics said = c.layout_said;
    arrange(p, *c.layout, outsides, said);
    for (const Diagnostic& d : reported_.all())
        if (inside(d.where, c.whole())) p.diagnostics.push_back(d);
    for (const Diagnostic& d : said.all()) p.diagnostics.push_back(d);
    p.hash = fingerprint(json_text(picture_json(p, sources_))).high;
    c.picture = std::move(p);
}

}  // namespace cutset::picture
