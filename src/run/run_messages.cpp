#include "run/run_messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <optional>
#include <utility>

#include "base/message_parts.h"
#include "run/open_loop.h"

namespace cutset::run_messages {

namespace {

// Where the variable is declared.
void place_at(Diagnostic& d, const FlatModel& model, VariableIndex v) {
    d.where = model.variables[v].origin.where;
    d.submodel = model.path(model.variables[v].origin.instance);
}

std::string equation_text(const FlatModel& model, EquationIndex e, bool from_initial) {
    const Equation& equation = from_initial ? model.initial_equations[e] : model.equations[e];
    bool internal = false;
    std::string tied;
    for (Expr side : {equation.left, equation.right})
        for_each_leaf(side, [&](Expr leaf) {
            if (leaf->op != Op::Variable) return;
            if (model.variables[leaf->variable()].internal)
                internal = true;
            else
                tied += (tied.empty() ? "" : ", ") + model.path(leaf->variable());
        });
    if (internal && !tied.empty()) return "(which of " + tied + " are states)";
    return model.text(equation);
}

const Origin& equation_origin(const FlatModel& model, EquationIndex e, bool from_initial) {
    return from_initial ? model.initial_equations[e].origin : model.equations[e].origin;
}

// An instant as a reader wants it; the result file has all digits.
std::string instant(double time) {
    return fmt::format("{:.9g}", time);
}

std::string relation_text(const FlatModel& model, const Switch& s) {
    return to_text(s.node, model.printer());
}

// " (at least 0)", " (within 0 … 1, at its bound)"; "" without bounds.
std::string bounds_text(const Loop& loop, std::size_t i, double value) {
    const double low = loop.minimum[i], high = loop.maximum[i];
    const bool lower = std::isfinite(low), upper = std::isfinite(high);
    if (!lower && !upper) return "";
    std::string text = lower && upper ? fmt::format("within {} … {}", number_text(low), number_text(high))
                       : lower        ? "at least " + number_text(low)
                                      : "at most " + number_text(high);
    if ((lower && value <= low) || (upper && value >= high)) text += ", at its bound";
    return " (" + text + ")";
}

// A factor of a derivative in the equation written there that changes at events only: "a" and "y'".
std::optional<std::pair<std::string, std::string>> discrete_factor(const FlatModel& model,
                                                                   const Origin& origin) {
    std::optional<std::pair<std::string, std::string>> found;
    for (const Equation& e : model.equations) {
        if (e.origin.where != origin.where || e.origin.instance != origin.instance) continue;
        for (Expr side : {e.left, e.right})
            for_each_node(side, [&](Expr product) {
                if (product->op != Op::Multiply || found) return;
                Expr factor = nullptr, derivative = nullptr;
                for (Expr part : product->args()) {
                    if (part->op != Op::Variable) continue;
                    if (part->order > 0) derivative = part;
                    if (model.variables[part->variable()].variability == Variability::Discrete) factor = part;
                }
                if (factor && derivative)
                    found.emplace(to_text(factor, model.printer()), to_text(derivative, model.printer()));
            });
    }
    return found;
}

}  // namespace

Diagnostic not_finite(const FlatModel& model, const Interpreter::NonFinite& what, double time) {
    Diagnostic d;
    d.code = "not-finite";
    d.where = what.origin.where;
    d.submodel = model.path(what.origin.instance);
    d.message = fmt::format("at time {}: {}", instant(time), what.description);
    if (const auto factor = discrete_factor(model, what.origin))
        d.help = fmt::format(
            "with {0} = 0 the equation says nothing about {1}: write `if {0} = 0 then … else …` with the "
            "equations of both cases",
            factor->first, factor->second);
    else
        d.help = "check the values above; a start value, a parameter or a missing limit is the usual cause";
    return d;
}

Diagnostic value_not_finite(const FlatModel& model, VariableIndex variable, double time) {
    Diagnostic d;
    d.code = "not-finite";
    place_at(d, model, variable);
    d.message = fmt::format("at time {}: {} has no finite value", instant(time), model.path(variable));
    return d;
}

Diagnostic derivative_not_finite(const FlatModel& model, VariableIndex state, double time) {
    Diagnostic d = value_not_finite(model, state, time);
    d.message =
        fmt::format("at time {}: the derivative of {} has no finite value", instant(time), model.path(state));
    return d;
}

namespace {

constexpr const char* help_for_poles =
    "values on either side are those of the equations; results around this time may be large";
constexpr const char* help_where_poles_end =
    "what lies behind is not the continuation of what went before; a term that keeps it from zero, or a "
    "limit "
    "(max, if), may be missing in the model; with a fixed step a smaller one comes nearer to this point";

}  // namespace

Diagnostic pole_passed(const FlatModel& model, Expr divisor, bool cosine, const Origin& origin, double time,
                       bool ends) {
    Diagnostic d;
    d.code = "pole";
    d.severity = ends ? Severity::Error : Severity::Warning;
    d.where = origin.where;
    d.submodel = model.path(origin.instance);
    const std::string text = to_text(divisor, model.printer());
    d.message = fmt::format(
        "near time {}: {}, by which is divided, passes through zero: {}", instant(time),
        cosine ? fmt::format("cos({}) in tan({})", text, text) : text,
        ends ? "derivatives grow without bound there, and the solution ends" : "there is no solution there");
    d.help = ends ? help_where_poles_end : help_for_poles;
    return d;
}

Diagnostic singular_between(const FlatModel& model, const Loop& loop, double before, double after,
                            bool ends) {
    Diagnostic d;
    d.code = "pole";
    d.severity = ends ? Severity::Error : Severity::Warning;
    const ResidualEquation& first = loop.block->residuals.front();
    const Origin& origin = equation_origin(model, first.equation, first.from_initial);
    d.where = origin.where;
    d.submodel = model.path(origin.instance);
    std::string unknowns;
    for (std::size_t i = 0; i < loop.block->torn.size(); ++i)
        unknowns += (i ? ", " : "") + model.path(loop.block->torn[i].variable);
    d.message = fmt::format(
        "between time {} and {}: the linear system for {} is singular: {}", instant(before), instant(after),
        unknowns,
        ends ? "derivatives grow without bound there, and the solution ends" : "there is no solution there");
    d.help = ends ? help_where_poles_end : help_for_poles;
    return d;
}

Diagnostic run_error(const RunError& error, double time) {
    const auto code = [&] {
        switch (error.kind) {
            case RunError::Kind::ExternalFailed:
                return "external-failed";
            case RunError::Kind::IndexRange:
                return "index-range";
            case RunError::Kind::EndlessLoop:
                return "endless-loop";
            case RunError::Kind::TableRange:
                return "table-range";
            case RunError::Kind::AssertionFailed:
                return "assertion";
        }
        return "";
    };
    Diagnostic d;
    d.code = code();
    d.where = error.where;
    d.message = fmt::format("at time {}: {}", instant(time), error.message);
    return d;
}

namespace {

std::string unknown_text(const FlatModel& model, const Unknown& u) {
    return model.path(u.variable) + (u.order ? "'" : "");
}

}  // namespace

Diagnostic left_open(const FlatModel& model, const std::vector<Unknown>& unknowns, double time) {
    constexpr std::size_t shown = 8;
    Diagnostic d;
    d.code = "left-open";
    d.severity = Severity::Note;
    std::string list;
    std::size_t count = 0;
    for (const Unknown& u : unknowns) {
        if (model.variables[u.variable].internal) continue;
        if (count++ < shown) list += (count > 1 ? ", " : "") + unknown_text(model, u);
    }
    if (count > shown) list += fmt::format(" and {} more", count - shown);
    d.message = fmt::format(
        "at time {}: the equations leave {} open; of all values that solve them those nearest to the last "
        "ones are taken, and nothing that is integrated depends on the choice",
        instant(time), list);
    d.help = "a resistance, a compliance or a connection that the model leaves out decides between them";
    return d;
}

Diagnostic loop_failed(const FlatModel& model, const Loop& loop, const Interpreter& values,
                       const std::string& reason, double time) {
    Diagnostic d;
    d.code = "loop-failed";
    const Block& block = *loop.block;
    // Largest residuals first: that is where it fails. What is no number counts as largest of all.
    std::vector<std::size_t> order(block.residuals.size());
    for (std::size_t i = 0; i < order.size(); ++i) order[i] = i;
    const auto size = [&](std::size_t i) {
        const double r = std::abs(values[loop.residual_slots[i]]);
        return std::isnan(r) ? std::numeric_limits<double>::infinity() : r;
    };
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t i, std::size_t k) { return size(i) > size(k); });
    const auto origin = [&](std::size_t i) -> const Origin& {
        return equation_origin(model, block.residuals[i].equation, block.residuals[i].from_initial);
    };
    d.where = origin(order[0]).where;
    d.submodel = model.path(origin(order[0]).instance);
    const std::vector<ResidualEquation> culprits =
        loop.linear ? contradicting_equations(loop, values) : std::vector<ResidualEquation>();
    d.message =
        fmt::format("at time {}: {} could not be solved: {}", instant(time),
                    block.size() == 1 ? std::string("an equation")
                                      : fmt::format("a system of {} equations", block.size()),
                    culprits.empty()    ? reason
                    : block.size() == 1 ? "no value of " + unknown_text(model, block.torn[0]) + " fulfils it"
                                        : "its equations contradict each other");
    constexpr std::size_t shown = 12;
    constexpr std::size_t places = 3;  // shown with their lines of text
    if (!culprits.empty()) {
        d.details.push_back(culprits.size() == 1 ? "this equation cannot hold:"
                                                 : "these equations cannot hold together:");
        const Origin& first = equation_origin(model, culprits[0].equation, culprits[0].from_initial);
        d.where = first.where;
        d.submodel = model.path(first.instance);
        for (std::size_t k = 0; k < culprits.size() && k < shown; ++k) {
            const Origin& from = equation_origin(model, culprits[k].equation, culprits[k].from_initial);
            const std::string submodel = model.path(from.instance);
            d.details.push_back(
                fmt::format("  {}{}", equation_text(model, culprits[k].equation, culprits[k].from_initial),
                            submodel.empty() ? "" : " (in " + submodel + ")"));
            if (k > 0 && d.related.size() < places && from.where.known())
                d.related.push_back({from.where, submodel.empty() ? "also here" : "in " + submodel});
        }
        if (culprits.size() > shown)
            d.details.push_back(fmt::format("  … and {} more", culprits.size() - shown));
        d.help = culprits.size() == 1
                     ? "a condition or a parameter makes the factor of its unknown zero; give it another "
                       "value, or the unknown another equation there"
                     : "one of them is too much, or a parameter makes two of them dependent";
        return d;
    }
    d.details.push_back("equations whose residuals should be zero:");
    for (std::size_t k = 0; k < order.size() && k < shown; ++k) {
        const std::size_t i = order[k];
        const std::string submodel = model.path(origin(i).instance);
        d.details.push_back(
            fmt::format("  {}    residual {:.6g}{}",
                        equation_text(model, block.residuals[i].equation, block.residuals[i].from_initial),
                        values[loop.residual_slots[i]], submodel.empty() ? "" : " (in " + submodel + ")"));
        if (k > 0 && d.related.size() < places && origin(i).where.known())
            d.related.push_back({origin(i).where, submodel.empty() ? "also here" : "in " + submodel});
    }
    if (order.size() > shown)
        d.details.push_back(fmt::format("  … and {} more with smaller residuals", order.size() - shown));
    d.details.push_back("unknowns that are iterated, with their last values:");
    for (std::size_t i = 0; i < block.torn.size() && i < shown; ++i)
        d.details.push_back(fmt::format("  {}{} = {:.6g}{}", model.path(block.torn[i].variable),
                                        block.torn[i].order ? "'" : "", values[loop.torn[i]],
                                        bounds_text(loop, i, values[loop.torn[i]])));
    if (block.torn.size() > shown)
        d.details.push_back(fmt::format("  … and {} more", block.torn.size() - shown));
    if (!block.inner.empty()) {
        std::string list;
        for (std::size_t i = 0; i < block.inner.size() && i < shown; ++i)
            list += (i ? ", " : "") + model.path(block.inner[i].unknown.variable) +
                    (block.inner[i].unknown.order ? "'" : "");
        if (block.inner.size() > shown) list += fmt::format(" and {} more", block.inner.size() - shown);
        d.details.push_back("from which follow: " + list);
    }
    d.help =
        loop.linear
            ? "the equations do not determine the unknowns at these values; look for a parameter that makes "
              "two of them dependent"
            : "either there is no solution from here on, or the search starts too far from it: give guesses "
              "for "
              "the unknowns with x(0) = … or --init x=…";
    return d;
}

