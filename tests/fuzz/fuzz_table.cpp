// Arbitrary bytes as the file of a table, CSV or SQLite.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/diagnostic.h"
#include "instantiate/instantiate.h"
#include "languages/dymola/parse.h"
#include "scratch_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    if (size == 0) return 0;
    const ScratchFile file(data + 1, size - 1);
    if (!file.good()) return 0;
    const bool database = data[0] % 2 == 0, two = data[0] % 4 >= 2;
    const std::string path = file.path() + (database ? ":t" : "");
    const std::string text =
        two ? "model m\n table f(x, y) \"" + path + "\"\n local z\n z = f(time, 1)\nend\n"
            : "model m\n table f(x) \"" + path + "\" smooth\n local z\n z = f(time)\nend\n";
    Sources sources;
    Diagnostics diagnostics;
    ClassTree classes;
    classes.files.push_back(dymola::parse_file(sources, sources.add("fuzz.dym", text), diagnostics));
    instantiate(classes, "", {}, sources, diagnostics);
    for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    return 0;
}
