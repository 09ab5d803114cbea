// Delays shorter than the step that is being tried: what they ask for depends on the arguments at the point
// where the equations are evaluated, which are found first.
#pragma once

#include "run/instant.h"

namespace cutset {

// By number of the delay.
struct DelayStructure {
    explicit DelayStructure(const Program& program);

    // Its value has a part in derivatives or zero-crossing functions: a jump that comes out of it is one of
    // theirs.
    Flags feeds;
    // Its argument depends on its own value by algebraic equations alone. No step may be longer than it is:
    // what happens in the step would depend on itself.
    Flags circular;
    Flags varies;  // how long it is
};

// The argument of each delay where the equations are evaluated, by `arguments`, which computes them from the
// values that the delays have by now: again until they agree. False where they do not.
bool find_present_arguments(Instant& now, FunctionRef<bool()> arguments);

// Evaluates equations at the time and states as they are.
template <class Run, class Arguments>
bool run_with_delays(Instant& now, Run run, Arguments arguments) {
    if (now.partition.delays.empty()) return run();
    now.state.delays.begin(now.time());
    const bool ran = run();
    if (!now.state.delays.asked()) return ran;
    return find_present_arguments(now, arguments) && run();
}

}  // namespace cutset