namespace {

// The equation of a derivative: the place of a message, and a line of it.
void add_derivative_equation(Diagnostic& d, const FlatModel& model, const SolvedEquation* equation) {
    if (!equation) return;
    const Origin& origin = equation_origin(model, equation->equation, equation->from_initial);
    d.where = origin.where;
    d.submodel = model.path(origin.instance);
    d.details.push_back(fmt::format("its derivative comes from {}",
                                    equation_text(model, equation->equation, equation->from_initial)));
}

}  // namespace

Diagnostic solver_failed(const FlatModel& model, const std::string& reason,
                         std::optional<VariableIndex> state, std::optional<Unknown> iterated,
                         const SolvedEquation* equation, double time) {
    Diagnostic d;
    d.code = "solver-failed";
    d.message = fmt::format("at time {}: the integration cannot go on: {}", instant(time), reason);
    if (state) {
        place_at(d, model, *state);
        d.details.push_back(fmt::format("the state that limits the step is {}", model.path(*state)));
    }
    if (iterated) {
        place_at(d, model, iterated->variable);
        d.details.push_back(
            fmt::format("the unknown that limits the step is {}{}, of a loop that is solved "
                        "with the integration",
                        model.path(iterated->variable), iterated->order ? "'" : ""));
    }
    add_derivative_equation(d, model, equation);
    d.help =
        "the solution may end here (grow without bound), or jump without an event; try --tolerance, or "
        "another --solver";
    return d;
}

