#include "driver/optimize.h"

#include <fmt/format.h>

#include <Eigen/Dense>
#include <algorithm>
#include <cmath>
#include <map>

#include "driver/optimize_messages.h"

namespace cutset {

namespace {

constexpr std::size_t extreme_grid = 400;  // intervals in which maxima along the run are looked for
constexpr int most_refinements = 6;        // of the grid of limits along the run
constexpr std::size_t finer = 10;          // how much finer the solution is looked at

// A number and its derivatives by the parameters.
struct Number {
    double value = 0;
    std::vector<double> by;
};

struct Evaluation {
    std::vector<double> at;  // parameters
    bool good = false, has_derivatives = false;
    std::string problem;
    Number objective;
    std::vector<Number> limits;              // by limit that is a number
    std::vector<std::vector<Number>> along;  // by limit along the run, then by time of the grid
};

double halton(std::size_t index, std::size_t base) {
    double f = 1, r = 0;
    for (std::size_t i = index; i > 0; i /= base) {
        f /= static_cast<double>(base);
        r += f * static_cast<double>(i % base);
    }
    return r;
}

std::size_t prime(std::size_t n) {
    std::size_t p = 2;
    for (std::size_t found = 0;; ++p) {
        bool is = true;
        for (std::size_t d = 2; d * d <= p && is; ++d) is = p % d != 0;
        if (is && found++ == n) return p;
    }
}

// Nothing in it changes with time.
bool is_static(const FlatModel& model) {
    bool moves = !model.whens.empty();
    for (const Equation& e : model.equations)
        for (Expr side : {e.left, e.right})
            for_each_node(side, [&](Expr node) {
                moves = moves || node->op == Op::Time || node->op == Op::Delay || node->op == Op::Sample ||
                        (node->op == Op::Variable && node->order > 0);
            });
    return !moves;
}

class Optimization {
  public:
    Optimization(Workspace& workspace, const OptimizeSettings& settings)
        : workspace_(workspace), settings_(settings) {}

    std::optional<OptimizeResult> run();

  private:
    bool prepare();
    void set_grid(std::vector<double> grid);
    Number measure(std::size_t k, const ParametricRuns::Outcome& outcome, bool derivatives, bool& good) const;
    Number criterion(const Criterion& c, const std::vector<Number>& measures, bool derivatives);
    Evaluation evaluate(std::span<const double> p, bool derivatives);
    const Evaluation& at(std::span<const double> u, bool derivatives);
    std::vector<double> parameters(std::span<const double> u) const;
    NonlinearProgram make_program(const std::vector<double>& start, double bound_start);
    OptimizerResult solve(const std::vector<double>& start, std::string& problem);
    bool refine(const std::vector<double>& p);
    void add_multipliers(OptimizerResult& solved);
    void fill(OptimizeResult& result, const OptimizerResult& solved);
    void report(OptimizeResult& result);
    std::size_t n() const { return ranges_.size(); }
    std::size_t scalars() const { return criterion_limits_.size(); }
    std::size_t constraint_count() const {
        return scalars() + (along_.size() + (epigraph_ ? 1 : 0)) * grid_.size();
    }

