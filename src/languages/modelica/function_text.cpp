#include "languages/modelica/function_text.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>
#include <set>

#include "languages/modelica/expression_text.h"

namespace cutset::modelica {

using namespace tree;

namespace {

std::string declaration(const VariableDeclaration& v, const char* prefix, int indent) {
    std::string out = pad(indent) + prefix + "Real " + identifier(v.name) + index_text(v.dimensions);
    if (!v.unit.empty()) out += "(unit = " + string_literal(v.unit) + ")";
    if (v.value) out += (v.kind == VariableKind::Constant ? " = " : " := ") + expression_text(*v.value);
    if (!v.description.empty()) out += " " + string_literal(v.description);
    return out + ";\n";
}

std::string statements(const std::vector<Statement>& body, int indent);

std::string statement(const Statement& s, int indent) {
    if (const auto* a = std::get_if<Assignment>(&s.what))
        return pad(indent) + reference_text(a->target) + " := " + expression_text(a->value) + ";\n";
    if (const auto* c = std::get_if<Conditional>(&s.what)) {
        std::string out;
        for (std::size_t i = 0; i < c->branches.size(); ++i) {
            const Branch& b = c->branches[i];
            out +=
                pad(indent) +
                (b.condition ? (i ? "elseif " : "if ") + expression_text(*b.condition) + " then" : "else") +
                "\n" + statements(b.body, indent + 1);
        }
        return out + pad(indent) + "end if;\n";
    }
    if (const auto* f = std::get_if<ForStatement>(&s.what))
        return pad(indent) + "for " + identifier(f->variable) + " in " + expression_text(f->from) + ":" +
               (f->step ? expression_text(*f->step) + ":" : "") + expression_text(f->to) + " loop\n" +
               statements(f->body, indent + 1) + pad(indent) + "end for;\n";
    if (const auto* leave = std::get_if<LeaveStatement>(&s.what))
        return pad(indent) + (leave->loop ? "break;\n" : "return;\n");
    if (const auto* a = std::get_if<AssertStatement>(&s.what))
        return pad(indent) + "assert(" + expression_text(a->condition) + ", " + string_literal(a->text) +
               ");\n";
    const auto& w = std::get<WhileStatement>(s.what);
    return pad(indent) + "while " + expression_text(w.condition) + " loop\n" +
           statements(w.body, indent + 1) + pad(indent) + "end while;\n";
}

std::string statements(const std::vector<Statement>& body, int indent) {
    std::string out;
    for (const Statement& s : body) out += statement(s, indent);
    return out;
}

// The number an entry of a table stands for, if it is one.
std::optional<double> constant(const Expression& e) {
    if (e.kind == ExpressionKind::Number) return e.number;
    if (e.kind == ExpressionKind::Negate && e.arguments[0].kind == ExpressionKind::Number)
        return -e.arguments[0].number;
    return std::nullopt;
}

std::string vector_text(const std::vector<double>& values) {
    std::string out = "{";
    for (std::size_t i = 0; i < values.size(); ++i) out += (i ? ", " : "") + fmt::format("{}", values[i]);
    return out + "}";
}

// Finds k with x[k] <= u < x[k + 1] (the first or last piece outside) and the place w in it, from 0 to 1
// inside.
std::string locate(const std::string& u, const std::string& axis, const std::string& k, const std::string& w,
                   Outside outside, int indent) {
    std::string out = pad(indent) + k + " := 1;\n";
    out += pad(indent) + "while " + k + " < size(" + axis + ", 1) - 1 and " + u + " >= " + axis + "[" + k +
           " + 1] loop\n";
    out += pad(indent + 1) + k + " := " + k + " + 1;\n" + pad(indent) + "end while;\n";
    std::string place =
        "(" + u + " - " + axis + "[" + k + "])/(" + axis + "[" + k + " + 1] - " + axis + "[" + k + "])";
    if (outside == Outside::Hold) place = "max(0, min(1, " + place + "))";
    out += pad(indent) + w + " := " + place + ";\n";
    if (outside == Outside::Error || outside == Outside::Periodic)
        out +=
            pad(indent) + "assert(" + w + " >= 0 and " + w + " <= 1, \"" + u + " is outside the table\");\n";
    return out;
}

}  // namespace

std::string function_text(const Function& f, int indent) {
    std::string out = pad(indent) + "function " + identifier(f.name);
    if (!f.documentation.empty()) {
        std::string line = f.documentation;
        std::replace(line.begin(), line.end(), '\n', ' ');
        out += " " + string_literal(line);
    }
    out += "\n";
    for (const VariableDeclaration& v : f.inputs) out += declaration(v, "input ", indent + 1);
    for (const VariableDeclaration& v : f.outputs) out += declaration(v, "output ", indent + 1);
    // The variable of a loop is declared by the loop.
    if (!f.locals.empty()) out += pad(indent) + "protected\n";
    for (const VariableDeclaration& v : f.locals)
        out += declaration(v, v.kind == VariableKind::Constant ? "constant " : "", indent + 1);
    if (f.external) {
        std::string inputs;
        for (const VariableDeclaration& v : f.inputs)
            inputs += (inputs.empty() ? "" : ", ") + identifier(v.name);
        if (f.outputs.size() == 1) {
            out += pad(indent) + "external \"C\" " + identifier(f.outputs[0].name) + " = " +
                   f.external->symbol + "(" + inputs +
                   ") annotation(Library = " + string_literal(f.external->library) + ");\n";
            if (!f.external->derivative.empty())
                out += pad(indent) + "// derivatives come from the C function " + f.external->derivative +
                       "(argument, " + inputs + ")\n";
        } else {
            out += pad(indent) + "// the C function " + f.external->symbol +
                   "(const double* in, double* out) of " + string_literal(f.external->library) +
                   " gives several results at once;\n" + pad(indent) +
                   "// Modelica calls each argument by itself, so that a small C wrapper is needed here\n";
        }
    } else {
        out += pad(indent) + "algorithm\n" + statements(f.body, indent + 1);
    }
    return out + pad(indent) + "end " + identifier(f.name) + ";\n";
}

namespace {

// A table as a function that looks its value up.
class TableText {
  public:
    TableText(const Table& table, int indent)
        : t_(table), outer_(pad(indent)), inner_(pad(indent + 1)), indent_(indent + 1) {}

