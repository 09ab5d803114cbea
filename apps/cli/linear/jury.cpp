// cutset jury.
#include "linear/stability_output.h"

namespace cutset::cli {

void add_jury(CommandLine& line) {
    add_stability_table(line, true);
}

}  // namespace cutset::cli
