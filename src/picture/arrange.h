// Arranging a picture: layout from the text, places and ways for all else.
#pragma once

#include <vector>

#include "picture/class_picture.h"
#include "picture/layout_lines.h"
#include "picture/outside.h"

namespace cutset::picture {

// Where a port of a class is seen on a block that uses it: from the middle of the block.
Block::Terminal terminal_of(const Block& block, const Port& port);

// Puts sides and places that the text gives into the ports of a class.
void place_ports(std::vector<Port>& ports, const Layout& layout, Diagnostics& diagnostics);

// Sizes, places, terminals, frame, ways: all of the picture that is geometry. `outsides` are those of the
// blocks, null where there is none.
void arrange(ClassPicture& picture, const Layout& layout, const std::vector<const Outside*>& outsides,
             Diagnostics& diagnostics);

}  // namespace cutset::picture
