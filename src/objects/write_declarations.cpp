#include "objects/write_declarations.h"

#include <algorithm>
#include <cmath>
#include <unordered_map>

#include "flat/shape_text.h"
#include "objects/equation_messages.h"
#include "objects/equation_writer.h"
#include "objects/functions.h"
#include "objects/model_algorithms.h"
#include "objects/rule_messages.h"
#include "objects/value_messages.h"
#include "objects/value_operators.h"

namespace cutset::objects {

namespace {

bool is_parameter(const DeclaredVariable& v) {
    return v.variability == object::Variability::Parameter || v.variability == object::Variability::Constant;
}

class DeclarationWriter {
  public:
    DeclarationWriter(Evaluator& e, Connector& connector) : e_(e), writer_(e, connector) {}

    void write(const Declarations& all) {
        // Which parameters are unknown and which variables discrete is asked from here on.
        for (const DeclaredVariable& v : all.variables) attempt(v, [&] { set_kind(v); });
        for (const DeclaredSections& s : all.sections)
            for_each_section(s, [&](const EquationPlace& place, Frame& frame,
                                    const object::EquationSection* q, const object::AlgorithmSection* a) {
                if (q && !q->initial) writer_.mark_discrete(q->equations, place, frame);
                if (a && !a->initial) mark_discrete(e_, a->statements, frame);
            });
        for (const DeclaredVariable& v : all.variables)
            if (is_parameter(v)) attempt(v, [&] { bind_parameter(v); });
        for (const DeclaredVariable& v : all.variables) {
            set_attributes(v);
            if (!is_parameter(v) && v.binding) attempt(v, [&] { bind_variable(v); });
        }
        for (const DeclaredSections& s : all.sections)
            for_each_section(s, [&](EquationPlace& place, Frame& frame, const object::EquationSection* q,
                                    const object::AlgorithmSection* a) {
                place.initial = q ? q->initial : a->initial;
                if (q) {
                    writer_.add(q->equations, place, frame);
                    return;
                }
                try {
                    add_algorithm(writer_, *a, place, frame);
                } catch (const Refused& r) {
                    e_.diagnostics().report(writer_.in_place(r.diagnostic, place));
                }
            });
    }

  private:
    template <class Visit>
    void for_each_section(const DeclaredSections& s, Visit visit) {
        for (const auto& [section, scope] : s.equations) {
            EquationPlace place{s.instance, s.path, false};
            Frame frame{*scope};
            visit(place, frame, section, nullptr);
        }
        for (const auto& [section, scope] : s.algorithms) {
            EquationPlace place{s.instance, s.path, false};
            Frame frame{*scope};
            visit(place, frame, nullptr, section);
        }
    }

    EquationPlace place_of(const DeclaredVariable& v) const {
        const auto dot = v.path.rfind('.');
        return {v.instance, dot == std::string::npos ? "" : v.path.substr(0, dot), false};
    }

    template <class Do>
    bool attempt(const DeclaredVariable& v, Do what) {
        try {
            what();
            return true;
        } catch (const Refused& r) {
            e_.diagnostics().report(writer_.in_place(r.diagnostic, place_of(v)));
            return false;
        }
    }

    Variable& variable(const DeclaredVariable& v, std::size_t k) {
        return e_.model().variables[VariableIndex(v.first.value + k)];
    }
    std::string name(const DeclaredVariable& v) const {
        const auto dot = v.path.rfind('.');
        return dot == std::string::npos ? v.path : v.path.substr(dot + 1);
    }