Diagnostic grows_too_fast(const FlatModel& model, VariableIndex state, const SolvedEquation* equation,
                          double rate, double time) {
    Diagnostic d;
    d.code = "grows-too-fast";
    place_at(d, model, state);
    d.message = rate > 0 ? fmt::format("at time {}: {} grows too fast to be followed, {:.2g} times in {:.2g}",
                                       instant(time), model.path(state), std::exp(1.0), 1 / rate)
                         : fmt::format("at time {}: {} grows too fast to be followed", instant(time),
                                       model.path(state));
    add_derivative_equation(d, model, equation);
    d.help =
        "the solution leaves an unstable point or grows without bound here, within the rounding of time or "
        "of the state; check signs and sizes of what drives it";
    return d;
}

Diagnostic solution_lost(const FlatModel& model, VariableIndex state, const SolvedEquation* equation,
                         double before, double after, double time) {
    Diagnostic d;
    d.code = "solution-lost";
    place_at(d, model, state);
    d.message = fmt::format(
        "at time {}: the integration cannot go on: the next step would take {} from {:.6g} to {:.6g}, which "
        "is no solution of its equations",
        instant(time), model.path(state), before, after);
    add_derivative_equation(d, model, equation);
    d.help =
        "the solution may end here (grow without bound, or reach a point where it has no derivative); try a "
        "smaller --tolerance, or another --solver";
    return d;
}

