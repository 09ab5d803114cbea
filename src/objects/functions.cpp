#include "objects/functions.h"

#include <fmt/format.h>

#include <algorithm>

#include "flat/shape_text.h"
#include "ir/impure_calls.h"
#include "objects/arrays.h"
#include "objects/builtin_functions.h"
#include "objects/execution.h"
#include "objects/external_functions.h"
#include "objects/function_bodies.h"
#include "objects/function_rules.h"
#include "objects/value_messages.h"
#include "objects/value_operators.h"

namespace cutset::objects {

namespace {

constexpr std::uint32_t call_depth_limit = 120;
constexpr std::size_t most_unfolded = 6;  // assignments of a function that is unfolded

bool is_input(const Member& m) {
    return m.causality == object::Causality::Input;
}
bool is_output(const Member& m) {
    return m.causality == object::Causality::Output;
}

// ---- arguments

using Bound = std::vector<std::optional<Value>>;  // by member

std::vector<std::string> input_names(const Callable& f, bool record) {
    std::vector<std::string> names;
    for (const Member& m : f.members)
        if (record || is_input(m)) names.push_back(m.name);
    return names;
}

// Fields of a record are the inputs of its constructor, but for constants and what is final.
bool takes(const Callable& f, const Member& m) {
    if (!f.is_record()) return is_input(m);
    const bool fixed = m.variability == object::Variability::Constant && m.binding;
    return !m.is_protected && !fixed && !m.is_final;
}

Bound bind_arguments(const Callable& f, std::vector<Value> positional,
                     std::vector<std::pair<std::string, Value>> named, Span where) {
    Bound bound(f.members.size());
    std::size_t next = 0;
    for (Value& v : positional) {
        while (next < f.members.size() && !takes(f, f.members[next])) ++next;
        if (next == f.members.size()) {
            std::size_t most = 0;
            for (const Member& m : f.members) most += takes(f, m);
            throw Refused{messages::argument_count(
                where, f.name, fmt::format("{} argument{}", most, most == 1 ? "" : "s"), positional.size())};
        }
        bound[next++] = std::move(v);
    }
    for (std::pair<std::string, Value>& given : named) {
        const std::string& name = given.first;
        const Member* m = f.find(name);
        if (!m || !takes(f, *m))
            throw Refused{messages::no_such_argument(where, f.name, name,
                                                     nearest_name(name, input_names(f, f.is_record())))};
        auto& slot = bound[f.position(name)];
        if (slot) throw Refused{messages::argument_twice(where, f.name, name)};
        slot = std::move(given.second);
    }
    return bound;
}

// A frame for what stands inside a function or record, in the scope of that expression.
Frame inner_frame(const Scoped& s, const Callable& f, const std::vector<Local>& locals, std::uint32_t depth) {
    Frame frame{s.scope ? *s.scope : *f.scope};
    if (!s.outside) frame.locals = locals;
    frame.in_function = true;
    frame.depth = depth;
    return frame;
}

// The sizes of a member, where the values of others are known by now.
Dimensions member_dimensions(Evaluator& e, const Callable& f, const Member& m,
                             const std::vector<Local>& locals, const Dimensions* open, std::uint32_t depth) {
    Frame frame{*f.scope};
    frame.locals = locals;
    frame.in_function = true;
    frame.depth = depth;
    return e.dimensions(m.dimensions, frame, open);
}

// The value of an input that is not given: its default.
Value default_value(Evaluator& e, const Callable& f, const Member& m, const std::vector<Local>& locals,
                    std::uint32_t depth, Span where) {
    if (!m.binding) throw Refused{messages::argument_missing(where, f.name, m.name)};
    Frame frame = inner_frame(m.binding, f, locals, depth);
    return argument_value(e, *m.binding.expression, frame);
}

// Arguments that have the type and the sizes of their inputs; defaults where they are not given.
std::vector<Local> complete(Evaluator& e, const Callable& f, Bound bound, std::uint32_t depth, Span where) {
    std::vector<Local> locals;
    // Sizes may depend on inputs that come later.
    std::vector<Local> given;
    for (std::size_t k = 0; k < f.members.size(); ++k)
        if (bound[k]) given.push_back({f.members[k].name, *bound[k]});
    for (std::size_t k = 0; k < f.members.size(); ++k) {
        const Member& m = f.members[k];
        if (!is_input(m)) continue;
        std::vector<Local> seen = given;
        seen.insert(seen.end(), locals.begin(), locals.end());
        const bool defaulted = !bound[k];
        if (defaulted) bound[k] = default_value(e, f, m, seen, depth, where);
        const Value& v = *bound[k];
        if (m.type.basic == Basic::Function || v.type.basic == Basic::Function) {
            locals.push_back({m.name, v});
            continue;
        }
        Dimensions d = v.dimensions;
        if (m.dimensions.size() == d.size()) try {
                d = member_dimensions(e, f, m, seen, &v.dimensions, depth);
            } catch (const Refused&) {
                // The size depends on what varies: that of the argument is taken.
            }
        else if (!(count(d) == 0 && d.size() < m.dimensions.size()))
            d.assign(m.dimensions.size(), 0);
        else
            d = member_dimensions(e, f, m, seen, nullptr, depth);
        locals.push_back(
            {m.name, e.converted(v, m.type, d, where, "argument `" + m.name + "` of " + f.name)});
    }
    return locals;
}

// ---- records

// Sets fields inside a field, as in `R r(a = 1)`.
Value with_inner(Evaluator& e, const Callable& f, const Member& m, Value v, const std::vector<Local>& locals,
                 std::uint32_t depth) {
    for (const auto& [path, scoped] : m.inner) {
        Frame frame = inner_frame(scoped, f, locals, depth);
        const Value inside = e.evaluate(*scoped.expression, frame);
        std::vector<object::NamePart> parts(1);
        for (std::size_t begin = 0; begin <= path.size();) {
            const std::size_t end = std::min(path.find('.', begin), path.size());
            object::NamePart part;
            part.name = path.substr(begin, end - begin);
            parts.push_back(std::move(part));
            begin = end + 1;
        }
        if (v.is_scalar()) v = updated(e, v, parts, inside, frame, m.where, m.name);
    }
    return v;
}

Value construct(Evaluator& e, const std::shared_ptr<const Callable>& record, Bound bound, std::uint32_t depth,
                Span where) {
    const Callable& f = *record;
    auto made = std::make_shared<Record>();
    std::vector<Local> locals;
    std::vector<Local> given;
    for (std::size_t k = 0; k < f.members.size(); ++k)
        if (bound[k]) given.push_back({f.members[k].name, *bound[k]});
    for (std::size_t k = 0; k < f.members.size(); ++k) {
        const Member& m = f.members[k];
        std::vector<Local> seen = given;
        seen.insert(seen.end(), locals.begin(), locals.end());
        std::optional<Value> v = bound[k];
        if (!v && m.binding) v = default_value(e, f, m, seen, depth, where);
        if (!v) {
            const Dimensions d = member_dimensions(e, f, m, seen, nullptr, depth);
            Frame frame = inner_frame({}, f, seen, depth);
            v = zero_value(e, m.type, d, frame, where);
            if (!m.inner.empty()) {
                // Nothing but fields of it is given.
                *v = with_inner(e, f, m, std::move(*v), seen, depth);
            } else if (m.type.basic != Basic::Record && takes(f, m) && m.type.basic != Basic::String &&
                       count(d) > 0) {
                throw Refused{messages::argument_missing(where, f.name, m.name)};
            }
        }
        Dimensions d = v->dimensions;
        if (m.dimensions.size() == d.size()) try {
                d = member_dimensions(e, f, m, seen, &v->dimensions, depth);
            } catch (const Refused&) {
            }
        Value converted = e.converted(*v, m.type, d, where, "`" + m.name + "` of " + f.name);
        made->fields.push_back(converted);
        locals.push_back({m.name, std::move(converted)});
    }
    return Value(Type{Basic::Record, nullptr, record}, std::shared_ptr<const Record>(std::move(made)));
}

// ---- calls

// Outputs and local variables, in order, each with its value before the first statement.
void declare_variables(Evaluator& e, const Callable& f, Frame& frame, Span where) {
    declare_in_order(f, [&](const Member& m) {
        if (is_input(m)) return;
        std::optional<Value> v;
        if (m.binding) {
            Frame inner = inner_frame(m.binding, f, frame.locals, frame.depth);
            v = argument_value(e, *m.binding.expression, inner);
        }
        // What is open is empty until something is assigned to the whole.
        const Dimensions empty(m.dimensions.size(), 0);
        const Dimensions d =
            member_dimensions(e, f, m, frame.locals, v ? &v->dimensions : &empty, frame.depth);
        Value value = v ? e.converted(*v, m.type, d, m.where, "`" + m.name + "` of " + f.name)
                        : zero_value(e, m.type, d, frame, where);
        if (!v && !m.inner.empty()) value = with_inner(e, f, m, std::move(value), frame.locals, frame.depth);
        frame.locals.push_back({m.name, std::move(value)});
    });
}

std::vector<Value> outputs_of(const Callable& f, const Frame& frame) {
    std::vector<Value> results;
    for (const Member& m : f.members)
        if (is_output(m)) results.push_back(*frame.find(m.name));
    return results;
}

std::set<std::string> fixed_names(const Callable& f) {
    std::set<std::string> names;
    for (const Member& m : f.members)
        if (is_input(m) || m.variability == object::Variability::Constant) names.insert(m.name);
    return names;
}

// Throws Varies where the control flow depends on what varies.
std::vector<Value> execute(Evaluator& e, const Callable& f, std::vector<Local> arguments, std::uint32_t depth,
                           Span where) {
    Frame frame{*f.scope};
    frame.in_function = true;
    frame.depth = depth;
    frame.locals = std::move(arguments);
    declare_variables(e, f, frame, where);
    std::set<std::string> open;
    for (const Member& m : f.members)
        if (!is_input(m) && has_open_size(m)) open.insert(m.name);
    LocalStore store(e, frame, f.name, fixed_names(f), std::move(open));
    Execution execution(e, frame, store, f.name);
    for (const Algorithm& a : f.algorithms)
        if (execution.run(a.section->statements).returns) break;
    return outputs_of(f, frame);
}

// Assignments only, and few of them.
bool is_short(const Callable& f) {
    std::size_t n = 0;
    for (const Algorithm& a : f.algorithms) {
        n += a.section->statements.size();
        for (const object::Statement& s : a.section->statements)
            if (!std::holds_alternative<object::Assignment>(s.what)) return false;
    }
    return n <= most_unfolded;
}

bool all_known(const std::vector<Local>& arguments) {
    return std::all_of(arguments.begin(), arguments.end(),
                       [](const Local& l) { return Evaluator::is_known(l.value); });
}

std::vector<Value> apply(Evaluator& e, const std::shared_ptr<const Callable>& function,
                         const std::vector<Local>& arguments, std::uint32_t depth) {
    FunctionTable& table = e.functions();
    std::string key = std::to_string(reinterpret_cast<std::uintptr_t>(function.get()));
    std::vector<Value> values;
    for (const Local& l : arguments) {
        key += '|' + value_key(l.value, !is_passed(l.value));
        values.push_back(l.value);
    }
    auto found = table.made.find(key);
    if (found == table.made.end()) {
        const auto declare = [&](const FunctionData& head, std::vector<Value> outputs) {
            MadeFunction made;
            made.callee = e.model().callees.add(head);
            made.outputs = std::move(outputs);
            found = table.made.emplace(key, std::move(made)).first;
        };
        try {
            FunctionData data = make_function(e, *function, values, depth, declare);
            MadeFunction& made = found->second;
            made.captured = pass_captured(e.pool(), data, made.callee);
            made.impure = make_impure(e.pool(), e.model(), data, made.callee, function->is_impure);
            data.inlined = annotations_of(e, *function).late && !made.impure;
            e.model().callees[made.callee] = std::move(data);
            made.complete = true;
            if (!made.impure) add_rules(e, {*function, values, made.captured, made.callee, depth});
        } catch (...) {
            if (found != table.made.end()) table.made.erase(found);
            throw;
        }
    }
    std::vector<Expr> flat;
    for (const Value& v : values)
        if (is_passed(v)) flatten(e, v, flat);
    flat.insert(flat.end(), found->second.captured.begin(), found->second.captured.end());
    if (found->second.impure) {
        const std::vector<Expr> which = impure_arguments(e.pool(), ++table.impure_calls);
        flat.insert(flat.end(), which.begin(), which.end());
    }
    std::uint32_t output = 0;
    std::vector<Value> results;
    for (const Value& like : found->second.outputs)
        results.push_back(
            rebuilt(e, like, [&] { return e.pool().apply(found->second.callee, output++, flat); }));
    return results;
}

// Whole parameters among the arguments as numbers, where sizes in the function depend on them: another value
// of such a parameter makes another model. False where there is none.
bool take_whole_parameters(Evaluator& e, std::vector<Local>& arguments) {
    bool any = false;
    for (Local& l : arguments) {
        if (l.value.type.basic != Basic::Integer || !l.value.is_scalar() || Evaluator::is_known(l.value))
            continue;
        const auto number = e.value_of_parameters(l.value.expr(), true);
        if (!number) continue;
        l.value = Value(Basic::Integer, e.pool().number(*number));
        any = true;
    }
    return any;
}

std::vector<Value> call_scalar(Evaluator& e, const std::shared_ptr<const Callable>& function, Bound bound,
                               Frame& frame, Span where) {
    const Callable& f = *function;
    const std::uint32_t depth = frame.depth + 1;
    if (f.is_record()) return {construct(e, function, std::move(bound), depth, where)};
    std::vector<Local> arguments = complete(e, f, std::move(bound), depth, where);
    if (is_routine_function(f) && !all_known(arguments)) return apply(e, function, arguments, depth);
    if (f.external) {
        Frame inner{f.external_scope ? *f.external_scope : *f.scope};
        inner.in_function = true;
        inner.depth = depth;
        inner.locals = std::move(arguments);
        declare_variables(e, f, inner, where);
        return external_call(e, f, inner, where);
    }
    if (f.algorithms.empty() || f.is_partial) {
        const bool bound_outputs = std::all_of(f.members.begin(), f.members.end(),
                                               [](const Member& m) { return !is_output(m) || m.binding; });
        if (f.is_partial || !bound_outputs) throw Refused{messages::partial_function(where, f.name)};
    }
    if (all_known(arguments) && !(f.is_impure && e.functions().in_when)) {
        std::string key;
        if (!f.is_impure) {
            key = std::to_string(reinterpret_cast<std::uintptr_t>(function.get()));
            for (const Local& l : arguments) key += '|' + value_key(l.value, true);
            if (const auto known = e.functions().results.find(key); known != e.functions().results.end())
                return known->second;
        }
        try {
            std::vector<Value> results = execute(e, f, arguments, depth, where);
            if (!f.is_impure) e.functions().results.emplace(std::move(key), results);
            return results;
        } catch (const Varies&) {
            // What it calls depends on what varies.
        }
    } else if (!f.is_impure && is_short(f) && !annotations_of(e, f).late)
        try {
            return execute(e, f, arguments, depth, where);
        } catch (const Varies&) {
        } catch (const Refused& r) {
            if (r.reason != Refusal::TextVaries) throw;
        }
    try {
        return apply(e, function, arguments, depth);
    } catch (const Refused& r) {
        if (r.reason != Refusal::NotKnown || !take_whole_parameters(e, arguments)) throw;
    }
    return apply(e, function, arguments, depth);
}

}  // namespace

std::vector<Value> Evaluator::call(const std::shared_ptr<const Callable>& function,
                                   std::vector<Value> positional,
                                   std::vector<std::pair<std::string, Value>> named, Frame& frame,
                                   Span where) {
    struct Nested {
        std::uint32_t& depth;
        ~Nested() { --depth; }
    } nested{functions_->depth};
    if (++functions_->depth > call_depth_limit) throw Refused{messages::too_deep(where)};
    const Callable& f = *function;
    // Operator records say themselves how they are made of other things than their fields.
    if (f.kind == object::ClassKind::OperatorRecord && named.empty() && !positional.empty()) {
        for (const auto& make : frame.scope.operators(f, "'constructor'")) {
            std::vector<const Member*> inputs;
            for (const Member& m : make->members)
                if (is_input(m)) inputs.push_back(&m);
            bool fits = inputs.size() >= positional.size();
            for (std::size_t k = 0; fits && k < inputs.size(); ++k)
                fits = k < positional.size()
                           ? same_type(positional[k].type, inputs[k]->type) ||
                                 (is_numeric(positional[k].type) && inputs[k]->type.basic == Basic::Real)
                           : bool(inputs[k]->binding);
            if (fits) return call(make, std::move(positional), {}, frame, where);
        }
    }
    Bound bound = bind_arguments(f, std::move(positional), std::move(named), where);
    // For each element, where arrays are given for scalars.
    std::optional<Dimensions> spread;
    std::vector<bool> spreads(f.members.size());
    for (std::size_t k = 0; k < f.members.size(); ++k) {
        if (!bound[k] || bound[k]->type.basic == Basic::Function) continue;
        const std::size_t own = f.members[k].dimensions.size(), given = bound[k]->dimensions.size();
        if (given <= own) continue;
        const Dimensions outer(bound[k]->dimensions.begin(),
                               bound[k]->dimensions.begin() + static_cast<std::ptrdiff_t>(given - own));
        if (spread && *spread != outer)
            throw Refused{messages::operand_sizes(where, f.name, shape_text(*spread), shape_text(outer))};
        spread = outer;
        spreads[k] = true;
    }
    if (!spread) return call_scalar(*this, function, std::move(bound), frame, where);
    const auto outputs =
        static_cast<std::size_t>(std::count_if(f.members.begin(), f.members.end(), is_output));
    if (outputs > 1) throw Refused{messages::vectorized_outputs(where, f.name, outputs)};
    std::vector<std::vector<Value>> parts;
    const std::size_t n = count(*spread);
    for (std::size_t i = 0; i < n; ++i) {
        Bound one = bound;
        for (std::size_t k = 0; k < one.size(); ++k) {
            if (!spreads[k]) continue;
            const Value& all = *bound[k];
            const std::size_t block = all.size() / n;
            const auto begin = all.elements.begin() + static_cast<std::ptrdiff_t>(i * block);
            one[k] = Value(all.type,
                           Dimensions(all.dimensions.begin() + static_cast<std::ptrdiff_t>(spread->size()),
                                      all.dimensions.end()),
                           {begin, begin + static_cast<std::ptrdiff_t>(block)});
        }
        const std::vector<Value> results = call_scalar(*this, function, std::move(one), frame, where);
        parts.resize(results.size());
        for (std::size_t k = 0; k < results.size(); ++k) parts[k].push_back(results[k]);
    }
    std::vector<Value> results;
    if (n == 0) {
        for (const Member& m : f.members)
            if (is_output(m)) results.push_back(Value(m.type, *spread, {}));
        if (f.is_record()) results.push_back(Value(Type{Basic::Record, nullptr, function}, *spread, {}));
    }
    for (const auto& list : parts) results.push_back(stack(list[0].type, *spread, list));
    return results;
}

bool has_open_size(const Member& m) {
    return std::any_of(m.dimensions.begin(), m.dimensions.end(),
                       [](const Scoped& s) { return s.expression->kind == object::ExpressionKind::Omitted; });
}

void declare_in_order(const Callable& f, const std::function<void(const Member&)>& declare) {
    std::vector<const Member*> waiting;
    for (const Member& m : f.members) waiting.push_back(&m);
    while (!waiting.empty()) {
        std::vector<const Member*> later;
        std::optional<Refused> reason;
        for (const Member* m : waiting) try {
                declare(*m);
            } catch (const Refused& r) {
                if (!reason) reason = r;
                later.push_back(m);
            }
        if (later.size() == waiting.size()) throw Refused(*reason);
        waiting = std::move(later);
    }
}

std::vector<Value> executed(Evaluator& e, const Callable& f, std::vector<Local> arguments,
                            std::uint32_t depth, Span where) {
    return execute(e, f, std::move(arguments), depth, where);
}

// ---- values as rows of expressions

void flatten(const Evaluator& e, const Value& v, std::vector<Expr>& to) {
    for (const Scalar& s : v.elements) {
        if (const Expr* x = std::get_if<Expr>(&s)) to.push_back(e.number_of(*x));
        if (const auto* r = std::get_if<std::shared_ptr<const Record>>(&s))
            for (const Value& f : (*r)->fields) flatten(e, f, to);
        if (const auto* f = std::get_if<std::shared_ptr<const FunctionValue>>(&s))
            for (const auto& [name, given] : (*f)->given) flatten(e, given, to);
    }
}

Value rebuilt(const Evaluator& e, const Value& like, const std::function<Expr()>& next) {
    Value r(like.type, like.dimensions, {});
    for (const Scalar& s : like.elements) {
        if (std::holds_alternative<Expr>(s)) {
            const Expr x = next();
            r.elements.emplace_back(like.type.basic == Basic::Boolean ? e.truth_of(x) : x);
        } else if (const auto* record = std::get_if<std::shared_ptr<const Record>>(&s)) {
            auto made = std::make_shared<Record>();
            for (const Value& f : (*record)->fields) made->fields.push_back(rebuilt(e, f, next));
            r.elements.emplace_back(std::shared_ptr<const Record>(std::move(made)));
        } else if (const auto* f = std::get_if<std::shared_ptr<const FunctionValue>>(&s)) {
            auto made = std::make_shared<FunctionValue>(**f);
            for (auto& [name, given] : made->given) given = rebuilt(e, given, next);
            r.elements.emplace_back(std::shared_ptr<const FunctionValue>(std::move(made)));
        } else {
            r.elements.emplace_back(s);
        }
    }
    return r;
}

std::string value_key(const Value& v, bool numbers) {
    std::string key = std::to_string(static_cast<int>(v.type.basic));
    if (v.type.record) key += fmt::format("@{}", static_cast<const void*>(v.type.record.get()));
    for (std::uint32_t d : v.dimensions) key += fmt::format("[{}]", d);
    for (const Scalar& s : v.elements) {
        key += ',';
        if (const Expr* x = std::get_if<Expr>(&s)) {
            if (numbers) key += std::to_string((*x)->id);
        } else if (const auto* text = std::get_if<std::string>(&s)) {
            key += fmt::format("\"{}:{}", text->size(), *text);
        } else if (const auto* r = std::get_if<std::shared_ptr<const Record>>(&s)) {
            for (const Value& f : (*r)->fields) key += value_key(f, numbers) + ';';
        } else if (const auto* f = std::get_if<std::shared_ptr<const FunctionValue>>(&s)) {
            key += fmt::format("f{}", static_cast<const void*>((*f)->function.get()));
            for (const auto& [name, given] : (*f)->given) key += name + '=' + value_key(given, numbers) + ';';
        } else if (const auto* o = std::get_if<std::shared_ptr<const ExternalObject>>(&s)) {
            // Objects that were made of the same are the same.
            key += "o" + (*o)->constructor->name;
            for (const Value& a : (*o)->arguments) key += value_key(a, true) + ';';
        }
    }
    return key;
}

Value zero_value(Evaluator& e, const Callable& f, const Member& m, const Dimensions& dimensions,
                 Frame& frame) {
    Value zero = zero_value(e, m.type, dimensions, frame, m.where);
    return m.inner.empty() ? zero : with_inner(e, f, m, std::move(zero), frame.locals, frame.depth);
}

Value zero_value(Evaluator& e, const Type& type, const Dimensions& dimensions, Frame& frame, Span where) {
    Value v(type, dimensions, {});
    const std::size_t n = count(dimensions);
    if (n == 0) return v;
    Scalar zero = e.pool().number(0);
    switch (type.basic) {
        case Basic::Boolean:
            zero = e.pool().truth(false);
            break;
        case Basic::Enumeration:
            zero = e.pool().number(1);
            break;
        case Basic::String:
            zero = std::string();
            break;
        case Basic::Record: {
            auto made = std::make_shared<Record>();
            const Callable& f = *type.record;
            std::vector<Local> locals;
            for (const Member& m : f.members) {
                std::optional<Value> field;
                if (m.binding) {
                    Frame inner = inner_frame(m.binding, f, locals, frame.depth + 1);
                    field = argument_value(e, *m.binding.expression, inner);
                }
                const Dimensions d =
                    member_dimensions(e, f, m, locals, field ? &field->dimensions : nullptr, frame.depth + 1);
                if (field)
                    field = e.converted(*field, m.type, d, m.where, "`" + m.name + "` of " + f.name);
                else
                    field =
                        with_inner(e, f, m, zero_value(e, m.type, d, frame, where), locals, frame.depth + 1);
                made->fields.push_back(*field);
                locals.push_back({m.name, std::move(*field)});
            }
            zero = std::shared_ptr<const Record>(std::move(made));
            break;
        }
        default:
            break;
    }
    v.elements.assign(n, zero);
    return v;
}

}  // namespace cutset::objects
