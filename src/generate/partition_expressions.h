// All expressions of a partition that may hold pre(), edge() or change(), but those of its switches.
#pragma once

#include <type_traits>
#include <variant>

#include "ir/partition.h"

namespace cutset {

template <class Look>
void for_each_expression(const Partition& p, Look look) {
    for (const auto* blocks : {&p.blocks, &p.initial_blocks, &p.jump_blocks})
        for (const Block& b : *blocks) {
            for (const SolvedEquation& s : b.inner) look(s.value);
            for (const ResidualEquation& r : b.residuals) look(r.residual);
        }
    for (const DiscreteAssignment& d : p.discrete) look(d.value);
    for (const WhenClause& w : p.model.whens) {
        look(w.condition);
        for (const WhenAction& action : w.actions)
            std::visit(
                [&](const auto& a) {
                    if (a.guard) look(a.guard);
                    if constexpr (!std::is_same_v<std::decay_t<decltype(a)>, WhenTerminate>) look(a.value);
                },
                action);
    }
    for (const Eliminated& e : p.eliminated) look(e.value);
    for (const Validity& v : p.model.validities) look(v.condition);
    for (const DelayLine& d : p.delays) {
        look(d.argument);
        look(d.duration);
    }
}

}  // namespace cutset
