// When clauses: their actions one by one, with loops unrolled, choices turned into guards, and equations in
// new values solved for them where a formula does.
#pragma once

#include "instantiate/expressions.h"

namespace cutset {

// What clauses assign is discrete, however it was declared; known before equations differentiate anything.
void find_discrete(Context& c);

void add_when(Context& c, const tree::When& when, Scope s);

// Two clauses with one condition that give a variable two different numbers: they would always contradict
// each other.
void refuse_certain_conflicts(Context& c);

// "a parameter", "a discrete variable" …, for messages.
const char* kind_word(const Variable& v);

}  // namespace cutset
