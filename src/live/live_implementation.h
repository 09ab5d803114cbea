// What a LiveModel holds. Private to live_model.cpp and live_points.cpp.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "live/live_checkpoint.h"
#include "live/live_model.h"
#include "live/live_translation.h"
#include "run/run_point.h"

namespace cutset {

struct LiveModel::Implementation {
    LiveSource source;
    LiveChanges changes;
    std::vector<std::shared_ptr<LiveTranslation>> translations;  // the last one used first
    std::size_t made = 0;
    bool current = false;  // the first translation is valid for the changes

    std::vector<Quantity> quantities;
    std::unordered_map<std::string, std::size_t> quantity_of;  // by path; looked up only

    SimulateOptions last;  // of the last run
    std::shared_ptr<const RunPoint> point;
    std::shared_ptr<const Partition> point_partition;  // that the point counts in
    bool touched = false;                              // something was changed since
    // What is asked for by name: the initial values, or the point after the changes since; parameters.
    std::shared_ptr<const RunPoint> shown;
    std::optional<std::vector<double>> parameters;

    LiveTranslation* translation(Diagnostics& diagnostics);
    LiveTranslation& present() { return *translations.front(); }
    const RunPoint* show(Diagnostics& diagnostics);
    const std::vector<double>& parameter_values(Diagnostics& diagnostics);
    SimulateOptions options(LiveTranslation& t, const SimulateOptions& given, Diagnostics& diagnostics);
    bool place(LiveTranslation& t, Diagnostics& diagnostics);
    bool change(LiveChanges next, Diagnostics& diagnostics);
    bool is_finite(const std::string& path, double value, Diagnostics& diagnostics);
    const Quantity* find(const std::string& path, Diagnostics& diagnostics);
    void list_quantities();
    void remember(const SimulateOptions& options);
    void forget_shown() {
        shown.reset();
        parameters.reset();
    }
    RunSummary finish(RunSummary summary, std::optional<RunPoint> end, LiveTranslation& t);
};

}  // namespace cutset