    Workspace& workspace_;
    OptimizeSettings settings_;
    std::unique_ptr<Criteria> criteria_;
    std::unique_ptr<ParametricRuns> runs_;
    std::vector<ParameterRange> ranges_;
    Criterion objective_;
    std::vector<Limit> limits_;
    std::vector<std::size_t> criterion_limits_, along_;  // numbers of limits
    std::optional<std::size_t> epigraph_;                // output whose maximum is the objective
    std::vector<VariableIndex> outputs_;
    std::vector<std::size_t> measure_output_, along_output_;
    std::vector<double> grid_, times_;
    std::vector<std::size_t> grid_rows_;
    std::vector<double> sizes_;         // of parameters
    double objective_scale_ = 1;        // sign included
    std::vector<double> limit_scales_;  // by limit
    OptimizerMethod method_ = OptimizerMethod::Ipopt;
    ParametricRuns::Derivatives mode_ = ParametricRuns::Derivatives::Forward;
    std::vector<Evaluation> recent_;
    std::size_t iterations_ = 0;
    std::map<std::pair<std::size_t, std::size_t>, Expr> partial_;  // by expression and measure
};

bool Optimization::prepare() {
    ParametricSettings& runs = settings_.runs;
    const std::size_t errors = workspace_.diagnostics.error_count();
    runs.open.clear();
    for (const ParameterRange& r : settings_.over) runs.open.push_back(r.path);
    const auto interpret = [&](bool still) {
        runs.experiment.quantities.clear();
        limits_.clear();
        criteria_ = std::make_unique<Criteria>(workspace_, runs.experiment, still);
        const auto objective =
            criteria_->value(settings_.maximize ? "--maximize" : "--minimize", settings_.objective);
        if (objective) objective_ = *objective;
        for (const auto* list : {&settings_.limits, &settings_.end_limits})
            for (const std::string& text : *list)
                if (auto limit = criteria_->limit(list == &settings_.limits ? "--subject" : "--end", text,
                                                  list == &settings_.end_limits))
                    limits_.push_back(std::move(*limit));
        return workspace_.diagnostics.error_count() == errors;
    };
    if (!runs.start_only) {
        const std::optional<FlatModel> flat = workspace_.flatten(runs.model, runs.experiment);
        if (!flat) return false;
        runs.start_only = is_static(*flat);
    }
    if (!interpret(runs.start_only)) return false;
    runs_ = ParametricRuns::make(workspace_, runs);
    if (!runs_) return false;
    if (!complete_ranges(settings_.over, "--over", runs_->parameters(), ranges_, workspace_.diagnostics))
        return false;
    std::map<std::string, std::size_t> places;
    const auto output = [&](const std::string& quantity) {
        const auto [it, fresh] = places.try_emplace(quantity, outputs_.size());
        if (fresh) outputs_.push_back(runs_->find(quantity).front());
        return it->second;
    };
    const std::optional<std::string> maximum = criteria_->only_maximum(objective_);
    for (const Measure& m : criteria_->measures()) {
        measure_output_.push_back(output(m.quantity));
        if (m.kind == Measure::Kind::At &&
            !(m.time >= settings_.runs.run.start && m.time <= settings_.runs.run.stop))
            workspace_.diagnostics.report(optimize_messages::time_outside(
                m.text, m.time, settings_.runs.run.start, settings_.runs.run.stop));
    }
    if (workspace_.diagnostics.error_count() > errors) return false;
    if (maximum && !settings_.maximize) epigraph_ = output(*maximum);
    for (std::size_t i = 0; i < limits_.size(); ++i) {
        if (limits_[i].along) {
            along_.push_back(i);
            along_output_.push_back(output(*limits_[i].along));
        } else {
            criterion_limits_.push_back(i);
        }
    }
    for (const ParameterRange& r : ranges_) {
        double size = std::abs(*r.guess);
        if (size == 0 && r.lower && r.upper && std::isfinite(*r.lower) && std::isfinite(*r.upper))
            size = std::max(std::abs(*r.lower), std::abs(*r.upper));
        sizes_.push_back(size > 0 && std::isfinite(size) ? size : 1);
    }
    std::vector<double> grid;
    const double start = settings_.runs.run.start, stop = settings_.runs.run.stop;
    for (std::size_t k = 0; k <= settings_.grid; ++k)
        grid.push_back(start + (stop - start) * static_cast<double>(k) / static_cast<double>(settings_.grid));
    set_grid(along_.empty() && !epigraph_ ? std::vector<double>() : grid);
    return true;
}

void Optimization::set_grid(std::vector<double> grid) {
    const double start = settings_.runs.run.start, stop = settings_.runs.run.stop;
    grid_ = std::move(grid);
    times_ = grid_;
    for (const Measure& m : criteria_->measures()) {
        if (m.kind == Measure::Kind::At) times_.push_back(m.time);
        if (m.kind == Measure::Kind::Maximum || m.kind == Measure::Kind::Minimum)
            for (std::size_t k = 0; k <= extreme_grid; ++k)
                times_.push_back(start + (stop - start) * static_cast<double>(k) / extreme_grid);
    }
    std::sort(times_.begin(), times_.end());
    times_.erase(std::unique(times_.begin(), times_.end()), times_.end());
    grid_rows_.clear();
    for (double t : grid_)
        grid_rows_.push_back(
            static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), t) - times_.begin()));
    recent_.clear();
}

