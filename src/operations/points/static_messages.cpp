#include "operations/points/static_messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::static_messages {

namespace {

std::string list(const FlatModel& model, const std::vector<VariableIndex>& variables) {
    std::vector<std::string> names;
    for (VariableIndex v : variables) names.push_back(model.path(v));
    return name_list(names, 8);
}

std::string one_of(const FlatModel& model, const std::vector<VariableIndex>& variables) {
    return (variables.size() > 1 ? "one of " : "") + list(model, variables);
}

// As an option takes it.
std::string joined(const FlatModel& model, const std::vector<VariableIndex>& variables) {
    std::string out;
    for (VariableIndex v : variables) out += (out.empty() ? "" : ",") + model.path(v);
    return out;
}

void add_equations(Diagnostic& d, const FlatModel& model, const std::vector<EquationIndex>& equations,
                   const char* title) {
    constexpr std::size_t shown = 10;
    if (equations.empty()) return;
    d.details.push_back(title);
    for (std::size_t i = 0; i < equations.size() && i < shown; ++i) {
        const Equation& e = model.equations[equations[i]];
        const std::string submodel = model.path(e.origin.instance);
        d.details.push_back("  " + model.text(e) + (submodel.empty() ? "" : "    (in " + submodel + ")"));
    }
    if (equations.size() > shown)
        d.details.push_back(fmt::format("  … and {} more", equations.size() - shown));
}

std::string range(const Variable& v) {
    if (v.minimum && v.maximum)
        return fmt::format("between {} and {}", number_text(*v.minimum), number_text(*v.maximum));
    if (v.minimum) return "at least " + number_text(*v.minimum);
    return "at most " + number_text(*v.maximum);
}

}  // namespace

Diagnostic unknown_name(const FlatModel& model, const std::string& option, const std::string& path,
                        const std::string& nearest) {
    return make_error("unknown-name",
                      fmt::format("{}: there is no variable {} in {}", option, path, model.name),
                      did_you_mean(nearest, "`cutset equations --flat` lists the names"));
}

Diagnostic sought_shapes_model(const FlatModel& model, VariableIndex v) {
    return make_error(
        model.variables[v].origin.where, "sought-shapes-model",
        fmt::format("{} cannot be sought: its value decides which equations there are", model.path(v)),
        "sizes of arrays, conditions in `if … then` around statements and the like must be known first; try "
        "values with --set, or seek another parameter");
}

Diagnostic cannot_be_sought(const FlatModel& model, VariableIndex v, bool stationary) {
    const Variable& variable = model.variables[v];
    const char* why = variable.variability == Variability::Constant   ? "it is a constant"
                      : variable.variability == Variability::Discrete ? "it changes at events only"
                      : stationary ? "it is a variable, which the equations determine anyway"
                                   : "it is not differentiated, so that the equations determine it anyway";
    return make_error(
        variable.origin.where, "cannot-be-sought", fmt::format("{} cannot be sought: {}", model.path(v), why),
        stationary
            ? "seek parameters and inputs of the model; with --dynamic also the initial values of states"
            : "seek parameters, inputs of the model and initial values of states (`cutset check` lists "
              "them)");
}

Diagnostic known_not_variable(const FlatModel& model, VariableIndex v) {
    const Variable& variable = model.variables[v];
    const bool parameter = variable.variability <= Variability::Parameter;
    return make_error(variable.origin.where, "known-not-variable",
                      fmt::format("--known {}: it is {}", model.path(v),
                                  parameter ? "a parameter, which is known anyway"
                                            : "a discrete variable, which changes at events only"),
                      parameter ? fmt::format("--set {}=… gives it another value", model.path(v))
                                : "give a variable that changes continuously");
}

Diagnostic known_twice(const FlatModel& model, VariableIndex v) {
    return make_error(model.variables[v].origin.where, "known-twice",
                      fmt::format("--known {} is given twice", model.path(v)));
}

