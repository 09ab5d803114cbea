#include "objects/clock_operators.h"

#include <algorithm>
#include <array>
#include <functional>
#include <map>
#include <string>
#include <string_view>
#include <utility>

#include "objects/functions.h"
#include "objects/value_messages.h"
#include "objects/value_operators.h"

namespace cutset::objects {

namespace {

using object::Expression;
using object::ExpressionKind;
using ClockKind = ClockOperator::Kind;

struct OperatorRule {
    ClockKind kind;
    std::array<const char*, 3> inputs;
};
const std::map<std::string_view, OperatorRule>& operator_rules() {
    static const std::map<std::string_view, OperatorRule> all = {
        {"sample", {ClockKind::Sample, {"u", "clock"}}},
        {"hold", {ClockKind::Hold, {"u"}}},
        {"subSample", {ClockKind::SubSample, {"u", "factor"}}},
        {"superSample", {ClockKind::SuperSample, {"u", "factor"}}},
        {"shiftSample", {ClockKind::Shift, {"u", "shiftCounter", "resolution"}}},
        {"backSample", {ClockKind::Back, {"u", "backCounter", "resolution"}}},
        {"noClock", {ClockKind::NoClock, {"u"}}},
        {"interval", {ClockKind::Interval, {"u"}}},
        {"firstTick", {ClockKind::FirstTick, {"u"}}},
    };
    return all;
}

ClockSolver solver_of(const std::string& name, Span where) {
    static const std::map<std::string_view, ClockSolver> all = {
        {"External", ClockSolver::None},
        {"ExplicitEuler", ClockSolver::ExplicitEuler},
        {"ExplicitMidPoint2", ClockSolver::ExplicitMidPoint2},
        {"ExplicitRungeKutta4", ClockSolver::ExplicitRungeKutta4},
        {"ImplicitEuler", ClockSolver::ImplicitEuler},
        {"ImplicitTrapezoid", ClockSolver::ImplicitTrapezoid},
    };
    if (const auto found = all.find(name); found != all.end()) return found->second;
    throw Refused{messages::no_such_solver(where, name)};
}

class ClockCall {
  public:
    ClockCall(Evaluator& e, const Expression& call, Frame& frame)
        : e_(e), call_(call), frame_(frame), name_(call.name.parts[0].name) {}

    Value clock() {
        refuse_outside_of_equations();
        const Expression* first = nullptr;
        for (const char* name : {"interval", "intervalCounter", "condition", "c"})
            if (!first) first = argument(0, name);
        if (!first) return made(type_of(Basic::Clock), e_.pool().number(0), {{}, ClockKind::Inferred});
        const Value of = e_.evaluate(*first, frame_);
        if (!of.is_scalar()) refuse("a scalar");
        switch (of.type.basic) {
            case Basic::Clock:
                return solved(of);
            case Basic::Boolean:
                return of_events(of);
            case Basic::Integer:
                return of_ticks(*first);
            case Basic::Real:
                return made(type_of(Basic::Clock), parametric(of.expr(), *first), {{}, ClockKind::Periodic});
            default:
                refuse("an interval, a condition or a clock");
        }
    }

    Value previous() {
        if (frame_.in_function) throw Refused{messages::not_in_function(call_.where, "`previous`")};
        const auto current = std::exchange(frame_.current, nullptr);
        const Value of = e_.evaluate(wanted(0, "u"), frame_);
        frame_.current = current;
        return transformed(of, [&](const Type& type, Expr x) {
            const Expr leaf = e_.number_of(x);
            if (leaf->op != Op::Variable || leaf->order != 0) {
                if (depends_on(leaf, [&](Expr y) { return varies(y); }))
                    throw Refused{messages::only_of_variable(call_.where, name_)};
                return x;
            }
            if (!varies(leaf)) return x;
            e_.model().asked_before.push_back(leaf->variable());
            const Expr before = e_.pool().previous(leaf->variable());
            return type.basic == Basic::Boolean ? e_.truth_of(before) : before;
        });
    }

