#include "operations/linear/locus_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "control/margins.h"
#include "control/modes.h"
#include "control/transfer_function.h"
#include "control/transfer_realization.h"
#include "operations/linear/linear_messages.h"

namespace cutset {

namespace {

constexpr Eigen::Index most_exact_states = 30;

// An exact transfer matrix whose root locus can be drawn: numbers only, no delays, proper.
bool check_exact(const ExactTransferMatrix& g, Diagnostics& diagnostics) {
    if (!g.symbols.empty()) {
        check_realizable(g, diagnostics);
        return false;
    }
    report_cancelled(g, diagnostics);
    for (std::size_t i = 0; i < g.rows(); ++i)
        for (std::size_t k = 0; k < g.columns(); ++k)
            if (g.delays[i][k] != 0 || (!reduced(g.elements[i][k]).is_proper() && g.columns() > 1)) {
                check_realizable(g, diagnostics);
                return false;
            }
    return true;
}

// One input and one output: by zeros, poles and gain.
std::optional<LocusPolynomial> single_loop(const LinearSystem& system, RootLocusStudy& study,
                                           Diagnostics& diagnostics) {
    const auto* g = std::get_if<ExactTransferMatrix>(&system);
    const auto* s = std::get_if<StateSpace>(&system);
    const auto fail = [&](Diagnostic d) {
        diagnostics.report(std::move(d));
        return std::nullopt;
    };
    const std::optional<TransferFunction> f =
        g ? transfer_function(g->elements[0][0], 0, study.sample_time) : transfer_function(*s, 0, 0);
    if (!f) return fail(linear_messages::no_eigenvalues());
    if (f->is_zero()) return fail(linear_messages::gain_without_effect());
    if (f->poles.empty()) return fail(linear_messages::locus_without_poles());
    study.zeros = f->zeros;
    // Poles of the system that the loop does not show stay where they are for every gain.
    if (g)
        study.hidden_unstable = stability_margins(g->elements[0][0], 0, study.sample_time).hidden_unstable;
    else if (const auto m = stability_margins(*s, 0, 0, diagnostics))
        study.hidden_unstable = m->hidden_unstable;
    return locus_polynomial(f->zeros, f->poles, f->gain, study.sample_time);
}

// Several: by the determinant of a coprime matrix fraction.
std::optional<LocusPolynomial> several_loops(const LinearSystem& system, const RootLocusStudy& study,
                                             Diagnostics& diagnostics) {
    const auto* g = std::get_if<ExactTransferMatrix>(&system);
    if (g) return locus_polynomial(right_coprime(right_fraction(*g)).fraction, study.sample_time);
    const StateSpace& s = std::get<StateSpace>(system);
    if (s.order() > most_exact_states) {
        diagnostics.report(linear_messages::locus_too_large(most_exact_states));
        return std::nullopt;
    }
    const ExactTransferMatrix exact_matrix =
        transfer_matrix_of({exact(s.A), exact(s.B), exact(s.C), exact(s.D)});
    return locus_polynomial(right_coprime(right_fraction(exact_matrix)).fraction, study.sample_time);
}

}  // namespace

std::optional<ValueRange> value_range(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) return std::nullopt;
    const auto low = rational_from_text(text.substr(0, colon)),
               high = rational_from_text(text.substr(colon + 1));
    if (!low || !high || !(*low < *high)) return std::nullopt;
    return ValueRange{Coefficient(*low).value(), Coefficient(*high).value()};
}

std::optional<RootLocusStudy> root_locus_study(const RootLocusRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_linear(request, workspace);
    if (!system) return std::nullopt;
    RootLocusStudy study;
    study.sample_time = sample_time_of(*system);
    const std::size_t inputs = inputs_of(*system).size(), outputs = outputs_of(*system).size();
    if (inputs != outputs) {
        diagnostics.report(linear_messages::locus_not_square(outputs, inputs));
        return std::nullopt;
    }
    if (const auto* g = std::get_if<ExactTransferMatrix>(&*system); g && !check_exact(*g, diagnostics))
        return std::nullopt;
    const auto polynomial =
        inputs == 1 ? single_loop(*system, study, diagnostics) : several_loops(*system, study, diagnostics);
    if (!polynomial) return std::nullopt;
    std::optional<ValueRange> range = request.gain;
    if (!range && inputs > 1) range = ValueRange{0.0, 10.0};
    study.range_given = range.has_value();
    study.poles = polynomial->poles;
    study.locus = root_locus(*polynomial, range ? std::optional(range->low) : std::nullopt,
                             range ? std::optional(range->high) : std::nullopt);
    if (study.hidden_unstable > 0) study.locus.stable.clear();
    return study;
}

std::vector<Complex> EigenvalueLocus::starts() const {
    std::vector<Complex> roots_there;
    for (const LocusBranch& b : roots.branches) roots_there.push_back(b.root.front());
    return roots_there;
}

std::optional<EigenvalueLocus> eigenvalue_locus(const EigenvalueLocusRequest& request, Workspace& workspace) {
    const double low = request.range.low, high = request.range.high;
    const auto system_at = [&](double value, Workspace& w) {
        LinearRequest at = request;
        at.set.push_back(fmt::format("{}={}", request.parameter, value));
        return open_state_space(at, w, Signals::NotNeeded);
    };
    // The first system also tells what is wrong with the rest of the request.
    const auto first = system_at(low, workspace);
    if (!first) return std::nullopt;
    std::size_t failures = 0;
    const std::function<std::vector<Complex>(double)> roots_at = [&](double value) -> std::vector<Complex> {
        Workspace w;
        const auto s = value == low ? first : system_at(value, w);
        if (s) return poles(s->A, s->sample_time).value_or(std::vector<Complex>());
        if (failures++ == 0)
            for (const Diagnostic& d : w.diagnostics.all())
                workspace.diagnostics.report(linear_messages::with_value(request.parameter, value, d));
        return {};
    };
    EigenvalueLocus result;
    result.sample_time = first->sample_time;
    result.roots =
        track_roots(roots_at, low, high, static_cast<std::size_t>(std::max(2, request.points.value_or(20))),
                    first->sample_time);
    if (workspace.diagnostics.has_errors()) return std::nullopt;
    if (!result.roots.complete) {
        workspace.diagnostics.report(linear_messages::states_change(request.parameter));
        return std::nullopt;
    }
    return result;
}

}  // namespace cutset
