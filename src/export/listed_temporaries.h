// Temporaries of a listed procedure: what stands in it more than once is computed once.
#pragma once

#include "export/listing.h"

namespace cutset {

// Local leaves from here on are temporaries of a procedure; below, values of switches before an event.
inline constexpr std::uint32_t listed_temporary = 1u << 24;

// Puts an assignment to a temporary before the first use of each expression that is used more than once, and
// notes it in Procedure::names. What only stands in branches that may not be taken and calls a function stays
// where it is. What noevent(…) holds is left alone.
void name_shared(Procedure& procedure);

}  // namespace cutset
