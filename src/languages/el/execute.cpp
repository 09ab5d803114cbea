// Sequential statements executed with symbols: what every target is worth afterwards, in terms of what the
// variables were before. Bodies of functions stay algorithms.
#include <algorithm>

#include "ir/object_build.h"
#include "languages/el/body.h"
#include "languages/el/elaborate.h"
#include "languages/el/messages.h"

namespace cutset::el {

using namespace object::build;

using object::ExpressionKind;
using object::Operator;

namespace {

// Values grow where they are put into one another; beyond this the block is refused.
constexpr std::size_t node_limit = 200000;

std::size_t count_nodes(const Expression& e) {
    std::size_t n = 1;
    for (const Expression& a : e.arguments) n += count_nodes(a);
    return n;
}

}  // namespace

void Assigned::set(const Expression& target, Expression value, Span where) {
    const std::string key = text_of(target.name);
    if (!entries.contains(key)) order.push_back(key);
    entries[key] = {target, std::move(value), where, ++writes};
}

Expression Body::substituted(const Expression& e, const Execution& x) {
    if (e.kind == ExpressionKind::Name) {
        const auto at = x.assigned.entries.find(text_of(e.name));
        if (at != x.assigned.entries.end()) return at->second.value;
        // A start refers to data: what INIT has not set yet is worth what its declaration says.
        if (x.in == Where::Init && e.name.parts.size() == 1 && !is_data(e) &&
            e.name.parts[0].name != "time") {
            for (const Declaration* d : merged_.variables)
                if (d->name == e.name.parts[0].name && d->init) return translate(*d->init);
        }
        return e;
    }
    Expression out = e;
    out.arguments.clear();
    for (const Expression& a : e.arguments) out.arguments.push_back(substituted(a, x));
    return out;
}

// What the target is worth where this block does not assign it.
Expression Body::before(const Expression& target, const Execution& x) {
    const auto at = x.assigned.entries.find(text_of(target.name));
    if (at != x.assigned.entries.end()) return at->second.value;
    if (x.in == Where::When) {
        const auto symbol = model_->symbols.find(target.name.parts[0].name);
        const bool jumps = symbol != model_->symbols.end() && symbol->second.kind == SymbolKind::Continuous;
        return jumps ? target : call("pre", {target}, target.where);
    }
    if (x.in == Where::Init) return substituted(target, x);
    return target;
}

void Body::execute(const std::vector<Statement>& body, Execution& x) {
    for (const Statement& s : body) {
        if (x.failed) return;
        execute(s, x);
    }
}

void Body::execute(const Statement& s, Execution& x) {
    switch (s.kind) {
        case StatementKind::Equation:
        case StatementKind::Causal:
        case StatementKind::Add:
        case StatementKind::Subtract:
            return execute_assignment(s, x);
        case StatementKind::If:
            return execute_if(s, x);
        case StatementKind::Insert:
            if (const auto* body = inserted(s)) execute(*body, x);
            return;
        case StatementKind::Expand:
            return for_each_index(s.iterators, s.where, [&] { execute(s.body, x); });
        case StatementKind::Stop:
            if (x.in == Where::When) return terminate(s.text, x, s.where);
            break;
        case StatementKind::Sequential:
            return execute(s.body, x);
        case StatementKind::Call: {
            const std::string& f = s.left->name.parts.back().name;
            if (f == "PRINT" || f == "WRITE" || f == "printf") {  // shows something, changes nothing
                diagnostics_.report(not_printed(s.where, f));
                return;
            }
            const auto user = library_.functions.find(f);
            if (user != library_.functions.end()) return execute_call(s, *user->second, x);
            break;
        }
        default:
            break;
    }
    diagnostics_.report(not_sequential(s.where));
    x.failed = true;
}

void Body::terminate(const std::string& text, Execution& x, Span where) {
    object::Equation stop = call_equation(call("terminate", {string(text, where)}, where), where);
    if (x.conditional) {
        object::IfEquation guarded;
        object::EquationBranch branch;
        branch.condition = x.path_condition;
        branch.body.push_back(std::move(stop));
        guarded.branches.push_back(std::move(branch));
        stop = {};
        stop.what = std::move(guarded);
        stop.where = where;
    }
    x.others.push_back(std::move(stop));
}

void Body::execute_assignment(const Statement& s, Execution& x) {
    if (s.left->kind == ExpressionKind::Name && s.left->name.parts.size() == 1 &&
        s.left->name.parts[0].name == "TSTOP") {
        if (x.in == Where::When && s.right->kind == ExpressionKind::Name &&
            s.right->name.parts[0].name == "TIME")
            return terminate("TSTOP = TIME", x, s.where);
        diagnostics_.report(stop_time_in_component(s.where));
        x.failed = true;
        return;
    }
    const auto target = assigned_target(*s.left, x);
    if (!target) return;
    if (s.after || s.at) return schedule(s, *target, x);
    Expression value = substituted(translate(*s.right), x);
    const std::string key = text_of(target->name);
    const auto symbol = model_->symbols.find(target->name.parts[0].name);
    const bool discrete = target->name.parts.size() == 1 && symbol != model_->symbols.end() &&
                          symbol->second.kind == SymbolKind::Discrete;
    if (s.kind == StatementKind::Add || s.kind == StatementKind::Subtract) {
        value = operation(s.kind == StatementKind::Add ? Operator::Add : Operator::Subtract,
                          before(*target, x), std::move(value));
    } else if (x.in == Where::When && discrete && !x.assigned.entries.contains(key)) {
        // x = x + 1: the value from before
        Execution previous;
        previous.in = Where::When;
        previous.assigned.set(*target, call("pre", {*target}, target->where), s.where);
        value = substituted(value, previous);
    }
    std::vector<std::pair<const Expression*, Expression>> others;  // y = f(a, OUT b)
    if (s.right->kind == ExpressionKind::Call && !s.right->name.parts.empty())
        if (const auto f = library_.functions.find(s.right->name.parts.back().name);
            f != library_.functions.end())
            others = results_of(*s.right, *f->second);
    for (auto& [written, computed] : others) computed = substituted(computed, x);
    put_value(*target, std::move(value), s.where, x);
    put_results(std::move(others), s.where, x);
}

// f(a, OUT b): what it computes from the values before the call is given to all its targets.
void Body::execute_call(const Statement& s, const Function& f, Execution& x) {
    auto results = results_of(*s.left, f);
    if (results.empty()) {
        diagnostics_.report(call_without_out(s.where, f.name));
        x.failed = true;
        return;
    }
    for (auto& [target, value] : results) value = substituted(value, x);
    put_results(std::move(results), s.where, x);
}

void Body::put_results(std::vector<std::pair<const Expression*, Expression>> results, Span where,
                       Execution& x) {
    for (auto& [written, value] : results) {
        const auto target = assigned_target(*written, x);
        if (!target) return;
        put_value(*target, std::move(value), where, x);
    }
}

std::optional<Expression> Body::assigned_target(const Expression& written, Execution& x) {
    const auto refuse = [&](Diagnostic d) {
        diagnostics_.report(std::move(d));
        x.failed = true;
        return std::nullopt;
    };
    Expression target = translate(written);
    if (target.kind != ExpressionKind::Name)
        return refuse(written.kind == ExpressionKind::Derivative ? assigns_derivative(written.where)
                                                                 : assigns_expression(written.where));
    const auto symbol = model_->symbols.find(target.name.parts[0].name);
    if (target.name.parts.size() > 1 || symbol == model_->symbols.end()) return target;
    if (symbol->second.dimensions.size() != target.name.parts[0].indices.size() && x.in != Where::Init)
        return refuse(assigns_array(written.where));
    if (symbol->second.kind == SymbolKind::Data)
        return refuse(assigns_data(written.where, text_of(target.name)));
    return target;
}

void Body::put_value(const Expression& target, Expression value, Span where, Execution& x) {
    nodes_ += count_nodes(value);
    if (nodes_ > node_limit) {
        diagnostics_.report(expanded_too_far(where));
        x.failed = true;
        return;
    }
    x.assigned.set(target, std::move(value), where);
}

// x = e AFTER dt: the value follows at a time event of its own, with e as it is then.
void Body::schedule(const Statement& s, const Expression& target, Execution& x) {
    if (x.in != Where::When) {
        diagnostics_.report(event_outside_when(s.where));
        x.failed = true;
        return;
    }
    std::string name;
    do name = target.name.parts.back().name + "_event" + std::to_string(++events_);
    while (merged_.names.contains(name));
    Declaration d;
    d.name = name;
    d.where = s.where;
    d.is_private = true;
    d.description = "when " + text_of(target.name) + " changes next";
    Symbol symbol;
    symbol.kind = SymbolKind::Discrete;
    symbol.where = s.where;
    model_->symbols[name] = symbol;
    object::TypePrefixes prefixes;
    prefixes.variability = object::Variability::Discrete;
    constexpr double never = 1e60;
    emit(d, symbol, prefixes, {}, real(never, s.where), name);

    const Expression time = name_of({"time"}, s.where), at = name_of({name}, s.where);
    const Expression pending = operation(Operator::Greater, call("pre", {at}, s.where), time);
    const Expression scheduled = operation(Operator::Less, call("pre", {at}, s.where), real(never, s.where));
    Execution overwritten = x;
    overwritten.conditional = true;
    overwritten.others.clear();
    Expression condition = operation(Operator::And, pending, scheduled);
    overwritten.path_condition =
        x.conditional ? operation(Operator::And, x.path_condition, condition) : std::move(condition);
    terminate("a second change of " + text_of(target.name) + " is scheduled before the first has happened",
              overwritten, s.where);
    for (object::Equation& e : overwritten.others) x.others.push_back(std::move(e));

    Expression when = s.at ? substituted(translate(*s.at), x)
                           : operation(Operator::Add, time, substituted(translate(*s.after), x));
    x.assigned.set(at, std::move(when), s.where);

    Statement later;
    later.kind = s.kind;
    later.left = s.left;
    later.right = s.right;
    later.where = s.where;
    Execution happens;
    happens.in = Where::When;
    execute_assignment(later, happens);
    if (happens.failed) return void(x.failed = true);
    emit_when(operation(Operator::GreaterEqual, time, at), happens.assigned, {}, s.where);
}

void Body::execute_if(const Statement& s, Execution& x) {
    std::vector<Expression> conditions;
    std::vector<Execution> branches;
    Expression reached;
    bool has_else = false;
    for (const Branch& b : s.branches) {
        Execution branch = x;
        branch.others.clear();
        Expression here;
        if (b.condition) {
            conditions.push_back(substituted(translate(*b.condition), x));
            here = conditions.back();
        } else {
            has_else = true;
        }
        for (std::size_t i = 0; i < branches.size(); ++i) {
            Expression no;
            no.kind = ExpressionKind::Operation;
            no.op = Operator::Not;
            no.where = s.where;
            no.arguments = {conditions[i]};
            here = (i == 0 && !b.condition) ? no : operation(Operator::And, here, no);
        }
        branch.path_condition = x.conditional ? operation(Operator::And, x.path_condition, here) : here;
        branch.conditional = true;
        execute(b.body, branch);
        if (branch.failed) return void(x.failed = true);
        branches.push_back(std::move(branch));
    }
    for (Execution& b : branches)
        for (object::Equation& e : b.others) x.others.push_back(std::move(e));
    std::vector<std::string> targets;
    for (const Execution& b : branches)
        for (const std::string& key : b.assigned.order)
            if (b.assigned.entries.at(key).write > x.assigned.writes &&
                std::find(targets.begin(), targets.end(), key) == targets.end())
                targets.push_back(key);
    Assigned result = x.assigned;
    for (const std::string& key : targets) {
        const Assigned::Entry* entry = nullptr;
        bool everywhere = has_else;
        for (const Execution& b : branches) {
            const auto at = b.assigned.entries.find(key);
            if (at != b.assigned.entries.end())
                entry = &at->second;
            else
                everywhere = false;
        }
        if (!everywhere && x.in == Where::Sequential && !x.assigned.entries.contains(key)) {
            diagnostics_.report(not_always_assigned(s.where, key));
            return void(x.failed = true);
        }
        Expression value;
        value.kind = ExpressionKind::If;
        value.where = s.where;
        for (std::size_t i = 0; i < branches.size(); ++i) {
            const auto at = branches[i].assigned.entries.find(key);
            Expression here =
                at != branches[i].assigned.entries.end() ? at->second.value : before(entry->target, x);
            if (i < conditions.size()) value.arguments.push_back(conditions[i]);
            value.arguments.push_back(std::move(here));
        }
        if (!has_else) value.arguments.push_back(before(entry->target, x));
        nodes_ += count_nodes(value);
        if (nodes_ > node_limit) {
            diagnostics_.report(expanded_too_far(s.where));
            return void(x.failed = true);
        }
        result.set(entry->target, std::move(value), entry->where);
    }
    x.assigned = std::move(result);
}

// ---- functions

object::Statement Body::algorithm_statement(const Statement& s) {
    object::Statement out;
    out.where = s.where;
    const auto assignment = [&](Expression target, Expression value) {
        object::Assignment a;
        a.target = std::move(target);
        a.value = std::move(value);
        out.what = std::move(a);
    };
    switch (s.kind) {
        case StatementKind::Equation:
        case StatementKind::Causal: {
            Expression left = translate(*s.left);
            assignment(std::move(left), translate(*s.right));
            break;
        }
        case StatementKind::Add:
        case StatementKind::Subtract:
            assignment(translate(*s.left),
                       operation(s.kind == StatementKind::Add ? Operator::Add : Operator::Subtract,
                                 translate(*s.left), translate(*s.right)));
            break;
        case StatementKind::If: {
            object::IfStatement i;
            for (const Branch& b : s.branches) {
                object::StatementBranch branch;
                if (b.condition) branch.condition = translate(*b.condition);
                branch.body = algorithm(b.body);
                i.branches.push_back(std::move(branch));
            }
            out.what = std::move(i);
            break;
        }
        case StatementKind::While: {
            object::WhileStatement w;
            w.condition = translate(*s.condition);
            w.body = algorithm(s.body);
            out.what = std::move(w);
            break;
        }
        case StatementKind::Break:
            out.what = object::BreakStatement{};
            break;
        case StatementKind::Assert:
            out.what = object::CallStatement{
                call("assert", {translate(*s.condition), string(s.text, s.where)}, s.where)};
            break;
        default:
            diagnostics_.report(not_in_function(s.where));
            out.what = object::BreakStatement{};
    }
    return out;
}

std::vector<object::Statement> Body::algorithm(const std::vector<Statement>& body) {
    std::vector<object::Statement> out;
    const auto assign = [&](Expression target, Expression value, Span where) {
        object::Assignment a;
        a.target = std::move(target);
        a.value = std::move(value);
        object::Statement s;
        s.what = std::move(a);
        s.where = where;
        out.push_back(std::move(s));
    };
    for (const Statement& s : body) {
        switch (s.kind) {
            case StatementKind::Return: {
                if (s.left) assign(name_of({"result'"}, s.where), translate(*s.left), s.where);
                object::Statement leave;
                leave.what = object::ReturnStatement{};
                leave.where = s.where;
                out.push_back(std::move(leave));
                break;
            }
            case StatementKind::Expand: {
                if (s.iterators.size() != 1 || s.iterators[0].except ||
                    s.iterators[0].range->kind != ExpressionKind::Range) {
                    for_each_index(s.iterators, s.where, [&] {
                        for (object::Statement& inner : algorithm(s.body)) out.push_back(std::move(inner));
                    });
                    break;
                }
                const object::Iterator& written = s.iterators[0];
                object::ForStatement f;
                object::Iterator i;
                i.name = written.name;
                i.where = written.where;
                Expression range = *written.range;
                range.arguments = translate_all(range.arguments);
                i.range = std::move(range);
                f.iterators.push_back(std::move(i));
                Symbol index;
                index.kind = SymbolKind::Data;
                index.type = Type::Integer;
                // An INTEGER of this name, which many texts declare for the loop, is hidden by its index.
                std::optional<Symbol> hidden;
                if (const auto at = model_->symbols.find(written.name); at != model_->symbols.end())
                    hidden = at->second;
                if (hidden && hidden->type != Type::Integer)
                    diagnostics_.report(declared_twice(written.where, written.name, hidden->where));
                model_->symbols[written.name] = index;
                f.body = algorithm(s.body);
                if (hidden)
                    model_->symbols[written.name] = *hidden;
                else
                    model_->symbols.erase(written.name);
                object::Statement loop;
                loop.what = std::move(f);
                loop.where = s.where;
                out.push_back(std::move(loop));
                break;
            }
            case StatementKind::Count: {  // FOR (i = a; c; i = b)
                Expression counted = translate(*s.left);
                assign(std::move(counted), translate(*s.right), s.where);
                object::WhileStatement w;
                w.condition = translate(*s.condition);
                w.body = algorithm(s.body);
                object::Assignment step;
                step.target = translate(*s.left);
                step.value = translate(*s.step);
                object::Statement last;
                last.what = std::move(step);
                last.where = s.where;
                w.body.push_back(std::move(last));
                object::Statement loop;
                loop.what = std::move(w);
                loop.where = s.where;
                out.push_back(std::move(loop));
                break;
            }
            case StatementKind::Call: {
                const auto user = library_.functions.find(s.left->name.parts.back().name);
                if (user == library_.functions.end()) {
                    diagnostics_.report(not_in_function(s.where));
                    break;
                }
                auto results = results_of(*s.left, *user->second);
                if (results.size() !=
                    1)  // one after the other, the first would change what the second is given
                    diagnostics_.report(call_without_out(s.where, user->first));
                else
                    assign(translate(*results[0].first), std::move(results[0].second), s.where);
                break;
            }
            default:
                out.push_back(algorithm_statement(s));
        }
    }
    return out;
}

std::shared_ptr<object::Class> Body::function(const Function& f, const std::string& wanted) {
    auto out = std::make_shared<object::Class>();
    out->language = object::Language::El;
    out->kind = object::ClassKind::Function;
    out->name = f.name;
    out->description = f.description;
    out->where = out->whole = f.where;
    if (!f.external_library.empty()) diagnostics_.report(external_function(f.where, f.name));
    const auto declare = [&](const Declaration& d, object::Causality causality, const std::string& name) {
        Symbol s;
        s.type = d.type;
        s.enumeration = d.enumeration;
        s.where = d.where;
        s.kind = SymbolKind::Data;
        if (d.type == Type::String || d.type == Type::Filepath || d.type == Type::Table1D ||
            d.type == Type::Table2D || d.type == Type::Table3D || d.type == Type::SetOf)
            diagnostics_.report(type_in_function(d.where, d.name));
        s.dimensions = dimensions(d.dimensions, d.name);
        constants_.erase(d.name);
        model_->symbols[name] = s;
        object::TypePrefixes prefixes;
        prefixes.causality = causality;
        Declaration plain = d;
        plain.units.reset();
        plain.low.reset();
        plain.high.reset();
        Box<Expression> value;
        if (causality != object::Causality::Input && d.init) value = translate(*d.init);
        emit(plain, s, prefixes, std::move(value), {}, name);
        if (causality == object::Causality::None)
            std::get<object::Component>(elements_.back()).element.is_protected = true;
    };
    for (const Argument& a : f.arguments)
        if (!a.out) declare(a.declared, object::Causality::Input, a.declared.name);
    const auto direction = [&](bool is_result) {
        return is_result ? object::Causality::Output : object::Causality::None;
    };
    if (f.result) declare(*f.result, direction(wanted.empty()), "result'");
    for (const Argument& a : f.arguments)
        if (a.out) declare(a.declared, direction(a.declared.name == wanted), a.declared.name);
    for (const Declaration& d : f.variables) declare(d, object::Causality::None, d.name);
    object::AlgorithmSection section;
    section.statements = algorithm(f.body);
    object::LongDefinition definition;
    definition.elements = std::move(elements_);
    definition.elements.emplace_back(std::move(section));
    out->definition = std::move(definition);
    return out;
}

}  // namespace cutset::el
