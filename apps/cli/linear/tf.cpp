// cutset tf: transfer functions of a model, of matrices or of text.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <memory>

#include "commands.h"
#include "linear/linear_options.h"
#include "operations/linear/transfer_study.h"
#include "results/linear_file.h"

namespace cutset::cli {

namespace {

struct TfOptions : LinearOptions {
    bool latex = false;
    std::string output;
};

// One element as it is printed.
struct ElementTexts {
    std::string text, factored, latex;
};

ElementTexts exact_texts(const ExactFraction& f, const Rational& delay, const ExactTransferMatrix& g) {
    ElementTexts e{to_text(f, g.variable, g.symbols), to_text(f, g.variable, g.symbols, true),
                   to_latex(f, g.variable, g.symbols)};
    if (delay == 0) return e;
    const std::string factor = fmt::format("exp(-{}*s)", to_text(delay));
    e.text = factor_text(e.text) + "*" + factor;
    e.factored = factor_text(e.factored) + "*" + factor;
    e.latex += fmt::format(" e^{{-{} s}}", to_latex(delay));
    return e;
}

ElementTexts numeric_texts(const TransferElement& element, const std::string& variable) {
    ElementTexts e;
    const std::string numerator = polynomial_text(element.numerator, variable),
                      denominator = polynomial_text(element.denominator, variable);
    e.text = fraction_text(numerator, denominator);
    const std::string gain = short_number(element.numeric->gain),
                      zeros = factored_text(element.numeric->zeros, variable);
    e.factored = fraction_text(zeros == "1"  ? gain
                               : gain == "1" ? zeros
                                             : gain + "*" + zeros,
                               factored_text(element.numeric->poles, variable));
    e.latex = "\\frac{" + numerator + "}{" + denominator + "}";
    std::replace(e.latex.begin(), e.latex.end(), '*', ' ');
    return e;
}

ElementTexts texts_of(const TransferElement& element, const TransferStudy& study) {
    return element.exact ? exact_texts(*element.exact, element.delay, *study.exact)
                         : numeric_texts(element, study.variable);
}

double dc_gain_of(const TransferFunction& g) {
    return g.at(g.sample_time ? 1.0 : 0.0).real();
}

std::string root_list(const std::vector<Complex>& roots) {
    std::string out;
    for (const Complex& r : roots)
        if (r.imag() >= 0) out += (out.empty() ? "" : ",  ") + complex_text(r, r.imag() != 0);
    return out.empty() ? "none" : out;
}

Json element_json(const TransferElement& element, const TransferStudy& study) {
    const ElementTexts texts = texts_of(element, study);
    Json j = {{"text", texts.text}, {"factored", texts.factored}, {"latex", texts.latex}};
    if (element.delay != 0) j["delay"] = Coefficient(element.delay).value();
    if (!element.numeric) return j;
    j["num"] = element.numerator;
    j["den"] = element.denominator;
    j["zeros"] = complex_json(element.numeric->zeros);
    j["poles"] = complex_json(element.numeric->poles);
    j["gain"] = element.numeric->gain;
    j["dc_gain"] = number_json(dc_gain_of(*element.numeric));
    return j;
}

Json transfer_json(const TransferStudy& study) {
    Json j = {{"inputs", study.inputs}, {"outputs", study.outputs}, {"variable", study.variable}};
    if (study.sample_time) j["sample_time"] = *study.sample_time;
    if (study.single()) j.update(element_json(study.elements[0][0], study));
    Json rows = Json::array();
    for (const auto& row : study.elements) {
        rows.push_back(Json::array());
        for (const TransferElement& e : row) rows.back().push_back(element_json(e, study));
    }
    j["elements"] = std::move(rows);
    if (!study.symbols.empty()) j["symbols"] = study.symbols;
    return j;
}

void print_transfer_latex(const TransferStudy& study) {
    std::vector<std::vector<std::string>> texts;
    for (const auto& row : study.elements) {
        texts.emplace_back();
        for (const TransferElement& e : row) texts.back().push_back(texts_of(e, study).latex);
    }
    fmt::print("{}\n", study.single() ? texts[0][0] : matrix_latex(texts));
}

void print_transfer(const TransferStudy& study) {
    for (std::size_t i = 0; i < study.outputs.size(); ++i)
        for (std::size_t k = 0; k < study.inputs.size(); ++k) {
            const TransferElement& e = study.elements[i][k];
            const ElementTexts texts = texts_of(e, study);
            if (!study.single())
                fmt::print("{}{}\n", i + k ? "\n" : "", channel_name(study.outputs[i], study.inputs[k]));
            fmt::print("  G({}) = {}\n", study.variable, texts.text);
            if (texts.factored != texts.text) fmt::print("       = {}\n", texts.factored);
            if (!e.numeric) continue;
            fmt::print("  zeros    {}\n  poles    {}\n  gain     {}\n", root_list(e.numeric->zeros),
                       root_list(e.numeric->poles), short_number(e.numeric->gain));
            const double dc = dc_gain_of(*e.numeric);
            fmt::print("  dc gain  {}\n", std::isfinite(dc) ? short_number(dc) : "infinite");
        }
}

bool write_transfer(const TransferStudy& study, const std::string& path, Diagnostics& diagnostics) {
    if (path.empty()) return true;
    if (!study.symbols.empty())
        diagnostics.report(bad_option("a transfer function with symbols cannot be written to a file",
                                      "give them values with --set"));
    else if (const auto problem = write_linear_file(transfer_matrix_of(study), path))
        diagnostics.report(bad_option(*problem));
    return !diagnostics.has_errors();
}

int tf(const TfOptions& options) {
    return run_study(options, transfer_study,
                     {.write =
                          [&](const TransferStudy& study, Diagnostics& diagnostics) {
                              return write_transfer(study, options.output, diagnostics);
                          },
                      .json = transfer_json,
                      .print =
                          [&](const TransferStudy& study) {
                              if (options.latex) return print_transfer_latex(study);
                              if (study.sample_time && !options.quiet)
                                  fmt::print("sample time {} s\n", short_number(*study.sample_time));
                              print_transfer(study);
                          },
                      .notes = Notes::Added});
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