Diagnostic known_differs(const FlatModel& model, VariableIndex v, double wanted, double value) {
    return make_error(
        model.variables[v].origin.where, "known-differs",
        fmt::format("{} cannot be {:.6g}: the stationary point determines it, as {:.6g}", model.path(v),
                    wanted, value),
        fmt::format(
            "say what may change for it: `cutset design --known {}={:.6g} --unknown …` seeks parameters or "
            "inputs",
            model.path(v), wanted));
}

Diagnostic guess_without_effect(const FlatModel& model, VariableIndex v) {
    return make_warning(model.variables[v].origin.where, "guess-without-effect",
                        fmt::format("--guess {}: it is not sought, so a guess says nothing", model.path(v)),
                        "--set gives a parameter another value");
}

Diagnostic empty_bounds(const FlatModel& model, VariableIndex v, double low, double high) {
    return make_error(model.variables[v].origin.where, "empty-bounds",
                      fmt::format("--bounds {}={}:{}: there is nothing between these bounds", model.path(v),
                                  number_text(low), number_text(high)));
}

Diagnostic cannot_rest(const FlatModel& model, const Diagnostic& not_steady,
                       const std::vector<VariableIndex>& open) {
    Diagnostic d = not_steady;
    d.code = "cannot-rest";
    d.help =
        "choose inputs and parameters for which it is zero; if there is a stationary point, guesses nearer "
        "to it, --guess x=…, may help";
    if (open.empty()) return d;
    d.details.push_back(fmt::format("nothing holds {}: {} go on for ever", list(model, open),
                                    open.size() == 1 ? "it can" : "they can"));
    d.help = fmt::format(
        "--moving {} lets {} move on steadily; or choose inputs and parameters for which all derivatives are "
        "zero",
        joined(model, open), open.size() == 1 ? "it" : "them");
    return d;
}

Diagnostic grows_for_ever(const FlatModel& model, const std::vector<Runaway>& variables) {
    const auto text = [&](const Runaway& r) {
        return fmt::format(
            "{} {} for ever, {}", model.path(r.variable), r.rate > 0 ? "grows" : "falls",
            r.depends_on_no_state
                ? fmt::format("its derivative {:.6g} depends on no state", r.rate)
                : fmt::format(
                      "nothing holds it, and where all other derivatives are zero its derivative is {:.6g}",
                      r.rate));
    };
    std::vector<VariableIndex> names;
    for (const Runaway& r : variables) names.push_back(r.variable);
    Diagnostic d = make_error(
        model.variables[variables[0].variable].origin.where, "grows-for-ever",
        "there is no stationary point: " + text(variables[0]),
        fmt::format("--moving {} lets {} move on and finds the rest of the model; or choose inputs and "
                    "parameters for which the derivative is zero",
                    joined(model, names), names.size() == 1 ? "it" : "them"));
    for (std::size_t i = 1; i < variables.size() && i < 8; ++i) d.details.push_back(text(variables[i]));
    return d;
}

namespace {

// "v = 0 (sign(v))"
std::string surface(const FlatModel& model, Expr node) {
    const Printer printer = model.printer();
    if (node->op == Op::Sign)
        return fmt::format("{} = 0, where {} jumps", to_text(node->arg(0), printer), to_text(node, printer));
    return fmt::format("{} = {}, where {} changes", to_text(node->arg(0), printer),
                       to_text(node->arg(1), printer), to_text(node, printer));
}

}  // namespace

Diagnostic held_on_surface(const FlatModel& model, const std::vector<Expr>& switches) {
    Diagnostic d = make_note(
        "held",
        "the equilibrium lies on a switching surface: " + surface(model, switches[0]) +
            "; the two sides hold it there",
        "it is the point that the motion from the initial values comes to; with others (--guess) it may be "
        "another one");
    for (std::size_t i = 1; i < switches.size() && i < 8; ++i)
        d.details.push_back(surface(model, switches[i]));
    return d;
}

Diagnostic no_branch_when_held(const FlatModel& model, const std::vector<Expr>& switches) {
    return make_error("held",
                      "a branch cannot be followed: the equilibrium lies on a switching surface, " +
                          surface(model, switches[0]),
                      "`cutset steady` finds the points for single values of the parameter");
}

