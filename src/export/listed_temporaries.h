// Temporaries of a listed procedure: what stands in it more than once is computed once.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

#include "export/listing.h"

namespace cutset {

// Local leaves from here on are temporaries of a procedure; below, values of switches before an event.
inline constexpr std::uint32_t listed_temporary = 1u << 24;

// Puts an assignment to a temporary before the first use of each expression that is used more than once, and
// notes it in Procedure::names. What only stands in branches that may not be taken and calls a function stays
// where it is. What noevent(…) holds is left alone.
void name_shared(Procedure& procedure);

// The lines of a procedure as `text` writes them, without temporaries that no other line mentions. `text`
// adds the temporaries that it mentions to `used`.
std::vector<std::string> used_lines(const Procedure& procedure, std::vector<std::uint32_t>& used,
                                    const std::function<std::string(const CodeLine&)>& text);

}  // namespace cutset
