#include "operations/linearize/linearize.h"

#include <algorithm>
#include <cmath>

#include "operations/linearize/linearize_messages.h"
#include "run/infinite_slope.h"

namespace cutset {

namespace {

// An input under a time derivative: x' then depends on u' too, which A, B, C and D cannot say.
bool input_is_differentiated(const Partition& partition, const std::vector<VariableIndex>& inputs,
                             Diagnostics& diagnostics) {
    for (EquationIndex e : partition.differentiated) {
        const Equation& equation = partition.model.equations[e];
        for (VariableIndex u : inputs)
            if (depends_on(equation.left,
                           [&](Expr leaf) { return leaf->op == Op::Variable && leaf->index == u.value; }) ||
                depends_on(equation.right,
                           [&](Expr leaf) { return leaf->op == Op::Variable && leaf->index == u.value; })) {
                diagnostics.report(linearize_messages::input_differentiated(partition.model, u, e));
                return true;
            }
    }
    return false;
}

// Conditions whose two sides meet at this very point, if the slope is not the same on both.
void warn_of_corners(ModelFunctions& functions, Diagnostics& diagnostics) {
    constexpr double step = 1e-7, smallest_difference = 1e-4;
    const Program& program = functions.program();
    if (program.partition->switches.empty()) return;
    const std::vector<std::size_t> corners = functions.conditions_at_corner();
    if (corners.empty()) return;
    const std::vector<double> x(functions.state().begin(), functions.state().end());
    std::vector<double> near = x, sides[2];
    for (int side = 0; side < 2; ++side) {
        for (std::size_t i = 0; i < x.size(); ++i)
            near[i] = x[i] + (side ? step : -step) * std::max(1.0, std::abs(x[i]));
        sides[side].resize(functions.pattern().elements());
        if (!functions.evaluate(functions.time(), near) || !functions.linearize(sides[side]))
            sides[side].clear();
    }
    functions.evaluate(functions.time(), x);
    double largest = 0, difference = 0;
    for (std::size_t i = 0; i < std::min(sides[0].size(), sides[1].size()); ++i) {
        largest = std::max({largest, std::abs(sides[0][i]), std::abs(sides[1][i])});
        difference = std::max(difference, std::abs(sides[0][i] - sides[1][i]));
    }
    if (difference <= smallest_difference * largest && sides[0].size() == sides[1].size()) return;
    for (std::size_t i : corners)
        diagnostics.report(linearize_messages::at_corner(functions.model(), program.partition->switches[i]));
}

std::optional<InfiniteSlope> infinite_slope(ModelFunctions& functions) {
    if (!functions.complete()) return std::nullopt;
    return find_infinite_slope(functions.model(), functions.time(),
                               [&](VariableIndex v) -> std::optional<double> {
                                   const double value = functions.value(v);
                                   return std::isfinite(value) ? std::optional(value) : std::nullopt;
                               });
}

}  // namespace

StateSpace Linearization::dense() const {
    StateSpace s;
    s.A = A;
    s.B = B;
    s.C = C;
    s.D = D;
    s.states = states;
    s.inputs = inputs;
    s.outputs = outputs;
    return s;
}

std::optional<Linearization> linearize(ModelFunctions& functions, const std::vector<std::size_t>& inputs,
                                       Diagnostics& diagnostics) {
    const LinearizedEquations& equations = *functions.program().linearized;
    std::vector<VariableIndex> chosen;
    for (std::size_t i : inputs) chosen.push_back(equations.by[i]);
    if (input_is_differentiated(*functions.program().partition, chosen, diagnostics)) return std::nullopt;
    warn_of_corners(functions, diagnostics);
    std::vector<double> elements(functions.pattern().elements());
    const bool finite = functions.linearize(elements);
    const auto failure = finite ? std::nullopt : functions.failure();
    if (!finite ||
        std::any_of(elements.begin(), elements.end(), [](double v) { return std::abs(v) > steep_slope; }))
        if (const auto slope = infinite_slope(functions)) {
            diagnostics.report(linearize_messages::infinite_slope(functions.model(), *slope));
            return std::nullopt;
        }
    if (!finite) {
        if (failure) diagnostics.report(*failure);
        return std::nullopt;
    }
    const std::size_t n = functions.states(), m = inputs.size(), p = functions.outputs();
    Linearization result;
    std::vector<Eigen::Triplet<double>> a, b, c, d;
    std::vector<std::optional<std::size_t>> number(functions.parameters());
    for (std::size_t i = 0; i < m; ++i) number[inputs[i]] = i;
    const SparsePattern& pattern = functions.pattern();
    for (std::size_t column = 0; column < pattern.columns; ++column) {
        const bool is_state = column < n;
        if (!is_state && !number[column - n]) continue;
        const int to = int(is_state ? column : *number[column - n]);
        for (auto i = pattern.starts[column]; i < pattern.starts[column + 1]; ++i) {
            const auto row = std::size_t(pattern.row[std::size_t(i)]);
            const double value = elements[std::size_t(i)];
            auto& list = row < n ? (is_state ? a : b) : (is_state ? c : d);
            if (value != 0) list.emplace_back(int(row < n ? row : row - n), to, value);
        }
    }
    const auto build = [](SparseMatrix& matrix, std::size_t rows, std::size_t columns, const auto& list) {
        matrix.resize(Eigen::Index(rows), Eigen::Index(columns));
        matrix.setFromTriplets(list.begin(), list.end());
    };
    build(result.A, n, n, a);
    build(result.B, n, m, b);
    build(result.C, p, n, c);
    build(result.D, p, m, d);
    const FlatModel& model = functions.model();
    for (std::size_t i = 0; i < n; ++i) result.states.push_back(model.path(functions.state_variable(i)));
    for (VariableIndex v : chosen) {
        result.inputs.push_back(model.path(v));
        result.u.push_back(functions.value(v) + 0.0);
    }
    for (std::size_t i = 0; i < p; ++i) {
        result.outputs.push_back(model.path(equations.of[i]));
        result.y.push_back(functions.output(i) + 0.0);
    }
    for (double x : functions.state()) result.x.push_back(x + 0.0);  // no -0
    for (double rate : functions.derivatives()) result.derivatives.push_back(rate + 0.0);
    result.time = functions.time();
    return result;
}

}  // namespace cutset
