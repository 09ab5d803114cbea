#include "languages/modelica/write.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>

#include "languages/modelica/cuts.h"
#include "languages/modelica/expression_text.h"
#include "languages/modelica/function_text.h"

namespace cutset::modelica {

using namespace tree;

namespace {

// The first paragraph of the documentation, as the description string of a class.
std::string description(const std::string& text) {
    if (text.empty()) return "";
    std::string line = text.substr(0, text.find("\n\n"));
    std::replace(line.begin(), line.end(), '\n', ' ');
    return " " + string_literal(line);
}

// The rest of it, as an annotation.
std::string documentation(const std::string& text, int indent) {
    const std::size_t gap = text.find("\n\n");
    if (gap == std::string::npos) return "";
    return pad(indent) + "annotation(Documentation(info = " + string_literal(text.substr(gap + 2)) + "));\n";
}

class Writer {
  public:
    Writer(const ClassTree& classes, const Options& options)
        : tree_(classes), cuts_(classes), options_(options) {}

    std::string run() {
        std::string package =
            options_.package.empty() && !tree_.files.empty() ? stem(tree_.files[0]->path) : options_.package;
        if (package.empty()) package = "Models";
        package_ = package;
        std::string body;
        std::set<std::string> written;
        for (const auto& file : tree_.files) {
            for (const auto& f : file->functions)
                if (written.insert(f->name).second) body += "\n" + function_text(*f, 1);
            for (const Table& t : file->tables)
                if (written.insert(t.name).second) body += "\n" + table_text(t, 1);
        }
        for (const auto& file : tree_.files)
            for (const auto& c : file->classes) {
                if (written.insert(c->name).second)
                    body += "\n" + model(*c, 1);
                else
                    body += "\n" + pad(1) + "// another model `" + c->name +
                            "` is hidden by the one above and not written\n";
            }
        std::string out = "package " + identifier(package);
        out += tree_.files.empty() ? "\n" : description(tree_.files[0]->documentation) + "\n";
        out += connectors();
        if (!tree_.files.empty()) body += documentation(tree_.files[0]->documentation, 1);
        return out + body + "end " + identifier(package) + ";\n";
    }

  private:
    // ---- connectors

    std::string connector(const Shape& shape) {
        const std::string key = shape.key();
        const auto it = connector_names_.find(key);
        if (it != connector_names_.end()) return it->second;
        // Those it is made of first.
        for (const Shape::Element& e : shape.elements)
            if (!e.group.empty()) connector(e.group[0]);
        std::size_t across = 0, through = 0;
        bool simple = true;
        for (const Shape::Element& e : shape.elements) {
            ++(e.role == Role::Across ? across : through);
            simple = simple && e.group.empty() && e.size.empty();
        }
        std::string name =
            simple ? fmt::format("Cut_{}_{}", across, through) : fmt::format("CutGroup{}", ++groups_);
        connector_names_.emplace(key, name);
        connector_order_.push_back(shape);
        return name;
    }

    std::string connectors() {
        std::string out;
        for (const Shape& s : connector_order_) {
            const std::string name = connector_names_.at(s.key());
            std::string fields;
            std::size_t across = 0, through = 0, cuts = 0;
            for (const Shape::Element& e : s.elements) {
                if (!e.group.empty())
                    fields +=
                        fmt::format("{}{} c{};\n", pad(2), connector_names_.at(e.group[0].key()), ++cuts);
                else if (e.role == Role::Across)
                    fields += fmt::format("{}Real a{}{};\n", pad(2), ++across, e.size);
                else
                    fields += fmt::format("{}flow Real t{}{};\n", pad(2), ++through, e.size);
            }
            std::string parts;
            const auto say = [&](std::size_t n, const char* what) {
                if (n)
                    parts += fmt::format("{}{} {}{}", parts.empty() ? "" : ", ", n, what, n > 1 ? "s" : "");
            };
            say(across, "across variable");
            say(through, "through variable");
            say(cuts, "cut");
            out += fmt::format("\n{}connector {} \"{}\"\n{}{}end {};\n", pad(1), name,
                               parts.empty() ? "nothing" : parts, fields, pad(1), name);
        }
        return out;
    }

    // ---- models

    // What a model's items become, section by section.
    struct Sections {
        std::string classes, declarations, hidden, initial, equations, algorithms;
    };

    // `if` around declarations: their condition in Modelica.
    struct Where {
        std::string condition;  // empty: always
        bool in_loop = false;
    };

