#include "instantiate/experiment.h"

#include <algorithm>
#include <cctype>
#include <charconv>

#include "flat/boundaries.h"
#include "flat/flat_builder.h"
#include "flat/messages.h"
#include "flat/shape_text.h"
#include "instantiate/expressions.h"
#include "instantiate/messages.h"
#include "ir/find_variables.h"

namespace cutset {

namespace {

// "a::b[ 2 ].x[1]" → {"a", "b[2]", "x[1]"}
std::vector<std::string> split_path(const std::string& path) {
    std::vector<std::string> parts(1);
    int brackets = 0;
    for (std::size_t k = 0; k < path.size(); ++k) {
        const char ch = path[k];
        if (ch == '[') ++brackets;
        if (ch == ']') --brackets;
        if (std::isspace(static_cast<unsigned char>(ch))) continue;
        if (brackets == 0 && (ch == '.' || ch == ':')) {
            if (!parts.back().empty()) parts.emplace_back();
            continue;
        }
        parts.back() += ch;
    }
    return parts;
}

struct Part {
    std::string name;
    std::vector<std::uint32_t> indices;
    bool good = true;
};

Part split_part(const std::string& text) {
    Part p;
    const std::size_t bracket = text.find('[');
    p.name = text.substr(0, bracket);
    if (bracket == std::string::npos) return p;
    const char* at = text.data() + bracket + 1;
    const char* end = text.data() + text.size();
    while (at < end) {
        std::uint32_t n = 0;
        const auto [next, error] = std::from_chars(at, end, n);
        if (error != std::errc() || next == end || (*next != ',' && *next != ']')) {
            p.good = false;
            return p;
        }
        p.indices.push_back(n);
        at = next + 1;
    }
    return p;
}

std::optional<std::size_t> position(const std::vector<std::uint32_t>& dimensions,
                                    const std::vector<std::uint32_t>& indices) {
    if (indices.size() != dimensions.size()) return std::nullopt;
    std::size_t at = 0;
    for (std::size_t k = 0; k < indices.size(); ++k) {
        if (indices[k] < 1 || indices[k] > dimensions[k]) return std::nullopt;
        at = at * dimensions[k] + indices[k] - 1;
    }
    return at;
}

struct Target {
    VariableIndex first;
    std::size_t count = 1;
    std::vector<std::uint32_t> dimensions;
};

// The variables a path of the experiment names; reported and nothing when there are none.
std::optional<Target> find_target(Context& c, const std::string& path, const std::string& option) {
    if (path.starts_with("der(") || path.ends_with("'")) {
        c.report(messages::derivative_not_here(option, path));
        return std::nullopt;
    }
    const std::vector<std::string> parts = split_path(path);
    InstanceIndex i(0);
    for (std::size_t k = 0; k < parts.size(); ++k) {
        const ClassInfo& info = *c.instances[i].info;
        const Part part = split_part(parts[k]);
        const ClassNames* n = info.find(part.name);
        const bool last = k + 1 == parts.size();
        const auto unknown = [&] {
            std::vector<std::string> candidates;
            if (!last)
                candidates.assign(info.components.begin(), info.components.end());
            else
                candidates.assign(info.variables.begin(), info.variables.end());
            c.report(messages::unknown_setting(option, path, part.name, c.submodel(i), info.tree->name, last,
                                               nearest_name(part.name, candidates)));
            return std::nullopt;
        };
        if (!part.good) return unknown();
        if (last) {
            if (!n || n->variable == none) return unknown();
            const VariableSlot& slot = c.variable(i, n->variable);
            if (slot.presence != Presence::Present) return unknown();
            Target t{slot.first, c.count(slot.shape), c.shapes[slot.shape]};
            if (!part.indices.empty()) {
                const auto at = position(t.dimensions, part.indices);
                if (!at) {
                    c.report(messages::setting_index(option, path, part.name, shape_text(t.dimensions)));
                    return std::nullopt;
                }
                t = {VariableIndex(slot.first.value + *at), 1, {}};
            }
            return t;
        }
        if (!n || n->component == none) return unknown();
        const ComponentSlot& slot = c.component(i, n->component);
        if (slot.presence != Presence::Present) return unknown();
        const auto at = position(c.shapes[slot.shape], part.indices);
        if (!at || !c.instances[InstanceIndex(slot.first + *at)].info) {
            c.report(messages::setting_index(option, path, part.name, shape_text(c.shapes[slot.shape])));
            return std::nullopt;
        }
        i = InstanceIndex(slot.first + *at);
    }
    return std::nullopt;
}

// --set b=3 may give the value of `--known b`.
bool known_without_value(const Context& c, const std::string& path) {
    for (const Experiment::Known& known : c.experiment.knowns)
        if (!known.value && !known.table && split_path(known.path) == split_path(path)) return true;
    return false;
}

// Where a value for the target stands.
Scope scope_for(const Context& c, const Target& target) {
    Scope scope{.instance = InstanceIndex(0)};
    if (target.count > 0 && c.model.variables[target.first].type == ValueType::Enumeration)
        scope.enumeration = c.model.variables[target.first].enumeration;
    return scope;
}

// The values of an expression of the experiment for the elements of a target; empty when that was an error.
std::vector<Expr> values_for(Context& c, const tree::Expression& value, const Target& target,
                             const char* what) {
    const Value v = translate(c, value, scope_for(c, target));
    if (v.failed()) return {};
    if (!v.is_scalar() && !fits(v.dimensions, target.dimensions)) {
        c.report(flat_messages::sizes_differ(value.where, "", what, shape_text(target.dimensions),
                                             shape_text(v.dimensions)));
        return {};
    }
    std::vector<Expr> values;
    for (std::size_t k = 0; k < target.count; ++k) values.push_back(number_of(c, v[v.is_scalar() ? 0 : k]));
    return values;
}

// The words of the Dymola language for the boundary.
class DymolaBoundary : public BoundaryLanguage {
  public:
    explicit DymolaBoundary(Context& c) : c_(c) {}

