#include "session/picture.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace cutset {

PlotRange standard_scale(double low, double high) {
    const double range = high - low;
    PlotRange best{low, high};
    double least = std::numeric_limits<double>::infinity();
    const double decade = std::pow(10.0, std::floor(std::log10(range)) - 1);
    for (const double factor : {50.0, 20.0, 10.0, 5.0, 2.0, 1.0}) {
        const double step = factor * decade;
        if (range / step < 4.5 || range / step > 13.5) continue;
        // What is as good as a multiple is one.
        const double first = std::floor(low / step + 1e-9) * step,
                     last = std::ceil(high / step - 1e-9) * step;
        const double added = (last - first) - range;
        if (added < least - 1e-9 * range) {
            least = added;
            best = {first, last};
        }
    }
    return best;
}

void Picture::axes(const AxisWish& horizontal, const AxisWish& vertical) {
    const auto take = [](AxisWish& axis, const AxisWish& wish) {
        if (wish.range) axis.range = wish.range;
        if (!wish.logarithmic) return;
        // Limits of the other kind mean nothing to it.
        if (axis.logarithmic.value_or(false) != *wish.logarithmic && !wish.range) axis.range.reset();
        axis.logarithmic = wish.logarithmic;
    };
    take(horizontal_, horizontal);
    take(vertical_, vertical);
    axes_given_ = horizontal_.range || vertical_.range || horizontal_.logarithmic || vertical_.logarithmic;
    clear();
}

void Picture::automatic_axes() {
    horizontal_ = vertical_ = {};
    axes_given_ = false;
    clear();
}

void Picture::zoom(std::optional<PlotRange> horizontal, std::optional<PlotRange> vertical) {
    plot_.x_range = horizontal ? horizontal : horizontal_.range;
    plot_.y_range = vertical ? vertical : vertical_.range;
}

void Picture::clear() {
    plot_ = {};
    plot_.number = ++cleared_;
    plot_.x_range = horizontal_.range;
    plot_.y_range = vertical_.range;
    plot_.logarithmic_x = horizontal_.logarithmic.value_or(false);
    plot_.logarithmic_y = vertical_.logarithmic.value_or(false);
    interval_.reset();
    runs_ = 0;
    current_.clear();
    current_paths_.clear();
}

namespace {

constexpr std::size_t most_of_run = 20'000, recent_of_run = 4'000;  // points of a curve
constexpr std::size_t most_points = 1'000'000;                      // of earlier runs in one picture
constexpr std::size_t fewest_points = 16;                           // of a curve: it is no more thinned out

// Of each four points the lowest and the highest; where lines are not connected all.
void thin_out(Curve& curve) {
    constexpr std::size_t together = 4;
    std::size_t kept = 0;
    const auto keep = [&](std::size_t i) {
        curve.x[kept] = curve.x[i];
        curve.y[kept++] = curve.y[i];
    };
    for (std::size_t begin = 0; begin < curve.x.size(); begin += together) {
        const std::size_t end = std::min(begin + together, curve.x.size());
        const auto first = curve.y.begin() + static_cast<std::ptrdiff_t>(begin),
                   last = curve.y.begin() + static_cast<std::ptrdiff_t>(end);
        if (end - begin < together || end == curve.x.size() ||
            std::any_of(first, last, [](double y) { return std::isnan(y); })) {
            for (std::size_t i = begin; i < end; ++i) keep(i);
            continue;
        }
        const auto [low, high] = std::minmax_element(first, last);
        const auto a = static_cast<std::size_t>(low - curve.y.begin()),
                   b = static_cast<std::size_t>(high - curve.y.begin());
        keep(std::min(a, b));
        if (a != b) keep(std::max(a, b));
    }
    curve.x.resize(kept);
    curve.y.resize(kept);
    curve.x.shrink_to_fit();
    curve.y.shrink_to_fit();
    curve.thinned = kept;
}

// However many runs a picture shows, its memory is bounded by little more than their number.
void bound_points(std::vector<Curve>& curves) {
    std::size_t points = 0;
    for (const Curve& curve : curves) points += curve.x.size();
    if (points <= most_points) return;
    // Steps of held curves go last: a step that is left out is missed.
    const bool much_more = points > 2 * most_points;
    for (Curve& curve : curves)
        if (curve.x.size() > fewest_points && (!curve.held || much_more)) thin_out(curve);
}

}  // namespace

