#include "results/plot.h"

#include <gtest/gtest.h>
#include <zlib.h>

#include <cmath>
#include <limits>

#include "results/axis.h"
#include "results/canvas.h"
#include "sample.h"
#include "temporary_directory.h"

namespace cutset {

namespace {

bool contains(const std::string& text, const std::string& part) {
    return text.find(part) != std::string::npos;
}

std::size_t count(const std::string& text, const std::string& part) {
    std::size_t n = 0;
    for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) ++n;
    return n;
}

template <class F>
Curve curve(std::string label, std::string unit, int points, F f) {
    Curve c{std::move(label), std::move(unit)};
    for (int i = 0; i < points; ++i) {
        c.x.push_back(i / std::max(1.0, points - 1.0));
        c.y.push_back(f(c.x.back()));
    }
    return c;
}

Plot one(Curve c) {
    Plot p;
    p.x_label = "time";
    p.x_unit = "s";
    p.curves = {std::move(c)};
    return p;
}

std::uint32_t word(const std::string& bytes, std::size_t at) {
    std::uint32_t v = 0;
    for (std::size_t k = 0; k < 4; ++k) v = v << 8 | static_cast<unsigned char>(bytes[at + k]);
    return v;
}

struct Picture {
    std::uint32_t width = 0, height = 0;
    std::string pixels;
    bool dark(std::uint32_t x, std::uint32_t y) const {
        const std::size_t at = (std::size_t(y) * width + x) * 3;
        int sum = 0;
        for (std::size_t k = 0; k < 3; ++k) sum += static_cast<unsigned char>(pixels[at + k]);
        return sum < 600;
    }
};

// Undoes what the writer did, checking every chunk.
Picture decode(const std::string& png) {
    Picture p;
    EXPECT_EQ(png.substr(0, 8), "\x89PNG\r\n\x1A\n");
    std::string packed;
    for (std::size_t at = 8; at + 12 <= png.size();) {
        const std::uint32_t size = word(png, at);
        const std::string type = png.substr(at + 4, 4);
        EXPECT_EQ(word(png, at + 8 + size),
                  crc32(0, reinterpret_cast<const Bytef*>(png.data() + at + 4), static_cast<uInt>(size + 4)));
        if (type == "IHDR") {
            p.width = word(png, at + 8);
            p.height = word(png, at + 12);
        }
        if (type == "IDAT") packed = png.substr(at + 8, size);
        at += 12 + size;
    }
    const std::size_t row = std::size_t(p.width) * 3;
    std::string raw((row + 1) * p.height, '\0');
    uLongf size = raw.size();
    EXPECT_EQ(uncompress(reinterpret_cast<Bytef*>(raw.data()), &size,
                         reinterpret_cast<const Bytef*>(packed.data()), packed.size()),
              Z_OK);
    EXPECT_EQ(size, raw.size());
    for (std::uint32_t y = 0; y < p.height; ++y) {
        EXPECT_EQ(raw[y * (row + 1)], 1);
        std::string line = raw.substr(y * (row + 1) + 1, row);
        for (std::size_t k = 3; k < row; ++k) line[k] = static_cast<char>(line[k] + line[k - 3]);
        p.pixels += line;
    }
    return p;
}

}  // namespace

TEST(Axis, PutsTicksAtRoundNumbers) {
    const Axis a = make_axis(0, 10, 6, 0);
    EXPECT_EQ(a.ticks, (std::vector<double>{0, 2, 4, 6, 8, 10}));
    EXPECT_EQ(a.labels, (std::vector<std::string>{"0", "2", "4", "6", "8", "10"}));
    EXPECT_EQ(a.note(), "");
    EXPECT_EQ(make_axis(-1, 1, 5, 0).labels, (std::vector<std::string>{"−1.0", "−0.5", "0.0", "0.5", "1.0"}));
}

TEST(Axis, ShowsPowersOfTenOnce) {
    const Axis small = make_axis(0, 4e-12, 5, 0);
    EXPECT_EQ(small.labels, (std::vector<std::string>{"0", "1", "2", "3", "4"}));
    EXPECT_EQ(small.note(), "×10⁻¹²");
    EXPECT_EQ(make_axis(0, 2e7, 4, 0).note(), "×10⁶");
    EXPECT_EQ(make_axis(0, 1000, 4, 0).note(), "");
    EXPECT_EQ(make_axis(0, 0.05, 4, 0).note(), "");
}

