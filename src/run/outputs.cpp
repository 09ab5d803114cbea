#include "run/outputs.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "run/run_messages.h"

namespace cutset {

void TrackedUnknowns::read(const Interpreter& values, std::vector<double>& to) const {
    to.resize(slots.size());
    for (std::size_t k = 0; k < slots.size(); ++k) to[k] = values[slots[k]];
}

void TrackedUnknowns::set_beginning(Interpreter& values) const {
    for (std::size_t k = 0; k < slots.size(); ++k) values[slots[k]] = before[k];
}

void TrackedUnknowns::set_between(Interpreter& values, double part) const {
    for (std::size_t k = 0; k < slots.size(); ++k)
        values[slots[k]] = before[k] + part * (after[k] - before[k]);
}

Outputs::Outputs(Instant& now, Sliding& sliding, RowSink& sink, RunSummary& summary)
    : now_(now),
      sliding_(sliding),
      sink_(sink),
      summary_(summary),
      loops_(now.program, now.model),
      values_(now.program, {&loops_, &now.state.delays, now.options.allow_external}),
      poles_(now) {
    values_.set_machine_code(now.options.machine_code);
    for (const auto& [v, value] : now.options.given) values_[now.layout.variable[v.value]] = value;
    weights_ = now.state.sliding.weights;
}

// The end is always an output point.
std::size_t Outputs::count() const {
    if (now_.options.step)
        return static_cast<std::size_t>(std::ceil(now_.length() / *now_.options.step - 1e-9)) + 1;
    return std::max<std::size_t>(now_.options.points, 2);
}

double Outputs::time(std::size_t i) const {
    const std::size_t last = count() - 1;
    if (i >= last) return now_.options.stop;
    if (now_.options.step) return now_.options.start + static_cast<double>(i) * *now_.options.step;
    return now_.options.start + now_.length() * (static_cast<double>(i) / static_cast<double>(last));
}

bool Outputs::write_row(Interpreter& values) {
    bool finite = true;
    for (std::size_t i = 0; i < row_.size(); ++i) {
        if (layout_.slots[i] == no_slot) {
            const auto rate = rate_of_[i] ? rates_->value(*rate_of_[i], values) : std::nullopt;
            row_[i] = rate.value_or(std::numeric_limits<double>::quiet_NaN()) + 0.0;
            continue;
        }
        row_[i] = values[layout_.slots[i]] + 0.0;  // no negative zeros
        finite &= std::isfinite(row_[i]);
    }
    if (!finite && !report_not_finite(values)) return false;
    if (const auto problem = sink_.row(row_))
        return now_.fail(run_messages::result_problem(*problem, row_[0]));
    ++summary_.rows;
    poles_.look(values, summary_.rows);
    return true;
}

bool Outputs::report_not_finite(Interpreter& values) {
    for (const Section* section : {&now_.program.continuous, &now_.program.eliminated})
        if (const auto what = values.explain_non_finite(*section))
            return now_.fail_in_equations(run_messages::not_finite(now_.model, *what, row_[0]));
    for (VariableIndex v{0}; v < now_.model.variables.end_index(); ++v.value)
        if (!std::isfinite(values[now_.layout.variable[v.value]]))
            return now_.fail_in_equations(run_messages::value_not_finite(now_.model, v, row_[0]));
    for (std::size_t k = 0; k < now_.partition.states.size(); ++k)
        if (!std::isfinite(values[now_.layout.derivative[k]]))
            return now_.fail_in_equations(run_messages::derivative_not_finite(
                now_.model, now_.selector.stands_for(now_.partition.states[k]), row_[0]));
    return true;
}

// One output point, whose states have been set.
bool Outputs::write_point(double t) {
    values_[now_.layout.time] = t;
    values_.clear_error();
    if (!sliding_.solve(values_, weights_, now_.program.continuous) ||
        !values_.run(now_.program.eliminated)) {
        if (values_.error()) return now_.fail(run_messages::run_error(*values_.error(), t));
        return now_.fail_in_equations(run_messages::loop_failed(now_.model, *loops_.failure()->loop, values_,
                                                                loops_.failure()->reason, t));
    }
    return write_row(values_);
}

bool Outputs::is_due(double reached) const {
    if (now_.options.every_step) return true;
    if (now_.state.next_output >= count()) return false;
    const double t = time(now_.state.next_output);
    return t <= reached || same_instant(t, reached);
}

bool Outputs::write_step(Integrator& integrator, double from, double reached, std::span<const double> x,
                         bool is_event, const TrackedUnknowns& tracked) {
    if (now_.options.every_step) {
        if (is_event) return true;
        now_.set_states(values_, x);
        return write_point(reached);
    }
    std::vector<double> inside;
    for (; now_.state.next_output < count(); ++now_.state.next_output) {
        const double t = time(now_.state.next_output);
        const bool at_end = t == reached || same_instant(t, reached);
        if (at_end && is_event) continue;
        if (t > reached) break;  // an event may come within rounding, before it
        inside.resize(x.size());
        if (at_end)
            std::copy(x.begin(), x.end(), inside.begin());
        else
            integrator.interpolate(t, inside);
        now_.set_states(values_, inside);
        const double part = reached > from ? std::clamp((t - from) / (reached - from), 0.0, 1.0) : 1;
        tracked.set_between(values_, part);
        if (!write_point(t)) return false;
    }
    return true;
}

bool Outputs::begin() {
    // Constant columns are written once, not looked at row by row.
    if (!now_.run_section(now_.program.eliminated)) return false;
    follow();
    layout_ = result_layout(now_.values, now_.options.states_only, now_.options.internal_columns);
    row_.resize(layout_.slots.size());
    if (const auto problem = sink_.begin(layout_.columns))
        return now_.fail(run_messages::no_result_file(*problem));
    return true;
}

void Outputs::take_columns_of(const Outputs& first) {
    std::map<std::string, Slot> slots;
    for (VariableIndex v{0}; v < now_.model.variables.end_index(); ++v.value)
        slots.emplace(now_.model.path(v), now_.layout.variable[v.value]);
    for (std::size_t k = 0; k < now_.partition.states.size(); ++k)
        slots.emplace(derivative_name(now_.model.path(now_.partition.states[k])), now_.layout.derivative[k]);
    layout_.slots.assign(1, now_.layout.time);
    for (ColumnIndex c(1); c < first.layout_.columns.end_index(); ++c.value) {
        const Column& column = first.layout_.columns[c];
        if (!column.stored()) continue;
        const auto found = slots.find(column.name);
        layout_.slots.push_back(found == slots.end() ? no_slot : found->second);
        if (found != slots.end()) continue;
        if (!rates_) rates_ = std::make_unique<ModeRates>(now_);
        rate_of_.resize(layout_.slots.size());
        rate_of_.back() = rates_->find(column.name);
    }
    rate_of_.resize(layout_.slots.size());
    row_.assign(layout_.slots.size(), 0);
}

bool Outputs::write_followed() {
    return values_.run(now_.program.eliminated) && write_row(values_);
}

void Outputs::begin_after(double at) {
    std::size_t& next = now_.state.next_output;
    next = 0;
    if (now_.options.every_step) return;
    std::size_t beyond = count();  // output points from here on lie after that time
    while (next < beyond) {
        const std::size_t middle = next + (beyond - next) / 2;
        if (const double t = time(middle); t > at && !same_instant(t, at))
            beyond = middle;
        else
            next = middle + 1;
    }
}

void Outputs::follow() {
    values_.take_values(now_.values);
    weights_ = now_.state.sliding.weights;
}

}  // namespace cutset
