// Arbitrary text after --set, --init, --input and --vary, as a table of cases, and as the point of --guesses.
#include <cstddef>
#include <cstdint>
#include <optional>
#include <string>

#include "operations/ensembles/case_list.h"
#include "operations/simulation/start_guesses.h"
#include "scratch_file.h"
#include "translate/experiment_text.h"
#include "translate/workspace.h"

namespace {

cutset::FlatModel small_model() {
    using namespace cutset;
    ModelText::Options options;
    options.unsaved = [](const std::string&) {
        return std::optional<std::string>("model m\n local x[2] y\n x' = -x\n y = x[1]\nend\n");
    };
    Workspace workspace;
    workspace.text.load("fuzz.dym", options, workspace.diagnostics);
    return *workspace.text.instantiate("", {}, workspace.diagnostics);
}

}  // namespace

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
        static const FlatModel model = small_model();
        read_guesses(file.path(), model, workspace.diagnostics);
    }
    for (const Diagnostic& d : workspace.diagnostics.all()) render(d, workspace.text.sources());
    return 0;
}
