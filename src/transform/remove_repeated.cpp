#include "transform/remove_repeated.h"

#include <algorithm>
#include <set>

#include "expr/simplify.h"
#include "graph/dulmage_mendelsohn.h"
#include "transform/exact_coefficient.h"
#include "transform/messages.h"

namespace cutset::passes {
namespace {

constexpr std::size_t most_compared = 3000;        // equations
constexpr std::size_t most_comparisons = 200'000;  // terms that are added to others

class RepeatedEquations {
  public:
    RepeatedEquations(Analysis& a, Diagnostics& diagnostics)
        : a_(a), diagnostics_(diagnostics), exact_(a, true) {}

    // False when there is no room for more.
    bool add(const Row& row) {
        if (!row.residual) return true;
        Known known;
        known.terms = exact_sum(a_, exact_, expand(a_.pool(), row.residual));
        known.of.insert(row.equation.value);
        const ExactSum given = known.terms;
        for (const Known& k : known_) {
            const auto at = known.terms.find(k.pivot);
            if (at == known.terms.end()) continue;
            const Coefficient factor = exact_.quotient(at->second.second, k.terms.at(k.pivot).second);
            add_multiple(exact_, known.terms, exact_.negative(factor), k.terms);
            known.terms.erase(k.pivot);
            known.of.insert(k.of.begin(), k.of.end());
            work_ += k.terms.size();
        }
        const auto pivot = std::find_if(known.terms.begin(), known.terms.end(), [&](const auto& t) {
            return t.second.second.value && has_unknown(t.second.first);
        });
        if (pivot != known.terms.end()) {
            known.pivot = pivot->first;
            known_.push_back(std::move(known));
        } else if (std::any_of(known.terms.begin(), known.terms.end(),
                               [&](const auto& t) { return has_unknown(t.second.first); })) {
            return true;
        } else {
            if (known.of.size() == 1) add_eliminated(row.equation, known.of);
            if (known.of.size() > 1) report(row.equation, given, known);
        }
        return work_ < most_comparisons;
    }
    bool removed() const { return removed_; }

  private:
    struct Known {
        ExactSum terms;
        std::set<std::uint32_t> of;  // equations that it is combined from
        std::uint32_t pivot = 0;     // id of the term that others lose by it
    };

    bool has_unknown(Expr e) {
        const auto leaves = a_.leaves({e});
        return std::any_of(leaves.begin(), leaves.end(),
                           [&](Expr leaf) { return a_.is_unknown(leaf->variable()); });
    }
    // The equations that variables of this one were eliminated by.
    void add_eliminated(EquationIndex e, std::set<std::uint32_t>& all) {
        std::set<std::uint32_t> gone;
        for (Expr leaf : a_.leaves({a_.written[e.value].left, a_.written[e.value].right}))
            if (a_.gone[leaf->index]) gone.insert(leaf->index);
        for (std::uint32_t i = 0; i < a_.written.size() && !gone.empty(); ++i) {
            if (a_.live[i] || !a_.written[i].left) continue;
            for (Expr leaf : a_.leaves({a_.written[i].left, a_.written[i].right}))
                if (gone.count(leaf->index)) all.insert(i);
        }
    }
    void report(EquationIndex e, const ExactSum& given, const Known& known) {
        std::vector<EquationIndex> all;
        for (std::uint32_t i : known.of) all.emplace_back(i);
        a_.live[e.value] = false;
        for (const auto& [id, term] : given)
            if (a_.variation_of(term.second.formula) <= Variation::Parametric)
                a_.make_structural(term.second.formula);
        if (!known.terms.empty()) {
            diagnostics_.report(contradictory_equations(a_, e, all));
            return;
        }
        removed_ = true;
        a_.partition.dependent_removed.push_back(e);
        std::erase(all, e);
        a_.dependencies.push_back({e, std::move(all)});
    }

    Analysis& a_;
    Diagnostics& diagnostics_;
    ExactArithmetic exact_;
    std::vector<Known> known_;
    bool removed_ = false;
    std::size_t work_ = 0;
};

}  // namespace

bool remove_repeated(Analysis& a, const System& system, Diagnostics& diagnostics) {
    const auto parts = graph::dulmage_mendelsohn(system.incidence, system.matching);
    RepeatedEquations equations(a, diagnostics);
    std::size_t compared = 0;
    for (std::uint32_t r = 0; r < system.rows.size() && compared < most_compared; ++r) {
        if (parts.part_of_equation[r] != graph::Part::Over) continue;
        ++compared;
        if (!equations.add(system.rows[r])) break;
    }
    return equations.removed() && !diagnostics.has_errors();
}

}  // namespace cutset::passes
