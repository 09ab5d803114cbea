#include "objects/experiment.h"

#include <algorithm>
#include <unordered_set>
#include <utility>

#include "flat/boundaries.h"
#include "flat/flat_builder.h"
#include "flat/messages.h"
#include "flat/shape_text.h"
#include "ir/find_variables.h"
#include "objects/instance_messages.h"

namespace cutset::objects {

namespace {

using object::ExpressionKind;
using object::Operator;

object::Expression node(ExpressionKind kind, Span where) {
    object::Expression e;
    e.kind = kind;
    e.where = where;
    return e;
}

object::Expression operation(Operator op, Span where, std::vector<object::Expression> operands) {
    object::Expression e = node(ExpressionKind::Operation, where);
    e.op = op;
    e.arguments = std::move(operands);
    return e;
}

// a + b - c, a * b / c
object::Expression chain(const written::Expression& e, char plain, Operator add, Operator take) {
    object::Expression left = as_object_expression(e.arguments[0]);
    if (e.text[0] == '-') left = operation(Operator::Minus, e.where, {std::move(left)});
    for (std::size_t k = 1; k < e.arguments.size(); ++k)
        left = operation(e.text[k] == plain ? add : take, e.where,
                         {std::move(left), as_object_expression(e.arguments[k])});
    return left;
}

Operator relation(const std::string& text) {
    if (text == "<") return Operator::Less;
    if (text == "<=") return Operator::LessEqual;
    if (text == ">") return Operator::Greater;
    if (text == ">=") return Operator::GreaterEqual;
    return text == "=" ? Operator::Equal : Operator::NotEqual;
}

object::Name as_name(const written::Reference& reference) {
    object::Name name;
    name.where = reference.where;
    for (const written::ReferencePart& p : reference.parts) {
        object::NamePart part;
        part.name = p.name;
        part.where = p.where;
        for (const written::Expression& i : p.indices) part.indices.push_back(as_object_expression(i));
        name.parts.push_back(std::move(part));
    }
    return name;
}

// The words of the object languages for the boundary.
class ObjectBoundary : public BoundaryLanguage {
  public:
    explicit ObjectBoundary(Instances& instances)
        : instances_(instances), evaluator_(instances.evaluator()), model_(evaluator_.model()) {}

    BoundaryTarget target(const std::string& path, const char* option) override {
        const std::string plain = plain_path(path);
        BoundaryTarget out{find_variables(model_, plain), {}};
        if (out.variables.empty())
            report(messages::unknown_setting(option, path, plain, nearest_path(model_, plain)));
        return out;
    }
    std::vector<Expr> values(const written::Expression& expression, const BoundaryTarget& of,
                             const char* what) override {
        const std::size_t n = of.variables.size();
        const object::Expression value = as_object_expression(expression);
        Frame frame{*instances_.scope(Place{instances_.root, instances_.root->type})};
        try {
            const Value v = evaluator_.evaluate(value, frame);
            if (!v.has_exprs() || (!v.is_scalar() && v.size() != n))
                throw Refused{flat_messages::sizes_differ(
                    expression.where, "", what, std::to_string(n) + " values", shape_text(v.dimensions))};
            std::vector<Expr> out;
            for (std::size_t k = 0; k < n; ++k)
                out.push_back(evaluator_.number_of(v.expr(v.is_scalar() ? 0 : k)));
            return out;
        } catch (Refused& refused) {
            report(std::move(refused.diagnostic));
            return {};
        }
    }
    std::optional<Diagnostic> not_free(const std::string& path, VariableIndex v) override {
        const Variable& variable = model_.variables[v];
        const bool parameter = variable.variability == Variability::Parameter;
        if (parameter && variable.structural)
            return flat_messages::unknown_shapes_model(path, variable.origin.where);
        if (!parameter && !variable.top_input)
            return flat_messages::unknown_already(path, variable.origin.where);
        return std::nullopt;
    }
    std::optional<Diagnostic> not_an_input(const std::string& path, VariableIndex v) override {
        const Variable& variable = model_.variables[v];
        if (variable.top_input) return std::nullopt;
        return flat_messages::not_an_input(path, declared_word(variable), variable.origin.where,
                                           variable.variability == Variability::Parameter);
    }
    bool give(VariableIndex v) override { return given_.insert(v.value).second; }
    bool is_given(VariableIndex v) const { return given_.contains(v.value); }
    void report(Diagnostic d) override { evaluator_.diagnostics().report(std::move(d)); }

