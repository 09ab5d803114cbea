#include "objects/iterators.h"

#include <initializer_list>

#include "objects/value_messages.h"

namespace cutset::objects {

namespace {

using object::Expression;
using Visit = FunctionRef<void(const Expression&)>;

void walk(const Expression& e, Visit visit) {
    visit(e);
    for (const object::NamePart& p : e.name.parts)
        for (const Expression& i : p.indices) walk(i, visit);
    for (const Expression& a : e.arguments) walk(a, visit);
    for (const object::NamedArgument& a : e.named)
        if (a.value) walk(*a.value, visit);
    for (const object::Iterator& i : e.iterators)
        if (i.range) walk(*i.range, visit);
}

void walk(const std::vector<object::Equation>& equations, Visit visit);
void walk(const std::vector<object::Statement>& statements, Visit visit);

template <class Branches>
void walk_branches(const Branches& branches, Visit visit) {
    for (const auto& b : branches) {
        if (b.condition) walk(*b.condition, visit);
        walk(b.body, visit);
    }
}
template <class Loop>
void walk_loop(const Loop& loop, Visit visit) {
    for (const object::Iterator& i : loop.iterators)
        if (i.range) walk(*i.range, visit);
    walk(loop.body, visit);
}

struct WalkPart {
    Visit visit;
    void operator()(const object::SimpleEquation& e) const {
        walk(e.left, visit);
        walk(e.right, visit);
    }
    void operator()(const object::ConnectEquation& e) const {
        walk(e.left, visit);
        walk(e.right, visit);
    }
    void operator()(const object::ForEquation& e) const { walk_loop(e, visit); }
    void operator()(const object::IfEquation& e) const { walk_branches(e.branches, visit); }
    void operator()(const object::WhenEquation& e) const { walk_branches(e.branches, visit); }
    void operator()(const object::CallEquation& e) const { walk(e.call, visit); }
    void operator()(const object::Assignment& s) const {
        walk(s.target, visit);
        walk(s.value, visit);
    }
    void operator()(const object::CallStatement& s) const { walk(s.call, visit); }
    void operator()(const object::IfStatement& s) const { walk_branches(s.branches, visit); }
    void operator()(const object::ForStatement& s) const { walk_loop(s, visit); }
    void operator()(const object::WhileStatement& s) const {
        walk(s.condition, visit);
        walk(s.body, visit);
    }
    void operator()(const object::WhenStatement& s) const { walk_branches(s.branches, visit); }
    void operator()(const object::BreakStatement&) const {}
    void operator()(const object::ReturnStatement&) const {}
};

void walk(const std::vector<object::Equation>& equations, Visit visit) {
    for (const object::Equation& e : equations) std::visit(WalkPart{visit}, e.what);
}
void walk(const std::vector<object::Statement>& statements, Visit visit) {
    for (const object::Statement& s : statements) std::visit(WalkPart{visit}, s.what);
}

// The size of the dimension that the iterator is an index of, where the name is found first.
std::optional<std::uint32_t> size_by_use(Evaluator& e, const std::string& iterator, const LoopBody& body,
                                         Frame& frame) {
    std::optional<std::uint32_t> size;
    for_each_expression(body, [&](const Expression& x) {
        for (std::size_t p = 0; p < x.name.parts.size(); ++p)
            for (std::size_t k = 0; k < x.name.parts[p].indices.size(); ++k) {
                const Expression& index = x.name.parts[p].indices[k];
                const bool is = index.kind == object::ExpressionKind::Name && index.name.parts.size() == 1 &&
                                index.name.parts[0].name == iterator;
                if (!is) continue;
                Expression whole;
                whole.kind = object::ExpressionKind::Name;
                whole.where = x.where;
                whole.name = x.name;
                whole.name.parts.resize(p + 1);
                whole.name.parts[p].indices.clear();
                const Value v = e.evaluate(whole, frame);
                if (k >= v.dimensions.size()) continue;
                if (size && *size != v.dimensions[k])
                    throw Refused{messages::range_differs(index.where, iterator, *size, v.dimensions[k])};
                size = v.dimensions[k];
            }
    });
    return size;
}

}  // namespace

void for_each_expression(const LoopBody& body, Visit visit) {
    for (const Expression* e : body.expressions) walk(*e, visit);
    if (body.equations) walk(*body.equations, visit);
    if (body.statements) walk(*body.statements, visit);
}

std::vector<Value> iterator_values(Evaluator& e, const object::Iterator& iterator, const LoopBody& body,
                                   Frame& frame) {
    if (iterator.range) {
        auto values = e.iteration(*iterator.range, frame);
        if (!values) throw Refused{messages::open_loop_range(iterator.range->where)};
        return std::move(*values);
    }
    const auto size = size_by_use(e, iterator.name, body, frame);
    if (!size) throw Refused{messages::no_range(iterator.where, iterator.name)};
    std::vector<Value> values;
    for (std::uint32_t k = 1; k <= *size; ++k) values.emplace_back(Basic::Integer, e.pool().number(k));
    return values;
}

}  // namespace cutset::objects
