// Arbitrary text as a macro of the experiment language.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/diagnostic.h"
#include "session/macro.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    const std::string text(reinterpret_cast<const char*>(data), size);
    Sources sources;
    Diagnostics diagnostics;
    is_macro_text(text);
    parse_macro(sources.add("fuzz", text), sources, diagnostics);
    for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    return 0;
}
