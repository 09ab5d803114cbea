// What holds between passes.
#include <fmt/format.h>

#include <stdexcept>

#include "transform/pass.h"
#include "transform/rewrite.h"

namespace cutset::passes {

namespace {

void expect(bool condition, const std::string& what) {
    if (!condition) throw std::logic_error(what);
}

// Visits the Variable leaves of the live equations with the equation's number.
template <class Visit>
void for_each_live_leaf(const Analysis& a, Visit visit) {
    const auto& equations = a.partition.model.equations;
    for (EquationIndex i(0); i < equations.end_index(); ++i.value) {
        if (!a.live[i.value]) continue;
        for (Expr side : {equations[i].left, equations[i].right})
            for_each_leaf(side, [&](Expr leaf) {
                if (leaf->op == Op::Variable) visit(leaf, i);
            });
    }
}

}  // namespace

void verify(const Analysis& a) {
    const FlatModel& model = a.partition.model;
    verify(model);
    expect(a.written.size() == model.equations.size() && a.live.size() == model.equations.size(),
           "each equation is live or not, and is remembered as it was written");
    expect(a.gone.size() == model.variables.size() && a.differentiated.size() == model.variables.size() &&
               a.continuous_variable.size() == model.variables.size(),
           "of each variable it is known whether it is continuous, differentiated, eliminated");
    for (VariableIndex v(0); v < model.variables.end_index(); ++v.value)
        expect(a.continuous_variable[v.value] == (model.variables[v].variability == Variability::Continuous),
               fmt::format("it is known whether {} is continuous", model.path(v)));
}

void parameters_are_ordered(const Analysis& a) {
    const FlatModel& model = a.partition.model;
    std::vector<bool> done(model.variables.size());
    for (VariableIndex v : a.partition.parameters) {
        expect(!done[v.value], fmt::format("parameter {} is computed once", model.path(v)));
        if (const Expr binding = model.variables[v].binding)
            for_each_leaf(binding, [&](Expr leaf) {
                if (leaf->op == Op::Variable)
                    expect(done[leaf->index], fmt::format("parameter {} is computed after {}", model.path(v),
                                                          model.path(leaf->variable())));
            });
        done[v.value] = true;
    }
}

void order_is_one(const Analysis& a) {
    for_each_live_leaf(a, [&](Expr leaf, EquationIndex) {
        if (leaf->order <= 1) return;
        expect(false,
               fmt::format("{} has no derivative above the first", a.partition.model.path(leaf->variable())));
    });
}

void eliminated_are_gone(const Analysis& a) {
    for_each_live_leaf(a, [&](Expr leaf, EquationIndex i) {
        if (!a.gone[leaf->index]) return;
        expect(false,
               fmt::format("{} is eliminated, but stands in {}", a.partition.model.path(leaf->variable()),
                           a.partition.model.text(a.partition.model.equations[i])));
    });
}

void selections_have_states(const Analysis& a) {
    for (const StateSelection& s : a.partition.selections) {
        expect(s.candidates.size() == s.states.size() + s.constraints.size(),
               "as many candidates are chosen for states as constraints leave");
        expect(s.selectors.size() == s.states.size() && s.jacobian.size() == s.constraints.size(),
               "a choice of states has its selectors and its matrix");
    }
}

void matching_is_perfect(const Analysis& a) {
    const System& system = a.continuous;
    std::size_t live = 0;
    for (bool l : a.live) live += l;
    expect(system.matching.is_perfect() && system.rows.size() == live,
           "every live equation determines an unknown");
    expect(system.columns.size() == live, "every unknown is determined by an equation");
    for (VariableIndex x : a.partition.states)
        expect(a.differentiated[x.value],
               fmt::format("state {} is differentiated", a.partition.model.path(x)));
}

void blocks_compute_all(const Analysis& a) {
    std::size_t computed = 0;
    for (const Block& b : a.partition.blocks) computed += b.size();
    expect(computed == a.continuous.columns.size(), "the blocks compute every unknown");
}

}  // namespace cutset::passes
