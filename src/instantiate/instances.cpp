#include "instantiate/instances.h"

#include <algorithm>
#include <unordered_map>

#include "instantiate/declare.h"
#include "instantiate/expressions.h"
#include "instantiate/lookup.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"

namespace cutset {

namespace {

struct Pending {
    InstanceIndex instance;
    ClassInfo* info;
};

// How many submodels an instance of a class has at least, itself and what is below included: those that
// depend on no condition and no size. So a model whose submodels double from level to level is refused before
// the first millions of them are made.
class LeastCounts {
  public:
    explicit LeastCounts(Context& c) : c_(c) {}
    double of(ClassInfo& info) { return count(info, 0); }

  private:
    double count(ClassInfo& info, std::uint32_t depth) {
        if (const auto known = counts_.find(&info); known != counts_.end()) return known->second;
        if (depth > depth_limit) return 1;  // refused elsewhere
        counts_[&info] = 1;                 // of a class that contains itself
        double sum = 1;
        for (const tree::Item& item : info.tree->items) {
            const auto* component = std::get_if<tree::Component>(&item.what);
            if (!component || !component->dimensions.empty()) continue;
            if (ClassInfo* type = find_type(c_, info, component->type)) sum += count(*type, depth + 1);
        }
        return counts_[&info] = sum;
    }

