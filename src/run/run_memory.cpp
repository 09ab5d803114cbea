#include "run/run_memory.h"

#include <cstdint>

#include "base/fingerprint.h"

namespace cutset {

namespace {

class Bytes {
  public:
    template <class T>
    void add(const T& value) {
        text_.append(reinterpret_cast<const char*>(&value), sizeof value);
    }
    void add(const Section& section) {
        add(section.instructions.size());
        for (const Instruction& i : section.instructions) {
            add(i.code);
            add(i.op);
            add(i.to);
            add(i.a);
            add(i.b);
        }
    }
    template <class List>
    void add_all(const List& list) {
        add(list.size());
        for (const auto& element : list) add(element);
    }
    const std::string& text() const { return text_; }

  private:
    std::string text_;
};

}  // namespace

std::string fingerprint_of(const Program& program) {
    Bytes bytes;
    bytes.add_all(program.constants);
    bytes.add_all(program.layout.variable);
    bytes.add_all(program.layout.state);
    bytes.add_all(program.layout.derivative);
    bytes.add_all(program.layout.switches);
    for (const CallSite& call : program.calls) bytes.add_all(call.arguments);
    for (const Loop& loop : program.loops) {
        bytes.add(loop.linear);
        bytes.add_all(loop.torn);
        bytes.add_all(loop.nominal);
        bytes.add(loop.residual);
        bytes.add(loop.jacobian);
        bytes.add(loop.rest);
    }
    for (const Section* section :
         {&program.parameters, &program.clocks, &program.continuous, &program.fixed, &program.stepwise,
          &program.derivatives, &program.event_indicators, &program.past, &program.eliminated,
          &program.crossings, &program.conditions})
        bytes.add(*section);
    if (program.jacobian) bytes.add(program.jacobian->section);
    return fingerprint(bytes.text()).text();
}

RunSettings RunSettings::of(const SimulateOptions& o) {
    return {o.start,           o.stop,   o.points,    o.step,     o.every_step,  o.tolerance, o.absolute,
            o.local_tolerance, o.solver, o.step_size, o.max_step, o.step_control};
}

void RunSettings::remember(MemoryStream& memory) {
    memory("start", start);
    memory("stop", stop);
    memory("points", points);
    memory("step", step);
    memory("every step", every_step);
    memory("tolerance", tolerance);
    memory("absolute", absolute);
    memory("local tolerance", local_tolerance);
    memory("solver", solver);
    memory("step size", step_size);
    memory("longest step", max_step);
    memory("step control", step_control);
    if (static_cast<std::size_t>(solver) >= solver_list().size() || !(start < stop)) memory.fail();
}

// Output points do not disturb the steps.
bool RunMemory::serves(const Program& of, const SimulateOptions& options) const {
    const RunSettings wanted = RunSettings::of(options);
    return !integrator.entries.empty() && wanted.start == settings.start && wanted.stop == settings.stop &&
           wanted.tolerance == settings.tolerance && wanted.absolute == settings.absolute &&
           wanted.local_tolerance == settings.local_tolerance && wanted.solver == settings.solver &&
           wanted.step_size == settings.step_size && wanted.max_step == settings.max_step &&
           wanted.step_control == settings.step_control && fingerprint_of(of) == program;
}

}  // namespace cutset
