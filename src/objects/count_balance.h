// The balance of each component by itself: has it as many equations as unknowns, what it gets from outside
// counted?
//
//     surplus = equations + flow variables of its connectors + inputs - unknowns
//
// A set of k connected connectors gives k equations for each pair of a potential and a flow variable, so each
// connector is given one for each of its flow variables. What a model gives to its components, by connections
// or by equations for their inputs, is taken off its own equations.
#pragma once

#include "objects/connections.h"
#include "objects/walk_instances.h"

namespace cutset::objects {

// Fills Instance::surplus. When all equations are there and it is settled which discrete variables they
// determine. Of models of other languages, whose connectors need not be balanced, it stays 0.
void count_balance(FlatModel& model, const Walked& walked, Connections& connections);

}  // namespace cutset::objects
