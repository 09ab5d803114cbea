#include "operations/estimation/optimize_messages.h"

#include <fmt/format.h>

#include "base/bad_option.h"
#include "base/message_parts.h"

namespace cutset::optimize_messages {

namespace {

std::string list(const std::vector<std::string>& names) {
    return name_list(names, names.size());
}

}  // namespace

Diagnostic empty_expression(const std::string& option) {
    return make_error("bad-expression", option + " is empty", "give an expression of variables of the model");
}
Diagnostic marks_nested(Span where, const std::string& option) {
    return make_error(where, "bad-expression",
                      option + ": integral, max, min and @ each take a plain expression of variables",
                      "they cannot stand inside one another, nor behind `always:`");
}
Diagnostic marks_inside(Span where, const std::string& option) {
    return make_error(
        where, "bad-expression",
        option + ": integral, max, min and @ may be combined by + - * / ** and elementary functions only",
        "give what is around them as a variable of the model");
}
Diagnostic bad_mark(Span where, const std::string& option) {
    return make_error(where, "bad-expression", option + ": @ is followed by a time or `end`",
                      "for example x@2.5 or x@end");
}
Diagnostic no_run(Span where, const std::string& option) {
    return make_error(where, "bad-expression", option + ": there is no run that could be integrated over",
                      "the model is static, or --steady asks for its equilibrium");
}
Diagnostic not_a_number(Span where, const std::string& option) {
    return make_error(where, "bad-expression", option + " takes an expression, not a condition",
                      "conditions belong to --subject");
}
Diagnostic no_limit(Span where, const std::string& option, const std::string& text) {
    return make_error(
        where, "bad-expression",
        fmt::format("{} \"{}\" is no condition of the form a < b, a > b or a = b", option, text),
        "for example --subject \"T < 400\", --subject \"x@end = 1\"");
}
Diagnostic equation_along_run(Span where, const std::string& option, const std::string& text) {
    return make_error(
        where, "bad-expression",
        fmt::format("{} \"{}\": parameters cannot make an equation hold along the whole run", option, text),
        "mark the time at which it shall hold, for example x@end = 1");
}
Diagnostic bad_range(const std::string& option, const std::string& text) {
    return bad_option(
        fmt::format("{} {}: expected NAME, NAME=GUESS, NAME=LOWER:UPPER or NAME=LOWER:UPPER:GUESS", option,
                    text),
        "for example --over k=0.1:10,T=1:20:5; a bound may be left out: k=0:");
}
Diagnostic empty_range(const std::string& option, const std::string& path, double lower, double upper) {
    return bad_option(fmt::format("{} {}: the lower bound {:.6g} is above the upper bound {:.6g}", option,
                                  path, lower, upper));
}
Diagnostic needs_bounds(const std::string& why, const std::vector<std::string>& parameters) {
    return make_error("needs-bounds",
                      fmt::format("{} needs finite bounds; {} {} none", why, list(parameters),
                                  parameters.size() == 1 ? "has" : "have"),
                      fmt::format("give them: --over {}=LOWER:UPPER", parameters.front()));
}
Diagnostic time_outside(const std::string& measure, double time, double start, double stop) {
    return bad_option(
        fmt::format("{}: the run from {:.6g} to {:.6g} has no time {:.6g}", measure, start, stop, time),
        "--stop sets the end of the run");
}
Diagnostic no_module(const std::string& problem) {
    return make_error("no-optimizer", "the optimizers cannot be used: " + problem,
                      "./cutset builds the module libcutset_optimizers.so from Ipopt and NLopt (packages "
                      "coinor-libipopt-dev, "
                      "libnlopt-dev)");
}
Diagnostic method_without_limits(const std::string& method) {
    return bad_option(fmt::format("--method {} takes bounds of parameters only, no --subject", method),
                      "methods with conditions: ipopt, slsqp, cobyla, isres");
}

Diagnostic not_defined_at_start(const std::string& reason, const std::vector<std::string>& values) {
    return make_error(
        "no-start", fmt::format("the model cannot be run with the first values {}: {}", list(values), reason),
        "give other first values: --over NAME=LOWER:UPPER:GUESS");
}
Diagnostic infeasible(const std::vector<std::string>& broken, const std::vector<std::string>& at_bounds) {
    Diagnostic d =
        make_error("infeasible", "no values were found that keep all conditions",
                   at_bounds.empty()
                       ? "relax a condition, let more parameters vary, or try --starts 10 or --method isres"
                       : "widen the bounds or relax a condition; --starts 10 tries from elsewhere");
    for (const std::string& text : broken) d.details.push_back("not kept: " + text);
    if (!at_bounds.empty()) d.details.push_back("at their bounds: " + list(at_bounds));
    return d;
}
Diagnostic unbounded(const std::string& objective, const std::vector<std::string>& growing) {
    return make_error(
        "unbounded",
        fmt::format("{} has no optimum: it goes on getting better without limit; the last values were {}",
                    objective, list(growing)),
        fmt::format("give bounds: --over {}=LOWER:UPPER, or an objective that has a price for it",
                    growing.empty() ? "NAME" : growing.front().substr(0, growing.front().find(' '))));
}
Diagnostic no_optimum(const std::string& reason) {
    return make_error(
        "no-optimum", "no optimum was found: " + reason,
        "try other first values (--over NAME=LOWER:UPPER:GUESS), --starts 10, or another --method");
}
Diagnostic interrupted() {
    return make_error(
        "interrupted",
        "the search was interrupted before an optimum was found; the best values so far are shown",
        "they may be the first values of another search: --over NAME=LOWER:UPPER:GUESS");
}
Diagnostic interrupted_at_once() {
    return make_error("interrupted", "the search was interrupted before the model had been run once",
                      "a shorter --stop makes runs shorter");
}
Diagnostic limit_of_iterations(const std::string& reason) {
    return make_error(
        "no-optimum", reason + " before an optimum was found; the best values so far are shown",
        "a higher --max-iterations goes on; parameters of very different influence make it slow");
}
Diagnostic no_influence(const std::vector<std::string>& parameters, const std::string& on) {
    const bool one = parameters.size() == 1;
    return make_warning(
        "no-influence", fmt::format("{} {} no influence on {}", list(parameters), one ? "has" : "have", on),
        one ? "it keeps its first value; leave it out of --over, or let the objective depend on it"
            : "they keep their first values; leave them out of --over, or let the objective depend on them");
}
Diagnostic not_written(const std::string& file) {
    return make_warning("not-written",
                        file.empty() ? "no optimum, so no result was written"
                                     : fmt::format("no optimum, so {} is left as it was", file),
                        "-o with the name of a new file writes the last values");
}
Diagnostic roughly(const std::string& reason) {
    return make_warning("rough-optimum", "the optimum is not as exact as asked for: " + reason,
                        "a smaller --tolerance of the runs may help");
}

Diagnostic unknown_column(const std::string& file, const std::string& column, const std::string& near) {
    return make_error("unknown-name", fmt::format("{}: there is no column {}", file, column),
                      did_you_mean(near, "--match COLUMN=VARIABLE uses the names in the head of the file"));
}
Diagnostic nothing_matches(const std::string& file, const std::vector<std::string>& columns) {
    return make_error("no-match",
                      fmt::format("{}: no column has the name of a variable of the model; there are {}", file,
                                  list(columns)),
                      "--match COLUMN=VARIABLE says which variable was measured");
}
Diagnostic bad_match(const std::string& variable, const std::string& near) {
    return make_error("unknown-name", fmt::format("--match: the model has no variable {}", variable),
                      did_you_mean(near));
}
Diagnostic unknown_weight(const std::string& name, const std::vector<std::string>& measured) {
    return make_error("unknown-name", fmt::format("--weight {}: no measured variable has this name", name),
                      "measured are " + list(measured));
}
Diagnostic bad_weight(const std::string& text) {
    return bad_option(
        fmt::format("--weight {}: expected VARIABLE=NUMBER above 0, or VARIABLE=1/NUMBER", text),
        "the weight is one over the standard deviation of the measurement; --sigma y=0.1 is "
        "--weight y=1/0.1");
}
Diagnostic too_few_samples(std::size_t samples, std::size_t parameters) {
    return make_error("too-few-samples",
                      fmt::format("{} {} cannot determine {} parameters", samples,
                                  samples == 1 ? "sample" : "samples", parameters),
                      "give more data or estimate fewer parameters");
}
Diagnostic no_freedom(std::size_t samples, const std::string& variable) {
    return make_warning(
        "no-freedom",
        fmt::format("there are as many samples as parameters ({}): any residuals would vanish, so "
                    "that the deviation of a sample cannot be estimated and the intervals are "
                    "unknown",
                    samples),
        fmt::format("give more samples, or the deviation of a sample: --sigma {}=…", variable));
}
Diagnostic taken_as_time(const std::string& file, const std::string& column) {
    return make_note("taken-as-time", fmt::format("{}: the column {} is taken as the time", file, column),
                     "name it `time`, or say --match COLUMN=time for another one");
}
Diagnostic time_or_variable(const std::string& file, const std::string& column) {
    return make_error(
        "which-time",
        fmt::format("{}: no column is named time, and {} is the name of a variable of the model too", file,
                    column),
        fmt::format("--match {}=time says that it is the time; else name the column of the time "
                    "`time`, or say which it is",
                    column));
}
Diagnostic columns_not_used(const std::string& file, const std::vector<std::string>& columns,
                            const std::string& near) {
    return make_note("columns-not-used",
                     fmt::format("{}: the model has no variable {}: {} not used", file, list(columns),
                                 columns.size() == 1 ? "the column is" : "these columns are"),
                     near.empty()
                         ? "--match COLUMN=VARIABLE says which variable was measured"
                         : fmt::format("--match {}={}, if that was measured", columns.front(), near));
}
Diagnostic sample_before_start(const std::string& file, double time, double start) {
    return make_error("bad-data",
                      fmt::format("{}: a sample is at time {:.6g}, before the start of the run at {:.6g}",
                                  file, time, start),
                      "--start sets the start of the run");
}
Diagnostic not_identifiable(const std::vector<std::string>& names, const std::string& combination) {
    return make_warning(
        "not-identifiable",
        fmt::format(
            "the data cannot tell {} apart: they may change together, {}, and nothing that was measured "
            "changes",
            list(names), combination),
        "fix one of them, estimate their combination, or measure something else");
}
Diagnostic no_influence_on_data(const std::vector<std::string>& names) {
    return make_warning("not-identifiable",
                        fmt::format("{} {} no influence on what was measured", list(names),
                                    names.size() == 1 ? "has" : "have"),
                        "leave it out of --over, or measure something that depends on it");
}
Diagnostic poorly_determined(const std::vector<std::string>& names) {
    return make_warning(
        "poorly-determined",
        fmt::format("the interval of {} is wider than the value itself: the data say little about {}",
                    list(names), names.size() == 1 ? "it" : "them"),
        "more samples, less noise or another input would help");
}
Diagnostic fit_failed(const std::string& reason) {
    return make_error("fit-failed", "the parameters could not be estimated: " + reason,
                      "try other first values: --over NAME=GUESS or NAME=LOWER:UPPER:GUESS");
}
Diagnostic correlated_residuals(const std::string& column, double coefficient) {
    return make_warning(
        "correlated-residuals",
        fmt::format("the residuals of {} are correlated ({:.2f} from one sample to the next): the model "
                    "leaves something out, and the intervals are too narrow",
                    column, coefficient));
}
Diagnostic at_bound(const std::vector<std::string>& names) {
    return make_warning("at-bound", fmt::format("{} ended at a bound; no interval can be given", list(names)),
                        "widen the bound if it was only a guess");
}

}  // namespace cutset::optimize_messages
