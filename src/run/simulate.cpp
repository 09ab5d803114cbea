#include "run/simulate.h"

#include "run/mode_changes.h"
#include "run/run_time.h"

namespace cutset {

namespace {

// `run` with the time it took.
template <class Run>
RunSummary timed(const SimulateOptions& options, Run run) {
    double seconds = 0;
    RunSummary summary;
    {
        const UnwaitedStopwatch watch(options.measure_times ? &seconds : nullptr, options);
        summary = run();
    }
    if (options.measure_times) summary.times.run = seconds - summary.times.initialise;
    return summary;
}

}  // namespace

JacobianKind jacobian_for(Solver solver) {
    if (solver == Solver::Ida) return JacobianKind::StatesAndLoops;
    return describe(solver).needs_matrix ? JacobianKind::States : JacobianKind::None;
}

RunSummary simulate(const Program& program, const SimulateOptions& options, RowSink& sink,
                    Diagnostics& diagnostics) {
    return timed(options, [&] { return ModeChanges(program, options, sink, diagnostics).run(); });
}

RunSummary simulate(const Program& program, const SimulateOptions& options, RowSink& sink,
                    Diagnostics& diagnostics, std::optional<RunPoint>& end) {
    return timed(options, [&] {
        ModeChanges run(program, options, sink, diagnostics);
        const RunSummary summary = run.run();
        end = run.point();
        return summary;
    });
}

RunSummary simulate_from(const Program& program, const SimulateOptions& options, const RunPoint& from,
                         RowSink& sink, Diagnostics& diagnostics, std::optional<RunPoint>& end) {
    return timed(options, [&] {
        ModeChanges run(program, options, sink, diagnostics);
        const RunSummary summary = run.run_from(from, false);
        end = run.point();
        return summary;
    });
}

std::optional<RunPoint> start_point(const Program& program, const SimulateOptions& options,
                                    Diagnostics& diagnostics) {
    NoRows rows;
    ModeChanges run(program, options, rows, diagnostics);
    run.start();
    return run.point();
}

std::optional<RunPoint> settled_point(const Program& program, const SimulateOptions& options,
                                      const RunPoint& from, Diagnostics& diagnostics) {
    NoRows rows;
    ModeChanges run(program, options, rows, diagnostics);
    run.run_from(from, true);
    return run.point();
}

std::vector<double> parameter_values(const Program& program, const SimulateOptions& options) {
    Diagnostics ignored;
    Instant now(program, options, ignored);
    GivenValues given(program, options);
    now.values[now.layout.time] = options.start;
    now.values.run(given.parameters());
    std::vector<double> values;
    for (Slot slot : now.layout.variable) values.push_back(now.values[slot]);
    return values;
}

}  // namespace cutset