Number Optimization::measure(std::size_t k, const ParametricRuns::Outcome& outcome, bool derivatives,
                             bool& good) const {
    const Measure& m = criteria_->measures()[k];
    const std::size_t output = measure_output_[k];
    const auto of = [&](const SensitivityRow& row) {
        Number number;
        number.value = row.values[output];
        if (derivatives)
            number.by.assign(row.derivatives.begin() + static_cast<std::ptrdiff_t>(output * n()),
                             row.derivatives.begin() + static_cast<std::ptrdiff_t>((output + 1) * n()));
        return number;
    };
    if (m.kind == Measure::Kind::End) return of(outcome.end);
    if (m.kind == Measure::Kind::At) {
        const auto row =
            static_cast<std::size_t>(std::lower_bound(times_.begin(), times_.end(), m.time) - times_.begin());
        if (row < outcome.rows.size()) return of(outcome.rows[row]);
        good = false;  // the run ended before
        return {};
    }
    // The extreme among the rows, then of the parabola through it and its neighbours. Its place moves with
    // the parameters, but to first order that does not change the value.
    const double sign = m.kind == Measure::Kind::Maximum ? 1 : -1;
    const std::vector<SensitivityRow>& rows = outcome.rows;
    if (rows.empty()) return of(outcome.end);
    std::size_t best = 0;
    for (std::size_t r = 1; r < rows.size(); ++r)
        if (sign * rows[r].values[output] > sign * rows[best].values[output]) best = r;
    Number extreme = of(rows[best]);
    if (best == 0 || best + 1 == rows.size()) return extreme;
    const SensitivityRow &a = rows[best - 1], &b = rows[best], &c = rows[best + 1];
    const double ya = a.values[output], yb = b.values[output], yc = c.values[output];
    const double da = a.time - b.time, dc = c.time - b.time;
    const double slope_a = (ya - yb) / da, slope_c = (yc - yb) / dc;
    const double curvature = (slope_c - slope_a) / (dc - da);
    const double slope = slope_a - curvature * da;
    if (!(sign * curvature < 0)) return extreme;
    const double t = std::clamp(-slope / (2 * curvature), da, dc);
    const double wa = t * (t - dc) / (da * (da - dc)), wc = t * (t - da) / (dc * (dc - da)), wb = 1 - wa - wc;
    const Number left = of(a), right = of(c);
    extreme.value = wa * ya + wb * yb + wc * yc;
    for (std::size_t j = 0; j < extreme.by.size(); ++j)
        extreme.by[j] = wa * left.by[j] + wb * extreme.by[j] + wc * right.by[j];
    return extreme;
}

Number Optimization::criterion(const Criterion& c, const std::vector<Number>& measures, bool derivatives) {
    Environment environment;
    environment.leaf = [&](Expr leaf) -> std::optional<double> {
        if (leaf->op != Op::Variable) return std::nullopt;
        return measures[leaf->index].value;
    };
    Number number;
    number.value = cutset::evaluate(c.value, environment).value_or(std::numeric_limits<double>::quiet_NaN());
    if (!derivatives) return number;
    number.by.assign(n(), 0);
    for_each_leaf(c.value, [&](Expr leaf) {
        auto& partial = partial_[{c.value->id, leaf->index}];
        if (!partial) partial = differentiate(criteria_->pool(), c.value, leaf);
        const double d = cutset::evaluate(partial, environment).value_or(0);
        for (std::size_t j = 0; j < n(); ++j) number.by[j] += d * measures[leaf->index].by[j];
    });
    return number;
}

