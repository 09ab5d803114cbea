// Arbitrary bytes through the parser of Omola, what makes classes of it, and the rendering of its messages.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/diagnostic.h"
#include "languages/omola/lower.h"
#include "languages/omola/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    Sources sources;
    Diagnostics diagnostics;
    const SourceId id = sources.add("fuzz", std::string(reinterpret_cast<const char*>(data), size));
    omola::lower({omola::parse_file(sources, id, diagnostics)}, {}, diagnostics);
    for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    return 0;
}
