#include "run/right_hand_side.h"

#include "base/finite.h"
#include "run/present_delays.h"

namespace cutset {

bool RightHandSide::try_continuous(double t, std::span<const double> x) {
    now_.at_crossings = false;
    now_.loops.set_robust(false);
    now_.values[now_.layout.time] = t;
    now_.set_states(x);
    now_.values.clear_error();
    return equations_.run();
}

bool RightHandSide::try_section(const Section& section, double t, std::span<const double> x) {
    now_.at_derivatives = now_.equations_known = false;
    now_.loops.set_robust(false);
    now_.values[now_.layout.time] = t;
    now_.set_states(x);
    now_.values.clear_error();
    if (!run_section(section)) return false;
    return &section != &now_.program.derivatives || all_finite(now_.derivatives());
}

bool RightHandSide::run_section(const Section& section) {
    return run_with_delays(
        now_, [&] { return now_.values.run(section); }, [&] { return now_.values.run(now_.program.past); });
}

int RightHandSide::derivatives(double t, std::span<const double> x, std::span<double> dx) {
    now_.at_crossings = false;
    // Mixtures of sliding conditions need the loops solved: then z - z(t, x) takes the place of their
    // residuals.
    now_.whole = !now_.residuals.empty() && sliding_.empty();
    if (now_.whole) now_.values.set_hooks({&now_.residuals, &now_.state.delays, now_.options.allow_external});
    now_.loops.set_brief(true);
    bool found = false;  // they are in dx, and finite
    if (plain()) {
        now_.at_derivatives = now_.equations_known = false;
        now_.loops.set_robust(false);
        now_.values[now_.layout.time] = t;
        now_.set_states(x);
        now_.values.clear_error();
        found = run_section(now_.program.derivatives) && copy_finite(now_.derivatives(), dx.data());
    }
    now_.loops.set_brief(false);
    const bool ran = found || try_continuous(t, x);
    const bool whole = now_.whole;
    if (now_.whole) now_.values.set_hooks({&now_.loops, &now_.state.delays, now_.options.allow_external});
    now_.whole = false;
    if (!ran) {
        if (now_.values.error() && !now_.values.error()->belongs_to_point()) {
            now_.stop = true;
            return -1;
        }
        note_bad(t, x);
        return 1;
    }
    const std::size_t n = now_.layout.derivative.size();
    bool finite = found || copy_finite(now_.derivatives(), dx.data());
    for (std::size_t i = n; i < dx.size(); ++i)
        dx[i] = whole ? now_.residuals.values()[i - n] : x[i] - now_.values[now_.residuals.unknowns()[i - n]];
    now_.at_derivatives = found && now_.program.loops.empty();
    finite = finite && all_finite(dx.subspan(n));
    if (!finite) {
        note_bad(t, x);
    }
    return finite ? 0 : 1;
}

int RightHandSide::jacobian(double t, std::span<const double> x, std::span<double> elements) {
    now_.at_crossings = false;
    now_.whole = !now_.residuals.empty();
    if (now_.whole) now_.values.set_hooks({&now_.residuals, &now_.state.delays, now_.options.allow_external});
    // Most often they have just been asked for.
    const bool known = now_.at_derivatives && now_.time() == t && now_.states_are(x);
    const bool ran = known || (plain() ? try_section(now_.program.derivatives, t, x) || try_continuous(t, x)
                                       : try_continuous(t, x));
    now_.at_derivatives = false;
    if (now_.whole) now_.values.set_hooks({&now_.loops, &now_.state.delays, now_.options.allow_external});
    now_.whole = false;
    if (!ran || !now_.values.run(now_.program.jacobian->section)) return 1;
    const auto& entries = now_.program.jacobian->entries;
    for (std::size_t i = 0; i < entries.size(); ++i) {
        const double value = now_.values[entries[i].slot];
        elements[i] = std::isfinite(value) ? value : 0;
    }
    return 0;
}

std::optional<IvpJacobian> RightHandSide::ivp_jacobian() {
    if (!now_.program.jacobian) return std::nullopt;
    const StateJacobian& from = *now_.program.jacobian;
    IvpJacobian j;
    j.intermediates = from.columns - now_.layout.state.size() - now_.residuals.unknowns().size();
    j.computed = from.computed;
    j.pattern.rows = j.pattern.columns = from.columns;
    j.pattern.starts.assign(from.columns + 1, 0);
    for (const JacobianEntry& e : from.entries) {
        ++j.pattern.starts[e.column + 1];
        j.pattern.row.push_back(e.row);
    }
    for (std::size_t i = 0; i < from.columns; ++i) j.pattern.starts[i + 1] += j.pattern.starts[i];
    j.constant = from.constant();
    j.evaluate = [this](double t, std::span<const double> x, std::span<const double>,
                        std::span<double> elements) { return jacobian(t, x, elements); };
    // Mixtures of sliding conditions depend on the states in a way that no formula has; loops that leave
    // unknowns open have matrices without inverse.
    j.valid = [this] {
        return sliding_.empty() &&
               !(now_.loops.open_allowed() && !now_.loops.open_loops(now_.program.continuous).empty());
    };
    return j;
}

}  // namespace cutset
