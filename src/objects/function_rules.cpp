#include "objects/function_rules.h"

#include <algorithm>
#include <functional>
#include <optional>
#include <utility>

#include "flat/rule_arguments.h"
#include "languages/modelica/parse.h"
#include "objects/function_bodies.h"
#include "objects/functions.h"
#include "objects/value_messages.h"

namespace cutset::objects {

namespace {

using Rule = FunctionAnnotations::Derivative;

void read_derivative(const object::Argument& a, FunctionAnnotations& to) {
    if (!a.value || !a.value->value || a.value->value->kind != object::ExpressionKind::Name) return;
    Rule rule;
    rule.function = a.value->value->name;
    rule.where = a.value->value->where;
    for (const object::Argument& inner : a.value->arguments) {
        if (inner.name.parts.size() != 1 || !inner.value || !inner.value->value) continue;
        const object::Expression& value = *inner.value->value;
        const std::string& name = inner.name.parts[0].name;
        if (name == "order") rule.order = static_cast<std::uint32_t>(value.number);
        if (value.kind != object::ExpressionKind::Name) continue;
        if (name == "noDerivative") rule.without.push_back(value.name.parts[0].name);
        if (name == "zeroDerivative") rule.constant.push_back(value.name.parts[0].name);
    }
    if (rule.order >= 1 && rule.order <= 9) to.derivatives.push_back(std::move(rule));
}

FunctionAnnotations read_annotations(const Sources& sources, Span annotation) {
    FunctionAnnotations result;
    Diagnostics ignored;  // annotations are no part of the model
    for (const object::Argument& a : modelica::parse_annotation(sources, annotation, ignored).arguments) {
        if (a.name.parts.size() != 1 || !a.value) continue;
        const std::string& name = a.name.parts[0].name;
        if (name == "derivative") read_derivative(a, result);
        if (name == "LateInline" && a.value->value)
            result.late = a.value->value->kind == object::ExpressionKind::Boolean && a.value->value->number;
        if (name != "inverse") continue;
        for (const object::Argument& inner : a.value->arguments)
            if (inner.name.parts.size() == 1 && inner.value && inner.value->value)
                result.inverses.push_back({inner.name.parts[0].name, *inner.value->value});
    }
    return result;
}

bool is_real(const Value& v) {
    return v.type.basic == Basic::Real;
}

// Arguments of the rules as slots of a function of their own.
class RuleBuilder {
  public:
    RuleBuilder(Evaluator& e, const RuledFunction& made) : e_(e), made_(made), frame_{*made.f.scope} {
        frame_.in_function = true;
        frame_.depth = made.depth;
        for (const Member& m : made.f.members)
            if (m.causality == object::Causality::Input) inputs_.push_back(&m);
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            first_.push_back(slots_);
            const Value& a = made.arguments[k];
            slot_values_.push_back(is_passed(a) ? rebuilt(e, a, [&] { return e_.pool().local(slots_++); })
                                                : a);
        }
        first_.push_back(slots_);
        captured_ = slots_;
        slots_ += static_cast<std::uint32_t>(made.captured.size());
    }

    std::optional<DerivativeRule> derivative(const Rule& rule) {
        const auto function = function_named(rule.function);
        std::vector<RuleInput> inputs;
        bool all = rule.order == 1;
        for (std::size_t k = 0; k < inputs_.size(); ++k) {
            inputs.push_back({first_[k + 1] - first_[k], how(rule, k)});
            all = all && inputs.back().how == RuleInput::How::Differentiated && is_real(slot_values_[k]);
        }
        auto arguments = rule_arguments(inputs, rule.order);
        if (!function || !arguments) return std::nullopt;
        std::vector<Value> values = slot_values_;
        next_ = slots_;
        for (std::size_t k : arguments->passed) {
            at_ = first_[k];
            values.push_back(
                differential(slot_values_[k], is_passed(made_.arguments[k]), arguments->by_slot));
        }
        arguments->by_slot.resize(captured_ + made_.captured.size(), DerivativeRule::constant);
        std::vector<Expr> results;
        for (const Value& v : e_.call(function, std::move(values), {}, frame_, rule.where))
            flatten(e_, v, results);
        const auto callee = wrapped(function->name, rule.where, next_, results);
        if (!callee || results.size() != data().outputs) return std::nullopt;
        return DerivativeRule{*callee, std::move(arguments->by_slot), all};
    }