Diagnostic does_not_move(const FlatModel& model, VariableIndex v, bool continuous) {
    return make_error(
        model.variables[v].origin.where, "does-not-move",
        fmt::format("--moving {}: {}", model.path(v),
                    continuous ? "it is not differentiated, so that it has no derivative of its own"
                               : "it is no variable that moves"),
        "name variables that stand under a derivative, x of x' or der(x); `cutset check` lists the states");
}

Diagnostic left_open(const FlatModel& model, const std::vector<Valued>& variables) {
    std::vector<std::string> names, values;
    for (const Valued& v : variables) {
        names.push_back(model.path(v.variable));
        values.push_back(fmt::format("{} = {:.6g}", model.path(v.variable), v.value));
    }
    return make_note(model.variables[variables[0].variable].origin.where, "left-open",
                     fmt::format("the stationary point leaves {} free: any value will do, taken as {}",
                                 name_list(names, 8), name_list(values, 8)),
                     fmt::format("choose the value with --init {}=…", names[0]));
}

Diagnostic does_not_settle(const FlatModel& model, const std::vector<VariableIndex>& variables) {
    const Variable& first = model.variables[variables[0]];
    return make_error(
        first.origin.where, "does-not-settle",
        fmt::format("there is no stationary point: `when` clauses keep changing {}", list(model, variables)),
        "with each of their values the others lead on to the next, as a thermostat switches for ever; fix "
        "one with --init to see its equilibrium then");
}

Diagnostic sampled_not_judged(const FlatModel& model, const std::vector<VariableIndex>& sampled) {
    return make_note(
        "sampled-not-judged",
        fmt::format("stability is not judged, because {} sampled: the eigenvalues are those of the "
                    "continuous part with these held",
                    sampled.size() == 1 ? list(model, sampled) + " is" : list(model, sampled) + " are"));
}

Diagnostic delayed_not_judged() {
    return make_note("delayed-not-judged", "stability is not judged, because the model has delays",
                     "simulate from a little beside the point to see whether it is kept");
}

Diagnostic slope_not_judged(const FlatModel& model, const InfiniteSlope& slope) {
    const Equation& e = model.equations[slope.equation];
    const std::string name = model.path(slope.variable);
    Diagnostic d = make_note(e.origin.where, "slope-not-judged",
                             fmt::format("stability is not judged, because there are no eigenvalues: the "
                                         "derivative of {} by {} is infinite at {} = {:.3g}",
                                         model.text(e), name, name, slope.value),
                             "simulate from a little beside the point to see whether it is kept");
    d.submodel = model.path(e.origin.instance);
    return d;
}

Diagnostic too_many_states(std::size_t states, std::size_t most) {
    return make_note(
        "stability-not-judged",
        fmt::format("stability is not judged: {} states, eigenvalues are computed up to {}", states, most));
}

Diagnostic outside_bounds(const FlatModel& model, const std::vector<Valued>& variables) {
    const Variable& first = model.variables[variables[0].variable];
    Diagnostic d = make_error(
        first.origin.where, "outside-bounds",
        fmt::format("no solution was found within the bounds: {} would be {:.6g}, and must be {}",
                    model.path(variables[0].variable), variables[0].value, range(first)),
        "begin nearer to the solution meant with --guess x=…, or give other bounds with --bounds x=a:b");
    for (std::size_t i = 1; i < variables.size() && i < 8; ++i)
        d.details.push_back(fmt::format("{} would be {:.6g}, and must be {}",
                                        model.path(variables[i].variable), variables[i].value,
                                        range(model.variables[variables[i].variable])));
    return d;
}

Diagnostic none_found(const std::string& what, bool had_guesses, bool had_bounds) {
    Diagnostic d = make_error(
        "none-found", fmt::format("no {} was found", what),
        had_guesses
            ? "other guesses (--guess x=…) may lead to one; --continue p=a:b follows one from a value of "
              "p for which it is known"
            : "guesses nearer to it, --guess x=…, may help; --continue p=a:b follows one from a value of "
              "p for which it is known");
    if (had_bounds) d.help += "; or the bounds exclude it";
    return d;
}

