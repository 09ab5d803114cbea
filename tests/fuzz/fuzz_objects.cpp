// From arbitrary text of Modelica, Omola or EL to a program: the first byte says which language, the rest is
// the file. Libraries there are none, and nothing is run.
#include <cstddef>
#include <cstdint>
#include <memory>
#include <string>
#include <utility>

#include "generate/generate.h"
#include "transform/transform.h"
#include "translate/workspace.h"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
    using namespace cutset;
    if (size == 0) return 0;
    constexpr const char* endings[] = {".mo", ".om", ".el"};
    const std::string path = std::string("/tmp/cutset-fuzz-no-such-folder/fuzz") + endings[data[0] % 3];
    const std::string written(reinterpret_cast<const char*>(data + 1), size - 1);
    ModelText::Options options;
    options.unsaved = [&](const std::string& asked) {
        return asked == path ? std::optional(written) : std::nullopt;
    };
    Workspace workspace;
    if (workspace.text.load(path, options, workspace.diagnostics)) {
        auto flat = workspace.text.instantiate("", {}, workspace.diagnostics);
        if (flat && flat->equations.size() <= 20000) {
            auto sorted = transform(std::move(*flat), {}, workspace.diagnostics);
            if (sorted) generate(std::make_shared<const Partition>(std::move(*sorted)));
        }
    }
    for (const Diagnostic& d : workspace.diagnostics.all()) render(d, workspace.text.sources());
    return 0;
}
