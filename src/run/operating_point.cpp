#include "run/operating_point.h"

#include <algorithm>
#include <cmath>

#include "numerics/linear/sparse.h"
#include "run/equations_of_motion.h"
#include "run/infinite_slope.h"
#include "run/run_parts.h"

namespace cutset {

namespace {

constexpr double rounding = 1e-12;  // of eigenvalues, in units of the largest
constexpr double of_double = 1e-7;  // of a double one: the root of the above

double largest_of(const std::vector<Mode>& modes) {
    double largest = 0;
    for (const Mode& mode : modes) largest = std::max(largest, std::abs(mode.eigenvalue));
    return largest;
}

// A - B E^-1 C of [A B; C E].
std::optional<Eigen::MatrixXd> reduced(const StateJacobian& jacobian, std::span<const double> values,
                                       std::size_t n) {
    const std::size_t m = jacobian.columns - n;
    Eigen::MatrixXd a = Eigen::MatrixXd::Zero(Eigen::Index(n), Eigen::Index(n));
    Eigen::MatrixXd c = Eigen::MatrixXd::Zero(Eigen::Index(m), Eigen::Index(n));
    std::vector<std::pair<std::pair<std::size_t, std::size_t>, double>> b;
    SparsePattern pattern{m, m, {0}, {}};
    std::vector<double> e;
    std::size_t last = n;
    for (std::size_t k = 0; k < values.size(); ++k) {
        const JacobianEntry& entry = jacobian.entries[k];
        const std::size_t row = entry.row, column = entry.column;
        if (column < n) {
            (row < n ? a(Eigen::Index(row), Eigen::Index(column))
                     : c(Eigen::Index(row - n), Eigen::Index(column))) = values[k];
            continue;
        }
        for (; last < column; ++last) pattern.starts.push_back(std::int64_t(e.size()));
        if (row < n) {
            b.push_back({{row, column - n}, values[k]});
        } else {
            pattern.row.push_back(std::int64_t(row - n));
            e.push_back(values[k]);
        }
    }
    if (m == 0) return a;
    for (; last < jacobian.columns; ++last) pattern.starts.push_back(std::int64_t(e.size()));
    SparseLu lu;
    if (!lu.factor(pattern, e)) return std::nullopt;
    for (Eigen::Index j = 0; j < c.cols(); ++j) {
        std::span<double> column(c.col(j).data(), m);
        lu.solve(column);
        for (const auto& [place, value] : b) a(Eigen::Index(place.first), j) -= value * column[place.second];
    }
    return a;
}

}  // namespace

std::optional<InitialPoint> operating_point(const Program& program, const SimulateOptions& options,
                                            LoopSearch* search, Diagnostics& diagnostics) {
    NoRows rows;
    RunParts parts(program, options, rows, diagnostics);
    Instant& now = parts.now;
    now.loops.set_search(search);
    const bool good = parts.initialization.run() && now.values.run(program.eliminated);
    now.loops.set_search(nullptr);
    if (!good) return std::nullopt;
    InitialPoint point;
    point.time = now.time();
    for (Slot slot : now.layout.variable) point.values.push_back(now.values[slot]);
    const std::size_t n = now.layout.state.size();
    for (std::size_t i = 0; i < n; ++i) {
        point.states.push_back(now.selector.stands_for(now.partition.states[i]));
        point.derivatives.push_back(now.values[now.layout.derivative[i]]);
    }
    if (n == 0 || n > most_states_judged) return point;
    const std::vector<double> x = now.states();
    if (program.jacobian && now.run_section(program.fixed) && now.run_section(program.stepwise)) {
        std::vector<double> elements(program.jacobian->entries.size());
        if (parts.rhs.jacobian(now.time(), x, elements) == 0) {
            for (const JacobianEntry& entry : program.jacobian->entries)
                point.steep = point.steep || !(std::abs(now.values[entry.slot]) <= steep_slope);
            if (auto matrix = reduced(*program.jacobian, elements, n)) {
                point.matrix = std::move(*matrix);
                return point;
            }
        }
    }
    std::vector<double> f(n), j, scale(n);
    for (std::size_t i = 0; i < n; ++i)
        scale[i] = std::max(std::abs(now.model.variables[now.partition.states[i]].nominal.value_or(1)),
                            std::abs(x[i]));
    now.loops.set_robust(true);
    EquationsOfMotion motion(now);
    if (motion.derivatives_at(x, f) && motion.matrix_at(x, f, scale, j))
        point.matrix = Eigen::Map<Eigen::MatrixXd>(j.data(), Eigen::Index(n), Eigen::Index(n));
    return point;
}

const char* word(Stability stability) {
    switch (stability) {
        case Stability::Stable:
            return "stable";
        case Stability::Unstable:
            return "unstable";
        case Stability::Undamped:
            return "undamped";
        case Stability::Indifferent:
            return "indifferent";
        case Stability::Edge:
            return "on the edge";
        case Stability::Held:
            return "held";
        case Stability::NoStates:
            return "static";
        case Stability::NotJudged:
            break;
    }
    return "not judged";
}

// Zero up to rounding. A double zero (position and speed of what floats freely) comes out as ±d or ±id with d
// the root of the rounding.
bool is_zero(const std::vector<Mode>& modes, std::size_t i) {
    const double largest = largest_of(modes);
    const std::complex<double> s = modes[i].eigenvalue;
    if (std::abs(s) <= rounding * largest || largest == 0) return true;
    if (std::abs(s) > of_double * largest) return false;
    for (std::size_t k = 0; k < modes.size(); ++k)
        if (k != i && std::abs(modes[k].eigenvalue + s) <= 0.05 * std::abs(s)) return true;
    return false;
}

StabilityReport judge(const InitialPoint& point, bool with_participation) {
    StabilityReport report;
    if (point.states.empty()) {
        report.stability = Stability::NoStates;
        return report;
    }
    if (point.matrix.size() == 0) return report;
    auto found = modes(point.matrix, {}, with_participation);
    if (!found) return report;
    report.modes = std::move(*found);
    report.stability = Stability::Stable;
    const double largest = largest_of(report.modes);
    for (std::size_t i = 0; i < report.modes.size(); ++i) {
        const std::complex<double> s = report.modes[i].eigenvalue;
        const bool zero = is_zero(report.modes, i);
        if (!zero && s.real() > rounding * largest && s.real() > 1e-9 * std::abs(s)) {
            report.stability = Stability::Unstable;
            report.worst = i;
            return report;
        }
        // Slow is not undamped: what is left of the real part beside the imaginary one must be rounding.
        const bool undamped =
            !zero && s.imag() != 0 && std::abs(s.real()) <= std::max(1e-9 * std::abs(s), rounding * largest);
        if (!zero && !undamped) continue;
        if (report.stability == Stability::Stable || undamped) {
            report.stability = undamped ? Stability::Undamped : Stability::Indifferent;
            report.worst = i;
        }
    }
    return report;
}

}  // namespace cutset
