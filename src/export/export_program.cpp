#include "export/export_program.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "export/emitters.h"
#include "run/equilibrium.h"
#include "run/present_delays.h"
#include "run/step_limit.h"

namespace cutset {

namespace {

using Emitter = std::optional<std::string> (*)(const Partition&, const ExportOptions&, Diagnostics&);

Emitter emitter_of(TargetLanguage language) {
    switch (language) {
        case TargetLanguage::C:
            return emit_c;
        case TargetLanguage::Fortran:
            return emit_fortran;
        case TargetLanguage::Simnon:
            return emit_simnon;
        case TargetLanguage::Latex:
            return emit_latex;
        case TargetLanguage::Modelica:
        case TargetLanguage::Omola:
            break;
    }
    CUTSET_ASSERT(!"this text is made from classes, not from sorted equations");
    return nullptr;
}

ExportOptions export_options(const Partition& partition, const SimulateOptions& run,
                             const std::string& source) {
    ExportOptions options;
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
    return options;
}

bool iterates_at_initialization(const Partition& partition) {
    return std::any_of(partition.initial_blocks.begin(), partition.initial_blocks.end(),
                       [](const Block& block) { return block.kind == BlockKind::Nonlinear; });
}

}  // namespace

std::optional<std::string> export_program(const Program& program, TargetLanguage language,
                                          const SimulateOptions& run, const std::string& source,
                                          Diagnostics& diagnostics) {
    const Partition& partition = *program.partition;
    ExportOptions options = export_options(partition, run, source);
    const DelayStructure delays(program);
    options.circular_delays = delays.circular;
    options.varying_delays = delays.varies;
    if (language != TargetLanguage::Latex && iterates_at_initialization(partition))
        if (const std::optional<Equilibrium> start = initialize_run(program, run))
            options.solved = start->values;
    return emitter_of(language)(partition, options, diagnostics);
}

}  // namespace cutset
