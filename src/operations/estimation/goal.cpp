#include "operations/estimation/goal.h"

#include <charconv>
#include <cmath>
#include <vector>

#include "base/letters.h"
#include "expr/elementary_functions.h"
#include "translate/messages.h"

namespace cutset {

namespace {

std::optional<double> number_in(const std::string& text) {
    const std::string bare(trimmed(text));
    const char* const begin = bare.data() + (bare.starts_with('+') ? 1 : 0);
    double value = 0;
    const auto [end, problem] = std::from_chars(begin, bare.data() + bare.size(), value);
    if (problem != std::errc() || end != bare.data() + bare.size() || std::isnan(value)) return std::nullopt;
    return value;
}

// lower:upper[:guess]; an empty part leaves it open.
std::optional<GoalRange> parse_range(const std::string& text) {
    std::vector<std::string> parts(1);
    for (char c : text) {
        if (c == ':')
            parts.emplace_back();
        else
            parts.back() += c;
    }
    if (parts.size() < 2 || parts.size() > 3) return std::nullopt;
    GoalRange range;
    std::optional<double>* const targets[] = {&range.lower, &range.upper, &range.guess};
    for (std::size_t i = 0; i < parts.size(); ++i) {
        if (trimmed(parts[i]).empty()) continue;
        const auto value = number_in(parts[i]);
        if (!value) return std::nullopt;
        *targets[i] = *value;
    }
    return range;
}

// Replaces integral(e) by a quantity of the experiment. The nesting of expressions is bounded by the parser.
class Integrals {
  public:
    Integrals(Workspace& workspace, Experiment& experiment, const std::string& option)
        : workspace_(workspace), experiment_(experiment), option_(option) {}

    bool replace(tree::Expression& e, bool inside = false) {
        const bool integral = e.kind == tree::ExpressionKind::Call && e.text == "integral";
        for (tree::Expression& argument : e.arguments)
            if (!replace(argument, inside || integral)) return false;
        if (!integral) return true;
        if (inside || e.arguments.size() != 1) {
            workspace_.diagnostics.report(translate_messages::bad_integral(e.where, option_, inside));
            return false;
        }
        const std::string name = "#integral" + std::to_string(experiment_.quantities.size() + 1);
        experiment_.quantities.push_back(
            {name, std::move(e.arguments[0]), Experiment::Quantity::Kind::Integral});
        e = quantity_reference(name, e.where);
        return true;
    }

