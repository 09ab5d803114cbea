#include <algorithm>
#include <cmath>

#include "operations/estimation/optimization.h"
#include "operations/estimation/optimize_messages.h"
#include "translate/translator.h"

namespace cutset::optimization {

namespace {

constexpr std::size_t extreme_grid = 400;  // intervals in which maxima along the run are looked for

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

}  // namespace

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
        const std::optional<FlatModel> flat =
            Translator(workspace_).flatten(runs.model, runs.experiment, workspace_.diagnostics);
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
    separate_kinks();
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

// Terms that are convex in the sense of the search; others stay as they are.
void Optimization::separate_kinks() {
    Pool& pool = criteria_->pool();
    const Expr whole = objective_.value;
    std::vector<Expr> rest;
    const std::vector<Expr> terms = whole->op == Op::Add
                                        ? std::vector<Expr>(whole->args().begin(), whole->args().end())
                                        : std::vector<Expr>{whole};
    for (Expr term : terms) {
        double factor = 1;
        Expr e = term;
        if (term->op == Op::Multiply && term->argument_count == 2 && term->arg(0)->is_number()) {
            factor = term->arg(0)->number;
            e = term->arg(1);
        }
        const double rising = settings_.maximize ? -factor : factor;
        Kink kink;
        const auto branch = [&](Expr value, double by) {
            Criterion c;
            c.value = pool.multiply(pool.number(by), value);
            kink.branches.push_back(std::move(c));
        };
        if (e->op == Op::Abs && rising > 0) {
            branch(e->arg(0), rising);
            branch(e->arg(0), -rising);
        } else if ((e->op == Op::Max && rising > 0) || (e->op == Op::Min && rising < 0)) {
            for (Expr a : e->args()) branch(a, rising);
        }
        if (kink.branches.empty())
            rest.push_back(term);
        else
            kinks_.push_back(std::move(kink));
    }
    smooth_.value = pool.add(rest);
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
    if (!kinks_.empty()) e.smooth = criterion(smooth_, measures, derivatives);
    for (const Kink& kink : kinks_) {
        e.kinks.emplace_back();
        for (const Criterion& c : kink.branches)
            e.kinks.back().push_back(criterion(c, measures, derivatives));
    }
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
    for (std::size_t j = 0; derivatives && j < n(); ++j) {
        const auto moves = [&](const Number& v) {
            return std::abs(v.by[j]) * sizes_[j] > 1e-13 * std::abs(v.value);
        };
        acts_[j] = acts_[j] || moves(e.objective) || std::any_of(e.limits.begin(), e.limits.end(), moves);
        for (const auto& list : e.along) acts_[j] = acts_[j] || std::any_of(list.begin(), list.end(), moves);
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

double Optimization::objective_of(const Evaluation& e) const {
    double value = e.objective.value;
    if (epigraph_)
        for (const Number& v : e.along.back()) value = std::max(value, v.value);
    return value;
}

// By how much the condition that is broken most is broken, as the optimizer sees it; 0 within its tolerance.
double Optimization::violation_of(const Evaluation& e) const {
    double worst = 0;
    const auto look = [&](const Number& v, std::size_t limit) {
        const double beyond = std::max(v.value - limits_[limit].upper, limits_[limit].lower - v.value);
        worst = std::max(worst, beyond * limit_scales_[limit]);
    };
    for (std::size_t k = 0; k < scalars(); ++k) look(e.limits[k], criterion_limits_[k]);
    for (std::size_t k = 0; k < along_.size(); ++k)
        for (const Number& v : e.along[k]) look(v, along_[k]);
    return worst <= settings_.tolerance ? 0 : worst;
}

void Optimization::keep_if_best(std::span<const double> u, const Evaluation& e) {
    if (best_) {
        const double broken = violation_of(e), before = violation_of(best_->evaluation);
        if (broken > before) return;
        const double sign = std::copysign(1.0, objective_scale_);
        if (broken == before && sign * objective_of(e) >= sign * objective_of(best_->evaluation)) return;
    }
    best_ = Seen{{u.begin(), u.end()}, e};
}

// In place of where the search stood when it ended.
void Optimization::take_best(OptimizerResult& solved) {
    if (!best_) return;
    solved.x = best_->u;
    solved.lower_multipliers.clear();
    solved.upper_multipliers.clear();
    solved.multipliers.clear();
    recent_ = {best_->evaluation};
}

const Evaluation& Optimization::at(std::span<const double> u, bool derivatives) {
    const std::vector<double> p = parameters(u);
    for (Evaluation& e : recent_)
        if (e.at == p && (e.has_derivatives || !derivatives || !e.good)) return e;
    if (recent_.size() > 4) recent_.erase(recent_.begin());
    recent_.push_back(evaluate(p, derivatives));
    if (recent_.back().good) keep_if_best(u, recent_.back());
    if (settings_.progress && recent_.back().good)
        settings_.progress(runs_->runs(), recent_.back().objective.value, 0);
    return recent_.back();
}

}  // namespace cutset::optimization
