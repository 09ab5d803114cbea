// What the emitters of C and Fortran share: what is refused, columns of the result, instants of tables.
#pragma once

#include <cstdint>
#include <optional>
#include <set>
#include <string>
#include <utility>
#include <vector>

#include "export/emitters.h"
#include "export/listed_functions.h"
#include "export/target_language.h"
#include "run/open_loop.h"

namespace cutset {

// False when the model has something that a translated program cannot do; then it was reported.
bool can_be_program(const Listing& listing, TargetLanguage language, Diagnostics& diagnostics);

// By callee: functions of the model that reach themselves by calls. So deep they may.
std::set<std::uint32_t> recursive_functions(const Listing& listing);
constexpr int deepest_recursion = 200;

// Columns as in `cutset simulate`, without parameters: names as they stand in the file, slots.
std::vector<std::pair<std::string, Slot>> result_columns(const Listing& listing);

struct Breakpoint {
    double time = 0;
    bool jumps = false;
};
// Knots of tables over the time, rising: no step passes one.
std::vector<Breakpoint> table_breakpoints(const Partition& partition);

// By state: what its absolute tolerance is in proportion to; 0: its initial value.
std::vector<double> state_scales(const Partition& partition);

// The tearing variables of nonlinear loops among the continuous equations.
std::vector<Slot> tracked_slots(const Listing& listing);

// Whether terminal() stands in the condition of a clause: then the end is an event.
bool asks_for_end(const Partition& partition);

// What the residuals of a nonlinear loop are computed from besides its unknowns: slots, and -1 - k for switch
// k. Nothing when more than that decides about them. Linear ones are solved nearly as fast as they are
// compared.
std::optional<std::vector<int>> loop_inputs(const Listing& listing, const ListedLoop& loop);

void mark_piecewise(Listing& listing, const ExportOptions& options);
// Conditions that zero crossings decide.
std::size_t state_switches(const Partition& partition);
// Conditions whose values are found together with the equations, or loops that they may leave open.
bool needs_settling(const Listing& listing);
// Of a linear loop among conditions: what is to change little where it leaves unknowns open.
std::vector<OpenQuantity> loop_quantities(const Listing& listing, const ListedLoop& loop);

// "x, y'": for messages.
std::string unknowns_text(const FlatModel& model, const Block& block);
// What a program says when it cannot solve the loop.
std::string loop_problem(const FlatModel& model, const Block& block);

enum class SwitchKind { Less, LessEqual, Equal, NotEqual, Sign, Truncate, Floor };
// What is said where the condition does not hold.
std::string assertion_text(const FlatModel& model, const Validity& v);
SwitchKind kind_of(const Switch& s);

}  // namespace cutset
