#include "operations/collocation/collocation_messages.h"

#include <fmt/format.h>

#include <cmath>

#include "base/bad_option.h"
#include "base/message_parts.h"

namespace cutset::collocation_messages {

Diagnostic has_when(const FlatModel& model, const WhenClause& when, const char* command) {
    Diagnostic d =
        make_error(when.origin.where, "not-smooth",
                   fmt::format("{} cannot pass the instants of `when {}`: what happens there has no "
                               "derivatives",
                               command, to_text(when.condition, model.printer())),
                   "leave the when clause out of the model, or write what it means as equations");
    d.submodel = model.path(when.origin.instance);
    return d;
}

Diagnostic has_clock(const FlatModel& model, const char* command) {
    return make_error("not-smooth",
                      fmt::format("{} cannot pass the sampling instants of {}", command, model.name),
                      "replace the sampled part by a continuous one");
}

Diagnostic has_delay(const FlatModel& model, const char* command) {
    return make_error("not-smooth",
                      fmt::format("{} cannot treat the delays of {}: what happens depends on the past",
                                  command, model.name),
                      "replace delay(x, T) by a chain of first-order lags");
}

Diagnostic has_conditions(const FlatModel& model, const std::vector<const Switch*>& switches) {
    Diagnostic d =
        make_warning(switches.front()->origin.where, "not-smooth",
                     fmt::format("{} has {} where derivatives jump; the method counts on smooth equations "
                                 "and may come to a halt there",
                                 model.name, switches.size() == 1 ? "a condition" : "conditions"),
                     "where the solution looks wrong or is not found, smooth the condition, for example "
                     "by tanh((a - b)/eps)");
    for (const Switch* s : switches) d.details.push_back(to_text(s->node, model.printer()));
    return d;
}

Diagnostic chooses_states(const char* command) {
    return make_warning(
        "state-choice",
        fmt::format("which variables are states of this model depends on where it is; {} keeps the "
                    "choice of the start",
                    command),
        "where the solution leaves the region of that choice, use coordinates that are good "
        "everywhere (angles instead of x and y)");
}

Diagnostic no_states(const std::string& model) {
    return make_error("no-states", fmt::format("{} has no derivatives: nothing in it moves", model),
                      "values of a static model are found by cutset design, or by cutset optimize --steady");
}

Diagnostic bounds_contradict(const std::string& name, double lower, double upper) {
    return make_error("no-feasible",
                      fmt::format("{} has a lower bound of {} above its upper bound of {}", name,
                                  number_text(lower), number_text(upper)),
                      fmt::format("write --over \"{}={}:{}\", the lower one first", name, number_text(upper),
                                  number_text(lower)));
}

Diagnostic bad_duration(double lower, double upper) {
    return make_error(
        "bad-horizon",
        fmt::format("a horizon from {} to {} is no length of time", number_text(lower), number_text(upper)),
        "give a positive length, --horizon 10, or bounds of a free one, --horizon T=1:20");
}

Diagnostic guess_incomplete(double reached, double end, const std::string& why) {
    Diagnostic d =
        make_warning("guess",
                     fmt::format("the simulation for the first guess stopped at time {} of {}; what "
                                 "follows is guessed to stay as it was there",
                                 number_text(reached), number_text(end)),
                     "if no solution is found, give a better input with --over \"u=lo:hi:guess\", or a "
                     "result with --guess FILE");
    if (!why.empty()) d.details.push_back(why);
    return d;
}

Diagnostic guess_without(const std::string& name) {
    return make_warning("guess",
                        fmt::format("the guess has no column {}; it is guessed to be constant", name));
}

Diagnostic start_outside(const std::string& name, double value, double lower, double upper) {
    return make_error(
        "no-feasible",
        fmt::format("{} begins at {}, outside its range {} … {}", name, number_text(value),
                    number_text(lower), number_text(upper)),
        fmt::format("change the start with --init, or the range with --bounds \"{}=lo:hi\"", name));
}

Diagnostic no_optimizer(const std::string& problem) {
    return make_error("no-optimizer", problem);
}

Diagnostic not_evaluated(const Diagnostic& why) {
    Diagnostic d = why;
    d.message = "the equations have no values at the guess: " + d.message;
    d.help =
        "give another guess, by --over \"u=lo:hi:guess\" or --guess FILE, or bounds that keep away from "
        "there";
    return d;
}

Diagnostic infeasible(const std::vector<std::string>& violated) {
    Diagnostic d =
        make_error("no-feasible",
                   "no inputs were found that satisfy all conditions; at the nearest point that was found "
                   "these are violated",
                   "widen the bounds or the horizon, leave out a condition to see which one asks too "
                   "much, or begin with another --guess");
    d.details = violated;
    return d;
}

Diagnostic unbounded(const std::vector<std::string>& without) {
    Diagnostic d = make_error("unbounded", "the objective gets better without limit",
                              "give bounds, --over \"u=lo:hi\", or add a cost of the input to the objective");
    if (!without.empty()) {
        std::string list;
        for (const std::string& name : without) list += (list.empty() ? "" : ", ") + name;
        d.details.push_back("without bounds: " + list);
    }
    return d;
}

Diagnostic not_optimal(const std::string& message, bool limit) {
    return make_error(
        "not-optimal", "no optimum was found: " + message,
        limit ? "allow more with --max-iterations, or begin nearer to the solution with --guess FILE"
              : "begin nearer to the solution with --guess FILE, give bounds to states that must not "
                "leave a region, or use fewer --intervals at first");
}

Diagnostic interrupted(const std::string& message) {
    return make_error("interrupted", message,
                      "what is written is the last point that was tried, not an optimum");
}

Diagnostic only_acceptable(double stationarity) {
    return make_warning(
        "not-optimal",
        fmt::format("no better point was found, but the conditions of an optimum hold only to {:.1e}",
                    stationarity),
        "the objective may have a kink or badly scaled quantities: give nominal values to variables");
}

Diagnostic mesh_error(double error, double tolerance, double where, std::size_t intervals) {
    return make_warning(
        "mesh",
        fmt::format("between the {} intervals the states are uncertain by about {:.1e} of their size "
                    "near time {}, more than the tolerance of {:.1e}",
                    intervals, error, fmt::format("{:.4g}", where), tolerance),
        "that is common where an input jumps; --intervals and --rounds make the mesh finer");
}

Diagnostic approximate_hessian() {
    return make_warning(
        "quasi-newton",
        "second derivatives of this model are not available by formula; the optimum is found by "
        "quasi-Newton updates, which takes more iterations");
}

Diagnostic leaves_range(const std::string& name, double value, double time, double bound, bool below) {
    return make_warning(
        "left-range",
        fmt::format("{} gets {} its declared {} of {}: {} at time {}", name, below ? "below" : "above",
                    below ? "minimum" : "maximum", number_text(bound), fmt::format("{:.6g}", value),
                    fmt::format("{:.4g}", time)),
        fmt::format("bounds of states and sought inputs are kept by themselves; for {} add --subject "
                    "\"{} {} {}\"",
                    name, name, below ? ">" : "<", number_text(bound)));
}

namespace {

std::string listed(const std::vector<std::string>& names) {
    std::string list;
    for (const std::string& name : names) list += (list.empty() ? "" : ", ") + name;
    return list;
}

}  // namespace

Diagnostic not_a_state(const std::string& name, const Partition* partition) {
    std::vector<std::string> states;
    for (VariableIndex v : shown_states(*partition)) states.push_back(partition->model.path(v));
    const std::string near = nearest_name(name, states);
    return bad_option(fmt::format("{} has no initial value: it is no state of the model", name),
                      did_you_mean(near, "the states are " + listed(states)));
}

Diagnostic wrong_number(const std::vector<std::string>& unknowns, const std::vector<std::string>& conditions,
                        const std::string& written) {
    Diagnostic d = make_error(
        "wrong-number", fmt::format("{} boundary condition{} for {} unknown{}", conditions.size(),
                                    plural(conditions.size()), unknowns.size(), plural(unknowns.size())));
    d.details.push_back("unknown are " + listed(unknowns));
    d.details.push_back(conditions.empty() ? "there is no condition"
                                           : "conditions are " + listed(conditions));
    if (conditions.size() < unknowns.size())
        d.help = "give more with --at-start \"x = 1\" or --at-end \"x = 2\"";
    else if (!written.empty())
        d.help = fmt::format("say which initial values of the model are only guesses: --unknown \"{}(0)\"",
                             written);
    else
        d.help = "leave out a condition, or let a parameter be sought: --unknown p";
    return d;
}

Diagnostic start_depends(const std::string& state, const std::string& parameter) {
    return bad_option(
        fmt::format("the initial value of {} in the model depends on {}, which is sought", state, parameter),
        fmt::format("write it as a condition, --at-start \"{} = …\", and its initial value in the model as a "
                    "guess, --unknown \"{}(0)\"",
                    state, state));
}

Diagnostic no_solution(const std::vector<std::string>& reached) {
    Diagnostic d = make_error(
        "no-solution", "no solution was found",
        "perhaps there is none. Else begin nearer to it: --guess \"x = 1 - time\" or --guess FILE, --unknown "
        "\"x(0)=2\"; or go there step by step from an easier problem: --continue p=from:to");
    d.details = reached;
    return d;
}

Diagnostic continuation_ended(const std::string& parameter, double reached, double wanted) {
    return make_error(
        "no-solution",
        fmt::format("solutions could be followed to {} = {:.8g}, not to {}: the branch turns back there or "
                    "ends",
                    parameter, reached, number_text(wanted)),
        "the result is the last solution; others, if there are any, have other guesses: --all finds some");
}

Diagnostic boundary_mesh_error(double error, double tolerance, std::size_t intervals) {
    return make_warning(
        "mesh",
        fmt::format("with {} intervals the equations are satisfied to {:.1e} between the points, not to "
                    "the tolerance of {:.1e}",
                    intervals, error, tolerance),
        "the solution may have a layer or a singular point; a larger --tolerance accepts it");
}

Diagnostic no_end_of_interval() {
    return bad_option("a boundary value problem needs the other end of its interval",
                      "give it with --to, for example --from 0 --to 1");
}

Diagnostic empty_interval(double from, double to) {
    return bad_option(fmt::format("--to {} is not after --from {}", to, from));
}

Diagnostic condition_not_an_equation(const std::string& option, const std::string& text) {
    return bad_option(fmt::format("{} {}: a boundary condition is an equation", option, text),
                      "write it with = instead");
}

Diagnostic name_and_number_expected(const std::string& option, const std::string& text) {
    return bad_option(fmt::format("{} {}: expected NAME=NUMBER", option, text));
}

Diagnostic continuation_needs_both_ends() {
    return bad_option("--continue: expected NAME=FROM:TO");
}

Diagnostic expected(const std::string& option, const std::string& what) {
    return bad_option(fmt::format("{}: expected {}", option, what));
}

Diagnostic array_is_unknown() {
    return bad_option("--unknown: name the elements of arrays one by one, p[1],p[2]");
}

Diagnostic guess_of_no_state(const std::string& name, const std::string& near) {
    return bad_option(fmt::format("--guess: {} is no state of the model and no unknown parameter", name),
                      did_you_mean(near));
}

}  // namespace cutset::collocation_messages
