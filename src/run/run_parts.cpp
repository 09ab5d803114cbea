#include "run/run_parts.h"

namespace cutset {

RunParts::RunParts(const Program& program, const SimulateOptions& options, RowSink& sink,
                   Diagnostics& diagnostics)
    : now(program, options, diagnostics),
      structure(program, now.selector.empty() && now.residuals.empty()),
      given(program, options),
      sliding(now, structure),
      equations(now, structure, sliding),
      switches(now, structure, sliding),
      settling(now, structure, sliding, equations, switches),
      sides(now, structure, sliding, equations, switches),
      whens(now, settling),
      times(now, structure),
      ranges(now),
      events(now, structure, equations, switches, settling, sides, whens, times, ranges),
      storm(now, sliding, sides),
      initialization(now, structure, equations, switches, settling, whens, times, ranges, events, given),
      rhs(now, structure, sliding, equations),
      crossings(now, structure, sliding, switches, rhs),
      pace(now, rhs),
      growth(now, rhs),
      poles(now),
      outputs(now, sliding, poles, ranges, sink, summary),
      good(now) {}

void RunParts::remember(MemoryStream& stream) {
    stream("equations known", now.equations_known);
    stream("at crossings", now.at_crossings);
    stream("at derivatives", now.at_derivatives);
    now.state.remember(stream);
    if (stream.restores() && stream.good()) now.selector.take(now.values);
    now.loops.remember(now.program, stream);
    equations.remember(stream);
    switches.remember(stream);
    crossings.remember(stream);
    pace.remember(stream);
    growth.remember(stream);
    outputs.remember(stream);
    stream.list("largest states", largest_states);
    if (largest_states.size() > now.layout.state.size()) stream.fail();
}

void check_tables(RunParts& parts) {
    parts.ranges.check_tables(parts.now.values);
    parts.ranges.check_tables(parts.outputs.values());
}

}  // namespace cutset