Diagnostic fewer_found(std::size_t found, std::size_t wanted) {
    return make_note("fewer-found", fmt::format("{} of {} solutions found", found, wanted),
                     "--bounds x=a:b says where to look for more");
}

Diagnostic does_not_hold(const FlatModel& model, const Equation& equation, double residual) {
    Diagnostic d = make_error(
        equation.origin.where, "does-not-hold",
        fmt::format("the point found does not satisfy {}: it is off by {:.3g} of its terms",
                    model.text(equation), residual),
        "an if or a function with a jump may lie between two sides, neither of which is stationary; try "
        "another --guess");
    d.submodel = model.path(equation.origin.instance);
    return d;
}

Diagnostic one_condition_too_many(const FlatModel& model, VariableIndex variable,
                                  const std::string& condition, const std::vector<std::string>& others,
                                  const std::vector<EquationIndex>& equations,
                                  const std::vector<VariableIndex>& could_be_sought,
                                  const std::vector<VariableIndex>& idle) {
    Diagnostic d =
        make_error(model.variables[variable].origin.where, "one-condition-too-many",
                   fmt::format("{} is one condition too many: nothing that is sought is free to make it "
                               "hold",
                               condition));
    if (!others.empty()) d.details.push_back("together with " + name_list(others, 8));
    add_equations(d, model, equations, "overdetermined, with that condition:");
    if (!idle.empty())
        d.details.push_back(fmt::format("underdetermined: {}, which {} no effect on it", list(model, idle),
                                        idle.size() == 1 ? "has" : "have"));
    if (could_be_sought.empty())
        d.help = "no parameter or input stands in these equations: leave out the condition";
    else
        d.help = fmt::format("seek {}{}: --unknown {}", one_of(model, could_be_sought),
                             idle.empty() ? " as well" : " instead of " + model.path(idle[0]),
                             model.path(could_be_sought[0]));
    return d;
}

Diagnostic not_determined(const FlatModel& model, const std::vector<VariableIndex>& sought,
                          const std::vector<VariableIndex>& could_be_given,
                          const std::vector<EquationIndex>& equations) {
    Diagnostic d = make_error(model.variables[sought[0]].origin.where, "not-determined",
                              sought.size() > 1 ? "the knowns do not determine all of " + list(model, sought)
                                                : "nothing determines " + list(model, sought));
    add_equations(d, model, equations, "underdetermined:");
    if (equations.empty())
        d.help = fmt::format("{} acts on nothing that is asked for: leave it out", model.path(sought[0]));
    else if (could_be_given.empty())
        d.help = "leave one of them out";
    else
        d.help =
            fmt::format("give the value of {}, as in --known {}=…; or leave out {}",
                        one_of(model, could_be_given), model.path(could_be_given[0]), model.path(sought[0]));
    return d;
}

Diagnostic one_parameter(const std::string& name) {
    return make_error("one-parameter", fmt::format("--continue {}: an array has several parameters", name),
                      fmt::format("name one element: {}[1]", name));
}

Diagnostic branch_lost(const std::string& parameter, double at, bool too_long) {
    return make_warning(
        "branch-lost",
        too_long ? fmt::format("the branch is not finished: at {} = {:.6g} there were too many "
                               "points",
                               parameter, at)
                 : fmt::format("the branch could not be followed beyond {} = {:.6g}", parameter, at),
        too_long ? "a shorter range, or fewer points with --points"
                 : "something in the equations ends or jumps there: a bound, a root of a negative number, "
                   "an if; smaller steps may help, --points 500");
}

Diagnostic no_derivatives() {
    return make_error("no-derivatives",
                      "the branch cannot be followed: a function or table in the equations has no "
                      "derivative by formula",
                      "`cutset steady` finds the points for single values of the parameter");
}

}  // namespace cutset::static_messages
