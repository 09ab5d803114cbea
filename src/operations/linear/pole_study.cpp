#include "operations/linear/pole_study.h"

#include <fmt/format.h>

#include <algorithm>

#include "control/factored_roots.h"
#include "control/matrix_fraction.h"
#include "control/polynomial_matrix.h"
#include "control/realization.h"
#include "control/state_space_messages.h"
#include "control/transfer_realization.h"
#include "control/zeros.h"

namespace cutset {

namespace {

enum class RootsOf { Poles, Zeros };

bool is_single(const ExactTransferMatrix& g) {
    return g.rows() == 1 && g.columns() == 1;
}

// s = -b/2 ± √(b²/4 - c) and its like of the first degree.
std::string root_formula(const ExactPolynomial& f, const SymbolNames& symbols) {
    if (f.degree() == 1) return to_text(-f[0] / f[1], symbols);
    if (f.degree() != 2) return "";
    const Coefficient b = f[1] / f[2], half = -b / Coefficient(2), c = f[0] / f[2];
    return fmt::format("{}± sqrt({})", half.is_zero() ? "" : to_text(half, symbols) + " ",
                       to_text(half * half - c, symbols));
}

SymbolicRoots symbolic_roots(const ExactTransferMatrix& g, RootsOf what, Diagnostics& diagnostics) {
    report_cancelled(g, diagnostics);
    const SmithMcMillanForm form = generic_smith_mcmillan_form(g);
    SymbolicRoots out{
        what == RootsOf::Poles ? form.poles : form.zeros, {}, g.variable, g.symbols, form.exceptions};
    if (form.diagonal.empty())
        out.polynomial = {};
    else if (is_single(g) && what == RootsOf::Zeros)  // with its gain
        out.polynomial = reduced(g.elements[0][0]).numerator;
    if (!out.polynomial.is_zero() && !out.polynomial.is_constant())
        for (const PowerFactor& part : simple_factors(out.polynomial))
            out.factors.push_back({part.factor, part.multiplicity, root_formula(part.factor, g.symbols)});
    return out;
}

// Exact coefficients: multiple poles are that, and no realisation is made up.
std::vector<Mode> exact_modes(const ExactTransferMatrix& g) {
    const ExactPolynomial denominator =
        is_single(g) ? reduced(g.elements[0][0]).denominator : smith_mcmillan_form(g).poles;
    std::vector<Complex> found = roots(denominator);
    sort_poles(found, g.sample_time.has_value());
    std::vector<Mode> out;
    for (const Complex& pole : found) out.push_back(mode_of(pole, g.sample_time));
    return out;
}

ZeroStudy exact_zeros(const ExactTransferMatrix& g) {
    ZeroStudy out;
    out.inputs = g.inputs;
    out.outputs = g.outputs;
    out.sample_time = g.sample_time;
    ExactPolynomial numerator;
    if (is_single(g)) {
        const ExactFraction f = reduced(g.elements[0][0]);
        numerator = f.numerator;
        out.normal_rank = numerator.is_zero() ? 0 : 1;
        out.gain = {out.normal_rank ? (f.numerator.leading() / f.denominator.leading()).value() : 0,
                    f.denominator.degree() - f.numerator.degree()};
    } else {
        const SmithMcMillanForm form = smith_mcmillan_form(g);
        numerator = form.zeros;
        out.normal_rank = static_cast<Eigen::Index>(form.diagonal.size());
    }
    out.degenerate = out.normal_rank < static_cast<Eigen::Index>(std::min(g.rows(), g.columns()));
    if (out.normal_rank > 0) out.invariant = out.transmission = roots(numerator);
    return out;
}

std::optional<ZeroStudy> numeric_zeros(const StateSpace& system, Diagnostics& diagnostics) {
    const auto found = invariant_zeros(system);
    const auto small = minimal_realization(system);
    const auto transmission = invariant_zeros(small.system);
    const auto system_poles = poles(small.system.A, system.sample_time);
    if (!found || !transmission || !system_poles) {
        diagnostics.report(state_space_messages::no_convergence("the zeros"));
        return std::nullopt;
    }
    ZeroStudy out;
    out.invariant = found->finite;
    out.transmission = transmission->finite;
    out.normal_rank = found->normal_rank;
    out.degenerate = found->degenerate;
    out.inputs = system.inputs;
    out.outputs = system.outputs;
    out.sample_time = system.sample_time;
    // Zeros of the whole that those of the minimal part do not explain.
    out.decoupling = found->finite;
    for (const Complex& z : transmission->finite) {
        const auto at = std::min_element(
            out.decoupling.begin(), out.decoupling.end(),
            [&](const Complex& a, const Complex& b) { return std::abs(a - z) < std::abs(b - z); });
        if (at != out.decoupling.end()) out.decoupling.erase(at);
    }
    if (system.B.cols() == 1 && system.C.rows() == 1)
        out.gain = {zero_pole_gain(small.system, transmission->finite, *system_poles),
                    static_cast<int>(system_poles->size() -
                                     std::min(system_poles->size(), transmission->finite.size()))};
    return out;
}

// Modes at the exact eigenvalues, each at the nearest of those that were computed.
void place_exactly(std::vector<Mode>& modes, const ExactMatrix& A, std::optional<double> sample_time) {
    std::vector<Complex> exact = roots(characteristic_polynomial(A));
    if (exact.size() != modes.size()) return;
    for (Mode& mode : modes) {
        const auto nearest =
            std::min_element(exact.begin(), exact.end(), [&](const Complex& a, const Complex& b) {
                return std::abs(a - mode.eigenvalue) < std::abs(b - mode.eigenvalue);
            });
        Mode placed = mode_of(*nearest, sample_time);
        placed.participation = std::move(mode.participation);
        mode = std::move(placed);
        exact.erase(nearest);
    }
}

// Zeros of [sI - A, -B; C, D] and of the transfer matrix.
ZeroStudy exact_zeros(const StateSpace& system, const ExactStateSpace& s) {
    ExactTransferMatrix g = transfer_matrix_of(s);
    g.inputs = system.inputs;
    g.outputs = system.outputs;
    g.sample_time = system.sample_time;
    ZeroStudy out = exact_zeros(g);
    const std::size_t n = s.order(), m = s.B.columns(), p = s.C.rows();
    PolynomialMatrix pencil(n + p, n + m);
    for (std::size_t i = 0; i < n + p; ++i)
        for (std::size_t k = 0; k < n + m; ++k) {
            const Coefficient c =
                i < n ? (k < n ? -s.A(i, k) : -s.B(i, k - n)) : (k < n ? s.C(i - n, k) : s.D(i - n, k - n));
            pencil(i, k) = ExactPolynomial({c, Coefficient(i == k && i < n ? 1 : 0)});
        }
    ExactPolynomial all(1), hidden = all;
    for (const ExactPolynomial& e : smith_form(pencil).invariants) all = all * e;
    if (out.normal_rank > 0) {
        const ExactPolynomial shown =
            is_single(g) ? reduced(g.elements[0][0]).numerator : smith_mcmillan_form(g).zeros;
        auto [quotient, remainder] = divide(all, shown);
        if (remainder.is_zero()) hidden = quotient;
    } else {
        hidden = all;
    }
    out.invariant = roots(all);
    out.decoupling = roots(hidden);
    return out;
}

}  // namespace

bool PoleStudy::stable() const {
    return std::all_of(modes.begin(), modes.end(), [&](const Mode& m) { return m.stable(sampled()); });
}

std::size_t PoleStudy::multiplicity(const Mode& mode) const {
    return std::size_t(std::count_if(modes.begin(), modes.end(),
                                     [&](const Mode& m) { return m.eigenvalue == mode.eigenvalue; }));
}

std::optional<std::variant<PoleStudy, SymbolicRoots>> pole_study(const LinearRequest& request,
                                                                 Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto source = open_linear(request, workspace, Signals::NotNeeded);
    if (!source) return std::nullopt;
    PoleStudy out;
    out.sample_time = sample_time_of(*source);
    if (const auto* g = std::get_if<ExactTransferMatrix>(&*source)) {
        request.begin("finding the poles");
        if (!g->symbols.empty()) return symbolic_roots(*g, RootsOf::Poles, diagnostics);
        report_cancelled(*g, diagnostics);
        out.exact = true;
        out.modes = exact_modes(*g);
        return out;
    }
    const StateSpace& system = std::get<StateSpace>(*source);
    if (!check_system(system, diagnostics)) return std::nullopt;
    auto found = modes(system.A, system.sample_time);
    if (!found) {
        diagnostics.report(state_space_messages::no_convergence("the eigenvalues"));
        return std::nullopt;
    }
    out.states = system.states;
    out.modes = std::move(*found);
    if (const auto exact = exact_numbers(request, system))
        place_exactly(out.modes, exact->A, out.sample_time);
    return out;
}

std::optional<std::variant<ZeroStudy, SymbolicRoots>> zero_study(const LinearRequest& request,
                                                                 Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto source = open_linear(request, workspace);
    if (!source) return std::nullopt;
    if (const auto* g = std::get_if<ExactTransferMatrix>(&*source)) {
        request.begin("finding the zeros");
        if (!g->symbols.empty()) return symbolic_roots(*g, RootsOf::Zeros, diagnostics);
        report_cancelled(*g, diagnostics);
        return exact_zeros(*g);
    }
    const StateSpace& system = std::get<StateSpace>(*source);
    if (!check_system(system, diagnostics)) return std::nullopt;
    if (const auto exact = exact_numbers(request, system)) return exact_zeros(system, *exact);
    auto found = numeric_zeros(system, diagnostics);
    if (!found) return std::nullopt;
    return std::move(*found);
}

}  // namespace cutset
