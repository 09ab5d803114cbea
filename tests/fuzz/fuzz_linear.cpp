// Arbitrary bytes as a linear system in JSON, and as the matrices of a MAT file.
#include <cstddef>
#include <cstdint>
#include <string>

#include "base/diagnostic.h"
#include "base/mat_matrices.h"
#include "results/linear_file.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    const std::string bytes(reinterpret_cast<const char*>(data), size);
    Sources sources;
    Diagnostics diagnostics;
    read_linear_json("fuzz.json", bytes, sources, diagnostics);
    for (const Diagnostic& d : diagnostics.all()) render(d, sources);
    std::string problem;
    read_mat_matrices(bytes, problem);
    return 0;
}
