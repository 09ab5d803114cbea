#include "instantiate/functions.h"

#include <algorithm>
#include <cmath>
#include <filesystem>
#include <functional>
#include <numeric>

#include "flat/shape_text.h"
#include "instantiate/function_assignments.h"
#include "instantiate/function_rules.h"
#include "instantiate/lookup.h"
#include "instantiate/messages.h"
#include "ir/impure_calls.h"

namespace cutset {

namespace {

constexpr std::size_t call_depth_limit = 100;
constexpr std::size_t slot_limit = 1'000'000;
constexpr std::uint32_t most_inputs = 65'535;  // Node::by

// x[:], whose size is that of the argument.
bool is_open(const tree::Expression& dimension) {
    return dimension.kind == tree::ExpressionKind::Range && dimension.arguments.empty();
}

class FunctionBuilder {
  public:
    FunctionBuilder(Context& c, const tree::Function& f, ClassInfo* in, const tree::File* file,
                    FunctionKey key)
        : c_(c), f_(f), key_(std::move(key)) {
        scope_.function = &f;
        scope_.in = in;
        scope_.file = file;
    }

    std::optional<FunctionData> build() {
        FunctionData& d = scope_.data;
        d.name = f_.name;
        d.inlined = f_.inlined && !f_.impure;
        d.impure = f_.impure;
        d.origin = {InstanceIndex(0), f_.where};
        for (std::size_t k = 0; k < f_.inputs.size(); ++k)
            declare(f_.inputs[k], k < key_.second.size() ? &key_.second[k] : nullptr);
        if (d.impure) new_slots("", {}, 2);
        d.inputs = d.slots;
        for (const tree::VariableDeclaration& v : f_.outputs) declare(v);
        d.outputs = d.slots - d.inputs;
        for (const tree::VariableDeclaration& v : f_.locals) declare(v);
        if (d.inputs > most_inputs) fail(messages::function_too_wide(f_.where, f_.name, most_inputs));
        if (f_.outputs.empty()) fail(messages::function_without_result(f_.where, f_.name));
        if (failed_) return std::nullopt;
        FunctionInProgress& progress = c_.functions_in_progress.at(key_);
        FunctionShapes& shapes = progress.shapes;
        for (const tree::VariableDeclaration& v : f_.inputs)
            shapes.inputs.push_back(scope_.variables.at(v.name).dimensions);
        for (const tree::VariableDeclaration& v : f_.outputs)
            shapes.outputs.push_back(scope_.variables.at(v.name).dimensions);
        progress.head = d;
        if (f_.external) {
            d.external = *f_.external;
            if (d.external->symbol.empty()) d.external->symbol = f_.name;
            const std::filesystem::path library(d.external->library);
            if (library.is_relative() && !library.empty()) {
                // With a slash: the loader looks for a bare name in the directories of the system only.
                const auto folder = std::filesystem::path(c_.sources.name(f_.where.source)).parent_path();
                d.external->library = ((folder.empty() ? "." : folder) / library).string();
            }
            return std::move(d);
        }
        for (const auto* list : {&f_.outputs, &f_.locals})
            for (const tree::VariableDeclaration& v : *list) give_value(v);
        statements(f_.body, d.body);
        if (failed_) return std::nullopt;
        for (const tree::VariableDeclaration& v : f_.outputs)
            if (!assigned_.count(v.name)) fail(messages::result_not_assigned(v.where, f_.name, v.name));
        if (failed_) return std::nullopt;
        const AssignmentFaults faults = check_assignments(d);
        if (faults.before_assignment)
            fail(messages::used_before_assigned(faults.before_assignment->where, f_.name,
                                                faults.before_assignment->name));
        else if (!faults.left_open.empty())
            c_.report(messages::result_perhaps_not_assigned(f_.where, f_.name, faults.left_open.front()));
        if (failed_) return std::nullopt;
        return std::move(d);
    }

  private:
    Scope scope() { return Scope{.instance = InstanceIndex(0), .function = &scope_}; }

    void fail(Diagnostic d) {
        failed_ = true;
        c_.report(std::move(d));
    }

