#include "driver/static_request.h"

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <set>
#include <utility>

#include "driver/messages.h"
#include "languages/dymola/parse.h"
#include "operations/static_messages.h"
#include "transform/choose_known.h"

namespace cutset {

namespace {

std::string trimmed(std::string text) {
    std::erase(text, ' ');
    return text;
}

std::optional<double> number_of(const std::string& text) {
    const std::string t = trimmed(text);
    const char* begin = t.data() + (!t.empty() && t[0] == '+' ? 1 : 0);
    double value = 0;
    const auto [end, error] = std::from_chars(begin, t.data() + t.size(), value);
    if (error != std::errc() || end != t.data() + t.size() || !std::isfinite(value)) return std::nullopt;
    return value;
}

// The place of the `=` that makes an equation of "a = b".
std::optional<std::size_t> equal_sign(const std::string& text) {
    int brackets = 0;
    for (std::size_t i = 0; i < text.size(); ++i) {
        if (text[i] == '(' || text[i] == '[') ++brackets;
        if (text[i] == ')' || text[i] == ']') --brackets;
        if (text[i] != '=' || brackets != 0) continue;
        const char before = i ? text[i - 1] : ' ', after = i + 1 < text.size() ? text[i + 1] : ' ';
        if (before != '<' && before != '>' && before != '=' && after != '=') return i;
    }
    return std::nullopt;
}

class Preparation {
  public:
    Preparation(Workspace& workspace, std::string model, Experiment experiment, const StaticRequest& request)
        : workspace_(workspace),
          model_(std::move(model)),
          experiment_(std::move(experiment)),
          request_(request) {}

