// The canvas that writes PDF 1.4 with lines and text in the fonts that every viewer has.
#include <fmt/format.h>

#include "results/drawing.h"

namespace cutset {

namespace {

constexpr double points_per_pixel = 0.75;

struct Glyph {
    bool symbol;  // in the font Symbol, else in Helvetica with WinAnsi encoding
    unsigned char code;
    double advance;  // thousandths of the size
};

Glyph glyph_of(char32_t c) {
    constexpr std::u32string_view greek = U"αβγδεζηθικλμνξοπρστυφχψωΑΒΓΔΕΖΗΘΙΚΛΜΝΞΟΠΡΣΤΥΦΧΨΩ";
    constexpr std::string_view codes = "abgdezhqiklmnxoprstufcywABGDEZHQIKLMNXOPRSTUFCYW";
    // From the font metrics of Symbol.
    static constexpr short widths[] = {631, 549, 411, 494, 439, 494, 603, 521, 329, 549, 549, 576,
                                       521, 493, 549, 549, 549, 603, 439, 576, 521, 549, 686, 686,
                                       722, 667, 603, 612, 611, 611, 722, 741, 333, 722, 686, 889,
                                       722, 645, 722, 768, 556, 592, 611, 690, 763, 722, 795, 768};
    const std::size_t at = greek.find(c == U'\u00B5' ? U'\u03BC' : c == U'\u2126' ? U'\u03A9' : c);
    if (at != std::u32string_view::npos)
        return {true, static_cast<unsigned char>(codes[at]), double(widths[at])};
    if (c == U'−') return {true, '-', 549};
    if (c == U'≤') return {true, 0xA3, 549};
    if (c == U'≥') return {true, 0xB3, 549};
    if (c == U'√') return {true, 0xD6, 549};
    if (c == U'∂') return {true, 0xB6, 494};
    if (c == U'…') return {false, 0x85, 1000};
    if (c == U'–') return {false, 0x96, 556};
    if (c >= 32 && c < 127) return {false, static_cast<unsigned char>(c), helvetica_advance(c)};
    if (c >= 0xA0 && c < 0x100) return {false, static_cast<unsigned char>(c), helvetica_advance(c)};
    return {false, '?', 556};
}

double width_of(const TextRun& run, double size) {
    double sum = 0;
    for (char32_t c : run.text) sum += glyph_of(c).advance;
    return sum * size * (run.raised ? raised_size : 1) / 1000;
}

class PdfCanvas final : public Canvas {
  public:
    explicit PdfCanvas(double height) {
        // From here on: pixels, y down.
        out_ = fmt::format("{0} 0 0 -{0} 0 {1} cm\n1 J 1 j\n", points_per_pixel,
                           length_text(height * points_per_pixel));
    }

    void polyline(std::span<const Point> points, const Pen& pen) override {
        if (points.empty()) return;
        stroke_colour(pen.colour);
        out_ += length_text(pen.width) + " w [";
        for (double d : pen.dash) out_ += length_text(d) + " ";
        out_ += "] 0 d\n";
        out_ += length_text(points[0].x) + " " + length_text(points[0].y) + " m\n";
        if (points.size() == 1) out_ += length_text(points[0].x) + " " + length_text(points[0].y) + " l\n";
        for (std::size_t i = 1; i < points.size(); ++i)
            out_ += length_text(points[i].x) + " " + length_text(points[i].y) + " l\n";
        out_ += "S\n";
    }

    void fill(const Rectangle& r, Colour colour) override {
        fill_colour(colour);
        out_ += fmt::format("{} {} {} {} re f\n", length_text(r.left), length_text(r.top),
                            length_text(r.width()), length_text(r.height()));
    }

    void fill(std::span<const Point> corners, Colour colour) override {
        if (corners.size() < 3) return;
        fill_colour(colour);
        for (std::size_t i = 0; i < corners.size(); ++i)
            out_ += length_text(corners[i].x) + " " + length_text(corners[i].y) + (i ? " l\n" : " m\n");
        out_ += "h f*\n";
    }

