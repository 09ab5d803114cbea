#include "transform/messages.h"

#include <fmt/format.h>

#include <algorithm>
#include <map>

#include "base/message_parts.h"

namespace cutset::passes {
namespace {

constexpr std::size_t most_shown = 12;
constexpr std::size_t most_places = 6;  // shown with their lines of text

Diagnostic error(const char* code, Span where, std::string message) {
    return make_error(where, code, std::move(message));
}

std::string list(const std::vector<std::string>& names, std::size_t limit = most_shown) {
    std::string text;
    for (std::size_t i = 0; i < names.size() && i < limit; ++i) text += (i ? ", " : "") + names[i];
    if (names.size() > limit) text += fmt::format(" and {} more", names.size() - limit);
    return text;
}

std::string submodel_name(Analysis& a, InstanceIndex i) {
    const std::string path = a.model().path(i);
    return path.empty() ? (a.model().name.empty() ? "the model" : a.model().name) : path;
}

// The place of an equation, or of the submodel it belongs to.
Span place(Analysis& a, const Origin& origin) {
    if (origin.where.known()) return origin.where;
    return origin.instance.value < a.model().instances.size() ? a.model().instances[origin.instance].where
                                                              : Span{};
}
Span place(Analysis& a, const std::vector<EquationIndex>& equations) {
    for (EquationIndex e : equations)
        if (a.written[e.value].kind == EquationKind::Written) return place(a, a.written[e.value].origin);
    for (EquationIndex e : equations) return place(a, a.written[e.value].origin);
    return {};
}

bool same_place(Span x, Span y) {
    return x.source == y.source && x.begin == y.begin && x.end == y.end;
}

// The equations by submodel as details, those that were written first, and their places.
void show_equations(Analysis& a, Diagnostic& d, std::vector<EquationIndex> equations) {
    std::stable_sort(equations.begin(), equations.end(), [&](EquationIndex x, EquationIndex y) {
        const auto rank = [&](EquationIndex e) {
            return std::pair(a.written[e.value].kind != EquationKind::Written,
                             a.written[e.value].origin.instance);
        };
        return rank(x) < rank(y);
    });
    for (std::size_t i = 0; i < equations.size() && i < most_shown; ++i) {
        const Equation& equation = a.written[equations[i].value];
        const std::string submodel = submodel_name(a, equation.origin.instance);
        d.details.push_back(
            fmt::format("in {}: {}{}", submodel, a.text(equations[i]), kind_text(equation.kind)));
        const Span where = place(a, equation.origin);
        const bool repeated = same_place(where, d.where) ||
                              std::any_of(d.related.begin(), d.related.end(),
                                          [&](const auto& r) { return same_place(r.where, where); });
        if (where.known() && !repeated && d.related.size() < most_places)
            d.related.push_back({where, "in " + submodel});
    }
    if (equations.size() > most_shown)
        d.details.push_back(fmt::format("and {} more equations", equations.size() - most_shown));
}

// A variable with others that connections or equations make equal to it.
class AliasNames {
  public:
    explicit AliasNames(Analysis& a) : a_(a) {
        for (const Eliminated& e : a.partition.eliminated)
            if (e.alias && e.value->op == Op::Variable) aliases_[e.value->variable()].push_back(e.variable);
    }
    std::string operator()(VariableIndex v) const {
        std::string text = a_.model().path(v);
        const auto found = aliases_.find(v);
        if (found == aliases_.end()) return text;
        std::vector<std::string> names;
        for (VariableIndex alias : found->second) names.push_back(a_.model().path(alias));
        return text + " (= " + list(names, 3) + ")";
    }
    std::vector<VariableIndex> all(VariableIndex v) const {
        std::vector<VariableIndex> result{v};
        if (const auto found = aliases_.find(v); found != aliases_.end())
            result.insert(result.end(), found->second.begin(), found->second.end());
        return result;
    }

