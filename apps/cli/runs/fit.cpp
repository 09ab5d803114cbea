// cutset fit: parameters from measured data.
#include "operations/estimation/fit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "base/json.h"
#include "commands.h"
#include "linear/linear_output.h"
#include "model/parameter_text.h"
#include "operations/estimation/fit_results.h"
#include "operations/estimation/optimize_messages.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/json_output.h"
#include "results/writer.h"
#include "runs/run_options.h"

namespace cutset::cli {

namespace {

struct FitCommand : RunOptions {
    std::vector<std::string> data, over, local, match, weight, sigma;
    std::string output, residuals;
    int max_iterations = 200;
    double precision = 1e-8;
};

const char* status_name(LeastSquaresStatus status) {
    switch (status) {
        case LeastSquaresStatus::Converged:
            return "converged";
        case LeastSquaresStatus::Limit:
            return "limit";
        case LeastSquaresStatus::Stopped:
            return "interrupted";
        case LeastSquaresStatus::Undefined:
            return "undefined";
        case LeastSquaresStatus::Stuck:
            return "acceptable";
    }
    return "";
}

// "y=10", "y=1/0.1"
std::optional<std::pair<std::string, double>> parse_weight(const std::string& text, bool sigma) {
    const std::size_t equal = text.find('=');
    if (equal == std::string::npos || equal == 0) return std::nullopt;
    const char* at = text.c_str() + equal + 1;
    char* end = nullptr;
    double value = std::strtod(at, &end);
    if (end == at) return std::nullopt;
    if (*end == '/') {
        at = end + 1;
        const double below = std::strtod(at, &end);
        if (end == at) return std::nullopt;
        value /= below;
    }
    if (*end != 0 || !(value > 0) || !std::isfinite(value)) return std::nullopt;
    std::string name = text.substr(0, equal);
    std::erase(name, ' ');
    return std::pair(name, sigma ? 1 / value : value);
}

std::string shown_name(const FitResult& r, std::size_t k, const std::vector<std::string>& files) {
    return r.experiment[k] ? fmt::format("{} ({})", r.parameters[k].path, files[*r.experiment[k]])
                           : r.parameters[k].path;
}

void print_fit(const FitResult& r, const FitCommand& command, const std::string& model) {
    fmt::print("{}: {} samples, {} parameters, {} iterations, {} runs\n", model, r.samples, r.values.size(),
               r.iterations, r.runs);
    std::size_t width = 9;
    for (std::size_t k = 0; k < r.values.size(); ++k)
        width = std::max(width, shown_name(r, k, command.data).size());
    fmt::print("  {:<{}}  {:>13}  {:>11}  {:>23}  {:>10}\n", "parameter", width, "value", "std. dev.",
               "95 % interval", "before");
    for (std::size_t k = 0; k < r.values.size(); ++k) {
        const auto i = static_cast<Eigen::Index>(k);
        const double d = r.uncertainty.deviation[i], half = r.uncertainty.interval[i];
        fmt::print("  {:<{}}  {:>13.7g}  {:>11}  {:>23}  {:>10.5g}{}\n", shown_name(r, k, command.data),
                   width, r.values[k], std::isfinite(d) ? fmt::format("{:.3g}", d) : "-",
                   std::isfinite(half)
                       ? fmt::format("{:.5g} … {:.5g}", r.values[k] - half, r.values[k] + half)
                       : "-",
                   r.before[k], r.at_bound[k] ? "  at its bound" : "");
    }
    if (r.values.size() > 1 && r.values.size() <= 12) {
        fmt::print("  correlation\n");
        for (std::size_t a = 0; a < r.values.size(); ++a) {
            fmt::print("  {:<{}} ", shown_name(r, a, command.data), width);
            for (std::size_t b = 0; b <= a; ++b)
                fmt::print(" {:>6.3f}", r.uncertainty.correlation(static_cast<Eigen::Index>(a),
                                                                  static_cast<Eigen::Index>(b)));
            fmt::print("\n");
        }
    }
    for (const FittedSeries& s : r.series)
        fmt::print(
            "  {}{}: rms of residuals {:.4g}, largest {:.4g}, mean {:.3g}, R² {:.5f}, from one to the next "
            "{:.2f}\n",
            s.variable, command.data.size() > 1 ? " (" + s.file + ")" : "", s.rms, s.largest, s.mean,
            s.determination, s.correlation);
    fmt::print("  sum of squares {:.6g}, {} degrees of freedom{}\n", r.sum_of_squares, r.uncertainty.freedom,
               r.known_variance && r.uncertainty.freedom > 0
                   ? fmt::format(", {:.4g} for each (1 is expected)",
                                 r.sum_of_squares / static_cast<double>(r.uncertainty.freedom))
               : r.uncertainty.freedom > 0
                   ? fmt::format(", standard deviation of a sample {:.4g}", std::sqrt(r.uncertainty.variance))
               : r.known_variance ? ""
                                  : ", standard deviation of a sample: cannot be estimated");
}

Json fit_json(const FitResult& r, const FitCommand& command, const std::string& options) {
    Json values = Json::object(), list = Json::array(), series = Json::array(), deviations = Json::object(),
         intervals = Json::object();
    const auto n = static_cast<Eigen::Index>(r.values.size());
    std::vector<std::vector<Json>> covariance, correlation;
    Json names = Json::array();
    for (Eigen::Index i = 0; i < n; ++i) {
        const auto k = static_cast<std::size_t>(i);
        const std::string name = shown_name(r, k, command.data);
        names.push_back(name);
        values[name] = r.values[k];
        const double half = r.uncertainty.interval[i];
        deviations[name] = number_json(r.uncertainty.deviation[i]);
        intervals[name] = {number_json(r.values[k] - half), number_json(r.values[k] + half)};
        covariance.emplace_back();
        correlation.emplace_back();
        for (Eigen::Index j = 0; j < n; ++j) {
            covariance.back().push_back(number_json(r.uncertainty.covariance(i, j)));
            correlation.back().push_back(number_json(r.uncertainty.correlation(i, j)));
        }
        list.push_back({{"parameter", name},
                        {"value", r.values[k]},
                        {"before", r.before[k]},
                        {"atBound", bool(r.at_bound[k])}});
    }
    for (const FittedSeries& s : r.series)
        series.push_back({{"file", s.file},
                          {"column", s.column},
                          {"variable", s.variable},
                          {"samples", s.times.size()},
                          {"weight", s.weight},
                          {"rms", s.rms},
                          {"largest", s.largest},
                          {"mean", s.mean},
                          {"determination", s.determination},
                          {"correlation", s.correlation}});
    Json singular = Json::array(), undetermined = Json::array();
    for (Eigen::Index i = 0; i < r.uncertainty.singular_values.size(); ++i)
        singular.push_back(r.uncertainty.singular_values[i]);
    for (const Eigen::VectorXd& d : r.uncertainty.undetermined) {
        Json one = Json::object();
        for (Eigen::Index i = 0; i < n; ++i)
            if (std::abs(d[i]) >= 0.05) one[shown_name(r, static_cast<std::size_t>(i), command.data)] = d[i];
        undetermined.push_back(one);
    }
    return {{"status", status_name(r.status)},
            {"values", values},
            {"names", names},
            {"deviations", deviations},
            {"intervals", intervals},
            {"covariance", covariance},
            {"correlation", correlation},
            {"parameters", list},
            {"identifiable", r.uncertainty.undetermined.empty() && r.uncertainty.idle.empty()},
            {"undetermined", undetermined},
            {"singularValues", singular},
            {"residual", r.sum_of_squares},
            {"samples", r.samples},
            {"freedom", r.uncertainty.freedom},
            {"variance", number_json(r.uncertainty.variance)},
            {"series", series},
            {"iterations", r.iterations},
            {"runs", r.runs},
            {"derivatives", r.derivatives},
            {"options", options}};
}

// What the options ask for; a mistake in them is reported.
std::optional<FitSettings> fit_settings(const FitCommand& command, Workspace& workspace,
                                        Experiment experiment, const SimulateOptions& run) {
    const auto fail = [&](Diagnostic d) {
        workspace.diagnostics.report(std::move(d));
        return std::nullopt;
    };
    FitSettings settings;
    settings.runs.model = command.model;
    settings.runs.experiment = std::move(experiment);
    settings.runs.transform = transform_options(command, workspace.text);
    settings.runs.run = run;
    settings.runs.engine = command.engine;
    settings.files = command.data;
    settings.max_iterations = command.max_iterations;
    settings.tolerance = command.precision;
    for (const auto* list : {&command.over, &command.local})
        for (const std::string& text : *list) {
            const auto range =
                parse_range(list == &command.over ? "--over" : "--local", text, workspace.diagnostics);
            if (!range) return std::nullopt;
            (list == &command.over ? settings.over : settings.local).push_back(*range);
        }
    for (const std::string& text : command.match) {
        const std::size_t equal = text.find('=');
        if (equal == std::string::npos || equal == 0 || equal + 1 == text.size())
            return fail(bad_option("--match " + text + ": expected COLUMN=VARIABLE"));
        settings.matches.emplace_back(text.substr(0, equal), text.substr(equal + 1));
    }
    for (const auto* list : {&command.weight, &command.sigma})
        for (const std::string& text : *list) {
            const auto weight = parse_weight(text, list == &command.sigma);
            if (!weight) return fail(optimize_messages::bad_weight(text));
            settings.weights.push_back(*weight);
        }
    return settings;
}

void write_files(const FitResult& result, const FitCommand& command, const Plot& plot,
                 Diagnostics& diagnostics) {
    if (!command.output.empty()) {
        if (!is_picture(command.output))
            diagnostics.report(bad_option("-o " + command.output + ": a picture ends in .svg, .pdf or .png",
                                          "--residuals FILE.csv writes the residuals"));
        else if (const auto trouble = write_picture(plot, command.output))
            diagnostics.report(bad_option(*trouble));
    }
    if (!command.residuals.empty())
        if (const auto trouble = write_result(residual_table(result), command.residuals))
            diagnostics.report(bad_option(*trouble));
}

// The parameters that all experiments have in common, as options of a run.
std::string common_options(const FitResult& result) {
    std::vector<double> common;
    std::vector<OpenParameter> parameters;
    for (std::size_t k = 0; k < result.values.size(); ++k)
        if (!result.experiment[k]) {
            common.push_back(result.values[k]);
            parameters.push_back(result.parameters[k]);
        }
    return option_text(parameters, common);
}

int run_fit(const FitCommand& given) {
    FitCommand command = given;
    Workspace workspace;
    // Inputs may come from the data, so that the model is opened with what the command line says.
    auto experiment = open_model(command, workspace);
    if (!experiment) return finish(workspace, command);
    if (!apply_experiment_line(workspace.text, command, workspace.diagnostics))
        return finish(workspace, command);
    if (command.data.empty())
        return refuse(
            workspace, command,
            bad_option("fit needs data: --data FILE.csv", "a column `time`, and columns named as variables"));
    if (command.over.empty() && command.local.empty())
        return refuse(workspace, command,
                      bad_option("fit needs to know what is sought: --over PARAMETERS",
                                 "for example --over k,T=5,\"x(0)\""));
    if (!command.tolerance) command.tolerance = 1e-8;
    const auto run = experiment_options(command, workspace.diagnostics);
    const auto settings = run ? fit_settings(command, workspace, std::move(*experiment), *run) : std::nullopt;
    if (!settings) {
        finish(workspace, command);
        return 2;
    }
    catch_interrupt();
    set_stage("the estimation", true);
    const auto result = fit(workspace, *settings);
    release_interrupt();
    if (!result) return finish(workspace, command);
    const std::string model = result->models.front()->model().name, options = common_options(*result);
    Plot plot = fit_plot(*result);
    plot.title = model;
    write_files(*result, command, plot, workspace.diagnostics);
    if (command.json) {
        Json out = fit_json(*result, command, options);
        out["model"] = model;
        put_diagnostics(out, workspace.diagnostics, workspace.text.sources(), Notes::Added);
        print_json(out);
    } else {
        print_diagnostics(workspace.diagnostics, workspace.text.sources(), 0, command.quiet);
        if (!command.quiet) {
            if (command.output.empty()) print_plot(plot);
            print_fit(*result, command, model);
            fmt::print("  options: {}\n", options);
        }
    }
    if (was_interrupted()) return 130;
    return workspace.diagnostics.has_errors() ? 1 : 0;
}

}  // namespace

void add_fit(CommandLine& line) {
    auto o = std::make_shared<FitCommand>();
    Command& c = line.add("fit", groups::design, "estimate parameters from measured data by least squares",
                          [o] { return run_fit(*o); });
    add_model_options(c, *o);
    add_run_options(c, *o);
    c.list("--data", o->data, "files with measurements (.csv, .mat), one for each experiment");
    c.list("--over", o->over,
           "what is sought: p, p=guess, p=lower:upper, p=lower:upper:guess; x(0) for initial values");
    c.list("--local", o->local, "the same, with a value of its own for each file of data");
    c.list("--match", o->match, "a column that is named otherwise than its variable: COLUMN=VARIABLE");
    c.list("--weight", o->weight,
           "of a variable, one over the standard deviation of its samples: y=1/0.1 (1)");
    c.list("--sigma", o->sigma, "the standard deviation instead: y=0.1");
    c.option("--residuals", o->residuals, "write samples, fitted values and residuals to this .csv file");
    c.option("--precision", o->precision, "of the estimate, relative (1e-8)");
    c.option("--max-iterations", o->max_iterations, "(200)");
    c.option("-o,--output", o->output, "picture of the fit: .svg, .pdf or .png");
    c.footer(
        "Examples:\n"
        "  cutset fit cooling.dym --data cup.csv --over k,T0=20:30,\"T(0)\"\n"
        "  cutset fit motor.dym --data run1.csv,run2.csv --over J,d --local \"omega(0)\" --sigma omega=0.5 "
        "-o fit.svg\n"
        "Columns of the data with the name of an input of the model drive it; empty fields are missing "
        "samples.");
}

}  // namespace cutset::cli
