#include "operations/linear/transfer_study.h"

#include "control/minors.h"
#include "control/transfer_realization.h"
#include "operations/linear/linear_messages.h"
#include "results/linear_file.h"

namespace cutset {

namespace {

constexpr Eigen::Index most_exact_order = 40;

// With the names of the system.
ExactTransferMatrix transfer_matrix_of(const StateSpace& s, const ExactStateSpace& numbers) {
    ExactTransferMatrix g = transfer_matrix_of(numbers);
    g.inputs = s.inputs;
    g.outputs = s.outputs;
    g.sample_time = s.sample_time;
    g.variable = s.is_sampled() ? "z" : "s";
    return g;
}

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

// A realisation of a coprime reduced fraction, or of one that is given.
ExactStateSpace realized(const MatrixFraction& reduced_fraction, ExactForm form, Crate crate) {
    switch (form) {
        case ExactForm::Controller:
            return controller_form(reduced_fraction);
        case ExactForm::Observer:
            return observer_form(reduced_fraction);
        case ExactForm::Controllability:
            return *controllability_form(controller_form(reduced_fraction), crate);
        case ExactForm::Observability:
            return *observability_form(observer_form(reduced_fraction), crate);
    }
    return {};
}

bool is_left(ExactForm form) {
    return form == ExactForm::Observer || form == ExactForm::Observability;
}

// Where the fraction is not coprime, or its denominator not reduced, or a coefficient has no value.
ExceptionalValues exceptions_of(const MatrixFraction& f, bool left) {
    ExceptionalValues out = common_roots_of_minors(left ? beside(f.D, f.N) : above(f.D, f.N));
    const PolynomialMatrix D = left ? f.D.transposed() : f.D;
    const ExactMatrix leading = leading_column_coefficients(D, column_degrees(D));
    PolynomialMatrix constant(leading.rows(), leading.columns());
    for (std::size_t i = 0; i < leading.rows(); ++i)
        for (std::size_t k = 0; k < leading.columns(); ++k) constant(i, k) = ExactPolynomial(leading(i, k));
    const ExactPolynomial independent = determinant(constant);
    if (!independent.is_zero()) out.add(independent[0].numerator());
    for (const PolynomialMatrix* m : {&f.D, &f.N})
        for (std::size_t i = 0; i < m->rows(); ++i)
            for (std::size_t k = 0; k < m->columns(); ++k) out.add_denominators((*m)(i, k));
    return out;
}

std::optional<PolynomialMatrix> numerators_of(const ExactTransferMatrix& g, const char* option,
                                              Diagnostics& diagnostics) {
    auto p = polynomial_matrix(g);
    if (!p) diagnostics.report(linear_messages::fraction_not_polynomial(option));
    return p;
}

// The fraction that the options give, and its transfer matrix.
struct OpenedFraction {
    MatrixFraction fraction;
    ExactTransferMatrix matrix;
};
std::optional<OpenedFraction> open_given(const LinearRequest& request, const FractionText& text, bool left,
                                         Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto given = open_fraction(request, text, workspace);
    if (!given) return std::nullopt;
    const auto N = numerators_of(given->N, "--numerator", diagnostics),
               D = numerators_of(given->D, "--denominator", diagnostics);
    if (!N || !D) return std::nullopt;
    if (D->rows() != D->columns() || (left ? N->rows() != D->rows() : N->columns() != D->columns())) {
        diagnostics.report(
            linear_messages::fraction_sizes(left, N->rows(), N->columns(), D->rows(), D->columns()));
        return std::nullopt;
    }
    OpenedFraction out{{*N, *D}, {}};
    request.begin("the transfer matrix of the fraction");
    auto g = transfer_matrix_of(out.fraction, left);
    if (!g) {
        diagnostics.report(linear_messages::fraction_singular());
        return std::nullopt;
    }
    out.matrix = std::move(*g);
    out.matrix.symbols = given->D.symbols;
    out.matrix.variable = given->D.variable;
    out.matrix.sample_time = given->D.sample_time;
    return out;
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
    std::optional<ExactTransferMatrix> of_matrices;
    if (g) {
        report_cancelled(*g, workspace.diagnostics);
        study.symbols = g->symbols;
    } else if (const auto exact = exact_numbers(request, std::get<StateSpace>(*system))) {
        of_matrices = transfer_matrix_of(std::get<StateSpace>(*system), *exact);
        g = &*of_matrices;
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
    return transfer_matrix_of(s, {exact(s.A), exact(s.B), exact(s.C), exact(s.D)});
}

namespace {

// Those of elimination, and where they have no value.
template <class Form>
void add_transformations(Form& form, const Form& eliminated) {
    form.left = eliminated.left;
    form.right = eliminated.right;
    for (const PolynomialMatrix* m : {&form.left, &form.right})
        for (std::size_t i = 0; i < m->rows(); ++i)
            for (std::size_t k = 0; k < m->columns(); ++k) form.exceptions.add_denominators((*m)(i, k));
}

}  // namespace

std::optional<SmithStudy> smith_study(const SmithRequest& request, Workspace& workspace) {
    auto g = open_exact(request, workspace);
    if (!g) return std::nullopt;
    const auto polynomial = polynomial_matrix(*g);
    if (request.hermite) {
        if (!polynomial) {
            workspace.diagnostics.report(linear_messages::hermite_of_polynomials());
            return std::nullopt;
        }
        request.begin("the Hermite form");
        const bool rows = *request.hermite == HermiteBy::Rows;
        HermiteStudy hermite{*request.hermite,
                             rows ? row_hermite_form(*polynomial) : column_hermite_form(*polynomial)};
        return SmithStudy{std::move(*g), std::move(hermite)};
    }
    // Elimination gives the transformations; with symbols they are long, and minors are shorter.
    const bool symbols = !g->symbols.empty();
    request.begin(polynomial ? "the Smith form" : "the Smith-McMillan form");
    if (polynomial) {
        if (!symbols) return SmithStudy{std::move(*g), smith_form(*polynomial)};
        SmithForm form = generic_smith_form(*polynomial);
        if (request.transformations) add_transformations(form, smith_form(*polynomial));
        return SmithStudy{std::move(*g), std::move(form)};
    }
    SmithMcMillanForm form = symbols ? generic_smith_mcmillan_form(*g) : smith_mcmillan_form(*g);
    if (symbols && request.transformations) {
        request.begin("finding the unimodular matrices");
        add_transformations(form, smith_mcmillan_form(*g));
    }
    return SmithStudy{std::move(*g), std::move(form)};
}

std::optional<FractionStudy> fraction_study(const FractionRequest& request, Workspace& workspace) {
    const bool left = request.left;
    FractionStudy study;
    study.left = left;
    if (request.text.given()) {
        auto opened = open_given(request, request.text, left, workspace);
        if (!opened) return std::nullopt;
        study.given = true;
        study.first = std::move(opened->fraction);
        study.matrix = std::move(opened->matrix);
    } else {
        auto g = open_exact(request, workspace);
        if (!g) return std::nullopt;
        request.begin("finding the common denominators");
        study.first = left ? left_fraction(*g) : right_fraction(*g);
        study.matrix = std::move(*g);
    }
    if (request.raw) return study;
    FractionStudy::Reduced& r = study.reduced.emplace();
    request.begin("the common divisor of numerator and denominator");
    if (request.steps == FractionSteps::Reduced)
        r.coprime = {study.first, PolynomialMatrix::identity(study.first.D.rows())};
    else
        r.coprime = left ? left_coprime(study.first) : right_coprime(study.first);
    request.begin("the reduction of the denominator");
    if (request.steps == FractionSteps::Coprime)
        r.reduced = {r.coprime.fraction, PolynomialMatrix::identity(study.first.D.rows())};
    else
        r.reduced = left ? row_reduced(r.coprime.fraction) : column_reduced(r.coprime.fraction);
    const PolynomialMatrix& D = r.reduced.fraction.D;
    request.begin("the determinant of the denominator");
    r.determinant = determinant(D);
    r.degrees = column_degrees(left ? D.transposed() : D);
    if (!study.matrix.symbols.empty()) {
        request.begin("finding the values for which the fraction is another");
        study.exceptions = exceptions_of(r.reduced.fraction, left);
    }
    return study;
}

namespace {

// Each column of N below the degree of that of the reduced D, or equal to it.
bool is_proper(const MatrixFraction& f, bool left) {
    const std::vector<int> n = column_degrees(left ? f.N.transposed() : f.N),
                           d = column_degrees(left ? f.D.transposed() : f.D);
    for (std::size_t k = 0; k < n.size(); ++k)
        if (n[k] > d[k]) return false;
    return true;
}

// Reduced, and coprime when it is made from a transfer matrix.
std::optional<OpenedFraction> open_reduced(const RealizeRequest& request, bool left, Workspace& workspace) {
    if (request.text.given()) {
        auto opened = open_given(request, request.text, left, workspace);
        if (!opened) return std::nullopt;
        opened->fraction = (left ? row_reduced(opened->fraction) : column_reduced(opened->fraction)).fraction;
        if (is_proper(opened->fraction, left)) return opened;
        workspace.diagnostics.report(linear_messages::fraction_not_proper());
        return std::nullopt;
    }
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
    request.begin("a coprime matrix fraction");
    MatrixFraction f = left ? row_reduced(left_coprime(left_fraction(*g)).fraction).fraction
                            : column_reduced(right_coprime(right_fraction(*g)).fraction).fraction;
    return OpenedFraction{std::move(f), std::move(*g)};
}

}  // namespace

std::optional<RealizeStudy> realize_study(const RealizeRequest& request, Workspace& workspace) {
    const bool left = is_left(request.form);
    auto opened = open_reduced(request, left, workspace);
    if (!opened) return std::nullopt;
    if (request.crate != 1 && request.crate != 2) {
        workspace.diagnostics.report(linear_messages::bad_crate());
        return std::nullopt;
    }
    request.begin("the realisation");
    RealizeStudy study;
    study.system =
        realized(opened->fraction, request.form, request.crate == 1 ? Crate::Columns : Crate::Rows);
    if (!opened->matrix.symbols.empty()) {
        request.begin("finding the values for which the realisation is another");
        study.exceptions = exceptions_of(opened->fraction, left);
        for (const ExactMatrix* m : {&study.system.A, &study.system.B, &study.system.C, &study.system.D})
            study.exceptions.add_denominators(*m);
    }
    study.matrix = std::move(opened->matrix);
    return study;
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
