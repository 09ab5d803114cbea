// Arbitrary text after --set, --init, --input and --vary, and as a table of cases.
#include <cstddef>
#include <cstdint>
#include <string>

#include "operations/ensembles/case_list.h"
#include "scratch_file.h"
#include "translate/experiment_text.h"
#include "translate/workspace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    const std::string text(reinterpret_cast<const char*>(data), size);
    Workspace workspace;
    parse_setting(workspace.text, "--set", text, workspace.diagnostics);
    CaseList varied, listed;
    if (size < 200) add_variations({text}, varied, workspace.diagnostics);
    const ScratchFile file(data, size);
    if (file.good()) {
        read_cases(file.path(), listed, workspace.diagnostics);
        read_input("--input", "u", file.path(), workspace.diagnostics);
    }
    for (const Diagnostic& d : workspace.diagnostics.all()) render(d, workspace.text.sources());
    return 0;
}
