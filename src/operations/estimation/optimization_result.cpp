#include <algorithm>
#include <cmath>

#include "control/decompositions.h"
#include "operations/estimation/optimization.h"

namespace cutset::optimization {

namespace {

constexpr std::size_t finer = 10;  // how much finer the solution is looked at

}  // namespace

double halton(std::size_t index, std::size_t base) {
    double f = 1, r = 0;
    for (std::size_t i = index; i > 0; i /= base) {
        f /= static_cast<double>(base);
        r += f * static_cast<double>(i % base);
    }
    return r;
}

// Looks at the solution between the times of the grid; true when times were added.
bool Optimization::refine(const std::vector<double>& p) {
    if (grid_.empty()) return false;
    std::vector<double> fine;
    for (std::size_t k = 0; k + 1 < grid_.size(); ++k)
        for (std::size_t i = 0; i < finer; ++i)
            fine.push_back(grid_[k] + (grid_[k + 1] - grid_[k]) * static_cast<double>(i) / finer);
    fine.push_back(grid_.back());
    const ParametricRuns::Outcome outcome = runs_->run(p, outputs_, fine, ParametricRuns::Derivatives::None);
    if (!outcome.good) return false;
    std::vector<double> more;
    const auto look = [&](std::size_t output, double lower, double upper) {
        const auto& rows = outcome.rows;
        for (std::size_t r = 1; r + 1 < rows.size(); ++r) {
            const double before = rows[r - 1].values[output], v = rows[r].values[output],
                         after = rows[r + 1].values[output];
            const double size =
                std::max({std::abs(lower) < 1e300 ? std::abs(lower) : 0,
                          std::abs(upper) < 1e300 ? std::abs(upper) : 0, std::abs(v) * 1e-3, 1e-12});
            const double allowed = settings_.tolerance * 10 * size;
            if ((v > upper + allowed && v >= before && v >= after) ||
                (v < lower - allowed && v <= before && v <= after))
                more.push_back(rows[r].time);
        }
    };
    for (std::size_t k = 0; k < along_.size(); ++k)
        look(along_output_[k], limits_[along_[k]].lower, limits_[along_[k]].upper);
    if (epigraph_) {
        double highest = -unlimited;
        for (double t : grid_) {
            const auto row = std::lower_bound(fine.begin(), fine.end(), t) - fine.begin();
            if (static_cast<std::size_t>(row) < outcome.rows.size())
                highest = std::max(highest, outcome.rows[static_cast<std::size_t>(row)].values[*epigraph_]);
        }
        look(*epigraph_, -unlimited, highest);
    }
    std::vector<double> grid = grid_;
    for (double t : more)
        if (!std::binary_search(grid_.begin(), grid_.end(), t)) grid.push_back(t);
    if (grid.size() == grid_.size()) return false;
    std::sort(grid.begin(), grid.end());
    set_grid(std::move(grid));
    return true;
}

// Interior methods move what nothing depends on to the middle of its bounds, others anywhere. It goes back to
// its first value, if all is as good there.
void Optimization::put_idle_back(OptimizerResult& solved) {
    if (solved.x.size() < n()) return;
    const auto all_act = [&] { return std::all_of(acts_.begin(), acts_.end(), [](bool a) { return a; }); };
    if (all_act()) return;
    // A derivative is zero at an optimum too: elsewhere it is not.
    std::vector<double> beside = parameters(solved.x);
    for (std::size_t j = 0; j < n(); ++j) {
        if (acts_[j]) continue;
        const double step = (0.05 + 0.05 * halton(j + 1, 3)) * sizes_[j];
        const double low = ranges_[j].lower.value_or(-unlimited), high = ranges_[j].upper.value_or(unlimited);
        beside[j] = beside[j] + step <= high ? beside[j] + step : std::max(low, beside[j] - step);
    }
    if (!evaluate(beside, true).good) acts_.assign(n(), true);
    if (all_act()) return;
    const Evaluation there = at(solved.x, false);  // a copy: others follow
    if (!there.good) return;
    std::vector<double> back = solved.x;
    for (std::size_t j = 0; j < n(); ++j)
        if (!acts_[j]) back[j] = *ranges_[j].guess / sizes_[j];
    const Evaluation& here = at(back, false);
    const auto same = [&](const Number& a, const Number& b, double scale) {
        return std::abs(a.value - b.value) * scale <=
               settings_.tolerance * std::max(1.0, std::abs(a.value) * scale);
    };
    bool as_good = here.good && same(there.objective, here.objective, std::abs(objective_scale_));
    for (std::size_t k = 0; as_good && k < scalars(); ++k)
        as_good = same(there.limits[k], here.limits[k], limit_scales_[criterion_limits_[k]]);
    for (std::size_t k = 0; as_good && k < along_.size(); ++k)
        for (std::size_t i = 0; as_good && i < there.along[k].size(); ++i)
            as_good = same(there.along[k][i], here.along[k][i], limit_scales_[along_[k]]);
    if (as_good)
        solved.x = back;
    else
        acts_.assign(n(), true);
}

// For methods that have none: those with which the gradients of what is active come nearest to that of the
// objective.
void Optimization::add_multipliers(OptimizerResult& solved) {
    if (solved.lower_multipliers.size() >= n() || !runs_->inexact().empty()) return;
    const Evaluation& e = at(solved.x, true);
    if (!e.good || !e.has_derivatives || epigraph_ || !kinks_.empty()) return;
    const auto size = static_cast<Eigen::Index>(n());
    struct Active {
        std::size_t row;
        bool bound;
        double sign;
        Eigen::VectorXd gradient;
    };
    std::vector<Active> active;
    const auto add = [&](std::size_t row, const Number& v, const Limit& limit, double scale) {
        const double near = 1e-4 * std::max(1.0, std::abs(v.value) * scale);
        if ((limit.upper - v.value) * scale > near && (v.value - limit.lower) * scale > near) return;
        Active a{row, false, 1, Eigen::VectorXd(size)};
        for (std::size_t j = 0; j < n(); ++j)
            a.gradient[static_cast<Eigen::Index>(j)] = v.by[j] * scale * sizes_[j];
        active.push_back(std::move(a));
    };
    for (std::size_t k = 0; k < scalars(); ++k)
        add(k, e.limits[k], limits_[criterion_limits_[k]], limit_scales_[criterion_limits_[k]]);
    for (std::size_t a = 0; a < along_.size(); ++a) {
        const Limit& limit = limits_[along_[a]];
        const auto beyond = [&](std::size_t i) {
            const double v = e.along[a][i].value;
            return std::max(v - limit.upper, limit.lower - v);
        };
        // Where it comes nearest to the bound.
        for (std::size_t i = 0; i < grid_.size(); ++i)
            if ((i == 0 || beyond(i) >= beyond(i - 1)) &&
                (i + 1 == grid_.size() || beyond(i) > beyond(i + 1)))
                add(scalars() + a * grid_.size() + i, e.along[a][i], limit, limit_scales_[along_[a]]);
    }
    const std::vector<double> p = parameters(solved.x);
    for (std::size_t j = 0; j < n(); ++j)
        for (const bool low : {true, false}) {
            const auto& bound = low ? ranges_[j].lower : ranges_[j].upper;
            if (!bound || std::abs(p[j] - *bound) > 1e-5 * sizes_[j]) continue;
            Active a{j, true, low ? -1.0 : 1.0, Eigen::VectorXd::Zero(size)};
            a.gradient[static_cast<Eigen::Index>(j)] = a.sign;
            active.push_back(std::move(a));
        }
    solved.lower_multipliers.assign(n(), 0);
    solved.upper_multipliers.assign(n(), 0);
    solved.multipliers.assign(constraint_count(), 0);
    if (active.empty()) return;
    Eigen::MatrixXd matrix(size, static_cast<Eigen::Index>(active.size()));
    Eigen::VectorXd gradient(size);
    for (std::size_t j = 0; j < n(); ++j)
        gradient[static_cast<Eigen::Index>(j)] = e.objective.by[j] * objective_scale_ * sizes_[j];
    for (std::size_t k = 0; k < active.size(); ++k)
        matrix.col(static_cast<Eigen::Index>(k)) = active[k].gradient;
    const Eigen::VectorXd found = least_squares_solution(matrix, -gradient);
    for (std::size_t k = 0; k < active.size(); ++k) {
        const double value = found[static_cast<Eigen::Index>(k)];
        if (active[k].bound)
            (active[k].sign < 0 ? solved.lower_multipliers : solved.upper_multipliers)[active[k].row] =
                std::max(value, 0.0);
        else
            solved.multipliers[active[k].row] = value;
    }
}

void Optimization::fill(OptimizeResult& result, const OptimizerResult& solved) {
    const Evaluation& e = at(solved.x, false);
    const std::vector<double> p = parameters(solved.x);
    const bool multipliers = solved.lower_multipliers.size() >= n();
    const double scale = std::abs(objective_scale_);
    result.status = solved.status;
    result.message = solved.message;
    if (e.good) result.objective = objective_of(e);
    for (std::size_t j = 0; j < n(); ++j) {
        OptimizedValue v;
        v.parameter = runs_->parameters()[j];
        v.before = *ranges_[j].guess;
        v.value = p[j];
        v.lower = ranges_[j].lower.value_or(-unlimited);
        v.upper = ranges_[j].upper.value_or(unlimited);
        v.acts = acts_[j];
        const double near = 1e-5 * sizes_[j];
        if (multipliers) {
            const double low = solved.lower_multipliers[j] / scale / sizes_[j],
                         high = solved.upper_multipliers[j] / scale / sizes_[j];
            v.multiplier = std::max(low, high);
        }
        v.at_lower = v.value - v.lower <= near;
        v.at_upper = v.upper - v.value <= near;
        if (!v.at_lower && !v.at_upper) v.multiplier = 0;
        // An interior method stops beside the bound.
        if (v.at_lower) v.value = v.lower;
        if (v.at_upper) v.value = v.upper;
        result.values.push_back(std::move(v));
    }
    const auto add = [&](const Limit& limit, double value, std::optional<double> time, double multiplier,
                         double size) {
        OptimizedLimit o;
        o.text = limit.text;
        o.left = limit.left;
        o.value = value;
        o.time = time;
        const bool upper = std::abs(limit.upper - value) <= std::abs(value - limit.lower);
        o.bound = upper ? limit.upper : limit.lower;
        const double tolerance = std::max(settings_.tolerance, 1e-8) * 20 / size;
        o.kept = value <= limit.upper + tolerance && value >= limit.lower - tolerance;
        o.active = std::abs(value - o.bound) <= std::max(tolerance, 1e-4 * std::abs(o.bound));
        o.multiplier = limit.lower == limit.upper ? multiplier : std::abs(multiplier);
        if (!o.active) o.multiplier = 0;
        if (!o.kept)
            result.violation = std::max({result.violation, value - limit.upper, limit.lower - value});
        result.limits.push_back(std::move(o));
    };
    if (!e.good) return;
    std::size_t row = 0;
    for (std::size_t k = 0; k < limits_.size(); ++k) {
        // In the order they were given.
        const auto place = std::find(criterion_limits_.begin(), criterion_limits_.end(), k);
        if (place != criterion_limits_.end()) {
            const auto i = static_cast<std::size_t>(place - criterion_limits_.begin());
            const double m =
                solved.multipliers.size() > i ? solved.multipliers[i] * limit_scales_[k] / scale : 0;
            add(limits_[k], e.limits[i].value, std::nullopt, m, limit_scales_[k]);
            continue;
        }
        const auto a = static_cast<std::size_t>(std::find(along_.begin(), along_.end(), k) - along_.begin());
        row = scalars() + a * grid_.size();
        double sum = 0, worst = -unlimited;
        std::size_t at_worst = 0;
        for (std::size_t i = 0; i < grid_.size(); ++i) {
            const double v = e.along[a][i].value;
            if (solved.multipliers.size() > row + i)
                sum += solved.multipliers[row + i] * limit_scales_[k] / scale;
            const double beyond = std::max(v - limits_[k].upper, limits_[k].lower - v);
            if (beyond > worst) {
                worst = beyond;
                at_worst = i;
            }
        }
        add(limits_[k], e.along[a][at_worst].value, grid_[at_worst], sum, limit_scales_[k]);
    }
}

}  // namespace cutset::optimization
