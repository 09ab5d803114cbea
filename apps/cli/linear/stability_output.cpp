#include "linear/stability_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "linear/linear_options.h"
#include "operations/linear/stability_study.h"

namespace cutset::cli {

namespace {

struct StabilityOptions : StabilityRequest, OutputOptions {
    bool latex = false;
};

std::string bound(double v) {
    return short_number(v);
}

std::string interval_text(const StabilityTable::Interval& i, const std::string& name) {
    if (std::isinf(i.low) && std::isinf(i.high)) return "every " + name;
    if (std::isinf(i.low)) return name + " < " + bound(i.high);
    if (std::isinf(i.high)) return name + " > " + bound(i.low);
    return bound(i.low) + " < " + name + " < " + bound(i.high);
}

Json stability_json(const StabilityStudy& study) {
    const StabilityTable& table = study.table;
    const SymbolNames names = study.names();
    const bool numeric = study.numeric(), sampled = study.sampled;
    const int degree = study.polynomial.degree();
    Json j = {{"polynomial", to_text(study.polynomial, study.variable, names)},
              {"variable", study.variable},
              {"degree", degree}};
    Json rows = Json::array();
    for (const auto& row : table.table) {
        rows.push_back(Json::array());
        for (const Coefficient& c : row) {
            if (numeric && c.is_number())
                rows.back().push_back(c.value());
            else
                rows.back().push_back(to_text(c, names));
        }
    }
    j["table"] = std::move(rows);
    j["rows"] = table.row_names;
    if (table.rows_left_out > 0) j["rows_left_out"] = table.rows_left_out;
    if (numeric) {
        j["stable"] = !table.never;
        j["status"] = table.never ? "unstable" : "stable";
        if (table.never && *table.unstable == 0) j["status"] = "border";
        j[sampled ? "outside_unit_circle" : "right_half_plane"] = *table.unstable;
        j[sampled ? "on_unit_circle" : "imaginary_axis"] = *table.on_boundary;
        j[sampled ? "inside_unit_circle" : "left_half_plane"] = degree - *table.unstable - *table.on_boundary;
        j["roots"] = complex_json(roots(study.polynomial));
    } else {
        j["symbols"] = study.symbols;
        Json conditions = Json::array(), latex = Json::array();
        for (const StabilityCondition& c : table.conditions) {
            conditions.push_back(to_text(c.positive, names) + " > 0");
            latex.push_back(to_latex(c.positive, names) + " > 0");
        }
        j["conditions"] = std::move(conditions);
        j["conditions_latex"] = std::move(latex);
        j["never_stable"] = table.never;
        if (table.intervals) {
            Json list = Json::array();
            for (const auto& i : *table.intervals) list.push_back({number_json(i.low), number_json(i.high)});
            j["intervals"] = {{"symbol", names[table.interval_symbol]}, {"open", std::move(list)}};
        }
    }
    if (study.variance)
        j["variance"] = study.variance->is_number() ? Json(study.variance->value())
                                                    : Json(to_text(*study.variance, names));
    return j;
}

void print_stability_latex(const StabilityStudy& study) {
    const StabilityTable& table = study.table;
    const SymbolNames names = study.names();
    std::string out = "\\begin{array}{r|" + std::string(table.table[0].size(), 'c') + "}\n";
    for (std::size_t i = 0; i < table.table.size(); ++i) {
        out += symbol_latex(study.variable) + "^{" + table.row_names[i].substr(2) + "}";
        for (const Coefficient& c : table.table[i]) out += " & " + to_latex(c, names);
        out += " \\\\\n";
    }
    out += "\\end{array}\n";
    for (const StabilityCondition& c : table.conditions)
        out += "\\[ " + to_latex(c.positive, names) + " > 0 \\]\n";
    fmt::print("{}", out);
}

void print_stability_table(const StabilityStudy& study) {
    const StabilityTable& table = study.table;
    const SymbolNames names = study.names();
    const bool sampled = study.sampled;
    const int degree = study.polynomial.degree();
    fmt::print("{}\n\n", to_text(study.polynomial, study.variable, names));
    std::vector<std::size_t> widths(table.table[0].size() + 1);
    std::vector<std::vector<std::string>> cells;
    for (const auto& row : table.table) {
        cells.emplace_back();
        for (const Coefficient& c : row) cells.back().push_back(to_text(c, names));
        for (std::size_t k = 0; k < cells.back().size(); ++k)
            widths[k] = std::max(widths[k], cells.back()[k].size());
    }
    // Long elements stand below each other.
    constexpr std::size_t widest = 160;
    std::size_t width = 0;
    for (std::size_t w : widths) width += w + 2;
    for (std::size_t i = 0; i < cells.size() && width > widest; ++i)
        for (std::size_t k = 0; k < cells[i].size(); ++k)
            fmt::print("  {:>5} |  {}\n", k ? "" : table.row_names[i], cells[i][k]);
    for (std::size_t i = 0; i < cells.size() && width <= widest; ++i) {
        std::string text = fmt::format("  {:>5} |", table.row_names[i]);
        for (std::size_t k = 0; k < cells[i].size(); ++k)
            text += fmt::format("  {:<{}}", cells[i][k], widths[k]);
        while (text.back() == ' ') text.pop_back();
        fmt::print("{}\n", text);
    }
    if (table.rows_left_out > 0)
        fmt::print("  and {} more row{} with elements of hundreds of terms\n", table.rows_left_out,
                   table.rows_left_out == 1 ? "" : "s");
    fmt::print("\n");
    if (table.uses_epsilon) fmt::print("ε: a small positive number in the place of a zero\n");
    if (table.symmetric_factor)
        fmt::print("a row of zeros: {} is a factor, its roots lie symmetric about the imaginary axis\n",
                   factored_text(*table.symmetric_factor, study.variable, names));
    const std::string where = sampled ? "inside the unit circle" : "in the left half-plane";
    if (study.numeric()) {
        const int unstable = *table.unstable, edge = *table.on_boundary;
        if (!table.never) {
            fmt::print("stable: all {} roots lie {}\n", degree, where);
        } else {
            fmt::print("{}: {} root{} {}, {} {}, {} {}\n",
                       unstable ? "unstable" : "on the border of stability", unstable,
                       unstable == 1 ? "" : "s",
                       sampled ? "outside the unit circle" : "in the right half-plane", edge,
                       sampled ? "on it" : "on the imaginary axis", degree - unstable - edge,
                       sampled ? "inside" : "in the left half-plane");
        }
    } else if (table.never) {
        fmt::print("never stable: for no values do all roots lie {}\n", where);
    } else {
        fmt::print("all roots lie {} exactly when\n", where);
        for (const StabilityCondition& c : table.conditions)
            fmt::print("  {} > 0\n", to_text(c.positive, names));
        if (table.intervals) {
            std::string text;
            for (const auto& i : *table.intervals)
                text += (text.empty() ? "" : " or ") + interval_text(i, names[table.interval_symbol]);
            fmt::print("that is: {}\n",
                       text.empty() ? fmt::format("for no {}", names[table.interval_symbol]) : text);
        }
    }
    if (study.variance)
        fmt::print("output variance for white noise of {}: {}\n",
                   sampled ? "variance 1" : "spectral density 1",
                   study.variance->is_number() ? short_number(study.variance->value())
                                               : to_text(*study.variance, names));
}

int stability(const StabilityOptions& options) {
    return run_study(options, stability_study,
                     {.json = stability_json,
                      .print = options.latex ? print_stability_latex : print_stability_table,
                      .notes = Notes::Added});
}

}  // namespace

void add_stability_table(CommandLine& line, bool sampled) {
    auto o = std::make_shared<StabilityOptions>();
    o->sampled = sampled;
    Command& c = line.add(sampled ? "jury" : "routh", groups::linear,
                          sampled ? "stability conditions of a sampled system (Jury), also with symbols"
                                  : "stability conditions of a continuous system (Routh), also with symbols",
                          [o] { return stability(*o); });
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

}  // namespace cutset::cli
