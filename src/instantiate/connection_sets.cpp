#include "instantiate/connection_sets.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <set>
#include <span>
#include <string>
#include <tuple>
#include <unordered_map>
#include <utility>
#include <vector>

#include "base/disjoint_sets.h"
#include "flat/flat_builder.h"
#include "flat/messages.h"
#include "flat/shape_text.h"
#include "instantiate/arrays.h"
#include "instantiate/expressions.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"
#include "instantiate/ports.h"

namespace cutset {

namespace {

using tree::Role;

const Unit* unit(Context& c, const std::string& text) {
    if (text.empty()) return nullptr;
    const auto [found, added] = c.units.try_emplace(text);
    if (added) found->second = parse_unit(text);
    return found->second ? &*found->second : nullptr;
}

bool is_parameter(const Context& c, const PortPart& p) {
    return p.kind == ElementKind::Variable &&
           c.model.variables[VariableIndex(p.first)].variability <= Variability::Parameter;
}

// The members of every set of at least two positions, or that a join touched: parts in the order they were
// made.
struct Sets {
    std::vector<std::uint32_t> first;  // by set: start in `members`; one more at the end
    std::vector<std::uint32_t> members;
};

// Leaves (variables, values, dots) of one role by set, in the order of their first member.
Sets collect_sets(Context& c, Role role) {
    std::vector<std::uint32_t> number(c.parts.size(), none);
    std::vector<std::uint32_t> counts, set_of(c.parts.size(), none);
    const auto is_leaf = [&](const PortPart& p) {
        return p.role == role && p.touched && p.kind != ElementKind::Group && p.kind != ElementKind::Open;
    };
    for (std::uint32_t p = 0; p < c.parts.size(); ++p) {
        if (!is_leaf(c.parts[p])) continue;
        const std::uint32_t r = c.part_sets.root(p);
        if (number[r] == none) {
            number[r] = static_cast<std::uint32_t>(counts.size());
            counts.push_back(0);
        }
        set_of[p] = number[r];
        ++counts[number[r]];
    }
    Sets sets;
    sets.first.assign(counts.size() + 1, 0);
    for (std::size_t k = 0; k < counts.size(); ++k) sets.first[k + 1] = sets.first[k] + counts[k];
    sets.members.resize(sets.first.back());
    std::vector<std::uint32_t> next(sets.first.begin(), sets.first.end() - 1);
    for (std::uint32_t p = 0; p < c.parts.size(); ++p)
        if (set_of[p] != none) sets.members[next[set_of[p]]++] = p;
    return sets;
}

Expr leaf_value(Context& c, const PortPart& p) {
    return p.kind == ElementKind::Value ? c.values[p.first].value : c.pool.variable(VariableIndex(p.first));
}

// What the position has: the variable, or minus the variable where the cut says so.
Expr position_value(Context& c, const PortPart& p) {
    const Expr value = leaf_value(c, p);
    return p.negative ? c.pool.negate(value) : value;
}

Origin join_origin(const Context& c, const PortPart& p) {
    if (p.join != none) return c.joins[p.join];
    return c.model.variables[VariableIndex(p.first)].origin;
}

// The value of `to` in the unit of `from`; reports units that do not measure the same.
Expr in_unit_of(Context& c, const PortPart& from, const PortPart& to, Expr value) {
    if (from.kind != ElementKind::Variable || to.kind != ElementKind::Variable) return value;
    const Variable& a = c.model.variables[VariableIndex(from.first)];
    const Variable& b = c.model.variables[VariableIndex(to.first)];
    if (a.unit == b.unit) {
        if (!a.quantity.empty() && !b.quantity.empty() && a.quantity != b.quantity) {
            const Origin origin = join_origin(c, to);
            c.report(messages::quantities_differ(origin.where, c.submodel(origin.instance),
                                                 c.model.path(VariableIndex(from.first)), a.quantity,
                                                 c.model.path(VariableIndex(to.first)), b.quantity,
                                                 a.origin.where, b.origin.where));
        }
        return value;
    }
    const Unit* ua = unit(c, a.unit);
    const Unit* ub = unit(c, b.unit);
    if (!ua || !ub) return value;
    if (!same_quantity(*ua, *ub)) {
        const Origin origin = join_origin(c, to);
        c.report(messages::units_differ(
            origin.where, c.submodel(origin.instance), c.model.path(VariableIndex(from.first)), a.unit,
            c.model.path(VariableIndex(to.first)), b.unit, a.origin.where, b.origin.where));
        return value;
    }
    const Conversion k = conversion(*ub, *ua);
    if (!k.needed()) return value;
    return c.pool.add(c.pool.multiply(c.pool.number(k.factor), value), c.pool.number(k.offset));
}

// A position without unit is taken as it stands, which means nothing where the others have different units.
void check_unitless(Context& c, std::span<const std::uint32_t> members) {
    const auto unit_of = [&](const PortPart& p) -> const std::string* {
        if (p.kind != ElementKind::Variable) return nullptr;
        const std::string& text = c.model.variables[VariableIndex(p.first)].unit;
        return text.empty() ? nullptr : &text;
    };
    const PortPart *first = nullptr, *other = nullptr, *without = nullptr;
    for (std::uint32_t m : members) {
        const PortPart& p = c.parts[m];
        if (p.kind == ElementKind::Dot) continue;
        const std::string* text = unit_of(p);
        if (!text) {
            if (!without) without = &p;
            continue;
        }
        if (!first) first = &p;
        const Unit *a = unit(c, *unit_of(*first)), *b = unit(c, *text);
        if (!other && a && b && same_quantity(*a, *b) && conversion(*a, *b).needed()) other = &p;
    }
    if (!without || !other) return;
    const auto name = [&](const PortPart& p) {
        return p.kind == ElementKind::Variable ? c.model.path(VariableIndex(p.first)) : "the temporary cut";
    };
    const Origin origin =
        without->kind == ElementKind::Variable ? join_origin(c, *without) : c.values[without->first].origin;
    c.report(messages::joined_without_unit(origin.where, c.submodel(origin.instance), name(*without),
                                           name(*first), *unit_of(*first), name(*other), *unit_of(*other)));
}

void add_across(Context& c) {
    FlatBuilder builder(c.model);
    const Sets sets = collect_sets(c, Role::Across);
    std::vector<std::uint32_t> distinct;
    for (std::size_t k = 0; k + 1 < sets.first.size(); ++k) {
        distinct.clear();
        bool parameter = false, any_parameter = false;
        for (std::uint32_t m = sets.first[k]; m < sets.first[k + 1]; ++m)
            any_parameter = any_parameter || is_parameter(c, c.parts[sets.members[m]]);
        for (std::uint32_t m = sets.first[k]; m < sets.first[k + 1]; ++m) {
            const PortPart& p = c.parts[sets.members[m]];
            if (p.kind == ElementKind::Dot) continue;
            if (p.kind == ElementKind::Value && any_parameter) continue;  // the parameters took it
            // Parameters of a set have one value; one of them speaks for all.
            if (is_parameter(c, p)) {
                if (parameter) continue;
                parameter = true;
            }
            distinct.push_back(sets.members[m]);
        }
        // One equation for each further variable; a variable may stand in several cuts of the set.
        const auto key = [&](std::uint32_t m) {
            const PortPart& p = c.parts[m];
            return std::tuple(p.kind == ElementKind::Variable, p.negative, p.first);
        };
        if (distinct.size() > 2) {
            std::set<std::tuple<bool, bool, std::uint32_t>> seen;
            std::erase_if(distinct, [&](std::uint32_t m) { return !seen.insert(key(m)).second; });
        } else if (distinct.size() == 2 && key(distinct[0]) == key(distinct[1])) {
            distinct.pop_back();
        }
        bool only_fixed = true;
        for (std::uint32_t m : distinct)
            if (!is_parameter(c, c.parts[m]) && c.parts[m].kind != ElementKind::Value) only_fixed = false;
        if (only_fixed) continue;
        if (distinct.size() > 2) check_unitless(c, distinct);
        for (std::size_t i = 1; i < distinct.size(); ++i) {
            const PortPart a = c.parts[distinct[i - 1]];
            const PortPart b = c.parts[distinct[i]];
            const Expr left = position_value(c, a);
            const Expr right = in_unit_of(c, a, b, position_value(c, b));
            builder.potentials(left, right, b.join != none ? c.joins[b.join] : join_origin(c, a));
        }
    }
}

void add_through(Context& c) {
    FlatBuilder builder(c.model);
    const Sets sets = collect_sets(c, Role::Through);
    std::vector<Expr> terms;
    for (std::size_t k = 0; k + 1 < sets.first.size(); ++k) {
        terms.clear();
        const std::span members(sets.members.begin() + sets.first[k],
                                sets.members.begin() + sets.first[k + 1]);
        if (members.size() > 2) check_unitless(c, members);
        bool dot = false;
        Origin origin;
        const PortPart* first = nullptr;
        for (std::uint32_t m = sets.first[k]; m < sets.first[k + 1] && !dot; ++m) {
            const PortPart& p = c.parts[sets.members[m]];
            dot = p.kind == ElementKind::Dot;
            if (dot) break;
            Expr value = position_value(c, p);
            if (first)
                value = in_unit_of(c, *first, p, value);
            else
                first = &p;
            terms.push_back(value);
            if (p.join != none) origin = c.joins[p.join];
        }
        if (dot || terms.empty()) continue;
        builder.flows(terms, origin);
    }
}

// A through variable of a cut that is not connected outside is zero, unless a default speaks of it or (which
// is found out later, settle_loose_ends) equations outside fix it or its across variable. Where the variable
// stands in a joined cut too (a pipe's flow), the open end decides: nothing flows out of it, unless a default
// for one of its across variables makes it an end at a given pressure, potential …
void add_unconnected(Context& c) {
    FlatBuilder builder(c.model);
    std::vector<bool> done(c.model.variables.size(), false);
    std::vector<bool> has_default(c.model.variables.size(), false);
    for (const DefaultSource& d : c.defaults)
        for (std::size_t k = 0; k < c.count(d.shape); ++k) has_default[d.first.value + k] = true;
    std::vector<bool> held(c.ports.size(), false);
    for (const PortPart& p : c.parts)
        if (p.kind == ElementKind::Variable && p.role == Role::Across && !p.inside && p.port != none &&
            has_default[p.first] && !(c.marks[p.first] & (mark_referenced | mark_joined | mark_given)))
            held[p.port] = true;
    for (const PortPart& p : c.parts) {
        if (p.kind != ElementKind::Variable || p.role != Role::Through || p.inside || p.touched) continue;
        if (p.port == none || done[p.first]) continue;
        const std::uint8_t marks = c.marks[p.first];
        if (marks & (mark_in_cut | mark_given)) continue;
        if (marks & mark_joined ? held[p.port] : has_default[p.first]) continue;
        const VariableIndex v(p.first);
        const Variable& variable = c.model.variables[v];
        if (variable.variability != Variability::Continuous) continue;
        done[p.first] = true;
        builder.no_flow(v, {variable.origin.instance, c.ports[p.port].where});
    }
}

// The cuts that nothing is joined to from outside, for the choice of boundary variables.
void list_open_ports(Context& c) {
    std::vector<std::uint32_t> number(c.ports.size(), none);
    for (const PortPart& p : c.parts) {
        if (p.kind != ElementKind::Variable || p.inside || p.touched || p.port == none) continue;
        const VariableIndex v(p.first);
        if (c.model.variables[v].variability != Variability::Continuous) continue;
        const Port& port = c.ports[p.port];
        std::uint32_t& at = number[p.port];
        if (at == none) {
            at = static_cast<std::uint32_t>(c.model.open_ports.size());
            c.model.open_ports.push_back({port.instance, port_name(c, p.port), port.where, {}, {}});
        }
        OpenPort& open = c.model.open_ports[at];
        (p.role == Role::Across ? open.across : open.through).push_back(v);
    }
}

void count_sets(Context& c) {
    std::vector<bool> seen(c.parts.size(), false);
    for (std::uint32_t n = 0; n < c.parts.size(); ++n) {
        const PortPart& p = c.parts[n];
        if (p.kind != ElementKind::Group || !p.touched) continue;
        const std::uint32_t r = c.part_sets.root(n);
        if (seen[r] || c.parts[r].size < 2) continue;
        bool leaves = false;
        for (std::uint32_t k = 0; k < p.count && !leaves; ++k) {
            const ElementKind kind = c.parts[c.children[p.first + k]].kind;
            leaves = kind != ElementKind::Group && kind != ElementKind::Open;
        }
        if (!leaves) continue;
        seen[r] = true;
        ++c.model.connection_sets;
    }
}

}  // namespace

void join_cuts(Context& c, std::uint32_t a, std::uint32_t b, Origin where) {
    const auto join = static_cast<std::uint32_t>(c.joins.size());
    c.joins.push_back(where);
    std::vector<std::pair<std::uint32_t, std::uint32_t>> pending = {{a, b}};
    const auto mismatch = [&](const std::string& why) {
        const auto declared = [&](std::uint32_t part) {
            const std::uint32_t port = c.parts[part].port;
            return port == none ? Span{} : c.ports[port].where;
        };
        c.report(messages::cuts_differ(where.where, c.submodel(where.instance), why, part_text(c, a),
                                       part_text(c, b), declared(a), declared(b)));
    };
    const auto words = [](Role r) { return r == Role::Across ? "across" : "through"; };
    while (!pending.empty()) {
        const auto [x, y] = pending.back();
        pending.pop_back();
        for (std::uint32_t p : {x, y}) {
            c.parts[p].touched = true;
            if (c.parts[p].join == none) c.parts[p].join = join;
        }
        std::uint32_t rx = c.part_sets.root(x), ry = c.part_sets.root(y);
        if (rx == ry) continue;
        const std::uint32_t sx = c.parts[rx].structure, sy = c.parts[ry].structure;
        if (sx != none && sy != none) {
            const PortPart& p = c.parts[sx];
            const PortPart& q = c.parts[sy];
            const bool gp = p.kind == ElementKind::Group, gq = q.kind == ElementKind::Group;
            if (gp != gq)
                return mismatch("one has a group of variables where the other has a single variable");
            if (gp && p.count != q.count)
                return mismatch(fmt::format("one has {} element{}, the other {}", p.count,
                                            p.count == 1 ? "" : "s", q.count));
            if (!gp && p.role != q.role)
                return mismatch(fmt::format("at one position one has an {} variable, the other a {} variable",
                                            p.role == Role::Across ? words(p.role) : words(q.role),
                                            p.role == Role::Across ? words(q.role) : words(p.role)));
            if (gp)
                for (std::uint32_t k = p.count; k-- > 0;)
                    pending.push_back({c.children[p.first + k], c.children[q.first + k]});
        }
        if (c.parts[rx].size < c.parts[ry].size) std::swap(rx, ry);
        c.part_sets.join(rx, ry);
        c.parts[rx].size += c.parts[ry].size;
        c.parts[rx].structure = sx != none ? sx : sy;
        c.parts[rx].touched = true;
    }
}

void finish_joins(Context& c) {
    // A cut joined only to open ones that nothing gives structure: its parts were never met. A submodel's cut
    // is then unconnected (such a join leads nowhere); a model's own cut lets nothing through.
    std::vector<std::uint32_t> pending;
    for (std::uint32_t n = 0; n < c.parts.size(); ++n)
        if (c.parts[n].kind == ElementKind::Group && c.parts[n].touched) pending.push_back(n);
    while (!pending.empty()) {
        const std::uint32_t n = pending.back();
        pending.pop_back();
        for (std::uint32_t k = 0; k < c.parts[n].count; ++k) {
            const std::uint32_t child = c.children[c.parts[n].first + k];
            PortPart& p = c.parts[child];
            const bool group = p.kind == ElementKind::Group;
            if (p.touched || !(group || p.inside)) continue;
            p.touched = true;
            if (p.join == none) p.join = c.parts[n].join;
            if (group) pending.push_back(child);
        }
    }
    for (const PortPart& p : c.parts)
        if (p.kind == ElementKind::Variable && p.touched && !p.inside) c.marks[p.first] |= mark_joined;
    count_sets(c);
}

namespace {

// Parameters that joins make equal have one value. Given values win over defaults; among defaults any will
// do, all must agree. The rest refer to the one chosen.
class JoinedParameters {
  public:
    explicit JoinedParameters(Context& c) : c_(c) {}