TEST(Axis, CountsFromAnOffsetWhenDigitsRepeat) {
    const Axis a = make_axis(101324.999, 101325.001, 5, 0);
    EXPECT_EQ(a.offset, "+101325");
    for (std::size_t i = 1; i < a.labels.size(); ++i) EXPECT_NE(a.labels[i], a.labels[i - 1]);
}

TEST(Axis, SurvivesExtremes) {
    const double largest = std::numeric_limits<double>::max(), inf = std::numeric_limits<double>::infinity();
    const double pairs[][2] = {{0, 0},
                               {5, 5},
                               {-largest, largest},
                               {5e-324, 1e-323},
                               {1e-320, 1},
                               {inf, 0},
                               {1e300, 1e300},
                               {-3, -3},
                               {1, 1 + 1e-15},
                               {1e-300, 3e-300},
                               {NAN, 1},
                               {-inf, inf},
                               {largest, largest},
                               {1e15, 1e15 + 1}};
    for (const auto& [low, high] : pairs) {
        const Axis a = make_axis(low, high, 6, 0.05);
        EXPECT_TRUE(std::isfinite(a.low) && std::isfinite(a.high)) << low << " " << high;
        EXPECT_LT(a.low, a.high) << low << " " << high;
        EXPECT_GE(a.ticks.size(), 1u) << low << " " << high;
        EXPECT_LE(a.ticks.size(), 20u) << low << " " << high;
        EXPECT_EQ(a.ticks.size(), a.labels.size());
        for (const std::string& label : a.labels) EXPECT_LT(label.size(), 25u) << low << " " << high;
        EXPECT_TRUE(std::isfinite(a.place(a.ticks.front())));
    }
}

TEST(Axis, LogarithmicRangeIsNotThatOfZeros) {
    Plot plot;
    plot.logarithmic_y = true;
    plot.curves.push_back({"u", "", {0, 1, 2, 3, 4, 5}, {2, 0.5, 1e-14, -1, 0, 1e-3}});
    const PlotPanel panel = panels_of(plot).front();
    EXPECT_EQ(vertical_range(plot, panel)->low, 0.5);
    EXPECT_EQ(vertical_range(plot, panel)->high, 2);
    // An event at the zero has two points.
    plot.curves[0] = {"u", "", {0, 1, 2, 2, 3, 4}, {2, -1, 1e-14, 1e-15, 0.25, 1}};
    EXPECT_EQ(vertical_range(plot, panel)->low, 0.25);
    // A decay is shown to its end.
    plot.curves[0].x = {0, 1, 2, 3, 4, 5};
    plot.curves[0].y = {1, 1e-3, 1e-6, 1e-9, 1e-12, 1e-15};
    EXPECT_EQ(vertical_range(plot, panel)->low, 1e-15);
    plot.curves[0].y = {-1, 1e-3, -1, 1e-2, -1, 1};
    EXPECT_EQ(vertical_range(plot, panel)->low, 1e-3);
    plot.curves[0].y = {-1, -1, -1, -1, -1, -1};
    EXPECT_FALSE(vertical_range(plot, panel));
    plot.logarithmic_y = false;
    EXPECT_EQ(vertical_range(plot, panel)->high, -1);
}

TEST(MakePlot, TakesVariablesAndPhasePlanes) {
    const Trajectory t = sample();
    Diagnostics d;
    auto p = make_plot(t, {"x", "minus_R", "on"}, d);
    ASSERT_TRUE(p);
    EXPECT_EQ(p->x_label, "time");
    EXPECT_EQ(p->x_unit, "s");
    EXPECT_EQ(p->curves[1].unit, "Ohm");
    EXPECT_TRUE(p->curves[2].held);
    p = make_plot(t, {"x(minus_x)"}, d);
    ASSERT_TRUE(p);
    EXPECT_EQ(p->x_label, "minus_x");
    EXPECT_EQ(p->x_unit, "m");
    EXPECT_EQ(p->curves[0].x[3], 2);
    EXPECT_EQ(p->curves[0].y[3], -2);
    EXPECT_TRUE(d.all().empty());
}

