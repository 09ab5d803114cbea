// Arbitrary bytes through the Dymola parser, its printer, the rendering of its messages and the writer of
// Modelica.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/diagnostic.h"
#include "ir/tree_text.h"
#include "languages/dymola/parse.h"
#include "languages/modelica/write.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    const std::string text(reinterpret_cast<const char*>(data), size);
    {
        Sources sources;
        Diagnostics diagnostics;
        const SourceId id = sources.add("fuzz.dym", text);
        const auto file = dymola::parse_file(sources, id, diagnostics);
        tree::tree_text(*file);
        for (const Diagnostic& d : diagnostics.all()) render(d, sources);
        ClassTree classes;
        classes.files.push_back(file);
        modelica::write_modelica(classes);
    }
    {
        Sources sources;
        Diagnostics diagnostics;
        const auto e = dymola::parse_expression(sources, sources.add("fuzz", text), diagnostics);
        if (!e && !diagnostics.has_errors()) __builtin_trap();
        if (e) tree::tree_text(*e);
    }
    return 0;
}