    std::uint32_t new_slots(const std::string& name, const std::vector<std::uint32_t>& dimensions,
                            std::uint32_t count) {
        FunctionData& d = scope_.data;
        const std::uint32_t first = d.slots;
        d.slots += count;
        for (std::uint32_t k = 0; k < count; ++k) d.slot_names.push_back(name + element_text(dimensions, k));
        return first;
    }

    // `given`: the sizes of the argument at hand.
    void declare(const tree::VariableDeclaration& v, const std::vector<std::uint32_t>* given = nullptr) {
        if (scope_.variables.count(v.name)) {
            fail(messages::defined_twice(v.where, "", "variable", v.name, places_[v.name]));
            return;
        }
        FunctionVariable made;
        double total = 1;
        scope_.constants_only = true;
        for (const tree::Expression& e : v.dimensions) {
            if (is_open(e)) {
                const std::size_t k = made.dimensions.size();
                if (!given) {
                    fail(messages::function_size(e.where, v.name));
                    break;
                }
                // With another number of dimensions the call is refused.
                made.dimensions.push_back(k < given->size() ? (*given)[k] : 1);
                total *= made.dimensions.back();
                if (total + scope_.data.slots > slot_limit) break;
                continue;
            }
            const Expr x = translate_number(c_, e, scope());
            if (!x || !x->is_number() || x->number != std::floor(x->number) || x->number < 0) {
                if (x) fail(messages::function_size(e.where, v.name));
                failed_ = true;
                break;
            }
            total *= x->number;
            if (total + scope_.data.slots > slot_limit) break;
            made.dimensions.push_back(static_cast<std::uint32_t>(x->number));
        }
        scope_.constants_only = false;
        if (total + scope_.data.slots > slot_limit) {
            fail(messages::function_too_large(v.where, f_.name, v.name, total, slot_limit));
            return;
        }
        made.length = static_cast<std::uint32_t>(total);
        made.boolean = v.type == ValueType::Boolean;
        made.first = new_slots(v.name, made.dimensions, made.length);
        scope_.variables[v.name] = made;
        places_[v.name] = v.where;
    }

    void give_value(const tree::VariableDeclaration& v) {
        if (!v.value) return;
        const FunctionVariable to = scope_.variables.at(v.name);
        Value value = translate(c_, *v.value, scope());
        if (value.failed() || !fits(value, to, v.value->where)) {
            failed_ = true;
            return;
        }
        value = each(value, [&](Expr x) { return number_of(c_, x); });
        for (std::uint32_t k = 0; k < to.length; ++k) {
            const Expr e = value[value.is_scalar() ? 0 : k];
            if (e->is_number())
                scope_.data.constants.push_back({to.first + k, e->number});
            else
                scope_.data.body.push_back({FunctionAssign{c_.pool.local(to.first + k), e}, v.where});
        }
        assigned_.insert(v.name);
    }

    bool fits(const Value& value, const FunctionVariable& to, Span where, bool element = false) {
        if (value.is_condition() != to.boolean) {
            c_.report(to.boolean ? messages::number_as_condition(where, "")
                                 : messages::condition_as_number(where, ""));
            return false;
        }
        const std::vector<std::uint32_t> dimensions = element ? std::vector<std::uint32_t>() : to.dimensions;
        if (value.is_scalar() && (dimensions.empty() || value.scalar->is_number())) return true;
        if (value.dimensions == dimensions) return true;
        c_.report(messages::equation_sizes(where, "", shape_text(dimensions), shape_text(value.dimensions)));
        return false;
    }

