#include "operations/linear/stability_study.h"

#include <algorithm>

#include "control/matrix_fraction.h"
#include "operations/linear/linear_messages.h"

namespace cutset {

namespace {

constexpr Eigen::Index most_table_states = 60;
constexpr int highest_degree = 100;

struct StabilityQuestion {
    ExactPolynomial polynomial;
    SymbolNames symbols;
    std::optional<ExactFraction> transfer;  // for the variance
};

// The polynomial that is given as text, with values for its symbols.
std::optional<StabilityQuestion> given_polynomial(const StabilityRequest& request, Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto fail = [&](Diagnostic d) {
        diagnostics.report(std::move(d));
        return std::nullopt;
    };
    if (!request.tf.empty() || !request.file.empty()) return fail(linear_messages::polynomial_and_system());
    const std::string variable = request.sampled ? "z" : "s";
    const auto p = parse_polynomial(workspace.text.sources().add("--polynomial", request.polynomial),
                                    workspace.text.sources(), variable, diagnostics);
    if (!p) return std::nullopt;
    if (p->variable != variable)
        return fail(linear_messages::polynomial_in_other_variable(p->variable, request.sampled));
    std::vector<std::optional<Rational>> values(p->symbols.size());
    for (const std::string& text : request.set) {
        const std::size_t equal = text.find('=');
        const auto number =
            equal == std::string::npos ? std::nullopt : rational_from_text(text.substr(equal + 1));
        const auto at = std::find(p->symbols.begin(), p->symbols.end(), text.substr(0, equal));
        if (!number) return fail(linear_messages::name_and_number_expected("--set", text));
        if (at == p->symbols.end()) return fail(linear_messages::no_such_polynomial_symbol(text));
        values[static_cast<std::size_t>(at - p->symbols.begin())] = *number;
    }
    StabilityQuestion q;
    q.polynomial = with_values(p->polynomial, values);
    q.symbols = p->symbols;
    if (q.polynomial.is_numeric()) q.symbols.clear();
    return q;
}

// The denominator of a transfer function, or of the loop closed around it.
std::optional<StabilityQuestion> of_transfer_function(const ExactTransferMatrix& g, bool feedback,
                                                      Diagnostics& diagnostics) {
    const auto fail = [&](Diagnostic d) {
        diagnostics.report(std::move(d));
        return std::nullopt;
    };
    if (g.rows() != 1 || g.columns() != 1) return fail(linear_messages::several_signals());
    if (g.has_delays()) return fail(linear_messages::delay_without_polynomial());
    const ExactFraction& f = g.elements[0][0];
    StabilityQuestion q;
    q.polynomial = feedback ? f.denominator + f.numerator : f.denominator;
    if (feedback && q.polynomial.degree() < f.denominator.degree())
        return fail(linear_messages::loop_not_well_posed());
    if (!feedback) q.transfer = f;
    q.symbols = g.symbols;
    return q;
}

// det(sI - A), or of the loop closed around the system.
std::optional<StabilityQuestion> of_state_space(const StateSpace& s, bool feedback,
                                                Diagnostics& diagnostics) {
    const auto fail = [&](Diagnostic d) {
        diagnostics.report(std::move(d));
        return std::nullopt;
    };
    if (s.order() > most_table_states)
        return fail(linear_messages::too_large_for_table(s.order(), most_table_states));
    ExactStateSpace e{exact(s.A), exact(s.B), exact(s.C), exact(s.D)};
    if (feedback) {
        if (s.B.cols() != s.C.rows()) return fail(linear_messages::feedback_not_square());
        if (!s.D.isZero(0)) return fail(linear_messages::feedback_with_direct_term());
        e.A = e.A - e.B * e.C;
    }
    StabilityQuestion q;
    q.polynomial = characteristic_polynomial(e.A);
    return q;
}

std::optional<StabilityQuestion> read_question(const StabilityRequest& request, Workspace& workspace) {
    if (!request.polynomial.empty()) return given_polynomial(request, workspace);
    const auto system = open_linear(request, workspace, Signals::NotNeeded);
    if (!system) return std::nullopt;
    const bool is_sampled = sample_time_of(*system).has_value();
    if (is_sampled != request.sampled) {
        workspace.diagnostics.report(linear_messages::other_table(is_sampled));
        return std::nullopt;
    }
    if (const auto* g = std::get_if<ExactTransferMatrix>(&*system))
        return of_transfer_function(*g, request.feedback, workspace.diagnostics);
    return of_state_space(std::get<StateSpace>(*system), request.feedback, workspace.diagnostics);
}

bool check_degree(const StabilityQuestion& q, const std::string& variable, bool of_transfer_function,
                  Diagnostics& diagnostics) {
    if (q.polynomial.is_zero())
        diagnostics.report(linear_messages::polynomial_is_zero());
    else if (q.polynomial.degree() < 1)
        diagnostics.report(linear_messages::polynomial_is_constant(to_text(q.polynomial, variable, q.symbols),
                                                                   variable, of_transfer_function));
    else if (q.polynomial.degree() > highest_degree)
        diagnostics.report(linear_messages::degree_too_high(highest_degree));
    else
        return true;
    return false;
}

}  // namespace

SymbolNames StabilityStudy::names() const {
    SymbolNames all = symbols;
    all.push_back("ε");
    return all;
}

std::optional<StabilityStudy> stability_study(const StabilityRequest& request, Workspace& workspace) {
    const auto q = read_question(request, workspace);
    const std::string variable = request.sampled ? "z" : "s";
    if (!q || !check_degree(*q, variable, !request.tf.empty(), workspace.diagnostics)) return std::nullopt;
    StabilityStudy study;
    study.sampled = request.sampled;
    study.polynomial = q->polynomial;
    study.variable = variable;
    study.symbols = q->symbols;
    const auto symbol_count = static_cast<unsigned>(q->symbols.size());
    request.begin(request.sampled ? "finding Jury's conditions" : "Routh's table");
    study.table =
        request.sampled ? jury(q->polynomial, variable) : routh(q->polynomial, variable, symbol_count);
    const bool possible = !study.table.never && (!study.table.intervals || !study.table.intervals->empty());
    if (q->transfer && possible) {
        request.begin("the variance of the output");
        const ExactFraction f = reduced(*q->transfer);
        if (f.denominator.degree() >= 1)
            study.variance = request.sampled ? sampled_variance(f.numerator, f.denominator)
                                             : continuous_variance(f.numerator, f.denominator);
    }
    return study;
}

}  // namespace cutset
