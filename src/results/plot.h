// Pictures of results. A Plot says what to show; the renderers decide how: SVG, PDF and PNG share one drawing
// (`draw_plot.cpp` on a `Canvas`), the terminal has its own.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "base/diagnostic.h"
#include "results/output_file.h"
#include "results/trajectory.h"

namespace cutset {

// Two points with equal x are a vertical jump; a value that is not finite is a gap.
struct Curve {
    std::string label;
    std::string unit;
    std::vector<double> x;
    std::vector<double> y;
    bool held = false;        // constant from each point to the next
    std::size_t thinned = 0;  // before so many points others were left out
    bool dashed = false;
    bool guide = false;  // a helping line: thin and grey, not in the legend, not on the terminal
    std::optional<std::size_t> colour;  // number in the palette; else by the place in `Plot::curves`
    std::string quantity;               // what its axis is called; else the label of the only curve
};

// A point that matters, drawn over the curves of the panel with its unit.
enum class MarkKind { Cross, Circle, Dot, Plus, Triangle, Text };  // Text: the label only, in the middle
struct Mark {
    double x = 0, y = 0;
    MarkKind kind = MarkKind::Dot;
    std::string unit;
    std::string label;
    std::optional<std::size_t> colour;  // none: ink
};

struct PlotRange {
    double low = 0, high = 1;
};

// Curves of equal unit share an axis; different units get panels one below the other over the same x axis,
// at most four. The last panel then takes all further units.
struct Plot {
    std::string title;
    std::string x_label;
    std::string x_unit;
    std::vector<Curve> curves;
    std::vector<Mark> marks;
    bool logarithmic_x = false, logarithmic_y = false;  // what is not positive is not drawn
    bool equal_units = false;                           // one panel: a unit is as long in x as in y
    std::optional<PlotRange> x_range, y_range;          // else what the curves need; y_range is for one panel
    double width = 720;                                 // in pixels of 1/96 inch
    double height = 0;                                  // 0: what suits the number of panels
    std::size_t number = 0;  // of the picture: one that has more curves than the same before replaces it
};

// The curves of one panel, as indices into `Plot::curves`.
struct PlotPanel {
    std::string unit;
    bool mixed = false;  // several units
    std::vector<std::size_t> curves;
};
std::vector<PlotPanel> panels_of(const Plot& plot);

// What the vertical axis of a panel must show of its curves; nothing where they have no finite value. On a
// logarithmic axis positive values only, and where a curve passes through zero it goes down for ever: how far
// its points get there is left out.
std::optional<PlotRange> vertical_range(const Plot& plot, const PlotPanel& panel);

// Each wish is a variable, over time, or a pair `y(x)` for the phase plane. Nothing after an error.
std::optional<Plot> make_plot(const Trajectory& trajectory, const std::vector<std::string>& wishes,
                              Diagnostics& diagnostics);

std::string to_svg(const Plot& plot);
std::string to_pdf(const Plot& plot);
// `scale` pixels of the picture for each pixel of the plot.
std::string to_png(const Plot& plot, double scale = 2);

struct TerminalStyle {
    int width = 80;  // characters
    int height = 24;
    bool colour = true;
    bool unicode = true;  // braille dots and lines; else ASCII
};
std::string to_terminal(const Plot& plot, const TerminalStyle& style = {});

// By the ending of the name: .svg, .pdf, .png.
Problem write_picture(const Plot& plot, const std::string& path);

}  // namespace cutset
