// Arbitrary bytes through the reader of Modelica: classes, their annotations, the rendering of messages.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/diagnostic.h"
#include "ir/object_text.h"
#include "languages/modelica/parse.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    Sources sources;
    Diagnostics diagnostics;
    const SourceId id = sources.add("fuzz.mo", std::string(reinterpret_cast<const char*>(data), size));
    const auto file = modelica::parse_file(sources, id, diagnostics);
    object::object_text(*file);
    for (const auto& c : file->classes) modelica::parse_annotation(sources, c->annotation, diagnostics);
    for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    return 0;
}
