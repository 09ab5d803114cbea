// Transfer functions as text: "(s+1)/(s^2+3*s+2)", "K*(s + a)/(s*(s + 1)) * exp(-0.1*s)", matrices "[1/s, 2;
// 0, 1/(s+1)]".
//
// The variable is s or, for sampled systems, z; other names are symbols. What is written is kept: a factor
// that stands above and below the line is cancelled only when asked for.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "base/diagnostic.h"
#include "control/exact_polynomial.h"

namespace cutset {

struct ExactTransferMatrix {
    std::vector<std::vector<ExactFraction>> elements;  // rows: outputs
    std::vector<std::vector<Rational>> delays;         // s, each as exp(-delay*s)
    std::string variable = "s";
    SymbolNames symbols;
    std::vector<std::string> inputs, outputs;
    std::optional<double> sample_time;

    std::size_t rows() const { return elements.size(); }
    std::size_t columns() const { return elements.empty() ? 0 : elements.front().size(); }
    bool has_delays() const;
    bool is_numeric() const { return symbols.empty(); }
};

// One transfer function or a matrix of them; nothing after an error. A function of z gets the sample time 1
// when none is given.
std::optional<ExactTransferMatrix> parse_transfer_matrix(SourceId text, const Sources& sources,
                                                         std::optional<double> sample_time,
                                                         Diagnostics& diagnostics);

// A polynomial in s or z whose coefficients may have symbols.
struct ParsedPolynomial {
    ExactPolynomial polynomial;
    std::string variable;
    SymbolNames symbols;
};
// `variable` is what the polynomial is in when the text has neither s nor z.
std::optional<ParsedPolynomial> parse_polynomial(SourceId text, const Sources& sources,
                                                 const std::string& variable, Diagnostics& diagnostics);

// Values for symbols; those without one stay.
ExactTransferMatrix with_values(const ExactTransferMatrix& g,
                                const std::vector<std::pair<std::string, Rational>>& values);
// Among more symbols, which include its own.
ExactTransferMatrix with_symbols(const ExactTransferMatrix& g, const SymbolNames& names);
ExactPolynomial with_values(const ExactPolynomial& p, const std::vector<std::optional<Rational>>& values);

// "y1", "y2", … where there are no names.
void complete_names(std::vector<std::string>& names, std::size_t count, const std::string& letter);

// A sum in brackets, a product as it stands.
std::string factor_text(const std::string& text);
// "n/d" with the brackets that it needs; n when d is "1".
std::string fraction_text(const std::string& numerator, const std::string& denominator);

std::string to_text(const ExactFraction& f, const std::string& variable, const SymbolNames& names,
                    bool factored = false);
std::string to_latex(const ExactFraction& f, const std::string& variable, const SymbolNames& names,
                     bool factored = false);

}  // namespace cutset
