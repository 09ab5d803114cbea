// Places for blocks that the text does not place: signals and flows to the right, no overlaps, lines short.
//
// Blocks are placed one by one in the order in which the lines mention them, each beside those it is joined
// to that have their place already: to the right of what leads to it, so that a block stands in the column of
// the longest path to it, in the row that makes its lines straight, at the cheapest free spot around. Nothing
// that stands in the list after a block has an influence on its place: blocks and lines that are added at the
// end move nothing. Blocks that no line mentions stand in rows of their own above all others.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "picture/class_picture.h"

namespace cutset::picture {

struct PlaceBlock {
    double width = 30, height = 20;
    std::optional<Spot> at;  // has its place
};
struct PlaceLine {
    std::uint32_t from = 0, to = 0;  // blocks
    Spot from_offset, to_offset;     // of the ends, from the middle of the block
    Side from_side = Side::Right, to_side = Side::Left;
    bool directed = false;
};

// The middles of all blocks. With a frame, in which others were placed by hand, new ones stand in it where
// there is room.
std::vector<Spot> place(const std::vector<PlaceBlock>& blocks, const std::vector<PlaceLine>& lines,
                        const std::optional<Box>& frame = {});

}  // namespace cutset::picture
