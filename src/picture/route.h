// Ways for lines: horizontal and vertical pieces around the blocks.
//
// Each line takes the cheapest way (A*) in the grid that the borders of the blocks and the ends of the lines
// span; length, corners, pieces beside other lines and crossings cost. Lines of one net may share pieces;
// those of different nets that do are moved apart where there is room.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "picture/class_picture.h"

namespace cutset::picture {

struct RouteEnd {
    Spot at;
    std::optional<Side> leaves;  // the direction in which the line goes away; none: any
};
struct RouteLine {
    RouteEnd from, to;
    std::vector<Spot> via;  // on the way, in this order
    std::uint32_t net = 0;
};

// The points of each line, both ends included. A line that has no way goes straight.
std::vector<std::vector<Spot>> route(const std::vector<Box>& blocks, const std::vector<RouteLine>& lines);

}  // namespace cutset::picture