    std::string model(const Class& c, int indent, const std::string& name_given = "") {
        const std::string name = identifier(name_given.empty() ? c.name : name_given);
        const Class* outer = class_;
        class_ = &c;
        const std::size_t outer_values = values_;
        values_ = 0;
        Sections s;
        const Members& m = cuts_.members(&c);
        items(c.items, s, indent + 1, {}, indent + 1);
        cut_equations(m, s, indent + 1);
        starts(c.items, s, indent + 1);
        std::string out = pad(indent) + "model " + name + description(c.documentation) + "\n";
        out += s.classes + s.declarations;
        if (!s.hidden.empty()) out += pad(indent) + "protected\n" + s.hidden;
        if (!s.initial.empty()) out += pad(indent) + "initial equation\n" + s.initial;
        if (!s.equations.empty()) out += pad(indent) + "equation\n" + s.equations;
        if (!s.algorithms.empty()) out += pad(indent) + "algorithm\n" + s.algorithms;
        out += documentation(c.documentation, indent + 1) + pad(indent) + "end " + name + ";\n";
        class_ = outer;
        values_ = outer_values;
        return out;
    }

    // `depth` is where equations stand (inside loops deeper than `indent`, where declarations stand).
    void items(const std::vector<Item>& list, Sections& s, int indent, const Where& where, int depth) {
        for (const Item& item : list) {
            if (const auto* v = std::get_if<VariableDeclaration>(&item.what))
                variable(*v, s, indent, where);
            else if (const auto* d = std::get_if<DefaultValue>(&item.what))
                default_value(*d, s, indent);
            else if (const auto* k = std::get_if<Component>(&item.what))
                component(*k, s, indent, where);
            else if (const auto* p = std::get_if<Port>(&item.what))
                port(*p, s, indent, where);
            else if (const auto* path = std::get_if<Path>(&item.what))
                path_ends(*path, s, indent, where);
            else if (const auto* n = std::get_if<Connection>(&item.what))
                connection(*n, s, indent, depth);
            else if (const auto* e = std::get_if<Equation>(&item.what))
                s.equations += pad(depth) + equation(*e) + ";\n";
            else if (const auto* i = std::get_if<InitialEquation>(&item.what))
                s.initial += pad(indent) + equation(i->equation) + ";\n";
            else if (std::holds_alternative<InitialValue>(item.what) ||
                     std::holds_alternative<PreferredStates>(item.what))
                continue;  // with the declarations
            else if (const auto* call = std::get_if<ProcedureCall>(&item.what))
                procedure(*call, s, depth);
            else if (const auto* valid = std::get_if<Valid>(&item.what))
                s.equations +=
                    pad(depth) + "assert(" + expression_text(valid->condition) + ", " +
                    string_literal(valid->level == AssertionLevel::Validity
                                       ? "outside the region in which " + class_->name + " is valid"
                                       : valid->text) +
                    (valid->level == AssertionLevel::Error ? ");\n" : ", AssertionLevel.warning);\n");
            else if (const auto* w = std::get_if<When>(&item.what))
                when(*w, s, depth, depth == indent);
            else if (const auto* t = std::get_if<Table>(&item.what))
                s.classes += table_text(*t, indent);
            else if (const auto* f = std::get_if<std::shared_ptr<Function>>(&item.what))
                s.classes += function_text(**f, indent);
            else if (const auto* nested = std::get_if<std::shared_ptr<Class>>(&item.what))
                s.classes += model(**nested, indent, (*nested)->in_place ? (*nested)->name + "_model" : "");
            else if (const auto* choice = std::get_if<StructureIf>(&item.what))
                structure_if(*choice, s, indent, where, depth);
            else if (const auto* loop = std::get_if<StructureFor>(&item.what))
                structure_for(*loop, s, indent, where, depth);
        }
    }

    // parameter p = ?
    static bool is_question(const Expression& e) { return e.kind == ExpressionKind::Call && e.text == "?"; }

    static std::string equation(const Equation& e) {
        // A choice on the left of `=` needs brackets.
        std::string left = expression_text(e.left);
        if (e.left.kind == ExpressionKind::If) left = "(" + left + ")";
        return left + " = " + expression_text(e.right);
    }

