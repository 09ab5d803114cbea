#include "native/function_plan.h"

#include <algorithm>

#include "native/expand_calls.h"
#include "native/statements.h"

namespace cutset::native {

namespace {

bool is_known(const FunctionCode::Step& step) {
    if (step.kind != FunctionCode::Step::Kind::Operation) return true;
    const Instruction& i = step.instruction;
    return has_code(i) && (i.code <= Code::Negate || i.code == Code::Unary || i.code == Code::Binary);
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
    find_bounds();
}

// Once around for each level of calls; what reaches itself has no bound.
void FunctionPlanner::find_bounds() {
    constexpr std::uint32_t most_steps = 1'000'000, most_depth = 50;
    bounds_.assign(program_.partition->model.callees.size(), std::nullopt);
    const auto straight = [&](const FunctionCode& code) {
        for (std::size_t k = 0; k < code.steps.size(); ++k) {
            const FunctionCode::Step& s = code.steps[k];
            using Kind = FunctionCode::Step::Kind;
            if (s.kind == Kind::LoadElement || s.kind == Kind::StoreElement || s.kind == Kind::Assert)
                return false;
            if ((s.kind == Kind::Jump || s.kind == Kind::JumpFalse) && s.instruction.to <= k) return false;
        }
        return true;
    };
    std::vector<bool> open(known_.size(), false);
    for (std::size_t c = 0; c < open.size(); ++c)
        open[c] = can_compile(CalleeIndex(c), FunctionKind::Second) && straight(program_.functions[c]);
    for (bool changed = true; changed;) {
        changed = false;
        for (std::size_t c = 0; c < open.size(); ++c) {
            if (!open[c]) continue;
            const FunctionCode& code = program_.functions[c];
            FunctionPlan::Bound bound{static_cast<std::uint32_t>(code.steps.size()), 1};
            bool all = true;
            for (const CallSite& site : code.calls) {
                const auto& called = bounds_[site.callee.value];
                all = all && called.has_value();
                if (!all) break;
                bound.steps = std::min(most_steps, bound.steps + called->steps);
                bound.depth = std::max(bound.depth, called->depth + 1);
            }
            if (!all) continue;
            open[c] = false;
            if (bound.steps < most_steps && bound.depth < most_depth) bounds_[c] = bound;
            changed = true;
        }
    }
}

bool FunctionPlanner::can_compile(CalleeIndex callee, FunctionKind kind) const {
    const auto* data = std::get_if<FunctionData>(&program_.partition->model.callees[callee]);
    if (data && data->impure) return false;
    if (data && data->derivative && kind != FunctionKind::Value)
        return false;  // the frame machine has the rule
    return data && !data->external && known_[callee.value] &&
           program_.functions[callee.value].steps.size() * parts_of(kind) <= most_function_steps;
}

std::vector<CallForm> FunctionPlanner::forms() const {
    std::vector<CallForm> forms = call_forms(program_, uses_);
    for (CallForm& form : forms)
        if (form.parts > 0 && !can_compile(CalleeIndex(form.code / function_kinds),
                                           static_cast<FunctionKind>(form.code % function_kinds)))
            form = {};
    return forms;
}

// Calls that are not remembered are replaced, as long as the code stays of moderate length.
void FunctionPlanner::expand(FunctionPlan& plan) const {
    if (!plan.bound || plan.code->calls.empty()) return;
    const std::size_t parts = parts_of(plan.kind);
    std::size_t steps = plan.code->steps.size();
    const auto inside = [&](const CallSite& site) {
        const FunctionUse& use = uses_.of[site.callee.value];
        const std::size_t longer = program_.functions[site.callee.value].steps.size() + site.arguments.size();
        if (use.remembered[static_cast<std::size_t>(plan.kind)].any ||
            (!use.varies && plan.kind != FunctionKind::Value) ||
            (steps + longer) * parts * parts > most_expanded_steps)
            return false;
        steps += longer;
        return true;
    };
    plan.expanded = std::make_shared<const FunctionCode>(expand_calls(program_, plan.callee, inside));
    plan.code = plan.expanded.get();
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
        made.bound = bounds_[which.value];
        const auto remembered = [&](FunctionKind k) {
            return uses_.of[which.value].remembered[static_cast<std::size_t>(k)];
        };
        made.remembered = remembered(how);
        if (how == FunctionKind::Value && pairs_)
            made.with_derivative = remembered(FunctionKind::OneDirection);
        if (careful_) expand(made);
        plans.push_back(std::move(made));
    };
    plan(callee, kind);
    for (std::size_t k = 0; k < plans.size(); ++k)
        for (std::size_t c = 0; c < plans[k].code->calls.size(); ++c) {
            const CalleeIndex called = plans[k].code->calls[c].callee;
            const auto* data = std::get_if<FunctionData>(&program_.partition->model.callees[called]);
            const FunctionKind how = uses_.of[called.value].varies ? plans[k].kind : FunctionKind::Value;
            plans[k].calls.push_back(
                {can_compile(called, how), how, data ? data->outputs : 1, bounds_[called.value]});
            plan(called, how);
        }
    return plans;
}

}  // namespace cutset::native
