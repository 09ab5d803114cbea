#include "instantiate/experiment.h"

#include <algorithm>
#include <cctype>
#include <charconv>

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

const char* declared_word(const Variable& v) {
    using Kind = VariableKind;
    switch (v.declared) {
        case Kind::Constant:
            return "a constant";
        case Kind::Parameter:
        case Kind::StructureParameter:
            return "a parameter";
        case Kind::Input:
            return "an input";
        case Kind::Discrete:
            return "a discrete variable";
        case Kind::Output:
            return "an output";
        case Kind::Terminal:
            return "a terminal";
        default:
            return "a variable";
    }
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
        c.report(messages::sizes_differ(value.where, "", what, shape_text(target.dimensions),
                                        shape_text(v.dimensions)));
        return {};
    }
    std::vector<Expr> values;
    for (std::size_t k = 0; k < target.count; ++k) values.push_back(number_of(c, v[v.is_scalar() ? 0 : k]));
    return values;
}

Expr table_over_time(Context& c, TableData table, const std::string& path) {
    if (table.name.empty()) table.name = path;
    const CalleeIndex callee = c.model.callees.add(std::move(table));
    const Expr time = c.pool.time();
    return c.pool.apply(callee, 0, std::span<const Expr>(&time, 1));
}

Known* find_known(Context& c, VariableIndex v) {
    for (Known& known : c.model.knowns)
        if (known.variable == v) return &known;
    return nullptr;
}

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
        const auto target = find_target(c, use.setting->path, "--set");
        if (!target || target->count == 0) continue;
        const Variable& v = c.model.variables[target->first];
        c.report(messages::set_not_parameter(use.setting->path, declared_word(v), v.origin.where,
                                             v.declared == VariableKind::Input,
                                             v.variability == Variability::Constant));
    }
}

