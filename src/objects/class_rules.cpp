#include "objects/class_rules.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "ir/object_names.h"
#include "ir/object_text.h"
#include "objects/instance_messages.h"
#include "objects/rule_messages.h"

namespace cutset::objects {

using object::ClassKind;

namespace {

bool is_record(ClassKind k) {
    return k == ClassKind::Record || k == ClassKind::OperatorRecord;
}
bool is_connector(ClassKind k) {
    return k == ClassKind::Connector || k == ClassKind::ExpandableConnector;
}
bool is_function(ClassKind k) {
    return k == ClassKind::Function || k == ClassKind::OperatorFunction;
}
bool is_model_or_block(ClassKind k) {
    return k == ClassKind::Model || k == ClassKind::Block;
}
bool has_behaviour(ClassKind k) {
    return is_model_or_block(k) || k == ClassKind::Class;
}

const char* what_stands_in(ClassKind k) {
    if (is_record(k)) return "public variables, without input, output, flow or stream";
    if (is_connector(k)) return "public variables";
    if (k == ClassKind::Package) return "classes and constants";
    if (k == ClassKind::Operator) return "functions";
    if (is_function(k)) return "inputs, outputs, protected variables and one algorithm";
    return "no equations";
}

// ---- the text of one class

class TextRules {
  public:
    TextRules(const object::Class& text, Diagnostics& diagnostics)
        : text_(text), kind_(text.kind), diagnostics_(diagnostics) {}

    void check() {
        name(text_.name, text_.where);
        if (const auto* e = std::get_if<object::EnumerationDefinition>(&text_.definition)) literals(*e);
        if (const auto* s = std::get_if<object::ShortDefinition>(&text_.definition))
            if (s->modification) modification(*s->modification);
        const auto* body = std::get_if<object::LongDefinition>(&text_.definition);
        if (!body) return;
        for (const object::Element& e : body->elements) std::visit([&](const auto& x) { element(x); }, e);
        streams(*body);
        names(*body);
    }

  private:
    void report(Diagnostic d) { diagnostics_.report(std::move(d)); }
    void refuse(Span where, std::string_view what) {
        report(messages::not_in_this_class(where, what, object::kind_text(kind_), what_stands_in(kind_)));
    }

    void name(const std::string& name, Span where) {
        if (name == "Real" || name == "Integer" || name == "Boolean" || name == "String")
            report(messages::reserved_name(where, name));
    }

    void literals(const object::EnumerationDefinition& e) {
        std::unordered_map<std::string_view, Span> seen;
        for (const object::EnumerationLiteral& l : e.literals) {
            const auto [first, is_new] = seen.try_emplace(l.name, l.where);
            if (!is_new) report(messages::literal_twice(l.where, l.name, first->second));
            for (const std::string_view attribute : {"quantity", "min", "max", "start", "fixed"})
                if (l.name == attribute) report(messages::literal_is_attribute(l.where, l.name));
        }
    }

    void modification(const object::Modification& m) {
        std::vector<std::pair<std::string, Span>> seen;
        for (const object::Argument& a : m.arguments) {
            if (a.value) modification(*a.value);
            if (a.remove) continue;
            const std::string name = object::object_text(a.name);
            for (const auto& [other, first] : seen)
                if (other == name) report(messages::modified_twice(a.where, name, first));
            seen.emplace_back(name, a.where);
        }
    }

