// No archive of arrays crashes the reader of results, nor does a table of parameters.
#include <cstddef>
#include <cstdint>

#include "results/parameters_file.h"
#include "results/reader.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    const std::string_view bytes(reinterpret_cast<const char*>(data), size);
    cutset::Diagnostics diagnostics;
    cutset::read_npz("fuzz.npz", bytes, diagnostics);
    cutset::read_parameters(bytes);
    return 0;
}
