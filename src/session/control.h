// The words of macros: LET, DEFAULT, FOR, NEXT, LABEL, GOTO, IF, READ, WRITE, RESUME, FREE.
#pragma once

#include <string>
#include <string_view>

#include "session/workbench.h"

namespace cutset {

bool run_control(Workbench& bench, const std::string& word, std::string_view arguments);

}  // namespace cutset