    // The slot of the argument, and the function of the others with the result in its place.
    std::optional<std::pair<std::uint32_t, CalleeIndex>> inverse(const FunctionAnnotations::Inverse& rule) {
        const std::string* result = nullptr;
        for (const Member& m : made_.f.members)
            if (m.causality == object::Causality::Output) {
                if (result || data().outputs != 1) return std::nullopt;
                result = &m.name;
            }
        const auto k =
            static_cast<std::size_t>(std::find_if(inputs_.begin(), inputs_.end(),
                                                  [&](const Member* m) { return m->name == rule.argument; }) -
                                     inputs_.begin());
        if (!result || k == inputs_.size() || !is_real(slot_values_[k]) || !slot_values_[k].is_scalar())
            return std::nullopt;
        frame_.locals.clear();
        for (std::size_t i = 0; i < inputs_.size(); ++i)
            frame_.locals.push_back({i == k ? *result : inputs_[i]->name, slot_values_[i]});
        std::vector<Expr> results;
        flatten(e_, e_.evaluate(rule.value, frame_), results);
        const auto callee =
            wrapped(made_.f.name + " for " + rule.argument, rule.value.where, slots_, results);
        if (!callee || results.size() != 1) return std::nullopt;
        return std::pair(first_[k], *callee);
    }

    FunctionData& data() { return std::get<FunctionData>(e_.model().callees[made_.callee]); }

  private:
    std::shared_ptr<const Callable> function_named(const object::Name& name) {
        const Meaning meaning = made_.f.scope->callable(name);
        const auto* f = std::get_if<std::shared_ptr<const Callable>>(&meaning);
        return f && !(*f)->is_record() ? *f : nullptr;
    }

    RuleInput::How how(const Rule& rule, std::size_t k) const {
        const auto is_in = [&](const std::vector<std::string>& names) {
            return std::find(names.begin(), names.end(), inputs_[k]->name) != names.end();
        };
        const Basic basic = inputs_[k]->type.basic;
        if (is_in(rule.without) || (basic != Basic::Real && basic != Basic::Record))
            return RuleInput::How::Ignored;
        return is_in(rule.constant) ? RuleInput::How::Constant : RuleInput::How::Differentiated;
    }

    // The differential of an input: new slots for its real numbers; what else is in a record stays.
    Value differential(const Value& like, bool in_slots, std::vector<std::int32_t>& by_slot) {
        Value result(like.type, like.dimensions, {});
        for (const Scalar& s : like.elements) {
            if (const auto* record = std::get_if<std::shared_ptr<const Record>>(&s)) {
                auto made = std::make_shared<Record>();
                for (const Value& field : (*record)->fields)
                    made->fields.push_back(differential(field, in_slots, by_slot));
                result.elements.emplace_back(std::shared_ptr<const Record>(std::move(made)));
                continue;
            }
            if (!is_real(like)) {
                result.elements.push_back(s);
                if (in_slots && like.has_exprs()) by_slot[at_++] = DerivativeRule::ignored;
                continue;
            }
            if (in_slots) ++at_;
            result.elements.emplace_back(in_slots ? e_.pool().local(next_++) : e_.pool().number(0));
        }
        return result;
    }

