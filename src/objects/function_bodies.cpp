#include "objects/function_bodies.h"

#include <algorithm>
#include <map>
#include <set>

#include "objects/builtin_functions.h"
#include "objects/execution.h"
#include "objects/external_functions.h"
#include "objects/external_texts.h"
#include "objects/functions.h"
#include "objects/iterators.h"
#include "objects/value_messages.h"
#include "objects/value_operators.h"

namespace cutset::objects {

using object::ExpressionKind;

namespace {

constexpr std::uint32_t slot_limit = 1'000'000;
constexpr std::size_t most_inputs = 65'535;  // Node::by
constexpr std::size_t most_repetitions = 100'000;

// The variables that statements assign to, and how often.
using Targets = std::map<std::string, int>;
void list_targets(const std::vector<object::Statement>& statements, Targets& names);

struct ListTargets {
    Targets& names;
    void add(const object::Expression& target) const {
        if (target.kind == ExpressionKind::Name) ++names[target.name.parts[0].name];
        for (const object::Expression& a : target.arguments) add(a);
    }
    void operator()(const object::Assignment& s) const { add(s.target); }
    void operator()(const object::IfStatement& s) const {
        for (const auto& b : s.branches) list_targets(b.body, names);
    }
    void operator()(const object::WhenStatement& s) const {
        for (const auto& b : s.branches) list_targets(b.body, names);
    }
    void operator()(const object::ForStatement& s) const { list_targets(s.body, names); }
    void operator()(const object::WhileStatement& s) const { list_targets(s.body, names); }
    void operator()(const object::CallStatement&) const {}
    void operator()(const object::BreakStatement&) const {}
    void operator()(const object::ReturnStatement&) const {}
};

void list_targets(const std::vector<object::Statement>& statements, Targets& names) {
    for (const object::Statement& s : statements) std::visit(ListTargets{names}, s.what);
}

class BodyBuilder {
  public:
    BodyBuilder(Evaluator& e, const Callable& f, std::uint32_t depth) : e_(e), f_(f), frame_{*f.scope} {
        frame_.in_function = true;
        frame_.depth = depth;
        data_.name = f.name;
        data_.origin = {InstanceIndex(0), f.where};
        for (const Algorithm& a : f.algorithms) list_targets(a.section->statements, assigned_);
    }

    // Of a loop of a model: `f` has the variables that it assigns to as members.
    BodyBuilder(Evaluator& e, const Callable& f, const Frame& frame, Span where)
        : e_(e), f_(f), frame_(frame) {
        data_.name = f.name;
        data_.origin = {InstanceIndex(0), where};
    }

    FunctionData make_loop(const std::vector<LoopVariable>& variables, const Store::Loop& loop, Span where) {
        std::vector<Value> before, after;
        for (const LoopVariable& v : variables) before.push_back(new_slots(v.leaves, v.name, where));
        data_.inputs = data_.slots;
        for (const LoopVariable& v : variables) {
            after.push_back(new_slots(v.leaves, v.name, where));
            frame_.locals.push_back({v.name, after.back()});
        }
        data_.outputs = data_.slots - data_.inputs;
        out_ = &data_.body;
        for (std::size_t k = 0; k < variables.size(); ++k) assign_all(after[k], before[k], where);
        std::visit([&](const auto* statement_of_loop) { statement(*statement_of_loop, where); }, loop);
        return std::move(data_);
    }

    FunctionData make(const std::vector<Value>& arguments,
                      const std::function<void(const FunctionData&, std::vector<Value>)>& declare) {
        declare_inputs(arguments);
        std::vector<Value> outputs = declare_outputs();
        declare(data_, outputs);
        out_ = &data_.body;
        declare_in_order(f_, [&](const Member& m) {
            if (m.causality == object::Causality::None) declare_local(m);
        });
        for (const Member& m : f_.members)
            if (m.causality == object::Causality::Output && !m.binding && !m.inner.empty()) {
                const Value slots = *frame_.find(m.name);
                assign_all(slots, zero_value(e_, f_, m, slots.dimensions, frame_), m.where);
            } else if (m.causality == object::Causality::Output && m.binding) {
                const Value& slots = *frame_.find(m.name);
                const Value v = binding(m);
                assign_all(slots, e_.converted(v, slots.type, slots.dimensions, m.where, words(m)), m.where);
            }
        if (f_.external) routine();
        for (const Algorithm& a : f_.algorithms) statements(a.section->statements);
        return std::move(data_);
    }

