// Omola: text → tokens → omola::File. Reports all text errors that it finds, with recovery, and always
// returns a file (with what could be understood).
#pragma once

#include "base/diagnostic.h"
#include "languages/omola/syntax.h"

namespace cutset::omola {

File parse_file(const Sources& sources, SourceId source, Diagnostics& diagnostics);

}  // namespace cutset::omola
