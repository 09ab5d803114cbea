// FlatModel: names, text, verification.
#include "ir/flat_model.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <stdexcept>
#include <type_traits>

#include "ir/require.h"
#include "ir/stage_text.h"

namespace cutset {

InstanceIndex model_of(const FlatModel& model, InstanceIndex i) {
    while (model.instances[i].part) i = model.instances[i].parent;
    return i;
}

std::string FlatModel::path(InstanceIndex i) const {
    std::vector<const std::string*> names;
    for (; i.value != 0; i = instances[i].parent) names.push_back(&instances[i].name);
    std::string path;
    for (auto name = names.rbegin(); name != names.rend(); ++name) {
        if (!path.empty()) path += '.';
        path += **name;
    }
    return path;
}

std::string FlatModel::path(VariableIndex v) const {
    const std::string& name = variables[v].name;
    std::string of = path(variables[v].origin.instance);
    if (!of.empty()) of += '.';
    // A derivative that is a variable of its own: der(x) of submodel a is der(a.x).
    const std::size_t open = name.find('(');
    if (open == std::string::npos) return of + name;
    return name.substr(0, open + 1) + of + name.substr(open + 1);
}

void remove_equations(FlatModel& model, const std::vector<bool>& removed) {
    IndexedVector<EquationIndex, Equation> kept;
    std::vector<EquationIndex> place(removed.size());
    for (EquationIndex e(0); e < model.equations.end_index(); ++e.value)
        if (!removed[e.value]) place[e.value] = kept.add(std::move(model.equations[e]));
    for (Homotopy& h : model.homotopies) h.equation = place[h.equation.value];
    for (ClockOperator& op : model.clock_operators) op.equation = place[op.equation.value];
    model.equations = std::move(kept);
}

Printer FlatModel::printer() const {
    Printer names;
    names.variable = [this](VariableIndex v) { return path(v); };
    names.callee = [this](CalleeIndex c) {
        const std::string& name =
            std::visit([](const auto& what) -> const std::string& { return what.name; }, callees[c]);
        return name.empty() ? "piece" : name;  // counts the pieces of a table
    };
    names.value = [this](VariableIndex v, double value) {
        const ValueType type = variables[v].type;
        return type == ValueType::Real || type == ValueType::Integer ? std::string()
                                                                     : value_text(*this, v, value);
    };
    return names;
}

std::string FlatModel::text(const Equation& e) const {
    const Printer names = printer();
    const auto side = [&](Expr x, Expr other) {
        return other->op == Op::Variable && other->order == 0 ? to_text(x, other->variable(), names)
                                                              : to_text(x, names);
    };
    return side(e.left, e.right) + " = " + side(e.right, e.left);
}

namespace {

bool is_fixed(const Variable& v) {
    return v.variability == Variability::Parameter || v.variability == Variability::Constant;
}

class FlatPrinter {
  public:
    explicit FlatPrinter(const FlatModel& model)
        : model_(model), names_(model.printer()), out_(title(model)) {}

    std::string print() {
        variables("constants", [](const Variable& v) { return v.variability == Variability::Constant; });
        variables("parameters", [](const Variable& v) { return v.variability == Variability::Parameter; });
        variables("discrete variables",
                  [](const Variable& v) { return v.variability == Variability::Discrete; });
        variables("initial values", [](const Variable& v) { return !is_fixed(v) && v.start.has_value(); });
        equations();
        out_.section("initial equations");
        for (const Equation& e : model_.initial_equations) out_.line(model_.text(e));
        out_.section("discrete equations");
        for (const Equation& e : model_.discrete_equations) out_.line(model_.text(e));
        out_.section("when clauses");
        for (const WhenClause& w : model_.whens) write_when(out_, model_, w, "=");
        out_.section("valid");
        for (const Validity& v : model_.validities) out_.line(to_text(v.condition, names_));
        return out_.take();
    }

  private:
    const FlatModel& model_;
    Printer names_;
    SectionedText out_;

    static std::string title(const FlatModel& model) {
        std::size_t unknowns = 0;
        for (const Variable& v : model.variables) unknowns += v.variability == Variability::Continuous;
        return fmt::format("model {}: {}, {}", model.name, counted(model.equations.size(), "equation"),
                           counted(unknowns, "unknown"));
    }

