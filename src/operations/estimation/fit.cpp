#include "operations/estimation/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "ir/find_variables.h"
#include "operations/ensembles/sensitivity_messages.h"
#include "operations/estimation/optimize_messages.h"
#include "results/reader.h"
#include "transform/leave_open.h"
#include "translate/translator.h"

namespace cutset {

namespace {

using Eigen::MatrixXd;
using Eigen::VectorXd;

struct Series {
    VariableIndex variable;
    std::size_t output = 0;
    std::vector<std::pair<std::size_t, double>> samples;  // number of time, measured
};

struct FitExperiment {
    std::string file;
    std::unique_ptr<ParametricRuns> runs;
    std::vector<std::size_t> places;  // of its parameters among all
    std::vector<double> times;
    std::vector<VariableIndex> outputs;
    std::vector<Series> series;
    std::size_t first_residual = 0;
};

class Fit {
  public:
    Fit(Workspace& workspace, const FitSettings& settings) : workspace_(workspace), settings_(settings) {}
    std::optional<FitResult> run();

  private:
    bool add_experiment(const std::string& file);
    bool evaluate(const VectorXd& p, VectorXd& residuals, MatrixXd* jacobian);
    void describe(const LeastSquaresResult& solved);
    void warn(const LeastSquaresResult& solved);

