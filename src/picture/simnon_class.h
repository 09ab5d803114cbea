// Systems of Simnon as pictures, before they are arranged. A connecting system is a block diagram: its
// systems are blocks, sums, products and negations in its assignments are symbols, other expressions
// generators.
#pragma once

#include <memory>

#include "languages/simnon/system.h"
#include "picture/class_reader.h"

namespace cutset::picture {

// The sources outlive it.
std::unique_ptr<ClassReader> simnon_reader(simnon::System system, const Sources& sources);

}  // namespace cutset::picture
