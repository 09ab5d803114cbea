#include "run/named_point.h"

#include <map>
#include <unordered_map>
#include <unordered_set>

#include "transform/fix_conditions.h"

namespace cutset {

namespace {

// Texts of expressions; the second of two that read alike gets a number.
class Texts {
  public:
    explicit Texts(const FlatModel& model) : model_(model) {}
    std::string operator()(Expr e) {
        const std::string text = to_text(e, model_.printer());
        const std::size_t n = ++count_[text];
        return n == 1 ? text : text + " #" + std::to_string(n);
    }

  private:
    const FlatModel& model_;
    std::unordered_map<std::string, std::size_t> count_;  // looked up only
};

template <class Value>
class ByName {
  public:
    explicit ByName(const std::vector<std::pair<std::string, Value>>& list) {
        for (const auto& [name, value] : list) map_.emplace(name, &value);
    }
    const Value* find(const std::string& name) {
        const auto at = map_.find(name);
        if (at == map_.end()) return nullptr;
        used_.insert(name);
        return at->second;
    }
    bool used(const std::string& name) const { return used_.contains(name); }

  private:
    std::unordered_map<std::string, const Value*> map_;
    std::unordered_set<std::string> used_;
};

}  // namespace

NamedPoint name_point(const RunPoint& point, const Partition& partition) {
    const FlatModel& model = partition.model;
    NamedPoint named;
    named.time = point.time;
    named.changed = point.changed || !point.moved.empty();
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) {
        const std::string path = model.path(v);
        const bool parameter = model.variables[v].variability <= Variability::Parameter;
        auto& list = parameter                     ? named.parameters
                     : model.variables[v].internal ? named.internal
                                                   : named.values;
        list.emplace_back(path, point.values[v.value]);
        if (point.previous[v.value] != 0) named.previous.emplace_back(path, point.previous[v.value]);
    }
    for (std::size_t i = 0; i < partition.states.size(); ++i) {
        const std::string path = model.path(partition.states[i]);
        named.derivatives.emplace_back(derivative_name(path), point.derivatives[i]);
        named.scales.emplace_back(path, point.scales[i]);
    }
    Texts switches(model), clocks(model), whens(model), validities(model), delays(model);
    for (std::size_t i = 0; i < partition.switches.size(); ++i)
        named.switches.emplace_back(switches(partition.switches[i].node), point.switches[i]);
    for (std::size_t i = 0; i < partition.clocks.size(); ++i)
        named.clocks.emplace_back(clocks(partition.clocks[i].node), point.clocks[i]);
    for (std::size_t i = 0; i < model.whens.size(); ++i)
        named.whens.emplace_back(whens(model.whens[i].condition), point.when_held[i]);
    for (std::size_t i = 0; i < model.validities.size(); ++i)
        named.validities.emplace_back(validities(model.validities[i].condition), point.invalid[i]);
    for (std::size_t i = 0; i < partition.delays.size(); ++i)
        named.delays.emplace_back(delays(partition.delays[i].node), point.delays.lines()[i]);
    for (CalleeIndex c{0}; c < model.callees.end_index() && c.value < point.tables_left.size(); ++c.value)
        if (const auto* table = std::get_if<TableData>(&model.callees[c]);
            table && point.tables_left[c.value])
            named.tables.push_back(table->name);
    if (point.mode) {
        Texts conditions(partition.source ? *partition.source : model);
        named.mode.emplace();
        for (std::size_t k = 0; k < point.mode->conditions.size(); ++k)
            named.mode->emplace_back(conditions(point.mode->conditions[k]), point.mode->truth[k]);
    }
    return named;
}