void Picture::begin(const std::vector<CurveWish>& curves, const std::string& x_label,
                    const std::string& x_unit, const Run& run) {
    const std::string title = plot_.title;
    const auto other_interval = [&] {
        return !axes_given_ && !run.more && interval_ && run.interval &&
               (interval_->low != run.interval->low || interval_->high != run.interval->high);
    };
    // A file of results may not say the unit.
    const bool other_unit = !x_unit.empty() && !plot_.x_unit.empty() && plot_.x_unit != x_unit;
    if (!plot_.curves.empty() && (plot_.x_label != x_label || other_unit || other_interval())) clear();
    if (!run.more) interval_ = run.interval;
    plot_.title = title;
    plot_.x_label = x_label;
    if (!x_unit.empty() || plot_.curves.empty()) plot_.x_unit = x_unit;
    std::vector<std::string> paths;
    for (const CurveWish& curve : curves) paths.push_back(curve.path);
    thinning_.clear();
    bound_points(plot_.curves);
    if (run.more && paths == current_paths_ && !current_.empty()) {
        for (const std::size_t k : current_)
            thinning_.emplace_back(plot_.curves[k].x.size(), most_of_run, recent_of_run);
        return;
    }
    ++runs_;
    if (runs_ == 1) first_label_ = run.label;
    if (runs_ == 2 && !first_label_.empty())
        for (const std::size_t k : current_) plot_.curves[k].label += ", " + first_label_;
    current_.clear();
    current_paths_ = std::move(paths);
    for (const CurveWish& wish : curves) {
        Curve curve;
        // With a given vertical axis all curves share it, whatever their units.
        curve.label =
            vertical_.range && !wish.unit.empty() ? wish.label + " [" + wish.unit + "]" : wish.label;
        if (!run.label.empty() && runs_ > 1) curve.label += ", " + run.label;
        if (!vertical_.range) curve.unit = wish.unit;
        curve.held = wish.held;
        current_.push_back(plot_.curves.size());
        thinning_.emplace_back(0, most_of_run, recent_of_run);
        plot_.curves.push_back(std::move(curve));
    }
}

void Picture::point(std::size_t curve, double x, double y) {
    Curve& c = plot_.curves[current_[curve]];
    c.x.push_back(x);
    c.y.push_back(y);
    Thinning& thinning = thinning_[curve];
    if (!thinning.is_due(c.x.size())) return;
    thinning.thin_out({&c.x, &c.y});
    c.thinned = thinning.complete_from();
}

void Picture::gap() {
    for (const std::size_t k : current_) {
        Curve& c = plot_.curves[k];
        if (c.x.empty()) continue;
        c.x.push_back(c.x.back());
        c.y.push_back(std::numeric_limits<double>::quiet_NaN());
    }
}

void Picture::drop_lone_end() {
    for (const std::size_t k : current_) {
        Curve& c = plot_.curves[k];
        if (c.y.size() < 3 || !std::isnan(c.y[c.y.size() - 2])) continue;
        c.x.resize(c.x.size() - 2);
        c.y.resize(c.y.size() - 2);
    }
}

void Picture::mark() {
    constexpr std::size_t digits = 5;  // on each curve of a run
    for (std::size_t n = 0; n < current_.size(); ++n) {
        const Curve& c = plot_.curves[current_[n]];
        const std::size_t first = thinning_[n].begin(), count = c.x.size() - first;
        // Digits of different curves stand at different places, also where the curves coincide.
        for (std::size_t k = 0; count > 0 && k < digits; ++k) {
            const double part = (static_cast<double>(k) +
                                 static_cast<double>(n + 1) / static_cast<double>(current_.size() + 1)) /
                                digits;
            const std::size_t at =
                first + std::min(count - 1, static_cast<std::size_t>(part * static_cast<double>(count)));
            if (!std::isfinite(c.x[at]) || !std::isfinite(c.y[at])) continue;
            Mark mark;
            mark.x = c.x[at];
            mark.y = c.y[at];
            mark.kind = MarkKind::Text;
            mark.unit = c.unit;
            mark.label = std::to_string(n + 1);
            plot_.marks.push_back(std::move(mark));
        }
    }
}

}  // namespace cutset
