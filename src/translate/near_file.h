// For the message that a model file is not there: what it could be called.
#pragma once

#include <string>
#include <vector>

namespace cutset {

// A model file beside `path`, or in one of the directories, whose name differs little: it has an ending, or
// another one, other letter case, or a letter more or less. "" where there is none, and where `path` is
// there.
std::string near_model_file(const std::string& path, const std::vector<std::string>& directories = {});

}  // namespace cutset
