#include <algorithm>

#include "operations/estimation/optimization.h"

namespace cutset::optimization {

// In scaled variables u = p / size; with an epigraph the last variable bounds what the objective is the
// maximum of, with kinks each of the last ones bounds the branches of one.
NonlinearProgram Optimization::make_program(const std::vector<double>& start, double bound_start) {
    NonlinearProgram program;
    const std::size_t count = n() + (epigraph_ ? 1 : 0) + kinks_.size();
    const std::size_t first_kink = count - kinks_.size();
    for (std::size_t j = 0; j < n(); ++j) {
        program.start.push_back(start[j] / sizes_[j]);
        program.lower.push_back(ranges_[j].lower.value_or(-unlimited) / sizes_[j]);
        program.upper.push_back(ranges_[j].upper.value_or(unlimited) / sizes_[j]);
    }
    if (epigraph_) {
        program.start.push_back(bound_start * objective_scale_);
        program.lower.push_back(-unlimited);
        program.upper.push_back(unlimited);
    }
    const double kink_scale = std::abs(objective_scale_);
    if (!kinks_.empty()) {
        std::vector<double> u(n());
        for (std::size_t j = 0; j < n(); ++j) u[j] = start[j] / sizes_[j];
        for (const std::vector<Number>& kink : at(u, false).kinks) {
            double highest = -unlimited;
            for (const Number& v : kink) highest = std::max(highest, v.value);
            program.start.push_back(highest * kink_scale);
            program.lower.push_back(-unlimited);
            program.upper.push_back(unlimited);
        }
    }
    for (std::size_t i : criterion_limits_) {
        program.constraint_lower.push_back(limits_[i].lower * limit_scales_[i]);
        program.constraint_upper.push_back(limits_[i].upper * limit_scales_[i]);
    }
    for (std::size_t i : along_)
        for (std::size_t k = 0; k < grid_.size(); ++k) {
            program.constraint_lower.push_back(limits_[i].lower * limit_scales_[i]);
            program.constraint_upper.push_back(limits_[i].upper * limit_scales_[i]);
        }
    for (std::size_t k = 0; epigraph_ && k < grid_.size(); ++k) {
        program.constraint_lower.push_back(-unlimited);
        program.constraint_upper.push_back(0);
    }
    for (std::size_t k = 0; k < branches(); ++k) {
        program.constraint_lower.push_back(-unlimited);
        program.constraint_upper.push_back(0);
    }
    const std::size_t last = count - 1;
    program.objective = [this, last, first_kink](std::span<const double> u, double& value) {
        if (epigraph_) {
            value = u[last];
            return true;
        }
        const Evaluation& e = at(u, false);
        value = e.good ? (kinks_.empty() ? e.objective : e.smooth).value * objective_scale_ : 0;
        for (std::size_t k = 0; e.good && k < kinks_.size(); ++k) value += u[first_kink + k];
        return e.good;
    };
    program.gradient = [this, last, first_kink](std::span<const double> u, std::span<double> g) {
        std::fill(g.begin(), g.end(), 0.0);
        if (epigraph_) {
            g[last] = 1;
            return true;
        }
        const Evaluation& e = at(u, true);
        for (std::size_t j = 0; e.good && j < n(); ++j)
            g[j] = (kinks_.empty() ? e.objective : e.smooth).by[j] * objective_scale_ * sizes_[j];
        for (std::size_t k = 0; k < kinks_.size(); ++k) g[first_kink + k] = 1;
        return e.good;
    };
    program.constraints = [this, last, first_kink, kink_scale](std::span<const double> u,
                                                               std::span<double> c) {
        const Evaluation& e = at(u, false);
        if (!e.good) return false;
        std::size_t row = 0;
        for (std::size_t k = 0; k < scalars(); ++k)
            c[row++] = e.limits[k].value * limit_scales_[criterion_limits_[k]];
        for (std::size_t k = 0; k < along_.size(); ++k)
            for (const Number& v : e.along[k]) c[row++] = v.value * limit_scales_[along_[k]];
        if (epigraph_)
            for (const Number& v : e.along.back()) c[row++] = v.value * objective_scale_ - u[last];
        for (std::size_t k = 0; k < e.kinks.size(); ++k)
            for (const Number& v : e.kinks[k]) c[row++] = v.value * kink_scale - u[first_kink + k];
        return true;
    };
    program.jacobian_pattern = full_pattern(constraint_count(), count);
    program.jacobian = [this, count, first_kink, kink_scale](std::span<const double> u,
                                                             std::span<double> values) {
        const Evaluation& e = at(u, true);
        if (!e.good) return false;
        std::size_t row = 0;
        const std::size_t rows = constraint_count();
        std::fill(values.begin(), values.end(), 0.0);
        const auto put = [&](const Number& v, double scale) {
            for (std::size_t j = 0; j < n(); ++j) values[j * rows + row] = v.by[j] * scale * sizes_[j];
        };
        for (std::size_t k = 0; k < scalars(); ++k, ++row)
            put(e.limits[k], limit_scales_[criterion_limits_[k]]);
        for (std::size_t k = 0; k < along_.size(); ++k)
            for (const Number& v : e.along[k]) {
                put(v, limit_scales_[along_[k]]);
                ++row;
            }
        if (epigraph_)
            for (const Number& v : e.along.back()) {
                put(v, objective_scale_);
                values[(count - 1) * rows + row] = -1;
                ++row;
            }
        for (std::size_t k = 0; k < e.kinks.size(); ++k)
            for (const Number& v : e.kinks[k]) {
                put(v, kink_scale);
                values[(first_kink + k) * rows + row] = -1;
                ++row;
            }
        return true;
    };
    return program;
}

OptimizerResult Optimization::solve(const std::vector<double>& start, std::string& problem) {
    std::vector<double> u(n());
    for (std::size_t j = 0; j < n(); ++j) u[j] = start[j] / sizes_[j];
    const Evaluation& first = at(u, false);
    if (!first.good) {
        OptimizerResult undefined;
        undefined.status = OptimizerStatus::Undefined;
        undefined.message = first.problem;
        undefined.x = u;
        undefined.x.resize(n() + (epigraph_ ? 1 : 0) + kinks_.size());
        return undefined;
    }
    double highest = first.objective.value;
    if (epigraph_)
        for (const Number& v : first.along.back()) highest = std::max(highest, v.value);
    const NonlinearProgram program = make_program(start, highest);
    OptimizerOptions options;
    options.method = method_;
    options.tolerance = settings_.tolerance;
    options.constraint_tolerance = settings_.tolerance;
    options.max_iterations = settings_.max_iterations;
    const MethodDescription* description = nullptr;
    for (const MethodDescription& d : optimizer_list())
        if (d.method == method_) description = &d;
    if (!description->derivatives) options.max_iterations *= description->whole_box ? 40 : 10;
    options.bound_relaxation = 0;
    options.interrupt = settings_.runs.run.interrupt;
    options.settings = {{"acceptable_iter", "8"}};
    const auto result = optimize(program, options, problem);
    return result.value_or(OptimizerResult{});
}

}  // namespace cutset::optimization