    // The function of which these are all results for the inputs one after the other.
    std::optional<CalleeIndex> called_as_it_is(std::uint32_t inputs, const std::vector<Expr>& results) const {
        for (std::size_t k = 0; k < results.size(); ++k) {
            const Expr e = results[k];
            if (e->op != Op::Apply || e->derivatives > 0 || e->index != results[0]->index || e->order != k ||
                e->argument_count != inputs)
                return std::nullopt;
            for (std::uint32_t i = 0; i < inputs; ++i)
                if (e->arg(i)->op != Op::Local || e->arg(i)->index != i) return std::nullopt;
        }
        if (results.empty()) return std::nullopt;
        const auto* f = std::get_if<FunctionData>(&e_.model().callees[results[0]->callee()]);
        return f && f->outputs == results.size() ? std::optional(results[0]->callee()) : std::nullopt;
    }

    // A function of so many inputs that gives these results; nothing where they need more of the model.
    std::optional<CalleeIndex> wrapped(const std::string& name, Span where, std::uint32_t inputs,
                                       const std::vector<Expr>& results) {
        if (const auto same = called_as_it_is(inputs, results)) return same;
        FunctionData made;
        made.name = name;
        made.origin = {InstanceIndex(0), where};
        made.inputs = inputs;
        made.outputs = static_cast<std::uint32_t>(results.size());
        made.slots = inputs + made.outputs;
        made.slot_names.resize(made.slots);
        Substitution slots(e_.pool());
        for (std::size_t k = 0; k < made_.captured.size(); ++k)
            slots.replace(made_.captured[k], e_.pool().local(captured_ + static_cast<std::uint32_t>(k)));
        for (std::size_t k = 0; k < results.size(); ++k) {
            const Expr value = slots(results[k]);
            if (depends_on(value, [](Expr leaf) { return leaf->op != Op::Local && leaf->op != Op::Element; }))
                return std::nullopt;
            made.body.push_back(
                {FunctionAssign{e_.pool().local(inputs + static_cast<std::uint32_t>(k)), value}, where});
        }
        return e_.model().callees.add(std::move(made));
    }

    Evaluator& e_;
    const RuledFunction& made_;
    Frame frame_;
    std::vector<const Member*> inputs_;
    std::vector<Value> slot_values_;  // by input
    std::vector<std::uint32_t> first_;
    std::uint32_t slots_ = 0, captured_ = 0;
    std::uint32_t next_ = 0, at_ = 0;  // slots of differentials; of the input at hand
};

}  // namespace

const FunctionAnnotations& annotations_of(Evaluator& e, const Callable& f) {
    const auto [known, added] = e.functions().annotations.try_emplace(f.declared);
    if (added && f.declared && f.declared->language == object::Language::Modelica &&
        f.declared->annotation.known())
        known->second = read_annotations(e.sources(), f.declared->annotation);
    return known->second;
}

void add_rules(Evaluator& e, const RuledFunction& made) {
    const FunctionAnnotations& annotations = annotations_of(e, made.f);
    if (annotations.derivatives.empty() && annotations.inverses.empty()) return;
    RuleBuilder builder(e, made);
    const auto left_out = [&](Span where, const char* what) {
        e.diagnostics().report(messages::rule_left_out(where, made.f.name, what));
    };
    std::vector<DerivativeRule> rules;
    for (const Rule& rule : annotations.derivatives) try {
            if (auto r = builder.derivative(rule))
                rules.push_back(std::move(*r));
            else
                left_out(rule.where, "derivative");
        } catch (const Refused&) {
            left_out(rule.where, "derivative");
        }
    for (const FunctionAnnotations::Inverse& rule : annotations.inverses) try {
            if (const auto r = builder.inverse(rule))
                builder.data().inverses.push_back(*r);
            else
                left_out(rule.value.where, "inverse");
        } catch (const Refused&) {
            left_out(rule.value.where, "inverse");
        }
    if (rules.empty()) return;
    builder.data().time_derivatives = rules;
    e.pool().set_derivative(made.callee, std::move(rules));
}

}  // namespace cutset::objects
