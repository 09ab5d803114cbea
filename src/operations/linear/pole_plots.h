// Poles and root loci in the complex plane.
#pragma once

#include <string>

#include "operations/linear/locus_study.h"
#include "operations/linear/pole_study.h"
#include "results/plot.h"

namespace cutset {

// With the boundary of stability. `coloured`: each branch in a colour of its own, where there are few.
Plot locus_plot(const RootLocusStudy& study, bool coloured);
Plot locus_plot(const EigenvalueLocus& locus, const std::string& parameter, bool coloured);
Plot pole_map(const PoleStudy& study);

}  // namespace cutset
