// The canvas that writes SVG 1.1.
#include <fmt/format.h>

#include "results/drawing.h"

namespace cutset {

namespace {

std::string escaped(const std::u32string& text) {
    std::string out;
    for (char32_t c : text) {
        switch (c) {
            case U'<':
                out += "&lt;";
                break;
            case U'>':
                out += "&gt;";
                break;
            case U'&':
                out += "&amp;";
                break;
            case U'"':
                out += "&quot;";
                break;
            case 0xFFFE:
            case 0xFFFF:
                out += '?';
                break;
            default:
                out += encode_utf8(c);
        }
    }
    return out;
}

std::string hex(Colour c) {
    return fmt::format("#{:02x}{:02x}{:02x}", c.red, c.green, c.blue);
}

class SvgCanvas final : public Canvas {
  public:
    SvgCanvas(double width, double height) {
        out_ = fmt::format(
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"
            "<svg xmlns=\"http://www.w3.org/2000/svg\" width=\"{0}\" height=\"{1}\" viewBox=\"0 0 {0} {1}\" "
            "font-family=\"Helvetica, Arial, 'Liberation Sans', sans-serif\" stroke-linecap=\"round\" "
            "stroke-linejoin=\"round\">\n",
            length_text(width), length_text(height));
    }
    std::string finish() {
        flush();
        return std::move(out_) + "</svg>\n";
    }

    void polyline(std::span<const Point> points, const Pen& pen) override {
        if (points.empty()) return;
        flush();
        out_ += "<path d=\"M" + length_text(points[0].x) + " " + length_text(points[0].y);
        // A line of no length shows its round caps.
        if (points.size() == 1) out_ += "h0";
        for (std::size_t i = 1; i < points.size(); ++i) {
            out_ += i == 1 ? "L" : " ";
            out_ += length_text(points[i].x) + " " + length_text(points[i].y);
        }
        out_ += "\" fill=\"none\" stroke=\"" + hex(pen.colour) + "\" stroke-width=\"" +
                length_text(pen.width) + "\"";
        if (!pen.dash.empty()) {
            out_ += " stroke-dasharray=\"";
            for (std::size_t i = 0; i < pen.dash.size(); ++i)
                out_ += (i ? "," : "") + length_text(pen.dash[i]);
            out_ += "\"";
        }
        out_ += "/>\n";
    }

    // Rectangles of one colour in a row make one path.
    void fill(const Rectangle& r, Colour colour) override {
        if (!filled_.empty() && hex(fill_colour_) != hex(colour)) flush();
        fill_colour_ = colour;
        filled_.push_back(r);
    }

    void fill(std::span<const Point> corners, Colour colour) override {
        if (corners.size() < 3) return;
        flush();
        out_ += "<path fill=\"" + hex(colour) + "\" fill-rule=\"evenodd\" d=\"M";
        for (std::size_t i = 0; i < corners.size(); ++i) {
            if (i) out_ += i == 1 ? "L" : " ";
            out_ += length_text(corners[i].x) + " " + length_text(corners[i].y);
        }
        out_ += "z\"/>\n";
    }

    void text(Point at, std::string_view text, const TextStyle& style) override {
        flush();
        const char* anchor = style.anchor == Anchor::Middle ? "middle"
                             : style.anchor == Anchor::End  ? "end"
                                                            : "start";
        out_ += fmt::format("<text x=\"{}\" y=\"{}\" font-size=\"{}\" text-anchor=\"{}\" fill=\"{}\"",
                            length_text(at.x), length_text(at.y), length_text(style.size), anchor,
                            hex(style.colour));
        if (style.upwards)
            out_ += fmt::format(" transform=\"rotate(-90 {} {})\"", length_text(at.x), length_text(at.y));
        out_ += ">";
        double pending = 0;  // how far the base line must go back
        for (const TextRun& run : text_runs(text)) {
            const double shift = run.raised ? -raised_shift * style.size : 0.0;
            if (run.raised || pending != 0) {
                out_ += fmt::format("<tspan dy=\"{}\"", length_text(shift + pending));
                if (run.raised)
                    out_ += fmt::format(" font-size=\"{}\"", length_text(raised_size * style.size));
                out_ += ">" + escaped(run.text) + "</tspan>";
            } else {
                out_ += escaped(run.text);
            }
            pending = run.raised ? -shift : 0;
        }
        out_ += "</text>\n";
    }

    void clip(const Rectangle& r) override {
        flush();
        ++clips_;
        out_ += fmt::format(
            "<clipPath id=\"panel{}\"><rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\"/></clipPath>\n"
            "<g clip-path=\"url(#panel{})\">\n",
            clips_, length_text(r.left), length_text(r.top), length_text(r.width()), length_text(r.height()),
            clips_);
    }
    void unclip() override {
        flush();
        out_ += "</g>\n";
    }

    double text_width(std::string_view text, double size) const override {
        return helvetica_width(text, size);
    }

  private:
    void flush() {
        if (filled_.size() == 1) {
            const Rectangle& r = filled_[0];
            out_ += fmt::format("<rect x=\"{}\" y=\"{}\" width=\"{}\" height=\"{}\" fill=\"{}\"/>\n",
                                length_text(r.left), length_text(r.top), length_text(r.width()),
                                length_text(r.height()), hex(fill_colour_));
        } else if (!filled_.empty()) {
            out_ += fmt::format("<path fill=\"{}\" d=\"", hex(fill_colour_));
            for (const Rectangle& r : filled_)
                out_ += fmt::format("M{} {}h{}v{}h{}z", length_text(r.left), length_text(r.top),
                                    length_text(r.width()), length_text(r.height()), length_text(-r.width()));
            out_ += "\"/>\n";
        }
        filled_.clear();
    }

    std::string out_;
    std::vector<Rectangle> filled_;
    Colour fill_colour_;
    int clips_ = 0;
};

}  // namespace

std::string to_svg(const Drawing& drawing) {
    SvgCanvas canvas(drawing.width, drawing.height);
    drawing.draw(canvas);
    return canvas.finish();
}
std::string to_svg(const Plot& plot) {
    return to_svg(Drawing{plot.width, plot_height(plot), [&](Canvas& canvas) { draw_plot(plot, canvas); }});
}

}  // namespace cutset
