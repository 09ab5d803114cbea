#include "native/function_plan.h"

#include <algorithm>

namespace cutset::native {

namespace {

bool is_known(const FunctionCode::Step& step) {
    if (step.kind != FunctionCode::Step::Kind::Operation) return true;
    const Instruction& i = step.instruction;
    switch (i.code) {
        case Code::Unary:
            return (i.op >= Op::Sqrt && i.op <= Op::Truncate) || i.op == Op::Not || i.op == Op::NoEvent;
        case Code::Binary:
            return i.op == Op::Power || (i.op >= Op::Atan2 && i.op <= Op::Max) ||
                   (i.op >= Op::Less && i.op <= Op::NotEqual);
        default:
            return i.code <= Code::Negate;
    }
}

}  // namespace

FunctionPlanner::FunctionPlanner(const Program& program, bool careful)
    : program_(program),
      careful_(careful),
      uses_(function_uses(program)),
      known_(program.functions.size(), false) {
    pairs_ = std::any_of(uses_.comes_with.begin(), uses_.comes_with.end(),
                         [](const auto& site) { return site.has_value(); });
    for (std::size_t c = 0; c < known_.size(); ++c) {
        const auto& steps = program.functions[c].steps;
        known_[c] = !steps.empty() && steps.back().kind == FunctionCode::Step::Kind::Return &&
                    std::all_of(steps.begin(), steps.end(), is_known);
    }
}

bool FunctionPlanner::can_compile(CalleeIndex callee, FunctionKind kind) const {
    const auto* data = std::get_if<FunctionData>(&program_.partition->model.callees[callee]);
    return data && !data->external && known_[callee.value] &&
           program_.functions[callee.value].steps.size() * parts_of(kind) <= most_function_steps;
}

std::vector<FunctionPlan> FunctionPlanner::missing(CalleeIndex callee, FunctionKind kind) {
    std::vector<FunctionPlan> plans;
    const auto plan = [&](CalleeIndex which, FunctionKind how) {
        if (!can_compile(which, how) || !planned_.emplace(which.value, how).second) return;
        FunctionPlan made;
        made.callee = which;
        made.kind = how;
        made.careful = careful_;
        made.code = &program_.functions[which.value];
        made.data = &std::get<FunctionData>(program_.partition->model.callees[which]);
        const auto remembered = [&](FunctionKind k) {
            return uses_.of[which.value].remembered[static_cast<std::size_t>(k)];
        };
        made.remembered = remembered(how);
        if (how == FunctionKind::Value && pairs_)
            made.with_derivative = remembered(FunctionKind::OneDirection);
        plans.push_back(std::move(made));
    };
    plan(callee, kind);
    for (std::size_t k = 0; k < plans.size(); ++k)
        for (std::size_t c = 0; c < plans[k].code->calls.size(); ++c) {
            const CalleeIndex called = plans[k].code->calls[c].callee;
            const auto* data = std::get_if<FunctionData>(&program_.partition->model.callees[called]);
            const FunctionKind how = uses_.of[called.value].varies ? plans[k].kind : FunctionKind::Value;
            plans[k].calls.push_back({can_compile(called, how), how, data ? data->outputs : 1});
            plan(called, how);
        }
    return plans;
}

}  // namespace cutset::native
