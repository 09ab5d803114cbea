// cutset routh.
#include "linear/stability_output.h"

namespace cutset::cli {

void add_routh(CommandLine& line) {
    add_stability_table(line, false);
}

}  // namespace cutset::cli
