#include "operations/linear/realization_study.h"

#include "control/state_space_messages.h"
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
    const auto system = open_checked(request, workspace, Signals::NotNeeded);
    if (!system) return std::nullopt;
    if (request.prewarp && request.method != SamplingMethod::Tustin) {
        diagnostics.report(linear_messages::goes_with_only("--prewarp", "--method tustin"));
        return std::nullopt;
    }
    if (request.back) return continuous_from_sampled(*system, request.method, diagnostics, request.prewarp);
    if (!request.period) {
        diagnostics.report(linear_messages::no_period());
        return std::nullopt;
    }
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
