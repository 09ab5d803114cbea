#include "control/transfer_realization.h"

#include <fmt/format.h>

#include <cmath>

#include "control/polynomial_messages.h"

namespace cutset {

namespace messages = polynomial_messages;

std::string element_name(const ExactTransferMatrix& g, std::size_t row, std::size_t column) {
    if (g.rows() == 1 && g.columns() == 1) return "the transfer function";
    return fmt::format("the transfer function from {} to {}", g.inputs[column], g.outputs[row]);
}

bool check_realizable(const ExactTransferMatrix& g, Diagnostics& diagnostics) {
    if (!g.symbols.empty()) {
        diagnostics.report(messages::symbols_without_value(g.symbols));
        return false;
    }
    bool good = true;
    for (std::size_t i = 0; i < g.rows(); ++i)
        for (std::size_t k = 0; k < g.columns(); ++k) {
            const ExactFraction f = reduced(g.elements[i][k]);
            if (g.delays[i][k] != 0) {
                diagnostics.report(messages::delay_needs_frequency(element_name(g, i, k)));
                good = false;
            } else if (!f.is_proper()) {
                diagnostics.report(
                    messages::improper(element_name(g, i, k), f.numerator.degree(), f.denominator.degree()));
                good = false;
            }
        }
    return good;
}

std::optional<std::vector<std::vector<TransferFunction>>> realizable_elements(const ExactTransferMatrix& g,
                                                                              Diagnostics& diagnostics) {
    if (!check_realizable(g, diagnostics)) return std::nullopt;
    std::vector<std::vector<TransferFunction>> out;
    for (std::size_t i = 0; i < g.rows(); ++i) {
        out.emplace_back();
        for (std::size_t k = 0; k < g.columns(); ++k) {
            out[i].push_back(transfer_function(g.elements[i][k], 0, g.sample_time));
            const bool zero = g.elements[i][k].numerator.is_zero();
            if (std::isfinite(out[i][k].gain) && out[i][k].is_zero() == zero) continue;
            diagnostics.report(messages::gain_out_of_range(element_name(g, i, k)));
            return std::nullopt;
        }
    }
    return out;
}

std::optional<StateSpace> realize(const ExactTransferMatrix& g, Diagnostics& diagnostics) {
    if (!check_realizable(g, diagnostics)) return std::nullopt;
    const ExactStateSpace exact = minimal_realization(g);
    StateSpace s;
    s.A = numbers(exact.A);
    s.B = numbers(exact.B);
    s.C = numbers(exact.C);
    s.D = numbers(exact.D);
    s.inputs = g.inputs;
    s.outputs = g.outputs;
    s.sample_time = g.sample_time;
    complete_names(s.states, exact.order(), "x");
    return s;
}

ExactTransferMatrix with_pade(const ExactTransferMatrix& g, unsigned order) {
    ExactTransferMatrix out = g;
    for (std::size_t i = 0; i < g.rows(); ++i)
        for (std::size_t k = 0; k < g.columns(); ++k) {
            if (g.delays[i][k] == 0) continue;
            // c_k = (2n-k)! n! / ((2n)! k! (n-k)!), with (-sT)^k above and (sT)^k below the line.
            std::vector<Coefficient> up, down;
            Rational c = 1, power = 1;
            for (unsigned j = 0; j <= order; ++j) {
                down.emplace_back(Rational(c * power));
                up.emplace_back(Rational(j % 2 ? Rational(-c * power) : Rational(c * power)));
                if (j < order) c *= Rational(order - j) / (Rational(2 * order - j) * Rational(j + 1));
                power *= g.delays[i][k];
            }
            out.elements[i][k] =
                out.elements[i][k] * ExactFraction{ExactPolynomial(up), ExactPolynomial(down)};
            out.delays[i][k] = 0;
        }
    return out;
}

void report_cancelled(const ExactTransferMatrix& g, Diagnostics& diagnostics) {
    for (std::size_t i = 0; i < g.rows(); ++i)
        for (std::size_t k = 0; k < g.columns(); ++k) {
            const ExactFraction& f = g.elements[i][k];
            if (f.numerator.is_zero()) continue;
            const ExactPolynomial common = greatest_common_divisor(f.numerator, f.denominator);
            if (common.is_constant()) continue;
            bool unstable = false;
            if (common.is_numeric())
                for (const auto& root : roots(common))
                    unstable = unstable || (g.sample_time ? std::abs(root) >= 1 : root.real() >= 0);
            diagnostics.report(messages::cancelled(element_name(g, i, k),
                                                   factored_text(common, g.variable, g.symbols), unstable));
        }
}

}  // namespace cutset