    void element(const object::Import& i) {
        if (i.all || i.package.parts.empty()) return;
        const auto add = [&](const std::string& name) {
            const auto [first, is_new] = imported_.try_emplace(name, i.where);
            if (!is_new) report(messages::imported_twice(i.where, name, first->second));
        };
        if (i.names.empty())
            add(i.as.empty() ? i.package.parts.back().name : i.as);
        else
            for (const std::string& name : i.names) add(name);
    }
    void element(const object::Extends& e) {
        if (e.modification) modification(*e.modification);
        if (kind_ == ClassKind::OperatorRecord) refuse(e.where, "`extends`");
    }
    void element(const object::NestedClass& n) {
        const ClassKind k = n.declared->kind;
        if (kind_ == ClassKind::Operator && !is_function(k))
            refuse(n.declared->where, std::string("a ") + object::kind_text(k));
    }
    void element(const object::Component& c) {
        name(c.name, c.where);
        if (c.modification) modification(*c.modification);
        if (c.element.outer && !c.element.inner && c.modification)
            report(messages::modified_outer(c.where, c.name));
        if (kind_ == ClassKind::Operator) return refuse(c.where, "a component");
        if (kind_ == ClassKind::Package && c.prefixes.variability != object::Variability::Constant)
            return refuse(c.where, "a component that is no constant");
        if ((is_record(kind_) || is_connector(kind_)) && c.element.is_protected)
            refuse(c.where, "a protected variable");
        if ((is_record(kind_) || is_connector(kind_) || is_function(kind_)) &&
            (c.element.inner || c.element.outer))
            refuse(c.where, "an inner or outer component");
        if (is_record(kind_) &&
            (c.prefixes.flow != object::Flow::None || c.prefixes.causality != object::Causality::None))
            refuse(c.where, "a variable with input, output, flow or stream");
        if (kind_ == ClassKind::ExpandableConnector && c.prefixes.flow == object::Flow::Flow)
            refuse(c.where, "a flow variable");
        if (is_function(kind_) && !c.element.is_protected &&
            c.prefixes.causality == object::Causality::None &&
            c.prefixes.variability != object::Variability::Constant)
            refuse(c.where, "a public variable that is neither input nor output");
        if (c.prefixes.flow == object::Flow::Stream && !is_connector(kind_))
            refuse(c.where, "a stream variable");
    }
    void element(const object::EquationSection& s) {
        if (has_behaviour(kind_) || s.equations.empty()) return;
        refuse(s.equations[0].where, "an equation");
    }
    void element(const object::AlgorithmSection& s) {
        if (s.statements.empty()) return;
        const Span where = s.statements[0].where;
        if (is_function(kind_)) {
            if (s.initial) refuse(where, "an initial algorithm");
            if (!s.initial && ++algorithms_ == 2) refuse(where, "a second algorithm");
        } else if (!has_behaviour(kind_)) {
            refuse(where, "an algorithm");
        }
        statements(s.statements, false);
    }

    void statements(const std::vector<object::Statement>& list, bool in_loop) {
        for (const object::Statement& s : list) {
            if (std::holds_alternative<object::BreakStatement>(s.what) && !in_loop)
                report(messages::break_outside_loop(s.where));
            if (std::holds_alternative<object::ReturnStatement>(s.what) && !is_function(kind_))
                report(messages::return_outside_function(s.where));
            if (const auto* f = std::get_if<object::ForStatement>(&s.what)) statements(f->body, true);
            if (const auto* w = std::get_if<object::WhileStatement>(&s.what)) statements(w->body, true);
            if (const auto* i = std::get_if<object::IfStatement>(&s.what))
                for (const object::StatementBranch& b : i->branches) statements(b.body, in_loop);
            if (const auto* w = std::get_if<object::WhenStatement>(&s.what))
                for (const object::StatementBranch& b : w->branches) statements(b.body, in_loop);
        }
    }

    // Components with a condition are joined or not; what is said of them otherwise would be about nothing
    // when they are not there (MLS 4.4.5). Functions and records know no time.
    void names(const object::LongDefinition& body) {
        std::unordered_map<std::string_view, Span> conditional;
        bool own_time = false;
        for (const object::Element& e : body.elements)
            if (const auto* c = std::get_if<object::Component>(&e)) {
                if (c->condition) conditional.emplace(c->name, c->where);
                own_time = own_time || c->name == "time";
            }
        const bool no_time = !has_behaviour(kind_) && !own_time;
        object::visit_names(body, [&](const object::Name& n) {
            if (n.parts.empty()) return;
            const auto found = conditional.find(n.parts[0].name);
            if (found != conditional.end())
                report(messages::conditional_used(n.where, n.parts[0].name, found->second));
            if (no_time && n.parts.size() == 1 && n.parts[0].name == "time") refuse(n.where, "`time`");
        });
    }

