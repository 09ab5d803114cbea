// The sorted equations as a LaTeX document.
#include "export/emitters.h"

namespace cutset {

std::optional<std::string> emit_latex(const Partition& partition, const ExportOptions&, Diagnostics&) {
    return print_latex(partition);
}

}  // namespace cutset
