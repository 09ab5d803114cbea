// How a model is computed, as JSON: the sorted equations, algebraic loops, why a variable is a state, how it
// is computed, the incidence of equations. What `--json` prints and what the studio sends.
#pragma once

#include <string>

#include "base/json.h"
#include "operations/structure/state_reasons.h"
#include "operations/structure/structure_picture.h"
#include "operations/structure/where.h"
#include "translate/places_json.h"

namespace cutset {

// Blocks in the order of computation, each an assignment or a system.
Json equations_json(const Partition& partition, const Places& places);
// As collected, before sorting.
Json equations_json(const FlatModel& model, const Places& places);
// What has to be solved together, and how.
Json loops_json(const Partition& partition, const Places& places);
// Why an unknown of a loop is iterated, in words.
const char* reason_text(TornReason reason);
// The name of an unknown in these: x, or x' for its derivative.
std::string unknown_name(const FlatModel& model, const Unknown& unknown);

Json state_json(const StateReason& reason, const FlatModel& model, const Places& places);
Json states_json(const Partition& partition, const Places& places);
Json where_json(const WhereAnswer& answer, const FlatModel& model, const Places& places,
                const std::string& name);
// With the place of each row's equation.
Json incidence_json(const IncidencePicture& picture, const FlatModel& model, const Places& places);

}  // namespace cutset
