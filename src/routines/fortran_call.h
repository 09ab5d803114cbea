// LAPACK's routines, called as a text declares them: everything by reference, matrices by columns.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "routines/routines.h"

namespace cutset {

bool is_fortran_routine(std::string_view symbol);

// `values` of all arguments; after the call what the routine has made of them. An array is given as much room
// as the whole numbers among the arguments can ask for, so that a text with wrong sizes writes nowhere else.
bool call_fortran(const RoutineCall& call, std::vector<std::vector<double>>& values, double& result,
                  std::string& problem);

}  // namespace cutset
