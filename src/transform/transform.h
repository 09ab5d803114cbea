// FlatModel → Partition. The order of the passes is the list in transform.cpp; each pass has a header and a
// source, named by its effect, that says what it takes, what it may change and what holds afterwards.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "base/function_ref.h"
#include "ir/flat_model.h"
#include "ir/partition.h"
#include "ir/verification.h"

namespace cutset {

// What determines the initial values beside the equations and what is written `initial …`.
enum class InitialMode {
    Given,   // the initial values of the states
    Steady,  // derivatives are zero
    Jump,    // initial values are those before initialization; states that are tied together jump to values
             // that agree
};

// "given", "steady", "jump"; for nothing "", and nothing for any other word.
std::string_view word_of(std::optional<InitialMode> mode);
std::optional<InitialMode> initial_mode(std::string_view word);

// Told after each stage: "flat", the passes by their names, "partition".
struct StageReport {
    std::string_view stage;
    double seconds;
    FunctionRef<std::string()> text;
};

struct TransformOptions {
    std::vector<std::string> tear;  // variables the user wants torn
    InitialMode initial = InitialMode::Given;
    bool keep_source = true;              // Partition::source
    bool remember_decisions = false;      // Partition::decisions
    bool verify = verifies_by_default();  // the model, each pass and the result
    std::vector<std::string> without;     // passes to leave out, of those that may be
    std::function<void(const StageReport&)> observe;
};

// In the order in which they run.
struct PassInfo {
    const char* name;
    bool may_be_left_out;
};
std::vector<PassInfo> pass_list();

// Nothing when errors were reported (singular, high index, contradictory …).
std::optional<Partition> transform(FlatModel model, const TransformOptions& options,
                                   Diagnostics& diagnostics);

}  // namespace cutset
