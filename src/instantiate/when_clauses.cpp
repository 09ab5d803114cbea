#include "instantiate/when_clauses.h"

#include <algorithm>
#include <map>

#include "expr/solve_for.h"
#include "flat/shape_text.h"
#include "instantiate/messages.h"
#include "instantiate/parameters.h"
#include "instantiate/value_types.h"

namespace cutset {

const char* kind_word(const Variable& v) {
    switch (v.variability) {
        case Variability::Constant:
            return "a constant";
        case Variability::Parameter:
            return "a parameter";
        case Variability::Discrete:
            return "a discrete variable";
        case Variability::Continuous:
            return "a continuous variable";
    }
    return "";
}

namespace {

// A condition of an `if` around a statement, as written.
struct Guard {
    const tree::Expression* condition;
    bool holds;
};
using Guards = std::vector<Guard>;

// Calls visit(statement, scope, guards) for the statements that act, loops unrolled.
template <class Visit>
void for_each_action(Context& c, const std::vector<tree::WhenStatement>& statements, const Scope& s,
                     Guards& guards, Visit& visit) {
    for (const tree::WhenStatement& statement : statements) {
        if (c.refused) return;
        if (const auto* choice = std::get_if<tree::WhenIf>(&statement.what)) {
            const std::size_t outer = guards.size();
            for (const tree::WhenBranch& b : choice->branches) {
                if (b.condition) guards.push_back({&*b.condition, true});
                for_each_action(c, b.statements, s, guards, visit);
                if (b.condition) guards.back().holds = false;
            }
            guards.resize(outer);
        } else if (const auto* loop = std::get_if<tree::WhenFor>(&statement.what)) {
            const auto range = loop_range(c, *loop, s);
            if (!range) continue;
            const double repetitions = range->count();
            c.repetitions += repetitions;
            if (c.repetitions > static_cast<double>(repetition_limit)) {
                c.refused = true;
                c.report(messages::too_many_repetitions(loop->where, c.submodel(s.instance), repetitions));
                return;
            }
            long k = range->from;
            for (double done = 0; done < repetitions; ++done, k += range->step) {
                c.loop_variables.push_back({loop->variable, static_cast<double>(k), s.loops});
                Scope inner = s;
                inner.loops = static_cast<std::uint32_t>(c.loop_variables.size() - 1);
                for_each_action(c, loop->statements, inner, guards, visit);
            }
        } else {
            visit(statement, s, guards);
        }
    }
}

// The variables under new(…) in an expression as written.
void list_new(Context& c, const tree::Expression& e, const Scope& s, std::vector<VariableIndex>& found) {
    if (e.kind == tree::ExpressionKind::Call && e.text == "new" && e.arguments.size() == 1 &&
        e.arguments[0].kind == tree::ExpressionKind::Reference) {
        if (const auto target = find_variable(c, e.arguments[0].reference, s))
            for (std::size_t k = 0; k < target->count; ++k) found.emplace_back(target->first + k);
        return;
    }
    for (const tree::Expression& a : e.arguments) list_new(c, a, s, found);
}

// The clause at hand: its actions, and the equations that are to be solved for new values.
class ClauseBuilder {
  public:
    ClauseBuilder(Context& c, WhenClause& clause) : c_(c), clause_(clause) {}

    void add(const std::vector<tree::WhenStatement>& statements, const Scope& s) {
        Guards guards;
        const auto visit = [&](const tree::WhenStatement& statement, const Scope& scope,
                               const Guards& around) {
            scope_ = &scope;
            guards_ = &around;
            std::visit([&](const auto& what) { take(what); }, statement.what);
        };
        for_each_action(c_, statements, s, guards, visit);
        solve_equations(s);
    }

  private:
    struct Implicit {
        Expr left, right;
        Origin origin;
        std::vector<VariableIndex> unknowns;
    };

    std::string place() const { return c_.submodel(scope_->instance); }

