#include "objects/experiment.h"

#include <algorithm>
#include <unordered_set>

#include "instantiate/messages.h"
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
object::Expression chain(const tree::Expression& e, char plain, Operator add, Operator take) {
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

object::Name as_name(const tree::Reference& reference) {
    object::Name name;
    name.where = reference.where;
    for (const tree::ReferencePart& p : reference.parts) {
        object::NamePart part;
        part.name = p.name;
        part.where = p.where;
        for (const tree::Expression& i : p.indices) part.indices.push_back(as_object_expression(i));
        name.parts.push_back(std::move(part));
    }
    return name;
}

std::string quantity_word(const Variable& v) {
    switch (v.declared) {
        case VariableKind::Parameter:
            return "a parameter";
        case VariableKind::Input:
            return "an input";
        case VariableKind::Output:
            return "an output";
        case VariableKind::Discrete:
            return "a discrete variable";
        default:
            return "a variable";
    }
}

struct Boundaries {
    Instances& instances;
    const Experiment& experiment;
    FlatModel& model = instances.evaluator().model();
    Pool& pool = *model.pool;

    void report(Diagnostic d) { instances.evaluator().diagnostics().report(std::move(d)); }

    std::vector<VariableIndex> target(const std::string& path, const std::string& option) {
        const std::string plain = plain_path(path);
        std::vector<VariableIndex> found = find_variables(model, plain);
        if (found.empty()) report(messages::unknown_setting(option, path, plain, nearest_path(model, plain)));
        return found;
    }

    // For each of `n` variables; empty when that was an error.
    std::vector<Expr> values(const tree::Expression& expression, std::size_t n) {
        Evaluator& e = instances.evaluator();
        const object::Expression value = as_object_expression(expression);
        Frame frame{*instances.scope(Place{instances.root, instances.root->type})};
        try {
            const Value v = e.evaluate(value, frame);
            if (!v.has_exprs() || (!v.is_scalar() && v.size() != n))
                throw Refused{cutset::messages::sizes_differ(
                    expression.where, "", "value", std::to_string(n) + " values", shape_text(v.dimensions))};
            std::vector<Expr> out;
            for (std::size_t k = 0; k < n; ++k) out.push_back(e.number_of(v.expr(v.is_scalar() ? 0 : k)));
            return out;
        } catch (Refused& refused) {
            report(std::move(refused.diagnostic));
            return {};
        }
    }

    std::vector<Expr> over_time(TableData table, const std::string& path, std::size_t n) {
        if (table.name.empty()) table.name = path;
        const CalleeIndex callee = model.callees.add(std::move(table));
        const Expr time = pool.time();
        return std::vector<Expr>(n, pool.apply(callee, 0, std::span<const Expr>(&time, 1)));
    }

    Known* known(VariableIndex v) {
        for (Known& k : model.knowns)
            if (k.variable == v) return &k;
        return nullptr;
    }

    void read_knowns() {
        for (const Experiment::Known& given : experiment.knowns) {
            const std::vector<VariableIndex> to = target(given.path, "--known");
            if (to.empty()) continue;
            const Variable& first = model.variables[to[0]];
            if (first.variability != Variability::Continuous) {
                report(cutset::messages::known_not_variable(given.path, quantity_word(first).c_str(),
                                                            first.origin.where,
                                                            first.variability == Variability::Parameter));
                continue;
            }
            if (known(to[0])) {
                report(cutset::messages::known_twice("--known", given.path));
                continue;
            }
            std::vector<Expr> given_values(to.size(), nullptr);
            const tree::Expression* value = given.value ? &*given.value : nullptr;
            for (const Experiment::Setting& s : experiment.parameters)
                if (!value && !given.table && plain_path(s.path) == plain_path(given.path)) value = &s.value;
            if (value)
                given_values = values(*value, to.size());
            else if (given.table)
                given_values = over_time(*given.table, given.path, to.size());
            for (std::size_t k = 0; k < given_values.size(); ++k)
                model.knowns.push_back({to[k], given_values[k]});
        }
        for (const std::string& path : experiment.unknowns)
            for (const VariableIndex v : target(path, "--unknown")) {
                const Variable& variable = model.variables[v];
                const bool parameter = variable.variability == Variability::Parameter;
                if (known(v)) {
                    report(cutset::messages::known_and_unknown(path));
                } else if (parameter && variable.structural) {
                    report(cutset::messages::unknown_shapes_model(path, variable.origin.where));
                } else if (!parameter && !variable.top_input) {
                    report(cutset::messages::unknown_already(path, variable.origin.where));
                } else {
                    model.freed.push_back(v);
                }
            }
        std::vector<std::string> missing;
        for (const Known& k : model.knowns)
            if (!k.value) missing.push_back(model.path(k.variable));
        if (!missing.empty() && !experiment.open) report(cutset::messages::knowns_without_value(missing));
    }

    std::unordered_set<std::uint32_t> given;

