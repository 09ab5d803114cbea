// cutset rootlocus: closed-loop poles as a gain varies, or eigenvalues as a parameter of a model does.
#include <fmt/format.h>

#include <cmath>
#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "operations/linear/locus_study.h"
#include "operations/linear/pole_plots.h"

namespace cutset::cli {

namespace {

struct RootLocusOptions : LinearOptions {
    std::string gain;  // lo:hi
    std::string vary;  // p=lo:hi
    std::string output, title;
    std::string axes;  // left:right,bottom:top
    std::optional<int> points;
};

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

// The picture, on the terminal or to a file. False when it could not be written.
bool draw(Plot plot, const RootLocusOptions& options, Diagnostics& diagnostics) {
    plot.title = options.title;
    if (!options.axes.empty()) {
        const std::size_t comma = options.axes.find(',');
        const auto across = value_range(options.axes.substr(0, comma));
        const auto up =
            comma == std::string::npos ? std::nullopt : value_range(options.axes.substr(comma + 1));
        if (!across || !up) {
            diagnostics.report(bad_option(fmt::format(
                "--axes {}: LEFT:RIGHT,BOTTOM:TOP is expected, for example -2:2,-2:2", options.axes)));
            return false;
        }
        plot.x_range = PlotRange{across->low, across->high};
        plot.y_range = PlotRange{up->low, up->high};
        plot.equal_units = false;
    }
    if (options.json && options.output.empty()) return true;
    return show_plot(plot, options.output, options.quiet || options.json, diagnostics);
}

Json as_json(const RootLocusStudy& study) {
    const RootLocus& locus = study.locus;
    Json j = {{"poles", complex_json(study.poles)},
              {"zeros", complex_json(study.zeros)},
              {"range", {locus.low, locus.high}},
              {"branches", branches_json(locus.branches, "gain")},
              {"crossings", crossings_json(locus.crossings, "gain")}};
    j["breakaway"] = Json::array();
    for (const auto& m : locus.meetings) {
        Json leave = Json::array();
        for (const LocalBranches& b : m.leave)
            leave.push_back(
                {{"exponent", {b.numerator, b.denominator}}, {"factors", complex_json(b.factors)}});
        j["breakaway"].push_back({{"gain", m.gain},
                                  {"root", complex_json(m.root)},
                                  {"multiplicity", m.multiplicity},
                                  {"leave", std::move(leave)}});
    }
    if (locus.asymptotes)
        j["asymptotes"] = {{"center", locus.asymptotes->center}, {"angles", locus.asymptotes->angles}};
    j["departure_angles"] = Json::array();
    for (const auto& a : locus.departures)
        j["departure_angles"].push_back({{"pole", complex_json(a.root)}, {"degrees", a.angle}});
    j["arrival_angles"] = Json::array();
    for (const auto& a : locus.arrivals)
        j["arrival_angles"].push_back({{"zero", complex_json(a.root)}, {"degrees", a.angle}});
    j["through_infinity"] = locus.passages;
    j["hidden_unstable"] = study.hidden_unstable;
    j["stable"] = Json::array();
    for (const auto& i : locus.stable) j["stable"].push_back({i.low, i.high});
    return j;
}

// "like -1 + b (k - 2)^(1/2), b = 0.5, -0.5"
void print_leaving(const RootLocus::Meeting& m) {
    for (const LocalBranches& branches : m.leave) {
        std::string factors;
        for (const Complex& b : branches.factors) factors += (factors.empty() ? "" : ", ") + complex_text(b);
        const std::string gain =
            m.gain == 0 ? "k"
                        : fmt::format("(k {} {})", m.gain < 0 ? "+" : "-", short_number(std::fabs(m.gain)));
        const std::string exponent = branches.denominator == 1
                                         ? std::to_string(branches.numerator)
                                         : fmt::format("({}/{})", branches.numerator, branches.denominator);
        fmt::print("    and leave like {} + b {}^{}, b = {}\n", complex_text(m.root), gain, exponent,
                   factors);
    }
}

void print_locus(const RootLocusStudy& study) {
    const RootLocus& locus = study.locus;
    fmt::print("1 + k L = 0 for k from {} to {}\n", short_number(locus.low), short_number(locus.high));
    for (const auto& m : locus.meetings)
        if (m.root.imag() >= 0) {
            fmt::print("  {} roots meet at {} for k = {}\n", m.multiplicity,
                       complex_text(m.root, m.root.imag() != 0), short_number(m.gain));
            print_leaving(m);
        }
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
    if (const int hidden = study.hidden_unstable; hidden > 0)
        fmt::print("  {} unstable pole{} of the system {} not in this loop: no gain moves {}\n", hidden,
                   hidden == 1 ? "" : "s", hidden == 1 ? "is" : "are", hidden == 1 ? "it" : "them");
    std::string stable;
    for (const auto& i : locus.stable)
        stable += (stable.empty() ? "" : " and ") +
                  (i.high < locus.high ? fmt::format("{} < k < {}", short_number(i.low), short_number(i.high))
                                       : fmt::format("k > {} to the end of the range", short_number(i.low)));
    fmt::print("  {}\n", stable.empty() ? "stable for no gain in this range" : "stable for " + stable);
}

Json as_json(const EigenvalueLocus& locus, const EigenvalueLocusRequest& request) {
    return {{"parameter", request.parameter},
            {"range", {request.range.low, request.range.high}},
            {"branches", branches_json(locus.roots.branches, "value")},
            {"crossings", crossings_json(locus.roots.crossings, "value")}};
}

void print_eigenvalues(const EigenvalueLocus& locus, const EigenvalueLocusRequest& request) {
    const std::string& name = request.parameter;
    fmt::print("×: {} = {}; {} = {} at the other ends\n", name, short_number(request.range.low), name,
               short_number(request.range.high));
    for (const auto& c : locus.roots.crossings)
        fmt::print("crosses the boundary of stability at {} = {}, {} ({} rad/s), {}\n", name,
                   short_number(c.gain), complex_text(c.root, c.root.imag() != 0), short_number(c.frequency),
                   c.outwards ? "becoming unstable" : "becoming stable");
    if (locus.roots.crossings.empty()) fmt::print("no eigenvalue crosses the boundary of stability\n");
}

struct EigenvalueOptions : EigenvalueLocusRequest, OutputOptions {};

int vary(const RootLocusOptions& options) {
    const std::size_t equal = options.vary.find('=');
    const auto range =
        equal == std::string::npos ? std::nullopt : value_range(options.vary.substr(equal + 1));
    if (!range) {
        Workspace workspace;
        workspace.diagnostics.report(
            bad_option(fmt::format("--vary {}: NAME=LOW:HIGH is expected", options.vary)));
        return finish(workspace, options);
    }
    EigenvalueOptions request;
    static_cast<LinearRequest&>(request) = options;
    static_cast<OutputOptions&>(request) = options;
    request.parameter = options.vary.substr(0, equal);
    request.range = *range;
    request.points = options.points;
    return run_study(request, eigenvalue_locus,
                     {.write =
                          [&](const EigenvalueLocus& locus, Diagnostics& diagnostics) {
                              return draw(locus_plot(locus, request.parameter, !options.output.empty()),
                                          options, diagnostics);
                          },
                      .json = [&](const EigenvalueLocus& locus) { return as_json(locus, request); },
                      .print =
                          [&](const EigenvalueLocus& locus) {
                              if (!options.quiet) print_eigenvalues(locus, request);
                          },
                      .notes = Notes::Added});
}

struct GainOptions : RootLocusRequest, OutputOptions {};

int rootlocus(const RootLocusOptions& options) {
    if (!options.vary.empty()) return vary(options);
    GainOptions request;
    static_cast<LinearRequest&>(request) = options;
    static_cast<OutputOptions&>(request) = options;
    if (!options.gain.empty()) {
        request.gain = value_range(options.gain);
        if (!request.gain) {
            Workspace workspace;
            workspace.diagnostics.report(
                bad_option(fmt::format("--gain {}: LOW:HIGH is expected, for example 0:10", options.gain)));
            return finish(workspace, options);
        }
    }
    return run_study(request, root_locus_study,
                     {.write =
                          [&](const RootLocusStudy& study, Diagnostics& diagnostics) {
                              return draw(locus_plot(study, !options.output.empty()), options, diagnostics);
                          },
                      .json = [](const RootLocusStudy& study) { return as_json(study); },
                      .print =
                          [&](const RootLocusStudy& study) {
                              if (!options.quiet) print_locus(study);
                          },
                      .notes = Notes::Added});
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
    c.option("--axes", o->axes,
             "what the picture shows: LEFT:RIGHT,BOTTOM:TOP; default: all that is of interest");
    c.footer(
        "Examples:\n"
        "  cutset rootlocus --tf \"1/(s*(s+1)*(s+2))\" -o locus.svg\n"
        "  cutset rootlocus --tf \"(s+1)/(s^2*(s+10))\" --gain 0:100\n"
        "  cutset rootlocus --tf \"[1/s^2, 1/s; -1/s^2, 0]\" --gain -2:2     det(I + k G) = 0\n"
        "  cutset rootlocus motor.dym --vary J=0.01:0.1                    eigenvalues of the model\n"
        "×: poles, ○: zeros, •: where the boundary of stability is crossed, dashed: asymptotes.");
}

}  // namespace cutset::cli
