// FlatModel → Partition. The order of the passes is the list in transform.cpp; each pass has a header and a
// source, named by its effect, that says what it takes, what it may change and what holds afterwards.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "base/diagnostic.h"
#include "ir/flat_model.h"
#include "ir/partition.h"

namespace cutset {

// What determines the start beside the equations and what is written `initial …`.
enum class InitialMode {
    Given,   // the starts of the states
    Steady,  // derivatives are zero
    Jump,    // starts are values before the start; states that are tied together jump to values that agree
};

struct TransformOptions {
    std::vector<std::string> tear;  // variables the user wants torn
    InitialMode initial = InitialMode::Given;
    bool keep_source = true;          // Partition::source
    bool remember_decisions = false;  // Partition::decisions
    // Called after each pass with its name and the seconds it took (--profile).
    std::function<void(const char* pass, double seconds)> observe;
};

// Nothing when errors were reported (singular, high index, contradictory …).
std::optional<Partition> transform(FlatModel model, const TransformOptions& options,
                                   Diagnostics& diagnostics);

}  // namespace cutset
