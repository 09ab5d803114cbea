#include "languages/modelica_text/write_objects.h"

#include <fmt/format.h>

#include <variant>

#include "base/overloaded.h"
#include "ir/object_text.h"
#include "ir/operator_text.h"
#include "languages/modelica/expression_text.h"

namespace cutset::modelica {

using namespace object;

namespace {

// A sign binds as weakly as a sum does.
OperatorText written(Operator op) {
    OperatorText text = operator_text(op);
    if (text.strength == Strength::Minus) text.strength = Strength::Sum;
    return text;
}

Strength strength(const Expression& e) {
    switch (e.kind) {
        case ExpressionKind::If:
            return Strength::Choice;
        case ExpressionKind::Range:
            return Strength::Interval;
        case ExpressionKind::Operation:
            return written(e.op).strength;
        case ExpressionKind::Real:
        case ExpressionKind::Integer:
            return e.number < 0 ? Strength::Sum : Strength::Primary;
        default:
            return Strength::Primary;
    }
}

std::string within(const Expression& e, Strength least) {
    const std::string text = expression_text(e);
    return strength(e) < least ? "(" + text + ")" : text;
}

template <class List, class Text>
std::string joined(const List& list, Text text, const char* between = ", ") {
    std::string out;
    bool first = true;
    for (const auto& item : list) {
        if (!std::exchange(first, false)) out += between;
        out += text(item);
    }
    return out;
}

std::string list_text(const std::vector<Expression>& list, const char* between = ", ") {
    return joined(
        list, [](const Expression& e) { return expression_text(e); }, between);
}

std::string dimensions_text(const std::vector<Expression>& list) {
    return list.empty() ? "" : "[" + list_text(list) + "]";
}

std::string dotted(const Name& n) {
    return (n.global ? "." : "") +
           joined(
               n.parts, [](const NamePart& p) { return p.name + dimensions_text(p.indices); }, ".");
}

std::string operation_text(const Expression& e) {
    const OperatorText op = written(e.op);
    if (e.arguments.size() == 1) return op.text + within(e.arguments[0], above(op.strength));
    // Relations and powers do not follow one another; of the others the left operand may be one of its kind.
    const bool chain = op.strength != Strength::Relation && op.strength != Strength::Raised;
    return within(e.arguments[0], chain ? op.strength : above(op.strength)) + op.text +
           within(e.arguments[1], above(op.strength));
}

std::string if_text(const Expression& e) {
    std::string out;
    for (std::size_t i = 0; i + 1 < e.arguments.size(); i += 2)
        out += fmt::format("{} {} then {} ", i == 0 ? "if" : "elseif", expression_text(e.arguments[i]),
                           within(e.arguments[i + 1], Strength::Interval));
    return out + "else " + within(e.arguments.back(), Strength::Interval);
}

std::string iterators_text(const std::vector<Iterator>& list) {
    return joined(list, [](const Iterator& i) {
        return i.name + (i.range ? " in " + expression_text(*i.range) : std::string());
    });
}

std::string arguments_text(const Expression& e) {
    const std::string by_position = list_text(e.arguments);
    const std::string by_name =
        joined(e.named, [](const NamedArgument& a) { return a.name + " = " + expression_text(*a.value); });
    return by_position + (by_position.empty() || by_name.empty() ? "" : ", ") + by_name;
}

std::string derivative_text(const Expression& e) {
    std::string out = expression_text(e.arguments[0]);
    for (int k = 0; k < static_cast<int>(e.number); ++k) out = "der(" + out + ")";
    return out;
}

std::string description_text(const std::string& text) {
    return text.empty() ? "" : " " + string_literal(text);
}

const char* words(Variability v) {
    switch (v) {
        case Variability::None:
            return "";
        case Variability::Discrete:
            return "discrete ";
        case Variability::Parameter:
            return "parameter ";
        case Variability::Constant:
            return "constant ";
    }
    return "";
}

std::string prefixes_text(const TypePrefixes& p) {
    std::string out;
    if (p.flow != Flow::None) out += p.flow == Flow::Flow ? "flow " : "stream ";
    out += words(p.variability);
    if (p.causality != Causality::None) out += p.causality == Causality::Input ? "input " : "output ";
    return out;
}

std::string prefixes_text(const ElementPrefixes& p) {
    std::string out;
    if (p.redeclare) out += "redeclare ";
    if (p.is_final) out += "final ";
    if (p.inner) out += "inner ";
    if (p.outer) out += "outer ";
    if (p.replaceable) out += "replaceable ";
    return out;
}

class Writer {
  public:
    explicit Writer(const Sources& sources) : sources_(sources) {}