    // The value of an attribute for all elements; one for all where it is a scalar.
    std::optional<Value> attribute(const DeclaredVariable& v, Attribute a, Reading reading) {
        const Modifier* m = v.find(a);
        if (!m) return std::nullopt;
        std::optional<Value> value;
        const bool fits = attempt(v, [&] {
            value = modifier_value(e_, *m, reading);
            if (!value->is_scalar() && value->dimensions != v.dimensions)
                throw Refused{messages::wrong_size(m->value.expression->where, "this attribute",
                                                   shape_text(v.dimensions), shape_text(value->dimensions))};
            const Span where = m->value.expression->where;
            value = e_.converted(*value, attribute_type(a, v, *value), value->dimensions, where,
                                 std::string("the attribute ") + attribute_name(a));
            if (value->is_scalar() && !v.dimensions.empty() && !m->each && !m->from_user && !v.start_counts)
                e_.diagnostics().report(
                    writer_.in_place(messages::each_missing(where, attribute_name(a), name(v)), place_of(v)));
        });
        if (!fits || value->size() == 0) return std::nullopt;
        return value;
    }
    static const char* attribute_name(Attribute a) {
        static constexpr const char* names[] = {"start",    "fixed",       "min",  "max",
                                                "nominal",  "stateSelect", "unit", "displayUnit",
                                                "quantity", "unbounded"};
        return names[static_cast<std::size_t>(a)];
    }
    static Type attribute_type(Attribute a, const DeclaredVariable& v, const Value& given) {
        switch (a) {
            case Attribute::Fixed:
            case Attribute::Unbounded:
                return type_of(Basic::Boolean);
            case Attribute::Unit:
            case Attribute::DisplayUnit:
            case Attribute::Quantity:
                return type_of(Basic::String);
            case Attribute::StateSelect:
                return given.type.enumeration && given.type.enumeration->name == "StateSelect"
                           ? given.type
                           : type_of(Basic::Enumeration);
            case Attribute::Nominal:
                return type_of(Basic::Real);
            default:
                return v.type;
        }
    }
    static std::size_t at(const Value& value, std::size_t k) { return value.is_scalar() ? 0 : k; }

    std::vector<bool> fixed(const DeclaredVariable& v, bool otherwise) {
        const std::size_t n = count(v.dimensions);
        std::vector<bool> result(n, otherwise);
        if (const auto value = attribute(v, Attribute::Fixed, Reading::Constant);
            value && value->type.basic == Basic::Boolean)
            for (std::size_t k = 0; k < n; ++k) {
                const Expr e = value->expr(at(*value, k));
                if (e->op == Op::Truth) result[k] = e->index != 0;
            }
        return result;
    }

    void set_kind(const DeclaredVariable& v) {
        const std::size_t n = count(v.dimensions);
        if (is_parameter(v)) {
            if (!v.find(Attribute::Fixed)) return;
            const std::vector<bool> known = fixed(v, true);
            for (std::size_t k = 0; k < n; ++k)
                if (!known[k]) {
                    variable(v, k).free_parameter = true;
                    variable(v, k).variability = Variability::Discrete;
                }
            return;
        }
        for (std::size_t k = 0; k < n; ++k)
            variable(v, k).variability =
                v.variability == object::Variability::Discrete && v.type.basic == Basic::Real
                    ? Variability::Discrete
                    : Variability::Continuous;
    }

    // ---- values

    void bind_parameter(const DeclaredVariable& v) {
        const std::size_t n = count(v.dimensions);
        std::vector<Expr> values;
        if (v.binding) {
            const Value value = modifier_value(e_, *v.binding, Reading::Symbolic);
            flatten(e_, fitting(v, value, *v.binding), values);
        }
        for (std::size_t k = 0; k < n; ++k) {
            Variable& p = variable(v, k);
            const Origin origin{v.instance, v.binding ? v.binding->value.expression->where : v.where};
            if (p.free_parameter) {
                // A binding of a parameter that is not fixed holds at initialization.
                if (!values.empty())
                    e_.model().initial_equations.add({e_.pool().variable(VariableIndex(v.first.value + k)),
                                                      values[k], origin, EquationKind::Written});
                continue;
            }
            if (!values.empty()) {
                refuse_variables(v, values[k], origin.where);
                p.binding = values[k];
                given_at_[v.first.value + k] = v.binding->depth;
            } else if (const auto start = attribute(v, Attribute::Start, Reading::Symbolic)) {
                p.binding = e_.number_of(start->expr(at(*start, k)));
                if (k == 0)
                    e_.diagnostics().report(
                        writer_.in_place(messages::parameter_from_start(
                                             v.where, v.path, to_text(p.binding, e_.model().printer())),
                                         place_of(v)));
            } else {
                throw Refused{messages::parameter_without_value(v.where, v.path)};
            }
        }
    }

