#include "ir/impure_calls.h"

#include <unordered_map>

namespace cutset {

namespace {

bool is_impure(const FlatModel& model, Expr e) {
    if (e->op != Op::Apply) return false;
    const auto* function = std::get_if<FunctionData>(&model.callees[e->callee()]);
    return function && function->impure;
}

class Dating {
  public:
    explicit Dating(FlatModel& model) : model_(model), pool_(*model.pool) {}

    Expr operator()(Expr e) {
        if (e->argument_count == 0) return e;
        if (const auto known = done_.find(e); known != done_.end()) return known->second;
        std::vector<Expr> arguments;
        for (Expr a : e->args()) arguments.push_back((*this)(a));
        if (is_impure(model_, e)) arguments.back() = pool_.time();
        const Expr result = pool_.rebuild(e, arguments);
        done_.emplace(e, result);
        return result;
    }

  private:
    FlatModel& model_;
    Pool& pool_;
    std::unordered_map<Expr, Expr> done_;  // looked up only
};

}  // namespace

const FunctionData* impure_function(const FlatModel& model) {
    for (const Callee& c : model.callees)
        if (const auto* function = std::get_if<FunctionData>(&c); function && function->impure)
            return function;
    return nullptr;
}

std::vector<Expr> impure_arguments(Pool& pool, std::uint32_t number) {
    return {pool.number(number), pool.number(0)};
}

void date_impure_calls(FlatModel& model) {
    if (!impure_function(model)) return;
    Dating date(model);
    for (WhenClause& when : model.whens)
        for (WhenAction& action : when.actions) {
            std::visit(
                [&](auto& a) {
                    if (a.guard) a.guard = date(a.guard);
                },
                action);
            if (auto* assign = std::get_if<WhenAssign>(&action)) assign->value = date(assign->value);
            if (auto* reinit = std::get_if<WhenReinit>(&action)) reinit->value = date(reinit->value);
        }
}

Expr impure_call(const FlatModel& model, Expr e) {
    Expr found = nullptr;
    for_each_node(e, [&](Expr n) {
        if (!found && is_impure(model, n)) found = n;
    });
    return found;
}

}  // namespace cutset