    static std::string attributes(const VariableDeclaration& v, const std::string& more = "") {
        std::vector<std::string> parts;
        if (!more.empty()) parts.push_back(more);
        if (!v.quantity.empty()) parts.push_back("quantity = " + string_literal(v.quantity));
        if (!v.unit.empty()) parts.push_back("unit = " + string_literal(v.unit));
        if (v.minimum) parts.push_back("min = " + expression_text(*v.minimum));
        if (v.maximum) parts.push_back("max = " + expression_text(*v.maximum));
        if (v.nominal) parts.push_back("nominal = " + expression_text(*v.nominal));
        std::string out;
        for (const std::string& p : parts)
            out += (out.empty()            ? (v.dimensions.empty() ? "(" : "(each ")
                    : v.dimensions.empty() ? ", "
                                           : ", each ") +
                   p;
        return out.empty() ? "" : out + ")";
    }

    std::string start_of(const std::string& name) const {
        const auto it = starts_.find({class_, name});
        return it == starts_.end() ? "" : it->second;
    }

    void variable(const VariableDeclaration& v, Sections& s, int indent, const Where& where) {
        std::string prefix, more, value;
        const char* type = "Real";
        if (v.value) value = " = " + expression_text(*v.value);
        switch (v.kind) {
            case VariableKind::Parameter:
                prefix = "parameter ";
                break;
            case VariableKind::StructureParameter:
                prefix = "parameter ";
                if (!v.value || v.value->kind != ExpressionKind::Number ||
                    v.value->number == std::trunc(v.value->number))
                    type = "Integer";
                break;
            case VariableKind::Constant:
                prefix = "constant ";
                break;
            case VariableKind::Discrete:
                prefix = "discrete ";
                more =
                    "start = " + (v.value ? expression_text(*v.value) : std::string("0")) + ", fixed = true";
                value.clear();
                break;
            case VariableKind::Input:
                prefix = "input ";
                break;
            case VariableKind::Output:
                prefix = "output ";
                break;
            case VariableKind::Internal:
                prefix = "inner ";
                break;
            case VariableKind::External:
                prefix = "outer ";
                break;
            case VariableKind::Local:
            case VariableKind::Terminal:
                break;
        }
        if (more.empty()) more = start_of(v.name);
        const auto add = [&](const std::string& attribute) {
            more += (more.empty() ? "" : ", ") + attribute;
        };
        if (const auto wish = state_select_.find({class_, v.name}); wish != state_select_.end())
            add(std::string("stateSelect = StateSelect.") + word(wish->second));
        if (v.value && is_question(*v.value)) {
            value.clear();
            add("fixed = false");
        }
        if (v.kind == VariableKind::Input && value.empty()) {
            const auto it = defaults_.find({class_, v.name});
            if (it != defaults_.end()) value = " = " + it->second;
        }
        std::string named;
        if (v.type == ValueType::Boolean) type = "Boolean";
        if (v.type == ValueType::Integer) type = "Integer";
        if (v.type == ValueType::Enumeration) {
            named = identifier(v.name) + "Values";
            type = named.c_str();
            std::string literals;
            for (const std::string& literal : v.literals)
                literals += (literals.empty() ? "" : ", ") + identifier(literal);
            s.declarations += pad(indent) + "type " + named + " = enumeration(" + literals +
                              ");  // Modelica writes its values as " + named + "." +
                              identifier(v.literals.front()) + "\n";
        }
        std::string line = pad(indent) + prefix + type + " " + identifier(v.name) + index_text(v.dimensions) +
                           attributes(v, more) + value;
        if (!v.description.empty()) line += " " + string_literal(v.description);
        line += ";";
        if (!where.condition.empty()) line += "  // only if " + where.condition;
        s.declarations += line + "\n";
    }

    // Defaults hold where nothing outside refers to the variable: for an input that is Modelica's default
    // value.
    void default_value(const DefaultValue& d, Sections& s, int indent) {
        const Members& m = cuts_.members(class_);
        if (d.variable.parts.size() == 1) {
            const auto it = m.variable.find(d.variable.parts[0].name);
            if (it != m.variable.end() && it->second->kind == VariableKind::Input) return;
        }
        s.declarations += pad(indent) + "// default " + reference_text(d.variable) + " = " +
                          expression_text(d.value) +
                          ": holds where nothing outside refers to it; Modelica needs an equation there\n";
    }