    void run() {
        find_classes();
        for (const auto& [root, joined] : classes_) choose_value(joined);
        compare_values();
    }

  private:
    // A parameter may stand in several sets: one class for all of them.
    struct Class {
        std::vector<std::uint32_t> parameters;  // variables
        std::vector<std::uint32_t> values;      // parts: values written in temporary cuts
    };
    struct Pair {
        std::uint32_t chosen, other;
    };

    const PortPart& part(std::uint32_t v) const { return c_.parts[part_of_.at(v)]; }
    Variable& variable(std::uint32_t v) { return c_.model.variables[VariableIndex(v)]; }
    std::string path(std::uint32_t v) const { return c_.model.path(VariableIndex(v)); }

    void find_classes() {
        for (std::uint32_t n = 0; n < c_.parts.size(); ++n)
            if (c_.parts[n].kind == ElementKind::Variable && c_.parts[n].touched)
                part_of_.try_emplace(c_.parts[n].first, n);
        const Sets sets = collect_sets(c_, Role::Across);
        DisjointSets same(c_.model.variables.size());
        std::set<std::uint32_t> joined;
        std::vector<std::pair<std::uint32_t, std::uint32_t>> values;  // parameter, part of the value
        for (std::size_t k = 0; k + 1 < sets.first.size(); ++k) {
            std::vector<std::uint32_t> parameters, constants;
            for (std::uint32_t m = sets.first[k]; m < sets.first[k + 1]; ++m) {
                const PortPart& p = c_.parts[sets.members[m]];
                if (p.kind == ElementKind::Value) constants.push_back(sets.members[m]);
                if (!is_parameter(c_, p)) continue;
                parameters.push_back(p.first);
                if (p.negative != part(p.first).negative) report_both_signs(p);
            }
            if (parameters.empty() || parameters.size() + constants.size() < 2) continue;
            joined.insert(parameters.begin(), parameters.end());
            for (std::uint32_t v : parameters) same.join_to_least(parameters[0], v);
            for (std::uint32_t value : constants) values.push_back({parameters[0], value});
        }
        for (std::uint32_t v : joined) classes_[same.root(v)].parameters.push_back(v);
        for (const auto& [v, value] : values) classes_[same.root(v)].values.push_back(value);
    }

