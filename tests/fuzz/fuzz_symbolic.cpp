// Arbitrary text as an expression of symbolic operations.
#include <cstddef>
#include <cstdint>
#include <string>
#include <unordered_map>

#include "base/diagnostic.h"
#include "languages/dymola/parse.h"
#include "operations/symbolic/symbolic_read.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    if (size > 500) return 0;
    Sources sources;
    Diagnostics diagnostics;
    const SourceId id = sources.add("fuzz", std::string(reinterpret_cast<const char*>(data), size));
    if (const auto parsed = dymola::parse_expression(sources, id, diagnostics)) {
        Pool pool;
        std::vector<Expr> divisors;
        std::unordered_map<std::string, std::uint32_t> names;
        read_symbolic(
            pool, *parsed,
            [&](const std::string& name, Span) {
                return std::optional(VariableIndex(
                    names.emplace(name, static_cast<std::uint32_t>(names.size())).first->second));
            },
            divisors, diagnostics);
    }
    for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    return 0;
}
