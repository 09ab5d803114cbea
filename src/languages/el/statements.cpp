// CONTINUOUS, DISCRETE and INIT of a component.
#include <algorithm>
#include <functional>

#include "ir/object_build.h"
#include "languages/el/body.h"
#include "languages/el/elaborate.h"
#include "languages/el/messages.h"

namespace cutset::el {

using namespace object::build;

using object::ExpressionKind;
using object::Operator;

// The branch of IF … INSERT that counts; none where no condition holds.
const std::vector<Statement>* Body::inserted(const Statement& s) {
    for (const Branch& b : s.branches) {
        if (!b.condition) return &b.body;
        const auto value = known(*b.condition);
        const bool* holds = value ? std::get_if<bool>(&value->value) : nullptr;
        if (!holds) {
            diagnostics_.report(insert_not_known(b.condition->where));
            return nullptr;
        }
        if (*holds) return &b.body;
    }
    return nullptr;
}

object::Equation Body::equation_of(const Statement& s) {
    Expression left = translate(*s.left);
    object::Equation e = equation(std::move(left), translate(*s.right), s.where);
    auto& simple = std::get<object::SimpleEquation>(e.what);
    simple.causal = s.kind == StatementKind::Causal;
    simple.label = s.label;
    if (s.tearing) simple.tearing = translate(*s.tearing);
    return e;
}

void Body::continuous(const Statement& s) {
    switch (s.kind) {
        case StatementKind::Equation:
        case StatementKind::Causal:
            if (s.after || s.at) diagnostics_.report(event_outside_when(s.where));
            add(equation_of(s));
            return outputs_in(s);
        case StatementKind::Expand:
            return for_each_index(s.iterators, s.where, [&] {
                for (const Statement& inner : s.body) continuous(inner);
            });
        case StatementKind::Insert:
            if (const auto* body = inserted(s))
                for (const Statement& inner : *body) continuous(inner);
            return;
        case StatementKind::Sequential:
            return sequential_block(s);
        case StatementKind::Call: {
            if (const auto f = library_.functions.find(s.left->name.parts.back().name);
                f != library_.functions.end()) {
                Statement block;
                block.kind = StatementKind::Sequential;
                block.body = {s};
                block.where = s.where;
                return sequential_block(block);
            }
            diagnostics_.report(not_in_continuous(s.where));
            return;
        }
        case StatementKind::Assert:
            return assertion(s);
        case StatementKind::Connect:
        case StatementKind::PathPort:
        case StatementKind::Submodel:
            return diagnostics_.report(belongs_in(s.where, "TOPOLOGY"));
        case StatementKind::When:
            return diagnostics_.report(belongs_in(s.where, "DISCRETE"));
        default:
            return diagnostics_.report(not_in_continuous(s.where));
    }
}

void Body::discrete(const Statement& s) {
    switch (s.kind) {
        case StatementKind::When:
            return when(s);
        case StatementKind::Assert:
            return assertion(s);
        case StatementKind::Expand:
            return for_each_index(s.iterators, s.where, [&] {
                for (const Statement& inner : s.body) discrete(inner);
            });
        case StatementKind::Insert:
            if (const auto* body = inserted(s))
                for (const Statement& inner : *body) discrete(inner);
            return;
        default:
            return diagnostics_.report(not_in_discrete(s.where));
    }
}

void Body::assertion(const Statement& s) {
    const bool error = s.level != AssertWord::Note && s.level != AssertWord::Warning;
    add(call_equation(call("assert",
                           {translate(*s.condition), string(s.text, s.where),
                            name_of({"AssertionLevel", error ? "error" : "warning"}, s.where)},
                           s.where),
                      s.where));
}

void Body::emit_when(Expression condition, const Assigned& done, std::vector<object::Equation> others,
                     Span where) {
    object::WhenEquation w;
    object::EquationBranch branch;
    branch.condition = std::move(condition);
    for (const std::string& key : done.order) {
        const Assigned::Entry& e = done.entries.at(key);
        const std::string& first = e.target.name.parts[0].name;
        if (given_.contains(key) || open_.contains(key)) {
            diagnostics_.report(boundary_in_when(e.where, key));
            continue;
        }
        const auto symbol = model_->symbols.find(first);
        const auto found = symbol == model_->symbols.end() ? std::nullopt : resolve(e.target.name);
        const bool jumps = found && found->symbol.kind == SymbolKind::Continuous;
        if (jumps)
            branch.body.push_back(call_equation(call("reinit", {e.target, e.value}, e.where), e.where));
        else
            branch.body.push_back(equation(e.target, e.value, e.where));
    }
    for (object::Equation& e : others) branch.body.push_back(std::move(e));
    if (branch.body.empty()) return;
    w.branches.push_back(std::move(branch));
    object::Equation out;
    out.what = std::move(w);
    out.where = where;
    add(std::move(out));
}

void Body::when(const Statement& s) {
    const Branch& b = s.branches[0];
    Expression condition = translate(*b.condition);
    Execution x;
    x.in = Where::When;
    execute(b.body, x);
    if (x.failed) return;
    // a == b between continuous variables: when they cross, either way.
    if (condition.kind == ExpressionKind::Operation && condition.op == Operator::Equal) {
        Expression up = condition, down = condition;
        up.op = Operator::GreaterEqual;
        down.op = Operator::LessEqual;
        const auto continuous_variable = [&](const Expression& e) {
            if (e.kind != ExpressionKind::Name) return e.kind == ExpressionKind::Operation;
            const auto at = model_->symbols.find(e.name.parts[0].name);
            return at == model_->symbols.end() || at->second.kind == SymbolKind::Continuous;
        };
        if (continuous_variable(condition.arguments[0]) || continuous_variable(condition.arguments[1])) {
            emit_when(std::move(up), x.assigned, x.others, s.where);
            emit_when(std::move(down), x.assigned, std::move(x.others), s.where);
            return;
        }
    }
    emit_when(std::move(condition), x.assigned, std::move(x.others), s.where);
}

// w = f(x, OUT y) computes y too.
void Body::outputs_in(const Statement& s) {
    const std::function<void(const Expression&)> visit = [&](const Expression& e) {
        if (e.kind == ExpressionKind::Call && !e.name.parts.empty())
            if (const auto f = library_.functions.find(e.name.parts.back().name);
                f != library_.functions.end())
                for (auto& [target, value] : results_of(e, *f->second))
                    add(equation(translate(*target), std::move(value), s.where));
        for (const Expression& a : e.arguments) visit(a);
    };
    for (const Box<Expression>* side : {&s.left, &s.right})
        if (*side) visit(**side);
}

// SEQUENTIAL … END SEQUENTIAL: what it assigns is computed by it.
void Body::sequential_block(const Statement& s) {
    Execution x;
    x.in = Where::Sequential;
    execute(s.body, x);
    if (x.failed) return;
    for (const std::string& key : x.assigned.order) {
        Assigned::Entry& e = x.assigned.entries.at(key);
        add(equation(std::move(e.target), std::move(e.value), e.where));
    }
}

// What INIT gives to variables are their initial values, or guesses where they are not states.
void Body::init() {
    Execution x;
    x.in = Where::Init;
    for (const InitPart& i : merged_.inits) execute(*i.body, x);
    for (const std::string& key : x.assigned.order)
        if (!x.failed) model_->initialised.insert(key);
    if (around_.experiment) execute(around_.experiment->init, x);
    if (x.failed) return;
    const auto of_experiment = [&](Span where) {
        if (!around_.experiment) return false;
        const std::vector<Statement>& own = around_.experiment->init;
        return std::any_of(own.begin(), own.end(), [&](const Statement& s) {
            return s.where.source == where.source && s.where.begin <= where.begin &&
                   where.begin < s.where.end;
        });
    };
    std::map<std::string, std::vector<std::pair<std::string, Expression>>>
        in_parts;  // of submodels and ports
    for (const std::string& key : x.assigned.order) {
        const Assigned::Entry& e = x.assigned.entries.at(key);
        if (e.target.name.parts.size() == 1) {
            starts_[key] = e.value;
            continue;
        }
        const object::NamePart& first = e.target.name.parts[0];
        bool indexed = false;
        for (std::size_t i = 0; i + 1 < e.target.name.parts.size(); ++i)
            indexed = indexed || !e.target.name.parts[i].indices.empty();
        if (indexed) {
            diagnostics_.report(init_of_element(e.where, key));
            continue;
        }
        if (!e.target.name.parts.back().indices.empty()) {  // all elements together, with the first one
            const std::string whole = key.substr(0, key.rfind('['));
            starts_[key] = e.value;
            object::Name base = e.target.name;
            base.parts.back().indices.clear();
            const auto found = resolve(base);
            Declaration d;
            d.where = e.where;
            const Box<Expression> all =
                found ? start_of(d, whole, found->symbol.dimensions) : Box<Expression>();
            std::erase_if(in_parts[first.name],
                          [&](const auto& part) { return first.name + "." + part.first == whole; });
            if (all) in_parts[first.name].push_back({whole.substr(first.name.size() + 1), *all});
            continue;
        }
        const Symbol& symbol = model_->symbols.at(first.name);
        const std::string rest = key.substr(first.name.size() + 1);
        // INIT of the component comes before that of its parts, INIT of the experiment after all.
        if (symbol.model && symbol.model->initialised.contains(rest) && !of_experiment(e.where)) {
            diagnostics_.report(init_in_part(e.where, key));
            continue;
        }
        in_parts[first.name].push_back({rest, e.value});
    }
    for (object::Element& element : elements_) {
        auto* component = std::get_if<object::Component>(&element);
        if (!component) continue;
        const auto at = in_parts.find(component->name);
        if (at == in_parts.end()) continue;
        if (!component->modification) component->modification = object::Modification{};
        for (auto& [rest, value] : at->second) {
            const bool is_data =
                model_->symbols.at(component->name).model &&
                model_->symbols.at(component->name).model->symbols.contains(rest) &&
                model_->symbols.at(component->name).model->symbols.at(rest).kind == SymbolKind::Data;
            std::vector<std::string> path;
            for (std::size_t i = 0; i <= rest.size();) {
                const std::size_t dot = std::min(rest.find('.', i), rest.size());
                path.push_back(rest.substr(i, dot - i));
                i = dot + 1;
            }
            object::Argument a = argument(is_data ? path.back() : "start", value);
            if (is_data) path.pop_back();
            for (std::size_t i = path.size(); i-- > 0;) {
                object::Argument outer;
                outer.where = a.where;
                outer.name.where = a.where;
                outer.name.parts.push_back({path[i], {}, a.where});
                object::Modification inner;
                inner.where = a.where;
                inner.arguments.push_back(std::move(a));
                outer.value = std::move(inner);
                a = std::move(outer);
            }
            component->modification->arguments.push_back(std::move(a));
        }
    }
}

}  // namespace cutset::el