  private:
    Analysis& a_;
    std::map<VariableIndex, std::vector<VariableIndex>> aliases_;
};

void show_variables(Analysis& a, Diagnostic& d, const char* what,
                    const std::vector<VariableIndex>& variables) {
    if (variables.empty()) return;
    const AliasNames name(a);
    std::vector<VariableIndex> sorted = variables;
    std::stable_sort(sorted.begin(), sorted.end(), [&](VariableIndex x, VariableIndex y) {
        return a.model().variables[x].origin.instance < a.model().variables[y].origin.instance;
    });
    std::vector<std::string> names;
    for (VariableIndex v : sorted) names.push_back(name(v));
    d.details.push_back(fmt::format("{}: {}", what, list(names)));
}

std::string counted(std::size_t n, const char* one, const char* many) {
    return n == 1 ? fmt::format("one {}", one) : fmt::format("{} {}", n, many);
}

std::string values_of_parameters(Analysis& a, const std::vector<Expr>& expressions) {
    std::vector<VariableIndex> parameters;
    for (Expr e : expressions)
        for (Expr leaf : a.leaves({e})) {
            const VariableIndex v = leaf->variable();
            if (a.model().variables[v].variability > Variability::Parameter) continue;
            if (std::find(parameters.begin(), parameters.end(), v) == parameters.end())
                parameters.push_back(v);
        }
    std::vector<std::string> parts;
    for (VariableIndex p : parameters)
        parts.push_back(fmt::format("{} = {}", a.model().path(p), a.values.shown(p)));
    return list(parts);
}

}  // namespace

const char* kind_text(EquationKind kind) {
    switch (kind) {
        case EquationKind::Written:
            return "";
        case EquationKind::Across:
            return " (by connection)";
        case EquationKind::Through:
            return " (sum at a node)";
        case EquationKind::Unconnected:
            return " (not connected)";
        case EquationKind::Default:
            return " (default)";
        case EquationKind::Fixed:
            return " (fixed)";
        case EquationKind::Derivative:
            return " (derivative of a constraint)";
        case EquationKind::Input:
            return " (input)";
    }
    return "";
}

Diagnostic division_by_zero(Analysis& a, Expr divisor, const Equation& equation) {
    const bool plain = divisor->op == Op::Variable;
    const std::string text = a.text(divisor);
    Diagnostic d = error("division-by-zero", place(a, equation.origin),
                         plain ? fmt::format("division by {}, a parameter whose value is 0", text)
                         : divisor->is_number() ? std::string("division by 0")
                                                : fmt::format("division by {}, which is 0", text));
    d.submodel = a.model().path(equation.origin.instance);
    if (!plain && !divisor->is_number()) d.details.push_back("with " + values_of_parameters(a, {divisor}));
    d.details.push_back(
        fmt::format("in {}: {}", submodel_name(a, equation.origin.instance), a.model().text(equation)));
    for (Expr leaf : a.leaves({divisor})) {
        const Variable& p = a.model().variables[leaf->variable()];
        if (p.origin.where.known())
            d.related.push_back({p.origin.where, fmt::format("{} is declared here", p.name)});
    }
    d.help = plain ? fmt::format("give {} a value other than 0, or write the equation without dividing by it",
                                 text)
                   : "change one of these parameters, or write the equation without the division";
    return d;
}

Diagnostic varying_clock(Analysis& a, Expr clock, Expr leaf, const Origin& origin) {
    Diagnostic d =
        error("varying-clock", place(a, origin),
              fmt::format("the instants of {} are known from the start on, but {} changes during the run",
                          a.text(clock), a.text(leaf)));
    d.submodel = a.model().path(origin.instance);
    d.help =
        "where distances vary, say when the next instant is: "
        "`when time >= next then new(next) = time + … end`";
    return d;
}

Diagnostic negative_delay(Analysis& a, Expr delay, double duration, const Origin& origin) {
    Diagnostic d =
        error("negative-delay", place(a, origin),
              fmt::format("{} looks into the future: its delay is {}", a.text(delay), number_text(duration)));
    d.submodel = a.model().path(origin.instance);
    d.help = "the second argument of delay is a time that has passed; it must not be negative";
    return d;
}

Diagnostic starts_differ(Analysis& a, VariableIndex v, VariableIndex w, bool negative) {
    const Variable &x = a.model().variables[v], &y = a.model().variables[w];
    Diagnostic d = error("starts-differ", place(a, x.start->origin),
                         fmt::format("{} and {} are {} at all times, but start from different values",
                                     a.model().path(v), a.model().path(w), negative ? "opposite" : "equal"));
    const auto line = [&](VariableIndex i, const Start& s) {
        const auto value = a.values.shown(s.value);
        return fmt::format("{}(0) = {}{}", a.model().path(i), a.text(s.value),
                           value && !s.value->is_number() ? " = " + *value : "");
    };
    d.details.push_back(line(v, *x.start));
    if (y.start) {
        d.details.push_back(line(w, *y.start));
        if (place(a, y.start->origin).known())
            d.related.push_back({place(a, y.start->origin), line(w, *y.start)});
    }
    d.help =
        "give the initial value of one of them only, or the same value for both; with --initial jump they "
        "jump to a "
        "common "
        "value that keeps what is conserved (charge, momentum)";
    return d;
}

Diagnostic unused_variables(Analysis& a, const std::vector<VariableIndex>& variables) {
    const VariableIndex v = variables.front();
    std::string message = fmt::format("{} occurs in no equation", a.model().path(v));
    if (variables.size() > 1)
        message =
            fmt::format("{} and {} occur in no equation", a.model().path(v),
                        variables.size() == 2 ? a.model().path(variables[1])
                                              : fmt::format("{} others of its kind", variables.size() - 1));
    Diagnostic d = error("unused-variable", place(a, a.model().variables[v].origin), std::move(message));
    d.severity = Severity::Warning;
    d.submodel = a.model().path(a.model().variables[v].origin.instance);
    d.help = "it has no value, and no column in the results; remove its declaration, or use it";
    return d;
}

namespace {

// Equations with those that exact elimination used for what stands in them, where that tells the whole story.
void add_what_gives(Analysis& a, std::vector<EquationIndex>& equations,
                    std::vector<VariableIndex>& variables) {
    constexpr std::size_t most = 8;
    std::vector<EquationIndex> all = equations;
    std::vector<VariableIndex> met;
    for (std::size_t i = 0; i < all.size() && all.size() < most; ++i) {
        const Equation& e = a.written[all[i].value];
        const auto leaves = a.leaves({e.left, e.right});
        for (Expr leaf : std::vector<Expr>(leaves.begin(), leaves.end())) {
            const VariableIndex v = leaf->variable();
            if (a.model().variables[v].variability != Variability::Continuous) continue;
            if (std::find(met.begin(), met.end(), v) != met.end()) continue;
            met.push_back(v);
            const auto add = [&](EquationIndex by) {
                if (std::find(all.begin(), all.end(), by) == all.end()) all.push_back(by);
            };
            for (const Eliminated& eliminated : a.partition.eliminated) {
                if (eliminated.variable != v) continue;
                const Span where = eliminated.origin.where;
                for (std::size_t k = 0; k < a.written.size(); ++k)
                    if (!a.live[k] && a.written[k].origin.instance == eliminated.origin.instance &&
                        a.written[k].origin.where.begin == where.begin &&
                        a.written[k].origin.where.source == where.source) {
                        add(EquationIndex(k));
                        break;
                    }
            }
        }
    }
    if (all.size() != met.size() + 1) return;  // not the whole story: rather the one equation alone
    equations = std::move(all);
    variables = std::move(met);
}

// A discrete variable that is written as if an equation gave it: alone on the left, in its own submodel.
std::optional<VariableIndex> defined_discrete(Analysis& a, const std::vector<EquationIndex>& equations) {
    for (EquationIndex i : equations) {
        const Equation& e = a.written[i.value];
        if (e.kind != EquationKind::Written || e.left->op != Op::Variable) continue;
        const Variable& v = a.model().variables[e.left->variable()];
        if (v.variability == Variability::Discrete && v.origin.instance == e.origin.instance)
            return e.left->variable();
    }
    return std::nullopt;
}

// Where `new` sets it.
std::optional<Span> set_by_when(Analysis& a, VariableIndex v) {
    for (const WhenClause& when : a.model().whens)
        for (const WhenAction& action : when.actions)
            if (const auto* assign = std::get_if<WhenAssign>(&action); assign && assign->target == v)
                return assign->origin.where;
    return std::nullopt;
}

}  // namespace

namespace {

// Where the submodels concerned are declared, when the place of the message is in another file.
void show_declarations(Analysis& a, Diagnostic& d, const std::vector<VariableIndex>& variables) {
    std::vector<InstanceIndex> shown;
    for (VariableIndex v : variables) {
        const InstanceIndex i = a.model().variables[v].origin.instance;
        if (i.value == 0 || shown.size() >= 4 || std::find(shown.begin(), shown.end(), i) != shown.end())
            continue;
        const Span where = a.model().instances[i].where;
        if (!where.known() || where.source == d.where.source) continue;
        shown.push_back(i);
        d.related.push_back({where, fmt::format("{} is declared here", a.model().path(i))});
    }
}

}  // namespace

namespace {

// The model to which an equation belongs: a loose end to the one that leaves it loose.
InstanceIndex owner(Analysis& a, EquationIndex e) {
    const Equation& equation = a.written[e.value];
    const InstanceIndex i = equation.origin.instance;
    const bool loose = equation.kind == EquationKind::Unconnected || equation.kind == EquationKind::Default;
    return loose && i.value != 0 ? a.model().instances[i].parent : i;
}

// The submodel among these, and those around them, that by itself has too many equations (sign 1) or too few
// (sign -1), if those that have are all of one type.
std::optional<InstanceIndex> off_balance(Analysis& a, const std::vector<InstanceIndex>& concerned, int sign) {
    const auto off = [&](InstanceIndex i) {
        while (i.value != 0 && a.model().instances[i].surplus * sign <= 0) i = a.model().instances[i].parent;
        return i;
    };
    std::optional<InstanceIndex> found;
    for (InstanceIndex from : concerned) {
        const InstanceIndex i = off(from);
        const Instance& instance = a.model().instances[i];
        if (instance.surplus * sign <= 0 || (i.value == 0 && from.value != 0)) continue;
        if (!found)
            found = i;
        else if (a.model().instances[*found].type != instance.type)
            return std::nullopt;
    }
    return found;
}

// What a submodel has by itself: its equations and unknowns.
Diagnostic of_one_submodel(Analysis& a, InstanceIndex i, const char* code, std::string message) {
    std::vector<EquationIndex> equations;
    for (std::size_t e = 0; e < a.partition.flat_equations && e < a.written.size(); ++e)
        if (a.written[e].kind == EquationKind::Written &&
            model_of(a.model(), a.written[e].origin.instance) == i)
            equations.emplace_back(e);
    std::vector<VariableIndex> variables;
    for (VariableIndex v(0); v < a.model().variables.end_index(); ++v.value) {
        const Variable& variable = a.model().variables[v];
        if (model_of(a.model(), variable.origin.instance) == i &&
            variable.variability == Variability::Continuous && !variable.internal)
            variables.push_back(v);
    }
    const Instance& instance = a.model().instances[i];
    Span where = equations.empty() ? instance.where : place(a, equations);
    Diagnostic d = error(code, where, std::move(message));
    d.submodel = a.model().path(i);
    show_equations(a, d, equations);
    std::vector<std::string> names;
    for (VariableIndex v : variables) names.push_back(a.model().path(v).substr(a.model().path(i).size() + 1));
    d.details.push_back(fmt::format("{} of {}: {}", names.size() == 1 ? "unknown" : "unknowns",
                                    a.model().path(i), list(names)));
    d.related.clear();
    if (instance.where.known() && instance.where.source != where.source)
        d.related.push_back({instance.where, fmt::format("{} is declared here", a.model().path(i))});
    return d;
}

}  // namespace

std::optional<InstanceIndex> too_full(Analysis& a, const std::vector<EquationIndex>& equations) {
    std::vector<InstanceIndex> owners;
    for (EquationIndex e : equations) owners.push_back(owner(a, e));
    return off_balance(a, owners, 1);
}

std::optional<InstanceIndex> too_empty(Analysis& a, const std::vector<VariableIndex>& variables) {
    std::vector<InstanceIndex> owners;
    for (VariableIndex v : variables) owners.push_back(a.model().variables[v].origin.instance);
    return off_balance(a, owners, -1);
}

Diagnostic submodel_too_full(Analysis& a, InstanceIndex i) {
    const Instance& instance = a.model().instances[i];
    Diagnostic d = of_one_submodel(
        a, i, "too-many-equations",
        fmt::format("too many equations: {} (model type {}) has {} more than its own unknowns leave room for",
                    a.model().path(i), instance.type,
                    instance.surplus == 1 ? "one" : std::to_string(instance.surplus)));
    d.help = fmt::format(
        "remove {} of model type {}, or declare as a variable of its interface what these equations share "
        "with outside",
        instance.surplus == 1 ? "one of the equations" : "equations", instance.type);
    return d;
}

Diagnostic submodel_too_empty(Analysis& a, InstanceIndex i) {
    const Instance& instance = a.model().instances[i];
    const std::int32_t missing = -instance.surplus;
    Diagnostic d =
        of_one_submodel(a, i, "too-few-equations",
                        fmt::format("too few equations: {} (model type {}) lacks {}", a.model().path(i),
                                    instance.type, missing == 1 ? "one" : std::to_string(missing)));
    d.help = fmt::format(
        "write {} in model type {}, or declare an unknown as a parameter with a value, or as an input if it "
        "is "
        "to be given from outside; `cutset partition` lists what could be given",
        missing == 1 ? "one more equation" : "more equations", instance.type);
    return d;
}

namespace {

// Where only the model itself is off balance, the equations of its submodels are of less interest than its
// own.
void show_own_equations(Analysis& a, Diagnostic& d, const std::vector<EquationIndex>& equations, int sign) {
    const bool own =
        equations.size() > most_shown && a.model().instances[InstanceIndex(0)].surplus * sign > 0;
    if (!own) return show_equations(a, d, equations);
    std::vector<EquationIndex> shown;
    std::vector<InstanceIndex> others;
    for (EquationIndex e : equations) {
        if (owner(a, e).value == 0)
            shown.push_back(e);
        else
            others.push_back(owner(a, e));
    }
    const std::size_t count = others.size();
    std::sort(others.begin(), others.end());
    others.erase(std::unique(others.begin(), others.end()), others.end());
    if (shown.empty() || others.empty()) return show_equations(a, d, equations);
    show_equations(a, d, shown);
    d.details.push_back(
        fmt::format("with {} of {}", counted(count, "equation", "equations"),
                    others.size() == 1
                        ? a.model().path(others[0])
                        : fmt::format("{} submodels ({} … {}) that are complete by themselves", others.size(),
                                      a.model().path(others.front()), a.model().path(others.back()))));
}

}  // namespace

Diagnostic contradictory_equations(Analysis& a, EquationIndex last, const std::vector<EquationIndex>& all) {
    Diagnostic d = error("contradictory-equations", place(a, a.written[last.value].origin),
                         all.size() > 1 ? "contradictory equations: these cannot hold together"
                                        : "contradictory equation: this cannot hold");
    d.submodel = a.model().path(a.written[last.value].origin.instance);
    const auto cause = std::find_if(all.begin(), all.end(), [&](EquationIndex e) {
        return a.written[e.value].kind == EquationKind::Written ||
               a.written[e.value].kind == EquationKind::Input;
    });
    if (cause != all.end()) d.where = place(a, a.written[cause->value].origin);
    const auto full = too_full(a, all);
    if (full && full->value != 0 && all.size() > most_shown) {
        std::vector<EquationIndex> own;
        for (EquationIndex e : all)
            if (owner(a, e) == *full) own.push_back(e);
        show_equations(a, d, own);
        d.details.push_back(
            fmt::format("with {} of others", counted(all.size() - own.size(), "equation", "equations")));
    } else {
        show_own_equations(a, d, all, 1);
    }
    if (full && full->value != 0)
        d.details.push_back(
            fmt::format("{} (model type {}) has more equations than its own unknowns leave room for",
                        a.model().path(*full), a.model().instances[*full].type));
    std::vector<Expr> sides;
    for (EquationIndex e : all) {
        sides.push_back(a.written[e.value].left);
        sides.push_back(a.written[e.value].right);
    }
    if (const std::string values = values_of_parameters(a, sides); !values.empty())
        d.details.push_back("with " + values);
    d.help =
        "two sources that fix the same quantity to different values need something between them, "
        "for example a resistance; or one of the equations is wrong";
    return d;
}

Diagnostic too_many_equations(Analysis& a, std::vector<EquationIndex> equations,
                              std::vector<VariableIndex> variables) {
    add_what_gives(a, equations, variables);
    const std::string message =
        variables.empty()
            ? fmt::format("too many equations: {} without any unknown",
                          equations.size() == 1 ? "this equation is" : "these are")
            : fmt::format("too many equations: {} for {}", counted(equations.size(), "equation", "equations"),
                          counted(variables.size(), "unknown", "unknowns"));
    Diagnostic d = error("too-many-equations", place(a, equations), message);
    if (!equations.empty()) d.submodel = a.model().path(a.written[equations[0].value].origin.instance);
    show_own_equations(a, d, equations, 1);
    show_variables(a, d, variables.size() == 1 ? "unknown" : "unknowns", variables);
    show_declarations(a, d, variables);
    const auto has = [&](EquationKind kind) {
        return std::any_of(equations.begin(), equations.end(),
                           [&](EquationIndex e) { return a.written[e.value].kind == kind; });
    };
    const bool parametric = std::any_of(equations.begin(), equations.end(), [&](EquationIndex e) {
        const auto leaves = a.leaves({a.written[e.value].left, a.written[e.value].right});
        return std::any_of(leaves.begin(), leaves.end(), [&](Expr leaf) {
            return a.model().variables[leaf->variable()].variability == Variability::Parameter;
        });
    });
    if (const auto discrete = defined_discrete(a, equations)) {
        const std::string name = a.model().path(*discrete);
        if (const auto where = set_by_when(a, *discrete)) {
            d.related.push_back({*where, fmt::format("{} is set here, so it changes at events only", name)});
            d.help =
                fmt::format("{} cannot have an equation and be set by a `when`: remove one of them", name);
        } else {
            d.help = fmt::format(
                "{} is declared discrete, so only `when` sets it: declare it as local to give it an equation",
                name);
        }
    } else if (variables.empty())
        d.help = parametric
                     ? "everything in it is already given: remove the equation, or make a parameter of "
                       "it a local"
                     : "everything in it is already given: remove the equation, or another that gives "
                       "what stands in it";
    else if (has(EquationKind::Input))
        d.help = "an input is given from outside: remove the equation that determines it too, or the input";
    else if (has(EquationKind::Across) || has(EquationKind::Through))
        d.help = "remove one of the equations, or a connection that fixes the same quantity again";
    else
        d.help =
            parametric
                ? "remove one of the equations, or declare as local what is now a parameter in one of them"
                : "remove one of the equations";
    return d;
}

Diagnostic too_few_equations(Analysis& a, const std::vector<EquationIndex>& equations,
                             const std::vector<VariableIndex>& variables, std::size_t consequences) {
    std::vector<bool> connected(a.model().variables.size());
    for (const Equation& e : a.written) {
        if (e.kind == EquationKind::Input) continue;
        for (Expr leaf : a.leaves({e.left, e.right}))
            if (e.kind != EquationKind::Written ||
                e.origin.instance != a.model().variables[leaf->variable()].origin.instance)
                connected[leaf->index] = true;
    }
    std::vector<bool> defined(a.model().variables.size());  // by `v = e`
    for (EquationIndex e : equations)
        for (Expr side : {a.written[e.value].left, a.written[e.value].right})
            if (side->op == Op::Variable) defined[side->index] = true;
    std::vector<VariableIndex> loose;  // terminals that nothing is joined to
    for (VariableIndex v : variables) {
        const Variable& variable = a.model().variables[v];
        const bool visible =
            variable.declared == VariableKind::Terminal || variable.declared == VariableKind::Input;
        if (visible && variable.origin.instance.value != 0 && !connected[v.value] && !defined[v.value])
            loose.push_back(v);
    }
    const std::string message =
        variables.size() == 1
            ? fmt::format("too few equations: nothing determines {}", a.model().path(variables[0]))
            : fmt::format("too few equations: {} for {} unknowns",
                          counted(equations.size(), "equation", "equations"), variables.size());
    const VariableIndex first = loose.empty() ? variables.front() : loose.front();
    Diagnostic d = error("too-few-equations", place(a, a.model().variables[first].origin), message);
    d.submodel = a.model().path(a.model().variables[first].origin.instance);
    show_variables(a, d, variables.size() == 1 ? "unknown" : "unknowns", variables);
    show_declarations(a, d, variables);
    if (consequences)
        d.details.push_back(fmt::format("{} only from these",
                                        consequences == 1
                                            ? "one further variable follows"
                                            : fmt::format("{} further variables follow", consequences)));
    show_own_equations(a, d, equations, -1);
    if (!loose.empty()) {
        d.help = fmt::format(
            "{} is a terminal that nothing outside refers to: connect it, give it a `default`, "
            "or write an equation for it",
            a.model().path(loose[0]));
    } else if (variables.size() == 1) {
        d.help = "write an equation for it, or declare it as a parameter with a value";
    } else {
        d.help =
            fmt::format("write {} for these variables, or declare one of them as a parameter with a value",
                        variables.size() - equations.size() > 1 ? "more equations" : "one more equation");
    }
    d.help += "; `cutset partition` lists what could be given from outside";
    return d;
}

Diagnostic no_reference_node(Analysis& a, const Dependency& dependency,
                             const std::vector<InstanceIndex>& submodels) {
    std::vector<std::string> names;
    for (InstanceIndex i : submodels) names.push_back(submodel_name(a, i));
    Diagnostic d = error("no-reference-node", place(a, a.written[dependency.removed.value].origin),
                         fmt::format("the circuit of {} has no reference node (ground)", list(names)));
    if (!submodels.empty() && !d.where.known()) d.where = a.model().instances[submodels[0]].where;
    for (InstanceIndex i : submodels) {
        if (d.related.size() == most_shown) break;
        const Instance& submodel = a.model().instances[i];
        if (submodel.where.known())
            d.related.push_back({submodel.where, submodel_name(a, i) + " belongs to it"});
    }
    std::vector<EquationIndex> sums;
    for (EquationIndex e : dependency.with)
        if (a.written[e.value].kind == EquationKind::Through) sums.push_back(e);
    sums.push_back(dependency.removed);
    d.details.push_back(
        "the sums at its nodes follow from one another, so its levels are fixed only relative to each "
        "other:");
    for (std::size_t i = 0; i < sums.size() && i < most_shown; ++i)
        d.details.push_back("  " + a.text(sums[i]));
    d.help =
        "join one of its nodes to a ground: a submodel that gives the across variable a value, such as V = 0";
    return d;
}

namespace {

Diagnostic about_constraint(Analysis& a, const char* code, EquationIndex constraint, std::string message) {
    Diagnostic d = error(code, place(a, {constraint}), std::move(message));
    d.submodel = a.model().path(a.written[constraint.value].origin.instance);
    return d;
}

}  // namespace

Diagnostic step_in_constraint(Analysis& a, EquationIndex constraint, Expr step, std::uint32_t times,
                              const std::vector<EquationIndex>& needed_by) {
    const Equation& e = a.written[constraint.value];
    const bool input = e.kind == EquationKind::Input;
    const std::string often = times == 1 ? "" : times == 2 ? "second " : fmt::format("{}th ", times);
    Diagnostic d = about_constraint(
        a, "step-differentiated", constraint,
        input ? fmt::format("the input {} has to be smooth: its {}derivative is needed, but {} has steps",
                            a.text(e.left), often, a.text(step))
              : fmt::format("the {}derivative of `{}` is needed, but {} in it has steps", often,
                            a.text(constraint), a.text(step)));
    std::vector<EquationIndex> others;
    for (EquationIndex n : needed_by)
        if (n != constraint) others.push_back(n);
    if (!others.empty()) {
        d.details.push_back("it is needed because of");
        show_equations(a, d, others);
    }
    d.help =
        "give a smooth function, let a filter (a first-order lag) stand before it, or put an element "
        "between the parts that are tied together (a spring, a resistance)";
    return d;
}

Diagnostic step_by_pieces(Analysis& a, EquationIndex constraint, Expr step, std::uint32_t times) {
    Diagnostic d = step_in_constraint(a, constraint, step, times, {});
    d.severity = Severity::Warning;
    d.help =
        "it is differentiated piece by piece: the impulse where it steps is not computed; give a smooth "
        "function, or let a filter stand before it";
    return d;
}

Diagnostic branches_differentiated(Analysis& a, const FunctionData& function) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "branches-differentiated";
    d.where = place(a, function.origin);
    d.message =
        fmt::format("the derivative of the function {} is needed, and it has branches", function.name);
    d.help =
        "each branch is differentiated by itself: where the function jumps from one to another, its "
        "derivative is an "
        "impulse that is not computed; write what jumps in the model itself, where that is looked at";
    return d;
}

