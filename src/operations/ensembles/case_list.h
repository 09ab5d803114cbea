// The cases of a sweep: --vary name=values, all combinations, or the rows of a file.
//
//     a=1:10:100          100 values from 1 to 10, evenly spaced
//     a=log:1e-3:1e3:7    7 values from 1e-3 to 1e3, each the same number of times the one before it
//     a=1,2,5             these
//     x(0)=0:1:11         initial values of x
#pragma once

#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "operations/ensembles/ensemble.h"

namespace cutset {

struct CaseList {
    std::vector<std::string> names;  // as given
    std::vector<VariedQuantity> quantities;
    std::vector<std::vector<double>> cases;  // values by quantity
};

inline constexpr std::size_t most_cases = 10'000'000;

// The first quantity varies slowest. False when errors were reported.
bool add_variations(const std::vector<std::string>& texts, CaseList& list, Diagnostics& diagnostics);
// A header of names, then one row of numbers per case.
bool read_cases(const std::string& path, CaseList& list, Diagnostics& diagnostics);

}  // namespace cutset
