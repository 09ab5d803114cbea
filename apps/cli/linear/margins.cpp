// cutset margins.
#include <fmt/format.h>

#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "linear/margins_output.h"
#include "operations/linear/frequency_study.h"

namespace cutset::cli {

namespace {

struct MarginOptions : LinearOptions {
    bool hertz = false;
};

Json loop_json(const Margins& m) {
    Json out = margins_json(m);
    out["stable"] = m.stable();
    out["poles"] = out["closed_loop_poles"];
    return out;
}

int margins(const MarginOptions& options) {
    return run_study(options, loop_margins, {.json = loop_json, .print = [&](const Margins& m) {
                                                 fmt::print("{}", margins_text(m, options.hertz));
                                             }});
}

}  // namespace

void add_margins(CommandLine& line) {
    auto o = std::make_shared<MarginOptions>();
    Command& c = line.add("margins", groups::linear, "gain, phase, delay and modulus margin of a loop",
                          [o] { return margins(*o); });
    add_linear_options(c, *o);
    c.flag("--hz", o->hertz, "frequencies in Hz instead of rad/s, in text");
    c.footer(
        "Examples:\n"
        "  cutset margins --tf \"4/(s+1)^3\"\n"
        "  cutset margins --tf \"2*exp(-0.3*s)/(s+1)\"\n"
        "  cutset margins loop.json --inputs e --outputs y --json\n"
        "The system is the open loop, closed by negative feedback. Exit status 0 also when the closed loop "
        "is not stable.");
}

}  // namespace cutset::cli