  private:
    std::string words(const Member& m) const { return "`" + m.name + "` of " + f_.name; }
    Pool& pool() { return e_.pool(); }

    Value new_slots(const Value& like, const std::string& name, Span where) {
        std::vector<Expr> flat;
        flatten(e_, like, flat);
        if (flat.size() + data_.slots > slot_limit)
            throw Refused{
                messages::too_large(where, static_cast<double>(flat.size() + data_.slots), slot_limit)};
        std::size_t k = 0;
        return rebuilt(e_, like, [&] {
            data_.slot_names.push_back(flat.size() == 1 ? name : name + "[" + std::to_string(++k) + "]");
            return pool().local(data_.slots++);
        });
    }

    void declare_inputs(const std::vector<Value>& arguments) {
        std::size_t k = 0;
        for (const Member& m : f_.members) {
            if (m.causality != object::Causality::Input) continue;
            const Value& a = arguments[k++];
            frame_.locals.push_back({m.name, is_passed(a) ? new_slots(a, m.name, m.where) : a});
        }
        data_.inputs = data_.slots;
        if (data_.inputs > most_inputs)
            throw Refused{messages::function_too_wide(f_.where, f_.name, most_inputs)};
    }

    Dimensions sizes(const Member& m, const Dimensions* open) {
        try {
            return e_.dimensions(m.dimensions, frame_, open);
        } catch (const Refused& r) {
            if (r.reason != Refusal::NotKnown) throw;
            throw Refused{messages::function_size(m.where, f_.name, m.name), Refusal::NotKnown};
        }
    }

    Value binding(const Member& m) {
        Frame inner{*m.binding.scope};
        if (!m.binding.outside) inner.locals = frame_.locals;
        inner.in_function = true;
        inner.depth = frame_.depth;
        return argument_value(e_, *m.binding.expression, inner);
    }

    // Their sizes may depend on local variables that have known values.
    std::vector<Value> declare_outputs() {
        const std::size_t before = frame_.locals.size();
        for (const Member& m : f_.members) {
            const bool plain =
                m.causality == object::Causality::None && m.binding && !assigned_.count(m.name);
            if (!plain) continue;
            try {
                const Value v = binding(m);
                if (Evaluator::is_known(v)) frame_.locals.push_back({m.name, v});
            } catch (const Refused&) {
                // It depends on what is declared later.
            }
        }
        std::vector<Local> made;
        std::vector<Value> outputs;
        for (const Member& m : f_.members) {
            if (m.causality != object::Causality::Output) continue;
            std::optional<Value> v;
            if (m.binding && std::any_of(m.dimensions.begin(), m.dimensions.end(), [](const Scoped& s) {
                    return s.expression->kind == ExpressionKind::Omitted;
                }))
                v = binding(m);
            if (!v && has_open_size(m)) v = result_of(outputs.size(), before, m.where);
            const Dimensions d = sizes(m, v ? &v->dimensions : nullptr);
            const Value like = zero_value(e_, m.type, d, frame_, m.where);
            if (m.type.basic == Basic::String || m.type.basic == Basic::Object)
                throw Refused{messages::text_varies(m.where), Refusal::TextVaries};
            made.push_back({m.name, new_slots(like, m.name, m.where)});
            outputs.push_back(like);
        }
        data_.outputs = data_.slots - data_.inputs;
        frame_.locals.resize(before);
        for (Local& l : made) frame_.locals.push_back(std::move(l));
        return outputs;
    }

    // The size of an open output is that of what the body gives it, carried out on the inputs as they are.
    Value result_of(std::size_t output, std::size_t inputs, Span where) {
        std::vector<Local> arguments(frame_.locals.begin(),
                                     frame_.locals.begin() + static_cast<std::ptrdiff_t>(inputs));
        try {
            return executed(e_, f_, std::move(arguments), frame_.depth, where).at(output);
        } catch (const Varies&) {
            throw Refused{messages::open_size(where)};
        }
    }