    std::string write() {
        const std::string name = identifier(t_.name);
        out_ = outer_ + "function " + name + " \"table, ";
        out_ += t_.outside == Outside::Hold          ? "held"
                : t_.outside == Outside::Extrapolate ? "extrapolated"
                                                     : "an error";
        out_ += " outside its range\"\n";
        write_notes();
        write_interface();
        read_rows();
        if (t_.arguments.size() == 1) write_line();
        if (t_.arguments.size() == 2) write_grid();
        return out_ + outer_ + "end " + name + ";\n";
    }

  private:
    void line(const std::string& text) { out_ += inner_ + text + "\n"; }

    // What Modelica's function does otherwise.
    void write_notes() {
        if (t_.interpolation != Interpolation::Linear)
            line("// " + std::string(word(t_.interpolation)) +
                 (t_.interpolation == Interpolation::Smooth ? " (monotone cubic)" : "") +
                 " in the source; linear here");
        if (t_.outside == Outside::Periodic) line("// periodic in the source; an error outside here");
        if (!t_.results.empty()) line("// several columns in the source; the first one here");
    }

    void write_interface() {
        // The names used below are taken.
        static const std::set<std::string> taken = {"value", "xs", "ys", "zs", "i", "k", "v", "w"};
        for (const std::string& a : t_.arguments) {
            inputs_.push_back(identifier(taken.count(a) ? a + "_" : a));
            line("input Real " + inputs_.back() + ";");
        }
        line("output Real value;");
        out_ += outer_ + "protected\n";
    }

    void read_rows() {
        for (const auto& row : t_.rows) {
            std::vector<double> values;
            for (const Expression& e : row) {
                const auto v = constant(e);
                numbers_ = numbers_ && v.has_value();
                values.push_back(v.value_or(0));
            }
            numbers_ = numbers_ && values.size() == t_.arguments.size() + 1;
            rows_.push_back(std::move(values));
        }
        std::sort(rows_.begin(), rows_.end());
    }

    // Left without value on purpose: a tool asks for it instead of computing with something else.
    void write_no_data(const std::string& why, std::initializer_list<const char*> constants) {
        line("// the data: " + (t_.file.empty() ? why : "file " + string_literal(t_.file)));
        for (const char* c : constants) line(std::string("constant Real ") + c + ";");
    }

    void write_line() {
        if (numbers_ && !rows_.empty()) {
            std::vector<double> x, y;
            for (const auto& r : rows_) {
                x.push_back(r[0]);
                y.push_back(r[1]);
            }
            line("constant Real xs[:] = " + vector_text(x) + ";");
            line("constant Real ys[:] = " + vector_text(y) + ";");
        } else {
            write_no_data("expressions of the model", {"xs[:]", "ys[:]"});
        }
        line("Integer k;");
        line("Real w;");
        out_ += outer_ + "algorithm\n";
        if (numbers_ && rows_.size() == 1) {
            line("value := ys[1];");
            return;
        }
        out_ += locate(inputs_[0], "xs", "k", "w", t_.outside, indent_);
        line("value := ys[k] + w*(ys[k + 1] - ys[k]);");
    }

    // A table of two arguments is a complete grid.
    void write_grid() {
        std::set<double> xs, ys;
        std::map<std::pair<double, double>, double> value;
        for (const auto& r : rows_)
            if (r.size() == 3) {
                xs.insert(r[0]);
                ys.insert(r[1]);
                value[{r[0], r[1]}] = r[2];
            }
        if (numbers_ && value.size() == xs.size() * ys.size() && xs.size() > 1 && ys.size() > 1) {
            line("constant Real xs[:] = " + vector_text({xs.begin(), xs.end()}) + ";");
            line("constant Real ys[:] = " + vector_text({ys.begin(), ys.end()}) + ";");
            std::string grid;
            for (double x : xs) {
                std::vector<double> values;
                for (double y : ys) values.push_back(value.at({x, y}));
                grid += (grid.empty() ? "" : ", ") + vector_text(values);
            }
            line("constant Real zs[:, :] = {" + grid + "};");
        } else {
            write_no_data(numbers_ ? "not a complete grid" : "expressions of the model",
                          {"xs[:]", "ys[:]", "zs[:, :]"});
        }
        for (const char* local : {"Integer i;", "Integer k;", "Real v;", "Real w;"}) line(local);
        out_ += outer_ + "algorithm\n";
        out_ += locate(inputs_[0], "xs", "i", "v", t_.outside, indent_) +
                locate(inputs_[1], "ys", "k", "w", t_.outside, indent_);
        line(
            "value := (1 - v)*((1 - w)*zs[i, k] + w*zs[i, k + 1]) + v*((1 - w)*zs[i + 1, k] + w*zs[i + 1, k "
            "+ "
            "1]);");
    }

    const Table& t_;
    const std::string outer_, inner_;
    const int indent_;
    std::string out_;
    std::vector<std::string> inputs_;
    std::vector<std::vector<double>> rows_;
    bool numbers_ = true;  // all that the rows hold
};

}  // namespace

std::string table_text(const Table& t, int indent) {
    return TableText(t, indent).write();
}

}  // namespace cutset::modelica
