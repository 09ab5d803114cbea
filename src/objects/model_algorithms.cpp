#include "objects/model_algorithms.h"

#include <algorithm>
#include <map>
#include <set>

#include "ir/impure_calls.h"
#include "objects/builtin_functions.h"
#include "objects/equation_messages.h"
#include "objects/execution.h"
#include "objects/function_bodies.h"
#include "objects/functions.h"
#include "objects/value_messages.h"
#include "objects/value_operators.h"

namespace cutset::objects {

using object::ExpressionKind;

namespace {

using Values = std::map<VariableIndex, Expr>;  // as numbers

class ModelStore : public Store {
  public:
    ModelStore(EquationWriter& writer, const EquationPlace& place, const std::set<VariableIndex>& targets)
        : writer_(writer), e_(writer.evaluator()), place_(place) {
        for (VariableIndex v : targets) current_[v] = at_begin(v);
        look_ = [this](const Value& v) { return now(v); };
    }

    const std::function<Value(const Value&)>& look() const { return look_; }
    const Values& current() const { return current_; }
    std::set<VariableIndex> targets() const { return assigned_; }
    const std::vector<VariableIndex>& order() const { return order_; }
    const std::map<VariableIndex, Span>& places() const { return places_; }
    bool by_when(VariableIndex v) const { return by_when_.count(v) > 0; }
    std::vector<WhenClause> take_clauses() { return std::move(clauses_); }

    void assign(const object::Name& target, const Value& value, Frame& frame, Span where) override {
        // The whole array or record first: indices and fields of the last part choose in it.
        object::Name whole = target;
        object::NamePart last = whole.parts.back();
        whole.parts.back().indices.clear();
        const Value leaves = leaves_of(whole, frame);
        const std::string name(e_.sources().text(target.where));
        std::vector<Expr> places;
        flatten(e_, leaves, places);
        std::vector<VariableIndex> variables;
        for (Expr p : places) {
            const auto v = writer_.variable_of(p);
            if (!v || (e_.model().variables[*v].variability <= cutset::Variability::Parameter))
                throw Refused{messages::algorithm_target(where, name)};
            variables.push_back(*v);
        }
        const Value before = now(leaves);
        std::vector<std::size_t> chosen;
        const Value after =
            updated(e_, before, std::span(&last, 1), value, frame, where, "`" + name + "`", &chosen);
        std::vector<Expr> from;
        flatten(e_, after, from);
        CUTSET_ASSERT(from.size() == variables.size());
        // Elements of records are several variables.
        const std::size_t each = leaves.size() == 0 ? 1 : variables.size() / leaves.size();
        for (std::size_t k : chosen)
            for (std::size_t i = k * each; i < (k + 1) * each; ++i) {
                current_[variables[i]] = from[i];
                if (assigned_.insert(variables[i]).second) order_.push_back(variables[i]);
                places_.try_emplace(variables[i], where);
            }
    }

    State state() const override {
        State s;
        states_.push_back(current_);
        s.values.push_back(Value(Basic::Integer, e_.pool().number(static_cast<double>(states_.size() - 1))));
        return s;
    }
    void restore(const State& s) override { current_ = stored(s); }
    void merge(Expr condition, const State& then, const State& otherwise, Span) override {
        const Values a = stored(then), b = stored(otherwise);
        current_ = a;
        for (const auto& [v, x] : b) current_.try_emplace(v, x);
        for (auto& [v, x] : current_) {
            const auto in_then = a.find(v), in_else = b.find(v);
            const Expr one = in_then == a.end() ? at_begin(v) : in_then->second;
            const Expr other = in_else == b.end() ? at_begin(v) : in_else->second;
            x = one == other ? one : chosen(v, condition, one, other);
        }
    }
    void enter(Expr condition) override { guards_.push_back(condition); }
    void leave() override { guards_.pop_back(); }

    bool call(const object::Expression& call, Frame& frame) override {
        if (call.kind != ExpressionKind::Call) return false;
        if (writer_.add_error(call, all_guards(), clause_, place_, frame)) return true;
        const std::string name = call.name.parts.size() == 1 ? call.name.parts[0].name : "";
        if (name == "assert") {
            writer_.add_assertion(call, all_guards(), clause_, place_, frame);
            return true;
        }
        if (name != "reinit" && name != "terminate") return false;
        if (!clause_) throw Refused{messages::only_in_when(call.where, name)};
        const Origin origin{place_.instance, call.where};
        const Expr guard = all_guards();
        if (name == "terminate") {
            clause_->actions.push_back(WhenTerminate{
                writer_.message(call.arguments.empty() ? nullptr : call.arguments.data(), frame), origin,
                guard});
            return true;
        }
        if (call.arguments.size() != 2)
            throw Refused{
                messages::argument_count(call.where, name, "a state and its value", call.arguments.size())};
        const auto outer = std::exchange(frame.current, nullptr);
        const Value target = e_.evaluate(call.arguments[0], frame);
        frame.current = outer;
        const Value value = e_.converted(e_.evaluate(call.arguments[1], frame), target.type,
                                         target.dimensions, call.where, "the new value");
        for (std::size_t k = 0; k < target.size(); ++k) {
            const auto v = target.has_exprs() ? writer_.variable_of(target.expr(k)) : std::nullopt;
            if (!v)
                throw Refused{messages::reinit_target(
                    call.where, std::string(e_.sources().text(call.arguments[0].where)))};
            clause_->actions.push_back(WhenReinit{*v, value.expr(k), origin, guard});
        }
        return true;
    }