Diagnostic boolean_constraint(Analysis& a, EquationIndex constraint) {
    Diagnostic d = about_constraint(
        a, "boolean-constraint", constraint,
        fmt::format("`{}` determines no unknown, and a relation between conditions has no derivative",
                    a.text(constraint)));
    d.help = "write which condition follows from which: `b = <condition>`";
    return d;
}

namespace {

void show_discrete(Analysis& a, Diagnostic& d, const std::vector<const Equation*>& equations) {
    for (std::size_t i = 0; i < equations.size() && i < most_shown; ++i)
        d.details.push_back(a.model().text(*equations[i]));
    if (equations.size() > most_shown)
        d.details.push_back(fmt::format("and {} more", equations.size() - most_shown));
}

std::vector<std::string> paths(Analysis& a, const std::vector<VariableIndex>& variables) {
    std::vector<std::string> names;
    for (VariableIndex v : variables) names.push_back(a.model().path(v));
    return names;
}

}  // namespace

Diagnostic discrete_too_many(Analysis& a, const Equation& e, const std::vector<const Equation*>& others,
                             const std::vector<VariableIndex>& variables) {
    Diagnostic d = error(
        "discrete-too-many", place(a, e.origin),
        fmt::format("`{}` is one equation too many for {}", a.model().text(e), list(paths(a, variables))));
    d.submodel = a.model().path(e.origin.instance);
    show_discrete(a, d, others);
    d.help =
        "a discrete variable follows from one equation that has it alone on one side, `b = …`: remove one of "
        "these, or write another variable";
    return d;
}

