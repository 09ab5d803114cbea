// cutset routh and cutset jury: stability conditions of a polynomial, with numbers or symbols.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "control/matrix_fraction.h"
#include "control/stability_tables.h"
#include "linear/linear_output.h"
#include "linear/linear_source.h"

namespace cutset::cli {

namespace {

struct StabilityOptions : LinearOptions {
    std::string polynomial;
    bool feedback = false;
    bool latex = false;
};

struct Question {
    ExactPolynomial polynomial;
    SymbolNames symbols;
    std::string variable;
    std::optional<ExactFraction> transfer;  // for the variance
};

std::optional<Question> read_question(const StabilityOptions& options, bool sampled, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto fail = [&](const std::string& message, const std::string& help = "") {
        diagnostics.report(bad_option(message, help));
        return std::nullopt;
    };
    const std::string variable = sampled ? "z" : "s", command = sampled ? "jury" : "routh",
                      other = sampled ? "routh" : "jury";
    Question q;
    q.variable = variable;
    if (!options.polynomial.empty()) {
        if (!options.tf.empty() || !options.file.empty())
            return fail("--polynomial is given together with another system");
        auto p = parse_polynomial(workspace.text.sources().add("--polynomial", options.polynomial),
                                  workspace.text.sources(), variable, diagnostics);
        if (!p) return std::nullopt;
        if (p->variable != variable)
            return fail(
                fmt::format("the polynomial is in {}, and {} is about {}", p->variable, command, variable),
                fmt::format("cutset {} is for polynomials in {}", other, p->variable));
        std::vector<std::optional<Rational>> values(p->symbols.size());
        SymbolNames left;
        for (const std::string& text : options.set) {
            const std::size_t equal = text.find('=');
            const auto number =
                equal == std::string::npos ? std::nullopt : rational_from_text(text.substr(equal + 1));
            const auto at = std::find(p->symbols.begin(), p->symbols.end(), text.substr(0, equal));
            if (!number) return fail(fmt::format("--set {}: NAME=NUMBER is expected", text));
            if (at == p->symbols.end())
                return fail(fmt::format("--set {}: the polynomial has no such symbol", text));
            values[static_cast<std::size_t>(at - p->symbols.begin())] = *number;
        }
        q.polynomial = with_values(p->polynomial, values);
        q.symbols = p->symbols;
        if (q.polynomial.is_numeric()) q.symbols.clear();
    } else {
        auto system = open_linear(options, workspace, false);
        if (!system) return std::nullopt;
        const bool is_sampled = std::visit([](const auto& s) { return s.sample_time.has_value(); }, *system);
        if (is_sampled != sampled)
            return fail(fmt::format("the system is {}", is_sampled ? "sampled" : "continuous"),
                        fmt::format("use cutset {}", other));
        if (const auto* g = std::get_if<ExactTransferMatrix>(&*system)) {
            if (g->rows() != 1 || g->columns() != 1)
                return fail("the transfer function has several inputs or outputs",
                            "choose one of each with --inputs and --outputs");
            if (g->has_delays())
                return fail("a delay has no characteristic polynomial", "use an approximation: --pade 3");
            const ExactFraction& f = g->elements[0][0];
            q.polynomial = options.feedback ? f.denominator + f.numerator : f.denominator;
            if (options.feedback && q.polynomial.degree() < f.denominator.degree())
                return fail(
                    "the closed loop is not well posed: the transfer function is -1 at infinite frequency",
                    "the algebraic loop 1 + G = 0 has no solution; add the lag or delay that the loop has");
            if (!options.feedback) q.transfer = f;
            q.symbols = g->symbols;
        } else {
            const StateSpace& s = std::get<StateSpace>(*system);
            if (s.order() > 60)
                return fail(fmt::format("the system has {} states; tables are for up to 60", s.order()),
                            "look at its eigenvalues instead");
            ExactStateSpace e{exact(s.A), exact(s.B), exact(s.C), exact(s.D)};
            if (options.feedback) {
                if (s.B.cols() != s.C.rows()) return fail("feedback needs as many inputs as outputs");
                if (!s.D.isZero(0))
                    return fail("--feedback with a direct term is possible for transfer functions only");
                e.A = e.A - e.B * e.C;
            }
            q.polynomial = characteristic_polynomial(e.A);
        }
    }
    if (q.polynomial.is_zero()) return fail("the polynomial is zero");
    if (q.polynomial.degree() < 1)
        return fail(
            fmt::format("the polynomial {} has no {}", to_text(q.polynomial, variable, q.symbols), variable),
            "it has no roots, so there is nothing to be stable");
    if (q.polynomial.degree() > 100) return fail("the polynomial has a degree above 100");
    return q;
}

std::string bound(double v) {
    return short_number(v);
}

std::string interval_text(const StabilityTable::Interval& i, const std::string& name) {
    if (std::isinf(i.low) && std::isinf(i.high)) return "every " + name;
    if (std::isinf(i.low)) return name + " < " + bound(i.high);
    if (std::isinf(i.high)) return name + " > " + bound(i.low);
    return bound(i.low) + " < " + name + " < " + bound(i.high);
}

int stability(const StabilityOptions& options, bool sampled) {
    Workspace workspace;
    const auto q = read_question(options, sampled, workspace);
    if (!q) return finish(workspace, options);
    const auto symbol_count = static_cast<unsigned>(q->symbols.size());
    const StabilityTable report = sampled ? jury(q->polynomial, q->variable, symbol_count)
                                          : routh(q->polynomial, q->variable, symbol_count);
    SymbolNames names = q->symbols;
    names.push_back("ε");
    const bool numeric = report.unstable.has_value();
    const int degree = q->polynomial.degree();
    std::optional<Coefficient> variance;
    const bool possible = !report.never && (!report.intervals || !report.intervals->empty());
    if (q->transfer && possible) {
        const ExactFraction f = reduced(*q->transfer);
        if (f.denominator.degree() >= 1)
            variance = sampled ? sampled_variance(f.numerator, f.denominator)
                               : continuous_variance(f.numerator, f.denominator);
    }
    if (options.json) {
        Json j = {{"polynomial", to_text(q->polynomial, q->variable, names)},
                  {"variable", q->variable},
                  {"degree", degree}};
        Json table = Json::array();
        for (const auto& row : report.table) {
            table.push_back(Json::array());
            for (const Coefficient& c : row) {
                if (numeric && c.is_number())
                    table.back().push_back(c.value());
                else
                    table.back().push_back(to_text(c, names));
            }
        }
        j["table"] = std::move(table);
        j["rows"] = report.row_names;
        if (numeric) {
            j["stable"] = !report.never;
            j["status"] = report.never ? "unstable" : "stable";
            if (report.never && *report.unstable == 0) j["status"] = "border";
            j[sampled ? "outside_unit_circle" : "right_half_plane"] = *report.unstable;
            j[sampled ? "on_unit_circle" : "imaginary_axis"] = *report.on_boundary;
            j[sampled ? "inside_unit_circle" : "left_half_plane"] =
                degree - *report.unstable - *report.on_boundary;
            j["roots"] = complex_json(roots(q->polynomial));
        } else {
            j["symbols"] = q->symbols;
            Json conditions = Json::array(), latex = Json::array();
            for (const StabilityCondition& c : report.conditions) {
                conditions.push_back(to_text(c.positive, names) + " > 0");
                latex.push_back(to_latex(c.positive, names) + " > 0");
            }
            j["conditions"] = std::move(conditions);
            j["conditions_latex"] = std::move(latex);
            j["never_stable"] = report.never;
            if (report.intervals) {
                Json list = Json::array();
                for (const auto& i : *report.intervals)
                    list.push_back({number_json(i.low), number_json(i.high)});
                j["intervals"] = {{"symbol", names[report.interval_symbol]}, {"open", std::move(list)}};
            }
        }
        if (variance)
            j["variance"] = variance->is_number() ? Json(variance->value()) : Json(to_text(*variance, names));
        return print_json(std::move(j), workspace);
    }
    if (options.latex) {
        std::string out = "\\begin{array}{r|" + std::string(report.table[0].size(), 'c') + "}\n";
        for (std::size_t i = 0; i < report.table.size(); ++i) {
            out += symbol_latex(q->variable) + "^{" + report.row_names[i].substr(2) + "}";
            for (const Coefficient& c : report.table[i]) out += " & " + to_latex(c, names);
            out += " \\\\\n";
        }
        out += "\\end{array}\n";
        for (const StabilityCondition& c : report.conditions)
            out += "\\[ " + to_latex(c.positive, names) + " > 0 \\]\n";
        fmt::print("{}", out);
        return finish(workspace, options);
    }
    fmt::print("{}\n\n", to_text(q->polynomial, q->variable, names));
    std::vector<std::size_t> widths(report.table[0].size() + 1);
    std::vector<std::vector<std::string>> cells;
    for (const auto& row : report.table) {
        cells.emplace_back();
        for (const Coefficient& c : row) cells.back().push_back(to_text(c, names));
        for (std::size_t k = 0; k < cells.back().size(); ++k)
            widths[k] = std::max(widths[k], cells.back()[k].size());
    }
    for (std::size_t i = 0; i < cells.size(); ++i) {
        std::string text = fmt::format("  {:>5} |", report.row_names[i]);
        for (std::size_t k = 0; k < cells[i].size(); ++k)
            text += fmt::format("  {:<{}}", cells[i][k], widths[k]);
        while (text.back() == ' ') text.pop_back();
        fmt::print("{}\n", text);
    }
    fmt::print("\n");
    if (report.uses_epsilon) fmt::print("ε: a small positive number in the place of a zero\n");
    if (report.symmetric_factor)
        fmt::print("a row of zeros: {} is a factor, its roots lie symmetric about the imaginary axis\n",
                   factored_text(*report.symmetric_factor, q->variable, names));
    const std::string where = sampled ? "inside the unit circle" : "in the left half-plane";
    if (numeric) {
        const int unstable = *report.unstable, edge = *report.on_boundary;
        if (!report.never) {
            fmt::print("stable: all {} roots lie {}\n", degree, where);
        } else {
            fmt::print("{}: {} root{} {}, {} {}, {} {}\n",
                       unstable ? "unstable" : "on the border of stability", unstable,
                       unstable == 1 ? "" : "s",
                       sampled ? "outside the unit circle" : "in the right half-plane", edge,
                       sampled ? "on it" : "on the imaginary axis", degree - unstable - edge,
                       sampled ? "inside" : "in the left half-plane");
        }
    } else if (report.never) {
        fmt::print("never stable: for no values do all roots lie {}\n", where);
    } else {
        fmt::print("all roots lie {} exactly when\n", where);
        for (const StabilityCondition& c : report.conditions)
            fmt::print("  {} > 0\n", to_text(c.positive, names));
        if (report.intervals) {
            std::string text;
            for (const auto& i : *report.intervals)
                text += (text.empty() ? "" : " or ") + interval_text(i, names[report.interval_symbol]);
            fmt::print("that is: {}\n",
                       text.empty() ? fmt::format("for no {}", names[report.interval_symbol]) : text);
        }
    }
    if (variance)
        fmt::print("output variance for white noise of {}: {}\n",
                   sampled ? "variance 1" : "spectral density 1",
                   variance->is_number() ? short_number(variance->value()) : to_text(*variance, names));
    std::fflush(stdout);
    return finish(workspace, options);
}

void add_stability(CommandLine& line, bool sampled) {
    auto o = std::make_shared<StabilityOptions>();
    Command& c = line.add(sampled ? "jury" : "routh", groups::linear,
                          sampled ? "stability conditions of a sampled system (Jury), also with symbols"
                                  : "stability conditions of a continuous system (Routh), also with symbols",
                          [o, sampled] { return stability(*o, sampled); });
    add_linear_options(c, *o);
    c.option("--polynomial", o->polynomial,
             sampled ? "characteristic polynomial: \"z^2+a*z+b\""
                     : "characteristic polynomial: \"s^3+3*s^2+(2+k)*s+k\"");
    c.flag("--feedback", o->feedback, "of the loop with negative feedback of 1: denominator + numerator");
    c.flag("--latex", o->latex, "as LaTeX");
    c.footer(
        sampled
            ? "Examples:\n"
              "  cutset jury --polynomial \"z^2+a*z+b\"\n"
              "  cutset jury --tf \"z/(z-a)\"              with the variance of the output for white noise\n"
              "  cutset jury --tf \"K/(z*(z-0.5))\" --feedback"
            : "Examples:\n"
              "  cutset routh --polynomial \"s^3+3*s^2+(2+k)*s+k\"\n"
              "  cutset routh --tf \"1/(s^3+a*s^2+b*s+K)\"\n"
              "  cutset routh --tf \"K/(s*(s+1)*(s+2))\" --feedback\n"
              "  cutset routh system.json");
}

}  // namespace

void add_routh(CommandLine& line) {
    add_stability(line, false);
}

void add_jury(CommandLine& line) {
    add_stability(line, true);
}

}  // namespace cutset::cli