    bool when(const object::WhenStatement& when, Frame& frame, Span where) override {
        if (clause_) throw Refused{messages::nested_when(where)};
        const Values before = current_;
        std::vector<VariableIndex> changed;
        std::uint32_t branch = 0;
        for (const object::StatementBranch& b : when.branches) {
            current_ = before;  // what other branches assign holds in none but theirs
            WhenClause clause;
            clause.origin = {place_.instance, where};
            const std::vector<Expr> conditions = writer_.when_conditions(*b.condition, frame);
            if (conditions.empty()) continue;  // never
            clause_ = &clause;
            const std::vector<Expr> outer = std::exchange(guards_, {});
            Execution inner(e_, frame, *this, place_.path);
            {
                const AtEvent event(e_);
                inner.run(b.body);
            }
            guards_ = outer;
            clause_ = nullptr;
            for (const auto& [v, x] : current_) {
                const auto old = before.find(v);
                const Expr was = old == before.end() ? at_begin(v) : old->second;
                if (x == was) continue;
                if (was != at_begin(v) && was != e_.pool().variable(v))
                    throw Refused{messages::assigned_twice(where, e_.model().path(v))};
                clause.actions.push_back(WhenAssign{v, x, {place_.instance, where}, all_guards()});
                changed.push_back(v);
            }
            for (Expr c : conditions) {
                clause.condition = c;
                clause.branch = branch++;
                clauses_.push_back(clause);
            }
        }
        // After it: what the variable is now.
        current_ = before;
        for (VariableIndex v : changed) {
            current_[v] = e_.pool().variable(v);
            by_when_.insert(v);
        }
        return true;
    }

    // Repeated as often as it turns out in the run: a function of the values before it.
    bool loop(const Loop& loop, Frame& frame, Span where) override {
        std::vector<LoopVariable> variables;
        std::vector<Expr> arguments;
        for (const std::string& name : loop_targets(loop)) {
            variables.push_back({name, leaves_of(name_alone(name, where), frame)});
            flatten(e_, now(variables.back().leaves), arguments);
        }
        FunctionData data = make_loop(e_, frame, variables, loop, where);
        const CalleeIndex callee = e_.model().callees.add(FunctionData{});
        const std::vector<Expr> captured = pass_captured(e_.pool(), data, callee);
        arguments.insert(arguments.end(), captured.begin(), captured.end());
        if (make_impure(e_.pool(), e_.model(), data, callee, false)) {
            const std::vector<Expr> which = impure_arguments(e_.pool(), ++e_.functions().impure_calls);
            arguments.insert(arguments.end(), which.begin(), which.end());
        }
        e_.model().callees[callee] = std::move(data);
        std::uint32_t output = 0;
        for (const LoopVariable& v : variables)
            assign(name_alone(v.name, where),
                   rebuilt(e_, v.leaves, [&] { return e_.pool().apply(callee, output++, arguments); }), frame,
                   where);
        return true;
    }

  private:
    static object::Name name_alone(const std::string& name, Span where) {
        object::Name result;
        result.parts.resize(1);
        result.parts[0].name = name;
        result.parts[0].where = result.where = where;
        return result;
    }

    // The variables of the model themselves.
    Value leaves_of(const object::Name& name, Frame& frame) {
        object::Expression whole;
        whole.kind = ExpressionKind::Name;
        whole.name = name;
        whole.where = name.where;
        const auto outer = std::exchange(frame.current, nullptr);
        try {
            Value leaves = e_.evaluate(whole, frame);
            frame.current = outer;
            return leaves;
        } catch (...) {
            frame.current = outer;
            throw;
        }
    }

    Expr at_begin(VariableIndex v) const {
        const Variable& variable = e_.model().variables[v];
        Pool& pool = e_.pool();
        const bool discrete =
            variable.variability == cutset::Variability::Discrete || variable.type != ValueType::Real;
        if (discrete && !place_.initial) return pool.previous(v);
        if (variable.start) return variable.start->value;
        return variable.binding && discrete ? variable.binding : pool.number(0);
    }

    const Values& stored(const State& s) const {
        return states_[static_cast<std::size_t>(s.values[0].expr()->number)];
    }

    Expr chosen(VariableIndex v, Expr condition, Expr a, Expr b) const {
        Pool& pool = e_.pool();
        if (e_.model().variables[v].type != ValueType::Boolean) return pool.choose(condition, a, b);
        const Expr x = e_.truth_of(a), y = e_.truth_of(b);
        const Expr yes[2] = {condition, x}, no[2] = {pool.negation(condition), y};
        const Expr either[2] = {pool.all_of(yes), pool.all_of(no)};
        return e_.number_of(pool.any_of(either));
    }