    void give(const std::string& path, const std::vector<VariableIndex>& to, const std::vector<Expr>& what) {
        for (std::size_t k = 0; k < what.size(); ++k) {
            const Variable& u = model.variables[to[k]];
            if (Known* at = known(to[k])) {
                at->value = what[k];
                given.insert(to[k].value);
                continue;
            }
            if (!u.top_input) {
                report(cutset::messages::not_an_input(path, quantity_word(u).c_str(), u.origin.where,
                                                      u.variability == Variability::Parameter));
                return;
            }
            if (!given.insert(to[k].value).second) {
                report(cutset::messages::input_given_twice(path));
                return;
            }
            model.equations.add({pool.variable(to[k]), what[k], u.origin, EquationKind::Input});
        }
    }

    // `input Real u = e` of the model itself: u = e where the experiment says nothing else; for a linear
    // model, whose inputs stay open, where it begins.
    void take_declared_values() {
        for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
            Variable& u = model.variables[v];
            if (!u.top_input || !u.binding || u.variability != Variability::Continuous) continue;
            const Expr value = std::exchange(u.binding, nullptr);
            if (given.count(v.value)) continue;
            if (experiment.open) {
                u.start = Start{value, u.origin};
                continue;
            }
            model.equations.add({model.pool->variable(v), value, u.origin, EquationKind::Input});
            given.insert(v.value);
        }
    }

    void read_inputs() {
        for (const Experiment::Setting& s : experiment.inputs) {
            const std::vector<VariableIndex> to = target(s.path, "--input");
            if (!to.empty()) give(s.path, to, values(s.value, to.size()));
        }
        for (const Experiment::InputFile& f : experiment.input_files) {
            const std::vector<VariableIndex> to = target(f.path, "--input");
            if (!to.empty()) give(f.path, to, over_time(f.table, f.path, to.size()));
        }
        take_declared_values();
        if (experiment.open || !experiment.knowns.empty() || !experiment.unknowns.empty()) return;
        std::vector<std::string> missing;
        Span first;
        for (VariableIndex v(0); v < model.variables.end_index(); ++v.value) {
            const Variable& u = model.variables[v];
            if (!u.top_input || given.count(v.value)) continue;
            if (missing.empty()) first = u.origin.where;
            missing.push_back(model.path(v));
        }
        if (!missing.empty()) report(cutset::messages::inputs_not_given(first, missing));
    }
};

}  // namespace

object::Expression as_object_expression(const tree::Expression& e) {
    using Kind = tree::ExpressionKind;
    const auto with = [&](ExpressionKind kind) {
        object::Expression out = node(kind, e.where);
        for (const tree::Expression& a : e.arguments) out.arguments.push_back(as_object_expression(a));
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
            diagnostics.report(
                messages::unknown_setting("--set", setting.path, path, nearest_path(model, path)));
            continue;
        }
        const Variable& v = model.variables[found[0]];
        if (v.variability != Variability::Parameter)
            diagnostics.report(messages::set_not_parameter(setting.path, quantity_word(v), v.origin.where));
        else if (setting.final)
            diagnostics.report(messages::set_final(setting.path, v.origin.where));
        else
            diagnostics.report(messages::set_whole_array(setting.path, v.origin.where));
    }
    for (const auto& [path, initial] : initials) {
        if (initial.used || differentiated_path(path)) continue;
        const bool there = !find_variables(model, path).empty();
        diagnostics.report(
            there ? messages::set_whole_array(initial.path, Span{})
                  : messages::unknown_setting("--init", initial.path, path, nearest_path(model, path)));
    }
}

void add_derivative_starts(Instances& instances, const Experiment& experiment) {
    Boundaries b{instances, experiment};
    for (const Experiment::Setting& s : experiment.initials) {
        const auto of = differentiated_path(s.path);
        if (!of) continue;
        const std::vector<VariableIndex> to = b.target(*of, "--init");
        const std::vector<Expr> values = b.values(s.value, to.size());
        for (std::size_t k = 0; k < values.size(); ++k)
            b.model.derivative_starts.push_back(
                {to[k], 1, Start{values[k], b.model.variables[to[k]].origin, true}});
    }
}

void add_boundaries(Instances& instances, const Experiment& experiment) {
    Boundaries b{instances, experiment};
    b.read_knowns();
    b.read_inputs();
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
        Variable v;
        v.name = quantity.name;
        v.origin = {InstanceIndex(0), quantity.value.where};
        v.internal = true;
        const bool integral = quantity.kind == Experiment::Quantity::Kind::Integral;
        const bool input = quantity.kind == Experiment::Quantity::Kind::Input;
        if (integral) v.start = Start{model.pool->number(0), v.origin};
        if (input) v.declared = VariableKind::Input;
        const Origin origin = v.origin;
        const VariableIndex index = model.variables.add(std::move(v));
        frame.locals.push_back({quantity.name, e.leaf(type_of(Basic::Real), {}, index)});
        model.equations.add({model.pool->variable(index, integral ? 1 : 0), value, origin,
                             input ? EquationKind::Input : EquationKind::Written});
    }
}

}  // namespace cutset::objects
