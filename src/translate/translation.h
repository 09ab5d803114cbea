// A Translation: a Program, the values that it is valid for, and where it came from.
#pragma once

#include <cstddef>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "ir/program.h"
#include "run/simulate.h"
#include "translate/stage_times.h"
#include "translate/valid_values.h"

namespace cutset {

// Where the analysis of a model came from.
struct Provenance {
    enum class Kind {
        Text,               // all of the text was analysed
        EarlierButForSome,  // kept of the text before an edit, but for the blocks of some equations
        EarlierText,        // kept of the text before an edit
        SameText,           // kept with its Program: the text was not even parsed
        OtherTranslation,   // that of another translation of the model, for another solver or other
                            // derivatives
    };
    Kind kind = Kind::Text;
    std::size_t reanalysed = 0;  // equations, of EarlierButForSome
};

struct Translation {
    std::shared_ptr<const Program> program;
    Provenance provenance;
    // Values of parameters and initial values other than those that the Program was made with:
    // SimulateOptions.
    std::vector<std::pair<VariableIndex, double>> given, given_starts;
    // By varied quantity of the question: the parameters that have its value. Empty where the Program has the
    // values that the question gave.
    std::vector<std::vector<VariableIndex>> varied;
    // The other values of parameters that it is valid for, if the question asked for them and there are any.
    std::optional<ValidValues> valid;
    std::vector<bool>
        start_is_held;  // with `valid`, by variable: other initial values are valid too (held_starts)

    const std::shared_ptr<const Partition>& partition() const { return program->partition; }
    const FlatModel& model() const { return program->partition->model; }
    // A run of this translation has its values, and may go through modes.
    void prepare(SimulateOptions& run) const;
};

}  // namespace cutset