    template <class Wanted>
    void variables(const char* heading, Wanted wanted) {
        out_.section(heading);
        for (VariableIndex i{0}; i < model_.variables.end_index(); ++i.value) {
            const Variable& v = model_.variables[i];
            if (!wanted(v)) continue;
            std::string text = model_.path(i);
            if (!is_fixed(v) && v.start)
                text += (v.start->only_guess ? ", guess " : "(0) = ") + to_text(v.start->value, i, names_);
            else if (v.binding)
                text += " = " + to_text(v.binding, i, names_);
            else if (is_fixed(v))
                text += " = " + value_text(model_, i, v.value);
            if (!v.unit.empty()) text += " [" + v.unit + "]";
            out_.line(text);
        }
    }

    // The equations of each submodel under its name, then those of the connections.
    void equations() {
        std::vector<EquationIndex> order;
        for (EquationIndex e{0}; e < model_.equations.end_index(); ++e.value) order.push_back(e);
        const auto is_connection = [&](EquationIndex e) {
            const EquationKind kind = model_.equations[e].kind;
            return kind == EquationKind::Across || kind == EquationKind::Through ||
                   kind == EquationKind::Unconnected;
        };
        const auto key = [&](EquationIndex e) {
            const bool connection = is_connection(e);
            return std::pair<bool, std::uint32_t>(connection,
                                                  connection ? 0 : model_.equations[e].origin.instance.value);
        };
        std::stable_sort(order.begin(), order.end(),
                         [&](EquationIndex a, EquationIndex b) { return key(a) < key(b); });
        out_.section("equations");
        std::optional<std::pair<bool, std::uint32_t>> last;
        for (EquationIndex e : order) {
            if (last != key(e)) {
                last = key(e);
                if (last->first) {
                    out_.section("connections");
                } else if (last->second != 0) {
                    const InstanceIndex i(last->second);
                    out_.line(fmt::format("-- {} ({})", model_.path(i), model_.instances[i].type));
                }
            }
            out_.line(model_.text(model_.equations[e]));
        }
    }
};

}  // namespace

double nominal_of(const Variable& v) {
    if (v.nominal && *v.nominal != 0) return std::abs(*v.nominal);
    double size = 0;
    for (const auto& bound : {v.minimum, v.maximum})
        if (bound && std::isfinite(*bound)) size = std::max(size, std::abs(*bound));
    if (size > 0) return size;
    if (v.start && v.start->value->is_number() && v.start->value->number != 0)
        return std::abs(v.start->value->number);
    return 1;
}

std::string value_text(const FlatModel& model, VariableIndex v, double value) {
    const Variable& variable = model.variables[v];
    if (variable.is_boolean()) return value != 0 ? "true" : "false";
    if (variable.type == ValueType::Enumeration) {
        const auto& literals = model.enumerations[variable.enumeration].literals;
        if (value >= 1 && value <= static_cast<double>(literals.size()))
            return literals[static_cast<std::size_t>(value) - 1];
    }
    return number_text(value);
}

void set_derivative_rules(FlatModel& model) {
    for (CalleeIndex c{0}; c < model.callees.end_index(); ++c.value)
        if (const auto* f = std::get_if<FunctionData>(&model.callees[c])) {
            if (f->derivative) model.pool->set_derivative(c, *f->derivative);
            if (!f->time_derivatives.empty()) model.pool->set_derivative(c, f->time_derivatives);
        }
}

std::string derivative_name(const std::string& name) {
    const std::size_t open = name.find('(');
    if (open == std::string::npos || name.compare(0, 3, "der") != 0) return "der(" + name + ")";
    const int order = open == 3 ? 1 : std::atoi(name.c_str() + 3);
    return "der" + std::to_string(order + 1) + name.substr(open);
}

std::string print(const FlatModel& model) {
    return FlatPrinter(model).print();
}

namespace {

class FlatVerifier {
  public:
    explicit FlatVerifier(const FlatModel& model) : model_(model) {}