    // What must hold for an action on `target`; there `target` itself is its value before. Nothing after
    // reporting.
    std::optional<Expr> guard(std::optional<VariableIndex> target) {
        std::vector<Expr> all;
        for (const Guard& g : *guards_) {
            Scope inner = *scope_;
            bool seen = false;
            inner.target = target;
            inner.target_seen = &seen;
            const Expr condition = translate_condition(c_, *g.condition, inner);
            if (!condition) return std::nullopt;
            if (seen)
                c_.report(
                    messages::value_before(g.condition->where, place(), c_.model.variables[*target].name));
            all.push_back(g.holds ? condition : c_.pool.negation(condition));
        }
        return all.empty() ? nullptr : c_.pool.all_of(all);
    }

    void take(const tree::WhenTerminate& t) {
        if (const auto condition = guard(std::nullopt))
            clause_.actions.push_back(WhenTerminate{t.message, {scope_->instance, t.where}, *condition});
    }
    void take(const tree::WhenAssignment& a) { set(a.target, a.value, a.where, false); }
    void take(const tree::WhenReinit& r) { set(r.target, r.value, r.where, true); }
    void take(const tree::WhenIf&) {}
    void take(const tree::WhenFor&) {}

    // The variables that an action sets. Nothing after reporting.
    std::optional<VariableReference> find_target(const tree::Reference& r, bool reinit) {
        const auto target = find_variable(c_, r, *scope_);
        if (!target || target->count == 0) return target;
        const Variable& v = c_.model.variables[VariableIndex(target->first)];
        const bool fits =
            v.variability == Variability::Continuous || (!reinit && v.variability == Variability::Discrete);
        if (fits) return target;
        c_.report(messages::when_target(r.where, place(), v.name, kind_word(v), reinit));
        return std::nullopt;
    }

    void set(const tree::Reference& reference, const tree::Expression& expression, Span where, bool reinit) {
        const auto target = find_target(reference, reinit);
        if (!target) return;
        Scope inner = *scope_;
        bool seen = false;
        if (!reinit && target->count == 1) {
            inner.target = VariableIndex(target->first);
            inner.target_seen = &seen;
        }
        if (target->count > 0)
            if (const Variable& v = c_.model.variables[VariableIndex(target->first)];
                v.type == ValueType::Enumeration)
                inner.enumeration = v.enumeration;
        const Value value = translate(c_, expression, inner);
        if (value.failed()) return;
        if (seen)
            c_.report(messages::value_before(expression.where, place(),
                                             c_.model.variables[VariableIndex(target->first)].name));
        if (!value.is_scalar() && value.dimensions != target->dimensions) {
            c_.report(messages::equation_sizes(where, place(), shape_text(target->dimensions),
                                               shape_text(value.dimensions)));
            return;
        }
        const Origin origin{scope_->instance, where};
        for (std::size_t k = 0; k < target->count; ++k) {
            const VariableIndex v(target->first + k);
            const Expr e = value[value.is_scalar() ? 0 : k];
            if (!fits_type(c_, v, value, where, *scope_)) return;
            const auto condition = guard(reinit ? std::nullopt : std::optional(v));
            if (!condition) return;
            if (reinit)
                clause_.actions.push_back(WhenReinit{v, e, origin, *condition});
            else
                clause_.actions.push_back(WhenAssign{v, number_of(c_, e), origin, *condition});
        }
    }

    void take(const tree::WhenEquation& e) {
        if (!guards_->empty()) {
            c_.report(messages::implicit_in_if(e.where, place()));
            return;
        }
        const Value left = translate(c_, e.left, *scope_), right = translate(c_, e.right, *scope_);
        if (left.failed() || right.failed()) return;
        if (left.is_condition() || right.is_condition()) {
            c_.report(messages::condition_as_number(e.where, place()));
            return;
        }
        if (!left.is_scalar() && !right.is_scalar() && left.dimensions != right.dimensions) {
            c_.report(messages::equation_sizes(e.where, place(), shape_text(left.dimensions),
                                               shape_text(right.dimensions)));
            return;
        }
        std::vector<VariableIndex> renewed;
        list_new(c_, e.left, *scope_, renewed);
        list_new(c_, e.right, *scope_, renewed);
        for (VariableIndex v : renewed)
            if (c_.model.variables[v].variability != Variability::Discrete ||
                c_.model.variables[v].is_boolean()) {
                c_.report(messages::when_target(
                    e.where, place(), c_.model.variables[v].name,
                    c_.model.variables[v].is_boolean() ? "a condition" : kind_word(c_.model.variables[v]),
                    false));
                return;
            }
        const std::size_t n = left.is_scalar() ? right.size() : left.size();
        for (std::size_t k = 0; k < n; ++k) {
            Implicit one{left[left.is_scalar() ? 0 : k],
                         right[right.is_scalar() ? 0 : k],
                         {scope_->instance, e.where},
                         {}};
            const auto occurs = [&](VariableIndex v) {
                const auto is = [&](Expr leaf) { return leaf->op == Op::Variable && leaf->variable() == v; };
                return depends_on(one.left, is) || depends_on(one.right, is);
            };
            std::copy_if(renewed.begin(), renewed.end(), std::back_inserter(one.unknowns), occurs);
            implicit_.push_back(std::move(one));
        }
    }

