#include "operations/points/static_request.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "ir/find_variables.h"
#include "operations/points/static_messages.h"
#include "transform/choose_known.h"
#include "transform/parametric_value.h"
#include "translate/experiment_text.h"
#include "translate/messages.h"
#include "translate/translator.h"

namespace cutset {

namespace {

std::string without_blanks(std::string text) {
    std::erase(text, ' ');
    return text;
}

std::optional<double> number_of(const std::string& text) {
    const std::string t = without_blanks(text);
    const char* begin = t.data() + (!t.empty() && t[0] == '+' ? 1 : 0);
    double value = 0;
    const auto [end, error] = std::from_chars(begin, t.data() + t.size(), value);
    if (error != std::errc() || end != t.data() + t.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

class Preparation {
  public:
    Preparation(Workspace& workspace, std::string model, Experiment experiment, const StaticRequest& request)
        : workspace_(workspace),
          model_(std::move(model)),
          experiment_(std::move(experiment)),
          request_(request) {}

    std::optional<StaticPreparation> run() {
        if (!read_knowns()) return std::nullopt;
        const std::size_t errors_at_first = workspace_.diagnostics.error_count();
        look_at_names();
        if (workspace_.diagnostics.error_count() > errors_at_first) return std::nullopt;
        std::optional<FlatModel> flat = flatten(experiment_);
        if (!flat) return std::nullopt;
        StaticPreparation result;
        StaticQuestion& q = result.question;
        q.time = request_.time;
        if (!knowns_.empty() && is_open(*flat)) {
            flat = with_boundary();
            result.boundary = true;
        } else if (!knowns_.empty()) {
            flat = with_conditions(std::move(*flat), q);
        }
        if (!flat) return std::nullopt;
        const bool rate_known = std::any_of(q.conditions.begin(), q.conditions.end(),
                                            [](const auto& condition) { return condition.order > 0; });
        q.stationary = request_.stationary.value_or(!rate_known);
        const std::size_t errors_before = workspace_.diagnostics.error_count();
        const auto find = [&](const std::string& name, const char* option) {
            return find_named(*flat, name, option, workspace_.diagnostics);
        };
        if (!result.boundary)
            for (const std::string& name : request_.unknown)
                if (const auto v = find(name, "--unknown"))
                    if (std::find(q.sought.begin(), q.sought.end(), *v) == q.sought.end())
                        q.sought.push_back(*v);
        for (const std::string& name : request_.moving)
            if (const auto v = find(name, "--moving")) {
                if (!is_differentiated(*flat, *v))
                    workspace_.diagnostics.report(static_messages::does_not_move(
                        *flat, *v, flat->variables[*v].variability == Variability::Continuous));
                q.conditions.push_back({*v, 1, nullptr});
            }
        for (const std::string& text : request_.guesses)
            if (const auto guess = parse_number_setting(workspace_, "--guess", text))
                if (const auto v = find(guess->first, "--guess")) q.guesses.emplace_back(*v, guess->second);
        for (const std::string& text : request_.bounds)
            if (const auto range = parse_range(workspace_, "--bounds", text, false))
                if (const auto v = find(range->name, "--bounds")) {
                    if (!(range->from <= range->to))
                        workspace_.diagnostics.report(
                            static_messages::empty_bounds(*flat, *v, range->from, range->to));
                    q.bounds.push_back({*v, range->from, range->to});
                }
        if (workspace_.diagnostics.error_count() > errors_before) return std::nullopt;
        result.model = std::move(*flat);
        return result;
    }

  private:
    struct NamedKnown {
        std::string text;  // as given
        std::string path;  // "h" of h=3, "x" of der(x)=0.5
        std::uint32_t order = 0;
    };

    std::optional<FlatModel> flatten(const Experiment& experiment) {
        return Translator(workspace_).flatten(model_, experiment, workspace_.diagnostics);
    }
    std::optional<Experiment::Setting> parse_setting(const std::string& option, const std::string& text) {
        return cutset::parse_setting(workspace_.text, option, text, workspace_.diagnostics);
    }

    bool read_knowns() {
        for (const std::string& text : request_.known) {
            const std::size_t equal = text.find('=');
            NamedKnown known{text, without_blanks(text.substr(0, equal)), 0};
            if (equal == std::string::npos || equal == 0 || equal + 1 >= text.size()) {
                workspace_.diagnostics.report(translate_messages::bad_setting(
                    "--known", text, "VARIABLE=VALUE, as in h=3 or der(x)=0.5"));
                return false;
            }
            if (auto of = differentiated_path(known.path)) {
                known.path = std::move(*of);
                known.order = 1;
            } else if (known.path.back() == '\'') {
                known.path.pop_back();
                known.order = 1;
            }
            knowns_.push_back(std::move(known));
        }
        return true;
    }

    bool starts_from_sought(const FlatModel& model, VariableIndex v) const {
        if (!model.variables[v].start) return false;
        std::vector<Expr> pending = {model.variables[v].start->value};
        std::set<std::uint32_t> seen;
        bool found = false;
        while (!pending.empty() && !found) {
            const Expr e = pending.back();
            pending.pop_back();
            for_each_leaf(e, [&](Expr leaf) {
                if (leaf->op != Op::Variable || !seen.insert(leaf->index).second) return;
                for (const std::string& name : request_.unknown)
                    found |= plain_path(name) == model.path(leaf->variable());
                if (model.variables[leaf->variable()].binding)
                    pending.push_back(model.variables[leaf->variable()].binding);
            });
        }
        return found;
    }

    // The values of knowns are read as those of initial values are, and taken from there.
    std::optional<FlatModel> with_conditions(FlatModel plain, StaticQuestion& question) {
        const std::size_t errors_before = workspace_.diagnostics.error_count();
        Experiment experiment = experiment_;
        std::vector<VariableIndex> variables;
        for (const NamedKnown& known : knowns_) {
            const auto v = find_named(plain, known.path, "--known", workspace_.diagnostics);
            if (!v) continue;
            if (plain.variables[*v].variability != Variability::Continuous)
                workspace_.diagnostics.report(static_messages::known_not_variable(plain, *v));
            if (std::find(variables.begin(), variables.end(), *v) != variables.end() && known.order == 0)
                workspace_.diagnostics.report(static_messages::known_twice(plain, *v));
            variables.push_back(*v);
            const std::string value = known.text.substr(known.text.find('=') + 1);
            const std::string name = known.order ? "der(" + known.path + ")" : known.path;
            std::erase_if(experiment.initials, [&](const auto& other) { return other.path == name; });
            if (auto setting = parse_setting("--known", name + "=" + value))
                experiment.initials.push_back(std::move(*setting));
        }
        if (workspace_.diagnostics.error_count() > errors_before) return std::nullopt;
        std::optional<FlatModel> flat = flatten(experiment);
        if (!flat) return std::nullopt;
        // Initial values that are computed from what is sought stay; the value is then a number beside them.
        std::vector<std::optional<double>> beside(knowns_.size());
        for (std::size_t i = 0; i < knowns_.size(); ++i)
            if (knowns_[i].order == 0 && starts_from_sought(plain, variables[i]))
                beside[i] = parametric_value(*flat, flat->variables[variables[i]].start->value,
                                             [&](VariableIndex p) { return flat->variables[p].value; });
        if (std::any_of(beside.begin(), beside.end(), [](const auto& b) { return b.has_value(); })) {
            for (std::size_t i = 0; i < knowns_.size(); ++i)
                if (beside[i])
                    std::erase_if(experiment.initials,
                                  [&](const auto& other) { return other.path == knowns_[i].path; });
            flat = flatten(experiment);
            if (!flat) return std::nullopt;
        }
        for (std::size_t i = 0; i < knowns_.size(); ++i) {
            const VariableIndex v = variables[i];
            Expr value = nullptr;
            if (beside[i]) {
                value = flat->pool->number(*beside[i]);
            } else if (knowns_[i].order == 0) {
                std::optional<Start>& start = flat->variables[v].start;
                value = start->value;
                // Its own initial value, as far as it is a number.
                const std::optional<Start>& before = plain.variables[v].start;
                const auto number =
                    before ? parametric_value(plain, before->value,
                                              [&](VariableIndex p) { return plain.variables[p].value; })
                           : std::nullopt;
                if (number)
                    start = Start{flat->pool->number(*number), before->origin, before->from_user};
                else
                    start.reset();
            } else {
                for (const DerivativeStart& d : flat->derivative_starts)
                    if (d.variable == v && d.order == 1) value = d.start.value;
                std::erase_if(flat->derivative_starts, [&](const DerivativeStart& d) {
                    return d.variable == v && d.order == 1 && d.start.from_user;
                });
            }
            if (value) question.conditions.push_back({v, knowns_[i].order, value});
        }
        return flat;
    }

    static bool is_differentiated(const FlatModel& flat, VariableIndex v) {
        bool found = false;
        for (const Equation& e : flat.equations)
            for (Expr side : {e.left, e.right})
                for_each_leaf(side, [&](Expr leaf) {
                    found |= leaf->op == Op::Variable && leaf->order > 0 && leaf->variable() == v;
                });
        return found;
    }

    // Names that do not exist come before everything else that may be missing.
    void look_at_names() {
        Diagnostics quiet;
        Experiment open = experiment_;
        open.open = true;
        const std::optional<FlatModel> flat = Translator(workspace_).collect(model_, open, quiet);
        if (!flat) return;  // the errors come again
        const auto look = [&](const std::string& name, const char* option) {
            if (find_variables(*flat, plain_path(without_blanks(name))).empty())
                find_named(*flat, name, option, workspace_.diagnostics);
        };
        for (const NamedKnown& known : knowns_) look(known.path, "--known");
        for (const std::string& name : request_.unknown) look(name, "--unknown");
        for (const std::string& name : request_.moving) look(name, "--moving");
        for (const auto& [list, option] :
             {std::pair(&request_.guesses, "--guess"), std::pair(&request_.bounds, "--bounds")})
            for (const std::string& text : *list)
                if (const std::size_t equal = text.find('='); equal != std::string::npos && equal > 0)
                    look(text.substr(0, equal), option);
        take_known_inputs(*flat);
        give_inputs(*flat);
    }

    static bool is_input(const FlatModel& flat, VariableIndex v) {
        const Variable& variable = flat.variables[v];
        return variable.declared == VariableKind::Input && variable.origin.instance.value == 0 &&
               variable.variability == Variability::Continuous;
    }

    // An input that is known is one that is given.
    void take_known_inputs(const FlatModel& flat) {
        std::erase_if(knowns_, [&](const NamedKnown& known) {
            const std::vector<VariableIndex> found = find_variables(flat, plain_path(known.path));
            if (known.order > 0 || found.size() != 1 || !is_input(flat, found[0])) return false;
            const std::string path = flat.path(found[0]);
            if (std::any_of(experiment_.inputs.begin(), experiment_.inputs.end(),
                            [&](const auto& s) { return plain_path(s.path) == path; }))
                workspace_.diagnostics.report(static_messages::known_twice(flat, found[0]));
            else if (auto setting =
                         parse_setting("--known", path + "=" + known.text.substr(known.text.find('=') + 1)))
                experiment_.inputs.push_back(std::move(*setting));
            return true;
        });
    }

    // Inputs that are sought or varied need no value; others may have an initial value that says one.
    void give_inputs(const FlatModel& flat) {
        std::set<VariableIndex> given;
        for (const Equation& e : flat.equations)
            if (e.left->op == Op::Variable && e.kind != EquationKind::Written)
                given.insert(e.left->variable());
        std::set<std::string> wanted;
        for (const auto* list : {&request_.unknown, &request_.varied})
            for (const std::string& name : *list) wanted.insert(without_blanks(name));
        for (VariableIndex v(0); v < flat.variables.end_index(); ++v.value) {
            const Variable& variable = flat.variables[v];
            if (!is_input(flat, v) || given.count(v)) continue;
            const std::string path = flat.path(v);
            if (std::any_of(experiment_.inputs.begin(), experiment_.inputs.end(),
                            [&](const auto& s) { return plain_path(s.path) == path; }))
                continue;
            std::optional<double> value;
            if (variable.start && variable.start->value->is_number()) value = variable.start->value->number;
            if (wanted.count(path) && !value) value = 0;
            if (!value) continue;
            if (auto setting = parse_setting("--input", path + "=" + number_text(*value)))
                experiment_.inputs.push_back(std::move(*setting));
        }
    }

    bool is_open(const FlatModel& flat) {
        Diagnostics quiet;
        const auto report = examine_boundary(flat, quiet);
        return report && report->needed > report->loose.size() && report->missing_count > 0;
    }

    // Fewer equations than unknowns: the knowns complete the model, at all times.
    std::optional<FlatModel> with_boundary() {
        Experiment experiment = experiment_;
        for (const NamedKnown& known : knowns_) {
            Experiment::Known one;
            one.path = known.path;
            if (auto setting = parse_setting("--known", known.text)) one.value = std::move(setting->value);
            experiment.knowns.push_back(std::move(one));
        }
        experiment.unknowns = request_.unknown;
        return flatten(experiment);
    }

    Workspace& workspace_;
    std::string model_;
    Experiment experiment_;
    const StaticRequest& request_;
    std::vector<NamedKnown> knowns_;
};

}  // namespace

std::optional<StaticPreparation> prepare(Workspace& workspace, const std::string& model,
                                         const Experiment& experiment, const StaticRequest& request) {
    return Preparation(workspace, model, experiment, request).run();
}

std::optional<std::pair<std::string, double>> parse_number_setting(Workspace& workspace,
                                                                   const std::string& option,
                                                                   const std::string& text) {
    const std::size_t equal = text.find('=');
    const auto value = equal == std::string::npos ? std::nullopt : number_of(text.substr(equal + 1));
    if (!value || equal == 0) {
        workspace.diagnostics.report(translate_messages::bad_setting(option, text, "NAME=NUMBER"));
        return std::nullopt;
    }
    return std::pair(without_blanks(text.substr(0, equal)), *value);
}

std::optional<NamedRange> parse_range(Workspace& workspace, const std::string& option,
                                      const std::string& text, bool both_sides) {
    const std::size_t equal = text.find('=');
    const std::size_t colon = equal == std::string::npos ? equal : text.find(':', equal);
    const auto bad = [&] {
        workspace.diagnostics.report(
            translate_messages::bad_setting(option, text, both_sides ? "NAME=FROM:TO" : "NAME=LOW:HIGH"));
        return std::nullopt;
    };
    if (colon == std::string::npos || equal == 0) return bad();
    const std::string from = without_blanks(text.substr(equal + 1, colon - equal - 1)),
                      to = without_blanks(text.substr(colon + 1));
    constexpr double infinite = std::numeric_limits<double>::infinity();
    NamedRange range{without_blanks(text.substr(0, equal)), -infinite, infinite};
    if (both_sides && (from.empty() || to.empty())) return bad();
    if (from.empty() && to.empty()) return bad();
    for (const auto& [part, side] : {std::pair(&from, &range.from), std::pair(&to, &range.to)}) {
        if (part->empty()) continue;
        const auto value = number_of(*part);
        if (!value) return bad();
        *side = *value;
    }
    return range;
}

}  // namespace cutset