    void assign(const tree::Assignment& a, Span where, std::vector<FunctionStatement>& out) {
        Value value = translate(c_, a.value, scope());
        if (value.failed()) {
            failed_ = true;
            return;
        }
        const tree::ReferencePart& part = a.target.parts[0];
        const auto found = scope_.variables.find(part.name);
        if (a.target.parts.size() != 1 || found == scope_.variables.end()) {
            std::vector<std::string> candidates;
            for (const auto& [name, v] : scope_.variables) candidates.emplace_back(name);
            std::sort(candidates.begin(), candidates.end());
            fail(messages::function_unknown_name(a.target.where, f_.name, part.name,
                                                 nearest_name(part.name, candidates)));
            return;
        }
        if (found->second.first < scope_.data.inputs || loops_.count(part.name)) {
            fail(messages::function_assigns_input(a.target.where, f_.name, part.name,
                                                  loops_.count(part.name) > 0));
            return;
        }
        assigned_.insert(part.name);
        const FunctionVariable to = found->second;
        if (!part.indices.empty()) {
            if (part.indices.size() == to.dimensions.size()) {
                const Value target = translate_function_reference(c_, a.target, scope());
                if (target.failed() || !fits(value, to, a.value.where, true)) {
                    failed_ = true;
                    return;
                }
                const Expr place = to.boolean ? target.scalar->arg(1) : target.scalar;
                out.push_back({FunctionAssign{place, number_of(c_, value.scalar)}, where});
                return;
            }
            fail(messages::too_many_indices(a.target.where, "", part.name, shape_text(to.dimensions),
                                            part.indices.size()));
            return;
        }
        if (!fits(value, to, a.value.where)) {
            failed_ = true;
            return;
        }
        value = each(value, [&](Expr x) { return number_of(c_, x); });
        if (to.length == 1) {
            out.push_back({FunctionAssign{c_.pool.local(to.first), value[0]}, where});
            return;
        }
        // x := A*x uses the old x throughout: through temporaries.
        const std::uint32_t temporary = new_slots("", {}, to.length);
        for (std::uint32_t k = 0; k < to.length; ++k)
            out.push_back(
                {FunctionAssign{c_.pool.local(temporary + k), value[value.is_scalar() ? 0 : k]}, where});
        for (std::uint32_t k = 0; k < to.length; ++k)
            out.push_back({FunctionAssign{c_.pool.local(to.first + k), c_.pool.local(temporary + k)}, where});
    }

    void statements(const std::vector<tree::Statement>& body, std::vector<FunctionStatement>& out) {
        for (const tree::Statement& s : body) {
            if (const auto* a = std::get_if<tree::Assignment>(&s.what)) {
                assign(*a, s.where, out);
            } else if (const auto* conditional = std::get_if<tree::Conditional>(&s.what)) {
                FunctionIf made;
                for (const tree::Branch& b : conditional->branches) {
                    const Expr condition =
                        b.condition ? translate_condition(c_, *b.condition, scope()) : nullptr;
                    failed_ |= b.condition && !condition;
                    made.branches.push_back({condition, {}});
                    statements(b.body, made.branches.back().second);
                }
                out.push_back({std::move(made), s.where});
            } else if (const auto* loop = std::get_if<tree::ForStatement>(&s.what)) {
                FunctionFor made;
                made.from = translate_number(c_, loop->from, scope());
                made.to = translate_number(c_, loop->to, scope());
                made.step = loop->step ? translate_number(c_, *loop->step, scope()) : c_.pool.number(1);
                failed_ |= !made.from || !made.to || !made.step;
                made.slot = new_slots(loop->variable, {}, 1);
                const auto before = scope_.variables.find(loop->variable);
                std::optional<FunctionVariable> hidden;
                if (before != scope_.variables.end()) hidden = before->second;
                scope_.variables[loop->variable] = {made.slot, {}, 1};
                const bool new_loop = loops_.insert(loop->variable).second;
                ++depth_of_loops_;
                statements(loop->body, made.body);
                --depth_of_loops_;
                if (new_loop) loops_.erase(loop->variable);
                if (hidden)
                    scope_.variables[loop->variable] = *hidden;
                else
                    scope_.variables.erase(loop->variable);
                out.push_back({std::move(made), s.where});
            } else if (const auto* w = std::get_if<tree::WhileStatement>(&s.what)) {
                FunctionWhile made;
                made.condition = translate_condition(c_, w->condition, scope());
                failed_ |= !made.condition;
                ++depth_of_loops_;
                statements(w->body, made.body);
                --depth_of_loops_;
                out.push_back({std::move(made), s.where});
            } else if (const auto* leave = std::get_if<tree::LeaveStatement>(&s.what)) {
                if (leave->loop && depth_of_loops_ == 0) fail(messages::break_outside_loop(s.where, f_.name));
                out.push_back({FunctionLeave{leave->loop}, s.where});
            } else {
                const auto& a = std::get<tree::AssertStatement>(s.what);
                const Expr condition = translate_condition(c_, a.condition, scope());
                failed_ |= !condition;
                out.push_back({FunctionAssert{condition, a.text}, s.where});
            }
        }
    }

