#include "ir/object_text.h"

#include <fmt/format.h>

#include <variant>

#include "base/overloaded.h"
#include "ir/operator_text.h"

namespace cutset::object {

namespace {

std::string spaces(int indent) {
    return std::string(static_cast<std::size_t>(indent) * 2, ' ');
}

std::string text_in_marks(const std::string& text) {
    std::string out = "\"";
    for (const char c : text) {
        if (c == '"' || c == '\\') out += '\\';
        if (c == '\n')
            out += "\\n";
        else
            out += c;
    }
    return out + "\"";
}

template <class List, class Text>
std::string joined(const List& list, Text text, const char* between = ", ") {
    std::string out;
    bool first = true;
    for (const auto& item : list) {
        if (!first) out += between;
        first = false;
        out += text(item);
    }
    return out;
}

std::string expressions_text(const std::vector<Expression>& list, const char* between = ", ") {
    return joined(
        list, [](const Expression& e) { return object_text(e); }, between);
}

std::string in_square_brackets(const std::vector<Expression>& list) {
    return list.empty() ? "" : "[" + expressions_text(list) + "]";
}

std::string iterators_text(const std::vector<Iterator>& list) {
    return joined(list, [](const Iterator& i) {
        return i.name + (i.range ? " in " + object_text(*i.range) : "") +
               (i.except ? " except " + object_text(*i.except) : "");
    });
}

std::string named_text(const Expression& e) {
    return joined(e.named, [](const NamedArgument& a) { return a.name + " = " + object_text(*a.value); });
}

std::string arguments_text(const Expression& e) {
    const std::string by_position = expressions_text(e.arguments);
    const std::string by_name = named_text(e);
    return by_position + (by_position.empty() || by_name.empty() ? "" : ", ") + by_name;
}

std::string if_text(const Expression& e) {
    std::string out = "(";
    for (std::size_t i = 0; i + 1 < e.arguments.size(); i += 2)
        out += fmt::format("{} {} then {} ", i == 0 ? "if" : "elseif", object_text(e.arguments[i]),
                           object_text(e.arguments[i + 1]));
    return out + "else " + object_text(e.arguments.back()) + ")";
}

std::string operation_text(const Expression& e) {
    if (e.arguments.size() == 1)
        return fmt::format("({}{})", operator_text(e.op).text, object_text(e.arguments[0]));
    return "(" + expressions_text(e.arguments, operator_text(e.op).text) + ")";
}

std::string indexed_text(const Expression& e) {
    const std::vector<Expression> indices(e.arguments.begin() + 1, e.arguments.end());
    return fmt::format("({}){}", object_text(e.arguments[0]), in_square_brackets(indices));
}

// ---- modifications

std::string component_text(const Component& c);
std::string class_heading(const Class& c);

std::string argument_text(const Argument& a) {
    if (a.remove && !a.broken_connection.empty())
        return "break connect(" + expressions_text(a.broken_connection) + ")";
    if (a.remove) return "break " + object_text(a.name);
    std::string out;
    if (a.redeclare) out += "redeclare ";
    if (a.each) out += "each ";
    if (a.final) out += "final ";
    if (a.replaceable) out += "replaceable ";
    if (a.redeclaration)
        return out + (a.redeclaration->component ? component_text(*a.redeclaration->component)
                                                 : class_heading(*a.redeclaration->declared));
    return out + object_text(a.name) + (a.value ? object_text(*a.value) : "");
}

std::string optional_text(const Box<Modification>& m) {
    return m ? object_text(*m) : "";
}

std::string description_text(const std::string& description) {
    return description.empty() ? "" : " " + text_in_marks(description);
}

// ---- elements

std::string prefixes_text(const ElementPrefixes& p) {
    std::string out;
    if (p.is_protected) out += "protected ";
    if (p.redeclare) out += "redeclare ";
    if (p.is_final) out += "final ";
    if (p.inner) out += "inner ";
    if (p.outer) out += "outer ";
    if (p.replaceable) out += "replaceable ";
    return out;
}

std::string prefixes_text(const TypePrefixes& p) {
    std::string out;
    if (p.flow == Flow::Flow) out += "flow ";
    if (p.flow == Flow::Stream) out += "stream ";
    if (p.variability == Variability::Discrete) out += "discrete ";
    if (p.variability == Variability::Parameter) out += "parameter ";
    if (p.variability == Variability::Constant) out += "constant ";
    if (p.causality == Causality::Input) out += "input ";
    if (p.causality == Causality::Output) out += "output ";
    return out;
}

std::string constraint_text(const Box<Constraint>& c) {
    return c ? " constrainedby " + object_text(c->type) + optional_text(c->modification) : "";
}

std::string component_text(const Component& c) {
    return prefixes_text(c.prefixes) + object_text(c.type) + in_square_brackets(c.type_dimensions) + " " +
           c.name + in_square_brackets(c.dimensions) + optional_text(c.modification) +
           (c.condition ? " if " + object_text(*c.condition) : "") + constraint_text(c.constraint) +
           description_text(c.description);
}

std::string import_text(const Import& i) {
    std::string out = "import " + (i.as.empty() ? "" : i.as + " = ") + object_text(i.package);
    if (i.all) out += ".*";
    if (!i.names.empty()) out += ".{" + joined(i.names, [](const std::string& n) { return n; }) + "}";
    return out;
}

// ---- equations and statements

std::string equations_text(const std::vector<Equation>& list, int indent);
std::string statements_text(const std::vector<Statement>& list, int indent);

std::string body_text(const std::vector<Equation>& list, int indent) {
    return equations_text(list, indent);
}
std::string body_text(const std::vector<Statement>& list, int indent) {
    return statements_text(list, indent);
}

template <class Branch>
std::string branches_text(const std::vector<Branch>& branches, const char* first, const char* next,
                          int indent) {
    std::string out;
    for (const Branch& b : branches) {
        const bool leads = &b == branches.data();
        if (!leads) out += spaces(indent);
        out += b.condition ? fmt::format("{} {} then\n", leads ? first : next, object_text(*b.condition))
                           : std::string("else\n");
        out += body_text(b.body, indent + 1);
    }
    return out + spaces(indent) + "end " + first;
}

template <class Loop>
std::string loop_text(const Loop& f, int indent) {
    return "for " + iterators_text(f.iterators) + " loop\n" + body_text(f.body, indent + 1) + spaces(indent) +
           "end for";
}

std::string simple_text(const SimpleEquation& e) {
    return (e.label.empty() ? "" : "<" + e.label + "> ") + object_text(e.left) + (e.causal ? " := " : " = ") +
           object_text(e.right) + (e.tearing ? " tearing " + object_text(*e.tearing) : "");
}

std::string equation_text(const Equation& e, int indent) {
    return std::visit(
        overloaded{
            [](const SimpleEquation& s) { return simple_text(s); },
            [](const ConnectEquation& c) {
                return fmt::format("connect({}, {})", object_text(c.left), object_text(c.right));
            },
            [&](const ForEquation& f) { return loop_text(f, indent); },
            [&](const IfEquation& i) {
                return (i.structural ? "structural " : "") +
                       branches_text(i.branches, "if", "elseif", indent);
            },
            [&](const WhenEquation& w) { return branches_text(w.branches, "when", "elsewhen", indent); },
            [](const CallEquation& c) { return object_text(c.call); },
        },
        e.what);
}

std::string equations_text(const std::vector<Equation>& list, int indent) {
    std::string out;
    for (const Equation& e : list)
        out += spaces(indent) + equation_text(e, indent) + description_text(e.description) + "\n";
    return out;
}

std::string statement_text(const Statement& s, int indent) {
    return std::visit(
        overloaded{
            [](const Assignment& a) {
                return object_text(a.target) + " := " + object_text(a.value) +
                       (a.after ? " after " + object_text(*a.after) : "") +
                       (a.at ? " at " + object_text(*a.at) : "");
            },
            [](const CallStatement& c) { return object_text(c.call); },
            [&](const IfStatement& i) { return branches_text(i.branches, "if", "elseif", indent); },
            [&](const ForStatement& f) { return loop_text(f, indent); },
            [&](const WhileStatement& w) {
                return "while " + object_text(w.condition) + " loop\n" + statements_text(w.body, indent + 1) +
                       spaces(indent) + "end while";
            },
            [&](const WhenStatement& w) { return branches_text(w.branches, "when", "elsewhen", indent); },
            [](const BreakStatement&) { return std::string("break"); },
            [](const ReturnStatement&) { return std::string("return"); },
        },
        s.what);
}

std::string statements_text(const std::vector<Statement>& list, int indent) {
    std::string out;
    for (const Statement& s : list)
        out += spaces(indent) + statement_text(s, indent) + description_text(s.description) + "\n";
    return out;
}

std::string element_text(const Element& e, int indent) {
    const std::string margin = spaces(indent);
    return std::visit(
        overloaded{
            [&](const Import& i) { return margin + import_text(i) + "\n"; },
            [&](const Extends& x) {
                return margin + (x.is_protected ? "protected " : "") + "extends " + object_text(x.base) +
                       optional_text(x.modification) + "\n";
            },
            [&](const Component& c) { return margin + prefixes_text(c.element) + component_text(c) + "\n"; },
            [&](const NestedClass& n) {
                const std::string prefixes = prefixes_text(n.element);
                return (prefixes.empty() ? "" : margin + prefixes + "\n") + object_text(*n.declared, indent);
            },
            [&](const EquationSection& s) {
                return margin + (s.initial ? "initial equation\n" : "equation\n") +
                       equations_text(s.equations, indent + 1);
            },
            [&](const AlgorithmSection& s) {
                return margin + (s.initial ? "initial algorithm" : "algorithm") +
                       (s.priority ? fmt::format(" priority {}", s.priority) : "") + "\n" +
                       statements_text(s.statements, indent + 1);
            },
        },
        e);
}

std::string external_text(const External& e) {
    return fmt::format("external {} {}{}({})", text_in_marks(e.language),
                       e.result ? object_text(*e.result) + " = " : "", e.function,
                       expressions_text(e.arguments));
}

}  // namespace

const char* kind_text(ClassKind kind) {
    switch (kind) {
        case ClassKind::Class:
            return "class";
        case ClassKind::Model:
            return "model";
        case ClassKind::Block:
            return "block";
        case ClassKind::Record:
            return "record";
        case ClassKind::OperatorRecord:
            return "operator record";
        case ClassKind::Connector:
            return "connector";
        case ClassKind::ExpandableConnector:
            return "expandable connector";
        case ClassKind::Type:
            return "type";
        case ClassKind::Package:
            return "package";
        case ClassKind::Function:
            return "function";
        case ClassKind::Operator:
            return "operator";
        case ClassKind::OperatorFunction:
            return "operator function";
        case ClassKind::Attributes:
            return "attributes";
    }
    return "";
}

namespace {

// With the whole of a short definition.
std::string class_heading(const Class& c) {
    std::string out;
    if (c.encapsulated) out += "encapsulated ";
    if (c.partial) out += "partial ";
    if (c.pure) out += "pure ";
    if (c.impure) out += "impure ";
    out += std::string(kind_text(c.kind)) + " ";
    out += std::visit(
        overloaded{
            [&](const LongDefinition& d) {
                return (d.extends_inherited ? "extends " : "") + c.name + optional_text(d.modification);
            },
            [&](const ShortDefinition& d) {
                return c.name + " = " + prefixes_text(d.prefixes) + object_text(d.base) +
                       in_square_brackets(d.dimensions) + optional_text(d.modification);
            },
            [&](const EnumerationDefinition& d) {
                return c.name + " = enumeration(" +
                       (d.open ? ":" : joined(d.literals, [](const auto& l) { return l.name; })) + ")";
            },
            [&](const DerivativeDefinition& d) {
                return fmt::format("{} = der({}, {})", c.name, object_text(d.function),
                                   joined(d.inputs, [](const std::string& i) { return i; }));
            },
        },
        c.definition);
    return out + constraint_text(c.constraint) + description_text(c.description);
}

}  // namespace

std::string object_text(const Name& n) {
    return (n.global ? "." : "") +
           joined(
               n.parts, [](const NamePart& p) { return p.name + in_square_brackets(p.indices); }, ".");
}

std::string object_text(const Expression& e) {
    switch (e.kind) {
        case ExpressionKind::Real:
        case ExpressionKind::Integer:
            return fmt::format("{}", e.number);
        case ExpressionKind::String:
            return text_in_marks(e.text);
        case ExpressionKind::Boolean:
            return e.number != 0 ? "true" : "false";
        case ExpressionKind::Name:
            return object_text(e.name);
        case ExpressionKind::Operation:
            return operation_text(e);
        case ExpressionKind::If:
            return if_text(e);
        case ExpressionKind::Call:
            return object_text(e.name) + "(" + arguments_text(e) + ")";
        case ExpressionKind::Function:
            return "function " + object_text(e.name) + "(" + named_text(e) + ")";
        case ExpressionKind::Array:
            return "{" + expressions_text(e.arguments) + "}";
        case ExpressionKind::Matrix:
            return "[" +
                   joined(
                       e.arguments, [](const Expression& r) { return expressions_text(r.arguments); }, "; ") +
                   "]";
        case ExpressionKind::Comprehension: {
            const std::string inner = expressions_text(e.arguments) + " for " + iterators_text(e.iterators);
            return e.name.parts.empty() ? "{" + inner + "}" : object_text(e.name) + "(" + inner + ")";
        }
        case ExpressionKind::Range:
            return "(" + expressions_text(e.arguments, ":") + ")";
        case ExpressionKind::Tuple:
            return "(" + expressions_text(e.arguments) + ")";
        case ExpressionKind::Omitted:
            return ":";
        case ExpressionKind::End:
            return "end";
        case ExpressionKind::Index:
            return indexed_text(e);
        case ExpressionKind::Member:
            return "(" + object_text(e.arguments[0]) + ")." + e.text;
        case ExpressionKind::Derivative:
            return e.number == 1 ? "der(" + expressions_text(e.arguments) + ")"
                                 : fmt::format("der{}({})", e.number, expressions_text(e.arguments));
        case ExpressionKind::Initial:
            return e.text + "(" + arguments_text(e) + ")";
    }
    return "";
}

// (a = 1) = e
std::string object_text(const Modification& m) {
    std::string out;
    if (!m.arguments.empty())
        out += "(" + joined(m.arguments, [](const Argument& a) { return argument_text(a); }) + ")";
    if (m.no_value) out += " = break";
    if (m.value) out += (m.assigned ? " := " : " = ") + object_text(*m.value);
    return out;
}

std::string object_text(const Class& c, int indent) {
    std::string out = spaces(indent) + class_heading(c) + "\n";
    if (const auto* d = std::get_if<LongDefinition>(&c.definition)) {
        for (const Element& e : d->elements) out += element_text(e, indent + 1);
        if (d->external) out += spaces(indent + 1) + external_text(*d->external) + "\n";
        out += spaces(indent) + "end " + c.name + "\n";
    }
    return out;
}

std::string object_text(const File& file) {
    std::string out;
    if (file.within) out += "within " + object_text(*file.within) + "\n";
    for (const auto& c : file.classes) out += object_text(*c);
    return out;
}

std::string name_text(const Name& n) {
    return (n.global ? "." : "") + joined(
                                       n.parts, [](const NamePart& p) { return p.name; }, ".");
}

}  // namespace cutset::object
