// A file of one language as classes that another one can use: motor.el, motor.om, motor.dym or motor.t is a
// package `motor`. Its models have connectors, and what flows counts into them.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "ir/object_tree.h"

namespace cutset {

inline constexpr const char* foreign_endings[] = {".om", ".el", ".dym", ".t"};

// The name that the file has as a package: its own, without the ending.
std::string foreign_name(const std::string& path);

// The file at `path` as a package; null where it has errors, of which the first is reported. `directories`:
// of libraries that it may use.
std::shared_ptr<const object::File> read_foreign(const std::string& path,
                                                 const std::vector<std::string>& directories,
                                                 Sources& sources, Diagnostics& diagnostics);

// NAME.mo or NAME with one of the endings, in one of the directories, in their order; "" when there is none.
std::string find_foreign(const std::string& name, const std::vector<std::string>& directories);

}  // namespace cutset
