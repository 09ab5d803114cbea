#include "operations/points/static_messages.h"

#include <fmt/format.h>

namespace cutset::static_messages {

namespace {

Diagnostic about(Severity severity, const char* code, Span where, std::string message) {
    Diagnostic d;
    d.severity = severity;
    d.code = code;
    d.where = where;
    d.message = std::move(message);
    return d;
}

std::string list(const std::vector<std::string>& names, std::size_t most) {
    std::string out;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) out += (i ? ", " : "") + names[i];
    if (names.size() > most) out += fmt::format(" and {} more", names.size() - most);
    return out;
}

std::string list(const FlatModel& model, const std::vector<VariableIndex>& variables) {
    std::vector<std::string> names;
    for (VariableIndex v : variables) names.push_back(model.path(v));
    return list(names, 8);
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
    Diagnostic d = about(Severity::Error, "unknown-name", {},
                         fmt::format("{}: there is no variable {} in {}", option, path, model.name));
    d.help = nearest.empty() ? "`cutset equations --flat` lists the names" : "did you mean " + nearest + "?";
    return d;
}

Diagnostic sought_shapes_model(const FlatModel& model, VariableIndex v) {
    Diagnostic d =
        about(Severity::Error, "sought-shapes-model", model.variables[v].origin.where,
              fmt::format("{} cannot be sought: its value decides which equations there are", model.path(v)));
    d.help =
        "sizes of arrays, conditions in `if … then` around statements and the like must be known first; try "
        "values with --set, or seek another parameter";
    return d;
}

Diagnostic cannot_be_sought(const FlatModel& model, VariableIndex v, bool stationary) {
    const Variable& variable = model.variables[v];
    const char* why = variable.variability == Variability::Constant   ? "it is a constant"
                      : variable.variability == Variability::Discrete ? "it changes at events only"
                      : stationary ? "it is a variable, which the equations determine anyway"
                                   : "it is not differentiated, so that the equations determine it anyway";
    Diagnostic d = about(Severity::Error, "cannot-be-sought", variable.origin.where,
                         fmt::format("{} cannot be sought: {}", model.path(v), why));
    d.help = stationary
                 ? "seek parameters and inputs of the model; with --dynamic also the starts of states"
                 : "seek parameters, inputs of the model and starts of states (`cutset check` lists them)";
    return d;
}

Diagnostic known_not_variable(const FlatModel& model, VariableIndex v) {
    const Variable& variable = model.variables[v];
    const bool parameter = variable.variability <= Variability::Parameter;
    Diagnostic d = about(Severity::Error, "known-not-variable", variable.origin.where,
                         fmt::format("--known {}: it is {}", model.path(v),
                                     parameter ? "a parameter, which is known anyway"
                                               : "a discrete variable, which changes at events only"));
    d.help = parameter ? fmt::format("--set {}=… gives it another value", model.path(v))
                       : "give a variable that changes continuously";
    return d;
}

Diagnostic known_twice(const FlatModel& model, VariableIndex v) {
    return about(Severity::Error, "known-twice", model.variables[v].origin.where,
                 fmt::format("--known {} is given twice", model.path(v)));
}

Diagnostic known_differs(const FlatModel& model, VariableIndex v, double wanted, double value) {
    Diagnostic d = about(Severity::Error, "known-differs", model.variables[v].origin.where,
                         fmt::format("{} cannot be {:.6g}: the stationary point determines it, as {:.6g}",
                                     model.path(v), wanted, value));
    d.help = fmt::format(
        "say what may change for it: `cutset design --known {}={:.6g} --unknown …` seeks parameters or "
        "inputs",
        model.path(v), wanted);
    return d;
}

Diagnostic guess_without_effect(const FlatModel& model, VariableIndex v) {
    Diagnostic d = about(Severity::Warning, "guess-without-effect", model.variables[v].origin.where,
                         fmt::format("--guess {}: it is not sought, so a guess says nothing", model.path(v)));
    d.help = "--set gives a parameter another value";
    return d;
}

Diagnostic empty_bounds(const FlatModel& model, VariableIndex v, double low, double high) {
    return about(Severity::Error, "empty-bounds", model.variables[v].origin.where,
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
        "--moving {} lets {} move on steadily; or choose inputs and parameters for which all is at rest",
        joined(model, open), open.size() == 1 ? "it" : "them");
    return d;
}

Diagnostic grows_for_ever(const FlatModel& model, const std::vector<Runaway>& variables) {
    const auto text = [&](const Runaway& r) {
        return fmt::format(
            "{} {} for ever, {}", model.path(r.variable), r.rate > 0 ? "grows" : "falls",
            r.depends_on_no_state
                ? fmt::format("its rate {:.6g} depends on no state", r.rate)
                : fmt::format("nothing holds it, and where all else is at rest its rate is {:.6g}", r.rate));
    };
    Diagnostic d =
        about(Severity::Error, "grows-for-ever", model.variables[variables[0].variable].origin.where,
              "there is no stationary point: " + text(variables[0]));
    for (std::size_t i = 1; i < variables.size() && i < 8; ++i) d.details.push_back(text(variables[i]));
    std::vector<VariableIndex> names;
    for (const Runaway& r : variables) names.push_back(r.variable);
    d.help = fmt::format(
        "--moving {} lets {} move on and finds the rest of the model; or choose inputs and "
        "parameters for which the rate is zero",
        joined(model, names), names.size() == 1 ? "it" : "them");
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
    Diagnostic d = about(
        Severity::Note, "held", {},
        "the model rests on a surface: " + surface(model, switches[0]) + "; the two sides hold it there");
    for (std::size_t i = 1; i < switches.size() && i < 8; ++i)
        d.details.push_back(surface(model, switches[i]));
    d.help =
        "it is the point that the motion from the starts comes to; with other starts (--guess) it may rest "
        "elsewhere";
    return d;
}

Diagnostic no_branch_when_held(const FlatModel& model, const std::vector<Expr>& switches) {
    Diagnostic d =
        about(Severity::Error, "held", {},
              "a branch cannot be followed: the model rests on a surface, " + surface(model, switches[0]));
    d.help = "`cutset steady` finds the points for single values of the parameter";
    return d;
}

Diagnostic does_not_move(const FlatModel& model, VariableIndex v, bool continuous) {
    Diagnostic d =
        about(Severity::Error, "does-not-move", model.variables[v].origin.where,
              fmt::format("--moving {}: {}", model.path(v),
                          continuous ? "it is not differentiated, so that it has no rate of its own"
                                     : "it is no variable that moves"));
    d.help =
        "name variables that stand under a derivative, x of x' or der(x); `cutset check` lists the states";
    return d;
}

Diagnostic left_open(const FlatModel& model, const std::vector<Valued>& variables) {
    std::vector<std::string> names, values;
    for (const Valued& v : variables) {
        names.push_back(model.path(v.variable));
        values.push_back(fmt::format("{} = {:.6g}", model.path(v.variable), v.value));
    }
    Diagnostic d = about(Severity::Note, "left-open", model.variables[variables[0].variable].origin.where,
                         fmt::format("the stationary point leaves {} free: any value will do, taken as {}",
                                     list(names, 8), list(values, 8)));
    d.help = fmt::format("choose the value with --init {}=…", names[0]);
    return d;
}

Diagnostic does_not_settle(const FlatModel& model, const std::vector<VariableIndex>& variables) {
    const Variable& first = model.variables[variables[0]];
    Diagnostic d = about(
        Severity::Error, "does-not-settle", first.origin.where,
        fmt::format("there is no stationary point: `when` clauses keep changing {}", list(model, variables)));
    d.help =
        "with each of their values the others lead on to the next, as a thermostat switches for ever; fix "
        "one with --init to see the point it would rest at";
    return d;
}

Diagnostic sampled_not_judged(const FlatModel& model, const std::vector<VariableIndex>& sampled) {
    return about(
        Severity::Note, "sampled-not-judged", {},
        fmt::format("stability is not judged, because {} sampled: the eigenvalues are those of the "
                    "continuous part with these held",
                    sampled.size() == 1 ? list(model, sampled) + " is" : list(model, sampled) + " are"));
}

Diagnostic delayed_not_judged() {
    Diagnostic d = about(Severity::Note, "delayed-not-judged", {},
                         "stability is not judged, because the model has delays");
    d.help = "simulate from a little beside the point to see whether it is kept";
    return d;
}

Diagnostic slope_not_judged(const FlatModel& model, const InfiniteSlope& slope) {
    const Equation& e = model.equations[slope.equation];
    const std::string name = model.path(slope.variable);
    Diagnostic d = about(Severity::Note, "slope-not-judged", e.origin.where,
                         fmt::format("stability is not judged, because there are no eigenvalues: the "
                                     "derivative of {} by {} is infinite at {} = {:.3g}",
                                     model.text(e), name, name, slope.value));
    d.submodel = model.path(e.origin.instance);
    d.help = "simulate from a little beside the point to see whether it is kept";
    return d;
}

Diagnostic too_many_states(std::size_t states, std::size_t most) {
    return about(
        Severity::Note, "stability-not-judged", {},
        fmt::format("stability is not judged: {} states, eigenvalues are computed up to {}", states, most));
}

Diagnostic outside_bounds(const FlatModel& model, const std::vector<Valued>& variables) {
    const Variable& first = model.variables[variables[0].variable];
    Diagnostic d =
        about(Severity::Error, "outside-bounds", first.origin.where,
              fmt::format("no solution was found within the bounds: {} would be {:.6g}, and must be {}",
                          model.path(variables[0].variable), variables[0].value, range(first)));
    for (std::size_t i = 1; i < variables.size() && i < 8; ++i)
        d.details.push_back(fmt::format("{} would be {:.6g}, and must be {}",
                                        model.path(variables[i].variable), variables[i].value,
                                        range(model.variables[variables[i].variable])));
    d.help = "begin nearer to the solution meant with --guess x=…, or give other bounds with --bounds x=a:b";
    return d;
}

Diagnostic none_found(const std::string& what, bool had_guesses, bool had_bounds) {
    Diagnostic d = about(Severity::Error, "none-found", {}, fmt::format("no {} was found", what));
    d.help =
        had_guesses
            ? "other guesses (--guess x=…) may lead to one; --continue p=a:b follows one from a value of "
              "p for which it is known"
            : "guesses nearer to it, --guess x=…, may help; --continue p=a:b follows one from a value of "
              "p for which it is known";
    if (had_bounds) d.help += "; or the bounds exclude it";
    return d;
}

Diagnostic fewer_found(std::size_t found, std::size_t wanted) {
    Diagnostic d =
        about(Severity::Note, "fewer-found", {}, fmt::format("{} of {} solutions found", found, wanted));
    d.help = "--bounds x=a:b says where to look for more";
    return d;
}

Diagnostic does_not_hold(const FlatModel& model, const Equation& equation, double residual) {
    Diagnostic d = about(Severity::Error, "does-not-hold", equation.origin.where,
                         fmt::format("the point found does not satisfy {}: it is off by {:.3g} of its terms",
                                     model.text(equation), residual));
    d.submodel = model.path(equation.origin.instance);
    d.help =
        "an if or a function with a jump may lie between two sides, neither of which is stationary; try "
        "another --guess";
    return d;
}

Diagnostic one_condition_too_many(const FlatModel& model, VariableIndex variable,
                                  const std::string& condition, const std::vector<std::string>& others,
                                  const std::vector<EquationIndex>& equations,
                                  const std::vector<VariableIndex>& could_be_sought,
                                  const std::vector<VariableIndex>& idle) {
    Diagnostic d =
        about(Severity::Error, "one-condition-too-many", model.variables[variable].origin.where,
              fmt::format("{} is one condition too many: nothing that is sought is free to make it "
                          "hold",
                          condition));
    if (!others.empty()) d.details.push_back("together with " + list(others, 8));
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
    Diagnostic d = about(Severity::Error, "not-determined", model.variables[sought[0]].origin.where,
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
    Diagnostic d = about(Severity::Error, "one-parameter", {},
                         fmt::format("--continue {}: an array has several parameters", name));
    d.help = fmt::format("name one element: {}[1]", name);
    return d;
}

Diagnostic branch_lost(const std::string& parameter, double at, bool too_long) {
    Diagnostic d =
        about(Severity::Warning, "branch-lost", {},
              too_long ? fmt::format("the branch is not finished: at {} = {:.6g} there were too many "
                                     "points",
                                     parameter, at)
                       : fmt::format("the branch could not be followed beyond {} = {:.6g}", parameter, at));
    d.help = too_long
                 ? "a shorter range, or fewer points with --points"
                 : "something in the equations ends or jumps there: a bound, a root of a negative number, "
                   "an if; smaller steps may help, --points 500";
    return d;
}

Diagnostic no_derivatives() {
    Diagnostic d = about(Severity::Error, "no-derivatives", {},
                         "the branch cannot be followed: a function or table in the equations has no "
                         "derivative by formula");
    d.help = "`cutset steady` finds the points for single values of the parameter";
    return d;
}

}  // namespace cutset::static_messages
