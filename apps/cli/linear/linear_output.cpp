#include "linear/linear_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/json.h"
#include "linear/matrix_text.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/json_output.h"
#include "results/linear_file.h"
#include "results/messages.h"
#include "translate/places_json.h"

namespace cutset::cli {

namespace {

constexpr Eigen::Index largest_shown = 20;  // states of a system whose matrices are printed

}  // namespace

std::string complex_text(Complex v, bool pair) {
    if (v.imag() == 0) return short_number(v.real());
    const std::string imaginary = short_number(std::fabs(v.imag())) + "j";
    const char* sign = pair ? " ± " : v.imag() < 0 ? " - " : " + ";
    if (v.real() == 0) return (pair ? "±" : v.imag() < 0 ? "-" : "") + imaginary;
    return short_number(v.real()) + sign + imaginary;
}

std::string polynomial_text(const std::vector<double>& p, const std::string& variable) {
    // Rounding leaves coefficients that are nothing beside the others.
    double size = 0;
    for (double c : p) size = std::max(size, std::fabs(c));
    std::string out;
    for (std::size_t i = 0; i < p.size(); ++i) {
        const std::size_t power = p.size() - 1 - i;
        double c = p[i];
        if (std::fabs(c) < 1e-14 * size) continue;
        if (out.empty())
            out += c < 0 ? "-" : "";
        else
            out += c < 0 ? " - " : " + ";
        c = std::fabs(c);
        const std::string number = short_number(c);
        const std::string factor = power == 0   ? ""
                                   : power == 1 ? variable
                                                : fmt::format("{}^{}", variable, power);
        if (power == 0)
            out += number;
        else
            out += number == "1" ? factor : number + "*" + factor;
    }
    return out.empty() ? "0" : out;
}

std::string factored_text(const std::vector<Complex>& roots, const std::string& variable) {
    std::string out;
    std::vector<std::pair<std::string, unsigned>> factors;
    for (const Complex& root : roots) {
        if (root.imag() < 0) continue;
        std::string factor = root.imag() == 0
                                 ? polynomial_text({1, -root.real()}, variable)
                                 : polynomial_text({1, -2 * root.real(), std::norm(root)}, variable);
        if (root != 0.0) factor = "(" + factor + ")";
        const auto same =
            std::find_if(factors.begin(), factors.end(), [&](const auto& f) { return f.first == factor; });
        if (same == factors.end())
            factors.emplace_back(factor, 1);
        else
            ++same->second;
    }
    for (const auto& [factor, power] : factors)
        out += (out.empty() ? "" : "*") + factor + (power > 1 ? fmt::format("^{}", power) : "");
    return out.empty() ? "1" : out;
}

Json number_json(double v) {
    if (std::isfinite(v)) return v == 0 ? 0.0 : v;
    return nullptr;
}

Json complex_json(Complex v) {
    return Json::array({number_json(v.real()), number_json(v.imag())});
}

Json complex_json(const std::vector<Complex>& values) {
    Json out = Json::array();
    for (const Complex& v : values) out.push_back(complex_json(v));
    return out;
}

Json matrix_json(const Eigen::MatrixXd& m) {
    Json rows = Json::array();
    for (Eigen::Index i = 0; i < m.rows(); ++i) {
        Json row = Json::array();
        for (Eigen::Index k = 0; k < m.cols(); ++k) row.push_back(number_json(m(i, k)));
        rows.push_back(std::move(row));
    }
    return rows;
}

std::string matrix_text(const std::vector<std::vector<std::string>>& elements, const std::string& indent) {
    if (elements.empty() || elements[0].empty()) return indent + "[ ]\n";
    std::vector<std::size_t> widths(elements[0].size());
    for (const auto& row : elements)
        for (std::size_t k = 0; k < row.size(); ++k) widths[k] = std::max(widths[k], row[k].size());
    std::string out;
    for (const auto& row : elements) {
        out += indent + "[";
        for (std::size_t k = 0; k < row.size(); ++k)
            out += fmt::format("{}{:>{}}", k ? "   " : " ", row[k], widths[k]);
        out += " ]\n";
    }
    return out;
}

std::string matrix_latex(const std::vector<std::vector<std::string>>& elements) {
    std::string out = "\\begin{bmatrix}";
    for (std::size_t i = 0; i < elements.size(); ++i) {
        out += i ? " \\\\ " : " ";
        for (std::size_t k = 0; k < elements[i].size(); ++k) out += (k ? " & " : "") + elements[i][k];
    }
    return out + " \\end{bmatrix}";
}

std::vector<std::vector<std::string>> texts_of(const ExactMatrix& m, const SymbolNames& names, bool latex) {
    std::vector<std::vector<std::string>> out(m.rows());
    for (std::size_t i = 0; i < m.rows(); ++i)
        for (std::size_t k = 0; k < m.columns(); ++k)
            out[i].push_back(latex ? to_latex(m(i, k), names) : to_text(m(i, k), names));
    return out;
}

std::vector<std::vector<std::string>> texts_of(const PolynomialMatrix& m, const std::string& variable,
                                               const SymbolNames& names, bool latex, bool factored) {
    std::vector<std::vector<std::string>> out(m.rows());
    for (std::size_t i = 0; i < m.rows(); ++i)
        for (std::size_t k = 0; k < m.columns(); ++k)
            out[i].push_back(factored ? latex ? cutset::factored_latex(m(i, k), variable, names)
                                              : cutset::factored_text(m(i, k), variable, names)
                             : latex ? to_latex(m(i, k), variable, names)
                                      : to_text(m(i, k), variable, names));
    return out;
}

Json system_json(const StateSpace& system) {
    Json out = {{"A", matrix_json(system.A)}, {"B", matrix_json(system.B)}, {"C", matrix_json(system.C)},
                {"D", matrix_json(system.D)}, {"states", system.states},    {"inputs", system.inputs},
                {"outputs", system.outputs}};
    if (system.sample_time) out["sample_time"] = *system.sample_time;
    return out;
}

void print_system(const StateSpace& s) {
    if (s.order() > largest_shown) {
        fmt::print("{} states, {} inputs, {} outputs (-o FILE.json writes the matrices)\n", s.order(),
                   s.B.cols(), s.C.rows());
        return;
    }
    if (s.order() > 0) {
        fmt::print("{}", matrix_text("A", s.A, s.states, s.states));
        if (s.B.cols() > 0) fmt::print("{}", matrix_text("B", s.B, s.states, s.inputs));
        if (s.C.rows() > 0) fmt::print("{}", matrix_text("C", s.C, s.outputs, s.states));
    }
    if (s.D.size() > 0) fmt::print("{}", matrix_text("D", s.D, s.outputs, s.inputs));
    if (s.sample_time) fmt::print("sample time {} s\n", short_number(*s.sample_time));
}

bool write_system(const StateSpace& system, const std::string& path, bool quiet, Diagnostics& diagnostics) {
    if (path.empty()) return true;
    if (const auto problem = write_linear_file(system, path)) {
        diagnostics.report(results_messages::cannot_write(*problem));
        return false;
    }
    if (!quiet) fmt::print("written to {}\n", path);
    return true;
}

void print_poles(const char* title, const std::vector<std::complex<double>>& poles,
                 std::optional<double> sample_time) {
    fmt::print("{}\n", title);
    for (const auto& value : poles) {
        if (value.imag() < 0) continue;
        const std::complex<double> s = sample_time && value != 0.0 ? std::log(value) / *sample_time : value;
        const double frequency = std::abs(s);
        std::string line = fmt::format("  {:<28}", complex_text(value, value.imag() != 0));
        if (frequency > 0 && !(sample_time && value == 0.0))
            line += fmt::format("damping {:<10} frequency {} rad/s", short_number(-s.real() / frequency),
                                short_number(frequency));
        line.erase(line.find_last_not_of(' ') + 1);
        fmt::print("{}\n", line);
    }
    if (poles.empty()) fmt::print("  none\n");
}

void print_hankel(const Eigen::VectorXd& values) {
    constexpr Eigen::Index most_shown = 40;
    fmt::print("Hankel singular values");
    for (Eigen::Index i = 0; i < values.size() && i < most_shown; ++i)
        fmt::print("  {}", short_number(values[i]));
    fmt::print("\n");
}

int finish_json(Json object, const Workspace& workspace, Notes notes) {
    const bool failed = workspace.diagnostics.has_errors();
    if (!object.contains("status")) object["status"] = failed ? "failed" : "ok";
    object["warnings"] =
        diagnostics_json(workspace.diagnostics, {workspace.text.sources()}, Severity::Warning);
    if (failed)
        object["errors"] =
            diagnostics_json(workspace.diagnostics, {workspace.text.sources()}, Severity::Error);
    if (notes == Notes::Added)
        if (Json list = diagnostics_json(workspace.diagnostics, {workspace.text.sources()}, Severity::Note);
            !list.empty())
            object["notes"] = std::move(list);
    print_json(object);
    std::fflush(stdout);
    return failed ? 1 : 0;
}

bool show_plot(const Plot& plot, const std::string& output, bool quiet, Diagnostics& diagnostics) {
    if (output.empty()) {
        if (!quiet) print_plot(plot);
        return true;
    }
    if (const auto problem = write_picture(plot, output)) {
        diagnostics.report(results_messages::cannot_write(*problem));
        return false;
    }
    if (!quiet) fmt::print("{}\n", output);
    return true;
}

}  // namespace cutset::cli