  private:
    Instances& instances_;
    Evaluator& evaluator_;
    FlatModel& model_;
    std::unordered_set<std::uint32_t> given_;
};

// `input Real u = e` of the model itself: u = e where the experiment says nothing else; for a linear model,
// whose inputs stay open, where it begins.
void take_declared_values(FlatModel& model, const Experiment& experiment, ObjectBoundary& boundary) {
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        Variable& u = model.variables[v];
        if (!u.top_input || !u.binding || u.variability != Variability::Continuous) continue;
        const Expr value = std::exchange(u.binding, nullptr);
        if (boundary.is_given(v)) continue;
        if (experiment.open) {
            u.start = Start{value, u.origin};
            continue;
        }
        FlatBuilder(model).input(v, value);
        boundary.give(v);
    }
}

void check_inputs(const FlatModel& model, const Experiment& experiment, ObjectBoundary& boundary) {
    if (experiment.open || !experiment.knowns.empty() || !experiment.unknowns.empty()) return;
    std::vector<std::string> missing;
    Span first;
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
        const Variable& u = model.variables[v];
        if (!u.top_input || boundary.is_given(v)) continue;
        if (missing.empty()) first = u.origin.where;
        missing.push_back(model.path(v));
    }
    if (!missing.empty()) boundary.report(flat_messages::inputs_not_given(first, missing, ""));
}

}  // namespace

object::Expression as_object_expression(const written::Expression& e) {
    using Kind = written::ExpressionKind;
    const auto with = [&](ExpressionKind kind) {
        object::Expression out = node(kind, e.where);
        for (const written::Expression& a : e.arguments) out.arguments.push_back(as_object_expression(a));
        return out;
    };
    const auto of = [&](Operator op) {
        object::Expression out = with(ExpressionKind::Operation);
        out.op = op;
        return out;
    };
    // and, or of several
    const auto joined = [&](Operator op) {
        object::Expression left = as_object_expression(e.arguments[0]);
        for (std::size_t k = 1; k < e.arguments.size(); ++k)
            left = operation(op, e.where, {std::move(left), as_object_expression(e.arguments[k])});
        return left;
    };
    switch (e.kind) {
        case Kind::Number: {
            const bool whole = e.number == static_cast<double>(static_cast<std::int64_t>(e.number)) &&
                               e.number < 1e9 && e.number > -1e9;
            object::Expression out = node(whole ? ExpressionKind::Integer : ExpressionKind::Real, e.where);
            out.number = e.number;
            return out;
        }
        case Kind::Text: {
            object::Expression out = node(ExpressionKind::String, e.where);
            out.text = e.text;
            return out;
        }
        case Kind::Truth: {
            object::Expression out = node(ExpressionKind::Boolean, e.where);
            out.number = e.number;
            return out;
        }
        case Kind::Reference: {
            object::Expression out = node(ExpressionKind::Name, e.where);
            out.name = as_name(e.reference);
            return out;
        }
        case Kind::Sum:
            return chain(e, '+', Operator::Add, Operator::Subtract);
        case Kind::Product:
            return chain(e, '*', Operator::Multiply, Operator::Divide);
        case Kind::Power:
            return of(Operator::Power);
        case Kind::Negate:
            return of(Operator::Minus);
        case Kind::Relation:
            return of(relation(e.text));
        case Kind::And:
            return joined(Operator::And);
        case Kind::Or:
            return joined(Operator::Or);
        case Kind::Not:
            return of(Operator::Not);
        case Kind::If:
            return with(ExpressionKind::If);
        case Kind::Call: {
            object::Expression out = with(ExpressionKind::Call);
            out.name.where = e.where;
            out.name.parts.push_back({e.text, {}, e.where});
            return out;
        }
        case Kind::Derivative: {
            object::Expression out = with(ExpressionKind::Derivative);
            out.number = e.number;
            return out;
        }
        case Kind::Array:
            return with(ExpressionKind::Array);
        case Kind::Index:
            return with(ExpressionKind::Index);
        case Kind::Range:
            return e.arguments.empty() ? node(ExpressionKind::Omitted, e.where) : with(ExpressionKind::Range);
    }
    return node(ExpressionKind::Omitted, e.where);
}

