// A class of the 1977 language as a picture, before it is arranged: what it has, not yet where.
#pragma once

#include <memory>

#include "ir/class_tree.h"
#include "picture/class_reader.h"

namespace cutset::picture {

// The class and the sources outlive it.
std::unique_ptr<ClassReader> dymola_reader(const tree::Class& type, const Sources& sources);

}  // namespace cutset::picture
