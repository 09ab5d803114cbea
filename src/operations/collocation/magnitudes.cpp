#include "operations/collocation/magnitudes.h"

#include <utility>

#include "base/function_ref.h"
#include "operations/estimation/goal.h"

namespace cutset {

namespace {

using tree::Expression;
using tree::ExpressionKind;
using Kind = Experiment::Quantity::Kind;

// Visits the parts of a sum that make it larger when they get larger, numbers as factors allowed.
void visit_increasing(Expression& e, bool increasing, FunctionRef<void(Expression&)> visit) {
    if (e.kind == ExpressionKind::Sum) {
        for (std::size_t i = 0; i < e.arguments.size(); ++i)
            visit_increasing(e.arguments[i], increasing == (e.text[i] == '+'), visit);
    } else if (e.kind == ExpressionKind::Negate) {
        visit_increasing(e.arguments[0], !increasing, visit);
    } else if (e.kind == ExpressionKind::Product) {
        Expression* other = nullptr;
        for (std::size_t i = 0; i < e.arguments.size(); ++i) {
            if (const auto number = plain_number(e.arguments[i])) {
                if (*number < 0) increasing = !increasing;
            } else if (other || e.text[i] != '*') {
                return;
            } else {
                other = &e.arguments[i];
            }
        }
        if (other) visit_increasing(*other, increasing, visit);
    } else if (increasing) {
        visit(e);
    }
}

Expression sum(Expression a, char sign, Expression b) {
    Expression result;
    result.kind = ExpressionKind::Sum;
    result.where = a.where;
    result.text = {'+', sign};
    result.arguments.push_back(std::move(a));
    result.arguments.push_back(std::move(b));
    return result;
}

}  // namespace

std::vector<Magnitude> separate_magnitudes(Experiment& experiment, const std::string& objective,
                                           bool maximize) {
    std::vector<Magnitude> found;
    std::vector<Experiment::Quantity> added;
    const auto replace = [&](Expression& e) {
        const bool absolute = e.kind == ExpressionKind::Call && e.text == "abs" && e.arguments.size() == 1;
        if (!absolute && !(e.kind == ExpressionKind::Call && e.text == "max" && e.arguments.size() > 1))
            return;
        Magnitude m{"#magnitude" + std::to_string(found.size() + 1), absolute, {}};
        Expression zero;
        zero.where = e.where;
        added.push_back({m.input, std::move(zero), Kind::Input});
        const Expression reference = quantity_reference(m.input, e.where);
        const auto add_margin = [&](char sign, const Expression& bound) {
            m.margins.push_back(m.input + "above" + std::to_string(m.margins.size() + 1));
            added.push_back({m.margins.back(), sum(reference, sign, bound), Kind::Value});
        };
        for (const Expression& bound : e.arguments) add_margin('-', bound);
        if (absolute) add_margin('+', e.arguments[0]);
        e = reference;
        found.push_back(std::move(m));
    };
    for (Experiment::Quantity& goal : experiment.quantities) {
        if (goal.name != objective) continue;
        visit_increasing(goal.value, !maximize, [&](Expression& part) {
            if (part.kind != ExpressionKind::Reference || part.reference.parts.size() != 1) return;
            for (Experiment::Quantity& q : experiment.quantities)
                if (q.kind == Kind::Integral && q.name == part.reference.parts[0].name)
                    visit_increasing(q.value, true, replace);
        });
    }
    // Before the integrals, which refer to them.
    experiment.quantities.insert(experiment.quantities.begin(), std::make_move_iterator(added.begin()),
                                 std::make_move_iterator(added.end()));
    return found;
}

}  // namespace cutset
