// The picture of a session: curves of run after run over each other, until AXES or CLEAR.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "results/plot.h"
#include "session/names.h"
#include "session/thin_out.h"

namespace cutset {

// What a picture shows of a run.
struct CurveWish {
    std::string path;
    std::string label;
    std::string unit;
    bool held = false;
};

// Of one axis: limits, or what the curves need; linear or logarithmic.
struct AxisWish {
    std::optional<PlotRange> range;
    std::optional<bool> logarithmic;
};

class Picture {
  public:
    const Plot& plot() const { return plot_; }
    bool empty() const { return plot_.curves.empty(); }

    // Draws axes anew; what is not given is as it was.
    void axes(const AxisWish& horizontal, const AxisWish& vertical);
    bool axes_given() const { return axes_given_; }
    const AxisWish& horizontal() const { return horizontal_; }
    const AxisWish& vertical() const { return vertical_; }
    // Other limits for what is drawn already; nothing: those of the axes.
    void zoom(std::optional<PlotRange> horizontal, std::optional<PlotRange> vertical);
    void clear();
    void automatic_axes();

    void title(std::string text) { plot_.title = std::move(text); }

    // Curves of one run. Over another horizontal variable a new picture begins, and without axes of one's own
    // over another interval of time. `more`: they go on with those of the run before, when these were the
    // same variables.
    struct Run {
        std::string label;
        std::optional<PlotRange> interval;  // of time, where that is the horizontal variable
        bool more = false;
    };
    void begin(const std::vector<CurveWish>& curves, const std::string& x_label, const std::string& x_unit,
               const Run& run);
    void point(std::size_t curve, double x, double y);
    void gap();  // lines are not connected here
    // A single point after the last gap: where the model ended the run in the instant of a jump.
    void drop_lone_end();
    // The run goes on from an earlier point: its curves are others.
    void next_future() { current_paths_.clear(); }
    // Digits along the curves of the run, by their order.
    void mark();
    std::size_t runs() const { return runs_; }

  private:
    Plot plot_;
    AxisWish horizontal_, vertical_;
    bool axes_given_ = false;
    std::optional<PlotRange> interval_;  // of the runs in it
    std::size_t cleared_ = 0;
    std::size_t runs_ = 0;
    std::vector<std::size_t> current_;  // curves of the run at hand
    std::vector<Thinning> thinning_;    // of each of them, from where the last begin() found it
    std::vector<std::string> current_paths_;
    std::string first_label_;  // of the first run, for when there is another one
};

// Limits at multiples of 1, 2 or 5 times a power of ten that contain the given ones.
PlotRange standard_scale(double low, double high);

}  // namespace cutset