    // The type as seen from this model. A submodel with the name of its type hides it, so that the full name
    // is needed.
    std::string type_name(const Component& k) const {
        const Class* type = cuts_.find(k.type, class_);
        if (!type) return identifier(k.type);
        std::string name = type->in_place && type->parent ? type->name + "_model" : type->name;
        if (!cuts_.members(class_).components.count(name)) return identifier(name);
        std::string full;
        for (const Class* c = type->parent; c; c = c->parent)
            full = identifier(c->in_place && c->parent ? c->name + "_model" : c->name) + "." + full;
        return "." + identifier(package_) + "." + full + identifier(name);
    }

    void component(const Component& k, Sections& s, int indent, const Where& where) {
        const Class* type = cuts_.find(k.type, class_);
        std::vector<const VariableDeclaration*> parameters;
        if (type)
            for (const VariableDeclaration* v : cuts_.members(type).variables)
                if (v->kind == VariableKind::Parameter || v->kind == VariableKind::StructureParameter)
                    parameters.push_back(v);
        std::string modification, note;
        for (std::size_t i = 0; i < k.arguments.size(); ++i) {
            const Argument& a = k.arguments[i];
            std::string name;
            if (a.name)
                name = *a.name;
            else if (i < parameters.size())
                name = parameters[i]->name;
            else {
                note += "  // value " + std::to_string(i + 1) + " (" + expression_text(a.value) +
                        ") belongs to no known parameter";
                continue;
            }
            modification += modification.empty() ? "(" : ", ";
            if (!k.dimensions.empty() && !mentions(a.value, "index")) modification += "each ";
            if (is_question(a.value)) {
                modification += identifier(name) + "(fixed = false)";
                continue;
            }
            modification += identifier(name) + " = ";
            if (!k.dimensions.empty() && mentions(a.value, "index"))
                modification += "{" + expression_text(a.value) +
                                " for index in 1:" + expression_text(k.dimensions[0]) + "}";
            else
                modification += expression_text(a.value);
        }
        if (!modification.empty()) modification += ")";
        std::string line =
            pad(indent) + type_name(k) + " " + identifier(k.name) + index_text(k.dimensions) + modification;
        if (!where.condition.empty()) line += " if " + where.condition;
        if (!k.description.empty()) line += " " + string_literal(k.description);
        if (!type) note += "  // this model type was not found";
        s.declarations += line + ";" + note + "\n";
    }

    // ---- cuts

    void port(const Port& p, Sections& s, int indent, const Where& where) {
        const Members& m = cuts_.members(class_);
        declare_port(m.ports[m.position.at(&p)], s, indent, where);
    }

    void path_ends(const Path& path, Sections& s, int indent, const Where& where) {
        const Members& m = cuts_.members(class_);
        for (const PathEnd* e : {&path.from, &path.to})
            if (const auto it = m.in_place.find(e); it != m.in_place.end())
                declare_port(m.ports[it->second], s, indent, where);
    }

    void declare_port(const Members::OwnPort& own, Sections& s, int indent, const Where& where) {
        const Port& p = *own.port;
        if (p.body) declare_cut_variables(*p.body, p, s, indent);
        if (own.grouping) return;
        const ShapePointer shape = cuts_.shape(class_, p);
        std::string& section = p.node ? s.hidden : s.declarations;
        if (!shape) {
            section += pad(indent) + "// the structure of " + (p.node ? "node " : "cut ") + own.connector +
                       " is not known: nothing is joined to it inside this model\n";
            return;
        }
        std::string line = pad(indent) + connector(*shape) + " " + own.connector + index_text(p.dimensions);
        if (!where.condition.empty()) line += " if " + where.condition;
        section += line + ";\n";
    }

    // A variable that only a cut names is declared by it.
    void declare_cut_variables(const std::vector<PortElement>& body, const Port& p, Sections& s, int indent) {
        const Members& m = cuts_.members(class_);
        for (const PortElement& e : body) {
            if (const auto* g = std::get_if<PortGroup>(&e.what))
                declare_cut_variables(g->elements, p, s, indent);
            const auto* v = std::get_if<PortVariable>(&e.what);
            if (!v || v->variable.parts.size() != 1) continue;
            const std::string& name = v->variable.parts[0].name;
            if (m.variable.count(name) || m.port.count(name) || !declared_.insert({class_, name}).second)
                continue;
            std::vector<std::string> parts;
            if (const std::string start = start_of(name); !start.empty()) parts.push_back(start);
            if (!v->unit.empty()) parts.push_back("unit = " + string_literal(v->unit));
            std::string attributes;
            for (const std::string& a : parts) attributes += (attributes.empty() ? "(" : ", ") + a;
            if (!attributes.empty()) attributes += ")";
            s.declarations +=
                pad(indent) + "Real " + identifier(name) + index_text(p.dimensions) + attributes + ";\n";
        }
    }