    BoundaryTarget target(const std::string& path, const char* option) override {
        BoundaryTarget out;
        const auto found = find_target(c_, path, option);
        if (!found) return out;
        for (std::size_t k = 0; k < found->count; ++k) out.variables.emplace_back(found->first.value + k);
        out.dimensions = found->dimensions;
        return out;
    }
    std::vector<Expr> values(const written::Expression& value, const BoundaryTarget& of,
                             const char* what) override {
        return values_for(c_, value, {of.variables[0], of.variables.size(), of.dimensions}, what);
    }
    std::optional<Diagnostic> not_free(const std::string& path, VariableIndex v) override {
        const Variable& variable = c_.model.variables[v];
        const Span where = variable.origin.where;
        const bool shapes = v.value < c_.shaping.size() && c_.shaping[v.value];
        if (variable.variability == Variability::Parameter)
            return shapes || variable.declared == VariableKind::StructureParameter
                       ? std::optional(flat_messages::unknown_shapes_model(path, where))
                       : std::nullopt;
        if (variable.variability != Variability::Continuous)
            return flat_messages::unknown_not_free(path, declared_word(variable), where);
        const bool visible =
            variable.declared == VariableKind::Input || variable.declared == VariableKind::Terminal;
        if (!visible || (!is_top(variable) && used_inside(v)))
            return flat_messages::unknown_already(path, where);
        return std::nullopt;
    }
    std::optional<Diagnostic> not_an_input(const std::string& path, VariableIndex v) override {
        const Variable& variable = c_.model.variables[v];
        const bool top = is_top(variable);
        if (variable.declared != VariableKind::Input && !(top && variable.declared == VariableKind::Terminal))
            return flat_messages::not_an_input(path, declared_word(variable), variable.origin.where,
                                               variable.variability <= Variability::Parameter);
        if (!top && used_inside(v)) return flat_messages::input_given_inside(path, variable.origin.where);
        return std::nullopt;
    }
    bool give(VariableIndex v) override {  // neither a default nor an open end says anything about it
        const bool first = !(c_.marks[v.value] & mark_given);
        c_.marks[v.value] |= mark_given;
        return first;
    }
    void report(Diagnostic d) override { c_.report(std::move(d)); }

  private:
    static bool is_top(const Variable& v) { return v.origin.instance.value == 0; }
    // An enclosing model refers to it.
    bool used_inside(VariableIndex v) const { return c_.marks[v.value] & (mark_referenced | mark_joined); }

