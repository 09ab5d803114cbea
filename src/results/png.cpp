// The canvas of pixels, and PNG.
#include <zlib.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "results/drawing.h"
#include "results/raster.h"
#include "results/stroke_font.h"

namespace cutset {

namespace {

class RasterCanvas final : public Canvas {
  public:
    RasterCanvas(double width, double height, double scale)
        : scale_(scale),
          width_(std::clamp(static_cast<int>(std::ceil(width * scale)), 1, 20000)),
          height_(std::clamp(static_cast<int>(std::ceil(height * scale)), 1, 20000)),
          pixels_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_) * 3, 255),
          coverage_(static_cast<std::size_t>(width_) * static_cast<std::size_t>(height_)) {
        unclip();
    }

    void polyline(std::span<const Point> points, const Pen& pen) override {
        begin_shape();
        stroke(points, pen);
        blend(pen.colour);
    }

    void fill(const Rectangle& r, Colour colour) override {
        const int left = std::max(clip_left_, pixel(r.left)), right = std::min(clip_right_, pixel(r.right));
        const int top = std::max(clip_top_, pixel(r.top)), bottom = std::min(clip_bottom_, pixel(r.bottom));
        for (int y = top; y < bottom; ++y)
            for (int x = left; x < right; ++x) set(x, y, colour, 1);
    }

    // Coverage by several lines through each row of pixels.
    void fill(std::span<const Point> corners, Colour colour) override {
        constexpr int lines = 4;
        if (corners.size() < 3) return;
        begin_shape();
        double low = 1e6, high = -1e6;
        for (const Point& p : corners) {
            low = std::min(low, p.y * scale_);
            high = std::max(high, p.y * scale_);
        }
        dirty_top_ = std::max(clip_top_, static_cast<int>(std::floor(std::max(low, -1e6))));
        dirty_bottom_ = std::min(clip_bottom_, static_cast<int>(std::ceil(std::min(high, 1e6))) + 1);
        dirty_left_ = clip_left_;
        dirty_right_ = clip_right_;
        std::vector<double> crossings;
        for (int y = dirty_top_; y < dirty_bottom_; ++y)
            for (int k = 0; k < lines; ++k) {
                const double at = y + (k + 0.5) / lines;
                crossings.clear();
                for (std::size_t i = 0; i < corners.size(); ++i) {
                    const Point a = corners[i], b = corners[(i + 1) % corners.size()];
                    const double ay = a.y * scale_, by = b.y * scale_;
                    if ((ay <= at) == (by <= at)) continue;
                    crossings.push_back((a.x + (b.x - a.x) * (at - ay) / (by - ay)) * scale_);
                }
                std::sort(crossings.begin(), crossings.end());
                for (std::size_t i = 0; i + 1 < crossings.size(); i += 2)
                    cover_row(y, crossings[i], crossings[i + 1], 1.0 / lines);
            }
        blend(colour);
    }

    void text(Point at, std::string_view text, const TextStyle& style) override {
        const double shift = style.anchor == Anchor::Start ? 0.0
                             : style.anchor == Anchor::End ? -text_width(text, style.size)
                                                           : -text_width(text, style.size) / 2;
        begin_shape();
        double along = shift;
        for (const TextRun& run : text_runs(text)) {
            const double size = style.size * (run.raised ? raised_size : 1);
            const double up = run.raised ? raised_shift * style.size : 0;
            for (char32_t c : run.text) {
                const StrokeGlyph& glyph = stroke_glyph(c);
                for (const auto& line : glyph.strokes) {
                    std::vector<Point> points;
                    for (const Point p : line) {
                        const double u = along + p.x * size, v = up + p.y * size;
                        points.push_back(style.upwards ? Point{at.x - v, at.y - u}
                                                       : Point{at.x + u, at.y - v});
                    }
                    stroke(points, {style.colour, 0.095 * size});
                }
                along += glyph.advance * size;
            }
        }
        blend(style.colour);
    }

    void clip(const Rectangle& r) override {
        clip_left_ = std::clamp(pixel(r.left), 0, width_);
        clip_right_ = std::clamp(pixel(r.right), 0, width_);
        clip_top_ = std::clamp(pixel(r.top), 0, height_);
        clip_bottom_ = std::clamp(pixel(r.bottom), 0, height_);
    }
    void unclip() override {
        clip_left_ = clip_top_ = 0;
        clip_right_ = width_;
        clip_bottom_ = height_;
    }