    // ---- equations in new values

    // Finds an unknown for equation `e`, moving others: one row of the matching (Kuhn).
    bool match(std::size_t e, std::vector<bool>& tried) {
        for (VariableIndex v : implicit_[e].unknowns) {
            const std::size_t u = static_cast<std::size_t>(
                std::lower_bound(unknowns_.begin(), unknowns_.end(), v) - unknowns_.begin());
            if (tried[u]) continue;
            tried[u] = true;
            if (equation_of_[u] != none && !match(equation_of_[u], tried)) continue;
            equation_of_[u] = static_cast<std::uint32_t>(e);
            return true;
        }
        return false;
    }

    void solve_equations(const Scope& s) {
        if (implicit_.empty()) return;
        // What the clause assigns is known to its equations.
        const auto assigned = [&](VariableIndex v) {
            return std::any_of(clause_.actions.begin(), clause_.actions.end(), [&](const WhenAction& a) {
                const auto* assign = std::get_if<WhenAssign>(&a);
                return assign && assign->target == v && !assign->guard;
            });
        };
        for (Implicit& e : implicit_) {
            std::erase_if(e.unknowns, assigned);
            unknowns_.insert(unknowns_.end(), e.unknowns.begin(), e.unknowns.end());
        }
        std::sort(unknowns_.begin(), unknowns_.end());
        unknowns_.erase(std::unique(unknowns_.begin(), unknowns_.end()), unknowns_.end());
        equation_of_.assign(unknowns_.size(), none);
        for (std::size_t e = 0; e < implicit_.size(); ++e) {
            std::vector<bool> tried(unknowns_.size());
            if (match(e, tried)) continue;
            c_.report(messages::nothing_new(implicit_[e].origin.where, c_.submodel(s.instance)));
            return;
        }
        for (std::size_t u = 0; u < unknowns_.size(); ++u)
            if (equation_of_[u] == none) {
                c_.report(messages::new_not_determined(clause_.origin.where, c_.submodel(s.instance),
                                                       c_.model.variables[unknowns_[u]].name,
                                                       implicit_.size(), unknowns_.size()));
                return;
            }
        if (!solve_by_formula())
            for (std::size_t u = 0; u < unknowns_.size(); ++u) {
                const Implicit& e = implicit_[equation_of_[u]];
                clause_.actions.push_back(
                    WhenAssign{unknowns_[u], c_.pool.subtract(e.left, e.right), e.origin, nullptr, true});
            }
    }

    // Small linear systems whose coefficients are numbers.
    bool solve_by_formula() {
        constexpr std::size_t most = 6;
        if (unknowns_.size() > most) return false;
        std::vector<std::pair<Expr, Expr>> equations;
        std::vector<Expr> leaves;
        for (const Implicit& e : implicit_) equations.emplace_back(e.left, e.right);
        for (VariableIndex v : unknowns_) leaves.push_back(c_.pool.variable(v));
        const auto solution = solve_linear(c_.pool, equations, leaves, Assumptions(c_.pool));
        if (!solution || !solution->conditions.empty()) return false;
        for (std::size_t u = 0; u < unknowns_.size(); ++u)
            clause_.actions.push_back(
                WhenAssign{unknowns_[u], solution->values[u], implicit_[equation_of_[u]].origin});
        return true;
    }

