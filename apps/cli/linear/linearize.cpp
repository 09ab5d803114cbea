// cutset linearize: a model as a linear system at an operating point.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "base/json.h"
#include "commands.h"
#include "linear/matrix_text.h"
#include "operations/linear/linearization_study.h"
#include "output/console.h"
#include "output/json_output.h"
#include "results/linear_file.h"
#include "results/output_file.h"
#include "runs/run_options.h"
#include "translate/places_json.h"

namespace cutset::cli {

namespace {

constexpr std::size_t most_printed = 16;           // rows and columns of a matrix on the terminal
constexpr Eigen::Index most_elements = 4'000'000;  // of a matrix that is written with its zeros

struct LinearizeOptions : RunOptions {
    std::string at, output;
    std::vector<std::string> inputs, outputs;
    bool descriptor = false, symbolic = false, latex = false;
};

Json sparse_json(const SparseMatrix& m) {
    if (m.rows() * m.cols() > most_elements) {
        Json entries = Json::array();
        for (int c = 0; c < m.outerSize(); ++c)
            for (SparseMatrix::InnerIterator it(m, c); it; ++it)
                entries.push_back({it.row() + 1, it.col() + 1, it.value()});
        return {{"rows", m.rows()}, {"columns", m.cols()}, {"entries", std::move(entries)}};
    }
    const Eigen::MatrixXd full = m;
    Json rows = Json::array();
    for (Eigen::Index r = 0; r < full.rows(); ++r) {
        Json row = Json::array();
        for (Eigen::Index c = 0; c < full.cols(); ++c) row.push_back(full(r, c));
        rows.push_back(std::move(row));
    }
    return rows;
}

Json pairs(const std::vector<std::string>& names, const std::vector<double>& values) {
    Json out = Json::object();
    for (std::size_t i = 0; i < names.size(); ++i) out[names[i]] = values[i];
    return out;
}

Json modes_json(const std::vector<Mode>& modes, const std::vector<std::string>& states) {
    Json out = Json::array();
    for (const Mode& mode : modes) {
        Json one = {{"eigenvalue", {mode.eigenvalue.real(), mode.eigenvalue.imag()}},
                    {"frequency", mode.frequency}};
        if (mode.damping) one["damping"] = *mode.damping;
        if (mode.time_constant) one["time_constant"] = *mode.time_constant;
        Json shares = Json::object();
        for (const Participant& p : participants(mode)) shares[states[std::size_t(p.state)]] = p.share;
        one["participation"] = std::move(shares);
        out.push_back(std::move(one));
    }
    return out;
}

const char* word(PointKind kind) {
    switch (kind) {
        case PointKind::Steady:
            return "steady";
        case PointKind::Start:
            return "start";
        case PointKind::Time:
            return "time";
        case PointKind::File:
            return "file";
    }
    return "";
}

Json linearization_json(const LinearizationStudy& study, const Workspace& workspace) {
    const LinearModel& model = study.model;
    const std::optional<std::vector<Mode>>& modes = study.modes;
    const Linearization& l = model.linear;
    Json out;
    out["status"] = "ok";
    out["at"] = word(model.point.kind);
    out["time"] = l.time;
    out["states"] = l.states;
    out["inputs"] = l.inputs;
    out["outputs"] = l.outputs;
    out["A"] = sparse_json(l.A);
    out["B"] = sparse_json(l.B);
    out["C"] = sparse_json(l.C);
    out["D"] = sparse_json(l.D);
    if (l.E) out["E"] = sparse_json(*l.E);
    out["values"] = pairs(l.states, l.x);
    out["values"].update(pairs(l.inputs, l.u));
    out["values"].update(pairs(l.outputs, l.y));
    out["residual"] = study.residual();
    if (modes) {
        out["eigenvalues"] = Json::array();
        for (const Mode& mode : *modes)
            out["eigenvalues"].push_back({mode.eigenvalue.real(), mode.eigenvalue.imag()});
        out["modes"] = modes_json(*modes, l.states);
    }
    out["warnings"] = diagnostics_json(workspace.diagnostics, {workspace.text.sources()}, Severity::Warning);
    return out;
}

Json seconds_json(const LinearizationStudy& study, const Workspace& workspace) {
    const StageTimes& times = workspace.times;
    return {{"translate", times.parse + times.instantiate + times.sort + times.generate},
            {"linearize", study.model.seconds}};
}

void print_operating_point(const LinearModel& model) {
    const Linearization& l = model.linear;
    fmt::print("Linearised at {}, time {:.6g}\n",
               model.point.kind == PointKind::Steady  ? "the steady state"
               : model.point.kind == PointKind::Start ? "the start"
               : model.point.kind == PointKind::File  ? model.point.file
                                                      : "a point of the run",
               l.time);
    const auto print = [](const char* what, const std::vector<std::string>& names,
                          const std::vector<double>& values) {
        for (std::size_t i = 0; i < names.size() && i < most_printed; ++i)
            fmt::print("  {:<9} {:<24} {:.8g}\n", i == 0 ? what : "", names[i], values[i]);
        if (names.size() > most_printed) fmt::print("  {:<9} and {} more\n", "", names.size() - most_printed);
    };
    print(l.E ? "variables" : "states", l.states, l.x);
    print("inputs", l.inputs, l.u);
    print("outputs", l.outputs, l.y);
}

void print_matrices(const Linearization& l) {
    const auto print = [](const char* name, const SparseMatrix& m, const std::vector<std::string>& rows,
                          const std::vector<std::string>& columns) {
        if (m.rows() == 0 || m.cols() == 0) return;
        if (std::size_t(std::max(m.rows(), m.cols())) > most_printed) {
            fmt::print("\n{}: {} by {}, {} elements that are not zero (-o FILE.json writes them)\n", name,
                       m.rows(), m.cols(), m.nonZeros());
            return;
        }
        fmt::print("\n{}", matrix_text(name, Eigen::MatrixXd(m), rows, columns));
    };
    if (l.E) print("E", *l.E, {}, l.states);
    print("A", l.A, l.E ? std::vector<std::string>{} : l.states, l.states);
    print("B", l.B, l.E ? std::vector<std::string>{} : l.states, l.inputs);
    print("C", l.C, l.outputs, l.states);
    print("D", l.D, l.outputs, l.inputs);
}

void print_symbolic(const SymbolicModel& model, bool latex) {
    const SymbolicLinearization& f = model.formulas;
    const FlatModel& flat = model.partition->model;
    const Printer printer = flat.printer();
    const auto text = [&](Expr e) { return latex ? to_latex(e, printer) : to_text(e, printer); };
    const auto names = [&](const std::vector<VariableIndex>& list) {
        std::string out;
        for (std::size_t i = 0; i < list.size(); ++i)
            out += (i ? ", " : "") + text(flat.pool->variable(list[i]));
        return out;
    };
    if (latex) {
        const auto matrix = [&](const char* name, const std::vector<std::vector<Expr>>& rows) {
            if (rows.empty() || rows[0].empty()) return;
            fmt::print("{} &= \\begin{{bmatrix}}\n", name);
            for (std::size_t r = 0; r < rows.size(); ++r) {
                for (std::size_t c = 0; c < rows[r].size(); ++c)
                    fmt::print("{}{}", c ? " & " : "  ", text(rows[r][c]));
                fmt::print("{}\n", r + 1 < rows.size() ? " \\\\" : "");
            }
            fmt::print("\\end{{bmatrix}} \\\\\n");
        };
        fmt::print("% x = ({}), u = ({}), y = ({})\n\\begin{{align*}}\n", names(f.states), names(f.inputs),
                   names(f.outputs));
        matrix("A", f.A);
        matrix("B", f.B);
        matrix("C", f.C);
        matrix("D", f.D);
        for (const auto& [v, e] : f.where)
            fmt::print("{} &= {} \\\\\n", text(flat.pool->variable(v)), text(e));
        fmt::print("\\end{{align*}}\n");
        return;
    }
    fmt::print("x = ({})\nu = ({})\ny = ({})\n", names(f.states), names(f.inputs), names(f.outputs));
    const auto matrix = [&](const char* name, const std::vector<std::vector<Expr>>& rows) {
        for (std::size_t r = 0; r < rows.size(); ++r)
            for (std::size_t c = 0; c < rows[r].size(); ++c)
                if (!rows[r][c]->is_number(0))
                    fmt::print("{}[{},{}] = {}\n", name, r + 1, c + 1, text(rows[r][c]));
    };
    matrix("A", f.A);
    matrix("B", f.B);
    matrix("C", f.C);
    matrix("D", f.D);
    if (!f.where.empty()) fmt::print("where\n");
    for (const auto& [v, e] : f.where) fmt::print("  {} = {}\n", text(flat.pool->variable(v)), text(e));
}

Json symbolic_json(const SymbolicModel& model, bool latex) {
    const FlatModel& flat = model.partition->model;
    const Printer printer = flat.printer();
    const auto text = [&](Expr e) { return latex ? to_latex(e, printer) : to_text(e, printer); };
    const auto matrix = [&](const std::vector<std::vector<Expr>>& rows) {
        Json out = Json::array();
        for (const auto& row : rows) {
            Json one = Json::array();
            for (Expr e : row) one.push_back(text(e));
            out.push_back(std::move(one));
        }
        return out;
    };
    const auto names = [&](const std::vector<VariableIndex>& list) {
        Json out = Json::array();
        for (VariableIndex v : list) out.push_back(flat.path(v));
        return out;
    };
    const SymbolicLinearization& f = model.formulas;
    Json where = Json::object();
    for (const auto& [v, e] : f.where) where[flat.path(v)] = text(e);
    return {{"status", "ok"},
            {"states", names(f.states)},
            {"inputs", names(f.inputs)},
            {"outputs", names(f.outputs)},
            {"A", matrix(f.A)},
            {"B", matrix(f.B)},
            {"C", matrix(f.C)},
            {"D", matrix(f.D)},
            {"where", std::move(where)}};
}

int linearize(const LinearizeOptions& options) {
    Workspace workspace;
    const auto experiment = open_model(options, workspace);
    auto run = experiment ? experiment_options(options, workspace.diagnostics) : std::nullopt;
    if (!run) return finish(workspace, options);
    LinearQuestion question{options.model, *experiment,       transform_options(options, workspace.text),
                            *run,          options.inputs,    options.outputs,
                            options.at,    options.descriptor};
    if (options.symbolic) {
        if (const auto model = symbolic_linear_model(workspace, question)) {
            if (options.json)
                print_json(symbolic_json(*model, options.latex));
            else
                print_symbolic(*model, options.latex);
        }
        std::fflush(stdout);
        return finish(workspace, options);
    }
    if (const auto study = linearization_study(std::move(question), workspace)) {
        const Linearization& l = study->model.linear;
        if (options.json) {
            Json out = linearization_json(*study, workspace);
            out["seconds"] = seconds_json(*study, workspace);  // not in the file, which repeats to the bit
            print_json(out);
        } else if (!options.quiet) {
            print_operating_point(study->model);
            print_matrices(l);
            if (study->modes && !study->modes->empty())
                fmt::print("\n{}", modes_text(*study->modes, l.states));
        }
        if (!options.output.empty()) {
            const Problem problem =
                options.output.ends_with(".mat")
                    ? write_linear_file(l.dense(), options.output)
                    : write_whole_file(options.output, json_text(linearization_json(*study, workspace), 1));
            if (problem)
                workspace.diagnostics.report(bad_option(fmt::format("{}: {}", options.output, *problem)));
        }
    }
    std::fflush(stdout);
    return finish(workspace, options);
}

}  // namespace

void add_linearize(CommandLine& line) {
    auto o = std::make_shared<LinearizeOptions>();
    Command& c =
        line.add("linearize", groups::linear, "the linear system that a model is near an operating point",
                 [o] { return linearize(*o); });
    add_model_options(c, *o);
    c.option(
        "--at", o->at,
        "the operating point: steady, start, time=T (of a run), point.json, or a result run.csv or run.csv@T "
        "(steady; where there is none the start)");
    c.list("--inputs", o->inputs, "inputs u: a,b; parameters too (the inputs of the model)");
    c.list("--outputs", o->outputs, "outputs y: a,b (the outputs of the model, or its states)");
    c.flag("--descriptor", o->descriptor,
           "E x' = A x + B u with all variables, neither sorted nor index-reduced");
    c.flag("--symbolic", o->symbolic, "A, B, C, D as formulas (small models)");
    c.flag("--latex", o->latex, "the formulas typeset");
    c.option("-o,--output", o->output, "write the linear system to FILE.json or FILE.mat");
    c.option("--start", o->start, "start of the run for --at time=T (0)");
    c.option("--tolerance", o->tolerance, "of that run (1e-6)");
    c.option("--solver", o->solver, "of that run (auto)");
    c.footer(
        "Examples:\n"
        "  cutset linearize pendulum.dym                          at its equilibrium: A, B, C, D, "
        "eigenvalues, damping\n"
        "  cutset linearize motor.dym --input u=12 --outputs motor.omega\n"
        "  cutset linearize motor.dym --at time=0.5 --json        a point of the run\n"
        "  cutset linearize motor.dym --inputs motor.J            deviations caused by a parameter\n"
        "  cutset linearize pendulum.dym --symbolic --latex       formulas\n"
        "  cutset linearize motor.dym -o motor.json && cutset bode motor.json\n"
        "JSON keys: A, B, C, D (E) as rows, states, inputs, outputs, values, eigenvalues as [re, im], "
        "modes.");
}

}  // namespace cutset::cli