    void declare_local(const Member& m) {
        std::optional<Value> v;
        if (m.binding) v = binding(m);
        if (!v && has_open_size(m)) {
            const Dimensions empty(m.dimensions.size(), 0);
            open_.insert(m.name);
            frame_.locals.push_back({m.name, Value(m.type, sizes(m, &empty), {})});
            return;
        }
        const Dimensions d = sizes(m, v ? &v->dimensions : nullptr);
        if (v) v = e_.converted(*v, m.type, d, m.where, words(m));
        const bool fixed = !assigned_.count(m.name);
        // What is known and stays so is no variable.
        if (v && fixed && Evaluator::is_known(*v)) {
            frame_.locals.push_back({m.name, *v});
            return;
        }
        const Value like = v ? *v : zero_value(e_, f_, m, d, frame_);
        if (m.type.basic == Basic::String) {
            frame_.locals.push_back({m.name, like, true});
            return;
        }
        if (m.type.basic == Basic::String || m.type.basic == Basic::Object || m.type.basic == Basic::Function)
            throw Refused{messages::text_varies(m.where), Refusal::TextVaries};
        const Value slots = new_slots(like, m.name, m.where);
        frame_.locals.push_back({m.name, slots});
        // Fields of a record with values of their own, too.
        if (v || m.type.basic == Basic::Record) assign_all(slots, like, m.where);
    }

    // ---- assignments

    struct Pair {
        Expr target, value;
    };

    static Expr slot_of(Expr e) { return e->op == Op::Less && e->arg(0)->is_number(0.5) ? e->arg(1) : e; }

    void assign_all(const Value& slots, const Value& value, Span where) {
        std::vector<Pair> pairs;
        add_pairs(slots, value, pairs);
        emit(pairs, where);
    }

    void add_pairs(const Value& slots, const Value& value, std::vector<Pair>& pairs) {
        std::vector<Expr> to, from;
        flatten(e_, slots, to);
        flatten(e_, value, from);
        CUTSET_ASSERT(to.size() == from.size());
        for (std::size_t k = 0; k < to.size(); ++k)
            if (slot_of(to[k]) != from[k]) pairs.push_back({slot_of(to[k]), from[k]});
    }

    // All values are those before the first assignment.
    void emit(const std::vector<Pair>& pairs, Span where) {
        std::set<std::uint32_t> written;
        bool overlaps = false;
        for (const Pair& p : pairs) {
            overlaps = overlaps || depends_on(p.value, [&](Expr leaf) {
                           if (leaf->op == Op::Local) return written.count(leaf->index) > 0;
                           if (leaf->op != Op::Element) return false;
                           const auto first = written.lower_bound(leaf->index);
                           return first != written.end() && *first < leaf->index + leaf->order;
                       });
            if (p.target->op == Op::Local)
                written.insert(p.target->index);
            else
                for (std::uint32_t k = 0; k < p.target->order; ++k) written.insert(p.target->index + k);
        }
        if (!overlaps) {
            for (const Pair& p : pairs) out_->push_back({FunctionAssign{p.target, p.value}, where});
            return;
        }
        std::vector<Expr> temporaries;
        for (const Pair& p : pairs) {
            temporaries.push_back(pool().local(data_.slots++));
            data_.slot_names.emplace_back();
            out_->push_back({FunctionAssign{temporaries.back(), p.value}, where});
        }
        for (std::size_t k = 0; k < pairs.size(); ++k)
            out_->push_back({FunctionAssign{pairs[k].target, temporaries[k]}, where});
    }

    // An array of open size gets the slots that what is assigned to it needs; in a branch or loop, where
    // other paths have the size that it had, they must be as many.
    void resize(const object::Name& target, const Value& value, Span where) {
        const std::string& name = target.parts[0].name;
        if (target.parts.size() != 1 || !target.parts[0].indices.empty() || !open_.count(name)) return;
        for (Local& l : frame_.locals) {
            if (l.name != name || l.value.dimensions == value.dimensions) continue;
            if (out_ != &data_.body && l.value.size() > 0) throw Refused{messages::open_size(where)};
            const Value like = e_.converted(value, l.value.type, value.dimensions, where, "`" + name + "`");
            l.value = new_slots(like, name, where);
        }
    }

