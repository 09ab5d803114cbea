// cutset observability: what the outputs show.
#include <memory>

#include "commands.h"
#include "linear/reachability_output.h"

namespace cutset::cli {

void add_observability(CommandLine& line) {
    auto o = std::make_shared<ReachabilityOptions>();
    o->controllability = false;
    Command& c =
        line.add("observability", groups::linear, "what the outputs show, with the modes that they do not",
                 [o] { return show_reachability(*o); });
    add_reachability_options(c, *o);
    c.footer("Example:\n  cutset observability plant.dym --outputs y");
}

}  // namespace cutset::cli
