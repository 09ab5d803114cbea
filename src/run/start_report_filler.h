// Fills a StartReport from where the initialization stands.
#pragma once

#include <vector>

#include "expr/expr.h"
#include "run/instant.h"
#include "run/start_report.h"

namespace cutset {

// `present`: the values of variables and derivatives; `guesses`: where searches began, by variable.
void fill(StartReport& report, const Instant& now, const Environment& present,
          const std::vector<StartReport::Guess>& guesses, bool solved);

}  // namespace cutset
