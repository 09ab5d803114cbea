// The process that works for one model: it answers the calls of the page about that model, which the server
// hands on. Whatever the model does, it ends no more than this process.
//
//     this thread     reads frames; curves, values, events; sends what is subscribed to
//     analysis        check, submodels, why, loops, incidence, of the text as it is
//     drawings        the pictures of its classes
//     runner          values, settings, runs, console
//     operations      commands of the program, as processes
#pragma once

#include <functional>

namespace cutset::studio {

// With the socket to the server; the first frame says which model. `confined` is called when the process may
// start threads. Returns when the server is gone, with the exit status.
int run_worker(int socket, const std::function<void()>& confined);

}  // namespace cutset::studio
