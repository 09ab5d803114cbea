// A picture drawn by a function: the way to SVG, PDF and PNG for what is no plot of curves.
#pragma once

#include <functional>
#include <string>
#include <vector>

#include "results/canvas.h"

namespace cutset {

struct Drawing {
    double width = 720, height = 480;  // in pixels of 1/96 inch
    std::function<void(Canvas&)> draw;
};

std::string to_svg(const Drawing& drawing);
std::string to_pdf(const Drawing& drawing);
std::string to_pdf(const std::vector<Drawing>& pages);
std::string to_png(const Drawing& drawing, double scale = 2);

// By the ending of the name: .svg, .pdf, .png.
Problem write_picture(const Drawing& drawing, const std::string& path);

}  // namespace cutset
