// What is said about pictures: one function for each message, place first.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"

namespace cutset::picture_messages {

// ---- layout lines
Diagnostic unknown_layout(Span where, std::string_view word);
Diagnostic bad_layout(Span where, std::string_view what, std::string_view form);
Diagnostic layout_without_block(Span where, std::string_view name, const std::string& near);
Diagnostic layout_without_port(Span where, std::string_view name, const std::string& near);
Diagnostic layout_without_line(Span where, std::string_view from, std::string_view to);
Diagnostic placed_twice(Span where, std::string_view name, Span first);
Diagnostic too_much_layout(Span where, std::size_t most);

// ---- commands
Diagnostic no_classes(const std::string& file);
Diagnostic unknown_class(const std::string& name, const std::string& near);
Diagnostic cannot_write(const std::string& problem);
Diagnostic no_models_in(const std::string& directory);
Diagnostic not_a_directory(const std::string& path);

}  // namespace cutset::picture_messages