    Context& c_;
    std::unordered_map<const ClassInfo*, double> counts_;  // looked up only
};

// Decides conditions and unrolls loops: declares variables on the way and keeps the other items with their
// loop variables. Groups nest no deeper than the parser allows.
void select_items(Context& c, InstanceIndex i, const std::vector<tree::Item>& items, std::uint32_t loops,
                  const ArgumentsBySlot& arguments, std::vector<SelectedItem>& selected) {
    declare_variables(c, i, items, loops, arguments);
    const Scope scope{.instance = i, .loops = loops};
    for (const tree::Item& item : items) {
        if (c.refused) return;
        if (std::holds_alternative<tree::VariableDeclaration>(item.what)) continue;
        if (const auto* branches = std::get_if<tree::StructureIf>(&item.what)) {
            for (const tree::StructureBranch& b : branches->branches) {
                if (b.condition) {
                    // A choice of equations that changes: add_choice.
                    if (changes_in_run(c, *b.condition, scope)) {
                        selected.push_back({&item, loops});
                        break;
                    }
                    const auto holds = structural_condition(c, *b.condition, scope);
                    if (!holds) break;
                    if (!*holds) continue;
                }
                select_items(c, i, b.items, loops, arguments, selected);
                break;
            }
        } else if (const auto* loop = std::get_if<tree::StructureFor>(&item.what)) {
            const auto range = loop_range(c, *loop, scope);
            if (!range) continue;
            const double repetitions = range->count();
            // Loops within loops may repeat without selecting anything.
            c.repetitions += repetitions;
            if (repetitions * static_cast<double>(loop->items.size() + 1) +
                        static_cast<double>(selected.size() + c.items.size()) >
                    static_cast<double>(repetition_limit) ||
                c.repetitions > static_cast<double>(repetition_limit)) {
                c.refused = true;
                c.report(messages::too_many_repetitions(loop->where, c.submodel(i), repetitions));
                return;
            }
            for (long k = range->from; range->goes_on(k); k += range->step) {
                c.loop_variables.push_back({loop->variable, static_cast<double>(k), loops});
                const std::size_t before = selected.size();
                select_items(c, i, loop->items, static_cast<std::uint32_t>(c.loop_variables.size() - 1),
                             arguments, selected);
                if (c.refused) return;
                if (selected.size() == before) c.loop_variables.pop_back();  // not referred to
            }
        } else {
            selected.push_back({&item, loops});
        }
    }
}

void declare_port(Context& c, InstanceIndex i, const tree::Port& p, std::uint32_t loops) {
    InstanceState& state = c.instances[i];
    const ClassInfo& info = *state.info;
    const std::uint32_t number = p.name.empty() ? info.anonymous_port : info.find(p.name)->port;
    PortSlot& slot = c.port(i, number);
    if (slot.presence != Presence::Absent) {
        const Span first = slot.first == none ? Span{} : c.ports[slot.first].where;
        c.report(messages::defined_twice(p.where, c.submodel(i), p.node ? "node" : "cut",
                                         p.name.empty() ? "main cut" : p.name, first));
        return;
    }
    const Scope scope{.instance = i, .loops = loops};
    const auto dimensions = structural_dimensions(c, p.dimensions, scope, p.name);
    slot.presence = dimensions ? Presence::Present : Presence::Broken;
    if (!dimensions) return;
    slot.shape = c.shape(*dimensions);
    slot.first = static_cast<std::uint32_t>(c.ports.size());
    if (c.count(slot.shape) + c.ports.size() > scalar_limit) {
        c.refused = true;
        c.report(messages::too_many_scalars(p.where, c.submodel(i), p.name,
                                            static_cast<double>(c.count(slot.shape))));
        return;
    }
    if (p.main) {
        if (state.main_port != none && state.main_port != number)
            c.report(messages::second_main(p.where, c.submodel(i), "cut",
                                           c.ports[c.port(i, state.main_port).first].where));
        state.main_port = number;
    }
    const std::uint32_t shape = slot.shape;
    for (std::size_t e = 0; e < c.count(shape); ++e) {
        Port made;
        made.declaration = &p;
        made.body = p.body ? &*p.body : nullptr;
        made.instance = i;
        made.where = p.where;
        made.loops = loops;
        if (shape) {
            c.loop_variables.push_back({"index", static_cast<double>(e + 1), loops});
            made.loops = static_cast<std::uint32_t>(c.loop_variables.size() - 1);
        }
        made.element = static_cast<std::uint32_t>(e);
        made.shape = shape;
        made.node = p.node;
        c.ports.push_back(made);
    }
    if (p.body) declare_cut_variables(c, i, *p.body, *dimensions);
}

void declare_path(Context& c, InstanceIndex i, const tree::Path& p, std::uint32_t loops) {
    InstanceState& state = c.instances[i];
    const std::uint32_t number = state.info->find(p.name)->path;
    PathSlot& slot = c.path(i, number);
    if (slot.declaration) {
        c.report(messages::defined_twice(p.where, c.submodel(i), "path", p.name, slot.declaration->where));
        return;
    }
    slot.declaration = &p;
    if (p.main) {
        if (state.main_path != none)
            c.report(messages::second_main(p.where, c.submodel(i), "path",
                                           c.path(i, state.main_path).declaration->where));
        state.main_path = number;
    }
    const auto in_place = [&](const tree::PathEnd& end) {
        const auto* body = std::get_if<std::vector<tree::PortElement>>(&end.what);
        if (!body) return none;
        declare_cut_variables(c, i, *body, {});
        Port made;
        made.body = body;
        made.instance = i;
        made.where = end.where;
        made.loops = loops;
        c.ports.push_back(made);
        return static_cast<std::uint32_t>(c.ports.size() - 1);
    };
    const std::uint32_t from = in_place(p.from);
    const std::uint32_t to = in_place(p.to);
    c.path(i, number).from = from;
    c.path(i, number).to = to;
}

// A class among its own enclosing submodels with nothing on the way that could end it.
bool contains_itself(Context& c, InstanceIndex parent, const ClassInfo& info,
                     const tree::Component& component) {
    bool conditional = !component.dimensions.empty();
    for (InstanceIndex p = parent;; p = c.model.instances[p].parent) {
        const InstanceState& state = c.instances[p];
        conditional = conditional || state.info->has_structure;
        if (state.info == &info) return !conditional;
        if (p.value == 0) return false;
        conditional = conditional || (state.component && !state.component->dimensions.empty());
    }
}

void declare_component(Context& c, InstanceIndex i, const tree::Component& m, std::uint32_t loops,
                       LeastCounts& least, std::vector<Pending>& children) {
    ClassInfo& info = *c.instances[i].info;
    const ClassNames& names = *info.find(m.name);
    ComponentSlot& slot = c.component(i, names.component);
    if (slot.presence != Presence::Absent) {
        c.report(messages::defined_twice(m.where, c.submodel(i), "submodel", m.name,
                                         slot.declaration ? slot.declaration->where : Span{}));
        return;
    }
    slot.presence = Presence::Broken;
    slot.declaration = &m;
    if (names.port != none && c.port(i, names.port).presence == Presence::Present)
        c.report(messages::defined_twice(m.where, c.submodel(i), "submodel and cut", m.name,
                                         c.ports[c.port(i, names.port).first].where));
    ClassInfo* type = find_type(c, info, m.type);
    if (!type) {
        std::vector<std::string> files;
        for (const auto& f : c.classes.files) files.push_back(f->path);
        c.report(messages::unknown_type(m.type_where, c.submodel(i), m.type,
                                        nearest_name(m.type, visible_types(c, info)), files));
        return;
    }
    const Scope scope{.instance = i, .loops = loops};
    const auto dimensions = structural_dimensions(c, m.dimensions, scope, m.name);
    if (!dimensions) return;
    if (contains_itself(c, i, *type, m)) {
        c.refused = true;
        c.report(messages::contains_itself(m.where, c.submodel(i), m.name, type->tree->name));
        return;
    }
    const std::uint32_t depth = c.instances[i].depth + 1;
    if (depth > depth_limit) {
        c.refused = true;
        c.report(messages::too_deep(m.where, c.submodel(i).substr(0, 200), m.name, depth_limit));
        return;
    }
    const std::uint32_t shape = c.shape(*dimensions);
    const std::size_t count = c.count(shape);
    const double brought = static_cast<double>(count) * least.of(*type);
    if (brought + static_cast<double>(c.instances.size()) > static_cast<double>(scalar_limit)) {
        c.refused = true;
        c.report(brought > static_cast<double>(count)
                     ? messages::too_many_submodels(m.where, c.submodel(i), m.name, brought)
                     : messages::too_many_scalars(m.where, c.submodel(i), m.name, brought));
        return;
    }
    // The reference may have moved while sizes were evaluated.
    ComponentSlot& made = c.component(i, names.component);
    made.shape = shape;
    made.first = static_cast<std::uint32_t>(c.instances.size());
    made.presence = Presence::Present;
    const SettingNode* settings = c.instances[i].settings;
    for (std::size_t e = 0; e < count; ++e) {
        Instance instance;
        instance.name = m.name;
        if (shape) instance.name += element_text(*dimensions, e);
        instance.parent = i;
        instance.type = type->tree->name;
        instance.where = m.where;
        InstanceState state;
        state.component = &m;
        state.loops = loops;
        if (shape) {
            c.loop_variables.push_back({"index", static_cast<double>(e + 1), loops});
            state.loops = static_cast<std::uint32_t>(c.loop_variables.size() - 1);
        }
        state.depth = depth;
        if (settings) {
            auto child = settings->children.find(instance.name);
            if (child == settings->children.end()) child = settings->children.find(m.name);
            if (child != settings->children.end()) state.settings = child->second.get();
        }
        c.model.instances.add(std::move(instance));
        children.push_back({c.instances.add(state), type});
    }
}

void make_instance(Context& c, Pending pending, LeastCounts& least, std::vector<Pending>& children) {
    const InstanceIndex i = pending.instance;
    ClassInfo& info = *pending.info;
    InstanceState& state = c.instances[i];
    state.info = &info;
    state.variables = static_cast<std::uint32_t>(c.variable_slots.size());
    state.components = static_cast<std::uint32_t>(c.component_slots.size());
    state.ports = static_cast<std::uint32_t>(c.port_slots.size());
    state.paths = static_cast<std::uint32_t>(c.path_slots.size());
    c.variable_slots.resize(c.variable_slots.size() + info.variables.size());
    c.component_slots.resize(c.component_slots.size() + info.components.size());
    c.port_slots.resize(c.port_slots.size() + info.ports.size());
    c.path_slots.resize(c.path_slots.size() + info.paths.size());

    const ArgumentsBySlot arguments = match_arguments(c, i, info);
    if (info.has_structure) {
        std::vector<SelectedItem> selected;
        select_items(c, i, info.tree->items, 0, arguments, selected);
        c.instances[i].first_item = static_cast<std::uint32_t>(c.items.size());
        c.instances[i].item_count = static_cast<std::uint32_t>(selected.size());
        c.items.insert(c.items.end(), selected.begin(), selected.end());
    } else {
        declare_variables(c, i, info.tree->items, 0, arguments);
    }
    for_each_statement(c, i, [&](const tree::Item& item, std::uint32_t loops) {
        if (c.refused) return;
        if (const auto* p = std::get_if<tree::Port>(&item.what)) declare_port(c, i, *p, loops);
    });
    for_each_statement(c, i, [&](const tree::Item& item, std::uint32_t loops) {
        if (c.refused) return;
        if (const auto* p = std::get_if<tree::Path>(&item.what)) {
            declare_path(c, i, *p, loops);
        } else if (const auto* m = std::get_if<tree::Component>(&item.what)) {
            declare_component(c, i, *m, loops, least, children);
        }
    });
}

template <class Vector>
void make_room(Vector& vector, std::size_t more) {
    const std::size_t needed = vector.size() + more;
    if (needed > vector.capacity()) vector.reserve(std::max(needed, vector.capacity() * 3 / 2));
}

// For what many submodels will declare, at once: vectors that grow are copied, and take twice the memory.
void make_room(Context& c, const std::vector<Pending>& children) {
    if (children.size() < 100) return;
    std::size_t variables = 0, components = 0, ports = 0, paths = 0;
    for (const Pending& child : children) {
        variables += child.info->variables.size();
        components += child.info->components.size();
        ports += child.info->ports.size();
        paths += child.info->paths.size();
    }
    make_room(c.model.variables, variables);
    make_room(c.binding_of, variables);
    make_room(c.progress, variables);
    make_room(c.marks, variables);
    make_room(c.variable_slots, variables);
    make_room(c.component_slots, components);
    make_room(c.port_slots, ports);
    make_room(c.ports, ports);
    make_room(c.path_slots, paths);
}

}  // namespace

void make_instances(Context& c, const tree::Class& model) {
    Instance root;
    root.type = model.name;
    root.where = model.where;
    c.model.instances.add(std::move(root));
    InstanceState state;
    state.settings = &c.settings;
    c.instances.add(state);
    // Depth first, so that the variables of a submodel follow those of the one before it.
    std::vector<Pending> stack = {{InstanceIndex(0), &class_info(c, model)}};
    std::vector<Pending> children;
    LeastCounts least(c);
    while (!stack.empty() && !c.refused) {
        const Pending next = stack.back();
        stack.pop_back();
        children.clear();
        make_instance(c, next, least, children);
        make_room(c, children);
        stack.insert(stack.end(), children.rbegin(), children.rend());
    }
    c.instances_made = true;
}

}  // namespace cutset
