#include "translate/translate_mode.h"

#include "translate/translator.h"

namespace cutset {

std::shared_ptr<const Program> translate_mode(FlatModel mode, const std::shared_ptr<const FlatModel>& source,
                                              Diagnostics& diagnostics) {
    TransformOptions options;
    options.initial = InitialMode::Jump;
    options.keep_source = false;
    std::optional<Partition> sorted = sort_equations(std::move(mode), options, diagnostics);
    if (!sorted) return nullptr;
    sorted->source = source;
    return translate(std::make_shared<const Partition>(std::move(*sorted)), {}).program;
}

}  // namespace cutset
