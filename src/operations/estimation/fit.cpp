#include "operations/estimation/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <filesystem>

#include "base/letters.h"
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

// What the columns of a file are: variables by name, or as --match says.
struct MeasuredFile {
    std::string name;
    Trajectory data;
    struct Column {
        ColumnIndex column;
        std::string variable;
    };
    std::vector<Column> columns;
    std::vector<Column> measured;  // those that are compared with the model

    const std::string& column_name(ColumnIndex c) const { return data.columns()[c].name; }
};

class Fit {
  public:
    Fit(Workspace& workspace, const FitSettings& settings) : workspace_(workspace), settings_(settings) {}
    std::optional<FitResult> run();

  private:
    bool add_experiment(const std::string& file);
    std::optional<MeasuredFile> read(const std::string& file);
    std::optional<std::string> match_of_time() const;
    bool check_time(const MeasuredFile& m, const FlatModel& flat);
    bool sort_columns(MeasuredFile& m, const FlatModel& flat, Experiment& experiment);
    bool collect_times(const MeasuredFile& m, FitExperiment& e);
    bool place_parameters(FitExperiment& e);
    void add_series(const MeasuredFile& m, const MeasuredFile::Column& column, FitExperiment& e);
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

std::optional<MeasuredFile> Fit::read(const std::string& file) {
    Diagnostics& diagnostics = workspace_.diagnostics;
    const auto time_match = match_of_time();
    auto data = read_result(file, diagnostics, time_match ? *time_match : "");
    if (!data) return std::nullopt;
    MeasuredFile m{file, std::move(*data), {}, {}};
    if (time_match && m.data.columns().front().name != *time_match) {
        diagnostics.report(optimize_messages::unknown_column(file, *time_match, m.data.suggest(*time_match)));
        return std::nullopt;
    }
    for (const auto& [column, variable] : settings_.matches) {
        if (plain_path(variable) == "time") continue;
        const auto found = m.data.find(column);
        if (!found) {
            diagnostics.report(optimize_messages::unknown_column(file, column, m.data.suggest(column)));
            return std::nullopt;
        }
        m.columns.push_back({*found, plain_path(variable)});
    }
    for (ColumnIndex c(0); c < m.data.columns().end_index(); ++c.value) {
        if (m.data.columns()[c].kind == ColumnKind::Time) continue;
        const bool matched =
            std::any_of(m.columns.begin(), m.columns.end(), [&](const auto& k) { return k.column == c; });
        if (!matched) m.columns.push_back({c, plain_path(m.column_name(c))});
    }
    return m;
}

// The column that --match says is the time.
std::optional<std::string> Fit::match_of_time() const {
    for (const auto& [column, variable] : settings_.matches)
        if (plain_path(variable) == "time") return column;
    return std::nullopt;
}

bool Fit::check_time(const MeasuredFile& m, const FlatModel& flat) {
    const std::string& time_name = m.data.columns().front().name;
    if (match_of_time() || equal_ignoring_case(time_name, "time")) return true;
    // No option says that it is the time; and it might be a measurement.
    if (!find_variables(flat, plain_path(time_name)).empty()) {
        workspace_.diagnostics.report(optimize_messages::time_or_variable(m.name, time_name));
        return false;
    }
    workspace_.diagnostics.report(optimize_messages::taken_as_time(m.name, time_name));
    return true;
}

// A column as the table of an input.
Experiment::InputFile input_table(const MeasuredFile& m, const MeasuredFile::Column& column) {
    Experiment::InputFile file{column.variable, {}};
    TableData& table = file.table;
    table.name = column.variable;
    table.outside = Outside::Hold;
    for (std::size_t row = 0; row < m.data.rows(); ++row) {
        const double t = m.data.time(row), u = m.data.value(column.column, row);
        if (!std::isfinite(u)) continue;
        if (!table.x.empty() && t <= table.x.back()) table.x.back() = std::nextafter(t, -1e308);  // a jump
        table.x.push_back(t);
        table.values.push_back(u);
    }
    return file;
}

// Columns are measurements, or inputs of the model that the command line does not give.
bool Fit::sort_columns(MeasuredFile& m, const FlatModel& flat, Experiment& experiment) {
    Diagnostics& diagnostics = workspace_.diagnostics;
    const auto given = [&](const std::string& path) {
        const auto is_path = [&](const auto& s) { return plain_path(s.path) == path; };
        return std::any_of(experiment.inputs.begin(), experiment.inputs.end(), is_path) ||
               std::any_of(experiment.input_files.begin(), experiment.input_files.end(), is_path);
    };
    std::vector<std::string> unused;
    for (const MeasuredFile::Column& column : m.columns) {
        const std::vector<VariableIndex> found = find_variables(flat, column.variable);
        if (found.empty()) {
            const bool asked =
                std::any_of(settings_.matches.begin(), settings_.matches.end(),
                            [&](const auto& k) { return plain_path(k.second) == column.variable; });
            if (asked) {
                diagnostics.report(
                    optimize_messages::bad_match(column.variable, nearest_path(flat, column.variable)));
                return false;
            }
            unused.push_back(m.column_name(column.column));
            continue;
        }
        const Variable& v = flat.variables[found[0]];
        if (v.declared == VariableKind::Input && v.origin.instance.value == 0) {
            if (given(column.variable)) continue;
            Experiment::InputFile table = input_table(m, column);
            if (!table.table.x.empty()) experiment.input_files.push_back(std::move(table));
        } else if (v.variability != Variability::Parameter && v.variability != Variability::Constant) {
            m.measured.push_back(column);
        }
    }
    if (m.measured.empty()) {
        std::vector<std::string> all;
        for (ColumnIndex c(0); c < m.data.columns().end_index(); ++c.value)
            if (m.data.columns()[c].kind != ColumnKind::Time) all.push_back(m.column_name(c));
        diagnostics.report(optimize_messages::nothing_matches(m.name, all));
        return false;
    }
    if (!unused.empty())
        diagnostics.report(
            optimize_messages::columns_not_used(m.name, unused, nearest_path(flat, plain_path(unused[0]))));
    return true;
}

// The times at which something was measured.
bool Fit::collect_times(const MeasuredFile& m, FitExperiment& e) {
    const double start = settings_.runs.run.start;
    for (std::size_t row = 0; row < m.data.rows(); ++row) {
        const double t = m.data.time(row);
        const bool any = std::any_of(m.measured.begin(), m.measured.end(), [&](const auto& column) {
            return std::isfinite(m.data.value(column.column, row));
        });
        if (!any || !std::isfinite(t)) continue;
        if (t < start) {
            workspace_.diagnostics.report(optimize_messages::sample_before_start(m.name, t, start));
            return false;
        }
        if (e.times.empty() || t > e.times.back()) e.times.push_back(t);
    }
    return true;
}

// Parameters in common, or its own.
bool Fit::place_parameters(FitExperiment& e) {
    std::vector<ParameterRange> ranges;
    std::vector<ParameterRange> given = settings_.over;
    given.insert(given.end(), settings_.local.begin(), settings_.local.end());
    if (!complete_ranges(given, "--over", e.runs->parameters(), ranges, workspace_.diagnostics)) return false;
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
    return true;
}

void Fit::add_series(const MeasuredFile& m, const MeasuredFile::Column& column, FitExperiment& e) {
    const VariableIndex v = e.runs->find(column.variable).front();
    Series s;
    s.variable = v;
    s.output = e.outputs.size();
    e.outputs.push_back(v);
    for (std::size_t row = 0; row < m.data.rows(); ++row) {
        const double value = m.data.value(column.column, row), t = m.data.time(row);
        if (!std::isfinite(value) || !std::isfinite(t)) continue;
        const auto at = std::lower_bound(e.times.begin(), e.times.end(), t) - e.times.begin();
        s.samples.emplace_back(static_cast<std::size_t>(at), value);
    }
    FittedSeries shown;
    shown.file = m.name;
    shown.column = m.column_name(column.column);
    shown.variable = e.runs->model().path(v);
    shown.unit = e.runs->model().variables[v].unit;
    bool weighted = false;
    shown.weight = weight_of(settings_, shown.variable, shown.column, weighted);
    result_.known_variance = result_.known_variance && weighted;
    result_.series.push_back(std::move(shown));
    e.series.push_back(std::move(s));
}

bool Fit::add_experiment(const std::string& file) {
    auto m = read(file);
    if (!m) return false;
    FitExperiment e;
    e.file = file;
    ParametricSettings runs = settings_.runs;
    Experiment open = runs.experiment;
    open.open = true;
    const std::optional<FlatModel> flat =
        Translator(workspace_).flatten(runs.model, open, workspace_.diagnostics);
    if (!flat || !check_time(*m, *flat) || !sort_columns(*m, *flat, runs.experiment) || !collect_times(*m, e))
        return false;
    runs.run.stop = e.times.empty() ? runs.run.start : std::max(runs.run.start, e.times.back());
    if (!(runs.run.stop > runs.run.start)) runs.start_only = true;
    runs.open.clear();
    for (const auto* list : {&settings_.over, &settings_.local})
        for (const ParameterRange& r : *list) runs.open.push_back(r.path);
    e.runs = ParametricRuns::make(workspace_, runs);
    if (!e.runs || !place_parameters(e)) return false;
    for (const MeasuredFile::Column& column : m->measured) add_series(*m, column, e);
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
