#include "transform/reanalyse.h"

#include <algorithm>
#include <memory>

#include "ir/exact_sum.h"
#include "transform/analysis.h"
#include "transform/combine_dependent.h"
#include "transform/eliminate_exactly.h"
#include "transform/remove_zero_terms.h"
#include "transform/sort_blocks.h"

namespace cutset {
namespace passes {
namespace {

class Reanalysis {
  public:
    Reanalysis(Analysis& a, const FlatModel& now, const FlatIdentity& identity)
        : a_(a), now_(now), identity_(identity) {}

    bool run(const std::vector<EquationIndex>& changed) {
        find_eliminated();
        if (!is_ordinary() || states_are_united()) return false;
        std::vector<Equation> given;
        for (EquationIndex e : changed) given.push_back(copied(e));
        if (!have_no_zero_terms(a_, given)) return false;
        for (std::size_t i = 0; i < changed.size(); ++i)
            if (!replace(changed[i], given[i])) return false;
        if (!sort_again(changed)) return false;
        renew_source(changed, given);
        return true;
    }

  private:
    Partition& partition() { return a_.partition; }

    // Nothing has been decided that any equation may have had a part in, beside matching and sorting.
    bool is_ordinary() {
        const Partition& p = partition();
        if (!p.starts_first || !p.selections.empty() || !p.differentiated.empty() || !p.dependent.empty() ||
            !p.jump_causes.empty() || !p.actual_parts.empty() || !a_.options.tear.empty())
            return false;
        const auto is_inlined = [](const Callee& callee) {
            const auto* function = std::get_if<FunctionData>(&callee);
            return function && function->inlined;
        };
        if (std::any_of(p.model.callees.begin(), p.model.callees.end(), is_inlined)) return false;
        // Parameters that a pass found to shape the model.
        const auto shapes = [](const Variable& v) {
            return v.structural && v.variability == Variability::Parameter;
        };
        if (std::size_t(std::count_if(now_.variables.begin(), now_.variables.end(), shapes)) !=
            p.structural_parameters.size())
            return false;
        // What sign(e) may be told of the speed of e depends on how blocks compute what stands in e.
        if (std::any_of(p.switches.begin(), p.switches.end(),
                        [](const Switch& s) { return s.node->op == Op::Sign && !s.kink && !s.instant; }))
            return false;
        // A variable that vanishes from the equations is reported unless one had it as it was written.
        return std::none_of(p.eliminated.begin(), p.eliminated.end(),
                            [](const Eliminated& e) { return e.unused; });
    }

    void find_eliminated() {
        value_of_.assign(a_.model().variables.size(), nullptr);
        for (const Eliminated& e : partition().eliminated) value_of_[e.variable.value] = e.value;
    }
    // Differentiated variables were eliminated.
    bool states_are_united() const {
        return std::any_of(identity_.leaves.begin(), identity_.leaves.end(), [&](const Unaged& leaf) {
            return leaf.op == Op::Variable && leaf.order > 0 && value_of_[leaf.index];
        });
    }

    Equation copied(EquationIndex e) {
        Equation result = a_.model().equations[e];
        result.left = a_.pool().copy(now_.equations[e].left);
        result.right = a_.pool().copy(now_.equations[e].right);
        return result;
    }

    // Puts the equation, without eliminated variables, where the other one was.
    bool replace(EquationIndex index, Equation e) {
        Equation& before = a_.model().equations[index];
        std::vector<Expr> derivatives;
        Substitution substitution(a_.pool());
        for (Expr leaf : a_.leaves({e.left, e.right})) {
            if (leaf->order > 0) derivatives.push_back(leaf);
            if (const Expr value = value_of_[leaf->index]) substitution.replace(leaf, value);
        }
        if (!substitution.empty()) {
            e.left = substitution(e.left);
            e.right = substitution(e.right);
        }
        if (e.left == e.right || may_unite_rates(e)) return false;
        if (may_change_at_events_only(before) || may_change_at_events_only(e)) return false;
        if (is_exact(a_.model(), e) && is_between_states(e)) return false;
        const std::vector<Expr> unknowns = unknowns_of(e);
        if (unknowns.empty() || unknowns != unknowns_of(before)) return false;
        // A derivative that is written and cancels makes no state.
        for (Expr leaf : derivatives)
            if (std::find(unknowns.begin(), unknowns.end(), leaf) == unknowns.end()) return false;
        before.left = e.left;
        before.right = e.right;
        return true;
    }
    // Then it decides which relations are switches (collect_events.cpp).
    bool may_change_at_events_only(const Equation& e) {
        constexpr std::size_t most = 1000;  // equations looked at
        if (partition().switches.empty() && a_.model().whens.empty()) return false;
        if (defined_by_.empty()) {
            defined_by_.assign(a_.model().variables.size(), nullptr);
            for (const Block& block : partition().blocks)
                if (block.torn.empty())
                    for (const SolvedEquation& s : block.inner)
                        if (s.unknown.order == 0) defined_by_[s.unknown.variable.value] = s.value;
        }
        std::vector<Expr> open{e.left, e.right};
        std::vector<bool> seen(defined_by_.size());
        bool constant = true;
        for (std::size_t looked = 0; !open.empty() && constant && looked < most; ++looked) {
            const Expr next = open.back();
            open.pop_back();
            for_each_leaf(next, [&](Expr leaf) {
                constant = constant && leaf->op != Op::Time;
                if (leaf->op != Op::Variable || a_.variation_of(leaf) != Variation::Varying) return;
                if (seen[leaf->index]) return;
                seen[leaf->index] = true;
                const Expr value = leaf->order == 0 ? defined_by_[leaf->index] : nullptr;
                constant = constant && value;
                if (value) open.push_back(value);
            });
        }
        return constant;
    }