Diagnostic discrete_too_few(Analysis& a, VariableIndex v) {
    const Variable& variable = a.model().variables[v];
    Diagnostic d = error("discrete-too-few", place(a, variable.origin),
                         fmt::format("no equation is left that determines {}", a.model().path(v)));
    d.submodel = a.model().path(variable.origin.instance);
    d.help = fmt::format("add an equation `{} = …`, or set it in a when clause", variable.name);
    return d;
}

Diagnostic discrete_circle(Analysis& a, const std::vector<const Equation*>& circle,
                           const std::vector<VariableIndex>& variables) {
    constexpr std::size_t most = 10;
    std::string list;
    for (std::size_t i = 0; i < variables.size() && i < most; ++i)
        list += (list.empty() ? "" : ", ") + a.model().path(variables[i]);
    if (variables.size() > most) list += fmt::format(" and {} more", variables.size() - most);
    Diagnostic d =
        error("discrete-circle", place(a, circle[0]->origin),
              fmt::format("{} discrete equations need each other's values of {}", circle.size(), list));
    d.submodel = a.model().path(circle[0]->origin.instance);
    show_discrete(a, d, circle);
    d.help =
        "they may have no solution or several: write pre(…) around one of the variables where its value "
        "before "
        "the event is meant; events are repeated until all agree";
    return d;
}