    // What a parameter is given may be another that is found by initialization; a variable it may not be.
    void refuse_variables(const DeclaredVariable& v, Expr e, Span where) {
        const auto varies = [&](Expr leaf) {
            if (leaf->op != Op::Variable && leaf->op != Op::Previous) return leaf->op == Op::Time;
            const Variable& x = e_.model().variables[leaf->variable()];
            return x.variability > Variability::Parameter && !x.free_parameter;
        };
        if (depends_on(e, varies)) throw Refused{messages::parameter_varies(where, v.path)};
    }

    Value fitting(const DeclaredVariable& v, const Value& value, const Modifier& m) {
        return e_.converted(value, v.type, v.dimensions, m.value.expression->where, "`" + v.path + "`");
    }

    void bind_variable(const DeclaredVariable& v) {
        const Modifier& m = *v.binding;
        const bool discrete_real =
            v.variability == object::Variability::Discrete && v.type.basic == Basic::Real;
        if (discrete_real && !v.start_counts)
            throw Refused{messages::discrete_by_declaration(m.value.expression->where, v.path)};
        const Value value = fitting(v, modifier_value(e_, m, Reading::Symbolic), m);
        if (count(v.dimensions) > 0 && variable(v, 0).top_input &&
            variable(v, 0).variability == Variability::Continuous) {
            std::vector<Expr> values;  // where the experiment gives no other
            flatten(e_, value, values);
            for (std::size_t k = 0; k < values.size(); ++k) variable(v, k).binding = values[k];
            return;
        }
        writer_.equate(e_.leaf(v.type, v.dimensions, v.first), value, place_of(v), m.value.expression->where);
    }

    // ---- attributes

    void set_attributes(const DeclaredVariable& v) {
        const std::size_t n = count(v.dimensions);
        if (n == 0) return;
        FlatModel& model = e_.model();
        Pool& pool = e_.pool();
        if (const auto unit = attribute(v, Attribute::Unit, Reading::Constant))
            for (std::size_t k = 0; k < n; ++k)
                if (unit->type.basic == Basic::String) variable(v, k).unit = unit->text(at(*unit, k));
        if (const auto quantity = attribute(v, Attribute::Quantity, Reading::Constant))
            for (std::size_t k = 0; k < n; ++k)
                if (quantity->type.basic == Basic::String)
                    variable(v, k).quantity = quantity->text(at(*quantity, k));
        set_number(v, Attribute::Minimum, &Variable::minimum);
        set_number(v, Attribute::Maximum, &Variable::maximum);
        if (v.type.basic == Basic::Real) {
            set_number(v, Attribute::Nominal, &Variable::nominal);
            if (const auto select = attribute(v, Attribute::StateSelect, Reading::Constant);
                select && select->type.basic == Basic::Enumeration)
                for (std::size_t k = 0; k < n; ++k)
                    variable(v, k).state_select = static_cast<StateSelect>(
                        std::clamp(static_cast<int>(select->expr(at(*select, k))->number) - 1, 0, 4));
        }
        if (is_parameter(v) && !variable(v, 0).free_parameter) return;
        const auto start = attribute(v, Attribute::Start, Reading::Symbolic);
        const Modifier* written = v.find(Attribute::Start);
        const std::vector<bool> hard = fixed(v, false);
        for (std::size_t k = 0; k < n; ++k) {
            Variable& x = variable(v, k);
            const bool discrete = x.variability == Variability::Discrete || x.type != ValueType::Real;
            const Origin origin{v.instance, written ? written->value.expression->where : v.where};
            Expr value = start ? e_.number_of(start->expr(at(*start, k)))
                               : pool.number(x.type == ValueType::Enumeration ? 1 : 0);
            const bool before = discrete && !x.free_parameter;  // its value before the first event
            if (before) x.binding = value;
            if (before ? hard[k] : start.has_value()) {
                Start s;
                s.value = value;
                s.origin = origin;
                s.only_guess = !before && !v.start_counts;
                s.depth = written ? depth_of_start(value, written->depth) : 0;
                s.from_user = written && written->from_user;
                s.by_default = written && written->of_type;
                x.start = std::move(s);
            }
            if (hard[k] && !discrete && !is_parameter(v))
                model.initial_equations.add(
                    {pool.variable(VariableIndex(v.first.value + k)), value, origin, EquationKind::Fixed});
        }
    }

