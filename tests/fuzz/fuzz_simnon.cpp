// Arbitrary bytes through the Simnon parser, what connects its systems, and the rendering of its messages.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/diagnostic.h"
#include "languages/simnon/lower.h"
#include "languages/simnon/order.h"
#include "languages/simnon/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    Sources sources;
    Diagnostics diagnostics;
    const SourceId id = sources.add("fuzz.t", std::string(reinterpret_cast<const char*>(data), size));
    std::vector<simnon::System> systems, others;
    systems = simnon::parse_systems(sources, id, diagnostics);
    for (const simnon::System& s : systems)
        if (s.kind != SystemKind::Connecting) {
            simnon::lower_system(s, true, diagnostics);
            others.push_back(s);
        }
    for (simnon::System& s : systems)
        if (s.kind == SystemKind::Connecting) {
            simnon::resolve(
                s, others, [](const std::string&) { return std::string(); }, diagnostics);
            simnon::order_of_computation(s, others);
            simnon::report_loops(&s, others, false, diagnostics);
            simnon::lower_connecting(s, others);
        }
    for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    return 0;
}