Diagnostic no_third_derivative(Analysis& a, EquationIndex constraint) {
    Diagnostic d = about_constraint(
        a, "third-derivative", constraint,
        fmt::format("the constraint `{}` must be differentiated three times, but tables and functions in it "
                    "have two derivatives",
                    a.text(constraint)));
    d.help = "write the table or function as a formula, or give its derivative as a variable of its own";
    return d;
}

Diagnostic too_many_differentiations(Analysis& a, EquationIndex constraint, int limit) {
    Diagnostic d = about_constraint(
        a, "index-too-high", constraint,
        fmt::format("index reduction does not end: equations were differentiated {} times, `{}` last", limit,
                    a.text(constraint)));
    d.help = "look for equations that say the same in different words, or that contradict each other";
    return d;
}

Diagnostic previous_of_continuous(Analysis& a, VariableIndex v, const Origin& origin) {
    Diagnostic d =
        error("pre-of-continuous", place(a, origin),
              fmt::format("pre({}) in an equation: {} is continuous, so it has no value before an event here",
                          a.model().path(v), a.model().path(v)));
    d.submodel = a.model().path(origin.instance);
    d.help =
        "write the variable itself, keep its value with `new` of a discrete variable in a `when`, or, if it "
        "changes at events only, declare it `boolean`, `integer` or `discrete`";
    return d;
}