TEST(MakePlot, ReportsWhatCannotBeShown) {
    const Trajectory t = sample();
    Diagnostics d;
    EXPECT_FALSE(make_plot(t, {"minus_y", "x(bad)"}, d));
    ASSERT_EQ(d.all().size(), 2u);
    EXPECT_EQ(d.all()[0].message, "there is no variable minus_y in the result");
    EXPECT_EQ(d.all()[0].help, "did you mean minus_x?");
    EXPECT_FALSE(make_plot(t, {"x", "x(minus_x)"}, d));
    EXPECT_EQ(d.all().back().code, "plot-abscissas");
    EXPECT_FALSE(make_plot(Trajectory(sample_columns()), {"x"}, d));
    EXPECT_EQ(d.all().back().code, "nothing-to-plot");
}

TEST(Panels, OnePerUnitAtMostFour) {
    Plot p;
    for (const char* unit : {"V", "A", "V", "W", "m", "K"}) p.curves.push_back({"c", unit, {0, 1}, {0, 1}});
    const auto panels = panels_of(p);
    ASSERT_EQ(panels.size(), 4u);
    EXPECT_EQ(panels[0].curves, (std::vector<std::size_t>{0, 2}));
    EXPECT_FALSE(panels[2].mixed);
    EXPECT_TRUE(panels[3].mixed);
    EXPECT_EQ(panels[3].curves, (std::vector<std::size_t>{4, 5}));
}

TEST(Svg, HasTitleAxesLegendAndCurves) {
    Plot p = one(curve("a<b & \"c\"", "V", 100, [](double t) { return std::sin(9 * t); }));
    p.title = "R & C";
    p.curves.push_back(curve("second", "V", 100, [](double t) { return t; }));
    const std::string svg = to_svg(p);
    EXPECT_TRUE(contains(svg, ">R &amp; C<"));
    EXPECT_TRUE(contains(svg, "a&lt;b &amp; &quot;c&quot;"));
    EXPECT_TRUE(contains(svg, ">second<"));
    EXPECT_TRUE(contains(svg, ">time [s]<"));
    EXPECT_TRUE(contains(svg, ">[V]<"));
    EXPECT_TRUE(contains(svg, ">−1.0<"));
    EXPECT_TRUE(contains(svg, "#0072b2"));
    EXPECT_TRUE(contains(svg, "#d55e00"));
    EXPECT_EQ(count(svg, "<g "), count(svg, "</g>"));
    EXPECT_FALSE(contains(svg, "nan"));
}

TEST(Svg, OneCurveNeedsNoLegend) {
    const std::string svg = to_svg(one(curve("level", "m", 10, [](double t) { return t; })));
    EXPECT_EQ(count(svg, "level"), 1u);
    EXPECT_TRUE(contains(svg, ">level [m]<"));
}

TEST(Svg, PanelsForDifferentUnits) {
    Plot p = one(curve("u", "V", 10, [](double t) { return t; }));
    p.curves.push_back(curve("i", "A", 10, [](double t) { return 1e-12 * t; }));
    const std::string svg = to_svg(p);
    EXPECT_EQ(count(svg, "<clipPath"), 2u);
    EXPECT_TRUE(contains(svg, ">u [V]<"));
    EXPECT_TRUE(contains(svg, ">i [A]<"));
    EXPECT_EQ(count(svg, ">time [s]<"), 1u);
    EXPECT_TRUE(contains(svg, "×10<tspan"));
}

TEST(Svg, AJumpIsVertical) {
    const auto pieces =
        visible_points(Curve{"x", "", {0, 1, 1, 2}, {0, 0, 5, 5}}, 0.5, [](double x, double y) {
            return Point{100 * x, 100 - y};
        });
    ASSERT_EQ(pieces.size(), 1u);
    ASSERT_EQ(pieces[0].size(), 4u);
    EXPECT_EQ(pieces[0][1].x, pieces[0][2].x);
    EXPECT_EQ(pieces[0][2].y, 95);
}

