#include "operations/collocation/control_transcription.h"

#include <algorithm>
#include <cmath>

#include "base/diagnostic.h"

namespace cutset {

SparsePattern ControlTranscription::Places::finish(std::size_t rows, std::size_t columns) {
    std::vector<std::pair<std::size_t, std::size_t>> sorted = visited_;
    std::sort(sorted.begin(), sorted.end());
    sorted.erase(std::unique(sorted.begin(), sorted.end()), sorted.end());
    SparsePattern p;
    p.rows = rows;
    p.columns = columns;
    p.starts.assign(columns + 1, 0);
    for (const auto& [column, row] : sorted) {
        ++p.starts[column + 1];
        p.row.push_back(std::int64_t(row));
    }
    for (std::size_t c = 0; c < columns; ++c) p.starts[c + 1] += p.starts[c];
    for (const auto& v : visited_)
        place_.push_back(std::size_t(std::lower_bound(sorted.begin(), sorted.end(), v) - sorted.begin()));
    return p;
}

ControlTranscription::ControlTranscription(ModelFunctions& functions, SecondDerivatives* second,
                                           const ControlProblem& problem, std::size_t stages,
                                           std::vector<double> mesh)
    : functions_(functions),
      second_(second),
      problem_(problem),
      scheme_(radau_collocation(stages)),
      mesh_(std::move(mesh)),
      n_(functions.states()),
      m_(problem.inputs),
      constants_(functions.parameters() - problem.inputs),
      by_row_(n_ + functions.outputs()),
      points_(intervals() * stages),
      state_(n_),
      open_(functions.parameters()),
      weights_(n_ + functions.outputs()) {
    for (std::size_t c = 0; c < problem_.conditions.size(); ++c)
        (problem_.conditions[c].at_end ? end_ : path_).push_back(c);
    const SparsePattern& pattern = functions_.pattern();
    for (std::size_t c = 0; c < pattern.columns; ++c)
        for (auto k = pattern.starts[c]; k < pattern.starts[c + 1]; ++k)
            by_row_[std::size_t(pattern.row[std::size_t(k)])].emplace_back(std::uint32_t(c),
                                                                           std::uint32_t(k));
    for (Point& p : points_) {
        p.rows.resize(n_ + functions.outputs());
        p.elements.resize(pattern.elements());
        if (free_duration()) p.by_time.resize(p.rows.size());
    }
    path_rows_ = defect_rows();
    end_rows_ = path_rows_ + points_.size() * path_.size();
    start_rows_ = end_rows_ + end_.size();
    constraint_count_ = start_rows_ + (problem_.start_depends ? n_ : 0);
    variable_count_ = n_ + points_.size() * (n_ + m_) + constants_ + (free_duration() ? 1 : 0);
    find_scales();
}

// Node 0 of an interval is the end of the one before it.
std::size_t ControlTranscription::x_index(std::size_t interval, std::size_t node, std::size_t s) const {
    if (node == 0) {
        if (interval == 0) return s;
        --interval;
        node = scheme_.stages;
    }
    return n_ + (interval * scheme_.stages + node - 1) * (n_ + m_) + s;
}

// Inputs have values of their own at each point (counted from 1), constants the same everywhere.
std::size_t ControlTranscription::open_index(std::size_t interval, std::size_t point, std::size_t p) const {
    if (p < m_) return n_ + (interval * scheme_.stages + point - 1) * (n_ + m_) + n_ + p;
    return n_ + points_.size() * (n_ + m_) + p - m_;
}

std::size_t ControlTranscription::path_row(std::size_t interval, std::size_t point,
                                           std::size_t condition) const {
    return path_rows_ + (interval * scheme_.stages + point - 1) * path_.size() + condition;
}

double ControlTranscription::time_fraction(std::size_t interval, std::size_t point) const {
    return mesh_[interval] + fraction_length(interval) * scheme_.nodes[point];
}

double ControlTranscription::duration(std::span<const double> x) const {
    return free_duration() ? x.back() * scale_.back() : problem_.duration.lower;
}

void ControlTranscription::find_scales() {
    scale_.assign(variable_count_, 1);
    row_scale_.assign(constraint_count_, 1);
    for (std::size_t s = 0; s < n_; ++s) {
        scale_[s] = problem_.scale[s];
        if (problem_.start_depends) row_scale_[start_rows_ + s] = 1 / problem_.scale[s];
    }
    for (std::size_t i = 0; i < intervals(); ++i)
        for (std::size_t k = 1; k <= scheme_.stages; ++k) {
            for (std::size_t s = 0; s < n_; ++s) {
                scale_[x_index(i, k, s)] = problem_.scale[s];
                row_scale_[(i * scheme_.stages + k - 1) * n_ + s] = 1 / problem_.scale[s];
            }
            for (std::size_t p = 0; p < m_; ++p) scale_[open_index(i, k, p)] = problem_.open_scale[p];
        }
    for (std::size_t p = m_; p < m_ + constants_; ++p) scale_[open_index(0, 1, p)] = problem_.open_scale[p];
    if (free_duration()) scale_.back() = std::max(std::abs(problem_.duration_guess), 1e-12);
}

// Puts the model at a collocation point.
bool ControlTranscription::go_to(std::span<const double> x, std::size_t interval, std::size_t point) {
    for (std::size_t s = 0; s < n_; ++s) {
        const std::size_t v = x_index(interval, point, s);
        state_[s] = x[v] * scale_[v];
    }
    for (std::size_t p = 0; p < open_.size(); ++p) {
        const std::size_t v = open_index(interval, point, p);
        open_[p] = x[v] * scale_[v];
    }
    return functions_.set_parameters(open_) &&
           functions_.evaluate(problem_.start + duration(x) * time_fraction(interval, point), state_);
}

bool ControlTranscription::evaluate(std::span<const double> x, bool derivatives) {
    if (last_.size() == x.size() && std::equal(x.begin(), x.end(), last_.begin()) &&
        (last_derivatives_ || !derivatives || !last_good_))
        return last_good_;
    last_.assign(x.begin(), x.end());
    last_derivatives_ = derivatives;
    last_good_ = false;
    for (std::size_t i = 0; i < intervals(); ++i)
        for (std::size_t k = 1; k <= scheme_.stages; ++k) {
            Point& p = points_[i * scheme_.stages + k - 1];
            if (!go_to(x, i, k)) return false;
            std::copy(functions_.derivatives().begin(), functions_.derivatives().end(), p.rows.begin());
            for (std::size_t o = 0; o < functions_.outputs(); ++o) p.rows[n_ + o] = functions_.output(o);
            if (!derivatives) continue;
            if (!functions_.linearize(p.elements)) return false;
            if (free_duration() && !(second_->take(functions_.values()) && second_->by_time(p.by_time)))
                return false;
        }
    return last_good_ = !problem_.start_depends || evaluate_start(x, derivatives);
}

bool ControlTranscription::evaluate_start(std::span<const double> x, bool derivatives) {
    for (std::size_t p = 0; p < open_.size(); ++p) {
        const std::size_t v = open_index(0, 1, p);
        open_[p] = x[v] * scale_[v];
    }
    Diagnostics ignored;
    if (!functions_.set_parameters(open_) || !functions_.start(problem_.start, ignored)) return false;
    start_.assign(functions_.state().begin(), functions_.state().end());
    return !derivatives || functions_.linearize_start(start_matrix_);
}

// The derivatives of a row of the model at a point by the unknowns of the program.
template <class Visit>
void ControlTranscription::visit_row(std::size_t interval, std::size_t point, std::size_t model_row,
                                     double factor, Visit visit) const {
    const Point& p = points_[interval * scheme_.stages + point - 1];
    for (const auto& [column, element] : by_row_[model_row]) {
        const std::size_t v =
            column < n_ ? x_index(interval, point, column) : open_index(interval, point, column - n_);
        visit(v, factor * p.elements[element]);
    }
    if (free_duration())
        visit(variable_count_ - 1, factor * p.by_time[model_row] * time_fraction(interval, point));
}

template <class Visit>
void ControlTranscription::visit_jacobian(std::span<const double> x, Visit visit) const {
    const double t = x.empty() ? 1 : duration(x);
    for (std::size_t i = 0; i < intervals(); ++i) {
        const double h = fraction_length(i);
        for (std::size_t k = 1; k <= scheme_.stages; ++k) {
            const Point& p = points_[i * scheme_.stages + k - 1];
            for (std::size_t s = 0; s < n_; ++s) {
                const std::size_t row = (i * scheme_.stages + k - 1) * n_ + s;
                for (std::size_t l = 0; l <= scheme_.stages; ++l)
                    visit(row, x_index(i, l, s), scheme_.d(k - 1, l));
                visit_row(i, k, s, -h * t, [&](std::size_t v, double value) { visit(row, v, value); });
                if (free_duration()) visit(row, variable_count_ - 1, -h * p.rows[s]);
            }
            for (std::size_t c = 0; c < path_.size(); ++c)
                visit_row(i, k, n_ + problem_.conditions[path_[c]].output, 1,
                          [&](std::size_t v, double value) { visit(path_row(i, k, c), v, value); });
        }
    }
    for (std::size_t c = 0; c < end_.size(); ++c)
        visit_row(intervals() - 1, scheme_.stages, n_ + problem_.conditions[end_[c]].output, 1,
                  [&](std::size_t v, double value) { visit(end_row(c), v, value); });
    if (!problem_.start_depends) return;
    for (std::size_t s = 0; s < n_; ++s) {
        visit(start_rows_ + s, s, 1.0);
        for (std::size_t p = m_; p < m_ + constants_; ++p)
            visit(start_rows_ + s, open_index(0, 1, p), x.empty() ? 0 : -start_matrix_[p * n_ + s]);
    }
}

namespace {

// By rows: how values at the points differ from the line through them, fitted with the weights.
std::vector<double> differences_from_line(const CollocationScheme& scheme) {
    const std::size_t k = scheme.stages;
    const std::span<const double> t = scheme.points();
    double mean = 0, square = 0;
    for (std::size_t i = 0; i < k; ++i) mean += scheme.weights[i] * t[i];
    for (std::size_t i = 0; i < k; ++i) square += scheme.weights[i] * (t[i] - mean) * (t[i] - mean);
    std::vector<double> result(k * k, 0);
    for (std::size_t i = 0; i < k; ++i)
        for (std::size_t j = 0; j < k; ++j) {
            const double slope = square > 0 ? (t[i] - mean) * (t[j] - mean) / square : 0;
            result[i * k + j] = (i == j ? 1.0 : 0.0) - scheme.weights[j] * (1 + slope);
        }
    return result;
}

// What bends inside an interval counts so much more than what changes from one to the next: on singular arcs
// it is this that the points leave undetermined.
constexpr double bending = 100;

}  // namespace

// Squares of linear forms: visit(factor, form) with form a list of variables and coefficients.
template <class Visit>
void ControlTranscription::visit_smoothing(Visit visit) const {
    if (problem_.smoothing == 0) return;
    const std::size_t stages = scheme_.stages;
    const std::vector<double> from_line = differences_from_line(scheme_);
    std::vector<std::pair<std::size_t, double>> form;
    for (std::size_t p = 0; p < m_; ++p)
        for (std::size_t i = 0; i < intervals(); ++i) {
            const double h = fraction_length(i) * problem_.smoothing;
            for (std::size_t k = 0; k < stages && stages > 2; ++k) {
                form.clear();
                for (std::size_t l = 0; l < stages; ++l)
                    form.emplace_back(open_index(i, l + 1, p), from_line[k * stages + l]);
                visit(bending * h * scheme_.weights[k], form);
            }
            for (std::size_t k = 1; k <= stages; ++k) {  // from the mean of the interval
                form.clear();
                for (std::size_t l = 1; l <= stages; ++l)
                    form.emplace_back(open_index(i, l, p), (l == k ? 1.0 : 0.0) - scheme_.weights[l - 1]);
                visit(h * scheme_.weights[k - 1], form);
            }
            if (i + 1 == intervals()) continue;
            form.clear();  // from mean to mean
            for (std::size_t l = 1; l <= stages; ++l) {
                form.emplace_back(open_index(i, l, p), -scheme_.weights[l - 1]);
                form.emplace_back(open_index(i + 1, l, p), scheme_.weights[l - 1]);
            }
            visit(h, form);
        }
}

double ControlTranscription::smoothing(std::span<const double> x) const {
    double sum = 0;
    visit_smoothing([&](double factor, const auto& form) {
        double value = 0;
        for (const auto& [v, a] : form) value += a * x[v];
        sum += factor * value * value;
    });
    return sum;
}

template <class Visit>
void ControlTranscription::visit_hessian_places(Visit visit) const {
    const SparsePattern& pattern = second_->pattern();
    const std::size_t time = n_ + m_ + constants_;
    for (std::size_t i = 0; i < intervals(); ++i)
        for (std::size_t k = 1; k <= scheme_.stages; ++k) {
            const auto variable = [&](std::size_t direction) {
                if (direction < n_) return x_index(i, k, direction);
                if (direction < time) return open_index(i, k, direction - n_);
                return variable_count_ - 1;
            };
            for (std::size_t c = 0; c < pattern.columns; ++c)
                for (auto e = pattern.starts[c]; e < pattern.starts[c + 1]; ++e) {
                    const auto r = std::size_t(pattern.row[std::size_t(e)]);
                    if ((r == time || c == time) && !free_duration()) continue;
                    visit(variable(r), variable(c));
                }
            if (!free_duration()) continue;
            for (std::size_t d = 0; d < time; ++d) visit(variable_count_ - 1, variable(d));
            visit(variable_count_ - 1, variable_count_ - 1);
        }
    visit_smoothing([&](double, const auto& form) {
        for (std::size_t a = 0; a < form.size(); ++a)
            for (std::size_t b = 0; b <= a; ++b) visit(form[a].first, form[b].first);
    });
}

bool ControlTranscription::hessian(std::span<const double> x, double factor,
                                   std::span<const double> multipliers, std::span<double> values) {
    if (!evaluate(x, true)) return false;
    std::fill(values.begin(), values.end(), 0);
    const SparsePattern& pattern = second_->pattern();
    const std::size_t time = n_ + m_ + constants_;
    const double t = duration(x);
    point_hessian_.resize(pattern.elements());
    std::size_t visit = 0;
    std::vector<double> by_duration(time);
    const auto add = [&](std::size_t a, std::size_t b, double value) {
        values[hessian_places_[visit++]] += value * scale_[a] * scale_[b];
    };
    for (std::size_t i = 0; i < intervals(); ++i)
        for (std::size_t k = 1; k <= scheme_.stages; ++k) {
            const double h = fraction_length(i), fraction = time_fraction(i, k);
            const std::size_t point = i * scheme_.stages + k - 1;
            std::fill(weights_.begin(), weights_.end(), 0);
            for (std::size_t s = 0; s < n_; ++s)
                weights_[s] = -h * t * multipliers[point * n_ + s] * row_scale_[point * n_ + s];
            for (std::size_t c = 0; c < path_.size(); ++c)
                weights_[n_ + problem_.conditions[path_[c]].output] +=
                    multipliers[path_row(i, k, c)] * row_scale_[path_row(i, k, c)];
            if (point + 1 == points_.size()) {
                weights_[n_ + problem_.objective] += factor * problem_.sign;
                for (std::size_t c = 0; c < end_.size(); ++c)
                    weights_[n_ + problem_.conditions[end_[c]].output] +=
                        multipliers[end_row(c)] * row_scale_[end_row(c)];
            }
            if (!go_to(x, i, k) || !second_->take(functions_.values()) ||
                !second_->evaluate(weights_, point_hessian_))
                return false;
            const auto variable = [&](std::size_t direction) {
                if (direction < n_) return x_index(i, k, direction);
                if (direction < time) return open_index(i, k, direction - n_);
                return variable_count_ - 1;
            };
            for (std::size_t c = 0; c < pattern.columns; ++c)
                for (auto e = pattern.starts[c]; e < pattern.starts[c + 1]; ++e) {
                    const auto r = std::size_t(pattern.row[std::size_t(e)]);
                    double value = point_hessian_[std::size_t(e)];
                    if (r == time || c == time) {
                        if (!free_duration()) continue;
                        value *= r == c ? fraction * fraction : fraction;
                    }
                    add(variable(r), variable(c), value);
                }
            if (!free_duration()) continue;
            // The defects have T f: ∂²/∂T∂z = f_z, ∂²/∂T² = 2 f_t.
            const Point& p = points_[point];
            std::fill(by_duration.begin(), by_duration.end(), 0);
            double twice = 0;
            for (std::size_t s = 0; s < n_; ++s) {
                const double weight = -h * multipliers[point * n_ + s] * row_scale_[point * n_ + s];
                for (const auto& [column, element] : by_row_[s])
                    by_duration[column] += weight * p.elements[element];
                twice += 2 * weight * p.by_time[s] * fraction;
            }
            for (std::size_t d = 0; d < time; ++d) add(variable_count_ - 1, variable(d), by_duration[d]);
            add(variable_count_ - 1, variable_count_ - 1, twice);
        }
    visit_smoothing([&](double weight, const auto& form) {
        for (std::size_t a = 0; a < form.size(); ++a)
            for (std::size_t b = 0; b <= a; ++b)
                values[hessian_places_[visit++]] += 2 * factor * weight * form[a].second * form[b].second;
    });
    return true;
}

NonlinearProgram ControlTranscription::program(const ControlSolution& guess, bool exact) {
    NonlinearProgram nlp;
    nlp.start.assign(variable_count_, 0);
    nlp.lower.assign(variable_count_, -unlimited);
    nlp.upper.assign(variable_count_, unlimited);
    const auto set = [&](std::size_t v, double value, const Interval& range) {
        nlp.start[v] = value / scale_[v];
        nlp.lower[v] = range.lower / scale_[v];
        nlp.upper[v] = range.upper / scale_[v];
    };
    for (std::size_t s = 0; s < n_; ++s) {
        const double value = problem_.start_depends ? guess.states[s] : problem_.initial[s];
        set(s, value, problem_.start_depends ? problem_.states[s] : Interval{value, value});
    }
    for (std::size_t i = 0; i < intervals(); ++i)
        for (std::size_t k = 1; k <= scheme_.stages; ++k) {
            const std::size_t point = i * scheme_.stages + k - 1;
            for (std::size_t s = 0; s < n_; ++s)
                set(x_index(i, k, s), guess.states[n_ + point * n_ + s], problem_.states[s]);
            for (std::size_t p = 0; p < m_; ++p)
                set(open_index(i, k, p), guess.inputs[point * m_ + p], problem_.open[p]);
        }
    for (std::size_t p = m_; p < m_ + constants_; ++p)
        set(open_index(0, 1, p), guess.parameters[p - m_], problem_.open[p]);
    if (free_duration()) set(variable_count_ - 1, guess.duration, problem_.duration);

    nlp.constraint_lower.assign(constraint_count_, 0);
    nlp.constraint_upper.assign(constraint_count_, 0);
    const auto limit = [&](std::size_t row, const Interval& range) {
        nlp.constraint_lower[row] = range.lower * row_scale_[row];
        nlp.constraint_upper[row] = range.upper * row_scale_[row];
    };
    for (std::size_t i = 0; i < intervals(); ++i)
        for (std::size_t k = 1; k <= scheme_.stages; ++k)
            for (std::size_t c = 0; c < path_.size(); ++c)
                limit(path_row(i, k, c), problem_.conditions[path_[c]].range);
    for (std::size_t c = 0; c < end_.size(); ++c) limit(end_row(c), problem_.conditions[end_[c]].range);

    const std::size_t last = points_.size() - 1;
    nlp.objective = [this, last](NonlinearProgram::Point x, double& value) {
        if (!evaluate(x, false)) return false;
        value = problem_.sign * points_[last].rows[n_ + problem_.objective] + smoothing(x);
        return true;
    };
    nlp.gradient = [this](NonlinearProgram::Point x, std::span<double> gradient) {
        if (!evaluate(x, true)) return false;
        std::fill(gradient.begin(), gradient.end(), 0);
        visit_row(intervals() - 1, scheme_.stages, n_ + problem_.objective, problem_.sign,
                  [&](std::size_t v, double value) { gradient[v] += value * scale_[v]; });
        visit_smoothing([&](double factor, const auto& form) {
            double value = 0;
            for (const auto& [v, a] : form) value += a * x[v];
            for (const auto& [v, a] : form) gradient[v] += 2 * factor * value * a;
        });
        return true;
    };
    nlp.constraints = [this](NonlinearProgram::Point x, std::span<double> values) {
        if (!evaluate(x, false)) return false;
        const double t = duration(x);
        for (std::size_t i = 0; i < intervals(); ++i)
            for (std::size_t k = 1; k <= scheme_.stages; ++k) {
                const Point& p = points_[i * scheme_.stages + k - 1];
                for (std::size_t s = 0; s < n_; ++s) {
                    const std::size_t row = (i * scheme_.stages + k - 1) * n_ + s;
                    double sum = -fraction_length(i) * t * p.rows[s];
                    for (std::size_t l = 0; l <= scheme_.stages; ++l) {
                        const std::size_t v = x_index(i, l, s);
                        sum += scheme_.d(k - 1, l) * x[v] * scale_[v];
                    }
                    values[row] = sum * row_scale_[row];
                }
                for (std::size_t c = 0; c < path_.size(); ++c)
                    values[path_row(i, k, c)] = p.rows[n_ + problem_.conditions[path_[c]].output];
            }
        for (std::size_t c = 0; c < end_.size(); ++c)
            values[end_row(c)] = points_.back().rows[n_ + problem_.conditions[end_[c]].output];
        if (problem_.start_depends)
            for (std::size_t s = 0; s < n_; ++s)
                values[start_rows_ + s] = (x[s] * scale_[s] - start_[s]) * row_scale_[start_rows_ + s];
        return true;
    };
    visit_jacobian({}, [&](std::size_t row, std::size_t v, double) { jacobian_places_.add(row, v); });
    nlp.jacobian_pattern = jacobian_places_.finish(constraint_count_, variable_count_);
    nlp.jacobian = [this](NonlinearProgram::Point x, std::span<double> values) {
        if (!evaluate(x, true)) return false;
        std::fill(values.begin(), values.end(), 0);
        std::size_t visit = 0;
        visit_jacobian(x, [&](std::size_t row, std::size_t v, double value) {
            values[jacobian_places_[visit++]] += value * row_scale_[row] * scale_[v];
        });
        return true;
    };
    if (exact) {
        visit_hessian_places(
            [&](std::size_t a, std::size_t b) { hessian_places_.add(std::max(a, b), std::min(a, b)); });
        nlp.hessian_pattern = hessian_places_.finish(variable_count_, variable_count_);
        nlp.hessian = [this](NonlinearProgram::Point x, double factor, std::span<const double> multipliers,
                             std::span<double> values) { return hessian(x, factor, multipliers, values); };
    }
    return nlp;
}

ControlSolution ControlTranscription::solution(std::span<const double> x) const {
    ControlSolution result;
    result.mesh = mesh_;
    result.stages = scheme_.stages;
    for (std::size_t s = 0; s < n_; ++s) result.states.push_back(x[s] * scale_[s]);
    for (std::size_t i = 0; i < intervals(); ++i)
        for (std::size_t k = 1; k <= scheme_.stages; ++k) {
            for (std::size_t s = 0; s < n_; ++s) {
                const std::size_t v = x_index(i, k, s);
                result.states.push_back(x[v] * scale_[v]);
            }
            for (std::size_t p = 0; p < m_; ++p) {
                const std::size_t v = open_index(i, k, p);
                result.inputs.push_back(x[v] * scale_[v]);
            }
        }
    for (std::size_t p = m_; p < m_ + constants_; ++p) {
        const std::size_t v = open_index(0, 1, p);
        result.parameters.push_back(x[v] * scale_[v]);
    }
    result.duration = duration(x);
    return result;
}

}  // namespace cutset