    void add_assignment(const object::Name& target, const Value& value, Span where,
                        std::vector<Pair>& pairs) {
        resize(target, value, where);
        const std::string& name = target.parts[0].name;
        const Value* whole = frame_.find(name);
        if (!whole) {
            std::vector<std::string> names;
            for (const Local& l : frame_.locals) names.push_back(l.name);
            throw Refused{messages::unknown_target(where, f_.name, name, nearest_name(name, names))};
        }
        const Member* member = f_.find(name);
        if (!member || member->causality == object::Causality::Input ||
            member->variability == object::Variability::Constant || loops_.count(name))
            throw Refused{messages::assigned_input(where, f_.name, name)};
        object::Expression place;
        place.kind = ExpressionKind::Name;
        place.name = target;
        place.where = target.where;
        const Value slots = e_.evaluate(place, frame_);
        std::vector<Expr> flat;
        flatten(e_, slots, flat);
        const bool direct = std::all_of(flat.begin(), flat.end(), [](Expr e) {
            return slot_of(e)->op == Op::Local || slot_of(e)->op == Op::Element;
        });
        if (direct) {
            add_pairs(slots, e_.converted(value, slots.type, slots.dimensions, where, "`" + name + "`"),
                      pairs);
        } else {
            const Value old = *whole;
            add_pairs(old, updated(e_, old, target.parts, value, frame_, where, "`" + name + "`"), pairs);
        }
    }

    // ---- external routines

    void routine() {
        std::vector<Value> arguments;
        Frame frame{f_.external_scope ? *f_.external_scope : *f_.scope};
        frame.locals = frame_.locals;
        frame.in_function = true;
        frame.depth = frame_.depth;
        for (const object::Expression& a : f_.external->arguments) arguments.push_back(e_.evaluate(a, frame));
        const RoutineCall call = routine_call(e_, f_, arguments);
        std::vector<Expr> inputs;
        for (std::size_t k = 0; k < arguments.size(); ++k)
            if (call.arguments[k].kind != RoutineArgument::Kind::Text && !call.arguments[k].constant)
                flatten(e_, arguments[k], inputs);
        FunctionData routine;
        routine.name = call.symbol;
        routine.origin = data_.origin;
        routine.inputs = static_cast<std::uint32_t>(call.inputs());
        routine.outputs = static_cast<std::uint32_t>(call.outputs());
        routine.slots = routine.inputs + routine.outputs;
        routine.slot_names.resize(routine.slots);
        if (routine.inputs > most_inputs)
            throw Refused{messages::function_too_wide(f_.where, f_.name, most_inputs)};
        routine.external = ExternalCode{{}, to_text(call), {}, f_.where};
        const CalleeIndex callee = e_.model().callees.add(std::move(routine));
        std::uint32_t output = 0;
        std::vector<Pair> pairs;
        assign_routine_results(f_, arguments, [&](const Member& m, const Value&) {
            const Value& slots = *frame_.find(m.name);
            std::vector<Expr> to;
            flatten(e_, slots, to);
            for (Expr slot : to) pairs.push_back({slot_of(slot), pool().apply(callee, output++, inputs)});
        });
        emit(pairs, f_.where);
    }

    // ---- statements

    void statements(const std::vector<object::Statement>& list) {
        for (const object::Statement& s : list)
            std::visit([&](const auto& what) { statement(what, s.where); }, s.what);
    }

    // A text for messages: what it is made of stands in it by name.
    bool assign_text(const object::Assignment& s) {
        if (s.target.kind != ExpressionKind::Name) return false;
        const Local* local = frame_.find_local(s.target.name.parts[0].name);
        if (!local || !local->message) return false;
        const std::string text = message(&s.value);
        for (Local& l : frame_.locals)
            if (&l == local && l.value.is_scalar()) l.value = Value(Basic::String, text);
        return true;
    }

    // A whole number that is assigned once, before any branch or loop, and is known: `n := 2*div(size(x, 1),
    // 2)`. Sizes and bounds of loops may then depend on it.
    bool fix_known(const object::Assignment& s) {
        if (out_ != &data_.body || s.target.kind != ExpressionKind::Name) return false;
        const object::NamePart& part = s.target.name.parts[0];
        const Member* m = f_.find(part.name);
        const bool whole = s.target.name.parts.size() == 1 && part.indices.empty();
        if (!whole || !m || m->causality != object::Causality::None || assigned_[part.name] != 1)
            return false;
        if (m->type.basic != Basic::Integer && m->type.basic != Basic::Boolean) return false;
        const Value v = e_.evaluate(s.value, frame_);
        if (!Evaluator::is_known(v)) return false;
        for (Local& l : frame_.locals)
            if (l.name == part.name)
                l.value = e_.converted(v, l.value.type, l.value.dimensions, s.value.where, words(*m));
        return true;
    }

