// What a command on a model works with: its text, what was reported about it, and how long that took.
#pragma once

#include "base/diagnostic.h"
#include "translate/model_text.h"
#include "translate/stage_times.h"

namespace cutset {

struct Workspace {
    ModelText text;
    Diagnostics diagnostics;
    StageTimes times;
};

}  // namespace cutset
