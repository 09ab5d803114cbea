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

// A point with names in terms of a Partition; what it does not say is as `otherwise`.
class PlaceByName {
  public:
    PlaceByName(const NamedPoint& named, const Partition& partition, RunPoint otherwise)
        : named_(named),
          partition_(partition),
          model_(partition.model),
          placed_{std::move(otherwise), {}, {}},
          point_(placed_.point),
          values_(named.values),
          derivatives_(named.derivatives),
          internal_(named.internal) {}

    // `incomplete`: the named point says nothing about something that the future depends on.
    PlacedPoint place(bool& incomplete) {
        point_.time = named_.time;
        point_.changed = named_.changed;
        point_.moved.clear();
        place_variables();
        place_derivatives();
        place_conditions();
        place_delays();
        place_tables();
        place_mode();
        for (const auto& [name, value] : named_.values)
            if (!values_.used(name)) placed_.unknown.push_back(name);
        if (differs_ || incomplete_) point_.changed = true;
        incomplete = incomplete_;
        return std::move(placed_);
    }

  private:
    void place_variables() {
        ByName parameters(named_.parameters), previous(named_.previous);
        std::unordered_set<std::uint32_t> states;
        for (VariableIndex v : partition_.states) states.insert(v.value);
        for (VariableIndex v{0}; v < model_.variables.end_index(); ++v.value) {
            const Variable& variable = model_.variables[v];
            const std::string path = model_.path(v);
            const bool parameter = variable.variability <= Variability::Parameter;
            const double* value = (parameter ? parameters : values_).find(path);
            // A state that is the derivative of another one may have been just that before, and the reverse.
            if (!value && !parameter) value = internal_.find(path);
            if (!value && !parameter) value = derivatives_.find(path);
            if (value)
                point_.values[v.value] = *value;
            else if (states.contains(v.value) || variable.variability == Variability::Discrete) {
                incomplete_ = true;
                if (!variable.internal) placed_.missing.push_back(path);
            }
            if (!parameter && value) {
                const double* before = previous.find(path);
                point_.previous[v.value] = before ? *before : 0;
            }
        }
    }

    void place_derivatives() {
        ByName scales(named_.scales);
        for (std::size_t i = 0; i < partition_.states.size(); ++i) {
            const std::string path = model_.path(partition_.states[i]), name = derivative_name(path);
            if (const double* scale = scales.find(path)) point_.scales[i] = *scale;
            const double* value = derivatives_.find(name);
            if (!value) value = values_.find(name);
            if (!value) value = internal_.find(name);
            if (value) point_.derivatives[i] = *value;
        }
    }

    // Conditions, clocks, when clauses and validities by the texts of their expressions.
    void place_conditions() {
        ByName switches_of(named_.switches);
        ByName clocks_of(named_.clocks);
        ByName whens_of(named_.whens), validities_of(named_.validities);
        Texts switches(model_), clocks(model_), whens(model_), validities(model_);
        for (std::size_t i = 0; i < partition_.switches.size(); ++i) {
            if (const auto* s = switches_of.find(switches(partition_.switches[i].node)))
                point_.switches[i] = *s;
            else
                differs_ = true;
        }
        for (std::size_t i = 0; i < partition_.clocks.size(); ++i) {
            if (const auto* c = clocks_of.find(clocks(partition_.clocks[i].node))) {
                point_.clocks[i] = *c;
            } else {
                point_.clocks[i].period = 0;  // goes on with its first tick after this instant
                differs_ = true;
            }
        }
        for (std::size_t i = 0; i < model_.whens.size(); ++i) {
            if (const bool* held = whens_of.find(whens(model_.whens[i].condition)))
                point_.when_held[i] = *held;
            else
                differs_ = true;
        }
        for (std::size_t i = 0; i < model_.validities.size(); ++i)
            if (const bool* left = validities_of.find(validities(model_.validities[i].condition)))
                point_.invalid[i] = *left;
    }

    void place_delays() {
        ByName delays_of(named_.delays);
        Texts delays(model_);
        for (std::size_t i = 0; i < partition_.delays.size(); ++i) {
            const std::string text = delays(partition_.delays[i].node);
            if (const auto* line = delays_of.find(text)) {
                point_.delays.lines()[i] = *line;
            } else {
                placed_.missing.push_back("the past of " + text);
                incomplete_ = differs_ = true;
            }
        }
    }

    void place_tables() {
        std::unordered_set<std::string> left(named_.tables.begin(), named_.tables.end());
        point_.tables_left.assign(model_.callees.size(), false);
        for (CalleeIndex c{0}; c < model_.callees.end_index(); ++c.value)
            if (const auto* table = std::get_if<TableData>(&model_.callees[c]))
                point_.tables_left[c.value] = left.contains(table->name);
    }

    void place_mode() {
        point_.mode.reset();
        if (!named_.mode || !partition_.source) return;
        std::unordered_map<std::string, Expr> conditions;
        Texts texts(*partition_.source);
        for (Expr e : switched_conditions(*partition_.source)) conditions.emplace(texts(e), e);
        RunPoint::Mode mode;
        for (const auto& [text, truth] : *named_.mode) {
            const auto found = conditions.find(text);
            if (found == conditions.end()) continue;
            mode.conditions.push_back(found->second);
            mode.truth.push_back(truth);
        }
        if (mode.conditions.size() == named_.mode->size())
            point_.mode = std::move(mode);
        else
            differs_ = true;
    }

    const NamedPoint& named_;
    const Partition& partition_;
    const FlatModel& model_;
    PlacedPoint placed_;
    RunPoint& point_;
    ByName<double> values_, derivatives_, internal_;
    bool differs_ = false, incomplete_ = false;
};

}  // namespace

std::optional<PlacedPoint> place_point(const NamedPoint& named, const Partition& partition,
                                       const std::function<std::optional<RunPoint>()>& start) {
    bool incomplete = false;
    PlacedPoint placed = PlaceByName(named, partition, blank_point(partition)).place(incomplete);
    if (!incomplete) return placed;
    std::optional<RunPoint> otherwise = start();
    if (!otherwise) return std::nullopt;
    return PlaceByName(named, partition, std::move(*otherwise)).place(incomplete);
}

}  // namespace cutset
