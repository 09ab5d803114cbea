// Symbolic work on flat equations (report §4.5): rename, substitute, eliminate, solve for, differentiate,
// simplify under assumptions. Every step keeps the equations equivalent: what was divided by is recorded as a
// condition, what was eliminated is kept with its value, branches are listed and none is chosen silently.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "expr/assumptions.h"
#include "expr/solve_for.h"
#include "ir/class_tree.h"
#include "ir/flat_model.h"

namespace cutset {

class SymbolicSystem {
  public:
    struct Named {
        VariableIndex variable;
        std::uint32_t order = 0;
        Expr value = nullptr;
    };
    // A branch of an equation that was to be solved and has several, or one of a bare expression.
    struct Branch {
        Expr unknown = nullptr;
        Solution solution;
    };

    // An equation that was to be solved and holds for no real value of the unknown, or for every one.
    struct Verdict {
        Expr unknown = nullptr;
        bool every = false;
    };

    // The equations of a model.
    explicit SymbolicSystem(const FlatModel& model);
    // A bare expression or equation: its names are its variables.
    static std::optional<SymbolicSystem> of_expression(const tree::Expression& text,
                                                       Diagnostics& diagnostics);

    // Steps. False with the reason reported; the system is then as it was.
    bool rename(const std::string& from, const std::string& to, Diagnostics& diagnostics);
    bool substitute(const std::string& name, const tree::Expression& value, Diagnostics& diagnostics);
    bool eliminate(const std::string& name, Diagnostics& diagnostics);
    // One or several names, der(x) for derivatives; `v@3` by equation 3.
    bool solve(const std::vector<std::string>& names, Diagnostics& diagnostics);
    // A bare expression by a variable; else the equation of that number, or the one that gives a variable, by
    // time.
    bool differentiate(const std::string& what, Diagnostics& diagnostics);
    bool assume(const tree::Expression& condition, Diagnostics& diagnostics);
    void simplify();
    void expand();
    void factor();
    bool collect(const std::string& name, Diagnostics& diagnostics);

    const std::vector<Equation>& equations() const { return equations_; }
    Expr expression() const { return expression_; }  // of a bare expression, else null
    const std::vector<Expr>& conditions() const { return conditions_; }
    const std::vector<Expr>& assumptions() const { return assumptions_.list(); }
    const std::vector<Equation>& given() const { return given_; }            // by substitute
    const std::vector<Equation>& eliminated() const { return eliminated_; }  // v = value
    const std::vector<Branch>& branches() const { return branches_; }
    const std::vector<Verdict>& verdicts() const { return verdicts_; }
    Expr determinant() const { return determinant_; }  // of the last equations solved together, or null

    Pool& pool() const { return *pool_; }
    Printer printer() const;
    std::string name(VariableIndex v) const { return names_[v.value]; }
    std::size_t name_count() const { return names_.size(); }

  private:
    explicit SymbolicSystem(std::shared_ptr<Pool> pool) : pool_(std::move(pool)), assumptions_(*pool_) {}

    std::optional<VariableIndex> find(const std::string& name) const;
    Expr unknown(const std::string& text, Diagnostics& diagnostics) const;
    Expr read(const tree::Expression& e, bool declare, Diagnostics& diagnostics);
    void need(Expr condition);
    template <class Change>
    void for_all(Change change);
    std::optional<std::size_t> equation_for(Expr unknown, std::optional<std::size_t> chosen,
                                            Solutions& solutions);
    void keep_divisors(const std::vector<Expr>& divisors, const std::vector<Expr>& after);
    bool fulfil(Expr unknown, Solutions& solutions);
    bool solve_together(const std::vector<Expr>& unknowns, Diagnostics& diagnostics);

    std::shared_ptr<Pool> pool_;
    std::vector<std::string> names_, callees_;
    std::vector<bool> varies_;
    std::vector<Equation> equations_;
    Expr expression_ = nullptr;
    bool bare_ = false;
    std::vector<Equation> given_, eliminated_;
    std::vector<Expr> conditions_;
    std::vector<Branch> branches_;
    std::vector<Verdict> verdicts_;
    Expr determinant_ = nullptr;
    Assumptions assumptions_;
};

}  // namespace cutset
