// cutset studio: the model as one zoomable picture in the browser; the server is in apps/studio.
#include <memory>
#include <string>

#include "commands.h"
#include "runs/limits.h"
#include "studio/worker.h"
#include "studio_server.h"

namespace cutset::cli {

int run_studio_worker() {
    std::unique_ptr<LimitWatch> watch;
    return studio::run_worker(3, [&] {
        std::string problem;
        watch = LimitWatch::start({}, false, true, problem);
    });
}

void add_studio(CommandLine& line) {
    auto o = std::make_shared<studio::ServerSettings>();
    struct Negated {
        bool browser = false;
    };
    auto no = std::make_shared<Negated>();
    Command& c =
        line.add("studio", groups::model, "look at, run and understand a model in the browser", [o, no] {
            o->browser = !no->browser;
            return studio::serve(*o);
        });
    c.positional("FILE", o->path, "a model, or a directory of models; default: the present directory", false)
        .files({".dym", ".t"});
    c.option("--port", o->port, "port on 127.0.0.1; default: any that is free");
    c.flag("--no-browser", no->browser, "do not open the browser");
    c.flag("--print-url", o->print_url, "print the address, with its secret, on standard output");
    c.flag("--stay", o->stay, "go on when the last tab was closed; else the studio ends a minute later");
    c.flag("--allow-external", o->allow_external,
           "functions and systems of the models may run code in shared libraries");
    c.flag("--unconfined", o->unconfined,
           "run also where the kernel cannot hold models to the directory (before Linux 5.13)");
    c.footer(
        "The studio listens on 127.0.0.1 only. Over ssh: ssh -L 8000:127.0.0.1:8000 HOST there, and here\n"
        "  cutset studio --port 8000 --no-browser --print-url\n"
        "Examples:\n"
        "  cutset studio examples/boiler.dym\n"
        "  cutset studio plant --stay");
}

}  // namespace cutset::cli
