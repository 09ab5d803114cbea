#include "operations/linear/transfer_study.h"

#include "control/transfer_realization.h"
#include "operations/linear/linear_messages.h"
#include "results/linear_file.h"

namespace cutset {

namespace {

constexpr Eigen::Index most_exact_order = 40;

TransferElement exact_element(const ExactTransferMatrix& g, std::size_t i, std::size_t k) {
    TransferElement e;
    e.exact = reduced(g.elements[i][k]);
    e.delay = g.delays[i][k];
    if (g.symbols.empty()) {
        e.numeric = transfer_function(*e.exact, e.delay, g.sample_time);
        e.numerator = e.exact->numerator.numbers();
        e.denominator = e.exact->denominator.numbers();
    }
    return e;
}

std::optional<TransferElement> numeric_element(const StateSpace& s, std::size_t i, std::size_t k) {
    TransferElement e;
    e.numeric = transfer_function(s, static_cast<Eigen::Index>(k), static_cast<Eigen::Index>(i));
    if (!e.numeric) return std::nullopt;
    e.numerator = e.numeric->numerator();
    e.denominator = e.numeric->denominator();
    return e;
}

// Coefficients of a computed transfer function as simple rational numbers.
ExactTransferMatrix rational_matrix(const TransferStudy& study) {
    const auto polynomial = [](const std::vector<double>& p) {
        std::vector<Coefficient> c;
        for (auto at = p.rbegin(); at != p.rend(); ++at) c.emplace_back(simple_rational(*at));
        return ExactPolynomial(std::move(c));
    };
    ExactTransferMatrix out;
    out.inputs = study.inputs;
    out.outputs = study.outputs;
    out.sample_time = study.sample_time;
    for (const auto& row : study.elements) {
        out.elements.emplace_back();
        for (const TransferElement& e : row)
            out.elements.back().push_back({polynomial(e.numerator), polynomial(e.denominator)});
    }
    out.delays.assign(study.outputs.size(), std::vector<Rational>(study.inputs.size()));
    return out;
}

// The numerators, when no element has a denominator.
std::optional<PolynomialMatrix> polynomial_matrix(const ExactTransferMatrix& g) {
    PolynomialMatrix p(g.rows(), g.columns());
    bool polynomial = true;
    for (std::size_t i = 0; i < g.rows(); ++i)
        for (std::size_t k = 0; k < g.columns(); ++k) {
            const ExactFraction f = reduced(g.elements[i][k]);
            polynomial = polynomial && f.denominator.is_constant();
            p(i, k) = f.numerator;
        }
    if (!polynomial) return std::nullopt;
    return p;
}

ExactStateSpace realized(const ExactTransferMatrix& g, ExactForm form, Crate crate) {
    const auto controller = [&] {
        return controller_form(column_reduced(right_coprime(right_fraction(g)).fraction).fraction);
    };
    const auto observer = [&] {
        return observer_form(row_reduced(left_coprime(left_fraction(g)).fraction).fraction);
    };
    switch (form) {
        case ExactForm::Controller:
            return controller();
        case ExactForm::Observer:
            return observer();
        case ExactForm::Controllability:
            return *controllability_form(controller(), crate);
        case ExactForm::Observability:
            return *observability_form(observer(), crate);
    }
    return {};
}

}  // namespace

std::optional<TransferStudy> transfer_study(const LinearRequest& request, Workspace& workspace) {
    const auto system = open_linear(request, workspace);
    if (!system) return std::nullopt;
    TransferStudy study;
    study.inputs = inputs_of(*system);
    study.outputs = outputs_of(*system);
    study.sample_time = sample_time_of(*system);
    study.variable = study.sample_time ? "z" : "s";
    const auto* g = std::get_if<ExactTransferMatrix>(&*system);
    if (g) {
        report_cancelled(*g, workspace.diagnostics);
        study.symbols = g->symbols;
    }
    study.elements.resize(study.outputs.size());
    for (std::size_t i = 0; i < study.outputs.size(); ++i)
        for (std::size_t k = 0; k < study.inputs.size(); ++k) {
            auto element = g ? exact_element(*g, i, k) : numeric_element(std::get<StateSpace>(*system), i, k);
            if (!element) {
                workspace.diagnostics.report(linear_messages::no_eigenvalues());
                return std::nullopt;
            }
            study.elements[i].push_back(std::move(*element));
        }
    if (g) study.exact = *g;
    return study;
}

ExactTransferMatrix transfer_matrix_of(const TransferStudy& study) {
    return study.exact ? *study.exact : rational_matrix(study);
}

std::optional<ExactTransferMatrix> open_exact(const LinearRequest& request, Workspace& workspace) {
    auto system = open_linear(request, workspace);
    if (!system) return std::nullopt;
    if (auto* g = std::get_if<ExactTransferMatrix>(&*system)) {
        for (std::size_t i = 0; i < g->rows(); ++i)
            for (std::size_t k = 0; k < g->columns(); ++k)
                if (g->delays[i][k] != 0) {
                    workspace.diagnostics.report(linear_messages::delay_not_rational(element_name(*g, i, k)));
                    return std::nullopt;
                }
        return std::move(*g);
    }
    const StateSpace& s = std::get<StateSpace>(*system);
    if (s.order() > most_exact_order) {
        workspace.diagnostics.report(linear_messages::too_large_for_exact(most_exact_order, s.order()));
        return std::nullopt;
    }
    ExactTransferMatrix g = transfer_matrix_of({exact(s.A), exact(s.B), exact(s.C), exact(s.D)});
    g.inputs = s.inputs;
    g.outputs = s.outputs;
    g.sample_time = s.sample_time;
    g.variable = s.is_sampled() ? "z" : "s";
    return g;
}

std::optional<SmithStudy> smith_study(const SmithRequest& request, Workspace& workspace) {
    auto g = open_exact(request, workspace);
    if (!g) return std::nullopt;
    const auto polynomial = polynomial_matrix(*g);
    if (request.hermite) {
        if (!polynomial) {
            workspace.diagnostics.report(linear_messages::hermite_of_polynomials());
            return std::nullopt;
        }
        const bool rows = *request.hermite == HermiteBy::Rows;
        HermiteStudy hermite{*request.hermite,
                             rows ? row_hermite_form(*polynomial) : column_hermite_form(*polynomial)};
        return SmithStudy{std::move(*g), std::move(hermite)};
    }
    if (polynomial) return SmithStudy{std::move(*g), smith_form(*polynomial)};
    SmithMcMillanForm form = smith_mcmillan_form(*g);
    return SmithStudy{std::move(*g), std::move(form)};
}

std::optional<FractionStudy> fraction_study(const FractionRequest& request, Workspace& workspace) {
    auto g = open_exact(request, workspace);
    if (!g) return std::nullopt;
    const bool left = request.left;
    FractionStudy study;
    study.left = left;
    study.first = left ? left_fraction(*g) : right_fraction(*g);
    study.matrix = std::move(*g);
    if (request.raw) return study;
    FractionStudy::Reduced& r = study.reduced.emplace();
    r.coprime = left ? left_coprime(study.first) : right_coprime(study.first);
    r.reduced = left ? row_reduced(r.coprime.fraction) : column_reduced(r.coprime.fraction);
    const PolynomialMatrix& D = r.reduced.fraction.D;
    r.determinant = determinant(D);
    r.degrees = column_degrees(left ? D.transposed() : D);
    return study;
}

std::optional<RealizeStudy> realize_study(const RealizeRequest& request, Workspace& workspace) {
    auto g = open_exact(request, workspace);
    if (!g) return std::nullopt;
    for (std::size_t i = 0; i < g->rows(); ++i)
        for (std::size_t k = 0; k < g->columns(); ++k)
            if (!reduced(g->elements[i][k]).is_proper()) {
                ExactTransferMatrix numeric = *g;
                numeric.symbols.clear();
                check_realizable(numeric, workspace.diagnostics);
                return std::nullopt;
            }
    report_cancelled(*g, workspace.diagnostics);
    if (request.crate != 1 && request.crate != 2) {
        workspace.diagnostics.report(linear_messages::bad_crate());
        return std::nullopt;
    }
    ExactStateSpace system = realized(*g, request.form, request.crate == 1 ? Crate::Columns : Crate::Rows);
    return RealizeStudy{std::move(*g), std::move(system)};
}

StateSpace numeric_system(const RealizeStudy& study) {
    StateSpace out;
    out.A = numbers(study.system.A);
    out.B = numbers(study.system.B);
    out.C = numbers(study.system.C);
    out.D = numbers(study.system.D);
    out.inputs = study.matrix.inputs;
    out.outputs = study.matrix.outputs;
    out.sample_time = study.matrix.sample_time;
    complete(out);
    return out;
}

}  // namespace cutset
