#include "live/live_messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::live_messages {

Diagnostic unknown_name(const std::string& path, const std::string& near) {
    return make_error("unknown-name", fmt::format("the model has no variable {}", path),
                      did_you_mean(near, "names are as in results: Tank1.h, s[3].x"));
}

Diagnostic wrong_kind(const std::string& path, const std::string& what, const std::string& is,
                      const std::string& help) {
    return make_error("wrong-kind", fmt::format("{} is no {}: it is {}", path, what, is), help);
}

Diagnostic not_finite(const std::string& path) {
    return make_error("bad-value", fmt::format("the value for {} is not a finite number", path));
}

Diagnostic not_started() {
    return make_error("not-started", "there is no run to go on with",
                      "simulate first, or restore a checkpoint");
}

Diagnostic already_there(double time, double stop) {
    return make_error("bad-stop",
                      fmt::format("the run stands at time {:.6g}; it cannot go on to {:.6g}", time, stop),
                      fmt::format("give a stop time after {:.6g}", time));
}

Diagnostic element_shapes_model(const std::string& path) {
    return make_error("shapes-model",
                      fmt::format("{} cannot be set alone: the equations depend on its value", path),
                      "set the whole array in the text of the model");
}

Diagnostic no_value(const std::string& path, double time) {
    return make_error("no-value", fmt::format("{} has no value at time {:.6g}", path, time),
                      "what is derived from equations is known once the model has run");
}

Diagnostic not_a_checkpoint(const std::string& file, const std::string& reason) {
    return make_error("bad-checkpoint", fmt::format("{} is no checkpoint that can be read: {}", file, reason),
                      "checkpoints are written by --checkpoint FILE");
}

Diagnostic other_model(const std::string& file, const std::string& theirs, const std::string& ours) {
    return make_error("bad-checkpoint",
                      fmt::format("{} is a checkpoint of the model {}, not of {}", file, theirs, ours),
                      "a checkpoint serves the model that it was made with, also after changes of its text");
}

Diagnostic does_not_fit(const std::string& what, const std::vector<std::string>& names,
                        const std::string& consequence) {
    return make_warning("checkpoint-differs", fmt::format("{}: {}", what, name_list(names, 10)), consequence);
}

}  // namespace cutset::live_messages
