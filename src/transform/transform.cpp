#include "transform/transform.h"

#include <algorithm>
#include <chrono>

#include "transform/check_causality.h"
#include "transform/choose_torn.h"
#include "transform/collect_events.h"
#include "transform/eliminate_exactly.h"
#include "transform/fix_conditions.h"
#include "transform/inline_functions.h"
#include "transform/jump_conditions.h"
#include "transform/lower_clocks.h"
#include "transform/lower_events.h"
#include "transform/lower_order.h"
#include "transform/match_equations.h"
#include "transform/messages.h"
#include "transform/order_parameters.h"
#include "transform/partition_initial.h"
#include "transform/pass.h"
#include "transform/promote_states.h"
#include "transform/reduce_index.h"
#include "transform/remove_zero_terms.h"
#include "transform/sort_blocks.h"
#include "transform/sort_discrete.h"
#include "transform/sort_whens.h"

namespace cutset {

namespace passes {
namespace {

using enum Part;

// The order of the passes. Each header says what its pass takes and what holds afterwards.
constexpr Pass list_of_passes[] = {
    {.name = "order_parameters",
     .reads = {Variables},
     .changes = {ParameterOrder},
     .run = order_parameters,
     .holds = parameters_are_ordered},
    {.name = "remove_zero_terms",
     .reads = {Variables, Equations, InitialEquations, ParameterOrder},
     .changes = {Equations, InitialEquations, Structural},
     .run = remove_zero_terms,
     .left_out = LeftOut::OnRequest},
    {.name = "promote_states",
     .reads = {Variables, Equations},
     .changes = {Variables, Equations, Differentiated, Eliminated},
     .run = promote_states,
     .left_out = LeftOut::OnRequest},
    {.name = "lower_order",
     .reads = {Variables, Equations, InitialEquations, Conditions},
     .changes = {Variables, Equations, InitialEquations, Conditions, Differentiated, Eliminated},
     .run = lower_order,
     .holds = order_is_one},
    {.name = "lower_events",
     .reads = {Variables, Equations, InitialEquations, Conditions},
     .changes = {Equations, InitialEquations, Conditions, Structural},
     .run = lower_events},
    {.name = "remember_starts",
     .reads = {Variables, Equations, Conditions, Differentiated},
     .changes = {BeforeElimination},
     .run = remember_starts},
    {.name = "eliminate_exactly",
     .reads = {Variables, Equations, InitialEquations, Conditions, Differentiated},
     .changes = {Variables, Equations, InitialEquations, Conditions, Differentiated, BeforeElimination,
                 Eliminated, Structural},
     .run = eliminate_exactly,
     .holds = eliminated_are_gone,
     .left_out = LeftOut::OnRequest},
    {.name = "reduce_index",
     .reads = {Variables, Equations, InitialEquations, Conditions, Differentiated, BeforeElimination},
     .changes = {Variables, Equations, InitialEquations, Conditions, Differentiated, BeforeElimination,
                 Eliminated, IndexReduction, Matching, Structural},
     .run = reduce_index,
     .holds = selections_have_states,
     .left_out = LeftOut::OnRequest},
    {.name = "inline_functions",
     .reads = {Variables, Equations},
     .changes = {Variables, Equations, Differentiated, Eliminated, Matching},
     .run = inline_functions,
     .left_out = LeftOut::OnRequest},
    {.name = "match_equations",
     .reads = {Variables, Equations, InitialEquations, Conditions, Differentiated, Eliminated, Matching},
     .changes = {Variables, Eliminated, Differentiated, IndexReduction, Matching},
     .run = match_equations,
     .holds = matching_is_perfect},
    {.name = "check_causality",
     .reads = {Variables, Equations, Matching},
     .changes = {},
     .run = check_causality,
     .left_out = LeftOut::OnRequest},
    {.name = "choose_torn",
     .reads = {Variables, Eliminated},
     .changes = {TearingWishes},
     .run = choose_torn,
     .left_out = LeftOut::OnRequest},
    {.name = "sort_blocks",
     .reads = {Variables, Equations, Matching, TearingWishes},
     .changes = {Blocks, TearingWishes, Structural},
     .run = sort_continuous,
     .holds = blocks_compute_all},
    {.name = "partition_initial",
     .reads = {Variables, Equations, InitialEquations, Conditions, BeforeElimination, Eliminated,
               IndexReduction, Matching, Blocks},
     .changes = {Variables, InitialEquations, Eliminated, Differentiated, TearingWishes, Blocks,
                 InitialBlocks, Structural},
     .run = partition_initial},
    {.name = "check_torn",
     .reads = {TearingWishes},
     .changes = {},
     .run = check_torn,
     .left_out = LeftOut::OnRequest},
    {.name = "sort_whens",
     .reads = {Conditions},
     .changes = {Conditions},
     .run = sort_whens,
     .left_out = LeftOut::OnRequest},
    {.name = "sort_discrete", .reads = {Variables, Conditions}, .changes = {Events}, .run = sort_discrete},
    {.name = "collect_events",
     .reads = {Variables, Equations, InitialEquations, Conditions, Blocks},
     .changes = {Events},
     .run = collect_events},
};

// Everything that happens around a pass: leaving it out, timing it, showing what it made, verifying.
class PassRunner {
  public:
    PassRunner(Analysis& a, const TransformOptions& options, Diagnostics& diagnostics)
        : a_(a), options_(options), diagnostics_(diagnostics), errors_(diagnostics.error_count()) {}

