// References: variables, submodels and elements by their names.
#include <algorithm>

#include "flat/shape_text.h"
#include "instantiate/expression_parts.h"
#include "instantiate/functions.h"
#include "instantiate/lookup.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"
#include "instantiate/value_types.h"

namespace cutset {

namespace {

// Elements from 1 and ranges of them, or nothing after reporting.
std::optional<std::vector<IndexRange>> index_ranges(Context& c, const tree::Expression* first,
                                                    std::size_t count,
                                                    const std::vector<std::uint32_t>& dimensions,
                                                    const std::string& name, Span where, const Scope& s) {
    if (count > dimensions.size()) {
        c.report(messages::too_many_indices(where, place(c, s), name, shape_text(dimensions), count));
        return std::nullopt;
    }
    const auto element = [&](const tree::Expression& e, long lowest,
                             std::uint32_t highest) -> std::optional<std::uint32_t> {
        const auto i = structural_integer(c, e, s, "an index of " + name);
        if (!i) return std::nullopt;
        if (*i < lowest || *i > static_cast<long>(highest)) {
            c.report(messages::index_out_of_range(e.where, place(c, s), name, *i, highest));
            return std::nullopt;
        }
        return static_cast<std::uint32_t>(*i);
    };
    std::vector<IndexRange> ranges;
    for (std::size_t k = 0; k < count; ++k) {
        const tree::Expression& e = first[k];
        if (e.kind != tree::ExpressionKind::Range) {
            const auto i = element(e, 1, dimensions[k]);
            if (!i) return std::nullopt;
            ranges.push_back({*i, *i, true});
        } else if (e.arguments.empty()) {
            ranges.push_back({1, dimensions[k], false});
        } else {
            // x[1:0] has no elements.
            const auto from = element(e.arguments[0], 1, dimensions[k] + 1);
            const auto to =
                from ? element(e.arguments[1], static_cast<long>(*from) - 1, dimensions[k]) : std::nullopt;
            if (!to) return std::nullopt;
            ranges.push_back({*from, *to, false});
        }
    }
    return ranges;
}

bool has_range(const tree::ReferencePart& part) {
    return std::any_of(part.indices.begin(), part.indices.end(),
                       [](const tree::Expression& e) { return e.kind == tree::ExpressionKind::Range; });
}

void report_unknown(Context& c, const tree::ReferencePart& part, InstanceIndex i, const Scope& s,
                    bool inside_path) {
    const ClassInfo& info = *c.instances[i].info;
    const std::string where = inside_path ? c.submodel(i) : "";
    if (const ClassNames* n = info.find(part.name)) {
        if (n->component != none || n->port != none || n->path != none) {
            const char* what = n->component != none ? "submodel" : n->port != none ? "cut" : "path";
            c.report(messages::not_a_variable(part.where, place(c, s), part.name, what));
            return;
        }
    }
    std::vector<std::string> candidates(info.variables.begin(), info.variables.end());
    if (!inside_path)
        for (std::uint32_t l = s.loops; l; l = c.loop_variables[l].next)
            candidates.emplace_back(c.loop_variables[l].name);
    if (!inside_path) candidates.emplace_back("time");
    std::string enclosing;
    if (!inside_path)
        for (InstanceIndex p = i; p.value != 0 && enclosing.empty();) {
            p = c.model.instances[p].parent;
            const ClassNames* n = c.instances[p].info->find(part.name);
            if (n && n->variable != none) enclosing = c.instances[p].info->tree->name;
        }
    c.report(messages::unknown_name(part.where, place(c, s), part.name, where, info.tree->name,
                                    nearest_name(part.name, candidates), enclosing));
}

std::uint32_t enumeration_type(const Context& c, const VariableReference& r) {
    if (r.count == 0) return no_enumeration;
    const Variable& v = c.model.variables[VariableIndex(r.first)];
    return v.type == ValueType::Enumeration ? v.enumeration : no_enumeration;
}

}  // namespace

Value translate_indexed(Context& c, const tree::Expression& e, const Scope& s) {
    const Value v = translate(c, e.arguments[0], s);
    if (v.failed()) return {};
    const auto ranges = index_ranges(c, e.arguments.data() + 1, e.arguments.size() - 1, v.dimensions,
                                     "the expression", e.where, s);
    return ranges ? array_part(v, *ranges) : Value();
}

Value translate_reference(Context& c, const tree::Expression& e, const Scope& s) {
    const tree::Reference& r = e.reference;
    if (s.function) return translate_function_reference(c, r, s);
    if (r.parts.size() == 1) {
        const tree::ReferencePart& part = r.parts[0];
        if (const auto q = c.named_quantities.find(part.name); q != c.named_quantities.end())
            return Value(c.pool.variable(q->second));
        if (s.loops)
            if (const auto v = loop_value(c, s.loops, part.name)) return Value(c.pool.number(*v));
        if (part.name == "time") {
            const ClassNames* n = c.instances[s.instance].info->find("time");
            if (!n || n->variable == none) return Value(c.pool.time());
        }
    }
    if (has_range(r.parts.back())) {  // its elements need not be neighbours
        tree::Expression whole = e;
        tree::ReferencePart& last = whole.reference.parts.back();
        last.indices.clear();
        const Value v = translate_reference(c, whole, s);
        if (v.failed()) return {};
        const std::vector<tree::Expression>& indices = r.parts.back().indices;
        const auto ranges =
            index_ranges(c, indices.data(), indices.size(), v.dimensions, last.name, e.where, s);
        return ranges ? array_part(v, *ranges) : Value();
    }
    if (r.parts.size() == 1 && !c.model.enumerations.empty()) {
        const ClassNames* n = c.instances[s.instance].info->find(r.parts[0].name);
        if (!n || n->variable == none)
            if (const auto literal = literal_value(c, r.parts[0].name, e.where, s)) return *literal;
    }
    const auto found = find_variable(c, r, s);
    if (!found) return {};
    const std::uint32_t enumeration = enumeration_type(c, *found);
    const auto leaf = [&](std::uint32_t index) -> Expr {
        const VariableIndex v(index);
        const Variable& variable = c.model.variables[v];
        const bool fixed = variable.variability <= Variability::Parameter;
        Expr x;
        if (s.target && *s.target == v && !s.previous) {
            if (s.target_seen) *s.target_seen = true;
            x = c.pool.previous(v);
        } else {
            x = s.previous && !fixed ? c.pool.previous(v) : c.pool.variable(v);
        }
        return variable.is_boolean() ? truth_of(c.pool, x) : x;
    };
    if (c.has_texts && text_value(c, VariableIndex(found->first))) {
        c.report(messages::text_as_number(e.where, place(c, s)));
        return {};
    }
    Value v;
    v.enumeration = enumeration;
    if (found->dimensions.empty()) {
        v.scalar = leaf(found->first);
        return v;
    }
    v.dimensions = found->dimensions;
    v.elements.reserve(found->count);
    for (std::size_t k = 0; k < found->count; ++k)
        v.elements.push_back(leaf(found->first + static_cast<std::uint32_t>(k)));
    return v;
}

std::optional<std::size_t> find_element(Context& c, const std::vector<tree::Expression>& indices,
                                        const std::vector<std::uint32_t>& dimensions, const std::string& name,
                                        Span where, const Scope& s) {
    if (indices.size() < dimensions.size()) {
        c.report(messages::index_missing(where, place(c, s), name, shape_text(dimensions)));
        return std::nullopt;
    }
    const auto ranges = index_ranges(c, indices.data(), indices.size(), dimensions, name, where, s);
    if (!ranges) return std::nullopt;
    const Selection chosen = select_elements(dimensions, *ranges);
    if (!chosen.dimensions.empty()) {
        c.report(messages::range_not_here(where, place(c, s), name));
        return std::nullopt;
    }
    return chosen.elements[0];
}

std::optional<InstanceIndex> find_submodel(Context& c, const tree::Reference& r, std::size_t parts,
                                           const Scope& s) {
    InstanceIndex i = s.instance;
    for (std::size_t k = 0; k < parts; ++k) {
        const tree::ReferencePart& part = r.parts[k];
        const ClassInfo& info = *c.instances[i].info;
        const ClassNames* n = info.find(part.name);
        if (!n || n->component == none) {
            std::vector<std::string> candidates(info.components.begin(), info.components.end());
            c.report(messages::unknown_submodel(part.where, place(c, s), part.name, info.tree->name,
                                                nearest_name(part.name, candidates),
                                                n && n->variable != none));
            return std::nullopt;
        }
        const ComponentSlot& slot = c.component(i, n->component);
        if (slot.presence == Presence::Broken) return std::nullopt;
        if (slot.presence == Presence::Absent) {
            c.report(messages::not_in_this_structure(part.where, place(c, s), "submodel", part.name));
            return std::nullopt;
        }
        std::size_t element = 0;
        if (slot.shape || !part.indices.empty()) {
            // Copied: finding the element may evaluate parameters, which may make new shapes.
            const std::vector<std::uint32_t> dimensions = c.shapes[slot.shape];
            const std::uint32_t first = slot.first;
            const auto found = find_element(c, part.indices, dimensions, part.name, part.where, s);
            if (!found) return std::nullopt;
            element = *found;
            i = InstanceIndex(first + element);
        } else {
            i = InstanceIndex(slot.first);
        }
        if (!c.instances[i].info) {
            if (!c.instances_made)
                c.report(messages::submodel_not_made_yet(part.where, place(c, s), part.name));
            return std::nullopt;
        }
    }
    return i;
}

std::optional<VariableReference> find_variable(Context& c, const tree::Reference& r, const Scope& s) {
    const std::size_t n = r.parts.size();
    VariableReference result;
    result.instance = s.instance;
    if (n > 1) {
        const auto i = find_submodel(c, r, n - 1, s);
        if (!i) return std::nullopt;
        result.instance = *i;
    }
    const tree::ReferencePart& part = r.parts[n - 1];
    if (part.before == tree::Separator::Cut || part.before == tree::Separator::Path) {
        c.report(messages::not_a_variable(part.where, place(c, s), part.name,
                                          part.before == tree::Separator::Cut ? "cut" : "path"));
        return std::nullopt;
    }
    const ClassNames* names = c.instances[result.instance].info->find(part.name);
    if (!names || names->variable == none) {
        report_unknown(c, part, result.instance, s, n > 1);
        return std::nullopt;
    }
    result.slot = names->variable;
    const VariableSlot slot = c.variable(result.instance, result.slot);
    if (slot.presence == Presence::Broken) return std::nullopt;
    if (slot.presence == Presence::Absent) {
        c.report(messages::not_in_this_structure(part.where, place(c, s), "variable", part.name));
        return std::nullopt;
    }
    result.first = slot.first.value;
    if (slot.shape) {
        result.dimensions = c.shapes[slot.shape];
        result.count = c.count(slot.shape);
    }
    if (!part.indices.empty()) {
        const auto ranges = index_ranges(c, part.indices.data(), part.indices.size(), result.dimensions,
                                         part.name, part.where, s);
        if (!ranges) return std::nullopt;
        Selection chosen = select_elements(result.dimensions, *ranges);
        if (!chosen.is_consecutive()) {
            c.report(messages::range_not_here(part.where, place(c, s), part.name));
            return std::nullopt;
        }
        if (!chosen.elements.empty()) result.first += static_cast<std::uint32_t>(chosen.elements[0]);
        result.count = chosen.elements.size();
        result.dimensions = std::move(chosen.dimensions);
    }
    if (n > 1 && s.counts)
        for (std::size_t k = 0; k < result.count; ++k) c.marks[result.first + k] |= mark_referenced;
    return result;
}

}  // namespace cutset
