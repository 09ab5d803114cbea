// sign(x) at standstill is set-valued: where both sides drive x back to zero, x stays there and the sign
// takes the value s in [-1, 1] that balances the equations, der(x)(s) = 0. It breaks away when s reaches an
// end.
#include <algorithm>
#include <cmath>
#include <vector>

#include "numerics/linear.h"
#include "operations/run_messages.h"
#include "operations/simulation.h"

namespace cutset {

// The continuous equations with the stuck signs at the values that hold their arguments at rest:
//     r(s) = 0,  r_i = d(crossing_i)/dt,  by Newton's method from two values of each s (exact when r is
//     affine in s).
bool Simulation::solve_sticking(Interpreter& values) {
    std::vector<std::size_t> stuck;
    for (std::size_t i = 0; i < stuck_.size(); ++i)
        if (stuck_[i]) stuck.push_back(i);
    if (stuck.empty()) return values.run(program_.continuous);
    const std::size_t n = stuck.size();
    const auto rates = [&](std::vector<double>& r) {
        if (!values.run(program_.continuous) || !values.run(program_.crossings)) return false;
        for (std::size_t k = 0; k < n; ++k) r[k] = values[layout_.rates[stuck[k]]];
        return true;
    };
    std::vector<double> r(n), shifted(n), jacobian(n * n);
    constexpr int most = 5;
    for (int iteration = 0; iteration < most; ++iteration) {
        if (!rates(r)) return false;
        for (std::size_t j = 0; j < n; ++j) {
            double& s = values[layout_.switches[stuck[j]]];
            const double before = s;
            s += 1;
            if (!rates(shifted)) return false;
            s = before;
            for (std::size_t i = 0; i < n; ++i) jacobian[j * n + i] = shifted[i] - r[i];
        }
        DenseLu lu;
        if (!lu.factor(n, jacobian)) return values.run(program_.continuous);
        lu.solve(r);
        double change = 0;
        for (std::size_t k = 0; k < n; ++k) {
            values[layout_.switches[stuck[k]]] -= r[k];
            change = std::max(change, std::abs(r[k]));
        }
        if (change < 1e-12) break;
    }
    return values.run(program_.continuous);
}

// At an event: a sign whose argument is zero, and that has not just broken away, sticks when it would be
// driven back from either side; else it takes the side that it moves to.
bool Simulation::try_sticking() {
    bool probed = false;
    for (std::size_t i : state_switches_) {
        const Switch& s = partition_.switches[i];
        if (s.node->op != Op::Sign || !s.rate || stuck_[i]) continue;
        if (left_[i]) {
            left_[i] = false;
            continue;
        }
        if (main_[layout_.crossings[i]] != 0 && !forced_.contains(i)) continue;
        double rate[2];  // with the sign at -1 and at +1
        const double before = main_[layout_.switches[i]];
        for (int side = 0; side < 2; ++side) {
            main_[layout_.switches[i]] = 2 * side - 1;
            if (!run_continuous() || !run_section(program_.crossings)) return false;
            rate[side] = main_[layout_.rates[i]];
        }
        double value = before;
        if (rate[0] > 0 && rate[1] < 0) {
            stuck_[i] = true;
            value = (rate[0] + rate[1]) / (rate[0] - rate[1]);
            if (s.crossing->op == Op::Variable) main_[layout_.variable[s.crossing->index]] = 0;
        } else if (main_[layout_.crossings[i]] == 0) {
            value = rate[1] > 0 ? 1 : rate[0] < 0 ? -1 : 0;
        }
        main_[layout_.switches[i]] = value;
        probed = true;
    }
    return !probed || (evaluate() && run_section(program_.crossings));
}

}  // namespace cutset
