#include "driver/messages.h"

#include <fmt/format.h>

namespace cutset::driver_messages {

Diagnostic cannot_read(Span from, const std::string& path, const std::string& problem) {
    Diagnostic d;
    d.code = "cannot-read";
    d.where = from;
    d.message = fmt::format("cannot read {}: {}", path, problem);
    d.help = "check the name; files named in a model are relative to the file that names them";
    return d;
}

Diagnostic library_left_out(const std::string& path, const Diagnostic& first) {
    Diagnostic d = first;
    d.severity = Severity::Warning;
    d.code = "library-errors";
    d.message =
        fmt::format("the library {} has errors; what could be read of it is used: {}", path, first.message);
    return d;
}

Diagnostic bad_setting(const std::string& option, const std::string& text, const std::string& form) {
    Diagnostic d;
    d.code = "bad-option";
    d.message = fmt::format("{} {}: expected {}", option, text, form);
    return d;
}

Diagnostic bad_input_file(const std::string& option, const std::string& file, const std::string& problem) {
    Diagnostic d;
    d.code = "bad-input-file";
    d.message = fmt::format("{}: cannot use {}: {}", option, file, problem);
    d.help = "the file needs a column of times, rising, and a column of values";
    return d;
}

}  // namespace cutset::driver_messages