  private:
    Workspace& workspace_;
    Experiment& experiment_;
    const std::string& option_;
};

std::optional<tree::Expression> parse(Workspace& workspace, const std::string& option,
                                      const std::string& text) {
    return workspace.text.parse_expression(option, text, workspace.diagnostics);
}

}  // namespace

tree::Expression quantity_reference(const std::string& name, Span where) {
    tree::Expression result;
    result.kind = tree::ExpressionKind::Reference;
    result.where = result.reference.where = where;
    tree::ReferencePart part;
    part.name = name;
    part.where = where;
    result.reference.parts.push_back(std::move(part));
    return result;
}

std::optional<double> plain_number(const tree::Expression& e) {
    if (e.kind == tree::ExpressionKind::Number) return e.number;
    if (e.kind == tree::ExpressionKind::Negate || (e.kind == tree::ExpressionKind::Sum && e.text == "-"))
        if (e.arguments.size() == 1)
            if (const auto value = plain_number(e.arguments[0])) return -*value;
    return std::nullopt;
}

std::optional<Over> parse_over(const std::string& option, const std::string& text, Diagnostics& diagnostics) {
    const std::size_t equal = text.find('=');
    Over over;
    over.path = trimmed(text.substr(0, equal));
    if (equal != std::string::npos) {
        const auto range = parse_range(text.substr(equal + 1));
        if (!range || over.path.empty()) {
            diagnostics.report(
                translate_messages::bad_setting(option, text, "NAME=LOWER:UPPER, for example u=0:3.5"));
            return std::nullopt;
        }
        over.range = *range;
    }
    return over;
}

std::optional<GoalRange> parse_horizon(const std::string& text, Diagnostics& diagnostics) {
    const std::size_t equal = text.find('=');
    const std::string value = equal == std::string::npos ? text : text.substr(equal + 1);
    if (const auto length = number_in(value)) return GoalRange{*length, *length, *length};
    if (const auto range = parse_range(value)) return range;
    diagnostics.report(translate_messages::bad_setting(
        "--horizon", text, "a length of time, 10, or bounds of a free one, T=0.1:2"));
    return std::nullopt;
}

bool add_quantity(Workspace& workspace, Experiment& experiment, const std::string& option,
                  const std::string& text, const std::string& name) {
    auto value = parse(workspace, option, text);
    if (!value || !Integrals(workspace, experiment, option).replace(*value)) return false;
    experiment.quantities.push_back({name, std::move(*value)});
    return true;
}

std::optional<GoalCondition> add_condition(Workspace& workspace, Experiment& experiment,
                                           const std::string& option, const std::string& text,
                                           const std::string& name) {
    GoalCondition condition;
    condition.text = trimmed(text);
    condition.quantity = name;
    std::string bare = text;
    for (std::size_t at; (at = bare.find("@end")) != std::string::npos;) {
        bare.erase(at, 4);
        condition.at_end = true;
    }
    auto relation = parse(workspace, option, bare);
    if (!relation) return std::nullopt;
    if (relation->kind != tree::ExpressionKind::Relation || relation->text == "<>") {
        workspace.diagnostics.report(
            translate_messages::bad_setting(option, text, "a condition, for example v < 3 or x = 1"));
        return std::nullopt;
    }
    tree::Expression left = std::move(relation->arguments[0]), right = std::move(relation->arguments[1]);
    std::string relation_text = relation->text;
    if (plain_number(left) && !plain_number(right)) {
        std::swap(left, right);
        if (relation_text[0] == '<')
            relation_text[0] = '>';
        else if (relation_text[0] == '>')
            relation_text[0] = '<';
    }
    double bound = 0;
    if (const auto number = plain_number(right)) {
        bound = *number;
    } else {
        tree::Expression difference;
        difference.kind = tree::ExpressionKind::Sum;
        difference.text = "+-";
        difference.where = relation->where;
        difference.arguments.push_back(std::move(left));
        difference.arguments.push_back(std::move(right));
        left = std::move(difference);
    }
    if (relation_text[0] != '<') condition.lower = bound;
    if (relation_text[0] != '>') condition.upper = bound;
    // An integral over the whole time is a number, known at the end.
    const std::size_t before = experiment.quantities.size();
    if (!Integrals(workspace, experiment, option).replace(left)) return std::nullopt;
    if (experiment.quantities.size() > before) condition.at_end = true;
    experiment.quantities.push_back({name, std::move(left)});
    return condition;
}

namespace {

struct Term {
    tree::Expression value;
    bool negative;
    bool start = false, end = false;
};

// Sums of both sides as single terms with their signs.
void collect_terms(tree::Expression e, bool negative, std::vector<Term>& terms) {
    if (e.kind == tree::ExpressionKind::Sum) {
        for (std::size_t i = 0; i < e.arguments.size(); ++i)
            collect_terms(std::move(e.arguments[i]), negative != (e.text[i] == '-'), terms);
        return;
    }
    if (e.kind == tree::ExpressionKind::Negate) {
        collect_terms(std::move(e.arguments[0]), !negative, terms);
        return;
    }
    terms.push_back({std::move(e), negative});
}

bool is_function(std::string_view name) {
    return find_elementary_function(name) || name == "arcsin" || name == "arccos" || name == "arctan" ||
           name == "integral";
}

// y(0) → y, noting which end is meant. False when it is neither.
bool take_ends(tree::Expression& e, double from, double to, Term& term, std::string& problem) {
    for (tree::Expression& a : e.arguments)
        if (!take_ends(a, from, to, term, problem)) return false;
    if (e.kind != tree::ExpressionKind::Call || e.arguments.size() != 1 || is_function(e.text)) return true;
    const auto at = plain_number(e.arguments[0]);
    if (!at) return true;
    if (*at != from && *at != to) {
        problem = "values at the start or at the end: " + e.text + "(" + number_text(from) + ") or " +
                  e.text + "(" + number_text(to) + ")";
        return false;
    }
    (*at == from ? term.start : term.end) = true;
    tree::Expression reference;
    reference.kind = tree::ExpressionKind::Reference;
    reference.where = reference.reference.where = e.where;
    tree::ReferencePart part;
    part.where = e.where;
    std::string rest = e.text;
    for (std::size_t dot; (dot = rest.find('.')) != std::string::npos;) {
        part.name = rest.substr(0, dot);
        reference.reference.parts.push_back(part);
        part.before = tree::Separator::Variable;
        rest = rest.substr(dot + 1);
    }
    part.name = rest;
    reference.reference.parts.push_back(std::move(part));
    e = std::move(reference);
    return true;
}

}  // namespace

std::optional<BoundaryGoal> add_boundary(Workspace& workspace, Experiment& experiment,
                                         const std::string& text, double from, double to,
                                         const std::string& name) {
    const auto fail = [&](const std::string& form) {
        workspace.diagnostics.report(translate_messages::bad_setting("--boundary", text, form));
        return std::nullopt;
    };
    auto relation = parse(workspace, "--boundary", text);
    if (!relation) return std::nullopt;
    if (relation->kind != tree::ExpressionKind::Relation || relation->text != "=")
        return fail("an equation, for example \"y(0) = 1\"");
    std::vector<Term> terms;
    collect_terms(std::move(relation->arguments[0]), false, terms);
    collect_terms(std::move(relation->arguments[1]), true, terms);
    BoundaryGoal goal;
    goal.text = trimmed(text);
    tree::Expression sums[2];
    for (tree::Expression& s : sums) s.kind = tree::ExpressionKind::Sum;
    for (Term& t : terms) {
        std::string problem;
        if (!take_ends(t.value, from, to, t, problem)) return fail(problem);
        if (t.start && t.end) return fail("values at the start and at the end in separate terms");
        if (const auto number = plain_number(t.value)) {
            goal.target += t.negative ? *number : -*number;
            continue;
        }
        tree::Expression& sum = sums[t.end ? 1 : 0];
        sum.where = t.value.where;
        sum.text += t.negative ? '-' : '+';
        sum.arguments.push_back(std::move(t.value));
    }
    if (sums[0].arguments.empty() && sums[1].arguments.empty())
        return fail("a variable at the start or the end, for example \"y(0) = 1\"");
    for (int end = 0; end < 2; ++end) {
        if (sums[end].arguments.empty()) continue;
        const std::string quantity = name + (end ? "e" : "s");
        experiment.quantities.push_back({quantity, std::move(sums[end])});
        (end ? goal.at_end : goal.at_start) = quantity;
    }
    return goal;
}

}  // namespace cutset
