#include "operations/linear/realization_study.h"

#include "control/state_space_messages.h"
#include "control/transfer_realization.h"
#include "operations/linear/linear_messages.h"

namespace cutset {

namespace {

std::optional<StateSpace> open_checked(const LinearRequest& request, Workspace& workspace, Signals needed) {
    auto system = open_state_space(request, workspace, needed);
    if (!system || !check_system(*system, workspace.diagnostics)) return std::nullopt;
    return system;
}

bool check_tolerance(double tolerance, Diagnostics& diagnostics) {
    if (tolerance > 0 && tolerance < 1) return true;
    diagnostics.report(linear_messages::must_be_between("--tolerance", 0, 1));
    return false;
}

// Of a transfer matrix each of whose inputs has one delay, in all elements; nothing without delays.
std::optional<std::vector<Rational>> input_delays(const LinearSystem& system) {
    const auto* g = std::get_if<ExactTransferMatrix>(&system);
    if (!g || !g->has_delays()) return std::nullopt;
    std::vector<Rational> out;
    for (std::size_t k = 0; k < g->columns(); ++k) {
        out.push_back(g->delays[0][k]);
        for (std::size_t i = 1; i < g->rows(); ++i)
            if (g->delays[i][k] != out.back()) return std::nullopt;
    }
    return out;
}

// As open_state_space gives it; `delays_apart`: of the rational part, delays are taken care of elsewhere.
std::optional<StateSpace> state_space_of(const LinearSystem& system, bool delays_apart,
                                         Diagnostics& diagnostics) {
    if (const auto* s = std::get_if<StateSpace>(&system)) return *s;
    ExactTransferMatrix g = std::get<ExactTransferMatrix>(system);
    if (delays_apart) g.delays.assign(g.rows(), std::vector<Rational>(g.columns()));
    report_cancelled(g, diagnostics);
    return realize(g, diagnostics);
}

}  // namespace

std::optional<MinimalStudy> minimal_study(const MinimalRequest& request, Workspace& workspace) {
    const auto system = open_checked(request, workspace, Signals::Needed);
    if (!system || !check_tolerance(request.tolerance, workspace.diagnostics)) return std::nullopt;
    return MinimalStudy{system->order(), minimal_realization(*system, request.tolerance)};
}

std::optional<CanonicalStudy> canonical_study(const CanonicalRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_checked(request, workspace, Signals::Needed);
    if (!system) return std::nullopt;
    if (request.form) {
        if (request.order) {
            diagnostics.report(linear_messages::goes_with_only("--order", "--form balanced"));
            return std::nullopt;
        }
        auto form = canonical_form(*system, *request.form, diagnostics, request.search);
        if (!form) return std::nullopt;
        return CanonicalStudy{system->order(), std::move(*form)};
    }
    std::optional<Eigen::Index> order;
    if (request.order) order = *request.order;
    if (order && (*order < 1 || *order > system->order())) {
        diagnostics.report(linear_messages::must_be_between("--order", 1, system->order()));
        return std::nullopt;
    }
    auto balanced = balanced_realization(*system, order, diagnostics);
    if (!balanced) return std::nullopt;
    return CanonicalStudy{system->order(), std::move(*balanced)};
}

std::optional<StateSpace> sampling_study(const SampleRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto source = open_linear(request, workspace, Signals::NotNeeded);
    if (!source) return std::nullopt;
    const auto delays = input_delays(*source);
    const bool by_hold = !request.back && request.method == SamplingMethod::ZeroOrderHold;
    const auto system = state_space_of(*source, delays && by_hold, diagnostics);
    if (!system || !check_system(*system, diagnostics)) return std::nullopt;
    if (request.prewarp && request.method != SamplingMethod::Tustin) {
        diagnostics.report(linear_messages::goes_with_only("--prewarp", "--method tustin"));
        return std::nullopt;
    }
    if (request.back) return continuous_from_sampled(*system, request.method, diagnostics, request.prewarp);
    if (!request.period) {
        diagnostics.report(linear_messages::no_period(request.sample_time.has_value()));
        return std::nullopt;
    }
    if (delays && by_hold) return sample_delayed(*system, *delays, *request.period, diagnostics);
    return sample(*system, *request.period, request.method, diagnostics, request.prewarp);
}

std::optional<ReachabilityStudy> reachability_study(const ReachabilityRequest& request,
                                                    Workspace& workspace) {
    const auto system = open_checked(request, workspace, Signals::NotNeeded);
    if (!system || !check_tolerance(request.tolerance, workspace.diagnostics)) return std::nullopt;
    ReachabilityStudy study{*system, {}, {}};
    if (request.controllability) study.controllability = examine_controllability(*system, request.tolerance);
    if (request.observability) study.observability = examine_observability(*system, request.tolerance);
    return study;
}

std::optional<GramianStudy> gramian_study(const LinearRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_checked(request, workspace, Signals::Needed);
    const auto g = system ? gramians(*system, diagnostics) : std::nullopt;
    if (!g) return std::nullopt;
    return GramianStudy{*system, *g, h2_norm(*system, diagnostics), hinf_norm(*system, diagnostics)};
}

}  // namespace cutset
