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

}  // namespace

Comparison compare(const Trajectory& result, const Trajectory& reference, const CompareOptions& options) {
    Comparison out;
    if (result.rows() < 2 || reference.empty()) {
        out.problem = result.rows() < 2 ? "the result has fewer than two rows" : "the reference has no rows";
        return out;
    }
    const std::vector<double> t_result = times(result, options.time_factor);
    const std::vector<double> t_reference = times(reference, 1);
    const double end = options.end.value_or(t_reference.back());
    const double span = end - t_reference.front();
    const double tube = options.tube.value_or(1e-4 * span);
    const double edge = std::max(tube, 1e-9 * span);
    bool time_agrees = true;
    if (t_result.front() > t_reference.front() + edge) {
        time_agrees = false;
        out.problem = fmt::format("the result starts at {:.9g}, the reference at {:.9g}", t_result.front(),
                                  t_reference.front());
    }
    if (t_result.back() < end - edge) {
        time_agrees = false;
        out.problem = fmt::format("the result ends at {:.9g}, the reference at {:.9g}", t_result.back(), end);
    }
    std::vector<double> jumps;
    add_jumps(t_result, span, jumps);
    add_jumps(t_reference, span, jumps);
    std::sort(jumps.begin(), jumps.end());

    // A name that differs in case only is accepted.
    std::unordered_map<std::string, ColumnIndex> folded;
    for (std::size_t k = result.columns().size(); k-- > 1;)
        folded[lower(result.columns()[ColumnIndex(k)].name)] = ColumnIndex(k);

    std::vector<std::string> names = options.only;
    if (names.empty())
        for (std::size_t k = 1; k < reference.columns().size(); ++k)
            names.push_back(reference.columns()[ColumnIndex(k)].name);
    // A result that went to standard output, for one, has no parameters beside it.
    const bool passes_over_parameters = options.only.empty() && !has_parameters(result);
    const std::unordered_set<std::string> skipped(options.skip.begin(), options.skip.end());
    for (const std::string& name : names) {
        if (skipped.contains(name)) continue;
        const auto reference_column = reference.find(name);
        if (!reference_column) {
            out.problem = fmt::format("the reference has no variable {}", name);
            return out;
        }
        const auto mapped = options.names.find(name);
        const ResultName wanted = mapped == options.names.end() ? ResultName{name} : mapped->second;
        auto column = result.find(wanted.name);
        if (!column && passes_over_parameters && is_parameter(reference, *reference_column)) continue;
        if (!column) {
            const auto near = folded.find(lower(wanted.name));
            if (near != folded.end()) column = near->second;
        }
        if (!column) {
            out.missing.push_back(name);
            continue;
        }
        std::vector<double> v = result.values(*column);
        for (double& y : v) y = wanted.factor * y + wanted.offset;
        const std::vector<double> r = reference.values(*reference_column);
        const Function of_result{t_result, v}, of_reference{t_reference, r};

        double low = infinite, high = -infinite;
        for (std::size_t i = 0; i < r.size() && t_reference[i] <= end + edge; ++i) {
            if (std::isnan(r[i])) continue;
            low = std::min(low, r[i]);
            high = std::max(high, r[i]);
        }
        const double size = std::max(std::fabs(low), std::fabs(high));
        double range = high - low;
        if (!(range > 1e-9 * size)) range = size;               // constant up to rounding: judged by its size
        if (!(range >= 1e-15) || std::isinf(range)) range = 1;  // zero: judged absolutely

        ComparedVariable c{name, result.columns()[*column].name};
        c.range = range;
        c.tolerance = options.absolute + options.relative * range;
        c.error = -1;
        for (std::size_t i = 0; i < r.size() && t_reference[i] <= end + edge; ++i) {
            const double t = t_reference[i], y = r[i];
            if (std::isnan(y)) continue;
            const auto near = std::lower_bound(jumps.begin(), jumps.end(), t - tube);
            const Limits l = limits(of_result, t);
            double error;
            if (near != jumps.end() && *near <= t + tube) {
                const Interval around = envelope(of_result, t - tube, t + tube);
                const Interval expected = envelope(of_reference, t - tube, t + tube);
                error = std::min(around.distance(y),
                                 std::max(expected.distance(l.left), expected.distance(l.right)));
                if (std::isnan(around.low)) error = infinite;
            } else {
                error = std::min(std::fabs(l.left - y), std::fabs(l.right - y));
            }
            if (std::isnan(l.left) || std::isnan(l.right) || std::isnan(error)) error = infinite;
            if (error > c.error) {
                c.error = error;
                c.time = t;
                c.result = l.right;
                c.reference = y;
            }
        }
        c.error = std::max(c.error, 0.0);
        c.within = c.error <= c.tolerance;
        out.variables.push_back(std::move(c));
    }
    std::stable_sort(
        out.variables.begin(), out.variables.end(), [](const ComparedVariable& a, const ComparedVariable& b) {
            return a.error * std::max(b.tolerance, 1e-300) > b.error * std::max(a.tolerance, 1e-300);
        });
    if (out.variables.empty() && out.problem.empty()) out.problem = "no variable was compared";
    out.passed =
        time_agrees && !out.variables.empty() && (out.missing.empty() || !options.missing_is_failure) &&
        std::all_of(out.variables.begin(), out.variables.end(), [](const auto& c) { return c.within; });
    return out;
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
