#include "runs/output_choice.h"

namespace cutset::cli {

void add_output_choice(Command& command, ResultChoice& choice) {
    command.list("--output-variables", choice.variables,
                 "write these variables only: NAME,…, where * stands for any letters and ? for one; for "
                 "example \"Tank*.h,der(*)\" (all)");
    command.flag(
        "--output-parameters", choice.constants_in_rows,
        "in a .csv file, write parameters and constants in every row instead of in a table beside it, "
        "FILE.parameters.csv");
}

}  // namespace cutset::cli