Diagnostic state_not_possible(Analysis& a, VariableIndex v, std::optional<Expr> value,
                              std::optional<EquationIndex> by) {
    const std::string name = a.model().path(v);
    Diagnostic d = error("state-not-possible", place(a, a.model().variables[v].origin),
                         fmt::format("{} cannot be a state as `state` asks", name));
    d.severity = Severity::Warning;
    d.submodel = a.model().path(a.model().variables[v].origin.instance);
    if (value)
        d.details.push_back(fmt::format("it is {} at all times", a.text(*value)));
    else if (by && by->value < a.written.size() && a.written[by->value].left)
        d.details.push_back(fmt::format("{} determines it at all times", a.text(*by)));
    d.help =
        "a state can be chosen only where its value at one time is free: a variable that others, which would "
        "then "
        "follow from it, are differentiated with";
    return d;
}

Diagnostic wish_not_possible(const FlatModel& model, VariableIndex v,
                             const std::vector<Diagnostic>& reasons) {
    const Variable& variable = model.variables[v];
    Diagnostic d = error("state-not-possible", variable.origin.where,
                         fmt::format("{} cannot be a state as `state` asks", model.path(v)));
    d.severity = Severity::Warning;
    d.submodel = model.path(variable.origin.instance);
    for (const Diagnostic& reason : reasons)
        if (reason.severity == Severity::Error) {
            d.details.push_back("with it: " + reason.message);
            if (reason.where.known()) d.related.push_back({reason.where, "what stands in the way"});
            break;
        }
    d.help = "remove it from `state`: the run goes on without";
    return d;
}

Diagnostic state_all_the_same(Analysis& a, VariableIndex v) {
    const Variable& variable = a.model().variables[v];
    const std::string name = a.model().path(v);
    Diagnostic d = error("state-not-possible", place(a, variable.origin),
                         fmt::format("{} is a state, though `state never` asks for the contrary", name));
    d.severity = Severity::Warning;
    d.submodel = a.model().path(variable.origin.instance);
    d.details.push_back(
        fmt::format("its derivative stands in the equations, and no constraint gives {} from others", name));
    d.help = fmt::format(
        "name what should be the state in its place with `state`, and the equation that ties {} to it", name);
    return d;
}