    // One binding cannot give a parameter both signs.
    void report_both_signs(const PortPart& p) {
        const Origin origin = join_origin(c_, p);
        c_.report(
            messages::parameter_with_both_signs(origin.where, c_.submodel(origin.instance), path(p.first)));
    }

    Source source(std::uint32_t v) {
        if (variable(v).variability == Variability::Constant) return Source::Argument;
        if (c_.element_settings.count(VariableIndex(v))) return Source::Setting;
        return c_.bindings[c_.binding_of[v]].source;
    }

    void choose_value(const Class& joined) {
        std::vector<std::uint32_t> given, defaulted;
        for (std::uint32_t v : joined.parameters) {
            const Source s = source(v);
            if (s == Source::Argument || s == Source::Setting) given.push_back(v);
            if (s == Source::Default) defaulted.push_back(v);
        }
        if (given.empty() && !joined.values.empty()) {
            // A value written in a temporary cut: the first parameter takes it.
            const std::uint32_t v = joined.parameters[0];
            const Expr value = c_.values[c_.parts[joined.values[0]].first].value;
            bind(v, part(v).negative ? c_.pool.negate(value) : value);
            given.push_back(v);
        }
        const std::vector<std::uint32_t>& sources = given.empty() ? defaulted : given;
        if (sources.empty()) return;
        const std::uint32_t chosen = sources[0];
        for (std::uint32_t v : joined.parameters) {
            if (v == chosen) continue;
            if (std::find(sources.begin(), sources.end(), v) != sources.end())
                compared_.push_back({chosen, v});
            else
                refer(v, chosen);
        }
        for (std::uint32_t value : joined.values) compare_with_written(chosen, value);
    }

