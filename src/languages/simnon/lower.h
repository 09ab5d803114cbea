// Simnon systems as classes of the class tree.
//
// A continuous or discrete system becomes a model type. A connecting system becomes the model to be run: its
// systems are submodels of their own names, connecting statements are equations. A discrete system is sampled
// when the time reaches its TSAMP variable:
//
//     when time >= TS then  x = pre(z)   y = g(x, t, u)   z = f(x, t, u)   TS = …  end
//
// Statements of discrete systems that refer to other systems stand in the model, since only it sees both.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/class_tree.h"
#include "ir/system_summary.h"
#include "languages/simnon/system.h"

namespace cutset::simnon {

// `outside` = false: references to other systems are errors, because there is no connecting system.
std::shared_ptr<tree::Class> lower_system(const System& system, bool outside, Diagnostics& diagnostics);

// The model of another language that a connecting system may mean by a name, "" when there is none. Nothing
// is known of its variables.
using FindModel = std::function<std::string(const std::string& name)>;

// Replaces names of other systems and of their variables by those that these have themselves; reports those
// that there are not, and inputs without value.
void resolve(System& connecting, std::vector<System>& systems, const FindModel& find_model,
             Diagnostics& diagnostics);

// After `resolve`.
std::shared_ptr<tree::Class> lower_connecting(const System& connecting, const std::vector<System>& systems);

SystemSummary summary(const System& system, bool at_top);

}  // namespace cutset::simnon
