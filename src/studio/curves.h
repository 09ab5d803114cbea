// Curves of a run as a binary message: a header in JSON and columns of numbers (docs/studio-protocol.md).
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "studio/message.h"
#include "studio/run_list.h"

namespace cutset::studio {

struct CurveRequest {
    std::optional<std::size_t> run;  // none: the active one
    std::vector<std::string> paths;
    std::optional<double> t0, t1;
    std::size_t pixels = 0;
};
// What is wrong is reported there.
CurveRequest read_curve_request(Arguments& arguments);

// `name` (of a subscription) or `id` (of a call) tell what it answers. Without rows the curves are empty.
std::string curve_message(const CurveRequest& request, const StudioRun* run, Json head);

}  // namespace cutset::studio