Evaluation Optimization::evaluate(std::span<const double> p, bool derivatives) {
    Evaluation e;
    e.at.assign(p.begin(), p.end());
    e.has_derivatives = derivatives;
    const ParametricRuns::Outcome outcome =
        runs_->run(p, outputs_, times_, derivatives ? mode_ : ParametricRuns::Derivatives::None);
    e.good = outcome.good;
    e.problem = outcome.problem;
    if (!e.good) return e;
    std::vector<Number> measures;
    for (std::size_t k = 0; k < criteria_->measures().size(); ++k) {
        measures.push_back(measure(k, outcome, derivatives, e.good));
        if (!e.good) {
            e.problem = "the run ended before " + criteria_->measures()[k].text;
            return e;
        }
    }
    e.objective = criterion(objective_, measures, derivatives);
    for (std::size_t i : criterion_limits_)
        e.limits.push_back(criterion(limits_[i].value, measures, derivatives));
    std::vector<std::size_t> followed = along_output_;
    if (epigraph_) followed.push_back(*epigraph_);
    for (std::size_t output : followed) {
        std::vector<Number>& list = e.along.emplace_back();
        for (std::size_t r : grid_rows_) {
            // A run that the model ended keeps its last values.
            const SensitivityRow& row = r < outcome.rows.size() ? outcome.rows[r] : outcome.end;
            Number& number = list.emplace_back();
            number.value = row.values[output];
            if (derivatives)
                number.by.assign(row.derivatives.begin() + static_cast<std::ptrdiff_t>(output * n()),
                                 row.derivatives.begin() + static_cast<std::ptrdiff_t>((output + 1) * n()));
        }
    }
    if (!std::isfinite(e.objective.value)) {
        e.good = false;
        e.problem = "the objective is not a finite number";
    }
    return e;
}

std::vector<double> Optimization::parameters(std::span<const double> u) const {
    std::vector<double> p(n());
    for (std::size_t j = 0; j < n(); ++j) {
        p[j] = u[j] * sizes_[j];
        // Rounding must not pass a bound.
        if (ranges_[j].lower) p[j] = std::max(p[j], *ranges_[j].lower);
        if (ranges_[j].upper) p[j] = std::min(p[j], *ranges_[j].upper);
    }
    return p;
}

const Evaluation& Optimization::at(std::span<const double> u, bool derivatives) {
    const std::vector<double> p = parameters(u);
    for (Evaluation& e : recent_)
        if (e.at == p && (e.has_derivatives || !derivatives || !e.good)) return e;
    if (recent_.size() > 4) recent_.erase(recent_.begin());
    recent_.push_back(evaluate(p, derivatives));
    if (settings_.progress && recent_.back().good)
        settings_.progress(runs_->runs(), recent_.back().objective.value, 0);
    return recent_.back();
}

