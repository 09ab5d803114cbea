#include "objects/library_messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::library_messages {

Diagnostic cannot_read_class(Span from, const std::string& path, const std::string& problem) {
    return with_concern(make_error(from, "cannot-read", fmt::format("{}: {}", path, problem)),
                        Concern::MissingFile);
}

Diagnostic other_class_in_file(Span where, const std::string& path, std::string_view wanted) {
    return with_concern(
        make_warning(where, "other-class-in-file",
                     fmt::format("{} does not hold the class {}, as its name says", path, wanted),
                     "a file of a library is named after the one class in it; it is left out"),
        Concern::RestNotRead);
}

Diagnostic errors_in_library(const std::string& path, const Diagnostic& first) {
    return with_concern(
        make_warning(first.where, "errors-in-library", fmt::format("{}: {}", path, first.message),
                     "classes with errors in their text cannot be used"),
        Concern::RestNotRead);
}

Diagnostic package_not_found(Span where, const std::string& package) {
    return make_error(where, "package-not-found", fmt::format("there is no package {}", package),
                      "give its directory with --library, or list it in MODELICAPATH");
}

Diagnostic other_version(Span where, std::string_view library, std::string_view wanted,
                         std::string_view found) {
    return make_warning(
        where, "other-version",
        fmt::format("this was written for {} {}; {} {} is used", library, wanted, library, found),
        "put the directory of that version before the other, or mend the `uses` annotation");
}

Diagnostic only_read(Span where, const std::string& name) {
    return make_error(where, "only-read", fmt::format("{} was read, and is not translated", name),
                      "this version of Cutset reads classes of Modelica only");
}

}  // namespace cutset::library_messages