    // sample(start, interval) is no operator of clocks.
    std::optional<Value> operation(const OperatorRule& rule) {
        const Expression* second = argument(1, rule.inputs[1] ? rule.inputs[1] : "");
        ClockOperator op;
        op.kind = rule.kind;
        if (rule.kind == ClockKind::Sample && second) {
            if (argument(0, "start") && call_.arguments.empty()) return std::nullopt;
            const Value clock = e_.evaluate(*second, frame_);
            if (clock.type.basic != Basic::Clock) return std::nullopt;
            op.clock = clock.expr()->variable();
        }
        refuse_outside_of_equations();
        if (rule.kind == ClockKind::SubSample || rule.kind == ClockKind::SuperSample)
            op.factor = second ? count(*second, 0) : 0;
        if (rule.kind == ClockKind::Shift || rule.kind == ClockKind::Back) {
            op.factor = count(wanted(1, rule.inputs[1]), 0);
            if (const Expression* resolution = argument(2, "resolution"))
                op.resolution = count(*resolution, 1);
        }
        if (rule.kind == ClockKind::Interval || rule.kind == ClockKind::FirstTick) return of_partition(op);
        const Value of = e_.evaluate(wanted(0, "u"), frame_);
        return transformed(of, [&](const Type& type, Expr x) {
            return scalar(type, rule.kind == ClockKind::Sample ? e_.number_of(x) : variable(type, x), op);
        });
    }