    // What is inherited may add flows: then it is not told from the text.
    void streams(const object::LongDefinition& body) {
        if (!is_connector(kind_)) return;
        std::size_t streams = 0, flows = 0;
        for (const object::Element& e : body.elements) {
            if (std::holds_alternative<object::Extends>(e)) return;
            const auto* c = std::get_if<object::Component>(&e);
            streams += c && c->prefixes.flow == object::Flow::Stream;
            flows += c && c->prefixes.flow == object::Flow::Flow;
        }
        if (streams > 0 && flows != 1) report(messages::stream_needs_flow(text_.where, text_.name, flows));
    }

    const object::Class& text_;
    ClassKind kind_;
    Diagnostics& diagnostics_;
    int algorithms_ = 0;
    std::unordered_map<std::string, Span> imported_;
};

// ---- kinds

bool may_inherit(ClassKind heir, ClassKind base) {
    if (heir == base || heir == ClassKind::Class || base == ClassKind::Class) return true;
    switch (heir) {
        case ClassKind::OperatorFunction:
            return base == ClassKind::Function;
        case ClassKind::Function:
            return base == ClassKind::OperatorFunction;
        case ClassKind::Record:
            return base == ClassKind::OperatorRecord;
        case ClassKind::OperatorRecord:
            return base == ClassKind::Record;
        case ClassKind::Connector:
            return base == ClassKind::Type || is_record(base);
        case ClassKind::ExpandableConnector:
            return is_record(base);
        case ClassKind::Block:
            return is_record(base);
        case ClassKind::Model:
            return base == ClassKind::Block || is_record(base);
        case ClassKind::Type:
            return is_record(base) || is_connector(base);
        default:
            return false;
    }
}

const char* flow_word(object::Flow f) {
    return f == object::Flow::Stream ? "stream" : "flow";
}

}  // namespace

void check_class_text(const object::Class& text, Diagnostics& diagnostics) {
    if (text.language == object::Language::Modelica && text.where.known())
        TextRules(text, diagnostics).check();
}

void check_base_kind(const ClassInstance& heir, const ClassInstance& base, Span where,
                     Diagnostics& diagnostics) {
    if (!is_modelica(heir) || !is_modelica(base)) return;
    const ClassKind h = heir.text->kind, b = base.text->kind;
    if (base.builtin == Builtin::ExternalObject || may_inherit(h, b)) return;
    diagnostics.report(messages::wrong_base_kind(where, object::kind_text(h), object::kind_text(b), base.path,
                                                 base.text->where));
}

void check_simple_type(const ClassInstance& type, Diagnostics& diagnostics) {
    if (!is_modelica(type) || type.builtin == Builtin::ExternalObject || type.builtin == Builtin::Enumeration)
        return;
    const bool prefixed =
        type.prefixes.flow != object::Flow::None || type.prefixes.causality != object::Causality::None;
    if (!type.is_builtin() && type.dimensions.empty() && !prefixed) return;
    if (!std::holds_alternative<object::LongDefinition>(type.text->definition)) return;
    const bool has_components =
        std::any_of(type.elements.begin(), type.elements.end(),
                    [&](const Element& e) { return e.component && e.origin == &type; });
    if (has_components || type.bases.size() > 1)
        diagnostics.report(messages::simple_type_with_elements(type.text->where, type.path));
}

void check_component(const ClassInstance& in, const object::Component& component, const ClassInstance& type,
                     Diagnostics& diagnostics) {
    if (!is_modelica(in) || !type.text) return;
    const ClassKind kind = type.is_builtin() ? ClassKind::Type : type.text->kind;
    const object::TypePrefixes& p = component.prefixes;
    if (is_model_or_block(kind)) {
        if (is_function(in.text->kind) || is_record(in.text->kind) || is_connector(in.text->kind))
            diagnostics.report(messages::not_in_this_class(
                component.where, std::string("a component that is a ") + object::kind_text(kind),
                object::kind_text(in.text->kind), what_stands_in(in.text->kind)));
        const char* prefix = p.flow != object::Flow::None                      ? flow_word(p.flow)
                             : p.variability == object::Variability::Constant  ? "constant"
                             : p.variability == object::Variability::Parameter ? "parameter"
                             : p.variability == object::Variability::Discrete  ? "discrete"
                             : p.causality == object::Causality::Input         ? "input"
                             : p.causality == object::Causality::Output        ? "output"
                                                                               : nullptr;
        if (prefix)
            diagnostics.report(
                messages::prefix_not_for_kind(component.where, prefix, object::kind_text(kind)));
    }
    if (is_connector(kind) && p.variability >= object::Variability::Parameter)
        diagnostics.report(messages::prefix_not_for_kind(
            component.where, p.variability == object::Variability::Constant ? "constant" : "parameter",
            object::kind_text(kind)));
    if (p.flow != object::Flow::None && type.prefixes.flow != object::Flow::None)
        diagnostics.report(messages::prefix_given_twice(component.where, flow_word(p.flow), type.path));
    if (p.causality != object::Causality::None && type.prefixes.causality != object::Causality::None)
        diagnostics.report(messages::prefix_given_twice(
            component.where, p.causality == object::Causality::Input ? "input" : "output", type.path));
    if (p.flow != object::Flow::None && type.is_builtin() && type.builtin != Builtin::Real)
        diagnostics.report(messages::flow_is_real(component.where, flow_word(p.flow)));
}

namespace {

bool same_modification(const Box<object::Modification>& a, const Box<object::Modification>& b) {
    return bool(a) == bool(b) && (!a || object::object_text(*a) == object::object_text(*b));
}

// Of two inherited ones the modifications may differ, as in the standard library: the first counts.
bool same_declaration(const object::Component& a, const object::Component& b, bool own) {
    return object::object_text(a.type) == object::object_text(b.type) &&
           a.dimensions.size() == b.dimensions.size() &&
           (!own || same_modification(a.modification, b.modification));
}

}  // namespace

void check_inherited_twice(const object::Class& in, const Element& first, const Element& second,
                           Diagnostics& diagnostics) {
    if (in.language != object::Language::Modelica || bool(first.component) != bool(second.component)) return;
    const bool same = first.component
                          ? first.component == second.component ||
                                same_declaration(*first.component, *second.component,
                                                 first.origin && first.origin->text == &in)
                          : !first.declared || !second.declared || first.declared == second.declared ||
                                object::object_text(*first.declared) == object::object_text(*second.declared);
    const auto where = [](const Element& e) { return e.component ? e.component->where : e.declared->where; };
    if (!same) diagnostics.report(messages::inherited_differs(where(first), first.name, where(second)));
}

void check_replaced(const object::Class& in, const Element& by, const Element& replaced,
                    Diagnostics& diagnostics) {
    if (in.language != object::Language::Modelica) return;
    const Span where = by.component ? by.component->where : by.declared->where;
    const Span before = replaced.component ? replaced.component->where : replaced.declared->where;
    if (!replaced.prefixes.replaceable)
        diagnostics.report(messages::not_replaceable(where, by.name, before));
    else if (replaced.prefixes.is_final)
        diagnostics.report(messages::final_modified(where, by.name, before));
    else if (replaced.component && by.component &&
             replaced.component->prefixes.variability == object::Variability::Constant)
        diagnostics.report(messages::constant_redeclared(where, by.name, before));
    else if (by.prefixes.is_protected != replaced.prefixes.is_protected)
        diagnostics.report(
            messages::visibility_redeclared(where, by.name, replaced.prefixes.is_protected, before));
}

}  // namespace cutset::objects
