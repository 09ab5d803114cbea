// Plots as pixels, for terminals that draw them.
#pragma once

#include <string>
#include <vector>

#include "results/plot.h"

namespace cutset {

struct RasterImage {
    int width = 0, height = 0;
    std::vector<unsigned char> pixels;  // red, green, blue; by rows
};
RasterImage to_pixels(const Plot& plot, double scale = 1);

// The picture as a sixel sequence, at most 256 colours.
std::string to_sixel(const RasterImage& image);

}  // namespace cutset
