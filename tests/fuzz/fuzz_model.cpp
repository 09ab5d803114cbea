// From arbitrary text to a program: parse, instantiate, transform, generate. Nothing is run.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>

#include "base/diagnostic.h"
#include "generate/generate.h"
#include "instantiate/instantiate.h"
#include "languages/dymola/parse.h"
#include "transform/transform.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    Sources sources;
    Diagnostics diagnostics;
    const SourceId id = sources.add("fuzz.dym", std::string(reinterpret_cast<const char*>(data), size));
    ClassTree classes;
    classes.files.push_back(dymola::parse_file(sources, id, diagnostics));
    if (diagnostics.has_errors()) return 0;
    auto flat = instantiate(classes, "", {}, sources, diagnostics);
    if (!flat || flat->equations.size() > 20000) return 0;
    auto sorted = transform(std::move(*flat), {}, diagnostics);
    if (!sorted) return 0;
    verify(*sorted);
    generate(std::make_shared<const Partition>(std::move(*sorted)));
    return 0;
}