TEST(Svg, GapsSplitTheCurveAndHeldValuesAreSteps) {
    const auto same = [](double x, double y) { return Point{10 * x, 10 * y}; };
    EXPECT_EQ(visible_points(Curve{"x", "", {0, 1, 2, 3, 4}, {0, 1, NAN, 1, INFINITY}}, 0.5, same).size(),
              2u);
    const auto held = visible_points(Curve{"x", "", {0, 1}, {0, 5}, true}, 0.5, same);
    ASSERT_EQ(held[0].size(), 3u);
    EXPECT_EQ(held[0][1].x, 10);
    EXPECT_EQ(held[0][1].y, 0);
}

TEST(Svg, ManyPointsMakeASmallFileAndKeepTheirExtremes) {
    std::size_t last = 0;
    for (int n : {1000, 30000, 1000000}) {
        Curve c = curve("noise", "", n, [](double t) { return std::sin(1e5 * t * t); });
        c.y[static_cast<std::size_t>(n) / 3] = 7;  // a single spike
        const auto pieces = visible_points(c, 0.5, [](double x, double y) { return Point{700 * x, y}; });
        double highest = 0;
        for (Point p : pieces[0]) highest = std::max(highest, p.y);
        EXPECT_EQ(highest, 7);
        last = to_svg(one(c)).size();
        EXPECT_LT(last, 130000u) << n;
    }
    // A phase plane that goes round and round.
    Curve circle{"v", ""};
    for (int i = 0; i < 200000; ++i) {
        circle.x.push_back(std::cos(i * 0.01));
        circle.y.push_back(std::sin(i * 0.01));
    }
    EXPECT_LT(to_svg(one(circle)).size(), 1000000u);
}

TEST(Pictures, DrawDegenerateCurves) {
    const std::vector<Curve> curves = {
        {"empty", "", {}, {}},
        {"point", "", {1}, {2}},
        {"nan", "", {0, 1}, {NAN, NAN}},
        {"constant", "", {0, 1}, {230, 230}},
        {"zero", "", {0, 1}, {0, 0}},
        {"huge", "", {0, 1}, {-1e308, 1e308}},
        {"tiny", "", {0, 1}, {0, 1e-320}},
        {"one time", "", {3, 3}, {0, 1}},
        {"short", "", {0, 1, 2}, {1}},
        {std::string(500, 'x'), std::string(500, 'y'), {0, 1}, {0, 1}},
        {"\xFF\xC3 bad \xE2\x28 text", "", {0, 1}, {0, 1}},
    };
    Plot all;
    all.title = std::string(300, 't');
    for (const Curve& c : curves) {
        all.curves.push_back(c);
        const std::string svg = to_svg(one(c));
        EXPECT_FALSE(contains(svg, "nan") && c.label != "nan") << c.label;
        EXPECT_FALSE(contains(svg, "inf")) << c.label;
        EXPECT_FALSE(contains(to_pdf(one(c)), "inf ")) << c.label;
        EXPECT_GT(to_png(one(c), 0.5).size(), 100u) << c.label;
        EXPECT_FALSE(to_terminal(one(c)).empty()) << c.label;
    }
    EXPECT_FALSE(to_svg(all).empty());
    EXPECT_FALSE(to_png(all, 0.5).empty());
    EXPECT_FALSE(to_terminal(all).empty());
    EXPECT_FALSE(to_svg(Plot{}).empty());
    EXPECT_FALSE(to_terminal(Plot{}).empty());
}

TEST(Pdf, HasSoundStructureAndText) {
    Plot p = one(curve("phi (1)", "Ω", 10, [](double t) { return -t; }));
    p.title = "T";
    const std::string pdf = to_pdf(p);
    EXPECT_EQ(pdf.substr(0, 8), "%PDF-1.4");
    const std::size_t start = std::stoul(pdf.substr(pdf.rfind("startxref\n") + 10));
    EXPECT_EQ(pdf.substr(start, 4), "xref");
    for (int k = 1; k <= 6; ++k) {
        const std::size_t entry =
            start + std::string("xref\n0 7\n").size() + 20 * static_cast<std::size_t>(k);
        EXPECT_EQ(pdf.substr(std::stoul(pdf.substr(entry, 10)), 7), std::to_string(k) + " 0 obj");
    }
    const std::size_t length = std::stoul(pdf.substr(pdf.find("/Length ") + 8));
    EXPECT_EQ(pdf.substr(pdf.find("stream\n") + 7 + length, 9), "endstream");
    EXPECT_TRUE(contains(pdf, "(phi \\(1\\) [) Tj"));
    EXPECT_TRUE(contains(pdf, "/S 12 Tf (W) Tj"));
    EXPECT_EQ(count(pdf, "\nBT ") + count(pdf, " BT "), count(pdf, "ET\n"));
}