Diagnostic state_at_times(Analysis& a, VariableIndex v) {
    const Variable& variable = a.model().variables[v];
    Diagnostic d = error(
        "state-not-possible", place(a, variable.origin),
        fmt::format("{} is a state at times only, though `state always` asks for it", a.model().path(v)));
    d.severity = Severity::Warning;
    d.submodel = a.model().path(variable.origin.instance);
    d.details.push_back("the constraints tie more variables of `state always` together than can be states");
    d.help = "ask for fewer of them with `always`; cutset check --states shows what ties them";
    return d;
}

Diagnostic state_wishes_differ(Analysis& a, VariableIndex wanted, VariableIndex other) {
    Diagnostic d =
        error("state-wishes-differ", place(a, a.model().variables[wanted].origin),
              fmt::format("{} and {} are equal: `state {}` asks for the one, `state {}` against the other",
                          a.model().path(wanted), a.model().path(other),
                          word(a.model().variables[wanted].state_select),
                          word(a.model().variables[other].state_select)));
    d.severity = Severity::Warning;
    if (const Span where = place(a, a.model().variables[other].origin); where.known())
        d.related.push_back({where, "the other one"});
    d.help = "the wish for a state counts; remove one of them";
    return d;
}

Diagnostic reinit_of_other(Analysis& a, const WhenReinit& reinit, std::optional<EquationIndex> by) {
    const std::string name = a.model().path(reinit.target);
    Diagnostic d = error("reinit-of-other", place(a, reinit.origin), {});
    d.submodel = a.model().path(reinit.origin.instance);
    if (!by) {
        d.message =
            fmt::format("reinit of {}, which is not a state: no equation contains its derivative", name);
        d.help =
            "only a variable that is differentiated can be set anew; for others use `new` of a discrete "
            "variable";
        return d;
    }
    const Equation& e = a.written[by->value];
    d.message =
        fmt::format("reinit of {}, which is not a state: {} determines it at all times", name, a.text(*by));
    if (const Span where = place(a, e.origin); where.known())
        d.related.push_back({where, fmt::format("{} is determined here", name)});
    d.help = fmt::format(
        "set a state that {} depends on (`cutset equations --where` shows which), or let the equation jump: "
        "a "
        "discrete variable in it that the when clause changes with `new`",
        name);
    return d;
}

Diagnostic derivative_not_in_equations(Analysis& a, Expr derivative) {
    const Variable& v = a.model().variables[derivative->variable()];
    const std::string name = a.model().path(derivative->variable());
    Diagnostic d = error(
        "derivative-not-in-equations", place(a, v.origin),
        fmt::format("{}' is named in an initial value, an initial equation or a condition, but no equation "
                    "of the model is left that contains it",
                    name));
    d.submodel = a.model().path(v.origin.instance);
    d.help = fmt::format("give it a name by an equation of its own, `v = der({})`, and use that", name);
    return d;
}

Diagnostic input_given_inside(Analysis& a, VariableIndex input, EquationIndex by) {
    const Equation& e = a.written[by.value];
    Diagnostic d = error("input-given-inside", place(a, e.origin),
                         fmt::format("{} is an input, but an equation of its own submodel determines it",
                                     a.model().path(input)));
    d.submodel = a.model().path(e.origin.instance);
    d.details.push_back(fmt::format("in {}: {}", submodel_name(a, e.origin.instance), a.text(by)));
    const Span declared = a.model().variables[input].origin.where;
    if (declared.known()) d.related.push_back({declared, "declared as input here"});
    d.help =
        "an input must be given from outside: connect it or write an equation for it where the submodel is "
        "used, "
        "or declare it as a terminal";
    return d;
}

Diagnostic output_given_outside(Analysis& a, VariableIndex output, EquationIndex by) {
    const Equation& e = a.written[by.value];
    Diagnostic d = error("output-given-outside", place(a, e.origin),
                         fmt::format("{} is an output, but an equation outside its submodel determines it",
                                     a.model().path(output)));
    d.submodel = a.model().path(e.origin.instance);
    d.details.push_back(fmt::format("in {}: {}", submodel_name(a, e.origin.instance), a.text(by)));
    const Span declared = a.model().variables[output].origin.where;
    if (declared.known()) d.related.push_back({declared, "declared as output here"});
    d.help =
        "an output must follow from the equations of its own submodel; declare it as a terminal if it may be "
        "given from either side";
    return d;
}

Diagnostic coefficient_is_zero(Analysis& a, const Row& row, Expr unknown, Expr coefficient) {
    const Equation& e =
        row.from_initial ? a.model().initial_equations[row.equation] : a.written[row.equation.value];
    Diagnostic d =
        error("coefficient-is-zero", place(a, e.origin),
              fmt::format("this equation would have to determine {}, but multiplies it by {}, which is 0",
                          a.text(unknown), a.text(coefficient)));
    d.submodel = a.model().path(e.origin.instance);
    d.details.push_back(fmt::format("in {}: {}", submodel_name(a, e.origin.instance), a.model().text(e)));
    if (!coefficient->is_number()) d.details.push_back("with " + values_of_parameters(a, {coefficient}));
    d.help = "change one of these parameters; with these values the model has too few equations";
    return d;
}

