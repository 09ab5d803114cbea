#include "operations/linear/linear_source.h"

#include <algorithm>
#include <cmath>

#include "control/matrix_fraction.h"
#include "control/transfer_realization.h"
#include "operations/linear/linear_messages.h"
#include "operations/linearize/linear_model.h"
#include "results/linear_file.h"

namespace cutset {

namespace {

std::optional<LinearQuestion> question_of(const LinearRequest& request, Workspace& workspace) {
    const auto experiment = open_model(request, workspace);
    if (!experiment) return std::nullopt;
    SimulateOptions run;
    run.allow_external = request.allow_external;
    return LinearQuestion{request.model, *experiment,    transform_options(request, workspace.text),
                          run,           request.inputs, request.outputs,
                          request.at,    false};
}

std::optional<StateSpace> linearized_model(const LinearRequest& request, Workspace& workspace) {
    const auto question = question_of(request, workspace);
    const auto model = question ? linear_model(workspace, *question) : std::nullopt;
    if (!model) return std::nullopt;
    return model->linear.dense();
}

// A formula as a rational function of symbols; parts that are none (sin(phi), sqrt(h)) are symbols of their
// own.
class SymbolReader {
  public:
    explicit SymbolReader(const Printer& printer) : printer_(printer) {}
    SymbolNames names;

    Coefficient read(Expr e) {
        switch (e->op) {
            case Op::Number:
                return Coefficient(simple_rational(e->number));
            case Op::Add: {
                Coefficient sum;
                for (Expr term : e->args()) sum += read(term);
                return sum;
            }
            case Op::Multiply: {
                Coefficient product(1);
                for (Expr factor : e->args()) product *= read(factor);
                return product;
            }
            case Op::Power: {
                const Expr exponent = e->arg(1);
                if (!exponent->is_number() || exponent->number != std::round(exponent->number) ||
                    std::fabs(exponent->number) > 50)
                    break;
                const Coefficient base = read(e->arg(0));
                if (base.is_zero()) break;
                Coefficient power(1);
                for (int k = 0; k < static_cast<int>(std::fabs(exponent->number)); ++k) power *= base;
                return exponent->number < 0 ? Coefficient(1) / power : power;
            }
            default:
                break;
        }
        const std::string name = to_text(e, printer_);
        const auto at = std::find(names.begin(), names.end(), name);
        const auto index = static_cast<unsigned>(at - names.begin());
        if (at == names.end()) names.push_back(name);
        return Coefficient::symbol(index);
    }

    ExactMatrix read(const std::vector<std::vector<Expr>>& rows, std::size_t columns) {
        ExactMatrix m(rows.size(), columns);
        for (std::size_t i = 0; i < rows.size(); ++i)
            for (std::size_t k = 0; k < columns; ++k) m(i, k) = read(rows[i][k]);
        return m;
    }

