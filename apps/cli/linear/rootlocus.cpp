// cutset rootlocus: closed-loop poles as a gain varies, or eigenvalues as a parameter of a model does.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>
#include <numbers>

#include "base/json.h"
#include "commands.h"
#include "control/margins.h"
#include "control/modes.h"
#include "control/root_locus.h"
#include "control/transfer_function.h"
#include "control/transfer_realization.h"
#include "linear/linear_output.h"
#include "linear/linear_source.h"

namespace cutset::cli {

namespace {

using std::numbers::pi;

struct RootLocusOptions : LinearOptions {
    std::string gain;  // lo:hi
    std::string vary;  // p=lo:hi
    std::string output, title;
    std::optional<int> points;
};

// "lo:hi"
std::optional<std::pair<double, double>> read_range(const std::string& text) {
    const std::size_t colon = text.find(':');
    if (colon == std::string::npos) return std::nullopt;
    const auto low = rational_from_text(text.substr(0, colon)),
               high = rational_from_text(text.substr(colon + 1));
    if (!low || !high || !(*low < *high)) return std::nullopt;
    return std::pair(Coefficient(*low).value(), Coefficient(*high).value());
}

Plot locus_plot(const std::vector<LocusBranch>& branches, const std::vector<Complex>& poles,
                const std::vector<Complex>& zeros, const RootLocus* locus,
                const std::vector<RootLocus::Crossing>& crossings, std::optional<double> sample_time,
                const std::string& title, const std::string& parameter, bool coloured, bool whole) {
    Plot plot;
    plot.title = title;
    plot.x_label = "real part";
    plot.equal_units = true;
    plot.height = 560;
    // What is of interest, not where branches end up.
    double left = 0, right = 0, top = 0;
    bool first = true;
    const auto see = [&](Complex s) {
        if (first) left = right = s.real();
        first = false;
        left = std::min(left, s.real());
        right = std::max(right, s.real());
        top = std::max(top, std::fabs(s.imag()));
    };
    for (const Complex& s : poles) see(s);
    for (const Complex& s : zeros) see(s);
    for (const auto& c : crossings) see(c.root), see(std::conj(c.root));
    if (locus)
        for (const auto& m : locus->meetings) see(m.root);
    if (locus && locus->asymptotes) see(locus->asymptotes->center);
    if (sample_time) see(1.0), see(-1.0), see({0, 1});
    if (whole)
        for (const LocusBranch& b : branches)
            for (const Complex& s : b.root) see(s);
    if (!sample_time) see(0.0);
    double size = std::max({right - left, 2 * top, 1e-12});
    if (size <= 1e-12) size = 2;
    if (!whole) {
        // Room for the branches that go on.
        left -= 0.35 * size;
        right += 0.25 * size;
        top = std::max(top + 0.3 * size, 0.45 * size);
    } else {
        left -= 0.06 * size;
        right += 0.06 * size;
        top += 0.06 * size;
        if (top < 0.05 * size) top = 0.2 * size;
    }
    plot.x_range = PlotRange{left, right};
    plot.y_range = PlotRange{-top, top};
    const double far = 30 * size;
    for (std::size_t i = 0; i < branches.size(); ++i) {
        Curve c;
        c.quantity = "imaginary part";
        c.colour = i % 6;
        if (branches.size() > 12 || !coloured) c.colour = 0;
        for (const Complex& s : branches[i].root) {
            const bool seen = std::abs(s - Complex((left + right) / 2, 0)) < far;
            c.x.push_back(seen ? s.real() : std::nan(""));
            c.y.push_back(seen ? s.imag() : std::nan(""));
        }
        plot.curves.push_back(std::move(c));
    }
    const auto guide = [&](std::vector<Complex> points, bool dashed) {
        Curve c;
        c.guide = true;
        c.dashed = dashed;
        for (const Complex& s : points) {
            c.x.push_back(s.real());
            c.y.push_back(s.imag());
        }
        plot.curves.push_back(std::move(c));
    };
    if (sample_time) {
        std::vector<Complex> circle;
        for (int k = 0; k <= 96; ++k) circle.push_back(std::polar(1.0, pi * k / 48));
        guide(circle, false);
    } else {
        guide({{0, -10 * far}, {0, 10 * far}}, false);
    }
    if (locus && locus->asymptotes)
        for (double angle : locus->asymptotes->angles)
            if (std::fabs(std::fabs(angle) - 180) > 1e-6)
                guide({locus->asymptotes->center,
                       locus->asymptotes->center + std::polar(far, angle * pi / 180)},
                      true);
    for (const Complex& s : poles) plot.marks.push_back({s.real(), s.imag(), MarkKind::Cross, "", "", {}});
    for (const Complex& s : zeros) plot.marks.push_back({s.real(), s.imag(), MarkKind::Circle, "", "", {}});
    for (const auto& c : crossings)
        plot.marks.push_back({c.root.real(),
                              c.root.imag(),
                              MarkKind::Dot,
                              "",
                              fmt::format("{} = {:.3g}", parameter, c.gain),
                              {}});
    return plot;
}

Json branches_json(const std::vector<LocusBranch>& branches, const char* key) {
    Json out = Json::array();
    for (const LocusBranch& b : branches) out.push_back({{key, b.gain}, {"roots", complex_json(b.root)}});
    return out;
}

Json crossings_json(const std::vector<RootLocus::Crossing>& crossings, const char* key) {
    Json out = Json::array();
    for (const auto& c : crossings)
        out.push_back({{key, c.gain},
                       {"root", complex_json(c.root)},
                       {"frequency", c.frequency},
                       {"direction", c.outwards ? "unstable" : "stable"}});
    return out;
}

int vary(const RootLocusOptions& options, Workspace& workspace) {
    const std::size_t equal = options.vary.find('=');
    const auto range = equal == std::string::npos ? std::nullopt : read_range(options.vary.substr(equal + 1));
    if (!range) {
        workspace.diagnostics.report(
            bad_option(fmt::format("--vary {}: NAME=LOW:HIGH is expected", options.vary)));
        return finish(workspace, options);
    }
    const std::string name = options.vary.substr(0, equal);
    // The first system also tells what is wrong with the rest of the command line.
    const auto system_at = [&](double value, Workspace& w) {
        RootLocusOptions at = options;
        at.set.push_back(fmt::format("{}={}", name, value));
        return open_state_space(at, w, false);
    };
    const auto first = system_at(range->first, workspace);
    if (!first) return finish(workspace, options);
    std::size_t failures = 0;
    const std::function<std::vector<Complex>(double)> roots_at = [&](double value) -> std::vector<Complex> {
        Workspace w;
        const auto s = value == range->first ? first : system_at(value, w);
        if (!s) {
            if (failures++ == 0)
                for (const Diagnostic& d : w.diagnostics.all()) {
                    Diagnostic copy = d;
                    copy.where = {};
                    copy.related.clear();
                    copy.message = fmt::format("with {} = {}: {}", name, value, d.message);
                    workspace.diagnostics.report(std::move(copy));
                }
            return {};
        }
        return poles(s->A, s->sample_time).value_or(std::vector<Complex>());
    };
    const TrackedRoots tracked =
        track_roots(roots_at, range->first, range->second,
                    static_cast<std::size_t>(std::max(2, options.points.value_or(20))), first->sample_time);
    if (workspace.diagnostics.has_errors()) return finish(workspace, options);
    if (!tracked.complete) {
        workspace.diagnostics.report(
            bad_option(fmt::format("the number of states changes as {} varies", name),
                       "choose a range in which the structure stays"));
        return finish(workspace, options);
    }
    std::vector<Complex> starts;
    for (const LocusBranch& b : tracked.branches) starts.push_back(b.root.front());
    const Plot plot = locus_plot(tracked.branches, starts, {}, nullptr, tracked.crossings, first->sample_time,
                                 options.title, name, !options.output.empty(), true);
    if (!options.json || !options.output.empty())
        if (!show_plot(plot, options.output, options.quiet || options.json, workspace.diagnostics))
            return finish(workspace, options);
    if (options.json) {
        Json j = {{"parameter", name},
                  {"range", {range->first, range->second}},
                  {"branches", branches_json(tracked.branches, "value")},
                  {"crossings", crossings_json(tracked.crossings, "value")}};
        return print_json(std::move(j), workspace);
    }
    if (!options.quiet) {
        fmt::print("×: {} = {}; {} = {} at the other ends\n", name, short_number(range->first), name,
                   short_number(range->second));
        for (const auto& c : tracked.crossings)
            fmt::print("crosses the boundary of stability at {} = {}, {} ({} rad/s), {}\n", name,
                       short_number(c.gain), complex_text(c.root, c.root.imag() != 0),
                       short_number(c.frequency), c.outwards ? "becoming unstable" : "becoming stable");
        if (tracked.crossings.empty()) fmt::print("no eigenvalue crosses the boundary of stability\n");
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

int rootlocus(const RootLocusOptions& options) {
    Workspace workspace;
    const auto fail = [&](const std::string& message, const std::string& help = "") {
        workspace.diagnostics.report(bad_option(message, help));
        return finish(workspace, options);
    };
    if (!options.vary.empty()) return vary(options, workspace);
    std::optional<std::pair<double, double>> range;
    if (!options.gain.empty()) {
        range = read_range(options.gain);
        if (!range)
            return fail(fmt::format("--gain {}: LOW:HIGH is expected, for example 0:10", options.gain));
    }
    const auto system = open_linear(options, workspace);
    if (!system) return finish(workspace, options);
    const auto sample_time = std::visit([](const auto& s) { return s.sample_time; }, *system);
    const auto [inputs, outputs] =
        std::visit([](const auto& s) { return std::pair(s.inputs.size(), s.outputs.size()); }, *system);
    LocusPolynomial polynomial;
    std::vector<Complex> open_poles, open_zeros;
    int hidden = 0;
    if (inputs != outputs)
        return fail(
            fmt::format("a root locus needs as many outputs as inputs; there are {} and {}", outputs, inputs),
            "choose with --inputs and --outputs");
    const auto* g = std::get_if<ExactTransferMatrix>(&*system);
    if (g) {
        if (!g->symbols.empty()) {
            check_realizable(*g, workspace.diagnostics);
            return finish(workspace, options);
        }
        report_cancelled(*g, workspace.diagnostics);
        for (std::size_t i = 0; i < g->rows(); ++i)
            for (std::size_t k = 0; k < g->columns(); ++k) {
                const ExactFraction f = reduced(g->elements[i][k]);
                if (g->delays[i][k] != 0 || (!f.is_proper() && inputs > 1)) {
                    check_realizable(*g, workspace.diagnostics);
                    return finish(workspace, options);
                }
            }
    }
    if (inputs == 1) {
        std::optional<TransferFunction> f;
        if (g)
            f = transfer_function(g->elements[0][0], 0, sample_time);
        else
            f = transfer_function(std::get<StateSpace>(*system), 0, 0);
        if (!f) return fail("the eigenvalues of the system could not be computed");
        if (f->is_zero()) return fail("the transfer function is zero: the gain has no effect");
        if (f->poles.empty()) return fail("the transfer function has no poles, so there is no locus");
        polynomial = locus_polynomial(f->zeros, f->poles, f->gain, sample_time);
        open_zeros = f->zeros;
        // Poles of the system that the loop does not show stay where they are for every gain.
        if (const auto* s = std::get_if<StateSpace>(&*system))
            if (const auto m = stability_margins(*s, 0, 0, workspace.diagnostics))
                hidden = m->hidden_unstable;
        if (g) hidden = stability_margins(g->elements[0][0], 0, sample_time).hidden_unstable;
    } else {
        std::optional<ExactTransferMatrix> exact_matrix;
        if (g) {
            exact_matrix = *g;
        } else {
            const StateSpace& s = std::get<StateSpace>(*system);
            if (s.order() > 30)
                return fail("root loci of several inputs are for up to 30 states",
                            "choose one input and one output");
            exact_matrix = transfer_matrix_of({exact(s.A), exact(s.B), exact(s.C), exact(s.D)});
        }
        polynomial = locus_polynomial(right_coprime(right_fraction(*exact_matrix)).fraction, sample_time);
        if (!range) range = {0.0, 10.0};
    }
    open_poles = polynomial.poles;
    RootLocus locus = root_locus(polynomial, range ? std::optional(range->first) : std::nullopt,
                                 range ? std::optional(range->second) : std::nullopt);
    if (hidden > 0) locus.stable.clear();
    const Plot plot =
        locus_plot(locus.branches, open_poles, open_zeros, &locus, locus.crossings, sample_time,
                   options.title, "k", !options.output.empty(), range.has_value() && locus.passages.empty());
    if (!options.json || !options.output.empty())
        if (!show_plot(plot, options.output, options.quiet || options.json, workspace.diagnostics))
            return finish(workspace, options);
    if (options.json) {
        Json j = {{"poles", complex_json(open_poles)},
                  {"zeros", complex_json(open_zeros)},
                  {"range", {locus.low, locus.high}},
                  {"branches", branches_json(locus.branches, "gain")},
                  {"crossings", crossings_json(locus.crossings, "gain")}};
        j["breakaway"] = Json::array();
        for (const auto& m : locus.meetings)
            j["breakaway"].push_back(
                {{"gain", m.gain}, {"root", complex_json(m.root)}, {"multiplicity", m.multiplicity}});
        if (locus.asymptotes)
            j["asymptotes"] = {{"center", locus.asymptotes->center}, {"angles", locus.asymptotes->angles}};
        j["departure_angles"] = Json::array();
        for (const auto& a : locus.departures)
            j["departure_angles"].push_back({{"pole", complex_json(a.root)}, {"degrees", a.angle}});
        j["arrival_angles"] = Json::array();
        for (const auto& a : locus.arrivals)
            j["arrival_angles"].push_back({{"zero", complex_json(a.root)}, {"degrees", a.angle}});
        j["through_infinity"] = locus.passages;
        j["hidden_unstable"] = hidden;
        j["stable"] = Json::array();
        for (const auto& i : locus.stable) j["stable"].push_back({i.low, i.high});
        return print_json(std::move(j), workspace);
    }
    if (options.quiet) return finish(workspace, options);
    fmt::print("1 + k L = 0 for k from {} to {}\n", short_number(locus.low), short_number(locus.high));
    for (const auto& m : locus.meetings)
        if (m.root.imag() >= 0 && !(m.gain == 0 && locus.low == 0))
            fmt::print("  {} roots meet at {} for k = {}\n", m.multiplicity,
                       complex_text(m.root, m.root.imag() != 0), short_number(m.gain));
    if (locus.asymptotes) {
        std::string angles;
        for (double a : locus.asymptotes->angles)
            angles += (angles.empty() ? "" : ", ") + short_number(a) + "°";
        fmt::print("  asymptotes from {} at {}\n", short_number(locus.asymptotes->center), angles);
    }
    for (const auto& a : locus.departures)
        if (a.root.imag() > 0)
            fmt::print("  leaves the pole {} at {}°\n", complex_text(a.root), short_number(a.angle));
    for (const auto& a : locus.arrivals)
        if (a.root.imag() > 0)
            fmt::print("  arrives at the zero {} from {}°\n", complex_text(a.root), short_number(a.angle));
    for (const auto& c : locus.crossings)
        fmt::print("  crosses the boundary of stability for k = {} at {} ({} rad/s), {}\n",
                   short_number(c.gain), complex_text(c.root, c.root.imag() != 0), short_number(c.frequency),
                   c.outwards ? "becoming unstable" : "becoming stable");
    for (double k : locus.passages)
        if (k != 0)
            fmt::print(
                "  a root passes through infinity for k = {}: the closed loop is not well posed there\n",
                short_number(k));
    if (hidden > 0)
        fmt::print("  {} unstable pole{} of the system {} not in this loop: no gain moves {}\n", hidden,
                   hidden == 1 ? "" : "s", hidden == 1 ? "is" : "are", hidden == 1 ? "it" : "them");
    std::string stable;
    for (const auto& i : locus.stable)
        stable += (stable.empty() ? "" : " and ") +
                  (i.high < locus.high ? fmt::format("{} < k < {}", short_number(i.low), short_number(i.high))
                                       : fmt::format("k > {} to the end of the range", short_number(i.low)));
    fmt::print("  {}\n", stable.empty() ? "stable for no gain in this range" : "stable for " + stable);
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_rootlocus(CommandLine& line) {
    auto o = std::make_shared<RootLocusOptions>();
    Command& c = line.add("rootlocus", groups::linear,
                          "root locus of 1 + k L = 0, or eigenvalues as a parameter varies",
                          [o] { return rootlocus(*o); });
    add_linear_options(c, *o);
    c.option("--gain", o->gain, "range of the gain k: LOW:HIGH; default: from 0 until all has happened");
    c.option("--vary", o->vary, "a parameter of the model instead of a gain: NAME=LOW:HIGH");
    c.option("--points", o->points, "values of the parameter to begin with (20)");
    c.option("-o,--output", o->output, "picture file: .svg, .png or .pdf; default: on the terminal");
    c.option("--title", o->title, "title of the plot");
    c.footer(
        "Examples:\n"
        "  cutset rootlocus --tf \"1/(s*(s+1)*(s+2))\" -o locus.svg\n"
        "  cutset rootlocus --tf \"(s+1)/(s^2*(s+10))\" --gain 0:100\n"
        "  cutset rootlocus --tf \"[1/s^2, 1/s; -1/s^2, 0]\" --gain -2:2     det(I + k G) = 0\n"
        "  cutset rootlocus motor.dym --vary J=0.01:0.1                    eigenvalues of the model\n"
        "×: poles, ○: zeros, •: where the boundary of stability is crossed, dashed: asymptotes.");
}

}  // namespace cutset::cli