Diagnostic derivative_jumps(const FlatModel& model, const JumpOfRate& jump, double per_run, double time,
                            bool hopeless) {
    Diagnostic d;
    d.code = "derivative-jumps";
    if (!hopeless) d.severity = Severity::Warning;
    const Variable& state = model.variables[jump.state];
    d.where = state.origin.where;
    d.submodel = model.path(state.origin.instance);
    d.message = fmt::format(
        "at time {}: the derivative of {} jumps without an event, between {:.4g} and {:.4g}, again and "
        "again: "
        "{}",
        instant(time), model.path(jump.state), jump.before, jump.after,
        hopeless ? "the run does not get on" : "the steps have become very short");
    if (jump.equation) {
        const Origin& origin = equation_origin(model, jump.equation->equation, jump.equation->from_initial);
        d.where = origin.where;
        d.submodel = model.path(origin.instance);
        d.details.push_back(fmt::format(
            "it comes from {}", equation_text(model, jump.equation->equation, jump.equation->from_initial)));
    }
    d.details.push_back(fmt::format("at this pace the whole run takes {:.0e} steps", per_run));
    d.help =
        "conditions in functions and in noevent(…) make no events; as an if-expression of the equations the "
        "condition switches at located instants, and where both sides push back the solution slides. Else "
        "make "
        "the jump a steep slope, or give a larger --tolerance: steps become longer in proportion";
    return d;
}

Diagnostic too_many_steps(const FlatModel& model, VariableIndex state, const SolvedEquation* equation,
                          double per_run, double time, bool hopeless) {
    Diagnostic d;
    d.code = "too-many-steps";
    if (!hopeless) d.severity = Severity::Warning;
    place_at(d, model, state);
    d.message = fmt::format(
        "at time {}: the solution is so fast that at this pace the whole run takes {:.0e} steps{}",
        instant(time), per_run, hopeless ? ": the run does not get on" : "");
    d.details.push_back(fmt::format("the fastest state is {}", model.path(state)));
    add_derivative_equation(d, model, equation);
    d.help =
        "look for a wrong unit or parameter; else end the run earlier (--stop), ask for less (--tolerance), "
        "or leave the fast motion out of the model";
    return d;
}

void add_fixed_step(Diagnostic& d, std::string_view solver, const std::string& reason) {
    if (d.message.find(reason) == std::string::npos)
        d.details.push_back(fmt::format("{}: {}", solver, reason));
    d.help = fmt::format("try a smaller --step-size, or --solver auto, which chooses its steps ({} does not)",
                         solver);
}

Diagnostic switches_do_not_settle(const FlatModel& model, const std::vector<const Switch*>& switches,
                                  double time) {
    Diagnostic d;
    d.code = "conditions-inconsistent";
    if (!switches.empty()) {
        d.where = switches.front()->origin.where;
        d.submodel = model.path(switches.front()->origin.instance);
    }
    d.message =
        fmt::format("at time {}: no values of these conditions agree with the equations", instant(time));
    for (const Switch* s : switches) d.details.push_back("  " + relation_text(model, *s));
    d.help = "each value makes the equations change it again; add hysteresis, or noevent(…)";
    return d;
}

namespace {

// "a, b, c", each with the values from which to which it changes.
std::string list_repeating(const FlatModel& model, const std::vector<Repeating>& repeating, Diagnostic& d) {
    constexpr std::size_t most = 10;
    std::string list;
    for (std::size_t i = 0; i < repeating.size() && i < most; ++i) {
        const Repeating& r = repeating[i];
        list += (list.empty() ? "" : ", ") + model.path(r.variable);
        if (r.before != r.after)
            d.details.push_back(fmt::format("{}: {}, {}, …", model.path(r.variable),
                                            value_text(model, r.variable, r.before),
                                            value_text(model, r.variable, r.after)));
    }
    if (repeating.size() > most) list += fmt::format(" and {} more", repeating.size() - most);
    return list;
}

}  // namespace

Diagnostic whens_do_not_settle(const FlatModel& model, const std::vector<Repeating>& repeating, Span where,
                               double time) {
    Diagnostic d;
    d.code = "when-inconsistent";
    d.where = where;
    const std::string list = list_repeating(model, repeating, d);
    d.message =
        fmt::format("at time {}: when clauses change {} again and again without end", instant(time), list);
    d.help =
        "two clauses that undo each other at one level need some distance between their levels (hysteresis); "
        "use pre(x) "
        "where the value before the event is meant";
    return d;
}

Diagnostic conditions_on_themselves(const FlatModel& model, const std::vector<const WhenClause*>& clauses,
                                    double time) {
    Diagnostic d;
    d.code = "when-cycle";
    d.where = clauses[0]->origin.where;
    d.message = fmt::format(
        "at time {}: whether {} depends on what it sets itself: if it acts it does not, and if it does not "
        "it does",
        instant(time), clauses.size() == 1 ? "a when clause acts" : "when clauses act");
    for (const WhenClause* when : clauses)
        d.details.push_back("when " + to_text(when->condition, model.printer()));
    d.help = "use pre(x) in the condition where the value before the event is meant";
    return d;
}

Diagnostic discrete_does_not_settle(const FlatModel& model, const std::vector<Repeating>& repeating,
                                    double time) {
    Diagnostic d;
    d.code = "discrete-cycle";
    if (!repeating.empty()) d.where = repeating[0].where;
    const std::string list = list_repeating(model, repeating, d);
    d.message = fmt::format("at time {}: {} {} again and again without end", instant(time), list,
                            repeating.size() == 1 ? "changes" : "change");
    d.help =
        "an event is repeated until pre(x) = x for all discrete variables; write edge(b) where something is "
        "to "
        "happen once, or put what must wait into a when clause of its own";
    return d;
}

namespace {

std::string events_per_second(std::size_t events, double from, double to) {
    return to > from ? fmt::format("{:.2g} per second", static_cast<double>(events) / (to - from))
                     : std::string("all at one instant");
}

}  // namespace

