#include "ir/tree_text.h"

#include <fmt/format.h>

#include "base/overloaded.h"

namespace cutset::tree {

namespace {

std::string list(const std::vector<Expression>& expressions, const char* between = ", ") {
    std::string out;
    for (const Expression& e : expressions) out += (out.empty() ? "" : between) + tree_text(e);
    return out;
}

std::string dimensions(const std::vector<Expression>& d) {
    return d.empty() ? "" : "[" + list(d) + "]";
}

std::string quoted(const std::string& text) {
    return "\"" + text + "\"";
}

const char* word(VariableKind kind) {
    switch (kind) {
        case VariableKind::Parameter:
            return "parameter";
        case VariableKind::StructureParameter:
            return "structure parameter";
        case VariableKind::Constant:
            return "constant";
        case VariableKind::Local:
            return "local";
        case VariableKind::Discrete:
            return "discrete";
        case VariableKind::Terminal:
            return "terminal";
        case VariableKind::Input:
            return "input";
        case VariableKind::Output:
            return "output";
        case VariableKind::Internal:
            return "internal";
        case VariableKind::External:
            return "external";
    }
    return "";
}

// With a blank after it; "" where the text says nothing.
std::string type_text(const VariableDeclaration& v) {
    if (!v.type) return "";
    switch (*v.type) {
        case ValueType::Real:
            return "real ";
        case ValueType::Integer:
            return "integer ";
        case ValueType::Boolean:
            return "boolean ";
        case ValueType::Enumeration:
            break;
    }
    std::string out;
    for (const std::string& literal : v.literals) out += (out.empty() ? "(" : ", ") + literal;
    return out + ") ";
}

std::string text(const VariableDeclaration& v) {
    std::string out = std::string(word(v.kind)) + " " + type_text(v) + v.name + dimensions(v.dimensions);
    if (v.value) out += " = " + tree_text(*v.value);
    if (!v.unit.empty()) out += " [" + v.unit + "]";
    if (!v.description.empty()) out += " " + quoted(v.description);
    if (v.nominal) out += " nominal " + tree_text(*v.nominal);
    if (v.minimum) out += " min " + tree_text(*v.minimum);
    if (v.maximum) out += " max " + tree_text(*v.maximum);
    if (!v.quantity.empty()) out += " quantity " + quoted(v.quantity);
    return out;
}

std::string text(const std::vector<PortElement>& elements);

std::string text(const PortElement& e) {
    return std::visit(overloaded{
                          [](const PortVariable& v) {
                              return (v.negative ? "-" : "") + tree_text(v.variable) +
                                     (v.unit.empty() ? "" : " [" + v.unit + "]");
                          },
                          [](const PortDot&) { return std::string("."); },
                          [](const PortReference& r) { return "cut " + tree_text(r.port); },
                          [](const PortGroup& g) { return text(g.elements); },
                      },
                      e.what);
}

std::string text(const std::vector<PortElement>& elements) {
    std::string out = "(";
    Role role = Role::Across;
    for (std::size_t i = 0; i < elements.size(); ++i) {
        if (role != elements[i].role)
            out += i ? " / " : "/ ";
        else if (i)
            out += ", ";
        role = elements[i].role;
        out += text(elements[i]);
    }
    return out + ")";
}

std::string text(const PathEnd& end) {
    if (const auto* r = std::get_if<Reference>(&end.what)) return tree_text(*r);
    return text(std::get<std::vector<PortElement>>(end.what));
}

std::string text(const Equation& e) {
    return tree_text(e.left) + " = " + tree_text(e.right);
}

std::string text(const Table& t) {
    std::string out = "table " + t.name + "(";
    for (std::size_t i = 0; i < t.arguments.size(); ++i) out += (i ? ", " : "") + t.arguments[i];
    out += ")";
    if (!t.results.empty()) out += " returns";
    for (const std::string& r : t.results) out += " " + r;
    out += " " + std::string(word(t.interpolation)) + " " + std::string(word(t.outside));
    if (!t.file.empty()) out += " " + quoted(t.file);
    if (t.file_from) out += " " + tree_text(*t.file_from);
    for (const auto& row : t.rows) out += " (" + list(row) + ")";
    return out;
}

std::string pad(int indent) {
    return std::string(static_cast<std::size_t>(indent) * 2, ' ');
}

std::string text(const std::vector<Item>& items, int indent) {
    std::string out;
    for (const Item& i : items) out += tree_text(i, indent);
    return out;
}

std::string text(const Statement& s, int indent) {
    const auto block = [&](const std::vector<Statement>& body) {
        std::string out;
        for (const Statement& b : body) out += text(b, indent + 1);
        return out;
    };
    return std::visit(
        overloaded{
            [&](const Assignment& a) {
                return pad(indent) + tree_text(a.target) + " := " + tree_text(a.value) + "\n";
            },
            [&](const Conditional& c) {
                std::string out;
                for (std::size_t i = 0; i < c.branches.size(); ++i) {
                    const Branch& b = c.branches[i];
                    out += pad(indent) +
                           (b.condition ? (i ? "elseif " : "if ") + tree_text(*b.condition)
                                        : std::string("else")) +
                           "\n" + block(b.body);
                }
                return out;
            },
            [&](const ForStatement& f) {
                return pad(indent) + "for " + f.variable + " := " + tree_text(f.from) + " to " +
                       tree_text(f.to) + (f.step ? " step " + tree_text(*f.step) : "") + "\n" + block(f.body);
            },
            [&](const WhileStatement& w) {
                return pad(indent) + "while " + tree_text(w.condition) + "\n" + block(w.body);
            },
            [&](const LeaveStatement& l) { return pad(indent) + (l.loop ? "break" : "return") + "\n"; },
            [&](const AssertStatement& a) {
                return pad(indent) + "assert(" + tree_text(a.condition) + ", " + quoted(a.text) + ")\n";
            },
        },
        s.what);
}

std::string text(const Function& f, int indent) {
    std::string out = pad(indent) + "function " + f.name + "\n";
    for (const auto* part : {&f.inputs, &f.outputs, &f.locals})
        for (const VariableDeclaration& v : *part) out += pad(indent + 1) + text(v) + "\n";
    if (f.inlined) out += pad(indent + 1) + "inline\n";
    if (f.impure) out += pad(indent + 1) + "impure\n";
    for (const Function::Rule& r : f.derivatives) {
        out += pad(indent + 1) + "derivative " + r.function;
        if (r.order > 1) out += " order " + std::to_string(r.order);
        for (const std::string& x : r.without) out += " without " + x;
        for (const std::string& x : r.constant) out += " constant " + x;
        out += "\n";
    }
    for (const Function::Rule& r : f.inverses)
        out += pad(indent + 1) + "inverse " + r.argument + " = " + r.function + "\n";
    for (const Statement& s : f.body) out += text(s, indent + 1);
    if (f.external)
        out += pad(indent + 1) + "external " + quoted(f.external->library) + " name " +
               quoted(f.external->symbol) +
               (f.external->derivative.empty() ? "" : " derivative " + quoted(f.external->derivative)) + "\n";
    return out;
}

std::string text(const Class& c, int indent) {
    std::string out = pad(indent) + (c.in_place ? "model " : "model type ") + c.name;
    if (!c.documentation.empty()) {
        std::string line = c.documentation;
        for (char& ch : line)
            if (ch == '\n') ch = '|';
        out += " {" + line + "}";
    }
    return out + "\n" + text(c.items, indent + 1);
}

std::string text(const std::vector<WhenStatement>& statements, int indent) {
    std::string out;
    const std::string in = pad(indent);
    for (const WhenStatement& s : statements)
        out += std::visit(
            overloaded{
                [&](const WhenAssignment& a) {
                    return in + "new(" + tree_text(a.target) + ") = " + tree_text(a.value) + "\n";
                },
                [&](const WhenReinit& r) {
                    return in + "reinit(" + tree_text(r.target) + ", " + tree_text(r.value) + ")\n";
                },
                [&](const WhenTerminate& t) { return in + "terminate(" + quoted(t.message) + ")\n"; },
                [&](const WhenEquation& e) {
                    return in + tree_text(e.left) + " = " + tree_text(e.right) + "\n";
                },
                [&](const WhenIf& choice) {
                    std::string lines;
                    for (std::size_t i = 0; i < choice.branches.size(); ++i) {
                        const WhenBranch& b = choice.branches[i];
                        lines += in +
                                 (b.condition ? (i ? "elseif " : "if ") + tree_text(*b.condition)
                                              : std::string("else")) +
                                 "\n" + text(b.statements, indent + 1);
                    }
                    return lines;
                },
                [&](const WhenFor& loop) {
                    return in + "for " + loop.variable + " := " + tree_text(loop.from) + " to " +
                           tree_text(loop.to) + (loop.step ? " step " + tree_text(*loop.step) : "") + "\n" +
                           text(loop.statements, indent + 1);
                },
            },
            s.what);
    return out;
}

std::string infix(const Expression& e, const char* between) {
    return "(" + list(e.arguments, between) + ")";
}

}  // namespace

const char* word(ConnectionOperator op) {
    switch (op) {
        case ConnectionOperator::At:
            return "at";
        case ConnectionOperator::Reversed:
            return "reversed";
        case ConnectionOperator::To:
            return "to";
        case ConnectionOperator::From:
            return "from";
        case ConnectionOperator::Par:
            return "par";
        case ConnectionOperator::Loop:
            return "loop";
    }
    return "";
}

std::string tree_text(const Reference& r) {
    std::string out;
    for (const ReferencePart& p : r.parts) {
        switch (p.before) {
            case Separator::None:
                break;
            case Separator::Variable:
                out += ".";
                break;
            case Separator::Cut:
                out += ":";
                break;
            case Separator::Path:
                out += "..";
                break;
            case Separator::Submodel:
                out += "::";
                break;
        }
        out += p.name + dimensions(p.indices);
    }
    return out;
}

std::string tree_text(const Expression& e) {
    switch (e.kind) {
        case ExpressionKind::Number:
            return fmt::format("{}", e.number);
        case ExpressionKind::Text:
            return quoted(e.text);
        case ExpressionKind::Truth:
            return e.number != 0 ? "true" : "false";
        case ExpressionKind::Reference:
            return tree_text(e.reference);
        case ExpressionKind::Sum:
        case ExpressionKind::Product: {
            std::string out = "(";
            for (std::size_t i = 0; i < e.arguments.size(); ++i) {
                if (i)
                    out += fmt::format(" {} ", e.text[i]);
                else if (e.text[i] == '-')
                    out += "-";
                out += tree_text(e.arguments[i]);
            }
            return out + ")";
        }
        case ExpressionKind::Power:
            return infix(e, " ** ");
        case ExpressionKind::Negate:
            return "(-" + tree_text(e.arguments[0]) + ")";
        case ExpressionKind::Relation:
            return infix(e, (" " + e.text + " ").c_str());
        case ExpressionKind::And:
            return infix(e, " and ");
        case ExpressionKind::Or:
            return infix(e, " or ");
        case ExpressionKind::Not:
            return "(not " + tree_text(e.arguments[0]) + ")";
        case ExpressionKind::If: {
            std::string out;
            std::size_t i = 0;
            for (; i + 1 < e.arguments.size(); i += 2)
                out += (i ? " elseif " : "(if ") + tree_text(e.arguments[i]) + " then " +
                       tree_text(e.arguments[i + 1]);
            return out + " else " + tree_text(e.arguments[i]) + ")";
        }
        case ExpressionKind::Call:
            return e.text + "(" + list(e.arguments) + ")";
        case ExpressionKind::Derivative:
            return fmt::format("der{}({})", e.number, list(e.arguments));
        case ExpressionKind::Array:
            return "[" + list(e.arguments) + "]";
        case ExpressionKind::Index: {
            std::vector<Expression> rest(e.arguments.begin() + 1, e.arguments.end());
            return "(" + tree_text(e.arguments[0]) + ")[" + list(rest) + "]";
        }
        case ExpressionKind::Range:
            return e.arguments.empty() ? ":" : tree_text(e.arguments[0]) + ":" + tree_text(e.arguments[1]);
    }
    return "";
}

std::string tree_text(const ConnectionExpression& e) {
    return std::visit(
        overloaded{
            [](const Reference& r) { return tree_text(r); },
            [](const ConnectionList& l) {
                std::string out = "{";
                Role role = Role::Across;
                for (std::size_t i = 0; i < l.parts.size(); ++i) {
                    if (l.roles[i] != role)
                        out += i ? " / " : "/ ";
                    else if (i)
                        out += ", ";
                    role = l.roles[i];
                    out += tree_text(l.parts[i]);
                }
                return out + "}";
            },
            [](const ConnectionPath& p) {
                return (p.of.parts.empty() ? "" : tree_text(p.of) + "..") + "<" + tree_text(p.ends[0]) +
                       " - " + tree_text(p.ends[1]) + ">";
            },
            [](const ConnectionOperation& o) {
                if (o.op == ConnectionOperator::Reversed)
                    return "(reversed " + tree_text(o.operands[0]) + ")";
                return "(" + tree_text(o.operands[0]) + " " + word(o.op) + " " + tree_text(o.operands[1]) +
                       ")";
            },
            [](const ConnectionValue& v) { return v.value ? "=" + tree_text(*v.value) : std::string("."); },
        },
        e.what);
}

std::string tree_text(const Item& item, int indent) {
    const std::string in = pad(indent);
    return std::visit(
        overloaded{
            [&](const VariableDeclaration& v) { return in + text(v) + "\n"; },
            [&](const DefaultValue& d) {
                return in + "default " + tree_text(d.variable) + " = " + tree_text(d.value) + "\n";
            },
            [&](const Component& c) {
                std::string out = in + "submodel (" + c.type + ") " + c.name + dimensions(c.dimensions);
                for (std::size_t i = 0; i < c.arguments.size(); ++i) {
                    const Argument& a = c.arguments[i];
                    out += (i ? ", " : "(") + (a.name ? *a.name + "=" : "") + tree_text(a.value);
                }
                if (!c.arguments.empty()) out += ")";
                if (!c.description.empty()) out += " " + quoted(c.description);
                return out + "\n";
            },
            [&](const Port& p) {
                return in + (p.main ? "main " : "") + (p.node ? "node" : "cut") +
                       (p.name.empty() ? "" : " ") + p.name + dimensions(p.dimensions) +
                       (p.body ? " " + text(*p.body) : "") + "\n";
            },
            [&](const Path& p) {
                return in + (p.main ? "main " : "") + "path" + (p.name.empty() ? "" : " ") + p.name + " <" +
                       text(p.from) + " - " + text(p.to) + ">\n";
            },
            [&](const Connection& c) {
                std::string out = in + "connect";
                if (!c.name.empty()) out += " (" + c.name + ")";
                for (std::size_t i = 0; i < c.expressions.size(); ++i)
                    out += (i ? ", " : " ") + tree_text(c.expressions[i]);
                return out + "\n";
            },
            [&](const Equation& e) { return in + text(e) + "\n"; },
            [&](const InitialEquation& e) { return in + "initial " + text(e.equation) + "\n"; },
            [&](const InitialValue& v) {
                return in + (v.guess ? "guess " : "") + tree_text(v.variable) + (v.guess ? " = " : "(0) = ") +
                       tree_text(v.value) + "\n";
            },
            [&](const ProcedureCall& p) {
                std::string out = in + "{";
                for (std::size_t i = 0; i < p.outputs.size(); ++i)
                    out += (i ? ", " : "") + tree_text(p.outputs[i]);
                return out + "} = " + p.procedure + "(" + list(p.arguments) + ")\n";
            },
            [&](const Valid& v) {
                if (v.level == AssertionLevel::Validity) return in + "valid " + tree_text(v.condition) + "\n";
                return in + "assert(" + tree_text(v.condition) + ", " + quoted(v.text) +
                       (v.level == AssertionLevel::Warning ? ", warning)\n" : ")\n");
            },
            [&](const PreferredStates& s) {
                std::string out = in + "state";
                if (s.select != StateSelect::Prefer) out += std::string(" ") + word(s.select);
                for (std::size_t i = 0; i < s.variables.size(); ++i)
                    out += (i ? ", " : " ") + tree_text(s.variables[i]);
                return out + "\n";
            },
            [&](const When& w) {
                std::string out = in + "when " + tree_text(w.condition) + "\n";
                out += text(w.statements, indent + 1);
                for (const ElseWhen& e : w.otherwise)
                    out += in + "elsewhen " + tree_text(e.condition) + "\n" + text(e.statements, indent + 1);
                return out;
            },
            [&](const Table& t) { return in + text(t) + "\n"; },
            [&](const std::shared_ptr<Function>& f) { return text(*f, indent); },
            [&](const std::shared_ptr<Class>& c) { return text(*c, indent); },
            [&](const StructureIf& s) {
                std::string out;
                for (std::size_t i = 0; i < s.branches.size(); ++i) {
                    const StructureBranch& b = s.branches[i];
                    out += in +
                           (b.condition ? (i ? "elseif " : "if ") + tree_text(*b.condition)
                                        : std::string("else")) +
                           "\n" + text(b.items, indent + 1);
                }
                return out;
            },
            [&](const StructureFor& f) {
                return in + "for " + f.variable + " := " + tree_text(*f.from) + " to " + tree_text(*f.to) +
                       (f.step ? " step " + tree_text(*f.step) : "") + "\n" + text(f.items, indent + 1);
            },
        },
        item.what);
}

std::string tree_text(const Class& c) {
    return text(c, 0);
}

std::string tree_text(const File& file) {
    std::string out;
    for (const File::Library& l : file.libraries) out += "library " + quoted(l.path) + "\n";
    for (const Table& t : file.tables) out += text(t) + "\n";
    for (const auto& f : file.functions) out += text(*f, 0);
    for (const auto& c : file.classes) out += text(*c, 0);
    return out;
}

}  // namespace cutset::tree