// In scaled variables u = p / size; with an epigraph the last variable bounds what the objective is the
// maximum of.
NonlinearProgram Optimization::make_program(const std::vector<double>& start, double bound_start) {
    NonlinearProgram program;
    const std::size_t count = n() + (epigraph_ ? 1 : 0);
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
    const std::size_t last = count - 1;
    program.objective = [this, last](std::span<const double> u, double& value) {
        if (epigraph_) {
            value = u[last];
            return true;
        }
        const Evaluation& e = at(u, false);
        value = e.good ? e.objective.value * objective_scale_ : 0;
        return e.good;
    };
    program.gradient = [this, last](std::span<const double> u, std::span<double> g) {
        if (epigraph_) {
            std::fill(g.begin(), g.end(), 0.0);
            g[last] = 1;
            return true;
        }
        const Evaluation& e = at(u, true);
        for (std::size_t j = 0; e.good && j < n(); ++j)
            g[j] = e.objective.by[j] * objective_scale_ * sizes_[j];
        return e.good;
    };
    program.constraints = [this, last](std::span<const double> u, std::span<double> c) {
        const Evaluation& e = at(u, false);
        if (!e.good) return false;
        std::size_t row = 0;
        for (std::size_t k = 0; k < scalars(); ++k)
            c[row++] = e.limits[k].value * limit_scales_[criterion_limits_[k]];
        for (std::size_t k = 0; k < along_.size(); ++k)
            for (const Number& v : e.along[k]) c[row++] = v.value * limit_scales_[along_[k]];
        if (epigraph_)
            for (const Number& v : e.along.back()) c[row++] = v.value * objective_scale_ - u[last];
        return true;
    };
    program.jacobian_pattern = full_pattern(constraint_count(), count);
    program.jacobian = [this, count](std::span<const double> u, std::span<double> values) {
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
        if (epigraph_) undefined.x.push_back(0);
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

// For methods that have none: those with which the gradients of what is active come nearest to that of the
// objective.
void Optimization::add_multipliers(OptimizerResult& solved) {
    if (solved.lower_multipliers.size() >= n() || !runs_->inexact().empty()) return;
    const Evaluation& e = at(solved.x, true);
    if (!e.good || !e.has_derivatives || epigraph_) return;
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
    const Eigen::VectorXd found = matrix.completeOrthogonalDecomposition().solve(-gradient);
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
    if (e.good) {
        result.objective = e.objective.value;
        if (epigraph_)
            for (const Number& v : e.along.back()) result.objective = std::max(result.objective, v.value);
    }
    for (std::size_t j = 0; j < n(); ++j) {
        OptimizedValue v;
        v.parameter = runs_->parameters()[j];
        v.before = *ranges_[j].guess;
        v.value = p[j];
        v.lower = ranges_[j].lower.value_or(-unlimited);
        v.upper = ranges_[j].upper.value_or(unlimited);
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

void Optimization::report(OptimizeResult& result) {
    Diagnostics& diagnostics = workspace_.diagnostics;
    std::vector<std::string> broken, at_bounds, growing, values;
    for (const OptimizedLimit& l : result.limits)
        if (!l.kept)
            broken.push_back(
                l.time ? fmt::format("{} ({} = {:.6g} at time {:.6g})", l.text, l.left, l.value, *l.time)
                       : fmt::format("{} ({} = {:.6g})", l.text, l.left, l.value));
    for (std::size_t j = 0; j < result.values.size(); ++j) {
        const OptimizedValue& v = result.values[j];
        if (v.at_lower || v.at_upper)
            at_bounds.push_back(fmt::format("{} = {:.6g}", v.parameter.path, v.value));
        if (std::abs(v.value) > 100 * sizes_[j])
            growing.push_back(fmt::format("{} = {:.3g}", v.parameter.path, v.value));
        values.push_back(fmt::format("{} = {:.6g}", v.parameter.path, v.value));
    }
    if (result.status <= OptimizerStatus::Acceptable && !broken.empty())
        result.status = OptimizerStatus::Infeasible;
    if (result.status == OptimizerStatus::Limit &&
        std::any_of(result.values.begin(), result.values.end(),
                    [](const OptimizedValue& v) { return std::abs(v.value) > 1e10; }))
        result.status = OptimizerStatus::Unbounded;
    if (result.status > OptimizerStatus::Acceptable) {
        for (OptimizedValue& v : result.values) v.multiplier = 0;
        for (OptimizedLimit& l : result.limits) l.multiplier = 0;
    }
    switch (result.status) {
        case OptimizerStatus::Solved:
            break;
        case OptimizerStatus::Acceptable:
            if (result.message != "an optimum was found")
                diagnostics.report(optimize_messages::roughly(result.message));
            break;
        case OptimizerStatus::Infeasible:
            diagnostics.report(optimize_messages::infeasible(broken, at_bounds));
            break;
        case OptimizerStatus::Unbounded:
            diagnostics.report(optimize_messages::unbounded(settings_.objective, growing));
            break;
        case OptimizerStatus::Limit:
            diagnostics.report(optimize_messages::limit_of_iterations(result.message));
            break;
        case OptimizerStatus::Undefined:
            diagnostics.report(optimize_messages::not_defined_at_start(result.message, values));
            break;
        case OptimizerStatus::Interrupted:
        case OptimizerStatus::Failed:
            diagnostics.report(optimize_messages::no_optimum(result.message));
            break;
    }
}

std::optional<OptimizeResult> Optimization::run() {
    if (!prepare()) return std::nullopt;
    Diagnostics& diagnostics = workspace_.diagnostics;
    const MethodDescription* description = nullptr;
    method_ = settings_.method.value_or(OptimizerMethod::Ipopt);
    for (const MethodDescription& d : optimizer_list())
        if (d.method == method_) description = &d;
    const bool conditions = !limits_.empty() || epigraph_;
    if (conditions && !description->constraints) {
        if (limits_.empty()) {
            epigraph_.reset();
            set_grid({});
        } else {
            diagnostics.report(optimize_messages::method_without_limits(std::string(description->name)));
            return std::nullopt;
        }
    }
    std::vector<std::string> without;
    for (const ParameterRange& r : ranges_)
        if (!std::isfinite(r.lower.value_or(-unlimited)) || !std::isfinite(r.upper.value_or(unlimited)))
            without.push_back(r.path);
    if (!without.empty() && (description->whole_box || settings_.starts > 1)) {
        diagnostics.report(optimize_messages::needs_bounds(
            settings_.starts > 1 ? "--starts" : "--method " + std::string(description->name), without));
        return std::nullopt;
    }
    // Backward in time pays with many parameters and few numbers at the end.
    std::size_t at_end = criteria_->measures().size();
    if (times_.empty() && n() >= 10 * std::max<std::size_t>(at_end, 1))
        mode_ = ParametricRuns::Derivatives::Adjoint;
    if (settings_.derivatives) mode_ = *settings_.derivatives;
    if (!times_.empty() && mode_ == ParametricRuns::Derivatives::Adjoint)
        mode_ = ParametricRuns::Derivatives::Forward;

    OptimizeResult result;
    std::vector<double> guess;
    for (const ParameterRange& r : ranges_) guess.push_back(*r.guess);
    limit_scales_.assign(limits_.size(), 1);
    objective_scale_ = settings_.maximize ? -1 : 1;
    // Scales from the first values, so that tolerances mean the same for every unit.
    const Evaluation first = evaluate(guess, description->derivatives);
    if (first.good) {
        result.before = first.objective.value;
        result.objective_known_before = true;
        const auto size = [&](const Number& v) {
            double largest = std::abs(v.value);
            for (std::size_t j = 0; j < v.by.size(); ++j)
                if (std::isfinite(v.by[j])) largest = std::max(largest, std::abs(v.by[j]) * sizes_[j]);
            return largest > 1e-100 && std::isfinite(largest) ? largest : 1;
        };
        objective_scale_ /= size(first.objective);
        for (std::size_t k = 0; k < scalars(); ++k) {
            const Limit& l = limits_[criterion_limits_[k]];
            const double bound = std::isfinite(l.upper) ? std::abs(l.upper) : std::abs(l.lower);
            limit_scales_[criterion_limits_[k]] = 1 / std::max(size(first.limits[k]), bound);
        }
        for (std::size_t k = 0; k < along_.size(); ++k) {
            const Limit& l = limits_[along_[k]];
            double largest = std::isfinite(l.upper) ? std::abs(l.upper) : std::abs(l.lower);
            for (const Number& v : first.along[k]) largest = std::max(largest, std::abs(v.value));
            limit_scales_[along_[k]] = largest > 0 ? 1 / largest : 1;
        }
        if (first.has_derivatives) {
            std::vector<std::string> idle;
            for (std::size_t j = 0; j < n(); ++j) {
                bool acts = first.objective.by[j] != 0;
                for (const Number& v : first.limits) acts = acts || v.by[j] != 0;
                for (const auto& list : first.along)
                    for (const Number& v : list) acts = acts || v.by[j] != 0;
                if (!acts) idle.push_back(ranges_[j].path);
            }
            if (idle.size() == n() || (!idle.empty() && runs_->inexact().empty()))
                diagnostics.report(optimize_messages::no_influence(
                    idle, limits_.empty() ? "the objective at the first values"
                                          : "the objective and the conditions at the first values"));
        }
        if (description->derivatives && !runs_->inexact().empty() && !settings_.method) {
            method_ = limits_.empty() ? OptimizerMethod::Bobyqa : OptimizerMethod::Cobyla;
            if (limits_.empty() && epigraph_) {
                epigraph_.reset();
                set_grid({});
            }
            diagnostics.report(optimize_messages::inexact_derivatives(
                runs_->inexact(), "a method without derivatives is used"));
        } else if (description->derivatives && !runs_->inexact().empty()) {
            diagnostics.report(optimize_messages::inexact_derivatives(
                runs_->inexact(), "difference quotients of runs are used"));
        }
    } else if (!description->whole_box && settings_.starts <= 1) {
        std::vector<std::string> values;
        for (std::size_t j = 0; j < n(); ++j)
            values.push_back(fmt::format("{} = {:.6g}", ranges_[j].path, guess[j]));
        diagnostics.report(optimize_messages::not_defined_at_start(first.problem, values));
        return std::nullopt;
    }

    std::optional<OptimizerResult> best;
    std::string problem;
    const auto better = [&](const OptimizerResult& a, const OptimizerResult& b) {
        const auto rank = [](const OptimizerResult& r) {
            return r.status <= OptimizerStatus::Acceptable ? 0 : r.status == OptimizerStatus::Limit ? 1 : 2;
        };
        if (rank(a) != rank(b)) return rank(a) < rank(b);
        return rank(a) < 2 ? a.objective < b.objective : a.violation < b.violation;
    };
    // Without conditions nothing excuses an end that is worse than the beginning.
    const auto worse_than_first = [&](const OptimizerResult& r) {
        const double begin = first.objective.value * objective_scale_;
        return first.good && limit_scales_.empty() && r.status <= OptimizerStatus::Acceptable &&
               r.objective > begin + 1e-9 * std::abs(begin);
    };
    for (std::size_t s = 0; s < std::max<std::size_t>(settings_.starts, 1); ++s) {
        std::vector<double> start = guess;
        for (std::size_t j = 0; s > 0 && j < n(); ++j)
            start[j] = *ranges_[j].lower + (*ranges_[j].upper - *ranges_[j].lower) * halton(s, prime(j));
        OptimizerResult solved = solve(start, problem);
        if (!problem.empty()) {
            diagnostics.report(optimize_messages::no_module(problem));
            return std::nullopt;
        }
        result.iterations += solved.iterations;
        // Where an interior method finds no way, as at kinks, a sequential one may.
        if (method_ == OptimizerMethod::Ipopt && !settings_.method &&
            (worse_than_first(solved) || solved.status == OptimizerStatus::Limit ||
             solved.status == OptimizerStatus::Failed || solved.status == OptimizerStatus::Infeasible ||
             solved.status == OptimizerStatus::Acceptable)) {
            method_ = OptimizerMethod::Slsqp;
            const OptimizerResult second =
                solve(solved.status == OptimizerStatus::Infeasible || worse_than_first(solved)
                          ? start
                          : parameters(solved.x),
                      problem);
            method_ = OptimizerMethod::Ipopt;
            result.iterations += second.iterations;
            const bool as_good = solved.status > OptimizerStatus::Acceptable || worse_than_first(solved) ||
                                 second.objective <= solved.objective + 1e-4 * std::abs(solved.objective);
            if (second.status <= OptimizerStatus::Acceptable && as_good &&
                !(second.violation > 10 * settings_.tolerance))
                solved = second;
        }
        if (settings_.starts > 1)
            result.starts.push_back(solved.status <= OptimizerStatus::Acceptable
                                        ? solved.objective / objective_scale_
                                        : std::numeric_limits<double>::quiet_NaN());
        if (!best || better(solved, *best)) best = std::move(solved);
        if (best->status == OptimizerStatus::Interrupted) break;
        if (settings_.runs.run.interrupt && *settings_.runs.run.interrupt) break;
    }
    if (worse_than_first(*best)) {
        best->status = OptimizerStatus::Failed;
        best->message =
            "the search ended at a value worse than the first: the objective may have kinks or steps";
    }
    for (int round = 0; round < most_refinements && best->status <= OptimizerStatus::Acceptable; ++round) {
        if (!refine(parameters(best->x))) break;
        const OptimizerMethod first_method = method_;
        // From nearby a sequential method needs the fewest runs.
        if (!settings_.method && method_ == OptimizerMethod::Ipopt) method_ = OptimizerMethod::Slsqp;
        OptimizerResult again = solve(parameters(best->x), problem);
        method_ = first_method;
        if (again.status > OptimizerStatus::Acceptable) again = solve(parameters(best->x), problem);
        result.iterations += again.iterations;
        best = again;
    }
    add_multipliers(*best);
    fill(result, *best);
    report(result);
    for (const MethodDescription& d : optimizer_list())
        if (d.method == method_) {
            result.method = d.name;
            if (d.derivatives)
                result.derivatives = !runs_->inexact().empty()                       ? "differences"
                                     : mode_ == ParametricRuns::Derivatives::Adjoint ? "adjoint"
                                                                                     : "forward";
        }
    result.runs = runs_->runs();
    result.model = std::move(runs_);
    return result;
}

}  // namespace

std::optional<OptimizeResult> optimize_parameters(Workspace& workspace, const OptimizeSettings& settings) {
    return Optimization(workspace, settings).run();
}

}  // namespace cutset
