#include "run/instant.h"

#include <algorithm>
#include <cmath>

#include "run/run_messages.h"

namespace cutset {

Instant::Instant(const Program& of, const SimulateOptions& with, Diagnostics& to)
    : program(of),
      partition(*of.partition),
      model(partition.model),
      layout(of.layout),
      options(with),
      diagnostics(&to),
      loops(program, model),
      residuals(program, options.solver == Solver::Ida, loops),
      selector(program),
      state(program, &loops, options.allow_external),
      values(state.values) {
    values.set_machine_code(options.machine_code);
    for (const auto& [v, value] : options.given) values[layout.variable[v.value]] = value;
}

bool Instant::run_section(const Section& section) {
    loops.set_robust(true);
    if (values.run(section)) return true;
    if (values.error()) return fail(run_messages::run_error(*values.error(), time()));
    if (!loops.failure()) return false;
    return fail_in_equations(
        run_messages::loop_failed(model, *loops.failure()->loop, values, loops.failure()->reason, time()));
}

bool Instant::report_not_finite(const Section& section, double at) {
    if (const auto what = values.explain_non_finite(section))
        return fail_in_equations(run_messages::not_finite(model, *what, at));
    return true;
}

void Instant::set_states(Interpreter& to, std::span<const double> x) const {
    const std::size_t n = layout.state.size();
    if (n > 0) std::copy_n(x.begin(), n, &to[layout.state[0]]);
    for (std::size_t i = n; i < x.size(); ++i) to[residuals.unknowns()[i - n]] = x[i];
}

void Instant::read_states(std::vector<double>& x) const {
    const std::size_t n = layout.state.size();
    x.resize(n + residuals.unknowns().size());
    for (std::size_t i = 0; i < n; ++i) x[i] = values[layout.state[i]];
    for (std::size_t i = n; i < x.size(); ++i) x[i] = values[residuals.unknowns()[i - n]];
}

std::vector<double> Instant::states() const {
    std::vector<double> x;
    read_states(x);
    return x;
}

bool Instant::states_are(std::span<const double> x) const {
    const std::size_t n = layout.state.size();
    if (n > 0 && !std::equal(x.begin(), x.begin() + n, &values.values()[layout.state[0]])) return false;
    for (std::size_t i = n; i < x.size(); ++i)
        if (values[residuals.unknowns()[i - n]] != x[i]) return false;
    return true;
}

double look_ahead_time(const Instant& now, const Interpreter& values, double part) {
    double shortest = now.length();
    for (std::size_t k = 0; k < now.layout.state.size(); ++k) {
        const double size = std::abs(values[now.layout.state[k]]),
                     speed = std::abs(values[now.layout.derivative[k]]);
        if (size > 0 && size < speed * shortest) shortest = size / speed;
    }
    // Of a state that passes zero the size says nothing; time itself must move.
    return part * std::max(shortest, 1e-9 * now.length());
}

void move_along(Interpreter& values, double distance) {
    const Layout& layout = values.program().layout;
    values[layout.time] += distance;
    for (std::size_t k = 0; k < layout.state.size(); ++k)
        values[layout.state[k]] += distance * values[layout.derivative[k]];
}

}  // namespace cutset
