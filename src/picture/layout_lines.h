// The layout of a class as its text gives it, in comment lines that begin with `@`:
//
//     --@ frame 200 120                       own coordinates, origin lower left, y up
//     --@ drum at 60 80 size 30 20 turn 90 flip
//     --@ port steam right 60                 side of the frame and place along it
//     --@ line drum:steam superh1:insteam via 80,84 80,76
//     --@ show name below 60                  levels by the size on the screen, in pixels
//     --@ show text below 200 "Drum and downcomers"
//     --@ icon rectangle 2 2 38 28 fill blue  in a frame of 40 by 30
//     --@ plot P z at 60 40 size 40 24
//     --@ transfer u y b a ascending          a transfer function from u to y with the coefficients b and a
//     --@ text at 30 20 size 50 30            where equations stand beside the blocks
//
// In Simnon the lines begin with `"@`. What is not understood is left to others and reported as a note.
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "base/diagnostic.h"
#include "picture/class_picture.h"

namespace cutset::picture {

struct LayoutLine {
    std::string text;  // without the comment mark and the `@`
    Span where;
};

// The comment lines with layout in `text`, that of a whole source.
std::vector<LayoutLine> find_layout_lines(const std::string& text, SourceId source, std::string_view mark);

struct Layout {
    struct Placement {
        std::string name;
        Spot at;
        std::optional<Spot> size;
        int turn = 0;
        bool flip = false;
        Span where;
    };
    struct PortPlace {
        std::string name;
        Side side = Side::Left;
        double along = 0;  // in the coordinates of the class
        Span where;
    };
    struct Route {
        std::string from, to;  // `drum:steam`, `steam`, `Y[MOTOR]`
        std::vector<Spot> via;
        Span where;
    };
    std::optional<Spot> frame;
    std::vector<Placement> placements;
    std::vector<PortPlace> ports;
    std::vector<Route> routes;
    std::vector<Breakpoint> breakpoints;
    std::vector<Display> displays;
    std::vector<Primitive> icon;
    std::optional<Box> text_box;
    std::optional<TransferFunction> transfer;
};

Layout read_layout(const std::vector<LayoutLine>& lines, Diagnostics& diagnostics);

}  // namespace cutset::picture