namespace {

RunPoint blank_point(const Partition& partition) {
    const FlatModel& model = partition.model;
    RunPoint point;
    for (const Variable& v : model.variables)
        point.values.push_back(v.variability <= Variability::Parameter ? v.value : 0);
    point.previous.assign(model.variables.size(), 0);
    point.derivatives.assign(partition.states.size(), 0);
    point.scales = point.derivatives;
    point.switches.resize(partition.switches.size());
    point.clocks.resize(partition.clocks.size());
    point.when_held.assign(model.whens.size(), false);
    point.invalid.assign(model.validities.size(), false);
    point.delays = DelayBuffer(partition.delays.size());
    return point;
}

// `incomplete`: it says nothing about something that the future depends on.
PlacedPoint place(const NamedPoint& named, const Partition& partition, RunPoint otherwise, bool& incomplete) {
    const FlatModel& model = partition.model;
    PlacedPoint placed{std::move(otherwise), {}, {}};
    incomplete = false;
    RunPoint& point = placed.point;
    point.time = named.time;
    point.changed = named.changed;
    point.moved.clear();
    ByName values(named.values), parameters(named.parameters), derivatives(named.derivatives),
        previous(named.previous), internal(named.internal), scales(named.scales);
    std::unordered_set<std::uint32_t> states;
    for (VariableIndex v : partition.states) states.insert(v.value);
    for (VariableIndex v{0}; v < model.variables.end_index(); ++v.value) {
        const Variable& variable = model.variables[v];
        const std::string path = model.path(v);
        const bool parameter = variable.variability <= Variability::Parameter;
        const double* value = (parameter ? parameters : values).find(path);
        // A state that is the derivative of another one may have been just that before, and the reverse.
        if (!value && !parameter) value = internal.find(path);
        if (!value && !parameter) value = derivatives.find(path);
        if (value)
            point.values[v.value] = *value;
        else if (states.contains(v.value) || variable.variability == Variability::Discrete) {
            incomplete = true;
            if (!variable.internal) placed.missing.push_back(path);
        }
        if (!parameter && value) {
            const double* before = previous.find(path);
            point.previous[v.value] = before ? *before : 0;
        }
    }
    for (std::size_t i = 0; i < partition.states.size(); ++i) {
        if (const double* scale = scales.find(model.path(partition.states[i]))) point.scales[i] = *scale;
        const std::string name = derivative_name(model.path(partition.states[i]));
        const double* value = derivatives.find(name);
        if (!value) value = values.find(name);
        if (!value) value = internal.find(name);
        if (value) point.derivatives[i] = *value;
    }
    ByName switches_of(named.switches);
    ByName clocks_of(named.clocks);
    ByName whens_of(named.whens), validities_of(named.validities);
    ByName delays_of(named.delays);
    Texts switches(model), clocks(model), whens(model), validities(model), delays(model);
    bool differs = false;
    for (std::size_t i = 0; i < partition.switches.size(); ++i) {
        if (const auto* s = switches_of.find(switches(partition.switches[i].node)))
            point.switches[i] = *s;
        else
            differs = true;
    }
    for (std::size_t i = 0; i < partition.clocks.size(); ++i) {
        if (const auto* c = clocks_of.find(clocks(partition.clocks[i].node))) {
            point.clocks[i] = *c;
        } else {
            point.clocks[i].period = 0;  // goes on with its first tick after this instant
            differs = true;
        }
    }
    for (std::size_t i = 0; i < model.whens.size(); ++i) {
        if (const bool* held = whens_of.find(whens(model.whens[i].condition)))
            point.when_held[i] = *held;
        else
            differs = true;
    }
    for (std::size_t i = 0; i < model.validities.size(); ++i)
        if (const bool* left = validities_of.find(validities(model.validities[i].condition)))
            point.invalid[i] = *left;
    for (std::size_t i = 0; i < partition.delays.size(); ++i) {
        const std::string text = delays(partition.delays[i].node);
        if (const auto* line = delays_of.find(text)) {
            point.delays.lines()[i] = *line;
        } else {
            placed.missing.push_back("the past of " + text);
            incomplete = differs = true;
        }
    }
    std::unordered_set<std::string> left(named.tables.begin(), named.tables.end());
    point.tables_left.assign(model.callees.size(), false);
    for (CalleeIndex c{0}; c < model.callees.end_index(); ++c.value)
        if (const auto* table = std::get_if<TableData>(&model.callees[c]))
            point.tables_left[c.value] = left.contains(table->name);
    point.mode.reset();
    if (named.mode && partition.source) {
        std::unordered_map<std::string, Expr> conditions;
        Texts texts(*partition.source);
        for (Expr e : switched_conditions(*partition.source)) conditions.emplace(texts(e), e);
        RunPoint::Mode mode;
        for (const auto& [text, truth] : *named.mode) {
            const auto found = conditions.find(text);
            if (found == conditions.end()) continue;
            mode.conditions.push_back(found->second);
            mode.truth.push_back(truth);
        }
        if (mode.conditions.size() == named.mode->size())
            point.mode = std::move(mode);
        else
            differs = true;
    }
    for (const auto& [name, value] : named.values)
        if (!values.used(name)) placed.unknown.push_back(name);
    if (differs || incomplete) point.changed = true;
    return placed;
}

}  // namespace

std::optional<PlacedPoint> place_point(const NamedPoint& named, const Partition& partition,
                                       const std::function<std::optional<RunPoint>()>& start) {
    bool incomplete = false;
    PlacedPoint placed = place(named, partition, blank_point(partition), incomplete);
    if (!incomplete) return placed;
    std::optional<RunPoint> otherwise = start();
    if (!otherwise) return std::nullopt;
    return place(named, partition, std::move(*otherwise), incomplete);
}

}  // namespace cutset
