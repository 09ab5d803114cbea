// Arbitrary lines typed into the line editor.
#include <cstddef>
#include <cstdint>
#include <sstream>
#include <string>

#include "session/line_editor.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    if (size > 2000) return 0;
    LineEditor editor({"CONTINUOUS SYSTEM S", "STATE X", "DER DX", "DX = -X", "END"},
                      [](const std::string&) {});
    editor.start_editing();
    std::istringstream lines(std::string(reinterpret_cast<const char*>(data), size));
    for (std::string line; std::getline(lines, line);)
        if (editor.line(line) != LineEditor::State::Open) break;
    return 0;
}
