// No bytes crash the reader of MAT results.
#include <cstddef>
#include <cstdint>

#include "results/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    cutset::Diagnostics diagnostics;
    cutset::read_mat("fuzz.mat", {reinterpret_cast<const char*>(data), size}, diagnostics);
    return 0;
}
