// cutset sample.
#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "operations/linear/realization_study.h"

namespace cutset::cli {

namespace {

struct SampleOptions : SampleRequest, OutputOptions {
    std::string output;
};

int sample_command(const SampleOptions& options) {
    const bool quiet = options.json || options.quiet;
    return run_study(
        options, sampling_study,
        {.write =
             [&](const StateSpace& system, Diagnostics& diagnostics) {
                 return write_system(system, options.output, quiet, diagnostics);
             },
         .json =
             [&](const StateSpace& system) {
                 Json out = {{"method", options.method == SamplingMethod::Tustin ? "tustin" : "zoh"}};
                 out.update(system_json(system));
                 return out;
             },
         .print =
             [&](const StateSpace& system) {
                 if (!quiet && options.output.empty()) print_system(system);
             }});
}

}  // namespace

void add_sample(CommandLine& line) {
    auto o = std::make_shared<SampleOptions>();
    Command& c = line.add("sample", groups::linear, "sampled system from a continuous one, and back",
                          [o] { return sample_command(*o); });
    add_linear_options(c, *o);
    c.option("--period", o->period, "sampling period [s]");
    c.choice("--method", o->method,
             {{"zoh", SamplingMethod::ZeroOrderHold}, {"tustin", SamplingMethod::Tustin}},
             "zoh: inputs held between samples, exact (default); tustin");
    c.option("--prewarp", o->prewarp, "tustin: the frequency [rad/s] at which the response is kept");
    c.flag("--back", o->back, "from a sampled system to a continuous one");
    c.option("-o,--output", o->output, "write the linear system to FILE.json or FILE.mat");
    c.footer(
        "Examples:\n"
        "  cutset sample motor.dym --inputs u --outputs w --period 0.01 -o motor_d.json\n"
        "  cutset sample filter.json --period 0.1 --method tustin --prewarp 3\n"
        "  cutset sample motor_d.json --back");
}

}  // namespace cutset::cli