    Context& c_;
    const tree::Function& f_;
    FunctionKey key_;
    FunctionScope scope_;
    std::unordered_map<std::string_view, Span> places_;
    std::set<std::string_view> assigned_, loops_;
    int depth_of_loops_ = 0;
    bool failed_ = false;
};

}  // namespace

std::optional<FunctionInstance> function_callee(Context& c, const tree::Function& f, ClassInfo* in,
                                                const tree::File* file, std::span<const Value> arguments) {
    FunctionKey key{&f, {}};
    const bool open = std::any_of(f.inputs.begin(), f.inputs.end(), [](const tree::VariableDeclaration& v) {
        return std::any_of(v.dimensions.begin(), v.dimensions.end(), is_open);
    });
    if (open)
        for (const Value& a : arguments) key.second.push_back(a.dimensions);
    if (const auto known = c.functions.find(key); known != c.functions.end()) return known->second;
    if (c.broken_callees.count(&f)) return std::nullopt;
    if (const auto here = c.functions_in_progress.find(key); here != c.functions_in_progress.end()) {
        FunctionInProgress& itself = here->second;  // it calls itself
        if (!itself.callee) itself.callee = c.model.callees.add(itself.head);
        return FunctionInstance{*itself.callee, itself.shapes};
    }
    if (c.functions_in_progress.size() > call_depth_limit) {
        c.report(messages::calls_too_deep(f.where, f.name, call_depth_limit));
        c.broken_callees.insert(&f);
        return std::nullopt;
    }
    c.functions_in_progress[key] = {};
    auto data = FunctionBuilder(c, f, in, file, key).build();
    const FunctionInProgress progress = std::move(c.functions_in_progress.at(key));
    c.functions_in_progress.erase(key);
    if (!data || c.broken_callees.count(&f)) {
        c.broken_callees.insert(&f);
        return std::nullopt;
    }
    FunctionInstance made{CalleeIndex(0), progress.shapes};
    if (progress.callee) {
        made.callee = *progress.callee;
        c.model.callees[made.callee] = std::move(*data);
    } else {
        made.callee = c.model.callees.add(std::move(*data));
    }
    c.functions.emplace(std::move(key), made);
    add_function_rules(c, f, in, file, made);
    return made;
}

// A result as what it is declared to be.
static Expr of_type(Pool& pool, const tree::VariableDeclaration& output, Expr x) {
    if (output.type == ValueType::Boolean) return truth_of(pool, x);
    return output.type == ValueType::Integer ? pool.call(Op::NoEvent, pool.call(Op::Truncate, x)) : x;
}

std::optional<std::vector<Value>> call_function(Context& c, const FunctionInstance& callee,
                                                const tree::Function& f, const std::vector<Value>& arguments,
                                                Span where, const std::vector<Span>& argument_places,
                                                const std::string& submodel, const Scope& s) {
    const FunctionShapes& shapes = callee.shapes;
    std::vector<Expr> flat;
    for (std::size_t k = 0; k < arguments.size(); ++k) {
        if (arguments[k].dimensions != shapes.inputs[k]) {
            c.report(messages::argument_size(k < argument_places.size() ? argument_places[k] : where,
                                             submodel, f.name, f.inputs[k].name, shape_text(shapes.inputs[k]),
                                             shape_text(arguments[k].dimensions)));
            return std::nullopt;
        }
        for (std::size_t e = 0; e < arguments[k].size(); ++e) flat.push_back(arguments[k][e]);
    }
    if (f.impure) {
        const auto number = std::uint32_t(c.impure_calls.size() + 1);
        const auto [call, is_new] =
            c.impure_calls.try_emplace({where.source.value, where.begin, s.instance.value, s.loops}, number);
        const std::vector<Expr> hidden = impure_arguments(c.pool, call->second);
        flat.insert(flat.end(), hidden.begin(), hidden.end());
    }
    std::vector<Value> results;
    std::uint32_t output = 0;
    for (std::size_t k = 0; k < shapes.outputs.size(); ++k) {
        const std::vector<std::uint32_t>& dimensions = shapes.outputs[k];
        Value result;
        result.dimensions = dimensions;
        std::size_t n = 1;
        for (std::uint32_t d : dimensions) n *= d;
        for (std::size_t e = 0; e < n; ++e) {
            const Expr x = of_type(c.pool, f.outputs[k], c.pool.apply(callee.callee, output++, flat));
            if (dimensions.empty())
                result.scalar = x;
            else
                result.elements.push_back(x);
        }
        results.push_back(std::move(result));
    }
    return results;
}

Value translate_function_reference(Context& c, const tree::Reference& r, const Scope& s) {
    FunctionScope& f = *s.function;
    const tree::ReferencePart& part = r.parts[0];
    const auto found =
        r.parts.size() == 1 && !f.constants_only ? f.variables.find(part.name) : f.variables.end();
    if (found == f.variables.end()) {
        if (r.parts.size() == 1)
            for (ClassInfo* k = f.in; k; k = k->parent) {
                const ClassNames* n = k->find(part.name);
                if (!n || n->variable == none) continue;
                const tree::VariableDeclaration* d = k->first_declaration[n->variable];
                if (!d || d->kind != VariableKind::Constant || !d->value) break;
                if (c.nesting > 100) {
                    c.report(messages::parameter_cycle(d->where, "", {d->name}));
                    return {};
                }
                FunctionScope constants;
                constants.in = k;
                constants.file = f.file;
                constants.constants_only = true;
                ++c.nesting;
                const Value v =
                    translate(c, *d->value, Scope{.instance = s.instance, .function = &constants});
                --c.nesting;
                return v;
            }
        std::vector<std::string> candidates;
        if (!f.constants_only)
            for (const auto& [name, v] : f.variables) candidates.emplace_back(name);
        std::sort(candidates.begin(), candidates.end());
        c.report(messages::function_unknown_name(r.where, f.function ? f.function->name : "", part.name,
                                                 nearest_name(part.name, candidates)));
        return {};
    }
    const FunctionVariable v = found->second;
    const auto read = [&](Expr slot) { return v.boolean ? truth_of(c.pool, slot) : slot; };
    if (part.indices.empty()) {
        if (v.dimensions.empty()) return Value(read(c.pool.local(v.first)));
        Value whole;
        whole.dimensions = v.dimensions;
        for (std::uint32_t k = 0; k < v.length; ++k)
            whole.elements.push_back(read(c.pool.local(v.first + k)));
        return whole;
    }
    if (part.indices.size() != v.dimensions.size()) {
        c.report(messages::too_many_indices(part.where, "", part.name, shape_text(v.dimensions),
                                            part.indices.size()));
        return {};
    }
    // Position from 1, row by row; 0 (always refused) when a later index leaves its range.
    Expr position = nullptr;
    std::vector<Expr> outside;
    for (std::size_t k = 0; k < part.indices.size(); ++k) {
        const Expr i = translate_number(c, part.indices[k], s);
        if (!i) return {};
        const Expr most = c.pool.number(v.dimensions[k]);
        if (i->is_number() &&
            (i->number < 1 || i->number > v.dimensions[k] || i->number != std::floor(i->number))) {
            c.report(messages::index_out_of_range(part.indices[k].where, "", part.name,
                                                  static_cast<long>(i->number), v.dimensions[k]));
            return {};
        }
        if (!i->is_number() && v.dimensions.size() > 1) {
            outside.push_back(c.pool.less(i, c.pool.number(1)));
            outside.push_back(c.pool.less(most, i));
        }
        position =
            position ? c.pool.add(c.pool.multiply(c.pool.subtract(position, c.pool.number(1)), most), i) : i;
    }
    if (!outside.empty()) position = c.pool.choose(c.pool.any_of(outside), c.pool.number(0), position);
    if (position->is_number())
        return Value(read(c.pool.local(v.first + static_cast<std::uint32_t>(position->number) - 1)));
    return Value(read(c.pool.element(v.first, v.length, position)));
}

}  // namespace cutset
