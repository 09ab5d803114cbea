#include "generate/emit.h"
namespace cutset {
std::optional<std::string> emit_simnon(const Partition&, const EmitOptions&, Diagnostics&) {
    return std::nullopt;
}
std::string emit_latex(const Partition& p) {
    return print_latex(p);
}
}  // namespace cutset
