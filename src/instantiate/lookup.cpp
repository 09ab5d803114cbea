#include "instantiate/lookup.h"

#include <algorithm>
#include <filesystem>

#include "instantiate/messages.h"
#include "instantiate/value_types.h"

namespace cutset {

namespace {

// Calls visit(item) for every item of a class, whatever branch or loop it stands in.
template <class Visit>
void for_each_item(const std::vector<tree::Item>& items, Visit&& visit) {
    for (const tree::Item& item : items) {
        if (const auto* branches = std::get_if<tree::StructureIf>(&item.what)) {
            for (const tree::StructureBranch& b : branches->branches) for_each_item(b.items, visit);
        } else if (const auto* loop = std::get_if<tree::StructureFor>(&item.what)) {
            for_each_item(loop->items, visit);
        }
        visit(item);
    }
}

std::uint32_t slot(std::uint32_t& known, std::vector<std::string_view>& names, std::string_view name) {
    if (known == none) {
        known = static_cast<std::uint32_t>(names.size());
        names.push_back(name);
    }
    return known;
}

std::uint32_t variable_slot(ClassInfo& info, std::string_view name) {
    const std::uint32_t s = slot(info.names[name].variable, info.variables, name);
    if (info.first_declaration.size() <= s) info.first_declaration.resize(s + 1, nullptr);
    return s;
}

void add_implicit(ClassInfo& info, std::string_view own, const std::vector<tree::PortElement>& body) {
    for (const tree::PortElement& e : body) {
        if (const auto* v = std::get_if<tree::PortVariable>(&e.what)) {
            if (v->variable.parts.size() != 1) continue;
            const std::string_view name = v->variable.parts[0].name;
            const ClassNames* known = info.find(name);
            // A plain name is a cut when there is a cut of that name (other than this one) and no variable.
            if (known && (known->variable != none || (known->port != none && name != own))) continue;
            variable_slot(info, name);
        } else if (const auto* group = std::get_if<tree::PortGroup>(&e.what)) {
            add_implicit(info, own, group->elements);
        }
    }
}

void find_set_by_when(ClassInfo& info) {
    info.set_by_when.assign(info.variables.size(), false);
    for_each_item(info.tree->items, [&](const tree::Item& item) {
        const auto* w = std::get_if<tree::When>(&item.what);
        if (!w) return;
        for_each_statement(*w, [&](const tree::WhenStatement& s) {
            if (const auto* a = std::get_if<tree::WhenAssignment>(&s.what); a && a->target.parts.size() == 1)
                if (const ClassNames* n = info.find(a->target.parts[0].name); n && n->variable != none)
                    info.set_by_when[n->variable] = true;
        });
    });
}

void infer_conditions(ClassInfo& info) {
    info.truth.assign(info.variables.size(), false);
    const auto own = [&](const tree::Reference& r) {
        if (r.parts.size() != 1) return none;
        const ClassNames* n = info.find(r.parts[0].name);
        return n ? n->variable : none;
    };
    const auto declared = [&](std::uint32_t v) {
        const tree::VariableDeclaration* d = info.first_declaration[v];
        return d ? d->type : std::nullopt;
    };
    for (std::uint32_t v = 0; v < info.variables.size(); ++v)
        info.truth[v] = declared(v) == ValueType::Boolean;
    for (bool changed = true; changed;) {
        changed = false;
        const auto set = [&](std::uint32_t v) {
            if (v != none && !info.truth[v] && !declared(v)) changed = info.truth[v] = true;
        };
        for_each_item(info.tree->items, [&](const tree::Item& item) {
            if (const auto* d = std::get_if<tree::VariableDeclaration>(&item.what)) {
                if (d->value && is_condition(*d->value, info)) set(info.find(d->name)->variable);
            } else if (const auto* e = std::get_if<tree::Equation>(&item.what)) {
                if (e->left.kind == tree::ExpressionKind::Reference && is_condition(e->right, info))
                    set(own(e->left.reference));
            } else if (const auto* w = std::get_if<tree::When>(&item.what)) {
                tree::for_each_statement(*w, [&](const tree::WhenStatement& s) {
                    if (const auto* a = std::get_if<tree::WhenAssignment>(&s.what))
                        if (is_condition(a->value, info)) set(own(a->target));
                });
            }
        });
    }
}

// Joins convert between units, so a unit that is not known would be a factor that is not known.
void check_unit(Context& c, Span where, const std::string& name, const std::string& unit) {
    if (unit.empty()) return;
    const auto [found, added] = c.units.try_emplace(unit);
    if (added) found->second = parse_unit(unit);
    if (found->second) return;
    const UnknownSymbol unknown = unknown_symbol(unit);
    c.report(messages::unknown_unit(where, name, unit, unknown.symbol, unknown.near));
}

void check_units(Context& c, const std::vector<tree::PortElement>& body) {
    for (const tree::PortElement& e : body) {
        if (const auto* v = std::get_if<tree::PortVariable>(&e.what))
            check_unit(c, e.where, v->variable.parts[0].name, v->unit);
        else if (const auto* group = std::get_if<tree::PortGroup>(&e.what))
            check_units(c, group->elements);
    }
}

void collect(Context& c, ClassInfo& info) {
    std::unordered_map<std::string_view, Span> types, callees;
    for_each_item(info.tree->items, [&](const tree::Item& item) {
        if (const auto* d = std::get_if<tree::VariableDeclaration>(&item.what)) {
            check_unit(c, d->where, d->name, d->unit);
            if (!d->literals.empty()) enumeration_of(c, d->literals);
            const std::uint32_t s = variable_slot(info, d->name);
            if (info.first_declaration[s]) return;
            info.first_declaration[s] = d;
            if (d->kind == VariableKind::Parameter || d->kind == VariableKind::StructureParameter)
                info.parameters.push_back(s);
        } else if (const auto* m = std::get_if<tree::Component>(&item.what)) {
            slot(info.names[m->name].component, info.components, m->name);
        } else if (const auto* p = std::get_if<tree::Port>(&item.what)) {
            slot(p->name.empty() ? info.anonymous_port : info.names[p->name].port, info.ports, p->name);
            if (p->body) check_units(c, *p->body);
        } else if (const auto* path = std::get_if<tree::Path>(&item.what)) {
            slot(info.names[path->name].path, info.paths, path->name);
        } else if (const auto* table = std::get_if<tree::Table>(&item.what)) {
            info.names[table->name].table = table;
            if (const auto [first, added] = callees.try_emplace(table->name, table->where); !added)
                c.report(messages::defined_twice(table->where, "", "table", table->name, first->second));
        } else if (const auto* function = std::get_if<std::shared_ptr<tree::Function>>(&item.what)) {
            info.names[(*function)->name].function = function->get();
            if (const auto [first, added] = callees.try_emplace((*function)->name, (*function)->where);
                !added)
                c.report(messages::defined_twice((*function)->where, "", "function", (*function)->name,
                                                 first->second));
        } else if (const auto* type = std::get_if<std::shared_ptr<tree::Class>>(&item.what)) {
            const tree::Class& t = **type;
            if (const auto [first, added] = types.try_emplace(t.name, t.where); !added)
                c.report(messages::defined_twice(t.where, "", "model", t.name, first->second));
            ClassNames& names = info.names[t.name];
            if (!names.type) names.type = &t;
        } else if (std::holds_alternative<tree::StructureIf>(item.what) ||
                   std::holds_alternative<tree::StructureFor>(item.what)) {
            info.has_structure = true;
        }
    });
    for_each_item(info.tree->items, [&](const tree::Item& item) {
        if (const auto* p = std::get_if<tree::Port>(&item.what)) {
            if (p->body) add_implicit(info, p->name, *p->body);
        } else if (const auto* path = std::get_if<tree::Path>(&item.what)) {
            for (const tree::PathEnd* end : {&path->from, &path->to})
                if (const auto* body = std::get_if<std::vector<tree::PortElement>>(&end->what))
                    add_implicit(info, "", *body);
        }
    });
    infer_conditions(info);
    find_set_by_when(info);
}

const tree::File* file_of(Context& c, const tree::Class& type) {
    const tree::Class* outermost = &type;
    while (outermost->parent) outermost = outermost->parent;
    const auto found = c.file_of.find(outermost);
    return found == c.file_of.end() ? nullptr : found->second;
}

const tree::Class* class_in_file(const tree::File& file, std::string_view name) {
    for (const auto& k : file.classes)
        if (k->name == name) return k.get();
    return nullptr;
}

// The class that stands for a whole file: the last `model`, else the last model type.
const tree::Class* main_class(const tree::File& file) {
    for (auto k = file.classes.rbegin(); k != file.classes.rend(); ++k)
        if ((*k)->in_place) return k->get();
    return file.classes.empty() ? nullptr : file.classes.back().get();
}

const tree::Class* class_by_file_name(Context& c, std::string_view name) {
    for (const auto& file : c.classes.files)
        if (std::filesystem::path(file->path).stem().string() == name)
            if (const tree::Class* k =
                    class_in_file(*file, name) ? class_in_file(*file, name) : main_class(*file))
                return k;
    return nullptr;
}

}  // namespace

bool is_condition(const tree::Expression& e, const ClassInfo& info) {
    using K = tree::ExpressionKind;
    switch (e.kind) {
        case K::Truth:
        case K::Relation:
        case K::And:
        case K::Or:
        case K::Not:
            return true;
        case K::If:
            return e.arguments.size() > 1 && is_condition(e.arguments[1], info);
        case K::Call:
            if (e.text == "edge" || e.text == "change" || e.text == "sample" || e.text == "start")
                return true;
            if (e.text == "pre" || e.text == "new" || e.text == "noevent")
                return e.arguments.size() == 1 && is_condition(e.arguments[0], info);
            return false;
        case K::Reference: {
            if (e.reference.parts.size() != 1) return false;
            const ClassNames* n = info.find(e.reference.parts[0].name);
            return n && n->variable != none && n->variable < info.truth.size() && info.truth[n->variable];
        }
        default:
            return false;
    }
}

ClassInfo& class_info(Context& c, const tree::Class& type) {
    const auto found = c.info_of.find(&type);
    if (found != c.info_of.end()) return *found->second;
    ClassInfo* parent = type.parent ? &class_info(c, *type.parent) : nullptr;
    ClassInfo& info = c.class_infos.emplace_back();
    c.info_of[&type] = &info;
    info.tree = &type;
    info.parent = parent;
    info.file = file_of(c, type);
    collect(c, info);
    return info;
}

const tree::Class* find_model(Context& c, const std::string& name) {
    for (const auto& file : c.classes.files)
        for (const auto& k : file->classes) c.file_of[k.get()] = file.get();
    if (c.classes.files.empty()) {
        c.report(messages::nothing_to_run());
        return nullptr;
    }
    if (name.empty()) {
        if (const tree::Class* k = main_class(*c.classes.files[0])) return k;
        c.report(messages::no_model_in_file(c.classes.files[0]->path));
        return nullptr;
    }
    for (const auto& file : c.classes.files)
        if (const tree::Class* k = class_in_file(*file, name)) return k;
    if (const tree::Class* k = class_by_file_name(c, name)) return k;
    std::vector<std::string> candidates;
    for (const auto& file : c.classes.files)
        for (const auto& k : file->classes) candidates.push_back(k->name);
    const std::string near = nearest_name(name, candidates);
    std::vector<std::string> here;
    for (const auto& k : c.classes.files[0]->classes) here.push_back(k->name);
    // The place is that of the model that may be meant, else of the first one.
    Span where = here.empty() ? Span{} : c.classes.files[0]->classes[0]->where;
    for (const auto& file : c.classes.files)
        for (const auto& k : file->classes)
            if (k->name == near) where = k->where;
    c.report(messages::unknown_model(where, name, near, here));
    return nullptr;
}

ClassInfo* find_type(Context& c, ClassInfo& from, std::string_view name) {
    const auto known = from.types.find(name);
    if (known != from.types.end()) return known->second;
    const tree::Class* type = nullptr;
    for (const ClassInfo* k = &from; k && !type; k = k->parent)
        if (const ClassNames* n = k->find(name)) type = n->type;
    if (!type && from.file) type = class_in_file(*from.file, name);
    if (!type) type = class_by_file_name(c, name);
    for (std::size_t i = 0; !type && i < c.classes.files.size(); ++i)
        type = class_in_file(*c.classes.files[i], name);
    ClassInfo* info = type ? &class_info(c, *type) : nullptr;
    if (info) from.types[info->tree->name == name ? std::string_view(info->tree->name) : name] = info;
    return info;
}

std::vector<std::string> visible_types(Context& c, const ClassInfo& from) {
    std::vector<std::string> names;
    for (const ClassInfo* k = &from; k; k = k->parent)
        for (const tree::Item& item : k->tree->items)
            if (const auto* type = std::get_if<std::shared_ptr<tree::Class>>(&item.what))
                names.push_back((*type)->name);
    for (const auto& file : c.classes.files)
        for (const auto& k : file->classes) names.push_back(k->name);
    return names;
}

FoundCallee find_callee(Context& c, ClassInfo* from, const tree::File* file, std::string_view name) {
    for (ClassInfo* k = from; k; k = k->parent)
        if (const ClassNames* n = k->find(name); n && (n->table || n->function))
            return {n->table, n->function, k};
    const auto in_file = [&](const tree::File& f) -> FoundCallee {
        for (const auto& function : f.functions)
            if (function->name == name) return {nullptr, function.get(), nullptr};
        for (const tree::Table& table : f.tables)
            if (table.name == name) return {&table, nullptr, nullptr};
        return {};
    };
    if (file)
        if (const FoundCallee found = in_file(*file); found.table || found.function) return found;
    for (const auto& f : c.classes.files)
        if (const FoundCallee found = in_file(*f); found.table || found.function) return found;
    return {};
}

std::vector<std::string> visible_callees(Context& c, const ClassInfo* from, const tree::File* file) {
    std::vector<std::string> names;
    for (const ClassInfo* k = from; k; k = k->parent)
        for (const tree::Item& item : k->tree->items) {
            if (const auto* table = std::get_if<tree::Table>(&item.what)) names.push_back(table->name);
            if (const auto* f = std::get_if<std::shared_ptr<tree::Function>>(&item.what))
                names.push_back((*f)->name);
        }
    (void)file;
    for (const auto& f : c.classes.files) {
        for (const auto& function : f->functions) names.push_back(function->name);
        for (const tree::Table& table : f->tables) names.push_back(table.name);
    }
    return names;
}

void check_files(Context& c) {
    for (const auto& file : c.classes.files) {
        std::unordered_map<std::string_view, Span> types, callees;
        for (const auto& k : file->classes)
            if (const auto [first, added] = types.try_emplace(k->name, k->where); !added)
                c.report(messages::defined_twice(k->where, "", "model", k->name, first->second));
        for (const auto& f : file->functions)
            if (const auto [first, added] = callees.try_emplace(f->name, f->where); !added)
                c.report(messages::defined_twice(f->where, "", "function", f->name, first->second));
        for (const tree::Table& t : file->tables)
            if (const auto [first, added] = callees.try_emplace(t.name, t.where); !added)
                c.report(messages::defined_twice(t.where, "", "table", t.name, first->second));
    }
}

}  // namespace cutset
