#include "run/outputs.h"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <map>
#include <variant>

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

Outputs::Outputs(Instant& now, Sliding& sliding, Poles& poles, RangeWatch& ranges, RowSink& sink,
                 RunSummary& summary)
    : now_(now),
      sliding_(sliding),
      sink_(sink),
      summary_(summary),
      loops_(now.program, now.model),
      values_(now.program, {&loops_, &now.state.delays, now.options.allow_external}),
      poles_(poles),
      ranges_(ranges) {
    values_.set_machine_code(now.options.machine_code);
    for (const auto& [v, value] : now.options.given) values_[now.layout.variable[v.value]] = value;
    weights_ = now.state.sliding.weights;
    follower_ = dynamic_cast<FollowingSink*>(&sink);
    for (const Callee& callee : now.model.callees)
        if (const auto* function = std::get_if<FunctionData>(&callee))
            calls_code_ = calls_code_ || function->external.has_value();
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

// row_ := the values of the columns; false when one is not finite.
bool Outputs::read_row(const Interpreter& values) {
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
    return finite;
}

// The values as a row; a failure is reported.
bool Outputs::check_row(Interpreter& values) {
    if (!read_row(values)) return report_not_finite(values);
    ranges_.check_bounds(values);
    return true;
}

bool Outputs::send_row() {
    if (const auto problem = sink_.row(row_))
        return now_.fail(run_messages::result_problem(*problem, row_[0]));
    ++summary_.rows;
    sent_ = row_[0];
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

bool Outputs::write_row(Interpreter& values) {
    return check_row(values) && poles_.look(values, summary_.rows + 1) && send_row();
}

// One output point, whose states have been set.
bool Outputs::compute_point(double t) {
    values_[now_.layout.time] = t;
    values_.clear_error();
    if (!sliding_.solve(values_, weights_, now_.program.continuous) ||
        !values_.run(now_.program.eliminated)) {
        if (values_.error()) return now_.fail(run_messages::run_error(*values_.error(), t));
        return now_.fail_in_equations(run_messages::loop_failed(now_.model, *loops_.failure()->loop, values_,
                                                                loops_.failure()->reason, t));
    }
    return check_row(values_);
}

bool Outputs::write_point(double t) {
    return compute_point(t) && poles_.look(values_, summary_.rows + 1) && send_row();
}

void Outputs::write_last(double at, std::span<const double> x, const TrackedUnknowns& tracked) {
    if (row_.empty() || !(at > sent_)) return;
    values_[now_.layout.time] = at;
    now_.set_states(values_, x);
    if (tracked.before.size() == tracked.slots.size()) tracked.set_beginning(values_);
    values_.clear_error();
    const std::vector<double> before = row_;
    if (sliding_.solve(values_, weights_, now_.program.continuous) && values_.run(now_.program.eliminated) &&
        read_row(values_) && !sink_.row(row_))
        ++summary_.rows;
    else
        row_ = before;
}

bool Outputs::is_due(double reached) const {
    if (now_.options.every_step || !followed_.empty()) return true;
    if (now_.state.next_output >= count()) return false;
    const double t = time(now_.state.next_output);
    return t <= reached || same_instant(t, reached);
}

void Outputs::set_point(const StepView& step, double t) {
    if (t >= step.reached) {
        now_.set_states(values_, step.x);
    } else {
        inside_.resize(step.x.size());
        step.integrator.interpolate(t, inside_);
        now_.set_states(values_, inside_);
    }
    const double length = step.reached - step.from;
    step.tracked.set_between(values_, length > 0 ? std::clamp((t - step.from) / length, 0.0, 1.0) : 1);
}

// Values inside a step; nothing where they cannot be computed, which is no failure of the run.
std::optional<Outputs::Row> Outputs::try_row(const StepView& step, double t) {
    set_point(step, t);
    values_[now_.layout.time] = t;
    values_.clear_error();
    if (!sliding_.solve(values_, weights_, now_.program.continuous) || !values_.run(now_.program.eliminated))
        return std::nullopt;
    Row row = row_;  // stays that of the last point
    const bool finite = read_row(values_);
    std::swap(row, row_);
    if (!finite) return std::nullopt;
    return row;
}

// Where the column turns between three points of which the one in the middle is highest or lowest, by
// parabolas through the best three points so far.
std::optional<Outputs::Row> Outputs::turning_point(const StepView& step, std::size_t column,
                                                   const Row& before, const Row& middle, const Row& after) {
    constexpr int most_tries = 8;
    Row a = before, b = middle, c = after;
    const double sign = b[column] >= a[column] ? 1 : -1;
    const auto height = [&](const Row& row) { return sign * row[column]; };
    bool found = false;
    for (int tries = 0; tries < most_tries; ++tries) {
        const double left = b[0] - a[0], right = c[0] - b[0];
        const double rise = (height(b) - height(a)) / left, fall = (height(b) - height(c)) / right;
        if (!(rise + fall > 0)) break;
        // The vertex of the parabola through them.
        const double t = b[0] + (rise * right - fall * left) / (2 * (rise + fall));
        if (!(t > a[0] && t < c[0]) || std::fabs(t - b[0]) <= 1e-8 * (c[0] - a[0])) break;
        const auto row = try_row(step, t);
        if (!row) break;
        found = true;
        const double gain = height(*row) - height(b);
        if (gain > 0) {
            (t > b[0] ? a : c) = std::move(b);
            b = *row;
        } else {
            (t > b[0] ? c : a) = *row;
        }
        if (std::fabs(gain) <= 1e-12 * std::fabs(height(b))) break;
    }
    if (!found || b[0] == middle[0]) return std::nullopt;
    return b;
}

namespace {

// Values inside a step: an output point, one between two of them, or one that only tells a slope and is not
// sent.
struct Sample {
    enum class Kind { Output, Between, Slope };
    std::vector<double> row;
    Kind kind;
    double time() const { return row[0]; }
};

// Samples by time, as they are to be sent.
class Waiting {
  public:
    void add(Sample sample) {
        if (sample.kind == Sample::Kind::Slope) return;
        const auto after = std::find_if(samples_.begin(), samples_.end(),
                                        [&](const Sample& s) { return s.time() > sample.time(); });
        samples_.insert(after, std::move(sample));
    }
    std::vector<Sample> take_until(double t) {
        const auto after =
            std::find_if(samples_.begin(), samples_.end(), [&](const Sample& s) { return s.time() > t; });
        std::vector<Sample> out(std::make_move_iterator(samples_.begin()), std::make_move_iterator(after));
        samples_.erase(samples_.begin(), after);
        return out;
    }

  private:
    std::vector<Sample> samples_;
};

// Whether the column turns at the one in the middle, by more than rounding.
bool turns(const Sample& a, const Sample& b, const Sample& c, std::size_t column) {
    const double rise = b.row[column] - a.row[column], next = c.row[column] - b.row[column];
    const double least = 1e-13 * std::fabs(b.row[column]);
    return rise * next < 0 && std::fabs(rise) > least && std::fabs(next) > least;
}

// Parts of a step that are looked at; near its ends for the slopes there, so that a curve that turns in the
// step is seen to turn in it.
constexpr double near_end = 1e-4;
constexpr double step_parts[] = {0, near_end, 1.0 / 3, 2.0 / 3, 1 - near_end, 1};

}  // namespace

// A sample is sent when the two beside it are known, and with them whether a curve turns there.
bool Outputs::write_followed_step(const StepView& step, bool is_event) {
    std::vector<Sample> last;  // three samples
    Waiting waiting;
    const auto send_until = [&](double t) {
        for (Sample& sample : waiting.take_until(t)) {
            row_ = std::move(sample.row);
            if (sample.kind == Sample::Kind::Output) {
                if (!send_row()) return false;
            } else if (const auto problem = follower_->between(row_)) {
                return now_.fail(run_messages::result_problem(*problem, row_[0]));
            }
        }
        return true;
    };
    const auto add = [&](Sample sample) {
        waiting.add(sample);
        last.push_back(std::move(sample));
        if (last.size() < 3) return true;
        for (const std::size_t column : followed_) {
            if (calls_code_ || !turns(last[0], last[1], last[2], column)) continue;
            if (auto row = turning_point(step, column, last[0].row, last[1].row, last[2].row))
                waiting.add({std::move(*row), Sample::Kind::Between});
        }
        last.erase(last.begin());
        return send_until(last[0].time());
    };
    std::size_t part = 0, looked = summary_.rows;
    const auto part_time = [&] {
        return step_parts[part] == 1 ? step.reached
                                     : step.from + step_parts[part] * (step.reached - step.from);
    };
    const auto add_parts_before = [&](double t) {
        for (; part < std::size(step_parts); ++part) {
            const double at = part_time();
            if (at > t || same_instant(at, t)) break;
            if (!last.empty() && !(at > last.back().time())) continue;
            const bool inside = step_parts[part] > near_end && step_parts[part] < 1 - near_end;
            const bool sent = inside || (at == step.reached && !is_event);
            auto row = try_row(step, at);
            if (row && !add({std::move(*row), sent ? Sample::Kind::Between : Sample::Kind::Slope}))
                return false;
        }
        return true;
    };
    for (; now_.state.next_output < count(); ++now_.state.next_output) {
        const double t = time(now_.state.next_output);
        if ((t == step.reached || same_instant(t, step.reached)) && is_event) continue;
        if (t > step.reached) break;
        if (!add_parts_before(t)) return false;
        while (part < std::size(step_parts) && same_instant(part_time(), t)) ++part;
        set_point(step, t);
        if (!compute_point(t) || !poles_.look(values_, ++looked)) {
            send_until(never);
            return false;
        }
        if (!add({row_, Sample::Kind::Output})) return false;
    }
    return add_parts_before(never) && send_until(never);
}

bool Outputs::write_step(Integrator& integrator, double from, double reached, std::span<const double> x,
                         bool is_event, const TrackedUnknowns& tracked) {
    if (now_.options.every_step) {
        if (is_event) return true;
        now_.set_states(values_, x);
        return write_point(reached);
    }
    const StepView step{integrator, from, reached, x, tracked};
    if (!followed_.empty() && reached > from) return write_followed_step(step, is_event);
    for (; now_.state.next_output < count(); ++now_.state.next_output) {
        const double t = time(now_.state.next_output);
        if ((t == reached || same_instant(t, reached)) && is_event) continue;
        if (t > reached) break;  // an event may come within rounding, before it
        set_point(step, t);
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
    if (follower_) followed_ = follower_->followed();
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
    followed_ = first.followed_;
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

void Outputs::remember(MemoryStream& memory) {
    std::vector<double> slots(values_.values().begin(), values_.values().end());
    memory("output values", slots);
    for (Slot slot = 0; memory.restores() && memory.good() && slot < slots.size(); ++slot)
        values_[slot] = slots[slot];
    memory("output weights", weights_);
    loops_.remember(now_.program, memory);
}

void Outputs::follow() {
    values_.take_values(now_.values);
    weights_ = now_.state.sliding.weights;
    loops_.take_last(now_.loops);
}

}  // namespace cutset