    void bind(std::uint32_t v, Expr value) {
        variable(v).binding = value;
        ParameterBinding b;
        b.first = VariableIndex(v);
        b.source = Source::Join;
        b.translated = true;
        c_.binding_of[v] = static_cast<std::uint32_t>(c_.bindings.size());
        c_.bindings.push_back(b);
    }

    void refer(std::uint32_t v, std::uint32_t chosen) {
        const PortPart &to = part(v), &from = part(chosen);
        const bool known = c_.progress[v] == Progress::Done;
        const double before = variable(v).value;
        const Expr joined = in_unit_of(c_, to, from, position_value(c_, from));
        bind(v, to.negative ? c_.pool.negate(joined) : joined);
        c_.progress[v] = Progress::New;
        if (!known) return;
        // It has shaped the model already.
        const auto now = parameter_value(c_, VariableIndex(v));
        c_.model.compared.push_back(VariableIndex(v));
        if (!now || *now == before) return;
        const Origin origin = join_origin(c_, to);
        c_.report(messages::structural_join(origin.where, c_.submodel(origin.instance), path(v), before,
                                            path(chosen), *now));
    }

    void compare_with_written(std::uint32_t chosen, std::uint32_t written) {
        const JoinValue& value = c_.values[c_.parts[written].first];
        const auto a = parameter_value(c_, VariableIndex(chosen));
        c_.model.compared.push_back(VariableIndex(chosen));
        if (!a || !value.value->is_number() || value.value->number == (part(chosen).negative ? -*a : *a))
            return;
        c_.report(messages::joined_parameters_differ(
            value.origin.where, c_.submodel(value.origin.instance), path(chosen), *a, "the temporary cut",
            value.value->number, variable(chosen).origin.where, value.origin.where));
    }