  private:
    [[noreturn]] void refuse(const char* wanted) const {
        throw Refused{messages::argument_of(call_.where, name_, wanted)};
    }
    void refuse_outside_of_equations() const {
        if (frame_.in_function) throw Refused{messages::not_in_function(call_.where, "`" + name_ + "`")};
        if (frame_.reading == Reading::Constant)
            throw Refused{messages::not_known(call_.where, "this", "what `" + name_ + "` gives"),
                          Refusal::NotKnown};
    }
    const Expression* argument(std::size_t position, std::string_view name) const {
        if (position < call_.arguments.size()) return &call_.arguments[position];
        for (const object::NamedArgument& a : call_.named)
            if (a.name == name) return &*a.value;
        return nullptr;
    }
    const Expression& wanted(std::size_t position, const char* name) const {
        if (const Expression* found = argument(position, name)) return *found;
        throw Refused{messages::argument_missing(call_.where, name_, name)};
    }
    std::uint32_t count(const Expression& e, std::int64_t least) {
        const std::int64_t n = e_.integer(e, frame_);
        if (n < least || n > 1'000'000'000) throw Refused{messages::clock_count(e.where, name_, least)};
        return static_cast<std::uint32_t>(n);
    }
    bool varies(Expr leaf) const {
        return leaf->op == Op::Time || leaf->op == Op::Previous ||
               (leaf->op == Op::Variable &&
                e_.model().variables[leaf->variable()].variability > cutset::Variability::Parameter);
    }
    Expr parametric(Expr interval, const Expression& e) const {
        if (depends_on(interval, [&](Expr leaf) { return varies(leaf); }))
            throw Refused{messages::varying_interval(e.where)};
        return interval;
    }

    Value solved(const Value& clock) {
        ClockOperator op{{}, ClockKind::Solved};
        op.solver = solver_of(e_.text(wanted(1, "solverMethod"), frame_), call_.where);
        return made(type_of(Basic::Clock), clock.expr(), op);
    }
    Value of_events(const Value& condition) {
        ClockOperator op{{}, ClockKind::Event};
        if (const Expression* e = argument(1, "startInterval"))
            op.start_interval = parametric(e_.evaluate(*e, frame_).expr(), *e);
        return made(type_of(Basic::Clock), condition.expr(), op);
    }
    Value of_ticks(const Expression& counter) {
        const std::uint32_t n = count(counter, 0);
        const Expression* resolution = argument(1, "resolution");
        const std::uint32_t per = resolution ? count(*resolution, 1) : 1;
        if (n == 0) return made(type_of(Basic::Clock), e_.pool().number(0), {{}, ClockKind::Inferred});
        return made(type_of(Basic::Clock), e_.pool().number(double(n) / per), {{}, ClockKind::Periodic});
    }
    // interval(u), firstTick(u): of the clock of u, or of the one here.
    Value of_partition(const ClockOperator& op) {
        Expr of = e_.pool().number(0);
        if (const Expression* u = argument(0, "u")) {
            std::vector<Expr> all;
            flatten(e_, e_.evaluate(*u, frame_), all);
            if (!all.empty()) of = all[0];
        }
        return made(type_of(op.kind == ClockKind::Interval ? Basic::Real : Basic::Boolean), of, op);
    }

    Value transformed(const Value& v, const std::function<Expr(const Type&, Expr)>& f) {
        Value r(v.type, v.dimensions, {});
        for (const Scalar& s : v.elements) {
            if (const Expr* x = std::get_if<Expr>(&s)) {
                r.elements.emplace_back(f(v.type, *x));
            } else if (const auto* record = std::get_if<std::shared_ptr<const Record>>(&s)) {
                auto made = std::make_shared<Record>();
                for (const Value& x : (*record)->fields) made->fields.push_back(transformed(x, f));
                r.elements.emplace_back(std::shared_ptr<const Record>(std::move(made)));
            } else {
                refuse("numbers, Booleans or values of an enumeration");
            }
        }
        return r;
    }
    Value made(const Type& type, Expr argument, const ClockOperator& op) {
        return Value(type, scalar(type, argument, op));
    }

    // The result of the operator: a variable. The same for a call that is evaluated again.
    Expr scalar(const Type& type, Expr argument, ClockOperator op) {
        const auto [known, added] =
            e_.functions().clock_results.try_emplace({&call_, frame_.scope.instance().value, argument->id});
        if (added) {
            known->second = add_variable(type);
            op.equation = add_equation(known->second, argument);
            e_.model().clock_operators.push_back(op);
        }
        return type.basic == Basic::Boolean ? e_.truth_of(known->second) : known->second;
    }
    // The argument as a variable of its partition: where it ticks it is computed, elsewhere it is held.
    Expr variable(const Type& type, Expr argument) {
        const Expr x = e_.number_of(argument);
        if (x->is_number() || (x->op == Op::Variable && x->order == 0)) return x;
        const auto [known, added] =
            e_.functions().clock_results.try_emplace({nullptr, frame_.scope.instance().value, x->id});
        if (added) {
            known->second = add_variable(type);
            add_equation(known->second, x);
        }
        return known->second;
    }
    Expr add_variable(const Type& type) {
        Variable v;
        v.origin = {frame_.scope.instance(), call_.where};
        v.name = name_ + " " + std::to_string(e_.functions().clock_results.size());
        v.internal = v.typed = true;
        switch (type.basic) {
            case Basic::Integer:
            case Basic::Clock:
                v.type = ValueType::Integer;
                break;
            case Basic::Boolean:
                v.type = ValueType::Boolean;
                break;
            case Basic::Enumeration:
                v.type = ValueType::Enumeration;
                v.enumeration = e_.enumeration(*type.enumeration);
                break;
            default:
                break;
        }
        return e_.pool().variable(e_.model().variables.add(std::move(v)));
    }
    EquationIndex add_equation(Expr v, Expr argument) {
        return e_.model().equations.add(
            {v, argument, {frame_.scope.instance(), call_.where}, EquationKind::Written});
    }

    Evaluator& e_;
    const Expression& call_;
    Frame& frame_;
    const std::string& name_;
};

}  // namespace

std::optional<Value> clock_call(Evaluator& e, const Expression& call, Frame& frame) {
    if (call.name.parts.size() != 1) return std::nullopt;
    const std::string& name = call.name.parts[0].name;
    if (name == "Clock") return ClockCall(e, call, frame).clock();
    if (name == "previous") return ClockCall(e, call, frame).previous();
    const auto found = operator_rules().find(name);
    if (found == operator_rules().end()) return std::nullopt;
    return ClockCall(e, call, frame).operation(found->second);
}

bool is_clock(Evaluator& e, const Expression& condition, Frame& frame) {
    if (condition.kind == ExpressionKind::Call && condition.name.parts.size() == 1 &&
        condition.name.parts[0].name == "Clock")
        return true;
    return condition.kind == ExpressionKind::Name && e.evaluate(condition, frame).type.basic == Basic::Clock;
}

void add_members(FlatModel& model, EquationIndex first, Expr clock) {
    // What stands from here on was written last.
    std::vector<EquationIndex> of_operators;
    for (auto op = model.clock_operators.rbegin();
         op != model.clock_operators.rend() && !(op->equation < first); ++op)
        of_operators.push_back(op->equation);
    std::sort(of_operators.begin(), of_operators.end());
    for (EquationIndex i = first; i < model.equations.end_index(); ++i.value) {
        if (std::binary_search(of_operators.begin(), of_operators.end(), i)) continue;
        ClockOperator op{i, ClockKind::Member};
        op.clock = clock->variable();
        model.clock_operators.push_back(op);
    }
}

}  // namespace cutset::objects
