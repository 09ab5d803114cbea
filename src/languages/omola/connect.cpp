// Connections: structured terminals are joined first with first, second with second, down to simple ones.
// Across values are equal; through values sum to zero, those of `in` terminals counted into the model. A
// terminal of the model itself is the same wire as the one inside that it is joined to.
#include <algorithm>
#include <cmath>

#include "flat/units.h"
#include "ir/object_build.h"
#include "languages/omola/messages.h"
#include "languages/omola/writer.h"

namespace cutset::omola {

using namespace object::build;
using object::ExpressionKind;
using object::Operator;

namespace {

std::string terminal_text(const object::Name& n) {
    std::string out;
    for (const object::NamePart& p : n.parts) {
        out += (out.empty() ? "" : ".") + p.name;
        for (const Expression& i : p.indices) out += "[" + std::to_string(static_cast<long>(i.number)) + "]";
    }
    return out;
}

const char* sign_word(Direction d) {
    return d == Direction::Across ? "across" : d == Direction::In ? "in" : "out";
}

std::string text_of(const Leaf& leaf, const char* attribute) {
    if (!leaf.object) return {};
    const Attribute* a = leaf.object->find(attribute);
    return a && a->value && !a->unknown ? unit_text(*a->value) : std::string();
}

Direction direction_of_leaf(const Leaf& leaf) {
    return leaf.object ? direction_of(*leaf.object) : Direction::Across;
}

bool has_value(const Leaf& leaf) {
    if (leaf.attribute) return static_cast<bool>(leaf.attribute->value);
    const Attribute* a = leaf.object ? leaf.object->find("value") : nullptr;
    return a && a->value && !a->unknown;
}

// Letters only: "mass flow", MassFlow and mass_flow are one quantity.
std::string quantity_key(const std::string& written) {
    std::string out;
    for (char c : lower_case(written))
        if (c >= 'a' && c <= 'z') out += c;
    return out;
}

}  // namespace

std::optional<std::vector<Writer::Endpoint>> Writer::endpoints(const Expression& e) {
    if (e.kind != ExpressionKind::Name) {
        diagnostics_.report(not_a_terminal(e.where, "this"));
        return std::nullopt;
    }
    bool ok = true;
    const object::Name name = resolve(e.name, ok);
    if (!ok) return std::nullopt;
    const Attribute* a = nullptr;
    const Object* inside = &all_;
    bool own = true;
    for (std::size_t i = 0; i < name.parts.size() && inside; ++i) {
        a = inside->find(name.parts[i].name);
        if (!a) break;
        if (a->object && a->object->kind == Kind::Model) {
            if (!own) break;
            own = false;
        }
        inside = a->object.get();
        if (name.parts[i].indices.size() != a->dimensions.size()) {
            diagnostics_.report(one_terminal(e.where, terminal_text(name)));
            return std::nullopt;
        }
    }
    if (!a || !a->object || !is_terminal(a->object->kind)) {
        diagnostics_.report(not_a_terminal(e.where, terminal_text(name)));
        return std::nullopt;
    }
    std::vector<Endpoint> out;
    for (Leaf& leaf : leaves_of(*a->object)) {
        Endpoint p;
        p.name = name;
        for (const std::string& part : leaf.path) p.name.parts.push_back({part, {}, e.where});
        p.leaf = std::move(leaf);
        p.own = own;
        p.top = name.parts[0].name;
        p.where = e.where;
        p.terminal = a;
        out.push_back(std::move(p));
    }
    return out;
}

void Writer::check(const Endpoint& a, const Endpoint& b, Span where) {
    const std::string p = terminal_text(a.name), q = terminal_text(b.name);
    const Direction da = direction_of_leaf(a.leaf), db = direction_of_leaf(b.leaf);
    const bool invariant_a = is_time_invariant(a.leaf), invariant_b = is_time_invariant(b.leaf);
    if (!invariant_a && !invariant_b && (da == Direction::Across) != (db == Direction::Across))
        diagnostics_.report(across_with_through(where, p, sign_word(da), q, sign_word(db), a.terminal->where,
                                                b.terminal->where));
    const std::string qa = text_of(a.leaf, "quantity"), qb = text_of(b.leaf, "quantity");
    if (!qa.empty() && !qb.empty() && quantity_key(qa) != quantity_key(qb))
        diagnostics_.report(quantities_differ(where, p, qa, q, qb, a.terminal->where, b.terminal->where));
    const std::string ua = text_of(a.leaf, "unit"), ub = text_of(b.leaf, "unit");
    const auto unit_a = parse_unit(ua), unit_b = parse_unit(ub);
    if (!ua.empty() && !ub.empty() && unit_a && unit_b && !same_quantity(*unit_a, *unit_b))
        diagnostics_.report(units_differ(where, p, ua, q, ub, a.terminal->where, b.terminal->where));
    if (a.leaf.length != b.leaf.length)
        diagnostics_.report(lengths_differ(where, p, a.leaf.length, q, b.leaf.length));
}

std::size_t Writer::index_of(const Endpoint& e) {
    const auto [at, is_new] = endpoint_of_.emplace(terminal_text(e.name), endpoints_.size());
    if (is_new) {
        endpoints_.push_back(e);
        sets_.add();
    }
    return at->second;
}

void Writer::join(const Endpoint& a, const Endpoint& b, Span where) {
    check(a, b, where);
    const std::size_t p = index_of(a), q = index_of(b);
    direct_.insert({std::min(p, q), std::max(p, q)});
    sets_.join(p, q);
}

void Writer::connect(const Definition& d) {
    const auto a = endpoints(*d.left), b = endpoints(*d.right);
    if (!a || !b) return;
    if (a->empty() || b->empty()) {
        diagnostics_.report(terminal_open(d.where, a->empty() ? "left" : "right"));
        return;
    }
    if (a->size() != b->size()) {
        const Attribute *p = a->front().terminal, *q = b->front().terminal;
        diagnostics_.report(
            structures_differ(d.where, p->name, a->size(), q->name, b->size(), p->where, q->where));
        return;
    }
    for (std::size_t i = 0; i < a->size(); ++i) join((*a)[i], (*b)[i], d.where);
}

// What terminals of one connection must have together although they are not joined directly: between them
// stand terminals that leave it open.
void Writer::check_set(const std::vector<std::size_t>& set) {
    std::optional<std::size_t> writes, with_quantity, with_unit;
    for (std::size_t i : set) {
        const Endpoint& e = endpoints_[i];
        if (text_of(e.leaf, "causality") == "write") {
            if (writes)
                diagnostics_.report(
                    both_write(e.where, terminal_text(endpoints_[*writes].name), terminal_text(e.name)));
            writes = i;
        }
        if (set.size() == 2) continue;  // compared where they are joined
        if (const std::string q = text_of(e.leaf, "quantity"); !q.empty()) {
            if (!with_quantity) with_quantity = i;
            const Endpoint& first = endpoints_[*with_quantity];
            const std::string its = text_of(first.leaf, "quantity");
            if (quantity_key(q) != quantity_key(its) && !joined_directly(*with_quantity, i))
                diagnostics_.report(quantities_differ(e.where, terminal_text(first.name), its,
                                                      terminal_text(e.name), q, first.terminal->where,
                                                      e.terminal->where));
        }
        const auto unit = parse_unit(text_of(e.leaf, "unit"));
        if (!unit || text_of(e.leaf, "unit").empty()) continue;
        if (!with_unit) with_unit = i;
        const Endpoint& first = endpoints_[*with_unit];
        const auto its = parse_unit(text_of(first.leaf, "unit"));
        if (its && !same_quantity(*its, *unit) && !joined_directly(*with_unit, i))
            diagnostics_.report(units_differ(e.where, terminal_text(first.name), text_of(first.leaf, "unit"),
                                             terminal_text(e.name), text_of(e.leaf, "unit"),
                                             first.terminal->where, e.terminal->where));
    }
}

bool Writer::joined_directly(std::size_t a, std::size_t b) const {
    return direct_.contains({std::min(a, b), std::max(a, b)});
}

Expression Writer::variable_of(std::size_t i, Span where) const {
    Expression e;
    e.kind = ExpressionKind::Name;
    e.name = endpoints_[i].name;
    e.where = e.name.where = where;
    return e;
}

// A terminal in the unit of `reference`; those that leave it open are in SI.
Expression Writer::converted(std::size_t i, std::size_t reference, Span where) const {
    const auto unit_text = [&](std::size_t k) { return text_of(endpoints_[k].leaf, "unit"); };
    const auto wanted = parse_unit(unit_text(reference));
    auto unit = unit_text(i).empty() ? wanted : parse_unit(unit_text(i));
    if (unit && unit_text(i).empty()) {
        unit->factor = 1;
        unit->offset = 0;
    }
    Expression e = variable_of(i, where);
    if (!unit || !wanted || !same_quantity(*unit, *wanted)) return e;
    const Conversion c = conversion(*unit, *wanted);
    if (!c.needed()) return e;
    if (c.factor != 1) e = operation(Operator::Multiply, real(c.factor, where), std::move(e));
    if (c.offset != 0 && direction_of_leaf(endpoints_[reference].leaf) == Direction::Across)
        e = operation(Operator::Add, std::move(e), real(c.offset, where));
    return e;
}

void Writer::write_set(const std::vector<std::size_t>& set) {
    if (set.size() < 2) return;
    check_set(set);
    const Endpoint& first = endpoints_[set[0]];
    const Span where = first.where;
    const auto found = std::find_if(
        set.begin(), set.end(), [&](std::size_t i) { return !text_of(endpoints_[i].leaf, "unit").empty(); });
    const std::size_t reference = found == set.end() ? set[0] : *found;
    if (std::all_of(set.begin(), set.end(),
                    [&](std::size_t i) { return is_time_invariant(endpoints_[i].leaf); }))
        return pass_value(set, reference, where);
    if (direction_of_leaf(first.leaf) == Direction::Across) {
        for (std::size_t i : set)
            if (i != reference)
                equations_.equations.push_back(
                    equation(variable_of(reference, where), converted(i, reference, where), where));
        return;
    }
    std::vector<Expression> in, out;
    for (std::size_t i : set) {
        const Endpoint& e = endpoints_[i];
        const bool enters = (direction_of_leaf(e.leaf) == Direction::In) != e.own;
        (enters ? in : out).push_back(converted(i, reference, where));
    }
    Expression left = in.empty() ? real(0, where) : balanced(Operator::Add, std::move(in));
    Expression right = out.empty() ? real(0, where) : balanced(Operator::Add, std::move(out));
    equations_.equations.push_back(equation(std::move(left), std::move(right), where));
}

// Of terminals that do not vary: the value goes to those that have none.
void Writer::pass_value(const std::vector<std::size_t>& set, std::size_t reference, Span where) {
    std::optional<std::size_t> source;
    for (std::size_t i : set) {
        if (!has_value(endpoints_[i].leaf) && !modified(endpoints_[i])) continue;
        if (source)
            compare_values(*source, i, reference, where);
        else
            source = i;
    }
    for (std::size_t i : set)
        if (!source && endpoints_[i].own) source = i;  // given where this model is used
    if (!source) {
        diagnostics_.report(no_value_along(where, terminal_text(endpoints_[set[0]].name)));
        return;
    }
    for (std::size_t i : set) {
        if (i == *source || has_value(endpoints_[i].leaf) || modified(endpoints_[i])) continue;
        std::vector<std::string> path;
        for (const object::NamePart& p : endpoints_[i].name.parts) path.push_back(p.name);
        if (!endpoints_[i].name.parts[0].indices.empty()) {
            diagnostics_.report(no_value_along(where, terminal_text(endpoints_[i].name)));
            continue;
        }
        modify(path, variable_of(*source, where), where);
    }
}

// Two values along one connection are the same: now where both are numbers, and when the model runs.
void Writer::compare_values(std::size_t a, std::size_t b, std::size_t reference, Span where) {
    const std::string name_a = terminal_text(endpoints_[a].name), name_b = terminal_text(endpoints_[b].name);
    const Leaf &p = endpoints_[a].leaf, &q = endpoints_[b].leaf;
    const Attribute *x = p.object ? p.object->find("value") : p.attribute,
                    *y = q.object ? q.object->find("value") : q.attribute;
    const auto n = x && x->value ? number(*x->value) : std::nullopt,
               m = y && y->value ? number(*y->value) : std::nullopt;
    if (n && m && *n != *m && text_of(p, "unit") == text_of(q, "unit"))
        diagnostics_.report(values_differ(where, name_a, *n, name_b, *m, x->value_where, y->value_where));
    Expression difference =
        operation(Operator::Subtract, converted(a, reference, where), converted(b, reference, where));
    Expression small = operation(
        Operator::LessEqual, call("abs", {std::move(difference)}, where),
        operation(Operator::Multiply, real(1e-9, where), call("abs", {variable_of(a, where)}, where)));
    equations_.equations.push_back(call_equation(
        call("assert",
             {std::move(small), string("values of " + name_a + " and " + name_b + " differ", where)}, where),
        where));
}

// Whether this model gives the terminal's value.
bool Writer::modified(const Endpoint& e) const {
    const auto at = modifications_.find(e.name.parts[0].name);
    if (at == modifications_.end()) return false;
    const object::Modification* m = &at->second;
    for (std::size_t i = 1; i < e.name.parts.size(); ++i) {
        const object::Modification* next = nullptr;
        for (const object::Argument& a : m->arguments)
            if (a.name.parts[0].name == e.name.parts[i].name) next = &*a.value;
        if (!next) return false;
        m = next;
    }
    return static_cast<bool>(m->value);
}

void Writer::write_sets() {
    std::map<std::size_t, std::vector<std::size_t>> sets;
    for (std::size_t i = 0; i < endpoints_.size(); ++i) sets[sets_.root(i)].push_back(i);
    for (const auto& [first, set] : sets) write_set(set);
}

}  // namespace cutset::omola