    // A.a1 = Va; A.t1 = -I;
    void cut_equations(const Members& m, Sections& s, int indent) {
        std::string out;
        for (const Members::OwnPort& own : m.ports) {
            const Port& p = *own.port;
            if (!p.body || own.grouping) continue;
            std::string lines;
            const bool array = !p.dimensions.empty();
            elements(*p.body, m, own.connector + (array ? "[index]" : ""), array, lines,
                     indent + (array ? 1 : 0));
            if (array && !lines.empty())
                lines = pad(indent) + "for index in 1:" + expression_text(p.dimensions[0]) + " loop\n" +
                        lines + pad(indent) + "end for;\n";
            out += lines;
        }
        if (!out.empty()) s.equations = out + s.equations;
    }

    void elements(const std::vector<PortElement>& body, const Members& m, const std::string& at, bool array,
                  std::string& lines, int indent) {
        std::size_t across = 0, through = 0, cuts = 0;
        for (const PortElement& e : body) {
            if (const auto* g = std::get_if<PortGroup>(&e.what)) {
                elements(g->elements, m, at + ".c" + std::to_string(++cuts), array, lines, indent);
                continue;
            }
            const auto* v = std::get_if<PortVariable>(&e.what);
            const auto* r = std::get_if<PortReference>(&e.what);
            const bool plain = v && v->variable.parts.size() == 1;
            const std::string name = plain ? v->variable.parts[0].name : "";
            if (r || (plain && m.port.count(name) && !m.variable.count(name))) {
                const Reference& port = r ? r->port : v->variable;
                lines += pad(indent) + "connect(" + at + ".c" + std::to_string(++cuts) + ", " +
                         reference_text(port) + ");\n";
                continue;
            }
            const std::string field = at + (e.role == Role::Across ? ".a" + std::to_string(++across)
                                                                   : ".t" + std::to_string(++through));
            if (!v)
                continue;  // a dot: the cut says nothing about it, and a through variable takes what is left
            std::string variable = reference_text(v->variable);
            if (array && plain && v->variable.parts[0].indices.empty()) variable += "[index]";
            lines += pad(indent) + field + " = " + (v->negative ? "-" : "") + variable + ";";
            const auto it = m.variable.find(name);
            if (it != m.variable.end() && (it->second->kind == VariableKind::Parameter ||
                                           it->second->kind == VariableKind::StructureParameter))
                lines += "  // a parameter: Modelica does not pass it on, give it on both sides";
            lines += "\n";
        }
    }

    // ---- connections

    void connection(const Connection& n, Sections& s, int indent, int depth) {
        const Cuts::Join join = [&](const CutValue& a, const CutValue& b) { joined(a, b, s, indent, depth); };
        const Cuts::Problem problem = [&](const std::string& why) {
            s.equations += pad(depth) + "// a connection was not written: " + why + "\n";
        };
        cuts_.evaluate(class_, n, join, problem);
    }

    static bool has_values(const CutValue& v) {
        return v.list && std::any_of(v.parts.begin(), v.parts.end(), [](const CutValue& p) {
                   return p.dot || p.value || !p.value_text.empty();
               });
    }

    void joined(const CutValue& a, const CutValue& b, Sections& s, int indent, int depth) {
        const auto connect = [&](const std::string& x, const std::string& y) {
            s.equations += pad(depth) + "connect(" + x + ", " + y + ");\n";
        };
        const auto give_up = [&] {
            s.equations += pad(depth) + "// a join of cuts of unequal structure was not written\n";
        };
        if (has_values(a) || has_values(b)) {
            const CutValue& values = has_values(a) ? a : b;
            const CutValue& other = has_values(a) ? b : a;
            if (other.list || !other.shape) return give_up();
            return connect(values_component(values, *other.shape, s, indent), other.path);
        }
        if (!a.list && !b.list) {
            if (a.path.empty() || b.path.empty()) return give_up();
            return connect(a.path, b.path);
        }
        if (a.list && b.list) {
            if (a.parts.size() != b.parts.size()) return give_up();
            for (std::size_t i = 0; i < a.parts.size(); ++i) joined(a.parts[i], b.parts[i], s, indent, depth);
            return;
        }
        // A list against a connector that holds cuts.
        const CutValue& list = a.list ? a : b;
        const CutValue& whole = a.list ? b : a;
        std::size_t cuts = 0;
        if (whole.shape) cuts = whole.shape->elements.size();
        if (cuts != list.parts.size()) return give_up();
        for (std::size_t i = 0; i < cuts; ++i) {
            if (whole.shape->elements[i].group.empty()) return give_up();
            CutValue part;
            part.path = whole.path + ".c" + std::to_string(i + 1);
            part.shape = std::make_shared<const Shape>(whole.shape->elements[i].group[0]);
            joined(list.parts[i], part, s, indent, depth);
        }
    }

