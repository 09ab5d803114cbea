// Arbitrary bytes through the parser of EL, what makes classes of it, and the rendering of its messages.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/diagnostic.h"
#include "languages/el/lower.h"
#include "languages/el/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    Sources sources;
    Diagnostics diagnostics;
    const SourceId id = sources.add("fuzz", std::string(reinterpret_cast<const char*>(data), size));
    el::lower({el::parse_file(sources, id, diagnostics)}, 1, diagnostics);
    for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    return 0;
}