    void statement(const object::Assignment& s, Span where) {
        if (assign_text(s) || fix_known(s)) return;
        std::vector<Pair> pairs;
        assign_results(e_, s, frame_, where, [&](const object::Name& target, const Value& value) {
            add_assignment(target, value, where, pairs);
        });
        emit(pairs, where);
    }

    Expr condition(const object::Expression& c) {
        const Value v = e_.evaluate(c, frame_);
        if (v.type.basic != Basic::Boolean || !v.is_scalar())
            throw Refused{messages::condition_type(c.where, type_text(v.type))};
        return v.expr();
    }

    void statement(const object::IfStatement& s, Span where) {
        FunctionIf made;
        for (const object::StatementBranch& b : s.branches) {
            const Expr c = b.condition ? condition(*b.condition) : nullptr;
            if (c && c->op == Op::Truth && !c->index) continue;
            const bool last = !c || c->op == Op::Truth;
            made.branches.emplace_back(last ? nullptr : c, std::vector<FunctionStatement>());
            auto* outer = std::exchange(out_, nullptr);
            std::vector<FunctionStatement> body;
            out_ = &body;
            statements(b.body);
            out_ = outer;
            made.branches.back().second = std::move(body);
            if (last) break;
        }
        if (made.branches.empty()) return;
        if (!made.branches[0].first) {  // decided
            for (FunctionStatement& one : made.branches[0].second) out_->push_back(std::move(one));
            return;
        }
        out_->push_back({std::move(made), where});
    }

    void statement(const object::ForStatement& s, Span where) { loop(s, 0, where); }

    void loop(const object::ForStatement& s, std::size_t k, Span where) {
        if (k == s.iterators.size()) {
            statements(s.body);
            return;
        }
        const object::Iterator& it = s.iterators[k];
        const bool range = it.range && it.range->kind == ExpressionKind::Range;
        std::optional<std::vector<Value>> values;
        std::vector<Value> ends;
        if (range) {
            for (const object::Expression& a : it.range->arguments) ends.push_back(e_.evaluate(a, frame_));
        } else {
            values = iterator_values(e_, it, s.body, frame_);
            if (!it.range && !values->empty())
                ends = {Value(Basic::Integer, pool().number(1)),
                        Value(Basic::Integer, pool().number(static_cast<double>(values->size())))};
        }
        const bool counted = !ends.empty() && is_numeric(ends[0].type);
        if (counted) {
            const std::size_t locals = frame_.locals.size(), before = out_->size();
            auto* const outer = out_;
            try {
                counted_loop(s, k, ends, where);
                return;
            } catch (const Refused&) {
                // Sizes that depend on the count: repeated as often as it says, where that is known.
                out_ = outer;
                out_->resize(before);
                frame_.locals.resize(locals);
                loops_.erase(it.name);
                if (!values && it.range) {
                    const bool known = std::all_of(ends.begin(), ends.end(), Evaluator::is_known);
                    if (!known) throw;
                }
            }
        }
        if (!values) values = iterator_values(e_, it, s.body, frame_);
        if (values->size() > most_repetitions)
            throw Refused{messages::too_many_steps(where, f_.name, most_repetitions)};
        if (leaves_loop(s.body)) throw Refused{messages::open_loop_range(where)};
        for (const Value& v : *values) {
            frame_.locals.push_back({it.name, v});
            loops_.insert(it.name);
            loop(s, k + 1, where);
            loops_.erase(it.name);
            frame_.locals.pop_back();
        }
    }

    static bool leaves_loop(const std::vector<object::Statement>& body) {
        return std::any_of(body.begin(), body.end(), [](const object::Statement& s) {
            if (std::holds_alternative<object::BreakStatement>(s.what)) return true;
            const auto* choice = std::get_if<object::IfStatement>(&s.what);
            return choice && std::any_of(choice->branches.begin(), choice->branches.end(),
                                         [](const auto& b) { return leaves_loop(b.body); });
        });
    }

    void counted_loop(const object::ForStatement& s, std::size_t k, const std::vector<Value>& ends,
                      Span where) {
        FunctionFor made;
        made.from = ends.front().expr();
        made.to = ends.back().expr();
        made.step = ends.size() == 3 ? ends[1].expr() : pool().number(1);
        made.slot = data_.slots++;
        data_.slot_names.push_back(s.iterators[k].name);
        const bool whole = ends.front().type.basic == Basic::Integer;
        frame_.locals.push_back(
            {s.iterators[k].name, Value(whole ? Basic::Integer : Basic::Real, pool().local(made.slot))});
        loops_.insert(s.iterators[k].name);
        auto* const outer = std::exchange(out_, &made.body);
        loop(s, k + 1, where);
        out_ = outer;
        loops_.erase(s.iterators[k].name);
        frame_.locals.pop_back();
        out_->push_back({std::move(made), where});
    }

