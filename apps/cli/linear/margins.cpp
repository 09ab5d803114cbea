// cutset margins.
#include "control/margins.h"

#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "control/state_space_messages.h"
#include "control/transfer_realization.h"
#include "linear/linear_output.h"
#include "linear/linear_source.h"
#include "linear/margins_output.h"
#include "linear/state_space_output.h"

namespace cutset::cli {

namespace {

struct MarginOptions : LinearOptions {
    bool hertz = false;
};

int margins(const MarginOptions& options) {
    Workspace workspace;
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto system = open_linear(options, workspace);
    if (!system) return finish(workspace, options);
    std::optional<Margins> m;
    if (const auto* g = std::get_if<ExactTransferMatrix>(&*system)) {
        if (!g->symbols.empty()) {
            check_realizable(*g, diagnostics);  // says which symbols need values
        } else if (g->rows() != 1 || g->columns() != 1) {
            diagnostics.report(state_space_messages::one_input_one_output("a margin", g->inputs, g->outputs));
        } else {
            report_cancelled(*g, diagnostics);
            m = stability_margins(g->elements[0][0], g->delays[0][0], g->sample_time);
        }
    } else {
        const StateSpace& s = std::get<StateSpace>(*system);
        if (!check_system(s, diagnostics)) return finish(workspace, options);
        if (s.B.cols() != 1 || s.C.rows() != 1)
            diagnostics.report(state_space_messages::one_input_one_output("a margin", s.inputs, s.outputs));
        else
            m = stability_margins(s, 0, 0, diagnostics);
    }
    if (!m) return finish(workspace, options);
    if (options.json) {
        Json out = margins_json(*m);
        out["stable"] = m->stable();
        out["poles"] = out["closed_loop_poles"];
        return finish_json(std::move(out), workspace);
    }
    fmt::print("{}", margins_text(*m, options.hertz));
    std::fflush(stdout);
    return finish(workspace, options);
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