namespace {

// The place of a when clause, or of an equation, in which the node stands.
void put_at(Diagnostic& d, const FlatModel& model, Expr node) {
    const auto put = [&](const Origin& origin, std::initializer_list<Expr> expressions) {
        bool found = false;
        for (Expr e : expressions) for_each_node(e, [&](Expr n) { found = found || n == node; });
        if (!found || d.where.known()) return;
        d.where = origin.where;
        d.submodel = model.path(origin.instance);
    };
    for (const WhenClause& when : model.whens) put(when.origin, {when.condition});
    for (const Equation& e : model.equations) put(e.origin, {e.left, e.right});
}

}  // namespace

Diagnostic event_storm(const FlatModel& model, const Switch* relation, std::size_t events, double from,
                       double to) {
    Diagnostic d;
    d.code = "event-storm";
    d.message = fmt::format("{} events between time {} and {} ({}): the run does not get on", events,
                            instant(from), instant(to), events_per_second(events, from, to));
    if (relation) {
        d.where = relation->origin.where;
        d.submodel = model.path(relation->origin.instance);
        d.details.push_back("the condition that switches is " + relation_text(model, *relation));
    }
    d.help =
        "the equations turn the condition back as soon as it has switched; add hysteresis or a small slope, "
        "or "
        "use noevent(…)";
    return d;
}

Diagnostic clock_storm(const FlatModel& model, Expr clock, std::size_t events, double from, double to) {
    Diagnostic d = event_storm(model, nullptr, events, from, to);
    put_at(d, model, clock);
    d.details.push_back("the clock that ticks is " + to_text(clock, model.printer()));
    d.help = "its period is very short against the run: make one of them longer or the other shorter";
    return d;
}

Diagnostic chattering(const FlatModel& model, const Switch& relation, std::size_t events, double from,
                      double to, double length) {
    Diagnostic d;
    d.code = "chattering";
    d.severity = Severity::Warning;
    d.where = relation.origin.where;
    d.submodel = model.path(relation.origin.instance);
    d.message = fmt::format("at time {}: {} switches very often: {}, about {:.1g} times in this run",
                            instant(to), relation_text(model, relation), events_per_second(events, from, to),
                            static_cast<double>(events) / (to - from) * length);
    d.help = "the run goes on, but slowly; hysteresis makes the condition switch less often";
    return d;
}

Diagnostic switched_by_rounding(const FlatModel& model, const Switch& relation, double time) {
    Diagnostic d = make_note(
        relation.origin.where, "switched-by-rounding",
        fmt::format("at time {}: {} has switched to and fro at the level of rounding; it does so from now on "
                    "only where the two sides differ by more than 1e-13",
                    instant(time), relation_text(model, relation)),
        "if such values mean something, say how large the variable is: its nominal value");
    d.submodel = model.path(relation.origin.instance);
    return d;
}

Diagnostic events_accumulate(const FlatModel& model, const Switch& relation, std::size_t events, double from,
                             double to, double ratio, double limit,
                             const std::vector<std::pair<std::string, double>>& restarted) {
    Diagnostic d;
    d.code = "events-accumulate";
    d.where = relation.origin.where;
    d.submodel = model.path(relation.origin.instance);
    d.message = fmt::format(
        "the instants at which {} switches pile up at about time {:.4g}: the run cannot get past it",
        relation_text(model, relation), limit);
    d.details.push_back(
        fmt::format("it has switched {} times between time {} and {}, each interval about {:.2g} "
                    "of the one before; the last was {:.1g}",
                    events, instant(from), instant(to), ratio, (limit - to) * (1 - ratio) / ratio));
    for (const auto& [name, value] : restarted)
        d.details.push_back(
            fmt::format("{}, which is set there, was {:.2g} before the last of them", name, value));
    d.help = restarted.empty()
                 ? "each time it switches the next comes sooner: a little hysteresis, or a band in which the "
                   "value goes over from one side to the other, lets the model come to rest"
                 : "let the model come to rest: in the when clause set a discrete variable once the speed is "
                   "small, and use it to hold the variable still (examples/bouncing_ball.dym)";
    return d;
}

Diagnostic left_validity(const FlatModel& model, const Validity& validity, double time, bool strict) {
    Diagnostic d;
    d.code = "validity";
    d.concern = Concern::Validity;
    d.severity = strict ? Severity::Error : Severity::Warning;
    d.where = validity.origin.where;
    d.submodel = model.path(validity.origin.instance);
    const std::string condition = to_text(validity.condition, model.printer());
    if (validity.level == AssertionLevel::Validity) {
        d.message = fmt::format("at time {}: the model is not valid here: {} does not hold", instant(time),
                                condition);
        return d;
    }
    d.code = "assertion";
    if (validity.level == AssertionLevel::Error) d.severity = Severity::Error;
    d.message = fmt::format("at time {}: {} ({} does not hold)", instant(time), validity.text, condition);
    return d;
}

Diagnostic left_bounds(const FlatModel& model, VariableIndex variable, double value, double low, double high,
                       double time, bool last, bool strict) {
    const Variable& v = model.variables[variable];
    Diagnostic d;
    d.code = "out-of-range";
    d.concern = Concern::Validity;
    d.severity = strict ? Severity::Error : Severity::Warning;
    d.where = v.origin.where;
    d.submodel = model.path(v.origin.instance);
    std::string range;
    if (std::isfinite(low) && std::isfinite(high))
        range = fmt::format("{:.10g} to {:.10g}", low, high);
    else if (std::isfinite(low))
        range = fmt::format("{:.10g} or more", low);
    else
        range = fmt::format("{:.10g} or less", high);
    const bool varies = v.variability > Variability::Parameter;
    d.message = fmt::format("{}{} = {:.6g} is out of its range, {}",
                            varies ? fmt::format("at time {}: ", instant(time)) : "", model.path(variable),
                            value, range);
    d.help = varies
                 ? "what the model says need not hold there; --strict ends a run that comes to such a value"
                 : "give it a value inside";
    if (last) d.details.push_back("other variables that leave their ranges are not told");
    return d;
}