UserValues read_user_values(const std::vector<Experiment::Setting>& settings) {
    UserValues out;
    for (const Experiment::Setting& s : settings) {
        UserValue& v = out[plain_path(s.path)];
        v.value = as_object_expression(s.value);  // of two the later one counts
        v.path = s.path;
    }
    return out;
}

void check_user_values(Instances& instances, const Experiment& experiment, const UserValues& settings,
                       const UserValues& initials) {
    FlatModel& model = instances.evaluator().model();
    Diagnostics& diagnostics = instances.evaluator().diagnostics();
    for (const auto& [path, setting] : settings) {
        const bool known =
            std::any_of(experiment.knowns.begin(), experiment.knowns.end(),
                        [&, &path = path](const Experiment::Known& k) { return plain_path(k.path) == path; });
        if (setting.used || known) continue;
        const std::vector<VariableIndex> found = find_variables(model, path);
        if (found.empty()) {
            diagnostics.report(messages::unknown_setting(experiment.set_option, setting.path, path,
                                                         nearest_path(model, path)));
            continue;
        }
        const Variable& v = model.variables[found[0]];
        if (v.variability != Variability::Parameter)
            diagnostics.report(messages::set_not_parameter(experiment.set_option, setting.path,
                                                           declared_word(v), v.origin.where));
        else if (setting.final)
            diagnostics.report(messages::set_final(experiment.set_option, setting.path, v.origin.where));
        else
            diagnostics.report(messages::set_whole_array(setting.path, v.origin.where));
    }
    for (const auto& [path, initial] : initials) {
        if (initial.used || differentiated_path(path)) continue;
        const bool there = !find_variables(model, path).empty();
        diagnostics.report(there ? messages::set_whole_array(initial.path, Span{})
                                 : messages::unknown_setting(experiment.init_option, initial.path, path,
                                                             nearest_path(model, path)));
    }
}

void add_derivative_starts(Instances& instances, const Experiment& experiment) {
    ObjectBoundary boundary(instances);
    FlatModel& model = instances.evaluator().model();
    for (const Experiment::Setting& s : experiment.initials) {
        const auto of = differentiated_path(s.path);
        if (!of) continue;
        const BoundaryTarget to = boundary.target(*of, experiment.init_option.c_str());
        if (to.variables.empty()) continue;
        const std::vector<Expr> values = boundary.values(s.value, to, "value");
        for (std::size_t k = 0; k < values.size(); ++k) {
            const VariableIndex v = to.variables[k];
            model.derivative_starts.push_back({v, 1, Start{values[k], model.variables[v].origin, true}});
        }
    }
}

void add_boundaries(Instances& instances, const Experiment& experiment) {
    ObjectBoundary boundary(instances);
    FlatModel& model = instances.evaluator().model();
    read_knowns(model, experiment, boundary);
    add_inputs(model, experiment, boundary);
    take_declared_values(model, experiment, boundary);
    check_inputs(model, experiment, boundary);
    check_knowns(model, experiment, boundary);
}

void add_quantities(Instances& instances, const Experiment& experiment) {
    Evaluator& e = instances.evaluator();
    FlatModel& model = e.model();
    const std::shared_ptr<Scope> scope = instances.scope(Place{instances.root, instances.root->type});
    Frame frame{*scope};
    for (const Experiment::Quantity& quantity : experiment.quantities) {
        const object::Expression expression = as_object_expression(quantity.value);
        Expr value = nullptr;
        try {
            const Value v = e.evaluate(expression, frame);
            if (!v.is_scalar() || !v.has_exprs())
                throw Refused{messages::not_a_variable(expression.where, quantity.name, "no single number")};
            value = e.number_of(v.expr());
        } catch (Refused& refused) {
            e.diagnostics().report(std::move(refused.diagnostic));
            continue;
        }
        const VariableIndex index = FlatBuilder(model).quantity(quantity, value);
        frame.locals.push_back({quantity.name, e.leaf(type_of(Basic::Real), {}, index)});
    }
}

}  // namespace cutset::objects