    // How near to the top a start was given. One that parameters give was given where they were: x(start =
    // x0) in a submodel counts as much as the x0 that the model gives it.
    std::uint32_t depth_of_start(Expr value, std::uint32_t here) const {
        bool any = false, parameters = true;
        std::uint32_t deepest = 0;
        for_each_leaf(value, [&](Expr leaf) {
            any = true;
            const auto depth = leaf->op == Op::Variable ? depth_given(leaf->variable()) : std::nullopt;
            parameters = parameters && depth;
            deepest = std::max(deepest, depth.value_or(0));
        });
        return any && parameters ? std::min(deepest, here) : here;
    }
    // Of a value that passes on another parameter, r(R = R0), where that one was given.
    std::optional<std::uint32_t> depth_given(VariableIndex p) const {
        for (std::size_t steps = 0; steps < most_passed_on; ++steps) {
            const auto found = given_at_.find(p.value);
            if (found == given_at_.end()) return std::nullopt;
            const Expr value = e_.model().variables[p].binding;
            if (!value || value->op != Op::Variable || !given_at_.contains(value->index))
                return found->second;
            p = value->variable();
        }
        return std::nullopt;
    }

    void set_number(const DeclaredVariable& v, Attribute a, std::optional<double> Variable::*to) {
        const auto value = attribute(v, a, Reading::Symbolic);
        if (!value || !is_numeric(value->type)) return;
        for (std::size_t k = 0, n = count(v.dimensions); k < n; ++k) {
            const auto number = e_.value_of_parameters(value->expr(at(*value, k)), false);
            if (number && std::isfinite(*number) && std::abs(*number) < 1e59) variable(v, k).*to = number;
        }
    }

    static constexpr std::size_t most_passed_on = 100;  // parameters of which each is given the next one
    Evaluator& e_;
    EquationWriter writer_;
    std::unordered_map<std::uint32_t, std::uint32_t> given_at_;  // parameters, and how deep they were given
};

}  // namespace

Value modifier_value(Evaluator& e, const Modifier& m, Reading reading) {
    CUTSET_ASSERT(m.value.expression && m.value.scope);
    const bool part = !m.indices.empty() || !m.fields.empty();
    const auto whole = [&] {
        Frame frame{*m.value.scope};
        frame.reading = reading;
        return e.evaluate(*m.value.expression, frame);
    };
    if (!part) return whole();
    // Of one value for many elements each takes its part.
    auto& known = e.functions().modifiers;
    const auto key = std::tuple(m.value.expression, m.value.scope.get(), reading);
    auto found = known.find(key);
    if (found == known.end()) found = known.emplace(key, std::pair(whole(), m.value.scope)).first;
    Value v = found->second.first;
    const auto take = [&](const std::vector<std::uint32_t>& indices) {
        if (indices.empty()) return;
        if (&indices == &m.indices && v.dimensions.size() >= indices.size())
            for (std::size_t k = 0; k < m.sizes.size(); ++k)
                if (v.dimensions[k] != m.sizes[k])
                    throw Refused{messages::wrong_size(
                        m.value.expression->where, "a value for each component", shape_text(m.sizes),
                        shape_text({v.dimensions.begin(),
                                    v.dimensions.begin() + static_cast<std::ptrdiff_t>(m.sizes.size())}))};
        if (v.dimensions.size() < indices.size())
            throw Refused{messages::element_of_scalar(m.value.expression->where, shape_text(v.dimensions))};
        std::vector<IndexChoice> choices;
        for (std::size_t k = 0; k < indices.size(); ++k) {
            if (indices[k] > v.dimensions[k])
                throw Refused{messages::index_outside(m.value.expression->where, indices[k], v.dimensions[k],
                                                      "this value")};
            choices.push_back({{indices[k]}, nullptr, false});
        }
        v = select(e.pool(), v, choices);
    };
    take(m.indices);
    for (const auto& [name, indices] : m.fields) {
        if (v.type.basic != Basic::Record)
            throw Refused{messages::no_record(m.value.expression->where, "this value", type_text(v.type))};
        if (!v.type.record->find(name))
            throw Refused{messages::no_such_field(m.value.expression->where, name, type_text(v.type), "")};
        v = field(v, name);
        take(indices);
    }
    return v;
}

void write_declarations(Evaluator& e, const Declarations& declarations, Connector& connector) {
    DeclarationWriter(e, connector).write(declarations);
}

}  // namespace cutset::objects