    // (., ., 1000 / 0.2) is the cut of a small model of its own.
    std::string values_component(const CutValue& values, const Shape& shape, Sections& s, int indent) {
        const std::string number = std::to_string(++values_);
        const std::string name = "values" + number;
        std::string inputs, equations, modification;
        std::size_t across = 0, through = 0;
        for (std::size_t i = 0; i < values.parts.size(); ++i) {
            const CutValue& v = values.parts[i];
            const bool is_across = i < values.roles.size() && values.roles[i] == Role::Across;
            const std::string field =
                is_across ? "a" + std::to_string(++across) : "t" + std::to_string(++through);
            if (v.dot) continue;
            const std::string text = v.value ? expression_text(*v.value) : v.value_text;
            if (text.empty()) continue;
            inputs += pad(indent + 1) + "input Real " + field + ";\n";
            equations += pad(indent + 1) + "c." + field + " = " + field + ";\n";
            modification += (modification.empty() ? "(" : ", ") + field + " = " + text;
        }
        if (!modification.empty()) modification += ")";
        s.classes += pad(indent) + "model Values" + number + " \"a cut with given values\"\n" +
                     pad(indent + 1) + connector(shape) + " c;\n" + inputs +
                     (equations.empty() ? "" : pad(indent) + "equation\n" + equations) + pad(indent) +
                     "end Values" + number + ";\n";
        s.hidden += pad(indent) + "Values" + number + " " + name + modification + ";\n";
        return name + ".c";
    }

    // ---- initial values

    // x(0) = e: `start` at the declaration, fixed when the model has a derivative of x; elsewhere an initial
    // equation.
    void starts(const std::vector<Item>&, Sections& s, int indent) {
        const auto it = far_starts_.find(class_);
        if (it == far_starts_.end()) return;
        for (const std::string& line : it->second) s.initial += pad(indent) + line + ";\n";
    }

  public:
    // Collects, before any text is made, what declarations need to know of statements elsewhere in their
    // model.
    void prepare() {
        for (const Class* c : cuts_.classes()) {
            std::set<std::string> derived;
            std::vector<const InitialValue*> initial;
            std::map<std::string, std::string> given;
            walk(*c, c->items, derived, initial, given);
            for (const auto& [name, e] : given) starts_[{c, name}] = "start = " + e + ", fixed = true";
            for (const InitialValue* v : initial) {
                const Reference& r = v->variable;
                const std::string value = expression_text(v->value);
                if (r.parts.size() == 1 && r.parts[0].indices.empty() && !mentions(v->value, "index"))
                    starts_[{c, r.parts[0].name}] =
                        "start = " + value +
                        (derived.count(r.parts[0].name) && !v->guess ? ", fixed = true" : "");
                else if (!v->guess)
                    far_starts_[c].push_back(reference_text(r) + " = " + value);
            }
        }
    }

  private:
    void walk(const Class& c, const std::vector<Item>& list, std::set<std::string>& derived,
              std::vector<const InitialValue*>& initial, std::map<std::string, std::string>& given) {
        for (const Item& item : list) {
            if (const auto* e = std::get_if<Equation>(&item.what)) {
                derivatives(e->left, derived, given);
                derivatives(e->right, derived, given);
            } else if (const auto* v = std::get_if<InitialValue>(&item.what)) {
                initial.push_back(v);
            } else if (const auto* d = std::get_if<DefaultValue>(&item.what)) {
                if (d->variable.parts.size() == 1)
                    defaults_[{&c, d->variable.parts[0].name}] = expression_text(d->value);
            } else if (const auto* p = std::get_if<PreferredStates>(&item.what)) {
                for (const Reference& r : p->variables)
                    if (r.parts.size() == 1) state_select_[{&c, r.parts[0].name}] = p->select;
            } else if (const auto* choice = std::get_if<StructureIf>(&item.what)) {
                for (const StructureBranch& b : choice->branches) walk(c, b.items, derived, initial, given);
            } else if (const auto* loop = std::get_if<StructureFor>(&item.what)) {
                walk(c, loop->items, derived, initial, given);
            }
        }
    }