    Workspace& workspace_;
    const FitSettings& settings_;
    FitResult result_;
    std::vector<FitExperiment> experiments_;
    std::vector<ParameterRange> ranges_;
    std::size_t residuals_ = 0;
    std::string problem_;
};

double weight_of(const FitSettings& settings, const std::string& variable, const std::string& column,
                 bool& given) {
    for (const auto& [name, weight] : settings.weights)
        if (plain_path(name) == plain_path(variable) || name == column) {
            given = true;
            return weight;
        }
    given = false;
    return 1;
}

bool Fit::add_experiment(const std::string& file) {
    Diagnostics& diagnostics = workspace_.diagnostics;
    const auto time_match = std::find_if(settings_.matches.begin(), settings_.matches.end(),
                                         [](const auto& m) { return plain_path(m.second) == "time"; });
    const bool says_time = time_match != settings_.matches.end();
    const auto data = read_result(file, diagnostics, says_time ? time_match->first : "");
    if (!data) return false;
    const double start = settings_.runs.run.start;
    const std::string time_name = data->columns().front().name;
    if (says_time && time_name != time_match->first) {
        diagnostics.report(
            optimize_messages::unknown_column(file, time_match->first, data->suggest(time_match->first)));
        return false;
    }
    // What the columns are: variables by name, or as --match says.
    std::vector<std::pair<ColumnIndex, std::string>> columns;
    for (const auto& [column, variable] : settings_.matches) {
        if (plain_path(variable) == "time") continue;
        const auto found = data->find(column);
        if (!found) {
            diagnostics.report(optimize_messages::unknown_column(file, column, data->suggest(column)));
            return false;
        }
        columns.emplace_back(*found, plain_path(variable));
    }
    std::vector<std::string> all;
    for (ColumnIndex c(0); c < data->columns().end_index(); ++c.value) {
        if (data->columns()[c].kind == ColumnKind::Time) continue;
        all.push_back(data->columns()[c].name);
        const bool matched =
            std::any_of(columns.begin(), columns.end(), [&](const auto& m) { return m.first == c; });
        if (!matched) columns.emplace_back(c, plain_path(data->columns()[c].name));
    }
    FitExperiment e;
    e.file = file;
    ParametricSettings runs = settings_.runs;
    // Inputs of the model that the file has and the command line does not give.
    Experiment open = runs.experiment;
    open.open = true;
    const std::optional<FlatModel> flat =
        Translator(workspace_).flatten(runs.model, open, workspace_.diagnostics);
    if (!flat) return false;
    std::string lower = time_name;
    for (char& c : lower) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    if (!says_time && lower != "time") {
        // Nobody said that it is the time; and it might be a measurement.
        if (!find_variables(*flat, plain_path(time_name)).empty()) {
            diagnostics.report(optimize_messages::time_or_variable(file, time_name));
            return false;
        }
        diagnostics.report(optimize_messages::taken_as_time(file, time_name));
    }
    std::vector<std::pair<ColumnIndex, std::string>> measured;
    std::vector<std::string> unused;
    for (const auto& entry : columns) {
        const auto c = entry.first;
        const std::string& variable = entry.second;
        const std::vector<VariableIndex> found = find_variables(*flat, variable);
        const bool asked = std::any_of(settings_.matches.begin(), settings_.matches.end(),
                                       [&](const auto& m) { return plain_path(m.second) == variable; });
        if (found.empty()) {
            if (asked) {
                diagnostics.report(optimize_messages::bad_match(variable, nearest_path(*flat, variable)));
                return false;
            }
            unused.push_back(data->columns()[c].name);
            continue;
        }
        const Variable& v = flat->variables[found[0]];
        const bool input = v.declared == VariableKind::Input && v.origin.instance.value == 0;
        const bool given = std::any_of(runs.experiment.inputs.begin(), runs.experiment.inputs.end(),
                                       [&](const auto& s) { return plain_path(s.path) == variable; }) ||
                           std::any_of(runs.experiment.input_files.begin(), runs.experiment.input_files.end(),
                                       [&](const auto& s) { return plain_path(s.path) == variable; });
        if (input) {
            if (given) continue;
            Experiment::InputFile table{variable, {}};
            table.table.name = variable;
            table.table.outside = Outside::Hold;
            for (std::size_t row = 0; row < data->rows(); ++row) {
                const double t = data->time(row), u = data->value(c, row);
                if (!std::isfinite(u)) continue;
                if (!table.table.x.empty() && t <= table.table.x.back())
                    table.table.x.back() = std::nextafter(t, -1e308);  // a jump
                table.table.x.push_back(t);
                table.table.values.push_back(u);
            }
            if (!table.table.x.empty()) runs.experiment.input_files.push_back(std::move(table));
            continue;
        }
        if (v.variability == Variability::Parameter || v.variability == Variability::Constant) continue;
        measured.emplace_back(c, variable);
    }
    if (measured.empty()) {
        diagnostics.report(optimize_messages::nothing_matches(file, all));
        return false;
    }
    if (!unused.empty())
        diagnostics.report(
            optimize_messages::columns_not_used(file, unused, nearest_path(*flat, plain_path(unused[0]))));
    double last = start;
    for (std::size_t row = 0; row < data->rows(); ++row) {
        const double t = data->time(row);
        bool any = false;
        for (const auto& [c, variable] : measured) any = any || std::isfinite(data->value(c, row));
        if (!any || !std::isfinite(t)) continue;
        if (t < start) {
            diagnostics.report(optimize_messages::sample_before_start(file, t, start));
            return false;
        }
        if (e.times.empty() || t > e.times.back()) e.times.push_back(t);
        last = std::max(last, t);
    }
    runs.run.stop = last;
    if (!(last > start)) {
        runs.start_only = true;
    }
    runs.open.clear();
    for (const auto* list : {&settings_.over, &settings_.local})
        for (const ParameterRange& r : *list) runs.open.push_back(r.path);
    e.runs = ParametricRuns::make(workspace_, runs);
    if (!e.runs) return false;
    // Parameters in common, or its own.
    std::vector<ParameterRange> ranges;
    std::vector<ParameterRange> given = settings_.over;
    given.insert(given.end(), settings_.local.begin(), settings_.local.end());
    if (!complete_ranges(given, "--over", e.runs->parameters(), ranges, diagnostics)) return false;
    for (std::size_t j = 0; j < ranges.size(); ++j) {
        const OpenParameter& p = e.runs->parameters()[j];
        const bool own =
            std::any_of(settings_.local.begin(), settings_.local.end(), [&](const ParameterRange& r) {
                const std::string path = plain_path(r.path);
                return p.path == path || p.variable == path || p.path.starts_with(path + "[");
            });
        std::optional<std::size_t> place;
        for (std::size_t k = 0; k < result_.parameters.size() && !own; ++k)
            if (result_.parameters[k].path == p.path && !result_.experiment[k]) place = k;
        if (!place) {
            place = ranges_.size();
            ranges_.push_back(ranges[j]);
            result_.parameters.push_back(p);
            result_.experiment.push_back(
                own && settings_.files.size() > 1 ? std::optional(experiments_.size()) : std::nullopt);
        }
        e.places.push_back(*place);
    }
    for (const auto& [c, variable] : measured) {
        const VariableIndex v = e.runs->find(variable).front();
        Series s;
        s.variable = v;
        s.output = e.outputs.size();
        e.outputs.push_back(v);
        for (std::size_t row = 0; row < data->rows(); ++row) {
            const double value = data->value(c, row), t = data->time(row);
            if (!std::isfinite(value) || !std::isfinite(t)) continue;
            const auto at = std::lower_bound(e.times.begin(), e.times.end(), t) - e.times.begin();
            s.samples.emplace_back(static_cast<std::size_t>(at), value);
        }
        FittedSeries shown;
        shown.file = file;
        shown.column = data->columns()[c].name;
        shown.variable = e.runs->model().path(v);
        shown.unit = e.runs->model().variables[v].unit;
        bool weighted = false;
        shown.weight = weight_of(settings_, shown.variable, shown.column, weighted);
        result_.known_variance = result_.known_variance && weighted;
        result_.series.push_back(std::move(shown));
        e.series.push_back(std::move(s));
    }
    e.first_residual = residuals_;
    for (const Series& s : e.series) residuals_ += s.samples.size();
    experiments_.push_back(std::move(e));
    return true;
}

bool Fit::evaluate(const VectorXd& p, VectorXd& residuals, MatrixXd* jacobian) {
    residuals = VectorXd::Zero(static_cast<Eigen::Index>(residuals_));
    if (jacobian) *jacobian = MatrixXd::Zero(static_cast<Eigen::Index>(residuals_), p.size());
    std::size_t series = 0;
    for (FitExperiment& e : experiments_) {
        std::vector<double> values;
        for (std::size_t place : e.places) values.push_back(p[static_cast<Eigen::Index>(place)]);
        const ParametricRuns::Outcome outcome =
            e.runs->run(values, e.outputs, e.times,
                        jacobian ? ParametricRuns::Derivatives::Forward : ParametricRuns::Derivatives::None);
        if (!outcome.good || (outcome.rows.size() < e.times.size() && e.times.size() > 1)) {
            problem_ = outcome.good ? "the model ends the run before the last sample" : outcome.problem;
            return false;
        }
        auto row = static_cast<Eigen::Index>(e.first_residual);
        for (const Series& s : e.series) {
            const double weight = result_.series[series++].weight;
            for (const auto& [time, measured] : s.samples) {
                const SensitivityRow& at = time < outcome.rows.size() ? outcome.rows[time] : outcome.end;
                residuals[row] = weight * (at.values[s.output] - measured);
                for (std::size_t j = 0; jacobian && j < e.places.size(); ++j)
                    (*jacobian)(row, static_cast<Eigen::Index>(e.places[j])) +=
                        weight * at.derivatives[s.output * e.places.size() + j];
                ++row;
            }
        }
    }
    return true;
}

void Fit::describe(const LeastSquaresResult& solved) {
    std::size_t number = 0;
    for (const FitExperiment& e : experiments_) {
        auto row = static_cast<Eigen::Index>(e.first_residual);
        for (const Series& s : e.series) {
            FittedSeries& f = result_.series[number++];
            double sum = 0, squares = 0, total = 0, mean_measured = 0, lag = 0;
            for (const auto& [time, measured] : s.samples) mean_measured += measured;
            mean_measured /= static_cast<double>(std::max<std::size_t>(s.samples.size(), 1));
            for (const auto& [time, measured] : s.samples) {
                const double residual = -solved.residuals[row++] / f.weight;
                f.times.push_back(e.times[time]);
                f.measured.push_back(measured);
                f.fitted.push_back(measured - residual);
                f.residuals.push_back(residual);
                sum += residual;
                squares += residual * residual;
                total += (measured - mean_measured) * (measured - mean_measured);
                f.largest = std::max(f.largest, std::abs(residual));
            }
            const auto count = static_cast<double>(std::max<std::size_t>(s.samples.size(), 1));
            f.mean = sum / count;
            f.rms = std::sqrt(squares / count);
            f.determination = total > 0 ? 1 - squares / total : 0;
            double centred = 0;
            for (std::size_t k = 0; k < f.residuals.size(); ++k) {
                centred += (f.residuals[k] - f.mean) * (f.residuals[k] - f.mean);
                if (k > 0) lag += (f.residuals[k] - f.mean) * (f.residuals[k - 1] - f.mean);
            }
            f.correlation = centred > 0 ? lag / centred : 0;
        }
    }
}

void Fit::warn(const LeastSquaresResult& solved) {
    Diagnostics& diagnostics = workspace_.diagnostics;
    const Uncertainty& u = result_.uncertainty;
    const auto name = [&](std::size_t k) { return result_.parameters[k].path; };
    std::vector<std::string> list;
    for (std::size_t k : u.idle) list.push_back(name(k));
    if (!list.empty()) diagnostics.report(optimize_messages::no_influence_on_data(list));
    for (const VectorXd& direction : u.undetermined) {
        std::vector<std::string> names;
        std::string combination;
        // Relative changes, the first that counts by 1 %.
        double first = 0;
        for (Eigen::Index k = 0; k < direction.size(); ++k) {
            if (std::abs(direction[k]) < 0.05) continue;
            if (first == 0) first = direction[k];
            names.push_back(name(static_cast<std::size_t>(k)));
            combination += fmt::format("{}{} by {:+.2g} %", combination.empty() ? "" : ", ", names.back(),
                                       direction[k] / first);
        }
        if (!names.empty()) diagnostics.report(optimize_messages::not_identifiable(names, combination));
    }
    if (!result_.known_variance && u.freedom == 0)
        diagnostics.report(optimize_messages::no_freedom(result_.samples, result_.series[0].variable));
    list.clear();
    for (std::size_t k = 0; k < result_.values.size(); ++k) {
        const double interval = u.interval[static_cast<Eigen::Index>(k)];
        if (std::isfinite(interval) && result_.values[k] != 0 && interval > std::abs(result_.values[k]))
            list.push_back(name(k));
    }
    if (!list.empty()) diagnostics.report(optimize_messages::poorly_determined(list));
    list.clear();
    for (std::size_t k = 0; k < result_.values.size(); ++k)
        if (result_.at_bound[k]) list.push_back(name(k));
    if (!list.empty()) diagnostics.report(optimize_messages::at_bound(list));
    for (const FittedSeries& s : result_.series) {
        // Beyond what chance gives residuals without correlation, and more than rounding.
        double size = 0;
        for (double v : s.measured) size = std::max(size, std::abs(v));
        if (s.residuals.size() >= 20 && s.correlation > 0.3 &&
            s.correlation > 3 / std::sqrt(static_cast<double>(s.residuals.size())) && s.rms > 1e-5 * size)
            diagnostics.report(optimize_messages::correlated_residuals(s.variable, s.correlation));
    }
    if (solved.status == LeastSquaresStatus::Limit)
        diagnostics.report(optimize_messages::limit_of_iterations("the limit of iterations was reached"));
    for (const FitExperiment& e : experiments_)
        if (!e.runs->inexact().empty()) {
            result_.derivatives = "differences";
            diagnostics.report(sensitivity_messages::inexact_derivatives(
                e.runs->inexact(), "difference quotients of runs are used"));
            break;
        }
}

std::optional<FitResult> Fit::run() {
    Diagnostics& diagnostics = workspace_.diagnostics;
    result_.known_variance = true;
    result_.derivatives = "exact";
    for (const std::string& file : settings_.files)
        if (!add_experiment(file)) return std::nullopt;
    const std::size_t n = ranges_.size();
    if (residuals_ < n) {
        diagnostics.report(optimize_messages::too_few_samples(residuals_, n));
        return std::nullopt;
    }
    for (const auto& entry : settings_.weights) {
        const auto& name = entry.first;
        const bool used =
            std::any_of(result_.series.begin(), result_.series.end(), [&](const FittedSeries& s) {
                return plain_path(name) == plain_path(s.variable) || name == s.column;
            });
        if (!used) {
            std::vector<std::string> measured;
            for (const FittedSeries& s : result_.series) measured.push_back(s.variable);
            diagnostics.report(optimize_messages::unknown_weight(name, measured));
            return std::nullopt;
        }
    }
    LeastSquaresProblem problem;
    const auto size = static_cast<Eigen::Index>(n);
    problem.start = problem.lower = problem.upper = problem.sizes = VectorXd::Zero(size);
    for (std::size_t j = 0; j < n; ++j) {
        const auto i = static_cast<Eigen::Index>(j);
        problem.start[i] = *ranges_[j].guess;
        problem.lower[i] = ranges_[j].lower.value_or(-unlimited);
        problem.upper[i] = ranges_[j].upper.value_or(unlimited);
        problem.sizes[i] = problem.start[i] != 0 ? std::abs(problem.start[i]) : 1;
        result_.before.push_back(problem.start[i]);
    }
    problem.max_iterations = settings_.max_iterations;
    problem.tolerance = settings_.tolerance;
    problem.evaluate = [&](const VectorXd& p, VectorXd& r, MatrixXd* j) { return evaluate(p, r, j); };
    problem.progress = [&](int iteration, double sum) {
        if (settings_.progress) settings_.progress(iteration, sum);
        return !(settings_.runs.run.interrupt && *settings_.runs.run.interrupt);
    };
    const LeastSquaresResult solved = solve_least_squares(problem);
    result_.status = solved.status;
    if (solved.status == LeastSquaresStatus::Undefined) {
        diagnostics.report(optimize_messages::fit_failed(
            problem_.empty() ? "the model has no finite values or derivatives at the first values"
                             : problem_));
        return std::nullopt;
    }
    VectorXd sizes = solved.parameters.cwiseAbs();
    for (Eigen::Index i = 0; i < size; ++i) {
        if (sizes[i] == 0) sizes[i] = problem.sizes[i];
        result_.values.push_back(solved.parameters[i]);
    }
    result_.at_bound = solved.at_bound;
    result_.sum_of_squares = solved.sum_of_squares;
    result_.samples = residuals_;
    result_.iterations = solved.iterations;
    result_.uncertainty = uncertainty(solved, sizes, result_.known_variance);
    describe(solved);
    warn(solved);
    for (FitExperiment& e : experiments_) {
        result_.runs += e.runs->runs();
        result_.models.push_back(std::move(e.runs));
        result_.places.push_back(std::move(e.places));
    }
    return std::move(result_);
}

}  // namespace

std::optional<FitResult> fit(Workspace& workspace, const FitSettings& settings) {
    return Fit(workspace, settings).run();
}

}  // namespace cutset
