// cutset zeros.
#include <fmt/format.h>

#include <cstdlib>
#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "linear/symbolic_roots.h"
#include "operations/linear/pole_study.h"

namespace cutset::cli {

namespace {

Json zeros_json(const ZeroStudy& study) {
    Json out = {{"zeros", complex_json(study.invariant)},
                {"transmission_zeros", complex_json(study.transmission)},
                {"decoupling_zeros", complex_json(study.decoupling)},
                {"normal_rank", study.normal_rank},
                {"degenerate", study.degenerate},
                {"inputs", study.inputs},
                {"outputs", study.outputs}};
    if (study.gain) out["gain"] = number_json(study.gain->value);
    if (study.sample_time) out["sample_time"] = *study.sample_time;
    return out;
}

void print_zeros(const ZeroStudy& study) {
    if (study.normal_rank == 0)
        fmt::print("{}\n", zero_function);
    else
        print_poles("zeros", study.transmission, study.sample_time);
    if (!study.decoupling.empty())
        print_poles("further, of modes that the inputs do not reach or the outputs do not show",
                    study.decoupling, study.sample_time);
    if (study.normal_rank == 0) return;
    if (study.gain)
        fmt::print("gain {}, {} more {}\n", short_number(study.gain->value),
                   std::abs(study.gain->more_poles_than_zeros),
                   study.gain->more_poles_than_zeros >= 0 ? "poles than zeros" : "zeros than poles");
    else
        fmt::print("rank of the transfer matrix: {}{}\n", study.normal_rank,
                   study.degenerate
                       ? ", less than inputs and outputs: some combination of outputs always vanishes"
                       : "");
}

int zeros_command(const LinearOptions& options) {
    using Study = std::variant<ZeroStudy, SymbolicRoots>;
    return run_study(options, zero_study,
                     {.json =
                          [](const Study& study) {
                              if (const auto* zeros = std::get_if<ZeroStudy>(&study))
                                  return zeros_json(*zeros);
                              return symbolic_roots_json(std::get<SymbolicRoots>(study));
                          },
                      .print =
                          [](const Study& study) {
                              if (const auto* zeros = std::get_if<ZeroStudy>(&study))
                                  print_zeros(*zeros);
                              else
                                  print_symbolic_roots(std::get<SymbolicRoots>(study), "zeros");
                          }});
}

}  // namespace

void add_zeros(CommandLine& line) {
    auto o = std::make_shared<LinearOptions>();
    Command& c = line.add("zeros", groups::linear, "zeros of a system with any number of inputs and outputs",
                          [o] { return zeros_command(*o); });
    add_linear_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset zeros motor.dym --inputs u --outputs w\n"
        "  cutset zeros plant.json --json\n"
        "JSON: `zeros` are the invariant zeros; without `decoupling_zeros` they are the "
        "`transmission_zeros`.");
}

}  // namespace cutset::cli
