#include "values.h"

/* ---- no delay lines: what delays.h has, for a model without delays */

static inline void pass_delayed_jumps(void) {}
static inline void record_delays(void) {}
static inline double next_delayed_jump(const int *varies) { return varies ? INFINITY : 0; }
static inline int jump_is_pending(const int *varies) { return varies == NULL; }
static inline int jump_is_out(const int *varies) { return varies == NULL; }
static const int delay_asked = 0;
static inline int record_start(void) { return 0; }
static inline void begin_delays(void) {}
static inline int take_present_arguments(void) { return 1; }
static inline int negative_delay(void) { return 0; }