    void compare_values() {
        for (const Pair& p : compared_) {
            const auto a = parameter_value(c_, VariableIndex(p.chosen));
            const auto b = parameter_value(c_, VariableIndex(p.other));
            for (std::uint32_t v : {p.chosen, p.other}) c_.model.compared.push_back(VariableIndex(v));
            if (!a || !b) continue;
            const PortPart &from = part(p.chosen), &to = part(p.other);
            const Expr expected = in_unit_of(c_, to, from, c_.pool.number(from.negative ? -*a : *a));
            const double wanted = (to.negative ? -1 : 1) * (expected->is_number() ? expected->number : *a);
            if (std::abs(wanted - *b) <= 1e-12 * std::max(std::abs(wanted), std::abs(*b))) continue;
            const Origin origin = join_origin(c_, to);
            c_.report(messages::joined_parameters_differ(
                origin.where, c_.submodel(origin.instance), path(p.chosen), *a, path(p.other), *b,
                variable(p.chosen).origin.where, variable(p.other).origin.where));
        }
    }

    Context& c_;
    std::unordered_map<std::uint32_t, std::uint32_t> part_of_;  // by variable: the first part that it is
    std::map<std::uint32_t, Class> classes_;                    // by the least parameter
    std::vector<Pair> compared_;  // whose values must agree, looked at when all are known
};

}  // namespace

void propagate_parameters(Context& c) {
    JoinedParameters(c).run();
}

void add_connection_equations(Context& c) {
    add_across(c);
    add_through(c);
    add_unconnected(c);
    list_open_ports(c);
}

void add_default_equations(Context& c) {
    for (const DefaultSource& d : c.defaults) {
        const Scope scope{.instance = d.scope, .loops = d.loops};
        bool wanted = false;
        // Whether what an equation outside says of it leaves room is found out later: settle_loose_ends.
        constexpr std::uint8_t otherwise = mark_in_cut | mark_joined | mark_given | mark_defaulted;
        for (std::size_t k = 0; k < c.count(d.shape); ++k)
            wanted |= !(c.marks[d.first.value + k] & otherwise);
        if (!wanted) continue;
        const Value v = translate(c, *d.value, scope);
        if (v.failed()) continue;
        if (!v.is_scalar() && !fits(v.dimensions, c.shapes[d.shape])) {
            c.report(flat_messages::sizes_differ(d.value->where, c.submodel(d.scope), "default",
                                                 shape_text(c.shapes[d.shape]), shape_text(v.dimensions)));
            continue;
        }
        for (std::size_t k = 0; k < c.count(d.shape); ++k) {
            const VariableIndex x(d.first.value + k);
            std::uint8_t& marks = c.marks[x.value];
            if (marks & otherwise) continue;
            marks |= mark_defaulted;
            c.model.equations.add({c.pool.variable(x),
                                   number_of(c, v[v.is_scalar() ? 0 : k]),
                                   {c.model.variables[x].origin.instance, d.where},
                                   EquationKind::Default});
        }
    }
}

}  // namespace cutset
