#include "operations/ensembles/sweep_messages.h"

#include <fmt/format.h>

#include "base/bad_option.h"

namespace cutset::sweep_messages {

Diagnostic no_directory(const std::string& directory, const std::string& reason) {
    return bad_option(fmt::format("-o {}: cannot make this directory: {}", directory, reason));
}

Diagnostic another_sweep(const std::string& directory) {
    return bad_option(
        fmt::format("{} holds another sweep: its model, files, options or values are not those of this one",
                    directory),
        "choose another directory with -o, or add --overwrite to replace what is there");
}

Diagnostic cannot_write(const std::string& path) {
    return bad_option(fmt::format("cannot write {}", path));
}

Diagnostic table_not_written(const std::string& problem) {
    return bad_option(problem);
}

Diagnostic writing_stopped(const std::string& problem) {
    return bad_option(problem, "the sweep stopped there; run the same command again to go on");
}

}  // namespace cutset::sweep_messages
