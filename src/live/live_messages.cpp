#include "live/live_messages.h"

#include <fmt/format.h>

namespace cutset::live_messages {

Diagnostic unknown_name(const std::string& path, const std::string& near) {
    Diagnostic d;
    d.code = "unknown-name";
    d.message = fmt::format("the model has no variable {}", path);
    d.help =
        near.empty() ? "names are as in results: Tank1.h, s[3].x" : fmt::format("did you mean {}?", near);
    return d;
}

Diagnostic wrong_kind(const std::string& path, const std::string& what, const std::string& is,
                      const std::string& help) {
    Diagnostic d;
    d.code = "wrong-kind";
    d.message = fmt::format("{} is no {}: it is {}", path, what, is);
    d.help = help;
    return d;
}

Diagnostic not_finite(const std::string& path) {
    Diagnostic d;
    d.code = "bad-value";
    d.message = fmt::format("the value for {} is not a finite number", path);
    return d;
}

Diagnostic not_started() {
    Diagnostic d;
    d.code = "not-started";
    d.message = "there is no run to go on with";
    d.help = "simulate first, or restore a checkpoint";
    return d;
}

Diagnostic already_there(double time, double stop) {
    Diagnostic d;
    d.code = "bad-stop";
    d.message = fmt::format("the run stands at time {:.6g}; it cannot go on to {:.6g}", time, stop);
    d.help = fmt::format("give a stop time after {:.6g}", time);
    return d;
}

Diagnostic element_shapes_model(const std::string& path) {
    Diagnostic d;
    d.code = "shapes-model";
    d.message = fmt::format("{} cannot be set alone: the equations depend on its value", path);
    d.help = "set the whole array in the text of the model";
    return d;
}

Diagnostic no_value(const std::string& path, double time) {
    Diagnostic d;
    d.code = "no-value";
    d.message = fmt::format("{} has no value at time {:.6g}", path, time);
    d.help = "what is derived from equations is known once the model has run";
    return d;
}

Diagnostic not_a_checkpoint(const std::string& file, const std::string& reason) {
    Diagnostic d;
    d.code = "bad-checkpoint";
    d.message = fmt::format("{} is no checkpoint that can be read: {}", file, reason);
    d.help = "checkpoints are written by `cutset simulate … --checkpoint FILE`";
    return d;
}

Diagnostic other_model(const std::string& file, const std::string& theirs, const std::string& ours) {
    Diagnostic d;
    d.code = "bad-checkpoint";
    d.message = fmt::format("{} is a checkpoint of the model {}, not of {}", file, theirs, ours);
    d.help = "a checkpoint serves the model that it was made with, also after changes of its text";
    return d;
}

Diagnostic does_not_fit(const std::string& what, const std::vector<std::string>& names,
                        const std::string& consequence) {
    constexpr std::size_t most = 10;
    Diagnostic d;
    d.severity = Severity::Warning;
    d.code = "checkpoint-differs";
    std::string list;
    for (std::size_t i = 0; i < names.size() && i < most; ++i) list += (i ? ", " : "") + names[i];
    if (names.size() > most) list += fmt::format(" and {} more", names.size() - most);
    d.message = fmt::format("{}: {}", what, list);
    d.help = consequence;
    return d;
}

}  // namespace cutset::live_messages
