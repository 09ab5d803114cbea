#include "picture/messages.h"

#include <fmt/format.h>

#include "base/message_parts.h"

namespace cutset::picture_messages {

namespace {

std::string meant_or_useless(const std::string& near) {
    return near.empty() ? "remove the line, it has no effect" : fmt::format("did you mean `{}`?", near);
}

}  // namespace

Diagnostic unknown_layout(Span where, std::string_view word) {
    return make_note(where, "unknown-layout",
                     fmt::format("`@ {}` is no layout line that is known here; it is left as it is", word),
                     "known are: frame, NAME at, port, line, show, icon, plot");
}
Diagnostic bad_layout(Span where, std::string_view what, std::string_view form) {
    return make_warning(where, "bad-layout", fmt::format("this layout line of {} is not understood", what),
                        fmt::format("it is written `@ {}`", form));
}
Diagnostic layout_without_block(Span where, std::string_view name, const std::string& near) {
    return make_warning(where, "layout-without-submodel",
                        fmt::format("there is no submodel `{}` to place", name), meant_or_useless(near));
}
Diagnostic layout_without_port(Span where, std::string_view name, const std::string& near) {
    return make_warning(where, "layout-without-cut",
                        fmt::format("there is no cut, input or output `{}` to place", name),
                        meant_or_useless(near));
}
Diagnostic layout_without_line(Span where, std::string_view from, std::string_view to) {
    return make_warning(where, "layout-without-line",
                        fmt::format("no connection joins `{}` and `{}`", from, to), meant_or_useless(""));
}
Diagnostic placed_twice(Span where, std::string_view name, Span first) {
    Diagnostic d =
        make_warning(where, "placed-twice", fmt::format("`{}` is placed twice; the first place counts", name),
                     "remove one of the lines");
    d.related.push_back({first, "placed first here"});
    return d;
}
Diagnostic too_much_layout(Span where, std::size_t most) {
    return make_warning(where, "bad-layout",
                        fmt::format("a length in a layout line is between -{0} and {0}", most));
}

Diagnostic no_classes(const std::string& file) {
    return make_error("no-model", fmt::format("{} has no models to draw", file));
}
Diagnostic unknown_class(const std::string& name, const std::string& near) {
    Diagnostic d = make_error("unknown-model", fmt::format("there is no model `{}`", name),
                              near.empty() ? "" : fmt::format("did you mean `{}`?", near));
    d.concern = Concern::Request;
    return d;
}
Diagnostic cannot_write(const std::string& problem) {
    Diagnostic d = make_error("cannot-write", problem);
    d.concern = Concern::ResultFile;
    return d;
}
Diagnostic no_models_in(const std::string& directory) {
    return make_error("no-model", fmt::format("no models were found in {}", directory),
                      "give a file, or a directory with .dym or .t files");
}
Diagnostic not_a_directory(const std::string& path) {
    Diagnostic d = make_error("cannot-write",
                              fmt::format("{} is there and no directory: the pages are several files", path));
    d.concern = Concern::Request;
    return d;
}

}  // namespace cutset::picture_messages
