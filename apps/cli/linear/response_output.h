// What step, impulse and initial share: their options, and how responses are shown.
#pragma once

#include <memory>

#include "commands.h"
#include "operations/linear/response_study.h"

namespace cutset::cli {

// Declares the command for one kind of response.
void add_response(CommandLine& line, ResponseKind kind, const char* name, const char* description,
                  const char* examples);

}  // namespace cutset::cli