    Context& c_;
    WhenClause& clause_;
    const Scope* scope_ = nullptr;    // of the statement at hand
    const Guards* guards_ = nullptr;  // around it
    std::vector<Implicit> implicit_;
    std::vector<VariableIndex> unknowns_;     // of those, in order
    std::vector<std::uint32_t> equation_of_;  // by unknown
};

// A structure parameter that when clauses set anew: its value is that before the first event. Sizes and loops
// cannot follow.
void let_change(Context& c, Variable& v) {
    if (v.variability != Variability::Parameter) return;
    const auto index = static_cast<std::size_t>(&v - c.model.variables.data());
    if (index < c.shaping.size() && c.shaping[index])
        c.report(messages::changing_parameter_shapes(v.origin.where, c.submodel(v.origin.instance), v.name));
    v.variability = Variability::Discrete;
    v.structural = false;
    v.binding = c.pool.number(v.value);
}

}  // namespace

void find_discrete(Context& c) {
    const auto set = [&](VariableIndex v) {
        Variable& variable = c.model.variables[v];
        if (variable.variability == Variability::Continuous) variable.variability = Variability::Discrete;
        if (variable.declared == VariableKind::StructureParameter) let_change(c, variable);
    };
    const auto visit = [&](const tree::WhenStatement& statement, const Scope& s, const Guards&) {
        std::vector<VariableIndex> renewed;
        if (const auto* a = std::get_if<tree::WhenAssignment>(&statement.what))
            if (const auto target = find_variable(c, a->target, s))
                for (std::size_t k = 0; k < target->count; ++k) set(VariableIndex(target->first + k));
        if (const auto* e = std::get_if<tree::WhenEquation>(&statement.what)) {
            list_new(c, e->left, s, renewed);
            list_new(c, e->right, s, renewed);
        }
        for (VariableIndex v : renewed) set(v);
    };
    for (std::size_t n = 0; n < c.instances.size(); ++n) {
        const InstanceIndex i(n);
        if (!c.instances[i].info) continue;
        for_each_statement(c, i, [&](const tree::Item& item, std::uint32_t loops) {
            const auto* w = std::get_if<tree::When>(&item.what);
            if (!w) return;
            const Scope scope{.instance = i, .loops = loops};
            Guards guards;
            for_each_action(c, w->statements, scope, guards, visit);
            for (const tree::ElseWhen& e : w->otherwise)
                for_each_action(c, e.statements, scope, guards, visit);
        });
    }
}

void add_when(Context& c, const tree::When& when, Scope s) {
    s.in_when = true;
    std::uint32_t branch = 0;
    const auto add = [&](const tree::Expression& condition,
                         const std::vector<tree::WhenStatement>& statements, Span where) {
        WhenClause clause;
        clause.origin = {s.instance, where};
        clause.condition = translate_condition(c, condition, s);
        clause.branch = branch;
        ClauseBuilder(c, clause).add(statements, s);
        if (!clause.condition) return;
        c.model.whens.push_back(std::move(clause));
        ++branch;
    };
    add(when.condition, when.statements, when.where);
    for (const tree::ElseWhen& e : when.otherwise) add(e.condition, e.statements, e.where);
}

void refuse_certain_conflicts(Context& c) {
    struct First {
        double value;
        Span where;
        std::size_t statement;
    };
    // By condition and variable: the first number given.
    std::map<std::pair<std::uint32_t, std::uint32_t>, First> given;
    for (std::size_t w = 0; w < c.model.whens.size(); ++w) {
        const WhenClause& when = c.model.whens[w];
        for (const WhenAction& action : when.actions) {
            const auto* assign = std::get_if<WhenAssign>(&action);
            if (!assign || assign->guard || assign->implicit || !assign->value->is_number()) continue;
            const double value = assign->value->number;
            const auto [known, added] =
                given.try_emplace({when.condition->id, assign->target.value},
                                  First{value, assign->origin.where, w - when.branch});
            const First& first = known->second;
            if (added || first.value == value || (first.statement == w - when.branch && when.branch > 0))
                continue;
            c.report(messages::given_twice(assign->origin.where, c.submodel(assign->origin.instance),
                                           c.model.path(assign->target), first.value, value, first.where));
        }
    }
}

}  // namespace cutset
