// Root loci: closed-loop poles as a gain varies, or eigenvalues of a model as one of its parameters does.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "control/root_locus.h"
#include "operations/linear/linear_source.h"

namespace cutset {

struct ValueRange {
    double low = 0, high = 0;
};
// "low:high", exactly read; nothing when it is none.
std::optional<ValueRange> value_range(const std::string& text);

// 1 + k L = 0; det(I + k G) = 0 with several inputs and as many outputs.
struct RootLocusRequest : LinearRequest {
    std::optional<ValueRange> gain;  // none: from 0 until all has happened
};
struct RootLocusStudy {
    std::vector<Complex> poles, zeros;  // of the open loop; zeros with one input and output only
    RootLocus locus;
    int hidden_unstable = 0;  // unstable poles of the system that the loop does not show: no gain moves them
    bool range_given = false;
    std::optional<double> sample_time;
};
// Nothing when errors were reported.
std::optional<RootLocusStudy> root_locus_study(const RootLocusRequest& request, Workspace& workspace);

// The eigenvalues of a model as a parameter varies.
struct EigenvalueLocusRequest : LinearRequest {
    std::string parameter;
    ValueRange range;
    std::optional<int> points;  // values of the parameter to begin with
};
struct EigenvalueLocus {
    TrackedRoots roots;
    std::optional<double> sample_time;
    std::vector<Complex> starts() const;  // at the lower end of the range
};
std::optional<EigenvalueLocus> eigenvalue_locus(const EigenvalueLocusRequest& request, Workspace& workspace);

}  // namespace cutset
