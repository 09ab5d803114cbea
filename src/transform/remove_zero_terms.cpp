#include "transform/remove_zero_terms.h"

#include <algorithm>

#include "transform/messages.h"

namespace cutset::passes {
namespace {

class ZeroTerms {
  public:
    ZeroTerms(Analysis& a, Diagnostics& diagnostics) : a_(a), diagnostics_(diagnostics) {}

    void equation(Equation& e) {
        Expr divisor = zero_divisor(e.left);
        if (!divisor) divisor = zero_divisor(e.right);
        if (divisor) {
            diagnostics_.report(division_by_zero(a_, divisor, e));
            return;
        }
        std::vector<Expr> zeros;
        std::size_t unknowns = 0;
        for (Expr leaf : a_.leaves({e.left, e.right})) {
            if (a_.values.is_zero(leaf))
                zeros.push_back(leaf);
            else
                unknowns += continuous(leaf);
        }
        if (zeros.empty() || unknowns == 0) return;
        Equation without = replaced(e, zeros);
        const std::size_t left_over = count_unknowns(without);
        if (left_over == unknowns) return;
        // Only those parameters that are needed for the loss shape the model.
        for (std::size_t i = zeros.size(); zeros.size() > 1 && i-- > 0;) {
            std::vector<Expr> fewer = zeros;
            fewer.erase(fewer.begin() + std::ptrdiff_t(i));
            const Equation tried = replaced(e, fewer);
            if (count_unknowns(tried) != left_over) continue;
            zeros = std::move(fewer);
            without = tried;
        }
        for (Expr parameter : zeros) a_.make_structural(parameter);
        e = without;
    }

    // The base of a power with negative exponent that is 0 for this run.
    Expr zero_divisor(Expr root) {
        std::vector<Expr> stack{root};
        while (!stack.empty()) {
            const Expr e = stack.back();
            stack.pop_back();
            if (e->argument_count == 0) continue;
            if (e->id >= checked_.size()) checked_.resize(std::max<std::size_t>(e->id + 1, a_.pool().size()));
            if (checked_[e->id]) continue;
            checked_[e->id] = true;
            if (e->op == Op::Power && e->arg(1)->is_number() && e->arg(1)->number < 0 &&
                a_.variation_of(e->arg(0)) <= Variation::Parametric &&
                a_.values.ask(e->arg(0), ParameterValues::Asked::Zero) == 0.0)
                return e->arg(0);
            if (e->op == Op::If) {
                // A branch counts only when its condition cannot change.
                for (std::size_t i = 0;; i += 2) {
                    if (i + 1 == e->argument_count) {
                        stack.push_back(e->arg(i));
                        break;
                    }
                    stack.push_back(e->arg(i));
                    const auto condition = a_.values.ask(e->arg(i), ParameterValues::Asked::Zero);
                    if (!condition) break;
                    if (*condition != 0) {
                        stack.push_back(e->arg(i + 1));
                        break;
                    }
                }
                continue;
            }
            for (Expr argument : e->args()) stack.push_back(argument);
        }
        return nullptr;
    }

  private:
    bool continuous(Expr leaf) const { return a_.continuous_variable[leaf->index]; }
    std::size_t count_unknowns(const Equation& e) {
        std::size_t n = 0;
        for (Expr leaf : a_.leaves({e.left, e.right})) n += continuous(leaf);
        return n;
    }
    Equation replaced(const Equation& e, const std::vector<Expr>& zeros) {
        Substitution substitution(a_.pool());
        for (Expr parameter : zeros) substitution.replace(parameter, a_.pool().number(0));
        Equation result = e;
        result.left = substitution(e.left);
        result.right = substitution(e.right);
        return result;
    }

    Analysis& a_;
    Diagnostics& diagnostics_;
    std::vector<bool> checked_;  // by node id
};

}  // namespace

void remove_zero_terms(Analysis& a, Diagnostics& diagnostics) {
    ZeroTerms pass(a, diagnostics);
    for (VariableIndex v : a.partition.parameters) {
        const Variable& p = a.model().variables[v];
        if (!p.binding) continue;
        if (Expr divisor = pass.zero_divisor(p.binding))
            diagnostics.report(division_by_zero(a, divisor, {a.pool().variable(v), p.binding, p.origin}));
    }
    for (Equation& e : a.model().equations) pass.equation(e);
    for (Equation& e : a.model().initial_equations) pass.equation(e);
}

bool have_no_zero_terms(Analysis& a, std::vector<Equation> equations) {
    Diagnostics diagnostics;
    ZeroTerms pass(a, diagnostics);
    for (Equation& e : equations) {
        const Equation given = e;
        pass.equation(e);
        if (e.left != given.left || e.right != given.right) return false;
    }
    return diagnostics.all().empty();
}

}  // namespace cutset::passes
