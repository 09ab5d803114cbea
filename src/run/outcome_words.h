// How a run ended, in a word: for files, JSON and messages.
#pragma once

#include <optional>
#include <string_view>

#include "run/simulate.h"

namespace cutset {

inline const char* word(RunOutcome outcome) {
    switch (outcome) {
        case RunOutcome::Finished:
            return "finished";
        case RunOutcome::Terminated:
            return "terminated";
        case RunOutcome::Interrupted:
            return "interrupted";
        case RunOutcome::Failed:
            return "failed";
    }
    return "";
}

// Nothing when it is none of these words.
inline std::optional<RunOutcome> run_outcome(std::string_view text) {
    for (RunOutcome outcome :
         {RunOutcome::Finished, RunOutcome::Terminated, RunOutcome::Interrupted, RunOutcome::Failed})
        if (word(outcome) == text) return outcome;
    return std::nullopt;
}

}  // namespace cutset
