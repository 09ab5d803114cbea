// cutset poles, cutset zeros.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <numbers>

#include "base/json.h"
#include "commands.h"
#include "control/modes.h"
#include "control/realization.h"
#include "control/state_space_messages.h"
#include "control/transfer_realization.h"
#include "control/zeros.h"
#include "linear/linear_output.h"
#include "linear/linear_source.h"
#include "linear/state_space_output.h"

namespace cutset::cli {

namespace {

struct PolesOptions : LinearOptions {
    bool all = false;
    std::string output;  // of the map
};

// The poles in the complex plane, with the edge of stability.
Plot map_of(const std::vector<Mode>& modes, std::optional<double> sample_time) {
    Plot plot;
    plot.title = "Poles";
    plot.x_label = "real part";
    plot.equal_units = true;
    double left = 0, right = 0, top = 0;
    for (const Mode& mode : modes) {
        const Complex s = mode.eigenvalue;
        left = std::min(left, s.real());
        right = std::max(right, s.real());
        top = std::max(top, std::abs(s.imag()));
        plot.marks.push_back({s.real(), s.imag(), MarkKind::Cross, "", "", {}});
    }
    Curve edge;
    edge.quantity = "imaginary part";
    edge.colour = 0;
    if (sample_time) {
        for (int k = 0; k <= 96; ++k) {
            edge.x.push_back(std::cos(k * std::numbers::pi / 48));
            edge.y.push_back(std::sin(k * std::numbers::pi / 48));
        }
        left = std::min(left, -1.0);
        right = std::max(right, 1.0);
        top = std::max(top, 1.0);
    } else {
        const double size = std::max({right - left, 2 * top, 1e-3});
        top = std::max(top, 0.2 * size);
        right = std::max(right, 0.1 * size);
        edge.x = {0, 0};
        edge.y = {-2 * top, 2 * top};
    }
    const double margin = 0.08 * std::max(right - left, 2 * top);
    plot.x_range = PlotRange{left - margin, right + margin};
    plot.y_range = PlotRange{-top - margin, top + margin};
    plot.curves.push_back(std::move(edge));
    return plot;
}

Json mode_json(const Mode& mode, const std::vector<std::string>& states, bool sampled) {
    Json out = {{"eigenvalue", complex_json(mode.eigenvalue)},
                {"frequency", number_json(mode.frequency)},
                {"damping", mode.damping ? Json(*mode.damping) : Json()},
                {"time_constant", mode.time_constant ? Json(*mode.time_constant) : Json()},
                {"stable", mode.stable(sampled)}};
    Json shares = Json::object();
    for (const Participant& p : participants(mode, states.size(), 1e-3)) shares[states[p.state]] = p.share;
    out["participation"] = shares;
    return out;
}

constexpr const char* zero_function = "the transfer function is zero: every s is a zero";

void print_rank(Eigen::Index rank, bool degenerate) {
    fmt::print(
        "rank of the transfer matrix: {}{}\n", rank,
        degenerate ? ", less than inputs and outputs: some combination of outputs always vanishes" : "");
}

// Poles or zeros with symbols: factors and, up to the second degree, formulas for their roots.
int symbolic_roots(const ExactTransferMatrix& g, bool of_poles, const LinearOptions& options,
                   Workspace& workspace) {
    report_cancelled(g, workspace.diagnostics);
    const bool single = g.rows() == 1 && g.columns() == 1;
    ExactPolynomial p;
    if (single) {
        const ExactFraction f = reduced(g.elements[0][0]);
        p = of_poles ? f.denominator : f.numerator;
    } else {
        const SmithMcMillanForm form = smith_mcmillan_form(g);
        p = of_poles ? form.poles : form.zeros;
        if (form.diagonal.empty()) p = ExactPolynomial();
    }
    const char* what = of_poles ? "poles" : "zeros";
    Json factors = Json::array();
    std::string lines;
    if (!p.is_zero() && !p.is_constant())
        for (const PowerFactor& part : simple_factors(p)) {
            const std::string text = to_text(part.factor, g.variable, g.symbols);
            Json one = {{"factor", text}, {"multiplicity", part.multiplicity}};
            const ExactPolynomial& f = part.factor;
            std::string formula;
            if (f.degree() == 1) {
                formula = to_text(-f[0] / f[1], g.symbols);
            } else if (f.degree() == 2) {
                // s = -b/2 ± √(b²/4 - c)
                const Coefficient b = f[1] / f[2], half = -b / Coefficient(2), c = f[0] / f[2];
                formula = fmt::format("{}± sqrt({})", half.is_zero() ? "" : to_text(half, g.symbols) + " ",
                                      to_text(half * half - c, g.symbols));
            }
            if (!formula.empty()) one["roots"] = formula;
            factors.push_back(std::move(one));
            lines += fmt::format(
                "  {}{}{}\n",
                formula.empty() ? "roots of " + text : fmt::format("{} = {}", g.variable, formula),
                part.multiplicity > 1 ? fmt::format(", {} times", part.multiplicity) : "", "");
        }
    if (options.json) {
        Json out = {
            {"polynomial", to_text(p, g.variable, g.symbols)}, {"factors", factors}, {"symbols", g.symbols}};
        return finish_json(std::move(out), workspace);
    }
    if (p.is_zero())
        fmt::print("{}\n", zero_function);
    else if (p.is_constant())
        fmt::print("no {}\n", what);
    else
        fmt::print("{}: {} = 0\n{}", what, factored_text(p, g.variable, g.symbols), lines);
    std::fflush(stdout);
    return finish(workspace, options);
}

// Exact coefficients: multiple poles are that, and no realisation is made up.
std::vector<Mode> exact_modes(const ExactTransferMatrix& g) {
    const ExactPolynomial denominator = g.rows() == 1 && g.columns() == 1
                                            ? reduced(g.elements[0][0]).denominator
                                            : smith_mcmillan_form(g).poles;
    std::vector<Complex> found = roots(denominator);
    sort_poles(found, g.sample_time.has_value());
    std::vector<Mode> out;
    for (const Complex& pole : found) out.push_back(mode_of(pole, g.sample_time));
    return out;
}

int poles_command(const PolesOptions& options) {
    Workspace workspace;
    const auto source = open_linear(options, workspace, false);
    if (!source) return finish(workspace, options);
    std::optional<std::vector<Mode>> found;
    std::vector<std::string> states;
    std::optional<double> sample_time;
    const auto* exact = std::get_if<ExactTransferMatrix>(&*source);
    if (exact) {
        if (!exact->symbols.empty()) return symbolic_roots(*exact, true, options, workspace);
        report_cancelled(*exact, workspace.diagnostics);
        sample_time = exact->sample_time;
        found = exact_modes(*exact);
    } else {
        const StateSpace& system = std::get<StateSpace>(*source);
        if (!check_system(system, workspace.diagnostics)) return finish(workspace, options);
        states = system.states;
        sample_time = system.sample_time;
        found = modes(system.A, sample_time);
    }
    if (!found) {
        workspace.diagnostics.report(state_space_messages::no_convergence("the eigenvalues"));
        return finish(workspace, options);
    }
    const bool sampled = sample_time.has_value();
    const bool stable =
        std::all_of(found->begin(), found->end(), [&](const Mode& m) { return m.stable(sampled); });
    const auto multiplicity = [&](const Mode& mode) {
        return std::count_if(found->begin(), found->end(),
                             [&](const Mode& m) { return m.eigenvalue == mode.eigenvalue; });
    };
    if (!options.output.empty() &&
        !show_plot(map_of(*found, sample_time), options.output, true, workspace.diagnostics))
        return finish(workspace, options);
    if (options.json) {
        Json out = {{"stable", stable}, {"states", states}};
        if (sampled) out["sample_time"] = *sample_time;
        out["poles"] = out["modes"] = Json::array();
        for (const Mode& mode : *found) {
            out["poles"].push_back(complex_json(mode.eigenvalue));
            out["modes"].push_back(mode_json(mode, states, sampled));
            if (exact) out["modes"].back()["multiplicity"] = multiplicity(mode);
        }
        out["eigenvalues"] = out["poles"];
        return finish_json(std::move(out), workspace);
    }
    if (found->empty())
        fmt::print("{}\n", exact ? "the transfer function has no poles"
                                 : "there are no states, so there are no poles");
    else
        fmt::print("{:<24} {:>9} {:>11} {:>13}   {}\n", "pole", "damping", "rad/s", "time const.",
                   exact ? "multiplicity" : "states");
    std::optional<Complex> last;
    for (const Mode& mode : *found) {
        if (mode.eigenvalue.imag() < 0 || (exact && last == mode.eigenvalue)) continue;
        last = mode.eigenvalue;
        std::string names;
        for (const Participant& p :
             participants(mode, options.all ? states.size() : 4, options.all ? 0.001 : 0.05))
            names += fmt::format("{}{} {:.2g}", names.empty() ? "" : ", ", states[p.state], p.share);
        if (exact) names = std::to_string(multiplicity(mode));
        const std::string text = complex_text(mode.eigenvalue, mode.eigenvalue.imag() != 0);
        // ± is one letter of two bytes.
        fmt::print("{:<{}} {:>9} {:>11} {:>13}   {}\n", text, mode.eigenvalue.imag() != 0 ? 25 : 24,
                   mode.damping ? fmt::format("{:.4g}", *mode.damping) : "-",
                   fmt::format("{:.5g}", mode.frequency),
                   mode.time_constant ? fmt::format("{:.5g} s", *mode.time_constant) : "-", names);
    }
    if (!found->empty() && !options.quiet) {
        const auto count =
            std::count_if(found->begin(), found->end(), [&](const Mode& m) { return !m.stable(sampled); });
        const auto border =
            std::count_if(found->begin(), found->end(), [&](const Mode& m) { return m.on_border(sampled); });
        const char* edge = sampled ? "unit circle" : "imaginary axis";
        if (stable)
            fmt::print("stable\n");
        else
            fmt::print("not stable: {} {} {} the {}\n", count, count == 1 ? "pole is" : "poles are",
                       border == count ? "on"
                       : border == 0   ? "beyond"
                                       : "on or beyond",
                       edge);
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

// Zeros of exact transfer functions.
int exact_zeros(const ExactTransferMatrix& g, const LinearOptions& options, Workspace& workspace) {
    if (!g.symbols.empty()) return symbolic_roots(g, false, options, workspace);
    report_cancelled(g, workspace.diagnostics);
    const bool single = g.rows() == 1 && g.columns() == 1;
    ExactPolynomial numerator;
    Eigen::Index rank = 0;
    double gain = 0;
    int excess = 0;
    if (single) {
        const ExactFraction f = reduced(g.elements[0][0]);
        numerator = f.numerator;
        rank = numerator.is_zero() ? 0 : 1;
        if (rank) gain = (f.numerator.leading() / f.denominator.leading()).value();
        excess = f.denominator.degree() - f.numerator.degree();
    } else {
        const SmithMcMillanForm form = smith_mcmillan_form(g);
        numerator = form.zeros;
        rank = static_cast<Eigen::Index>(form.diagonal.size());
    }
    const bool degenerate = rank < static_cast<Eigen::Index>(std::min(g.rows(), g.columns()));
    std::vector<Complex> found;
    if (rank > 0) found = roots(numerator);
    if (options.json) {
        Json out = {{"zeros", complex_json(found)},
                    {"transmission_zeros", complex_json(found)},
                    {"decoupling_zeros", Json::array()},
                    {"normal_rank", rank},
                    {"degenerate", degenerate},
                    {"inputs", g.inputs},
                    {"outputs", g.outputs}};
        if (single) out["gain"] = number_json(gain);
        if (g.sample_time) out["sample_time"] = *g.sample_time;
        return finish_json(std::move(out), workspace);
    }
    if (rank == 0) {
        fmt::print("{}\n", zero_function);
        return finish(workspace, options);
    }
    print_poles("zeros", found, g.sample_time);
    if (single)
        fmt::print("gain {}, {}\n", short_number(gain),
                   excess >= 0 ? fmt::format("{} more poles than zeros", excess)
                               : fmt::format("{} more zeros than poles", -excess));
    else
        print_rank(rank, degenerate);
    std::fflush(stdout);
    return finish(workspace, options);
}

int zeros_command(const LinearOptions& options) {
    Workspace workspace;
    const auto source = open_linear(options, workspace);
    if (!source) return finish(workspace, options);
    if (const auto* g = std::get_if<ExactTransferMatrix>(&*source))
        return exact_zeros(*g, options, workspace);
    const StateSpace* system = std::get_if<StateSpace>(&*source);
    if (!check_system(*system, workspace.diagnostics)) return finish(workspace, options);
    const auto found = invariant_zeros(*system);
    const auto small = minimal_realization(*system);
    const auto transmission = invariant_zeros(small.system);
    const auto system_poles = poles(small.system.A, system->sample_time);
    if (!found || !transmission || !system_poles) {
        workspace.diagnostics.report(state_space_messages::no_convergence("the zeros"));
        return finish(workspace, options);
    }
    // Zeros of the whole that those of the minimal part do not explain.
    std::vector<std::complex<double>> decoupling = found->finite;
    for (const auto& z : transmission->finite) {
        const auto at =
            std::min_element(decoupling.begin(), decoupling.end(),
                             [&](const auto& a, const auto& b) { return std::abs(a - z) < std::abs(b - z); });
        if (at != decoupling.end()) decoupling.erase(at);
    }
    const bool single = system->B.cols() == 1 && system->C.rows() == 1;
    const double gain = single ? zero_pole_gain(small.system, transmission->finite, *system_poles) : 0;
    if (options.json) {
        Json out = {{"zeros", complex_json(found->finite)},
                    {"transmission_zeros", complex_json(transmission->finite)},
                    {"decoupling_zeros", complex_json(decoupling)},
                    {"normal_rank", found->normal_rank},
                    {"degenerate", found->degenerate},
                    {"inputs", system->inputs},
                    {"outputs", system->outputs}};
        if (single) out["gain"] = number_json(gain);
        if (system->sample_time) out["sample_time"] = *system->sample_time;
        return finish_json(std::move(out), workspace);
    }
    if (found->normal_rank == 0)
        fmt::print("{}\n", zero_function);
    else
        print_poles("zeros", transmission->finite, system->sample_time);
    if (!decoupling.empty())
        print_poles("further, of modes that the inputs do not reach or the outputs do not show", decoupling,
                    system->sample_time);
    if (found->normal_rank == 0) {
        std::fflush(stdout);
        return finish(workspace, options);
    }
    if (single)
        fmt::print("gain {}, {} more poles than zeros\n", short_number(gain),
                   system_poles->size() - std::min(system_poles->size(), transmission->finite.size()));
    else
        print_rank(found->normal_rank, found->degenerate);
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_poles(CommandLine& line) {
    auto o = std::make_shared<PolesOptions>();
    Command& c =
        line.add("poles", groups::linear, "poles with damping, frequency and the states that take part",
                 [o] { return poles_command(*o); });
    add_linear_options(c, *o);
    c.flag("--all", o->all, "all states with their shares");
    c.option("-o,--output", o->output, "a map of the poles: .svg, .png, .pdf");
    c.footer(
        "Examples:\n"
        "  cutset poles motor.dym                  of the model at its steady state\n"
        "  cutset poles motor.json --json\n"
        "  cutset poles motor.dym -o poles.svg     a map\n"
        "  cutset poles --tf \"1/((s+1)^5*(s^2+0.4*s+1))\"\n"
        "  cutset poles motor.dym --symbolic       formulas in the parameters\n"
        "  cutset poles --tf \"1/(s^2+2*d*w*s+w^2)\"\n"
        "The poles of transfer functions are those of their exact coefficients, with multiplicity.");
}

void add_zeros(CommandLine& line) {
    auto o = std::make_shared<LinearOptions>();
    Command& c = line.add("zeros", groups::linear, "zeros of a system with any number of inputs and outputs",
                          [o] { return zeros_command(*o); });
    add_linear_options(c, *o);
    c.footer(
        "Examples:\n"
        "  cutset zeros motor.dym --inputs u --outputs w\n"
        "  cutset zeros plant.json --json\n"
        "JSON: `zeros` are the invariant zeros; without `decoupling_zeros` they are the "
        "`transmission_zeros`.");
}

}  // namespace cutset::cli
