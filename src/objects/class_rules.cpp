#include "objects/class_rules.h"

#include <algorithm>
#include <string>
#include <string_view>
#include <unordered_map>
#include <vector>

#include "base/function_ref.h"
#include "ir/object_text.h"
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

// ---- the names in expressions

using VisitName = FunctionRef<void(const object::Name&)>;

void visit_names(const object::Expression& e, VisitName visit);
void visit_names(const std::vector<object::Equation>& list, VisitName visit);
void visit_names(const std::vector<object::Statement>& list, VisitName visit);

void visit_names(const std::vector<object::Expression>& list, VisitName visit) {
    for (const object::Expression& e : list) visit_names(e, visit);
}

void visit_names(const object::Expression& e, VisitName visit) {
    if (e.kind == object::ExpressionKind::Name) visit(e.name);
    for (const object::NamePart& p : e.name.parts) visit_names(p.indices, visit);
    visit_names(e.arguments, visit);
    for (const object::NamedArgument& a : e.named) visit_names(*a.value, visit);
    for (const object::Iterator& i : e.iterators)
        if (i.range) visit_names(*i.range, visit);
}

void visit_names(const Box<object::Modification>& m, VisitName visit) {
    if (!m) return;
    if (m->value) visit_names(*m->value, visit);
    for (const object::Argument& a : m->arguments) visit_names(a.value, visit);
}

template <class Branches>
void visit_branches(const Branches& branches, VisitName visit) {
    for (const auto& b : branches) {
        if (b.condition) visit_names(*b.condition, visit);
        visit_names(b.body, visit);
    }
}

void visit_iterators(const std::vector<object::Iterator>& list, VisitName visit) {
    for (const object::Iterator& i : list)
        if (i.range) visit_names(*i.range, visit);
}

// Connections apart: what they join is another matter.
void visit_names(const std::vector<object::Equation>& list, VisitName visit) {
    for (const object::Equation& e : list) {
        if (const auto* s = std::get_if<object::SimpleEquation>(&e.what)) {
            visit_names(s->left, visit);
            visit_names(s->right, visit);
        } else if (const auto* f = std::get_if<object::ForEquation>(&e.what)) {
            visit_iterators(f->iterators, visit);
            visit_names(f->body, visit);
        } else if (const auto* i = std::get_if<object::IfEquation>(&e.what)) {
            visit_branches(i->branches, visit);
        } else if (const auto* w = std::get_if<object::WhenEquation>(&e.what)) {
            visit_branches(w->branches, visit);
        }
    }
}

void visit_names(const std::vector<object::Statement>& list, VisitName visit) {
    for (const object::Statement& s : list) {
        if (const auto* a = std::get_if<object::Assignment>(&s.what)) {
            visit_names(a->target, visit);
            visit_names(a->value, visit);
        } else if (const auto* c = std::get_if<object::CallStatement>(&s.what)) {
            visit_names(c->call, visit);
        } else if (const auto* f = std::get_if<object::ForStatement>(&s.what)) {
            visit_iterators(f->iterators, visit);
            visit_names(f->body, visit);
        } else if (const auto* w = std::get_if<object::WhileStatement>(&s.what)) {
            visit_names(w->condition, visit);
            visit_names(w->body, visit);
        } else if (const auto* i = std::get_if<object::IfStatement>(&s.what)) {
            visit_branches(i->branches, visit);
        } else if (const auto* w = std::get_if<object::WhenStatement>(&s.what)) {
            visit_branches(w->branches, visit);
        }
    }
}

void visit_names(const object::LongDefinition& body, VisitName visit) {
    for (const object::Element& e : body.elements) {
        if (const auto* c = std::get_if<object::Component>(&e)) {
            visit_names(c->modification, visit);
            if (c->condition) visit_names(*c->condition, visit);
        } else if (const auto* s = std::get_if<object::EquationSection>(&e)) {
            visit_names(s->equations, visit);
        } else if (const auto* a = std::get_if<object::AlgorithmSection>(&e)) {
            visit_names(a->statements, visit);
        }
    }
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

    void element(const object::Import&) {}
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
        visit_names(body, [&](const object::Name& n) {
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

bool is_modelica(const ClassInstance& c) {
    return c.text && c.text->language == object::Language::Modelica;
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
    if (!type.is_builtin() && type.dimensions.empty()) return;
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
    if (p.flow != object::Flow::None && type.prefixes.flow != object::Flow::None)
        diagnostics.report(messages::prefix_given_twice(component.where, flow_word(p.flow), type.path));
    if (p.causality != object::Causality::None && type.prefixes.causality != object::Causality::None)
        diagnostics.report(messages::prefix_given_twice(
            component.where, p.causality == object::Causality::Input ? "input" : "output", type.path));
    if (p.flow != object::Flow::None && type.is_builtin() && type.builtin != Builtin::Real)
        diagnostics.report(messages::flow_is_real(component.where, flow_word(p.flow)));
}

}  // namespace cutset::objects
