// A layout of a graph without cycles: boxes in columns from left to right, every edge to a later column.
//
// Columns by the longest path; an edge over several columns passes each of them at a place of its own. The
// order within the columns is that of the mean of the neighbours, in sweeps to and fro, of which the one with
// the fewest crossings is kept; then boxes move towards their neighbours as far as the others leave room.
#pragma once

#include <cstdint>
#include <utility>
#include <vector>

namespace cutset::graph {

struct LayeredBox {
    double width = 0, height = 0;
    bool first = false;  // a source: stands in the column before what it leads to
    bool last = false;   // stands in the last column
};

struct LayeredGap {
    double column = 60;  // between columns
    double row = 16;     // between boxes of a column
};

struct LayeredLayout {
    struct Place {
        double left = 0, top = 0;
    };
    std::vector<Place> boxes;
    // By edge: where it leaves, the ends of its way through each column between, where it arrives.
    std::vector<std::vector<std::pair<double, double>>> edges;
    double width = 0, height = 0;
};

// Edges go from box to box; there must be no cycle.
LayeredLayout layered_layout(const std::vector<LayeredBox>& boxes,
                             const std::vector<std::pair<std::uint32_t, std::uint32_t>>& edges,
                             const LayeredGap& gap = {});

}  // namespace cutset::graph
