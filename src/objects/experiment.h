// What the experiment says about a model of the object layer: --set, --init, --input, --known, --unknown and
// the quantities that operations ask for. Its expressions are those of the command line, whatever language
// the model is in; their names are looked up in the model.
#pragma once

#include <vector>

#include "flat/experiment.h"
#include "objects/instances.h"

namespace cutset::objects {

// An expression of the command line in the words of the object tree.
object::Expression as_object_expression(const written::Expression& e);

// By plain path: a.b[2].R.
UserValues read_user_values(const std::vector<Experiment::Setting>& settings);

// Settings that no parameter took.
void check_user_values(Instances& instances, const Experiment& experiment, const UserValues& settings,
                       const UserValues& initials);
// Initial values of derivatives, --init "der(x)=…".
void add_derivative_starts(Instances& instances, const Experiment& experiment);
// Inputs that are given, and the choice of knowns.
void add_boundaries(Instances& instances, const Experiment& experiment);
// Equations of quantities; the last step, so that the model takes no notice of them.
void add_quantities(Instances& instances, const Experiment& experiment);

}  // namespace cutset::objects