TEST(Png, HasTheCurveWhereItBelongs) {
    // A level line in the middle of the picture, from the left to the right end of the axes.
    const Picture p = decode(to_png(one(Curve{"x", "", {0, 1}, {230, 230}}), 1));
    EXPECT_EQ(p.width, 720u);
    std::uint32_t best = 0, best_row = 0;
    for (std::uint32_t y = 20; y < p.height - 60; ++y) {
        std::uint32_t dark = 0;
        for (std::uint32_t x = 0; x < p.width; ++x) dark += p.dark(x, y);
        if (dark > best) {
            best = dark;
            best_row = y;
        }
    }
    EXPECT_GT(best, 600u);
    EXPECT_NEAR(best_row, 12 + 340 / 2.0, 4);
}

TEST(Png, DrawsText) {
    const Plot without = one(Curve{"", "", {0, 1}, {0, 1}});
    Plot with = without;
    with.curves[0].label = "voltage";
    const auto dark_in = [](const Picture& p, std::uint32_t x0, std::uint32_t x1) {
        int n = 0;
        for (std::uint32_t y = 0; y < p.height; ++y)
            for (std::uint32_t x = x0; x < x1; ++x) n += p.dark(x, y);
        return n;
    };
    const Picture a = decode(to_png(without, 1)), b = decode(to_png(with, 1));
    EXPECT_EQ(dark_in(a, 0, 20), 0);
    EXPECT_GT(dark_in(b, 0, 20), 50);
}

TEST(Terminal, FitsItsSizeAndShowsAxes) {
    Plot p = one(curve("level", "m", 500, [](double t) { return std::sin(9 * t); }));
    p.title = "Tank";
    for (bool unicode : {true, false}) {
        const std::string text = to_terminal(p, {60, 16, false, unicode});
        std::size_t lines = 0, begin = 0;
        for (std::size_t end; (end = text.find('\n', begin)) != std::string::npos; begin = end + 1) {
            EXPECT_LE(decode_utf8(text.substr(begin, end - begin)).size(), 60u);
            ++lines;
        }
        EXPECT_LE(lines, 16u);
        EXPECT_TRUE(contains(text, "level [m]"));
        EXPECT_TRUE(contains(text, "time [s]"));
        EXPECT_TRUE(contains(text, "Tank"));
        EXPECT_TRUE(contains(text, "0.5"));
        EXPECT_FALSE(contains(text, "\033"));
        EXPECT_EQ(contains(text, "└"), unicode);
    }
    EXPECT_TRUE(contains(to_terminal(p, {60, 16, true, true}), "\033[34m"));
}

TEST(Terminal, TellsCurvesApartWithoutColour) {
    Plot p = one(curve("a", "", 50, [](double t) { return t; }));
    p.curves.push_back(curve("b", "", 50, [](double t) { return 1 - t; }));
    const std::string text = to_terminal(p, {60, 16, false, true});
    EXPECT_TRUE(contains(text, "* a"));
    EXPECT_TRUE(contains(text, "+ b"));
    EXPECT_GT(count(text, "*"), 10u);
    EXPECT_GT(count(text, "+"), 10u);
}

TEST(WritePicture, ChoosesByEnding) {
    TemporaryDirectory d;
    const Plot p = one(curve("level", "m", 20, [](double t) { return t; }));
    for (const auto& [name, start] : {std::pair{"p.svg", "<?xml"}, {"p.pdf", "%PDF"}, {"P.PNG", "\x89PNG"}}) {
        EXPECT_FALSE(write_picture(p, d.file(name)));
        EXPECT_EQ(d.read(name).substr(0, std::string(start).size()), start);
    }
    ASSERT_TRUE(write_picture(p, d.file("p.gif")));
    const Problem problem = write_picture(p, d.file("no/where.svg"));
    ASSERT_TRUE(problem);
    EXPECT_TRUE(contains(*problem, "no/where.svg"));
    EXPECT_TRUE(contains(*problem, "No such file"));
}

}  // namespace cutset
