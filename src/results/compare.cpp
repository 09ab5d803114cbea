#include "results/compare.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <unordered_map>
#include <unordered_set>

#include "results/parameters_file.h"

namespace cutset {

namespace {

constexpr double infinite = std::numeric_limits<double>::infinity();

// A piecewise linear function with jumps where times are equal.
struct Function {
    const std::vector<double>& t;
    const std::vector<double>& v;
};

struct Limits {
    double left, right;
};

Limits limits(const Function& f, double x) {
    const auto low = std::lower_bound(f.t.begin(), f.t.end(), x) - f.t.begin();
    const auto high = std::upper_bound(f.t.begin() + low, f.t.end(), x) - f.t.begin();
    if (high > low) return {f.v[low], f.v[high - 1]};
    if (low == 0) return {f.v.front(), f.v.front()};
    if (static_cast<std::size_t>(low) == f.t.size()) return {f.v.back(), f.v.back()};
    const double a = f.t[low - 1], b = f.t[low];
    const double y = f.v[low - 1] + (f.v[low] - f.v[low - 1]) * (x - a) / (b - a);
    return {y, y};
}

struct Interval {
    double low, high;
    double distance(double y) const { return std::max({low - y, y - high, 0.0}); }
};

// The values on [a, b]; NaN at both ends when one of them is NaN.
Interval envelope(const Function& f, double a, double b) {
    Interval i{infinite, -infinite};
    bool undefined = false;
    const auto add = [&](double y) {
        undefined = undefined || std::isnan(y);
        i.low = std::min(i.low, y);
        i.high = std::max(i.high, y);
    };
    for (double x : {a, b}) {
        const Limits l = limits(f, x);
        add(l.left);
        add(l.right);
    }
    const auto first = std::lower_bound(f.t.begin(), f.t.end(), a) - f.t.begin();
    const auto last = std::upper_bound(f.t.begin(), f.t.end(), b) - f.t.begin();
    for (auto k = first; k < last; ++k) add(f.v[k]);
    if (undefined) i.low = i.high = std::numeric_limits<double>::quiet_NaN();
    return i;
}

std::vector<double> times(const Trajectory& trajectory, double factor) {
    std::vector<double> t(trajectory.rows());
    for (std::size_t i = 0; i < t.size(); ++i) t[i] = trajectory.time(i) * factor;
    return t;
}

void add_jumps(const std::vector<double>& t, double span, std::vector<double>& jumps) {
    const double same = 1e-12 * std::max(span, 1e-300);
    for (std::size_t i = 1; i < t.size(); ++i)
        if (t[i] - t[i - 1] <= same) jumps.push_back(t[i - 1]);
}

std::string lower(std::string text) {
    for (char& c : text)
        if (c >= 'A' && c <= 'Z') c = static_cast<char>(c - 'A' + 'a');
    return text;
}

bool is_parameter(const Trajectory& trajectory, ColumnIndex column) {
    return is_written_once(trajectory.columns(), trajectory.columns()[column]);
}
bool has_parameters(const Trajectory& trajectory) {
    for (ColumnIndex c(0); c < trajectory.columns().end_index(); ++c.value)
        if (is_parameter(trajectory, c)) return true;
    return false;
}

// Each variable of the reference in the result, within a tube around it.
class Comparer {
  public:
    Comparer(const Trajectory& result, const Trajectory& reference, const CompareOptions& options)
        : result_(result),
          reference_(reference),
          options_(options),
          t_result_(times(result, options.time_factor)),
          t_reference_(times(reference, 1)),
          end_(options.end.value_or(t_reference_.back())),
          span_(end_ - t_reference_.front()),
          tube_(options.tube.value_or(1e-4 * span_)),
          edge_(std::max(tube_, 1e-9 * span_)),
          passes_over_parameters_(options.only.empty() && !has_parameters(result)) {
        add_jumps(t_result_, span_, jumps_);
        add_jumps(t_reference_, span_, jumps_);
        std::sort(jumps_.begin(), jumps_.end());
        for (std::size_t k = result.columns().size(); k-- > 1;)
            folded_[lower(result.columns()[ColumnIndex(k)].name)] = ColumnIndex(k);
    }

    Comparison run() {
        const bool time_agrees = check_ends();
        const std::unordered_set<std::string> skipped(options_.skip.begin(), options_.skip.end());
        for (const std::string& name : names()) {
            if (skipped.contains(name)) continue;
            const auto reference_column = reference_.find(name);
            if (!reference_column) {
                out_.problem = fmt::format("the reference has no variable {}", name);
                return std::move(out_);
            }
            add_variable(name, *reference_column);
        }
        std::stable_sort(out_.variables.begin(), out_.variables.end(),
                         [](const ComparedVariable& a, const ComparedVariable& b) {
                             return a.error * std::max(b.tolerance, 1e-300) >
                                    b.error * std::max(a.tolerance, 1e-300);
                         });
        if (out_.variables.empty() && out_.problem.empty()) out_.problem = "no variable was compared";
        out_.passed =
            time_agrees && !out_.variables.empty() &&
            (out_.missing.empty() || !options_.missing_is_failure) &&
            std::all_of(out_.variables.begin(), out_.variables.end(), [](const auto& c) { return c.within; });
        return std::move(out_);
    }

  private:
    bool check_ends() {
        const double first = t_result_.front(), last = t_result_.back();
        if (first > t_reference_.front() + edge_)
            out_.problem = fmt::format("the result starts at {:.9g}, the reference at {:.9g}", first,
                                       t_reference_.front());
        if (last < end_ - edge_)
            out_.problem = fmt::format("the result ends at {:.9g}, the reference at {:.9g}", last, end_);
        return out_.problem.empty();
    }

