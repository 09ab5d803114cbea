#include "linear/linear_output.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdio>

#include "base/json.h"
#include "output/console.h"
#include "output/curves.h"
#include "output/diagnostics_json.h"

namespace cutset::cli {

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

int print_json(Json object, const Workspace& workspace) {
    if (!object.contains("status")) object["status"] = "ok";
    object["warnings"] = diagnostics_json(workspace.diagnostics, workspace.text.sources(), Severity::Warning);
    const Json notes = diagnostics_json(workspace.diagnostics, workspace.text.sources(), Severity::Note);
    if (!notes.empty()) object["notes"] = notes;
    fmt::print("{}\n", object.dump(2));
    std::fflush(stdout);
    return workspace.diagnostics.has_errors() ? 1 : 0;
}

bool show_plot(const Plot& plot, const std::string& output, bool quiet, Diagnostics& diagnostics) {
    if (output.empty()) {
        if (!quiet) print_plot(plot);
        return true;
    }
    if (const auto problem = write_picture(plot, output)) {
        Diagnostic d;
        d.code = "cannot-write";
        d.message = *problem;
        diagnostics.report(std::move(d));
        return false;
    }
    if (!quiet) fmt::print("{}\n", output);
    return true;
}

}  // namespace cutset::cli
