#include "languages/omola/write.h"

#include <fmt/format.h>

#include <utility>

#include "ir/operator_text.h"

namespace cutset::omola {

using object::ExpressionKind;
using object::Operator;

namespace {

OperatorText written(Operator op) {
    OperatorText text = operator_text(op);
    if (op == Operator::And) text.text = " AND ";
    if (op == Operator::Or) text.text = " OR ";
    if (op == Operator::Not) text.text = "NOT ";
    return text;
}

Strength strength(const Expression& e) {
    if (e.kind == ExpressionKind::If) return Strength::Choice;
    return e.kind == ExpressionKind::Operation ? written(e.op).strength : Strength::Primary;
}

std::string text_of(const Expression& e);

std::string within(const Expression& e, Strength least) {
    const std::string text = text_of(e);
    return strength(e) < least ? "(" + text + ")" : text;
}

std::string list(const std::vector<Expression>& expressions) {
    std::string out;
    for (const Expression& e : expressions) out += (out.empty() ? "" : ", ") + text_of(e);
    return out;
}

std::string indices(const std::vector<Expression>& written) {
    return written.empty() ? "" : "[" + list(written) + "]";
}

std::string path_text(const object::Name& n) {
    std::string out;
    for (const object::NamePart& p : n.parts) out += (out.empty() ? "" : ".") + p.name + indices(p.indices);
    return out;
}

std::string operation_text(const Expression& e) {
    const OperatorText op = written(e.op);
    if (e.arguments.size() == 1) return op.text + within(e.arguments[0], op.strength);
    if (e.op == Operator::Power)
        return within(e.arguments[0], Strength::Primary) + op.text + within(e.arguments[1], Strength::Minus);
    const Strength left = op.strength == Strength::Relation ? Strength::Sum : op.strength;
    return within(e.arguments[0], left) + op.text + within(e.arguments[1], above(op.strength));
}

std::string text_of(const Expression& e) {
    switch (e.kind) {
        case ExpressionKind::Real: {
            const std::string out = fmt::format("{}", e.number);
            return out.find_first_of(".e") == std::string::npos ? out + ".0" : out;
        }
        case ExpressionKind::Integer:
            return fmt::format("{}", e.number);
        case ExpressionKind::String:
            return "\"" + e.text + "\"";
        case ExpressionKind::Boolean:
            return e.number != 0 ? "TRUE" : "FALSE";
        case ExpressionKind::Name:
            return path_text(e.name);
        case ExpressionKind::Operation:
            return operation_text(e);
        case ExpressionKind::If:
            return "IF " + text_of(e.arguments[0]) + " THEN " + text_of(e.arguments[1]) + " ELSE " +
                   text_of(e.arguments[2]);
        case ExpressionKind::Call:
            return path_text(e.name) + "(" + list(e.arguments) + ")";
        case ExpressionKind::Array:
            return "[" + list(e.arguments) + "]";
        case ExpressionKind::Derivative:
            return e.number == 1 ? "dot(" + text_of(e.arguments[0]) + ")"
                                 : fmt::format("dot({}, {})", text_of(e.arguments[0]), e.number);
        default:
            return "UNKNOWN";
    }
}

std::string margin(int indent) {
    return std::string(static_cast<std::size_t>(indent) * 2, ' ');
}

std::string description(const std::string& text) {
    return text.empty() ? "" : " \"" + text + "\"";
}

std::string class_text(const ClassText& c, int indent);

std::string typed(const Definition& d) {
    std::string out = d.name + " TYPE ";
    if (d.discrete) out += "DISCRETE ";
    std::string values;
    for (const std::string& v : d.values) values += (values.empty() ? "" : ", ") + v;
    out += d.values.empty() ? d.type : "(" + values + ")";
    out += indices(d.dimensions);
    return d.right ? out + " := " + text_of(*d.right) : out;
}

std::string definition(const Definition& d, int indent) {
    const auto body = [&] {
        std::string out;
        for (const Definition& inner : d.body)
            out += margin(indent + 1) + definition(inner, indent + 1) + ";\n";
        return out + margin(indent) + "END";
    };
    switch (d.kind) {
        case DefinitionKind::Class:
            return class_text(d.declared, indent).substr(margin(indent).size());
        case DefinitionKind::Typed:
            return typed(d) + description(d.description);
        case DefinitionKind::Assign:
            return text_of(*d.left) + " := " + text_of(*d.right) + description(d.description);
        case DefinitionKind::Equation:
            return within(*d.left, Strength::Sum) + " = " + text_of(*d.right) + description(d.description);
        case DefinitionKind::Connect:
            return text_of(*d.left) + " AT " + text_of(*d.right) + description(d.description);
        case DefinitionKind::Select:
            return "WHEN " + text_of(*d.left) + " SELECT " + d.name + description(d.description);
        case DefinitionKind::Do:
            return "WHEN " + text_of(*d.left) + " DO\n" + body() + description(d.description);
        case DefinitionKind::For:
            return "FOR " + d.name + " := " + text_of(*d.left) + " TO " + text_of(*d.right) + " DO\n" +
                   body() + description(d.description);
    }
    return {};
}

std::string class_text(const ClassText& c, int indent) {
    std::string out =
        margin(indent) + c.name + indices(c.dimensions) + " ISA " + c.super + description(c.description);
    bool empty = true;
    for (const Category& k : c.body) empty = empty && k.name.empty() && k.definitions.empty();
    if (empty) return out;
    out += " WITH\n";
    for (const Category& k : c.body) {
        if (!k.name.empty()) out += margin(indent) + k.name + ":\n";
        for (const Definition& d : k.definitions)
            out += margin(indent + 1) + definition(d, indent + 1) + ";\n";
    }
    return out + margin(indent) + "END";
}

}  // namespace

std::string file_text(const File& file) {
    std::string out;
    for (const std::string& name : file.uses) out += (out.empty() ? "USES " : ", ") + name;
    if (!out.empty()) out += ";\n";
    for (const ClassText& c : file.classes) out += (out.empty() ? "" : "\n") + class_text(c, 0) + ";\n";
    return out;
}

}  // namespace cutset::omola
