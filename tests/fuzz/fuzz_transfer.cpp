// Arbitrary text as a transfer function or a matrix of them, and as a polynomial.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/diagnostic.h"
#include "control/transfer_text.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    if (size > 200) return 0;  // exact powers of sums are long before they are wrong
    Sources sources;
    Diagnostics diagnostics;
    const SourceId id = sources.add("fuzz", std::string(reinterpret_cast<const char*>(data), size));
    parse_transfer_matrix(id, sources, {}, diagnostics);
    parse_polynomial(id, sources, "s", diagnostics);
    for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    return 0;
}