    void statement(const object::WhileStatement& s, Span where) {
        FunctionWhile made;
        made.condition = condition(s.condition);
        auto* const outer = std::exchange(out_, &made.body);
        statements(s.body);
        out_ = outer;
        out_->push_back({std::move(made), where});
    }

    void statement(const object::WhenStatement&, Span where) {
        throw Refused{messages::not_in_function(where, "`when`")};
    }
    void statement(const object::BreakStatement&, Span where) {
        out_->push_back({FunctionLeave{true}, where});
    }
    void statement(const object::ReturnStatement&, Span where) {
        out_->push_back({FunctionLeave{false}, where});
    }

    std::string message(const object::Expression* e) {
        if (!e) return "";
        frame_.message = true;
        std::string text;
        try {
            const Value v = e_.evaluate(*e, frame_);
            if (v.type.basic == Basic::String && v.is_scalar()) text = v.text();
        } catch (const Refused&) {
            text = std::string(e_.sources().text(e->where));
        }
        frame_.message = false;
        return text;
    }

    void statement(const object::CallStatement& s, Span where) {
        const object::Expression& call = s.call;
        const std::string& last = call.name.parts.empty() ? f_.name : call.name.parts.back().name;
        if (call.name.parts.size() == 1 && last == "assert") {
            if (call.arguments.empty())
                throw Refused{messages::argument_missing(where, "assert", "condition")};
            const Expr c = condition(call.arguments[0]);
            const bool warning =
                call.arguments.size() > 2 &&
                e_.sources().text(call.arguments[2].where).find("warning") != std::string_view::npos;
            if (c->op == Op::Truth && c->index) return;
            if (!warning)
                out_->push_back(
                    {FunctionAssert{c, message(call.arguments.size() > 1 ? &call.arguments[1] : nullptr)},
                     where});
            return;
        }
        if (const object::Expression* text = error_text(call, frame_)) {
            out_->push_back({FunctionAssert{pool().truth(false), message(text)}, where});
            return;
        }
        const Meaning meaning = frame_.scope.callable(call.name);
        if (const auto* f = std::get_if<std::shared_ptr<const Callable>>(&meaning);
            f && (*f)->external && changes_nothing((*f)->external->function))
            return;
        e_.evaluate_call(call, frame_);
    }

    Evaluator& e_;
    const Callable& f_;
    Frame frame_;
    FunctionData data_;
    std::vector<FunctionStatement>* out_ = nullptr;
    Targets assigned_;
    std::set<std::string> loops_, open_;
};

}  // namespace

bool is_passed(const Value& argument) {
    switch (argument.type.basic) {
        case Basic::Real:
            return true;
        case Basic::Integer:
        case Basic::Boolean:
        case Basic::Enumeration:
        case Basic::Record:
        case Basic::Function:  // what it is given already
            return !Evaluator::is_known(argument);
        default:
            return false;
    }
}

std::set<std::string> loop_targets(const Store::Loop& loop) {
    Targets targets;
    const ListTargets list{targets};
    std::visit([&](const auto* statement) { list(*statement); }, loop);
    std::set<std::string> names;
    for (const auto& [name, times] : targets) names.insert(name);
    return names;
}

FunctionData make_loop(Evaluator& e, Frame& frame, const std::vector<LoopVariable>& variables,
                       const Store::Loop& loop, Span where) {
    Callable f;
    f.name = "loop";
    f.where = where;
    for (const LoopVariable& v : variables) {
        Member m;
        m.name = v.name;
        m.type = v.leaves.type;
        m.causality = object::Causality::Output;
        m.where = where;
        f.members.push_back(std::move(m));
    }
    return BodyBuilder(e, f, frame, where).make_loop(variables, loop, where);
}

FunctionData make_function(Evaluator& e, const Callable& function, const std::vector<Value>& arguments,
                           std::uint32_t depth,
                           const std::function<void(const FunctionData&, std::vector<Value>)>& declare) {
    return BodyBuilder(e, function, depth).make(arguments, declare);
}

}  // namespace cutset::objects
