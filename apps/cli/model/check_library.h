// cutset check DIRECTORY: every class of a library.
#pragma once

#include "model/model_options.h"

namespace cutset::cli {

// Prints a line for each class: models and blocks are translated, other classes are read. The exit status is
// 0 when there is no error in any.
int check_library(const ModelRequest& request, const OutputOptions& output);

}  // namespace cutset::cli