    double text_width(std::string_view text, double size) const override {
        double width = 0;
        for (const TextRun& run : text_runs(text))
            for (char32_t c : run.text)
                width += stroke_glyph(c).advance * size * (run.raised ? raised_size : 1);
        return width;
    }

    RasterImage image() const { return {width_, height_, pixels_}; }

    std::string png() const {
        std::string raw;
        const std::size_t row = static_cast<std::size_t>(width_) * 3;
        raw.reserve((row + 1) * static_cast<std::size_t>(height_));
        for (int y = 0; y < height_; ++y) {
            const unsigned char* p = pixels_.data() + static_cast<std::size_t>(y) * row;
            raw += '\x01';  // each byte as the difference to the pixel on its left
            for (std::size_t k = 0; k < row; ++k)
                raw += static_cast<char>(static_cast<unsigned char>(p[k] - (k < 3 ? 0 : p[k - 3])));
        }
        uLongf size = compressBound(raw.size());
        std::string packed(size, '\0');
        compress2(reinterpret_cast<Bytef*>(packed.data()), &size, reinterpret_cast<const Bytef*>(raw.data()),
                  raw.size(), Z_BEST_COMPRESSION);
        packed.resize(size);

        std::string header;
        put_word(header, static_cast<std::uint32_t>(width_));
        put_word(header, static_cast<std::uint32_t>(height_));
        header += std::string("\x08\x02\x00\x00\x00", 5);  // 8 bits, RGB, no interlace
        std::string resolution;
        const auto per_metre = static_cast<std::uint32_t>(std::lround(scale_ * 96 / 0.0254));
        put_word(resolution, per_metre);
        put_word(resolution, per_metre);
        resolution += '\x01';
        std::string out = "\x89PNG\r\n\x1A\n";
        put_chunk(out, "IHDR", header);
        put_chunk(out, "pHYs", resolution);
        put_chunk(out, "IDAT", packed);
        put_chunk(out, "IEND", "");
        return out;
    }

  private:
    int pixel(double v) const { return static_cast<int>(std::clamp(std::round(v * scale_), -1e6, 1e6)); }

    static void put_word(std::string& out, std::uint32_t v) {
        for (int k = 24; k >= 0; k -= 8) out += static_cast<char>(v >> k);
    }
    static void put_chunk(std::string& out, const char* type, const std::string& data) {
        put_word(out, static_cast<std::uint32_t>(data.size()));
        const std::string body = type + data;
        out += body;
        put_word(out, static_cast<std::uint32_t>(crc32(0, reinterpret_cast<const Bytef*>(body.data()),
                                                       static_cast<uInt>(body.size()))));
    }

    void set(int x, int y, Colour colour, double part) {
        unsigned char* p = pixels_.data() + (static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                                             static_cast<std::size_t>(x)) *
                                                3;
        const std::uint8_t to[3] = {colour.red, colour.green, colour.blue};
        for (int k = 0; k < 3; ++k)
            p[k] = static_cast<unsigned char>(std::lround(p[k] + (to[k] - p[k]) * part));
    }