    Expr all_guards() const { return guards_.empty() ? nullptr : e_.pool().all_of(guards_); }

    // The values that the variables in it have by now.
    Value now(const Value& v) {
        Substitution values(e_.pool());
        return mapped(v, [&](Expr e) {
            bool any = false;
            for_each_leaf(e, [&](Expr leaf) {
                if (leaf->op != Op::Variable || leaf->order != 0) return;
                const auto found = current_.find(leaf->variable());
                if (found == current_.end() || found->second == leaf) return;
                values.replace(leaf, found->second);
                any = true;
            });
            if (!any) return e;
            // A Boolean is asked as 0.5 < v: what it is made of is a condition again.
            if (e->boolean && e->op == Op::Less && e->arg(0)->is_number(0.5)) {
                const Expr x = values(e->arg(1));
                if (x->op == Op::If && x->argument_count == 3 && x->arg(1)->is_number(1) &&
                    x->arg(2)->is_number(0))
                    return x->arg(0);
                return e_.truth_of(x);
            }
            return values(e);
        });
    }

    EquationWriter& writer_;
    Evaluator& e_;
    const EquationPlace& place_;
    std::function<Value(const Value&)> look_;
    Values current_;
    mutable std::vector<Values> states_;
    std::set<VariableIndex> assigned_, by_when_;
    std::vector<VariableIndex> order_;
    std::map<VariableIndex, Span> places_;
    std::vector<Expr> guards_;
    std::vector<WhenClause> clauses_;
    WhenClause* clause_ = nullptr;
};

}  // namespace

void mark_discrete(Evaluator& e, const std::vector<object::Statement>& statements, Frame& frame) {
    const std::function<void(const std::vector<object::Statement>&, bool)> walk =
        [&](const std::vector<object::Statement>& list, bool in_when) {
            for (const object::Statement& s : list) {
                if (const auto* a = std::get_if<object::Assignment>(&s.what)) {
                    if (!in_when) continue;
                    std::vector<const object::Expression*> targets;
                    if (a->target.kind == ExpressionKind::Name)
                        targets.push_back(&a->target);
                    else
                        for (const object::Expression& x : a->target.arguments) targets.push_back(&x);
                    for (const object::Expression* target : targets) {
                        if (target->kind != ExpressionKind::Name) continue;
                        // All elements: which ones are assigned may depend on loops.
                        object::Expression whole = *target;
                        for (object::NamePart& p : whole.name.parts) p.indices.clear();
                        std::vector<Expr> flat;
                        try {
                            flatten(e, e.evaluate(whole, frame), flat);
                        } catch (const Refused&) {
                            continue;  // said where the algorithm is carried out
                        }
                        for (Expr x : flat) {
                            const Expr v = e.number_of(x);
                            if (v->op != Op::Variable) continue;
                            Variable& variable = e.model().variables[v->variable()];
                            if (variable.variability == cutset::Variability::Continuous)
                                variable.variability = cutset::Variability::Discrete;
                        }
                    }
                } else if (const auto* when = std::get_if<object::WhenStatement>(&s.what)) {
                    for (const auto& b : when->branches) walk(b.body, true);
                } else if (const auto* choice = std::get_if<object::IfStatement>(&s.what)) {
                    for (const auto& b : choice->branches) walk(b.body, in_when);
                } else if (const auto* loop = std::get_if<object::ForStatement>(&s.what)) {
                    walk(loop->body, in_when);
                }
            }
        };
    walk(statements, false);
}

void add_algorithm(EquationWriter& writer, const object::AlgorithmSection& section,
                   const EquationPlace& place, Frame& frame) {
    Evaluator& e = writer.evaluator();
    FlatModel& model = e.model();
    const std::size_t validities = model.validities.size();
    std::set<VariableIndex> targets;
    // What is assigned is known after it has been carried out; then those variables begin with their values.
    for (int round = 0; round < 3; ++round) {
        model.validities.resize(validities, Validity{});
        ModelStore store(writer, place, targets);
        frame.current = &store.look();
        try {
            Execution(e, frame, store, place.path).run(section.statements);
        } catch (const Varies& v) {
            frame.current = nullptr;
            throw Refused{messages::algorithm_varies(v.where)};
        } catch (...) {
            frame.current = nullptr;
            throw;
        }
        frame.current = nullptr;
        if (store.targets() != targets && round < 2) {
            targets = store.targets();
            continue;
        }
        for (VariableIndex v : store.order()) {
            const Expr value = store.current().at(v);
            const Expr leaf = e.pool().variable(v);
            if (store.by_when(v)) {
                if (value != leaf)
                    throw Refused{messages::assigned_twice(store.places().at(v), model.path(v))};
                continue;
            }
            const Equation made{leaf, value, {place.instance, store.places().at(v)}, EquationKind::Written};
            if (place.initial)
                model.initial_equations.add(made);
            else
                model.equations.add(made);
        }
        for (WhenClause& w : store.take_clauses()) model.whens.push_back(std::move(w));
        return;
    }
}

}  // namespace cutset::objects
