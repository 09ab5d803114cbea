#include "export/export_program.h"

#include <algorithm>

#include "base/diagnostic.h"
#include "export/emit_messages.h"
#include "export/emitters.h"
#include "export/translation_trial.h"
#include "run/equilibrium.h"
#include "run/piecewise_linear.h"
#include "run/present_delays.h"
#include "run/step_limit.h"
#include "run/switch_structure.h"

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
    const SwitchStructure switches(program, true);
    options.in_loops.assign(partition.switches.size(), false);
    options.uncertain.assign(partition.switches.size(), false);
    for (const Loop& loop : program.loops)
        if (!loop.linear && !loop.torn.empty() && is_piecewise_linear(program, loop))
            options.piecewise.push_back(loop.block);
    for (std::size_t i : switches.in_loops) options.in_loops[i] = true;
    for (std::size_t i : switches.uncertain) options.uncertain[i] = true;
    if (language != TargetLanguage::Latex && iterates_at_initialization(partition))
        if (const std::optional<Equilibrium> start = initialize_run(program, run))
            options.solved = start->values;
    if (language == TargetLanguage::C || language == TargetLanguage::Fortran)
        if (const auto obstacle = try_run(program, run)) {
            diagnostics.report(obstacle->held
                                   ? emit_messages::held(language, partition.model,
                                                         partition.switches[*obstacle->held], obstacle->time)
                                   : emit_messages::other_mode(language, obstacle->time));
            return std::nullopt;
        }
    return emitter_of(language)(partition, options, diagnostics);
}

}  // namespace cutset
