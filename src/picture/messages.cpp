#include "picture/messages.h"

#include <fmt/format.h>

namespace cutset::picture_messages {

namespace {

Diagnostic made(Severity severity, const char* code, Span where, std::string message, std::string help = "") {
    Diagnostic d;
    d.severity = severity;
    d.code = code;
    d.where = where;
    d.message = std::move(message);
    d.help = std::move(help);
    return d;
}

std::string did_you_mean(const std::string& near) {
    return near.empty() ? "remove the line, it has no effect" : fmt::format("did you mean `{}`?", near);
}

}  // namespace

Diagnostic unknown_layout(Span where, std::string_view word) {
    return made(Severity::Note, "unknown-layout", where,
                fmt::format("`@ {}` is no layout line that is known here; it is left as it is", word),
                "known are: frame, NAME at, port, line, show, icon, plot");
}
Diagnostic bad_layout(Span where, std::string_view what, std::string_view form) {
    return made(Severity::Warning, "bad-layout", where,
                fmt::format("this layout line of {} is not understood", what),
                fmt::format("it is written `@ {}`", form));
}
Diagnostic layout_without_block(Span where, std::string_view name, const std::string& near) {
    return made(Severity::Warning, "layout-without-submodel", where,
                fmt::format("there is no submodel `{}` to place", name), did_you_mean(near));
}
Diagnostic layout_without_port(Span where, std::string_view name, const std::string& near) {
    return made(Severity::Warning, "layout-without-cut", where,
                fmt::format("there is no cut, input or output `{}` to place", name), did_you_mean(near));
}
Diagnostic layout_without_line(Span where, std::string_view from, std::string_view to) {
    return made(Severity::Warning, "layout-without-line", where,
                fmt::format("no connection joins `{}` and `{}`", from, to), did_you_mean(""));
}
Diagnostic placed_twice(Span where, std::string_view name, Span first) {
    Diagnostic d =
        made(Severity::Warning, "placed-twice", where,
             fmt::format("`{}` is placed twice; the first place counts", name), "remove one of the lines");
    d.related.push_back({first, "placed first here"});
    return d;
}
Diagnostic too_much_layout(Span where, std::size_t most) {
    return made(Severity::Warning, "bad-layout", where,
                fmt::format("a length in a layout line is between -{0} and {0}", most));
}

Diagnostic no_classes(const std::string& file) {
    return made(Severity::Error, "no-model", {}, fmt::format("{} has no models to draw", file));
}
Diagnostic unknown_class(const std::string& name, const std::string& near) {
    Diagnostic d = made(Severity::Error, "unknown-model", {}, fmt::format("there is no model `{}`", name),
                        near.empty() ? "" : fmt::format("did you mean `{}`?", near));
    d.concern = Concern::Request;
    return d;
}
Diagnostic cannot_write(const std::string& problem) {
    Diagnostic d = made(Severity::Error, "cannot-write", {}, problem);
    d.concern = Concern::ResultFile;
    return d;
}
Diagnostic no_models_in(const std::string& directory) {
    return made(Severity::Error, "no-model", {}, fmt::format("no models were found in {}", directory),
                "give a file, or a directory with .dym or .t files");
}
Diagnostic not_a_directory(const std::string& path) {
    Diagnostic d = made(Severity::Error, "cannot-write", {},
                        fmt::format("{} is there and no directory: the pages are several files", path));
    d.concern = Concern::Request;
    return d;
}

}  // namespace cutset::picture_messages
