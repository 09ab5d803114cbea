// What the program of an experiment of EL says.
#pragma once

#include <string>

#include "base/diagnostic.h"

namespace cutset::el_messages {

Diagnostic not_in_body(Span where, const std::string& what);
Diagnostic computed(Span where, const std::string& name);
Diagnostic unknown_in_body(Span where, const std::string& name);
Diagnostic without_end(Span where);
Diagnostic run_failed(Span where);
Diagnostic unknown_method(Span where, const std::string& name);
Diagnostic report_problem(Span where, const std::string& problem);

}  // namespace cutset::el_messages