    std::vector<std::string> names() const {
        if (!options_.only.empty()) return options_.only;
        std::vector<std::string> all;
        for (std::size_t k = 1; k < reference_.columns().size(); ++k)
            all.push_back(reference_.columns()[ColumnIndex(k)].name);
        return all;
    }

    void add_variable(const std::string& name, ColumnIndex reference_column) {
        const auto mapped = options_.names.find(name);
        const ResultName wanted = mapped == options_.names.end() ? ResultName{name} : mapped->second;
        auto column = result_.find(wanted.name);
        if (!column && passes_over_parameters_ && is_parameter(reference_, reference_column)) return;
        if (!column)  // a name that differs in case only is accepted
            if (const auto near = folded_.find(lower(wanted.name)); near != folded_.end())
                column = near->second;
        if (!column) {
            out_.missing.push_back(name);
            return;
        }
        std::vector<double> v = result_.values(*column);
        for (double& y : v) y = wanted.factor * y + wanted.offset;
        out_.variables.push_back(
            compared(name, result_.columns()[*column].name, v, reference_.values(reference_column)));
    }

    std::size_t rows_to_end(const std::vector<double>& r) const {
        std::size_t n = 0;
        while (n < r.size() && t_reference_[n] <= end_ + edge_) ++n;
        return n;
    }

    double range(const std::vector<double>& r, std::size_t rows) const {
        double low = infinite, high = -infinite;
        for (std::size_t i = 0; i < rows; ++i) {
            if (std::isnan(r[i])) continue;
            low = std::min(low, r[i]);
            high = std::max(high, r[i]);
        }
        const double size = std::max(std::fabs(low), std::fabs(high));
        double range = high - low;
        if (!(range > 1e-9 * size)) range = size;               // constant up to rounding: judged by its size
        if (!(range >= 1e-15) || std::isinf(range)) range = 1;  // zero: judged absolutely
        return range;
    }

    ComparedVariable compared(const std::string& name, const std::string& result_name,
                              const std::vector<double>& v, const std::vector<double>& r) const {
        const std::size_t rows = rows_to_end(r);
        ComparedVariable c{name, result_name};
        c.range = range(r, rows);
        c.tolerance = options_.absolute + options_.relative * c.range;
        c.error = -1;
        const Function of_result{t_result_, v}, of_reference{t_reference_, r};
        for (std::size_t i = 0; i < rows; ++i) {
            if (std::isnan(r[i])) continue;
            const double error = error_at(of_result, of_reference, t_reference_[i], r[i]);
            if (error > c.error) {
                c.error = error;
                c.time = t_reference_[i];
                c.result = limits(of_result, c.time).right;
                c.reference = r[i];
            }
        }
        c.error = std::max(c.error, 0.0);
        c.within = c.error <= c.tolerance;
        return c;
    }

    // The distance of the reference's value from the result; near a jump, from all that stands in the tube.
    double error_at(const Function& of_result, const Function& of_reference, double t, double y) const {
        const auto near = std::lower_bound(jumps_.begin(), jumps_.end(), t - tube_);
        const Limits l = limits(of_result, t);
        double error;
        if (near != jumps_.end() && *near <= t + tube_) {
            const Interval around = envelope(of_result, t - tube_, t + tube_);
            const Interval expected = envelope(of_reference, t - tube_, t + tube_);
            error =
                std::min(around.distance(y), std::max(expected.distance(l.left), expected.distance(l.right)));
            if (std::isnan(around.low)) error = infinite;
        } else {
            error = std::min(std::fabs(l.left - y), std::fabs(l.right - y));
        }
        return std::isnan(l.left) || std::isnan(l.right) || std::isnan(error) ? infinite : error;
    }

    const Trajectory& result_;
    const Trajectory& reference_;
    const CompareOptions& options_;
    const std::vector<double> t_result_, t_reference_;
    const double end_, span_, tube_, edge_;
    // A result that went to standard output, for one, has no parameters beside it.
    const bool passes_over_parameters_;
    std::vector<double> jumps_;
    std::unordered_map<std::string, ColumnIndex> folded_;  // by name in lower case
    Comparison out_;
};

}  // namespace

Comparison compare(const Trajectory& result, const Trajectory& reference, const CompareOptions& options) {
    if (result.rows() < 2 || reference.empty()) {
        Comparison out;
        out.problem = result.rows() < 2 ? "the result has fewer than two rows" : "the reference has no rows";
        return out;
    }
    return Comparer(result, reference, options).run();
}

std::string to_text(const Comparison& comparison, bool all) {
    std::string out;
    std::size_t outside = 0;
    for (const ComparedVariable& c : comparison.variables) {
        if (!c.within) ++outside;
        if (!all && &c != &comparison.variables.front()) continue;
        out += fmt::format("{:<4} {:<24} error/range {:.3e} at t = {:.9g}: result {:.9g}, reference {:.9g}\n",
                           c.within ? "ok" : "BAD",
                           c.name == c.result_name ? c.name : c.name + " (" + c.result_name + ")",
                           c.error / c.range, c.time, c.result, c.reference);
    }
    if (!comparison.missing.empty()) {
        out += "missing in the result:";
        for (const std::string& name : comparison.missing) out += " " + name;
        out += "\n";
    }
    if (!comparison.problem.empty()) out += comparison.problem + "\n";
    out += fmt::format("{}: {} variables compared, {} outside the tolerance\n",
                       comparison.passed ? "PASS" : "FAIL", comparison.variables.size(), outside);
    return out;
}

}  // namespace cutset