    std::string class_text(const Class& c, int indent) {
        std::string out = heading(c, indent);
        if (const auto* d = std::get_if<LongDefinition>(&c.definition)) {
            out += description_text(c.description) + "\n" + body(*d, indent + 1);
            if (c.annotation.known()) out += pad(indent + 1) + annotation(c.annotation) + ";\n";
            return out + pad(indent) + "end " + c.name;
        }
        return out + description_text(c.description) + annotation_after(c.annotation);
    }

  private:
    std::string annotation(Span where) const { return std::string(sources_.text(where)); }
    std::string annotation_after(Span where) const { return where.known() ? " " + annotation(where) : ""; }

    std::string heading(const Class& c, int indent) {
        std::string out = pad(indent);
        if (c.encapsulated) out += "encapsulated ";
        if (c.partial) out += "partial ";
        if (c.pure) out += "pure ";
        if (c.impure) out += "impure ";
        out += c.kind == ClassKind::Attributes ? "class " : std::string(kind_text(c.kind)) + " ";
        return out + std::visit(overloaded{
                                    [&](const LongDefinition& d) {
                                        return (d.extends_inherited ? "extends " : "") + c.name +
                                               optional_text(d.modification);
                                    },
                                    [&](const ShortDefinition& d) {
                                        return c.name + " = " + prefixes_text(d.prefixes) + dotted(d.base) +
                                               dimensions_text(d.dimensions) + optional_text(d.modification);
                                    },
                                    [&](const EnumerationDefinition& d) {
                                        const auto literal = [](const EnumerationLiteral& l) {
                                            return l.name + description_text(l.description);
                                        };
                                        return c.name + " = enumeration(" +
                                               (d.open ? ":" : joined(d.literals, literal)) + ")";
                                    },
                                    [&](const DerivativeDefinition& d) {
                                        const auto same = [](const std::string& n) { return n; };
                                        return c.name + " = der(" + dotted(d.function) + ", " +
                                               joined(d.inputs, same) + ")";
                                    },
                                },
                                c.definition);
    }

    // ---- modifications

    std::string optional_text(const Box<Modification>& m) { return m ? modification_text(*m) : ""; }

    std::string modification_text(const Modification& m) {
        std::string out;
        if (!m.arguments.empty())
            out += "(" + joined(m.arguments, [&](const Argument& a) { return argument_text(a); }) + ")";
        if (m.no_value) out += " = break";
        if (m.value) out += (m.assigned ? " := " : " = ") + expression_text(*m.value);
        return out;
    }

    std::string argument_text(const Argument& a) {
        if (a.remove && !a.broken_connection.empty())
            return "break connect(" + list_text(a.broken_connection) + ")";
        if (a.remove) return "break " + dotted(a.name);
        std::string out;
        if (a.redeclare) out += "redeclare ";
        if (a.each) out += "each ";
        if (a.final) out += "final ";
        if (a.replaceable) out += "replaceable ";
        if (!a.redeclaration)
            return out + dotted(a.name) + optional_text(a.value) + description_text(a.description);
        if (a.redeclaration->component) return out + component_text(*a.redeclaration->component);
        const Class& c = *a.redeclaration->declared;
        return out + heading(c, 0) + description_text(c.description) + constraint_text(c.constraint);
    }

    std::string constraint_text(const Box<Constraint>& c) {
        return c ? " constrainedby " + dotted(c->type) + optional_text(c->modification) : "";
    }

    std::string component_text(const Component& c) {
        return prefixes_text(c.prefixes) + dotted(c.type) + dimensions_text(c.type_dimensions) + " " +
               c.name + dimensions_text(c.dimensions) + optional_text(c.modification) +
               (c.condition ? " if " + expression_text(*c.condition) : "") + constraint_text(c.constraint) +
               description_text(c.description);
    }

