#include "translate/translate_mode.h"

#include "generate/generate.h"
#include "transform/transform.h"

namespace cutset {

std::unique_ptr<Program> translate_mode(FlatModel mode, const std::shared_ptr<const FlatModel>& source,
                                        Diagnostics& diagnostics) {
    TransformOptions options;
    options.initial = InitialMode::Jump;
    options.keep_source = false;
    std::optional<Partition> sorted = transform(std::move(mode), options, diagnostics);
    if (!sorted) return nullptr;
    sorted->source = source;
    return std::make_unique<Program>(generate(std::make_shared<const Partition>(std::move(*sorted))));
}

}  // namespace cutset