    Context& c_;
};

}  // namespace

void read_settings(Context& c) {
    for (const Experiment::Setting& setting : c.experiment.parameters) {
        SettingUse& use = c.setting_uses.emplace_back();
        use.setting = &setting;
        SettingNode* node = &c.settings;
        const std::vector<std::string> parts = split_path(setting.path);
        for (std::size_t k = 0; k + 1 < parts.size(); ++k) {
            auto& child = node->children[parts[k]];
            if (!child) child = std::make_unique<SettingNode>();
            node = child.get();
        }
        SettingUse*& place = node->variables[parts.back()];
        if (place) place->used = true;  // the later of two wins
        place = &use;
    }
}

void check_settings(Context& c) {
    for (const SettingUse& use : c.setting_uses) {
        if (use.used || known_without_value(c, use.setting->path)) continue;
        const auto target = find_target(c, use.setting->path, c.experiment.set_option);
        if (!target || target->count == 0) continue;
        const Variable& v = c.model.variables[target->first];
        c.report(messages::set_not_parameter(c.experiment.set_option, use.setting->path, declared_word(v),
                                             v.origin.where, v.declared == VariableKind::Input,
                                             v.variability == Variability::Constant));
    }
}

void apply_initials(Context& c) {
    for (const Experiment::Setting& setting : c.experiment.initials) {
        // der(x): the initial value of a derivative, which is a state where x'' occurs
        const auto derivative = differentiated_path(setting.path);
        const auto target = find_target(c, derivative.value_or(setting.path), c.experiment.init_option);
        if (!target || target->count == 0) continue;
        const Variable& first = c.model.variables[target->first];
        if (first.variability <= Variability::Parameter) {
            c.report(
                messages::init_of_parameter(c.experiment.init_option, setting.path, declared_word(first)));
            continue;
        }
        const Value v = translate(c, setting.value, scope_for(c, *target));
        if (v.failed()) continue;
        if (!v.is_scalar() && !fits(v.dimensions, target->dimensions)) {
            c.report(flat_messages::sizes_differ(setting.value.where, "", "initial value",
                                                 shape_text(target->dimensions), shape_text(v.dimensions)));
            continue;
        }
        for (std::size_t k = 0; k < target->count; ++k) {
            const VariableIndex index(target->first.value + k);
            Variable& variable = c.model.variables[index];
            const Start start{number_of(c, v[v.is_scalar() ? 0 : k]), variable.origin, true};
            if (derivative)
                c.model.derivative_starts.push_back({index, 1, start});
            else
                variable.start = start;
        }
    }
}

void read_knowns(Context& c) {
    DymolaBoundary language(c);
    read_knowns(c.model, c.experiment, language);
}

void check_knowns(Context& c) {
    DymolaBoundary language(c);
    check_knowns(c.model, c.experiment, language);
}

void add_input_equations(Context& c) {
    DymolaBoundary language(c);
    add_inputs(c.model, c.experiment, language);
}

void add_quantities(Context& c) {
    FlatBuilder builder(c.model);
    for (const Experiment::Quantity& quantity : c.experiment.quantities) {
        const Expr value = translate_number(c, quantity.value, Scope{.instance = InstanceIndex(0)});
        // Reported once is enough.
        c.named_quantities.emplace(
            quantity.name, value ? builder.quantity(quantity, number_of(c, value)) : VariableIndex(0));
    }
}

void check_inputs(Context& c) {
    // With a choice of knowns, what is left without an equation is found by analysing it.
    if (c.experiment.open || !c.experiment.knowns.empty() || !c.experiment.unknowns.empty()) return;
    std::vector<VariableIndex> top, inner;
    for (std::size_t n = 0; n < c.model.variables.size(); ++n) {
        const VariableIndex v(n);
        const Variable& variable = c.model.variables[v];
        if (variable.declared != VariableKind::Input || variable.variability != Variability::Continuous)
            continue;
        if (c.marks[n] & (mark_referenced | mark_joined | mark_given | mark_defaulted)) continue;
        (variable.origin.instance.value == 0 ? top : inner).push_back(v);
    }
    const auto names = [&](const std::vector<VariableIndex>& list) {
        std::vector<std::string> result;
        for (VariableIndex v : list) result.push_back(c.model.path(v));
        return result;
    };
    if (!top.empty())
        c.report(flat_messages::inputs_not_given(c.model.variables[top[0]].origin.where, names(top),
                                                 ", or write `default " + c.model.path(top[0]) + " = …`"));
    if (!inner.empty()) {
        const Variable& first = c.model.variables[inner[0]];
        c.report(messages::submodel_inputs_not_given(c.model.instances[first.origin.instance].where,
                                                     c.submodel(first.origin.instance), names(inner),
                                                     first.origin.where));
    }
}

}  // namespace cutset