Diagnostic set_twice(const FlatModel& model, VariableIndex variable, double first, Span first_where,
                     double second, Span second_where, double time) {
    Diagnostic d;
    d.code = "set-twice";
    d.where = first_where;
    d.message = fmt::format("at time {}: two actions give {} different values at once, {} and {}",
                            instant(time), model.path(variable), first, second);
    d.related.push_back({second_where, "the other one"});
    d.help =
        "join the clauses with `elsewhen`, of which the first that becomes true acts, or let one condition "
        "exclude the other";
    return d;
}

Diagnostic negative_delay(const FlatModel& model, const DelayLine& delay, double duration, double time) {
    Diagnostic d;
    d.code = "negative-delay";
    d.where = delay.origin.where;
    d.submodel = model.path(delay.origin.instance);
    d.message = fmt::format("at time {}: the delay of {} is negative, {} = {}", instant(time),
                            to_text(delay.argument, model.printer()),
                            to_text(delay.duration, model.printer()), duration);
    d.help = "the future is not known: keep it at 0 or more, with max(0, …) if need be";
    return d;
}

Diagnostic past_lost(const FlatModel& model, const DelayLine& delay, double time) {
    Diagnostic d;
    d.code = "past-lost";
    d.where = delay.origin.where;
    d.submodel = model.path(delay.origin.instance);
    d.message = fmt::format(
        "at time {}: the delay of {} has grown to a multiple of what it was before, {}; that "
        "far the past is not kept",
        instant(time), to_text(delay.argument, model.printer()), to_text(delay.duration, model.printer()));
    d.help = "let it grow from a larger value, or more slowly";
    return d;
}

Diagnostic new_values_not_found(const FlatModel& model, const std::vector<std::string>& variables, Span where,
                                double time) {
    (void)model;
    Diagnostic d;
    d.code = "new-values";
    d.where = where;
    std::string list;
    for (const std::string& v : variables) list += (list.empty() ? "" : ", ") + v;
    d.message =
        fmt::format("at time {}: the equations for the new values of {} have no solution that was found",
                    instant(time), list);
    d.help = "use pre(x) where the value before the event is meant";
    return d;
}

Diagnostic reinit_overruled(const FlatModel& model, const std::vector<VariableIndex>& overruled,
                            const std::vector<VariableIndex>& targets, double time) {
    const auto names = [&](const std::vector<VariableIndex>& variables) {
        std::string list;
        for (VariableIndex v : variables) list += (list.empty() ? "" : ", ") + model.path(v);
        return list;
    };
    Diagnostic d;
    d.code = "reinit-overruled";
    d.severity = Severity::Warning;
    d.where = model.variables[overruled[0]].origin.where;
    d.message = fmt::format(
        "at time {}: reinit of {} has no effect: constraints determine it by the others that "
        "are set ({})",
        instant(time), names(overruled), names(targets));
    d.help = "set only as many of the tied variables as can be chosen freely";
    return d;
}

Diagnostic no_mode(const FlatModel& model, const Switch* changed, const std::vector<std::string>& tried,
                   double time) {
    constexpr std::size_t most = 6;
    Diagnostic d;
    d.code = "no-mode";
    if (changed) {
        d.where = changed->origin.where;
        d.submodel = model.path(changed->origin.instance);
    }
    d.message = fmt::format("at time {}: no combination of the conditions in {} can go on from here",
                            instant(time), model.name);
    for (std::size_t k = 0; k < tried.size() && k < most; ++k) d.details.push_back(tried[k]);
    if (tried.size() > most) d.details.push_back(fmt::format("and {} more", tried.size() - most));
    d.help =
        "either the equations have no solution from here on, or what switches is too ideal, so that it "
        "leaves a "
        "part without connection or joins two that contradict each other: in a circuit, give it a small "
        "resistance (1e-3 Ohm) while it conducts and a large one (1e6 Ohm) while it blocks";
    return d;
}

Diagnostic states_jump(const FlatModel& model, const std::vector<StateJump>& jumps, const std::string& mode,
                       double time) {
    Diagnostic d;
    d.code = "states-jump";
    d.severity = Severity::Note;
    std::string list;
    for (const StateJump& j : jumps)
        list += fmt::format("{}{} from {:.6g} to {:.6g}", list.empty() ? "" : ", ", model.path(j.variable),
                            j.from, j.to);
    d.message = fmt::format(
        "at time {}: jump of {}: the equations for {} leave it no other value; what is "
        "conserved is kept",
        instant(time), list, mode);
    d.help = "energy is lost in such a jump; a small resistance or compliance makes it a fast change instead";
    return d;
}

