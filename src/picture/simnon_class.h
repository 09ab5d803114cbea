// Systems of Simnon as pictures, before they are arranged. A connecting system is a block diagram: its
// systems are blocks, sums, products and negations in its assignments are symbols, other expressions
// generators.
#pragma once

#include <vector>

#include "languages/simnon/system.h"
#include "picture/class_picture.h"
#include "picture/outside.h"

namespace cutset::picture {

Outside simnon_outside(const simnon::System& system);

ClassPicture simnon_picture(const simnon::System& system, const Outside& outside, const Sources& sources,
                            const FindClass& find);

}  // namespace cutset::picture
