// Variables of the model in the body of a function: `function f = g(a = x)`, defaults and constants of the
// component that the function belongs to. They become inputs.
#include <algorithm>
#include <unordered_map>
#include <unordered_set>
#include <variant>

#include "expr/is_open.h"
#include "ir/impure_calls.h"
#include "objects/function_bodies.h"

namespace cutset::objects {

namespace {

template <class Visit>
void visit_expressions(std::vector<FunctionStatement>& body, const Visit& visit);

// Calls visit(e) for each expression of a statement, by reference.
template <class Visit>
struct StatementExpressions {
    const Visit& visit;
    void operator()(FunctionAssign& s) const {
        visit(s.target);
        visit(s.value);
    }
    void operator()(FunctionIf& s) const {
        for (auto& [condition, body] : s.branches) {
            if (condition) visit(condition);
            visit_expressions(body, visit);
        }
    }
    void operator()(FunctionFor& s) const {
        for (Expr* e : {&s.from, &s.to, &s.step})
            if (*e) visit(*e);
        visit_expressions(s.body, visit);
    }
    void operator()(FunctionWhile& s) const {
        visit(s.condition);
        visit_expressions(s.body, visit);
    }
    void operator()(FunctionLeave&) const {}
    void operator()(FunctionAssert& s) const { visit(s.condition); }
};

template <class Visit>
void visit_expressions(std::vector<FunctionStatement>& body, const Visit& visit) {
    for (FunctionStatement& s : body) std::visit(StatementExpressions<Visit>{visit}, s.what);
}

void shift_loops(std::vector<FunctionStatement>& body, std::uint32_t by) {
    for (FunctionStatement& s : body) {
        if (auto* loop = std::get_if<FunctionFor>(&s.what)) {
            loop->slot += by;
            shift_loops(loop->body, by);
        } else if (auto* repeated = std::get_if<FunctionWhile>(&s.what)) {
            shift_loops(repeated->body, by);
        } else if (auto* choice = std::get_if<FunctionIf>(&s.what)) {
            for (auto& branch : choice->branches) shift_loops(branch.second, by);
        }
    }
}

// What a function is given rather than computes.
void list_given(Expr e, std::unordered_set<Expr>& met, std::vector<Expr>& given) {
    if (!met.insert(e).second) return;
    if (is_from_run(e->op)) {
        given.push_back(e);
        return;
    }
    for (Expr argument : e->args()) list_given(argument, met, given);
}

// Slots beyond the inputs move up; captured leaves are the slots in between.
class Shift {
  public:
    // `captured`: what the first of the `count` new slots stand for.
    Shift(Pool& pool, const std::vector<Expr>& captured, std::uint32_t count, std::uint32_t inputs,
          CalleeIndex itself)
        : pool_(pool), inputs_(inputs), itself_(itself) {
        for (std::uint32_t k = 0; k < count; ++k) slots_.push_back(pool.local(inputs + k));
        for (std::size_t k = 0; k < captured.size(); ++k)
            known_[captured[k]] = captured[k]->boolean ? pool.less(pool.number(0.5), slots_[k]) : slots_[k];
    }

    Expr operator()(Expr e) {
        if (const auto found = known_.find(e); found != known_.end()) return found->second;
        std::vector<Expr> arguments;
        for (Expr a : e->args()) arguments.push_back((*this)(a));
        const auto by = static_cast<std::uint32_t>(slots_.size());
        Expr result = nullptr;
        if (e->op == Op::Local)
            result = e->index < inputs_ ? e : pool_.local(e->index + by);
        else if (e->op == Op::Element)
            result = pool_.element(e->index < inputs_ ? e->index : e->index + by, e->order, arguments[0]);
        else if (e->op == Op::Apply && e->callee() == itself_ && e->argument_count == inputs_) {
            arguments.insert(arguments.end(), slots_.begin(), slots_.end());
            result = pool_.apply(itself_, e->order, arguments, {e->by, e->derivatives});
        } else {
            result = pool_.rebuild(e, arguments);
        }
        known_.emplace(e, result);
        return result;
    }

  private:
    Pool& pool_;
    std::uint32_t inputs_;
    CalleeIndex itself_;
    std::vector<Expr> slots_;
    std::unordered_map<Expr, Expr> known_;  // looked up only
};

}  // namespace

namespace {

// New ones behind those that there are.
void add_inputs(Pool& pool, FunctionData& function, CalleeIndex callee, const std::vector<Expr>& captured,
                std::uint32_t by) {
    Shift shift(pool, captured, by, function.inputs, callee);
    visit_expressions(function.body, [&](Expr& e) { e = shift(e); });
    shift_loops(function.body, by);
    function.slot_names.insert(function.slot_names.begin() + function.inputs, by, "");
    for (auto& constant : function.constants)
        if (constant.first >= function.inputs) constant.first += by;
    function.inputs += by;
    function.slots += by;
}

}  // namespace

bool make_impure(Pool& pool, const FlatModel& model, FunctionData& function, CalleeIndex callee,
                 bool declared) {
    function.impure = declared;
    visit_expressions(function.body, [&](Expr& e) {
        if (impure_call(model, e)) function.impure = true;
    });
    if (function.impure) add_inputs(pool, function, callee, {}, 2);
    return function.impure;
}

std::vector<Expr> pass_captured(Pool& pool, FunctionData& function, CalleeIndex callee) {
    std::vector<Expr> captured;
    std::unordered_set<Expr> met;  // looked up only
    visit_expressions(function.body, [&](Expr& e) { list_given(e, met, captured); });
    if (captured.empty()) return captured;
    add_inputs(pool, function, callee, captured, static_cast<std::uint32_t>(captured.size()));
    for (Expr& given : captured)
        if (given->boolean) given = pool.choose(given, pool.number(1), pool.number(0));
    return captured;
}

}  // namespace cutset::objects
