#include "export/translate.h"

#include <algorithm>

#include "export/emit.h"
#include "run/equilibrium.h"
#include "run/step_limit.h"

namespace cutset {

std::optional<std::string> translate_program(const Program& program, TargetLanguage language,
                                             const SimulateOptions& run, const std::string& source,
                                             Diagnostics& diagnostics) {
    const Partition& partition = *program.partition;
    if (language == TargetLanguage::Latex) return emit_latex(partition);
    EmitOptions options;
    options.start = run.start;
    options.stop = run.stop;
    options.points = run.points;
    options.step = run.step;
    options.tolerance = run.tolerance;
    options.source = source;
    options.fewest_steps = fewest_steps(partition);
    options.steps_of_period = fewest_steps_of_period(partition);
    options.frequencies = frequencies(partition);
    options.crossings_need_equations = crossings_need_equations(partition);
    const bool iterates = std::any_of(partition.initial_blocks.begin(), partition.initial_blocks.end(),
                                      [](const Block& block) { return block.kind == BlockKind::Nonlinear; });
    if (iterates)
        if (const std::optional<Equilibrium> start = initialize_run(program, run))
            options.solved = start->values;
    switch (language) {
        case TargetLanguage::C:
            return emit_c(partition, options, diagnostics);
        case TargetLanguage::Fortran:
            return emit_fortran(partition, options, diagnostics);
        default:
            return emit_simnon(partition, options, diagnostics);
    }
}

}  // namespace cutset
