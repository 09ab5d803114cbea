#include "run/range_watch.h"

#include <unordered_set>

#include "run/run_messages.h"

namespace cutset {

void RangeWatch::reset() {
    now_.state.invalid.assign(now_.model.validities.size(), false);
    now_.state.tables_left.assign(now_.model.callees.size(), false);
}

void RangeWatch::check_validity() {
    for (std::size_t i = 0; i < now_.model.validities.size(); ++i) {
        const bool holds = now_.values[now_.layout.validity[i]] != 0;
        if (!holds && !now_.state.invalid[i]) {
            now_.report(run_messages::left_validity(now_.model, now_.model.validities[i], now_.time(),
                                                    now_.options.strict));
            if (now_.options.strict || now_.model.validities[i].level == AssertionLevel::Error)
                now_.stop = true;
        }
        now_.state.invalid[i] = !holds;
    }
}

void RangeWatch::check_tables(Interpreter& values) {
    for (CalleeIndex c : values.take_tables_left()) {
        if (now_.state.tables_left[c.value]) continue;
        now_.state.tables_left[c.value] = true;
        // One without a name counts the code blocks of another.
        if (const auto* table = std::get_if<TableData>(&now_.model.callees[c]); table && !table->name.empty())
            now_.report(run_messages::table_left(*table, now_.time()));
    }
}

bool RangeWatch::needs_steps(const Partition& partition) {
    std::unordered_set<Expr> switches;  // looked up only
    for (const Switch& s : partition.switches) switches.insert(s.node);
    std::vector<Expr> open;
    for (const Validity& v : partition.model.validities) open.push_back(v.condition);
    while (!open.empty()) {
        const Expr e = open.back();
        open.pop_back();
        if (switches.contains(e)) continue;
        if (e->op != Op::And && e->op != Op::Or && e->op != Op::Not) return true;
        for (std::size_t k = 0; k < e->argument_count; ++k) open.push_back(e->arg(k));
    }
    return false;
}

}  // namespace cutset