    void cover_row(int y, double left, double right, double part) {
        const int first = std::max(clip_left_, static_cast<int>(std::floor(std::max(left, -1e6))));
        const int last = std::min(clip_right_, static_cast<int>(std::ceil(std::min(right, 1e6))));
        for (int x = first; x < last; ++x) {
            const double covered = std::min(right, x + 1.0) - std::max(left, static_cast<double>(x));
            coverage_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                      static_cast<std::size_t>(x)] += static_cast<float>(part * covered);
        }
    }

    // A shape collects the largest coverage of each pixel, so that joints and crossings do not become darker.
    void begin_shape() {
        dirty_left_ = width_;
        dirty_top_ = height_;
        dirty_right_ = dirty_bottom_ = 0;
    }

    void stroke(std::span<const Point> points, const Pen& pen) {
        if (points.empty()) return;
        const double half = std::max(pen.width * scale_, 1.0) / 2;
        if (pen.dash.empty() || points.size() < 2) {
            if (points.size() == 1) cover(points[0], points[0], half);
            for (std::size_t i = 1; i < points.size(); ++i) cover(points[i - 1], points[i], half);
            return;
        }
        std::size_t phase = 0;
        double left = pen.dash[0];
        for (std::size_t i = 1; i < points.size(); ++i) {
            Point a = points[i - 1];
            const Point b = points[i];
            double length = std::hypot(b.x - a.x, b.y - a.y);
            while (length > 0) {
                const double step = std::min(left, length);
                const Point c{a.x + (b.x - a.x) * step / length, a.y + (b.y - a.y) * step / length};
                if (phase % 2 == 0) cover(a, c, half);
                a = c;
                length -= step;
                left -= step;
                if (left <= 1e-9) left = pen.dash[++phase % pen.dash.size()];
            }
        }
    }

    // Coverage by the distance to the segment: 1 inside, falling to 0 over one pixel at the border.
    void cover(Point a, Point b, double half) {
        a = {a.x * scale_, a.y * scale_};
        b = {b.x * scale_, b.y * scale_};
        const double reach = half + 1;
        const double dx = b.x - a.x, dy = b.y - a.y, square = dx * dx + dy * dy;
        const int top =
            std::max(clip_top_, static_cast<int>(std::floor(std::max(std::min(a.y, b.y) - reach, -1e6))));
        const int bottom = std::min(
            clip_bottom_, static_cast<int>(std::ceil(std::min(std::max(a.y, b.y) + reach, 1e6))) + 1);
        for (int y = top; y < bottom; ++y) {
            // Only the part of the row that the line can touch.
            double low = std::min(a.x, b.x), high = std::max(a.x, b.x);
            if (std::fabs(dy) > 1e-9) {
                const double t0 = std::clamp((y + 0.5 - reach - a.y) / dy, 0.0, 1.0);
                const double t1 = std::clamp((y + 0.5 + reach - a.y) / dy, 0.0, 1.0);
                low = std::min(a.x + t0 * dx, a.x + t1 * dx);
                high = std::max(a.x + t0 * dx, a.x + t1 * dx);
            }
            const int left = std::max(clip_left_, static_cast<int>(std::floor(std::max(low - reach, -1e6))));
            const int right =
                std::min(clip_right_, static_cast<int>(std::ceil(std::min(high + reach, 1e6))) + 1);
            for (int x = left; x < right; ++x) {
                const double px = x + 0.5 - a.x, py = y + 0.5 - a.y;
                const double t = square > 0 ? std::clamp((px * dx + py * dy) / square, 0.0, 1.0) : 0.0;
                const double distance = std::hypot(px - t * dx, py - t * dy);
                const float part = static_cast<float>(std::clamp(half + 0.5 - distance, 0.0, 1.0));
                float& c = coverage_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                                     static_cast<std::size_t>(x)];
                c = std::max(c, part);
            }
            if (left < right) {
                dirty_left_ = std::min(dirty_left_, left);
                dirty_right_ = std::max(dirty_right_, right);
                dirty_top_ = std::min(dirty_top_, y);
                dirty_bottom_ = std::max(dirty_bottom_, y + 1);
            }
        }
    }

    void blend(Colour colour) {
        for (int y = dirty_top_; y < dirty_bottom_; ++y)
            for (int x = dirty_left_; x < dirty_right_; ++x) {
                float& c = coverage_[static_cast<std::size_t>(y) * static_cast<std::size_t>(width_) +
                                     static_cast<std::size_t>(x)];
                if (c > 0) set(x, y, colour, c);
                c = 0;
            }
    }

    double scale_;
    int width_, height_;
    std::vector<unsigned char> pixels_;
    std::vector<float> coverage_;
    int clip_left_ = 0, clip_top_ = 0, clip_right_ = 0, clip_bottom_ = 0;
    int dirty_left_ = 0, dirty_top_ = 0, dirty_right_ = 0, dirty_bottom_ = 0;
};

}  // namespace

std::string to_png(const Drawing& drawing, double scale) {
    RasterCanvas canvas(drawing.width, drawing.height, scale);
    drawing.draw(canvas);
    return canvas.png();
}
std::string to_png(const Plot& plot, double scale) {
    const Drawing drawing{plot.width, plot_height(plot), [&](Canvas& canvas) { draw_plot(plot, canvas); }};
    return to_png(drawing, scale);
}
RasterImage to_pixels(const Plot& plot, double scale) {
    RasterCanvas canvas(plot.width, plot_height(plot), scale);
    draw_plot(plot, canvas);
    return canvas.image();
}

}  // namespace cutset