    void text(Point at, std::string_view text, const TextStyle& style) override {
        const double shift = style.anchor == Anchor::Start ? 0.0
                             : style.anchor == Anchor::End ? -text_width(text, style.size)
                                                           : -text_width(text, style.size) / 2;
        fill_colour(style.colour);
        // The text has y up again.
        const double x = at.x + (style.upwards ? 0 : shift), y = at.y - (style.upwards ? shift : 0);
        out_ += style.upwards ? fmt::format("BT 0 -1 -1 0 {} {} Tm\n", length_text(x), length_text(y))
                              : fmt::format("BT 1 0 0 -1 {} {} Tm\n", length_text(x), length_text(y));
        for (const TextRun& run : text_runs(text)) {
            const double size = style.size * (run.raised ? raised_size : 1);
            out_ += fmt::format("{} Ts\n", length_text(run.raised ? raised_shift * style.size : 0.0));
            std::string part;
            bool symbol = false;
            const auto show = [&] {
                if (!part.empty())
                    out_ += fmt::format("/{} {} Tf ({}) Tj\n", symbol ? "S" : "H", length_text(size), part);
                part.clear();
            };
            for (char32_t c : run.text) {
                const Glyph g = glyph_of(c);
                if (g.symbol != symbol) show();
                symbol = g.symbol;
                if (g.code == '(' || g.code == ')' || g.code == '\\')
                    part += fmt::format("\\{}", static_cast<char>(g.code));
                else if (g.code >= 127)
                    part += fmt::format("\\{:03o}", g.code);
                else
                    part += static_cast<char>(g.code);
            }
            show();
        }
        out_ += "ET\n";
    }

    void clip(const Rectangle& r) override {
        out_ += fmt::format("q {} {} {} {} re W n\n", length_text(r.left), length_text(r.top),
                            length_text(r.width()), length_text(r.height()));
    }
    void unclip() override { out_ += "Q\n"; }

    double text_width(std::string_view text, double size) const override {
        double sum = 0;
        for (const TextRun& run : text_runs(text)) sum += width_of(run, size);
        return sum;
    }

    const std::string& content() const { return out_; }

  private:
    static std::string components(Colour c) {
        return fmt::format("{:.3g} {:.3g} {:.3g}", c.red / 255.0, c.green / 255.0, c.blue / 255.0);
    }
    void stroke_colour(Colour c) { out_ += components(c) + " RG "; }
    void fill_colour(Colour c) { out_ += components(c) + " rg "; }

    std::string out_;
};

// The objects of a file, numbered from 1, with the table of where they begin.
std::string pdf_file(const std::vector<std::string>& objects) {
    std::string file = "%PDF-1.4\n%\xE2\xE3\xCF\xD3\n";
    std::string table = "0000000000 65535 f \n";
    std::size_t count = 1;
    for (const std::string& object : objects) {
        table += fmt::format("{:010} 00000 n \n", file.size());
        file += fmt::format("{} 0 obj\n{}\nendobj\n", count++, object);
    }
    const std::size_t start = file.size();
    file += fmt::format("xref\n0 {}\n{}trailer\n<< /Size {} /Root 1 0 R >>\nstartxref\n{}\n%%EOF\n", count,
                        table, count, start);
    return file;
}

}  // namespace

std::string to_pdf(const std::vector<Drawing>& pages) {
    constexpr std::size_t first_page = 5;  // after catalog, pages and two fonts
    std::string kids;
    for (std::size_t k = 0; k < pages.size(); ++k) kids += fmt::format("{} 0 R ", first_page + 2 * k);
    std::vector<std::string> objects = {
        "<< /Type /Catalog /Pages 2 0 R >>",
        fmt::format("<< /Type /Pages /Kids [{}] /Count {} >>", kids, pages.size()),
        "<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica /Encoding /WinAnsiEncoding >>",
        "<< /Type /Font /Subtype /Type1 /BaseFont /Symbol >>",
    };
    for (const Drawing& page : pages) {
        PdfCanvas canvas(page.height);
        page.draw(canvas);
        objects.push_back(
            fmt::format("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 {} {}] /Contents {} 0 R "
                        "/Resources << /Font << /H 3 0 R /S 4 0 R >> >> >>",
                        length_text(page.width * points_per_pixel),
                        length_text(page.height * points_per_pixel), objects.size() + 2));
        objects.push_back(
            fmt::format("<< /Length {} >>\nstream\n{}endstream", canvas.content().size(), canvas.content()));
    }
    return pdf_file(objects);
}

std::string to_pdf(const Drawing& drawing) {
    return to_pdf(std::vector{drawing});
}
std::string to_pdf(const Plot& plot) {
    return to_pdf(Drawing{plot.width, plot_height(plot), [&](Canvas& canvas) { draw_plot(plot, canvas); }});
}

}  // namespace cutset
