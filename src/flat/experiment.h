// What the experiment says about a model, whatever language the model is in.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "ir/declared.h"
#include "ir/flat_model.h"
#include "ir/written_expression.h"

namespace cutset {

// Paths are as in results: "Tank1.Area", "s[3].x"; `a::b.v` is
// accepted too.
struct Experiment {
    struct Setting {
        std::string path;
        // Parsed by the caller; numbers, parameters of the model, `time` for inputs.
        written::Expression value;
    };
    struct InputFile {
        std::string path;  // the input variable
        TableData table;   // over time
    };
    std::vector<Setting> parameters;  // --set, structure parameters included
    std::vector<Setting> initials;    // --init
    std::vector<Setting> inputs;      // --input "u=expression"
    std::vector<InputFile> input_files;

    // The choice of boundary variables: --known "v=value", --known v, --unknown u.
    struct Known {
        std::string path;
        std::optional<written::Expression> value;
        std::optional<TableData> table;  // over time
    };
    std::vector<Known> knowns;
    std::vector<std::string> unknowns;

    // Quantities computed with the model: `name` becomes an internal variable of it, equal to the value or to
    // its integral from the start, or an input that has the value until something else is chosen. What they
    // refer to is as it is without them. Later ones may refer to earlier ones by name; the names contain a
    // character that no name of the language has (`#objective`).
    struct Quantity {
        std::string name;
        written::Expression value;
        enum class Kind { Value, Integral, Input } kind = Kind::Value;
    };
    std::vector<Quantity> quantities;
    std::string set_option = "--set", init_option = "--init";  // as messages call them
    bool open = false;  // structure only: inputs that are not given and knowns without a value are no errors
};

}  // namespace cutset
