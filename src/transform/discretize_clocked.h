// The equations of a clocked partition with derivatives become difference equations by the method of its
// clock. At the first tick the initial equations, or the start values of the states, stand in place of the
// integration:
//
//     ExplicitEuler        x = pre(x) + h*pre(x')
//     ImplicitEuler        x = pre(x) + h*x'
//     ImplicitTrapezoid    x = pre(x) + h*(x' + pre(x'))/2
//     ExplicitMidPoint2    x = pre(x) + h*f(pre(x) + h*pre(x')/2, mean of u, t - h/2)
//     ExplicitRungeKutta4  the classical method, with the mean of u at its middle
//
// u are the results of operators. The stages of the explicit methods are copies of the equations.
#pragma once

#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "ir/flat_model.h"

namespace cutset {

struct ClockedEquations {
    std::vector<Equation> equations;
    std::vector<bool> of_operator;  // by equation: it gives the result of an operator
    std::vector<VariableIndex> unknowns;

    void add(Equation e, bool is_operator) {
        equations.push_back(std::move(e));
        of_operator.push_back(is_operator);
    }
};

void discretize(FlatModel& model, ClockSolver solver, Expr interval, Expr first_tick,
                std::vector<Equation> initial, ClockedEquations& partition, Diagnostics& diagnostics);

// Initial equations of a partition without derivatives give the values before the first tick.
void take_starts(FlatModel& model, const std::vector<Equation>& initial, Diagnostics& diagnostics);

}  // namespace cutset