    // ---- elements

    static bool is_protected(const Element& e) {
        if (const auto* c = std::get_if<Component>(&e)) return c->element.is_protected;
        if (const auto* x = std::get_if<Extends>(&e)) return x->is_protected;
        if (const auto* n = std::get_if<NestedClass>(&e)) return n->element.is_protected;
        return false;
    }

    std::string body(const LongDefinition& d, int indent) {
        std::string out;
        bool hidden = false;
        for (const Element& e : d.elements) {
            const bool section =
                std::holds_alternative<EquationSection>(e) || std::holds_alternative<AlgorithmSection>(e);
            if (!section && is_protected(e) != hidden) {
                hidden = !hidden;
                out += pad(indent - 1) + (hidden ? "protected\n" : "public\n");
            }
            out += element_text(e, indent);
        }
        if (d.external) out += pad(indent) + external_text(*d.external) + ";\n";
        return out;
    }

    std::string element_text(const Element& e, int indent) {
        const std::string margin = pad(indent), outside = pad(indent - 1);
        return std::visit(
            overloaded{
                [&](const Import& i) { return margin + import_text(i) + ";\n"; },
                [&](const Extends& x) {
                    return margin + "extends " + dotted(x.base) + optional_text(x.modification) +
                           annotation_after(x.annotation) + ";\n";
                },
                [&](const Component& c) {
                    return margin + prefixes_text(c.element) + component_text(c) +
                           annotation_after(c.annotation) + ";\n";
                },
                [&](const NestedClass& n) {
                    const std::string prefixes = prefixes_text(n.element);
                    const std::string text = class_text(*n.declared, indent).substr(margin.size());
                    return margin + prefixes + text + constraint_text(n.declared->constraint) + ";\n";
                },
                [&](const EquationSection& s) {
                    return outside + (s.initial ? "initial equation\n" : "equation\n") +
                           body_text(s.equations, indent);
                },
                [&](const AlgorithmSection& s) {
                    return outside + (s.initial ? "initial algorithm\n" : "algorithm\n") +
                           body_text(s.statements, indent);
                },
            },
            e);
    }

    static std::string import_text(const Import& i) {
        std::string out = "import " + (i.as.empty() ? "" : i.as + " = ") + dotted(i.package);
        if (i.all) out += ".*";
        if (!i.names.empty()) out += ".{" + joined(i.names, [](const std::string& n) { return n; }) + "}";
        return out;
    }

    std::string external_text(const External& e) {
        std::string out = "external";
        if (!e.language.empty()) out += " " + string_literal(e.language);
        if (!e.function.empty())
            out += " " + (e.result ? expression_text(*e.result) + " = " : "") + e.function + "(" +
                   list_text(e.arguments) + ")";
        return out + annotation_after(e.annotation);
    }

    // ---- equations and statements

    template <class Item>
    std::string body_text(const std::vector<Item>& list, int indent) {
        std::string out;
        for (const Item& item : list)
            out += pad(indent) + item_text(item, indent) + description_text(item.description) +
                   annotation_after(item.annotation) + ";\n";
        return out;
    }

    template <class Branch>
    std::string branches_text(const std::vector<Branch>& branches, const char* first, const char* next,
                              int indent) {
        std::string out;
        for (const Branch& b : branches) {
            const bool leads = &b == branches.data();
            if (!leads) out += pad(indent);
            out += b.condition
                       ? fmt::format("{} {} then\n", leads ? first : next, expression_text(*b.condition))
                       : std::string("else\n");
            out += body_text(b.body, indent + 1);
        }
        return out + pad(indent) + "end " + first;
    }

    template <class Loop>
    std::string loop_text(const Loop& f, int indent) {
        return "for " + iterators_text(f.iterators) + " loop\n" + body_text(f.body, indent + 1) +
               pad(indent) + "end for";
    }

