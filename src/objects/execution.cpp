#include "objects/execution.h"

#include <algorithm>
#include <optional>

#include "flat/shape_text.h"
#include "objects/external_functions.h"
#include "objects/iterators.h"
#include "objects/value_messages.h"
#include "objects/value_operators.h"

namespace cutset::objects {

using object::ExpressionKind;

namespace {

constexpr std::size_t step_limit = 500'000;
// Turns of a loop after one that may have been the last: choices within choices.
constexpr std::size_t most_open_turns = 50;

// The numbers of the elements that indices choose; with a varying index all that it may choose.
std::vector<std::size_t> chosen_elements(Evaluator& e, const Dimensions& dimensions,
                                         std::vector<IndexChoice> choices) {
    Value numbers(type_of(Basic::Integer), dimensions, {});
    for (std::size_t k = 0, n = cutset::objects::count(dimensions); k < n; ++k)
        numbers.elements.emplace_back(e.pool().number(static_cast<double>(k)));
    for (std::size_t k = 0; k < choices.size(); ++k)
        if (choices[k].varying) {
            choices[k] = {{}, nullptr, true};
            for (std::uint32_t i = 1; i <= dimensions[k]; ++i) choices[k].positions.push_back(i);
        }
    const Value found = select(e.pool(), numbers, choices);
    std::vector<std::size_t> result;
    for (std::size_t k = 0; k < found.size(); ++k)
        result.push_back(static_cast<std::size_t>(found.expr(k)->number));
    return result;
}

// Whether a loop, after some turns, may turn out to vary.
bool may_leave(const std::vector<object::Statement>& body) {
    return std::any_of(body.begin(), body.end(), [](const object::Statement& s) {
        if (const auto* choice = std::get_if<object::IfStatement>(&s.what))
            return std::any_of(choice->branches.begin(), choice->branches.end(),
                               [](const auto& branch) { return may_leave(branch.body); });
        return std::holds_alternative<object::BreakStatement>(s.what) ||
               std::holds_alternative<object::ReturnStatement>(s.what);
    });
}

std::vector<Value> known_steps(Evaluator& e, const object::Iterator& iterator, const LoopBody& body,
                               Frame& frame) {
    try {
        return iterator_values(e, iterator, body, frame);
    } catch (const Refused& r) {
        if (r.diagnostic.code != "open-loop-range") throw;
        throw Varies{iterator.where};
    }
}

}  // namespace

Value updated(Evaluator& e, const Value& old, std::span<const object::NamePart> parts, const Value& value,
              Frame& frame, Span where, const std::string& what, std::vector<std::size_t>* set) {
    const object::NamePart& part = parts[0];
    const auto rest = parts.subspan(1);
    // What stands in the whole or in the chosen part, behind its indices.
    const auto inside = [&](const Value& before) -> Value {
        if (rest.empty()) return e.converted(value, before.type, before.dimensions, where, what);
        if (before.type.basic != Basic::Record || !before.is_scalar())
            throw Refused{messages::no_record(rest[0].where, what, type_text(before.type))};
        const Member* member = before.type.record->find(rest[0].name);
        if (!member)
            throw Refused{messages::no_such_field(rest[0].where, rest[0].name, type_text(before.type), "")};
        auto made = std::make_shared<Record>(before.record());
        Value& field = made->fields[before.type.record->position(rest[0].name)];
        field = updated(e, field, rest, value, frame, where, what + "." + rest[0].name);
        return Value(before.type, std::shared_ptr<const Record>(std::move(made)));
    };
    if (part.indices.empty()) {
        if (set)
            for (std::size_t k = 0; k < old.size(); ++k) set->push_back(k);
        return inside(old);
    }
    if (part.indices.size() > old.dimensions.size())
        throw Refused{
            messages::too_many_indices(part.where, what, shape_text(old.dimensions), part.indices.size())};
    const std::vector<IndexChoice> choices = e.indices(part.indices, old.dimensions, frame);
    const std::vector<std::size_t> elements = chosen_elements(e, old.dimensions, choices);
    if (set) *set = elements;
    Value result = old;
    const bool varies =
        std::any_of(choices.begin(), choices.end(), [](const IndexChoice& c) { return c.varying; });
    if (!varies) {
        const Value part_value = inside(select(e.pool(), old, choices));
        for (std::size_t k = 0; k < elements.size(); ++k)
            result.elements[elements[k]] = part_value.elements[k];
        return result;
    }
    // Each combination of what the varying indices may be is a case of its own.
    std::vector<IndexChoice> known = choices;
    const std::function<void(std::size_t, Expr)> cases = [&](std::size_t k, Expr condition) {
        if (k == choices.size()) {
            const Value before = select(e.pool(), result, known);
            const Value after = choose(e, condition, inside(before), before, where);
            const auto places = chosen_elements(e, old.dimensions, known);
            for (std::size_t i = 0; i < places.size(); ++i) result.elements[places[i]] = after.elements[i];
            return;
        }
        if (!choices[k].varying) return cases(k + 1, condition);
        for (std::uint32_t i = 1; i <= old.dimensions[k]; ++i) {
            known[k] = {{i}, nullptr, false};
            const Expr both[2] = {condition, e.pool().equal(choices[k].varying, e.pool().number(i))};
            cases(k + 1, e.pool().all_of(both));
        }
    };
    cases(0, e.pool().truth(true));
    return result;
}

void assign_results(Evaluator& e, const object::Assignment& s, Frame& frame, Span where,
                    const std::function<void(const object::Name&, const Value&)>& assign) {
    if (s.target.kind == ExpressionKind::Name) {
        assign(s.target.name, e.evaluate(s.value, frame));
        return;
    }
    const std::vector<Value> results = e.evaluate_call(s.value, frame);
    if (s.target.arguments.size() > results.size())
        throw Refused{
            messages::result_count(where, "this function", s.target.arguments.size(), results.size())};
    for (std::size_t k = 0; k < s.target.arguments.size(); ++k)
        if (s.target.arguments[k].kind == ExpressionKind::Name)
            assign(s.target.arguments[k].name, results[k]);
}

void Execution::count(Span where) {
    if (++steps_ > step_limit) throw Refused{messages::too_many_steps(where, name_, step_limit)};
}

Execution::Goes Execution::run(std::span<const object::Statement> statements) {
    for (std::size_t k = 0; k < statements.size(); ++k) {
        const object::Statement& s = statements[k];
        count(s.where);
        const Goes goes = std::visit([&](const auto& what) { return step(what, s.where); }, s.what);
        if (goes.returns || is_certain(goes.left)) return goes;
        if (goes.left) return unless(goes.left, s.where, [&] { return run(statements.subspan(k + 1)); });
    }
    return {};
}

template <class Carry>
Execution::Goes Execution::unless(Expr left, Span where, const Carry& carry) {
    Pool& pool = e_.pool();
    const Expr stays = pool.negation(left);
    const Store::State before = store_.state();
    store_.enter(stays);
    const Goes goes = carry();
    store_.leave();
    if (goes.returns) throw Varies{where};
    const Store::State after = store_.state();
    store_.merge(stays, after, before, where);
    const Expr either[2] = {left, goes.left};
    return {false, goes.left ? pool.any_of(either) : left};
}

Execution::Goes Execution::step(const object::Assignment& s, Span where) {
    assign_results(e_, s, frame_, where, [&](const object::Name& target, const Value& value) {
        store_.assign(target, value, frame_, where);
    });
    return Goes{};
}

Execution::Goes Execution::step(const object::CallStatement& s, Span where) {
    if (!store_.call(s.call, frame_)) e_.evaluate_call(s.call, frame_);
    (void)where;
    return Goes{};
}

Execution::Goes Execution::step(const object::IfStatement& s, Span where) {
    return branch(s.branches, 0, where);
}

Execution::Goes Execution::branch(const std::vector<object::StatementBranch>& branches, std::size_t k,
                                  Span where) {
    for (; k < branches.size(); ++k) {
        if (!branches[k].condition) return run(branches[k].body);
        const Value condition = e_.evaluate(*branches[k].condition, frame_);
        if (condition.type.basic != Basic::Boolean || !condition.is_scalar())
            throw Refused{messages::condition_type(branches[k].condition->where, type_text(condition.type))};
        if (const auto holds = e_.decided(*branches[k].condition, condition.expr(), frame_)) {
            if (*holds) return run(branches[k].body);
            continue;
        }
        const Store::State before = store_.state();
        store_.enter(condition.expr());
        const Goes then_goes = run(branches[k].body);
        store_.leave();
        const Store::State then = store_.state();
        store_.restore(before);
        store_.enter(e_.pool().negation(condition.expr()));
        const Goes else_goes = branch(branches, k + 1, where);
        store_.leave();
        const Store::State otherwise = store_.state();
        if (then_goes.returns != else_goes.returns) throw Varies{branches[k].condition->where};
        store_.merge(condition.expr(), then, otherwise, where);
        if (!then_goes.left && !else_goes.left) return then_goes;
        Pool& pool = e_.pool();
        const auto where_both = [&](Expr a, Expr left) {
            const Expr both[2] = {a, left ? left : pool.truth(false)};
            return pool.all_of(both);
        };
        const Expr either[2] = {where_both(condition.expr(), then_goes.left),
                                where_both(pool.negation(condition.expr()), else_goes.left)};
        return {false, pool.any_of(either)};
    }
    return Goes{};
}

template <class Carry>
Execution::Goes Execution::known_or_varying(const Store::Loop& loop, bool may_vary, Span where,
                                            const Carry& carry) {
    const std::size_t locals = frame_.locals.size();
    std::optional<Store::State> before;
    if (may_vary) before = store_.state();
    try {
        return carry();
    } catch (const Varies&) {
        frame_.locals.resize(locals);
        if (before) store_.restore(*before);
        if (!store_.loop(loop, frame_, where)) throw;
        return Goes{};
    } catch (...) {
        frame_.locals.resize(locals);
        throw;
    }
}

Execution::Goes Execution::step(const object::ForStatement& s, Span where) {
    const bool may_vary = s.iterators.size() > 1 || may_leave(s.body);
    return known_or_varying(&s, may_vary, where, [&] { return loop(s, 0); });
}

Execution::Goes Execution::loop(const object::ForStatement& s, std::size_t k) {
    if (k == s.iterators.size()) return run(s.body);
    Expr left = nullptr;  // where it holds, some turn was the last
    std::size_t open_turns = 0;
    for (const Value& step : known_steps(e_, s.iterators[k], s.body, frame_)) {
        count(s.iterators[k].where);
        if (left && ++open_turns > most_open_turns) throw Varies{s.iterators[k].where};
        frame_.locals.push_back({s.iterators[k].name, step});
        const Goes goes =
            left ? unless(left, s.iterators[k].where, [&] { return loop(s, k + 1); }) : loop(s, k + 1);
        frame_.locals.pop_back();
        if (goes.returns) return goes;
        left = goes.left;
        if (is_certain(left)) break;
    }
    return {false, k == 0 ? nullptr : left};
}

Execution::Goes Execution::step(const object::WhileStatement& s, Span where) {
    return known_or_varying(&s, may_leave(s.body), where, [&] { return repeat(s, where); });
}

Execution::Goes Execution::repeat(const object::WhileStatement& s, Span where) {
    for (;;) {
        count(where);
        const Value condition = e_.evaluate(s.condition, frame_);
        if (condition.type.basic != Basic::Boolean || !condition.is_scalar())
            throw Refused{messages::condition_type(s.condition.where, type_text(condition.type))};
        const auto holds = e_.decided(s.condition, condition.expr(), frame_);
        if (!holds) throw Varies{s.condition.where};
        if (!*holds) return Goes{};
        const Goes goes = run(s.body);
        if (goes.returns) return goes;
        if (is_certain(goes.left)) return {};
        if (goes.left) throw Varies{where};
    }
}

Execution::Goes Execution::step(const object::WhenStatement& s, Span where) {
    if (!store_.when(s, frame_, where)) throw Refused{messages::not_in_function(where, "`when`")};
    return Goes{};
}

// ---- variables of a function

void LocalStore::assign(const object::Name& target, const Value& value, Frame& frame, Span where) {
    const std::string& name = target.parts[0].name;
    for (auto local = frame_.locals.rbegin(); local != frame_.locals.rend(); ++local) {
        if (local->name != name) continue;
        if (inputs_.count(name)) throw Refused{messages::assigned_input(where, function_, name)};
        const bool whole = target.parts.size() == 1 && target.parts[0].indices.empty();
        if (whole && open_.count(name)) {
            local->value = e_.converted(value, local->value.type, value.dimensions, where, "`" + name + "`");
            return;
        }
        const Value after = updated(e_, local->value, target.parts, value, frame, where, "`" + name + "`");
        local->value = after;
        return;
    }
    std::vector<std::string> names;
    for (const Local& l : frame_.locals) names.push_back(l.name);
    throw Refused{messages::unknown_target(where, function_, name, nearest_name(name, names))};
}

Store::State LocalStore::state() const {
    State s;
    for (const Local& l : frame_.locals) s.values.push_back(l.value);
    return s;
}

void LocalStore::restore(const State& state) {
    for (std::size_t k = 0; k < state.values.size(); ++k) frame_.locals[k].value = state.values[k];
}

void LocalStore::merge(Expr condition, const State& then, const State& otherwise, Span where) {
    for (std::size_t k = 0; k < then.values.size(); ++k) {
        const Value &a = then.values[k], &b = otherwise.values[k];
        frame_.locals[k].value = a.elements == b.elements ? b : choose(e_, condition, a, b, where);
    }
}

bool LocalStore::call(const object::Expression& call, Frame& frame) {
    if (const object::Expression* text = error_text(call, frame)) {
        if (guards_ > 0) throw Varies{call.where};
        frame.message = true;
        const Value message = e_.evaluate(*text, frame);
        frame.message = false;
        throw Refused{messages::assertion(call.where, function_, message.text())};
    }
    if (call.kind != ExpressionKind::Call || call.name.parts.size() != 1) return false;
    const std::string& name = call.name.parts[0].name;
    if (name == "terminate") throw Refused{messages::not_in_function(call.where, "`terminate`")};
    if (name != "assert") return false;
    const object::Expression* condition = call.arguments.empty() ? nullptr : call.arguments.data();
    const object::Expression* text = call.arguments.size() > 1 ? &call.arguments[1] : nullptr;
    const object::Expression* level = call.arguments.size() > 2 ? &call.arguments[2] : nullptr;
    for (const object::NamedArgument& a : call.named) {
        if (a.name == "condition") condition = &*a.value;
        if (a.name == "message") text = &*a.value;
        if (a.name == "level") level = &*a.value;
    }
    if (!condition) throw Refused{messages::argument_missing(call.where, "assert", "condition")};
    const Value holds = e_.evaluate(*condition, frame);
    if (holds.type.basic != Basic::Boolean || !holds.is_scalar())
        throw Refused{messages::condition_type(condition->where, type_text(holds.type))};
    if (holds.expr()->op != Op::Truth) throw Varies{call.where};
    const bool warning = level && e_.sources().text(level->where).find("warning") != std::string_view::npos;
    if (holds.expr()->index || warning) return true;
    frame.message = true;
    const Value message = text ? e_.evaluate(*text, frame) : Value(Basic::String, std::string("assertion"));
    frame.message = false;
    throw Refused{messages::assertion(call.where, function_,
                                      message.type.basic == Basic::String ? message.text() : "")};
}

}  // namespace cutset::objects
