// What the experiment says: --set, --init, --input, --known, --unknown.
#pragma once

#include "instantiate/context.h"

namespace cutset {

// Sorts --set by submodel, for declarations to find.
void read_settings(Context& c);
// Settings that no parameter took: reported with what they name, or what is near.
void check_settings(Context& c);
void apply_initials(Context& c);
// The choice of boundary variables; to be called before --input, which may give their values.
void read_knowns(Context& c);
// Knowns that have no value.
void check_knowns(Context& c);
// Equations for inputs that the experiment gives; to be called before defaults are used.
void add_input_equations(Context& c);
// Equations for the quantities of the experiment; the last step, so that the model takes no notice of them.
void add_quantities(Context& c);
// Inputs that are not given.
void check_inputs(Context& c);

}  // namespace cutset
