#include "linear/linear_source.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "control/transfer_realization.h"
#include "operations/linearize/linear_model.h"
#include "runs/limits.h"
#include "runs/run_options.h"

namespace cutset::cli {

namespace {

std::optional<StateSpace> linearized_model(const LinearOptions& options, Workspace& workspace) {
    RunOptions run_options;
    static_cast<ModelOptions&>(run_options) = options;
    const auto experiment = open_model(options, workspace);
    const auto run = experiment ? experiment_options(run_options, workspace.diagnostics) : std::nullopt;
    if (!run) return std::nullopt;
    const auto model =
        linear_model(workspace, {options.model, *experiment, transform_options(options, workspace.text), *run,
                                 options.inputs, options.outputs, options.at, false});
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

std::optional<ExactTransferMatrix> symbolic_model(const LinearOptions& options, Workspace& workspace) {
    RunOptions run_options;
    static_cast<ModelOptions&>(run_options) = options;
    const auto experiment = open_model(options, workspace);
    const auto run = experiment ? experiment_options(run_options, workspace.diagnostics) : std::nullopt;
    if (!run) return std::nullopt;
    const auto model = symbolic_linear_model(
        workspace, {options.model, *experiment, transform_options(options, workspace.text), *run,
                    options.inputs, options.outputs, options.at, false});
    if (!model) return std::nullopt;
    const SymbolicLinearization& f = model->formulas;
    if (f.states.size() > most_symbolic_states) {
        workspace.diagnostics.report(
            bad_option(fmt::format("--symbolic is for up to {} states, and the model has {}",
                                   most_symbolic_states, f.states.size()),
                       "leave it out: numbers are used then"));
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

// ---- what was asked for

Diagnostic unknown_signal(const std::string& what, const std::string& name,
                          const std::vector<std::string>& names) {
    const std::string near = nearest_name(name, names);
    std::string list;
    for (std::size_t i = 0; i < names.size() && i < 12; ++i) list += (i ? ", " : "") + names[i];
    if (names.size() > 12) list += ", …";
    Diagnostic d =
        bad_option(fmt::format("the system has no {} {}", what, name),
                   near.empty() ? names.empty() ? fmt::format("it has no {}s", what)
                                                : fmt::format("its {}s are {}", what, list)
                                : fmt::format("did you mean {}? Its {}s are {}", near, what, list));
    d.code = "unknown-signal";
    return d;
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
            diagnostics.report(unknown_signal(what, name, names));
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

// --set name=number for the symbols of a transfer function.
bool set_symbols(const LinearOptions& options, ExactTransferMatrix& g, Diagnostics& diagnostics) {
    std::vector<std::pair<std::string, Rational>> values;
    for (const std::string& text : options.set) {
        const std::size_t equal = text.find('=');
        const auto number =
            equal == std::string::npos ? std::nullopt : rational_from_text(text.substr(equal + 1));
        const std::string name = text.substr(0, equal);
        if (!number) {
            diagnostics.report(bad_option(fmt::format("--set {}: NAME=NUMBER is expected", text)));
            return false;
        }
        if (std::find(g.symbols.begin(), g.symbols.end(), name) == g.symbols.end()) {
            Diagnostic d =
                bad_option(fmt::format("--set {}: the transfer function has no symbol {}", text, name));
            for (const std::string& symbol : g.symbols)
                d.help += (d.help.empty() ? "its symbols are " : ", ") + symbol;
            diagnostics.report(std::move(d));
            return false;
        }
        values.emplace_back(name, *number);
    }
    g = with_values(g, values);
    for (std::size_t i = 0; i < g.rows(); ++i)
        for (std::size_t k = 0; k < g.columns(); ++k)
            if (g.elements[i][k].denominator.is_zero()) {
                diagnostics.report(bad_option(
                    fmt::format("with these values the denominator of {} is zero", element_name(g, i, k))));
                return false;
            }
    return true;
}

}  // namespace

std::string channel_name(const std::string& output, const std::string& input) {
    return output + " from " + input;
}

void add_linear_options(Command& c, LinearOptions& o) {
    add_model_options(c, o, false,
                      "a model, or a linear system: .json, .mat (A B C D, or num and den), .mim");
    c.option("--tf", o.tf,
             "a transfer function instead of a file: \"(s+1)/(s^2+3*s+2)\", \"exp(-0.1*s)/s\", \"[1/s, 2; 0, "
             "1/(s+1)]\"");
    c.list("--inputs", o.inputs, "inputs u1,u2 by name or number; default: all");
    c.list("--outputs", o.outputs, "outputs y1,y2 by name or number; default: all");
    c.option("--at", o.at,
             "where a model is linearised: steady, start, time=T, point.json, a result run.csv or run.csv@T; "
             "default: steady, where there is none the start");
    c.option("--sample-time", o.sample_time, "sample time of a transfer function in z [s]; default: 1");
    c.flag("--symbolic", o.symbolic, "parameters of a model stay symbols (up to 8 states; not for curves)");
    c.option("--pade", o.pade, "replace delays by fractions of this order");
}

std::optional<LinearSystem> open_linear(const LinearOptions& options, Workspace& workspace,
                                        bool need_signals) {
    Diagnostics& diagnostics = workspace.diagnostics;
    const auto fail = [&](Diagnostic d) {
        diagnostics.report(std::move(d));
        return std::nullopt;
    };
    if (options.tf.empty() && options.file.empty())
        return fail(
            bad_option("there is no system", "give a FILE, or a transfer function: --tf \"1/(s^2+s+1)\""));
    if (!options.tf.empty() && !options.file.empty())
        return fail(
            bad_option(fmt::format("both {} and --tf are given", options.file), "leave one of them out"));
    if (options.sample_time && !(*options.sample_time > 0 && std::isfinite(*options.sample_time)))
        return fail(bad_option("--sample-time must be a positive number"));
    if (options.pade && (*options.pade < 1 || *options.pade > 20))
        return fail(bad_option("--pade must be between 1 and 20"));
    std::optional<LinearSystem> system;
    bool choose = true;
    if (!options.tf.empty()) {
        if (auto g = parse_transfer_matrix(workspace.text.sources().add("--tf", options.tf),
                                           workspace.text.sources(), options.sample_time, diagnostics))
            system = std::move(*g);
    } else if (is_linear_file(options.file)) {
        system = read_linear_file(options.file, workspace.text.sources(), diagnostics);
    } else if (options.symbolic) {
        auto g = symbolic_model(options, workspace);
        if (!g) return std::nullopt;
        system = std::move(*g);
        choose = false;
    } else if (auto s = linearized_model(options, workspace)) {
        system = std::move(*s);
        choose = false;  // it has what was asked for, and no more
    }
    if (!system) return std::nullopt;
    if (auto* g = std::get_if<ExactTransferMatrix>(&*system)) {
        if (!options.symbolic && !set_symbols(options, *g, diagnostics)) return std::nullopt;
        if (options.pade) *g = with_pade(*g, static_cast<unsigned>(*options.pade));
    }
    const auto& [input_names, output_names] = std::visit(
        [](const auto& s) {
            return std::pair<const std::vector<std::string>&, const std::vector<std::string>&>(s.inputs,
                                                                                               s.outputs);
        },
        *system);
    const std::vector<std::string> none;
    const auto inputs = places(choose ? options.inputs : none, input_names, "input", diagnostics);
    const auto outputs = places(choose ? options.outputs : none, output_names, "output", diagnostics);
    if (diagnostics.has_errors()) return std::nullopt;
    if (need_signals && (inputs.empty() || outputs.empty())) {
        Diagnostic d = bad_option(
            fmt::format("the system has no {}, so there is no transfer function",
                        inputs.empty() ? "inputs" : "outputs"),
            "name some with --inputs and --outputs; for a model: its inputs, parameters, any variables");
        d.code = "no-signals";
        return fail(std::move(d));
    }
    return std::visit([&](const auto& s) { return LinearSystem(selected(s, inputs, outputs)); }, *system);
}

std::optional<StateSpace> open_state_space(const LinearOptions& options, Workspace& workspace,
                                           bool need_signals) {
    auto system = open_linear(options, workspace, need_signals);
    if (!system) return std::nullopt;
    if (auto* s = std::get_if<StateSpace>(&*system)) return std::move(*s);
    const ExactTransferMatrix& g = std::get<ExactTransferMatrix>(*system);
    report_cancelled(g, workspace.diagnostics);
    return realize(g, workspace.diagnostics);
}

}  // namespace cutset::cli
