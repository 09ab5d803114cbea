// Arbitrary bytes as the file of a table: CSV, SQLite, MAT or text, of the Dymola language and as the
// standard library of Modelica reads them.
#include <cstddef>
#include <cstdint>
#include <cstdlib>
#include <fstream>
#include <string>
#include <string_view>

#include "base/diagnostic.h"
#include "instantiate/instantiate.h"
#include "languages/dymola/parse.h"
#include "objects/table_files.h"

namespace {

const std::string& folder() {
    static const std::string made = [] {
        char name[] = "/tmp/cutset-fuzz-XXXXXX";
        return std::string(mkdtemp(name));
    }();
    return made;
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    if (size == 0) return 0;
    constexpr const char* endings[] = {".csv", ".db", ".mat", ".txt"};
    const std::size_t kind = data[0] % 4;
    const bool two = data[0] % 8 >= 4;
    const std::string file = folder() + "/table" + endings[kind];
    std::ofstream(file, std::ios::binary)
        << std::string_view(reinterpret_cast<const char*>(data + 1), size - 1);
    const std::string path = file + (kind == 0 ? "" : ":t");
    const std::string text =
        two ? "model m\n table f(x, y) \"" + path + "\"\n local z\n z = f(time, 1)\nend\n"
            : "model m\n table f(x) \"" + path + "\" smooth\n local z\n z = f(time)\nend\n";
    Sources sources;
    Diagnostics diagnostics;
    ClassTree classes;
    classes.files.push_back(dymola::parse_file(sources, sources.add("fuzz.dym", text), diagnostics));
    instantiate(classes, "", {}, sources, diagnostics);
    for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    objects::TableMatrix matrix;
    std::string problem;
    objects::read_table_file(file, "t", 1, matrix, problem);
    return 0;
}
