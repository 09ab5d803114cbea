// Rules that the modeller gives for a function: its derivatives and its inverses.
#pragma once

#include "instantiate/functions.h"

namespace cutset {

// Makes the functions that the rules of `f` name, and gives the rules to the callee and to the pool.
void add_function_rules(Context& c, const tree::Function& f, ClassInfo* in, const tree::File* file,
                        const FunctionInstance& made);

}  // namespace cutset