    bool is_between_states(const Equation& e) {
        const auto leaves = a_.leaves({e.left, e.right});
        return std::all_of(leaves.begin(), leaves.end(),
                           [&](Expr leaf) { return bool(a_.differentiated[leaf->index]); });
    }
    std::vector<Expr> unknowns_of(const Equation& e) {
        std::vector<Expr> found;
        for (Expr leaf : a_.leaves({make_row(a_, e, EquationIndex(0), false).residual}))
            if (a_.is_unknown(leaf->variable()) && leaf->order == (a_.differentiated[leaf->index] ? 1u : 0u))
                found.push_back(leaf);
        return found;
    }

    void renew_source(const std::vector<EquationIndex>& changed, const std::vector<Equation>& given) {
        if (!partition().source) return;
        auto source = std::make_shared<FlatModel>(*partition().source);
        for (std::size_t i = 0; i < changed.size(); ++i) source->equations[changed[i]] = given[i];
        partition().source = std::move(source);
    }

    bool sort_again(const std::vector<EquationIndex>& changed) {
        constexpr std::uint32_t none = 0xFFFFFFFFu;
        std::vector<std::uint32_t> block_of(a_.model().equations.size(), none);
        for (std::uint32_t b = 0; b < partition().blocks.size(); ++b)
            for (EquationIndex e : equations_of(partition().blocks[b])) block_of[e.value] = b;
        std::vector<std::uint32_t> touched;
        for (EquationIndex e : changed) touched.push_back(block_of[e.value]);
        std::sort(touched.begin(), touched.end());
        touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
        return touched.back() != none &&
               std::all_of(touched.begin(), touched.end(), [&](std::uint32_t b) { return sort_block(b); });
    }
    static std::vector<EquationIndex> equations_of(const Block& block) {
        std::vector<EquationIndex> found;
        for (const SolvedEquation& s : block.inner) found.push_back(s.equation);
        for (const ResidualEquation& r : block.residuals) found.push_back(r.equation);
        std::sort(found.begin(), found.end());
        return found;
    }

    bool sort_block(std::uint32_t number) {
        const Block& before = partition().blocks[number];
        std::vector<Unknown> unknowns = before.torn;
        for (const SolvedEquation& s : before.inner) unknowns.push_back(s.unknown);
        std::sort(unknowns.begin(), unknowns.end());
        System system;
        Columns columns(a_.model().variables.size());
        for (Unknown u : unknowns) add_column(system, columns, a_.pool().variable(u.variable, u.order));
        for (EquationIndex e : equations_of(before))
            system.rows.push_back(make_row(a_, a_.model().equations[e], e, false));
        system.incidence = incidence(a_, system, columns);
        system.matching = graph::maximum_matching(system.incidence);
        if (!system.matching.is_perfect() || !find_combinations(a_, system).empty()) return false;
        std::vector<LoopReport> reports;
        Diagnostics diagnostics;
        std::vector<Block> blocks = sort_blocks(a_, system, false, reports, diagnostics);
        if (blocks.size() != 1 || !diagnostics.all().empty()) return false;
        report(number, before.loop_size > 0, reports);
        partition().initial_blocks[partition().states.size() + number] = blocks[0];
        partition().blocks[number] = std::move(blocks[0]);
        return true;
    }
    // The reports of loops stand in the order of their blocks.
    void report(std::uint32_t number, bool was_loop, const std::vector<LoopReport>& reports) {
        const auto& blocks = partition().blocks;
        auto& loops = partition().loops;
        const auto at = loops.begin() + std::count_if(blocks.begin(), blocks.begin() + number,
                                                      [](const Block& b) { return b.loop_size > 0; });
        const auto after = was_loop ? loops.erase(at) : at;
        loops.insert(after, reports.begin(), reports.end());
    }

    Analysis& a_;
    const FlatModel& now_;
    const FlatIdentity& identity_;
    std::vector<Expr> defined_by_;  // by variable: what an explicit equation makes it
    std::vector<Expr> value_of_;    // by variable: of those that were eliminated
};

}  // namespace
}  // namespace passes

std::optional<Partition> reanalyse(Partition partition, const FlatModel& now, const FlatIdentity& identity,
                                   const std::vector<EquationIndex>& changed,
                                   const TransformOptions& options) {
    passes::Analysis a(std::move(partition), options);
    if (!passes::Reanalysis(a, now, identity).run(changed)) return std::nullopt;
    return std::move(a).finish();
}

}  // namespace cutset