  private:
    const Printer& printer_;
};

constexpr std::size_t most_symbolic_states = 8;

std::optional<ExactTransferMatrix> symbolic_transfer_matrix(const LinearRequest& request,
                                                            Workspace& workspace) {
    const auto question = question_of(request, workspace);
    const auto model = question ? symbolic_linear_model(workspace, *question) : std::nullopt;
    if (!model) return std::nullopt;
    const SymbolicLinearization& f = model->formulas;
    if (f.states.size() > most_symbolic_states) {
        workspace.diagnostics.report(
            linear_messages::too_many_symbolic_states(most_symbolic_states, f.states.size()));
        return std::nullopt;
    }
    const FlatModel& flat = model->partition->model;
    const Printer printer = flat.printer();
    SymbolReader reader(printer);
    ExactStateSpace s;
    s.A = reader.read(f.A, f.states.size());
    s.B = reader.read(f.B, f.inputs.size());
    s.C = reader.read(f.C, f.states.size());
    s.D = reader.read(f.D, f.inputs.size());
    ExactTransferMatrix g = transfer_matrix_of(s);
    g.symbols = reader.names;
    g.inputs.clear();
    g.outputs.clear();
    for (VariableIndex v : f.inputs) g.inputs.push_back(flat.path(v));
    for (VariableIndex v : f.outputs) g.outputs.push_back(flat.path(v));
    return g;
}

// Places of the names, or all of them. A number is a place from 1 when no signal has it as its name.
std::vector<std::size_t> places(const std::vector<std::string>& wanted, const std::vector<std::string>& names,
                                const std::string& what, Diagnostics& diagnostics) {
    std::vector<std::size_t> out;
    if (wanted.empty())
        for (std::size_t i = 0; i < names.size(); ++i) out.push_back(i);
    for (const std::string& name : wanted) {
        const auto at = std::find(names.begin(), names.end(), name);
        if (at != names.end()) {
            out.push_back(static_cast<std::size_t>(at - names.begin()));
            continue;
        }
        const bool number =
            !name.empty() && name.size() < 7 && name.find_first_not_of("0123456789") == std::string::npos;
        const std::size_t place = number ? static_cast<std::size_t>(std::stoul(name)) : 0;
        if (place >= 1 && place <= names.size())
            out.push_back(place - 1);
        else
            diagnostics.report(linear_messages::unknown_signal(what, name, names));
    }
    return out;
}

template <class T>
std::vector<T> chosen(const std::vector<T>& all, const std::vector<std::size_t>& places) {
    std::vector<T> out;
    for (std::size_t i : places) out.push_back(all[i]);
    return out;
}

StateSpace selected(const StateSpace& s, const std::vector<std::size_t>& inputs,
                    const std::vector<std::size_t>& outputs) {
    StateSpace out = s;
    const auto index = [](std::size_t i) { return static_cast<Eigen::Index>(i); };
    out.B.resize(s.B.rows(), index(inputs.size()));
    out.C.resize(index(outputs.size()), s.C.cols());
    out.D.resize(index(outputs.size()), index(inputs.size()));
    for (std::size_t k = 0; k < inputs.size(); ++k) out.B.col(index(k)) = s.B.col(index(inputs[k]));
    for (std::size_t i = 0; i < outputs.size(); ++i) {
        out.C.row(index(i)) = s.C.row(index(outputs[i]));
        for (std::size_t k = 0; k < inputs.size(); ++k)
            out.D(index(i), index(k)) = s.D(index(outputs[i]), index(inputs[k]));
    }
    out.inputs = chosen(s.inputs, inputs);
    out.outputs = chosen(s.outputs, outputs);
    return out;
}

ExactTransferMatrix selected(const ExactTransferMatrix& g, const std::vector<std::size_t>& inputs,
                             const std::vector<std::size_t>& outputs) {
    ExactTransferMatrix out = g;
    out.elements = chosen(g.elements, outputs);
    out.delays = chosen(g.delays, outputs);
    for (auto& row : out.elements) row = chosen(row, inputs);
    for (auto& row : out.delays) row = chosen(row, inputs);
    out.inputs = chosen(g.inputs, inputs);
    out.outputs = chosen(g.outputs, outputs);
    return out;
}

// NAME=NUMBER for the symbols of a transfer function.
bool set_symbols(const std::vector<std::string>& set, ExactTransferMatrix& g, Diagnostics& diagnostics) {
    std::vector<std::pair<std::string, Rational>> values;
    for (const std::string& text : set) {
        const std::size_t equal = text.find('=');
        const auto number =
            equal == std::string::npos ? std::nullopt : rational_from_text(text.substr(equal + 1));
        const std::string name = text.substr(0, equal);
        if (!number) {
            diagnostics.report(linear_messages::name_and_number_expected("--set", text));
            return false;
        }
        if (std::find(g.symbols.begin(), g.symbols.end(), name) == g.symbols.end()) {
            diagnostics.report(linear_messages::no_such_symbol(text, name, g.symbols));
            return false;
        }
        values.emplace_back(name, *number);
    }
    g = with_values(g, values);
    for (std::size_t i = 0; i < g.rows(); ++i)
        for (std::size_t k = 0; k < g.columns(); ++k)
            if (g.elements[i][k].denominator.is_zero()) {
                diagnostics.report(linear_messages::denominator_becomes_zero(element_name(g, i, k)));
                return false;
            }
    return true;
}

bool check_request(const LinearRequest& request, Diagnostics& diagnostics) {
    if (request.tf.empty() && request.file.empty())
        diagnostics.report(linear_messages::no_system());
    else if (!request.tf.empty() && !request.file.empty())
        diagnostics.report(linear_messages::two_systems(request.file));
    else if (request.sample_time && !(*request.sample_time > 0 && std::isfinite(*request.sample_time)))
        diagnostics.report(linear_messages::must_be_positive("--sample-time"));
    else if (request.pade && (*request.pade < 1 || *request.pade > 20))
        diagnostics.report(linear_messages::must_be_between("--pade", 1, 20));
    else
        return true;
    return false;
}

std::optional<LinearSystem> as_given(const LinearRequest& request, Workspace& workspace) {
    if (!request.tf.empty())
        return parse_transfer_matrix(workspace.text.sources().add("--tf", request.tf),
                                     workspace.text.sources(), request.sample_time, workspace.diagnostics);
    if (!request.is_model())
        return read_linear_file(request.file, workspace.text.sources(), workspace.diagnostics);
    if (request.symbolic) return symbolic_transfer_matrix(request, workspace);
    return linearized_model(request, workspace);
}

}  // namespace

bool LinearRequest::is_model() const {
    return tf.empty() && !is_linear_file(file);
}

std::optional<GivenFraction> open_fraction(const LinearRequest& request, const FractionText& text,
                                           Workspace& workspace) {
    Diagnostics& diagnostics = workspace.diagnostics;
    if (!request.tf.empty() || !request.file.empty()) {
        diagnostics.report(linear_messages::fraction_and_system());
        return std::nullopt;
    }
    if (text.numerator.empty() || text.denominator.empty()) {
        diagnostics.report(linear_messages::half_a_fraction(text.numerator.empty()));
        return std::nullopt;
    }
    Sources& sources = workspace.text.sources();
    const auto parsed = [&](const char* option, const std::string& matrix) {
        return parse_transfer_matrix(sources.add(option, matrix), sources, request.sample_time, diagnostics);
    };
    auto N = parsed("--numerator", text.numerator), D = parsed("--denominator", text.denominator);
    if (!N || !D) return std::nullopt;
    const auto joined = [](const ExactTransferMatrix& a, const ExactTransferMatrix& b) {
        SymbolNames names = a.symbols;
        for (const std::string& name : b.symbols)
            if (std::find(names.begin(), names.end(), name) == names.end()) names.push_back(name);
        return names;
    };
    const SymbolNames names = joined(*D, *N);
    GivenFraction out{with_symbols(*N, names), with_symbols(*D, names)};
    // One in z makes both so.
    if (N->sample_time || D->sample_time)
        for (ExactTransferMatrix* g : {&out.N, &out.D}) {
            g->sample_time = N->sample_time ? N->sample_time : D->sample_time;
            g->variable = "z";
        }
    if (!set_symbols(request.set, out.N, diagnostics) || !set_symbols(request.set, out.D, diagnostics))
        return std::nullopt;
    return out;
}

std::optional<LinearSystem> open_linear(const LinearRequest& request, Workspace& workspace, Signals needed) {
    Diagnostics& diagnostics = workspace.diagnostics;
    if (!check_request(request, diagnostics)) return std::nullopt;
    request.begin(request.is_model() ? "translating the model" : "reading the linear system");
    std::optional<LinearSystem> system = as_given(request, workspace);
    if (!system) return std::nullopt;
    if (auto* g = std::get_if<ExactTransferMatrix>(&*system)) {
        if (!request.symbolic && !set_symbols(request.set, *g, diagnostics)) return std::nullopt;
        if (request.pade) *g = with_pade(*g, static_cast<unsigned>(*request.pade));
    }
    // A model that was linearised has the signals asked for, and no more.
    const bool choose = !request.is_model();
    const std::vector<std::string> none;
    const auto inputs = places(choose ? request.inputs : none, inputs_of(*system), "input", diagnostics);
    const auto outputs = places(choose ? request.outputs : none, outputs_of(*system), "output", diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    if (needed == Signals::Needed && (inputs.empty() || outputs.empty())) {
        diagnostics.report(linear_messages::no_signals(inputs.empty() ? "inputs" : "outputs"));
        return std::nullopt;
    }
    return std::visit([&](const auto& s) { return LinearSystem(selected(s, inputs, outputs)); }, *system);
}

std::optional<StateSpace> open_state_space(const LinearRequest& request, Workspace& workspace,
                                           Signals needed) {
    auto system = open_linear(request, workspace, needed);
    if (!system) return std::nullopt;
    if (auto* s = std::get_if<StateSpace>(&*system)) return std::move(*s);
    const ExactTransferMatrix& g = std::get<ExactTransferMatrix>(*system);
    report_cancelled(g, workspace.diagnostics);
    return realize(g, workspace.diagnostics);
}

std::optional<ExactStateSpace> exact_numbers(const LinearRequest& request, const StateSpace& system) {
    constexpr Eigen::Index most_states = 12;
    constexpr double most_digits = 1e8;  // numerators and denominators below it
    if (request.is_model() || system.order() > most_states) return std::nullopt;
    for (const Eigen::MatrixXd* m : {&system.A, &system.B, &system.C, &system.D})
        for (const double v : m->reshaped()) {
            if (!std::isfinite(v)) return std::nullopt;
            const Rational number = simple_rational(v);
            if (abs(number.get_num()) > most_digits || number.get_den() > most_digits) return std::nullopt;
        }
    return ExactStateSpace{exact(system.A), exact(system.B), exact(system.C), exact(system.D)};
}

std::string channel_name(const std::string& output, const std::string& input) {
    return output + " from " + input;
}

}  // namespace cutset
