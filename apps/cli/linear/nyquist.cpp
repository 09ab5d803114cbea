// cutset nyquist: the curve L(jw), what it encircles, and what that says about the closed loop.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "commands.h"
#include "linear/frequency_output.h"
#include "linear/margins_output.h"
#include "operations/linear/frequency_plots.h"

namespace cutset::cli {

namespace {

std::string encirclements_text(const Channel& c, bool hertz) {
    const Margins& m = *c.margins;
    std::string out;
    const auto edge = boundary_roots(c.function->poles, c.function->sample_time);
    for (const auto& [w, multiplicity] : edge)
        out += fmt::format(
            "  {} on the boundary at {}: passed on the right along a small half circle, the curve closes at "
            "infinity\n",
            multiplicity == 1 ? "pole" : fmt::format("{} poles", multiplicity),
            w == 0 ? std::string("0") : frequency_text(w, hertz));
    out += fmt::format("  open loop      {} unstable pole{} (P = {})\n",
                       m.open_loop_unstable == 0 ? "no" : std::to_string(m.open_loop_unstable),
                       m.open_loop_unstable == 1 ? "" : "s", m.open_loop_unstable);
    if (m.encirclements) {
        const int n = *m.encirclements;
        out += n == 0 ? "  encirclements  none of -1 (N = 0)\n"
                      : fmt::format("  encirclements  {} of -1, {} (N = {})\n", std::abs(n),
                                    n > 0 ? "clockwise" : "counterclockwise", n);
        if (m.closed_loop != Margins::ClosedLoop::Border) {
            out += fmt::format("  closed loop    {}: Z = N + P = {} unstable pole{}\n",
                               m.stable() ? "stable" : "unstable", *m.closed_loop_unstable,
                               *m.closed_loop_unstable == 1 ? "" : "s");
            return out + hidden_text(m);
        }
    } else if (m.closed_loop == Margins::ClosedLoop::InfinitelyUnstable) {
        out +=
            "  encirclements  without end: the curve goes round -1 again and again up to infinite "
            "frequency\n";
    } else if (m.closed_loop == Margins::ClosedLoop::IllPosed) {
        out += "  encirclements  none can be counted: the curve ends in -1 at infinite frequency\n";
    } else {
        out += "  encirclements  the curve passes through -1\n";
    }
    return out + closed_loop_text(m) + hidden_text(m);
}

}  // namespace

void add_nyquist(CommandLine& line) {
    auto o = std::make_shared<FrequencyOptions>();
    Command& c = line.add(
        "nyquist", groups::linear, "Nyquist curve, encirclements of -1, stability of the closed loop", [o] {
            return show_frequency_curves(
                *o,
                {[](const FrequencyStudy& study, bool) { return nyquist_plot(study); },
                 {{"real",
                   [](const FrequencyPoint& p) { return std::exp(p.log_magnitude) * std::cos(p.phase); }},
                  {"imaginary",
                   [](const FrequencyPoint& p) { return std::exp(p.log_magnitude) * std::sin(p.phase); }}},
                 encirclements_text});
        });
    add_frequency_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset nyquist --tf \"5/((s+1)^3)\" -o nyquist.svg\n"
        "  cutset nyquist --tf \"2/(s-1)\"               an unstable plant that feedback makes stable\n"
        "  cutset nyquist loop.json --outputs y1 --inputs u1\n"
        "Dashed: negative frequencies. The loop is 1 + L = 0, with negative feedback of 1.");
}

}  // namespace cutset::cli
