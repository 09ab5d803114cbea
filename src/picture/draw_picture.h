// Pictures on paper: a class with its blocks, opened to a depth, as a drawing for SVG, PDF and PNG.
#pragma once

#include <string>

#include "picture/class_pictures.h"
#include "results/drawing.h"

namespace cutset::picture {

struct DrawOptions {
    int depth = 1;        // 0: the block from outside; 1: its inside; 2: the inside of its blocks; …
    double width = 0;     // in pixels of 1/96 inch; 0: what suits the depth
    bool heading = true;  // name and purpose above
};

// The drawing keeps what it needs of the pictures, which must outlive it.
Drawing draw_picture(ClassPictures& pictures, const ClassPicture& picture, const DrawOptions& options);

}  // namespace cutset::picture