Diagnostic zero_start(const FlatModel& model, const std::vector<VariableIndex>& states) {
    Diagnostic d;
    d.code = "zero-start";
    d.concern = Concern::Initialization;
    d.severity = Severity::Note;
    std::string list;
    for (std::size_t i = 0; i < states.size() && i < 8; ++i) list += (i ? ", " : "") + model.path(states[i]);
    if (states.size() > 8) list += fmt::format(" and {} more", states.size() - 8);
    d.message = "no initial value given, starts at 0: " + list;
    const std::string& name = model.variables[states.front()].name;
    d.help = fmt::format("give one with {} in the model or --init {}=…",
                         name.starts_with("der") ? "`initial " + name + " = …`" : name + "(0) = …",
                         model.path(states.front()));
    return d;
}

Diagnostic homotopy_failed(double part) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "homotopy-failed";
    d.message =
        part == 0
            ? std::string(
                  "the initialization could not be solved with the simplified expressions of `homotopy` "
                  "either")
            : fmt::format(
                  "the way from the simplified to the actual expressions of `homotopy` ends at "
                  "{:.3g} of it",
                  part);
    return d;
}

namespace {

std::string condition_text(const FlatModel& model, const StartCheck& check, double wanted) {
    return check.from_user ? fmt::format("--init {}={}", model.path(check.variable), number_text(wanted))
                           : fmt::format("{}(0) = {}", model.path(check.variable), number_text(wanted));
}

// The equation that determines the variable instead.
void add_reason(Diagnostic& d, const FlatModel& model, const StartCheck& check) {
    if (check.from_user)
        d.where = {};
    else
        d.where = check.origin.where;
    d.submodel = model.path(check.origin.instance);
    if (!check.instead) return;
    const Equation& e = model.equations[*check.instead];
    d.details.push_back(
        fmt::format("it is determined by {}{}", model.text(e),
                    e.kind == EquationKind::Derivative ? " (derivative of a constraint)" : ""));
    if (e.origin.where.known()) d.related.push_back({e.origin.where, "determined here"});
}

}  // namespace

Diagnostic start_not_kept(const FlatModel& model, const StartCheck& check, double wanted, double value) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "start-not-kept";
    d.concern = Concern::Initialization;
    d.message = fmt::format("{} does not agree with the other initial conditions: {} starts at {:.6g}",
                            condition_text(model, check, wanted), model.path(check.variable), value);
    add_reason(d, model, check);
    d.help = fmt::format(
        "change or remove this initial value or one that it is tied to, or let the states jump to "
        "values that agree with --initial jump");
    return d;
}

Diagnostic init_without_effect(const FlatModel& model, const StartCheck& check, double wanted, double value) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "init-without-effect";
    d.concern = Concern::Initialization;
    d.message = fmt::format("{} has no effect: {} is no state but follows from others, and starts at {:.6g}",
                            condition_text(model, check, wanted), model.path(check.variable), value);
    add_reason(d, model, check);
    d.where = {};
    d.help = "give the initial value of a state that it depends on; cutset equations --where shows which";
    return d;
}

Diagnostic jumped(const FlatModel& model, const StartCheck& check, double from, double to) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "jump";
    d.message =
        fmt::format("at the start {} jumps from {:.6g} to {:.6g}", model.path(check.variable), from, to);
    return d;
}

Diagnostic not_steady(const FlatModel& model, const StartCheck& check, double rate) {
    Diagnostic d;
    d.code = "not-steady";
    d.concern = Concern::NotSteady;
    const std::string name = model.path(check.variable);
    d.where = model.variables[check.variable].origin.where;
    d.submodel = model.path(check.origin.instance);
    d.message = fmt::format("no steady state was found: where the other derivatives are zero, {}' is {:.6g}",
                            name, rate);
    if (check.instead) {
        const Equation& e = model.equations[*check.instead];
        d.details.push_back(fmt::format("it is determined by {}", model.text(e)));
    }
    d.help = fmt::format(
        "an integrator, a state that does not act on its own derivative, has no steady state; choose inputs "
        "for which "
        "{0}' is 0, or write `initial {0} = …` for a start that is not steady in {0}; if there is a steady "
        "state, guesses nearer to it, x(0) = …, may help",
        name);
    return d;
}

Diagnostic several_starts(const FlatModel& model, const std::vector<VariableIndex>& parameters,
                          const std::vector<std::vector<double>>& values) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "several-starts";
    d.where = model.variables[parameters[0]].origin.where;
    d.message = "the initial conditions have several solutions; the first one is taken";
    for (std::size_t k = 0; k < values[0].size(); ++k) {
        std::string line;
        for (std::size_t i = 0; i < parameters.size() && i < 8; ++i)
            line += fmt::format("{}{} = {:.10g}", i ? ", " : "", model.path(parameters[i]), values[i][k]);
        d.details.push_back(line);
    }
    const std::string name = model.path(parameters[0]);
    d.help = fmt::format("`guess {} = …` says near which value to search, `min` and `max` where", name);
    return d;
}

Diagnostic parameters_found(const FlatModel& model,
                            const std::vector<std::pair<VariableIndex, double>>& parameters) {
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "parameters-found";
    d.concern = Concern::Initialization;
    std::string list;
    for (std::size_t i = 0; i < parameters.size() && i < 12; ++i)
        list += fmt::format("{}{} = {:.10g}", i ? ", " : "", model.path(parameters[i].first),
                            parameters[i].second);
    if (parameters.size() > 12) list += fmt::format(" and {} more", parameters.size() - 12);
    d.message = "found from the initial conditions: " + list;
    return d;
}

