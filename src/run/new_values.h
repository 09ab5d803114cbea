// The values that the clauses acting in one iteration give to discrete variables: z with
//
//     z = W(z, y(z), pre)     assignments new(d) = e
//     0 = R(z, y(z), pre)     equations in new values
//
// where y(z) solves the continuous equations. Values that depend on each other without going in circles are
// found by substitution; the rest by Newton's method with difference quotients. Several clauses may give one
// variable its value: they must give the same.
#pragma once

#include <optional>
#include <vector>

#include "run/settling.h"

namespace cutset {

// The variable that an action sets; nothing for `terminate`.
std::optional<VariableIndex> target_of(const WhenAction& action);

class NewValues {
  public:
    NewValues(Instant& now, Settling& settling) : now_(now), settling_(settling) {}

    // Afterwards the variables have their values, and those of all other actions of the clauses are computed.
    bool solve(const std::vector<std::size_t>& clauses);
    // Whether an action of such a clause counts: it stands in no `if` that does not hold.
    bool counts(std::size_t when, std::size_t action) const {
        const Slot guard = now_.layout.when_guards[when][action];
        return guard == 0 || now_.values[guard] != 0;
    }
    // Equal but for rounding.
    static bool same(double a, double b);

  private:
    struct Setter {
        std::size_t when, action;
        bool implicit;
        Span where;
    };
    struct Target {
        VariableIndex variable;
        Slot slot;
        std::vector<Setter> setters;  // that may count
    };
    void list_targets(const std::vector<std::size_t>& clauses);
    bool compute(const std::vector<std::size_t>& clauses);
    const Setter* setter(const Target& target) const;
    double wanted(const Target& target) const;
    bool substitute(const std::vector<std::size_t>& clauses, bool& agreed);
    bool evaluate(const std::vector<std::size_t>& clauses);
    bool residuals(const std::vector<std::size_t>& clauses, const std::vector<double>& z,
                   std::vector<double>& r);
    bool newton(const std::vector<std::size_t>& clauses);
    bool newton_step(const std::vector<std::size_t>& clauses, std::vector<double>& z,
                     const std::vector<double>& r);
    bool check();
    bool fail();

    Instant& now_;
    Settling& settling_;
    std::vector<Target> targets_;          // in order of the variables
    std::vector<std::size_t> listed_for_;  // clauses: most often the same act again
    std::vector<double> before_;           // by target: before the actions, which may set those in order
    bool implicit_ = false;                // one of them is determined by an equation
};

}  // namespace cutset