    std::optional<StaticPreparation> run() {
        if (!read_conditions() || !give_inputs()) return std::nullopt;
        std::optional<FlatModel> flat = workspace_.flatten(model_, experiment_);
        if (!flat) return std::nullopt;
        StaticPreparation result;
        if (!request_.known.empty() && is_open(*flat)) {
            flat = with_boundary();
            if (!flat) return std::nullopt;
            result.boundary = true;
        }
        for (const Equation& e : flat->initial_equations) result.conditions += e.kind == EquationKind::Input;
        StaticQuestion& q = result.question;
        q.time = request_.time;
        q.stationary = request_.stationary.value_or(!derivative_known(*flat));
        const std::size_t errors_before = workspace_.diagnostics.error_count();
        const auto find = [&](const std::string& name, const char* option) {
            return find_named(*flat, name, option, workspace_.diagnostics);
        };
        if (!result.boundary)
            for (const std::string& name : request_.unknown)
                if (const auto v = find(name, "--unknown")) {
                    if (std::find(q.sought.begin(), q.sought.end(), *v) == q.sought.end())
                        q.sought.push_back(*v);
                }
        for (const std::string& name : request_.moving)
            if (const auto v = find(name, "--moving")) q.moving.push_back(*v);
        if (q.stationary)
            for (const Equation& e : flat->initial_equations)
                if (e.kind == EquationKind::Input)
                    for (Expr side : {e.left, e.right})
                        if (side->op == Op::Variable && side->order > 0) q.moving.push_back(side->variable());
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
    bool read_conditions() {
        for (const std::string& text : request_.known) {
            const auto equal = equal_sign(text);
            if (!equal || *equal == 0 || *equal + 1 >= text.size()) {
                workspace_.diagnostics.report(
                    driver_messages::bad_setting("--known", text, "VARIABLE=VALUE, as in h=3 or der(x)=0.5"));
                return false;
            }
            const auto parse = [&](const std::string& part) {
                const SourceId id = workspace_.sources.add("--known", part);
                return dymola::parse_expression(workspace_.sources, id, workspace_.diagnostics);
            };
            auto left = parse(text.substr(0, *equal)), right = parse(text.substr(*equal + 1));
            if (!left || !right) return false;
            experiment_.conditions.push_back({std::move(*left), std::move(*right)});
        }
        return true;
    }

    // Inputs that are sought or varied need no value; others may have a start that says one.
    bool give_inputs() {
        Diagnostics before = std::exchange(workspace_.diagnostics, {});
        Experiment open = experiment_;
        open.open = true;
        open.conditions.clear();
        const std::optional<FlatModel> flat = workspace_.collect(model_, open);
        workspace_.diagnostics = std::move(before);
        if (!flat) return true;  // the errors come again
        std::set<VariableIndex> given;
        for (const Equation& e : flat->equations)
            if (e.left->op == Op::Variable && e.kind != EquationKind::Written) given.insert(e.left->variable());
        std::set<std::string> wanted;
        for (const auto* list : {&request_.unknown, &request_.varied})
            for (const std::string& name : *list) wanted.insert(trimmed(name));
        for (VariableIndex v(0); v < flat->variables.end_index(); ++v.value) {
            const Variable& variable = flat->variables[v];
            if (variable.declared != tree::VariableKind::Input || variable.origin.instance.value != 0 ||
                variable.variability != Variability::Continuous || given.count(v))
                continue;
            const std::string path = flat->path(v);
            std::optional<double> value;
            if (variable.start && variable.start->value->is_number()) value = variable.start->value->number;
            if (wanted.count(path) && !value) value = 0;
            if (!value) continue;
            if (auto setting = workspace_.parse_setting("--input", path + "=" + number_text(*value)))
                experiment_.inputs.push_back(std::move(*setting));
        }
        return true;
    }

    bool is_open(const FlatModel& flat) {
        Diagnostics quiet;
        const auto report = examine_boundary(flat, quiet);
        return report && report->needed > report->loose.size() && report->missing_count > 0;
    }

    // Fewer equations than unknowns: the knowns complete the model, at all times.
    std::optional<FlatModel> with_boundary() {
        Experiment experiment = experiment_;
        experiment.conditions.clear();
        for (const std::string& text : request_.known) {
            Experiment::Known known;
            const std::size_t equal = *equal_sign(text);
            known.path = trimmed(text.substr(0, equal));
            if (auto setting = workspace_.parse_setting("--known", text)) known.value = std::move(setting->value);
            experiment.knowns.push_back(std::move(known));
        }
        experiment.unknowns = request_.unknown;
        return workspace_.flatten(model_, experiment);
    }

    static bool derivative_known(const FlatModel& flat) {
        bool found = false;
        for (const Equation& e : flat.initial_equations)
            if (e.kind == EquationKind::Input)
                for (Expr side : {e.left, e.right})
                    for_each_leaf(side,
                                  [&](Expr leaf) { found |= leaf->op == Op::Variable && leaf->order > 0; });
        return found;
    }

    Workspace& workspace_;
    std::string model_;
    Experiment experiment_;
    const StaticRequest& request_;
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
        workspace.diagnostics.report(driver_messages::bad_setting(option, text, "NAME=NUMBER"));
        return std::nullopt;
    }
    return std::pair(trimmed(text.substr(0, equal)), *value);
}

std::optional<NamedRange> parse_range(Workspace& workspace, const std::string& option, const std::string& text,
                                      bool both_sides) {
    const std::size_t equal = text.find('=');
    const std::size_t colon = equal == std::string::npos ? equal : text.find(':', equal);
    const auto bad = [&] {
        workspace.diagnostics.report(
            driver_messages::bad_setting(option, text, both_sides ? "NAME=FROM:TO" : "NAME=LOW:HIGH"));
        return std::nullopt;
    };
    if (colon == std::string::npos || equal == 0) return bad();
    const std::string from = trimmed(text.substr(equal + 1, colon - equal - 1)),
                      to = trimmed(text.substr(colon + 1));
    constexpr double infinite = std::numeric_limits<double>::infinity();
    NamedRange range{trimmed(text.substr(0, equal)), -infinite, infinite};
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
