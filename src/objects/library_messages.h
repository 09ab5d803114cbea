// What is said about libraries of classes. One function per message, place first.
#pragma once

#include <string>
#include <string_view>

#include "base/diagnostic.h"

namespace cutset::library_messages {

Diagnostic cannot_read_class(Span from, const std::string& path, const std::string& problem);
Diagnostic other_class_in_file(Span where, const std::string& path, std::string_view wanted);
// A file of a library has errors, of which `first` is one.
Diagnostic errors_in_library(const std::string& path, const Diagnostic& first);
Diagnostic package_not_found(Span where, const std::string& package);
Diagnostic other_version(Span where, std::string_view library, std::string_view wanted,
                         std::string_view found);

Diagnostic only_read(Span where, const std::string& name);

}  // namespace cutset::library_messages
