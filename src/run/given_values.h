// Values of parameters and initial values that the options give instead of those of the Program: its sections
// without the instructions that would compute them.
#pragma once

#include <optional>
#include <utility>
#include <vector>

#include "generate/interpreter.h"
#include "run/simulate.h"

namespace cutset {

class GivenValues {
  public:
    GivenValues(const Program& program, const SimulateOptions& options)
        : program_(program), options_(options) {}

    const Section& parameters();
    const Section& initial();
    void set_starts(Interpreter& values) const;
    bool is_start_given(VariableIndex v) const;

  private:
    Section holding(const Section& section, const std::vector<std::pair<VariableIndex, double>>& held) const;

    const Program& program_;
    const SimulateOptions& options_;
    std::optional<Section> held_parameters_, held_initial_;
};

}  // namespace cutset