Diagnostic too_many_start_conditions(Analysis& a, const std::vector<StartCondition>& conditions,
                                     const std::vector<EquationIndex>& equations,
                                     const std::vector<VariableIndex>& open) {
    Diagnostic d =
        error("too-many-start-conditions", {}, "too many initial conditions: these cannot hold together");
    for (std::size_t i = 0; i < conditions.size() && i < most_shown; ++i) {
        const StartCondition& c = conditions[i];
        d.details.push_back(fmt::format("in {}: {}", submodel_name(a, c.origin.instance), c.text));
        const Span where = place(a, c.origin);
        if (!where.known()) continue;
        if (!d.where.known()) {
            d.where = where;
            d.submodel = a.model().path(c.origin.instance);
        } else {
            d.related.push_back({where, c.text});
        }
    }
    if (conditions.size() > most_shown)
        d.details.push_back(fmt::format("and {} more conditions", conditions.size() - most_shown));
    if (conditions.size() == 1 && equations.empty() && open.empty()) {
        d.message = "an initial condition too many: all that stands in it is determined without it";
        d.help =
            "remove it, or what determines the same: a value before the first event, a fixed start, an "
            "equation; "
            "or put it on what is to follow from it";
        return d;
    }
    if (!equations.empty()) {
        d.details.push_back("with the equations");
        show_equations(a, d, equations);
    }
    if (!open.empty()) {
        std::vector<std::string> names;
        for (VariableIndex v : open) names.push_back(a.model().path(v));
        d.details.push_back(fmt::format("while nothing determines {}", list(names, 8)));
        d.help = fmt::format(
            "put an `initial …` equation in which {} {} part in the place of one of these, or give {} a "
            "value and "
            "remove one of these",
            list(names, 8), names.size() == 1 ? "has a" : "have", names.size() == 1 ? "it" : "them");
        return d;
    }
    d.help = conditions.size() < 2 ? "remove one of these initial equations or initial values"
                                   : fmt::format(
                                         "remove one of these initial equations or initial values, for "
                                         "example `{}`: the others suffice",
                                         conditions.back().text);
    return d;
}

namespace {

void show_initial(Analysis& a, Diagnostic& d, const std::vector<EquationIndex>& equations) {
    for (std::size_t i = 0; i < equations.size() && i < most_shown; ++i) {
        const Equation& e = a.model().initial_equations[equations[i]];
        const std::string text = "initial " + a.model().text(e);
        d.details.push_back(fmt::format("in {}: {}", submodel_name(a, e.origin.instance), text));
        if (const Span where = place(a, e.origin); where.known()) d.related.push_back({where, text});
    }
    if (equations.size() > most_shown)
        d.details.push_back(fmt::format("and {} more", equations.size() - most_shown));
}

}  // namespace

Diagnostic repeated_initial_equation(Analysis& a, EquationIndex e, const std::vector<EquationIndex>& others) {
    const Equation& equation = a.model().initial_equations[e];
    Diagnostic d = error("repeated-initial-equation", place(a, equation.origin),
                         fmt::format("`initial {}` says nothing new: it follows from other initial equations",
                                     a.model().text(equation)));
    d.severity = Severity::Warning;
    d.submodel = a.model().path(equation.origin.instance);
    show_initial(a, d, others);
    d.help = "remove it; if a variable then starts at 0, an initial equation for that variable was meant";
    return d;
}

Diagnostic contradictory_initial_equations(Analysis& a, EquationIndex e,
                                           const std::vector<EquationIndex>& others) {
    const Equation& equation = a.model().initial_equations[e];
    Diagnostic d =
        error("contradictory-initial-equations", place(a, equation.origin),
              fmt::format("`initial {}` contradicts other initial equations: their left sides depend on "
                          "each other, their values do not agree",
                          a.model().text(equation)));
    d.submodel = a.model().path(equation.origin.instance);
    show_initial(a, d, others);
    d.help = "change or remove one of them";
    return d;
}

Diagnostic start_not_determined(Analysis& a, const std::vector<VariableIndex>& open, std::size_t missing) {
    std::vector<std::string> names;
    for (VariableIndex v : open) names.push_back(a.model().path(v));
    const Variable& first = a.model().variables[open.front()];
    Diagnostic d = error("start-not-determined", {},
                         fmt::format("too few initial conditions: nothing determines {}", list(names, 8)));
    d.where = place(a, first.origin);
    d.submodel = a.model().path(first.origin.instance);
    d.help = fmt::format("add {} `initial …` equation{} in which {} a part, or give {} a value",
                         missing == 1 ? "an" : std::to_string(missing), missing == 1 ? "" : "s",
                         names.size() == 1 ? names[0] + " has" : "they have",
                         first.free_parameter ? "the parameter" : "it");
    return d;
}

Diagnostic jump_not_determined(Analysis& a, const std::vector<VariableIndex>& causes) {
    std::vector<std::string> names;
    for (VariableIndex v : causes) names.push_back(a.model().path(v));
    const Variable& first = a.model().variables[causes.front()];
    Diagnostic d =
        error("jump-not-determined", place(a, first.origin),
              fmt::format("when {} changes, states that are tied together jump, and the equations do not "
                          "tell where to",
                          list(names, 8)));
    d.submodel = a.model().path(first.origin.instance);
    d.help = "put an element between the parts that are tied together (a resistance, a spring)";
    return d;
}

Diagnostic steady_leaves_open(Analysis& a, const std::vector<VariableIndex>& states) {
    std::vector<std::string> names;
    for (VariableIndex v : states) names.push_back(a.model().path(v));
    Diagnostic d;
    d.severity = Severity::Note;
    d.code = "steady-leaves-open";
    d.concern = Concern::Initialization;
    d.message =
        fmt::format("the steady state does not determine {}: {}", list(names, 8),
                    states.size() == 1 ? "its own initial value holds" : "their own initial values hold");
    return d;
}

Diagnostic torn_in_no_loop(Analysis& a, const TornWish& wish) {
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "torn-in-no-loop";
    d.where = a.model().variables[wish.unknown.variable].origin.where;
    d.message = fmt::format("--tear {}: no loop contains it, so there is nothing to iterate on", wish.name);
    d.help = "`cutset check --loops` lists the loops with their variables";
    return d;
}

Diagnostic unknown_tear_variable(Analysis& a, const std::string& name, const std::string& nearest) {
    Diagnostic d =
        error("unknown-name", {}, fmt::format("there is no variable {} to tear in {}", name, a.model().name));
    if (!nearest.empty()) d.help = fmt::format("did you mean {}?", nearest);
    return d;
}

}  // namespace cutset::passes
