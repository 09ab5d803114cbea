// `cutset studio`: listens on 127.0.0.1 only, and serves until its terminal ends it or the last tab is gone.
#pragma once

#include <functional>
#include <optional>
#include <string>

#include "supervisor.h"

namespace cutset::studio {

struct ServerSettings {
    std::string path;  // a file or a directory; empty: the present one
    std::optional<int> port;
    bool browser = true;  // open it
    bool print_url = false;
    bool stay = false;  // also when the last tab is closed
    bool allow_external = false;
    bool unconfined = false;  // workers, where the kernel cannot confine them
};

// The exit status. What is to be said goes to standard error, the address to standard output.
int serve(const ServerSettings& settings);

}  // namespace cutset::studio
