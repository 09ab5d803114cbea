// Other state space forms of the same system, and what inputs reach and outputs show.
#pragma once

#include <algorithm>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "control/canonical.h"
#include "control/norms.h"
#include "control/realization.h"
#include "control/sampling.h"
#include "control/staircase.h"
#include "operations/linear/linear_source.h"

namespace cutset {

// All functions here: nothing when errors were reported.

struct MinimalRequest : LinearRequest {
    double tolerance = rank_tolerance;  // relative singular values below it count as zero
};
struct MinimalStudy {
    Eigen::Index order = 0;  // of the system as it was given
    MinimalRealization realization;
    Eigen::Index removed() const { return order - realization.system.order(); }
};
std::optional<MinimalStudy> minimal_study(const MinimalRequest& request, Workspace& workspace);

// A form that shows the structure, or the balanced one, which may be truncated.
struct CanonicalRequest : LinearRequest {
    std::optional<CanonicalForm> form;  // none: balanced
    CrateSearch search = CrateSearch::Rows;
    std::optional<int> order;  // balanced: so many states are kept
};
struct CanonicalStudy {
    Eigen::Index order = 0;  // of the system as it was given
    std::variant<CanonicalRealization, BalancedRealization> realization;
};
std::optional<CanonicalStudy> canonical_study(const CanonicalRequest& request, Workspace& workspace);

struct SampleRequest : LinearRequest {
    std::optional<double> period, prewarp;  // s, rad/s
    SamplingMethod method = SamplingMethod::ZeroOrderHold;
    bool back = false;  // from a sampled system to a continuous one
};
std::optional<StateSpace> sampling_study(const SampleRequest& request, Workspace& workspace);

// What the inputs reach, and what the outputs show.
struct ReachabilityRequest : LinearRequest {
    double tolerance = rank_tolerance;
    bool controllability = true, observability = true;
};
struct ReachabilityStudy {
    StateSpace system;
    std::optional<ControllabilityReport> controllability, observability;
};
std::optional<ReachabilityStudy> reachability_study(const ReachabilityRequest& request, Workspace& workspace);

struct GramianStudy {
    StateSpace system;
    Gramians gramians;
    std::optional<double> h2;
    std::optional<PeakGain> hinf;
    double residual() const {
        return std::max(gramians.controllability_residual, gramians.observability_residual);
    }
};
std::optional<GramianStudy> gramian_study(const LinearRequest& request, Workspace& workspace);

}  // namespace cutset
