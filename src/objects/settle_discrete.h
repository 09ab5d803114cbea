// Where discrete variables start from.
#pragma once

#include "ir/flat_model.h"

namespace cutset::objects {

// `initial equation pre(v) = e` with e known before the run gives v its value before the first event; with
// another e, and for v itself, the initial equations determine it (Variable::start_open). After
// separate_discrete.
void settle_discrete(FlatModel& model);

}  // namespace cutset::objects
