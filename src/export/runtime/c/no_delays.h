#include "values.h"

/* ---- no delay lines: what delays.h has, for a model without delays */

static inline void pass_delayed_jumps(void) {}
static inline void record_delays(void) {}
static inline double next_delayed_jump(void) { return INFINITY; }