    std::string item_text(const Equation& e, int indent) {
        return std::visit(
            overloaded{
                // A choice on the left of `=` needs brackets.
                [](const SimpleEquation& s) {
                    return within(s.left, Strength::Interval) + " = " + expression_text(s.right);
                },
                [](const ConnectEquation& c) {
                    return "connect(" + expression_text(c.left) + ", " + expression_text(c.right) + ")";
                },
                [&](const ForEquation& f) { return loop_text(f, indent); },
                [&](const IfEquation& i) { return branches_text(i.branches, "if", "elseif", indent); },
                [&](const WhenEquation& w) { return branches_text(w.branches, "when", "elsewhen", indent); },
                [](const CallEquation& c) { return expression_text(c.call); },
            },
            e.what);
    }

    std::string item_text(const Statement& s, int indent) {
        return std::visit(
            overloaded{
                [](const Assignment& a) {
                    return expression_text(a.target) + " := " + expression_text(a.value);
                },
                [](const CallStatement& c) { return expression_text(c.call); },
                [&](const IfStatement& i) { return branches_text(i.branches, "if", "elseif", indent); },
                [&](const ForStatement& f) { return loop_text(f, indent); },
                [&](const WhileStatement& w) {
                    return "while " + expression_text(w.condition) + " loop\n" +
                           body_text(w.body, indent + 1) + pad(indent) + "end while";
                },
                [&](const WhenStatement& w) { return branches_text(w.branches, "when", "elsewhen", indent); },
                [](const BreakStatement&) { return std::string("break"); },
                [](const ReturnStatement&) { return std::string("return"); },
            },
            s.what);
    }

    const Sources& sources_;
};

}  // namespace

std::string expression_text(const object::Expression& e) {
    switch (e.kind) {
        case ExpressionKind::Real:
        case ExpressionKind::Integer:
            return fmt::format("{}", e.number);
        case ExpressionKind::String:
            return string_literal(e.text);
        case ExpressionKind::Boolean:
            return e.number != 0 ? "true" : "false";
        case ExpressionKind::Name:
            return dotted(e.name);
        case ExpressionKind::Operation:
            return operation_text(e);
        case ExpressionKind::If:
            return if_text(e);
        case ExpressionKind::Call:
            return dotted(e.name) + "(" + arguments_text(e) + ")";
        case ExpressionKind::Function:
            return "function " + dotted(e.name) + "(" + arguments_text(e) + ")";
        case ExpressionKind::Array:
            return "{" + list_text(e.arguments) + "}";
        case ExpressionKind::Matrix:
            return "[" +
                   joined(
                       e.arguments, [](const Expression& row) { return list_text(row.arguments); }, "; ") +
                   "]";
        case ExpressionKind::Comprehension: {
            const std::string inner = list_text(e.arguments) + " for " + iterators_text(e.iterators);
            return e.name.parts.empty() ? "{" + inner + "}" : dotted(e.name) + "(" + inner + ")";
        }
        case ExpressionKind::Range:
            return joined(
                e.arguments, [](const Expression& a) { return within(a, Strength::Either); }, ":");
        case ExpressionKind::Tuple:
            return "(" +
                   joined(e.arguments,
                          [](const Expression& a) {
                              return a.kind == ExpressionKind::Omitted ? "" : expression_text(a);
                          }) +
                   ")";
        case ExpressionKind::Omitted:
            return ":";
        case ExpressionKind::End:
            return "end";
        case ExpressionKind::Index: {
            const std::vector<Expression> indices(e.arguments.begin() + 1, e.arguments.end());
            return "(" + expression_text(e.arguments[0]) + ")" + dimensions_text(indices);
        }
        case ExpressionKind::Member:
            return "(" + expression_text(e.arguments[0]) + ")." + e.text;
        case ExpressionKind::Derivative:
            return derivative_text(e);
        case ExpressionKind::Initial:
            return e.text + "(" + arguments_text(e) + ")";
    }
    return "";
}

std::string class_text(const Class& c, const Sources& sources, int indent) {
    return Writer(sources).class_text(c, indent) + ";\n";
}

std::string file_text(const File& file, const Sources& sources) {
    std::string out;
    if (file.within) out += "within " + dotted(*file.within) + ";\n";
    for (const auto& c : file.classes) out += class_text(*c, sources);
    return out;
}

}  // namespace cutset::modelica