    // Names under derivatives, and initial values given there: der(x, x0).
    static void derivatives(const Expression& e, std::set<std::string>& derived,
                            std::map<std::string, std::string>& given) {
        if (e.kind == ExpressionKind::Derivative && !e.arguments.empty() &&
            e.arguments[0].kind == ExpressionKind::Reference && e.arguments[0].reference.parts.size() == 1) {
            const std::string& name = e.arguments[0].reference.parts[0].name;
            derived.insert(name);
            if (e.arguments.size() > 1) given[name] = expression_text(e.arguments[1]);
        }
        for (const Expression& a : e.arguments) derivatives(a, derived, given);
    }

    // ---- equations with a structure

    static void procedure(const ProcedureCall& call, Sections& s, int depth) {
        std::string outputs, arguments;
        for (const Reference& r : call.outputs) outputs += (outputs.empty() ? "" : ", ") + reference_text(r);
        for (const Expression& a : call.arguments)
            arguments += (arguments.empty() ? "" : ", ") + expression_text(a);
        s.equations +=
            pad(depth) + "(" + outputs + ") = " + identifier(call.procedure) + "(" + arguments + ");\n";
    }

    static bool mentions(const Expression& e, const std::string& name) {
        if (e.kind == ExpressionKind::Reference && reference_text(e.reference) == name) return true;
        return std::any_of(e.arguments.begin(), e.arguments.end(),
                           [&](const Expression& a) { return mentions(a, name); });
    }

    // Modelica lets one when-equation set a variable. Where several do, or the condition has the variable
    // itself, the assignments stand in the algorithm section: there the later one counts, and a name is its
    // value before.
    bool needs_algorithm(const When& w) const {
        const auto targets = [](const When& clause) {
            std::vector<std::string> names;
            for_each_statement(clause, [&](const WhenStatement& statement) {
                if (const auto* a = std::get_if<WhenAssignment>(&statement.what))
                    names.push_back(reference_text(a->target));
            });
            return names;
        };
        const std::vector<std::string> own = targets(w);
        for (const std::string& name : own)
            if (mentions(w.condition, name)) return true;
        for (const Item& item : class_->items) {
            const auto* other = std::get_if<When>(&item.what);
            if (!other || other == &w) continue;
            for (const std::string& name : targets(*other))
                if (std::find(own.begin(), own.end(), name) != own.end()) return true;
        }
        return false;
    }

    // Which statements of a `when` are written: all, or those of one section.
    enum class Part { All, Assignments, Others };

    static std::string when_body(const std::vector<WhenStatement>& statements, Part part, int depth) {
        std::string out;
        for (const WhenStatement& statement : statements) {
            const auto* a = std::get_if<WhenAssignment>(&statement.what);
            const auto* choice = std::get_if<WhenIf>(&statement.what);
            const auto* loop = std::get_if<WhenFor>(&statement.what);
            if (choice) {
                std::string text;
                bool any = false;
                for (std::size_t i = 0; i < choice->branches.size(); ++i) {
                    const WhenBranch& b = choice->branches[i];
                    const std::string body = when_body(b.statements, part, depth + 1);
                    any = any || !body.empty();
                    text += pad(depth) +
                            (b.condition ? (i ? "elseif " : "if ") + expression_text(*b.condition) + " then"
                                         : std::string("else")) +
                            "\n" + body;
                }
                if (any) out += text + pad(depth) + "end if;\n";
            } else if (loop) {
                const std::string body = when_body(loop->statements, part, depth + 1);
                if (!body.empty())
                    out += pad(depth) + "for " + identifier(loop->variable) + " in " +
                           expression_text(loop->from) + ":" +
                           (loop->step ? expression_text(*loop->step) + ":" : "") +
                           expression_text(loop->to) + " loop\n" + body + pad(depth) + "end for;\n";
            } else if (part == Part::All || (a != nullptr) == (part == Part::Assignments)) {
                out += pad(depth) + when_statement(statement, part == Part::Assignments) + ";\n";
            }
        }
        return out;
    }

