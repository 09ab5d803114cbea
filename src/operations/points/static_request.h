// From words on a command line to a static question about a model (operations/points/static_model.h).
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "operations/points/static_model.h"
#include "translate/question.h"
#include "translate/workspace.h"

namespace cutset {

struct StaticRequest {
    std::vector<std::string> known;    // "h=3", "der(x)=0.5", "T=T0 + 5"
    std::vector<std::string> unknown;  // "p1"
    std::vector<std::string> moving;   // variables whose derivatives need not be zero
    std::vector<std::string> guesses;  // "x=3"
    std::vector<std::string> bounds;   // "x=0:10", "x=0:", "x=:10"
    std::optional<bool> stationary;    // without: unless a derivative is among the knowns
    double time = 0;
    std::vector<std::string> varied;  // inputs that get their values elsewhere, by continuation
};

struct StaticPreparation {
    FlatModel model;
    StaticQuestion question;
    bool boundary = false;  // the model is open: knowns and unknowns became its boundary
};

// Nothing when errors were reported. Inputs that are not given take their initial value, or are an error.
std::optional<StaticPreparation> prepare(Workspace& workspace, const std::string& model,
                                         const Experiment& experiment, const StaticRequest& request);

// "x=3" → {"x", 3}; reported and nothing when it has another form.
std::optional<std::pair<std::string, double>> parse_number_setting(Workspace& workspace,
                                                                   const std::string& option,
                                                                   const std::string& text);
// "x=0:10" → {"x", 0, 10}; a side left out is infinite.
struct NamedRange {
    std::string name;
    double from, to;
};
std::optional<NamedRange> parse_range(Workspace& workspace, const std::string& option,
                                      const std::string& text, bool both_sides);

}  // namespace cutset