void apply_initials(Context& c) {
    for (const Experiment::Setting& setting : c.experiment.initials) {
        // der(x): the initial value of a derivative, which is a state where x'' occurs
        const auto derivative = differentiated_path(setting.path);
        const auto target = find_target(c, derivative.value_or(setting.path), "--init");
        if (!target || target->count == 0) continue;
        const Variable& first = c.model.variables[target->first];
        if (first.variability <= Variability::Parameter) {
            c.report(messages::init_of_parameter(setting.path, declared_word(first)));
            continue;
        }
        const Value v = translate(c, setting.value, scope_for(c, *target));
        if (v.failed()) continue;
        if (!v.is_scalar() && !fits(v.dimensions, target->dimensions)) {
            c.report(messages::sizes_differ(setting.value.where, "", "initial value",
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
    for (const Experiment::Known& given : c.experiment.knowns) {
        const auto target = find_target(c, given.path, "--known");
        if (!target || target->count == 0) continue;
        const Variable& first = c.model.variables[target->first];
        if (first.variability != Variability::Continuous) {
            c.report(messages::known_not_variable(given.path, declared_word(first), first.origin.where,
                                                  first.variability == Variability::Parameter));
            continue;
        }
        if (find_known(c, target->first)) {
            c.report(messages::known_twice("--known", given.path));
            continue;
        }
        std::vector<Expr> values(target->count, nullptr);
        const tree::Expression* value = given.value ? &*given.value : nullptr;
        if (!value && !given.table)
            for (const SettingUse& use : c.setting_uses)
                if (split_path(use.setting->path) == split_path(given.path)) value = &use.setting->value;
        if (value) {
            values = values_for(c, *value, *target, "known");
            if (values.empty()) continue;
        } else if (given.table) {
            values.assign(target->count, table_over_time(c, *given.table, given.path));
        }
        for (std::size_t k = 0; k < target->count; ++k) {
            const VariableIndex v(target->first.value + k);
            c.marks[v.value] |= mark_given;
            c.model.knowns.push_back({v, values[k]});
        }
    }
    for (const std::string& path : c.experiment.unknowns) {
        const auto target = find_target(c, path, "--unknown");
        if (!target || target->count == 0) continue;
        for (std::size_t k = 0; k < target->count; ++k) {
            const VariableIndex v(target->first.value + k);
            const Variable& variable = c.model.variables[v];
            const bool parameter = variable.variability == Variability::Parameter;
            if (find_known(c, v)) {
                c.report(messages::known_and_unknown(path));
                break;
            }
            const bool shapes = v.value < c.shaping.size() && c.shaping[v.value];
            if (parameter && (shapes || variable.declared == VariableKind::StructureParameter)) {
                c.report(messages::unknown_shapes_model(path, variable.origin.where));
                break;
            }
            if (!parameter && (variable.variability != Variability::Continuous)) {
                c.report(messages::unknown_not_free(path, declared_word(variable), variable.origin.where));
                break;
            }
            const bool visible =
                variable.declared == VariableKind::Input || variable.declared == VariableKind::Terminal;
            const bool used_outside =
                (c.marks[v.value] & (mark_referenced | mark_joined)) && variable.origin.instance.value != 0;
            if (!parameter && (!visible || used_outside)) {
                c.report(messages::unknown_already(path, variable.origin.where));
                break;
            }
            c.marks[v.value] |= mark_given;  // neither a default nor an open end says anything about it
            c.model.freed.push_back(v);
        }
    }
}

void check_knowns(Context& c) {
    if (c.experiment.open) return;
    std::vector<std::string> missing;
    for (const Known& known : c.model.knowns)
        if (!known.value) missing.push_back(c.model.path(known.variable));
    if (!missing.empty()) c.report(messages::knowns_without_value(missing));
}

void add_input_equations(Context& c) {
    // An input that is a known: the value goes there.
    const auto as_known = [&](const Target& target, auto value) {
        bool known = false;
        for (std::size_t k = 0; k < target.count; ++k)
            if (Known* at = find_known(c, VariableIndex(target.first.value + k))) {
                if (at->value) {
                    c.report(messages::known_twice("--input", c.model.path(at->variable)));
                    return true;
                }
                at->value = value(k);
                known = true;
            }
        return known;
    };
    const auto prepare = [&](const std::string& path) -> std::optional<Target> {
        auto target = find_target(c, path, "--input");
        if (!target) return std::nullopt;
        for (std::size_t k = 0; k < target->count; ++k) {
            const VariableIndex v(target->first.value + k);
            if (find_known(c, v)) return target;
            if (std::find(c.model.freed.begin(), c.model.freed.end(), v) != c.model.freed.end()) {
                c.report(messages::known_and_unknown(path));
                return std::nullopt;
            }
            const Variable& variable = c.model.variables[v];
            const bool top = variable.origin.instance.value == 0;
            if (variable.declared != VariableKind::Input &&
                !(top && variable.declared == VariableKind::Terminal)) {
                c.report(messages::not_an_input(path, declared_word(variable), variable.origin.where,
                                                variable.variability <= Variability::Parameter));
                return std::nullopt;
            }
            if (!top && (c.marks[v.value] & (mark_referenced | mark_joined))) {
                c.report(messages::input_given_inside(path, variable.origin.where));
                return std::nullopt;
            }
            if (c.marks[v.value] & mark_given) {
                c.report(messages::input_given_twice(path));
                return std::nullopt;
            }
            c.marks[v.value] |= mark_given;
        }
        return target;
    };
    for (const Experiment::Setting& setting : c.experiment.inputs) {
        const auto target = prepare(setting.path);
        if (!target) continue;
        const std::vector<Expr> values = values_for(c, setting.value, *target, "input");
        if (values.empty() || as_known(*target, [&](std::size_t k) { return values[k]; })) continue;
        for (std::size_t k = 0; k < target->count; ++k) {
            const VariableIndex u(target->first.value + k);
            c.model.equations.add(
                {c.pool.variable(u), values[k], c.model.variables[u].origin, EquationKind::Input});
        }
    }
    for (const Experiment::InputFile& file : c.experiment.input_files) {
        const auto target = prepare(file.path);
        if (!target) continue;
        const Expr value = table_over_time(c, file.table, file.path);
        if (as_known(*target, [&](std::size_t) { return value; })) continue;
        for (std::size_t k = 0; k < target->count; ++k) {
            const VariableIndex u(target->first.value + k);
            c.model.equations.add(
                {c.pool.variable(u), value, c.model.variables[u].origin, EquationKind::Input});
        }
    }
}

void add_quantities(Context& c) {
    for (const Experiment::Quantity& quantity : c.experiment.quantities) {
        const Expr value = translate_number(c, quantity.value, Scope{.instance = InstanceIndex(0)});
        if (!value) {
            c.named_quantities.emplace(quantity.name, VariableIndex(0));  // reported once is enough
            continue;
        }
        Variable v;
        v.name = quantity.name;
        v.origin = {InstanceIndex(0), quantity.value.where};
        v.internal = true;
        const bool integral = quantity.kind == Experiment::Quantity::Kind::Integral;
        const bool input = quantity.kind == Experiment::Quantity::Kind::Input;
        if (integral) v.start = Start{c.pool.number(0), v.origin};
        if (input) v.declared = VariableKind::Input;
        const Origin origin = v.origin;
        const VariableIndex index = c.model.variables.add(std::move(v));
        c.named_quantities.emplace(quantity.name, index);
        c.model.equations.add({c.pool.variable(index, integral ? 1 : 0), number_of(c, value), origin,
                               input ? EquationKind::Input : EquationKind::Written});
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
        c.report(messages::inputs_not_given(c.model.variables[top[0]].origin.where, names(top)));
    if (!inner.empty()) {
        const Variable& first = c.model.variables[inner[0]];
        c.report(messages::submodel_inputs_not_given(c.model.instances[first.origin.instance].where,
                                                     c.submodel(first.origin.instance), names(inner),
                                                     first.origin.where));
    }
}

}  // namespace cutset
