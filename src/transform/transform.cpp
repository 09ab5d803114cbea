#include "transform/transform.h"

#include <chrono>

#include "transform/analysis.h"
#include "transform/check_causality.h"
#include "transform/choose_torn.h"
#include "transform/collect_events.h"
#include "transform/eliminate_exactly.h"
#include "transform/fix_conditions.h"
#include "transform/jump_conditions.h"
#include "transform/lower_events.h"
#include "transform/lower_order.h"
#include "transform/match_equations.h"
#include "transform/order_parameters.h"
#include "transform/partition_initial.h"
#include "transform/reduce_index.h"
#include "transform/remove_zero_terms.h"
#include "transform/sort_blocks.h"

namespace cutset {
namespace {

void sort_continuous(passes::Analysis& a, Diagnostics& diagnostics) {
    a.partition.blocks = passes::sort_blocks(a, a.continuous, false, a.partition.loops, diagnostics);
}

struct Pass {
    const char* name;
    void (*run)(passes::Analysis&, Diagnostics&);
};

// The order of the passes. Each header says what its pass takes and what holds afterwards.
constexpr Pass all_passes[] = {
    {"order parameters", passes::order_parameters},
    {"remove zero terms", passes::remove_zero_terms},
    {"lower order", passes::lower_order},
    {"lower events", passes::lower_events},
    {"remember starts", passes::remember_starts},
    {"eliminate exactly", passes::eliminate_exactly},
    {"reduce index", passes::reduce_index},
    {"match equations", passes::match_equations},
    {"check causality", passes::check_causality},
    {"choose torn", passes::choose_torn},
    {"sort blocks", sort_continuous},
    {"partition initial", passes::partition_initial},
    {"check torn", passes::check_torn},
    {"collect events", passes::collect_events},
};

}  // namespace

std::optional<Partition> transform(FlatModel model, const TransformOptions& options,
                                   Diagnostics& diagnostics) {
    using Clock = std::chrono::steady_clock;
    const std::size_t errors_before = diagnostics.error_count();
    std::shared_ptr<const FlatModel> source;
    if (options.keep_source && !switched_conditions(model).empty())
        source = std::make_shared<const FlatModel>(model);
    passes::Analysis analysis = passes::begin(std::move(model), options);
    analysis.partition.source = std::move(source);
    for (const Pass& pass : all_passes) {
        const auto start = Clock::now();
        pass.run(analysis, diagnostics);
        if (options.observe)
            options.observe(pass.name, std::chrono::duration<double>(Clock::now() - start).count());
        if (diagnostics.error_count() > errors_before) return std::nullopt;
    }
    return std::move(analysis.partition);
}

}  // namespace cutset
