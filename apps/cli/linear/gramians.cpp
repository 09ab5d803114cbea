// cutset gramians.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "linear/matrix_text.h"
#include "operations/linear/realization_study.h"

namespace cutset::cli {

namespace {

Json gramians_json(const GramianStudy& study) {
    const Gramians& g = study.gramians;
    Json out = {
        {"controllability_gramian", matrix_json(g.controllability)},
        {"observability_gramian", matrix_json(g.observability)},
        {"hankel_singular_values", std::vector<double>(g.hankel.data(), g.hankel.data() + g.hankel.size())},
        {"residual", study.residual()},
        {"states", study.system.states}};
    if (study.h2) out["h2_norm"] = number_json(*study.h2);
    if (study.hinf) {
        out["hinf_norm"] = number_json(study.hinf->gain);
        out["hinf_frequency"] = number_json(study.hinf->frequency);
    }
    return out;
}

void print_gramians(const GramianStudy& study) {
    const StateSpace& system = study.system;
    const Gramians& g = study.gramians;
    if (system.order() <= 20) {
        fmt::print("{}\n",
                   matrix_text("controllability Gramian", g.controllability, system.states, system.states));
        fmt::print("{}\n",
                   matrix_text("observability Gramian", g.observability, system.states, system.states));
    }
    print_hankel(g.hankel);
    if (study.h2)
        fmt::print("H2 norm                 {}\n",
                   std::isfinite(*study.h2) ? short_number(*study.h2) : "infinite");
    if (study.hinf)
        fmt::print("H-infinity norm         {} at {}\n", short_number(study.hinf->gain),
                   std::isfinite(study.hinf->frequency) ? short_number(study.hinf->frequency) + " rad/s"
                                                        : "infinite frequency");
    fmt::print("residual                {:.1e}\n", study.residual());
}

}  // namespace

void add_gramians(CommandLine& line) {
    auto o = std::make_shared<LinearOptions>();
    Command& c = line.add(
        "gramians", groups::linear, "Gramians, Hankel singular values, H2 and H-infinity norm",
        [o] { return run_study(*o, gramian_study, {.json = gramians_json, .print = print_gramians}); });
    add_linear_options(c, *o);
    c.footer("Examples:\n  cutset gramians plant.json\n  cutset gramians --tf \"1/(s^2+0.1*s+1)\" --json");
}

}  // namespace cutset::cli
