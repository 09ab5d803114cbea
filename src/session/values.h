// Changes of parameters and initial values as the commands make them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "session/workbench.h"

namespace cutset {

// Both of a parameter and of an INIT variable of an external system.
bool set_parameter(Workbench& bench, const NamedQuantity& variable, double value);
// Refuses what has no initial value of its own.
bool set_initial(Workbench& bench, const NamedQuantity& variable, double value);

struct NewValue {
    NamedQuantity variable;
    double value = 0;
    bool (*set)(Workbench&, const NamedQuantity&, double) = set_parameter;
};
// All of them or none.
bool set_all(Workbench& bench, const std::vector<NewValue>& values);

// A line that is no command: a value (`U`, `U(3.2)`), an assignment (`EPS=3`) or arithmetic (`2+2`).
bool is_value_line(const Workbench& bench, std::string_view text);
bool run_value_line(Workbench& bench, const std::string& text);

bool display_changes(Workbench& bench);
// The same lines: commands that make the changes again, with what the text says.
std::vector<std::string> changes_of(const Workbench& bench);

}  // namespace cutset
