// Two questions a person may ask at any time: `?`, what the last result means, and `??`, what to do next.
// The answers come from what has been done so far, and are given only when asked for. The Session
// gives the facts; nothing here looks at anything else.
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "session/session.h"

namespace cutset {

// Lines for `?`; `reported` is what the last command said.
std::vector<std::string> explain_last(const SessionFacts& facts, const std::vector<Diagnostic>& reported);

// `files_here`: of models and macros in the present folder.
// A command line that can be typed as it stands, and why.
struct Proposal {
    std::string line;
    std::string why;
};
std::vector<Proposal> propose_next(const SessionFacts& facts, const std::vector<Diagnostic>& reported,
                                   const std::vector<std::string>& files_here);
// As lines of text: "  PLOT U V           choose the curves".
std::vector<std::string> proposal_lines(const std::vector<Proposal>& proposals);

}  // namespace cutset
