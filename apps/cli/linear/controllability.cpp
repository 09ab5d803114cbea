// cutset controllability: what the inputs reach, and what the outputs show.
#include <memory>

#include "commands.h"
#include "linear/reachability_output.h"

namespace cutset::cli {

void add_controllability(CommandLine& line) {
    auto o = std::make_shared<ReachabilityOptions>();
    Command& c = line.add("controllability", groups::linear,
                          "what the inputs reach and the outputs show, with the modes that they do not",
                          [o] { return show_reachability(*o); });
    add_reachability_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset controllability plant.dym --inputs u --outputs y\n"
        "  cutset controllability plant.json --json\n"
        "Ranks are decided by orthogonal transformations of the scaled system, so units do not matter.");
}

}  // namespace cutset::cli
