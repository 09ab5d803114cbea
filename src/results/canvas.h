// What a picture is drawn on. Lengths in pixels of 1/96 inch, x to the right, y down.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "results/plot.h"

namespace cutset {

struct Point {
    double x = 0;
    double y = 0;
};

struct Rectangle {
    double left = 0, top = 0, right = 0, bottom = 0;
    double width() const { return right - left; }
    double height() const { return bottom - top; }
};

struct Colour {
    std::uint8_t red = 0, green = 0, blue = 0;
};

struct Pen {
    Colour colour;
    double width = 1;
    std::vector<double> dash = {};  // lengths on, off, on, ...
};

enum class Anchor { Start, Middle, End };

struct TextStyle {
    double size = 11;  // height of the font
    Anchor anchor = Anchor::Start;
    bool upwards = false;  // turned by 90 degrees to the left
    Colour colour = {34, 34, 34};
};

class Canvas {
  public:
    virtual ~Canvas() = default;
    // Round caps and joins: one point is a dot.
    virtual void polyline(std::span<const Point> points, const Pen& pen) = 0;
    virtual void fill(const Rectangle& area, Colour colour) = 0;
    // A closed shape: what an odd number of its sides surrounds.
    virtual void fill(std::span<const Point> corners, Colour colour) = 0;
    // `at` is on the base line.
    virtual void text(Point at, std::string_view text, const TextStyle& style) = 0;
    virtual void clip(const Rectangle& area) = 0;
    virtual void unclip() = 0;
    virtual double text_width(std::string_view text, double size) const = 0;
};

void draw_plot(const Plot& plot, Canvas& canvas);
// The height that `draw_plot` uses.
double plot_height(const Plot& plot);

// A piece of text in one height: superscript digits become raised plain ones.
struct TextRun {
    std::u32string text;
    bool raised = false;
};
std::vector<TextRun> text_runs(std::string_view utf8);
constexpr double raised_size = 0.72;   // of the font size
constexpr double raised_shift = 0.36;  // of the font size

// A length as text: at most two decimals, none of them a trailing zero.
std::string length_text(double length);

std::u32string decode_utf8(std::string_view utf8);
std::string encode_utf8(char32_t c);
// Advance in Helvetica, in thousandths of the font size.
double helvetica_advance(char32_t c);
double helvetica_width(std::string_view utf8, double size);

// The curve in pixels, one list of points between gaps, with only the points that can be seen: first, lowest,
// highest and last in each strip of width `strip`. `to_pixels` maps (x, y).
template <class ToPixels>
std::vector<std::vector<Point>> visible_points(const Curve& curve, double strip, ToPixels to_pixels);
std::vector<std::vector<Point>> reduce_points(std::vector<std::vector<Point>> pieces, double strip);

template <class ToPixels>
std::vector<std::vector<Point>> visible_points(const Curve& curve, double strip, ToPixels to_pixels) {
    std::vector<std::vector<Point>> pieces;
    bool gap = true;
    for (std::size_t i = 0; i < curve.x.size() && i < curve.y.size(); ++i) {
        const double x = curve.x[i], y = curve.y[i];
        if (x - x != 0 || y - y != 0) {  // not finite
            gap = true;
            continue;
        }
        const Point p = to_pixels(x, y);
        if (p.x - p.x != 0 || p.y - p.y != 0) {  // what is not positive has no place on a logarithmic axis
            gap = true;
            continue;
        }
        if (gap) pieces.emplace_back();
        gap = false;
        std::vector<Point>& piece = pieces.back();
        if (curve.held && !piece.empty()) piece.push_back({p.x, piece.back().y});
        piece.push_back(p);
    }
    return reduce_points(std::move(pieces), strip);
}

}  // namespace cutset