Diagnostic start_left_open(const FlatModel& model, VariableIndex variable, const Equation& equation,
                           const std::vector<std::pair<std::string, double>>& values) {
    Diagnostic d;
    d.code = "start-left-open";
    d.where = equation.origin.where;
    d.submodel = model.path(equation.origin.instance);
    const std::string name = model.path(variable);
    d.message = fmt::format(
        "the initial conditions do not determine {}: in this equation it has no part where "
        "the start is",
        name);
    d.details.push_back(model.text(equation));
    std::string list;
    constexpr std::size_t shown = 8;
    for (std::size_t i = 0; i < values.size() && i < shown; ++i)
        list += fmt::format("{}{} = {:.6g}", i ? ", " : "", values[i].first, values[i].second);
    if (!list.empty()) d.details.push_back("with " + list);
    d.help = fmt::format(
        "give {0} itself, `initial {0} = …` or `{0}(0) = …`, in the place of an initial equation for a "
        "variable "
        "that it is tied to",
        name);
    return d;
}

void add_computed(Diagnostic& d, const FlatModel& model,
                  const std::vector<std::pair<VariableIndex, double>>& values) {
    if (values.empty()) return;
    constexpr std::size_t shown = 12;
    d.details.push_back("computed before it:");
    for (std::size_t i = 0; i < values.size() && i < shown; ++i)
        d.details.push_back(fmt::format("  {} = {:.6g}", model.path(values[i].first), values[i].second));
    if (values.size() > shown) d.details.push_back(fmt::format("  … and {} more", values.size() - shown));
}

Diagnostic singular_linearization(const FlatModel& model, std::optional<EquationIndex> equation,
                                  double time) {
    Diagnostic d;
    d.code = "not-differentiable";
    if (equation) {
        d.where = model.equations[*equation].origin.where;
        d.submodel = model.path(model.equations[*equation].origin.instance);
    }
    d.message = fmt::format("{} has no linearisation at time {}: a derivative is not finite there",
                            model.name, number_text(time));
    d.help =
        "at such a point (sqrt(x) at 0, a loop whose equations agree to first order) the model has no "
        "slope; choose another operating point";
    return d;
}

Diagnostic small_states(const FlatModel& model, const std::vector<VariableIndex>& states) {
    Diagnostic d;
    d.code = "small-states";
    d.concern = Concern::SmallStates;
    d.severity = Severity::Warning;
    d.where = model.variables[states.front()].origin.where;
    std::string list;
    for (std::size_t i = 0; i < states.size() && i < 8; ++i) list += (i ? ", " : "") + model.path(states[i]);
    if (states.size() > 8) list += fmt::format(" and {} more", states.size() - 8);
    d.message = "so small all along that the absolute tolerance leaves few digits: " + list;
    d.help = fmt::format("declare its size, `{} nominal 1e-6` for example, or give --absolute",
                         model.variables[states.front()].name);
    return d;
}

Diagnostic too_many_states(std::size_t states, std::string_view solver) {
    Diagnostic d;
    d.code = "too-many-states";
    d.message = fmt::format("{} states need a Jacobian of {:.1f} GB with --solver {}; at most 4 GB are taken",
                            states, 8e-9 * static_cast<double>(states) * static_cast<double>(states), solver);
    d.help = "use --solver adams, which needs none, unless the model is stiff";
    return d;
}

Diagnostic table_left(const TableData& table, double time) {
    Diagnostic d;
    d.code = "table-range";
    d.severity = Severity::Warning;
    d.where = table.origin.where;
    const std::string range = table.x.empty() ? ""
                                              : fmt::format(" ({} … {})", number_text(table.x.front()),
                                                            number_text(table.x.back()));
    const char* what = table.outside == Outside::Hold ? "its end value is held" : "it is extrapolated";
    if (!d.where.known()) {  // it comes from a file of --input, not from a declaration
        d.message = fmt::format("at time {}: the data for {} do not reach so far{}; {}", instant(time),
                                table.name, range, what);
        d.help = "extend the file that is given for it, or end the run where the data end (--stop)";
        return d;
    }
    d.message = fmt::format("at time {}: table {} is used outside its range{}; {}", instant(time), table.name,
                            range, what);
    d.help = "extend the data, or write `extrapolate` or `error` in the table's declaration";
    return d;
}

Diagnostic bad_clock(const FlatModel& model, Expr clock, double first, double period) {
    Diagnostic d;
    d.code = "sample-period";
    put_at(d, model, clock);
    d.message = fmt::format("sample({}, {}) needs a period above 0", number_text(first), number_text(period));
    d.help = "the second argument is the time from one tick to the next";
    return d;
}

Diagnostic result_problem(const std::string& problem, double time) {
    Diagnostic d;
    d.code = "result-file";
    d.concern = Concern::ResultFile;
    d.message = fmt::format("at time {}: {}", instant(time), problem);
    d.help = "the rows written before stay in the file";
    return d;
}

Diagnostic no_result_file(const std::string& problem) {
    Diagnostic d;
    d.code = "result-file";
    d.concern = Concern::ResultFile;
    d.message = problem;
    d.help = "nothing was written; name a file in a directory that exists and can be written";
    return d;
}

Diagnostic terminated(const WhenTerminate& action, const FlatModel& model, double time) {
    Diagnostic d;
    d.code = "terminated";
    d.severity = Severity::Note;
    d.where = action.origin.where;
    d.submodel = model.path(action.origin.instance);
    d.message = fmt::format("at time {}: the model ended the run: {}", instant(time), action.message);
    return d;
}

}  // namespace cutset::run_messages
