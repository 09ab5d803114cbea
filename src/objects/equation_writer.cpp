#include "objects/equation_writer.h"

#include <algorithm>

#include "flat/shape_text.h"
#include "objects/builtin_functions.h"
#include "objects/clock_operators.h"
#include "objects/equation_messages.h"
#include "objects/external_functions.h"
#include "objects/functions.h"
#include "objects/iterators.h"
#include "objects/value_messages.h"
#include "objects/value_operators.h"

namespace cutset::objects {

using object::ExpressionKind;

namespace {

bool is_call(const object::Expression& e, const char* name) {
    return e.kind == ExpressionKind::Call && e.name.parts.size() == 1 && e.name.parts[0].name == name;
}

// An argument by position or name.
const object::Expression* argument(const object::Expression& call, std::size_t position, const char* name) {
    if (position < call.arguments.size()) return &call.arguments[position];
    for (const object::NamedArgument& a : call.named)
        if (a.name == name) return &*a.value;
    return nullptr;
}

}  // namespace

Diagnostic EquationWriter::in_place(Diagnostic d, const EquationPlace& place) const {
    if (d.submodel.empty()) d.submodel = place.path;
    return d;
}

std::optional<VariableIndex> EquationWriter::variable_of(Expr e) const {
    const Expr x = e_.number_of(e);
    if (x->op != Op::Variable || x->order != 0) return std::nullopt;
    return x->variable();
}

std::string EquationWriter::message(const object::Expression* e, Frame& frame) {
    if (!e) return "";
    Frame inner = frame;
    inner.message = true;
    try {
        const Value v = e_.evaluate(*e, inner);
        if (v.type.basic == Basic::String && v.is_scalar()) return v.text();
    } catch (const Refused&) {
        // A text that is made of what varies is shown as it is written.
    }
    return std::string(e_.sources().text(e->where));
}

// ---- which variables are discrete

void EquationWriter::mark_discrete(const std::vector<object::Equation>& equations, const EquationPlace& place,
                                   Frame& frame) {
    const auto mark = [&](const object::Expression& target) {
        const auto one = [&](const object::Expression& name) {
            if (name.kind != ExpressionKind::Name) return;
            try {
                std::vector<Expr> flat;
                flatten(e_, e_.evaluate(name, frame), flat);
                for (Expr e : flat)
                    if (const auto v = variable_of(e)) {
                        Variable& variable = e_.model().variables[*v];
                        if (variable.variability == cutset::Variability::Continuous)
                            variable.variability = cutset::Variability::Discrete;
                    }
            } catch (const Refused&) {
                // Said where the equation is written.
            }
        };
        if (target.kind == ExpressionKind::Tuple)
            for (const object::Expression& a : target.arguments) one(a);
        else
            one(target);
    };
    const std::function<void(const std::vector<object::Equation>&, bool)> walk =
        [&](const std::vector<object::Equation>& list, bool in_when) {
            for (const object::Equation& q : list) {
                if (const auto* simple = std::get_if<object::SimpleEquation>(&q.what)) {
                    if (in_when) mark(simple->left);
                } else if (const auto* when = std::get_if<object::WhenEquation>(&q.what)) {
                    try {
                        if (is_clock(e_, *when->branches[0].condition, frame)) continue;
                    } catch (const Refused&) {
                        // Said where the equation is written.
                    }
                    for (const object::EquationBranch& b : when->branches) walk(b.body, true);
                } else if (const auto* loop = std::get_if<object::ForEquation>(&q.what)) {
                    bool inside = in_when;
                    for (const object::Equation& inner : loop->body)
                        inside = inside || !std::holds_alternative<object::SimpleEquation>(inner.what);
                    if (!inside) continue;
                    try {
                        repeat(*loop, 0, frame, [&] { walk(loop->body, in_when); });
                    } catch (const Refused&) {
                    }
                } else if (const auto* choice = std::get_if<object::IfEquation>(&q.what)) {
                    for (const object::EquationBranch& b : choice->branches) {
                        std::optional<bool> holds;
                        if (b.condition && !in_when) try {
                                holds =
                                    e_.decided(*b.condition, e_.evaluate(*b.condition, frame).expr(), frame);
                            } catch (const Refused&) {
                            }
                        if (holds && !*holds) continue;
                        walk(b.body, in_when);
                        if (holds) break;
                    }
                }
            }
        };
    (void)place;
    walk(equations, false);
}

// ---- equations

void EquationWriter::add(const std::vector<object::Equation>& equations, const EquationPlace& place,
                         Frame& frame) {
    for (const object::Equation& q : equations) {
        const std::size_t locals = frame.locals.size();
        const Reading reading = frame.reading;
        try {
            add_one(q, place, frame, {});
        } catch (const Refused& r) {
            frame.locals.resize(locals);
            frame.reading = reading;
            frame.end.reset();
            frame.depth = 0;
            e_.diagnostics().report(in_place(r.diagnostic, place));
        }
    }
}

void EquationWriter::add_one(const object::Equation& q, const EquationPlace& place, Frame& frame,
                             Around around) {
    std::visit([&](const auto& what) { write(what, q.where, place, frame, around); }, q.what);
}

void EquationWriter::equate(const Value& left, const Value& right, const EquationPlace& place, Span where) {
    add_sides(left, right, place, where, nullptr);
}

void EquationWriter::put(const Sides& s, const EquationPlace& place) {
    const Expr left = e_.number_of(s.left), right = e_.number_of(s.right);
    if (left == right && left->is_number()) return;
    if (left->is_number() && right->is_number()) {
        const bool derivative = e_.sources().text(s.where).find("der(") != std::string_view::npos;
        e_.diagnostics().report(
            in_place(messages::equation_false(s.where, left->number, right->number, derivative), place));
        return;
    }
    const Equation made{left, right, {place.instance, s.where}, EquationKind::Written};
    if (place.initial)
        e_.model().initial_equations.add(made);
    else
        e_.model().equations.add(made);
}

void EquationWriter::add_sides(const Value& left, const Value& right, const EquationPlace& place, Span where,
                               std::vector<Sides>* sides) {
    common_type(left.type, right.type,
                [&] { return messages::equation_types(where, type_text(left.type), type_text(right.type)); });
    if (left.dimensions != right.dimensions && !(left.size() == 0 && right.size() == 0))
        throw Refused{
            messages::equation_sizes(where, shape_text(left.dimensions), shape_text(right.dimensions))};
    for (std::size_t k = 0; k < left.size(); ++k) {
        if (left.type.basic == Basic::Record) {
            const Callable& a = *left.type.record;
            const Callable& b = *right.type.record;
            for (std::size_t f = 0; f < a.members.size(); ++f)
                add_sides(left.record(k).fields[f], right.record(k).fields[b.position(a.members[f].name)],
                          place, where, sides);
            continue;
        }
        if (left.type.basic == Basic::String) {
            if (left.text(k) != right.text(k))
                throw Refused{
                    messages::equation_types(where, '"' + left.text(k) + '"', '"' + right.text(k) + '"')};
            continue;
        }
        if (!left.has_exprs()) throw Refused{messages::no_variable(where)};
        const Sides one{left.expr(k), right.expr(k), where};
        if (sides)
            sides->push_back(one);
        else
            put(one, place);
    }
}

void EquationWriter::write(const object::SimpleEquation& q, Span where, const EquationPlace& place,
                           Frame& frame, Around around) {
    if (q.left.kind == ExpressionKind::Tuple && q.left.arguments.size() != 1) {
        const std::vector<Value> results = e_.evaluate_call(q.right, frame);
        const auto& targets = q.left.arguments;
        if (targets.size() > results.size())
            throw Refused{messages::result_count(where, "this function", targets.size(), results.size())};
        for (std::size_t k = 0; k < targets.size(); ++k)
            if (targets[k].kind != ExpressionKind::Omitted)
                add_sides(e_.evaluate(targets[k], frame), results[k], place, where, around.sides);
        return;
    }
    const Value left = e_.evaluate(q.left, frame);
    add_sides(left, e_.evaluate(q.right, frame), place, where, around.sides);
}

void EquationWriter::write(const object::ConnectEquation& q, Span where, const EquationPlace& place,
                           Frame& frame, Around around) {
    if (around.sides)
        throw Refused{messages::structure_in_branch(where, "connect"), Refusal::StructureInBranch};
    if (place.initial) throw Refused{messages::not_in_when(where, "connect")};
    connector_.connect(q.left, q.right, where, frame);
}

template <class Body>
void EquationWriter::repeat(const object::ForEquation& q, std::size_t k, Frame& frame, Body body) {
    if (k == q.iterators.size()) {
        body();
        return;
    }
    for (const Value& v : iterator_values(e_, q.iterators[k], q.body, frame)) {
        const bool varies = std::any_of(v.elements.begin(), v.elements.end(), [&](const Scalar& s) {
            const Expr* x = std::get_if<Expr>(&s);
            return x && varies_in_run(e_, *x);
        });
        if (varies)
            throw Refused{messages::not_parameter(q.iterators[k].where, "the range of a loop of equations")};
        frame.locals.push_back({q.iterators[k].name, v});
        try {
            repeat(q, k + 1, frame, body);
        } catch (...) {
            frame.locals.pop_back();
            throw;
        }
        frame.locals.pop_back();
    }
}

void EquationWriter::write(const object::ForEquation& q, Span, const EquationPlace& place, Frame& frame,
                           Around around) {
    repeat(q, 0, frame, [&] {
        for (const object::Equation& inner : q.body) add_one(inner, place, frame, around);
    });
}

// ---- if

void EquationWriter::write(const object::IfEquation& q, Span where, const EquationPlace& place, Frame& frame,
                           Around around) {
    choose_sides(q, 0, where, place, frame, around);
}

void EquationWriter::choose_sides(const object::IfEquation& q, std::size_t branch, Span where,
                                  const EquationPlace& place, Frame& frame, Around around) {
    for (; branch < q.branches.size(); ++branch) {
        const object::EquationBranch& b = q.branches[branch];
        const auto take = [&](Around inside) {
            for (const object::Equation& inner : b.body) add_one(inner, place, frame, inside);
        };
        if (!b.condition) return take(around);
        const Value condition = e_.evaluate(*b.condition, frame);
        if (condition.type.basic != Basic::Boolean || !condition.is_scalar())
            throw Refused{messages::condition_type(b.condition->where, type_text(condition.type))};
        auto holds = e_.decided(*b.condition, condition.expr(), frame);
        if (!holds && q.structural) holds = e_.truth(*b.condition, frame);
        if (holds && !*holds) continue;
        if (holds) return take(around);
        // Both: the equations of this branch and those of the rest, one chosen from each.
        Pool& pool = e_.pool();
        const auto guarded = [&](Expr c) {
            const Expr both[2] = {around.guard, c};
            return around.guard ? pool.all_of(both) : c;
        };
        std::vector<Sides> then, otherwise;
        std::optional<Refused> structure;
        try {
            take({guarded(condition.expr()), &then});
            choose_sides(q, branch + 1, where, place, frame,
                         {guarded(pool.negation(condition.expr())), &otherwise});
        } catch (const Refused& r) {
            if (r.reason != Refusal::StructureInBranch) throw;
            structure = r;
        }
        if (structure || then.size() != otherwise.size()) {
            // Parameters decide, whatever their type, where nothing else can.
            std::optional<bool> decided;
            try {
                decided = e_.truth(*b.condition, frame);
            } catch (const Refused&) {
            }
            if (!decided) {
                if (structure) throw Refused(*structure);
                throw Refused{messages::branch_counts(where, then.size(), otherwise.size())};
            }
            if (*decided) return take(around);
            continue;
        }
        for (Sides& s : combined(condition.expr(), std::move(then), std::move(otherwise), where)) {
            if (around.sides)
                around.sides->push_back(s);
            else
                put(s, place);
        }
        return;
    }
}

std::vector<EquationWriter::Sides> EquationWriter::combined(Expr condition, std::vector<Sides> then,
                                                            std::vector<Sides> otherwise, Span where) {
    Pool& pool = e_.pool();
    std::vector<Sides> result;
    std::vector<bool> used(otherwise.size());
    // Equations for the same variable belong together, then those that are left, in order.
    std::vector<std::size_t> partner(then.size(), otherwise.size());
    for (std::size_t k = 0; k < then.size(); ++k) {
        if (!variable_of(then[k].left)) continue;
        for (std::size_t j = 0; j < otherwise.size(); ++j)
            if (!used[j] && otherwise[j].left == then[k].left) {
                partner[k] = j;
                used[j] = true;
                break;
            }
    }
    std::size_t next = 0;
    for (std::size_t k = 0; k < then.size(); ++k) {
        if (partner[k] == otherwise.size()) {
            while (used[next]) ++next;
            partner[k] = next;
            used[next] = true;
        }
        const Sides &a = then[k], &b = otherwise[partner[k]];
        const auto number = [&](Expr e) { return e_.number_of(e); };
        if (a.left == b.left) {
            const bool conditions = a.right->boolean && b.right->boolean;
            Expr right = nullptr;
            if (conditions) {
                const Expr yes[2] = {condition, a.right}, no[2] = {pool.negation(condition), b.right};
                const Expr either[2] = {pool.all_of(yes), pool.all_of(no)};
                right = pool.any_of(either);
            } else {
                right = pool.choose(condition, number(a.right), number(b.right));
            }
            result.push_back({a.left, right, a.where});
            continue;
        }
        for (const Sides* s : {&a, &b})
            if (s->left->boolean || s->right->boolean) throw Refused{messages::branch_targets(where)};
        result.push_back(
            {pool.number(0),
             pool.choose(condition, pool.subtract(a.left, a.right), pool.subtract(b.left, b.right)), where});
    }
    return result;
}

// ---- calls

// An assertion in a clause: a truth value that says what the clause found, by the name of what it looked at.
// Between the events of the clause nothing looks at it.
void EquationWriter::put_assertion(Validity v, Expr guard, WhenClause* clause) {
    Pool& pool = e_.pool();
    Expr holds = v.condition;
    if (guard) {
        const Expr either[2] = {pool.negation(guard), v.condition};
        holds = pool.any_of(either);
    }
    if (clause) {
        Variable found;
        found.origin = v.origin;
        found.variability = cutset::Variability::Discrete;
        found.type = ValueType::Boolean;
        found.typed = found.internal = true;
        found.binding = pool.number(1);
        found.name = to_text(v.condition, e_.model().printer());
        const VariableIndex index = e_.model().variables.add(std::move(found));
        clause->actions.push_back(WhenAssign{index, e_.number_of(holds), v.origin});
        holds = e_.truth_of(pool.variable(index));
    }
    v.condition = holds;
    if (v.condition->op == Op::Truth) {
        if (v.condition->index) return;
        if (v.level == AssertionLevel::Error)
            throw Refused{messages::assertion_fails(v.origin.where, v.text)};
    }
    e_.model().validities.push_back(std::move(v));
}

void EquationWriter::add_assertion(const object::Expression& call, Expr guard, WhenClause* clause,
                                   const EquationPlace& place, Frame& frame) {
    const object::Expression* condition = argument(call, 0, "condition");
    if (!condition) throw Refused{messages::argument_missing(call.where, "assert", "condition")};
    const Value holds = e_.evaluate(*condition, frame);
    if (holds.type.basic != Basic::Boolean || !holds.is_scalar())
        throw Refused{messages::condition_type(condition->where, type_text(holds.type))};
    Validity v;
    v.condition = holds.expr();
    if (v.condition->op == Op::Truth && v.condition->index) return;
    v.level = AssertionLevel::Error;
    if (const object::Expression* level = argument(call, 2, "level")) {
        const Value of = e_.constant(*level, frame);
        if (of.type.basic == Basic::Enumeration && of.type.enumeration &&
            of.type.enumeration->literals[static_cast<std::size_t>(of.expr()->number) - 1] == "warning")
            v.level = AssertionLevel::Warning;
    }
    v.origin = {place.instance, call.where};
    v.text = message(argument(call, 1, "message"), frame);
    put_assertion(std::move(v), guard, clause);
}

bool EquationWriter::add_error(const object::Expression& call, Expr guard, WhenClause* clause,
                               const EquationPlace& place, Frame& frame) {
    const object::Expression* text = error_text(call, frame);
    if (!text) return false;
    Validity v;
    v.condition = e_.pool().truth(false);
    v.level = AssertionLevel::Error;
    v.origin = {place.instance, call.where};
    v.text = message(text, frame);
    put_assertion(std::move(v), guard, clause);
    return true;
}

void EquationWriter::write(const object::CallEquation& q, Span where, const EquationPlace& place,
                           Frame& frame, Around around) {
    if (is_call(q.call, "assert")) return add_assertion(q.call, around.guard, nullptr, place, frame);
    for (const char* name : {"reinit", "terminate"})
        if (is_call(q.call, name)) throw Refused{messages::only_in_when(where, name)};
    if (connector_.connections_call(q.call, frame)) {
        if (around.sides)
            throw Refused{messages::structure_in_branch(where, "this"), Refusal::StructureInBranch};
        return;
    }
    if (q.call.kind != ExpressionKind::Call)
        throw Refused{messages::not_supported(where, "a value without an equation", "")};
    if (add_error(q.call, around.guard, nullptr, place, frame)) return;
    // A function for what it does beside, as to print a text: its arguments must still be right.
    Frame inner = frame;
    inner.message = true;
    e_.evaluate_call(q.call, inner);
}

// ---- when

std::vector<Expr> EquationWriter::when_conditions(const object::Expression& condition, Frame& frame) {
    const Value v = e_.evaluate(condition, frame);
    if (v.type.basic == Basic::Clock) throw Refused{messages::clocked_condition(condition.where)};
    if (v.type.basic != Basic::Boolean || v.dimensions.size() > 1)
        throw Refused{messages::when_condition(
            condition.where, v.dimensions.size() > 1 ? shape_text(v.dimensions) : type_text(v.type))};
    std::vector<Expr> conditions;
    for (std::size_t k = 0; k < v.size(); ++k)
        if (const Expr c = v.expr(k); c->op != Op::Truth || c->index) conditions.push_back(c);
    return conditions;
}

void EquationWriter::write(const object::WhenEquation& q, Span where, const EquationPlace& place,
                           Frame& frame, Around around) {
    if (around.sides)
        throw Refused{messages::structure_in_branch(where, "`when`"), Refusal::StructureInBranch};
    if (is_clock(e_, *q.branches[0].condition, frame)) return write_clocked(q, where, place, frame);
    std::uint32_t branch = 0;
    for (const object::EquationBranch& b : q.branches) {
        const std::vector<Expr> conditions = when_conditions(*b.condition, frame);
        if (conditions.empty()) continue;  // never
        WhenClause clause;
        clause.origin = {place.instance, where};
        {
            const AtEvent event(e_);
            when_body(b.body, nullptr, clause, place, frame);
        }
        for (Expr c : conditions) {
            clause.condition = c;
            clause.branch = branch++;
            e_.model().whens.push_back(clause);
        }
    }
}

// The equations of a `when` of a clock are equations of that clock's ticks.
void EquationWriter::write_clocked(const object::WhenEquation& q, Span where, const EquationPlace& place,
                                   Frame& frame) {
    if (q.branches.size() > 1) throw Refused{messages::clocked_branches(where)};
    const Value clock = e_.evaluate(*q.branches[0].condition, frame);
    if (!clock.is_scalar()) throw Refused{messages::clocked_condition(q.branches[0].condition->where)};
    const EquationIndex first = e_.model().equations.end_index();
    for (const object::Equation& inner : q.branches[0].body) add_one(inner, place, frame, {});
    add_members(e_.model(), first, clock.expr());
}

void EquationWriter::when_body(const std::vector<object::Equation>& body, Expr guard, WhenClause& clause,
                               const EquationPlace& place, Frame& frame) {
    for (const object::Equation& q : body) when_equation(q, guard, clause, place, frame);
}

void EquationWriter::when_equation(const object::Equation& q, Expr guard, WhenClause& clause,
                                   const EquationPlace& place, Frame& frame) {
    Pool& pool = e_.pool();
    if (const auto* simple = std::get_if<object::SimpleEquation>(&q.what)) {
        if (simple->left.kind == ExpressionKind::Tuple && simple->left.arguments.size() != 1) {
            const std::vector<Value> results = e_.evaluate_call(simple->right, frame);
            const auto& targets = simple->left.arguments;
            if (targets.size() > results.size())
                throw Refused{
                    messages::result_count(q.where, "this function", targets.size(), results.size())};
            for (std::size_t k = 0; k < targets.size(); ++k)
                if (targets[k].kind != ExpressionKind::Omitted)
                    when_assign(e_.evaluate(targets[k], frame), results[k], guard, clause, place, q.where);
            return;
        }
        when_assign(e_.evaluate(simple->left, frame), e_.evaluate(simple->right, frame), guard, clause, place,
                    q.where);
    } else if (const auto* choice = std::get_if<object::IfEquation>(&q.what)) {
        Expr so_far = guard;
        const auto with = [&](Expr c) {
            const Expr both[2] = {so_far, c};
            return so_far ? pool.all_of(both) : c;
        };
        for (const object::EquationBranch& b : choice->branches) {
            if (!b.condition) {
                when_body(b.body, so_far, clause, place, frame);
                break;
            }
            const Value c = e_.evaluate(*b.condition, frame);
            if (c.type.basic != Basic::Boolean || !c.is_scalar())
                throw Refused{messages::condition_type(b.condition->where, type_text(c.type))};
            const auto holds = e_.decided(*b.condition, c.expr(), frame);
            if (holds && !*holds) continue;
            when_body(b.body, holds ? so_far : with(c.expr()), clause, place, frame);
            if (holds) break;
            so_far = with(pool.negation(c.expr()));
        }
    } else if (const auto* loop = std::get_if<object::ForEquation>(&q.what)) {
        repeat(*loop, 0, frame, [&] { when_body(loop->body, guard, clause, place, frame); });
    } else if (const auto* call = std::get_if<object::CallEquation>(&q.what)) {
        when_call(call->call, guard, clause, place, frame);
    } else if (std::holds_alternative<object::WhenEquation>(q.what)) {
        throw Refused{messages::nested_when(q.where)};
    } else {
        throw Refused{messages::not_in_when(q.where, "connect")};
    }
}

void EquationWriter::when_assign(const Value& target, const Value& value, Expr guard, WhenClause& clause,
                                 const EquationPlace& place, Span where) {
    common_type(target.type, value.type, [&] {
        return messages::equation_types(where, type_text(target.type), type_text(value.type));
    });
    if (target.dimensions != value.dimensions)
        throw Refused{
            messages::equation_sizes(where, shape_text(target.dimensions), shape_text(value.dimensions))};
    std::vector<Expr> to, from;
    flatten(e_, target, to);
    flatten(e_, e_.converted(value, target.type, target.dimensions, where, "the left side"), from);
    for (std::size_t k = 0; k < to.size(); ++k) {
        const auto v = variable_of(to[k]);
        if (!v || e_.model().variables[*v].variability <= cutset::Variability::Parameter)
            throw Refused{messages::when_target(where)};
        clause.actions.push_back(WhenAssign{*v, from[k], {place.instance, where}, guard});
    }
}

void EquationWriter::when_call(const object::Expression& call, Expr guard, WhenClause& clause,
                               const EquationPlace& place, Frame& frame) {
    const Origin origin{place.instance, call.where};
    if (is_call(call, "reinit")) {
        if (call.arguments.size() != 2)
            throw Refused{messages::argument_count(call.where, "reinit", "a state and its value",
                                                   call.arguments.size())};
        const Value target = e_.evaluate(call.arguments[0], frame);
        const Value value = e_.converted(e_.evaluate(call.arguments[1], frame), target.type,
                                         target.dimensions, call.where, "the new value");
        for (std::size_t k = 0; k < target.size(); ++k) {
            const auto v = target.has_exprs() ? variable_of(target.expr(k)) : std::nullopt;
            if (!v || e_.model().variables[*v].variability != cutset::Variability::Continuous)
                throw Refused{messages::reinit_target(
                    call.where, std::string(e_.sources().text(call.arguments[0].where)))};
            clause.actions.push_back(WhenReinit{*v, value.expr(k), origin, guard});
        }
    } else if (is_call(call, "terminate")) {
        clause.actions.push_back(WhenTerminate{message(argument(call, 0, "message"), frame), origin, guard});
    } else if (is_call(call, "assert")) {
        add_assertion(call, guard, &clause, place, frame);
    } else {
        if (add_error(call, guard, &clause, place, frame)) return;
        Frame inner = frame;
        inner.message = true;
        e_.evaluate_call(call, inner);
    }
}

}  // namespace cutset::objects