    void run() const {
        require(model_.pool != nullptr, "a flat model has a pool");
        require(!model_.instances.empty(), "instance 0 is the model itself");
        for (InstanceIndex i{1}; i < model_.instances.end_index(); ++i.value)
            require(model_.instances[i].parent < i, "a submodel comes after the one that contains it");
        for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value) check_variable(v);
        for (const auto* list : {&model_.equations, &model_.initial_equations})
            for (const Equation& e : *list) check_equation(e, "an equation");
        for (const Equation& e : model_.discrete_equations) check_equation(e, "a discrete equation");
        for (const DerivativeStart& s : model_.derivative_starts) {
            require(s.variable < model_.variables.end_index(), "an initial value belongs to no variable");
            check(s.start.value, "the initial value of a derivative");
        }
        for (const WhenClause& w : model_.whens) check_when(w);
        for (const Validity& v : model_.validities) check(v.condition, "a validity");
        for (const Callee& callee : model_.callees)
            std::visit([&](const auto& c) { check_callee(c); }, callee);
    }

  private:
    void check_origin(const Origin& o) const {
        require(o.instance < model_.instances.end_index(), "an origin names an instance of the model");
    }

    void check(Expr root, const std::string& of) const {
        require(root != nullptr, of + " has no expression");
        for_each_node(root, [&](Expr e) {
            if (e->op == Op::Variable || e->op == Op::Previous)
                require(e->variable() < model_.variables.end_index(), of + " refers to no variable");
            require(e->op != Op::Local && e->op != Op::Element, of + " refers to a variable of a function");
            if (e->op == Op::Apply) check_call(e, of);
        });
    }

    void check_call(Expr e, const std::string& of) const {
        require(e->callee() < model_.callees.end_index(), of + " calls nothing");
        const Callee& callee = model_.callees[e->callee()];
        if (const auto* table = std::get_if<TableData>(&callee)) {
            require(e->argument_count == (table->y.empty() ? 1u : 2u) && e->order == 0,
                    of + " calls table " + table->name + " with a wrong number of arguments");
        } else {
            const auto& function = std::get<FunctionData>(callee);
            require(e->argument_count == function.inputs && e->order < function.outputs,
                    of + " calls function " + function.name + " with a wrong number of arguments");
        }
        for (int i = 0; i < e->derivatives; ++i)
            require(e->by[i] < e->argument_count, of + " has a derivative by no argument");
    }

    void check_variable(VariableIndex i) const {
        const Variable& v = model_.variables[i];
        require(v.origin.instance < model_.instances.end_index(),
                "variable " + v.name + " belongs to no instance");
        require(!v.by_equation || v.variability == Variability::Discrete,
                "what discrete equations determine is discrete: " + v.name);
        require(v.type != ValueType::Enumeration || v.enumeration < model_.enumerations.size(),
                "variable " + v.name + " has the values of no enumeration");
        if (v.binding) check(v.binding, "the value of " + model_.path(i));
        if (v.start) check(v.start->value, "the initial value of " + model_.path(i));
    }

    void check_equation(const Equation& e, const char* what) const {
        check_origin(e.origin);
        check(e.left, what);
        check(e.right, what);
    }

    void check_when(const WhenClause& w) const {
        check_origin(w.origin);
        check(w.condition, "a when condition");
        const auto check_action = [&](const auto& a) {
            check_origin(a.origin);
            if (a.guard) check(a.guard, "an action under `if`");
            if constexpr (!std::is_same_v<std::decay_t<decltype(a)>, WhenTerminate>) {
                require(a.target < model_.variables.end_index(), "a when action has no target");
                check(a.value, "a when action");
            }
        };
        for (const WhenAction& action : w.actions) std::visit(check_action, action);
    }

    void check_callee(const TableData& table) const {
        require(!table.x.empty() &&
                    table.values.size() == table.x.size() * std::max<std::size_t>(1, table.y.size()),
                "table " + table.name + " has a value for each point");
        const auto rises = [](const std::vector<double>& v) {
            return std::adjacent_find(v.begin(), v.end(), [](double a, double b) { return !(a < b); }) ==
                   v.end();
        };
        require(rises(table.x) && rises(table.y), "the arguments of table " + table.name + " rise");
    }
    void check_callee(const FunctionData& f) const {
        require(f.slots >= f.inputs + f.outputs && f.slot_names.size() >= f.inputs + f.outputs,
                "the arguments of function " + f.name + " have names");
    }

    const FlatModel& model_;
};

}  // namespace

void verify(const FlatModel& model) {
    FlatVerifier(model).run();
}

}  // namespace cutset
