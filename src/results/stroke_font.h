// A font made of strokes, for pictures made of pixels: no font library is needed.
#pragma once

#include <vector>

#include "results/canvas.h"

namespace cutset {

struct StrokeGlyph {
    double advance = 0;                       // in parts of the font size, as all lengths here
    std::vector<std::vector<Point>> strokes;  // from the base line, y up
};

const StrokeGlyph& stroke_glyph(char32_t c);

}  // namespace cutset