    // False once a pass has reported errors.
    bool run() {
        for (const Pass& pass : list_of_passes)
            if (!is_left_out(pass) && !run(pass)) return false;
        return true;
    }

  private:
    using Clock = std::chrono::steady_clock;

    bool is_left_out(const Pass& pass) const {
        return pass.left_out == LeftOut::OnRequest &&
               std::find(options_.without.begin(), options_.without.end(), pass.name) !=
                   options_.without.end();
    }
    bool run(const Pass& pass) {
        const PartPrints before = options_.verify ? fingerprints(a_) : PartPrints();
        const auto start = Clock::now();
        pass.run(a_, diagnostics_);
        const std::chrono::duration<double> time = Clock::now() - start;
        if (options_.observe)
            options_.observe({pass.name, time.count(), [&] { return print(a_, pass.name); }});
        if (diagnostics_.error_count() > errors_) return false;
        if (options_.verify) verify_after(pass, before);
        return true;
    }
    void verify_after(const Pass& pass, const PartPrints& before) {
        verify_contract(pass, before, fingerprints(a_));
        verify(a_);
        if (pass.holds) promises_.push_back(&pass);
        for (const Pass* earlier : promises_) earlier->holds(a_);
    }

    Analysis& a_;
    const TransformOptions& options_;
    Diagnostics& diagnostics_;
    const std::size_t errors_;           // before the first pass
    std::vector<const Pass*> promises_;  // that hold by now
};

}  // namespace

std::span<const Pass> all_passes() {
    return list_of_passes;
}

}  // namespace passes

std::vector<PassInfo> pass_list() {
    std::vector<PassInfo> list;
    for (const passes::Pass& pass : passes::list_of_passes)
        list.push_back({pass.name, pass.left_out == passes::LeftOut::OnRequest});
    return list;
}

namespace {

std::optional<Partition> sort(FlatModel model, const TransformOptions& options, Diagnostics& diagnostics) {
    if (options.observe) options.observe({"flat", 0, [&] { return print(model); }});
    if (options.verify) verify(model);
    std::shared_ptr<const FlatModel> source;
    if (options.keep_source && !switched_conditions(model).empty())
        source = std::make_shared<const FlatModel>(model);
    passes::Analysis analysis(std::move(model), options);
    analysis.partition.source = std::move(source);
    if (!passes::PassRunner(analysis, options, diagnostics).run()) return std::nullopt;
    Partition sorted = std::move(analysis).finish();
    if (options.verify) verify(sorted);
    if (options.observe) options.observe({"partition", 0, [&] { return print_with_events(sorted); }});
    return sorted;
}

}  // namespace

std::optional<Partition> transform(FlatModel model, const TransformOptions& options,
                                   Diagnostics& diagnostics) {
    const std::size_t errors = diagnostics.error_count();
    lower_clocks(model, diagnostics);
    if (diagnostics.error_count() > errors) return std::nullopt;
    const std::vector<VariableIndex> promoted = passes::promoted_states(model);
    if (promoted.empty()) return sort(std::move(model), options, diagnostics);
    // A wish that cannot be had is no error: what stands in its way need not have a derivative.
    Diagnostics with_wishes;
    if (auto sorted = sort(model, options, with_wishes)) {
        diagnostics.add(with_wishes);
        return sorted;
    }
    for (VariableIndex v : promoted) model.variables[v].state_select = StateSelect::Default;
    Diagnostics without;
    auto sorted = sort(model, options, without);
    if (sorted)
        for (VariableIndex v : promoted)
            diagnostics.report(passes::wish_not_possible(model, v, with_wishes.all()));
    diagnostics.add(without);
    return sorted;
}

std::string_view word_of(std::optional<InitialMode> mode) {
    constexpr std::string_view words[] = {"given", "steady", "jump"};
    return mode ? words[static_cast<std::size_t>(*mode)] : "";
}

std::optional<InitialMode> initial_mode(std::string_view word) {
    for (const InitialMode mode : {InitialMode::Given, InitialMode::Steady, InitialMode::Jump})
        if (word == word_of(mode)) return mode;
    return std::nullopt;
}

}  // namespace cutset