    static std::string when_statement(const WhenStatement& statement, bool algorithm) {
        if (const auto* a = std::get_if<WhenAssignment>(&statement.what))
            return reference_text(a->target) + (algorithm ? " := " : " = ") + expression_text(a->value);
        if (const auto* r = std::get_if<WhenReinit>(&statement.what))
            return "reinit(" + reference_text(r->target) + ", " + expression_text(r->value) + ")";
        if (const auto* e = std::get_if<WhenEquation>(&statement.what))
            return expression_text(e->left) + " = " + expression_text(e->right);
        return "terminate(" + string_literal(std::get<WhenTerminate>(statement.what).message) + ")";
    }

    void when(const When& w, Sections& s, int depth, bool top) const {
        const auto clause = [&](Part part) {
            std::string body = when_body(w.statements, part, depth + 1);
            std::string out = pad(depth) + "when " + expression_text(w.condition) + " then\n" + body;
            bool any = !body.empty();
            for (const ElseWhen& e : w.otherwise) {
                body = when_body(e.statements, part, depth + 1);
                any = any || !body.empty();
                out += pad(depth) + "elsewhen " + expression_text(e.condition) + " then\n" + body;
            }
            return any ? out + pad(depth) + "end when;\n" : std::string();
        };
        if (!top || !needs_algorithm(w)) {
            s.equations += clause(Part::All);
            return;
        }
        s.equations += clause(Part::Others);
        s.algorithms += clause(Part::Assignments);
    }

    void structure_if(const StructureIf& choice, Sections& s, int indent, const Where& where, int depth) {
        std::string earlier;  // none of the branches before
        std::string equations;
        for (std::size_t i = 0; i < choice.branches.size(); ++i) {
            const StructureBranch& b = choice.branches[i];
            std::string own = b.condition ? "(" + expression_text(*b.condition) + ")" : "";
            std::string condition = earlier;
            if (!own.empty()) condition += (condition.empty() ? "" : " and ") + own;
            if (!where.condition.empty()) condition = where.condition + " and " + condition;
            if (!own.empty()) earlier += (earlier.empty() ? "" : " and ") + ("not " + own);
            const std::string outside = std::move(s.equations);
            s.equations.clear();
            items(b.items, s, indent, {condition, where.in_loop}, depth + 1);
            const std::string inside = std::move(s.equations);
            s.equations = outside;
            equations +=
                pad(depth) +
                (b.condition ? (i ? "elseif " : "if ") + expression_text(*b.condition) + " then" : "else") +
                "\n" + inside;
        }
        s.equations += equations + pad(depth) + "end if;\n";
    }

    void structure_for(const StructureFor& loop, Sections& s, int indent, const Where& where, int depth) {
        const std::string outside = std::move(s.equations);
        s.equations.clear();
        items(loop.items, s, indent, {where.condition, true}, depth + 1);
        const std::string inside = std::move(s.equations);
        s.equations = outside + pad(depth) + "for " + identifier(loop.variable) + " in " +
                      expression_text(*loop.from) + ":" +
                      (loop.step ? expression_text(*loop.step) + ":" : "") + expression_text(*loop.to) +
                      " loop\n" + inside + pad(depth) + "end for;\n";
    }

    static std::string stem(const std::string& path) {
        std::size_t begin = path.find_last_of('/');
        begin = begin == std::string::npos ? 0 : begin + 1;
        std::string name = path.substr(begin, path.find_last_of('.') - begin);
        for (char& c : name)
            if (!std::isalnum(static_cast<unsigned char>(c)) && c != '_') c = '_';
        if (name.empty() || std::isdigit(static_cast<unsigned char>(name[0]))) name = "Models_" + name;
        name[0] = static_cast<char>(std::toupper(static_cast<unsigned char>(name[0])));
        return name;
    }

    const ClassTree& tree_;
    Cuts cuts_;
    const Options& options_;
    std::string package_;
    const Class* class_ = nullptr;
    std::map<std::string, std::string> connector_names_;  // by the key of the shape
    std::vector<Shape> connector_order_;
    std::size_t groups_ = 0;
    std::size_t values_ = 0;
    std::set<std::pair<const Class*, std::string>> declared_;  // only asked whether, never listed
    std::map<std::pair<const Class*, std::string>, std::string> starts_, defaults_;
    std::map<const Class*, std::vector<std::string>> far_starts_;
    std::map<std::pair<const Class*, std::string>, StateSelect> state_select_;
};

}  // namespace

std::string write_modelica(const ClassTree& classes, const Options& options) {
    Writer writer(classes, options);
    writer.prepare();
    return writer.run();
}

}  // namespace cutset::modelica
