// cutset tf: transfer functions of a model, of matrices or of text.
#include <fmt/format.h>

#include <cmath>
#include <cstdio>
#include <memory>

#include "base/json.h"
#include "commands.h"
#include "control/transfer_function.h"
#include "control/transfer_realization.h"
#include "linear/linear_output.h"
#include "linear/linear_source.h"

namespace cutset::cli {

namespace {

struct TfOptions : LinearOptions {
    bool latex = false;
    std::string output;
};

// One element as it is printed.
struct Element {
    std::string text, factored, latex;
    std::optional<TransferFunction> numeric;
    std::vector<double> num, den;
    double delay = 0;
};

Element describe(const ExactTransferMatrix& g, std::size_t i, std::size_t k) {
    Element e;
    const ExactFraction f = reduced(g.elements[i][k]);
    e.text = to_text(f, g.variable, g.symbols);
    e.factored = to_text(f, g.variable, g.symbols, true);
    e.latex = to_latex(f, g.variable, g.symbols);
    e.delay = Coefficient(g.delays[i][k]).value();
    if (e.delay != 0) {
        const std::string delay = fmt::format("exp(-{}*s)", to_text(g.delays[i][k]));
        e.text = factor_text(e.text) + "*" + delay;
        e.factored = factor_text(e.factored) + "*" + delay;
        e.latex += fmt::format(" e^{{-{} s}}", to_latex(g.delays[i][k]));
    }
    if (g.symbols.empty()) {
        e.numeric = transfer_function(f, g.delays[i][k], g.sample_time);
        e.num = f.numerator.numbers();
        e.den = f.denominator.numbers();
    }
    return e;
}

std::optional<Element> describe(const StateSpace& s, Eigen::Index i, Eigen::Index k) {
    Element e;
    e.numeric = transfer_function(s, k, i);
    if (!e.numeric) return std::nullopt;
    const std::string variable = s.is_sampled() ? "z" : "s";
    e.num = e.numeric->numerator();
    e.den = e.numeric->denominator();
    e.text = fraction_text(polynomial_text(e.num, variable), polynomial_text(e.den, variable));
    const std::string gain = short_number(e.numeric->gain), zeros = factored_text(e.numeric->zeros, variable);
    e.factored = fraction_text(zeros == "1"  ? gain
                               : gain == "1" ? zeros
                                             : gain + "*" + zeros,
                               factored_text(e.numeric->poles, variable));
    e.latex = "\\frac{" + polynomial_text(e.num, variable) + "}{" + polynomial_text(e.den, variable) + "}";
    std::string plain;
    for (char c : e.latex) plain += c == '*' ? ' ' : c;
    e.latex = plain;
    return e;
}

std::string root_list(const std::vector<Complex>& roots) {
    std::string out;
    for (const Complex& r : roots)
        if (r.imag() >= 0) out += (out.empty() ? "" : ",  ") + complex_text(r, r.imag() != 0);
    return out.empty() ? "none" : out;
}

Json as_json(const Element& e) {
    Json j = {{"text", e.text}, {"factored", e.factored}, {"latex", e.latex}};
    if (e.delay != 0) j["delay"] = e.delay;
    if (!e.numeric) return j;
    j["num"] = e.num;
    j["den"] = e.den;
    j["zeros"] = complex_json(e.numeric->zeros);
    j["poles"] = complex_json(e.numeric->poles);
    j["gain"] = e.numeric->gain;
    const Complex dc = e.numeric->at(e.numeric->sample_time ? 1.0 : 0.0);
    j["dc_gain"] = number_json(dc.real());
    return j;
}

int tf(const TfOptions& options) {
    Workspace workspace;
    const auto system = open_linear(options, workspace);
    if (!system) return finish(workspace, options);
    const bool exact = std::holds_alternative<ExactTransferMatrix>(*system);
    if (exact) report_cancelled(std::get<ExactTransferMatrix>(*system), workspace.diagnostics);
    const auto names = [](const auto& s) { return std::pair(s.inputs, s.outputs); };
    const auto [inputs, outputs] = std::visit(names, *system);
    const std::optional<double> sample_time =
        std::visit([](const auto& s) { return s.sample_time; }, *system);
    const std::string variable = sample_time ? "z" : "s";
    std::vector<std::vector<Element>> elements(outputs.size());
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            if (exact) {
                elements[i].push_back(describe(std::get<ExactTransferMatrix>(*system), i, k));
            } else if (auto e = describe(std::get<StateSpace>(*system), static_cast<Eigen::Index>(i),
                                         static_cast<Eigen::Index>(k))) {
                elements[i].push_back(std::move(*e));
            } else {
                workspace.diagnostics.report(
                    bad_option("the eigenvalues of the system could not be computed"));
                return finish(workspace, options);
            }
        }
    if (!options.output.empty()) {
        ExactTransferMatrix written;
        if (exact) {
            written = std::get<ExactTransferMatrix>(*system);
        } else {
            written.inputs = inputs;
            written.outputs = outputs;
            written.sample_time = sample_time;
            for (const auto& row : elements) {
                written.elements.emplace_back();
                for (const Element& e : row) {
                    const auto polynomial = [](std::vector<double> p) {
                        std::vector<Coefficient> c;
                        for (auto at = p.rbegin(); at != p.rend(); ++at) c.emplace_back(simple_rational(*at));
                        return ExactPolynomial(std::move(c));
                    };
                    written.elements.back().push_back({polynomial(e.num), polynomial(e.den)});
                }
            }
            written.delays.assign(outputs.size(), std::vector<Rational>(inputs.size()));
        }
        if (!written.symbols.empty())
            workspace.diagnostics.report(
                bad_option("a transfer function with symbols cannot be written to a file",
                           "give them values with --set"));
        else if (const auto problem = write_linear_file(written, options.output))
            workspace.diagnostics.report(bad_option(*problem));
        if (workspace.diagnostics.has_errors()) return finish(workspace, options);
    }
    const bool single = inputs.size() == 1 && outputs.size() == 1;
    if (options.json) {
        Json j = {{"inputs", inputs}, {"outputs", outputs}, {"variable", variable}};
        if (sample_time) j["sample_time"] = *sample_time;
        if (single) j.update(as_json(elements[0][0]));
        Json rows = Json::array();
        for (const auto& row : elements) {
            rows.push_back(Json::array());
            for (const Element& e : row) rows.back().push_back(as_json(e));
        }
        j["elements"] = rows;
        if (exact && !std::get<ExactTransferMatrix>(*system).symbols.empty())
            j["symbols"] = std::get<ExactTransferMatrix>(*system).symbols;
        return print_json(std::move(j), workspace);
    }
    if (options.latex) {
        std::vector<std::vector<std::string>> texts;
        for (const auto& row : elements) {
            texts.emplace_back();
            for (const Element& e : row) texts.back().push_back(e.latex);
        }
        fmt::print("{}\n", single ? texts[0][0] : matrix_latex(texts));
        return finish(workspace, options);
    }
    if (sample_time && !options.quiet) fmt::print("sample time {} s\n", short_number(*sample_time));
    for (std::size_t i = 0; i < outputs.size(); ++i)
        for (std::size_t k = 0; k < inputs.size(); ++k) {
            const Element& e = elements[i][k];
            if (!single) fmt::print("{}{}\n", i + k ? "\n" : "", channel_name(outputs[i], inputs[k]));
            fmt::print("  G({}) = {}\n", variable, e.text);
            if (e.factored != e.text) fmt::print("       = {}\n", e.factored);
            if (!e.numeric) continue;
            fmt::print("  zeros    {}\n  poles    {}\n  gain     {}\n", root_list(e.numeric->zeros),
                       root_list(e.numeric->poles), short_number(e.numeric->gain));
            const Complex dc = e.numeric->at(sample_time ? 1.0 : 0.0);
            fmt::print("  dc gain  {}\n", std::isfinite(dc.real()) ? short_number(dc.real()) : "infinite");
        }
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_tf(CommandLine& line) {
    auto o = std::make_shared<TfOptions>();
    Command& c =
        line.add("tf", groups::linear, "transfer function or matrix: polynomials, zeros, poles, gain",
                 [o] { return tf(*o); });
    add_linear_options(c, *o);
    c.flag("--latex", o->latex, "as LaTeX");
    c.option("-o,--output", o->output, "write num and den to a .json file");
    c.footer(
        "Examples:\n"
        "  cutset tf motor.dym --inputs u --outputs w\n"
        "  cutset tf system.json --outputs y1\n"
        "  cutset tf --tf \"K*(s+a)/(s^2+2*d*s+1)\" --latex\n"
        "  cutset tf --tf \"1/(s+1) + 2/(s+3)\"");
}

}  // namespace cutset::cli
